"""Columns are found or guessed, files of each kind are read. Oracle: hand-made files."""

from __future__ import annotations

import json

import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.mapping import Columns, find_column, guesses, resolve, unmapped_models
from metacog.imports.tables import read_table

TABLE = pd.DataFrame({"is_correct": [1, 0], "Conf.": [0.5, 0.6], "llm": ["a", "b"], "qid": [1, 2]})


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet", ".jsonl", ".json"])
def test_every_kind_of_file_reads_alike(tmp_path, suffix):
    path = tmp_path / f"trials{suffix}"
    {
        ".csv": lambda: TABLE.to_csv(path, index=False),
        ".tsv": lambda: TABLE.to_csv(path, index=False, sep="\t"),
        ".parquet": lambda: TABLE.to_parquet(path),
        ".jsonl": lambda: TABLE.to_json(path, orient="records", lines=True),
        ".json": lambda: path.write_text(json.dumps(TABLE.to_dict("records"))),
    }[suffix]()
    pd.testing.assert_frame_equal(read_table(path), TABLE, check_dtype=False)


def test_semicolons_are_seen(tmp_path):
    path = tmp_path / "trials.csv"
    TABLE.to_csv(path, index=False, sep=";")
    assert list(read_table(path).columns) == list(TABLE.columns)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("no.csv", None, "there is no file"),
        ("empty.csv", "", "is empty"),
        ("rows.csv", "a,b\n", "holds no rows"),
        ("twice.csv", "a,a.1,b\n1,2,3\n", None),
        ("odd.xlsx", "x", "save the sheet as CSV"),
        ("bad.jsonl", '{"a": 1}\n{oops\n', "line 2"),
        ("list.jsonl", "[1, 2]\n", "stands where an object should"),
        ("object.json", '{"a": 1}', "no list of records"),
        ("bad.parquet", "not parquet", "cannot be read as parquet"),
    ],
)
def test_bad_files_are_named(tmp_path, name, content, words):
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    if words is None:
        assert len(read_table(path)) == 1
        return
    with pytest.raises(MetacogError, match=words):
        read_table(path)


def test_missing_column_offers_guesses():
    assert guesses("correct", list(TABLE.columns), "is_corect") == ["is_correct"]
    with pytest.raises(MetacogError, match=r"Did you mean --correct is_correct\?"):
        find_column(TABLE, "correct", None)
    with pytest.raises(MetacogError, match=r"no column 'confidence'.*--confidence Conf\."):
        find_column(TABLE, "confidence", "confidence")
    with pytest.raises(MetacogError, match=r"The file has: is_correct, Conf\., llm, qid"):
        find_column(TABLE, "domain", "field")


def test_one_column_cannot_have_two_roles():
    with pytest.raises(MetacogError, match="given twice"):
        resolve(TABLE, Columns(correct="is_correct", confidence="is_correct"), ("correct", "confidence"))


def test_unmapped_model_column_is_noticed():
    assert unmapped_models(TABLE, Columns()) == ("llm", 2)
    assert unmapped_models(TABLE, Columns(model="llm")) is None
    assert unmapped_models(TABLE.assign(llm="a"), Columns()) is None


def test_a_cell_longer_than_the_csv_module_takes_is_read(tmp_path):
    path = tmp_path / "long.csv"
    pd.DataFrame({"right": [1, 0], "sure": [0.5, 0.25], "asked": ["x" * 200_000, "y"]}).to_csv(
        path, index=False
    )
    assert read_table(path)["asked"].str.len().tolist() == [200_000, 1]
