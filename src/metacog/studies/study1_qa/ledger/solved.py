"""The eight count tables, solved again from the figures that the paper printed.

``cacioli_counts_T1.csv`` is no printed table. Its counts are what
:func:`metacog.forensics.solving.correct_by_rating` finds from the figures of :data:`INPUTS`, under the
assumption that the eight ratings are equally filled. Whatever a row of the ledger compares with one of
these figures is therefore no test; see :mod:`.ledger_roles`.
"""

from __future__ import annotations

from metacog.forensics.solving import Summaries
from metacog.ledger.tolerances import half_last_digit
from metacog.studies.study1_qa.ledger import published

#: The printed figures that go into the solving, by table.
INPUTS: dict[str, tuple[str, ...]] = {
    "v2_aggregate": ("acc", "n", "auroc2", "meta_i2r", "null_mean"),
    "v1_table5_monotonicity": ("q1", "q2", "q3", "q4"),
}


def published_summaries() -> dict[tuple[str, str], Summaries]:
    """The printed figures that each count table is solved from, by model and question set."""
    quarters = published.as_numbers("v1_table5_monotonicity").set_index(["model", "dataset"])
    names = list(INPUTS["v1_table5_monotonicity"])
    printed = [f.text for f in published.figures("v1_table5_monotonicity")]
    digit = min(half_last_digit(text) for text in printed)  # files of figures drop trailing zeros
    found = {}
    for row in published.as_numbers("v2_aggregate").to_dict("records"):
        key = (row["model"], row["dataset"])
        found[key] = Summaries(
            n=int(row["n"]),
            accuracy=row["acc"],
            auroc2=row["auroc2"],
            plugin_meta_i2r=row["meta_i2r"] + row["null_mean"],
            quarters=tuple(float(quarters[name][key]) for name in names),
            half_digit=digit,
        )
    return found
