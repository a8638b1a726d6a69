"""Every verdict against its own null. Oracle: the nominal level, within the error of the simulation kept."""

from __future__ import annotations

import dataclasses
import sys
import typing
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from metacog.report.rules import Unit, every
from metacog.report.verdicts import Kind, Verdict
from metacog.studies import studies

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import verdict_sweep
from sweep import outcomes, worlds
from sweep.families import FAMILIES, tallied
from sweep.nulls import ELSEWHERE, must_not_pass, null_of
from sweep.outcomes import Judged, Key, found

TABLE = verdict_sweep.OUT
BY_NAME = {f.name: f for f in FAMILIES}


@pytest.fixture(scope="module")
def kept() -> pd.DataFrame:
    if not TABLE.is_file():
        pytest.fail("data/simulations/verdict_sweep.csv is missing: `python benchmarks/verdict_sweep.py`")
    return pd.read_csv(TABLE, keep_default_na=False)


def _with_verdicts() -> set[tuple[str, str]]:
    """Analyses whose results hold verdicts."""
    return {
        (study.name, one.name)
        for study in studies()
        for one in study.analyses
        if any(f.name == "verdicts" for f in dataclasses.fields(one.returns))
    }


def test_every_analysis_with_verdicts_is_swept_or_has_a_reason():
    swept = {pair for f in FAMILIES for pair in f.pairs}
    assert _with_verdicts() <= swept | set(ELSEWHERE)
    assert set(ELSEWHERE) <= _with_verdicts() and not swept & set(ELSEWHERE)
    assert set(outcomes.WORDS) <= swept


def test_the_table_holds_every_family_world_and_analysis(kept):
    """Skipped, with what is lacking, until all of it was run: ``make validate PROOFS=verdict_sweep``."""
    have = set(zip(kept["family"], kept["world"], strict=True))
    wanted = {(f.name, w) for f in FAMILIES for w in f.worlds}
    assert have <= wanted
    # ranks of the published models take a minute a run; their level is simulated in delta_coverage.csv
    nulls = kept[kept["is_null"] & (kept["family"] != "published ranks")]
    asked = nulls["world"].str.contains("accuracy").map({True: 20, False: 200})
    short = nulls[nulls["runs"] < asked]
    lacking = sorted({name for name, _ in wanted - have} | set(short["family"]))
    if lacking:
        pytest.skip(f"not simulated in full yet: {', '.join(lacking)}")
    with_rows = set(zip(kept["study"], kept["analysis"], strict=True))
    assert {pair for f in FAMILIES for pair in f.pairs} <= with_rows


def test_every_verdict_of_the_table_has_its_null_or_a_reason(kept):
    rows = kept[kept["kind"] != "stopped"]
    keys = {Key(*row) for row in rows[verdict_sweep.KEYS].itertuples(index=False)}
    lacking = [k for k in keys if null_of(k) is None]
    assert not lacking, lacking
    for key in keys:
        mine = rows[(rows[verdict_sweep.KEYS] == list(dataclasses.astuple(key))).all(axis=1)]
        null = null_of(key)
        assert mine["is_null"].any() or null.reason or key.level == "unit", key


def test_nothing_is_supported_where_nothing_is_and_no_analysis_stops(kept):
    broken = verdict_sweep.faults(kept)
    shown = broken[["study", "analysis", "hypothesis", "rule", "level", "world", "runs", "supported"]]
    assert broken.empty, shown.to_string()


def test_the_bound_is_the_level_and_two_errors_of_the_runs():
    assert verdict_sweep.bound(200) == pytest.approx(0.0808, abs=1e-4)
    row = {"is_null": True, "one_unjudged": False, "kind": "exploratory", "runs": 200, "supported": 0.085}
    rows = pd.DataFrame([row, row | {"supported": 0.08}, row | {"is_null": False}])
    assert list(verdict_sweep.faults(rows).index) == [0]
    rows = pd.DataFrame([row | {"is_null": False, "one_unjudged": True, "supported": 0.01}])
    assert len(verdict_sweep.faults(rows)) == 1


def test_units_of_a_verdict_are_seen_though_a_study_makes_it():
    from metacog.studies.study5_battery.monitoring import analysis as judging

    with Judged().watching() as judged:
        rows = pd.DataFrame({"model": ["a", "b"], "holds": [True, None]})
        units = [Unit(m, h, "" if h else "flat") for m, h in rows.itertuples(index=False)]
        verdict = Verdict("H", Kind.EXPLORATORY, "every model", judging.every(units))
    record = typing.NamedTuple("Record", [("verdicts", tuple)])((verdict.under("page"),))
    levels = [(k.level, passed) for k, passed in found("study4_probe", "nothing", record, judged)]
    assert levels == [("verdict", None), ("unit", True), ("unit", None)]
    assert judging.every is every  # put back


def test_an_every_that_passes_without_a_unit_is_a_fault():
    key = Key(
        "study5_battery",
        "replication_monitoring",
        "monitoring",
        "exploratory",
        "delta",
        "Every model withdraws.",
    )
    assert must_not_pass(key, "one never right") and not must_not_pass(key, "equal")
    assert not must_not_pass(dataclasses.replace(key, level="unit"), "one never right")


@pytest.mark.parametrize("study", list(worlds.COLLECTED))
@pytest.mark.parametrize("world", ["no knowledge", "one constant", "one never right", "nearly constant"])
def test_worlds_are_what_they_say(study, world):
    name, rows = next(iter(worlds.COLLECTED[study](world, np.random.default_rng(1)).items()))
    assert len(rows) and name
    right = rows["correct"].astype(bool) if study != "study4_probe" else rows["credit"] > 0.5
    by_model = right.groupby(rows["model"], sort=False).mean()
    assert (by_model.iloc[-1] == 0) == (world == "one never right")
    sure = {"study4_probe": "stated", "study5_battery": "p_keep"}.get(study, "confidence")
    cells = {
        "study1_qa": ["model", "temperature", "domain"],
        "study2_two_choice": ["model", "task"],
        "study3_dmc": ["model", "method"],
        "study4_probe": ["model", "task", "sample"],
        "study5_battery": ["model", "track"],
    }[study]
    values = rows.dropna(subset=[sure]).groupby(cells, sort=False)[sure].nunique()
    last = values.xs(rows["model"].iloc[-1])
    assert (last == 1).all() == (world == "one constant")
    assert (values <= 2).all() == (world == "nearly constant")


def test_a_small_sweep_runs():
    family = BY_NAME["battery"]
    together, n = tallied(family, "no knowledge", verdict_sweep.seeds_of(family, "no knowledge", 2), 60)
    rows = pd.DataFrame([verdict_sweep.row_of(family, "no knowledge", k, c, n) for k, c in together.items()])
    assert not (rows["kind"] == "stopped").any() and rows.loc[rows["is_null"], "supported"].max() < 1
    assert {"monitoring", "graded probe"} <= set(rows.loc[rows["is_null"], "hypothesis"])
