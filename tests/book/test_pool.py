"""The pool: what is stale and why, and tasks and kernels as forks, each against the same started afresh."""

import json
import os
import signal
import threading
import time
from dataclasses import replace
from multiprocessing import forkserver

import nbformat
import papermill
import pytest

from metacog.book import pool
from metacog.book.kernels import ForkedKernelManager
from metacog.core.errors import MetacogError
from metacog.core.events import EVENTS, Follower


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "project_root", lambda: tmp_path)
    monkeypatch.setenv(EVENTS, str(tmp_path / "notes.jsonl"))
    return tmp_path


def task(call, made, reads=(), page="", **parts):
    return pool.Task(
        made, call, (made,), (made,), tuple(reads), lambda: dict(parts), f"{made}.key", page=page
    )


def run(root, *tasks, known=None):
    """What tasks print, and the exit status of each that ran."""
    with (
        open(root / "said.txt", "wb") as said,
        pool.Pool(tasks, 2, said.fileno(), known or pool.sources()) as made,
    ):
        found = {}
        while [*made.start()] or made.running:
            found |= {one.task.name: one.process.exitcode for one in made.ended(1.0)}
    return (root / "said.txt").read_text(), found


def tell(path):
    about = [
        pool.forked,
        threading.active_count(),
        "jax" in __import__("sys").modules,
        os.environ.get("TOLD"),
    ]
    with open(os.environ["WHERE"] + path, "w") as out:
        json.dump(about, out)
    print("told", flush=True)


def fill(path):
    raise OSError(28, "No space left on device", path)


def complain(path):
    raise MetacogError("no such thing")


def die(path):
    os.kill(os.getpid(), signal.SIGKILL)


def sleep(path):
    time.sleep(300)


def run_cells(path):
    """Cells in a kernel beside this process, and in one started as usual."""
    cells = [
        "import os, pandas as pd\npd.DataFrame([range(12)], columns=[f'a long name {k}' for k in range(12)])",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])[0].figure.get_size_inches()",
        "import matplotlib\nmatplotlib.get_backend(), os.getcwd(), __name__",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    for cell in notebook.cells:
        cell.metadata["tags"] = []
    found = []
    for options in ({"kernel_manager_class": ForkedKernelManager}, {}):
        made = papermill.execute_notebook(
            notebook, None, kernel_name="python3", language="python", progress_bar=False, **options
        )
        found.append([[{**o, "execution_count": 0} for o in cell.outputs] for cell in made.cells])
    assert found[0] == found[1] and all(found[0]), found
    code = "import os, sys\n'papermill' in sys.modules, 'PYTEST_CURRENT_TEST' in os.environ"
    asked = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code, metadata={"tags": []})])
    os.environ.pop("PYTEST_CURRENT_TEST")  # the pool's server still has it
    forked = {"kernel_manager_class": ForkedKernelManager, "progress_bar": False}
    made = papermill.execute_notebook(asked, None, kernel_name="python3", language="python", **forked)
    # what the pool's server imported is there, but where a Python's server wants a key
    there = not hasattr(forkserver._forkserver, "_forkserver_authkey")
    assert made.cells[0].outputs[0]["data"]["text/plain"] == f"({there}, False)"


def test_what_is_made_is_remembered_and_what_reads_what_is_stale_is_stale(root):
    first, second = task(tell, "a", code="1"), task(tell, "b", reads=["a"], code="1")
    assert [why for _, why in pool.stale([second, first]).values()] == ["there is no a", "made again: a"]
    for one in (first, second):
        (root / one.makes[0]).touch()
        one.keep({"code": "1"})
    assert pool.stale([first, second]) == {}
    assert list(pool.stale([task(tell, "a", code="2"), second])) == ["a", "b"]
    other = task(tell, "b", code="1", files={"x": "1"})
    assert pool.stale([other])["b"][1] == "changed: files"
    other.begin()
    assert other.why()


def stay(path):
    time.sleep(0.3)


def test_a_task_that_takes_every_processor_runs_alone_and_is_not_overtaken_for_ever(root):
    """Oracle: what runs at each moment, as the pool gives it."""
    tasks = [
        replace(task(stay, "whole"), alone=True),
        task(stay, "one"),
        task(stay, "two"),
        replace(task(stay, "late", reads=["one"]), alone=True),
        task(stay, "last"),
    ]
    seen = []
    with open(root / "said.txt", "wb") as said, pool.Pool(tasks, 2, said.fileno(), pool.sources()) as made:
        while [*made.start()] or made.running:
            seen.append({one.task.name for one in made.running})
            for one in made.ended(1.0):
                (root / one.task.makes[0]).touch()
    alone = {"whole", "late"}
    assert all(len(names) == 1 for names in seen if names & alone)
    assert set().union(*seen) == {"whole", "one", "two", "late", "last"}
    assert seen[0] == {"whole"} and {"one", "two"} in seen


@pytest.mark.skipif(pool.FORKS != "forkserver", reason="forks need Linux")
def test_a_task_is_a_fork_and_where_code_changed_a_fresh_start(root, monkeypatch):
    monkeypatch.setenv("WHERE", f"{root}/")
    monkeypatch.setenv("TOLD", "so")
    said, found = run(root, task(tell, "a", code="1"))
    assert found == {"a": 0} and "told" in said
    # it watches its parent in a thread of its own
    assert json.loads((root / "a").read_text()) == [True, 2, True, "so"]
    assert pool.stale([task(tell, "a", code="1")]) == {}
    said, found = run(root, task(tell, "b", code="1"), known={"module.py": (0, 0)})
    assert found == {"b": 0} and json.loads((root / "b").read_text())[0] is False
    assert not (root / "b.key").exists()


def test_failures_are_told_and_the_others_go_on(root, monkeypatch):
    monkeypatch.setenv("WHERE", f"{root}/")
    rest = task(tell, "d", reads=["a"])
    full = task(fill, "e")
    _, found = run(root, task(complain, "a"), task(die, "b"), rest, task(tell, "c", code="1"), full)
    assert found == {"a": pool.TOLD, "b": -signal.SIGKILL, "c": 0, "e": pool.TOLD}
    failed = {
        note.facts["name"]: (note.kind, note.facts["message"])
        for note in Follower(root / "notes.jsonl").new()
    }
    assert failed["a"] == ("fail", "no such thing") and len(failed) == 2
    assert failed["e"][1].startswith("could not write e: No space left on device. Make room")
    assert "SIGKILL" in pool.message(found["b"], "b") and "memory" in pool.message(found["b"], "b")
    assert not (root / "a.key").exists() and (root / "c.key").exists()


def test_the_end_of_the_pool_is_the_end_of_its_tasks(root):
    with (
        open(root / "said.txt", "wb") as said,
        pool.Pool([task(sleep, "a")], 1, said.fileno(), pool.sources()) as made,
    ):
        (one,) = made.start()
        assert made.ended(0.5) == []
    assert one.process.exitcode not in (0, None)


@pytest.mark.skipif(pool.FORKS != "forkserver", reason="forks need Linux")
def test_cells_run_in_a_forked_kernel_give_what_they_give_in_a_fresh_one(root):
    said, found = run(root, task(run_cells, "cells"))
    assert found == {"cells": 0}, said
