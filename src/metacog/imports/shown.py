"""What the page on somebody's own trials shows: frames to draw, and sentences.

Where there are none, published answers of two models stand in.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table, with_ends
from metacog.core.paths import committed
from metacog.imports import decisions, own_trials
from metacog.imports.mapping import Columns
from metacog.imports.people import MOST_ROWS, NO_RANKS, People
from metacog.imports.posterior import Posteriors
from metacog.imports.report import Request, Results, import_trials, read_results
from metacog.imports.second_opinions import SecondOpinions
from metacog.imports.self_knowledge import Asked
from metacog.measures.table import Options
from metacog.report.show import Prose, lead
from metacog.sdt.calibration import reliability_diagram
from metacog.sdt.selective import risk_coverage
from metacog.verdicts.measures import said_of
from metacog.verdicts.promises import rows_needed
from metacog.verdicts.rules import NOT_TESTABLE

#: Two large models whose published answers stand in for a file (``data/mmlu_pro/README.md``); to so many questions.
EXAMPLE, FOLDER, N_QUESTIONS = ("o4-mini-2025-04-16", "gpt-4o-2024-08-06"), "data/mmlu_pro", 2_500


def example_table(seed: int = 42) -> pd.DataFrame:
    """Answers as somebody might have written them down: ``llm, item, topic, is_right, stated`` (a probability).

    Those of :data:`EXAMPLE` to as many questions of MMLU-Pro, drawn by chance.
    """
    answers, items = committed(f"{FOLDER}/answers.parquet"), committed(f"{FOLDER}/items.csv")
    if not answers.is_file():
        raise MetacogError(
            f"{FOLDER} is not here, which the example is from; name a folder: -p folder=my-report"
        )
    asked = pd.read_csv(items).sample(N_QUESTIONS, random_state=seed)
    rows = pd.read_parquet(answers, filters=[("model", "in", EXAMPLE)])
    rows = asked.merge(rows, on="item").sort_values(["model", "item"], ignore_index=True)
    right = (rows["answer"].astype(str) == rows["key"]).astype(int)
    made = {"llm": rows["model"].astype(str), "item": rows["item"], "topic": rows["category"]}
    return pd.DataFrame(made | {"is_right": right, "stated": rows["stated"].astype(float)})


STANDS_IN = (
    "No file of trials was named, so published answers stand in: two large models' to "
    f"{N_QUESTIONS:,} multiple-choice questions (MMLU-Pro, [where they are from](frontier-data.ipynb)), each with the "
    "number that the model stated."
)
NO_PROBABILITY = "confidence is no probability"
ONE_MODEL = "There is one model only, or too few can be judged."
#: Most models whose curves or parts stand in one figure: those with the highest AUROC2.
MOST_CURVES = 8
#: Points of a curve of risk, and the share of answers from which on it is drawn.
CURVE_POINTS, CURVE_FROM = 100, 0.02
#: Bins of a reliability diagram.
BINS = 10
#: Answers that a point of it needs.
LEAST_IN_BIN = 5
#: Measures in their order, by table; those of two choices are no efficiency without them.
MEASURES = {
    "order": ("accuracy", "auroc2", "meta_i2r"),
    "probability": ("overconfidence", "ece", "brier"),
    "distance": ("d_a", "accuracy_at_half"),
    "choice": ("d_prime", "meta_d", "m_ratio"),
}
WITHOUT_CHOICE = {"meta_d": "meta_d_open", "m_ratio": "m_ratio_open"}
#: What is asked of each model, by the measure that tells.
CLAIMS = {
    "auroc2": "tells right from wrong",
    "meta_i2r": "says more than nothing",
    "overconfidence": "is too sure on average",
    "screen": "passes the screen",
}
#: Claims of which *yes* is bad news.
BAD = ("overconfidence",)
#: What each judgement of the screen's protocol answers, and why.
SCREENED = {
    "valid": ("yes", "it breaks no rule"),
    "invalid": ("no", "it breaks the rule for {broken}"),
    "indeterminate": ("undecided", "an index lies beyond its limit, but not its whole interval"),
    "insufficient data": (
        NOT_TESTABLE,
        "a cell of right or wrong by high or low confidence has under five answers",
    ),
}


@dataclass(frozen=True)
class OwnTrials:
    """The results of an import, ready to be shown; an example stands in for a file where it is one."""

    results: Results
    example: bool = False

    def answer(self) -> Prose:
        """How well confidence ranks answers, at the head of the page, and whose it is where it is nobody's."""
        if self.people.measures.size:
            return Prose(lead(self.people.answer()))
        rows = self.results.rows("model")
        return Prose(lead(own_trials.in_short(rows), STANDS_IN if self.example else ""))

    def text(self, name: str) -> Prose:
        """A text made from the results, by its name."""
        r = self.results
        if self._of_people and name != "source":
            return Prose(NO_RANKS if name == "pairs" else "")
        if name == "level":
            table = committed_table("data/simulations/comparison_level.csv")
            return Prose(own_trials.level_text(table) if len(r.pairs) else "")
        made = {
            "source": lambda: own_trials.validation_text(r.facts),
            "gate": lambda: decisions.gate_about(r.decisions),
            "signals": lambda: decisions.signals_text(r.decisions),
            "recalibration": lambda: decisions.recalibration_text(r.decisions),
            "pairs": lambda: own_trials.pairs_text(r.pairs) or ONE_MODEL,
            "domain": lambda: own_trials.orders_text(r.orders, "domain"),
            "temperature": lambda: own_trials.orders_text(r.orders, "temperature"),
        }
        return Prose(made[name]())

    @cached_property
    def people(self) -> People:
        """The people whose trials they are, and their means; empty where they are models'."""
        rows = self._rows("model") if self._of_people else pd.DataFrame()
        return People(rows, self.results.people)

    def gate_answer(self) -> Prose:
        """What can be promised of the answers that a threshold lets through."""
        return Prose(f"**{decisions.gate_answer(self.results.decisions)}**")

    @property
    def gate(self) -> pd.DataFrame:
        """Thresholds that keep a promise, and what they do to the other half."""
        return decisions.gate_rows(self.results.decisions)

    @property
    def no_gate(self) -> pd.DataFrame:
        """Promises that cannot be made, and why."""
        return decisions.no_gate_rows(self.results.decisions)

    @property
    def rows_needed(self) -> pd.DataFrame:
        """Rows that promises take at least; nothing of people, who get no gate."""
        return pd.DataFrame() if self._of_people else rows_needed()

    @property
    def signals(self) -> pd.DataFrame:
        return self.results.decisions.table("signals")

    @property
    def signal_pairs(self) -> pd.DataFrame:
        rows = self.results.decisions.table("signal_pairs")
        return rows.assign(pair=rows["first"] + " minus " + rows["second"]) if len(rows) else rows

    @property
    def left_out(self) -> pd.DataFrame:
        return self.results.decisions.table("left_out")

    @property
    def refusals(self) -> pd.DataFrame:
        return self.results.decisions.table("refusals")

    @property
    def recalibration(self) -> pd.DataFrame:
        rows = self.results.decisions.table("recalibration")
        return rows[rows["why"] == ""] if len(rows) else rows

    @property
    def surely_wrong(self) -> pd.DataFrame:
        if self._of_people:
            return pd.DataFrame()
        return decisions.surely_wrong(self.results.trials, self.results.decisions)

    @property
    def models(self) -> pd.DataFrame:
        """The measures of each model, those that have no interval marked as ``unjudged``; people are shown apart."""
        return pd.DataFrame() if self._of_people else self._rows("model")

    @property
    def domains(self) -> pd.DataFrame:
        return self._leading(self._rows("domain"))

    @property
    def temperatures(self) -> pd.DataFrame:
        return self._leading(self._rows("temperature"))

    def measures(self, by: str, part: str = "order") -> pd.DataFrame:
        """One part of the measures by model, domain or temperature: columns that hold something, and flags."""
        rows, names = self.results.rows(by), MEASURES[part]
        if self._of_people:
            rows = rows.head(MOST_ROWS if by == "model" else 0)
        if not self.results.two_choice:
            own, open_ = with_ends(*WITHOUT_CHOICE), with_ends(*WITHOUT_CHOICE.values())
            rows = rows.rename(columns=dict(zip(own, open_, strict=True)))
            names = tuple(WITHOUT_CHOICE.get(name, name) for name in names)
        kept = [n for n in with_ends(*names) if n in rows and (rows[n].notna().any() or not len(rows))]
        if not kept:
            return pd.DataFrame()
        if self._of_people:
            first = ["n_trials", *kept, "flag"] if part == "order" else kept
            return rows[["model", *first]].rename(columns={"model": "person"})
        lead_by = ["model", *([by] if by != "model" else [])]
        if part != "order":
            return rows[[*lead_by, *kept]]
        noted = [n for n in ("coverage", "flag") if n in rows]
        rows = rows.assign(**{n: rows[n].fillna("").astype(str) for n in noted})
        return rows[[*lead_by, "n_trials", *kept, *noted]]

    @cached_property
    def claims(self) -> pd.DataFrame:
        """What is asked of each model: ``model, claim, answer, why``, and whether the answer is ``good`` news."""
        made = []
        screen = self.results.screen.set_index("model")
        for _, row in () if self._of_people else self.results.rows("model").iterrows():
            said = said_of(row)
            unjudged = NO_PROBABILITY if said else str(row["flag"]) or own_trials.TOO_FEW
            for name, claim in CLAIMS.items():
                if name == "screen":
                    answer, why = _screen_answer(screen.loc[[str(row["model"])]].iloc[0])
                elif name not in said:
                    answer, why = NOT_TESTABLE, unjudged
                else:
                    answer, why = _ANSWERS[said[name]], own_trials.why(row, name)
                good = {"yes": name not in BAD, "no": name in BAD}.get(answer)
                made.append(
                    {"model": row["model"], "claim": claim, "answer": answer, "why": why, "good": good}
                )
        return pd.DataFrame(made)

    @property
    def screen(self) -> pd.DataFrame:
        rows = self.results.screen
        told = rows["broken"].where(rows["broken"] != "", "none")
        return rows.assign(broken=told.mask(rows["invalid"].isna(), "cannot be told"))

    @property
    def risk(self) -> pd.DataFrame:
        """Error rate among the surest share of answers, by model."""

        def curve(known: pd.DataFrame) -> pd.DataFrame:
            made = risk_coverage(known["correct"].to_numpy(), known["score"].to_numpy())
            first = max(int(CURVE_FROM * made.coverage.size), 1) - 1
            at = np.unique(np.linspace(first, made.coverage.size - 1, CURVE_POINTS).astype(int))
            return pd.DataFrame({"answered": made.coverage[at], "error_rate": made.risk[at]})

        return self._curves("score", curve)

    @property
    def reliability(self) -> pd.DataFrame:
        """Share of right answers by stated confidence, where confidence is a probability."""

        def curve(known: pd.DataFrame) -> pd.DataFrame:
            d = reliability_diagram(known["correct"].to_numpy(), known["confidence"].to_numpy(), n_bins=BINS)
            ends = {"share_right_lower": d.accuracy_lower, "share_right_upper": d.accuracy_upper}
            shown = {"confidence": d.confidence, "share_right": d.accuracy, **ends}
            return pd.DataFrame(shown)[d.count >= LEAST_IN_BIN]

        return self._curves("confidence", curve)

    @property
    def pairs(self) -> pd.DataFrame:
        rows = self.results.pairs
        if len(rows[["first", "second"]].drop_duplicates()) > own_trials.MOST_PAIRS:
            rows = rows[rows["differs"]]
        pair = rows["first"].astype(str) + " minus " + rows["second"].astype(str)
        return rows.assign(pair=pair, quantity=rows["quantity"].map(own_trials.QUANTITIES))

    @property
    def ranks(self) -> pd.DataFrame:
        """Models by AUROC2 with the places that they may have, from three models on."""
        rows = self.results.ranks[self.results.ranks["quantity"] == "auroc2"]
        ends = {"lower": "estimate_lower", "upper": "estimate_upper"}
        rows = rows.rename(columns={**ends, "set_lower": "place_lower", "set_upper": "place_upper"})
        return rows.assign(place=rows["rank"]).head(len(rows) if len(rows) > 2 else 0)

    @property
    def posterior(self) -> Posteriors:
        return self.results.posteriors

    @property
    def self_knowledge(self) -> Asked:
        return self.results.self_knowledge

    @property
    def second_opinions(self) -> SecondOpinions:
        return self.results.second_opinions

    @property
    def _of_people(self) -> bool:
        return bool(self.results.facts.get("people"))

    def _rows(self, by: str) -> pd.DataFrame:
        rows = self.results.rows(by)
        return rows.assign(unjudged=rows["auroc2_lower"].isna())

    def _leaders(self) -> list[str]:
        """The models with the highest AUROC2; of people nobody leads."""
        best = self.results.rows("model").sort_values("auroc2", ascending=False, kind="stable")["model"]
        return [] if self._of_people else [str(name) for name in best.head(MOST_CURVES)]

    def _leading(self, rows: pd.DataFrame) -> pd.DataFrame:
        return rows[rows["model"].astype(str).isin(self._leaders())]

    def _curves(self, by: str, curve: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
        """The curves of the leading models that have such numbers, below each other."""
        known = self._leading(self.results.trials).dropna(subset=by).groupby("model", sort=False)
        made = {str(name): curve(part) for name, part in known}
        return (
            pd.concat(made, names=["model"]).reset_index("model").reset_index(drop=True)
            if made
            else pd.DataFrame()
        )


def open_trials(folder: str, *, n_resamples: int = 2_000, seed: int = 42) -> OwnTrials:
    """The results in an import's folder; without one, those of the example."""
    if folder:
        return OwnTrials(read_results(Path(folder)))
    made = Path(tempfile.mkdtemp(prefix="metacog-own-trials-"))
    example_table(seed).to_csv(made / "example.csv", index=False)
    asked = Columns(correct="is_right", confidence="stated", model="llm", domain="topic", question_id="item")
    request = Request(asked, scale="probability", options=Options(n_resamples=n_resamples, seed=seed))
    import_trials(made / "example.csv", made, request, page=False)
    return OwnTrials(read_results(made), example=True)


_ANSWERS = {True: "yes", False: "no", None: "undecided"}


def _screen_answer(row: pd.Series) -> tuple[str, str]:
    """What the screen's protocol says: a rule that is broken within the noise of few answers decides nothing."""
    if pd.isna(row["invalid"]):
        return NOT_TESTABLE, "no answer is wrong, or none right"
    answer, why = SCREENED[str(row["tier"])]
    return answer, why.format(broken=row["broken"])
