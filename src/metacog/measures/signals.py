"""What several confidence signals of the same answers are worth: thresholds, areas, what is left out, recalibration.

All take answers one a row (``model``, ``question_id``, ``correct``) and signals by name, each an array with NaN where
an answer has none. Of each model they speak alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtri

from metacog.core.frames import ended, with_ends
from metacog.measures.cell import MIN_TRIALS
from metacog.sdt.abstention import cluster_halves
from metacog.sdt.area_intervals import auroc2_interval, delong_paired
from metacog.sdt.calibration import calibration_edges, debiased_ece
from metacog.sdt.checks import FloatArray, InputError
from metacog.sdt.combined_intervals import combined
from metacog.sdt.decisions import adjust_p
from metacog.sdt.intervals import centred, effective_trials, percentile_limits, wilson
from metacog.sdt.promises import promise_held_out
from metacog.sdt.recalibration import METHODS, fit_map, recalibrated
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.type2 import auroc2

#: Shares of wrong answers among those let through that thresholds are looked for.
PROMISES = (0.01, 0.02, 0.05, 0.10)
#: Of the 95 % intervals and promises.
LEVEL = 0.95
#: Bins of the calibration error.
N_BINS = 10
#: Most numbers that are drawn to resample one model: with many questions fewer resamples say as much.
MOST_DRAWN, LEAST_RESAMPLES = 20_000_000, 200
#: The logarithm of a probability nearer to 0 than this is that of this.
LEAST_PROBABILITY = 1e-3

Signals = Mapping[str, NDArray[np.float64]]
SCORES = ("ece", "brier", "log_loss")
GATE = (
    *("model", "signal", "most_errors", "threshold", "why", "chosen_on", "n", "n_through", "errors"),
    *with_ends("coverage", "error_rate"),
)
SIGNALS = ("model", "signal", "n", "accuracy", *with_ends("auroc2"), "n_common", "auroc2_common", "why")
PAIRS = ("model", "first", "second", "n", *with_ends("difference"), "p", "p_holm", "differs", "why")
LEFT_OUT = (
    *("model", "reason", "n_kept", "accuracy_kept", "n_out", "accuracy_out"),
    *with_ends("difference"),
    "apart",
)
REFUSED = ("model", "n", "refusals", "refused_right", "counted", "accuracy", *with_ends("auroc2"))
RECALIBRATED = (
    *("model", "signal", "method", "n"),
    *with_ends(*SCORES),
    *with_ends("brier_change"),
    *("auroc2", "intercept", "slope", "why"),
)


def _parts(
    answers: pd.DataFrame, signals: Signals
) -> Iterator[tuple[str, pd.DataFrame, dict[str, FloatArray]]]:
    """Each model with its answers and signals."""
    places = pd.Series(np.arange(len(answers))).groupby(answers["model"].to_numpy(), sort=False)
    for model, found in places:
        at = found.to_numpy()
        yield str(model), answers.iloc[at], {name: values[at] for name, values in signals.items()}


def _correct(part: pd.DataFrame) -> NDArray[np.bool_]:
    return part["correct"].to_numpy(dtype=bool)


def gate_table(answers: pd.DataFrame, signals: Signals, *, seed: int = 42) -> pd.DataFrame:
    """Thresholds for promised shares of wrong answers, a row for each model, signal and promise.

    Higher is surer; answers without the signal are let through at no threshold, and count. Columns :data:`GATE`: see
    :class:`metacog.sdt.promises.Promise`. ``threshold`` is infinite where the promise cannot be made. The seed is of
    the halves, which hold whole questions.
    """
    rows = []
    for model, part, mine in _parts(answers, signals):
        for name, sure in mine.items():
            for promise in PROMISES:
                try:
                    asked = part["question_id"]
                    made = asdict(
                        promise_held_out(
                            _correct(part), sure, promise, clusters=asked, level=LEVEL, seed=seed
                        )
                    )
                except InputError as error:
                    made = {"most_errors": promise, "threshold": np.inf, "why": str(error), "n": len(part)}
                rows.append({"model": model, "signal": name, **made})
    return pd.DataFrame(rows, columns=list(GATE))


def signal_table(answers: pd.DataFrame, signals: Signals) -> pd.DataFrame:
    """AUROC2 of every signal of each model, on its own answers and on those that have all signals: :data:`SIGNALS`.

    ``why`` says why there is no interval.
    """
    rows = []
    for model, part, mine in _parts(answers, signals):
        right = _correct(part)
        common = np.all([np.isfinite(sure) for sure in mine.values()], axis=0)
        for name, sure in mine.items():
            known = np.isfinite(sure)
            row: dict[str, Any] = {"model": model, "signal": name, "n": int(known.sum()), "why": ""}
            row["n_common"] = int(common.sum())
            row["accuracy"] = float(right[known].mean()) if known.any() else np.nan
            if known.sum() < MIN_TRIALS or np.ptp(right[known].astype(int)) == 0:
                row["why"] = f"{known.sum():,} answers, {right[known].sum():,} of them right"
            else:
                made = auroc2_interval(right[known], sure[known], clusters=part["question_id"][known])
                row |= ended("auroc2", made.estimate, made.lower, made.upper)
                row["why"] = made.reason
            if common.any() and 0 < right[common].mean() < 1:
                row["auroc2_common"] = auroc2(right[common], sure[common])
            rows.append(row)
    return pd.DataFrame(rows, columns=list(SIGNALS))


def signal_pairs(answers: pd.DataFrame, signals: Signals) -> pd.DataFrame:
    """Differences in AUROC2 of every two signals of each model, on the answers that have all signals: :data:`PAIRS`.

    Intervals are each pair's own; ``p_holm`` is adjusted over all rows, ``differs`` where it is below .05.
    """
    rows = []
    for model, part, mine in _parts(answers, signals):
        common = np.all([np.isfinite(sure) for sure in mine.values()], axis=0)
        right, asked = _correct(part)[common], part["question_id"][common]
        for first, second in combinations(mine, 2):
            row: dict[str, Any] = {"model": model, "first": first, "second": second, "n": int(common.sum())}
            if common.sum() < MIN_TRIALS or not 0 < right.mean() < 1:
                row["why"] = f"{common.sum():,} answers have all signals, {right.sum():,} of them right"
            else:
                made = delong_paired(right, mine[first][common], mine[second][common], clusters=asked)
                row |= ended("difference", made.difference, made.lower, made.upper)
                row |= {"p": made.p_value, "why": made.why}
            rows.append(row)
    table = pd.DataFrame(rows, columns=list(PAIRS))
    known = table["p"].notna()
    if known.any():
        table.loc[known, "p_holm"] = adjust_p(table.loc[known, "p"].to_numpy(dtype=np.float64))
    return table.assign(differs=table["p_holm"].astype(np.float64) < 1 - LEVEL)


def left_out_table(answers: pd.DataFrame, lost: pd.Series) -> pd.DataFrame:
    """How often answers that were left out are right, beside those that were kept, by model and reason:
    :data:`LEFT_OUT`.

    ``lost`` says why each was left out, and is empty where it was kept. ``difference`` is the share right of those
    kept less that of those left out, with Newcombe's interval of 95 %, for which answers to one question count as many
    as they are worth. ``apart``: an interval so wide that all models together err once in twenty files contains no 0.
    """
    rows = []
    reasons = lost.to_numpy(dtype=object)
    counted = answers[["model"]].assign(lost=reasons)
    tests = max(1, len(counted[reasons != ""].drop_duplicates()))
    wide = float(ndtri(1 - (1 - LEVEL) / 2 / tests))
    for model, part, _ in _parts(answers, {}):
        why = reasons[answers["model"].to_numpy() == model]
        kept = part[why == ""]
        for reason in dict.fromkeys(why[why != ""]):
            out = part[why == reason]
            sides = [(side["correct"].mean(), _worth(side)) for side in (kept, out)]
            row = {"model": model, "reason": reason, "n_kept": len(kept), "n_out": len(out)}
            row |= {"accuracy_kept": sides[0][0], "accuracy_out": sides[1][0]}
            if len(kept):
                shares, sizes = (np.array(one, dtype=np.float64) for one in zip(*sides, strict=True))
                made = combined(shares, *wilson(shares, sizes), [1.0, -1.0])
                row |= ended("difference", made.estimate, made.lower, made.upper)
                row["apart"] = combined(shares, *wilson(shares, sizes, z=wide), [1.0, -1.0]).excludes(0.0)
            rows.append(row)
    return pd.DataFrame(rows, columns=list(LEFT_OUT)).fillna({"apart": False})


def _worth(part: pd.DataFrame) -> float:
    """How many independent answers these are worth."""
    if part.empty:
        return 0.0
    unit = pd.factorize(part["question_id"])[0]
    return effective_trials(np.bincount(unit, weights=_correct(part)), np.bincount(unit))


def refusal_table(answers: pd.DataFrame, refusal: NDArray[np.bool_], sure: FloatArray) -> pd.DataFrame:
    """Accuracy and AUROC2 of each model with refusals counted as wrong answers, and without them: :data:`REFUSED`.

    ``correct`` is as it was before refusals were counted as wrong. Two rows a model, ``counted`` as ``wrong`` and
    ``dropped``. Accuracy is of all answers that count, AUROC2 of those with confidence.
    """
    rows = []
    for model, part, mine in _parts(answers, {"sure": sure, "refused": refusal.astype(np.float64)}):
        refused, right = mine["refused"] > 0, _correct(part)
        n_right = int((right & refused).sum())
        about = {"model": model, "refusals": int(refused.sum()), "refused_right": n_right}
        for counted, used in (("wrong", np.ones(len(part), dtype=bool)), ("dropped", ~refused)):
            share = (right & ~refused)[used].mean() if used.any() else np.nan
            row = {**about, "counted": counted, "n": int(used.sum()), "accuracy": share}
            known = np.isfinite(mine["sure"]) & used
            hits = (right & ~refused)[known]
            if known.any() and 0 < hits.mean() < 1:
                asked = part["question_id"][known]
                made = auroc2_interval(hits, mine["sure"][known], clusters=asked)
                row |= ended("auroc2", made.estimate, made.lower, made.upper)
            rows.append(row)
    return pd.DataFrame(rows, columns=list(REFUSED))


def recalibration_table(
    answers: pd.DataFrame, stated: Signals, *, n_resamples: int = 2_000, seed: int = 42
) -> pd.DataFrame:
    """Whether stated probabilities come true, as they are and by maps that the other half of the questions has set.

    Columns :data:`RECALIBRATED`, a row for each model, signal and method (``stated``, ``platt``, ``isotonic``).
    ``ece`` is debiased (:func:`metacog.sdt.calibration.debiased_ece`), in ten bins of equal width; a probability below
    .001 or above .999 counts as that in ``log_loss``. ``brier_change`` is the Brier score less that of the stated
    probabilities. ``auroc2`` is the mean of both halves. ``intercept`` and ``slope`` are those of Platt's map, fitted
    on all answers. Whole questions are resampled; the maps stay.
    """
    rows = []
    for model, part, mine in _parts(answers, stated):
        for name, values in mine.items():
            known = np.isfinite(values)
            if not known.any():
                continue
            right, p, asked = _correct(part)[known], values[known], part["question_id"][known]
            about = {"model": model, "signal": name, "n": int(known.sum())}
            try:
                made = {m: recalibrated(right, p, method=m, clusters=asked, seed=seed) for m in METHODS}
            except InputError as error:
                rows.append({**about, "method": "stated", "why": str(error)})
                continue
            unit = pd.factorize(asked)[0]
            by = {"stated": p, **made}
            scores = {m: _scores(right, q, unit, n_resamples, seed) for m, q in by.items()}
            platt, (at, first) = fit_map(right, p), cluster_halves(asked, right.size, seed=seed)
            half = first[at]
            for method, (values_of, draws) in scores.items():
                row: dict[str, Any] = {**about, "method": method, "why": ""}
                row["auroc2"] = np.mean([auroc2(right[h], by[method][h]) for h in (half, ~half)])
                for score, value in values_of.items():
                    row |= ended(score, value, *percentile_limits(draws[score]))
                if method != "stated":
                    moved = draws["brier"] - scores["stated"][1]["brier"]
                    change = values_of["brier"] - scores["stated"][0]["brier"]
                    row |= ended("brier_change", change, *percentile_limits(moved))
                if method == "platt":
                    row |= {"intercept": platt.intercept, "slope": platt.slope}
                rows.append(row)
    return pd.DataFrame(rows, columns=list(RECALIBRATED))


def _scores(
    right: NDArray[np.bool_], p: FloatArray, unit: NDArray[np.int64], n_resamples: int, seed: int
) -> tuple[dict[str, float], dict[str, FloatArray]]:
    """Calibration error, Brier score and log loss, and those of resampled questions."""
    n_units = int(unit.max()) + 1
    shown = np.clip(p, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    loss = -np.log(np.where(right, shown, 1 - shown))
    place = np.searchsorted(calibration_edges(p, n_bins=N_BINS), p, side="right")
    sums = np.zeros((3, n_units, N_BINS))
    for i, values in enumerate((np.ones(p.size), right.astype(np.float64), p)):
        np.add.at(sums[i], (unit, place), values)
    plain = np.stack(
        [np.bincount(unit, weights=v, minlength=n_units) for v in ((p - right) ** 2, loss)], axis=1
    )
    n = np.bincount(unit, minlength=n_units).astype(np.float64)
    kept: dict[str, list[FloatArray]] = {name: [] for name in SCORES}
    n_resamples = min(n_resamples, max(LEAST_RESAMPLES, MOST_DRAWN // n_units))
    for weights in (np.ones((1, n_units)), *weight_chunks(n_units, n_resamples, seed, n_units)):
        kept["ece"].append(debiased_ece(*(weights @ one for one in sums)))
        means = weights @ plain / (weights @ n)[:, None]
        kept["brier"].append(means[:, 0])
        kept["log_loss"].append(means[:, 1])
    drawn = {name: np.concatenate(parts) for name, parts in kept.items()}
    found = {name: float(one[0]) for name, one in drawn.items()}
    draws = {name: one[1:] for name, one in drawn.items()}
    return found, draws | {"ece": centred(draws["ece"], found["ece"])}
