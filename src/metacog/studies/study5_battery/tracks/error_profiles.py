"""H2: are failures spread over kinds of item otherwise than one ability and equal discrimination would?

Random tables with the same margins are draws from the Rasch model: one ability for each model, one difficulty
for each item, and items that discriminate equally. Errors that depart from it need not be a model's own, for
items that discriminate unequally spread the errors of one-dimensional models unevenly as well.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from metacog.forensics.margins import same_margins
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.permutation import permutation_p
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.measures.profiles import kind_in_words

#: A test is significant below this.
ALPHA = 0.05


def _errors(responses: pd.DataFrame) -> tuple[NDArray[np.bool_], NDArray[np.int64], list[str], list[str]]:
    """Errors (models x items) of the models that have all tracks, and the kind of each item."""
    subset = responses[responses["track"].isin(RETROSPECTIVE)]
    subset = subset.assign(
        place=subset["track"] + " " + subset["item"],
        kind=subset["track"] + ", " + subset["item_type"].map(kind_in_words),
    )
    table = subset.pivot(index="model", columns="place", values="correct").dropna()
    kind_of = subset.drop_duplicates("place").set_index("place")["kind"]
    kinds = sorted(set(kind_of))
    of_item = np.array([kinds.index(kind_of[place]) for place in table.columns])
    return ~table.to_numpy(dtype=bool), of_item, list(table.index), kinds


def by_kind(errors: NDArray[np.bool_], of_item: NDArray[np.int64], n_kinds: int) -> NDArray[np.int64]:
    """Errors of each model on each kind of item."""
    return np.stack([errors[:, of_item == k].sum(axis=1) for k in range(n_kinds)], axis=1)


def error_profiles(responses: pd.DataFrame, n_permutations: int, seed: int) -> tuple[pd.DataFrame, Verdict]:
    """Errors by kind of item beyond a model's ability and the items' difficulty, if items discriminate alike.

    Two statistics: the sum over models and kinds of (errors - expected)^2, which weighs kinds that many fail,
    and Pearson's, each square over its expectation, which weighs kinds that hardly any model fails. Expected
    and null come from random tables in which every model fails as many items, and every item as many models,
    as they did. The smaller p counts twice (Bonferroni).

    Returns
    -------
    DataFrame
        One row per model: ``model, errors, statistic, p`` (its own share of the sum, by the same tables),
        ``most`` (kind with the largest excess of errors), ``excess``, ``least``, ``deficit``.
    Verdict
    """
    errors, of_item, models, kinds = _errors(responses)
    observed = by_kind(errors, of_item, len(kinds)).astype(float)
    drawn = np.stack(
        [by_kind(table, of_item, len(kinds)) for table in same_margins(errors, n_permutations, seed=seed)]
    ).astype(float)
    # the observed table is one of those it is compared with, so that every one of them counts alike
    expected = (drawn.sum(axis=0) + observed) / (len(drawn) + 1)
    subset, null = ((observed - expected) ** 2).sum(axis=1), ((drawn - expected) ** 2).sum(axis=2)
    plain = permutation_p(float(subset.sum()), null.sum(axis=1), alternative="greater").p_value
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = np.where(expected > 0, 1 / expected, 0.0)
    pearson = permutation_p(
        float(((observed - expected) ** 2 * weight).sum()),
        ((drawn - expected) ** 2 * weight).sum(axis=(1, 2)),
        alternative="greater",
    ).p_value
    rows = []
    for i, model in enumerate(models):
        gap = observed[i] - expected[i]
        up, down = int(gap.argmax()), int(gap.argmin())
        rows.append(
            {
                "model": model,
                "errors": int(observed[i].sum()),
                "statistic": subset[i],
                "p": permutation_p(float(subset[i]), null[:, i], alternative="greater").p_value,
                "most": kinds[up],
                "excess": gap[up],
                "least": kinds[down],
                "deficit": gap[down],
            }
        )
    table = pd.DataFrame(rows).sort_values("p", kind="stable").reset_index(drop=True)
    return table, _verdict(table, plain, pearson, n_permutations)


def _verdict(table: pd.DataFrame, plain: float, pearson: float, n: int) -> Verdict:
    p = min(1.0, 2 * min(plain, pearson))
    return Verdict(
        "H2",
        Kind.EXPLORATORY,
        "Errors over kinds of item depart from equal discrimination: from one ability for each model and "
        "one difficulty for each item.",
        True if p < ALPHA else None,  # a test that does not reject shows nothing
        name="h2",
        values={
            "models": len(table),
            "p": p,
            "p_squares": plain,
            "p_pearson": pearson,
            "tables": n,
            "alone": int((table["p"] < ALPHA).sum()),
        },
    )
