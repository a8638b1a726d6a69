"""A real server against the model's own file: log-probabilities of the same answers, and answers to the same turns.

Starts the server of llama-cpp-python on loopback with the embedded SmolLM2 and asks questions of the bank.

1. Each answer's NLP is compared with the local engine's. Quantised kernels round differently for every batch shape, so
   the like-for-like comparison is with the local engine decoding one sequence at a time with the same attention kernel,
   as that server does; the local engine's own spread between two shapes is given as well.
2. All five studies are asked at temperature 0, by file through the file's own chat template and over chat, and answers
   to the same turns are compared one by one. Beside them, as a fact, stand the open questions of study 1 behind a text,
   by file and through the completions API, and with the text in one turn of a chat, as chat servers were once asked.

    python benchmarks/endpoint_check.py [--questions 200] [--gguf MODEL.gguf ...]

Writes results/benchmarks/endpoint.json, and data/simulations/endpoint_check.csv with a .json (command, versions) beside
it; rows of models that are not asked stay. Leaves with status 1 if the like-for-like bias is 0.005 or more, or less
than 95 % of the answers to the same turns are equal.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.plan import collection_of, make_plan, settings_of
from metacog.collect.prompts import CHAT, load_prompt
from metacog.collect.questions import load_questions
from metacog.collect.reading import trials_of
from metacog.commands._adding import PROMPTS
from metacog.core.config import Profile
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.engines.base import Generation, Sample
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.engine import Engine
from metacog.engines.llama import LlamaEngine
from metacog.engines.requests import Chosen, Exchange, Generated, request_digest
from metacog.studies import get_study

MODEL = "smollm2-135m"
WANTED_BIAS = 0.005
#: Share of answers to the same turns that are to be equal by file and over chat.
WANTED_EQUAL = 0.95
OUT = project_root() / "data" / "simulations" / "endpoint_check.csv"
#: Room for the longest prompt of the studies, in tokens.
N_CTX = 2048


@contextlib.contextmanager
def loopback_server(path: Path, n_ctx: int = 512) -> Iterator[str]:
    """A server of llama-cpp-python on a free loopback port; gives its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", str(path), "--host", "127.0.0.1"]
    command += ["--port", str(port), "--n_ctx", str(n_ctx), "--logits_all", "true", "--verbose", "false"]
    command += ["--flash_attn", "false"]  # the local engine's attention kernel
    quiet = os.environ | {"OMP_WAIT_POLICY": "passive"}  # threads that spin slow a busy machine down
    server = subprocess.Popen(command, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(240):
            if server.poll() is not None:
                raise SystemExit("the server ended at once: is the extra endpoint-test installed?")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.25)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        server.wait(timeout=20)


def greedy(engine: Engine, questions: Sequence[str]) -> list[Generation]:
    """One greedy few-shot answer to each question, as one block."""
    prompt = load_prompt("fewshot-v1")
    tasks = [prompt.task(q, [Sample(0.0, 1)], engine) for q in questions]
    return [row[0] for row in engine.generate(tasks, max_tokens=24, stop=prompt.stop)]


def compare(a: Sequence[Generation], b: Sequence[Generation]) -> dict[str, float]:
    """Differences in NLP over the answers that have the same text."""
    same = [(x.nlp, y.nlp) for x, y in zip(a, b, strict=True) if x.text == y.text and x.n_tokens]
    difference = np.array([x - y for x, y in same])
    n = len(difference)
    return {
        "answers": len(a),
        "same_text": n,
        "bias": float(difference.mean()),
        "standard_error": float(difference.std(ddof=1) / np.sqrt(n)),
        "spread_sd": float(difference.std(ddof=1)),
        "largest": float(np.abs(difference).max()),
    }


#: Prompts of each way of asking: what a file and a completions API get, turns, and turns with the examples in one.
FORMS = {
    "texts": PROMPTS["base"],
    "turns": CHAT,
    "one turn": {**CHAT, "fewshot": PROMPTS["base"]["fewshot"]},
}


def studies_asked(questions: int, items: int = 20) -> dict[str, tuple[str, dict[str, Any]]]:
    """A collection of each study with settings at temperature 0: questions of study 1, about so many items of others.

    Study 5 is asked for letters, which are read alike by file and over chat; options that are longer are scored by file
    and written out over chat.
    """
    bank = {"datasets": {"bank": {"limit": questions}}, "temperatures": [0.0], "max_tokens": 24}
    science = {"sets": {"science": "bank:Science"}, "n_questions": items, "temperature": 0.0}
    probe = {"items_per_task": items // 5, "resampled": [], "draws": 0, "examples": True}
    return {
        "study1_qa": ("open", bank),
        "study2_two_choice": ("confidence", {"n_sentences": items // 2, "temperature": 0.0}),
        "study3_dmc": ("position", science),
        "study4_probe": ("probe", probe),
        "study5_battery": ("battery", {"limit": 6 * (items // 5), "answers": "letters"}),
    }


class Said(NamedTuple):
    """An answer: the digest of what was asked, how it was read, and the text written first or the option taken."""

    asked: str
    form: str
    text: str

    @classmethod
    def of(cls, made: Exchange) -> Said:
        """Of a request and its reply."""
        reply, asked = made.reply, request_digest(made.request)
        assert isinstance(reply, Generated | Chosen)
        if isinstance(reply, Generated):
            return cls(asked, "written", reply.text)
        return cls(asked, reply.form, reply.chosen)


@dataclass(frozen=True)
class Put:
    """What came of a study: the share right, and each answer by set, item, step and place."""

    right: float
    answers: dict[tuple[str, str, int, int], Said]


def put(
    engine: Engine, prompts: dict[str, str], study: str, collection: str, settings: dict[str, Any]
) -> Put:
    """Ask a study's items in one form."""
    entry = ModelEntry("asked", "Asked", "instruct", {"path": "asked.gguf"}, "0" * 64, prompts)
    profile, asked = Profile("check", (entry.name,), {study: settings}, {}), get_study(study)
    trials, answers = [], {}
    for name in collection_of(asked, collection).sets(settings_of(asked, profile)):
        plan = make_plan(asked, collection, profile, entry, name)
        talks = [plan.conversation(number) for number in range(len(plan.items))]
        engine.serve(talks)
        trials.append(trials_of(plan, enumerate(talks)))
        for item, talk in zip(plan.items, talks, strict=True):
            for made in talk.exchanges:
                answers[name, item.id, made.step, made.index] = Said.of(made)
    return Put(float(pd.concat(trials)["correct"].mean()), answers)


def shared(one: Put, other: Put, *, alike: bool = True) -> list[bool]:
    """For each answer to the same turns, whether both are equal; what follows another answer is other turns.

    Choices alone may be read in two ways, whose options are scored by file and written out over chat; ``alike`` takes
    those that were read in one, else the others are taken.
    """
    both = [(one.answers[place], answer) for place, answer in other.answers.items() if place in one.answers]
    return [a.text == b.text for a, b in both if a.asked == b.asked and (a.form == b.form) is alike]


def by_turns(name: str, path: Path, questions: int) -> pd.DataFrame:
    """All studies put to one model by file and by server, a row each.

    ``same`` answers are to the turns that the file was asked, of which ``equal`` are the file's answers; ``_otherwise``
    are choices that were written out here and scored by file.
    """
    asked = studies_asked(questions)
    open_alone = {"study1_qa": asked["study1_qa"]}  # the other studies' examples are turns in every form
    made: dict[tuple[str, str, str], Put] = {}

    def ask(engine: Engine, by: str, form: str, studies: dict[str, tuple[str, dict[str, Any]]]) -> None:
        for study, (collection, settings) in studies.items():
            made[study, by, form] = put(engine, FORMS[form], study, collection, settings)

    with LlamaEngine(path, n_ctx=N_CTX, width=1, n_seq=1, flash_attn=False) as engine:
        ask(engine, "file", "turns", asked)
        ask(engine, "file", "texts", open_alone)
    with loopback_server(path, N_CTX) as url:
        with EndpointEngine(url, name, api="chat", concurrency=1) as engine:
            ask(engine, "chat", "turns", asked)
            ask(engine, "chat", "one turn", open_alone)
        with EndpointEngine(url, name, concurrency=1) as engine:
            ask(engine, "completions", "texts", open_alone)
    rows = []
    for (study, by, form), one in made.items():
        row = {"model": name, "study": study, "by": by, "form": form, "answers": len(one.answers)}
        row["right"] = round(one.right, 4)
        for to, alike in (("", True), ("_otherwise", False)):
            equal = shared(made[study, "file", "turns"], one, alike=alike) if by == "chat" else []
            row |= {f"same{to}": len(equal), f"equal{to}": sum(equal)}
        rows.append(row)
    return pd.DataFrame(rows)


def write_turns(table: pd.DataFrame) -> None:
    """Write the table; rows of models that were not asked stay."""
    kept = pd.read_csv(OUT) if OUT.is_file() else table[:0]
    whole = pd.concat([kept[~kept["model"].isin(table["model"])], table])
    whole.sort_values(["model", "study", "by", "form"]).to_csv(OUT, index=False)
    facts = {
        "command": "python benchmarks/endpoint_check.py",
        "versions": {name: version(name) for name in ("llama-cpp-python", "numpy", "pandas")},
    }
    OUT.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Run both comparisons and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument(
        "--gguf", type=Path, action="append", default=[], help="further models, asked in turns"
    )
    arguments = parser.parse_args()
    files = {MODEL: locate(get_model(MODEL))[0], **{path.stem: path for path in arguments.gguf}}
    table = pd.concat([by_turns(name, path, arguments.questions) for name, path in files.items()])
    print(table.to_string(index=False))
    write_turns(table)
    worst = log_probabilities(arguments.questions)
    turns = table[table["form"] == "turns"]
    equal = turns["equal"].sum() / turns["same"].sum()
    print(f"answers to the same turns: {equal:.1%} equal by file and over chat, wanted {WANTED_EQUAL:.0%}")
    return int(worst >= WANTED_BIAS or equal < WANTED_EQUAL)


def log_probabilities(n: int) -> float:
    """Compare the NLP of answers; print and write it, and give the like-for-like bias."""
    questions = [q.question for q in load_questions("bank", shuffle_seed=42, limit=n)]
    path, sha256 = locate(get_model(MODEL))
    made: dict[str, list[Generation]] = {}
    batched, single = "local, batched (default)", "local, one sequence"
    shapes: dict[str, dict[str, int]] = {batched: {}, single: {"width": 1, "n_seq": 1}}
    for name, options in shapes.items():
        with LlamaEngine(path, n_ctx=512, **options) as engine:
            made[name] = greedy(engine, questions)
    with loopback_server(path) as url, EndpointEngine(url, MODEL, concurrency=4) as engine:
        begun = time.perf_counter()
        made["server"] = greedy(engine, questions)
        seconds = time.perf_counter() - begun
        info = engine.info
    pairs = [("server", single), ("server", batched), (single, batched)]
    rows = {f"{a} - {b}": compare(made[a], made[b]) for a, b in pairs}
    print(f"{'NLP difference':<62} {'same':>5} {'bias':>8} {'s.e.':>7} {'sd':>7} {'largest':>8}")
    for name, row in rows.items():
        print(
            f"{name:<62} {row['same_text']:>5} {row['bias']:>+8.4f} {row['standard_error']:>7.4f} "
            f"{row['spread_sd']:>7.4f} {row['largest']:>8.4f}"
        )
    bias = rows[f"server - {single}"]["bias"]
    print(
        f"server: {len(questions) / seconds:.1f} answers/s; "
        f"like-for-like bias {bias:+.5f}, wanted below {WANTED_BIAS}"
    )
    target = project_root() / "results" / "benchmarks" / "endpoint.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    result = {
        "differences": rows,
        "wanted_bias": WANTED_BIAS,
        "server_answers_per_second": len(questions) / seconds,
    }
    result["probe"] = {k: v for k, v in info.settings.items() if k != "url"}
    target.write_text(json.dumps(result | provenance(model_sha256=sha256), indent=1), encoding="utf-8")
    return abs(bias)


if __name__ == "__main__":
    sys.exit(main())
