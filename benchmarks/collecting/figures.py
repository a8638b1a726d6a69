"""Rates, ratios and targets of one model, from what its lines measured; and the report as text.

Three figures of llama.cpp's bare decode are kept apart:
- ``bare_trials``: what ``llama_decode`` alone would reach at the engine's width if every drawn token cost a
  row of its own: 1 / (tokens drawn a trial x seconds a decoded token). Prompts cost nothing. This is the
  figure that the target is set by; the engine can pass it, since it decodes some tokens once for several
  trials.
- ``share_of_llama_cpp``: the time ``llama_decode`` alone needs for just the tokens the engine really
  decodes, its prompts with them, as a share of the engine's time. This is stricter: it can only be below 1
  but for noise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

CLOCKS = {"seconds": "second", "cpu_seconds": "cpu_second"}

#: Least speed-ups: over llama-server, over the paper's loop with AMX in use and without, and the bare decode.
SERVER = {"smollm2-135m": 4.0, "gemma3-270m": 8.0}
LOOP_AMX = {"smollm2-135m": 20.0, "gemma3-270m": 80.0}
LOOP = {"smollm2-135m": 8.0, "gemma3-270m": 40.0}
BARE = 0.95


@dataclass(frozen=True)
class Target:
    """One ratio that must be reached."""

    name: str
    least: float
    reached: float

    @property
    def met(self) -> bool:
        """Whether it is."""
        return self.reached >= self.least


def uses_amx(cpu: str) -> bool:
    """Whether llama.cpp says that it computes with AMX here."""
    return "AMX_INT8 = 1" in cpu


def total(runs: Sequence[dict], key: str) -> float:
    """A sum over runs."""
    return float(sum(run[key] for run in runs))


def rate(runs: Sequence[dict], clock: str) -> float:
    """Trials a second over some runs together."""
    return total(runs, "trials") / total(runs, clock)


def tokens_a_trial(runs: Sequence[dict]) -> float:
    """Tokens drawn a trial, those that end an answer among them."""
    return sum(run["tokens_a_trial"] * run["trials"] for run in runs) / total(runs, "trials")


def per_token(runs: Sequence[dict], kind: str, clock: str) -> float:
    """Seconds ``llama_decode`` takes for a token of a prompt or of a step."""
    return total(runs, f"{kind}_{clock}") / total(runs, f"{kind}_tokens")


def fastest_cache(bare: Sequence[dict]) -> list[dict]:
    """Of the bare runs, those with the cache that decodes steps faster by wall time."""
    by_cache: dict[str, list[dict]] = {}
    for run in bare:
        by_cache.setdefault(run["cache"], []).append(run)
    return min(by_cache.values(), key=lambda runs: per_token(runs, "step", "seconds"))


def bare_trials(engine: Sequence[dict], bare: Sequence[dict], clock: str) -> float:
    """Trials a second of ``llama_decode`` alone, nothing shared between trials and prompts free."""
    return 1.0 / (tokens_a_trial(engine) * per_token(bare, "step", clock))


def share_of_llama_cpp(engine: Sequence[dict], bare: Sequence[dict], clock: str) -> float:
    """Bare time of the tokens the engine decodes, as a share of the time it takes."""
    alone = sum(
        run["decoded"][f"{kind}_tokens"] * per_token(bare, kind, clock)
        for run in engine
        for kind in ("prompt", "step")
    )
    return alone / total(engine, clock)


def results(model: str, runs: dict[str, Any]) -> dict[str, Any]:
    """Rates and ratios by wall and by processor time, the targets, and the runs themselves."""
    engine, bare = runs["engine"], fastest_cache(runs["bare"])
    loop, plain, server = [runs["paper_loop"]], [runs["no_logprobs"]], runs.get("server")
    made: dict[str, Any] = {
        "model": model,
        "trials": int(total(engine, "trials")),
        "tokens_a_trial": tokens_a_trial(engine),
        "bare_cache": bare[0]["cache"],
        "server_slots": server["slots"] if server else None,
        "server_order": server["order"] if server else None,
        "server_spins": server["spin"] if server else None,
    }
    for clock, unit in CLOCKS.items():
        own = rate(engine, clock)
        peers = {"paper_loop": loop, "no_logprobs": plain}
        peers |= {"server": [server], "server_no_logprobs": [runs["server_no_logprobs"]]} if server else {}
        made[f"engine_trials_a_{unit}"] = own
        for name, measured in peers.items():
            made[f"{name}_trials_a_{unit}"] = rate(measured, clock)
            made[f"times_{name}_{clock}"] = own / rate(measured, clock)
            made[f"times_{name}_tokens_{clock}"] = (
                own * tokens_a_trial(engine) / rate(measured, clock) / tokens_a_trial(measured)
            )
        made[f"bare_trials_a_{unit}"] = bare_trials(engine, bare, clock)
        made[f"times_bare_{clock}"] = own / bare_trials(engine, bare, clock)
        made[f"share_of_llama_cpp_{clock}"] = share_of_llama_cpp(engine, bare, clock)
    made["drift"] = drift(engine, runs["bare"], bare[0]["cache"])
    aims = targets(made, uses_amx(engine[0]["settings"].get("cpu", "")))
    made["targets"] = [asdict(aim) | {"met": aim.met} for aim in aims]
    return made | {"runs": runs}


def drift(engine: Sequence[dict], bare: Sequence[dict], cache: str) -> list[dict[str, float]]:
    """Each part of the engine and the bare run that followed it."""
    after = [run for run in bare if run["cache"] == cache]
    return [
        {
            "engine_trials_a_second": rate([part], "seconds"),
            "bare_trials_a_second": bare_trials([part], [run], "seconds"),
            "times_bare": rate([part], "seconds") / bare_trials([part], [run], "seconds"),
            "load_before": part["load_before"],
        }
        for part, run in zip(engine, after, strict=True)
    ]


def targets(made: dict[str, Any], amx: bool) -> list[Target]:
    """The ratios that must be reached, by wall time. A server that was not measured is not met."""
    model = made["model"]
    loop = (LOOP_AMX if amx else LOOP)[model]
    note = "AMX in use" if amx else "no AMX in use"
    return [
        Target("engine / llama-server", SERVER[model], made.get("times_server_seconds", 0.0)),
        Target(f"engine / paper's loop ({note})", loop, made["times_paper_loop_seconds"]),
        Target("engine / bare decode", BARE, made["times_bare_seconds"]),
    ]


def report(found: Sequence[dict[str, Any]]) -> str:
    """Rates and ratios of each model as text, then which targets are met."""
    lines = []
    for made in found:
        lines.append(made["model"])
        lines += [f"  {name}: {value:.3f}" for name, value in made.items() if isinstance(value, float)]
        for aim in made["targets"]:
            state = "met" if aim["met"] else "NOT MET"
            lines.append(f"  {aim['name']}: {aim['reached']:.2f}, least {aim['least']:g}: {state}")
    return "\n".join(lines)
