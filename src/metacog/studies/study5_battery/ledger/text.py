"""What the published responses answer to the claims of study 5's text."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from metacog.core.words import listed, plural
from metacog.ledger.claims import Answer, claim_entries
from metacog.ledger.entry import Kind, Value
from metacog.sdt.correlations import Correlation, correlation
from metacog.studies.study5_battery import paper
from metacog.studies.study5_battery.contrasts import (
    CLAIMED_ON,
    CLAIMS,
    FAMILIES,
    course_of,
    scaling,
    twins_of,
)
from metacog.studies.study5_battery.deltas import deltas, mean_deltas, path_rates
from metacog.studies.study5_battery.integrity import copied
from metacog.studies.study5_battery.ledger.printed import HIGHEST, LOWEST, WITH_SCORE, by_rule
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.monitoring import inversion
from metacog.studies.study5_battery.paper import RETROSPECTIVE
from metacog.studies.study5_battery.profiles import PRINTED, by_five, by_track, grid
from metacog.studies.study5_battery.regulation import dissociation
from metacog.studies.study5_battery.scores import track_scores

STUDY = "study 5"
TEXT = "study 5, text"
SOURCE = "the published responses"
#: The rank correlation from which on ranks are called inverted (below zero) or convergent (above).
STRONG = 0.5
R1 = "DeepSeek R1"
#: Item types whose numbers of items the text prints.
CONDITIONS = {
    "T2": ("calibration", "prospective", "error_detection", "knowledge_boundary"),
    "T5": ("format_flexibility", "inhibitory_control", "task_switching"),
}
#: A count, share or mean of the responses, and what an estimator makes of them.
recounted = partial(Value, source=SOURCE, kind=Kind.RECOUNTED)
estimated = partial(Value, source=SOURCE, kind=Kind.ESTIMATED)
Found = dict[str, Answer]


def entries() -> pd.DataFrame:
    """A row for every figure that ``battery_text_claims.csv`` prints."""
    responses = load()
    answers: Found = {}
    for some in (of_design, of_sizes, of_scores, of_accuracy, of_profiles, of_blanket, of_correlations):
        answers |= some(responses)
    return claim_entries(
        paper.as_text("text_claims"),
        answers,
        study=STUDY,
        table=TEXT,
        quantities={"lower": "lowest", "upper": "highest"},
    )


def _between(values: pd.Series, note: str) -> Answer:
    return {
        "lower": recounted(float(values.min()), note=note),
        "upper": recounted(float(values.max()), note=note),
    }


def _with_ends(found: Correlation) -> str:
    return f"{found.r:.2f} (95 % {found.lower:.2f} to {found.upper:.2f})"


def of_design(responses: pd.DataFrame) -> Found:
    """How many responses, makers, items and item types (in the files; the paper names conditions) there are."""
    makers = paper.atlas()["maker"].reindex(responses["model"].unique())
    found: Found = {
        "responses": recounted(float(len(responses))),
        "providers": recounted(
            float(makers.nunique()),
            source="the models of the responses, and the atlas's names of them",
            note=listed(sorted(set(makers.dropna()))),
        ),
    }
    for key, own in responses.groupby("track"):
        track = str(key)
        name = track.lower()
        if track in CONDITIONS:
            n = own.groupby("item_type")["item"].nunique()
            found |= {f"{name}_{kind}": recounted(float(n.get(kind, 0))) for kind in CONDITIONS[track]}
        elif track != "T6":
            kinds, levels = ([str(one) for one in own[column].unique()] for column in ("item_type", "level"))
            empty = ", an empty one among them" if "" in levels else ""
            note = f"{listed(kind.replace('_', ' ') for kind in kinds)}; levels of the items: {len(levels)}{empty}"
            found[f"conditions_{name}"] = recounted(float(len(kinds)), note=note)
    return found


def of_sizes(responses: pd.DataFrame) -> Found:
    """Each family's course over size, on the track that the abstract names."""
    table, twins = scaling(responses), copied(responses)
    found: Found = {}
    for family, models in FAMILIES.items():
        own: Any = table[table["family"] == family].set_index("measure")
        values = [float(v) for v in own.loc[CLAIMED_ON, "delta"]]
        two, mean = own.loc[CLAIMED_ON].iloc[0], own.loc["mean"].iloc[0]
        note = (
            f"{', '.join(f'{v:.1f}' for v in values)} from the smallest; largest minus smallest "
            f"{two['change']:+.1f} (95 % {two['change_lower']:.1f} to {two['change_upper']:.1f}); the mean over "
            f"T1 to T5: {mean['course']}, {mean['change']:+.1f}"
        )
        rival, without = None, ""
        if shared := twins_of(family, twins):
            out = set(twins.loc[twins["track"] == CLAIMED_ON, "first"])
            left = [v for model, v in zip(models, values, strict=True) if model not in out]
            without = f"{shared}: with one of these two sizes left out,"
            rival = float(course_of(left) == CLAIMS[family])
        holds = float(two["course"] == CLAIMS[family])
        found[f"scale_{family.partition('-')[0].lower()}"] = recounted(
            holds, note=note, rival=rival, without=without
        )
    return found


def of_scores(responses: pd.DataFrame) -> Found:
    """What the scores of the six tracks say."""
    scores: Any = track_scores(responses).set_index("model").drop(columns="mean")
    ahead = list(scores.index[(scores >= scores.max() - 1e-9).all(axis=1)])
    spread = (scores.max() - scores.min()).sort_values(ascending=False, kind="stable")
    widest = "; ".join(f"{track} {value:.3f}" for track, value in spread.items())
    six = scores["T6"]
    return {
        "no_leader": recounted(float(not ahead), note=f"led by one model: {listed(ahead)}"),
        "widest_spread": recounted(float(spread.index[0] == "T6"), note=widest),
        "spread_t6": recounted(six.max() - six.min(), note=f"{six.idxmax()} less {six.idxmin()}"),
        "r1_t2": recounted(float(scores.at[R1, "T2"])),
        "r1_t6": recounted(float(six[R1])),
    }


def of_accuracy(responses: pd.DataFrame) -> Found:
    """Both ends of overall accuracy, T2 by its score as 2.5 says, with what other ways of counting give.

    No rule that the files allow meets both ends with the models that the text names.
    """
    rules = by_rule(responses)
    whole = rules[WITH_SCORE]
    found: Found = {}
    for claim, model in (("lowest", LOWEST), ("highest", HIGHEST)):
        first = whole.idxmin() if claim == "lowest" else whole.idxmax()
        others = "; ".join(
            f"{rule}: {model} {values[model]:.3f}, lowest {values.idxmin()} {values.min():.3f}, "
            f"highest {values.idxmax()} {values.max():.3f}"
            for rule, values in rules.items()
            if rule != WITH_SCORE
        )
        note = f"T2 by its score, mean of T1 to T5, {claim} is {first}; {others}"
        found[f"{claim}_accuracy"] = recounted(whole[model], note=note)
    return found


def of_profiles(responses: pd.DataFrame) -> Found:
    """How many profiles change where thresholds are shifted by five points."""
    cells = grid(mean_deltas(deltas(responses)))
    base, five = cells[cells["moved"] == 0].iloc[0], by_five(cells)
    most = int(five["changed"].max())
    plateau = (
        f"models that keep their profile in every shift by 5 points; {int(base['as_printed'])} have the "
        "printed profile at the printed thresholds"
    )
    alone = f"one threshold at a time, both ways; all together at most {most}"
    return {
        "plateau": recounted(float(20 - most), note=plateau),
        "shift_by_five": _between(five[five["moved"] == 1]["changed"], alone),
    }


def of_blanket(responses: pd.DataFrame) -> Found:
    """What is said of the models that the paper prints as blanket confidence, and of DeepSeek R1."""
    printed = [model for model, profile in paper.printed_profiles().items() if profile == "A"]
    per_track, rates_of_paths = deltas(responses), path_rates(responses)
    table = by_track(per_track, rates_of_paths).set_index("model")
    paths: Any = rates_of_paths.set_index("model")
    on_all = list(table.index[(table[[*RETROSPECTIVE, "T6"]] == "A").all(axis=1)])
    retro = per_track[per_track["track"].isin(RETROSPECTIVE)]
    rates = retro.groupby("model")["stood"].min()
    by_rates = (rates >= PRINTED.high) & (paths["direct"].reindex(rates.index) >= PRINTED.high)
    stood = retro[retro["model"].isin(printed)]["stood"]
    means = mean_deltas(per_track).set_index("model").loc[printed, "stood"]
    return {
        "blanket_models": recounted(
            float(len(on_all)),
            note=f"by rule on every track: {listed(on_all)}; by the rates alone, whatever the deltas: "
            f"{listed(rates.index[by_rates])}; printed: {listed(sorted(printed))}",
        ),
        "blanket_keeps": recounted(
            float(means.min()),
            note=f"lowest mean over T1 to T5 of the {len(printed)} printed models; "
            f"{plural((stood < PRINTED.high).sum(), 'track')} of theirs lie below, the lowest at {stood.min():.1f} %",
        ),
        "blanket_direct": recounted(float(paths.loc[printed, "direct"].min())),
        "r1_declines": recounted(float(paths.at[R1, "decline"])),
        "r1_withdraws": _between(100 - retro[retro["model"] == R1]["stood"], "over the five tracks"),
    }


def of_correlations(responses: pd.DataFrame) -> Found:
    """Deltas with accuracy, with paths, and with the atlas's AUROC2, of other questions and a stated confidence."""
    per_track = deltas(responses)
    means = mean_deltas(per_track)
    inverted, complete = inversion(means)
    _, ahead = dissociation(responses)
    means = means.set_index("model")
    areas = paper.atlas()["auroc2"].reindex(means.index)
    calibration = per_track[per_track["track"] == CLAIMED_ON].set_index("model")["delta"].reindex(means.index)
    every, whole, one = (
        correlation(x, areas[x.index], kind="spearman")
        for x in (means["delta"], means.loc[means["complete"], "delta"], calibration)
    )
    return {
        "ranks_inverted": estimated(
            float(inverted.r <= -STRONG),
            note=f"taken as a rank correlation of {-STRONG} or below: it is {_with_ends(inverted)}, and "
            f"{complete.r:.2f} over the {complete.n} models with a delta on all five tracks",
        ),
        "prospective": estimated(
            ahead.r,
            note=f"95 % {ahead.lower:.2f} to {ahead.upper:.2f}: neither unrelated nor related is shown",
        ),
        "independent": estimated(
            float(every.r >= STRONG),
            source=f"{SOURCE}, and the atlas's AUROC2 of the same models",
            note=f"taken as a rank correlation of {STRONG} or above of mean withdraw delta with the atlas's AUROC2: "
            f"it is {_with_ends(every)} over {every.n} models, {_with_ends(whole)} over the {whole.n} with a delta "
            f"on all five tracks, and {_with_ends(one)} for the delta on {CLAIMED_ON}; the text names no measure of "
            "the other approach",
        ),
    }
