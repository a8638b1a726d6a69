"""Runs that travel. Oracle: the replies and trials of the machine they were collected on, bit by bit."""

import json
import re
import zipfile

import pandas as pd
import pytest
from click.testing import CliRunner
from stub_engine import StubEngine
from test_runner import toy_plan, trials_of

from metacog.cli import main
from metacog.collect.jobs import known_packs, targets
from metacog.collect.manifest import Manifest
from metacog.collect.models import ModelEntry
from metacog.collect.packs import Pack, answered_sets, pack, stored_run, take_from, unpack
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.trials import write_parquet


class Silent(StubEngine):
    """An engine that must not be asked."""

    def serve(self, conversations):
        raise AssertionError("nothing was to be asked")


@pytest.fixture(scope="module")
def plan():
    return toy_plan()


@pytest.fixture(scope="module")
def made(plan, tmp_path_factory):
    """A run of four blocks, and its pack."""
    runs = tmp_path_factory.mktemp("here")
    collect(plan, plan.folder(runs), engine=StubEngine(), progress=False)
    out = runs / "mine.zip"
    packed = pack([plan.folder(runs)], runs, out)
    assert [one.folder for one in packed] == [plan.place] and len(packed[0].files) == 5
    return runs, out


def test_a_pack_gives_the_same_replies_and_trials(plan, made, tmp_path):
    runs, out = made
    assert [n for _, n in unpack(out, tmp_path)] == [4]
    report = collect(plan, plan.folder(tmp_path), engine=Silent(), progress=False)
    assert (report.n_new, report.n_kept) == (0, 24)
    for file in sorted((plan.folder(runs) / "parts").iterdir()):
        assert (plan.folder(tmp_path) / "parts" / file.name).read_bytes() == file.read_bytes()
    pd.testing.assert_frame_equal(trials_of(plan, plan.folder(tmp_path)), trials_of(plan, plan.folder(runs)))
    assert [n for _, n in unpack(out, tmp_path)] == [0]  # a second time there is nothing new


def test_two_clones_take_the_same_run_bit_by_bit(plan, made, tmp_path):
    """One unpacks, the other takes block by block while it collects; a pack made of either gives the same again."""
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    unpack(made[1], one)
    assert collect(plan, plan.folder(two), engine=Silent(), progress=False, packs=[made[1]]).n_new == 0
    assert Manifest.stored(plan.folder(two))["parts"]["0"]["pack"] == "mine.zip"
    pack([plan.folder(two)], two, two / "theirs.zip")
    unpack(two / "theirs.zip", three)
    parts = [
        {f.name: f.read_bytes() for f in (plan.folder(r) / "parts").iterdir()} for r in (one, two, three)
    ]
    assert len(parts[0]) == 4 and parts[0] == parts[1] == parts[2]
    written = []
    for root in (one, two, three):
        write_parquet(trials_of(plan, plan.folder(root)), root / "trials.parquet")
        written.append((root / "trials.parquet").read_bytes())
    assert written[0] == written[1] == written[2]


def test_the_reference_run_gives_two_clones_the_same_trials(tmp_path):
    """Oracle: the pack that is committed, read by two clones, neither of which has the model."""
    study, tables, replies = get_study("study4_probe"), [], []
    for root in (tmp_path / "one", tmp_path / "two"):
        read = [target.read() for target in targets(study, load_profile("reference"), runs=root, packed=True)]
        assert all(len(reading.trials) > 78 for reading, _ in read) and list(root.rglob("*.parquet"))
        write_parquet(pd.concat([reading.trials for reading, _ in read]), root / "trials.parquet")
        tables.append((root / "trials.parquet").read_bytes())
        replies.append([digest for _, digest in read])
    assert tables[0] == tables[1] and replies[0] == replies[1]


def one_of(values):
    """The only one: a block that names no session is of the one that its run has."""
    (one,) = values
    return one


def recorded(path):
    """Blocks of a pack: all, those whose session names a processor, those asked by a commit without changes."""
    counts = [0, 0, 0]
    for run in Pack(path).runs:
        sessions = {one["started"]: one for one in run.manifest["sessions"]}
        for part in run.manifest["parts"].values():
            session = sessions[part["session"]] if "session" in part else one_of(sessions.values())
            commit = session.get("commit") or run.manifest["commit"]
            counts[0] += 1
            counts[1] += bool(session.get("processor"))
            counts[2] += not commit.endswith("+changes")
    return counts


def test_the_readme_of_the_packs_says_what_their_manifests_hold():
    """Oracle: the manifests in the packs, block by block."""
    text = (known_packs()[0].parent / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+\.zip)` \| (\d+) \| (\d+) \| (\d+) \|$", text, re.MULTILINE)
    said = {name: [int(n) for n in counts] for name, *counts in rows}
    assert said == {path.name: recorded(path) for path in known_packs()}


def test_what_is_here_stays_and_what_is_missing_is_taken(plan, made, tmp_path):
    _, out = made
    folder = plan.folder(tmp_path)
    with pytest.raises(RuntimeError):
        collect(plan, folder, engine=StubEngine(fail_after=2), progress=False)
    assert take_from([out], plan.place, folder) == 2
    parts = Manifest.stored(folder)["parts"]
    assert ["pack" in parts[str(b)] for b in range(4)] == [False, False, True, True]
    assert collect(plan, folder, engine=Silent(), progress=False).n_new == 0


def test_a_run_that_a_pack_completes_is_whole_and_can_be_read(plan, made, tmp_path):
    with pytest.raises(RuntimeError):
        collect(plan, plan.folder(tmp_path), engine=StubEngine(fail_after=2), progress=False)
    folder = stored_run(plan, [made[1]], tmp_path)
    assert folder == plan.folder(tmp_path) and Manifest.stored(folder)["status"] == "complete"
    assert len(trials_of(plan, folder)) == len(trials_of(plan, plan.folder(made[0])))


def test_replies_to_other_requests_are_read_as_far_as_they_still_answer(made, tmp_path):
    """Oracle: eighteen of the twenty-four items are still asked, and by the same requests."""
    fewer = toy_plan(n_items=18)
    folder = stored_run(fewer, [made[1]], tmp_path)
    assert folder.name != fewer.folder(tmp_path).name
    found = read_replies([(fewer, folder)], packed=True)
    assert found.n_items == 18 and not found.unasked and not found.diverged
    more = toy_plan(n_items=30)
    found = read_replies([(more, stored_run(more, [made[1]], tmp_path))], packed=True)
    assert len(found.unasked) + len(found.diverged) == 6 and found.remarks()


def test_only_whole_runs_of_packs_answer_a_set(plan, made, tmp_path):
    assert answered_sets([made[1]]) == {plan.place.rpartition("-")[0]} and answered_sets([]) == set()
    with pytest.raises(RuntimeError):
        collect(plan, plan.folder(tmp_path), engine=StubEngine(fail_after=2), progress=False)
    pack([plan.folder(tmp_path)], tmp_path, tmp_path / "half.zip")
    assert answered_sets([tmp_path / "half.zip"]) == set()
    with pytest.raises(MetacogError, match="no pack"):
        stored_run(plan, [], tmp_path / "nowhere")


def test_another_plan_takes_nothing(made, tmp_path):
    other = toy_plan(n_items=18)
    assert take_from([made[1]], other.place, other.folder(tmp_path)) == 0


def test_no_path_of_a_machine_travels(plan, made, tmp_path):
    runs, _ = made
    with zipfile.ZipFile(made[1]) as archive:
        texts = [archive.read(n).decode() for n in archive.namelist() if n.endswith(".json")]
    assert not any(str(runs) in text or "/home" in text for text in texts)
    folder = plan.folder(tmp_path)
    collect(plan, folder, engine=StubEngine(), progress=False)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["config"]["source"] = {"path": "/home/me/model.gguf"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(MetacogError, match="path of this machine"):
        pack([folder], tmp_path, tmp_path / "p.zip")


def test_no_key_travels(plan, tmp_path):
    folder = plan.folder(tmp_path)
    collect(plan, folder, engine=StubEngine(), progress=False)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["engine"]["settings"] = {"api_key": "abc"}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(MetacogError, match="holds a key in 'api_key'"):
        pack([folder], tmp_path, tmp_path / "p.zip")
    manifest["engine"]["settings"] = {"key_env": "MY_KEY", "max_tokens": 4}  # the name of a place, and no key
    (folder / "manifest.json").write_text(json.dumps(manifest))
    assert pack([folder], tmp_path, tmp_path / "p.zip")


def test_a_file_with_a_checksum_is_known_by_its_name():
    entry = ModelEntry("m", "m", "base", {"path": "/home/me/m.gguf"}, "0" * 64, {})
    assert entry.travelling_source == {"path": "m.gguf"}
    hub = ModelEntry("m", "m", "base", {"hub": {"repo": "a/b"}}, "0" * 64, {})
    assert hub.travelling_source == hub.source


def test_a_damaged_run_is_not_packed(plan, tmp_path):
    folder = plan.folder(tmp_path)
    collect(plan, folder, engine=StubEngine(), progress=False)
    next((folder / "parts").glob("*.parquet")).write_bytes(b"")
    with pytest.raises(MetacogError, match="damaged"):
        pack([folder], tmp_path, tmp_path / "p.zip")
    with pytest.raises(MetacogError, match="no replies to pack"):
        pack([], tmp_path, tmp_path / "p.zip")


def test_the_commands_pack_check_and_unpack(plan, made, tmp_path):
    runs, _ = made
    run = CliRunner().invoke
    out = str(tmp_path / "one.zip")
    packed = run(main, ["replies", "pack", out, "--runs", str(runs), "--model", "smollm2-135m"])
    assert packed.exit_code == 0 and "1 runs" in packed.output
    assert "is whole" in run(main, ["replies", "check", out]).output
    taken = run(main, ["replies", "unpack", out, "--runs", str(tmp_path / "there")])
    assert taken.exit_code == 0 and "4 blocks taken" in taken.output
    none = run(main, ["replies", "pack", out, "--runs", str(runs), "--model", "nobody"])
    assert none.exit_code != 0 and "no replies to pack" in none.output
