"""One chapter executed: parameters, unknown ones, failures that never reach the book, an environment without keys."""

import os

import nbformat
import pytest
from house import make_house

from metacog.book.execution import execute_chapter
from metacog.core.errors import MetacogError


@pytest.fixture
def house(tmp_path, monkeypatch):
    """A small clone, and we are in it."""
    monkeypatch.chdir(tmp_path)
    return make_house(tmp_path)


def test_parameters_come_from_profile_and_user(house):
    target = execute_chapter("small", "smoke", {"n": 5})
    (text,) = [o.text for c in nbformat.read(target, 4).cells for o in c.get("outputs", ())]
    assert text == "smoke 10 42\n"


def test_an_unknown_parameter_is_an_error(house):
    with pytest.raises(MetacogError, match="no parameter resamples; .*n, seed"):
        execute_chapter("small", "smoke", {"resamples": 1})


def test_parameters_of_the_command_line_take_the_defaults_types_before_a_cell_runs(house, monkeypatch):
    target = execute_chapter("small", "smoke", ("n=2e1", "seed=007"))
    (text,) = [o.text for c in nbformat.read(target, 4).cells for o in c.get("outputs", ())]
    assert text == "smoke 40 7\n"
    monkeypatch.setattr("metacog.book.execution.run_notebook", None)
    for given in (("n=many",), {"n": "many"}, {"n": 2.5}, {"n": True}):
        with pytest.raises(MetacogError, match="parameter n must be a whole number, such as n=3"):
            execute_chapter("small", "smoke", given)
    with pytest.raises(MetacogError, match="no parameter m; it has: profile, n, seed"):
        execute_chapter("small", "smoke", ("m=1",))


def test_a_failed_run_is_never_rendered(house):
    with pytest.raises(MetacogError) as stopped:
        execute_chapter("small", "smoke", {"n": -1})
    text = (house / "notebooks" / "small.py").read_text()
    line = text[: text.index("    raise")].count("\n") + 1
    where, code, error, unfinished = str(stopped.value).splitlines()
    assert "'small'" in where and f"cell 2 of 2, notebooks/small.py line {line}:" in where
    assert code.strip() == 'raise ValueError("n must not be negative")'
    assert error.strip() == "ValueError: n must not be negative"
    assert "results/unfinished/small.ipynb" in unfinished
    assert not (house / "_executed" / "smoke" / "small.ipynb").exists()
    assert (house / "results" / "unfinished" / "small.ipynb").exists()


def test_a_chapter_has_no_key_in_its_environment(house, monkeypatch):
    """Named by the registry, by a name that tells, by its value, in an address."""
    endpoint = "source: {endpoint: {url: http://127.0.0.1:9/v1, model: m, api: chat, key_env: ODD_PLACE}}"
    prompts = "prompts: {fewshot: fewshot-chat-v1, zeroshot: zeroshot-chat-v1, plain: plain-chat-v1}"
    entry = f"label: S\nkind: instruct\n{endpoint}\nsha256: null\n{prompts}\n"
    (house / "config" / "models" / "served.yaml").write_text(entry)
    keys = {
        "ODD_PLACE": "nothing-to-see-1",
        "OPENAI_API_KEY": "nothing-to-see-2",
        "HF_TOKEN": "nothing-to-see-3",
        "AWS_SECRET_ACCESS_KEY": "nothing-to-see-4",
        "PGPASSWORD": "nothing-to-see-5",
        "PLAIN": "sk-0123456789abcdefghij",
        "SOME_ADDRESS": "https://me:nothing-to-see-6@example.org/",
    }
    others = {"TOLD": "of no matter", "KEYBOARD": "qwerty", "ADDRESS": "https://example.org:443/a@b"}
    for name, value in (keys | others).items():
        monkeypatch.setenv(name, value)
    chapter = house / "notebooks" / "small.py"
    chapter.write_text(chapter.read_text() + "import os\nprint(dict(os.environ))\n")
    text = execute_chapter("small", "smoke").read_text()
    assert all(name in text and value in text for name, value in others.items())
    assert [name for name, value in keys.items() if name in text or value in text] == []
    assert all(os.environ[name] == value for name, value in keys.items())  # who asks models still has them


def test_unknown_chapter(house):
    with pytest.raises(MetacogError, match="'large'.*small"):
        execute_chapter("large", "smoke")


def test_a_kernel_that_dies_is_told(house):
    chapter = house / "notebooks" / "small.py"
    chapter.write_text(chapter.read_text() + "\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n")
    with pytest.raises(MetacogError, match="'small'.* died.*memory"):
        execute_chapter("small", "smoke")
    assert not (house / "_executed" / "smoke" / "small.ipynb").exists()
