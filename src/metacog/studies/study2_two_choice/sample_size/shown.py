"""How many trials does an M-ratio take? In words."""

from __future__ import annotations

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study2_two_choice.sample_size.analysis import SampleSize
from metacog.studies.study2_two_choice.sample_size.simulation import OF_PAPER

#: Measures whose reach was simulated: their names and decimals for readers.
REACHED_MEASURES = {
    "m_ratio": ("M-ratio", 2),
    "auroc2": ("AUROC2", 3),
    "meta_i2r_chi_square": ("meta-I2r", 3),
}


def by_measure(reached: pd.DataFrame) -> pd.DataFrame:
    """One row per set and share right, half-widths and floors of each measure side by side."""
    keys = ["part", "n_trials", "accuracy"]
    wide = reached[keys].drop_duplicates(ignore_index=True)
    for measure in REACHED_MEASURES:
        part = reached.loc[reached["measure"] == measure, [*keys, "half_width", "floor"]]
        named = {name: f"{name}_{measure}" for name in ("half_width", "floor")}
        wide = wide.merge(part.rename(columns=named), on=keys)
    return wide


def reach(result: SampleSize) -> str:
    """What half-widths and floors the run can reach, from its smallest and largest set."""
    table = by_measure(result.reached)
    lacking = sorted(set(result.of_run) - set(table["part"]))
    parts = []
    if len(table):
        of_sets = table[table["accuracy"] == table["accuracy"].median()].sort_values("n_trials")
        sizes = (
            [of_sets.iloc[0], of_sets.iloc[-1]] if of_sets["n_trials"].nunique() > 1 else [of_sets.iloc[0]]
        )
        for one in sizes:
            half, floor = ([one[f"{what}_{m}"] for m in REACHED_MEASURES] for what in ("half_width", "floor"))
            decimals = [digits for _, digits in REACHED_MEASURES.values()]
            names = [name for name, _ in REACHED_MEASURES.values()]
            widths = listed(f"{h:.{d}f} for {n}" for h, d, n in zip(half, decimals, names, strict=True))
            floors = listed(f"{f:.{d}f}" for f, d in zip(floor, decimals, strict=True))
            parts.append(
                f"With {one['n_trials']:,} trials and {one['accuracy']:.0%} right, an M-ratio under "
                f"{one['floor_m_ratio']:.2f} would too often look like none. A 95 % interval can be expected to reach "
                f"{widths} to either side, and the floors are {floors}."
            )
    if lacking:
        parts.append(
            f"Not simulated at this run's size: {listed(lacking)} "
            "(`python benchmarks/reference_sizes.py` does it for the profiles it names)."
        )
    return " ".join(parts)


def _as_drawn(result: SampleSize) -> pd.DataFrame:
    return result.spread[result.spread["fitted_to"] == "as drawn"]


def trials_needed(result: SampleSize) -> str:
    """How many trials each observer takes."""
    parts = [
        f"{part['trials'].iloc[0]:,} trials at {name} ({part['trials'].iloc[1]:,} with half a trial added)"
        for name, part in result.needed.groupby("observer", sort=False)
    ]
    return f"For an M-ratio interval of half-width {result.half_width:g} it takes {listed(parts)}."


def widths(result: SampleSize) -> str:
    """How precise a cell of the run and one of the paper are."""
    drawn = _as_drawn(result)
    same = len(set(result.of_run.values())) == 1
    cells = {
        result.trials_of_run: "this run asks of each model "
        + ("and task" if same else "in its smallest task"),
        OF_PAPER: "the paper had on task A",
    }
    parts = []
    for n, whose in cells.items():
        rows = rows_of(drawn[drawn["n_trials"] == n])
        halves = listed(f"{r.m_ratio_half:.2f} at {r.observer}" for r in rows)
        parts.append(f"With the {n:,} trials that {whose}, the half-width is {halves}.")
    return " ".join(parts)


def chosen_observer(result: SampleSize) -> str:
    """The answer for the observer that the chapter's parameters describe."""
    return (
        f"For d' {result.d_prime:g}, M-ratio {result.m_ratio:g} and {result.n_ratings} ratings per response: "
        f"**{result.needed_trials:,} trials** for a half-width of {result.half_width:g}. Half the width "
        f"takes about four times as many, {4 * result.needed_trials:,}."
    )


VIEWS = Views(
    "sample_size",
    sentences={
        "trials_needed": trials_needed,
        "widths": widths,
        "reach": reach,
        "chosen_observer": chosen_observer,
    },
)
