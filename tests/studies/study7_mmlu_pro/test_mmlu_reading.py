"""What is in the rows of 83 models: counts that pandas gives as well, and simulated zeros."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from few_models import but

from metacog.core.paths import project_root
from metacog.studies.study7_mmlu_pro import reading, rows


@pytest.fixture(scope="module")
def found():
    return reading.reading(None)


def test_counts_are_those_of_the_table(found):
    table = pd.read_parquet(project_root() / rows.TABLE)
    by = table.groupby("model", observed=True)
    runs = found.runs.set_index("model")
    names = list(runs.index)
    np.testing.assert_allclose(runs["no_tone"], by[rows.TONE].apply(lambda s: s.isna().mean())[names])
    np.testing.assert_allclose(runs["no_answer"], by["answer"].apply(lambda s: s.isna().mean())[names])
    assert found.n_tone_outside == ((table[rows.TONE] > 1) | (table[rows.TONE] < 0)).sum()
    assert found.n_without_tokens == by[rows.TOKENS].apply(lambda s: s.isna().all()).sum()
    kinds = ["answer", *rows.SIGNALS]
    lacks = table[kinds].isna().groupby(table["model"], observed=True).mean().max(axis=1) > 1 / 20
    assert set(found.lacking["model"]) == set(lacks.index[lacks]) and len(found.lacking) == 38


def made(right, stated, tone):
    """Two models on many items; the second lacks nothing."""
    n = right.size
    answer = np.where([right, np.arange(n) % 2 == 0], 0, 1).astype(np.int8)
    models = pd.DataFrame({"model": ["zeros", "plain"], "family": ["A", "B"], "weights": ["zeros", "plain"]})
    signals = {
        rows.STATED: np.array([stated, np.full(n, 0.7)]),
        rows.TONE: np.array([tone, np.full(n, 0.7)]),
        rows.TOKENS: np.full((2, n), np.nan),
    }
    items = pd.DataFrame({"item": np.arange(n), "category": "law", "key": "A"})
    return rows.Rows(models, items, answer, np.zeros(n, np.int8), signals, np.ones((2, n), np.int32))


def test_zeros_put_in_by_a_program_are_told_from_zeros_that_were_stated():
    rng = np.random.default_rng(3)
    right = rng.random(4000) < 0.6
    put_in = np.where(rng.random(4000) < 0.2, 0.0, 0.9)
    stated = np.where(rng.random(4000) < np.where(right, 0.05, 0.35), 0.0, 0.9)
    table = reading.reading(None, rows=made(right, put_in, np.full(4000, 0.8))).zeros
    assert not table["told"].iloc[0] and table["sounds_sure"].iloc[0]
    table = reading.reading(None, rows=made(right, stated, np.where(stated == 0, 0.1, 0.8))).zeros
    assert table["told"].iloc[0] and not table["sounds_sure"].iloc[0]


def test_a_run_at_chance_is_named():
    rng = np.random.default_rng(4)
    items = rng.integers(0, 10, 3000).astype(np.int8)
    base = made(np.ones(3000, bool), np.full(3000, 0.5), np.full(3000, 0.5))
    answer = np.array([rng.integers(0, 10, 3000), items]).astype(np.int8)
    found = reading.reading(None, rows=replace(base, answer=answer, key=items))
    assert list(found.runs.loc[found.runs["at_chance"], "model"]) == ["zeros"]
    right = found.runs.set_index("model")["accuracy"]["zeros"]
    told = reading.numbers(found)
    assert told["at_chance"] == "zeros" and told["at_chance_right"] == 100 * right
    assert told["one_letter"] == 100 * found.constant_share != 100 * right


def test_numbers_follow_the_table(found):
    told = reading.numbers(found)
    assert told["n_lacking"] == len(found.lacking) and told["lacking_thinking"] == 1
    assert (told["n_zeros"], told["n_zeros_told"]) == (len(found.zeros), found.zeros["told"].sum())
    quiet = found.zeros.assign(sounds_sure=False)
    assert told["zeros_sure"] != "none" == reading.numbers(but(found, zeros=quiet))["zeros_sure"]
