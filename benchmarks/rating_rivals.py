"""How often is confidence that loses nothing excluded where it does lose nothing, and where it loses something?

Run: python benchmarks/rating_rivals.py    (three minutes of a free core)
Each world is fitted to each of the nine published tables of study 2, and tables of the same size are drawn from it. In
some nothing is lost: curves are unequal, keys wrong, or both, with bell curves or with heavier tails; and curves have
shapes that no model tried has: lopsided ones (Gumbel), a sharp peak (Laplace), very heavy tails (t with three degrees
of freedom), cut where ratings of S1 are as frequent as observed. In others an M-ratio below 1 or noise in confidence
is added to unequal curves and wrong keys, as fitted. Counts are of tables in which the rule
(``metacog.studies.study2_two_choice.rivals.excluded``) says that something is lost: beyond chance with bell curves
(``bells``), with heavier tails as well (``shapes``), and by more than the fit is off (``misfit``).
Writes data/simulations/rating_rivals.csv and .json next to it.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from scipy.optimize import minimize
from scipy.stats import gumbel_l, gumbel_r, laplace, t

from metacog.sdt.checks import FloatArray
from metacog.sdt.rating_models import fit_rating_model
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.rivals import LOSSLESS, excluded

OUT = SIMULATIONS / "rating_rivals.csv"
SEED = 20261130
COUNTS = paper.stacked(paper.rating_cells())
OTHER_SHAPES: dict[str, Callable[..., FloatArray]] = {
    "lopsided to the right": gumbel_r.cdf,
    "lopsided to the left": gumbel_l.cdf,
    "sharp peaks": laplace.cdf,
    "very heavy tails": t(3).cdf,
}


def worlds() -> Iterator[tuple[str, bool, FloatArray]]:
    """Name, whether something is lost, and probabilities ``(9, 2, 2K)`` of ratings by class."""
    for name, parts in LOSSLESS.items():
        yield name, False, fit_rating_model(*COUNTS, parts).predicted
    yield (
        "both, heavier tails",
        False,
        fit_rating_model(*COUNTS, LOSSLESS["both"], heavy_tails=True).predicted,
    )
    for name, cdf in OTHER_SHAPES.items():
        yield name, False, np.array([of_shape(a, b, cdf) for a, b in zip(*COUNTS, strict=True)])
    for name, part in (("M-ratio below 1", "m_ratio"), ("noise in confidence", "noise")):
        yield name, True, fit_rating_model(*COUNTS, (*LOSSLESS["both"], part)).predicted


def of_shape(nR_S1: FloatArray, nR_S2: FloatArray, cdf: Callable[..., FloatArray]) -> FloatArray:
    """Ratings of S1 as observed, and of S2 by the most likely place and width of a curve of the same shape."""
    places = np.linspace(-60, 60, 200_001)
    below = np.cumsum(nR_S1 + 0.5)[:-1] / (nR_S1 + 0.5).sum()
    cuts = np.interp(below, cdf(places), places)

    def shares(where: FloatArray) -> FloatArray:
        return np.diff(cdf((cuts - where[0]) / np.exp(where[1])), prepend=0.0, append=1.0)

    def loss(where: FloatArray) -> float:
        return -float(nR_S2 @ np.log(np.maximum(shares(where), 1e-12)))

    found = min((minimize(loss, [d, 0.0], method="Nelder-Mead") for d in (1, 3, 6)), key=lambda one: one.fun)
    return np.stack([np.diff(below, prepend=0.0, append=1.0), shares(found.x)])


def drawn(name: str, probabilities: FloatArray, runs: int) -> list[FloatArray]:
    """Tables of both classes, ``(9 * runs, 2K)`` each, of the published sizes."""
    rng = np.random.default_rng([SEED, zlib.crc32(name.encode())])
    return [
        np.concatenate(
            [rng.multinomial(n.sum(), one / one.sum(), size=runs) for n, one in zip(of, p, strict=True)]
        )
        for of, p in zip(COUNTS, probabilities.swapaxes(0, 1), strict=True)
    ]


def main(arguments: list[str] | None = None) -> None:
    """Write the table."""
    given = parsed(__file__, arguments, out=OUT, runs=50)
    parts = []
    for name, lost, probabilities in worlds():
        said = excluded(*drawn(name, probabilities, given.runs)).astype(int)
        place = np.repeat(np.arange(len(COUNTS[0])), given.runs)
        cells = pd.DataFrame(
            [(one.task, one.model) for one in paper.rating_cells()], columns=["task", "model"]
        )
        counted = said.groupby(place).sum()
        parts.append(pd.concat([cells.assign(world=name, lost=lost, runs=given.runs), counted], axis=1))
        given.tell(f"{name}: {counted.sum().to_dict()}")
    columns = ["world", "lost", "task", "model", "runs", "bells", "shapes", "misfit"]
    given.write(pd.concat(parts)[columns], seed=f"[{SEED}, CRC-32 of the world's name]")


if __name__ == "__main__":
    main()
