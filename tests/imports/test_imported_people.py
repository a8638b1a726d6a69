"""People through the door: parted, measured as a group, never ranked; files, folders and stacked counts.

Oracles: numbers of each person alone, `fit_meta_d`, counts by hand.
"""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy.io import savemat

from metacog.commands.import_trials import command
from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, import_trials, load, read_results
from metacog.imports.shown import OwnTrials
from metacog.imports.two_choice import read_counts
from metacog.measures.table import Options
from metacog.sdt import InputError, auroc2, meta_d_observer

TWO = ["--stimulus", "side", "--response", "said", "--rating", "sure"]
ROLES = Columns(stimulus="side", response="said", rating="sure")
FEW = Options(n_resamples=100, n_permutations=100)


def sample(n_people: int = 4, n: int = 100, seed: int = 1, name: str = "Subj_idx") -> pd.DataFrame:
    made = meta_d_observer(1.3, m_ratio=0.8).trials(n_people * n, seed=seed)
    who = np.repeat(np.arange(1, n_people + 1), n)
    return pd.DataFrame({name: who, "side": made.stimulus, "said": made.response, "sure": made.confidence})


def run(path, *words: str):
    paths = [str(p) for p in (path if isinstance(path, list) else [path])]
    return CliRunner().invoke(command, [*paths, "--no-report", "--n-resamples", "100", *words])


def written(folder, table, name="trials.csv"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    table.to_csv(path, index=False)
    return path


def area(table: pd.DataFrame) -> float:
    return auroc2((table["side"] == table["said"]).to_numpy(), table["sure"].to_numpy())


@pytest.mark.parametrize("name", ["Subj_idx", "participant", "VP-Nr", "subject"])
def test_people_are_not_pooled_without_a_word(tmp_path, name):
    path = written(tmp_path, sample(name=name))
    done = run(path, *TWO, "--out", str(tmp_path / "out"))
    assert done.exit_code != 0 and isinstance(done.exception, MetacogError)
    assert f"column {name!r} holds 4 people" in str(done.exception)
    assert f"--person {name}" in str(done.exception) and "--pool" in str(done.exception)
    assert not (tmp_path / "out").exists()
    pooled = run(path, *TWO, "--out", str(tmp_path / "out"), "--pool")
    assert pooled.exit_code == 0 and "4 people of" in pooled.output


def test_answers_of_people_are_not_pooled_either(tmp_path):
    table = sample().assign(ok=lambda t: (t["side"] == t["said"]).astype(int))
    path = written(tmp_path, table[["Subj_idx", "ok", "sure"]])
    with pytest.raises(MetacogError, match="'Subj_idx' holds 4 people"):
        load(path, Request(Columns(correct="ok", confidence="sure")))
    trials, report = load(path, Request(Columns(correct="ok", confidence="sure", person="Subj_idx")))
    assert (
        trials["person"].unique().tolist() == ["1", "2", "3", "4"] and report.mapping["person"] == "Subj_idx"
    )


@pytest.mark.parametrize("option", ["--person", "--model"])
def test_a_column_of_people_gives_a_group_and_no_ranking_by_either_option(tmp_path, option):
    table = sample(30, name="participant")
    done = run(written(tmp_path, table), *TWO, option, "participant", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert "the group: mean over people" in done.output and "place by AUROC2" not in done.output
    assert "... and 20 more in measures.csv" in done.output and "pairs of models" not in done.output
    assert len(re.findall(r"^\d+ +100 ", done.output, re.M)) == 10
    measures = pd.read_csv(tmp_path / "out" / "measures.csv")
    each = [area(part) for _, part in table.groupby("participant")]
    np.testing.assert_allclose(measures["auroc2"], each, atol=1e-12)
    means = pd.read_csv(tmp_path / "out" / "people.csv").set_index("measure")
    assert means.loc["auroc2", "mean"] == pytest.approx(np.mean(each))
    assert means.loc["auroc2", "lower"] < np.mean(each) < means.loc["auroc2", "upper"]
    for name in ("pairs", "ranks", "orders", "screen"):
        assert len(pd.read_csv(tmp_path / "out" / f"{name}.csv")) == 0
    assert not (tmp_path / "out" / "posterior.csv").exists()  # nor drawn unasked


def test_who_cannot_be_measured_is_named_with_the_reason_and_of_many_the_first(tmp_path):
    table = sample(12)
    table["said"] = table["side"].where(table["Subj_idx"] > 3, table["said"])  # nine without an error
    done = run(written(tmp_path, table), *TWO, "--person", "Subj_idx", "--out", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    assert re.findall(r"^(\d+): all 100 answers are right", done.output, re.M) == ["4", "5", "6", "7", "8"]
    assert "of 12 people (9 one class" in done.output and "and 4 more who cannot" in done.output


def test_models_beside_people_are_conditions_with_a_mean_each(tmp_path):
    table = sample(6).assign(task=lambda t: np.resize(["easy", "hard"], len(t)))
    roles = Columns(stimulus="side", response="said", rating="sure", person="Subj_idx", model="task")
    made = import_trials(written(tmp_path, table), tmp_path / "out", Request(roles, options=FEW), page=False)
    assert set(made.measures["model"]) == {f"{i} / {t}" for i in range(1, 7) for t in ("easy", "hard")}
    means = made.people[made.people["measure"] == "auroc2"].set_index("group")["mean"]
    parts = table.groupby(["task", "Subj_idx"]).apply(area, include_groups=False).groupby("task").mean()
    assert means.to_dict() == pytest.approx(parts.to_dict())
    assert not len(made.pairs)


def test_trials_without_a_person_are_left_out_by_name(tmp_path):
    table = sample().astype({"Subj_idx": object})
    table.loc[:6, "Subj_idx"] = None
    _, report = load(written(tmp_path, table), Request(Columns(person="Subj_idx", **_two())))
    assert report.dropped == {"no person": 7}


def _two() -> dict[str, str]:
    return {"stimulus": "side", "response": "said", "rating": "sure"}


def test_the_page_shows_the_group_and_each_person_and_asks_nothing_of_models(tmp_path):
    path = written(tmp_path, sample(8))
    done = CliRunner().invoke(
        command,
        [str(path), *TWO, "--person", "Subj_idx", "--n-resamples", "100", "--out", str(tmp_path / "out")],
    )
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    assert "The group" in page and "It is no ranking" in page and "nobody is ranked" in page
    assert page.count("<svg") == 1  # nobody leads, so no curves
    for words in (
        "Differences between models",
        "Whom to ask?",
        "A screen before the measures",
        "The verdict",
    ):
        assert words not in page


def test_a_page_of_many_people_has_dots_and_forty_rows(tmp_path):
    made = import_trials(
        written(tmp_path, sample(60, 50)),
        tmp_path / "out",
        Request(Columns(person="Subj_idx", **_two()), options=FEW),
        page=False,
    )
    own = OwnTrials(read_results(made.folder), simulated=False)
    assert own.people.each.empty and len(own.people.many) == 60
    assert len(own.measures("model")) == 40 and own.models.empty and own.claims.empty
    assert own.answer()._repr_markdown_().count("[") == 3 and "60 people" in own.answer().source


def test_each_file_is_a_person_where_no_column_is(tmp_path):
    table = sample(3)
    for who, part in table.groupby("Subj_idx"):
        written(tmp_path / "sub", part.drop(columns="Subj_idx"), f"sub-{who:02d}.csv")
    (tmp_path / "sub" / ".hidden.csv").write_text("x\n")
    (tmp_path / "sub" / "notes.txt").write_text("x\n")
    whole, report = load(tmp_path / "sub", Request(ROLES))
    files = sorted((tmp_path / "sub").glob("sub-*.csv"))
    named, _ = load(files, Request(ROLES))
    pd.testing.assert_frame_equal(whole, named)
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
        table = sample(1, seed=len(name)).assign(ok=lambda t: (t["side"] == t["said"]).astype(int))
        written(tmp_path, table[["ok", "sure"]], f"{name}.csv")
    trials, report = load(tmp_path, Request(Columns(correct="ok", confidence="sure")))
    assert "person" not in trials and trials["model"].unique().tolist() == ["llama", "qwen"]
    assert any("--person file" in note for note in report.notes)


def test_files_of_unlike_columns_are_named(tmp_path):
    written(tmp_path, sample(1), "a.csv")
    written(tmp_path, sample(1).rename(columns={"sure": "confidence"}), "b.csv")
    with pytest.raises(MetacogError, match=r"b\.csv has other columns than a\.csv: it lacks sure"):
        load(tmp_path, Request(ROLES))


def test_logs_and_tables_are_not_mixed(tmp_path):
    path = written(tmp_path, sample(1))
    log = tmp_path / "samples_x.jsonl"
    log.write_text(
        '{"doc_id": 0, "doc": {}, "target": "0", "arguments": [], "resps": [], "filtered_resps": []}\n'
    )
    with pytest.raises(MetacogError, match="is a log and trials.csv is none"):
        load([path, log], Request(ROLES))


def test_a_second_import_leaves_the_first_where_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("metacog.imports.report.results_folder", lambda: tmp_path / "results")
    words = [*TWO, "--person", "Subj_idx"]
    first = written(tmp_path / "a", sample(seed=1), "data.csv")
    second = written(tmp_path / "b", sample(seed=2), "data.csv")
    where = tmp_path / "results" / "imports"
    assert run(first, *words).exit_code == 0
    before = (where / "data" / "measures.csv").read_text()
    again = run(first, *words)
    assert again.exit_code == 0 and sorted(p.name for p in where.iterdir()) == ["data"]
    done = run(second, *words)
    assert "data holds an import of data.csv, which stays" in done.output
    assert "with other options" in run(first, *words, "--seed", "7").output
    assert sorted(p.name for p in where.iterdir()) == ["data", "data-2", "data-3"]
    assert (where / "data" / "measures.csv").read_text() == before
    assert run(second, *words).exit_code == 0 and len(list(where.iterdir())) == 3


def test_a_named_folder_keeps_the_import_that_it_held_unless_it_is_to_be_replaced(tmp_path):
    first, second = (written(tmp_path / x, sample(seed=s)) for x, s in (("a", 1), ("b", 2)))
    out = tmp_path / "out"
    words = [*TWO, "--person", "Subj_idx", "--out", str(out)]
    assert run(first, *words).exit_code == 0
    (out / "notes.txt").write_text("mine")
    before = (out / "measures.csv").read_text()
    done = run(second, *words)
    assert done.exit_code == 0 and "held an import of" in done.output and "earlier-1" in done.output
    assert (out / "earlier-1" / "measures.csv").read_text() == before != (out / "measures.csv").read_text()
    assert (out / "earlier-1" / "trials.parquet").exists() and (out / "notes.txt").read_text() == "mine"
    second_time = (out / "measures.csv").read_text()
    again = run(second, *words)
    assert "held" not in again.output and not (out / "earlier-2").exists()
    assert "replaced, as asked" in run(first, *words, "--replace").output
    assert (out / "measures.csv").read_text() == before != second_time and not (out / "earlier-2").exists()


S1 = {"a": [40, 30, 20, 10, 5, 4, 3, 2], "b": [50, 20, 15, 10, 9, 8, 2, 1]}
S2 = {"a": [1, 2, 3, 9, 12, 20, 28, 41], "b": [2, 3, 7, 9, 14, 15, 25, 50]}
STACKED = pd.DataFrame(
    {"subject": np.repeat(["a", "b"], 8), "nR_S1": S1["a"] + S1["b"], "nR_S2": S2["a"] + S2["b"]}
)


def counted(tmp_path, kind: str):
    """The same two people's counts, whichever way they are written."""
    path = tmp_path / f"counts.{kind if kind in ('mat', 'json') else 'csv'}"
    lists = {"nR_S1": list(S1.values()), "nR_S2": list(S2.values())}
    objects = {who: {"nR_S1": S1[who], "nR_S2": S2[who]} for who in S1}
    json_of = {
        "lists": lists,
        "named lists": lists | {"participant": ["a", "b"]},
        "by name": objects,
        "names inside": {"nR_S1": S1, "nR_S2": S2},
        "objects": [{"subject": who, **one} for who, one in objects.items()],
    }
    if kind == "stacked":
        STACKED.assign(rating=np.resize([4, 3, 2, 1, 1, 2, 3, 4], 16)).to_csv(path, index=False)
    elif kind == "wide":
        cells = {f"nR_S{s}_{i + 1}": [t["a"][i], t["b"][i]] for s, t in ((1, S1), (2, S2)) for i in range(8)}
        pd.DataFrame({"vp": ["a", "b"], **cells}).to_csv(path, index=False)
    elif kind == "lists in cells":
        pd.DataFrame(
            {"id": ["a", "b"], "nR_S1": map(str, S1.values()), "nR_S2": map(str, S2.values())}
        ).to_csv(path, index=False)
    elif kind.startswith("mat"):
        path = tmp_path / "counts.mat"
        cell = np.empty((1, 2), dtype=object)
        made = {}
        for name, tables in (("nR_S1", S1), ("nR_S2", S2)):
            cell = np.empty((1, 2), dtype=object)
            cell[0] = [np.array(x, dtype=float) for x in tables.values()]
            made[name] = np.array(list(tables.values())) if "matrix" in kind else cell
        savemat(path, made)
    else:
        path = tmp_path / "counts.json"
        path.write_text(json.dumps(json_of[kind]))
    return path


@pytest.mark.parametrize(
    "kind",
    "stacked|wide|lists in cells|mat cells|mat matrix|lists|named lists|by name|names inside|objects".split(
        "|"
    ),
)
def test_counts_of_people_are_parted_however_they_are_written(tmp_path, kind):
    trials, roles = read_counts(counted(tmp_path, kind))
    assert roles.person == "person" and roles.model is None
    names = trials["person"].unique().tolist()
    assert names == (["1", "2"] if kind in ("lists", "mat cells", "mat matrix") else ["a", "b"])
    for who, name in zip(names, S1, strict=True):
        mine = trials[trials["person"] == who]
        cell = np.where(mine["response"] == 1, 3 + mine["rating"], 4 - mine["rating"])
        for side, table in ((0, S1), (1, S2)):
            assert np.bincount(cell[mine["stimulus"] == side], minlength=8).tolist() == table[name]


def test_stacked_counts_under_two_conditions_are_parted_by_both(tmp_path):
    both = pd.concat([STACKED.assign(task="x"), STACKED.assign(task="y")])
    path = tmp_path / "counts.csv"
    both.to_csv(path, index=False)
    trials, _ = read_counts(path)
    assert len(trials[["person", "model"]].drop_duplicates()) == 4
    sizes = trials.groupby("person").size().to_dict()
    assert sizes == {who: 2 * (sum(S1[who]) + sum(S2[who])) for who in S1}


def test_one_person_twice_in_counts_is_asked_about(tmp_path):
    cells = {f"nR_S{s}_{i + 1}": [t["a"][i]] * 2 for s, t in ((1, S1), (2, S2)) for i in range(8)}
    pd.DataFrame({"vp": ["a", "a"], **cells}).to_csv(tmp_path / "counts.csv", index=False)
    with pytest.raises(MetacogError, match="several tables of counts.*--model"):
        read_counts(tmp_path / "counts.csv")


def test_counts_of_several_files_are_a_person_each(tmp_path):
    for who in S1:
        pd.DataFrame({"nR_S1": S1[who], "nR_S2": S2[who]}).to_csv(tmp_path / f"{who}.csv", index=False)
    trials, _ = read_counts(sorted(tmp_path.glob("*.csv")))
    assert trials.groupby("person").size().to_dict() == {who: sum(S1[who]) + sum(S2[who]) for who in S1}


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
    path = written(tmp_path, sample(30))
    words = [*TWO, "--person", "Subj_idx", "--out", str(tmp_path / "out"), "--replace"]
    assert run(path, *words).exit_code == 0 and not fitted_group
    done = run(path, *words, "--hierarchical")
    assert len(fitted_group["subject"]) == 30 and fitted_group["condition"] is None
    assert "not fitted here" in done.output


def test_people_under_conditions_are_subjects_of_one_hierarchy(tmp_path, fitted_group):
    table = sample(4).assign(task=lambda t: np.resize(["easy", "hard"], len(t)))
    roles = Columns(person="Subj_idx", model="task", **_two())
    request = Request(roles, options=FEW, hierarchical=True)
    import_trials(written(tmp_path, table), tmp_path / "out", request, page=False)
    assert fitted_group["subject"] == ["1", "1", "2", "2", "3", "3", "4", "4"]
    assert fitted_group["condition"] == ["easy", "hard"] * 4


def test_tables_of_counts_in_cells_are_told_apart_by_whatever_column_names_them(tmp_path):
    path = tmp_path / "counts.csv"
    pd.DataFrame(
        {"who": list(S1), "nR_S1": list(map(str, S1.values())), "nR_S2": list(map(str, S2.values()))}
    ).to_csv(path, index=False)
    trials, roles = read_counts([path])
    assert sorted(trials[roles.model].unique()) == ["a", "b"]
    assert (trials.groupby(roles.model).size() == [sum(S1[n]) + sum(S2[n]) for n in ("a", "b")]).all()


def test_a_code_for_no_answer_may_be_said_of_one_column_alone(tmp_path):
    people = sample(n_people=1, n=200, seed=3)
    coded = people.astype({"said": object})
    coded.iloc[:9, coded.columns.get_loc("said")] = "3"
    path = written(tmp_path, coded)
    words = [*TWO, "--pool", "--out", str(tmp_path / "out")]
    whole = len(people)
    assert run(path, *words, "--missing", "said=3").exit_code == 0
    assert pd.read_csv(tmp_path / "out" / "measures.csv")["n_trials"].iloc[0] == whole - 9
    everywhere = run(path, *words, "--missing", "3").output
    assert "--missing COLUMN=VALUE" in everywhere
    assert pd.read_csv(tmp_path / "out" / "measures.csv")["n_trials"].iloc[0] < whole - 9


def test_who_cannot_be_measured_is_named_and_means_stay_within_their_range(tmp_path):
    people = sample(seed=4)
    one = people["Subj_idx"] == people["Subj_idx"].iloc[0]
    people.loc[one, "said"] = people.loc[one, "side"]
    done = run(written(tmp_path, people), *TWO, "--person", "Subj_idx", "--out", str(tmp_path / "out"))
    assert f"all {int(one.sum())} answers are right" in done.output
    means = pd.read_csv(tmp_path / "out" / "people.csv").set_index("measure")
    assert (means.loc[["accuracy", "auroc2"], ["lower", "upper"]].stack().between(0, 1)).all()


def test_people_who_answer_the_other_way_round_are_named_and_those_who_guess_are_not(tmp_path):
    """Oracle: scipy's binomial tail; among 400 imports of guessers few name anybody."""
    from scipy.stats import binom

    from metacog.imports.report import swapped

    n, people = 100, 30

    def table(right: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(
            {
                "by": "model",
                "model": [f"p{i}" for i in range(right.size)],
                "n_trials": n,
                "n_correct": right,
                "accuracy": right / n,
                "m_ratio_valid": True,
            }
        )

    rng = np.random.default_rng(4)
    named = [bool(swapped(table(rng.binomial(n, 0.5, people)))) for _ in range(400)]
    assert np.mean(named) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    right = rng.binomial(n, 0.75, people)
    right[3] = 4
    (line,) = swapped(table(right))
    assert "p3 0.04" in line and "p4" not in line
    edge = int(binom.ppf(0.05 / people, n, 0.5))  # the fewest right answers that are not yet too few
    right[3] = edge
    assert not swapped(table(right))
    right[3] = edge - 1
    assert swapped(table(right))
    assert not swapped(table(right).assign(m_ratio_valid=False))  # open answers are often wrong


@pytest.mark.parametrize(("turned", "said"), [(1, False), (40, True)])
def test_less_confidence_with_right_answers_is_said_of_a_group_and_not_of_some_of_its_people(
    tmp_path, turned, said
):
    rng = np.random.default_rng(8)
    n, people = 60, 40
    person = np.repeat(np.arange(people), n)
    side, right = rng.integers(1, 3, person.size), rng.random(person.size) < 0.75
    sure = np.clip(np.round(2.5 + 1.6 * (right - 0.5) + rng.normal(size=person.size)), 1, 4)
    sure = np.where(person < turned, 5 - sure, sure)
    table = pd.DataFrame({"vp": person, "side": side, "said": np.where(right, side, 3 - side), "sure": sure})
    table.to_csv(tmp_path / "t.csv", index=False)
    columns = Columns(stimulus="side", response="said", rating="sure", person="vp")
    made = import_trials(tmp_path / "t.csv", tmp_path / "out", Request(columns), page=False)
    assert made.measures["auroc2_upper"].min() < 0.5
    assert any("--lower-is-surer" in note for note in made.validation.notes) == said
