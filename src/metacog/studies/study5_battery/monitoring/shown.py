"""Who stands by what is right: tables and sentences of deltas, ranks and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metacog.core.words import listed, plural
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.verdict_words import undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.monitoring import figures
from metacog.studies.study5_battery.monitoring.analysis import Monitoring, Profiles
from metacog.studies.study5_battery.monitoring.ranks import ALPHA
from metacog.studies.study5_battery.showing.columns import BET_DELTA, COUNTS, DELTA, MODEL, TRACK


def probes(result: Monitoring) -> str:
    """Whether both deltas order the models in the same way."""
    return (
        f"Withdraw and bet deltas order the models alike to a correlation of {result.probes_r:.2f} "
        f"(Spearman, 95 % {result.probes_lower:.2f} to {result.probes_upper:.2f})."
    )


def unranked(result: Monitoring) -> str:
    """Means that rest on too few tracks."""
    few = result.board[~result.board["complete"]]
    names = [f"{m} ({n})" for m, n in zip(few["model"], few["n_defined"], strict=True)]
    return f"Means over fewer than five tracks are not ranked: {listed(names)}."


def survival_sentence(verdict: Verdict) -> str:
    """How many pairs keep their order."""
    v = verdict.values
    return (
        f"Of {plural(v['models'], 'rank')} by {v['what']}, {v['complete']} rest on all five tracks. Of the "
        f"{v['pairs']} pairs among these, {v['pairs_alone']} keep their order by their own 95 % interval "
        f"and {v['pairs_together']} when all are judged together; of the {v['neighbours']} pairs of "
        f"neighbours, {v['neighbours_alone']} and {v['neighbours_together']}. {v['above_zero']} of the "
        f"{v['complete']} means lie above zero with their entire interval; by exact permutation within "
        f"tracks {v['above_by_p']} do (p < {ALPHA}, each judged alone), and {v['above_by_holm']} when all "
        "are judged together (Holm)."
    )


def inversion_sentence(verdict: Verdict) -> str:
    """Both correlations."""
    every, complete = verdict.values["every"], verdict.values["complete"]
    return (
        f"Spearman's correlation of accuracy with the mean withdraw delta is {every.r:.2f} over all "
        f"{every.n} models (95 % {every.lower:.2f} to {every.upper:.2f}) and {complete.r:.2f} over the "
        f"{complete.n} with complete means ({complete.lower:.2f} to {complete.upper:.2f})."
    )


def rule_sentence(verdict: Verdict) -> str:
    """Which printed profiles do not follow from the rule."""
    v = verdict.values
    texts = [f"The rule gives {v['agree']} of {v['models']} models their printed profile."]
    texts += [
        f"{r['model']} is {r['rule']} by rule and {r['printed']} in the paper ({r['why']})."
        for r in v["differing"]
    ]
    return " ".join(texts) + undecided_clause(verdict.undecided)


def plateau_sentence(verdict: Verdict) -> str:
    """How many profiles a shift by five points changes."""
    v = verdict.values
    return (
        f"Shifting one threshold by 5 points changes up to {v['alone']:.0f} of 20 profiles, shifting all three "
        f"up to {v['together']:.0f}. The text states both that none changes and that 9 to 10 do."
    )


def fragments(result: Profiles) -> str:
    """How many models have one profile on every track."""
    distinct = result.by_track["distinct"]
    one = result.by_track.loc[distinct == 1, "model"]
    names = f": {listed(one)}" if len(one) else ""
    text = f"{len(one)} of {len(distinct)} models have one profile on all of T1 to T5{names}."
    several = distinct[distinct > 1]
    return (
        f"{text} The other models have {several.min():.0f} to {several.max():.0f}." if len(several) else text
    )


def page_answer(result: Monitoring) -> str:
    """How many models monitor themselves, how many rank claims hold, and whether accuracy tells which."""
    ranks, inverted = (_of_topic(result, topic) for topic in ("ranks", "inversion"))
    one = inverted["complete"]
    told = "goes with" if one.excludes() else "is not shown to tell"
    return (
        f"{ranks['above_zero']} of {ranks['complete']} models withdraw wrong answers more often than right ones, "
        f"beyond chance (95 %). But of the {ranks['pairs']} claims that one of them does so better than another, "
        f"{ranks['pairs_together'] or 'none'} {'survives' if ranks['pairs_together'] == 1 else 'survive'} when all are "
        f"judged together; and accuracy {told} who does it well (Spearman's correlation {one.r:.2f}, {one.lower:.2f} "
        f"to {one.upper:.2f})."
    )


def _of_topic(result: Monitoring, topic: str) -> Mapping[str, Any]:
    """What the verdict on a topic reports."""
    return next(v.values for v in result.verdicts if v.topic == topic)


MONITORING = Views(
    "monitoring",
    tables={
        "per_track": Schema(
            "per_track",
            columns_of(
                MODEL,
                TRACK,
                COUNTS,
                number("accuracy", "Accuracy"),
                number("kc", "KEEP of right, %", 1),
                number("ki", "KEEP of wrong, %", 1),
                DELTA,
                BET_DELTA,
            ),
            "Rates of KEEP, withdraw and bet deltas in points, with Newcombe's intervals. A dash: undefined.",
        ),
        "board": Schema(
            "board",
            columns_of(
                MODEL,
                DELTA,
                number("p", "p", 4),
                number("holm", "Holm", 4),
                count("n_defined", "Tracks"),
                number("accuracy", "Accuracy"),
                count("accuracy_rank", "by accuracy"),
                count("rank", "by delta"),
                limits("rank_from", "rank_to", "Ranks not ruled out", 0),
                count("printed_rank", "Printed"),
            ),
            "Mean withdraw delta over T1 to T5 with a 95 % score interval; p by exact permutation within "
            "tracks, by itself and with Holm's correction. Only means over five tracks are ranked.",
        ),
        "bets": Schema(
            "bets",
            columns_of(
                MODEL,
                number("delta", "Bet delta", 1),
                limits("lower", "upper", digits=1),
                count("n_defined", "Tracks"),
                number("stood", "BET, %", 1),
                count("rank", "by bet delta"),
                limits("rank_from", "rank_to", "Ranks not ruled out", 0),
            ),
            "The same for the second probe.",
        ),
    },
    figures={"deltas": figures.deltas, "ranks": figures.ranks},
    sentences={"answer": page_answer, "probes": probes, "unranked": unranked},
    verdicts={"survival": survival_sentence, "inversion": inversion_sentence},
    claims={
        "survival": lambda verdict: f"most pairs of models can be ranked by {verdict.values['what']}",
        "inversion": "ranks by accuracy and by withdraw delta are inverted",
    },
)
PROFILES = Views(
    "profiles",
    tables={
        "models": Schema(
            "models",
            columns_of(
                MODEL,
                number("stood", "KEEP, %", 1),
                DELTA,
                text("rule", "By rule"),
                text("printed", "Printed"),
                answer("same", "Agree"),
                number("stable", "Same in resamples", 2),
            ),
            "Profiles by the printed thresholds next to the printed profiles.",
        ),
        "alone": Schema(
            "alone",
            columns_of(
                text("threshold", "Threshold"),
                number("usual", "Printed", 0),
                number("value", "Set to", 0),
                count("changed", "Profiles changed"),
                count("as_printed", "As printed"),
            ),
            "One threshold moved at a time: how many of the 20 profiles change, and how many are the "
            "printed ones.",
        ),
        "by_track": Schema(
            "by_track",
            columns_of(
                MODEL, (text(t, t) for t in (*RETROSPECTIVE, "T6")), count("distinct", "Kinds on T1 to T5")
            ),
            "The profile of each model on each track. T6 is judged by the path chosen beforehand.",
        ),
    },
    figures={
        "map": figures.profile_map,
        "fragmentation": figures.fragmentation,
        "thresholds": figures.thresholds,
    },
    sentences={"fragments": fragments},
    verdicts={"rule": rule_sentence, "plateau": plateau_sentence},
    claims={"plateau": "no shift of the thresholds by 5 points changes a profile"},
)
VIEWS = (MONITORING, PROFILES)
