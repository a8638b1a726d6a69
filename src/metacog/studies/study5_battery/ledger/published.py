"""What study 5 printed: ``data/published/study5_battery/battery_*.csv``, and its tracks and models.

Figures are kept as the text they were printed as, because the last printed digit matters.
"""

from __future__ import annotations

from functools import cache

import pandas as pd

from metacog.core.paths import published_file

#: Where the study's files lie, below ``data/published``.
FOLDER = "study5_battery"
#: Files that the analyses read.
FILES = (f"data/published/{FOLDER}/*.csv",)

#: What each track is about, for readers.
TRACKS: dict[str, str] = {
    "T1": "learning",
    "T2": "calibration",
    "T3": "social cognition",
    "T4": "attention",
    "T5": "executive function",
    "T6": "prospective regulation",
}
#: Tracks whose items are answered first and judged afterwards; means and profiles rest on them.
RETROSPECTIVE = ("T1", "T2", "T3", "T4", "T5")

#: Models by code, as the committed table has them, with the names the paper prints.
MODELS: dict[str, str] = {
    "m01": "Claude Haiku 4.5",
    "m02": "Claude Opus 4.6",
    "m03": "Claude Sonnet 4.6",
    "m04": "DeepSeek R1",
    "m05": "DeepSeek V3.2",
    "m06": "GLM-5",
    "m07": "GPT-5.4",
    "m08": "GPT-5.4 mini",
    "m09": "GPT-5.4 nano",
    "m10": "Gemini 2.5 Flash",
    "m11": "Gemini 2.5 Pro",
    "m12": "Gemini 3 Flash",
    "m13": "Gemini 3.1 Pro",
    "m14": "Gemma 3 12B",
    "m15": "Gemma 3 1B",
    "m16": "Gemma 3 27B",
    "m17": "Qwen 235B",
    "m18": "Qwen 80B Inst",
    "m19": "Qwen 80B Think",
    "m20": "Qwen Coder 480B",
}

#: How the printed leaderboard calls a profile that is none of the three.
UNCLASSIFIED = "Unclassified"


def models_of(frame: pd.DataFrame) -> list[str]:
    """Models of a table: the paper's in its order, then others in the order met."""
    there = list(dict.fromkeys(frame["model"]))
    paper = [m for m in MODELS.values() if m in there]
    return [*paper, *(m for m in there if m not in paper)]


@cache
def _read(name: str) -> pd.DataFrame:
    path = published_file(f"{FOLDER}/battery_{name}.csv")
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def as_text(name: str) -> pd.DataFrame:
    """A file (``per_track``, ``leaderboard``, ``t6_paths``, ...) with every entry as it stands there."""
    return _read(name).copy()


def printed_profiles() -> dict[str, str]:
    """The profile that the leaderboard prints for each model."""
    frame = as_text("leaderboard")
    return dict(zip(frame["model"], frame["profile"], strict=True))
