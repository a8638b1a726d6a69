"""One chapter executed: parameters, unknown ones, failures that never reach the book."""

import nbformat
import pytest
from house import make_house

from metacog import book
from metacog.core.errors import MetacogError


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small clone, and we are in it."""
    monkeypatch.chdir(tmp_path)
    return make_house(tmp_path)


def test_parameters_come_from_profile_and_user(house):
    target = book.execute_chapter("small", "smoke", {"n": 5})
    (text,) = [o.text for c in nbformat.read(target, 4).cells for o in c.get("outputs", ())]
    assert text == "smoke 10 42\n"


def test_an_unknown_parameter_is_an_error(house):
    with pytest.raises(MetacogError, match="no parameter resamples; .*n, seed"):
        book.execute_chapter("small", "smoke", {"resamples": 1})


def test_a_failed_run_is_never_rendered(house):
    with pytest.raises(MetacogError) as stopped:
        book.execute_chapter("small", "smoke", {"n": -1})
    text = (house / "notebooks" / "small.py").read_text()
    line = text[: text.index("    raise")].count("\n") + 1
    where, code, error, unfinished = str(stopped.value).splitlines()
    assert "'small'" in where and f"cell 2 of 2, notebooks/small.py line {line}:" in where
    assert code.strip() == 'raise ValueError("n must not be negative")'
    assert error.strip() == "ValueError: n must not be negative"
    assert "results/unfinished/small.ipynb" in unfinished
    assert not (house / "_executed" / "smoke" / "small.ipynb").exists()
    assert (house / "results" / "unfinished" / "small.ipynb").exists()


def test_unknown_chapter(house):
    with pytest.raises(MetacogError, match="'large'.*small"):
        book.execute_chapter("large", "smoke")


def test_a_kernel_that_dies_is_told(house):
    chapter = house / "notebooks" / "small.py"
    chapter.write_text(chapter.read_text() + "\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    with pytest.raises(MetacogError, match="'small'.* died.*memory"):
        book.execute_chapter("small", "smoke")
    assert not (house / "_executed" / "smoke" / "small.ipynb").exists()
