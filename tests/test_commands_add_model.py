"""Adding a model: registry, profile and parameters, or nothing. Oracle: the files before and after."""

from __future__ import annotations

import dataclasses
import json
import re
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx2
import pytest
import yaml
from adding_project import FakeEngine, clone, requantised, snapshot
from click.testing import CliRunner
from scripted_chat import ChatApi, connect

from metacog.book.chapters import pages
from metacog.cli import _Group
from metacog.collect.estimate import StudyTime
from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.prompts import CHAT, load_prompt
from metacog.collect.proving import Proof, read_outcome
from metacog.collect.questions import load_questions
from metacog.commands._adding import Candidate, add_model, source_of
from metacog.commands._trying import Tried, not_its_own, repeats
from metacog.commands.add_model import _settings, command, signal_shown, times_shown
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError

group = _Group("metacog", commands={"add-model": command})


@pytest.fixture
def project(tmp_path, monkeypatch):
    root = clone(tmp_path)
    monkeypatch.chdir(root)
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    (root / "own.gguf").write_bytes(b"GGUF and something of its own")
    return root


@pytest.fixture
def unchanged(project):
    """The project, whose files are in the end as they were."""
    before = snapshot(project)
    yield project
    assert snapshot(project) == before


def candidate(name: str = "own-model", **more) -> Candidate:
    return Candidate(name, source_of(Path("own.gguf"), None, None, None), **more)


def sound(path, *, name="", n_gpu_layers=0):
    """In place of a decode: these files are no models."""
    return Proof(name, "right")


def add(asked, **options):
    return add_model(asked, **{"opener": lambda e, s: FakeEngine(), "prove": sound} | options)


def test_a_model_enters_registry_profile_and_book(project):
    engine = FakeEngine()
    made = add(candidate(label="My own", licence="MIT"), opener=lambda e, s: engine)
    assert engine.closed
    assert [p.name for p in made.changed] == ["own-model.yaml", "default.yaml", "own-model.yaml"]
    entry = get_model("own-model")
    assert (entry.label, entry.kind, entry.source) == ("My own", "instruct", {"path": "own.gguf"})
    assert entry.sha256 is not None
    profile = load_profile("default")
    assert profile.models[-1] == "own-model"
    items = {time.study: time.n_items for time in made.times}
    assert list(items) == list(profile.studies) and all(time.seconds > 0 for time in made.times)
    block = profile.studies["study1_qa"]
    asked = len(load_questions("bank", limit=block["datasets"]["bank"].get("limit")))
    assert items["study1_qa"] == asked + block["draw_questions"]
    # the profile leaves models out of the battery by name, none that is added
    assert items["study5_battery"] == profile.studies["study5_battery"]["limit"]
    first = next(time for time in made.times if time.study == "study1_qa")
    # an answer at each temperature, and the draws
    assert first.answers == 7 * asked + block["draws"] * block["draw_questions"]
    assert [time.uncounted for time in made.times] == [("forced",), (), (), (), ()]
    assert "model-page-own-model" in {page.name for page in pages(profile)}


def test_the_time_of_a_study_that_cannot_be_asked_says_why(project):
    engine = FakeEngine()
    engine.fail_after, engine.error = 0, MetacogError("this server scores no options")
    made = add(candidate(), dry_run=True, opener=lambda e, s: engine)
    lines = times_shown(made.times, "default")
    assert [time.why for time in made.times] == ["this server scores no options"] * 5
    assert len(lines) == 7 and all("cannot be told: this server" in line for line in lines[1:-1])
    assert times_shown([StudyTime("study5_battery", 0, 0.0)], "default")[1].endswith("not asked of it")


def test_settings_for_thinking_reach_engine_and_registry(project):
    seen = []
    wanted = {"thinking": "strip", "chat_template_kwargs": {"enable_thinking": False}}
    assert _settings("strip", ("enable_thinking=false",)) == wanted
    add(candidate(settings=wanted), opener=lambda entry, s: seen.append(entry.settings) or FakeEngine())
    assert seen == [wanted] and get_model("own-model").settings == wanted
    assert _settings(None, ()) == {}
    more = {"thinking": "apart", "thought_tokens": 9, "reasoning_effort": "low"}
    assert _settings("apart", (), "low", 9) == more
    with pytest.raises(MetacogError, match="KEY=VALUE"):
        _settings(None, ("enable_thinking",))


def served(entry, settings):
    return connect(ChatApi())


def chat(name="served", **more):
    source = source_of(None, None, "http://127.0.0.1:9/v1", "served", api="chat")
    return Candidate(name, source, kind="instruct", profile="smoke", **more)


def test_a_chat_api_without_log_probabilities_gets_the_best_signal_it_allows(project):
    made = add(chat(), opener=served)
    assert made.signal == get_model("served").confidence == "agreement"
    lines = "\n".join(signal_shown(made))
    assert "taken from: agreement (another by --confidence: verbal)" in lines
    assert "cannot tell log-probabilities of its own tokens: this server returns no" in lines
    assert made.times[0].takes.requests >= made.times[0].answers > made.times[0].n_items
    every = times_shown(made.times, "smoke")[-1]
    assert re.search(
        r"all studies: [\d,]+ items, about [\d,]+ answers in about [\d,]+ requests, [\d,]+ prompt", every
    )
    assert made.times[0].left_out == ("forced",) and "left out: forced" in times_shown(made.times, "smoke")[1]
    assert not [one.why for one in made.times if one.why]


def test_a_signal_asked_for_is_entered(project):
    assert add(chat("a", confidence="verbal"), opener=served).entry.confidence == "verbal"
    assert get_model("a").confidence == "verbal"
    assert add(candidate()).signal == "nlp" and get_model("own-model").confidence == ""


@pytest.mark.parametrize(
    ("wrong", "words"), [("p-true", "first token|chat API|returns no"), ("gut", "must be one of")]
)
def test_a_signal_that_cannot_be_is_refused(unchanged, wrong, words):
    with pytest.raises(MetacogError, match=words):
        add(chat("b", confidence=wrong), opener=served)


class Ponders(ChatApi):
    """Thinks in a field of its own; still does when the tokens are used up, in so many of its first answers."""

    def __init__(self, still=99):
        super().__init__()
        self.still = still

    def __call__(self, request):
        answer = super().__call__(request)
        data, body = json.loads(answer.content), json.loads(request.content)
        choice = data["choices"][0]
        choice["message"]["reasoning_content"] = "Let me think."
        if body.get("max_tokens") == 24 and self.still:
            self.still -= 1
            choice["message"]["content"], choice["finish_reason"] = "", "length"
        return httpx2.Response(200, json=data)


def test_a_model_that_is_still_thinking_is_told_what_it_needs(unchanged):
    with pytest.raises(MetacogError, match="thinks before it answers.*--thinking RULE --thought-tokens N"):
        add(chat(), opener=lambda e, s: connect(Ponders()))
    apart, said = {"thinking": "apart"}, []
    with pytest.raises(MetacogError, match="in 3 of 3 questions.*--thought-tokens 2000.*It was not added"):
        add(chat(settings=apart), opener=lambda e, s: connect(Ponders(), **apart))
    once = {"opener": lambda e, s: connect(Ponders(1), **apart), "echo": said.append, "dry_run": True}
    add(chat(settings=apart), **once)
    assert any("in 1 of 3 questions" in line for line in said) and "still thinking: ''" in "\n".join(said)


def test_a_server_is_spoken_to_as_its_model_is_asked(project, monkeypatch):
    """A chat template is the server's to apply, so the completions API gets the prompts of a base model."""
    seen, made = [], []
    monkeypatch.setattr(
        "metacog.commands._adding.add_model",
        lambda candidate, **_: seen.append(candidate) or add(candidate, dry_run=True),
    )
    words = "add-model served --endpoint http://h/v1 --endpoint-model m --profile smoke".split()
    for more in ("", "--kind base", "--api completions", "--api chat --kind instruct"):
        assert CliRunner().invoke(group, [*words, *more.split()]).exit_code == 0
        entry = add(seen[-1], dry_run=True).entry
        made.append((entry.source["endpoint"]["api"], entry.kind, entry.prompts["plain"]))
    of_chat, of_text = ("chat", "instruct", "plain-chat-v1"), ("completions", "base", "plain-base-v1")
    assert made == [of_chat, of_text, of_text, of_chat]


def test_a_chat_server_gets_prompts_of_turns_whatever_its_model(unchanged):
    for kind in ("instruct", "base", ""):
        made = add(dataclasses.replace(chat(), kind=kind), opener=served, dry_run=True)
        assert made.entry.prompts == CHAT
    with pytest.raises(MetacogError, match="fewshot-v1 is a text to go on with.*fewshot: fewshot-chat-v1"):
        add(chat(prompts={"fewshot": "fewshot-v1"}), opener=served)


class Repeats(ChatApi):
    """Gives one of the examples that it is shown back, whatever is asked behind them; another word without any."""

    def answer(self, asked, luck, temperature):
        return self.shown[luck % len(self.shown)] if self.shown else super().answer(asked, luck, 0.0)

    def text(self, body):
        self.shown = [f"A: {turn['content']}" for turn in body["messages"] if turn["role"] == "assistant"]
        return super().text(body)


def test_answers_that_are_the_prompts_own_examples_stop_it(unchanged):
    with pytest.raises(MetacogError) as caught:
        add(chat(), opener=lambda e, s: connect(Repeats()))
    words = str(caught.value)
    assert "repeated an example of its prompt in 3 of 3 answers: it was not added" in words
    assert "--prompt fewshot=zeroshot-chat-v1 (3 of 3 right)" in words and "--api completions" in words
    assert "fewshot-v1" not in words  # no text is offered over chat
    other = chat(prompts={"fewshot": "zeroshot-chat-v1"})
    added = add(other, opener=lambda e, s: connect(Repeats()), dry_run=True)
    assert added.entry.prompts["fewshot"] == "zeroshot-chat-v1"


def test_one_answer_to_all_questions_stops_it(unchanged):
    def always(prompt):
        return "Denver" if "Q:" in prompt else "Rome" + prompt[-8:]

    with pytest.raises(MetacogError) as caught:
        add(candidate(), opener=lambda e, s: FakeEngine(always))
    words = str(caught.value)
    assert "gave one and the same answer to 3 questions: it was not added" in words
    assert "--prompt fewshot=plain-chat-v1" in words
    assert "fewshot=zeroshot" not in words and "completions" not in words
    with pytest.raises(MetacogError, match="No other prompt was of use$"):
        add(candidate(), opener=lambda e, s: FakeEngine(lambda prompt: "Denver"))


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        (" Denmark", True),
        ("A: Denmark", True),
        ("robert baden-powell.", True),
        ("Q: What is frozen water called?\nA: Ice", True),
        ("Denmark and Sweden", False),
        ("Iceland", False),
        ("", False),
    ],
)
def test_what_counts_as_an_example_given_back(text, is_one):
    assert repeats(text, load_prompt("fewshot-v1")) is repeats(text, load_prompt("fewshot-chat-v1")) is is_one
    assert not repeats(text, load_prompt("zeroshot-chat-v1"))


def test_one_slip_of_three_does_not_stop_it():
    slip = Tried("Q?", "Ice", "Steam", False, repeated=True)
    other = Tried("Q?", "Rome", "Paris", False)
    right = Tried("Q?", "Ice", "Ice", True)
    assert not not_its_own([slip, other, right]) and not not_its_own([other, other, right])
    assert "in 2 of 3 answers" in not_its_own([slip, slip, right])
    assert not not_its_own([Tried("Q?", " ", "Paris", False)] * 3)  # no answers at all are told of elsewhere


def test_a_model_that_states_nothing_that_can_be_read_is_told_before_it_is_collected(unchanged):
    with pytest.raises(MetacogError, match="choose another signal with --confidence"):
        add(chat(confidence="verbal"), opener=lambda e, s: connect(ChatApi(percent="quite sure")))


def test_parameters_leave_the_profile_its_say(project):
    add(candidate())
    text = (project / "config/parameters/own-model.yaml").read_text()
    active = yaml.safe_load(text)
    assert "temperature" in active
    assert not {"profile", "model", "n_resamples", "seed", "verdicts"} & set(active)
    uncommented = yaml.safe_load(text.replace("# n_resamples", "n_resamples"))
    assert uncommented["n_resamples"] > 0
    page = next(p for p in pages(load_profile("smoke")) if p.chapter.name == "model-page")
    assert page.parameters["n_resamples"] == 500


def test_a_dry_run_changes_nothing(unchanged):
    assert len(add(candidate(), dry_run=True).changed) == 3


def test_kind_follows_the_template(unchanged):
    bare = {"dry_run": True, "opener": lambda e, s: FakeEngine(template=False)}
    made = add(candidate(), **bare).entry
    assert (made.kind, made.prompts["zeroshot"]) == ("base", "zeroshot-base-v1")
    assert add(candidate(kind="instruct"), **bare).entry.kind == "instruct"


def fails(entry, settings):
    raise MetacogError("llama.cpp cannot load it")


@pytest.mark.parametrize(
    ("asked", "opener", "words"),
    [
        ({"name": "smollm2-135m"}, None, "there is a model 'smollm2-135m' already"),
        ({"name": "a.b"}, None, "cannot name a model"),
        ({"base_of": "nobody"}, None, "--base-of 'nobody'"),
        ({"profile": "none"}, None, "no profile 'none'"),
        ({"prompts": {"fewshot": "none"}}, None, "no prompt 'none'"),
        ({}, fails, "cannot load it"),
        ({}, lambda e, s: FakeEngine(answer=lambda prompt: " "), "answered nothing"),
    ],
)
def test_what_goes_wrong_leaves_nothing_behind(unchanged, asked, opener, words):
    with pytest.raises(MetacogError, match=words):
        add(candidate(**asked), opener=opener or (lambda e, s: FakeEngine()))


def test_a_model_that_kills_llama_is_not_loaded_here(unchanged):
    def dies(path, *, name, n_gpu_layers):
        return read_outcome(name, -4, "", "")

    words = "own-model died with SIGILL while it decoded: this build of llama"
    with pytest.raises(MetacogError, match=words):
        add(candidate(), opener=lambda e, s: pytest.fail("it was loaded into this process"), prove=dies)


def test_the_same_file_is_not_added_twice(project):
    add(candidate())
    (project / "copy.gguf").write_bytes((project / "own.gguf").read_bytes())
    with pytest.raises(MetacogError, match="is the file of the model 'own-model'"):
        add(Candidate("other", source_of(Path("copy.gguf"), None, None, None)))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((None, None, None, None), "one of --gguf"),
        ((Path("own.gguf"), "a/b:c.gguf", None, None), "one of --gguf"),
        ((Path("none.gguf"), None, None, None), "there is no file"),
        ((None, "a/b", None, None), "OWNER/REPO:FILE"),
        ((None, "b:c.gguf", None, None), "OWNER/REPO:FILE"),
        ((None, None, "http://localhost:1/v1", None), "--endpoint-model"),
        ((None, None, "localhost", "m"), "http://"),
    ],
)
def test_bad_origins(project, given, words):
    with pytest.raises(MetacogError, match=words):
        source_of(*given)


def test_good_origins(project):
    assert source_of(None, "o/r:f.gguf", None, None) == {"hub": {"repo": "o/r", "file": "f.gguf"}}
    made = source_of(None, None, "http://h/v1", "m", api="chat", key_env=None)
    assert made == {"endpoint": {"url": "http://h/v1", "model": "m", "api": "chat"}}
    made = add(Candidate("served", made, kind="instruct"))
    assert get_model("served").sha256 is None


def test_a_file_comes_from_the_hub_or_from_a_mirror_with_its_paths(tmp_path, monkeypatch):
    there = tmp_path / "mirror" / "o" / "r" / "resolve" / "main"
    there.mkdir(parents=True)
    (there / "f.gguf").write_bytes(b"GGUF from a mirror")
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "mirror"))
    entry = ModelEntry("hubbed", "Hubbed", "base", {"hub": {"repo": "o/r", "file": "f.gguf"}}, None, {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
        path, sha256 = locate(entry)
        server.shutdown()
    assert path.read_bytes() == b"GGUF from a mirror" and len(sha256) == 64
    assert locate(entry)[0] == path  # kept: nobody serves it any longer
    other = ModelEntry("other", "Other", "base", {"hub": {"repo": "o/r", "file": "g.gguf"}}, None, {})
    with pytest.raises(MetacogError, match="name a mirror by HF_ENDPOINT"):
        locate(other)


@pytest.mark.real
def test_a_requantised_model_from_file_to_registry(tmp_path, monkeypatch):
    """The real engine on a real model that the registry does not know, through the command."""
    root = clone(tmp_path / "clone")
    model = requantised(tmp_path / "smol-q4_0.gguf")
    monkeypatch.chdir(root)
    words = ["add-model", "smol-q40", "--gguf", str(model), "--profile", "smoke", "--licence", "Apache-2.0"]
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 0, done.output
    assert "loads, tokenises and answers" in done.output
    assert len(re.findall(r"^  Study [1-5]: .* items, about ", done.output, re.M)) == 5
    assert done.output.count("right: ") + done.output.count("wrong: ") == 3
    assert load_profile("smoke").models == ("smollm2-135m", "smol-q40")
    assert get_model("smol-q40").source == {"path": str(model)}
    again = CliRunner().invoke(group, words)
    assert again.exit_code == 2
    assert "there is a model 'smol-q40' already" in again.output


def test_a_file_that_is_no_model_is_a_short_error(unchanged):
    words = ["add-model", "own", "--gguf", "own.gguf"]
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 2 and "Traceback" not in done.output
    assert done.output.splitlines()[-1].startswith("metacog: ")
    done = CliRunner().invoke(group, [*words, "--prompt", "fewshot"])
    assert (done.exit_code, "SET=PROMPT" in done.output) == (2, True)
