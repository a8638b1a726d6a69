"""What ``metacog collect`` does: runs of several models and question sets, and their estimate."""

from __future__ import annotations

import dataclasses
import json
import shutil
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from metacog.collect.manifest import Manifest
from metacog.collect.runner import Plan, RunReport, assemble, collect, make_plan, open_engine, trial_rows
from metacog.core.config import Profile, load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.trials import write_parquet

#: Trials of the probe behind ``--dry-run``.
PROBE_TRIALS = 20


def run_folder(plan: Plan, runs: Path | None = None) -> Path:
    """Folder of a plan: ``runs/MODEL/DATASET-HASH``. Another configuration gets another folder."""
    shard, shards = plan.config["shard"]
    tail = f"-{shard + 1}of{shards}" if shards > 1 else ""
    return (
        (runs or project_root() / "runs")
        / plan.entry.name
        / f"{Path(plan.dataset).stem}-{plan.config_hash}{tail}"
    )


def manifests(profile: Profile) -> list[dict[str, Any]]:
    """Manifests of a profile's runs that have begun."""
    found = []
    for model in profile.models:
        for dataset in profile.datasets:
            for shard in range(profile.shards):
                path = run_folder(make_plan(profile, model, dataset, shard=shard)) / "manifest.json"
                if path.is_file():
                    found.append(json.loads(path.read_text(encoding="utf-8")))
    return found


def run(
    profile_name: str,
    *,
    models: Sequence[str] = (),
    datasets: Sequence[str] = (),
    limit: int | None = None,
    shard: int | None = None,
    runs: Path | None = None,
    out: Path | None = None,
    dry_run: bool = False,
    progress: bool = True,
    say: Callable[[str], object] = print,
) -> list[RunReport]:
    """Collect every model on every question set of a profile (or those named).

    Parameters
    ----------
    profile_name : str
    models, datasets : sequence of str
        Default: the profile's.
    limit, shard, runs, out
        As the options of ``metacog collect``.
    dry_run : bool
        Print trials, expected time, disk and what is done already; collect nothing.

    Returns
    -------
    list of RunReport
        Empty for a dry run.

    Raises
    ------
    MetacogError
    """
    profile = load_profile(profile_name)
    plans = [
        make_plan(profile, model, dataset, shard=k, limit=limit)
        for model in models or profile.models
        for dataset in datasets or tuple(profile.datasets)
        for k in (range(profile.shards) if shard is None else [_known_shard(shard, profile)])
    ]
    if out is not None and len(plans) != 1:
        raise MetacogError(
            f"--out takes the trials of one run, but this asks for {len(plans)}: name one model and set"
        )
    if dry_run:
        for plan in plans:
            say(estimate(plan, run_folder(plan, runs)).text())
        return []
    reports = []
    for plan in plans:
        folder = run_folder(plan, runs)
        report = collect(plan, folder, progress=progress)
        trials = assemble(plan, folder)
        target = out or folder / "trials.parquet"
        manifest = Manifest(folder, plan.config, plan.config_hash).data
        made_by = provenance(
            config_hash=plan.config_hash,
            model_sha256=manifest["engine"]["model_sha256"],
            seed=plan.profile.shuffle_seed,
            manifest=str(folder / "manifest.json"),
        )
        write_parquet(trials, target, {"metacog": json.dumps(made_by)})
        for part in report.damaged:
            say(f"part {part} was damaged and has been collected again")
        say(
            f"{plan.entry.name} on {plan.dataset}: {report.n_trials} trials ({report.n_new} new) in "
            f"{report.seconds:.0f} s -> {target}"
        )
        reports.append(report)
    return reports


def _known_shard(shard: int, profile: Profile) -> int:
    if shard >= profile.shards:
        raise MetacogError(
            f"shard {shard} does not exist: profile {profile.name!r} has shards 0 to {profile.shards - 1}"
        )
    return shard


@dataclasses.dataclass(frozen=True)
class Estimate:
    """What a run would take.

    Attributes
    ----------
    n_trials, n_done : int
    trials_per_second : float
        From a probe of :data:`PROBE_TRIALS` trials on this machine.
    seconds : float
        Expected time for what is missing.
    bytes_on_disk : int
        Expected size of all trials.
    bytes_free : int
    """

    name: str
    n_trials: int
    n_done: int
    trials_per_second: float
    seconds: float
    bytes_on_disk: int
    bytes_free: int

    def text(self) -> str:
        """One paragraph for the terminal."""
        return (
            f"{self.name}: {self.n_trials} trials, {self.n_done} done already; "
            f"about {self.seconds / 60:.1f} min for the rest ({self.trials_per_second:.1f} trials/s in a "
            f"{PROBE_TRIALS}-trial probe, usually faster in full blocks); "
            f"{self.bytes_on_disk / 1e6:.1f} MB of {self.bytes_free / 1e9:.1f} GB free disk"
        )


def estimate(plan: Plan, folder: Path, opener: Callable[..., Any] = open_engine) -> Estimate:
    """Probe the engine with a few trials and extrapolate."""
    done = 0
    if (folder / "manifest.json").is_file():
        parts = Manifest(folder, plan.config, plan.config_hash).data["parts"]
        done = sum(part["rows"] for part in parts.values())
    n_samples = len(plan.profile.temperatures)
    questions = plan.questions[: max(1, round(PROBE_TRIALS / n_samples))]
    engine = opener(plan.entry, plan.profile.engine)
    try:
        tasks = [plan.prompt.task(q.question, plan.samples(q), engine) for q in questions]
        options: dict[str, Any] = {"max_tokens": plan.profile.max_tokens, "stop": plan.prompt.stop}
        engine.generate(tasks[:1], **options)  # the first call pays for start-up
        started = time.perf_counter()
        answers = engine.generate(tasks, **options)
        seconds = time.perf_counter() - started
    finally:
        engine.close()
    table = trial_rows(plan, questions, answers)
    rate = len(table) / seconds
    row_bytes = int(
        table.memory_usage(deep=True, index=False).sum() / len(table) / 4
    )  # parquet packs about 4:1
    existing = folder
    while not existing.exists():
        existing = existing.parent
    return Estimate(
        f"{plan.entry.name} on {plan.dataset}",
        plan.n_trials,
        done,
        rate,
        (plan.n_trials - done) / rate,
        row_bytes * plan.n_trials,
        shutil.disk_usage(existing).free,
    )
