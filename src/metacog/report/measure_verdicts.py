"""Sentences computed from a table of measures; nothing is said that its numbers do not say."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.report.verdicts import Kind, Verdict

#: Level of the tests behind the sentences.
ALPHA = 0.05


def _found(text: str, passed: bool | None = None) -> Verdict:
    """A finding: passed is True or False where the data answer a question, None where they do not."""
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
    found.append(_information(row, name))
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


def _information(row: pd.Series, name: str) -> Verdict:
    """How large meta-I2r is, from its interval; whether it is more than nothing, from its permutation p."""
    share = max(0.0, 100 * row["meta_i2r"])
    text = (
        f"{name}'s ratings take away {share:.1f} % of the uncertainty about whether an answer is right "
        f"(meta-I2r {interval(row, 'meta_i2r')}"
    )
    p = row.get("p_meta_i2r", np.nan)
    if pd.isna(p):
        return _found(f"{text}); no permutation could be made, so it is not told from nothing.")
    shown = "below 0.001" if p < 0.001 else f"{p:.3f}"
    text += f", permutation p {shown}): "
    if p <= ALPHA:
        return _found(text + "more than nothing.", True)
    return _found(text + "not told from nothing.")


def _auroc2(row: pd.Series, name: str) -> Verdict:
    area = interval(row, "auroc2")
    text = f"{name}'s confidence ranks a right answer above a wrong one with probability {area}"
    if row["auroc2_lower"] > 0.5:
        return _found(text + ": better than chance (AUROC2 above 0.5).", True)
    if row["auroc2_upper"] < 0.5:
        return _found(text + ": worse than chance, so it is surer when it is wrong.", False)
    return _found(text + ": not told from chance (0.5 lies in the interval).")


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
    """What an M-ratio's place beside 1 says about open answers."""
    if row["m_ratio_upper"] < 1:
        return "its interval lies below 1, where uneven spread alone can bring it with nothing lost"
    if row["m_ratio_lower"] > 1:
        return "its interval lies above 1, where uneven spread alone can bring it with nothing lost"
    return "its interval holds 1, as bell curves of equal spread do however much or little they tell"


_QUANTITY = {"accuracy": "accuracy", "auroc2": "AUROC2", "meta_i2r": "meta-I2r"}


def pair_sentences(pairs: pd.DataFrame, n_models: int, ranks: pd.DataFrame | None = None) -> list[Verdict]:
    """Findings about differences between models.

    Parameters
    ----------
    pairs : DataFrame
        Of :func:`metacog.measures.table.compare_models`.
    n_models : int
        Models of the table, judged or not.
    ranks : DataFrame, optional
        Of :func:`metacog.measures.pairs.rank_table`; with three models and more their order is said too.
    """
    if pairs.empty:
        return [] if n_models < 2 else [_found("The models could not be compared: too few can be judged.")]
    found = []
    for quantity, part in pairs.groupby("quantity", sort=False):
        judged = part[part["p_holm"].notna()]
        apart = judged[judged["differs"]].sort_values("p_holm", kind="stable")
        name, n_pairs = _QUANTITY[str(quantity)], len(judged)
        how = "bootstrap p below .05" + (
            f" after Holm's adjustment over {n_pairs} pairs" if n_pairs > 1 else ""
        )
        if apart.empty:
            found.append(_found(f"No pair of models can be told apart in {name} ({how})."))
        else:
            shown = "; ".join(
                f"{r.first} minus {r.second} {r.difference:+.3f} [{r.lower:+.3f}, {r.upper:+.3f}]"
                for r in apart.head(6).itertuples()
            )
            more = f"; and {len(apart) - 6} more" if len(apart) > 6 else ""
            found.append(
                _found(f"{len(apart)} of {n_pairs} pairs of models differ in {name} ({how}): {shown}{more}.")
            )
        if ranks is not None:
            found += _rank_sentence(ranks[ranks["quantity"] == quantity], name)
    return found


def _rank_sentence(ranks: pd.DataFrame, name: str) -> list[Verdict]:
    """Who may be first and who last; said from three models on."""
    n = len(ranks)
    if n < 3:
        return []
    first, last = ranks.iloc[0], ranks.iloc[-1]
    may_lead = list(ranks.loc[ranks["set_lower"] == 1, "model"])
    rivals = [m for m in may_lead if m != first["model"]]
    lead = "alone can be first" if not rivals else f"comes first, but so may {_some(rivals)}"
    return [
        _found(
            f"Of {n} models in {name}, {first['model']} ({first['estimate']:.3f}, {_places(first, n)}) {lead}"
            f"; {last['model']} comes last ({last['estimate']:.3f}, {_places(last, n)}). Places hold for all "
            "models together with 95 % confidence."
        )
    ]


def _places(row: pd.Series, n: int) -> str:
    low, high = int(row["set_lower"]), int(row["set_upper"])
    return f"place {low} of {n}" if low == high else f"place {low} to {high} of {n}"


def _some(names: list[str], most: int = 4) -> str:
    return (
        listed(names) if len(names) <= most else listed([*names[: most - 1], f"{len(names) - most + 1} more"])
    )


def group_sentences(table: pd.DataFrame, by: str, orders: pd.DataFrame | None = None) -> list[Verdict]:
    """How AUROC2 spreads over domains or temperatures within each model, and how sure their order is.

    Parameters
    ----------
    table : DataFrame
        Of :func:`metacog.measures.table.measure_table`.
    by : str
        ``domain`` or ``temperature``.
    orders : DataFrame, optional
        Of :func:`metacog.measures.parts.order_table`; without it nothing is said about the order.

    Notes
    -----
    Lowest and highest are picked after looking, so their own two intervals say nothing of the order; the
    confidence set of ranks is made over all pairs.
    """
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
        text = (
            f"{model}: AUROC2 is lowest at {_label(low, by)} ({interval(low, 'auroc2')}) and highest at "
            f"{_label(high, by)} ({interval(high, 'auroc2')}){tail}."
        )
        found.append(_found(text + _order(orders, str(model), by)))
    return found


def _order(orders: pd.DataFrame | None, model: str, by: str) -> str:
    """What is known of the order of a model's parts."""
    if orders is None:
        return ""
    mine = orders[(orders["by"] == by) & (orders["model"].astype(str) == model) & orders["rank"].notna()]
    if len(mine) < 2:
        return ""
    mine, n = mine.sort_values("rank", kind="stable"), len(mine)
    label = "T = {}".format if by == "temperature" else str
    highest, lowest = mine.iloc[0], mine.iloc[-1]
    share = f"The order of all {n} is found again in {100 * highest['order_probability']:.0f} % of resamples"
    if (mine["set_lower"] == 1).all() and (mine["set_upper"] == n).all():
        return f" No two {by}s can be told apart, so each may have any place. {share}."
    places = "; ".join(f"{label(row['part'])} {_places(row, n)}" for row in (highest, lowest))
    return f" With 95 % confidence for all {by}s together: {places}. {share}."


def _label(row: pd.Series, by: str) -> str:
    return str(row[by]) if by == "domain" else f"T = {row[by]:g}"
