"""Runs on an endpoint: limits, items asked twice, what a run would cost, batch files, and who answered.

Oracle: a scripted server whose every reply is a function of the request, asked without any of these.
"""

import asyncio
import dataclasses
import json
import re
from pathlib import Path

import httpx2
import pandas as pd
import pytest
from click.testing import CliRunner
from scripted_server import URL, Script, connect
from stub_engine import StubEngine
from toy_study import STUDY as TOY

from metacog.cli import main
from metacog.collect import jobs
from metacog.collect.asked_twice import at_zero, compared, drawn, n_more, spread
from metacog.collect.estimate import Estimate, all_told, estimate, in_words
from metacog.collect.manifest import Manifest, bill, run_facts
from metacog.collect.models import ModelEntry
from metacog.collect.packs import Pack, pack
from metacog.collect.plan import Loaded, make_plan
from metacog.collect.reading import read_replies
from metacog.collect.runner import Spending, account, collect
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.batches import Outbox
from metacog.engines.budget import LimitReached, Limits, Tally
from metacog.engines.endpoint import EndpointEngine
from metacog.engines.requests import Generate, Generated, user
from metacog.studies import get_study

PRICES = {"prompt": 1.0, "answer": 4.0}


def plan_of(
    study="study1_qa", *, limit=12, temperatures=(0.0, 0.7, 1.0), ask_twice=None, prices=None, settings=None
):
    source = {"endpoint": {"url": URL, "model": "scripted"}}
    prompts = {"fewshot": "fewshot-v1", "zeroshot": "zeroshot-base-v1"}
    more = {"settings": settings, "prices": prices, "ask_twice": ask_twice}
    entry = ModelEntry("scripted", "Scripted", "instruct", source, None, prompts, **more)
    block = {"datasets": {"bank": {}}, "block_items": 4, "temperatures": list(temperatures), "max_tokens": 8}
    studies = {"study1_qa": block, "toy_study": {"n_items": 10}}
    profile = dataclasses.replace(load_profile("smoke"), studies=studies, engine={})
    if study == "toy_study":
        return make_plan(TOY, "keep", profile, entry, "items", limit=limit)
    return make_plan(get_study(study), "open", profile, entry, "bank", limit=limit)


def asked(plan, folder, script=None, spending=None, faults=None, **options):
    """Collect with a scripted server behind the engine; gives the report and the server."""
    spending, script = spending or Spending(runs=[folder]), script or Script()

    def opener(entry, settings):
        engine = connect(script, faults, budget=spending.budget, concurrency=3)
        script.opened = True
        return engine

    with Loaded(opener) as models:
        report = collect(plan, folder, models=models, spending=spending, progress=False, **options)
    return report, script


def stored(folder):
    parts = [pd.read_parquet(part) for part in sorted((folder / "parts").glob("*.parquet"))]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Replies of a run that nothing stopped."""
    folder = tmp_path_factory.mktemp("whole")
    asked(plan_of(), folder)
    return stored(folder)


# --- who answered


def test_who_answered_is_kept_with_each_reply_and_counted(tmp_path, whole):
    assert {tuple(one) for text in whole["served"] for one in json.loads(text)} == {
        ("scripted", "", "scripted-1")
    }
    plan = plan_of()
    asked(plan, tmp_path)
    parts = Manifest.stored(tmp_path)["parts"].values()
    assert [part["served"] for part in parts] == [[["scripted", "", "scripted-1", 4]]] * 3
    trials = read_replies([(plan, tmp_path)]).trials
    assert len(trials) == 36 and trials["nlp"].notna().any()


def test_a_journal_keeps_who_answered_over_a_stop(tmp_path, whole):
    spending = Spending(Limits(requests=30))
    with pytest.raises(LimitReached):
        asked(plan_of(), tmp_path, spending=spending)
    asked(plan_of(), tmp_path)
    pd.testing.assert_frame_equal(stored(tmp_path), whole)


# --- limits


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (Limits(requests=33), Limits(requests=200)),
        (Limits(tokens=1200), Limits(tokens=100_000)),
        (Limits(cost=0.0012), Limits(cost=1.0)),
    ],
    ids=["requests", "tokens", "cost"],
)
def test_a_run_that_a_limit_stopped_keeps_all_and_goes_on_when_it_is_raised(tmp_path, whole, first, then):
    plan, script = plan_of(prices=PRICES), Script()
    with pytest.raises(LimitReached, match="stopped before a limit is passed"):
        asked(plan, tmp_path, script, Spending(first, [tmp_path]))
    spent = account(tmp_path)
    assert 0 < spent.requests == len(script.bodies)
    for limit, name in ((first.requests, "requests"), (first.cost, "cost")):
        assert limit is None or getattr(spent, name) <= limit
    assert first.tokens is None or spent.read + spent.written <= first.tokens
    assert Manifest.stored(tmp_path)["spent"]["requests"] == spent.requests
    kept = {json.dumps([b["prompt"], b.get("seed"), b["temperature"]]) for b in script.bodies[-3:]}
    with pytest.raises(LimitReached):  # the same limit: nothing more is sent
        asked(plan, tmp_path, script, Spending(first, [tmp_path]))
    spent = account(tmp_path)
    assert spent.requests == len(script.bodies)
    assert first.requests is None or spent.requests <= first.requests
    again = Script()
    asked(plan, tmp_path, again, Spending(then, [tmp_path]))
    pd.testing.assert_frame_equal(stored(tmp_path), whole)
    sent = [json.dumps([b["prompt"], b.get("seed"), b["temperature"]]) for b in again.bodies]
    assert not kept & set(sent)  # what was paid for is not asked again
    assert account(tmp_path).requests == len(script.bodies) + len(again.bodies)


def test_a_limit_of_cost_wants_prices(tmp_path):
    with pytest.raises(MetacogError, match="'scripted' costs: add `prices"):
        asked(plan_of(), tmp_path, spending=Spending(Limits(cost=1.0)))


def test_accounts_of_all_runs_count_and_a_broken_one_is_not_taken_for_nothing(tmp_path):
    asked(plan_of(), tmp_path / "a")
    asked(plan_of(limit=4), tmp_path / "b")
    both = Spending(runs=[tmp_path / "a", tmp_path / "b", tmp_path / "b"]).budget.spent
    assert both.requests == account(tmp_path / "a").requests + account(tmp_path / "b").requests
    (tmp_path / "a/spent.json").write_text("{")
    with pytest.raises(MetacogError, match="spent.json, which says what the run has spent"):
        Spending(runs=[tmp_path / "a"])


def test_accounts_and_prices_change_no_key_and_effort_does():
    plain = plan_of()
    assert plan_of(prices=PRICES, ask_twice=0.5).config_hash == plain.config_hash
    assert plan_of(settings={"reasoning_effort": "low"}).config_hash != plain.config_hash


def test_accounts_do_not_travel(tmp_path):
    plan = plan_of()
    folder = plan.folder(tmp_path)
    asked(plan, folder)
    pack([folder], tmp_path, tmp_path / "out.zip")
    (run,) = Pack(tmp_path / "out.zip").runs
    assert all("spent" not in name for name in run.files)


# --- asked twice


def test_a_tenth_is_asked_twice_at_zero_with_one_seed(tmp_path):
    plan = plan_of(limit=20)
    numbers = drawn(plan, 0.1)
    assert len(numbers) == 2 and numbers == drawn(plan, 0.1) and len(drawn(plan, 0.5)) == 10
    assert n_more(plan, numbers) == 4
    report, script = asked(plan, tmp_path)
    assert report.n_items == 20
    twice = Manifest.stored(tmp_path)["twice"]
    assert twice == {
        "share": 0.1,
        "items": 2,
        "same": 2,
        "compared": twice["compared"],
        **({"mean_difference": 0.0, "largest_difference": 0.0} if twice["compared"] else {}),
    }
    last = script.bodies[-4:]
    assert {b["temperature"] for b in last} == {0.0}
    assert len({(b["prompt"], b["seed"]) for b in last}) == 2
    asked(plan, tmp_path, script)
    assert len(script.bodies) == account(tmp_path).requests  # nothing is asked a third time


def test_an_answer_at_zero_is_the_first_of_the_two(tmp_path):
    plan = plan_of(limit=10, temperatures=[0.0])
    assert n_more(plan, drawn(plan, 0.1)) == 1
    _, script = asked(plan, tmp_path)
    assert Manifest.stored(tmp_path)["twice"]["same"] == 1
    number = drawn(plan, 0.1)[0]
    prompts = [b["prompt"] for b in script.bodies if plan.items[number].question in b["prompt"]]
    assert len(prompts) == 2


def test_a_server_that_does_not_agree_with_itself_is_seen(tmp_path):
    class Wavering(Script):
        """Draws anew each time, once it has been examined."""

        opened = False

        def answer(self, body):
            return super().answer(
                body | ({"seed": len(self.bodies), "temperature": 1.0} if self.opened else {})
            )

    asked(plan_of(limit=30), tmp_path, Wavering())
    found = Manifest.stored(tmp_path)["twice"]
    assert found["items"] == 3 and found["same"] < 3 and found["largest_difference"] > 0


def test_asking_twice_can_be_switched_off(tmp_path):
    asked(plan_of(ask_twice=0.0), tmp_path)
    assert "twice" not in Manifest.stored(tmp_path)


def test_asking_twice_goes_on_where_a_limit_stopped_it(tmp_path):
    plan = plan_of(limit=4, ask_twice=1.0)
    counted = Script()
    asked(plan_of(limit=4, ask_twice=0.0), tmp_path / "count", counted)
    with pytest.raises(LimitReached):
        asked(plan, tmp_path, spending=Spending(Limits(requests=len(counted.bodies) + 3)))
    stored_now = Manifest.stored(tmp_path)
    assert stored_now["status"] == "complete" and stored_now["twice"] == {"share": 1.0}
    script = Script()
    report, _ = asked(plan, tmp_path, script)
    assert report.n_new == 0 and Manifest.stored(tmp_path)["twice"]["items"] == 4
    with connect(Script()) as engine:
        assert engine.info  # what a run asks to know before its first question
        examined = engine.budget.spent.requests
    assert len(script.bodies) == examined + 8 - 3


def generated(text, *values):
    return Generated((Generation(text, (), values, len(values), sum(values), None, False),))


def test_spread_by_hand():
    request = Generate([user("?")], 4, (0.7, 1.0), 2, seeds=(1, 2, 3, 4))
    assert at_zero(request) == Generate([user("?")], 4, (0.0,), seeds=(1,))
    nan = float("nan")
    pairs = [
        compared(generated("a", 0.0), generated("a", 0.0)),
        compared(generated("a", 0.0), generated("b", -0.6931471805599453)),
        compared(generated("a", nan), generated("a", -1.0)),
    ]
    assert spread(pairs) == {
        "items": 3,
        "same": 2,
        "compared": 2,
        "mean_difference": pytest.approx(0.25),
        "largest_difference": pytest.approx(0.5),
    }


def test_the_commands_options_reach_the_run(monkeypatch):
    seen = {}
    monkeypatch.setattr(jobs, "run", lambda *a, **options: seen.update(options))
    words = "collect --study study1_qa --max-requests 5 --max-tokens-total 70 --max-cost 1.5 --ask-twice 0.2"
    words += " --server-wait 90"
    done = CliRunner().invoke(main, [*words.split(), "--batch-out", "b.jsonl"])
    assert done.exit_code == 0, done.output
    assert seen["server_wait"] == 90
    assert seen["limits"] == Limits(5, 70, 1.5) and seen["ask_twice"] == 0.2
    assert (seen["batch_out"], seen["batch_in"]) == (Path("b.jsonl"), None)


# --- what it would take


def test_a_dry_run_says_what_the_rest_would_take_and_keeps_no_account(tmp_path):
    plan = plan_of(limit=40, prices=PRICES, temperatures=[0.7, 1.0])
    spending = Spending()
    spending.turn_to(plan.entry, None)

    def opener(entry, settings):
        return connect(Script(), budget=spending.budget)

    found = estimate(plan, tmp_path / "run", opener)
    assert not (tmp_path / "run").exists()
    assert (
        found.answers == found.takes.requests == 40 * 2 + 4 * 2
    )  # two samples an item, a tenth of the items twice
    assert "about 88 requests" in found.text() and "an estimate from the probe" in found.text()
    _, script = asked(plan, tmp_path / "run")
    real = account(tmp_path / "run")
    with connect(Script(), budget=(examined := Spending().budget)) as engine:
        assert engine.info
    for name, tolerance in (("read", 0.15), ("written", 0.5), ("cost", 0.3)):
        took = getattr(real, name) - getattr(examined.spent, name)
        assert getattr(found.takes, name) == pytest.approx(took, rel=tolerance)
    assert real.requests - examined.spent.requests == 88 == len(script.bodies) - examined.spent.requests


def test_a_dry_run_of_a_server_finds_how_many_requests_it_takes_at_once(tmp_path):
    """One that answers 32 at a time: ten items more tell nothing of it, some hundred do; then a bill is written."""
    script, slots, known = Script(), asyncio.Semaphore(32), []

    async def handle(request):
        if known:  # what it can do is asked at once
            async with slots:
                await asyncio.sleep(0.4)
        status, data = script.answer(json.loads(request.content))
        return httpx2.Response(status, json=data)

    def opener(entry, settings):
        known.clear()
        engine = EndpointEngine(URL, "scripted", transport=httpx2.MockTransport(handle))
        known.append(engine.info)
        return engine

    plan = plan_of(limit=300, temperatures=[0.7])
    found = estimate(plan, tmp_path / "run", opener)
    assert found.n_probed == 80 and found.in_flight >= 16
    assert found.items_per_second > 22  # 8 at a time, as it was before, make 20 a second at best
    assert re.search(r"in a probe of \d+ items, up to \d+ requests in flight", found.text())
    costs = estimate(plan_of(limit=300, temperatures=[0.7], prices=PRICES), tmp_path / "run", opener)
    assert costs.n_probed == 10


# --- batch files


def test_a_bill_of_time_is_written_after_asking(offline):
    plan = plan_of(ask_twice=0.0, prices=PRICES)
    _, said, _ = offline(plan)
    assert re.fullmatch(
        r"scripted: 36 answers in \d+ s of asking, [\d.]+ a second, up to 8 requests in flight; [\d,]+ prompt and "
        r"[\d,]+ answer tokens; [\d.]+ in cost at the entry's prices",
        said[-1],
    )
    _, said, _ = offline(plan)
    assert "(0 new)" in said[-2] and not any("of asking" in line for line in said)


def served_batch(out, results, script, wrong=(), lost=0):
    """Write the results file that a batch service would make of a batch, in another order; gives its lines."""
    made = list(_answers(lines_of(out), script, wrong))
    made = made[: len(made) - lost]
    results.write_text("".join(json.dumps(one) + "\n" for one in made))
    return made


def _answers(lines, script, wrong):
    for number, line in enumerate(reversed(lines)):
        assert (line["method"], line["url"]) == ("POST", "/v1/completions")
        status, body = script.answer(line["body"])
        result = {"id": f"r-{number}", "custom_id": line["custom_id"], "error": None}
        if number in wrong:
            result["response"] = {"status_code": 500, "request_id": "x", "body": {"error": "busy"}}
        else:
            result["response"] = {"status_code": status, "request_id": "x", "body": body}
        yield result


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """`jobs.run` with a scripted server; gives a function of its options."""
    script = Script()
    monkeypatch.setattr(
        Spending, "open", lambda self, entry, settings=None: connect(script, budget=self.budget)
    )

    def run(plan, **options):
        study = TOY if plan.study == "toy_study" else get_study(plan.study)
        target = jobs.Target(
            study, plan.collection.name, plan.profile, "scripted", plan.dataset, runs=tmp_path
        )
        monkeypatch.setattr(jobs, "targets", lambda *a, **k: [target])
        monkeypatch.setattr(jobs.Target, "plans", lambda self, shards=None: iter([plan]))
        monkeypatch.setattr(jobs.Target, "spenders", lambda self: [plan.folder(tmp_path)])
        said = []
        reports = jobs.run([study], plan.profile, runs=tmp_path, progress=False, echo=said.append, **options)
        return reports, said, script

    return run


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_batch_gives_the_same_replies_as_asking(offline, tmp_path, whole):
    plan = plan_of(ask_twice=0.0)
    out, results = tmp_path / "batch.jsonl", tmp_path / "results.jsonl"
    _, said, script = offline(plan, batch_out=out)
    lines = lines_of(out)
    assert len(lines) == len({line["custom_id"] for line in lines}) == 36
    assert "wrote 36 requests" in said[-1] and not list(tmp_path.glob("**/*.parquet"))
    assert all(len(line["custom_id"]) <= 64 for line in lines)
    served_batch(out, results, script)
    (report,), said, _ = offline(plan, batch_in=results)
    assert (report.n_left, report.n_new) == (0, 12) and "36 of 36 answers were used" in said[-1]
    pd.testing.assert_frame_equal(stored(plan.folder(tmp_path)), whole)
    _, said, _ = offline(plan, batch_out=tmp_path / "none.jsonl")
    assert "nothing is left" in said[-1] and not (tmp_path / "none.jsonl").exists()


def test_what_a_batch_did_not_answer_goes_into_the_next(offline, tmp_path, whole):
    plan = plan_of(ask_twice=0.0)
    out, results = tmp_path / "batch.jsonl", tmp_path / "results.jsonl"
    _, _, script = offline(plan, batch_out=out)
    served_batch(out, results, script, wrong=(0, 5), lost=1)
    (report,), said, _ = offline(plan, batch_in=results)
    assert report.n_left > 0 and any("2 answers could not be used" in line for line in said)
    offline(plan, batch_out=out)
    assert len(lines_of(out)) == 3  # samples that came are kept one by one
    served_batch(out, results, script)
    offline(plan, batch_in=results)
    pd.testing.assert_frame_equal(stored(plan.folder(tmp_path)), whole)


def test_conversations_of_several_turns_take_a_batch_each(offline, tmp_path):
    plan = plan_of("toy_study", ask_twice=0.5)
    asked(plan, tmp_path / "asked")
    out, results = tmp_path / "batch.jsonl", tmp_path / "results.jsonl"
    rounds = 0
    while True:
        out.unlink(missing_ok=True)
        _, _, script = offline(plan, batch_out=out)
        if not out.exists():
            break
        rounds += 1
        served_batch(out, results, script)
        offline(plan, batch_in=results)
    assert rounds > 2
    pd.testing.assert_frame_equal(stored(plan.folder(tmp_path)), stored(tmp_path / "asked"))
    found, wanted = (Manifest.stored(f)["twice"] for f in (plan.folder(tmp_path), tmp_path / "asked"))
    assert found == wanted and found["items"] == 5


def test_files_that_are_no_results_are_refused(offline, tmp_path):
    plan = plan_of(ask_twice=0.0)
    out = tmp_path / "batch.jsonl"
    offline(plan, batch_out=out)
    with pytest.raises(MetacogError, match="line 1: no result of a batch"):
        offline(plan, batch_in=out)
    line = json.dumps({"custom_id": "a", "response": {"status_code": 200, "body": {}}})
    other = json.dumps({"custom_id": "a", "response": {"status_code": 500, "body": {}}})
    out.write_text(f"{line}\n{line}\n{other}\n")
    with pytest.raises(MetacogError, match="line 3: a is answered twice"):
        offline(plan, batch_in=out)
    with pytest.raises(MetacogError, match="stand alone"):
        offline(plan, batch_out=out, dry_run=True)


@pytest.mark.parametrize(
    ("few", "many", "option"),
    [
        (Limits(requests=40), Limits(requests=400), "--max-requests"),
        (Limits(tokens=6_000), Limits(tokens=100_000), "--max-tokens-total"),
        (Limits(cost=0.008), Limits(cost=1.0), "--max-cost"),
    ],
    ids=["requests", "tokens", "cost"],
)
def test_a_batch_is_cut_at_a_limit_and_goes_on_when_it_is_raised(offline, tmp_path, whole, few, many, option):
    """Oracle: the same run asked without a batch or a limit, and the server's own count of what it answered."""
    plan = plan_of(ask_twice=0.0, prices=PRICES)
    folder, out, results = plan.folder(tmp_path), tmp_path / "batch.jsonl", tmp_path / "results.jsonl"
    _, said, script = offline(plan, batch_out=out, limits=few)
    lines, spent = lines_of(out), account(folder)
    assert 0 < len(lines) < 36 and len(lines) + spent.requests <= (few.requests or 1000)
    assert f"cut before {option} is passed" in said[-1] and f"{36 - len(lines)} requests are left" in said[-1]
    answers = served_batch(out, results, script)
    before = account(folder)
    (report,), said, script = offline(plan, batch_in=results)
    usage = [r["response"]["body"]["usage"] for r in answers]
    examined, now = len(script.bodies) - len(lines) - before.requests, account(folder)
    assert now.requests == before.requests + examined + len(lines) and report.n_left > 0
    assert now.read + now.written >= sum(u["prompt_tokens"] + u["completion_tokens"] for u in usage)
    assert few.requests is None or now.requests <= few.requests + examined
    offline(plan, batch_out=out, limits=many)
    assert len(lines_of(out)) == 36 - len(lines)  # what was paid for is not asked again
    served_batch(out, results, script)
    offline(plan, batch_in=results, limits=many)
    pd.testing.assert_frame_equal(stored(folder), whole)


def test_a_batch_that_no_limit_allows_is_refused_with_what_it_would_need(offline, tmp_path):
    plan = plan_of(ask_twice=0.0, prices=PRICES)
    with connect(Script(), budget=(examined := Spending().budget)) as engine:
        assert engine.info  # what the examination takes, which comes before
    out = tmp_path / "batch.jsonl"
    with pytest.raises(MetacogError, match="--max-requests allows no request more: 36 requests are left"):
        offline(plan, batch_out=out, limits=Limits(requests=examined.spent.requests))
    assert not out.exists()


def test_a_model_on_this_machine_has_no_batch(tmp_path):
    profile = dataclasses.replace(load_profile("smoke"), studies={"toy_study": {}})
    plan = make_plan(TOY, "keep", profile, "smollm2-135m", "items")
    with pytest.raises(MetacogError, match="runs on this machine"):
        collect(plan, tmp_path, engine=StubEngine(), batch=Outbox(), progress=False)


def censoring(choice, n):
    """Some values are told as hosted APIs tell that they are not among the most probable."""
    logprobs = choice["logprobs"]
    logprobs["token_logprobs"] = [-9999.0 if v and v < -3 else v for v in logprobs["token_logprobs"]]


def spelling_otherwise(choice, n):
    """Tokens that are not those of the text."""
    if n > 40 and n % 4 == 0:
        choice["text"] = "some other words"


@pytest.mark.parametrize("change", [censoring, spelling_otherwise])
def test_censored_answers_are_counted_and_said_in_the_bill(tmp_path, change):
    class Changed(Script):
        def lay_out(self, *arguments):
            data = super().lay_out(*arguments)
            change(data["choices"][0], len(self.bodies))
            return data

    plan = plan_of()
    asked(plan, tmp_path, Changed())
    trials = read_replies([(plan, tmp_path)]).trials
    missing = (trials["nlp"].isna() & (trials["n_tokens"] > 0)).sum()
    facts = run_facts([Manifest.stored(tmp_path)])
    assert missing == facts["censored"].item() > 0 and f"{missing} of them have no NLP" in bill(facts)


def test_what_several_runs_would_take_is_added():
    words = in_words(18_852, Tally(20_000, 937_000, 50_000, cost=1.5), priced=True)
    assert words == (
        "about 18,852 answers in about 20,000 requests, 937,000 prompt and 50,000 answer tokens and 1.5 in cost at the "
        "entry's prices"
    )
    one = Estimate("a", 9, 0, 1.0, 1.0, 1, 1, answers=1_200, takes=Tally(1, 3_000, 4))
    both = all_told([one, one])
    assert "2,400 answers" in both and "6,000 prompt" in both and all_told([one]) == ""
