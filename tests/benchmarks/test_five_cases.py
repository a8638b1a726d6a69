"""The five cases: the committed rows, and the proxies they rest on. Oracle: a server that says what it was sent."""

import json
import sys
from pathlib import Path

import pytest
from fault_proxy import FaultProxy

from metacog.core.paths import project_root
from metacog.trials.signals import AGREEMENT, NLP

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import endpoint_speed
import five_cases

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


@pytest.fixture(scope="module")
def committed():
    if not five_cases.OUT.is_file():
        pytest.skip("not measured yet: python benchmarks/five_cases.py")
    return json.loads(five_cases.OUT.read_text(encoding="utf-8"))["cases"]


def test_every_case_came_to_its_page_and_through_every_study(committed):
    assert list(committed) == list(five_cases.CASES)
    for row in committed.values():
        assert row["model_page"] and all(row["pages"][study] for study in five_cases.STUDIES)
        assert row["study1_pages_that_do_not_say_the_signal"] == [] and row["replies"] > 0
        seconds = row["seconds"]
        assert seconds["total"] == pytest.approx(seconds["add_model"] + seconds["book"], abs=0.2)
        assert 0 < seconds["of_it_collecting"] <= seconds["book"] and row["load"]["before"] >= 0


def test_each_case_is_what_it_is_called(committed):
    assert committed["chat"]["signal"] == AGREEMENT and "own_logprobs" in committed["chat"]["cannot"]
    assert {row["signal"] for name, row in committed.items() if name != "chat"} == {NLP}
    assert committed["chat"]["parsed"] == committed["reasoning"]["parsed"] == 1
    assert {name for name, row in committed.items() if "forced" in row["left_out"]} == {
        "chat",
        "reasoning",
        "think-block",
        "llama-server",
    }
    for name in ("reasoning", "think-block"):
        assert 0 < committed[name]["unanswered"] < 0.5
    assert committed["reasoning"]["hidden"] > 0
    assert committed["hub"]["cannot"] == committed["local"]["cannot"] == []


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


def test_log_probabilities_are_taken_out_of_every_reply():
    proxy = five_cases.dropping("http://127.0.0.1:9")
    assert isinstance(proxy, FaultProxy) and {proxy.faults(n, {}) for n in range(9)} == {"dropped"}
    proxy.server.server_close()


def test_a_page_that_does_not_say_its_signal_is_found(tmp_path):
    page = tmp_path / "study1-h1.html"
    page.write_text(
        "<p>the <b>mean</b> log-probability of an answer\u2019s own\nwords (NLP)</p>", encoding="utf-8"
    )
    assert five_cases.WORDS[NLP] in five_cases.text_of(page)
    assert five_cases.WORDS[AGREEMENT] not in five_cases.text_of(page)


@pytest.mark.skipif(not endpoint_speed.OUT.is_file(), reason="not measured yet")
def test_a_server_keeps_nine_tenths_of_its_rate():
    found = json.loads((project_root() / endpoint_speed.OUT).read_text(encoding="utf-8"))
    shares = sorted(row["library_per_second"] / row["bare_per_second"] for row in found["passes"])
    assert found["share"] == pytest.approx(shares[len(shares) // 2], abs=0.002)
    assert found["share"] >= found["wanted"] == endpoint_speed.WANTED == 0.9
    assert found["slots"] in endpoint_speed.SLOTS
