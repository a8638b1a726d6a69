"""Trials of a study as readers look them up: the question, the answer, the confidence, the mark."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.plan import collection_of, settings_of
from metacog.core.errors import MetacogError
from metacog.studies.contributions import TRIAL_COLUMNS
from metacog.studies.study import Inputs

#: Trials of one model and collection that are shown of a study of which only some are.
MOST = 150
#: Longer texts are cut.
MOST_LETTERS = 300


def shown_trials_of(
    inputs: Inputs,
    tasks: Mapping[str, str],
    told: Callable[[Any], tuple[str, str]],
    *,
    confidence: str = "confidence",
    place: Callable[[pd.DataFrame], pd.Series] | None = None,
    turned: Callable[[pd.DataFrame], pd.Series] | None = None,
    most: int | None = MOST,
    seed: int = 42,
) -> dict[str, Any]:
    """All trials of some collections, or ``most`` of each model and collection, drawn at random.

    ``tasks`` holds what readers call each collection, ``told`` gives an item's question and right answer, ``place``
    what tells trials of one question, model and temperature apart, ``turned`` what would turn their marks.
    """
    parts = []
    for name, task in tasks.items():
        trials = inputs.trials(name)
        texts = _texts(inputs, name, told)
        for _, own in trials.groupby("model", sort=False):
            made = _rows(own, texts, confidence, place, turned)
            some = np.random.default_rng(seed).permutation(len(made))[:most]
            parts.append(
                made.iloc[np.sort(some)].assign(study=inputs.study.title.partition(":")[0], task=task)
            )
    whole = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(TRIAL_COLUMNS))
    return {"trials": whole[list(TRIAL_COLUMNS)]}


def _texts(
    inputs: Inputs, collection: str, told: Callable[[Any], tuple[str, str]]
) -> dict[str, tuple[str, str]]:
    """Question and right answer by id, of the sets that are here."""
    found: dict[str, tuple[str, str]] = {}
    asked = collection_of(inputs.study, collection)
    for settings in asked.sets(settings_of(inputs.study, inputs.profile)).values():
        with suppress(MetacogError):
            found |= {item.id: told(item) for item in asked.items(settings, {})}
    return found


def _rows(
    own: pd.DataFrame,
    texts: Mapping[str, tuple[str, str]],
    confidence: str,
    place: Callable[[pd.DataFrame], pd.Series] | None,
    turned: Callable[[pd.DataFrame], pd.Series] | None,
) -> pd.DataFrame:
    known = own[confidence] if confidence in own else pd.Series(np.nan, own.index)
    ids = own["question_id"].astype(str)
    middle = known.groupby(own["temperature"]).transform("median")
    sure = (known > middle).astype(int).where(known.notna(), -1)
    nothing = pd.Series("", own.index)
    return pd.DataFrame(
        {
            "model": own["model"],
            "temperature": own["temperature"].astype(float),
            "question_id": ids,
            "place": place(own).astype(str) if place else nothing,
            "question": [_cut(texts.get(one, (one, ""))[0]) for one in ids],
            "key": [_cut(texts.get(one, ("", ""))[1]) for one in ids],
            "answer": [_cut(str(one)) for one in own["answer"].fillna("")],
            "right": own["correct"].astype(int),
            "confidence": known.astype(float).round(3),
            "sure": sure.astype(int),
            "turned": turned(own).astype(str) if turned else nothing,
        }
    )


def _cut(text: str) -> str:
    one_line = " ".join(text.split())
    return one_line if len(one_line) <= MOST_LETTERS else f"{one_line[: MOST_LETTERS - 1]}…"
