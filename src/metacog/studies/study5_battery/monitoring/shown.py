"""Who stands by what is right: what is said of deltas, ranks and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from metacog.core.words import listed, plural
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study5_battery.monitoring.analysis import Monitoring, Profiles


def page_answer(result: Monitoring) -> str:
    """How many models monitor themselves, and whether they can be ranked."""
    ranks = _of_topic(result, "ranks")
    above, n = ranks["above_zero"], ranks["complete"]
    if not above:
        return f"None of {n} models is shown to withdraw its wrong answers more often than its right ones."
    most = 2 * ranks["pairs_together"] > ranks["pairs"]
    rest = "most of them can be ranked" if most else "which of them do so better mostly cannot be told"
    return f"{above} of {n} models withdraw wrong answers more often than right ones; {rest}."


def pairs(result: Monitoring) -> str:
    """How many claims that one model does better than another hold."""
    ranks = _of_topic(result, "ranks")
    together = ranks["pairs_together"]
    return (
        f"Of {ranks['pairs']} pairs of models, {together or 'none'} {'keeps its' if together == 1 else 'keep their'} "
        "order when all are judged together."
    )


def accuracy(result: Monitoring) -> str:
    """Whether accuracy tells who does it well."""
    one = _of_topic(result, "inversion")["complete"]
    told = "goes with" if one.excludes() else "is not shown to tell"
    return (
        f"Accuracy {told} who withdraws well: Spearman's correlation is {one.r:.2f} ({one.lower:.2f} to "
        f"{one.upper:.2f}) over {one.n} models."
    )


def probes(result: Monitoring) -> str:
    """Whether both deltas order the models in the same way."""
    return (
        f"Withdraw and bet deltas order the models alike to a correlation of {result.probes_r:.2f} "
        f"({result.probes_lower:.2f} to {result.probes_upper:.2f})."
    )


def rule(result: Profiles) -> str:
    """Which printed profiles do not follow from the rule, and how they move with its thresholds."""
    told, moved = (next(v.values for v in result.verdicts if v.name == name) for name in ("rule", "plateau"))
    off = listed(r["model"] for r in told["differing"])
    return (
        f"The printed rule gives {told['agree']} of {told['models']} models their printed profile"
        + (f" (not {off})" if off else "")
        + f". Shifting one threshold by 5 points changes up to {moved['alone']:.0f} profiles, shifting all three up to "
        f"{moved['together']:.0f}."
    )


def fragments(result: Profiles) -> str:
    """How many models have one profile on every track."""
    distinct = result.by_track["distinct"]
    one = plural(int((distinct == 1).sum()), "model")
    return f"{one} of {len(distinct)} would have one profile on all five tracks."


def survival_sentence(verdict: Verdict) -> str:
    """How many pairs keep their order."""
    v = verdict.values
    return (
        f"By {v['what']}, {v['pairs_together']} of {v['pairs']} pairs keep their order when judged together."
    )


def inversion_sentence(verdict: Verdict) -> str:
    """The correlation of accuracy and delta."""
    one = verdict.values["complete"]
    return f"Accuracy and mean withdraw delta correlate at {one.r:.2f} ({one.lower:.2f} to {one.upper:.2f})."


def rule_sentence(verdict: Verdict) -> str:
    """How many printed profiles follow from the rule."""
    return f"The rule gives {verdict.values['agree']} of {verdict.values['models']} models their printed profile."


def plateau_sentence(verdict: Verdict) -> str:
    """How many profiles a shift by five points changes."""
    return f"Shifting one threshold by 5 points changes up to {verdict.values['alone']:.0f} of 20 profiles."


def _of_topic(result: Monitoring, topic: str) -> Mapping[str, Any]:
    """What the verdict on a topic reports."""
    return next(v.values for v in result.verdicts if v.topic == topic)


VIEWS = (
    Views(
        "monitoring",
        sentences={"answer": page_answer, "pair_count": pairs, "accuracy": accuracy, "probes": probes},
        verdicts={"survival": survival_sentence, "inversion": inversion_sentence},
        claims={
            "survival": lambda verdict: f"most pairs of models can be ranked by {verdict.values['what']}",
            "inversion": "ranks by accuracy and by withdraw delta are inverted",
        },
    ),
    Views(
        "profiles",
        sentences={"rule_said": rule, "fragments": fragments},
        verdicts={"rule": rule_sentence, "plateau": plateau_sentence},
        claims={"plateau": "no shift of the thresholds by 5 points changes a profile"},
    ),
)
