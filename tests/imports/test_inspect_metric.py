"""AUROC2 as a metric of Inspect. Oracle: pairs of right and wrong answers, counted by hand."""

from __future__ import annotations

import importlib
import math
import sys
import tomllib
from types import SimpleNamespace

import pytest

from metacog.core.paths import project_root


@pytest.fixture
def measure(monkeypatch):
    """What the metric makes of scores, with a stand-in for Inspect, which tests have no need to install."""
    scorer = SimpleNamespace(metric=lambda scores: lambda made: made, Metric=object, SampleScore=object)
    monkeypatch.setitem(sys.modules, "inspect_ai", SimpleNamespace(scorer=scorer))
    monkeypatch.setitem(sys.modules, "inspect_ai.scorer", scorer)
    monkeypatch.delitem(sys.modules, "metacog.imports.inspect_metric", raising=False)
    metric = importlib.import_module("metacog.imports.inspect_metric").auroc2()
    yield lambda *told: metric([scored(*one) for one in told])
    sys.modules.pop("metacog.imports.inspect_metric", None)


def scored(value, metadata=None, own=None):
    return SimpleNamespace(score=SimpleNamespace(value=value, metadata=metadata), sample_metadata=own)


def test_pairs_are_counted(measure):
    """Of six pairs four are in order and one is tied: 4.5 of 6."""
    said = [("C", 0.9), ("C", "70%"), ("C", 0.3), ("I", 0.3), (0, 0.6)]
    told = [(value, {"confidence": sure}) for value, sure in said]
    assert measure(*told) == pytest.approx(4.5 / 6)
    left_out = [("P", {"confidence": 0}), ("C", {}), ("I", None), (None, {"confidence": 1})]
    assert measure(*told, *left_out) == pytest.approx(4.5 / 6)


def test_confidence_may_stand_in_the_value_or_with_the_sample(measure):
    in_value = [({"correct": 1, "confidence": 0.4},), ({"correct": False, "confidence": 0.6},)]
    assert measure(*in_value) == 0
    assert measure(("C", None, {"probability": 0.9}), ("I", None, {"probability": 0.6})) == 1


@pytest.mark.parametrize(
    "told",
    [
        [],
        [("C", {"confidence": 0.9}), ("C", {"confidence": 0.5})],
        [("C", {"confidence": 0.9}), ("I", None, {"confidence": 50})],
    ],
    ids=["no answers", "all right", "two scales"],
)
def test_what_has_no_area_is_no_number(measure, told):
    assert math.isnan(measure(*told))


def test_inspect_finds_it_and_writes_it_into_a_log(tmp_path):
    """Two samples, each asked twice: of the four pairs of a right and a wrong answer three are in order."""
    inspect = pytest.importorskip("inspect_ai", reason="inspect_ai is no dependency")
    from inspect_ai import dataset, log, scorer, solver

    settings = tomllib.loads((project_root() / "pyproject.toml").read_text(encoding="utf-8"))
    auroc2 = importlib.import_module(settings["project"]["entry-points"]["inspect_ai"]["metacog"]).auroc2
    surely = {("a", 1): ("C", 0.9), ("a", 2): ("I", 0.5), ("b", 1): ("C", 0.4), ("b", 2): ("I", 0.3)}

    @solver.solver
    def silent():
        async def solve(state, generate):
            return state

        return solve

    @scorer.scorer(metrics=[scorer.accuracy(), auroc2()])
    def stated():
        async def score(state, target):
            value, sure = surely[state.sample_id, state.epoch]
            return scorer.Score(value=value, metadata={"confidence": sure})

        return score

    samples = [dataset.Sample(id=name, input="?", target="x") for name in "ab"]
    task = inspect.Task(dataset=samples, solver=silent(), scorer=stated())
    (made,) = inspect.eval(task, model="mockllm/model", epochs=2, log_dir=str(tmp_path), display="none")
    parts = log.read_eval_log(made.location).results.scores
    found = {name.rpartition("/")[2]: one.value for part in parts for name, one in part.metrics.items()}
    assert found == {"accuracy": 0.5, "auroc2": 0.75}
