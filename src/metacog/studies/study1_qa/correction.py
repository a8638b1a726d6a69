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

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from metacog.core.errors import MetacogError
from metacog.core.frames import ended, rows_of, with_ends
from metacog.measures.cell import MIN_TRIALS, Cell, whole_and_resamples
from metacog.measures.estimates import calibration_error
from metacog.measures.fits import Fits, of_ratings
from metacog.measures.posterior import HIGHEST_R_HAT, posterior_table
from metacog.report.views import Views
from metacog.sdt import fit_meta_d_batch, fit_meta_noise, z_roc
from metacog.sdt.checks import FloatArray
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.populations import confidence_population
from metacog.sdt.type1 import z_roc_mle
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import (
    PUBLISHED,
    PUBLISHED_FILES,
    RECOMPUTED,
    REFERENCE,
    RUN,
    Cells,
    kept_orders,
    measured,
    open_trials,
    rate_trials,
    stacked,
    with_limits,
)
from metacog.studies.study1_qa.observers import N_RATINGS
from metacog.studies.study1_qa.version2 import temperature_cells
from metacog.trials import NLP, SCORE, signals_of

#: Measures with an interval in the table.
MEASURES = ("m_ratio", "meta_i2r", "auroc2", "z_slope", "d_prime", "meta_d")
#: Measures of version 2 over temperature.
OVER_TEMPERATURE = ("meta_i2r", "auroc2")
_MANY = 1e7
#: Spread of wrong answers over that of right ones in somebody whose confidence loses nothing, and their answers.
WIDER, LOSSLESS_TRIALS = 1.4, 5_000


@analysis(files=PUBLISHED_FILES)
def correction(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """What do both versions show for the published counts?"""
    cells, drawn = paper.published_cells(), {"n_resamples": n_resamples, "seed": seed}
    return {
        "measures": measure_cells(cells, **drawn),
        "cuts": cuts(cells),
        "pairs": carried_pairs(cells, **drawn),
    }


@analysis(files=PUBLISHED_FILES, name="correction_z_roc")
def z_rocs(inputs: Inputs) -> dict[str, Any]:
    """Where do the published counts lie in z coordinates, cut by cut?"""
    cells = paper.published_cells()
    line, keys = z_roc(cells.nR_S1 + 0.5, cells.nR_S2 + 0.5), cells.frame[["model", "dataset"]]
    parts = [
        pd.DataFrame({"z_wrong": far, "z_right": hit}).assign(model=key.model, dataset=key.dataset)
        for key, far, hit in zip(rows_of(keys), line.z_far, line.z_hr, strict=True)
    ]
    return {"points": pd.concat(parts, ignore_index=True)}


@analysis(needs=("correction",), files=PUBLISHED_FILES, name="correction_posterior")
def posterior(
    inputs: Inputs, *, n_draws: int = 1_000, n_warmup: int = 1_000, seed: int = 42
) -> dict[str, Any]:
    """What do two other models say of the published counts: a Bayesian one of meta-d', and one of noise in confidence?

    ``lossless``: noise that the latter finds in :data:`LOSSLESS_TRIALS` answers of somebody whose confidence loses
    nothing, and whose wrong answers spread :data:`WIDER` times as widely as right ones.
    """
    from metacog.sdt.bayes import fit_bayes  # here, so that importing studies stays quick

    cells = paper.published_cells()
    fit = fit_bayes(cells.nR_S1, cells.nR_S2, n_draws=n_draws, n_warmup=n_warmup, seed=seed)
    made = posterior_table(fit, cells.frame[list(cells.by)])[[*cells.by, *with_ends("m_ratio")]]
    made = made.rename(columns={name: name.replace("m_ratio", "bayes") for name in with_ends("m_ratio")})
    measures = inputs.result("correction").measures.merge(made, on=list(cells.by), validate="1:1")
    wide = confidence_population(1.5, accuracy=0.43, n_ratings=N_RATINGS, slope=WIDER)
    tables = [
        np.vstack([of, LOSSLESS_TRIALS * one]) for of, one in ((cells.nR_S1, wide.s1), (cells.nR_S2, wide.s2))
    ]
    noise = fit_meta_noise(*tables)
    ends = (noise.noise, noise.lower, noise.upper)
    return {
        "measures": measures.assign(**ended("noise", *(one[:-1] for one in ends))),
        "lossless": ended("noise", *(float(one[-1]) for one in ends)),
        "r_hat": float(fit.r_hat.max()),
        "divergences": int(fit.divergences.sum()),
    }


@analysis(needs=("open",), files=PUBLISHED_FILES, name="correction_replication")
def replication(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """What do both versions show for this run's models, and what does calibration show beside them?"""
    trials, drawn = open_trials(inputs), {"n_resamples": n_resamples, "seed": seed}
    own, theirs = run_measures(trials, **drawn), measure_cells(paper.published_cells(paper.MAIN), **drawn)
    columns = ["model", "d_prime", "meta_d"]
    printed = paper.as_numbers("v1_h1_full_precision")[columns]
    planes = {PUBLISHED: theirs.drop(columns=columns[1:]).merge(printed, on="model"), RUN: own}
    beside = {
        RECOMPUTED: theirs.merge(binned_calibration(), on=["model", "dataset"]),
        RUN: own.merge(run_calibration(trials, **drawn), on=["model", "dataset"]),
    }
    moving = {PUBLISHED: printed_temperatures(), RUN: run_temperatures(trials, **drawn)}
    return {
        "measures": own,
        "plane": stacked(**planes),
        "calibration": stacked(**beside),
        "temperatures": stacked(**moving),
    }


def printed_temperatures() -> pd.DataFrame:
    """Version 2's measures of the paper's models by temperature, with its own intervals."""
    ends = {
        "mi_lo": "meta_i2r_lower",
        "mi_hi": "meta_i2r_upper",
        "a_lo": "auroc2_lower",
        "a_hi": "auroc2_upper",
    }
    return paper.as_numbers("v2_temperature").rename(columns={"T": "temperature", **ends})


def run_temperatures(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """The same of a run's models, each temperature with its own edges."""
    cells = temperature_cells(trials)
    made = measured(cells, [(of_ratings,)] * len(cells), n_resamples=n_resamples, seed=seed)
    plain = {name: [one.values.get(name, np.nan) for one in made] for name in OVER_TEMPERATURE}
    return with_limits(cells.frame.assign(**plain), made, OVER_TEMPERATURE)


def binned_calibration() -> pd.DataFrame:
    """ECE and Brier score of the paper's models at T = 1, hemmed in by the first paper's bins of NLP.

    Confidence is exp(NLP). An answer's lies within its bin, so that both lie within the ends; the value between them is
    that with every confidence at the middle of its bin. ECE is that over these 20 bins.
    """
    bins, rows = paper.as_numbers(paper.FIRST_PAPER["bins"]), []
    at_one = bins[(bins["temperature"] == REFERENCE) & (bins["dataset"] == paper.MAIN)]
    for (model, dataset), own in at_one.groupby(["model", "dataset"], sort=False):
        right, wrong = (own[name].to_numpy(dtype=np.float64) for name in ("n_correct", "n_incorrect"))
        low, high = (np.minimum(np.exp(own[name].to_numpy()), 1.0) for name in ("nlp_from", "nlp_to"))
        middle, n = np.sqrt(low * high), right + wrong
        share = np.divide(right, n, out=np.zeros_like(n), where=n > 0)
        nearest, farthest = np.maximum(low - share, share - high), np.maximum(share - low, high - share)
        gaps = (np.abs(share - middle), np.maximum(nearest, 0), farthest)
        squares = [
            right @ (1 - a) ** 2 + wrong @ b**2 for a, b in ((middle, middle), (high, low), (low, high))
        ]
        found = [float(n @ gap) / n.sum() for gap in gaps], [float(one) / n.sum() for one in squares]
        ends = {**ended("ece", *found[0]), **ended("brier", *found[1])}
        rows.append({"model": model, "dataset": dataset, **ends})
    return pd.DataFrame(rows)


def run_calibration(trials: pd.DataFrame, *, n_resamples: int, seed: int) -> pd.DataFrame:
    """Debiased ECE and Brier score of a run's models at T = 1, with limits; none where confidence is no probability."""
    at_one, rows = trials[(trials["temperature"] == REFERENCE) & trials[SCORE].notna()], []
    signals = signals_of(trials)
    for (model, dataset), own in at_one.groupby(["model", "dataset"], sort=False):
        score = own[SCORE].to_numpy(dtype=np.float64)
        p, right = np.exp(score) if signals[str(model)] == NLP else score, own["correct"].to_numpy(dtype=bool)
        found = dict.fromkeys(with_ends("ece", "brier"), np.nan)
        if len(own) >= MIN_TRIALS and p.min() >= 0 and p.max() <= 1:
            unit = pd.factorize(own["question_id"])[0].astype(np.int64)
            cell = Cell(right, p, np.zeros(len(p), dtype=np.int64), 1, p, unit)
            weights = whole_and_resamples(cell, n_resamples, seed)
            made = calibration_error(cell, weights)
            each = weights[:, unit]
            brier = each @ (p - right) ** 2 / each.sum(axis=1)
            found = ended("ece", made.values["ece_debiased"], *made.bounds["ece_debiased"])
            found |= ended("brier", float(brier[0]), *percentile_limits(brier[1:]))
        rows.append({"model": model, "dataset": dataset, **found})
    return pd.DataFrame(rows, columns=["model", "dataset", *with_ends("ece", "brier")])


def run_measures(trials: pd.DataFrame, **drawn: int) -> pd.DataFrame:
    if not (trials["temperature"] == 1.0).any():
        raise MetacogError("the correction looks at T = 1, and the run has no trials there")
    return measure_cells(rate_trials(trials).cells(), **drawn)


def measure_cells(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Version 1's and version 2's measures of every cell, side by side, with ``flag``; NaN where a class is lacking.

    meta-I2r is the plug-in value less the exact mean of its permutation null. ``predicted_m_ratio`` is what the z-ROC
    predicts if it is straight. Intervals are those of the whole book, not version 2's.
    """
    made = measured(cells, [(of_ratings, Fits())] * len(cells), n_resamples=n_resamples, seed=seed)
    table = cells.frame[[*cells.by, "n", "accuracy", "flag"]].reset_index(drop=True)
    table = table.assign(**{name: [one.values.get(name, np.nan) for one in made] for name in MEASURES})
    return with_limits(table, made, MEASURES).assign(predicted_m_ratio=predicted(cells))


def predicted(cells: Cells) -> list[float]:
    """M-ratio that slope and accuracy of each cell predict if its z-ROC is straight; NaN where there is no line."""
    found = []
    fine = cells.measurable & ~cells.coarse & ((cells.nR_S1 + cells.nR_S2 > 0).sum(axis=1) > 2)
    for wrong, right, good in zip(cells.nR_S1, cells.nR_S2, fine, strict=True):  # two ratings lie on any line
        fit = z_roc_mle(wrong, right) if good else None
        known = fit is not None and fit.converged
        odds = float(right.sum() / wrong.sum()) if known else np.nan
        found.append(m_ratio_of_line(fit.d_a, fit.slope, odds) if fit is not None and known else np.nan)
    return found


def m_ratio_of_line(d_a: float, slope: float, odds: float = 1.0) -> float:
    """M-ratio of a population whose z-ROC is a straight line, with ``odds`` right answers for each wrong one.

    Confidence is Gaussian for wrong and for right answers, cut into eight equally frequent ratings; the fit is that of
    version 1 on the expected counts. At slope 1 the result is 1 whatever d_a.
    """
    population = confidence_population(d_a, accuracy=odds / (1 + odds), n_ratings=N_RATINGS, slope=slope)
    fit = fit_meta_d_batch(population.s1[None] * _MANY, population.s2[None] * _MANY, undefined="flag")
    return float(fit.m_ratio[0])


def cuts(cells: Cells) -> pd.DataFrame:
    d_prime = d_prime_at_cuts(cells.nR_S1 + 0.5, cells.nR_S2 + 0.5)
    keys = zip(cells.frame["model"], cells.frame["dataset"], d_prime, cells.measurable, strict=True)
    rows = [
        (model, dataset, after, float(value))
        for model, dataset, values, good in keys
        if good
        for after, value in enumerate(values, 1)
    ]
    return pd.DataFrame(rows, columns=["model", "dataset", "cut_after", "d_prime"])


def d_prime_at_cuts(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """d' at each of the L - 1 places where the ratings can be cut in two, lowest first."""
    line = z_roc(nR_S1, nR_S2)
    return np.asarray(line.z_hr - line.z_far)[..., ::-1]


def carried_pairs(cells: Cells, *, n_resamples: int = 10_000, seed: int = 42) -> pd.DataFrame:
    """Whether every pair of models keeps its order by M-ratio on a second question set: ``model_a, model_b, kept``."""
    sides = []
    for dataset in dict.fromkeys(cells.frame["dataset"]):
        own = cells.select(cells.frame["dataset"] == dataset)
        found = measured(own, [[Fits()]] * len(own), n_resamples=n_resamples, seed=seed)
        sides.append(dict(zip(own.frame["model"], found, strict=True)))
    return kept_orders(sides[0], sides[1]).rename(columns={"first": "model_a", "second": "model_b"})


#: The model whose place by M-ratio turns round from one set of questions to the other.
TURNING = paper.MODELS["mistral_instruct"]


def figures(result: Any) -> dict[str, float]:
    """M-ratio of Mistral on both sets of questions, its place among the models, and how many orders turn round."""
    found: dict[str, float] = {"n_turned": int(result.pairs["kept"].eq(False).sum())}
    for name, asked in result.measures.replace(paper.NAMES).groupby("dataset"):
        own = asked.set_index("model")
        rank = own["m_ratio"].rank(ascending=False)
        about = "main" if name == paper.DATASETS[paper.MAIN] else "other"
        found |= {
            f"{about}_place": int(rank[TURNING]),
            f"{about}_ratio": float(own["m_ratio"][TURNING]),
        }
    return found


def seen_by_ece(result: Any) -> dict[str, Any]:
    """Numbers of whether the model of the lowest M-ratio also has the worst ECE, by the ends that the bins allow."""
    rows = result.calibration[result.calibration["source"] == RECOMPUTED].set_index("model")
    worst = str(rows["ece"].idxmax())
    return {
        "worst_model": worst,
        "same_model": worst == rows["m_ratio"].idxmin(),
        "n_clear": int((rows["ece_upper"] < rows.loc[worst, "ece_lower"]).sum()),
        "n_others": len(rows) - 1,
    }


def beside(result: Any) -> dict[str, Any]:
    """Numbers of how far the posterior's M-ratio lies from that of maximum likelihood and whose side of 1 changes, and
    of noise in the confidence of the model that turns round.
    """
    rows = result.measures[result.measures["bayes"].notna()]
    sides = [np.sign(rows[f"{n}_lower"] - 1) + np.sign(rows[f"{n}_upper"] - 1) for n in ("m_ratio", "bayes")]
    return {
        "apart": float((rows["bayes"] - rows["m_ratio"]).abs().max()),
        "n_tables": len(rows),
        "n_turned": int((sides[0] != sides[1]).sum()),
        "mixed": result.divergences == 0 and result.r_hat <= HIGHEST_R_HAT,
        **{f"lossless_{name}": value for name, value in result.lossless.items()},
        **turning_noise(result.measures),
    }


def turning_noise(measures: pd.DataFrame) -> dict[str, float]:
    """Noise in confidence, with its interval, of the model that turns round, on both sets of questions."""
    found: dict[str, float] = {}
    own = measures.replace(paper.NAMES)
    for row in own[own["model"] == TURNING].to_dict("records"):
        about = "main" if row["dataset"] == paper.DATASETS[paper.MAIN] else "other"
        found |= {f"{about}_{end}": float(row[end]) for end in with_ends("noise")}
    return found


VIEWS = (
    Views("correction_posterior", names=paper.NAMES, numbers=beside),
    Views("correction", names=paper.NAMES, numbers=figures),
    Views("correction_z_roc", names=paper.NAMES),
    Views("correction_replication", names=paper.NAMES, numbers=seen_by_ece),
)
