"""How the probe's replication is shown: tables, figures, sentences, verdicts."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report import gates
from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME, undecided_clause
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study4_probe.measures.range_score import RANGE_BAND
from metacog.studies.study4_probe.measures.shown import MODEL, TASK
from metacog.studies.study4_probe.replication import figures
from metacog.studies.study4_probe.replication.analysis import Replication
from metacog.studies.study4_probe.replication.answer import in_full, page_answer
from metacog.studies.study4_probe.replication.judging import RULES

_NO_ITEMS = "No item was asked of this task."
#: Columns of the audits of single replies.
AUDIT = columns_of(
    MODEL,
    text("question", "Question"),
    text("key", "Key"),
    text("answer", "Answer"),
    answer("right", "Right"),
    number("stated", "Confidence", 0),
)
#: Columns of what stated confidence is correlated with.
RHO = columns_of(
    MODEL,
    TASK,
    number("rho", "rho", 2),
    limits("lower", "upper", digits=2),
    number("p", "p", 3),
    count("items", "Items"),
    count("left_out", "Left out"),
)


def failures(result: Replication) -> str:
    """How often the form of a reply failed."""
    by_model = result.profile.groupby("model", sort=False)[["unread", "items"]].sum()
    named = [
        f"{model} in {int(r['unread'])} of {int(r['items'])} replies" for model, r in by_model.iterrows()
    ]
    return (
        f"The form failed, in a field that a rule needs: {listed(named)}. None is dropped: without an answer "
        "there is no point, and a confidence that is missing counts as the middle of its scale."
    )


def sweep_range(result: Replication) -> str:
    """How much the thresholds matter, and whether they change the order of the models."""
    frame = result.sweep
    cells = [c for c in map(str, frame.columns) if c.startswith("range_")]
    wide = frame.melt(id_vars=["model", "sigma_t"], value_vars=cells)
    moves = [
        f"{m} by {g['value'].max() - g['value'].min():.1f}" for m, g in wide.groupby("model", sort=False)
    ]
    moved = f"Over the nine pairs the score moves: {listed(moves)} points."
    models = list(wide["model"].unique())
    if len(models) < 2:
        return moved
    orders = wide.pivot_table(index=["sigma_t", "variable"], columns="model", values="value")[models]
    places = {tuple(row) for row in orders.rank(axis=1, ascending=False).to_numpy()}
    return f"{moved} The order of the models {'is the same at all nine' if len(places) == 1 else 'changes'}."


def strict_matching(result: Replication) -> str:
    """What the paper's matching rule would change."""
    named = [f"{r.model} {r.strict - r.score:+.1f}" for r in rows_of(result.penalties)]
    return f"If answers had to equal the key to the letter, T4-CR would change by: {listed(named)}."


def panel_statistics(result: Replication) -> str:
    """Components and correlations of the tasks over the panel, or why there are none."""
    panel = result.panel
    if panel.refused:
        return f"No components, cosines or correlations between tasks are given: {panel.refused}."
    return (
        f"Over {plural(panel.models, 'model')} the first two components carry {100 * panel.share:.0f} percent of "
        f"the variance, and T1-CC and T2-EV correlate at {panel.r:.2f}."
    )


def in_every_model(verdict: Verdict) -> str:
    """Whether a claim holds in every model, and of which it is known."""
    v = verdict.values
    parts = [f"found in {listed(v['found'])}"] if v["found"] else []
    parts += [f"ruled out in {listed(v['against'])}"] if v["against"] else []
    known = f": it is {' and '.join(parts)}" if parts else ""
    open_ = undecided_clause(verdict.undecided)
    return f"{v['what']} in every model is {OUTCOME[verdict.passed]}{known}.{open_}"


def claimed(verdict: Verdict) -> str:
    """What a verdict judges."""
    return f"{verdict.values['what']}, in every model"


VIEWS = Views(
    "replication",
    tables={
        "profile": Schema(
            "profile",
            columns_of(
                MODEL,
                TASK,
                number("score", "Score", 1),
                limits("lower", "upper", digits=1),
                number("p", "p", 3),
                count("items", "Items"),
                number("right", "Points", 1),
                count("unread", "Form failed"),
                number("no_confidence", "No confidence", 0),
                text("note", "Remark", optional=True),
            ),
            "The five scores, 0 to 100, with bootstrap intervals over items. p: that stated confidence on T1-CC "
            "goes with correctness as closely by chance (permutations).",
        ),
        "composites": Schema(
            "composites",
            columns_of(
                MODEL,
                number("of_four", "of T1, T2, T4, T5", 1, "Mean"),
                number("of_five", "of all five", 1, "Mean"),
                number("spread", "Highest minus lowest", 1),
            ),
            "Means of the scores, and how far apart a model's five scores lie.",
        ),
        "boundary": Schema(
            "boundary",
            columns_of(
                MODEL,
                number("key_rule", "Flag and type match the key", 1),
                number("knows_rule", '"I can" exactly when right', 1),
            ),
            "T3-KB by both rules of the paper, in percent of its items.",
            empty=_NO_ITEMS,
        ),
        "penalties": Schema(
            "penalties",
            columns_of(
                MODEL,
                number("right", "Right", 0),
                number("sd", "SD", 1, "Confidence"),
                number("spread", "range", 0, "Confidence"),
                number("brier", "Without penalties", 1),
                number("flat", "flat", 1, "Penalty"),
                number("narrow", "narrow", 1, "Penalty"),
                number("score", "T4-CR", 1),
                number("strict", "Matched to the letter", 1),
            ),
            "T4-CR taken apart.",
            empty=_NO_ITEMS,
        ),
        "sweep": Schema(
            "sweep",
            columns_of(
                MODEL,
                number("sigma_t", "Threshold of the deviation", 0),
                [
                    number(f"range_{name}", f"{r:.0f}", 1, "Threshold of the range")
                    for name, r in RANGE_BAND.items()
                ],
            ),
            "T4-CR at the nine pairs of thresholds.",
            empty=_NO_ITEMS,
        ),
        "differences": Schema(
            "differences",
            columns_of(
                MODEL,
                number("t1", "T1-CC", 1),
                number("t4", "T4-CR", 1),
                number("difference", "Difference", 1),
                limits("lower", "upper", digits=1),
                number("bare", "Without penalties", 1),
            ),
            "The scores T1-CC minus T4-CR, with bootstrap intervals over items. The two scores have different "
            "zeros.",
            empty=_NO_ITEMS,
        ),
        "tasks_compared": Schema(
            "tasks_compared",
            columns_of(
                MODEL,
                number("right_t1", "Right", 0, "T1-CC"),
                number("wrong_t1", "Wrong", 0, "T1-CC"),
                number("area_t1", "AUROC2", 2, "T1-CC"),
                limits("lower_t1", "upper_t1", digits=2, group="T1-CC"),
                number("right_t4", "Right", 0, "T4-CR"),
                number("wrong_t4", "Wrong", 0, "T4-CR"),
                number("area_t4", "AUROC2", 2, "T4-CR"),
                limits("lower_t4", "upper_t4", digits=2, group="T4-CR"),
                number("difference", "Difference", 2),
                limits("lower", "upper", digits=2),
                count("left_out", "Left out"),
                text("why", "Not judged because", optional=True),
            ),
            "AUROC2 of both tasks, over the items with a stated confidence, and their difference with 95 % "
            "limits.",
            empty=_NO_ITEMS,
        ),
        "audit": Schema(
            "audit",
            columns_of(AUDIT, number("cost", "Brier points lost", 1)),
            "The replies behind T4-CR, item by item.",
            pick=lambda rows: rows[rows["task"] == "T4-CR"],
            empty=_NO_ITEMS,
        ),
        "audit_t1": Schema(
            "audit",
            AUDIT,
            "The replies behind T1-CC, item by item.",
            pick=lambda rows: rows[rows["task"] == "T1-CC"],
            empty=_NO_ITEMS,
        ),
        "gates": Schema(
            "gates",
            gates.COLUMNS,
            "The gate with the smallest load for each bar, on T1-CC and T4-CR together; confidence from 0 to 1. "
            "A dash: everything is escalated.",
            empty="No model made an error.",
        ),
        "steady": Schema(
            "steady",
            columns_of(
                *RHO,
                number("agreement", "Mean agreement", 2),
                number("retest", "Confidence asked again, r", 2),
                text("why", "No interval because", optional=True),
            ),
            "Spearman's rho of stated confidence with the agreement of resampled answers, its interval over "
            "items and its p over permutations.",
            empty="No item was asked again.",
        ),
    },
    figures={"profile": figures.profile, "steady": figures.steady, "gates": figures.gates},
    sentences={
        "answer": page_answer,
        "in_full": in_full,
        "failures": failures,
        "sweep_range": sweep_range,
        "strict_matching": strict_matching,
        "panel_statistics": panel_statistics,
    },
    verdicts={"in_every_model": in_every_model},
    claims={"in_every_model": claimed},
    rules=RULES,
)
