"""What a study contributes to the chapters of no one study, as results of analyses of an agreed name.

A study that has an analysis ``headline`` or ``worked_tables`` gives back what that name stands for; nothing else has to
be declared (:attr:`metacog.studies.study.Analysis.across`). The tables of counts that readers can load into the page of
explorers are those of ``published_tables`` and ``run_tables``, both of which return :class:`RatingTables`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.words import listed, plural

#: An M-ratio has d' below it, and says nothing where that is nearly 0: such a one is not counted.
LEAST_D, LOW_D = 0.5, "d' is below 0.5"
#: Columns of :attr:`Headline.values`.
COLUMNS = ("model", "part", "published", "estimate", "lower", "upper", "why")


@dataclass(frozen=True)
class RatingTables:
    """Tables of counts by rating that a reader may load and change: the rows of :func:`rating_table`."""

    counts: pd.DataFrame


def rating_table(
    name: str, nR_S1: ArrayLike, nR_S2: ArrayLike, *, decision: bool, pad: float
) -> pd.DataFrame:
    """The rows of one table that readers may load and change.

    ``name`` is as readers know it. Without a ``decision`` between two alternatives the classes are wrong and right
    answers. ``rating`` runs from 1 (surest "S1", or least confident); ``pad`` is what the study adds to every count
    before it fits meta-d'.
    """
    counts = pd.DataFrame({"nR_S1": nR_S1, "nR_S2": nR_S2}, dtype="int64")
    return counts.assign(name=name, decision=decision, pad=float(pad), rating=range(1, len(counts) + 1))


def rating_tables(tables: Iterable[pd.DataFrame]) -> RatingTables:
    """All tables of :func:`rating_table` as one record."""
    nothing = rating_table("", [], [], decision=False, pad=0.0)
    return RatingTables(pd.concat(list(tables) or [nothing], ignore_index=True))


@dataclass(frozen=True)
class Headline:
    """A study's result of each model in one number, next to those of the models that were published.

    Attributes
    ----------
    quantity, meaning : str
        What it is called, and what it tells, for a reader who meets it here first.
    nothing : float
        Its value where nothing is known of one's own answers; NaN where there is none.
    values : DataFrame
        :data:`COLUMNS`: ``model`` as readers know it, ``part`` (such as a task; empty where there is one), whether
        it is ``published``, ``estimate`` with its 95 % interval where there is one, and ``why`` it cannot be
        judged (empty where it can).
    """

    quantity: str
    meaning: str
    nothing: float
    values: pd.DataFrame


def asked_again(first: Headline, second: Headline) -> str:
    """Whether models that were asked in two runs give the same in both; empty where none was.

    Two values agree where their difference is within its own 95 % interval, as two independent ones would have it.
    Those that cannot be judged in one of the runs are counted apart: their intervals would contain anything.
    """
    own = [one.values[~one.values["published"] & one.values["lower"].notna()] for one in (first, second)]
    asked = own[0].merge(own[1], on=["model", "part"], suffixes=("", "_again"))
    known = (asked["why"] == "") & (asked["why_again"] == "")
    both, n_open = asked[known], int((~known).sum())
    if both.empty:
        return f"Of {plural(n_open, 'value')} asked again none can be judged in both runs." if n_open else ""
    apart = (both["estimate_again"] - both["estimate"]).abs()
    widths = [(both[f"upper{end}"] - both[f"lower{end}"]) / 2 for end in ("", "_again")]
    agrees = apart <= np.hypot(widths[0], widths[1])
    unjudged = f" {plural(n_open, 'other')} cannot be judged in one run or in either." if n_open else ""
    where = both["model"].where(both["part"] == "", both["model"] + ", " + both["part"])[~agrees]
    return (
        f"Asked again on this machine, {agrees.sum()} of {plural(len(both), 'value')} ({first.quantity}) came within "
        f"what chance explains of the reference run{f'; not {listed(where)}' if len(where) else ''}.{unjudged}"
    )


#: What signals of confidence are worth in a study's run, one row a model, task and signal (each as readers know it):
#: AUROC2 with its interval, ``n`` answers, ``why`` there is none; and what abstaining below a threshold, chosen on
#: other questions, adds to the share of right decisions of the better of answering all and none.
AREA_COLUMNS = ("model", "task", "signal", "auroc2", "auroc2_lower", "auroc2_upper", "n", "why")
GAIN_COLUMNS = ("model", "task", "signal", "gain", "gain_lower", "gain_upper", "accuracy", "n")


def signal_areas_of(areas: Iterable[Mapping[str, Any]], gains: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The result; of signals that were measured twice for one task the later row stands."""
    table = pd.DataFrame(list(areas), columns=list(AREA_COLUMNS))
    table = table.assign(why=table["why"].fillna(""))
    table = table.drop_duplicates(["model", "task", "signal"], keep="last", ignore_index=True)
    return {"areas": table, "gains": gains[list(GAIN_COLUMNS)].reset_index(drop=True)}


#: Whether a signal of confidence is what a model was asked to state, or the probability of its answer.
STATED, BEHIND = "what it states", "probability of its answer"
#: What a study's run says of small models: AUROC2 of signals on each part of it (``source`` is empty where a signal is
#: neither of the two); how many replies in each form could be read; and how often each of its claims is borne out.
OF_AREAS = ("model", "part", "signal", "source", "auroc2", "auroc2_lower", "auroc2_upper", "n", "why", "same")
OF_FORMS = ("model", "form", "asked", "read")
OF_CLAIMS = ("claim", "model", "answer", "yes", "no", "why")


def small_models_of(
    areas: pd.DataFrame, forms: pd.DataFrame, claims: Iterable[Mapping[str, Any]]
) -> dict[str, pd.DataFrame]:
    """The result of a study's analysis of the name ``small_models``, which the page on them reads.

    ``same`` of what a model states is :func:`commonest`; a study that asks for no number has none.
    """
    return {
        "areas": areas.assign(same=areas.get("same", np.nan))[list(OF_AREAS)].reset_index(drop=True),
        "forms": forms[list(OF_FORMS)].reset_index(drop=True),
        "claims": pd.DataFrame([*claims], columns=list(OF_CLAIMS)),
    }


def commonest(stated: pd.Series) -> float:
    """The share of replies that state the commonest value; NaN without a value."""
    return float(stated.value_counts(normalize=True).max())


def read_in_form(trials: pd.DataFrame, form: str | pd.Series, read: pd.Series) -> pd.DataFrame:
    """How many replies each model gave in a form, and how many of them could be ``read``."""
    rows = pd.DataFrame({"model": trials["model"], "form": form, "asked": 1, "read": read.astype(int)})
    return rows.groupby(["model", "form"], sort=False).sum().reset_index()


def claim_of(claim: str, model: str, units: Iterable[tuple[bool | None, str]]) -> dict[str, Any]:
    """How often a claim is borne out in one model: of each unit whether it is, None where that is open, and why.

    A unit whose reason is no interval and no p could not be judged at all.
    """
    known = list(units)
    judged = [holds for holds, why in known if holds is not None or _NUMBERS.search(why)]
    yes, no = judged.count(True), judged.count(False)
    answer = f"{yes} of {len(judged)}" if judged else "not testable"
    if len(judged) == 1:
        answer = "yes" if yes else "no" if no else "undecided"
    reasons = "; ".join(dict.fromkeys(why for _, why in known if why))
    against = f"the reverse is shown in {no} of {len(judged)}" if no and len(judged) > 1 else ""
    why = "; ".join(filter(None, (against, reasons)))
    return {"claim": claim, "model": model, "answer": answer, "yes": yes, "no": no, "why": why}


#: A reason that is an interval or a p: it was judged, and lies on neither side.
_NUMBERS = re.compile(r"p = |-?[\d.]+ to -?[\d.]+|the interval contains")

#: Trials of a study's run as readers can look them up: ``task`` is in words; ``place`` tells trials of one question,
#: model and temperature apart; ``key`` is the right answer; ``sure`` is 1 where ``confidence`` is above the median of
#: that model's trials of the task at that temperature, 0 where it is not, -1 without a confidence; ``turned`` says
#: which other marking would turn the mark, and is empty where none would.
TRIAL_COLUMNS = (
    *("study", "task", "model", "temperature", "question_id", "place", "question", "key", "answer", "right"),
    *("confidence", "sure", "turned"),
)


def headline_values(run: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """The values of a headline from two tables that have ``model``, ``estimate`` and what else they know."""
    known: dict[str, Any] = {"part": "", "lower": float("nan"), "upper": float("nan"), "why": ""}
    parts = [rows.assign(published=flag) for rows, flag in ((run, False), (published, True))]
    both = pd.concat([p.assign(**{k: v for k, v in known.items() if k not in p}) for p in parts if len(p)])
    return both[list(COLUMNS)].reset_index(drop=True)
