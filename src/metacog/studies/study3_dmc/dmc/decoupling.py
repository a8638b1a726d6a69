"""Which measures stay flat when only ability changes? Values by ability and coefficients of variation."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.variation import coefficient_of_variation, variation
from metacog.studies.study3_dmc.observers.fixed_efficiency import (
    ABILITIES,
    KINDS,
    MEASURES,
    exact,
    measure,
    sample,
)

#: Made by ``benchmarks/dmc_decoupling.py``.
VALUES, VARIATIONS = "dmc_decoupling_values.csv", "dmc_decoupling.csv"


@dataclass(frozen=True)
class Decoupled:
    """Values and coefficients of variation.

    Attributes
    ----------
    values : DataFrame
        One row per kind of observer, measure and ability: ``value, lower, upper`` of the sample, ``exact``
        of infinitely many trials.
    variations : DataFrame
        One row per kind and measure: the fields of :class:`metacog.sdt.variation.Variation`, and ``exact``.
    """

    values: pd.DataFrame
    variations: pd.DataFrame


def decoupled(n_trials: int, n_resamples: int, seed: int) -> Decoupled:
    """Simulate, measure, resample.

    Parameters
    ----------
    n_trials : int
        Of each observer.
    n_resamples, seed : int
    """
    values, variations = [], []
    for kind in KINDS:
        children = np.random.SeedSequence([seed, list(KINDS).index(kind)]).spawn(len(ABILITIES))
        samples = [
            sample(kind, d, n_trials, n_resamples, s) for d, s in zip(ABILITIES, children, strict=True)
        ]
        # one batch of all abilities: estimators that fit are much faster so
        tables = [np.concatenate(x) for x in zip(*(s.tables for s in samples), strict=True)]
        draws = [np.concatenate(x) for x in zip(*(s.draws for s in samples), strict=True)]
        endless = [np.concatenate(x) for x in zip(*(exact(kind, d) for d in ABILITIES), strict=True)]
        for name in MEASURES:
            value = measure(name, tables[0], tables[1])
            again = measure(name, draws[0], draws[1]).reshape(len(ABILITIES), n_resamples).T
            true = measure(name, endless[0], endless[1], pad=0.0)
            ends = [percentile_limits(again[:, i]) for i in range(len(ABILITIES))]
            values += [
                {
                    "kind": kind,
                    "measure": name,
                    "d_prime": d,
                    "value": v,
                    "lower": low,
                    "upper": high,
                    "exact": t,
                }
                for d, v, t, (low, high) in zip(ABILITIES, value, true, ends, strict=True)
            ]
            found = asdict(variation(value, again))
            variations.append(
                {"kind": kind, "measure": name, **found, "exact": coefficient_of_variation(true)}
            )
    return Decoupled(pd.DataFrame(values), pd.DataFrame(variations))


def load() -> Decoupled:
    """The stored simulation, ``n_trials`` in front of every row.

    Raises
    ------
    MetacogError
        If it is not there; says how it is made.
    """
    folder = project_root() / "data" / "simulations"
    if not all((folder / name).is_file() for name in (VALUES, VARIATIONS)):
        raise MetacogError(
            f"data/simulations/{VARIATIONS} is missing: make it with `python benchmarks/dmc_decoupling.py`"
        )
    return Decoupled(pd.read_csv(folder / VALUES), pd.read_csv(folder / VARIATIONS))


def with_names(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with the names that readers know, as ``kind_name`` and ``name``."""
    return frame.assign(kind_name=frame["kind"].map(KINDS), name=frame["measure"].map(MEASURES))
