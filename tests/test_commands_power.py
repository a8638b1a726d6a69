"""``metacog power``. Oracle: `metacog.sdt.power`, whose own tests hold the theory."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from made_trials import simulate_table

from metacog.cli import _Group
from metacog.commands.power import command, pilot_of
from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation, clean
from metacog.imports.mapping import Columns
from metacog.sdt.power import required_trials
from metacog.trials import write_parquet

group = _Group("metacog", commands={"power": command})


def run(*words: str):
    return CliRunner().invoke(group, ["power", *words])


@pytest.fixture(scope="module")
def pilot(tmp_path_factory):
    roles = Columns("is_right", "stated", None, "topic", None, "item")
    table = simulate_table(2000)
    table = table[table["llm"] == "vague"]
    trials = clean(table, roles, Validation("x", "table"), scale="percent")
    path = tmp_path_factory.mktemp("pilot") / "trials.parquet"
    write_parquet(trials, path)
    return path


def test_widths_and_the_trials_needed():
    done = run("--value", "0.7", "--half-width", "0.03", "--trials", "200,800", "--simulations", "500")
    assert done.exit_code == 0, done.output
    need = required_trials("auroc2", value=0.7, half_width=0.03, n_simulations=500)
    assert f"{need.n_trials:,} trials" in done.output
    assert done.output.splitlines()[1].split()[0] == "200"


def test_power_of_a_difference():
    words = [
        "--measure",
        "meta_i2r_chi_square",
        "--value",
        "0.15",
        "--difference",
        "0.1",
        "--accuracy",
        "0.6",
    ]
    done = run(*words, "--trials", "1000", "--simulations", "500")
    assert done.exit_code == 0, done.output
    assert "in each group" in done.output


def test_a_pilot_is_its_own_population(pilot):
    from metacog.trials import read_trials

    trials = read_trials(pilot)
    population = pilot_of(pilot, "auroc2")
    assert population.s2.sum() == pytest.approx(trials["correct"].mean())
    assert population.s1.size == 8
    assert np.average(population.ratings, weights=population.s1 + population.s2) == pytest.approx(
        trials["confidence"].mean()
    )
    done = run("--pilot", str(pilot), "--trials", "500", "--simulations", "200", "--measure", "brier")
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        ([], "--value is needed"),
        (["--measure", "none", "--value", "1"], "no measure named 'none'"),
        (["--value", "3"], "is not attainable"),
        (["--value", "0.7", "--trials", "many"], "whole numbers"),
        (["--value", "0.7", "--correlation", "2"], "correlation must be"),
        (["--pilot", "none.parquet"], "no trial table"),
    ],
)
def test_bad_requests_are_short_errors(words, reported):
    done = run(*words)
    assert done.exit_code == 2
    assert reported in done.output
    assert "Traceback" not in done.output


def test_what_a_pilot_cannot_be(pilot):
    assert "leave --value" in run("--pilot", str(pilot), "--value", "0.7").output
    with pytest.raises(MetacogError, match="two-choice"):
        pilot_of(pilot, "m_ratio")
