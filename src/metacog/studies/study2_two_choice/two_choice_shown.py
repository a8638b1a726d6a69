"""Does confidence use all that the decision knew, and what do the posteriors of the published tables say? In words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.sdt.decisions import Practical
from metacog.studies.study2_two_choice.paper import MODELS
from metacog.studies.study2_two_choice.two_choice import FIGURES, Group, Posterior, TwoChoice
from metacog.verdicts.posterior_words import predictive_sentence

#: M-ratio and meta-I1r lie far apart from this distance on; shares of bits up to this distance are alike.
FAR, ALIKE = 0.4, 0.05
#: What may explain a published figure that does not follow.
SHORT = "; chains like the paper's are too short to forget where they began, which may be the reason"


def page_answer(result: TwoChoice) -> str:
    """In how many cells the M-ratio lies below one."""
    ratios = result.ratios[result.ratios["kind"] == "optimality"]
    less, n = int((ratios["upper"] < 0).sum()), len(ratios)
    cells = f"{n} combinations of a model and a task"
    if not less:
        return f"In none of {cells} is the M-ratio shown to lie below one."
    where = f"all {cells}" if less == n else f"{less} of {cells}"
    return f"In {where} the M-ratio lies below one: by it, confidence uses less evidence than decisions."


def models_differ(result: TwoChoice) -> str:
    """How many pairs of models differ in M-ratio by more than the ROPE, and which most."""
    pairs = result.ratios[result.ratios["kind"] == "models"]
    clear = pairs[pairs["decision"] == Practical.SIGNIFICANT]
    if clear.empty:
        return "No pair of models is shown to differ in M-ratio by more than the paper calls negligible."
    most = rows_of(clear)[int(np.argmax(clear["difference"].abs()))]
    return (
        f"{len(clear)} of {plural(len(pairs), 'pair')} of models differ in M-ratio by more than the paper calls "
        f"negligible. The largest difference: on task {most.task} {MODELS[most.first]} has "
        f"{np.exp(most.difference):.2f} times the M-ratio of {MODELS[most.second]}."
    )


def orders(result: TwoChoice) -> str:
    """Whether meta-I1r orders pairs of models as the M-ratio does."""
    known = result.cells.set_index(["task", "model"])["meta_i1r"].to_dict()
    pairs = rows_of(result.ratios[result.ratios["kind"] == "models"])
    turned = [r for r in pairs if (known[r.task, r.first] - known[r.task, r.second]) * r.difference < 0]
    if not turned:
        return "meta-I1r orders the models as the M-ratio does on every task."
    apart = sum(bool(r.lower > 0 or r.upper < 0) for r in turned)
    names = listed(f"{MODELS[r.first]} and {MODELS[r.second]} (task {r.task})" for r in turned)
    return (
        f"meta-I1r orders {len(turned)} of {plural(len(pairs), 'pair')} of models the other way ({names}); the M-ratio "
        f"tells {apart or 'none'} of these apart."
    )


def far_apart(result: TwoChoice) -> str:
    """Where meta-I1r and the M-ratio lie far apart, and how much of that levels and the fitted model explain."""
    gap = result.cells["m_ratio"] - result.cells["meta_i1r"]
    rows = result.cells[gap.abs() > FAR]
    if rows.empty:
        return f"In no combination do the two lie more than {FAR:g} apart."
    names = listed(
        f"{MODELS[r.model]} on task {r.task} ({r.m_ratio:.2f} against {r.meta_i1r:.2f})"
        for r in rows_of(rows)
    )
    off = float((rows["i1r_fitted"] - rows["meta_i1r"]).abs().max())
    end = (
        "so bell curves do not part the two: few levels cost bits, and an M-ratio below 1 costs more than it says"
        if off < ALIKE
        else "so part of the distance is that bell curves do not describe the ratings"
    )
    return (
        f"They lie more than {FAR:g} apart in {len(rows)} of {len(result.cells)} combinations: {names}. An ideal "
        f"observer that gives each level as often as these models do keeps {_span(rows['i1r_levels'])} of its bits. "
        f"The model that is fitted for the M-ratio keeps {_span(rows['i1r_fitted'])}, within {off:.2f} of what these "
        f"ratings do: {end}."
    )


def _span(shares: pd.Series) -> str:
    low, high = (f"{100 * end:.0f}" for end in (shares.min(), shares.max()))
    return f"{low} %" if low == high else f"{low} to {high} %"


def fits(result: Posterior) -> str:
    """In how many tables of ratings the model behind the ratio fits."""
    n, fit = len(result.predictive), int(result.predictive["fits"].sum())
    return f"The model behind this ratio fits the ratings of {fit} of {plural(n, 'combination')}."


def figures_reproduced(result: Posterior) -> str:
    """How many published figures the ledger calls a match, and which published d' do not follow from their counts."""
    both = result.compared
    found = (
        f"{int(both['matches'].sum())} of {plural(FIGURES * len(both), 'published figure')} are reproduced."
    )
    odd = (
        f"The published d' of {row.name} on task {row.task} does not follow from its counts: {row.published:.4f} is "
        f"printed, {row.d_prime:.4f} follows{SHORT if row.too_short else ''}."
        for row in rows_of(result.evidence)
    )
    return " ".join([found, *odd])


def group_m_ratio(result: Group) -> str:
    """The group's M-ratio on each task, by the hierarchical model."""
    if not result.sampling.sound:
        return "The group's M-ratio is not to be relied on, because the sampling is not sound."
    groups = rows_of(result.groups)
    parts = [
        f"{g.m_ratio:.2f} on task {g.condition} ({g.m_ratio_lower:.2f} to {g.m_ratio_upper:.2f})"
        for g in groups
    ]
    return f"Models like these {int(groups[0].tables)} have on average an M-ratio of {listed(parts)}."


VIEWS = (
    Views(
        "two_choice",
        sentences={
            "answer": page_answer,
            "models_differ": models_differ,
            "orders": orders,
            "far_apart": far_apart,
        },
    ),
    Views(
        "posterior",
        sentences={
            "fits": fits,
            "figures_reproduced": figures_reproduced,
            "prediction": lambda result: predictive_sentence(result.predictive),
        },
    ),
    Views("posterior_group", sentences={"group_m_ratio": group_m_ratio}),
)
