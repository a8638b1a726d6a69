"""What an engineer's log is imported for: a threshold, a signal, and what leaving out does. Oracle: numpy alone."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import _Group
from metacog.commands.import_trials import command
from metacog.core.paths import project_root
from metacog.imports.decisions import Decisions, gate_answer, gate_rows
from metacog.imports.mapping import Columns
from metacog.imports.page import OF_MODELS
from metacog.imports.report import Request, import_trials, load, read_results
from metacog.imports.shown import OwnTrials
from metacog.measures.table import Options
from metacog.verdicts.promises import SIMULATED, fewest_rows, rows_needed

group = _Group("metacog", commands={"import-trials": command})
ROLES = ["--correct", "judged", "--model", "model", "--question-id", "question"]
JUDGED = Columns("judged", "judge", "model", question_id="question")
SIGNALS = ["--confidence", "stated", "--confidence", "token_probability", "--confidence", "judge"]


def log(n=500, models=("large", "small"), seed=7):
    """A support assistant's answers with three signals, refusals, and confidence missing where answers are wrong."""
    rng = np.random.default_rng(seed)
    frames = []
    for place, model in enumerate(models):
        evidence = 1.2 - 0.5 * place + rng.normal(0, 1.3, n)
        right = rng.random(n) < 1 / (1 + np.exp(-1.6 * evidence))
        refused = rng.random(n) < 1 / (1 + np.exp(3 + evidence))
        right &= ~refused
        stated = np.clip(np.round((75 + 10 * evidence + rng.normal(0, 10, n)) / 5) * 5, 30, 100)
        gone = rng.random(n) < np.where(right, 0.03, 0.3)
        frames.append(
            pd.DataFrame(
                {
                    "question": [f"q{i}" for i in range(n)],
                    "model": model,
                    "answer": np.where(refused, "Sorry, I can not say.", "an answer"),
                    "judged": right.astype(int),
                    "refused": refused.astype(int),
                    "stated": [f"{v:.0f}%" if not out else "" for v, out in zip(stated, gone, strict=True)],
                    "token_probability": np.round(np.exp(-np.exp(rng.normal(-1 - 0.3 * evidence, 0.5))), 4),
                    "judge": np.clip(np.round(2.5 + 1.5 * right + rng.normal(0, 0.8, n)), 1, 5).astype(int),
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "log.csv"
    log().to_csv(path, index=False)
    return path


def run(file, out, *words):
    options = ["--no-report", "--n-resamples", "200"]
    return CliRunner().invoke(
        group, ["import-trials", str(file), "--out", str(out), *options, *ROLES, *words]
    )


@pytest.fixture(scope="module")
def done(file, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    result = run(file, out, *SIGNALS, "--refusal", "refused", "--refusals", "separate")
    assert result.exit_code == 0, result.output
    return result.output, out


def test_an_import_ends_in_thresholds_in_the_files_own_numbers(done):
    output, out = done
    gate = pd.read_csv(out / "gate.csv")
    assert len(gate) == 2 * 3 * 4 and set(gate["signal"]) == {"stated", "token_probability", "judge"}
    reached = gate[np.isfinite(gate["threshold"])]
    assert reached[reached["signal"] == "judge"]["threshold"].isin([1, 2, 3, 4, 5]).all()
    assert reached[reached["signal"] == "stated"]["threshold"].isin(range(30, 101, 5)).all()
    row = reached[(reached["signal"] == "judge") & (reached["most_errors"] == 0.1)].iloc[0]
    assert f"10 %: from {row['threshold']:g} ({100 * row['coverage']:.0f} % pass, " in output
    assert gate[~np.isfinite(gate["threshold"])]["why"].notna().all()
    # a threshold of 1 % takes 299 right answers, and a half has about 250
    assert not np.isfinite(gate[gate["most_errors"] == 0.01]["threshold"]).any()
    shown = OwnTrials(read_results(out))
    assert len(shown.gate) + len(shown.no_gate) == len(gate)
    about = shown.text("gate").source
    assert "Each week" in about and "450" in about and "simulations" in about
    assert "of them are wrong, by a rule that errs" in shown.gate_answer().source


def test_several_signals_are_measured_each_and_compared_on_common_rows(done):
    output, out = done
    table = log()
    stated = pd.to_numeric(table["stated"].str.rstrip("%"))
    each = pd.read_csv(out / "signals.csv").set_index(["model", "signal"])
    for model, part in table.groupby("model"):
        known = int(stated[part.index].notna().sum())
        assert each.loc[(model, "judge"), "n"] == 500 and each.loc[(model, "stated"), "n"] == known
        assert (each.loc[model]["n_common"] == known).all()
    pairs = pd.read_csv(out / "signal_pairs.csv")
    assert len(pairs) == 2 * 3
    best = pairs[(pairs["first"] == "token_probability") & (pairs["second"] == "judge")]
    assert best["differs"].all() and (best["difference"] < 0).all()
    text = OwnTrials(read_results(out)).text("signals").source
    assert "token_probability is better than judge in 0 of 2 models, worse in 2" in output
    assert "`token_probability` is better than `judge` in 0 of 2 models, worse in 2" in text


def test_confidence_that_is_missing_on_wrong_answers_is_said_to_flatter(done):
    output, out = done
    table = log()
    gone = table["stated"] == ""
    made = pd.read_csv(out / "left_out.csv").set_index("model")
    for model, part in table.groupby("model"):
        out_, kept = part[gone[part.index]], part[~gone[part.index]]
        assert made.loc[model, "accuracy_kept"] == pytest.approx(kept["judged"].mean())
        assert made.loc[model, "accuracy_out"] == pytest.approx(out_["judged"].mean())
    assert (made["difference_lower"] > 0).all()
    whole, kept = 100 * table["judged"].mean(), 100 * table.loc[~gone, "judged"].mean()
    assert f"{kept:.0f} % right, of all answers {whole:.0f} %" in output
    assert "not drawn by chance" in output


def test_confidence_that_is_missing_by_chance_is_not(tmp_path):
    table = log()
    table["stated"] = pd.Series("80%", index=table.index).where(np.arange(len(table)) % 2 == 0, "60%")
    table.loc[np.random.default_rng(0).random(len(table)) < 0.1, "stated"] = ""
    table.to_csv(tmp_path / "log.csv", index=False)
    made = run(tmp_path / "log.csv", tmp_path / "out", "--confidence", "stated")
    assert made.exit_code == 0 and "not drawn by chance" not in made.output
    assert pd.read_csv(tmp_path / "out" / "left_out.csv")["n_out"].sum() > 50


@pytest.mark.parametrize("how", ["wrong", "drop", "separate"])
def test_refusals_are_wrong_left_out_or_shown_both_ways(file, how):
    trials, report = load(file, Request(replace(JUDGED, refusal="refused"), refusals=how))
    table = log()
    refused = table["refused"] == 1
    if how == "drop":
        assert len(trials) == (~refused).sum() and not trials["refusal"].any()
        assert sum(n for reason, n in report.dropped.items() if "refuses" in reason) == refused.sum()
    else:
        assert len(trials) == len(table) and (trials["refusal"].to_numpy() == refused.to_numpy()).all()
        assert not trials.loc[trials["refusal"], "correct"].any()
        assert f"{refused.sum():,} answers refuse" in " ".join(report.notes)


def test_refusals_separate_has_both_ways_beside_each_other(done):
    _, out = done
    made = pd.read_csv(out / "refusals.csv").set_index(["model", "counted"])
    table = log()
    for model, part in table.groupby("model"):
        stays = part[part["refused"] == 0]
        assert made.loc[(model, "wrong"), "accuracy"] == pytest.approx(part["judged"].mean())
        assert made.loc[(model, "dropped"), "accuracy"] == pytest.approx(stays["judged"].mean())
        assert made.loc[(model, "wrong"), "auroc2"] > made.loc[(model, "dropped"), "auroc2"]


def test_a_refusal_that_was_marked_right_counts_as_wrong_and_is_told(tmp_path):
    table = log()
    table.loc[table.index[table["refused"] == 1][:3], "judged"] = 1
    table.to_csv(tmp_path / "log.csv", index=False)
    trials, report = load(tmp_path / "log.csv", Request(replace(JUDGED, refusal="refused")))
    assert not trials.loc[trials["refusal"], "correct"].any()
    assert "3 answers refuse and are marked right: they count as wrong" in report.notes


def test_refusals_are_found_by_how_answers_begin_where_no_column_names_them(file):
    trials, report = load(file, Request(replace(JUDGED, answer="answer"), refusals="drop"))
    assert len(trials) == (log()["refused"] == 0).sum() and report.answers is not None


def test_the_probability_of_tokens_is_no_probability_of_being_right(file, tmp_path):
    words = ["--confidence", "token_probability"]
    made = run(file, tmp_path / "named", *words)
    assert "'token_probability' is by its name the probability of an answer's tokens" in made.output
    assert pd.read_csv(tmp_path / "named" / "measures.csv").get("ece", pd.Series(dtype=float)).isna().all()
    told = run(file, tmp_path / "told", *words, "--confidence-scale", "probability")
    assert "by its name" not in told.output
    assert pd.read_csv(tmp_path / "told" / "measures.csv")["ece"].notna().all()
    table = log().assign(score=lambda t: np.log(t["token_probability"])).drop(columns="token_probability")
    table.to_csv(tmp_path / "logs.csv", index=False)
    logs = run(tmp_path / "logs.csv", tmp_path / "logs", "--confidence", "score")
    assert "'score' is a log-probability, and its exponential" in logs.output
    gate = [pd.read_csv(tmp_path / name / "gate.csv") for name in ("named", "logs")]
    assert (gate[0]["n_through"] == gate[1]["n_through"]).all()  # the order is the same


def test_recalibration_is_shown_for_stated_probabilities_alone(done, file, tmp_path):
    _, out = done
    made = pd.read_csv(out / "recalibration.csv")
    assert set(made["signal"]) == {"stated"} and set(made["method"]) == {"stated", "platt", "isotonic"}
    run(file, tmp_path / "judge", "--confidence", "judge")
    assert not (tmp_path / "judge" / "recalibration.csv").exists()
    text = OwnTrials(read_results(tmp_path / "judge")).text("recalibration").source
    assert "No signal is stated as a probability" in text


def test_a_second_import_leaves_no_table_of_the_first_behind(file, tmp_path):
    columns = replace(JUDGED, confidence="stated")
    options = Options(n_resamples=100, n_permutations=100)
    import_trials(file, tmp_path, Request(columns, further=("judge",), options=options), page=False)
    assert (tmp_path / "signals.csv").exists()
    import_trials(file, tmp_path, Request(columns, options=options, replace=True), page=False)
    assert not (tmp_path / "signals.csv").exists() and (tmp_path / "gate.csv").exists()
    assert json.loads((tmp_path / "import.json").read_text())["validation"]["answers"] is None


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (["--confidence", "judge", "--confidence", "jugde"], "Did you mean --confidence judge"),
        (["--confidence", "judge", "--confidence", "judge"], "'judge' is given twice"),
        (["--confidence", "judge", "--confidence", "judged"], "'judged' is given twice"),
        (["--confidence", "judge", "--confidence", "answer"], "is no confidence"),
        (["--confidence", "judge", "--refusal", "stated"], "not binary"),
        (["--confidence", "judge", "--refusals", "drop"], "nothing says which answers refuse"),
    ],
)
def test_signals_and_refusals_that_cannot_be_are_named_errors(file, tmp_path, words, reported):
    made = run(file, tmp_path / "out", *words)
    assert made.exit_code == 2 and reported in made.output and "Traceback" not in made.output


def test_the_surest_wrong_answers_are_shown_as_the_file_has_them(done):
    _, out = done
    shown = OwnTrials(read_results(out)).surely_wrong
    table = log()
    wrong = table[(table["judged"] == 0) & (table["stated"] != "")]
    highest = pd.to_numeric(wrong["stated"].str.rstrip("%")).nlargest(10)
    assert len(shown) == 10 and pd.to_numeric(shown["stated"]).tolist() == highest.tolist()
    keys = set(zip(wrong["model"], wrong["question"], strict=True))
    assert set(zip(shown["model"], shown["question_id"], strict=True)) <= keys


def test_two_choice_trials_and_counts_get_no_gate(tmp_path):
    counts, out = tmp_path / "counts.json", tmp_path / "out"
    s1 = [36, 24, 17, 20, 10, 12, 9, 2]
    counts.write_text(json.dumps({"nR_S1": s1, "nR_S2": s1[::-1]}))
    words = "--nr-table --no-bayes --no-report --n-resamples 100 --out".split()
    made = CliRunner().invoke(group, ["import-trials", str(counts), *words, str(out)])
    assert made.exit_code == 0 and "gate:" not in made.output and not (out / "gate.csv").exists()
    own = OwnTrials(read_results(out))
    assert "no gate" in own.gate_answer().source and own.gate.empty and own.text("gate").source == ""


def test_people_get_no_gate_and_their_page_no_section_of_it(file, tmp_path):
    words = "--correct judged --confidence judge --person model --question-id question --no-report"
    words = ["import-trials", str(file), *words.split(), "--n-resamples", "100", "--out", str(tmp_path)]
    made = CliRunner().invoke(group, words)
    assert made.exit_code == 0, made.output
    assert "gate:" not in made.output and not (tmp_path / "gate.csv").exists()
    source = (project_root() / "notebooks" / "shared" / "own-trials.py").read_text(encoding="utf-8")
    assert all(f"# ## {title}\n" in source for title in OF_MODELS)


def test_a_promise_that_the_other_half_refutes_is_not_the_answer(done):
    gate = pd.read_csv(done[1] / "gate.csv")
    reached = np.isfinite(gate["threshold"])
    broken = Decisions({"gate": gate[reached].assign(error_rate_lower=0.5)})
    assert "too many wrong answers" in gate_answer(broken)
    assert gate_rows(broken)["promised"].str.endswith("broken").all()
    assert "No threshold can be promised" in gate_answer(Decisions({"gate": gate[~reached]}))


def test_where_less_is_surer_the_threshold_stands_as_the_file_has_it(file, tmp_path):
    log().assign(doubt=lambda t: 6 - t["judge"]).to_csv(tmp_path / "log.csv", index=False)
    surer = run(file, tmp_path / "surer", "--confidence", "judge")
    less = run(tmp_path / "log.csv", tmp_path / "less", "--confidence", "doubt", "--lower-is-surer")
    gates = [pd.read_csv(tmp_path / name / "gate.csv") for name in ("surer", "less")]
    assert (gates[0]["n_through"] == gates[1]["n_through"]).all() and gates[0]["n_through"].any()
    assert "10 %: from 4" in surer.output and "10 %: up to 2" in less.output
    own = OwnTrials(read_results(tmp_path / "less"))
    assert set(own.gate["passes"]) <= {"up to 1", "up to 2", "up to 3"}
    assert (pd.to_numeric(own.surely_wrong["stated"]) > 0).all()


def test_how_often_a_promise_is_made_is_what_simulated_files_say():
    """Half of the answers choose, so that the file has twice the simulated number."""
    made = pd.read_csv(project_root() / SIMULATED)
    table = rows_needed().set_index(["promised", "accuracy", "auroc2", "rows"])["made"]
    rising = table.unstack().diff(axis=1).iloc[:, 1:]
    assert len(rising) == 18 and (rising > -0.05).all(axis=None)  # more answers, more promises
    row = made[(made["rule"] == "sequence") & (made["world"] == "continuous") & (made["n"] == 500)]
    row = row[(row["accuracy"] == 0.9) & (row["auroc2"] == 0.8) & (row["most_errors"] == 0.05)]
    assert table[0.95, 0.9, 0.8, 1000] == row["reached"].item() < 0.8 <= table[0.95, 0.9, 0.8, 2000]
    assert fewest_rows(0.95, 0.9, 0.8) == 2000 and fewest_rows(0.95, 0.7, 0.65) == np.inf
