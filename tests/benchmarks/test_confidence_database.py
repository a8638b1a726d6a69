"""All sets of the Confidence Database. Oracles: closed forms, counts by hand, the archive where it is."""

import csv
import json
from pathlib import Path

import confidence_database as database
import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

needs_archive = pytest.mark.skipif(
    database.archive() is None,
    reason="no Confidence Database here: put its data.tar.xz below METACOG_DATA_HOME/confidence_database",
)


@pytest.fixture(scope="module")
def committed() -> pd.DataFrame:
    return pd.read_csv(database.OUT, keep_default_na=True).set_index("set")


def test_the_second_computation_finds_the_observer_that_it_is_given():
    """An observer without noise in its ratings has M-ratio 1; half of that is found by expected counts, too."""
    d, edges = 1.4, np.array([-1.2, -0.5, 0.1, 0.7, 1.3])  # type-1 criterion .1, three ratings a side
    cells = [np.diff(norm.cdf(np.concatenate([[-np.inf], edges, [np.inf]]), m)) for m in (-d / 2, d / 2)]
    found = database.meta_d_of(*(10_000 * c for c in cells))
    assert found == pytest.approx((d, d), abs=2e-3)
    meta, middle = 0.7, 0.1 / d * 0.7
    tables = []
    for type1, mean in zip(cells, (-meta / 2, meta / 2), strict=True):
        table = []
        for side, ends in enumerate(([-np.inf, -0.9, -0.4, middle], [middle, 0.5, 1.0, np.inf])):
            given = np.diff(norm.cdf(ends, mean))
            table.append(type1[3 * side : 3 * side + 3].sum() * given / given.sum())
        tables.append(10_000 * np.concatenate(table))
    assert database.meta_d_of(*tables) == pytest.approx((d, meta), abs=2e-3)


def test_the_second_auroc2_counts_pairs():
    right = np.array([True, True, True, False, False])
    sure = np.array([3.0, 2.0, 1.0, 2.0, 1.0])
    # of six pairs the right one is surer in three, and two tie
    assert database.auroc2_of(right, sure) == pytest.approx((3 + 2 / 2) / 6)
    assert np.isnan(database.auroc2_of(np.ones(5, dtype=bool), sure))


def test_half_a_trial_is_added_only_where_a_rating_in_use_has_an_empty_cell():
    full = np.array([5, 4, 3, 2]), np.array([2, 3, 4, 5])
    assert all((a == b).all() for a, b in zip(database.padded(*full), full, strict=True))
    nobody = np.array([0, 9, 3, 2]), np.array([0, 5, 4, 5])
    assert all((a == b).all() for a, b in zip(database.padded(*nobody), nobody, strict=True))
    one = np.array([0, 9, 3, 2]), np.array([1, 5, 4, 5])
    assert database.padded(*one)[0].tolist() == [0.5, 9.5, 3.5, 2.5]


@pytest.fixture
def made_set(tmp_path: Path) -> Path:
    """Three people of 60 trials, one of whom never rates, with codes for no answer."""
    rng = np.random.default_rng(3)
    rows = []
    for person in ("a", "b", "c"):
        for _ in range(60):
            side = rng.integers(1, 3)
            answer = side if rng.random() < 0.75 else 3 - side
            sure = rng.integers(2, 5) if answer == side else rng.integers(1, 4)
            rows.append((person, side, answer, "NaN" if person == "c" else sure))
    rows[0] = ("a", 1, "TIMEOUT", 2)
    path = tmp_path / "data_Made_2020.csv"
    with path.open("w", newline="") as handle:
        csv.writer(handle).writerows([("Subj_idx", "Stimulus", "Response", "Confidence"), *rows])
    return path


def test_a_set_comes_out_with_its_people_or_the_words_of_the_refusal(made_set, tmp_path):
    row = database.run_set(made_set, database.DEFAULT, tmp_path / "out")
    assert (row["rows"], row["rows_used"], row["people"], row["people_measured"]) == (180, 119, 2, 2)
    assert "TIMEOUT" in row["left_out"] and "60" in row["left_out"] and not row.get("refusal")
    assert not database.misparted(made_set, row, tmp_path / "out")
    area, ratio = database.by_scipy(made_set, database.DEFAULT)
    assert (row["auroc2"], row["m_ratio_median"]) == pytest.approx((area, ratio), abs=1e-3)
    refused = database.run_set(
        made_set, database.DEFAULT.replace("--rating Confidence", "--rating RT"), tmp_path / "no"
    )
    assert "RT" in refused["refusal"] and "TRACEBACK" not in refused["refusal"]


def test_another_parting_of_people_is_found(made_set, tmp_path):
    row = database.run_set(made_set, database.DEFAULT, tmp_path / "out")
    measures = pd.read_csv(tmp_path / "out" / "measures.csv", dtype=str)
    measures["person"] = measures["person"].replace("b", "d")
    measures.to_csv(tmp_path / "out" / "measures.csv", index=False)
    assert database.misparted(made_set, row, tmp_path / "out")


def test_the_committed_table_holds_all_sets_each_with_a_result_or_a_refusal(committed):
    facts = json.loads(database.OUT.with_suffix(".json").read_text(encoding="utf-8"))
    assert len(committed) == facts["sets"] == 140 and committed.index.is_unique
    done = committed[committed["refusal"].isna()]
    assert (
        len(done) == facts["imported"]
        and not committed["refusal"].astype(str).str.contains("TRACEBACK").any()
    )
    assert done[["rows", "rows_used", "people", "accuracy"]].notna().all(axis=None)
    assert (done["rows_used"] <= done["rows"]).all() and (done["people_measured"] <= done["people"]).all()
    lost = [
        sum(int(x.split()[0].replace(",", "")) for x in str(w).split("; "))
        for w in done["left_out"].fillna("0")
    ]
    assert (done["rows"] - done["rows_used"] == lost).all()
    given = database.exceptions()
    assert committed["options"].to_dict() == {s: given.get(s, database.DEFAULT) for s in committed.index}
    assert set(given) <= set(committed.index)
    twice = committed.loc[list(database.TWICE)]
    assert (twice["m_ratio_median"] - twice["m_ratio_scipy"]).abs().max() <= database.CLOSE
    assert (twice["auroc2"] - twice["auroc2_scipy"]).abs().max() <= database.CLOSE
    assert facts["accuracy_below_half"] == done.index[done["accuracy"] < 0.5].tolist()
    assert not facts["faults"]


@pytest.mark.proof
@needs_archive
@pytest.mark.parametrize("name", ["Clark_2018", "Lempert_2015", "OHora_unpub_1"])
def test_committed_rows_are_those_of_the_archive(committed, tmp_path, name):
    (path,) = database.unpack(database.archive(), tmp_path, (name,))
    row = database.run_set(path, database.exceptions().get(name, database.DEFAULT), tmp_path / "out")
    area, ratio = database.by_scipy(path, row["options"])
    assert not database.misparted(path, row, tmp_path / "out")
    for column in ("rows", "rows_used", "people", "people_measured", "left_out"):
        assert row[column] == committed.fillna({"left_out": ""}).loc[name, column]
    assert row["m_ratio_median"] == pytest.approx(ratio, abs=database.CLOSE)
    assert row["auroc2"] == pytest.approx(area, abs=database.CLOSE)
    for column in ("accuracy", "auroc2", "m_ratio_median", "m_ratio_mean"):
        assert row[column] == pytest.approx(committed.loc[name, column], abs=1e-3)
