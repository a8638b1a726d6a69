"""The collection benchmark's arithmetic and its server peer.

Oracles: rates worked out by hand from round numbers, and a stand-in for llama-server whose answers, their
times and their log-probabilities are known.
"""

import json
import os
import stat
import sys
import textwrap
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import llama_server
import numpy as np
import pytest
from collecting import figures, served
from collecting.work import Work, default_work

from metacog.core.config import load_profile
from metacog.engines.base import GenerationTask, Sample


def engine_run(trials, seconds, **more):
    """A part of the engine in which a trial draws 10 tokens and every second step row serves two trials."""
    return {
        "trials": trials,
        "seconds": seconds,
        "cpu_seconds": 2 * seconds,
        "tokens_a_trial": 10.0,
        "decoded": {"prompt_tokens": 100 * trials // 10, "step_tokens": 8 * trials},
        "settings": {"cpu": "CPU : AVX2 = 1"},
        "peak_rss_mb": 1.0,
        "load_before": 0.0,
    } | more


def bare_run(cache, tokens_a_second):
    return {
        "cache": cache,
        "step_tokens": 1000,
        "step_seconds": 1000 / tokens_a_second,
        "step_cpu_seconds": 2000 / tokens_a_second,
        "prompt_tokens": 100,
        "prompt_seconds": 0.1,
        "prompt_cpu_seconds": 0.2,
    }


def peer(trials_a_second, drawn=10.0, **more):
    run = {"trials": 10, "seconds": 10 / trials_a_second, "cpu_seconds": 1.0, "tokens_a_trial": drawn}
    return run | {"peak_rss_mb": 1.0} | more


def served_by(trials_a_second, **more):
    setting = {"slots": 8, "order": "questions", "spin": False}
    facts = {"tokens": 100, "tokens_read_a_trial": 13.0, "with_logprobs": 1.0}
    return peer(trials_a_second, **setting | facts | more)


CHECK = {
    "questions": 6,
    "same_text": 5,
    "same_number_of_logprobs": 5,
    "nlp_mean_difference": 0.01,
    "nlp_largest_difference": 0.02,
}


def runs(**changed):
    made = {
        "engine": [engine_run(100, 2.0), engine_run(300, 8.0)],  # 40 trials a second together
        "bare": [bare_run(c, r) for c, r in [("unified", 300), ("streams", 400)] * 2],
        "search": [served_by(9.0), served_by(10.0, order="temperatures")],
        "server_check": CHECK,
        "server": served_by(10.0, drawn=8.0),
        "server_no_logprobs": peer(20.0),
        "paper_loop": peer(4.0),
        "no_logprobs": peer(8.0),
    }
    return made | changed


def test_rates_and_ratios_are_those_worked_out_by_hand():
    made = figures.results("smollm2-135m", runs())
    assert made["engine_trials_a_second"] == 40 and made["trials"] == 400
    assert made["times_server_seconds"] == 4 and made["times_server_tokens_seconds"] == 5
    assert made["times_server_no_logprobs_seconds"] == 2
    assert made["times_paper_loop_seconds"] == 10 and made["times_no_logprobs_seconds"] == 5
    # the faster cache counts: 400 tokens a second, 10 drawn a trial
    assert made["bare_cache"] == "streams" and made["bare_trials_a_second"] == pytest.approx(40)
    assert made["times_bare_seconds"] == pytest.approx(1)
    # 4,000 prompt tokens at 1 ms and 3,200 of steps at 2.5 ms are 12 of 10 seconds
    assert made["share_of_llama_cpp_seconds"] == pytest.approx(1.2)
    assert [row["engine_trials_a_second"] for row in made["drift"]] == [50, 37.5]
    assert [row["times_bare"] for row in made["drift"]] == pytest.approx([1.25, 0.9375])


@pytest.mark.parametrize(
    ("changed", "met"),
    [
        ({}, [True, True, True]),
        ({"server": served_by(10.1)}, [False, True, True]),
        ({"paper_loop": peer(5.1)}, [True, False, True]),
        ({"bare": [bare_run("unified", 422)] * 2}, [True, True, False]),
        ({"bare": [bare_run("unified", 420)] * 2}, [True, True, True]),  # 0.952
        ({"engine": [engine_run(200, 5.0, settings={"cpu": "AMX_INT8 = 1"})] * 2}, [True, False, True]),
    ],
)
def test_targets_are_met_or_not(changed, met):
    made = figures.results("smollm2-135m", runs(**changed))
    assert [aim["met"] for aim in made["targets"]] == met
    assert figures.report([made]).count("NOT MET") == met.count(False)


def test_a_server_that_was_not_measured_is_a_target_missed():
    without = {k: v for k, v in runs().items() if not k.startswith("server")}
    made = figures.results("gemma3-270m", without)
    assert made["server_slots"] is None and not made["targets"][0]["met"]
    assert made["targets"][0]["least"] == 8 and "NOT MET" in figures.report([made])


def work(n):
    samples = tuple(Sample(t, 10 + i) for i, t in enumerate((0.1, 1.0)))
    tasks = tuple(GenerationTask(f"Q: {i}?\nA:", samples) for i in range(n))
    return Work(tasks, ("\n",), 24, 50)


def test_the_work_is_what_the_default_profile_asks():
    asked = load_profile("default").studies["study1_qa"]
    work = default_work("smollm2-135m", 3)
    assert len(work.tasks) == 3 and all(task.prompt for task in work.tasks)
    assert [sample.temperature for sample in work.tasks[0].samples] == asked["temperatures"]
    assert (work.max_tokens, work.block) == (asked["max_tokens"], asked["block_items"])


def test_requests_come_question_by_question_or_temperature_by_temperature():
    asked = served.in_order(work(2).tasks, "questions")
    assert [(r.prompt[3], r.sample.seed) for r in asked] == [("0", 10), ("0", 11), ("1", 10), ("1", 11)]
    asked = served.in_order(work(2).tasks, "temperatures")
    assert [(r.prompt[3], r.sample.seed) for r in asked] == [("0", 10), ("1", 10), ("0", 11), ("1", 11)]


class StandIn:
    """A server that answers after a while, and notes what it is asked and how many ask at once."""

    def __init__(self):
        self.bodies, self.busy, self.most, lock = [], 0, 0, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def do_POST(handler):
                body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
                with lock:
                    self.bodies.append(body)
                    self.busy += 1
                    self.most = max(self.most, self.busy)
                time.sleep(0.02)
                with lock:
                    self.busy -= 1
                answer = {
                    "content": f" {body['seed']}",
                    "tokens_predicted": 3,
                    "timings": {"prompt_n": 5, "predicted_ms": 10.0},
                }
                if body.get("n_probs"):
                    answer["completion_probabilities"] = [{"logprob": -0.5}, {"logprob": -0.25}]
                data = json.dumps(answer).encode()
                handler.send_response(500 if "Q: 99?" in body["prompt"] else 200)
                handler.send_header("content-length", str(len(data)))
                handler.end_headers()
                handler.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        threading.Thread(target=self.http.serve_forever, daemon=True).start()
        self.server = llama_server.Server("127.0.0.1", self.http.server_port, os.getpid())


@pytest.fixture
def stand_in():
    made = StandIn()
    yield made
    made.http.shutdown()
    made.http.server_close()


def test_every_counted_request_is_answered_with_the_queue_kept_full(stand_in):
    wanted = work(30)
    requests = served.in_order(wanted.tasks, "questions")
    answers = served.serve(stand_in.server, requests, wanted, in_flight=6, until=40, logprobs=True)
    assert set(range(35)) <= set(answers) and 40 <= len(answers) < 46 and stand_in.most == 6
    assert answers[3].text == " 11" and answers[3].logprobs == (-0.5, -0.25) and answers[3].n_drawn == 3
    assert answers[3].n_read == 5 and answers[3].done - answers[3].first == pytest.approx(0.01)
    first = next(b for b in stand_in.bodies if b["prompt"] == "Q: 0?\nA:" and b["seed"] == 10)
    assert (first["temperature"], first["n_predict"], first["stop"]) == (0.1, 24, ["\n"])
    assert first["n_probs"] == 1 and first["cache_prompt"] is True and first["samplers"] == ["temperature"]
    plain = served.serve(stand_in.server, requests[:4], wanted, in_flight=2, until=4, logprobs=False)
    assert plain[0].logprobs is None and "n_probs" not in stand_in.bodies[-1]


def test_the_rate_is_that_of_steady_work_however_many_are_in_flight():
    # 8 slots that draw 10 tokens a second each, answers of 1 to 20 tokens by turns
    rng, made, free = np.random.default_rng(1), [], [0.0] * 8
    for _ in range(200):
        slot, n = int(np.argmin(free)), int(rng.integers(1, 21))
        first = free[slot] + 0.1
        free[slot] += 0.1 * n
        made.append(served.Answer("", n, 1, None, first, free[slot]))
    for until in (30, 100):
        found = served.steady(made, 8, until)
        assert found.tokens / found.seconds == pytest.approx(80, rel=0.02)


def test_the_best_setting_is_the_one_with_the_most_trials_a_second():
    found = [served_by(4.0, slots=2), served_by(9.0, slots=16, spin=True), served_by(8.0, slots=32)]
    assert served.best(found) == served.Setting(16, "questions", True)


def test_a_refused_request_ends_the_run_and_is_told(stand_in):
    requests = served.in_order(work(100).tasks[95:], "questions")
    with pytest.raises(SystemExit, match="answered 500"):
        served.serve(stand_in.server, requests, work(1), in_flight=2, until=10, logprobs=True)


# --- the server's own process


def script(path, text):
    path.write_text(f"#!{sys.executable}\n" + textwrap.dedent(text))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_the_server_is_awaited_and_gone_afterwards(tmp_path):
    stubborn = script(
        tmp_path / "server",
        """
        import http.server, signal, sys, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        class H(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200); self.end_headers(); self.wfile.write(b'{"status": "ok"}')
            def log_message(self, *a): pass
        time.sleep(0.3)
        port = int(sys.argv[sys.argv.index("--port") + 1])
        http.server.HTTPServer(("127.0.0.1", port), H).serve_forever()
        """,
    )
    with pytest.raises(KeyboardInterrupt):
        with llama_server.running(tmp_path, slots=2, threads=1, executable=stubborn, patience=0.5) as server:
            assert is_running(server.pid)
            raise KeyboardInterrupt
    assert not is_running(server.pid)


def test_a_server_that_ends_at_once_says_why(tmp_path):
    broken = script(tmp_path / "server", "import sys; sys.exit('no such kernel')")
    with pytest.raises(llama_server.Unavailable, match="status 1.*\n.*no such kernel"):
        with llama_server.running(tmp_path, slots=2, threads=1, executable=broken):
            pass


def test_the_lock_names_the_source_and_its_checksum(tmp_path, monkeypatch):
    version, requirement = llama_server.locked()
    assert requirement.startswith(f"llama-cpp-python=={version}") and "--hash=sha256:" in requirement
    lock = tmp_path / "requirements.lock"
    lock.write_text("llama-cpp-python==0.3.0\n")
    with pytest.raises(llama_server.Unavailable, match="no llama-cpp-python with a checksum"):
        llama_server.locked(lock)


def test_missing_tools_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path))
    assert llama_server.built() is None
    monkeypatch.setattr(llama_server.shutil, "which", lambda name: None)
    with pytest.raises(llama_server.Unavailable, match="cmake is missing"):
        llama_server.build()
