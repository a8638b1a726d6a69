"""Posteriors of imported two-choice data. Oracles: simulated observers, a table that no prior may judge."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.commands.import_trials import command
from metacog.imports import posterior
from metacog.imports.kept import write_tables
from metacog.imports.mapping import Columns
from metacog.imports.posterior import FILES, NO_CHOICE, REPEATED, TOGETHER, Sampling, draw_posteriors
from metacog.imports.report import Request, load, read_results
from metacog.measures.table import Options
from metacog.sdt.simulate import meta_d_observer

QUICK = Sampling(n_chains=2, n_draws=200, n_warmup=200)
OPTIONS = Options(n_resamples=100, n_permutations=100)
#: M-ratio of the models that can be judged.
KNOWN = {"sharp": 1.0, "vague": 0.5}


def counts(d_prime: float, m_ratio: float, n: int, seed: int) -> dict[str, list[int]]:
    a, b = meta_d_observer(d_prime, m_ratio=m_ratio).counts(n, 1, seed)
    return {"nR_S1": a[0].tolist(), "nR_S2": b[0].tolist()}


def tables() -> list[dict]:
    right = {"nR_S1": [40, 30, 20, 10, 0, 0, 0, 0], "nR_S2": [0, 0, 0, 0, 10, 20, 30, 40]}
    return [
        {"model": "sharp", **counts(2.0, KNOWN["sharp"], 3_000, 1)},
        {"model": "vague", **counts(1.5, KNOWN["vague"], 3_000, 2)},
        {"model": "guesser", **counts(0.05, 1.0, 200, 3)},
        {"model": "faultless", **right},
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Four tables of counts, imported with their page, drawn from briefly."""
    out = tmp_path_factory.mktemp("import")
    path = out / "counts.json"
    path.write_text(json.dumps(tables()))
    words = [str(path), "--nr-table", "--out", str(out), "--draws", "200", "--n-resamples", "100"]
    done = CliRunner().invoke(command, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    (out / "terminal.txt").write_text(done.output)
    return out


def test_posteriors_hold_the_truth_and_travel_with_seed_and_versions(folder):
    table = pd.read_csv(folder / "posterior.csv").set_index("model")
    for model, truth in KNOWN.items():
        assert table.loc[model, "m_ratio_lower"] < truth < table.loc[model, "m_ratio_upper"]
        assert table.loc[model, "judged"] and table.loc[model, "divergences"] == 0
    assert table.loc["vague", "decision"] == "significant"
    assert {"c", "r_hat", "ess_bulk", "log_m_ratio"} <= set(table.columns)
    facts = json.loads((folder / "import.json").read_text())
    assert facts["made_by"]["seed"] == OPTIONS.seed and "numpyro" in facts["made_by"]["versions"]
    assert facts["posterior"]["drawn"]["n_draws"] == QUICK.n_draws
    assert "of 200" in facts["posterior"]["sampling"]


def test_a_table_near_chance_is_wide_and_not_judged(folder):
    table = pd.read_csv(folder / "posterior.csv").set_index("model")
    row = table.loc["guesser"]
    assert not row["judged"] and row["decision"] == "no decision"
    assert row["m_ratio_upper"] - row["m_ratio_lower"] > 2
    assert row["d_prime_lower"] < 0.1 < row["d_prime_upper"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "below 0.1" in page


def test_a_table_without_errors_has_no_posterior(folder):
    assert "faultless" not in set(pd.read_csv(folder / "posterior.csv")["model"])
    (left_out,) = json.loads((folder / "import.json").read_text())["posterior"]["left_out"]
    assert "faultless" in left_out and left_out in (folder / "report.html").read_text(encoding="utf-8")


def test_three_models_make_a_group(folder):
    group = pd.read_csv(folder / "group.csv").iloc[0]
    assert group["condition"] == "all models" and group["tables"] == 3
    assert group["m_ratio_lower"] < np.exp(np.mean(np.log(list(KNOWN.values())))) < group["m_ratio_upper"]
    members = pd.read_csv(folder / "group_tables.csv").set_index("model")
    alone = pd.read_csv(folder / "posterior.csv").set_index("model")
    width = {name: f["m_ratio_upper"] - f["m_ratio_lower"] for name, f in (("in", members), ("alone", alone))}
    assert width["in"]["guesser"] < width["alone"]["guesser"]  # drawn towards the group
    assert members["m_ratio"]["sharp"] == pytest.approx(alone["m_ratio"]["sharp"], abs=0.1)


def test_the_model_makes_ratings_like_its_own(folder):
    check = pd.read_csv(folder / "predictive.csv").set_index("model")
    assert check.loc["sharp", "fits"] and check.loc["sharp", "inside"] >= 0.8 * check.loc["sharp", "rates"]
    points = pd.read_csv(folder / "predictive_points.csv")
    assert set(points["response"]) == {"all", "S1", "S2"}


def test_the_terminal_says_how_m_ratio_stands_to_one(folder):
    shown = (folder / "terminal.txt").read_text()
    assert re.search(r"^vague: M-ratio 0\.\d\d \[0\.\d\d, 0\.\d\d\]; .*\bsignificant$", shown, re.M)
    assert re.search(r"^guesser: .* cannot be judged", shown, re.M)
    assert "of faultless" in shown and "posterior.csv" in shown
    assert "3 tables;" in shown


def test_the_page_shows_every_part(folder):
    page = (folder / "report.html").read_text(encoding="utf-8")
    for words in (
        "The posterior of M-ratio",
        "Against 1",
        "R-hat",
        "The model behind meta-d' makes ratings like those observed",
        "A group of 3 models",
        "all models",
        "practically less than 1",
        "M-ratio: means and intervals of posteriors",
    ):
        assert words in page, words
    shown = read_results(folder).posteriors.tables.set_index("table")
    assert list(shown.index) == ["sharp", "vague", "guesser"]
    assert np.isnan(shown.loc["guesser", "m_ratio"]) and shown.loc["vague", "m_ratio_upper"] < 1


def choices(n: int, **columns) -> pd.DataFrame:
    made = meta_d_observer(1.2, m_ratio=0.8).trials(n, seed=5)
    frame = pd.DataFrame({"s": made.stimulus, "r": made.response, "conf": made.confidence})
    return frame.assign(**columns)


def read(tmp_path, frame: pd.DataFrame, **columns: str) -> pd.DataFrame:
    path = tmp_path / "trials.csv"
    frame.to_csv(path, index=False)
    return load(path, Request(Columns(stimulus="s", response="r", rating="conf", **columns)))[0]


@pytest.fixture
def sampled(monkeypatch):
    """What would be sampled: the arguments of both fits, which are not made."""
    calls = {}

    def each(names, counts, sampling, options):
        calls["names"], calls["counts"] = names, counts
        return {"posterior": names}, {"sampling": "", "check": ""}

    def fit_group(a, b, **options):
        calls["group"] = options
        raise posterior.InputError("not fitted here")

    monkeypatch.setattr(posterior, "_each", each)
    monkeypatch.setattr("metacog.sdt.bayes.fit_group", fit_group)
    return calls


def test_domains_are_conditions_of_a_group_of_models(tmp_path, sampled):
    """Oracle: counts by pandas."""
    n = 360
    frame = choices(n, m=np.resize(["a", "b", "c"], n), d=np.repeat(["x", "y"], n // 2))
    made = draw_posteriors(read(tmp_path, frame, model="m", domain="d"), QUICK, OPTIONS)
    assert made.facts["labels"] == ["model", "domain"] and len(sampled["names"]) == 6
    assert sampled["group"]["subject"] == sampled["names"]["model"].tolist()
    assert sampled["group"]["condition"] == sampled["names"]["domain"].tolist()
    first = sampled["names"].iloc[0]
    own = frame[(frame["m"] == first["model"]) & (frame["d"] == first["domain"])]
    cell = np.where(own["r"] == 1, 3 + own["conf"], 4 - own["conf"])
    for side in (0, 1):
        want = np.bincount(cell[own["s"] == side], minlength=8)
        np.testing.assert_array_equal(sampled["counts"][0][side], want)


def test_domains_of_one_model_are_a_group_of_their_own(tmp_path, sampled):
    frame = choices(360, d=np.resize(["x", "y", "z"], 360))
    draw_posteriors(read(tmp_path, frame, domain="d"), QUICK, OPTIONS)
    assert sampled["group"]["subject"] == ["x", "y", "z"] and sampled["group"]["condition"] is None


def test_two_models_are_no_group(tmp_path, sampled):
    frame = choices(200, m=np.resize(["a", "b"], 200))
    made = draw_posteriors(read(tmp_path, frame, model="m"), QUICK, OPTIONS)
    assert "group" not in sampled
    assert re.search(r"\b3\b.*\b2 models", made.facts["group"])


def test_repeated_questions_and_temperatures_are_reported(tmp_path, sampled):
    frame = choices(200, q=np.repeat(np.arange(100), 2), t=np.tile([0.5, 1.0], 100))
    trials = read(tmp_path, frame, question_id="q", temperature="t")
    made = draw_posteriors(trials, QUICK, replace(OPTIONS, clustered=True))
    assert REPEATED.format(repeats=100, n=200) in made.facts["trials"]
    assert TOGETHER in made.facts["trials"]
    alone = draw_posteriors(trials, QUICK, replace(OPTIONS, clustered=False))
    assert alone.facts["trials"] == TOGETHER


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"wanted": False}, "not asked for"),
        ({"most_tables": 1}, "2 tables \\(model\\).*raise `--most-tables`"),
    ],
)
def test_what_is_not_drawn_has_one_reason(tmp_path, sampled, change, words):
    frame = choices(200, m=np.resize(["a", "b"], 200))
    made = draw_posteriors(read(tmp_path, frame, model="m"), replace(QUICK, **change), OPTIONS)
    assert not sampled and not made.frames
    assert re.search(words, made.facts["why_not"])
    assert made.source().source == made.facts["why_not"] and made.group().source == "" and made.tables.empty


def test_open_answers_have_no_posterior(tmp_path, sampled):
    path = tmp_path / "answers.csv"
    rng = np.random.default_rng(0)
    pd.DataFrame({"ok": rng.integers(0, 2, 60), "p": rng.random(60)}).to_csv(path, index=False)
    trials, _ = load(path, Request(Columns(correct="ok", confidence="p")))
    made = draw_posteriors(trials, QUICK, OPTIONS)
    assert made.facts["why_not"] == NO_CHOICE and not sampled


def test_nothing_to_judge_and_one_stimulus_only(tmp_path, sampled):
    right = choices(120)
    right["r"] = right["s"]
    made = draw_posteriors(read(tmp_path, right), QUICK, OPTIONS)
    assert "No table" in made.facts["why_not"] and not sampled
    assert "all 120" in made.source().source
    frame = choices(300, m=np.repeat(["a", "b"], 150))
    frame.loc[:149, "s"] = 0
    made = draw_posteriors(read(tmp_path, frame, model="m"), QUICK, OPTIONS)
    assert len(made.facts["left_out"]) == 1 and "of a:" in made.facts["left_out"][0]


def test_an_earlier_imports_posteriors_do_not_stay(tmp_path):
    write_tables(tmp_path, {"posterior": pd.DataFrame({"model": ["a"]})}, FILES)
    assert (tmp_path / "posterior.csv").is_file()
    write_tables(tmp_path, {}, FILES)
    assert not list(tmp_path.iterdir())


def test_any_two_tables_are_compared_and_the_known_difference_is_found(folder):
    pairs = pd.read_csv(folder / "posterior_pairs.csv").set_index(["measure", "first", "second"])
    ratio = pairs.loc[("log M-ratio", "sharp", "vague")]
    truth = np.log(KNOWN["sharp"] / KNOWN["vague"])
    assert (
        ratio["difference_lower"] < truth < ratio["difference_upper"] and ratio["decision"] == "significant"
    )
    gap = pairs.loc[("d'", "sharp", "vague")]
    assert gap["difference_lower"] < 0.5 < gap["difference_upper"] and gap["decision"] == "significant"
    assert pairs.loc[("log M-ratio", "sharp", "guesser"), "decision"] == "no decision"
    assert len(pairs) == 2 * 3  # the faultless table has no posterior
