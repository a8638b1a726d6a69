"""Monte-Carlo error of the printed posteriors, from many chains like those that the paper drew.

The paper names its sampler, and not how precise it was. `benchmarks/servajean_chains.py` runs that sampler on
the published counts, with the number of chains and draws that it has unless told otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

TABLE = "data/simulations/servajean_chains.csv"


@dataclass(frozen=True)
class Printed:
    """What a figure of table S1 would be by the paper's sampler.

    Attributes
    ----------
    error : float
        Standard error of a figure from as many chains as the paper drew, had they forgotten where they began.
    from_one_point : float
        The figure on average if all chains begin at d' = c = meta-d' = 0.
    chains : int
        That the error rests on.
    """

    error: float
    from_one_point: float
    chains: int


@cache
def printed_errors() -> dict[tuple[str, str, str, str], Printed]:
    """By task, model, measure and column of the printed table.

    Raises
    ------
    MetacogError
        If the table is missing; names the command that makes it.
    """
    path = project_root() / TABLE
    if not path.is_file():
        raise MetacogError(f"{TABLE} is missing: make it with `python benchmarks/servajean_chains.py`")
    return {
        (str(r["task"]), str(r["model"]), str(r["measure"]), str(r["column"])): Printed(
            float(r["error"]), float(r["from_one_point"]), int(r["chains"])
        )
        for r in pd.read_csv(path).to_dict("records")
    }
