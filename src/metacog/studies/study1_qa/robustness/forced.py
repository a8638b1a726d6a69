"""R5, forced decoding: was the right answer likely, although the model gave a wrong one?

For questions answered wrongly at T = 1 the accepted answers and the wrong answer are scored as
continuations of the same prompt, and their normalised log-probabilities are compared. The best of
several accepted answers has several chances to win, so the key answer alone is compared too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.report.verdicts import Verdict
from metacog.sdt.intervals import percentile_limits, wilson
from metacog.studies.study1_qa.cells.counts import REFERENCE
from metacog.studies.study1_qa.robustness.judging import judge_forced

#: Columns of a table of forced decodings, one row per question.
COLUMNS = {
    "model": "str",
    "dataset": "str",
    "question_id": "str",
    "domain": "str",
    "wrong": "str",  # the wrong answer as it was generated
    "nlp_recorded": "float64",  # its NLP when it was generated
    "nlp_wrong": "float64",  # its NLP when scored again, as the others are
    "n_tokens_wrong": "int64",
    "key": "str",
    "nlp_key": "float64",  # the first accepted answer
    "best_alias": "str",
    "nlp_best_alias": "float64",
    "n_tokens_best": "int64",
    "n_aliases": "int64",  # accepted answers scored
    "n_known_aliases": "int64",  # accepted answers there are
    "seed": "int64",
}


_TABLE = (
    "model",
    "dataset",
    "n",
    *(f"share_{name}{end}" for name in ("best", "key", "sum") for end in ("", "_lower", "_upper")),
    "median_gap",
    "aliases_scored",
    "rescoring_gap",
)
#: What :func:`with_lowest` adds.
LOWEST = ("lowest", "right_lowest", "right_lowest_lower", "right_lowest_upper")


@dataclass(frozen=True)
class Forced:
    """R5.

    Attributes
    ----------
    table : DataFrame
        One row per model and question set: ``n``, ``share_best`` (best accepted answer likelier than the
        wrong one) with limits, ``share_key`` with limits, ``share_sum`` (the same accepted answer by its
        whole log-probability: the mean over tokens favours long names whose end follows from their
        beginning) with limits, ``median_gap`` (best minus wrong, nats per
        token), ``rescoring_gap`` (median absolute difference of the wrong answer's two NLPs).
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def check_forced(frame: pd.DataFrame) -> pd.DataFrame:
    """Check a table of forced decodings and give it back.

    Raises
    ------
    MetacogError
        Naming missing columns or the number of rows without a finite score.
    """
    missing = [c for c in COLUMNS if c not in frame.columns]
    if missing:
        raise MetacogError(f"the table of forced decodings lacks the columns {', '.join(missing)}")
    scores = frame[["nlp_wrong", "nlp_key", "nlp_best_alias"]].to_numpy(dtype=np.float64)
    if not np.isfinite(scores).all():
        raise MetacogError(f"{int((~np.isfinite(scores)).any(axis=1).sum())} forced decodings have no score")
    return frame


def analyse_forced(
    frame: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Forced:
    """Share of wrongly answered questions whose right answer was the likelier; questions resampled."""
    rows = []
    for (model, dataset), group in check_forced(frame).groupby(["model", "dataset"], sort=False):
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        gap = (group["nlp_best_alias"] - group["nlp_wrong"]).to_numpy(dtype=np.float64)
        key = (group["nlp_key"] - group["nlp_wrong"]).to_numpy(dtype=np.float64)
        row: dict[str, object] = {"model": model, "dataset": dataset, "n": len(group)}
        whole = (
            group["nlp_best_alias"] * group["n_tokens_best"] - group["nlp_wrong"] * group["n_tokens_wrong"]
        ).to_numpy(dtype=np.float64)
        for name, values in (("best", gap), ("key", key), ("sum", whole)):
            share = float((values > 0).mean())
            low, high = percentile_limits(rng.binomial(len(group), share, n_resamples) / len(group))
            row |= {f"share_{name}": share, f"share_{name}_lower": low, f"share_{name}_upper": high}
        row["median_gap"] = float(np.median(gap))
        row["aliases_scored"] = float(group["n_aliases"].mean())
        row["rescoring_gap"] = float((group["nlp_wrong"] - group["nlp_recorded"]).abs().median())
        rows.append(row)
    table = pd.DataFrame(rows, columns=list(_TABLE))
    found = tuple(judge_forced(row) for row in table.to_dict("records")) if verdicts else ()
    return Forced(table, found)


def with_lowest(table: pd.DataFrame, frame: pd.DataFrame, trials: pd.DataFrame) -> pd.DataFrame:
    """R5's table, and how many of the same questions each model gets right at the lowest temperature.

    That an accepted answer is likelier than the wrong one that was drawn does not make it the model's usual
    answer: the wrong one may be improbable itself. The answer at the lowest temperature is the usual one, nearly.

    Parameters
    ----------
    table : DataFrame
        Of :func:`analyse_forced`.
    frame : DataFrame
        The forced decodings it rests on.
    trials : DataFrame
        Open answers, one a model, question and temperature.

    Returns
    -------
    DataFrame
        The table with ``lowest`` (the temperature; missing where there is none below 1) and ``right_lowest,
        right_lowest_lower, right_lowest_upper`` (share of its questions, with Wilson's 95 % interval).
    """
    rows = []
    for row in table.to_dict("records"):
        own = trials[(trials["model"] == row["model"]) & (trials["dataset"] == row["dataset"])]
        decoded = frame[(frame["model"] == row["model"]) & (frame["dataset"] == row["dataset"])]
        cool = own[(own["temperature"] < REFERENCE) & own["question_id"].isin(decoded["question_id"])]
        lowest = float(cool["temperature"].min())
        right = cool.loc[cool["temperature"] == lowest, "correct"].to_numpy(dtype=np.float64)
        share = float(right.mean()) if right.size else np.nan
        low, high = (float(end) for end in wilson(share, max(right.size, 1)))
        ends = {"right_lowest_lower": low, "right_lowest_upper": high}
        rows.append(row | {"lowest": lowest, "right_lowest": share, **ends})
    return pd.DataFrame(rows, columns=[*table.columns, *LOWEST])
