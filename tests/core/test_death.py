"""Sentences on processes that a signal ended."""

import signal

import pytest

from metacog.core.death import obituary, signal_of


def test_the_signal_of_a_status_as_python_and_as_shells_have_it():
    assert [signal_of(s) for s in (0, 1, 2, 127, 128, -4, 132, -9, 137)] == [0, 0, 0, 0, 0, 4, 4, 9, 9]


@pytest.mark.parametrize(
    ("name", "cause", "remedy"),
    [
        ("SIGILL", "another processor", "make setup PORTABLE=1"),
        ("SIGKILL", "memory ran out", "smaller model"),
        ("SIGSEGV", "compiled code", "metacog doctor"),
        ("SIGBUS", "disk is full", "make room"),
        ("SIGABRT", "a library gave up", "lines printed before"),
        ("SIGTERM", "asked it to end", "start it again"),
    ],
)
def test_cause_and_remedy_stand_in_one_sentence(name, cause, remedy):
    text = obituary(-getattr(signal, name), "collecting m on bank")
    assert text.startswith("collecting m on bank: ") and name in text
    before, after = text.split("): ")
    assert cause in before and remedy in after and "\n" not in text


def test_a_process_that_ended_by_itself_has_none():
    assert obituary(0, "x") is None and obituary(2, "x") is None


def test_a_signal_without_a_name_is_told_by_its_number():
    assert "died of signal 64" in obituary(-64, "x") or "SIGRTMAX" in obituary(-64, "x")
