"""The browser of trials. Oracle: the data that the page reads."""

import json
import re

import pytest

PAGE = "_executed/trials.html"


@pytest.fixture
def data(site):
    text = (site / "_static/trials-data.js").read_text(encoding="utf-8")
    return json.loads(re.fullmatch(r"window\.METACOG_TRIALS = (.*);\n", text)[1])


def rows(page):
    return page.locator(".trials-list > li")


def status(page):
    return page.locator(".trials-status").inner_text()


def test_a_page_of_them_is_shown_at_a_time_and_filters_live_in_the_address(opened, data):
    page = opened(PAGE)
    n = sum(len(group["q"]) for group in data["groups"])
    assert rows(page).count() == min(15, n) and f"of {n:,} trials" in status(page)
    page.locator("select[name=mark]").select_option("wrong")
    wrong = sum(group["r"].count("0") for group in data["groups"])
    assert status(page).startswith(f"{wrong:,} of") and page.url.endswith("#mark=wrong")
    assert page.locator(".trials-list > li.right").count() == 0
    page.locator("select[name=sure]").select_option("1")
    both = sum(
        mark == "0" and sure == "1" for g in data["groups"] for mark, sure in zip(g["r"], g["s"], strict=True)
    )
    assert status(page).startswith(f"{both:,} of")
    again = opened(PAGE)
    again.evaluate("hash => { location.hash = hash; }", page.url.partition("#")[2])
    again.wait_for_function(
        "n => document.querySelector('.trials-status').textContent.startsWith(n)", arg=f"{both:,} of"
    )
    assert again.locator("select[name=mark]").input_value() == "wrong"


def test_words_are_found_and_pages_turn(opened, data):
    page = opened(PAGE)
    word = re.findall(r"[a-z]{5,}", data["questions"][0][0].lower())[0]
    page.locator("input[name=text]").fill(word)
    assert all(word in one.inner_text().lower() for one in rows(page).all())
    page.locator("input[name=text]").fill("no such word anywhere")
    assert status(page).startswith("0 of")
    page.locator("input[name=text]").fill("")
    first = rows(page).first.get_attribute("data-address")
    page.get_by_role("button", name="Later").click()
    assert rows(page).first.get_attribute("data-address") != first and "page 2 of" in status(page)


def test_an_address_opens_and_marks_its_trial(opened, data, axe):
    group = data["groups"][-1]
    end = group["p"] if isinstance(group["p"], str) else group["p"][-1]
    address = "~".join((group["start"], data["questions"][group["q"][-1]][2], group["temperature"], end))
    page = opened(PAGE)
    page.evaluate("t => { location.hash = 't=' + encodeURIComponent(t); }", address)
    marked = page.locator(".trials-list > li[aria-current]")
    marked.wait_for()
    assert marked.get_attribute("data-address") == address and marked.is_visible()
    assert axe(page, "#trials-browser") == []
