"""Items asked again. Oracle: the stub engine, which gives the same reply to the same request every time."""

import dataclasses
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from stub_engine import StubEngine
from test_runner import QA, smoke, toy_plan

from metacog.collect.plan import make_plan
from metacog.collect.runner import collect
from metacog.core.errors import MetacogError

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import reproduction as measured
from recollect import COLUMNS, drawn, recollect
from reproduction import reproduction


class Other(StubEngine):
    """Takes the last option, and is surer of it."""

    def reply(self, request, prompt):
        made = super().reply(request, prompt)
        if not hasattr(made, "chosen"):
            return made
        sure = tuple(0.9 if o == made.options[-1] else 0.1 / (len(made.options) - 1) for o in made.options)
        return dataclasses.replace(made, chosen=made.options[-1], probabilities=sure)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    plan = toy_plan()
    folder = plan.folder(tmp_path_factory.mktemp("recollect"))
    collect(plan, folder, engine=StubEngine(), progress=False)
    return plan, folder


def judged(made, key=("question_id",)):
    return reproduction(
        made.stored, made.again, made.trials_stored, made.trials_again, key=key, n_resamples=500
    )


def test_the_columns_are_those_that_are_compared():
    assert COLUMNS == measured.COLUMNS


def test_the_same_engine_gives_the_same_replies(run):
    made = recollect(*run, StubEngine(), 10, seed=1)
    pd.testing.assert_frame_equal(made.stored, made.again)
    pd.testing.assert_frame_equal(made.trials_stored, made.trials_again)
    assert len(made.items) == made.trials_again["question_id"].nunique() == 10
    assert judged(made).holds is True
    options = made.stored[made.stored["kind"] == "choose"].groupby(["item", "step", "index"])
    assert np.allclose(options["probability"].sum(), 1) and (options["chosen"].sum() == 1).all()


def test_another_engine_is_found_out(run):
    made = judged(recollect(*run, Other(), 24, seed=1))
    by_name = {one.name: one for one in made.quantities}
    assert made.holds is False and by_name["choices: same option"].holds is False
    assert by_name["same request"].value < 1  # the second turn quotes the first


def test_the_seed_draws_the_items_whatever_the_engine(run):
    plan, folder = run
    first, again, other = ([n for n, _ in drawn(plan, folder, 8, seed)] for seed in (1, 1, 2))
    assert first == again == sorted(first) and first != other and len(set(first)) == 8
    assert len(drawn(plan, folder, 99, 1)) == 24


def test_items_that_are_asked_otherwise_today_are_not_drawn(run):
    _, folder = run
    assert {n for n, _ in drawn(toy_plan(n_items=30), folder, 30, 1)} == set(range(24))
    nobody = toy_plan()
    items = tuple(SimpleNamespace(**vars(item) | {"question": "What?"}) for item in nobody.items)
    with pytest.raises(MetacogError, match="none of the stored replies"):
        drawn(dataclasses.replace(nobody, items=items), folder, 3, 1)


def test_drawn_texts_and_scores_are_laid_side_by_side(tmp_path):
    plan = make_plan(QA, "open", smoke(block_items=7), "smollm2-135m", "bank")
    collect(plan, tmp_path, engine=StubEngine(), progress=False)
    made = recollect(plan, tmp_path, StubEngine(), 9, seed=1)
    assert len(made.stored) == 18 and set(made.stored["temperature"]) == {0.7, 1.0}
    by_name = {one.name: one for one in judged(made, plan.collection.key).quantities}
    assert (by_name["texts drawn: identical"].value, by_name["texts drawn: identical"].n) == (1, 18)
    assert by_name["trials: difference in accuracy"].n == 18
