"""Ways of asking for confidence, on engines whose replies are known: what is asked, read and counted."""

import dataclasses
import math
from collections import Counter

import pytest
from stub_engine import StubEngine

from metacog.collect.choices import BinaryQuestion
from metacog.collect.confidence import METHODS
from metacog.collect.confidence_ways import (
    ANSWERS,
    DIGITS,
    MISLEADING,
    STATUSES,
    Options,
    filled,
    load_wordings,
    of_digit,
    on_scale,
    plain_answer,
    replayed,
    together,
)
from metacog.collect.prompts import load_prompt
from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.engine import chosen, parsed
from metacog.engines.requests import Choose, Chosen, Conversation, Generate, Generated, user

ITEM = BinaryQuestion("q.0b", "q", "Which is older?", ("Rome", "{label}"), 1, 0)
BY_NAME = {(one.name, one.form): one for one in METHODS}
NAMES = [f"{one.name}-{one.form}" for one in METHODS]


def written(text, logprobs=(-0.5, -0.25)):
    return Generation(text, (), tuple(logprobs), len(logprobs), math.fsum(logprobs), -0.1, False)


class Known(StubEngine):
    """Gives options known probabilities, by option, and writes a known text; remembers its requests."""

    def __init__(self, weights=None, texts=("",), scores=True):
        super().__init__(scores=scores)
        self.weights, self.texts, self.asked = weights or {}, texts, []

    def reply(self, request, prompt):
        self.asked.append(request)
        if isinstance(request, Generate):
            return Generated(
                tuple(written(self.texts[i % len(self.texts)]) for i in range(request.n_samples)),
                request.turns,
            )
        if not self.scores:
            return parsed(request, self.texts[0])
        logs = [math.log(self.weights.get(option, 0.01)) for option in request.options]
        return chosen(request, logs, "label")


def elicited(method, engine, item=ITEM, **options):
    """What a way gives with an engine, through a conversation and read again from its replies."""
    settings = Options(**{"temperature": 0.0, **options})

    def ask():
        answer = None
        if method.after_answer:
            answer = yield plain_answer(item, settings)
        return (yield from together([method.elicit(item, settings, answer)]))

    talk = Conversation(ask(), load_prompt("plain-chat-v1"), seed=("s", item.id))
    engine.serve([talk])
    (found,) = replayed(ask(), talk.replies)
    assert found.n_calls == method.calls(settings) == sum(getattr(r, "n_samples", 1) for r in engine.asked)
    return found


def test_token_probability_is_that_of_the_answer_among_both():
    engine = Known({"A": 0.2, "B": 0.6})
    found = elicited(BY_NAME["token_probability", "scored"], engine)
    assert (found.answer, found.status) == ("B", "ok") and found.confidence == pytest.approx(0.75)
    (asked,) = engine.asked
    assert asked.turns[0]["content"].startswith("Which is older?\nA: Rome\nB: {label}\nWhich")


def test_p_true_proposes_the_answer_and_reads_yes():
    engine = Known({"A": 0.6, "B": 0.2, "Yes": 0.3, "No": 0.1})
    found = elicited(BY_NAME["p_true", "scored"], engine)
    assert found.answer == "A" and found.confidence == pytest.approx(0.75)
    assert "Proposed answer: Rome\n" in engine.asked[1].turns[0]["content"]
    sure_it_is_wrong = elicited(
        BY_NAME["p_true", "scored"], Known({"A": 0.9, "B": 0.1, "Yes": 0.1, "No": 0.9})
    )
    assert sure_it_is_wrong.confidence == pytest.approx(0.1)


def test_decoding_entropy_is_the_mean_over_samples():
    engine = Known({"A": 0.6, "B": 0.2}, ["Rome"])
    found = elicited(BY_NAME["decoding_entropy", "scored"], engine, n_samples=3)
    assert found.confidence == pytest.approx(math.exp((-0.5 - 0.25) / 2)) and found.n_tokens == 6
    assert engine.asked[1].temperatures == (1.0,) and engine.asked[1].n == 3 and found.n_read == 3


def test_a_way_that_decodes_nothing_has_no_probability():
    class Silent(Known):
        def reply(self, request, prompt):
            self.asked.append(request)
            if isinstance(request, Choose):
                return chosen(request, [0.0] * len(request.options), "label")
            return Generated((written("", ()),) * request.n_samples, request.turns)

    found = elicited(BY_NAME["decoding_entropy", "scored"], Silent())
    assert found.status == "no_probability" and math.isnan(found.confidence) and found.answer == "A"


def test_the_scale_is_averaged_under_its_digits():
    reply = Chosen(DIGITS, (0.0,) * 10, (0.25, *(0.0,) * 8, 0.75), "9", "label")
    assert on_scale(reply) == (0.75, 1.0) and of_digit("0") == 0 and of_digit("9") == 1
    nan = (math.nan,) * 10
    assert on_scale(Chosen(DIGITS, nan, nan, "3", "parsed", "3")) == (pytest.approx(1 / 3),) * 2
    assert all(map(math.isnan, on_scale(Chosen(DIGITS, nan, nan, "", "parsed", "hm"))))


def test_vanilla_scored_goes_on_from_the_plain_answer():
    engine = Known({"A": 0.1, "B": 0.9, "7": 1.0})
    found = elicited(BY_NAME["verbal_vanilla", "scored"], engine)
    assert found.answer == "B" and found.stated == pytest.approx(7 / 9)
    mean = (7 * 1.0 + 0.01 * (45 - 7)) / 9 / (1.0 + 0.09)
    assert found.confidence == pytest.approx(mean)
    reported = engine.asked[1].turns
    assert [t["role"] for t in reported] == ["user", "assistant", "user"] and reported[1]["content"] == "B"
    assert "that B is right" in reported[2]["content"]


def test_reasoning_stands_before_the_scored_answer():
    engine = Known({"A": 0.9, "B": 0.1, "4": 1.0}, ["Rome is the older."])
    found = elicited(BY_NAME["verbal_cot", "scored"], engine, max_reasoning=7)
    assert found.answer == "A" and found.text == "Rome is the older." and found.n_tokens == 2
    assert engine.asked[0].max_tokens == 7 and engine.asked[0].stop == ("\n",)
    assert [t["role"] for t in engine.asked[2].turns] == ["user", "assistant"] * 2 + ["user"]


@pytest.mark.parametrize(("sentence", "n_read"), [("It is old.", 1), (" ", 0)])
def test_whether_there_was_any_reasoning_is_reported(sentence, n_read):
    found = elicited(BY_NAME["verbal_cot", "scored"], Known({"A": 0.9, "4": 1.0}, [sentence]))
    assert found.n_read == n_read and found.status == "ok"


def test_top_k_takes_the_option_rated_most_probable():
    class Rating(Known):
        def reply(self, request, prompt):
            self.weights = {"8": 1.0} if "that B is right" in prompt else {"2": 1.0}
            return super().reply(request, prompt)

    found = elicited(BY_NAME["verbal_topk", "scored"], Rating())
    assert found.answer == "B" and found.stated == pytest.approx(8 / 9)
    equal = elicited(BY_NAME["verbal_topk", "scored"], Known({"5": 1.0}))
    assert equal.answer == "A"  # the first of equals


@pytest.mark.parametrize(
    ("name", "text", "answer", "confidence"),
    [
        ("verbal_vanilla", "B, 0.7", "B", 0.7),
        ("verbal_vanilla", "B, 70%", "B", 0.7),
        ("verbal_cot", "Old. Final: A, 0.4", "A", 0.4),
        ("verbal_topk", "A 0.2, B 0.8", "B", 0.8),
    ],
)
def test_written_confidence_is_parsed(name, text, answer, confidence):
    found = elicited(BY_NAME[name, "written"], Known(texts=[text]))
    assert (found.answer, found.confidence, found.form) == (answer, confidence, "written")
    assert found.percent is ("%" in text) and found.text == text


@pytest.mark.parametrize("text", ["", "dunno", "B, 85", "B, 1.5", "B, -0.1", "B, 3/4", "B"])
@pytest.mark.parametrize("name", ["verbal_vanilla", "verbal_cot", "verbal_topk"])
def test_what_cannot_be_parsed_is_counted_and_has_no_confidence(name, text):
    found = elicited(BY_NAME[name, "written"], Known(texts=[text]))
    assert found.status in STATUSES[1:] and math.isnan(found.confidence) and found.text == text


@pytest.mark.parametrize("name", ["self_random", "perturbing", "misleading"])
def test_consistency_is_the_share_of_the_commonest_answer(name):
    engine = Known({"A": 0.5, "B": 0.5})
    found = elicited(BY_NAME[f"consistency_{name}", "sampled"], engine, n_runs=10)
    given = found.text.split()
    assert len(given) == 10 == found.n_read and {"A", "B"} == set(given)  # seeds differ between runs
    assert found.confidence == max(given.count("A"), given.count("B")) / 10 >= 0.5
    assert all(r.temperature == 0.7 for r in engine.asked)
    lines = {r.turns[-1]["content"] for r in engine.asked}
    assert len(lines) == (1 if name == "self_random" else 10)
    assert found.answer == Counter(given).most_common(1)[0][0]
    sure = elicited(BY_NAME[f"consistency_{name}", "sampled"], Known({"A": 1e-9, "B": 1.0}), n_runs=4)
    assert (sure.answer, sure.confidence, sure.n_calls) == ("B", 1.0, 4)


TEXTS = {"Rome": 0.6, "{label}": 0.2}


def test_options_scored_as_texts_are_not_listed():
    engine = Known(TEXTS)
    found = elicited(BY_NAME["token_probability", "scored"], engine, answer="text")
    (asked,) = engine.asked
    assert asked.options == ITEM.options and asked.form == "text"
    assert asked.turns == (user("Which is older?"),)
    assert found.answer == "A" and found.confidence == pytest.approx(0.75)


def test_what_follows_an_answer_in_words_names_it():
    rated = Known({**TEXTS, "7": 1.0})
    assert elicited(BY_NAME["verbal_vanilla", "scored"], rated, answer="text").answer == "A"
    assert (
        rated.asked[1].turns[1]["content"] == "Rome" and "that Rome is" in rated.asked[1].turns[2]["content"]
    )
    hinted = Known(TEXTS)
    found = elicited(BY_NAME["consistency_misleading", "sampled"], hinted, answer="text", misleading="hint")
    assert set(found.text.split()) <= {"A", "B"} and found.confidence >= 0.5
    assert all("Rome" in r.turns[0]["content"] for r in hinted.asked[1:])  # the wrong one
    both = Known({"3": 1.0})
    elicited(BY_NAME["verbal_topk", "scored"], both, answer="text")
    assert ["{label}" in r.turns[0]["content"] for r in both.asked] == [False, True]


def test_letters_are_chosen_from_a_list_whatever_the_form_of_other_answers():
    engine = Known({"A": 0.9, "B": 0.1})
    found = elicited(BY_NAME["token_probability", "letters"], engine, answer="text")
    assert (found.answer, found.form, found.n_calls) == ("A", "letters", 1)
    assert engine.asked[0].options == ("A", "B") and "B: {label}" in engine.asked[0].turns[0]["content"]


def test_runs_without_an_answer_agree_with_nothing():
    class Half(Known):
        def reply(self, request, prompt):
            self.texts = ["A"] if len(self.asked) % 2 else ["either"]
            return super().reply(request, prompt)

    found = elicited(BY_NAME["consistency_self_random", "sampled"], Half(scores=False))
    assert (found.answer, found.n_read, found.confidence, found.form) == ("A", 5, 0.5, "parsed")
    none = elicited(BY_NAME["consistency_self_random", "sampled"], Known(texts=["hm"], scores=False))
    assert none.status == "no_answer" and none.n_read == 0 and math.isnan(none.confidence)


def test_frames_name_no_answer_and_hints_name_the_wrong_one():
    for form in ANSWERS:
        reported = load_wordings().of(form)
        assert all("{wrong}" not in line for line in reported.misleading["frame"])
        assert "{wrong}" not in reported.misleading["hint"][0]  # the neutral one
        assert all("{wrong}" in line for line in reported.misleading["hint"][1:])
        assert {kind: len(reported.misleading[kind]) for kind in MISLEADING} == {"frame": 10, "hint": 10}
        assert len(reported.perturbing) == len(set(reported.perturbing)) == 10
    engine = Known({"A": 0.5, "B": 0.5})
    elicited(BY_NAME["consistency_misleading", "sampled"], engine, misleading="hint")
    lines = [r.turns[-1]["content"].splitlines()[-1] for r in engine.asked]
    assert all("A (Rome)" in line for line in lines[1:]) and "Rome" not in lines[0]


def test_an_engine_that_cannot_score_says_so():
    for (name, form), method in BY_NAME.items():
        if form == "written":
            continue
        found = elicited_or_stopped(method, Known(texts=["B"], scores=False))
        if name in ("token_probability", "p_true"):
            assert (found.status, found.form) == ("no_probability", "parsed")
        elif name.startswith("verbal"):
            assert (found.status, found.form) == ("no_probability", "parsed")  # "B" is no digit
        elif name.startswith("consistency"):
            assert (found.answer, found.confidence, found.form) == ("B", 1.0, "parsed")
    digit = elicited_or_stopped(BY_NAME["verbal_topk", "scored"], Known(texts=["6"], scores=False))
    assert digit.confidence == pytest.approx(6 / 9) and digit.form == "parsed"


def elicited_or_stopped(method, engine):
    """As :func:`elicited`, where a way may end before all its calls are made."""
    options = Options(temperature=0.0)
    answer = engine.reply(plain_answer(ITEM, options), "") if method.after_answer else None
    asking, sent = method.elicit(ITEM, options, answer), None
    while True:
        try:
            asked = asking.send(sent)
        except StopIteration as end:
            return end.value
        one = not isinstance(asked, list)
        replies = [
            engine.reply(dataclasses.replace(r, seed=1) if isinstance(r, Choose) else r, "")
            for r in ([asked] if one else asked)
        ]
        sent = replies[0] if one else replies


@pytest.mark.parametrize("method", METHODS, ids=NAMES)
def test_no_answer_no_confidence(method):
    """Whatever is said: a status of the list, a confidence in [0, 1] exactly where it is ok."""
    for text in ("", "??", "A or B", "Sorry, I cannot help with that.", "\x00"):
        for scores in (True, False):
            engine = Known({"A": 0.3, "B": 0.3, "9": 0.2}, [text], scores)
            found = elicited_or_stopped(method, engine)
            assert found.status in STATUSES and found.answer in ("", "A", "B")
            assert (found.status == "ok") == (not math.isnan(found.confidence))
            assert math.isnan(found.confidence) or 0 <= found.confidence <= 1


def test_several_ways_share_one_conversation():
    def way(name, n):
        reported = []
        for i in range(n):
            reported.append((yield Choose((user(f"{name}{i}"),), ("x", "y"))))
        return name, [r.asked[0]["content"] for r in reported]

    askings = lambda: [way("a", 2), way("b", 0), way("c", 3)]  # noqa: E731
    steps, asking, sent = [], together(askings()), None
    replies = []
    while True:
        try:
            asked = asking.send(sent)
        except StopIteration as end:
            result = end.value
            break
        steps.append([r.turns[0]["content"] for r in asked])
        sent = [Chosen(r.options, (0, 0), (0.5, 0.5), "x", "label", asked=r.turns) for r in asked]
        replies += sent
    assert steps == [["a0"], ["a1", "c0"], ["c1"], ["c2"]]  # the first is read alone
    assert result == [("a", ["a0", "a1"]), ("b", []), ("c", ["c0", "c1", "c2"])]
    assert replayed(together(askings()), replies) == result
    with pytest.raises(ValueError, match="fewer replies"):
        replayed(together(askings()), replies[:-1])
    with pytest.raises(ValueError, match="more replies"):
        replayed(together(askings()), [*replies, replies[0]])
    assert replayed(together([]), []) == []


def test_what_is_filled_in_is_not_filled_again():
    assert filled("{a} and {b}", a="{b}", b="{a}") == "{b} and {a}"
    assert filled("{a}{a}", a="x") == "xx" and filled("none", a="x") == "none"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"answer": "number"}, "answer must be label or text, not 'number'"),
        ({"misleading": "lie"}, "misleading must be frame or hint, not 'lie'"),
        ({"k": 3}, "k must be 1 or 2"),
        ({"n_runs": 1}, "n_runs must be at least 2"),
        ({"n_samples": 0}, "at least 1"),
        ({"temperature": -1}, "at least 0"),
    ],
)
def test_settings_are_checked(wrong, words):
    with pytest.raises(MetacogError, match=words):
        Options(**wrong)


def test_more_runs_than_templates_are_refused():
    with pytest.raises(MetacogError, match="11 runs are wanted .* has 10 rewordings"):
        elicited(BY_NAME["consistency_perturbing", "sampled"], Known({"A": 1.0}), n_runs=11)


def test_the_nine_signals_are_there():
    assert len({one.name for one in METHODS}) == 9 and len(BY_NAME) == len(METHODS) == 13
    assert {one.form for one in METHODS if one.name.startswith("verbal")} == {"scored", "written"}
