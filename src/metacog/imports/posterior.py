"""Posteriors of meta-d' of two-choice trials that somebody else made: each table's, and the group's.

A table is a model's trials, or its trials of one domain where the file names several. Tables whose confidence
cannot be judged (too few trials, all right, all wrong, one rating) are left out and named: with a prior, a
posterior can be drawn of anything, and would say what the prior says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.errors import lacks
from metacog.core.frames import ended, rows_of, with_ends
from metacog.core.words import plural
from metacog.measures.cell import fitted_tables, remarks_on
from metacog.measures.posterior import (
    ROPE,
    group_table,
    names_of,
    posterior_pairs,
    posterior_table,
    predictive_points,
    predictive_table,
    sampling_quality,
)
from metacog.measures.table import Options, make_cell
from metacog.measures.tidy import too_few
from metacog.report.show import Prose
from metacog.sdt import InputError
from metacog.verdicts.posterior_words import against_one, predictive_sentence, sampling_sentence

if TYPE_CHECKING:
    from metacog.sdt.bayes import BayesFit, GroupFit

#: Fewest subjects (models, or domains of one model) of which a group is made.
FEWEST_GROUP = 3
NO_CHOICE = (
    "There is no posterior here: these trials name no stimulus and no response, and without a two-choice "
    "decision M-ratio is no efficiency."
)
BEFORE = "This import was made before posteriors were drawn: import the file again to have them."
NOT_WANTED = "Posteriors were not asked for (`--no-bayes`)."
NOT_HIERARCHICAL = "`--hierarchical` adds the group's M-ratio by a hierarchical model (extra `bayes`)."
NOT_HERE = "There are no posteriors: they need the extra `bayes`, as by `pip install 'metacog[bayes]'`."
REPEATED = (
    "The model of the posterior takes trials for independent, but {repeats:,} of {n:,} repeat a question: its "
    "intervals are narrower than they should be."
)
NONE_JUDGED = "No table can be judged, so no posterior was drawn."
TOGETHER = "Temperatures are taken together in the posteriors."
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
#: Estimates that the page shows, each with the ends of its interval.
SHOWN = with_ends("d_prime", "meta_d", "m_ratio")
#: Files of an import's folder that hold posteriors.
FILES = ("posterior", "posterior_pairs", "predictive", "predictive_points", "group", "group_tables")


@dataclass(frozen=True)
class Sampling:
    """How posteriors are drawn; of more tables than ``most_tables`` there are none, since they take seconds each."""

    wanted: bool = True
    n_chains: int = 4
    n_draws: int = 1_000
    n_warmup: int = 1_000
    most_tables: int = 24


@dataclass(frozen=True)
class Posteriors:
    """What was drawn: frames by the names of :data:`FILES`, and facts.

    ``labels`` are columns that name a table; ``why_not`` is a sentence, empty where posteriors were drawn; ``left_out``
    one sentence per table; ``sampling``, ``check``, ``group`` (how the group was sampled, or why there is none) and
    ``trials`` (what the model leaves out of account) are sentences; ``drawn`` says how. What the page shows of it is
    without rows and empty where nothing was drawn.
    """

    frames: dict[str, pd.DataFrame] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def source(self) -> Prose:
        """Why there are no posteriors; or what they are, how well they were sampled, and what was left out."""
        facts = self.facts
        told = [facts["why_not"], *facts["left_out"]]
        if not facts["why_not"]:
            about = ABOUT if "posterior" in self.frames else ""
            told = [about, facts["sampling"], *facts["left_out"], facts["trials"], facts["check"]]
        return Prose("\n\n".join(text for text in told if text))

    def group(self) -> Prose:
        """What the group's posterior is and how it was sampled; or why there is none."""
        facts = self.facts
        if facts["why_not"] or "group" not in self.frames:
            return Prose("" if facts["why_not"] else facts["group"])
        return Prose(f"{ABOUT_GROUP}\n\n{facts['group']}")

    @property
    def groups(self) -> pd.DataFrame:
        return self.frames.get("group", pd.DataFrame())

    @property
    def tables(self) -> pd.DataFrame:
        """Each table's estimates, its M-ratio where it can be judged, and what it says ``against_one``."""
        if (made := self.frames.get("posterior")) is None:
            return pd.DataFrame()
        shown = made[list(SHOWN)].assign(
            table=names_of(made, self.facts["labels"]),
            against_one=[against_one(row) for row in rows_of(made)],
        )
        shown.loc[~made["judged"].astype(bool), list(with_ends("m_ratio"))] = np.nan
        return shown[["table", *SHOWN, "against_one"]]

    @property
    def pairs(self) -> pd.DataFrame:
        """Every two tables' differences of log M-ratio and d', and what the interval says, for readers."""
        made = self.frames.get("posterior_pairs", pd.DataFrame())
        return made.assign(pair=made["first"] + " and " + made["second"]) if len(made) else made


def draw_posteriors(
    trials: pd.DataFrame,
    sampling: Sampling,
    options: Options,
    echo: Callable[[str], object] = lambda text: None,
) -> Posteriors:
    """Posteriors of all tables of an import, their predictive check, and that of the group."""
    labels = _labels(trials)
    n, why = len(trials[labels].drop_duplicates()), ""
    if "stimulus" not in trials:
        why = NO_CHOICE
    elif not sampling.wanted:
        why = NOT_WANTED
    elif lacks("numpyro"):
        why = NOT_HERE
    elif n > sampling.most_tables:
        why = (
            f"There are {n} tables ({' by '.join(labels)}), and posteriors are drawn of at most "
            f"{sampling.most_tables}: raise `--most-tables` if you can wait."
        )
    facts: dict[str, Any] = {"labels": labels, "drawn": asdict(sampling), "left_out": [], "why_not": why}
    if why:
        if why not in (NO_CHOICE, NOT_WANTED):
            echo(why)
        return Posteriors(facts=facts)
    names, counts, facts["left_out"] = _tables(trials, labels, options)
    if not len(counts):
        return Posteriors(facts=facts | {"why_not": NONE_JUDGED})
    echo(f"drawing posteriors of {len(counts)} table{'s' * (len(counts) > 1)}; --no-bayes leaves them out")
    frames, about_each = _each(names, counts, sampling, options)
    several = names["model"].nunique() > 1
    what = "models" if several or "domain" not in names else "domains"
    condition = names["domain"] if several and "domain" in names else None
    group, about = _group(names, counts, names[what[:-1]], condition, what, sampling, options)
    return Posteriors(frames | group, facts | about_each | _told(about, trials, labels, options))


def _labels(trials: pd.DataFrame) -> list[str]:
    return ["model", "domain"] if trials["domain"].nunique() > 1 else ["model"]


def _tables(
    trials: pd.DataFrame, labels: list[str], options: Options
) -> tuple[pd.DataFrame, np.ndarray, list[str]]:
    """Labels and counts ``(B, 2, 2K)`` of the tables that can be judged, and why the others cannot."""
    names, counts, left_out = [], [], []
    for key, part in trials.groupby(labels, sort=False):
        cell = make_cell(part, part, options)
        why = [remark.text for remark in remarks_on(cell) if remark.flag.unmeasurable]
        table = fitted_tables(cell)
        assert table is not None
        if not why and not all(side.sum() for side in table):
            why = ["only one of the two stimuli was shown"]
        if why:
            left_out.append(f"No posterior of {', '.join(map(str, key))}: {why[0]}.")
        else:
            names.append(dict(zip(labels, map(str, key), strict=True)))
            counts.append(np.stack(table))
    return pd.DataFrame(names, columns=labels), np.array(counts), left_out


def _each(
    names: pd.DataFrame, counts: np.ndarray, sampling: Sampling, options: Options
) -> tuple[dict[str, pd.DataFrame], dict[str, str]]:
    """The tables' own posteriors and predictive checks."""
    from metacog.sdt.bayes import fit_bayes, predict_roc

    fit = fit_bayes(counts[:, 0], counts[:, 1], seed=options.seed, level=options.level, **_size(sampling))
    n_draws = sampling.n_chains * sampling.n_draws
    check = predict_roc(fit, n_replicates=min(1_000, n_draws), seed=options.seed)
    frames = {
        "posterior": posterior_table(fit, names),
        "posterior_pairs": posterior_pairs(fit, names),
        "predictive": predictive_table(check, names),
        "predictive_points": predictive_points(check, names),
    }
    return frames, {"sampling": _sampled(fit), "check": predictive_sentence(frames["predictive"])}


def draw_people(
    trials: pd.DataFrame,
    sampling: Sampling,
    options: Options,
    echo: Callable[[str], object] = lambda text: None,
) -> Posteriors:
    """The posterior of M-ratio of a group of people (of each model or condition that they answered under)."""
    labels = _labels(trials)
    why = "" if "stimulus" in trials else NO_CHOICE
    why = why or ("" if sampling.wanted else NOT_HIERARCHICAL) or (NOT_HERE if lacks("numpyro") else "")
    facts: dict[str, Any] = {"labels": labels, "drawn": asdict(sampling), "left_out": [], "why_not": why}
    facts |= {"sampling": "", "check": ""}
    if why:
        if sampling.wanted:
            echo(why)
        return Posteriors(facts=facts)
    names, counts, left_out = _tables(trials, labels, options)
    if left_out:
        facts["left_out"] = [f"{len(left_out):,} tables of people cannot be judged, and are left out."]
    if not len(counts):
        return Posteriors(facts=facts | {"why_not": NONE_JUDGED})
    echo(f"drawing the posterior of the group of {plural(names['model'].nunique(), 'person', 'people')}")
    who = trials.drop_duplicates("model").set_index("model")
    apart = [names[c] for c in labels[1:]]
    if who["group"].nunique() > 1:
        apart = [names["model"].map(who["group"]), *apart]
    condition = pd.Series([" / ".join(row) for row in zip(*apart, strict=True)]) if apart else None
    subject = names["model"].map(who["person"])
    group, about = _group(names, counts, subject, condition, "people", sampling, options)
    if group and (said := too_few(int(subject.nunique()), counts)):
        about = f"{about} With {said}."
    return Posteriors(group, facts | _told(about, trials, labels, options))


def hierarchical_lines(posteriors: Posteriors) -> list[str]:
    """The group's M-ratio by the hierarchical model, a line for each condition; or why there is none."""
    of = posteriors.frames.get("group")
    if of is None:
        return [posteriors.facts["why_not"] or posteriors.facts["group"]]
    told = [
        f"hierarchical M-ratio, {row.condition}: {row.m_ratio:.3f} [{row.m_ratio_lower:.3f}, {row.m_ratio_upper:.3f}]"
        for row in rows_of(of)
    ]
    return [*told, posteriors.facts["group"]]


def _group(
    names: pd.DataFrame,
    counts: np.ndarray,
    subject: pd.Series,
    condition: pd.Series | None,
    what: str,
    sampling: Sampling,
    options: Options,
) -> tuple[dict[str, pd.DataFrame], str]:
    """The posterior of a group of subjects, called by what they are."""
    from metacog.sdt.bayes import fit_group

    if (n := subject.nunique()) < FEWEST_GROUP:
        many = plural(n, "person" if what == "people" else what[:-1], what)
        return {}, f"There is no posterior of a group: it takes {FEWEST_GROUP}, and {many} can be judged."
    try:
        fit = fit_group(
            counts[:, 0],
            counts[:, 1],
            subject=list(subject),
            condition=None if condition is None else list(condition),
            seed=options.seed,
            level=options.level,
            **_size(sampling),
        )
    except InputError as error:
        return {}, f"There is no posterior of a group: {error}"
    of = group_table(fit)
    of["condition"] = [f"all {what}"] if condition is None else of["condition"]
    ratio, sensitivity = fit.table_m_ratio, fit.table_d_prime
    tables = names.assign(
        **ended("m_ratio", ratio.estimate, ratio.lower, ratio.upper),
        **ended("d_prime", sensitivity.estimate, sensitivity.lower, sensitivity.upper),
    )
    return {"group": of, "group_tables": tables}, f"A group of {n} {what}. {_sampled(fit)}"


def _sampled(fit: BayesFit | GroupFit) -> str:
    quality = sampling_quality(fit)
    sentence = sampling_sentence(quality)
    return sentence if quality.sound else f"{sentence} Raise `--draws`."


def _size(sampling: Sampling) -> dict[str, int]:
    return {"n_chains": sampling.n_chains, "n_draws": sampling.n_draws, "n_warmup": sampling.n_warmup}


def _told(about: str, trials: pd.DataFrame, labels: list[str], options: Options) -> dict[str, str]:
    """Of the group, and what the posteriors do not know: that questions repeat, or temperatures are several."""
    repeats = int(trials.duplicated([*labels, "question_id"]).sum()) if options.clustered else 0
    text = [REPEATED.format(repeats=repeats, n=len(trials))] if repeats else []
    text += [TOGETHER] if trials["temperature"].nunique() > 1 else []
    return {"group": about, "trials": " ".join(text)}
