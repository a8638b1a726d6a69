"""Down the ladder. Oracle: builds and proofs that fail in known ways, and the words a newcomer is owed."""

import json
import sys

import pytest

from metacog.core.errors import MetacogError
from metacog.install.climbing import STAND_IN, climb, prove_in, trouble_in
from metacog.install.running import Failed, Log
from metacog.install.variants import Variant

RUNGS = [Variant(name, f"in way {name}", ()) for name in "abc"]


def proof(outcome="right", why="", ended="", model="smollm2-135m"):
    numbers = {"n_tokens": 40, "mean_difference": 0.03, "largest_difference": 0.2, "mean_logprob": -1.0}
    return {"model": model, "outcome": outcome, "why": why, "signal": ended, **numbers}


def dead(name="SIGILL"):
    return proof("died", f"died with {name} while it decoded", name)


class House:
    """Remembers what was built and says what each variant's proof gives."""

    def __init__(self, **outcomes):
        self.outcomes, self.placed, self.lines = outcomes, [], []

    def place(self, variant):
        self.placed.append(variant.name)
        if isinstance(self.outcomes[variant.name], Exception):
            raise self.outcomes[variant.name]

    def prove(self, variant):
        return self.outcomes[variant.name]

    def climb(self):
        return climb(RUNGS, self.place, self.prove, self.lines.append)


def test_the_first_that_is_right_is_kept_and_no_other_is_built():
    house = House(a=[proof(), proof(model="gemma3-270m")])
    done = house.climb()
    assert (done.variant.name, house.placed, house.lines, done.passed_over) == ("a", ["a"], [], ())


def test_a_build_that_dies_gives_way_to_the_next_and_says_so():
    house = House(a=[dead()], b=[proof()])
    done = house.climb()
    assert (done.variant.name, house.placed) == ("b", ["a", "b"])
    (passed_over,) = done.passed_over
    assert passed_over.startswith("in way a: ") and "SIGILL" in passed_over
    assert [name in line for name, line in zip(("way a", "way b"), house.lines, strict=True)] == [True, True]


def test_wrong_numbers_and_a_failed_compilation_are_passed_over_too():
    wrong = [proof(), proof("wrong", "log-probabilities differ", model="gemma3-270m")]
    house = House(a=wrong, b=Failed("building llama.cpp in way b failed: x.cpp: no"), c=[proof()])
    done = house.climb()
    assert done.variant.name == "c"
    assert [line.split(": ")[0] for line in done.passed_over] == ["in way a", "in way b"]
    assert "gemma3-270m log-probabilities differ" in house.lines[0]


def test_after_the_last_it_gives_up_and_names_every_way():
    house = House(a=[dead()], b=[dead("SIGSEGV")], c=[dead()])
    with pytest.raises(MetacogError) as failure:
        house.climb()
    lines = str(failure.value).splitlines()
    assert len(lines) == 4 and "none of the ways" in lines[0]
    assert "in way b" in lines[2] and "SIGSEGV" in lines[2]
    assert len(house.lines) == 5  # the last is followed by no other


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (Failed("the disk is full", hopeless=True), "disk is full"),
        ([proof("unfit", "model has sha256 0000")], "could not be made: model has sha256"),
        ([dead("SIGKILL")], "SIGKILL.*too little memory"),
        ([dead("SIGTERM")], "SIGTERM"),
        ([proof("stuck", "did not answer")], "did not answer: end what keeps the processor busy.*PORTABLE=1"),
    ],
)
def test_what_no_other_build_mends_stops_at_once(trouble, words):
    house = House(a=trouble)
    with pytest.raises(MetacogError, match=words):
        house.climb()
    assert house.placed == ["a"] and house.lines == []


def test_a_silent_check_is_no_proof():
    assert trouble_in([])
    assert House(a=[], b=[proof()]).climb().variant.name == "b"


def stand_in(monkeypatch, code):
    monkeypatch.setenv(STAND_IN, f"{sys.executable} -c '{code}'")


def test_the_stand_in_takes_the_proofs_place(monkeypatch, tmp_path):
    log = Log(tmp_path / "log")
    stand_in(monkeypatch, "import os; os.kill(os.getpid(), 4)")
    (found,) = prove_in(tmp_path / "python", tmp_path, log, RUNGS[0])
    assert (found["outcome"], found["signal"]) == ("died", "SIGILL")
    line = json.dumps(proof())
    monkeypatch.setenv("LINE", line)
    stand_in(monkeypatch, 'import os; print(os.environ["LINE"]); print(os.environ["METACOG_SETUP_VARIANT"])')
    assert prove_in(tmp_path / "python", tmp_path, log, RUNGS[1]) == [proof()]
    assert "\nb\n" in (tmp_path / "log").read_text()


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('import sys; sys.exit("no module numpy")', "could not be run: no module numpy"),
        ('print("{half")', "cannot be read"),
        ('import sys; print("{}"); sys.exit(1)', "cannot be read"),
    ],
)
def test_a_check_that_cannot_run_is_a_failed_proof(monkeypatch, tmp_path, code, words):
    stand_in(monkeypatch, code)
    (found,) = prove_in(tmp_path / "python", tmp_path, Log(tmp_path / "log"), RUNGS[0])
    assert found["outcome"] == "failed" and words in found["why"]


def test_a_missing_interpreter_is_a_failed_proof(monkeypatch, tmp_path):
    monkeypatch.delenv(STAND_IN, raising=False)
    (found,) = prove_in(tmp_path / "python", tmp_path, Log(tmp_path / "log"), RUNGS[0])
    assert found["outcome"] == "failed"
