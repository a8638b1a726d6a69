"""What do the study's four questions get for answers from the models of this run?

RQ2 and RQ3: both sides of a comparison, of ways of asking within a model or of models within a way, are measured by
AUROC2 on the base questions that both were asked, all sets together, and resampled together. All pairs of ways are
judged as one family, and so are all pairs of models.

RQ4: what is gained by abstaining below a threshold that other questions set is measured against the better constant
strategy (:mod:`metacog.sdt.selective`). The relation of a measure with the shares takes one half of the questions
for the measure and the other for the shares: from the same answers both would carry the same luck, and rise together
where all know equally much.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from metacog.collect.models import labelled
from metacog.core.frames import ended, typed_rows, with_ends
from metacog.core.words import listed, plural
from metacog.measures.cell import MIN_FOR_INTERVALS, MIN_TRIALS, Flag, FloatArray, question_resamples
from metacog.measures.estimates import Measured
from metacog.measures.pairs import family_table, together
from metacog.report.views import Views
from metacog.sdt import InputError, abstain_held_out
from metacog.sdt.compare import Together
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.over_groups import variation, variation_difference
from metacog.sdt.selective import AbstentionDraws, HeldOut, resample_held_out
from metacog.studies.study import Inputs, analysis
from metacog.studies.study3_dmc.asking.ways import ALL, way_name
from metacog.studies.study3_dmc.measures import (
    D_HAT,
    N_RATINGS,
    PADDED,
    RATIOS,
    Draws,
    WayCell,
    questions_of,
    units_of,
    way_cell,
)
from metacog.verdicts.rules import NOT_TESTABLE

# The cells of this run's trials, each measured once, and their table.

#: What is compared, as readers know it.
MEASURES = {
    "mc": "MC (DMC)",
    "m_ratio": "M-ratio (ML)",
    "meta_i2r": "meta-I2r",
    "auroc2": "AUROC2",
    "ece_debiased": "ECE",
    "brier": "Brier",
}
#: Those whose CV is taken. Not ECE: even debiased it lies above 0 for a calibrated signal. By how much depends on the
#: spread of confidence and on the number of trials, so a CV would compare these.
COMPARED = {name: title for name, title in MEASURES.items() if name != "ece_debiased"}
#: Shown next to them.
ABILITY = ("accuracy", "d_hat", "d_star")
#: With one of these nothing but accuracy is used: the floors of every chapter (:mod:`metacog.measures.cell`).
FLOORS = {Flag.FEW_TRIALS, Flag.ONE_CLASS, Flag.CONSTANT, Flag.FEW_OF_A_CLASS, Flag.FEW_QUESTIONS}

#: Base questions by set.
Questions = Mapping[str, frozenset[str]]


class Way(NamedTuple):
    """One way of asking, with its form."""

    method: str
    form: str

    @property
    def name(self) -> str:
        """For readers."""
        return way_name(self.method, self.form)


@dataclass(frozen=True, eq=False)
class Cells:
    """Trials of all models and ways of asking, measured as they are asked for and kept; with ``ratios`` by MC and
    M-ratio too, whose resamples are fitted."""

    trials: pd.DataFrame
    draws: Draws
    ratios: bool = True
    _known: dict[tuple[object, ...], WayCell] = field(default_factory=dict)
    _parts: dict[tuple[str, Way], pd.DataFrame] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for (model, method, form), part in self.trials.groupby(["model", "method", "form"], sort=False):
            self._parts[str(model), Way(str(method), str(form))] = part

    @property
    def models(self) -> list[str]:
        """In the order of the trials."""
        return list(dict.fromkeys(model for model, _ in self._parts))

    @property
    def ways(self) -> list[Way]:
        """In the order of the trials."""
        return list(dict.fromkeys(way for _, way in self._parts))

    @property
    def asked(self) -> list[tuple[str, Way]]:
        """Models with the ways they were asked in, ways of one model together."""
        return [(m, way) for m in self.models for way in self.ways if (m, way) in self._parts]

    @property
    def sets(self) -> list[str]:
        """In the order of the trials."""
        return [str(one) for one in self.trials["dataset"].drop_duplicates()]

    def of(
        self, model: str, way: Way, dataset: str = ALL, questions: Questions | None = None
    ) -> pd.DataFrame:
        """Trials of a cell, of all its questions or of some."""
        part = self._parts[model, way]
        if dataset != ALL:
            part = part[part["dataset"] == dataset]
        if questions is not None and dict(questions) != self.questions(model, way):
            wanted = [(name, one) for name, ids in questions.items() for one in ids]
            pairs = pd.MultiIndex.from_frame(part[["dataset", "base_id"]])
            part = part[pairs.isin(wanted)] if wanted else part.head(0)
        return part

    def questions(self, model: str, way: Way) -> dict[str, frozenset[str]]:
        """Base questions asked, by set."""
        by_set = self._parts[model, way].groupby("dataset")["base_id"]
        return {str(dataset): frozenset(ids) for dataset, ids in by_set}

    def cell(self, model: str, way: Way, dataset: str = ALL, questions: Questions | None = None) -> WayCell:
        """A cell, of all its questions or of some; its measures without those that rest on too few trials."""
        trials = self.of(model, way, dataset, questions)
        key = (model, way, dataset, frozenset(zip(trials["dataset"], trials["base_id"], strict=True)))
        if key not in self._known:
            self._known[key] = floored(way_cell(trials, self.draws, ratios=self.ratios))
        return self._known[key]


def floored(cell: WayCell) -> WayCell:
    """A cell with nothing but accuracy where its trials are too few, and the reason for every measure."""
    few = next((remark.text for remark in cell.made.remarks if remark.flag in FLOORS), "")
    why, kept = cell.why or few, {}
    if not why:
        return cell
    if few:
        kept = {"accuracy": cell.made.values["accuracy"]}
    reasons = {name: why for name in (*MEASURES, *ABILITY) if name not in kept}
    return replace(cell, made=Measured(kept, {}, cell.made.remarks, {}, reasons))


def shared(first: Questions, second: Questions) -> dict[str, frozenset[str]]:
    """The base questions that both were asked."""
    both = {name: first[name] & second[name] for name in first if name in second}
    return {name: ids for name, ids in both.items() if ids}


def cell_table(cells: Cells) -> pd.DataFrame:
    """Every cell, sets one by one and all together: each measure with its limits, NaN where undefined.

    ``why`` says why the way is undefined here, ``why_ratio`` why only MC and M-ratio are.
    """
    rows = []
    for model, way in cells.asked:
        present = set(cells.of(model, way)["dataset"])
        for dataset in (*(one for one in cells.sets if one in present), ALL):
            rows.append(_row(model, way, dataset, cells.cell(model, way, dataset)))
    return pd.DataFrame(rows)


def _row(model: str, way: Way, dataset: str, cell: WayCell) -> dict[str, object]:
    row: dict[str, object] = {
        "model": model,
        "dataset": dataset,
        "method": way.method,
        "form": way.form,
        "name": way.name,
        "asked": cell.asked,
        "n": cell.n,
        "questions": cell.questions,
    }
    made, nothing = cell.made, float("nan")
    for name in (*MEASURES, *ABILITY):
        row |= ended(name, made.values.get(name, nothing), *made.bounds.get(name, (nothing, nothing)))
    whole = made.why.get("auroc2", "")
    ratio = list(dict.fromkeys(made.why[name] for name in RATIOS if name in made.why))
    return row | {"why": whole, "why_ratio": "" if whole else "; ".join(ratio)}


#: Fewer points than this have no rank correlation worth an interval.
MIN_POINTS = 5
SHARES = {"a_acc": "A-Acc", "r_acc": "R-Acc"}
#: Measures whose relation with the shares is asked for.
RELATED = ("mc", "auroc2")
#: What the interval of a gain shows.
GAINS, LOSES, NEITHER, UNDECIDED = "gains", "loses", "same", "undefined"
#: What the interval of a relation shows.
RISES, FALLS, NONE, CONSTANT, FEW = "rises", "falls", "none", "constant", "few points"


def abstained(cells: Cells) -> pd.DataFrame:
    """R-Acc and A-Acc of every model and way of asking over all sets, with intervals.

    ``constant`` is A-Acc of answering all or of abstaining from all, whichever is better on the other half; ``gain`` is
    A-Acc minus that.
    """
    return pd.DataFrame([_abstaining_row(cells, model, way) for model, way in cells.asked])


def _abstaining_row(cells: Cells, model: str, way: Way) -> dict[str, object]:
    cell, nothing = cells.cell(model, way), float("nan")
    row: dict[str, object] = {"model": model, "name": way.name, "n": cell.n, "questions": cell.questions}
    row |= dict.fromkeys(("accuracy", "coverage", "constant", *RELATED), nothing)
    row |= dict.fromkeys(with_ends(*SHARES, "gain"), nothing)
    row |= {"outcome": UNDECIDED, "why": cell.made.why.get("auroc2", "")}
    if row["why"]:
        return row
    held, again = _decided(cells, cells.of(model, way))
    for name, value in {"a_acc": held.pooled.a_acc, "r_acc": held.pooled.r_acc, "gain": held.gain}.items():
        low, high = percentile_limits(getattr(again, name))
        row |= ended(name, value, low, high)
    row["outcome"] = GAINS if low > 0 else LOSES if high < 0 else NEITHER
    row |= {"accuracy": held.pooled.accuracy, "coverage": held.pooled.coverage, "constant": held.constant}
    return row | {name: cell.made.values.get(name, nothing) for name in RELATED}


def _decided(cells: Cells, trials: pd.DataFrame) -> tuple[HeldOut, AbstentionDraws]:
    """Decisions of some trials, each half by the other's threshold, and those of resampled questions."""
    used = trials[trials["parse_status"] == "ok"]
    unit, all_units = units_of(used), np.unique(units_of(trials))
    n, seed = cells.draws.n_resamples, cells.draws.seed
    weights = np.concatenate([*question_resamples(questions_of(trials), n, seed)])
    arrays = used["correct"].to_numpy(bool), used["confidence"].to_numpy(np.float64)
    again = resample_held_out(*arrays, unit, weights[:, np.isin(all_units, unit)], seed=seed)
    return abstain_held_out(*arrays, clusters=unit, seed=seed), again


def halves(questions: Questions, seed: int) -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]]]:
    """The questions of each set in two random halves, the same for the same questions and seed."""
    first = {}
    for dataset, ids in questions.items():
        rng = np.random.default_rng([seed, zlib.crc32(dataset.encode())])
        order = rng.permutation(sorted(ids))
        first[dataset] = frozenset(order[: len(ids) // 2].tolist())
    return first, {dataset: ids - first[dataset] for dataset, ids in questions.items()}


def relations(cells: Cells, table: pd.DataFrame) -> pd.DataFrame:
    """Whether measures go with the shares (``table`` of :func:`abstained`), over the largest group of models and ways
    with the same questions: ``n`` of them, ``of`` as many as are in the group."""
    groups: dict[frozenset[tuple[str, str]], list[tuple[str, Way]]] = {}
    for (model, way), outcome in zip(cells.asked, table["outcome"], strict=True):
        if outcome != UNDECIDED:
            asked = cells.questions(model, way)
            key = frozenset((name, one) for name, ids in asked.items() for one in ids)
            groups.setdefault(key, []).append((model, way))
    group = max(groups.values(), key=len, default=[])
    sides = [
        [_side(cells, model, way, half) for half in halves(cells.questions(model, way), cells.draws.seed)]
        for model, way in group
    ]
    rows = [
        {"measure": m, "measure_name": MEASURES[m], "share": title, **_relation(sides, m, share)}
        for m in RELATED
        for share, title in SHARES.items()
    ]
    return pd.DataFrame(rows)


#: One half of the questions: measures, and shares of decisions with their resamples.
Side = tuple[Measured, dict[str, float], dict[str, FloatArray]]


def _side(cells: Cells, model: str, way: Way, questions: Questions) -> Side:
    made = cells.cell(model, way, questions=questions).made
    if "auroc2" in made.why:
        return made, {}, {}
    held, again = _decided(cells, cells.of(model, way, ALL, questions))
    shares = {name: getattr(held.pooled, name) for name in SHARES}
    return made, shares, {name: getattr(again, name) for name in SHARES}


def _relation(points: list[list[Side]], measure: str, share: str) -> dict[str, object]:
    """Mean of the two rank correlations: either half's measure with the other half's shares."""
    used = [
        sides
        for sides in points
        if all(made.defined(measure) and np.isfinite(known.get(share, np.nan)) for made, known, _ in sides)
    ]
    row: dict[str, object] = {"n": len(used), "of": len(points)}
    row |= dict.fromkeys(("rho", "lower", "upper"), float("nan"))
    if len(used) < MIN_POINTS:
        return {**row, "outcome": FEW}
    values, draws = [], []
    for one, other in ((0, 1), (1, 0)):
        measures, shares, again = (
            [s[one][0] for s in used],
            [s[other][1] for s in used],
            [s[other][2] for s in used],
        )
        x = np.array([[made.values[measure] for made in measures]])
        values.append(rank_correlations(x, np.array([[known[share] for known in shares]]))[0])
        x = np.stack([made.paired(measure) for made in measures], axis=1)
        draws.append(rank_correlations(x, np.stack([drawn[share] for drawn in again], axis=1)))
    rho = float(np.mean(values))
    if not np.isfinite(rho):
        return {**row, "outcome": CONSTANT}
    low, high = percentile_limits(np.mean(draws, axis=0))
    outcome = RISES if low > 0 else FALLS if high < 0 else NONE
    return {**row, "rho": rho, "lower": low, "upper": high, "outcome": outcome}


def rank_correlations(x: FloatArray, y: FloatArray) -> FloatArray:
    """Spearman's rho of each row; NaN where a value is missing or a row is constant."""
    good = np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1)
    rho = np.full(len(x), np.nan)
    if good.any():
        a, b = (rankdata(v[good], axis=1) for v in (x, y))
        a, b = (v - v.mean(axis=1, keepdims=True) for v in (a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            rho[good] = (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
    return rho


# RQ2 and RQ3: which ways of a model, and which models in a way, differ.

#: What the adjusted p of a difference shows.
FIRST, SECOND, SAME, UNDEFINED = "first higher", "second higher", "same", "undefined"
_CONTRASTS = dict.fromkeys(("first", "second", "outcome", "why"), "str") | dict.fromkeys(
    ("questions", "difference", "lower", "upper", "p_holm"), "float64"
)
#: A way of asking a model.
Asked = tuple[str, Way]


def way_contrasts(cells: Cells) -> pd.DataFrame:
    """Every pair of ways of asking within a model: difference of AUROC2 (first minus second) on what both were asked.

    Limits hold for all pairs of the table together, and ``p_holm`` is adjusted over them.
    """
    pairs = [(a, b) for a, b in combinations(cells.asked, 2) if a[0] == b[0]]
    return _contrasts(
        cells, pairs, [(a[1].name, b[1].name) for a, b in pairs], "model", [a[0] for a, _ in pairs]
    )


def model_contrasts(cells: Cells) -> pd.DataFrame:
    """Every pair of models within a way of asking; ``name`` in place of ``model``."""
    pairs = [
        ((first, way), (second, way))
        for way in cells.ways
        for first, second in combinations([model for model, one in cells.asked if one == way], 2)
    ]
    return _contrasts(cells, pairs, [(a[0], b[0]) for a, b in pairs], "name", [a[1].name for a, _ in pairs])


def _contrasts(
    cells: Cells,
    pairs: list[tuple[Asked, Asked]],
    names: list[tuple[str, str]],
    within: str,
    groups: Iterable[str],
) -> pd.DataFrame:
    both = [shared(cells.questions(*a), cells.questions(*b)) for a, b in pairs]
    made = [
        [cells.cell(*side, ALL, asked).made for side in pair] for pair, asked in zip(pairs, both, strict=True)
    ]
    gaps, whys = [], []
    for sides, named in zip(made, names, strict=True):
        gap = together(sides[0], sides[1], "auroc2")
        lacking = [f"{n}: {m.why['auroc2']}" for n, m in zip(named, sides, strict=True) if "auroc2" in m.why]
        why = "; ".join(lacking) or ("" if gap.draws.size else "undefined on one side or both")
        if not why and gap.difference and np.ptp(gap.draws) == 0:  # no spread is not no doubt
            why = "every resample gives the same difference"
        gaps.append(Together(gap.value_a, gap.value_b, gap.draws[:0]) if why else gap)
        whys.append(why)
    questions = [sum(len(ids) for ids in one.values()) for one in both]
    table = family_table("auroc2", names, gaps, n_units=questions).assign(questions=questions, why=whys)
    higher = np.where(table["difference"] > 0, FIRST, SECOND)
    told = np.where(table["differs"], higher, SAME)
    table["outcome"] = np.where(table["why"] != "", UNDEFINED, told)
    table.insert(0, within, list(groups))
    return table[[within, *_CONTRASTS]].astype(_CONTRASTS)


def apart(contrasts: pd.DataFrame) -> pd.DataFrame:
    """Pairs that differ."""
    return contrasts[contrasts["outcome"].isin([FIRST, SECOND])].reset_index(drop=True)


@analysis(needs=("single", "repeated", "written"))
def contrasts(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42) -> dict[str, Any]:
    """Which ways of asking a model, and which models, differ?"""
    measured = Cells(_trials(inputs), Draws(n_resamples, 2, seed), ratios=False)
    return {"ways": way_contrasts(measured), "models": model_contrasts(measured)}


def _trials(inputs: Inputs) -> pd.DataFrame:
    return labelled(pd.concat(map(inputs.trials, ("single", "repeated", "written")), ignore_index=True))


# RQ1: how much each measure varies over the sets, with the sampling variance subtracted.

_SHOWN = ("cv", "lower", "upper", "corrected", "corrected_lower", "corrected_upper", "explained", "mean")
#: What the interval of a measure's CV minus MC's shows.
MORE, LESS, SAME_VARIATION = "varies more", "varies less", "same"


def variation_table(cells: Cells) -> pd.DataFrame:
    """Coefficients of variation over sets, one row a model, way and measure.

    ``noise`` is the CV that sampling alone would give, ``explained`` its share of the squared deviation, ``gap`` the
    corrected CV minus MC's over the sets that both have.
    """
    rows = []
    for model, way in cells.asked:
        present = set(cells.of(model, way)["dataset"])
        sets = {name: cells.cell(model, way, name) for name in cells.sets if name in present}
        rows += [
            {"model": model, "name": way.name, "measure": measure, "measure_name": title}
            | _variations_row(sets, measure)
            for measure, title in COMPARED.items()
        ]
    return pd.DataFrame(rows)


def _variations_row(sets: dict[str, WayCell], measure: str) -> dict[str, object]:
    used = [name for name, one in sets.items() if one.made.defined(measure)]
    left_out = [f"{name}: {one.made.why[measure]}" for name, one in sets.items() if name not in used]
    row: dict[str, object] = {
        "sets": len(used),
        "left_out": "; ".join(left_out),
        "questions": sum(sets[name].questions for name in used),
        "why": "" if len(used) > 1 else f"defined on {len(used)} of {len(sets)} sets",
        **dict.fromkeys((*_SHOWN, "noise", "gap", "gap_lower", "gap_upper"), float("nan")),
        "outcome": "",
    }
    if row["why"]:
        return row
    try:
        made = variation(*_columns(sets, used, measure))
    except InputError as error:
        return {**row, "why": str(error)}
    row["mean"] = made.mean
    if not made.defined:
        why = f"the mean over sets may be 0 ({made.mean_lower:.3f} to {made.mean_upper:.3f})"
        return {**row, "why": why}
    row["noise"] = made.sampling_sd / abs(made.mean)
    if not made.told:
        return {**row, "why": f"resamples vary more than the sets do ({row['noise']:.2f} and {made.cv:.2f})"}
    row |= {name: asdict(made)[name] for name in _SHOWN}
    return row | (_against_mc(sets, measure) if measure != "mc" else {})


def _against_mc(sets: dict[str, WayCell], measure: str) -> dict[str, object]:
    both = [name for name, one in sets.items() if one.made.defined(measure) and one.made.defined("mc")]
    if len(both) < 2:
        return {}
    sides = _columns(sets, both, measure), _columns(sets, both, "mc")
    try:
        if not all(variation(*one).told for one in sides):
            return {}
        gap = variation_difference(*sides)
    except InputError:
        return {}
    outcome = SAME_VARIATION if not gap.excludes() else MORE if gap.lower > 0 else LESS
    return {"gap": gap.estimate, "gap_lower": gap.lower, "gap_upper": gap.upper, "outcome": outcome}


def _columns(sets: dict[str, WayCell], names: list[str], measure: str) -> tuple[FloatArray, FloatArray]:
    values = np.array([sets[name].made.values[measure] for name in names])
    return values, np.stack([sets[name].made.paired(measure) for name in names], axis=1)


# The paper's four questions by model: how many of the comparisons that can be made show what is asked.

#: What is asked of a model, in the paper's order, and first whether its measure can be computed at all.
CLAIMS = {
    "defined": "The paper's measure can be computed",
    "flat": "Another measure varies more over question sets",
    "ways": "Two ways of asking differ (AUROC2)",
    "models": "It differs from another model (AUROC2)",
    "abstaining": "Abstaining by confidence gains something",
}
CELLS = "{cells} of a way of asking and a set"
#: Why the paper's measure is undefined in some of them.
WHY_UNDEFINED = (
    "the way of asking failed or trials are too few",
    f"{D_HAT} is not above 0 beyond doubt",
    "an answer was never right or never wrong",
    PADDED,
    "too few resamples could be fitted",
)
_TYPES = dict.fromkeys(("claim", "model", "answer", "why"), "str")


def questions(
    cells: pd.DataFrame,
    variations: pd.DataFrame,
    ways: pd.DataFrame,
    models: pd.DataFrame,
    abstained: pd.DataFrame,
) -> pd.DataFrame:
    """One row per question and model: ``claim, model, answer`` (such as "3 of 28") and ``why``."""
    rows: list[dict[str, str]] = []
    for model in cells["model"].drop_duplicates().astype(str):
        own = [table[table["model"] == model] for table in (cells, variations, ways, abstained)]
        pairs = models[(models["first"] == model) | (models["second"] == model)]
        rows += _of_model(model, own[0][own[0]["dataset"] != ALL], own[1], own[2], pairs, own[3])
    order = {claim: place for place, claim in enumerate(CLAIMS.values())}
    made = typed_rows(rows, _TYPES)
    return made.sort_values("claim", key=lambda names: names.map(order), kind="stable", ignore_index=True)


def _of_model(
    model: str,
    cells: pd.DataFrame,
    varying: pd.DataFrame,
    ways: pd.DataFrame,
    pairs: pd.DataFrame,
    decided: pd.DataFrame,
) -> Iterator[dict[str, str]]:
    yield _questions_row("defined", model, int(cells["mc"].notna().sum()), len(cells), _undefined(cells))
    known = varying[varying["gap"].notna()]
    more, less = (int((known["outcome"] == one).sum()) for one in (MORE, LESS))
    told = f"{less} vary less, the rest cannot be told apart"
    why = told if len(known) else "fewer than two sets have both measures"
    yield _questions_row("flat", model, more, len(known), why)
    yield _apart("ways", model, ways, "no two ways are defined")
    nothing = "the run has one model" if pairs.empty else "no pair of models is defined"
    yield _apart("models", model, pairs, nothing)
    decided = decided[decided["outcome"] != UNDECIDED]
    gains, loses = (int((decided["outcome"] == one).sum()) for one in (GAINS, LOSES))
    told = f"it loses something in {loses}; the rest cannot be told apart from a strategy without confidence"
    why = told if len(decided) else "every way of asking is undefined"
    yield _questions_row("abstaining", model, gains, len(decided), why)


def _apart(name: str, model: str, rows: pd.DataFrame, nothing: str) -> dict[str, str]:
    rows = rows[rows["outcome"] != UNDEFINED]
    how = "adjusted for all pairs of the run" if len(rows) else nothing
    return _questions_row(name, model, len(apart(rows)), len(rows), how)


def _questions_row(name: str, model: str, n: int, of: int, why: str) -> dict[str, str]:
    answer = f"{n} of {of}" if of else NOT_TESTABLE
    return {"claim": CLAIMS[name], "model": model, "answer": answer, "why": why}


def _undefined(cells: pd.DataFrame) -> str:
    """Why the measure is undefined, with the number of cells of a way of asking and a set."""
    good, failed = int(cells["mc"].notna().sum()), int((cells["why"] != "").sum())
    empty, near = (int(cells["why_ratio"].str.startswith(x).sum()) for x in ("no answer", D_HAT))
    padded = int((cells["why_ratio"] == PADDED).sum())
    rest = len(cells) - good - failed - near - empty - padded
    counts = zip(WHY_UNDEFINED, (failed, near, empty, padded, rest), strict=True)
    told = listed(f"in {n} {reason}" for reason, n in counts if n)
    return CELLS.format(cells=plural(len(cells), "cell")) + (f"; {told}" if good < len(cells) else "")


# The study's four questions on the trials of this run's models.

#: The three ways of which the paper shows all models: its table 3 and its figure's grid. Here they are scored or
#: sampled, or parsed where an engine cannot score.
GRID = ("verbal_vanilla", "verbal_topk", "consistency_self_random")


@analysis(needs=("single", "repeated", "written", "contrasts"))
def replication(
    inputs: Inputs, *, n_resamples: int = 2_000, n_permutations: int = 2_000, seed: int = 42
) -> dict[str, Any]:
    """What do the study's four questions get for answers from the models here?"""
    measured = Cells(_trials(inputs), Draws(n_resamples, n_permutations, seed))
    pairs = inputs.result("contrasts")
    cells = cell_table(measured)
    decided, varying = abstained(measured), variation_table(measured)
    in_grid = cells["method"].isin(GRID) & (cells["form"] != "written")
    return {
        "cells": cells,
        "grid": cells[in_grid].reset_index(drop=True),
        "variations": varying,
        "abstained": decided,
        "relations": relations(measured, decided),
        "questions": questions(cells, varying, pairs.ways, pairs.models, decided),
        "ratings": N_RATINGS,
        "resamples": n_resamples,
        "least_trials": MIN_TRIALS,
        "least_of_a_kind": MIN_FOR_INTERVALS,
    }


def gains(result: Any) -> str:
    """In how many ways of asking a model abstaining by confidence gains, and in how many it loses."""
    known = result.abstained[result.abstained["outcome"] != UNDECIDED]
    if known.empty:
        return "Whether abstaining by confidence helps cannot be told: every way of asking is undefined."
    won, lost = (int((known["outcome"] == one).sum()) for one in (GAINS, LOSES))
    ways = plural(len(known), "way")
    if not won and not lost:
        return f"In none of {ways} of asking does abstaining by confidence beat the better of answering all and none."
    return (
        f"In {won} of {ways} of asking, abstaining by confidence beats the better of answering all and none; in {lost} "
        "it loses."
    )


ANALYSES = (contrasts, replication)
VIEWS = (Views("replication", sentences={"gains": gains}),)
