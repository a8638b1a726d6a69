"""Monte-Carlo error of the printed posteriors, from many chains like those that the paper drew.

The paper names its sampler, and not how precise it was. `benchmarks/servajean_chains.py` runs that sampler on
the published counts, with the number of chains and draws that it has unless told otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import ndtri

from metacog.core.frames import committed_table
from metacog.ledger.published import end_name

TABLE = "data/simulations/servajean_chains.csv"
#: Chains that a printed figure rests on.
CHAINS = 3
#: Standard deviations to either side of a 95 % interval.
Z95 = float(ndtri(0.975))


@dataclass(frozen=True)
class Printed:
    """A figure of table S1 as the paper's sampler gives it, again and again.

    Attributes
    ----------
    mean : float
        On average; off the posterior where chains are too short to forget where they began.
    spread : float
        Standard deviation of a figure from as many chains as the paper drew.
    chains : int
        That both rest on.
    """

    mean: float
    spread: float
    chains: int

    def error(self, posterior: float, sd: float) -> float:
        """Monte-Carlo error of such a figure: the root of its mean squared distance from the posterior's.

        sqrt((mean - posterior)^2 + spread^2), and no more than sd/sqrt(3): draws from the posterior, however
        much alike within a chain, are worth one a chain at the least. What lies farther off is no error of
        chance.

        Parameters
        ----------
        posterior : float
            The figure of chains that agree.
        sd : float
            Of the posterior.
        """
        return float(min(np.hypot(self.mean - posterior, self.spread), sd / np.sqrt(CHAINS)))


@cache
def printed_figures() -> dict[tuple[str, str, str, str], Printed]:
    """By task, model, measure, and ``estimate``, ``lower`` or ``upper``.

    Raises
    ------
    MetacogError
        If the table is missing.
    """
    return {
        (str(r["task"]), str(r["model"]), str(r["measure"]), end_name(str(r["column"]))): Printed(
            float(r["mean"]), float(r["spread"]), int(r["chains"])
        )
        for r in committed_table(TABLE).to_dict("records")
    }


#: Columns of the stored table of cells for those of the print.
COLUMNS = {"estimate": "", "lower": "_lower", "upper": "_upper"}


def both_errors(cell: Mapping[str, object], measure: str, column: str) -> float:
    """Monte-Carlo error of ours less the print, which add in squares.

    Parameters
    ----------
    cell : mapping
        A row of the stored table of cells: ``task, model``, and ``MEASURE, MEASURE_lower, MEASURE_upper``
        each also with ``_error``.
    measure, column : str
        As in :func:`printed_figures`.
    """
    own = {name: float(str(cell[f"{measure}{name}"])) for name in ("", "_lower", "_upper")}
    end = COLUMNS[column]
    theirs = printed_figures()[str(cell["task"]), str(cell["model"]), measure, column]
    sd = (own["_upper"] - own["_lower"]) / (2 * Z95)
    return float(np.hypot(float(str(cell[f"{measure}{end}_error"])), theirs.error(own[end], sd)))
