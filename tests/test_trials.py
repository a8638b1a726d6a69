"""The trial table's door: what is let in, what is refused and with which words."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.trials import read_trials, validate, write_parquet


@pytest.fixture
def trials():
    n = 6
    return pd.DataFrame(
        {
            "study": "cacioli",
            "model": "m",
            "dataset": "bank",
            "question_id": [f"q{i}" for i in range(n)],
            "question_index": np.arange(n),
            "domain": "Geography",
            "temperature": 1.0,
            "seed": np.arange(n) * 1000,
            "prompt_id": "p",
            "text": "Paris",
            "answer": "Paris",
            "n_tokens": 1,
            "sum_logprob": -0.5,
            "nlp": [-0.5] * (n - 1) + [np.nan],
            "confidence": 0.6,
            "correct": True,
            "match": "exact",
            "similarity": 1.0,
            "matched_alias": "Paris",
            "refusal": False,
            "truncated": False,
            "ran_on": "",
        }
    )


def test_a_good_table_passes_and_comes_back_from_disk(trials, tmp_path):
    assert validate(trials) is trials
    write_parquet(trials, tmp_path / "deep" / "t.parquet", {"metacog": "{}"})
    pd.testing.assert_frame_equal(read_trials(tmp_path / "deep" / "t.parquet"), trials)
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["t.parquet"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t.drop(columns=["nlp", "seed"]), "lacks the columns seed, nlp"),
        (lambda t: t.assign(nlp=0.5), "nlp"),
        (lambda t: t.assign(confidence=1.2), "confidence"),
        (lambda t: t.assign(correct=1), "correct"),
        (lambda t: t.assign(match="maybe"), "match"),
        (lambda t: t.assign(temperature=np.inf), "temperature"),
        (lambda t: t.assign(sum_logprob=-np.inf), "sum_logprob"),
        (lambda t: pd.concat([t, t.iloc[:2]]), "2 trials are repeated"),
    ],
)
def test_bad_tables_are_refused_by_name(trials, change, words):
    with pytest.raises(MetacogError, match=words):
        validate(change(trials))


def test_unreadable_files(tmp_path):
    with pytest.raises(MetacogError, match="no trial table at"):
        read_trials(tmp_path / "none.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and then nothing")
    with pytest.raises(MetacogError, match="not a readable parquet"):
        read_trials(tmp_path / "bad.parquet")
    with pytest.raises(MetacogError, match="no trial table was named"):
        read_trials([])
