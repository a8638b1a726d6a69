"""Forms of asking compared on the same items: asked in stages by the clock, and swapped by chance.

What `prompt_form.py` and `two_choice_forms.py` share. A form is a profile; its shards are the stages.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from recording import Given, parsed

from metacog.collect import jobs
from metacog.collect.jobs import Target
from metacog.collect.models import get_model
from metacog.core.config import Profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study


def given_stages(script: str, out: Path, models: Sequence[str], resamples: int, /, **options: Any) -> Given:
    """The options of a comparison; ``stage`` items of a set or task are asked in each of ``stages``."""
    of = {"nargs": "+", "default": list(models)}
    swaps = {"type": int, "default": 0, "metavar": "N", "help": "swap the forms N times; ask nothing"}
    runs = {"type": Path, "help": "folder of runs [default: runs/]"}
    return parsed(script, out=out, runs=runs, swaps=swaps, resamples=resamples, models=of, **options)


def table_of(
    given: Given,
    study: str,
    collection: str,
    profiles: Mapping[str, Profile],
    answers: Callable[..., pd.DataFrame],
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """Ask all forms in stages: the answers of those that are whole, and facts about them."""
    collect(study, collection, profiles, given.models, given.runs, given.minutes)
    found = targets(study, collection, profiles, given.models, given.runs)
    stages = whole(found, given.stages)
    if not stages:
        raise SystemExit("no stage was asked in full: give it more --minutes")
    table = answers(found, stages)
    files = {model: get_model(model).sha256 for model in given.models}
    return table, {"asked_of_each": given.stage * stages, "answers": len(table), "model_sha256": files}


def collect(
    study: str,
    collection: str,
    profiles: Mapping[str, Profile],
    models: Sequence[str],
    runs: Path | None,
    minutes: float,
) -> None:
    """Ask stage by stage; none begins after these minutes."""
    end = time.monotonic() + 60 * minutes
    stages = next(iter(profiles.values())).shards
    for stage in range(stages):
        if time.monotonic() > end or not minutes:
            return
        for profile in profiles.values():
            jobs.run(
                [get_study(study)],
                profile,
                collections=[collection],
                models=models,
                shard=stage,
                runs=runs,
                progress=False,
                echo=lambda text: None,
            )
        print(f"stage {stage + 1} of {stages} is asked", flush=True)


def targets(
    study: str, collection: str, profiles: Mapping[str, Profile], models: Sequence[str], runs: Path | None
) -> list[tuple[str, Target]]:
    """Each form with its runs, one for each model and set."""
    which: dict[str, Any] = {"collections": [collection], "models": models, "runs": runs}
    return [
        (form, target)
        for form, profile in profiles.items()
        for target in jobs.targets(get_study(study), profile, **which)
    ]


def whole(found: Sequence[tuple[str, Target]], stages: int) -> int:
    """How many stages, from the first on, all models have answered in all forms."""
    for stage in range(stages):
        try:
            for _, target in found:
                target.read([stage])
        except MetacogError:
            return stage
    return stages


def swapped(
    table: pd.DataFrame,
    forms: tuple[str, str],
    item: Sequence[str],
    differ: Callable[..., pd.DataFrame],
    *,
    n: int,
    n_resamples: int,
    seed: int = 42,
) -> pd.DataFrame:
    """How often a rule finds that two forms differ which were swapped by chance, an item with all its answers.

    ``differ`` gives a row a model and measure, whether it was ``judged`` and whether the forms ``differs``.
    """
    rng, found = np.random.default_rng(seed), []
    unit = table.groupby(list(item)).ngroup().to_numpy()
    other = table["form"].map(dict(zip(forms, reversed(forms), strict=True)))
    for _ in range(n):
        moved = (rng.random(unit.max() + 1) < 0.5)[unit]
        answers = table.assign(form=table["form"].mask(moved, other))
        found.append(differ(answers, n_resamples=n_resamples, seed=int(rng.integers(2**31))))
    grouped = pd.concat(found).groupby(["model", "measure"], sort=False)
    return grouped.agg(swaps=("judged", "sum"), differ=("differs", "sum")).reset_index()
