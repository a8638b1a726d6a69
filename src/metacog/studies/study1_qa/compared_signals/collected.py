"""Committed replies to the same questions, once for each signal: their trials, and what they took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pandas as pd

from metacog.collect.jobs import Target, targets
from metacog.collect.manifest import Manifest
from metacog.collect.packs import unpack
from metacog.collect.plan import with_signal
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.core.words import listed
from metacog.studies.study1_qa.asking.collections import OpenAnswers
from metacog.trials.signals import SIGNALS, scored

if TYPE_CHECKING:
    from metacog.studies.study import Study

#: The profile that was asked, once with each signal.
PROFILE = "signals"
#: Its replies.
PACK = "data/replies/study1-signals.zip"
#: The profile in which the same models answered the same questions at lower temperatures, and its replies.
COOL, COOL_PACK = "reference", "data/replies/study1-qa.zip"
#: All that trials are read from.
FILES = (
    PACK,
    COOL_PACK,
    *(f"config/profiles/{name}.yaml" for name in (PROFILE, COOL)),
    "config/signals.yaml",
)
READ = ("model", "signal", "question_id", "answer", "correct", "confidence", "score")
COOLED = ["model", "question_id", "temperature", "score"]
COSTS = ("model", "signal", "requests", "prompt_tokens", "answer_tokens")


@dataclass(frozen=True)
class Collected:
    """Answers of every model with every signal.

    Attributes
    ----------
    trials : DataFrame
        Trial tables, one below the other, with the columns ``signal`` and ``score``; :data:`READ` if there are none.
    costs : DataFrame
        One row per model and signal, each a mean over questions: ``requests``; tokens of the prompts as a server
        would be sent them (``prompt_tokens``); tokens written (``answer_tokens``).
    left_out : mapping of str to str
        Why a signal is missing, as where it is asked for in other words today than when the replies were collected.
    cool : DataFrame
        NLP of the models' answers to the same questions at the lowest temperature of the profile :data:`COOL`:
        ``model, question_id, temperature, score``.
    """

    trials: pd.DataFrame
    costs: pd.DataFrame
    left_out: Mapping[str, str]
    cool: pd.DataFrame


def collected(study: Study) -> Collected:
    """Read the committed replies of :data:`PROFILE`, whatever lies in the clone's own runs."""
    profile = load_profile(PROFILE)
    trials: list[pd.DataFrame] = []
    costs: list[tuple[object, ...]] = []
    lacking: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        unpack(project_root() / PACK, Path(folder))
        for signal in SIGNALS:
            asked = with_signal(profile, [study], signal)
            for target in targets(study, asked, collections=[OpenAnswers.name], runs=Path(folder)):
                try:
                    reading, _ = target.read()
                except MetacogError:
                    lacking.setdefault(signal, []).append(target.model)
                    continue
                trials.append(scored(reading.trials))
                costs.append((target.model, signal, *_cost(target)))
    left_out = {
        signal: f"the book has no replies of {listed(models)} to it" for signal, models in lacking.items()
    }
    together = pd.concat(trials, ignore_index=True) if trials else pd.DataFrame(columns=list(READ))
    return Collected(
        together, pd.DataFrame(costs, columns=list(COSTS)), left_out, _cool(study, profile.models)
    )


def _cool(study: Study, models: Sequence[str]) -> pd.DataFrame:
    """NLP at the lowest temperature; of the models whose replies answer what is asked today."""
    found: list[pd.DataFrame] = []
    with TemporaryDirectory() as folder:
        unpack(project_root() / COOL_PACK, Path(folder))
        asked = load_profile(COOL)
        for target in targets(study, asked, collections=[OpenAnswers.name], runs=Path(folder)):
            if target.model in models:
                try:
                    trials = scored(target.read()[0].trials)
                except MetacogError:
                    continue
                found.append(trials[trials["temperature"] == trials["temperature"].min()])
    return pd.concat(found, ignore_index=True)[COOLED] if found else pd.DataFrame(columns=COOLED)


def _cost(target: Target) -> tuple[float, float, float]:
    manifests = [Manifest.stored(target.folder(plan)) for plan in target.plans()]
    n_items = sum(one["n_items"] for one in manifests)
    parts: list[Mapping[str, Any]] = [part for one in manifests for part in one["parts"].values()]
    # a server's count of what it read is that of the prompts as they were sent
    sent = sum(part.get("tokens_sent", part["tokens_read"]) for part in parts)
    return (
        sum(part["rows"] for part in parts) / n_items,
        sent / n_items,
        sum(part["tokens_written"] for part in parts) / n_items,
    )
