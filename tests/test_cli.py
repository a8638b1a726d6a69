"""The command: short errors, exit codes, and what doctor says."""

import pytest
from click.testing import CliRunner

from metacog import doctor
from metacog.cli import main


def call(*words):
    return CliRunner().invoke(main, list(words))


def test_help_lists_the_commands():
    text = call("--help").output
    for command in (
        "book",
        "card",
        "collect",
        "add-model",
        "import-trials",
        "ledger",
        "power",
        "doctor",
        "models",
        "data",
    ):
        assert f"\n  {command} " in text, command


def test_our_errors_are_one_line_and_exit_2():
    for words, complaint in [
        (("collect", "--profile", "none"), "there is no profile 'none'"),
        (("collect", "--model", "none"), "there is no model 'none'"),
        (("collect", "--dataset", "none"), "there is no question set 'none'"),
        (("collect", "--dataset", "none.csv"), "there is no question file"),
        (("collect", "--profile", "smoke", "--shard", "3"), "shard 3 does not exist"),
        (("collect", "--out", "x.parquet"), "--out takes the trials of one run"),
        (("run-chapter", "none"), "there is no chapter 'none'"),
    ]:
        result = call(*words)
        assert result.exit_code == 2, result.output
        assert complaint in result.output and "Traceback" not in result.output


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device", "runs/x"), OSError(30, "Read-only"), MemoryError()]
)
def test_want_of_room_or_memory_is_one_line_wherever_it_shows(monkeypatch, error):
    def run(*_, **__):
        raise error

    monkeypatch.setattr("metacog.collect.jobs.run", run)
    result = call("collect", "--profile", "smoke")
    assert result.exit_code == 2 and result.output.count("\n") == 1
    assert result.output.startswith("metacog: ") and "the same command goes on from there" in result.output


def test_another_error_of_the_system_keeps_its_traceback(monkeypatch):
    monkeypatch.setattr("metacog.collect.jobs.run", lambda *_, **__: open("/no/such/file"))
    assert isinstance(call("collect", "--profile", "smoke").exception, FileNotFoundError)


def test_doctor_is_content_here():
    checks = {check.name: check for check in doctor.examine()}
    for name in ("Python", "packages", "llama.cpp", "decoding", "configuration", "question bank", "models"):
        assert checks[name].ok, checks[name]


def test_doctor_says_what_to_mend(monkeypatch):
    monkeypatch.setattr(doctor, "DISK_GB", 1e9)
    monkeypatch.delitem(doctor._CHECKS, "decoding")  # takes seconds, and the test above has looked
    result = call("doctor")
    assert result.exit_code == 1
    assert "MEND  disk" in result.output and "-> make room" in result.output


def test_models_and_data_are_listed():
    assert "smollm2-135m" in call("models").output
    assert "nq-open-dev" in call("data", "list").output
