"""People: which column names them, and their measures in one batch. Oracles: `measure_table`, scipy, counts by hand."""

from __future__ import annotations

import time
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from metacog.core.frames import committed_table
from metacog.measures import measures_of
from metacog.measures.people import above_chance, group_means, measure_people, names_people, people_column
from metacog.measures.table import Options, measure_table
from metacog.sdt import meta_d_observer

OPTIONS = Options(n_resamples=100, n_permutations=100, clustered=False)


def people(n_people: int, n: int, seed: int = 1, d_prime: float = 1.2) -> pd.DataFrame:
    """Checked trials of so many people."""
    made = meta_d_observer(d_prime, m_ratio=0.8).trials(n_people * n, seed=seed)
    table = pd.DataFrame(
        {
            "model": np.repeat([f"p{i:04d}" for i in range(n_people)], n),
            "stimulus": made.stimulus,
            "response": made.response,
            "rating": made.confidence,
            "k": 4,
            "score": made.confidence.astype(float),
            "confidence": made.confidence / 4,
            "temperature": 1.0,
            "domain": np.resize(["memory", "perception"], n_people * n),
            "question_id": [f"row-{i}" for i in range(n_people * n)],
        }
    )
    return table.assign(correct=table["stimulus"] == table["response"])


@pytest.mark.parametrize(
    "name",
    "Subj_idx participant subject Subj SUBJECT_ID vp VP-Nr observer sub ID sid participant_id worker_id prolific_id"
    " participant.number PROLIFIC_PID workerId vpn subjNum subject_nr Teilnehmerin student_id"
    " Participant-Private-ID".split(),
)
def test_a_column_of_people_is_known_by_its_name(name):
    table = pd.DataFrame({name: np.repeat([f"s{i}" for i in range(5)], 40), "x": 1.0})
    assert people_column(table) == (name, 5)


@pytest.mark.parametrize(
    "name",
    "subtask response participation model condition vpc observed persona grid sublevel points".split(),
)
def test_a_column_of_another_name_holds_no_people(name):
    assert not names_people(name)
    assert people_column(pd.DataFrame({name: np.repeat(["a1", "b1"], 100)})) is None


@pytest.mark.parametrize(
    ("name", "values", "options"),
    [
        ("id", np.arange(200), {}),  # a number for each row
        ("participant", [f"p{i}" for i in range(200)], {}),  # everybody once
        ("id", np.tile(np.arange(50), 4), {}),  # items of four samples
        ("id", np.tile(np.arange(5), 40), {"models": True}),  # items that models answered
        (
            "subject",
            np.repeat(["anatomy", "law", "abstract_algebra", "virology"], 50),
            {},
        ),  # topics of questions
        ("subject", ["only one"] * 200, {}),
        ("Subj_idx", np.repeat([1, 2], 100), {"named": ["Subj_idx"]}),
    ],
)
def test_what_is_unique_a_topic_or_known_is_no_person(name, values, options):
    assert people_column(pd.DataFrame({name: values}), **options) is None


def test_subjects_of_two_choice_data_are_people_even_by_their_names():
    table = pd.DataFrame({"subject": np.repeat(["Anna", "Bernd", "Clara"], 50)})
    assert people_column(table) is None and people_column(table, two_choice=True) == ("subject", 3)


def test_one_batch_gives_the_numbers_of_each_person_alone():
    trials = people(7, 120)
    trials.loc[trials["model"] == "p0001", "correct"] = True  # no errors
    trials.loc[trials["model"] == "p0001", "response"] = trials["stimulus"]
    trials.loc[trials["model"] == "p0002", ["rating", "score"]] = 2
    trials = trials.drop(index=trials[trials["model"] == "p0003"].index[20:])  # too few
    many = measure_people(trials, OPTIONS)
    alone, _ = measure_table(trials, OPTIONS, ("model", "domain"))
    assert list(many.columns) == list(alone.columns) and len(many) == 7 + 7 * 2
    plain = ("accuracy", "auroc2")
    ends = [c for c in many if c.endswith(("_lower", "_upper"))]
    bootstrapped = [c for c in ends if c.rsplit("_", 1)[0] not in plain]
    compared = [c for c in many if c not in (*bootstrapped, "p_meta_i2r", "coverage", "flag", "flags")]
    compared += ["accuracy_lower", "accuracy_upper", "auroc2_lower", "auroc2_upper"]
    pd.testing.assert_frame_equal(many[compared], alone[compared], check_exact=False, rtol=0, atol=1e-12)
    assert many[bootstrapped].isna().all(axis=None)
    told, without = ([set(x.split("; ")) - {"no spread"} for x in one["flags"]] for one in (many, alone))
    assert told == without
    assert many["m_ratio"].notna().sum() > 10


def test_people_none_of_whom_has_an_empty_cell_are_measured():
    trials = people(3, 4_000, d_prime=0.5)
    cells = trials.groupby(["model", "stimulus", "response", "rating"]).size()
    assert len(cells) == 3 * 2 * 2 * 4
    many = measure_people(trials, OPTIONS, ("model",))
    assert many["m_ratio"].notna().all() and (many["flags"] == "").all()


def test_thousands_of_people_take_seconds():
    trials = people(1_000, 80)
    began = time.perf_counter()
    many = measure_people(trials, OPTIONS, ("model",))
    assert time.perf_counter() - began < 30  # 5 by itself; each alone with a bootstrap takes minutes
    assert len(many) == 1_000


def test_means_have_students_interval_over_people():
    table = measure_people(people(12, 200), OPTIONS, ("model",))
    means = group_means(table).set_index("measure")
    for name in ("accuracy", "auroc2", "meta_d", "m_ratio"):
        x = table[name].to_numpy()
        low, high = stats.t.interval(0.95, x.size - 1, x.mean(), stats.sem(x))
        assert means.loc[name, ["mean", "lower", "upper"]].tolist() == pytest.approx([x.mean(), low, high])
        assert means.loc[name, "median"] == pytest.approx(np.median(x)) and means.loc[name, "people"] == 12


def test_no_interval_leaves_what_is_possible():
    means = group_means(pd.DataFrame({"accuracy": [0.99, 0.80], "m_ratio": [0.5, 1.5], "d_prime": 1.0}))
    ends = means.set_index("measure")[["lower", "upper"]]
    assert ends.loc["accuracy"].tolist() == [0.0, 1.0] and ends.loc["m_ratio", "lower"] < 0


def test_groups_have_means_of_their_own():
    table = measure_people(people(12, 100), OPTIONS, ("model",)).assign(group=["a", "b"] * 6)
    means = group_means(table)
    found = means[means["measure"] == "auroc2"].set_index("group")["mean"]
    assert found.to_dict() == pytest.approx(table.groupby("group")["auroc2"].mean().to_dict())


def test_people_below_chance_are_left_out_of_the_ratio_and_those_near_it_counted():
    trials = people(6, 200)
    first, second = trials["model"] == "p0000", trials["model"] == "p0001"
    place, shown = np.arange(len(trials)), trials["stimulus"]
    trials.loc[first, "response"] = 1 - shown.where(place % 3 > 0, 1 - shown)
    trials.loc[second, "response"] = shown.where(place % 2 > 0, 1 - shown)
    trials.loc[second & (place % 50 == 0), "response"] = shown
    trials["correct"] = shown == trials["response"]
    above = above_chance(trials)
    assert above.tolist() == [False, False, True, True, True, True]
    table = measure_people(trials, OPTIONS, ("model",))
    assert table["d_prime"].iloc[0] < 0 < table["d_prime"].iloc[1]
    table["above_chance"] = table["model"].map(above)
    means = group_means(table).set_index("measure")
    assert means.loc["m_ratio", "people"] == 5 and means.loc["m_ratio", "why"].startswith("1 d' of 0 or less")
    assert means.loc["m_ratio", "mean"] == pytest.approx(table["m_ratio"].iloc[1:].mean())
    assert means.loc["m_ratio", "near_chance"] == 1
    assert means.loc["d_prime", "people"] == 6 and means.loc["d_prime", "left_out"] == 0


def test_the_d_prime_that_counts_as_above_chance_is_tested_at_its_level():
    """Oracle: of people who guess, two and a half of a hundred lie above by chance."""
    rng = np.random.default_rng(5)
    n_people, n = 4_000, 200
    trials = pd.DataFrame(
        {
            "model": np.repeat(np.arange(n_people), n),
            "stimulus": np.tile([0, 1], n_people * n // 2),
            "response": rng.integers(0, 2, n_people * n),
        }
    )
    share = above_chance(trials).mean()
    assert abs(share - 0.025) < 3 * np.sqrt(0.025 * 0.975 / n_people)


def test_the_library_warns_of_people_that_are_pooled_and_of_nothing_else():
    trials = people(3, 80).rename(columns={"model": "participant"})
    roles = {"stimulus": "stimulus", "response": "response", "confidence": "rating", "n_resamples": 100}
    with pytest.warns(UserWarning, match="'participant' holds 3 people"):
        measures_of(trials, **roles)
    with pytest.warns(UserWarning, match="name it in `by`"):
        measures_of(trials, "domain", **roles)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        measures_of(trials, "participant", **roles)


def test_intervals_of_mean_m_ratios_hold_in_the_committed_simulations():
    table = committed_table("data/simulations/people_means.csv")
    assert len(table) == 16 and (table["repeats"] == 200).all()
    near = table["d_prime"] < 1
    assert (table["above_held"] >= 0.9).all()
    assert (table.loc[~near, "above_off"].abs() < 0.04).all()
    assert (
        table.loc[near, "above_off"].between(0.045, 0.075).all()
    )  # what the note on people near chance says
    assert table["clear_held"].min() < 0.85  # why people near chance stay in the mean
    wide = table[near]
    assert (wide["above_spread"] > 1.4 * wide["clear_spread"]).all()  # and what that costs
