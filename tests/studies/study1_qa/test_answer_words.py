"""Rarity of answers' words: the committed table, and how words are looked for in it."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study1_qa import word_rarity
from metacog.studies.study1_qa.word_rarity import TABLE, WordTable, word_table, words_of

SMALL = WordTable({"the": 7.7, "cafe": 4.3, "king": 5.0, "don't": 6.1, "0000": 5.1, "7": 5.5}, 2.5)


def test_words_are_runs_of_letters_and_numbers() -> None:
    words = ["The", "Queen's", "2", "dogs", "1", "969", "Côte", "d'Or"]
    assert words_of("The Queen's 2 dogs, 1,969 & Côte-d'Or!") == words
    assert words_of("...") == []
    assert words_of("e\N{COMBINING ACUTE ACCENT}tude_x") == ["étude", "x"]


def test_words_are_looked_for_in_several_forms() -> None:
    known = {
        "THE": 7.7,
        "café": 4.3,
        "King's": 5.0,
        "don’t": 6.1,
        "1969": 5.1,
        "7": 5.5,
        "42": None,
        "Zanzibar": None,
    }
    assert {word: SMALL.of(word) for word in known} == known


def test_an_answer_is_as_rare_as_its_rarest_word() -> None:
    answers = ["The king", "the Zanzibar", "", "1969", "the"]
    np.testing.assert_array_equal(SMALL.rarest(answers), [5.0, 2.5, 2.5, 5.1, 7.7])


def test_the_committed_table_is_what_its_readme_says() -> None:
    table = word_table()
    path = project_root() / TABLE
    readme = (path.parent / "README.md").read_text(encoding="utf-8")
    assert path.stat().st_size < 400_000
    assert f"{len(table.zipf):,} words" in readme and f"{table.floor:g}" in readme
    assert "wordfreq" in readme and "3.1.1" in readme and "BY-SA 4.0" in readme
    assert "benchmarks/word_frequencies.py" in readme
    assert table.of("the") > 7 > table.of("water") > table.of("Paris") > table.of("Shakespeare") > table.floor
    assert all(word == word.casefold() and " " not in word for word in table.zipf)
    assert set(table.zipf.values()) == {round(z, 1) for z in table.zipf.values()}


def test_a_damaged_table_is_said_to_be(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(word_rarity, "project_root", lambda: tmp_path)
    word_table.cache_clear()
    with pytest.raises(MetacogError, match="restore it"):
        word_table()
    (tmp_path / "data" / "words").mkdir(parents=True)
    for content in (b"no gzip", gzip.compress(b"x the"), gzip.compress(b"")):
        (tmp_path / TABLE).write_bytes(content)
        with pytest.raises(MetacogError, match="restore it"):
            word_table()
    word_table.cache_clear()
