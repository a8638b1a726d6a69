"""Simulation-based calibration of every Bayesian model, and of wrong twins that must fail (Talts et al. 2018).

Run: python benchmarks/sbc.py --resume            (what is lacking, an hour at most; some hours of one core in all)
     python benchmarks/sbc.py --only "group"      (one model; the rest stays as it stands)
     python benchmarks/sbc.py --quick             (a few fits of each, to see that it works; writes nothing)
Parameters are drawn from a model's prior, data given these, and the model is fitted: then the truth is as likely to
have any rank among the posterior's draws as any other. Prior and data come from `calibrating/stated.py`, which states
the models in NumPyro's words; fits are those of `fit_bayes` and `fit_group`. Test quantities that depend on the data
are ranked beside the parameters (Modrák et al. 2023). A twin believes one thing that is wrong
(`calibrating/twins.py`) and is fitted to the same data. A quantity fails if its ranks leave the simultaneous band of
their distribution function (Säilynoja et al. 2022) at .01 over the number of the model's quantities; a model passes if
no quantity fails. Ranks are appended to data/simulations/sbc_ranks.csv with the numbers of their data sets; sbc.csv and
sbc.json are made of it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from calibrating.fits import ENOUGH, MODELS, RIGHT, Model
from calibrating.uniformity import BINS, DRAWS, band_p, chi_square
from recording import SIMULATIONS, note, parsed

from metacog.core.provenance import provenance

OUT = SIMULATIONS / "sbc.csv"
COMMAND = "python benchmarks/sbc.py --resume"
SEED = 20261126
LEVEL = 0.01
WHOLE = "the model"
COLUMNS = ["model", "version", "number", "ranks", "ess", "r_hat", "divergences"]
BY_NAME = {m.name: m for m in MODELS}


def ranks_of(out: Path) -> Path:
    """Where the ranks of a table are kept."""
    return out.with_name(f"{out.stem}_ranks.csv")


def read(out: Path) -> pd.DataFrame:
    """Ranks so far."""
    path = ranks_of(out)
    if not path.is_file():
        return pd.DataFrame(columns=COLUMNS)
    return pd.read_csv(
        path, keep_default_na=False, na_values={"ess": [""], "r_hat": [""]}, dtype={"ranks": str}
    )


def fitted(model: Model, version: str, numbers: list[int]) -> pd.DataFrame:
    """One row for each data set."""
    rows = [
        (
            model.name,
            version,
            x.number,
            " ".join(map(str, x.ranks)),
            round(x.ess),
            round(x.r_hat, 3),
            x.divergences,
        )
        if x.ranks
        else (model.name, version, x.number, "", np.nan, np.nan, 0)
        for x in sorted(model.run(numbers, version, SEED), key=lambda x: x.number)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def matrix(rows: pd.DataFrame) -> np.ndarray:
    """Ranks `(fits, quantities)` of the data sets that were fitted."""
    return np.array([[int(r) for r in line.split()] for line in rows["ranks"] if line])


def judge(model: Model, version: str, rows: pd.DataFrame) -> pd.DataFrame:
    """Uniformity of each quantity's ranks, and whether the model passes: one row each."""
    ranks = matrix(rows)
    found = []
    for name, mine in zip(model.quantities, ranks.T, strict=True):
        if (mine < 0).any():
            continue  # the twin has no such parameter
        statistic, p = chi_square(mine)
        outer = np.mean((mine < (DRAWS + 1) // 10) | (mine >= 9 * (DRAWS + 1) // 10))
        found.append([name, band_p(mine), statistic, p, mine.mean() / DRAWS, outer])
    table = pd.DataFrame(
        found, columns=["quantity", "p_band", "chi_square", "p_chi_square", "mean_rank", "outer"]
    )
    least = min(1.0, float(table["p_band"].min()) * len(table))
    table = pd.concat([table, pd.DataFrame([{"quantity": WHOLE, "p_band": least}])], ignore_index=True)
    fails = table["p_band"] < np.where(table["quantity"] == WHOLE, LEVEL, LEVEL / len(found))
    facts = {"model": model.name, "version": version, "fits": len(ranks), "wanted": model.wanted(version)}
    table["outcome"] = np.where(fails, "fails", "passes")
    return table.assign(**facts)[[*facts, *table.columns]]


def versions(model: Model) -> tuple[str, ...]:
    """The model as it is, and its twins."""
    return (RIGHT, *model.twins)


def have(rows: pd.DataFrame, model: Model, version: str) -> pd.DataFrame:
    """Rows of one version."""
    return rows[(rows["model"] == model.name) & (rows["version"] == version)]


def usable(rows: pd.DataFrame) -> int:
    """How many of the data sets were fitted."""
    return int((rows["ranks"] != "").sum())


def write(rows: pd.DataFrame, out: Path) -> pd.DataFrame:
    """The table, and how it was made."""
    parts = [
        judge(m, v, have(rows, m, v)) for m in MODELS for v in versions(m) if usable(have(rows, m, v)) > 0
    ]
    table = (
        pd.concat(parts, ignore_index=True)
        if parts
        else pd.DataFrame(columns=["model", "version", "outcome"])
    )
    table.to_csv(out, index=False, float_format="%.4g")
    done = rows[rows["ranks"] != ""]
    facts = {
        "command": COMMAND,
        "seed": f"{SEED}; a data set's draws follow from it and its number, and so do the chains",
        "quantities": {m.name: m.quantities for m in MODELS},
        "draws": f"{DRAWS} of a fit, evenly spaced; a fit with fewer than {ENOUGH} effective draws of any parameter is "
        "made again, four times as long",
        "p_band": "of the simultaneous band of the ranks' distribution function, by simulation; of the model the least "
        "one times the number of quantities",
        "chi_square": f"of {BINS} bins",
        "refused": {
            str(k): int(n) for k, n in rows[rows["ranks"] == ""].groupby(["model", "version"]).size().items()
        },
        "fits_with_fewer_effective_draws": int((done["ess"] < ENOUGH).sum()),
        "fits_with_divergences": int((done["divergences"] > 0).sum()),
        "lacking": {
            f"{m.name}, {v}": f"{usable(have(rows, m, v))} of {m.wanted(v)} fits"
            for m in MODELS
            for v in versions(m)
            if usable(have(rows, m, v)) < m.wanted(v)
        },
        "made_by": provenance(seed=SEED),
    }
    note(out, facts)
    return table


def next_part(rows: pd.DataFrame, models: list[Model], share: float) -> tuple[Model, str, list[int]] | None:
    """The version that is furthest from `share` of its fits, and the numbers of its next data sets."""
    open_ = [(usable(have(rows, m, v)) / m.wanted(v), m, v) for m in models for v in versions(m)]
    open_ = [x for x in open_ if x[0] < share]
    if not open_:
        return None
    _, model, version = min(open_, key=lambda x: x[0])
    first = len(have(rows, model, version))
    return model, version, list(range(first, first + model.batch))


def main() -> None:
    """Fit what is lacking and write the table."""
    resume = {"action": "store_true", "help": "keep the ranks that are there"}
    only = {"action": "append", "choices": list(BY_NAME), "default": []}
    given = parsed(__file__, out=OUT, resume=resume, minutes=60.0, only=only, quick=False)
    models = [BY_NAME[name] for name in given.only] or list(MODELS)
    rows = read(given.out)
    if given.quick or not given.resume:
        rows = rows[~rows["model"].isin([m.name for m in models])]
    while (part := next_part(rows, models, 0.01 if given.quick else 1.0)) is not None:
        if given.passed() > 60 * given.minutes:
            print(f"stopped after {given.minutes:g} minutes; --resume goes on")
            break
        model, version, numbers = part
        new = fitted(model, version, numbers)
        rows = pd.concat([rows, new], ignore_index=True) if len(rows) else new
        if not given.quick:
            rows.to_csv(ranks_of(given.out), index=False)
            write(rows, given.out)
        whole = judge(model, version, have(rows, model, version)).iloc[-1]
        print(
            f"{given.passed():6.0f} s  {model.name}, {version}: {whole['fits']} fits, "
            f"p {whole['p_band']:.3f}, {whole['outcome']}",
            flush=True,
        )


if __name__ == "__main__":
    main()
