"""From mapped columns to trials: what is kept, what is dropped and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.questions import UNCLASSIFIED
from metacog.collect.scoring import is_refusal
from metacog.core.errors import MetacogError
from metacog.imports.decisions import NO_CONFIDENCE, REFUSES, Answers
from metacog.imports.mapping import Columns, unmapped_models
from metacog.imports.own_trials import computed_lines
from metacog.measures.cell import MIN_TRIALS
from metacog.measures.given import Given
from metacog.trials import COLUMNS, validate

#: Names of columns that hold the probability of an answer's tokens.
_OF_TOKENS = re.compile(r"log_?-?prob|logp\b|token|perplex|\bnll\b|\bnlp\b|seq(uence)?_?prob", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass
class Validation:
    """What was read and what became of it; ``kind`` is ``table``, ``two-choice``, ``harness``, ``inspect`` or a tool.

    ``computed`` says how confidence was computed, None where it was given; ``answers`` are all answers that are
    marked, with their signals, None where trials have a stimulus and a response.
    """

    source: str
    kind: str
    n_read: int = 0
    n_used: int = 0
    dropped: dict[str, int] = field(default_factory=dict)
    mapping: dict[str, str] = field(default_factory=dict)
    scale: str = "score"
    notes: list[str] = field(default_factory=list)
    computed: dict[str, Any] | None = None
    answers: Answers | None = field(default=None, repr=False, compare=False)

    def drop(self, reason: str, n: int) -> None:
        if n:
            self.dropped[reason] = self.dropped.get(reason, 0) + int(n)

    def why(self) -> str:
        """The reasons with their counts, as an error tells them."""
        return "; ".join(f"{n:,}: {reason}" for reason, n in self.dropped.items())

    def lines(self) -> list[str]:
        text = [f"read {self.n_read:,} rows of {self.source} ({self.kind}), used {self.n_used:,}"]
        if self.mapping:
            text.append("columns: " + ", ".join(f"{role} = {name}" for role, name in self.mapping.items()))
        text += [f"dropped {n:,}: {reason}" for reason, n in self.dropped.items()]
        return text + self.notes + (computed_lines(self.computed) if self.computed else [])


def _as_confidence(values: pd.Series, scale: str, report: Validation, given: Given) -> pd.DataFrame:
    """Confidence as :meth:`metacog.measures.given.Given.confidence` reads it: ``score, probability, logprob``.

    What it says goes to the report. The probability of an answer's tokens is none of being right.
    """
    found = replace(given, scale=scale).confidence(values)
    report.scale = found.scale
    report.notes += found.notes
    confidence = pd.DataFrame(
        {"score": found.score, "probability": found.probability, "logprob": found.logprob}, index=values.index
    )
    name = str(values.name)
    guessed = scale == "auto" and report.scale == "probability" and _OF_TOKENS.search(name) is not None
    if report.scale != "logprob" and not guessed:
        return confidence
    why = (
        f"{name!r} is by its name the probability of an answer's tokens"
        if guessed
        else f"{name!r} is a log-probability, and its exponential the probability of an answer's tokens"
    )
    report.notes.append(
        f"{why}, not of being right: its order is used, and ECE, Brier score and overconfidence are left out"
        + (" (if it was stated as one, say --confidence-scale probability)" if guessed else "")
    )
    if guessed:
        report.scale = "score"
    return confidence.assign(probability=np.nan)


def clean(
    table: pd.DataFrame,
    columns: Columns,
    report: Validation,
    *,
    scale: str = "auto",
    threshold: float | None = None,
    dataset: str = "import",
    carry: tuple[str, ...] = (),
    given: Given | None = None,
    further: pd.DataFrame | None = None,
    refusals: str = "wrong",
) -> pd.DataFrame:
    """Trials in the house's schema from a mapped table, with ``score``, confidence as it came, on its own scale.

    The columns of ``carry`` go with their trials; ``further`` are signals of confidence beside that of ``columns``, for
    the same rows; ``refusals`` says what becomes of answers that refuse. The report gets what is dropped and why.
    """
    assert columns.correct is not None and columns.confidence is not None
    given = given or Given()
    report.n_read = report.n_read or len(table)
    report.mapping = report.mapping or columns.named()
    correct = given.correctness(table[columns.correct], threshold)
    confidence = _as_confidence(table[columns.confidence], scale, report, given)
    refusal = _refusals(table, columns, carry, refusals, given)
    if columns.refusal is not None:
        if changed := int((refusal & correct.fillna(False)).sum()):
            report.notes.append(f"{changed:,} answers refuse and are marked right: they count as wrong")
        correct = correct.mask(refusal & correct.notna(), False)
    _tell_refusals(refusal, correct, refusals, report)
    labels = {
        "model": labels_of(table, columns.model, "model"),
        "domain": labels_of(table, columns.domain, UNCLASSIFIED),
        "question_id": labels_of(table, columns.question_id, None),
    }
    temperature = pd.Series(1.0, index=table.index)
    if columns.temperature is not None:
        temperature = pd.Series(Given().numbers(table[columns.temperature]), index=table.index)
    else:
        report.notes.append("no temperature column: written as 1.0, and no table by temperature")
    keep = pd.Series(True, index=table.index)
    for bad, reason in (
        (correct.isna(), "no correctness"),
        (refusal & (refusals == "drop"), f"{REFUSES} (--refusals drop)"),
        (confidence["score"].isna(), "confidence is missing, infinite or not a number"),
        (~(temperature >= 0) | (temperature == np.inf), "temperature is missing or below 0"),
        *((series.isna(), f"no {role.replace('_', ' ')}") for role, series in labels.items()),
    ):
        report.drop(reason, int((keep & bad).sum()))
        keep &= ~bad
    report.n_used = int(keep.sum())
    if report.n_used < MIN_TRIALS:
        why = "; ".join(f"{n:,} dropped: {reason}" for reason, n in report.dropped.items())
        raise MetacogError(
            f"{report.n_used} usable trials of {report.n_read:,} rows: at least {MIN_TRIALS} are needed "
            "before any measure says something" + (f" ({why})" if why else "")
        )
    trials = _schema(
        pd.DataFrame(labels)[keep], correct[keep].astype(bool), confidence[keep], temperature[keep], dataset
    )
    if trials["score"].nunique() == 1:
        raise MetacogError(
            f"confidence is {trials['score'].iloc[0]:g} in all {len(trials):,} trials: a constant confidence "
            "tells right from wrong no better than chance, so there is nothing to measure"
        )
    for name in carry:
        trials[name] = table.loc[keep, name].to_numpy()
    trials["refusal"] = refusal[keep].to_numpy(dtype=bool)
    signals = {columns.confidence: confidence}
    further = pd.DataFrame() if further is None else further
    for column in further:
        name, mine = str(column), Validation(report.source, report.kind)
        signals[name] = _as_confidence(further[name], "auto", mine, given)
        told = (re.sub(r" \([^()]*--confidence-scale[^()]*\)", "", note) for note in mine.notes)
        report.notes += [note if name in note else f"{name}: {note}" for note in told]
    if len(signals) > 1:
        report.notes.append(f"signals compared with {columns.confidence}: {', '.join(list(signals)[1:])}")
    lost = pd.Series("", index=table.index).mask(confidence["score"].isna(), NO_CONFIDENCE)
    every = pd.DataFrame(
        {
            "model": labels["model"].astype(str),
            "question_id": labels["question_id"].astype(str),
            "correct": correct.astype("boolean").fillna(False).astype(bool),
            "refusal": refusal,
            "lost": lost.mask(refusal & (refusals == "drop"), REFUSES),
        }
    )
    marked = correct.notna() & pd.DataFrame(labels).notna().all(axis=1)
    report.answers = Answers(
        every[marked],
        {name: one.loc[marked, "score"].to_numpy(dtype=float) for name, one in signals.items()},
        {name: one.loc[marked, "probability"].to_numpy(dtype=float) for name, one in signals.items()},
        given.lower_is_surer,
    )
    if columns.question_id is None:
        report.notes.append(
            "no question column: trials are taken as independent. If questions repeat (several samples, "
            "temperatures or models), give --question-id, or intervals are too narrow"
        )
    return trials


def _refusals(
    table: pd.DataFrame, columns: Columns, carry: tuple[str, ...], refusals: str, given: Given
) -> pd.Series:
    """Which answers refuse: as a column says, as marking found, or by how the answer begins."""
    if columns.refusal is not None:
        return given.correctness(table[columns.refusal]).fillna(False).astype(bool)
    if "refusal" in carry:
        return table["refusal"].astype(bool)
    if columns.answer is not None:
        return table[columns.answer].fillna("").astype(str).map(is_refusal).astype(bool)
    if refusals != "wrong":
        raise MetacogError(
            f"--refusals {refusals}: nothing says which answers refuse. Name the column that does with --refusal, or "
            "that of the answers with --answer"
        )
    return pd.Series(False, index=table.index)


def _tell_refusals(refusal: pd.Series, correct: pd.Series, refusals: str, report: Validation) -> None:
    n, right = int(refusal.sum()), int((refusal & correct.fillna(False)).sum())
    if refusals != "drop" and n:
        as_marked = f"as they are marked, {right:,} of them right" if right else "as wrong answers"
        report.notes.append(
            f"{n:,} answers refuse and count {as_marked}"
            + (" (--refusals drop leaves them out, separate shows both)" if refusals == "wrong" else "")
        )


def check_pooled(table: pd.DataFrame, columns: Columns, pool: bool) -> None:
    """Refuse a file of several models without ``--model``, unless they are to be pooled."""
    mixed = unmapped_models(table, columns)
    if mixed and not pool:
        raise MetacogError(
            f"column {mixed[0]!r} holds {mixed[1]} models, but --model was not given: trials of different "
            f"models must not be pooled. Add --model {mixed[0]}, or --pool if you mean it"
        )


def labels_of(table: pd.DataFrame, column: str | None, default: str | None) -> pd.Series:
    """Texts of a column, None where there is none; numbers that are whole lose their ``.0``.

    Without a column they are the default, or ``row-000000`` and so on where that is None. Control characters,
    which a terminal obeys, stand as their escapes.
    """
    if column is None:
        values = [f"row-{i:06d}" for i in range(len(table))] if default is None else default
        return pd.Series(values, index=table.index, dtype=object)
    text = text_of(table[column])
    obeyed = (one for one in text.dropna().unique() if _CONTROL.search(one))
    escapes = {one: _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", one) for one in obeyed}
    text = text.replace(escapes) if escapes else text
    return text.astype(object).where(text.notna(), None)


def text_of(series: pd.Series) -> pd.Series:
    """Texts without outer blanks, missing where nothing stands; whole numbers lose their ``.0``."""
    text = series.astype("string").str.strip()
    if pd.api.types.is_float_dtype(series):
        text = text.str.replace(r"\.0$", "", regex=True)
    return text.mask(text == "")


def _schema(
    labels: pd.DataFrame, correct: pd.Series, confidence: pd.DataFrame, temperature: pd.Series, dataset: str
) -> pd.DataFrame:
    trials = labels.astype(str).reset_index(drop=True)
    trials = trials.assign(
        study="import",
        dataset=re.sub(r"[^A-Za-z0-9_-]+", "-", dataset) or "import",
        question_index=pd.factorize(trials["question_id"])[0].astype("int64"),
        temperature=temperature.to_numpy(dtype="float64"),
        seed=lambda t: t.groupby(["model", "question_id", "temperature"]).cumcount().astype("int64"),
        prompt_id="given",
        **dict.fromkeys(("text", "answer", "matched_alias", "ran_on"), ""),
        n_tokens=0,
        sum_logprob=np.nan,
        nlp=confidence["logprob"].to_numpy(dtype="float64"),
        confidence=confidence["probability"].to_numpy(dtype="float64"),
        correct=correct.to_numpy(dtype=bool),
        match="given",
        similarity=np.nan,
        refusal=False,
        truncated=False,
        score=confidence["score"].to_numpy(dtype="float64"),
    )
    return validate(trials[[*COLUMNS, "score"]])
