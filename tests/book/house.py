"""A small clone for tests of the book: real settings, chapters and a workflow of its own."""

import shutil

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

#: Two counting steps with progress, a chapter after them, and pages that are a file.
SNAKEFILE = """
STEP = "python -m metacog.book step"

rule all:
    input: "_build/html/index.html"

rule count:
    output: "results/counted-{which}.txt"
    shell: "{STEP} 'counting to {wildcards.which}' -- python count.py {wildcards.which} {output}"

rule chapter:
    input: "notebooks/small.py", "results/counted-3.txt", "results/counted-4.txt"
    output: "_executed/small.ipynb"
    shell: "{STEP} 'chapter small' --page small -- metacog run-chapter small --profile smoke --out {output}"

rule render:
    input: "_executed/small.ipynb"
    output: "_build/html/index.html"
    shell: "{STEP} 'rendering the pages' -- cp {input} {output}"
"""

COUNT = """
import os, sys, time
from pathlib import Path
from metacog.core.progress import Progress

print("chatter of a step")
n = int(sys.argv[1])
if os.environ.get("COUNT_FAILS") == str(n):
    sys.exit(f"metacog: {n} cannot be counted")
bar = Progress(f"counting to {n}", n, unit="numbers")
bar.begin()
for _ in range(n):
    time.sleep(float(os.environ.get("COUNT_SECONDS", "0")))
    if os.environ.get("COUNT_SIGNAL"):
        os.kill(os.getpid(), int(os.environ["COUNT_SIGNAL"]))
    bar.update(1)
bar.close()
Path(sys.argv[2]).write_text(str(n))
"""


def make_house(folder):
    """Lay the clone out in a folder and give it back."""
    for name in ("notebooks", "workflow", "config"):
        (folder / name).mkdir(parents=True)
    shutil.copytree(project_root() / "config", folder / "config", dirs_exist_ok=True)
    (folder / "config" / "chapters.yaml").write_text("folder: notebooks\nchapters:\n  small: {}\n")
    (folder / "notebooks" / "small.py").write_text(CHAPTER)
    (folder / "workflow" / "Snakefile").write_text(SNAKEFILE)
    (folder / "count.py").write_text(COUNT)
    return folder
