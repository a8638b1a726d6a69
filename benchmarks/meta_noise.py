"""Can lognormal noise in confidence be told from a table of that size, and does it come back in a person's other half?

Run: python benchmarks/meta_noise.py    (three minutes of a core)
Rows with ``observer``: of d' 1.5, with noise that is none, or such that M-ratio is 0.8 or 0.6, and one of constant
M-ratio 0.8, who is not of this kind. Of 100 tables of each size: how many have a 95 % profile interval with an end
above (``bounded``), exclude no noise (``seen``), and hold the true noise, counted among those with an end
(``held_bounded``) and among all (``held``); and quartiles of the estimates.
The other rows are of people of the Confidence Database: what comes back in another half of their trials (intraclass
correlation within sets, by people) of the logarithm of noise, and of M-ratio and AUROC2 of the same people.
Writes data/simulations/meta_noise.csv and .json next to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed
from which_measure import BETTER, D_PRIME, EVENLY, KINDS, WORSE, known_of, merged, probabilities

from metacog.measures.measure_properties import FloatArray, measures_of, two_parts
from metacog.sdt.correlations import intraclass
from metacog.sdt.meta_noise import LEAST, fit_meta_noise
from metacog.studies.study8_people.which_measure import large_enough, whole_people

OUT = SIMULATIONS / "meta_noise.csv"
SEED, TABLES = 20261129, 100
SIZES, HALVES = (100, 200, 400, 1_000), (100, 400)
#: Fewest people of a set, and of a scale.
FEWEST = 20


def rows_of(cells: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Counts ``(B, 2, 2, K)`` in the order of Maniscalco and Lau, with 1/(2K) in each cell."""
    pad = 1 / (2 * cells.shape[-1])
    made = np.concatenate([cells[:, :, 0, ::-1], cells[:, :, 1]], axis=2) + pad
    return made[:, 0], made[:, 1]


def simulated() -> Iterator[dict[str, Any]]:
    """A row an observer and size."""
    observers = {
        "no noise": (KINDS[1], LEAST),
        "M-ratio 0.8": (KINDS[1], known_of(KINDS[1], BETTER)),
        "M-ratio 0.6": (KINDS[1], known_of(KINDS[1], WORSE)),
        KINDS[0]: (KINDS[0], BETTER),
    }
    for at, (name, (kind, known)) in enumerate(observers.items()):
        cells = merged(probabilities(kind, known, D_PRIME, 0.0, 0.5), EVENLY)
        noise = known if kind == KINDS[1] else np.nan
        for n in SIZES:
            rng = np.random.default_rng([SEED, at, n])
            drawn = rng.multinomial(n, cells.ravel(), size=TABLES).reshape(-1, *cells.shape)
            fit = fit_meta_noise(*rows_of(drawn))
            low, middle, high = np.quantile(fit.noise, [0.25, 0.5, 0.75])
            row = {"observer": name, "trials": n, "noise": noise, "tables": TABLES}
            row |= {"bounded": int(np.isfinite(fit.upper).sum()), "seen": int((fit.lower > 0).sum())}
            inside = (fit.lower <= noise) & (noise <= fit.upper)
            counted = {"held": inside, "held_bounded": inside & np.isfinite(fit.upper)}
            row |= {what: int(x.sum()) if kind == KINDS[1] else np.nan for what, x in counted.items()}
            yield row | {"lower_quarter": low, "median": middle, "upper_quarter": high}


def of_people() -> Iterator[dict[str, Any]]:
    """A row a measure and size: what comes back in another half."""
    people, counts, k = whole_people()
    for n in HALVES:
        at = large_enough(people, people["trials"] >= 2 * n, FEWEST)
        parts = two_parts(counts[at], n, np.random.default_rng([SEED, n]))
        frames = []
        for part in parts:
            found = measures_of(part, k[at])[["m_ratio", "auroc2"]]
            noise = np.full(len(at), np.nan)
            for size in np.unique(k[at]):
                of = np.flatnonzero(k[at] == size)
                noise[of] = fit_meta_noise(*rows_of(part[of][..., :size].astype(float)), interval=False).noise
            frames.append(found.assign(meta_noise=np.log(noise)))
        groups = people.loc[at, "group"].reset_index(drop=True)
        for measure in frames[0]:
            both = np.column_stack([one[measure] for one in frames])
            by_set = [(intraclass(both[of]), len(of)) for of in groups.groupby(groups).indices.values()]
            values, weights = np.array([one for one in by_set if np.isfinite(one[0])]).T
            about = {"measure": measure, "trials": n, "people": len(at), "sets": len(values)}
            yield about | {"back": float(np.average(values, weights=weights))}


def main() -> None:
    """Write the table."""
    given = parsed(__file__, out=OUT)
    found = pd.DataFrame([*simulated(), *of_people()])
    whole = ["tables", "bounded", "seen", "held", "held_bounded", "people", "sets"]
    given.write(found.astype(dict.fromkeys(whole, "Int64")), "%.5g", seed=SEED)
    print(found.round(3).to_string())


if __name__ == "__main__":
    main()
