"""Measures of any groups of a table. Oracles: the table of measures of the same trials, and simulated observers."""

from __future__ import annotations

import doctest
import functools
import json
import re

import numpy as np
import pandas as pd
import pytest

from metacog.core.paths import committed, project_root
from metacog.measures import measures_of, tidy
from metacog.measures.cell import MIN_TRIALS
from metacog.measures.table import TABLE, Options, measure_table
from metacog.sdt import InputError, bayes
from metacog.sdt.information import plugin_meta_i
from metacog.sdt.populations import population_for

BY = ["subject", "condition"]
CHOICE = {"stimulus": "stimulus", "response": "response"}


def observer(n: int, d: float, seed: int = 0, noise: float = 0.5) -> pd.DataFrame:
    """Trials of an observer who answers left or right and rates from 1 to 4."""
    rng = np.random.default_rng(seed)
    shown = rng.integers(0, 2, n)
    seen = rng.normal((shown - 0.5) * d)
    rating = np.digitize(np.abs(seen + rng.normal(0, noise, n)), [0.4, 0.8, 1.4]) + 1
    sides = np.array(["left", "right"])
    return pd.DataFrame({"stimulus": sides[shown], "response": sides[(seen > 0) * 1], "confidence": rating})


@pytest.fixture(scope="module")
def trials() -> pd.DataFrame:
    parts = [
        observer(300, d, seed=3 * i + round(d)).assign(subject=f"s{i}", condition=name)
        for i in range(3)
        for name, d in (("easy", 1.8), ("hard", 0.9))
    ]
    return pd.concat(parts)


def row(table: pd.DataFrame, measure: str, **labels: str) -> pd.Series:
    keep = table["measure"] == measure
    for name, value in labels.items():
        keep &= table[name] == value
    (found,) = table[keep].index
    return table.loc[found]


def test_a_tidy_frame_of_the_measures_of_the_same_trials(trials):
    table = measures_of(trials, BY, **CHOICE, n_resamples=200)
    assert list(table.columns) == [*BY, *tidy.COLUMNS]
    assert len(table) == 6 * 8 and not table.duplicated([*BY, "measure"]).any()
    mine = trials[(trials["subject"] == "s1") & (trials["condition"] == "hard")].reset_index(drop=True)
    right = (mine["stimulus"] == "right").astype("int64")
    said = (mine["response"] == "right").astype("int64")
    given = mine.assign(
        model="m",
        domain="d",
        score=mine["confidence"].astype(float),
        confidence=np.nan,
        stimulus=right,
        response=said,
    ).assign(rating=mine["confidence"], k=4, correct=right == said)
    oracle = measure_table(given, Options(200, 200, clustered=False), by=("model",))[0].iloc[0]
    for name in ("accuracy", "d_prime", "criterion", "meta_d", "m_ratio", "auroc2", "meta_i2r"):
        found = row(table, name, subject="s1", condition="hard")
        ends = oracle[f"{name}_lower"], oracle[f"{name}_upper"]
        np.testing.assert_array_equal(
            found[["estimate", "lower", "upper"]].astype(float), [oracle[name], *ends]
        )
    information = row(table, "meta_i", subject="s1", condition="hard")
    assert information["lower"] < information["estimate"] < information["upper"]
    assert information["estimate"] == oracle["meta_i"]
    easy = table[(table["condition"] == "easy") & (table["measure"] == "d_prime")]
    assert ((easy["lower"] < 1.8 + 0.5) & (easy["upper"] > 1.8 - 0.5)).all()


def test_meta_i_in_bits_has_an_interval_of_its_own_that_holds_it_where_mistakes_are_rare():
    """Oracle: the population. meta-I2r's limits times the entropy found held it in 20 of these 40."""
    population = population_for("meta_i2r_chi_square", 0.45, accuracy=0.97, n_ratings=8)
    truth, held = float(plugin_meta_i(population.s1, population.s2)), []
    for seed in range(40):
        table = np.random.default_rng(seed).multinomial(600, population.cells())
        right, rating = np.divmod(np.repeat(np.arange(16), table), 8)
        frame = pd.DataFrame({"correct": right, "confidence": rating})
        found = row(measures_of(frame, n_resamples=200), "meta_i")
        held.append(found["lower"] <= truth <= found["upper"])
    assert np.mean(held) > 0.85


def test_intervals_of_meta_i_hold_it_in_the_simulations():
    kept = pd.read_csv(committed(TABLE))
    kept = kept[kept["interval"] == "meta_i"]
    assert len(kept) >= 12 and (kept["coverage"] + 2 * kept["coverage_se"] >= 0.95).all()
    rare = kept[kept["accuracy"] >= 0.95]
    assert rare["coverage_before"].min() < 0.6 and (rare["coverage"] > rare["coverage_before"]).all()


def test_a_group_that_cannot_be_read_says_why_and_stops_no_other():
    groups = {
        "sound": observer(400, 1.5),
        "near": observer(200, 0.0),
        "few": observer(MIN_TRIALS + 30, 1.5),
        "two": observer(300, 1.2).assign(confidence=lambda t: (t["confidence"] > 2) + 1),
        "one stimulus": observer(200, 1.0)[lambda t: t["stimulus"] == "left"],
        "single": observer(1, 1.0),
        "constant": observer(100, 1.0).assign(confidence=2),
        "nothing": observer(60, 1.0).assign(confidence=np.nan),
        "perfect": observer(100, 1.0).assign(response=lambda t: t["stimulus"]),
        "one response": observer(100, 1.0).assign(response="left"),
    }
    frame = pd.concat([part.assign(group=name) for name, part in groups.items()])
    table = measures_of(frame, "group", **CHOICE, n_resamples=200)
    assert set(table["group"]) == set(groups) and (table.groupby("group").size() == 8).all()
    assert (table.loc[table["group"] == "sound", "warning"] == "").all()
    ratio = table[table["measure"] == "m_ratio"].set_index("group")
    for name, words in {
        "near": "d' is near 0",
        "few": f"fewer than {tidy.FEWEST}",
        "two": "two values",
        "one stimulus": "only one of the two stimuli",
        "single": "1 trials",
        "constant": "constant",
        "nothing": "60 rows without",
        "perfect": "all 100 answers are right",
        "one response": "d' is near 0",
    }.items():
        assert words in ratio.loc[name, "warning"], name
    assert ratio.loc[["one stimulus", "single", "constant", "nothing", "perfect"], "estimate"].isna().all()
    silent = table[(table["warning"] == "") & table["estimate"].isna()]
    assert silent.empty


def test_pairs_and_probabilities_get_calibration():
    rng = np.random.default_rng(4)
    sure = rng.uniform(0.3, 1.0, 500).round(2)
    table = measures_of(zip(rng.random(500) < sure, sure, strict=True), n_resamples=300)
    named = "accuracy auroc2 meta_i2r meta_i overconfidence brier ece"
    assert list(table["measure"]) == named.split()
    found = row(table, "overconfidence")
    assert found["lower"] < 0 < found["upper"]
    percent = measures_of(zip(rng.random(500) < sure, 100 * sure, strict=True), n_resamples=300)
    assert "brier" not in set(percent["measure"])


def test_whole_questions_are_resampled_where_they_are_named():
    rng = np.random.default_rng(5)
    ease = np.repeat(rng.normal(size=60), 5)
    frame = pd.DataFrame(
        {"correct": ease > 0, "confidence": ease + rng.normal(size=300), "item": np.arange(300) // 5}
    )
    alone, clustered = (
        row(measures_of(frame, question=q, n_resamples=300), "auroc2") for q in (None, "item")
    )
    assert alone["estimate"] == clustered["estimate"]
    assert clustered["upper"] - clustered["lower"] > 1.2 * (alone["upper"] - alone["lower"])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"by": "person"}, "no column 'person'"),
        ({"correct": "confidence"}, "0/1"),
        ({"confidence": "stimulus"}, "hold no number"),
        ({"response": "response"}, "go together"),
        ({"stimulus": "subject", "response": "response"}, "two stimuli"),
        ({"hierarchical": True}, "stimulus, response"),
    ],
)
def test_a_frame_that_is_not_what_was_said_is_an_error(trials, change, words):
    with pytest.raises(InputError, match=words):
        measures_of(trials.assign(correct=True), **change)


def test_hierarchical_ratios_lie_closer_together(trials, monkeypatch):
    short = functools.partial(bayes.fit_group, n_chains=2, n_draws=200, n_warmup=200)
    monkeypatch.setattr(bayes, "fit_group", short)
    table = measures_of(trials, BY, **CHOICE, hierarchical=True, n_resamples=200)
    drawn = table[table["measure"] == "m_ratio, hierarchical"]
    own, group = drawn[drawn["subject"] != "all"], drawn[drawn["subject"] == "all"]
    assert set(group["condition"]) == {"easy", "hard"} and len(own) == 6
    assert ((group["lower"] < group["estimate"]) & (group["estimate"] < group["upper"])).all()
    assert (group["trials"] == 900).all() and drawn["warning"].str.contains("trials a table").all()
    assert own["estimate"].std() < table.loc[table["measure"] == "m_ratio", "estimate"].std()


def test_a_hierarchical_ratio_of_few_trials_a_person_says_how_simulated_groups_fared():
    sizes = tidy.simulated_groups()
    assert tidy.too_few(12, np.full((12, 2, 8), 120 / 16)).startswith("120 trials a table")
    assert not tidy.too_few(12, np.full((12, 2, 8), 2000 / 16))
    for r in sizes.itertuples():
        said = tidy.too_few(r.subjects, np.full((r.subjects, 2, 8), r.trials / 16))
        assert not said or f"{r.held:.0%} have their M-ratio in its interval" in said
        assert bool(said) == (r.held < tidy.HELD or abs(r.off) > tidy.OFF)


def test_the_table_of_the_docstring_is_that_of_the_simulations():
    """Share held and percent off by trials of each of 12 people, as the docstring prints them."""
    for r in tidy.simulated_groups().itertuples():
        assert f"{r.subjects} {r.trials} {r.held:.0%} {r.off:+.0%}" in " ".join(measures_of.__doc__.split())


def test_the_example_of_the_docstring():
    assert doctest.testmod(tidy).failed == 0 and doctest.testmod(tidy).attempted


def test_the_five_lines_of_the_readme(trials, tmp_path, monkeypatch, capsys):
    text = (project_root() / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    assert len(blocks) == 3
    assert all(
        len([x for x in block.splitlines() if x and not x.startswith(("import", "from"))]) <= 5
        for block in blocks
    )
    monkeypatch.chdir(tmp_path)
    trials.to_csv("trials.csv", index=False)
    (tmp_path / "logs").mkdir()
    write_log(tmp_path / "logs" / "run.eval")
    for block, words in zip(blocks, ("m_ratio", "mock/model", "overconfidence"), strict=True):
        exec(block, {})
        assert words in capsys.readouterr().out


def write_log(path):
    """A log of Inspect in which every sample states its confidence."""
    import zipfile

    rng = np.random.default_rng(6)
    sure = rng.uniform(0.3, 1.0, 120).round(2)
    header = {
        "version": 2,
        "status": "success",
        "eval": {"task": "quiz", "model": "mock/model", "model_generate_config": {}},
        "plan": {"config": {"temperature": 0.7}},
    }
    with zipfile.ZipFile(path, "w") as log:
        log.writestr("header.json", json.dumps(header))
        for i, (right, own) in enumerate(zip(rng.random(120) < sure, sure, strict=True)):
            score = {"value": "C" if right else "I", "answer": "x", "metadata": {"confidence": own}}
            choice = {"message": {"content": "x"}, "logprobs": None}
            sample = {"id": i, "epoch": 1, "target": "x", "scores": {"match": score}, "metadata": {}}
            sample |= {"output": {"model": "mock", "choices": [choice]}}
            log.writestr(f"samples/{i}_epoch_1.json", json.dumps(sample))
