"""How far do two models cross that read one difficulty unequally well, if their answers depend on it unequally?

Two models without self-knowledge (``answerers.py``): the confidence of one reads the difficulty with less
noise, and its answers depend on it up to three times as steeply. Section ``bound``: the crossing as a share of the
better reader's lead (``metacog.sdt.area_comparison.Crossing.lead``), in truth (10^6 questions) and of the lower end
of the interval, by number of questions, slopes, noises and accuracies; ``metacog.studies.study1_qa.shared_items``
takes the largest. Section ``rule``: in other runs, how often the interval lies above 0 and how often above that bound,
without self-knowledge at several ratios of the slopes, and with it. Writes one row for each design and size::

    python benchmarks/crossing_bound.py --out data/simulations/crossing_bound.csv

Rows that are there already are kept: delete the table to make all of them again.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import product

import numpy as np
from answerers import TwoAnswerers
from recording import parsed

from metacog.sdt.area_crossing import Crossing, crossing
from metacog.studies.study1_qa.crossing_bound import (
    BOUND,
    DIFFICULTY,
    OWN_STATE,
    RULE,
    SLOPE_RATIO,
    crossing_bound,
)

SIZES = (50, 100, 200, 400, 800, 1304, 3000)
#: Geometric mean of the slopes of both models' log-odds, noise of both readings, and log-odds of knowing.
SLOPES = (0.8, 1.4, 2.0)
NOISES = ((0.4, 0.8), (0.4, 1.4), (0.4, 3.0))
ABILITIES = ((-1.5, -1.5), (0.0, 0.0), (1.5, 1.5), (-1.5, 1.5), (1.5, -1.5))
#: Ratios at which the rule is tried.
RATIOS = (1.0, 1.33, 2.0, 3.0)
N_TRUTH = 1_000_000
SEED = 42


@dataclass(frozen=True)
class Design:
    """One simulated truth at one size; the first model is the better reader."""

    section: str
    reads: str
    n_questions: int
    slope_ratio: float
    slope: float
    noise_first: float
    noise_second: float
    ability_first: float
    ability_second: float

    def models(self) -> TwoAnswerers:
        """The two models."""
        steep = self.slope_ratio**0.5
        own = {"state_slope": (1.0, 1.0), "reads_state": (0.7, 0.7)} if self.reads == OWN_STATE else {}
        return TwoAnswerers(
            ability=(self.ability_first, self.ability_second),
            slope=(self.slope * steep, self.slope / steep),
            noise=(self.noise_first, self.noise_second),
            **own,
        )


def designs() -> Iterator[Design]:
    """The rows of the table; those of the rule need the bound's."""
    for n, slope, noise, ability in product(SIZES, SLOPES, NOISES, ABILITIES):
        yield Design(BOUND, DIFFICULTY, n, SLOPE_RATIO, slope, *noise, *ability)
    for n, ratio in product(SIZES, RATIOS):
        yield Design(RULE, DIFFICULTY, n, ratio, 1.4, 0.4, 1.4, 0.0, 0.0)
    for n, ratio in product(SIZES, (1.0, SLOPE_RATIO)):
        yield Design(RULE, OWN_STATE, n, ratio, 1.4, 0.4, 1.4, 0.0, 0.0)


def crossed(models: TwoAnswerers, n: int, rng: np.random.Generator) -> Crossing:
    """The crossing in a run of n questions."""
    made = models.answers(n, rng)
    return crossing(made.correct[0], made.sure[0], made.correct[1], made.sure[1])


@cache
def truth(models: TwoAnswerers) -> tuple[float, float]:
    """Crossing and lead with very many questions."""
    whole = crossed(models, N_TRUTH, np.random.default_rng(SEED))
    return whole.value, whole.lead


def run(design: Design, runs: int) -> dict[str, object]:
    """One design; its seed follows from its name."""
    rng = np.random.default_rng([SEED, zlib.crc32(repr(design).encode())])
    models = design.models()
    value, lead = truth(models)
    found = [crossed(models, design.n_questions, rng) for _ in range(runs)]
    lower, leads = (np.array([getattr(f, name) for f in found]) for name in ("lower", "lead"))
    known = np.isfinite(lower)
    with np.errstate(divide="ignore"):
        of_lead = (lower / np.abs(leads))[known]
    row: dict[str, object] = {
        **asdict(design),
        "runs": runs,
        "no_interval": float((~known).mean()),
        "crossing": value,
        "lead": lead,
        "share": value / lead,
        "share_95": float(np.quantile(of_lead, 0.95)) if known.any() else np.nan,
        "above_0": float((lower > 0).mean()),
    }
    if design.section == RULE:
        bounds = np.array([crossing_bound(design.n_questions, one) for one in leads])
        row |= {"bound": float(bounds.mean()), "called": float((lower > bounds).mean())}
    return row


def main(arguments: list[str] | None = None) -> None:
    """Run every design that the table lacks."""
    given = parsed(__file__, arguments, runs=1000)
    order = {one: i for i, one in enumerate(product((BOUND, RULE), SIZES))}
    todo = sorted(designs(), key=lambda design: order[design.section, design.n_questions])
    parts = {tuple(asdict(design).values()): partial(run, design, given.runs) for design in todo}
    given.write(
        given.completed(parts, list(Design.__dataclass_fields__)),
        seed=f"[{SEED}, CRC-32 of the design's name]",
    )


if __name__ == "__main__":
    main()
