"""How much of llama.cpp's bare rate is left when whole studies are asked?

Run: python benchmarks/study_speed.py                                  (the models that come with the book)
     python benchmarks/study_speed.py --models qwen2.5-coder-1.5b      (its file must be here)
     python benchmarks/study_speed.py --quick                          (few items, to see that it works; writes nothing)

Each study is asked as `metacog collect` asks it: its conversations, closed choices, repairs and resamples, replies
written to the disk. Every call of llama.cpp that computes or moves tokens is written down, with its tokens, positions
and sequences. Then a fresh context is given the same calls in the same order and nothing else: nothing is sampled,
parsed or stored, and the logits stay unread. The share is the time of the bare calls over the time of asking, by the
clock and by the processor, whose time other programs disturb less. Loading the model counts in neither, and what
writing the calls down takes is subtracted. Asking and bare calls take turns, so that a machine whose load drifts shows;
shares are medians. Every pair of model and study has a process of its own.
Adds its rows to data/benchmarks/study_speed.json, with the machine's load. A study below WANTED by
the processor's time is named.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import dataclasses
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from metacog.collect import jobs
from metacog.collect.models import get_model, locate
from metacog.core.config import Profile, load_profile
from metacog.core.machine import available_cores
from metacog.core.provenance import provenance
from metacog.engines.llama.lowlevel import Model, lc
from metacog.install.processor import this_processor
from metacog.studies import get_study, studies

OUT = Path(__file__).resolve().parents[1] / "data" / "benchmarks" / "study_speed.json"
MODELS, ROUNDS, WANTED = ("smollm2-135m", "gemma3-270m"), 2, 0.95

#: What a study asks here, where that is less than the default profile's. Blocks keep their size.
SIZES: dict[str, dict[str, Any]] = {
    "study1_qa": {"datasets": {"bank": {"limit": 82}}, "forced_questions": 20, "draw_questions": 20},
    "study2_two_choice": {"n_sentences": 10, "n_warned": 5},
    "study3_dmc": {"sets": {"science": "bank:Science"}, "n_questions": 10, "n_repeated": 4, "n_written": 2},
    "study4_probe": {"panel": "smoke", "items_per_task": 6, "k": 4, "draws": 4},
    "study5_battery": {"limit": 24},
}
#: Less of it for a model that is ten times as large, and hardly any to see that all works.
SMALLER: dict[str, dict[str, Any]] = {
    "study1_qa": {"datasets": {"bank": {"limit": 41}}, "forced_questions": 12, "draw_questions": 12},
    "study2_two_choice": {"n_sentences": 6, "n_warned": 3},
    "study3_dmc": {**SIZES["study3_dmc"], "n_questions": 5, "n_repeated": 2, "n_written": 2},
    "study4_probe": {"panel": "smoke", "items_per_task": 3, "k": 2, "draws": 2},
    "study5_battery": {"limit": 16},
}
QUICK: dict[str, dict[str, Any]] = {
    "study1_qa": {"datasets": {"bank": {"limit": 4}}, "forced_questions": 2, "draw_questions": 2},
    "study2_two_choice": {"n_sentences": 2, "n_warned": 2},
    "study3_dmc": {**SIZES["study3_dmc"], "n_questions": 2, "n_repeated": 2, "n_written": 2},
    "study4_probe": {"panel": "smoke", "items_per_task": 2, "k": 2, "draws": 1},
    "study5_battery": {"limit": 4},
}
CALLS = (
    "llama_init_from_model",
    "llama_decode",
    "llama_memory_seq_cp",
    "llama_memory_seq_rm",
    "llama_memory_clear",
    "llama_free",
)


def sized(sizes: dict[str, dict[str, Any]], study: str) -> Profile:
    """The default profile at these sizes, asking any model."""
    profile = load_profile("default")
    block = {**profile.studies[study], **sizes[study]}
    block.pop("without", None)
    return dataclasses.replace(profile, studies={study: block})


@dataclasses.dataclass
class Clocks:
    """Seconds by the clock and by the processor, all threads of this process together."""

    wall: float = 0.0
    processor: float = 0.0

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """Count the time of a stretch of work."""
        wall, processor = time.perf_counter(), time.process_time()
        yield
        self.wall += time.perf_counter() - wall
        self.processor += time.process_time() - processor

    def __sub__(self, other: Clocks) -> Clocks:
        return Clocks(self.wall - other.wall, self.processor - other.processor)


class Recorder:
    """Writes down the calls of llama.cpp that compute or move tokens, while it is entered."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.aside = Clocks()
        self._numbers: dict[int, int] = {}
        self._before: dict[str, Callable[..., Any]] = {}

    def __enter__(self) -> Recorder:
        for name in (*CALLS, "llama_get_memory", "llama_model_load_from_file"):
            self._before[name] = getattr(lc, name)
            setattr(lc, name, getattr(self, f"_{name}", None) or self._moving(name))
        return self

    def __exit__(self, *_: object) -> None:
        for name, function in self._before.items():
            setattr(lc, name, function)

    def _llama_model_load_from_file(self, *arguments: Any) -> Any:
        with self.aside.running():
            return self._before["llama_model_load_from_file"](*arguments)

    def _llama_init_from_model(self, model: Any, params: Any) -> Any:
        handle = self._before["llama_init_from_model"](model, params)
        self._numbers[address(handle)] = len(self.calls)
        self.calls.append(("llama_init_from_model", len(self.calls), type(params).from_buffer_copy(params)))
        return handle

    def _llama_get_memory(self, handle: Any) -> Any:
        memory = self._before["llama_get_memory"](handle)
        self._numbers[address(memory)] = self._numbers[address(handle)]
        return memory

    def _llama_decode(self, handle: Any, batch: Any) -> int:
        with self.aside.running():
            self.calls.append(("llama_decode", self._numbers[address(handle)], copied(batch)))
        return int(self._before["llama_decode"](handle, batch))

    def _moving(self, name: str) -> Callable[..., Any]:
        def call(handle: Any, *arguments: Any) -> Any:
            self.calls.append((name, self._numbers[address(handle)], arguments))
            return self._before[name](handle, *arguments)

        return call


def address(handle: Any) -> int:
    """A handle's address."""
    return int(handle if isinstance(handle, int) else ctypes.cast(handle, ctypes.c_void_p).value or 0)


def copied(batch: Any) -> dict[str, np.ndarray]:
    """The arrays of a batch."""
    n = batch.n_tokens
    n_ids = np.ctypeslib.as_array(batch.n_seq_id, (n,)).copy()
    ids = [batch.seq_id[i][k] for i in range(n) for k in range(n_ids[i])]
    arrays = {
        name: np.ctypeslib.as_array(getattr(batch, name), (n,)).copy() for name in ("token", "pos", "logits")
    }
    return {**arrays, "n_seq_id": n_ids, "ids": np.array(ids, np.int32)}


def replay(path: Path, calls: list[tuple[Any, ...]]) -> tuple[Clocks, int]:
    """Give a fresh context the same calls: the time of them all, and the tokens computed."""
    model = Model(path)
    handles: dict[int, Any] = {}
    clocks, tokens = Clocks(), 0
    for name, number, arguments in calls:
        if name == "llama_decode":
            batch = batch_of(arguments)
            tokens += batch.n_tokens
            with clocks.running():
                code = lc.llama_decode(handles[number], batch)
                lc.llama_synchronize(handles[number])
            if code:
                raise SystemExit(f"llama_decode failed with {code}")
        elif name == "llama_init_from_model":
            with clocks.running():
                handles[number] = lc.llama_init_from_model(model.handle, arguments)
        elif name == "llama_free":
            with clocks.running():
                lc.llama_free(handles.pop(number))
        else:
            memory = lc.llama_get_memory(handles[number])
            with clocks.running():
                getattr(lc, name)(memory, *arguments)
    for handle in handles.values():
        lc.llama_free(handle)
    model.close()
    return clocks, tokens


def batch_of(arrays: dict[str, np.ndarray]) -> Any:
    """A batch that points at the arrays of another."""
    batch, kinds, n_ids = lc.llama_batch(), dict(lc.llama_batch._fields_), arrays["n_seq_id"]
    batch.n_tokens = len(n_ids)
    arrays["seq_id"] = (arrays["ids"].ctypes.data + 4 * (np.cumsum(n_ids) - n_ids)).astype(np.uint64)
    for name in ("token", "pos", "logits", "n_seq_id", "seq_id"):
        setattr(batch, name, arrays[name].ctypes.data_as(kinds[name]))
    return batch


def ask(study: str, profile: Profile, model: str, folder: Path) -> tuple[Recorder, Clocks, int]:
    """Ask one study of one model: the calls, the time without loading, and how many items."""
    clocks = Clocks()
    with clocks.running(), Recorder() as recorder:
        reports = jobs.run(
            [get_study(study)], profile, models=[model], runs=folder, progress=False, echo=lambda text: None
        )
    return recorder, clocks - recorder.aside, sum(report.n_items for report in reports)


def measure(study: str, model: str, sizes: dict[str, dict[str, Any]], rounds: int) -> dict[str, Any]:
    """One study of one model, in turn asked and given to llama.cpp alone."""
    path, _ = locate(get_model(model))
    profile, found = sized(sizes, study), []
    with tempfile.TemporaryDirectory() as folder:
        ask(
            study, sized(QUICK, study), model, Path(folder) / "first"
        )  # compiles what is compiled at first use
    for _ in range(rounds):
        load = os.getloadavg()[0]
        with tempfile.TemporaryDirectory() as folder:
            recorder, asking, items = ask(study, profile, model, Path(folder))
        bare, tokens = replay(path, recorder.calls)
        seconds = {"asking": asking.wall, "bare": bare.wall}
        seconds |= {"asking_processor": asking.processor, "bare_processor": bare.processor}
        found.append({name: round(value, 3) for name, value in seconds.items()} | {"load": round(load, 1)})
    return {
        "model": model,
        "study": study,
        "share": share(found),
        "share_processor": share(found, "_processor"),
        "items": items,
        "tokens": tokens,
        "rounds": found,
        "commit": provenance()["commit"],
    }


def share(rounds: list[dict[str, float]], clock: str = "") -> float:
    """The median share of some rounds, by the clock or, with ``_processor``, by the processor."""
    return round(statistics.median(row[f"bare{clock}"] / row[f"asking{clock}"] for row in rounds), 3)


def whole(rows: list[dict[str, Any]], clock: str = "") -> dict[str, float]:
    """The share over all five studies of each model: medians of the seconds, added up."""

    def seconds(model: str, what: str) -> float:
        return sum(statistics.median(r[what] for r in row["rounds"]) for row in rows if row["model"] == model)

    models = dict.fromkeys(row["model"] for row in rows)
    return {
        model: round(seconds(model, f"bare{clock}") / seconds(model, f"asking{clock}"), 3) for model in models
    }


def asked_studies() -> list[str]:
    """Names of the studies that ask models."""
    return [study.name for study in studies() if study.name in SIZES]


def main() -> None:
    """Measure the models named, every pair of model and study in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--worker", metavar="STUDY", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        sizes = QUICK if args.quick else SIZES if args.models[0] in MODELS else SMALLER
        print(json.dumps(measure(args.worker, args.models[0], sizes, args.rounds)))
        return
    rows = []
    for model in args.models:
        for study in asked_studies():
            command = [
                sys.executable,
                __file__,
                "--models",
                model,
                "--rounds",
                str(args.rounds),
                "--worker",
                study,
            ]
            done = subprocess.run(
                command + ["--quick"] * args.quick, stdout=subprocess.PIPE, text=True, check=True
            )
            rows.append(json.loads(done.stdout.splitlines()[-1]))
            by = f"{rows[-1]['share']:.3f} by the clock, {rows[-1]['share_processor']:.3f} by the processor"
            print(f"{model}, {study}: {by}", flush=True)
    print("over all studies, by the processor:", whole(rows, "_processor"), flush=True)
    if args.quick:
        return
    old = json.loads(OUT.read_text(encoding="utf-8"))["rows"] if OUT.is_file() else []
    rows = [row for row in old if row["model"] not in args.models] + rows
    made = {
        "command": f"python benchmarks/study_speed.py --models {' '.join(dict.fromkeys(r['model'] for r in rows))}",
        "machine": {"processor": this_processor().name, "cores": available_cores()},
        "wanted": WANTED,
        "whole": whole(rows),
        "whole_processor": whole(rows, "_processor"),
        "below": [f"{row['model']}, {row['study']}" for row in rows if row["share_processor"] < WANTED],
        "rows": rows,
        "versions": provenance()["versions"],
    }
    OUT.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print("below", WANTED, ":", "; ".join(made["below"]) or "none")


if __name__ == "__main__":
    main()
