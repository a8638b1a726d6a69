"""What may be spent. Oracles: sums by hand, and a scripted server that counts words."""

import asyncio

import pytest
from scripted_server import Script, connect

from metacog.engines.base import GaveUp, GenerationTask, Sample, Spent
from metacog.engines.budget import Budget, LimitReached, Limits, Prices, Tally

BODY = {"messages": [{"role": "user", "content": "twelve bytes"}], "max_tokens": 10}


def spend(budget, spent, body=BODY):
    """One request and what it took; None if its answer was lost."""

    async def one():
        charge = await budget.take(body)
        if spent is not None:
            charge.takes(spent)
        budget.settle(charge, body)

    asyncio.run(one())


def test_what_answers_took_is_added_and_lost_ones_count_with_the_most_they_can_have_taken():
    budget = Budget()
    budget.turn_to(Prices(1.0, 10.0))
    spend(budget, Spent(5, 3, 2))
    assert budget.spent == Tally(1, 5, 3, 2, 0, pytest.approx(35e-6))
    spend(budget, None)
    # twelve bytes are at most twelve tokens, and the template adds none that the first answer has shown
    assert (budget.spent.read, budget.spent.written, budget.spent.uncounted) == (5 + 12, 3 + 10, 1)


def test_a_template_that_adds_tokens_is_learned_from_answers():
    budget = Budget()
    assert budget.bound(BODY).read == 12 + 256
    spend(budget, Spent(30, 3))
    assert budget.bound(BODY).read == 30
    spend(budget, Spent(30, 25))  # wrote more than was allowed
    assert budget.bound(BODY).written == 10 + 15
    budget.turn_to(Prices(1, 1))
    assert budget.bound(BODY).read == 12 + 256


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(requests=3), "3 of 3 requests.*--max-requests"),
        (Limits(tokens=60), "45 of 60 tokens.*--max-tokens-total"),
        (Limits(cost=0.0004), "0.0003 of 0.0004 in cost.*--max-cost"),
    ],
)
def test_nothing_is_sent_that_could_pass_a_limit(limits, words):
    budget = Budget(limits)
    budget.turn_to(Prices(10.0, 10.0))
    budget._template = 0
    sent = 0
    with pytest.raises(LimitReached, match=words):
        while True:
            spend(budget, Spent(12, 3))
            sent += 1
    assert budget.spent.requests == sent > 0
    assert limits.tokens is None or budget.spent.read + budget.spent.written <= limits.tokens
    assert limits.cost is None or budget.spent.cost <= limits.cost


def test_one_that_does_not_fit_waits_for_those_under_way():
    """Two together could take 44 of 40 tokens; the first takes 15, so that the second fits after it."""

    async def both():
        budget = Budget(Limits(tokens=40))
        budget._template = 0
        first = await budget.take(BODY)
        second = asyncio.ensure_future(budget.take(BODY))
        await asyncio.sleep(0)
        assert not second.done()
        first.takes(Spent(12, 3))
        budget.settle(first, BODY)
        charge = await second
        charge.takes(Spent(12, 10))
        budget.settle(charge, BODY)
        with pytest.raises(LimitReached):
            await budget.take(BODY)
        return budget.spent

    assert asyncio.run(both()) == Tally(2, 24, 13)


def test_the_examination_counts_and_answers_under_way_are_kept():
    with connect(Script()) as engine:
        examined = engine.budget.spent.requests
    budget = Budget(Limits(requests=examined + 10))
    with connect(Script(), budget=budget, concurrency=4) as engine:
        tasks = [GenerationTask(f"Q: {i}", (Sample(0.0, i),)) for i in range(30)]
        with pytest.raises(LimitReached, match="requests are spent"):
            engine.generate(tasks, max_tokens=3)
    assert budget.spent.requests == examined + 10 and budget.spent.uncounted == 0


def test_tallies_are_added_subtracted_and_extrapolated():
    one = Tally(2, 10, 4, 1, 0, 0.5)
    both = Tally(1, 1, 1, 1, 1, 0.1)
    both.add(one)
    assert both.since(one) == Tally(1, 1, 1, 1, 1, pytest.approx(0.1))
    assert one.times(2.5) == Tally(5, 25, 10, 2, 0, 1.25)


def test_a_command_that_could_not_ask_does_not_end_as_if_it_had():
    """The status of an HTTP answer, 0 where there was none, is not the command's."""
    assert GaveUp("the server is down").exit_status == LimitReached("no more").exit_status == 2
    assert GaveUp("busy", 503).status == 503


def test_requests_of_the_same_size_under_way_are_not_taken_for_each_other():
    async def both():
        budget = Budget()
        first, second = await budget.take(BODY), await budget.take(BODY)
        second.takes(Spent(1, 2))
        budget.settle(second, BODY)
        first.takes(Spent(3, 4))
        budget.settle(first, BODY)
        return budget

    budget = asyncio.run(both())
    assert budget.spent == Tally(2, 4, 6) and not budget._under_way
