"""Log posteriors of HMeta-d for one table and for a group, and the sampler of both.

The log posterior of the single-subject model of HMeta-d (Fleming 2017), with d' estimated jointly.

Type 1: hits and false alarms are binomial with Phi(d1/2 - c1) and Phi(-d1/2 - c1). Type 2: given stimulus
and response, ratings are multinomial with the areas of N(-meta_d/2, 1) and N(meta_d/2, 1) between the
criteria; the type-1 criterion enters as it is, not scaled by meta_d/d1 as in the maximum-likelihood model.
The areas come from the same function as that model's (`_meta_d_kernel.cell_areas`).

Layout as in the kernel: arrays end in the batch axis B; before it come stimulus (S1, S2), side (respond
S2, respond S1) and cell, innermost first.

Marginal likelihood of log M-ratio of single tables, by importance sampling about the conditional mode.

Given its log M-ratio l, a table's other coordinates x = (d1, c1, log gaps) are independent of the group and
their density is single-peaked and near normal. So L(l), the integral of prior and likelihood over x, is
computed once for each table on a grid of l: the mode and curvature by damped Newton steps (Laplace), then
the ratio to that normal is averaged over draws from a multivariate t about it, the same draws at every l,
so that L is smooth. What is left of the group is a model of one number per table.

The group's log posterior once every table is summed up by the marginal likelihood of its log M-ratio.

log M = mu_condition + tau b_subject + sigma e. Each table's L(l) is a cubic spline of its logarithm; e is
integrated out for each table and b for each subject, so that mu, sigma and tau are all that is
sampled, without a funnel. Both integrals are trapezoid sums over a range that holds the integrand, which
converge exponentially; as they do not depend on where exactly their nodes lie, nodes are not differentiated.

Arrays lead with the table (S) or subject (P), then the nodes of b, then those of l.

NumPyro's no-U-turn sampler over many posteriors at once: one program for all tables and chains.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jax.scipy.special import erfc, logsumexp
from scipy.interpolate import CubicSpline
from scipy.special import gammaln, ndtri
from scipy.stats import chi2, qmc

from metacog.sdt._meta_d_kernel import cell_areas
from metacog.sdt.checks import FloatArray, InputError

Dense = (
    bool | tuple[tuple[str, ...], ...]
)  # a full mass matrix, or one for each of these blocks of parameters
LogDensity = Callable[[Any, Any], Array]  # (unconstrained position, data) -> log density, a scalar


class Chains(NamedTuple):
    """Draws of all problems; leading axes are problem, chain, draw."""

    position: Any
    diverging: Array
    steps: Array  # gradient evaluations of each draw


@lru_cache(maxsize=32)
def sampler(
    log_density: LogDensity, n_warmup: int, n_draws: int, dense: Dense, target: float
) -> Callable[[Array, Any, Any], Chains]:
    """One compiled function of keys (B, chains), data (B, ...) and starts (B, chains, ...).

    It is kept: problems of one shape are compiled once. Chains are independent of one another and each
    adapts its own step size and mass matrix.
    """
    from numpyro.infer import NUTS

    blocks = dense if isinstance(dense, bool) else list(dense)

    def one_chain(key: Array, data: Any, start: Any) -> Chains:
        kernel = NUTS(
            potential_fn=lambda x: -log_density(x, data), dense_mass=blocks, target_accept_prob=target
        )
        state = kernel.init(key, n_warmup, start, (), {})

        def step(state: Any, _: None) -> tuple[Any, Chains]:
            state = kernel.sample(state, (), {})  # adapts during its first n_warmup calls
            return state, Chains(state.z, state.diverging, state.num_steps)

        out = jax.lax.scan(step, state, None, length=n_warmup + n_draws)[1]
        return jax.tree.map(lambda x: x[n_warmup:], out)

    def all_chains(key: Array, data: Any, start: Any) -> Chains:
        # one flat axis: each further one would make JAX trace the sampler's nested loops several times over
        size, n_chains = key.shape[:2]
        data = jax.tree.map(lambda x: jnp.repeat(jnp.asarray(x), n_chains, axis=0), data)
        flat = jax.tree.map(lambda x: x.reshape(size * n_chains, *x.shape[2:]), (key, start))
        out = jax.vmap(one_chain)(flat[0], data, flat[1])
        return jax.tree.map(lambda x: x.reshape(size, n_chains, *x.shape[1:]), out)

    return jax.jit(all_chains)


def keys(seed: int, n_problems: int, n_chains: int) -> Array:
    """One random key for each problem and chain; a problem's keys do not depend on how many there are."""
    base = jax.random.PRNGKey(seed)
    fold = jax.vmap(jax.random.fold_in, in_axes=(None, 0))
    return jax.vmap(lambda key: fold(key, jnp.arange(n_chains)))(fold(base, jnp.arange(n_problems)))


FLOOR = 1e-5  # of a cell's probability, and the least distance of a criterion from the type-1 criterion
_ROOT2 = 2.0**0.5


class Parameters(NamedTuple):
    """Unconstrained coordinates of B tables."""

    d1: Array  # (B,)
    c1: Array  # (B,)
    meta_d: Array  # (B,)
    log_gaps: Array  # (2 sides, K-1, B) logarithms of the distances between neighbouring criteria


def _log_phi(z: Array) -> Array:
    """Logarithm of the normal distribution function; exact above z = -37, where its area ends in float64."""
    return jnp.log(jnp.maximum(0.5 * erfc(-z / _ROOT2), 1e-300))


def distances(log_gaps: Array) -> Array:
    """Criteria as distances from the type-1 criterion outwards, `(2, K-1, B)`."""
    return FLOOR + jnp.cumsum(jnp.exp(log_gaps), axis=1)


def cell_probabilities(c1: Array, meta_d: Array, u: Array) -> Array:
    """P(rating | stimulus, response), `(2, 2, K, B)`, floored at 1e-5 and scaled to sum to one."""
    mean = jnp.stack([-0.5 * meta_d - c1, 0.5 * meta_d - c1])
    r = cell_areas(mean, jnp.ones_like(mean), u, jnp.ones(u.shape, dtype=bool))
    p = jnp.maximum(r.p / r.total[:, :, None], FLOOR)
    return p / p.sum(axis=2, keepdims=True)


def log_likelihood(d1: Array, c1: Array, meta_d: Array, u: Array, counts: Array) -> Array:
    """Type-1 and type-2 log-likelihood of each table, `(B,)`, without the constant of the counts."""
    n = counts.sum(axis=2)  # (stimulus, side, B)
    hits = n[1, 0] * _log_phi(0.5 * d1 - c1) + n[1, 1] * _log_phi(c1 - 0.5 * d1)
    false_alarms = n[0, 0] * _log_phi(-0.5 * d1 - c1) + n[0, 1] * _log_phi(0.5 * d1 + c1)
    ratings = (counts * jnp.log(cell_probabilities(c1, meta_d, u))).sum(axis=(0, 1, 2))
    return hits + false_alarms + ratings


def log_prior_type1(d1: Array, c1: Array) -> Array:
    """d1 ~ N(0, precision 0.5), c1 ~ N(0, precision 2)."""
    return -0.25 * d1**2 - c1**2


def log_prior_criteria(c1: Array, log_gaps: Array) -> Array:
    """Ordered criteria, each N(0, precision 2) truncated at c1 -/+ 1e-5; with the Jacobian of `log_gaps`."""
    u = distances(log_gaps)
    spread = ((c1 + u[0]) ** 2 + (c1 - u[1]) ** 2).sum(axis=0)
    mass = _log_phi(-_ROOT2 * (c1 + FLOOR)) + _log_phi(_ROOT2 * (c1 - FLOOR))
    return -spread - u.shape[1] * mass + log_gaps.sum(axis=(0, 1))


def log_posterior(x: Parameters, counts: Array) -> Array:
    """Log posterior density of each table in the coordinates of `Parameters`, up to a constant, `(B,)`."""
    prior = log_prior_type1(x.d1, x.c1) - 0.25 * (x.meta_d - x.d1) ** 2
    prior = prior + log_prior_criteria(x.c1, x.log_gaps)
    return prior + log_likelihood(x.d1, x.c1, x.meta_d, distances(x.log_gaps), counts)


def table_log_posterior(position: dict[str, Array], counts: Array) -> Array:
    """`log_posterior` of one table: a position without the batch axis and counts `(2, 2, K)`."""
    x = Parameters(*(position[name][..., None] for name in Parameters._fields))
    return log_posterior(x, counts[..., None])[0]


NODES = 33  # of the grid of l
WIDEST = (-5.0, 3.0)  # log M-ratio: from 0.007 to 20
DEPTH = 30.0  # the grid ends where log L has fallen by this
DRAWS = 512  # of the importance sample at each node
DEGREES = 8.0  # of freedom of the t distribution
_CHUNK = 8  # tables handled at once, so that groups of any size share one compiled program
_PASSES = 4
_STEPS = 60  # of Newton's method, at most
_GAIN = 1e-9  # of log density that a step must still promise


class Marginal(NamedTuple):
    """Of S tables at G nodes with N importance draws each."""

    nodes: FloatArray  # (S, G) log M-ratio, evenly spaced for each table
    log_l: FloatArray  # (S, G) log marginal likelihood
    laplace: FloatArray  # (S, G) its Laplace approximation
    efficiency: FloatArray  # (S, G) effective importance draws over N
    d_prime: FloatArray  # (S, G, N) draws of d1
    weight: FloatArray  # (S, G, N) their weights, which sum to one


def log_joint(x: Array, log_m: Array, counts: Array) -> Array:
    """Log density of one table's coordinates x, `(2 + 2(K-1),)`, and its counts, given log M-ratio."""
    d1, c1, gaps = x[0], x[1], x[2:].reshape(2, -1)
    one = lambda v: v[..., None]  # noqa: E731  (the model's batch axis)
    u = distances(one(gaps))
    prior = log_prior_type1(one(d1), one(c1)) + log_prior_criteria(one(c1), one(gaps))
    meta_d = one(jnp.exp(log_m) * d1)
    return (prior + log_likelihood(one(d1), one(c1), meta_d, u, one(counts)))[0]


def _derivatives(x: Array, log_m: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Value, gradient and minus the Hessian of `log_joint`, in one sweep: the program stays small."""

    def pushed(v: Array) -> Any:
        both = jax.value_and_grad(log_joint)
        return jax.jvp(lambda y: both(y, log_m, counts), (x,), (v,))

    (f, g), (_, h) = jax.vmap(pushed, out_axes=((None, None), (0, 0)))(jnp.eye(len(x)))
    return f, g, -0.5 * (h + h.T)


def _climb(x: Array, log_m: Array, counts: Array) -> tuple[Array, Array, Array]:
    """Mode of `log_joint` over x, the log density and minus the Hessian there, by damped Newton steps.

    Each pass evaluates a trial point: it becomes the base of a new step if the density did not fall, else
    the step is cut and the Hessian damped (Levenberg).
    """

    def unfinished(state: Any) -> Array:
        return (state[0] < _STEPS) & ~state[-1]

    def one_pass(state: Any) -> Any:
        i, x, move, f, g, h, damping, definite, _ = state
        trial = _derivatives(x + move, log_m, counts)
        better = (trial[0] >= f) & definite
        x = jnp.where(better, x + move, x)
        f, g, h = (jnp.where(better, new, old) for new, old in zip(trial, (f, g, h), strict=True))
        damping = jnp.where(better, jnp.where(damping > 1e-4, 0.03 * damping, 0.0), 8.0 * damping + 1e-3)
        root = jnp.linalg.cholesky(h + damping * jnp.diag(1.0 + jnp.abs(jnp.diag(h))))
        definite = jnp.isfinite(root[-1, -1])
        move = jnp.where(definite, jax.scipy.linalg.cho_solve((root, True), g), 0.0)
        done = (definite & (g @ move < _GAIN) & (damping < 1e-2)) | (damping > 1e6)
        return i + 1, x, move, f, g, h, damping, definite, done

    # `- inf`: the start is the first trial
    yes, no, zero = jnp.array(True), jnp.array(False), 0.0 * x
    start = (0, x, zero, jnp.array(-jnp.inf), zero, jnp.eye(len(x)), jnp.array(0.0), yes, no)
    _, x, _, f, _, h, _, _, _ = jax.lax.while_loop(unfinished, one_pass, start)
    return x, f, h


@jax.jit
def _modes(x: Array, log_m: Array, counts: Array) -> tuple[Array, ...]:
    """Modes `(T, G, D)`, inverse roots of the curvature there and Laplace's log L of T tables.

    From a start x `(T, D)` for the middle node outwards: each node starts from its neighbour's mode.
    """

    def step(x: Array, log_m: Array, counts: Array) -> tuple[Array, tuple[Array, Array, Array]]:
        x, f, h = _climb(x, log_m, counts)
        root = jnp.linalg.cholesky(h)
        unit = jax.scipy.linalg.solve_triangular(root, jnp.eye(len(x)), lower=True).T
        laplace = f + 0.5 * len(x) * jnp.log(2 * jnp.pi) - jnp.log(jnp.diag(root)).sum()
        return x, (x, unit, laplace)

    def table(x: Array, log_m: Array, counts: Array) -> tuple[Array, ...]:
        half = NODES // 2
        ways = jnp.stack([log_m[half::-1], log_m[half:]])
        both = jax.vmap(lambda way: jax.lax.scan(lambda x, at: step(x, at, counts), x, way)[1])(ways)
        return tuple(jnp.concatenate([v[0, :0:-1], v[1]]) for v in both)

    return jax.vmap(table)(x, log_m, counts)


@jax.jit
def _average(x: Array, unit: Array, log_m: Array, counts: Array, z: Array, log_q: Array) -> Any:
    """log L, efficiency, draws of d1 and their weights from standard draws z `(N, D)` of density log_q."""

    def one(x: Array, unit: Array, log_m: Array, counts: Array) -> Any:
        at = x + z @ unit.T
        log_w = jax.vmap(log_joint, (0, None, None))(at, log_m, counts) - log_q
        top = log_w.max()
        w = jnp.exp(log_w - top)
        log_l = top + jnp.log(w.mean()) + jnp.log(jnp.diag(unit)).sum()
        return log_l, w.sum() ** 2 / (w**2).sum() / len(w), at[:, 0], w / w.sum()

    return jax.vmap(jax.vmap(one, (0, 0, 0, None)))(x, unit, log_m, counts)


@lru_cache(maxsize=8)
def _standard_draws(dimension: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """Quasi-random draws of the t distribution `(DRAWS, dimension)` and their log densities."""
    p = qmc.Sobol(dimension + 1, rng=np.random.default_rng(seed)).random(DRAWS)
    p = np.clip(p, 1e-12, 1 - 1e-12)
    z = ndtri(p[:, 1:]) * np.sqrt(DEGREES / chi2.ppf(p[:, :1], DEGREES))
    half = 0.5 * (DEGREES + dimension)
    log_q = gammaln(half) - gammaln(0.5 * DEGREES) - 0.5 * dimension * np.log(np.pi * DEGREES)
    return z, log_q - half * np.log1p((z**2).sum(axis=1) / DEGREES)


def marginal(counts: FloatArray, start: FloatArray, seed: int) -> Marginal:
    """L(l) of tables `(S, 2, 2, K)` from starts of x `(S, D)`; float64 is switched on by the caller.

    Raises
    ------
    InputError
        A table whose likelihood has no peak to be found.
    """
    parts = []
    for first in range(0, len(counts), _CHUNK):
        rows = np.minimum(np.arange(first, first + _CHUNK), len(counts) - 1)  # the last table fills up
        part = _chunk(counts[rows], start[rows], seed)
        parts.append([v[: len(counts) - first] for v in part])
    out = Marginal(*(np.concatenate(v) for v in zip(*parts, strict=True)))
    bad = np.flatnonzero(~np.isfinite(out.log_l).all(axis=1))
    if bad.size:
        raise InputError(f"Table {bad[0]}: its likelihood has no peak; leave the table out, or fit it alone.")
    return out


def _chunk(counts: FloatArray, x: FloatArray, seed: int) -> Marginal:
    low, high = (np.full(len(counts), end) for end in WIDEST)
    rows = np.arange(len(counts))
    for _ in range(_PASSES):
        nodes = low[:, None] + (high - low)[:, None] * np.linspace(0.0, 1.0, NODES)
        modes, unit, laplace = _modes(x, nodes, counts)
        laplace = np.asarray(laplace)
        inside = laplace > np.nanmax(laplace, axis=1, keepdims=True) - DEPTH
        first = np.maximum(inside.argmax(axis=1) - 1, 0)
        last = np.minimum(NODES - inside[:, ::-1].argmax(axis=1), NODES - 1)
        if (last - first >= NODES // 2).all():
            break
        narrow = last - first < NODES // 2
        low, high = np.where(narrow, nodes[rows, first], low), np.where(narrow, nodes[rows, last], high)
        middle = np.where(narrow, (first + last) // 2, NODES // 2)
        x = np.asarray(modes)[rows, middle]  # near the next middle's mode
    z, log_q = _standard_draws(x.shape[-1], seed)
    rest = _average(modes, unit, nodes, counts, z, log_q)
    log_l, efficiency, d_prime, weight = (np.asarray(v) for v in rest)
    return Marginal(nodes, log_l, laplace, efficiency, d_prime, weight)


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
