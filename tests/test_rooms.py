"""What the general rooms may know. Oracle: the list of studies, and the names in their records."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib

import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies import STUDIES, first_with, studies

ROOT = project_root() / "src" / "metacog"
#: Rooms below the studies, and the command, which reaches them through the registry alone.
ROOMS = sorted(one.name for one in ROOT.iterdir() if one.suffix == ".py" or (one / "__init__.py").is_file())
ROOMS.remove("studies")
#: An estimator names the paper it implements; that is no knowledge of a study.
CITED = re.compile(r"\b[A-Z]\w+ et al\. \d{4}")


def sources(room):
    place = ROOT / room
    return [place] if place.suffix else sorted(place.rglob("*.py"))


@pytest.mark.parametrize("room", ROOMS)
def test_a_general_room_names_no_study(room):
    authors = {study.paper.authors.split()[0].strip(",").lower() for study in studies() if study.paper}
    rooms = {package.rsplit(".", 1)[1] for package in STUDIES} - {"shared"}
    named = re.compile("|".join([r"\bstud(?:y|ies)[ _]?[1-9]", "main study", *authors, *rooms]), re.I)
    assert "cacioli" in named.pattern and named.search("as in study 1") and not named.search("a study of one")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sources(room)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if named.search(CITED.sub("", line))
    ]
    assert sources(room) and not found, "\n".join(found)


def test_a_study_brings_what_commands_need():
    assert first_with("marking").marking.mark("The answer is: Paris", ["Paris"]).match == "exact"
    assert first_with("labels").labels.hash == "21fb309efb2588e4"  # labels made with it stay in their cache
    names = [name for study in studies() for name in study.fetches]
    assert len(names) == len(set(names))
    with pytest.raises(MetacogError, match="no registered study has paper_of_nobody"):
        first_with("paper_of_nobody")


def test_the_contracts_on_imports_name_every_study_and_every_room():
    settings = tomllib.loads((project_root() / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (apart,) = (c["modules"] for c in contracts if c["type"] == "independence")
    assert set(apart) == set(STUDIES)
    named = {word.strip() for c in contracts for layer in c.get("layers", ()) for word in layer.split("|")}
    rooms = {
        f"metacog.{p.stem}" for p in ROOT.iterdir() if p.suffix == ".py" or (p / "__init__.py").is_file()
    }
    assert rooms - named == {"metacog.__init__"}


def test_a_study_is_opened_without_importing_another():
    code = (
        "import sys\n"
        "from metacog.studies import open_run\n"
        "open_run('study4_probe', 'smoke')\n"
        "rooms = {'.'.join(m.split('.')[:3]) for m in sys.modules if m.startswith('metacog.studies.')}\n"
        "print(*rooms)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & set(STUDIES) == {"metacog.studies.study4_probe"}


def test_every_study_goes_by_the_name_of_its_room():
    assert [one.name for one in studies()] == [package.rpartition(".")[2] for package in STUDIES]
