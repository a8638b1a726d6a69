"""What is left of confidence beyond a control, for simulated answerers of whom it is known."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.measures.model_items import CONSTANT, FEW
from metacog.sdt import InputError, auroc2
from metacog.studies.study1_qa.beyond_controls import COLUMNS, NO_SHARE, beyond_controls

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "benchmarks"))
from surface_controls import (
    BOTH,
    OBSERVERS,
    OUT,
    SIZES,
    STATE_IN_BOTH,
    STATE_ONLY,
    SURFACE_ONLY,
    WORDS,
    Observer,
    left,
    signals,
)

FEWER = {"n_resamples": 100, "n_permutations": 100}


@pytest.mark.parametrize("n", [328, 1304])
def test_a_reader_of_the_surface_keeps_nothing(n: int) -> None:
    row = left(SURFACE_ONLY, n, 1, **FEWER)
    assert tuple(row.index) == COLUMNS
    assert row["auroc2_lower"] > 0.6 and row["alone_lower"] > 0.6
    assert row["alike_lower"] < 0.5 < row["alike_upper"] and row["p_value"] > 0.01
    assert row["share_lower"] < 0 < row["share_upper"] < 0.5 and row["remaining_p"] > 0.01
    assert row["within"] > row["alike"]  # answers of one stratum still differ in the surface


def test_one_that_has_nothing_to_do_with_the_surface_keeps_all() -> None:
    row = left(STATE_ONLY, 1304, 2, **FEWER)
    assert row["alone"] == pytest.approx(0.5, abs=0.05)
    assert row["alike"] == pytest.approx(row["auroc2"], abs=0.02)
    assert row["share"] == pytest.approx(1, abs=0.1) and row["share_lower"] > 0.5
    assert row["p_value"] == row["remaining_p"] == 1 / 101


def test_confidence_apart_from_the_surface_keeps_all_where_answers_rest_on_both() -> None:
    row = left(STATE_IN_BOTH, 1304, 3, **FEWER)
    assert row["alone_lower"] > 0.65
    assert row["alike"] > row["auroc2"] - 0.01 and row["share_lower"] > 0.7


def test_a_reader_of_both_keeps_a_part() -> None:
    row = left(BOTH, 1304, 4, **FEWER)
    assert 0.5 < row["alike_lower"] and row["alike_upper"] < row["auroc2"]
    assert 0 < row["share_lower"] and row["share_upper"] < 0.9


def test_truths_by_quadrature_are_those_of_many_answers() -> None:
    trials = BOTH.trials(60_000, 99)
    won = pairs = 0.0
    for _, own in trials.groupby([trials["n_tokens"], WORDS.rarest(trials["answer"])]):
        right = int(own["correct"].sum())
        if 0 < right < len(own):
            won += auroc2(own["correct"], own["nlp"]) * right * (len(own) - right)
            pairs += right * (len(own) - right)
    assert BOTH.truth["alike"] == pytest.approx(won / pairs, abs=0.01)
    assert SURFACE_ONLY.truth == pytest.approx({"alike": 0.5, "share": 0.0}, abs=1e-6)
    assert STATE_ONLY.truth["share"] == pytest.approx(1.0, abs=1e-6) and STATE_IN_BOTH.truth["share"] > 0.9


def test_bias_and_coverage_are_what_the_docstring_says() -> None:
    table = pd.read_csv(OUT)
    assert set(table["design"]) == set(OBSERVERS) and set(table["n"]) == set(SIZES)
    for row in table.itertuples():
        assert row.truth == pytest.approx(OBSERVERS[row.design].truth[row.quantity], abs=1e-4)
    alike, share = (table[table["quantity"] == q].set_index("design") for q in ("alike", "share"))
    for n, most_alike, most_share in ((328, 0.007, 0.033), (1304, 0.005, 0.007)):
        assert -most_alike < alike.loc[alike["n"] == n, "bias"].min()
        assert alike.loc[alike["n"] == n, "bias"].max() < 0
        assert share.loc[share["n"] == n, "bias"].abs().max() < most_share
    assert alike["coverage"].between(0.945, 0.985).all() and share["coverage"].between(0.91, 1).all()
    nothing = table[table["design"] == "reads the surface alone"]
    assert nothing["rejected"].between(0.015, 0.045).all()


@pytest.mark.parametrize("name", OBSERVERS)
def test_some_runs_of_the_table_come_out_again(name: str) -> None:
    observer = OBSERVERS[name]
    runs = pd.DataFrame([left(observer, 328, seed, **FEWER) for seed in range(12)])
    kept = pd.read_csv(OUT).query("design == @name and n == 328 and quantity == 'alike'").iloc[0]
    error = kept["sd"] / np.sqrt(12)
    assert runs["alike"].mean() == pytest.approx(kept["truth"] + kept["bias"], abs=3 * error)


def test_what_cannot_be_estimated_is_said() -> None:
    trials = STATE_ONLY.trials(60, 5)
    known, controls = signals(trials), {"surface": ("length", "rarity"), "rarity": ("rarity",)}
    right = np.arange(60) < 5
    few = beyond_controls(right, trials["nlp"], known, controls, **FEWER)
    assert list(few["flag"]) == [FEW, FEW] and few["alike"].isna().all() and list(few["n_wrong"]) == [55, 55]
    flat = beyond_controls(trials["correct"], np.zeros(60), known, controls, **FEWER)
    assert list(flat["flag"]) == [CONSTANT, CONSTANT]
    right = np.arange(60) % 4 == 0
    some = beyond_controls(right, trials["nlp"], known, controls, **FEWER).iloc[0]
    assert some["alike"] == some["alike"] and np.isnan(some["share"]) and "15 answers" in some["flag"]
    nothing = Observer(knows=0.0, surface=0.0, reads_state=1.0)
    assert left(nothing, 328, 6, **FEWER)["flag"] == NO_SHARE


def test_bad_input_is_refused() -> None:
    trials = STATE_ONLY.trials(60, 5)
    right, sure, known = trials["correct"], trials["nlp"], signals(trials)
    with pytest.raises(InputError, match="no signal shape"):
        beyond_controls(right, sure, known, {"a": ("shape",)})
    with pytest.raises(InputError, match="at least one signal"):
        beyond_controls(right, sure, known, {"a": ()})
    with pytest.raises(InputError, match="at least two resamples"):
        beyond_controls(right, sure, known, {"a": ("rarity",)}, n_resamples=1)
    with pytest.raises(InputError, match="holds NaN"):
        beyond_controls(right, sure, {"rarity": np.full(60, np.nan)}, {"a": ("rarity",)})
