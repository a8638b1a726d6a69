"""What to report for five questions, from how many trials on, and what would change that."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from metacog.measures.measure_properties import COMPARED
from metacog.report.show import spaced
from metacog.report.vocabulary import term
from metacog.sdt.intervals import Z95

#: Simulated observers, and whether two of them have questions of their own or the same ones.
OBSERVERS = {"own": "constant M-ratio", "noise": "constant noise", "same": "constant noise, same questions"}
#: Trials at which power is told, and the fewest of a model.
MANY, FEW = 1_000, 200
#: Half the width of an interval of AUROC2 that tells enough of a model.
CLOSE = 0.03
#: Trials in each half.
HALVES = (50, 100, 200, 400, 800)
#: What comes back that is enough; power; the step it is for; a spread that is small beside that; too many false alarms.
BACK, ENOUGH, STEP, EXACT, ALARM = 0.7, 0.8, 0.2, 0.1, 0.1
#: Two groups of so many times the variance over the step squared are told apart with that power: 2 (1.96 + 0.84)^2.
PEOPLE = 2 * (Z95 + float(ndtri(ENOUGH))) ** 2
NAMES = term("measure").values


def power_of(simulated: pd.DataFrame) -> pd.DataFrame:
    """A row a measure and for each of :data:`OBSERVERS`: trials at which an M-ratio of 0.6 is told from one of 0.8.

    ``power_`` is how often at :data:`MANY` trials, ``misled_`` how often an observer seems better whose questions are
    easier.
    """
    some = simulated[simulated["power"].notna()]
    rows = []
    for measure in COMPARED:
        row: dict[str, Any] = {"measure": measure}
        for name, observer in OBSERVERS.items():
            own = some[some["observer"].eq(observer) & some["measure"].eq(measure)].set_index("n_trials")
            row[name] = trials_for(own["power"])
            row |= {f"{what}_{name}": own.loc[MANY, what] for what in ("power", "misled")}
        rows.append(row)
    return pd.DataFrame(rows)


def trials_for(power: pd.Series, wanted: float = ENOUGH) -> float:
    """Trials at which a power is reached, NaN beyond the most that were tried; ``power`` by number of trials.

    The normal score of a power is a straight line in the root of the trials.
    """
    own = power.sort_index()
    score = ndtri(own.to_numpy(np.float64).clip(1e-6, 1 - 1e-6))
    if score[-1] < ndtri(wanted):
        return float("nan")
    return float(np.interp(ndtri(wanted), score, np.sqrt(own.index.to_numpy(np.float64)))) ** 2


def hundreds(trials: float) -> str:
    """Trials in hundreds."""
    return f"{math.ceil(trials / 100) * 100:,}" if np.isfinite(trials) else "more than was tried"


def decisions_of(wide: pd.DataFrame, models: pd.DataFrame, power: pd.DataFrame) -> pd.DataFrame:
    """A row a question: what to ``report``, from how many trials on, on what that ``rests``, what ``would`` change it.

    ``wide`` has a row a measure and its properties over people, ``models`` the spread of thinned tables, and ``power``
    is of :func:`power_of`.
    """
    return pd.DataFrame(
        [_threshold(wide), _person(wide), _group(wide), _model(models), _two(power)],
        columns=["question", "report", "least", "rests", "would"],
    ).map(spaced)


def _row(table: pd.DataFrame, measure: str) -> dict[str, float]:
    row = table[table["measure"] == measure].drop(columns="measure").iloc[0]
    return {str(name): float(value) for name, value in row.items()}


def _person(wide: pd.DataFrame) -> tuple[str, ...]:
    area, ratio = (_row(wide, name) for name in ("auroc2", "m_ratio"))
    best = str(wide["measure"].iloc[int(wide["half_100"].argmax())])
    of = _row(wide, best)
    reached = [n for n in HALVES if of[f"half_{n}"] >= BACK]
    held = f"among people of equal d' {area['held_400']:.2f} of AUROC2 and {ratio['held_400']:.2f} of M-ratio"
    return (
        "How well does one person know?",
        f"{NAMES[best]}, beside the share right and how the ratings were used",
        str(min(reached)) if reached else "more than was tried",
        f"At 100 trials {of['half_100']:.2f} of it comes back, of M-ratio {ratio['half_100']:.2f}. At 400, {held}.",
        f"M-ratio coming back with {BACK} at 200 trials; now {ratio['half_200']:.2f}.",
    )


def _group(wide: pd.DataFrame) -> tuple[str, ...]:
    area, ratio = (_row(wide, name) for name in ("auroc2", "m_ratio"))
    still = ratio["easier_lower"] < 0 < ratio["easier_upper"] and area["easier_lower"] > 0
    sizes = [f"{math.ceil(PEOPLE * ratio[f'variance_{n}'] / STEP**2)} people with {n}" for n in (100, 400)]
    return (
        "Does one group know better than another?",
        "M-ratio, averaged over people of about equal d'" if still else "AUROC2 and M-ratio, both",
        f"in each group {' or '.join(sizes)}, to tell a difference of {STEP}",
        f"Easier questions move AUROC2 by {area['easier']:+.2f} standard deviations, and M-ratio by "
        f"{ratio['easier']:+.2f} ({ratio['easier_lower']:+.2f} to {ratio['easier_upper']:+.2f})"
        + (", which is not shown to be a move." if still else "."),
        "More studies, in which easier questions move M-ratio by half a standard deviation.",
    )


def _model(models: pd.DataFrame) -> tuple[str, ...]:
    spread, area = (
        models[models["measure"] == one].set_index("trials").to_dict("index") for one in ("m_ratio", "auroc2")
    )
    least, middle, most = (
        hundreds(MANY * (spread[MANY][name] / EXACT) ** 2)
        for name in ("spread_least", "spread", "spread_most")
    )
    return (
        "How well does a model know?",
        "Of two choices M-ratio with its interval; of open answers AUROC2 and meta-I2r beside the share right",
        f"M-ratio: {middle} for the middle one of nine tables, {least} to {most}; AUROC2 to within {CLOSE}: "
        f"{hundreds(MANY * (1.96 * area[MANY]['spread'] / CLOSE) ** 2)}",
        f"There M-ratio spreads by {EXACT} (standard deviation), so that its interval is some {4 * EXACT:.1f} wide.",
        f"A spread of {EXACT} at {FEW} trials; now {spread[FEW]['spread']:.2f}.",
    )


def _two(power: pd.DataFrame) -> tuple[str, ...]:
    safe = power[(power["misled_same"] < ALARM) & power["same"].notna()]
    if safe.empty:
        return (
            "Which of two models knows better?",
            "None is exact enough",
            "more than was tried",
            "",
            "A measure that is.",
        )
    best = str(safe["measure"].iloc[int(safe["same"].argmin())])
    own, area = _row(power, best), _row(power, "auroc2")
    return (
        "Which of two models knows better?",
        f"{NAMES[best]} with the interval of the difference{_else(best)}; AUROC2 only where both are right as often",
        f"{hundreds(own['same'])}, M-ratio {hundreds(_row(power, 'm_ratio')['same'])}, AUROC2 {hundreds(area['same'])}",
        "On the same questions, to tell 0.6 from 0.8. Where one only has the higher d' (2, not 1.5), AUROC2 sees a "
        f"difference in {area['misled_same']:.0%} of pairs at {MANY:,}, this in {own['misled_same']:.0%}.",
        f"A power of {ENOUGH} at {MANY:,} trials; now {own['power_same']:.2f}.",
    )


def _else(measure: str) -> str:
    """What else to report where a measure is not defined."""
    return " where both intervals lie above 0, else M-ratio" if measure == "log_m_ratio" else ""


def _threshold(wide: pd.DataFrame) -> tuple[str, ...]:
    return (
        "Which answers may pass?",
        "None of these: count how many of the answers that pass are right. AUROC2 says whether there can be a line",
        "see your own trials",
        "Over people, no measure goes with the share right of the surest answers by more than "
        f"{wide['surest'].max():.2f} (ranks).",
        "One that does by 0.9.",
    )
