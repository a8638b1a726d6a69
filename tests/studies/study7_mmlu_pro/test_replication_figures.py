"""What the page of replication draws, computed again in plain numpy from the committed files, on all items."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from few_models import area

from metacog.core.paths import project_root
from metacog.measures.set_effects import set_effects, standing
from metacog.studies.study7_mmlu_pro.replication import MOST_OF_FAMILY
from metacog.studies.study7_mmlu_pro.rows import load

#: Of families of which as many stand as others as of any: all others of another family are then rivals.
SAMPLE = ("Qwen3-8B", "gpt-4o-2024-08-06", "gemini-2.0-flash")


def mid_shares(score: np.ndarray) -> np.ndarray:
    """(Items below and half of those at the same value) / items."""
    _, at, counts = np.unique(score, return_inverse=True, return_counts=True)
    return ((np.cumsum(counts) - counts / 2) / score.size)[at]


@pytest.fixture(scope="module")
def pivoted() -> tuple[pd.DataFrame, pd.DataFrame]:
    """Right or wrong, and stated numbers, items by models; missing where either is."""
    folder = project_root() / "data" / "mmlu_pro"
    table = pd.read_parquet(folder / "answers.parquet").merge(pd.read_csv(folder / "items.csv"), on="item")
    table = table[table["answer"].notna() & table["stated"].between(0, 1)]
    table["right"] = (table["answer"].astype(str) == table["key"]).astype(float)
    wide = [table.pivot(index="item", columns="model", values=name) for name in ("right", "stated")]
    return wide[0], wide[1]


def test_differences_from_others_are_those_of_plain_numpy(pivoted: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    right, sure = pivoted
    rows = load()
    items = rows.model_items()
    sample = [model for model in SAMPLE if model in items.models]
    assert len(sample) == len(SAMPLE)
    others = standing(items, list(rows.models["weights"]), MOST_OF_FAMILY)
    found = set_effects(
        items, others=others, models=sample, information=False, most_placebos=1, n_resamples=2
    )
    effects, families = ("single_median", "crowd", "crowd_right"), rows.models.set_index("model")["family"]
    by_model = {}
    for model in sample:
        rivals = [one for one in others if families[one] != families[model]]
        kept = right[list(others)].notna().all(axis=1) & right[model].notna()
        hits = right.loc[kept, model].to_numpy() == 1
        mine = area(sure.loc[kept, model].to_numpy(), hits)
        singles = [sure.loc[kept, one].to_numpy() for one in rivals]
        assert len(singles) == found.n_rivals
        wanted = {
            "single_median": np.median([area(one, hits) for one in singles]),
            "crowd": area(np.mean([mid_shares(one) for one in singles], axis=0).round(12), hits),
            "crowd_right": area(right.loc[kept, rivals].sum(axis=1).to_numpy(), hits),
        }
        by_model[model] = {effect: mine - value for effect, value in wanted.items()}
    by_family = pd.DataFrame(by_model).T.groupby(families).mean()
    told = found.families.pivot(index="family", columns="effect", values="value")
    assert set(told.index) == set(by_family.index)
    for effect in effects:
        assert told[effect].to_numpy() == pytest.approx(
            by_family.loc[told.index, effect].to_numpy(), abs=1e-6
        )
