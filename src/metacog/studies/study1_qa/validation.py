"""Do the ratings behave as ratings should?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, rows_of
from metacog.core.words import plural
from metacog.sdt import auroc2
from metacog.sdt.intervals import wilson
from metacog.sdt.type1 import z_roc
from metacog.studies.study import analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import (
    GROUP,
    MIN_CLASS,
    PUBLISHED_FILES,
    RECOMPUTED,
    REFERENCE,
    RUN,
    Cells,
    Flag,
    Rated,
    cell_name,
    estimate,
    flags_in,
    open_trials,
    rate_trials,
    stacked,
)
from metacog.studies.study1_qa.h2 import domain_cells
from metacog.trials import MATCHES, SCORE, loosely_right, scored
from metacog.verdicts.rules import Unit, judged, those, unit
from metacog.verdicts.verdict import Kind, Verdict

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# What the rules of validation say of quartiles and of cells.

RULE_MONOTONE = "At T = 1 accuracy rises over the four quartiles of NLP, in every model and question set."
RULE_MINIMUM = (
    f"Every domain x model cell at T = 1 has at least {MIN_CLASS} correct and {MIN_CLASS} incorrect answers."
)


def judge(quartiles: pd.DataFrame, minimums: pd.DataFrame) -> tuple[Verdict, ...]:
    """Verdicts on both pre-registered conditions; tables as in the result of validation."""
    return judge_monotone(quartiles), judge_minimum(minimums)


def judge_monotone(quartiles: pd.DataFrame) -> Verdict:
    """Whether accuracy rises at every step; a model without quarters (``why``) is undecided."""
    n_sets = quartiles["dataset"].nunique()
    units = [unit(cell_name(r.model, r.dataset, n_sets), r.monotone, flag=r.why) for r in rows_of(quartiles)]
    values: dict[str, Any] = {"rises": those(units, True), "falls": those(units, False)}
    return judged(
        units, "Validation", Kind.PREREGISTERED, RULE_MONOTONE, name="quartiles", topic="quartiles", **values
    )


def judge_minimum(minimums: pd.DataFrame) -> Verdict:
    """Whether every cell is large enough; undecided without domains, or where no confidence could be read."""
    n_sets = minimums["dataset"].nunique()
    known = minimums[minimums["enough"].notna()]
    units = [unit(f"{cell_name(r.model, r.dataset, n_sets)}, {r.domain}", r.enough) for r in rows_of(known)]
    silent = minimums[minimums["enough"].isna()]
    units += [
        Unit(f"{cell_name(model, dataset, n_sets)} ({plural(len(own), 'domain')})", None, Flag.SILENT.value)
        for (model, dataset), own in silent.groupby(list(GROUP), sort=False)
    ]
    smallest = known[["n_correct", "n_incorrect"]].min(axis=1).min()
    return judged(
        units,
        "Validation",
        Kind.PREREGISTERED,
        RULE_MINIMUM,
        name="minimum",
        topic="minimum",
        n_cells=len(minimums),
        n_judged=len(known),
        n_enough=len(those(units, True)),
        smallest=int(smallest) if len(known) else 0,
    )


# Marks compared with a reader's judgement: answers drawn by a seed, as many marked wrong as right of each model, and
# every answer that similarity alone makes right by the paper's rule.

#: ``model, question_id, answer, marked, judged, reason``: answers of the reference run as one reader judged them,
#: ``marked`` by the paper's rule.
FILE = "data/replies/marked_by_eye.csv"
#: The same of every answer, at all temperatures, that is right by the paper's rule through similarity; ``judged`` is
#: ``unclear`` where an answer is aimed at the right name, but more than misspelt.
SIMILAR = "data/replies/similar_by_eye.csv"
#: Answers of a model with one mark that were read, and the seed that drew them.
DRAWN, SEED = 60, 42
#: The rules compared, and the two readings.
PAPERS, BOOKS = "the paper's", "the book's"
BY_SEED, BY_SIMILARITY = "drawn by a seed", "right by similarity alone"


def drawn(trials: pd.DataFrame) -> pd.DataFrame:
    """Answers at T = 1 to be read, :data:`DRAWN` of each model and mark, or all if there are fewer.

    They depend on :data:`SEED` and on which questions each model has answered right by the paper's rule.
    """
    at_one = trials[trials["temperature"] == REFERENCE].sort_values(["model", "question_id"])
    found = []
    for _, own in at_one.groupby([at_one["model"], loosely_right(at_one)]):
        picked = np.random.default_rng(SEED).choice(len(own), min(DRAWN, len(own)), replace=False)
        found.append(own.iloc[np.sort(picked)])
    return pd.concat(found, ignore_index=True)


def read_answers(trials: pd.DataFrame, file: str) -> pd.DataFrame:
    """Trials whose answers one of the two files holds, with ``judged``; what was read of others counts nothing."""
    keys = ["model", "question_id", "answer"]
    found = trials.assign(answer=trials["text"].str.strip(), paper=loosely_right(trials))
    read = committed_table(file, keep_default_na=False)[[*keys, "judged"]]
    return found[[*keys, "match", "correct", "paper"]].merge(read, on=keys, validate="many_to_one")


def mismarked(trials: pd.DataFrame) -> pd.DataFrame:
    """Shares of marks of answers drawn by a seed that the reader's judgement contradicts.

    Parameters
    ----------
    trials : DataFrame
        Open answers.

    Returns
    -------
    DataFrame
        ``model, marked, n, mismarked, share, lower, upper``: answers read that the trials hold, and the 95 % Wilson
        interval of the share mismarked (:func:`metacog.sdt.intervals.wilson`), by model and mark.
    """
    both = read_answers(trials[trials["temperature"] == REFERENCE], FILE)
    both["marked"] = np.where(both["correct"], "right", "wrong")
    both["mismarked"] = both["marked"] != both["judged"]
    table = both.groupby(["model", "marked"], as_index=False).agg(
        n=("mismarked", "size"), mismarked=("mismarked", "sum")
    )
    table["share"] = table["mismarked"] / table["n"]
    table["lower"], table["upper"] = wilson(table["share"], table["n"])
    return table


def rules_compared(trials: pd.DataFrame) -> pd.DataFrame:
    """What each rule makes of the answers that were read.

    Parameters
    ----------
    trials : DataFrame
        Open answers, marked by the book's rule.

    Returns
    -------
    DataFrame
        ``read, rule, n, unclear, let_pass, lost, right_of_passed, passed_of_right``, a row for each reading and rule:
        answers judged right or wrong (``n``) and neither (``unclear``), wrong ones that the rule calls right, right
        ones that it calls wrong, and two shares (precision and recall). In shares, an answer drawn by the seed counts
        as often as there are answers of its model with its mark.
    """
    at_one = trials[trials["temperature"] == REFERENCE]
    seeds = read_answers(at_one, FILE)
    strata, every = ["model", "paper"], at_one.assign(paper=loosely_right(at_one))
    weights = every.groupby(strata).size() / seeds.groupby(strata).size()
    seeds["weight"] = weights.reindex(pd.MultiIndex.from_frame(seeds[strata])).to_numpy()
    alike = trials[trials["match"].isin(["similar", "near"])]
    rows = []
    for name, read in ((BY_SEED, seeds), (BY_SIMILARITY, read_answers(alike, SIMILAR).assign(weight=1.0))):
        known = read[read["judged"] != "unclear"]
        right, weight = known["judged"] == "right", known["weight"]
        for rule, passed in ((PAPERS, known["paper"]), (BOOKS, known["correct"])):
            both = weight[passed & right].sum()
            rows.append(
                {
                    "read": name,
                    "rule": rule,
                    "n": len(known),
                    "unclear": len(read) - len(known),
                    "let_pass": int((passed & ~right).sum()),
                    "lost": int((~passed & right).sum()),
                    "right_of_passed": both / weight[passed].sum() if passed.any() else np.nan,
                    "passed_of_right": both / weight[right].sum() if right.any() else np.nan,
                }
            )
    return pd.DataFrame(rows)


def changes(trials: pd.DataFrame) -> pd.DataFrame:
    """What the book's rule changes at T = 1, beside the paper's.

    Returns
    -------
    DataFrame
        ``model, dataset, n_changed`` (answers that only the paper's rule calls right), and ``accuracy, auroc2,
        m_ratio`` by the book's rule and, with ``_paper`` behind the name, by the paper's.
    """
    both = {"": trials, "_paper": trials.assign(correct=loosely_right(trials))}
    near = trials[trials["temperature"] == REFERENCE].groupby(list(GROUP))["match"]
    table = near.agg(n_changed=lambda match: int((match == "near").sum())).reset_index()
    for which, marked in both.items():
        cells = rate_trials(marked).cells()
        found = estimate(cells)[[*GROUP, "accuracy", "m_ratio"]]
        at_one = marked[(marked["temperature"] == REFERENCE) & marked[SCORE].notna()]
        area = {
            key: auroc2(own["correct"], own[SCORE]) if own["correct"].nunique() == 2 else np.nan
            for key, own in at_one.groupby(list(GROUP))
        }
        found["auroc2"] = found[list(GROUP)].apply(tuple, axis=1).map(area)
        table = table.merge(found.rename(columns={name: name + which for name in CHANGED}), on=list(GROUP))
    return table


#: Measures that are given by both rules.
CHANGED = ("accuracy", "auroc2", "m_ratio")


# Validation before any hypothesis: do ratings order accuracy, and are the cells large enough?

#: Flags of cells whose ratings make no quartiles, and what is said where one is empty.
NO_QUARTERS, EMPTY = (Flag.SILENT, Flag.COARSE), "a quartile without an answer"
#: Share of answers of one kind, such as truncated ones, above which they are flagged.
MANY = 0.05


@dataclass(frozen=True)
class ValidationChecks:
    """What must hold before the hypotheses are tested.

    Attributes
    ----------
    quartiles : DataFrame
        ``model, dataset, q1 ... q4, n_smallest, monotone, why``: accuracy by quartile of NLP at T = 1; whether
        it rises is None where there are no quartiles or one is empty, and ``why`` says so.
    minimums : DataFrame
        ``model, dataset, domain, n_correct, n_incorrect, n_dropped, fewest, enough`` at T = 1; see
        :func:`domain_minimums`.
    sensitivity : DataFrame
        ``model, dataset, d_prime, zroc_slope, d_a, r2`` at T = 1.
    answers : DataFrame
        By model, question set and temperature: ``n, accuracy, mean_nlp, mean_tokens, truncated,
        refusal, empty`` (shares; empty: without a confidence), and ``ran_on``, replies that went on into a next
        question.
    matches : DataFrame
        By model, question set and temperature: the share of each way of marking.
    flags : DataFrame
        ``check, model, dataset, cell, value, limit``: one row for each thing that is not as it should be.
    verdicts : tuple of Verdict
    """

    quartiles: pd.DataFrame
    minimums: pd.DataFrame
    sensitivity: pd.DataFrame
    answers: pd.DataFrame
    matches: pd.DataFrame
    flags: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def quartile_accuracy(cells: Cells) -> pd.DataFrame:
    """Accuracy by quartile of NLP, from cells of eight (or 4m) ratings at T = 1.

    With quantile edges the quartiles' edges are among the ratings' edges, so counts are enough. A coarse
    signal has no quartiles.
    """
    size = len(cells)
    s1, s2 = (x.reshape(size, 4, -1).sum(axis=2) for x in (cells.nR_S1, cells.nR_S2))
    n = s1 + s2
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy = np.where(n > 0, s2 / n, np.nan)
    accuracy[cells.coarse], n[cells.coarse] = np.nan, 0  # ratings of single values make no quarters
    table = cells.frame[list(cells.by)].copy()
    for q in range(4):
        table[f"q{q + 1}"] = accuracy[:, q]
    table["n_smallest"] = n.min(axis=1) if size else []
    rises = [bool((np.diff(row) > 0).all()) for row in accuracy]
    known = table["n_smallest"] > 0
    table["monotone"] = rises if known.all() else pd.Series(rises, table.index, object).where(known, None)
    reasons = cells.frame["flag"].map(
        lambda text: next((f for f in flags_in(text) if f in NO_QUARTERS), EMPTY)
    )
    return table.assign(why=reasons.where(~known, ""))


def domain_minimums(cells: Cells) -> pd.DataFrame:
    """Counts by domain, the smaller class, and whether it is enough: None where no confidence could be read."""
    fewest = cells.frame[["n_correct", "n_incorrect"]].min(axis=1)
    enough = fewest >= MIN_CLASS
    silent = cells.frame["flag"] == Flag.SILENT
    table = cells.frame.assign(fewest=fewest.astype("float64").mask(silent))
    return table.assign(enough=enough.astype(object).where(~silent, None) if silent.any() else enough)


def sensitivity(cells: Cells) -> pd.DataFrame:
    """Type-1 d' (with 0.5 a cell, as everywhere) beside d_a of the z-ROC (no correction)."""
    table = estimate(cells)[[*cells.by, "accuracy", "d_prime", "flag"]]
    slope, d_a, r2 = (np.full(len(cells), np.nan) for _ in range(3))
    good = np.flatnonzero(cells.measurable)
    if good.size:
        line = z_roc(cells.nR_S1[good], cells.nR_S2[good])
        slope[good], d_a[good], r2[good] = line.slope, line.d_a, line.r2
    return table.assign(zroc_slope=slope, d_a=d_a, r2=r2)


def answer_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Length, truncation, refusals and answers without a confidence by model, question set and temperature."""
    trials = scored(trials)
    grouped = trials.assign(empty=trials[SCORE].isna()).groupby([*GROUP, "temperature"], sort=False)
    return grouped.agg(
        n=("correct", "size"),
        accuracy=("correct", "mean"),
        mean_nlp=("nlp", "mean"),
        mean_tokens=("n_tokens", "mean"),
        truncated=("truncated", "mean"),
        refusal=("refusal", "mean"),
        empty=("empty", "mean"),
        ran_on=("ran_on", lambda texts: int((texts != "").sum())),
    ).reset_index()


def match_table(trials: pd.DataFrame) -> pd.DataFrame:
    """Share of each way of marking by model, question set and temperature."""
    keys = [*GROUP, "temperature"]
    shares = pd.crosstab([trials[k] for k in keys], trials["match"], normalize="index")
    return shares.reindex(columns=[m for m in MATCHES if m in shares.columns]).reset_index()


def validate_study(rated: Rated, *, verdicts: bool = True) -> ValidationChecks:
    """All validation tables of a run."""
    quartiles = quartile_accuracy(rated.cells())
    minimums = domain_minimums(domain_cells(rated))
    answers = answer_table(rated.trials)
    flags = _flags(rated, quartiles, minimums, answers)
    found = judge(quartiles, minimums) if verdicts else ()
    return ValidationChecks(
        quartiles, minimums, sensitivity(rated.cells()), answers, match_table(rated.trials), flags, found
    )


def _flags(
    rated: Rated, quartiles: pd.DataFrame, minimums: pd.DataFrame, answers: pd.DataFrame
) -> pd.DataFrame:
    rows: list[dict[str, object]] = []

    def add(check: str, row: pd.Series, cell: str, value: float, limit: float) -> None:
        rows.append(
            {
                "check": check,
                "model": row["model"],
                "dataset": row["dataset"],
                "cell": cell,
                "value": value,
                "limit": limit,
            }
        )

    cells = rated.cells()
    silent = cells.frame["flag"] == Flag.SILENT
    for _, row in cells.frame[silent].iterrows():
        add(Flag.SILENT.value, row, f"T = {REFERENCE:g}", 1, MANY)
    made = quartiles[~silent & ~cells.coarse]
    for _, row in made[~made["monotone"].astype(bool)].iterrows():
        steps = np.diff(row[["q1", "q2", "q3", "q4"]].to_numpy(dtype=np.float64))
        add("accuracy does not rise", row, "quartiles", float(np.nanmin(steps)) if len(steps) else np.nan, 0)
    for _, row in minimums[minimums["enough"].eq(False)].iterrows():
        add(
            "too few of a class",
            row,
            str(row["domain"]),
            float(min(row["n_correct"], row["n_incorrect"])),
            MIN_CLASS,
        )
    named = set(cells.frame.loc[silent, list(GROUP)].itertuples(index=False, name=None))
    for _, row in answers.iterrows():
        shares = {"truncated answers": row["truncated"], "answers without a confidence": row["empty"]}
        if (row["model"], row["dataset"]) in named:
            del shares["answers without a confidence"]
        for what, share in shares.items():
            if share > MANY:
                add(f"many {what}", row, f"T = {row['temperature']:g}", float(share), MANY)
    for key, edge in rated.edges.items():
        row = pd.Series({"model": key[0], "dataset": key[1]})
        used = float(rated.n_ratings - len(edge.empty))
        if edge.degenerate:
            add("ties merge ratings", row, "edges", used, rated.n_ratings)
        if edge.coarse:
            add("coarse signal", row, "edges", used, rated.n_ratings)
    return pd.DataFrame(rows, columns=["check", "model", "dataset", "cell", "value", "limit"])


# What must hold before the hypotheses are tested? What is computed.

#: Columns of the comparison with the published cells.
COMPARED = ["model", "dataset", "q1", "q2", "q3", "q4", "monotone", "d_prime", "d_a"]


@dataclass(frozen=True)
class Validation:
    """Tables of :class:`metacog.studies.study1_qa.validation.ValidationChecks`; marks read; number of flags.

    ``by_eye`` is as in :func:`mismarked`, ``rules`` as in :func:`rules_compared`, ``changes`` as in :func:`changes`.
    """

    quartiles: pd.DataFrame
    minimums: pd.DataFrame
    sensitivity: pd.DataFrame
    answers: pd.DataFrame
    matches: pd.DataFrame
    flagged: pd.DataFrame
    comparison: pd.DataFrame
    by_eye: pd.DataFrame
    rules: pd.DataFrame
    changes: pd.DataFrame
    verdicts: tuple[Verdict, ...]
    flags: int
    empty: int


@analysis(needs=("open",), returns=Validation, files=(*PUBLISHED_FILES, FILE, SIMILAR))
def validation(inputs: Inputs, *, verdicts: bool = True) -> Validation:
    """Do ratings order accuracy, and are the cells large enough?"""
    trials = open_trials(inputs)
    run = validate_study(rate_trials(trials), verdicts=verdicts)
    cells = paper.published_cells()
    keys = ["model", "dataset"]
    theirs = quartile_accuracy(cells).merge(sensitivity(cells), on=keys)
    ours = run.quartiles.merge(run.sensitivity, on=keys)
    return Validation(
        run.quartiles,
        run.minimums,
        run.sensitivity,
        run.answers,
        run.matches,
        run.flags,
        stacked(**{RECOMPUTED: theirs[COMPARED], RUN: ours[COMPARED]}),
        mismarked(trials),
        rules_compared(trials),
        changes(trials),
        run.verdicts,
        len(run.flags),
        int(trials["score"].isna().sum()),
    )
