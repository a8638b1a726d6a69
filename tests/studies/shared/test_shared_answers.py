"""The sentences with which pages of no one study open follow the data."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
from heads_checked import faults

from metacog.imports.own_trials import in_short
from metacog.studies.shared import speed
from metacog.studies.shared.speed import ratios


def rows(*lower):
    made = [(f"m{i}", 100, 0.4, 0.7 + i / 10, low, 0.95) for i, low in enumerate(lower)]
    return pd.DataFrame(made, columns="model n_trials accuracy auroc2 auroc2_lower auroc2_upper".split())


def test_own_trials_open_with_how_well_confidence_tells_right_from_wrong():
    one, chance = in_short(rows(0.6)), in_short(rows(0.4))
    assert "40 %" in one and "70 %" in one and "not shown" in chance and "not shown" not in one
    several = in_short(rows(0.6, 0.4, np.nan))
    assert "70 to" in several and "some models" in several
    assert "every model" in in_short(rows(0.6, 0.7)) and "not shown" in in_short(rows(0.4, 0.4))
    simulated = in_short(rows(0.6, 0.7), "the simulated ")
    assert "best in the simulated m1" in simulated and faults(simulated) == []
    untold = in_short(rows(np.nan))
    assert "cannot be" in untold and untold == in_short(pd.DataFrame())
    assert [faults(text) for text in (one, chance, several, untold)] == [[]] * 4


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
    assert speed.VIEWS.numbers(result) == {"singly": 180, "at_once": 40_000}
