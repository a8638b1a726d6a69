"""Tables and texts of the report on somebody's own trials."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed

#: What each measure says, for a reader who meets them here first.
READING = """\
- **AUROC2**: how often a random right answer carries more confidence than a random wrong one; 0.5 is
  chance.
- **meta-I2r**: the share of the uncertainty about being right that the ratings take away; 0 is none,
  1 is all. Its interval says how large; whether it is more than nothing is asked of a permutation
  test. It depends on accuracy, so models of unlike accuracy do not differ by it alone.
- **$d_a$**: the distance, in standard deviations, between the confidence of right and wrong answers.
- **Confidence minus accuracy**, **ECE** and **Brier score**: whether stated probabilities come true.
- **Simulated coverage**, where it is shown: how often a 95 % interval like that one held the truth in
  simulations, if not in 93 to 97 of a hundred.
- **meta-d'** and **M-ratio**: sensitivity of confidence in units of the decision's own; valid only
  where the task has two choices.
"""

_NAMES = {
    "accuracy": "Accuracy",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "d_a": "dₐ",
    "overconfidence": "Confidence minus accuracy",
    "ece": "ECE",
    "brier": "Brier",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
}
_PLAIN = {"ece"}


def _cell(row: pd.Series, name: str) -> str:
    if pd.isna(row[name]):
        return "-"
    lower, upper = row.get(f"{name}_lower", np.nan), row.get(f"{name}_upper", np.nan)
    if name in _PLAIN or pd.isna(lower):
        return f"{row[name]:.3f}"
    return f"{row[name]:.3f} [{lower:.3f}, {upper:.3f}]"


#: Most pairs that are shown one by one.
MOST_PAIRS = 45
QUANTITIES = {"accuracy": "accuracy", "auroc2": "AUROC2", "meta_i2r": "meta-I2r"}


def _span(low: float, high: float) -> str:
    return f"{low:.0f}" if low == high else f"{low:.0f} to {high:.0f}"


def calibration_text(rows: pd.DataFrame) -> str:
    """How far mean confidence and single confidences are from what comes true, a line for each model.

    Parameters
    ----------
    rows : DataFrame
        Rows by model of :func:`metacog.measures.table.measure_table`.
    """
    known = rows[rows["overconfidence_lower"].notna()]
    return "\n".join(f"- {row['model']}: {calibration_sentence(row)}" for _, row in known.iterrows())


def calibration_sentence(row: Any) -> str:
    """Whether a model is too sure on average, and how far single confidences are off."""
    size, low, high = (row[f"overconfidence{end}"] for end in ("", "_lower", "_upper"))
    ends = f"{size:+.3f} [{low:+.3f}, {high:+.3f}]"
    if low <= 0 <= high:
        mean = f"mean confidence less accuracy is {ends}, not told from 0"
    else:
        mean = f"mean confidence is too {'high' if size > 0 else 'low'} by {ends}"
    return f"{mean}; a stated confidence is off by {row['ece']:.3f} on average (ECE)."


def pairs_text(pairs: pd.DataFrame) -> str:
    """Which pairs of models differ, what figure and table leave out, and how pairs were resampled, as Markdown."""
    if pairs.empty:
        return ""
    told = "\n".join(
        f"- {_differing(str(name), part)}" for name, part in pairs.groupby("quantity", sort=False)
    )
    return "\n\n".join(text for text in (told, _about_pairs(pairs)) if text)


def _differing(quantity: str, part: pd.DataFrame) -> str:
    n, differing = int(part["p_holm"].notna().sum()), int(part["differs"].sum())
    name = QUANTITIES[quantity]
    if not differing:
        return f"No pair of models differs detectably in {name}."
    start = f"{differing:,} of {n:,} pairs of models differ" if n > 1 else "The two models differ"
    return f"{start} in {name}."


def _about_pairs(pairs: pd.DataFrame) -> str:
    n = len(pairs[["first", "second"]].drop_duplicates())
    text = []
    if n > MOST_PAIRS:
        text.append(
            f"There are {n:,} pairs: figure and table show those that differ, `pairs.csv` holds them all."
        )
    if "normal" in set(pairs["method"]):
        text.append(
            "There are too few resamples to read intervals for all pairs together off their percentiles, so "
            "p and intervals rest on the resamples' standard error and the normal distribution."
        )
    apart = pairs[~pairs["paired"] & (pairs["n_shared"] > 0)]
    if len(apart):
        n_apart = len(apart[["first", "second"]].drop_duplicates())
        text.append(
            f"{n_apart:,} pairs that share questions were compared unpaired, which is wider: too few shared "
            "questions, no question column, or more sets of shared questions than are resampled."
        )
    return " ".join(text)


def level_text(simulated: pd.DataFrame) -> str:
    """How often equal models are called different, from ``data/simulations/comparison_level.csv``.

    Parameters
    ----------
    simulated : DataFrame
        As ``benchmarks/comparison_level.py`` writes it.
    """
    pairs, families = (simulated[simulated["kind"] == kind] for kind in ("pair", "family"))
    pooled = np.average(pairs["bootstrap"], weights=pairs["runs"])
    low, high = 100 * pairs["bootstrap"].min(), 100 * pairs["bootstrap"].max()
    return (
        f"How far to trust this, by simulation of models of equal AUROC2 ({len(pairs)} designs of "
        f"{pairs['n_questions'].min():,} to {pairs['n_questions'].max():,} questions, "
        f"{int(pairs['runs'].sum()):,} pairs): at .05 the bootstrap p called {100 * pooled:.1f} % of equal "
        f"pairs different ({low:.1f} to {high:.1f} % by design). A permutation p, which exchanges scores "
        f"between models, called up to {100 * pairs['permutation'].max():.0f} % different where their scales "
        f"and accuracies differ, and is not used. In families of {families['n_groups'].min()} to "
        f"{families['n_groups'].max()} models all true places lay within the places given in "
        f"{100 * families['rank_sets'].min():.1f} to {100 * families['rank_sets'].max():.1f} % of runs; "
        "plain percentiles of bootstrap ranks held them all in "
        f"{100 * families['rank_percentiles'].min():.0f} to "
        f"{100 * families['rank_percentiles'].max():.0f} %, so they are not shown."
    )


def terminal_table(measures: pd.DataFrame, ranks: pd.DataFrame, *, two_choice: bool = False) -> str:
    """One line per model, the highest AUROC2 first: what the terminal prints.

    Parameters
    ----------
    measures : DataFrame
        Rows by model of :func:`metacog.measures.table.measure_table`.
    ranks : DataFrame
        Of :func:`metacog.measures.pairs.rank_table`.
    two_choice : bool
    """
    rows = measures.sort_values("auroc2", ascending=False, kind="stable")
    shown = pd.DataFrame({"model": [_cut(name) for name in rows["model"]]})
    shown["trials"] = [f"{n:,}" for n in rows["n_trials"]]
    for name in ("accuracy", "auroc2", "meta_i2r", "m_ratio"):
        if name in rows and rows[name].notna().any():
            valid = name != "m_ratio" or two_choice
            shown[_NAMES[name] + ("" if valid else " (not valid)")] = [
                _cell(r, name) for _, r in rows.iterrows()
            ]
    mine = ranks[ranks["quantity"] == "auroc2"].set_index("model")
    if len(mine) > 1:
        known = [name if name in mine.index else None for name in rows["model"]]
        shown["place by AUROC2"] = [
            _span(float(mine["set_lower"][k]), float(mine["set_upper"][k])) if k else "-" for k in known
        ]
        shown["not distinguishable"] = [str(mine.at[k, "group"]) if k else "-" for k in known]
    if (rows["flag"] != "").any():
        shown["flag"] = rows["flag"].to_numpy()
    widths = [max(len(str(v)) for v in [c, *shown[c]]) for c in shown]
    lines = [list(shown.columns), *shown.to_numpy().tolist()]
    return "\n".join(
        "  ".join(str(v).ljust(w) for v, w in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def _cut(text: object, most: int = 28) -> str:
    return str(text) if len(str(text)) <= most else str(text)[: most - 1] + "…"


def flags_line(measures: pd.DataFrame) -> str:
    """How many parts are flagged and why, in one line; empty where none is.

    Parameters
    ----------
    measures : DataFrame
        Of :func:`metacog.measures.table.measure_table`; models' own flags stand in their table.
    """
    parts = measures[measures["by"] != "model"]
    flagged = parts[parts["flags"] != ""]
    if flagged.empty:
        return ""
    counts = flagged["flags"].str.split("; ").explode().value_counts()
    reasons = ", ".join(f"{n:,} {reason}" for reason, n in counts.items())
    return f"flagged: {len(flagged):,} of {len(parts):,} domains and temperatures ({reasons})"


_SIGNALS = {
    "nlp": "the mean log-probability per token (NLP) of each answer behind its question, by {by}",
    "p-true": "the probability of True when {by} is asked whether the answer is right",
    "agreement": "the share of the model's other answers to the same question that say the same by the marking "
    "rule ({others} other answers each)",
}


def computed_lines(computed: dict[str, Any]) -> list[str]:
    """What was not in the file and how it was computed, a sentence each; names stand as the file has them.

    Parameters
    ----------
    computed : dict
        A :class:`metacog.imports.answers.Computed`.
    """
    c, lines = computed, []
    if c["key"]:
        marks = ", ".join(f"{n:,} {name}" for name, n in c["marks"].items())
        lines.append(
            f"correctness was not in the file: answers were marked against {_quoted(c['key'])} ({marks})"
        )
    if c["signal"]:
        by = c["by"].get("label", "")
        others = f"{c['fewest']}" if c["fewest"] == c["most"] else f"{c['fewest']} to {c['most']}"
        how = _SIGNALS[c["signal"]].format(by=by, others=others)
        asked = f" (prompt {c['by']['prompt']}; {c['n_pairs']:,} different pairs)" if by else ""
        lines.append(f"confidence was not in the file: it is {how}{asked}")
    return lines + ([whose_view(c)] if c["by"] else [])


def whose_view(computed: dict[str, Any]) -> str:
    """Whose confidence a model's scores of given answers are: its own, another's, or not known."""
    by, own, others = computed["by"]["label"], computed["own"], computed["others"]
    if own and not others:
        return f"{by} gave these answers, so this is its own view of them"
    strange = (
        f"how well {by} tells their right answers from their wrong ones, not what they know of themselves"
    )
    if own:
        return f"of the answers of {listed(own)} this is the model's own view; for {_few(others)} it shows {strange}"
    if others:
        return f"the answers are by {_few(others)}: what follows shows {strange}"
    return (
        f"the file does not say which model gave the answers: unless it was {by}, what follows shows how well {by} "
        "tells right answers from wrong ones, not what the model that answered knows of itself"
    )


def _few(names: list[str], most: int = 5) -> str:
    """Names, or the first of them and how many more there are."""
    return listed(names if len(names) <= most else [*names[:most], f"{len(names) - most} more"])


def _quoted(name: str) -> str:
    return f"the column {name!r}"


def validation_text(facts: dict[str, Any]) -> str:
    """What was read, kept and dropped, as Markdown; names from the file are shown as code."""
    v = facts["validation"]
    lines = [
        f"`{_code(facts['name'])}` ({v['kind']}): {v['n_read']:,} rows read, {v['n_used']:,} trials used, "
        f"{v['n_read'] - v['n_used'] if v['n_read'] > v['n_used'] else 0:,} left out."
    ]
    if v["mapping"]:
        roles = (f"{role.replace('_', ' ')} from `{_code(name)}`" for role, name in v["mapping"].items())
        lines.append("Columns: " + ", ".join(roles) + ".")
    options = facts["options"]
    unit = "questions" if options["clustered"] else "trials"
    lines.append(f"Intervals resample {unit}, {options['n_resamples']:,} times, seed {options['seed']}.")
    bullets = [f"{n:,} dropped: {reason}" for reason, n in v["dropped"].items()] + v["notes"]
    computed = v.get("computed")  # imports of before have none
    bullets += computed_lines(computed) if computed else []
    text = "\n\n".join(lines) + "".join(f"\n\n- {text}" for text in bullets)
    if computed and computed["by"] and not (computed["own"] and not computed["others"]):
        text += f"\n\n:::{{admonition}} Another model's view\n:class: warning\n{_sentence(whose_view(computed))}\n:::"
    return text


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _code(text: object) -> str:
    return str(text).replace("`", "'")
