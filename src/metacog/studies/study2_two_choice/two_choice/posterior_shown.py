"""How the posteriors of the published tables are shown: tables, figures and sentences."""

from __future__ import annotations

from typing import Any

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.posterior import (
    forest_of,
    group_columns,
    posterior_columns,
    predictive_columns,
    predictive_of,
    sampling_columns,
)
from metacog.report.posterior_words import predictive_sentence, sampling_sentence, with_reasons
from metacog.report.tables import Schema, columns_of, count, limits, number
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.columns import MODEL, TASK, ratio_tables, rows_with
from metacog.studies.study2_two_choice.cells.comparisons import ROPE
from metacog.studies.study2_two_choice.cells.sentences import below_one, place
from metacog.studies.study2_two_choice.published_claims.shown import VERDICTS, agreement
from metacog.studies.study2_two_choice.two_choice.posterior import Group, Posterior
from metacog.studies.study2_two_choice.two_choice.posteriors import FIGURES

MEASURES = {"d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio"}
CELL = (TASK, MODEL)


def _three(measure: str, title: str) -> Schema:
    """Maximum likelihood, posterior and published figure of one measure."""
    kinds = (("bayes", "Posterior"), ("published", "Published"))
    figures = [(number(k, "mean", 3, name), *limits(f"{k}_lower", f"{k}_upper", name)) for k, name in kinds]
    return Schema(
        "compared",
        columns_of(
            TASK,
            MODEL,
            number("ml", "Maximum likelihood"),
            *figures,
            number("off", "mean", 4, "Posterior minus published"),
            number("off_ends", "ends, at most", 4, "Posterior minus published"),
            count("matches", "Match, of mean and ends"),
        ),
        f"{title} by maximum likelihood, by the posterior and as published, the latter with 95 % intervals.",
        pick=rows_with("measure", measure),
    )


TABLES = {
    "cells": Schema(
        "cells",
        posterior_columns(CELL),
        "Posterior means and 95 % intervals. Against 1: log M-ratio compared with 0 and the ROPE of 0.05.",
        pick=with_reasons,
    ),
    "sampling": Schema("cells", sampling_columns(CELL), "How well each cell was sampled."),
    "d_prime": _three("d_prime", "d'"),
    "meta_d": _three("meta_d", "meta-d'"),
    "m_ratio": _three("m_ratio", "M-ratio"),
    **ratio_tables("Posterior of log M-ratio"),
    "verdicts": Schema(
        "published_verdicts", VERDICTS, "Verdicts of M-ratio, published and by the posterior."
    ),
    "predictive": Schema(
        "predictive",
        predictive_columns(CELL),
        "Ratings that the fitted model predicts, and those observed: shares of right and of wrong answers "
        "with at least each confidence, over both responses and each.",
    ),
}
GROUP_TABLES = {
    "groups": Schema(
        "groups", group_columns(), "The hierarchical model: three models as a group, on each task."
    ),
    "cells": Schema(
        "cells",
        columns_of(
            CELL,
            number("m_ratio", "M-ratio", 2),
            limits("m_ratio_lower", "m_ratio_upper", digits=2),
        ),
        "Each cell's M-ratio under the hierarchical model, drawn towards its group.",
    ),
}


def figures_reproduced(result: Posterior) -> str:
    """How many published figures the ledger calls a match, in which cells all, and how far off those are."""
    both = result.compared
    whole = both.groupby(["task", "name"], sort=False)["reproduced"].transform("all")
    kept, rest = both[whole], both[~whole].drop_duplicates(["task", "name"])
    n_cells = len(both) // len(MEASURES)
    sentence = (
        f"Of {plural(FIGURES * len(both), 'published figure')} {int(both['matches'].sum())} match as the "
        "ledger judges them: by the last published digit and the Monte-Carlo errors of both sides, the "
        f"paper's from chains like its own. In {n_cells - len(rest)} of {n_cells} cells all means and ends "
        "of d', meta-d' and M-ratio do"
    )
    if len(kept):
        sentence += (
            f": there the furthest mean is {kept['off'].abs().max():.4f} off and the furthest end "
            f"{kept['off_ends'].max():.4f}"
        )
    return sentence + (f". Not so {listed(map(place, rows_of(rest)))}." if len(rest) else ".")


def likelihood(result: Posterior) -> str:
    """How far posterior means lie from maximum likelihood, in halves of the posterior's interval."""
    both = result.compared
    shift = ((both["bayes"] - both["ml"]) / ((both["bayes_upper"] - both["bayes_lower"]) / 2)).abs()
    row = rows_of(both)[int(shift.to_numpy().argmax())]
    return (
        f"Posterior means and maximum likelihood differ by at most {shift.max():.2f} of half an interval: "
        f"{MEASURES[row.measure]} of {place(row)}, {row.bayes:.3f} and {row.ml:.3f}. The fits differ in "
        "their assumptions: maximum likelihood scales the criterion by meta-d'/d', the posterior does not, "
        "and it has priors."
    )


def unexplained(result: Posterior) -> str:
    """For each cell whose published d' is not reproduced: what the counts give, and what of it agrees."""
    if result.evidence.empty:
        return "Every published d' follows from the published counts."
    return " ".join(
        f"The published d' of {place(row)} is not that of its published counts: {row.published:.4f} is printed, "
        f"{row.d_prime:.4f} follows. The posterior mean is {row.bayes:.4f}, and the published interval reaches from "
        f"{row.published_lower:.3f} to {row.published_upper:.3f}. Of {plural(row.draws, 'draw')} "
        f"{row.extreme:,} are as extreme as the published mean. For it {row.different:,.0f} of "
        f"{row.answers:,} answers would have to be different. In the published row meta-d' over d' is "
        f"{row.ratio:.3f} and M-ratio {row.m_ratio:.3f}, and its meta-d' {row.meta_d:.3f} lies "
        f"{'inside' if row.meta_d_inside else 'outside'} our interval. Chains like the paper's give "
        f"{row.chains:.4f} on average, {_sampler(row)}"
        for row in rows_of(result.evidence)
    )


def _sampler(row: Any) -> str:
    if row.too_short:
        return (
            f"{100 * row.share:.0f} % of the way from the posterior mean to the published one: they are too "
            "short to forget where they began, which may be the reason."
        )
    return "so the sampler is not the reason; from which counts it was computed cannot be determined here."


def verdicts_agreement(result: Posterior) -> str:
    """How many published verdicts on the M-ratio are reproduced by the posterior."""
    return agreement(result.published_verdicts, "M-ratio, by the posterior")


def group_m_ratio(result: Group) -> str:
    """The group's M-ratio on each task, by the hierarchical model."""
    groups = rows_of(result.groups)
    parts = [
        f"{g.m_ratio:.2f} on task {g.condition} ({g.m_ratio_lower:.2f} to {g.m_ratio_upper:.2f}, "
        f"*{g.decision}*)"
        for g in groups
    ]
    one = groups[0]
    below = sum(g.log_m_ratio_upper < 0 for g in groups)
    first = (
        f"On {below} of {plural(len(groups), 'task')} the group's M-ratio is shown to lie below 1."
        if result.sampling.sound
        else "The group's M-ratio is not to be relied on, because the sampling is not sound."
    )
    return (
        f"{first} It is {listed(parts)}. Models spread in log M-ratio by {one.tau:.2f} ({one.tau_lower:.2f} to "
        f"{one.tau_upper:.2f}, standard deviation of what a model shares over all tasks), and a model's own varies "
        f"from task to task by {one.sigma:.2f} ({one.sigma_lower:.2f} to {one.sigma_upper:.2f}) beyond that. A group "
        f"of {plural(int(one.tables), 'model')} says little about models that are not in it."
    )


VIEWS = (
    Views(
        "posterior",
        tables=TABLES,
        figures={
            "forest": forest_of(
                "cells", ("task", "name"), name="fig-study2-posterior", colour="name", rope=ROPE["m_ratio"]
            ),
            "predictive": predictive_of("points", ("task", "name"), name="fig-study2-predictive"),
        },
        sentences={
            "sampling_quality": lambda result: sampling_sentence(result.sampling),
            "figures_reproduced": figures_reproduced,
            "likelihood": likelihood,
            "unexplained": unexplained,
            "optimality": lambda result: below_one(result.ratios),
            "verdicts_agreement": verdicts_agreement,
            "prediction": lambda result: predictive_sentence(result.predictive),
        },
    ),
    Views(
        "posterior_group",
        tables=GROUP_TABLES,
        sentences={
            "sampling_quality": lambda result: sampling_sentence(result.sampling),
            "group_m_ratio": group_m_ratio,
        },
    ),
)
