"""How the experiments on the models of the run are shown: tables, figures and sentences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.posterior import forest_of, posterior_columns, sampling_columns
from metacog.report.posterior_words import reason, sampling_sentence, with_reasons
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.sdt.bayes.record import LARGEST_SHARE
from metacog.sdt.decisions import NOT_SIGNIFICANT
from metacog.sdt.padding import ENDS
from metacog.studies.study2_two_choice.cells.columns import (
    BOTH_ENDS,
    DECISIONS,
    DIFFERENCE,
    MODEL,
    PAIR,
    RISK,
    TASK,
    N,
    in_words,
    rows_with,
)
from metacog.studies.study2_two_choice.cells.comparisons import ROPE
from metacog.studies.study2_two_choice.cells.sentences import falls, left_out, place, warned
from metacog.studies.study2_two_choice.replication import figures
from metacog.studies.study2_two_choice.replication.analysis import (
    Asked,
    RatedDecisions,
    RatedPosterior,
    WarnedDecisions,
)
from metacog.studies.study2_two_choice.replication.answer import page_answer
from metacog.studies.study2_two_choice.replication.asked_shown import prompts, sets, way_of_asking
from metacog.studies.study2_two_choice.replication.compared_shown import COMPARED
from metacog.studies.study2_two_choice.replication.figures import SIGNALS
from metacog.studies.study2_two_choice.replication.lacking import reasons, usable_of

PADDED = answer("padded", "Determined by its padding")
#: In place of tables without rows.
NO_RATINGS = "No cell has decisions and ratings from which anything can be estimated."
NO_SIGNALS = "No reply has both a decision and a rating, so no signal of confidence can be judged."
NO_DECISIONS = "No cell has usable decisions about both kinds of sentence."


def with_signal_names(table: pd.DataFrame) -> pd.DataFrame:
    """The same rows with ``read_from``: the name of the signal for readers."""
    return table.assign(read_from=table["signal"].map(SIGNALS))


ASKED = {
    "cells": Schema(
        "cells",
        columns_of(
            MODEL,
            TASK,
            text("experiment", "Experiment"),
            RISK,
            count("asked", "Asked"),
            count("usable", "Usable"),
            count("unparsed", "Not understood"),
            count("repaired", "Asked again"),
            count("refused", "Refused"),
            count("truncated", "Cut off"),
            number("correct", "Correct", 2),
        ),
        "Every cell: what was asked and what can be used. The last column is the share correct of those.",
        pick=in_words,
    ),
    "facts": Schema(
        "facts",
        columns_of(
            MODEL,
            text("prompt", "Prompt"),
            count("n_trials", "Trials"),
            number("minutes", "Minutes", 1),
            text("sha256", "SHA-256"),
        ),
        "The runs behind this page.",
        empty="No run is recorded on this machine.",
    ),
}
RATINGS = {
    "cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            N,
            number("accuracy", "Accuracy", 2),
            limits("accuracy_lower", "accuracy_upper", "95 % of accuracy", 2),
            number("d_prime", "d'", 2),
            limits("d_prime_lower", "d_prime_upper", "95 % of d'", 2),
            number("c", "c", 2),
            limits("c_lower", "c_upper", "95 % of c", 2),
            answer("near_chance", "May be chance"),
            PADDED,
        ),
        "Decisions: d' and c with delta intervals, after 0.1 was added to each of the 20 counts.",
        empty=NO_RATINGS,
    ),
    "meta": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            count("levels", "Ratings used"),
            number("d_prime", "d'", 2),
            number("meta_d", "meta-d'", 2),
            limits("meta_d_lower", "meta_d_upper", "95 % of meta-d'", 2),
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lower", "m_ratio_upper", "95 % of M-ratio", 2),
            number("dropped", "Resamples without one", 2),
            answer("near_chance", "May be chance"),
            PADDED,
        ),
        "Confidence: maximum likelihood with bootstrap intervals. Where d' may be chance, M-ratio cannot be "
        "judged.",
        empty=NO_RATINGS,
    ),
    "signals": Schema(
        "signals",
        columns_of(
            TASK,
            MODEL,
            text("read_from", "Confidence read from"),
            count("n", "Trials"),
            count("levels", "Different values"),
            number("auroc2", "AUROC2"),
            limits("auroc2_lower", "auroc2_upper"),
            number("gain", "Gain over the digit"),
            limits("gain_lower", "gain_upper", "95 % of the gain"),
            number("p", "p"),
        ),
        "Signals of confidence. Three are about the decisions that were drawn, with gains and p by DeLong's test; the "
        "preferred option is judged by whether it is right itself.",
        pick=with_signal_names,
        empty=NO_SIGNALS,
    ),
}
POSTERIOR = {
    "cells": Schema(
        "cells",
        posterior_columns((TASK, MODEL)),
        "Means and intervals of posteriors; nothing is added to any count, the priors keep d' finite.",
        pick=with_reasons,
        empty=NO_RATINGS,
    ),
    "sampling": Schema(
        "cells", sampling_columns((TASK, MODEL)), "How well it was sampled.", empty="Nothing was sampled."
    ),
}
WARNED = {
    "cells": Schema(
        "cells",
        columns_of(
            TASK,
            MODEL,
            RISK,
            N,
            number("hit_rate", "Hits", 2),
            number("false_alarm_rate", "False alarms", 2),
            number("d_prime", "d'", 2),
            number("d_prime_half", "half-width of d'", 2),
            number("c", "c", 2),
            number("c_half", "half-width of c", 2),
            PADDED,
        ),
        "Decisions under the three risk configurations, after half a trial was added to each of the four "
        "outcomes; half-widths by the delta method.",
        pick=in_words,
        empty=NO_DECISIONS,
    ),
    "c_pairs": Schema(
        "pairs",
        columns_of(PAIR, DIFFERENCE, number("z", "Z", 1), BOTH_ENDS, DECISIONS),
        "Differences of the criterion, first minus second.",
        pick=rows_with("measure", "c"),
        empty="No pair can be compared.",
    ),
    "d_pairs": Schema(
        "pairs",
        columns_of(PAIR, DIFFERENCE, number("z", "Z", 1), BOTH_ENDS, DECISIONS),
        "Differences of d', first minus second.",
        pick=rows_with("measure", "d_prime"),
        empty="No pair can be compared.",
    ),
}


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


def fits(result: RatedDecisions) -> str:
    """In how many of the cells that were asked there is a meta-d', and why not in the others."""
    cells, lost = result.cells, result.unfitted
    flat = cells[cells["levels"] < 2]
    known = cells[cells["meta_d"].notna()]
    rest = cells.drop(known.index.union(flat.index))
    asked = plural(len(cells) + len(lost), "cell")
    if len(known) == len(cells) + len(lost):
        return f"There is a meta-d' in all {asked}."
    known_why = (("the same rating was given throughout", flat), ("d' is exactly 0, or the fit fails", rest))
    parts = [f"{why} for {listed(map(place, rows_of(some)))}" for why, some in known_why if len(some)]
    parts += reasons(lost)
    return f"There is a meta-d' in {len(known)} of {asked}: {'; '.join(parts)}."


def near_chance(result: RatedDecisions) -> str:
    """Whose d' cannot be distinguished from 0, so that the M-ratio cannot be judged."""
    cells = result.cells
    if cells.empty:
        return f"No cell has a d' that could be told from 0. {usable_of(result.unfitted)}"
    near = cells[cells["near_chance"]]
    if near.empty:
        return f"In all {len(cells)} cells the 95 % interval of d' lies above 0."
    names = [f"{place(r)} ({r.d_prime:.2f}, {_interval(r)})" for r in rows_of(near)]
    return (
        f"In {len(near)} of {len(cells)} cells the 95 % interval of d' reaches 0: {listed(names)}. There the "
        "M-ratio divides by what may be nothing, and it cannot be judged, whatever the number."
    )


def _interval(row: Any) -> str:
    known = f"{row.d_prime_lower:.2f} to {row.d_prime_upper:.2f}"
    return "determined by its padding" if row.padded else known


def padded_ratings(result: RatedDecisions) -> str:
    """Which cells with confidence are determined by their padding."""
    return _padded(result.cells, "d' or M-ratio")


def padded_decisions(result: WarnedDecisions) -> str:
    """Which cells under risk are determined by their padding."""
    return _padded(result.cells, "d'")


def _padded(cells: pd.DataFrame, what: str) -> str:
    made = cells[cells["padded"]]
    if cells.empty:
        return f"There is no cell with {what}, so none is determined by what is added to every count."
    if made.empty:
        return (
            f"In none of {plural(len(cells), 'cell')} is {what} determined by what is added to every count."
        )
    names = [place(r) + (warned(r.risk) if "risk" in made else "") for r in rows_of(made)]
    return (
        f"In {len(made)} of {plural(len(cells), 'cell')} {what} moves by more than its own standard error as "
        f"what is added to every count goes from {ENDS[0]:g} to {ENDS[1]:g}: {listed(names)}. Such a cell is "
        "determined by its padding, and its numbers are given without an interval."
    )


def signals_known(result: RatedDecisions) -> str:
    """In how many cells each signal distinguishes right from wrong answers, by its interval of AUROC2."""
    table = result.signals[result.signals["auroc2"].notna()]
    parts = []
    for name, part in table.groupby("signal", sort=False):
        clear = int((part["auroc2_lower"] > 0.5).sum())
        parts.append(f"{SIGNALS[str(name)]} in {clear} of {len(part)} cells")
    if result.signals.empty:
        return NO_SIGNALS
    if not parts:
        return "No cell has both right and wrong answers."
    return f"Right answers carry more confidence than wrong ones (AUROC2 above 0.5, 95 %) by {listed(parts)}."


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


def without_the_draw(result: RatedDecisions) -> str:
    """AUROC2 with and without the draw, by cell."""
    cells = result.draws[result.draws[["decision", "taken", "preferred"]].notna().all(axis=1)]
    if cells.empty:
        return ""
    areas = [f"{r.decision:.3f}, {r.taken:.3f} and {r.preferred:.3f} ({place(r)})" for r in rows_of(cells)]
    return (
        "AUROC2 of the probability of the decision, of that of the preferred option for the same decisions, and of the "
        f"latter for the preferred options themselves: {'; '.join(areas)}."
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
    if len(kept):
        sentence += f": {listed(f'{place(r)} ({r.decision})' for r in rows_of(kept))}"
    if rest.empty:
        return f"{sentence}."
    why = "; ".join(f"{place(r)}: {reason(r)}" for r in rows_of(rest))
    width = (rest["m_ratio_upper"] - rest["m_ratio_lower"]).min()
    return f"{sentence}. Where it cannot, its 95 % interval is at least {width:.1f} wide. {why}.{_below_one(rest)}"


def sampled(result: RatedPosterior) -> str:
    """How well the chains sampled, or that there was nothing to sample."""
    if result.sampling is None:
        return f"Nothing was sampled. {usable_of(result.unfitted)}"
    return sampling_sentence(result.sampling)


def _below_one(cells: pd.DataFrame) -> str:
    """In how many cells without a logarithm of M-ratio the interval of M-ratio itself lies below 1."""
    without = cells[cells["not_positive"] > LARGEST_SHARE]
    if without.empty:
        return ""
    below = int((without["m_ratio_upper"] < 1).sum())
    return (
        " Where M-ratio is not positive it has no logarithm, and no decision by the rule; the upper end of the 95 % "
        f"interval of M-ratio itself lies below 1 in {below} of {plural(len(without), 'such cell')}."
    )


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
    heeded, against = clear[clear["difference"] < 0], clear[clear["difference"] > 0]
    most = rows_of(pairs)[int(np.argmax(pairs["difference"].abs()))]
    return (
        f"The criterion climbs beyond chance (by the wide interval) in {len(heeded)} of {len(pairs)} models and tasks, "
        f"and falls beyond chance in {len(against)}. From the warning of S1 to that of S2 it should climb"
        f"{_named('it does so for', heeded)}{_named('it falls for', against)}; in {len(pairs) - len(clear)} the "
        f"warnings cannot be distinguished at this width. The largest shift is {-most.difference:+.2f} "
        f"({place(most)}, 95 % interval {-most.upper:+.2f} to {-most.lower:+.2f})."
    )


def _named(what: str, rows: pd.DataFrame) -> str:
    return f"; {what} {listed(f'{r.name} ({r.task})' for r in rows_of(rows))}" if len(rows) else ""


def sensitivity(result: WarnedDecisions) -> str:
    """Whether the warnings left d' alone, as a mere shift of the criterion would."""
    pairs, rope = result.pairs[result.pairs["measure"] == "d_prime"], ROPE["d_prime"]
    if pairs.empty:
        return "No pair of warnings can be compared."
    tested = pairs[pairs["decision_wide"] != NOT_SIGNIFICANT]
    small = pairs[(pairs["lower"] > -rope) & (pairs["upper"] < rope)]
    return (
        f"d' differs beyond chance in {len(tested)} of {len(pairs)} pairs of configurations. That does not "
        f"mean that it is constant: in {len(small)} of them the 95 % interval lies inside the ROPE of "
        f"{rope:g} on either side of 0."
    )


VIEWS = (
    Views(
        "replication_asked",
        tables=ASKED,
        sentences={"sets": sets, "way_of_asking": way_of_asking, "prompts": prompts, "replies": replies},
    ),
    Views(
        "replication_ratings",
        tables=RATINGS,
        figures={"accuracy": figures.accuracy, "signals": figures.signals},
        sentences={
            "answer": page_answer,
            "fits": fits,
            "near_chance": near_chance,
            "padded": padded_ratings,
            "signals_known": signals_known,
            "finer_signals": finer_signals,
            "without_the_draw": without_the_draw,
            "left_out": left_out,
            "falls": falls,
        },
    ),
    COMPARED,
    Views(
        "replication_posterior",
        tables=POSTERIOR,
        figures={
            "m_ratio": forest_of(
                "cells", ("task", "name"), name="fig-study2-replication-m-ratio", colour="name"
            )
        },
        sentences={"sampling_quality": sampled, "judged": judged},
    ),
    Views(
        "replication_risk",
        tables=WARNED,
        figures={"criterion": figures.criterion},
        sentences={
            "warnings_heeded": warnings_heeded,
            "sensitivity": sensitivity,
            "padded": padded_decisions,
        },
    ),
)
