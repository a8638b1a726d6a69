"""What does instruction tuning do to metacognition? What is computed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study import analysis
from metacog.studies.study1_qa.cells.inputs import PUBLISHED, rated_primary
from metacog.studies.study1_qa.instruct_base import estimates
from metacog.studies.study1_qa.ledger.published import published_cells

if TYPE_CHECKING:
    from metacog.studies.results import Inputs

#: The published pair and its question sets, as readers know them.
PAIR, TITLES = "Llama-3-8B", {"triviaqa": "TriviaQA", "nq": "Natural Questions"}
COLUMNS = ["pair", "measure", *estimates.NUMBERS]


@dataclass(frozen=True)
class InstructBase:
    """Instruct minus base: the run's pairs, the published one on both question sets, and all of them together."""

    differences: pd.DataFrame
    triviaqa: pd.DataFrame
    nq: pd.DataFrame
    together: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=InstructBase, files=PUBLISHED)
def instruct_base(
    inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> InstructBase:
    """What does instruction tuning do to metacognition?"""
    rated = rated_primary(inputs)
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
    pairs = estimates.registry_pairs(rated.trials["model"].unique())
    run = [estimates.compare_trials(rated, instruct, base, **options) for instruct, base in pairs]
    counts = published_cells()
    published = {d: estimates.compare_counts(counts, dataset=d, **options) for d in ("triviaqa", "nq")}
    parts = [one.table.assign(pair=f"{one.instruct} and {one.base}") for one in run]
    drawn = [estimates.describe(one).under("run") for one in run]
    # on pages a topic that is the name of a question set goes by the name that readers know
    drawn += [estimates.describe(one, Kind.PUBLISHED).under(dataset) for dataset, one in published.items()]
    own = pd.concat(parts, ignore_index=True)[COLUMNS] if parts else pd.DataFrame(columns=COLUMNS)
    printed = [one.table.assign(pair=f"{PAIR}, {TITLES[d]}") for d, one in published.items()]
    return InstructBase(
        own,
        published["triviaqa"].table,
        published["nq"].table,
        pd.concat([*printed, own[own["difference"].notna()]], ignore_index=True)[COLUMNS],
        tuple(drawn) if verdicts else (),
    )
