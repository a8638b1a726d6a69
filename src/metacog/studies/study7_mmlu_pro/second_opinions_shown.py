"""Whom should one ask whether a model is right? What is said of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.second_opinions import NEAR, POOLS, SMALL, THIRDS, SecondOpinions
from metacog.verdicts.verdict import Verdict


def answer(result: SecondOpinions) -> str:
    """Whose word tells more for most sets of weights, and with weaker others."""
    whole, weaker = (_pool(result, pool) for pool in ("any", "weaker"))
    half = weaker.weights / 2
    end = "; with weaker ones it varies"
    if weaker.own_better_weights > half:
        end = "; for most, a weaker model's tells less"
    elif weaker.better_weights > half:
        end = "; for most, even a weaker model's does"
    return (
        f"For {whole.better_weights} of {whole.weights} models, another model's answer tells right from wrong better "
        f"than their own stated confidence{end}."
    )


def _pool(result: SecondOpinions, name: str) -> Any:
    return next(row for row in rows_of(result.pools) if row.pool == name)


def who_decides(result: SecondOpinions) -> str:
    """The same counted by run and by who is asked, and what intervals leave out."""
    whole, weaker, equal = (_pool(result, pool) for pool in POOLS)
    return (
        f"Runs of the same weights count once; of all runs it is {whole.better} of {whole.runs}. Who is asked decides. "
        f"Where the others are no more accurate than the model, one of them tells more for {weaker.better_weights} "
        f"of {weaker.weights} models and less for {weaker.own_better_weights}; where their accuracy is within "
        f"{NEAR:g} of the model's, more for {equal.better_weights} of {equal.weights} and less for "
        f"{equal.own_better_weights}. Intervals are over questions only."
    )


def in_simulations(result: SecondOpinions) -> str:
    """How often the rule claims something of models whose own word tells as much as an equal's answer."""
    by = result.simulated.groupby(["pool", "judged"])[["n_runs", "above_0", "below_0"]].sum()
    equal, whole = by.loc["equal"], by.loc["any"]
    either = int(equal[["above_0", "below_0"]].to_numpy().sum())
    return (
        "In simulated models whose own word tells about as much as the answer of one about as accurate, the rule with "
        f"such others says that either tells more in {either} of {int(equal['n_runs'].sum())} runs. With all others "
        f"asked, it says that another tells more in {whole.above_0['weak']} of {whole.n_runs['weak']} runs of a weak "
        f"model, and that the own word does in {whole.below_0['strong']} of {whole.n_runs['strong']} of a strong one. "
        "So a count over all others is about this list of models, and not about what models know of themselves."
    )


def worth(result: SecondOpinions) -> str:
    """How many second opinions an own word is worth, and what several opinions and all of it tell."""
    best, models = result.thirds.iloc[-1], result.models
    known, fewer = models["worth"][np.isfinite(models["worth"])], models["worth"] == 0
    most = f", and at most {known.max():.0f} for the rest" if (known > 0).any() else ""
    shown = int((fewer & (models["better"] == "yes")).sum())
    return (
        f"Of the {best.models} most accurate runs, the own word tells more for {best.own_better}. By the estimates it "
        f"is worth more than sixteen second opinions for {result.n_worth_most} runs, fewer than one for "
        f"{int(fewer.sum())} (for {shown} of them the interval shows it){most}. The median AUROC2 is "
        f"{result.median_own:.2f} for the own word, {result.median_one:.2f} with one other model, "
        f"{result.median_sixteen:.2f} with sixteen, and {result.median_together:.2f} with all that can be asked."
    )


def families(result: SecondOpinions) -> str:
    """The same counted by maker, and what another reading of missing answers changes."""
    none = [str(r.family) for r in rows_of(result.families) if not r.better]
    exception = f" It is so for no run of {' or '.join(none)}." if none else ""
    return (
        f"Counted by maker, one other model tells more than the own word for most runs of "
        f"{result.n_families_better} of {result.n_families}.{exception} Where a reply without an answer counts as "
        f"wrong, {result.n_changed} of {result.n_models} runs say something else."
    )


def small(result: SecondOpinions) -> str:
    """Small models as second opinions."""
    models = result.models
    more = (models["small"] > models["own"]).groupby(models["third"]).agg(["sum", "size"])
    least, most = more.loc[THIRDS[0]], more.loc[THIRDS[2]]
    return (
        f"Four small models, of {result.n_small} with at most {SMALL} thousand million parameters, tell more than the "
        f"own word for {more['sum'].sum()} of {result.n_models} runs: for {least['sum']} of the {least['size']} "
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
    sentences={
        "answer": answer,
        "who_decides": who_decides,
        "in_simulations": in_simulations,
        "own_word": worth,
        "by_maker": families,
        "small_models": small,
    },
    verdicts={"one_other": one_other},
)
