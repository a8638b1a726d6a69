"""A server that is not there: waited for up to a stated time, said on one line, and given up then.

Oracles: a scripted server that refuses connections while a clock of the test's own runs, asked without that; and the
real server, killed and started again.
"""

import dataclasses
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from real_servers import free_port, python_server
from scripted_server import URL, Clock, Script, connect

from metacog.collect import jobs, models
from metacog.collect.manifest import Manifest
from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.plan import make_plan, open_engine
from metacog.commands._adding import Candidate, add_model
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.events import EVENTS
from metacog.engines.base import GenerationTask, Sample
from metacog.studies import get_study

PROMPTS = {"fewshot": "fewshot-v1", "zeroshot": "zeroshot-base-v1", "plain": "plain-base-v1"}
TASKS = [GenerationTask(f"q {i}", (Sample(0.0, 1), Sample(1.0, i))) for i in range(6)]


def refused(request):
    return httpx2.ConnectError("[Errno 111] Connection refused", request=request)


def loading(request):
    return httpx2.Response(503, json={"error": {"message": "Loading model", "type": "unavailable_error"}})


class Outage:
    """Refuses from a request on, until the clock has come to a time."""

    def __init__(self, clock, begins, until, answer=refused):
        self.clock, self.begins, self.until, self.answer = clock, begins, until, answer
        self.n = 0

    def __call__(self, number, request):
        if number >= self.begins and self.clock.now < self.until:
            self.n += 1
            return self.answer(request)
        return None


@pytest.mark.parametrize("answer", [refused, loading])
@pytest.mark.parametrize("begins", [0, 40])
def test_it_is_waited_for_and_nothing_is_lost(begins, answer, capsys):
    script, clock = Script(), Clock()
    with connect(script) as calm:
        wanted = calm.generate(TASKS, max_tokens=6)
    outage = Outage(clock, begins, 420.0, answer)
    with connect(script, outage, clock, concurrency=4) as engine:
        for _ in range(3):
            assert engine.generate(TASKS, max_tokens=6) == wanted
    assert clock.now >= 420 and outage.n > 10
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"{URL} cannot be reached (") and line.endswith("waiting for it, up to 10:00 min")


def test_one_that_stays_away_is_given_up_after_that_time(capsys):
    clock = Clock()
    with pytest.raises(
        MetacogError, match=r"Connection refused\), and was waited for 3:20 min.*same command"
    ):
        connect(Script(), Outage(clock, 0, 1e9), clock, server_wait=200)
    assert 200 <= clock.now < 201 and len(capsys.readouterr().err.splitlines()) == 1


def test_two_outages_are_two_waits(capsys):
    clock = Clock()
    with connect(Script(), lambda n, r: refused(r) if clock.now % 1000 < 500 else None, clock) as engine:
        assert clock.now >= 500
        clock.now = 1000.0
        engine.generate(TASKS, max_tokens=2)
    assert clock.now >= 1500 and len(capsys.readouterr().err.splitlines()) == 2


def test_a_certificate_that_is_wrong_stays_wrong():
    clock = Clock()
    wrong = httpx2.ConnectError("[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed")
    with pytest.raises(MetacogError, match="failed 7 times.*CERTIFICATE"):
        connect(Script(), lambda n, r: wrong, clock)
    assert clock.now < 60


def test_another_step_of_the_same_book_does_not_wait_again(tmp_path, monkeypatch):
    monkeypatch.setenv(EVENTS, str(tmp_path / "book.jsonl"))
    clock = Clock()
    with pytest.raises(MetacogError, match="was waited for 10:00 min"):
        connect(Script(), Outage(clock, 0, 1e9), clock)
    clock = Clock()
    with pytest.raises(MetacogError, match=r"waited for in vain before.*same command"):
        connect(Script(), Outage(clock, 0, 1e9), clock)
    assert not clock.slept
    with connect(Script()) as engine:  # it is back
        engine.generate(TASKS, max_tokens=2)


def served(url, **more):
    return ModelEntry("away", "Away", "base", {"endpoint": {"url": url, "model": "m"}}, None, PROMPTS, **more)


def test_an_address_without_a_server_is_told_at_once_where_a_model_is_tried(tmp_path, monkeypatch):
    address = f"http://127.0.0.1:{free_port()}/v1"
    started = time.monotonic()
    source = {"endpoint": {"url": address, "model": "m"}}
    with pytest.raises(MetacogError, match=f"{address} cannot be reached .*: check the address"):
        add_model(Candidate("away", source, kind="base", profile="smoke"), dry_run=True)
    monkeypatch.setattr(models, "load_models", lambda: {"away": served(address)})
    smoke = dataclasses.replace(load_profile("smoke"), models=("away",))
    for options in ({"dry_run": True}, {"server_wait": 0}):
        with pytest.raises(MetacogError, match=f"{address} cannot be reached .*: check the address"):
            jobs.run([get_study("study1_qa")], smoke, collections=["open"], runs=tmp_path, **options)
    assert time.monotonic() - started < 10


def test_the_time_stands_in_the_entry_and_decides_no_reply(capsys):
    entry = served(f"http://127.0.0.1:{free_port()}/v1", server_wait=0.5)
    started = time.monotonic()
    with pytest.raises(MetacogError, match="was waited for 0 s"):
        open_engine(entry)
    assert 0.5 <= time.monotonic() - started < 5
    keys = {
        make_plan(get_study("study1_qa"), "open", load_profile("smoke"), one, "bank").config_hash
        for one in (entry, dataclasses.replace(entry, server_wait=None))
    }
    assert len(keys) == 1


@pytest.mark.real
def test_a_real_server_killed_in_the_middle_and_started_again(tmp_path, monkeypatch, capsys):
    """Oracle: the manifest (each item once), and the same questions asked of a server that stays up."""
    path, _ = locate(get_model("smollm2-135m"))
    smoke = load_profile("smoke")
    block = {**smoke.studies["study1_qa"], "datasets": {"bank": {"limit": 16}}, "block_items": 8}
    profile = dataclasses.replace(
        smoke, models=("away",), studies={"study1_qa": block | {"temperatures": [0.0], "max_tokens": 6}}
    )
    port = free_port()
    entry = served(f"http://127.0.0.1:{port}/v1", ask_twice=0.0, server_wait=60)
    monkeypatch.setattr(models, "load_models", lambda: {"away": entry})

    def collected(runs):
        jobs.run([get_study("study1_qa")], profile, collections=["open"], runs=runs, progress=False)
        (target,) = jobs.targets(get_study("study1_qa"), profile, collections=["open"], runs=runs)
        (plan,) = target.plans()
        return Manifest.stored(plan.folder(runs)), target.read()[0].trials

    with ThreadPoolExecutor(1) as pool:
        with python_server(path, n_ctx=1024, port=port, end=subprocess.Popen.kill):
            running = pool.submit(collected, tmp_path / "killed")
            while not any(one.stat().st_size for one in tmp_path.rglob("*.journal")):
                assert not running.done()
                time.sleep(0.02)
        time.sleep(2)
        assert not running.done()
        with python_server(path, n_ctx=1024, port=port):
            manifest, trials = running.result(timeout=100)
            _, wanted = collected(tmp_path / "calm")
    assert [part["rows"] for part in manifest["parts"].values()] == [8, 8] and len(manifest["sessions"]) == 1
    assert manifest["status"] == "complete" and not manifest["damaged"]
    assert trials["question_id"].tolist() == wanted["question_id"].tolist()
    assert (trials["text"] == wanted["text"]).sum() >= 15  # a near tie may tip
    assert sum("cannot be reached" in line for line in capsys.readouterr().err.splitlines()) == 1
