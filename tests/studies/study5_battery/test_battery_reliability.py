"""How far the battery agrees with itself. Oracles: printed figures, closed forms, deltas of the halves."""

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study5_battery.regulation import contrasts
from metacog.studies.study5_battery.measures import integrity
from metacog.studies.study5_battery.ledger import published
from metacog.studies.study5_battery.regulation import reliability
from metacog.studies.study5_battery.regulation import item_halves as halves_of
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.ledger.responses import load

ROWS = load()
MEANS = mean_deltas(deltas(ROWS))


def test_printed_reliability_comes_out_to_its_last_digit():
    printed = published.as_text("reliability").set_index("statistic")["value"].astype(float)
    halves, apart = reliability.split_half(ROWS), reliability.profiles_apart(MEANS)
    found = [halves.pearson.r, halves.whole, apart.d, apart.lower, apart.upper]
    assert np.round(found, 3) == pytest.approx(printed.iloc[:5].to_numpy(), abs=1e-9)
    assert round(reliability.dissociation(ROWS).pearson.r, 2) == printed.iloc[5]
    assert (halves.pearson.n, apart.n_c, apart.n_a) == (19, 8, 5)


def test_a_cut_bell_curve_has_the_d_of_its_simulation():
    rng = np.random.default_rng(1)
    values = rng.normal(10, 10, 200_000)
    _, bell = reliability.split_d(pd.DataFrame({"delta": values}), threshold=15)
    above, below = values[values >= 15], values[values < 15]
    spread = np.sqrt((above.var() * above.size + below.var() * below.size) / values.size)
    assert bell == pytest.approx((above.mean() - below.mean()) / spread, rel=0.01)


def test_kinds_are_dealt_evenly_and_chance_takes_the_odd_one():
    kind = np.repeat([0, 1, 2], [4, 7, 1])
    dealt = np.array([halves_of.deal(kind, np.random.default_rng(seed)) for seed in range(400)])
    sizes = np.stack([dealt[:, kind == k].sum(axis=1) for k in range(3)])
    assert set(sizes[0]) == {2} and set(sizes[1]) == {3, 4} and set(sizes[2]) == {0, 1}
    assert np.abs(dealt.mean(axis=0) - 0.5).max() < 0.1  # four standard errors
    assert len({tuple(row) for row in dealt}) > 200


def test_halves_are_compared_by_the_deltas_of_each():
    answers, kind, track = halves_of.answers_of(ROWS)
    half = halves_of.deal(kind, np.random.default_rng(3))
    own = ROWS[ROWS["track"].isin(RETROSPECTIVE)]
    items = own.pivot(index="model", columns=["track", "item_type", "item"], values="keep").columns
    first = {(t, i) for (t, _, i), mine in zip(items, half, strict=True) if mine}
    mine = np.array([(t, i) in first for t, i in zip(own["track"], own["item"], strict=True)])
    one, other = (
        deltas(part).set_index(["model", "track"])["delta"].unstack() for part in (own[mine], own[~mine])
    )
    both = one.notna() & other.notna()
    enough = both.sum(axis=1) >= 2
    x, y = (side.where(both).mean(axis=1)[enough] for side in (one, other))
    r, n = halves_of._compared(answers, track, half)[halves_of.MEASURES.index("withdraw delta")]
    assert n == enough.sum() and r == pytest.approx(np.corrcoef(x, y)[0, 1])


def test_reliability_of_simulated_models_is_that_of_classical_test_theory():
    """Rates p of independent answers: var(p) over var(p) and the mean error of the mean of five tracks."""
    rng = np.random.default_rng(5)
    items = ROWS[(ROWS["model"] == "GLM-5") & ROWS["track"].isin(RETROSPECTIVE)]
    ability = rng.uniform(0.6, 0.9, 80)
    made = pd.concat(
        [
            items.assign(model=f"m{k}", correct=rng.random(len(items)) < p, keep=rng.random() < 0.5)
            for k, p in enumerate(ability)
        ]
    )
    sizes = items.groupby("track").size()
    error = np.mean(ability * (1 - ability)) * (1 / sizes).sum() / 25
    table = halves_of.item_halves(made, 200, 1).set_index("measure")
    expected = ability.var() / (ability.var() + error)
    assert table.at["right", "whole"] == pytest.approx(expected, abs=0.03)
    assert table.at["right", "models"] == 80 and table.at["KEEP", "r"] == pytest.approx(1)
    assert "KEEP 1.00" in halves_of.halves_said(table.reset_index())


def test_on_the_published_responses_deltas_are_less_reliable_than_rates():
    table = halves_of.item_halves(ROWS, 100, 42).set_index("measure")
    assert table.loc["withdraw delta", "whole"] < 0.8 < 0.95 < table.loc["right", "whole"]
    assert (table["lower"] <= table["r"]).all() and (table["r"] <= table["upper"]).all()
    again = halves_of.item_halves(ROWS, 100, 42).set_index("measure")
    pd.testing.assert_frame_equal(table, again)


def test_families_are_judged_where_no_two_files_are_alike():
    rows = load()
    rng = np.random.default_rng(3)
    rows = rows.assign(**{name: rng.random(len(rows)) < 0.6 for name in ("correct", "keep", "bet")})
    twins = integrity.identical(rows)
    assert twins.empty and len(contrasts.scaling_verdicts(rows, twins[twins["copied"]])) == 2 * len(
        contrasts.FAMILIES
    )
