"""Whose confidence tells whose right answers from wrong ones? What is said of it."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study8_people.beside import ASKED, LOWER, UNLIKE, Beside, judge
from metacog.verdicts.verdict import Verdict
from metacog.verdicts.words import OUTCOME

#: Both differences on one side of 0.
SWAPPED = "People's confidence says more about {0} answers, and models' confidence more about {1} answers."
#: What becomes of a difference: above 0, below, open.
SAYS = {
    True: "own confidence says more than {other}",
    False: "own confidence says less than {other}",
    None: "own confidence is not told apart from {other}",
}


def answer(result: Beside) -> str:
    """Own confidence against that of the other kind, for both."""
    passed = {v.name: v.passed for v in judge(result.differences)}
    people, models = passed["people_own"], passed["models_own"]
    if people is models is True:
        return SWAPPED.format("people's", "models'")
    if people is models is False:
        return SWAPPED.format("models'", "people's")
    told = (SAYS[people].format(other="a model's"), SAYS[models].format(other="a person's"))
    return f"About people's answers, {told[0]}; about models' answers, {told[1]}."


def size(result: Beside) -> str:
    """How well each does on its own answers."""
    own = result.areas.iloc[0]
    return (
        f"Own confidence is higher on the right one of two items for people in {own['people']:.0%} of pairs "
        f"({own['people_lower']:.0%} to {own['people_upper']:.0%}), for models in {own['models']:.0%} "
        f"({own['models_lower']:.0%} to {own['models_upper']:.0%}); a coin would do so in half."
    )


def crossed(result: Beside) -> str:
    """What changing confidences between the kinds costs, over both."""
    row = result.differences.set_index("name").loc["kinds"]
    return (
        "Let people and models change their confidences with each other: over both, AUROC2 changes by "
        f"{-row['difference']:+.3f} ({-row['difference_upper']:+.3f} to {-row['difference_lower']:+.3f})."
    )


def oneself(result: Beside) -> str:
    """Whether own confidence says more than that of another of the same kind, and for which rows that holds."""
    verdict = next(v for v in judge(result.differences) if v.name == "models_another")
    rest = result.ways.iloc[1:]
    holding = int((rest["models_another_lower"] > 0).sum())
    few = int(result.areas.iloc[1]["n_people"])
    says = {True: "says more", False: "says less", None: "is not shown to say more"}[verdict.passed]
    return (
        f"A model's own confidence {says} about its answers than that of another maker's model "
        f"({verdict.values['difference']:+.3f}). Of {len(rest)} parts of the data, {holding} show it by themselves. "
        f"For people this cannot be told: only {few} comparisons have a second person."
    )


def common(result: Beside) -> str:
    """What people and models share of difficulty."""
    told = []
    for row in rows_of(result.shared):
        if pd.isna(row.r):
            told.append(f"for {row.what} this cannot be told, since two people share too little")
        else:
            told.append(
                f"for {row.what} the correlation is {row.r:.2f} ({row.r_lower:.2f} to {row.r_upper:.2f})"
            )
    return (
        "How far is what is hard for people hard for models? With chance taken off, "
        f"{' and '.join(told)}; 1 would be one difficulty for both."
    )


def experts(result: Beside) -> str:
    """Whether experts know better, by their own rating."""
    table = result.expertise.set_index("people")
    gap, low = table.loc["difference"], table.loc[LOWER]
    sure = gap["own_lower"] > 0 or gap["own_upper"] < 0
    how = "differs" if sure else "is not shown to differ"
    right = "are right more often" if gap["accuracy_lower"] > 0 else "are not shown to be right more often"
    return (
        f"People who rate their expertise higher {right} ({gap['accuracy']:+.3f}, {gap['accuracy_lower']:+.3f} to "
        f"{gap['accuracy_upper']:+.3f}), and how well their confidence tells right from wrong {how} "
        f"({gap['own']:+.3f}, {gap['own_lower']:+.3f} to {gap['own_upper']:+.3f}). Experts is what they call "
        f"themselves: the lower half's mean rating is {low['expertise']:.0f} of 100."
    )


def held(result: Beside) -> str:
    """How often intervals hold the truth and the page claims what is not so, in simulations."""
    table = result.worlds
    judged, page = table[table["covers"].notna()], table[table["covers"].isna()]
    share = judged["covers"] / judged["known"].clip(lower=1)
    share = share[judged["known"] > judged["runs"] / 2]
    claims = ", ".join(f"{int(r.above)} of {int(r.runs)} runs ({r.world})" for r in rows_of(page))
    unlike = rows_of(table[table["world"].eq(UNLIKE) & table["name"].eq(ASKED["models_another"])])[0]
    return (
        f"In simulations of these people, items and models, 95 % intervals hold the truth in {share.min():.1%} to "
        f"{share.max():.1%} of runs. Something that is not so is claimed in {claims}. "
        "Where some makers' models find other things hard, and none knows itself, own confidence is said to tell more "
        f"than another maker's in {unlike.above} of {unlike.runs}."
    )


def _told(verdict: Verdict) -> str:
    return f"{OUTCOME[verdict.passed].capitalize()}: {verdict.values['difference']:+.3f}."


NAMES = ("people_own", "models_own", "kinds", "models_another")
VIEWS = Views(
    "beside",
    sentences={
        "answer": answer,
        "size": size,
        "crossed": crossed,
        "oneself": oneself,
        "common": common,
        "experts": experts,
        "held": held,
    },
    verdicts=dict.fromkeys(NAMES, _told),
)
