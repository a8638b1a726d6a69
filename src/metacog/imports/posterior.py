"""Posteriors of meta-d' of two-choice trials that somebody else made: each table's, and the group's.

A table is a model's trials, or its trials of one domain where the file names several. Tables whose confidence
cannot be judged (too few trials, all right, all wrong, one rating) are left out and named: with a prior, a
posterior can be drawn of anything, and would say what the prior says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.errors import lacks
from metacog.core.frames import ended, rows_of
from metacog.core.words import plural
from metacog.measures.cell import fitted_tables, remarks_on
from metacog.measures.posterior import (
    group_table,
    posterior_table,
    predictive_points,
    predictive_table,
    sampling_quality,
)
from metacog.measures.table import Options, make_cell
from metacog.measures.tidy import too_few
from metacog.sdt import InputError
from metacog.verdicts.posterior_words import predictive_sentence, sampling_sentence

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
TOGETHER = "Temperatures are taken together in the posteriors."
#: Files of an import's folder that hold posteriors.
FILES = ("posterior", "predictive", "predictive_points", "group", "group_tables")


@dataclass(frozen=True)
class Sampling:
    """How posteriors are drawn.

    Attributes
    ----------
    wanted : bool
    n_chains, n_draws, n_warmup : int
        Chains, draws of each that are kept, and draws before them that adapt the sampler.
    most_tables : int
        With more tables there are no posteriors: they take seconds each.
    """

    wanted: bool = True
    n_chains: int = 4
    n_draws: int = 1_000
    n_warmup: int = 1_000
    most_tables: int = 24


@dataclass(frozen=True)
class Posteriors:
    """What was drawn.

    Attributes
    ----------
    frames : dict of DataFrame
        By the names of :data:`FILES`; empty if nothing was drawn, without ``group`` where there is none.
    facts : dict
        ``labels`` (columns that name a table); ``why_not``, a sentence, empty where posteriors were drawn;
        ``left_out``, one sentence per table; ``sampling``, ``check``, ``group`` (how the group was sampled, or
        why there is none) and ``trials`` (what the model leaves out of account), sentences; ``drawn``, how.
    """

    frames: dict[str, pd.DataFrame] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    def write(self, out: Path) -> None:
        """Write the frames into a folder; those of an earlier import that are not made again are removed."""
        for name in FILES:
            path = out / f"{name}.csv"
            if name in self.frames:
                self.frames[name].to_csv(path, index=False)
            else:
                path.unlink(missing_ok=True)


def draw_posteriors(
    trials: pd.DataFrame,
    sampling: Sampling,
    options: Options,
    echo: Callable[[str], object] = lambda text: None,
) -> Posteriors:
    """Posteriors of all tables of an import, their predictive check, and that of the group.

    Parameters
    ----------
    trials : DataFrame
        Checked trials; two-choice ones carry stimulus, response, rating and k.
    sampling : Sampling
    options : Options
        Seed, level of intervals, and whether questions repeat.
    echo : callable
        Gets one line at a time about what goes on.
    """
    labels = _labels(trials)
    facts: dict[str, Any] = {"labels": labels, "drawn": asdict(sampling), "left_out": []}
    if "stimulus" not in trials:
        return Posteriors(facts=facts | {"why_not": NO_CHOICE})
    if not sampling.wanted:
        return Posteriors(facts=facts | {"why_not": NOT_WANTED})
    if lacks("numpyro"):
        echo(NOT_HERE)
        return Posteriors(facts=facts | {"why_not": NOT_HERE})
    n = len(trials[labels].drop_duplicates())
    if n > sampling.most_tables:
        why = (
            f"There are {n} tables ({' by '.join(labels)}), and posteriors are drawn of at most "
            f"{sampling.most_tables}: raise `--most-tables` if you can wait."
        )
        echo(why)
        return Posteriors(facts=facts | {"why_not": why})
    names, counts, left_out = _tables(trials, labels, options)
    facts["left_out"] = left_out
    if not len(counts):
        return Posteriors(facts=facts | {"why_not": "No table can be judged, so no posterior was drawn."})
    echo(f"drawing posteriors of {len(counts)} table{'s' * (len(counts) > 1)}; --no-bayes leaves them out")
    frames, about_each = _each(names, counts, sampling, options)
    group, about = _group(names, counts, sampling, options)
    facts |= {**about_each, "group": about, "trials": _repeated(trials, labels, options), "why_not": ""}
    return Posteriors(frames | group, facts)


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
    checked = predictive_table(check, names)
    frames = {
        "posterior": posterior_table(fit, names),
        "predictive": checked,
        "predictive_points": predictive_points(check, names),
    }
    return frames, {"sampling": _sampled(fit), "check": predictive_sentence(checked)}


def _group(
    names: pd.DataFrame, counts: np.ndarray, sampling: Sampling, options: Options
) -> tuple[dict[str, pd.DataFrame], str]:
    """The group's posterior: of models, over domains where there are several; or of one model's domains."""
    several = names["model"].nunique() > 1
    subject = names["model"] if several or "domain" not in names else names["domain"]
    what = "models" if subject.name == "model" else "domains"
    condition = names["domain"] if several and "domain" in names else None
    return _group_of(names, counts, subject, condition, what, sampling, options)


def draw_people(
    trials: pd.DataFrame,
    sampling: Sampling,
    options: Options,
    echo: Callable[[str], object] = lambda text: None,
) -> Posteriors:
    """The posterior of a group of people's M-ratio, by a hierarchical model; nobody's own.

    Parameters
    ----------
    trials : DataFrame
        Checked trials with ``person`` and ``group``: the model, or condition, where people answered under several.
    sampling : Sampling
        Wanted or not.
    options, echo
        As of :func:`draw_posteriors`.
    """
    labels = _labels(trials)
    facts: dict[str, Any] = {
        "labels": labels,
        "drawn": asdict(sampling),
        "left_out": [],
        "sampling": "",
        "check": "",
    }
    why = "" if "stimulus" in trials else NO_CHOICE
    why = why or ("" if sampling.wanted else NOT_HIERARCHICAL) or (NOT_HERE if lacks("numpyro") else "")
    if why:
        if sampling.wanted:
            echo(why)
        return Posteriors(facts=facts | {"why_not": why})
    names, counts, left_out = _tables(trials, labels, options)
    if left_out:
        facts["left_out"] = [f"{len(left_out):,} tables of people cannot be judged, and are left out."]
    if not len(counts):
        return Posteriors(facts=facts | {"why_not": "No table can be judged, so no posterior was drawn."})
    echo(f"drawing the posterior of the group of {plural(names['model'].nunique(), 'person', 'people')}")
    who = trials.drop_duplicates("model").set_index("model")
    apart = [names[c] for c in labels[1:]]
    if who["group"].nunique() > 1:
        apart = [names["model"].map(who["group"]), *apart]
    condition = pd.Series([" / ".join(row) for row in zip(*apart, strict=True)]) if apart else None
    subject = names["model"].map(who["person"])
    group, about = _group_of(names, counts, subject, condition, "people", sampling, options)
    said = too_few(int(subject.nunique()), counts)
    about = f"{about} With {said}." if said and group else about
    return Posteriors(
        group, facts | {"group": about, "trials": _repeated(trials, labels, options), "why_not": ""}
    )


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


def _group_of(
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

    if subject.nunique() < FEWEST_GROUP:
        one = {"people": "person"}.get(what, what[:-1])
        many = f"{subject.nunique()} {what if subject.nunique() > 1 else one}"
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
    drawn: dict[str, np.ndarray] = {}
    for name in ("m_ratio", "d_prime"):
        part = getattr(fit, f"table_{name}")
        drawn |= ended(name, part.estimate, part.lower, part.upper)
    tables = names.assign(**drawn)
    return {
        "group": of,
        "group_tables": tables,
    }, f"A group of {subject.nunique()} {what}. {_sampled(fit)}"


def _sampled(fit: BayesFit | GroupFit) -> str:
    """How well it was sampled, and what helps if badly."""
    quality = sampling_quality(fit)
    sentence = sampling_sentence(quality)
    return sentence if quality.sound else f"{sentence} Raise `--draws`."


def _size(sampling: Sampling) -> dict[str, int]:
    return {"n_chains": sampling.n_chains, "n_draws": sampling.n_draws, "n_warmup": sampling.n_warmup}


def _repeated(trials: pd.DataFrame, labels: list[str], options: Options) -> str:
    """What the posteriors do not know: questions asked several times, and temperatures taken together."""
    text = []
    repeats = int(trials.duplicated([*labels, "question_id"]).sum()) if options.clustered else 0
    if repeats:
        text.append(REPEATED.format(repeats=repeats, n=len(trials)))
    if trials["temperature"].nunique() > 1:
        text.append(TOGETHER)
    return " ".join(text)
