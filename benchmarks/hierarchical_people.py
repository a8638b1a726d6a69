"""Do M-ratios without chance, as on the page "What is normal?", agree with a hierarchical fit of the same people?

Run: python benchmarks/hierarchical_people.py    (three minutes of a core)
For the sets of ``people_by_scipy.py`` with 24 people or more, the quartiles over people by
:func:`metacog.sdt.bayes.fit_group`, a normal law of log M-ratio, beside those without chance of the same people, and as
measured. Writes data/simulations/hierarchical_people.csv and .json next to it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from people_by_scipy import TWELVE
from recording import SIMULATIONS, parsed

from metacog.measures.among_people import WITHOUT_CHANCE
from metacog.sdt.bayes import fit_group
from metacog.studies.study8_people.database import tables
from metacog.studies.study8_people.normal import people_of

OUT = SIMULATIONS / "hierarchical_people.csv"
SEED, FEWEST = 42, 24
QUARTILES = {"lower_quarter": 0.25, "median": 0.5, "upper_quarter": 0.75}


def row_of(own: pd.DataFrame, name: str, part: str) -> dict[str, object]:
    """A set's quartiles in three ways."""
    one, other = (np.stack(own[side].tolist()) for side in ("nR_S1", "nR_S2"))
    fit = fit_group(one, other, n_chains=2, n_draws=1_000, n_warmup=300, seed=SEED)
    row: dict[str, object] = {"set": name, "part": part, "people": len(own), "trials": own["trials"].median()}
    mu, sigma = fit.group_draws[..., 0].ravel(), fit.group_draws[..., 1].ravel()
    for what, share in QUARTILES.items():
        row[f"measured_{what}"] = own["m_ratio"].quantile(share)
        row[f"settled_{what}"] = own[WITHOUT_CHANCE].quantile(share)
        place = {0.25: -0.67449, 0.5: 0.0, 0.75: 0.67449}[share]
        drawn = np.exp(mu + place * sigma)
        row[f"group_{what}"] = drawn.mean()
        row[f"group_{what}_lower"], row[f"group_{what}_upper"] = np.quantile(drawn, [0.025, 0.975])
    return row | {"r_hat": fit.r_hat}


def main() -> None:
    """Write the table."""
    given = parsed(__file__, out=OUT)
    people, rows = people_of(tables()), []
    for name, part in TWELVE:
        own = people[people["set"].eq(name) & people["part"].eq(part)]
        if len(own) >= FEWEST:
            rows.append(row_of(own, name, part))
            given.tell(rows[-1])
    given.write(pd.DataFrame(rows), "%.4g", seed=SEED)


if __name__ == "__main__":
    main()
