"""The battery on the models of the run: do they keep what is right and withdraw what is wrong?"""

from __future__ import annotations

import numpy as np

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study5_battery.replication import Monitoring, Regulation
from metacog.studies.study5_battery.replication_trials import SIGNALS
from metacog.verdicts.needed import area_cost

#: What a model did on T6, by the path that it chose.
CHOSEN = {"ANSWER_DIRECTLY": "answered directly", "REQUEST_HINT": "asked for a hint", "DECLINE": "declined"}
#: By which side of chance the probability of KEEP lies on.
SIDES = {1: "higher for right answers", -1: "lower for right answers"}
#: What is said of one model and of several, by what their choices show.
TOLD = {
    "some": (
        "{model} withdraws its {more} answers more often than its {less} ones.",
        "{n} of {of} models here {are} shown to withdraw {more} answers more often than {less} ones{but}.",
    ),
    "constant": (
        "{model} {verb} every answer, right or wrong{behind}.",
        "All answers are kept, or all withdrawn{behind}.",
    ),
    "open": (
        "Whether {model} withdraws its wrong answers more often {behind}.",
        "Whether wrong answers are withdrawn more often {behind}.",
    ),
}


def page_answer(result: Monitoring) -> str:
    """Whether wrong answers are withdrawn; where the choice does not show it, whether its probability does."""
    rows = [row for row in rows_of(result.means) if np.isfinite(row.stood)]
    if not rows:
        return "No model of this run can be judged: no conversation with an answer was understood from end to end."
    above, below = (sum(ends) for ends in zip(*((r.lower > 0, r.upper < 0) for r in rows), strict=True))
    one, n, stood = len(rows) == 1, above or below, rows[0].stood
    constant = all(row.stood in (0, 100) for row in rows)
    how = "some" if n else "constant" if constant else "open"
    verb = "keeps" if stood else "withdraws"
    more, less = ("wrong", "right") if above else ("right", "wrong")
    but = "; some do the reverse" if above and below else ""
    sides = _sides(result)
    behind = ", so that this choice tells nothing" if constant else "than right ones cannot be told"
    if side := next((s for s in SIDES if s in sides), 0):
        where = "" if one else f"in {sides.count(side)} of {len(rows)} models "
        yet = "; yet" if constant else "cannot be told;"
        behind = f"{yet} {where}the probability behind the choice is {SIDES[side]}"
    return TOLD[how][not one].format(
        model=rows[0].model,
        n=n,
        of=len(rows),
        are="is" if n == 1 else "are",
        verb=verb,
        more=more,
        less=less,
        but=but,
        behind=behind,
    )


def _sides(result: Monitoring) -> list[int]:
    """On which side of chance the probability of KEEP lies, by model: 1, -1, or 0 where that cannot be told."""
    graded = result.graded[result.graded["signal"] == SIGNALS["p_keep"]]
    return [int(row.lower > 0.5) - int(row.upper < 0.5) for row in rows_of(graded)]


def needed(result: Monitoring) -> str:
    """How many answers would settle whether the probability of KEEP tells right from wrong, where none does."""
    graded = result.graded[(result.graded["signal"] == SIGNALS["p_keep"]) & result.graded["lower"].notna()]
    if graded.empty or any(_sides(result)):
        return ""
    most = int(graded["n"].max())
    cost = area_cost(float((1 - graded["n_incorrect"] / graded["n"]).median()), most)
    return f"Whether the probability behind the choice tells right from wrong is open, too: {cost}."


def chosen_paths(result: Regulation) -> str:
    """What each model chose on T6, and whether another habit would have paid more."""
    texts = []
    for model, rows in result.paths.groupby("model", sort=False):
        share, total = rows.set_index("path")["share"], float(rows["all"].iloc[0])
        than = "as much as declining throughout"
        if total != 0.25:
            than = f"{'more' if total > 0.25 else 'less'} than declining throughout (0.25)"
        texts.append(
            f"{model} {CHOSEN[str(share.idxmax())]} on {share.max():.0f} % of T6 and earned {total:.2f} points per "
            f"item, {than}."
        )
    return " ".join(texts) or "T6 was not asked, or none of its conversations was understood from end to end."


VIEWS = (
    Views(
        "replication_monitoring",
        sentences={"answer": page_answer, "needed": needed},
        claims={
            "monitors": "wrong answers are withdrawn more often than right ones",
            "grades": "the probability of KEEP is higher where the answer is right",
        },
    ),
    Views("replication_regulation", sentences={"chosen_paths": chosen_paths}),
)
