"""Each study's part of the book opens with an overview that leads to every one of its chapters."""

import re

import pytest
import yaml

from metacog.core.config import load_yaml
from metacog.core.paths import project_root
from metacog.studies.chapters import listings

OF_STUDIES = [
    place
    for place in listings()
    if place.parent.name != "config" and len(load_yaml(place, "chapters")["chapters"]) > 1
]

#: Pages that open a part and are no mere overview.
OPENING = ("frontier-self-knowledge", "frontier-replication", "people-beside-models")
#: The first of the pages on runs of one's own, which stand together behind the reading order.
OF_OWN_MODELS = "study2-replication"
#: The page with which those on measures stand, whoever's data they are tried on.
OF_MEASURES = "measures"


@pytest.mark.parametrize("listing", OF_STUDIES, ids=lambda p: p.parent.name)
def test_a_study_opens_with_its_overview_which_leads_to_every_chapter(listing):
    declared = load_yaml(listing, "chapters")
    first, *rest = declared["chapters"]
    text = (project_root() / declared["folder"] / f"{first}.py").read_text(encoding="utf-8")
    named = re.findall(r"\]\(([\w-]+)\.ipynb\)", text)
    assert first in OPENING or first.endswith("-overview")
    assert set(rest) <= set(named)


@pytest.mark.parametrize("listing", OF_STUDIES, ids=lambda p: p.parent.name)
def test_the_overview_opens_its_part_of_the_contents(listing):
    chapters = list(load_yaml(listing, "chapters")["chapters"])
    toc = yaml.safe_load((project_root() / "_toc.yml").read_text(encoding="utf-8"))
    pages = [[c.get("file", "") for c in part["chapters"]] for part in toc["parts"]]
    part = next(files for files in pages if f"_executed/{chapters[0]}" in files)
    first = set(pages[0])  # what everybody is to read first stands there, whoever's chapter it is
    for apart in (OF_OWN_MODELS, OF_MEASURES):
        first |= next(set(files) for files in pages if f"_executed/{apart}" in files)
    # a part may hold several studies: each one's own pages stand together, its overview first
    own = [f"_executed/{c}" for c in chapters if f"_executed/{c}" not in first]
    at = part.index(own[0])
    assert sorted(part[at : at + len(own)]) == sorted(own)
    others = {
        f"_executed/{c}" for place in listings() for c in load_yaml(place, "chapters")["chapters"]
    } - set(own)
    assert set(part) - set(own) <= others
