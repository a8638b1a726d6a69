"""The reference: what its pages name exists, is documented with its source, and its examples print what they say."""

import doctest
import inspect
import re

import pytest
import yaml
from reference_pages import PAGES, example_fails, found, named

import metacog.sdt
from metacog.core.paths import project_root

FUNCTIONS = named("autofunction")
CLASSES = named("autoclass")
#: Functions that put data in order, or that this project made itself: no paper stands behind them.
OF_THIS_PROJECT = {
    "alpha_precision",
    "counts",
    "cross_fitted",
    "gate",
    "pairwise_agreement",
    "population_for",
    "precision",
    "quantile_edges",
    "rate",
    "recovery",
    "repeated_draws",
    "required_trials",
    "stratified_permutation",
    "wrong_alike",
    "trials_for_m_ratio",
}


def sections(name):
    """Text of each section of a docstring, by its heading."""
    parts = re.split(r"(?m)^(\w+)\n-+\n", inspect.getdoc(found(name)) + "\n")
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_names_stand_once_on_the_pages():
    names = [name.rpartition(".")[2] for name in FUNCTIONS + CLASSES]
    assert len(names) == len(set(names)) > 80


def test_what_is_public_is_what_the_reference_documents():
    documented = FUNCTIONS + CLASSES + named("py:data") + named("autoexception")
    here = {name.rpartition(".")[2] for name in documented if re.fullmatch(r"metacog\.sdt\.\w+", name)}
    assert here == set(metacog.sdt.__all__)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_says_what_it_takes_and_gives(name):
    said = sections(name)
    assert said["Returns"].strip() and said["Examples"].strip()
    heads = " ".join(re.findall(r"(?m)^\S.*$", said["Parameters"]))
    taken = [p.name for p in inspect.signature(found(name)).parameters.values()]
    assert [one for one in taken if not re.search(rf"\b{one}\b", heads)] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_names_the_paper_behind_it(name):
    said = inspect.getdoc(found(name)).partition("Examples\n---")[0]
    paper = re.search(r"\b(18|19|20)\d\d\b", said) is not None
    assert paper != (name.rpartition(".")[2] in OF_THIS_PROJECT)


@pytest.mark.parametrize("name", CLASSES)
def test_a_class_says_what_it_holds(name):
    assert sections(name).get("Attributes", "").strip() or "arrays of shape" in inspect.getdoc(found(name))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_what_a_function_returns_has_an_entry_too(name):
    room = inspect.getmodule(found(name))
    given = re.findall(r"\w+", str(inspect.signature(found(name)).return_annotation))
    classes = {one: getattr(room, one) for one in given if inspect.isclass(getattr(room, one, None))}
    ours = {one for one, kind in classes.items() if kind.__module__.startswith("metacog")}
    assert ours <= {known.rpartition(".")[2] for known in CLASSES}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_an_example_shows_a_result_and_draws_nothing_without_a_seed(name):
    shown = doctest.DocTestParser().get_examples(inspect.getdoc(found(name)))
    assert any(one.want for one in shown)
    assert not any("default_rng()" in one.source or "np.random.r" in one.source for one in shown)
    assert any(re.search(rf"\bimport\b.*\b{name.rpartition('.')[2]}\b", one.source) for one in shown)


#: Posteriors are examined in ``test_bayes.py`` and ``test_bayes_group.py``, where their programs are compiled.
@pytest.mark.parametrize("name", [name for name in FUNCTIONS if ".bayes." not in name])
def test_an_example_prints_what_it_says(name):
    assert example_fails(name) == ""


def test_an_example_that_prints_something_else_is_found(monkeypatch):
    monkeypatch.setattr(found("metacog.sdt.wilson"), "__doc__", ">>> 1 + 1\n3\n")
    assert "Got:\n    2" in example_fails("metacog.sdt.wilson")


def test_the_table_of_contents_holds_every_page_of_the_reference():
    parts = yaml.safe_load((project_root() / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    (part,) = [part for part in parts if part["caption"] == "Reference"]
    listed = [chapter["file"] for chapter in part["chapters"]]
    assert listed[0] == "book/reference/index"
    assert sorted(listed) == [f"book/reference/{page.stem}" for page in PAGES]
