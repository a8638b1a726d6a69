"""Is it self-knowledge? How it is shown."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study6_frontier.self_knowledge import figures, judging, proof
from metacog.studies.study6_frontier.self_knowledge.analysis import SelfKnowledge
from metacog.studies.study6_frontier.self_knowledge.estimates import LEVELS, WITH, WITHOUT
from metacog.studies.study6_frontier.showing.models import MODEL

#: Answers to the question of the chapter.
ANSWERS = {
    "own": "Mostly, yes.",
    "some": "At most in part.",
    "difficulty": "Hardly: most of it is difficulty that any model sees.",
    "open": "It cannot be told from these items.",
}


def headline(result: SelfKnowledge) -> str:
    """The answer, and the numbers that carry it."""
    c, n = _counts(result, "corrected", 0.0), result.n_models
    share = result.models["share"].dropna()
    text_ = (
        f"{ANSWERS[result.answer]} Among items that equally many models of other families answer correctly, the "
        f"confidence of {c['above']} of {n} models still tells right answers from wrong ones better than difficulty "
        f"alone would; for {c['open'] + c['unknown']} it cannot be told, for {c['below']} it does so worse."
    )
    if len(share):
        text_ += (
            f" Of the information that confidence carries, the median share that others' correctness does not explain "
            f"is {share.median():.0%} ({len(share)} models whose confidence carries any; {share.min():.0%} to "
            f"{share.max():.0%})."
        )
    return text_


def front(result: SelfKnowledge) -> str:
    """The result in one sentence, for the front page."""
    rows = result.models.dropna(subset=["own", "crowd", "crowd_right"])
    over = int((rows["own_less_crowd_lower"] > 0).sum())
    under = int((rows["own_less_crowd_upper"] < 0).sum())
    others = int((rows["own_less_crowd_right_upper"] < 0).sum())
    return (
        f"For {over} of {len(rows)} large models their own confidence tells right answers from wrong ones better than "
        f"the mean confidence of models of other families does, for {under} worse; for {others} the share of those "
        f"models that answer rightly tells it better still. Is it self-knowledge? {ANSWERS[result.answer]}"
    )


def _counts(result: SelfKnowledge, quantity: str, limit: float) -> dict[str, int]:
    low, high = result.models[f"{quantity}_lower"], result.models[f"{quantity}_upper"]
    above, below = int((low > limit).sum()), int((high < limit).sum())
    unknown = int(low.isna().sum())
    return {"above": above, "below": below, "unknown": unknown, "open": len(low) - above - below - unknown}


def against(result: SelfKnowledge) -> str:
    """Own confidence against single others, the best of them, their mean and their correctness."""
    titles = {
        "own_less_single_median": "the median of single other models",
        "own_less_single_best": "the best single other",
        "own_less_crowd": "the mean confidence of the others",
        "own_less_crowd_right": "the share of the others that are right",
    }
    parts = []
    for quantity, title in titles.items():
        c = _counts(result, quantity, 0.0)
        middle = result.models[quantity].median()
        parts.append(
            f"{title}: better for {c['above']}, worse for {c['below']} (median difference {middle:+.3f})"
        )
    return (
        f"Own confidence against {'; '.join(parts)}. Of {result.n_models} models, by 95 % intervals over items; each "
        f"has {result.n_others} others of other families."
    )


def levels(result: SelfKnowledge) -> str:
    """What equal numbers of levels change."""
    one, other = (
        result.rivals[(result.rivals["rows"] == WITH) & (result.rivals["levels"] == k)].set_index("model")
        for k in (0, LEVELS)
    )
    change = (other["own_less_crowd"] - one["own_less_crowd"]).dropna()
    if change.empty:
        return "No model can be compared at equal levels."
    above = [int((t["own_less_crowd_lower"] > 0).sum()) for t in (one, other)]
    return (
        f"At {LEVELS} levels for both, own confidence less the others' mean changes by {change.median():+.3f} in the "
        f"median ({change.min():+.3f} to {change.max():+.3f}); it is above 0 for {above[1]} models instead of "
        f"{above[0]}."
    )


def without(result: SelfKnowledge) -> str:
    """What becomes of it without suspected keys."""
    if not result.n_left_out:
        return "No key is suspected, so nothing is left out."
    one, other = (
        result.remainders[(result.remainders["rows"] == name) & (result.remainders["cut"] == "exact number")]
        for name in (WITH, WITHOUT)
    )
    a, b = (int((t["corrected_lower"] > 0).sum()) for t in (one, other))
    rows = {
        name: result.rivals[(result.rivals["rows"] == name) & (result.rivals["levels"] == 0)]
        for name in (WITH, WITHOUT)
    }
    gap = [rows[name]["own_less_crowd"].median() for name in (WITH, WITHOUT)]
    gains = result.means[result.means["quantity"] == "advantage"].set_index("rows")["mean"]
    return (
        f"Without the items whose key its others put in doubt ({result.n_left_out} items for some model), something "
        f"remains within difficulty for {b} models instead of {a} (median {other['corrected'].median():.3f} instead of "
        f"{one['corrected'].median():.3f}), and own confidence less the others' mean is {gap[1]:+.3f} in the median "
        f"instead of {gap[0]:+.3f}; on the diagonal of the matrix there is {gains[WITHOUT]:+.3f} instead of "
        f"{gains[WITH]:+.3f}."
    )


def ways(result: SelfKnowledge) -> str:
    """How far it depends on how difficulty is cut."""
    table = result.ways[result.ways["rows"] == WITH]
    half = int((table["holding"] >= -(-table["models"] // 2)).sum())
    return (
        f"Difficulty is cut in {len(table)} ways ({listed(table['cut'])}). Something remains for "
        f"{_span(table['holding'])} of {result.n_models} models, for at least half of them in {half} of these ways."
    )


def _span(values: pd.Series) -> str:
    low, high = int(values.min()), int(values.max())
    return f"{low}" if low == high else f"{low} to {high}"


def power(result: SelfKnowledge) -> str:
    """What of self-knowledge could have been seen, and what the shares found are like."""
    table = result.proof.set_index("kind")
    nothing, two = table.loc[proof.DIFFICULTY], table.loc[proof.TWO]
    text_ = (
        f"In simulated leaderboards of this size, something is found in {nothing['above_0']:.0%} of runs where "
        f"confidence reads difficulty alone, and in {two['above_0']:.0%} where there are two kinds of difficulty and "
        "still no self-knowledge."
    )
    least = proof.seen_from(result.proof)
    if least == least:
        text_ += (
            f" Own state that makes up {least:.0%} of what confidence reads is found in at least {proof.POWER:.0%} of "
            "runs."
        )
    alike = proof.like(result.proof, result.models["share"].median())
    if alike == alike:
        text_ += (
            f" The median share of the information found here is that of simulated models whose confidence reads own "
            f"state to {alike:.0%} (it is the smaller figure, since right and wrong depend on difficulty as well)."
        )
    return text_


def diagonal(result: SelfKnowledge) -> str:
    """What the diagonal of the matrix has."""
    means = result.means[result.means["rows"] == WITH].set_index("quantity")
    one = means.loc["advantage"]
    rows = result.advantage
    above = int((rows["advantage_lower"] > 0).sum())
    text_ = (
        f"On average a model's confidence is {one['mean']:+.3f} better for its own answers than row and column make "
        f"one expect ({one['lower']:+.3f} to {one['upper']:+.3f}; permutation within difficulty: p = {one['p']:.3f}), "
        f"and certainly so for {above} of {len(rows)} models."
    )
    if "of_family" in means.index and means["mean"].notna()["of_family"]:
        kin = means.loc["of_family"]
        text_ += (
            f" For answers of its own family's other models it is {kin['mean']:+.3f} better ({kin['lower']:+.3f} to "
            f"{kin['upper']:+.3f})."
        )
    return text_


def factors(result: SelfKnowledge) -> str:
    """How many factors the confidences have."""
    return (
        f"Of the confidences of {result.n_factor_models} models on the items that all of them answered, one factor "
        f"takes {result.first_share:.0%} of the variance, and "
        f"{plural(result.n_factors, 'factor exceeds', 'factors exceed')} what shuffled confidences would give."
    )


def _over_models(verdict: Verdict) -> str:
    v = verdict.values
    return (
        f"{SUBJECTS[verdict.name]} is {OUTCOME[verdict.passed]}: it is so for {v['holding']} of {v['of']} models, not "
        f"so for {v['against']}, and cannot be told for {v['open']} (median {v['median']:+.2f})."
    )


#: What each verdict is about.
SUBJECTS = {
    "remains": "That something remains of most models' confidence beyond difficulty",
    "most": "That most of what their confidence says is beyond difficulty",
    "single": "That most models' own confidence says more about them than another model's",
    "crowd": "That most models' own confidence says more about them than the others' mean confidence",
}


def _privileged(verdict: Verdict) -> str:
    v = verdict.values
    return (
        f"That models have privileged access to themselves is {OUTCOME[verdict.passed]}: {v['mean']:+.3f} on the "
        f"diagonal ({v['lower']:+.3f} to {v['upper']:+.3f}), p = {v['p']:.3f}."
    )


def _measure(name: str, title: str, digits: int = 3) -> tuple[Column, ...]:
    return number(name, "is", digits, title), *limits(f"{name}_lower", f"{name}_upper", title, digits)


_ROWS = text("rows", "Items")
#: Means of the matrix that are shown.
QUANTITIES = {
    "advantage": "own answers",
    "of_family": "answers of the family's other models",
    "beyond_family": "own answers beyond the family's",
}

VIEWS = Views(
    "self_knowledge",
    tables={
        "models": Schema(
            "models",
            columns_of(
                MODEL,
                number("accuracy", "Accuracy", 2),
                _measure("own", "Own"),
                number("crowd", "Others' mean"),
                number("crowd_right", "Others right"),
                number("single_median", "median", 3, "Single others"),
                number("single_best", "best", 3, "Single others"),
                _measure("own_less_single_median", "Own less median"),
                _measure("own_less_crowd", "Own less mean"),
                text("flag", "Flag", optional=True),
            ),
            "AUROC2 for each model's answers by its own confidence and by that of models of other families.",
        ),
        "remains": Schema(
            "models",
            columns_of(
                MODEL,
                count("n_wrong_within", "Wrong"),
                count("n_strata", "Strata"),
                count("n_empty_strata", "empty"),
                count("n_pairs", "Pairs"),
                number("within", "Within"),
                number("by_difficulty", "By difficulty alone"),
                _measure("corrected", "Remains"),
                number("information", "Bits"),
                number("beyond", "beyond"),
                _measure("share", "Share", 2),
                text("why", "Not given because", optional=True),
            ),
            "What remains within difficulty: AUROC2 of pairs of answers to equally hard items, what reading difficulty "
            "alone would give there, and their difference; information in bits, what of it is beyond difficulty, and "
            "its share.",
        ),
        "ways": Schema(
            "ways",
            columns_of(
                _ROWS,
                text("cut", "Difficulty"),
                count("models", "Models"),
                count("holding", "Remains"),
                count("against", "less than none"),
                count("open", "cannot be told"),
                number("median", "Median"),
                number("n_strata", "Strata", 0),
                number("n_pairs", "Pairs", 0),
            ),
            "What remains (AUROC2), by how difficulty is cut and with or without suspected keys.",
        ),
        "proof": Schema(
            "proof",
            columns_of(
                text("kind", "Confidence reads"),
                number("self_share", "Own state", 2),
                count("runs", "Runs"),
                number("above_0", "Something found", 2),
                number("corrected", "Remains"),
                number("true_share", "in truth", 2, "Share of information"),
                number("share", "found", 2, "Share of information"),
            ),
            "Simulated leaderboards whose truth is known: in what share of runs something is found to remain, and what "
            "share of the information is, against the true one; three judged models.",
        ),
        "means": Schema(
            "means",
            columns_of(
                _ROWS,
                text("quantity", "On average"),
                count("n_models", "Models"),
                number("mean", "Mean"),
                limits("lower", "upper"),
                number("p", "p"),
            ),
            "What the diagonal has beyond row and column, on average over models, with and without suspected keys.",
            pick=lambda frame: frame[frame["quantity"].isin(QUANTITIES)].assign(
                quantity=lambda rows: rows["quantity"].map(QUANTITIES)
            ),
        ),
        "advantage": Schema(
            "advantage",
            columns_of(
                MODEL,
                number("own", "Own"),
                _measure("advantage", "Beyond row and column"),
                number("p_value", "p"),
                _measure("of_family", "Own family's"),
                text("flag", "Flag", optional=True),
            ),
            "What each model's own confidence has beyond row and column of the matrix, and what it has for the answers "
            "of its family's other models.",
        ),
        "factors": Schema(
            "factors",
            columns_of(
                count("factor", "Factor"),
                number("eigenvalue", "Eigenvalue", 2),
                number("parallel", "By chance (95 %)", 2),
                number("share", "Share", 2),
            ),
            "The first factors of the models' confidences.",
            pick=lambda frame: frame.head(6),
        ),
    },
    figures={"signals": figures.signals, "matrix": figures.matrix, "remains": figures.remains},
    sentences={
        "headline": headline,
        "front": front,
        "against": against,
        "levels": levels,
        "without": without,
        "cuts": ways,
        "power": power,
        "diagonal": diagonal,
        "several_factors": factors,
    },
    verdicts={**dict.fromkeys(judging.OVER_MODELS, _over_models), "privileged": _privileged},
)
