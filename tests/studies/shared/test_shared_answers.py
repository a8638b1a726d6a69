"""The sentences with which pages of no one study open follow the data."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from heads_checked import faults

from metacog.report import worked
from metacog.report.measure_words import in_short
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.shared.measures import shown as measures
from metacog.studies.shared.recovery import shown as recovery
from metacog.studies.shared.speed import shown as speed
from metacog.studies.shared.speed.analysis import ratios


def rows(*lower):
    made = [(f"m{i}", 100, 0.4, 0.7 + i / 10, low, 0.95) for i, low in enumerate(lower)]
    return pd.DataFrame(made, columns="model n_trials accuracy auroc2 auroc2_lower auroc2_upper".split())


def test_own_trials_open_with_how_well_confidence_tells_right_from_wrong():
    one, chance = in_short(rows(0.6)), in_short(rows(0.4))
    assert one.startswith("m0 is right on 40 % of answers") and "70 % of the time, better than chance." in one
    assert "not clearly better than chance" in chance
    several = in_short(rows(0.6, 0.4, np.nan))
    assert "70 to 80 % of the time, best in m1; it beats chance in some models." in several
    assert "in every model" in in_short(rows(0.6, 0.7)) and "is not shown to" in in_short(rows(0.4, 0.4))
    untold = in_short(rows(np.nan))
    assert "cannot be told" in untold and untold == in_short(pd.DataFrame())
    assert [faults(text) for text in (one, chance, several, untold)] == [[]] * 4


@pytest.mark.parametrize(
    ("met", "said"),
    [(True, "Yes: with as many trials"), (False, "Not throughout: at the size of the study 1 of 2")],
)
def test_recovery_opens_with_its_targets(met, said):
    core = pd.DataFrame({"n_trials": [5000, 5000], "coverage_meta_d": [0.94, 0.951]})
    verdicts = [Verdict("r", Kind.EXPLORATORY, "", passed, name="bias") for passed in (True, met)]
    text = recovery.answer(SimpleNamespace(core=core, verdicts=verdicts))
    assert text.startswith(said) and ("94.0% to 95.1%" in text) == met and faults(text) == []


def test_measures_open_with_what_sees_the_ratings_alone():
    moves = pd.DataFrame(
        {
            "measure": ["a", "b"],
            "as it is": [1.0, 1.0],
            "half at random": [0.5, 0.5],
            "fewer ratings": [1.0, 0.5],
        }
    )
    assert worked.moved(moves) == {"half at random": ["a", "b"], "fewer ratings": ["b"]}
    result = SimpleNamespace(moves=moves, only=("a",))
    text = measures.answer(result)
    assert "of 2 measures only 1 reacts to worse ratings" in text and faults(text) == []
    assert "moves a." in measures.which(result)
    result.only = ("a", "b")
    assert "only 2 react to worse ratings" in measures.answer(result) and "move a and b." in measures.which(
        result
    )
    result.only = ()
    assert "of 2 measures none reacts to worse ratings" in measures.answer(result)


def test_speed_opens_with_the_ratios_that_its_figure_shows():
    result = SimpleNamespace(
        fits=pd.DataFrame({"what": ["peer", "one", "many"], "ratio": [1.0, 180.0, 40_000.0]}),
        sampled=pd.DataFrame({"ratio": [1.0, 51.0]}),
        collected=pd.DataFrame(
            {
                "model": ["m"] * 3,
                "who": ["us", "the paper's loop", "bare"],
                "engine_is_times": [1.0, 14.0, 0.8],
            }
        ),
    )
    drawn = ratios(result.fits, result.sampled, result.collected)
    assert list(drawn["times"]) == [40_000.0, 51.0, 14.0, 0.8]
    text = speed.answer(result)
    assert "40,000 times as fast as by metadpy" in text and faults(text) == []
