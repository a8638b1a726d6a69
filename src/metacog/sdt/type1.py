"""Type-1 signal detection: hit and false-alarm rates, d', c, c', with corrections and variances.

The z-transformed ROC has a slope, an intercept and d_a, by regression and by maximum likelihood. With
unequal-variance Gaussians N(0, 1) and N(mu, sigma^2) the ROC is a straight line in z-space, z(HR) = intercept
+ slope z(FAR), slope = 1/sigma, intercept = mu/sigma; the distance in units of the root-mean-square deviation
is d_a = intercept sqrt(2 / (1 + slope^2)) (Green & Swets 1966; Macmillan & Creelman 2005, ch. 3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtr, ndtri, xlogy

from metacog.sdt.checks import FloatArray, InputError, as_tables, check_counts, check_s, need_both_classes
from metacog.sdt.intervals import Z95

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

    def half_width(self, measure: str, *, z: float = Z95) -> float:
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


def rms_scale(s: float | FloatArray) -> FloatArray:
    """Factor from units of sd(S1) to root-mean-square units: sqrt(2/(1 + s^2)) s, with s = sd(S1)/sd(S2)."""
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
    pad = {"none": 0.0, "loglinear": 1.0 / a.shape[-1], "pad-half": 0.5, "pad-2k": 1.0 / a.shape[-1]}
    if correction not in pad:
        raise InputError(f"Unknown cell correction {correction!r}; choose one of: {', '.join(pad)}.")
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
        hit, false_alarm = (
            float(np.clip(x, 0.5 / n, 1 - 0.5 / n)) for x, n in ((hit, n2), (false_alarm, n1))
        )
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


@dataclass(frozen=True)
class ZROC:
    """z-ROC by least squares; every field is a float for one table, an array for a batch.

    Attributes
    ----------
    slope, intercept, d_a, r2, a_z
        Of the line through the cut points; ``a_z`` = Phi(d_a / sqrt 2) is the area under it.
    n_clipped
        Cut points where a rate was outside the clip limits and was moved to them.
    z_far, z_hr : arrays of shape ``(..., L - 1)``
        The cut points, strictest first.
    """

    slope: float | FloatArray
    intercept: float | FloatArray
    d_a: float | FloatArray
    r2: float | FloatArray
    a_z: float | FloatArray
    n_clipped: int | FloatArray
    z_far: FloatArray
    z_hr: FloatArray


def d_a_from_line(intercept: ArrayLike, slope: ArrayLike) -> FloatArray:
    """d_a = intercept sqrt(2 / (1 + slope^2))."""
    return np.asarray(intercept) * np.sqrt(2 / (1 + np.asarray(slope) ** 2))


def z_roc(nR_S1: ArrayLike, nR_S2: ArrayLike, *, clip: float = 1e-4) -> ZROC:
    """z-ROC line by ordinary least squares of z(HR) on z(FAR) over the L - 1 cut points.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays of shape ``(L,)`` or ``(..., L)``
        Trials by rating, lowest (most S1-like) rating first, L >= 3. With correctness as the
        class, S1 = incorrect and S2 = correct. No cell correction is added.
    clip : float
        Rates are clipped to ``[clip, 1 - clip]``.

    Returns
    -------
    ZROC
        Floats for one table, arrays for a batch.

    Raises
    ------
    InputError
        Fewer than three ratings, bad counts, or (single table) an empty class or a vertical line.

    Notes
    -----
    Rates are P(rating > k). Regression ignores that both coordinates carry error and that the cut
    points are correlated, so it has no honest standard error; use :func:`z_roc_mle` or a bootstrap.

    References
    ----------
    Macmillan & Creelman (2005), ch. 3: z(HR) = intercept + slope z(FAR), d_a = intercept sqrt(2/(1 + slope^2)).

    Examples
    --------
    >>> from metacog.sdt import z_roc
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> line = z_roc(nR_S1, nR_S2)
    >>> print(f"slope {line.slope:.2f}, d_a {line.d_a:.2f}, area {line.a_z:.3f}")
    slope 1.08, d_a 1.53, area 0.861
    """
    s1, s2 = as_tables(nR_S1, nR_S2, min_ratings=3)
    if not 0 < clip < 0.5:
        raise InputError(f"clip must be between 0 and 0.5, got {clip}")
    if s1.ndim == 1:
        need_both_classes(s1, s2)
    with np.errstate(invalid="ignore", divide="ignore"):
        far, hr = (
            np.cumsum(s[..., ::-1], axis=-1)[..., :-1] / s.sum(axis=-1, keepdims=True) for s in (s1, s2)
        )
        clipped = ((far < clip) | (far > 1 - clip) | (hr < clip) | (hr > 1 - clip)).sum(axis=-1)
        x, y = (ndtri(np.clip(rate, clip, 1 - clip)) for rate in (far, hr))
        dx, dy = (z - z.mean(axis=-1, keepdims=True) for z in (x, y))
        sxx, sxy, syy = (dx * dx).sum(-1), (dx * dy).sum(-1), (dy * dy).sum(-1)
        slope = np.where(sxx > 0, sxy / sxx, np.nan)
        intercept = y.mean(axis=-1) - slope * x.mean(axis=-1)
        r2 = np.where(syy > 0, sxy**2 / (sxx * syy), np.nan)
    d_a = d_a_from_line(intercept, slope)
    a_z = ndtr(d_a / np.sqrt(2))
    if s1.ndim > 1:
        return ZROC(slope, intercept, d_a, r2, a_z, clipped.astype(np.float64), x, y)
    if not np.isfinite(slope):
        raise InputError("all false-alarm rates are equal: no line can be drawn; merge or re-bin ratings")
    return ZROC(float(slope), float(intercept), float(d_a), float(r2), float(a_z), int(clipped), x, y)


@dataclass(frozen=True)
class ZROCFit:
    """Maximum-likelihood unequal-variance rating model.

    Attributes
    ----------
    slope, intercept, d_a, a_z : float
        ``slope`` = 1/sigma of S2 (S1 has sd 1), ``intercept`` = mu/sigma.
    se_slope, se_intercept, se_d_a, se_a_z : float
        From the inverse expected information, the last two by the delta method.
    criteria : array, shape ``(levels - 1,)``
        Between the ratings in use, in units of the S1 standard deviation.
    covariance : array
        Of (intercept, slope, criteria ...).
    log_likelihood, g2, df, p_fit
        ``g2`` is the deviance from the saturated table with ``df`` degrees of freedom.
    gradient_norm : float
        Euclidean norm of the gradient of the mean log-likelihood per trial.
    converged : bool
    n_iterations, n_ratings : int
        ``n_ratings`` counts ratings used by any trial; empty ones hold no information.
    """

    slope: float
    intercept: float
    d_a: float
    a_z: float
    se_slope: float
    se_intercept: float
    se_d_a: float
    se_a_z: float
    criteria: FloatArray
    covariance: FloatArray
    log_likelihood: float
    g2: float
    df: int
    p_fit: float
    gradient_norm: float
    converged: bool
    n_iterations: int
    n_ratings: int


def _cells(theta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Cell probabilities ``(2, L)`` and their derivatives ``(2, L, p)``; theta = (a, b, t...)."""
    a, b, t = theta[0], theta[1], theta[2:]
    p = theta.size
    u = np.stack([t, b * t - a])  # (2, L-1) standardised criteria
    density = np.exp(-0.5 * u**2) / np.sqrt(2 * np.pi)
    du = np.zeros((2, t.size, p))
    index = np.arange(t.size)
    du[0, index, 2 + index] = 1.0
    du[1, :, 0] = -1.0
    du[1, :, 1] = t
    du[1, index, 2 + index] = b
    dcum = density[..., None] * du
    edge = np.full((2, 1), np.inf)
    full = np.concatenate([-edge, u, edge], axis=1)
    # Differences taken in whichever tail is small, so far cells keep their digits.
    upper = full[:, :-1] > 0
    probability = np.where(
        upper, ndtr(-full[:, :-1]) - ndtr(-full[:, 1:]), ndtr(full[:, 1:]) - ndtr(full[:, :-1])
    )
    zero = np.zeros((2, 1, p))
    return probability, np.diff(np.concatenate([zero, dcum, zero], axis=1), axis=1)


def _log_likelihood(theta: FloatArray, counts: FloatArray) -> float:
    if theta[1] <= 0 or (np.diff(theta[2:]) <= 0).any():
        return -np.inf
    probability, _ = _cells(theta)
    return float(xlogy(counts, probability).sum())


def z_roc_mle(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, max_iterations: int = 200, tolerance: float = 1e-9
) -> ZROCFit:
    """Fit the unequal-variance Gaussian rating model by maximum likelihood.

    Parameters
    ----------
    nR_S1, nR_S2 : arrays of shape ``(L,)``
        Trials by rating, lowest (most S1-like) rating first, at least three ratings in use.
    max_iterations : int
    tolerance : float
        On the gradient norm of the mean log-likelihood.

    Returns
    -------
    ZROCFit
        With standard errors from the expected information.

    Raises
    ------
    InputError
        Bad counts, an empty class, or fewer than three ratings in use.

    Notes
    -----
    P(rating <= k | S1) = Phi(t_k), P(rating <= k | S2) = Phi(slope t_k - intercept); Fisher
    scoring with step halving (Dorfman & Alf 1969; Ogilvie & Creelman 1968). Where the classes
    separate completely there is no finite maximum: ``converged`` is then False.

    Examples
    --------
    >>> from metacog.sdt import z_roc_mle
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> fit = z_roc_mle(nR_S1, nR_S2)
    >>> print(f"slope {fit.slope:.2f} +- {1.96 * fit.se_slope:.2f}, d_a {fit.d_a:.2f}")
    slope 1.08 +- 0.28, d_a 1.49
    """
    s1, s2 = as_tables(nR_S1, nR_S2, min_ratings=3, one=True)
    need_both_classes(s1, s2)
    counts = np.stack([s1, s2])[:, (s1 + s2) > 0]
    n_ratings = counts.shape[1]
    if n_ratings < 3:
        raise InputError(f"need at least three ratings in use, got {n_ratings}; use finer ratings")
    n = counts.sum(axis=1)
    total = float(n.sum())
    theta = _start(counts)
    value = _log_likelihood(theta, counts)
    for iteration in range(max_iterations + 1):
        probability, jacobian = _cells(theta)
        safe = np.maximum(probability, 1e-300)
        gradient = np.einsum("sl,slp->p", counts / safe, jacobian)
        information = np.einsum("s,slp,slq->pq", n, jacobian / safe[..., None], jacobian)
        gradient_norm = float(np.linalg.norm(gradient)) / total
        if gradient_norm < tolerance or iteration == max_iterations:
            break
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        scale = 1.0
        while scale > 1e-12:
            trial = theta + scale * step
            trial_value = _log_likelihood(trial, counts)
            if trial_value >= value - 1e-12 * abs(value):
                break
            scale *= 0.5
        else:
            break
        theta, value = trial, trial_value
    return _report(theta, value, information, counts, gradient_norm, gradient_norm < tolerance, iteration)


def _start(counts: FloatArray) -> FloatArray:
    """Criteria from the corrected S1 rates, then the least-squares line through the z-ROC."""
    padded = counts + 0.5
    cumulative = np.cumsum(padded, axis=1)[:, :-1] / padded.sum(axis=1, keepdims=True)
    t, u = ndtri(cumulative)
    spread = np.var(t)
    slope = float(np.cov(t, u, bias=True)[0, 1] / spread) if spread > 0 else 1.0
    slope = float(np.clip(slope, 0.2, 5.0))
    return np.concatenate([[slope * t.mean() - u.mean(), slope], t])


def _report(
    theta: FloatArray,
    value: float,
    information: FloatArray,
    counts: FloatArray,
    gradient_norm: float,
    converged: bool,
    iteration: int,
) -> ZROCFit:
    a, b = float(theta[0]), float(theta[1])
    d_a = float(d_a_from_line(a, b))
    covariance: FloatArray = np.asarray(np.linalg.pinv(information), dtype=np.float64)
    root = np.sqrt(2 / (1 + b**2))
    slope_of_d_a = np.array([root, -a * b * root / (1 + b**2)])
    var_d_a = float(slope_of_d_a @ covariance[:2, :2] @ slope_of_d_a)
    # d Phi(d_a / sqrt 2) / d d_a
    density = np.exp(-(d_a**2) / 4) / np.sqrt(2 * np.pi) / np.sqrt(2)
    saturated = float(xlogy(counts, counts / counts.sum(axis=1, keepdims=True)).sum())
    g2 = max(0.0, 2 * (saturated - value))
    df = counts.shape[1] - 3
    return ZROCFit(
        slope=b,
        intercept=a,
        d_a=d_a,
        a_z=float(ndtr(d_a / np.sqrt(2))),
        se_slope=float(np.sqrt(max(covariance[1, 1], 0.0))),
        se_intercept=float(np.sqrt(max(covariance[0, 0], 0.0))),
        se_d_a=float(np.sqrt(max(var_d_a, 0.0))),
        se_a_z=float(density * np.sqrt(max(var_d_a, 0.0))),
        criteria=theta[2:].copy(),
        covariance=covariance,
        log_likelihood=value,
        g2=g2,
        df=df,
        p_fit=float(chdtrc(df, g2)) if df > 0 else float("nan"),
        gradient_norm=gradient_norm,
        converged=bool(converged),
        n_iterations=iteration,
        n_ratings=counts.shape[1],
    )
