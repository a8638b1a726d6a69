"""What the measures of self-knowledge do where the truth is known, from committed simulations."""

from __future__ import annotations

from functools import cache

import pandas as pd
from scipy.stats import beta

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.measures.own_and_others import MIXTURES

#: Made by ``benchmarks/self_knowledge_placebo.py``: simulated leaderboards of 33 models and 1,500 items.
WORLDS = "data/simulations/self_knowledge_placebo.csv"
#: Kinds of simulated models in which only shares are known, as the file of shares calls them.
DIFFICULTY, MIXTURE, OWN = "difficulty", "mixture", "own state"
#: Share of runs without self-knowledge in which a model may be called self-knowing.
ALLOWED = 0.05


@cache
def _read(name: str) -> pd.DataFrame:
    path = project_root() / name
    if not path.is_file():
        raise MetacogError(f"{name} is missing: restore it from the repository")
    return pd.read_csv(path)


def simulated() -> pd.DataFrame:
    """Share of the information by kind of models and share of their own state in what confidence reads.

    Returns
    -------
    DataFrame
        ``kind, self_share, runs`` (of a judged model each), ``true_share, share`` (means over the judged models).
    """
    table = _read(MIXTURES)
    table = table[table["kind"].isin((DIFFICULTY, MIXTURE, OWN)) & table["above_0"].notna()]
    made = table.groupby(["kind", "self_share"], sort=False).agg(
        runs=("n_runs", "sum"), true_share=("true_share", "mean"), share=("share", "mean")
    )
    return made.reset_index().astype({"runs": int})


def worlds() -> pd.DataFrame:
    """The committed table of worlds, one row for each world and judged model.

    Returns
    -------
    DataFrame
        ``world, self_share, model, n_runs``; means of ``corrected, placebo, placebo_best, own_less_placebo, added,
        blend``; ``sd`` of own less the median placebo and in how many runs its interval holds its mean
        (``covers_mean``); runs whose interval lies above 0 (``..._above_0``), and ``called_self_knowing``.
    """
    return _read(WORLDS).copy()


def at_most(count: int, runs: int, level: float = 0.95) -> float:
    """The largest rate that so many in so many runs do not rule out (Clopper & Pearson's one-sided limit)."""
    return float(beta.ppf(level, count + 1, runs - count)) if count < runs else 1.0
