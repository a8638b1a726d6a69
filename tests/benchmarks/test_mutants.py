"""Small changes of programs and whether tests notice. Oracle: a toy of which it is known."""

from __future__ import annotations

import subprocess
import sys

import mutants
import pytest

TOY = '''LIMIT = 3


def over(x):
    """Whether it is."""
    return x > LIMIT


def unasked(x):
    return x + 1
'''
TESTS = """from metacog.toy import over


def test_over():
    assert over(5) and not over(1)
"""


@pytest.fixture
def project(tmp_path):
    files = {"src/metacog/__init__.py": "", "src/metacog/toy.py": TOY, "tests/test_toy.py": TESTS}
    for name, text in {**files, "pyproject.toml": "[tool.pytest.ini_options]\n"}.items():
        (tmp_path / "project" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "project" / name).write_text(text)
    return tmp_path / "project"


def test_a_copy_has_what_there_is_and_says_what_is_changed(project, tmp_path):
    mutants.copied(project, tmp_path / "work", ["toy.py"], ["tests/test_toy.py"])
    settings = (tmp_path / "work/pyproject.toml").read_text()
    assert 'only_mutate = ["src/metacog/toy.py"]' in settings and 'also_copy = ["pyproject.toml"]' in settings
    assert (tmp_path / "work/src/metacog/toy.py").read_text() == TOY
    mutants.copied(project, tmp_path / "work", ["toy.py"], ["tests/test_toy.py"])
    assert (tmp_path / "work/pyproject.toml").read_text() == settings


def test_a_module_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mutants.py", "--of", "sdt/nothing.py"])
    with pytest.raises(SystemExit, match=r"nothing below src/metacog is called sdt/nothing\.py: name"):
        mutants.main()


@pytest.mark.proof
def test_in_a_toy_it_is_known_what_tests_notice(project, tmp_path):
    try:
        python = mutants.with_mutmut(tmp_path / "environment")
    except subprocess.CalledProcessError:
        pytest.skip("mutmut cannot be installed here")
    mutants.copied(project, tmp_path / "work", ["toy.py"], ["tests/test_toy.py"])
    run = [python, "-m", "mutmut", "run", "--max-children", "1"]
    subprocess.run(run, cwd=tmp_path / "work", env=mutants.CLEAN, check=True, capture_output=True)
    found = mutants.survivors(python, tmp_path / "work")
    assert sorted(found) == [
        "metacog.toy.x_over__mutmut_1: survived",
        *(f"metacog.toy.x_unasked__mutmut_{k}: no tests" for k in (1, 2)),
    ]
