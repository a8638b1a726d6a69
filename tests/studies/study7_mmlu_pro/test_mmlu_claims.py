"""Effects of the page of claims, computed again in plain numpy from the committed files, on all models and items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from few_models import area

from metacog.core.paths import project_root
from metacog.studies.study7_mmlu_pro.claims import of_signal, thought
from metacog.studies.study7_mmlu_pro.rows import STATED, counted, load
from metacog.studies.study7_mmlu_pro.thinking import THINKING, series_of


def family_mean(values: dict[str, float]) -> float:
    """Mean over families of means over weights of means over runs."""
    table = load().models.set_index("model").loc[list(values)].assign(value=pd.Series(values))
    return table.groupby(["family", "weights"])["value"].mean().groupby("family").mean().mean()


def test_two_effects_are_those_of_plain_numpy() -> None:
    folder = project_root() / "data" / "mmlu_pro"
    table = pd.read_parquet(folder / "answers.parquet").merge(pd.read_csv(folder / "items.csv"), on="item")
    table = table[
        table["answer"].notna() & table["stated"].between(0, 1) & table["model"].isin(counted(load()))
    ]
    table["right"] = table["answer"].astype(str) == table["key"].astype(str)
    alone, gap, share = {}, {}, {}
    for model, own in table.groupby(table["model"].astype(str)):
        right, stated, tokens = (own[c].to_numpy() for c in ("right", "stated", "token_probability"))
        alone[model] = area(stated, right)
        share[model] = own["stated"].value_counts(normalize=True).iloc[:2].sum()
        both = np.isfinite(tokens) & (tokens >= 0) & (tokens <= 1)
        if both.any():
            gap[model] = area(tokens[both], right[both]) - area(stated[both], right[both])
    found = of_signal(load(), STATED).set_index("claim")
    assert len(alone) > len(gap) > 0
    assert found.loc["confidence", "value"] == pytest.approx(family_mean(alone) - 0.5, abs=1e-6)
    assert found.loc["tokens", "value"] == pytest.approx(family_mean(gap), abs=1e-6)
    assert found.loc["saturated", "value"] == pytest.approx(family_mean(share), abs=1e-6)


def test_sizes_of_a_series_are_of_one_maker_and_differ() -> None:
    models = load().models
    series = series_of(models).merge(models[["model", "family"]], on="model")
    assert (series.groupby("series")["family"].nunique() == 1).all()
    assert not series.duplicated(["line", "billions"]).any() and series["series"].nunique() >= 3


def test_pairs_with_thinking_of_one_maker_carry_no_interval() -> None:
    pairs = pd.DataFrame({"kind": THINKING, "second": list("abcd"), "n": 100, "auroc2": [0.1, 0.2, 0.3, 0.3]})
    one = thought(pairs, pd.Series(dict.fromkeys("abcd", "one")))
    assert np.isnan(one["lower"]) and one["n"] == 1
    three = thought(pairs, pd.Series({"a": "one", "b": "one", "c": "two", "d": "three"}))
    assert three["value"] == pytest.approx(0.25) and three["lower"] < 0.25 < three["upper"]
    models = load().models
    assert models.loc[models["thinking"] == "on", "family"].nunique() == 1
