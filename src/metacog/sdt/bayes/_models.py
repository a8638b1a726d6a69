"""The group's log posterior once every table is summed up by the marginal likelihood of its log M-ratio.

log M = mu_condition + tau b_subject + sigma e. Each table's L(l) is a cubic spline of its logarithm; e is
integrated out for each table and b for each subject, so that mu, sigma and tau are all that is
sampled, without a funnel. Both integrals are trapezoid sums over a range that holds the integrand, which
converge exponentially; as they do not depend on where exactly their nodes lie, nodes are not differentiated.

Arrays lead with the table (S) or subject (P), then the nodes of b, then those of l.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import logsumexp
from scipy.interpolate import CubicSpline

from metacog.sdt.bayes._marginal import DEPTH, WIDEST, Marginal
from metacog.sdt.checks import FloatArray

_FALL = 8.0  # of log L from its peak: where the peak's width is measured

_FINE = 16  # points between two nodes when peak and width are looked for

_NODES, _REACH = 33, 6.4  # of the sum over l, and sds to both sides of its centre

_NODES_UNDER_B, _REACH_UNDER_B = 23, 6.0  # the same where it is taken for each node of b

_Z_B, _STEP_B = np.linspace(-5.4, 5.4, 19, retstep=True)  # sds of b about its centre

_LOG_ROOT = 0.9189385332046727  # of 2 pi


class Tables(NamedTuple):
    """Marginal likelihoods of S tables: `precision` is 0 where log L does not fall on both sides."""

    coefficients: FloatArray  # (S, G-1, 4) of the splines, highest power first
    low: FloatArray  # (S,) first node
    step: FloatArray  # (S,)
    start: FloatArray  # (S,) below it and
    stop: FloatArray  # (S,) above it L is negligible
    centre: FloatArray  # (S,) peak
    precision: FloatArray  # (S,) of the widest normal curve about it
    condition: FloatArray  # (S,) index
    subject: FloatArray  # (S,) index


def tables(m: Marginal, condition: FloatArray, subject: FloatArray) -> Tables:
    """Splines through log L, and where their peaks lie; padded, see `pad`."""
    size, n = m.nodes.shape
    c = np.moveaxis(CubicSpline(np.arange(n), m.log_l.T).c, 2, 0).transpose(0, 2, 1)
    low, high, step = m.nodes[:, 0], m.nodes[:, -1], m.nodes[:, 1] - m.nodes[:, 0]
    none = np.zeros(size)
    t = Tables(c, low, step, none, none, none, none, condition, subject)
    points = np.linspace(low, high, _FINE * (n - 1) + 1, axis=1)
    log_l = np.asarray(log_marginal(t, jnp.asarray(points)))
    top = log_l.max(axis=1, keepdims=True)
    above = log_l >= top - _FALL
    first, last = above.argmax(axis=1), points.shape[1] - 1 - above[:, ::-1].argmax(axis=1)
    rows, centre = np.arange(size), points[np.arange(size), log_l.argmax(axis=1)]
    reach = np.maximum(centre - points[rows, first], points[rows, last] - centre) + step / _FINE
    closed = (first > 0) & (last < points.shape[1] - 1)
    precision = np.where(closed, 2.0 * _FALL / reach**2, 0.0)
    # where L levels off it goes on beyond the grid
    start = np.where(log_l[:, 0] < top[:, 0] - 0.8 * DEPTH, low, WIDEST[0] - 4.0)
    stop = np.where(log_l[:, -1] < top[:, 0] - 0.8 * DEPTH, high, WIDEST[1] + 4.0)
    t = t._replace(centre=centre, precision=precision, start=start, stop=stop)
    ends = {"step": pad(step, value=1.0), "start": pad(start, value=-1e9), "stop": pad(stop, value=1e9)}
    return Tables(*(pad(v) for v in t))._replace(**ends)


def pad(x: FloatArray, *, value: float = 0.0) -> FloatArray:
    """Fill the first axis up to a multiple of 8, so that groups of like size share one program.

    A table of zeros that ends nowhere has L = 1 for every log M: it adds nothing.
    """
    more = -len(x) % 8
    return np.concatenate([x, np.full((more, *x.shape[1:]), value, dtype=x.dtype)])


def log_marginal(t: Tables, log_m: Array) -> Array:
    """Splines of log L at `(S, ...)`; beyond their ends lines, in meta-d' on the left, in l on the right.

    L levels off as meta-d' goes to 0, and falls like 1/M where only a d' near 0 would fit. Where it still rises at the
    right end, as of ratings that never err, it levels off there: a line that rose would carry mu away with it.
    """
    wide = (slice(None),) + (None,) * (log_m.ndim - 1)
    at = (log_m - t.low[wide]) / t.step[wide]
    inside = jnp.clip(at, 0.0, t.coefficients.shape[1])
    i = jnp.minimum(jnp.floor(inside).astype(int), t.coefficients.shape[1] - 1)
    rows = jnp.arange(len(t.low))[wide]
    a, b, c, d = jnp.moveaxis(jnp.asarray(t.coefficients)[rows, i], -1, 0)
    r = inside - i
    slope = (3.0 * a * r + 2.0 * b) * r + c
    left = jnp.expm1(jnp.minimum(at, 0.0) * t.step[wide]) / t.step[wide]
    right = jnp.minimum(slope, 0.0) * jnp.maximum(at - inside, 0.0)
    return ((a * r + b) * r + c) * r + d + slope * left + right


def log_evidence(t: Tables, mean: Array, sigma: Array) -> Array:
    """log of the integral of L(l) N(l; mean, sigma) over l, for means `(S, Q)`."""
    n, reach = (_NODES, _REACH) if mean.shape[1] == 1 else (_NODES_UNDER_B, _REACH_UNDER_B)
    low, high = jax.lax.stop_gradient(_span(t, mean, sigma, reach))
    at = low[..., None] + (high - low)[..., None] * np.linspace(0.0, 1.0, n)
    log_l = jax.lax.stop_gradient(log_marginal(t, at))
    inside = log_l - 0.5 * ((at - mean[..., None]) / sigma) ** 2
    step = (high - low) / (n - 1)
    return logsumexp(inside, axis=-1) + jnp.log(step) - jnp.log(sigma) - _LOG_ROOT


def _span(t: Tables, mean: Array, sigma: Array, sds: float = _REACH) -> tuple[Array, Array]:
    """Ends of the range outside which L(l) N(l; mean, sigma) is negligible, for means `(S, Q)`.

    About the normal approximation where L falls on both sides, else about the normal prior, cut where L ends.
    """
    precision = t.precision[:, None]
    total = 1.0 / sigma**2 + precision
    centre, reach = (mean / sigma**2 + precision * t.centre[:, None]) / total, sds * total**-0.5
    low, high = centre - reach, centre + reach
    start, stop = jnp.asarray(t.start)[:, None], jnp.asarray(t.stop)[:, None]
    cut = (precision == 0) & (stop - low > 0.3 * reach) & (high - start > 0.3 * reach)
    return jnp.where(cut, jnp.maximum(low, start), low), jnp.where(cut, jnp.minimum(high, stop), high)


def _about_b(mu: Array, sigma: Array, tau: Array, t: Tables, n_subjects: int) -> tuple[Array, Array]:
    """Centre and sd of the normal approximation of each subject's integrand over b, `(P,)`."""
    known = t.precision / (1.0 + sigma**2 * t.precision)
    add = partial(jax.ops.segment_sum, segment_ids=jnp.asarray(t.subject), num_segments=n_subjects)
    total = 1.0 + add(tau**2 * known)
    return add(tau * known * (t.centre - mu[jnp.asarray(t.condition)])) / total, total**-0.5


def _log_subject(b: Array, mu: Array, sigma: Array, tau: Array, t: Tables) -> Array:
    """log of N(b; 0, 1) times the evidence of the subject's tables at b `(P, nodes)`."""
    mean = mu[jnp.asarray(t.condition)][:, None] + tau * b[jnp.asarray(t.subject)]
    each = jax.ops.segment_sum(log_evidence(t, mean, sigma), jnp.asarray(t.subject), num_segments=len(b))
    return each - 0.5 * b**2 - _LOG_ROOT


def spread(x: Array) -> Array:
    """Standard deviation of a coordinate on the whole line: log(1 + e^x)."""
    return jax.nn.softplus(x)


def log_group_posterior(x: dict[str, Array], data: tuple[Tables, Array]) -> Array:
    """Of mu `(C,)` and the coordinates of sigma `(1,)` and tau, `(1,)` or, without repeated measures, `(0,)`.

    mu ~ N(0, 1); sigma, tau ~ half-N(1). Their coordinates are those of `spread`: no wall for the sampler
    to run into, as the logarithm has. `data` is the tables and an array as long as there are subjects.
    """
    t, people = data
    sigma, tau = spread(x["sigma"]), spread(x["tau"])
    prior = -0.5 * ((x["mu"] ** 2).sum() + (sigma**2).sum() + (tau**2).sum())
    prior += jax.nn.log_sigmoid(x["sigma"]).sum() + jax.nn.log_sigmoid(x["tau"]).sum()
    if not tau.size:
        return prior + log_evidence(t, x["mu"][jnp.asarray(t.condition)][:, None], sigma[0]).sum()
    centre, sd = jax.lax.stop_gradient(_about_b(x["mu"], sigma[0], tau[0], t, len(people)))
    inside = _log_subject(centre[:, None] + sd[:, None] * _Z_B, x["mu"], sigma[0], tau[0], t)
    return prior + (logsumexp(inside, axis=-1) + jnp.log(sd * _STEP_B)).sum()


def _conditional(t: Tables, mean: Array, sigma: Array) -> tuple[Array, Array]:
    """Points `(S, n)` that span L(l) N(l; mean, sigma) of each table, and its log density there."""
    low, high = _span(t, mean[:, None], sigma)
    coarse = low + (high - low) * np.linspace(0.0, 1.0, _NODES)
    p = log_marginal(t, coarse) - 0.5 * ((coarse - mean[:, None]) / sigma) ** 2
    p = jnp.exp(p - p.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    centre = (p * coarse).sum(axis=1, keepdims=True)
    sd = jnp.sqrt((p * (coarse - centre) ** 2).sum(axis=1, keepdims=True))
    points = centre + sd * np.linspace(-8.0, 8.0, 129)
    return points, log_marginal(t, points) - 0.5 * ((points - mean[:, None]) / sigma) ** 2


def _invert(nodes: Array, log_p: Array, uniform: Array) -> Array:
    """One draw for each row of nodes `(R, n)` with log densities, by the inverse distribution function."""
    p = jnp.exp(log_p - log_p.max(axis=1, keepdims=True))
    below = jnp.cumsum(0.5 * (p[:, 1:] + p[:, :-1]) * jnp.diff(nodes, axis=1), axis=1)
    below = jnp.concatenate([jnp.zeros_like(below[:, :1]), below], axis=1) / below[:, -1:]
    return jax.vmap(jnp.interp)(uniform, below, nodes)


@jax.jit
def draw_log_m(x: dict[str, Array], uniforms: tuple[Array, Array], data: tuple[Tables, Array]) -> Array:
    """log M-ratio of every table, `(N, S)`, given N draws of the group's parameters.

    `uniforms` are numbers in (0, 1): `(N, P)` for the subjects' b, `(N, S)` for the tables.
    """
    t, people = data

    def one(args: tuple[dict[str, Array], tuple[Array, Array]]) -> Array:
        x, (for_b, for_e) = args
        sigma = spread(x["sigma"][0])
        mean = x["mu"][jnp.asarray(t.condition)]
        if x["tau"].size:
            tau = spread(x["tau"][0])
            centre, sd = _about_b(x["mu"], sigma, tau, t, len(people))
            b = centre[:, None] + sd[:, None] * _Z_B
            mean += tau * _invert(b, _log_subject(b, x["mu"], sigma, tau, t), for_b)[jnp.asarray(t.subject)]
        return _invert(*_conditional(t, mean, sigma), for_e)

    return jax.lax.map(one, (x, uniforms), batch_size=32)
