"""The Confidence Database as counts by person.

Oracles: small tables with a trap each, counted by hand; for twelve sets the raw rows, read with the csv module and
measured with numpy and scipy alone; the archive where it is.
"""

import csv
import io
import tarfile

import numpy as np
import pandas as pd
import pytest
from scipy.stats import mannwhitneyu, norm

from metacog.core.errors import MetacogError
from metacog.studies.study8_people import STUDY
from metacog.studies.study8_people import database as database
from metacog.studies.study8_people import database_rows as reading
from metacog.studies.study8_people.database_rows import Setting, read_part

here = pytest.mark.skipif(
    reading.archive() is None,
    reason="no Confidence Database here: put its data.tar.xz below METACOG_DATA_HOME/confidence_database",
)


def trials(n_people: int = 2, n: int = 40, **columns) -> pd.DataFrame:
    """People who are right on three of four trials, with ratings 1 to 4 in turn."""
    at = np.arange(n_people * n)
    shown = at % 2 + 1
    table = {
        "Subj_idx": at // n + 1,
        "Stimulus": shown,
        "Response": np.where(at % 8 < 6, shown, 3 - shown),
        "Confidence": at // 2 % 4 + 1,
    }
    return pd.DataFrame(
        table | {name: value(at) if callable(value) else value for name, value in columns.items()}
    )


def part(table: pd.DataFrame, people: dict | None = None, **setting) -> reading.Counted:
    return read_part(table, Setting("Made_2020", **setting), {} if people is None else people)


def whole(found: reading.Counted, person: int = 1) -> tuple[list[int], list[int]]:
    rows = found.rows[(found.rows["person"] == person) & (found.rows["by"] == "half")]
    return tuple(np.sum(rows[side].tolist(), axis=0).tolist() for side in ("nR_S1", "nR_S2"))


def test_halves_conditions_and_sessions_add_up_to_the_person():
    table = trials(Load=lambda at: at % 3, Day=lambda at: np.where(at % 40 < 20, "Monday", "Tuesday"))
    found = part(table, condition="Load", session="Day")
    assert whole(found) == ([0, 5, 5, 5, 0, 0, 0, 5], [5, 0, 0, 0, 5, 5, 5, 0])
    for kind, values in (("half", ["even", "odd"]), ("condition", ["0", "1", "2"]), ("session", ["1", "2"])):
        rows = found.rows[found.rows["by"] == kind]
        assert sorted(set(rows["value"])) == values
        first = rows[rows["person"] == 1]
        assert (np.sum(first["nR_S1"].tolist(), axis=0) == whole(found)[0]).all()
    odd = found.rows[(found.rows["value"] == "odd") & (found.rows["person"] == 1)]
    assert odd["nR_S1"].iloc[0].sum() == 20 and odd["nR_S2"].iloc[0].sum() == 0  # stimuli take turns
    assert found.told["k"] == 4 and not found.told["quartiles"] and found.left_out == {}


def test_numbers_as_text_and_words_for_no_answer_are_read():
    table = trials().astype({"Response": object, "Confidence": object})
    table["Stimulus"] = table["Stimulus"].map({1: "1.0", 2: " 2"})
    table.loc[[0, 1, 2], "Response"] = ["NaN", "N", "TIMEOUT"]
    table.loc[[3, 4], "Confidence"] = ["Nan", ""]
    found = part(table, missing="Response=N; Response=TIMEOUT")
    assert found.left_out == {"no stimulus or answer": 3, "no rating": 2} and found.told["trials"] == 75


def test_nought_is_no_answer_where_the_setting_says_so_and_a_rating_elsewhere():
    table = trials(Confidence=lambda at: at // 2 % 5)
    assert part(table, missing="Confidence=0").left_out == {"no rating": 16}
    assert part(table).told["k"] == 5
    table = trials()
    table.loc[:2, "Response"] = 0
    assert part(table, missing="Response=0").left_out == {"no stimulus or answer": 3}


def test_stimuli_and_responses_of_two_codes_are_refused_without_a_recoding_and_read_with_one():
    table = trials(Accuracy=lambda at: (at % 8 < 6).astype(int))
    table["Stimulus"] -= 1
    with pytest.raises(MetacogError, match="recode"):
        part(table)
    found = part(table, recode="Response: 1=0 2=1", correct="Accuracy")
    assert whole(found) == whole(part(trials()))


def test_a_file_that_marks_answers_otherwise_loses_the_person_or_the_set():
    table = trials(10, Accuracy=lambda at: (at % 8 < 6).astype(int))
    table.loc[table["Subj_idx"] == 4, "Accuracy"] = 1 - table["Accuracy"]
    found = part(table, correct="Accuracy")
    assert found.left_out == {"of 1 person whose answers the file marks otherwise": 40}
    assert found.told["people"] == 9 and 4 not in set(found.rows["person"])
    with pytest.raises(MetacogError, match="10 of 10 people"):
        part(
            table.assign(Accuracy=1 - table["Accuracy"].where(table["Subj_idx"] != 4, 0)), correct="Accuracy"
        )


def test_one_slip_in_a_hundred_is_left_out_and_the_person_stays():
    table = trials(1, 200, Accuracy=lambda at: (at % 8 < 6).astype(int))
    table.loc[7, "Accuracy"] = 1
    assert part(table, correct="Accuracy").left_out == {"marked otherwise in the file": 1}


def test_a_slider_is_cut_at_each_persons_own_quartiles_and_six_levels_stay():
    table = trials(Confidence=lambda at: np.where(at < 40, at % 40, 60 + at % 40 / 10))
    found = part(table)
    assert found.told["quartiles"] and (found.told["k"], found.told["levels"]) == (4, 80)
    for person in (1, 2):
        levels = np.add(*whole(found, person)).reshape(2, 4)
        assert (levels[0][::-1] + levels[1]).tolist() == [10, 10, 10, 10]
    assert part(trials(Confidence=lambda at: 50 + 10 * (at % 6))).told["k"] == 6


def test_a_scale_whose_sign_is_no_choice_keeps_its_order():
    found = part(trials(1, Confidence=lambda at: (at % 40 - 20) / 20))
    assert found.told["quartiles"] and sum(map(sum, whole(found))) == 40


def test_sides_of_morphs_and_angles_are_said_and_the_middle_has_none():
    table = trials(1, 42, Stimulus=lambda at: at % 7 + 1, Response=lambda at: np.where(at % 7 < 3, 1, 2))
    with pytest.raises(MetacogError, match="exactly two stimuli"):
        part(table)
    found = part(table, recode="Stimulus: 1=1 2=1 3=1 5=2 6=2 7=2", without="no signal: Stimulus=4")
    assert found.left_out == {"no signal": 6} and [sum(one) for one in whole(found)] == [18, 18]


def test_an_estimate_is_refused():
    with pytest.raises(MetacogError, match="exactly two stimuli"):
        part(trials(Stimulus=lambda at: at * 4.5, Response=lambda at: at * 4.4))
    with pytest.raises(MetacogError, match="estimates"):
        part(trials(Response=lambda at: 1 + at / 100))


def test_tasks_of_one_file_are_parted_and_people_keep_their_numbers():
    table = trials(
        3, Task=lambda at: np.where(at % 40 < 30, "A", "B"), Training=lambda at: (at % 40 < 4).astype(int)
    )
    table = table[(table["Subj_idx"] != 1) | (table["Task"] == "B")]
    people: dict[str, int] = {}
    second = part(table, people, only="Task=A", without="practice: Training=1")
    first = part(table, people, only="Task=B")
    assert people == {"2": 1, "3": 2, "1": 3}
    assert second.left_out == {"practice": 8} and second.told["trials"] == 52
    assert first.told["trials"] == 30 and set(first.rows["person"]) == {1, 2, 3}


def test_people_are_told_by_two_columns_or_a_part_of_one():
    table = trials(1, 80, Condition=lambda at: at // 40)
    assert part(table, person="Subj_idx+Condition").told["people"] == 2
    named = trials(4)
    named["Subj_idx"] = named["Subj_idx"].map({1: "7Big", 2: "7Small", 3: "8Big", 4: "8Small"})
    found = part(named, person=r"Subj_idx~^(\d+)", session="Subj_idx")
    assert found.told["people"] == 2 and found.told["sessions"] == 2


def test_sessions_begin_after_rows_even_where_rows_are_left_out():
    table = trials(1, 60, Training=lambda at: (at < 15).astype(int))
    found = part(table, session="rows 20 40", without="practice: Training=1")
    sums = found.rows[found.rows["by"] == "session"].apply(
        lambda r: r["nR_S1"].sum() + r["nR_S2"].sum(), axis=1
    )
    assert sums.tolist() == [5, 20, 20]


def test_to_press_or_not_is_an_answer_that_correctness_tells():
    table = trials(Accuracy=lambda at: (at % 8 < 6).astype(int)).assign(
        Response=lambda t: t["Response"].where(t["Response"] == 2)
    )
    found = part(table, response=reading.BY_CORRECTNESS, correct="Accuracy")
    assert whole(found) == whole(part(trials()))


def test_more_than_two_answers_are_right_or_wrong_alone():
    table = trials(1, Accuracy=lambda at: np.where(at % 8 < 6, "Correct", "Error"), Response="a picture")
    wrong, right = whole(part(table, form=reading.MARKED, correct="Accuracy"))
    assert (wrong, right) == ([0, 0, 0, 10], [10, 10, 10, 0])
    compared = trials(1, Stimulus=lambda at: at % 3, Response=lambda at: at % 6)
    wrong, right = whole(part(compared, form=reading.MARKED, stimulus="Stimulus", response="Response"))
    assert sum(right) == sum(i % 3 == i % 6 for i in range(40)) and sum(wrong) + sum(right) == 40


@pytest.mark.parametrize(
    ("change", "setting", "message"),
    [
        ({"Confidence": 3}, {}, "ratings are the same"),
        ({"Trial": lambda at: at}, {"condition": "Trial"}, "no conditions"),
        ({"Confidence": "very"}, {}, "no confidence"),
        ({}, {"only": "Subj_idx"}, "is no condition"),
        ({"Response": np.nan}, {}, "has a stimulus, an answer and a rating|holds"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(change, setting, message):
    with pytest.raises(MetacogError, match=message):
        part(trials(**change), **setting)


def test_a_set_that_cannot_be_read_is_left_out_with_the_reason(monkeypatch):
    good, bad = (
        trials(Stimulus=one).to_csv(index=False).encode() for one in (lambda at: at % 2 + 1, lambda at: at)
    )
    monkeypatch.setattr(
        reading,
        "files",
        lambda: [("data_Good_1.csv", good), ("data_Bad_1.csv", bad), ("readme_Bad_1.txt", b"")],
    )
    wanted = [
        Setting("Good_1"),
        Setting("Bad_1"),
        Setting("Gone_1"),
        Setting("Good_1", part="no", leave_out="why not"),
    ]
    counts, sets = reading.read_all(wanted)
    assert set(counts["set"]) == {"Good_1"} and counts["nR_S1"].map(np.sum).sum() == 40
    told = sets.set_index(["set", "part"])
    assert told.loc[("Good_1", ""), "trials"] == 80 and told.loc[("Good_1", ""), "reason"] == ""
    assert (
        "exactly two stimuli" in told.loc[("Bad_1", ""), "reason"] and told.loc[("Bad_1", ""), "people"] == 0
    )
    assert told.loc[("Gone_1", ""), "reason"] == "its table of trials is not here"
    assert told.loc[("Good_1", "no"), "reason"] == "why not"


# The committed tables.


def test_every_set_has_settings_a_row_and_a_reason_where_it_is_left_out():
    settings, sets, counts = reading.settings(), database.sets(), database.counts()
    listed = {name[5:-4] for name in reading.listed()["file"] if name.startswith("data_")}
    readmes = {name[7:-4] for name in reading.listed()["file"] if name.startswith("readme_")}
    assert {one.set for one in settings} == readmes and listed < readmes
    assert [(one.set, one.part) for one in settings] == list(zip(sets["set"], sets["part"], strict=True))
    assert set(sets["domain"]) == {"perception", "memory", "cognition", "mixed"}
    used = sets[sets["reason"] == ""]
    assert set(zip(used["set"], used["part"], strict=True)) == set(
        zip(counts["set"], counts["part"], strict=True)
    )
    assert (used["people"] > 0).all() and (sets.loc[sets["reason"] != "", "people"] == 0).all()
    assert (sets["citation"] != "").all() and all(one.leave_out or one.form for one in settings)


def test_counts_are_small_and_add_up_to_what_the_sets_say():
    tables, sets = database.tables(), database.sets().set_index(["set", "part"])
    sums = tables["nR_S1"].map(np.sum) + tables["nR_S2"].map(np.sum)
    by = tables.assign(n=sums).groupby(["set", "part"])["n"].agg(["sum", "size"])
    told = sets.loc[by.index]
    assert (by["sum"] == told["trials"]).all() and (by["size"] == told["people"]).all()
    counts = database.counts()
    for kind in ("condition", "session"):
        rows = counts[counts["by"] == kind]
        n = (rows["nR_S1"].map(np.sum) + rows["nR_S2"].map(np.sum)).groupby([rows["set"], rows["part"]]).sum()
        assert (n <= by.loc[n.index, "sum"]).all() and (n >= 0.99 * by.loc[n.index, "sum"]).all()
    assert (reading.project_root() / reading.COUNTS).stat().st_size < 1_000_000


def test_rules_leave_out_and_medians_are_of_those_who_stay():
    made = pd.DataFrame(
        {
            "set": ["a", "a", "b", "b", "c"],
            "form": ["two sides"] * 4 + ["marked"],
            "domain": ["memory"] * 5,
            "trials": [100, 99, 500, 500, 50],
            "accuracy": [0.8, 0.8, 0.95, 0.6, 0.9],
            "d_prime": [1.5, 1.5, 3.0, 0.5, np.nan],
            **dict.fromkeys(("auroc2", "meta_i", "meta_i2r", "meta_i1r", "criterion", "meta_d"), 0.1),
            "m_ratio": [0.8, 0.7, 1.2, 2.0, np.nan],
        }
    )
    assert database.kept(made)["all"].tolist() == [True, False, False, False, False]
    told = database.rules_of(made).set_index("rule")
    assert told["left_out"].tolist() == [0, 1, 1, 1, 3] and told["alone"].tolist() == [0, 1, 1, 1, 0]
    assert told.loc["none", "m_ratio"] == pytest.approx(1.0) and told.loc["all", "m_ratio"] == 0.8
    assert database.medians(made, ["domain"]).iloc[0][["people", "sets"]].tolist() == [5, 3]


# The same of twelve sets from the raw rows, with the csv module, numpy and scipy alone.


def _is(column, *values):
    return lambda row: row[column].strip() in values


def _both(*tests):
    return lambda row: all(test(row) for test in tests)


def _code(text):
    """A number as it is written most briefly."""
    try:
        return f"{float(text):g}"
    except ValueError:
        return text.strip()


#: Set and task: columns of stimulus, response and confidence, what the stimulus is of two, and which rows are used.
TWELVE = {
    ("Adler_2018_Expt1", "A"): (
        "Stimulus",
        "Response",
        "Confidence",
        {"1": 1, "2": 2},
        {"1": 1, "2": 2},
        _is("Task", "A"),
    ),
    ("AguilarLleyda_2018", "letter"): (
        *("Stimulus_let", "Response_let", "Confidence_let", {"1": 1, "2": 2}, {"1": 1, "2": 2}, None),
    ),
    ("Arbuzova_unpub_2", ""): (
        "Stimulus",
        "Response",
        "Confidence",
        {"1": 1, "2": 2},
        {"1": 1, "2": 2},
        None,
    ),
    ("Gallagher_2019_Exp1", ""): (
        *("Stimulus", "Response", "Confidence"),
        {str(s * n): 1 if s < 0 else 2 for n in (3, 6, 10, 20, 30) for s in (-1, 1)},
        {"0": 1, "1": 2},
        None,
    ),
    ("Jachs_2015_Exp1", ""): ("Stimulus", "Response", "Confidence", {"1": 1, "2": 2}, {"1": 1, "2": 2}, None),
    ("Lo_unpub", ""): (
        "Stimulus",
        "Response",
        "Confidence",
        {"0": 2, "1": 1, "2": 1},
        {"1": 1, "2": 2},
        None,
    ),
    ("Martin_unpub", ""): (
        *("Stimulus", "Response", "Confidence", {"LEFT": 1, "RIGHT": 2}, {"LEFT": 1, "RIGHT": 2}, None),
    ),
    ("OHora_unpub_1", ""): (
        *("Stimulus", "Response", "Confidence", {"0": 1, "1": 2}, {"0": 1, "1": 2}, _is("Training", "0")),
    ),
    ("Rausch_2016", ""): (
        *("Stimulus", "Response", "Confidence", {"1": 1, "2": 2}, {"1": 1, "2": 2}),
        _both(_is("Training", "0"), lambda row: float(row["contrast"]) > 0),
    ),
    ("Reyes_2015", ""): (
        "Stimulus",
        "Response",
        "Confidence",
        {"1": 1, "2": 2},
        {"1": 1, "2": 2},
        _is("Training", "0"),
    ),
    ("Siedlecka_2016", ""): (
        *("Stimulus", "Response", "Confidence", {"0": 1, "1": 2}, {"1": 1, "2": 2}),
        _both(_is("Condition", "2"), _is("Block", "1", "2")),
    ),
    ("Xu_2019_Exp2", "narrated order"): (
        *("Stimulus", "Response", "Confidence", {"1": 1, "2": 2}, {"1": 1, "2": 2}, _is("Task", "N")),
    ),
}


def _by_hand(text: str, how) -> dict[str, tuple[float, float]]:
    """d' and AUROC2 of each person of a file."""
    stimulus, response, confidence, sides, answers, used = how
    people: dict[str, list[tuple[int, int, float]]] = {}
    for row in csv.DictReader(io.StringIO(text)):
        shown, said = sides.get(_code(row[stimulus])), answers.get(_code(row[response]))
        try:
            sure = float(row[confidence])
        except ValueError:
            continue
        if shown and said and np.isfinite(sure) and (used is None or used(row)):
            people.setdefault(row["Subj_idx"], []).append((shown, said, sure))
    scale = {sure for rows in people.values() for *_, sure in rows}
    found = {}
    for name, rows in people.items():
        shown, said, sure = (np.array(column) for column in zip(*rows, strict=True))
        if len(scale) > 6:
            sure = np.searchsorted(np.quantile(sure, [0.25, 0.5, 0.75]), sure, side="right")
        hits, alarms = (((said == 2) & (shown == s)).sum() for s in (2, 1))
        n2, n1 = (shown == 2).sum(), (shown == 1).sum()
        d = norm.ppf((hits + 0.5) / (n2 + 1)) - norm.ppf((alarms + 0.5) / (n1 + 1))
        right, wrong = sure[shown == said], sure[shown != said]
        area = (
            mannwhitneyu(right, wrong).statistic / right.size / wrong.size
            if right.size and wrong.size
            else np.nan
        )
        found[name] = float(d), float(area)
    return found


@pytest.fixture(scope="module")
def raw() -> dict[str, str]:
    wanted = {f"data_{name}.csv": name for name, _ in TWELVE}
    with tarfile.open(reading.archive()) as tar:
        found = {one.name.split("/")[-1]: one for one in tar.getmembers()}
        return {
            name: tar.extractfile(found[file]).read().decode("utf-8-sig") for file, name in wanted.items()
        }


@pytest.fixture(scope="module")
def mine() -> pd.DataFrame:
    counts = database.counts()
    twelve = pd.MultiIndex.from_tuples(TWELVE)
    return database.measured(of=counts[pd.MultiIndex.from_frame(counts[["set", "part"]]).isin(twelve)])


@here
@pytest.mark.parametrize("which", TWELVE, ids=lambda one: "-".join(filter(None, one)))
def test_medians_and_quartiles_are_those_of_the_raw_rows(which, raw, mine):
    theirs = np.array(list(_by_hand(raw[which[0]], TWELVE[which]).values()))
    ours = mine[(mine["set"] == which[0]) & (mine["part"] == which[1])]
    assert len(ours) == len(theirs) > 10
    for at, name in enumerate(("d_prime", "auroc2")):
        assert ours[name].isna().sum() == np.isnan(theirs[:, at]).sum()
        wanted = np.nanquantile(theirs[:, at], [0.25, 0.5, 0.75])
        assert ours[name].quantile([0.25, 0.5, 0.75]).to_numpy() == pytest.approx(wanted, abs=1e-9)


@here
def test_the_committed_counts_are_those_of_the_files():
    wanted = [one for one in reading.settings() if (one.set, one.part) in TWELVE]
    made, told = reading.read_all(wanted)
    counts, sets = database.counts(), database.sets().set_index(["set", "part"])
    for (name, task), rows in made.groupby(["set", "part"]):
        mine = counts[(counts["set"] == name) & (counts["part"] == task)].reset_index(drop=True)
        rows = rows.reset_index(drop=True)
        assert rows[["by", "value"]].equals(mine[["by", "value"]].astype(rows.dtypes[["by", "value"]]))
        for side in ("nR_S1", "nR_S2"):
            assert all(np.array_equal(a, b) for a, b in zip(rows[side], mine[side], strict=True))
    for row in told.itertuples():
        assert sets.loc[(row.set, row.part), "trials"] == row.trials


@here
def test_the_archive_is_the_one_that_was_read():
    assert "285 files ready" in STUDY.fetches[reading.NAME]()


def test_another_archive_is_refused_and_none_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    with pytest.raises(MetacogError, match="metacog data fetch confidence_database"):
        list(reading.files())
    place = tmp_path / reading.NAME
    place.mkdir()
    (place / reading.ARCHIVE).write_bytes(b"another")
    with pytest.raises(MetacogError, match="sha256"):
        reading.fetch_and_check()


def test_a_folder_of_files_serves_as_well_as_the_archive(tmp_path, monkeypatch):
    place = tmp_path / reading.NAME
    place.mkdir()
    (place / "data_Good_1.csv").write_bytes(trials().to_csv(index=False).encode())
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(
        reading, "listed", lambda: pd.DataFrame({"file": ["data_Good_1.csv"], "sha256": ["x"]})
    )
    assert [name for name, _ in reading.files()] == ["data_Good_1.csv"]
