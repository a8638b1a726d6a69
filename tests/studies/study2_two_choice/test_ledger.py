"""Study 2's rows of the ledger. Oracles: printed figures and their number, the formula of the tolerance."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import norm

from metacog.commands.ledger import command
from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.studies.ledgers import ledger_results
from metacog.studies.study2_two_choice import comparisons, ledger, published

ROWS = make_ledger(Settings(), [ledger.LEDGER])


def test_every_printed_figure_has_a_row():
    assert ROWS["table"].value_counts().to_dict() == {ledger.S1: 81, ledger.S2: 54, ledger.TEXT: 79}


def test_what_matches_what_differs_and_what_waits():
    """Without a stored posterior: rows on decisions are judged, those on confidence wait and say for what."""
    judged = ROWS[ROWS["status"] != Status.NEEDS]
    differing = set(judged[judged["status"] == Status.DIFFERS]["item"])
    assert differing == {
        "GPT-5, task C, no warning", "GPT-5, task C, warned of S2",
        "d', task C: DeepSeek-V3.2 and Mistral-Medium", "d', task C: GPT-5 and DeepSeek-V3.2",
    }  # fmt: skip
    waiting = ROWS[ROWS["status"] == Status.NEEDS]
    assert (waiting["needs"] == ledger.NEEDS_BAYES).all()
    assert set(waiting["table"]) == {ledger.S1, ledger.TEXT}
    rest = waiting[waiting["table"] == ledger.TEXT]
    assert rest["item"].str.startswith("M-ratio").all() and not judged["item"].str.startswith("M-ratio").any()


def test_the_slip_carries_its_explanation():
    row = ROWS[(ROWS["item"] == "GPT-5, task C, no warning") & ROWS["quantity"].str.startswith("half")].iloc[
        0
    ]
    assert row["status"] == Status.DIFFERS and "10,198 trials" in row["note"]


def test_relative_differences_tell_the_second_named_from_the_first():
    own = ROWS[ROWS["quantity"] == "difference in % of the second"]
    assert len(own) == 6 and set(own["status"]) == {Status.MATCH, Status.DIFFERS}
    assert own["note"].str.contains("over the first named").all()


@pytest.fixture(scope="module")
def stored():
    """A stand-in for the stored posterior: the print itself, a ten-thousandth off, with known errors."""
    frame = published.as_numbers("tableS1")
    cells, rows = {}, []
    for r in frame.itertuples():
        cell = cells.setdefault((r.task, r.model), {"task": r.task, "model": r.model})
        for end, value in (("", r.estimate), ("_lo", r.ci_lo), ("_hi", r.ci_hi)):
            cell |= {f"{r.measure}{end}": value + 1e-4, f"{r.measure}{end}_error": 1e-3}
        rows.append({"task": r.task, "model": r.model, "measure": r.measure, "near": True})
    draws = {
        key: np.exp(np.log(cell["m_ratio"]) + 0.02 * np.linspace(-2, 2, 999)) for key, cell in cells.items()
    }
    means = {key: cell["m_ratio"] for key, cell in cells.items()}
    return SimpleNamespace(
        cells=pd.DataFrame(cells.values()), beside=pd.DataFrame(rows),
        ratios=comparisons.m_ratio_contrasts(draws, means),
    )  # fmt: skip


def test_a_stored_posterior_fills_every_row(stored):
    rows = make_ledger(Settings(results={ledger.STORED: stored}), [ledger.LEDGER])
    assert not (rows["status"] == Status.NEEDS).any()
    own = rows[rows["table"] == ledger.S1]
    assert (own["status"] == Status.MATCH).all()
    assert own["difference"].to_numpy() == pytest.approx(np.full(81, 1e-4))
    sizes = rows[rows["quantity"] == "difference of M-ratio"]
    printed = published.as_numbers("tableS1").set_index(["task", "model", "measure"])["estimate"]
    wanted = printed["A", "GPT-5-2025-08-07", "m_ratio"] - printed["A", "DeepSeek-V3.2-Exp", "m_ratio"]
    assert len(sizes) == 5 and sizes["reproduced"].iloc[0] == pytest.approx(wanted)
    assert sizes["resampled"].all()


def test_tolerance_of_a_posterior_is_the_print_and_the_monte_carlo_error_of_both(stored):
    """Oracle: z of 86 drawn figures, the root of two times our error, half of 1e-4."""
    rows = make_ledger(Settings(results={ledger.STORED: stored}), [ledger.LEDGER])
    own = rows[rows["table"] == ledger.S1]
    z = norm.ppf(1 - 0.05 / (2 * 86))
    assert own["tolerance"].to_numpy() == pytest.approx(np.full(81, 0.5e-4 + z * np.sqrt(2) * 1e-3))
    size = rows[rows["quantity"] == "difference of M-ratio"].iloc[0]
    assert size["tolerance"] == pytest.approx(0.005 + z * 2 * 1e-3)


def test_a_posterior_farther_off_differs(stored):
    off = stored.cells.assign(d_prime=stored.cells["d_prime"] + 0.02)
    moved = SimpleNamespace(cells=off, beside=stored.beside, ratios=stored.ratios)
    rows = make_ledger(Settings(results={ledger.STORED: moved}), [ledger.LEDGER])
    odd = rows[(rows["table"] == ledger.S1) & (rows["status"] == Status.DIFFERS)]
    assert len(odd) == 9 and (odd["quantity"] == "d'").all()


def test_the_ledger_names_the_analysis_that_it_reads():
    found = ledger_results(["study 2"])
    assert [f"{study.name}.{one.name}" for study, one in found] == [ledger.STORED]
    assert ledger_results(["study 1"]) == []


@pytest.mark.parametrize("there", [True, False])
def test_the_command_reads_what_a_book_stored(there, stored, tmp_path, monkeypatch):
    monkeypatch.setattr("metacog.studies.results.stored", lambda *a: stored if there else None)
    words = ["--study", "study 2", "--out", str(tmp_path / "ledger.csv")]
    done = CliRunner().invoke(command, words)
    assert done.exit_code == 0, done.output
    rows = pd.read_csv(tmp_path / "ledger.csv", dtype=str, keep_default_na=False)
    waiting = rows[rows["status"] == "needs data"]
    assert waiting.empty if there else set(waiting["needs"]) == {ledger.NEEDS_BAYES}
    assert "run `metacog book`" in ledger.NEEDS_BAYES
