"""The page of one model. Oracle: parts whose order is known because they were simulated so."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd

from metacog.measures.table import Options
from metacog.report.measure_verdicts import part_verdicts
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


def order_of(slopes: dict[str, float], by: str) -> pd.DataFrame:
    measured = model_measures(trials(slopes), "m", 1.0, Options(n_resamples=300, n_permutations=50))
    (finding,) = VIEWS.sentences[by](SimpleNamespace(measured=measured, judged=True))
    assert finding.passed is None
    (verdict,) = part_verdicts(getattr(measured, f"{by}s"), by, measured.orders)
    return verdict.values["order"].set_index("part")


def test_the_order_of_domains_and_temperatures_is_stated_with_its_uncertainty():
    apart = {"low": 0.2, "middle": 1.2, "high": 2.6}
    order = order_of(apart, "domain")
    assert order.loc["high", ["set_lower", "set_upper"]].tolist() == [1, 1]
    assert order.loc["low", ["set_lower", "set_upper"]].tolist() == [3, 3]
    assert (order["order_probability"] == 1).all()
    for open_ in (order_of(dict.fromkeys("abcd", 1.0), "domain"), order_of(apart, "temperature")):
        assert (open_["set_lower"] == 1).all() and (open_["set_upper"] == len(open_)).all()


def test_the_screen_splits_the_page_s_trials_at_their_median():
    measured = model_measures(trials({"a": 1.5}), "m", 1.0, Options(n_resamples=100, n_permutations=50))
    (row,) = measured.screen.to_dict("records")
    assert (row["n"], row["split"], row["TRIN"]) == (600, "median", 0.5) and row["broken"] == ""
    result = SimpleNamespace(measured=measured, judged=True)
    assert "breaks no rule" in VIEWS.sentences["screen"](result)
    assert VIEWS.tables["screen"].data(result).loc[0, "Protocol"] == "valid"
    empty = SimpleNamespace(measured=None, judged=True)
    assert VIEWS.tables["screen"].data(empty).empty and VIEWS.sentences["screen_reading"](empty) == ""
