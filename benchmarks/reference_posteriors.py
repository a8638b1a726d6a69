"""Reference posteriors of three data sets, by another statement of the models than the code's (posteriordb's form).

Run: python benchmarks/reference_posteriors.py              (those that are missing; minutes of one core each)
     python benchmarks/reference_posteriors.py --only NAME  (one of them again)
The models are those of `calibrating/stated.py`: every parameter is sampled at once by NumPyro's no-U-turn sampler,
where `fit_bayes` and `fit_group` write their log densities by hand and the latter integrates most parameters out. Each
file of data/reference_posteriors holds data, model, how it was sampled, the diagnostics met, and of every parameter
mean, sd and quantiles with their Monte-Carlo errors. Nothing is written where chains have not converged.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import numpy as np
from arviz import ess, mcse, rhat
from calibrating import stated
from numpy.typing import NDArray

from metacog.core.provenance import provenance
from metacog.sdt import meta_d_observer
from metacog.studies.study2_two_choice import paper

OUT = Path(__file__).resolve().parents[1] / "data" / "reference_posteriors"
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
SEED = 20261126
#: What chains must show, as posteriordb asks of its own.
R_HAT, ESS = 1.01, 4_000
#: Of other parameters than M-ratio and criteria, by model.
PLAIN = {"single": ("d_prime", "c", "meta_d"), "group": ("mu", "sigma", "log_m")}
TITLES = {
    "single": "HMeta-d for one subject, d' estimated jointly (Fleming 2017)",
    "group": "HMeta-d for a group, every subject's d', c and criteria estimated jointly",
}
PRIORS = {
    "single": "as variances: d' ~ N(0, 2), c ~ N(0, 0.5), meta-d' ~ N(d', 2), sorted criteria ~ N(0, 0.5) past c",
    "group": "mu ~ N(0, 1), sigma ~ half-N(1), log M ~ N(mu, sigma squared), meta-d' = M d'; else as for one subject",
}


def published() -> NDArray[np.int64]:
    """GPT-5 on task B: 10,000 published trials with five levels of confidence."""
    cell = next(c for c in paper.rating_cells() if c.task == "B" and c.model.startswith("GPT-5"))
    return np.stack([cell.nR_S1, cell.nR_S2])


def small() -> NDArray[np.int64]:
    """280 made-up trials with three levels of confidence."""
    return np.array([[40, 35, 30, 20, 10, 5], [6, 10, 26, 34, 36, 28]])


def six_subjects() -> NDArray[np.int64]:
    """Six simulated subjects of 200 trials: M-ratio about 0.8, sd of its logarithm 0.3."""
    m_ratios = np.exp(np.random.default_rng(8).normal(np.log(0.8), 0.3, 6))
    rng = np.random.default_rng(8)
    tables = []
    for m in m_ratios:
        observer = meta_d_observer(rng.normal(1.5, 0.3), m_ratio=m, n_ratings=3)
        tables.append(observer.counts(200, seed=int(rng.integers(2**31))))
    return np.stack([np.concatenate(side) for side in zip(*tables, strict=True)], axis=1)


#: By name: the data, the model, draws kept of each of eight chains and what is dropped before.
DATA: dict[str, tuple[Callable[[], NDArray[np.int64]], str, int, int]] = {
    "servajean_gpt5_b": (published, "single", 2_500, 1_000),
    "small_table": (small, "single", 2_500, 1_000),
    "six_subjects": (six_subjects, "group", 2_500, 1_000),
}
CHAINS = 8


def sampled(counts: NDArray[np.int64], model: str, n_draws: int, n_warmup: int) -> tuple[dict[str, Any], int]:
    """Draws `(chains, draws, ...)` of every quantity, and the number of divergent ones."""
    from numpyro.infer import MCMC, NUTS

    trials, k = counts.sum(axis=-1), counts.shape[-1] // 2
    rest = (np.zeros(len(counts), dtype=int), None) if model == "group" else ()
    with stated.float64():
        kernel = NUTS(getattr(stated, model), target_accept_prob=0.95 if model == "group" else 0.8)
        how = {"num_chains": CHAINS, "chain_method": "vectorized", "progress_bar": False}
        run = MCMC(kernel, num_warmup=n_warmup, num_samples=n_draws, **how)
        run.run(jax.random.PRNGKey(SEED), trials, k, *rest, counts=counts)
        draws = {name: np.asarray(x) for name, x in run.get_samples(group_by_chain=True).items()}
        diverging = int(np.asarray(run.get_extra_fields(group_by_chain=True)["diverging"]).sum())
    named = {name: draws[name] for name in PLAIN[model]}
    if model == "single":
        named |= {
            "left": draws["left"],
            "right": draws["right"],
            "m_ratio": draws["meta_d"] / draws["d_prime"],
        }
    else:
        named["mu"] = named["mu"][..., 0]
    return named, diverging


def parameters(draws: dict[str, NDArray[np.float64]]) -> dict[str, NDArray[np.float64]]:
    """Draws `(chains, draws)` by name; those of a vector are numbered from 1."""
    found = {}
    for name, x in draws.items():
        if x.ndim == 2:
            found[name] = x
        else:
            found |= {f"{name}[{i + 1}]": x[..., i] for i in range(x.shape[-1])}
    return found


def error(x: NDArray[np.float64], **how: Any) -> float:
    """Monte-Carlo error of a mean, or as `how` says; arviz gives some of them as arrays of one number."""
    return float(np.ravel(mcse(x, **how))[0])


def sd_error(x: NDArray[np.float64]) -> float:
    """Monte-Carlo error of the standard deviation of draws `(chains, draws)`, from that of the variance."""
    return error((x - x.mean()) ** 2) / (2 * float(x.std()))


def summary(x: NDArray[np.float64]) -> dict[str, float]:
    """Mean, sd and quantiles of draws `(chains, draws)` with their Monte-Carlo errors (Vehtari et al. 2021)."""
    out = {"mean": x.mean(), "mean_error": error(x), "sd": x.std(), "sd_error": sd_error(x)}
    for q in QUANTILES:
        out[f"q{100 * q:g}"] = np.quantile(x, q)
        out[f"q{100 * q:g}_error"] = error(x, method="quantile", prob=q)
    return {name: float(f"{float(v):.6g}") for name, v in out.items()}


def reference(name: str) -> dict[str, Any]:
    """The file of one data set."""
    make, model, n_draws, n_warmup = DATA[name]
    counts = make()
    draws, diverging = sampled(counts, model, n_draws, n_warmup)
    each = parameters(draws)
    met = {
        "r_hat": max(float(rhat(x)) for x in each.values()),
        "ess_bulk": min(float(ess(x)) for x in each.values()),
        "ess_tail": min(float(ess(x, method="tail")) for x in each.values()),
        "divergences": diverging,
    }
    print(name, {k: round(v, 4) for k, v in met.items()}, flush=True)
    if (
        met["r_hat"] > R_HAT
        or min(met["ess_bulk"], met["ess_tail"]) < ESS
        or diverging > 0.001 * CHAINS * n_draws
    ):
        raise SystemExit(
            f"{name}: the chains have not converged; nothing is written. Give it more draws in DATA."
        )
    return {
        "posterior": {
            "name": name,
            "model_name": f"hmeta_d_{model}",
            "data_name": name,
            "dimensions": len(each),
        },
        "model": {"name": f"hmeta_d_{model}", "title": TITLES[model], "description": PRIORS[model]},
        "data": {
            "name": name,
            "title": " ".join((make.__doc__ or "").split()),
            "counts": counts.tolist(),
            "layout": 'nR_S1 and nR_S2 of each table, highest-confidence "S1" first',
        },
        "reference_posterior": {
            "inference": {
                "method": "NumPyro's no-U-turn sampler on benchmarks/calibrating/stated.py",
                "method_arguments": {"chains": CHAINS, "draws": n_draws, "warmup": n_warmup, "seed": SEED},
            },
            "diagnostics": met,
            "checks": {"r_hat at most": R_HAT, "ess at least": ESS},
            "parameters": {key: summary(x) for key, x in each.items()},
            "made_by": provenance(seed=SEED),
        },
    }


def main() -> None:
    """Make the files that are missing, or one again."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=list(DATA))
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for name in [given.only] if given.only else DATA:
        path = given.out / f"{name}.json"
        if given.only or not path.is_file():
            path.write_text(json.dumps(reference(name), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
