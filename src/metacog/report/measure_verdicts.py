"""Sentences computed from a table of measures; nothing is said that its numbers do not say."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.report.verdicts import Kind, Verdict


def _found(text: str, passed: bool | None = None) -> Verdict:
    """A finding: passed is True or False where a question was asked of the data, None for a remark."""
    return Verdict("Measures", Kind.FINDING, "", passed, text)


def interval(row: pd.Series, name: str, digits: int = 3) -> str:
    """``0.712 [0.690, 0.734]``, or the estimate alone where there is no interval."""
    lower, upper = row.get(f"{name}_lower", np.nan), row.get(f"{name}_upper", np.nan)
    text = f"{row[name]:.{digits}f}"
    return text if not np.isfinite(lower) else f"{text} [{lower:.{digits}f}, {upper:.{digits}f}]"


def _known(row: pd.Series, name: str) -> bool:
    return name in row.index and pd.notna(row[name]) and pd.notna(row.get(f"{name}_lower", np.nan))


def model_sentences(row: pd.Series) -> list[Verdict]:
    """Findings about one model, from its row of :func:`metacog.measures.table.measure_table`."""
    name, n = row["model"], int(row["n_trials"])
    accuracy = interval(row, "accuracy") if pd.notna(row["accuracy"]) else "-"
    found = [_found(f"**{name}** answered {n:,} trials, {accuracy} of them right.")]
    if not _known(row, "auroc2"):
        why = row["flag"] or "there are too few units to resample"
        return [*found, _found(f"No verdict on {name}'s metacognition: {why}.")]
    if row["flag"]:
        found.append(_found(f"Read {name}'s intervals with care: {row['flag']}."))
    found.append(_auroc2(row, name))
    share = max(0.0, 100 * row["meta_i2r"])
    informative = bool(row["meta_i2r_lower"] > 0)
    found.append(
        _found(
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
            _found(
                f"Answering only the half of which {name} is surest changes accuracy by {gain:+.1f} points, "
                f"to {interval(row, 'accuracy_at_half')}."
            )
        )
    if _known(row, "m_ratio"):
        found.append(_m_ratio(row, name))
    return found


def _auroc2(row: pd.Series, name: str) -> Verdict:
    area = interval(row, "auroc2")
    text = f"{name}'s confidence ranks a right answer above a wrong one with probability {area}"
    if row["auroc2_lower"] > 0.5:
        return _found(text + ": better than chance (AUROC2 above 0.5).", True)
    if row["auroc2_upper"] < 0.5:
        return _found(text + ": worse than chance, so it is surer when it is wrong.", False)
    return _found(text + ": not told from chance (0.5 lies in the interval).", False)


def _calibration(row: pd.Series, name: str) -> Verdict:
    size, shown = abs(row["overconfidence"]), interval(row, "overconfidence")
    calibration = f"ECE {row['ece']:.3f}, Brier score {row['brier']:.3f}"
    if row["overconfidence_lower"] > 0:
        return _found(f"{name} is overconfident by {size:.3f} on average ({shown}); {calibration}.")
    if row["overconfidence_upper"] < 0:
        return _found(f"{name} is underconfident by {size:.3f} on average ({shown}); {calibration}.")
    return _found(f"{name}'s mean confidence and accuracy cannot be told apart ({shown}); {calibration}.")


def _m_ratio(row: pd.Series, name: str) -> Verdict:
    text = f"{name}'s M-ratio is {interval(row, 'm_ratio')}"
    if not bool(row.get("m_ratio_valid", False)):
        return _found(
            text + ". **Not valid here**: open answers have no two-choice decision, so d' and meta-d' come "
            "from one table of right and wrong by rating, and their ratio is a statistic of its shape: "
            f"{_shape(row)}. It cannot be read as efficiency nor ascribed to one cause (chapter on the "
            "correction). Read meta-I2r and AUROC2 instead."
        )
    text += f" (meta-d' {interval(row, 'meta_d', 2)}, d' {interval(row, 'd_prime', 2)})"
    if row["m_ratio_upper"] < 1:
        return _found(text + ": confidence uses less than the decision had.")
    if row["m_ratio_lower"] > 1:
        return _found(text + ": confidence knows more than the decision used.")
    return _found(text + ": not told from ideal (1 lies in the interval).")


def _shape(row: pd.Series) -> str:
    """What an M-ratio's place beside 1 says of open answers."""
    if row["m_ratio_upper"] < 1:
        return "its interval lies below 1, where uneven spread alone can bring it with nothing lost"
    if row["m_ratio_lower"] > 1:
        return "its interval lies above 1, where uneven spread alone can bring it with nothing lost"
    return "its interval holds 1, as bell curves of equal spread do however much or little they tell"


_QUANTITY = {"accuracy": "accuracy", "auroc2": "AUROC2", "meta_i2r": "meta-I2r"}


def pair_sentences(pairs: pd.DataFrame, n_models: int) -> list[Verdict]:
    """Findings about differences between models, from ``compare_models``."""
    if pairs.empty:
        if n_models < 2:
            return []
        return [_found("The models could not be compared: too few can be judged, or there are too many.")]
    found = []
    n_pairs = len(pairs[["first", "second"]].drop_duplicates())
    together = " for all pairs together" if n_pairs > 1 else ""
    for quantity, part in pairs.groupby("quantity", sort=False):
        apart = part[part["differs"]]
        name = _QUANTITY[str(quantity)]
        if apart.empty:
            found.append(_found(f"No pair of models can be told apart in {name} (95 % intervals{together})."))
            continue
        shown = "; ".join(
            f"{r.first} less {r.second} {r.difference:+.3f} [{r.lower:+.3f}, {r.upper:+.3f}]"
            for r in apart.head(6).itertuples()
        )
        more = f"; and {len(apart) - 6} more" if len(apart) > 6 else ""
        found.append(
            _found(
                f"{len(apart)} of {n_pairs} pairs of models differ in {name} "
                f"(95 % intervals{together}): {shown}{more}."
            )
        )
    return found


def group_sentences(table: pd.DataFrame, by: str) -> list[Verdict]:
    """How far AUROC2 spreads over domains or temperatures within each model."""
    found = []
    for model, part in table[table["by"] == by].groupby("model", sort=False):
        usable = part[part["auroc2"].notna() & part["auroc2_lower"].notna()]
        skipped = len(part) - len(usable)
        tail = f" ({skipped} of {len(part)} could not be judged)" if skipped else ""
        if len(usable) < 2:
            found.append(_found(f"{model}: fewer than two {by}s can be judged{tail}."))
            continue
        ordered = usable.sort_values("auroc2")
        low, high = ordered.iloc[0], ordered.iloc[-1]
        apart = low["auroc2_upper"] < high["auroc2_lower"]
        found.append(
            _found(
                f"{model}: AUROC2 is lowest at {_label(low, by)} ({interval(low, 'auroc2')}) and highest at "
                f"{_label(high, by)} ({interval(high, 'auroc2')}); their intervals "
                + ("do not overlap" if apart else "overlap")
                + f"{tail}."
            )
        )
    return found


def _label(row: pd.Series, by: str) -> str:
    return str(row[by]) if by == "domain" else f"T = {row[by]:g}"
