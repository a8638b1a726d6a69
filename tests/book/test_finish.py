"""From an executed notebook to a page: a box of parameters, code at the foot, captions with figures."""

import dataclasses
import re
import shlex

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from metacog.book.chapters import as_default, pages, split_parameters
from metacog.book.finish import WHOSE, finish, missing, parameters_box, runs_shown, without_run
from metacog.core.config import load_profile
from metacog.core.paths import project_root
from metacog.report.drawing import MARK
from metacog.studies import trials

SOURCE = project_root() / "notebooks" / "study1-qa" / "study1-hypotheses.py"


def executed():
    about = {MARK: {"name": "fig-x", "caption": "What it shows.", "alt": "In words"}}
    figure = new_output("display_data", data={"image/svg+xml": "<svg/>"}, metadata=about)
    return new_notebook(
        cells=[
            new_markdown_cell("# Title"),
            new_code_cell("n = 1", metadata={"tags": ["parameters"]}),
            new_code_cell("n = 2", metadata={"tags": ["injected-parameters"]}),
            new_code_cell("draw()", outputs=[figure]),
            new_markdown_cell("Why it is asked."),
        ]
    )


def test_the_answer_comes_first_and_one_box_of_parameters_and_the_code_stand_at_the_foot():
    page = finish(executed(), SOURCE, "study1-hypotheses", {"profile": "smoke", "n": 2})
    kinds = [cell.cell_type for cell in page.cells]
    assert kinds == ["markdown", "code", "markdown", "markdown", "markdown"]
    box, foot = page.cells[-2].source, page.cells[-1].source
    assert box.startswith(":::{dropdown}") and "| `n` | `2` |" in box
    assert "-p n=4" in box
    assert "{download}`study1-hypotheses.py <../notebooks/study1-qa/study1-hypotheses.py>`" in foot
    assert 'run.result("h1"' in foot
    nbformat.validate(page)


def test_two_runs_of_a_notebook_are_one_page():
    """Ids are drawn for each notebook; papermill and the kernel write times, and where the notebook lay."""
    made = []
    for second in ("01", "02"):
        notebook = executed()
        notebook.metadata["papermill"] = {"end_time": second, "output_path": f"/tmp/{second}.ipynb"}
        for cell in notebook.cells:
            cell.metadata |= {"papermill": {"end_time": second}, "execution": {"iopub.status.busy": second}}
        made.append(without_run(finish(notebook, SOURCE, "study1-hypotheses", {"profile": "smoke", "n": 2})))
    assert made[0] == made[1] and len({cell.id for cell in made[0].cells}) == len(made[0].cells)
    assert made[0].cells[1].metadata["tags"] and made[0].cells[1].outputs
    nbformat.validate(made[0])


def test_a_page_without_words_after_its_parameters_keeps_their_box():
    notebook = executed()
    notebook.cells = notebook.cells[:-1]
    page = finish(notebook, SOURCE, "study1-hypotheses", {"profile": "smoke"})
    assert [c.cell_type for c in page.cells] == ["markdown", "code", "markdown", "markdown"]
    assert page.cells[2].source.startswith(":::{dropdown}")


def test_a_figure_hands_its_caption_to_the_cell():
    cell = finish(executed(), SOURCE, "study1-hypotheses", {}).cells[1]
    assert cell.metadata["mystnb"] == {
        "figure": {"name": "fig-x", "caption": "What it shows."},
        "image": {"alt": "In words"},
    }
    assert cell.metadata["tags"] == ["remove-input"] and not cell.outputs[0].metadata


def test_a_page_names_the_models_that_its_study_asks(monkeypatch):
    reference, own = load_profile("reference"), load_profile("default")
    without = {**reference.studies["study4_probe"], "without": ["smollm2-135m", "gemma3-270m"]}
    fewer = dataclasses.replace(reference, studies={**reference.studies, "study4_probe": without})
    monkeypatch.setattr("metacog.book.finish.load_profile", {"reference": fewer, "default": own}.__getitem__)
    both = {"profile": "reference", "other": "default"}
    probe = project_root() / "notebooks" / "study4-probe" / "study4-replication.py"
    two, all_four = (re.split(", and of ", runs_shown(source, both, own))[0] for source in (probe, SOURCE))
    assert "Qwen" in two and "SmolLM2" not in two and "Qwen" in all_four and "SmolLM2" in all_four
    assert runs_shown(SOURCE, {"profile": "default"}, load_profile("smoke")) == ""


def test_a_page_names_the_models_of_its_profile_that_were_not_collected(monkeypatch, tmp_path):
    monkeypatch.setattr(
        trials, "trials_file", lambda p, study, collection, model, dataset: tmp_path / f"{model}.{collection}"
    )
    given = {"profile": "default"}
    assert missing(SOURCE, given) == ""  # of nothing collected there is no page
    for name in ("open", "draws", "forced"):
        (tmp_path / f"smollm2-135m.{name}").touch()
    said = missing(SOURCE, given)
    assert "Not collected of the profile default: Gemma-3-270M" in said
    assert "`metacog collect --profile default --model gemma3-270m`" in said
    for name in ("open", "draws", "forced"):
        (tmp_path / f"gemma3-270m.{name}").touch()
    assert missing(SOURCE, given) == ""


def command(page, own, changed=()):
    box = parameters_box(page.chapter.source, page.name, page.parameters | dict(changed), own, changed)
    return shlex.split(re.search(r"```bash\n(.*)\n```", box)[1])


@pytest.mark.parametrize("name", ["default", "smoke"])
def test_the_command_of_a_page_gives_it_the_same_parameters(name):
    """Oracle: the parameters that a page is run with, of the profile and the changes that its command names."""
    own = load_profile(name)
    for page in pages(own):
        said = command(page, own, {"seed": 7, "verdicts": False})
        again = {one.name: one.parameters for one in pages(load_profile(said[said.index("--profile") + 1]))}
        given = split_parameters(said[i + 1] for i, word in enumerate(said) if word == "-p")
        given = {name: as_default(name, text, None) for name, text in given.items()}
        assert again[said[2]] | given == page.parameters | {"seed": 7, "verdicts": False}


def test_a_page_of_one_model_says_whose_run_it_shows_where_there_are_two():
    for name, said in (("default", [WHOSE[True], WHOSE[True], WHOSE[False], WHOSE[False]]), ("smoke", [""])):
        own = load_profile(name)
        shown = [page for page in pages(own) if page.chapter.per_model]
        told = [runs_shown(page.chapter.source, page.parameters, own).strip() for page in shown]
        assert told == said


def test_what_shows_nothing_leaves_no_trace():
    nothing = [
        new_output("display_data", data={"text/markdown": "", "text/plain": "Prose(source='')"}),
        new_output("display_data", data={"text/plain": ""}),
    ]
    something = [
        new_output("stream", text="7"),
        new_output("execute_result", data={"text/plain": "7"}),
        new_output("display_data", data={"text/markdown": "words", "text/plain": "Prose(source='words')"}),
        new_output("display_data", data={"application/papermill.record/text/plain": "7"}),
    ]
    notebook = new_notebook(cells=[new_code_cell("show()", outputs=[*nothing, *something])])
    assert finish(notebook, SOURCE, "study1-hypotheses", {}).cells[0].outputs == something
