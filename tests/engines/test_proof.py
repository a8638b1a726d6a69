"""The judge of a build. Oracle: the records themselves, shifted, shuffled, spoiled; and a model's tokens."""

import json
import math
import random

import numpy as np
import proof_record
import pytest

from metacog.collect.models import get_model, load_models, locate
from metacog.collect.proving import records_folder
from metacog.core.errors import MetacogError
from metacog.engines.llama import proof
from metacog.engines.llama.lowlevel import Model

MODELS = ("smollm2-135m", "gemma3-270m")
N_VOCAB = 49152


def record(name):
    return proof.read_record(records_folder() / f"{name}.json")


def judged(texts, values):
    return proof.judge(texts, [values], N_VOCAB)


@pytest.mark.parametrize("name", MODELS)
def test_the_recorded_values_are_right_and_sound_kernels_noise_is(name):
    texts = record(name)
    assert judged(texts, [t.logprobs for t in texts]).mean_difference == 0
    noise = np.random.default_rng(0)
    for _ in range(20):
        other = [[min(0.0, x + noise.normal(0, 0.12)) for x in t.logprobs] for t in texts]
        assert judged(texts, other).right, "0.1 to 0.2 a log-probability is what kernels differ by"


@pytest.mark.parametrize("name", MODELS)
def test_what_is_wrong_fails_by_far(name):
    texts = record(name)
    flat = [x for t in texts for x in t.logprobs]
    again = list(flat)
    random.Random(0).shuffle(again)
    uniform = [-math.log(N_VOCAB)] * len(flat)
    for what, values in (
        ("one place late", [0.0, *flat[:-1]]),
        ("one place early", [*flat[1:], 0.0]),
        ("in another order", again),
        ("garbage", uniform),
    ):
        cut = iter(values)
        verdict = judged(texts, [[next(cut) for _ in t.logprobs] for t in texts])
        assert not verdict.right and "allowed" in verdict.why, what
        assert verdict.mean_difference > 5 * proof.MEAN_TOLERANCE, what


def test_one_wild_token_is_enough():
    texts = record("smollm2-135m")
    values = [list(t.logprobs) for t in texts]
    values[2][3] -= 1.5
    assert not judged(texts, values).right
    values[2][3] = math.nan
    assert judged(texts, values).why == "log-probabilities are not finite"
    values[2][3] = 0.4
    assert not judged(texts, values).right, "no probability is above 1"


def test_either_way_through_the_kernels_must_be_right():
    texts = record("smollm2-135m")
    good = [list(t.logprobs) for t in texts]
    bad = [[x - 0.5 for x in t.logprobs] for t in texts]
    assert not proof.judge(texts, [good, bad], N_VOCAB).right
    assert not proof.judge(texts, [bad, good], N_VOCAB).right


def test_without_a_record_plain_english_must_beat_chance():
    texts = [proof.Text("a", "b", (1,), (2, 3))]
    assert judged(texts, [[-3.0, -2.0]]).right
    assert "no likelier" in judged(texts, [[-11.0, -12.0]]).why


@pytest.mark.parametrize("name", MODELS)
def test_records_hold_the_models_own_tokens_of_the_texts(name):
    raw = json.loads((records_folder() / f"{name}.json").read_text())
    path, sha256 = locate(get_model(name))
    assert raw["sha256"] == sha256 == load_models()[name].sha256
    model = Model(path)
    try:
        texts = proof.texts_for(model)
    finally:
        model.close()
    kept = record(name)
    assert [(t.prompt, t.continuation) for t in kept] == list(proof.TEXTS)
    assert [t.all_tokens for t in kept] == [t.all_tokens for t in texts]
    assert all(len(t.logprobs) == len(t.tokens) for t in kept)
    mean = float(np.mean([x for t in kept for x in t.logprobs]))
    assert raw["mean_logprob"] == pytest.approx(mean, abs=1e-3)


def test_a_damaged_record_is_a_short_error(tmp_path):
    path = tmp_path / "x.json"
    for text in ("", "[]", '{"texts": [{}]}'):
        path.write_text(text)
        with pytest.raises(MetacogError, match="no record of log-probabilities"):
            proof.read_record(path)


def test_the_program_exits_2_for_what_is_no_model(tmp_path, capsys):
    (tmp_path / "x.gguf").write_text("text")
    assert proof.main([str(tmp_path / "x.gguf")]) == 2
    assert "not a GGUF" in json.loads(capsys.readouterr().out)["error"]


def test_a_record_can_be_written_and_read(tmp_path, capsys):
    path, _ = locate(get_model("smollm2-135m"))
    target = tmp_path / "new.json"
    proof_record.write_record(path, target, "here")
    assert proof.main([str(path), "--record", str(target)]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["right"] and verdict["mean_difference"] < proof.MEAN_TOLERANCE
