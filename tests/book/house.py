"""A small clone for tests of the book: real settings, one study of two countings, and pages that are a file."""

import shutil

import toy_house

from metacog.core.paths import project_root

CHAPTER = """\
# %% [markdown]
# # A small chapter

# %% tags=["parameters"]
profile = "default"
n = 3
seed = 42

# %%
if n < 0:
    raise ValueError("n must not be negative")
print(profile, n * 2, seed)
"""
#: What makes the chapter of `house_of_countings` read both results.
READS = """
# %%
from metacog.studies import open_run

run = open_run("counting", profile)
run.result("three")
run.result("four")
"""

#: A study that asks nothing: two analyses that count, with progress.
COUNTING = """
import os
import sys
import time

from metacog.core.errors import MetacogError
from metacog.core.progress import Progress
from metacog.studies.study import Study, analysis


def count(n):
    print("chatter of a step")
    if os.environ.get("COUNT_FAILS") == str(n):
        raise MetacogError(f"{n} cannot be counted")
    if os.environ.get("COUNT_FAILS") == f"-{n}":
        return {}["key"]
    bar = Progress(f"counting to {n}", n, unit="numbers")
    bar.begin()
    for _ in range(n):
        time.sleep(float(os.environ.get("COUNT_SECONDS", "0")))
        if os.environ.get("COUNT_SIGNAL"):
            os.kill(os.getpid(), int(os.environ["COUNT_SIGNAL"]))
        bar.update(1)
    bar.close()
    return {"n": n}


@analysis()
def three(inputs):
    \"\"\"Counting to 3\"\"\"
    return count(3)


@analysis()
def four(inputs):
    \"\"\"Counting to 4\"\"\"
    return count(4)


STUDY = Study("counting", "Counting", analyses=(three, four))
"""
RENDERING = """
from pathlib import Path


def render(profile):
    Path("_build/html").mkdir(parents=True, exist_ok=True)
    Path("_build/html/index.html").write_text(profile)
"""


def make_house(folder):
    """Lay a clone with one chapter out in a folder and give it back; its package is the one that is tested."""
    for name in ("notebooks", "config"):
        (folder / name).mkdir(parents=True)
    shutil.copytree(project_root() / "config", folder / "config", dirs_exist_ok=True)
    (folder / "config" / "chapters.yaml").write_text("folder: notebooks\nchapters:\n  small: {}\n")
    (folder / "notebooks" / "small.py").write_text(CHAPTER)
    return folder


def house_of_countings(folder):
    """The clone with a package of its own, whose only study counts, and which renders one file."""
    toy_house.lay_out(folder)
    make = folder / toy_house.REGISTRY
    make.write_text(make.read_text().replace(toy_house.LINE, '    "counting",\n'))
    profile = folder / "config/profiles/toy.yaml"
    profile.write_text(profile.read_text().replace("toy_study: {}", "counting: {}"))
    (folder / "config" / "chapters.yaml").write_text("folder: notebooks\nchapters:\n  small: {}\n")
    (folder / "notebooks").mkdir()
    (folder / "notebooks" / "small.py").write_text(CHAPTER + READS)
    (folder / "tests" / "counting").mkdir()
    (folder / "tests" / "counting" / "__init__.py").write_text(COUNTING)
    (folder / "src/metacog/book/rendering.py").write_text(RENDERING)
    return folder
