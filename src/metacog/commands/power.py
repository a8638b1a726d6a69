"""``metacog power``: how many trials for an interval width or a difference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)


@click.command("power")
@click.option("--measure", default="auroc2", show_default=True, help="What to plan.")
@click.option("--value", type=float, help="Value expected of it.")
@click.option("--difference", type=float, default=0.0, help="Difference between two groups to detect.")
@click.option("--half-width", type=float, help="Wanted half-width of the interval.")
@click.option("--power", "wanted", type=_SHARE, default=0.8, show_default=True, help="To detect it.")
@click.option("--level", type=_SHARE, default=0.95, show_default=True, help="Coverage of intervals.")
@click.option("--trials", "sizes", default="100,200,500,1000,2000,5000", show_default=True, help="Sizes.")
@click.option("--correlation", type=float, default=0.0, help="Between groups that answer the same questions.")
@click.option("--pilot", type=click.Path(path_type=Path), help="Trials (parquet) of a pilot study.")
@click.option("--accuracy", type=float, help="Share right [default: 0.5].")
@click.option("--ratings", "n_ratings", type=click.IntRange(min=2), help="Ratings [default: the measure's].")
@click.option("--slope", type=float, help="z-ROC slope [default: 1].")
@click.option("--d-prime", type=float, help="Sensitivity, for meta_d and m_ratio.")
@click.option("--simulations", type=click.IntRange(min=100), default=2000, show_default=True)
@click.option("--seed", type=int, default=42, show_default=True)
def command(
    measure: str,
    value: float | None,
    difference: float,
    half_width: float | None,
    wanted: float,
    sizes: str,
    pilot: Path | None,
    simulations: int,
    level: float,
    correlation: float,
    seed: int,
    **given: Any,
) -> None:
    """Plan a study: interval widths and power at several sizes, and the trials that a target needs.

    \b
    metacog power --measure auroc2 --value 0.70 --half-width 0.02
    metacog power --measure meta_i2r_chi_square --value 0.15 --difference 0.05 --accuracy 0.6
    metacog power --measure auroc2 --pilot pilot.parquet
    """
    from metacog.core.errors import MetacogError
    from metacog.sdt.compare import get_measure
    from metacog.sdt.power import power_table, required_trials

    get_measure(measure)
    try:
        trials = [int(text) for text in sizes.split(",")]
    except ValueError:
        raise MetacogError(f"--trials {sizes!r} must be whole numbers with commas between: 200,500") from None
    model = {name: v for name, v in given.items() if v is not None}
    populations = None
    if pilot is not None:
        if value is not None or model:
            raise MetacogError("--pilot brings its own population: leave --value and the model's options out")
        populations = pilot_of(pilot, measure)
    elif value is None:
        raise MetacogError(f"--value is needed: which {measure} do you expect? Or give --pilot TRIALS")
    plan: dict[str, Any] = {"level": level, "correlation": correlation, "seed": seed, **model}
    plan |= {"populations": populations, "n_simulations": simulations}
    table = power_table(measure, value=value, difference=difference, n_trials=trials, **plan)
    shown = table[["n_trials", "value", "bias", "se", "half_width"]]
    if difference:
        shown = shown.join(table[["half_width_difference", "power"]])
    if table["closed_form_half_width"].notna().any():
        shown = shown.join(table[["closed_form_half_width"]])
    click.echo(shown.to_string(index=False, float_format=lambda v: f"{v:.4f}"))
    undefined = float(table["share_undefined"].max())
    if undefined > 0:
        click.echo(f"in up to {100 * undefined:.1f} % of simulated tables the measure is undefined; left out")
    if half_width is not None or difference:
        need = required_trials(
            measure, value=value, half_width=half_width, difference=difference, power=wanted, **plan
        )
        groups = " in each group" if difference else ""
        click.echo(f"{need.target}: {need.n_trials:,} trials{groups} ({need.population})")


def pilot_of(path: Path, measure: str) -> Any:
    """Population of a pilot's trials: correctness by eight quantile ratings of confidence."""
    import numpy as np

    from metacog.core.errors import MetacogError
    from metacog.measures.table import levels_of
    from metacog.sdt.populations import TWO_CHOICE, pilot_population
    from metacog.trials import read_trials

    if measure in TWO_CHOICE:
        raise MetacogError(f"{measure} is of two-choice data: plan it with --value and --d-prime")
    trials = read_trials(path)
    if trials["model"].nunique() > 1:
        raise MetacogError(f"{path} holds {trials['model'].nunique()} models: a pilot is of one")
    found = next((c for c in ("score", "nlp", "confidence") if c in trials and trials[c].notna().any()), None)
    if found is None:
        raise MetacogError(f"{path} holds no confidence")
    trials = trials[trials[found].notna()]
    score = trials[found].to_numpy(dtype=float)
    level, n_ratings = levels_of(score, score)
    right = trials["correct"].to_numpy(dtype=bool)
    wrong_table, right_table = (np.bincount(level[side], minlength=n_ratings) for side in (~right, right))
    values = None  # of the levels: calibration needs them as probabilities
    if trials["confidence"].notna().all():
        sums = np.bincount(level, weights=trials["confidence"].to_numpy(dtype=float), minlength=n_ratings)
        values = sums / np.maximum(wrong_table + right_table, 1)
    return pilot_population(wrong_table, right_table, ratings=values)
