"""One model's result of every study, among those of the published models and the run's others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.models import labels_of
from metacog.collect.plan import models_of
from metacog.core.config import Profile
from metacog.studies.contributions import Headline
from metacog.studies.registry import studies
from metacog.studies.study import Inputs, Study, analysis

#: Why a model has no result in a study.
NOT_RUN = "not asked: the profile does not run the study"
LEFT_OUT = "not asked: the profile leaves this model out of the study"
UNUSABLE = "asked, and none of its replies could be used"
#: Columns of the results that a page shows.
SHOWN = ("short", "quantity", "part", "estimate", "lower", "upper", "nothing", "published_range", "why")


@analysis(per_model=True, across="headline")
def model_headlines(inputs: Inputs, *, model: str = "") -> dict[str, Any]:
    """What does each study find of one model, and how does that compare?"""
    label = labels_of([model])[model]
    titles = {study.name: study.title.partition(":")[0] for study in studies()}
    why = {study.name: why_absent(study, inputs.profile, model) for study in studies()}
    rows = [
        {"short": titles[name], **row}
        for name, one in inputs.across().items()
        for row in by_part(one, label, why[name])
    ]
    return {"results": pd.DataFrame(rows, columns=list(SHOWN))}


def why_absent(study: Study | None, profile: Profile, model: str) -> str:
    """Why a model, by its name in the registry, has no result in a study that a profile may run."""
    if study is None or study.name not in profile.studies:
        return NOT_RUN
    return UNUSABLE if model in models_of(study, profile) else LEFT_OUT


def by_part(one: Headline, label: str, why_absent: str = UNUSABLE) -> Iterator[dict[str, Any]]:
    """One model's result in each part of a study, or why it has none, beside the range of the published ones."""
    own = one.values[~one.values["published"] & (one.values["model"] == label)]
    nothing = {"estimate": np.nan, "lower": np.nan, "upper": np.nan, "why": why_absent}
    for part, rows in one.values.groupby("part", sort=False):
        mine = own[own["part"] == part]
        result = mine.iloc[0] if len(mine) else nothing
        yield {
            "quantity": one.quantity,
            "part": part,
            **{name: result[name] for name in nothing},
            "nothing": one.nothing,
            "published_range": _range(rows.loc[rows["published"], "estimate"]),
        }


def _range(values: pd.Series) -> str:
    """The least and the largest of some results, in words."""
    ends = dict.fromkeys(
        f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}" for value in (values.min(), values.max())
    )
    return " to ".join(ends) if values.notna().any() else ""


def sides(mine: pd.Series, published: pd.DataFrame) -> dict[str, float]:
    """How many published intervals lie ``below`` one result's, ``above`` it, and how many it ``meets``.

    NaN where either has no interval, or the result cannot be judged.
    """
    known = published["lower"].notna()
    if not known.any() or not np.isfinite(mine["lower"]) or mine["why"]:
        return dict.fromkeys(("below", "above", "meets"), np.nan)
    below = int((published["upper"] < mine["lower"]).sum())
    above = int((published["lower"] > mine["upper"]).sum())
    return {"below": below, "above": above, "meets": int(known.sum()) - below - above}
