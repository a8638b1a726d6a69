"""The four questions on simulated trials.

Oracles: the estimators called one by one, observers of known efficiency, and equal observers.
"""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from resampled_dmc import bootstrap_dmc
from simulated_confidence import every_collection, simulated

from metacog.measures.estimates import Measured
from metacog.sdt import abstain_held_out, auroc2, brier_score, ece, fit_meta_d
from metacog.sdt.calibrated_by_chance import if_calibrated
from metacog.sdt.dmc import dmc_counts
from metacog.sdt.rank_correlations import spearman
from metacog.studies.study3_dmc import measures
from metacog.studies.study3_dmc.abstaining import MIN_POINTS, abstained, halves, relations
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.cells import MEASURES, Cells, Way, cell_table, floored, shared
from metacog.studies.study3_dmc.contrasts import FIRST, SAME, contrasts, model_contrasts
from metacog.studies.study3_dmc.measures import (
    D_HAT,
    NO_ABILITY,
    PAD,
    RATIOS,
    ROWS,
    Draws,
    no_ratio,
    units_of,
    way_cell,
)
from metacog.studies.study3_dmc.replication import CLAIMS, GRID, replication
from metacog.studies.study3_dmc.variations import NOT_COMPARED, variation_table

KEPT = ("verbal_vanilla", "token_probability", "consistency_self_random")
TRUE = Way("token_probability", "scored")


def kept(trials):
    return trials[trials["method"].isin(KEPT)]


@pytest.fixture(scope="module")
def collected():
    """Three ways; the consistency has fewer questions, as in the profiles."""
    every = {name: kept(t) for name, t in every_collection(n_questions=40).items()}
    every["repeated"] = kept(simulated("repeated", n_questions=20))
    return every


def given(trials):
    """Inputs of these trials, with their pairs compared."""
    inputs = SimpleNamespace(trials=trials.__getitem__)
    pairs = contrasts(inputs, n_resamples=60)
    return SimpleNamespace(trials=trials.__getitem__, result={"contrasts": pairs}.__getitem__)


@pytest.fixture(scope="module")
def inputs(collected):
    return given(collected)


@pytest.fixture(scope="module")
def found(inputs):
    return replication(inputs, n_resamples=60)


@pytest.fixture(scope="module")
def pairs(inputs):
    return inputs.result("contrasts")


@pytest.fixture
def auroc2_alone(monkeypatch):
    """``auroc2_alone(trials, draws)``: cells without the measures that take time."""
    monkeypatch.setattr(measures, "calibration_error", lambda *_: Measured({}, {}, (), {}))
    return partial(Cells, ratios=())


def cell_of(trials, draws):
    """A cell with the floors of its measures."""
    return floored(way_cell(trials, draws))


def one(trials, method="token_probability", model="gemma3-270m"):
    return trials[(trials["method"] == method) & (trials["model"] == model)]


def clear(n=800, d=1.5, efficiency=0.9, seed=1, **options):
    """A single way of one set with many questions, every reply parsed."""
    asked = {"models": {"m": (d, efficiency)}, "datasets": ("science",), "only": (TRUE.method,)}
    return simulated("single", n, seed=seed, unparsed=0.0, **asked, **options)


def test_every_measure_is_that_of_its_own_estimator():
    trials = clear(400)
    cell = cell_of(trials, Draws(100, 20, 3))
    right, stated = trials["correct"].to_numpy(), trials["confidence"].to_numpy()
    assert cell.made.values["accuracy"] == pytest.approx(right.mean())
    assert cell.made.values["auroc2"] == pytest.approx(auroc2(right, stated))
    assert cell.made.values["brier"] == pytest.approx(brier_score(right, stated))
    assert cell.made.values["ece_debiased"] == pytest.approx(ece(right, stated, debiased=True))
    assert cell.made.values["ece_calibrated"] == if_calibrated(right, stated, clusters=units_of(trials)).mean
    counts = dmc_counts(trials["answer"], right, stated)
    dmc = bootstrap_dmc(trials["answer"], right, stated, units_of(trials), n_resamples=100)
    for name in ("d_hat", "d_star", "mc"):
        assert cell.made.values[name] == pytest.approx(getattr(dmc.fit, name), abs=1e-6)
        width = np.subtract(*cell.made.bounds[name])  # other draws of the same questions
        assert width == pytest.approx(getattr(dmc, name).lower - getattr(dmc, name).upper, rel=0.5)
    s1, s2 = counts.tables
    assert cell.made.values["m_ratio"] == pytest.approx(fit_meta_d(s1 + PAD, s2 + PAD).m_ratio, abs=1e-6)


def test_intervals_resample_base_questions():
    """Each trial four times over, as pairings would be: the interval stays; of questions apart it halves."""
    trials = clear(120)
    copies = pd.concat([trials.assign(pairing=k) for k in range(4)], ignore_index=True)
    apart = copies.assign(base_id=copies["base_id"] + "/" + copies["pairing"].astype(str))
    cells = [cell_of(t, Draws(400, 20, 1)) for t in (trials, copies, apart)]
    for name in ("accuracy", "auroc2", "d_hat", "brier"):
        plain, repeated, smaller = (c.made.bounds[name][1] - c.made.bounds[name][0] for c in cells)
        assert repeated == pytest.approx(plain, rel=0.1) and smaller < 0.65 * plain


def test_the_cv_of_ece_is_shown_and_compared_with_none(found):
    """Its bias depends on the spread of confidence, so equal calibration of two ways can look unequal."""
    assert set(found.variations["measure"]) == set(MEASURES)
    own = found.variations[found.variations["measure"] == NOT_COMPARED]
    assert own["cv"].notna().any() and own["gap"].isna().all() and (own["outcome"] == "").all()
    assert found.variations.loc[found.variations["measure"] == "auroc2", "gap"].notna().any()


def test_the_grid_has_the_shares_of_all_sets_together(found):
    """Oracle: the table of abstaining itself."""
    whole = found.grid[found.grid["dataset"] == "all sets"]
    assert found.grid.loc[found.grid["dataset"] != "all sets", "a_acc"].isna().all() and len(whole)
    both = whole.merge(found.abstained, on=["model", "name"], suffixes=("", "_own"), validate="1:1")
    assert len(both) == len(whole) and both["a_acc"].equals(both["a_acc_own"])
    assert set(found.grid["method"]) <= set(GRID)


def test_an_observer_of_higher_efficiency_is_ranked_higher():
    """Known answer: equal ability, efficiencies .9 and .4, and enough trials to say which is which."""
    both = pd.concat(
        [clear(2000, seed=1).assign(model="sharp"), clear(2000, efficiency=0.4, seed=2).assign(model="dull")]
    )
    (row,) = model_contrasts(Cells(both, Draws(200, 20, 1))).itertuples()
    assert (row.outcome, row.first) == (FIRST, "sharp") and row.lower > 0
    mc = [cell_of(trials, Draws(10, 20, 1)).made.values["mc"] for _, trials in both.groupby("model")]
    assert mc[1] > mc[0]  # sharp, dull


@pytest.mark.parametrize(("runs", "most"), [(16, 3), pytest.param(40, 6, marks=pytest.mark.real)])
def test_of_three_equal_observers_no_pair_is_shown_to_differ(auroc2_alone, runs, most):
    """All pairs are judged together: some pair of 3 differs in one run in twenty, in at most so many (p < .01)."""
    apart = []
    for seed in range(runs):
        three = pd.concat([clear(150, seed=3 * seed + k).assign(model=str(k)) for k in range(3)])
        table = model_contrasts(auroc2_alone(three, Draws(150, 20, seed)))
        apart.append((table["outcome"] != SAME).any())
        assert (table["p_holm"] >= 0.05).eq(table["outcome"] == SAME).all()
    assert sum(apart) <= most


def test_the_same_trials_under_two_names_differ_by_nothing():
    """Paired: the same answers give a difference of 0 in every resample."""
    twice = pd.concat([clear(100).assign(model=m) for m in ("a", "b")])
    table = model_contrasts(Cells(twice, Draws(50, 20, 1)))
    assert (table["difference"] == 0).all() and (table["lower"] == 0).all() and (table["upper"] == 0).all()


def test_near_chance_ratios_are_undefined_and_say_why():
    made = cell_of(clear(60, d=0.0, seed=4), Draws(100, 20, 1)).made
    assert not set(RATIOS) & set(made.values) and made.defined("d_hat") and made.defined("auroc2")
    assert all(made.why[name].startswith(D_HAT) for name in RATIOS)
    wrong = clear(200).assign(correct=lambda t: ~t["correct"], response=lambda t: 1 - t["response"])
    wrong = wrong.assign(answer=np.where(wrong["response"] == 1, "B", "A"))
    assert NO_ABILITY[True] in cell_of(wrong, Draws(100, 20, 1)).made.why["mc"]
    never = np.array([[5, 5, 5, 5], [0, 0, 0, 0], [5, 5, 5, 5], [1, 1, 1, 1]])
    assert no_ratio(never, 3.0, 2.0, 4.0) == ROWS["FA"]
    assert no_ratio(never + 1, 3.0, 2.0, 4.0) == ""


def test_a_cell_made_of_its_padding_says_so():
    """Oracle: an answer B that is never wrong, whose rate is what is added; and a cell with enough of all."""
    trials = clear(200, seed=2)
    silent = trials.assign(stimulus=np.where(trials["response"] == 1, 1, trials["stimulus"]))
    silent = silent.assign(correct=silent["stimulus"] == silent["response"])
    cell = cell_of(silent, Draws(30, 20, 1))
    assert "d_hat" in cell.made.values and "d_hat" not in cell.made.bounds
    assert not set(RATIOS) & set(cell.made.values) and set(RATIOS) <= set(cell.made.why)
    sound = cell_of(trials, Draws(30, 20, 1))
    assert "d_hat" in sound.made.bounds and "mc" in sound.made.values
    table = cell_table(Cells(silent, Draws(30, 20, 1)))
    assert table["d_hat"].notna().all() and table["d_hat_lower"].isna().all()


@pytest.mark.parametrize(
    ("n", "wrong", "why"), [(29, 12, "only 29 trials"), (40, 9, "only 9 wrong"), (40, 10, ""), (30, 12, "")]
)
def test_too_few_trials_give_accuracy_alone(auroc2_alone, n, wrong, why):
    """The floors of every chapter, each as a sharp line: 30 trials, 10 right and 10 wrong answers."""
    trials = clear(40).head(n).assign(correct=np.arange(n) >= wrong)
    made = auroc2_alone(trials, Draws(20, 20, 1)).cell("m", TRUE).made
    assert made.why.get("auroc2", "").startswith(why) and made.defined("accuracy")
    assert made.defined("auroc2") == (not why) and ("brier" in made.why) == bool(why)


def test_an_undefined_set_is_left_out_of_a_cv_and_named():
    sets = [
        clear(300, d=d, seed=i).assign(dataset=name)
        for i, (name, d) in enumerate((("a", 1.2), ("b", 2.0), ("c", 0.0)))
    ]
    table = variation_table(Cells(pd.concat(sets), Draws(200, 20, 1))).set_index("measure")
    assert table.loc["mc", "sets"] == 2 and table.loc["mc", "left_out"].startswith(f"c: {D_HAT}")
    assert table.loc["auroc2", "sets"] == 3 and table.loc["auroc2", "left_out"] == ""
    assert table.loc["mc", "questions"] == 600 and table.loc["auroc2", "questions"] == 900
    values = [cell_of(t, Draws(10, 20, 1)).made.values["mc"] for t in sets[:2]]
    assert table.loc["mc", "cv"] == pytest.approx(np.std(values) / np.mean(values))
    assert table.loc["mc", "corrected"] <= table.loc["mc", "cv"] and table.loc["mc", "noise"] > 0
    alone = variation_table(Cells(sets[0], Draws(50, 20, 1)))
    assert alone["cv"].isna().all() and alone["why"].str.contains("1 of").all()


def test_pairs_are_compared_on_the_questions_both_were_asked(pairs, collected):
    rows = pairs.ways[pairs.ways["model"] == "Gemma-3-270M"]
    by = rows.set_index(["first", "second"])["questions"]
    assert by["Verbalised, vanilla", "Token probability"] == 160
    assert by["Token probability", "Consistency, self-random"] == 80
    few = one(collected["single"])
    few = few[few["base_id"].str.split("-").str[1].astype(int) < 20]
    used = few[few["parse_status"] == "ok"]
    other = one(collected["repeated"], "consistency_self_random")
    other = other[other["parse_status"] == "ok"]
    areas = [auroc2(t["correct"], t["confidence"]) for t in (used, other)]
    gap = rows.set_index(["first", "second"])["difference"]["Token probability", "Consistency, self-random"]
    assert gap == pytest.approx(areas[0] - areas[1])
    assert shared({"a": frozenset("xy"), "b": frozenset("z")}, {"a": frozenset("y"), "b": frozenset()}) == {
        "a": frozenset("y")
    }


def test_a_way_that_fails_stays_undefined_everywhere(found, pairs):
    name = "Verbalised, vanilla (written)"
    cells = found.cells[found.cells["name"] == name]
    assert len(cells) == 2 * 5 and cells["why"].str.contains("could be parsed").all()
    assert cells[[*MEASURES, "d_hat"]].isna().all(axis=None)
    rows = pairs.ways[(pairs.ways["first"] == name) | (pairs.ways["second"] == name)]
    assert (rows["outcome"] == "undefined").all() and rows["why"].str.contains(name, regex=False).all()
    assert (found.abstained[found.abstained["name"] == name]["outcome"] == "undefined").all()


def test_abstention_is_judged_held_out_and_against_answering_all(found, collected):
    own_row = found.abstained[
        (found.abstained["name"] == "Token probability") & (found.abstained["model"] == "Gemma-3-270M")
    ]
    row, trials = own_row.iloc[0], one(collected["single"])
    used = trials[trials["parse_status"] == "ok"]
    held = abstain_held_out(used["correct"], used["confidence"], clusters=units_of(used), seed=42).pooled
    assert (row["a_acc"], row["r_acc"]) == pytest.approx((held.a_acc, held.r_acc))
    assert (
        row["gain"] == pytest.approx(row["a_acc"] - row["constant"])
        and row["gain_lower"] <= row["gain_upper"]
    )


@pytest.mark.parametrize("accuracy", [0.25, 0.75])
def test_random_confidence_does_not_gain_by_abstaining(auroc2_alone, accuracy):
    """Oracle: confidence that knows nothing; at most 5 % of 40 runs may gain, two standard errors allowed."""
    rng, gained = np.random.default_rng(7), 0
    for seed in range(40):
        trials = clear(120, seed=seed)
        trials = trials.assign(correct=rng.random(120) < accuracy, confidence=rng.random(120).round(1))
        gained += abstained(auroc2_alone(trials, Draws(150, 20, seed)))["outcome"].item() == "gains"
    assert gained / 40 <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 40)


@pytest.mark.parametrize("runs", [6, pytest.param(20, marks=pytest.mark.proof)])
def test_equal_knowledge_gives_no_relation_with_what_is_decided(auroc2_alone, runs):
    """Oracle: eight observers of equal knowledge; over runs the mean of rho is 0 to two standard errors."""
    models = {f"m{k}": (1.0, 0.8) for k in range(8)}
    rho = []
    for seed in range(runs):
        trials = simulated("single", 120, models, ("science",), seed=seed, unparsed=0.0, only=(TRUE.method,))
        measured = auroc2_alone(trials, Draws(2, 20, seed))
        table = relations(measured, abstained(measured))
        rho.append(table[table["measure"] == "auroc2"].set_index("share")["rho"])
    mean, error = pd.DataFrame(rho).mean(), pd.DataFrame(rho).std() / np.sqrt(len(rho))
    # below .1 with 20 runs; an error falls with the root of their number
    assert (mean.abs() <= 2 * error).all() and (error < 0.1 * np.sqrt(20 / runs)).all()


def test_more_knowledge_goes_with_better_decisions(auroc2_alone):
    """Confidence that knows from .1 to .9 of the answer: the relation is found across halves."""
    trials, rng, made = clear(600), np.random.default_rng(3), []
    for knows in np.linspace(0.1, 0.9, 6):
        right = rng.random(600) < 0.5
        stated = (knows * right + rng.random(600)) / 2
        made.append(trials.assign(model=f"{knows:.2f}", correct=right, confidence=stated))
    measured = auroc2_alone(pd.concat(made), Draws(100, 20, 1))
    found = relations(measured, abstained(measured))
    row = found[(found["measure"] == "auroc2") & (found["share"] == "A-Acc")].iloc[0]
    assert row["rho"] > 0.7 and row["outcome"] == "rises" and row["n"] == row["of"] == 6


def test_halves_part_the_questions_of_every_set():
    asked = {"a": frozenset("uvwxy"), "b": frozenset("pqrs")}
    first, second = halves(asked, 3)
    assert {k: len(v) for k, v in first.items()} == {"a": 2, "b": 2}
    assert all(first[k] | second[k] == asked[k] and not first[k] & second[k] for k in asked)
    assert halves(dict(reversed(asked.items())), 3)[0] == first != halves(asked, 4)[0]


def test_the_relation_is_over_ways_of_the_same_questions(found):
    assert (found.relations["of"] == 4).all() and (found.relations["n"] < MIN_POINTS).all()
    assert found.relations["rho"].isna().all() and (found.relations["outcome"] == "few points").all()
    x = np.array([[1.0, 2, 3, 4], [1, 2, 3, 4], [1, 2, np.nan, 4], [1, 1, 1, 1]])
    y = np.array([[2.0, 4, 6, 9], [9, 6, 4, 2], [1, 2, 3, 4], [1, 2, 3, 4]])
    assert spearman(x, y)[:2] == pytest.approx([1, -1]) and np.isnan(spearman(x, y)[2:]).all()


def test_the_questions_count_what_the_tables_hold(found, pairs):
    assert found.resamples == 60
    for model, told in found.questions.groupby("model"):
        answer = told.set_index("claim")["answer"]
        own = counted_anew(found, pairs, model)
        assert answer.tolist() == own and list(answer.index) == list(CLAIMS.values())


def counted_anew(found, pairs, model):
    """Counted anew: the answer to each question."""

    def of(shown, known):
        return f"{int(shown.sum())} of {int(known.sum())}" if known.any() else "not testable"

    cells = found.cells[(found.cells["model"] == model) & (found.cells["dataset"] != ALL)]
    varying, ways, decided = (
        frame[frame["model"] == model] for frame in (found.variations, pairs.ways, found.abstained)
    )
    models = pairs.models
    models = models[(models["first"] == model) | (models["second"] == model)]
    higher = ["first higher", "second higher"]
    return [
        f"{cells['mc'].notna().sum()} of {len(cells)}",
        of(varying["outcome"] == "varies more", varying["gap"].notna()),
        of(ways["outcome"].isin(higher), ways["outcome"] != "undefined"),
        of(models["outcome"].isin(higher), models["outcome"] != "undefined"),
        of(decided["outcome"] == "gains", decided["outcome"] != "undefined"),
    ]


def test_a_run_as_small_as_the_smoke_profile_says_what_is_undefined(collected):
    tiny = {name: t[t["base_id"].str.split("-").str[1].astype(int) < 2] for name, t in collected.items()}
    small = replication(given(tiny), n_resamples=20)
    assert small.cells[list(MEASURES)].isna().all(axis=None)
    defined = small.questions.set_index("claim").loc[CLAIMS["defined"]]
    assert defined["answer"].str.startswith("0 of").all() and defined["why"].str.contains("too few").all()
    assert small.cells["accuracy"].notna().any() and small.cells["why"].str.len().gt(0).all()
    assert (small.abstained["outcome"] == "undefined").all()
    model = kept(collected["single"]).query("model == 'gemma3-270m'")
    alone = Cells(model, Draws(10, 20, 1))
    table = model_contrasts(alone)
    assert not len(table) and len(cell_table(alone)) == 2 * 5


def test_one_model_on_one_set_leaves_no_variation_and_says_so():
    """The design of the reference run. Oracle: a coefficient of variation needs two sets."""
    alone = {"qwen2.5-coder-1.5b": (1.0, 0.8)}
    every = every_collection(n_questions=40, models=alone, datasets=("history",))
    every = {name: kept(trials) for name, trials in every.items()}
    result = replication(given(every), n_resamples=10, n_permutations=20)
    assert result.variations["corrected"].isna().all()
    told = result.questions.set_index("claim")
    assert told.loc[CLAIMS["flat"], "answer"] == told.loc[CLAIMS["models"], "answer"] == "not testable"
    assert "two sets" in told.loc[CLAIMS["flat"], "why"] and "one model" in told.loc[CLAIMS["models"], "why"]
