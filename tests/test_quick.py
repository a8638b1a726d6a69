"""`make quick`. Oracles: a repository of a few files, and tests whose time is known."""

import json
import subprocess

import pytest
from quick import asked_by, changed
from test_suite import TESTS, run_tests

FILES = {
    "src/metacog/sdt/area.py": "x = 1\n",
    "src/metacog/studies/study9_toy/luck.py": "x = 1\n",
    "src/metacog/studies/results.py": "x = 1\n",
    "notebooks/study9-toy/luck.py": "x = 1\n",
    "book/page.md": "words\n",
    "tests/helper.py": "x = 1\n",
    "tests/sdt/test_area.py": "from metacog.sdt.area import x\n",
    "tests/sdt/test_bins.py": "def test_it():\n    pass\n",
    "tests/report/test_lines.py": "from metacog.sdt import area\n",
    "tests/report/test_bars.py": "from metacog.sdt.areas import x\n",
    "tests/book/test_words.py": "import helper\n",
    "tests/test_page.py": 'PAGE = "book/page.md"\n',
    "tests/studies/test_contract.py": "",
    "tests/studies/test_store.py": "",
    "tests/studies/study9_toy/test_luck_table.py": "",
}


@pytest.fixture
def repository(tmp_path):
    def git(*words):
        who = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *who, *words], cwd=tmp_path, check=True, capture_output=True)

    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    git("init", "-b", "main")
    git("add", ".")
    git("commit", "-m", "all")
    git("checkout", "-b", "mine")
    return tmp_path, git


def test_what_is_committed_changed_and_new_since_the_main_branch_counts(repository):
    root, git = repository
    assert changed(root) == []
    (root / "src/metacog/sdt/area.py").write_text("x = 2\n")
    git("commit", "-am", "mine")
    (root / "book/page.md").write_text("other words\n")
    (root / "tests/sdt/test_new.py").write_text("")
    assert changed(root) == ["book/page.md", "src/metacog/sdt/area.py", "tests/sdt/test_new.py"]


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("src/metacog/sdt/area.py", ["report/test_lines.py", "sdt/test_area.py", "sdt/test_bins.py"]),
        ("tests/sdt/test_bins.py", ["sdt/test_bins.py"]),
        ("tests/helper.py", ["book/test_words.py"]),
        ("book/page.md", ["test_page.py", "book/test_words.py"]),
        ("src/metacog/studies/results.py", ["studies/test_contract.py", "studies/test_store.py"]),
        (
            "src/metacog/studies/study9_toy/luck.py",
            ["studies/study9_toy/test_luck_table.py", "studies/test_contract.py"],
        ),
        (
            "notebooks/study9-toy/luck.py",
            ["studies/study9_toy/test_luck_table.py", "studies/test_contract.py"],
        ),
        ("LICENSE", []),
    ],
)
def test_a_file_asks_for_the_tests_that_import_it_and_for_those_of_its_room(repository, file, asked):
    assert asked_by([file], repository[0]) == [f"tests/{name}" for name in asked]


TIMED = """
import time
import pytest

@pytest.fixture(scope="module")
def made():
    time.sleep(0.6)

def test_slow():
    time.sleep(0.6)

def test_first(made):
    pass

def test_second(made):
    pass

def test_short():
    pass
"""


def test_what_was_slow_the_last_time_is_left_out_with_all_that_waits_for_the_same(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    text = (TESTS / "conftest.py").read_text().replace("LONG = 2.0", "LONG = 0.5")
    (tmp_path / "tests/conftest.py").write_text(text)
    (tmp_path / "tests/test_it.py").write_text(TIMED)

    def run(*words):
        return run_tests(tmp_path, *words, "tests", "-p", "cacheprovider").stdout

    assert "4 passed" in run("--quick=100")  # nothing is known yet
    assert "1 passed, 3 deselected" in run("--quick=100")
    assert "\n1 passed" in run("--quick=100", "-n", "2")
    assert "1 skipped" in run("--quick=0")
    seconds = json.loads(next((tmp_path / ".pytest_cache").rglob("seconds")).read_text())
    assert seconds["tests/test_it.py::test_first"][0] > 0.5 > seconds["tests/test_it.py::test_second"][0]
