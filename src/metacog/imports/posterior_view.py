"""What the page on somebody's own trials shows of their posteriors, part by part."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pandas as pd

from metacog.imports.posterior import Posteriors
from metacog.measures.posterior import ROPE
from metacog.report.drawing import Drawing, Drawn
from metacog.report.posterior import (
    FOREST_ALT,
    FOREST_CAPTION,
    MOST_PANELS,
    ROC_ALT,
    ROC_CAPTION,
    forest,
    group_columns,
    posterior_columns,
    predictive_columns,
    predictive_roc,
    sampling_columns,
)
from metacog.report.posterior_words import group_findings, posterior_findings
from metacog.report.show import Prose, finding
from metacog.report.tables import Column, Schema, ShownTable, columns_of, limits, number, text
from metacog.studies.view import finding_boxes

Shown = Prose | ShownTable | Drawn
_TITLES = {"model": "Model", "domain": "Domain"}
NOTHING = Prose("")
ABOUT = (
    "A posterior says which values of d', the criterion c, meta-d' and M-ratio are plausible, given the "
    "counts and mild priors; nothing is added to empty cells. It always has an answer. Whether there is one "
    "to be had shows in its width, and in how much of it has a d' near 0, where a ratio means nothing. On "
    f"the logarithmic scale, differences from 1 of less than {ROPE:g} are taken for none."
)
ABOUT_GROUP = (
    "Each posterior above knows its own table alone. A **hierarchical** model supposes that the logarithms "
    "of their M-ratios come from one normal curve, and finds its mean and spread together with them: tables "
    "that say little lean on the others. M-ratio is positive in it by construction."
)


def source(posteriors: Posteriors) -> Shown:
    """Why there are no posteriors; or how well they were sampled, and what was left out."""
    facts = posteriors.facts
    if facts["why_not"]:
        return Prose("\n\n".join([facts["why_not"], *facts["left_out"]]))
    return Prose("\n\n".join(t for t in (facts["sampling"], *facts["left_out"], facts["trials"]) if t))


def about(posteriors: Posteriors) -> Shown:
    """What a posterior says."""
    return Prose(ABOUT)


def about_group(posteriors: Posteriors) -> Shown:
    """What a group's posterior is, where there is one."""
    return Prose(ABOUT_GROUP) if "group" in posteriors.frames else NOTHING


def verdicts(posteriors: Posteriors) -> Shown:
    """One sentence per table."""
    return finding_boxes(posterior_findings(posteriors.frames["posterior"], posteriors.facts["labels"]))


def table(posteriors: Posteriors) -> Shown:
    """d', c, meta-d' and M-ratio; why one cannot be judged stands in its verdict."""
    columns = posterior_columns(_label_columns(posteriors))
    return _table(posteriors, "posterior", (c for c in columns if c.name != "why"))


def sampling(posteriors: Posteriors) -> Shown:
    """R-hat, effective draws and divergences of each table."""
    return _table(posteriors, "posterior", sampling_columns(_label_columns(posteriors)))


def m_ratio(posteriors: Posteriors) -> Shown:
    """M-ratio of each table next to 1."""
    labels = posteriors.facts["labels"]
    draw = Drawing(lambda frame: forest(frame, labels), "", FOREST_CAPTION, FOREST_ALT)
    return _drawn(draw(posteriors.frames["posterior"]))


def check(posteriors: Posteriors) -> Shown:
    """The predictive check in one sentence."""
    return Prose(finding(posteriors.facts["check"]))


def predictive(posteriors: Posteriors) -> Shown:
    """The predictive check of each table."""
    return _table(posteriors, "predictive", predictive_columns(_label_columns(posteriors)))


def roc(posteriors: Posteriors) -> Shown:
    """The observed type-2 ROC over the predicted one."""
    labels = posteriors.facts["labels"]
    draw = Drawing(lambda frame: predictive_roc(frame, labels), "", ROC_CAPTION, ROC_ALT)
    return _drawn(draw(posteriors.frames["predictive_points"]))


def left_out_of_roc(posteriors: Posteriors) -> Shown:
    """How many tables the figure has no room for."""
    n = len(posteriors.frames["predictive"])
    return Prose(f"The figure shows the first {MOST_PANELS} of {n} tables." if n > MOST_PANELS else "")


def group(posteriors: Posteriors) -> Shown:
    """How the group was sampled, or why there is none; then what it says."""
    about = posteriors.facts["group"]
    if "group" not in posteriors.frames:
        return Prose(about)
    return Prose(f"{about}\n\n{finding_boxes(group_findings(posteriors.frames['group'])).source}")


def group_table(posteriors: Posteriors) -> Shown:
    """The group's M-ratio in each condition."""
    return _table(posteriors, "group", group_columns()) if "group" in posteriors.frames else NOTHING


def members(posteriors: Posteriors) -> Shown:
    """Each table's M-ratio, drawn towards the group."""
    if "group_tables" not in posteriors.frames:
        return NOTHING
    columns = columns_of(
        _label_columns(posteriors),
        number("m_ratio", "M-ratio", 2),
        limits("m_ratio_lower", "m_ratio_upper", digits=2),
        number("d_prime", "d'", 2),
        limits("d_prime_lower", "d_prime_upper", "95 % of d'", 2),
    )
    return _table(posteriors, "group_tables", columns)


#: What a page may show, by name.
PARTS: dict[str, Callable[[Posteriors], Shown]] = {
    "source": source,
    "about": about,
    "verdicts": verdicts,
    "table": table,
    "m_ratio": m_ratio,
    "sampling": sampling,
    "check": check,
    "predictive": predictive,
    "roc": roc,
    "left_out_of_roc": left_out_of_roc,
    "about_group": about_group,
    "group": group,
    "group_table": group_table,
    "members": members,
}


def posterior_part(posteriors: Posteriors, name: str) -> Shown:
    """A part by name; nothing but the reason where no posterior was drawn."""
    if posteriors.facts["why_not"]:
        return source(posteriors) if name == "source" else NOTHING
    return PARTS[name](posteriors)


def _label_columns(posteriors: Posteriors) -> list[Column]:
    return [text(name, _TITLES[name]) for name in posteriors.facts["labels"]]


def _table(posteriors: Posteriors, name: str, columns: Iterable[Column]) -> ShownTable:
    frame: pd.DataFrame = posteriors.frames[name]
    return ShownTable(Schema(name, tuple(columns)), frame)


def _drawn(drawn: Drawn) -> Shown:
    return drawn if drawn.figure is not None else NOTHING
