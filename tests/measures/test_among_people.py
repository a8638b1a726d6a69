"""Places among people. Oracles: the committed percentiles, read with the csv module; tables by hand."""

import csv

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.cli import main
from metacog.core.errors import MetacogError
from metacog.core.paths import committed
from metacog.measures import measures_of
from metacog.measures.among_people import (
    PERCENTILES,
    WITHOUT_CHANCE,
    among_people,
    in_words,
    lines_among_people,
    placed,
)
from metacog.sdt import meta_d_observer

WHOLE = {"trials": 400, "accuracy": 0.75, "d_prime": 1.4, "m_ratio": 0.8, "auroc2": 0.7}


def ends(measure: str, domain: str = "all") -> dict[str, float]:
    with committed(PERCENTILES).open(newline="") as handle:
        (row,) = (r for r in csv.DictReader(handle) if (r["measure"], r["domain"]) == (measure, domain))
    return {name: float(value) for name, value in row.items() if name[0] == "p" and name != "people"}


def test_a_percentile_lies_at_its_place_and_what_is_beyond_at_the_ends():
    found = ends("m_ratio", "memory")
    assert among_people(list(found.values()), domain="memory") == pytest.approx(
        [int(p[1:]) / 100 for p in found]
    )
    assert among_people([-5, 5, np.nan]).tolist() == pytest.approx([0.01, 0.99, np.nan], nan_ok=True)
    half = (found["p50"] + found["p55"]) / 2
    assert among_people(half, domain="memory") == pytest.approx(0.525)
    with pytest.raises(MetacogError, match="there are:"):
        among_people(0.5, "brier")


@pytest.mark.parametrize(
    "broken", [{"trials": 99}, {"d_prime": 0.5}, {"accuracy": 0.95}, {"d_prime": np.nan}]
)
def test_only_what_meets_the_rules_of_people_has_a_place(broken):
    assert placed(WHOLE)["m_ratio"] == pytest.approx(float(among_people(0.8)))
    assert placed(WHOLE | broken) == {} and in_words(WHOLE | broken).startswith("no place")


def test_it_is_said_in_words_and_of_many_the_median():
    text = in_words(WHOLE)
    assert (
        f"{float(among_people(0.8)):.0%}" in text
        and f"{float(among_people(0.8, WITHOUT_CHANCE)):.0%}" in text
    )
    few = pd.DataFrame(
        [WHOLE | {"model": "one"}, {"model": "open", "trials": 400, "accuracy": 0.5, "auroc2": 0.7}]
    )
    first, one, other = lines_among_people(few)
    assert "Rahnev" in first and one == f"one: {text}" and other.startswith("open: no place")
    many = pd.DataFrame([WHOLE | {"model": str(i), "m_ratio": 0.5 + i / 10} for i in range(11)])
    assert (
        lines_among_people(many)[1]
        == f"median of the 11 who count as these do: {in_words(WHOLE | {'m_ratio': 1.0})}"
    )


@pytest.fixture(scope="module")
def trials() -> pd.DataFrame:
    made = meta_d_observer(1.5, m_ratio=0.8).trials(400, seed=1)
    return pd.DataFrame({"who": "a", "side": made.stimulus, "said": made.response, "sure": made.confidence})


def test_the_table_of_measures_has_the_place_on_request(trials):
    short = pd.concat([trials, trials.head(60).assign(who="b")])
    columns = {"stimulus": "side", "response": "said", "confidence": "sure", "n_resamples": 100}
    table = measures_of(short, "who", among_people=True, **columns).set_index(["who", "measure"])
    ratio = table.loc[("a", "m_ratio")]
    assert ratio["people_below"] == pytest.approx(float(among_people(ratio["estimate"], WITHOUT_CHANCE)))
    assert table.loc["b"]["people_below"].isna().all() and np.isnan(
        table.loc[("a", "d_prime"), "people_below"]
    )
    assert "people_below" not in measures_of(short, "who", **columns)
    alone = measures_of(trials, among_people=True, **columns).set_index("measure")
    assert alone.loc["m_ratio", "people_below"] == ratio["people_below"]
    with pytest.raises(ValueError, match="two-choice"):
        measures_of(trials, correct="said", confidence="sure", among_people=True)


def test_an_import_says_it_on_request(trials, tmp_path):
    file = tmp_path / "two.csv"
    trials.drop(columns="who").to_csv(file, index=False)
    options = "--stimulus side --response said --rating sure --no-bayes --no-report --n-resamples 100".split()
    asked = ["import-trials", str(file), *options, "--out", str(tmp_path / "out")]
    said = CliRunner().invoke(main, [*asked, "--among-people"])
    assert said.exit_code == 0 and "is above that of" in said.output and "Rahnev" in said.output
    assert "Rahnev" not in CliRunner().invoke(main, [*asked, "--replace"]).output
