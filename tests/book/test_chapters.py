"""Chapters: parameters, titles, and their places in the contents."""

import ast
import dataclasses
from types import MappingProxyType

import pytest
import yaml
from house import make_house

from metacog.book.chapters import as_default, chapter_parameters, pages, split_parameters
from metacog.book.plan import workflow
from metacog.book.rendering import CONTENTS, write_contents
from metacog.collect.jobs import trials_file
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import from_root, project_root
from metacog.studies import reference
from metacog.studies.chapters import declared


def test_a_page_is_named_by_its_first_heading(tmp_path, monkeypatch):
    house = make_house(tmp_path)
    monkeypatch.chdir(house)
    (house / "config" / "chapters.yaml").write_text(
        "folder: notebooks\nchapters:\n  small: {}\n  each: {per_model: true}\n"
    )
    text = (house / "notebooks" / "small.py").read_text()
    (house / "notebooks" / "each.py").write_text(text.replace("A small chapter", "About @MODEL@"))
    assert [(page.name, page.title) for page in pages(load_profile("smoke"))] == [
        ("small", "A small chapter"),
        ("each-smollm2-135m", "About SmolLM2-135M-Instruct"),
    ]


def of_models(profile):
    return [(page.name, page.parameters["profile"]) for page in pages(profile) if page.chapter.per_model]


def test_models_of_the_reference_run_alone_come_first_and_those_of_both_have_one_page(monkeypatch):
    own = [("model-page-smollm2-135m", "default"), ("model-page-gemma3-270m", "default")]
    theirs = [(f"model-page-qwen2.5-coder-{size}", "reference") for size in ("1.5b", "0.5b")]
    profile = load_profile("default")
    assert of_models(profile) == [*theirs, *own]
    mine = dataclasses.replace(profile, models=("qwen2.5-coder-1.5b",))
    assert of_models(mine)[-1] == ("model-page-qwen2.5-coder-1.5b", "default") and len(of_models(mine)) == 4
    without = {**profile.studies["study1_qa"], "without": ["gemma3-270m"]}
    left_out = dataclasses.replace(profile, studies={**profile.studies, "study1_qa": without})
    assert of_models(left_out) == of_models(profile)[:-1]
    fewer = {name: of for name, of in profile.studies.items() if name != "study4_probe"}
    assert of_models(dataclasses.replace(profile, studies=fewer)) == own
    lacking = reference.missing
    monkeypatch.setattr(reference, "missing", lambda study, run: study == "study3_dmc" or lacking(study, run))
    assert of_models(profile) == own


def test_a_model_of_the_reference_run_is_computed_from_its_results_alone():
    """Oracle: every input of a step is made by another step, is read from a reply, or is a committed file."""
    flow = workflow("default")
    read = {(t.profile.name, t.study.name, t.collection, t.model, t.dataset) for t in flow.targets}
    tables = {from_root(trials_file(*one)) for one in read}
    assert {s.target for s in flow.steps.values() if s.profile == "reference" and s.model} == {
        file
        for page in flow.pages
        if page.parameters.get("model") in ("qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b")
        for file in flow.results(page)
    }
    for step in flow.steps.values():
        made = {file for file in step.inputs if file.startswith("results/")}
        assert made <= {*tables, *flow.steps}
        assert step.profile != "reference" or all(f.startswith("results/reference/") for f in made)


def test_the_contents_list_the_pages_of_models_in_their_order(tmp_path):
    (tmp_path / "_executed").mkdir()
    text = (project_root() / "_toc.yml").read_text()
    (tmp_path / "_toc.yml").write_text(text)
    every = pages(load_profile("default"))
    write_contents(tmp_path, every)
    before, after = yaml.safe_load(text), yaml.safe_load((tmp_path / CONTENTS).read_text())
    models = next(part for part in after["parts"] if part["caption"] == "Documentation")
    wanted = [f"_executed/{page.name}" for page in every if page.chapter.per_model]
    assert [one["file"] for one in models["chapters"][: len(wanted)]] == wanted
    models["chapters"][: len(wanted)] = [{"glob": "_executed/model-page-*"}]
    assert after == before
    plain = {"format": "jb-book", "root": "book/intro", "chapters": [{"file": "_executed/primer"}]}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(plain))
    write_contents(tmp_path, every)
    assert yaml.safe_load((tmp_path / CONTENTS).read_text()) == plain


def parsed(*pairs, defaults=MappingProxyType({})):
    return {
        name: as_default(name, text, defaults.get(name)) for name, text in split_parameters(pairs).items()
    }


@pytest.mark.parametrize("bad", ["n", "1n=3", "=3"])
def test_a_pair_that_is_none_is_refused(bad):
    with pytest.raises(MetacogError, match="NAME=VALUE"):
        parsed(bad)


DEFAULTS = {"verdicts": True, "n": 500, "share": 0.05, "name": "x", "models": [], "by": {}, "limit": None}


@pytest.mark.parametrize(
    ("pair", "value"),
    [
        *((f"verdicts={word}", False) for word in ("false", "False", "FALSE", "no", "0", "off")),
        *((f"verdicts={word}", True) for word in ("true", "True", "yes", "1", "on")),
        *((f"n={word}", 20) for word in ("20", "2e1", "20.0", " 20", "020", "+20", "2_0")),
        ("n=007", 7),
        ("n=-3", -3),
        *((f"share={word}", 0.5) for word in (".5", "5e-1", "0.50")),
        ("share=1", 1.0),
        ("name=1", "1"),
        ("name=007", "007"),
        ("name=false", "false"),
        ("name='quoted'", "quoted"),
        ("name=", ""),
        ("name=a=b", "a=b"),
        ("models=['a']", ["a"]),
        ("models=()", ()),
        ("by={'a': 1}", {"a": 1}),
        ("limit=none", None),
        ("limit=5", 5),
    ],
)
def test_a_parameter_takes_the_type_of_its_default(pair, value):
    (found,) = parsed(pair, defaults=DEFAULTS).values()
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize(
    ("pair", "must"),
    [
        ("verdicts=maybe", "verdicts must be true or false, such as verdicts=True, not 'maybe'"),
        ("verdicts=2", "true or false"),
        ("n=2.5", "n must be a whole number, such as n=500, not '2.5'"),
        *(
            (f"n={word}", "a whole number")
            for word in ("true", "many", "", "1,000", "nan", "1e999", "[3]", "none")
        ),
        *((f"share={word}", "a number") for word in ("5%", "0,05", "inf", "yes")),
        ("models=a", r"a list, such as models=\[\], not 'a'"),
        ("by=[1]", "a dict"),
    ],
)
def test_a_parameter_of_another_type_is_refused_by_name_type_and_example(pair, must):
    with pytest.raises(MetacogError, match=must):
        parsed(pair, defaults=DEFAULTS)


def test_without_a_default_a_word_for_no_is_no():
    found = parsed("verdicts=false", "n=2e1", "seed=007", "x=None", "y=[1", "z=[1, 2]")
    assert found == {"verdicts": False, "n": 20.0, "seed": "007", "x": None, "y": "[1", "z": [1, 2]}


def test_every_listed_chapter_has_its_file_and_its_place_in_the_contents():
    names = {page.name for page in pages(load_profile("default"))}
    toc = yaml.safe_load((project_root() / "_toc.yml").read_text())
    listed, globbed = set(), []
    for part in toc["parts"]:
        for chapter in [c for top in part["chapters"] for c in (top, *top.get("sections", ()))]:
            if "glob" in chapter:
                globbed.append(chapter["glob"].removeprefix("_executed/").rstrip("*"))
            elif chapter["file"].startswith("_executed/"):
                listed.add(chapter["file"].removeprefix("_executed/"))
            else:
                assert (project_root() / f"{chapter['file']}.md").is_file(), chapter
    loose = {name for name in names if not name.startswith(tuple(globbed) or ("\0",))}
    assert listed == loose


def test_no_notebook_is_tracked_and_every_source_is_percent():
    for source in (project_root() / "notebooks").rglob("*.py"):
        assert chapter_parameters(source).get("profile", "default") == "default", source.name
    assert not list((project_root() / "notebooks").rglob("*.ipynb"))


def test_every_source_is_declared():
    sources = {p.stem for p in (project_root() / "notebooks").rglob("*.py")}
    assert {page.chapter.name for page in pages(load_profile("default"))} == sources


@pytest.mark.parametrize("name", ["smoke", "default", "reference", "battery", "paper"])
def test_no_chapter_overrides_what_a_profile_sets_for_one_analysis(name):
    """A chapter is handed the profile's general values; with them it would compute the result a second time."""
    analysis = load_profile(name).analysis
    special = {key.rpartition(".")[2]: set(of) for key, of in analysis.items() if isinstance(of, dict)}
    assert special
    for source in (project_root() / "notebooks").rglob("*.py"):
        for call in ast.walk(ast.parse(source.read_text())):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr == "result"
            ):
                handed = {keyword.arg for keyword in call.keywords}
                assert not handed & special.get(ast.literal_eval(call.args[0]), set()), source.name


def test_a_page_is_made_again_when_a_table_that_it_reads_changes(tmp_path, monkeypatch):
    from metacog.studies import chapters

    monkeypatch.setattr(chapters, "committed", lambda name: tmp_path / name)
    page, table = project_root() / "notebooks" / "shared" / "own-trials.py", tmp_path / "table.csv"
    table.write_text("a\n1\n")
    reads, reads_not = (
        chapters.Chapter("own-trials", page, files=("table.csv",)),
        chapters.Chapter("own-trials", page),
    )
    before = reads.code(), reads_not.code()
    table.write_text("a\n2\n")
    assert reads.code() != before[0]
    assert reads_not.code() == before[1]


def test_tables_that_chapters_say_they_read_are_committed():
    named = [file for chapter in declared() for file in chapter.files]
    assert named
    assert all((project_root() / file).is_file() for file in named)
