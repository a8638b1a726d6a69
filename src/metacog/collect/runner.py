"""The resumable runner: questions in, parts and a manifest out, trials put together at the end.

Work is cut into blocks of questions. A block's schedule depends on the configuration alone, so a
run that was interrupted anywhere and resumed gives the same trials as one that was not. A part is
written atomically and then vouched for in the manifest; whatever the manifest does not vouch for
is collected again.
"""

from __future__ import annotations

import inspect
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.collect.lock import exclusive
from metacog.collect.manifest import Manifest
from metacog.collect.models import ModelEntry, get_model, locate
from metacog.collect.prompts import Prompt, load_prompt
from metacog.collect.questions import Question, load_questions
from metacog.collect.scoring import mark
from metacog.core.config import Profile, digest
from metacog.core.errors import MetacogError
from metacog.core.progress import Progress
from metacog.core.provenance import commit, versions
from metacog.engines.base import Engine, Generation, Sample
from metacog.trials import COLUMNS, validate, write_parquet

#: Temperatures of the main study; their places are the temperature indices of its seeds.
PAPER_TEMPERATURES = (0.1, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0)


def temperature_index(temperature: float, temperatures: Sequence[float]) -> int:
    """Place of a temperature in the main study's list; others follow after it, in rising order."""
    if temperature in PAPER_TEMPERATURES:
        return PAPER_TEMPERATURES.index(temperature)
    others = sorted(set(temperatures) - set(PAPER_TEMPERATURES))
    return len(PAPER_TEMPERATURES) + others.index(temperature)


@dataclass(frozen=True)
class Plan:
    """Everything that determines the trials of one model on one question set (and shard).

    Attributes
    ----------
    entry : ModelEntry
    prompt : Prompt
    dataset : str
    questions : list of Question
        All selected questions of the set, in shuffled order.
    blocks : list of int
        Block numbers of this shard.
    config : dict
        What is hashed; :attr:`config_hash` names the run's folder.
    """

    profile: Profile
    entry: ModelEntry
    prompt: Prompt
    dataset: str
    questions: list[Question]
    blocks: list[int]
    config: dict[str, Any]

    @property
    def config_hash(self) -> str:
        """Short hash of :attr:`config`."""
        return digest(self.config)

    def block(self, number: int) -> list[Question]:
        """Questions of one block."""
        size = self.profile.block_questions
        return self.questions[number * size : (number + 1) * size]

    @property
    def n_trials(self) -> int:
        """Number of trials of this shard."""
        return sum(len(self.block(b)) for b in self.blocks) * len(self.profile.temperatures)

    def samples(self, question: Question) -> tuple[Sample, ...]:
        """The draws wanted of one question: seed = question index x 1000 + temperature index."""
        temperatures = self.profile.temperatures
        return tuple(
            Sample(t, question.index * 1000 + temperature_index(t, temperatures)) for t in temperatures
        )


def make_plan(
    profile: Profile, model: str, dataset: str, *, shard: int = 0, limit: int | None = None
) -> Plan:
    """Work out what is to be collected; loads no model.

    Parameters
    ----------
    profile : Profile
    model, dataset : str
        Registry names, or a path of a GGUF file or question file.
    shard : int
        Which of ``profile.shards`` contiguous ranges of blocks.
    limit : int, optional
        Use only the first questions; overrides the profile's own limit.
    """
    entry = get_model(model)
    prompt = load_prompt(entry.prompt_id(profile.prompt_set))
    limit = limit or profile.datasets.get(dataset, {}).get("limit")
    questions = load_questions(dataset, shuffle_seed=profile.shuffle_seed, limit=limit)
    n_blocks = math.ceil(len(questions) / profile.block_questions)
    start, stop = (n_blocks * k // profile.shards for k in (shard, shard + 1))
    config = {
        "study": "cacioli",
        "model": entry.name,
        "model_sha256": entry.sha256,
        "source": entry.source,
        "settings": entry.settings or {},
        "prompt": asdict(prompt),
        "dataset": dataset,
        "questions": digest([(q.id, q.question, q.accepted, q.domain) for q in questions]),
        "n_questions": len(questions),
        "temperatures": profile.temperatures,
        "max_tokens": profile.max_tokens,
        "count_stop_token": profile.count_stop_token,
        "shuffle_seed": profile.shuffle_seed,
        "block_questions": profile.block_questions,
        "engine": profile.engine,
        "shard": [shard, profile.shards],
    }
    return Plan(profile, entry, prompt, dataset, questions, list(range(start, stop)), config)


def open_engine(entry: ModelEntry, settings: dict[str, Any] | None = None) -> Engine:
    """Load a model: llama.cpp for a GGUF file, a client for an endpoint."""
    options = {**(settings or {}), **(entry.settings or {})}
    if entry.is_endpoint:
        from metacog.engines.endpoint import EndpointEngine

        return EndpointEngine.from_entry(entry, **options)
    from metacog.engines.llama import LlamaEngine

    path, sha256 = locate(entry)
    unknown = set(options) - set(inspect.signature(LlamaEngine).parameters)
    if unknown:
        raise MetacogError(f"the llama.cpp engine has no setting {', '.join(sorted(unknown))}")
    return LlamaEngine(path, sha256=sha256, **options)


def trial_rows(plan: Plan, questions: Sequence[Question], answers: list[list[Generation]]) -> pd.DataFrame:
    """Mark a block's generations and lay them out as trials."""
    rows = []
    for question, generations in zip(questions, answers, strict=True):
        for sample, made in zip(plan.samples(question), generations, strict=True):
            verdict = mark(made.text, question.accepted)
            nlp = made.nlp
            rows.append(
                {
                    "study": "cacioli",
                    "model": plan.entry.name,
                    "dataset": plan.dataset,
                    "question_id": question.id,
                    "question_index": question.index,
                    "domain": question.domain,
                    "temperature": float(sample.temperature),
                    "seed": sample.seed,
                    "prompt_id": plan.prompt.id,
                    "text": made.text,
                    "answer": verdict.answer,
                    "n_tokens": made.n_tokens,
                    "sum_logprob": made.sum_logprob if made.n_tokens else math.nan,
                    "nlp": nlp,
                    "confidence": math.exp(nlp) if made.n_tokens else math.nan,
                    "correct": verdict.correct,
                    "match": verdict.match,
                    "similarity": verdict.similarity,
                    "matched_alias": verdict.matched_alias,
                    "refusal": verdict.refusal,
                    "truncated": made.truncated,
                    "preamble": verdict.preamble,
                    "tier": question.tier or 0,
                    "stop_logprob": math.nan if made.stop_logprob is None else made.stop_logprob,
                }
            )
    table = pd.DataFrame(rows)
    for column in ("sum_logprob", "nlp", "confidence", "similarity", "stop_logprob"):
        table[column] = table[column].astype("float64")
    return table


@dataclass(frozen=True)
class RunReport:
    """What a call of :func:`collect` did."""

    folder: Path
    n_trials: int
    n_new: int
    n_kept: int
    damaged: list[str]
    seconds: float


def collect(
    plan: Plan,
    folder: Path,
    *,
    engine: Engine | None = None,
    progress: bool = True,
    opener: Callable[[ModelEntry, dict[str, Any] | None], Engine] = open_engine,
) -> RunReport:
    """Collect what is still missing of a plan.

    Parameters
    ----------
    plan : Plan
    folder : Path
        The run's folder. Parts already there are verified and kept.
    engine : Engine, optional
        A loaded engine; by default the plan's model is loaded (only if anything is missing).
    progress : bool
        Show a bar with rate and time left.

    Returns
    -------
    RunReport

    Raises
    ------
    MetacogError
        If another process holds the folder, the model cannot be loaded, or the disk is full.
        Finished parts stay; the same call goes on from there.
    """
    started = time.time()
    with exclusive(folder):
        manifest = Manifest(folder, plan.config, plan.config_hash)
        whole, damaged = manifest.verify()
        todo = [b for b in plan.blocks if b not in whole]
        n_samples = len(plan.profile.temperatures)
        kept = sum(len(plan.block(b)) for b in plan.blocks if b in whole) * n_samples
        if todo:
            own = engine is None
            what = f"collecting {plan.entry.name} on {plan.dataset}"
            bar = Progress(what, plan.n_trials, kept, show=progress)
            engine = engine or opener(plan.entry, plan.profile.engine)
            info = engine.info
            manifest.data.update(
                status="running",
                engine={**asdict(info), "versions": {**versions(), **info.versions}},
                commit=commit(),
            )
            session: dict[str, Any] = {"started": round(started, 1), "cpus": os.cpu_count(), "trials": 0}
            manifest.data["sessions"].append(session)
            manifest.save()
            bar.begin()
            try:
                for block in todo:
                    begun = time.perf_counter()
                    questions = plan.block(block)
                    tasks = [plan.prompt.task(q.question, plan.samples(q), engine) for q in questions]
                    answers = engine.generate(
                        tasks,
                        max_tokens=plan.profile.max_tokens,
                        stop=plan.prompt.stop,
                        count_stop_token=plan.profile.count_stop_token,
                    )
                    table = trial_rows(plan, questions, answers)
                    write_parquet(table, manifest.part_path(block), {"config_hash": plan.config_hash})
                    session["trials"] += len(table)
                    session["seconds"] = round(time.time() - started, 1)
                    manifest.add_part(block, len(table), time.perf_counter() - begun)
                    bar.update(len(table))
            finally:
                bar.close()
                if own:
                    engine.close()
        if manifest.data["status"] != "complete":
            manifest.data["status"] = "complete"
            manifest.data["n_trials"] = plan.n_trials
            manifest.save()
    return RunReport(folder, plan.n_trials, plan.n_trials - kept, kept, damaged, time.time() - started)


def assemble(plan: Plan, folder: Path) -> pd.DataFrame:
    """Put a finished run's parts together: one row a trial, checked, in question order.

    Raises
    ------
    MetacogError
        If a part is missing, or rows do not come to questions x temperatures.
    """
    manifest = Manifest(folder, plan.config, plan.config_hash)
    missing = [b for b in plan.blocks if not manifest.part_path(b).is_file()]
    if missing:
        raise MetacogError(
            f"{folder}: {len(missing)} of {len(plan.blocks)} parts are missing; run `metacog collect`"
        )
    trials = pd.concat([pd.read_parquet(manifest.part_path(b)) for b in plan.blocks], ignore_index=True)
    if len(trials) != plan.n_trials:
        raise MetacogError(f"{folder}: {len(trials)} trials, expected {plan.n_trials}")
    extra = [c for c in trials.columns if c not in COLUMNS]
    return validate(trials[[*COLUMNS, *extra]])
