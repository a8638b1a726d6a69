"""DMC: decoupling metacognition from cognition (Wang et al. 2025), trials or counts in, MC = d*/d^ out.

A two-choice question is answered A or B with a confidence that is cut into K ratings. The *counts matrix*
has four rows: TA (answered A, right), FA (A, wrong), TB (B, right) and FB (B, wrong). Cognitive ability is
type-1 sensitivity, d^ = z(TB rate) - z(FB rate). For metacognitive ability each row is divided by its sum;
d* is the distance of two unit normals whose areas between 2 (K - 1) ordered confidence axes, given the
response, lie nearest to these rows in squared Frobenius distance. The type-1 criterion c0 stays where it
was. MC = d*/d^.

Three things that the equations imply:

* Rows are divided by their own sums (equation 19), so the row sums that weight equation 21, the accuracy at a
  rating, are all 1 and base rates cancel from it.
* With normals of equal variance, ordered axes and d* > 0 the ratio of right to wrong answers rises with the
  rating on either side (the likelihood ratio is monotone), with base rates or without. So the constraint
  that accuracy strictly rises holds by itself, and d* > 0 is all that is left of it: ``constraint_met``.
* The paper prints "arg max L" for a loss, which is minimised here.

Compared with maximum likelihood (:func:`~.meta_d.fit_meta_d`) two things differ: DMC holds the criterion c0 where
maximum likelihood holds c0/d^, and DMC lets each row count alike where maximum likelihood lets each trial.
With wrong answers few, half of DMC's loss rests on them.

A multiple-choice question makes several two-choice trials (each wrong option, both orders), which share
what the model knows of it. So intervals resample base questions, never trials. Edges of the ratings are
those of the observed confidences and stay where they are in every resample.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import ndtri

from metacog.core.errors import MetacogError
from metacog.sdt import _dmc_solve as engine
from metacog.sdt.binning import Edges, equal_width_edges, rate
from metacog.sdt.checks import FloatArray, InputError, as_correct, check_batch, check_counts, cluster_index


def counts_matrix(nR_S1: ArrayLike, nR_S2: ArrayLike) -> FloatArray:
    """Rows TA, FA, TB, FB by rating, lowest first, ``(..., 4, K)``, of tables ``(..., 2K)``.

    Tables are in the order of Maniscalco & Lau; A is S1.
    """
    s1, s2 = np.asarray(nR_S1, dtype=np.float64), np.asarray(nR_S2, dtype=np.float64)
    if s1.shape != s2.shape or s1.ndim == 0 or s1.shape[-1] % 2:
        raise InputError(f"both tables need one shape (..., 2K); got {s1.shape} and {s2.shape}.")
    k = s1.shape[-1] // 2
    rows = (s1[..., k - 1 :: -1], s2[..., k - 1 :: -1], s2[..., k:], s1[..., k:])
    return np.stack(rows, axis=-2)


def tables_of_matrix(matrix: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Undo :func:`counts_matrix`: ``(..., 4, K)`` to nR_S1 and nR_S2, ``(..., 2K)``."""
    m = np.asarray(matrix, dtype=np.float64)
    if m.ndim < 2 or m.shape[-2] != 4:
        raise InputError(f"a counts matrix has the rows TA, FA, TB, FB; got shape {m.shape}.")
    ta, fa, tb, fb = np.moveaxis(m, -2, 0)
    return np.concatenate([ta[..., ::-1], fb], axis=-1), np.concatenate([fa[..., ::-1], tb], axis=-1)


def places(c0: FloatArray, d_hat: FloatArray, variant: str) -> tuple[FloatArray, FloatArray]:
    """Where tails begin, ``a0 = alpha d + beta``: shapes ``(B, 2 sides, 2 kinds)``; side B, right first."""
    offset = np.array([0.5, -0.5])[None, None, :] + np.zeros((len(c0), 2, 1))
    side = np.array([1.0, -1.0])[None, :, None]
    if variant == "released":
        return offset - side * (c0 / d_hat)[:, None, None], np.zeros_like(offset)
    return offset, -side * c0[:, None, None] + np.zeros_like(offset)


#: ``paper``: the equations as printed. ``released``: as the authors' code is described: the loss on
#: cumulative type-2 rates, c0 moving in proportion to d, and d at most d^, so that MC is at most 1.
VARIANTS = ("paper", "released")
#: Where d* stopped, if not inside: MC at its bounds says little more than which side it fell off.
ZERO, ABILITY, LIMIT, UNDEFINED = "0", "d^", "d* limit", "undefined"
LARGEST_D = 10.0
_SMALLEST_D = 1e-10
_CONVERGED = 1e-7  # of the gradient: losses then lie within about 1e-12 of their minimum


@dataclass(frozen=True, eq=False)
class DMCFit:
    """One fit.

    Attributes
    ----------
    d_hat, c0 : float
        Cognitive ability and type-1 criterion, of the padded counts.
    d_star, mc : float
        Metacognitive ability, and d*/d^.
    axes_A, axes_B : arrays, shape ``(K-1,)``
        Confidence axes, increasing; below and above the criterion.
    loss : float
        Squared Frobenius distance (``released``: of cumulative rates).
    constraint_met : bool
        The fitted accuracy strictly rises with the rating, for both answers: d* is above 0.
    boundary : str
        Empty inside; "0" where no positive d* fits better than none, "d^" (``released`` alone), "d* limit"
        at 10, "undefined" where d^ is.
    converged : bool
    gradient_norm : float
        Of half the loss, in the free parameters.
    iterations, zero_cells : int
        Cells that held no trial before padding.
    n_trials : float
    pad : float
    variant : str
    """

    d_hat: float
    c0: float
    d_star: float
    mc: float
    axes_A: FloatArray
    axes_B: FloatArray
    loss: float
    constraint_met: bool
    boundary: str
    converged: bool
    gradient_norm: float
    iterations: int
    zero_cells: int
    n_trials: float
    pad: float
    variant: str


@dataclass(frozen=True, eq=False)
class DMCBatch:
    """Many fits: the fields of :class:`DMCFit` as arrays ``(B,)``, axes ``(B, K-1)``.

    NaN where a table's d^ is 0 or infinite; ``boundary`` is then "undefined" and ``converged`` False.
    """

    d_hat: FloatArray
    c0: FloatArray
    d_star: FloatArray
    mc: FloatArray
    axes_A: FloatArray
    axes_B: FloatArray
    loss: FloatArray
    constraint_met: NDArray[np.bool_]
    boundary: NDArray[np.str_]
    converged: NDArray[np.bool_]
    gradient_norm: FloatArray
    iterations: NDArray[np.int64]
    zero_cells: NDArray[np.int64]
    n_trials: FloatArray
    pad: float
    variant: str

    def __len__(self) -> int:
        return len(self.d_hat)

    def __getitem__(self, row: int) -> DMCFit:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        of_row = {k: v[row] if isinstance(v, np.ndarray) else v for k, v in values.items()}
        return DMCFit(**{k: v.item() if isinstance(v, np.generic) else v for k, v in of_row.items()})

    def __iter__(self) -> Iterator[DMCFit]:
        return (self[i] for i in range(len(self)))


def fit_dmc(
    nR_S1: ArrayLike, nR_S2: ArrayLike, *, pad: float | None = None, variant: str = "paper"
) -> DMCFit:
    """Fit DMC to one table: d^, d* and MC = d*/d^ (Wang et al. 2025, step 2).

    Parameters
    ----------
    nR_S1, nR_S2 : array_like, shape ``(2K,)``, K >= 2
        Counts of truth A and of truth B: surest "A" ... surest "B", as for
        :func:`fit_meta_d`. A counts matrix becomes these by `tables_of_matrix`.
    pad : float, optional
        Added to every cell, 1/(2K) as in the paper without it.
    variant : {'paper', 'released'}
        ``paper``: the equations as printed; ``released``: as the authors' code is described (`VARIANTS`).

    Returns
    -------
    DMCFit

    Raises
    ------
    InputError
        Bad counts; a d^ that is 0 or infinite; a row of the matrix without any weight.

    Examples
    --------
    >>> from metacog.sdt import fit_dmc
    >>> nR_S1 = [36, 24, 17, 20, 10, 12, 9, 2]  # surest "S1" ... surest "S2"
    >>> nR_S2 = [1, 4, 10, 11, 19, 18, 28, 39]
    >>> fit = fit_dmc(nR_S1, nR_S2)
    >>> print(f"d^ {fit.d_hat:.2f}, d* {fit.d_star:.2f}, MC {fit.mc:.2f}")
    d^ 1.49, d* 1.52, MC 1.02
    """
    a, b = check_counts(nR_S1, nR_S2, min_ratings=2)
    return fit_dmc_batch(a[None], b[None], pad=pad, variant=variant, undefined="raise")[0]


def fit_dmc_batch(
    nR_S1: ArrayLike,
    nR_S2: ArrayLike,
    *,
    pad: float | None = None,
    variant: str = "paper",
    undefined: str = "flag",
) -> DMCBatch:
    """Fit DMC to many tables ``(B, 2K)`` at once; see :func:`fit_dmc`.

    ``undefined``: tables without a d^, or with an empty row, are NaN ("flag"), or an error names the first
    ("raise").
    """
    if variant not in VARIANTS:
        raise InputError(f"no variant {variant!r}; use one of: {', '.join(VARIANTS)}.")
    if undefined not in ("flag", "raise"):
        raise InputError(f'undefined must be "flag" or "raise", not {undefined!r}.')
    a, b = check_batch(nR_S1, nR_S2, min_ratings=2)
    k = a.shape[1] // 2
    added = 1.0 / (2 * k) if pad is None else float(pad)
    if not (np.isfinite(added) and added >= 0):
        raise InputError(f"pad must be a number of at least 0, got {pad}.")
    matrix = counts_matrix(a + added, b + added)
    d_hat, c0 = cognitive_ability(matrix)
    good = np.isfinite(d_hat) & (np.abs(d_hat) > _SMALLEST_D)
    if undefined == "raise" and not good.all():
        row = int(np.argmin(good))
        raise InputError(
            f"Table {row}: d^ is 0 or infinite, or an answer was never right or never wrong; pad the table."
        )
    # below chance there is no room between 0 and d^: d* is then held at 0
    top = np.clip(d_hat, 0.0, LARGEST_D) if variant == "released" else np.full_like(d_hat, LARGEST_D)
    fit = _fits(matrix, d_hat, c0, top, good, variant)
    with np.errstate(invalid="ignore", divide="ignore"):
        mc = np.where(good, fit.d / d_hat, np.nan)
        centre = (c0 * (mc if variant == "released" else 1.0))[:, None]
        stops = (~good, fit.d <= 0, fit.d >= top)
    names = (UNDEFINED, ZERO, ABILITY if variant == "released" else LIMIT)
    return DMCBatch(
        d_hat=np.where(good, d_hat, np.nan),
        c0=np.where(good, c0, np.nan),
        d_star=fit.d,
        mc=mc,
        axes_A=centre - fit.u[:, 1, ::-1],
        axes_B=centre + fit.u[:, 0],
        loss=fit.loss,
        constraint_met=good & (fit.d > 0),
        boundary=np.select(stops, names, default=""),
        converged=good & (fit.gradient_norm < _CONVERGED),
        gradient_norm=fit.gradient_norm,
        iterations=fit.iterations,
        zero_cells=(a == 0).sum(axis=1) + (b == 0).sum(axis=1),
        n_trials=a.sum(axis=1) + b.sum(axis=1),
        pad=added,
        variant=variant,
    )


def cognitive_ability(matrix: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """d^ and c0 of counts matrices ``(..., 4, K)``: z of the rates of answer B, given truth B and given truth A.

    Not finite where an answer was never right or never wrong; pad the matrix if that is not wanted.
    """
    ta, fa, tb, fb = np.moveaxis(np.asarray(matrix, dtype=np.float64).sum(axis=-1), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        z_hit, z_false = ndtri(tb / (fa + tb)), ndtri(fb / (ta + fb))
        return z_hit - z_false, -0.5 * (z_hit + z_false)


def _fits(
    matrix: FloatArray,
    d_hat: FloatArray,
    c0: FloatArray,
    top: FloatArray,
    good: NDArray[np.bool_],
    variant: str,
) -> engine.Solution:
    """Fit the tables that can be fitted; the others hold NaN."""
    size, k = len(matrix), matrix.shape[-1]
    d, loss, norm = (np.full(size, np.nan) for _ in range(3))
    found = engine.Solution(d, np.full((size, 2, k - 1), np.nan), loss, norm, np.zeros(size, dtype=np.int64))
    if good.any():
        solved = _solve(matrix[good], d_hat[good], c0[good], top[good], variant)
        for f in fields(solved):
            getattr(found, f.name)[good] = getattr(solved, f.name)
    return found


def _solve(
    matrix: FloatArray, d_hat: FloatArray, c0: FloatArray, top: FloatArray, variant: str
) -> engine.Solution:
    shares = matrix / matrix.sum(axis=-1, keepdims=True)
    sides = np.stack([shares[:, [2, 3]], shares[:, [0, 1]]], axis=1)  # (B, side, right and wrong, K)
    tails = np.cumsum(sides[..., ::-1], axis=-1)[..., -2::-1]
    alpha, beta = places(c0, d_hat, variant)
    problem = engine.Problem(tails, alpha, beta, variant == "released")
    start = np.clip(np.abs(d_hat), 0.1, 4.0)
    return engine.solve(problem, start, _criteria(matrix), np.zeros(len(d_hat)), top)


def _criteria(matrix: FloatArray) -> FloatArray:
    """Start of the axes: type-1 criteria of the ladder of ratings, as distances from its middle."""
    weight = matrix + 0.5
    given_b = np.concatenate([weight[:, 1, ::-1], weight[:, 2]], axis=1)  # truth B, from surest A
    given_a = np.concatenate([weight[:, 0, ::-1], weight[:, 3]], axis=1)
    above = [1 - np.cumsum(x, axis=1)[:, :-1] / x.sum(axis=1, keepdims=True) for x in (given_b, given_a)]
    ladder = -0.5 * (ndtri(above[0]) + ndtri(above[1]))
    k = matrix.shape[-1]
    centre = ladder[:, k - 1 : k]
    out = np.stack([ladder[:, k:] - centre, (centre - ladder[:, : k - 1])[:, ::-1]], axis=1)
    return np.cumsum(np.maximum(np.diff(out, axis=-1, prepend=0.0), 1e-2), axis=-1)


#: Decimals that confidences and edges are compared in: 0.7 and 0.7000000000000001 are one confidence.
_DECIMALS = 12
ANSWERS = ("A", "B")


@dataclass(frozen=True, eq=False)
class DMCCounts:
    """Two-choice trials, rated and counted: TA, FA, TB, FB by rating, lowest first.

    A ``rating`` of 0 marks trials that are left out: unanswered ones, and answered ones whose confidence is
    missing or no probability.
    """

    matrix: NDArray[np.int64]
    edges: Edges
    rating: NDArray[np.int64]
    n_unanswered: int
    n_out_of_range: int

    @property
    def tables(self) -> tuple[FloatArray, FloatArray]:
        """nR_S1 and nR_S2 in the order of Maniscalco & Lau, A as S1."""
        return tables_of_matrix(self.matrix)

    @property
    def n_dropped(self) -> int:
        """Trials left out."""
        return self.n_unanswered + self.n_out_of_range

    @property
    def empty_ratings(self) -> int:
        """Ratings that no trial carries."""
        return int((self.matrix.sum(axis=0) == 0).sum())


def dmc_counts(
    answer: ArrayLike, correct: ArrayLike, confidence: ArrayLike, *, n_ratings: int = 4
) -> DMCCounts:
    """Count two-choice trials by answer, correctness and rating (Wang et al. 2025, step 1).

    ``answer`` is "A" or "B", the option chosen by its place; None, NaN or an empty text where there was none.
    Ratings are ``n_ratings`` equal-width, right-closed bins over the observed range; confidence outside [0, 1]
    is left out and counted.
    """
    chosen = _answers(answer)
    right = as_correct(correct)
    try:
        stated: FloatArray = np.asarray(confidence, dtype=np.float64).round(_DECIMALS)
    except (TypeError, ValueError) as error:
        raise InputError("confidence must hold numbers, NaN where none was given") from error
    if not chosen.shape == right.shape == stated.shape:
        raise InputError(
            f"one entry per trial is wanted; got {chosen.size} answers, {right.size} marks and "
            f"{stated.size} confidences"
        )
    answered = chosen >= 0
    usable = answered & (stated >= 0) & (stated <= 1)
    if not usable.any():
        percent = np.nanmax(stated, initial=0.0) > 1
        hint = "; confidences above 1 look like percent: divide by 100" if percent else ""
        raise InputError("no trial has an answer A or B and a confidence between 0 and 1" + hint)
    if np.unique(stated[usable]).size < 2:
        raise InputError("every usable trial has the same confidence: nothing can be rated")
    edges = _edges(stated[usable], n_ratings)
    rating = np.zeros(stated.size, dtype=np.int64)
    rating[usable] = rate(stated[usable], edges, closed="right")
    cell = _cells(chosen, right, rating, n_ratings)
    matrix = np.bincount(cell[usable], minlength=4 * n_ratings).reshape(4, n_ratings).astype(np.int64)
    return DMCCounts(matrix, edges, rating, int((~answered).sum()), int((answered & ~usable).sum()))


def dmc_cluster_cells(
    answer: ArrayLike, correct: ArrayLike, counts: DMCCounts, clusters: ArrayLike
) -> sparse.csr_array:
    """What each cluster adds to the counts matrix, its rows one after another: shape ``(C, 4 K)``.

    Clusters none of whose trials is usable keep their (empty) row: they were asked.
    """
    row = cluster_index(clusters, counts.rating.size)
    size = int(row.max(initial=-1)) + 1
    if size < 2:
        raise InputError("at least two clusters are needed to resample them")
    k = counts.matrix.shape[1]
    column = _cells(_answers(answer), as_correct(correct), counts.rating, k)
    used = counts.rating > 0
    entries = (np.ones(int(used.sum())), (row[used], column[used]))
    return sparse.csr_array(sparse.coo_array(entries, shape=(size, 4 * k)))


def _edges(values: FloatArray, n_ratings: int) -> Edges:
    try:
        made = equal_width_edges(values, n_ratings, closed="right")
    except MetacogError as error:
        raise InputError(str(error)) from error
    rounded = np.round(made.values, _DECIMALS)
    empty = np.bincount(rate(values, rounded, closed="right"), minlength=n_ratings + 1)[1:] == 0
    return Edges(rounded, n_ratings, made.degenerate, tuple(int(r) for r in np.flatnonzero(empty) + 1))


def _answers(answer: ArrayLike) -> NDArray[np.int64]:
    """0 for A, 1 for B, -1 for none."""
    given = np.asarray(answer, dtype=object)
    if given.ndim != 1 or given.size == 0:
        raise InputError(f"answers must be a non-empty one-dimensional array, got shape {given.shape}")
    missing = np.array([x is None or x != x or x == "" for x in given], dtype=bool)
    found = np.array([ANSWERS.index(x) if x in ANSWERS else -1 for x in given], dtype=np.int64)
    other = sorted({str(x) for x in given[(found < 0) & ~missing]})
    if other:
        raise InputError(f"answers must be A, B or missing; got {', '.join(other[:5])}")
    return found


def _cells(
    chosen: NDArray[np.int64], correct: NDArray[np.bool_], rating: NDArray[np.int64], k: int
) -> NDArray[np.int64]:
    return (2 * chosen + np.where(correct, 0, 1)) * k + rating - 1
