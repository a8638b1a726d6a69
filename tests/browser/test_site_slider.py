"""The slider of thresholds in a browser. Oracle: the rows that the page holds, which are those of the result."""

import json

import pytest


@pytest.fixture
def slider(opened):
    page = opened("_executed/study1-use.html")
    box = page.locator(".book-slider")
    rows = json.loads(box.locator("script[type='application/json']").text_content())
    return page, box, rows


def shown(box, name):
    return box.locator(f"tr[data-value='{name}'] td").all_inner_texts()


def said(share):
    return "-" if share is None else f"{share} %"


def expected(rows, group, name, place):
    share, low, high, chosen = rows["groups"][group]["at"][name][place]
    return [said(chosen), said(share), "-" if share is None else f"{low} to {high} %"]


def test_it_shows_the_rows_of_the_threshold_that_is_chosen_by_key_or_by_hand(slider):
    page, box, rows = slider
    start, last = rows["groups"][0]["start"], len(rows["groups"][0]["along"]) - 1
    place = box.locator("input[type=range]")
    for name in rows["values"]:
        assert shown(box, name) == expected(rows, 0, name, start)
    place.focus()
    page.keyboard.press("End")
    assert [shown(box, name) for name in rows["values"]] == [
        expected(rows, 0, name, last) for name in rows["values"]
    ]
    for step in (0, 1, last // 2):
        place.fill(str(step))
        assert shown(box, "answered") == expected(rows, 0, "answered", step)
        assert box.locator("output").inner_text() == f"{rows['groups'][0]['along'][step]:.2f}"
    box.locator("button").click()
    assert place.input_value() == str(rows["groups"][0]["picked"]) and box.locator("button").is_disabled()
    assert rows["groups"][0]["along"][start] == 0.9


def test_it_tells_those_who_listen_and_changes_with_the_model(slider, axe):
    page, box, rows = slider
    box.locator("input[type=range]").fill("3")
    page.wait_for_function("() => /^At 0.03: /.test(document.querySelector('.slider-status').textContent)")
    groups = rows["groups"]
    box.locator("select").select_option(str(len(groups) - 1))
    assert shown(box, "caught") == expected(rows, len(groups) - 1, "caught", groups[-1]["start"])
    assert axe(page, ".book-slider") == []


def test_without_its_script_the_page_shows_the_threshold_it_begins_with(browser, site):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "_executed/study1-use.html").as_uri())
    assert "%" in page.locator("tr[data-value='answered'] b").inner_text()
    assert not page.locator(".slider-controls").is_visible()
    context.close()
