"""How the signals are shown."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.needed import area_cost
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study3_dmc.asking.ways import ALL
from metacog.studies.study3_dmc.signals import figures
from metacog.studies.study3_dmc.signals.analysis import Signals

MODEL, SIGNAL, SET = text("model", "Model"), text("name", "Signal"), text("dataset", "Set")
CALLS = number("calls", "Calls", 0)
ASKED = columns_of(count("asked", "Asked"), number("parsed", "Parsed", 2), count("questions", "Questions"))
MEASURES = columns_of(
    number("accuracy", "Accuracy", 2),
    number("auroc2", "AUROC2", 2),
    limits("auroc2_lower", "auroc2_upper", "95 % of AUROC2", 2),
    number("meta_i2r", "meta-I2r"),
    number("ece_debiased", "ECE, debiased", 2),
    number("brier", "Brier", 2),
)
WHY = text("why", "Undefined because", optional=True)

TABLES = {
    "pooled": Schema(
        "pooled",
        columns_of(MODEL, SIGNAL, ASKED, MEASURES, CALLS, WHY),
        "Every signal over all sets. An undefined one has no measures and is not ranked.",
    ),
    "by_set": Schema(
        "table",
        columns_of(MODEL, SET, SIGNAL, ASKED, MEASURES, WHY, text("remarks", "Remarks", optional=True)),
        "The same on each set. Where trials are few there is accuracy alone.",
        lambda frame: frame[frame["dataset"] != ALL],
    ),
    "ranking": Schema(
        "ranking",
        columns_of(
            MODEL,
            SIGNAL,
            number("rank_auroc2", "by AUROC2", 1, "Rank"),
            number("rank_meta_i2r", "by meta-I2r", 1, "Rank"),
            number("rank_calls", "by calls", 1, "Rank"),
            number("auroc2", "AUROC2", 2),
            number("p_holm", "p, Holm"),
            number("meta_i2r", "meta-I2r"),
            CALLS,
        ),
        "Defined signals, ranked within their model; ties share the mean rank. p asks whether AUROC2 is one half, and "
        "is adjusted by Holm over the signals of a model.",
        empty="No signal can be ranked.",
    ),
    "failures": Schema(
        "failures",
        columns_of(
            MODEL,
            SIGNAL,
            text("status", "Outcome of the reply"),
            count("n", "Replies"),
            number("share", "Share", 2),
        ),
        "Replies by what could be read from them.",
    ),
    "positions": Schema(
        "positions",
        columns_of(
            MODEL,
            SET,
            count("n", "Trials"),
            count("questions", "Questions"),
            number("first", "A chosen", 2),
            number("bias", "Position bias", 2),
            limits("lower", "upper", digits=2),
            number("accuracy", "Accuracy", 2),
        ),
        "Asked by letters: 1 always chooses A, -1 always chooses B, 0 has no preference.",
    ),
}


def best_signals(result: Signals) -> str:
    """The best signal of each model, and which signals are left out."""
    sentences = []
    for model, table in result.pooled.groupby("model", sort=False):
        kept = result.ranking[result.ranking["model"] == model]
        out = table[~table["name"].isin(kept["name"])]
        if len(kept):
            best, alone = kept.iloc[0], int((kept["auroc2_lower"] > 0.5).sum())
            sentences.append(
                f"{model}: {best['name']} has the highest AUROC2, {best['auroc2']:.2f}. The interval of "
                f"{alone} of {len(kept)} signals, each taken alone, lies above one half; of "
                f"{int(kept['beyond'].sum())} that can be said when all {len(kept)} are judged together (Holm)."
            )
        else:
            sentences.append(f"{model}: no signal can be ranked.")
        if len(out):
            sentences.append(f"Not ranked: {'; '.join(out['name'])}.")
    return " ".join(sentences)


def page_answer(result: Signals) -> str:
    """How many signals tell right from wrong in each model (Holm), and which best; if none, what would settle it."""
    above = result.ranking[result.ranking["beyond"]]
    asked = result.pooled.groupby("model", sort=False).size()
    if above.empty:
        most = int(result.pooled["questions"].max())
        cost = area_cost(float(result.pooled["accuracy"].median()), most)
        first = (
            f"Which signal tells right answers from wrong ones cannot be told from {plural(most, 'question')}"
        )
        rankable = f"{len(result.ranking)} of {plural(int(asked.sum()), 'signal')} can be ranked at all."
        return f"{first}{f': {cost}' if cost else ''}. {rankable}"
    parts = []
    for model, n in asked.items():
        own, ranked = above[above["model"] == model], int((result.ranking["model"] == model).sum())
        if not ranked:
            parts.append(f"none of {plural(int(n), 'signal')} can be ranked in {model}")
            continue
        signals = f"the {plural(ranked, 'signal')} that can be ranked"
        if own.empty:
            parts.append(f"none of {signals} does so beyond chance in {model}")
            continue
        best = own.iloc[0]
        parts.append(
            f"{best['name']} tells right answers from wrong ones best in {model} (AUROC2 {best['auroc2']:.2f}, "
            f"{best['auroc2_lower']:.2f} to {best['auroc2_upper']:.2f}), and {len(own)} of {signals} do so "
            "beyond chance when all are judged together"
        )
    text_ = "; ".join(parts)
    return f"{text_[:1].upper()}{text_[1:]}."


VIEWS = (
    Views(
        "signals",
        tables=TABLES,
        figures={"ranking": figures.ranking},
        sentences={"answer": page_answer, "best": best_signals},
    ),
)
