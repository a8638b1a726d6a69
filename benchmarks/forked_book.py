"""A forked book: other models, made to contradict what the chapters say of this book's; what do its pages say then?

Run: python benchmarks/forked_book.py

Sentences of the chapters are written by hand, each with a condition (`View.says`). A copy of the project is forked as a
reader would do it: models of their own are added with `metacog add-model`, a profile asks them alone, without the
reference run, and `metacog collect` and `metacog run-chapter` make the pages, with few items and few resamples. The
models stand behind an OpenAI-compatible server made here, and are all that this book's models are not:
- surer of wrong answers than of right ones: half of the questions they have learnt wrongly, and say so at .96;
- a draw's confidence is that of its question, so it tells nothing of the luck of the draw;
- of questions with two options they draw the answer, and how sure they are, by lot.
Writes data/benchmarks/forked_book.csv: every sentence of these pages that is written by hand, with the fork's numbers
in it (three dots for those that there are none of); whether it stands at the head, and whether the page shows it; the
line in its place where it does not; the small type below a head; and whether `metacog book` names it.
Status 1 where fewer than four heads are contradicted, or one that is contradicted is shown as it was written, without
its plain line or the reason, or not named.
"""

from __future__ import annotations

import argparse
import ast
import math
import os
import re
import shutil
import string
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import five_cases
import nbformat
import pandas as pd
import yaml

from metacog.book.filled import glued
from metacog.book.finish import said_otherwise
from metacog.report.guarded import OTHER_DATA, WHY, said
from metacog.report.show import spaced
from metacog.studies.chapters import declared, results_read

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from fault_proxy import FaultProxy
from scripted_chat import ChatApi, drawn

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "forked_book.csv"
PROFILE, MODELS = "fork", {"contrary": "Contrary", "contrary-large": "Contrary Large"}
PAGES = ("study1-overview", "study1-luck", "study1-use", "study3-replication")
#: Over the smoke profile's own.
SIZES: dict[str, dict[str, Any]] = {
    "study1_qa": {
        "datasets": {"bank": {"limit": 80}},
        "temperatures": [0.1, 1.0],
        "block_items": 80,
        "draw_questions": 80,
        "draws": 3,
    },
    "study3_dmc": {
        "without": ["contrary-large"],
        "n_questions": 20,
        "n_repeated": 3,
        "n_written": 3,
        "block_items": 20,
    },
}
ANALYSIS = {
    "n_resamples": 100,
    "n_permutations": 100,
    "n_draws": 100,
    "n_warmup": 100,
    "seed": 42,
    "verdicts": True,
}
#: Probability of the words of an answer: of questions that a model has learnt wrongly, and of the others.
SURE, UNSURE = 0.96, 0.6
#: Of a hundred answers, those that are right, of the one and of the other.
RIGHT = {True: 15, False: 80}
WRONG = ("Lisbon", "Bach", "Seven", "Copper", "Norway", "A heron")
COLUMNS = ("page", "sentence", "head", "by_hand", "stands", "instead", "note", "named")


class Contrary(ChatApi):
    """A chat server that is surer of its wrong answers, with the log-probabilities of its words."""

    def __call__(self, body: dict[str, Any]) -> tuple[int, Any]:  # type: ignore[override]
        """Status and JSON of the answer to a request."""
        text, probability = self.says(body)
        words = re.findall(r"\s*\S+", text)
        rows = [self.token(word, probability) for word in words] if body.get("logprobs") else None
        choice = {
            "index": 0,
            "message": {"role": "assistant", "content": text},
            "finish_reason": "stop",
            "logprobs": None if rows is None else {"content": rows},
        }
        usage = {"prompt_tokens": 20, "completion_tokens": len(words) + 1}
        return 200, {"choices": [choice], "model": body["model"], "usage": usage}

    def says(self, body: dict[str, Any]) -> tuple[str, float]:
        """A text, and the probability of each of its words."""
        asked = body["messages"][-1]["content"]
        key = self.known.get(asked.removeprefix("Q: ").strip())
        if key is None:
            return (self.text(body) if "?" in asked or len(body["messages"]) > 1 else "Blue"), 0.55
        whose = body["model"]
        mistaken = drawn("learnt", whose, asked, of=2) == 1
        seed = body.get("seed", 0) if body["temperature"] >= 1 else 0
        right = drawn("drawn", whose, asked, seed, of=100) < RIGHT[mistaken]
        own = (SURE if mistaken else UNSURE) - 0.001 * drawn("own", whose, asked, of=30)
        return key if right else WRONG[drawn(asked, of=len(WRONG))], own

    @staticmethod
    def token(word: str, probability: float) -> dict[str, Any]:
        """A token as servers tell it, with one alternative."""
        found = {word: probability, " (else)": (1 - probability) / 2, " (other)": (1 - probability) / 3}
        tops = [
            {"token": one, "logprob": math.log(p), "bytes": list(one.encode())} for one, p in found.items()
        ]
        return {**tops[0], "top_logprobs": tops}


@dataclass(frozen=True)
class Sentence:
    """A sentence that a chapter writes by hand: its name, its text, the analysis whose numbers stand in it."""

    analysis: str
    name: str
    text: str
    head: bool


def sentences(source: Path) -> list[Sentence]:
    """Those of a chapter, in the order in which they are said."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    known = {analysis for _, analysis in results_read(source)}
    named = {
        node.targets[0].id: one.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and isinstance(node.targets[0], ast.Name)
        for one in node.value.args[:1]
        if isinstance(one, ast.Constant) and one.value in known
    }
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _says(node)]
    return [
        Sentence(
            named[call.func.value.id],  # type: ignore[attr-defined]
            *(ast.literal_eval(one) for one in call.args[:2]),
            head=any(word.arg == "head" for word in call.keywords),
        )
        for call in sorted(calls, key=lambda node: node.lineno)
    ]


def _says(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "says"


class _Known(string.Formatter):
    """Fills in the numbers that there are, and three dots for the others."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        value = kwargs.get(field_name)
        return (None if value is None or value == "nan" else value), field_name

    def format_field(self, value: Any, format_spec: str) -> Any:
        return "…" if value is None else super().format_field(value, format_spec)


def by_hand(sentence: Sentence, values: dict[str, Any]) -> str:
    """A sentence as the page would show it if nothing guarded it."""
    own = f"{sentence.analysis}_"
    numbers = {name.removeprefix(own): value for name, value in values.items() if name.startswith(own)}
    return spaced(
        said(_Known().vformat(sentence.text, (), numbers).replace("{", "").replace("}", ""), "", {}).text
    )


def told(sentence: Sentence, page: str) -> tuple[str, str]:
    """What a page shows in place of a sentence, and the small type below it where it is a head."""
    mark = rf"^:::\{{div\}} (?:page-answer )?{OTHER_DATA} {sentence.name}\n(.*?)\n:::$"
    if not (found := re.search(mark, page, re.S | re.M)):
        return "", ""
    line, note = found[1].removesuffix(f"\n\n*{WHY}*").strip(), page[found.end() :]
    small = re.match(r"\n\n(:::+)\{div\} page-note\n(.*?)\n\1$", note, re.S | re.M) if sentence.head else None
    return line, re.sub(r"\s+", " ", re.sub(r"^:::.*$", "", small[2], flags=re.M)).strip() if small else ""


def rows_of(page: str, notebook: Any, source: Path, named: list[str]) -> Iterator[dict[str, Any]]:
    """Every sentence of an executed chapter that is written by hand."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    shown = "\n\n".join(output.get("data", {}).get("text/markdown", "") for output in outputs)
    values = glued(notebook)
    for one in sentences(source):
        text, (line, note) = by_hand(one, values), told(one, shown)
        about = {
            "page": page,
            "sentence": one.name,
            "head": one.head,
            "by_hand": text,
            "stands": text in shown,
        }
        yield about | {"instead": line, "note": note, "named": one.name in named}


def wrong(table: pd.DataFrame) -> list[str]:
    """What is not as it should be: of heads that the data contradict, and of sentences shown in two ways."""
    found = []
    gone = table[table["head"] & ~table["stands"]]
    if len(gone) < 4:
        found.append(f"{len(gone)} heads are contradicted, not four")
    for row in table.to_dict("records"):
        where = f"{row['page']}, {row['sentence']}"
        if row["stands"] == bool(row["instead"]):
            found.append(f"{where}: shown as it was written and with a plain line, or neither")
        if row["stands"] == row["named"]:
            found.append(f"{where}: `metacog book` names it and need not, or does not name it")
        if row["head"] and not row["stands"] and WHY not in row["note"]:
            found.append(f"{where}: the page does not say why a plain line stands there")
    return found


def fork(target: Path) -> None:
    """A copy of the project with a profile of its own, without the reference run."""
    for name in five_cases.COPIED:
        source = ROOT / name
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, target / name)
    folder = target / "config" / "profiles"
    smoke = yaml.safe_load((folder / "smoke.yaml").read_text(encoding="utf-8"))
    studies = {study: smoke["studies"][study] | sizes for study, sizes in SIZES.items()}
    (folder / f"{PROFILE}.yaml").write_text(
        yaml.safe_dump(smoke | {"name": PROFILE, "studies": studies, "analysis": ANALYSIS}), encoding="utf-8"
    )


def alone(target: Path) -> None:
    """Leave in the fork's profile no models but those that were added."""
    path = target / "config" / "profiles" / f"{PROFILE}.yaml"
    profile = yaml.safe_load(path.read_text(encoding="utf-8"))
    path.write_text(yaml.safe_dump(profile | {"models": list(MODELS)}), encoding="utf-8")


def made(target: Path) -> pd.DataFrame:
    """Fork the project, ask, make the pages, and read what they say."""
    os.environ["NO_PROXY"] = "127.0.0.1"
    if not (target / "runs").is_dir():
        target.mkdir(parents=True, exist_ok=True)
        fork(target)
        with FaultProxy(Contrary()) as server:
            for name, label in MODELS.items():
                words = ["--endpoint", f"{server.url}/v1", "--endpoint-model", name, "--label", label]
                five_cases.call(target, "add-model", name, *words, "--profile", PROFILE)
            alone(target)
            five_cases.call(target, "collect", "--profile", PROFILE, "--quiet")
    for page in PAGES:
        if not (target / "_executed" / PROFILE / f"{page}.ipynb").is_file():
            five_cases.call(target, "run-chapter", page, "--profile", PROFILE)
    os.chdir(target)  # whose pages are read from here on
    named, sources = said_otherwise(PROFILE), {one.name: one.source for one in declared()}
    rows = []
    for page in PAGES:
        notebook = nbformat.read(target / "_executed" / PROFILE / f"{page}.ipynb", as_version=4)
        rows += rows_of(page, notebook, sources[page], named.get(page, []))
    return pd.DataFrame(rows, columns=list(COLUMNS))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--keep", type=Path, help="folder for the fork, where a stopped run goes on [a temporary one]"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        table = made((given.keep or Path(work) / "project").resolve())
    if found := wrong(table):
        print(table[~table["stands"]].to_string())
        raise SystemExit("\n".join(found))
    table.to_csv(OUT, index=False)
    print(f"{(~table['stands'] & table['head']).sum()} heads contradicted; wrote {OUT}")


if __name__ == "__main__":
    main()
