"""The forked book: what is read of pages, and its record. Oracle: a page made here.

No test asks a model and runs chapters; benchmarks/forked_book.py does, and ends with status 1 where a head is false.
"""

import re

import forked_book
import pandas as pd
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from metacog.report.guarded import WHY, instead
from metacog.report.show import lead

CHAPTER = """
run = open_run("study1_qa", profile)
luck = run.result("luck")
small = luck.says("small", "{n} were asked.", "Nobody was asked.", holds=False)
luck.says("head", "{n} of them know.", "None of {n}.", holds=False, head=True, note=small)
luck.says("kept", "{n} keep {m:.0f}%.", holds=True)
"""


def page(*texts, **glued):
    """An executed chapter that shows these texts and gives these values to others."""
    shown = [new_output("display_data", {"text/markdown": text}) for text in texts]
    about = {"mime_prefix": "application/papermill.record/"}
    shown += [
        new_output(
            "display_data",
            {"application/papermill.record/text/plain": repr(value)},
            metadata={"scrapbook": {**about, "name": name}},
        )
        for name, value in glued.items()
    ]
    return new_notebook(cells=[new_code_cell("", outputs=shown)])


def test_sentences_of_a_page_are_read_with_what_stands_in_their_place(tmp_path):
    source = tmp_path / "chapter.py"
    source.write_text(CHAPTER)
    small = instead("small", "Nobody was asked.").replace(f"\n\n*{WHY}*", "")
    made = page(
        lead("None of 3.", f"*{WHY}*\n\n{small}", "other-data head"),
        "3 keep …%.",
        luck_n=3,
        luck_m=float("nan"),
    )
    rows = pd.DataFrame(forked_book.rows_of("chapter", made, source, ["head", "small"])).set_index("sentence")
    assert rows["by_hand"].tolist() == ["3 were asked.", "3 of them know.", "3 keep …%."]
    assert rows["instead"].tolist() == ["Nobody was asked.", "None of 3.", ""]
    assert rows["note"].tolist() == ["", f"*{WHY}* Nobody was asked.", ""]
    assert rows["stands"].tolist() == [False, False, True] and rows["named"].tolist() == [True, True, False]
    assert forked_book.wrong(rows.reset_index()) == ["1 heads are contradicted, not four"]
    shown = rows.reset_index().assign(stands=True)
    assert len(forked_book.wrong(shown)) > len(shown)


def test_at_least_four_heads_of_the_record_are_contradicted_and_say_so():
    if not forked_book.OUT.is_file():
        pytest.skip("not made yet: python benchmarks/forked_book.py")
    table = pd.read_csv(forked_book.OUT, keep_default_na=False)
    assert list(table) == list(forked_book.COLUMNS) and set(table["page"]) == set(forked_book.PAGES)
    assert forked_book.wrong(table) == []
    heads = table[table["head"] & ~table["stands"]]
    assert len(heads) >= 4 and heads["note"].str.startswith(f"*{WHY}*").all()
    assert not [line for line in table["instead"] if re.search(r"\bnan\b|None|[{}]", line)]
