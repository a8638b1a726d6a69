"""What was collected of a model is found by its card and its chapter, without a book. Oracle: the trials themselves."""

from __future__ import annotations

import re

import nbformat
import pytest
from adding_project import clone
from click.testing import CliRunner
from scripted_chat import ChatApi, connect

from metacog import cli
from metacog.commands._adding import Candidate, add_model, source_of
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies import studies
from metacog.studies.shared.model_card import card_of, markdown
from metacog.studies.trials import read_collected, read_new


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A clone in which one study of the smoke profile was collected of a model that was just added."""
    target, given = tmp_path_factory.mktemp("project"), project_root() / "data"
    root = clone(target)
    for folder in given.iterdir():
        if not (root / "data" / folder.name).exists():
            (root / "data" / folder.name).symlink_to(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(root)
        patch.setenv("METACOG_CACHE", str(target / "cache"))
        patch.setattr("metacog.collect.runner.open_engine", lambda entry, settings: connect(ChatApi()))
        source = source_of(None, None, "http://127.0.0.1:9/v1", "served", api="chat")
        opener = {"opener": lambda entry, settings: connect(ChatApi())}
        add_model(Candidate("served", source, kind="instruct", profile="smoke"), **opener)
        yield root


def run(*words):
    made = CliRunner().invoke(cli.main, words)
    assert made.exit_code == 0, made.output
    return made.output


def test_before_anything_was_collected_the_way_is_named(project):
    with pytest.raises(MetacogError, match=r"`metacog collect --profile smoke --model served` asks it"):
        card_of("served", load_profile("smoke"))
    assert read_new(load_profile("smoke"), "served") == {}


def test_a_card_is_made_of_what_was_collected(project):
    run("collect", "--profile", "smoke", "--model", "served", "--study", "study4_probe", "--quiet")
    said = run("card", "served", "--profile", "smoke")
    assert re.search(r"study4_probe: \d+ trials read from what was collected", said)
    text = (project / "results" / "cards" / "served.md").read_text()
    row = next(line for line in text.splitlines() if line.startswith("| Study 4"))
    assert "this run" in row
    assert "not all was collected of study1_qa, study2_two_choice, study3_dmc, study5_battery" in said
    assert "the profile does not run" not in text
    assert not (project / "results" / "smoke" / "shared").exists()  # the book's own results are left alone
    assert markdown(card_of("served", load_profile("smoke")), "") in text  # told again from the store


def test_a_chapter_finds_what_was_collected(project, monkeypatch):
    with pytest.raises(MetacogError, match="there are no trials of study1_qa, open, under smoke.*collect"):
        read_collected(
            next(s for s in studies() if s.name == "study1_qa"), load_profile("smoke"), "open", "served"
        )
    run("collect", "--profile", "smoke", "--model", "served", "--quiet")
    said = run("run-chapter", "model-page", "--profile", "smoke", "-p", "model=served")
    assert "study1_qa" in said and "wrote" in said
    assert (project / "_executed" / "smoke" / "model-page-served.ipynb").is_file()
    assert read_new(load_profile("smoke"), "served") == dict.fromkeys(load_profile("smoke").studies, True)
    asked = {}

    def not_run(notebook, running, parameters, **_):
        asked.update(parameters)
        nbformat.write(notebook, running)

    monkeypatch.setattr("metacog.book.execution.run_notebook", not_run)
    again = run(
        "run-chapter", "model-page-served", "--profile", "smoke", "--out", str(project / "again.ipynb")
    )
    assert asked["model"] == "served" and "wrote" in again
    assert "trials read" not in again  # no table is older than its replies


def test_a_model_that_the_profile_does_not_name_is_named_with_the_profile(project):
    made = CliRunner().invoke(cli.main, ["run-chapter", "model-page-gemma3-270m", "--profile", "smoke"])
    assert made.exit_code == 2
    assert "name gemma3-270m among the models of the profile smoke" in made.output


def test_one_command_makes_the_pages_of_a_paper(project):
    run("collect", "--paper", "study4_probe", "--model", "served", "--share", "0.01", "--quiet")
    folder = project / "results" / "paper-study4_probe-served-0.01" / "pages"
    assert {file.name for file in folder.iterdir()} == {"study4-replication.html", "served.html", "served.md"}
    page = (folder / "study4-replication.html").read_text()
    assert "<svg" in page and "does confidence follow what they know?" in page
    assert not any(mark in page for mark in ("glue:", "cite:", ".ipynb", "{div}", "How this page was run"))
