"""What study 1 printed: the counts behind it and every table, as text and as numbers.

The files are ``data/published/cacioli_*.csv``.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import MetacogError
from metacog.ledger.published import Published, number
from metacog.studies.study1_qa.cells import Cells, cells_from_counts

#: Models in the order of the author's tables, with the names readers know.
MODELS: dict[str, str] = {
    "llama3_instruct": "Llama-3-8B-Instruct",
    "mistral_instruct": "Mistral-7B-Instruct",
    "llama3_base": "Llama-3-8B (base)",
    "gemma2_instruct": "Gemma-2-9B-it",
}
DATASETS: dict[str, str] = {"triviaqa": "TriviaQA", "nq": "Natural Questions"}
#: What readers call both, and this book's own questions.
NAMES = MODELS | DATASETS | {"bank": "this book's questions"}
FROM_COUNTS = "counts at T = 1, reconstructed from print"
#: The question set that H1 to H4 rest on.
MAIN = "triviaqa"

#: Standard-deviation ratio the author used for R2, from the z-ROC of the earlier type-1 paper.
R2_SLOPES: dict[str, float] = {
    "llama3_instruct": 0.6316,
    "mistral_instruct": 0.5668,
    "llama3_base": 0.7793,
    "gemma2_instruct": 0.9861,
}

#: d_a of the earlier type-1 paper on TriviaQA, to which section 4.1 of version 1 compares its d'.
EARLIER_D_A: dict[str, float] = {"llama3_instruct": 1.39, "mistral_instruct": 1.97, "llama3_base": 1.45}

#: Models of the author's run with thinking on and off, and its two modes.
THINKING_MODELS: dict[str, str] = {
    "qwen3-8b": "Qwen3-8B",
    "r1-distill-qwen-7b": "R1-Distill-Qwen-7B",
    "r1-distill-llama-8b": "R1-Distill-Llama-8B",
}
MODES: dict[str, str] = {"non_thinking": "thinking off", "thinking": "thinking on"}
#: Its counts by rating: data, not printed figures.
THINKING_COUNTS = "thinking_counts"
#: Precision of its files, which give 16 digits.
THINKING_PRECISION = 1e-12

#: The files of study 1.
PUBLISHED = Published("cacioli_")
as_text, as_numbers, precision = PUBLISHED.as_text, PUBLISHED.as_numbers, PUBLISHED.precision

#: Counts of the author's first paper: data, not printed figures, so no rows of the ledger.
FIRST_PAPER: dict[str, str] = {
    "bins": "first_paper_counts",
    "domains": "first_paper_domains",
    "scoring": "first_paper_scoring",
}


class Table(NamedTuple):
    """Incorrect and correct trials by rating, lowest confidence first."""

    nR_S1: NDArray[np.int64]
    nR_S2: NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.nR_S1.sum() + self.nR_S2.sum())


#: Titles of its tables by file, in the order of the ledger.
TITLES: dict[str, str] = {
    "v1_table2_h1": "v1 table 2: H1",
    "v1_h1_full_precision": "v1 result file: H1 at full precision",
    "v1_table3_auroc2": "v1 table 3: AUROC2 against M-ratio",
    "v1_table4_r1_binning": "v1 table 4: R1",
    "v1_table5_monotonicity": "v1 table 5: quartiles",
    "v1_table6_domain_m_ratio": "v1 table 6: domains",
    "v1_table7_temperature": "v1 table 7: temperatures",
    "v1_h3_verdicts": "v1 result file: H3",
    "v1_selective_prediction": "v1: selective prediction",
    "v1_domain_trials": "v1: questions a domain",
    "v2_aggregate": "v2: aggregate",
    "v2_sdt_structure": "v2: SDT structure",
    "v2_domain": "v2: domains",
    "v2_temperature": "v2: temperatures",
    "thinking_aggregate": "thinking: aggregate",
    "thinking_deltas": "thinking: differences",
    "thinking_domains": "thinking: domains",
    "thinking_marking": "thinking: without containment",
    "counts_T1": "Counts at T = 1, reconstructed",
}
#: Columns that identify a row of them; every other one holds figures.
IDENTIFYING = ("model", "dataset", "domain", "mode", "temperature", "T", "rating", "ratings_per_side")


@cache
def figures(name: str) -> pd.DataFrame:
    """Every figure of a printed table, row by row: ``table, keys, quantity, published``."""
    return PUBLISHED.figures(name, IDENTIFYING)


@cache
def identifying(name: str) -> tuple[str, ...]:
    return tuple(column for column in as_text(name) if column in IDENTIFYING)


@cache
def printed(name: str) -> dict[tuple[tuple[str, ...], str], float]:
    """The same as numbers by (keys, quantity); NaN where nothing is printed."""
    rows = figures(name)
    keys = zip(rows["keys"], rows["quantity"], strict=True)
    return {
        key: number(text) if text else float("nan") for key, text in zip(keys, rows["published"], strict=True)
    }


def published_cells(dataset: str | None = None) -> Cells:
    """The published models' counts at T = 1, of one question set or of both, reconstructed from print.

    Figures that they were solved from (:data:`.roles.INPUTS`) come out again, whatever is true.
    """
    frame = as_numbers("counts_T1")
    for (model, name), ratings in frame.groupby(["model", "dataset"], sort=False)["rating"]:
        if sorted(ratings) != list(range(1, 9)):
            raise MetacogError(f"cacioli_counts_T1.csv: {model}, {name} does not have ratings 1 to 8")
    return cells_from_counts(frame if dataset is None else frame[frame["dataset"] == dataset])


@cache
def counts() -> dict[tuple[str, str], Table]:
    cells = published_cells()
    keys = zip(cells.frame["model"], cells.frame["dataset"], strict=True)
    return dict(zip(keys, map(Table, cells.nR_S1, cells.nR_S2), strict=True))
