"""What people and models on BrainBench say of claims that other sets are asked about as well."""

from __future__ import annotations

import re

import pandas as pd

from metacog.core.frames import with_ends
from metacog.measures.claims import OF_PEOPLE, SetClaims, by_set, claim_effects, row
from metacog.studies.study import Inputs, analysis
from metacog.studies.study8_people.areas import OWN, PEOPLE, SOURCES
from metacog.studies.study8_people.beside import TAUGHT
from metacog.studies.study8_people.rows import FILES, load

MODELS_SET, PEOPLE_SET = "BrainBench, models", f"BrainBench, {OF_PEOPLE}"
_TWO = "two kinds of questions alone"
WHY = {
    MODELS_SET: {
        "saturated": "confidence is a difference of log perplexity, no number that is stated",
        "thinking": "no model answered with thinking on and off",
        "domains": _TWO,
        "tokens": "no model states a confidence",
    },
    PEOPLE_SET: dict.fromkeys(("size", "size_equal", "thinking", "tokens"), "people are no models")
    | dict.fromkeys(("saturated", "accuracy"), "each person answered few questions")
    | {"domains": _TWO},
}
_SIZE = re.compile(r"-(\d+(?:\.\d+)?)[bB](?=-|$)")


def series_of(models: tuple[str, ...]) -> pd.DataFrame:
    """Models that differ in the size in their name, without those that the study's authors trained."""
    made = []
    for model in models:
        size = _SIZE.search(model)
        if size and not any(word in model for word in TAUGHT):
            begins, ends = model[: size.start()], model[size.end() :]
            line = f"{begins} chat" if re.search("chat|instruct", ends, re.IGNORECASE) else begins
            made.append({"model": model, "series": begins, "line": line, "billions": float(size[1])})
    return pd.DataFrame(made, columns=["model", "series", "line", "billions"])


@analysis(needs=("beside",), returns=SetClaims, files=FILES)
def claims(inputs: Inputs) -> SetClaims:
    """What do people and models on BrainBench say of claims about self-knowledge?"""
    rows = load()
    models = claim_effects(rows.models, rows.weights, stated=False, series=series_of(rows.models.models))
    areas = inputs.result("beside").areas.set_index("source").loc[SOURCES[OWN], list(with_ends(PEOPLE))]
    value, lower, upper = (float(end) - 0.5 for end in areas)
    people = row("confidence", value, lower, upper, rows.people["item"].nunique())
    return by_set({MODELS_SET: models, PEOPLE_SET: pd.DataFrame([people])}, WHY)
