"""A rendered book as a browser shows it, opened from the disk, without a server and without a network."""

import csv
from itertools import pairwise

import pytest

from metacog.book.moved import moved
from metacog.core.paths import project_root

#: Words that a reader may look for, and a page that has to be among what is found.
SEARCHED = {
    "temperature": "study1-hypotheses",
    "M-ratio": "study1-correction",
    "calibration": "glossary",
    "bootstrap": "study1-hypotheses",
    "withhold": "study1-use",
}
#: Windows of 1,280 by 900 that a page fills as it opens, at most; but for lists to be looked up in.
MOST_SCREENS = 6
LONG_PAGES = {"_executed/ledger.html", "genindex.html"}


def test_nothing_is_complained_of_on_the_console(visit):
    assert visit.errors == []


def test_no_page_asks_for_anything_outside(visit):
    assert visit.outside == []


def test_no_page_scrolls_sideways(visit):
    assert visit.too_wide == {}


def test_no_page_is_long_as_it_opens(visit, page_name, reference):
    assert visit.screens <= MOST_SCREENS or page_name in LONG_PAGES or reference


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit, theme):
    assert visit.violations[theme] == []


#: A button that is dark on light for good, and light on light while it changes.
CHANGING = """<!doctype html><html lang="en"><title>A button</title>
<style>button { color: #ddd; background: #fff; transition: color SPAN; } .ready button { color: #111; }</style>
<main><h1>A button</h1><button>Press</button></main></html>"""


@pytest.mark.parametrize(("span", "found"), [("6s", False), ("0s; color: #ddd !important", True)])
def test_axe_waits_for_a_button_that_changes_its_colour(browser, axe, span, found):
    page = browser.new_page()
    page.set_content(CHANGING.replace("SPAN", span))
    page.evaluate("() => document.body.classList.add('ready')")
    assert any("color-contrast" in one for one in axe(page)) == found
    page.close()


def test_every_table_sorts_can_be_taken_along_and_stays_in_its_frame(visit):
    headed = [table for table in visit.tables if table["headed"]]
    assert [t for t in headed if t["rows"] > 1 and not t["sorts"]] == []
    assert [t for t in headed if t["rows"] > 10 and not t["filter"]] == []
    assert [t for t in headed if not t["link"]] == []
    assert [t for t in headed if not t["framed"]] == []


@pytest.mark.parametrize("term", SEARCHED)
def test_search_finds(opened, term):
    page = opened(f"search.html?q={term}")
    page.wait_for_selector("#search-results ul.search li a")
    page.wait_for_function("() => /finished|found/.test(document.querySelector('#search-results').innerText)")
    found = page.eval_on_selector_all("#search-results ul.search li a", "links => links.map(a => a.href)")
    assert any(SEARCHED[term] in address for address in found), found


def chapters(site):
    """Pages that were executed, without what leads an old address on."""
    old = {f"{name}.html" for name in moved(project_root())}
    return sorted(path for path in site.glob("_executed/*.html") if f"_executed/{path.name}" not in old)


@pytest.fixture
def table(opened, site):
    """A page with a table of more than ten rows and a column of numbers, and that table, opened."""
    for path in chapters(site):
        page = opened(f"_executed/{path.name}")
        places = page.evaluate(
            """() => [...document.querySelectorAll("table.book-table")].map((t, i) =>
            t.tBodies[0].rows.length > 10 && t.querySelector("thead th.number") ? i : -1).filter((i) => i >= 0)"""
        )
        if places:
            found = page.locator("table.book-table").nth(places[0])
            found.evaluate(
                "t => { for (let at = t; at; at = at.parentElement) if (at.open === false) at.open = true; }"
            )
            return page, found
    pytest.fail("no page has a table of more than ten rows")


def column(table, place):
    return table.locator(f"tbody tr td:nth-child({place})").all_inner_texts()


def view_of(table):
    """What stands around a table: its filter, and the link to its data."""
    return table.locator("xpath=ancestor::*[contains(concat(' ', @class, ' '), ' table-view ')][1]")


def as_number(text):
    return float(text.split()[0].replace(",", "")) if text not in ("-", "") else None


def test_a_table_sorts_by_click_and_by_keyboard_and_back(table):
    page, rows = table
    heads = rows.locator("thead th.number:has(button.sort)")
    if not heads.count():
        pytest.fail("the first long table of the book has no column of numbers")
    head = heads.first
    place = head.evaluate("th => [...th.parentElement.children].indexOf(th) + 1")
    if rows.locator("thead tr").count() > 1:
        place = rows.evaluate(
            "t => [...t.tBodies[0].rows[0].cells].findIndex(c => c.className === 'number') + 1"
        )
    before = column(rows, place)
    known = sorted(v for v in map(as_number, before) if v is not None)
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert [v for v in map(as_number, column(rows, place)) if v is not None] == known
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "descending"
    after = [as_number(text) for text in column(rows, place)]
    assert after[: len(known)] == known[::-1] and set(after[len(known) :]) <= {None}
    page.keyboard.press("Space")
    assert head.get_attribute("aria-sort") is None and column(rows, place) == before


def test_words_sort_by_the_alphabet(table):
    _, rows = table
    head = rows.locator("thead th.text:has(button.sort)").first
    head.locator("button").click()
    shown = [text.casefold() for text in column(rows, 1)]
    assert head.get_attribute("aria-sort") == "ascending" and len(shown) > 10
    known = [text for text in shown if text != "-"]
    assert all(a <= b or any(c.isdigit() for c in a + b) for a, b in pairwise(known))


def test_a_table_filters_and_says_how_many_rows_are_left(table):
    _, rows = table
    view = view_of(rows)
    total = rows.locator("tbody tr").count()
    word = column(rows, 1)[0].split()[0]
    view.locator(".table-tools input").fill(word)
    left = rows.locator("tbody tr:visible")
    assert 0 < left.count() <= total
    assert all(word.casefold() in text.casefold() for text in left.all_inner_texts())
    assert view.locator("[role=status]").inner_text() == f"{left.count()} of {total} rows"
    view.locator(".table-tools input").fill("no row holds these words")
    assert left.count() == 0


def test_a_table_is_taken_along_with_all_its_rows(table, tmp_path):
    page, rows = table
    link = rows.evaluate_handle(
        """t => (t.closest("details.long-table") || t.closest(".table-view")).parentElement
        .querySelector(":scope > .take-along a[download$='.csv']")"""
    ).as_element()
    with page.expect_download() as waited:
        link.click()
    waited.value.save_as(tmp_path / "table.csv")
    with open(tmp_path / "table.csv", newline="", encoding="utf-8") as handle:
        read = list(csv.reader(handle))
    assert len(read) - 1 == rows.locator("tbody tr").count()


def test_the_data_of_a_figure_open_in_place_and_can_be_sorted(opened, site):
    """Oracle: the CSV beside the figure."""
    page = opened("_executed/study5-regulation.html")
    line = page.locator(".take-along[data-csv]").first
    button = line.get_by_role("button", name="Data of this figure as a table")
    button.click()
    rows = page.locator(".figure-table table").first
    name = line.locator("a[download$='.csv']").get_attribute("download")
    with open(site / "_static" / "downloads" / name, newline="", encoding="utf-8") as handle:
        head, *data = list(csv.reader(handle))
    assert rows.locator("th").all_inner_texts() == head
    assert rows.locator("tbody tr").count() == len(data)
    rows.locator("th button.sort").first.click()
    first = rows.locator("tbody tr td:first-child").all_inner_texts()
    assert sorted(map(float, first)) == pytest.approx(sorted(float(row[0]) for row in data), rel=1e-4)
    button.click()
    assert not rows.is_visible() and button.get_attribute("aria-expanded") == "false"


def test_a_table_of_prose_is_taken_along_too(opened, tmp_path):
    page = opened("book/how-to-run.html")
    with page.expect_download() as waited:
        page.locator(".take-along a").first.click()
    waited.value.save_as(tmp_path / "table.csv")
    assert len((tmp_path / "table.csv").read_text(encoding="utf-8").splitlines()) > 2


def test_parts_fold_in_the_sidebar_and_the_one_that_is_read_stands_open(opened):
    page = opened("_executed/study1-hypotheses.html")
    parts = page.locator(".bd-sidebar-primary li.toctree-l0 > details")
    open_ones = parts.evaluate_all("all => all.filter((d) => d.open).map((d) => d.innerText)")
    assert parts.count() > 5 and len(open_ones) == 1 and "Study 1" in open_ones[0]
    closed = page.locator(".bd-sidebar-primary li.toctree-l0 > details:not([open]) > summary").first
    closed.focus()
    page.keyboard.press("Enter")
    assert parts.evaluate_all("all => all.filter((d) => d.open).length") == 2


@pytest.fixture
def folded(opened, site):
    """A page with a folded section, and the name of that section and of something in it."""
    for path in chapters(site):
        page = opened(f"_executed/{path.name}")
        names = page.evaluate(
            """() => [...document.querySelectorAll("section > details.folded-section")].map((fold) =>
            [fold.parentElement.id, (fold.querySelector("section[id], figure[id]") || {}).id]).find((n) => n[1])"""
        )
        if names:
            return f"_executed/{path.name}", names
    pytest.fail("no page has a folded section with something to link to")


def test_a_fold_is_closed_until_a_link_leads_there_or_into_it(opened, folded):
    name, anchors = folded
    fold = f"section[id='{anchors[0]}'] > details.folded-section"
    assert opened(name).locator(fold).get_attribute("open") is None
    for anchor in anchors:
        page = opened(name)
        page.evaluate("anchor => { location.hash = anchor; }", anchor)
        page.wait_for_selector(f"{fold}[open]")
    page = opened(name)
    page.locator(f"{fold} > summary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{fold}[open]")


def test_the_entrance_leads_to_the_first_page(opened):
    page = opened("index.html")
    page.wait_for_url("**/book/intro.html")
    assert page.url.endswith("/book/intro.html")


def test_the_page_is_printed_whole(opened):
    page = opened("_executed/ledger.html")
    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("() => document.querySelectorAll('.bd-article details:not([open])').length") == 0
    page.emulate_media(media="print")
    assert not page.locator(".bd-sidebar-primary").is_visible()
    page.evaluate("() => window.dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("() => document.querySelectorAll('.bd-article details[open]').length") == 0


def test_a_figure_on_a_phone_is_its_own_variant_and_not_cropped(opened, site):
    page = opened("_executed/study1-use.html", width=390)
    shown = page.locator(".bd-article picture > img")
    assert shown.count() > 0
    assert "/narrow/" in shown.first.evaluate("image => image.currentSrc")
    assert shown.first.evaluate("image => image.getBoundingClientRect().right <= window.innerWidth")
