"""Rows of study 6 in the ledger: the atlas's two tables of figures beside ours, and the claims of its page."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.ledger.claims import Answers, claim_entries
from metacog.ledger.entry import Kind, Role, Settings, Status, StudyLedger, Value, entries_of
from metacog.measures.screen import screen
from metacog.studies.study6_frontier import paper
from metacog.studies.study6_frontier.ledger.reproduction import (
    ALL,
    N_PERMUTATIONS,
    cells,
    printed_clustering,
    summary,
)
from metacog.studies.study6_frontier.ledger.rows import Rows, load
from metacog.studies.study6_frontier.paper import PRINTED_DOMAINS

STUDY, SOURCE = "the frontier", "the atlas's rows"
SUMMARY, CELLS, TEXT = "study 6, models", "study 6, models by domain", "study 6, text"
#: Precision of the full-precision table: sums of products of counts.
FULL = 1e-9
#: Fewer wrong answers are too few for an interval.
FEWEST_WRONG = 10

FOLLOWS = Role(Status.REPEAT, "means and spreads over domains", "follows from the six areas of the same row")
ROUNDED = Role(
    Status.REPEAT, "areas of the table by domain", "is the other table's area, rounded to four digits"
)
WIDTH = Role(Status.REPEAT, "widths of intervals", "is the difference of both ends of the same row")
DRAWN_AGAIN = "the printed bootstrap drawn again: its generator, its seed and its order of models and domains"

#: Printed columns: what readers call them, and why they could not fail. The first two of the summary are recounted.
OF_SUMMARY = {
    "n": ("answers", None),
    "acc": ("accuracy", None),
    "aggregate": ("AUROC2", None),
    **{domain: (f"AUROC2, {domain.rstrip('.')}", None) for domain in PRINTED_DOMAINS},
    "mean_dom": ("mean of the domains", FOLLOWS),
    "sd_dom": ("spread over the domains", FOLLOWS),
}
OF_CELLS = {
    "n": ("answers", None),
    "auroc": ("AUROC2", ROUNDED),
    "lower": ("lower end", None),
    "upper": ("upper end", None),
    "ci_w": ("width", WIDTH),
}


def entries(settings: Settings) -> pd.DataFrame:
    """Every row of study 6."""
    figures = pd.concat([summary_rows(), cell_rows()])
    text = claim_entries(paper.claims(), ANSWERS, load(), study=STUDY, table=TEXT)
    return pd.concat([entries_of(figures, STUDY), text])


def joined(
    printed: pd.DataFrame, ours: pd.DataFrame, columns: dict[str, tuple[str, Role | None]]
) -> pd.DataFrame:
    """Printed figures with ours, one row a figure: ``published, value`` and what is said of its column."""
    figures, values = (table[list(columns)].stack() for table in (printed, ours.astype({"n": float})))
    rows = pd.DataFrame({"published": figures, "value": values.reindex(figures.index)})
    rows = rows.rename_axis([*printed.index.names, "column"]).reset_index()
    return rows.assign(
        quantity=rows["column"].map({name: words for name, (words, _) in columns.items()}),
        role=rows["column"].map({name: role for name, (_, role) in columns.items()}),
        kind=np.where(rows["column"].isin(("n", "acc")), Kind.RECOUNTED, Kind.ESTIMATED),
        in_words=rows["column"] == "n",
        source=SOURCE,
    )


def summary_rows() -> pd.DataFrame:
    """The table of models."""
    rows = joined(paper.as_text("summary").set_index("model"), summary(), OF_SUMMARY)
    precision = np.where(rows["in_words"], np.nan, FULL)
    return (
        rows.rename(columns={"model": "item"})
        .drop(columns="column")
        .assign(table=SUMMARY, precision=precision)
    )


def cell_rows() -> pd.DataFrame:
    """The table of models by domain."""
    ours = cells()
    rows = joined(paper.as_text("domain_auroc").set_index(["model", "domain"]), ours, OF_CELLS)
    digits = {name: paper.PUBLISHED.precision("domain_auroc", name) for name in ("auroc", "lower", "upper")}
    digits["ci_w"] = digits["lower"]
    wrong = ours["n_wrong"].reindex(pd.MultiIndex.from_frame(rows[["model", "domain"]])).to_numpy()
    few = [
        f"{n:.0f} wrong answers: too few for an interval" if n < FEWEST_WRONG else DRAWN_AGAIN for n in wrong
    ]
    return rows.assign(
        table=CELLS,
        item=rows["model"] + ", " + rows["domain"].str.rstrip("."),
        precision=rows["column"].map(digits),
        note=np.where(rows["column"].isin(("lower", "upper")), few, ""),
    ).drop(columns=["model", "domain", "column"])


# The claims of the atlas's page: what each asks of the rows, and what they answer.

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
    within, between, p = map(float, printed_clustering().iloc[0][["within", "between", "p"]])
    error = float(np.sqrt(p / N_PERMUTATIONS))
    return estimated(
        p,
        note=f"mean r within families {within:.3f}, between {between:.3f}; {N_PERMUTATIONS:,} permutations, "
        f"Monte-Carlo error {error:.1g}",
    )


def _carried(rows: Rows) -> Value:
    """Whether the families that carry the clustering are those that the page names, without the maker's name."""
    table = printed_clustering()
    table = table[table["family"] != ALL]
    printed = str(paper.PUBLISHED.row("text_claims", id="family_carried_by").value).split(";")
    carry = set(table.loc[table["p"] < ALPHA, "family"])
    each = [f"{r.family} {r.p:.3f} ({r.p_holm:.3f}; {r.p_within:.3f})" for r in table.itertuples()]
    stand = listed(table.loc[table["p_holm"] < ALPHA, "family"])
    return estimated(
        float(carry == {name.strip().removeprefix("Google-") for name in printed}),
        note=f"families with p below {ALPHA}, within less between, before adjusting; after Holm: {stand}. p of each "
        f"(after Holm; of the likeness within alone): {listed(each)}",
    )


def _gain(rows: Rows) -> Value:
    areas = summary()["aggregate"]
    return estimated(float(areas["Gemma 4 31B"] - areas["Gemma 3 27B"]))


def _valid_when_stated(rows: Rows) -> Value:
    tiers = paper.as_text("binary_tiers")
    invalid = tiers.loc[tiers["tier"] == "Invalid", "model"]
    made = screen(rows.trials[rows.trials["model"].isin(invalid)], confidence="score")
    return recounted(
        float((made["tier"] == "valid").sum()),
        note=f"{listed(made['model'] + ' ' + made['tier'])}: the protocol's tier of the stated confidences, cut at "
        "each model's median; that of the binary probes as the author prints it",
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

LEDGER = StudyLedger(STUDY, entries, roles=(FOLLOWS, ROUNDED, WIDTH))
