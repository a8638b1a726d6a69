"""What does a judge of tone hear? What is said of it."""

from __future__ import annotations

from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.tone import Tone
from metacog.verdicts.verdict import Verdict


def answer(result: Tone) -> str:
    """Whether wrong replies with the same answer sound alike."""
    if not result.n_same_wrong:
        return "It is not shown of any model that wrong replies sound more alike where they give the same wrong answer."
    return (
        f"The answer too, in {result.n_same_wrong} of {result.n_models} models: wrong replies sound more alike where "
        "they give the same wrong answer."
    )


def reputation(result: Tone) -> str:
    """What the answer's reputation tells beside the reply's own tone."""
    return (
        f"How sure others sound with the same answer tells right from wrong better than the reply's own tone for "
        f"{result.n_matched} of {result.n_models} models, and worse for {result.n_more}. Median AUROC2: "
        f"{result.median_own:.2f} for the reply itself, {result.median_others:.2f} for the others, "
        f"{result.median_share:.2f} for how many they are."
    )


def judge(result: Tone) -> str:
    """Whether the judge hears its own opinion."""
    interval = (
        f"{result.follows:+.3f}, 95 % interval {result.follows_lower:+.3f} to {result.follows_upper:+.3f}"
    )
    if result.follows_lower > 0:
        said = "The judge follows its own answers more than those of its equals"
    elif result.follows_upper < 0:
        said = "The judge follows its own answers less than those of its equals"
    else:
        said = "It is not shown that the judge follows its own answers more than those of its equals"
    return f"{said} ({interval})."


def same_wrong(verdict: Verdict) -> str:
    """The verdict's sentence."""
    v = verdict.values
    return f"It does in {v['holding']} of {v['of']} models, and goes less with it in {v['against']}."


VIEWS = Views(
    "tone",
    sentences={"answer": answer, "reputation": reputation, "own_opinion": judge},
    verdicts={"same_wrong": same_wrong},
)
