"""Own confidence, second opinions and all together: against plain numpy, and what must not matter."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from metacog.measures.model_items import ModelItems
from metacog.measures.whom_to_ask import COLUMNS, KS, WAYS, whom_to_ask
from metacog.sdt import InputError, auroc2_interval, delong_paired

N = 300


def trials(n_models: int = 7, n: int = N, seed: int = 1, **changed: object) -> pd.DataFrame:
    """Models of as many families that read one ease and their own luck, four options, A is right."""
    rng = np.random.default_rng(seed)
    ease, luck = rng.normal(size=n), rng.normal(size=(n_models, n))
    right = ease + luck > 0
    answer = np.where(right, "A", np.array(list("BCD"))[rng.integers(0, 3, size=right.shape)])
    table = pd.DataFrame(
        {
            "model": np.repeat([f"m{i}" for i in range(n_models)], n),
            "question_id": np.tile([f"q{i:04d}" for i in range(n)], n_models),
            "correct": right.ravel().astype(float),
            "confidence": np.round(ease + luck + rng.normal(size=right.shape), 1).ravel(),
            "answer": answer.ravel(),
        }
    )
    return table.assign(**changed)


def items(**options: object) -> ModelItems:
    return ModelItems.of(trials(**options), answer="answer")  # type: ignore[arg-type]


def area(right: np.ndarray, score: np.ndarray) -> float:
    """Share of pairs of a right and a wrong answer that the score orders rightly, ties one half."""
    gap = score[right][:, None] - score[~right][None]
    return float(((gap > 0) + 0.5 * (gap == 0)).mean())


def at(found, way: str, k: int) -> pd.Series:
    table = found.table
    (row,) = table[(table["way"] == way) & (table["k"] == k)].iloc
    return row


def test_every_way_stands_for_every_model_with_its_number_of_opinions():
    found = whom_to_ask(items(), ks=(1, 2), n_draws=5, small=["m1", "m2", "m3"], tokens=np.arange(7.0))
    assert tuple(found.table.columns) == COLUMNS
    seen = set(zip(found.table["way"], found.table["k"], strict=True))
    assert seen == {("own", 0), ("all", 6), ("together", 6), *product(WAYS[:3] + WAYS[4:6], (1, 2))}
    assert (found.table["flag"] == "").all()
    assert list(found.worth["model"]) == [f"m{i}" for i in range(7)]


def test_agreement_with_one_and_with_all_is_what_plain_counting_gives():
    made = items()
    found = whom_to_ask(made, models=["m0"], ks=(1,), n_draws=400)
    right = made.right[0] > 0
    same = made.answer[1:] == made.answer[0]
    singles = [area(right, one.astype(float)) for one in same]
    agreement, everybody, own = at(found, "agreement", 1), at(found, "all", 6), at(found, "own", 0)
    assert agreement["auroc2"] == pytest.approx(np.mean(singles), abs=4 * np.std(singles) / 20)
    assert (agreement["least"], agreement["most"]) == pytest.approx((min(singles), max(singles)))
    assert everybody["auroc2"] == pytest.approx(area(right, same.sum(axis=0)))
    interval = auroc2_interval(right, same.sum(axis=0))
    assert (everybody["auroc2_lower"], everybody["auroc2_upper"]) == pytest.approx(interval.ends)
    gap = delong_paired(right, made.confidence[0], same.sum(axis=0))
    assert tuple(everybody[["own_less", "own_less_lower", "own_less_upper"]]) == pytest.approx(
        (gap.difference, gap.lower, gap.upper)
    )
    assert own["auroc2"] == pytest.approx(area(right, made.confidence[0]))


def test_messages_for_what_cannot_be_asked():
    table = trials()
    for changed, words in (
        (table[table["model"] == "m0"], "one model, m0"),
        (table.assign(correct=1.0), "no model can be judged; m0: fewer than 10"),
        (table.assign(question_id=table["model"] + table["question_id"]), "no model of another family"),
    ):
        with pytest.raises(InputError, match=words):
            whom_to_ask(ModelItems.of(changed, answer="answer"))
    with pytest.raises(InputError, match="confidence holds no number, but for instance 'high'"):
        ModelItems.of(table.assign(confidence="high"), answer="answer")
    with pytest.raises(InputError, match="agreement needs the answers"):
        whom_to_ask(ModelItems.of(table))
    with pytest.raises(InputError, match="ks must be"):
        whom_to_ask(items(), ks=(2, 1))


def test_constant_confidence_leaves_the_others_to_ask():
    made = items()
    flat = replace(made, confidence=np.where(np.arange(7)[:, None] == 0, 1.0, made.confidence))
    found = whom_to_ask(flat, models=["m0"], ks=KS[:2], n_draws=4)
    assert at(found, "own", 0)["flag"] == "one confidence throughout"
    assert at(found, "agreement", 2)["auroc2"] > 0.6
    assert found.worth["flag"].item() == "own confidence orders nothing"
