"""Resamples of questions: the same for the same questions, each set by itself."""

import numpy as np

from metacog.measures.cell import Cell, question_resamples, resamples

ASKED = (("a", "x"), ("a", "y"), ("a", "z"), ("b", "x"), ("b", "y"))


def drawn(questions, n=200, seed=1, n_trials=0):
    return np.concatenate([*question_resamples(questions, n, seed, n_trials)])


def test_every_set_keeps_its_number_of_questions():
    weights = drawn(ASKED)
    assert (weights[:, :3].sum(axis=1) == 3).all() and (weights[:, 3:].sum(axis=1) == 2).all()


def test_a_set_is_drawn_alike_whatever_else_is_asked():
    weights = drawn(ASKED)
    assert (drawn(ASKED[3:]) == weights[:, 3:]).all()
    assert (drawn(ASKED[1:])[:, :2] != weights[:, 1:3]).any() and (drawn(ASKED, seed=2) != weights).any()
    assert (drawn(ASKED, n_trials=10**6) == weights).all()  # in other chunks


def test_a_cell_with_named_questions_counts_those_without_trials():
    score = np.array([0.2, 0.8, 0.5])
    cell = Cell(score > 0.4, score, np.array([0, 1, 1]), 2, score, np.array([0, 1, 3]), questions=ASKED)
    assert (cell.n_units, cell.n_answered, cell.clustered) == (5, 3, False)
    assert (np.concatenate([*resamples(cell, 200, 1)]) == drawn(ASKED)).all()
