"""Verdicts. Oracle: lists small enough to check by eye."""

from metacog.report.verdicts import Kind, Verdict, of_kind


def test_verdicts_are_picked_by_what_they_are_not_where_they_stand():
    rule, sound = (Verdict("H2", kind, "", True, kind.value) for kind in (Kind.PREREGISTERED, Kind.SOUND))
    other = Verdict("H3", Kind.SOUND, "", None, "other", topic="criterion")
    drawn = (rule, None, sound, other)
    assert of_kind(drawn, Kind.SOUND) == (sound, other)
    assert of_kind(drawn, Kind.SOUND, hypothesis="H2") == (sound,)
    assert of_kind(drawn, Kind.PREREGISTERED, Kind.SOUND) == (rule, sound, other)
    assert of_kind(drawn, topic="criterion") == (other,)
    assert of_kind((), Kind.BESIDE) == ()
