"""Suspected keys against what people found. What is said of it."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study6_frontier.marks import ALPHA, FEWEST, UNSURE, Marks
from metacog.verdicts.words import counted


def answer(result: Marks) -> str:
    """How many suspected keys people found wrong."""
    if not result.n_suspected_marked:
        return "Whether suspected keys are wrong cannot be told: people have looked at none of them."
    return (
        f"Of {plural(result.n_suspected_marked, 'question')} whose key most models contradict and people have checked, "
        f"people found the key wrong in {result.n_wrong or 'none'}."
    )


def corrected(result: Marks) -> str:
    """Whether models agree on the letter that people put in place of the key."""
    return (
        f"People put another letter in place of {plural(result.n_corrected, 'key')}. Most models give that letter for "
        f"{result.n_corrected_as_models} of them and the old key for {result.n_corrected_as_key}."
    )


def unseen(result: Marks) -> str:
    """What nobody has looked at, where too few are marked, and how questions count on which people could not tell."""
    rows = result.checked
    few = rows.loc[rows["flag"].ne(""), "threshold"]
    thin = (
        f" From {few.min():.0%} of the others on, people have marked fewer than {FEWEST}: too few."
        if len(few)
        else ""
    )
    unsure = result.labels.set_index("label").reindex([UNSURE], fill_value=0).iloc[0]
    return (
        f"Of {result.n_suspected} suspected keys, {result.n_unmarked} stay suspected, since nobody has marked "
        f"them.{thin} On {unsure['items']} questions people could not tell, and {unsure['suspected'] or 'none'} of "
        "these are suspected: here they count as sound, in the table below as faults too."
    )


def on_sound(result: Marks) -> str:
    """What becomes of models on the items that people found sound."""
    known = result.sound[result.sound["flag"] == ""]
    sure = known[known["p_holm"] < ALPHA]
    up, down = (int((sign * sure["auroc2_change"] > 0).sum()) for sign in (1, -1))
    return (
        f"On the {result.n_sound} questions that people found sound, instead of all {result.n_marked} marked ones, "
        f"accuracy rises by {known['accuracy_change'].median():+.3f} in the median model and AUROC2 changes by "
        f"{known['auroc2_change'].median():+.3f}. Adjusted for all {len(known)} models together, AUROC2 is shown to "
        f"rise in {up or 'none'} and to fall in {down or 'none'}."
    )


VIEWS = Views(
    "marks",
    sentences={"answer": answer, "corrected": corrected, "unseen": unseen, "on_sound": on_sound},
    verdicts={"sound": counted},
)
