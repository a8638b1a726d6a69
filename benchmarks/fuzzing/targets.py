"""What is read of others: one function a kind of file or text, which gives an input to every reader of that kind.

Each takes the input's bytes: its form, and parts that begin with a line ``@@ name`` (:mod:`fuzzing.inputs`).
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import json
import math
import os
import resource
import shutil
import signal
import tempfile
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import accumulate
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx2
import pyarrow as pa
import pyarrow.parquet as pq

from fuzzing.inputs import MARK
from fuzzing.judging import Escaped
from metacog.collect import (
    choices,
    confidence_ways,
    models,
    named_lines,
    packs,
    published_choices,
    questions,
    short_answers,
    strict_json,
)
from metacog.collect.manifest import Manifest, run_facts
from metacog.collect.proving import read_outcome, require
from metacog.core.config import load_profile, load_yaml
from metacog.core.errors import MetacogError
from metacog.engines import thinking
from metacog.engines.base import Generation
from metacog.engines.batches import Inbox
from metacog.engines.budget import Budget, Prices
from metacog.engines.endpoint import address, held, http, reading, replies, scored
from metacog.imports import report
from metacog.imports.mapping import Columns
from metacog.imports.raters import read_ratings
from metacog.imports.report import Request, load
from metacog.studies import first_with
from metacog.studies.study4_probe.asking import items as probe
from metacog.studies.study5_battery.asking.items import written as battery
from metacog.trials import read_trials, write_parquet

warnings.filterwarnings("ignore")
RUN = "study/keep/model/items-"


def parts_of(data: bytes) -> tuple[str, dict[str, bytes]]:
    """Form of an input, and its parts by name."""
    form, *parts = data.split(MARK)
    named = (part.partition(b"\n") for part in parts)
    return form.decode("utf-8", "replace"), {n.decode("utf-8", "replace")[:200]: c for n, _, c in named}


@contextmanager
def sandbox() -> Iterator[Path]:
    """A folder in a folder of its own; what stands beside it afterwards has escaped."""
    outer = Path(tempfile.mkdtemp(prefix="fuzz-"))
    inner = outer / "a" / "b" / "c" / "d" / "e" / "f"
    inner.mkdir(parents=True)
    try:
        yield inner
        beside = [p for p in outer.rglob("*") if p.is_file() and inner not in p.parents]
        if beside:
            raise Escaped(str(beside[0].relative_to(outer)))
    finally:
        shutil.rmtree(outer, ignore_errors=True)


def content_of(parts: dict[str, bytes]) -> bytes | None:
    """The file that the parts say: ``file`` as it is, or ``table``, a JSON object of columns, as parquet."""
    if "file" in parts:
        return parts["file"]
    made = as_parquet(parts.get("table", b""))
    return made if made is not None else parts.get("table")


def as_parquet(text: bytes, metadata: dict[str, str] | None = None) -> bytes | None:
    """A JSON object of columns as a parquet file; None where they make no table."""
    try:
        columns = {str(n): pa.array(v) for n, v in json.loads(text).items()}
        table = pa.table(columns).replace_schema_metadata(metadata)
        into = io.BytesIO()
        pq.write_table(table, into)
    except (ValueError, TypeError, AttributeError, RecursionError, OverflowError, pa.ArrowException):
        return None
    return into.getvalue()


# --- texts that a model writes

LABELS, OPTIONS = ("A", "B"), ("1944", "Paris (France)")


def read_text(data: bytes) -> None:
    """Every parser of a reply."""
    text = data.decode("utf-8", "replace")
    for read in (confidence_ways.read_probability, confidence_ways.read_percentage):
        found = read(text)
        assert math.isnan(found.probability) or 0 <= found.probability <= 1, found
    confidence_ways.read_answer_and_probability(text, LABELS, OPTIONS)
    confidence_ways.read_reasoned(text, LABELS, OPTIONS)
    confidence_ways.read_guesses(text, LABELS)
    named_lines.field_lines(text, ("ANSWER", "CONFIDENCE", "KEEP_WITHDRAW"))
    named_lines.numbers_in(text)
    assert not named_lines.rating_in(text, 0, 100) < 0
    named_lines.yes_or_no(text)
    strict_json.whole_numbers(text, {"decision": (0, 1), "confidence": range(101)})
    short_answers.agree(text, "President John F. Kennedy")
    marking = first_with("marking").marking
    assert marking is not None
    marking.mark(text, ["Paris", "The City of Paris", "42"])
    marking.same(text, "Paris, of course")
    for way in held.Way:
        held.written(way, text)
    raw = text.encode()
    ends = list(accumulate(len(word) + 1 for word in raw.split(b" ")))
    for rule in thinking.Rule:
        for opened in (False, True):
            with suppress(MetacogError):
                thinking.answer_of(raw, [min(end, len(raw)) for end in ends], rule, opened=opened)
    values = (-0.5,) * len(ends)
    made = Generation(text, tuple(range(len(ends))), values, len(ends), sum(values), None, False)
    thinking.before_mark(made, "Q:", ["Who? Q: Me"])
    thinking.ends_of(text, raw.split(b" "))


# --- question files

ITEM_READERS: dict[str, Callable[[Path], Any]] = {"probe": probe.read_items, "battery": battery.read_items}


def read_questions(data: bytes) -> None:
    """A question file of a form, as a set that the configuration names, and what is made of its questions."""
    form, parts = parts_of(data)
    content = content_of(parts)
    if content is None:
        return
    with sandbox() as folder:
        path = folder / "set.txt"
        path.write_bytes(content)
        known = {
            "set": {"label": "Set", "form": form, "licence": "x", "path": str(path), "max_answer_words": 5}
        }
        with (
            patch.object(questions, "known_sets", lambda: known),
            patch.object(published_choices, "known_sets", lambda: known),
        ):
            if form in ITEM_READERS:
                ITEM_READERS[form](path)
            elif form in questions.READERS:
                for one in questions.load_questions("set"):
                    one.question.encode(), [text.encode() for text in one.accepted]
            elif form in questions.LABELLED_READERS:
                for sentence in questions.load_labelled("set"):
                    sentence.text.encode()
            elif form in published_choices.READERS:
                sound, _ = published_choices.sound(published_choices.load_choices("set"), "set")
                choices.binary_questions(sound, n_pairings=1)


# --- tables and logs

OPEN = Columns("right", "sure", "model", "area", "t", "qid")
REQUESTS = {
    "open": Request(OPEN, repeats="keep"),
    "choice": Request(Columns(model="model", stimulus="side", response="said", rating="rated")),
    "marked": Request(Columns(confidence="sure", answer="answer", key="key", model="model"), repeats="first"),
    "agreeing": Request(
        Columns(correct="right", confidence="agreement", answer="answer", question_id="qid", model="model")
    ),
    "counts": Request(nr_table=True),
}


def read_table(data: bytes) -> None:
    """A table of trials, judgements or counts, as ``import-trials`` and ``metacog raters`` take it."""
    form, parts = parts_of(data)
    what, _, suffix = form.partition(" ")
    content = content_of(parts)
    if content is None or not suffix.isalnum():
        return
    with sandbox() as folder:
        path = folder / f"table.{suffix[:8]}"
        path.write_bytes(content)
        if what == "raters":
            read_ratings([path])
        elif what == "trials":
            read_trials(path)
        elif what in REQUESTS:
            write_parquet(load(path, REQUESTS[what])[0], folder / "trials.parquet")


def read_log(data: bytes) -> None:
    """A log of lm-evaluation-harness or of Inspect: its trials, and its answers."""
    form, parts = parts_of(data)
    with sandbox() as folder:
        if form == "harness":
            path = folder / "owner__model" / "samples_quiz_2024-05-01T10-00-00.jsonl"
            path.parent.mkdir()
            path.write_bytes(parts.get("file", b""))
            if "results" in parts:
                (path.parent / "results_2024.json").write_bytes(parts["results"])
        elif form in ("json", "eval"):
            path = folder / f"log.{form}"
            path.write_bytes(parts.get("file", b"") if form == "json" else zipped(parts))
        else:
            return
        refused: list[MetacogError] = []
        for kind in ("", "nlp"):
            try:
                _, table, _ = report._open([path], Request(), kind, path.name)
                if not kind:
                    write_parquet(load(path)[0], folder / "trials.parquet")
                elif "answer" in table:
                    table["answer"].str.encode("utf-8")
            except MetacogError as error:
                refused.append(error)
        if refused:
            raise max(refused, key=lambda error: len(str(error)))


def zipped(members: dict[str, bytes]) -> bytes:
    """A zip file; one part called ``raw`` is taken for it."""
    if "raw" in members:
        return members["raw"]
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("\0", "") or "x", content)
    return into.getvalue()


# --- packs and manifests


def read_pack(data: bytes) -> None:
    """A pack, checked and unpacked; or the manifest of a run's folder."""
    form, parts = parts_of(data)
    with sandbox() as folder:
        if form == "manifest":
            place = folder / RUN
            (place / "parts").mkdir(parents=True)
            (place / "manifest.json").write_bytes(parts.get("file", b""))
            with suppress(MetacogError):
                stored = Manifest.stored(place)
                if not packs.wrong_type(stored):
                    packs.lacking_block(stored)
            Manifest(place, {}, "15d5f4e753d29842").verify()
            return
        path = folder / "pack.zip"
        members = {"pack.json": parts.get("file", b"")} if form == "index" else members_of(form, parts)
        path.write_bytes(zipped(members))
        for run, _ in packs.unpack(path, folder / "runs"):
            assert len(run.title) < 10_000
            with suppress(KeyError, TypeError):  # of a manifest that lacks what a study's own has
                run_facts([run.manifest])


def members_of(form: str, parts: dict[str, bytes]) -> dict[str, bytes]:
    """Members of a pack; ``fitted``: tables are made, and list and manifests fitted to what there is."""
    if form != "fitted":
        return parts
    try:
        index, made = json.loads(parts["pack.json"]), dict(parts)
        for run in index["runs"]:
            place = f"{run['folder']}/"
            manifest = json.loads(parts[f"{place}manifest.json"])
            kept = {"config_hash": manifest["config_hash"]}
            for name in parts:
                if name.startswith(place) and name.endswith(".parquet"):
                    made[name] = as_parquet(parts[name], kept) or parts[name]
            for part in manifest["parts"].values():
                if (name := f"{place}parts/{part['file']}") in made:
                    part["sha256"] = hashlib.sha256(made[name]).hexdigest()
            made[f"{place}manifest.json"] = json.dumps(manifest).encode()
            run["files"] = {
                name.removeprefix(place): hashlib.sha256(made[name]).hexdigest()
                for name in made
                if name.startswith(place)
            }
        return {**made, "pack.json": json.dumps(index).encode()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return parts


# --- configuration


def read_configuration(data: bytes) -> None:
    """A file of the configuration held to its schema, and what is made of it."""
    form, parts = parts_of(data)
    if form not in ("profile", "model", "datasets", "prompts"):
        return
    with sandbox() as folder:
        path = folder / f"{form}.yaml"
        path.write_bytes(parts.get("file", b""))
        content = load_yaml(path, form)
        if form == "profile":
            profile = load_profile(str(path))
            models.with_profile_model(path.read_text(encoding="utf-8"), "new-one")
            assert profile.models
        elif form == "model":
            found = models.ModelEntry(name="mine", **content)
            assert "hub" not in found.source or ".." not in models._hub_file(found).parts
            path.write_text(models.model_file(found), encoding="utf-8")
            assert repr(models.ModelEntry(name="mine", **load_yaml(path, form))) == repr(found)


# --- models' files


NUMBERS = ("n_tokens", "mean_difference", "largest_difference", "mean_logprob")


def read_gguf(data: bytes) -> None:
    """A model's file, loaded by llama.cpp, with the little that is asked of it at first."""
    from metacog.engines.llama import lowlevel

    os.environ["GGML_NO_BACKTRACE"] = "1"
    lowlevel.start_backend()
    with sandbox() as folder:
        path, told = folder / "model.gguf", folder / "told.txt"
        path.write_bytes(data)
        if not (child := os.fork()):
            _load_and_leave(path, told)
        _, status, used = os.wait4(child, 0)
        said = told.read_text() if told.is_file() else ""
        if (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU) or used.ru_utime > 2:
            raise TimeoutError(f"llama.cpp took {used.ru_utime:.0f} s")
        if said.startswith("Traceback"):
            raise RuntimeError(said[-500:])
        code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        require(read_outcome("a model", code, said or '{"error": "no reason given"}', ""))


def _load_and_leave(path: Path, told: Path) -> None:
    """In a process of its own, as every command that loads a model: what `metacog.collect.proving` reads."""
    from metacog.engines.llama.lowlevel import Model

    resource.setrlimit(resource.RLIMIT_CPU, (10, 11))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    said = json.dumps({"right": True, "why": "", "seconds": 0.0} | dict.fromkeys(NUMBERS))
    try:
        model = Model(path)
        model.tokenize("a b <s>")
        for token in range(min(model.n_vocab, 50)):
            model.piece(token), model.control_text(token), model.is_eog(token)
        model.chat_template()
        model.close()
    except MetacogError as error:
        said = json.dumps({"error": str(error)})
    except BaseException:
        said = traceback.format_exc()
    told.write_text(said)
    os._exit(0)


# --- servers

RULES = tuple(thinking.Rule)


def read_answer(data: bytes) -> None:
    """An answer of a server, over the wire to a reply; or a batch's file of results."""
    form, parts = parts_of(data)
    if form == "batch":
        with sandbox() as folder:
            (folder / "results.jsonl").write_bytes(parts.get("file", b""))
            inbox = Inbox(folder / "results.jsonl")
            inbox.turn_to("run-1", folder / "kept.jsonl")
        return
    if len(form) != 3 or not form.isascii() or not form.isdigit() or not 200 <= int(form) <= 599:
        return
    headers = []
    for line in parts.get("headers", b"").split(b"\n")[:20]:
        name, colon, value = line.partition(b":")
        if colon and name.isascii() and name.decode().replace("-", "").isalnum():
            headers.append((name, value.strip(b" \t\r\x00")))
    refused: list[MetacogError] = []
    for read in READS:
        try:
            asyncio.run(_posted(int(form), headers, parts.get("body", b""), read))
        except MetacogError as error:
            refused.append(error)
    if refused:
        raise max(refused, key=lambda error: len(str(error)))


async def _posted(
    status: int, headers: list[tuple[bytes, bytes]], body: bytes, read: Callable[[Any], Any]
) -> Any:
    def answer(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(status, headers=headers, content=body)

    async def at_once(seconds: float) -> None:
        assert 0 <= seconds, seconds

    clock = iter(range(0, 10**9, 60))  # an hour of waiting passes in sixty looks
    patience = http.Patience(timeout=30.0, retries=1, server_wait=0.0)
    budget = Budget()
    budget.turn_to(Prices(1.0, 2.0))
    wire = http.Wire(
        "http://127.0.0.1:9/v1",
        address.Secret("sk-fuzz"),
        patience,
        transport=httpx2.MockTransport(answer),
        sleep=at_once,
        clock=lambda: float(next(clock)),
        budget=budget,
    )
    try:
        return await wire.post("/chat/completions", {"messages": [], "max_tokens": 4}, read)
    finally:
        await wire.close()


def _told(payload: Any) -> Any:
    reply = reading.read_reply(payload)
    made = replies.to_generation(reply, ("\n",), thinking=thinking.Rule.APART)
    json.dumps(made.text).encode()
    return made


def _untold(payload: Any) -> Any:
    return replies.untold_generation(payload, ("\n",), thinking=thinking.Rule.APART)


def _echoed(payload: Any) -> Any:
    return scored.echoed_score(payload, "Par", "is")


def _chosen(payload: Any) -> Any:
    return scored.single_token_logprobs(reading.read_reply(payload), ["A", "B"], "it cannot be scored")


READS = (_told, _untold, _echoed, _chosen)

TARGETS: dict[str, Callable[[bytes], object]] = {
    "replies": read_text,
    "questions": read_questions,
    "tables": read_table,
    "logs": read_log,
    "packs": read_pack,
    "configuration": read_configuration,
    "gguf": read_gguf,
    "server": read_answer,
}
