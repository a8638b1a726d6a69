"""What papers found and what of them is here. Oracles: a ledger of a few rows by hand, and the project's own files."""

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import published_file
from metacog.report.tables import table
from metacog.studies import get_study
from metacog.studies.chapters import declared
from metacog.studies.pages import linked, links_to
from metacog.studies.shared import coverage, findings

NAN = float("nan")
ROWS = pd.DataFrame(
    [
        ("study 1", "text", "the order", "rho", "1", 0.8, NAN, NAN, "differs", "recounted"),
        ("study 1", "text", "the slope", "slope", "0.81", 0.8124, NAN, NAN, "repeat", "estimated again"),
        ("study 1", "table", "a model", "m_ratio", "0.85", NAN, NAN, NAN, "needs data", ""),
        ("study 1", "table", "a model", "auroc2", "0.70", NAN, 0.69, 0.72, "bounded", "recounted"),
        ("study 1", "table", "a model", "d_prime", "0.95", 0.9459, NAN, NAN, "input", "estimated again"),
        ("study 3", "text", "the order", "comparisons", "6", 6.0, NAN, NAN, "match", "print against itself"),
        ("study 3", "text", "the mean", "mean", "0.5", 0.5, NAN, NAN, "match", "recounted"),
    ],
    columns=[
        *("study", "table", "item", "quantity", "published", "reproduced", "low", "high", "status", "kind"),
    ],
)


def told(study, **keys):
    """How a finding of these keys is told."""
    line = {
        "study": study,
        "where": "w",
        "finding": "f",
        "table": "",
        "item": "",
        "quantity": "",
        "page": "ledger",
    }
    return findings.found(pd.DataFrame([line | keys]), ROWS).iloc[0]


@pytest.mark.parametrize(
    ("keys", "outcome"),
    [
        ({"item": "the order"}, "not found again"),
        ({"table": "text"}, "in part"),
        ({"quantity": "slope"}, "found again"),
        ({"quantity": "slope|m_ratio"}, "found again as far as can be told"),
        ({"quantity": "m_ratio"}, "waits for data"),
        ({"quantity": "auroc2"}, "not ruled out"),
        ({"quantity": "d_prime|m_ratio"}, "no test: counts were solved from it"),
    ],
)
def test_what_becomes_of_a_finding_follows_from_all_its_rows(keys, outcome):
    assert told("study 1", **keys)["outcome"] == outcome


def test_print_that_agrees_with_print_is_told_as_that():
    assert told("study 3", item="the order")["outcome"] == "agrees with other print"
    assert told("study 3")["outcome"] == "found again"


def test_one_figure_is_shown_and_several_are_counted():
    one, two = told("study 1", item="the order"), told("study 1", quantity="slope|m_ratio")
    assert (one["printed"], one["recomputed"]) == ("1", "0.80")
    assert told("study 1", quantity="auroc2")["recomputed"] == "0.6900 to 0.7200"
    assert (two["printed"], two["recomputed"]) == ("2 figures", "1 agree, 1 wait for data")


def test_a_finding_without_a_row_is_an_error_and_a_study_without_a_ledger_is_passed_over():
    with pytest.raises(MetacogError, match=r"findings\.csv: the ledger has no row for 'f'"):
        told("study 1", item="order")
    line = {name: "" for name in ("where", "finding", "table", "item", "quantity", "page")} | {
        "study": "study 9"
    }
    assert list(findings.found(pd.DataFrame([line]), ROWS)) == list(findings.COLUMNS)


def test_outcomes_are_counted_in_a_sentence():
    rows = pd.DataFrame(
        {"study": "study 1", "outcome": ["found again", "found again", "in part", "waits for data"]}
    )
    said = findings.VIEWS.sentences["study 1"](type("R", (), {"findings": rows}))
    assert said.startswith(
        "Of the 4 findings below\n\n- 2 are found again\n- 1 in part\n- 1 cannot be put to a test"
    )


def test_every_finding_names_a_chapter_and_patterns_that_can_be_read():
    lines = pd.read_csv(published_file(findings.FILE), dtype=str, keep_default_na=False)
    assert lines["study"].value_counts().between(10, 30).all() and lines["study"].nunique() == 5
    assert set(lines["page"]) <= {chapter.name for chapter in declared()}
    assert lines["finding"].is_unique and (lines["finding"].str.split().str.len() <= 25).all()


def test_every_place_of_the_coverage_exists_and_what_is_lacking_is_said():
    """A second reading by machine: chapters, pages, commands and files are there (a wrong one raises)."""
    rows = pd.read_csv(published_file(coverage.FILE), dtype=str, keep_default_na=False)
    assert set(rows["status"]) == set(coverage.LEVELS) and rows["study"].nunique() == 5
    assert linked(rows, "place")["place"].str.len().gt(0).eq(rows["status"] != "absent").all()
    assert rows["reason"].ne("").eq(rows["status"] != "full").all()
    assert set(rows["kind"]) == {"procedure", "measure", "hypothesis", "check", "figure", "table", "claim"}
    assert not rows.duplicated(["study", "section", "what"]).any()


def test_pages_become_links_and_what_is_no_page_an_error():
    assert links_to("model-page") == "each model's page"
    link = links_to("study1-hypotheses; book/glossary; metacog ledger; config/prompts.yaml")
    assert link.startswith(
        "[Four hypotheses, and the choices they rest on](study1-hypotheses.html); [Glossary]"
    )
    assert "(study1-hypotheses.html); [" in link and "](../book/glossary.html); metacog ledger" in link
    shown = table(pd.DataFrame({"place": [link]}), caption="C.")._repr_html_()
    assert '<a href="study1-hypotheses.html">' in shown and '<a href="../book/glossary.html">' in shown
    with pytest.raises(MetacogError, match="'study1-nothing' is no chapter"):
        links_to("study1-nothing")


def test_the_coverage_is_counted():
    made = get_study("shared").analysis("coverage")(None)
    studies = made["studies"]
    assert studies[["full", "partial", "absent"]].sum(axis=1).eq(studies["n"]).all()
    assert studies["n"].sum() == len(made["rows"]) == made["kinds"]["n"].sum()
    share = 100 * (made["rows"]["status"] == "full").mean()
    assert coverage.figures(type("R", (), made))["full"] == pytest.approx(share)
