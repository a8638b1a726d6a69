"""Posteriors of the published cells beside the print. Oracles: table S1, d' of the counts, moved figures."""

from types import SimpleNamespace

import pandas as pd
import pytest
from scipy.stats import norm

from metacog.core.config import load_profile
from metacog.core.frames import rows_of
from metacog.core.paths import project_root
from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.results import Inputs
from metacog.studies.study2_two_choice import STUDY, paper, posteriors
from metacog.studies.study2_two_choice.ledger import chains, inherited
from metacog.studies.study2_two_choice.ledger import entries as ledger
from metacog.studies.study2_two_choice.ledger.chains import TABLE
from metacog.studies.study2_two_choice.posteriors import posterior

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
    told = posteriors.figures(found)
    assert (told["n_found"], told["n_printed"], told["n_odd"], told["n_short"]) == (
        sum(wanted.values()),
        81,
        1,
        1,
    )
    assert {key[:2] for key, n in wanted.items() if n < 3} == {NINTH}


def test_chains_agree_and_none_diverges(found):
    assert (found.cells["r_hat"] < 1.01).all() and (found.cells["divergences"] == 0).all()
    assert found.cells["judged"].all() and (found.cells["not_positive"] == 0).all()


def test_the_evidence_on_the_ninth_cell_is_that_of_its_counts(found):
    """Oracle: d' from the two shares of answers."""
    cell = next(c for c in paper.rating_cells() if (c.task, c.model) == NINTH)
    shares = [x[5:].sum() / x.sum() for x in (cell.nR_S2, cell.nR_S1)]
    d_prime = norm.ppf(shares[0]) - norm.ppf(shares[1])
    (row,) = rows_of(found.evidence)
    assert (row.task, row.model) == NINTH and row.d_prime == pytest.approx(d_prime)
    # chains like the paper's stop on the way from its start to the posterior: their mean by the simulation
    mean = pd.read_csv(project_root() / TABLE).query("measure == 'd_prime' and column == 'estimate'")
    stop = mean.loc[(mean["task"] == NINTH[0]) & (mean["model"] == NINTH[1]), "mean"].item()
    ours = found.cells.set_index(["task", "model"]).loc[NINTH, "d_prime"]
    assert 0 < (stop - ours) / (1.2565 - ours) < 1 and row.published == 1.2565
    assert row.too_short


def test_a_sampler_that_lies_where_the_posterior_does_is_not_blamed(monkeypatch):
    place = pd.MultiIndex.from_tuples([(*NINTH, "d_prime", "estimate")])
    for mean in (1.3810, 1.3800):  # the second on the side of the print, within chance
        one = pd.DataFrame({"mean": [mean], "spread": [0.001]}, index=place)
        monkeypatch.setattr(chains, "printed_figures", lambda one=one: one)
        assert not posteriors.too_short(*NINTH, 1.3806, 1.2565)


def test_without_a_cell_that_is_off_there_is_no_evidence(found):
    none = posteriors.evidence(found.compared.assign(matches=posteriors.FIGURES))
    assert (
        none.empty and posteriors.figures(SimpleNamespace(**{**dict(found), "evidence": none}))["n_odd"] == 0
    )


def test_printed_verdicts_on_the_m_ratio_come_out_but_for_the_ninth_cell(found):
    odd = found.published_verdicts[~found.published_verdicts["agrees"]]
    assert found.published_verdicts["measure"].value_counts().to_dict() == {"m_ratio": 26, "d_prime": 9}
    for row in rows_of(odd):
        assert NINTH in inherited.cells_of(row), row.pair
    ends = found.sensitivity.set_index(["kind", "task", "model", "first", "second"])
    assert len(ends) == 18 and (ends["lower"] < ends["difference"]).all()


def test_monte_carlo_errors_are_those_of_the_effective_draws(found):
    """Oracle: the spread of a posterior over the root of its effective draws, by half its interval."""
    sd = (found.cells["d_prime_upper"] - found.cells["d_prime_lower"]) / (2 * 1.96)
    effective = (sd / found.cells["d_prime_error"]) ** 2
    assert effective.between(500, 8000).all()
    assert (found.cells["d_prime_lower_error"] > found.cells["d_prime_error"]).all()
