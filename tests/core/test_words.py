"""Words of sentences. Oracle: sentences written by hand."""

from metacog.core.words import listed, plural


def test_lists_read_as_english():
    assert listed([]) == "none" and listed("ab") == "a and b" and listed("abc") == "a, b and c"
    assert plural(1, "pair") == "1 pair" and plural(1200, "pair") == "1,200 pairs"
