"""Columns that several tables of study 5 share."""

from __future__ import annotations

from metacog.report.tables import columns_of, count, limits, number, text
from metacog.studies.study5_battery.ledger.published import TRACKS

MODEL, TRACK = text("model", "Model"), text("track", "Track")
DELTA = columns_of(number("delta", "Withdraw delta", 1), limits("lower", "upper", digits=1))
BET_DELTA = columns_of(number("bet_delta", "Bet delta", 1), limits("bet_lower", "bet_upper", digits=1))
COUNTS = columns_of(count("n_correct", "Right"), count("n_incorrect", "Wrong"))
SCORES = columns_of(MODEL, (number(t, t) for t in TRACKS), number("mean", "Mean"))
