"""Rows of study 6 in the ledger: the atlas's two tables of figures, and the claims of its page."""

from __future__ import annotations

from metacog.ledger.claims import claim_entries
from metacog.ledger.entry import Entry, Role, Settings, Status, StudyLedger
from metacog.studies.study6_frontier.ledger import published
from metacog.studies.study6_frontier.ledger.claims import ANSWERS, estimated, recounted
from metacog.studies.study6_frontier.ledger.published import PRINTED_DOMAINS
from metacog.studies.study6_frontier.ledger.reproduction import cells, summary
from metacog.studies.study6_frontier.ledger.rows import load

STUDY = "the frontier"
SUMMARY, CELLS, TEXT = "study 6, models", "study 6, models by domain", "study 6, text"
#: Precision of the full-precision table: sums of products of counts.
FULL = 1e-9

FOLLOWS = Role(Status.REPEAT, "means and spreads over domains", "follows from the six areas of the same row")
ROUNDED = Role(
    Status.REPEAT, "areas of the table by domain", "is the other table's area, rounded to four digits"
)
WIDTH = Role(Status.REPEAT, "widths of intervals", "is the difference of both ends of the same row")
DRAWN_AGAIN = "the printed bootstrap drawn again: its generator, its seed and its order of models and domains"

#: Columns of the summary: what readers call them, whether they are recounted, and their role.
COLUMNS = {
    "n": ("answers", True, None),
    "acc": ("accuracy", True, None),
    "aggregate": ("AUROC2", False, None),
    **{domain: (f"AUROC2, {domain.rstrip('.')}", False, None) for domain in PRINTED_DOMAINS},
    "mean_dom": ("mean of the domains", False, FOLLOWS),
    "sd_dom": ("spread over the domains", False, FOLLOWS),
}


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 6."""
    return [*_summary(), *_cells(), *_text()]


def _summary() -> list[Entry]:
    ours = summary()
    return [
        Entry(
            STUDY,
            SUMMARY,
            row["model"],
            name,
            row[column],
            (recounted if counted else estimated)(float(ours.loc[row["model"], column])),
            precision=None if column == "n" else FULL,
            in_words=column == "n",
            role=role,
        )
        for row in published.as_text("summary").to_dict("records")
        for column, (name, counted, role) in COLUMNS.items()
    ]


def _cells() -> list[Entry]:
    ours, rows = cells(), []
    digits = {
        column: published.PUBLISHED.precision("domain_auroc", column)
        for column in ("auroc", "lower", "upper")
    }
    for row in published.as_text("domain_auroc").to_dict("records"):
        made = ours.loc[(row["model"], row["domain"])]
        few = f"{made['n_wrong']:.0f} wrong answers: too few for an interval" if made["n_wrong"] < 10 else ""
        for column, name, value, role in (
            ("n", "answers", recounted(float(made["n"])), None),
            ("auroc", "AUROC2", estimated(float(made["auroc"])), ROUNDED),
            ("lower", "lower end", estimated(float(made["lower"]), note=few or DRAWN_AGAIN), None),
            ("upper", "upper end", estimated(float(made["upper"]), note=few or DRAWN_AGAIN), None),
            ("ci_w", "width", estimated(float(made["width"])), WIDTH),
        ):
            rows.append(
                Entry(
                    STUDY,
                    CELLS,
                    f"{row['model']}, {row['domain'].rstrip('.')}",
                    name,
                    row[column],
                    value,
                    precision=digits.get(column, digits["lower"]) if column != "n" else None,
                    in_words=column == "n",
                    role=role,
                )
            )
    return rows


def _text() -> list[Entry]:
    return claim_entries(published.claims(), ANSWERS, load(), study=STUDY, table=TEXT)


LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, ROUNDED, WIDTH))
