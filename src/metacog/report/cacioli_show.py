"""What the chapters of study 1 show in the same way: verdicts, names of models, tables beside each other."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd
from IPython.display import Markdown, display
from pandas.io.formats.style import Styler

from metacog.report.show import table, verdict
from metacog.studies.cacioli.beside import Beside
from metacog.studies.cacioli.verdicts import Verdict

#: Column titles for readers.
TITLES = {
    "model": "Model", "dataset": "Questions", "domain": "Domain", "temperature": "T", "source": "Source",
    "accuracy": "Accuracy", "d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio", "c": "c",
    "ci_lo": "95 % from", "ci_hi": "to", "below_one": "Below 1", "flag": "Flag", "n": "Answers",
    "n_correct": "Correct", "n_incorrect": "Incorrect", "n_dropped": "Empty", "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r", "difference": "Difference", "lo": "95 % from", "hi": "to", "p": "p",
    "p_holm": "p (Holm)", "scheme": "Resampled", "width": "Width", "check": "Check", "variant": "Variant",
    "rank": "Rank", "s": "s", "coverage": "Coverage", "gain": "Gain", "zroc_slope": "z-ROC slope",
    "d_a": "d_a", "r2": "R²", "monotone": "Rises", "enough": "Enough", "printed": "Printed",
    "meta_d_range": "Range of meta-d'", "rho_meta_d_T": "rho(meta-d', T)", "rho_d_prime_T": "rho(d', T)",
    "tost_pass": "Range < 0.3", "relative_robust": "rho rule", "smallest_bound": "Smallest bound",
    "tost_p": "TOST p", "equivalent": "Equivalent", "overlap": "Overlap", "d_similar": "d' similar",
    "d_difference": "d' difference", "model_a": "Model A", "model_b": "Model B", "domain_a": "Domain A",
    "domain_b": "Domain B", "measure": "Measure", "instruct": "Instruct", "base": "Base",
    "acc": "Accuracy", "mi_lo": "95 % from", "mi_hi": "to", "p_perm": "p (perm.)",
    "mean_rating": "Mean rating", "n_shared": "Shared questions",
}  # fmt: skip


_BOOL = (bool, np.bool_)
_ANSWERS = {True: "yes", False: "no", None: "-"}


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
    return table(kept.reset_index(drop=True), digits=digits, caption=caption, labels=labels)


def show_beside(beside: Beside, *, digits: int = 3) -> None:
    """Table and verdict of a comparison with the published numbers."""
    display(titled(beside.table, digits=digits))
    if beside.verdict is not None:
        show_verdicts([beside.verdict])
