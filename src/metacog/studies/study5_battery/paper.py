"""What study 5 printed: ``data/published/study5_battery/battery_*.csv``, and its tracks and models."""

from __future__ import annotations

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.ledger.published import Published

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

#: The same models in the atlas of the same author, where it calls them otherwise.
IN_ATLAS: dict[str, str] = {
    "Claude Haiku 4.5": "Haiku 4.5",
    "Claude Opus 4.6": "Opus 4.6",
    "Claude Sonnet 4.6": "Sonnet 4.6",
    "DeepSeek R1": "DeepSeek-R1",
    "Qwen 80B Think": "Qwen Think",
    "Qwen Coder 480B": "Qwen Coder",
}
#: The atlas's printed tables: stated confidence in MMLU, questions that the battery does not ask.
ATLAS = Published("atlas_")

#: How the printed leaderboard calls a profile that is none of the three.
UNCLASSIFIED = "Unclassified"


def models_of(frame: pd.DataFrame) -> list[str]:
    """Models of a table: the paper's in its order, then others in the order met."""
    there = list(dict.fromkeys(frame["model"]))
    paper = [m for m in MODELS.values() if m in there]
    return [*paper, *(m for m in there if m not in paper)]


#: The files of study 5.
PUBLISHED = Published(f"{FOLDER}/battery_")
as_text, precision = PUBLISHED.as_text, PUBLISHED.precision
#: Tables that were made from the author's files.
committed = Published(f"{FOLDER}/").as_text


def printed_profiles() -> dict[str, str]:
    frame = as_text("leaderboard")
    return dict(zip(frame["model"], frame["profile"], strict=True))


def atlas() -> pd.DataFrame:
    """The atlas's AUROC2 of stated confidence (``auroc2``) and ``maker`` of each model, by the battery's name."""
    areas = ATLAS.as_numbers("summary").set_index("model")["aggregate"]
    makers = ATLAS.as_text("models").set_index("short")["model"].str.split("/").str[0]
    names = [IN_ATLAS.get(model, model) for model in MODELS.values()]
    if lacking := sorted(set(names) - (set(areas.index) & set(makers.index))):
        raise MetacogError(f"the atlas's tables lack {', '.join(lacking)}")
    found = pd.DataFrame({"auroc2": areas, "maker": makers}).loc[names]
    return found.set_axis(list(MODELS.values()))
