"""Single tables: published posteriors, quadrature, maximum likelihood, and models near chance."""

import numpy as np
import pytest
from reference_pages import example_fails
from reference_posteriors import apart, of_table, reference
from scipy.stats import norm
from sdt_published import published

from metacog.sdt import InputError, fit_meta_d, meta_d_observer
from metacog.sdt.bayes import fit_bayes, predict_roc
from metacog.studies.codec import read_record, write_record

CLEAN = meta_d_observer(1.8, m_ratio=0.8, c=0.0, n_ratings=3)
SMALL = np.array([[40, 35, 30, 20, 10, 5], [6, 10, 26, 34, 36, 28]])
SIZES = {"n_chains": 2, "n_draws": 1000, "n_warmup": 500}


def servajean():
    """The nine published tables of study 2: {(task, model): (nR_S1, nR_S2)}."""
    cells = {}
    for row in published("servajean_meta_d_counts.csv"):
        table = cells.setdefault((row["task"], row["model"]), np.zeros((2, 10), dtype=int))
        confidence = int(row["confidence"])
        place = 5 - confidence if row["response"] == "S1" else 4 + confidence
        table[int(row["stimulus"] == "S2"), place] += int(row["n"])
    return cells


@pytest.fixture(scope="module")
def nine():
    cells = servajean()
    tables = np.stack(list(cells.values()))
    return list(cells), fit_bayes(tables[:, 0], tables[:, 1], n_draws=1000, n_warmup=500)


@pytest.fixture(scope="module")
def batch():
    """A large clean table, one at chance and a small one, of one shape: one batch."""
    clean = np.rint(np.stack(CLEAN.probabilities()) * 20_000)
    chance = np.tile([20, 15, 15, 15, 15, 20], (2, 1))
    return fit_bayes(*np.stack([clean, chance, SMALL], axis=1), **SIZES), clean


@pytest.mark.proof  # `make test` has the verdicts on the same figures, in study 2 (test_study2_posterior.py)
def test_table_s1_comes_out_in_eight_cells_and_not_in_the_ninth(nine):
    cells, fit = nine
    off = {}
    for row in published("servajean_tableS1.csv"):
        i = cells.index((row["task"], row["model"]))
        p = getattr(fit, row["measure"])
        ends = max(abs(p.lower[i] - float(row["ci_lo"])), abs(p.upper[i] - float(row["ci_hi"])))
        off[(*cells[i], row["measure"])] = abs(p.estimate[i] - float(row["estimate"])), ends
    ninth = {k: v for k, v in off.items() if k[:2] == ("C", "DeepSeek-V3.2-Exp")}
    rest = {k: v for k, v in off.items() if k not in ninth}
    assert len(rest) == 24 and len(ninth) == 3
    assert max(v[0] for v in rest.values()) < 0.01, rest
    assert max(v[1] for v in rest.values()) < 0.02, rest
    # the printed d' of the ninth does not follow from the published counts
    table = servajean()["C", "DeepSeek-V3.2-Exp"]
    rates = table[:, 5:].sum(axis=1) / table.sum(axis=1)
    assert norm.ppf(rates[1]) - norm.ppf(rates[0]) == pytest.approx(1.377, abs=1e-3)
    assert all(v[0] > 0.02 for v in ninth.values())


@pytest.mark.proof
def test_the_nine_cells_converge(nine):
    _, fit = nine
    assert fit.r_hat.max() < 1.01
    assert fit.divergences.sum() == 0
    assert fit.ess_bulk.min() > 400 and fit.ess_tail.min() > 400
    assert fit.judged.all()


@pytest.mark.parametrize("name", [pytest.param("servajean_gpt5_b", marks=pytest.mark.proof), "small_table"])
def test_reference_posteriors_agree(request, name):
    """Oracle: the model in NumPyro's words, sampled at length (`benchmarks/reference_posteriors.py`)."""
    if name == "small_table":
        fit, i = request.getfixturevalue("batch")[0], 2
    else:
        cells, fit = request.getfixturevalue("nine")
        i = next(i for i, (task, model) in enumerate(cells) if task == "B" and model.startswith("GPT-5"))
    counts, known = reference(name)
    np.testing.assert_array_equal(counts, fit.counts[i])
    assert known["diagnostics"]["r_hat"] <= known["checks"]["r_hat at most"] < 1.011
    far = apart(name, of_table(fit, i))
    assert max(far.values()) < 4, (name, max(far, key=far.get))
    # a fifth of an sd off would not agree
    wrong = of_table(fit, i)
    wrong["meta_d"] = wrong["meta_d"] + 0.2 * wrong["meta_d"].std()
    assert apart(name, wrong)["meta_d", "mean"] > 4


def test_agrees_with_maximum_likelihood_on_a_large_clean_table(batch):
    fit, clean = batch
    ml = fit_meta_d(*clean)
    for name in ("d_prime", "meta_d", "m_ratio", "c"):
        p = getattr(fit, name)
        sd = fit.draws(name)[0].std()
        assert abs(p.estimate[0] - getattr(ml, name)) < 0.25 * sd, name
        assert sd < 0.03
    assert fit.judged[0]


def test_near_chance_m_ratio_is_not_judged(batch):
    fit, _ = batch
    assert fit.judged.tolist() == [True, False, True]
    assert fit.share_near_zero[0] <= 0.01 < fit.share_near_zero[1]
    draws = fit.draws("m_ratio")[1]
    assert fit.share_not_positive[1] == np.mean(draws <= 0) > 0.01
    assert fit.m_ratio.upper[1] - fit.m_ratio.lower[1] > 5
    log = fit.draws("log_m_ratio")
    assert np.isnan(log[1]).mean() == fit.share_not_positive[1]
    assert np.isnan(fit.log_m_ratio.estimate[1])  # what has a logarithm is a selection
    assert fit.log_m_ratio.estimate[0] == pytest.approx(log[0].mean())


def test_tables_of_one_shape_are_compiled_once(batch):
    from metacog.sdt.bayes import _sampler, _single

    fit, _ = batch
    run = _sampler.sampler(_single.table_log_posterior, SIZES["n_warmup"], SIZES["n_draws"], True, 0.8)
    before = run._cache_size()
    again = fit_bayes(*fit.counts.transpose(1, 0, 2), **SIZES)
    assert run._cache_size() == before > 0
    np.testing.assert_array_equal(again.posterior, fit.posterior)


def test_predictive_check_holds_for_the_models_own_ratings_and_not_for_others(batch):
    fit, _ = batch
    check = predict_roc(fit, n_replicates=500)
    assert check.p_value[0] > 0.05
    table = check.table()
    assert len(table) == 3 * 3 * 2 * 2
    assert table.query("table == 0")["inside"].all()
    # confidence that knows S1 from S2 only on one side fits no single meta-d'
    odd = np.array([[[300, 300, 300, 5, 15, 80], [80, 15, 5, 40, 60, 800]]])
    odd = np.repeat(odd, 3, axis=0)
    bad = predict_roc(fit_bayes(odd[:, 0], odd[:, 1], **SIZES), n_replicates=500)
    assert bad.p_value.max() < 0.01
    assert not bad.table()["inside"].all()


def test_summary_arviz_and_the_codec(batch, tmp_path):
    fit, _ = batch
    summary = fit.summary()
    assert list(summary.columns) == ["table", "quantity", "estimate", "lower", "upper", "r_hat", "ess"]
    assert len(summary) == 15
    assert (summary.eval("lower <= upper")).all()
    data = fit.to_arviz()
    assert data.posterior["meta_d"].dims == ("chain", "draw", "table")
    assert float(data.posterior["meta_d"].mean(("chain", "draw"))[0]) == pytest.approx(fit.meta_d.estimate[0])
    assert int(data.sample_stats["diverging"].sum()) == fit.divergences.sum()
    write_record(fit, tmp_path, {})
    again = read_record(tmp_path)
    np.testing.assert_array_equal(again.draws("m_ratio"), fit.draws("m_ratio"))
    assert "posterior=" not in repr(fit)


@pytest.mark.parametrize(
    ("s1", "s2", "words"),
    [
        ([5, 5], [5, 5], "At least 2 ratings"),
        ([1.5, 2, 3, 4], [1, 2, 3, 4], "whole numbers"),
        ([[1, 2, 3, 4], [0, 0, 0, 0]], [[1, 2, 3, 4], [1, 2, 3, 4]], "Table 1: nR_S1 has no trials"),
    ],
)
def test_bad_counts_are_refused(s1, s2, words):
    with pytest.raises(InputError, match=words):
        fit_bayes(s1, s2)


@pytest.mark.parametrize("name", ["fit_bayes", "predict_roc"])
def test_the_example_of_the_reference_prints_what_it_says(batch, name):
    """Three tables of three ratings, as many draws: the program is compiled for ``batch`` already."""
    assert example_fails(f"metacog.sdt.bayes.{name}") == ""
