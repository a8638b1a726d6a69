"""What the probe's replication finds, in sentences."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study4_probe.ledger.published import plain
from metacog.studies.study4_probe.measures import shown as shared
from metacog.studies.study4_probe.measures.strategies import RULE
from metacog.studies.study4_probe.replication.analysis import Replication
from metacog.studies.study4_probe.replication.analysis_items import ReplicationItems
from metacog.studies.study4_probe.replication.answer import page_answer, settling, sure_and_wrong
from metacog.studies.study4_probe.replication.judging import RULES


def requests(result: Replication) -> str:
    """One request of each task and what was replied, as Markdown."""
    parts = [
        f"**{plain(row.task).capitalize()}.** *Point for: {row.rubric.rstrip('.')}. This reply "
        f"{'earned' if row.right else 'did not earn'} it.*\n\n"
        f"```text\n{row.instruction}\n\n{row.item}\n\n> {_quoted(row.reply)}\n```"
        for row in rows_of(result.examples)
    ]
    return "\n\n".join(parts)


def _quoted(reply: str) -> str:
    return reply.replace("```", "'''").replace("\n", "\n> ") or "(nothing)"


def failures(result: Replication) -> str:
    """How often the form of a reply failed."""
    by_model = result.profile.groupby("model", sort=False)[["unread", "items"]].sum()
    named = [
        f"{int(row['unread'])} of {int(row['items'])} replies of {model}"
        for model, row in by_model.iterrows()
    ]
    return f"The form failed in {listed(named)}."


def murphy_loss(result: ReplicationItems) -> str:
    """What most of each model's loss is."""
    return shared.murphy_loss(result.murphy)


def strategy_rule(_: ReplicationItems) -> str:
    """The rule in words."""
    most, ceiling = f"{RULE.most:.0%}", f"{RULE.ceiling:.0%}"
    return (
        f"Confidence is *constant* if it has one value; *near the ceiling* if at least {most} of it lies at "
        f"{ceiling} of the top of the scale or above; *two-valued* if two values make up at least {most}; *graded* "
        f"otherwise; *not stated* if less than half of the replies hold one, or fewer than {RULE.fewest}."
    )


def in_every_model(verdict: Verdict) -> str:
    """Whether a claim holds in every model, and of which it is known."""
    v = verdict.values
    parts = [f"found in {listed(v['found'])}"] if v["found"] else []
    parts += [f"ruled out in {listed(v['against'])}"] if v["against"] else []
    known = f": it is {' and '.join(parts)}" if parts else ""
    open_ = undecided_clause(verdict.undecided)
    return f"{v['what']} in every model is {OUTCOME[verdict.passed]}{known}.{open_}"


def claimed(verdict: Verdict) -> str:
    """What a verdict judges."""
    return f"{verdict.values['what']}, in every model"


VIEWS = (
    Views(
        "replication",
        sentences={
            "answer": page_answer,
            "sure_and_wrong": sure_and_wrong,
            "settling": settling,
            "requests": requests,
            "failures": failures,
        },
        verdicts={"in_every_model": in_every_model},
        claims={"in_every_model": claimed},
        rules=RULES,
    ),
    Views(
        "replication_items",
        sentences={"murphy_loss": murphy_loss, "strategy_rule": strategy_rule},
        verdicts={"in_every_model": in_every_model},
        claims={"in_every_model": claimed},
        rules=RULES,
    ),
)
