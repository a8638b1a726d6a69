"""Runs that travel. Oracle: the replies and trials of the machine they were collected on, bit by bit."""

import io
import json
import zipfile

import pandas as pd
import pytest
from click.testing import CliRunner
from stub_engine import StubEngine
from test_runner import toy_plan, trials_of

from metacog.cli import main
from metacog.collect.manifest import Manifest
from metacog.collect.models import ModelEntry
from metacog.collect.packs import Pack, answered_sets, pack, stored_run, take_from, unpack
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.errors import MetacogError


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


def test_the_runner_takes_from_a_pack_what_it_would_have_asked(plan, made, tmp_path):
    _, out = made
    folder = plan.folder(tmp_path)
    report = collect(plan, folder, engine=Silent(), progress=False, packs=[out])
    assert report.n_new == 0 and Manifest.stored(folder)["parts"]["0"]["pack"] == "mine.zip"


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


def rewritten(out, target, change):
    """The pack with its members changed by ``change(members)``, checksums of the list left as they are."""
    with zipfile.ZipFile(out) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target


def relisted(members):
    """The list, written again to fit its members: what somebody would do who alters a pack with care."""
    import hashlib

    index = json.loads(members["pack.json"])
    for run in index["runs"]:
        run["files"] = {
            name.removeprefix(run["folder"] + "/"): hashlib.sha256(content).hexdigest()
            for name, content in members.items()
            if name.startswith(run["folder"] + "/")
        }
    members["pack.json"] = json.dumps(index).encode()


def part_of(members, number=0):
    return sorted(name for name in members if name.endswith(".parquet"))[number]


def manifest_of(members):
    return next(name for name in members if name.endswith("manifest.json"))


def flipped(place):
    def change(members):
        name = part_of(members)
        content = bytearray(members[name])
        content[int(place * (len(content) - 1))] ^= 1
        members[name] = bytes(content)

    return change


def edited(edit, relist=True):
    """The manifest edited, and the list made to fit it."""

    def change(members):
        name = manifest_of(members)
        manifest = json.loads(members[name])
        edit(manifest)
        members[name] = json.dumps(manifest).encode()
        if relist:
            relisted(members)

    return change


def in_index(edit):
    def change(members):
        index = json.loads(members["pack.json"])
        edit(index)
        members["pack.json"] = json.dumps(index).encode()

    return change


def with_other_replies(members):
    name = part_of(members)
    table = pd.read_parquet(io.BytesIO(members[name]))
    table["reply"] = table["reply"].str.replace("1", "2")
    into = io.BytesIO()
    table.to_parquet(into)
    members[name] = into.getvalue()
    relisted(members)


def moved(to):
    def change(members):
        index = json.loads(members["pack.json"])
        old = index["runs"][0]["folder"]
        index["runs"][0]["folder"] = to(old)
        for name in [n for n in members if n.startswith(old)]:
            members[to(old) + name.removeprefix(old)] = members.pop(name)
        members["pack.json"] = json.dumps(index).encode()

    return change


def drop(pick):
    return lambda members: members.pop(pick(members))


def swap(members):
    a, b = part_of(members, 0), part_of(members, 1)
    members[a], members[b] = members[b], members[a]


ALTERED = {
    "a bit of a part": flipped(0.5),
    "the first byte of a part": flipped(0),
    "the last byte of a part": flipped(1),
    "a part cut short": lambda m: m.update({part_of(m): m[part_of(m)][:-9]}),
    "an empty part": lambda m: m.update({part_of(m): b""}),
    "a part that is no table": lambda m: (m.update({part_of(m): b"no table"}), relisted(m)),
    "two parts exchanged": swap,
    "two parts exchanged, the list made to fit": lambda m: (swap(m), relisted(m)),
    "replies rewritten, the list made to fit": with_other_replies,
    "a part left out": drop(part_of),
    "a part left out, the list made to fit": lambda m: (m.pop(part_of(m)), relisted(m)),
    "no manifest": drop(manifest_of),
    "no manifest, the list made to fit": lambda m: (m.pop(manifest_of(m)), relisted(m)),
    "no list": drop(lambda m: "pack.json"),
    "a list that is no JSON": lambda m: m.update({"pack.json": b"{"}),
    "a list that is a number": lambda m: m.update({"pack.json": b"7"}),
    "a foreign format": in_index(lambda i: i.update(format="something else")),
    "a later schema": in_index(lambda i: i.update(schema=99)),
    "a run listed twice": in_index(lambda i: i["runs"].append(i["runs"][0])),
    "a checksum rewritten": in_index(lambda i: i["runs"][0]["files"].update({"manifest.json": "0" * 64})),
    "a file that is not listed": lambda m: m.update({"extra.txt": b"hello"}),
    "a program in a run": lambda m: (
        m.update({manifest_of(m).replace("manifest.json", "run.sh"): b"rm"}),
        relisted(m),
    ),
    "a place outside": moved(lambda old: f"../../{old}"),
    "an absolute place": moved(lambda old: f"/{old}"),
    "another model's place": moved(lambda old: old.replace("smollm2-135m", "gemma3-270m")),
    "another hash": moved(lambda old: old[:-1] + ("0" if old[-1] != "0" else "1")),
    "another model in the manifest": edited(lambda m: m["config"].update(model="gemma3-270m")),
    "another seed, hash left": edited(lambda m: m["config"].update(seeds=[1])),
    "another hash in the manifest": edited(lambda m: m.update(config_hash="0" * 16)),
    "a part that the manifest does not vouch for": edited(lambda m: m["parts"].pop("0")),
    "a part under another number": edited(lambda m: m["parts"].update({"9": m["parts"].pop("0")})),
    "a manifest without parts": edited(lambda m: m.pop("parts")),
    "a manifest edited, the list left": edited(lambda m: m.update(commit="x"), relist=False),
}


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_pack_is_refused_by_name_and_leaves_nothing(how, made, tmp_path):
    bad = rewritten(made[1], tmp_path / "altered.zip", ALTERED[how])
    with pytest.raises(MetacogError, match=r"^altered\.zip"):
        unpack(bad, tmp_path / "runs")
    assert not list((tmp_path / "runs").rglob("*.parquet"))


def test_there_are_thirty_ways_of_altering_a_pack():
    assert len(ALTERED) >= 30


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"trials,correct\n1,2\n"])
def test_a_file_that_is_no_pack_is_refused(content, tmp_path):
    (tmp_path / "f.zip").write_bytes(content)
    with pytest.raises(MetacogError, match="no pack of replies"):
        Pack(tmp_path / "f.zip")
    with pytest.raises(MetacogError, match="there is no file"):
        Pack(tmp_path / "none.zip")


def test_a_pack_cut_short_anywhere_is_refused(made, tmp_path):
    whole = made[1].read_bytes()
    for share in (0.1, 0.5, 0.9, 0.999):
        (tmp_path / "cut.zip").write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(MetacogError, match=r"cut\.zip"):
            Pack(tmp_path / "cut.zip")


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
