"""What the probe's replication finds, in sentences."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS
from metacog.studies.study4_probe.measures import CONSTANT, RULE, UNREAD, UNSTATED
from metacog.studies.study4_probe.paper import plain
from metacog.studies.study4_probe.replication import LEVEL, RULES, Replication
from metacog.verdicts.needed import area_cost

#: The rule of :class:`.strategies.Rule` in words.
STRATEGIES = (
    f"Confidence is *constant* if it has one value; *near the ceiling* if at least {RULE.most:.0%} of it lies at "
    f"{RULE.ceiling:.0%} of the top of the scale or above; *two-valued* if two values make up at least "
    f"{RULE.most:.0%}; *graded* otherwise; *not stated* if less than half of the replies hold one, or fewer than "
    f"{RULE.fewest}."
)
#: Confidence, out of 100, from which on a wrong answer counts as sure.
SURE = 90


def page_answer(result: Replication) -> str:
    """Whether stated confidence follows correctness, and in how many models; one model by its name."""
    t1 = result.profile[result.profile["task"] == "T1-CC"]
    known = t1["p"].le(LEVEL)
    follows, against = (int((known & side).sum()) for side in (t1["lower"].gt(50), t1["upper"].lt(50)))
    if follows:
        counter = ", and against it in others" if against else ""
        if follows == len(t1):
            return f"Yes: stated confidence goes with being right in {_of(follows, t1)}."
        return f"Stated confidence is shown to go with being right in {_of(follows, t1)}{counter}."
    if against:
        return f"No: stated confidence is shown to go against being right in {_of(against, t1)}."
    alone = t1["model"].iloc[0] if len(t1) == 1 else ""
    lost = t1["note"].str.endswith(UNREAD)
    if lost.all():
        read, asked = int((t1["items"] - t1["unread"]).sum()), int(t1["items"].sum())
        return f"It cannot be told: {read or 'none'} of {plural(asked, 'reply', 'replies')} could be read."
    if t1["note"].eq(CONSTANT).all():
        who = f"{alone} always says" if alone else "all models always say"
        return f"It cannot be told: on a scale of ten, {who} the same."
    whose = f"the confidence that {alone} states" if alone else "stated confidence"
    if (t1["note"].isin([CONSTANT, UNSTATED]) | lost).all():
        return f"It cannot be told: {whose} never varies, or could not be read."
    items = plural(int(t1["items"].max()), "item")
    return f"Whether {whose} goes with being right cannot be told from {items}."


def _of(k: int, rows: pd.DataFrame) -> str:
    return str(rows["model"].iloc[0]) if len(rows) == 1 else f"{k} of {plural(len(rows), 'model')}"


def sure_and_wrong(result: Replication) -> str:
    """How many wrong answers came with a high confidence out of 100."""
    rows = result.audit[(result.audit["task"] == "T4-CR") & result.audit["stated"].notna()]
    wrong = rows[~rows["right"].astype(bool)]
    if wrong.empty:
        return "Of the answers with a confidence out of 100, none was wrong."
    sure = int((wrong["stated"] >= SURE).sum())
    models = rows["model"].unique()
    whose = f"{models[0]} stated {{}} of its" if len(models) == 1 else "they stated {} of their"
    told = whose.format(f"{SURE} or more for {sure or 'none'}")
    return f"Asked for a confidence out of 100, {told} {plural(len(wrong), 'wrong answer')}."


def settling(result: Replication) -> str:
    """What would settle it: more items, or, where confidence never varies, no number of them."""
    t1 = result.profile[result.profile["task"] == "T1-CC"]
    stuck = t1[t1["note"].isin([CONSTANT, UNSTATED]) | t1["note"].str.endswith(UNREAD)]
    varied = t1.drop(stuck.index)
    words = []
    if len(varied):
        items = int(varied["items"].max())
        cost = area_cost(float((varied["right"] / varied["items"]).median()), items)
        words.append(f"More than {plural(items, 'item')}{f': {cost}' if cost else ''}.")
    if len(stuck):
        words.append(
            f"No number of items for {listed(stuck['model'])}: confidence out of 10 never varies, or was not read."
        )
    return " ".join(words)


def requests(result: Replication) -> str:
    """One request of each task with a confidence, and what was replied, as Markdown."""
    return _requests(result.examples[result.examples["task"].isin(TASKS_WITH_ANSWERS)])


def other_requests(result: Replication) -> str:
    """The same of the other tasks."""
    return _requests(result.examples[~result.examples["task"].isin(TASKS_WITH_ANSWERS)])


def _requests(examples: pd.DataFrame) -> str:
    return "\n\n".join(
        f"**{plain(row.task).capitalize()}.** *Point for: {row.rubric.rstrip('.')}. This reply "
        f"{'earned' if row.right else 'did not earn'} it.*\n\n"
        f"```text\n{row.instruction}\n\n{row.item}\n\n> {_quoted(row.reply)}\n```"
        for row in rows_of(examples)
    )


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


VIEWS = (
    Views(
        "replication",
        sentences={
            "answer": page_answer,
            "sure_and_wrong": sure_and_wrong,
            "settling": settling,
            "requests": requests,
            "other_requests": other_requests,
            "failures": failures,
        },
        rules=RULES,
    ),
    Views(
        "replication_items",
        rules={**RULES, "strategies": STRATEGIES},
    ),
)
