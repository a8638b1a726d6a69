"""How much of confidence could be read from the surface of an answer, or from other models' confidence?

The mean log-probability of an answer's words goes with how long the answer is and how rare its words are, and so does
being right. Neither needs a model that knows anything. :func:`surface_controls` says what is left of confidence, for
each model and temperature, beyond length, beyond word rarity, beyond both, beyond other models' confidence in their own
answers to the same questions, and beyond all of it.

What confidence says of right and wrong beyond other things that are known of an answer.

Confidence may tell right answers from wrong ones only because both go with something that anyone could see of an
answer, such as its length: a control. How well the control does by itself, and what is left of confidence among
answers that are alike in it, is measured as an area (AUROC2) and in bits.

How rare the words of an answer are, by a committed table of word frequencies.

The table (``data/words``) holds English words with their Zipf frequency to one decimal: the base-10 logarithm of
how often a word occurs in a thousand million words (van Heuven, Mandera, Keuleers & Brysbaert 2014, Q J Exp Psychol
67, 1176-1190). Words that are not in it are as rare as its rarest, the floor.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.core.frames import ended, with_ends
from metacog.core.paths import project_root
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS, SILENT
from metacog.measures.remainder import last_gain, share_of_gain
from metacog.sdt import InputError, auroc2_interval, permutation_p
from metacog.sdt.checks import FloatArray
from metacog.sdt.correlations import spearman
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import (
    FEWEST_OF_A_CLASS,
    NestedGains,
    OneStepGain,
    checked_signals,
    nested_gains,
)
from metacog.sdt.repeated_draws import cross_fitted
from metacog.sdt.resampling import weight_chunks
from metacog.sdt.within_strata import StratifiedAnswers, few_levels

#: The table; analyses that use it name this file.
TABLE = "data/words/english.txt.gz"
#: Runs of letters, with apostrophes inside, or of digits.
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")


@dataclass(frozen=True)
class WordTable:
    """Zipf frequencies of words.

    Attributes
    ----------
    zipf : dict
        By word in lower case; a number of several digits by as many zeros.
    floor : float
        The lowest of them, which unknown words get.
    """

    zipf: dict[str, float] = field(repr=False)
    floor: float

    def of(self, word: str) -> float | None:
        """Zipf frequency of a word as it is written; None if it is not in the table.

        Looked for as it is, without a possessive 's, and without accents, in this order; numbers by how many digits
        they have.
        """
        plain = word.casefold().replace("’", "'")
        if plain.isdigit():
            return self.zipf.get(plain if len(plain) == 1 else "0" * len(plain))
        for form in (plain, plain.removesuffix("'s"), _unaccented(plain.removesuffix("'s"))):
            if form in self.zipf:
                return self.zipf[form]
        return None

    def rarest(self, answers: Iterable[str]) -> NDArray[np.float64]:
        """Zipf frequency of the rarest word of each answer; the floor for an answer without words.

        The rarest word is a word of content wherever there is one: the commonest words are the grammatical ones.
        """
        found = (
            [self.floor if (z := self.of(word)) is None else z for word in words_of(one)] for one in answers
        )
        return np.array([min(each, default=self.floor) for each in found], dtype=np.float64)

    def all_known(self, answers: Iterable[str]) -> NDArray[np.bool_]:
        """Whether every word of each answer is in the table."""
        return np.array([all(self.of(word) is not None for word in words_of(one)) for one in answers])


def words_of(text: str) -> list[str]:
    """Words and numbers of a text, in order."""
    return _WORD.findall(unicodedata.normalize("NFC", text))


@cache
def word_table() -> WordTable:
    """The committed table.

    Raises
    ------
    MetacogError
        If its file is missing or not what it should be.
    """
    path = project_root() / TABLE
    try:
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        zipf = {word: float(line.split(" ", 1)[0]) for line in lines for word in line.split(" ")[1:]}
    except (OSError, EOFError, UnicodeDecodeError, ValueError) as error:
        raise MetacogError(
            f"{TABLE} is missing or damaged ({error}): restore it from the repository"
        ) from None
    if not zipf:
        raise MetacogError(f"{TABLE} holds no word: restore it from the repository")
    return WordTable(zipf, min(zipf.values()))


def _unaccented(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))


N_FOLDS = 10
#: Strata of about equally many answers by the probability of being right that a control gives them.
N_STRATA = 10
NO_SHARE = "the interval of the information contains 0, so that there is no share"
COLUMNS = (
    "control",
    "n",
    "n_wrong",
    *with_ends("auroc2", "alone"),
    "n_strata",
    "n_empty_strata",
    "n_pairs",
    "within",
    *with_ends("alike"),
    "alike_null",
    "p_value",
    "entropy",
    *with_ends("information"),
    "control_information",
    *with_ends("remaining"),
    "remaining_null",
    "remaining_p",
    "meta_i2r",
    *with_ends("meta_i2r_left", "share"),
    "flag",
)


def beyond_controls(
    correct: ArrayLike,
    confidence: ArrayLike,
    signals: Mapping[str, ArrayLike],
    controls: Mapping[str, Sequence[str]],
    *,
    n_strata: int = N_STRATA,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
) -> pd.DataFrame:
    """What is left of confidence beyond each of several controls, one answer per question.

    Parameters
    ----------
    correct : array of 0/1, shape ``(n,)``
    confidence : array, shape ``(n,)``
        Only its order matters.
    signals : mapping of str to array, shape ``(n,)`` or ``(n, k)``
        What is known of each answer.
    controls : mapping of str to sequence of str
        Names of the signals that each control consists of.
    n_strata : int
    n_resamples, n_permutations : int
        Of answers, and of right and wrong within strata.
    seed : int

    Returns
    -------
    DataFrame
        Columns :data:`COLUMNS`, one row per control, NaN where nothing is estimated and ``flag`` says why.

        ``auroc2`` of confidence and ``alone`` that of the control: of the probability of being right that a model
        fitted to the other questions gives each answer from the control's signals. ``within``: ``auroc2`` of
        confidence among pairs of answers of one of ``n_strata`` strata of that probability, ``n_pairs`` in all.
        ``alike``: the same of what the control does not predict of confidence; ``alike_null`` and ``p_value``
        (one-sided) when right and wrong are permuted within strata.

        In bits: ``information`` I(right; confidence), ``control_information`` I(right; control), ``remaining``
        I(right; confidence | control) with the null mean and one-sided p of its one-step form. ``meta_i2r`` and
        ``meta_i2r_left`` are information and remaining as shares of ``entropy`` = H(right), ``share`` = remaining /
        information.

    Raises
    ------
    InputError
        A control without a signal or with an unknown one; fewer than two strata, resamples or permutations; arrays of
        different length or with missing values.

    Notes
    -----
    A control of many values becomes strata by its cross-fitted probability (:func:`metacog.sdt.repeated_draws`). The
    area within strata is that of a covariate-adjusted ROC curve, weighed by pairs (Janes & Pepe 2009, Biometrika 96,
    371-382). Answers of one stratum still differ in the control, and the probability is known with error, so
    confidence that reads nothing but the control keeps some order among them (``within``). So what the control
    predicts of confidence (of its normal scores, by a regression on other questions' answers) is taken off it: among
    answers that are the same in the control nothing changes, and errors of the strata and of that prediction matter
    only as their product (Robinson 1988, Econometrica 56, 931-954; Shah & Peters 2020, Annals of Statistics 48,
    1514-1538).

    Shares can exceed 1: a control can hide what confidence says, and given it there is less left to be known. A control
    that predicts badly leaves much, whether the fault is the control's or the model's; what is left is an upper bound
    of what nobody could see from it. Intervals of bits and shares rest on the spread of gains over answers.

    In simulated runs (``data/simulations/surface_controls.csv``) of answerers that read the surface alone, what they
    know alone, or both, ``alike`` is too small by up to .007 with 328 questions and .005 with 1,304; its
    intervals hold the truth in 95 to 98 %. Shares are off by up to .03 and .007, held in 91 to 100 %. Of confidence
    that reads nothing but the control p is at most .05 in 2 to 4 % of runs.
    """
    hits = np.asarray(correct, dtype=np.float64)
    names, values = checked_signals(signals, hits.size)
    known = dict(zip(names, values, strict=True))
    for control, parts in controls.items():
        if not parts:
            raise InputError(f"control {control} needs at least one signal")
        if unknown := [name for name in parts if name not in known]:
            raise InputError(f"control {control}: there is no signal {', '.join(unknown)}")
    if min(n_resamples, n_permutations) < 2 or n_strata < 2:
        raise InputError("at least two strata, resamples and permutations are wanted")
    answers = StratifiedAnswers.of(correct, confidence, np.zeros(hits.size))
    found: dict[str, Any] = {"n": hits.size, "n_wrong": int((~answers.hits).sum())}
    if flag := _flag(answers):
        return _table({control: found | {"flag": flag} for control in controls})
    area = auroc2_interval(answers.hits, answers.confidence)
    found |= {"entropy": float(binary_entropy(hits.mean()))} | ended("auroc2", area.estimate, *area.ends)
    own = None
    if min(answers.hits.sum(), found["n_wrong"]) >= FEWEST_OF_A_CLASS:
        own = nested_gains(answers.hits, {"own": answers.confidence}, n_folds=N_FOLDS, seed=seed)
        found |= last_gain("information", own)
        found["meta_i2r"] = found["information"] / found["entropy"]
    weights = np.vstack(list(weight_chunks(hits.size, n_resamples, seed, hits.size)))
    task = _Task(answers, own, weights, n_strata, n_permutations, seed)
    return _table({c: found | task.row({name: known[name] for name in controls[c]}) for c in controls})


@dataclass(frozen=True)
class _Task:
    """Answers of one model, what is the same for all controls, and one call's settings.

    ``own`` are the gains of confidence alone, None where there are too few answers for bits.
    """

    answers: StratifiedAnswers
    own: NestedGains | None
    weights: FloatArray
    n_strata: int
    n_permutations: int
    seed: int

    def row(self, signals: Mapping[str, FloatArray]) -> dict[str, object]:
        """What is left beyond these signals."""
        hits, sure = self.answers.hits, self.answers.confidence
        made = cross_fitted(hits, signals, n_folds=N_FOLDS, seed=self.seed)
        area = auroc2_interval(hits, made.score)
        alike = few_levels(made.score, self.n_strata)
        strata = StratifiedAnswers.of(hits, made.unpredicted(sure), alike)
        found = ended("alone", area.estimate, *area.ends) | {
            "n_strata": strata.n_strata,
            "n_empty_strata": strata.n_empty,
            "n_pairs": strata.n_pairs,
        }
        if strata.n_pairs == 0:
            return found | {"flag": "no stratum holds both a right and a wrong answer"}
        found["within"] = StratifiedAnswers.of(hits, sure, alike).area()
        dealt = strata.shuffled(self.n_permutations, np.random.default_rng(self.seed))
        return found | self.area(strata, dealt) | self.bits(signals, strata, dealt)

    def area(self, strata: StratifiedAnswers, dealt: NDArray[np.bool_]) -> dict[str, object]:
        left, null = strata.interval(strata.areas(self.weights)), strata.areas_of(dealt)
        return ended("alike", left.estimate, *left.ends) | {
            "alike_null": float(null.mean()),
            "p_value": permutation_p(left.estimate, null, alternative="greater").p_value,
        }

    def bits(
        self, signals: Mapping[str, FloatArray], strata: StratifiedAnswers, dealt: NDArray[np.bool_]
    ) -> dict[str, object]:
        hits = strata.hits
        if self.own is None:
            fewest = int(min(hits.sum(), (~hits).sum()))
            return {"flag": f"{fewest} answers of one kind: no information below {FEWEST_OF_A_CLASS}"}
        both = {**signals, "own": self.answers.confidence}
        given = nested_gains(hits, both, n_folds=N_FOLDS, seed=self.seed)
        step = OneStepGain(hits, both, n_folds=N_FOLDS, seed=self.seed)
        share_right = np.bincount(strata.stratum, weights=hits) / np.bincount(strata.stratum)
        null = step.bits(dealt, expected=share_right[strata.stratum])
        seen = float(step.bits(hits[None])[0])
        left = last_gain("remaining", given)
        entropy = float(binary_entropy(hits.mean()))
        made: dict[str, object] = {
            "control_information": float(given.bits[:, :-1].sum(axis=1).mean()),
            **left,
            **{f"meta_i2r_left{name.removeprefix('remaining')}": v / entropy for name, v in left.items()},
            "remaining_null": float(null.mean()),
            "remaining_p": permutation_p(seen, null, alternative="greater").p_value,
        }
        if not last_gain("own", self.own)["own_lower"] > 0:
            return made | {"flag": NO_SHARE}
        return made | share_of_gain("share", given, self.own) | {"flag": ""}


def _table(rows: Mapping[str, Mapping[str, object]]) -> pd.DataFrame:
    made = [{"control": control, **row} for control, row in rows.items()]
    return pd.DataFrame(made, columns=list(COLUMNS))


def _flag(answers: StratifiedAnswers) -> str:
    if min(answers.hits.sum(), (~answers.hits).sum()) < MIN_OF_CLASS:
        return FEW
    return CONSTANT if np.ptp(answers.confidence) == 0 else ""


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
    *with_ends("auroc2"),
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
        :func:`beyond_controls`. ``n_others`` other models stand for themselves;
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
    confidence: str = "nlp",
    words: WordTable | None = None,
    n_resamples: int = 1000,
    n_permutations: int = 500,
    seed: int = 42,
) -> SurfaceControls:
    """What is left of each model's confidence at each temperature beyond the surface of its answers.

    Parameters
    ----------
    trials : DataFrame
        One row for each model, item and temperature. Answers without a confidence are left out and counted.
    confidence : str
        Name of its column; ``n_tokens`` is the number of tokens that it is the mean of.
    words : WordTable, optional
        The committed table of English words without it.
    n_resamples, n_permutations, seed
        See :func:`beyond_controls`.

    Returns
    -------
    SurfaceControls

    Raises
    ------
    InputError
        A column that is missing, no trial, or a model that answers an item twice at one temperature.
    """
    key = ["model", "question_id", "temperature"]
    wanted = (*key, "correct", confidence, "answer", "n_tokens")
    if absent := [name for name in wanted if name not in trials]:
        raise InputError(f"the trials have no column {', '.join(absent)}")
    if trials.empty:
        raise InputError("there are no trials")
    if repeated := int(trials.duplicated(key).sum()):
        raise InputError(
            f"{repeated:,} trials repeat an item of one model at one temperature; keep one of each"
        )
    table = word_table() if words is None else words
    texts = trials["answer"].fillna("").astype(str)
    rows = pd.DataFrame(
        {
            "model": trials["model"].astype(str),
            "item": trials["question_id"].astype(str),
            "temperature": trials["temperature"].astype(float),
            "correct": trials["correct"].astype(float),
            "confidence": trials[confidence].astype(float),
            "tokens": trials["n_tokens"].astype(float),
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
        features += [labels | one for one in _features(kept, others, flag)]
        found = _left(kept, others, flag, drawn)
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


def _left(kept: pd.DataFrame, others: pd.DataFrame, flag: str, drawn: dict[str, Any]) -> pd.DataFrame:
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
    return beyond_controls(right, sure, signals, controls, **drawn)


def _features(kept: pd.DataFrame, others: pd.DataFrame, flag: str) -> list[dict[str, Any]]:
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
            area = auroc2_interval(hits, score.to_numpy())
            row |= ended("auroc2", area.estimate, *area.ends)
            row["rho"] = float(spearman(score, kept["confidence"]))
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
