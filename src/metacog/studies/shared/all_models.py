"""Every model of the book, published or asked here, by each study's one number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.ranking import rank_sets
from metacog.studies.contributions import LOW_D, Headline
from metacog.studies.registry import studies
from metacog.studies.study import Inputs, analysis

#: A name with the number of parameters in it.
_SIZE = re.compile(r"(?P<before>.*?)(?P<size>\d+(?:\.\d+)?)(?P<unit>[BM])\b(?P<after>.*)")
#: Whose a model's trials are.
PUBLISHED, REFERENCE, HERE = "published", "reference run", "this machine"


@analysis(across="headline", both_runs=True)
def all_models(inputs: Inputs) -> dict[str, Any]:
    """What does each study find of every model?"""
    titles = {study.name: study.title for study in studies()}
    return compare(inputs.across(), inputs.reference(), titles)


def compare(
    own: Mapping[str, Headline], reference: Mapping[str, Headline], titles: Mapping[str, str]
) -> dict[str, Any]:
    """Some studies' headlines, by study, in one table, and as pages show them."""
    known = [_rows(one, reference.get(name)).assign(study=titles[name]) for name, one in own.items()]
    columns = ["study", "quantity", "meaning", "part", "model", "whose", "estimate", "lower", "upper", "why"]
    counted = ["study", "part", "quantity", "published", "judged", "above", "may_lead"]
    models = pd.DataFrame(columns=[*columns, "nothing", "first", "last"])
    if known:
        together = pd.concat(known, ignore_index=True)
        each = [places(rows) for _, rows in together.groupby(["study", "part", "whose"], sort=False)]
        models = pd.concat(each).sort_index()[list(models)]
    published = models[models["whose"] == PUBLISHED]
    found = pd.DataFrame(
        [_counted(rows) for _, rows in published.groupby(["study", "part"], sort=False)], columns=counted
    )
    return {
        "models": models,
        "studies": found,
        "ranked": ranked(models),
        "asked": asked(models),
        "counted": found[found["judged"] > 0].assign(study=_where(found)),
        "sizes": sizes(models),
    }


def ranked(models: pd.DataFrame) -> pd.DataFrame:
    """Published models, the highest of each study and part first and those that are not counted last."""
    rows = models[models["whose"] == PUBLISHED]
    rows = rows.assign(uncounted=rows["why"] != "", study=_short(rows["study"]))
    order = {name: i for i, name in enumerate(dict.fromkeys(zip(rows["study"], rows["part"], strict=True)))}
    of = [order[one] for one in zip(rows["study"], rows["part"], strict=True)]
    rows = rows.assign(of=of).sort_values(["of", "uncounted", "estimate"], ascending=[True, True, False])
    kept = ["study", "part", "model", "estimate", "lower", "upper", "uncounted"]
    return rows[kept].reset_index(drop=True)


def asked(models: pd.DataFrame) -> pd.DataFrame:
    """Models that were asked here, those of the reference run first, with what is found and why, in words."""
    rows = models[models["whose"] != PUBLISHED].sort_values(
        "whose", key=lambda whose: whose != REFERENCE, kind="stable"
    )
    several = rows["whose"].nunique() > 1
    rows = rows.assign(study=_where(rows) + ": " + rows["quantity"])
    known = rows.loc[rows["why"] == "", ["study", "estimate", "lower", "upper"]].set_index("study").abs()
    largest = rows["study"].map(known.max(axis=1).groupby(level=0).max())
    digits = np.where(
        largest < 10, 3, 1
    )  # the same throughout a study's column; points need fewer than ratios
    each = list(zip(rows.to_dict("records"), digits, strict=True))
    return pd.DataFrame(
        {
            "model": rows["model"] + (" (" + rows["whose"] + ")" if several else ""),
            "study": rows["study"],
            "found": [_found(*one) for one in each],
            "why": [_reason(*one) for one in each],
        },
        dtype=object,
    ).reset_index(drop=True)


def sizes(models: pd.DataFrame) -> pd.DataFrame:
    """Models asked here whose names differ in size alone, each with the next larger one.

    Intervals are as of independent estimates, which on the same items are rather too wide.
    """
    kept = ["study", "quantity", "smaller", "larger", "difference", "lower", "upper"]
    rows = models[(models["whose"] != PUBLISHED) & (models["why"] == "") & models["lower"].notna()]
    named = [_SIZE.fullmatch(str(name)) for name in rows["model"]]
    size = [float(one["size"]) * {"B": 1e3, "M": 1}[one["unit"]] if one else np.nan for one in named]
    alike = [one["before"] + one["after"] if one else "" for one in named]
    rows = rows.assign(size=size, alike=alike, study=_where(rows)).dropna(subset=["size"])
    rows = rows.sort_values("size", kind="stable")
    made = []
    for _, of in rows.groupby(["study", "whose", "alike"], sort=False):
        for one, other in pairwise(of.to_dict("records")):
            difference = other["estimate"] - one["estimate"]
            below, above = other["estimate"] - other["lower"], other["upper"] - other["estimate"]
            lower = difference - np.hypot(below, one["upper"] - one["estimate"])
            upper = difference + np.hypot(above, one["estimate"] - one["lower"])
            about = [other[name] for name in kept[:2]]
            made.append((*about, one["model"], other["model"], difference, lower, upper))
    return pd.DataFrame(made, columns=kept).sort_values("study", kind="stable", ignore_index=True)


def _found(row: Mapping[Any, Any], digits: int) -> str:
    known = row["why"] == "" and np.isfinite(row["estimate"])
    return f"{row['estimate']:.{digits}f}" if known else "not testable"


def _reason(row: Mapping[Any, Any], digits: int) -> str:
    if row["why"] or not np.isfinite(row["lower"]):
        return str(row["why"])
    return f"95 % interval {row['lower']:.{digits}f} to {row['upper']:.{digits}f}"


def _short(titles: pd.Series) -> pd.Series:
    return titles.astype(str).str.split(":").str[0]


def _where(rows: pd.DataFrame) -> pd.Series:
    return (_short(rows["study"]) + ", " + rows["part"].astype(str)).str.removesuffix(", ")


def _rows(one: Headline, reference: Headline | None) -> pd.DataFrame:
    values = one.values
    parts = [values.assign(whose=np.where(values["published"], PUBLISHED, HERE))]
    if reference is not None:
        theirs = reference.values
        parts.append(theirs[~theirs["published"]].assign(whose=REFERENCE))
    rows = pd.concat(parts, ignore_index=True).drop(columns="published")
    return rows.assign(quantity=one.quantity, meaning=one.meaning, nothing=one.nothing)


def places(rows: pd.DataFrame) -> pd.DataFrame:
    """Add the places that non-overlapping 95 % intervals leave open, pair by pair, the highest estimate first."""
    judged = rows[rows["lower"].notna() & (rows["why"] == "")]
    lower, upper = judged["lower"].to_numpy(), judged["upper"].to_numpy()
    first, last = rank_sets(lower[:, None] > upper[None, :]) if len(judged) > 1 else (np.nan, np.nan)
    return rows.assign(
        first=pd.Series(first, judged.index, dtype=float), last=pd.Series(last, judged.index, dtype=float)
    )


def _counted(rows: pd.DataFrame) -> dict[str, object]:
    known = rows[rows["lower"].notna() & (rows["why"] == "")]
    row = rows.iloc[0]
    return {
        "study": row["study"],
        "part": row["part"],
        "quantity": row["quantity"],
        "published": len(rows),
        "judged": len(known),
        "above": int((known["lower"] > row["nothing"]).sum()) if np.isfinite(row["nothing"]) else np.nan,
        "may_lead": int((known["first"] == 1).sum()) if known["first"].notna().any() else np.nan,
    }


# What is said of it.


def numbers(result: Any) -> dict[str, Any]:
    """How many published results beat knowing nothing, who may be first, and what two sizes of one kind say."""
    told = result.studies[result.studies["judged"].gt(0) & result.studies["above"].notna()]
    may_lead = result.studies["may_lead"].dropna()
    pairs = dict.fromkeys(zip(result.sizes["smaller"], result.sizes["larger"], strict=True))
    ratios = result.models[(result.models["quantity"] == "M-ratio") & (result.models["whose"] != PUBLISHED)]
    more, less = int((result.sizes["lower"] > 0).sum()), int((result.sizes["upper"] < 0).sum())
    return {
        "above": int(told["above"].sum()),
        "judged": int(told["judged"].sum()),
        "n_compared": len(may_lead),
        "n_open": int((may_lead > 1).sum()),
        "sizes_named": listed(f"{larger} and {smaller}" for smaller, larger in pairs),
        "n_ratios": len(ratios),
        "n_low_d": int((ratios["why"] == LOW_D).sum()),
        "sizes_more": more,
        "sizes_less": less,
        "sizes_unclear": len(result.sizes) - more - less,
    }


VIEWS = Views("all_models", numbers=numbers)
