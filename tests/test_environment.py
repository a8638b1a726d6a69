"""pyproject.toml, requirements.lock and environment.yml name the same packages and versions."""

import re
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from metacog.core.paths import project_root

ROOT = project_root()


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def locked():
    """Name to the set of locked versions (there may be one for each range of Python versions)."""
    found = {}
    for line in (ROOT / "requirements.lock").read_text().splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;]+)", line):
            found.setdefault(canonicalize_name(match[1]), set()).add(match[2])
    return found


#: Peers that only a script in benchmarks/ needs: pinned in their extra, in nobody's environment.
UNLOCKED = "benchmark"


def requirements(project):
    named = project["optional-dependencies"].items()
    extras = [line for extra, lines in named if extra != UNLOCKED for line in lines]
    return [Requirement(line) for line in project["dependencies"] + extras]


def test_every_dependency_is_locked_within_its_range(project, locked):
    for requirement in requirements(project):
        versions = locked.get(canonicalize_name(requirement.name))
        assert versions, f"{requirement.name} is not in requirements.lock"
        for version in versions:
            assert requirement.specifier.contains(version, prereleases=True), (requirement, version)


def test_peers_of_benchmarks_are_pinned_and_not_installed_for_readers(project, locked):
    for line in project["optional-dependencies"][UNLOCKED]:
        requirement = Requirement(line)
        assert re.fullmatch(r"==[\d.]+", str(requirement.specifier)), line
        assert canonicalize_name(requirement.name) not in locked


def test_every_locked_version_has_hashes():
    text = (ROOT / "requirements.lock").read_text()
    blocks = re.split(r"\n(?=\S)", text.strip())
    assert len(blocks) > 150
    for block in blocks:
        assert re.match(r"[A-Za-z0-9._-]+(\[[^]]*\])?==", block), block[:60]
        assert "--hash=sha256:" in block, block[:60]


def test_no_package_index_addresses():
    for name in ("requirements.lock", "environment.yml", "pyproject.toml"):
        text = (ROOT / name).read_text()
        assert not re.search(r"https?://|index-url|find-links", text), name


def test_environment_pins_what_the_lock_pins(project, locked):
    environment = yaml.safe_load((ROOT / "environment.yml").read_text())
    pip = next(d["pip"] for d in environment["dependencies"] if isinstance(d, dict))
    pinned = dict(line.split("==") for line in pip if "==" in line)
    conda = {re.split(r"[=<>]", d)[0]: d for d in environment["dependencies"] if isinstance(d, str)}
    for line in project["dependencies"]:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        if name in conda:
            assert Requirement(conda[name]).specifier == requirement.specifier, name
        else:
            assert pinned.pop(name, None) in locked[name], name
    assert not pinned, f"environment.yml pins what pyproject.toml does not name: {pinned}"
    assert Requirement(conda["python"].replace("=", "==")).specifier.contains("3.11")
    assert "-e ." in pip


def test_every_dependency_has_its_reason():
    text = (ROOT / "pyproject.toml").read_text()
    block = text[text.index("dependencies = [") : text.index("[project.scripts]")]
    lines = [line for line in block.splitlines() if re.match(r'\s+"', line)]
    assert lines and all("#" in line for line in lines), [line for line in lines if "#" not in line]
