"""What was published, what is wrong with it, and whether the study would conclude something else without that."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.sdt.correlations import Correlation, spearman_brown
from metacog.studies.study import Inputs, analysis
from metacog.studies.study5_battery import integrity
from metacog.studies.study5_battery.contrasts import CLAIMED_ON, FAMILIES, course_of
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.integrity import MENDED, PUBLISHED
from metacog.studies.study5_battery.ledger.printed import overall_accuracy, printed_headlines, tracks_told
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.monitoring import inversion
from metacog.studies.study5_battery.paper import FILES, TRACKS, UNCLASSIFIED
from metacog.studies.study5_battery.profiles import PRINTED
from metacog.studies.study5_battery.regulation import dissociation
from metacog.studies.study5_battery.robustness import profiles_apart, split_half
from metacog.studies.study5_battery.scores import track_scores

#: A Cohen's d that is called large.
LARGE = 0.8
#: A defined delta that rests on fewer wrong answers than this is thin.
THIN = 5
#: What a headline reads, and what it concludes.
Headline = tuple[str, Hashable]


@analysis(files=FILES)
def responses(inputs: Inputs) -> dict[str, Any]:
    """What is wrong with the published responses, and does it matter?"""
    rows = load()
    defined = deltas(rows).dropna(subset=["delta"])
    right = rows.groupby(["track", "item"])["correct"]
    return {
        "identical": integrity.identical(rows),
        "declined": integrity.declined(rows),
        "conclusions": conclusions(headlines(rows), headlines(integrity.mended(rows))),
        "accuracy_rules": overall_accuracy(rows),
        "tracks": tracks_told(rows),
        "total": len(rows),
        "n_items": right.ngroups,
        "models": rows["model"].nunique(),
        "thin": int((defined["n_incorrect"] < THIN).sum()),
        "defined": len(defined),
        "all_right": int(right.all().sum()),
        "none_right": int((~right.any()).sum()),
    }


def headlines(responses: pd.DataFrame) -> dict[str, Headline]:
    """The study's headlines by title: each with whom it names, on which side of 0 it lies or which way it goes."""
    per_track = deltas(responses)
    means = mean_deltas(per_track).set_index("model")
    complete = means[means["complete"]]
    scores = track_scores(responses).set_index("model")
    leaders = [str(scores[track].idxmax()) for track in TRACKS]
    known = means[means["n_defined"] > 0].reset_index()
    on_track = per_track[per_track["track"] == CLAIMED_ON].set_index("model")["delta"]
    halves = split_half(responses)
    distance, *_ = profiles_apart(means.reset_index(), n_resamples=0)
    return {
        "models with all five deltas": (f"{len(complete)}", None),
        "highest mean withdraw delta": named(complete["delta"], complete["delta"].idxmax(), 1),
        "highest accuracy, T1 to T5": named(means["accuracy"], means["accuracy"].idxmax(), 3),
        "lowest accuracy, T1 to T5": named(means["accuracy"], means["accuracy"].idxmin(), 3),
        "leader on each track": (listed(dict.fromkeys(leaders)), tuple(leaders)),
        "lowest T6 score": named(scores["T6"], scores["T6"].idxmin(), 3),
        "highest T6 score": named(scores["T6"], scores["T6"].idxmax(), 3),
        "rank correlation of accuracy and delta": related(inversion(means)[1]),
        "correlation of delta and answering directly": related(dissociation(responses)[1]),
        "how two halves of the battery correlate, and two batteries": (
            f"{halves.r:.2f}, {spearman_brown(halves.r):.2f} (n = {halves.n})",
            related(halves)[1],
        ),
        "distance of profiles C and A (Cohen's d)": apart(distance),
        "profiles by rule": kinds(list(PRINTED.profiles(known).values())),
        **{
            f"{CLAIMED_ON} over size, {family}": course([on_track.get(m, np.nan) for m in models])
            for family, models in FAMILIES.items()
        },
    }


def named(values: pd.Series, who: Any, digits: int) -> Headline:
    """``GLM-5 (0.94)``, whatever the digits."""
    return f"{who} ({values[who]:.{digits}f})", who


def related(one: Correlation) -> Headline:
    """``0.17 (-0.29 to 0.57)``, and on which side of 0 the entire interval lies."""
    side = "above" if one.lower > 0 else "below" if one.upper < 0 else "open"
    return f"{one.r:.2f} ({one.lower:.2f} to {one.upper:.2f})", side


def apart(d: float) -> Headline:
    return f"{d:.2f}", bool(d >= LARGE)


def kinds(profiles: Sequence[str]) -> Headline:
    counts = {name: profiles.count(name) for name in ("A", "B", "C", UNCLASSIFIED)}
    return ", ".join(f"{name} {n}" for name, n in counts.items()), tuple(k for k, n in counts.items() if n)


def course(values: list[float]) -> Headline:
    does = course_of(values) or "not known"
    return f"{does} ({', '.join('-' if not np.isfinite(v) else f'{v:.1f}' for v in values)})", does


def conclusions(published: Mapping[str, Headline], mended: Mapping[str, Headline]) -> pd.DataFrame:
    """What each headline reads where it is printed, of the responses as published, and of these corrected.

    ``concludes``: whether the corrected responses say something else than those that were published.
    """
    said = printed_headlines()
    rows = [
        (
            title,
            said.get(title, "not printed"),
            text,
            mended[title][0],
            "the same" if mended[title][1] == concluded else "something else",
        )
        for title, (text, concluded) in published.items()
    ]
    return pd.DataFrame(rows, columns=["headline", "in_print", PUBLISHED, MENDED, "concludes"])


def figures(result: Any) -> dict[str, int]:
    """How many conclusions change, and how many identical files are copies."""
    return {
        "n_conclusions": len(result.conclusions),
        "n_changed": int((result.conclusions["concludes"] == "something else").sum()),
        "n_identical": len(result.identical),
        "n_copied": int(result.identical["copied"].sum()),
    }


ANALYSES = (responses,)
VIEWS = (Views("responses", numbers=figures),)
