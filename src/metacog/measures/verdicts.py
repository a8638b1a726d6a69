"""Sentences computed from a table of measures; nothing is said that its numbers do not say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd


@dataclass(frozen=True)
class Sentence:
    """One computed finding.

    Attributes
    ----------
    text : str
    passed : bool or None
        True or False where a question was asked of the data; None where it is only a remark.
    """

    text: str
    passed: bool | None


def interval(row: pd.Series, name: str, digits: int = 3) -> str:
    """``0.712 [0.690, 0.734]``, or the estimate alone where there is no interval."""
    lower, upper = row.get(f"{name}_lower", np.nan), row.get(f"{name}_upper", np.nan)
    text = f"{row[name]:.{digits}f}"
    return text if not np.isfinite(lower) else f"{text} [{lower:.{digits}f}, {upper:.{digits}f}]"


def _known(row: pd.Series, name: str) -> bool:
    return name in row.index and pd.notna(row[name]) and pd.notna(row.get(f"{name}_lower", np.nan))


def model_sentences(row: pd.Series) -> list[Sentence]:
    """Findings about one model, from its row of :func:`metacog.measures.table.measure_table`."""
    name, n = row["model"], int(row["n_trials"])
    accuracy = interval(row, "accuracy") if pd.notna(row["accuracy"]) else "-"
    found = [Sentence(f"**{name}** answered {n:,} trials, {accuracy} of them right.", None)]
    if not _known(row, "auroc2"):
        why = row["flag"] or "there are too few units to resample"
        return [*found, Sentence(f"No verdict on {name}'s metacognition: {why}.", None)]
    if row["flag"]:
        found.append(Sentence(f"Read {name}'s intervals with care: {row['flag']}.", None))
    found.append(_auroc2(row, name))
    share = max(0.0, 100 * row["meta_i2r"])
    informative = bool(row["meta_i2r_lower"] > 0)
    found.append(
        Sentence(
            f"{name}'s ratings take away {share:.1f} % of the uncertainty about whether an answer is right "
            f"(meta-I2r {interval(row, 'meta_i2r')}): "
            + ("more than nothing." if informative else "not told from nothing (0 lies in the interval)."),
            informative,
        )
    )
    if _known(row, "overconfidence"):
        found.append(_calibration(row, name))
    if _known(row, "accuracy_at_half"):
        gain = 100 * (row["accuracy_at_half"] - row["accuracy"])
        found.append(
            Sentence(
                f"Answering only the half of which {name} is surest changes accuracy by {gain:+.1f} points, "
                f"to {interval(row, 'accuracy_at_half')}.",
                None,
            )
        )
    if _known(row, "m_ratio"):
        found.append(_m_ratio(row, name))
    return found


def _auroc2(row: pd.Series, name: str) -> Sentence:
    area = interval(row, "auroc2")
    text = f"{name}'s confidence ranks a right answer above a wrong one with probability {area}"
    if row["auroc2_lower"] > 0.5:
        return Sentence(text + ": better than chance (AUROC2 above 0.5).", True)
    if row["auroc2_upper"] < 0.5:
        return Sentence(text + ": worse than chance, so it is surer when it is wrong.", False)
    return Sentence(text + ": not told from chance (0.5 lies in the interval).", False)


def _calibration(row: pd.Series, name: str) -> Sentence:
    size, shown = abs(row["overconfidence"]), interval(row, "overconfidence")
    calibration = f"ECE {row['ece']:.3f}, Brier score {row['brier']:.3f}"
    if row["overconfidence_lower"] > 0:
        return Sentence(f"{name} is overconfident by {size:.3f} on average ({shown}); {calibration}.", None)
    if row["overconfidence_upper"] < 0:
        return Sentence(f"{name} is underconfident by {size:.3f} on average ({shown}); {calibration}.", None)
    return Sentence(
        f"{name}'s mean confidence and accuracy cannot be told apart ({shown}); {calibration}.",
        None,
    )


def _m_ratio(row: pd.Series, name: str) -> Sentence:
    text = f"{name}'s M-ratio is {interval(row, 'm_ratio')}"
    if not bool(row.get("m_ratio_valid", False)):
        return Sentence(
            text + ". **Not valid here**: open answers have no two-choice decision, so d' and meta-d' come "
            "from one table and their ratio lies near 1 by construction. Read meta-I2r and AUROC2 instead.",
            None,
        )
    text += f" (meta-d' {interval(row, 'meta_d', 2)}, d' {interval(row, 'd_prime', 2)})"
    if row["m_ratio_upper"] < 1:
        return Sentence(text + ": confidence uses less than the decision had.", None)
    if row["m_ratio_lower"] > 1:
        return Sentence(text + ": confidence knows more than the decision used.", None)
    return Sentence(text + ": not told from ideal (1 lies in the interval).", None)


_QUANTITY = {"accuracy": "accuracy", "auroc2": "AUROC2", "meta_i2r": "meta-I2r"}


def pair_sentences(pairs: pd.DataFrame, n_models: int) -> list[Sentence]:
    """Findings about differences between models, from ``compare_models``."""
    if pairs.empty:
        if n_models < 2:
            return []
        return [
            Sentence("The models could not be compared: too few can be judged, or there are too many.", None)
        ]
    found = []
    n_pairs = len(pairs[["first", "second"]].drop_duplicates())
    together = " for all pairs together" if n_pairs > 1 else ""
    for quantity, part in pairs.groupby("quantity", sort=False):
        apart = part[part["differs"]]
        name = _QUANTITY[str(quantity)]
        if apart.empty:
            found.append(
                Sentence(f"No pair of models can be told apart in {name} (95 % intervals{together}).", None)
            )
            continue
        shown = "; ".join(
            f"{r.first} less {r.second} {r.difference:+.3f} [{r.lower:+.3f}, {r.upper:+.3f}]"
            for r in apart.head(6).itertuples()
        )
        more = f"; and {len(apart) - 6} more" if len(apart) > 6 else ""
        found.append(
            Sentence(
                f"{len(apart)} of {n_pairs} pairs of models differ in {name} "
                f"(95 % intervals{together}): {shown}{more}.",
                None,
            )
        )
    return found


def group_sentences(table: pd.DataFrame, by: str) -> list[Sentence]:
    """How far AUROC2 spreads over domains or temperatures within each model."""
    found = []
    for model, part in table[table["by"] == by].groupby("model", sort=False):
        usable = part[part["auroc2"].notna() & part["auroc2_lower"].notna()]
        skipped = len(part) - len(usable)
        tail = f" ({skipped} of {len(part)} could not be judged)" if skipped else ""
        if len(usable) < 2:
            found.append(Sentence(f"{model}: fewer than two {by}s can be judged{tail}.", None))
            continue
        ordered = usable.sort_values("auroc2")
        low, high = ordered.iloc[0], ordered.iloc[-1]
        apart = low["auroc2_upper"] < high["auroc2_lower"]
        found.append(
            Sentence(
                f"{model}: AUROC2 is lowest at {_label(low, by)} ({interval(low, 'auroc2')}) and highest at "
                f"{_label(high, by)} ({interval(high, 'auroc2')}); their intervals "
                + ("do not overlap" if apart else "overlap")
                + f"{tail}.",
                None,
            )
        )
    return found


def _label(row: pd.Series, by: str) -> str:
    return str(row[by]) if by == "domain" else f"T = {row[by]:g}"
