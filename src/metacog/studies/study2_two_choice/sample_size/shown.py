"""How many trials does an M-ratio take? How it is shown: tables, figures and sentences."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.columns import rows_with
from metacog.studies.study2_two_choice.sample_size import figures
from metacog.studies.study2_two_choice.sample_size.analysis import SampleSize
from metacog.studies.study2_two_choice.sample_size.simulation import OF_PAPER

#: A bias of M-ratio that is small compared with an interval of half-width 0.1.
SMALL_BIAS = 0.02
#: A coverage of 95 % intervals this improbable is too low.
TOO_FEW = 0.01
#: Measures whose reach was simulated: their names and decimals for readers.
REACHED_MEASURES = {
    "m_ratio": ("M-ratio", 2),
    "auroc2": ("AUROC2", 3),
    "meta_i2r_chi_square": ("meta-I2r", 3),
}
OBSERVER, TRIALS = text("observer", "Observer"), count("n_trials", "Trials")

TABLES = {
    "spread": Schema(
        "spread",
        columns_of(
            OBSERVER,
            TRIALS,
            number("failed", "no estimate", 3, "Share of tables"),
            number("empty", "an empty cell", 3, "Share of tables"),
            number("d_prime_bias", "bias", 3, "d'"),
            number("d_prime_sd", "spread", 3, "d'"),
            number("meta_d_bias", "bias", 3, "meta-d'"),
            number("meta_d_sd", "spread", 3, "meta-d'"),
            number("m_ratio_bias", "bias", 3, "M-ratio"),
            number("m_ratio_sd", "spread", 3, "M-ratio"),
            number("m_ratio_half", "half-width", 3, "M-ratio"),
        ),
        "Maximum likelihood on tables as drawn. Spread: standard deviation; half-width: 1.96 of them.",
        pick=rows_with("fitted_to", "as drawn"),
    ),
    "padded": Schema(
        "spread",
        columns_of(
            OBSERVER,
            TRIALS,
            number("failed", "No estimate (share)", 3),
            number("d_prime_bias", "of d'", 3, "Bias"),
            number("meta_d_bias", "of meta-d'", 3, "Bias"),
            number("m_ratio_bias", "of M-ratio", 3, "Bias"),
            number("m_ratio_half", "Half-width of M-ratio", 3),
        ),
        "The same tables with half a trial added to every cell.",
        pick=rows_with("fitted_to", "half a trial added"),
    ),
    "few": Schema(
        "few",
        columns_of(
            OBSERVER,
            TRIALS,
            count("few_fitted", "Repetitions fitted"),
            number("few_mean", "mean", 3, "Few repetitions"),
            number("few_sd", "spread", 3, "Few repetitions"),
            number("m_ratio_mean", "mean", 3, "All simulations"),
            number("m_ratio_sd", "spread", 3, "All simulations"),
        ),
        "M-ratio over the number of repetitions that the paper had, and over all simulations.",
    ),
    "posteriors": Schema(
        "posteriors",
        columns_of(
            OBSERVER,
            TRIALS,
            count("n", "Repetitions"),
            number("d_prime_bias", "d'", 3, "Bias of posterior means"),
            number("meta_d_bias", "meta-d'", 3, "Bias of posterior means"),
            number("m_ratio_bias", "M-ratio", 3, "Bias of posterior means"),
            number("m_ratio_sd", "Spread of M-ratio", 3),
            number("m_ratio_half", "Mean half-width", 3),
            count("covering", "Intervals that cover"),
            count("judged", "Can be judged"),
            number("m_ratio_bias_ml", "bias", 3, "M-ratio by likelihood"),
            number("m_ratio_sd_ml", "spread", 3, "M-ratio by likelihood"),
            count("fitted_ml", "Fitted"),
        ),
        "Posterior means and maximum likelihood on the same tables as drawn.",
    ),
    "needed": Schema(
        "needed",
        columns_of(
            OBSERVER, text("fitted_to", "Cells"), count("trials", "Trials"), number("bias", "Bias then")
        ),
        "Trials for an M-ratio interval of the wanted half-width.",
    ),
    "grid": Schema(
        "grid",
        columns_of(
            number("d_prime", "d'", 1),
            number("accuracy", "Share right", 2),
            count("at_0.5", "M-ratio 0.5"),
            count("at_0.8", "M-ratio 0.8"),
            count("at_1", "M-ratio 1"),
        ),
        "Trials for the wanted half-width of M-ratio, by observer; share right at c = 0.",
    ),
    "reached": Schema(
        lambda result: by_measure(result.reached),
        columns_of(
            text("part", "Task and set"),
            TRIALS,
            number("accuracy", "Share right", 2),
            *(
                number(f"{column}_{measure}", title, digits, name)
                for measure, (name, digits) in REACHED_MEASURES.items()
                for column, title in (("half_width", "half-width"), ("floor", "floor"))
            ),
        ),
        "Simulated before a reply was read. The observer's M-ratio is 0.8, its ratings are used equally often. "
        "Floor: the smallest value that four in five runs of this size would tell from no self-knowledge.",
        empty="This run's sizes are not among those that were simulated beforehand.",
    ),
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


def failures(result: SampleSize) -> str:
    """Where fits fail, and from which size on none does."""
    drawn = _as_drawn(result)
    parts = []
    for name, part in drawn.groupby("observer", sort=False):
        failing = part[part["failed"] > 0]
        if failing.empty:
            parts.append(f"At {name} every table of every size gave an estimate.")
            continue
        shares = listed(f"{100 * r.failed:.1f} % at {r.n_trials:,} trials" for r in rows_of(failing))
        larger = part["n_trials"].max() > failing["n_trials"].max()
        rest = "; of larger tables none failed." if larger else "."
        parts.append(f"At {name} there is no estimate for {shares}{rest}")
    empty = [
        f"{100 * r.empty:.1f} % of tables of {r.n_trials:,} trials at {r.observer}"
        for r in rows_of(drawn[drawn["n_trials"] == 1_000])
    ]
    parts.append(f"A cell without a trial, for which half trials are meant, is in {listed(empty)}.")
    return " ".join(parts)


def bias(result: SampleSize) -> str:
    """What half a trial in every cell does to M-ratio, and from which size on either way is nearly right."""
    parts = []
    for name, part in result.spread.groupby("observer", sort=False):
        smallest = part["n_trials"].min()
        at = part[part["n_trials"] == smallest].set_index("fitted_to")["m_ratio_bias"]
        ways = listed(f"{value:+.2f} {way}" for way, value in at.items())
        since = [f"{way}: {_small_from(rows)}" for way, rows in part.groupby("fitted_to", sort=False)]
        parts.append(
            f"At {name} the bias of M-ratio is {ways} at {smallest:,} trials; under {SMALL_BIAS} "
            f"({'; '.join(since)})."
        )
    return " ".join(parts)


def _small_from(rows: pd.DataFrame) -> str:
    """The smallest size from which on the bias stays small."""
    large = rows[rows["m_ratio_bias"].abs() > SMALL_BIAS]["n_trials"]
    rest = rows[rows["n_trials"] > (large.max() if len(large) else 0)]["n_trials"]
    return f"from {rest.min():,} trials on" if len(rest) else "at no size"


def posterior_means(result: SampleSize) -> str:
    """Bias of posterior means at the smallest and the largest size, and coverage of their intervals."""
    table = result.posteriors
    parts = []
    for name, part in table.groupby("observer", sort=False):
        few, *_, many = rows_of(part.sort_values("n_trials"))
        parts.append(
            f"At {name} the posterior mean of M-ratio is off by {few.m_ratio_bias:+.3f} on average at "
            f"{few.n_trials:,} trials (maximum likelihood on the same tables {few.m_ratio_bias_ml:+.3f}) and "
            f"by {many.m_ratio_bias:+.3f} at {many.n_trials:,} ({many.m_ratio_bias_ml:+.3f})."
        )
    parts.append(f"Of {table['n'].sum()} 95 % intervals {table['covering'].sum()} contain the truth.")
    rare = [
        f"{r.covering} of {r.n} at {r.observer}, {r.n_trials:,} trials"
        for r in rows_of(table)
        if r.covering_p < TOO_FEW
    ]
    if rare:
        parts.append(f"Fewer than a coverage of 95 % would allow: {listed(rare)}.")
    diverged = int(table["divergences"].sum())
    parts.append(
        f"R-hat is at most {table['r_hat'].max():.3f}; {plural(diverged, 'draw') if diverged else 'no draw'} "
        "diverged."
    )
    return " ".join(parts)


def few_repetitions(result: SampleSize) -> str:
    """How well a spread is known from few repetitions."""
    error = 1 / np.sqrt(2 * (result.repetitions - 1))
    ratio = (result.few["few_sd"] / result.few["m_ratio_sd"]).dropna()
    return (
        f"A spread is known from {plural(result.repetitions, 'repetition')} to within about "
        f"{100 * error:.0f} % (one standard error). Over the sizes here it is {ratio.min():.2f} to "
        f"{ratio.max():.2f} times the spread over {result.simulations:,} simulations."
    )


def trials_needed(result: SampleSize) -> str:
    """How many trials each observer takes."""
    parts = [
        f"{part['trials'].iloc[0]:,} trials at {name} ({part['trials'].iloc[1]:,} with half a trial added)"
        for name, part in result.needed.groupby("observer", sort=False)
    ]
    sentence = f"For an M-ratio interval of half-width {result.half_width:g} it takes {listed(parts)}."
    off = result.needed[result.needed["bias"].abs() > SMALL_BIAS]
    if off.empty:
        return sentence
    some = [f"{r.bias:+.3f} at {r.observer}, {r.fitted_to}" for r in rows_of(off)]
    return (
        f"{sentence} The half-width measures spread alone: at that size the estimate is also off by "
        f"{listed(some)}."
    )


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


def page_answer(result: SampleSize) -> str:
    """Trials for the wanted half-width at both observers, and what a task of this run reaches."""
    drawn = result.needed[result.needed["fitted_to"] == "as drawn"]
    each = listed(f"{plural(int(r.trials), 'trial')} at {r.observer}" for r in rows_of(drawn))
    here = _as_drawn(result)
    here = here[here["n_trials"] == result.trials_of_run]
    return (
        f"An M-ratio is known to within {result.half_width:g} on either side (95 %) after {each}. With the "
        f"{plural(result.trials_of_run, 'trial')} of this run's smallest task it is known to within "
        f"{listed(f'{r.m_ratio_half:.2f}' for r in rows_of(here))}."
    )


VIEWS = Views(
    "sample_size",
    tables=TABLES,
    figures={"estimates": figures.estimates, "half_width": figures.half_width},
    sentences={
        "answer": page_answer,
        "failures": failures,
        "bias": bias,
        "posterior_means": posterior_means,
        "few_repetitions": few_repetitions,
        "trials_needed": trials_needed,
        "widths": widths,
        "reach": reach,
        "chosen_observer": chosen_observer,
    },
)
