"""A clone whose only study is the toy study, as a newcomer adds it: its folder and one line of the list."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from metacog.core.paths import project_root

REGISTRY = Path("src/metacog/studies/registry.py")
LINE = '    "toy_study",\n'
#: What is compiled is taken along, as its sources keep their times, but for files that a program is just writing.
HALF_WRITTEN = shutil.ignore_patterns("*.pyc.*")
COPIED = (
    "src/metacog",
    "config",
    "workflow",
    "book/_static",
    "data/questions",
    "data/published",
    "tests/toy_study",
)


def lay_out(folder):
    """Lay the clone out in a folder, with a profile `toy` and a book of two pages, and give it back."""
    root = project_root()
    for name in COPIED:
        shutil.copytree(root / name, folder / name, ignore=HALF_WRITTEN)
    for name in ("_config.yml", "CITATION.cff", "book/references.bib"):
        shutil.copyfile(root / name, folder / name)
    listed = (folder / REGISTRY).read_text()
    others = re.compile(r'(    "metacog\.studies\.\w+",\n)+')  # what they compute is no matter here
    assert len(others.findall(listed)) == 1
    (folder / REGISTRY).write_text(others.sub(LINE, listed))
    shutil.copyfile(root / "tests/toy_study/profile.yaml", folder / "config/profiles/toy.yaml")
    (folder / "config/chapters.yaml").write_text("folder: notebooks/shared\nchapters: {}\n")
    (folder / "_toc.yml").write_text(
        "format: jb-book\nroot: book/intro\nchapters:\n- file: _executed/toy-keep\n"
    )
    (folder / "book/intro.md").write_text("# A book of one study\n")
    return folder


def environment(house, before="", **more):
    """Variables with which programs take the clone's package."""
    paths = os.pathsep.join([*([before] if before else []), str(house / "src"), str(house / "tests")])
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PYTHONPATH": paths, "PATH": programs, **more}


def metacog(house, *words, before="", **more):
    """A command in the clone, with its own package first."""
    return subprocess.run(
        ["metacog", *words],
        cwd=house,
        env=environment(house, before, **more),
        capture_output=True,
        text=True,
        timeout=600,
    )
