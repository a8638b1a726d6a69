"""Terms of the glossary on the pages of a rendered book: how they say what they mean."""

import pytest

#: A page with many terms, in text and in formulas.
PAGE = "_executed/measures.html"


def shown(page):
    return page.locator(".glossary-hint:not([hidden])")


@pytest.fixture
def term(opened):
    """A page and its first marked term, with the words that are to be shown."""
    page = opened(PAGE)
    link = page.locator("a.defined").first
    page.wait_for_function("() => document.querySelector('a.defined').dataset.definition")
    link.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    return page, link, link.get_attribute("data-definition")


def test_a_mouse_that_rests_on_a_term_reads_what_it_means(term):
    page, link, words = term
    link.hover()
    shown(page).wait_for()
    assert shown(page).inner_text() == words and link.get_attribute("title") is None
    shown(page).hover()  # it stays while it is read
    page.wait_for_timeout(400)
    assert shown(page).count() == 1
    page.mouse.move(1, 1)
    page.wait_for_timeout(400)
    assert shown(page).count() == 0


def test_the_keyboard_reads_it_escape_closes_it_and_enter_follows(term):
    page, link, words = term
    link.evaluate(
        "(a) => { const s = document.createElement('button'); s.id = 'before'; a.before(s); s.focus(); }"
    )
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.classList.contains('defined')")
    assert shown(page).inner_text() == words
    assert link.get_attribute("aria-describedby") == shown(page).get_attribute("id")
    page.keyboard.press("Escape")
    assert shown(page).count() == 0 and link.get_attribute("aria-describedby") is None
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#*")


def test_a_finger_reads_it_and_follows_it_with_a_second_touch(browser, site):
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto((site / PAGE).as_uri())
    page.wait_for_function("() => document.querySelector('a.defined').dataset.definition")
    links = page.locator("a.defined:visible")
    for place in range(links.count()):  # wherever it stands, the words lie within the window
        links.nth(place).scroll_into_view_if_needed()
        page.wait_for_timeout(150)
        links.nth(place).tap()
        box = shown(page).bounding_box()
        assert 0 <= box["x"] and box["x"] + box["width"] <= 390
        assert 0 <= box["y"] and box["y"] + box["height"] <= 800
    assert page.url.endswith(PAGE)
    page.touchscreen.tap(5, 400)
    assert shown(page).count() == 0
    links.first.scroll_into_view_if_needed()
    page.wait_for_timeout(150)
    links.first.tap()
    links.first.tap()
    page.wait_for_url("**/glossary.html#*")
    context.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious_while_it_is_read(term, theme, axe):
    page, link, _ = term
    page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
    link.hover()
    shown(page).wait_for()
    assert axe(page, ".bd-article") == []


def test_print_shows_words_alone(term):
    page, link, _ = term
    link.hover()
    shown(page).wait_for()
    page.emulate_media(media="print")
    assert not page.locator(".glossary-hint").is_visible()
    assert link.evaluate("(a) => getComputedStyle(a).textDecorationLine") == "none"


def test_without_scripts_a_term_is_a_link_with_a_title(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / PAGE).as_uri())
    link = page.locator("a.defined").first
    assert len(link.get_attribute("title")) > 10
    link.click()
    page.wait_for_url("**/glossary.html#*")
    context.close()
