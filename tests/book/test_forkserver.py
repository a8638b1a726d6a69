"""Commands and kernels as forks: each against the same started afresh, as ``subprocess`` does it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time

import nbformat
import papermill
import pytest

from metacog.book import forked, forkserver
from metacog.book.execution import ForkedKernelManager
from metacog.book.making import forks
from metacog.book.step import main as step
from metacog.core.progress import EVENTS, STEP, Follower

pytestmark = pytest.mark.skipif(not forked.supported(), reason="forks need Linux")

#: A module that tells what it was given, and ends as it is told.
TOLD = """
import json, os, signal, sys
print(json.dumps([sys.argv[1:], os.getcwd(), os.environ.get("TOLD"), sys.stdin.read(), __name__]), flush=True)
print("aside", file=sys.stderr)
how = os.environ.get("HOW", "0")
sys.exit(int(how)) if how.isdigit() else os.kill(os.getpid(), getattr(signal, how))
"""


@pytest.fixture(scope="module")
def server():
    with forks() as prepared:
        prepared.start()
        yield prepared


@pytest.fixture
def told(tmp_path, monkeypatch):
    (tmp_path / "told.py").write_text(TOLD)
    return tmp_path


def ran(start, folder, **environment):
    process = start(
        [sys.executable, "-m", "told", "a", "b c"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=str(folder),
        env={**os.environ, **environment},
    )
    process.stdin.write(b"some input")
    process.stdin.close()
    out = process.stdout.read()
    return out, process.wait()


@pytest.mark.parametrize("how", ["0", "3", "SIGKILL", "SIGSEGV"])
def test_a_fork_gets_and_gives_what_a_fresh_start_does(server, told, how):
    found = ran(forked.start, told, TOLD="so", HOW=how)
    assert found == ran(subprocess.Popen, told, TOLD="so", HOW=how)
    assert json.loads(found[0].splitlines()[0]) == [["a", "b c"], str(told), "so", "some input", "__main__"]


def test_a_fork_has_the_heavy_imports_and_no_thread_of_the_server(server, tmp_path):
    (tmp_path / "imports.py").write_text(
        "import sys, threading\nprint(all(m in sys.modules for m in ('jax', 'scipy.stats', 'papermill')),"
        " threading.active_count(), 'llama_cpp' in sys.modules)"
    )
    process = forked.start(["python", "-m", "imports"], stdout=subprocess.PIPE, cwd=str(tmp_path))
    assert process.stdout.read() == b"True 1 False\n" and process.wait() == 0


def test_a_fork_ends_when_its_caller_is_gone(server, tmp_path):
    (tmp_path / "waits.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(300)")
    process = forked.start(["python", "-m", "waits"], stdout=subprocess.PIPE, cwd=str(tmp_path))
    assert process.stdout.readline() == b"here\n" and process.poll() is None
    process._connection.close()
    began = time.monotonic()
    assert process.stdout.read() == b"" and time.monotonic() - began < 20


def test_terminate_ends_a_fork_with_the_signal(server, tmp_path):
    (tmp_path / "waits.py").write_text("import time\nprint('here', flush=True)\ntime.sleep(300)")
    process = forked.start(["python", "-m", "waits"], stdout=subprocess.PIPE, cwd=str(tmp_path))
    process.stdout.readline()
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.1)
    process.terminate()
    assert process.wait(20) == -signal.SIGTERM == process.poll()


def test_a_step_runs_as_a_fork_and_its_failure_is_told(server, told, monkeypatch):
    monkeypatch.setenv(EVENTS, str(told / "notes.jsonl"))
    monkeypatch.setenv(STEP, "")
    monkeypatch.chdir(told)
    (told / "fails.py").write_text(
        "import os\nprint(os.getppid())\nraise SystemExit('metacog: no such thing')"
    )
    assert step(["counting", "--", "python", "-m", "fails"]) == 1
    assert Follower(told / "notes.jsonl").new()[-1].facts["message"] == "no such thing"


def test_cells_run_in_a_forked_kernel_give_what_they_give_in_a_fresh_one(server, tmp_path):
    cells = [
        "import os, pandas as pd\npd.DataFrame([range(12)], columns=[f'a long name {k}' for k in range(12)])",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])[0].figure.get_size_inches()",
        "import matplotlib\nmatplotlib.get_backend(), os.getcwd(), __name__",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    for cell in notebook.cells:
        cell.metadata["tags"] = []

    def outputs(name, **options):
        made = papermill.execute_notebook(
            notebook,
            str(tmp_path / name),
            kernel_name="python3",
            language="python",
            progress_bar=False,
            **options,
        )
        return [[{**o, "execution_count": 0} for o in cell.outputs] for cell in made.cells]

    assert outputs("fork.ipynb", kernel_manager_class=ForkedKernelManager) == outputs("fresh.ipynb")


def test_a_caller_is_sent_away_where_a_fork_would_not_be_a_fresh_start(tmp_path):
    source = tmp_path / "module.py"
    source.write_text("a = 1")
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server = forkserver.Server(listener, {str(source): forkserver._state(str(source))})
    assert server._reason_against(dict(os.environ)) == ""
    assert "PYTHONPATH" in server._reason_against({**os.environ, "PYTHONPATH": "elsewhere"})
    source.write_text("a = 12")
    assert "module.py" in server._reason_against(dict(os.environ))
    listener.close()


def test_without_a_server_nothing_is_forked(monkeypatch, tmp_path):
    monkeypatch.delenv(forked.FORKSERVER, raising=False)
    assert forked.start(["metacog", "models"]) is None
    monkeypatch.setenv(forked.FORKSERVER, str(tmp_path / "nobody"))
    assert forked.start(["metacog", "models"]) is None


def test_commands_that_are_python_modules():
    assert forked.module_call(["metacog", "read", "--x"]) == ["metacog.cli", "read", "--x"]
    assert forked.module_call([sys.executable, "-Xfrozen_modules=off", "-m", "a", "-f"]) == ["a", "-f"]
    assert forked.module_call(["python", "-c", "pass"]) is None
    assert forked.module_call(["cp", "-m", "b"]) is None
