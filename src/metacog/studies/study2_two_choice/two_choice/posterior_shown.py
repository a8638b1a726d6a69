"""What the posteriors of the published tables say, in words."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.posterior_words import predictive_sentence
from metacog.report.views import Views
from metacog.studies.study2_two_choice.cells.sentences import place
from metacog.studies.study2_two_choice.published_claims.shown import agreement
from metacog.studies.study2_two_choice.two_choice.posterior import Group, Posterior
from metacog.studies.study2_two_choice.two_choice.posteriors import FIGURES

#: What may explain a published figure that does not follow.
SHORT = "; chains like the paper's are too short to forget where they began, which may be the reason"


def figures_reproduced(result: Posterior) -> str:
    """How many published figures the ledger calls a match."""
    both = result.compared
    return (
        f"Of {plural(FIGURES * len(both), 'published figure')} {int(both['matches'].sum())} match as the ledger judges "
        "them: by the last published digit and the Monte-Carlo errors of both sides."
    )


def unexplained(result: Posterior) -> str:
    """For each cell whose published d' is not reproduced: what is printed, and what the counts give."""
    if result.evidence.empty:
        return "Every published d' follows from the published counts."
    return " ".join(
        f"The published d' of {place(row)} does not follow from its counts: {row.published:.4f} is printed, "
        f"{row.d_prime:.4f} follows{SHORT if row.too_short else ''}."
        for row in rows_of(result.evidence)
    )


def verdicts_agreement(result: Posterior) -> str:
    """How many published verdicts on the M-ratio are reproduced by the posterior."""
    return agreement(result.published_verdicts, "M-ratio, by the posterior")


def group_m_ratio(result: Group) -> str:
    """The group's M-ratio on each task, by the hierarchical model."""
    if not result.sampling.sound:
        return "The group's M-ratio is not to be relied on, because the sampling is not sound."
    groups = rows_of(result.groups)
    parts = [
        f"{g.m_ratio:.2f} on task {g.condition} ({g.m_ratio_lower:.2f} to {g.m_ratio_upper:.2f})"
        for g in groups
    ]
    return f"Taken as a group, {plural(int(groups[0].tables), 'model')} have an M-ratio of {listed(parts)}."


VIEWS = (
    Views(
        "posterior",
        sentences={
            "figures_reproduced": figures_reproduced,
            "unexplained": unexplained,
            "verdicts_agreement": verdicts_agreement,
            "prediction": lambda result: predictive_sentence(result.predictive),
        },
    ),
    Views("posterior_group", sentences={"group_m_ratio": group_m_ratio}),
)
