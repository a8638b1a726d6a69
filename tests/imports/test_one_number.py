"""One number whichever way it is taken: the command's table, `measures_of` and the functions on counts agree.

Oracles: counts by numpy, `fit_meta_d` of them, and the area of all pairs of a right and a wrong answer.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from metacog.imports.mapping import Columns
from metacog.imports.report import Request, load
from metacog.measures import measures_of
from metacog.measures.table import Options, measure_table
from metacog.sdt import fit_meta_d
from metacog.sdt.binning import quantile_edges, rate

SIZE = {"n_resamples": 60, "seed": 7}
NAMES = {"accuracy", "auroc2", "meta_i2r", "meta_i", "d_prime", "criterion", "meta_d", "m_ratio"}


def people(kind: str, seed: int) -> pd.DataFrame:
    """Trials of three people who use a slider, ratings or percentages each in a way of one's own."""
    rng, parts = np.random.default_rng(seed), []
    for i in range(3):
        n = int(rng.integers(60, 260))
        shown = rng.integers(0, 2, n)
        seen = rng.normal(rng.uniform(0.8, 2.2) * (shown - 0.5), 1)
        sure = np.abs(seen + rng.normal(0, rng.uniform(0.2, 1), n)) * rng.uniform(0.5, 1.5) + 0.1 * i
        if kind == "few levels":
            sure = np.digitize(sure, np.sort(rng.uniform(0.2, 2, int(rng.integers(1, 6))))) + 1.0
        elif kind == "gaps":
            sure = np.array([1, 3, 4, 7])[np.digitize(sure, [0.4, 0.9, 1.5])] * 1.0
        else:
            sure = (1 - np.exp(-sure)).round(3 if kind == "slider" else 6)
        sides = np.array(["left", "right"])
        parts.append(
            pd.DataFrame(
                {"vp": f"p{i}", "stimulus": sides[shown], "response": sides[(seen > 0) * 1], "sure": sure}
            )
        )
    return pd.concat(parts, ignore_index=True).sample(frac=1, random_state=seed, ignore_index=True)


def area(right: np.ndarray, sure: np.ndarray) -> float:
    gap = sure[right][:, None] - sure[~right][None, :]
    return float((gap > 0).mean() + 0.5 * (gap == 0).mean())


def fitted(mine: pd.DataFrame, everyone: np.ndarray) -> dict[str, float]:
    values = np.unique(everyone)
    sure = mine["sure"].to_numpy()
    if values.size <= 10:
        rating, k = np.searchsorted(values, sure), values.size
    else:
        rating, k = rate(sure, quantile_edges(sure, 4)) - 1, 4
    cell = np.where(mine["response"] == "right", k + rating, k - 1 - rating)
    counts = np.array(
        [np.bincount(cell[mine["stimulus"] == side], minlength=2 * k) for side in ("left", "right")]
    )
    counts = counts[:, counts.sum(axis=0) > 0] if (counts.sum(axis=0) == 0).any() else counts
    if (
        counts.shape[1] < 2 * k
    ):  # a rating that this person never gave says nothing, but the fit wants both sides alike
        return {}
    fit = fit_meta_d(*(counts + 0.5 * (counts == 0).any()).astype(float))
    return {"d_prime": fit.d_prime, "criterion": fit.c, "meta_d": fit.meta_d, "m_ratio": fit.m_ratio}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", ["few levels", "gaps", "slider", "fine"])
@pytest.mark.parametrize("open_answers", [False, True])
def test_all_doors_give_the_same_numbers(tmp_path, kind, seed, open_answers):
    table = people(kind, seed)
    right = table["stimulus"] == table["response"]
    table["ok"] = np.where(right, "correct", "incorrect")
    table.to_csv(tmp_path / "t.csv", index=False)
    two = {} if open_answers else {"stimulus": "stimulus", "response": "response"}
    roles = (
        Columns(correct="ok", confidence="sure", person="vp")
        if open_answers
        else Columns(stimulus="stimulus", response="response", rating="sure", person="vp")
    )
    trials, _ = load(tmp_path / "t.csv", Request(roles))
    options = Options(60, 60, 7, clustered=False)
    command = measure_table(trials, options, by=("model",))[0].set_index("model")
    library = measures_of(table, "vp", correct="ok", confidence="sure", **two, **SIZE)
    follows = measures_of(
        table, "vp", correct="ok", confidence="sure", **({"stimulus": "stimulus"} if two else {}), **SIZE
    )
    pd.testing.assert_frame_equal(library, follows)  # the response is what correctness says that it was
    assert open_answers or NAMES == set(library["measure"])
    for row in library.itertuples():
        mine = command.loc[row.vp]
        np.testing.assert_array_equal(row.estimate, mine[row.measure], err_msg=row.measure)
        if row.measure != "meta_i" and f"{row.measure}_lower" in mine:
            ends = mine[f"{row.measure}_lower"], mine[f"{row.measure}_upper"]
            np.testing.assert_array_equal((row.lower, row.upper), ends, err_msg=row.measure)
    for who, part in table.groupby("vp"):
        hit, sure = right[part.index].to_numpy(), part["sure"].to_numpy()
        assert command.loc[who, "accuracy"] == pytest.approx(hit.mean(), abs=1e-12)
        assert command.loc[who, "auroc2"] == pytest.approx(area(hit, sure), abs=1e-12)
        if not open_answers:
            for name, value in fitted(part, table["sure"].to_numpy()).items():
                assert command.loc[who, name] == pytest.approx(value, abs=1e-6), name


def test_a_person_has_the_same_numbers_alone_as_among_others(tmp_path):
    table = people("slider", 5)
    both = {"stimulus": "stimulus", "response": "response", "confidence": "sure"}
    among = measures_of(table, "vp", **both, **SIZE)
    for who, part in table.groupby("vp"):
        alone = measures_of(part, "vp", **both, **SIZE)
        pd.testing.assert_frame_equal(alone, among[among["vp"] == who].reset_index(drop=True))


def test_auroc2_is_that_of_raw_confidence_not_of_levels(tmp_path):
    table = people("fine", 9)
    table["stimulus"] = table["stimulus"].map({"left": 0, "right": 90})
    table["response"] = table["response"].map({"left": 0, "right": 90})
    right, sure = (table["stimulus"] == table["response"]).to_numpy(), table["sure"].to_numpy()
    table.to_csv(tmp_path / "t.csv", index=False)
    roles = Columns(stimulus="stimulus", response="response", rating="sure")
    trials, report = load(tmp_path / "t.csv", Request(roles, pool=True))
    found = measure_table(trials, Options(60, 60, clustered=False), by=("model",))[0].iloc[0]
    assert found["auroc2"] == pytest.approx(area(right, sure), abs=1e-12)
    levels = rate(sure, quantile_edges(sure, 4))
    assert abs(area(right, levels) - found["auroc2"]) > 0.002  # which levels would give
    assert any("4 levels" in note for note in report.notes)


@pytest.mark.parametrize("kind", ["polars", "pyarrow", "mapping"])
def test_tables_of_other_libraries_are_measured_alike(kind):
    import pyarrow as pa

    class Frame:
        """What polars offers: names, columns by name, and no way to pandas without another package."""

        columns = ("vp", "ok", "sure")

        def __getitem__(self, name):
            return table[name].tolist()

        def to_dict(self):
            return {}

        def to_pandas(self):
            raise ModuleNotFoundError("pyarrow is required")

    table = people("slider", 1).assign(ok=lambda t: np.where(t["stimulus"] == t["response"], "C", "I"))
    made = {"polars": Frame(), "pyarrow": pa.Table.from_pandas(table), "mapping": table.to_dict("list")}[kind]
    words = {"correct": "ok", "confidence": "sure", **SIZE}
    pd.testing.assert_frame_equal(measures_of(made, "vp", **words), measures_of(table, "vp", **words))
