"""The face of the library. Oracle: signatures, docstrings and modules as they stand."""

import dataclasses
import inspect
import re

import pytest

import metacog.raters
import metacog.sdt

FACE = {name: getattr(room, name) for room in (metacog.sdt, metacog.raters) for name in room.__all__}
FUNCTIONS = {name: made for name, made in FACE.items() if inspect.isfunction(made)}
RECORDS = {name: made for name, made in FACE.items() if dataclasses.is_dataclass(made)}


def names(docstring: str | None, section: str) -> set[str]:
    """Names that a section of a NumPy docstring describes."""
    text = inspect.cleandoc(docstring or "")
    found = re.search(rf"^{section}\n-+\n(.*?)(?=\n\n|\Z)", text, re.M | re.S)
    heads = re.findall(r"^(\w[^\n:]*)", found[1] if found else "", re.M)
    return {name.strip() for head in heads for name in head.split(",")}


@pytest.mark.parametrize("room", [metacog.sdt, metacog.raters])
def test_names_are_in_order_and_are_what_they_say(room):
    listed = room.__all__
    assert listed == sorted(listed, key=lambda name: (not name.isupper(), not name[0].isupper(), name))
    assert not [name for name in listed if inspect.ismodule(getattr(room, name))]
    homes = {getattr(room, name).__module__ for name in listed if hasattr(getattr(room, name), "__module__")}
    assert all(home.startswith(room.__name__ + ".") for home in homes)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_functions_describe_their_parameters_and_take_options_by_name(name):
    given = inspect.signature(FUNCTIONS[name]).parameters
    assert set(given) <= names(FUNCTIONS[name].__doc__, "Parameters")
    options = [p for p in given.values() if p.default is not p.empty]
    assert all(p.kind is p.KEYWORD_ONLY for p in options)
    assert not {"question", "questions", "unit", "units", "p", "p_val", "ci"} & set(given)


@pytest.mark.parametrize("name", sorted(RECORDS))
def test_records_describe_their_fields(name):
    fields = {field.name for field in dataclasses.fields(RECORDS[name])}
    assert fields <= names(RECORDS[name].__doc__, "Attributes")


def test_records_that_functions_return_are_on_the_face():
    for function in FUNCTIONS.values():
        words = re.findall(r"\w+", str(function.__annotations__.get("return")))
        made = {w for w in words if dataclasses.is_dataclass(getattr(inspect.getmodule(function), w, None))}
        assert made <= set(RECORDS), function
