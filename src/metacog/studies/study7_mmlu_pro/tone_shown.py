"""What does a judge of tone hear? What is said of it."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.rows import CALLED, STATED
from metacog.studies.study7_mmlu_pro.tone import DOUBT, LOOK, NOTHING, Tone
from metacog.verdicts.verdict import Verdict


def answer(result: Tone) -> str:
    """Whether it matters more to tone than to the models' numbers which wrong answer is given."""
    what = "which wrong answer is given matters more to tone than to stated numbers"
    if 2 * result.n_more > result.n_models:
        return f"The answer, or unstated doubt of it: {what}, in {result.n_more} of {result.n_models} models."
    return f"Shown in only {result.n_more} of {result.n_models} models: {what}."


def wrong(result: Tone) -> str:
    """The correlations of each score, and what intervals are over."""
    means = result.alike.groupby("score", sort=False)[["same_wrong", "other_wrong"]].mean().dropna()
    each = [f"{row.same_wrong:.2f} and {row.other_wrong:.2f} for {name}" for name, row in means.iterrows()]
    return (
        "Mean rank correlation between two models' wrong replies to a question, with the same answer and with two: "
        f"{', '.join(each)}. Intervals are over questions alone, for these models and this judge."
    )


def alone(result: Tone) -> str:
    """In how many models each score goes together more where the same wrong answer is given."""
    known = result.alike[result.alike["flag"] == ""]
    more = (known["same_less_other_lower"] > 0).groupby(known["score"], sort=False).agg(["sum", "size"])
    each = [f"{int(row['sum'])} of {int(row['size'])} for {name}" for name, row in more.iterrows()]
    return (
        f"This is shown in {', '.join(each)}. So it does not take a judge: a model that doubts *this answer* can state "
        "less, and so can another that gives it."
        if (more["sum"] > 0).sum() > 1
        else f"This is shown in {', '.join(each)}."
    )


def beyond_numbers(result: Tone) -> str:
    """What is left given the numbers that both models state, and what the simulations say of that."""
    own = result.alike[result.alike["score"] == CALLED[STATED]].dropna(subset="beyond_less")
    known = result.worlds[result.worlds["truth"] == NOTHING]
    return (
        f"Given the numbers that both models state, the partial correlation of tone is {own['beyond_same'].mean():.2f} "
        f"with the same wrong answer and {own['beyond_other'].mean():.2f} with two, and the difference is shown in "
        f"{(own['beyond_less_lower'] > 0).sum()} of {len(own)} models. That alone would not do: where tone and number "
        f"hold the same, it is shown of most models in {known['beyond'].sum()} of {known['sets'].sum()} simulated sets."
    )


def simulated(result: Tone) -> str:
    """How often the rule says yes in simulated worlds, beside comparing tone alone."""
    none, look, doubt = (result.worlds[result.worlds["truth"] == truth] for truth in (NOTHING, LOOK, DOUBT))
    seen = " and ".join(f"{row.both} of {row.sets}" for row in rows_of(look))
    return (
        f"In {none['sets'].sum()} simulated sets where tone holds nothing of the answer but what the number holds, the "
        f"rule says yes in {none['both'].sum()}. By tone alone it would in {none['alone'].sum()}, and with any other "
        f"model that gave such an answer in {none['drawn'].sum()}. Where tone holds how the answer looks, clearly or "
        f"faintly, the rule says yes in {seen}. It does so in {doubt['both'].sum()} of "
        f"{doubt['sets'].sum()} as well where tone holds the model's doubt of its answer and the number how hard the "
        "question is: these two cannot be told apart."
    )


def reputation(result: Tone) -> str:
    """What the answer's reputation tells beside the reply's own tone."""
    return (
        f"How sure others sound with the same answer tells right from wrong better than the reply's own tone for "
        f"{result.n_matched} of {result.n_models} models, and worse for {result.n_unmatched}. Median AUROC2: "
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
    return f"It matters more to tone in {v['holding']} of {v['of']} models, and not more in {v['against']}."


VIEWS = Views(
    "tone",
    sentences={
        "answer": answer,
        "wrong": wrong,
        "alone": alone,
        "beyond_numbers": beyond_numbers,
        "simulated": simulated,
        "reputation": reputation,
        "own_opinion": judge,
    },
    verdicts={"same_wrong": same_wrong},
)
