"""Published beside ours: the paper's numbers, recomputed where its counts allow, next to a run's own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.words import plural
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.auroc2.estimates import exact_spearman, ranks_from_cells
from metacog.studies.study1_qa.cells.comparison import PUBLISHED, RECOMPUTED, RUN, agreeing, stacked
from metacog.studies.study1_qa.cells.sentences import solved_from
from metacog.studies.study1_qa.ledger.published import MAIN, as_numbers, published_cells
from metacog.studies.study1_qa.selective.estimates import selective_from_cells


@dataclass(frozen=True)
class Beside:
    """One table with a column ``source``, and what the comparison says.

    Attributes
    ----------
    table : DataFrame
    verdict : Verdict or None
        None where verdicts are off.
    """

    table: pd.DataFrame
    verdict: Verdict | None


def _verdict(hypothesis: str, rule: str, passed: bool | None, sentence: str, wanted: bool) -> Verdict | None:
    return Verdict(hypothesis, Kind.BESIDE, rule, passed, sentence) if wanted else None


def beside_ranks(ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """AUROC2 and M-ratio: printed (raw NLP), from counts (ratings), and ours."""
    printed = as_numbers("v1_table3_auroc2")
    theirs = ranks_from_cells(published_cells(MAIN), verdicts=False).table
    columns = ["model", "auroc2", "m_ratio", "meta_i2r", "auroc2_rank", "m_ratio_rank", "meta_i2r_rank"]
    shown = printed[[c for c in columns if c in printed]]
    table = stacked(**{PUBLISHED: shown, RECOMPUTED: theirs[columns], RUN: ours[columns]})
    rho, _ = exact_spearman(printed["auroc2"].tolist(), published_m_ratio(printed).tolist())
    again, _ = exact_spearman(theirs["auroc2"].tolist(), theirs["m_ratio"].tolist())
    mine, _ = exact_spearman(ours["auroc2"].tolist(), ours["m_ratio"].tolist())
    sentence = (
        f"Over the published models rho of AUROC2 and M-ratio is {rho:.2f} with the printed AUROC2 and "
        f"{again:.2f} with that of the counts; 'fully inverted' would be -1."
    )
    if np.isfinite(mine):
        sentence += f" Over this run's {plural(len(ours), 'model')} it is {mine:.2f}."
    return Beside(table, _verdict("AUROC2", "Rank correlation.", None, sentence, verdicts))


def published_m_ratio(table: pd.DataFrame) -> pd.Series:
    """Full-precision M-ratio in the order of ``table``; the printed ones tie two models."""
    full = as_numbers("v1_h1_full_precision").set_index("model")["m_ratio"]
    return table["model"].map(full)


def beside_selective(ours: pd.DataFrame, *, verdicts: bool = True) -> Beside:
    """Accuracy at half coverage: from counts, printed where it is, and ours."""
    theirs = selective_from_cells(published_cells(MAIN), coverages=(0.5, 1.0)).table
    half = theirs[theirs["coverage"] == 0.5]
    printed = as_numbers("v1_selective_prediction")
    merged = half.merge(printed, on="model", how="left").rename(
        columns={"accuracy_at_50pct_coverage": "printed"}
    )
    mine = ours[ours["coverage"] == 0.5]
    columns = ["model", "accuracy", "gain"]
    table = stacked(**{RECOMPUTED: merged[[*columns, "printed"]], RUN: mine[[*columns, "lo", "hi"]]})
    known = merged[merged["printed"].notna()]
    same = agreeing(known["accuracy"], known["printed"], 3)
    sentence = (
        f"{solved_from('accuracies at half coverage', same, len(known))} "
        f"Abstaining on half of the questions gains {merged['gain'].min():.2f} to "
        f"{merged['gain'].max():.2f} in the published models"
    )
    sentence += (
        f" and {mine['gain'].min():.2f} to {mine['gain'].max():.2f} in this run's." if len(mine) else "."
    )
    return Beside(table, _verdict("Selective prediction", "Accuracy at 50 %.", None, sentence, verdicts))
