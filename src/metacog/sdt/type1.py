"""Type-1 signal detection: hit and false-alarm rates, d', c, c', with corrections and variances."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from .checks import FloatArray, InputError, check_counts, check_s

CORRECTIONS = ("none", "loglinear", "clip", "pad-half", "pad-2k")


@dataclass(frozen=True)
class Type1:
    """Type-1 measures of one table. Distances are in root-mean-square units of the two sds.

    With `s = 1` these are the textbook d' and c; with `s != 1` they are d_a and c_a.

    Attributes
    ----------
    d_prime, c : float
    c_prime : float
        c / d', the criterion relative to sensitivity; NaN where d' is 0.
    d1, c1 : float
        Sensitivity and criterion in units of sd(S1).
    var_d_prime, var_c, cov_d_prime_c, var_c_prime : float
        Sampling variances; that of c' by the delta method.
    hit_rate, false_alarm_rate, n_S1, n_S2, s : float
    correction : str
    """

    d_prime: float
    c: float
    c_prime: float
    d1: float
    c1: float
    var_d_prime: float
    var_c: float
    hit_rate: float
    false_alarm_rate: float
    n_S1: float
    n_S2: float
    s: float
    correction: str
    cov_d_prime_c: float = float("nan")
    var_c_prime: float = float("nan")

    def half_width(self, measure: str, *, z: float = 1.959963984540054) -> float:
        """Half-width of the interval of ``d_prime``, ``c`` or ``c_prime``: z standard errors.

        Raises
        ------
        InputError
            For any other measure.
        """
        known = {"d_prime": self.var_d_prime, "c": self.var_c, "c_prime": self.var_c_prime}
        if measure not in known:
            raise InputError(f"no variance of {measure!r}; use one of: {', '.join(known)}")
        return z * float(np.sqrt(known[measure]))


def rms_scale(s: ArrayLike) -> FloatArray:
    """Factor from units of sd(S1) to root-mean-square units: sqrt(2/(1 + s^2)) s, with s = sd(S1)/sd(S2)."""
    s = np.asarray(s, dtype=np.float64)
    return np.sqrt(2.0 / (1.0 + s**2)) * s


def correct_counts(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, correction: str = "none"
) -> tuple[FloatArray, FloatArray]:
    """Add what a named correction adds to the cells of a table.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (..., 2K)
    correction : {"none", "loglinear", "pad-half", "pad-2k"}
        `"pad-half"` adds 1/2 to every cell;
        `"pad-2k"` and `"loglinear"` add 1/(2K), so that the 2 x 2 table of hits and false alarms gets
        the 1/2 of Hautus (1995).

    Returns
    -------
    nR_S1, nR_S2 : float arrays, shape ``(..., 2K)``

    Raises
    ------
    InputError
        Unknown name, or `"clip"`, which changes rates and not cells.

    Examples
    --------
    >>> from metacog.sdt import correct_counts
    >>> padded, _ = correct_counts([10, 5, 0, 1], [0, 2, 6, 8], correction="pad-half")
    >>> padded
    array([10.5,  5.5,  0.5,  1.5])
    """
    a, b = np.asarray(nR_S1, dtype=np.float64), np.asarray(nR_S2, dtype=np.float64)
    if correction not in CORRECTIONS or correction == "clip":
        names = ", ".join(c for c in CORRECTIONS if c != "clip")
        raise InputError(f"Unknown cell correction {correction!r}; choose one of: {names}.")
    pad = {"none": 0.0, "pad-half": 0.5, "pad-2k": 1.0 / a.shape[-1], "loglinear": 1.0 / a.shape[-1]}
    return a + pad[correction], b + pad[correction]


def type1(nR_S1: ArrayLike, nR_S2: ArrayLike, *, correction: str = "none", s: float = 1.0) -> Type1:
    """Type-1 sensitivity and criterion of one rating table.

    d1 = z(H)/s - z(F) and c1 = -(z(H) + z(F))/(1 + s) in units of sd(S1) (Maniscalco & Lau 2014, eqs. for
    unequal variance; Macmillan & Creelman 2005 for s = 1); `d_prime` and `c` are these times
    sqrt(2/(1 + s^2)) s.

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape (2K,)
        Counts in the order of Maniscalco & Lau. The first K ratings are responses "S1".
    correction : {"none", "loglinear", "clip", "pad-half", "pad-2k"}
        `"loglinear"`: (hits + 1/2)/(n + 1) (Hautus 1995). `"clip"`: a rate of 0 becomes 1/(2n) and of 1
        becomes 1 - 1/(2n) (Macmillan & Kaplan 1985). `"pad-half"` and `"pad-2k"`: see `correct_counts`.
    s : float
        sd(S1)/sd(S2).

    Returns
    -------
    Type1
        With delta-method variances: var z(rate) = rate (1 - rate)/(n phi(z)^2), binomial and independent
        for the two stimuli (Gourevitch & Galanter 1967). s counts as known. That of c' = c/d' takes the
        covariance of c and d' into account, which for s = 1 is -(var z(H) - var z(F))/2.
        The same response throughout has, corrected, a d' of 0 or nearly so, a criterion far out
        and wide intervals.

    Raises
    ------
    InputError
        Bad counts; or, where no correction mends it, all trials in one cell or a rate of 0 or 1.

    Examples
    --------
    >>> from metacog.sdt import type1
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> found = type1(nR_S1, nR_S2)
    >>> print(f"d' {found.d_prime:.2f}, c {found.c:.2f}")
    d' 1.50, c -0.09
    >>> print(f"d' +- {found.half_width('d_prime'):.2f}")
    d' +- 0.34
    """
    if correction not in CORRECTIONS:
        raise InputError(f"Unknown correction {correction!r}; choose one of: {', '.join(CORRECTIONS)}.")
    a, b = check_counts(nR_S1, nR_S2, constant=correction != "none")
    ratio = float(check_s(s, 1)[0])
    if correction != "clip":
        a, b = correct_counts(a, b, correction=correction)
    k = len(a) // 2
    n1, n2 = float(a.sum()), float(b.sum())
    hit, false_alarm = float(b[k:].sum() / n2), float(a[k:].sum() / n1)
    if correction == "clip":
        hit = float(np.clip(hit, 0.5 / n2, 1 - 0.5 / n2))
        false_alarm = float(np.clip(false_alarm, 0.5 / n1, 1 - 0.5 / n1))
    for name, rate in (("hit", hit), ("false-alarm", false_alarm)):
        if rate in (0.0, 1.0):
            raise InputError(f"The {name} rate is {rate:.0f}, so d' is infinite: use a correction.")
    z_hit, z_fa = float(ndtri(hit)), float(ndtri(false_alarm))
    d1, c1 = z_hit / ratio - z_fa, -(z_hit + z_fa) / (1.0 + ratio)
    scale = float(rms_scale(ratio))
    v_hit, v_fa = float(var_z(hit, n2)), float(var_z(false_alarm, n1))
    var_d, var_c = scale**2 * (v_hit / ratio**2 + v_fa), scale**2 * (v_hit + v_fa) / (1.0 + ratio) ** 2
    # d' and c share both z values: z(H) moves them in opposite directions, z(F) in the same
    covariance = -(scale**2) * (v_hit / ratio - v_fa) / (1.0 + ratio)
    c_prime = c1 / d1 if d1 != 0 else float("nan")
    return Type1(
        d_prime=scale * d1,
        c=scale * c1,
        c_prime=c_prime,
        d1=d1,
        c1=c1,
        var_d_prime=var_d,
        var_c=var_c,
        hit_rate=hit,
        false_alarm_rate=false_alarm,
        n_S1=n1,
        n_S2=n2,
        s=ratio,
        correction=correction,
        cov_d_prime_c=covariance,
        var_c_prime=ratio_variance(scale * c1, scale * d1, var_c, var_d, covariance),
    )


def var_z(rate: ArrayLike, n: ArrayLike) -> FloatArray:
    """Delta-method variance of z(rate) of ``n`` independent trials: rate (1 - rate)/(n phi(z)^2).

    Gourevitch & Galanter (1967). NaN at a rate of 0 or 1, where z is infinite.
    """
    p, m = np.asarray(rate, dtype=np.float64), np.asarray(n, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        density = np.exp(-0.5 * ndtri(p) ** 2) / np.sqrt(2.0 * np.pi)
        return p * (1.0 - p) / (m * density**2)


def ratio_variance(top: float, bottom: float, var_top: float, var_bottom: float, covariance: float) -> float:
    """Delta-method variance of top/bottom: (var top - 2 r cov + r^2 var bottom)/bottom^2, r the ratio.

    NaN where ``bottom`` is 0. Only as good as ``bottom`` is far from 0 in its own standard errors.
    """
    if bottom == 0:
        return float("nan")
    r = top / bottom
    return float((var_top - 2 * r * covariance + r**2 * var_bottom) / bottom**2)
