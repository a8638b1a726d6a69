"""Choosing and conversations without an engine. Oracles: a softmax by hand, and what was said."""

import importlib
import json
import math
from functools import partial

import numpy as np
import pytest
from stub_engine import StubEngine

from metacog.collect.prompts import Prompt
from metacog.core.errors import MetacogError
from metacog.engines.base import ScoredText
from metacog.engines.engine import ScoringEngine, named_option, taken
from metacog.engines.requests import (
    Choose,
    Conversation,
    Generate,
    Score,
    Stored,
    derive_seed,
    from_record,
    request_digest,
    to_record,
    user,
)

FORM = Prompt("p", "completion", "Q: {question}\nA:", ("\n",))


def test_choice_takes_the_likeliest_or_draws_by_the_tempered_softmax():
    made = taken(("a", "b", "c"), (-1.0, -1.0, -3.0), 0.0, 1)
    assert (made.chosen, sum(made.probabilities)) == ("a", pytest.approx(1))
    weights = np.exp(np.array([-1.0, -1.2, -3.0]) / 2.0)
    drawn = [taken("abc", (-1.0, -1.2, -3.0), 2.0, seed).chosen for seed in range(4000)]
    np.testing.assert_allclose(
        [drawn.count(option) / 4000 for option in "abc"], weights / weights.sum(), atol=0.03
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I would KEEP it.", "KEEP"),
        ("keep", "KEEP"),
        ("KEEP or WITHDRAW", ""),
        ("I kept it", ""),
        ("", ""),
    ],
)
def test_a_written_choice_counts_if_it_names_exactly_one_option(text, found):
    assert named_option(text, ("KEEP", "WITHDRAW")) == found


def test_a_longer_option_hides_a_shorter_one():
    assert named_option("I am not sure.", ("sure", "not sure")) == "not sure"
    assert named_option("10", ("1", "10")) == "10"
    assert named_option("It is a", ("A", "a")) == "a"


def asking():
    one = yield Choose((user("One?"),), ("Yes", "No"))
    two, three = yield [Generate((*one.turns(), user("Why?")), 4, n=2), Score((user("x"),), ("y",))]
    assert (len(two.samples), len(three.scores)) == (2, 1)
    yield Generate(two.turns(1), 4)


def flipped(record, request):
    return from_record(request, record)


def test_replies_survive_being_written_down_and_replaying_takes_the_same_way():
    talk = Conversation(asking(), FORM, seed=("a", 1))
    StubEngine().serve([talk])
    known = {}
    for made in talk.exchanges:
        record = json.loads(json.dumps(to_record(made.reply)))
        assert from_record(made.request, record) == made.reply
        known[made.step, made.index] = Stored(request_digest(made.request), partial(flipped, record))
    again = Conversation(asking(), FORM, seed=("a", 1))
    assert again.replay(known) and again.ended and again.replies == talk.replies
    half = Conversation(asking(), FORM, seed=("a", 1))
    del known[1, 0]
    assert half.replay(known) and not half.ended and list(half.pending) == [0]
    other = Conversation(asking(), FORM, seed=("a", 2))
    assert not other.replay(known)


def test_seeds_depend_on_item_step_request_and_sample_alone():
    talk = Conversation(asking(), FORM, seed=("a", 1))
    StubEngine().serve([talk])
    seeds = [s for e in talk.exchanges for s in (getattr(e.request, "seeds", None) or ()) + ()]
    assert len(set(seeds)) == len(seeds) == 3 and all(0 <= s < 2**31 for s in seeds)
    assert derive_seed("a", 1, 0) == derive_seed("a", "1", 0) != derive_seed("a", 1, 1)


def test_a_choice_that_was_not_made_goes_on_with_what_was_written():
    made = StubEngine(scores=False).reply(Choose((user("x"),), ("Qx", "Qy"), seed=3), "p")
    assert made.chosen == "" and made.turns()[-1]["content"] == made.text.strip()
    assert math.isnan(made.probability("Qx"))
    with pytest.raises(ValueError, match="different"):
        Choose((user("x"),), ("a", "a"))


class ByLength(ScoringEngine):
    """An option costs a nat a letter."""

    def score_many(self, items):
        return [[ScoredText(tuple(range(len(t))), (-1.0,) * len(t)) for t in texts] for _, texts in items]


def test_every_engine_chooses_by_what_it_scores():
    """Oracle: log-probabilities by hand; both engines of the house take this one implementation."""
    engine = ByLength()
    one, two = engine.choose_many([("p", ("abc", "ab")), ("q", ("a", "abcd"))])
    assert (one.chosen, two.chosen, two.logprobs) == ("ab", "a", (-1.0, -4.0))
    drawn = engine.choose_many([("p", ("abc", "ab"))], temperature=2.0, seeds=[7])
    assert drawn == [taken(("abc", "ab"), (-3.0, -2.0), 2.0, 7)]
    assert engine.score("p", ["ab"])[0].sum_logprob == -2.0
    for options in ((), ("a", "a"), ("a", "")):
        with pytest.raises(MetacogError, match="different, and not empty"):
            engine.choose_many([("p", options)])
    with pytest.raises(MetacogError, match="one seed"):
        engine.choose_many([("p", ("a",))], seeds=[1, 2])
    for module in ("llama", "endpoint"):
        pytest.importorskip("llama_cpp")
        made = importlib.import_module(f"metacog.engines.{module}.engine")
        kind = next(k for n, k in vars(made).items() if n in ("LlamaEngine", "EndpointEngine"))
        assert issubclass(kind, ScoringEngine) and not {"choose_many", "score"} & set(vars(kind))
