"""What is asked of the head of a page. Oracle: heads read by eye."""

from heads_checked import faults, numbers_of


def test_a_head_is_read_as_it_is_written():
    assert faults("At temperature 1, 12 of 85 points are luck.") == ["3 numbers"]
    assert faults("Qwen2.5-1.5B knows 8 of its 10 errors.") == []
    assert faults("It holds by H1 at T = 1.") == ["H1", "T = "]
    assert faults(" ".join(["word"] * 26)) == ["26 words"]
    assert numbers_of("0.85, .79 and 1,000 (-3 %)") == ["0.85", ".79", "1,000", "-3"]
