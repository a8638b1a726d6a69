"""Tasks of the default book, each as it is planned: words, files, what it depends on. Nothing is made.

Oracle: what the page on how it fits says of each kind of task, and files laid down by hand in an empty project.
"""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from metacog.book import plan, pool
from metacog.book.pool import Task
from metacog.core.config import load_profile

PACKED = ("reference", "study1_qa", "forced", "qwen2.5-coder-1.5b")


@pytest.fixture(scope="module")
def default():
    return plan.workflow("default")


@pytest.fixture
def empty(tmp_path, monkeypatch):
    """An empty project, in which files are laid down."""
    for module in (plan, pool):
        monkeypatch.setattr(module, "project_root", lambda: tmp_path)
    return tmp_path


def lay(root, **files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def of(workflow, name):
    (found,) = [task for task in workflow.tasks if task.name == name]
    return found


def test_replies_are_taken_from_packs_of_the_reference_run_alone(default):
    sets = {one[:4] for one in default.sets}
    packed = [task for task in default.tasks if task.call is plan.gather and task.words[6]]
    assert {task.words[:4] for task in packed} == {one for one in sets if one[0] == "reference"}
    task = next(t for t in packed if t.words[:4] == PACKED)
    assert task.name == "taking from packs forced: qwen2.5-coder-1.5b"
    receipt = "results/reference/study1_qa/replies/forced/qwen2.5-coder-1.5b.0.json"
    assert task.makes == (receipt,) and task.words[4:] == ("0", receipt, "packed") and not task.alone
    assert task.mark == receipt[:-4] + "key"
    needed = ["results/reference/study1_qa/replies/open/qwen2.5-coder-1.5b.0.json"]
    assert list(task.reads) == needed == default.needed(*PACKED)
    keys = [target.key() for target in default.targets if target.profile.name == "reference"]
    parts = task.parts()
    assert list(parts) == ["what is asked", "replies"] and set(parts["what is asked"]) <= set(keys)
    assert len(parts["what is asked"]) == len(default.sets[PACKED]) > 0


def test_shards_of_a_packed_run_are_tasks_of_their_own(monkeypatch):
    monkeypatch.setattr(plan.Workflow, "shards", lambda self, profile: ["0", "1"])
    sharded = plan.workflow("default")
    names = [
        task.name
        for task in sharded.tasks
        if task.words[:4] == PACKED and task.call is plan.gather and task.words[6]
    ]
    assert names == [f"taking from packs forced: qwen2.5-coder-1.5b, shard {k} (0 to 1)" for k in (0, 1)]
    assert len(sharded.receipts(*PACKED)) == 2


def test_what_is_collected_is_the_profiles_own(default):
    assert default.collected and all(name.startswith("results/default/") for name in default.collected)
    asked = [*default.collected.values()]
    assert default.tasks[: len(asked)] == asked and all(task.alone and not task.words[6] for task in asked)
    assert "reference" not in {target.profile.name for target in default.targets if target.packed is False}
    assert {target.profile.name for target in default.targets if target.packed} == {"reference"}


def test_trials_are_read_again_where_replies_or_the_code_that_reads_change(default, empty):
    ours, packed = (
        [t for t in default.tasks if t.call is plan.read and t.words[4] == how] for how in ("", "packed")
    )
    assert {t.words[0] for t in ours} == {"default"} and {t.words[0] for t in packed} == {"reference"}
    task = next(t for t in packed if t.words[:4] == PACKED)
    folder = "results/reference/study1_qa/trials/forced"
    assert task.makes and all(name.startswith(f"{folder}/qwen2.5-coder-1.5b.") for name in task.makes)
    assert task.mark == f"{folder}/qwen2.5-coder-1.5b.key"
    before = task.parts()
    assert before["replies"] == {}
    lay(empty, **dict.fromkeys(task.reads, "{}"))
    assert set(task.parts()["replies"]) == set(task.reads) and task.parts()["code"] == before["code"]


def test_a_result_says_itself_what_it_was_made_of(empty):
    workflow = plan.workflow("default")
    task = next(t for t in workflow.tasks if t.call is plan.compute and t.words[2] == "ranking")
    (target,) = task.makes
    assert task.words == ("default", "study6_frontier", "ranking", "") and not task.mark
    lay(empty, **{target: json.dumps({"made_by": {"key": "k"}})})
    assert task.made()["key"] == "k" and plan._keys([target, "results/none.json"]) == {
        target: "k",
        "results/none.json": "",
    }


def test_a_models_page_reads_the_results_of_its_model(default):
    page = next(page for page in default.pages if page.parameters.get("model") == "smollm2-135m")
    models = {default.steps[target].model for target in default.results(page)}
    assert "smollm2-135m" in models <= {"", "smollm2-135m"}
    used = {(default.steps[t].study, default.steps[t].analysis) for t in default.results(page)}
    assert used <= set(page.chapter.uses())
    wider = SimpleNamespace(
        chapter=SimpleNamespace(uses=lambda: [*page.chapter.uses(), ("study6_frontier", "ranking")]),
        parameters=page.parameters,
    )
    assert {default.steps[target].model for target in default.results(wider)} == {"", "smollm2-135m"}


def test_a_chapter_depends_on_labels_where_its_results_may_name_models(default):
    other = plan.workflow("default")
    other.__dict__["labels"] = "other labels"
    moved = {name for name in default.making if default.making[name] != other.making[name]}
    bare = {page.name for page in default.pages if not page.chapter.uses()}
    assert {"study1-overview", "synthesis"} <= moved and not moved & bare
    task = of(default, "chapter study1-luck")
    assert task.page == "study1-luck" and task.words == ("study1-luck", "default")
    assert task.makes == ("_executed/default/study1-luck.ipynb",)
    assert task.mark == "_executed/default/study1-luck.key"
    parts = task.parts()
    assert parts["text, code or parameters"] == default.making["study1-luck"]
    assert set(parts["results"]) == set(task.reads)


def test_the_summary_depends_on_all_results_labels_and_what_the_front_page_pastes(default, monkeypatch):
    task = of(default, "the summary of all results")
    assert task.makes == ("results/default/summary.json", "results/default/ledger.csv")
    assert set(task.parts()["results"]) == set(default.steps)
    assert "_executed/default/study1-luck.ipynb" in default.front
    assert task.reads == (*default.steps, *default.front)
    assert task.mark == "results/default/summary.key"
    changed = plan.workflow("default")
    changed.__dict__["labels"] = "other labels"
    monkeypatch.setattr(plan, "pasted_names", lambda page: ["a number"])
    pasted = plan.workflow("default")
    monkeypatch.undo()
    seen = []
    monkeypatch.setattr(plan, "code_digest", lambda *files, **_: seen.append(files) or "other code")
    recoded = plan.workflow("default")
    found = [default.summing, changed.summing, recoded.summing]
    monkeypatch.undo()
    monkeypatch.setattr(plan, "pasted_names", lambda page: seen.append(page) or ["a number"])
    found.append(pasted.summing)
    assert len(set(found)) == 4 and task.parts()["code or labels"] == found[0]
    assert seen[0][0].name == "summary.py" and seen[-1].name == "intro.md" and seen[-1].is_file()


def test_pages_may_name_models_of_the_profile_the_default_book_and_the_reference_run(default):
    smoke = plan.workflow("smoke")
    wanted = {m for name in ("smoke", "default", "reference") for m in load_profile(name).models}
    assert set(smoke.models) == wanted and set(default.models) <= wanted
    assert "qwen2.5-coder-1.5b" in smoke.models and len(smoke.models) == len(wanted)


def test_rendering_depends_on_pages_texts_and_addresses(default, empty, monkeypatch):
    task = of(default, "rendering the pages")
    assert task.makes == ("_build/html/index.html",) and task.mark == "_build/book.key"
    assert task.reads[-1] == "results/default/summary.json"
    files = ["_config.yml", "_toc.yml", "book/a.md", "book/b.bib", "book/_static/c.css"]
    lay(empty, **dict.fromkeys([*files, task.reads[0], "book/other.txt"], "x"))
    parts = task.parts()
    assert set(parts) == {"profile", "code", "addresses", "pages", "files"} and parts["profile"] == "default"
    assert set(parts["files"]) == set(files) and set(parts["pages"]) == {task.reads[0]}
    other = plan.workflow("default")
    other.__dict__["models"] = default.models[:1]
    assert other.rendering != default.rendering == parts["code"]
    again, asked = plan.workflow("default"), []
    again.__dict__["models"] = default.models
    monkeypatch.setattr(plan, "code_digest", lambda *files, **how: asked.append(how) or "other code")
    assert again.rendering != default.rendering and asked[0]["shown"]


def test_what_a_task_calls_is_told_where(monkeypatch, empty):
    told = []
    monkeypatch.setenv(plan.LOCK_WAIT, "7")
    monkeypatch.setattr(
        plan, "run_jobs", lambda studies, profile, **how: told.append((studies, profile, how))
    )
    monkeypatch.setattr(
        plan, "read_again", lambda studies, profile, **how: told.append((studies, profile, how))
    )
    plan.gather(*PACKED, "1", "results/receipt.json")
    plan.gather(*PACKED, "1", "results/receipt.json", "packed")
    plan.read(*PACKED, "packed")
    plan.read(*PACKED, "")
    asked, taken, packed, own = (how for _, _, how in told)
    chosen = {"collections": ["forced"], "models": ["qwen2.5-coder-1.5b"]}
    receipt = empty / "results/receipt.json"
    replies = {**chosen, "shard": 1, "receipt": receipt, "lock_wait": 7.0}
    assert asked == {**replies, "packed": False, "progress": True}
    assert taken == {**replies, "packed": True, "progress": False}
    assert packed == {**chosen, "packed": True} and own == {**chosen, "packed": False}
    assert [[study.name for study in studies] for studies, _, _ in told] == [["study1_qa"]] * 4
    assert all(profile.name == "reference" for _, profile, _ in told)


def test_a_result_for_one_model_is_made_of_its_parameters(default):
    step = next(step for step in default.steps.values() if step.model)
    one, none = (plan.made_of(step.profile, step.study, step.analysis, model) for model in (step.model, ""))
    assert one.key != none.key


# --- why a task must be made


def made(name, *reads, parts=None):
    return Task(
        name,
        print,
        (name,),
        (f"out/{name}.json",),
        reads,
        parts or (lambda: {"a": {"x": 1}}),
        f"out/{name}.key",
    )


def test_the_first_thing_that_changed_is_named(empty):
    task = made("one")
    assert task.why() == "there is no out/one.json"
    task.begin()
    lay(empty, **{"out/one.json": "{}"})
    task.keep(task.parts())
    assert task.why() == ""
    for now, said in (
        ({"a": {"x": 2}}, "a (x)"),
        ({"a": {"x": 1, "y": 1}}, "a (y)"),
        ({"a": {}}, "a (x)"),
        ({"a": {"x": 2, "y": 1}}, "a (x, ...)"),
        ({"a": 1, "b": 2}, "a, b"),
    ):
        assert replace(task, parts=lambda now=now: now).why() == f"changed: {said}"
    task.begin()
    assert task.why().startswith("changed: ") and (empty / "out").is_dir()


def test_a_task_makes_its_folders_before_it_begins(empty):
    task = replace(made("deep"), makes=("far/away/deep.json",), mark="")
    task.begin()
    assert (empty / "far/away").is_dir()


def test_each_task_is_looked_at_once(empty):
    looked = []
    first = made("first", parts=lambda: looked.append("first") or {})
    others = [made(name, "out/first.json") for name in ("second", "third")]
    lay(empty, **{f"out/{name}.json": "{}" for name in ("first", "second", "third")})
    for task in others:
        task.keep(task.parts())
    assert pool.stale([*others, first]) == {} and looked == ["first"]
