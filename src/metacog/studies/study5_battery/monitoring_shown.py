"""Who stands by what is right: what is said of deltas, ranks and profiles."""

from __future__ import annotations

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study5_battery.monitoring import Monitoring, Profiles
from metacog.verdicts.verdict import Verdict


def page_answer(result: Monitoring) -> str:
    """How many models monitor themselves, adjusted for all, and whether they can be ranked."""
    ranks = _of_topic(result, "ranks").values
    above, n = ranks["above"], ranks["complete"]
    if not above:
        return f"None of {n} models is shown to withdraw its wrong answers more often than its right ones."
    most = 2 * ranks["pairs_together"] > ranks["pairs"]
    rest = "most of them can be ranked" if most else "which of them do so better mostly cannot be told"
    are = "is" if above == 1 else "are"
    return f"{above} of {n} models {are} shown to withdraw wrong answers more often than right ones; {rest}."


def survival(verdict: Verdict) -> str:
    """How many claims that one model does better than another hold."""
    v = verdict.values
    return (
        f"By {v['what']}, {v['pairs_together'] or 'none'} of {v['pairs']} pairs of models can be told apart when all "
        "are judged together."
    )


def inversion(verdict: Verdict) -> str:
    """Whether accuracy tells who does it well."""
    one = verdict.values["complete"]
    told = "goes with" if one.excludes() else "is not shown to tell"
    return (
        f"Accuracy {told} who withdraws well: Spearman's correlation is {one.r:.2f} ({one.lower:.2f} to "
        f"{one.upper:.2f}) over {one.n} models."
    )


def rule(result: Profiles) -> str:
    """Which printed profiles do not follow from the rule, and how they move with its thresholds."""
    told, moved = (next(v.values for v in result.verdicts if v.name == name) for name in ("rule", "plateau"))
    off = listed(r["model"] for r in told["differing"])
    return (
        f"The printed rule gives {told['agree']} of {told['models']} models their printed profile"
        + (f" (not {off})" if off else "")
        + f". Shifting one threshold by 5 points changes up to {moved['alone']:.0f} profiles."
    )


def pair_count(result: Monitoring) -> str:
    """The same of the ranks by withdraw delta."""
    return survival(_of_topic(result, "ranks"))


def accuracy(result: Monitoring) -> str:
    """The same of the result."""
    return inversion(_of_topic(result, "inversion"))


def _of_topic(result: Monitoring, topic: str) -> Verdict:
    return next(v for v in result.verdicts if v.topic == topic)


VIEWS = (
    Views(
        "monitoring",
        sentences={"answer": page_answer, "pair_count": pair_count, "accuracy": accuracy},
        verdicts={"survival": survival, "inversion": inversion},
    ),
    Views("profiles", sentences={"rule_said": rule}),
)
