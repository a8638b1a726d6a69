"""R5, forced decoding: was the right answer likely, although the model said a wrong one?

For questions answered wrongly at T = 1 the accepted answers and the wrong answer are scored as
continuations of the same prompt, and their normalised log-probabilities are compared. The best of
several accepted answers has several chances to win, so the key answer alone is compared too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.cells.contrasts import interval

#: Columns of a table of forced decodings, one row a question.
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
RULE = (
    "For questions answered wrongly at T = 1, NLP of the best accepted answer against NLP of the wrong "
    "answer: the share of questions where the right answer was the likelier one."
)


@dataclass(frozen=True)
class Forced:
    """R5.

    Attributes
    ----------
    table : DataFrame
        One row a model and question set: ``n``, ``share_best`` (best accepted answer likelier than the
        wrong one) with limits, ``share_key`` with limits, ``share_sum`` (the same accepted answer by its
        whole log-probability: the mean over tokens favours long names whose end follows from their
        beginning) with limits, ``median_gap`` (best less wrong, nats a
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
    for (model, dataset), own in check_forced(frame).groupby(["model", "dataset"], sort=False):
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        gap = (own["nlp_best_alias"] - own["nlp_wrong"]).to_numpy(dtype=np.float64)
        key = (own["nlp_key"] - own["nlp_wrong"]).to_numpy(dtype=np.float64)
        row: dict[str, object] = {"model": model, "dataset": dataset, "n": len(own)}
        whole = (
            own["nlp_best_alias"] * own["n_tokens_best"] - own["nlp_wrong"] * own["n_tokens_wrong"]
        ).to_numpy(dtype=np.float64)
        for name, values in (("best", gap), ("key", key), ("sum", whole)):
            share = float((values > 0).mean())
            low, high = interval(rng.binomial(len(own), share, n_resamples) / len(own))
            row |= {f"share_{name}": share, f"{name}_lo": low, f"{name}_hi": high}
        row["median_gap"] = float(np.median(gap))
        row["aliases_scored"] = float(own["n_aliases"].mean())
        row["rescoring_gap"] = float((own["nlp_wrong"] - own["nlp_recorded"]).abs().median())
        rows.append(row)
    table = pd.DataFrame(rows)
    found = tuple(_judge(row) for _, row in table.iterrows()) if verdicts else ()
    return Forced(table, found)


def _judge(row: pd.Series) -> Verdict:
    if row["best_hi"] < 0.5:
        meaning = "most wrong answers were likelier than any accepted answer that was scored"
    elif row["best_lo"] > 0.5:
        meaning = "in most cases an accepted answer was likelier than the wrong one that was drawn"
    else:
        meaning = "wrong and accepted answers are about equally often the likelier one"
    sentence = (
        f"{row['model']} on {row['dataset']}: the best accepted answer is likelier for "
        f"{100 * row['share_best']:.0f} % of {row['n']:,} wrongly answered questions "
        f"({100 * row['best_lo']:.0f}-{100 * row['best_hi']:.0f} %), the key answer alone for "
        f"{100 * row['share_key']:.0f} %, and by whole instead of mean log-probability for "
        f"{100 * row['share_sum']:.0f} %: {meaning}."
    )
    return Verdict("R5", Kind.PREREGISTERED, RULE, None, sentence)
