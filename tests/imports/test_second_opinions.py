"""Whom to ask about imported models. Oracles: models that read their own state, or nothing."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from metacog.imports.kept import BEFORE
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, read_results
from metacog.imports.second_opinions import SecondOpinions
from metacog.imports.shown import OwnTrials
from metacog.measures.table import Options

ROLES = Columns(correct="correct", confidence="confidence", model="model", question_id="item", answer="said")
FEW = Options(n_resamples=50, n_permutations=50)


def table(n_models=6, n=200, *, reads_state=1.0):
    rng = np.random.default_rng(3)
    luck = rng.normal(size=(n_models, n))
    state = rng.normal(size=n) + luck
    sure = np.round(reads_state * state + 0.7 * rng.normal(size=state.shape), 1)
    wrong = rng.choice([" B", "b", "C "], size=state.shape)
    return pd.DataFrame(
        {
            "model": np.repeat([f"model {i}" for i in range(n_models)], n),
            "item": np.tile(np.arange(n), n_models),
            "correct": (state > 0).astype(int).ravel(),
            "confidence": sure.ravel(),
            "said": np.where(state > 0, "A", wrong).ravel(),
        }
    )


def imported(made, folder, roles=ROLES):
    path = folder / "answers.csv"
    made.to_csv(path, index=False)
    import_trials(path, folder / "out", Request(roles, options=FEW, replace=True), page=False)
    return OwnTrials(read_results(folder / "out")).second_opinions


def test_what_is_said_follows_what_confidence_reads_and_comes_back_from_the_folder(tmp_path):
    (tmp_path / "state").mkdir()
    (tmp_path / "nothing").mkdir()
    state = imported(table(), tmp_path / "state")
    nothing = imported(table(reads_state=0.0), tmp_path / "nothing")
    assert (
        "For 6 of 6 models, own confidence tells right answers from wrong ones better"
        in state.answer().source
    )
    assert (
        "For none of 6 models" in nothing.answer().source
        and "for 6, worse." in nothing.answer().source
        and "fewer than 1" in nothing.answer().source
    )
    assert (state.first["own"] > state.first["one"]).all()
    assert (state.first["own_and_four"] > state.first["four"]).all()
    assert set(state.ways["way"]) >= {
        "own confidence",
        "same answer of others",
        "same answer of the best others",
        "confidence of others",
        "all together",
    }
    assert "questions a model" in state.about().source
    assert (tmp_path / "state" / "out" / SecondOpinions.place / "table.csv").is_file()


def test_case_and_blanks_of_an_answer_do_not_matter(tmp_path):
    (tmp_path / "plain").mkdir()
    made = table()
    plain = made.assign(said=made["said"].str.strip().str.upper())
    pd.testing.assert_frame_equal(imported(made, tmp_path).ways, imported(plain, tmp_path / "plain").ways)


@pytest.mark.parametrize(
    ("made", "roles", "words"),
    [
        (table(2), ROLES, "they are of 2 models, and three are wanted"),
        (
            table(),
            Columns("correct", "confidence", "model", question_id="item"),
            "name that column with --answer",
        ),
        (table(), Columns("correct", "confidence", "model", answer="said"), "nothing says which questions"),
        (table().assign(item=lambda t: t.index), ROLES, "no model of another family answered"),
    ],
)
def test_why_nothing_is_said(tmp_path, made, roles, words):
    found = imported(made, tmp_path, roles)
    assert words in found.answer().source
    assert found.ways.empty and found.first.empty and not found.about().source


def test_an_import_of_before_says_so_and_an_earlier_result_goes(tmp_path):
    imported(table(), tmp_path)
    facts = tmp_path / "out" / "import.json"
    without = imported(table(2), tmp_path)
    assert without.result is None and not (tmp_path / "out" / SecondOpinions.place).exists()

    kept = json.loads(facts.read_text())
    del kept["second_opinions"]
    facts.write_text(json.dumps(kept))
    assert read_results(tmp_path / "out").second_opinions.why_not == BEFORE
