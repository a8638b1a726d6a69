"""The ledger. Oracles: published tables of study 1, closed forms, and trials made from the counts."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from ledger_trials import author_like_trials
from scipy.stats import norm

from metacog.commands.ledger import command
from metacog.core.errors import MetacogError
from metacog.ledger.entry import JUDGED, Settings, Status
from metacog.ledger.judging import COLUMNS, make_ledger
from metacog.ledger.summary import by_kind, headline
from metacog.ledger.tolerances import half_last_digit, mean_error, proportion_error, quantile_error, z_bound
from metacog.studies.ledgers import ledgers
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.ledger import author_trials
from metacog.studies.study1_qa.ledger import cells as ledger_cells
from metacog.studies.study1_qa.ledger.author_trials import load_author_trials
from metacog.studies.study1_qa.ledger.roles import INPUTS, ROLES, RULES
from metacog.studies.study1_qa.ledger.rows import NEEDS_FIT, NEEDS_THINKING


@pytest.fixture(scope="module")
def ledger() -> pd.DataFrame:
    return make_ledger(Settings(), ledgers(["study 1"]))


@pytest.fixture(scope="module")
def trial_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("author") / "m1_trial_data.csv"
    author_like_trials().to_csv(path, index=False)
    return path


@pytest.fixture(scope="module")
def full(trial_file) -> pd.DataFrame:
    return make_ledger(Settings(n_resamples=2000, files={"cacioli-trials": trial_file}), ledgers(["study 1"]))


@pytest.mark.parametrize(
    ("text", "half"),
    [("0.946", 0.0005), ("0.6", 0.05), ("1248", 0.5), ("-0.8", 0.05), ("True", 0.0), ("5e-4", 0.5e-4)],
)
def test_half_the_last_digit_comes_from_the_text(text, half):
    assert half_last_digit(text) == pytest.approx(half, rel=1e-12)
    with pytest.raises(MetacogError):
        half_last_digit("n/a")


def test_quantile_error_is_that_of_two_normal_percentiles():
    draws = norm.ppf((np.arange(10_000) + 0.5) / 10_000)
    one = np.sqrt(0.025 * 0.975 / 10_000) / norm.pdf(norm.ppf(0.025))
    assert quantile_error(draws, 0.025, 10_000) == pytest.approx(np.sqrt(2) * one, rel=0.02)
    assert quantile_error(draws, 0.025, 800) == pytest.approx(np.sqrt(1 + 12.5) * one, rel=0.02)


def test_other_errors_and_bound():
    draws = np.random.default_rng(0).normal(0, 3, 100_000)
    assert mean_error(draws, 900) == pytest.approx(0.1, rel=0.01)
    assert proportion_error(0.5, 1000, 0.5, 1000) == pytest.approx(np.sqrt(0.25 * 0.002), rel=1e-6)
    assert proportion_error(0.0, 2000, 0.0, 2000) > 0
    assert z_bound(1) == pytest.approx(1.959964, abs=1e-6)


def test_a_row_for_every_number_and_a_status_for_every_row(ledger):
    assert list(ledger.columns) == list(COLUMNS)
    assert ledger["status"].isin(list(Status)).all()
    tabulated = ledger[ledger["table"].isin(paper.TITLES.values())]
    assert len(tabulated) == 945
    for name, title in paper.TITLES.items():
        assert list(ledger.loc[ledger["table"] == title, "published"]) == list(
            paper.figures(name)["published"]
        )
    waiting = ledger["status"] == Status.NEEDS
    assert (ledger.loc[waiting, "needs"] != "").all()
    assert (ledger.loc[~waiting, "needs"] == "").all()
    bounded = ledger["low"].notna()
    assert ledger.loc[~waiting, "tolerance"].notna().all()
    assert ledger.loc[~waiting & ~bounded, ["reproduced", "difference"]].notna().all().all()
    assert (ledger.loc[bounded, "low"] <= ledger.loc[bounded, "high"]).all()


@pytest.mark.parametrize(
    "table",
    [
        "v1_table2_h1",
        "v1_h1_full_precision",
        "v1_table5_monotonicity",
        "v1_selective_prediction",
        "v2_aggregate",
        "v2_sdt_structure",
    ],
)
def test_tables_that_the_counts_settle_differ_in_no_row(ledger, table):
    rows = ledger[ledger["table"] == paper.TITLES[table]]
    assert len(rows) and not rows["status"].isin([Status.DIFFERS, Status.NEEDS]).any()


def test_what_the_counts_were_solved_from_is_no_match(ledger):
    """Rows that cannot fail are not counted: the solver agrees with its own inputs for any paper."""
    for name, quantities in INPUTS.items():
        rows = ledger[ledger["table"] == paper.TITLES[name]]
        assert (rows.loc[rows["quantity"].isin(quantities), "status"] == Status.INPUT).all()
    full = ledger[ledger["table"] == paper.TITLES["v1_h1_full_precision"]].set_index("quantity")
    assert (full["status"]["d_prime"] == Status.INPUT).all()
    assert full["note"]["d_prime"].str.contains("up to rounding").all()
    # what was not used and follows from all the counts is a test
    assert (full["status"]["meta_d"] == Status.MATCH).all()
    structure = ledger[ledger["table"] == paper.TITLES["v2_sdt_structure"]].set_index("quantity")
    assert (structure["status"].loc[["zroc_slope", "da", "r2"]] == Status.MATCH).all()
    # and every rule of the table of roles has rows
    named = {role.rows for role, *_ in RULES}
    assert named == {role.rows for role in ROLES} == set(ledger["role"]) - {""}
    claims = paper.as_text("text_claims")["id"]
    assert {q for _, table, quantities, _ in RULES if table == "text" for q in quantities.split()} <= set(
        claims
    )


def test_limits_that_agree_without_the_null_mean_too_are_no_match(ledger):
    rows = ledger[ledger["quantity"].isin(["mi_lo", "mi_hi"]) & ledger["reproduced"].notna()]
    assert len(rows) == 24
    published_limits = rows["published"].astype(float)
    without = rows["note"].str.extract(r"taken off the figure would be ([-.\de]+)")[0].astype(float)
    also = (without - published_limits).abs() <= rows["tolerance"]
    assert (rows.loc[also, "status"] == Status.CANNOT_TELL).all()
    assert (rows.loc[~also, "status"] == Status.MATCH).all()
    assert also.sum() >= 18  # of 24: the tolerance of nearly every one holds both


def test_all_limits_together_tell_that_the_null_mean_was_taken_off(ledger):
    (row,) = ledger[ledger["quantity"] == "share of the null mean taken off"].to_dict("records")
    assert row["status"] == Status.MATCH and row["resampled"] and row["family"] > 0
    # at half the tolerance both 1 and 0 would still be told apart
    assert abs(row["reproduced"] - 1) < row["tolerance"] < 0.5 * abs(row["reproduced"])


def test_pooled_limits_find_what_was_taken_off(monkeypatch):
    """Simulated limits: a share of 0.4 of known null means was taken off."""
    rng, table = np.random.default_rng(3), "v2_aggregate"
    printed, mean = paper.figures(table).copy(), paper.printed(table)
    limits = printed[printed["quantity"].isin(["mi_lo", "mi_hi"])]
    limits = limits.sort_values("quantity", kind="stable", ascending=False)
    error = np.array([mean[keys, "null_mean"] / 5 for keys in limits["keys"]])
    printed.loc[limits.index, "published"] = [
        repr(float(x)) for x in 0.3 - 0.4 * 5 * error + rng.normal(0, error)
    ]
    monkeypatch.setattr(paper, "figures", lambda name: printed)
    made = limits.drop(columns="published").assign(rival=0.3, error=error)
    found = ledger_cells.null_mean_taken_off(made)
    assert found.error == pytest.approx(0.2 / 4)
    assert abs(found.value - 0.4) < 3 * found.error


def test_figures_that_coarse_counts_hem_in_have_both_ends(ledger):
    rows = ledger[ledger["status"] == Status.BOUNDED]
    assert rows.groupby("quantity").size().to_dict() == {"auroc2": 16 + 6, "auroc2_rank": 4, "meta_i2r": 12}
    printed = rows["published"].astype(float)
    assert (
        (rows["low"] <= printed + rows["tolerance"]) & (printed - rows["tolerance"] <= rows["high"])
    ).all()
    assert rows["reproduced"].isna().all()
    by_source = rows.groupby("source").size()
    assert by_source["counts with thinking on and off"] == 6
    assert by_source.drop("counts with thinking on and off").index.str.contains("first paper").all()
    # accuracy and n of every temperature and domain are the first paper's, and could have failed
    for table in ("v2_temperature", "v2_domain"):
        own = ledger[ledger["table"] == paper.TITLES[table]]
        own = own[own["quantity"].isin(["acc", "n"])]
        assert len(own) == 32 and (own["status"] == Status.MATCH).all()


def test_claims_about_printed_tables_are_held_against_them(ledger):
    claims = ledger[ledger["table"] == "text of v1"].set_index("quantity")
    reported = {"overlap": 0.028, "change": 0.048, "lowest Spearman rho with the order at K = 4": 1.0}
    for quantity, value in reported.items():
        assert claims["reproduced"][quantity] == pytest.approx(value, abs=1e-9)
        assert claims["status"][quantity] == Status.REPEAT
    science = claims[claims["source"].eq("the printed table") & (claims.index == "M-ratio")]
    assert science["reproduced"].tolist() == [1.202, 0.788]
    gap = claims.loc["gap at full coverage less gap at 50 % coverage"]
    assert gap["reproduced"] == pytest.approx(0.173 - 0.0672, abs=1e-4) and gap["status"] == Status.INPUT


def test_full_precision_is_reached(ledger):
    rows = ledger[ledger["table"] == paper.TITLES["v1_h1_full_precision"]]
    worst = rows.groupby("quantity")["difference"].apply(lambda d: d.abs().max())
    assert worst["d_prime"] <= 1e-12
    assert worst["meta_d"] <= 1e-6 and worst["m_ratio"] <= 1e-6
    assert worst["ci_lo"] <= 0.006 and worst["ci_hi"] <= 0.006
    v2 = ledger[ledger["table"].isin([paper.TITLES[t] for t in ("v2_aggregate", "v2_sdt_structure")])]
    exact = v2[v2["quantity"].isin(["acc", "meta_i2r", "auroc2", "zroc_slope", "da", "r2"])]
    assert exact["difference"].abs().max() <= 1e-9
    assert len(exact) == 8 * (3 + 4)


def test_dropped_zeros_do_not_widen_a_tolerance(ledger):
    rows = ledger[ledger["table"] == paper.TITLES["v1_table2_h1"]]
    assert "0.6" in set(rows["published"])
    exact = rows[~rows["quantity"].isin(["ci_lo", "ci_hi"])]
    assert exact["tolerance"].to_numpy() == pytest.approx(0.0005)


def test_text_claims_are_judged_by_what_the_counts_say(ledger):
    claims = ledger[ledger["table"].str.startswith("text of")].set_index("item")
    judged = claims[claims["status"] != Status.NEEDS]
    differing = judged[judged["status"] == Status.DIFFERS]
    assert sorted(differing["reproduced"].round(3)) == [-0.8, -0.232, 0.0, 0.8, 1.0, 2.0]
    assert any("H2:" in i for i in differing.index)
    assert any("fully inverted" in i for i in differing.index)
    assert any("Natural Questions" in i for i in differing.index)
    assert any("lower accuracy" in i for i in differing.index)
    ranks = judged[judged["quantity"].isin(["rank of Mistral's M-ratio", "rank of Mistral's meta-I2r"])]
    assert sorted(ranks["reproduced"]) == [1.0, 4.0] and not ranks["status"].isin(JUDGED).any()


def test_author_trials_are_cleaned(trial_file):
    raw = pd.read_csv(trial_file)
    loaded = load_author_trials(trial_file)
    assert len(loaded) == len(raw) - 25  # that many are repeated
    outside = raw["domain"].isna() | raw["domain"].isin(["Sports", "Pop Culture"])
    assert (loaded["domain"] == "Unclassified").sum() == outside.iloc[: len(loaded)].sum()
    assert not loaded["domain"].isin(["Sports", "Pop Culture"]).any()


def test_another_file_than_the_published_one_is_refused(trial_file, monkeypatch):
    monkeypatch.setattr(author_trials, "SHA256", "0" * 64)
    with pytest.raises(MetacogError, match="checksum differs"):
        load_author_trials(trial_file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: t.drop(columns="nlp"), "lacks the columns nlp"),
        (lambda t: t.assign(correct="maybe"), "0/1"),
        (lambda t: t.assign(temperature="hot"), "must be numbers"),
        (lambda t: t.assign(nlp=-np.inf), "infinite"),
    ],
)
def test_malformed_author_files_are_named(tmp_path, change, message):
    path = tmp_path / "m1_trial_data.csv"
    change(author_like_trials(10).head(50)).to_csv(path, index=False)
    with pytest.raises(MetacogError, match=message):
        load_author_trials(path)


def test_with_trials_no_printed_figure_waits(full):
    waiting = full[full["status"] == Status.NEEDS]
    later = waiting["needs"].isin([NEEDS_THINKING, NEEDS_FIT])  # another run, whose trials are others
    assert later.sum() == 70 and waiting.loc[later, "item"].ne("").all()
    waiting = waiting[~later]
    # R2, R3, R5, R6: their printed figures are not among the published files
    assert (waiting["published"] == "").all() and len(waiting) == 10
    assert waiting.loc[waiting["table"].str.startswith("v1 R3"), "reproduced"].notna().all()
    assert full["status"].isin(list(Status)).all()


def test_trials_made_from_the_counts_give_the_counts_back(full):
    for name in ("counts_T1", "v1_domain_trials"):
        rows = full[full["table"] == paper.TITLES[name]]
        assert len(rows) and (rows["status"] == Status.MATCH).all()
    # figures of T = 1 that the trials' own domains and temperatures cannot share do differ
    rows = full[full["table"] == paper.TITLES["v1_table6_domain_m_ratio"]]
    assert (rows["status"] == Status.DIFFERS).any()


def test_the_headline_counts_rows_that_could_have_failed_and_says_the_others(ledger):
    counted, said = ledger["status"].value_counts(), headline(ledger)
    assert f"{counted[Status.MATCH] + counted[Status.DIFFERS]} could" in said and "no stated kind" not in said
    assert all(f"{match:,} match" in said for match in by_kind(ledger)["match"])
    for status in set(counted.index) - {Status.MATCH, Status.DIFFERS}:
        assert f"{counted[status]} " in said
    assert "wait for" in said
    every = headline(ledger[ledger["status"] == Status.MATCH])
    assert "differ" not in every and "wait" not in every
    assert headline(ledger[ledger["status"] == Status.NEEDS]).startswith("None of ")
    tested = ledger[ledger["resampled"] & ledger["status"].isin([Status.MATCH, Status.DIFFERS])]
    assert len(tested) == (ledger["family"] > 0).sum() <= ledger["family"].max()


@pytest.fixture(scope="module")
def whole(trial_file, tmp_path_factory):
    """The ledger of every study as the command made it: its file, the command, and what it answered and made.

    Asked again, the command takes the ledger that it made if it would make it of the same settings.
    """
    made = []

    def once(settings, studies):
        asked = (settings.n_resamples, settings.seed, settings.files, sorted(settings.results))
        if not made or made[0] != asked:
            made[:] = [asked, settings, make_ledger(settings, studies)]
        return made[2]

    out = tmp_path_factory.mktemp("ledger") / "ledger.csv"
    options = ["--out", str(out), "--n-resamples", "200", "--file", f"cacioli-trials={trial_file}"]

    def ask(*more):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("metacog.ledger.judging.make_ledger", once)
            return CliRunner().invoke(command, [*options, *more])

    done = ask()
    return out, ask, done, made


def test_command_writes_the_ledger_and_what_made_it(whole):
    out, ask, done, made = whole
    assert done.exit_code == 0, done.output
    assert "fully inverted" in done.output and "wrote" in done.output
    assert len(pd.read_csv(out)) >= 945
    made_by = json.loads(out.with_suffix(".json").read_text())
    assert made_by["seed"] == 42 and len(made_by["files"]["cacioli-trials"]["sha256"]) == 64
    settings = made[1]
    assert ask("--strict").exit_code == 1 and made[1] is settings


def test_a_study_that_no_ledger_knows_is_refused():
    with pytest.raises(MetacogError, match="knows no study 9; it knows: study 1"):
        ledgers(["study 9"])


@pytest.mark.parametrize("asked", ["study 1", pytest.param("", marks=pytest.mark.real)])
def test_same_seed_same_ledger(whole, asked):
    _, settings, ledger = whole[3]
    again = make_ledger(settings, ledgers([asked] if asked else None))
    own = ledger[ledger["study"].isin(again["study"])].reset_index(drop=True)
    assert len(again) >= 945
    pd.testing.assert_frame_equal(own, again)
