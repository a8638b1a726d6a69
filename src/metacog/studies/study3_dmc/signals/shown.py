"""Which signal tells right answers from wrong ones, in words."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.needed import area_cost
from metacog.report.views import Views
from metacog.studies.study3_dmc.signals.analysis import Signals


def page_answer(result: Signals) -> str:
    """The best way of asking that does better than chance (Holm), of one model or of several."""
    best = result.ranking[result.ranking["beyond"]].drop_duplicates("model")
    n_models = result.pooled["model"].nunique()
    if result.ranking.empty:
        return "No way of asking yields a confidence that can be ranked: replies are too few or all alike."
    if best.empty:
        most = plural(int(result.pooled["questions"].max()), "question")
        return f"Whether any way of asking tells right answers from wrong ones cannot be told from {most}."
    first = best.sort_values("auroc2", ascending=False).iloc[0]
    pairs = f"{first['auroc2']:.0%} of pairs of a right and a wrong answer"
    if n_models == 1:
        return (
            f"{first['name']} does best: in {pairs} of {first['model']}, the right one has more confidence."
        )
    if len(best) < n_models:
        return (
            f"{len(best)} of the {n_models} models know something of their errors, {first['model']} most, asked by "
            f"{first['name']}."
        )
    return f"Every model knows something of its errors, {first['model']} most: {first['name']} is right in {pairs}."


def settling(result: Signals) -> str:
    """How many questions would settle it, where no way of asking is shown to do better than chance."""
    if len(result.ranking) and result.ranking["beyond"].any():
        return ""
    cost = area_cost(float(result.pooled["accuracy"].median()), int(result.pooled["questions"].max()))
    return f"{cost[:1].upper()}{cost[1:]}." if cost else ""


VIEWS = (Views("signals", sentences={"answer": page_answer, "settling": settling}),)
