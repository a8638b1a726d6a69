"""pyproject.toml, all locks and environment.yml name the same packages and versions."""

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from metacog import doctor
from metacog.core.errors import extra_for
from metacog.core.paths import project_root

ROOT = project_root()


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


#: What `make setup` installs, what `make dev` adds, and what `make lab` adds.
LOCKS = ("requirements.lock", "requirements-dev.lock", "requirements-lab.lock")
#: Most packages that `make setup` may install, this project's among them; papermill asks for more on Python 3.12.
MOST = {"3.11": 150, "3.12": 152, "3.13": 150}


def versions(lock):
    """Name to the set of locked versions (there may be one for each range of Python versions)."""
    found = {}
    for line in (ROOT / lock).read_text().splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;]+)", line):
            found.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return found


@pytest.fixture(scope="module")
def locked():
    return {name: some for lock in LOCKS for name, some in versions(lock).items()}


#: Peers that only a script in benchmarks/ needs: pinned in their extra, in nobody's environment.
UNLOCKED = "benchmark"


#: Extras of which `all` is made: what the book is made with, beside the core. `book` brings `lab`.
EXTRAS = ("bayes", "ask", "book")
#: The line of `book` that does.
BRINGS_LAB = "metacog[lab]"


def requirements(project):
    named = project["optional-dependencies"].items()
    extras = [line for extra, lines in named if extra not in (UNLOCKED, "all") for line in lines]
    return [Requirement(line) for line in project["dependencies"] + extras if line != BRINGS_LAB]


def of_the_book(project):
    """Requirements of `pip install .[all]`."""
    extras = [line for extra in (*EXTRAS, "lab") for line in project["optional-dependencies"][extra]]
    assert BRINGS_LAB in project["optional-dependencies"]["book"]
    return [Requirement(line) for line in project["dependencies"] + extras if line != BRINGS_LAB]


def test_all_is_every_extra_of_the_book(project):
    (line,) = project["optional-dependencies"]["all"]
    assert Requirement(line).name == "metacog" and Requirement(line).extras == set(EXTRAS)
    core = {Requirement(line).name for line in project["dependencies"]}
    assert core == {"numpy", "scipy", "pandas", "pyarrow", "jax", "pandera", "click", "pyyaml"}
    apart = [r for r in of_the_book(project) if r.name not in core]
    ranges = {r.name: r.specifier for r in apart}
    assert all(r.specifier == ranges[r.name] for r in apart)  # one range a package, whoever asks for it


def test_every_dependency_is_locked_within_its_range(project, locked):
    for requirement in requirements(project):
        found = locked.get(canonicalize_name(requirement.name))
        assert found, f"{requirement.name} is not locked"
        for version in found:
            assert requirement.specifier.contains(version, prereleases=True), (requirement, version)


def installed_with(lines):
    """Names of all packages that requirements need, as those that are installed here say."""
    seen, todo = set(), [Requirement(line) for line in lines]
    while todo:
        one = todo.pop()
        key = canonicalize_name(one.name), frozenset(one.extras)
        if key in seen:
            continue
        seen.add(key)
        for line in importlib.metadata.requires(one.name) or ():
            needed = Requirement(line)
            if needed.marker is None or any(needed.marker.evaluate({"extra": e}) for e in ("", *one.extras)):
                todo.append(needed)
    return {name for name, _ in seen}


def test_what_the_book_needs_is_in_the_lock_of_set_up_and_tools_of_tests_are_not(project):
    setup, dev, lab = map(versions, LOCKS)
    assert not setup.keys() & (dev.keys() | lab.keys())
    assert {name: dev[name] for name in dev.keys() & lab.keys()} == {
        name: lab[name] for name in dev.keys() & lab.keys()
    }
    lines = [x for e in EXTRAS for x in project["optional-dependencies"][e] if x != BRINGS_LAB]
    needed = installed_with(project["dependencies"] + lines)
    assert len(needed) > 130 and needed <= setup.keys()
    tools = {"snakemake", "pytest", "mypy", "scikit-learn", "fastapi", "kubernetes", "cmake", "jupyterlab"}
    assert not tools & (setup.keys() | needed) and tools <= dev.keys() | lab.keys()


@pytest.mark.parametrize("python", MOST)
def test_set_up_installs_few_packages(python):
    """Of those that the lock names, the ones that Linux takes."""
    here = default_environment() | {
        "python_full_version": f"{python}.1",
        "python_version": python,
        "sys_platform": "linux",
        "os_name": "posix",
    }
    lines = re.findall(r"^[A-Za-z0-9].*==.*(?= \\$)", (ROOT / "requirements.lock").read_text(), re.M)
    marked = [Requirement(line).marker for line in lines]
    assert sum(marker is None or marker.evaluate(here) for marker in marked) + 1 <= MOST[python]


def test_jupyterlab_needs_nothing_that_its_lock_and_that_of_set_up_do_not_name(project):
    try:
        needed = installed_with(project["optional-dependencies"]["lab"])
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("JupyterLab is not installed: `make lab` does it")
    assert needed <= versions("requirements.lock").keys() | versions("requirements-lab.lock").keys()


def test_peers_of_benchmarks_are_pinned_and_not_installed_for_readers(project, locked):
    for line in project["optional-dependencies"][UNLOCKED]:
        requirement = Requirement(line)
        assert re.fullmatch(r"==[\d.]+", str(requirement.specifier)), line
        assert canonicalize_name(requirement.name) not in locked


def test_what_is_missing_is_named_with_its_extra(project, monkeypatch):
    extras = project["optional-dependencies"].items()
    metadata = [f'{line}; extra == "{extra}"' for extra, lines in extras for line in lines]
    monkeypatch.setattr("importlib.metadata.requires", lambda name: [*project["dependencies"], *metadata])
    wanted = {
        "llama_cpp": "ask",
        "numpyro.infer": "bayes",
        "matplotlib": "book",
        "jupyterlab": "lab",
        "pandas": "",
        "pytest": "",
        "jax": "",
    }
    assert {module: extra_for(module) for module in wanted} == wanted


def test_every_locked_version_has_hashes():
    text = "".join((ROOT / lock).read_text() for lock in LOCKS)
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert len(blocks) > 150
    for block in blocks:
        assert re.match(r"[A-Za-z0-9._-]+(\[[^]]*\])?==", block), block[:60]
        assert "--hash=sha256:" in block, block[:60]


def test_no_package_index_addresses():
    for name in (*LOCKS, "environment.yml", "pyproject.toml"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?://|index-url|find-links", text), name


def test_environment_pins_what_the_lock_pins(project, locked):
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    pip = next(d["pip"] for d in environment["dependencies"] if isinstance(d, dict))
    pinned = dict(line.split("==") for line in pip if "==" in line)
    conda = {re.split(r"[=<>]", d)[0]: d for d in environment["dependencies"] if isinstance(d, str)}
    named = {canonicalize_name(requirement.name): requirement for requirement in of_the_book(project)}
    for name, requirement in named.items():
        if name in conda:
            assert Requirement(conda[name]).specifier == requirement.specifier, name
        else:
            assert pinned.pop(name, None) in locked[name], name
    assert not pinned, f"environment.yml pins what pyproject.toml does not name: {pinned}"
    assert Requirement(conda["python"].replace("=", "==")).specifier.contains("3.11")
    assert "-e .[all]" in pip


def test_every_dependency_has_its_reason():
    text = (ROOT / "pyproject.toml").read_text()
    block = text[text.index("dependencies = [") : text.index("[project.scripts]")]
    lines = [line for line in block.splitlines() if re.match(r'\s+"', line)]
    assert lines and all("#" in line for line in lines), [line for line in lines if "#" not in line]


#: Stands in for an interpreter of another version, whose set-up would begin with a line of its own.
OF_ANOTHER_VERSION = """#!{python}
import sys
sys.version_info, sys.version = {numbers}, "{version} (stand-in)"
exec(sys.argv[2]) if sys.argv[1] == "-c" else print("set-up begins")
"""


@pytest.mark.parametrize("version", ["3.10.13", "3.11.0", "3.12.1", "3.13.9", "3.14.0", "4.0.0"])
def test_set_up_and_doctor_take_the_pythons_that_the_project_takes(version, project, tmp_path, monkeypatch):
    numbers = tuple(map(int, version.split(".")))
    fits = SpecifierSet(project["requires-python"]).contains(version)
    stand_in = tmp_path / "python"
    stand_in.write_text(OF_ANOTHER_VERSION.format(python=sys.executable, numbers=numbers, version=version))
    stand_in.chmod(0o755)
    words = ["make", "setup", f"PYTHON={stand_in}", f"VENV={tmp_path}"]
    free = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    done = subprocess.run(words, cwd=ROOT, env=free, capture_output=True, text=True)
    assert (done.returncode == 0) == ("set-up begins" in done.stdout) == fits, done.stderr
    told = f"Python 3.11, 3.12 or 3.13 is needed, this is {version}; name another with make PYTHON=python3.12"
    assert (told in done.stderr) != fits
    monkeypatch.setattr(sys, "version_info", numbers)
    assert doctor._python().ok == fits


def test_locks_part_only_pythons_that_the_project_takes(project):
    text = "".join((ROOT / lock).read_text() for lock in LOCKS)
    parted = set(re.findall(r"python_full_version \S+ '(\d+\.\d+)", text))
    taken = SpecifierSet(project["requires-python"])
    assert parted and not {version for version in parted if not taken.contains(version)}
