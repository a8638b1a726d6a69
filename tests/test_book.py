"""Chapters: parameters, unknown parameters, failures that never reach the book."""

import nbformat
import pytest
import yaml

from metacog import book
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root

CHAPTER = """
# %% [markdown]
# # A chapter

# %% tags=["parameters"]
profile = "default"
n = 3
seed = 42

# %%
if n < 0:
    raise ValueError("n must not be negative")
print(profile, n * 2, seed)
"""


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small clone: config and one chapter."""
    root = tmp_path / "house"
    (root / "notebooks").mkdir(parents=True)
    (root / "config").symlink_to(project_root() / "config")
    (root / "notebooks" / "small.py").write_text(CHAPTER)
    monkeypatch.setattr(book, "project_root", lambda: root)
    real = book.load_yaml

    def listing(path, schema):
        return {"chapters": {"small": {"needs": []}}} if schema == "chapters" else real(path, schema)

    monkeypatch.setattr(book, "load_yaml", listing)
    return root


def test_parameters_come_from_profile_and_user(house):
    target = book.execute_chapter("small", "smoke", {"n": 5})
    text = nbformat.read(target, 4).cells[-1].outputs[0].text
    assert text == "smoke 10 42\n"


def test_an_unknown_parameter_is_an_error(house):
    with pytest.raises(MetacogError, match="'small' has no parameter resamples; it has: profile, n, seed"):
        book.execute_chapter("small", "smoke", {"resamples": 1})


def test_a_failed_run_is_never_rendered(house):
    with pytest.raises(MetacogError, match="stopped at cell .*n must not be negative.*nothing was rendered"):
        book.execute_chapter("small", "smoke", {"n": -1})
    assert not (house / "_executed" / "small.ipynb").exists()
    assert (house / "results" / "unfinished" / "small.ipynb").exists()


def test_unknown_chapter(house):
    with pytest.raises(MetacogError, match="no chapter 'large'; there are: small"):
        book.execute_chapter("large", "smoke")


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
    sources = {p.stem for p in (project_root() / "notebooks").glob("*.py")}
    assert {page.chapter for page in book.pages(load_profile("default"))} <= sources


def test_no_notebook_is_tracked_and_every_source_is_percent():
    for source in (project_root() / "notebooks").glob("*.py"):
        assert book.chapter_parameters(source).get("profile", "default") == "default", source.name
    assert not list((project_root() / "notebooks").glob("*.ipynb"))
