"""Whom should one ask whether a model is right? What is said of it."""

from __future__ import annotations

import numpy as np

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.second_opinions import SMALL, THIRDS, SecondOpinions
from metacog.verdicts.verdict import Verdict


def answer(result: SecondOpinions) -> str:
    """Whose word tells more, and for which models."""
    best = result.thirds.iloc[-1]
    own = "; most of the most accurate are exceptions" if best.own_better > best.models / 2 else ""
    return (
        f"For {result.n_better} of {result.n_models} models, another model's answer tells right from wrong better than "
        f"their own stated confidence{own}."
    )


def worth(result: SecondOpinions) -> str:
    """How many second opinions an own word is worth, and what several opinions and all of it tell."""
    best, known = result.thirds.iloc[-1], result.models["worth"][np.isfinite(result.models["worth"])]
    most = f", and at most {known.max():.0f} for the rest" if (known > 0).any() else ""
    return (
        f"Of the {best.models} most accurate, the own word tells more for {best.own_better}. It is worth more than "
        f"sixteen second opinions for {result.n_worth_most} models, fewer than one for "
        f"{int((known == 0).sum())}{most}. The median AUROC2 is {result.median_own:.2f} for the own word, "
        f"{result.median_one:.2f} with one other model, {result.median_sixteen:.2f} with sixteen, and "
        f"{result.median_together:.2f} with all that can be asked."
    )


def families(result: SecondOpinions) -> str:
    """The same counted by maker, and what another reading of missing answers changes."""
    none = [str(r.family) for r in rows_of(result.families) if not r.better]
    exception = f" It is so for no model of {' or '.join(none)}." if none else ""
    return (
        f"Counted by maker, one other model tells more than the own word for most models of "
        f"{result.n_families_better} of {result.n_families}.{exception} Where a reply without an answer counts as "
        f"wrong, {result.n_changed} of {result.n_models} models say something else."
    )


def small(result: SecondOpinions) -> str:
    """Small models as second opinions."""
    models = result.models
    more = (models["small"] > models["own"]).groupby(models["third"]).agg(["sum", "size"])
    least, most = more.loc[THIRDS[0]], more.loc[THIRDS[2]]
    return (
        f"Four small models, of {result.n_small} with at most {SMALL} thousand million parameters, tell more than the "
        f"own word for {more['sum'].sum()} of {result.n_models} models: for {least['sum']} of the {least['size']} "
        f"least accurate and for {most['sum']} of the {most['size']} most accurate ones."
    )


def one_other(verdict: Verdict) -> str:
    """The verdict's sentence."""
    v = verdict.values
    return (
        f"One other model tells more than the own word for {v['holding']} of {v['of']} models, and less for "
        f"{v['against']}."
    )


VIEWS = Views(
    "second_opinions",
    sentences={"answer": answer, "own_word": worth, "by_maker": families, "small_models": small},
    verdicts={"one_other": one_other},
)
