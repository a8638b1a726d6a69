"""Every verdict against its own null. Oracle: the nominal level, within the error of the simulation kept."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import verdict_sweep
from readers import fields_of
from sweep import nulls, outcomes, worlds
from sweep.families import FAMILIES
from sweep.nulls import ELSEWHERE, must_not_pass, null_of
from sweep.outcomes import Asked, Judged, Key, found
from sweep.running import simulated_run

from metacog.sdt import auroc2, fit_meta_d
from metacog.studies import get_study, studies
from metacog.studies.study1_qa.cells import RUN
from metacog.verdicts.outcomes import Rule, of_rule
from metacog.verdicts.rules import Unit

TABLE = verdict_sweep.OUT
BY_NAME = {f.name: f for f in FAMILIES}


@pytest.fixture(scope="module")
def kept() -> pd.DataFrame:
    if not TABLE.is_file():
        pytest.fail("data/simulations/verdict_sweep.csv is missing: `python benchmarks/verdict_sweep.py`")
    return verdict_sweep.read()


def _with_verdicts() -> set[tuple[str, str]]:
    """Analyses whose results hold verdicts, or outcomes by the rules of their study."""
    return {
        (study.name, one.name)
        for study in studies()
        for one in study.analyses
        if "outcomes" in fields_of(one) and study.rules
    }


def test_every_analysis_with_verdicts_is_swept_or_has_a_reason():
    swept = {pair for f in FAMILIES for pair in f.pairs}
    assert _with_verdicts() <= swept | set(ELSEWHERE)
    assert set(ELSEWHERE) <= _with_verdicts() and not swept & set(ELSEWHERE)
    assert set(outcomes.WORDS) <= swept


def test_what_the_table_lacks_is_named_beside_it(kept):
    """A family and world that was not run, under another design, or too seldom, stands in the sidecar."""
    said = json.loads(TABLE.with_suffix(".json").read_text())["lacking"]
    assert said == {f"{f}, {w}": f"{n} runs so far" for (f, w), n in verdict_sweep.lacking(kept).items()}
    wanted = {(f.name, w) for f in FAMILIES for w in f.worlds}
    assert set(zip(kept["family"], kept["world"], strict=True)) <= wanted
    with_rows = set(zip(kept["study"], kept["analysis"], strict=True))
    bare = {f.name for f in FAMILIES if not set(f.pairs) <= with_rows}
    assert bare <= {name.rpartition(", ")[0] for name in said} | {"published ranks"}


@pytest.mark.parametrize("family", [f for f in FAMILIES if f.name != "published ranks"], ids=lambda f: f.name)
def test_rules_in_the_table_are_those_of_today(kept, family):
    """Oracle: one run of each family. A rule that was reworded is another rule until it is swept again."""
    mine = kept[(kept["family"] == family.name) & (kept["level"] == "verdict") & (kept["kind"] != "words")]
    if mine.empty:
        pytest.skip("nothing of it is in the table; its sidecar says so")
    stale = mine[~verdict_sweep.of_today(mine, family)]
    assert stale.empty, f"python benchmarks/verdict_sweep.py --prune --only {family.name!r}: {stale['rule']}"


def test_an_edge_tells_more_than_a_world_in_which_nothing_is(kept):
    """In some run it could have been supported."""
    edges = kept[kept["is_null"] & (kept["could"] >= 0)]
    for key, rows in edges.groupby(["analysis", "hypothesis", "rule"]):
        assert rows["could"].sum() > 0, key


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


def test_rules_that_readers_meet_first_are_not_refuted_where_they_hold(kept):
    """A difference that is there and not shown is open. The third hypothesis asks for none, and its page says how often
    one is found."""
    shown = verdict_sweep.front(kept)
    stored = pd.read_csv(verdict_sweep.OUT.with_name("verdict_front.csv"))
    pd.testing.assert_frame_equal(stored, shown.replace("", np.nan), atol=1e-4, check_dtype=False)
    elsewhere = shown["analysis"] == "h3"  # verdict_level.csv
    assert len(shown) <= 12 and (shown["wrong_runs"] >= 50).tolist() == (~elsewhere).tolist()
    for family, analysis, hypothesis, rule, _, right in nulls.FRONT:
        mine = kept[(kept["family"] == family) & (kept["analysis"] == analysis) & (kept["world"] == right)]
        mine = mine[(mine["hypothesis"] == hypothesis) & (mine["level"] == "verdict")]
        mine = mine[mine["rule"].str.startswith(rule)]
        assert len(mine) == bool(right), mine.to_string()
        assert analysis == "h3" or not (mine["n_refuted"] > 0).any(), mine.to_string()


def test_the_bound_is_the_level_and_two_errors_of_the_runs():
    assert verdict_sweep.allowed(pd.Series({"uncorrected": 0, "runs": 200})) == pytest.approx(
        0.0808, abs=1e-4
    )
    row = {"is_null": True, "one_unjudged": False, "kind": "exploratory", "uncorrected": 0}
    row |= {"runs": 200, "supported": 0.085}
    rows = pd.DataFrame([row, row | {"supported": 0.08}, row | {"is_null": False}])
    assert list(verdict_sweep.faults(rows).index) == [0]
    rows = pd.DataFrame([row | {"is_null": False, "one_unjudged": True, "supported": 0.01}])
    assert len(verdict_sweep.faults(rows)) == 1
    # five models in which nothing is, each with an interval of its own: 11.9 % even if all of them are right
    each = row | {"uncorrected": 5}
    rows = pd.DataFrame([each | {"supported": 0.16}, each | {"supported": 0.17}])
    assert list(verdict_sweep.faults(rows).index) == [1]


def _units(*holds, why="p = 0.30"):
    return tuple(Unit(f"model {k}", h, "" if h is not None else why) for k, h in enumerate(holds))


def test_what_could_have_passed_is_asked_of_the_units_in_which_nothing_is():
    """Oracle: Kleene's logic by hand, with the last model the one in which nothing is."""
    last = lambda name: name == "model 2"  # noqa: E731
    assert Asked(_units(True, True, None)).could_pass(last)
    assert Asked(_units(True, True, False)).could_pass(last)
    assert not Asked(_units(True, None, None)).could_pass(last)  # another does not hold
    assert not Asked(_units(True, True, None, why="padding decides")).could_pass(last)  # has no numbers
    others = lambda name: not last(name)  # noqa: E731
    assert Asked(_units(False, None, True), 2).could_pass(others)
    assert not Asked(_units(None, None, True, why="few trials"), 2).could_pass(others)
    assert not Asked((), 1).could_pass(others) and not Asked(()).could_pass(others)


def test_at_an_edge_units_in_which_nothing_is_are_counted_alone_and_together(ruled):
    units = [Unit("a", True), Unit("b", False), Unit("c", None, "p = 0.20")]
    with Judged().watching() as judged:
        record = {"outcomes": outcomes.outcomes.outcomes("each", units)}
    edge = lambda key: (lambda name: name != "a", True)  # noqa: E731
    rows = [
        (k.level, passed, could) for k, passed, could in found("study5_battery", "x", record, judged, edge)
    ]
    assert rows == [
        ("verdict", False, True),
        ("unit", False, True),
        ("unit", None, True),
        ("family", None, True),
    ]
    held = lambda key: (lambda name: name == "a", True)  # noqa: E731
    assert ("family", True, True) in [
        (k.level, p, c) for k, p, c in found("study5_battery", "x", record, judged, held)
    ]


@pytest.fixture
def ruled(monkeypatch):
    """Study 5 with three rules of its own."""
    rules = {
        "each": Rule("Every model withdraws.", "H", topic="t", null=("equal",), worst=worlds.UNKNOWING),
        "two": Rule("At least two models withdraw.", "H", topic="t", no_null="a count"),
        "bare": Rule("What the list of nulls knows.", "single"),
    }
    with_rules = dataclasses.replace(get_study("study5_battery"), rules=rules)
    for module in (outcomes, nulls):
        monkeypatch.setattr(module, "get_study", lambda name: with_rules)
    nulls.rule_of.cache_clear()
    yield with_rules
    nulls.rule_of.cache_clear()


def test_rules_are_told_apart_wherever_a_result_holds_them(ruled):
    """Oracle: Kleene's logic by hand, with the first model the one in which something is."""
    units = _units(True, None, False)
    with Judged().watching() as judged:
        tables = [outcomes.outcomes.outcomes("each", units), outcomes.outcomes.outcomes("two", units, 2)]
    edge = lambda key: (lambda name: name != "model 0", True)  # noqa: E731
    both = list(found("study5_battery", "x", {"outcomes": pd.concat(tables)}, judged, edge))
    told = [("verdict", False, True), ("unit", None, True), ("unit", False, True), ("family", None, True)]
    assert [(k.level, passed, could) for k, passed, could in both[:4]] == told
    assert [(k.level, passed, could) for k, passed, could in both[4:]] == [("verdict", None, True), *told[1:]]
    assert {k.rule for k, *_ in both[:4]} == {ruled.rules["each"].text}
    nested = {"part": {"outcomes": tables[1]}, "table": tables[0], "by": {(1, 2): 3}}
    inside = list(found("study5_battery", "x", nested, judged, edge))
    assert [dataclasses.replace(k, topic="t") for k, *_ in inside] == [k for k, *_ in both[4:]]
    assert {k.topic for k, *_ in inside} == {"part t"}
    assert outcomes.outcomes.outcomes.__name__ == "outcomes"  # put back


def test_a_rule_says_its_worlds_before_the_list_of_nulls_does(ruled):
    each, two, bare = (
        null_of(Key("study5_battery", "x", rule.hypothesis, "exploratory", "part t", rule.text))
        for rule in ruled.rules.values()
    )
    assert (each.worlds, each.edge, each.of) == (("equal",), worlds.UNKNOWING, "odd")
    assert (two.worlds, two.reason) == ((), "a count")
    assert bare in nulls.NULLS
    assert null_of(Key("study5_battery", "x", "unheard of", "exploratory", "", "Nothing.")) is None


def test_rules_name_worlds_that_are_simulated():
    known = {w for f in FAMILIES for w in f.worlds} | {""}
    for study in studies():
        for name, rule in study.rules.items():
            assert {*rule.null, rule.worst} <= known, (study.name, name)
            assert not (rule.no_null and (rule.null or rule.worst)), (study.name, name)


def test_runs_are_added_to_those_that_the_table_has():
    family = BY_NAME["battery"]
    key = Key(
        "study5_battery", "replication_monitoring", "monitoring", "exploratory", "delta", "Every model."
    )
    parts = [
        verdict_sweep.rows_of(family, "equal", {key: Counter({True: t, None: n, "could": c})}, t + n, "d")
        for t, n, c in ((1, 4, 3), (2, 3, 5))
    ]
    both = verdict_sweep.added(verdict_sweep.with_shares(parts[0]), parts[1], 5)
    (row,) = verdict_sweep.with_shares(both).to_dict("records")
    assert (row["runs"], row["judged"], row["could"], row["supported"]) == (10, 10, 8, pytest.approx(0.3))
    anew = verdict_sweep.added(both, parts[1], 0)  # of another design: what was there goes
    assert (anew["runs"].tolist(), anew["could"].tolist()) == ([5], [5])
    first, more = (verdict_sweep.seeds_of(family, "equal", n) for n in (5, 9))
    assert more[:5] == first


def test_a_design_is_known_by_what_it_draws():
    family = BY_NAME["battery"]
    own = verdict_sweep.design(family, "equal")
    assert own == verdict_sweep.design(family, "equal") != verdict_sweep.design(family, "no knowledge")
    assert own != verdict_sweep.design(family, "equal", 400)
    for more in ("fewest", "fewest_matched"):
        assert own != verdict_sweep.design(dataclasses.replace(family, **{more: 500}), "equal")


def test_adjusted_rules_have_resamples_with_which_they_can_pass():
    """Oracle: the smallest p of n resamples is 2/(n + 1), and Holm's method multiplies it by the comparisons."""
    given = worlds.COLLECTED["study1_qa"](worlds.EFFECTS, np.random.default_rng(5))
    few = {"n_resamples": 60, "n_permutations": 60, "n_matched_resamples": 60, "n_cuts": 1}
    run = simulated_run("study1_qa", given, **few)
    robustness = run.result("robustness")
    domains = robustness["matched_domains"].groupby("model").size()
    counts = {
        "hypotheses": [*run.result("h2")["pairs"].groupby("measure").size()],
        "pairs of models": [(run.result("h4")["comparison"]["source"] == RUN).sum()],
        "settings": [len(of_rule(robustness["outcomes"], "models")), (domains * (domains - 1) / 2).sum()],
    }
    for family, compared in counts.items():
        kind = "fewest_matched" if family == "settings" else "fewest"
        n = max(verdict_sweep.RESAMPLES, getattr(BY_NAME[family], kind))
        assert min(compared) >= 3 and 2 * max(compared) / (n + 1) < verdict_sweep.LEVEL, (family, compared, n)


@pytest.mark.parametrize("study", list(worlds.COLLECTED))
def test_at_the_edge_the_last_model_alone_knows_nothing(study):
    rows = next(iter(worlds.COLLECTED[study](worlds.UNKNOWING, np.random.default_rng(2)).values()))
    right = rows["correct"].astype(bool) if study != "study4_probe" else rows["credit"] > 0.5
    sure = {"study4_probe": "stated", "study5_battery": "p_keep", "study2_two_choice": "p_decision"}.get(
        study, "confidence"
    )
    known = rows[sure].notna()
    areas = [
        auroc2(right[known & (rows["model"] == m)], rows.loc[known & (rows["model"] == m), sure])
        for m in rows["model"].drop_duplicates()
    ]
    assert min(areas[:-1]) > 0.75 and abs(areas[-1] - 0.5) < 0.08


def fits_in(world):
    """Of each model with many questions at T = 1."""
    rows = worlds.open_answers(world, np.random.default_rng(3), n=8000)["open"]
    found = {}
    for model, own in rows[rows["temperature"] == 1].groupby("model", sort=False):
        edges = np.quantile(own["nlp"], np.linspace(0, 1, 9)[1:-1])
        rating = np.searchsorted(edges, own["nlp"])
        tables = [np.bincount(rating[own["correct"] == side], minlength=8) for side in (False, True)]
        found[model] = fit_meta_d(*tables)
    return found


def test_the_edges_of_h1_and_h4_are_where_they_are_said_to_be():
    """Oracle: with many questions M-ratio and d' of the two kinds of model come to what the world says."""
    *others, last = worlds.MODELS
    fits = fits_in(worlds.RATIO_OF_ONE)
    assert fits[last].m_ratio == pytest.approx(1, abs=0.08) and max(fits[m].m_ratio for m in others) < 0.6
    assert all(fits[last].d_prime - fits[m].d_prime == pytest.approx(0.3, abs=0.12) for m in others)
    fits = fits_in(worlds.HIGHER_D)
    # 8,000 answers give meta-d' to .045
    assert all(fits[last].meta_d == pytest.approx(fits[m].meta_d, abs=3 * np.sqrt(2) * 0.045) for m in others)
    assert fits[last].d_prime > 2.4 and max(fits[m].d_prime for m in others) < 1.6


def test_units_are_seen_though_a_study_makes_the_table(ruled):
    from metacog.studies.study5_battery import monitoring

    rows = pd.DataFrame({"model": ["a", "b"], "holds": [True, None]})
    units = [Unit(m, h, "" if h else "flat") for m, h in rows.itertuples(index=False)]
    original = monitoring.outcomes
    with Judged().watching() as judged:
        record = {"outcomes": monitoring.outcomes("each", units)}
    levels = [(k.level, passed) for k, passed, _ in found("study5_battery", "nothing", record, judged)]
    assert levels == [("verdict", None), ("unit", True), ("unit", None)]
    assert monitoring.outcomes is original  # put back


def test_an_every_that_passes_without_a_unit_is_a_fault():
    key = Key("study2_two_choice", "replication_ratings", "signal", "exploratory", "", "Every model's tells.")
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
    seeds = verdict_sweep.seeds_of(family, "no knowledge", 2)
    rows = verdict_sweep.with_shares(verdict_sweep.work(family, "no knowledge", seeds, 60))
    assert not (rows["kind"] == "stopped").any() and rows.loc[rows["is_null"], "supported"].max() < 1
    assert {"monitoring", "graded probe"} <= set(rows.loc[rows["is_null"], "hypothesis"])
    assert (rows["could"] <= rows["judged"]).all() and rows.loc[rows["is_null"], "could"].max() > 0
