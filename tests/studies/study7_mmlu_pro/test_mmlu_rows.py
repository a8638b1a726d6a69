"""Rows of 83 models on MMLU-Pro: the committed table, families, and bad tables."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table
from metacog.core.paths import project_root
from metacog.studies.study7_mmlu_pro import rows


@pytest.fixture(scope="module")
def loaded():
    return rows.load()


def test_grid_holds_what_the_table_says(loaded):
    table = pd.read_parquet(project_root() / rows.TABLE)
    some = table.sample(500, random_state=1)
    names = list(loaded.models["model"])
    for row in some.itertuples():
        place = (names.index(row.model), row.item)
        letter = loaded.answer[place]
        assert (rows.LETTERS[letter] if letter >= 0 else None) == (
            row.answer if isinstance(row.answer, str) else None
        )
        np.testing.assert_equal(loaded.signals[rows.TONE][place], np.float64(row.hedging))
        assert loaded.n_tokens[place] == row.n_tokens
    keys = committed_table(rows.ITEMS).set_index("item")["key"]
    right = table["answer"].astype(object) == table["item"].map(keys)
    assert loaded.right.sum() == right.sum()


def test_variants_of_the_same_weights_are_never_others(loaded):
    items = loaded.model_items()
    weights = dict(zip(loaded.models["model"], loaded.models["weights"], strict=True))
    assert loaded.models["weights"].duplicated().sum() >= 15, "variants of the same weights are in the table"
    for name in items.models:
        others = {items.models[i] for i in items.others(name)}
        assert weights[name] not in {weights[other] for other in others}, name


def test_families_are_makers_with_reasons(loaded):
    models = loaded.models
    assert (models["reason"] != "").all()
    assert models.groupby("weights")["family"].nunique().max() == 1
    own = models.set_index("model")["family"]
    assert own["o3-mini-2025-01-31"] == own["gpt-4.1"]
    bases = models[models["made_from"] != ""]
    assert bases["made_from"].isin(models["model"]).all()
    assert (bases["made_from"].map(own).to_numpy() == bases["family"].to_numpy()).all()


@pytest.mark.parametrize("signal", rows.SIGNALS)
def test_values_outside_the_scale_are_missing(loaded, signal):
    values = loaded.usable(signal)
    outside = (loaded.signals[signal] < 0) | (loaded.signals[signal] > 1)
    assert np.isnan(values[outside]).all()
    assert np.nanmin(values) >= 0 and np.nanmax(values) <= 1
    left_out, as_wrong = (loaded.model_items(signal, unanswered=u) for u in ("left out", "wrong"))
    lacking = loaded.answer[[list(loaded.models["model"]).index(m) for m in left_out.models]] < 0
    assert not left_out.answered[lacking].any()
    assert (as_wrong.right[as_wrong.answered & lacking] == 0).all()
    assert np.array_equal(as_wrong.answered & ~lacking, left_out.answered)


def test_models_without_token_probabilities_are_left_out(loaded):
    lacking = set(loaded.models["model"]) - set(loaded.model_items(rows.TOKENS).models)
    assert "o3-mini-2025-01-31" in lacking and "gpt-4.1" not in lacking


def small():
    items = pd.DataFrame({"item": [0, 1], "category": "law", "key": ["A", "B"]})
    families = pd.DataFrame({"model": ["a", "b"], "family": ["A", "B"]})
    table = pd.DataFrame(
        {"model": ["a", "a", "b", "b"], "item": [0, 1, 1, 0], "answer": ["A", None, "B", "C"], "n_tokens": 1}
    ).assign(**dict.fromkeys(rows.SIGNALS, 0.5))
    return table, items, families


def test_order_of_rows_is_nothing():
    table, items, families = small()
    made = rows.read(table, items, families)
    assert made.right.tolist() == [[True, False], [False, True]]
    assert made.answer.tolist() == [[0, -1], [2, 1]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda t, i, f: (t.iloc[1:], i, f), "one row of each model and item"),
        (lambda t, i, f: (t.assign(item=0), i, f), "one row of each model and item"),
        (lambda t, i, f: (t.assign(item=7), i, f), "one row of each model and item"),
        (lambda t, i, f: (t, i, f.iloc[:1]), "lacks b"),
        (lambda t, i, f: (t.assign(answer="Z"), i, f), "no letter from A to J"),
    ],
)
def test_broken_tables_are_refused(change, says):
    with pytest.raises(MetacogError, match=says):
        rows.read(*change(*small()))


def test_unknown_signal_is_refused(loaded):
    with pytest.raises(ValueError, match="no signal 'mood'"):
        loaded.model_items("mood")
