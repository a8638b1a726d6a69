"""The atlas's figures from its rows: areas by model and domain, its bootstrap, and the shapes of profiles."""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.sdt.decisions import adjust_p
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study6_frontier.ledger.rows import load
from metacog.studies.study6_frontier.paper import DOMAINS, PRINTED_DOMAINS

FloatArray = NDArray[np.float64]

#: Resamples and seed of the printed intervals, as the author's script states them.
N_BOOTSTRAP, BOOTSTRAP_SEED = 1000, 42
#: Models from which a family is judged by itself.
FEWEST = 3
#: Permutations of family labels, ours.
N_PERMUTATIONS = 100_000
#: The row of all families together.
ALL = "all"


def _tables(rows: pd.DataFrame) -> tuple[NDArray[np.int64], int]:
    """A code of each row, wrong answers before right ones and by confidence within, and the number of confidences."""
    levels, code = np.unique(rows["score"].to_numpy(), return_inverse=True)
    return code + levels.size * rows["correct"].to_numpy(dtype=np.int64), levels.size


def area(rows: pd.DataFrame) -> float:
    """AUROC2 of some rows of one model; NaN with one class."""
    code, k = _tables(rows)
    counts = np.bincount(code, minlength=2 * k)
    return float(auroc2_from_counts(counts[:k], counts[k:]))


@cache
def summary() -> pd.DataFrame:
    """``n, acc, aggregate``, AUROC2 of each domain, ``mean_dom`` and ``sd_dom`` by model, from the rows."""
    trials = load().trials
    by_model = trials.groupby("model", sort=False)
    made = by_model.agg(family=("family", "first"), n=("correct", "size"), acc=("correct", "mean"))
    made["aggregate"] = [area(own) for _, own in by_model]
    for name, (short, _) in DOMAINS.items():
        made[short] = [area(own[own["domain"] == name]) for _, own in by_model]
    areas = made[list(PRINTED_DOMAINS)].to_numpy()
    return made.assign(mean_dom=areas.mean(axis=1), sd_dom=areas.std(axis=1, ddof=1))


@cache
def cells() -> pd.DataFrame:
    """``n, n_wrong, auroc, lower, upper, ci_w`` by model and printed domain; the interval is the printed bootstrap's.

    The percentile bootstrap over answers, with the generator, the seed and the order of draws that the author's script
    states: models by name, domains by theirs, one generator for all.
    """
    trials, rng = load().trials, np.random.default_rng(BOOTSTRAP_SEED)
    made = {}
    for (model, name), rows in trials.groupby(["model", "domain"]):
        code, k = _tables(rows)
        n = len(rows)
        drawn = code[rng.integers(0, n, (N_BOOTSTRAP, n))] + 2 * k * np.arange(N_BOOTSTRAP)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=2 * k * N_BOOTSTRAP).reshape(N_BOOTSTRAP, 2, k)
        areas = auroc2_from_counts(counts[:, 0], counts[:, 1])
        low, high = np.percentile(areas[np.isfinite(areas)], [2.5, 97.5])
        wrong = int((~rows["correct"]).sum())
        made[model, DOMAINS[str(name)][0]] = (n, wrong, area(rows), low, high, high - low)
    table = pd.DataFrame.from_dict(
        made, orient="index", columns=["n", "n_wrong", "auroc", "lower", "upper", "ci_w"]
    )
    table.index = pd.MultiIndex.from_tuples(made, names=["model", "domain"])
    return table


def clustering(
    profiles: FloatArray, labels: NDArray[np.str_], n_permutations: int = N_PERMUTATIONS, seed: int = 42
) -> pd.DataFrame:
    """Whether profiles (models by domains) of one family are alike in shape: a row of :data:`ALL`, one of each family.

    ``family, n, within, between, p, p_within, p_holm``: mean correlation of two profiles of one family, and of two
    families; the share of permutations of labels with at least their difference, the observed one counted in. Of
    families with :data:`FEWEST` models alone: among its models and with all others, against as many models drawn from
    all, and p of ``within`` alone.
    """
    alike: FloatArray = np.atleast_2d(np.corrcoef(profiles))
    i, j = np.triu_indices(len(labels), 1)
    same = labels[i] == labels[j]
    order = np.random.default_rng(seed).permuted(np.tile(np.arange(len(labels)), (n_permutations, 1)), axis=1)
    total, n_same = alike[i, j].sum(), int(same.sum())
    all_others = alike.sum(axis=1) - 1

    def gap(within: FloatArray) -> FloatArray:
        return within / n_same - (total - within) / (len(i) - n_same)

    observed = alike[i, j][same].sum()
    permuted = np.zeros(n_permutations)
    rows = []
    for name in dict.fromkeys(labels.tolist()):
        members = np.flatnonzero(labels == name)
        if members.size < 2:
            continue
        a, b = (members[k] for k in np.triu_indices(members.size, 1))
        drawn = alike[order[:, a], order[:, b]].sum(axis=1)
        permuted += drawn
        if members.size < FEWEST:
            continue
        own, pairs = alike[a, b].sum(), a.size
        n_others = members.size * (len(labels) - members.size)
        apart = (all_others[order[:, members]].sum(axis=1) - 2 * drawn) / n_others
        outside = (all_others[members].sum() - 2 * own) / n_others
        p = _share(drawn / pairs - apart, own / pairs - outside)
        rows.append((name, members.size, own / pairs, outside, p, _share(drawn, own)))
    families = pd.DataFrame(rows, columns=["family", "n", "within", "between", "p", "p_within"])
    families["p_holm"] = adjust_p(families["p"])
    p = _share(gap(permuted), float(gap(observed)))
    between = (total - observed) / (len(i) - n_same)
    whole = {"family": ALL, "n": len(labels), "within": observed / n_same, "between": between, "p": p}
    return pd.concat([pd.DataFrame([whole]), families], ignore_index=True)


def _share(drawn: FloatArray, observed: float) -> float:
    """Share of permutations that reach the observed value, which is counted in; equal up to rounding counts."""
    return float((1 + (drawn >= observed - 1e-12).sum()) / (1 + len(drawn)))


@cache
def printed_clustering() -> pd.DataFrame:
    """:func:`clustering` of the atlas's profiles and families."""
    made = summary()
    return clustering(made[list(PRINTED_DOMAINS)].to_numpy(), made["family"].to_numpy(dtype=str))
