"""What is left of confidence beyond a control, for simulated answerers of whom it is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from surface_observers import BOTH, STATE_IN_BOTH, STATE_ONLY, SURFACE_ONLY, WORDS, Observer

from metacog.measures.beyond_controls import COLUMNS, NO_SHARE, beyond_controls
from metacog.measures.panel import CONSTANT, FEW
from metacog.sdt import InputError, auroc2

FEWER = {"n_resamples": 100, "n_permutations": 100}


def signals(trials: pd.DataFrame) -> dict[str, np.ndarray]:
    characters = trials["answer"].str.len().to_numpy(float)
    return {
        "length": np.stack([trials["n_tokens"].to_numpy(float), characters], axis=1),
        "rarity": WORDS.rarest(trials["answer"]),
    }


def left(observer: Observer, n: int, seed: int, **options) -> pd.Series:
    trials = observer.trials(n, seed)
    made = beyond_controls(
        trials["correct"],
        trials["nlp"],
        signals(trials),
        {"surface": ("length", "rarity")},
        **{**FEWER, **options},
    )
    assert tuple(made.columns) == COLUMNS
    return made.iloc[0]


@pytest.mark.parametrize("n", [328, 1304])
def test_a_reader_of_the_surface_keeps_nothing(n: int) -> None:
    row = left(SURFACE_ONLY, n, 1)
    assert row["auroc2_lower"] > 0.6 and row["alone_lower"] > 0.6
    assert row["alike_lower"] < 0.5 < row["alike_upper"] and row["p_value"] > 0.01
    assert row["share_lower"] < 0 < row["share_upper"] < 0.5 and row["remaining_p"] > 0.01
    assert row["within"] > row["alike"]  # answers of one stratum still differ


def test_one_that_has_nothing_to_do_with_the_surface_keeps_all() -> None:
    row = left(STATE_ONLY, 1304, 2)
    assert row["alone"] == pytest.approx(0.5, abs=0.05)
    assert row["alike"] == pytest.approx(row["auroc2"], abs=0.02)
    assert row["share"] == pytest.approx(1, abs=0.1) and row["share_lower"] > 0.5
    assert row["p_value"] == row["remaining_p"] == 1 / 101


def test_confidence_apart_from_the_surface_keeps_all_where_answers_rest_on_both() -> None:
    row = left(STATE_IN_BOTH, 1304, 3)
    assert row["alone_lower"] > 0.65
    assert row["alike"] > row["auroc2"] - 0.01 and row["share_lower"] > 0.7


def test_a_reader_of_both_keeps_a_part() -> None:
    row = left(BOTH, 1304, 4)
    assert 0.5 < row["alike_lower"] and row["alike_upper"] < row["auroc2"]
    assert 0 < row["share_lower"] and row["share_upper"] < 0.9
    assert row["meta_i2r_left"] == pytest.approx(row["remaining"] / row["entropy"])
    assert row["meta_i2r_left_lower"] == pytest.approx(row["remaining_lower"] / row["entropy"])


def truth_alike(observer: Observer, n: int = 40_000) -> float:
    """AUROC2 among answers of one and the same surface, weighed by pairs."""
    trials = observer.trials(n, 99)
    cells = trials.groupby([trials["n_tokens"], WORDS.rarest(trials["answer"])])
    won = pairs = 0.0
    for _, own in cells:
        right = int(own["correct"].sum())
        if 0 < right < len(own):
            won += auroc2(own["correct"], own["nlp"]) * right * (len(own) - right)
            pairs += right * (len(own) - right)
    return won / pairs


@pytest.mark.parametrize(
    ("observer", "most"), [(SURFACE_ONLY, 0.01), (STATE_ONLY, 0.01), (STATE_IN_BOTH, 0.012), (BOTH, 0.02)]
)
def test_the_bias_at_the_size_of_the_default_run_is_what_the_docstring_says(
    observer: Observer, most: float
) -> None:
    runs = pd.DataFrame([left(observer, 328, 100 + seed, n_permutations=2) for seed in range(40)])
    truth = 0.5 if observer is SURFACE_ONLY else truth_alike(observer)
    error = runs["alike"].std() / np.sqrt(len(runs))
    assert abs(runs["alike"].mean() - truth) < most + 2 * error
    covered = (runs["alike_lower"] < truth) & (truth < runs["alike_upper"])
    assert covered.mean() > 0.87
    if observer in (SURFACE_ONLY, STATE_ONLY):
        kept = 0.0 if observer is SURFACE_ONLY else 1.0
        spread = runs["share"].std() / np.sqrt(len(runs))
        assert abs(runs["share"].mean() - kept) < 0.05 + 2 * spread


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
    assert left(nothing, 328, 6)["flag"] == NO_SHARE


def test_bad_input_is_refused() -> None:
    trials = STATE_ONLY.trials(60, 5)
    right, sure, known = trials["correct"], trials["nlp"], signals(trials)
    with pytest.raises(InputError, match="there is no shape"):
        beyond_controls(right, sure, known, {"a": ("shape",)})
    with pytest.raises(InputError, match="needs signals"):
        beyond_controls(right, sure, known, {"a": ()})
    with pytest.raises(InputError, match="at least two strata"):
        beyond_controls(right, sure, known, {"a": ("rarity",)}, n_strata=1)
    with pytest.raises(InputError, match="between 0 and 1"):
        beyond_controls(right, sure, known, {"a": ("rarity",)}, level=1.0)
    with pytest.raises(InputError, match="holds NaN"):
        beyond_controls(right, sure, {"rarity": np.full(60, np.nan)}, {"a": ("rarity",)})
