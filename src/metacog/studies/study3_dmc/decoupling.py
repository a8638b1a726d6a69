"""Which measures stay flat when only ability changes? Values by ability and their coefficients of "
"variation."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.core.words import listed
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.variation import coefficient_of_variation, variation
from metacog.studies.study3_dmc.observers import ABILITIES, KINDS, MEASURES, exact, measure, sample

#: A measure with a smaller CV than this, were there endlessly many trials, is called flat.
FLAT = 0.05
#: Made by ``benchmarks/dmc_decoupling.py``.
VALUES, VARIATIONS = "dmc_decoupling_values.csv", "dmc_decoupling.csv"


@dataclass(frozen=True)
class Decoupled:
    """Values and coefficients of variation.

    Attributes
    ----------
    values : DataFrame
        A row a kind of observer, measure and ability: ``value, lower, upper`` of the sample, ``exact`` of
        endlessly many trials.
    variations : DataFrame
        A row a kind and measure: the fields of :class:`metacog.sdt.variation.Variation`, and ``exact``.
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
            own = measure(name, tables[0], tables[1])
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
                for d, v, t, (low, high) in zip(ABILITIES, own, true, ends, strict=True)
            ]
            found = asdict(variation(own, again))
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


def flat_said(variations: pd.DataFrame) -> str:
    """Which measures are flat with endlessly many trials, and which vary most, for each kind of observer."""
    parts = []
    first = variations[variations["n_trials"] == variations["n_trials"].min()]
    for kind, own in first.groupby("kind", sort=False):
        flat = own[own["exact"] < FLAT]
        most = own.loc[own["exact"].idxmax()]
        names = listed(f"{MEASURES[r.measure]} ({r.exact:.3f})" for r in rows_of(flat))
        verb = "are" if len(flat) > 1 else "is"
        parts.append(
            f"With {KINDS[str(kind)]} held fixed, "
            + (f"{names} {verb} flat" if len(flat) else "no measure is flat")
            + f", and {MEASURES[str(most['measure'])]} varies most ({most['exact']:.2f})."
        )
    return f"Flat means a CV under {FLAT:g} over abilities with endlessly many trials. " + " ".join(parts)


def zero_said(variations: pd.DataFrame) -> str:
    """What the place of zero does to a CV: AUROC2 counted from 0 and from one half."""
    first = variations[variations["n_trials"] == variations["n_trials"].min()]
    by = first.pivot(index="kind", columns="measure", values="exact")
    low, high = by["auroc2"].agg(["min", "max"])
    low_above, high_above = by["auroc2_above"].agg(["min", "max"])
    return (
        f"The CV of AUROC2 is {low:.2f} to {high:.2f}, that of AUROC2 less 1/2, which orders observers "
        f"alike, "
        f"{low_above:.2f} to {high_above:.2f}: a CV depends on where a scale has its zero, so CVs of "
        f"different measures "
        "are not on one scale."
    )


def sampled_said(variations: pd.DataFrame) -> str:
    """How much of the variation seen is sampling, and whether the corrected CV finds the true one."""
    parts = []
    for n, own in variations.groupby("n_trials", sort=True):
        held = own["corrected_lower"].le(own["exact"]) & own["corrected_upper"].ge(own["exact"])
        mc = own[own["measure"] == "mc"]
        parts.append(
            f"With {n:,} trials an observer, the CV of MC as it stands is {mc['cv'].min():.3f} to "
            f"{mc['cv'].max():.3f} "
            f"where the true one is {mc['exact'].min():.3f} to {mc['exact'].max():.3f}; the corrected "
            f"interval holds the "
            f"true CV in {int(held.sum())} of {len(own)} rows."
        )
    return " ".join(parts)
