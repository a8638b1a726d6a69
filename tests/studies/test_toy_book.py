"""The toy study as a newcomer adds it: its folder, one line of the list, and `metacog book` does the rest."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from metacog.core.paths import project_root

REGISTRY = Path("src/metacog/studies/registry.py")
LINE = '    "toy_study",\n'


@pytest.fixture
def house(tmp_path):
    """A clone with the toy study's folder and line, and a book of two pages."""
    root = project_root()
    for name in (
        "src/metacog",
        "config",
        "workflow",
        "book/_static",
        "data/questions",
        "data/published",
        "tests/toy_study",
    ):
        shutil.copytree(root / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_config.yml", "book/references.bib"):
        shutil.copyfile(root / name, tmp_path / name)
    listed = (tmp_path / REGISTRY).read_text()
    others = re.compile(r'(    "metacog\.studies\.\w+",\n)+')  # what they compute is no matter here
    assert len(others.findall(listed)) == 1
    (tmp_path / REGISTRY).write_text(others.sub(LINE, listed))
    shutil.copyfile(root / "tests/toy_study/profile.yaml", tmp_path / "config/profiles/toy.yaml")
    (tmp_path / "config/chapters.yaml").write_text("folder: notebooks/shared\nchapters: {}\n")
    (tmp_path / "_toc.yml").write_text(
        "format: jb-book\nroot: book/intro\nchapters:\n- file: _executed/toy-keep\n"
    )
    (tmp_path / "book/intro.md").write_text("# A book of one study\n")
    return tmp_path


def metacog(house, *words):
    """A command in the clone, with its own package first."""
    paths = os.pathsep.join([str(house / "src"), str(house / "tests")])
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return subprocess.run(
        ["metacog", *words],
        cwd=house,
        env={**os.environ, "PYTHONPATH": paths, "PATH": programs},
        capture_output=True,
        text=True,
        timeout=600,
    )


def make_book(house, profile="toy"):
    return metacog(house, "book", "--profile", profile)


def test_the_toy_study_is_collected_executed_and_rendered(house):
    made = make_book(house)
    assert made.returncode == 0, made.stdout + made.stderr
    page = (house / "_build/html/_executed/toy-keep.html").read_text(encoding="utf-8")
    assert "Would you keep your answer?" in page and "Share of answers kept" in page
    assert 'alt="Share of right and of wrong answers kept, by model"' in page
    assert list((house / "runs/toy_study/keep").rglob("*.json*"))

    # a changed figure runs the chapter again, and asks no model
    shown = house / "tests/toy_study/keep_rates_shown.py"
    shown.write_text(shown.read_text().replace('"share kept"', '"share of answers kept"'))
    again = make_book(house)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "collecting" not in again.stdout and "toy-keep" in again.stdout


def test_a_reference_run_leads_the_page_and_nothing_is_asked_for_it(house):
    assert metacog(house, "collect", "--profile", "toy").returncode == 0
    packed = metacog(house, "replies", "pack", "data/replies/toy.zip")
    assert packed.returncode == 0, packed.stderr
    shutil.rmtree(house / "runs")
    profile = (house / "config/profiles/toy.yaml").read_text()
    mine = profile.replace("name: toy", "name: mine\nreference: toy\nreference_leads: true")
    (house / "config/profiles/mine.yaml").write_text(
        mine.replace("toy_study: {}", "toy_study: {n_items: 12}")
    )
    made = make_book(house, "mine")
    assert made.returncode == 0, made.stdout + made.stderr
    assert "taking from packs keep" in made.stdout and made.stdout.count("collecting keep") == 1
    page = (house / "_build/html/_executed/toy-keep.html").read_text(encoding="utf-8")
    lead, other = page.index("This page shows the reference run"), page.index("The same analysis: the run")
    assert lead < page.index("Share of answers kept") < other
