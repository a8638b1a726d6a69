"""The package as a library. Oracles: `sys.modules`, the metadata of what is installed, and metadpy's committed fits."""

import json
import os
import shutil
import subprocess
import sys
import venv

import pandas as pd
import pytest
from installed_core import ROOT, Hidden, required

sys.path.insert(0, str(ROOT / "benchmarks"))
import metadpy_agreement

#: What is loaded when it is called, and not before.
HEAVY = ("scipy.stats", "pandas", "jax", "numba", "numpyro", "matplotlib")
#: Most packages that the core may bring.
MOST = 30


def loaded_by(line):
    """Which of the heavy packages a line of code loads in a fresh interpreter."""
    code = f"import sys\n{line}\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_estimators_are_imported_without_what_is_slow_to_import():
    assert loaded_by("import metacog.sdt") == []
    assert loaded_by("import metacog.sdt.binning, pandas") == ["pandas"]  # what is looked for can be found


def test_help_names_the_commands_and_loads_none_of_their_rooms():
    line = "import metacog.cli\nmetacog.cli.main(['--help'], standalone_mode=False)"
    code = f"import sys\n{line}\nprint(*(name for name in sys.modules if name.startswith('metacog.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *told, loaded = done.stdout.splitlines()
    assert any(line.startswith("  import-trials") for line in told)
    assert {name.split(".")[1] for name in loaded.split()} == {"cli", "commands", "core"}


def cases(n):
    """The first of the tables that metadpy was given, and what it and this package made of them."""
    import numpy as np

    rng = np.random.default_rng(metadpy_agreement.SEED)
    made = [metadpy_agreement.random_table(rng) for _ in range(n)]
    tables = [{"a": list(a), "b": list(b), "s": s} for a, b, s, _ in made]
    return tables, pd.read_csv(metadpy_agreement.OUT, comment="#").head(n)


def run_alone(command, folder, n, **environment):
    """Let `core_alone.py` fit the cases and import a file; hold its fits to metadpy's."""
    tables, theirs = cases(n)
    (folder / "cases.json").write_text(json.dumps(tables))
    program = [str(ROOT / "tests" / "core_alone.py"), str(folder / "cases.json"), str(folder)]
    done = subprocess.run(
        [*command, *program], cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout.splitlines()[-1])
    metadpy = theirs["log_likelihood"] - theirs["log_likelihood_gain"]
    assert (found["log_likelihood"] >= metadpy - 1e-4).all()
    equal = theirs["verdict"] == "equal"
    assert equal.sum() > 0.75 * n
    apart = (pd.Series(found["meta_d"]) - theirs["meta_d_metadpy"]).abs()
    assert apart[equal].max() <= metadpy_agreement.TOLERANCE
    assert "the extra `book`" in done.stdout
    assert len(pd.read_csv(folder / "out" / "measures.csv")) >= 3
    assert not (folder / "out" / "report.html").exists()


def test_the_core_works_where_everything_else_is_hidden(tmp_path):
    hidden = Hidden()
    assert len(required()) <= MOST
    assert {"llama_cpp", "numba", "pooch", "filelock", "matplotlib", "numpyro", "metadpy"} <= hidden.names
    run_alone([sys.executable, str(ROOT / "tests" / "installed_core.py")], tmp_path, 12)


@pytest.mark.real
@pytest.mark.timeout(1800)
def test_a_wheel_alone_in_a_new_environment(tmp_path):
    """Needs a package index; the environment takes 0.9 GB while the test runs."""
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    probe = [
        *pip,
        "download",
        "--quiet",
        "--no-deps",
        "--no-cache-dir",
        "--retries=1",
        "--dest",
        str(tmp_path),
        "click",
    ]
    if subprocess.run(probe, capture_output=True).returncode:
        pytest.skip("no package index can be reached")
    source = tmp_path / "source"
    for name in ("src", "data/simulations", "data/confidence_database"):
        shutil.copytree(
            ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info")
        )
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source / name)
    build = [
        *pip,
        "wheel",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--wheel-dir",
        str(tmp_path),
        str(source),
    ]
    subprocess.run(build, check=True)
    venv.create(tmp_path / "env", with_pip=True)
    python = str(tmp_path / "env" / "bin" / "python")
    (wheel,) = tmp_path.glob("metacog-*.whl")
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    subprocess.run([python, *install], check=True, env={**os.environ, "PYTHONPATH": ""})
    listed = subprocess.run([python, "-m", "pip", "list", "--format=json"], capture_output=True, check=True)
    packages = {package["name"] for package in json.loads(listed.stdout)} - {"pip", "setuptools", "metacog"}
    assert len(packages) <= MOST and not {"metadpy", "matplotlib", "llama_cpp_python"} & packages
    run_alone([python], tmp_path, 200, PYTHONPATH="")
