"""The five cases: what is counted, and the servers they rest on. Oracles: files and servers made here, a real server.

The whole way of a case, from the command to the page, is walked by no test: benchmarks/five_cases.py walks it.
"""

import json
import os
import re
from dataclasses import asdict

import five_cases
import pandas as pd
import pytest
from fault_proxy import FaultProxy
from real_servers import llama_server_here, python_server

from metacog.collect.models import get_model, locate
from metacog.collect.prompts import Prompt
from metacog.collect.runner import ACCOUNT
from metacog.engines.budget import Tally
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.requests import Conversation, Generate, user
from metacog.trials import AGREEMENT, NLP

ANSWER = {
    "choices": [
        {
            "message": {"role": "assistant", "content": "Paris"},
            "logprobs": {"content": [{"token": "Paris", "logprob": -0.1}]},
            "finish_reason": "stop",
        }
    ],
    "usage": {"prompt_tokens": 5, "completion_tokens": 1},
}


def test_committed_rows_come_with_commit_and_load_and_hold_no_judgement():
    """That the seconds are right is not tested here: measuring them takes a smoke book and an hour."""
    if not five_cases.OUT.is_file():
        pytest.skip("not measured yet: python benchmarks/five_cases.py")
    facts = json.loads(five_cases.OUT.read_text(encoding="utf-8"))
    assert set(facts["cases"]) <= set(five_cases.CASES) and facts["sizes"] == five_cases.SIZES
    for row in facts["cases"].values():
        assert re.fullmatch("[0-9a-f]{12}", row["commit"]), "a row of files that no commit has"
        assert set(row["load"]) == {"before", "after"} and min(row["load"].values()) >= 0
        seconds = row["seconds"]
        assert set(seconds) == {"add_model", "book", "of_it_collecting"} and min(seconds.values()) > 0
        assert seconds["of_it_collecting"] <= seconds["book"] and row["replies"] > 0
        assert all(says in (True, False, None) for says in row.get("pages_made", {}).values())
        assert "study1_pages_that_do_not_say_the_signal" not in row


def test_what_is_lacking_is_made_of_the_pages():
    pages = {f"model-page-{five_cases.NAME}": None, "study1-hypotheses": True, "thinking": None}
    pages |= {f"{study}-replication": None for study in five_cases.STUDIES[1:]}
    assert five_cases.lacking(pages) == []
    assert five_cases.lacking(pages | {"study1-luck": False, "study2-x": False}) == [
        "the signal on study1-luck"
    ]
    assert five_cases.lacking({"study1-hypotheses": True}) == [
        "the model's page",
        *(f"any page of {study}" for study in five_cases.STUDIES[1:]),
    ]


@pytest.fixture
def target(tmp_path):
    """What a case leaves behind, in little."""
    files = {
        f"config/models/{five_cases.NAME}.yaml": {"confidence": AGREEMENT, "source": {"endpoint": {}}},
        "runs/a/open/manifest.json": {
            "engine": {"capabilities": {"why": {"score_text": "it does not"}}},
            "config": {"collection": "open"},
            "status": "complete",
            "parts": {"0": {"rows": 3}, "1": {"rows": 2}},
        },
        "runs/a/forced/manifest.json": {
            "engine": {"capabilities": {}},
            "config": {"collection": "forced"},
            "status": five_cases.LEFT_OUT,
            "parts": {},
        },
        f"runs/a/open/{ACCOUNT}": asdict(Tally(requests=7, read=90, written=20, hidden=4)),
    }
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps(content), encoding="utf-8")
    for place, column, values in (
        ("study1_qa/trials/open", "match", ["exact", "unanswered", "none", "none"]),
        ("study5_battery/trials/battery", "form", ["parsed", "scored"]),
    ):
        folder = tmp_path / "results" / five_cases.PROFILE / place
        folder.mkdir(parents=True)
        pd.DataFrame({column: values}).to_parquet(folder / f"{five_cases.NAME}.bank.parquet")
    return tmp_path


def test_what_a_case_rests_on_is_counted(target):
    assert five_cases.what_it_rests_on(target) == {
        "signal": AGREEMENT,
        "cannot": ["score_text"],
        "left_out": ["forced"],
        "replies": 5,
        "requests": 7,
        "read": 90,
        "written": 20,
        "hidden": 4,
        "unanswered": 0.25,
        "parsed": 0.5,
    }


def test_pages_are_those_that_were_made_anew_and_rendered(target):
    begun = 1_000.0
    executed, rendered = target / "_executed" / five_cases.PROFILE, target / "_build" / "html" / "_executed"
    for folder in (executed, rendered):
        folder.mkdir(parents=True)
    says = f"<p>{five_cases.WORDS[AGREEMENT]}</p>"
    for name, when, words in (
        ("study1-hypotheses", begun + 1, says),
        ("study1-luck", begun + 1, "<p>not a word</p>"),
        ("study1-use", begun - 1, says),  # was there before
        ("study1-overview", begun + 1, None),  # was not rendered
        ("study1-published", begun + 1, "<p>of a paper</p>"),  # rests on no trials of the run
    ):
        (executed / f"{name}.ipynb").touch()
        os.utime(executed / f"{name}.ipynb", (when, when))
        if words:
            (rendered / f"{name}.html").write_text(words, encoding="utf-8")
    assert five_cases.pages(target, begun) == {
        "study1-hypotheses": True,
        "study1-luck": False,
        "study1-published": None,
    }


def test_seconds_of_steps_are_those_of_the_log(target):
    logs = target / "results" / "logs"
    logs.mkdir()
    (logs / "newest.log").write_text("collecting a: b ... 12 s\ncomputing c ... 5 s\ncollecting d ... 1 s\n")
    assert five_cases._step_seconds(target, "collecting") == 13


def ask(n):
    yield Generate((user(f"What is {n} plus one?"),), 12)


FORM = Prompt("p", "chat", "{question}", ())


@pytest.mark.proof
def test_a_server_with_a_field_of_thoughts_is_told_from_one_that_is_still_thinking():
    """Oracle: the requests themselves, of which some are cut."""
    cut = []

    def upstream(body):
        if body["messages"][-1]["content"].startswith("What is"):
            cut.append(five_cases.is_cut(body))
        return 200, json.loads(json.dumps(ANSWER))

    more = {"api": "chat", "thinking": "apart", "thought_tokens": 32, "concurrency": 1}
    with five_cases.Thinking(upstream) as proxy:
        with EndpointEngine(f"{proxy.url}/v1", "smollm2", **more) as engine:
            assert not engine.info.capabilities.hold_options and not engine.info.capabilities.score_text
            made = engine.serve([Conversation(ask(n), FORM) for n in range(60)])
            hidden = engine.spent.hidden
    texts = [reply.samples[0].text for (reply,) in made]
    assert texts.count("") == sum(cut) and set(texts) == {"Paris", ""} and len(cut) == 60
    assert [reply.samples[0].unanswered for (reply,) in made].count(True) == sum(cut) > 0
    assert hidden >= 60 * len(five_cases.THOUGHT.split())


@pytest.mark.proof
def test_a_block_that_the_template_opens_is_taken_off_unless_it_never_closes():
    """Oracle: a server that keeps to the grammar that it is given."""
    unclosed = []

    def upstream(body):
        answer = json.loads(json.dumps(ANSWER))
        closes = body["grammar"] == five_cases.CLOSED
        if body["messages"][-1]["content"].startswith("What is"):
            unclosed.append(not closes)
        pieces = ["Hm", "</think>", "\n", "Paris"] if closes else ["Hm", " and", " so", " on"]
        rows = [{"token": piece, "logprob": -0.1} for piece in pieces]
        answer["choices"][0] |= {
            "logprobs": {"content": rows},
            "finish_reason": "stop" if closes else "length",
        }
        answer["choices"][0]["message"]["content"] = "".join(pieces)
        answer["usage"]["completion_tokens"] = 4
        return 200, answer

    more = {"api": "chat", "thinking": "strip-opened", "thought_tokens": 32, "concurrency": 1}
    with five_cases.Closing(upstream) as proxy:
        with EndpointEngine(f"{proxy.url}/v1", "smollm2", **more) as engine:
            made = engine.serve([Conversation(ask(n), FORM) for n in range(60)])
    texts = [reply.samples[0].text.strip() for (reply,) in made]
    assert set(texts) == {"Paris", ""} and texts.count("") == sum(unclosed) > 0


@pytest.mark.real
def test_a_chat_api_without_log_probabilities_is_one_to_the_engine():
    """Oracle: a real server, which has them."""
    path, _ = locate(get_model("smollm2-135m"))
    with python_server(path) as url, five_cases.dropping(url.removesuffix("/v1")) as proxy:
        with EndpointEngine(f"{proxy.url}/v1", "smollm2", api="chat") as engine:
            can = engine.info.capabilities
            (reply,) = engine.serve([Conversation(ask(1), FORM)])[0]
    assert {"own_logprobs", "score_options", "score_text"} == set(can.why)
    assert reply.samples[0].text and not reply.samples[0].token_logprobs


def bodies():
    return (
        {"messages": [{"role": "user", "content": f"Question {n}"}], "max_tokens": 24} for n in range(300)
    )


def test_thoughts_are_put_into_every_reply_and_some_end_before_the_answer():
    proxy = five_cases.Thinking(lambda body: (200, json.loads(json.dumps(ANSWER))))
    cut = 0
    for body in bodies():
        status, data = proxy.answer("/v1/chat/completions", body)
        message, usage = data["choices"][0]["message"], data["usage"]
        assert status == 200 and message["reasoning_content"] == five_cases.THOUGHT
        assert usage["completion_tokens_details"]["reasoning_tokens"] <= usage["completion_tokens"]
        if five_cases.is_cut(body):
            cut += 1
            assert (message["content"], data["choices"][0]["finish_reason"]) == ("", "length")
        else:
            assert (message["content"], data["choices"][0]["finish_reason"]) == ("Paris", "stop")
    assert 10 < cut < 60
    turns = [{"role": "user", "content": five_cases.OPEN_TURN}]
    for limit, content in ((4, ""), (36, "Paris")):  # thoughts take all of a few tokens
        _, data = proxy.answer("/v1/chat/completions", {"messages": turns, "max_tokens": limit})
        assert data["choices"][0]["message"]["content"] == content
    proxy.server.server_close()


def test_the_grammar_closes_the_block_but_for_some():
    seen = []
    proxy = five_cases.Closing(lambda body: (seen.append(body["grammar"]), (200, ANSWER))[1])
    for body in bodies():
        proxy.answer("/v1/chat/completions", body)
        assert "grammar" not in body
    assert set(seen) == {five_cases.CLOSED, five_cases.UNCLOSED}
    assert seen.count(five_cases.UNCLOSED) < len(seen) / 5
    proxy.server.server_close()


@pytest.mark.parametrize(
    ("case", "cannot", "shares"),
    [
        ("chat", {"own_logprobs", "score_options", "score_text"}, (0, 0)),
        ("reasoning", {"hold_options", "score_text"}, (0.01, 0.5)),
        ("think-block", {"hold_options", "score_text"}, (0.01, 0.5)),
        ("llama-server", {"score_text"}, (0, 0)),
    ],
)
@pytest.mark.real
def test_each_case_is_what_it_is_called(tmp_path, case, cannot, shares):
    """Oracle: llama.cpp's own server, with and without what each case puts before it."""
    llama_server_here()
    with five_cases.CASES[case](tmp_path) as words:
        given = dict(zip(words[::2], words[1::2], strict=True))
        more = {}
        if "--thinking" in given:
            more = {"thinking": given["--thinking"], "thought_tokens": int(given["--thought-tokens"])}
        with EndpointEngine(given["--endpoint"], "smollm2", api="chat", **more) as engine:
            assert set(engine.info.capabilities.why) == cannot
            made = engine.serve([Conversation(ask(n), FORM) for n in range(40)])
            hidden = engine.spent.hidden
    samples = [reply.samples[0] for (reply,) in made]
    unanswered = sum(one.unanswered for one in samples) / len(samples)
    assert shares[0] <= unanswered <= shares[1] and (hidden > 0) == (case == "reasoning")
    assert not any("think>" in one.text or five_cases.THOUGHT in one.text for one in samples)


def test_log_probabilities_are_taken_out_of_every_reply():
    proxy = five_cases.dropping("http://127.0.0.1:9")
    assert isinstance(proxy, FaultProxy) and {proxy.faults(n, {}) for n in range(9)} == {"dropped"}
    proxy.server.server_close()


def test_a_page_that_does_not_say_its_signal_is_found(tmp_path):
    page = tmp_path / "study1-hypotheses.html"
    page.write_text(
        "<p>the <b>mean</b> log-probability of an answer\u2019s own\nwords (NLP)</p>", encoding="utf-8"
    )
    assert five_cases.WORDS[NLP] in five_cases.text_of(page)
    assert five_cases.WORDS[AGREEMENT] not in five_cases.text_of(page)
