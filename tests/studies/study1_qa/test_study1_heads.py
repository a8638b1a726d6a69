"""Numbers in what study 1's page on luck says. Oracle: the committed simulations, and a table made by hand."""

import numpy as np
import pandas as pd

from metacog.studies.study1_qa import luck
from metacog.studies.study1_qa.luck import recovered

NAN = np.nan


def frame(columns, *rows):
    return pd.DataFrame(list(rows), columns=columns.split())


def test_what_is_said_of_luck_and_the_figure_is_what_was_simulated():
    """Oracle: the committed table; a figure that bounds luck from above would have no world below it."""
    rows = recovered().set_index("design")
    every, alike = (rows.loc[name] for name in (luck.ALL_WORLDS, luck.LIKE_THE_RUN))
    assert every["n_used"] == 648 and every["lowest"] < alike["lowest"] < 0 < alike["highest"]
    assert every["below_truth"] > every["short"] > 0.05 and alike["short"] == 0
    told = luck._simulated(recovered())
    assert (told["luck_less"], told["luck_more"]) == (100 * alike["highest"], -100 * alike["lowest"])
    worst = [
        rows.loc[name].set_index("quantity").filter(like="luck", axis=0).iloc[0]
        for name in (luck.WORST, luck.WORST_OF_ALL)
    ]
    for one, name in zip(worst, ("runs_short", "runs_short_of_all"), strict=True):
        assert told[name] == round(one["below_truth"] * one["n_used"])
    assert worst[0]["below_truth"] <= 0.1 < 0.3 < worst[1]["below_truth"]
    own = rows.loc[luck.WORST].set_index("quantity").filter(like="many", axis=0).iloc[0]
    assert 0.9 < own["coverage"] <= 1  # the interval is one of what it estimates


def test_the_question_asked_again_and_again():
    columns = "model question key temperature right confidence"
    rows = [
        ("m", "Who?", "Goliath", 1.0, right, sure) for right, sure in ((True, 0.9), (False, 0.5), (True, 0.4))
    ]
    told = luck._asked(frame(columns, *rows))
    assert (told["example_question"], told["n_example"]) == ("Who?", 3)
    assert (told["n_pairs"], told["n_ahead"]) == (2, 1)
    none = luck._asked(frame(columns, *rows)[:0])
    assert none["n_pairs"] == 0 and np.isnan(none["example_question"])
