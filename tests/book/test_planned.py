"""Which steps an edit makes necessary, as ``metacog book --dry-run`` says: those that read what was edited, no others.

The project is a copy with two rooms, study 1 and that of all studies. Nothing in it is computed: its outputs are empty
files.
"""

import os
import re
import shutil
import subprocess
import sys

import pytest
from toy_house import HALF_WRITTEN

from metacog.book.making import PLANNED
from metacog.core.paths import project_root

COPIED = ("src", "config", "notebooks", "book", "_config.yml", "_toc.yml")
REGISTRY = re.compile(r"STUDIES: list\[str\] = \[.*?\]", re.DOTALL)
ROOMS = 'STUDIES: list[str] = ["metacog.studies.study1_qa", "metacog.studies.shared"]'
PROFILE = "smoke"
SUMMARY, RENDER = "the summary of all results", "rendering the pages"
STUDY1 = "src/metacog/studies/study1_qa"

#: Lays down what tasks make, with what they were made of.
EMPTY = f"""
import json
from dataclasses import asdict
from pathlib import Path

from metacog.book.plan import made_of, workflow

for task in workflow("{PROFILE}").tasks:
    task.begin()
    for name in task.makes:
        Path(name).touch()
    if not task.mark:
        made = made_of(*task.words)
        Path(task.makes[0]).write_text(json.dumps({{"made_by": {{"key": made.key, **asdict(made)}}}}))
    task.keep(task.parts())
"""


class Project:
    """A copy of the project, as a book leaves it."""

    def __init__(self, root):
        self.root = root
        for name in COPIED:
            source = project_root() / name
            if source.is_dir():
                shutil.copytree(source, root / name, ignore=HALF_WRITTEN)
            else:
                shutil.copy(source, root / name)
        (root / "data").symlink_to(project_root() / "data")
        registry = root / "src/metacog/studies/registry.py"
        registry.write_text(REGISTRY.sub(ROOMS, registry.read_text()))
        self.finish()

    def run(self, *command):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.root / "src")},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    def finish(self):
        """Lay down empty files as if every step had made them; the one place that knows how these are remembered."""
        self.run("-c", EMPTY)

    def planned(self):
        """Names of the steps that would be taken now."""
        said = self.run("-m", "metacog", "book", "--profile", PROFILE, "--dry-run")
        return {line.removeprefix(PLANNED) for line in said.splitlines() if line.startswith(PLANNED)}

    def after(self, *edits):
        """Names of the steps that some edits make necessary; they are taken back."""
        before = []
        try:
            for file, old, new in edits:
                path = self.root / file
                text, times = path.read_text(encoding="utf-8"), path.stat()
                before.append((path, text, times))
                assert re.search(old, text), f"{file} has no {old}"
                path.write_text(re.sub(old, new, text, count=1), encoding="utf-8")
            return self.planned()
        finally:
            for path, text, times in reversed(before):
                path.write_text(text, encoding="utf-8")
                os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("project"))


H3_PAGES = {"chapter study1-hypotheses"}
H3 = "computing: Is meta-d' the same at every temperature? (h3)"
SHORT = "computing: What does the run say, in short? (summary)"
CARD = "computing: What does one model answer, and how well does it know it? (model_page, smollm2-135m)"
NAMING = {
    "computing: How well does confidence rank right answers above wrong ones? (headline)",
    "computing: What does each study find of every model? (all_models)",
    "computing: What does each study find of one model, and how does that compare? (model_headlines, smollm2-135m)",
    CARD,
    "computing: Which tables of this run's right and wrong answers by rating can be loaded? (run_tables)",
}
#: Pages of the two rooms that name no model.
NAMELESS = {"own-trials", "rater-precision"}
CHECKS, H3_FILE = "src/metacog/sdt/checks.py", f"{STUDY1}/h3.py"
MODEL, FRONT = "config/models/smollm2-135m.yaml", "book/intro.md"

#: Edits that make no step necessary, all of them at once: where, what, into what.
UNREAD = (
    (CHECKS, r"\n    pair =", "\n    # A comment.\n    pair ="),  # below every estimate
    (CHECKS, "Check shapes and values of many", "Check shapes, and values, of many"),  # a docstring
    (CHECKS, r"return a, b\n", "return (\n        a,\n        b,\n    )\n"),
    (H3_FILE, "Is meta-d' the", "Is it the"),  # how an analysis puts its question
    ("config/models/llama3-8b-instruct.yaml", "Llama-3-8B-Instruct", "Llama 3"),  # a model that is not asked
)
#: What is edited: where, what, into what, and the steps that it makes necessary.
EDITS = {
    "the prose of the front page": (FRONT, "Three findings", "Three of its findings", {RENDER}),
    "what the front page pastes": (FRONT, "::luck_like_a_habit", "::luck_estimate", {SUMMARY, RENDER}),
    "the prose of a chapter": (
        "notebooks/study1-qa/study1-hypotheses.py",
        "makes a model bolder",
        "makes models bolder",
        {*H3_PAGES, RENDER},
    ),
    "the numbers of a sentence": (
        H3_FILE,
        '"n_both": int',
        '"n_both": 0 + int',
        {*H3_PAGES, SUMMARY, RENDER},
    ),
    "what an analysis computes": (
        H3_FILE,
        '"published, recomputed from',
        '"published and recomputed from',
        {H3, SHORT, *H3_PAGES, SUMMARY, RENDER},
    ),
    "a model's licence": (
        MODEL,
        "licence: Apache-2.0",
        "licence: Apache",
        {CARD, "chapter model-page-smollm2-135m", SUMMARY, RENDER},
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_makes_exactly_the_steps_necessary_that_read_it(project, edit):
    *what, expected = EDITS[edit]
    assert project.after(what) == expected


def test_what_no_step_reads_makes_none_necessary(project):
    """Nor is any without an edit."""
    assert project.after(*UNREAD) == set()


def test_a_model_s_name_is_an_input_of_all_that_names_it(project):
    """Pages and results that name models are made again; nothing is asked or read again."""
    from metacog.book.plan import workflow

    declared = {page.name for page in workflow(PROFILE).pages}
    steps = project.after((MODEL, "label: SmolLM2-135M-Instruct", "label: SmolLM2 135M"))
    pages = {step.removeprefix("chapter ") for step in steps if step.startswith("chapter ")}
    assert {"synthesis", "model-page-smollm2-135m", "study1-luck", "study1-use"} <= pages <= declared
    assert not pages & NAMELESS and {p for p in declared if p.startswith("study1")} <= pages
    assert steps - {f"chapter {page}" for page in pages} == {*NAMING, SUMMARY, RENDER}


def test_a_rule_of_marking_reads_replies_again_and_asks_nothing(project):
    steps = project.after((f"{STUDY1}/asking/marking.py", "threshold=0.85", "threshold=0.86"))
    reading = {step for step in steps if step.startswith("reading ")}
    assert reading == {f"reading {name}: smollm2-135m" for name in ("open", "draws", "forced")}
    assert {H3, *H3_PAGES, SUMMARY, RENDER} <= steps and not [s for s in steps if s.startswith("collecting")]
    assert "chapter primer" not in steps and "chapter ledger" not in steps
