"""Claims are first sentences, and answers stand apart."""

import pytest

from metacog.report.show import LONG_TITLE, Prose, first_sentence, lead, spaced
from metacog.report.views import Views
from metacog.studies.view import View

LONG = "Confidence of the median model separates right from wrong better than others' correctness does"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("One fell. Two rose.", "One fell"),
        ("Only one fell.", "Only one fell"),
        ("Is it luck? Most of it.", "Is it luck?"),
        ("At T = 0.7 the mean is .05. No more.", "At T = 0.7 the mean is .05"),
        ("Cacioli et al. 2026 find so. We too.", "Cacioli et al. 2026 find so"),
        ("So it is (p = .03. Holm) here. Then.", "So it is (p = .03. Holm) here"),
        ("**a. B** leads. Then c.", "**a. B** leads"),
        ("The share is 0.2 [0.1,\n0.3]. More.", "The share is 0.2 [0.1, 0.3]"),
        ("One fell\n\nTwo rose.", "One fell"),
        (f"{LONG}: in 3; in 4; {'in more ' * 20}. End.", f"{LONG}: in 3; in 4"),
        (f"{LONG} {LONG}. End.", f"{LONG} {LONG}"),
        (f"m: {LONG} {LONG}. End.", f"m: {LONG} {LONG}"),
    ],
)
def test_of_a_text_its_first_sentence_or_clause_is_taken(text, title):
    assert first_sentence(text) == title
    assert " ".join(title.split()) == title and (len(title) <= LONG_TITLE or title.endswith(LONG))


def test_an_answer_follows_the_result():
    views = Views("x", sentences={"answer": lambda record: f"{record} of 3 rise."})
    assert View(2, views).answer().source == lead("2 of 3 rise.") != View(3, views).answer().source
    assert ":::{div} page-answer\n2 of 3 rise.\n" in View(2, views).answer().source
    other = View(2, views).answer(note=View(3, views).text("answer")).source
    assert other == lead("2 of 3 rise.", "3 of 3 rise.")


def test_percent_signs_stand_apart_but_in_code():
    text = "18% of 5 %, `f{x:.0%} 7%`\n```bash\n--share 30%\n```\nand 94.5%."
    assert spaced(text) == "18 % of 5 %, `f{x:.0%} 7%`\n```bash\n--share 30%\n```\nand 94.5 %."
    assert Prose("2%")._repr_markdown_() == "2 %"
