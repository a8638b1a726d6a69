"""Whose confidence tells whose right answers from wrong ones? What is said of it."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study8_people.beside import (
    ALONE,
    ASKED,
    EACH_UNLIKE,
    LOWER,
    OF_ONESELF,
    ONESELF,
    OTHER_KIND_SAME,
    OWN,
    SOURCES,
    UNLIKE,
    Beside,
    judge,
)
from metacog.studies.study8_people.rows import MADE_BY
from metacog.verdicts.verdict import Verdict
from metacog.verdicts.words import OUTCOME

#: Both differences on one side of 0; where it is shown on items of one origin alone, on which.
SWAPPED = (
    "{0} confidence says more about people's answers{2}, and {1} confidence more about models' answers{3}."
)
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
    if people is not None and people is models:
        kinds = ("People's", "models'") if people else ("Models'", "people's")
        return SWAPPED.format(*kinds, *(_on(result, name, people) for name in ("people_own", "models_own")))
    told = (SAYS[people].format(other="a model's"), SAYS[models].format(other="a person's"))
    return f"About people's answers, {told[0]}; about models' answers, {told[1]}."


def _on(result: Beside, name: str, above: bool) -> str:
    """On items of which origin a difference is shown by itself, where that is not all of them."""
    rows = {of: _row(result.ways, "way", f"items {of}") for of in MADE_BY.values()}
    shown = [
        of for of, row in rows.items() if (row[f"{name}_lower"] > 0 if above else row[f"{name}_upper"] < 0)
    ]
    return f" to items {listed(shown)}" if 0 < len(shown) < len(rows) else ""


def _row(table: pd.DataFrame, column: str, name: str) -> pd.Series:
    return table[table[column] == name].iloc[0]


def _gap(result: Beside, name: str) -> str:
    return _interval(_row(result.differences, "name", name), "difference")


def _interval(row: pd.Series, name: str) -> str:
    return f"{row[name]:+.3f} ({row[f'{name}_lower']:+.3f} to {row[f'{name}_upper']:+.3f})"


def _claimed(result: Beside, world: str, name: str) -> str:
    """In how many simulated runs a difference is claimed."""
    table = result.worlds
    row = table[table["world"].eq(world) & table["name"].eq(ASKED[name])].iloc[0]
    return f"{row['above']:.0f} of {row['runs']:.0f}"


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


def narrow(result: Beside) -> str:
    """On which items people's own confidence says more than a model's, and how often that would be claimed falsely."""
    row = _row(result.differences, "name", "people_own")
    ways = {of: _row(result.ways, "way", f"items {of}") for of in MADE_BY.values()}
    parts = [f"on items {of} {_interval(one, 'people_own')}" for of, one in ways.items()]
    return (
        f"For people's answers, own confidence less a model's is {_interval(row, 'difference')}, p = {row['p']:.3f}: "
        f"{' and '.join(parts)}. Suppose people's confidence says no more about their answers than a model's does, and "
        "models know something of themselves. In simulations of that, this page claims in "
        f"{_claimed(result, ALONE, 'people_own')} runs that people's says more."
    )


def same(result: Beside) -> str:
    """Whether somebody else's same answer tells more than own confidence."""
    passed = {v.name: v.passed for v in judge(result.differences)}
    says = {True: "says more", False: "says less", None: "is not told apart"}
    people, own = (_row(result.areas, "source", SOURCES[name]) for name in (OTHER_KIND_SAME, OWN))
    return (
        "Whether a model gives the same answer points to the right one of a person's two answers in "
        f"{people['people']:.0%} of pairs ({people['people_lower']:.0%} to {people['people_upper']:.0%}), the person's "
        f"own confidence in {own['people']:.0%}: own confidence **{says[passed['people_same']]}**, "
        f"{_gap(result, 'people_same')}. For models' answers, beside another maker's same answer, "
        f"own confidence **{says[passed['models_same']]}**: {_gap(result, 'models_same')}."
    )


def oneself(result: Beside) -> str:
    """Whether own confidence says more than that of others of its kind, for which rows, and how often without cause."""
    verdict = next(v for v in judge(result.differences) if v.name == ONESELF)
    rest = result.ways.iloc[1:]
    holding = int((rest[[f"{name}_lower" for name in OF_ONESELF]] > 0).all(axis=1).sum())
    few = int(result.areas.iloc[1]["n_people"])
    says = {True: "says more", False: "says less", None: "is not shown to say more"}[verdict.passed]
    another, maker = (_gap(result, name) for name in OF_ONESELF)
    return (
        f"A model's own confidence {says} about its answers than that of another maker's model, by {another}, and than "
        f"that of its maker's other models, by {maker}. Of {len(rest)} parts of the data, {holding} show both. "
        "Suppose *no* model knows anything of itself. In simulations in which makers' models then find different "
        f"things hard, the first is claimed in {_claimed(result, UNLIKE, OF_ONESELF[0])} runs and both in "
        f"{_claimed(result, UNLIKE, ONESELF)}. In some in which *each* model finds different things hard, both are "
        f"claimed in {_claimed(result, EACH_UNLIKE, ONESELF)}: that cannot be told here from knowledge of oneself. "
        f"For people neither can be asked: only {few} comparisons have a second person."
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
    judged, page = table[table["covers"].notna()], table[table["name"].eq("any that is 0")]
    share = judged["covers"] / judged["known"].clip(lower=1)
    share = share[judged["known"] > judged["runs"] / 2]
    claims = ", ".join(f"{r.above:.0f} of {r.runs:.0f} runs ({r.world})" for r in rows_of(page))
    return (
        f"In simulations of these people, items and models, 95 % intervals hold the truth in {share.min():.1%} to "
        f"{share.max():.1%} of runs. A difference where there is none is claimed in {claims}."
    )


def _told(verdict: Verdict) -> str:
    return f"{OUTCOME[verdict.passed].capitalize()}: {verdict.values['difference']:+.3f}."


NAMES = ("people_own", "models_own", "kinds", "people_same", "models_same", ONESELF)
VIEWS = Views(
    "beside",
    sentences={
        "answer": answer,
        "size": size,
        "crossed": crossed,
        "narrow": narrow,
        "same": same,
        "oneself": oneself,
        "common": common,
        "experts": experts,
        "held": held,
    },
    verdicts=dict.fromkeys(NAMES, _told),
)
