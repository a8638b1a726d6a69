"""What a judge of tone hears: the main figure again in plain numpy, and judges whose hearing is known."""

from dataclasses import replace

import numpy as np
import pytest
from few_models import few
from scipy.stats import rankdata
from test_mmlu_second_opinions import area

from metacog.studies.study7_mmlu_pro import tone, tone_shown

JUDGE = "gpt-4.1"


@pytest.fixture(scope="module")
def rows():
    return few()


@pytest.fixture(scope="module")
def found(rows):
    return tone.examine(rows, judge=JUDGE)


def test_main_figure_again_in_plain_numpy(rows, found):
    names, family = list(rows.models["model"]), rows.models["family"].to_numpy()
    heard = rows.signals["hedging"]
    known = (heard >= 0) & (heard <= 1) & (rows.answer >= 0)
    share = np.full(heard.shape, np.nan)
    for row, level, there in zip(share, heard, known, strict=True):
        row[there] = (rankdata(level[there]) - 0.5) / there.sum()
    chance = names.index("Mixtral-8x7B-v0.1")
    for name in ("Qwen3-8B-think", "claude-3-haiku-20240307"):
        own = names.index(name)
        others = (family != family[own]) & (np.arange(len(names)) != chance)
        same = known[others] & (rows.answer[others] == rows.answer[own])
        kept = known[own] & same.any(axis=0)
        right = (rows.answer[own] == rows.key)[kept]
        theirs = np.where(same, share[others], 0)[:, kept].sum(axis=0) / same[:, kept].sum(axis=0)
        row = found.models.set_index("model").loc[name]
        assert row["n"] == kept.sum()
        assert row["own"] == pytest.approx(area(heard[own, kept], right), abs=1e-6)
        assert row["of_others"] == pytest.approx(area(theirs, right), abs=1e-6)


def world(rows, rng, hears):
    """The key or one of two wrong answers; the judge hears how an answer looks, or each reply's own state."""
    n, m = rows.key.size, len(rows.models)
    state = rng.normal(size=n) + rng.normal(size=(m, n))
    which = np.where(state > 0, 0, rng.integers(1, 3, size=(m, n)))
    looks = rng.normal(size=(3, n)) + np.array([[0.7], [0.0], [0.0]])
    score = np.take_along_axis(looks, which, axis=0) if hears == "answer" else state
    heard = 1 / (1 + np.exp(-(score + rng.normal(size=(m, n)) / 2)))
    answer = ((rows.key + which) % 10).astype(np.int8)
    return replace(rows, answer=answer, signals={**rows.signals, "hedging": np.round(heard, 2)})


def test_a_judge_that_hears_the_answer_is_told_from_one_that_hears_the_reply():
    rows = few(items=slice(0, 800))
    rng = np.random.default_rng(9)
    state = [tone.examine(world(rows, rng, "state"), judge=JUDGE) for _ in range(15)]
    assert sum(one.verdicts[0].passed is True for one in state) <= 1
    assert np.mean([one.n_same_wrong / one.n_models for one in state]) < 0.1
    answer = tone.examine(world(rows, rng, "answer"), judge=JUDGE)
    assert answer.verdicts[0].passed is True


def test_sentences_follow_the_counts(found):
    assert f"in {found.n_same_wrong} of {found.n_models} models" in tone_shown.answer(found)
    assert "not shown of any" in tone_shown.answer(replace(found, n_same_wrong=0))
    assert f"for {found.n_matched} of {found.n_models} models" in tone_shown.reputation(found)
    low = replace(found, follows=0.1, follows_lower=0.05, follows_upper=0.2)
    assert tone_shown.judge(low).startswith("The judge follows its own answers more")
    assert (found.peers["judge"] == "yes").sum() == 1
