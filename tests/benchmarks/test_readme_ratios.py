"""The README's table of ratios. Oracle: the rates in data/benchmarks, divided here."""

from __future__ import annotations

import json
import re

import pytest

from metacog.core.paths import project_root


def recorded(name):
    return json.loads((project_root() / "data" / "benchmarks" / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def told():
    """The numbers of each row of the table."""
    text = (project_root() / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .*\|$", text.partition("## How fast")[2].partition("\n## ")[0], re.M)[2:]
    return [[float(one.replace(",", "")) for one in row.split("|")[3].split(", ")] for row in rows]


def nearly(rates, digits):
    return [pytest.approx(rate, abs=0.5 * 10.0**-digits) for rate in rates]


def test_fits(told):
    found = recorded("meta_d")["against_metadpy"]
    peer = found["metadpy_fits_per_s"]
    assert told[0] == nearly([1000 / found["single_fit_ms"] / peer], 0)
    assert told[1] == nearly([found["metacog_fits_per_s"] / peer], 0) and found["metacog_fits"] == 10_000


def test_effective_draws_by_the_slower_of_our_runs(told):
    found = recorded("bayes")
    theirs = found["metadpy"]["effective"] / found["metadpy"]["seconds"]
    slower = min(one["effective"] / one["seconds"] for one in found["metacog"])
    assert told[2] == nearly([slower / theirs], 0) and slower / theirs >= 10
    assert told[3] == nearly([found["ratio_first_call"]], 1)


def test_answers_collected(told):
    results = recorded("collect")["results"]
    assert [one["model"] for one in results] == ["smollm2-135m", "gemma3-270m"]
    peers = [("paper_loop", 0), ("no_logprobs", 1), ("server", 1), ("bare", 2)]
    for row, (peer, digits) in zip(told[4:], peers, strict=True):
        ratios = [one["engine_trials_a_second"] / one[f"{peer}_trials_a_second"] for one in results]
        assert row == nearly(ratios, digits)
