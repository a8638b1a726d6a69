"""Three figures that the paper behind the toy study might have printed."""

from metacog.ledger.entry import Entry, StudyLedger, Value

STUDY = "toy study"


def entries(settings):
    """A figure that is met, one that is not, and one that waits for data."""
    return [
        Entry(STUDY, "table 1", "right answers", "kept", "0.75", Value(0.7512, "three of four")),
        Entry(STUDY, "table 1", "wrong answers", "kept", "0.50", Value(0.61, "recomputed")),
        Entry(STUDY, "table 2", "all answers", "withdrawn", "0.31", needs="the author's trials"),
    ]


LEDGER = StudyLedger(STUDY, entries)
