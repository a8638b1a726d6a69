"""Prompts as text and as turns.

Oracles: the turns written out by hand, the text of the completion prompt, and the keys that committed packs were stored
under before prompts had examples.
"""

import dataclasses

import pytest
from scripted_chat import ChatApi, connect, entry
from stub_engine import StubEngine
from test_runner import QA, smoke, trials_of

from metacog.collect.estimate import estimate
from metacog.collect.jobs import known_packs
from metacog.collect.models import get_model
from metacog.collect.packs import Pack
from metacog.collect.plan import make_plan
from metacog.collect.prompts import CHAT, flattened, form_in_words, load_prompt
from metacog.collect.runner import collect
from metacog.core.config import digest, load_profile
from metacog.core.errors import MetacogError
from metacog.engines.requests import assistant, user
from metacog.studies import get_study

TEXT, TURNS = load_prompt("fewshot-v1"), load_prompt("fewshot-chat-v1")
SHOWN = [
    ("Which country is the home of Lego?", "Denmark"),
    ("What is frozen water called?", "Ice"),
    ("Who founded the Scout movement?", "Robert Baden-Powell"),
    ("What is a young swan called?", "Cygnet"),
]
EXAMPLES = [turn for q, a in SHOWN for turn in (user(f"Q: {q}"), assistant(a))]


def test_examples_are_turns_between_the_instruction_and_the_question():
    brief = {"role": "system", "content": "Answer each question with one short fact."}
    question = user("Who wrote Hamlet?")
    assert TURNS.messages([question]) == (brief, *EXAMPLES, user("Q: Who wrote Hamlet?"))
    own = {"role": "system", "content": "You judge sentences."}  # a study's own instruction goes before
    longer = [own, question, assistant("Marlowe"), user("Sure?")]
    assert TURNS.messages(longer) == (
        own,
        *EXAMPLES,
        user("Q: Who wrote Hamlet?"),
        assistant("Marlowe"),
        user("Q: Sure?"),
    )
    assert TEXT.messages([question]) is None


def test_both_forms_say_the_same():
    written = dataclasses.replace(TEXT, prefix="").render(TURNS.messages([])[:1], StubEngine())
    turns = [turn for q, a in TURNS.examples for turn in (user(q), assistant(a))]
    assert TEXT.prefix == written + dataclasses.replace(TEXT, prefix="").render(turns, StubEngine())
    assert TEXT.examples == TURNS.examples == tuple(SHOWN)


def test_a_chat_server_is_sent_the_examples_as_turns():
    """Oracle: the bodies that the server receives; the first requests are its examination."""
    api = ChatApi()
    plan = make_plan(QA, "open", smoke(confidence="agreement"), entry(), "bank", limit=1)
    with connect(api) as engine:
        engine.serve([plan.conversation(0)])
    sent = api.bodies[-1]["messages"]
    assert [turn["role"] for turn in sent] == ["system", *["user", "assistant"] * 4, "user"]
    assert sent[1:-1] == EXAMPLES and sent[-1]["content"] == f"Q: {plan.items[0].question}"


@pytest.mark.parametrize("path", known_packs(), ids=lambda path: path.stem)
def test_keys_of_committed_runs_are_what_they_were(path):
    runs = Pack(path).runs
    assert runs
    for run in runs:
        config = run.manifest["config"]
        now = config | {"prompt": load_prompt(config["prompt"]["id"]).key}
        assert digest(now) == run.manifest["config_hash"]


@pytest.mark.parametrize(
    ("study", "collection", "model", "dataset"),
    [
        ("study1_qa", "open", "gemma3-270m", "bank"),
        ("study1_qa", "open", "qwen2.5-coder-1.5b", "bank"),
        ("study4_probe", "probe", "qwen2.5-coder-1.5b", "probe-v1"),
    ],
)
def test_what_is_asked_by_file_finds_its_pack(study, collection, model, dataset):
    """The key holds the digests of all requests, so that another wording or order of turns is another run."""
    plan = make_plan(get_study(study), collection, load_profile("reference"), model, dataset)
    there = {run.folder for path in known_packs() for run in Pack(path).runs}
    assert plan.place in there


def old_entry():
    """As chat servers were entered when their examples went into one turn of the user."""
    return entry(prompts={**CHAT, "fewshot": "fewshot-v1"})


def test_a_text_with_examples_is_not_asked_over_chat(tmp_path):
    plan = make_plan(QA, "open", smoke(confidence="agreement"), old_entry(), "bank", limit=4)
    words = (
        r"the prompt fewshot-v1 is a text.*fewshot: fewshot-chat-v1.*api: completions.*stay in study1_qa/open"
    )
    with pytest.raises(MetacogError, match=words):
        collect(plan, plan.folder(tmp_path), engine=StubEngine(), progress=False)
    with pytest.raises(MetacogError, match=words):
        estimate(plan, plan.folder(tmp_path), lambda *_: StubEngine())
    assert not list(tmp_path.rglob("*.parquet"))


def test_what_was_collected_so_is_kept_and_read(tmp_path, monkeypatch):
    plan = make_plan(QA, "open", smoke(confidence="agreement"), old_entry(), "bank", limit=4)
    folder = plan.folder(tmp_path)
    with monkeypatch.context() as before:
        before.setattr("metacog.collect.plan.flattened", lambda *_: "")
        collect(plan, folder, engine=StubEngine(), progress=False)
    files = {path: path.read_bytes() for path in folder.rglob("*.parquet")}
    assert collect(plan, folder, progress=False).n_new == 0  # nothing lacks, so nothing is asked or refused
    assert set(trials_of(plan, folder)["prompt_id"]) == {"fewshot-v1"}
    assert files and all(path.read_bytes() == content for path, content in files.items())
    next(iter(files)).unlink()
    with pytest.raises(MetacogError, match="stay in"):
        collect(plan, folder, progress=False)
    turned = make_plan(QA, "open", smoke(confidence="agreement"), entry(), "bank", limit=4)
    assert turned.folder(tmp_path) != folder


def test_the_form_in_words():
    local = get_model("smollm2-135m")
    completions = entry(source={"endpoint": {"url": "http://h/v1", "model": "m"}})
    assert form_in_words(TEXT, local) == "as a text to go on with, behind 4 examples"
    assert form_in_words(TEXT, completions) == form_in_words(TEXT, local)
    assert (
        form_in_words(TURNS, local)
        == "in turns of a chat, by the template of its file, behind 4 examples in turns"
    )
    assert form_in_words(TURNS, entry()).startswith(
        "in turns of a chat, by the template of its server, behind 4"
    )
    assert (
        form_in_words(TEXT, entry())
        == "as a text in one turn of a chat, with 4 examples that the model may answer"
    )
    assert (
        form_in_words(load_prompt("plain-chat-v1"), entry())
        == "in turns of a chat, by the template of its server"
    )
    assert not flattened(TURNS, entry()) and not flattened(TEXT, local) and not flattened(TEXT, completions)
    assert "plain: plain-chat-v1" in flattened(
        load_prompt("plain-base-v1"), entry(prompts={"plain": "plain-base-v1"})
    )
