"""Own confidence, second opinions and all together: against plain numpy, and what must not matter."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
import whom_to_ask as simulation
from crowd_observers import arranged

from metacog.core.paths import project_root
from metacog.measures.model_items import ModelItems
from metacog.measures.whom_to_ask import COLUMNS, KS, WAYS, whom_to_ask
from metacog.sdt import InputError, accuracy_coverage, auroc2_interval, delong_paired

N = 300


def trials(n_models: int = 7, n: int = N, seed: int = 1, **changed: object) -> pd.DataFrame:
    """Models of as many families that read one ease and their own luck, four options, A is right."""
    rng = np.random.default_rng(seed)
    ease, luck = rng.normal(size=n), rng.normal(size=(n_models, n))
    right = ease + luck > 0
    answer = np.where(right, "A", np.array(list("BCD"))[rng.integers(0, 3, size=right.shape)])
    table = pd.DataFrame(
        {
            "model": np.repeat([f"m{i}" for i in range(n_models)], n),
            "question_id": np.tile([f"q{i:04d}" for i in range(n)], n_models),
            "correct": right.ravel().astype(float),
            "confidence": np.round(ease + luck + rng.normal(size=right.shape), 1).ravel(),
            "answer": answer.ravel(),
        }
    )
    return table.assign(**changed)


def items(**options: object) -> ModelItems:
    return ModelItems.of(trials(**options), answer="answer")  # type: ignore[arg-type]


def area(right: np.ndarray, score: np.ndarray) -> float:
    """Share of pairs of a right and a wrong answer that the score orders rightly, ties one half."""
    gap = score[right][:, None] - score[~right][None]
    return float(((gap > 0) + 0.5 * (gap == 0)).mean())


def at(found, way: str, k: int) -> pd.Series:
    table = found.table
    (row,) = table[(table["way"] == way) & (table["k"] == k)].iloc
    return row


def test_every_way_stands_for_every_model_with_its_number_of_opinions():
    found = whom_to_ask(items(), ks=(1, 2), n_draws=5, small=["m1", "m2", "m3"], tokens=np.arange(7.0))
    assert tuple(found.table.columns) == COLUMNS
    seen = set(zip(found.table["way"], found.table["k"], strict=True))
    assert seen == {("own", 0), ("all", 6), ("together", 6), *product(WAYS[:3] + WAYS[4:6], (1, 2))}
    assert (found.table["flag"] == "").all()
    assert list(found.worth["model"]) == [f"m{i}" for i in range(7)]


def test_agreement_with_one_and_with_all_is_what_plain_counting_gives():
    made = items()
    found = whom_to_ask(made, models=["m0"], ks=(1,), n_draws=400)
    right = made.right[0] > 0
    same = made.answer[1:] == made.answer[0]
    singles = [area(right, one.astype(float)) for one in same]
    agreement, everybody, own = at(found, "agreement", 1), at(found, "all", 6), at(found, "own", 0)
    assert agreement["auroc2"] == pytest.approx(np.mean(singles), abs=4 * np.std(singles) / 20)
    assert (agreement["least"], agreement["most"]) == pytest.approx((min(singles), max(singles)))
    assert everybody["auroc2"] == pytest.approx(area(right, same.sum(axis=0)))
    interval = auroc2_interval(right, same.sum(axis=0))
    assert (everybody["auroc2_lower"], everybody["auroc2_upper"]) == pytest.approx(interval.ends)
    gap = delong_paired(right, made.confidence[0], same.sum(axis=0))
    assert tuple(everybody[["own_less", "own_less_lower", "own_less_upper"]]) == pytest.approx(
        (gap.difference, gap.lower, gap.upper)
    )
    assert own["auroc2"] == pytest.approx(area(right, made.confidence[0]))


def only(table: pd.DataFrame, *models: str) -> pd.DataFrame:
    return table[table["model"].isin(models)]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: only(t, "m0"), "there is one model, m0: nobody else can be asked"),
        (
            lambda t: t.assign(question_id=t["model"] + t["question_id"]),
            "no model of another family answered",
        ),
        (lambda t: t.assign(correct=1.0), "no model can be judged; m0: fewer than 10 right or wrong"),
        (lambda t: t[t["question_id"] < "q0005"], "no model can be judged; m0: fewer than 10"),
        (lambda t: t.drop(columns="answer"), "the trials have no column answer"),
        (lambda t: t.assign(answer=None), "no model of another family answered"),
    ],
)
def test_bad_tables_are_named(change, words):
    with pytest.raises(InputError, match=words):
        whom_to_ask(ModelItems.of(change(trials()), answer="answer"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ks": (2, 1)}, "ks must be whole numbers from 1 that rise"),
        ({"models": ["z"]}, "no model z"),
        ({"small": ["z"]}, "no model z"),
        ({"signals": {"tone": np.zeros(3)}}, "tone must have the shape"),
        ({"signals": {"tone": np.full((7, N), "sure")}}, "tone must hold numbers"),
        ({"signals": {"best": np.zeros((7, N))}}, "cannot be called best"),
        ({"signal_tokens": {"tone": 3}}, "tokens are told of tone, which is no signal"),
        ({"tokens": np.zeros(3)}, "tokens must have the shape"),
        ({"n_draws": 1}, "at least two draws"),
    ],
)
def test_bad_options_are_named(options, words):
    with pytest.raises(InputError, match=words):
        whom_to_ask(items(), **options)


def test_a_table_without_answers_and_families_all_alike_are_named():
    with pytest.raises(InputError, match="agreement needs the answers"):
        whom_to_ask(ModelItems.of(trials()))
    alike = trials().assign(family="one")
    with pytest.raises(InputError, match="no model of another family"):
        whom_to_ask(ModelItems.of(alike, answer="answer", family="family"))


def test_two_hundred_models_can_be_asked():
    found = whom_to_ask(items(n_models=200, n=100), models=["m0"], n_draws=10)
    assert at(found, "all", 199)["auroc2"] > at(found, "agreement", 1)["auroc2"]
    assert found.ks == KS


def test_an_item_that_two_answered_is_judged_and_agrees_with_one_at_most():
    table = trials()
    few = table[(table["question_id"] != "q0007") | table["model"].isin(["m0", "m1"])]
    found = whom_to_ask(ModelItems.of(few, answer="answer"), models=["m0"], ks=(1,), n_draws=5)
    assert at(found, "all", 6)["n"] == N


def test_missing_answers_agree_with_nobody_whether_left_out_or_wrong():
    table = trials()
    gone = np.random.default_rng(4).random(len(table)) < 0.2
    wrong = table.assign(answer=table["answer"].mask(gone), correct=table["correct"].mask(gone, 0.0))
    as_wrong = ModelItems.of(wrong, answer="answer")
    left_out = ModelItems.of(wrong.assign(correct=wrong["correct"].mask(gone)), answer="answer")
    for made in (as_wrong, left_out):
        kept = np.isfinite(made.right[0])
        count = ((made.answer[1:, kept] == made.answer[0, kept]) & (made.answer[0, kept] >= 0)).sum(axis=0)
        found = at(whom_to_ask(made, models=["m0"], ks=(1,), n_draws=5), "all", 6)
        assert found["n"] == kept.sum()
        assert found["auroc2"] == pytest.approx(area(made.right[0, kept] > 0, count))
    assert len(as_wrong.items) == N and as_wrong.answered[0].all() and not left_out.answered[0].all()


def test_second_opinions_without_a_confidence_count_where_they_are_kept():
    silent = trials().assign(confidence=lambda t: t["confidence"].mask(t["model"] == "m1"))
    kept = whom_to_ask(
        ModelItems.of(silent, answer="answer", unrated=True), models=["m0"], ks=(1,), n_draws=5
    )
    left_out = whom_to_ask(ModelItems.of(silent, answer="answer"), models=["m0"], ks=(1,), n_draws=5)
    assert (at(kept, "all", 6)["n_others"], at(left_out, "all", 5)["n_others"]) == (6, 5)
    own = whom_to_ask(ModelItems.of(silent, answer="answer", unrated=True), models=["m1"], ks=(1,), n_draws=5)
    assert at(own, "own", 0)["flag"] == "no confidence could be read"


def test_errors_caught_and_tokens_are_what_plain_counting_gives():
    made = items()
    tone = np.round(made.confidence + np.random.default_rng(2).normal(size=made.right.shape), 1)
    tokens = np.arange(7.0) * 10
    found = whom_to_ask(
        made,
        models=["m0"],
        ks=(1, 6),
        n_draws=5,
        signals={"tone": tone},
        tokens=tokens,
        signal_tokens={"tone": 3},
    )
    right, sure = made.right[0] > 0, made.confidence[0]
    kept = accuracy_coverage(right, sure, 0.8)
    caught = ((~right).sum() - (1 - kept) * 0.8 * N) / (~right).sum()
    assert at(found, "own", 0)["caught_80"] == pytest.approx(caught)
    assert at(found, "own", 0)["tokens"] == 0
    assert at(found, "tone", 0)["tokens"] == 3
    assert at(found, "agreement", 6)["tokens"] == at(found, "best", 6)["tokens"] == tokens.sum()
    assert at(found, "all", 6)["tokens"] == tokens.sum()
    assert at(found, "together", 6)["tokens"] == tokens.sum() + 3
    each = np.where(np.arange(N) % 2 == 0, tokens[:, None], np.nan)
    assert at(whom_to_ask(made, models=["m0"], ks=(1,), tokens=each), "all", 6)["tokens"] == tokens.sum()
    assert at(found, "agreement", 6)["least"] == pytest.approx(at(found, "agreement", 6)["most"])
    assert at(found, "agreement", 6)["auroc2"] == pytest.approx(at(found, "all", 6)["auroc2"])


def test_monotone_confidence_the_order_of_items_and_names_of_models_change_nothing():
    made = items()
    found = whom_to_ask(made, ks=(1, 2), n_draws=5)
    scaled = whom_to_ask(replace(made, confidence=np.exp(made.confidence / 3)), ks=(1, 2), n_draws=5)
    pd.testing.assert_frame_equal(scaled.table, found.table)
    order = np.random.default_rng(3).permutation(N)
    moved = whom_to_ask(made.kept(order), ks=(1, 2), n_draws=5)
    fitted = ~found.table["way"].isin(["best", "own_and_agreement", "together"])  # folds are drawn by chance
    pd.testing.assert_frame_equal(moved.table[fitted], found.table[fitted])
    named = replace(made, models=tuple("gfedcba"), families=tuple("gfedcba"))
    exact = found.table["way"].isin(["own", "all"])
    values = list(COLUMNS[2:])
    pd.testing.assert_frame_equal(
        whom_to_ask(named, ks=(1, 2), n_draws=5).table.loc[exact, values], found.table.loc[exact, values]
    )


def test_what_is_chosen_or_fitted_tells_nothing_where_nothing_can_be_told():
    rng = np.random.default_rng(6)
    areas = []
    for _ in range(30):
        right, sure = rng.random((12, 200)) < 0.6, rng.random((12, 200))
        noise = arranged(right, sure, answer=rng.integers(0, 4, size=(12, 200)))
        found = whom_to_ask(noise, models=["m0"], ks=(1, 4), n_draws=5)
        areas.append([at(found, "best", 4)["auroc2"], at(found, "together", 11)["auroc2"]])
    assert np.abs(np.mean(areas, axis=0) - 0.5).max() < 3 * np.std(areas, axis=0).max() / np.sqrt(30)


def test_a_best_other_that_knows_the_answers_is_found_and_own_state_adds_to_agreement():
    made = items(n=1500)
    answer = made.answer.copy()
    answer[3] = 0  # always right
    found = whom_to_ask(replace(made, answer=answer), models=["m0"], ks=(1, 4), n_draws=20)
    assert at(found, "best", 1)["auroc2"] == 1
    assert at(found, "own_and_agreement", 1)["auroc2"] > max(
        at(found, "own", 0)["auroc2"], at(found, "agreement", 1)["auroc2"]
    )


def test_the_worth_of_a_word_is_where_the_curves_cross():
    made = items(n=1500)
    unsure = made.confidence + 2.5 * np.random.default_rng(2).normal(size=made.right.shape)
    found = whom_to_ask(replace(made, confidence=unsure), models=["m0"], ks=(1, 2, 4, 6), n_draws=60)
    own = at(found, "own", 0)["auroc2"]
    curve = [at(found, "agreement", k)["auroc2"] for k in found.ks]
    worth = found.worth.iloc[0]
    assert worth["worth"] == pytest.approx(np.exp(np.interp(own, curve, np.log(found.ks))))
    assert worth["worth_lower"] < worth["worth"] < worth["worth_upper"]
    blind = whom_to_ask(
        replace(made, confidence=np.random.default_rng(1).random(made.right.shape)), models=["m0"]
    )
    assert blind.worth["said"].item() == "fewer than 1" and blind.worth["worth"].item() == 0
    knows = whom_to_ask(replace(made, confidence=made.right), models=["m0"])
    assert knows.worth["said"].item() == "more than 4" and np.isinf(knows.worth["worth"].item())
    assert (knows.table.loc[knows.table["k"] == 8, "flag"] == "only 6 models of other families").all()


def test_constant_confidence_leaves_the_others_to_ask():
    made = items()
    flat = replace(made, confidence=np.where(np.arange(7)[:, None] == 0, 1.0, made.confidence))
    found = whom_to_ask(flat, models=["m0"], ks=KS[:2], n_draws=4)
    assert at(found, "own", 0)["flag"] == "one confidence throughout"
    assert at(found, "agreement", 2)["auroc2"] > 0.6
    assert found.worth["flag"].item() == "own confidence orders nothing"


def test_in_simulated_worlds_intervals_hold_the_truth_and_nothing_is_claimed_where_nothing_is():
    stored = pd.read_csv(project_root() / "data/simulations/whom_to_ask.csv")
    asked = stored[stored["measure"] == "whom_to_ask"]
    assert asked["world"].nunique() == 5 and (asked["n_runs"] >= 90).all()
    plain = asked[asked["quantity"].str.contains(r"own 0|agreement 1$|agreement 4|worth|: all")]
    plain = plain[~plain["quantity"].str.contains("and_agreement")]
    # of 100 runs at .95, fewer than 87 come in one of a thousand rows
    assert (plain["covers"] >= 87).all()
    assert plain["covers"].mean() > 93
    nothing = plain[(plain["world"] == "nothing to be told") & plain["quantity"].str.contains("less")]
    assert (nothing["above_0"] + nothing["below_0"]).mean() <= 8
    pairs = stored[(stored["measure"] == "equal_accuracy") & (stored["quantity"] == "equal_accuracy")]
    assert len(pairs) == 14 and (pairs["covers"] >= 87).all()
    assert ((pairs["mean"] - pairs["truth"]).abs() < 0.01).all()


def test_confidence_that_does_not_change_seldom_rises_beyond_unchanged_confidence():
    stored = pd.read_csv(project_root() / "data/simulations/whom_to_ask.csv")
    pairs = stored[stored["measure"] == "equal_accuracy"].set_index(["quantity", "world"])
    equal, mean, rule = (pairs.loc[name] for name in ("equal_accuracy", "excess", "beyond"))
    better = rule.index.str.contains("better confidence")
    assert len(rule) == 16 and better.sum() == 4
    # what is judged alone says so of readers of difficulty; against the mean of others, of one that reads another kind
    assert equal["above_0"].max() >= 90 and mean.loc[~better, "above_0"].max() >= 15
    # of 100 runs at .025, more than 9 come in one of a thousand rows
    assert (rule.loc[~better, "above_0"] <= 9).all()
    assert rule.loc[better, "above_0"].min() >= 30
    unlike = rule.index.str.startswith("difficulty") & ~better
    assert (rule.loc[unlike, "mean"].abs() < 0.01).all()


def test_a_slice_of_the_simulated_worlds_comes_out_as_stored():
    stored = pd.read_csv(project_root() / "data/simulations/whom_to_ask.csv")
    world = stored[(stored["measure"] == "whom_to_ask") & (stored["world"] == "own state")].set_index(
        "quantity"
    )
    runs = [simulation.asked("own state", simulation.N, seed) for seed in range(2)]
    assert runs[0].keys() == set(world.index)
    for quantity, row in world.dropna(subset=["mean", "sd"]).iterrows():
        mean = np.mean([run[quantity][0] for run in runs])
        assert mean == pytest.approx(row["mean"], abs=4 * row["sd"] / np.sqrt(2) + 5e-5), quantity
