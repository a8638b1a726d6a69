"""Tables of many people. Oracles: counts by hand, the library's own single fits, an observer whose values are known."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from metacog.measures.tables_of_people import (
    OF_CHOICES,
    OF_MARKS,
    choice_tables,
    marked_tables,
    table_errors,
    table_measures,
    thinned,
    without_chance,
)
from metacog.sdt import auroc2_from_counts, fit_meta_d, meta_d_observer, meta_information_from_counts
from metacog.sdt.checks import type2_table
from metacog.sdt.meta_d_errors import m_ratio_errors


def test_trials_are_counted_by_person_and_cell():
    who, shown, said, rating = [0, 0, 0, 1, 1], [0, 0, 1, 1, 1], [0, 1, 1, 0, 1], [2, 1, 2, 2, 1]
    s1, s2 = choice_tables(who, shown, said, rating, k=2, n_who=3)
    assert s1.tolist() == [[1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]  # sure S1, unsure S1, unsure S2, sure S2
    assert s2.tolist() == [[0, 0, 0, 1], [1, 0, 1, 0], [0, 0, 0, 0]]
    wrong, right = marked_tables(who, [0, 1, 1, 0, 1], rating, k=2, n_who=2)
    assert wrong.tolist() == [[0, 1], [0, 1]] and right.tolist() == [[1, 1], [1, 0]]


def test_a_batch_of_several_widths_is_what_single_tables_are():
    rng = np.random.default_rng(5)
    tables = [rng.multinomial(300, np.ones(2 * k) / (2 * k), size=2) for k in (2, 4, 3, 4)]
    tables = [(np.sort(a)[::-1], np.sort(b)) for a, b in tables]
    marked = [False, False, True, False]
    tables[2] = (tables[2][0], tables[2][1])
    found = table_measures([a for a, _ in tables], [b for _, b in tables], marked)
    assert list(found.columns) == list(OF_CHOICES) and found["trials"].tolist() == [600] * 4
    for row, (a, b), of_marks in zip(found.itertuples(), tables, marked, strict=True):
        wrong, right = (a, b) if of_marks else type2_table(a, b)
        assert row.auroc2 == pytest.approx(float(auroc2_from_counts(wrong, right)))
        assert row.accuracy == pytest.approx(right.sum() / 600)
        told = meta_information_from_counts(wrong, right, correction="exact")
        assert (row.meta_i, row.meta_i2r) == pytest.approx((told.meta_i, told.meta_i2r))
        if of_marks:
            assert np.isnan([row.d_prime, row.m_ratio, row.meta_i1r]).all()
            continue
        one = fit_meta_d(a + 1 / a.size, b + 1 / a.size)
        assert (row.d_prime, row.meta_d, row.m_ratio) == pytest.approx((one.d_prime, one.meta_d, one.m_ratio))
        ideal = meta_information_from_counts(wrong, right, correction="exact", d_prime=one.d_prime)
        assert row.meta_i1r == pytest.approx(ideal.meta_i1r)


def test_what_an_observer_is_made_of_is_found():
    observer = meta_d_observer(1.5, m_ratio=0.7, n_ratings=4)
    tables = [np.round(1e6 * cells) for cells in observer.probabilities()]
    row = table_measures([tables[0]], [tables[1]]).iloc[0]
    assert (row["d_prime"], row["m_ratio"]) == pytest.approx((1.5, 0.7), abs=2e-3)


def test_what_is_undefined_is_missing():
    never_wrong, one_side = ([5, 5, 0, 0], [0, 0, 5, 5]), ([3, 3, 2, 2], [0, 0, 0, 0])
    found = table_measures([never_wrong[0], one_side[0]], [never_wrong[1], one_side[1]])
    assert found["accuracy"].tolist() == [1.0, 0.6]
    assert np.isnan(found.loc[0, ["auroc2", "meta_i", "meta_i2r"]].astype(float)).all()
    assert np.isfinite(found.loc[0, "d_prime"]) and np.isnan(found.loc[1, "d_prime"])
    assert set(OF_MARKS) < set(OF_CHOICES)


def test_without_bits_the_other_measures_are_the_same():
    made = meta_d_observer(1.5, m_ratio=0.8)
    tables = [list(x) for x in made.counts(300, 4, seed=1)]
    all_of, few = table_measures(*tables), table_measures(*tables, bits=False)
    assert few[["meta_i", "meta_i2r", "meta_i1r"]].isna().all().all()
    for name in ("trials", "accuracy", "auroc2", "d_prime", "m_ratio"):
        assert (few[name] == all_of[name]).all()


def test_thinned_tables_are_part_of_the_whole():
    s1, s2 = (
        [np.array([5, 3, 2, 1]), np.array([9, 0, 1, 4, 0, 2])],
        [np.array([1, 0, 4, 8]), np.array([0, 3, 1, 1, 7, 9])],
    )
    a, b = thinned(s1, s2, 20, seed=3)
    assert [x.sum() + y.sum() for x, y in zip(a, b, strict=True)] == [20, 20]
    assert all((few <= many).all() for few, many in zip([*a, *b], [*s1, *s2], strict=True))
    whole = thinned(s1, s2, 1000, seed=3)
    assert all((few == many).all() for few, many in zip([*whole[0], *whole[1]], [*s1, *s2], strict=True))


def test_without_chance_values_vary_as_true_ones_do():
    """Oracles: the true values; scipy's minimum of the restricted likelihood, where errors are equal."""
    rng = np.random.default_rng(7)
    group = np.repeat(np.arange(200), 20)
    true = 0.9 + 0.2 * rng.normal(size=200)[group] + 0.25 * rng.normal(size=group.size)
    errors = rng.uniform(0.1, 0.5, group.size)
    values = true + errors * rng.normal(size=group.size)
    found = without_chance(values, errors, group, np.zeros(group.size))
    assert values.std() > 1.2 * true.std()
    np.testing.assert_allclose(
        np.quantile(found, [0.25, 0.5, 0.75]), np.quantile(true, [0.25, 0.5, 0.75]), atol=0.02
    )
    few = rng.normal(1.0, 0.5, 12)
    same = without_chance(few, np.full(12, 0.3), np.zeros(12), np.zeros(12))
    least = minimize_scalar(
        lambda v: 11 * np.log(v + 0.09) + ((few - few.mean()) ** 2).sum() / (v + 0.09), bounds=(0, 2)
    )
    share = np.sqrt(least.x / (least.x + 0.09))
    np.testing.assert_allclose(same, few.mean() + share * (few - few.mean()), atol=1e-3)


def test_where_chance_explains_all_everybody_has_the_groups_mean():
    values, errors = np.array([1.0, 1.1, 0.9, 3.0, 3.1]), np.ones(5)
    found = without_chance(values, errors, [0, 0, 0, 1, 1], np.zeros(5))
    np.testing.assert_allclose(found, [1.0, 1.0, 1.0, 3.05, 3.05])


def test_errors_are_of_each_table_whatever_its_width():
    made = [meta_d_observer(1.5, m_ratio=0.8, n_ratings=k).counts(300, 1, seed=k) for k in (3, 4, 3)]
    s1, s2 = ([one[side][0] for one in made] for side in (0, 1))
    found = table_errors(s1, s2, np.array([0.8, 0.9, 1.0]))
    for i, (k, m) in enumerate(((3, 0.8), (4, 0.9), (3, 1.0))):
        assert found[i] == m_ratio_errors(s1[i][None] + 1 / (2 * k), s2[i][None] + 1 / (2 * k), m)[1][0]
