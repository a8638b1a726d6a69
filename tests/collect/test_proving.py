"""What becomes of a proof. Oracle: processes that end in known ways, and a real model."""

import random
import shutil
import sys
from pathlib import Path

import pytest

from metacog.collect import proving
from metacog.collect.models import get_model, locate
from metacog.collect.proving import prove_file, prove_model, recorded_models, require
from metacog.core.errors import MetacogError

FILE = Path("some.gguf")


def python(code):
    return [sys.executable, "-c", code]


def tried(code):
    return prove_file(FILE, command=python(code))


def test_a_process_that_dies_is_told_with_its_signal():
    proof = tried("import os, signal; os.kill(os.getpid(), signal.SIGILL)")
    assert (proof.outcome, proof.signal, proof.right) == ("died", "SIGILL", False)
    with pytest.raises(MetacogError, match="some.gguf died with SIGILL while it decoded"):
        require(proof)


def test_wrong_numbers_and_a_bad_file_are_told_apart():
    verdict = '{"right": false, "why": "differ by 2.10", "n_tokens": 31, "mean_difference": 2.1, '
    verdict += '"largest_difference": 9.0, "mean_logprob": -4.0, "seconds": 1.0}'
    wrong = tried(f"import sys; print({verdict!r}); sys.exit(1)")
    assert (wrong.outcome, wrong.why, wrong.mean_difference) == ("wrong", "differ by 2.10", 2.1)
    unfit = tried("""import sys; print('{"error": "it is no model"}'); sys.exit(2)""")
    assert (unfit.outcome, unfit.why) == ("unfit", "it is no model")
    with pytest.raises(MetacogError, match="^it is no model$"):
        require(unfit)


def test_a_library_that_does_not_load_is_told_in_its_own_words():
    proof = tried("raise OSError('libggml.so: undefined symbol')")
    assert proof.outcome == "failed" and "undefined symbol" in proof.why


def test_a_process_that_hangs_is_given_up(monkeypatch):
    monkeypatch.setattr(proving, "PATIENCE", 0.3)
    proof = tried("import time; time.sleep(60)")
    assert proof.outcome == "stuck"
    with pytest.raises(MetacogError, match="within 0 seconds: end what keeps the processor busy"):
        require(proof)


def test_a_missing_program_is_no_traceback():
    assert prove_file(FILE, command=["/nowhere/at/all"]).outcome == "failed"


def test_every_embedded_model_is_right_here_and_has_its_record():
    assert set(recorded_models()) - {"qwen2.5-coder-1.5b"} == {"gemma3-270m", "smollm2-135m"}
    proof = prove_model("smollm2-135m")
    assert proof.right, proof
    assert proof.n_tokens > 25 and proof.largest_difference > 0


def test_a_model_that_is_to_be_fetched_is_not_proved(monkeypatch, tmp_path):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path))
    assert (proving.records_folder() / "qwen2.5-coder-1.5b.json").is_file()
    assert "qwen2.5-coder-1.5b" not in recorded_models()


def test_another_models_file_is_not_held_against_a_record(tmp_path):
    record = proving.records_folder() / "gemma3-270m.json"
    proof = prove_file(locate(get_model("smollm2-135m"))[0], record=record)
    assert proof.outcome == "unfit" and "other tokens" in proof.why


def test_the_program_says_one_line_a_model(capsys, monkeypatch):
    monkeypatch.setattr(proving, "prove_model", lambda name: proving.Proof(name, "right"))
    assert proving.main(["a", "b"]) == 0
    assert [line.split('"')[3] for line in capsys.readouterr().out.splitlines()] == ["a", "b"]
    monkeypatch.setattr(proving, "prove_model", lambda name: proving.Proof(name, "wrong", "differs"))
    assert proving.main([]) == 1
    monkeypatch.setattr(proving, "recorded_models", list)
    assert proving.main([]) == 1
    assert "has no records" in capsys.readouterr().out.splitlines()[-1]


def test_a_model_of_noise_does_not_pass_without_a_record(tmp_path):
    """The same file with its weights' bytes shuffled: it loads, and computes nonsense."""
    source, _ = locate(get_model("smollm2-135m"))
    target = tmp_path / "noise.gguf"
    shutil.copyfile(source, target)
    size = target.stat().st_size
    with open(target, "r+b") as handle:
        handle.seek(size // 2)
        handle.write(random.Random(0).randbytes(size // 4))
    proof = prove_file(target)
    assert proof.outcome == "wrong", proof
