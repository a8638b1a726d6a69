"""Whom to ask whether an imported model is right: itself, or the other models of the file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from metacog.core.words import plural
from metacog.imports.kept import Kept
from metacog.imports.self_knowledge import NO_ANSWERS, SAME, UNNAMED, answers_said, one_answer_each
from metacog.measures.model_items import ModelItems
from metacog.measures.table import Options
from metacog.measures.whom_to_ask import WhomToAsk, whom_to_ask
from metacog.report.show import Prose
from metacog.sdt import InputError

LEAST_MODELS = 3
#: What readers call the ways of :func:`metacog.measures.whom_to_ask.whom_to_ask`.
WAYS = {
    "own": "own confidence",
    "agreement": "same answer of others",
    "small": "same answer of small others",
    "best": "same answer of the best others",
    "their_confidence": "confidence of others",
    "own_and_agreement": "own confidence and same answer of others",
    "together": "all together",
}

ABOUT = (
    f"{SAME} Every other model of the file counts as another one: two editions of one model are second opinions for "
    "each other, and poor ones. Rows without a mark or a confidence take no part, and a model that answered less than "
    "half of another's questions is not asked."
)


@dataclass(frozen=True)
class SecondOpinions(Kept):
    """Own confidence against other models' answers, as the page shows it."""

    result: WhomToAsk | None
    place = "second_opinions"

    def answer(self) -> Prose:
        """Own confidence against one other model's answer, and what own word is worth; or why there is no answer."""
        if self.result is None:
            return Prose(f"Whom to ask cannot be said of these trials: {self.why_not}.")
        rows = self.result.table
        one = rows[(rows["way"] == "agreement") & (rows["k"] == 1)].dropna(subset=["own_less"])
        if one.empty:
            return Prose(
                "Whom to ask cannot be said of these trials: no model's own confidence orders its answers."
            )
        better, worse = int((one["own_less_lower"] > 0).sum()), int((one["own_less_upper"] < 0).sum())
        rest = len(one) - better - worse
        text = (
            f"For {better or 'none'} of {plural(len(one), 'model')}, own confidence tells right answers from wrong "
            f"ones better than whether one other model gives the same answer; for {worse or 'none'}, worse"
            + (f"; for {rest}, it cannot be told" if rest else "")
        )
        worth = self.result.worth.dropna(subset=["worth"])
        middle = worth.sort_values("worth", kind="stable").iloc[(len(worth) - 1) // 2]
        return Prose(f"{text}. A model's own word is worth {middle['said']} second opinions, in the median.")

    def about(self) -> Prose:
        """How it was found, and how far it can be judged."""
        if self.result is None:
            return Prose("")
        rows = self.result.table[self.result.table["way"] == "agreement"]
        half = (rows["own_less_upper"] - rows["own_less_lower"]).dropna() / 2
        n = rows["n"].dropna()
        told = (
            f" With {n.min():,.0f} to {n.max():,.0f} questions a model, differences from own confidence are known to "
            f"within {half.median():.3f} in the median."
            if len(half)
            else ""
        )
        return Prose(ABOUT + told)

    @property
    def ways(self) -> pd.DataFrame:
        """AUROC2 by way, in words, and number of models asked: ``model, way, k, auroc2, own_less, caught_80, flag``."""
        if self.result is None:
            return pd.DataFrame()
        return self.result.table.assign(way=self.result.table["way"].replace(WAYS))

    @property
    def first(self) -> pd.DataFrame:
        """One row per model with the AUROC2 of ``own``, of one and of four second opinions, and of own and four."""
        if self.result is None:
            return pd.DataFrame()
        wanted = {("own", 0): "own", ("agreement", 1): "one", ("agreement", 4): "four",
                  ("own_and_agreement", 4): "own_and_four"}  # fmt: skip
        made = self.result.worth[["model", "said"]].rename(columns={"said": "worth"})
        rows = self.result.table.set_index("model")
        for (way, k), name in wanted.items():
            part = rows[(rows["way"] == way) & (rows["k"] == k)]
            for end in ("", "_lower", "_upper"):
                made[f"{name}{end}"] = made["model"].map(part[f"auroc2{end}"]).astype(np.float64)
        return made


def ask_others(trials: pd.DataFrame, options: Options, *, questions_named: bool) -> SecondOpinions:
    """Whom to ask, if the trials allow it and it is known which questions the models share."""
    if (n := trials["model"].nunique()) < LEAST_MODELS:
        return SecondOpinions(None, f"they are of {plural(n, 'model')}, and three are wanted")
    if not questions_named:
        return SecondOpinions(None, UNNAMED)
    said = answers_said(trials)
    if said.isna().all():
        return SecondOpinions(None, NO_ANSWERS)
    once, _ = one_answer_each(trials.assign(answer=said))
    try:
        items = ModelItems.of(once, confidence="score", answer="answer")
        return SecondOpinions(whom_to_ask(items, seed=options.seed))
    except InputError as error:
        return SecondOpinions(None, str(error))
