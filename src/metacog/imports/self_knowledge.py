"""Is it self-knowledge? What an imported file says of it, where several models answered the same questions."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.words import listed
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import (
    CUTS,
    LEAST_ITEMS,
    LEAST_MODELS,
    closest_three,
    own_and_others,
    sharing,
)
from metacog.measures.table import Options
from metacog.report.show import Prose
from metacog.report.views import Views
from metacog.sdt import InputError
from metacog.studies.codec import RECORD, read_record, write_record
from metacog.studies.view import View
from metacog.verdicts.self_knowledge import SelfKnowledge, judge, too_few_others
from metacog.verdicts.self_knowledge_words import READING, SENTENCES, VERDICTS, like_these

#: Folder of the stored result, in the import's folder.
FOLDER = "self_knowledge"
#: Most resamples and permutations: more change no digit that the page shows, and take minutes.
MOST_RESAMPLES, MOST_PERMUTATIONS = 1000, 200
UNNAMED = (
    "nothing says which questions the models share; name that column with --question-id "
    "(tables of counts have none)"
)
NO_ANSWERS = "nothing says what the models answered; name that column with --answer"
SAME = "Two answers are the same where their texts are, apart from case and blanks."
BEFORE = "it was imported before this page had this part; run `metacog import-trials` again"
VIEWS = Views(
    "self_knowledge",
    sentences={**SENTENCES, "like_these": like_these},
    verdicts=VERDICTS,
)


@dataclass(frozen=True)
class Asked:
    """What a file says, or why it says nothing; what the page shows is then empty.

    Attributes
    ----------
    result : SelfKnowledge or None
    why_not : str
        Empty where there is a result.
    notes : tuple of str
        What was left out.
    """

    result: SelfKnowledge | None
    why_not: str = ""
    notes: tuple[str, ...] = ()

    @property
    def facts(self) -> dict[str, Any]:
        """What ``import.json`` keeps of it."""
        return {"why_not": self.why_not, "notes": list(self.notes)}

    def write(self, folder: Path) -> None:
        """Store the result below an import's folder, in the place of an earlier one."""
        shutil.rmtree(folder / FOLDER, ignore_errors=True)
        if self.result is not None:
            (folder / FOLDER).mkdir(parents=True)
            write_record(self.result, folder / FOLDER, {})

    def answer(self) -> Prose:
        """The answer, or why there is none."""
        if self.result is None:
            return Prose(f"Whether it is self-knowledge cannot be asked of these trials: {self.why_not}.")
        return View(self.result, VIEWS).answer()

    def about(self) -> Prose:
        """How it was found, and what was left out."""
        return Prose("" if self.result is None else "\n\n".join([READING, *self.notes]))

    def text(self, name: str) -> Prose:
        """A sentence; that on simulated models stands only where difficulty can be taken off."""
        if self.result is None or (name == "like_these" and self.compared.empty):
            return Prose("")
        return View(self.result, VIEWS).text(name)

    @property
    def models(self) -> pd.DataFrame:
        """Own and others' confidence, by model."""
        result = self.result
        return pd.DataFrame() if result is None else result.models

    @property
    def compared(self) -> pd.DataFrame:
        """Own confidence beside its placebo, where the others are enough to show how hard a question is."""
        result = self.result
        if result is None or too_few_others(result.models):
            return pd.DataFrame()
        return result.compared

    @property
    def with_few_others(self) -> pd.DataFrame:
        """The models, where the others are too few for that."""
        return self.models if self.compared.empty else self.models.head(0)


def read_asked(folder: Path, facts: dict[str, Any]) -> Asked:
    """What :meth:`Asked.write` stored."""
    kept = facts.get("self_knowledge", {"why_not": BEFORE, "notes": []})
    stored = folder / FOLDER
    try:
        result = read_record(stored) if (stored / RECORD).is_file() else None
    except MetacogError:  # damaged, or stored by a release whose results had other fields
        return Asked(None, BEFORE)
    return Asked(result, kept["why_not"] if result is None else "", tuple(kept["notes"]))


def ask(trials: pd.DataFrame, options: Options, *, questions_named: bool) -> Asked:
    """Own confidence against the others', if the trials allow it.

    Parameters
    ----------
    trials : DataFrame
        An import's trials, whose ``score`` is confidence on the file's own scale, with the models' answers in
        ``answer``.
    options : Options
    questions_named : bool
        Whether questions have names, so that it is known which ones models share.
    """
    if not questions_named and trials["model"].nunique() > 1:
        return Asked(None, UNNAMED)
    said = answers_said(trials)
    once, notes = one_answer_each(trials.assign(answer=said))
    known = bool(said.notna().any())
    notes.append(SAME if known else f"What others say of the same answer is not known: {NO_ANSWERS}.")
    try:
        items = ModelItems.of(once, confidence="score", answer="answer" if known else None)
        shared = sharing(items, seed=options.seed)
        found = own_and_others(
            shared,
            cuts=CUTS[:1],
            n_resamples=min(options.n_resamples, MOST_RESAMPLES),
            n_permutations=min(options.n_permutations, MOST_PERMUTATIONS),
            seed=options.seed,
        )
    except InputError as error:
        return Asked(None, str(error), tuple(notes))
    return Asked(judge(found), "", (*notes, *_left_out(items, shared)))


def answers_said(trials: pd.DataFrame) -> pd.Series:
    """The models' answers, such that two are the same where their texts are, apart from case and blanks."""
    said = trials["answer"].fillna("").astype(str).str.strip().str.casefold()
    return said.mask(said == "")


def one_answer_each(trials: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """One answer of each model to each question, and what was left out for it.

    Of several temperatures the one with most answers, the lowest of those; of several samples the first.
    """
    notes = []
    asked, sizes = np.unique(trials["temperature"], return_counts=True)
    if len(sizes) > 1:
        at = float(asked[sizes.argmax()])
        trials = trials[trials["temperature"] == at]
        notes.append(f"Of {len(sizes)} temperatures T = {at:g} is used.")
    first = trials.sort_values("seed", kind="stable").drop_duplicates(["model", "question_id"]).sort_index()
    if len(first) < len(trials):
        notes.append(
            f"The first sample of each question is used; {len(trials) - len(first):,} others are left out."
        )
    return first, notes


def _left_out(items: ModelItems, shared: ModelItems) -> list[str]:
    """What does not take part, in sentences."""
    notes = []
    if gone := [m for m in items.models if m not in shared.models]:
        notes.append(f"Left out for fewer than {LEAST_ITEMS} answers to the questions used: {listed(gone)}.")
    if (n := len(shared.items)) < len(items.items):
        wider = np.sqrt(len(items.items) / n)
        cost = f", {n:,} of them drawn by chance, which makes intervals up to {wider:.1f} times as wide"
        drawn = cost if n < closest_three(items.answered)[1].sum() else ""
        notes.append(
            f"{n:,} of {len(items.items):,} questions are used: those that the {LEAST_MODELS} models with most in "
            f"common answered{drawn}."
        )
    if shared.constant:
        notes.append(
            "One confidence throughout, which orders no answers, so that nothing is said of: "
            f"{listed(shared.constant)}. What such a model got right still shows how hard a question is."
        )
    return notes
