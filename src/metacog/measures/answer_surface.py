"""How much of confidence could be read from the surface of an answer, or from other models' confidence?

The mean log-probability of an answer's words goes with how long the answer is and how rare its words are, and so does
being right. Neither needs a model that knows anything. :func:`surface_controls` says what is left of confidence, for
each model and temperature, beyond length, beyond word rarity, beyond both, beyond other models' confidence in their own
answers to the same questions, and beyond all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pandas as pd
from numpy.typing import ArrayLike

from metacog.measures.answer_words import WordTable, word_table
from metacog.measures.beyond_controls import COLUMNS, beyond_controls
from metacog.measures.panel import FEW, MIN_OF_CLASS, SILENT
from metacog.sdt import InputError, auroc2_interval
from metacog.sdt.correlation import spearman

LENGTH, RARITY, SURFACE, OTHERS, ALL = (
    "length",
    "word rarity",
    "length and rarity",
    "other models",
    "all of these",
)
#: Signals of each control.
CONTROLS = {
    LENGTH: (LENGTH,),
    RARITY: (RARITY,),
    SURFACE: (LENGTH, RARITY),
    OTHERS: (OTHERS,),
    ALL: (LENGTH, RARITY, OTHERS),
}
#: Share of a model's questions that another model must have answered to be one of the others.
LEAST_SHARED = 0.5
LEFT_COLUMNS = ("model", "temperature", "n_others", "n_left_out", *COLUMNS)
FEATURE_COLUMNS = (
    "model",
    "temperature",
    "feature",
    "n",
    "auroc2",
    "auroc2_lower",
    "auroc2_upper",
    "rho",
    "flag",
)
KNOWN_COLUMNS = ("model", "temperature", "share")
#: Features of an answer, in the direction in which right answers are expected.
SHORTER, BRIEFER, COMMONER = "fewer tokens", "fewer characters", "commoner words"


@dataclass(frozen=True)
class SurfaceControls:
    """What the surface says, and what is left of confidence beyond it.

    Attributes
    ----------
    left : DataFrame
        Columns :data:`LEFT_COLUMNS`: one row for each model, temperature and control, see
        :func:`metacog.measures.beyond_controls.beyond_controls`. ``n_others`` other models stand for themselves;
        ``n_left_out`` answers have no confidence, or one of the others has none for the question. All controls are on
        the same answers. Without other models their rows are not there. A model none of whose answers at a
        temperature has a confidence is none of the others, and its rows have no values.
    features : DataFrame
        Columns :data:`FEATURE_COLUMNS`: AUROC2 of each single feature as it is, so that a value below one half means
        that right answers go with the other end, and ``rho``, Spearman's correlation of the feature with confidence.
    known : DataFrame
        ``model, temperature, share``: of the answers, those all of whose words are in the word table.
    """

    left: pd.DataFrame = field(repr=False)
    features: pd.DataFrame = field(repr=False)
    known: pd.DataFrame = field(repr=False)


def surface_controls(
    trials: pd.DataFrame,
    *,
    model: str = "model",
    item: str = "question_id",
    temperature: str = "temperature",
    correct: str = "correct",
    confidence: str = "nlp",
    answer: str = "answer",
    tokens: str = "n_tokens",
    words: WordTable | None = None,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
    level: float = 0.95,
) -> SurfaceControls:
    """What is left of each model's confidence at each temperature beyond the surface of its answers.

    Parameters
    ----------
    trials : DataFrame
        One row for each model, item and temperature. Answers without a confidence are left out and counted.
    model, item, temperature, correct, confidence, answer, tokens : str
        Names of columns; ``answer`` holds texts, ``tokens`` the number of tokens that confidence is the mean of.
    words : WordTable, optional
        The committed table of English words without it.
    n_resamples, n_permutations, seed, level
        See :func:`metacog.measures.beyond_controls.beyond_controls`.

    Returns
    -------
    SurfaceControls

    Raises
    ------
    InputError
        A column that is missing, no trial, or a model that answers an item twice at one temperature.
    """
    wanted = (model, item, temperature, correct, confidence, answer, tokens)
    if absent := [name for name in wanted if name not in trials]:
        raise InputError(f"the trials have no column {', '.join(absent)}")
    if trials.empty:
        raise InputError("there are no trials")
    if repeated := int(trials.duplicated([model, item, temperature]).sum()):
        raise InputError(
            f"{repeated:,} trials repeat an item of one model at one temperature; keep one of each"
        )
    table = word_table() if words is None else words
    texts = trials[answer].fillna("").astype(str)
    rows = pd.DataFrame(
        {
            "model": trials[model].astype(str),
            "item": trials[item].astype(str),
            "temperature": trials[temperature].astype(float),
            "correct": trials[correct].astype(float),
            "confidence": trials[confidence].astype(float),
            "tokens": trials[tokens].astype(float),
            "characters": texts.str.len().astype(float),
            "rarest": table.rarest(texts),
            "known": table.all_known(texts),
        }
    )
    left, features = [], []
    drawn: dict[str, Any] = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
    for _, own in rows.groupby(["model", "temperature"], sort=False):
        name, at = str(own["model"].iloc[0]), float(own["temperature"].iloc[0])
        others = _others_of(rows, name, at, own["item"])
        own = own.set_index("item")
        flag = FEW
        if own["confidence"].isna().all():
            flag = SILENT
            others = others.iloc[
                :, : 0 if others.shape[1] < 2 else None
            ]  # a control where two others have it too
        kept = own[own["confidence"].notna() & others.notna().all(axis=1)]
        others = others.loc[kept.index]
        labels = {"model": name, "temperature": at}
        counts = {"n_others": others.shape[1], "n_left_out": len(own) - len(kept)}
        features += [labels | one for one in _features(kept, others, flag, level)]
        found = _left(kept, others, flag, level, drawn)
        left += [labels | counts | row for row in found.to_dict("records")]
    answered = rows[rows["confidence"].notna()]
    known = (
        answered.groupby(["model", "temperature"], sort=False)["known"].mean().rename("share").reset_index()
    )
    return SurfaceControls(
        _in_order(left, LEFT_COLUMNS, rows),
        _in_order(features, FEATURE_COLUMNS, rows),
        _in_order(known.to_dict("records"), KNOWN_COLUMNS, rows),
    )


def _others_of(rows: pd.DataFrame, model: str, temperature: float, items: pd.Series) -> pd.DataFrame:
    """Confidence of the other models at a temperature, items by models."""
    there = rows[(rows["model"] != model) & (rows["temperature"] == temperature)]
    wide = there.pivot(index="item", columns="model", values="confidence").reindex(items)
    return wide.loc[:, wide.notna().mean() >= LEAST_SHARED]


def _left(
    kept: pd.DataFrame, others: pd.DataFrame, flag: str, level: float, drawn: dict[str, Any]
) -> pd.DataFrame:
    controls = {name: parts for name, parts in CONTROLS.items() if others.shape[1] or OTHERS not in parts}
    signals: dict[str, ArrayLike] = {
        LENGTH: kept[["tokens", "characters"]].to_numpy(),
        RARITY: kept["rarest"].to_numpy(),
    }
    if others.shape[1]:
        signals[OTHERS] = others.to_numpy()
    if kept.empty:
        rows = [{"control": name, "n": 0, "n_wrong": 0, "flag": flag} for name in controls]
        return pd.DataFrame(rows, columns=list(COLUMNS))
    right, sure = kept["correct"].to_numpy(), kept["confidence"].to_numpy()
    return beyond_controls(right, sure, signals, controls, level=level, **drawn)


def _features(kept: pd.DataFrame, others: pd.DataFrame, flag: str, level: float) -> list[dict[str, Any]]:
    """AUROC2 of single features, and how each goes with confidence."""
    scores = {
        SHORTER: -kept["tokens"],
        BRIEFER: -kept["characters"],
        COMMONER: kept["rarest"],
        **{f"confidence of {name}": others[name] for name in others},
    }
    hits = kept["correct"].to_numpy() > 0
    few = min(hits.sum(), (~hits).sum()) < MIN_OF_CLASS
    made = []
    for name, score in scores.items():
        row: dict[str, Any] = {"feature": name, "n": len(kept), "flag": flag if few else ""}
        if not few:
            area = auroc2_interval(hits, score.to_numpy(), level=level)
            rho = float(spearman(score, kept["confidence"]))
            row |= {
                "auroc2": area.estimate,
                "auroc2_lower": area.lower,
                "auroc2_upper": area.upper,
                "rho": rho,
            }
        made.append(row)
    return made


def _in_order(
    made: Sequence[Mapping[Any, Any]], columns: tuple[str, ...], rows: pd.DataFrame
) -> pd.DataFrame:
    """By model as the trials have them, then by temperature."""
    order = {name: i for i, name in enumerate(dict.fromkeys(rows["model"]))}
    return pd.DataFrame(made, columns=list(columns)).sort_values(
        ["model", "temperature"],
        key=lambda c: c.map(order) if c.name == "model" else c,
        kind="stable",
        ignore_index=True,
    )
