"""Packs that were altered, damaged or put together by somebody else: each is refused by a short error."""

import hashlib
import io
import json
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from stub_engine import StubEngine
from test_runner import toy_plan

from metacog.collect.packs import Pack, pack, unpack
from metacog.collect.reading import read_replies
from metacog.collect.runner import collect
from metacog.core.config import digest
from metacog.core.errors import MetacogError


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of four blocks, and its pack."""
    plan, runs = toy_plan(), tmp_path_factory.mktemp("altered")
    collect(plan, plan.folder(runs), engine=StubEngine(), progress=False)
    pack([plan.folder(runs)], runs, runs / "mine.zip")
    return runs, runs / "mine.zip"


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
    index = json.loads(members["pack.json"])
    for run in index["runs"]:
        run["files"] = {
            name.removeprefix(run["folder"] + "/"): hashlib.sha256(content).hexdigest()
            for name, content in members.items()
            if name.startswith(run["folder"] + "/")
        }
    members["pack.json"] = json.dumps(index).encode()


def fitted(change):
    """The change, and the list made to fit it."""

    def do(members):
        change(members)
        relisted(members)

    return do


def named(pick, to):
    """A member under another name."""
    return lambda members: members.update({to(members): members.pop(pick(members))})


def part_of(members, number=0):
    return sorted(name for name in members if name.endswith(".parquet"))[number]


def manifest_of(members):
    return next(name for name in members if name.endswith("manifest.json"))


def beside(members, name):
    return manifest_of(members).replace("manifest.json", name)


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


def rehashed(manifest, **changes):
    """The configuration changed and the hash of the manifest made to fit; parts keep the hash they had."""
    manifest["config"].update(changes)
    manifest["config_hash"] = digest(manifest["config"])


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
    "a part that is no table": fitted(lambda m: m.update({part_of(m): b"no table"})),
    "two parts exchanged": swap,
    "two parts exchanged, the list made to fit": fitted(swap),
    "replies rewritten, the list made to fit": fitted(with_other_replies),
    "a part left out": drop(part_of),
    "a part left out, the list made to fit": fitted(drop(part_of)),
    "no manifest": drop(manifest_of),
    "no manifest, the list made to fit": fitted(drop(manifest_of)),
    "no list": drop(lambda m: "pack.json"),
    "a list that is no JSON": lambda m: m.update({"pack.json": b"{"}),
    "a list that is a number": lambda m: m.update({"pack.json": b"7"}),
    "a foreign format": in_index(lambda i: i.update(format="something else")),
    "a later schema": in_index(lambda i: i.update(schema=99)),
    "a run listed twice": in_index(lambda i: i["runs"].append(i["runs"][0])),
    "a checksum rewritten": in_index(lambda i: i["runs"][0]["files"].update({"manifest.json": "0" * 64})),
    "a file that is not listed": lambda m: m.update({"extra.txt": b"hello"}),
    "a program in a run": fitted(lambda m: m.update({beside(m, "run.sh"): b"rm"})),
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
    "no run at all": in_index(lambda i: i.update(runs=[])),
    "nothing but an empty list": lambda m: (m.clear(), m.update({"pack.json": b"{}"})),
    "runs that are a text": in_index(lambda i: i.update(runs="all of them")),
    "files that are a number": in_index(lambda i: i["runs"][0].update(files=3)),
    "a folder that is no text": in_index(lambda i: i["runs"][0].update(folder=["a", "b"])),
    "a checksum that is a number": in_index(lambda i: i["runs"][0]["files"].update({"manifest.json": 7})),
    "a list without end": lambda m: m.update({"pack.json": b"[" * 100_000}),
    "a list in another encoding": lambda m: m.update(
        {"pack.json": m["pack.json"].decode().encode("utf-16")[1:]}
    ),
    "a part under another name": fitted(named(part_of, lambda m: beside(m, "parts/block-1.parquet"))),
    "a part below the place of parts": fitted(
        named(part_of, lambda m: part_of(m).replace("parts/", "parts/../parts/"))
    ),
    "a part at an absolute place": fitted(named(part_of, lambda m: "/etc/passwd")),
    "a folder as a member": lambda m: m.update({beside(m, ""): b""}),
    "a place with a line's end": moved(lambda old: old.replace("keep", "keep\n")),
    "a place written in another way": moved(lambda old: old.replace("/", "//", 1)),
    "another study's place": moved(lambda old: old.replace("toy_study", "study1_qa")),
    "another study in the manifest": edited(lambda m: m["config"].update(study="study1_qa")),
    "another study, hashed again": edited(lambda m: rehashed(m, study="study1_qa")),
    "another collection, hashed again": edited(lambda m: rehashed(m, collection="../keep")),
    "another shard, hashed again": edited(lambda m: rehashed(m, shard=[0, 2])),
    "more items, hashed again": edited(lambda m: rehashed(m, n_items=240)),
    "a shard of texts": edited(lambda m: rehashed(m, shard=["0", "1"])),
    "a data set that is a list": edited(lambda m: rehashed(m, dataset=["items"])),
    "a configuration that is a text": edited(lambda m: m.update(config="as before")),
    "a manifest that is a list": fitted(lambda m: m.update({manifest_of(m): b"[]"})),
    "an empty manifest": fitted(lambda m: m.update({manifest_of(m): b""})),
    "parts that are a list": edited(lambda m: m.update(parts=list(m["parts"].values()))),
    "a part that is a text": edited(lambda m: m["parts"].update({"0": "block-00000.parquet"})),
    "a part without a number of rows": edited(lambda m: m["parts"]["0"].pop("rows")),
    "seconds in words": edited(lambda m: m["parts"]["0"].update(seconds="long")),
    "a block counted twice": edited(lambda m: m["parts"].update({"00": m["parts"]["0"]})),
    "no sessions": edited(lambda m: m.pop("sessions")),
    "a session that is a number": edited(lambda m: m["sessions"].append(4)),
    "no status": edited(lambda m: m.pop("status")),
    "a part taken out everywhere": lambda m: (drop(part_of)(m), edited(lambda i: i["parts"].pop("0"))(m)),
    "a path of a machine": edited(lambda m: m["engine"].update(model="/home/me/models/m.gguf")),
    "a path of another machine": edited(lambda m: m["engine"].update(model="C:\\models\\m.gguf")),
    "a field for a key": edited(lambda m: m["engine"].update(settings={"api_key": "abc"})),
    "a header with a key": edited(lambda m: m["sessions"][0].update(header="Bearer abcdefgh1234")),
    "a key in the list": in_index(lambda i: i["made_by"].update(access_token="abc")),
    "a key under a plain name": edited(lambda m: m.update(note="sk-" + 24 * "x")),
}


@pytest.mark.parametrize("how", ALTERED)
def test_an_altered_pack_is_refused_by_name_and_leaves_nothing(how, made, tmp_path):
    bad = rewritten(made[1], tmp_path / "altered.zip", ALTERED[how])
    with pytest.raises(MetacogError, match=r"^altered\.zip") as refusal:
        unpack(bad, tmp_path / "runs")
    assert len(str(refusal.value)) < 400
    assert not list((tmp_path / "runs").rglob("*.parquet"))


def members_of(path):
    """Each member's name and the place of its first byte in the file."""
    with zipfile.ZipFile(path) as archive:
        return [
            (info, info.header_offset + 30 + len(info.filename.encode()) + len(info.extra))
            for info in archive.infolist()
        ]


@pytest.mark.parametrize("number", range(6))
def test_a_bit_flipped_in_any_member_is_refused(number, made, tmp_path):
    """In the file itself: the archive's own checksum is left as it was."""
    info, first = members_of(made[1])[number]
    for place in (0, info.file_size // 2, info.file_size - 1):
        content = bytearray(made[1].read_bytes())
        content[first + place] ^= 1
        (tmp_path / "altered.zip").write_bytes(content)
        with pytest.raises(MetacogError, match=r"^altered\.zip"):
            unpack(tmp_path / "altered.zip", tmp_path / "runs")
    assert not list((tmp_path / "runs").rglob("*.parquet"))


def test_a_bit_flipped_anywhere_changes_no_reply(made, tmp_path):
    """Refused, or of no consequence, as in the time of a member: what is opened holds the same replies."""
    whole, runs = made[1].read_bytes(), Pack(made[1]).runs
    rng, refused = np.random.default_rng(5), 0
    for place in rng.choice(len(whole), 300, replace=False):
        content = bytearray(whole)
        content[place] ^= 1 << int(rng.integers(8))
        (tmp_path / "altered.zip").write_bytes(content)
        try:
            assert Pack(tmp_path / "altered.zip").runs == runs
        except MetacogError as error:
            refused += str(error).startswith("altered.zip")
    assert refused >= 250


def bomb(target, members):
    """A member of 300 MB of zeros, a few hundred kilobytes as they lie in the file."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        with archive.open(next(n for n in members if n.endswith(".parquet")) + "2", "w") as member:
            for _ in range(300):
                member.write(bytes(1_000_000))


def test_what_unpacks_to_too_much_is_refused_before_it_is_read(made, tmp_path):
    with zipfile.ZipFile(made[1]) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    bomb(tmp_path / "altered.zip", members)
    assert (tmp_path / "altered.zip").stat().st_size < 1e6
    with pytest.raises(MetacogError, match=r"^altered\.zip: .* would unpack to more than"):
        Pack(tmp_path / "altered.zip", deep=False)


def test_what_would_unpack_to_100_gb_in_all_is_refused_before_it_is_read(made, tmp_path):
    """Five hundred members of 200 MB each by the archive's own list; none is larger than one may be."""
    path = tmp_path / "altered.zip"
    path.write_bytes(made[1].read_bytes())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        for number in range(500):
            archive.writestr(f"{number}.parquet", b"")
            archive.infolist()[-1].file_size = 200_000_000
    assert path.stat().st_size < 1e6
    with pytest.raises(MetacogError, match=r"^altered\.zip: it would unpack to 100\.0 GB"):
        Pack(path, deep=False)


def test_a_member_twice_is_refused(made, tmp_path):
    """The second of one name would be the one that is read."""
    (tmp_path / "altered.zip").write_bytes(made[1].read_bytes())
    with zipfile.ZipFile(made[1]) as archive:
        name = part_of(archive.namelist())
        content = archive.read(name)
    with zipfile.ZipFile(tmp_path / "altered.zip", "a") as archive, pytest.warns(UserWarning, match="Dup"):
        archive.writestr(name, content)
    with pytest.raises(MetacogError, match=r"^altered\.zip: its list and its content disagree"):
        unpack(tmp_path / "altered.zip", tmp_path / "runs")


def test_a_member_behind_a_password_is_refused(made, tmp_path):
    content = bytearray(made[1].read_bytes())
    for place in (content.find(b"PK\x01\x02"), 0):  # the first member's two headers
        content[place + (8 if place else 6)] |= 1
    (tmp_path / "altered.zip").write_bytes(content)
    with pytest.raises(MetacogError, match=r"^altered\.zip .*password"):
        Pack(tmp_path / "altered.zip")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no archive", b"trials,correct\n1,2\n"])
def test_a_file_that_is_no_pack_is_refused(content, tmp_path):
    (tmp_path / "f.zip").write_bytes(content)
    with pytest.raises(MetacogError, match="no pack of replies"):
        Pack(tmp_path / "f.zip")
    with pytest.raises(MetacogError, match="there is no file"):
        Pack(tmp_path / "none.zip")


def test_a_pack_cut_short_anywhere_is_refused(made, tmp_path):
    whole = made[1].read_bytes()
    for share in (0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999):
        (tmp_path / "cut.zip").write_bytes(whole[: int(share * len(whole))])
        with pytest.raises(MetacogError, match=r"cut\.zip"):
            Pack(tmp_path / "cut.zip")


@pytest.mark.parametrize("reply", ["[" * 50_000, "7", '{"samples": 3}', '{"other": []}', "no JSON"])
def test_a_reply_that_is_none_is_told_when_it_is_read(made, tmp_path, reply):
    """A pack that fits its own list throughout, whose replies somebody wrote."""

    def change(members):
        name = part_of(members)
        table = pq.read_table(io.BytesIO(members[name]))
        column = pa.array([reply] * len(table))
        into = io.BytesIO()
        pq.write_table(table.set_column(table.schema.get_field_index("reply"), "reply", column), into)
        members[name] = into.getvalue()
        manifest = json.loads(members[manifest_of(members)])
        manifest["parts"]["0"]["sha256"] = hashlib.sha256(members[name]).hexdigest()
        members[manifest_of(members)] = json.dumps(manifest).encode()
        relisted(members)

    unpack(rewritten(made[1], tmp_path / "altered.zip", change), tmp_path / "runs")
    plan = toy_plan()
    with pytest.raises(MetacogError, match="not a readable answer"):
        read_replies([(plan, plan.folder(tmp_path / "runs"))])
