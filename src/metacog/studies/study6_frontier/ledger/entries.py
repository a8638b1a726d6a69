"""Rows of study 6 in the ledger: the atlas's two tables of figures, and the claims of its page.

The claims of the atlas's page: what each asks of the rows, and what they answer.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.ledger.entry import Entry, Kind, Role, Settings, Status, StudyLedger, Value
from metacog.ledger.judging import Answers, claim_entries
from metacog.measures.screen import screen
from metacog.studies.study6_frontier import paper
from metacog.studies.study6_frontier.ledger.reproduction import (
    N_PERMUTATIONS,
    cells,
    printed_clustering,
    summary,
)
from metacog.studies.study6_frontier.ledger.rows import Rows, load
from metacog.studies.study6_frontier.paper import PRINTED_DOMAINS

SOURCE = "the atlas's rows"
#: A count, share or mean of the rows, and what an estimator makes of them.
recounted = partial(Value, source=SOURCE, kind=Kind.RECOUNTED)
estimated = partial(Value, source=SOURCE, kind=Kind.ESTIMATED)
#: The domains that the page calls easiest and hardest.
EASIEST, HARDEST = "Applied", ("Formal", "Science")
#: Level at which a family is said to carry the clustering.
ALPHA = 0.05


def _places() -> pd.DataFrame:
    """Place of each domain within each model, 1 for the highest area; ties share the mean place."""
    return summary()[list(PRINTED_DOMAINS)].rank(axis=1, ascending=False)


def _applied_mean(rows: Rows) -> Value:
    means = summary()[list(PRINTED_DOMAINS)].mean()
    return estimated(
        float(means[EASIEST]),
        note=listed(f"{d} {v:.3f}" for d, v in means.sort_values(ascending=False, kind="stable").items()),
    )


def _items(rows: Rows) -> Value:
    each = rows.trials.groupby("domain")["question_id"].nunique()
    note = f"{len(each)} domains with {listed(sorted({str(n) for n in each}))} items"
    return recounted(float(rows.trials["question_id"].nunique()), note=note)


def _clustering(rows: Rows) -> Value:
    made = printed_clustering()
    error = float(np.sqrt(made.p_value / N_PERMUTATIONS))
    return estimated(
        made.p_value,
        note=f"mean r within families {made.within:.3f}, between {made.between:.3f}; {N_PERMUTATIONS:,} permutations, "
        f"Monte-Carlo error {error:.1g}",
    )


def _carried(rows: Rows) -> Value:
    table = printed_clustering().families
    names = set(_named_families())
    carry = set(table.loc[table["p"] < ALPHA, "family"])
    note = listed(
        f"{r['family']} {r['p']:.3f} ({r['p_holm']:.3f}; {r['p_within']:.3f})"
        for r in table.to_dict("records")
    )
    stand = listed(table.loc[table["p_holm"] < ALPHA, "family"])
    return estimated(
        float(carry == names),
        note=f"families with p below {ALPHA}, within less between, before adjusting; after Holm: {stand}. p of each "
        f"(after Holm; of the likeness within alone): {note}",
    )


def _named_families() -> list[str]:
    """The families that the page names, without the maker's name before them."""
    listed_there = str(paper.PUBLISHED.row("text_claims", id="family_carried_by").value)
    return [name.strip().removeprefix("Google-") for name in listed_there.split(";")]


def _gain(rows: Rows) -> Value:
    areas = summary()["aggregate"]
    return estimated(float(areas["Gemma 4 31B"] - areas["Gemma 3 27B"]))


def _valid_when_stated(rows: Rows) -> Value:
    tiers = paper.as_text("binary_tiers")
    invalid = tiers.loc[tiers["tier"] == "Invalid", "model"]
    made = screen(rows.trials[rows.trials["model"].isin(invalid)], confidence="score")
    each = listed(f"{r['model']} {r['tier']}" for r in made.to_dict("records"))
    return recounted(
        float((made["tier"] == "valid").sum()),
        note=f"{each}: the protocol's tier of the stated confidences, cut at each model's median; that of the binary "
        "probes as the author prints it",
    )


def _families(rows: Rows) -> Value:
    families = sorted(rows.trials["family"].unique())
    makers = paper.as_text("models")["model"].str.split("/").str[0].nunique()
    return recounted(float(len(families)), note=f"{listed(families)}; from {makers} makers")


ANSWERS: Answers = {
    "observations": lambda rows: recounted(float(len(rows.trials)), note=f"after dropping {rows.copied}"),
    "models": lambda rows: recounted(float(rows.trials["model"].nunique())),
    "items": _items,
    "applied_mean": _applied_mean,
    "applied_top2": lambda rows: estimated(float((_places()[EASIEST] <= 2).sum())),
    "hard_bottom2": lambda rows: estimated(float((_places()[list(HARDEST)] >= 5).any(axis=1).sum())),
    "family_clustering": _clustering,
    "family_carried_by": _carried,
    "gemma_gain": _gain,
    "invalid_to_valid": _valid_when_stated,
    "families": _families,
}


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
        for row in paper.as_text("summary").to_dict("records")
        for column, (name, counted, role) in COLUMNS.items()
    ]


def _cells() -> list[Entry]:
    ours, rows = cells(), []
    digits = {
        column: paper.PUBLISHED.precision("domain_auroc", column) for column in ("auroc", "lower", "upper")
    }
    for row in paper.as_text("domain_auroc").to_dict("records"):
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
    return claim_entries(paper.claims(), ANSWERS, load(), study=STUDY, table=TEXT)


LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, ROUNDED, WIDTH))
