"""Does the reference run come out again? Some of its items are put to the model once more, and compared.

From every collection of every study that has a pack in ``data/replies``, items are drawn by a seed, asked again
on this machine, and compared with the pack's replies (``reproduction.py``, whose tolerances were
fixed before anything was asked). The model's file must be here: ``metacog models --fetch qwen2.5-coder-1.5b``.

    python benchmarks/reference_sample.py --dry-run     # which items, and how long they took when they were collected
    python benchmarks/reference_sample.py [--items 24] [--study STUDY] [--seed 20261123]

Writes data/simulations/reference_sample.csv, a row for each quantity, and next to it a .json file with command,
commit, processor and the items; leaves with status 1 if a tolerance is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pandas as pd
from recollect import drawn, recollect
from reproduction import TOLERANCES, reproduction

from metacog.collect.jobs import Target, known_packs, targets
from metacog.collect.manifest import Manifest
from metacog.collect.models import get_model, is_here
from metacog.collect.packs import answered_sets
from metacog.collect.plan import Loaded
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.install.processor import this_processor
from metacog.studies import studies

OUT = Path("data/simulations/reference_sample.csv")


def chosen(arguments: argparse.Namespace, runs: Path) -> Iterator[Target]:
    """The reference run's sets that a pack holds, of the models and studies that were named."""
    profile, there = load_profile("reference"), answered_sets(known_packs())
    for study in studies():
        if study.name in profile.studies and arguments.study in ("", study.name):
            for target in targets(study, profile, models=[arguments.model], runs=runs, packed=True):
                place = f"{study.name}/{target.collection}/{target.model}/{Path(target.dataset).stem}"
                if place in there:
                    yield target


def announce(target: Target, arguments: argparse.Namespace) -> float:
    """Print what would be asked again, and give the seconds it took in the pack's run."""
    (plan,) = target.plans()
    folder = target.folder(plan)
    asked = drawn(plan, folder, arguments.items, arguments.seed)
    parts = Manifest.stored(folder)["parts"].values()
    seconds = sum(part["seconds"] for part in parts) / len(plan.items) * len(asked)
    print(f"{plan.title}: {len(asked)} of {len(plan.items)} items, about {seconds:.0f} s or more")
    return seconds


def check(
    target: Target, arguments: argparse.Namespace, loaded: Loaded
) -> tuple[pd.DataFrame, dict[str, object]]:
    """Ask a sample of one set again: a row for each quantity, and the facts about it."""
    (plan,) = target.plans()
    folder = target.folder(plan)
    engine = loaded.engine(plan.entry, plan.profile.engine)
    made = recollect(plan, folder, engine, arguments.items, arguments.seed)
    found = reproduction(
        made.stored,
        made.again,
        made.trials_stored,
        made.trials_again,
        key=plan.collection.key,
        seed=arguments.seed,
    )
    manifest = Manifest.stored(folder)
    facts = {
        "run": plan.place,
        "holds": found.holds,
        "seconds": round(made.seconds),
        "collected_on": sorted({one.get("processor", "unknown") for one in manifest["sessions"]}),
        "collected_at": sorted({one.get("commit", "unknown") for one in manifest["sessions"]}),
        "items": made.items,
    }
    print(f"{plan.title}: {made.seconds:.0f} s, holds: {found.holds}", flush=True)
    rows = found.table()
    rows.insert(0, "n_items", found.n_items)
    for name, value in (
        ("model", target.model),
        ("collection", target.collection),
        ("study", target.study.name),
    ):
        rows.insert(0, name, value)
    return rows, facts


def write(
    rows: pd.DataFrame, about: list[dict[str, object]], arguments: argparse.Namespace, seconds: float
) -> None:
    """The table, and what made it."""
    out = project_root() / arguments.out
    out.parent.mkdir(parents=True, exist_ok=True)
    rows.to_csv(out, index=False, float_format="%.5g")
    facts = {
        "command": " ".join(["python benchmarks/reference_sample.py", *sys.argv[1:]]),
        "seed": arguments.seed,
        "items_of_each_collection": arguments.items,
        "tolerances": asdict(TOLERANCES),
        "processor": this_processor().name,
        "cpus": os.cpu_count(),
        "seconds": round(seconds),
        "runs": about,
        "made_by": provenance(profile="reference"),
    }
    out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Ask again, write the result, and say whether every tolerance holds."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=24, help="of each collection")
    parser.add_argument("--seed", type=int, default=20261123)
    parser.add_argument("--study", default="", help="only this one")
    parser.add_argument("--model", default="qwen2.5-coder-1.5b")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--dry-run", action="store_true")
    arguments = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as runs, Loaded() as loaded:
        found = list(chosen(arguments, Path(runs)))
        if not found:
            raise MetacogError("no pack in data/replies holds such a run")
        if arguments.dry_run:
            print(f"about {sum(announce(one, arguments) for one in found) / 60:.1f} minutes or more")
            return 0
        if not is_here(get_model(arguments.model)):
            raise MetacogError(
                f"the file of {arguments.model} is not here: `metacog models --fetch {arguments.model}`"
            )
        made = [check(one, arguments, loaded) for one in found]
    rows = pd.concat([table for table, _ in made], ignore_index=True)
    write(rows, [facts for _, facts in made], arguments, time.perf_counter() - started)
    print(
        rows[["study", "collection", "name", "value", "n", "tolerance", "holds"]].to_string(
            index=False, na_rep="-"
        )
    )
    return int(any(facts["holds"] is False for _, facts in made))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MetacogError as error:
        sys.exit(str(error))
