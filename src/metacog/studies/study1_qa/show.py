"""What the chapters of study 1 show in the same way: verdicts, names of models, tables beside each other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from pandas.io.formats.style import Styler

from metacog.report.show import table, verdict
from metacog.studies.study1_qa.beside import Beside
from metacog.studies.study1_qa.verdicts import Verdict

#: Column titles for readers.
TITLES = {
    "model": "Model", "dataset": "Questions", "domain": "Domain", "temperature": "T", "source": "Source",
    "accuracy": "Accuracy", "d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio", "c": "c",
    "ci_lo": "95 % from", "ci_hi": "to", "below_one": "Below 1", "flag": "Flag", "n": "Answers",
    "n_correct": "Correct", "n_incorrect": "Incorrect", "n_dropped": "Empty", "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r", "meta_i2r_permutation": "meta-I2r (permutation)",
    "difference": "Difference", "lo": "95 % from", "hi": "to", "p": "p",
    "p_holm": "p (Holm)", "scheme": "Resampled", "width": "Width", "check": "Check", "variant": "Variant",
    "rank": "Rank", "s": "s", "coverage": "Coverage", "gain": "Gain", "zroc_slope": "z-ROC slope",
    "d_a": "d_a", "r2": "R²", "monotone": "Rises", "enough": "Enough", "printed": "Printed",
    "meta_d_range": "Range of meta-d'", "rho_meta_d_T": "rho(meta-d', T)", "rho_d_prime_T": "rho(d', T)",
    "tost_pass": "Range below 0.3", "relative_robust": "rho rule", "smallest_bound": "Smallest bound",
    "tost_p": "TOST p", "equivalent": "Equivalent", "overlap": "Overlap", "d_similar": "d' similar",
    "d_difference": "d' difference", "model_a": "Model A", "model_b": "Model B", "domain_a": "Domain A",
    "domain_b": "Domain B", "measure": "Measure", "instruct": "Instruct", "base": "Base",
    "auroc2_lo": "95 % from", "auroc2_hi": "to", "meta_i2r_lo": "95 % from", "meta_i2r_hi": "to",
    "acc": "Accuracy", "mi_lo": "95 % from", "mi_hi": "to", "p_perm": "p (perm.)",
    "mean_rating": "Mean rating", "n_shared": "Shared questions",
    "d_prime_lo": "95 % from", "d_prime_hi": "to", "paired": "Difference", "paired_lo": "95 % from",
    "paired_hi": "to", "d_lo": "d' difference from", "d_hi": "to", "m_ratio_matched": "Matched M-ratio",
    "auroc2_matched": "Matched AUROC2",
    "meta_i2r_chi_square_matched": "Matched meta-I2r (chi-square)", "n_matched": "Kept",
    "matched_difference": "Matched difference", "auroc2_ratings": "AUROC2 of ratings",
    "auroc2_rank": "AUROC2 rank", "m_ratio_rank": "M-ratio rank", "meta_i2r_rank": "meta-I2r rank",
    "low_criterion_change": "Low side", "low_criterion_change_lo": "95 % from",
    "low_criterion_change_hi": "to", "high_criterion_change": "High side",
    "high_criterion_change_lo": "95 % from", "high_criterion_change_hi": "to",
    "mean_tokens": "Mean tokens", "truncated": "Cut off", "refusal": "Refused", "empty": "Empty",
    "exact": "Exact", "similar": "Similar", "none": "None", "q1": "Lowest quarter", "q2": "2nd", "q3": "3rd",
    "q4": "Highest", "n_smallest": "Smallest quarter", "share_best": "Best likelier", "best_lo": "95 % from",
    "best_hi": "to", "share_key": "First likelier", "key_lo": "95 % from", "key_hi": "to",
    "share_sum": "Whole likelier", "sum_lo": "95 % from", "sum_hi": "to", "median_gap": "Median gap",
    "aliases_scored": "Answers scored", "rescoring_gap": "Rescoring", "pair": "Measures", "rho": "rho",
    "p_exact": "Exact p", "n_models": "Models", "smallest_p": "Smallest p", "ratings_per_side": "K",
    "cell": "Where", "value": "Value", "limit": "Limit",
}  # fmt: skip


_BOOL = (bool, np.bool_)
_ANSWERS = {True: "yes", False: "no", None: "-"}

#: Decimals of columns that do not take the table's own.
_DIGITS = {
    "temperature": 1, "mean_tokens": 1, "aliases_scored": 1, "p": 4, "p_holm": 4, "p_perm": 4, "tost_p": 4,
    "rank": 1, "auroc2_rank": 1, "m_ratio_rank": 1, "meta_i2r_rank": 1,
}  # fmt: skip


def show_verdicts(verdicts: Iterable[Verdict | None]) -> None:
    """Show each verdict with its kind; say so where a run draws none."""
    shown = [v for v in verdicts if v is not None]
    for one in shown:
        kind = one.kind[0].upper() + one.kind[1:]
        verdict(f"**{kind}.** {one.sentence}", passed=one.passed)
    if not shown:
        display(
            Markdown(":::{note}\nThis run is too small for a verdict; the numbers show the path only.\n:::")
        )


def show_rule(one_of: Iterable[Verdict] | str) -> None:
    """Show a rule as a quotation."""
    rules = [one_of] if isinstance(one_of, str) else [v.rule for v in one_of]
    display(Markdown("\n".join(f"> {rule}\n" for rule in rules)))


def titled(
    frame: pd.DataFrame, columns: Iterable[str] | None = None, *, digits: int = 3, caption: str = ""
) -> Styler:
    """A table with readers' column titles; repeated titles get their column's place."""
    kept = frame if columns is None else frame[[c for c in columns if c in frame.columns]]
    if "flag" in kept.columns and not kept["flag"].fillna("").astype(bool).any():
        kept = kept.drop(columns="flag")
    kept = kept.copy()
    for column in kept.columns:
        if (
            kept[column].dtype == object
            and kept[column].map(lambda v: v is None or isinstance(v, _BOOL)).all()
        ):
            kept[column] = [_ANSWERS[None if v is None else bool(v)] for v in kept[column]]
    labels: dict[str, str] = {}
    seen: set[str] = set()
    for column in map(str, kept.columns):
        title = TITLES.get(column, column.replace("_", " "))
        while title in seen:  # invisible, so that two intervals can both read "to"
            title += "\u200b"
        seen.add(title)
        labels[column] = title
    places = {c: _DIGITS.get(c, digits) for c in map(str, kept.columns)}
    return table(kept.reset_index(drop=True), digits=places, caption=caption, labels=labels)


def show_beside(beside: Beside, *, digits: int = 3) -> None:
    """Table and verdict of a comparison with the published numbers."""
    display(titled(beside.table, digits=digits))
    if beside.verdict is not None:
        show_verdicts([beside.verdict])
