"""The page of one model. Oracle: parts whose order is known because they were simulated so."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd

from metacog.measures.table import Options
from metacog.studies.shared.model_page.measures import model_measures
from metacog.studies.shared.model_page.shown import VIEWS


def trials(slopes: dict[str, float], n: int = 600) -> pd.DataFrame:
    """One model whose confidence tells right from wrong better in some domains, at two temperatures."""
    rng = np.random.default_rng(4)
    frames = []
    for temperature in (0.5, 1.0):
        for i, (domain, slope) in enumerate(slopes.items()):
            correct = rng.random(n) < 0.5
            frames.append(
                pd.DataFrame(
                    {
                        "model": "m",
                        "domain": domain,
                        "temperature": temperature,
                        "correct": correct,
                        "question_id": [f"{i}-{k}" for k in range(n)],
                        "nlp": -np.exp(rng.normal(size=n) - slope * correct),
                    }
                )
            )
    made = pd.concat(frames, ignore_index=True)
    return made.assign(confidence=np.exp(made["nlp"]))


def sentences_on(slopes: dict[str, float], topic: str) -> str:
    measured = model_measures(trials(slopes), "m", 1.0, Options(n_resamples=300, n_permutations=50))
    findings = VIEWS.sentences[topic](SimpleNamespace(measured=measured, judged=True))
    return " ".join(finding.sentence for finding in findings)


def test_the_order_of_domains_and_temperatures_is_stated_with_its_uncertainty():
    apart = {"low": 0.2, "middle": 1.2, "high": 2.6}
    text = sentences_on(apart, "domain")
    assert "high place 1 of 3; low place 3 of 3" in text
    assert "The order of all 3 is found again in 100 % of resamples" in text
    equal = sentences_on({"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}, "domain")
    assert "No two domains can be told apart" in equal
    assert "overlap" not in text + equal
    assert "No two temperatures can be told apart" in sentences_on(apart, "temperature")
