"""What every registered study must keep: analyses return what they declare, and it can be shown."""

import ast
import os
import re
import sys
from pathlib import Path

import jupytext
import pytest
import yaml
from readers import fields_of as fields_stored

from metacog.core.paths import project_root
from metacog.ledger.entry import Status
from metacog.studies import studies
from metacog.studies.chapters import declared, results_read
from metacog.studies.ledgers import ledgers
from metacog.studies.results import result
from metacog.studies.view import View, fields_of, view_places, views_of
from metacog.verdicts.outcomes import judged_by

BY_NAME = {study.name: study for study in studies()}
CASES = [pytest.param(s, a, id=f"{s.name}-{a.name}") for s in BY_NAME.values() for a in s.analyses]


#: Where braces belong to what is written: code, maths, roles of the page's language, styles and programs.
BRACED = re.compile(
    r"```.*?```|<(code|pre|style|script)\b.*?</\1>|\$\$.*?\$\$|\$[^$\n]+\$|\\\(.*?\\\)|\\\[.*?\\\]"
    r"|\{[\w:+-]+\}`[^`]*`|`[^`\n]+`|^:::+\s*\{\w+\}",
    re.DOTALL | re.MULTILINE,
)


def stray_braces(text: str) -> list[str]:
    """Braces that a reader would see outside code and maths, as where a string lost its f."""
    return re.findall(r"\{[^{}\n]*\}?", BRACED.sub("", text))


def test_stray_braces_are_found_outside_code_and_maths_alone():
    lost = "GPT, {published.DATASETS[t.dataset]}"
    assert stray_braces(f"<td>{lost}</td>") == ["{published.DATASETS[t.dataset]}"]
    assert stray_braces(f":::{{admonition}} {lost}\nFound\n:::") == ["{published.DATASETS[t.dataset]}"]
    well = "`{a}`, <code>{b}</code>, $x_{1}$, {cite:t}`cacioli`, "
    well += "\\(y_{2}\\), {math}`d_{i}`\n:::{note}\nhere\n:::\n"
    assert stray_braces(well + "```json\n{1: 2}\n```\n<style>p {color: red}</style>") == []


WRITTEN: list[str] = []


def _note_writing(event: str, arguments: tuple) -> None:
    if event == "open" and isinstance(arguments[0], str) and arguments[2] & (os.O_WRONLY | os.O_RDWR):
        WRITTEN.append(arguments[0])


sys.addaudithook(_note_writing)  # a hook stays as long as the process; this one is cheap


def written_here() -> list[str]:
    """Files of this clone that were opened for writing, without what Python compiles."""
    paths = (Path(path).resolve() for path in WRITTEN)
    return [str(p) for p in paths if p.is_relative_to(project_root()) and "__pycache__" not in p.parts]


@pytest.mark.parametrize(("study", "analysis"), CASES)
def test_an_analysis_writes_nothing_returns_what_it_declares_and_can_be_shown(study, analysis, run_of):
    WRITTEN.clear()  # what it needs may be computed in its test, and is watched there
    profile, trials = run_of(study)
    if unknown := [
        n for n in analysis.needs if n not in trials and n not in {a.name for a in study.analyses}
    ]:
        pytest.fail(f"{analysis.name} needs {unknown}, which nobody collects or computes")
    record = result(study, profile, analysis, {"model": profile.models[0]} if analysis.per_model else {})
    assert written_here() == []
    assert isinstance(record, analysis.returns)
    assert analysis.question.endswith("?")
    view = View(record, views_of(study, analysis.name), study=study.name, judged_by=study.rules)
    assert not set(view.views.sentences) & set(fields_of(record)), "a sentence and a field of one name"
    for name, _ in judged_by(getattr(record, "outcomes", None), study.rules):
        assert view.views.outcome(name, record).endswith(".")
        assert stray_braces(view.views.outcome(name, record)) == []
    for name in view.views.sentences:
        assert stray_braces(view.text(name).source) == [], name
    for name in view.views.parts:
        assert view.html(name).source.lstrip().startswith("<"), name
    for name, value in view.numbers().items():
        assert stray_braces(str(value)) == [], name


@pytest.mark.parametrize(("study", "analysis"), CASES)
def test_the_files_of_an_analysis_are_there_and_hold_no_prose(study, analysis):
    """A pattern that matches a README would compute results again whenever somebody edits it."""
    for pattern in analysis.files:
        found = [path for path in project_root().glob(pattern) if path.is_file()]
        assert found and not [path for path in found if path.suffix == ".md"], pattern


@pytest.mark.parametrize("study", BY_NAME.values(), ids=list(BY_NAME))
def test_what_is_shown_belongs_to_an_analysis(study):
    names = [a.name for a in study.analyses]
    assert len(set(names)) == len(names)
    assert {one.analysis for one in study.views} <= set(names)
    assert all(
        view_places(study, one.analysis) for one in study.views
    )  # else an edit of them makes no page again


#: Lines of one cell of a chapter, but for its parameters.
MOST_LINES = 12
#: What a chapter may do with a frame: choose, order and name rows and columns. All else is computed in ``metacog``.
CHOOSING = frozenset(
    "query isin between notna isna eq ne gt lt ge le sort_values rename head tail dropna drop_duplicates nlargest "
    "nsmallest str contains startswith".split()
)


def computed_in(source):
    """Whatever a chapter's code does beyond reading results, choosing of them and showing them."""
    tree = ast.parse(source)
    logic = (
        ast.For,
        ast.While,
        ast.If,
        ast.FunctionDef,
        ast.Lambda,
        ast.ListComp,
        ast.DictComp,
        ast.GeneratorExp,
    )
    for node in ast.walk(without_sentences(tree)):
        if isinstance(node, logic):
            yield ast.unparse(node)
        elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.BitAnd | ast.BitOr):
            yield ast.unparse(node)
        elif isinstance(node, ast.AugAssign) or (
            isinstance(node, ast.Assign) and not all(isinstance(t, ast.Name) for t in node.targets)
        ):
            yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of_frame = not isinstance(node.func.value, ast.Name) and not _reads(node.func.value)
            if of_frame and node.func.attr not in CHOOSING:
                yield ast.unparse(node)


def without_sentences(tree):
    """Code without what it says by hand: the words, and the condition under which they hold, which may calculate."""

    class Silent(ast.NodeTransformer):
        def visit_Call(self, node):
            if says(node):
                return ast.Constant("said")
            return self.generic_visit(node)

    return Silent().visit(tree)


def says(node):
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "says"


def lines_of(code):
    """Lines of a cell; what it says by hand counts as one line, however long the sentence."""
    spoken = [n for n in ast.walk(ast.parse(code)) if says(n)]
    return len(code.splitlines()) - sum(n.end_lineno - n.lineno for n in spoken)


def _reads(node):
    """Whether it is ``run.result(...)``, which answers with what shows itself."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "result"


def test_what_a_chapter_computes_is_noticed():
    assert list(computed_in('run.result("signal").text("which")')) == []
    chosen = 'forest(luck.draws[luck.draws["same"].notna() & (luck.draws["n"] > 3)].head(3), value="same")'
    assert list(computed_in(chosen)) == []
    for code in (
        "x.y.groupby('a')",
        "a.b['c'] * 2",
        "[n for n in x]",
        "x.y['z'] = 1",
        "x.y['z'].mean()",
        "f = lambda: 1",
    ):
        assert list(computed_in(code)), code


@pytest.mark.parametrize("chapter", declared(), ids=lambda c: c.name)
def test_a_chapter_is_thin_and_asks_for_results_that_there_are(chapter):
    text = chapter.source.read_text(encoding="utf-8")
    assert list(computed_in(text)) == []
    for cell in jupytext.reads(text, fmt="py:percent").cells:
        if cell.cell_type == "code" and "parameters" not in cell.metadata.get("tags", ()):
            assert lines_of(cell.source) <= MOST_LINES, cell.source
    for study, analysis in results_read(chapter.source):
        BY_NAME[study].analysis(analysis)


@pytest.mark.parametrize("chapter", declared(), ids=lambda c: c.name)
def test_a_chapter_names_numbers_and_sentences_that_its_results_have(chapter):
    """Whatever the text glues or the code says is a field of a result that the page reads."""
    text = chapter.source.read_text(encoding="utf-8")
    read = [BY_NAME[study].analysis(name) for study, name in results_read(chapter.source)]
    fields = {a.name: fields_stored(a) for a in read}
    for study, name in results_read(chapter.source):
        views = views_of(BY_NAME[study], name)
        fields[name] |= set(views.sentences) | set(views.parts)
        fields[name] |= {"numbers"} if views.numbers else set()
    free = tuple(f"{name}_" for name, of in fields.items() if "numbers" in of)
    by_hand = set(re.findall(r"\.says\(\s*\"(\w+)\"", text))
    glued = {key for key in re.findall(r"\{glue:\w*\}`(\w+)", text) if not key.startswith(free)}
    assert glued <= {f"{name}_{field}" for name, of in fields.items() for field in of | by_hand}
    reported = set(re.findall(r"\.(?:say|text|html|answer)\(\"(\w+)\"\)", text))
    reported |= {"answer"} if ".answer()" in text else set()
    assert not read or reported <= set().union(*fields.values())


def test_every_page_has_its_place_in_the_contents():
    toc = (project_root() / "_toc.yml").read_text(encoding="utf-8")
    for chapter in declared():
        place = (
            f"glob: _executed/{chapter.name}-*" if chapter.per_model else f"file: _executed/{chapter.name}\n"
        )
        assert place in toc, chapter.name
    assert yaml.safe_load(toc)["root"] == "book/intro"


@pytest.fixture
def ledger_rows(run_of):
    """The rows of all ledgers, from few resamples, as their page has them."""
    shared = BY_NAME["shared"]
    return result(shared, run_of(shared)[0], shared.analysis("ledger"), {}).ledger


def test_every_ledger_row_has_a_status(ledger_rows):
    names = [one.name for one in ledgers()]
    assert names[:6] == [*(f"study {number}" for number in range(1, 6)), "the frontier"]
    assert len(set(names)) == len(names) and set(ledger_rows["study"]) == set(names)
    assert set(ledger_rows["status"]) <= {s.value for s in Status}


def test_every_recomputed_row_states_its_kind(ledger_rows):
    """Set where the row is made: a headline that adds recounts to estimates misleads."""
    found = ledger_rows["status"].ne(Status.NEEDS) | ledger_rows[["reproduced", "low"]].notna().any(axis=1)
    silent = ledger_rows[found & (ledger_rows["kind"].fillna("") == "")]
    assert found.sum() > 1000 and silent[["study", "table", "item", "quantity"]].empty
