"""What a stranger might hand in to do harm, through the commands. Oracle: what is said, and no traceback.

None of these inputs is among those that benchmarks/fuzz.py starts from.
"""

from __future__ import annotations

import decimal
import gzip
import os
import re
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import main
from metacog.core.paths import project_root

NAMES = ("--correct", "right", "--confidence", "sure", "--model", "model", "--question-id", "question")
MEASURED = r"AUROC2"


def trials(**other) -> pd.DataFrame:
    """Sixty answers of one model, some columns replaced."""
    rng = np.random.default_rng(1)
    own = {
        "model": "m",
        "question": [f"q{i}" for i in range(60)],
        "right": rng.integers(0, 2, 60),
        "sure": rng.random(60).round(2),
    }
    return pd.DataFrame(own | other)


def csv(table: pd.DataFrame, **options):
    """Writes a table as CSV."""
    return lambda path: table.to_csv(path, index=False, **options)


def parquet(table: pd.DataFrame):
    """Writes a table as parquet."""
    return lambda path: table.to_parquet(path)


def text(content: str | bytes):
    """Writes a text or bytes."""
    raw = content if isinstance(content, bytes) else content.encode()
    return lambda path: path.write_bytes(raw)


def changed(old: str, new: str):
    """CSV of the usual table with one text in the place of another."""
    return text(trials().to_csv(index=False).replace(old, new))


def bomb(path: Path) -> None:
    """A hundred megabytes of one line, packed."""
    with gzip.open(path, "wb", 9) as handle:
        for _ in range(100):
            handle.write(b"0" * 1_000_000)


def workbook(path: Path) -> None:
    """A workbook with nothing in it."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<x/>")


TABLES = [
    ("u16.csv", csv(trials(), encoding="utf-16"), MEASURED),
    ("nul.csv", changed("q7", "q\0007"), MEASURED),
    ("twice.csv", csv(pd.concat([trials(), 1 - trials()[["right"]]], axis=1)), "the column 'right' twice"),
    ("again.csv", csv(pd.concat([trials(), trials()[["right"]]], axis=1)), MEASURED),
    ("commas.csv", csv(trials(), sep=";", decimal=","), MEASURED),
    ("percent.csv", csv(trials(sure=[f"{i}%" for i in range(60)])), MEASURED),
    ("space.csv", changed("sure", "sure\u00a0"), MEASURED),
    ("folder.csv", Path.mkdir, "is a folder without logs"),
    ("pipe.csv", os.mkfifo, "there is no file at"),
    ("loop.csv", lambda path: path.symlink_to(path), "there is no file at"),
    ("device.csv", lambda path: path.symlink_to("/dev/zero"), "there is no file at"),
    ("words.csv", csv(trials(right=["yes", "No"] * 30)), MEASURED),
    ("quote.csv", changed("q30", '"q30'), "cannot be read as csv: .*EOF inside string"),
    ("lines.csv", csv(trials(model="a\n<b>")), r"a\\x0a<b>"),
    ("screen.csv", csv(trials(model="\x1b[2Jm")), r"\\x1b\[2Jm"),
    ("formula.csv", csv(trials(model="=HYPERLINK(1)")), MEASURED),
    ("long.csv", csv(trials(model="m" * 20_000)), MEASURED),
    ("forms.csv", csv(trials(model=["caf\u00e9", "cafe\u0301"] * 30)), "two spellings"),
    ("infinite.csv", csv(trials(sure=[np.inf, 0.5, np.inf] * 20)), "confidence is missing, infinite"),
    ("complex.csv", csv(trials(sure="1+2j")), "hold no number, but '1.2j'"),
    ("graded.csv", csv(trials(right=2)), "say from which score on"),
    ("almost.csv", csv(trials(right=0.99999999)), "say from which score on"),
    ("digits.csv", csv(trials(sure="9" * 5000)), "holds no finite number"),
    ("digits.jsonl", text('{"right": 1, "sure": ' + "9" * 5000 + "}"), r"line 1: not valid JSON \(Exceeds"),
    ("deep.jsonl", text('{"right": 1, "sure": ' + "[" * 50_000 + "]" * 50_000 + "}"), "nested too deeply"),
    ("lists.parquet", parquet(trials(sure=[[0.5]] * 60)), "confidence is 0.5 in all"),
    ("decimals.parquet", parquet(trials(sure=[decimal.Decimal(i) / 60 for i in range(60)])), MEASURED),
    ("days.parquet", parquet(trials(question=pd.date_range("2020", periods=60))), MEASURED),
    (
        "sure.parquet",
        parquet(trials(sure=pd.date_range("2020", periods=60))),
        "hold no number, but '2020-01-01",
    ),
    ("random.parquet", text(b"PAR1" + bytes(range(256)) + b"PAR1"), "cannot be read as parquet"),
    ("bomb.csv.gz", bomb, r"cannot tell what a \.gz file is"),
    ("book.xlsx", workbook, "save the sheet as CSV"),
    ("empty.csv", text(""), "is empty"),
]


def said(*words: object) -> str:
    """What a command prints; it ends by itself, without a traceback."""
    found = CliRunner().invoke(main, [str(word) for word in words])
    assert found.exception is None or isinstance(found.exception, SystemExit), found.exception
    return found.output


@pytest.mark.parametrize(("name", "make", "words"), TABLES, ids=[name for name, *_ in TABLES])
def test_a_table_is_measured_or_refused_with_the_reason(name, make, words, tmp_path):
    make(tmp_path / name)
    printed = said("import-trials", tmp_path / name, *NAMES, "--out", tmp_path / "out", "--no-report")
    assert re.search(words, printed, re.M), printed
    assert (words == MEASURED or "\\x" in words or "spellings" in words) == (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("name: smoke", "name: ../../x", "name: '../../x' does not match"),
        ("name: smoke", "name: smoke\nmodels: [gemma3-270m]", "'models' stands twice"),
        ("max_tokens: 24", "max_tokens: true", "max_tokens: True is not of type 'integer'"),
        ("temperatures: [0.7, 1.0]", "temperatures: [0.7, -1]", "-1 is less than the minimum"),
        ("name: smoke", "name: [" + "[" * 60 + "]" * 60 + "]", "at most 50 levels"),
    ],
)
def test_a_profile_is_refused_with_the_reason(old, new, words, tmp_path):
    text = (project_root() / "config" / "profiles" / "smoke.yaml").read_text()
    path = tmp_path / "p.yaml"
    path.write_text(text.replace(old, new, 1))
    assert words in said("collect", "--profile", path, "--study", "study1_qa", "--runs", tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.gguf", b"", "is not a GGUF model file"),
        (
            "promises.gguf",
            b"GGUF" + (3).to_bytes(4, "little") + (2**62).to_bytes(8, "little") * 2,
            "is damaged",
        ),
    ],
)
def test_a_model_file_is_refused_with_the_reason(name, content, words, tmp_path):
    (tmp_path / name).write_bytes(content)
    given = ("--model", tmp_path / name, "--profile", "smoke", "--study", "study1_qa")
    assert words in said("collect", *given, "--runs", tmp_path / "runs")
