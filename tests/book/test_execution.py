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
    text = nbformat.read(target, 4).cells[-2].outputs[0].text
    assert text == "smoke 10 42\n"


def test_an_unknown_parameter_is_an_error(house):
    with pytest.raises(MetacogError, match="'small' has no parameter resamples; it has: profile, n, seed"):
        book.execute_chapter("small", "smoke", {"resamples": 1})


def test_a_failed_run_is_never_rendered(house):
    with pytest.raises(MetacogError) as stopped:
        book.execute_chapter("small", "smoke", {"n": -1})
    text = (house / "notebooks" / "small.py").read_text()
    line = text[: text.index("    raise")].count("\n") + 1
    assert str(stopped.value).splitlines() == [
        f"chapter 'small' stopped at code cell 2 of 2, notebooks/small.py line {line}:",
        '      raise ValueError("n must not be negative")',
        "  ValueError: n must not be negative",
        "  the half-run notebook with the traceback is results/unfinished/small.ipynb; nothing was rendered "
        "from it",
    ]
    assert not (house / "_executed" / "smoke" / "small.ipynb").exists()
    assert (house / "results" / "unfinished" / "small.ipynb").exists()


def test_unknown_chapter(house):
    with pytest.raises(MetacogError, match="no chapter 'large'; there are: small"):
        book.execute_chapter("large", "smoke")


def test_a_kernel_that_dies_is_told(house):
    chapter = house / "notebooks" / "small.py"
    chapter.write_text(chapter.read_text() + "\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    with pytest.raises(MetacogError, match="'small': the process that ran its cells died.*memory"):
        book.execute_chapter("small", "smoke")
    assert not (house / "_executed" / "smoke" / "small.ipynb").exists()
