"""Coverage of mean withdraw deltas. Oracles: what each truth says about itself, and the committed simulation."""

from __future__ import annotations

import delta_coverage as simulation
import numpy as np
import pandas as pd
import pytest

MODELS = simulation.sizes()


@pytest.mark.parametrize("truth", simulation.TRUTHS)
def test_truths_are_what_they_are_reported_to_be(truth):
    one = next(m for m in MODELS if m.model == "GPT-5.4")
    p = simulation.rates(one, truth, 2_000, np.random.default_rng(1))
    value = (p @ simulation.MEAN).mean()
    shrunk = (one.kept + 0.5) / (one.n + 1) @ simulation.MEAN
    assert value == pytest.approx(0 if truth == "null" else shrunk, abs=0.01)
    assert p.shape == (2_000, 10) and (p.std(axis=0).max() > 0.01) == (truth == "drawn")


def test_the_committed_coverage_is_between_93_and_97_percent():
    """Seventeen sizes, four truths; ends beyond the truth about one time in forty on either side."""
    table = pd.read_csv(simulation.OUT)
    means = table[table["kind"] == "mean"]
    assert set(means["model"]) == {m.model for m in MODELS} and len(means) == 4 * len(MODELS)
    by = means.groupby("truth")[["coverage", "too_high", "too_low"]].mean()
    assert by["coverage"].between(0.93, 0.97).all() and (by[["too_high", "too_low"]] <= 0.03).all().all()
    assert means["coverage"].min() >= 0.93 - 2 * np.sqrt(0.07 * 0.93 / 10_000)
    assert means["too_high"].max() < 0.04 < 0.09 < means["too_high_before"].max()
    null = means[means["truth"] == "null"]
    assert (null["rejected"] <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1_000)).all()
    boards = table[table["kind"] == "family"].set_index("truth")["any_rejected"]
    assert boards["null, together"] <= 0.05 < boards["null, alone"]
