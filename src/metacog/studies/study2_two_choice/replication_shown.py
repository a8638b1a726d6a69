"""What the experiments on the models of the run say, in words."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.sdt.decisions import NOT_SIGNIFICANT, Practical
from metacog.studies.study2_two_choice.replication import (
    Asked,
    Compared,
    RatedDecisions,
    RatedPosterior,
    WarnedDecisions,
)
from metacog.studies.study2_two_choice.replication_ratings import SIGNAL_NAMES
from metacog.verdicts.needed import area_cost
from metacog.verdicts.words import counted

#: Which signal tells right answers from wrong ones in some case, by what does; of one model, or of several.
ANSWER = {
    "stated": "The number that {whose} is shown to tell right from wrong {where}.",
    "implied": "No number that {whose} is shown to tell right from wrong; {signal} is {where}.",
}
#: What reading confidence from probabilities gains over the digit, by what is known.
FINER = {
    "none": "No reply has both a decision and a rating, so no signal of confidence can be judged.",
    "unknown": "{signal} is not known: the engine gave no probabilities.",
    "no pair": "{signal} cannot be compared with the digit: no cell has both right and wrong answers.",
    "compared": "{signal} orders the same answers better than the digit in {better} of {n} cells and worse in {worse}.",
    "draws": "Of {wrong}, {against:,} {go} against the model's own preference, and so {are} luck of the draw.",
}


def _clear(result: RatedDecisions) -> dict[str, tuple[int, int]]:
    """In how many cells AUROC2 of each signal lies above one half, and of how many."""
    known = result.signals[result.signals["auroc2"].notna()]
    return {
        str(name): (int((part["auroc2_lower"] > 0.5).sum()), len(part))
        for name, part in known.groupby("signal", sort=False)
    }


def page_answer(result: RatedDecisions) -> str:
    """In how many cells what a model states is shown to tell right from wrong, and what is where it is not."""
    clear = _clear(result)
    names = result.signals["name"].unique()
    alone = len(names) == 1
    whose = f"{names[0]} states" if alone else "these models state"
    where = "on {} of {}" if alone else "in {} of {}"
    unit = "task" if alone else "case"
    stated, n = clear.pop("rating", (0, 0))
    others = {name: found for name, found in clear.items() if found[0]}
    if stated:
        return ANSWER["stated"].format(whose=whose, where=where.format(stated, plural(n, unit)))
    if others:
        # between equals the preferred option, which owes nothing to a draw
        best = max(others, key=lambda name: (others[name][0], name == "p_preferred"))
        k, of = others[best]
        told = where.format(k, plural(of, unit))
        return ANSWER["implied"].format(whose=whose, signal=SIGNAL_NAMES[best], where=told)
    most = int(result.signals["n"].max()) if len(result.signals) else 0
    few = f" from {plural(most, 'decision')} each" if most and len(result.cells) else ""
    return f"Whether these models know when they are right cannot be told{few}."


def settling(result: RatedDecisions) -> str:
    """What came back where nothing could be judged, or how many decisions would settle it; empty where it is."""
    if any(n for n, _ in _clear(result).values()):
        return ""
    if result.cells.empty:
        cells = result.unfitted
        asked, decided, kept = (int(cells[name].sum()) for name in ("asked", "decided", "usable"))
        counted = cells["why"].value_counts(sort=False)
        why = "; ".join(f"in {n} of {plural(len(cells), 'cell')} {reason}" for reason, n in counted.items())
        return f"Of {plural(asked, 'trial')} {decided:,} have a decision, and {kept:,} a decision and a rating: {why}."
    digits = result.signals[result.signals["signal"] == "rating"]
    accuracy = digits["right"].sum() / digits["n"].sum() if digits["n"].sum() else float("nan")
    cost = area_cost(accuracy, int(digits["n"].max()) if len(digits) else 0)
    return f"{cost[:1].upper()}{cost[1:]}." if cost else ""


def finer_signals(result: RatedDecisions) -> str:
    """What reading confidence from probabilities gains over the digit, and how many errors are luck of the draw."""
    if result.signals.empty:
        return FINER["none"]
    told = []
    for name in ("expected_confidence", "p_decision"):
        known = result.signals[(result.signals["signal"] == name) & (result.signals["n"] > 0)]
        part = known[known["gain"].notna()]
        better, worse = int((part["gain_lower"] > 0).sum()), int((part["gain_upper"] < 0).sum())
        case = "unknown" if known.empty else "no pair" if part.empty else "compared"
        signal = SIGNAL_NAMES[name].capitalize()
        told.append(FINER[case].format(signal=signal, better=better, worse=worse, n=len(part)))
    wrong, against = (int(result.draws[name].sum()) for name in ("wrong", "wrong_against"))
    if wrong:
        one = against == 1
        words = {"go": "goes" if one else "go", "are": "is" if one else "are"}
        told.append(FINER["draws"].format(wrong=plural(wrong, "wrong decision"), against=against, **words))
    return " ".join(told)


def warnings_heeded(result: WarnedDecisions) -> str:
    """What the warning did to the criterion, which from S1 to S2 should climb, and whether it left d' alone."""
    of_c, of_d = (result.pairs[result.pairs["measure"] == name] for name in ("c", "d_prime"))
    of_c = of_c[(of_c["first"] == "S1") & (of_c["second"] == "S2")]
    if of_c.empty:
        return (
            f"What the warnings did cannot be told: {result.trials:,} of {plural(result.asked, 'decision')} can be "
            "used, and no cell has decisions under both warnings that are not determined by their padding."
        )
    clear = of_c[of_c["decision_wide"] != NOT_SIGNIFICANT]
    heeded, against = (int((sign * clear["difference"] > 0).sum()) for sign in (-1, 1))
    moved = int((of_d["decision_wide"] != NOT_SIGNIFICANT).sum())
    asked = len(result.cells.drop_duplicates(["task", "model"]))
    return (
        "Heeding makes the criterion climb from the first warning to the second. It climbs beyond chance in "
        f"{heeded} of {plural(len(of_c), 'combination')} of a model and a task that can be judged (of {asked}), and "
        f"falls beyond chance in {against}; $d'$ differs beyond chance in {moved} of {plural(len(of_d), 'pair')} of "
        "instructions."
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


def prompts(result: Asked) -> str:
    """The first request about one sentence of each task, and what is asked next, as Markdown."""
    parts = []
    for (task, name), turns in result.requests.groupby(["task", "name"], sort=False):
        n = turns["example"].max()
        lines: list[str] = []
        for turn in rows_of(turns[turns["example"] <= 2]):
            if turn.example == 0 and n > 2 and len(lines) == 5:
                lines.append(f"... ({n - 2} more examples)")
            lines.append(f"{turn.role}: {turn.content or '(the decision)'}")
        parts.append(f"**Task {task}, {str(name).lower()}**\n\n```text\n{chr(10).join(lines)}\n```")
    return "\n\n".join(parts)


def ratios(result: RatedPosterior) -> str:
    """In how many cells the M-ratio can be judged and is below 1, and where it is not shown to be above 0."""
    if result.cells.empty:
        return ""
    judged = result.cells[result.cells["judged"].astype(bool)]
    less = judged[judged["decision"].eq(Practical.SIGNIFICANT) & judged["m_ratio_upper"].lt(1)]
    zero = less[less["m_ratio_lower"] <= 0]
    of = plural(len(result.cells), "cell")
    said = f"The M-ratio can be judged in {len(judged)} of {of}, and is practically less than one in {len(less)}."
    if zero.empty:
        return said
    named = listed(
        f"{model} on {'task' if len(own) == 1 else 'tasks'} {listed(own['task'])}"
        for model, own in zero.groupby("name", sort=False)
    )
    return (
        f"{said} In {len(zero)} of these, decisions beat chance, and confidence is not shown to use anything of what "
        f"decides: {named}."
    )


VIEWS = (
    Views("replication_asked", sentences={"prompts": prompts}),
    Views(
        "replication_ratings",
        sentences={"answer": page_answer, "settling": settling, "finer_signals": finer_signals},
    ),
    Views("replication_posterior", sentences={"ratios": ratios}),
    Views("replication_compared", sentences={"apart": apart}, verdicts={"compared": counted}),
    Views("replication_risk", sentences={"warnings_heeded": warnings_heeded}),
)
