"""Do the atlas's effects show again? What is said of it."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.replication import (
    CANNOT_TELL,
    FAILS,
    HOLDS,
    LEFT_OUT,
    NOTHING,
    RULE,
    WRONG,
    Replication,
)
from metacog.verdicts.bounds import ABOVE, BELOW, NONE, OPEN

#: What the second set says of own confidence against another family's among equally hard questions.
REMAINS = {
    ABOVE: "own confidence tells more than another family's",
    BELOW: "own confidence tells less than another family's",
    NONE: "own confidence tells no more than another family's",
}
#: How differences are called, and what own confidence tells by what is found of one.
OWN_LESS, TELLS = "own less ", {ABOVE: "more than", BELOW: "less than", NONE: "as much as"}


def answer(result: Replication) -> str:
    """How many effects show again, and whether own confidence is better among equally hard questions."""
    judged = result.n_holds + result.n_fails + result.n_open
    many = "All effects" if result.n_holds == judged else f"{result.n_holds or 'None'} of {judged} effects"
    (remains,) = rows_of(result.effects[result.effects["effect"] == "remains"])
    again = REMAINS.get(
        remains.second_found, "whether own confidence tells more than another family's cannot be told"
    )
    without = ", which needs no self-knowledge" if remains.alike else ""
    return f"{many} of the atlas hold on MMLU-Pro: among equally hard questions, {again}{without}."


def outcomes(result: Replication) -> str:
    """Which effects of the rule do not hold, and what was added to it."""
    table = result.effects[result.effects["fixed"]].set_index("called")["outcome"]
    said = {
        FAILS: "Not found again: {}.",
        CANNOT_TELL: "Left open by the second set: {}.",
        NOTHING: "Left open by the atlas itself: {}.",
    }
    parts = [
        words.format(listed(table.index[table == outcome]))
        for outcome, words in said.items()
        if (table == outcome).any()
    ] or ["Nothing that the atlas found is missing."]
    for row in rows_of(result.effects[~result.effects["fixed"]]):
        says = row.outcome
        if says == HOLDS:
            says = f"{_found(row.second_found, row.reference)} in both sets"
        parts.append(f"Not counted, since it was added later: {row.called} ({says}).")
    return " ".join(parts)


def questions(result: Replication) -> str:
    """How many questions both sets may share, and what is found where few can be."""
    asked = result.effects[result.effects["fixed"] & (result.effects["new_outcome"] != "")]
    holds = asked["new_outcome"] == HOLDS
    missing = f" Not found again there: {listed(asked.loc[~holds, 'called'])}." if not holds.all() else ""
    share = result.n_first_items / result.n_mmlu_test
    return (
        f"The atlas's {result.n_first_items:,} questions are from MMLU, and so are {result.n_mmlu:,} of MMLU-Pro's. "
        "Which of them are the same cannot be told: neither set of replies holds the texts, and MMLU-Pro put new "
        f"options in a new order. It may be all {result.n_first_items:,}; if each of MMLU's "
        f"{result.n_mmlu_test:,} was as likely in either, it is about {round(share * result.n_mmlu, -1):.0f}. So the "
        "effects are asked again of the categories of which at most a third is from MMLU. Of their "
        f"{result.n_new:,} questions at most {result.n_new_mmlu:,} can be the atlas's, by the same reckoning about "
        f"{round(share * result.n_new_mmlu, -1):.0f}. There, without the {plural(result.n_again, 'model')} that the "
        f"atlas has as well, {holds.sum()} of {len(asked)} effects of the rule hold.{missing}"
    )


def without_self_knowledge(result: Replication) -> str:
    """Which of the effects that hold are there in simulated sets without self-knowledge, too."""
    own = result.effects
    held = own[own["fixed"] & (own["outcome"] == HOLDS) & (own["worlds"] > 0)]
    alike = held["alike"] > 0
    never = f" Never so: {listed(held.loc[~alike, 'called'])}." if not alike.all() else ""
    return (
        f"What holds is a statistic, and need not be self-knowledge. Of the {len(held)} effects that hold and were "
        f"simulated, {alike.sum()} come out the same in a simulated set in which no model knows anything of itself "
        f"({result.effects['worlds'].max()} kinds of such sets).{never}"
    )


def in_both(result: Replication) -> str:
    """The overview's first sentence: what both sets show."""
    own = _named(result)
    own = own[own["outcome"] == HOLDS]
    differs = own["called"].str.startswith(OWN_LESS)
    told = [(words, own[differs & (own["second_found"] == says)]) for says, words in TELLS.items()]
    parts = [
        f"{words} {listed(some['called'].str.removeprefix(OWN_LESS).str.replace(', ', ' '))}"
        for words, some in told
        if len(some)
    ]
    said = ["own confidence tells " + ", and ".join(parts)] if parts else []
    for _, some in own[~differs].groupby(["second_found", "reference"], sort=False):
        says = _found(some["second_found"].iloc[0], some["reference"].iloc[0])
        said.append(f"{says}: {listed(some['called'])}")
    return f"In both sets {'; '.join(said)}." if said else "Nothing is shown by both sets."


def in_one(result: Replication) -> str:
    """Its second: what MMLU-Pro shows and the atlas does not, because it shows something else or nothing."""
    own = _named(result)
    own = own[~own["outcome"].isin([HOLDS, CANNOT_TELL])]
    return _apart("In one set and not in the other", own[own["second_found"] != OPEN])


def cannot_be_told(result: Replication) -> str:
    """Its third: what MMLU-Pro leaves open."""
    own = _named(result)
    return _apart("Cannot be told", own[own["second_found"] == OPEN])


def _named(result: Replication) -> pd.DataFrame:
    """Effects, those that were not in the rule called so."""
    own = result.effects
    return own.assign(called=own["called"].where(own["fixed"], own["called"] + " [added later]"))


def _apart(words: str, effects: pd.DataFrame) -> str:
    """Effects with what each set says of them."""
    each = [
        f"{r['called']} ({_found(r['first_found'], r['reference'])} in the atlas, "
        f"{_found(r['second_found'], r['reference'])} in MMLU-Pro)"
        for r in effects.to_dict("records")
    ]
    return f"{words}: {'; '.join(each) or 'none of these effects'}."


def _found(says: str, reference: float) -> str:
    return f"{says} {reference:g}" if says in (ABOVE, BELOW) else says


def blend(result: Replication) -> str:
    """Whether what remains may be something else, and how often simulated sets with and without it are found."""
    own = result.effects.set_index("effect").loc["blend"]
    ours = result.simulated["self_share"] > 0
    of = result.simulated["effect"]
    most = result.simulated[~ours & (of == "blend")]
    without, known = (result.simulated[which & (of == "remains")] for which in (~ours, ours))
    runs, called = int(without["n_runs"].sum()), int(without["called_self_knowing"].sum())
    blind = "" if known["called_self_knowing"].any() else ": it would show nothing if it were there"
    told = "which is more" if own["second_lower"] > most["mean"].max() else "which may be as little"
    worst = rows_of(without.sort_values("called_self_knowing", ascending=False, kind="stable"))[0]
    where = (
        f", {worst.called_self_knowing} of {worst.n_runs} of the worst kind ({worst.world})" if called else ""
    )
    return (
        "What remains among equally hard questions need not be self-knowledge: simulated sets in which models know "
        f"nothing of themselves leave up to {without['mean'].max():+.3f}. To all that others say, of the question and "
        f"of the same answer, own confidence adds at most {most['mean'].max():.4f} bits there. Here it adds "
        f"{own['second']:.4f} ({own['second_lower']:.4f} to {own['second_upper']:.4f}), {told}. By both together the "
        f"rule calls {called} of {runs} such sets self-knowing{where}, and {known['called_self_knowing'].sum()} of "
        f"{known['n_runs'].sum()} in which a part of confidence is the model's own state{blind}. Sets of a kind that "
        "was not simulated may do worse."
    )


def sizes(result: Replication) -> str:
    """Which effects are of another size than in the atlas."""
    own = result.compared
    up, down = own["difference_lower"] > 0, own["difference_upper"] < 0
    same = own.loc[~up & ~down, "called"]
    said = [
        f"{word} in the second set: {listed(own.loc[which, 'called'])}."
        for word, which in (("Higher", up), ("Lower", down))
        if which.any()
    ]
    return " ".join([*said, f"For {len(same)} of {len(own)} the size may be the same."])


def within(result: Replication) -> str:
    """In how many categories an effect is found, and whether it varies."""
    own = result.within
    least = own.sort_values("same", kind="stable").iloc[0]
    differ = own.loc[own["p"] < 0.05 / len(own), "called"]
    end = (
        f"Between categories these effects differ: {listed(differ)}."
        if len(differ)
        else "None varies for sure."
    )
    return (
        f"In the fewest categories found again is {least['called']}: in {least['same']} of {least['n_categories']}; "
        f"{least['other']} say something else. {end}"
    )


def readings(result: Replication) -> str:
    """What changes where unanswered replies count as wrong."""
    table = result.readings.pivot(index="called", columns="unanswered", values="found")
    other = table.index[table[LEFT_OUT] != table[WRONG]]
    if not len(other):
        return "Counting replies without an answer as wrong changes what is found of none of these effects."
    return f"Counting replies without an answer as wrong changes what is found of {listed(other)}."


def of_families(result: Replication) -> str:
    """Whether one family carries what remains."""
    own = result.families[result.families["effect"] == "remains"]
    least, most = own.sort_values("value", kind="stable").iloc[[0, -1]].to_dict("records")
    above = int((own["found"] == ABOVE).sum())
    return (
        f"Own confidence tells more than another family's in {above} of {len(own)} families, "
        f"from {least['value']:+.3f} ({least['family']}) to {most['value']:+.3f} ({most['family']})."
    )


def ranks(result: Replication) -> str:
    """How far an order goes at either size."""
    atlas, here, whole = result.counts.to_dict("records")
    return (
        f"In the atlas {atlas['apart']:.0%} of pairs of models are shown to differ in AUROC2, here {here['apart']:.0%} "
        f"at the atlas's size and {whole['apart']:.0%} with all {whole['n_items']:,} questions that "
        f"{whole['n_models']} models answered, where {whole['may_lead']:.0f} may be first."
    )


def rule(result: Replication) -> str:
    """The rule."""
    return RULE


VIEWS = Views(
    "replication",
    sentences={
        "answer": answer,
        "outcomes": outcomes,
        "questions": questions,
        "without_self_knowledge": without_self_knowledge,
        "in_both": in_both,
        "in_one": in_one,
        "cannot_be_told": cannot_be_told,
        "blend": blend,
        "sizes": sizes,
        "within_categories": within,
        "unanswered": readings,
        "of_families": of_families,
        "ranks": ranks,
        "rule": rule,
    },
)
