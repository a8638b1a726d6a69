"""Is it self-knowledge? What an imported file says of it, where several models answered the same questions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.imports.kept import Kept
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
from metacog.studies.view import View
from metacog.verdicts.self_knowledge import SelfKnowledge, judge, too_few_others
from metacog.verdicts.self_knowledge_words import READING, SENTENCES, VERDICTS, like_these

#: Most resamples and permutations: more change no digit that the page shows, and take minutes.
MOST_RESAMPLES, MOST_PERMUTATIONS = 1000, 200
UNNAMED = (
    "nothing says which questions the models share; name that column with --question-id "
    "(tables of counts have none)"
)
NO_ANSWERS = "nothing says what the models answered; name that column with --answer"
SAME = "Two answers are the same where their texts are, apart from case and blanks."
VIEWS = Views("self_knowledge", sentences={**SENTENCES, "like_these": like_these}, verdicts=VERDICTS)


@dataclass(frozen=True)
class Asked(Kept):
    """Own confidence against the others', as the page shows it."""

    result: SelfKnowledge | None
    place = "self_knowledge"

    def answer(self) -> Prose:
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
        return pd.DataFrame() if self.result is None else self.result.models

    @property
    def compared(self) -> pd.DataFrame:
        """Own confidence beside its placebo, where the others are enough to show how hard a question is."""
        if self.result is None or too_few_others(self.result.models):
            return pd.DataFrame()
        return self.result.compared

    @property
    def with_few_others(self) -> pd.DataFrame:
        """The models, where the others are too few for that."""
        return self.models if self.compared.empty else self.models.head(0)


def ask(trials: pd.DataFrame, options: Options, *, questions_named: bool) -> Asked:
    """Own confidence (``score``) against the others', if it is known which questions the models share."""
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
