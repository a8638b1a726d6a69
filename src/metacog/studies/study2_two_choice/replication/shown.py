"""What the experiments on the models of the run say, in words."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.posterior_words import reason
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.studies.study2_two_choice.cells.comparisons import ROPE
from metacog.studies.study2_two_choice.cells.sentences import place
from metacog.studies.study2_two_choice.replication.analysis import (
    Asked,
    Compared,
    RatedDecisions,
    RatedPosterior,
    WarnedDecisions,
)
from metacog.studies.study2_two_choice.replication.answer import page_answer, settling
from metacog.studies.study2_two_choice.replication.asked_shown import prompts, sets, way_of_asking
from metacog.studies.study2_two_choice.replication.lacking import reasons
from metacog.studies.study2_two_choice.replication.ratings import SIGNAL_NAMES as SIGNALS

NO_SIGNALS = "No reply has both a decision and a rating, so no signal of confidence can be judged."


def replies(result: Asked) -> str:
    """How many replies could be used, and where most were lost."""
    cells = result.cells
    total, lost, repaired = (int(cells[name].sum()) for name in ("asked", "unparsed", "repaired"))
    sentence = (
        f"Of {plural(total, 'reply', 'replies')} {total - lost:,} can be used, {repaired:,} of them after "
        f"being asked for once more; {lost:,} could not be understood."
    )
    if not lost:
        return sentence
    worst = rows_of(cells)[int(np.argmax(cells["unparsed"] / cells["asked"]))]
    share = worst.unparsed / worst.asked
    return f"{sentence} Most were lost by {place(worst)} {worst.experiment} ({share:.0%})."


def finer_signals(result: RatedDecisions) -> str:
    """What reading confidence from probabilities gains over the digit, cell by cell."""
    if result.signals.empty:
        return NO_SIGNALS
    sentences = []
    for name in ("expected_confidence", "p_decision"):
        words = SIGNALS[name]
        known = result.signals[(result.signals["signal"] == name) & (result.signals["n"] > 0)]
        part = known[known["gain"].notna()]
        if known.empty:
            sentences.append(f"{words.capitalize()} is not known: the engine gave no probabilities.")
            continue
        if part.empty:
            sentences.append(
                f"{words.capitalize()} cannot be compared with the digit: no cell has both right and wrong "
                "answers, each with its probabilities."
            )
            continue
        better, worse = (part["gain_lower"] > 0).sum(), (part["gain_upper"] < 0).sum()
        most = rows_of(part)[int(np.argmax(part["gain"]))]
        sentences.append(
            f"{words.capitalize()} orders the same answers better than the digit does in {better} of "
            f"{len(part)} cells and worse in {worse} (95 % intervals of the difference); the largest gain is "
            f"{most.gain:+.2f} ({place(most)})."
        )
    return " ".join([*sentences, against_preference(result.draws)]).strip()


def against_preference(draws: pd.DataFrame) -> str:
    """How many errors go against the model's own preference; empty without errors or probabilities."""
    known = draws[draws["wrong"] > 0]
    if known.empty:
        return ""
    wrong, against = int(known["wrong"].sum()), int(known["wrong_against"].sum())
    if not against:
        return f"None of {plural(wrong, 'wrong decision')} goes against the model's own preference."
    most = rows_of(known)[int(np.argmax(known["wrong_against"] / known["wrong"]))]
    return (
        f"{against} of {plural(wrong, 'wrong decision')} go against the model's own preference (probability below one "
        f"half), at most {most.wrong_against / most.wrong:.0%} of a cell's ({place(most)}): the probability of the "
        "decision shows this luck of the draw. That of the option that a model prefers is known without a draw."
    )


def judged(result: RatedPosterior) -> str:
    """In how many cells the posterior of M-ratio can be judged, and why not in the rest."""
    cells = result.cells
    if cells.empty:
        return (
            f"By the posterior, M-ratio can be judged in none of {plural(len(result.unfitted), 'cell')}: "
            f"{'; '.join(reasons(result.unfitted))}."
        )
    kept, rest = cells[cells["judged"]], cells[~cells["judged"]]
    sentence = f"By the posterior, M-ratio can be judged in {len(kept)} of {plural(len(cells), 'cell')}"
    if rest.empty:
        return f"{sentence}."
    why = "; ".join(f"{place(r)}: {reason(r)}" for r in rows_of(rest))
    return f"{sentence} ({why})."


def warnings_heeded(result: WarnedDecisions) -> str:
    """What the warning did to the criterion: from that of S1 to that of S2 it should climb."""
    pairs = result.pairs
    pairs = pairs[(pairs["measure"] == "c") & (pairs["first"] == "S1") & (pairs["second"] == "S2")]
    if pairs.empty:
        return (
            f"What the warnings did cannot be told: {result.trials:,} of {plural(result.asked, 'decision')} can be "
            "used, and no cell has decisions under both warnings that are not determined by their padding."
        )
    clear = pairs[pairs["decision_wide"] != NOT_SIGNIFICANT]
    heeded, against = (int((sign * clear["difference"] > 0).sum()) for sign in (-1, 1))
    most = rows_of(pairs)[int(np.argmax(pairs["difference"].abs()))]
    return (
        f"From the first warning to the second the criterion climbs beyond chance in {heeded} of {len(pairs)} models "
        f"and tasks, as it should, and falls beyond chance in {against}; the largest shift is {-most.difference:+.2f} "
        f"({place(most)}, 95 % interval {-most.upper:+.2f} to {-most.lower:+.2f})."
    )


def sensitivity(result: WarnedDecisions) -> str:
    """Whether the warnings left d' alone, as a mere shift of the criterion would."""
    pairs, rope = result.pairs[result.pairs["measure"] == "d_prime"], ROPE["d_prime"]
    if pairs.empty:
        return "No pair of warnings can be compared."
    tested = pairs[pairs["decision_wide"] != NOT_SIGNIFICANT]
    small = pairs[(pairs["lower"] > -rope) & (pairs["upper"] < rope)]
    return (
        f"What a model can tell apart, $d'$, differs beyond chance in {len(tested)} of {len(pairs)} pairs of warnings; "
        f"in {len(small)} it is shown to differ by less than {rope:g}."
    )


def apart(result: Compared) -> str:
    """How many pairs of models, and of tasks, differ in AUROC2."""
    parts = []
    for kind in ("models", "tasks"):
        pairs = result.pairs[(result.pairs["kind"] == kind) & (result.pairs["quantity"] == "auroc2")]
        known = pairs[pairs["p_holm"].notna()]
        if len(known):
            parts.append(
                f"{int(known['differs'].astype(bool).sum())} of {plural(len(known), 'pair')} of {kind}"
            )
    if not parts:
        return "Whether models or tasks differ cannot be told: no two of them can be compared."
    return f"By AUROC2 of the number stated, {listed(parts)} differ (by Holm's method, all pairs of a kind together)."


def pairs_judged(verdict: Verdict) -> str:
    """How many pairs differ, and how many cannot be judged."""
    pairs, quantity = verdict.values["pairs"], verdict.values["quantity"]
    n, pair = int(pairs["differs"].astype(bool).sum()), plural(len(pairs), "pair")
    told = f"{quantity}: {n} of {pair} of {verdict.hypothesis} {'differs' if n == 1 else 'differ'}."
    if not len(pairs):
        told = f"{quantity}: there is no pair of {verdict.hypothesis} that can be judged."
    waiting = len(verdict.undecided)
    return f"{told} {plural(waiting, 'pair')} cannot be judged." if waiting else told


VIEWS = (
    Views(
        "replication_asked",
        sentences={"sets": sets, "way_of_asking": way_of_asking, "prompts": prompts, "replies": replies},
    ),
    Views(
        "replication_ratings",
        sentences={"answer": page_answer, "settling": settling, "finer_signals": finer_signals},
    ),
    Views("replication_compared", sentences={"apart": apart}, verdicts={"compared": pairs_judged}),
    Views("replication_posterior", sentences={"judged": judged}),
    Views("replication_risk", sentences={"warnings_heeded": warnings_heeded, "sensitivity": sensitivity}),
)
