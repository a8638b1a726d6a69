"""The same turns by file and over chat. Oracle: the file's own chat template, with one sequence decoded at a time."""

import sys

import pandas as pd
import pytest
from real_servers import python_server

from metacog.core.paths import project_root

sys.path.insert(0, str(project_root() / "benchmarks"))
import endpoint_check
from endpoint_check import FORMS, N_CTX, WANTED_EQUAL, put, shared, studies_asked

from metacog.collect.models import get_model, locate
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.llama import LlamaEngine

#: Questions of study 1 and items of the others that are asked here; `make validate` asks 200 and twice as many.
QUESTIONS, ITEMS = 60, 10


@pytest.fixture(scope="module")
def both():
    """A file, and the server of llama-cpp-python that has loaded it."""
    path, _ = locate(get_model("smollm2-135m"))
    with (
        python_server(path, N_CTX) as url,
        EndpointEngine(url, "smollm2", api="chat", concurrency=1) as server,
        LlamaEngine(path, n_ctx=N_CTX, width=1, n_seq=1, flash_attn=False) as file,
    ):
        yield file, server


@pytest.mark.real
@pytest.mark.timeout(1500)
def test_the_same_turns_get_the_same_answers_by_file_and_over_chat(both):
    equal = {}
    for study, asked in studies_asked(QUESTIONS, ITEMS).items():
        by_file, by_chat = (put(engine, FORMS["turns"], study, *asked) for engine in both)
        equal[study] = shared(by_file, by_chat)
        assert len(equal[study]) >= ITEMS
    assert len(equal) == 5 and len(equal["study1_qa"]) == QUESTIONS
    assert sum(equal["study1_qa"]) >= WANTED_EQUAL * QUESTIONS
    together = [one for study in equal.values() for one in study]
    assert sum(together) >= WANTED_EQUAL * len(together), {s: sum(e) / len(e) for s, e in equal.items()}


@pytest.mark.real
def test_examples_in_one_turn_get_other_answers(both):
    """The comparison tells two forms apart: the text with its examples in one turn, as a server was once asked."""
    file, server = both
    study, asked = "study1_qa", studies_asked(12)["study1_qa"]
    turns, flat = put(file, FORMS["turns"], study, *asked), put(server, FORMS["one turn"], study, *asked)
    assert len(shared(turns, flat)) == 12 and sum(shared(turns, flat)) <= 2


def test_the_table_says_what_make_validate_found():
    table = pd.read_csv(endpoint_check.OUT)
    over_chat = table[(table["by"] == "chat") & (table["form"] == "turns")]
    assert {endpoint_check.MODEL} <= set(over_chat["model"])
    assert set(over_chat["study"]) == set(studies_asked(1))
    together = over_chat.groupby("model")[["same", "equal"]].sum()
    assert (together["equal"] >= WANTED_EQUAL * together["same"]).all()
    asked = table[table["study"] == "study1_qa"].set_index(["model", "by", "form"])
    assert (asked["answers"] >= 200).all()
    right = asked["right"].unstack(["by", "form"])
    assert (right["chat", "turns"] > right["chat", "one turn"]).all()
