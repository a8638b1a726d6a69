"""Study 2's rows of the ledger. Oracles: printed figures and their number, the formula of the tolerance."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.stats import norm

from metacog.commands.ledger import command
from metacog.core.paths import project_root
from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import judge, make_ledger
from metacog.studies.ledgers import ledger_results
from metacog.studies.study2_two_choice import cells as cells_page
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.ledger import claims, inherited, text
from metacog.studies.study2_two_choice.ledger import entries as ledger
from metacog.studies.study2_two_choice.ledger.chains import TABLE, error

#: Judged rows that differ.
DIFFERING = {
    "GPT-5, task C, no warning",
    "GPT-5, task C, warned of S2",
    "d', task C: DeepSeek-V3.2 and Mistral-Medium",
    "d', task C: GPT-5 and DeepSeek-V3.2",
    # the caption of figure 1 prints a tenth of what its Methods print; one cell under risk has 9,000 trials
    "trials with confidence, task A",
    "trials with confidence, tasks B and C",
    "trials under risk, tasks B and C",
}
ROWS = make_ledger(Settings(), [ledger.LEDGER])


def with_posterior(cells, ratios):
    return make_ledger(
        Settings(results={ledger.STORED: SimpleNamespace(cells=cells, ratios=ratios)}), [ledger.LEDGER]
    )


def test_every_printed_figure_has_a_row():
    assert ROWS["table"].value_counts().to_dict() == {ledger.S1: 81, ledger.S2: 54, ledger.TEXT: 100}


def test_what_matches_what_differs_and_what_waits():
    """Without a stored posterior: rows on decisions are judged, those on confidence wait and say for what."""
    judged = ROWS[ROWS["status"] != Status.NEEDS]
    assert set(judged[judged["status"] == Status.DIFFERS]["item"]) == DIFFERING
    waiting = ROWS[ROWS["status"] == Status.NEEDS]
    assert (waiting["needs"] == ledger.NEEDS_BAYES).all()
    assert set(waiting["table"]) == {ledger.S1, ledger.TEXT}
    rest = waiting[waiting["table"] == ledger.TEXT]
    assert rest["item"].str.startswith(("M-ratio", "meta-d'")).all()
    held = judged[judged["item"].str.startswith("M-ratio")]  # the range alone, against table S1 as printed
    assert held["item"].nunique() == 1 and set(held["status"]) == {Status.REPEAT}


def test_trials_are_counted_from_the_print_and_the_caption_is_told_apart_from_the_text():
    """Oracle: the totals as they stand in the paper's own counts."""
    rows = ROWS[ROWS["item"].str.startswith("trials ")]
    text = rows[rows["quantity"].str.endswith("(Methods)")].set_index("item")["reproduced"]
    assert text.to_dict() == {
        "trials with confidence, task A": 20_000,
        "trials with confidence, tasks B and C": 10_000,
        "trials under risk, task A": 20_000,
        "trials under risk, tasks B and C": 9_000,
    }
    caption = rows[rows["quantity"].str.contains("caption")]
    assert (caption["status"] == Status.DIFFERS).all() and len(caption) == 2
    short = rows[rows["item"] == "trials under risk, tasks B and C"]["note"].item()
    assert short.startswith("GPT-5, task C, warned of S1: 9,000")


def test_the_direction_of_the_criterion_is_that_of_its_values():
    """Oracle: table S2 as printed; turned over, the claim fails."""
    printed = paper.as_numbers("tableS2").pivot(index=["task", "model"], columns="risk", values="c")
    own = printed[printed.index.get_level_values("model") == "GPT-5-2025-08-07"]
    assert (own["S1"] < own["None"]).all() and (own["None"] < own["S2"]).all()
    rows = ROWS[ROWS["item"].str.startswith(("c, GPT-5, every task: the", "c, every model"))]
    assert rows["reproduced"].tolist() == [1.0, 1.0]
    turned = cells_page.risk_cells().assign(c=lambda t: -t["c"])
    assert text._direction(turned).value == 0.0 and text._direction(turned, every=True).value == 0.0


def test_the_slip_carries_its_explanation():
    own = ROWS[ROWS["item"] == "GPT-5, task C, no warning"]
    row = own[own["quantity"].str.startswith("half")].iloc[0]
    assert row["status"] == Status.DIFFERS and "10,198" in row["note"]


def test_relative_differences_tell_the_second_named_from_the_first():
    own = ROWS[ROWS["quantity"] == "difference in % of the second"]
    assert len(own) == 6 and set(own["status"]) == {Status.MATCH, Status.DIFFERS}
    assert own["note"].str.contains("over the first named").all()


def test_claims_that_follow_from_one_printed_figure_say_so():
    """Oracle: 2.8414 and 1.2565 are printed; of the counts the second is 1.3773."""
    assert (2.8414 / 1.2565 - 1) * 100 == pytest.approx(126, abs=0.5)
    off = {("C", "DeepSeek-V3.2-Exp"): (1.2565, pytest.approx(1.3773, abs=1e-4))}
    assert dict(inherited.off_print()) == off
    told = ROWS[ROWS["note"].str.contains(f"{inherited.NOTES['claim']}.*DeepSeek-V3.2")]
    assert len(told) == 2 and (told["status"] == Status.DIFFERS).all()
    of_pairs = (ROWS["table"] == ledger.TEXT) & ~ROWS["item"].str.startswith("trials ")
    differing = ROWS[of_pairs & (ROWS["status"] == Status.DIFFERS)]
    assert set(told.index) == set(differing.index)


def test_a_verdict_on_m_ratio_that_the_print_gives_and_the_posterior_does_not_says_so(stored):
    """Oracle: the print, with the M-ratio of one cell as of its counts."""
    key = ("C", "DeepSeek-V3.2-Exp")
    frame = paper.as_numbers("tableS1")
    own = frame[frame["measure"] == "m_ratio"].set_index(["task", "model"])
    means = own["estimate"].to_dict() | {key: 0.6265}
    sd = ((own["upper"] - own["lower"]) / 3.92).to_dict()
    rng = np.random.default_rng(2)
    draws = {cell: rng.normal(mean, sd[cell], 20_000) for cell, mean in means.items()}
    ratios = cells_page.m_ratio_contrasts(draws, means)
    rows = with_posterior(stored.cells, ratios).set_index(["table", "item", "quantity"])
    row = rows.loc[(ledger.TEXT, "M-ratio, task C: GPT-5 and DeepSeek-V3.2", "inconclusive")]
    assert row["status"] == Status.DIFFERS and inherited.NOTES["claim"] in row["note"]
    cell = rows.loc[(ledger.S1, "DeepSeek-V3.2, task C"), "note"]
    assert "1.3773" in cell["d'"] and "1.2565" in cell["M-ratio"]


@pytest.fixture(scope="module")
def stored():
    """A stand-in for the stored posterior: the print itself, a ten-thousandth off, with known errors."""
    frame = paper.as_numbers("tableS1")
    cells = {}
    for r in frame.itertuples():
        cell = cells.setdefault((r.task, r.model), {"task": r.task, "model": r.model})
        for end, value in (("", r.estimate), ("_lower", r.lower), ("_upper", r.upper)):
            cell |= {f"{r.measure}{end}": value + 1e-4, f"{r.measure}{end}_error": 1e-3}
    means = {key: cell["m_ratio"] for key, cell in cells.items()}
    draws = {key: mean * np.exp(0.02 * np.linspace(-2, 2, 999)) for key, mean in means.items()}
    ratios = cells_page.m_ratio_contrasts(draws, means)
    return SimpleNamespace(cells=pd.DataFrame(cells.values()), ratios=ratios)


@pytest.fixture(scope="module")
def filled(stored):
    return with_posterior(stored.cells, stored.ratios)


def test_a_stored_posterior_fills_every_row(filled):
    rows = filled
    assert not (rows["status"] == Status.NEEDS).any()
    own = rows[rows["table"] == ledger.S1]
    assert (own["status"] == Status.MATCH).all()
    assert own["difference"].to_numpy() == pytest.approx(np.full(81, 1e-4))
    sizes = rows[rows["quantity"] == "difference of M-ratio"]
    printed = paper.as_numbers("tableS1").set_index(["task", "model", "measure"])["estimate"]
    wanted = printed["A", "GPT-5-2025-08-07", "m_ratio"] - printed["A", "DeepSeek-V3.2-Exp", "m_ratio"]
    assert len(sizes) == 5 and sizes["reproduced"].iloc[0] == pytest.approx(wanted)
    assert sizes["resampled"].all()


def test_tolerance_of_a_posterior_is_the_print_and_the_monte_carlo_error_of_either_side(filled):
    """Oracle: z of 86 drawn figures, errors that add in squares, half of the last digit."""
    own = filled[filled["table"] == ledger.S1]
    size = filled[filled["quantity"] == "difference of M-ratio"].iloc[0]
    z = norm.ppf(1 - 0.05 / (2 * 86))
    chains = pd.read_csv(project_root() / TABLE).set_index(["task", "model", "measure", "column"])
    theirs = {}
    for r in paper.as_numbers("tableS1").itertuples():
        sd = (r.upper - r.lower) / (2 * 1.959964)
        for column, stored_as in (("estimate", "estimate"), ("lower", "ci_lo"), ("upper", "ci_hi")):
            one = chains.loc[(r.task, r.model, r.measure, stored_as)]
            off = np.sqrt((one["mean"] - getattr(r, column) - 1e-4) ** 2 + one["spread"] ** 2)
            theirs[r.task, r.model, r.measure, column] = min(off, sd / np.sqrt(3))
    wanted = [0.5e-4 + z * np.sqrt(1e-6 + e**2) for e in theirs.values()]
    assert own["tolerance"].to_numpy() == pytest.approx(wanted)
    pair = [theirs["A", m, "m_ratio", "estimate"] for m in ("GPT-5-2025-08-07", "DeepSeek-V3.2-Exp")]
    assert size["tolerance"] == pytest.approx(0.005 + z * np.sqrt(2e-6 + np.square(pair).sum()))


def test_the_error_of_a_print_is_its_distance_from_the_posterior_and_at_most_one_draw_a_chain():
    found = error(1.3, 0.03, [1.26, 1.26, 1.3], [1.0, 0.03, 1.0])
    assert found == pytest.approx([0.05, 0.03 / np.sqrt(3), 0.03])  # 3, 4, 5


def test_a_difference_printed_with_one_digit_is_judged_by_that_digit(stored):
    """The paper prints 0.2 for task A, Mistral less DeepSeek, and 0.20 between Mistral's tasks A and C."""
    entries = ledger.entries(Settings(results={ledger.STORED: stored}))
    sizes = entries[entries["quantity"] == "difference of M-ratio"].set_index("item", drop=False)
    both = sizes.loc[
        ["M-ratio, task A: Mistral-Medium and DeepSeek-V3.2", "M-ratio, Mistral-Medium: tasks A and C"]
    ]
    assert both["published"].tolist() == ["0.2", "0.20"]
    # without chance, the rounding alone
    assert judge(both, 0.0)["tolerance"].tolist() == pytest.approx([0.05, 0.005])
    assert judge(both.assign(value=0.24), 0.0)["status"].tolist() == [Status.MATCH, Status.DIFFERS]


def test_a_print_a_whole_deviation_off_would_differ_whatever_the_sampler(stored):
    """Three chains are worth three draws at the least: two deviations are never within the tolerance."""
    chains = pd.read_csv(project_root() / TABLE)
    assert len(chains) == 81 and (chains["spread"] > 0).all() and (chains["chains"] >= 20).all()
    frame = paper.as_numbers("tableS1")
    far = stored.cells.copy()
    for measure in ("d_prime", "meta_d", "m_ratio"):
        sd = (far[f"{measure}_upper"] - far[f"{measure}_lower"]) / (2 * norm.ppf(0.975))
        for end in ("", "_lower", "_upper"):
            far[f"{measure}{end}"] += 2.2 * sd
    rows = ledger.judged_s1(SimpleNamespace(cells=far, ratios=stored.ratios))
    assert len(rows) == 3 * len(frame) and (rows["status"] == Status.DIFFERS).all()


def test_a_verdict_that_hangs_on_the_width_of_the_interval_is_no_match():
    """Oracle: the two counts of verdicts by either width, from the contrasts themselves."""
    counted = claims.counted_claims(cells_page.risk_contrasts(cells_page.risk_cells())).set_index("verdict")
    rows = ROWS[ROWS["item"] == "d' over risk, the pairs not named"].set_index("quantity")
    assert counted.loc["inconclusive", ["printed", "found", "found_wide"]].tolist() == [4, 1, 4]
    hangs, rests = rows.loc["pairs inconclusive"], rows.loc["pairs not significant"]
    assert hangs["status"] == Status.INPUT and hangs["role"] == ledger.WIDTH.rows
    assert "95 %" in hangs["note"] and hangs["note"].endswith("1")
    assert counted.loc["not significant", "found"] == 19 and rests["status"] == Status.MATCH
    told = ledger.text_claims(None)
    own = told[(told["measure"] == "d_prime") & (told["kind"] == "risk")].iloc[[0, 0, 0, 0]]
    own = own.assign(agrees=[False, True, False, True], agrees_wide=[True, True, False, False])
    own = ledger.verdicts(own)
    # by the paper's own 95 % only: the wide interval is judged, and it differs
    assert own["value"].tolist() == [1.0, 1.0, 0.0, 0.0] and own["rival"].iloc[[0, 3]].tolist() == [0.0, 1.0]
    assert own["role"].tolist() == [ledger.WIDTH, None, None, ledger.WIDTH]


def test_a_posterior_farther_off_differs(stored):
    rows = with_posterior(stored.cells.assign(d_prime=stored.cells["d_prime"] + 0.2), stored.ratios)
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
    assert "`metacog book`" in ledger.NEEDS_BAYES
