"""The import graph behind code digests. Oracle: small packages whose imports are known."""

import sys
from pathlib import Path

import pytest

from metacog.core import provenance
from metacog.core.provenance import code_digest, import_graph, module_file, names_imported


@pytest.fixture
def package(tmp_path, monkeypatch):
    """``housed``: a.py imports b by name, b imports c inside a function, d stands alone."""
    folder = tmp_path / "housed"
    (folder / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text("from housed import d\n")
    (folder / "a.py").write_text("from housed import b\nimport json\n")
    (folder / "b.py").write_text("def f():\n    from housed.inner.c import g\n    return g\n")
    (folder / "inner" / "__init__.py").write_text("")
    (folder / "inner" / "c.py").write_text(
        "from typing import TYPE_CHECKING\ndef g(): ...\nif TYPE_CHECKING:\n    from housed import d\n"
    )
    (folder / "d.py").write_text("x = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    forget()
    yield folder
    sys.modules.pop("housed", None)
    forget()


def forget():
    provenance._root.cache_clear()
    module_file.cache_clear()


def graph(folder: Path, name: str) -> set[str]:
    files = import_graph(folder / name, frozenset({"housed"}))
    return {str(f.relative_to(folder)) for f in files}


def test_imports_are_followed_at_any_depth_and_not_for_types_only(package):
    assert graph(package, "a.py") == {"a.py", "b.py", "inner/c.py"}
    assert graph(package, "d.py") == {"d.py"}
    assert graph(package, "__init__.py") == {"__init__.py", "d.py"}


def test_imports_of_whole_modules_are_followed(package):
    (package / "f.py").write_text("import json, housed.inner.c as c\nimport housed.d\n")
    assert graph(package, "f.py") == {"f.py", "inner/c.py", "d.py"}


def test_imports_with_dots_are_followed(package):
    (package / "inner" / "e.py").write_text("from . import c\nfrom .. import d\nfrom ..b import f\n")
    assert graph(package, "inner/e.py") == {"inner/e.py", "inner/c.py", "d.py", "b.py"}
    sampler = graph_of("metacog.measures.posterior")
    assert {"_models.py", "record.py", "_meta_d_kernel.py"} <= sampler


def test_dots_stay_within_the_package_that_a_file_lies_in(package):
    other = package.parent / "others"
    other.mkdir()
    (other / "__init__.py").write_text("")
    (other / "a.py").write_text("from .b import f\n")
    (other / "b.py").write_text("def f(): ...\n")
    (package / "inner" / "e.py").write_text("from ..b import f\n")
    for start, near in ((other / "a.py", other / "b.py"), (package / "inner" / "e.py", package / "b.py")):
        found = import_graph(start, frozenset({"housed", "others"}))
        assert near in found and {f.parts[-2] for f in found if f != start} <= {*near.parts, "inner"}
    sys.modules.pop("others", None)


def graph_of(module):
    return {f.name for f in import_graph(module_file(module), frozenset({"metacog"}))}


def test_an_edit_changes_the_digest_of_what_imports_it_alone(package):
    def digests():
        return [code_digest(package / n, tops=("housed",)) for n in ("a.py", "b.py", "d.py")]

    before = digests()
    (package / "inner" / "c.py").write_text("def g(): return 2\n")
    after = digests()
    assert [x != y for x, y in zip(before, after, strict=True)] == [True, True, False]


def test_what_was_parsed_is_kept_between_processes_and_half_of_it_is_parsed_again(
    package, tmp_path, monkeypatch
):
    def again():
        provenance._parsed.cache_clear()
        return code_digest(package / "a.py", tops=("housed",))

    first = again()
    kept = sorted((tmp_path / "cache" / "parsed").iterdir())
    for file in kept:
        file.write_text(file.read_text()[:-5])
    assert again() == first
    with monkeypatch.context() as patched:
        patched.setattr(provenance, "_parse", lambda content: pytest.fail("parsed again"))
        assert again() == first
        (package / "b.py").write_text("x = 1\n")
        with pytest.raises(pytest.fail.Exception):
            again()
    assert again() != first and len(kept) == 3


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


def test_names_taken_from_a_module_are_known(package):
    (package / "a.py").write_text("from housed.b import f, g\ndef h():\n    from housed.b import k\n")
    assert names_imported([package / "a.py", package / "b.py"], "housed.b") == {"f", "g", "k"}


def test_what_is_shown_is_no_part_of_an_analysis():
    room = module_file("metacog.studies.study1_qa").parent
    shown = (
        "/shown.py",
        "/figures.py",
        "/words.py",
        "report/tables.py",
        "report/drawing.py",
        "studies/view.py",
    )
    for analysis in sorted(room.glob("*/analysis.py")):
        names = {str(f) for f in import_graph(analysis, frozenset({"metacog"}))}
        assert str(module_file("metacog.studies.study")) in names
        assert not [n for n in names - {str(module_file("metacog.core.words"))} if n.endswith(shown)], (
            analysis
        )
