"""What backs the sentences that open pages: every page has its row, and rows say what their tables say."""

import ast
import math

import jupytext
import openings
import pandas as pd
import pytest

from metacog.core.paths import committed
from metacog.report.views import Views
from metacog.studies.chapters import declared
from metacog.studies.view import View
from metacog.verdicts.levels import OPENINGS, errs

TABLE = pd.read_csv(committed(OPENINGS), keep_default_na=False)
#: Pages whose rule errs more often than in one of twenty cases of its worst world, as they say.
KNOWN_TO_ERR = {"frontier-self-knowledge"}
#: Made by this benchmark itself, not read from another table.
HERE = "here"


def opened(source):
    """Study, analysis and sentence that a chapter opens with; None where it is no stored result."""
    code = "\n".join(cell.source for cell in jupytext.read(source).cells if cell.cell_type == "code")
    runs, results = {}, {}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            name, call = getattr(node.targets[0], "id", ""), node.value
            if getattr(call.func, "id", "") == "open_run":
                runs[name] = call.args[0].value
            elif getattr(call.func, "attr", "") == "result":
                results[name] = runs[call.func.value.id], call.args[0].value
    calls = [n for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Call) and opens(n)]
    first = min(calls, key=lambda n: n.lineno)
    if first.func.value.id not in results:
        return None
    given = {keyword.arg: keyword.value for keyword in first.keywords}
    rule = given.get("rule", first.args[0] if first.args else ast.Constant("answer"))
    return *results[first.func.value.id], rule.value


def opens(call):
    """Whether a call shows the sentence at the head of a page: one that is computed, or one that is written there."""
    how = getattr(call.func, "attr", "")
    return how == "answer" or (how == "says" and any(keyword.arg == "head" for keyword in call.keywords))


@pytest.mark.parametrize("chapter", declared(), ids=lambda c: c.name)
def test_it_is_said_of_every_page_what_backs_its_opening(chapter):
    found = opened(chapter.source)
    if found is None:  # trials of a reader's own, which no table can speak of
        assert chapter.name == "own-trials"
        return
    row = TABLE[TABLE["page"] == chapter.name]
    assert row[["study", "analysis", "sentence"]].to_numpy().tolist() == [list(found)]
    assert (
        row["backed"].isin([openings.COUNTED, openings.RECOMPUTED, openings.ABOUT, openings.SIMULATED]).all()
    )


def test_pages_are_those_that_there_are():
    assert set(TABLE["page"]) <= {chapter.name for chapter in declared()}


@pytest.mark.parametrize(
    "one", [o for o in openings.OPENINGS if o.rate and HERE not in o.source], ids=lambda o: o.page
)
def test_a_rate_is_that_of_its_table(one):
    row = TABLE[TABLE["page"] == one.page].iloc[0]
    assert (int(row["wrong"]), int(row["runs"])) == one.rate()
    if one.hits:
        assert (int(row["seen"]), int(row["of"]), row["so"]) == (*one.hits(), one.so)
        told = errs(*row[["study", "analysis", "sentence"]])
        assert told.endswith(f" Of {int(row['of']):,} {one.so} it found {int(row['seen']):,}.")


@pytest.mark.parametrize(
    "row", TABLE[TABLE["backed"] == openings.SIMULATED].to_dict("records"), ids=lambda r: r["page"]
)
def test_a_rule_errs_no_more_than_it_may_but_for_those_that_say_so(row):
    wrong, runs = int(row["wrong"]), int(row["runs"])
    assert runs >= 20
    within = wrong / runs <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / runs)
    assert within != (row["page"] in KNOWN_TO_ERR)


def test_a_page_says_how_often_its_rule_errs_below_its_answer():
    views = Views("use", sentences={"answer": lambda record: "Yes.", "unsure": lambda record: "Some."})
    told = errs("study1_qa", "use", "answer")
    assert told.startswith("Could the rule be fooled? ") and "10,000 made-up models" in told
    assert told in View(1, views, study="study1_qa").answer(note="unsure").source
    assert "The rule behind" not in View(1, views).answer().source
    assert errs("shared", "ledger", "answer") == errs("no study", "use", "answer") == ""
