"""People: which column names them, the measures of thousands of them in one batch, and the means of the group.

People are not models: each uses the scale in a way of one's own, so their trials are never pooled unasked; and they are
a sample of all people, so what is asked of them is a mean with its interval over people, not who is best.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtri, stdtrit

from metacog.measures.cell import Cell, Flag, FloatArray, Measured, Remark, fitted_tables, measurable
from metacog.measures.estimates import FITTED, PADDED_TEXT, measure
from metacog.measures.fits import PAD, fitted, pads
from metacog.measures.table import Options, groups_of, make_cell, rows_table
from metacog.sdt.sensitivity import padding
from metacog.sdt.type1 import var_z

#: What a column of people is called: a word for a person, and perhaps that its cells are names or numbers.
_PERSON = re.compile(
    r"(subj(ect)?|sub|sbj|sj|sujet|participant|partic|ppt|pp|vp|vpn|versuchsperson|proband|teilnehmer|person|observer"
    r"|respondent|volunteer|worker|prolific|mturk|turk|sona)(in)?s?"
    r"(private|public|idx|index|ids?|pid|nr|no|num|number|code|name|key|anon)*"
)
#: Names that people share with other things: items, and what is asked about.
_PERHAPS = re.compile(
    r"ids?|sid|pid|uid|(user|player|patient|student|learner|pupil|child)s?(id|nr|no|number|code)?"
)
_TOPIC = re.compile(r"(subject|sub|person)s?(name)?")
#: Rows of one value from which on a column of the names above may hold people; of two-choice data.
MANY_ROWS, MANY_OF_TWO = 20, 5

#: Most people whose trials are resampled, each person's, for intervals of all measures.
FEW_PEOPLE = 8
#: Of what the group's means are made, in their order.
OF_PEOPLE = ("accuracy", "auroc2", "meta_i2r", "overconfidence", "d_prime", "criterion", "meta_d", "m_ratio")
#: What no mean can lie beyond, nor its interval.
LIMITS = {
    "accuracy": (0.0, 1.0),
    "auroc2": (0.0, 1.0),
    "meta_i2r": (-np.inf, 1.0),
    "overconfidence": (-1.0, 1.0),
}
GROUP_COLUMNS = (
    *("group", "measure", "mean", "lower", "upper", "sd", "median", "people", "left_out", "why"),
    "near_chance",
)
NOT_ABOVE = "d' of 0 or less, to which a ratio means nothing"
UNDEFINED = "undefined"


def names_people(column: str) -> bool:
    """Whether a column's name says that its values are people: ``Subj_idx``, ``participant``, ``VP-Nr``."""
    return _PERSON.fullmatch(_plain(column)) is not None


def _plain(column: object) -> str:
    return re.sub(r"[^a-z0-9]|(?<=[a-z])[0-9]+$", "", str(column).strip().lower().lstrip("﻿"))


def people_column(
    table: pd.DataFrame, named: Collection[str] = (), *, two_choice: bool = False, models: bool = False
) -> tuple[str, int] | None:
    """A column that names people, of which there are several with several rows each, and how many there are.

    Of columns whose meaning is ``named`` none is. What is unique in each row is no person, nor is a ``subject`` whose
    values are words without a digit, as topics of questions are, unless trials are ``two_choice``; ``id`` and its like
    need :data:`MANY_ROWS` rows a value, or :data:`MANY_OF_TWO`, and no ``models``, whose items they may number.
    """
    many = MANY_OF_TWO if two_choice else MANY_ROWS
    for sure in (True, False):
        for column in table.columns:
            plain = _plain(column)
            if column in named or not (_PERSON if sure else _PERHAPS).fullmatch(plain):
                continue
            values = table[column].dropna()
            n = int(values.astype(str).nunique()) if len(values) else 0
            if n < 2 or len(values) < 2 * n:
                continue
            if _TOPIC.fullmatch(plain) and not two_choice and _words(values):
                continue
            if sure or (len(values) >= many * n and not models):
                return str(column), n
    return None


def _words(values: pd.Series) -> bool:
    """Whether most values are words without a digit, as topics are and most codes of people are not."""
    texts = pd.Series(values.unique()).astype(str)
    return bool(
        texts.str.fullmatch(r"[^\W\d]{4,}.*").mean() > 0.5 and (~texts.str.contains(r"\d")).mean() > 0.5
    )


def measure_people(
    trials: pd.DataFrame, options: Options | None = None, by: tuple[str, ...] = ("model", "domain")
) -> pd.DataFrame:
    """The table of :func:`metacog.measures.table.measure_table` for many people, without resampling anybody.

    The same estimates in the same columns. Intervals are those that need no resamples, of accuracy (Wilson's) and
    AUROC2 (placement values); there is no p of meta-I2r.
    """
    options = options or Options()
    wanted = ("model", "domain", "temperature", "correct", options.score, "confidence", "question_id")
    kept = [c for c in (*wanted, "stimulus", "response", "rating", "k") if c in trials]
    labels, cells = [], []
    for one, part, reference in groups_of(trials[kept], by):
        labels.append(one)
        cells.append(make_cell(part, reference, options))
    made = [
        measure(
            replace(cell, choice=None, k=0),
            n_resamples=0,
            n_permutations=options.n_permutations if cell.clustered else 0,
            seed=options.seed,
            level=options.level,
            open_m_ratio=options.open_m_ratio and cell.choice is None,
        )
        for cell in cells
    ]
    return rows_table(labels, _with_fits(made, cells), [c.clustered for c in cells], "stimulus" in trials)


def _with_fits(made: list[Measured], cells: Sequence[Cell]) -> list[Measured]:
    """Measures and the fits of two-choice cells, all tables of one width in one batch."""
    found = list(made)
    tables = [fitted_tables(cell) if cell.choice is not None else None for cell in cells]
    for width in sorted({pair[0].size for pair in tables if pair is not None}):
        at = [i for i, pair in enumerate(tables) if pair is not None and pair[0].size == width]
        a, b = (np.stack([tables[i][side] for i in at]) for side in (0, 1))  # type: ignore[index]
        added = pads(a, b)
        fits, thin = fitted(a, b, pad=added), np.asarray(added.any(axis=1), dtype=bool)
        thin[thin] = padding(a[thin], b[thin]).sensitive
        for j, i in enumerate(at):
            known = measurable(cells[i])
            values = {name: float(fits[name][j]) if known else np.nan for name in FITTED}
            remarks = (Remark(Flag.PADDED, PADDED_TEXT),) if known and thin[j] else ()
            found[i] = made[i].plus(Measured(values, {}, remarks, {}))
    return found


def above_chance(trials: pd.DataFrame, level: float = 0.95) -> pd.Series:
    """Whether each model's, or person's, d' lies above 0 by more than chance does (:func:`clearly_above`), by
    ``model``.
    """
    of = trials.groupby(["model", "stimulus"])["response"]
    found, held = (
        pd.DataFrame(x.unstack(fill_value=0)).reindex(columns=[0, 1], fill_value=0)
        for x in (of.sum(), of.size())
    )
    yes, n = found.to_numpy(), held.to_numpy()
    counts = np.stack([n - yes, yes], axis=-1)
    return pd.Series(clearly_above(counts[:, 0], counts[:, 1], level), index=found.index, name="above_chance")


def clearly_above(nR_S1: ArrayLike, nR_S2: ArrayLike, level: float = 0.95) -> NDArray[np.bool_]:
    """Whether the interval of d' of each table, shape ``(B, 2K)``, lies above 0 (Gourevitch & Galanter 1967)."""
    tables = [np.asarray(x, dtype=np.float64) for x in (nR_S1, nR_S2)]
    half = tables[0].shape[1] // 2
    n = [x.sum(axis=1) for x in tables]
    alarms, hits = ((x[:, half:].sum(axis=1) + PAD) / (of + 2 * PAD) for x, of in zip(tables, n, strict=True))
    error = np.sqrt(var_z(hits, n[1]) + var_z(alarms, n[0]))
    with np.errstate(invalid="ignore"):
        return np.asarray(ndtri(hits) - ndtri(alarms) > -ndtri((1 - level) / 2) * error)


def mean_interval(values: FloatArray, level: float = 0.95) -> tuple[float, float, float, float]:
    """Mean, its interval by Student's t, and the standard deviation of values."""
    n = values.size
    mean = float(values.mean()) if n else float("nan")
    if n < 2:
        return mean, float("nan"), float("nan"), float("nan")
    sd = float(values.std(ddof=1))
    half = float(stdtrit(n - 1, (1 + level) / 2)) * sd / np.sqrt(n)
    return mean, mean - half, mean + half, sd


def group_means(table: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """The means of a group of people, with intervals over people: :data:`GROUP_COLUMNS`.

    Parameters
    ----------
    table : DataFrame
        Measures, a row per person; with ``group`` where there are several groups or conditions, and ``above_chance``
        (:func:`above_chance`) where people near chance are to be counted.
    level : float

    Notes
    -----
    ``people`` that the mean is of, how many are ``left_out`` and ``why``; and, of M-ratio, how many of the people it is
    of are ``near_chance``, so that their d' may be 0. A person is the unit: mean +- t s/sqrt(n). M-ratio divides by d',
    so people whose d' is not above 0 are left out of its mean. How often the interval holds the mean of all such people
    in simulated groups is in ``data/simulations/people_means.csv``.
    """
    rows = []
    groups = table.groupby("group", sort=True) if "group" in table else [("all", table)]
    for group, part in groups:
        for name in (n for n in OF_PEOPLE if n in part and part[n].notna().any()):
            kept, near = part[name].notna(), 0
            reasons = {UNDEFINED: int((~kept).sum())}
            if name == "m_ratio":
                below = kept & ~(part["d_prime"] > 0)
                reasons, kept = {NOT_ABOVE: int(below.sum()), **reasons}, kept & ~below
                near = int((kept & ~part["above_chance"].astype(bool)).sum()) if "above_chance" in part else 0
            values = part.loc[kept, name].to_numpy(dtype=np.float64)
            why = "; ".join(f"{n} {reason}" for reason, n in reasons.items() if n)
            about = (values.size, sum(reasons.values()), why, near)
            median = float(np.median(values)) if values.size else float("nan")
            mean, *ends, sd = mean_interval(values, level)
            rows.append(
                (group, name, mean, *np.clip(ends, *LIMITS.get(name, (-np.inf, np.inf))), sd, median, *about)
            )
    return pd.DataFrame(rows, columns=list(GROUP_COLUMNS))
