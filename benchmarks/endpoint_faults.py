"""A collection through a server that fails in every way a server can: is anything lost, or made twice?

Run: python benchmarks/endpoint_faults.py            (1,000 faults; some minutes of one processor)
     python benchmarks/endpoint_faults.py --quick    (100 faults, to see that it works; writes nothing)
No model is needed: behind a proxy that injects faults stands a scripted server, whose every log-probability is known
(tests/scripted_server.py, tests/fault_proxy.py). Two collections of the library are asked through the completions and
through the chat API: open answers, several samples each, and a toy study of two turns. Faults are drawn by seed:
too many requests with and without Retry-After, 500 and 503, hangs, cut connections, bodies cut in half, chunked
bodies that end in mid-air, bodies that trickle, no JSON, the answer of another model, log-probabilities dropped or
null in mid-run, and, in the chat API, thoughts in a field of their own. Where all tries of a request fail the run
stops, and the same call goes on, as a user's second call would. The replies are compared with those that the same
server gives without faults.
Writes data/simulations/endpoint_faults.csv and a .json (command, seed, versions) next to it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
import pandas as pd
from recording import SIMULATIONS, parsed

from metacog.collect.models import ModelEntry
from metacog.collect.plan import Loaded, Plan, make_plan
from metacog.collect.prompts import CHAT
from metacog.collect.runner import Spending, account, collect
from metacog.commands._adding import PROMPTS
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.endpoint import EndpointEngine
from metacog.studies import get_study

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from fault_proxy import PASSING, REASONING, FaultProxy
from scripted_server import Script
from toy_study import STUDY as TOY

OUT = SIMULATIONS / "endpoint_faults.csv"
SEED = 20260423
APIS = ("completions", "chat")
#: Seconds that a client waits for an answer, and that a hanging server takes.
TIMEOUT, HANG = 0.5, 0.7
#: Share of requests that meet a fault, while there are faults left.
FAULTY = 0.4


def plans(api: str, url: str, questions: int, pairs: int) -> list[Plan]:
    """What is asked: open answers of study 1, and the toy study's two turns."""
    source = {"endpoint": {"url": url, "model": "scripted", "api": api}}
    prompts = CHAT if api == "chat" else PROMPTS["base"]
    entry = ModelEntry(f"scripted-{api}", "Scripted", "instruct", source, None, prompts)
    block = {"datasets": {"bank": {}}, "block_items": 10, "temperatures": [0.0, 0.7, 1.0], "max_tokens": 12}
    studies = {"study1_qa": block, "toy_study": {"n_items": pairs}}
    profile = dataclasses.replace(load_profile("smoke"), studies=studies, engine={})
    return [
        make_plan(get_study("study1_qa"), "open", profile, entry, "bank", limit=questions),
        make_plan(TOY, "keep", profile, entry, "items"),
    ]


def opener(spending: Spending, url: str, api: str) -> Any:
    """Opens the engine within the budget; waits between tries are shortened, and none is left out."""

    async def soon(seconds: float) -> None:
        await asyncio.sleep(seconds / 20)

    def open_engine(entry: ModelEntry, settings: dict[str, Any] | None) -> EndpointEngine:
        return EndpointEngine(
            url,
            "scripted",
            api=api,
            thinking="apart",
            timeout=TIMEOUT,
            retries=3,
            concurrency=8,
            sleep=soon,
            rng=random.Random(SEED),
            budget=spending.budget,
        )

    return open_engine


def collected(
    asked: list[Plan], folder: Path, proxy: FaultProxy, api: str, faults: Any
) -> tuple[pd.DataFrame, int, int]:
    """Replies of some plans, with how often the run stopped, and the requests that its accounts hold."""
    stops = requests = 0
    for plan in asked:
        place = folder / plan.place
        while True:
            spending = Spending()
            proxy.faults = []  # the examination of a server is not what is tested here
            with Loaded(opener(spending, proxy.url, api)) as models:
                spending.turn_to(plan.entry, place)
                place.mkdir(parents=True, exist_ok=True)
                models.engine(plan.entry, plan.profile.engine)
                proxy.faults = faults
                try:
                    collect(plan, place, models=models, spending=spending, progress=False)
                    break
                except MetacogError:
                    stops += 1
        requests += account(place).requests
    return replies(asked, folder), stops, requests


def replies(asked: list[Plan], folder: Path) -> pd.DataFrame:
    """One row a reply, as it is stored."""
    parts = [
        pd.read_parquet(part).assign(run=plan.title)
        for plan in asked
        for part in sorted((folder / plan.place / "parts").glob("*.parquet"))
    ]
    return pd.concat(parts, ignore_index=True)


def what_was_said(reply: str) -> Any:
    """A reply without what says that thoughts came with it: a server's field of them is the fault."""
    record = json.loads(reply)
    for sample in record.get("samples", ()):
        sample.pop("n_thought", None)
        if not sample["n_tokens"]:  # an empty answer's end is taken for the end of its thoughts
            sample.pop("stop_logprob")
    return json.dumps(record, sort_keys=True)


def run(api: str, n_faults: int, seed: int, questions: int, pairs: int) -> dict[str, Any]:
    """Collect with and without faults, and compare."""
    kinds = [*PASSING, *([REASONING] if api == "chat" else [])]
    chance, left = random.Random(f"{seed}:{api}"), [n_faults]

    def faults(number: int, body: Any) -> str:
        if not left[0] or chance.random() >= FAULTY:
            return ""
        left[0] -= 1
        return kinds[left[0] % len(kinds)] if left[0] < len(kinds) else chance.choice(kinds)

    begun = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, FaultProxy(Script().answer, hang=HANG) as proxy:
        asked = plans(api, proxy.url, questions, pairs)
        calm, _, _ = collected(asked, Path(folder) / "calm", proxy, api, [])
        before = proxy.n
        made, stops, accounted = collected(asked, Path(folder) / "faulty", proxy, api, faults)
        requests = proxy.n - before
    key = ["run", "item", "step", "index"]
    both = calm.merge(made.drop_duplicates(key), on=key, how="left", suffixes=("", "_made"))
    there = both["reply_made"].notna()
    same = both.loc[there, "reply"].map(what_was_said) == both.loc[there, "reply_made"].map(what_was_said)
    return {
        "api": api,
        "faults": n_faults - left[0],
        "requests": requests,
        "unaccounted": requests - accounted,
        "stops": stops,
        "replies": len(calm),
        "lost": int((~there).sum()),
        "doubled": len(made) - len(made.drop_duplicates(key)),
        "changed": int((~same).sum()),
        **{kind: proxy.injected[kind] for kind in (*PASSING, REASONING)},
        "seconds": round(time.perf_counter() - begun, 1),
    }


def main() -> None:
    """Run both APIs, print and write the table; 1 if anything was lost, doubled or changed."""
    given = parsed(__file__, out=OUT, quick={"faults": 50, "items": 20}, faults=500, items=150)
    table = pd.DataFrame([run(api, given.faults, SEED, given.items, given.items) for api in APIS])
    print(table.T.to_string(header=False))
    given.write(table.drop(columns="seconds"), None, seed=SEED, httpx2=httpx2.__version__)
    sys.exit(int(table[["lost", "doubled", "changed"]].to_numpy().sum() > 0))


if __name__ == "__main__":
    main()
