"""The kinds of model that people have, each from one command to its page and through all five studies' chapters.

Run: make book PROFILE=smoke                             (once; what does not depend on the model is taken from it)
     python benchmarks/five_cases.py                     (all cases; builds llama-server where it is missing)
     python benchmarks/five_cases.py --case chat         (one of them; the others' rows stay as they are)

For each case the project is copied with its smoke book, and what a reader would do is done there and timed:
`metacog add-model ...`, then `metacog book --profile smoke`, until the rendered page of the model is there. The copy's
profile holds the new model alone, at the sizes of SIZES. The cases:
- chat: a hosted chat API without log-probabilities; llama.cpp's own server, behind a proxy that takes them away;
- reasoning: a server that returns thoughts in a field of their own (`reasoning_content`), put there by the proxy; one
  reply in ten ends in mid-thought, before its answer;
- think-block: the same server with a chat template that opens a think block. The model knows no such marks, so the
  proxy has the server's grammar make it close the block, but for one reply in ten;
- llama-server: as it is, log-probabilities and all;
- local: a GGUF file on this machine;
- hub: the same from a local server of the model hub's paths.
The model is SmolLM2-135M in all of them (requantised for the last two: the registry knows the embedded file).
Writes data/benchmarks/five_cases.json: per case the seconds and what the pages rest on, with the machine's load and the
commit. Only what was measured is written; sums and judgements are made of it where they are shown.
Status 1 where a page is missing, or a page of study 1 does not say what confidence was taken from.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import html
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import llama_server
import pandas as pd
import yaml

from metacog.collect.manifest import LEFT_OUT
from metacog.collect.models import HUB_ADDRESS, get_model, locate
from metacog.collect.runner import account
from metacog.core.config import load_profile
from metacog.core.machine import available_cores
from metacog.core.paths import cache_dir, project_root
from metacog.core.provenance import provenance
from metacog.engines.endpoint.probe import OPEN_TURN
from metacog.install.processor import this_processor
from metacog.studies import studies
from metacog.studies.chapters import declared, results_read
from metacog.studies.packed import collections_read
from metacog.studies.results import rests_on_trials
from metacog.trials import NLP, WORDS

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from adding_project import requantised
from fault_proxy import FaultProxy

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "five_cases.json"
PROFILE, MODEL, NAME = "smoke", "smollm2-135m", "new-model"
STUDIES = ("study1", "study2", "study3", "study4", "study5")
#: Over the smoke profile's own.
SIZES: dict[str, dict[str, Any]] = {
    "study1_qa": {"datasets": {"bank": {"limit": 12}}, "block_items": 12, "draw_questions": 6, "draws": 2},
    "study5_battery": {"limit": 12},
}
#: What a copy of the project needs, the smoke book's results and pages among it.
COPIED = (
    "config",
    "notebooks",
    "book",
    "workflow",
    "data",
    "tests",
    "_config.yml",
    "_toc.yml",
    "CITATION.cff",
)
MADE = ("results", "_executed")
SLOTS, SLOT_TOKENS = 4, 2048
#: A chat template in the form of the model's own that opens a think block in the assistant's turn.
OPENING = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n<think>\\n' }}{% endif %}"
)
#: Replies that close the block after some words, and replies that never do.
CLOSED, UNCLOSED = 'root ::= [^<]{4,40} "</think>\\n" [^<]*', "root ::= [^<]+"
THOUGHT = "Let me think about that for a moment."


def is_cut(body: dict[str, Any]) -> bool:
    """Whether this request's reply ends in mid-thought: one in ten, the same request always alike.

    None to the question by which a server is examined, since that alone would decide what is asked of it.
    """
    if body["messages"][-1]["content"] == OPEN_TURN:
        return False
    text = json.dumps(body, sort_keys=True)
    return int(hashlib.sha256(text.encode()).hexdigest(), 16) % 10 == 0


class Thinking(FaultProxy):
    """Puts a field of thoughts into every reply; every tenth ends before its answer."""

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and JSON of the answer from behind, with thoughts."""
        status, data = super().answer(path, body)
        if status != 200:
            return status, data
        choice = data["choices"][0]
        message, n = {**choice["message"], "reasoning_content": THOUGHT}, len(THOUGHT.split())
        if is_cut(body) or body["max_tokens"] <= n:
            logprobs = {"content": []} if choice.get("logprobs") else None
            choice |= {"finish_reason": "length", "logprobs": logprobs}
            message["content"] = ""
        usage = {**data["usage"], "completion_tokens": data["usage"]["completion_tokens"] + n}
        usage["completion_tokens_details"] = {"reasoning_tokens": n}
        return status, {**data, "usage": usage, "choices": [{**choice, "message": message}]}


class Closing(FaultProxy):
    """Has the server's grammar close the think block that the template opens; not in every tenth reply."""

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        """Status and JSON of the answer from behind, to a request with a grammar."""
        return super().answer(path, {**body, "grammar": UNCLOSED if is_cut(body) else CLOSED})


@contextlib.contextmanager
def served(work: Path, proxy: Callable[[str], Any] | None, *more: str) -> Iterator[list[str]]:
    """llama.cpp's own server, behind a proxy if there is one; the words behind ``metacog add-model NAME``."""
    options = ["--jinja"]
    if proxy is Closing:
        template = work / "opening.jinja"
        template.write_text(OPENING, encoding="utf-8")
        options += ["--chat-template-file", str(template), "--reasoning-format", "none"]
    path, _ = locate(get_model(MODEL))
    size = {"slots": SLOTS, "slot_tokens": SLOT_TOKENS, "threads": available_cores()}
    with llama_server.running(path, **size, options=options) as server:
        with proxy(server.url) if proxy else contextlib.nullcontext(server) as before:
            yield ["--endpoint", f"{before.url}/v1", "--endpoint-model", "smollm2", *more]


@contextlib.contextmanager
def local(work: Path) -> Iterator[list[str]]:
    """A file that the registry does not know."""
    yield ["--gguf", str(requantised(work / "own.gguf"))]


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *args: object) -> None:
        """Say nothing."""


@contextlib.contextmanager
def hub(work: Path) -> Iterator[list[str]]:
    """The same file from a server of the model hub's paths."""
    repo, file = "someone/own-model-GGUF", "own.gguf"
    folder = work / "hub" / repo / "resolve" / "main"
    folder.mkdir(parents=True)
    requantised(folder / file)
    kept = cache_dir() / "models" / repo.replace("/", "--")
    shutil.rmtree(kept, ignore_errors=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(work / "hub")))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    os.environ |= {HUB_ADDRESS: f"http://127.0.0.1:{server.server_port}", "NO_PROXY": "127.0.0.1"}
    try:
        yield ["--hub", f"{repo}:{file}"]
    finally:
        server.shutdown()
        server.server_close()
        del os.environ[HUB_ADDRESS]
        shutil.rmtree(kept, ignore_errors=True)


def dropping(url: str) -> FaultProxy:
    """A proxy that takes the log-probabilities out of every reply."""
    return FaultProxy(url, faults=lambda number, body: "dropped")


CASES: dict[str, Callable[[Path], Any]] = {
    "chat": lambda work: served(work, dropping),
    "reasoning": lambda work: served(work, Thinking, "--thinking", "apart", "--thought-tokens", "32"),
    "think-block": lambda work: served(work, Closing, "--thinking", "strip-opened", "--thought-tokens", "32"),
    "llama-server": lambda work: served(work, None),
    "local": local,
    "hub": hub,
}


def copy(base: Path, target: Path) -> None:
    """A copy of the project with the smoke book that ``base`` holds; files that differ are this project's."""
    if not (base / "_executed" / PROFILE).is_dir() or not (base / "results" / PROFILE).is_dir():
        raise SystemExit(f"there is no smoke book in {base}: `make book PROFILE={PROFILE}` makes one")
    for name in (*COPIED, *MADE):
        source = base / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, target / name)
    for name in COPIED:
        for file in (
            [ROOT / name] if (ROOT / name).is_file() else filter(Path.is_file, (ROOT / name).rglob("*"))
        ):
            place = target / file.relative_to(ROOT)
            if not place.is_file() or place.read_bytes() != file.read_bytes():
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(file, place)
    for study in studies():  # what rests on other models' trials is to be made anew
        resting = {one.name for one in study.analyses if rests_on_trials(study, one)} | {"replies", "trials"}
        for old in (target / "results" / PROFILE / study.name).glob("*"):
            if re.split("[-@]", old.name)[0] in resting:
                shutil.rmtree(old)
    profile_of(target, lambda profile: [MODEL])


def profile_of(target: Path, models: Callable[[dict[str, Any]], list[str]]) -> None:
    """Write the copy's profile: its sizes and its models."""
    path = target / "config" / "profiles" / f"{PROFILE}.yaml"
    profile = yaml.safe_load(path.read_text(encoding="utf-8"))
    for study, sizes in SIZES.items():
        profile["studies"][study] |= sizes
    profile["models"] = models(profile)
    path.write_text(yaml.safe_dump(profile, sort_keys=False, default_flow_style=None), encoding="utf-8")


@dataclass(frozen=True)
class Call:
    """One command of the reader's: what it printed, and its seconds."""

    said: str
    seconds: float


def call(target: Path, *words: str) -> Call:
    """Run ``metacog ...`` in the copy."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "metacog", *words],
        cwd=target,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"`metacog {' '.join(words)}` failed:\n{done.stdout}")
    return Call(done.stdout, time.perf_counter() - begun)


def run(case: str, base: Path, work: Path) -> dict[str, Any]:
    """Carry one case from the command to the page."""
    target = work / "project"
    copy(base, target)
    load = os.getloadavg()[0]
    with CASES[case](work) as words:
        begun = time.time()
        added = call(target, "add-model", NAME, *words, "--profile", PROFILE)
        profile_of(target, lambda profile: [NAME])
        made = call(target, "book", "--profile", PROFILE)
    said = added.said + made.said
    shown = re.sub(r"http://127\.0\.0\.1:\d+", "http://localhost:8080", " ".join(words))
    return {
        "command": f"metacog add-model {NAME} {shown.replace(str(work) + os.sep, '')}",
        "seconds": {
            "add_model": round(added.seconds, 1),
            "book": round(made.seconds, 1),
            "of_it_collecting": _step_seconds(target, "collecting"),
        },
        "load": {"before": round(load, 1), "after": round(os.getloadavg()[0], 1)},
        **what_it_rests_on(target),
        "pages_made": pages(target, begun),
        "said": [line for line in said.splitlines() if "it cannot" in line or "taken from" in line],
    }


def _step_seconds(target: Path, verb: str) -> int:
    """Seconds of the book's steps that begin with a word, as its log has them."""
    (log,) = [path for path in (target / "results" / "logs").glob("newest.log")]
    return sum(map(int, re.findall(rf"^{verb} .* \.\.\. (\d+) s$", log.read_text(encoding="utf-8"), re.M)))


def entry_of(target: Path) -> dict[str, Any]:
    """The model's entry, as the command that added it wrote it."""
    text = (target / "config" / "models" / f"{NAME}.yaml").read_text(encoding="utf-8")
    entry: dict[str, Any] = yaml.safe_load(text)
    return entry


def what_it_rests_on(target: Path) -> dict[str, Any]:
    """What was collected: signal, what the engine cannot do, replies, requests, tokens, thoughts cut off."""
    entry = entry_of(target)
    manifests = {
        p: json.loads(p.read_text(encoding="utf-8")) for p in (target / "runs").rglob("manifest.json")
    }
    spent = [asdict(account(path.parent)) for path in manifests]
    engines = [one["engine"]["capabilities"].get("why", {}) for one in manifests.values()]
    found: dict[str, Any] = {
        "signal": entry.get("confidence", NLP),
        "cannot": sorted({name for why in engines for name in why}),
        "left_out": sorted(
            {m["config"]["collection"] for m in manifests.values() if m["status"] == LEFT_OUT}
        ),
        "replies": sum(part["rows"] for one in manifests.values() for part in one["parts"].values()),
    }
    if "endpoint" in entry["source"]:
        found |= {name: sum(one[name] for one in spent) for name in ("requests", "read", "written", "hidden")}
    answers = trials(target, "study1_qa", "open")
    return found | {
        "unanswered": round(float((answers["match"] == "unanswered").mean()), 3),
        "parsed": round(float((trials(target, "study5_battery", "battery")["form"] == "parsed").mean()), 3),
    }


def trials(target: Path, study: str, collection: str) -> pd.DataFrame:
    """Trials of one collection of the model."""
    folder = target / "results" / PROFILE / study / "trials" / collection
    return pd.concat([pd.read_parquet(f) for f in folder.glob(f"{NAME}.*.parquet")], ignore_index=True)


def pages(target: Path, begun: float) -> dict[str, bool | None]:
    """Pages that were executed anew and rendered: whether each says what confidence was taken from.

    None for a page that rests on no trials of the run and need not say it.
    """
    own = [load_profile(PROFILE)]
    resting = {one.name for one in declared() if collections_read(results_read(one.source), own)}
    rendered = target / "_build" / "html" / "_executed"
    anew = sorted(
        path.stem
        for path in (target / "_executed" / PROFILE).glob("*.ipynb")
        if path.stat().st_mtime > begun and (rendered / f"{path.stem}.html").is_file()
    )
    entry = entry_of(target)
    words = WORDS[entry.get("confidence", NLP)]
    return {name: words in text_of(rendered / f"{name}.html") if name in resting else None for name in anew}


def lacking(made: Mapping[str, bool | None]) -> list[str]:
    """What is missing of the pages that a case made: the model's own, one of a study, words on a page of study 1."""
    kinds = {f"model-page-{NAME}": "the model's page"} | {f"{s}-": f"any page of {s}" for s in STUDIES}
    missing = [words for start, words in kinds.items() if not any(name.startswith(start) for name in made)]
    silent = [name for name, says in made.items() if says is False and name.startswith("study1-")]
    return missing + [f"the signal on {name}" for name in silent]


def text_of(page: Path) -> str:
    """A rendered page's words, with straight apostrophes."""
    text = html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))
    return " ".join(text.replace("\u2019", "'").split())


def commit_here() -> str:
    """Commit of the clone; what the cases before wrote into their own file is no change of what was measured."""
    git = partial(subprocess.run, cwd=ROOT, capture_output=True, text=True, check=True)
    head = git(["git", "rev-parse", "--short=12", "HEAD"]).stdout.strip()
    others = ["--", ".", f":!{OUT.relative_to(ROOT)}"]
    changed = git(["git", "status", "--porcelain", "--untracked-files=no", *others]).stdout.strip()
    return f"{head}+changes" if changed else head


def main() -> int:
    """Run the cases, print and write their rows; 1 where something is missing."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("--case", dest="cases", action="append", choices=CASES, help="[default: all]")
    parser.add_argument("--base", type=Path, default=project_root(), help="a clone that holds a smoke book")
    parser.add_argument("--work", type=Path, help="keep the copies here")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # a server it started goes with it
    stored = json.loads(OUT.read_text(encoding="utf-8")) if OUT.is_file() else {"cases": {}}
    chosen, sound = arguments.cases or list(CASES), True
    for case in chosen:
        with tempfile.TemporaryDirectory(prefix="five-cases-") as temporary:
            work = (arguments.work or Path(temporary)) / case
            work.mkdir(parents=True)
            row = run(case, arguments.base.resolve(), work)
        print(case, json.dumps(row, indent=1), flush=True)
        if missing := lacking(row["pages_made"]):
            print(f"{case} lacks {', '.join(missing)}", flush=True)
            sound = False
        stored["cases"][case] = row | {"commit": commit_here()}
        facts = {
            "command": "python benchmarks/five_cases.py",
            "profile": PROFILE,
            "sizes": SIZES,
            "machine": {
                "processor": this_processor().name,
                "cores": available_cores(),
                "system": platform.platform(),
            },
            "cases": {name: stored["cases"][name] for name in CASES if name in stored["cases"]},
            **provenance(commit=commit_here()),
        }
        OUT.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return int(not sound)


if __name__ == "__main__":
    sys.exit(main())
