"""Trials of the run: tables, measures, signals, risk and their sentences. Oracles: named in each test."""

import dataclasses
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu, norm
from simulated_two_choice import confidence_trials, frame, risk_trials, simulate

from metacog.core.config import load_profile
from metacog.measures.posterior import posterior_table, without_tables
from metacog.sdt import InputError
from metacog.sdt.bayes import fit_bayes
from metacog.studies.study2_two_choice import cells as cells_page
from metacog.studies.study2_two_choice import replication_posterior
from metacog.studies.study2_two_choice import replication_ratings as ratings
from metacog.studies.study2_two_choice import replication_risk as risk
from metacog.studies.study2_two_choice.asking.collections import COLLECTIONS
from metacog.studies.study2_two_choice.cells import decision_cells
from metacog.studies.study2_two_choice.paper import Ratings, stacked
from metacog.studies.study2_two_choice.replication_asked import of_both, prompts, requests
from metacog.studies.study2_two_choice.risk import heeded
from metacog.studies.study2_two_choice.settings import Settings

TRIALS = confidence_trials().assign(name="M")


def result(cells=None, **fields):
    """A stand-in for a stored result."""
    return SimpleNamespace(cells=cells, **fields)


HEEDED = ("n_ends", "n_heeded", "n_reversed", "n_d_differs", "n_of_d")
COUNTS = ["task", "model", "risk", "hits", "misses", "false_alarms", "correct_rejections", "total"]


@pytest.fixture(scope="module")
def cells():
    return ratings.fitted(ratings.rating_cells(TRIALS), 200, 1).assign(name="M")


def test_a_table_counts_usable_trials_from_the_surest_s1_to_the_surest_s2():
    """Oracle: six trials placed by hand; the sixth was not understood."""
    drawn = (np.array([0, 0, 1, 1, 1, 0]), np.array([0, 1, 1, 1, 0, 0]), np.array([5, 2, 5, 5, 1, 3]), 0.5)
    trials = frame("m", "A", "None", drawn, rated=True)
    trials.loc[5, ["response", "rating"]] = np.nan
    trials.loc[5, "parse_status"] = "unclear"
    (cell,) = ratings.rating_cells(trials)
    assert cell.nR_S1.tolist() == [1, 0, 0, 0, 0, 0, 1, 0, 0, 0]
    assert cell.nR_S2.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0, 2]


def test_decisions_have_the_log_linear_d_prime_and_its_delta_interval(cells):
    """Oracle: rates with half a trial (Hautus 1995) and the variance of z by hand."""
    row, table = cells.iloc[0], ratings.rating_cells(TRIALS)[0]
    n1, n2 = table.nR_S1.sum() + 1, table.nR_S2.sum() + 1
    f, h = (table.nR_S1[5:].sum() + 0.5) / n1, (table.nR_S2[5:].sum() + 0.5) / n2
    z = norm.ppf(h), norm.ppf(f)
    variance = sum(p * (1 - p) / (n * norm.pdf(x) ** 2) for p, n, x in zip((h, f), (n2, n1), z, strict=True))
    assert row["d_prime"] == pytest.approx(z[0] - z[1])
    half = 1.959964 * np.sqrt(variance)
    assert row["d_prime_upper"] - row["d_prime"] == pytest.approx(half)
    assert row["d_prime"] - row["d_prime_lower"] == pytest.approx(half)


def test_known_observers_are_recovered_and_chance_is_named(cells):
    """Oracle: the observers' own d' (1.5, 2; 0, 1; 0.1, 0), within two and a half standard errors."""
    truth = np.array([1.5, 2.0, 0.0, 1.0, 0.1, 0.0])
    se = (cells["d_prime_upper"] - cells["d_prime"]) / 1.96
    known = ~cells["padded"]
    assert (((cells["d_prime"] - truth) / se).abs()[known] < 2.5).all() and known.sum() >= 5
    assert not cells["near_chance"][[0, 1, 3]].any() and cells["near_chance"][[2, 4, 5]].sum() >= 2
    wide = cells["m_ratio_upper"] - cells["m_ratio_lower"]
    assert wide[cells["near_chance"]].min() > 2 * wide[[0, 1]].max()


def test_cells_determined_by_their_padding_are_named_and_have_no_interval(cells):
    """Oracle: a model that never errs, with rates of 1/(2(n + 1)) from both ends; observers with enough trials."""
    drawn = simulate(9.0, 60, noise=0.0)
    made = ratings.fitted(ratings.rating_cells(frame("m", "A", "None", drawn, rated=True)), 50, 1)
    ends = [f"{name}_{end}" for name in ("d_prime", "meta_d", "m_ratio") for end in ("lower", "upper")]
    assert made["padded"].all() and made[ends].isna().all(axis=None)
    assert made["d_prime"].tolist() == pytest.approx([-2 * norm.ppf(0.5 / 31)])
    sound = cells[~cells["padded"]]
    assert len(sound) >= 2 and sound[ends].notna().all(axis=None)


def test_decisions_without_a_false_alarm_are_flagged_and_in_no_pair():
    rows = [
        ("A", "m", risk, hits, 30 - hits, alarms, 30 - alarms, 60)
        for risk, hits, alarms in (("None", 18, 10), ("S1", 20, 9), ("S2", 5, 0))
    ]
    found = risk.decided(pd.DataFrame(rows, columns=COUNTS)).set_index("risk")
    assert found["padded"].to_dict() == {"None": False, "S1": False, "S2": True}
    assert np.isnan(found.loc["S2", ["c_half", "c_lower"]].astype(float)).all()
    assert (found["c_upper"] - found["c_lower"])["S1"] == pytest.approx(2 * found.loc["S1", "c_half"])
    assert found["warned"].nunique() == 3
    none = cells_page.risk_contrasts(found.reset_index().query("padded"))
    assert none.empty and {"model", "measure", "lower"} <= set(none.columns)


def test_one_digit_throughout_gives_no_meta_d():
    """Oracle: there is no second rating to tell answers apart by."""
    stimulus, response, rating, p = simulate(1.0, 80, seed=4)
    one = frame("m", "A", "None", (stimulus, response, np.full_like(rating, 3), p), rated=True)
    table = ratings.fitted(ratings.rating_cells(one), 100, 1).assign(name="M")
    assert table.loc[0, "levels"] == 1 and table[["meta_d", "m_ratio", "m_ratio_lower"]].isna().all(axis=None)
    assert table.loc[0, "d_prime"] == pytest.approx(1.0, abs=0.9)
    assert not table.loc[0, "padded"] and np.isfinite(table.loc[0, "d_prime_lower"])  # d' alone decides


def test_cells_that_cannot_be_fitted_are_named():
    lost = TRIALS[(TRIALS["task"] != "B") | (TRIALS["stimulus"] == 1)]
    found = pd.DataFrame([dataclasses.asdict(c) for c in ratings.rating_cells(lost)])
    found = found.assign(levels=5, meta_d=1.0)
    assert len(found) == 4
    unfitted = ratings.unfitted(lost, found)
    assert len(unfitted) == 2 and set(unfitted["task"]) == {"B"}
    assert unfitted["why"].str.startswith("only replies").all()
    assert ratings.unfitted(TRIALS, pd.DataFrame(ratings.rating_cells(TRIALS))).empty
    assert ratings.rating_cells(TRIALS.assign(parse_status="unclear")) == ()


def test_signals_are_compared_on_the_same_answers():
    """Oracle: the Mann-Whitney statistic of scipy; and an observer whose digit is noise."""
    table = ratings.signals(TRIALS).assign(name="M")
    part = TRIALS[(TRIALS["model"] == "gemma3-270m") & (TRIALS["task"] == "A")]
    part = part[part["parse_status"] == "ok"]
    row = table[(table["model"] == "gemma3-270m") & (table["task"] == "A")].set_index("signal")
    for name in list(ratings.SIGNALS)[:3]:
        right, wrong = (part.loc[part["correct"] == side, name] for side in (True, False))
        u = mannwhitneyu(right, wrong).statistic / (len(right) * len(wrong))
        assert row.loc[name, "auroc2"] == pytest.approx(u)
    area = row["auroc2"]
    assert row.loc["p_decision", "gain"] == pytest.approx(area["p_decision"] - area["rating"])
    assert np.isnan(row.loc["rating", "gain"])
    deaf = part.assign(rating=np.random.default_rng(3).integers(1, 6, len(part)).astype(float))
    gain = ratings.signals(deaf).assign(name="M")
    assert (gain["gain_lower"][1:3] > 0).all() and np.isnan(gain["gain"].iloc[3])
    told = ratings.figures(result(signals=gain, draws=ratings.draws(deaf)))
    for name in ("expected_confidence", "p_decision"):
        assert [told[f"{name}_{what}"] for what in ("n", "better", "worse")] == [1, 1, 0]


def test_a_preference_that_says_nothing_is_seen_through_though_its_draws_tell():
    """A model that prefers the right option in 8 of 10 cases, whatever its probability, knows nothing of a sentence.

    Its draws against itself have a low probability and are mostly wrong: AUROC2 of the probability of the decision is
    far above one half, and that of the preferred option is not.
    """
    rng = np.random.default_rng(1)
    n = 4000
    p, prefers_right = rng.uniform(0.55, 0.95, n), rng.random(n) < 0.8
    follows = rng.random(n) < p
    stimulus = np.arange(n) % 2
    correct = prefers_right == follows
    drawn = (stimulus, np.where(correct, stimulus, 1 - stimulus), np.full(n, 3), np.where(follows, p, 1 - p))
    trials = frame("m", "A", "None", drawn, rated=True)
    table = ratings.signals(trials).set_index("signal")
    (one,) = ratings.draws(trials).to_dict("records")
    assert table.loc["p_decision", "auroc2_lower"] > 0.65
    assert table.loc["p_preferred", "auroc2_lower"] < 0.5 < table.loc["p_preferred", "auroc2_upper"]
    assert one["wrong_against"] == (~correct & ~follows).sum() and one["wrong"] == (~correct).sum()
    assert table.loc["p_preferred", "right"] == prefers_right.sum()
    signals = table.reset_index()
    told = ratings.figures(result(signals=signals, draws=ratings.draws(trials)))
    assert (told["wrong"], told["against"]) == (one["wrong"], one["wrong_against"])
    sure = ratings.draws(trials.assign(p_decision=p, correct=prefers_right))  # without a draw
    assert sure["wrong_against"].sum() == 0


def test_without_probabilities_only_the_digit_is_judged():
    written = TRIALS.assign(expected_confidence=np.nan, p_decision=np.nan)
    table = ratings.signals(written).assign(name="M")
    assert table.loc[table["signal"] != "rating", "auroc2"].isna().all()
    told = ratings.figures(result(signals=table, draws=ratings.draws(written)))
    assert np.isnan([told["expected_confidence_n"], told["p_decision_n"]]).all() and told["rating_n"] > 0


def test_decisions_under_risk_are_counted():
    """Oracle: eight trials counted by hand."""
    drawn = (np.array([0, 0, 0, 1, 1, 1, 1, 0]), np.array([0, 1, 0, 1, 1, 0, 1, 1]), np.ones(8), 0.5)
    (row,) = risk.decision_counts(frame("m", "B", "S1", drawn, rated=False)).to_dict("records")
    assert row == dict(zip(COUNTS, ("B", "m", "S1", 3, 1, 2, 2, 8), strict=True))


@pytest.mark.parametrize(
    ("shifts", "counted"),
    [
        ({"None": 0.0, "S1": -1.0, "S2": 1.0}, [6, 0]),
        ({"None": 0.0, "S1": 1.0, "S2": -1.0}, [0, 6]),
        ({"None": 0.0, "S1": 0.0, "S2": 0.0}, [0, 0]),
    ],
)
def test_what_a_warning_did_is_computed(shifts, counted):
    """Oracle: observers that heed a warning, do the opposite, or do not hear it."""
    counts = risk.decision_counts(risk_trials(n=400, shifts=shifts))
    pairs = cells_page.risk_contrasts(decision_cells(counts, "loglinear")).assign(name="M")
    assert [heeded(pairs)[name] for name in HEEDED] == [6, *counted, 0, 18]
    shift = shifts["S2"] - shifts["S1"]
    moved = pairs[(pairs["measure"] == "c") & (pairs["first"] == "S1") & (pairs["second"] == "S2")]
    se = (moved["upper"] - moved["difference"]) / 1.96
    assert (((-moved["difference"] - shift) / se).abs() < 3).all()


def test_the_posterior_is_judged_where_there_is_a_d_prime_and_not_at_chance():
    """Oracle: observers of d' 2 and 0."""
    both = TRIALS[(TRIALS["model"] == "gemma3-270m") & (TRIALS["task"] != "B")]
    tables = ratings.rating_cells(both)
    fit = fit_bayes(*stacked(tables), n_chains=2, n_draws=150, n_warmup=150)
    found = posterior_table(fit, pd.DataFrame({"task": ["A", "C"], "name": "Gemma"}))
    assert found["judged"].tolist() == [True, False]
    pairs = replication_posterior.contrasts(fit, pd.DataFrame({"task": ["A", "C"], "model": "gemma3-270m"}))
    assert pairs["decision"].tolist() == [
        "no decision",
        "significant",
    ]  # d' of 2 and of 0; no ratio at chance
    assert pairs["measure"].tolist() == ["m_ratio", "d_prime"] and (pairs["kind"] == "tasks").all()
    named = replication_posterior.named_pairs(
        pairs, pd.DataFrame({"model": ["gemma3-270m"], "name": ["Gemma"]})
    )
    assert named[["within", "pair"]].drop_duplicates().to_numpy().tolist() == [["Gemma", "task A and task C"]]
    told = replication_posterior.figures(SimpleNamespace(cells=found, pairs=pairs))
    assert (told["d_prime_of"], told["d_prime_apart"]) == (1, 1) and np.isnan(told["m_ratio_of"])
    nothing = without_tables(pd.DataFrame({"task": ["A"], "name": "Gemma"}).iloc[:0])
    assert nothing.dtypes.to_dict() == found.dtypes.to_dict() and nothing.empty
    width = found["m_ratio_upper"] - found["m_ratio_lower"]
    assert width[1] > 3 * width[0]


def test_every_reply_is_accounted_for():
    """Oracle: lost replies counted in the trials."""
    trials = {"confidence": TRIALS, "warned": risk_trials(n=20)}
    found = of_both(trials)
    lost = int((TRIALS["parse_status"] != "ok").sum())
    assert found["asked"].sum() == len(TRIALS) + len(trials["warned"]) and found["unparsed"].sum() == lost > 0
    assert of_both({"warned": trials["warned"]})["unparsed"].sum() == 0


def test_the_prompt_is_shown_as_it_is_asked():
    settings = Settings(n_sentences=4)
    table = requests(settings, COLLECTIONS)
    assert table.groupby("task")["example"].max().tolist() == [8, 8, 8]
    assert (table.groupby(["task", "example"]).size().drop(0, level="example") == 2).all()
    text = prompts(result(requests=table))
    first = next(iter(COLLECTIONS)).items(settings.of("A", "sentiment"), {})[0]
    assert text.count("(6 more") == 3 and first.text in text
    plain = prompts(result(requests=requests(Settings(n_sentences=4, how="json"), COLLECTIONS)))
    assert "more examples" not in plain and "strict JSON" in plain


def test_profiles_ask_the_experiment():
    from metacog.collect.plan import settings_of
    from metacog.studies import get_study

    study = get_study("study2_two_choice")
    default, smoke, paper = (settings_of(study, load_profile(p)) for p in ("default", "smoke", "paper"))
    assert (default.how, default.n_sentences, smoke.n_sentences) == ("choose", 30, 12)
    assert (paper.how, paper.temperature, paper.balanced) == ("json", 1.0, False)
    sizes = {task: own.n_sentences for (task, own) in zip("ABC", paper.sets().values(), strict=True)}
    assert sizes == {"A": 20_000, "B": 10_000, "C": 10_000}  # the paper's Methods
    assert paper.tasks == {"A": "sst2", "B": "oral-written", "C": "oral-written"}


def test_one_answer_throughout_is_no_sensitivity_and_a_far_criterion():
    """Twelve sentences, always S2. Oracle: log-linear rates by hand, (6 + 1/2)/(6 + 1) for both kinds of sentence."""
    rows = [("A", "m", risk, 6, 0, 6, 0, 12) for risk in ("None", "S1", "S2")]
    counts = pd.DataFrame(rows, columns=COUNTS)
    cells = decision_cells(counts, "loglinear")
    assert cells["d_prime"].abs().max() == pytest.approx(0) and cells["d_prime_half"].min() > 1.5
    assert cells["c"].tolist() == pytest.approx([-norm.ppf(6.5 / 7)] * 3)
    with pytest.raises(InputError, match="one rating"):
        decision_cells(counts)
    pairs = cells_page.risk_contrasts(cells).assign(name="M")
    assert len(pairs) == 6 and set(pairs["decision_wide"]) == {"not significant"}
    assert pairs["relative"].isna().all()
    assert [heeded(pairs)[name] for name in HEEDED] == [1, 0, 0, 0, 3]


def test_a_cell_whose_d_prime_is_nought_has_no_meta_d_and_spoils_no_other():
    """As many hits as false alarms: c/d', to which meta-d' is held, does not exist."""

    flat = Ratings(
        "A", "m", np.array([1, 2, 0, 0, 0, 0, 0, 0, 2, 1]), np.array([1, 2, 0, 0, 0, 0, 0, 0, 2, 1])
    )
    good = Ratings(
        "B", "m", np.array([4, 3, 2, 1, 1, 1, 1, 1, 0, 0]), np.array([0, 1, 1, 1, 1, 1, 2, 3, 3, 4])
    )
    rows = ratings.fitted([flat, good], 50, 1).set_index("task")
    assert rows.loc["A", "d_prime"] == 0 and np.isnan(rows.loc["A", "meta_d"]) and rows.loc["B", "meta_d"] > 0


def test_a_run_of_padded_cells_alone_has_no_pairs():
    """Answers that are nearly always right leave cells without an error: all of them are made of padding."""
    trials = risk_trials(n=40, lost=0.0)
    trials = trials.assign(response=trials["stimulus"].astype(float), correct=True)
    found = risk.replication_risk(SimpleNamespace(trials=lambda name: trials))
    assert found.cells["padded"].all() and found.pairs.empty and "pair" in found.pairs
