"""What thinking changes in every set that asked models with it and without, on one scale."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.two_conditions import COLUMNS
from metacog.report.views import Views
from metacog.studies.study import Inputs, Result, analysis

#: What sentences call a signal, and models that more than one set asked.
SIGNALS = {
    "probability of the answer's words": "words",
    "probability of its whole reply": "reply",
    "a number it states": "stated",
    "whether it keeps its answer": "keeps",
}
MODELS = {"Qwen3-8B": "eight", "Qwen3-Next 80B": "next", "DeepSeek R1 and V3.2": "deep"}


@analysis(across="thinking_effects")
def thinking_compared(inputs: Inputs) -> dict[str, Any]:
    """What does thinking change, in every set and kind of confidence?"""
    found = inputs.across()
    parts = [one["effects"] for one in found.values()]
    effects = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=list(COLUMNS))
    means = [one["means"] for one in found.values() if "means" in one]
    ways = effects.drop_duplicates(["model", "set", "signal"]).groupby("model")["signal"].transform("nunique")
    sets = effects.groupby("model")["set"].transform("nunique")
    return {
        "effects": effects,
        "twice": effects[(sets > 1) & (ways > 1)].sort_values("model", key=_place, kind="stable"),
        "means": pd.concat(means, ignore_index=True) if means else pd.DataFrame(columns=["signal", "n"]),
    }


def _place(models: pd.Series) -> pd.Series:
    return models.map({name: place for place, name in enumerate(MODELS)})


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences are made of, in pairs of a hundred."""
    found: dict[str, Any] = {}
    for signal, short in SIGNALS.items():
        own = result.effects[result.effects["signal"] == signal]
        found |= {f"{short}_n": len(own), f"{short}_fell": int((own["pairs_upper"] < 0).sum())}
        found |= {f"{short}_rose": int((own["pairs_lower"] > 0).sum())}
        found |= {f"{short}_right": int((own["right_lower"] > 0).sum())}
        found |= {f"{short}_equal": int((own["equal_lower"] > 0).sum())}
        mean: dict[Any, Any] = next(
            iter(result.means[result.means["signal"] == signal].to_dict("records")), {}
        )
        found |= {
            f"{short}_{name}": mean.get(name, float("nan"))
            for name in ("pairs", "pairs_lower", "pairs_upper")
        }
        found[f"{short}_auroc2"] = found[f"{short}_pairs"] / 100
        for model, called in MODELS.items():
            one = next(iter(rows_of(own[own["model"] == model])), None)
            for end in ("", "_lower", "_upper"):
                found[f"{called}_{short}{end}"] = getattr(one, f"pairs{end}", float("nan"))
    return found


VIEWS = Views("thinking_compared", numbers=numbers)
