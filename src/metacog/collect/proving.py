"""Does llama.cpp compute here? A decode in a process of its own, and what became of it.

The process may die (an instruction this processor lacks, a miscompiled kernel); this one lives and says
why. Nothing here loads llama.cpp. As a program it proves the models that have recorded values, prints
one line of JSON for each and leaves with 0 if all are right::

    python -m metacog.collect.proving [MODEL ...]

Also edits of the configuration's YAML that keep its comments and layout, all files or none.

A file is edited as text and read again: the edit stands only if the parsed result is what was asked
for and nothing else has changed. Several files are then replaced together; if one cannot be, those
already replaced are put back.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import yaml

from metacog.collect.models import get_model, is_here, locate
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.progress import signal_name

#: Names of models: no dots, because trial files are called MODEL.DATASET.parquet.
NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$")


def check_name(name: str, known: Mapping[str, Any]) -> None:
    """Refuse a name that the registry has or that cannot be part of a file's name.

    Raises
    ------
    MetacogError
    """
    if not NAME.fullmatch(name):
        raise MetacogError(
            f"{name!r} cannot name a model: use letters, digits, - and _ (64 at most, no dots or spaces), "
            "beginning with a letter or digit"
        )
    taken = next((other for other in known if other.lower() == name.lower()), None)
    if taken is not None:
        raise MetacogError(
            f"config/models.yaml has a model {taken!r} already: choose another name, or take that entry out"
        )


def with_model(text: str, name: str, entry: Mapping[str, Any]) -> str:
    """The registry's text with one more model at its end.

    Parameters
    ----------
    text : str
        Contents of ``config/models.yaml``.
    name : str
    entry : mapping
        What stands below the name.

    Raises
    ------
    MetacogError
        If the file is laid out in a way that this cannot extend.
    """
    before = yaml.safe_load(text)
    lines = [f"  {name}:"]
    for key, value in entry.items():
        dumped = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
        lines.append(f"    {key}: {dumped.removesuffix('...' + chr(10)).strip()}")
    after = text.rstrip("\n") + "\n" + "\n".join(lines) + "\n"
    wanted = {**before, "models": {**before["models"], name: dict(entry)}}
    return _checked(after, wanted, "config/models.yaml", f"the entry\n{chr(10).join(lines)}")


def with_profile_model(text: str, name: str, file: str) -> str:
    """A profile's text with one more model in its list ``models``.

    Knows lists in brackets on one line, and lists with one ``- name`` a line.
    """
    before = yaml.safe_load(text)
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
    wanted = {**before, "models": [*before["models"], name]}
    return _checked(after, wanted, file, f"{name} to its list of models")


def with_labels(text: str, dataset: str, labels: str) -> str:
    """The question sets' text with ``labels: PATH`` in one entry (added or replaced)."""
    before = yaml.safe_load(text)
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
    return _checked(after, wanted, "config/datasets.yaml", f"labels: {labels} to {dataset}")


def _checked(after: str, wanted: Any, file: str, what: str) -> str:
    """The edited text, if it reads as it should; else a request to edit by hand."""
    try:
        good = yaml.safe_load(after) == wanted
    except yaml.YAMLError:
        good = False
    if not good:
        raise MetacogError(f"{file} is laid out in a way that cannot be edited here: add {what} by hand")
    return after


def replace_all(texts: Mapping[Path, str]) -> None:
    """Write several files, all or none.

    New contents are first written next to each file and flushed; then the files are replaced one by
    one. If that fails half-way, the old contents are put back.

    Raises
    ------
    MetacogError
        If a folder cannot be written; every file is as it was.
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


#: Seconds after which a decode that takes two is given up.
PATIENCE = 300.0


@dataclass(frozen=True)
class Proof:
    """What became of a proof.

    Attributes
    ----------
    model : str
    outcome : str
        ``right``; ``wrong`` (other log-probabilities than recorded, or senseless ones); ``died``;
        ``stuck``; ``failed`` (llama.cpp cannot be loaded); ``unfit`` (the model's file is at fault).
    why : str
        Completes a sentence that begins with the model; empty if right.
    signal : str
        Name of the signal that ended the process, if one did.
    n_tokens : int
    mean_difference, largest_difference, mean_logprob : float or None
        As in :class:`metacog.engines.llama.proof.Verdict`.
    seconds : float
    """

    model: str
    outcome: str
    why: str = ""
    signal: str = ""
    n_tokens: int = 0
    mean_difference: float | None = None
    largest_difference: float | None = None
    mean_logprob: float | None = None
    seconds: float = 0.0

    @property
    def right(self) -> bool:
        """Whether llama.cpp computes as it should."""
        return self.outcome == "right"


def records_folder() -> Path:
    """Folder of recorded log-probabilities, one file per model."""
    return project_root() / "data" / "proof"


def recorded_models() -> list[str]:
    """Models whose log-probabilities are recorded and whose files are here; none is fetched for it."""
    return [name for name in sorted(path.stem for path in records_folder().glob("*.json")) if is_here(name)]


def prove_model(name: str) -> Proof:
    """Prove a model of the registry, against its record where there is one."""
    try:
        path, _ = locate(get_model(name))
    except MetacogError as error:
        return Proof(name, "unfit", str(error))
    record = records_folder() / f"{name}.json"
    return prove_file(path, record=record if record.is_file() else None, name=name)


def prove_file(
    path: Path,
    *,
    record: Path | None = None,
    name: str = "",
    n_gpu_layers: int = 0,
    command: Sequence[str] = (),
) -> Proof:
    """Prove a GGUF file; never raises for what happens in the process that tries it.

    Parameters
    ----------
    path : Path
    record : Path, optional
        Recorded values; without, log-probabilities must be finite and better than chance.
    name : str
        For messages; the file's name by default.
    n_gpu_layers : int
    command : sequence of str, optional
        Run in place of this Python's proof, for tests.
    """
    words = list(command) or [sys.executable, "-m", "metacog.engines.llama.proof"]
    words += [str(path), "--n-gpu-layers", str(n_gpu_layers)]
    words += ["--record", str(record)] if record else []
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return Proof(name or path.name, "stuck", f"did not answer within {PATIENCE:.0f} seconds")
    except OSError as error:
        return Proof(name or path.name, "failed", f"could not be tried ({error.strerror})")
    return read_outcome(name or path.name, done.returncode, done.stdout, done.stderr)


def read_outcome(name: str, code: int, out: str, err: str) -> Proof:
    """Tell from a finished process what became of the proof."""
    if code < 0:
        ended = signal_name(-code)
        return Proof(name, "died", f"died with {ended} while it decoded", signal=ended)
    last = (out.strip().splitlines() or [""])[-1]
    verdict = None
    with contextlib.suppress(ValueError):
        verdict = json.loads(last)
    if not isinstance(verdict, dict):
        last = (err.strip().splitlines() or ["no reason given"])[-1]
        return Proof(name, "failed", f"could not be tried: {last}")
    if "error" in verdict:
        return Proof(name, "unfit", verdict["error"])
    numbers = {k: verdict[k] for k in ("n_tokens", "mean_difference", "largest_difference", "mean_logprob")}
    outcome = "right" if verdict["right"] else "wrong"
    return Proof(name, outcome, verdict["why"], seconds=verdict["seconds"], **numbers)


def require(proof: Proof) -> None:
    """Let a proof that is not right stop what comes next.

    Raises
    ------
    MetacogError
        With what happened and what to do.
    """
    if proof.outcome == "unfit":
        raise MetacogError(proof.why)
    if not proof.right:
        raise MetacogError(
            f"{proof.model} {proof.why}: this build of llama.cpp does not compute it rightly here. "
            "`metacog doctor` tells whether the embedded models work; if they do, the file is at fault"
        )


def main(words: Sequence[str] | None = None) -> int:
    """Prove the named models, or all that have a record."""
    names = list(sys.argv[1:] if words is None else words)
    try:
        proofs = [prove_model(name) for name in names or recorded_models()]
        if not proofs:
            raise MetacogError(f"{records_folder()} has no records of log-probabilities: restore them")
    except MetacogError as error:
        proofs = [Proof("-", "unfit", str(error))]
    for proof in proofs:
        print(json.dumps(asdict(proof)), flush=True)
    return 0 if all(proof.right for proof in proofs) else 1


if __name__ == "__main__":
    sys.exit(main())
