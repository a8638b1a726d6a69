"""One model's result of every study, among those of the published models and the run's others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.collect.models import labels_of
from metacog.collect.plan import models_of
from metacog.core.config import Profile
from metacog.studies.contributions import Headline
from metacog.studies.registry import studies
from metacog.studies.study import Study, analysis

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


#: Whose a row of the board is.
THIS, RUN, PUBLISHED = "this model", "other models of this run", "published"
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
    titles = {study.name: study.title for study in studies()}
    found = inputs.across()
    why = {study.name: why_absent(study, inputs.profile, model) for study in studies()}
    boards = [board(one, label, why[name]) for name, one in found.items()]
    rows = [
        {
            "study": titles[name],
            "short": titles[name].partition(":")[0],
            "quantity": one.quantity,
            "meaning": one.meaning,
            "part": part,
            **place(of),
        }
        for (name, one), shown in zip(found.items(), boards, strict=True)
        for part, of in shown.groupby("part", sort=False)
    ]
    return {"results": pd.DataFrame(rows, columns=None if rows else list(SHOWN))}


def why_absent(study: Study | None, profile: Profile, model: str) -> str:
    """Why a model, by its name in the registry, has no result in a study that a profile may run."""
    if study is None or study.name not in profile.studies:
        return NOT_RUN
    return UNUSABLE if model in models_of(study, profile) else LEFT_OUT


def board(one: Headline, label: str, why_absent: str = UNUSABLE) -> pd.DataFrame:
    """Every model of a study, this one first in each part, with ``whose`` it is and the value of ``nothing``.

    A part without a result of this model has a row that says ``why_absent``.
    """
    values = one.values
    whose = np.where(values["published"], PUBLISHED, np.where(values["model"] == label, THIS, RUN))
    rows = [values.assign(whose=whose)]
    parts = values["part"].drop_duplicates()
    mine = values.loc[~values["published"] & (values["model"] == label), "part"]
    rows.append(
        pd.DataFrame(
            {
                "model": label,
                "part": [p for p in parts if p not in set(mine)],
                "why": why_absent,
                "whose": THIS,
            }
        )
    )
    order = {name: i for i, name in enumerate((THIS, RUN, PUBLISHED))}
    together = pd.concat([r for r in rows if len(r)], ignore_index=True).drop(columns="published")
    together = together.assign(order=together["whose"].map(order), nothing=one.nothing)
    in_part = together["part"].map({part: i for i, part in enumerate(parts)})
    kept = together.assign(in_part=in_part).sort_values(
        ["in_part", "order"], kind="stable", ignore_index=True
    )
    return kept.drop(columns=["order", "in_part"])


def place(rows: pd.DataFrame) -> dict[str, object]:
    """Where this model lies among the others of one part of a study."""
    mine = rows[rows["whose"] == THIS].iloc[0]
    published = rows[rows["whose"] == PUBLISHED]
    found: dict[str, object] = {name: mine[name] for name in ("estimate", "lower", "upper", "why", "nothing")}
    found |= {
        "published": len(published),
        "lowest": published["estimate"].min(),
        "highest": published["estimate"].max(),
        "published_range": _range(published["estimate"]),
    }
    return found | sides(mine, published)


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
