"""Boxes are headed by what was found or claimed, and answers stand apart."""

import re

import pytest

from metacog.report.show import LONG_TITLE, NOTHING_MORE, Prose, finding, headed, judgement, lead, spaced
from metacog.report.verdicts import Kind, Verdict
from metacog.report.views import Finding, Views
from metacog.studies.view import View, finding_boxes, verdict_box

LONG = "Confidence of the median model separates right from wrong better than others' correctness does"


def parts(box):
    return re.fullmatch(r":::\{admonition\} (.*)\n:class: (\w+)\n(.*)\n:::\n", box, re.S).groups()


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("One fell. Two rose.", "One fell", "Two rose."),
        ("Only one fell.", "Only one fell", ""),
        ("Is it luck? Most of it.", "Is it luck?", "Most of it."),
        ("At T = 0.7 the mean is .05. No more.", "At T = 0.7 the mean is .05", "No more."),
        ("Cacioli et al. 2026 find so. We too.", "Cacioli et al. 2026 find so", "We too."),
        ("So it is (p = .03. Holm) here. Then.", "So it is (p = .03. Holm) here", "Then."),
        ("**a. B** leads. Then c.", "**a. B** leads", "Then c."),
        ("The share is 0.2 [0.1,\n0.3]. More.", "The share is 0.2 [0.1, 0.3]", "More."),
        ("One fell\n\nTwo rose.", "One fell", "Two rose."),
        (
            f"{LONG}: in 3; in 4; {'in more ' * 20}. End.",
            f"{LONG}: in 3; in 4",
            f"In more {'in more ' * 19}. End.",
        ),
        (f"{LONG} {LONG}. End.", f"{LONG} {LONG}", "End."),
        (f"m: {LONG} {LONG}. End.", f"m: {LONG} {LONG}", "End."),
    ],
)
def test_a_text_is_headed_by_its_first_sentence_or_clause(text, title, rest):
    assert headed(text) == (title, rest)
    assert " ".join(title.split()) == title and (len(title) <= LONG_TITLE or title.endswith(LONG))


def test_a_finding_stands_in_the_title_and_its_outcome_sets_the_colour():
    assert parts(finding("One fell. Two rose.")) == ("One fell", "note", "Two rose.")
    assert parts(finding("One fell.", False)) == ("One fell", "warning", NOTHING_MORE)
    boxes = finding_boxes([Finding("Up. Far.", True, "Does it rise?"), Finding("Down. Far.")]).source
    assert boxes.count(":class: tip") == 1 and "} Up\n" in boxes and "} Down\n" in boxes


@pytest.mark.parametrize(
    ("passed", "state", "look"),
    [(True, "Supported", "tip"), (False, "Not supported", "warning"), (None, "Undecided", "note")],
)
def test_a_judgement_is_headed_by_its_claim_and_outcome(passed, state, look):
    assert parts(judgement("all rise", passed, "Two do.")) == (f"{state}: all rise", look, "Two do.")
    verdict = Verdict("H1", Kind.SOUND, "All models rise. By their limits.", passed, name="rise")
    views = Views("x", verdicts={"rise": lambda v: "Two of three do."})
    title, kind, text = parts(verdict_box(verdict, views))
    assert title == f"{state}: All models rise" and kind == look
    assert text == "**Sound counterpart.** Two of three do."


def test_a_claim_of_the_views_goes_before_the_rule():
    verdict = Verdict("H1", Kind.SOUND, "A long rule.", True, name="rise")
    views = Views(
        "x", verdicts={"rise": lambda v: "Two."}, claims={"rise": lambda v: f"{v.hypothesis} holds"}
    )
    assert parts(verdict_box(verdict, views))[0] == "Supported: H1 holds"


def test_what_judges_nothing_is_headed_by_what_was_found():
    def shown(kind, **claims):
        verdict = Verdict("H1", kind, "Upper limit below 1.", None, name="rise")
        views = Views(
            "x", verdicts={"rise": lambda v: "8 of 8 are reproduced. In 2 it is below 1."}, **claims
        )
        return parts(verdict_box(verdict, views))[0]

    assert shown(Kind.PUBLISHED) == shown(Kind.EXPLORATORY, claims={"rise": ""}) == "8 of 8 are reproduced"
    assert shown(Kind.EXPLORATORY) == "Undecided: Upper limit below 1"
    assert shown(Kind.PUBLISHED, claims={"rise": "limits agree"}) == "Undecided: limits agree"


def test_a_mark_does_not_stand_alone_below_a_title_that_says_it_all():
    verdict = Verdict("H1", Kind.EXPLORATORY, "A rule.", None, name="rise")
    views = Views("x", verdicts={"rise": lambda v: "All 8 are reproduced."}, claims={"rise": ""})
    assert parts(verdict_box(verdict, views)) == (
        "Exploratory: All 8 are reproduced",
        "note",
        NOTHING_MORE,
    )


def test_an_answer_follows_the_result():
    views = Views("x", sentences={"answer": lambda record: f"{record} of 3 rise."})
    assert View(2, views).answer().source == lead("2 of 3 rise.") != View(3, views).answer().source
    assert ":::{div} page-answer\n2 of 3 rise.\n" in View(2, views).answer().source


def test_percent_signs_stand_apart_but_in_code():
    text = "18% of 5 %, `f{x:.0%} 7%`\n```bash\n--share 30%\n```\nand 94.5%."
    assert spaced(text) == "18 % of 5 %, `f{x:.0%} 7%`\n```bash\n--share 30%\n```\nand 94.5 %."
    assert Prose("2%")._repr_markdown_() == "2 %"


def test_what_follows_a_clause_begins_with_a_capital():
    text = (
        "Of the 32 pairs of neighbours that were compared with one another here none differs: "
        + "the order " * 12
    )
    assert headed(text + "is open.")[1].startswith("The order the")
    assert headed(text.replace("the order", "meta-I2r") + "is open.")[1].startswith("meta-I2r")
