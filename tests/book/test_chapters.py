"""Chapters: parameters, titles, and their places in the contents."""

import ast

import pytest
import yaml
from house import make_house

from metacog import book
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root


def test_a_page_is_named_by_its_first_heading(tmp_path, monkeypatch):
    house = make_house(tmp_path)
    monkeypatch.chdir(house)
    (house / "config" / "chapters.yaml").write_text(
        "folder: notebooks\nchapters:\n  small: {}\n  each: {per_model: true}\n"
    )
    text = (house / "notebooks" / "small.py").read_text()
    (house / "notebooks" / "each.py").write_text(text.replace("A small chapter", "About @MODEL@"))
    assert [(page.name, page.title) for page in book.pages(load_profile("smoke"))] == [
        ("small", "A small chapter"),
        ("each-smollm2-135m", "About SmolLM2-135M-Instruct"),
    ]


def test_parse_parameters():
    assert book.parse_parameters(["n=3", "x=[1, 2]", "name=smoke", "flag=True"]) == {
        "n": 3,
        "x": [1, 2],
        "name": "smoke",
        "flag": True,
    }
    for bad in ("n", "1n=3", "=3"):
        with pytest.raises(MetacogError, match="NAME=VALUE"):
            book.parse_parameters([bad])


def test_every_listed_chapter_has_its_file_and_its_place_in_the_contents():
    names = {page.name for page in book.pages(load_profile("default"))}
    toc = yaml.safe_load((project_root() / "_toc.yml").read_text())
    listed, globbed = set(), []
    for part in toc["parts"]:
        for chapter in [c for top in part["chapters"] for c in (top, *top.get("sections", ()))]:
            if "glob" in chapter:
                globbed.append(chapter["glob"].removeprefix("_executed/").rstrip("*"))
            elif chapter["file"].startswith("_executed/"):
                listed.add(chapter["file"].removeprefix("_executed/"))
            else:
                assert (project_root() / f"{chapter['file']}.md").is_file(), chapter
    loose = {name for name in names if not name.startswith(tuple(globbed) or ("\0",))}
    assert listed == loose


def test_no_notebook_is_tracked_and_every_source_is_percent():
    for source in (project_root() / "notebooks").rglob("*.py"):
        assert book.chapter_parameters(source).get("profile", "default") == "default", source.name
    assert not list((project_root() / "notebooks").rglob("*.ipynb"))


def test_every_source_is_declared():
    sources = {p.stem for p in (project_root() / "notebooks").rglob("*.py")}
    assert {page.chapter.name for page in book.pages(load_profile("default"))} == sources


@pytest.mark.parametrize("name", ["smoke", "default", "reference", "battery", "paper"])
def test_no_chapter_overrides_what_a_profile_sets_for_one_analysis(name):
    """A chapter is handed the profile's general values; with them it would compute the result a second time."""
    analysis = load_profile(name).analysis
    special = {key.rpartition(".")[2]: set(of) for key, of in analysis.items() if isinstance(of, dict)}
    assert special
    for source in (project_root() / "notebooks").rglob("*.py"):
        for call in ast.walk(ast.parse(source.read_text())):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "result"
            ):
                handed = {keyword.arg for keyword in call.keywords}
                assert not handed & special.get(ast.literal_eval(call.args[0]), set()), source.name
