"""Reading and assessing judgements. Oracles: tables by hand, and the estimators, which have their own."""

import json

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import _Group
from metacog.commands.raters import command
from metacog.core.errors import MetacogError
from metacog.imports.raters import SURE, RaterColumns, RaterOptions, assess, read_ratings, standing
from metacog.raters.precision import simulate_raters
from metacog.raters.reliability import cronbach_alpha, krippendorff_alpha, pairwise_agreement
from metacog.sdt import InputError
from metacog.sdt.intervals import Interval

group = _Group("metacog", commands={"raters": command})
OPTIONS = RaterOptions({"agreement": 0.9, "alpha": 0.25}, n_resamples=200)
WIDE = "item,Ann,Bob,Cy\nq1,yes,Yes ,no\nq2,no,no,\nq3,yes,NA,yes\n"
LONG = (
    "rater,item,judgement\nAnn,q1,yes\nAnn,q2,no\nAnn,q3,yes\nBob,q1,Yes\nBob,q2,no\nBob,q3,\n"
    "Cy,q1,no\nCy,q2,n/a\nCy,q3,yes\n"
)


def written(folder, text, name="judged.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def run(*words):
    return CliRunner().invoke(group, ["raters", *(str(w) for w in words)])


def read(folder, text, **columns):
    return read_ratings([written(folder, text)], RaterColumns(**columns))


def test_both_forms_are_one_table(tmp_path):
    wide, long = read(tmp_path, WIDE), read(tmp_path, LONG)
    by_hand = [["yes", "yes", "no"], ["no", "no", None], ["yes", None, "yes"]]
    for found, form in ((wide, "wide"), (long, "long")):
        assert found.form == form and len(found.notes) == 1
        assert list(found.table.columns) == ["Ann", "Bob", "Cy"] and list(found.table.index) == [
            "q1",
            "q2",
            "q3",
        ]
        assert found.table.to_numpy().tolist() == by_hand


def test_several_long_files_are_read_as_one(tmp_path):
    rows = LONG.splitlines(keepends=True)
    files = [
        written(tmp_path, rows[0] + "".join(r for r in rows if r.startswith(who)), f"{who}.csv")
        for who in ("Ann", "Bob", "Cy")
    ]
    assert read_ratings(files).table.equals(read(tmp_path, LONG).table)
    written(tmp_path, WIDE, "Bob.csv")
    with pytest.raises(MetacogError, match="other columns than"):
        read_ratings(files)


def test_numbers_stay_numbers(tmp_path):
    numbers = read(tmp_path, "id,a,b\n1,1,2.0\n2,,3\n").table
    assert numbers.to_numpy().tolist() == [[1.0, 2.0], [None, 3.0]]


@pytest.mark.parametrize("word", ["None", "null", "NA", "nan", "-", "n/a", "[]", "#N/A"])
def test_words_for_no_judgement_are_missing_and_never_a_label(tmp_path, word):
    found = read(tmp_path, f"id,a,b\n1,yes,{word}\n2,{word},no\n3,yes,yes\n")
    assert found.table.to_numpy().tolist() == [["yes", None], [None, "no"], ["yes", "yes"]]
    said = word in ("None", "null", "-")  # these might be labels
    assert any("taken for missing" in note for note in found.notes) == said
    numbers = read(tmp_path, f"id,a,b\n1,1,{word}\n2,2,2\n").table
    assert numbers.to_numpy().tolist() == [[1.0, None], [2.0, 2.0]]


def test_a_minus_beside_a_plus_is_a_label(tmp_path):
    assert read(tmp_path, "id,a,b\n1,+,-\n2,-,+\n").table.to_numpy().tolist() == [["+", "-"], ["-", "+"]]


def test_columns_can_be_named_and_parts_are_judged_alone(tmp_path):
    table = simulate_raters(40, 4, 0.5, (0.4, 0.6), seed=1)[0]
    long = [
        {"who": f"r{j}", "what": f"q{i}", "said": table[i, j], "subject": "odd" if i % 2 else "even"}
        for i in range(40)
        for j in range(4)
    ]
    path = tmp_path / "x.csv"
    pd.DataFrame(long).to_csv(path, index=False)
    ratings = read_ratings([path], RaterColumns("who", "what", "said", "subject"))
    rows = assess(ratings, OPTIONS).reliability.set_index("part")
    for part, items in (("all", table), ("even", table[::2]), ("odd", table[1::2])):
        row = rows.loc[part]
        assert row["alpha"] == pytest.approx(krippendorff_alpha(items))
        assert row["agreement"] == pytest.approx(pairwise_agreement(items))
        assert row["cronbach"] == pytest.approx(cronbach_alpha(items))
        assert row["alpha_lower"] < row["alpha"] < row["alpha_upper"]
        assert row["n_items"] == len(items)


def test_a_part_without_values_says_why_and_the_whole_has_one(tmp_path):
    text = "item,task,Ann,Bob\n1,A,1,1\n2,A,0,0\n3,A,0,1\n4,B,1,\n"
    found = assess(read(tmp_path, text, by="task"), OPTIONS).reliability
    assert found["part"].tolist() == ["all", "A", "B"]
    assert "one rater" in found["problem"].iloc[2] and found["alpha"].notna().tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("text", "columns", "reported"),
    [
        ("", {}, "is empty"),
        ("rater,item,judgement\n", {}, "holds no rows"),
        ("rater,item\nAnn,q1\n", {}, "--judgement is needed"),
        ("rater,thing,judgement\nAnn,q1,1\n", {}, "--item is needed"),
        (LONG, {"judgement": "verdikt"}, "no column 'verdikt' for --judgement"),
        (LONG, {"rater": "coder"}, "no column 'coder' for --rater"),
        (WIDE, {"judgement": "Ann"}, "name --rater too"),
        (WIDE, {"by": "task"}, "no column 'task' for --by"),
        (WIDE, {"ignore": ("notes",)}, "no column 'notes' to ignore"),
        (LONG, {"judgement": "item"}, "three columns"),
        (LONG + "Ann,q1,no\n", {}, "'Ann' judged item 'q1' more than once"),
        (LONG + ",q1,no\n", {}, "names no rater in 1 of 10 rows (first in row 10"),
        (LONG + "Ann,NaN,no\n", {}, "names no item in 1 of 10 rows"),
        (WIDE + "q1,yes,no,no\n", {}, "'q1' stands in more than one row"),
        (WIDE + ",yes,no,no\n", {}, "names no item in 1 of 4 rows"),
        ("item,Ann,Bob\n1,1,yes\n2,0,no\n", {}, "mix numbers (1, 0) and words (yes, no)"),
        ("rater,item,judgement,task\nAnn,q1,1,A\nBob,q1,1,B\n", {"by": "task"}, "'q1' belongs to A and B"),
    ],
)
def test_files_that_cannot_be_read_are_short_errors(tmp_path, text, columns, reported):
    with pytest.raises(MetacogError) as error:
        read(tmp_path, text, **columns)
    assert reported in str(error.value) and len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("item,Ann\nq1,1\nq2,0\n", "one rater only"),
        ("item,Ann,Bob\nq1,,\nq2,NaN,NA\n", "no judgement"),
        ("item,Ann,Bob\nq1,1,\nq2,,0\n", "no item was judged by two raters"),
        ("item,Ann,Bob\nq1,1,inf\n", "infinite"),
    ],
)
def test_tables_without_a_value_are_short_errors(tmp_path, text, reported):
    with pytest.raises(InputError, match=reported):
        assess(read(tmp_path, text), OPTIONS)
    done = run(written(tmp_path, text), "--out", tmp_path / "out")
    assert done.exit_code == 2 and reported in done.output and "Traceback" not in done.output
    assert not (tmp_path / "out").exists()


def test_a_bar_is_met_or_missed_by_the_whole_interval():
    def interval(value, lower, upper):
        return Interval(value, lower, upper, 0.95, 0.1, "bca", 100, 0, "", np.empty(0))

    nothing = float("nan")
    cases = [
        ((0.9, 0.85, 0.95), 0.8, "met"),
        ((0.9, 0.85, 0.95), 0.96, "missed"),
        ((0.9, 0.8, 0.95), 0.9, "open"),
        ((1.0, 1.0, 1.0), 0.9, "open"),
        ((nothing, nothing, nothing), 0.9, "undefined"),
        ((0.5, nothing, nothing), 0.9, "open"),
    ]
    for values, bar, wanted in cases:
        assert standing(interval(*values), bar) == wanted, values


def test_the_command_prints_and_writes(tmp_path):
    table = simulate_raters(60, 5, 0.1, (0.5, 0.5), seed=5)[0]
    path = tmp_path / "panel.csv"
    pd.DataFrame(table, columns=list("abcde")).rename_axis("item").to_csv(path)
    done = run(path, "--out", tmp_path / "out", "--n-resamples", 200, "--alpha-bar", 0.9)
    assert done.exit_code == 0, done.output
    alpha = krippendorff_alpha(table)
    assert f"Krippendorff's alpha {alpha:.3f} (" in done.output
    assert "of 0.90" in done.output
    row = pd.read_csv(tmp_path / "out" / "reliability.csv").iloc[0]
    assert row["alpha"] == pytest.approx(alpha) and row["alpha_standing"] == "missed"
    assert len(pd.read_csv(tmp_path / "out" / "pairs.csv")) == 10
    facts = json.loads((tmp_path / "out" / "raters.json").read_text())
    assert facts["form"] == "wide" and facts["options"]["bars"] == {"agreement": 0.9, "alpha": 0.9}


def test_raters_who_agree_throughout_get_a_line_not_an_error(tmp_path):
    done = run(written(tmp_path, "item,Ann,Bob\n1,yes,yes\n2,yes,yes\n"), "--out", tmp_path / "out")
    assert done.exit_code == 0, done.output
    assert "agreement 1.000" in done.output and SURE["open"] in done.output
    assert "alpha: undefined" in done.output


def test_a_missing_file_is_a_short_error(tmp_path):
    assert "none.csv" in run(tmp_path / "none.csv").output


@pytest.mark.parametrize(("share", "few"), [(0.5, False), (0.1, True)])
def test_few_judgements_of_the_rarer_kind_are_reported(tmp_path, share, few):
    table = simulate_raters(60, 4, 0.5, (1 - share, share), seed=3)[0]
    path = tmp_path / "panel.csv"
    pd.DataFrame(table).rename_axis("item").to_csv(path)
    done = run(path, "--out", tmp_path / "out", "--n-resamples", 100)
    assert ("too narrow" in done.output) is few
    row = pd.read_csv(tmp_path / "out" / "reliability.csv").iloc[0]
    assert row["rarer"] == pytest.approx(60 * min(table.mean(), 1 - table.mean()))
