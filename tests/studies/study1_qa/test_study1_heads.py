"""Numbers in what study 1's page on luck says. Oracle: a table made by hand."""

import numpy as np
import pandas as pd

from metacog.studies.study1_qa import luck

NAN = np.nan


def frame(columns, *rows):
    return pd.DataFrame(list(rows), columns=columns.split())


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
