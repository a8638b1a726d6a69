"""The runner on a stub engine: resume, damage, locks, disk full, journals, kill -9, and reading again."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pandas as pd
import pytest
from stub_engine import StubEngine
from toy_study import STUDY as TOY

from metacog.collect import jobs, reading
from metacog.collect.estimate import Estimate, estimate, needs_of_jobs
from metacog.collect.manifest import Manifest, run_facts
from metacog.collect.models import get_model
from metacog.collect.plan import Loaded, make_plan
from metacog.collect.replies import Journal
from metacog.collect.runner import collect
from metacog.collect.scoring import Marking
from metacog.core import code
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.events import EVENTS, Follower
from metacog.engines.base import Generation, Spent
from metacog.engines.requests import Exchange, Generate, Generated
from metacog.studies import get_study
from metacog.studies.study1_qa.asking import collections as study1

QA = get_study("study1_qa")


def smoke(**settings):
    """The smoke profile with other settings of study 1."""
    profile = load_profile("smoke")
    return dataclasses.replace(profile, studies={"study1_qa": {**profile.studies["study1_qa"], **settings}})


@pytest.fixture
def plan():
    return make_plan(QA, "open", smoke(block_items=7), "smollm2-135m", "bank")


def toy_plan(n_items=24, **options):
    profile = dataclasses.replace(
        load_profile("smoke"), studies={"toy_study": {"n_items": n_items}}, **options
    )
    return make_plan(TOY, "keep", profile, "smollm2-135m", "items")


def trials_of(plan, folder):
    return reading.read_replies([(plan, folder)]).trials


def test_rows_are_what_was_asked(plan, tmp_path):
    report = collect(plan, tmp_path, engine=StubEngine(), progress=False)
    trials = trials_of(plan, tmp_path)
    assert (report.n_items, report.n_new, len(trials)) == (40, 40, 80)
    by_question = trials.groupby("question_id")["temperature"].apply(list)
    assert len(by_question) == 40 and all(sorted(t) == [0.7, 1.0] for t in by_question)
    # the seeds that the study pre-registered, not the runner's own
    index = trials["temperature"].map({0.7: 3, 1.0: 4})
    assert (trials["seed"] == trials["question_index"] * 1000 + index).all()
    assert trials["nlp"].isna().equals(trials["n_tokens"] == 0)
    assert not trials.loc[trials["match"].isin(["empty", "refusal", "none"]), "correct"].any()
    manifest = json.loads((tmp_path / "manifest.json").read_text())
    assert manifest["status"] == "complete" and len(manifest["parts"]) == 6
    assert sum(part["rows"] for part in manifest["parts"].values()) == 80
    assert manifest["engine"]["versions"]["python"]


def test_resume_gives_the_same_replies(plan, tmp_path):
    collect(plan, tmp_path / "whole", engine=StubEngine(), progress=False)
    with pytest.raises(RuntimeError, match="engine stopped"):
        collect(plan, tmp_path / "cut", engine=StubEngine(fail_after=2), progress=False)
    engine = StubEngine()
    report = collect(plan, tmp_path / "cut", engine=engine, progress=False)
    assert (engine.calls, report.n_kept) == (4, 14)
    for part in sorted((tmp_path / "whole/parts").iterdir()):
        pd.testing.assert_frame_equal(
            pd.read_parquet(part), pd.read_parquet(tmp_path / "cut/parts" / part.name)
        )


class CountingEngine(StubEngine):
    """Spends 100 tokens read and 7 written on a block."""

    @property
    def spent(self):
        return Spent(100 * self.calls, 7 * self.calls, 3 * self.calls, 300 * self.calls)


def test_tokens_of_each_block_are_in_the_manifest_and_half_a_count_is_none(plan, tmp_path):
    with pytest.raises(RuntimeError, match="engine stopped"):
        collect(plan, tmp_path, engine=CountingEngine(fail_after=2), progress=False)
    first = run_facts([Manifest.stored(tmp_path)]).iloc[0]
    assert (first["tokens_read"], first["tokens_written"]) == (200, 14)
    collect(plan, tmp_path, engine=CountingEngine(), progress=False)
    whole = run_facts([Manifest.stored(tmp_path)]).iloc[0]
    assert (whole["tokens_read"], whole["tokens_written"]) == (600, 42)
    parts = Manifest.stored(tmp_path)["parts"].values()
    assert {(part["tokens_hidden"], part["tokens_sent"]) for part in parts} == {(3, 300)}
    next((tmp_path / "parts").glob("*.parquet")).unlink()
    collect(plan, tmp_path, engine=StubEngine(), progress=False)  # counts nothing
    assert run_facts([Manifest.stored(tmp_path)])[["tokens_read", "tokens_written"]].isna().all(axis=None)


def test_nothing_is_loaded_when_all_is_done(plan, tmp_path):
    collect(plan, tmp_path, engine=StubEngine(), progress=False)

    def refuse(entry, settings):
        raise AssertionError("the model was loaded for nothing")

    assert collect(plan, tmp_path, models=Loaded(refuse), progress=False).n_new == 0


def test_damaged_and_missing_parts_are_collected_again(plan, tmp_path):
    collect(plan, tmp_path, engine=StubEngine(), progress=False)
    before = trials_of(plan, tmp_path)
    parts = sorted((tmp_path / "parts").glob("*.parquet"))
    parts[1].write_bytes(parts[1].read_bytes()[:-20])
    parts[3].unlink()
    report = collect(plan, tmp_path, engine=StubEngine(), progress=False)
    assert report.damaged == [parts[1].name, parts[3].name]
    pd.testing.assert_frame_equal(trials_of(plan, tmp_path), before)


@pytest.mark.parametrize("content", ["", "{broken", "\xff"])
def test_a_broken_manifest_loses_no_more_than_time_and_is_told(plan, tmp_path, content, capsys):
    collect(plan, tmp_path, engine=StubEngine(), progress=False)
    before = trials_of(plan, tmp_path)
    (tmp_path / "manifest.json").write_text(content, encoding="latin-1")
    with pytest.raises(MetacogError, match="run `metacog collect`"):
        trials_of(plan, tmp_path)
    collect(plan, tmp_path, engine=StubEngine(), progress=False)
    assert capsys.readouterr().err.count("manifest.json is damaged: the replies that it vouched for") == 1
    pd.testing.assert_frame_equal(trials_of(plan, tmp_path), before)


class Served(StubEngine):
    """A server that says which model answers."""

    def __init__(self, model, **options):
        super().__init__(journalled=True, **options)
        self.model = model

    @property
    def info(self):
        return dataclasses.replace(super().info, settings={"served_model": self.model})


def test_another_model_does_not_go_on_with_the_replies_of_the_first(plan, tmp_path):
    with pytest.raises(RuntimeError):
        collect(plan, tmp_path, engine=Served("first", fail_after_replies=3), progress=False)
    with pytest.raises(
        MetacogError, match="has replies of 'first', and now 'second' answers: .* name of its own"
    ):
        collect(plan, tmp_path, engine=Served("second"), progress=False)
    assert collect(plan, tmp_path, engine=Served("first"), progress=False).n_new == 40


def test_another_configuration_is_refused_and_gets_its_own_folder(plan, tmp_path):
    collect(plan, tmp_path, engine=StubEngine(), progress=False)
    other = make_plan(QA, "open", smoke(max_tokens=9, block_items=7), "smollm2-135m", "bank")
    assert other.folder() != plan.folder()
    with pytest.raises(MetacogError, match="another configuration"):
        collect(other, tmp_path, engine=StubEngine(), progress=False)


def test_the_key_is_of_the_requests_and_of_what_decides_the_last_bits(plan):
    same = make_plan(QA, "open", smoke(block_items=7, forced_questions=5), "smollm2-135m", "bank")
    assert same.config_hash == plan.config_hash  # open answers do not ask for it
    others = [smoke(block_items=8), smoke(block_items=7, temperatures=[0.7, 1.5])]
    others.append(dataclasses.replace(smoke(block_items=7), engine={"width": 7}))
    hashes = {make_plan(QA, "open", p, "smollm2-135m", "bank").config_hash for p in others}
    assert len(hashes | {plan.config_hash}) == 4


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
        collect(plan, tmp_path, engine=StubEngine(), progress=False)
    assert not list((tmp_path / "parts").glob("*.tmp*"))
    monkeypatch.undo()
    report = collect(plan, tmp_path, engine=StubEngine(), progress=False)
    assert (report.n_kept, len(trials_of(plan, tmp_path))) == (21, 80)


def test_shards_cover_everything_once(tmp_path):
    profile = dataclasses.replace(smoke(block_items=7), shards=4)
    target = jobs.Target(QA, "open", profile, "smollm2-135m", "bank", runs=tmp_path)
    plans = list(target.plans())
    assert sorted(b for p in plans for b in p.blocks) == list(range(6))
    for plan in plans:
        collect(plan, plan.folder(tmp_path), engine=StubEngine(), progress=False)
    whole = make_plan(QA, "open", smoke(block_items=7), "smollm2-135m", "bank")
    collect(whole, tmp_path / "whole", engine=StubEngine(), progress=False)
    pd.testing.assert_frame_equal(target.read()[0].trials, trials_of(whole, tmp_path / "whole"))


def test_dry_run_collects_nothing(plan, tmp_path):
    found = estimate(plan, tmp_path / "run", lambda entry, settings: StubEngine())
    assert (found.n_items, found.n_done) == (40, 0)
    assert found.seconds > 0 and "40 items, 0 done" in found.text()
    assert found.memory > 10 * 2**20 or sys.platform != "linux"
    assert not (tmp_path / "run").exists()


def test_a_dry_run_says_what_each_shard_needs_as_a_job_of_a_cluster(tmp_path, monkeypatch):
    """A job asks all sets of a collection: their times add up, and the largest needs the memory."""

    def probe(plan, folder, opener, like):
        shard, *_ = plan.config["shard"]
        seconds = 60.0 * (len(plan.dataset) + 100 * shard)
        return Estimate(plan.title, 9, 0, 1.0, seconds, 1, 1, memory=(200 + shard) * 10**6)

    monkeypatch.setattr(jobs, "estimate", probe)
    study, said = get_study("study2_two_choice"), []
    profile = dataclasses.replace(load_profile("smoke"), shards=2)
    sets = jobs.targets(study, profile, collections=["confidence"])
    minutes = sum(len(one.dataset) for one in sets)
    jobs.run([study], profile, collections=["confidence"], runs=tmp_path, dry_run=True, echo=said.append)
    assert len(sets) > 1 and len(said) == len(sets) + 4
    job = "  study2_two_choice confidence: smollm2-135m, shard"
    longest = minutes + 100 * len(sets)
    assert said[-3:-1] == [f"{job} 0: {minutes} min, 200 MB", f"{job} 1: {longest} min, 201 MB"]
    assert f"runtime: {2 * longest + 5}, mem_mb: 302 " in said[-1]


def test_a_job_that_has_nothing_to_ask_needs_nothing():
    done = Estimate("a", 9, 9, 0.0, 0.0, 0, 0)
    assert needs_of_jobs({"a": [done]}) == [] and needs_of_jobs({}) == []


def test_unknown_names_are_answered_with_those_that_exist():
    with pytest.raises(MetacogError, match="no model 'gpt'.*smollm2-135m"):
        make_plan(QA, "open", smoke(), "gpt", "bank")
    with pytest.raises(MetacogError, match="no question set 'trivia'.*triviaqa-dev"):
        make_plan(QA, "open", smoke(), "smollm2-135m", "trivia")
    with pytest.raises(MetacogError, match="no collection 'closed'; it has: open, draws, forced"):
        make_plan(QA, "closed", smoke(), "smollm2-135m", "bank")
    with pytest.raises(MetacogError, match="no setting heat; there are: datasets"):
        make_plan(QA, "open", smoke(heat=3), "smollm2-135m", "bank")
    with pytest.raises(MetacogError, match="no block for toy_study"):
        make_plan(TOY, "keep", smoke(), "smollm2-135m", "items")
    with pytest.raises(MetacogError, match="there is no set 'bank'; there are: items"):
        make_plan(TOY, "keep", toy_plan().profile, "smollm2-135m", "bank")


# ---------------------------------------------------------------------------- several turns


def test_an_endpoints_replies_are_journalled_and_not_asked_twice(tmp_path):
    plan = toy_plan()
    whole, cut = StubEngine(journalled=True), StubEngine(journalled=True, fail_after_replies=20)
    collect(plan, tmp_path / "whole", engine=whole, progress=False)
    with pytest.raises(RuntimeError):
        collect(plan, tmp_path / "cut", engine=cut, progress=False)
    (journal,) = (tmp_path / "cut/parts").glob("*.journal")
    with open(journal, "a", encoding="utf-8") as handle:
        handle.write('{"item": "pair-0')  # a line that a dying process left
    rest = StubEngine(journalled=True)
    collect(plan, tmp_path / "cut", engine=rest, progress=False)
    assert cut.given + rest.given == whole.given
    pd.testing.assert_frame_equal(trials_of(plan, tmp_path / "cut"), trials_of(plan, tmp_path / "whole"))
    assert not list((tmp_path / "cut/parts").glob("*.journal"))


def test_a_journal_gives_back_every_whole_line_and_drops_a_torn_one(tmp_path):
    """Replies may hold what other readers take for the end of a line."""
    text, file = "one\u2028two\u0085three\r\nfour", tmp_path / "parts/block-0.journal"
    request = Generate(({"role": "user", "content": "?"},), 8)
    reply = Generated((Generation(text, (), (), 4, -1.5, None, False),))
    first = Journal(file)
    first.writer("a", 0)(Exchange(0, 0, request, reply))
    first.close()
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: len(whole) // 2])
    again = Journal(file)
    assert file.read_bytes() == whole
    assert again.known["a"][0, 0].reply(request).samples[0].text == text
    again.writer("b", 1)(Exchange(0, 0, request, reply))
    again.close()
    assert set(Journal(file).known) == {"a", "b"}


def test_conversations_that_would_now_diverge_are_left_out_and_asked_again(tmp_path, monkeypatch):
    plan = toy_plan()
    collect(plan, tmp_path, engine=StubEngine(), progress=False)
    before = trials_of(plan, tmp_path)
    real = type(plan.collection).ask

    def ask(self, item, settings):  # the parser of today takes the third pair's reply in another way
        talk = real(self, item, settings)
        reply = yield next(talk)
        if item.id == "pair-002":
            reply = dataclasses.replace(reply, chosen="7")
        try:
            while True:
                reply = yield talk.send(reply)
        except StopIteration:
            return

    monkeypatch.setattr(type(plan.collection), "ask", ask)
    found = reading.read_replies([(plan, tmp_path)])
    assert found.diverged == ("pair-002",)
    assert "1 of 24 conversations" in found.remarks()[0]
    pd.testing.assert_frame_equal(
        found.trials, before[before["question_id"] != "pair-002"].reset_index(drop=True)
    )
    report = collect(plan, tmp_path, engine=StubEngine(), progress=False)
    assert (report.changed, report.n_new) == ([0], 6)
    assert reading.read_replies([(plan, tmp_path)]).diverged == ()


def test_what_was_parsed_is_named_and_counted(tmp_path):
    plan = toy_plan(60)
    collect(plan, tmp_path, engine=StubEngine(scores=False), progress=False)
    found = reading.read_replies([(plan, tmp_path)])
    assert set(found.trials["form"]) == {"parsed"} and found.trials["p_keep"].isna().all()
    assert found.n_unparsed == (found.trials["parse_status"] == "unclear").sum() > 0
    assert any(f"{found.n_unparsed} of 60 replies" in remark for remark in found.remarks())


# ---------------------------------------------------------------------------- reading again


def collected(target, runs):
    for plan in target.plans():
        collect(plan, plan.folder(runs), engine=StubEngine(), progress=False)
    return target.read()


def test_a_new_marker_reads_again_and_asks_nothing(tmp_path, monkeypatch):
    open_, _, forced = jobs.targets(QA, smoke(), runs=tmp_path)
    before, replies = collected(open_, tmp_path)
    decoded, _ = collected(forced, tmp_path)
    real = Marking.mark_reply
    monkeypatch.setattr(Marking, "mark_reply", lambda self, made, keys: real(self, made, [*keys, "Honey"]))
    after, same = open_.read()
    assert after.trials["correct"].sum() > before.trials["correct"].sum() and replies == same
    # forced decoding depends on the replies, not on their marks: it is read again, and says what it lacks
    again, _ = forced.read()
    assert len(again.trials) < len(decoded.trials) and not again.diverged

    def refuse(entry, settings):
        raise AssertionError("the model was loaded")

    for target in (open_, forced):
        for plan in target.plans():
            assert collect(plan, plan.folder(tmp_path), models=Loaded(refuse), progress=False).n_new == 0


def test_items_of_two_readings_are_never_mixed(tmp_path, monkeypatch):
    open_, _, forced = jobs.targets(QA, smoke(), runs=tmp_path)
    collected(open_, tmp_path)
    (plan,) = forced.plans()
    folder = plan.folder(tmp_path)
    monkeypatch.setattr(study1.ForcedDecoding, "block_items", lambda self, settings: 10)
    (plan,) = forced.plans()
    folder = plan.folder(tmp_path)
    with pytest.raises(RuntimeError):
        collect(plan, folder, engine=StubEngine(fail_after=1), progress=False)
    real = Marking.mark_reply
    monkeypatch.setattr(Marking, "mark_reply", lambda self, made, keys: real(self, made, [*keys, "Honey"]))
    (other,) = forced.plans()
    assert [i.id for i in other.items] != [i.id for i in plan.items] and other.config_hash == plan.config_hash
    report = collect(other, folder, engine=StubEngine(), progress=False)
    assert report.n_new == len(other.items)
    assert reading.read_replies([(other, folder)]).unasked == ()


def test_the_key_of_a_reading_is_its_code_and_its_replies(plan, tmp_path):
    assert reading.reading_key(plan, "a") != reading.reading_key(plan, "b")
    assert reading.reading_code(plan.collection) != reading.reading_code(TOY.collections[0])
    files = [f.name for f in reading_files(plan)]
    assert "scoring.py" in files and "generate.py" not in files and "figures.py" not in files


def test_an_edit_of_what_cuts_replies_makes_a_reading_stale(plan, monkeypatch):
    hashed, code_digest = [], reading.code_digest
    monkeypatch.setattr(reading, "code_digest", lambda *s, **o: hashed.append(s) or code_digest(*s, **o))
    reading.reading_code(plan.collection)
    names = {name for starts in hashed for _, name in code.reached(*((one, code.ALL) for one in starts))}
    assert {"until_next", "pieces_of", "before_mark"} <= names


def reading_files(plan):
    from pathlib import Path

    from metacog.core.code import ALL, reached

    module = sys.modules[type(plan.collection).__module__]
    return {file for file, _ in reached((Path(module.__file__), ALL))}


KILLED = """
    import os, sys, time
    sys.path[:0] = [{here!r}, {tests!r}]
    from pathlib import Path
    from stub_engine import StubEngine
    from test_runner import collect, toy_plan

    class Slow(StubEngine):
        def serve(self, conversations):
            time.sleep(0.01)
            return super().serve(conversations)

    plan = toy_plan(120)
    for _ in sys.stdin:  # a process each time, without the seconds that importing takes
        if not (child := os.fork()):
            print(os.getpid(), flush=True)
            collect(plan, Path(sys.argv[1]), engine=Slow(journalled=sys.argv[2] == "1"), progress=False)
            os._exit(0)
        sys.stdin.readline()
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.parametrize("journalled", [pytest.param("0", marks=pytest.mark.real), "1"])
def test_kill_9_at_any_moment(tmp_path, journalled):
    plan = toy_plan(120)
    collect(plan, tmp_path / "whole", engine=StubEngine(), progress=False)
    script = tmp_path / "killed.py"
    here = os.path.dirname(__file__)
    text = KILLED.format(here=here, tests=os.path.dirname(here))
    script.write_text(textwrap.dedent(text))
    folder = tmp_path / "killed"
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    ended = []
    with subprocess.Popen([sys.executable, script, folder, journalled], **pipes) as starter:
        for delay in (0.05, 0.11, 0.18, 0.23):
            starter.stdin.write("\n")
            child = int(starter.stdout.readline())
            time.sleep(delay)
            os.kill(child, signal.SIGKILL)
            starter.stdin.write("\n")
            ended.append(int(starter.stdout.readline()))
    assert ended[0] == -signal.SIGKILL and set(ended) <= {0, -signal.SIGKILL}
    collect(plan, folder, engine=StubEngine(journalled=journalled == "1"), progress=False)
    pd.testing.assert_frame_equal(trials_of(plan, folder), trials_of(plan, tmp_path / "whole"))
    assert Manifest.stored(folder)["status"] == "complete"


def test_without_a_study_those_are_asked_that_know_what_is_named():
    """Oracle: which of the default profile's studies has the set or collection."""
    both = [QA, get_study("study2_two_choice")]
    profile = load_profile("default")

    def names(**named):
        return [study.name for study in jobs.knowing(both, profile, **named)]

    assert names() == ["study1_qa", "study2_two_choice"]
    assert names(datasets=["bank"]) == names(collections=["forced"]) == ["study1_qa"]
    assert names(datasets=["no-such-set"]) == ["study1_qa"]  # nobody has it: the first says so
    assert names(datasets=["A-sentiment"]) == ["study2_two_choice"]
    assert names(datasets=["C-origin"]) == names(collections=["warned"]) == ["study2_two_choice"]


def test_a_model_is_loaded_once_for_all_its_runs_and_closed(tmp_path):
    """Replies are those of a model loaded for each run."""
    loaded, closed = [], []

    class Engine(StubEngine):
        def close(self):
            closed.append(self)

    def opener(entry, settings):
        loaded.append(Engine())
        return loaded[-1]

    plans = [toy_plan(), make_plan(QA, "open", smoke(block_items=7), "smollm2-135m", "bank")]
    with Loaded(opener) as models:
        for number, plan in enumerate(plans):
            collect(plan, tmp_path / str(number), models=models, progress=False)
        assert len(loaded) == 1 and not closed
        models.engine(get_model("gemma3-270m"))
        assert len(loaded) == 2 and closed == loaded[:1]
    assert closed == loaded
    collect(plans[1], tmp_path / "alone", engine=StubEngine(), progress=False)
    pd.testing.assert_frame_equal(
        trials_of(plans[1], tmp_path / "1"), trials_of(plans[1], tmp_path / "alone")
    )


def test_one_bar_tells_of_all_sets_of_a_step(tmp_path, monkeypatch):
    """A step that asks two sets has one total, and what was there before counts in no rate."""
    monkeypatch.setenv(EVENTS, str(tmp_path / "notes.jsonl"))
    monkeypatch.setattr(jobs, "Loaded", lambda *_: Loaded(lambda *_: StubEngine()))
    profile = load_profile("smoke")
    study = get_study("study2_two_choice")
    first, *rest = jobs.targets(study, profile, collections=["confidence"], runs=tmp_path / "runs")
    assert rest
    options = {"collections": ["confidence"], "runs": tmp_path / "runs", "progress": False, "echo": len}
    jobs.run([study], profile, datasets=[first.dataset], **options)
    kept = Follower(tmp_path / "notes.jsonl").new()[-1].facts["total"]
    (tmp_path / "notes.jsonl").unlink()
    reports = jobs.run([study], profile, receipt=tmp_path / "receipt.json", **options)
    notes = [n.facts for n in Follower(tmp_path / "notes.jsonl").new() if n.kind == "progress"]
    total = sum(report.n_items for report in reports)
    assert len(reports) == 1 + len(rest) and {n["total"] for n in notes} == {total} and total > kept
    done = [n["done"] for n in notes]
    assert done == sorted(done) and done[-1] == total
    assert notes[-1]["first"] == kept and notes[-1]["what"].endswith(f" on {rest[-1].dataset}")
    receipt = json.loads((tmp_path / "receipt.json").read_text())
    assert list(receipt) == [first.dataset, *(target.dataset for target in rest)]
    assert all((Path(one["folder"]) / "manifest.json").is_file() for one in receipt.values())


def test_a_step_that_fails_at_one_set_leaves_a_receipt_that_was_there(tmp_path, monkeypatch):
    """Another process may have written it; and of a step that is not through there is none."""
    monkeypatch.setattr(jobs, "Loaded", lambda *_: Loaded(lambda *_: StubEngine(fail_after=1)))
    profile, receipt = load_profile("smoke"), tmp_path / "receipt.json"
    options = {"collections": ["confidence"], "runs": tmp_path / "runs", "progress": False, "echo": len}
    for before in (None, "of another"):
        if before:
            receipt.write_text(before)
        with pytest.raises(RuntimeError, match="engine stopped"):
            jobs.run([get_study("study2_two_choice")], profile, receipt=receipt, **options)
        assert (receipt.read_text() if receipt.exists() else None) == before
