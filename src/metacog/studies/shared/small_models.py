"""What small models can and cannot show: what the studies that ask them have of their runs, on one page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from metacog.core.frames import committed_table
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.intervals import wilson
from metacog.studies.contributions import BEHIND, OF_AREAS, OF_CLAIMS, OF_FORMS, STATED
from metacog.studies.study import Inputs, analysis

#: Half-widths and floors at the sizes of profiles, by ``benchmarks/reference_sizes.py``.
SIZES = "data/simulations/reference_sizes.csv"
#: Share right that half-widths and floors are told at.
RIGHT = 0.75


@analysis(across="small_models", both_runs=True, files=(SIZES,))
def small_models(inputs: Inputs) -> dict[str, Any]:
    """What do small models show of each study's claims, and what can they not show?"""
    profile = inputs.profile
    leads = profile.reference_leads
    own, reference = inputs.across(), inputs.reference()
    areas = joined("areas", OF_AREAS, own, reference, leads)
    forms = joined("forms", OF_FORMS, own, reference, leads)
    lower, upper = wilson(forms["read"], forms["asked"])
    forms = forms.assign(share=forms["read"] / forms["asked"], lower=lower, upper=upper)
    return {
        "areas": areas,
        "cases": cases(areas),
        "forms": forms,
        "claims": joined("claims", OF_CLAIMS, own, reference, leads),
        "sizes": sizes(profile.reference if leads else profile.name, list(own)),
    }


def joined(
    name: str, columns: tuple[str, ...], own: Mapping[str, Any], reference: Mapping[str, Any], leads: bool
) -> pd.DataFrame:
    """One table of all studies: the leading run's rows, and the other's of models that the leading one did not ask."""
    parts = [pd.DataFrame(columns=["study", *columns])]
    for study, one in own.items():
        tables = [getattr(one, name)]
        if study in reference:
            tables.insert(0 if leads else 1, getattr(reference[study], name))
        for place, rows in enumerate(tables):
            new = rows if not place else rows[~rows["model"].isin(tables[0]["model"])]
            parts.append(new.assign(study=study))
    return pd.concat([part for part in parts if len(part)] or parts, ignore_index=True)


def cases(areas: pd.DataFrame) -> pd.DataFrame:
    """Models on parts of studies with both an AUROC2 of what they state and one of the probability of their answer."""
    known = areas[areas["source"].isin([STATED, BEHIND]) & areas["auroc2_lower"].notna()]
    wide = known.pivot(index=["study", "part", "model"], columns="source", values=["auroc2", "auroc2_lower"])
    wide = wide.reindex(columns=pd.MultiIndex.from_product([["auroc2", "auroc2_lower"], [STATED, BEHIND]]))
    wide.columns = ["stated", "behind", "stated_lower", "behind_lower"]
    return wide.dropna().astype(float).reset_index()


def sizes(profile: str, asked: list[str]) -> pd.DataFrame:
    """Half-widths and floors that each part of a run can reach; none where its sizes were not simulated."""
    stored = committed_table(SIZES)
    mine = stored[(stored["profile"] == profile) & stored["study"].isin(asked)]
    mine = mine[(mine["measure"] == "auroc2") & (mine["accuracy"] == RIGHT)]
    return mine[["study", "part", "n_trials", "half_width", "floor"]].reset_index(drop=True)


# What is said of it.

#: Claims that sentences count, by a pattern of theirs and the side that is counted.
TOLD = {
    "below": ("M-ratio below 1", "yes"),
    "above": ("M-ratio below 1", "no"),
    "heeded": ("A warning moves", "yes"),
    "withdrawn": ("Wrong answers are withdrawn", "yes"),
    "reversed": ("Wrong answers are withdrawn", "no"),
    "of_the_probe": ("study 4", "yes"),
    "gains": ("Abstaining", "yes"),
}


def figures(result: Any) -> dict[str, Any]:
    """Medians over cases, in how many of them a signal is shown to tell right answers from wrong ones, and more."""
    of, forms, areas = result.cases, result.forms, result.areas
    written = forms[forms["form"].str.contains("written")].groupby("model")["share"].mean()
    back = areas[(areas["signal"] == "P(True)") & areas["auroc2_lower"].notna()].sort_values("auroc2")
    best = back.iloc[-1].to_dict() if len(back) else {}
    claims, sizes = result.claims, result.sizes
    chosen = forms.loc[forms["form"].str.contains("chosen"), "share"]
    return {
        "n_cases": len(of),
        "n_models": int(areas["model"].nunique()),
        "models": listed(areas["model"].unique()) or "no model",
        "stated": 100 * float(of["stated"].median()),
        "behind": 100 * float(of["behind"].median()),
        "n_stated": int((of["stated_lower"] > 0.5).sum()),
        "n_behind": int((of["behind_lower"] > 0.5).sum()),
        "least_written": 100 * float(written.min()),
        "most_written": 100 * float(written.max()),
        "worst_writer": str(written.idxmin()) if len(written) else "",
        "best_writer": str(written.idxmax()) if len(written) else "",
        "asked_back": best.get("model", ""),
        "back": 100 * best.get("auroc2", float("nan")),
        "back_lower": 100 * best.get("auroc2_lower", float("nan")),
        "back_upper": 100 * best.get("auroc2_upper", float("nan")),
        "next_back": 100 * float(back["auroc2"].iloc[-2]) if len(back) > 1 else float("nan"),
        "least_chosen": 100 * float(chosen.min()),
        "most_trials": int(sizes["n_trials"].max()) if len(sizes) else 0,
        "least_trials": int(sizes["n_trials"].min()) if len(sizes) else 0,
        "floor_low": 100 * float(sizes["floor"].min()),
        "floor_high": 100 * float(sizes["floor"].max()),
        **{
            name: int(claims.loc[claims["claim"].str.contains(of), side].sum())
            for name, (of, side) in TOLD.items()
        },
    }


VIEWS = Views("small_models", numbers=figures)
