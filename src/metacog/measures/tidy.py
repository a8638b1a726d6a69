"""Measures of a table of trials by any columns, one row for each measure: what a user of the library calls first."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.core.errors import lacks
from metacog.core.files import why
from metacog.core.paths import committed
from metacog.measures.among_people import with_places
from metacog.measures.cell import Flag, Measured, fitted_tables
from metacog.measures.estimates import ADDED_TEXT, FITTED, adds, measure
from metacog.measures.given import Given, ratings
from metacog.measures.people import people_column
from metacog.measures.table import Options, make_cell
from metacog.sdt.checks import InputError

#: Fewest trials from which measures of confidence should be read.
FEWEST = 80
#: Fewest tables of which a hierarchical model is made.
FEWEST_TABLES = 3
#: Groups of known M-ratio, by subjects and trials of each, made by ``benchmarks/group_coverage.py``.
GROUPS, GROUP_M = "data/simulations/group_coverage.csv", 0.8
#: Where fewer simulated groups have their M-ratio in its interval, or estimates lie further off, a row says so.
HELD, OFF = 0.9, 0.05
COLUMNS = ("measure", "estimate", "lower", "upper", "trials", "warning")

_TYPE1 = ("d_prime", "criterion")
_OF_CONFIDENCE = ("meta_d", "m_ratio", "auroc2", "meta_i2r", "meta_i")
_OF_PROBABILITY = ("overconfidence", "brier", "ece")


@dataclass(frozen=True)
class _Group:
    """Labels and usable trials of one group, its measures (None if there are none), and why so."""

    labels: dict[str, object]
    trials: pd.DataFrame
    left_out: str
    made: Measured | None
    failed: str = ""
    added: bool = False


def measures_of(
    trials: Any,
    by: str | Sequence[str] = (),
    *,
    correct: str = "correct",
    confidence: str = "confidence",
    stimulus: str | None = None,
    response: str | None = None,
    question: str | None = None,
    missing: object = (),
    scale: str = "auto",
    lower_is_surer: bool = False,
    hierarchical: bool = False,
    among_people: bool = False,
    level: float = 0.95,
    n_resamples: int = 2000,
    seed: int = 42,
) -> pd.DataFrame:
    """Measures of metacognition of every group of a table of trials, with intervals and warnings.

    Parameters
    ----------
    trials : DataFrame, a table of polars or pyarrow, or iterable of (right, confidence)
        One row per trial.
    by : column or columns
        Groups, such as ``["subject", "condition"]``; all trials together without it.
    correct : str
        Column of 0/1, True/False or words such as correct and incorrect, C and I. Not read where `stimulus` and
        `response` are named.
    confidence : str
        Column of numbers on any scale, more for surer; where all lie in [0, 1], or have a percent sign, they are
        taken for probabilities.
    stimulus, response : str, optional
        Two-choice data: which of the two was shown, and which was answered. With them there are d', the
        criterion, meta-d' and M-ratio. Without `response` it is what `correct` says that it was.
    question : str, optional
        Column that names what was asked. Intervals then resample whole questions.
    missing : text or number, or several
        What stands in a cell where there is no answer, beside the usual words.
    scale : str
        ``auto``, or what the numbers of confidence are: ``probability``, ``percent``, ``logprob`` or ``score``. With
        ``score`` they are taken as they stand, far from each other as they may be.
    lower_is_surer : bool
        Confidence is an uncertainty, a loss or an entropy.
    hierarchical : bool
        Add M-ratios of a hierarchical model, in which tables borrow strength: the first column of `by` names
        subjects, further ones conditions. Two-choice data alone; needs the extra ``bayes``. Wants some 400 trials a
        person: see the notes.
    among_people : bool
        Add ``people_below``: the share of some 5,000 people in two-choice tasks (Rahnev et al. 2020) whose M-ratio
        (without the chance in their few trials) or AUROC2 is lower. Two-choice data alone, with 100 trials, d' above
        0.5 and accuracy below .95, as people's; people's tasks are mostly of perception, and easy and hard items
        together raise M-ratio.
    level : float
        Coverage of intervals.
    n_resamples, seed : int
        Of the bootstrap and the permutation null; seed of the sampler, too.

    Returns
    -------
    DataFrame
        The columns of `by`; ``measure``; ``estimate`` (NaN where undefined), ``lower`` and ``upper`` (NaN where
        there is no interval); ``trials``; and ``warning``: why the number should not be read as it stands, empty
        where nothing speaks against it. With `hierarchical`, measures ``m_ratio, hierarchical`` of each table and
        of the group, whose subject is ``"all"``.

    Raises
    ------
    InputError
        A column that is missing or does not hold what it should: two scales of confidence, a number that stands for no
        answer, responses that are no stimulus, and the like (:mod:`metacog.measures.given`). A group that cannot be
        measured is no error: it has rows without estimates, and a warning.

    Notes
    -----
    Intervals are those of :func:`metacog.measures.estimates.measure`: of M-ratio by bootstrap of counts, of
    AUROC2 by placement values, of meta-I2r and of meta-I by studentised draws of each. M-ratio is warned of where the
    interval of d' holds 0, for the ratio then has no bounds.

    With few trials a person the group's M-ratio comes out too low, and a row of `hierarchical` says so. In simulated
    groups (people, trials of each) its interval held it, and its estimate was off, by::

        12 60 73% -25%
        12 120 88% -14%
        12 240 90% -7%
        30 120 77% -12%
        30 400 92% -2%

    Examples
    --------
    >>> from metacog.measures import measures_of
    >>> pairs = [(True, 0.9), (True, 0.8), (False, 0.6), (True, 0.7), (False, 0.3)] * 40
    >>> table = measures_of(pairs, n_resamples=200).set_index("measure")
    >>> float(table.loc["auroc2", "estimate"])
    1.0
    """
    frame = _frame(trials, correct, confidence)
    columns = [by] if isinstance(by, str) else list(by)
    two_choice = stimulus is not None
    if stimulus is None and response is not None:
        raise InputError("stimulus and response go together: name both columns, or neither")
    if among_people and not two_choice:
        raise InputError("a place among people needs two-choice data: name stimulus and response")
    if hierarchical and (not two_choice or not columns):
        raise InputError(
            "a hierarchical M-ratio needs stimulus, response and the subject's column, first in `by`"
        )
    given = Given(_several(missing), scale, lower_is_surer, in_python=True)
    if hierarchical and lacks("numpyro"):
        raise InputError("a hierarchical M-ratio needs the extra `bayes`: pip install 'metacog[bayes]'")
    roles = [stimulus, response or correct] if two_choice else [correct]
    _need(frame, [*columns, confidence, *roles, question])
    used = {*columns, confidence, *roles, question}
    if people := people_column(frame, used - {None}, two_choice=two_choice):
        warnings.warn(
            f"column {people[0]!r} holds {people[1]} people, whose trials are pooled here although each uses the scale "
            f"in a way of one's own: name it in `by`, or leave it out of the table if it names no people",
            stacklevel=2,
        )
    clash = sorted({*columns} & set(COLUMNS))
    if clash:
        raise InputError(f"the result has a column {clash[0]!r} of its own: rename the one in `by`")
    found = _groups(frame, columns)
    ready = _ready(given, frame, found, correct, confidence, stimulus, response, question)
    options = Options(n_resamples, n_resamples, seed, level, clustered=question is not None)
    groups = [
        _measured(dict(zip(columns, key, strict=True)), ready.loc[rows], options) for key, rows in found
    ]
    names = ["accuracy", *(_TYPE1 if two_choice else ()), *_OF_CONFIDENCE]
    if not two_choice:
        names = [name for name in names if name not in ("meta_d", "m_ratio")]
        names += _OF_PROBABILITY if ready["confidence"].notna().any() else ()
    rows = [row for group in groups for row in _rows(group, names)]
    if hierarchical:
        rows += _hierarchical(groups, columns, options)
    table = pd.DataFrame(rows, columns=[*columns, *COLUMNS])
    return with_places(table, columns) if among_people else table


def _frame(trials: Any, correct: str, confidence: str) -> pd.DataFrame:
    """A table of whatever library as one of pandas."""
    if isinstance(trials, pd.DataFrame):
        return trials
    if isinstance(trials, Mapping):
        return pd.DataFrame(dict(trials))
    if hasattr(trials, "to_dict") and hasattr(
        trials, "columns"
    ):  # polars, whose way to pandas wants more packages
        return pd.DataFrame({str(name): list(trials[name]) for name in trials.columns})
    if hasattr(trials, "to_pandas"):
        return pd.DataFrame(trials.to_pandas())
    try:
        return pd.DataFrame(trials, columns=[correct, confidence])
    except (TypeError, ValueError) as error:
        raise InputError(
            f"trials must be a table, or pairs of correct and confidence ({why(error)})"
        ) from None


def _several(missing: object) -> tuple[str, ...]:
    """Values that are missing as texts, of one or several."""
    if isinstance(missing, str) or not isinstance(missing, Iterable):
        return (str(missing),)
    return tuple(str(one) for one in missing)


def _need(frame: pd.DataFrame, columns: Iterable[str | None]) -> None:
    for name in (one for one in columns if one is not None):
        if name not in frame:
            raise InputError(f"there is no column {name!r}; there are: {', '.join(map(str, frame.columns))}")
        if isinstance(frame[name], pd.DataFrame):
            raise InputError(f"there are several columns {name!r}: rename all but one")


def _groups(frame: pd.DataFrame, columns: list[str]) -> list[tuple[tuple[object, ...], pd.Index]]:
    place = pd.RangeIndex(len(frame))
    if not columns:
        return [((), place)]
    found = frame[columns].set_axis(place).groupby(columns, sort=True, dropna=False, observed=True)
    return [(key, part.index) for key, part in found]  # type: ignore[misc]  # a list of columns: keys are tuples


def _ready(
    given: Given,
    frame: pd.DataFrame,
    groups: list[tuple[tuple[object, ...], pd.Index]],
    correct: str,
    confidence: str,
    stimulus: str | None,
    response: str | None,
    question: str | None,
) -> pd.DataFrame:
    """Trials under the names of the table of measures, in their order; missing where a row cannot be used."""
    frame = frame.reset_index(drop=True)
    sure = given.confidence(frame[confidence])
    made = pd.DataFrame({"score": sure.score, "temperature": 0.0, "confidence": sure.probability, "odd": ""})
    if question is not None:
        made["question_id"] = frame[question].astype("string").fillna("")
    right = None if response is not None else given.correctness(frame[correct])
    if stimulus is None:
        assert right is not None
        made["correct"] = right.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
        return made
    who = np.zeros(len(made), dtype=np.int64)
    for number, (_, rows) in enumerate(groups):
        who[rows] = number
    names = pd.Series([" ".join(map(str, groups[number][0])) for number in who])
    answered = None if response is None else frame[response]
    two = given.choices(frame[stimulus], answered, correct=right, who=names)
    made["stimulus"], made["response"] = two.stimulus, two.response
    both = made["stimulus"].notna() & made["response"].notna()
    made["correct"] = (made["stimulus"] == made["response"]).astype(np.float64).where(both)
    if two.unanswered:
        said = given.text(frame[response])
        made["odd"] = said.where(said.isin(list(two.unanswered)), "")
    usable = (made["score"].notna() & both).to_numpy()
    made["rating"], made["k"] = np.nan, 1
    if usable.any():
        rating, made["k"], _ = ratings(made["score"].to_numpy()[usable], who[usable])
        made.loc[usable, "rating"] = rating
    return made


def _measured(labels: dict[str, object], trials: pd.DataFrame, options: Options) -> _Group:
    usable = trials[trials["score"].notna() & trials["correct"].notna()]
    n = len(trials) - len(usable)
    left_out = f"{n} rows without an answer or a confidence were left out" if n else ""
    if odd := Counter(name for name in trials["odd"] if name):
        left_out += (
            f" ({', '.join(f'{times} answer {name!r}' for name, times in odd.items())}, which is no stimulus)"
        )
    if usable.empty:
        return _Group(labels, usable, left_out, None, "no trial with an answer and a confidence")
    usable = usable.astype({name: "int64" for name in ("stimulus", "response", "rating") if name in usable})
    try:
        cell = make_cell(usable, usable, options)
        made = measure(
            cell,
            n_resamples=options.n_resamples,
            n_permutations=options.n_permutations,
            seed=options.seed,
            level=options.level,
            bits=True,
        )
    except (ValueError, ArithmeticError) as error:  # one group must not take the others with it
        return _Group(labels, usable, left_out, None, f"it cannot be measured: {error}")
    return _Group(labels, usable, left_out, made, added=adds(cell))


def _rows(group: _Group, names: Sequence[str]) -> list[dict[str, object]]:
    values = group.made.values if group.made else {}
    bounds = group.made.bounds if group.made else {}
    rows = []
    for name in names:
        estimate = values.get(name, np.nan)
        lower, upper = bounds.get(name, (np.nan, np.nan))
        warned = "; ".join(_warnings(group, name, estimate, bounds))
        found = (name, estimate, lower, upper, len(group.trials), warned)
        rows.append({**group.labels, **dict(zip(COLUMNS, found, strict=True))})
    return rows


def _warnings(group: _Group, name: str, estimate: float, bounds: dict[str, tuple[float, float]]) -> list[str]:
    """Why one number of a group should not be read as it stands."""
    found = [group.failed] if group.failed else []
    found += [group.left_out] if group.left_out else []
    if group.made is None or name == "accuracy":
        return found
    n, fitted = len(group.trials), name in FITTED
    one_sided = fitted and group.trials["stimulus"].nunique() < 2
    remarks = ["only one of the two stimuli was shown"] if one_sided else []
    for remark in group.made.remarks:
        concerns = fitted and not one_sided if remark.flag is Flag.PADDED else name not in bounds
        if concerns or remark.flag not in (Flag.PADDED, Flag.NO_SPREAD, Flag.FEW_OF_A_CLASS):
            remarks.append(remark.text)
    if n < FEWEST and not any(flag.unmeasurable for flag in group.made.flags):
        remarks.append(f"only {n} trials: with fewer than {FEWEST} chance makes most of it")
    if name in _OF_CONFIDENCE and group.trials["score"].nunique() == 2:
        remarks.append("confidence has two values, which hide what finer ratings would show")
    if name == "auroc2" and bounds.get(name, (0.0, 1.0))[1] < 0.5:
        remarks.append(
            "less confidence goes with right answers: if it is an uncertainty, say lower_is_surer=True"
        )
    if fitted and not one_sided and group.added and Flag.PADDED not in group.made.flags:
        remarks.append(ADDED_TEXT)
    low, high = bounds.get("d_prime", (np.nan, np.nan))
    if name == "m_ratio" and low <= 0 <= high:
        remarks.append("d' is near 0: its interval holds 0, and a ratio to it has no bounds")
    if not np.isfinite(estimate) and not remarks:
        remarks.append("undefined for these trials: the fit has no maximum within its bounds")
    return found + remarks


def _hierarchical(groups: list[_Group], columns: list[str], options: Options) -> list[dict[str, object]]:
    """M-ratios of the tables that can be judged, and of the group in each condition."""
    subject, *conditions = columns
    tables, used = [], []
    for group in groups:
        flags = group.made.flags if group.made else ()
        if group.made is None or any(flag.unmeasurable for flag in flags):
            continue
        pair = fitted_tables(make_cell(group.trials, group.trials, options))
        if pair is not None and all(side.sum() for side in pair):
            tables.append(np.stack(pair))
            used.append(group)
    name = "m_ratio, hierarchical"
    everyone = {
        **dict.fromkeys(columns, "all"),
        "measure": name,
        "estimate": np.nan,
        "lower": np.nan,
        "upper": np.nan,
    }
    if len(tables) < FEWEST_TABLES:
        said = f"{len(tables)} tables can be judged: a hierarchical model takes {FEWEST_TABLES}"
        return [{**everyone, "trials": sum(len(group.trials) for group in groups), "warning": said}]
    from metacog.measures.posterior import sampling_quality
    from metacog.sdt.bayes import fit_group

    counts: NDArray[np.int64] = np.array(tables)
    where = [tuple(group.labels[c] for c in conditions) for group in used]
    try:
        fit = fit_group(
            counts[:, 0],
            counts[:, 1],
            subject=[str(group.labels[subject]) for group in used],
            condition=[" / ".join(map(str, key)) for key in where] if conditions else None,
            seed=options.seed,
            level=options.level,
        )
    except InputError as error:
        return [{**everyone, "trials": int(counts.sum()), "warning": f"no hierarchical model: {error}"}]
    said = "" if sampling_quality(fit).sound else "the chains did not mix well: its digits are rough"
    warned = "; ".join(x for x in (said, too_few(len({g.labels[subject] for g in used}), counts)) if x)
    rows = []
    for i, group in enumerate(used):
        part = fit.table_m_ratio
        found = (name, part.estimate[i], part.lower[i], part.upper[i], len(group.trials), warned)
        rows.append({**group.labels, **dict(zip(COLUMNS, found, strict=True))})
    for i, key in enumerate(dict.fromkeys(where)):
        n = sum(len(group.trials) for group, place in zip(used, where, strict=True) if place == key)
        found = (name, fit.m_ratio.estimate[i], fit.m_ratio.lower[i], fit.m_ratio.upper[i], n, warned)
        labels = {subject: "all", **dict(zip(conditions, key, strict=True))}
        rows.append({**labels, **dict(zip(COLUMNS, found, strict=True))})
    return rows


def too_few(subjects: int, counts: NDArray[np.int64]) -> str:
    """How simulated groups of about this size fared, where a hierarchical M-ratio is too low or too narrow in them.

    ``counts`` are of tables, ``(tables, 2, 2K)``.
    """
    table = simulated_groups()
    if table.empty:
        return ""
    trials = float(np.median(counts.sum(axis=(1, 2))))
    apart = np.log2(table["trials"] / trials).abs() + 0.01 * np.log2(table["subjects"] / subjects).abs()
    near = table.loc[apart.idxmin()]
    if near["held"] >= HELD and abs(near["off"]) <= OFF:
        return ""
    side = "low" if near["off"] < 0 else "high"
    return (
        f"{trials:.0f} trials a table: of simulated groups of {near['subjects']:.0f} with {near['trials']:.0f} trials "
        f"each, {near['held']:.0%} have their M-ratio in its interval, and its estimate is {abs(near['off']):.0%} too "
        f"{side}"
    )


def simulated_groups() -> pd.DataFrame:
    """Of each size ``subjects, trials``, the share of simulated groups ``held`` by the interval, and how far ``off``.

    ``off`` is relative, the geometric mean over the groups. Without a row where the table is not there.
    """
    path = committed(GROUPS)
    if not path.is_file():
        return pd.DataFrame(columns=["subjects", "trials", "held", "off"])
    rows = pd.read_csv(path).assign(error=lambda x: np.log(x["m_ratio"] / GROUP_M))
    made = rows.groupby(["subjects", "trials"], as_index=False).agg(
        held=("covered", "mean"), off=("error", "mean")
    )
    return made.assign(off=np.expm1(made["off"]))
