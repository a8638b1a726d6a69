"""Does thinking help a model to know itself? What is said of it."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.thinking import AT_CHANCE, INSTRUCT, PRECISION, THINKING, Thinking
from metacog.verdicts.verdict import Verdict


def answer(result: Thinking) -> str:
    """For how many sizes thinking helps."""
    if not result.n_thinking:
        return "No model answered both with thinking on and off."
    return (
        f"With thinking on, stated confidence tells right from wrong better in {result.n_rises} of {result.n_thinking} "
        "models, at equal accuracy."
    )


def accuracy(result: Thinking) -> str:
    """What of the rise goes with accuracy, and how large it is without."""
    rises = (
        f" The rises between these are {result.least_rise:.2f} to {result.most_rise:.2f}."
        if result.n_rises > 1
        else ""
    )
    mean = (
        f"AUROC2 rises by {result.mean_rise:+.3f} on average with thinking on; between answers that are right equally "
        f"often, by {result.mean_rise_equal:+.3f}. The rest goes with thinking's better answers."
        if result.mean_rise > result.mean_rise_equal > 0
        else f"AUROC2 changes by {result.mean_rise:+.3f} on average with thinking on; between answers that are right "
        f"equally often, by {result.mean_rise_equal:+.3f}."
    )
    return mean + rises


def remains(result: Thinking) -> str:
    """Whether own confidence has more over another family's with thinking on."""
    own = result.pairs[(result.pairs["kind"] == THINKING) & result.pairs["remains"].notna()]
    if own.empty:
        return "Nothing remains to be compared among equally hard questions."
    rises, falls = (own.loc[own["remains_says"] == says, "pair"].tolist() for says in ("yes", "no"))
    less = f", and less in {len(falls)} ({listed(falls)})" if falls else ""
    return (
        f"Among equally hard questions, own confidence tells more beyond another maker's in its place with thinking on "
        f"in {len(rises)} of {len(own)} models{less}. On average that changes by {own['remains'].mean():+.3f}, and "
        f"what another's tells of these answers by {own['another'].mean():+.3f}."
    )


def at_chance(result: Thinking) -> str:
    """Which pairs cannot tell, because a run answers at chance."""
    lost = result.pairs.loc[result.pairs["flag"] == AT_CHANCE, "pair"]
    return (
        f"One of the two answers at chance, so that nothing can be told: {listed(lost)}."
        if len(lost)
        else "No run in these pairs answers at chance."
    )


def others(result: Thinking) -> str:
    """The other kinds of pairs."""
    said = []
    for r in rows_of(result.kinds[result.kinds["kind"] == INSTRUCT]):
        said.append(
            f"Instructed models tell more than their base for {r.rises} of {r.pairs}, and less for {r.falls}."
        )
    reduced = result.pairs[result.pairs["kind"] == PRECISION]
    unlike = reduced.loc[reduced["equivalent"] == "no", "pair"].tolist()
    if result.n_precision:
        said.append(
            f"Reduced precision changes AUROC2 by less than {result.bound:g}, as far as can be shown, in "
            f"{result.n_equivalent} of {result.n_precision} pairs"
            + (f", and by more in {listed(unlike)}." if unlike else ".")
        )
    return " ".join(said)


def thought(verdict: Verdict) -> str:
    """The verdict's sentence on thinking."""
    v = verdict.values
    return f"It does in {v['rises']} of {v['of']} models, and tells less in {v['falls']}."


def reduced(verdict: Verdict) -> str:
    """The verdict's sentence on precision."""
    v = verdict.values
    return f"Shown to be so in {v['equivalent']} of {v['of']} pairs, and shown not to be in {v['unlike']}."


VIEWS = Views(
    "thinking",
    sentences={
        "answer": answer,
        "at_equal_accuracy": accuracy,
        "remains": remains,
        "at_chance": at_chance,
        "other_pairs": others,
    },
    verdicts={"thinking": thought, "precision": reduced},
)
