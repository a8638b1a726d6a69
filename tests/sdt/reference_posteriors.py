"""Committed reference posteriors (data/reference_posteriors), and how far a fit's draws are from one."""

import json

import numpy as np
from arviz import mcse

from metacog.core.paths import project_root

FOLDER = project_root() / "data" / "reference_posteriors"


def reference(name):
    """Counts of the data set, and its reference posterior."""
    whole = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return np.array(whole["data"]["counts"]), whole["reference_posterior"]


def error(x, **how):
    """Monte-Carlo error; arviz gives some of them as arrays of one number."""
    return float(np.ravel(mcse(x, **how))[0])


def apart(name, draws):
    """Differences of a fit's draws `(chains, draws)` from the reference, in Monte-Carlo errors of both."""
    found = {}
    stated = reference(name)[1]["parameters"]
    assert set(draws) <= set(stated)
    for parameter, x in draws.items():
        one = stated[parameter]
        ours = {"mean": (x.mean(), error(x)), "sd": (x.std(), error((x - x.mean()) ** 2) / (2 * x.std()))}
        for key in (k for k in one if k.startswith("q") and not k.endswith("_error")):
            q = float(key[1:]) / 100
            ours[key] = np.quantile(x, q), error(x, method="quantile", prob=q)
        for key, (value, noise) in ours.items():
            found[parameter, key] = abs(value - one[key]) / np.hypot(noise, one[f"{key}_error"])
    return found


def of_table(fit, i):
    """Draws of a table of a `BayesFit` by the names of the reference."""
    named = {name: fit.draws(name)[i] for name in ("d_prime", "c", "meta_d", "m_ratio")}
    for name, side in (("left", "t2_criteria_rS1"), ("right", "t2_criteria_rS2")):
        x = fit.draws(side)[i]
        named |= {f"{name}[{k + 1}]": x[..., k] for k in range(x.shape[-1])}
    return named
