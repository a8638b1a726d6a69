"""What an import is for: thresholds to let answers through by, which signal to take, and what was left out.

The tables are made in :mod:`metacog.measures.signals`; here stands what of a file goes into them, where they are kept,
and the sentences that they allow.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom

from metacog.core.frames import committed_table, rows_of, with_ends
from metacog.core.words import listed, plural
from metacog.measures.signals import (
    PROMISES,
    gate_table,
    left_out_table,
    recalibration_table,
    refusal_table,
    signal_pairs,
    signal_table,
)
from metacog.measures.table import Options
from metacog.sdt.intervals import clopper_pearson
from metacog.verdicts.promises import SIMULATED

#: Tables of an import, each stored as NAME.csv where it has rows.
TABLES = ("gate", "signals", "signal_pairs", "left_out", "refusals", "recalibration")
NO_CONFIDENCE = "no confidence"
REFUSES = "the answer refuses"

#: Lines of the gate that the terminal shows.
MOST_LINES = 12
#: As many models, or more, are told of by their median.
FEW = 4
#: Surely wrong rows that are shown.
MOST_WRONG = 10


@dataclass
class Answers:
    """All answers of a file that are marked right or wrong, those that were left out among them.

    ``frame`` has ``model``, ``question_id``, ``correct``, ``refusal``, and why each was left out (``lost``); ``scores``
    and ``probabilities`` hold by signal confidence, higher is surer, and the stated probability, NaN where there is
    none. The file's own numbers have the other sign where ``less_is_surer``.
    """

    frame: pd.DataFrame
    scores: dict[str, np.ndarray] = field(default_factory=dict)
    probabilities: dict[str, np.ndarray] = field(default_factory=dict)
    less_is_surer: bool = False


@dataclass(frozen=True)
class Decisions:
    """The tables, by name; one without rows is left out."""

    tables: dict[str, pd.DataFrame] = field(default_factory=dict)
    less_is_surer: bool = False

    def table(self, name: str) -> pd.DataFrame:
        return self.tables.get(name, pd.DataFrame())


def decide(answers: Answers | None, options: Options, refusals: str = "wrong") -> Decisions:
    """All tables of an import; none without answers that stand one a row. Refusals are counted unless ``wrong``."""
    if answers is None or answers.frame.empty:
        return Decisions()
    every = answers.frame
    keep = (every["lost"] != REFUSES).to_numpy()
    kept = every[keep]
    scores = {name: values[keep] for name, values in answers.scores.items()}
    stated = {name: values[keep] for name, values in answers.probabilities.items()}
    stated = {name: values for name, values in stated.items() if np.isfinite(values).any()}
    made = {"gate": gate_table(kept, scores, seed=options.seed)}
    if len(scores) > 1:
        made |= {"signals": signal_table(kept, scores), "signal_pairs": signal_pairs(kept, scores)}
    made["left_out"] = left_out_table(every, every["lost"])
    if refusals != "wrong" and every["refusal"].any():
        first = next(iter(answers.scores.values()))
        made["refusals"] = refusal_table(every, every["refusal"].to_numpy(dtype=bool), first)
    made["recalibration"] = recalibration_table(
        kept, stated, n_resamples=options.n_resamples, seed=options.seed
    )
    return Decisions({name: one for name, one in made.items() if len(one)}, answers.less_is_surer)


def threshold_text(threshold: float, decisions: Decisions) -> str:
    """A threshold in the file's own numbers: ``from 85`` or, where less is surer, ``up to 0.4``."""
    if decisions.less_is_surer:
        return f"up to {0.0 - threshold:.6g}"
    return f"from {threshold + 0.0:.6g}"


def _who(model: object, signal: object, rows: pd.DataFrame) -> str:
    """``large by judge``, as far as there are several."""
    named = str(model) if rows["model"].nunique() > 1 else ""
    by = str(signal) if rows["signal"].nunique() > 1 else ""
    return " by ".join(part for part in (named, by) if part)


def gate_lines(decisions: Decisions) -> list[str]:
    """The gate as the terminal prints it: a line for each model and signal that can make a promise."""
    rows = decisions.table("gate")
    if rows.empty:
        return []
    lines, without = [], []
    for (model, signal), part in rows.groupby(["model", "signal"], sort=False):
        who, reached = _who(model, signal, rows), part[np.isfinite(part["threshold"])]
        told = (
            f"{100 * one.most_errors:g} %: {threshold_text(one.threshold, decisions)} "
            f"({100 * one.coverage:.0f} % pass, {100 * one.error_rate:.1f} % of them wrong "
            f"[{100 * one.error_rate_lower:.0f}, {100 * one.error_rate_upper:.0f}])"
            for one in rows_of(reached)
        )
        if reached.empty:
            without.append(who)
        else:
            lines.append(f"{who}{': ' if who else ''}{'; '.join(told)}")
    if not lines:
        return [
            f"gate: no threshold can be promised to keep wrong answers at or below {100 * max(PROMISES):g} % "
            "(gate.csv says why)"
        ]
    head = "gate: most wrong answers among those that pass, and the confidence it takes (judged on the other half)"
    shown = [head, *lines[:MOST_LINES]]
    if len(lines) > MOST_LINES:
        shown.append(f"... and {len(lines) - MOST_LINES} more in gate.csv")
    if without:
        many = f"for {len(without)} more, named in gate.csv"
        shown.append(f"no promise can be made: {listed(without) if len(without) <= MOST_LINES else many}")
    return shown


def gate_answer(decisions: Decisions) -> str:
    """What can be promised, in the sentence that opens the gate."""
    rows = decisions.table("gate")
    if rows.empty:
        return "These trials have no gate: it takes answers that stand one a row, of models."
    reached = rows[np.isfinite(rows["threshold"])]
    if reached.empty:
        return (
            f"No threshold can be promised to keep wrong answers at or below {100 * max(PROMISES):g} %: too many of "
            "the surest are wrong, or too few are marked."
        )
    reached = reached[~_refuted(reached)]
    if reached.empty:
        return "Every threshold that one half of the questions promises lets too many wrong answers pass on the other."
    wanted = 0.05 if (reached["most_errors"] == 0.05).any() else float(reached["most_errors"].min())
    one = reached[reached["most_errors"] == wanted].sort_values("coverage", kind="stable").iloc[-1]
    who = f" of {one['model']}" if rows["model"].nunique() > 1 else ""
    by = str(one["signal"]) if rows["signal"].nunique() > 1 else "confidence"
    least = threshold_text(one["threshold"], decisions)
    return (
        f"Let answers{who} pass with {by} {least}: at most {100 * wanted:g} % of them are wrong, by a rule that errs "
        f"in 5 of 100 files at most. On the other half {100 * one['coverage']:.0f} % of all answers pass, and "
        f"{100 * one['error_rate']:.1f} % of these are wrong ({100 * one['error_rate_lower']:.1f} to "
        f"{100 * one['error_rate_upper']:.1f} %)."
    )


def gate_rows(decisions: Decisions) -> pd.DataFrame:
    """Promises that can be made, for readers: ``model, signal, promised, passes``, the share let through, errors."""
    rows = decisions.table("gate")
    if rows.empty:
        return rows
    rows = rows[np.isfinite(rows["threshold"])]
    old = with_ends("coverage", "error_rate")
    named = dict(zip(old, with_ends("let_through", "wrong_through"), strict=True))
    promised = _percent(rows["most_errors"]) + _refuted(rows).map({True: ", broken", False: ""})
    passes = [threshold_text(one, decisions) for one in rows["threshold"]]
    return rows.rename(columns=named).assign(promised=promised, passes=passes)


def _refuted(reached: pd.DataFrame) -> pd.Series:
    """Promises that the other half refutes: the whole interval of its error rate lies above."""
    return reached["error_rate_lower"] > reached["most_errors"]


def no_gate_rows(decisions: Decisions) -> pd.DataFrame:
    """Promises that cannot be made, and why: ``model, signal, promised, why``."""
    rows = decisions.table("gate")
    if rows.empty:
        return rows
    rows = rows[~np.isfinite(rows["threshold"])]
    return rows.assign(promised=_percent(rows["most_errors"]))[["model", "signal", "promised", "why"]]


def _percent(shares: pd.Series) -> pd.Series:
    return shares.map(lambda share: f"{100 * share:g} %").astype(object)


#: Answers that the weekly check takes: so many tell an error rate of 5 % to within about 2 points.
WEEKLY = 450


def noticed_in(n: int) -> float:
    """How often ``n`` answers of which 7 % are wrong show that more than 5 % are, by the whole interval."""
    fewest = next(wrong for wrong in range(n) if clopper_pearson(wrong / n, n)[0] > 0.05)
    return float(binom.sf(fewest - 1, n, 0.07))


def gate_about(decisions: Decisions) -> str:
    """The rule, how often it errs, and how to keep an eye on it; empty without a gate."""
    if decisions.table("gate").empty:
        return ""
    made = committed_table(SIMULATED)
    ours, lowest = (100 * made.loc[made["rule"] == rule, "broken"] for rule in ("sequence", "observed"))
    made_in = 100 * made.loc[made["rule"] == "sequence", "reached"].mean()
    of_made = 100 * ours.mean() / made_in
    low, high = clopper_pearson(0.05, WEEKLY)
    noticed = noticed_in(WEEKLY)
    enough = next(n for n in range(WEEKLY, 10_000, 50) if noticed_in(n) >= 0.8)
    return (
        "Each threshold is chosen on one half of the questions and judged on the other. It is the lowest that is "
        "shown with 95 % confidence to keep the promise: thresholds that let through the surest 5 %, 10 %, 15 % ... "
        "are tested in this order up to the first that fails, and anew from a quarter, a half and three quarters of "
        f"the answers on. In simulations, where the truth is known, such a promise could be made in {made_in:.0f} % "
        f"of files and was broken in {ours.mean():.1f} % ({ours.max():.1f} % in the worst case); of the promises that "
        f"were made, {of_made:.1f} % were broken. One by the lowest threshold that keeps it in the answers at hand "
        f"was broken in {lowest.mean():.0f} % of files. Answers without confidence pass at no threshold, and count."
        f"\n\n**Each week**, let somebody mark answers that passed, drawn by chance: {WEEKLY} "
        f"of them tell an error rate of 5 % to within about 2 points ({100 * low:.1f} to {100 * high:.1f} %). "
        "Compare it with the promise, and the share that passes with that in the table, each with its interval. "
        "Keep a running total, too: four weeks are four times as many. "
        "Choose anew where the whole interval lies above the promise (if 7 % are wrong and 5 % were promised, "
        f"{100 * noticed:.0f} of 100 weeks notice, and 80 of 100 with {enough:,} answers a week), where the week's "
        "interval of the share that passes and that of the table do not meet, or where model, prompt or the kind of "
        "questions change."
    )


def left_out_notes(decisions: Decisions) -> list[str]:
    """A line where answers that were left out are right more or less often than those that were kept."""
    rows = decisions.table("left_out")
    notes = []
    for reason, part in rows.groupby("reason", sort=False) if len(rows) else ():
        apart = part[part["apart"].astype(bool)]
        if apart.empty:
            continue
        worst = rows_of(apart.reindex(apart["difference"].abs().sort_values(ascending=False).index))[0]
        n_kept, n_out = float(part["n_kept"].sum()), float(part["n_out"].sum())
        right = float((part["accuracy_kept"].fillna(0.0) * part["n_kept"]).sum())
        every = (right + float((part["accuracy_out"] * part["n_out"]).sum())) / (n_kept + n_out)
        where = f"of {worst.model}, where it is most so, " if len(part) > 1 else ""
        ends = f"[{100 * worst.difference_lower:.0f}, {100 * worst.difference_upper:.0f}]"
        notes.append(
            f"what is left out is not drawn by chance ({reason}; {len(apart)} of {plural(len(part), 'model')}): {where}"
            f"{100 * worst.accuracy_out:.0f} % of it is right and {100 * worst.accuracy_kept:.0f} % of what is kept, "
            f"{100 * worst.difference:.0f} points apart {ends}. Measures are of what is kept: "
            f"{100 * right / n_kept:.0f} % right, of all answers {100 * every:.0f} %"
        )
    return notes


def signal_lines(decisions: Decisions) -> list[str]:
    """Which of two signals orders answers better, a line for each pair of them."""
    pairs, told = decisions.table("signal_pairs"), []
    for (first, second), part in pairs.groupby(["first", "second"], sort=False) if len(pairs) else ():
        known = part[part["p"].notna()]
        moved = known[known["differs"].astype(bool)]["difference"]
        ahead, behind = int((moved > 0).sum()), int((moved < 0).sum())
        if known.empty:
            told.append(f"`{first}` and `{second}` cannot be compared: {part['why'].iloc[0]}")
        elif len(known) == 1:
            one = known.iloc[0]
            is_ = "better than" if ahead else "worse than" if behind else "not shown to differ from"
            ends = f"[{one['difference_lower']:.3f}, {one['difference_upper']:.3f}]"
            told.append(f"`{first}` is {is_} `{second}`: AUROC2 {one['difference']:+.3f} {ends}")
        else:
            told.append(
                f"`{first}` is better than `{second}` in {ahead} of {plural(len(known), 'model')}, worse in {behind}"
            )
    return told


def signals_text(decisions: Decisions) -> str:
    """Which signal orders answers better, pair by pair."""
    told = signal_lines(decisions)
    if not told:
        return "One signal is there. With `--confidence` several times, several are compared on the same answers."
    head = "In pairs, on the answers that have all signals (DeLong's test, adjusted by Holm's method over all rows):"
    leading = decisions.table("signal_pairs")["first"].iloc[0]
    rest = f"What follows, and the verdict above, are of `{leading}`, the first that was named."
    return "\n".join([head, "", *(f"- {line}." for line in told), "", rest])


def recalibration_text(decisions: Decisions) -> str:
    """What maps from the other half make of stated probabilities, and what they cannot."""
    rows = decisions.table("recalibration")
    if rows.empty:
        return "No signal is stated as a probability of being right, so there is none to come true."
    unfit = rows[rows["why"] != ""]
    made = rows[rows["method"] == "platt"]
    if made.empty:
        return f"Nothing is recalibrated: {unfit['why'].iloc[0]}."
    better = int((made["brier_change_upper"] < 0).sum())
    worse = int((made["brier_change_lower"] > 0).sum())
    before = rows[rows["method"] == "stated"].set_index(["model", "signal"])["ece"]
    after = made.set_index(["model", "signal"])["ece"]
    n = plural(len(made), "model" if made["signal"].nunique() == 1 else "case")
    other = rows[rows["method"] == "isotonic"].set_index(["model", "signal"])["ece"].reindex(after.index)
    each = [
        f"{before[one]:.3f} to {after[one]:.3f} in `{one[0]}` (isotonic: {other[one]:.3f})"
        for one in after.index
    ]
    median = f"{before.median():.3f} to {after.median():.3f} in the median"
    moved = f"goes from {listed(each) if len(each) < FEW else median}"
    return (
        "Maps from stated to true shares, fitted on one half of the questions and judged on the other, both ways "
        f"(Platt's logistic curve, and isotonic regression, as in scikit-learn). By Platt's the debiased ECE {moved}. "
        f"Use a map only where the Brier score falls: by its 95 % interval it falls in {better} of {n}, and rises in "
        f"{worse}. To use it, put `confidence`, as a share of 1, in `1 / (1 + "
        "exp(-(intercept + slope * confidence)))`. It mends what the numbers say. It cannot mend their order: "
        "Platt's map leaves AUROC2 and every gate as they are, and isotonic regression only adds ties."
    )


def surely_wrong(trials: pd.DataFrame, decisions: Decisions) -> pd.DataFrame:
    """The wrong answers with the highest confidence, to look at: some may be marked wrongly."""
    wrong = trials[~trials["correct"].astype(bool)].sort_values("score", ascending=False, kind="stable")
    shown = wrong.head(MOST_WRONG)
    stated = -shown["score"] if decisions.less_is_surer else shown["score"]
    said: dict[str, Any] = {
        "answer": shown["answer"].fillna("").astype(str).str.slice(0, 80),
        "stated": [f"{value + 0.0:.6g}" for value in stated],
    }
    return shown[["model", "question_id"]].assign(**said).reset_index(drop=True)
