"""Runs that travel: raw replies of several runs in one file, with manifests and checksums.

A pack is a ZIP file. ``pack.json`` lists the runs and the SHA-256 of every file; each run lies in the pack
as it lies below ``runs/``, without locks, journals and trials. Replies are keyed by their requests, the model
and the schedule, so a pack made on one machine answers the same plan on another, bit by bit.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from metacog.collect.folder_lock import exclusive
from metacog.collect.manifest import Manifest, run_place, wrong_type
from metacog.collect.replies import COLUMNS
from metacog.core.config import digest
from metacog.core.errors import MetacogError
from metacog.core.files import cut, from_json, replacing
from metacog.core.provenance import provenance

if TYPE_CHECKING:
    from metacog.collect.plan import Plan
from metacog.collect.travelling import key_field, lacking_block, machine_path

FORMAT = "metacog replies"

SCHEMA = 1

INDEX = "pack.json"

#: Files of a run that travel.
TRAVELS = re.compile(r"manifest\.json|parts/block-\d{5}\.parquet")

#: What reading a damaged archive raises.
DAMAGE = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, OSError, ValueError)

#: Bytes that a file of a pack may unpack to; parts hold a few megabytes.
LARGEST = 1 << 28


@dataclass(frozen=True)
class PackedRun:
    """One run of a pack: its folder below ``runs/``, and the SHA-256 of its files by name within the folder."""

    folder: str
    manifest: Mapping[str, Any]
    files: Mapping[str, str]

    @property
    def title(self) -> str:
        parts = self.manifest["parts"].values()
        model, place = self.manifest["config"]["model"], self.manifest["config"]["collection"]
        rows = sum(part["rows"] for part in parts)
        return (
            f"{place}: {model} on {self.manifest['config']['dataset']}, {len(parts)} blocks, {rows:,} answers"
        )


def pack(folders: Iterable[Path], runs: Path, out: Path) -> list[PackedRun]:
    """Put the replies of some run folders, whole or not, into one file."""
    packed = [_packed(folder, runs) for folder in sorted(set(folders))]
    if not packed:
        raise MetacogError(f"there are no replies to pack in {runs}: run `metacog collect` first")
    index = {
        "format": FORMAT,
        "schema": SCHEMA,
        "runs": [{"folder": one.folder, "files": dict(one.files)} for one in packed],
        "made_by": provenance(),
    }
    with replacing(out, "wb") as handle, zipfile.ZipFile(handle, "w") as archive:
        archive.writestr(INDEX, json.dumps(index, indent=1))
        for one in packed:
            for name in one.files:
                archive.write(runs / one.folder / name, f"{one.folder}/{name}")
    return packed


def _packed(folder: Path, runs: Path) -> PackedRun:
    manifest = Manifest.stored(folder)
    if found := key_field(manifest):
        raise MetacogError(
            f"{folder}: its manifest holds a key in {found!r}; keys do not travel, take it out"
        )
    if found := machine_path(manifest):
        raise MetacogError(
            f"{folder} names a path of this machine ({found}): register the model with its checksum "
            "(`metacog add-model`), so that its replies are kept under a name that others have"
        )
    names = ["manifest.json", *(f"parts/{part['file']}" for part in manifest["parts"].values())]
    files = {name: _sha256((folder / name).read_bytes()) for name in names if (folder / name).is_file()}
    for part in manifest["parts"].values():
        if files.get(f"parts/{part['file']}") != part["sha256"]:
            raise MetacogError(f"{folder}: {part['file']} is missing or damaged: run `metacog collect` again")
    return PackedRun(folder.relative_to(runs).as_posix(), manifest, files)


class Pack:
    """A pack that was opened and found whole; not ``deep`` checks its list alone, not every file."""

    def __init__(self, path: Path, *, deep: bool = True) -> None:
        self.path = path
        with self._open() as archive:
            self.runs = self._runs(archive)
            if deep:
                for run in self.runs:
                    for name in [name for name in run.files if name != "manifest.json"]:
                        self._part(run, name, archive.read(f"{run.folder}/{name}"))

    @contextmanager
    def _open(self) -> Iterator[zipfile.ZipFile]:
        try:
            with zipfile.ZipFile(self.path) as archive:
                yield archive
        except FileNotFoundError:
            raise MetacogError(f"there is no file {self.path}") from None
        except DAMAGE as error:
            raise MetacogError(f"{self.path.name} is no pack of replies, or is damaged: {error}") from None

    def _fault(self, what: str) -> MetacogError:
        return MetacogError(
            f"{self.path.name}: {cut(what)}; the pack was altered or is foreign, nothing was taken"
        )

    def _runs(self, archive: zipfile.ZipFile) -> tuple[PackedRun, ...]:
        names = archive.namelist()
        if INDEX not in names:
            raise self._fault(f"it has no {INDEX}")
        if large := [i.filename for i in archive.infolist() if i.file_size > LARGEST]:
            raise self._fault(f"{large[0]} would unpack to more than {LARGEST / 1e6:.0f} MB")
        if (whole := sum(i.file_size for i in archive.infolist())) > max(
            LARGEST, 20 * self.path.stat().st_size
        ):
            raise self._fault(f"it would unpack to {whole / 1e9:,.1f} GB, many times its size")
        try:
            index = from_json(archive.read(INDEX).decode())
            if (index["format"], index["schema"]) != (FORMAT, SCHEMA):
                raise self._fault(f"it is of format {index['format']!r}, schema {index['schema']!r}")
            if field := key_field(index):
                raise self._fault(f"its {INDEX} holds a key in {field!r}")
            runs = [(str(one["folder"]), dict(one["files"])) for one in index["runs"]]
            listed = dict(runs)
            if not runs:
                raise self._fault("it holds no run")
            if len(listed) != len(runs):
                raise self._fault("it lists a run twice")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._fault(f"its {INDEX} cannot be read ({type(error).__name__})") from None
        there = [INDEX, *(f"{folder}/{name}" for folder, files in listed.items() for name in files)]
        if odd := sorted(set(names) ^ set(there)) or sorted({n for n in names if names.count(n) > 1}):
            raise self._fault(f"its list and its content disagree about {odd[0]}")
        return tuple(self._run(archive, folder, files) for folder, files in listed.items())

    def _run(self, archive: zipfile.ZipFile, folder: str, files: Mapping[str, str]) -> PackedRun:
        place = PurePosixPath(folder)
        plain = folder.isprintable() and "\\" not in folder and place.as_posix() == folder
        if not plain or place.is_absolute() or len(place.parts) != 4 or ".." in place.parts:
            raise self._fault(f"{folder!r} is no place of a run")
        if odd := [name for name in files if not TRAVELS.fullmatch(name)]:
            raise self._fault(f"{folder} holds {odd[0]}, which is no part of a run")
        if "manifest.json" not in files:
            raise self._fault(f"{folder} has no manifest")
        content = archive.read(f"{folder}/manifest.json")
        if _sha256(content) != files["manifest.json"]:
            raise self._fault(f"{folder}: the checksum of manifest.json is wrong")
        manifest = self._manifest(folder, content)
        config, parts = manifest["config"], manifest["parts"]
        vouched = {f"parts/{part['file']}": part["sha256"] for part in parts.values()}
        wrong = [b for b, part in parts.items() if part["file"] != f"block-{int(b):05d}.parquet"]
        if manifest.get("config_hash") != digest(config):
            raise self._fault(f"{folder}: the configuration is not the one its replies are keyed by")
        if folder != run_place(config):
            raise self._fault(f"{folder} holds the replies of {run_place(config)}")
        if wrong or vouched != {k: v for k, v in files.items() if k != "manifest.json"}:
            raise self._fault(f"{folder}: the manifest vouches for other parts than there are")
        if (lacking := lacking_block(manifest)) is not None:
            raise self._fault(f"{folder} calls itself complete and lacks block {lacking}")
        return PackedRun(folder, manifest, files)

    def _manifest(self, folder: str, content: bytes) -> dict[str, Any]:
        try:
            manifest: dict[str, Any] = from_json(content.decode())
        except ValueError:
            raise self._fault(f"{folder}: its manifest is no JSON") from None
        if field := wrong_type(manifest):
            raise self._fault(f"{folder}: its manifest lacks {field}, or holds something else there")
        if field := key_field(manifest):
            raise self._fault(f"{folder}: its manifest holds a key in {field!r}")
        if path := machine_path(manifest):
            raise self._fault(f"{folder}: its manifest names a path of a machine ({path})")
        return manifest

    def _part(self, run: PackedRun, name: str, content: bytes) -> bytes:
        if _sha256(content) != run.files[name]:
            raise self._fault(f"{run.folder}: the checksum of {name} is wrong")
        try:
            schema = pq.read_schema(io.BytesIO(content))
        except Exception:
            raise self._fault(f"{run.folder}: {name} is no table") from None
        made = (schema.metadata or {}).get(b"config_hash", b"").decode()
        if made != run.manifest["config_hash"] or not set(COLUMNS) <= set(schema.names):
            raise self._fault(f"{run.folder}: {name} holds the replies of another run")
        return content

    def take(self, run: PackedRun, folder: Path) -> int:
        """Put a run's replies into its folder; what is there and whole stays."""
        with self._open() as archive:
            manifest = Manifest(folder, dict(run.manifest["config"]), str(run.manifest["config_hash"]))
            whole, _ = manifest.verify()
            new = {b: part for b, part in run.manifest["parts"].items() if int(b) not in whole}
            contents = {
                b: self._part(
                    run, f"parts/{part['file']}", archive.read(f"{run.folder}/parts/{part['file']}")
                )
                for b, part in new.items()
            }
        for block, content in contents.items():
            with replacing(manifest.part_path(int(block)), "wb") as handle:
                handle.write(content)
            manifest.data["parts"][block] = {**new[block], "pack": self.path.name}
        if new:
            for key in ("engine", "commit", "picked", "n_items", "twice"):
                if key in run.manifest:
                    manifest.data.setdefault(key, run.manifest[key])
            if set(run.manifest["parts"]) <= set(manifest.data["parts"]):
                manifest.data["status"] = run.manifest["status"]
            if not whole:
                manifest.data["sessions"] = [*manifest.data["sessions"], *run.manifest["sessions"]]
            manifest.save()
        return len(new)


def unpack(path: Path, runs: Path) -> list[tuple[PackedRun, int]]:
    """Put all runs of a pack below ``runs``; each with the number of blocks that were new."""
    opened = Pack(path)
    taken = []
    for run in opened.runs:
        with exclusive(runs / run.folder):
            taken.append((run, opened.take(run, runs / run.folder)))
    return taken


def take_from(packs: Iterable[Path], place: str, folder: Path) -> int:
    """Take from packs what a run lacks, before anything is asked; the number of blocks that were new."""
    taken = 0
    for path in packs:
        opened = Pack(path, deep=False)
        for run in opened.runs:
            if run.folder == place:
                taken += opened.take(run, folder)
    return taken


def stored_run(plan: Plan, packs: Iterable[Path], runs: Path) -> Path:
    """Folder with the replies of a plan that nothing is asked for, taken from a pack where need be.

    The plan's own run if it is here or in a pack; else another run of the same collection, model and set, made when
    requests were other ones. Reading compares request by request and leaves out what differs.
    """
    own = runs / plan.place
    if (own / "manifest.json").is_file() and Manifest.stored(own)["status"] == "complete":
        return own
    opened = [Pack(path, deep=False) for path in packs]
    alike = plan.place.rpartition("-")[0]
    for fits in (plan.place.__eq__, lambda folder: folder.rpartition("-")[0] == alike):
        for one in opened:
            for run in one.runs:
                if fits(run.folder):
                    one.take(run, runs / run.folder)
                    return runs / run.folder
    raise MetacogError(
        f"no pack in data/replies answers {plan.title}: `metacog collect --profile {plan.profile.name} "
        f"--study {plan.study}` asks the model"
    )


def answered_sets(packs: Iterable[Path]) -> set[str]:
    """``STUDY/COLLECTION/MODEL/SET`` of every whole run in some packs, whatever was asked."""
    runs = (run for path in packs for run in Pack(path, deep=False).runs)
    return {run.folder.rpartition("-")[0] for run in runs if run.manifest["status"] == "complete"}


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
