"""The script that makes the table of words, on a small list of the source's form."""

import word_frequencies

#: Words of frequency 10^0, 10^-1.27, 10^-1.29 and 10^-3.
FREQUENCIES = [[]] * 301
FREQUENCIES[127], FREQUENCIES[129], FREQUENCIES[300] = ["the"], ["to", "00th", "and"], ["rare"]


def test_words_stand_under_their_zipf_frequency():
    assert word_frequencies.table(FREQUENCIES, 10) == "7.7 the to and\n6.0 rare\n"


def test_a_frequency_that_is_begun_is_kept_whole():
    assert word_frequencies.table(FREQUENCIES, 2) == "7.7 the to and\n"
