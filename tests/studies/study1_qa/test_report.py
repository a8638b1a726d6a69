"""Words of the chapters. Oracle: sentences written by hand."""

from metacog.core.words import listed, plural
from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.compared_signals.shown import VIEWS as SIGNALS


def test_lists_read_as_english():
    assert listed([]) == "none" and listed("ab") == "a and b" and listed("abc") == "a, b and c"
    assert plural(1, "pair") == "1 pair" and plural(1200, "pair") == "1,200 pairs"


def test_titles_name_what_they_are_about():
    lost = [
        SIGNALS.claim(
            Verdict("Signals", Kind.EXPLORATORY, "A rule.", None, name="lost", values={"signal": signal})
        )
        for signal in ("p-true", "agreement")
    ]
    assert lost == [
        "AUROC2 of NLP is higher than that of P(True)",
        "AUROC2 of NLP is higher than that of agreement",
    ]
