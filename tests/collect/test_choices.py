"""Multiple-choice sets in their publishers' form, generated items, and the binary choices made of them."""

import datetime
import json
import re
from collections import Counter

import pandas as pd
import pytest

from metacog.cli import main
from metacog.collect import published_choices
from metacog.collect.choices import MultipleChoice, binary_questions
from metacog.collect.generated_choices import boolean_questions, date_questions
from metacog.collect.known_sets import known_sets
from metacog.collect.published_choices import fault_of, form_of, is_choices, load_choices, sound
from metacog.collect.questions import load_questions
from metacog.core.errors import MetacogError

LISTED = ("roof", "bowl", "spoon", "hat", "rain")
CSQA = {
    "answerKey": "C",
    "id": "c0ffee",
    "question": {
        "question_concept": "soup",
        "choices": [{"label": label, "text": text} for label, text in zip("ABCDE", LISTED, strict=True)],
        "stem": "What do you eat soup with?",
    },
}
SAT = {
    "passage": "",
    "question": "If $x+1=3$, what is $x$?",
    "options": ["(A)1", "(B)2", "(C)$3$", "(D)4"],
    "label": "B",
    "other": {"solution": "..."},
}
DATE = {
    "input": "Today is 2 May 1990. What is the date tomorrow?\nOptions:\n(A) 05/01/1990\n(B) 05/03/1990",
    "target": "(B)",
}
BOOLEAN = {"input": "not ( True ) or False is", "target": "False"}


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Files of the stated forms where downloads would lie."""
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("METACOG_DATA_HOME", str(tmp_path / "data"))
    known = known_sets()

    def put(name, content):
        path = tmp_path / "data" / known[name]["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, pd.DataFrame):
            content.to_parquet(path)
        else:
            path.write_text(content, encoding="utf-8")
        return path

    return put


def test_commonsenseqa_as_served(served):
    served("commonsenseqa", json.dumps(CSQA) + "\n")
    (one,) = load_choices("commonsenseqa")
    assert one == MultipleChoice("c0ffee", "What do you eat soup with?", LISTED, 2, "soup")


def test_sat_math_as_served(served):
    served("sat-math", json.dumps(SAT) + "\n" + json.dumps({**SAT, "passage": "Read this."}) + "\n")
    one, other = load_choices("sat-math")
    assert one.options == ("1", "2", "$3$", "4") and one.key == 1 and one.question.startswith("If ")
    assert other.question == "Read this.\nIf $x+1=3$, what is $x$?" and other.id != one.id


def test_big_bench_hard_as_served(served):
    served("bbh-date-understanding", json.dumps({"canary": "", "examples": [DATE]}))
    served("bbh-boolean-expressions", json.dumps({"canary": "", "examples": [BOOLEAN]}))
    (date,), (boolean,) = load_choices("bbh-date-understanding"), load_choices("bbh-boolean-expressions")
    assert date.options == ("05/01/1990", "05/03/1990") and date.key == 1 and "Options" not in date.question
    assert boolean.options == ("True", "False") and boolean.key == 1 and boolean.as_is and not date.as_is


@pytest.mark.parametrize(
    "subject",
    ["high-school-mathematics", "global-facts", "professional-medicine", "business-ethics"],
)
def test_mmlu_as_served(served, subject):
    table = pd.DataFrame(
        {"question": ["1 + 1?"], "subject": [subject], "choices": [["1", "2", "3", "4"]], "answer": [1]}
    )
    path = served(f"mmlu-{subject}", table)
    (one,) = load_choices(f"mmlu-{subject}")
    assert (one.options, one.key, one.domain) == (("1", "2", "3", "4"), 1, subject)
    table.drop(columns="choices").to_parquet(path)
    with pytest.raises(MetacogError, match="lacks the columns choices"):
        published_choices.read_mmlu(path)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("commonsenseqa", json.dumps(CSQA) + "\n{", "line 2: not valid JSON"),
        ("commonsenseqa", json.dumps(CSQA) + '\n{"id": 1}', "line 2: expected JSON with question.stem"),
        ("commonsenseqa", json.dumps({**CSQA, "answerKey": "Z"}), "line 1"),
        ("commonsenseqa", (json.dumps(CSQA) + "\n") * 2, "repeats 1 ids"),
        ("sat-math", json.dumps({**SAT, "options": ["no letter"]}), "line 1"),
        ("bbh-date-understanding", "[]", "expected JSON with examples"),
        ("mmlu-global-facts", "PAR1 no", "not a readable parquet file"),
    ],
)
def test_damaged_files_name_what_is_wrong(served, name, content, words):
    served(name, content)
    with pytest.raises(MetacogError, match=words):
        load_choices(name)


def test_names_and_forms():
    assert is_choices("commonsenseqa") and is_choices("bank") and not is_choices("sentiment")
    assert form_of("no-such-set") == ""
    with pytest.raises(MetacogError, match="'sentiment'.*bank"):
        load_choices("sentiment")
    with pytest.raises(MetacogError, match="questions with options"):
        load_questions("generated-date")
    with pytest.raises(MetacogError, match="'Sport'.*Arts"):
        load_choices("bank:Sport")


def test_fetching_a_set_from_the_command_line(served):
    from click.testing import CliRunner

    served("commonsenseqa", json.dumps(CSQA))
    ran = CliRunner().invoke(main, ["data", "fetch", "commonsenseqa"])
    assert ran.exit_code == 0 and "commonsenseqa: 1 " in ran.output


def test_the_banks_distractors_are_wrong_options():
    found = load_choices("bank:Science")
    bank = {q.id: q for q in load_questions("bank")}
    assert len(found) > 300 and {one.domain for one in found} == {"Science & Technology"}
    for one in found:
        assert one.options[one.key] == bank[one.id].accepted[0] and len(one.options) == 4
        assert fault_of(one) == ""


@pytest.mark.parametrize(
    ("options", "key", "fault"),
    [
        (("a",), 0, "a single option"),
        ((), 0, "a single option"),
        (("a", " a "), 0, "options equal to each other"),
        (("a", "b"), 2, "no right option"),
        (("a", "b"), -1, "no right option"),
        (("a", " "), 0, "an empty question or option"),
        (("a", "A"), 0, ""),
    ],
)
def test_questions_that_cannot_be_asked_are_counted(options, key, fault):
    bad = MultipleChoice("x", "Which?", options, key)
    good = MultipleChoice("y", "Which?", ("a", "b"), 0)
    assert fault_of(bad) == fault
    kept, faults = sound([bad, good, good], "s")
    assert faults == ({fault: 1} if fault else {}) and len(kept) == 3 - bool(fault)


def test_a_set_with_one_option_is_refused():
    alone = [MultipleChoice(str(i), "Which?", ("a",), 0) for i in range(3)]
    with pytest.raises(MetacogError, match="'s' has no question with two different options .3 with a single"):
        sound(alone, "s")
    with pytest.raises(MetacogError, match="it is empty"):
        sound([], "s")


FOUR = MultipleChoice("q", "Which?", ("w0", "right", "w1", "w2"), 1)


def test_every_wrong_option_in_both_orders():
    made = binary_questions([FOUR])
    assert len(made) == 2 * (4 - 1) and len({one.id for one in made}) == 6
    assert {one.base for one in made} == {"q"}
    assert [one.index for one in made] == list(range(6))
    for one in made:
        assert one.options[one.stimulus] == "right" and one.text(one.key) == "right"
        assert one.text(one.wrong) == f"w{one.pairing}"
    assert Counter(one.stimulus for one in made) == {0: 3, 1: 3}


def test_pairings_are_drawn_by_seed_and_question_alone():
    many = [MultipleChoice(f"q{i}", "Which?", ("r", "a", "b", "c"), 0) for i in range(60)]
    one = binary_questions(many, n_pairings=1, seed=1)
    assert len(one) == 120 and one == binary_questions(many, n_pairings=1, seed=1)
    alone = binary_questions(many[7:8], n_pairings=1, seed=1)
    assert [a.options for a in alone] == [o.options for o in one if o.base == "q7"]
    assert set(Counter(o.pairing for o in one)) == {0, 1, 2}
    assert one != binary_questions(many, n_pairings=1, seed=2)
    assert binary_questions(many, n_pairings=9) == binary_questions(many)


def test_one_order_puts_the_right_option_first_in_every_other():
    many = [MultipleChoice(f"q{i}", "Which?", ("r", "a", "b"), 0) for i in range(10)]
    made = binary_questions(many, n_pairings=1, orders="one")
    assert [one.stimulus for one in made] == [0, 1] * 5 and len({one.base for one in made}) == 10
    whole = {one.id: one for one in binary_questions(many)}
    assert all(whole[one.id].options == one.options for one in made)
    given = MultipleChoice("b", "True?", ("True", "False"), 1, as_is=True)
    swapped = binary_questions([given], orders="every")
    assert [one.options for one in swapped] == [("False", "True"), ("True", "False")]
    assert all(one.options[one.stimulus] == "False" for one in swapped)
    assert binary_questions(many, orders="every") == binary_questions(many)
    with pytest.raises(MetacogError, match="orders must be both, one or every"):
        binary_questions(many, orders="neither")


def test_a_question_of_two_options_is_used_as_it_is():
    (one,) = binary_questions([MultipleChoice("b", "True?", ("True", "False"), 1, as_is=True)])
    assert one.options == ("True", "False") and one.key == "B" and one.base == one.id


def test_boolean_expressions_have_the_value_python_gives_them():
    made = boolean_questions(200, 3)
    assert made == boolean_questions(200, 3) != boolean_questions(200, 4)
    assert len({one.question for one in made}) == 200 and len({one.id for one in made}) == 200
    assert Counter(one.key for one in made) == {0: 100, 1: 100}
    for one in made:
        expression = one.question.partition("? ")[2]
        assert set(re.findall(r"\w+", expression)) <= {"True", "False", "not", "and", "or"}
        assert str(eval(expression)) == one.options[one.key]
        assert one.as_is and 2 <= len(re.findall("not|and|or", expression)) <= 5


def test_too_many_expressions_are_refused(monkeypatch):
    monkeypatch.setattr("metacog.collect.generated_choices.OPERATORS", (1, 1))  # ten expressions there are
    assert len(boolean_questions(6, 1)) == 6
    with pytest.raises(MetacogError, match="cannot be drawn: ask for fewer"):
        boolean_questions(12, 1)


def test_dates_are_reckoned_rightly():
    made = date_questions(300, 5)
    assert made == date_questions(300, 5) != date_questions(300, 6)
    assert len({one.question for one in made}) == 300
    ways = Counter()
    for one in made:
        assert fault_of(one) == "" and len(one.options) == 4
        (told,) = re.findall(r"\d+ [A-Z][a-z]+ \d{4}", one.question)
        day = pd.Timestamp(told)  # another reckoning: pandas reads the words
        for pattern, days in SHIFTS.items():
            if found := re.search(pattern, one.question):
                shift = days(*map(int, found.groups()))
                ways[pattern] += 1
        answer = datetime.datetime.strptime(one.options[one.key], "%m/%d/%Y")
        assert answer == day + pd.Timedelta(days=shift), one
    assert len(ways) == len(SHIFTS) and sum(ways.values()) == 300
    assert min(Counter(one.key for one in made).values()) > 40  # the right one stands anywhere


SHIFTS = {
    "date tomorrow": lambda: 1,
    "date yesterday": lambda: -1,
    "one week from today": lambda: 7,
    "one week ago": lambda: -7,
    "ten days from today": lambda: 10,
    r"exactly (\d+) days ago": lambda n: n,
    r"is (\d+) days from today": lambda n: -n,
    r"meeting number (\d+)": lambda n: 7 * (n - 1),
}
