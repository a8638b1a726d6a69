"""Information that confidence carries about accuracy: the meta-information family.

With A = correct or not and R = rating, in bits (Dayan 2023, Open Mind 7, 392-411):

* meta-I = I(A; R) = H(A) + H(R) - H(A, R);
* meta-I1r = meta-I / meta-I of an ideal equal-variance Gaussian observer of the same d', whose
  confidence is the whole posterior (:func:`normal_meta_information`);
* meta-I2r = meta-I / H(A): the share of the uncertainty about accuracy that ratings take away;
* RMI = meta-I / max meta-I at that accuracy, the relative meta-information of the statConfR
  package (Meyen): H(A | R) is concave in P(correct | R), so at accuracy a with every rating at
  least as good as the guess rate g, the most informative observer is sure on some trials and
  guesses on the rest, max = h(a) - (1 - a)/(1 - g) h(g). For two choices g = 1/2; for open
  answers g = 0 and RMI = meta-I2r.

None of the units frees meta-I of accuracy: the same distance of the two confidence
distributions (d_a 1) gives meta-I2r .10 at accuracy .05 and .15 at .43. Groups of unlike accuracy are
compared matched or with accuracy modelled, or in AUROC2, which does not move with it.

A plug-in estimate is too high by about (L - 1)/(2 N ln 2) bits. ``correction`` names how that is
taken off: ``permutation`` (mean over random re-pairings of accuracy and rating), ``exact`` (that
mean without Monte-Carlo error), ``miller-madow``, ``chi-square``, ``jackknife`` or ``none``.

:func:`meta_i2r` is the one estimator of meta-I2r. A column named ``meta_i2r`` holds its default, the
exact correction; every other correction stands in the column's name (``meta_i2r_permutation``,
``meta_i2r_chi_square``, ``meta_i2r_plugin``).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from metacog.sdt.checks import FloatArray, InputError, as_tables, need_both_classes, table_from_trials
from metacog.sdt.information_bits import (
    CORRECTIONS,
    analytic_bias,
    binary_entropy,
    expected_null_meta_i,
    max_meta_information,
    normal_meta_information,
    null_meta_i2r,
    permutation_null_meta_i,
    plugin_meta_i,
    plugin_meta_i2r,
)
from metacog.sdt.resampling import permutation_p


@dataclass(frozen=True)
class MetaInformation:
    """Meta-information of one table.

    Attributes
    ----------
    meta_i, plugin_meta_i : float
        Bits, corrected as ``correction`` says, and uncorrected.
    meta_i1r, meta_i2r, rmi, plugin_meta_i2r : float
        ``meta_i`` in the three units of the module's docstring; NaN where the unit is undefined
        (``notes`` says why). ``plugin_meta_i2r`` is uncorrected.
    bias, null_mean_i2r : float
        What is taken off the plug-in value, in bits and in units of H(accuracy).
    p_value : float
        (1 + #null >= observed) / (1 + permutations); NaN unless ``correction`` is permutation.
    accuracy, entropy, d_prime : float
        Accuracy, its entropy in bits, and the d' that meta-I1r rests on.
    n_trials, n_ratings, n_permutations, seed : int
        ``n_ratings`` counts the ratings used by any trial.
    correction : str
    notes : tuple of str
    """

    meta_i: float
    meta_i1r: float
    meta_i2r: float
    rmi: float
    plugin_meta_i: float
    plugin_meta_i2r: float
    bias: float
    null_mean_i2r: float
    p_value: float
    accuracy: float
    entropy: float
    d_prime: float
    n_trials: float
    n_ratings: int
    n_permutations: int
    seed: int | None
    correction: str
    notes: tuple[str, ...] = ()


def meta_i2r(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    correction: str = "exact",
    n_permutations: int = 2000,
    seed: int | None = 42,
) -> FloatArray:
    """Meta-I2r, batched: I(accuracy; rating)/H(accuracy) minus what its ``correction`` names.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays, shape ``(..., L)``
        Incorrect and correct trials by rating; whole numbers for ``exact`` and ``permutation``.
    correction : {'exact', 'permutation', 'chi-square', 'miller-madow', 'jackknife', 'none'}
        ``exact``: the mean over all re-pairings of accuracy and rating, one table at a time;
        ``chi-square``: for thousands of tables at once; ``none``: the plug-in value.
    n_permutations, seed
        Of ``permutation``.

    Returns
    -------
    array, shape ``(...)``; NaN where a class is empty

    References
    ----------
    Dayan (2023), Open Mind 7, 392-411: meta-I = I(accuracy; rating), here as a share of H(accuracy).

    Examples
    --------
    >>> from metacog.sdt import meta_i2r
    >>> wrong = [12, 9, 6, 3]  # incorrect answers, lowest rating first
    >>> right = [8, 16, 25, 41]
    >>> print(f"{meta_i2r(wrong, right):.3f}")
    0.147
    >>> print(f"{meta_i2r(wrong, right, correction='none'):.3f}")  # too high
    0.170
    """
    taken_off = null_meta_i2r(nR_S1, nR_S2, correction=correction, n_permutations=n_permutations, seed=seed)
    return plugin_meta_i2r(nR_S1, nR_S2) - taken_off


def meta_i2r_p(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, n_permutations: int = 2000, seed: int | None = 42
) -> float:
    """Permutation p-value of one table's meta-I2r: do ratings know anything of accuracy?

    Parameters
    ----------
    nR_S1, nR_S2 : whole-number arrays, shape ``(L,)``
        Incorrect and correct trials by rating, lowest rating first.
    n_permutations : int
    seed : int or None

    Returns
    -------
    float

    Notes
    -----
    Phipson & Smyth's (1 + #null >= observed)/(1 + permutations). H(accuracy) is the same in every
    permutation, so meta-I, meta-I2r and RMI share it.

    References
    ----------
    Phipson & Smyth (2010).

    Examples
    --------
    >>> from metacog.sdt import meta_i2r_p
    >>> wrong = [12, 9, 6, 3]  # incorrect answers, lowest rating first
    >>> right = [8, 16, 25, 41]
    >>> print(f"{meta_i2r_p(wrong, right, n_permutations=500):.3f}")
    0.002
    """
    null = permutation_null_meta_i(nR_S1, nR_S2, n_permutations=n_permutations, seed=seed)
    return permutation_p(float(plugin_meta_i(nR_S1, nR_S2)), null, alternative="greater").p_value


def meta_information_from_counts(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    correction: str = "permutation",
    n_permutations: int = 2000,
    seed: int | None = 42,
    d_prime: float | None = None,
    guess_rate: float = 0.5,
) -> MetaInformation:
    """Meta-information of one table of incorrect and correct trials by rating.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays of shape ``(L,)``
        Incorrect and correct trials by rating (fold two-choice counts with ``type2_table``).
        Whole numbers for the ``permutation`` and ``exact`` corrections.
    correction : {'permutation', 'exact', 'miller-madow', 'chi-square', 'jackknife', 'none'}
    n_permutations, seed
        Of the permutation null.
    d_prime : float, optional
        Sensitivity for meta-I1r. Without it d' = 2 Phi^-1(accuracy), the unbiased two-choice
        observer of that accuracy; at accuracy <= 1/2 there is none and meta-I1r is NaN. Open
        answers have no two-choice d', and just above 1/2 the ratio grows without bound: report
        meta-I2r there.
    guess_rate : float
        Of RMI: 0.5 for two choices, 1/m for m, 0 for open answers.

    Returns
    -------
    MetaInformation
        In bits and in the units meta-I1r, meta-I2r and RMI, NaN where a unit is undefined.

    Raises
    ------
    InputError
        One class only, bad counts, unknown correction.

    References
    ----------
    Dayan (2023), Open Mind 7, 392-411: meta-I = I(accuracy; rating), also as a share of an ideal observer's
    (meta-I1r)
    and of H(accuracy) (meta-I2r).

    Examples
    --------
    >>> from metacog.sdt import meta_information_from_counts
    >>> wrong = [12, 9, 6, 3]  # incorrect answers, lowest rating first
    >>> right = [8, 16, 25, 41]
    >>> found = meta_information_from_counts(wrong, right, n_permutations=500)
    >>> print(f"meta-I2r {found.meta_i2r:.2f}, p {found.p_value:.3f}")
    meta-I2r 0.15, p 0.002
    """
    incorrect, correct = as_tables(nR_S1, nR_S2, one=True)
    need_both_classes(incorrect, correct)
    if correction not in CORRECTIONS:
        raise InputError(f"no correction named {correction!r}; use one of {', '.join(CORRECTIONS)}")
    plugin = float(plugin_meta_i(incorrect, correct))
    null = np.empty(0)
    if correction == "permutation":
        null = permutation_null_meta_i(incorrect, correct, n_permutations=n_permutations, seed=seed)
    bias = _bias(incorrect, correct, correction, null)
    accuracy = float(correct.sum() / (incorrect.sum() + correct.sum()))
    entropy = float(binary_entropy(accuracy))
    meta_i = plugin - bias
    d, normal, largest, notes = _units(accuracy, d_prime, guess_rate)
    if meta_i / largest > 1:
        notes.append(f"rmi above 1: some ratings are worse than guessing at {guess_rate:g}; set guess_rate")
    return MetaInformation(
        meta_i=meta_i,
        meta_i1r=meta_i / normal,
        meta_i2r=meta_i / entropy,
        rmi=meta_i / largest,
        plugin_meta_i=plugin,
        plugin_meta_i2r=plugin / entropy,
        bias=bias,
        null_mean_i2r=bias / entropy,
        p_value=permutation_p(plugin, null, alternative="greater").p_value if null.size else float("nan"),
        accuracy=accuracy,
        entropy=entropy,
        d_prime=d,
        n_trials=float(incorrect.sum() + correct.sum()),
        n_ratings=int(((incorrect + correct) > 0).sum()),
        n_permutations=null.size,
        seed=seed if null.size else None,
        correction=correction,
        notes=tuple(notes),
    )


def _bias(incorrect: FloatArray, correct: FloatArray, correction: str, null: FloatArray) -> float:
    """Bits that a correction takes off."""
    if correction == "permutation":
        return float(null.mean())
    if correction == "exact":
        return expected_null_meta_i(incorrect, correct)
    return 0.0 if correction == "none" else float(analytic_bias(incorrect, correct, correction))


def _units(
    accuracy: float, d_prime: float | None, guess_rate: float
) -> tuple[float, float, float, list[str]]:
    """d', the units of meta-I1r and of RMI (NaN where there is none), and why there is none."""
    notes = []
    if d_prime is None:
        d_prime = float(2 * ndtri(accuracy)) if accuracy > 0.5 else float("nan")
        if accuracy <= 0.5:
            notes.append("meta_i1r undefined: accuracy <= 1/2 has no two-choice d'; pass d_prime")
    normal = float(normal_meta_information(d_prime)) if np.isfinite(d_prime) else float("nan")
    if normal <= 0:
        notes.append("meta_i1r undefined: d' = 0 carries no information")
        normal = float("nan")
    largest = float(max_meta_information(accuracy, guess_rate=guess_rate))
    if not largest > 0:
        notes.append(f"rmi undefined: accuracy {accuracy:.4g} is not above guess_rate {guess_rate:g}")
        largest = float("nan")
    return float(d_prime), normal, largest, notes


def meta_information(correct: ArrayLike, rating: ArrayLike, **options: Any) -> MetaInformation:
    """Meta-information from trials.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    rating : array, shape ``(n,)``
        Discrete: every distinct value is a rating, so raw confidence would give each trial a rating of its
        own and a plug-in value near H(accuracy). Bin it first.
    options
        As for :func:`meta_information_from_counts`.

    Returns
    -------
    MetaInformation

    References
    ----------
    Dayan (2023), Open Mind 7, 392-411: meta-I = I(accuracy; rating).

    Examples
    --------
    >>> from metacog.sdt import meta_information
    >>> correct = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0]
    >>> rating = [4, 4, 4, 3, 3, 2, 1, 1, 2, 3, 4, 1]
    >>> found = meta_information(correct, rating, correction="exact")
    >>> print(f"{found.meta_i:.2f} bits of {found.entropy:.2f}: meta-I2r {found.meta_i2r:.2f}")
    0.33 bits of 0.98: meta-I2r 0.34
    """
    incorrect, hits, _ = table_from_trials(correct, rating)
    if incorrect.size > 0.5 * np.size(correct) and incorrect.size > 20:
        raise InputError(f"rating has {incorrect.size} distinct values; bin raw confidence into levels first")
    return meta_information_from_counts(incorrect, hits, **options)
