"""Recovery and coverage. Oracles: the same numbers counted by hand, and the committed result table."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import recovery as simulation

from metacog.sdt import InputError, bootstrap_meta_d_many, fit_meta_d_batch, meta_d_observer
from metacog.sdt.recovering import recovery

TABLE = Path(__file__).resolve().parents[2] / "data" / "simulations" / "recovery.csv"


def test_record_counts_what_it_says():
    observer = meta_d_observer(1.0, m_ratio=0.7)
    r = recovery(observer, 400, n_simulations=40, n_resamples=200, seed=5)
    draw, resample = np.random.SeedSequence(5).spawn(2)
    a, b = observer.counts(400, 40, draw)
    fit = fit_meta_d_batch(a + 0.5, b + 0.5)
    assert r.n_used == 40
    assert r.bias_meta_d == pytest.approx(np.mean(fit.meta_d - 0.7), abs=1e-12)
    assert r.sd_m_ratio == pytest.approx(np.std(fit.m_ratio, ddof=1), abs=1e-12)
    ends = np.array([x.ci_meta_d for x in bootstrap_meta_d_many(a, b, n_resamples=200, seed=resample)])
    assert r.coverage_meta_d == pytest.approx(np.mean((ends[:, 0] <= 0.7) & (ends[:, 1] >= 0.7)))
    assert r.miss_below == pytest.approx(np.mean(ends[:, 1] < 0.7))
    assert r.coverage_meta_d + r.miss_below + r.miss_above == pytest.approx(1.0)


def test_without_resamples_there_is_no_coverage():
    r = recovery(meta_d_observer(1.0), 300, n_simulations=20, n_resamples=0)
    assert np.isnan(r.coverage_meta_d) and np.isnan(r.coverage_m_ratio) and r.sd_meta_d > 0


def test_too_few_simulations():
    with pytest.raises(InputError, match="n_simulations"):
        recovery(meta_d_observer(1.0), 300, n_simulations=1)


def test_committed_core_designs_meet_the_target():
    """5,000 trials, K = 4: bias of meta-d' under 0.02 and coverage of 93-97 %."""
    table = pd.read_csv(TABLE)
    core = table[table["sweep"] == "core"]
    assert sorted(zip(core["d_prime"], core["m_ratio"], strict=True)) == [
        (d, m) for d in (0.5, 1.0, 2.0) for m in (0.6, 1.0)
    ]
    assert (core["n_trials"] == 5_000).all() and (core["n_simulations"] >= 1_000).all()
    assert (core["n_resamples"] >= 1_000).all() and (core["n_used"] == core["n_simulations"]).all()
    assert (core["bias_meta_d"].abs() < 0.02).all()
    assert core["coverage_meta_d"].between(0.93, 0.97).all()
    assert core["coverage_m_ratio"].between(0.93, 0.97).all()
    facts = json.loads(TABLE.with_suffix(".json").read_text(encoding="utf-8"))
    assert facts["command"].startswith("python benchmarks/recovery.py")


@pytest.mark.parametrize("row", [0, 5])
def test_a_slice_of_the_core_designs_comes_out_as_committed(row):
    stored, design = pd.read_csv(TABLE).iloc[row], simulation.designs()[row]
    assert {name: stored[name] for name in design} == design
    observer = meta_d_observer(design["d_prime"], m_ratio=design["m_ratio"])
    made = recovery(
        observer, design["n_trials"], n_simulations=300, n_resamples=0, seed=simulation.SEED + row
    )
    for name in ("meta_d", "m_ratio"):
        spread = stored[f"sd_{name}"]
        assert getattr(made, f"bias_{name}") == pytest.approx(
            stored[f"bias_{name}"], abs=4 * spread / np.sqrt(300)
        )
        assert getattr(made, f"sd_{name}") == pytest.approx(spread, rel=4 / np.sqrt(2 * 300))
