"""People through the door: parted, measured as a group, never ranked; files, folders and stacked counts.

Oracles: numbers of each person alone, `fit_meta_d`, counts by hand.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.io import savemat
from scipy.stats import binom

from metacog.commands.import_trials import command
from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, load, read_results, swapped
from metacog.imports.shown import OwnTrials
from metacog.imports.two_choice import read_counts
from metacog.measures.table import Options
from metacog.sdt import InputError, auroc2, meta_d_observer

TWO = ["--stimulus", "side", "--response", "said", "--rating", "sure"]
ROLES = Columns(stimulus="side", response="said", rating="sure")
PEOPLE = replace(ROLES, person="Subj_idx")
FEW = Options(n_resamples=100, n_permutations=100)


def sample(n_people: int = 4, n: int = 100, seed: int = 1, name: str = "Subj_idx") -> pd.DataFrame:
    made = meta_d_observer(1.3, m_ratio=0.8).trials(n_people * n, seed=seed)
    who = np.repeat(np.arange(1, n_people + 1), n)
    return pd.DataFrame({name: who, "side": made.stimulus, "said": made.response, "sure": made.confidence})


def run(path, out, *words: str):
    words = ["--no-report", "--n-resamples", "100", *(["--out", str(out)] if out else []), *TWO, *words]
    return CliRunner().invoke(command, [str(path), *words])


def imported(folder, table, columns, **more):
    request = Request(columns, options=FEW, **more)
    return import_trials(written(folder, table), folder / "out", request, page=False)


def answered(table: pd.DataFrame) -> pd.DataFrame:
    return table.assign(ok=lambda t: (t["side"] == t["said"]).astype(int)).drop(columns=["side", "said"])


def written(folder, table, name="trials.csv"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False)
    return path


def area(table: pd.DataFrame) -> float:
    return auroc2((table["side"] == table["said"]).to_numpy(), table["sure"].to_numpy())


@pytest.mark.parametrize("name", ["Subj_idx", "participant", "VP-Nr", "subject"])
def test_people_are_not_pooled_without_a_word(tmp_path, name):
    path, out = written(tmp_path, sample(name=name)), tmp_path / "out"
    done = run(path, out)
    assert done.exit_code != 0 and isinstance(done.exception, MetacogError) and not out.exists()
    for words in (f"column {name!r} holds 4 people", f"--person {name}", "--pool"):
        assert words in str(done.exception)
    pooled = run(path, out, "--pool")
    assert pooled.exit_code == 0 and "4 people of" in pooled.output


def test_answers_of_people_are_not_pooled_either(tmp_path):
    path, columns = written(tmp_path, answered(sample())), Columns(correct="ok", confidence="sure")
    with pytest.raises(MetacogError, match="'Subj_idx' holds 4 people"):
        load(path, Request(columns))
    trials, report = load(path, Request(replace(columns, person="Subj_idx")))
    assert trials["person"].unique().tolist() == ["1", "2", "3", "4"]
    assert report.mapping["person"] == "Subj_idx"


@pytest.mark.parametrize("option", ["--person", "--model"])
def test_a_column_of_people_gives_a_group_and_no_ranking_by_either_option(tmp_path, option):
    table, out = sample(30, name="participant"), tmp_path / "out"
    done = run(written(tmp_path, table), out, option, "participant")
    assert done.exit_code == 0, done.output
    assert "the group: mean over people" in done.output and "place by AUROC2" not in done.output
    assert "... and 20 more in measures.csv" in done.output and "pairs of models" not in done.output
    assert len(re.findall(r"^\d+ +100 ", done.output, re.M)) == 10
    each = [area(part) for _, part in table.groupby("participant")]
    np.testing.assert_allclose(pd.read_csv(out / "measures.csv")["auroc2"], each, atol=1e-12)
    means = pd.read_csv(out / "people.csv").set_index("measure")
    assert means.loc["auroc2", "mean"] == pytest.approx(np.mean(each))
    assert means.loc["auroc2", "lower"] < np.mean(each) < means.loc["auroc2", "upper"]
    assert not any(len(pd.read_csv(out / f"{name}.csv")) for name in ("pairs", "ranks", "orders", "screen"))
    assert not (out / "posterior.csv").exists()  # nor drawn unasked


def test_who_cannot_be_measured_is_named_with_the_reason_and_of_many_the_first(tmp_path):
    table, out = sample(12), tmp_path / "out"
    table["said"] = table["side"].where(table["Subj_idx"] > 3, table["said"])  # nine without an error
    done = run(written(tmp_path, table), out, "--person", "Subj_idx")
    assert done.exit_code == 0, done.output
    assert re.findall(r"^(\d+): all 100 answers are right", done.output, re.M) == ["4", "5", "6", "7", "8"]
    assert "of 12 people (9 one class" in done.output and "and 4 more who cannot" in done.output
    means = pd.read_csv(out / "people.csv").set_index("measure")
    assert (means.loc[["accuracy", "auroc2"], ["lower", "upper"]].stack().between(0, 1)).all()


def test_models_beside_people_are_conditions_with_a_mean_each(tmp_path):
    table = sample(6).assign(task=lambda t: np.resize(["easy", "hard"], len(t)))
    made = imported(tmp_path, table, replace(PEOPLE, model="task"))
    assert set(made.measures["model"]) == {f"{i} / {t}" for i in range(1, 7) for t in ("easy", "hard")}
    means = made.people[made.people["measure"] == "auroc2"].set_index("group")["mean"]
    parts = table.groupby(["task", "Subj_idx"]).apply(area, include_groups=False).groupby("task").mean()
    assert means.to_dict() == pytest.approx(parts.to_dict()) and not len(made.pairs)


def test_trials_without_a_person_are_left_out_by_name(tmp_path):
    table = sample().astype({"Subj_idx": object})
    table.loc[:6, "Subj_idx"] = None
    assert load(written(tmp_path, table), Request(PEOPLE))[1].dropped == {"no person": 7}


def test_the_page_shows_the_group_and_each_person_and_asks_nothing_of_models(tmp_path):
    request = Request(PEOPLE, options=FEW)
    made = import_trials(written(tmp_path, sample(8)), tmp_path / "out", request)
    page = made.page.read_text(encoding="utf-8")
    assert page.count("<svg") == 1  # nobody leads, so no curves
    for words in ("The group", "It is no ranking", "nobody is ranked"):
        assert words in page
    for words in ("Differences between models", "Whom to ask?", "A screen before", "The verdict"):
        assert words not in page


def test_a_page_of_many_people_has_dots_and_forty_rows(tmp_path):
    made = imported(tmp_path, sample(60, 50), PEOPLE)
    own = OwnTrials(read_results(made.folder))
    assert own.people.each.empty and len(own.people.many) == 60
    assert len(own.measures("model")) == 40 and own.models.empty and own.claims.empty
    assert own.answer()._repr_markdown_().count("[") == 3 and "60 people" in own.answer().source


def test_each_file_is_a_person_where_no_column_is(tmp_path):
    table, folder = sample(3), tmp_path / "sub"
    for who, part in table.groupby("Subj_idx"):
        written(folder, part.drop(columns="Subj_idx"), f"sub-{who:02d}.csv")
    for strange in (".hidden.csv", "notes.txt"):
        (folder / strange).write_text("x\n")
    whole, report = load(folder, Request(ROLES))
    pd.testing.assert_frame_equal(whole, load(sorted(folder.glob("sub-*.csv")), Request(ROLES))[0])
    assert whole["person"].unique().tolist() == ["sub-01", "sub-02", "sub-03"]
    assert any("each is taken for a person" in note for note in report.notes)
    assert auroc2(whole["correct"][:100], whole["score"][:100]) == pytest.approx(area(table[:100]))


def test_files_that_each_hold_one_person_are_parted_by_that_column(tmp_path):
    for who, part in sample(3).groupby("Subj_idx"):
        written(tmp_path, part, f"session of {who}.csv")
    trials, report = load(tmp_path, Request(ROLES))
    assert trials["person"].unique().tolist() == ["1", "2", "3"] and report.mapping["person"] == "Subj_idx"


def test_files_of_models_are_models(tmp_path):
    for name in ("llama", "qwen"):
        written(tmp_path, answered(sample(1, seed=len(name))).drop(columns="Subj_idx"), f"{name}.csv")
    trials, report = load(tmp_path, Request(Columns(correct="ok", confidence="sure")))
    assert "person" not in trials and trials["model"].unique().tolist() == ["llama", "qwen"]
    assert any("--person file" in note for note in report.notes)


def test_files_of_unlike_columns_and_kinds_are_named(tmp_path):
    first = written(tmp_path, sample(1), "a.csv")
    other = written(tmp_path, sample(1).rename(columns={"sure": "confidence"}), "b.csv")
    with pytest.raises(MetacogError, match=r"b\.csv has other columns than a\.csv: it lacks sure"):
        load([first, other], Request(ROLES))
    log = tmp_path / "samples_x.jsonl"
    log.write_text(json.dumps({"doc_id": 0, "target": "0", "arguments": [], "filtered_resps": []}) + "\n")
    with pytest.raises(MetacogError, match="is a log and a.csv is none"):
        load([first, log], Request(ROLES))


def test_a_second_import_leaves_the_first_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("metacog.imports.report.results_folder", lambda: tmp_path / "results")
    words, where = ["--person", "Subj_idx"], tmp_path / "results" / "imports"
    first, second = (written(tmp_path / x, sample(seed=s), "data.csv") for x, s in (("a", 1), ("b", 2)))
    assert run(first, None, *words).exit_code == 0
    before = (where / "data" / "measures.csv").read_text()
    assert run(first, None, *words).exit_code == 0 and [p.name for p in where.iterdir()] == ["data"]
    assert "data holds an import of data.csv, which stays" in run(second, None, *words).output
    assert "with other options" in run(first, None, *words, "--seed", "7").output
    assert sorted(p.name for p in where.iterdir()) == ["data", "data-2", "data-3"]
    assert (where / "data" / "measures.csv").read_text() == before
    assert run(second, None, *words).exit_code == 0 and len(list(where.iterdir())) == 3


def test_a_named_folder_keeps_the_import_that_it_held_unless_it_is_to_be_replaced(tmp_path):
    first, second = (written(tmp_path / x, sample(seed=s)) for x, s in (("a", 1), ("b", 2)))
    out, words = tmp_path / "out", ["--person", "Subj_idx"]
    assert run(first, out, *words).exit_code == 0
    (out / "notes.txt").write_text("mine")
    before = (out / "measures.csv").read_text()
    done = run(second, out, *words)
    assert done.exit_code == 0 and "held an import of" in done.output and "earlier-1" in done.output
    second_time = (out / "measures.csv").read_text()
    assert (out / "earlier-1" / "measures.csv").read_text() == before != second_time
    assert (out / "earlier-1" / "trials.parquet").exists() and (out / "notes.txt").read_text() == "mine"
    assert "held" not in run(second, out, *words).output and not (out / "earlier-2").exists()
    assert "replaced, as asked" in run(first, out, *words, "--replace").output
    assert (out / "measures.csv").read_text() == before and not (out / "earlier-2").exists()


S1 = {"a": [40, 30, 20, 10, 5, 4, 3, 2], "b": [50, 20, 15, 10, 9, 8, 2, 1]}
S2 = {"a": [1, 2, 3, 9, 12, 20, 28, 41], "b": [2, 3, 7, 9, 14, 15, 25, 50]}
STACKED = pd.DataFrame(
    {"subject": np.repeat(["a", "b"], 8), "nR_S1": S1["a"] + S1["b"], "nR_S2": S2["a"] + S2["b"]}
)
WIDE = {f"nR_S{s}_{i + 1}": [t["a"][i], t["b"][i]] for s, t in ((1, S1), (2, S2)) for i in range(8)}
KINDS = ["stacked", "wide", "lists in cells", "lists by another name", "mat cells", "mat matrix", "lists"]
KINDS += ["named lists", "by name", "names inside", "objects"]
TOTALS = {who: sum(S1[who]) + sum(S2[who]) for who in S1}


def counted(tmp_path, kind: str):
    """The same two people's counts, whichever way they are written."""
    lists = {"nR_S1": list(S1.values()), "nR_S2": list(S2.values())}
    objects = {who: {"nR_S1": S1[who], "nR_S2": S2[who]} for who in S1}
    json_of = {
        "lists": lists,
        "named lists": lists | {"participant": ["a", "b"]},
        "by name": objects,
        "names inside": {"nR_S1": S1, "nR_S2": S2},
        "objects": [{"subject": who, **one} for who, one in objects.items()],
    }
    cells = {name: list(map(str, tables)) for name, tables in lists.items()}
    tables_of = {
        "stacked": STACKED.assign(rating=np.resize([4, 3, 2, 1, 1, 2, 3, 4], 16)),
        "wide": pd.DataFrame({"vp": ["a", "b"], **WIDE}),
        "lists in cells": pd.DataFrame({"id": ["a", "b"], **cells}),
        "lists by another name": pd.DataFrame({"who": ["a", "b"], **cells}),
    }
    if kind in tables_of:
        return written(tmp_path, tables_of[kind], "counts.csv")
    path = tmp_path / ("counts.json" if kind in json_of else "counts.mat")
    if kind in json_of:
        path.write_text(json.dumps(json_of[kind]))
    elif kind == "mat matrix":
        savemat(path, {name: np.array(tables) for name, tables in lists.items()})
    else:
        made = {name: np.empty((1, 2), dtype=object) for name in lists}
        for name, tables in lists.items():
            made[name][0] = [np.array(x, dtype=float) for x in tables]
        savemat(path, made)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_counts_of_people_are_parted_however_they_are_written(tmp_path, kind):
    trials, roles = read_counts(counted(tmp_path, kind))
    named = roles.model if kind == "lists by another name" else roles.person
    assert {roles.person, roles.model} - {None} == {named}
    names = trials[named].unique().tolist()
    assert names == (["1", "2"] if kind in ("lists", "mat cells", "mat matrix") else ["a", "b"])
    for who, name in zip(names, S1, strict=True):
        mine = trials[trials[named] == who]
        cell = np.where(mine["response"] == 1, 3 + mine["rating"], 4 - mine["rating"])
        for side, table in ((0, S1), (1, S2)):
            assert np.bincount(cell[mine["stimulus"] == side], minlength=8).tolist() == table[name]


def test_stacked_counts_under_two_conditions_are_parted_by_both(tmp_path):
    both = pd.concat([STACKED.assign(task="x"), STACKED.assign(task="y")])
    trials, _ = read_counts(written(tmp_path, both))
    assert len(trials[["person", "model"]].drop_duplicates()) == 4
    assert trials.groupby("person").size().to_dict() == {who: 2 * n for who, n in TOTALS.items()}


def test_one_person_twice_in_counts_is_asked_about(tmp_path):
    with pytest.raises(MetacogError, match="several tables of counts.*--model"):
        read_counts(written(tmp_path, pd.DataFrame({"vp": ["a", "a"], **WIDE})))


def test_counts_of_several_files_are_a_person_each(tmp_path):
    files = [
        written(tmp_path, pd.DataFrame({"nR_S1": S1[who], "nR_S2": S2[who]}), f"{who}.csv") for who in S1
    ]
    assert read_counts(files)[0].groupby("person").size().to_dict() == TOTALS


@pytest.fixture
def fitted_group(monkeypatch):
    """What the hierarchical model would be fitted to; it is not."""
    calls = {}

    def fit_group(a, b, **options):
        calls.update(options, counts=a)
        raise InputError("not fitted here")

    monkeypatch.setattr("metacog.sdt.bayes.fit_group", fit_group)
    return calls


def test_the_hierarchical_model_is_fitted_on_request_whatever_the_number_of_people(tmp_path, fitted_group):
    path, words = written(tmp_path, sample(30)), ["--person", "Subj_idx", "--replace"]
    assert run(path, tmp_path / "out", *words).exit_code == 0 and not fitted_group
    done = run(path, tmp_path / "out", *words, "--hierarchical")
    assert len(fitted_group["subject"]) == 30 and fitted_group["condition"] is None
    assert "not fitted here" in done.output


def test_people_under_conditions_are_subjects_of_one_hierarchy(tmp_path, fitted_group):
    table = sample(4).assign(task=lambda t: np.resize(["easy", "hard"], len(t)))
    imported(tmp_path, table, replace(PEOPLE, model="task"), hierarchical=True)
    assert fitted_group["subject"] == ["1", "1", "2", "2", "3", "3", "4", "4"]
    assert fitted_group["condition"] == ["easy", "hard"] * 4


def test_a_code_for_no_answer_may_be_said_of_one_column_alone(tmp_path):
    coded = sample(n_people=1, n=200, seed=3).astype({"said": object})
    coded.loc[:8, "said"] = "3"
    path, out = written(tmp_path, coded), tmp_path / "out"
    assert run(path, out, "--pool", "--missing", "said=3").exit_code == 0
    assert pd.read_csv(out / "measures.csv")["n_trials"].iloc[0] == 200 - 9
    assert "--missing COLUMN=VALUE" in run(path, out, "--pool", "--missing", "3").output
    assert pd.read_csv(out / "measures.csv")["n_trials"].iloc[0] < 200 - 9


def test_people_who_answer_the_other_way_round_are_named_and_those_who_guess_are_not():
    """Oracle: scipy's binomial tail; among 400 imports of guessers few name anybody."""
    n, people, rng = 100, 30, np.random.default_rng(4)

    def table(right: np.ndarray) -> pd.DataFrame:
        names = [f"p{i}" for i in range(right.size)]
        made = pd.DataFrame({"model": names, "n_correct": right, "accuracy": right / n})
        return made.assign(by="model", n_trials=n, m_ratio_valid=True)

    named = [bool(swapped(table(rng.binomial(n, 0.5, people)))) for _ in range(400)]
    assert np.mean(named) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    right = rng.binomial(n, 0.75, people)
    right[3] = 4
    (line,) = swapped(table(right))
    assert "p3 0.04" in line and "p4" not in line
    edge = int(binom.ppf(0.05 / people, n, 0.5))  # the fewest right answers that are not yet too few
    for right[3], said in ((edge, False), (edge - 1, True)):
        assert bool(swapped(table(right))) == said
    assert not swapped(table(right).assign(m_ratio_valid=False))  # open answers are often wrong


@pytest.mark.parametrize(("turned", "told"), [(1, False), (40, True)])
def test_less_confidence_with_right_answers_is_said_of_a_group_and_not_of_some(tmp_path, turned, told):
    rng = np.random.default_rng(8)
    person = np.repeat(np.arange(40), 60)
    side, right = rng.integers(1, 3, person.size), rng.random(person.size) < 0.75
    sure = np.clip(np.round(2.5 + 1.6 * (right - 0.5) + rng.normal(size=person.size)), 1, 4)
    sure = np.where(person < turned, 5 - sure, sure)
    said = np.where(right, side, 3 - side)
    table = pd.DataFrame({"Subj_idx": person, "side": side, "said": said, "sure": sure})
    made = import_trials(written(tmp_path, table), tmp_path / "out", Request(PEOPLE), page=False)
    assert made.measures["auroc2_upper"].min() < 0.5
    assert any("--lower-is-surer" in note for note in made.validation.notes) == told
