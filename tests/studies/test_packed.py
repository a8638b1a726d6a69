"""What packs still answer, on every page that shows another run. Oracle: the workflow's own list of inputs."""

import dataclasses
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from metacog.book.finish import finish
from metacog.book.plan import workflow
from metacog.collect.jobs import targets
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study, packed
from metacog.studies.packed import OPENING, answered, collections_read, sentence, words_of

FLOW = workflow("default")
REFERENCE = load_profile("reference")


def rests_on_packs(page):
    """Whether a page's results go back to trials of another profile's run, by the inputs of the workflow's steps."""
    todo, done = list(FLOW.results(page)), set()
    while todo:
        target = todo.pop()
        if target not in done:
            done.add(target)
            todo += FLOW.steps[target].inputs if target in FLOW.steps else ()
    return any(re.match(rf"results/{REFERENCE.name}/\w+/trials/", one) for one in done)


def text_of(page):
    cells = [new_code_cell("n = 1", metadata={"tags": ["parameters"]})]
    made = finish(new_notebook(cells=cells), page.chapter.source, page.name, page.parameters, FLOW.profile)
    nbformat.validate(made)
    return "\n".join(cell.source for cell in made.cells)


@pytest.mark.parametrize("page", FLOW.pages, ids=lambda page: page.name)
def test_a_page_says_how_much_the_packs_answer_where_it_shows_their_run(page):
    assert text_of(page).count(OPENING) == rests_on_packs(page)


def test_pages_of_both_kinds_are_among_them():
    shown = {page.name: rests_on_packs(page) for page in FLOW.pages}
    assert shown["study1-hypotheses"] and shown["study1-correction"] and shown["study4-replication"]
    assert not shown["model-page-smollm2-135m"] and not shown["rater-precision"]


def test_a_profile_says_nothing_of_its_own_run():
    page = next(page for page in workflow("reference").pages if page.name == "study1-collection")
    read = collections_read(page.chapter.uses(), [REFERENCE])
    assert [(study.name, run.name, name) for study, run, name in read] == [("study1_qa", "reference", "open")]
    assert answered(read, REFERENCE) == []


@pytest.fixture
def probe(tmp_path, monkeypatch):
    """``probe(n)``: what packs answer where study 4 asks ``n`` items of each task, read from the pack."""
    study = get_study("study4_probe")

    def made(**changes):
        settings = {**REFERENCE.studies[study.name], **changes}
        run = dataclasses.replace(REFERENCE, studies={study.name: settings})
        (target,) = targets(study, run, models=run.models[:1], runs=tmp_path / "runs", packed=True)
        table = tmp_path / "trials.parquet"
        target.write(table)
        monkeypatch.setattr(packed, "trial_files", lambda *_: [table])
        return answered([(study, run, "probe")], FLOW.profile)

    return made


def test_the_counts_come_from_the_footer_of_the_table(probe):
    """Oracle: all items are asked as they were, or two of each of five tasks; resamples are asked of two tasks."""
    (whole,) = probe()
    assert whole.startswith("all 78 items")
    (some,) = probe(items_per_task=2)
    assert some.startswith("all 10 items")
    (others,) = probe(resampled=["T1_CC"], items_per_task=2)  # T4_CR is asked once: another request
    assert others.startswith("8 of the 10 items") and others.endswith(
        "(2 are left out: 2 were asked in another way)"
    )
    assert "8 of" in sentence([others])


def test_packs_that_answer_nothing_any_more_are_an_error_that_says_so(probe):
    with pytest.raises(MetacogError, match=r"78 of 78 items were asked in another way"):
        probe(examples=False)


def test_a_sentence_counts_what_is_left_out_and_why():
    whole = {"items": 1304, "otherwise": 0, "unasked": 0}
    lacking = words_of("study9", "reference", "Nine", [whole, {"items": 0, "otherwise": 4, "unasked": 300}])
    for count in ("1,000 of the 1,304", "304 are left out", "4 were asked", "300 have no reply"):
        assert count in lacking
    assert "all 1,304" in words_of("study9", "reference", "Nine", [whole])
    assert "--study study9" in words_of("study9", "reference", "Nine", [whole, None])
    assert sentence([]) == ""


def test_a_table_that_is_missing_or_says_nothing_is_not_counted_as_whole(tmp_path, monkeypatch):
    import pandas as pd

    study = get_study("study4_probe")
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "old.parquet")
    for name in ("old", "missing"):
        monkeypatch.setattr(packed, "trial_files", lambda *_, name=name: [tmp_path / f"{name}.parquet"])
        (found,) = answered([(study, REFERENCE, "probe")], FLOW.profile)
        assert found.startswith("an unknown number of")
