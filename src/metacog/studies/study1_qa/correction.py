"""What can M-ratio show for open answers, and what does version 2 measure instead?

Open answers have no two-choice decision. With "incorrect" and "correct" in the places of S1 and S2, d' and meta-d'
both come from one correctness-by-rating table, so their ratio compares that table with itself: it is 1 when the two
confidence distributions are Gaussian with equal variance, however much or little confidence knows, and departs from
1 with their *shape*.

Does the order of the published models carry over from one question set to the other? A rank correlation of four
models has no p below 0.08, so each pair of models is judged by the 95 % intervals of its difference on both sets,
on the same resamples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy.stats import fisher_exact

from metacog.core.errors import MetacogError
from metacog.core.frames import rows_of
from metacog.measures.cell import Estimator, Seed
from metacog.measures.fits import Fits, of_ratings
from metacog.measures.pairs import differences
from metacog.sdt import fit_meta_d_batch, z_roc
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.simulate import confidence_population
from metacog.sdt.type1 import z_roc_mle
from metacog.studies.study import analysis
from metacog.studies.study1_qa import correction_grid, correction_recovery, paper
from metacog.studies.study1_qa.cells import (
    COVERAGE,
    PUBLISHED_FILES,
    Cells,
    cell_name,
    exact_spearman,
    flagged,
    measured,
    open_trials,
    place,
    rate_trials,
)
from metacog.studies.study1_qa.correction_recovery import NEAR
from metacog.studies.study1_qa.paper import as_numbers, published_cells
from metacog.studies.study1_qa.version2 import version2
from metacog.verdicts.rules import judged, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


FloatArray = NDArray[np.float64]

#: Measures with an interval in the table.
MEASURES = ("m_ratio", "meta_i2r", "auroc2", "z_slope")
_MANY = 1e7


@dataclass(frozen=True)
class Corrected:
    """Measures of several correctness-by-rating tables.

    Attributes
    ----------
    table : DataFrame
        One row per cell: its keys, ``n, accuracy, coverage, flag`` (``coverage``: intervals of meta-I2r and
        AUROC2 whose simulated coverage is not 93-97 %), each of :data:`MEASURES` with ``_lower``
        and ``_upper``, ``d_prime, meta_d, null_mean, p_value, d_a, r2``, and what the z-ROC alone predicts:
        ``line_slope`` (maximum likelihood), ``predicted_m_ratio``, ``straight_p`` (chance of a
        z-ROC this far from a straight line if it were one).
    n_resamples, n_permutations, seed : int
    """

    table: pd.DataFrame
    n_resamples: int
    n_permutations: int
    seed: int


def measure_cells(
    cells: Cells, *, n_resamples: int = 10_000, n_permutations: int = 2000, seed: int = 42
) -> Corrected:
    """Version 1's and version 2's measures of every cell, side by side.

    Cells that lack a class get NaN and keep their flag. meta-I2r is the plug-in value less the exact
    mean of its permutation null; ``p_value`` comes from ``n_permutations`` draws of that null. Its
    interval and AUROC2's are those of the whole book (:class:`.version2.Version2`), not version 2's.
    """
    drawn = {"n_permutations": n_permutations, "n_resamples": n_resamples, "seed": seed}
    rows = [
        _measure(cells.nR_S1[i], cells.nR_S2[i], one, bool(cells.coarse[i]), **drawn)
        if cells.measurable[i]
        else {}
        for i, one in enumerate(spawn_seeds(seed, len(cells)))
    ]
    columns = [
        *(f"{m}{end}" for m in MEASURES for end in ("", "_lower", "_upper")),
        "d_prime",
        "meta_d",
        "null_mean",
        "p_value",
        "d_a",
        "r2",
        "line_slope",
        "predicted_m_ratio",
        "straight_p",
    ]
    numbers = [{name: value for name, value in row.items() if name != "coverage"} for row in rows]
    found = pd.DataFrame(numbers, columns=columns, dtype=np.float64)
    kept = [*cells.by, "n", "accuracy", "flag"]
    notes = [str(row.get("coverage", "")) for row in rows]
    table = pd.concat([cells.frame[kept].reset_index(drop=True), found], axis=1).assign(coverage=notes)
    return Corrected(table, n_resamples, n_permutations, seed)


def _measure(s1: ArrayLike, s2: ArrayLike, resample_seed: Seed, coarse: bool, **drawn: int) -> dict:
    wrong, right = np.asarray(s1), np.asarray(s2)
    two = version2(wrong, right, resample_seed=resample_seed, estimators=[Fits()], coarse=coarse, **drawn)
    line = z_roc(wrong, right)
    found: dict[str, float | str] = {
        "coverage": two.coverage(two.made.values["meta_i2r"]),
        "d_prime": two.made.values["d_prime"],
        "meta_d": two.made.values["meta_d"],
        "null_mean": two.exact_null,
        "p_value": two.p_value,
        "d_a": float(line.d_a),
        "r2": float(line.r2),
    }
    for name in MEASURES:
        found[name] = two.made.values[name]
        found[f"{name}_lower"], found[f"{name}_upper"] = two.made.bounds[name]
    if coarse or (wrong + right > 0).sum() < 3:  # two ratings lie on any line
        return found
    fit = z_roc_mle(wrong, right)
    if fit.converged:
        found["line_slope"], found["straight_p"] = fit.slope, fit.p_fit
        found["predicted_m_ratio"] = m_ratio_of_line(fit.d_a, fit.slope, float(right.sum() / wrong.sum()))
    return found


def m_ratio_of_line(d_a: float, slope: float, odds: float = 1.0) -> float:
    """M-ratio of a population whose z-ROC is a straight line.

    Parameters
    ----------
    d_a, slope : float
    odds : float
        Right answers for each wrong one.

    Notes
    -----
    Confidence is Gaussian for wrong and for right answers, cut into eight equally frequent ratings;
    the fit is that of version 1 on the expected counts. At slope 1 the result is 1 whatever d_a.
    """
    population = confidence_population(d_a, accuracy=odds / (1 + odds), n_ratings=8, slope=slope)
    fit = fit_meta_d_batch(population.s1[None] * _MANY, population.s2[None] * _MANY, undefined="flag")
    return float(fit.m_ratio[0])


def m_ratio_curve(accuracy: float, slopes: ArrayLike, d_a: float = 1.4) -> FloatArray:
    """M-ratio against z-ROC slope at one accuracy, for straight z-ROCs."""
    odds = accuracy / (1 - accuracy)
    return np.array([m_ratio_of_line(d_a, float(s), odds) for s in np.asarray(slopes, dtype=np.float64)])


def straight_lines() -> pd.DataFrame:
    """M-ratio of straight z-ROCs: one row per accuracy (.15, .43 and .6) and slope (18 from .6 to 1.45)."""
    slopes = np.linspace(0.6, 1.45, 18)
    curves = [
        pd.DataFrame({"accuracy": accuracy, "z_slope": slopes, "m_ratio": m_ratio_curve(accuracy, slopes)})
        for accuracy in (0.15, 0.43, 0.6)
    ]
    return pd.concat(curves, ignore_index=True)


def d_prime_at_cuts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """d' at each of the L - 1 places where the ratings can be cut in two, lowest first."""
    line = z_roc(nR_S1, nR_S2)
    return np.asarray(line.z_hr - line.z_far)[..., ::-1]


def cuts(cells: Cells) -> pd.DataFrame:
    """d' of measurable cells by where their ratings are cut, padded by 0.5: ``model, dataset, cut_after, d_prime``."""
    rows = [
        (cells.frame["model"].iloc[i], cells.frame["dataset"].iloc[i], place, float(value))
        for i in np.flatnonzero(cells.measurable)
        for place, value in enumerate(d_prime_at_cuts(cells.nR_S1[i] + 0.5, cells.nR_S2[i] + 0.5), 1)
    ]
    return pd.DataFrame(rows, columns=["model", "dataset", "cut_after", "d_prime"])


def published_measures(**options: int) -> Corrected:
    """Both versions' measures of the eight published cells."""
    return measure_cells(published_cells(), **options)


def run_measures(trials: pd.DataFrame, **options: int) -> Corrected:
    """Both versions' measures of a run's models at T = 1.

    Raises
    ------
    MetacogError
        If there are no trials at T = 1.
    """
    if not (trials["temperature"] == 1.0).any():
        raise MetacogError("the correction looks at T = 1, and the run has no trials there")
    return measure_cells(rate_trials(trials).cells(), **options)


def ranks(table: pd.DataFrame, measures: tuple[str, ...] = ("m_ratio", "auroc2", "meta_i2r")) -> pd.DataFrame:
    """Ranks within each question set, the highest being 1: one row per cell, one column per measure."""
    ranked = table[["model", "dataset"]].copy()
    for measure in measures:
        ranked[measure] = place(table[measure], table["dataset"])
    return ranked


def carried_over(table: pd.DataFrame, measure: str) -> tuple[float, float]:
    """Spearman's rho of the published models' orders on TriviaQA and on Natural Questions, and its exact p."""
    wide = table.pivot(index="model", columns="dataset", values=measure)
    return exact_spearman(wide["triviaqa"].tolist(), wide["nq"].tolist())


# What the tables of both versions decide: of the published models, and of a run's.

#: Level of the permutation test of meta-I2r.
ALPHA = 0.05


def _verdict(name: str, kind: Kind, rule: str, passed: bool | None, **values: Any) -> Verdict:
    return Verdict("correction", kind, rule, passed, topic=name, name=name, values=values)


def _cell(row: Mapping[Any, Any], n_datasets: int) -> str:
    model = paper.MODELS.get(row["model"], row["model"])
    return cell_name(model, paper.DATASETS.get(row["dataset"], row["dataset"]), n_datasets)


def judge_ranking(
    table: pd.DataFrame, pairs: pd.DataFrame, dataset: str = "triviaqa", model: str = "mistral_instruct"
) -> Verdict:
    """Where version 1 and version 2 put one model, from the published counts.

    Its values: the model's place by each measure, and from how many others it is shown to differ as its place says
    (``below`` by M-ratio, ``above`` by meta-I2r).

    Parameters
    ----------
    table, pairs : DataFrame
        As of :func:`.measures.measure_cells` and :func:`.carried.pairs`, whose first question set is ``dataset``.
    """
    placed = ranks(table)
    placed = placed[placed["dataset"] == dataset]
    row = placed[placed["model"] == model].iloc[0]
    n = len(placed)
    return _verdict(
        "ranking",
        Kind.PUBLISHED,
        "version 1 ranks Mistral last and version 2 first",
        bool(row["m_ratio"] == n and row["meta_i2r"] == 1),
        model=paper.MODELS.get(model, model),
        dataset=paper.DATASETS[dataset],
        n=n,
        m_ratio=int(row["m_ratio"]),
        meta_i2r=int(row["meta_i2r"]),
        auroc2=int(row["auroc2"]),
        below=_shown(pairs, model, "m_ratio", -1),
        above=_shown(pairs, model, "meta_i2r", 1),
    )


def _shown(pairs: pd.DataFrame, model: str, measure: str, sign: int) -> int:
    """From how many others a model's difference on the first question set has an interval on this side of zero."""
    own = pairs[pairs["measure"] == measure]
    first = np.where(own["first_lower"] > 0, 1, np.where(own["first_upper"] < 0, -1, 0))
    return int(((own["model_a"] == model) & (first == sign)).sum()) + int(
        ((own["model_b"] == model) & (first == -sign)).sum()
    )


def describe_datasets(table: pd.DataFrame, pairs: pd.DataFrame) -> Verdict:
    """Which pairs of models keep their order from TriviaQA to Natural Questions? Judges nothing.

    Its values: by measure how many pairs are ``kept``, ``turned`` (and the model that is in all of these, if there
    is one) and ``open``; and the rank correlations with the smallest exact p, which of four models show nothing.

    Parameters
    ----------
    table, pairs : DataFrame
        As of :func:`.measures.measure_cells` and :func:`.carried.pairs`.
    """
    by_measure = {}
    for measure, own in pairs.groupby("measure", sort=False):
        turned = [{r.model_a, r.model_b} for r in rows_of(own) if r.kept is False]
        common = set.intersection(*turned) if len(turned) > 1 else set()
        by_measure[str(measure)] = {
            "kept": sum(r.kept is True for r in rows_of(own)),
            "turned": len(turned),
            "open": sum(r.kept is None for r in rows_of(own)),
            "all_with": [paper.MODELS.get(model, model) for model in sorted(common)],
        }
    tests = {measure: carried_over(table, measure) for measure in by_measure}
    mistral = table[table["model"] == "mistral_instruct"].set_index("dataset")["m_ratio"]
    return _verdict(
        "datasets",
        Kind.PUBLISHED,
        "pairs of models whose difference has a 95 % interval without zero on both question sets",
        None,
        pairs=by_measure,
        carried={measure: rho for measure, (rho, _) in tests.items()},
        smallest_p=min(p for _, p in tests.values()),
        mistral=[float(mistral["triviaqa"]), float(mistral["nq"])],
    )


def judge_line(table: pd.DataFrame, alpha: float = 0.05, kind: Kind = Kind.PUBLISHED) -> Verdict:
    """Do the slope of a straight z-ROC and the accuracy, nothing else, account for each cell's M-ratio?

    Flagged cells stay out of the count and leave it undecided, unless another cell refutes it.
    """
    rows = table[table["predicted_m_ratio"].notna() & table["m_ratio_lower"].notna() & (table["flag"] == "")]
    inside = (rows["m_ratio_lower"] <= rows["predicted_m_ratio"]) & (
        rows["predicted_m_ratio"] <= rows["m_ratio_upper"]
    )
    n_sets = table["dataset"].nunique()
    outside = [
        {
            "cell": _cell(r, n_sets),
            "seen": r["m_ratio"],
            "predicted": r["predicted_m_ratio"],
            "bends": r["straight_p"] * len(rows) < alpha,
            "p": r["straight_p"],
        }
        for r in rows[~inside].to_dict("records")
    ]
    units = [
        unit(_cell(r, n_sets), i in rows.index and inside[i], known=i in rows.index, flag=r["flag"])
        for i, r in zip(table.index, table.to_dict("records"), strict=True)
    ]
    return judged(
        units,
        "correction",
        kind,
        "in every cell the predicted M-ratio lies in the 95 % interval of the observed one",
        name="line",
        topic="line",
        cells=len(rows),
        inside=int(inside.sum()),
        outside=outside,
    )


def judge_claim(table: pd.DataFrame, domains: Sequence[float] = ()) -> Verdict:
    """Is M-ratio pinned near 1 in the published cells, as version 2's author writes?

    Parameters
    ----------
    table : DataFrame
        Of :func:`metacog.studies.study1_qa.correction.measure_cells`.
    domains : sequence of float
        M-ratios by domain, as version 1 prints them.
    """
    rows = table[table["m_ratio"].notna()]
    n_sets = table["dataset"].nunique()
    near = rows[(rows["m_ratio"] - 1).abs() <= NEAR]
    units = [
        unit(_cell(r, n_sets), abs(r["m_ratio"] - 1) <= NEAR, known=np.isfinite(r["m_ratio"]))
        for r in table.to_dict("records")
    ]
    return judged(
        units,
        "correction",
        Kind.PUBLISHED,
        f"every M-ratio lies within {NEAR} of 1",
        name="claim",
        topic="claim",
        cells=len(rows),
        range=[float(rows["m_ratio"].min()), float(rows["m_ratio"].max())],
        near=[_cell(r, n_sets) for r in near.to_dict("records")],
        domains=[min(domains), max(domains)] if len(domains) else None,
    )


def judge_bend(
    cells: Cells, dataset: str = "triviaqa", model: str = "mistral_instruct", alpha: float = 0.05
) -> Verdict:
    """Do the two lowest ratings of one cell differ in their share of right answers, as on a line?"""
    wrong, right = cells.table(model=model, dataset=dataset)
    n = wrong + right
    p = float(fisher_exact([[wrong[0], right[0]], [wrong[1], right[1]]]).pvalue)
    line = z_roc_mle(wrong, right)
    straight = confidence_population(
        line.d_a, accuracy=float(right.sum() / n.sum()), n_ratings=8, slope=line.slope
    )
    seen, meant = 100 * right / n, 100 * straight.s2 / (straight.s1 + straight.s2)
    return _verdict(
        "bend",
        Kind.PUBLISHED,
        f"Fisher's exact test at {alpha}: ratings 1 and 2 are not told apart",
        p >= alpha,
        cell=_cell({"model": model, "dataset": dataset}, 2),
        seen=seen[:2].tolist(),
        line=meant[:2].tolist(),
        p=p,
    ).under("line")


def judge_run(table: pd.DataFrame, verdicts: bool = True) -> tuple[Verdict, ...]:
    """What version 2's measures show for a run's models, and what version 1's would have shown."""
    usable = table[table["meta_i2r"].notna()]
    n_sets = table["dataset"].nunique()
    drawn = []
    rough = flagged(usable, padded=False)
    for r, doubtful in zip(usable.to_dict("records"), rough, strict=True):
        informative = r["p_value"] <= ALPHA
        one = _verdict(
            "information",
            Kind.EXPLORATORY,
            f"permutation p at most {ALPHA}",
            True if informative and verdicts and not doubtful else None,
            cell=cell_name(r["model"], r["dataset"], n_sets),
            informative=informative,
            p=r["p_value"],
            meta_i2r=[r[f"meta_i2r{end}"] for end in ("", "_lower", "_upper")],
            auroc2=[r[f"auroc2{end}"] for end in ("", "_lower", "_upper")],
            flag=r["flag"] if doubtful else "",
        )
        drawn.append(one)
    for dataset, rows in usable.groupby("dataset", sort=False):
        if len(rows) > 1:
            unsure = list(rows.loc[rough[rows.index], "model"])
            unsure += list(table.loc[(table["dataset"] == dataset) & table["meta_i2r"].isna(), "model"])
            drawn.append(_judge_order(rows, str(dataset), verdicts, unsure))
    for r in table[table["meta_i2r"].isna()].to_dict("records"):
        cell = cell_name(r["model"], r["dataset"], n_sets)
        drawn.append(_verdict("unmeasured", Kind.EXPLORATORY, "", None, cell=cell, flag=r["flag"]))
    return tuple(v.under("run") for v in drawn)


def _judge_order(rows: pd.DataFrame, dataset: str, verdicts: bool, unsure: Sequence[str]) -> Verdict:
    """The orders by both measures; ``unsure`` are models without a sound meta-I2r, which leave it open."""
    best = rows.sort_values("meta_i2r", ascending=False, kind="stable")
    known = rows[rows["m_ratio"].notna() & ~flagged(rows)]
    apart = bool(np.all(best["meta_i2r_lower"].to_numpy()[:-1] > best["meta_i2r_upper"].to_numpy()[1:]))
    return _verdict(
        "order",
        Kind.EXPLORATORY,
        "the intervals of all neighbours in the order do not overlap; undecided where some do",
        True if apart and verdicts and not unsure else None,
        dataset=dataset,
        by_information=best["model"].tolist(),
        by_ratio=known.sort_values("m_ratio", ascending=False, kind="stable")["model"].tolist(),
        apart=apart,
        unsure=list(unsure),
    )


#: Measures by which models are put in order.
CARRIED = ("m_ratio", "meta_i2r", "auroc2")
COLUMNS = (
    "measure",
    "model_a",
    "model_b",
    *(f"{side}{end}" for side in ("first", "second") for end in ("", "_lower", "_upper")),
    "kept",
)


def carried_pairs(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Differences of every pair of models on two question sets; models are drawn independently of one another.

    Parameters
    ----------
    cells : Cells
        The same models on both sets.
    n_resamples, seed : int

    Returns
    -------
    DataFrame
        One row per measure and pair: ``measure, model_a, model_b``, the difference on the ``first`` and on the
        ``second`` set, each with 95 % limits ``_lower, _upper``, and ``kept``: True if both intervals exclude zero on
        the same side, False if on opposite sides, None where either contains zero or is missing.
    """
    made = []
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        own = cells.select(cells.frame["dataset"] == dataset)
        asked: list[list[Estimator]] = [[Fits(), of_ratings]] * len(own)
        found = measured(own, asked, n_resamples=n_resamples, seed=seed)
        made.append(dict(zip(own.frame["model"], found, strict=True)))
    shared = [model for model in made[0] if model in made[1]]
    rows = []
    for measure in CARRIED:
        sides = [differences({m: one[m] for m in shared}, measure, paired=False) for one in made]
        for one, two in zip(*map(rows_of, sides), strict=True):
            states = [1 if gap.lower > 0 else -1 if gap.upper < 0 else 0 for gap in (one, two)]
            limits = [x for gap in (one, two) for x in (gap.difference, gap.lower, gap.upper)]
            kept = None if 0 in states else states[0] == states[1]
            rows.append((measure, one.first, one.second, *limits, kept))
    return pd.DataFrame(rows, columns=list(COLUMNS))


# What can M-ratio show for open answers, and what does version 2 measure instead? What is computed.


@dataclass(frozen=True)
class Answerers:
    """What measures make of simulated answerers of known efficiency.

    ``cells`` holds one row per answerer of the eight families with the measures of its expected table,
    ``cuts`` the same answers rated in several ways, ``same`` the families that give one M-ratio,
    ``outcomes`` what each measure recovers, ``counted`` the same over accuracies (:func:`.short_tables.counted`),
    ``explained`` how far the ratio lies from what the paper's author says of it (:func:`.short_tables.explained`),
    ``recoveries`` three designs by name.
    """

    cells: pd.DataFrame
    cuts: pd.DataFrame
    same: pd.DataFrame
    outcomes: pd.DataFrame
    counted: pd.DataFrame
    explained: pd.DataFrame
    recoveries: Mapping[str, correction_recovery.Recovery]
    verdicts: tuple[Verdict, ...]
    repetitions: int


@analysis(returns=Answerers, name="correction_recovery")
def latent_answerers(inputs: Inputs, *, n_repetitions: int = 60, seed: int = 42) -> Answerers:
    """Do the measures follow efficiency where it is known?"""
    cells, cuts = correction_grid.cells(), correction_grid.recut()
    same = correction_recovery.same_ratio(cells)
    outcomes = correction_grid.outcomes(n_repetitions, seed)
    recoveries = {
        name: correction_recovery.recover(
            correction_recovery.design(name), n_repetitions=n_repetitions, seed=seed
        )
        for name in correction_recovery.DESIGNS
    }
    verdicts = (
        correction_recovery.judge_level(cells),
        correction_recovery.judge_lossless(cells, cuts),
        correction_recovery.judge_direction(cells),
        correction_recovery.judge_falling(cells),
        correction_recovery.judge_reading(same),
        correction_recovery.judge_claim(cells),
        *correction_recovery.judge_outcomes(outcomes),
        correction_recovery.describe_definition(cells),
        *correction_recovery.judge_recovery(recoveries["noise"], correction_recovery.SHOWN),
        correction_recovery.judge_shape(recoveries["shape"]),
        correction_recovery.judge_same_table(recoveries["same table"]),
    )
    return Answerers(
        cells,
        cuts,
        same,
        outcomes,
        correction_recovery.counted(outcomes),
        correction_recovery.explained(cells),
        recoveries,
        verdicts,
        n_repetitions,
    )


@dataclass(frozen=True)
class Correction:
    """Both versions' measures of the published cells.

    ``straight`` holds what straight z-ROCs of three accuracies predict, ``cells`` the counts, ``cuts`` d' at each place
    where their ratings can be cut (:func:`.measures.cuts`), ``pairs`` every pair of models on both question sets
    (:func:`.carried.pairs`).
    """

    measures: pd.DataFrame
    straight: pd.DataFrame
    cells: Cells
    cuts: pd.DataFrame
    pairs: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(returns=Correction, files=(*PUBLISHED_FILES, *COVERAGE))
def correction(
    inputs: Inputs, *, n_resamples: int = 10_000, n_permutations: int = 2_000, seed: int = 42
) -> Correction:
    """What do both versions show for the published counts?"""
    cells = published_cells()
    measured = measure_cells(cells, n_resamples=n_resamples, n_permutations=n_permutations, seed=seed).table
    by_domain = as_numbers("v1_table6_domain_m_ratio")["m_ratio"].tolist()
    pairs = carried_pairs(cells, n_resamples=n_resamples, seed=seed)
    verdicts = (
        judge_claim(measured, by_domain),
        judge_line(measured),
        judge_bend(cells),
        judge_ranking(measured, pairs),
        describe_datasets(measured, pairs),
    )
    return Correction(measured, straight_lines(), cells, cuts(cells), pairs, verdicts)


@dataclass(frozen=True)
class Measures:
    """Both versions' measures of the run's models at T = 1, as in :class:`.measures.Corrected`."""

    measures: pd.DataFrame
    verdicts: tuple[Verdict, ...]


@analysis(needs=("open",), returns=Measures, name="correction_replication", files=COVERAGE)
def replication(
    inputs: Inputs,
    *,
    n_resamples: int = 10_000,
    n_permutations: int = 2_000,
    seed: int = 42,
    verdicts: bool = True,
) -> Measures:
    """What do both versions show for this run's models?"""
    options = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    table = run_measures(open_trials(inputs), **options).table
    line = judge_line(table, kind=Kind.EXPLORATORY)
    run = judge_run(table, verdicts)
    return Measures(table, (*run, line if verdicts else replace(line, passed=None)))
