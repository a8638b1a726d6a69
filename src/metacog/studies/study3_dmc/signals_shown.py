"""Which signal tells right answers from wrong ones, in words."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study3_dmc.signals import Signals
from metacog.verdicts.needed import area_cost

#: What the ways of asking show, by what is known; a way is best where its interval overlaps no other of its model.
ANSWER = {
    "nothing": "No way of asking yields a confidence that can be ranked: replies are too few or all alike.",
    "open": "Whether any way of asking tells right answers from wrong ones cannot be told from {questions}.",
    "best": "For {model}, {name} is best: right answers get more confidence than wrong ones in {pairs}.",
    "highest": "For {model}, {name} ranks highest, not shown best: right answers get more confidence than wrong ones "
    "in {pairs}.",
    "some": "{k} of the {n} models {are} shown to know something of their errors; {name} ranks highest, for {model}.",
    "every": "Every model is shown to know something of its errors; {name} ranks highest, for {model}: it is right in "
    "{pairs}.",
}


def page_answer(result: Signals) -> str:
    """The way of asking that ranks highest among those that do better than chance (Holm), and whether it is best."""
    best = result.ranking[result.ranking["beyond"]].drop_duplicates("model")
    n_models = result.pooled["model"].nunique()
    if result.ranking.empty:
        return ANSWER["nothing"]
    if best.empty:
        questions = plural(int(result.pooled["questions"].max()), "question")
        return ANSWER["open"].format(questions=questions)
    first = best.sort_values("auroc2", ascending=False, kind="stable").iloc[0]
    ranking = result.ranking
    others = ranking[(ranking["model"] == first["model"]) & (ranking["name"] != first["name"])]
    apart = bool((others["auroc2_upper"] < first["auroc2_lower"]).all())
    case = "every" if len(best) == n_models else "some"
    if n_models == 1:
        case = "best" if apart else "highest"
    told = {"model": first["model"], "name": first["name"], "pairs": f"{first['auroc2']:.0%} of pairs"}
    are = "is" if len(best) == 1 else "are"
    return ANSWER[case].format(**told, k=len(best), n=n_models, are=are)


def settling(result: Signals) -> str:
    """How many questions would settle it, where no way of asking is shown to do better than chance."""
    if len(result.ranking) and result.ranking["beyond"].any():
        return ""
    cost = area_cost(float(result.pooled["accuracy"].median()), int(result.pooled["questions"].max()))
    return f"{cost[:1].upper()}{cost[1:]}." if cost else ""


VIEWS = (Views("signals", sentences={"answer": page_answer, "settling": settling}),)
