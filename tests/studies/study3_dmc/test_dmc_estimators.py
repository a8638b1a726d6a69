"""Simulated observers and the stored simulations. Oracles: closed forms, small runs of the scripts."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from metacog.core.paths import project_root
from metacog.sdt import InputError, ece, fit_dmc, meta_d_observer, type2_table
from metacog.sdt.calibration import brier_score
from metacog.studies.study3_dmc import dmc, observers, paper

sys.path.insert(0, str(project_root() / "benchmarks"))
import dmc_estimators


def test_probabilities_are_probabilities_of_the_ability_wanted():
    from metacog.sdt.type1 import type1

    for kind in observers.KINDS:
        for d in (0.6, 2.0):
            p1, p2 = observers.probabilities(kind, d)
            assert p1.sum() == pytest.approx(1) == pytest.approx(p2.sum()) and min(p1.min(), p2.min()) > 0
            assert type1(1e6 * p1, 1e6 * p2).d_prime == pytest.approx(d, abs=1e-4), kind
    with pytest.raises(InputError, match="no kind"):
        observers.probabilities("perfect", 1.0)


def test_ece_and_brier_of_counts_are_those_of_their_trials():
    drawn = np.random.default_rng(1).multinomial(
        300, np.concatenate(observers.probabilities("scatter", 1.2)) / 2
    )
    tables = drawn[None, :8], drawn[None, 8:]
    wrong, right = (x[0].astype(int) for x in type2_table(*tables))
    stated = np.concatenate([np.repeat(observers.STATED, wrong), np.repeat(observers.STATED, right)])
    correct = np.repeat([0, 1], [wrong.sum(), right.sum()])
    assert observers.measure("brier", *tables)[0] == pytest.approx(brier_score(correct, stated))
    assert observers.measure("ece", *tables)[0] == pytest.approx(ece(correct, stated, binning="unique"))


def test_the_pictured_fit_has_curves_as_far_apart_as_fitted_and_its_axes():
    """Oracle: the peaks of the drawn curves, and the fit itself."""
    s1, s2 = (x[0] for x in meta_d_observer(1.5, m_ratio=0.7).counts(400, 1, seed=42))
    drawn, fit = dmc.curves(s1, s2), fit_dmc(s1, s2)
    for panel, d in ((dmc.ABILITY, fit.d_hat), (dmc.META, fit.d_star)):
        own = drawn[drawn["panel"] == panel].set_index("line")
        peaks = [
            own.loc[name].sort_values("height")["evidence"].iloc[-1] for name in ("A is right", "B is right")
        ]
        assert peaks[1] - peaks[0] == pytest.approx(d, abs=0.12)  # the grid's steps
        assert set(own.loc[dmc.DECIDES, "evidence"]) == {fit.c0}
    confident = drawn[drawn["line"] == dmc.CONFIDENT]
    assert sorted(set(confident["evidence"])) == pytest.approx(sorted([*fit.axes_A, *fit.axes_B]))
    assert set(confident["panel"]) == {dmc.META}
    counts = dmc.counted(s1, s2)
    assert counts["n"].sum() == 400 and counts["rating"].max() == 4


def test_a_pictured_measure_is_flat_or_moves_with_ability():
    along = dmc.decoupling(None).along
    of_model = along[along["kind_name"] == observers.KINDS["model"]].groupby("measure")["value"]
    assert of_model.agg(np.ptp)["mc"] < 1e-3 < 0.1 < of_model.agg(np.ptp)["auroc2"]


def test_ability_moves_mc_and_m_ratio_by_little_of_their_range_and_the_others_by_much():
    moved = dmc.decoupling(None).moves.set_index(["kind", "measure"])["moved"]
    assert moved["model"][["mc", "m_ratio"]].max() < 1e-4  # the model says so
    tables = [np.concatenate(x) for x in zip(*(observers.exact("model", d) for d in (0.7, 2.2)), strict=True)]
    assert observers.measure("m_ratio", *tables, pad=0.0) == pytest.approx([observers.M_RATIO] * 2, abs=1e-4)


def test_how_far_ability_moves_a_measure_does_not_hang_on_its_scale(monkeypatch):
    """A coefficient of variation does: that of AUROC2 less 1/2 is four times as large as that of AUROC2."""
    plain = observers.measure
    monkeypatch.setattr(dmc, "MEASURES", {"auroc2": "AUROC2"})
    before = dmc.decoupling(None).moves["moved"].to_numpy()
    monkeypatch.setattr(dmc, "measure", lambda *a, **k: 3 * plain(*a, **k) - 0.5)
    assert dmc.decoupling(None).moves["moved"].to_numpy() == pytest.approx(before) and before.min() > 0.5


def test_stored_designs_come_from_the_script_and_tend_to_the_truth():
    kept = dmc.load_estimators()
    design = next(
        d for d in dmc_estimators.designs() if d.factor == "usage" and d.usage == "mostly the surest"
    )
    made = list(dmc_estimators.rows(design, 60, 1))
    assert set(made[0]) | {"name", "bias_lower", "bias_upper"} == set(kept.columns)
    shares = sum(type2_table(*(x[None] for x in dmc_estimators.observer(design).probabilities())))[0] / 2
    assert 100 * shares == pytest.approx(dmc_estimators.USAGE["mostly the surest"], abs=0.2)
    free = kept[(kept["c"] == 0) & (kept["estimator"] != "dmc_released")]
    assert (free["limit"] - free["m_ratio"]).abs().max() < 1e-4  # without bias both recover the truth
    held = kept[(kept["factor"] == "c") & (kept["c"] > 0)].set_index(["estimator", "holds"])
    assert (held.loc["dmc", "limit"].xs("c0") - 0.7).abs().max() < 1e-4  # each finds its own observer
    assert (held.loc["ml", "limit"].xs("c/d'") - 0.7).abs().max() < 1e-4
    large = free[free["n_trials"] == 5000]
    assert (large["bias"].abs() < 4 * large["bias_se"] + 0.02).all()
    assert (kept["used"] > 0.99 * kept["runs"]).all()


def test_a_worked_table_goes_through_both_estimators():
    one = dmc.estimators(None, seed=3)
    fits = one.fits.set_index("name")
    assert 0.15 < one.wrong / one.trials < 0.3  # P(wrong) of d' = 1.5 without bias is .227
    assert fits.loc["the observer", "ratio"] == pytest.approx(0.7)
    assert fits["ability"].iloc[1:].nunique() == 1 or np.ptp(fits["ability"].iloc[1:]) < 1e-9


def test_how_many_trials_the_printed_cvs_would_need_follows_the_simulation():
    """Twice the error takes four times the trials, half the CV too."""
    kept, printed = dmc.load_estimators(), paper.as_numbers("table1")

    def needed(table, cvs):
        cv = cvs["dmc"]
        made = SimpleNamespace(designs=table, lowest_cv=cv.min(), highest_cv=cv.max())
        return np.array([*dmc.needed(made).values()])

    one = needed(kept, printed)
    assert one[1] / one[0] == pytest.approx((0.0092 / 0.0052) ** 2, rel=0.1)
    assert needed(kept.assign(sd=2 * kept["sd"]), printed) / one == pytest.approx([4, 4], rel=0.1)
    assert needed(kept, printed.assign(dmc=printed["dmc"] / 2)) / one == pytest.approx([4, 4], rel=0.1)
