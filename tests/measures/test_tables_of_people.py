"""Tables of many people. Oracles: counts by hand, the library's own single fits, an observer whose values are known."""

import numpy as np
import pytest

from metacog.measures.tables_of_people import (
    OF_CHOICES,
    OF_MARKS,
    choice_tables,
    marked_tables,
    table_measures,
)
from metacog.sdt import auroc2_from_counts, fit_meta_d, meta_d_observer, meta_information_from_counts
from metacog.sdt.checks import type2_table


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
