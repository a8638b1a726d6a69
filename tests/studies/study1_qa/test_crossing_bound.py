"""What unequal readers of one difficulty reach. Oracle: simulated readers whose answers depend on it unequally."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from answerers import TwoAnswerers

from metacog.core.errors import MetacogError
from metacog.sdt.area_crossing import crossing
from metacog.studies.study1_qa import crossing_bound
from metacog.studies.study1_qa.luck import on_crossings
from metacog.studies.study1_qa.luck_parts import crossings
from metacog.studies.study1_qa.shared_items import SharedItems

NOISE = (0.4, 1.4)


def readers(ratio: float, slope: float = 1.4, **more) -> TwoAnswerers:
    """The first model reads better, and its answers depend on the difficulty so many times as steeply."""
    return TwoAnswerers(
        ability=(0.0, 0.0), slope=(slope * ratio**0.5, slope / ratio**0.5), noise=NOISE, **more
    )


def judged(models: TwoAnswerers, runs: int, seed: int, n: int = 1304) -> tuple[list[bool | None], float]:
    """Verdicts on simulated runs, and the share of runs whose interval lies above 0."""
    rng = np.random.default_rng(seed)
    verdicts, above = [], []
    for _ in range(runs):
        made = models.answers(n, rng)
        asked = {"question_id": np.arange(n), "temperature": 0.1}
        trials = pd.concat(
            pd.DataFrame(asked | {"model": name, "correct": made.correct[i], "nlp": made.sure[i]})
            for i, name in enumerate(("one", "two"))
        )
        table = crossings(SharedItems.of(trials))
        (unit,) = on_crossings(table, 0.1)
        verdicts.append(unit.holds)
        above.append(bool(table["lower"].iloc[0] > 0))
    return verdicts, float(np.mean(above))


@pytest.mark.parametrize(
    ("ratio", "above_0"),
    [
        pytest.param(1.33, 0.19, marks=pytest.mark.proof),
        (2.0, 0.63),
        pytest.param(3.0, 0.95, marks=pytest.mark.proof),
    ],
)
def test_unequal_readers_of_one_difficulty_are_not_called_self_knowing(ratio: float, above_0: float) -> None:
    """Their interval lies above 0 in 19, 63 and 95 % of runs, which the rule took for self-knowledge."""
    verdicts, above = judged(readers(ratio), 150, seed=round(100 * ratio))
    assert above == pytest.approx(above_0, abs=0.1)
    assert verdicts.count(True) <= 0.05 * len(verdicts)


@pytest.mark.parametrize(
    ("models", "n", "runs"),
    [
        (readers(3.0), 200, 40),
        pytest.param(readers(3.0), 200, 150, marks=pytest.mark.proof),
        pytest.param(TwoAnswerers(slope=(2.4, 0.8), noise=(0.4, 4.0)), 1304, 150, marks=pytest.mark.proof),
    ],
)
def test_the_same_holds_with_few_questions_and_with_a_much_worse_reader(
    models: TwoAnswerers, n: int, runs: int
) -> None:
    """A rule that calls 20 % of runs self-knowing gets through 40 of them once in a hundred times."""
    verdicts, _ = judged(models, runs, seed=n, n=n)
    assert verdicts.count(True) <= 0.05 * len(verdicts)


@pytest.mark.parametrize("ratio", [1.0, 3.0])
def test_models_that_know_themselves_are_called_so(ratio: float) -> None:
    models = readers(ratio, state_slope=(1.0, 1.0), reads_state=(0.7, 0.7))
    verdicts, _ = judged(models, 30, seed=7)
    assert verdicts.count(True) >= 0.9 * len(verdicts)


def test_the_share_is_less_than_that_of_small_slopes() -> None:
    """Where slopes are small, leads go with them: r to 1, and half the difference is (r - 1)/(r + 1) of the mean."""
    limit = (crossing_bound.SLOPE_RATIO - 1) / (crossing_bound.SLOPE_RATIO + 1)
    rng = np.random.default_rng(1)
    shares = []
    for slope in (0.15, 0.8, 2.0):
        made = readers(crossing_bound.SLOPE_RATIO, slope).answers(2_000_000, rng)
        found = crossing(made.correct[0], made.sure[0], made.correct[1], made.sure[1])
        shares.append(found.value / found.lead)
    assert shares[0] == pytest.approx(limit, abs=0.06) and shares[0] > shares[1] > shares[2]
    assert (crossing_bound.shares() >= shares[1]).all() and (crossing_bound.shares() < limit + 0.1).all()


def test_the_bound_is_a_share_of_the_lead_whoever_has_it() -> None:
    sizes = crossing_bound.shares()
    n = int(sizes.index[2])
    assert crossing_bound.crossing_bound(n, 0.1) == pytest.approx(0.1 * sizes.loc[n])
    assert crossing_bound.crossing_bound(n, -0.1) == crossing_bound.crossing_bound(n, 0.1)
    ends = sizes.iloc[[0, -1]].to_numpy()
    assert [crossing_bound.crossing_bound(m, 1.0) for m in (1, 10**6)] == pytest.approx(ends)
    between = crossing_bound.crossing_bound(round(np.sqrt(sizes.index[0] * sizes.index[1])), 1.0)
    assert between == pytest.approx(sizes.iloc[:2].mean(), abs=0.001)
    assert np.isnan(crossing_bound.crossing_bound(n, float("nan")))


def test_the_rule_is_shown_at_the_nearest_size() -> None:
    assert set(crossing_bound.rule_rows(1303)["n_questions"]) == {1304}
    assert set(crossing_bound.rule_rows(0)["n_questions"]) == {
        crossing_bound.simulations()["n_questions"].min()
    }


def test_a_missing_table_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("metacog.core.frames.committed", lambda name: tmp_path / name)
    with pytest.raises(MetacogError, match="crossing_bound.csv is missing: .*README"):
        crossing_bound.simulations.__wrapped__()
