"""The atlas's figures from its rows: areas by model and domain, its bootstrap, and the shapes of profiles."""

from __future__ import annotations

from dataclasses import dataclass
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
    made = []
    for model, own in load().trials.groupby("model", sort=False):
        by_domain = {short: area(own[own["domain"] == name]) for name, (short, _) in DOMAINS.items()}
        values = np.array(list(by_domain.values()))
        made.append(
            {
                "model": model,
                "family": own["family"].iloc[0],
                "n": len(own),
                "acc": float(own["correct"].mean()),
                "aggregate": area(own),
                **by_domain,
                "mean_dom": float(values.mean()),
                "sd_dom": float(values.std(ddof=1)),
            }
        )
    return pd.DataFrame(made).set_index("model")


@cache
def cells() -> pd.DataFrame:
    """``n, n_wrong, auroc, lower, upper`` by model and printed domain; the interval is the printed bootstrap's.

    The percentile bootstrap over answers, with the generator, the seed and the order of draws that the author's script
    states: models by name, domains by theirs, one generator for all.
    """
    trials, rng = load().trials, np.random.default_rng(BOOTSTRAP_SEED)
    made = []
    for model in sorted(trials["model"].unique()):
        own = trials[trials["model"] == model]
        for name in sorted(DOMAINS):
            rows = own[own["domain"] == name]
            code, k = _tables(rows)
            n = len(rows)
            drawn = code[rng.integers(0, n, (N_BOOTSTRAP, n))] + 2 * k * np.arange(N_BOOTSTRAP)[:, None]
            counts = np.bincount(drawn.ravel(), minlength=2 * k * N_BOOTSTRAP).reshape(N_BOOTSTRAP, 2, k)
            areas = auroc2_from_counts(counts[:, 0], counts[:, 1])
            low, high = np.percentile(areas[np.isfinite(areas)], [2.5, 97.5])
            made.append(
                {
                    "model": model,
                    "domain": DOMAINS[name][0],
                    "n": n,
                    "n_wrong": int((~rows["correct"]).sum()),
                    "auroc": area(rows),
                    "lower": low,
                    "upper": high,
                    "width": high - low,
                }
            )
    return pd.DataFrame(made).set_index(["model", "domain"])


@dataclass(frozen=True)
class Clustering:
    """Likeness of profile shapes within families.

    Attributes
    ----------
    within, between : float
        Mean correlation of two profiles of one family, and of two families.
    p_value : float
        Share of permutations of family labels with at least the observed difference, the observed one counted in.
    families : DataFrame
        ``family, n, within, between, p, p_holm, p_within`` of families with three models at least: the mean
        correlation among its models and with all others, p of their difference against as many models drawn from all,
        and p of ``within`` alone.
    """

    within: float
    between: float
    p_value: float
    families: pd.DataFrame


def clustering(
    profiles: FloatArray, labels: NDArray[np.str_], n_permutations: int = N_PERMUTATIONS, seed: int = 42
) -> Clustering:
    """Whether profiles of one family are alike in shape.

    Parameters
    ----------
    profiles : array, shape ``(M, D)``
        A value of each model in each domain; only the shape counts.
    labels : array of str, shape ``(M,)``
        Families.
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
        rows.append(
            {
                "family": name,
                "n": members.size,
                "within": own / pairs,
                "between": outside,
                "p": _share(drawn / pairs - apart, own / pairs - outside),
                "p_within": _share(drawn, own),
            }
        )
    families = pd.DataFrame(rows)
    return Clustering(
        float(observed / n_same),
        float((total - observed) / (len(i) - n_same)),
        _share(gap(permuted), float(gap(observed))),
        families.assign(p_holm=adjust_p(families["p"])),
    )


def _share(drawn: FloatArray, observed: float) -> float:
    """Share of permutations that reach the observed value, which is counted in; equal up to rounding counts."""
    return float((1 + (drawn >= observed - 1e-12).sum()) / (1 + len(drawn)))


@cache
def printed_clustering() -> Clustering:
    """:func:`clustering` of the atlas's profiles and families."""
    made = summary()
    return clustering(made[list(PRINTED_DOMAINS)].to_numpy(), made["family"].to_numpy(dtype=str))
