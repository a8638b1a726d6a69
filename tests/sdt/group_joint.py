"""The hierarchical model of independent subjects without any marginalisation: an oracle for `fit_group`.

All parameters of all tables are sampled at once with NumPyro, log M-ratio in the non-centred form.
"""

import jax.numpy as jnp
import numpy as np
from jax.nn import softplus

from metacog.sdt import _meta_d_batch as engine
from metacog.sdt.bayes import _sampler, _single
from metacog.sdt.bayes.fit import starts


def _log_posterior(x, counts):
    sigma = softplus(x["sigma"])
    log_m = x["mu"] + sigma * x["e"]
    prior = -0.5 * (x["mu"] ** 2 + sigma**2 + (x["e"] ** 2).sum()) - softplus(-x["sigma"])
    each = _single.log_prior_type1(x["d1"], x["c1"]) + _single.log_prior_criteria(x["c1"], x["log_gaps"])
    u = _single.distances(x["log_gaps"])
    each += _single.log_likelihood(x["d1"], x["c1"], jnp.exp(log_m) * x["d1"], u, counts)
    return prior + each.sum()


def sample_jointly(nR_S1, nR_S2, n_chains=2, n_draws=1000, n_warmup=500, seed=5):
    """Draws of mu, sigma and each table's log M-ratio, and the number of divergences."""
    a, b = np.asarray(nR_S1, float), np.asarray(nR_S2, float)
    single = starts(a, b, n_chains, seed)
    rng = np.random.default_rng(seed)
    start = {
        "d1": single["d1"].T,
        "c1": single["c1"].T,
        "log_gaps": np.moveaxis(single["log_gaps"], 0, -1),
        "mu": rng.normal(-0.2, 0.2, n_chains),
        "sigma": rng.normal(-1.0, 0.3, n_chains),
        "e": rng.normal(0, 0.3, (n_chains, len(a))),
    }
    counts = np.stack([engine._fold(a), engine._fold(b)])[None]
    with engine._float64():
        run = _sampler.sampler(_log_posterior, n_warmup, n_draws, False, 0.95)
        out = run(_sampler.keys(seed, 1, n_chains), counts, {k: v[None] for k, v in start.items()})
        x = {k: np.asarray(v)[0] for k, v in out.position.items()}
    sigma = np.logaddexp(0.0, x["sigma"])
    return (
        x["mu"],
        sigma,
        x["mu"][..., None] + sigma[..., None] * x["e"],
        int(np.asarray(out.diverging).sum()),
    )
