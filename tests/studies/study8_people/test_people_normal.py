"""What is normal. Oracles: numpy on sets written out twice; a database with known M-ratios; the committed counts."""

import json

import numpy as np
import pandas as pd
import pytest
import what_is_normal as simulation
from scipy.special import ndtr

from metacog.core.frames import committed_table
from metacog.core.paths import committed
from metacog.measures.among_people import PERCENTILES, WITHOUT_CHANCE
from metacog.sdt import meta_d_observer
from metacog.studies.contributions import RatingTables, rating_table
from metacog.studies.study8_people import normal
from metacog.studies.study8_people.database import MARKED, sets, tables


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    return normal.people_of(tables())


def test_the_committed_percentiles_are_those_of_the_committed_counts(people):
    found = committed_table(PERCENTILES)
    pd.testing.assert_frame_equal(found, normal.percentiles(people).round(4), check_dtype=False, atol=2e-4)


def test_who_counts_and_their_medians(people):
    assert (len(people), people["set"].nunique()) == (5086, 104)
    assert people["m_ratio"].quantile([0.25, 0.5, 0.75]).round(2).tolist() == [0.60, 0.85, 1.11]
    assert people["trials"].min() >= 100 and people["d_prime"].min() > 0.5 and people["accuracy"].max() < 0.95


def test_a_set_that_counts_twice_is_a_set_written_out_twice():
    rng = np.random.default_rng(3)
    values, of = rng.normal(0.9, 0.3, 40), np.repeat([0, 1, 2, 3], 10)
    times = np.array([[1, 1, 1, 1], [2, 0, 1, 1]])
    found = normal._spread(values, times[:, of])
    for row, drawn in enumerate((values, np.concatenate([np.tile(values[:10], 2), values[20:]]))):
        for name, share in normal.QUARTILES.items():
            assert found[name][row] == np.quantile(drawn, share, method="inverted_cdf")
        assert found["below_08"][row] == (drawn < 0.8).mean()
        assert normal._variance(values, times[:, of])[row] == pytest.approx(drawn.var())


def test_summaries_are_of_people_and_their_intervals_over_sets(people):
    some = people[people["domain"] == "memory"]
    told = (
        normal.summaries(some.assign(domain="perception"), 200, 1)
        if some.empty
        else normal.summaries(people, 200, 1)
    )
    row = told[
        told["domain"].eq("memory") & told["measure"].eq("auroc2") & told["summary"].eq("median")
    ].iloc[0]
    assert (row["people"], row["sets"]) == (len(some), some["set"].nunique())
    assert row["value"] == np.quantile(some["auroc2"], 0.5, method="inverted_cdf")
    medians = some.groupby("set")["auroc2"].median()
    assert medians.min() < row["value_lower"] < row["value"] < row["value_upper"] < medians.max()


def test_two_people_of_one_set_are_right_equally_often(people):
    """By hand from their counts."""
    made = normal.two_people(people).set_index("who")
    own = people[people["set"].eq("Rouault_2018_Expt2") & people["accuracy"].eq(153 / 210)]
    assert made["alike"].tolist() == [len(own)] * 2 and made["right"].tolist() == [153, 153]
    for who, at in (
        ("first person", own["m_ratio"].sub(1).abs().idxmin()),
        ("second person", own["m_ratio"].idxmin()),
    ):
        a, b = own.loc[at, "nR_S1"], own.loc[at, "nR_S2"]
        right = a[:3].sum() + b[9:].sum(), a[:6].sum() + b[6:].sum()
        assert made.loc[who, "sure_right"] == pytest.approx(100 * right[0] / right[1])
        assert made.loc[who, "m_ratio_lower"] < made.loc[who, "m_ratio"] == own.loc[at, "m_ratio"]


def test_a_hill_is_highest_where_most_people_are(people):
    made = normal.hill_of(people)
    step = made["m_ratio"].diff().median()
    assert made["height"].sum() * step == pytest.approx(0.99, abs=0.01)
    assert made.loc[made["height"].idxmax(), "m_ratio"] == pytest.approx(
        people[WITHOUT_CHANCE].median(), abs=0.1
    )


def test_a_set_misfits_where_its_people_do_more_than_the_models_counts():
    one = {
        "part": "",
        "domain": "memory",
        "form": "yes or no",
        "slope": 0.8,
        "slope_null": 1.0,
        "g2_null": 100.0,
        "g2_sd": 10.0,
    }
    rows = [
        one | {"set": "a", "g2": 160.0, "world": normal.OF_PEOPLE},
        one | {"set": "b", "g2": 118.0, "world": normal.OF_PEOPLE},
        one | {"set": "c", "g2": 100.0, "world": normal.OF_PEOPLE, "domain": "perception"},
        one | {"set": "a", "g2": 118.0, "world": normal.OF_MODEL},
    ]
    made = normal.misfit_by_domain(pd.DataFrame(rows)).set_index("whose")
    told = made[["sets", "misfit", "alone"]]
    assert told.loc["All"].tolist() == [3, 1, 2] and told.loc["Memory"].tolist() == [2, 1, 2]
    assert told.loc["Perception"].tolist() == [1, 0, 0] and told.loc[normal.MODELS_OWN].tolist() == [1, 1, 1]
    assert made.loc["All", "excess"] == pytest.approx(378 / 300)
    assert made.loc[normal.OLD_OR_NEW, ["unlike", "unlike_null"]].tolist() == pytest.approx([1.25, 1.0])


def test_the_committed_misfit_is_of_the_sets_of_the_page(people):
    table = committed_table(normal.MISFIT).fillna({"part": ""})
    sizes = people.groupby(["set", "part"]).size()
    found = table[table["world"] == normal.OF_PEOPLE].set_index(["set", "part"])["people"]
    assert len(found) == (sizes >= normal.FEW).sum()
    assert (sizes.loc[found.index] - found).between(0, 2).all()


def test_pooled_conditions_are_their_sum(people):
    """By hand for one set: counts of its conditions, added up and one by one."""
    facts = normal.by_condition(people[people["set"] == "Bang_2019_Exp1"])
    found = tables("condition")
    found = found[
        (found["set"] == "Bang_2019_Exp1")
        & found["person"].isin(people.loc[people["set"] == "Bang_2019_Exp1", "person"])
    ]
    ratios = []
    for _, own in found.groupby("person"):
        each = normal._measured(own.reset_index(drop=True))
        each = each[normal.kept(each)["all"]]
        if len(each) > 1:
            whole = {side: [np.sum(each[side].tolist(), axis=0)] for side in normal.SIDES}
            pooled = normal.table_measures(*whole.values())["m_ratio"].iloc[0]
            ratios.append((pooled, np.average(each["m_ratio"], weights=each["trials"])))
    assert facts["condition_people"] == len(ratios) > 1
    assert (facts["pooled"], facts["within"]) == pytest.approx(tuple(np.median(ratios, axis=0)))


def test_models_are_measured_as_people_are_and_have_a_place_only_with_two_choices():
    a, b = meta_d_observer(1.5, m_ratio=0.8, n_ratings=4).counts(5000, 1, seed=2)
    counts = [
        rating_table("one, task X: this or that", a[0], b[0], decision=True, pad=0.0),
        rating_table("open", [9, 4], [3, 8], decision=False, pad=0.5),
    ]
    made = normal.models_of([RatingTables(pd.concat(counts))], normal.OWN).set_index("model")
    two, marks = made.loc["one: X"], made.loc["open"]
    assert two["m_ratio"] == pytest.approx(0.8, abs=3 * (two["m_ratio_upper"] - two["m_ratio"]) / normal.Z95)
    assert (
        np.isnan(marks["m_ratio"])
        and np.isnan(marks["m_ratio_lower"])
        and marks["auroc2_lower"] < marks["auroc2"]
    )
    people = pd.DataFrame(
        {"d_prime": [1.4, 1.6] * 60 + [4.0] * 50, WITHOUT_CHANCE: [0.1, 2.0] * 60 + [0.1] * 50}
    )
    model = made.loc[["one: X"]].reset_index()
    place = normal.placed_models(model, people).iloc[0]
    assert 0 < place["people_below"] < 1
    assert (place["near"], place["near_below"]) == (120, 0.5)
    few = normal.placed_models(model, people.iloc[:99]).iloc[0]
    assert few["near"] == 99 and np.isnan(few["near_below"])


def test_a_simulated_person_has_the_ratings_and_the_ratio_that_are_wanted():
    d, c, meta = np.array([1.4]), np.array([0.2]), np.array([1.0])
    shares, n = np.array([[0.1, 0.3, 0.6, 0.5, 0.3, 0.2]]), np.array([[300, 100]])
    cuts = simulation.criteria_of(d, c, meta, shares, n)
    cells = simulation.cell_probabilities(d, c, meta, cuts)[0]
    both = (n[0][:, None] * cells).sum(axis=0)
    np.testing.assert_allclose(both[:3] / both[:3].sum(), shares[0, :3], atol=1e-9)
    np.testing.assert_allclose(both[3:] / both[3:].sum(), shares[0, 3:], atol=1e-9)
    assert cells[0, :3].sum() == pytest.approx(ndtr(0.2 + 0.7))
    one = simulation.Observers(np.array([0]), n, d, c, shares)
    wide = one.probabilities(meta / d, 1.25)[0]
    assert wide[0] == pytest.approx(cells[0]) and wide[1, :3].sum() == pytest.approx(ndtr((0.2 - 0.7) / 1.25))


def test_the_simulated_table_is_of_the_present_page():
    table = committed_table(normal.SIMULATED)
    assert set(table["world"]) == {simulation.LIKE, simulation.SKEWED, normal.ALIKE, normal.UNEQUAL}
    assert set(table["summary"]) == set(normal.TOLD) and set(table["domain"]) == set(normal.DOMAINS)
    facts = json.loads(committed(normal.SIMULATED).with_suffix(".json").read_text())
    assert facts["command"].startswith("python benchmarks/what_is_normal.py")


def test_without_chance_a_simulated_database_has_its_own_quartiles():
    found = tables()
    chosen = sets().query("trials > 0")["set"].unique()[::3]
    found = found[(found["form"] != MARKED) & found["set"].isin(chosen)].reset_index(drop=True)
    made = normal.people_of(simulation.drawn(found, simulation.observers(found), simulation.LIKE, 5))
    true = made["true_m_ratio"].quantile([0.25, 0.75])
    as_measured, settled = (made[name].quantile([0.25, 0.75]) for name in ("m_ratio", WITHOUT_CHANCE))
    assert (settled - true).abs().max() < 0.03 < (as_measured - true).abs().max()
    found = normal.apart(made)
    of_sets = made.groupby("of")["true_m_ratio"].transform("mean")
    assert found["sd_people"] == pytest.approx((made["true_m_ratio"] - of_sets).std(), abs=0.03)
    assert found["sd_sets"] == pytest.approx(simulation.OF_SETS, abs=0.05)


def test_the_hierarchical_fit_is_of_the_people_of_the_page(people):
    table = committed_table(normal.BY_GROUP).fillna({"part": ""})
    assert len(table) >= 5 and (table["r_hat"] < 1.05).all()
    for row in table.itertuples():
        own = people[people["set"].eq(row.set) & people["part"].eq(row.part)]
        assert len(own) == row.people >= 24
        found = [own[name].quantile(q) for name in ("m_ratio", WITHOUT_CHANCE) for q in (0.25, 0.5, 0.75)]
        names = [f"{kind}_{name}" for kind in ("measured", "settled") for name in normal.QUARTILES]
        assert found == pytest.approx([getattr(row, name) for name in names], abs=2e-3)


def test_distances_from_the_hierarchical_fit_are_told_as_they_are():
    ends = {"lower_quarter": 0.6, "median": 0.8, "upper_quarter": 1.0}
    made = {f"group_{name}": value for name, value in ends.items()}
    made |= {
        f"group_{name}_{end}": ends[name] + by
        for name in ends
        for end, by in (("lower", -0.1), ("upper", 0.1))
    }
    made |= {f"settled_{name}": value + 0.05 for name, value in ends.items()}
    made |= {"measured_lower_quarter": 0.4, "measured_median": 0.8, "measured_upper_quarter": 1.2}
    other = made | {"settled_upper_quarter": 1.25}
    found = normal.group_numbers(pd.DataFrame([made, other]))
    assert (found["group_sets"], found["group_inside"], found["group_all"]) == (2, 5, 6)
    assert found["wide_group"] == pytest.approx(0.4) and found["wide_measured"] == pytest.approx(0.8)
    assert found["wide_settled"] == pytest.approx(0.5) and found["gap_settled_median"] == pytest.approx(0.05)
