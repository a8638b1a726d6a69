"""The package without what only Linux has: it imports, collects, and looks itself over.

A child process is stripped of those names, and of the files that describe a machine on Linux.
"""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

STRIP = """
    import os, signal, sys

    for name in (
        "sched_getaffinity", "sched_setaffinity", "memfd_create", "pidfd_open", "eventfd", "splice",
        "posix_fadvise", "posix_fallocate", "getrandom", "copy_file_range", "fdatasync",
    ):
        if hasattr(os, name):
            delattr(os, name)
    for name in ("SC_AVPHYS_PAGES", "SC_PHYS_PAGES"):
        os.sysconf_names.pop(name, None)
    for name in ("SIGPWR", "SIGSTKFLT", "SIGPOLL", "SIGRTMIN", "SIGRTMAX", "SIGHUP", "SIGBUS"):
        if hasattr(signal, name):
            delattr(signal, name)
    for name in ("fcntl", "resource", "_posixshmem", "pwd", "grp", "spwd"):
        sys.modules[name] = None

    def no_such_files(event, arguments):
        if event == "open" and str(arguments[0]).startswith(("/proc", "/sys")):
            raise FileNotFoundError(2, "No such file or directory", str(arguments[0]))

    sys.addaudithook(no_such_files)
"""

IMPORT = """
    import importlib, pkgutil
    import metacog

    names = [m.name for m in pkgutil.walk_packages(metacog.__path__, "metacog.") if "__main__" not in m.name]
    names.remove("metacog.imports.inspect_metric")  # Inspect imports it, which is no dependency
    for name in names:
        importlib.import_module(name)
    print(len(names), "modules")
"""

COLLECT = """
    from pathlib import Path
    from metacog.collect import jobs
    from metacog.core.config import load_profile
    from metacog.core.death import obituary
    from metacog.core.machine import available_cores, available_cpus
    from metacog.core.supervise import run_child
    from metacog.studies import get_study

    (report,) = jobs.run(
        [get_study("study1_qa")], load_profile("smoke"), collections=["open"],
        runs=Path(sys.argv[1]), progress=False,
    )
    print(report.n_items, "items")
    assert available_cores() == available_cpus() == os.cpu_count()
    assert run_child([sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]).status == -9
    assert "SIGILL" in obituary(-4, "x") and "died of" in obituary(-7, "x")
"""

DOCTOR = """
    from metacog.doctor import examine

    for check in examine():
        print(check.name, check.ok, check.found, sep=" | ")
"""


def run(script, *arguments, standin=False):
    path = os.environ.get("PYTHONPATH", "")
    if standin:
        path = os.pathsep.join([str(Path(__file__).parents[1] / "standin"), path])
    code = textwrap.dedent(STRIP) + textwrap.dedent(script)
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_every_module_can_be_imported():
    made = run(IMPORT)
    assert made.returncode == 0, made.stderr[-3000:]
    assert int(made.stdout.split()[0]) > 100


def test_trials_are_collected_and_deaths_are_told(tmp_path):
    made = run(COLLECT, str(tmp_path), standin=True)
    assert made.returncode == 0, made.stderr[-3000:]
    assert made.stdout.endswith("40 items\n")
    assert "lock.held" in made.stderr


def test_doctor_looks_at_everything():
    made = run(DOCTOR)
    assert made.returncode == 0, made.stderr[-3000:]
    found = dict(line.split(" | ", 1) for line in made.stdout.splitlines())
    assert found["memory"] == "True | not known on this system"
    for name in ("Python", "configuration", "question bank", "models", "cache"):
        assert found[name].startswith("True"), (name, found[name])
