"""The runner on a scripted engine: exact rows, resume, damage, locks, disk full, kill -9."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import textwrap
import time

import pandas as pd
import pytest
from scripted import ScriptedEngine

from metacog.collect.jobs import estimate, run_folder
from metacog.collect.lock import exclusive
from metacog.collect.runner import assemble, collect, make_plan, temperature_index
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError


@pytest.fixture
def plan():
    profile = dataclasses.replace(load_profile("smoke"), block_questions=7)
    return make_plan(profile, "smollm2-135m", "bank")


def opener(engine):
    return lambda entry, settings: engine


def test_rows_are_questions_times_temperatures(plan, tmp_path):
    report = collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    trials = assemble(plan, tmp_path)
    assert (report.n_new, report.n_kept, len(trials)) == (80, 0, 80)
    by_question = trials.groupby("question_id")["temperature"].apply(list)
    assert len(by_question) == 40 and all(sorted(t) == [0.7, 1.0] for t in by_question)
    assert (
        trials["seed"] == trials["question_index"] * 1000 + trials["temperature"].map({0.7: 3, 1.0: 4})
    ).all()
    assert trials["nlp"].isna().equals(trials["n_tokens"] == 0)
    assert not trials.loc[trials["match"].isin(["empty", "refusal", "none"]), "correct"].any()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["status"] == "complete" and len(manifest["parts"]) == 6
    assert manifest["engine"]["versions"]["python"]


def test_temperature_index_keeps_the_papers_places():
    assert [temperature_index(t, (0.1, 1.0, 0.8, 3.0)) for t in (0.1, 1.0, 0.8, 3.0)] == [0, 4, 7, 8]


def test_resume_gives_the_same_trials(plan, tmp_path):
    collect(plan, tmp_path / "whole", engine=ScriptedEngine(), progress=False)
    with pytest.raises(RuntimeError, match="engine stopped"):
        collect(plan, tmp_path / "cut", engine=ScriptedEngine(fail_after=2), progress=False)
    engine = ScriptedEngine()
    report = collect(plan, tmp_path / "cut", engine=engine, progress=False)
    assert (engine.calls, report.n_kept) == (4, 28)
    pd.testing.assert_frame_equal(assemble(plan, tmp_path / "whole"), assemble(plan, tmp_path / "cut"))


def test_nothing_is_loaded_when_all_is_done(plan, tmp_path):
    collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)

    def refuse(entry, settings):
        raise AssertionError("the model was loaded for nothing")

    assert collect(plan, tmp_path, opener=refuse, progress=False).n_new == 0


def test_damaged_and_missing_parts_are_collected_again(plan, tmp_path):
    collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    before = assemble(plan, tmp_path)
    parts = sorted((tmp_path / "parts").glob("*.parquet"))
    parts[1].write_bytes(parts[1].read_bytes()[:-20])
    parts[3].unlink()
    report = collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    assert report.damaged == [parts[1].name, parts[3].name]
    pd.testing.assert_frame_equal(assemble(plan, tmp_path), before)


@pytest.mark.parametrize("content", ["", "{broken", "\xff"])
def test_a_broken_manifest_loses_no_more_than_time(plan, tmp_path, content):
    collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    before = assemble(plan, tmp_path)
    (tmp_path / "manifest.json").write_text(content, encoding="latin-1")
    collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    pd.testing.assert_frame_equal(assemble(plan, tmp_path), before)


def test_two_runs_on_one_folder_exclude_each_other(plan, tmp_path):
    with exclusive(tmp_path), pytest.raises(MetacogError, match="another process"):
        collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)


def test_another_configuration_is_refused_and_gets_its_own_folder(plan, tmp_path):
    collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    other = make_plan(dataclasses.replace(plan.profile, max_tokens=9), "smollm2-135m", "bank")
    assert run_folder(other) != run_folder(plan)
    with pytest.raises(MetacogError, match="another configuration"):
        collect(other, tmp_path, engine=ScriptedEngine(), progress=False)


def test_a_full_disk_keeps_what_was_collected(plan, tmp_path, monkeypatch):
    import pyarrow.parquet as pq

    real, written = pq.write_table, []

    def full(table, handle, **options):
        written.append(1)
        if len(written) > 3:
            raise OSError(28, "No space left on device")
        real(table, handle, **options)

    monkeypatch.setattr(pq, "write_table", full)
    with pytest.raises(MetacogError, match="No space left on device.*goes on from there"):
        collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    assert not list((tmp_path / "parts").glob("*.tmp*"))
    monkeypatch.undo()
    report = collect(plan, tmp_path, engine=ScriptedEngine(), progress=False)
    assert (report.n_kept, len(assemble(plan, tmp_path))) == (42, 80)


def test_shards_cover_everything_once():
    profile = dataclasses.replace(load_profile("smoke"), block_questions=7, shards=4)
    plans = [make_plan(profile, "smollm2-135m", "bank", shard=k) for k in range(4)]
    assert sorted(b for p in plans for b in p.blocks) == list(range(6))
    whole = make_plan(dataclasses.replace(profile, shards=1), "smollm2-135m", "bank")
    assert [q.id for p in plans for b in p.blocks for q in p.block(b)] == [q.id for q in whole.questions]


def test_dry_run_collects_nothing(plan, tmp_path):
    found = estimate(plan, tmp_path / "run", opener(ScriptedEngine()))
    assert (found.n_trials, found.n_done) == (80, 0)
    assert found.seconds > 0 and "80 trials, 0 done" in found.text()
    assert not (tmp_path / "run").exists()


def test_unknown_names_are_answered_with_those_that_exist():
    profile = load_profile("smoke")
    with pytest.raises(MetacogError, match="no model 'gpt'.*smollm2-135m"):
        make_plan(profile, "gpt", "bank")
    with pytest.raises(MetacogError, match="no question set 'trivia'.*triviaqa-dev"):
        make_plan(profile, "smollm2-135m", "trivia")
    with pytest.raises(MetacogError, match="no profile 'big'.*default"):
        load_profile("big")


KILLED = """
    import dataclasses, sys, time
    sys.path.insert(0, {tests!r})
    from pathlib import Path
    from scripted import ScriptedEngine
    from metacog.collect.runner import collect, make_plan
    from metacog.core.config import load_profile

    class Slow(ScriptedEngine):
        def generate(self, *args, **kwargs):
            time.sleep(0.01)
            return super().generate(*args, **kwargs)

    profile = dataclasses.replace(load_profile("smoke"), block_questions=1)
    print("ready", flush=True)
    collect(make_plan(profile, "smollm2-135m", "bank"), Path(sys.argv[1]), engine=Slow(), progress=False)
"""


def test_kill_9_at_any_moment(tmp_path):
    profile = dataclasses.replace(load_profile("smoke"), block_questions=1)
    plan = make_plan(profile, "smollm2-135m", "bank")
    collect(plan, tmp_path / "whole", engine=ScriptedEngine(), progress=False)
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(KILLED.format(tests=os.path.dirname(__file__))))
    folder = tmp_path / "killed"
    for delay in (0.05, 0.11, 0.18, 0.23):
        child = subprocess.Popen([sys.executable, script, folder], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
    collect(plan, folder, engine=ScriptedEngine(), progress=False)
    pd.testing.assert_frame_equal(assemble(plan, folder), assemble(plan, tmp_path / "whole"))
