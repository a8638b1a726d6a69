"""Is it self-knowledge? Sentences on what several models' answers to common items say.

Made from :class:`metacog.verdicts.self_knowledge.SelfKnowledge`; a page puts together those it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pandas as pd

from metacog.measures.own_and_others import simulated_like
from metacog.verdicts.outcomes import of_rule, those, together
from metacog.verdicts.rules import Unit, at_least
from metacog.verdicts.self_knowledge import (
    HALF,
    OVER_MODELS,
    SelfKnowledge,
    counted,
    diagonal_of,
    too_few_others,
    unheard,
    without_placebo,
)
from metacog.verdicts.words import OUTCOME

#: What the pages mean by difficulty and by what remains, for a reader who meets them here first.
READING = """\
A model's confidence may only say what anyone could have said: that the question is hard. So each model's confidence is
set beside what the **other models** said and knew, on the same questions.

- **Own**, **others' mean**: how well the model's own confidence, and the others' mean confidence, tell this model's
  right answers from its wrong ones (AUROC2). **Others right**: the same for the share of the others that answered
  correctly. It measures how hard a question is.
- **Beyond difficulty**: AUROC2 among questions that equally many others answered correctly, less what confidence would
  have there that only reads difficulty. **Share**: how much of the information in confidence difficulty does not
  explain.
- **Placebo**: the same with the confidence of a model of another family in the place of the model's own. It knows
  nothing of this model, so that whatever remains of it is no self-knowledge.
- **The same answer**: confidence may read how plausible anybody finds the answer given. That beats every placebo, which
  speaks of another answer, and is no self-knowledge either. So confidence must also add something, in bits, to whatever
  blend says most of the others' answers and confidence, of how many of them **give this same answer**, and of how
  confident these are. Where nobody's answers are known, or too few others answered, that cannot be told.
- Whoever knows how many others give an answer often nearly knows whether it is right. Then there is nothing left to
  add, even for a model that knows itself.
- What remains **can be too much or too little**. Too much, since a difficulty that no other model shows is taken for
  the model's own; too little, since whatever a model knows of itself that difficulty also shows has been taken off.
"""


#: How the answer ends, by whether at least half of the models are better than their placebo, and, where that is open,
#: by whether any is better and any worse.
HEADS = {
    "most": ": they know something of themselves",
    "some": "; the rest stay open",
    "mixed": "; some stay open",
    "none": "; all stay open",
    "few": "; {n_open} stay open",
    "difficulty": ": most read difficulty",
}


def headline(result: SelfKnowledge, models: str = "models") -> str:
    """In how many models own confidence is better than a placebo and all else others say; every page's answer."""
    if too_few_others(result.models):
        return (
            "Whether these models know themselves cannot be told: too few others answered the same questions to show "
            "how hard each is."
        )
    if without_placebo(result.models):
        return "Whether these models know themselves cannot be told: there is no model of another family to compare."
    better, n = result.n_better, result.n_ranked
    if unheard(result.models):
        return (
            f"Among equally hard questions, own confidence beats another model's in {result.n_ahead or 'none'} of {n} "
            f"{models}; what others say of the same answer is not known."
        )
    units = [Unit("", True)] * better + [Unit("", None, "open")] * result.n_open
    units += [Unit("", False)] * result.n_worse
    most = at_least(units, -(-n // 2))
    named = ("mixed" if result.n_worse else "some") if better else "few" if result.n_worse else "none"
    told = named if most is None else "most" if most else "difficulty"
    return (
        f"Own confidence is shown to say more of an answer than other models do in {better or 'none'} of {n} "
        f"{models}{HEADS[told].format(n_open=result.n_open)}."
    )


def ahead(result: SelfKnowledge) -> str:
    """In how many models own confidence is better than a placebo alone, and why that is not enough."""
    return (
        f"Among equally hard questions it does better than another model's in {result.n_ahead or 'none'}, which may be "
        "how plausible anybody finds the answer given."
    )


def most_of_it(result: SelfKnowledge) -> str:
    """How much of what confidence says is beyond difficulty."""
    share = result.models["share"].dropna()
    if share.empty:
        return ""
    middle = share.median()
    which = "is not" if middle >= HALF else "is"
    return (
        f"Most of what confidence says {which} how hard a question is for any model: the median share beyond that is "
        f"{middle:.0%}."
    )


def against(result: SelfKnowledge) -> str:
    """Own confidence against single others and their mean."""
    single, crowd = (counted(result.models, f"own_less_{one}", 0.0) for one in ("single_median", "crowd"))
    return (
        f"Own confidence does better than a single other model's for {single['holding']} of {result.n_models} models "
        f"(worse for {single['against']}), and better than the mean of the others' for {crowd['holding']} (worse for "
        f"{crowd['against']})."
    )


def like_these(result: SelfKnowledge, simulated: pd.DataFrame | None = None) -> str:
    """What would be found of models whose self-knowledge is known, in a table of about this size.

    ``simulated``: of :func:`metacog.measures.own_and_others.simulated_like`, where it is stored with the result.
    """
    near = simulated_like(result.models, result.n_items) if simulated is None else simulated
    table = near.set_index("kind")
    seen = table["above_0"] / table["n_judged"]
    one = table.iloc[0]
    sort = "confidence of two values" if one["values"] == "two" else "graded confidence"
    return (
        f"Among {one['n_models']} simulated models that answer {one['n_items']:,} questions with {sort}, something "
        f"seems to remain, before any placebo, for {seen['difficulty']:.0%} of those that know nothing of themselves "
        f"and for {seen['own state']:.0%} of those that read nothing but their own state."
    )


def diagonal(result: SelfKnowledge) -> str:
    """What the diagonal of the matrix has."""
    if result.means.empty:
        return "The models share too few answers for a matrix of confidences against correctness."
    one = diagonal_of(result.means)
    much = "more than" if one["lower"] > result.diagonal_without else "no more than"
    return (
        f"On average a model's confidence is {one['mean']:+.3f} better for its own answers than row and column make "
        f"one expect ({one['lower']:+.3f} to {one['upper']:+.3f}): {much} the {result.diagonal_without:+.3f} that "
        "simulated models without self-knowledge can give."
    )


def _over_models(result: Any, name: str) -> str:
    table = result.outcomes
    held, of = len(those(table, name, True)), len(of_rule(table, name))
    return f"{SUBJECTS[name]} is {OUTCOME[together(table, name)]}: so for {held} of {of} models."


#: What each rule is about.
SUBJECTS = {
    "remains": "That most models' own confidence says more of their answers than other models do",
    "most": "That most of what their confidence says is beyond difficulty",
    "single": "That most models' own confidence says more about them than another model's",
    "crowd": "That most models' own confidence says more about them than the others' mean confidence",
    "privileged": "That models' confidence fits their own answers better than row and column make one expect",
}


def _privileged(result: Any) -> str:
    one = diagonal_of(result.means)
    p, least = one["p"], one.get("least_p")
    # where no permutation gave as much, more of them could have a smaller p
    told = f"at most {p:.3f}" if least is not None and p <= least * (1 + 1e-9) else f"= {p:.3f}"
    return (
        f"{SUBJECTS['privileged']} is {OUTCOME[together(result.outcomes, 'privileged')]}: {one['mean']:+.3f} on the "
        f"diagonal ({one['lower']:+.3f} to {one['upper']:+.3f}), p {told}. Without "
        f"self-knowledge up to {result.diagonal_without:+.3f}."
    )


SENTENCES: Mapping[str, Callable[[SelfKnowledge], str]] = {
    "answer": headline,
    "ahead": ahead,
    "most_of_it": most_of_it,
    "against": against,
    "diagonal": diagonal,
}
VERDICTS: Mapping[str, Callable[[Any], str]] = {
    **{name: partial(_over_models, name=name) for name in OVER_MODELS},
    "privileged": _privileged,
}
