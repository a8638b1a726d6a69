"""The endpoint engine.

Oracles: a scripted server whose distribution is known exactly (every log-probability is computed here
from its formula), the HTTP standards for Retry-After, and for two real servers on loopback (that of
llama-cpp-python, and llama.cpp's own where it has been built) the local engine on the same model file.
"""

import asyncio
import email.utils
import json
import logging
import math
import random
import traceback
from dataclasses import replace
from itertools import chain

import httpx2
import numpy as np
import pytest
from fault_proxy import FaultProxy
from real_servers import REAL_SERVERS, python_server
from scripted_server import URL, VOCABULARY, Clock, Script, connect, distribution

from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.prompts import Prompt
from metacog.core.errors import MetacogError
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.endpoint.probe import NO_LOGPROBS, REMEDIES
from metacog.engines.endpoint.reading import read_reply
from metacog.engines.endpoint.replies import to_generation
from metacog.engines.endpoint.waits import limit_wait, parse_wait
from metacog.engines.engine import Engine
from metacog.engines.requests import Choose, Conversation, Generate, Score, user

KEY = "sk-Very-Secret-0123456789"
REFUSED = "logprobs is not supported for models created with logits_all=False"


def tasks(n=6, temperatures=(0.0, 0.7, 2.0)):
    return [
        GenerationTask(
            f"Q: number {i}\nA:", tuple(Sample(t, 1000 * i + k) for k, t in enumerate(temperatures))
        )
        for i in range(n)
    ]


def check_all(script, made, wanted, max_tokens=24):
    """Every trial in its place, with text and log-probabilities of the scripted distribution."""
    assert [len(row) for row in made] == [len(task.samples) for task in wanted]
    for row, task in zip(made, wanted, strict=True):
        for generation, sample in zip(row, task.samples, strict=True):
            text, values, end, truncated = script.expected(
                task.prompt, sample.temperature, sample.seed, max_tokens
            )
            assert generation.text == text
            assert generation.token_logprobs == pytest.approx(values)
            assert generation.n_tokens == len(values)
            assert generation.sum_logprob == pytest.approx(sum(values))
            assert generation.truncated == truncated
            assert generation.stop_logprob == (None if end is None else pytest.approx(end))


@pytest.mark.parametrize("returned", [(True, False), (True, True), (False, False)])
def test_every_trial_has_the_scripted_values(returned):
    script = Script(stop_token=returned[0], eos_token=returned[1])
    with connect(script) as engine:
        assert isinstance(engine, Engine)
        wanted = tasks(12)
        made = engine.generate(wanted, max_tokens=24, stop=("\n",))
        check_all(script, made, wanted)
        texts = [g.text for row in made for g in row]
        assert "" in texts and any(g.truncated for row in engine.generate(wanted, max_tokens=2) for g in row)
        assert engine.info.settings["logprob_shift_over_temperatures"] == 0


def test_count_stop_token_counts_the_stop_text_and_never_the_end_of_generation():
    script = Script(eos_token=True)
    with connect(script) as engine:
        plain = engine.generate(tasks(12), max_tokens=4, stop=("\n",))
        counted = engine.generate(tasks(12), max_tokens=4, stop=("\n",), count_stop_token=True)
    more = set()
    for a, b in zip(chain(*plain), chain(*counted), strict=True):
        assert b.text == a.text
        extra = b.n_tokens - a.n_tokens
        assert b.sum_logprob == pytest.approx(a.sum_logprob + (a.stop_logprob if extra else 0.0))
        more.add((extra, a.stop_logprob is None))
    assert more == {(0, True), (0, False), (1, False)}  # truncated; end of generation; stop text


def test_count_stop_token_is_refused_where_the_server_keeps_it():
    with connect(Script(stop_token=False)) as engine, pytest.raises(MetacogError, match="count_stop_token"):
        assert engine.info.settings["returns_stop_token"] is False
        engine.generate(tasks(), max_tokens=24, stop=("\n",), count_stop_token=True)


def payload(tokens, text, finish="stop", values=None):
    values = values or [-0.5] * len(tokens)
    logprobs = {"tokens": tokens, "token_logprobs": values, "top_logprobs": None}
    return {"choices": [{"text": text, "logprobs": logprobs, "finish_reason": finish}]}


@pytest.mark.parametrize(
    ("tokens", "text", "finish", "stop", "n", "n_end"),
    [
        ([" Paris", "\n"], " Paris", "stop", ("\n",), 1, 1),
        ([" Paris"], " Paris", "stop", ("\n",), 1, 0),  # stop token kept by the server
        ([" Paris", ".\n"], " Paris.", "stop", ("\n",), 1, 1),  # answer and stop in one token
        ([" Paris", "\n", "Q", ":"], " Paris", "stop", ("\nQ:",), 1, 3),  # stop text of several tokens
        ([" a", "\n", " b", "\nQ:"], " a\n b", "stop", ("\nQ:",), 3, 1),  # a false start of it
        ([" Paris", "</s>"], " Paris", "stop", ("\n",), 1, 1),
        ([" Paris", ""], " Paris", "stop", ("\n",), 1, 1),  # end of generation without text
        (["", "", "\n"], "é", "stop", ("\n",), 2, 1),  # a character of two tokens, decoded to nothing
        (["", ""], "é", "stop", ("\n",), 2, 0),
        (["\n"], "", "stop", ("\n",), 0, 1),  # an empty answer
        ([], "", "stop", ("\n",), 0, 0),
        ([" a", " b"], " a b", "length", ("\n",), 2, 0),
        ([" a", "\n", " b"], " a\n b", "length", ("\n",), 1, 1),  # a server that does not stop
    ],
)
def test_tokens_of_the_answer_and_of_its_end(tokens, text, finish, stop, n, n_end):
    values = [-1.0 - i for i in range(len(tokens))]
    made = to_generation(read_reply(payload(tokens, text, finish, values)), stop)
    assert made.token_logprobs == tuple(values[:n])
    assert made.stop_logprob == (sum(values[n : n + n_end]) if n_end else None)
    assert made.text == (text.split("\n")[0] if stop == ("\n",) else text)
    assert made.truncated == (finish == "length" and not n_end)


def test_a_positive_log_probability_is_refused():
    with pytest.raises(MetacogError, match="cannot exceed 0"):
        to_generation(read_reply(payload(["a"], "a", values=[0.7])), ())


def test_refused_fields_are_dropped_and_recorded():
    script = Script(refuses=("top_k", "min_p", "repeat_penalty", "repetition_penalty", "seed", "max_tokens"))

    def say(number, request):
        if "max_tokens" in json.loads(request.content):
            words = "Unsupported parameter: use 'max_completion_tokens' instead."
            return httpx2.Response(400, json={"error": {"message": words}})
        return None

    with connect(script, say) as engine:
        settings = engine.info.settings
        assert settings["fields_refused"] == [*script.on["refuses"][:-1]]
        assert settings["seed_sent"] is False and settings["sampling_fields"]["top_p"] == 1.0
        engine.generate(tasks(1), max_tokens=3)
    assert script.bodies[-1]["max_completion_tokens"] == 3 and "seed" not in script.bodies[-1]


def test_seed_temperature_and_stop_are_sent_as_asked():
    script = Script()
    with connect(script) as engine:
        del script.bodies[:]
        engine.generate(tasks(3), max_tokens=24, stop=("\n",))
    sent = sorted((b["prompt"], b["temperature"], b["seed"]) for b in script.bodies)
    assert sent == sorted((t.prompt, s.temperature, s.seed) for t in tasks(3) for s in t.samples)
    assert all(
        b["top_k"] == 0 and b["top_p"] == 1 and b["min_p"] == 0 and b["stop"] == ["\n"] for b in script.bodies
    )


# --- faults


def test_no_trial_is_lost_or_doubled_under_faults():
    chance = random.Random(7)
    kinds = [
        lambda r: httpx2.Response(500, text="boom"),
        lambda r: httpx2.Response(503),
        lambda r: httpx2.Response(429, headers={"retry-after": "2"}),
        lambda r: httpx2.Response(429),
        lambda r: httpx2.Response(200, text="{not json"),
        lambda r: httpx2.Response(200, json={"choices": []}),
        lambda r: httpx2.Response(200, json={"choices": [{"text": "bare", "logprobs": None}]}),
        lambda r: httpx2.ReadTimeout("slow", request=r),
        lambda r: httpx2.RemoteProtocolError("gone", request=r),
        lambda r: httpx2.ConnectError("refused", request=r),
    ]
    hits = []

    def faults(number, request):
        if chance.random() < 0.5:
            hits.append(number)
            return chance.choice(kinds)(request)
        return None

    script, clock = Script(), Clock()
    with connect(script, clock=clock) as calm:
        plain = calm.generate(tasks(15), max_tokens=24, stop=("\n",))
    with connect(script, faults, retries=40, limit_wait=1e6, concurrency=4) as engine:
        made = engine.generate(tasks(15), max_tokens=24, stop=("\n",))
    assert len(hits) > 30
    assert made == plain
    check_all(script, made, tasks(15))


def test_backoff_is_full_jitter_with_a_bound_that_doubles():
    bounds, largest = [0.5, 1, 2, 4, 8, 16, 30, 30], [0.0] * 8
    for seed in range(60):
        clock = Clock()
        with pytest.raises(
            MetacogError, match=r"failed 9 times, last: HTTP 502: out of memory.*same command"
        ):
            EndpointEngine(
                URL,
                "m",
                retries=8,
                sleep=clock.sleep,
                clock=clock,
                rng=random.Random(seed),
                transport=httpx2.MockTransport(lambda r: httpx2.Response(502, text="out of memory")),
            )
        assert len(clock.slept) == 8
        assert all(0 <= s <= b for s, b in zip(clock.slept, bounds, strict=True))
        largest = [max(pair) for pair in zip(largest, clock.slept, strict=True)]
    assert all(top > 0.8 * bound for top, bound in zip(largest, bounds, strict=True))


def test_retry_after_holds_every_request():
    clock, times = Clock(), []

    def faults(number, request):
        times.append(clock.now)
        if len(times) == 40:
            return httpx2.Response(429, headers={"retry-after": "30"})
        return None

    with connect(Script(), faults, clock=clock, concurrency=1) as engine:
        engine.generate(tasks(20), max_tokens=3)
    assert times[39] == 0.0
    assert all(t >= 30.0 for t in times[40:]) and len(times) > 60


def test_spent_limits_are_waited_for_before_the_next_request():
    clock, times = Clock(), []

    def faults(number, request):
        times.append(clock.now)
        if number != 30:
            return None
        status, data = script.answer(json.loads(request.content))
        headers = {"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30s"}
        return httpx2.Response(status, json=data, headers=headers)

    script = Script()
    with connect(script, faults, clock=clock, concurrency=1) as engine:
        engine.generate(tasks(20), max_tokens=3)
    assert times[30] == 0.0 and times[31] >= 90.0


def test_limits_that_ask_for_too_much_end_the_run_politely():
    with pytest.raises(MetacogError, match=r"limits the rate.*7200 s more.*come back later"):
        connect(Script(), lambda n, r: httpx2.Response(429, headers={"retry-after": "7200"}))
    with pytest.raises(MetacogError, match="quota is spent"):
        connect(Script(), lambda n, r: httpx2.Response(429, json={"error": {"code": "insufficient_quota"}}))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("7", 7),
        ("0.25", 0.25),
        ("6m0s", 360),
        ("120ms", 0.12),
        ("1h2m3.5s", 3723.5),
        ("soon", None),
        ("Wed, 21 Oct 2026 07:20000000000000000000008:00 GMT", None),
        (None, None),
        ("1700000060", 60),
        (email.utils.formatdate(1_700_000_030, usegmt=True), 30),
        ("2023-11-14T22:13:50+00:00", 30),
        ("1", 1),
        ("-3", 0),
    ],
)
def test_wait_headers(text, seconds):
    found = parse_wait(text, now=1_700_000_000.0)
    assert found == (None if seconds is None else pytest.approx(seconds))


def test_limit_headers_count_only_when_spent():
    full = {"x-ratelimit-remaining-requests": "9", "x-ratelimit-reset-requests": "60s"}
    assert limit_wait(full, refused=False) is None and limit_wait(full, refused=True) is None
    spent = {**full, "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "5s"}
    assert limit_wait(spent, refused=False) == 5
    assert limit_wait({**spent, "retry-after": "9"}, refused=True) == 9
    assert limit_wait({"x-ratelimit-reset": "4"}, refused=True) == 4


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (httpx2.Response(401, json={"error": {"message": f"bad key {KEY}"}}), "key_env"),
        (httpx2.Response(404, json={"error": {"message": "model not found"}}), "ends in /v1"),
        (httpx2.Response(500, json={"error": {"message": REFUSED}}), "logits_all=False"),
        (httpx2.Response(307, headers={"location": "http://127.0.0.1:9/elsewhere"}), "final address"),
    ],
)
def test_refusals_are_final_and_explained(response, message, monkeypatch):
    monkeypatch.setenv("METACOG_TEST_KEY", KEY)
    clock = Clock()
    with pytest.raises(MetacogError, match=message) as caught:
        connect(Script(), lambda n, r: response, clock=clock, key_env="METACOG_TEST_KEY")
    assert clock.slept == [] and KEY not in str(caught.value)


@pytest.mark.parametrize(
    ("complaint", "fingerprint", "remedy"),
    [
        ("", "b1234", ""),
        (REFUSED, "", "llama-cpp-python"),
        ("", "fp_ollama", "Ollama"),
        ("no logprobs here", "", ""),
    ],
)
def test_what_to_do_about_missing_logprobs_is_told_to_whom_it_concerns(complaint, fingerprint, remedy):
    script = Script(logprobs=False)

    def answer(number, request):
        body = json.loads(request.content)
        if complaint and "logprobs" in body:
            return httpx2.Response(500, json={"error": {"message": complaint}})
        status, data = script.answer(body)
        return httpx2.Response(status, json=data | {"system_fingerprint": fingerprint})

    with connect(script, answer) as engine:
        why = engine.info.capabilities.why["own_logprobs"]
    assert why.startswith(NO_LOGPROBS)
    assert [name for name in ("llama-cpp-python", "Ollama") if name in why] == [remedy] * bool(remedy)


def test_the_real_server_started_without_them_names_its_own_switch():
    path, _ = locate(get_model("smollm2-135m"))
    with python_server(path, logits_all="false") as url, EndpointEngine(url, "smollm2", api="chat") as engine:
        why = engine.info.capabilities.why["own_logprobs"]
    assert why == f"{NO_LOGPROBS} ({REMEDIES['logits_all']})"


# --- the key


def test_the_key_is_sent_and_shown_nowhere(monkeypatch, caplog, tmp_path):
    from metacog.collect.plan import make_plan
    from metacog.collect.prompts import load_prompt
    from metacog.collect.reading import read_replies
    from metacog.collect.runner import collect
    from metacog.core.config import load_profile
    from metacog.studies import get_study

    monkeypatch.setenv("METACOG_TEST_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    sent, down = set(), []

    def faults(number, request):
        sent.add(request.headers["authorization"])
        return httpx2.Response(500, text=f"refused {request.headers['authorization']}") if down else None

    source = {"endpoint": {"url": URL, "model": "scripted", "key_env": "METACOG_TEST_KEY"}}
    entry = ModelEntry("scripted", "Scripted", "base", source, None, {"fewshot": "fewshot-v1"})
    block = {"datasets": {"bank": {}}, "block_items": 4, "temperatures": [0.0, 1.0]}
    profile = replace(load_profile("default"), studies={"study1_qa": block})
    plan = make_plan(get_study("study1_qa"), "open", profile, "smollm2-135m", "bank", limit=8)
    plan = replace(
        plan, entry=entry, config={**plan.config, "source": source}, prompt=load_prompt("fewshot-v1")
    )
    script = Script()
    with connect(script, faults, key_env="METACOG_TEST_KEY", retries=1) as engine:
        first = engine.serve

        def fail_after_one(*args, **kwargs):
            done = first(*args, **kwargs)
            down.append(True)
            return done

        monkeypatch.setattr(engine, "serve", fail_after_one)
        with pytest.raises(MetacogError, match="same command goes on") as caught:
            collect(plan, tmp_path, engine=engine, progress=False)
        shown = [repr(engine), repr(engine.__dict__), repr(engine.info), str(caught.value)]
        shown += ["".join(traceback.format_exception(caught.value))]
        monkeypatch.setattr(engine, "serve", first)
        del down[:]
        report = collect(plan, tmp_path, engine=engine, progress=False)
    assert (report.n_kept, report.n_new) == (4, 4)  # the block before the fault was kept, nothing twice
    trials = read_replies([(plan, tmp_path)]).trials
    assert not trials.duplicated(["question_id", "temperature"]).any() and len(trials) == 16
    assert sent == {f"Bearer {KEY}"}
    shown += [caplog.text] + [p.read_bytes().decode("latin-1") for p in tmp_path.rglob("*") if p.is_file()]
    assert len(shown) > 8
    for text in shown:
        assert KEY not in text


def test_keys_in_wrong_places_are_refused(monkeypatch):
    monkeypatch.delenv("METACOG_TEST_KEY", raising=False)
    with pytest.raises(MetacogError, match="set the environment variable METACOG_TEST_KEY"):
        connect(Script(), key_env="METACOG_TEST_KEY")
    with pytest.raises(MetacogError, match="name") as caught:
        connect(Script(), key_env=KEY)
    assert KEY not in str(caught.value)
    monkeypatch.setenv("METACOG_TEST_KEY", KEY)
    with pytest.raises(MetacogError, match="alone"):
        connect(Script(), key_env="METACOG_TEST_KEY", extra_body={"api_key": KEY})
    for url in (
        f"http://me:{KEY}@127.0.0.1/v1",
        f"http://127.0.0.1/v1?key={KEY}",
        "ftp://127.0.0.1",
        "no url",
    ):
        with pytest.raises(MetacogError, match="url") as caught:
            EndpointEngine(url, "m")
        assert KEY not in str(caught.value)


# --- chat, score, choose, settings


def test_chat_turns_go_as_turns():
    script = Script(eos_token=True)
    turns = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Q: x"})
    with connect(script, api="chat") as engine:
        prompt = engine.render_chat(turns)
        task = GenerationTask(prompt, (Sample(0.0, 3),), turns)
        (made,) = engine.generate([task], max_tokens=8, stop=("\n",))[0]
        text, values, end, cut = script.expected(json.dumps(list(turns)), 0.0, 3, 8)
        assert (made.text, made.truncated) == (text, cut) and made.token_logprobs == pytest.approx(values)
        assert made.stop_logprob == (None if end is None else pytest.approx(end))
        engine.generate([GenerationTask("plain", (Sample(0.0, 3),))], max_tokens=2)
        assert script.bodies[-1]["messages"] == [{"role": "user", "content": "plain"}]
    with connect(Script()) as engine, pytest.raises(MetacogError, match="api: chat"):
        engine.render_chat(turns)


def test_a_refused_system_turn_is_folded_into_the_user_turn():
    script = Script(system=False)
    turns = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "Q: x"})
    with connect(script, api="chat") as engine:
        engine.generate([GenerationTask(engine.render_chat(turns), (Sample(0.0, 3),), turns)], max_tokens=2)
    assert script.bodies[-1]["messages"] == [{"role": "user", "content": "Be brief.\n\nQ: x"}]


def test_score_by_echo():
    prompt, texts = "The sky is", [" blue", " red sea", ""]
    with connect(Script()) as engine:
        scores = engine.score(prompt, texts)
        first = (
            distribution(prompt)[VOCABULARY.index(" red")],
            distribution(prompt + " red")[VOCABULARY.index(" sea")],
        )
        assert scores[0].token_logprobs == pytest.approx([distribution(prompt)[VOCABULARY.index(" blue")]])
        assert scores[1].token_logprobs == pytest.approx(first) and scores[2].n_tokens == 0
        with pytest.raises(MetacogError, match="edges of tokens"):
            engine.score(prompt, ["land"])
        (chosen,) = engine.choose_many([(prompt, [" blue", " red sea"])])
    assert chosen.logprobs == pytest.approx([s.sum_logprob for s in scores[:2]])
    assert chosen.chosen == chosen.options[np.argmax(chosen.logprobs)] and math.isclose(
        sum(chosen.probabilities), 1.0
    )


@pytest.mark.parametrize("switches", [{"echo": False}, {"echo_shift": 1}])
def test_servers_that_cannot_score_choose_among_single_tokens(switches):
    with connect(Script(**switches)) as engine:
        with pytest.raises(MetacogError, match="does not echo|own tokens"):
            engine.score("The sky is", [" blue"])
        (made,) = engine.choose_many([("The sky is", [" blue", " red"])], temperature=1.0, seeds=[4])
        assert made.logprobs == pytest.approx([distribution("The sky is")[i] for i in (1, 0)])
        with pytest.raises(MetacogError, match="cannot choose"):
            engine.choose_many([("The sky is", [" blue", " red sea"])])


def sky(options=("blue", "red")):
    """A conversation of a choice, two samples, and another choice and a score at once."""
    reported = yield Choose((user("The sky is"),), options)
    told = yield Generate((*reported.turns(), user("Why?")), 4, (0.0, 0.7))
    yield [Choose((*told.turns(1), user("Sure?")), options), Score((user("The sky is"),), (" red sea",))]


FORM = Prompt("p", "completion", "{question}", ())


def test_conversations_go_on_reply_by_reply():
    with connect(Script()) as engine:
        talks = [Conversation(sky(), FORM, seed=(n,)) for n in range(5)]
        replies = engine.serve(talks)
        blue, red = (engine.score("The sky is", [text])[0].sum_logprob for text in (" blue", " red"))
        again = engine.serve([Conversation(sky(), FORM, seed=(n,)) for n in range(5)])
    assert [[type(r).__name__ for r in row] for row in replies] == [
        ["Chosen", "Generated", "Chosen", "Scored"]
    ] * 5
    first = replies[0][0]
    assert (first.form, first.logprobs) == ("label", (blue, red))
    assert replies == again and len(replies[0][1].samples) == 2
    assert replies[0][3].scores[0].n_tokens == 2


@pytest.mark.parametrize(
    ("options", "form"), [(("blue", "red"), "label"), (("blue", "red sea"), "parsed")], ids=["top", "written"]
)
def test_a_server_that_cannot_score_says_what_was_done_instead(options, form):
    def ask(fallback):
        yield Choose((user("The sky is"),), options, fallback=fallback)

    with connect(Script(echo=False)) as engine:
        ((made,),) = engine.serve([Conversation(ask("parse"), FORM)])
        assert made.form == form
        if form == "parsed":
            assert made.text and math.isnan(made.probability("blue")) and made.chosen in ("", *options)
            with pytest.raises(MetacogError, match="cannot choose among these options"):
                engine.serve([Conversation(ask("fail"), FORM)])


def test_from_entry_takes_own_settings_and_passes_over_local_ones(monkeypatch):
    seen = {}
    monkeypatch.setattr(EndpointEngine, "__init__", lambda self, *a, **k: seen.update(k, a=a))
    source = {"endpoint": {"url": URL, "model": "served", "api": "chat", "concurrency": 3}}
    entry = ModelEntry("m", "M", "base", source, None, {})
    EndpointEngine.from_entry(entry, n_threads=2, width=8, timeout=5.0)
    own = {"api": "chat", "concurrency": 3, "timeout": 5.0, "model_sha256": None}
    assert seen == {"a": (URL, "served"), **own}
    with pytest.raises(MetacogError, match="unknown setting tiemout"):
        EndpointEngine.from_entry(entry, tiemout=5.0)


def test_works_inside_a_running_event_loop():
    async def notebook_cell():
        with connect(Script()) as engine:
            return engine.generate(tasks(2), max_tokens=4)

    assert len(asyncio.run(notebook_cell())) == 2


def test_a_closed_engine_says_so():
    engine = connect(Script())
    engine.close()
    engine.close()
    with pytest.raises(MetacogError, match="closed"):
        engine.generate(tasks(1), max_tokens=2)


# --- over a real socket


def test_hangs_dropped_connections_and_cut_bodies_over_a_socket():
    script = Script()
    with FaultProxy(script.answer) as proxy:
        url = proxy.url
        with EndpointEngine(url, "scripted", timeout=0.6, retries=10, concurrency=3) as engine:
            proxy.faults += [
                "hang",
                "drop",
                "429",
                "500",
                "cut",
                "trickle",
                "",
                "drop",
                "hang",
                "500",
                "stream",
            ]
            made = engine.generate(tasks(8), max_tokens=24, stop=("\n",))
            check_all(script, made, tasks(8))
            assert not proxy.faults and proxy.most <= 3 + 2  # two hung handlers may still be asleep
            assert engine._client.wire.retried == 10
    with pytest.raises(MetacogError, match="cannot be reached .ConnectError.*server is up"):
        EndpointEngine(url, "scripted", server_wait=0)


@pytest.fixture(scope="module", params=REAL_SERVERS)
def real_server(request):
    path, _ = locate(get_model("smollm2-135m"))
    kind = REAL_SERVERS[request.param]
    with kind.start(path) as url:
        yield kind, url, path


def same_values(found, wanted):
    """Whether log-probabilities are the same but for the rounding of quantised kernels.

    Kernels differ by machine and by batch shape: by 0.1 to 0.2 in a log-probability, either way, so that
    the mean over many tokens must be near nothing (here: within three standard errors).
    """
    difference = np.concatenate(found) - np.concatenate(wanted)
    return difference.std() < 0.3 and abs(difference.mean()) < 3 * 0.2 / math.sqrt(len(difference))


@pytest.mark.real
def test_real_server_agrees_with_the_local_engine(real_server, monkeypatch):
    """Oracle: a forced decode of the server's own answers by the local engine on the same file."""
    from metacog.collect.prompts import load_prompt
    from metacog.engines.endpoint import server as endpoint
    from metacog.engines.llama import LlamaEngine

    pieces = {}

    def remember(reply, *args, **options):
        made = to_generation(reply, *args, **options)
        pieces[made] = list(reply.pieces[: made.n_tokens])
        return made

    monkeypatch.setattr(endpoint, "to_generation", remember)
    kind, url, path = real_server
    prompt = load_prompt("fewshot-v1")
    questions = [
        "What is the capital of France?",
        "Who wrote Hamlet?",
        "What colour is the sky on a clear day?",
        "Which planet is known as the red planet?",
    ]
    samples = [Sample(0.0, 1), *(Sample(1.2, 10 + i) for i in range(4))]  # greedy, and some improbable ones
    with EndpointEngine(url, "smollm2", concurrency=2) as engine:
        info = engine.info
        asked = [prompt.task(q, samples, engine) for q in questions]
        remote = engine.generate(asked, max_tokens=8, stop=prompt.stop)
        with pytest.raises(MetacogError, match=kind.cannot_score):
            engine.score(asked[0].prompt, [" Paris"])
        (chosen,) = engine.choose_many([(asked[0].prompt, [" Paris", " London"])])
    assert info.settings["returns_stop_token"] is kind.returns_stop_token
    assert info.settings["fields_refused"] == []
    assert info.settings["logprob_shift_over_temperatures"] < 0.3
    assert chosen.chosen == " Paris" and chosen.logprobs[0] == pytest.approx(
        remote[0][0].sum_logprob, abs=0.3
    )
    found, wanted = [], []
    with LlamaEngine(path, n_ctx=512, n_threads=1) as local:
        own = local.generate(asked, max_tokens=8, stop=prompt.stop)
        for task, row in zip(asked, remote, strict=True):
            for made in row:
                scored = local.score(task.prompt, [made.text + "\n"])[0]
                known = [local.model.piece(token) for token in scored.token_ids]
                if known[:-1] != pieces[made]:
                    continue  # the text would be cut into other tokens than were drawn
                ended = made.stop_logprob is not None
                found.append(made.token_logprobs + (made.stop_logprob,) * ended)
                wanted.append(scored.token_logprobs[: len(found[-1])])
    assert sum(map(len, found)) >= 24
    assert same_values(found, wanted)
    assert not same_values([np.roll(v, 1) for v in found], wanted)  # one token off
    assert not same_values([np.divide(v, math.log(10)) for v in found], wanted)  # another base
    assert not same_values([np.add(v, 0.2) for v in found], wanted)  # normalised without a fifth of the mass
    assert sum(a[0].text == b[0].text for a, b in zip(remote, own, strict=True)) >= 3  # a near tie may tip


@pytest.mark.real
def test_real_server_behind_faults_loses_nothing(real_server):
    """Oracle: the same questions without faults; greedy answers, of which a near tie may tip."""
    _, url, _ = real_server
    wanted = [
        GenerationTask(f"Q: What is {n} and one?\nA:", (Sample(0.0, 1),)) for n in ("two", "ten", "six")
    ]
    with FaultProxy(url.removesuffix("/v1"), hang=20) as proxy:
        with EndpointEngine(proxy.url, "smollm2", concurrency=2, retries=8, timeout=15) as engine:
            calm = engine.generate(wanted, max_tokens=6, stop=("\n",))
            proxy.faults += ["500", "cut", "429", "dropped", "stream", "model", "drop", "nulls", "garbage"]
            made = engine.generate(wanted, max_tokens=6, stop=("\n",))
            assert not proxy.faults and engine._client.wire.retried == 9
    assert sum(a[0].text == b[0].text for a, b in zip(calm, made, strict=True)) >= 2
    assert all(np.isfinite(row[0].token_logprobs).all() for row in made)


@pytest.mark.real
def test_real_server_takes_the_seed(real_server):
    """One seed, asked for twice, draws the same token; where rounding tips a draw it may not."""
    _, url, _ = real_server
    task = GenerationTask("My favourite word is", tuple(Sample(1.0, seed) for seed in range(12)))
    with EndpointEngine(url, "smollm2", concurrency=2) as engine:
        once, again = engine.generate([task, task], max_tokens=1)
    assert sum(a.text == b.text for a, b in zip(once, again, strict=True)) >= 10
    assert len({generation.text for generation in once}) >= 4


@pytest.mark.real
@pytest.mark.parametrize("api", ["completions", "chat"])
def test_real_server_holds_a_written_choice_to_its_options(real_server, api):
    """No model writes these of its own accord, so that parsing alone would find none of them."""
    _, url, _ = real_server
    chat = Prompt("p", "chat", "{question}", ())
    form = chat if api == "chat" else Prompt("p", "completion", "Q: {question}\nA:", ("\n",))
    options = ("QUORN-1", 'zebra "9"', "Zürich")

    def ask(seed):
        yield Choose((user("Name an animal."),), options, 1.0, form="text", seed=seed)

    with EndpointEngine(url, "smollm2", api=api, concurrency=2) as engine:
        made = engine.serve([Conversation(ask(seed), form) for seed in range(6)])
        assert engine.info.settings["choices_held_by"] == "grammar"
    assert {reply.form for (reply,) in made} == {"parsed"}
    assert all(reply.chosen in options for (reply,) in made)
