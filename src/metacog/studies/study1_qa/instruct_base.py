"""What does instruction tuning do to metacognition?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.measures.cell import Cell, Measured, whole_and_resamples
from metacog.measures.fits import fitted_of, rating_tables
from metacog.measures.pairs import differences
from metacog.sdt.checks import FloatArray
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.type1 import z_roc
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    REFERENCE,
    Cells,
    Rated,
    measured_together,
    question_cells,
    rated_primary,
)
from metacog.studies.study1_qa.paper import published_cells
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# Instruct against base: what does instruction tuning do to metacognition?

#: The paper's pair.
PUBLISHED_PAIR = ("llama3_instruct", "llama3_base")
RULE = "Instruct minus base: which measures differ (95 % interval without zero)?"
TITLES = {
    "accuracy": "accuracy",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r (plug-in)",
    "zroc_slope": "z-ROC slope",
}
NUMBERS = ("instruct", "base", "difference", "lower", "upper", "p")


@dataclass(frozen=True)
class PairComparison:
    """Instruct minus base, one pair.

    Attributes
    ----------
    table : DataFrame
        ``measure, instruct, base, difference, lower, upper, p``.
    instruct, base, dataset : str
    paired : bool
        Whether questions were resampled together (trials), or each model alone (counts).
    why : str
        Why there is no difference; empty if there is one.
    """

    table: pd.DataFrame
    instruct: str
    base: str
    dataset: str
    paired: bool
    why: str = ""


def find_pairs(models: Iterable[str], base_of: Mapping[str, str]) -> list[tuple[str, str]]:
    """(instruct, base) pairs among the models of a run.

    Parameters
    ----------
    models : iterable of str
    base_of : mapping
        From a base model to the instruct model made from it (``base_of`` in the registry).
    """
    present = set(models)
    return sorted(
        (instruct, base) for base, instruct in base_of.items() if {instruct, base} <= present and instruct
    )


def registry_pairs(models: Iterable[str]) -> list[tuple[str, str]]:
    """:func:`find_pairs` with the ``base_of`` entries of ``config/models.yaml``."""
    from metacog.collect.models import bases

    return find_pairs(models, bases())


def compare_trials(
    rated: Rated,
    instruct: str,
    base: str,
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> PairComparison:
    """Compare on the questions both models answered at T = 1 with a rating, resampling questions.

    Without such questions, as where no confidence of one of them could be read, no measure has a value.

    Raises
    ------
    MetacogError
        If one has no trial at T = 1.
    """
    one = rated.trials[
        (rated.trials["temperature"] == REFERENCE) & rated.trials["model"].isin([instruct, base])
    ]
    if absent := {instruct, base} - set(one["model"]):
        raise MetacogError(f"there is no trial of {', '.join(sorted(absent))} at T = {REFERENCE:g}")
    cells = question_cells(one, "model", rated.n_ratings)
    if set(cells) != {instruct, base}:
        return PairComparison(
            pd.DataFrame({"measure": list(TITLES.values()), **dict.fromkeys(NUMBERS, np.nan)}),
            instruct,
            base,
            str(one["dataset"].iloc[0]),
            True,
            f"at T = {REFERENCE:g} no question has a confidence of both",
        )
    made = measured_together(cells, [measures], n_resamples=n_resamples, seed=seed)
    return _compare(made, instruct, base, str(one["dataset"].iloc[0]), True)


def compare_counts(
    cells: Cells,
    instruct: str = PUBLISHED_PAIR[0],
    base: str = PUBLISHED_PAIR[1],
    dataset: str = "triviaqa",
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> PairComparison:
    """Compare from counts, each model resampled alone (pairing is lost in counts)."""
    made = {}
    for name, one in zip((instruct, base), spawn_seeds(seed, 2), strict=True):
        cell = Cell.of_table(*cells.table(model=name, dataset=dataset))
        made[name] = measures(cell, whole_and_resamples(cell, n_resamples, one))
    return _compare(made, instruct, base, dataset, False)


def measures(cell: Cell, weights: FloatArray) -> Measured:
    """All measures that are compared, meta-I2r uncorrected (an :data:`metacog.measures.cell.Estimator`)."""
    s1, s2 = rating_tables(cell, weights)
    found = fitted_of(cell, weights) | {
        "accuracy": s2.sum(axis=1) / (s1 + s2).sum(axis=1),
        "auroc2": auroc2_from_counts(s1, s2),
        "meta_i2r": plugin_meta_i2r(s1, s2),
        "zroc_slope": z_roc(s1, s2).slope,
    }
    return Measured.drawn(**{name: found[name] for name in TITLES})


def _compare(
    made: Mapping[str, Measured], instruct: str, base: str, dataset: str, paired: bool
) -> PairComparison:
    pair = {name: made[name] for name in (instruct, base)}
    rows = []
    for name, title in TITLES.items():
        row = differences(pair, name, paired=paired).iloc[0]
        values = {"instruct": made[instruct].values[name], "base": made[base].values[name]}
        rows.append({"measure": title, **values, **row[["difference", "lower", "upper", "p"]]})
    return PairComparison(pd.DataFrame(rows), instruct, base, dataset, paired)


def describe(pair: PairComparison, kind: Kind = Kind.EXPLORATORY) -> Verdict:
    """In which measures the instruct model is higher (``up``), lower (``down``) or neither (``same``)."""
    table = pair.table
    up = table.loc[table["lower"] > 0, "measure"].tolist()
    down = table.loc[table["upper"] < 0, "measure"].tolist()
    same = table.loc[~table["measure"].isin([*up, *down]), "measure"].tolist()
    values = {
        "instruct": pair.instruct,
        "base": pair.base,
        "dataset": pair.dataset,
        "up": up,
        "down": down,
        "same": same,
        "why": pair.why,
    }
    return Verdict("Instruct and base", kind, RULE, None, name="pair", values=values)


# What does instruction tuning do to metacognition? What is computed.

#: The published pair and its question sets, as readers know them.
PAIR, SETS = "Llama-3-8B", {"triviaqa": "TriviaQA", "nq": "Natural Questions"}
COLUMNS = ["pair", "measure", *NUMBERS]


@dataclass(frozen=True)
class InstructBase:
    """Instruct minus base: the run's pairs, the published one on both question sets, and all of them together."""

    differences: pd.DataFrame
    triviaqa: pd.DataFrame
    nq: pd.DataFrame
    together: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=InstructBase, files=PUBLISHED_FILES)
def instruct_base(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> InstructBase:
    """What does instruction tuning do to metacognition?"""
    rated = rated_primary(inputs)
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
    pairs = registry_pairs(rated.trials["model"].unique())
    run = [compare_trials(rated, instruct, base, **options) for instruct, base in pairs]
    counts = published_cells()
    published = {d: compare_counts(counts, dataset=d, **options) for d in ("triviaqa", "nq")}
    parts = [one.table.assign(pair=f"{one.instruct} and {one.base}") for one in run]
    drawn = [describe(one).under("run") for one in run]
    # on pages a topic that is the name of a question set goes by the name that readers know
    drawn += [describe(one, Kind.PUBLISHED).under(dataset) for dataset, one in published.items()]
    own = pd.concat(parts, ignore_index=True)[COLUMNS] if parts else pd.DataFrame(columns=COLUMNS)
    printed = [one.table.assign(pair=f"{PAIR}, {SETS[d]}") for d, one in published.items()]
    return InstructBase(
        own,
        published["triviaqa"].table,
        published["nq"].table,
        pd.concat([*printed, own[own["difference"].notna()]], ignore_index=True)[COLUMNS],
        tuple(drawn) if verdicts else (),
    )
