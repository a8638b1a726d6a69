"""Posteriors of the published cells beside the print. Oracles: table S1, d' of the counts, moved figures."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from heads_checked import numbers_of
from scipy.stats import norm

from metacog.core.config import load_profile
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.results import Inputs
from metacog.studies.study2_two_choice import STUDY, paper, two_choice, two_choice_shown
from metacog.studies.study2_two_choice.ledger import chains, claims
from metacog.studies.study2_two_choice.ledger import entries as ledger
from metacog.studies.study2_two_choice.ledger.chains import TABLE
from metacog.studies.study2_two_choice.two_choice import posterior

NINTH = ("C", "DeepSeek-V3.2-Exp")


@pytest.fixture(scope="module")
def found():
    """The analysis with a quarter of the book's draws: the nine cells sampled once for this file."""
    inputs = Inputs(STUDY, load_profile("default"), posterior, {})
    return posterior(inputs, n_draws=500, n_warmup=500, seed=42)


def test_the_chapter_shows_the_verdicts_of_the_ledger(found):
    """One verdict a figure: what the ledger says of table S1 with this posterior, counted here."""
    rows = make_ledger(Settings(results={ledger.STORED: found}), [ledger.LEDGER])
    status = rows.loc[rows["table"] == ledger.S1, "status"].to_numpy().reshape(27, 3)
    text = paper.as_text("tableS1")
    wanted = {
        (r.task, r.model, r.measure): int((own == Status.MATCH).sum())
        for r, own in zip(rows_of(text), status, strict=True)
    }
    assert found.compared.set_index(["task", "model", "measure"])["matches"].to_dict() == wanted
    assert numbers_of(two_choice_shown.figures_reproduced(found))[:2] == [f"{sum(wanted.values())}", "81"]
    assert {key[:2] for key, n in wanted.items() if n < 3} == {NINTH}


def test_chains_agree_and_none_diverges(found):
    assert (found.cells["r_hat"] < 1.01).all() and (found.cells["divergences"] == 0).all()
    assert found.sampling.sound and found.sampling.divergences == 0
    assert (found.sampling.chains, found.sampling.draws) == (4, 500)
    assert found.cells["judged"].all() and (found.cells["not_positive"] == 0).all()


def test_the_evidence_on_the_ninth_cell_is_that_of_its_counts(found):
    """Oracle: d' from the two shares of answers."""
    cell = next(c for c in paper.rating_cells() if (c.task, c.model) == NINTH)
    shares = [x[5:].sum() / x.sum() for x in (cell.nR_S2, cell.nR_S1)]
    d_prime = norm.ppf(shares[0]) - norm.ppf(shares[1])
    (row,) = rows_of(found.evidence)
    assert (row.task, row.model) == NINTH and row.d_prime == pytest.approx(d_prime)
    assert (row.draws, row.extreme, row.answers) == (2_000, 0, 10_000)
    assert row.ratio == pytest.approx(row.m_ratio, abs=1e-3) and row.meta_d_inside
    half = (d_prime - 1.2565) / 2
    c = -norm.ppf(shares).sum() / 2
    moved = sum(
        5000 * abs(norm.cdf(s * d_prime / 2 - c) - norm.cdf(s * (d_prime / 2 - half) - c)) for s in (1, -1)
    )
    assert row.different == pytest.approx(moved, abs=0.5)
    sentence = two_choice_shown.figures_reproduced(found)
    assert "DeepSeek-V3.2" in sentence and f"{d_prime:.4f}" in sentence
    # chains like the paper's stop on the way from its start to the posterior: their mean by the simulation
    mean = pd.read_csv(project_root() / TABLE).query("measure == 'd_prime' and column == 'estimate'")
    stop = mean.loc[(mean["task"] == NINTH[0]) & (mean["model"] == NINTH[1]), "mean"].item()
    ours = found.cells.set_index(["task", "model"]).loc[NINTH, "d_prime"]
    assert row.share == pytest.approx((stop - ours) / (1.2565 - ours)) and row.chains == pytest.approx(stop)
    assert row.too_short and two_choice_shown.SHORT in sentence


def test_a_sampler_that_lies_where_the_posterior_does_is_not_blamed(monkeypatch):
    one = chains.Printed(mean=1.3810, spread=0.001, chains=24)
    monkeypatch.setattr(two_choice, "printed_figures", lambda: {(*NINTH, "d_prime", "estimate"): one})
    assert not two_choice.sampler(*NINTH, 1.3806, 1.2565)["too_short"]
    near = chains.Printed(mean=1.3800, spread=0.001, chains=24)  # on the side of the print, within chance
    monkeypatch.setattr(two_choice, "printed_figures", lambda: {(*NINTH, "d_prime", "estimate"): near})
    assert not two_choice.sampler(*NINTH, 1.3806, 1.2565)["too_short"]


def test_without_a_cell_that_is_off_there_is_no_evidence(found):
    none = two_choice.evidence(found.compared.assign(reproduced=True), None)
    assert (
        none.empty
        and len(numbers_of(two_choice_shown.figures_reproduced(replace(found, evidence=none)))) == 2
    )
    innocent = replace(found, evidence=found.evidence.assign(too_short=False))
    assert two_choice_shown.SHORT not in two_choice_shown.figures_reproduced(innocent)


def test_printed_verdicts_on_the_m_ratio_come_out_but_for_the_ninth_cell(found):
    odd = found.published_verdicts[~found.published_verdicts["agrees"]]
    assert len(found.published_verdicts) == 26
    for row in rows_of(odd):
        sides = {
            (row.task, row.first),
            (row.task, row.second),
            (row.first, row.model),
            (row.second, row.model),
        }
        assert NINTH in sides, claims.pair_name(row)


def test_maximum_likelihood_is_near(found):
    """Oracle: the paper's own warning that d' is nearly the same either way."""
    d = found.compared[found.compared["measure"] == "d_prime"]
    assert (d["ml"] - d["bayes"]).abs().max() < 0.05


def test_monte_carlo_errors_are_those_of_the_effective_draws(found):
    """Oracle: the spread of a posterior over the root of its effective draws, by half its interval."""
    sd = (found.cells["d_prime_upper"] - found.cells["d_prime_lower"]) / (2 * 1.96)
    effective = (sd / found.cells["d_prime_error"]) ** 2
    assert effective.between(500, 8000).all()
    assert (found.cells["d_prime_lower_error"] > found.cells["d_prime_error"]).all()


def test_the_predictive_check_is_of_the_observed_counts(found):
    cell = paper.rating_cells()[0]
    points = found.points[(found.points["task"] == "A") & (found.points["model"] == cell.model)]
    row = points[(points["response"] == "S2") & (points["confidence_from"] == 5)].iloc[0]
    assert row["hit"] == pytest.approx(cell.nR_S2[9] / cell.nR_S2[5:].sum())
    assert row["false_alarm"] == pytest.approx(cell.nR_S1[9] / cell.nR_S1[5:].sum())
    assert len(found.predictive) == 9 and (found.predictive["rates"] == 24).all()
    assert np.isfinite(found.predictive["p_value"]).all()
