"""Other people's question sets, read in the form their publishers serve."""

import pytest

from metacog.collect.questions import UNCLASSIFIED, load_questions
from metacog.core.errors import MetacogError
from metacog.core.paths import data_home

needs_data = pytest.mark.skipif(
    data_home() is None, reason="no third-party data here: set METACOG_DATA_HOME or run `metacog data fetch`"
)


@needs_data
def test_triviaqa_as_served():
    questions = load_questions("triviaqa-dev")
    assert len(questions) == 8837
    assert all(q.accepted and q.domain == UNCLASSIFIED for q in questions)
    belize = next(q for q in questions if q.id == "tqa-dev-00002")
    assert "BH" in belize.accepted and belize.question.endswith("Belize?")


@needs_data
def test_nq_open_keeps_answers_of_one_to_five_words():
    questions = load_questions("nq-open-dev")
    assert len({q.question for q in questions}) == len(questions)
    assert all(1 <= len(a.split()) <= 5 for q in questions for a in q.accepted)
    moon = next(q for q in questions if q.id == "NQ-open.dev-000001")
    assert moon.accepted == ("14 December 1972 UTC", "December 1972")


def test_a_users_own_csv(tmp_path):
    path = tmp_path / "own.csv"
    rows = [
        "id,question,answer,domain",
        "a,Capital of France?,Paris|City of Paris,Geography",
        "b,Two and two?,4|four,",
    ]
    path.write_text("\n".join(rows))
    questions = {q.id: q for q in load_questions(str(path))}
    assert questions["a"].accepted == ("Paris", "City of Paris")
    assert questions["b"].domain == UNCLASSIFIED


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("question\nx\n", "lacks the columns answer"),
        ("question,answer\nx,|\n", "row 1"),
        ("id,question,answer\na,x,1\na,y,2\n", "repeats 1 ids"),
    ],
)
def test_broken_csv(tmp_path, text, words):
    path = tmp_path / "own.csv"
    path.write_text(text)
    with pytest.raises(MetacogError, match=words):
        load_questions(str(path))


def test_broken_tsv_and_jsonl_name_the_line(tmp_path):
    from metacog.collect import questions as module

    bad = tmp_path / "bad"
    bad.write_text("question only\n")
    with pytest.raises(MetacogError, match="line 1: expected question, tab"):
        module._dpr_tsv([bad], {})
    bad.write_text('{"question": "q", "answer": ["a"]}\n{"question": 1}\n')
    with pytest.raises(MetacogError, match="line 2: expected JSON with question and answer"):
        module._nq_jsonl([bad], {})
