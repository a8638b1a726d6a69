"""What is in the rows. Oracle: rows from which it is known what was taken."""

import numpy as np
import pytest
from simulated_frontier import frontier_trials

from metacog.studies.study6_frontier.ledger.rows import Rows, load
from metacog.studies.study6_frontier.reading import numbers, reading


def reading_of(trials):
    return reading(None, rows=Rows(trials, len(trials), 0, ""))


def test_the_atlas_is_read_as_it_is():
    made = reading(None)
    assert (made.n_partial, made.n_shared, made.n_no_answer, made.n_imputed) == (12, 129, 13, 980)
    assert made.share_at_100 * (47_151 - 980) == pytest.approx(15_892, abs=200)
    assert numbers(made) == {"n_stated": 520}


def test_partial_runs_lack_questions_in_stretches():
    """The page says so: as runs do that broke off."""
    trials = load().trials
    lacks = trials.pivot(index="question_id", columns="model", values="correct").isna()
    lacks = lacks.loc[:, lacks.any()].astype(int)
    stretches = lacks.iloc[0] + (np.diff(lacks, axis=0) == 1).sum(axis=0)
    assert lacks.shape[1] == 12 and lacks.sum().max() == 902 and stretches.max() < 10


def test_a_run_that_broke_off_is_partial_and_whole_runs_are_not():
    trials = frontier_trials()
    lost = (trials["model"] == "GPT-5.4") & (trials["question_id"] >= "0200")
    made, whole = reading_of(trials[~lost]), reading_of(trials)
    assert (made.n_partial, made.n_shared) == (1, 200) and (whole.n_partial, whole.n_shared) == (0, 300)
    assert whole.n_imputed == 0
