"""The sentences with which pages of no one study open follow the data."""

import numpy as np
import pandas as pd
from heads_checked import faults

from metacog.imports.own_trials import in_short


def rows(*lower):
    made = [(f"m{i}", 100, 0.4, 0.7 + i / 10, low, 0.95) for i, low in enumerate(lower)]
    return pd.DataFrame(made, columns="model n_trials accuracy auroc2 auroc2_lower auroc2_upper".split())


def test_own_trials_open_with_how_well_confidence_tells_right_from_wrong():
    one, chance = in_short(rows(0.6)), in_short(rows(0.4))
    assert "40 %" in one and "70 %" in one and "not shown" in chance and "not shown" not in one
    several = in_short(rows(0.6, 0.4, np.nan))
    assert "70 to" in several and "some models" in several
    assert "every model" in in_short(rows(0.6, 0.7)) and "not shown" in in_short(rows(0.4, 0.4))
    untold = in_short(rows(np.nan))
    assert "cannot be" in untold and untold == in_short(pd.DataFrame())
    assert [faults(text) for text in (one, chance, several, untold)] == [[]] * 4
