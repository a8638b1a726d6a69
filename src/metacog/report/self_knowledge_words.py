"""Is it self-knowledge? Tables and sentences of what several models' answers to common items say.

Made from :class:`metacog.report.self_knowledge_verdicts.SelfKnowledge`; a page puts together those it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.own_and_others import WITH, WITHOUT, simulated_like
from metacog.report.self_knowledge_verdicts import (
    FEW_OTHERS,
    OVER_MODELS,
    SelfKnowledge,
    counted,
    too_few_others,
    without_placebo,
)
from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.report.verdict_words import OUTCOME
from metacog.report.verdicts import Verdict

#: Answers to the question.
ANSWERS = {
    "own": "It may be, for the most part.",
    "some": "It may be, in part.",
    "at most": "At most in part: most of it is difficulty that any model sees.",
    "difficulty": "Hardly: most of it is difficulty that any model sees.",
    "open": "It cannot be told from these items.",
}
#: What the pages mean by difficulty and by what remains, for a reader who meets them here first.
READING = """\
A model's confidence may only say what anyone could have said: that the question is hard. So each model's confidence is
set beside what the **other models** said and knew, on the same questions.

- **Own**, **others' mean**, **single others**: how well the model's own confidence, the others' mean confidence and
  that of a single other model tell this model's right answers from its wrong ones (AUROC2). A mean over many models is
  better than one simply because it is a mean, so the fair rival is a single other.
- **Others right**: the same for the share of the others that answered correctly. It measures how hard a question is.
- **Remains**: AUROC2 among questions that equally many others answered correctly, less what confidence would have there
  that only reads difficulty. **Share**: how much of the information in confidence difficulty does not explain.
- **Placebo**: the same with the confidence of a model of another family in the place of the model's own, that whole
  family out of the count. It knows nothing of this model, so that whatever remains of it is no self-knowledge. The
  answer rests on own **less** the median placebo, pair by pair.
- **Added bits**: what own confidence says beyond the others' correctness and their mean confidence, and beyond any
  blend of these and the two ways in which the others differ most. A model that weighs several difficulties unlike the
  others could beat every placebo without knowing itself; it adds nothing to such a blend.
- What remains is **neither an upper nor a lower bound** of self-knowledge. It may be too much: a difficulty that no
  other model shows is taken for the model's own. It may be too little: whatever a model knows of itself that difficulty
  also shows has been taken off.
  The fewer others there are, the less surely is difficulty taken off.
"""


def others(result: SelfKnowledge) -> str:
    """How sentences call the models that stand for difficulty."""
    return "models of other families" if result.n_families < result.n_models else "other models"


def another(result: SelfKnowledge) -> str:
    """How sentences call one whose confidence is put in the place of a model's own."""
    return "a model of another family" if result.n_families < result.n_models else "another model"


def headline(result: SelfKnowledge) -> str:
    """The answer, and the numbers that carry it."""
    if too_few_others(result.models):
        n = int(result.models["n_others_within"].max())
        return (
            f"{ANSWERS['open']} Each model has at most {plural(n, 'other')} here, and how hard a question is does not "
            f"show in so few answers: with fewer than {FEW_OTHERS} others, difficulty cannot be taken off well enough."
        )
    if without_placebo(result.models):
        return (
            f"{ANSWERS['open']} There are fewer than two other families, so that no other family's confidence can be "
            "put in the place of a model's own: whether anybody's would leave as much cannot be tested."
        )
    c, n = counted(result.models, *OVER_MODELS["remains"][:2]), result.n_models
    share = result.models["share"].dropna()
    text_ = (
        f"{ANSWERS[result.answer]} Among items that equally many {others(result)} answer correctly, the "
        f"confidence of {c['holding']} of {n} models still tells right answers from wrong ones better than that of "
        f"{another(result)} in its place, and adds to what the others say; for {c['open']} it cannot be told, for "
        f"{c['against']} it does so worse. {left(result)}"
    )
    if len(share):
        which, spread = "the share", ""
        if len(share) > 1:
            which, spread = "the median share", f"; {share.min():.0%} to {share.max():.0%}"
        text_ += (
            f" Of the information that confidence carries, {which} that others' correctness does not explain is "
            f"{share.median():.0%} ({plural(len(share), 'model')} whose confidence is shown to carry any{spread})."
            f" {held(result)}"
        )
    return text_


def left(result: SelfKnowledge) -> str:
    """What remains of own confidence and of others' in its place."""
    m = result.models[["corrected", "placebo", "placebo_best", "own_less_placebo"]].median()
    above = int((result.models["placebo_lower"] > 0).sum())
    more = int((result.models["own_less_placebo_lower"] > 0).sum())
    bits = {name: int((result.models[f"{name}_lower"] > 0).sum()) for name in ("added", "blend")}
    return (
        f"In the median over models, own confidence leaves {m['corrected']:+.3f} beyond difficulty; in its place that "
        f"of {another(result)} leaves {m['placebo']:+.3f} in the median (for {above} models with an interval above 0) "
        f"and the best {m['placebo_best']:+.3f}; own less the median is {m['own_less_placebo']:+.3f} (above 0 for "
        f"{more}). In bits, own confidence adds something to the others' correctness and mean confidence for "
        f"{bits['added']}, and to any blend of theirs for {bits['blend']}."
    )


def held(result: SelfKnowledge) -> str:
    """How often intervals of shares hold the truth."""
    return (
        f"Intervals of shares are too short: of 100 simulated runs, those called 95 % hold the true share in "
        f"{result.share_held_least:.0f} to {result.share_held_most:.0f}."
    )


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
        c = counted(result.models, quantity, 0.0)
        middle = result.models[quantity].median()
        parts.append(
            f"{title}: better for {c['holding']}, worse for {c['against']} (median difference {middle:+.3f})"
        )
    whose = f"{plural(result.n_others, 'other')}{' of other families' if result.n_families < result.n_models else ''}"
    return (
        f"Own confidence against {'; '.join(parts)}. Of {result.n_models} models, by 95 % intervals over items; each "
        f"has {whose}."
    )


def levels(result: SelfKnowledge) -> str:
    """What equal numbers of levels change."""
    most = int(result.rivals["levels"].max())
    one, other = (
        result.rivals[(result.rivals["rows"] == WITH) & (result.rivals["levels"] == k)].set_index("model")
        for k in (0, most)
    )
    change = (other["own_less_crowd"] - one["own_less_crowd"]).dropna()
    if change.empty:
        return "No model can be compared at equal levels."
    above = [int((t["own_less_crowd_lower"] > 0).sum()) for t in (one, other)]
    return (
        f"At {most} levels for both, own confidence less the others' mean changes by {change.median():+.3f} in the "
        f"median ({change.min():+.3f} to {change.max():+.3f}); it is above 0 for {plural(above[1], 'model')} "
        f"instead of {above[0]}."
    )


def without(result: SelfKnowledge) -> str:
    """What becomes of it without suspected keys."""
    if not result.n_left_out:
        return "No key is suspected, so nothing is left out."
    main = result.remainders["cut"].iloc[0]
    one, other = (
        result.remainders[(result.remainders["rows"] == name) & (result.remainders["cut"] == main)]
        for name in (WITH, WITHOUT)
    )
    quantity = OVER_MODELS["remains"][0]
    a, b = (counted(t, quantity, 0.0)["holding"] for t in (one, other))
    rows = {
        name: result.rivals[(result.rivals["rows"] == name) & (result.rivals["levels"] == 0)]
        for name in (WITH, WITHOUT)
    }
    gap = [rows[name]["own_less_crowd"].median() for name in (WITH, WITHOUT)]
    gains = result.means[result.means["quantity"] == "advantage"].set_index("rows")["mean"]
    return (
        f"Without the items whose key its others put in doubt ({result.n_left_out:,} items for some model), more "
        f"remains of own confidence than of the placebo for {b} models instead of {a} (median "
        f"{other[quantity].median():.3f} instead of {one[quantity].median():.3f}), and own confidence less the others' "
        f"mean is {gap[1]:+.3f} in the median instead of {gap[0]:+.3f}; on the diagonal of the matrix there is "
        f"{gains[WITHOUT]:+.3f} instead of {gains[WITH]:+.3f}."
    )


def cuts(result: SelfKnowledge) -> str:
    """How far it depends on how difficulty is cut."""
    table = result.ways[result.ways["rows"] == WITH]
    half = int((table["holding"] >= -(-table["models"] // 2)).sum())
    low, high = int(table["holding"].min()), int(table["holding"].max())
    some = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"Difficulty is cut in {plural(len(table), 'way')} ({listed(table['cut'])}). More remains of own confidence "
        f"than of the placebo for {some} of {result.n_models} models, for at least half of them in {half} of these "
        "ways."
    )


def like_these(result: SelfKnowledge, simulated: pd.DataFrame | None = None) -> str:
    """What would be found of models whose self-knowledge is known, in a table of about this size.

    Parameters
    ----------
    result : SelfKnowledge
    simulated : DataFrame, optional
        Of :func:`metacog.measures.own_and_others.simulated_like`, where it is stored with the result.
    """
    near = simulated_like(result.models, result.n_items) if simulated is None else simulated
    table = near.set_index("kind")
    seen = table["above_0"] / table["n_judged"]
    most = table["most_above_0"] / table["n_runs"]
    one = table.iloc[0]
    sort = "confidence of two values" if one["values"] == "two" else "graded confidence"
    return (
        f"What could be seen? Among {one['n_models']} simulated models that answer {one['n_items']:,} questions with "
        f"{sort}, something seems to remain, before any placebo, for {seen['difficulty']:.0%} of those that read "
        f"difficulty alone and know nothing of themselves, and for {seen['own state']:.0%} of those that read their "
        f"own state alone; for at least half of the models of a table in {most['difficulty']:.0%} and "
        f"{most['own state']:.0%} of runs."
    )


def diagonal(result: SelfKnowledge) -> str:
    """What the diagonal of the matrix has."""
    if result.means.empty:
        return "The models share too few answers for a matrix of confidences against correctness."
    means = result.means[result.means["rows"] == WITH].set_index("quantity")
    one = means.loc["advantage"].to_dict()
    rows = result.advantage
    above = int((rows["advantage_lower"] > 0).sum())
    text_ = (
        f"On average a model's confidence is {one['mean']:+.3f} better for its own answers than row and column make "
        f"one expect ({one['lower']:+.3f} to {one['upper']:+.3f}). Permutation within difficulty gives p "
        f"{_p(one['p'], one.get('least_p'))}. For {above} of {len(rows)} models the 95 % interval lies above 0, each "
        f"by itself. Simulated models that meet two kinds of difficulty and know nothing of themselves give up to "
        f"{result.diagonal_without:+.3f}."
    )
    if "of_family" in means.index and means["mean"].notna()["of_family"]:
        kin = means.loc["of_family"]
        text_ += (
            f" For answers of its own family's other models it is {kin['mean']:+.3f} better ({kin['lower']:+.3f} to "
            f"{kin['upper']:+.3f})."
        )
    return text_


def factors(result: SelfKnowledge) -> str:
    """How many factors the confidences have, with and without suspected keys."""
    if result.factors.empty:
        return "Fewer than three models have a confidence that varies on common items, so factors cannot be counted."
    texts = []
    for row in rows_of(result.factor_counts):
        found = plural(row.n_factors, "factor exceeds", "factors exceed")
        texts.append(
            f"Of the confidences of {row.n_models} models on the {row.n_items:,} items that all of them answered, one "
            f"factor takes {row.first_share:.0%} of the variance, and {found} what shuffled confidences would give."
            if row.rows == WITH
            else f"Without suspected keys ({row.n_models} models, {row.n_items:,} items) it takes "
            f"{row.first_share:.0%}, and {found} chance."
        )
    return " ".join(texts)


def _over_models(verdict: Verdict) -> str:
    v = verdict.values
    return (
        f"{SUBJECTS[verdict.name]} is {OUTCOME[verdict.passed]}: it is so for {v['holding']} of {v['of']} models, not "
        f"so for {v['against']}, and cannot be told for {v['open']} (median {v['median']:+.2f})."
    )


#: What each verdict is about.
SUBJECTS = {
    "remains": "That most models' own confidence says more of their answers, within difficulty, than another's would",
    "most": "That most of what their confidence says is beyond difficulty",
    "single": "That most models' own confidence says more about them than another model's",
    "crowd": "That most models' own confidence says more about them than the others' mean confidence",
    "privileged": "That models' confidence fits their own answers better than row and column make one expect",
}
#: The same as titles.
CLAIMS = {name: subject.removeprefix("That ") for name, subject in SUBJECTS.items()}


def _privileged(verdict: Verdict) -> str:
    v = verdict.values
    return (
        f"{SUBJECTS[verdict.name]} is {OUTCOME[verdict.passed]}: {v['mean']:+.3f} on the "
        f"diagonal ({v['lower']:+.3f} to {v['upper']:+.3f}), p {_p(v['p'], v.get('least_p'))}. Simulated models that "
        f"meet two kinds of difficulty and know nothing of themselves give up to {v['nothing']:+.3f}."
    )


def _p(p: float, least: float | None) -> str:
    """``= 0.020``, or ``at most 0.005`` where no permutation gave as much and more of them could have a smaller p."""
    return f"at most {p:.3f}" if least is not None and p <= least * (1 + 1e-9) else f"= {p:.3f}"


def _measure(name: str, title: str, digits: int = 3) -> tuple[Column, ...]:
    return number(name, "is", digits, title), *limits(f"{name}_lower", f"{name}_upper", title, digits)


_MODEL, _ROWS = text("model", "Model"), text("rows", "Items")
#: Factors that are shown.
FIRST_FACTORS = 6
#: Means of the matrix that are shown.
QUANTITIES = {
    "advantage": "own answers",
    "of_family": "answers of the family's other models",
    "beyond_family": "own answers beyond the family's",
}
OWN_COLUMNS = columns_of(
    _MODEL,
    number("accuracy", "Accuracy", 2),
    _measure("own", "Own"),
    number("crowd", "Others' mean"),
    number("crowd_right", "Others right"),
    number("single_median", "median", 3, "Single others"),
    number("single_best", "best", 3, "Single others"),
    _measure("own_less_single_median", "Own less median"),
    _measure("own_less_crowd", "Own less mean"),
    text("flag", "Flag", optional=True),
)
REMAINS_COLUMNS = columns_of(
    _MODEL,
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
    number("placebo", "median", 3, "Placebo"),
    number("placebo_best", "best", 3, "Placebo"),
    _measure("own_less_placebo", "Own less median"),
    number("own_less_best", "Own less best"),
    _measure("added", "Added bits"),
    _measure("blend", "to a blend"),
    text("why_no_placebo", "No placebo because", optional=True),
    text("why", "Not given because", optional=True),
)

TABLES: Mapping[str, Schema] = {
    "models": Schema(
        "models",
        OWN_COLUMNS,
        "AUROC2 for each model's answers by its own confidence and by that of the others (of other families where "
        "families are known).",
    ),
    "remains": Schema(
        "models",
        REMAINS_COLUMNS,
        "What remains within difficulty: AUROC2 of pairs of answers to equally hard items, what reading difficulty "
        "alone would give there, and their difference; information in bits, what of it is beyond difficulty, and "
        "its share; what remains of other families' confidence in its place (the best is chosen on these items), and "
        "own less these, pair by pair; bits that own confidence adds to the others' correctness and mean confidence, "
        "and to these and the two ways in which the others differ most.",
    ),
    "ways": Schema(
        "ways",
        columns_of(
            _ROWS,
            text("cut", "Difficulty"),
            count("models", "Models"),
            count("holding", "More than the placebo"),
            count("against", "less"),
            count("open", "cannot be told"),
            number("median", "Median"),
            number("n_strata", "Strata", 0),
            number("n_pairs", "Pairs", 0),
        ),
        "What remains less the median placebo (AUROC2), by how difficulty is cut and with or without suspected keys.",
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
            _MODEL,
            number("own", "Own"),
            _measure("advantage", "Beyond row and column"),
            number("p_value", "p"),
            _measure("of_family", "Own family's"),
            text("flag", "Flag", optional=True),
        ),
        "What each model's own confidence has beyond row and column of the matrix, and what it has for the answers "
        "of its family's other models. Intervals and p are of each model by itself.",
    ),
    "factors": Schema(
        "factors",
        columns_of(
            _ROWS,
            count("factor", "Factor"),
            number("eigenvalue", "Eigenvalue", 2),
            number("parallel", "By chance (95 %)", 2),
            number("share", "Share", 2),
        ),
        "The first factors of the models' confidences, with and without suspected keys where a key is known.",
        pick=lambda frame: frame[frame["factor"] <= FIRST_FACTORS],
    ),
}
SENTENCES: Mapping[str, Callable[[SelfKnowledge], str]] = {
    "headline": headline,
    "against": against,
    "levels": levels,
    "without": without,
    "cuts": cuts,
    "diagonal": diagonal,
    "several_factors": factors,
}
VERDICTS: Mapping[str, Callable[[Verdict], str]] = {
    **dict.fromkeys(OVER_MODELS, _over_models),
    "privileged": _privileged,
}
