"""The definitions behind code digests. Oracle: small packages in which it is known what names what."""

import sys
from pathlib import Path

import pytest

from metacog.core import code
from metacog.core.code import ALL, code_digest, module_file, place_of, places_of, reached


@pytest.fixture
def package(tmp_path, monkeypatch):
    """``housed``: a.py names b.f, which names c.g by an import of its own; b.other and d stand alone."""
    folder = tmp_path / "housed"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("from housed.inner.c import g\n")
    (folder / "a.py").write_text("from housed import b\nimport json\ndef h(): return b.f()\n")
    (folder / "b.py").write_text(
        "def f():\n    from housed.inner.c import g\n    return g\ndef other(): ...\n"
    )
    (folder / "inner" / "__init__.py").write_text("")
    (folder / "inner" / "c.py").write_text(
        "from typing import TYPE_CHECKING\ndef g(): ...\nif TYPE_CHECKING:\n    from housed import d\n"
    )
    (folder / "d.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    forget()
    yield folder
    forget()


def forget():
    for name in [one for one in sys.modules if one.partition(".")[0] in ("housed", "others")]:
        del sys.modules[name]
    module_file.cache_clear()


def named(folder: Path, name: str, definition: str = ALL) -> set[str]:
    """What is reached from a file or a definition of it, as ``file:definition``, without what runs at loading."""
    found = reached((folder / name, definition), tops={"housed"})
    return {f"{file.relative_to(folder)}:{one}" for file, one in found if one}


def test_what_is_named_is_followed_at_any_depth_and_not_for_types_only(package):
    assert named(package, "a.py") == {"a.py:h", "b.py:f", "inner/c.py:g"}
    assert named(package, "b.py", "other") == {"b.py:other"}
    assert named(package, "d.py") == {"d.py:x"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import housed.inner.c as c\ndef k(): return c.g()\n", {"inner/c.py:g"}),
        ("import housed.d\ndef k(): return housed.d.x\n", {"d.py:x"}),
        (
            "from housed import b\ndef k(name): return getattr(b, name)\n",
            {"b.py:f", "b.py:other", "inner/c.py:g"},
        ),
        ("from housed.d import *\ndef k(): return x\n", {"d.py:x"}),
        ("from housed import g\ndef k(): return g()\n", {"inner/c.py:g"}),  # taken on by the package
        (
            "try:\n    from housed import b\nexcept ImportError:\n    b = None\ndef k(): b.other\n",
            {"b.py:other"},
        ),
        (
            "KNOWN = {}\nKNOWN['a'] = lambda: b.other\nfrom housed import b\ndef k(): return KNOWN\n",
            {"b.py:other"},
        ),
        ("from housed.d import x\nclass k:\n    def m(self, x: int): return self.b.other\n", set()),
        ("from housed import b\ndef k(): return globals()\ndef l(): b.other\n", {"b.py:other"}),
    ],
    ids=["module", "dots", "whole", "star", "taken on", "try", "loading", "attribute", "everything"],
)
def test_ways_of_naming(package, text, found):
    (package / "f.py").write_text(text)
    reached_ = {one for one in named(package, "f.py", "k") if not one.startswith("f.py")}
    assert reached_ == found


def test_a_module_that_its_package_imports_is_itself_and_a_function_of_its_name_goes_before_it(package):
    (package / "__init__.py").write_text("from housed import d\nfrom housed.inner.c import g\n")
    (package / "g.py").write_text("def other(): ...\n")
    (package / "f.py").write_text("from housed import d, g\ndef k(): return d.x, g()\n")
    assert named(package, "f.py", "k") == {"f.py:k", "d.py:x", "inner/c.py:g"}


def test_imports_with_dots_are_followed(package):
    (package / "inner" / "e.py").write_text(
        "from . import c\nfrom .. import d\nfrom ..b import f\ny = c.g, d.x, f\n"
    )
    assert named(package, "inner/e.py") == {"inner/e.py:y", "inner/c.py:g", "d.py:x", "b.py:f"}


def test_dots_are_followed_in_a_folder_without_an_init(package):
    (package / "plain").mkdir()
    (package / "plain" / "e.py").write_text("from . import h\nfrom ..b import f\ny = h.z, f\n")
    (package / "plain" / "h.py").write_text("z = 1\n")
    assert {"plain/e.py:y", "plain/h.py:z", "b.py:f"} <= named(package, "plain/e.py")


def test_dots_stay_within_the_package_that_a_file_lies_in(package):
    other = package.parent / "others"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "a.py").write_text("from .b import f\ny = f\n")
    (other / "b.py").write_text("def f(): ...\n")
    (package / "inner" / "e.py").write_text("from ..b import f\ny = f\n")
    for start, near in ((other / "a.py", other / "b.py"), (package / "inner" / "e.py", package / "b.py")):
        found = {file for file, _ in reached((start, ALL), tops={"housed", "others"})}
        assert near in found and {f.parts[-2] for f in found if f != start} <= {*near.parts, "inner"}


def test_an_edit_changes_the_digest_of_what_imports_it_alone(package):
    def digests():
        return [code_digest(package / n, tops=("housed",)) for n in ("a.py", "b.py", "d.py")]

    before = digests()
    (package / "inner" / "c.py").write_text("def g(): return 2\n")
    after = digests()
    assert [x != y for x, y in zip(before, after, strict=True)] == [True, True, False]


def test_an_edit_changes_the_digest_of_what_names_the_definition_alone(package):
    def digests():
        return [code_digest((package / "b.py", name), tops=("housed",)) for name in ("f", "other")]

    before = digests()
    text = (package / "b.py").read_text()
    (package / "b.py").write_text(text.replace("def other(): ...", "def other(): return 1"))
    assert [x != y for x, y in zip(before, digests(), strict=True)] == [False, True]
    (package / "b.py").write_text(f"import json\n{text}json.dumps(1)\n")  # runs whenever the module is loaded
    assert [x != y for x, y in zip(before, digests(), strict=True)] == [True, True]


def test_a_definition_that_moves_to_another_file_is_the_same(package):
    (package / "f.py").write_text("def k(): return 1\ndef m(): return k()\n")
    before = code_digest((package / "f.py", "m"), tops=("housed",))
    (package / "k.py").write_text("def k(): return 1\n")
    (package / "f.py").write_text("from housed.k import k\ndef m(): return k()\n")
    assert code_digest((package / "f.py", "m"), tops=("housed",)) == before


def test_what_was_parsed_is_kept_between_processes_and_half_of_it_is_parsed_again(
    package, tmp_path, monkeypatch
):
    def again():
        code._parsed.cache_clear()
        code._REACHED.clear()
        return code_digest(package / "a.py", tops=("housed",))

    first = again()
    kept = sorted((tmp_path / "cache" / "parsed").iterdir())
    for file in kept:
        file.write_text(file.read_text()[:-5])
    assert again() == first
    with monkeypatch.context() as patched:
        patched.setattr(code, "_parse", lambda *_: pytest.fail("parsed again"))
        assert again() == first
        (package / "b.py").write_text("x = 1\n")
        with pytest.raises(pytest.fail.Exception):
            again()
    assert again() != first and len(kept) == 4


SAME = (
    "def g():\n    return 1\n",
    "# a comment\ndef g():  # another\n\n    return (\n        1\n    )\n",
    '"""A room."""\n\n\ndef g():\n    """What it gives back."""\n    return 1\n',
)


def test_comments_docstrings_and_line_breaks_are_no_code(package):
    def digests(text):
        (package / "d.py").write_text(text)
        return [code_digest(package / "d.py", tops=("housed",), shown=shown) for shown in (False, True)]

    plain, shown = zip(*map(digests, SAME), strict=True)
    assert len(set(plain)) == len(set(shown)) == 1
    for other in ("def g():\n    return 2\n", "def g():\n    'a'\n    'b'\n    return 1\n"):
        assert digests(other)[0] not in plain


def test_a_docstring_that_a_decorator_may_show_counts_where_pages_are_made(package):
    def digests(words):
        (package / "d.py").write_text(f"@drawing(caption='c')\ndef g():\n    {words!r}\n    return 1\n")
        return [code_digest(package / "d.py", tops=("housed",), shown=shown) for shown in (False, True)]

    before, after = digests("Bars of a share."), digests("Bars of two shares.")
    assert before[0] == after[0] and before[1] != after[1]


def test_a_page_depends_on_what_it_says_and_an_analysis_on_what_it_computes():
    """Of all analyses: the sentences and parts of pages are told apart from what is computed, whatever the file."""
    from metacog.report.views import Views
    from metacog.studies import studies
    from metacog.studies.results import code_places
    from metacog.studies.view import view_places

    shown = place_of(Views)
    for study in studies():
        for one in study.analyses:
            computed = reached(*code_places(one), tops=[one.function.__module__.partition(".")[0]])
            assert computed and shown not in computed, f"{study.name}.{one.name} computes what it shows"
        assert all(view_places(study, one.analysis) for one in study.views)


def test_a_value_is_found_under_the_names_of_its_own_module(package):
    import importlib

    module = importlib.import_module("housed.d")
    module.x = value = object()
    assert places_of(value, ["housed"]) == [(package / "d.py", "x")]
    assert places_of(object(), ["housed"]) == []
