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
#: A number that is stated in this share of replies, or more, is nearly always the same and cannot order answers.
NEARLY_ALL = 0.9
#: Share right that half-widths and floors are told at.
RIGHT = 0.75


@analysis(across="small_models", both_runs=True, files=(SIZES,))
def small_models_compared(inputs: Inputs) -> dict[str, Any]:
    """What do small models show of each study's claims, and what can they not show?"""
    profile = inputs.profile
    leads = profile.reference_leads
    own, reference = inputs.across(), inputs.reference()
    areas = joined("areas", OF_AREAS, own, reference, leads)
    areas = areas.sort_values(
        "source", ascending=False, kind="stable", ignore_index=True
    )  # what it states first
    forms = joined("forms", OF_FORMS, own, reference, leads)
    share = forms["read"].astype(float) / forms["asked"].astype(float)
    lower, upper = wilson(share, forms["asked"].astype(float))
    forms = forms.assign(share=share, lower=lower, upper=upper)
    return {
        "areas": areas,
        "cases": cases(areas),
        "ways": areas[
            areas["study"].eq("study3_dmc") & ~areas["signal"].astype("str").str.contains("written")
        ],
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
    """Models on parts of studies with an AUROC2 of what they state, if it varies, and of their answer's probability."""
    varied = ~areas["same"].astype(float).ge(NEARLY_ALL)
    known = areas[areas["source"].isin([STATED, BEHIND]) & areas["auroc2_lower"].notna() & varied]
    wide = known.pivot(index=["study", "part", "model"], columns="source", values=["auroc2", "auroc2_lower"])
    wide = wide.reindex(columns=pd.MultiIndex.from_product([["auroc2", "auroc2_lower"], [STATED, BEHIND]]))
    wide.columns = ["stated", "behind", "stated_lower", "behind_lower"]
    return wide.dropna().astype(float).reset_index()


def sizes(profile: str, asked: list[str]) -> pd.DataFrame:
    """Half-widths and floors that each part of a run can reach; none where its sizes were not simulated.

    A floor is missing where it would lie above 1.
    """
    stored = committed_table(SIZES)
    mine = stored[(stored["profile"] == profile) & stored["study"].isin(asked)]
    mine = mine[(mine["measure"] == "auroc2") & (mine["accuracy"] == RIGHT)]
    mine = mine.assign(floor=mine["floor"].where(mine["floor"] <= 1))
    return mine[["study", "part", "n_trials", "half_width", "floor"]].reset_index(drop=True)


# What is said of it.

#: Studies whose runs the page shows, as readers know them.
SHOWN = {
    "study2_two_choice": "study 2",
    "study3_dmc": "study 3",
    "study4_probe": "study 4",
    "study5_battery": "study 5",
}
#: Claims that sentences count, by a pattern of theirs and the side that is counted.
TOLD = {
    "below": ("M-ratio below 1", "yes"),
    "above": ("M-ratio below 1", "no"),
    "heeded": ("A warning moves", "yes"),
    "withdrawn": ("Wrong answers are withdrawn", "yes"),
    "reversed": ("Wrong answers are withdrawn", "no"),
    "of_the_probe": ("study 4", "yes"),
    "gains": ("Abstaining", "yes"),
    "say_first": ("Says A", "yes"),
}


def figures(result: Any) -> dict[str, Any]:
    """Medians over cases, in how many of them a signal is shown to tell right answers from wrong ones, and more."""
    of, claims, sizes = result.cases, result.claims, result.sizes
    stated = result.areas[result.areas["source"].eq(STATED) & result.areas["same"].notna()]
    digits = result.areas.query("signal == 'the digit given' and auroc2_lower.notna()")
    hopeless = sizes[sizes["floor"].isna()]
    apart = claims[claims["claim"].str.startswith("Two ways of asking") & claims["yes"].gt(0)]
    return {
        "n_cases": len(of),
        "n_places": len(stated),
        "n_same": int(stated["same"].ge(NEARLY_ALL).sum()),
        "n_models": int(result.areas["model"].nunique()),
        "models": listed(result.areas["model"].unique()),
        "studies": listed(name for study, name in SHOWN.items() if study in set(result.forms["study"])),
        "stated": 100 * float(of["stated"].median()),
        "behind": 100 * float(of["behind"].median()),
        "n_stated": int((of["stated_lower"] > 0.5).sum()),
        "n_behind": int((of["behind_lower"] > 0.5).sum()),
        "n_digits": len(digits),
        "digits_above": int((digits["auroc2_lower"] > 0.5).sum()),
        "most_trials": int(sizes["n_trials"].max()) if len(sizes) else 0,
        "floor": 100 * float(sizes["floor"].min()),
        "hopeless_trials": int(hopeless["n_trials"].max()) if len(hopeless) else 0,
        "ways_where": listed(apart["model"]) or "none",
        **readable(result.forms),
        **asked_back(result.areas),
        **{
            name: int(claims.loc[claims["claim"].str.contains(of), side].sum())
            for name, (of, side) in TOLD.items()
        },
    }


def readable(forms: pd.DataFrame) -> dict[str, Any]:
    """The models that keep to a written form least and most, and how often; what examples do for the former."""
    written = forms[forms["form"].str.contains("written")].groupby("model")[["read", "asked"]].sum()
    share = 100 * written["read"].astype(float) / written["asked"].astype(float)
    worst, best = (str(share.idxmin()), str(share.idxmax())) if len(share) else ("", "")
    shown = forms[forms["study"].eq("study4_probe") & forms["model"].eq(worst)]
    chosen = forms.loc[forms["form"].str.contains("chosen"), "share"]
    return {
        "worst_writer": worst,
        "best_writer": best,
        "least_written": float(share.min()),
        "most_written": float(share.max()),
        "with_examples": 100 * float(shown["read"].sum()) / max(float(shown["asked"].sum()), 1),
        "least_chosen": 100 * float(chosen.min()),
    }


def asked_back(areas: pd.DataFrame) -> dict[str, Any]:
    """The model that is best when it is asked back, by how much, and how many ways of asking lead in some model."""
    ways = areas[areas["study"].eq("study3_dmc") & areas["auroc2_lower"].notna()]
    first = ways.sort_values("auroc2", ascending=False).drop_duplicates("model")
    back = ways[ways["signal"].eq("P(True)")].sort_values("auroc2", ascending=False)
    best = back.iloc[0].to_dict() if len(back) else {}
    return {
        "leading_ways": int(first["signal"].nunique()),
        "asked_back": best.get("model", ""),
        "back": 100 * best.get("auroc2", float("nan")),
        "back_lower": 100 * best.get("auroc2_lower", float("nan")),
        "back_upper": 100 * best.get("auroc2_upper", float("nan")),
        "next_back": 100 * float(back["auroc2"].iloc[1]) if len(back) > 1 else float("nan"),
    }


VIEWS = Views("small_models_compared", numbers=figures)
