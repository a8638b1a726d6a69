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
ON_SAME = "same"
#: The M-ratio that two who are alike share, between those of the pair, and the two ends that are tried besides.
MIDDLE, ENDS = 0.7, (("low", 0.6), ("high", 0.8))
#: Trials at which power is told, and the fewest of a model.
MANY, FEW = 1_000, 200
#: Half the width of an interval of AUROC2 that tells enough of a model.
CLOSE = 0.03
#: A difference of AUROC2 between two models that one wants to see.
SEEN = 0.05
#: Trials in each half.
HALVES = (50, 100, 200, 400, 800)
#: What comes back that is enough; power; the step it is for; a spread that is small beside that; too many false alarms.
BACK, ENOUGH, STEP, EXACT, ALARM = 0.7, 0.8, 0.2, 0.1, 0.1
#: Two groups of so many times the variance over the step squared are told apart with that power: 2 (1.96 + 0.84)^2.
PEOPLE = 2 * (Z95 + float(ndtri(ENOUGH))) ** 2
#: Measures that are advised for two models; the logarithm of M-ratio gains only where those alike lie high.
ADVISED = ("auroc2", "auroc2_over_ideal", "m_ratio")
#: What may fool a score, by what is changed in simulation; a move of so small a share of a step is little.
THREATS = {
    "d' 2": "An abler observer",
    "easy and hard questions": "Easy and hard questions mixed",
    "one kind spreads 1.25 times as widely": "Unequal variance",
    "2 ratings": "Only two ratings",
    "high ratings seldom": "High ratings seldom",
    "criterion 0.5": "A lean to one answer",
}
LITTLE = 0.1
NAMES = term("measure").values


def power_of(simulated: pd.DataFrame) -> pd.DataFrame:
    """A row a measure and for each of :data:`OBSERVERS`: trials at which an M-ratio of 0.6 is told from one of 0.8.

    Told apart is what differs by more than those who are alike, at :data:`MIDDLE`; ``same_`` with its end, on the same
    questions, at each of the others. ``power_`` is how often at :data:`MANY` trials, ``misled_`` how often an observer
    seems better whose questions are easier.
    """
    some = simulated[simulated["power"].notna()]
    rows = []
    for measure in COMPARED:
        row: dict[str, Any] = {"measure": measure}
        for name, observer in OBSERVERS.items():
            own = some[some["observer"].eq(observer) & some["measure"].eq(measure)].set_index("n_trials")
            row[name] = trials_for(own.loc[own["null"].eq(MIDDLE), "power"])
            row[f"power_{name}"] = own.loc[own["null"].eq(MIDDLE), "power"].loc[MANY]
            row[f"misled_{name}"] = own["misled"].dropna().loc[MANY]
            if name == ON_SAME:
                row |= {f"same_{end}": trials_for(own.loc[own["null"].eq(x), "power"]) for end, x in ENDS}
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


def scores_of(wide: pd.DataFrame, power: pd.DataFrame, simulated: pd.DataFrame) -> pd.DataFrame:
    """Three scores: what each ``tells``, and what ``fools`` it."""
    area, over, ratio = (_row(wide, name) for name in ADVISED)
    known = simulated[simulated["observer"].eq(OBSERVERS["noise"]) & simulated["varied"].notna()]
    moves = known.set_index(["measure", "varied"])["moves"]
    misled = _row(power, "auroc2")["misled_same"]
    told = (
        (
            "Of a right and a wrong answer, how often is the right one surer?",
            "Being good at the task: of two models that know themselves equally well, it calls the abler one better in "
            f"{100 * misled:.0f} of 100 tests (d' 2 against 1.5, {MANY:,} questions). And how the scale is used: with "
            f"two ratings in place of four it moves by {moves['auroc2', '2 ratings']:+.0%} of the step between an "
            "M-ratio of 0.6 and 0.8",
        ),
        (
            "The same, as a share of what a perfect judge, as able and using ratings alike, would reach",
            f"Luck: only {over['half_100']:.0%} of the differences between people show up in a second test of 100 "
            f"questions (AUROC2: {area['half_100']:.0%})",
        ),
        (
            "How much of what the choice used does confidence use?",
            f"Luck: {ratio['half_100']:.0%} show up again. Curves of unequal width; questions of mixed difficulty "
            f"raise it in people, in our simulation by {moves['m_ratio', 'easy and hard questions']:+.0%} of that step",
        ),
    )
    rows = [(measure, *row) for measure, row in zip(ADVISED, told, strict=True)]
    return pd.DataFrame(rows, columns=["measure", "tells", "fools"]).map(spaced)


def fooled_by(simulated: pd.DataFrame) -> pd.DataFrame:
    """How far each of :data:`THREATS` moves three scores of a simulated observer whose noise stays the same.

    ``measure, what, moved, good``: as a share of the step from an M-ratio of 0.6 to 0.8, and whether that is little.
    """
    known = simulated[simulated["observer"].eq(OBSERVERS["noise"]) & simulated["varied"].notna()]
    moves = known.set_index(["measure", "varied"])["moves"]
    rows = [
        (measure, what, spaced(f"{moves[measure, varied]:+.0%}"), abs(moves[measure, varied]) <= LITTLE)
        for measure in ADVISED
        for varied, what in THREATS.items()
    ]
    return pd.DataFrame(rows, columns=["measure", "what", "moved", "good"])


def decisions_of(
    wide: pd.DataFrame, models: pd.DataFrame, open_answers: pd.Series, power: pd.DataFrame
) -> pd.DataFrame:
    """A row a question: what to ``report``, from how many ``trials`` on, and what these ``buy``.

    Also on what that ``rests``, and what ``would`` change it. ``wide`` has a row a measure and its properties over
    people, ``models`` the spread of thinned tables, ``open_answers`` the standard errors of AUROC2 of models at
    :data:`MANY` open answers, and ``power`` is of :func:`power_of`.
    """
    return pd.DataFrame(
        [
            _threshold(wide),
            _person(wide),
            *_groups(wide),
            *_model(models, open_answers),
            *_two(power, open_answers),
        ],
        columns=["question", "report", "trials", "buy", "rests", "would"],
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
        f"No score is fit to judge one. To order people of like skill: {NAMES[best]}",
        str(min(reached)) if reached else "more than was tried",
        f"{of[f'half_{min(reached)}']:.0%} of how people differ shows again" if reached else "",
        f"At 100 trials {of['half_100']:.2f} of it comes back, of M-ratio {ratio['half_100']:.2f}. At 400, {held}.",
        f"M-ratio coming back with {BACK} at 200 trials; now {ratio['half_200']:.2f}.",
    )


def _groups(wide: pd.DataFrame) -> list[tuple[str, ...]]:
    area, ratio = (_row(wide, name) for name in ("auroc2", "m_ratio"))
    still = ratio["easier_true_lower"] < 0 < ratio["easier_true_upper"] and area["easier_true_lower"] > 0
    few, many = (math.ceil(PEOPLE * ratio[f"variance_{n}"] / STEP**2) for n in (100, 400))
    steady = area["held_400"] > ratio["held_400"]
    return [
        (
            "Which of two groups knows better, if they differ in skill (d')?",
            "M-ratio, the mean over people with equally many trials" if still else "AUROC2 and M-ratio, both",
            "100",
            f"{few} people a group see {STEP} between their means",
            f"Easier questions move AUROC2 by {area['easier_true']:+.1f} true standard deviations, and M-ratio by "
            f"{ratio['easier_true']:+.1f} ({ratio['easier_true_lower']:+.1f} to {ratio['easier_true_upper']:+.1f})"
            + (", which is not shown to be a move. " if still else ". ")
            + f"The number tells means of M-ratio that differ by {STEP}; with 400 trials each it is {many} people.",
            "More studies, in which easier questions move M-ratio by half a standard deviation.",
        ),
        (
            "And if their skill is the same?",
            f"{'AUROC2' if steady else 'M-ratio'}. Compare how the ratings are used, too",
            "",
            "",
            f"Among people of equal d' {area['held_400']:.2f} of AUROC2 comes back at 400 trials and "
            f"{ratio['held_400']:.2f} of M-ratio. But habits of rating move AUROC2.",
            "A group that rates otherwise and knows as much.",
        ),
    ]


def _model(models: pd.DataFrame, open_answers: pd.Series) -> list[tuple[str, ...]]:
    spread = models[models["measure"] == "m_ratio"].set_index("trials").to_dict("index")
    least, middle, most = (
        hundreds(MANY * (spread[MANY][name] / EXACT) ** 2)
        for name in ("spread_least", "spread", "spread_most")
    )
    return [
        (
            "How well does a model know, of two choices?",
            "M-ratio with its interval",
            middle,
            f"M-ratio to within ±{2 * EXACT:.1f}",
            f"The middle one of nine tables; the others take {least} to {most}.",
            f"Half of that width at {MANY:,} trials; now ±{Z95 * spread[MANY]['spread']:.2f}.",
        ),
        (
            "And in open answers?",
            "AUROC2 and meta-I2r, with the share right",
            hundreds(MANY * (Z95 * float(open_answers.median()) / CLOSE) ** 2),
            f"AUROC2 to within ±{CLOSE}",
            f"The middle one of {len(open_answers)} published tables of open answers (study 1); the others take "
            f"{hundreds(MANY * (Z95 * float(open_answers.min()) / CLOSE) ** 2)} to "
            f"{hundreds(MANY * (Z95 * float(open_answers.max()) / CLOSE) ** 2)}. "
            "Without a choice between two there is no d', and M-ratio cannot be read.",
            "A measure of open answers that sets skill aside.",
        ),
    ]


def _two(power: pd.DataFrame, open_answers: pd.Series) -> list[tuple[str, ...]]:
    safe = power[(power["misled_same"] < ALARM) & power["same"].notna()]
    safe = safe[safe["measure"].isin(ADVISED)]
    question = "Which of two models knows better, of two choices?"
    if safe.empty:
        return [(question, "None is exact enough", "more than was tried", "", "", "A measure that is.")]
    best = str(safe["measure"].iloc[int(safe["same"].argmin())])
    own, area = _row(power, best), _row(power, "auroc2")
    return [
        (
            question,
            f"{NAMES[best]}, with the interval of the difference. AUROC2 only if both are right equally often",
            hundreds(own["same"]),
            "0.6 is told from 0.8",
            f"M-ratios of 0.6 and 0.8, on the same questions; AUROC2 takes {hundreds(area['same'])}. Where one only "
            f"has the higher d' (2, not 1.5), AUROC2 sees a difference in {area['misled_same']:.1%} of pairs at "
            f"{MANY:,} trials, {NAMES[best]} in {own['misled_same']:.1%}.",
            f"A power of {ENOUGH} at {MANY:,} trials; now {own['power_same']:.2f}.",
        ),
        (
            "And in open answers?",
            "AUROC2, with the share right. If that differs, neither tells",
            hundreds(MANY * PEOPLE * (float(open_answers.median()) / SEEN) ** 2),
            f"a difference of {SEEN} is seen",
            "AUROC2 goes with the share right, and nothing here takes that out of open answers.",
            "A measure of open answers that sets skill aside.",
        ),
    ]


def _threshold(wide: pd.DataFrame) -> tuple[str, ...]:
    return (
        "Which answers can I trust?",
        "None of these. Count how many of the answers that pass are right",
        "",
        "",
        "Over people, no measure goes with the share right of the surest answers by more than "
        f"{wide['surest'].max():.2f} (ranks). Whether a line is likely, AUROC2 says together with the share right.",
        "One that does by 0.9.",
    )
