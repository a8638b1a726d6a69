"""The one likelihood of meta-d', its derivatives, and a batched damped Newton method, in JAX.

Model (Maniscalco & Lau 2012, 2014). Evidence is N(-meta_d1/2, 1) under S1 and N(meta_d1/2, 1/s) under
S2, the type-1 criterion sits at `meta_c1 = meta_d1 * ratio`, `ratio = c1/d1`, and given the response the
rating probabilities are the areas between type-2 criteria over the area of that response.

Coordinates. Each response is one *side*: evidence is measured from the type-1 criterion outwards, so that
both sides read alike and criteria are `0 < u_1 < ... < u_{K-1}`. For a stimulus with mean `a * meta_d1`
(relative to the criterion) and standard deviation sd, `z = (u - sign * a * meta_d1) / sd`.

Why Newton in u: every cell's log area is concave in its two borders, so for a given meta_d1 the problem in
u is concave, tridiagonal and separate for the two sides. All that can be indefinite is one number, the
curvature of the profile over meta_d1, and the step guards just that.

Layout: arrays end in the batch axis B; leading axes are stimulus (S1, S2), side (rS2, rS1), cell.
All areas of a side are scaled by one factor exp(max(z_0, 0)^2/2), which cancels from every ratio and keeps
far tails exact. Float64 is switched on by the caller (`_meta_d_batch`), never globally.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array
from jax.scipy.special import erfc

META_D_LIMIT = 10.0  # metadpy's bound on meta_d1
_TINY = 1e-100
_SPLIT = 25.0  # above this |z| the Mills ratio's asymptotic series is exact to 1e-16
_SIGN = (1.0, -1.0)  # right side (respond S2), left side (respond S1)


class Problem(NamedTuple):
    """Data of B tables: weights sum to one per table, so the objective is a mean per trial."""

    w: Array  # (2 stimuli, 2 sides, K, B) cell counts / trials used, innermost cell first
    active: Array  # (2 sides, K-1, B) criteria that exist (an unused rating removes one)
    a: Array  # (2 stimuli, B) mean of the evidence over meta_d1, from the criterion
    sd: Array  # (2 stimuli, B)


class Areas(NamedTuple):
    z: Array  # (2, 2, K+1, B) standardised borders; the last is infinity in effect
    phi: Array  # (2, 2, K+1, B) scaled density at the borders
    p: Array  # (2, 2, K, B) scaled area of each cell
    total: Array  # (2, 2, B) scaled area of the side


class Derivatives(NamedTuple):
    f: Array  # (B,) mean log-likelihood
    g_m: Array  # (B,) its slope in meta_d1
    g_u: Array  # (2, K-1, B) its slope in the criteria
    diag: Array  # (2, K-1, B) minus second derivative in each criterion
    off: Array  # (2, K-2, B) minus cross derivative of neighbouring criteria
    cross: Array  # (2, K-1, B) cross derivative of meta_d1 and each criterion
    h_m: Array  # (B,) second derivative in meta_d1


class Solution(NamedTuple):
    meta_d1: Array
    u: Array
    f: Array
    gradient_norm: Array
    curvature: Array
    iterations: Array
    done: Array
    at_limit: Array


State = tuple[Array, Solution, tuple[Array, Array, Array]]  # passes, best so far, step and its scale


def _mills(z: Array) -> Array:
    """Upper-tail area over density at z >= 0."""
    near = jnp.minimum(z, _SPLIT)
    small = 1.2533141373155003 * erfc(near * 0.7071067811865476) * jnp.exp(0.5 * near * near)
    far = jnp.maximum(z, _SPLIT)
    t = 1.0 / (far * far)
    series = jnp.ones_like(t)
    for k in range(15, 0, -2):
        series = 1.0 - k * t * series
    return jnp.where(z < _SPLIT, small, series / far)


def areas(meta_d1: Array, u: Array, q: Problem) -> Areas:
    """Areas of all cells under all stimuli, the type-1 criterion scaled with meta_d1."""
    return cell_areas(q.a * meta_d1, q.sd, u, q.active)


def cell_areas(mean: Array, sd: Array, u: Array, active: Array) -> Areas:
    """Areas of all cells under all stimuli, scaled alike within a stimulus and side.

    `mean` (2 stimuli, B) is that of the evidence, from the type-1 criterion: where this criterion lies is
    the caller's model. Maximum likelihood scales it with meta-d', the Bayesian model does not.
    """
    sign = jnp.array(_SIGN)[None, :, None, None]
    sd = sd[:, None, None, :]
    mean = sign * mean[:, None, None, :]
    z0 = -mean / sd
    beyond = 2.0 * jnp.abs(z0) + 100.0
    inner = jnp.where(active, (u[None] - mean) / sd, beyond)
    z = jnp.concatenate([z0, inner, beyond], axis=2)
    exponent = jnp.where(z0 > 0, 0.5 * (z0 - z) * (z0 + z), -0.5 * z * z)
    phi = 0.3989422804014327 * jnp.exp(exponent)
    tail = phi * _mills(jnp.abs(z))
    low, high = tail[:, :, :-1], tail[:, :, 1:]
    p = jnp.where(z[:, :, :-1] >= 0, low - high, jnp.where(z[:, :, 1:] <= 0, high - low, 1.0 - low - high))
    total = jnp.where(z[:, :, 0] >= 0, tail[:, :, 0], 1.0 - tail[:, :, 0])
    return Areas(z, phi, jnp.maximum(p, _TINY), jnp.maximum(total, _TINY))


def derivatives(meta_d1: Array, u: Array, q: Problem) -> Derivatives:
    """Mean log-likelihood per trial, the sum of w log(cell area / area of the response), and its derivatives.

    The Hessian is tridiagonal with a border.
    """
    r = areas(meta_d1, u, q)
    f = jnp.sum(q.w * (jnp.log(r.p) - jnp.log(r.total)[:, :, None]), axis=(0, 1, 2))
    lo, hi = r.phi[:, :, :-1] / r.p, r.phi[:, :, 1:] / r.p
    w_lo, w_hi = q.w * lo, q.w * hi
    z_lo, z_hi = r.z[:, :, :-1], r.z[:, :, 1:]
    hazard = r.phi[:, :, 0] / r.total
    weight = q.w.sum(axis=2)
    # by border z_0 ... z_{K-1}: slope, own curvature; `link` joins z_{i-1} and z_i
    h_lo, h_hi = w_lo * (z_lo - lo), -w_hi * (z_hi + hi)
    first_g = (weight * hazard - w_lo[:, :, 0])[:, :, None]
    first_h = (weight * hazard * (hazard - r.z[:, :, 0]) + h_lo[:, :, 0])[:, :, None]
    g_z = jnp.concatenate([first_g, w_hi[:, :, :-1] - w_lo[:, :, 1:]], axis=2)
    h_z = jnp.concatenate([first_h, h_hi[:, :, :-1] + h_lo[:, :, 1:]], axis=2)
    link = (w_lo * hi)[:, :, :-1]  # (2, 2, K-1, B)
    pad = jnp.zeros_like(link[:, :, :1])
    row = h_z + jnp.concatenate([pad, link], axis=2) + jnp.concatenate([link, pad], axis=2)
    # chain rule: dz/du = 1/sd, dz/dmeta_d1 = -sign a / sd
    inv = 1.0 / q.sd[:, None, None, :]
    v = jnp.array(_SIGN)[None, :, None] * (q.a / q.sd)[:, None, :]
    g_u = (g_z[:, :, 1:] * inv).sum(axis=0)
    diag = -(h_z[:, :, 1:] * inv**2).sum(axis=0)
    off = -(link[:, :, 1:] * inv**2).sum(axis=0)
    cross = -(row[:, :, 1:] * inv * v[:, :, None]).sum(axis=0)
    g_m = -(v * g_z.sum(axis=2)).sum(axis=(0, 1))
    h_m = (v**2 * row.sum(axis=2)).sum(axis=(0, 1))
    keep = q.active
    both = keep[:, 1:] & keep[:, :-1]
    return Derivatives(
        f,
        g_m,
        jnp.where(keep, g_u, 0.0),
        jnp.where(keep, diag, 1.0),
        jnp.where(both, off, 0.0),
        jnp.where(keep, cross, 0.0),
        h_m,
    )


def _tridiagonal(diag: Array, off: Array, rhs: tuple[Array, ...]) -> list[Array]:
    """Solve T x = r for symmetric positive tridiagonal T (axis 1 is the criterion), several r."""
    n = diag.shape[1]
    pivot = [diag[:, 0]]
    y = [[r[:, 0]] for r in rhs]
    for i in range(1, n):
        factor = off[:, i - 1] / pivot[-1]
        pivot.append(diag[:, i] - factor * off[:, i - 1])
        for r, steps in zip(rhs, y, strict=True):
            steps.append(r[:, i] - factor * steps[-1])
    out = []
    for steps in y:
        x = [steps[-1] / pivot[-1]]
        for i in range(n - 2, -1, -1):
            x.append((steps[i] - off[:, i] * x[-1]) / pivot[i])
        out.append(jnp.stack(x[::-1], axis=1))
    return out


def _gaps(u: Array) -> Array:
    return jnp.diff(u, axis=1, prepend=jnp.zeros_like(u[:, :1]))


def _direction(d: Derivatives, meta_d1: Array, q: Problem) -> tuple[Array, Array, Array, Array]:
    """Newton step; where the profile over meta_d1 curves upwards, a capped uphill step instead."""
    x_g, x_c = _tridiagonal(d.diag, d.off, (d.g_u, d.cross))
    slope = d.g_m + (d.cross * x_g).sum(axis=(0, 1))
    curvature = -(d.h_m + (d.cross * x_c).sum(axis=(0, 1)))
    reach = jnp.max(jnp.abs(q.a), axis=0)  # how far the criterion moves per unit of meta_d1
    cap = 0.5 / reach + 0.5 * jnp.abs(meta_d1)
    newton = slope / jnp.where(curvature > 0, curvature, 1.0)
    step = jnp.clip(jnp.where(curvature > 0, newton, jnp.sign(slope) * cap), -cap, cap)
    step = jnp.clip(meta_d1 + step, -META_D_LIMIT, META_D_LIMIT) - meta_d1
    at_limit = (jnp.abs(meta_d1) >= META_D_LIMIT) & (slope * meta_d1 > 0)
    return step, x_g + x_c * step, curvature, at_limit


@jax.jit
def maximise(meta_d1: Array, u: Array, q: Problem, tolerance: float, max_passes: int) -> Solution:
    """Maximise the likelihood of all tables from the given start.

    Each pass evaluates one trial point for every table: it becomes the new base with a new Newton step if
    the likelihood did not fall, else the step is cut to a quarter. A table is done once the gradient norm
    in unconstrained parameters is below `tolerance` with the profile curving down, or at the limit of
    meta_d1, or when no step helps any more.
    """
    zero = jnp.zeros_like(meta_d1)
    never = zero > 1.0
    start = (
        jnp.array(0),
        Solution(meta_d1, u, zero - jnp.inf, zero + jnp.inf, zero, jnp.zeros(zero.shape, int), never, never),
        (zero, jnp.zeros_like(u), zero + 1.0),
    )

    def unfinished(state: State) -> Array:
        return (state[0] < max_passes) & ~jnp.all(state[1].done)

    def one_pass(state: State) -> State:
        count, base, (step_m, step_u, scale) = state
        m, v = base.meta_d1 + scale * step_m, base.u + scale * step_u
        d = derivatives(m, v, q)
        better = (d.f >= base.f - 1e-13 * (1.0 + jnp.abs(base.f))) & ~base.done
        new_m, new_u, curvature, at_limit = _direction(d, m, q)
        # slopes in the unconstrained parameters log(u_k - u_{k-1})
        log_gap = jnp.where(q.active, _gaps(v) * jnp.cumsum(d.g_u[:, ::-1], axis=1)[:, ::-1], 0.0)
        inner = (log_gap**2).sum(axis=(0, 1))
        norm = jnp.sqrt(d.g_m**2 + inner)
        small = (norm < tolerance) & (curvature > 0)
        finished = jnp.where(at_limit, jnp.sqrt(inner) < tolerance, small)
        # a step may use up at most nine tenths of any gap between criteria
        shrink = _gaps(new_u)
        room = jnp.where((shrink < 0) & q.active, -0.9 * _gaps(v) / shrink, 1.0)
        new_scale = jnp.minimum(1.0, room.min(axis=(0, 1)))
        stalled = ~better & (scale < 1e-10)
        done = base.done | (better & finished) | stalled

        def pick(new: Array, old: Array) -> Array:
            return jnp.where(better, new, old)

        after = Solution(
            pick(m, base.meta_d1),
            pick(v, base.u),
            pick(d.f, base.f),
            pick(norm, base.gradient_norm),
            pick(curvature, base.curvature),
            base.iterations + ~base.done,
            done,
            pick(at_limit, base.at_limit),
        )
        steps = (pick(new_m, step_m), pick(new_u, step_u), pick(new_scale, 0.25 * scale))
        return count + 1, after, steps

    return jax.lax.while_loop(unfinished, one_pass, start)[1]
