"""Standard errors of M-ratio. Oracles: the spread of simulated tables, and the cells of the library's own observer."""

import numpy as np
import pytest

from metacog.sdt import fit_meta_d_batch, meta_d_observer
from metacog.sdt.meta_d_errors import cell_probabilities, m_ratio_errors


@pytest.mark.parametrize(
    ("d", "m", "c", "k"), [(1.5, 0.8, 0.0, 4), (1.0, 1.2, 0.3, 4), (2.0, 0.5, -0.2, 3), (1.5, 0.8, 0.1, 2)]
)
def test_the_error_is_the_spread_of_simulated_tables(d, m, c, k):
    made = meta_d_observer(d, m_ratio=m, c=c, n_ratings=k)
    ratio, error = m_ratio_errors(
        *(x + 1 / (2 * k) for x in made.counts(600, 3000, seed=1, fixed_base_rate=True))
    )
    spread = np.diff(np.quantile(ratio, [0.16, 0.84]))[0] / 2
    assert np.median(error) == pytest.approx(spread, rel=0.06)
    assert np.sqrt(np.mean(error**2)) == pytest.approx(ratio.std(), rel=0.06)


def test_the_error_that_is_given_a_ratio_goes_less_up_and_down_with_chance():
    made = meta_d_observer(1.5, m_ratio=0.8)
    tables = [x + 1 / 8 for x in made.counts(400, 2000, seed=2, fixed_base_rate=True)]
    ratio, own = m_ratio_errors(*tables)
    same, given = m_ratio_errors(*tables, 0.8)
    assert (same == ratio).all()
    assert abs(np.corrcoef(ratio, given)[0, 1]) < 0.5 < np.corrcoef(ratio, own)[0, 1]
    assert np.median(given) == pytest.approx(np.median(own), rel=0.03)


def test_cells_are_those_of_the_observer_and_tables_without_a_fit_have_no_error():
    made = meta_d_observer(1.2, m_ratio=0.7, c=0.4, n_ratings=3)
    cells = cell_probabilities(1.2, 0.4, made.meta_d, [*made.t2_criteria_rS1, *made.t2_criteria_rS2])
    np.testing.assert_allclose(cells, np.stack(made.probabilities()), atol=1e-12)
    a, b = np.array([[10.0, 5, 5, 10], [3, 2, 2, 1]]), np.array([[10.0, 5, 5, 10], [1, 2, 2, 3]])
    ratio, error = m_ratio_errors(a, b)
    assert np.isnan(error[0]) and np.isnan(ratio[0]) and error[1] > 0
    assert ratio[1] == fit_meta_d_batch(a[1:], b[1:]).m_ratio[0]
