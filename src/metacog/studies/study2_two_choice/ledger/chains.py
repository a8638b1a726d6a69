"""Monte-Carlo error of the printed posteriors, from many chains like those that the paper drew.

The paper names its sampler, and not how precise it was. `benchmarks/servajean_chains.py` runs that sampler on
the published counts, with the number of chains and draws that it has unless told otherwise.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.frames import committed_table
from metacog.ledger.published import end_name

TABLE = "data/simulations/servajean_chains.csv"
#: Chains that a printed figure rests on.
CHAINS = 3
#: A figure of table S1.
FIGURE = ["task", "model", "measure", "column"]


@cache
def printed_figures() -> pd.DataFrame:
    """Figures of table S1 as the paper's sampler gives them, again and again, by :data:`FIGURE`.

    The ``mean`` is off the posterior where chains are too short to forget where they began; ``spread`` is the standard
    deviation of a figure from as many chains as the paper drew.
    """
    table = committed_table(TABLE)
    return table.assign(column=table["column"].map(end_name)).set_index(FIGURE)[["mean", "spread"]]


def error(mean: ArrayLike, spread: ArrayLike, posterior: ArrayLike, sd: ArrayLike) -> NDArray[np.float64]:
    """Monte-Carlo error of such a figure: the root of its mean squared distance from the posterior's.

    sqrt((mean - posterior)^2 + spread^2), and no more than sd/sqrt(3) (``sd`` of the posterior): draws from the
    posterior, however much alike within a chain, are worth one a chain at the least. What lies farther off is no error
    of chance.
    """
    return np.minimum(np.hypot(np.subtract(mean, posterior), spread), np.divide(sd, np.sqrt(CHAINS)))
