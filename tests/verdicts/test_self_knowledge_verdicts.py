"""Rules on self-knowledge. Oracle: Kleene's "at least k", and rows whose outcome is plain."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults
from scipy.stats import binom

from metacog.core.paths import project_root
from metacog.measures.own_and_others import SIZES, WITH, OwnAndOthers
from metacog.verdicts import self_knowledge
from metacog.verdicts.outcomes import ALL, of_rule, those, together
from metacog.verdicts.self_knowledge_words import VERDICTS, ahead, diagonal, headline, like_these, most_of_it

NAN = float("nan")


def models(**columns):
    base = {"model": ["a", "b", "c"], "flag": "", "why": ["", "", "few"], "n_others_within": 20}
    return pd.DataFrame({**base, **columns})


def more(value, lower, upper, blend=0.01):
    """What own confidence has more than its placebo, and the lower end of what it adds to all that the others say."""
    name = "own_less_placebo"
    bits = {"blend": np.nan if np.isnan(blend) else 0.02, "blend_lower": blend, "blend_upper": 0.03}
    return {name: value, f"{name}_lower": lower, f"{name}_upper": upper, **bits}


def remains(table):
    """What the rule says of all models together."""
    return together(self_knowledge.over_models(table, "remains"), "remains")


def reasons(table):
    """Why models stay undecided, by model."""
    rows = of_rule(self_knowledge.over_models(table, "remains"), "remains")
    return rows[rows["holds"].isna()].set_index("unit")["why"].to_dict()


ONE_OPEN = more([0.2, 0.1, NAN], [0.1, -0.1, NAN], [0.3, 0.3, NAN])


def test_cannot_be_told_where_it_is_so():
    table = models(**ONE_OPEN)
    assert remains(table) is None and reasons(table).keys() == {"b", "c"} and reasons(table)["c"] == "few"
    assert those(self_knowledge.over_models(table, "remains"), "remains", True) == ["a"]
    assert remains(models(**more(-0.2, -0.3, -0.1))) is False


def test_what_remains_counts_only_beyond_the_placebo():
    """However much confidence leaves within difficulty, the verdict follows own less placebo."""
    much = {"corrected": 0.2, "corrected_lower": 0.1, "corrected_upper": 0.3}
    assert remains(models(**much, **more(0.1, 0.05, 0.2))) is True
    assert remains(models(**much, **more(0.1, -0.05, 0.2))) is None
    assert remains(models(**much, **more(-0.1, -0.2, -0.05))) is False


@pytest.mark.parametrize(
    ("blend", "why"),
    [(-0.001, self_knowledge.BLEND), (0.0, self_knowledge.BLEND), (NAN, self_knowledge.UNHEARD)],
)
def test_what_a_blend_of_the_others_says_is_no_self_knowledge(blend, why):
    table = models(**more(0.1, 0.05, 0.2, blend))
    assert remains(table) is None and set(reasons(table).values()) == {why}
    # more than its placebo it is all the same, which by itself is no verdict
    assert self_knowledge.counted(table, *self_knowledge.PLACEBO)["holding"] == 3
    assert self_knowledge.unheard(table) == bool(np.isnan(blend))
    # less than the placebo needs no further reason
    assert remains(models(**more(-0.1, -0.2, -0.05, blend))) is False


def test_without_a_placebo_nothing_is_decided():
    none = models(**more(NAN, NAN, NAN), why=["", "", ""], why_no_placebo="one family", n_placebos=0)
    assert remains(none) is None and reasons(none)["a"] == "one family"
    assert self_knowledge.without_placebo(none) and not self_knowledge.without_placebo(
        models(n_placebos=[0, 3, 0])
    )
    said = headline(SimpleNamespace(models=none))
    assert said.endswith("there is no model of another family to compare.") and faults(said) == []


def test_nothing_is_said_of_difficulty_with_too_few_others():
    sure = more(0.2, 0.1, 0.3)
    enough = self_knowledge.FEW_OTHERS
    heard = models(**sure, n_others_within=self_knowledge.FEW_HEARD)
    assert remains(heard) is True and not self_knowledge.unheard(heard)
    some = models(**sure, n_others_within=self_knowledge.FEW_HEARD - 1)
    assert reasons(some) == dict.fromkeys("abc", self_knowledge.UNHEARD) and self_knowledge.unheard(some)
    known = models(**sure, n_others_within=enough)
    assert self_knowledge.counted(known, *self_knowledge.PLACEBO)["holding"] == 3
    few = models(**sure, n_others_within=enough - 1)
    assert remains(few) is None and len(reasons(few)) == 3 and f"only {enough - 1}" in reasons(few)["a"]
    own = {"own_less_crowd": 0.1, "own_less_crowd_lower": 0.05, "own_less_crowd_upper": 0.2}
    crowd = self_knowledge.over_models(models(**own, n_others_within=2), "crowd")
    assert together(crowd, "crowd") is True
    some = models(**sure, n_others_within=[20, 20, 2])
    assert remains(some) is True and not self_knowledge.too_few_others(some)
    assert self_knowledge.too_few_others(models(n_others_within=enough - 1))


def test_so_many_others_keep_the_rule_from_finding_what_is_not_there():
    stored = pd.read_csv(project_root() / SIZES)
    nothing = stored[stored["kind"] == "difficulty"].assign(found=lambda t: t["most_above_0"] / t["n_runs"])
    few = nothing["n_models"] - 1 < self_knowledge.FEW_OTHERS
    assert few.any() and (nothing.loc[few, "found"] > 0.15).all()
    assert nothing.loc[~few, "n_models"].nunique() >= 3
    for row in nothing[~few].itertuples():  # one in twenty, within the error of the runs
        assert row.most_above_0 <= binom.ppf(0.999, row.n_runs, 0.05)


def test_nothing_passes_of_models_that_cannot_be_judged():
    gap = models(**more([0.2, NAN, NAN], [0.1, NAN, NAN], [0.3, NAN, NAN]), why="few")
    assert remains(gap) is None


def diagonal_row(**given):
    """What the diagonal has beyond row and column."""
    row = {"quantity": "advantage", "mean": 0.05, "lower": 0.02, "upper": 0.08, "p": 0.01}
    return pd.DataFrame([{**row, **given}])


def test_a_diagonal_that_shuffling_gives_as_well_is_undecided():
    """The atlas's is too, once the world of two difficulties stands beside it; above that world it is supported."""
    given = (
        ({}, 0.01, True),
        ({"p": 0.4}, 0.01, None),
        ({"p": NAN}, 0.01, None),
        ({"lower": NAN, "upper": NAN}, 0.01, None),
        ({"mean": 0.028, "lower": 0.021, "upper": 0.035, "p": 0.005}, 0.0315, None),
        ({"mean": 0.05, "lower": 0.04, "upper": 0.06, "p": 0.005}, 0.0315, True),
        ({"mean": -0.05, "lower": -0.06, "upper": -0.04, "p": 0.005}, 0.0315, False),
    )
    for row, nothing, passed in given:
        made = self_knowledge.privileged(diagonal_row(**row), nothing)
        assert together(made, "privileged") is passed, row
    between = self_knowledge.privileged(diagonal_row(mean=0.028, lower=0.021, upper=0.035), 0.0315)
    assert "+0.03" in between["why"].iloc[0]


@pytest.mark.parametrize(("p", "said"), [(1 / 201, "p at most 0.005"), (2 / 201, "p = 0.010")])
def test_a_p_that_permutations_cannot_go_below_is_no_equation(p, said):
    for least, words in (({"least_p": 1 / 201}, said), ({}, f"p = {p:.3f}")):
        means = diagonal_row(p=p, **least)
        found = SimpleNamespace(
            means=means, diagonal_without=0.0315, outcomes=self_knowledge.privileged(means, 0.0315)
        )
        told = VERDICTS["privileged"](found)
        assert words in told and "+0.032" in told and "is undecided: +0.050" in told


@pytest.mark.parametrize(
    ("better", "worse", "n_open", "said"),
    [
        (6, 1, 2, "they know something of themselves"),
        (2, 1, 6, "; some stay open"),
        (2, 0, 7, "large models; the rest stay open"),
        (0, 0, 9, "all stay open"),
        (0, 3, 6, "; 6 stay open"),
        (1, 8, 0, "most read difficulty"),
        (0, 9, 0, "most read difficulty"),
    ],
)
def test_the_head_follows_how_many_models_are_better_than_their_placebo(better, worse, n_open, said):
    counts = {"n_better": better, "n_worse": worse, "n_open": n_open, "n_ranked": 9, "n_ahead": 7}
    head = headline(SimpleNamespace(models=models(n_placebos=3, blend=0.1), **counts), "large models")
    assert (
        said in head
        and f"{better or 'none'} of 9 large models" in head
        and "than other models do" in head
        and faults(head) == []
    )
    note = ahead(SimpleNamespace(**counts))
    assert "equally hard" in note and "in 7, which" in note and faults(note) == []
    unknown = headline(SimpleNamespace(models=models(n_placebos=3, blend=NAN), **counts))
    assert "beats another model's in 7 of 9 models" in unknown and unknown.endswith("is not known.")
    assert faults(unknown) == []
    few = headline(SimpleNamespace(models=models(n_others_within=self_knowledge.FEW_OTHERS - 1)))
    assert "few others" in few and faults(few) == []


@pytest.mark.parametrize(("share", "said"), [(0.2, "says is how hard"), (0.8, "says is not how hard")])
def test_how_much_is_difficulty_is_said(share, said):
    note = most_of_it(SimpleNamespace(models=models(share=[share, share, NAN])))
    assert said in note and f"{share:.0%}" in note and faults(note) == []
    assert most_of_it(SimpleNamespace(models=models(share=NAN))) == ""


def merged(**columns):
    """A table with all that is judged of models; every number but what is given is 0.1."""
    names = ("corrected", "placebo", "share", "own_less_single_median", "own_less_crowd")
    values = {f"{one}{end}": 0.1 for one in names for end in ("", "_lower", "_upper")}
    return models(**values, **columns, family="f", n=9)


def test_models_that_are_not_counted_stand_last_and_in_no_count():
    table = merged(**more([0.1, 0.3, 0.2], 0.05, 0.5))
    shown = self_knowledge.compared(table, ["b"])
    assert list(shown["model"]) == ["c", "a", "b"] and list(shown["uncounted"]) == [False, False, True]
    assert set(shown["outcome"]) == set(shown["ahead"]) == {self_knowledge.BETTER}
    counts = self_knowledge.claims(table, ["b"])
    assert counts.groupby("claim")["models"].sum().eq(2).all() and len(counts) == 3 * len(
        self_knowledge.CLAIMS
    )
    assert np.array_equal(counts.query("claim == 'over half beyond difficulty'")["models"], [0, 0, 2])


def numbers(table, **given):
    """Numbers of some models, as computed; what is not given is empty."""
    ways = [table.assign(rows=WITH, cut=cut) for cut in "ab"]
    blank = {"means": pd.DataFrame(), "diagonal_without": 0.0, "n_models": 0, "n_items": 0}
    return OwnAndOthers(**blank | {"models": table, "remainders": pd.concat(ways), **given})


def test_what_numbers_say_is_counted_worded_and_drawn_as_verdicts_unless_a_run_is_small():
    table = merged(**more([0.2, -0.2, 0.1], [0.1, -0.3, -0.1], [0.3, -0.1, 0.3]))
    found = numbers(table, means=diagonal_row(), n_models=3)
    one = self_knowledge.judge(found)
    assert (one.n_ranked, one.n_better, one.n_worse, one.n_open, one.n_ahead) == (3, 1, 1, 1, 1)
    passed = {"remains": None, "most": False, "single": True, "crowd": True, "privileged": True}
    assert {name: together(one.outcomes, name) for name in passed} == passed
    assert list(one.outcomes.loc[one.outcomes["unit"] == ALL, "rule"]) == list(self_knowledge.RULES)
    assert one.ways[["cut", "holding", "against", "open"]].to_numpy().tolist() == [
        ["a", 1, 1, 1],
        ["b", 1, 1, 1],
    ]
    assert VERDICTS["single"](one).endswith("than another model's is supported: so for 3 of 3 models.")
    assert "is undecided: so for 1 of 3" in VERDICTS["remains"](one)
    unheard = self_knowledge.judge(numbers(table.assign(blend=NAN, blend_lower=NAN)))
    assert set(unheard.outcomes["rule"]) == {"most", "single", "crowd"} and unheard.n_ahead == 1
    small = self_knowledge.judge(numbers(table), verdicts=False, uncounted=["a"])
    assert small.outcomes is None and (small.n_ranked, small.n_better, small.n_open) == (2, 0, 1)


@pytest.mark.parametrize(
    ("lower", "said"), [(0.02, "more than the +0.010"), (0.01, "no more than the +0.010")]
)
def test_the_diagonal_is_held_against_what_models_without_self_knowledge_have(lower, said):
    text = diagonal(SimpleNamespace(means=diagonal_row(lower=lower), diagonal_without=0.01))
    assert f"): {said} that" in text and "+0.050 better" in text
    assert "too few answers" in diagonal(SimpleNamespace(means=pd.DataFrame()))


@pytest.mark.parametrize(
    ("values", "sort"), [("two", "confidence of two values,"), ("graded", "graded confidence,")]
)
def test_what_simulated_models_of_this_size_show_is_said(values, sort):
    simulated = pd.DataFrame(
        {
            "kind": ["difficulty", "own state"],
            "n_models": [9, 99],
            "n_items": 4000,
            "values": [values, "other"],
            "n_judged": [200, 50],
            "above_0": [20, 45],
        }
    )
    text = like_these(SimpleNamespace(), simulated)
    assert f"Among 9 simulated models that answer 4,000 questions with {sort}" in text
    assert "for 10% of those that know nothing" in text and "for 90% of those that read nothing" in text
