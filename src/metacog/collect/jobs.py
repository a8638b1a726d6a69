"""What ``metacog collect`` and ``metacog read`` do: runs of several models and sets, and what they take.

On which terms a command asks endpoints: what may be spent, in which batch, and which share of the items twice.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from metacog.collect.collection import Needed
from metacog.collect.estimate import Estimate, all_told, estimate, in_shards, needs_of_jobs
from metacog.collect.known_sets import standing_in
from metacog.collect.manifest import Manifest, bill, run_facts
from metacog.collect.models import file_size, get_model
from metacog.collect.packs import stored_run
from metacog.collect.plan import (
    Loaded,
    Plan,
    StudyLike,
    asked_elsewhere,
    collection_of,
    last_bits,
    make_plan,
    models_of,
    settings_of,
    with_sets,
)
from metacog.collect.prompts import load_prompt
from metacog.collect.reading import Reading, read_replies, reading_key, replies_digest
from metacog.collect.runner import RunReport, Spending, collect
from metacog.core.config import Profile, digest
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.core.paths import from_root, project_root
from metacog.core.progress import Progress
from metacog.core.provenance import provenance
from metacog.engines.batches import Batch, Inbox, Outbox
from metacog.engines.budget import Limits
from metacog.trials import write_parquet


@dataclass(frozen=True)
class Terms:
    """On which terms endpoints are asked."""

    spending: Spending
    #: Takes requests, or answers them, in a server's place.
    batch: Batch | None = None
    #: Share of the items to be asked twice; None is that of the model's entry.
    ask_twice: float | None = None
    #: Seconds that a server which is not there is waited for; None is that of the model's entry.
    server_wait: float | None = None

    def plan(self, plan: Plan) -> Plan:
        """The plan, of a model whose entry says what these terms say."""
        said = {"ask_twice": self.ask_twice, "server_wait": self.server_wait}
        given: dict[str, Any] = {name: value for name, value in said.items() if value is not None}
        return replace(plan, entry=replace(plan.entry, **given)) if given else plan


def _write(batch: Outbox, path: Path, echo: Callable[[str], object]) -> None:
    if len(models := {line["body"].get("model") for line in batch.lines.values()}) > 1:
        raise MetacogError(f"a batch is of one model, and these are {len(models)}: name one with --model")
    cost = f" and cost {batch.left.cost:.4g}" if batch.budget.prices else ""
    most = f"{batch.left.read + batch.left.written:,} tokens{cost} at most"
    left = f"{batch.left.requests:,} requests are left, which could take {most}"
    if batch.cut and not batch.lines:
        raise MetacogError(f"{batch.cut} allows no request more: {left}. A higher limit writes a batch file")
    if not batch.lines:
        echo("nothing is left to be asked: no batch file was written")
        return
    batch.write(path)
    echo(
        f"wrote {len(batch.lines):,} requests to {path}; when the batch has ended, read its results file with "
        "the same command and --batch-in FILE in the place of --batch-out"
    )
    if batch.cut:
        echo(
            f"cut before {batch.cut} is passed, counting the most that each request can take: {left}. Answers mostly "
            "take less: when these are read, the same command goes on as far as the limit then allows"
        )


def _tell(batch: Inbox, path: Path, echo: Callable[[str], object]) -> None:
    echo(f"{path}: {len(batch.used):,} of {len(batch):,} answers were used")
    if batch.failed:
        name, why = next(iter(batch.failed.items()))
        echo(f"{len(batch.failed):,} answers could not be used (first: {name}: {why})")
    if batch.failed or batch.missing:
        echo("what has no answer yet goes into the next batch: --batch-out again")


@dataclass(frozen=True)
class Target:
    """One trial table to be made: a collection of a study, one model, one set.

    With ``packed`` its replies are those at hand and in packs; nothing is asked.
    """

    study: StudyLike
    collection: str
    profile: Profile
    model: str
    dataset: str
    limit: int | None = None
    runs: Path | None = None
    packed: bool = False

    def folder(self, plan: Plan) -> Path:
        if self.packed:
            return stored_run(plan, known_packs(), self.runs or project_root() / "runs")
        return plan.folder(self.runs)

    def spenders(self, pattern: str = "*/") -> Iterator[Path]:
        """Folders of this model's runs in this collection, whatever was asked, or files in them.

        Their accounts count.
        """
        runs = self.runs or project_root() / "runs"
        return (runs / self.study.name / self.collection / get_model(self.model).name).glob(pattern)

    def needed(self) -> dict[str, Needed]:
        found = {}
        for name in collection_of(self.study, self.collection).needs:
            reading, replies = replace(self, collection=name).read()
            found[name] = Needed(reading.trials, replies)
        return found

    def plans(self, shards: Iterable[int] | None = None) -> Iterator[Plan]:
        needed = self.needed()
        limit = None if needed else self.limit  # it has taken effect already
        plan = make_plan(
            self.study, self.collection, self.profile, self.model, self.dataset, needed=needed, limit=limit
        )
        yield from map(plan.of_shard, range(self.profile.shards) if shards is None else shards)

    def read(self, shards: Iterable[int] | None = None) -> tuple[Reading, str]:
        return self._read([(plan, self.folder(plan)) for plan in self.plans(shards)])

    def _read(self, plans: Sequence[tuple[Plan, Path]]) -> tuple[Reading, str]:
        return read_replies(plans, packed=self.packed), replies_digest(folder for _, folder in plans)

    def write(self, out: Path, shards: Iterable[int] | None = None) -> Reading:
        plans = [(plan, self.folder(plan)) for plan in self.plans(shards)]
        plan, folder = plans[0]
        reading, replies = self._read(plans)
        manifest = Manifest.stored(folder)
        made_by = provenance(
            config_hash=plan.config_hash,
            reading=reading_key(plan, replies),
            replies=replies,
            model_sha256=manifest["engine"]["model_sha256"],
            seed=plan.config["seeds"][0],
            manifest=from_root(folder / "manifest.json"),
            counts=reading.counts,
            remarks=reading.remarks(),
            cannot=manifest["engine"].get("capabilities", {}).get("why", {}),
            left_out=reading.left_out,
        )
        write_parquet(reading.trials, out, {"metacog": json.dumps(made_by)})
        return reading

    def key(self) -> str:
        """Key of the replies as far as it is known before anything is asked.

        The plan's own, or for a collection that needs another's trials its settings: those replies
        come into it when they are there.
        """
        asked = collection_of(self.study, self.collection)
        if not asked.needs:
            return next(self.plans([0])).config_hash
        settings = asked.sets(settings_of(self.study, self.profile))[self.dataset]
        entry = get_model(self.model)
        prompt = load_prompt(entry.prompt_id(getattr(settings, "prompt_set", "fewshot")))
        return digest(
            [asked.settings_key(settings), prompt.key, entry.sha256, last_bits(entry, self.profile)]
        )


def targets(
    study: StudyLike,
    profile: Profile,
    *,
    collections: Sequence[str] = (),
    models: Sequence[str] = (),
    datasets: Sequence[str] = (),
    limit: int | None = None,
    runs: Path | None = None,
    packed: bool = False,
) -> list[Target]:
    """Trial tables of a study under a profile, those that others need first."""
    settings = settings_of(study, profile)
    found = []
    for name in collections or [c.name for c in study.collections]:
        asked = collection_of(study, name)
        known = asked.sets(settings)
        for dataset in datasets:
            if dataset not in known:
                asked_elsewhere(asked, study, profile, dataset)
        found += [
            Target(study, name, profile, model, dataset, limit, runs, packed)
            for model in models or models_of(study, profile)
            for dataset in datasets or known
        ]
    return found


def knowing(
    studies: Sequence[StudyLike],
    profile: Profile,
    *,
    collections: Sequence[str] = (),
    datasets: Sequence[str] = (),
) -> list[StudyLike]:
    """Those of several studies that have the collections and sets named.

    The first where none has, so that it says what there is.
    """

    def has(study: StudyLike) -> bool:
        try:
            for target in targets(study, profile, collections=collections, datasets=datasets):
                asked = collection_of(study, target.collection)
                if target.dataset not in asked.sets(settings_of(study, profile)) and not asked.needs:
                    next(iter(asked.items(asked_elsewhere(asked, study, profile, target.dataset), {})), None)
        except MetacogError:
            return False
        return True

    return [study for study in studies if has(study)] or list(studies[:1])


def trials_file(profile: str, study: str, collection: str, model: str, dataset: str) -> Path:
    """Where the workflow writes a trial table."""
    return (
        project_root() / "results" / profile / study / "trials" / collection
    ) / f"{model}.{dataset}.parquet"


def manifests(
    study: StudyLike, profile: Profile, collection: str, *, models: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Manifests of a collection's runs that have begun; of those models where some are named."""
    made = targets(study, profile, collections=[collection], models=models)
    folders = (plan.folder() for target in made for plan in target.plans())
    return [Manifest.stored(folder) for folder in folders if (folder / "manifest.json").is_file()]


def run(
    studies: Sequence[StudyLike],
    profile: Profile,
    *,
    collections: Sequence[str] = (),
    models: Sequence[str] = (),
    datasets: Sequence[str] = (),
    limit: int | None = None,
    shard: int | None = None,
    runs: Path | None = None,
    out: Path | None = None,
    receipt: Path | None = None,
    packed: bool = False,
    dry_run: bool = False,
    limits: Limits | None = None,
    ask_twice: float | None = None,
    server_wait: float | None = None,
    batch_out: Path | None = None,
    batch_in: Path | None = None,
    lock_wait: float = 0.0,
    progress: bool = True,
    echo: Callable[[str], object] = print,
) -> list[RunReport]:
    """Collect every model on every set of a profile's studies (or those named), and read the trials.

    Options are those of ``metacog collect``. ``receipt`` is a file in which to write down which replies each run
    has, once all have theirs; no trials are read then (the workflow does so itself). ``packed``: nothing is asked,
    the replies are those at hand and in packs. ``ask_twice`` and ``server_wait`` are by default those of the
    model's entry; a dry run waits for no server, and gives no reports.
    """
    if shard is not None and shard >= profile.shards:
        raise MetacogError(
            f"shard {shard} does not exist: profile {profile.name!r} has shards 0 to {profile.shards - 1}"
        )
    if out and not collections:
        studies, collections = studies[:1], [studies[0].collections[0].name]
    shards = range(profile.shards) if shard is None else [shard]
    which = {"models": models, "datasets": datasets, "limit": limit, "runs": runs, "packed": packed}
    todo = [t for s in studies for t in targets(s, profile, collections=collections, **which)]  # type: ignore[arg-type]
    if out and len(todo) * len(shards) != 1:
        raise MetacogError(
            f"--out takes the trials of one run, but this asks for {len(todo) * len(shards)}: "
            "name one model, collection and set"
        )
    if (batch_out or batch_in) and (packed or dry_run or (batch_out and batch_in)):
        raise MetacogError(
            "--batch-out and --batch-in stand alone, without --packed, --dry-run and each other"
        )
    spending = Spending(limits, (folder for target in todo for folder in target.spenders()))
    batch = Outbox(spending.budget) if batch_out else Inbox(batch_in) if batch_in else None
    terms = Terms(spending, batch, ask_twice, 0.0 if dry_run and server_wait is None else server_wait)
    if dry_run:
        _forecast(studies, profile, collections, which, shards, terms, echo)
        return []
    if packed:
        taken = [(plan, target.folder(plan)) for target in todo for plan in target.plans(shards)]
        for plan, folder in taken:
            echo(f"{plan.title}: replies of {folder.name}")
        if receipt is not None:
            write_receipt(receipt, taken)
        return []
    reports: list[RunReport] = []
    taken = []
    with Loaded(spending.open) as loaded:
        for _, sets in itertools.groupby(todo, lambda t: (t.study.name, t.collection, t.model)):
            planned = list(
                _planned(sets, shards, terms, "" if batch is None else "not in this batch yet", echo)
            )
            if not planned:
                continue
            every = [plan for _, plans in planned for plan in plans]
            total = sum(len(plan.shard_numbers) for plan in every)
            # one bar for all sets that a collection asks of a model, so that it tells of the whole step
            bar = Progress(f"collecting {every[0].title}", total, unit="items", show=progress)
            with closing(bar):
                for target, plans in planned:
                    for plan in plans:
                        reports.append(_collect_one(plan, target, loaded, bar, terms, lock_wait, echo))
                    if receipt is None and not any(report.n_left for report in reports[-len(plans) :]):
                        _write_trials(
                            target, plans[0], out or plans[0].folder(runs) / "trials.parquet", shards, echo
                        )
            taken += [(plan, plan.folder(runs)) for plan in every]
    if receipt is not None:
        write_receipt(receipt, taken)
    if batch is None:
        # what runs have taken of a model in all, earlier calls included, where something was asked now
        asked = [Manifest.stored(report.folder) for report in reports if report.n_new]
        for model, rows in run_facts(asked).groupby("model", sort=False):
            echo(f"{model}: {bill(rows)}")
    if isinstance(batch, Outbox) and batch_out:
        _write(batch, batch_out, echo)
    if isinstance(batch, Inbox) and batch_in:
        _tell(batch, batch_in, echo)
    return reports


def _forecast(
    studies: Sequence[StudyLike],
    profile: Profile,
    collections: Sequence[str],
    which: Mapping[str, Any],
    shards: Sequence[int],
    terms: Terms,
    echo: Callable[[str], object],
) -> None:
    """Say what runs would take, from a probe of each set; nothing is fetched for it, neither sets nor models."""
    spending, needs, away = terms.spending, dict[str, list[Estimate]](), set()
    with standing_in() as names:
        stood = with_sets(profile, names)
        found = {**which, "datasets": [names.get(one, one) for one in which["datasets"]]}
        todo = [one for study in studies for one in targets(study, stood, collections=collections, **found)]
        used = json.dumps([stood.studies[study.name] for study in studies])
        for name, other in names.items():
            if json.dumps(other) in used:
                echo(
                    f"{name} is not here yet: counted with as many items of {other.partition(' ')[0]} in its place"
                )
        for target, plans in _planned(todo, shards, terms, "cannot be told yet", echo):
            first, every = None, []
            for plan in plans:
                spending.turn_to(plan.entry, None)
                one = estimate(plan, plan.folder(target.runs), spending.open, first)
                first = first or (one if one.n_probed else None)
                every.append(one)
                job = f"{target.study.name} {target.collection}: {target.model}, shard {plan.config['shard'][0]}"
                needs.setdefault(job, []).append(one)
                away |= {plan.entry.name} if one.probed else set()
            echo(in_shards(every).text())
    together = all_told([one for sets in needs.values() for one in sets])
    for model in sorted(away):
        size = file_size(get_model(model)) / 1e9
        echo(
            f"{model} is not here yet: {'an unknown size' if math.isnan(size) else f'{size:.1f} GB'} to be fetched"
        )
    for line in [*filter(None, [together]), *needs_of_jobs(needs)]:
        echo(line)


def read_again(
    studies: Sequence[StudyLike], profile: Profile, *, echo: Callable[[str], object] = print, **which: Any
) -> None:
    """Read trials again from the replies that were collected, of the targets chosen as by :func:`targets`."""
    for study in studies:
        for target in targets(study, profile, **which):
            out = trials_file(profile.name, study.name, target.collection, target.model, target.dataset)
            reading = target.write(out)
            for remark in reading.remarks():
                echo(f"{target.collection}: {target.model} on {target.dataset}: {remark}")
            echo(f"{len(reading.trials)} trials -> {out}")


def _planned(
    sets: Iterable[Target], shards: Sequence[int], terms: Terms, excuse: str, echo: Callable[[str], object]
) -> Iterator[tuple[Target, list[Plan]]]:
    """Targets with their plans; with an excuse, those that need replies which are not there yet are passed over."""
    for target in sets:
        try:
            yield target, [terms.plan(plan) for plan in target.plans(shards)]
        except MetacogError as error:
            if not excuse or not collection_of(target.study, target.collection).needs:
                raise
            echo(f"{target.collection}: {target.model} on {target.dataset}: {excuse} ({error})")


def _write_trials(
    target: Target, plan: Plan, table: Path, shards: Sequence[int], echo: Callable[[str], object]
) -> None:
    reading = target.write(table, shards)
    for remark in reading.remarks():
        echo(f"{plan.title}: {remark}")
    echo(f"{plan.title}: {len(reading.trials)} trials -> {table}")


def known_packs() -> list[Path]:
    return sorted((project_root() / "data" / "replies").glob("*.zip"))


def _collect_one(
    plan: Plan,
    target: Target,
    loaded: Loaded,
    bar: Progress,
    terms: Terms,
    lock_wait: float,
    echo: Callable[[str], object],
) -> RunReport:
    report = collect(
        plan,
        plan.folder(target.runs),
        models=loaded,
        bar=bar,
        packs=known_packs(),
        spending=terms.spending,
        batch=terms.batch,
        wait=lock_wait,
    )
    if report.left_out:
        after_all = f"to have it asked after all, delete {from_root(report.folder)}"
        echo(f"{plan.title}: left out ({report.left_out}; {after_all})")
        return report
    for part in report.damaged:
        echo(f"part {part} was damaged and has been collected again")
    if report.changed:
        echo(f"{len(report.changed)} blocks would now be asked in another way and have been collected again")
    left = f", {report.n_left} wait for a batch" if report.n_left else ""
    echo(f"{plan.title}: {report.n_items} items ({report.n_new} new{left}) in {report.seconds:.0f} s")
    return report


def write_receipt(receipt: Path, taken: Sequence[tuple[Plan, Path]]) -> None:
    """Write down which replies the runs of a step hold, for the workflow; at its end, and whole or not at all."""
    facts = {
        plan.dataset: {
            "folder": from_root(folder),
            "config_hash": plan.config_hash,
            "replies": replies_digest([folder]),
        }
        for plan, folder in taken
    }
    with replacing(receipt) as handle:
        handle.write(json.dumps(facts, indent=1) + "\n")
