"""The validity screen as readers see it: its table, and sentences computed from it.

Rows are those of :func:`metacog.measures.screen.screen`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.words import listed, plural
from metacog.sdt.screen import TIERS

#: What the indices are, for a reader who meets them here first.
READING = """\
The **validity screen** is a protocol to be put before every measure (arXiv:2604.17714, 2026). It looks at nothing but
whether answers were right or wrong and confidence high or low.

- **L**: the share of wrong answers with high confidence. From .95 on it breaks a rule: confidence on everything.
- **Fp**: the share of right answers with low confidence. From .50 on it breaks a rule: too much is withdrawn.
- **RBS**: low confidence among right answers, minus the same among wrong ones. It breaks a rule where its whole 95 %
  interval lies above 0: the signal points the wrong way.
- **TRIN**: the larger share of high or low; .95 and more is a warning that nearly all answers look the same.
- **r**: the correlation of being right with high confidence. It is reported and breaks no rule.
- **Protocol**: what the program that belongs to it says. It judges no table with fewer than five answers in a cell, and
  calls L or Fp beyond its limit invalid only where the lower end of the interval lies above .90 or .40, else
  *indeterminate*, as RBS above 0 with an interval that contains 0.
- **Sound** and **random**: how often observers with as many right and as many high answers break a rule. The sound
  one has an M-ratio of 1 (an AUROC2 of 0.7 where most answers are wrong); the random one has the signal's own
  confidence, shuffled over its answers.
"""
#: Longer lists of names are counted.
MOST_NAMES = 6
#: Percent of runs from which on it is said that an observer would pass, or fail: a fifth.
NOTABLE = 20
_INDICES = ("L", "Fp", "RBS", "TRIN", "r")


def screen_shown(rows: pd.DataFrame, keys: tuple[str, ...] = ("model",)) -> pd.DataFrame:
    """The screen as texts, one row per signal: indices as ``0.712 [0.690, 0.734]``.

    Parameters
    ----------
    rows : DataFrame
    keys : tuple of str
        Columns that name a row.
    """
    shown = pd.DataFrame({key.capitalize(): rows[key].astype(str) for key in keys})
    for title, cell in (("Right: high, low", "right"), ("Wrong: high, low", "wrong")):
        pairs = zip(rows[f"{cell}_high"], rows[f"{cell}_low"], strict=True)
        shown[title] = [f"{high:,}, {low:,}" for high, low in pairs]
    if rows["cut"].notna().any():
        cuts = zip(rows["cut"], rows["at_cut"], strict=True)
        shown["High from"] = ["-" if cut != cut else f"{cut:.3g} ({ties:,} tie)" for cut, ties in cuts]
    for index in _INDICES:
        shown[index] = [_cell(row, index) for row in rows.to_dict("records")]
    shown["Rules broken"] = [_broken(row) for row in rows.to_dict("records")]
    shown["Protocol"] = rows["tier"]
    for observer in ("sound", "random"):
        shares = rows[f"{observer}_invalid"]
        shown[f"{observer.capitalize()}, %"] = ["-" if v != v else f"{100 * v:.0f}" for v in shares]
    return shown.reset_index(drop=True)


def _cell(row: Mapping[Any, Any], index: str) -> str:
    value, lower, upper = (row[f"{index}{end}"] for end in ("", "_lower", "_upper"))
    if value != value:
        return "-"
    text = f"{value:.3f}" if lower != lower else f"{value:.3f} [{lower:.3f}, {upper:.3f}]"
    return f"{text}, warning" if index == "TRIN" and row["warning"] else text


def _broken(row: Mapping[Any, Any]) -> str:
    return str(row["broken"]) or ("cannot be told" if pd.isna(row["invalid"]) else "none")


def screen_sentence(rows: pd.DataFrame, key: str = "model") -> str:
    """Which signals break a rule, of which TRIN warns, and what the published protocol makes of them."""
    if rows.empty:
        return "No trial has a confidence that could be screened."
    names = rows[key].astype(str)
    texts = [_breaking(rows, names)]
    if open_ := list(names[rows["invalid"].isna()]):
        texts.append(f"No answer is wrong, or none right, with {_some(open_)}: it cannot be told.")
    if warned := list(names[rows["warning"].astype(bool)]):
        texts.append(f"TRIN warns of {_some(warned)}.")
    return " ".join([*texts, _protocol(rows)])


def _breaking(rows: pd.DataFrame, names: pd.Series) -> str:
    broken = rows["broken"][(rows["broken"] != "").to_numpy()]
    if len(rows) == 1:
        rules = listed(broken.iloc[0].split(", ")) if len(broken) else ""
        return f"The signal breaks {f'the rule for {rules}' if rules else 'no rule'} of the screen."
    start = f"Of {len(rows):,} signals, "
    if broken.empty:
        return f"{start}none breaks a rule of the screen."
    if len(broken) > MOST_NAMES:
        by_rule = broken.str.split(", ").explode().value_counts()
        what = listed(f"{rule} ({n})" for rule, n in by_rule.items())
    else:
        what = listed(f"{name} ({rule})" for name, rule in zip(names[broken.index], broken, strict=True))
    return f"{start}{len(broken)} {'breaks' if len(broken) == 1 else 'break'} a rule of the screen: {what}."


def _some(names: list[str]) -> str:
    return listed(names) if len(names) <= MOST_NAMES else f"{len(names)} of them"


def _protocol(rows: pd.DataFrame) -> str:
    tiers = rows["tier"].value_counts()
    if len(rows) == 1:
        tier = rows["tier"].iloc[0]
        refused = "does not judge it, for want of five answers in every cell"
        return f"The published protocol {refused if tier == TIERS[3] else f'calls it {tier}'}."
    judged = [f"{tiers[t]} {t}" for t in ("invalid", "indeterminate", "valid") if t in tiers]
    few = tiers.get(TIERS[3], 0)
    unjudged = f"does not judge {few}, for want of five answers in every cell" if few else ""
    calls = f"calls {listed(judged)}" if judged else ""
    return f"The published protocol {' and '.join(t for t in (calls, unjudged) if t)}."


def alarms_sentence(rows: pd.DataFrame, key: str = "model") -> str:
    """How often observers with the same margins break a rule; empty where this is undefined."""
    known = rows.dropna(subset=["sound_invalid", "random_invalid"])
    if known.empty:
        return ""
    sound, random = 100 * known["sound_invalid"], 100 * known["random_invalid"]
    holds = (known["broken"] == "").to_numpy()
    text = (
        "With as many right and as many high answers, a sound observer would break a rule in "
        f"{_around(sound)} of runs, and one whose confidence is random in {_around(random)}."
    )
    if len(known) == 1:
        return text
    passing = int((holds & (100 - random >= NOTABLE).to_numpy()).sum())
    if passing:
        text += (
            f" Breaking no rule need not mean knowing anything: of {plural(int(holds.sum()), 'signal')} without a "
            f"broken rule, {passing} {'has' if passing == 1 else 'have'} margins with which random confidence would "
            "pass in a fifth of runs or more."
        )
    only_rates = ~holds & ~known["broken"].str.contains("RBS").to_numpy()
    if alarming := list(known[key].astype(str)[only_rates & (sound >= NOTABLE).to_numpy()]):
        text += (
            f" Nor need breaking L or Fp mean knowing nothing: with the margins of {_some(alarming)}, a sound "
            "observer does so in a fifth of runs or more."
        )
    return text


def _around(percent: pd.Series) -> str:
    middle = f"{percent.median():.0f} %"
    return middle if middle == _span(percent) else f"{middle} (the median; {_span(percent)})"


def _span(percent: pd.Series) -> str:
    low, high = f"{percent.min():.0f}", f"{percent.max():.0f}"
    return f"{low} %" if low == high else f"{low} to {high} %"


def median_sentence(rows: pd.DataFrame, key: str = "model") -> str:
    """What a split at the median does; empty where none was made."""
    known = rows[(rows["split"] == "median") & (rows["n"] > 0)]
    if known.empty:
        return ""
    tied = known["at_cut"] / known["n"]
    text = (
        "High confidence is what lies at or above the median of a model's own confidences. Without ties this makes "
        "TRIN one half, whatever the model does, and lets Fp reach .50 exactly where RBS reaches 0; ties at the "
        f"median are all called high. Here TRIN is {_range(known['TRIN'])}, and the share of answers that tie with "
        f"the cut {_range(tied)}"
    )
    most = known.iloc[int(tied.to_numpy().argmax())]
    text += f" (most with {most[key]}, {most['at_cut']:,} of {most['n']:,})." if tied.max() >= 0.01 else "."
    if everything := list(known[key].astype(str)[(known["right_low"] + known["wrong_low"]) == 0]):
        text += f" The median of {_some(everything)} is the lowest confidence given, so that all of it counts as high."
    return text


def _range(values: pd.Series) -> str:
    low, high = f"{values.min():.2f}", f"{values.max():.2f}"
    return low if low == high else f"{low} to {high}"


def level_sentence(simulated: pd.DataFrame, n: int) -> str:
    """How often observers of known kind break a rule, by ``data/simulations/screen_alarms.csv``.

    Parameters
    ----------
    simulated : DataFrame
        As ``benchmarks/screen_alarms.py`` writes it.
    n : int
        Answers of a signal; the simulated number nearest to it is taken.
    """
    known, size = _of_size(simulated, n)
    split, share = known["split"], known["share"]
    parts = [
        ("70 to 90 % of answers are high", (split == "share") & share.between(0.7, 0.9)),
        ("95 or 99 % are", (split == "share") & (share >= 0.95)),
        ("30 % are", (split == "share") & (share <= 0.3)),
        ("the median splits them", split == "median"),
    ]
    texts = [f"where {words}, {_both(known[which])}" for words, which in parts]
    return f"Of simulated observers with {size}, these break a rule: {'; '.join(texts)}."


def _of_size(simulated: pd.DataFrame, n: int) -> tuple[pd.DataFrame, str]:
    """Designs of the number of answers nearest to one, of observers that know something, and what they are."""
    sizes = simulated["n"].unique()
    size = sizes[np.abs(np.log(sizes / n)).argmin()]
    known = simulated[(simulated["n"] == size) & (simulated["accuracy"] > 0.5)]
    low, high = known["accuracy"].min(), known["accuracy"].max()
    return known, f"{size:,} answers and accuracies from {low:g} to {high:g}"


def _both(known: pd.DataFrame) -> str:
    sound, random = (_span(100 * known.loc[known["observer"] == o, "invalid"]) for o in ("sound", "random"))
    return f"{sound} of the sound ones and {random} of the random ones"
