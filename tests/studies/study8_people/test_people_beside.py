"""Whose confidence tells whose answers. Oracles: loops over the committed rows, and worlds whose truth is known."""

import itertools
import sys

import numpy as np
import pandas as pd
import pytest

from metacog.core.paths import project_root
from metacog.studies.study import Result
from metacog.studies.study8_people import beside, rows
from metacog.studies.study8_people.areas import (
    JUDGED,
    MODELS,
    OF_ONESELF,
    ONESELF,
    PEOPLE,
    areas_of,
    comparisons,
    differences_of,
    judge,
)
from metacog.studies.study8_people.beside import ALONE, EACH_UNLIKE, UNLIKE, WORLDS
from metacog.studies.study8_people.shared_difficulty import shared_of
from metacog.verdicts.outcomes import of_rule, together

sys.path.insert(0, str(project_root() / "benchmarks"))
import people_and_models as proof


@pytest.fixture(scope="module")
def found():
    return Result(beside.beside(None))


@pytest.fixture(scope="module")
def looped():
    """Sums above and below of the four areas in plain loops, from the files, with who and what each comparison has."""
    people, models, makers = (
        pd.read_csv(project_root() / name, keep_default_na=False) for name in rows.FILES
    )
    maker = dict(zip(makers["model"], makers["maker"], strict=True))
    weights = dict(zip(makers["model"], makers["weights"], strict=True))
    of_model = {
        (r.model, r.made_by, r.item): (r.correct, r.log_perplexity_difference) for r in models.itertuples()
    }
    made = []

    def sibling_of(m, o):
        return maker[m] == maker[o] and m != o and (weights[m] != weights[o] or weights[m] == "own")

    for (person, made_by), own in people.groupby(["person", "made_by"]):
        able = [m for m in maker if (m, made_by, 0) in of_model]
        by = {one: [m for m in able if maker[m] == one] for one in {maker[m] for m in able}}
        for a, b in itertools.combinations(list(own.itertuples()), 2):
            right, surer = a.correct - b.correct, np.sign(a.confidence - b.confidence)
            at_a, at_b = ({m: of_model[m, made_by, x.item] for m in able} for x in (a, b))
            model_right = {m: at_a[m][0] - at_b[m][0] for m in able}
            model_surer = {m: np.sign(at_a[m][1] - at_b[m][1]) for m in able}

            def mean(values, by=by):
                return np.mean([np.mean([values[m] for m in own]) for own in by.values()])

            def of_others(m, by=by, surer=model_surer):
                return np.mean(
                    [np.mean([surer[o] for o in own]) for name, own in by.items() if name != maker[m]]
                )

            def of_siblings(m, able=able, surer=model_surer):
                return np.mean([surer[o] for o in able if sibling_of(m, o)])

            def same_answer(of, theirs):
                """By definition: whether they agree on the right one of two items, and whether on the wrong one."""
                agree = [one == other for one, other in zip(of, theirs, strict=True)]
                return (1 + int(agree[of.index(1)]) - int(agree[of.index(0)])) / 2

            def same_of_others(m, at=(at_a, at_b), by=by):
                of = [one[m][0] for one in at]
                if of[0] == of[1]:
                    return 0
                others = {
                    x: [same_answer(of, [one[o][0] for one in at]) for o in own] for x, own in by.items()
                }
                return np.mean([np.mean(value) for name, value in others.items() if name != maker[m]])

            asked = mean({m: abs(model_right[m]) for m in able})
            row = {"person": person, "items": {(made_by, a.item), (made_by, b.item)}}
            row["people: own"] = ((1 + right * surer) / 2 * abs(right), abs(right))
            row["people: other_kind"] = ((1 + right * mean(model_surer)) / 2 * abs(right), abs(right))
            of = [int(a.correct), int(b.correct)]
            same = {m: same_answer(of, [at_a[m][0], at_b[m][0]]) if right else 0 for m in able}
            row["people: other_kind_same"] = (mean(same), abs(right))
            row["models: another_same"] = (mean({m: same_of_others(m) for m in able}), asked)
            have = [m for m in able if any(sibling_of(m, o) for o in able)]
            among = {x: [m for m in own if m in have] for x, own in by.items() if any(m in have for m in own)}
            for name, other in (("own_beside", lambda m, s=model_surer: s[m]), ("sibling", of_siblings)):
                agree = {m: abs(model_right[m]) * (1 + model_right[m] * other(m)) / 2 for m in have}
                one = mean({m: abs(model_right[m]) for m in have}, by=among)
                row[f"models: {name}"] = (mean(agree, by=among), one)
            for name, other in (
                ("own", lambda m, s=model_surer: s[m]),
                ("other_kind", lambda m, s=surer: s),
                ("another", of_others),
            ):
                agree = {m: abs(model_right[m]) * (1 + model_right[m] * other(m)) / 2 for m in able}
                row[f"models: {name}"] = (mean(agree), asked)
            made.append(row)
    return made


def test_areas_and_the_main_difference_are_those_of_loops(found, looped):
    values, moves = {}, {}
    for name in [key for key in looped[0] if ":" in key]:
        above, below = np.array([row[name] for row in looped], dtype=float).T
        values[name] = above.sum() / below.sum()
        moves[name] = (above - values[name] * below) / below.sum()
    table = found.areas
    for whose, source, at in (
        (PEOPLE, "own", 0),
        (PEOPLE, "other_kind", 2),
        (MODELS, "own", 0),
        (MODELS, "another", 1),
        (MODELS, "other_kind", 2),
        (PEOPLE, "other_kind_same", 5),
        (MODELS, "another_same", 4),
    ):
        assert table[whose].iloc[at] == pytest.approx(values[f"{whose}: {source}"], abs=1e-9)
    gap = values["models: own_beside"] - values["models: sibling"]
    assert found.differences.set_index("name").loc["models_maker", "difference"] == pytest.approx(gap)
    gap = moves["people: own"] - moves["people: other_kind"]
    used = np.flatnonzero(gap)
    variance = sum(
        gap[i] * gap[j]
        for i in used
        for j in used
        if looped[i]["person"] == looped[j]["person"] or looped[i]["items"] & looped[j]["items"]
    )
    row = found.differences.set_index("name").loc["people_own"]
    half = (row["difference_upper"] - row["difference_lower"]) / 2
    assert half == pytest.approx(1.9740168 * variance**0.5, rel=1e-5)  # t of 170 degrees of freedom
    assert len(looped) == len(comparisons(rows.load().people))


def test_another_person_is_one_who_answered_both_items(found):
    people = pd.read_csv(project_root() / rows.PEOPLE)
    agree = []
    for _, own in people.groupby("made_by"):
        by = {who: one.set_index("item") for who, one in own.groupby("person")}
        for one, two in itertools.permutations(by, 2):
            both = by[one].index.intersection(by[two].index)
            for a, b in itertools.combinations(both, 2):
                right = by[one].loc[a, "correct"] - by[one].loc[b, "correct"]
                surer = np.sign(by[two].loc[a, "confidence"] - by[two].loc[b, "confidence"])
                if right:
                    agree.append((1 + right * surer) / 2)
    assert found.areas["n_people"].iloc[1] == len(agree)
    assert found.areas["people"].iloc[1] == pytest.approx(np.mean(agree), abs=1e-12)


def test_a_difficulty_in_common_is_found_and_two_are_told_apart():
    """Oracle: the correlation that the simulated difficulties have, 1 and one half."""
    for world, truth in (("one difficulty", 1.0), ("two difficulties", 0.5)):
        r = [shared_of(proof.simulated(rows.load(), world, seed))["r"] for seed in range(12)]
        assert np.nanmean(r) == pytest.approx(truth, abs=0.1)


def test_intervals_hold_the_truth_and_few_runs_without_a_difference_claim_one():
    table = pd.read_csv(project_root() / WORLDS)
    judged = table[table["name"].isin(JUDGED)]
    assert (judged["covers"] / judged["runs"]).min() > 0.92
    null = table[table["name"] == proof.ANY]
    assert set(null["world"]) == set(proof.NOUGHT)
    level = 0.05  # and two Monte Carlo errors, as everywhere in the sweep of verdicts
    assert (null["above"] / null["runs"] <= level + 2 * np.sqrt(level * (1 - level) / null["runs"])).all()
    own = judged[(judged["world"] == "own state") & ~judged["name"].isin(["people_same", "models_same"])]
    assert (own["above"] / own["runs"]).min() > 0.9


def test_what_the_page_says_of_models_themselves_is_seldom_said_where_makers_alone_are_unlike():
    """A maker's other weights share its difficulty. One of each model's own cannot be told, and the page says so."""
    table = pd.read_csv(project_root() / WORLDS).set_index(["world", "name"])
    share = table["above"] / table["runs"]
    assert share[UNLIKE, OF_ONESELF[0]] > 0.25 and share[UNLIKE, ONESELF] <= 0.05
    assert share["own state", ONESELF] > 0.9 and share[EACH_UNLIKE, ONESELF] > 0.5
    assert share[ALONE, "people_own"] <= 0.05


def test_the_table_of_worlds_can_be_made_again():
    table = pd.read_csv(project_root() / WORLDS).set_index(["world", "name"])
    made = proof.run(rows.load(), "own state", 12, 42).set_index("name")
    for name in JUDGED:
        row = table.loc[("own state", name)]
        assert abs(made.loc[name, "mean"] - row["mean"]) < 4 * row["sd"] / 12**0.5


def test_a_difference_is_judged_by_its_interval_and_after_adjusting():
    """The two of a model itself together: open where one is."""
    table = pd.DataFrame(
        {
            "name": ["people_own", "models_own", "kinds", "people_same", *OF_ONESELF],
            "asked": "a less b",
            "difference": [0.1, -0.1, 0.1, 0.1, 0.1, 0.1],
            "difference_lower": [0.05, -0.15, 0.01, -0.01, 0.05, 0.05],
            "difference_upper": [0.15, -0.05, 0.19, 0.21, 0.15, 0.15],
            "p_holm": [0.001, 0.001, 0.06, 0.2, 0.001, 0.06],
        }
    )
    told = judge(table)
    passed = {rule: together(told, rule) for rule in told["rule"].unique()}
    expected = {"people_own": True, "models_own": False, "kinds": None, "people_same": None, ONESELF: None}
    assert passed == expected
    assert [of_rule(told, rule)["why"].iloc[0] for rule in ("kinds", "people_same")] == [
        "open when all are judged together",
        "the interval contains 0",
    ]
    assert together(judge(table.assign(p_holm=0.001)), ONESELF)


def test_numbers_of_the_page_follow_what_was_found(found):
    told = beside.VIEWS.numbers(found)
    gap = found.differences.set_index("name").loc["kinds"]
    assert [told["gap_kinds"], told["gap_kinds_lower"]] == [gap["difference"], gap["difference_lower"]]
    assert told["people_own"] == found.areas["people"].iloc[0]
    assert told["human_people"] == found.ways["people_own"].iloc[1]
    assert (told["parts"], 0 <= told["parts_both"] <= 4) == (4, True)
    gap = pd.Series([0.2, -0.2, *[0.0] * (len(JUDGED) - 2)])
    changed = found.differences.assign(
        difference=gap, difference_lower=gap - 0.1, difference_upper=gap + 0.1, p_holm=0.9 - 4.45 * gap.abs()
    )
    told = beside.VIEWS.numbers(Result({**found, "differences": changed, "outcomes": judge(changed)}))
    says = [told[f"says_{name}"] for name in ("people_own", "models_own", "kinds", ONESELF)]
    assert says == ["more", "less", "open", "open"]


def test_people_and_models_that_read_nothing_but_noise_show_nothing():
    made = differences_of(areas_of(proof.simulated(rows.load(), "nothing", 5))).set_index("name")
    assert (made.loc[list(proof.NOUGHT["nothing"]), "difference"].abs() < 0.08).all()
