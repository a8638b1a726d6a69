"""Replies that go on into a next question; the oracle is the engine's own stop rule, and counting by hand."""

import math
from dataclasses import replace

import pytest

from metacog.collect.prompts import load_prompt
from metacog.engines.base import Generation
from metacog.engines.endpoint.reading import Reply
from metacog.engines.endpoint.replies import to_generation
from metacog.engines.llama.ending import Draft, StopRule
from metacog.engines.requests import Generate, Generated, from_record, to_record
from metacog.engines.thinking import before_mark, characters, mark_in


class Pieces:
    """Stands for a model: token i adds the i-th piece."""

    def __init__(self, pieces):
        self.pieces = [piece.encode() if isinstance(piece, str) else piece for piece in pieces]

    def is_eog(self, token):
        return False

    def piece(self, token):
        return self.pieces[token]


def written(pieces, stop, *, count=False, logprobs=None):
    """What the engine makes of a text, token by token."""
    model, draft, rule = Pieces(pieces), Draft(), StopRule(len(pieces), stop, count)
    for token in range(len(pieces)):
        logprob = -0.1 * (token + 1) if logprobs is None else logprobs[token]
        if made := draft.add(token, logprob, rule, model):
            return made
    raise AssertionError("no end")


BERLIN = (" Ber", "lin", " Q", ":", " What", " is", "?\n")


WITHIN = (
    BERLIN,
    (" Berlin", "Q:", " What", "\n"),
    (" ", "Q", ": ", "?\n"),
    (b" Z\xc3", b"\xbcrich", " Q", ": who", "\n"),
)
#: The token that ends the reply completes the mark; a whole reply does not count it.
AT_THE_END = (" Zür", "ich\u00a0", "Q", ":\n")


@pytest.mark.parametrize(
    ("pieces", "count"), [*((one, count) for one in WITHIN for count in (False, True)), (AT_THE_END, False)]
)
def test_a_reply_ends_as_if_the_mark_were_a_stop_text(pieces, count):
    whole = written(pieces, (b"\n",), count=False)
    stopped = written(pieces, (b"\n", b"Q:"), count=count)
    cut = before_mark(whole, "Q:", count_mark=count)
    for name in ("text", "token_ids", "token_logprobs", "n_tokens", "truncated"):
        assert getattr(cut, name) == getattr(stopped, name), name
    assert cut.sum_logprob == pytest.approx(stopped.sum_logprob)
    assert cut.stop_logprob == pytest.approx(stopped.stop_logprob)
    assert cut.text + cut.ran_on == whole.text and cut.ran_on.startswith("Q:")


@pytest.mark.parametrize("told", [True, False])
def test_tokens_are_parted_by_their_ends_or_by_the_texts_of_their_ids(told):
    whole = written(BERLIN, (b"\n",))
    made = whole if told else replace(whole, ends=())
    cut = before_mark(made, "Q:", pieces=lambda ids: [BERLIN[i].encode() for i in ids])
    assert cut.text == " Berlin " and cut.token_ids == (0, 1) and cut.n_tokens == 2
    assert cut.nlp == pytest.approx(-0.15), "the token that holds a space and Q is the mark's"


def test_without_texts_of_tokens_the_answer_is_cut_and_has_no_log_probability():
    whole = replace(written(BERLIN, (b"\n",)), ends=())
    for pieces in (lambda ids: None, lambda ids: [b"other"] * len(ids)):
        cut = before_mark(whole, "Q:", pieces=pieces)
        assert cut.text == " Berlin " and cut.n_tokens == 1 and math.isnan(cut.nlp)
    untold = replace(whole, token_ids=(), token_logprobs=(), n_tokens=6, sum_logprob=math.nan)
    assert math.isnan(before_mark(untold, "Q:").nlp)


def test_a_reply_without_the_mark_stays_as_it_is():
    whole = written((" Ber", "lin", "\n"), (b"\n",))
    assert before_mark(whole, "Q:") is whole
    assert before_mark(written(BERLIN, (b"\n",)), "") == written(BERLIN, (b"\n",)), "a prompt without a mark"


def test_a_key_that_holds_the_mark_is_not_cut():
    keys = ["Vitamin q: The Story", "Story"]
    assert mark_in(" Vitamin Q: the story", "Q:", keys) == -1
    assert mark_in(" Vitamin Q: the story Q: Who is", "Q:", keys) == 22
    assert mark_in(" Vitamin Q: another", "Q:", keys) == 9
    assert mark_in(" FAQ: a list", "Q:") == -1, "an abbreviation ends so"
    assert mark_in(" RomeQ: What", "Q:") == 5


def test_a_stored_reply_is_whole_and_tells_where_its_tokens_end():
    whole = written(BERLIN, (b"\n",))
    record = to_record(Generated((whole,)))
    assert "ran_on" not in record["samples"][0]
    assert from_record(Generate((), 1), record).samples == (whole,)
    old = {**record, "samples": [{k: v for k, v in record["samples"][0].items() if k != "ends"}]}
    assert from_record(Generate((), 1), old).samples[0].ends == ()


def test_characters_count_whole_ones():
    data = " Zürich😀".encode()
    assert characters(data, [2, 3, 4, len(data) - 2, len(data)]) == (2, 2, 3, 7, 8)
    assert characters(b"a\xffb", [1, 2, 3]) == (1, 1, 2)


def test_a_server_that_tells_its_tokens_tells_where_they_end():
    pieces = tuple(piece.encode() for piece in BERLIN)
    reply = Reply("".join(BERLIN), pieces, (-0.5,) * 7, ({},) * 7, (), "stop")
    made = to_generation(reply, ("\n",))
    assert made.text == " Berlin Q: What is?" and made.ends == (4, 7, 9, 10, 15, 18)
    cut = before_mark(made, "Q:")
    assert (cut.text, cut.token_logprobs, cut.n_tokens) == (" Berlin ", (-0.5, -0.5), 2)
    parts = Reply(made.text, (b"",) * 7, (-0.5,) * 7, ({},) * 7, (), "stop")
    assert math.isnan(before_mark(to_generation(parts, ()), "Q:").nlp), "tokens that do not make the text"


def test_the_mark_is_what_a_prompt_has_before_a_question():
    marks = {name: load_prompt(name).mark for name in ("fewshot-v1", "zeroshot-chat-v1", "plain-base-v1")}
    assert marks == {"fewshot-v1": "Q:", "zeroshot-chat-v1": "Q:", "plain-base-v1": ""}
    assert Generation("", (), (), 0, 0.0, None, False).ran_on == ""
