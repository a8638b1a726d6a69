"""Notes between processes: whole lines only, none without a reader."""

from metacog.core.events import EVENTS, STEP, Follower, emit


def test_nothing_is_written_where_nobody_reads(tmp_path, monkeypatch):
    monkeypatch.delenv(EVENTS, raising=False)
    monkeypatch.chdir(tmp_path)
    emit("start", name="x")
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_no_reason_to_stop(tmp_path, monkeypatch):
    monkeypatch.setenv(EVENTS, str(tmp_path / "none" / "notes"))
    emit("start", name="x")
    assert not list(tmp_path.iterdir())


def test_a_follower_reads_what_is_new_and_leaves_half_a_line(tmp_path, monkeypatch):
    path = tmp_path / "notes"
    follower = Follower(path)
    assert follower.new() == []
    monkeypatch.setenv(EVENTS, str(path))
    monkeypatch.setenv(STEP, "7")
    emit("start", name="ä")
    (event,) = follower.new()
    assert (event.kind, event.step, event.facts) == ("start", "7", {"name": "ä"})
    assert follower.new() == []
    line = path.read_bytes()
    with open(path, "ab") as handle:
        handle.write(line[:-5])
        handle.flush()
        assert follower.new() == []
        handle.write(line[-5:])
    assert len(follower.new()) == 1


def test_half_a_note_of_a_killed_process_costs_no_other(tmp_path, monkeypatch):
    path = tmp_path / "notes"
    monkeypatch.setenv(EVENTS, str(path))
    emit("start", name="one")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    emit("end", name="two")
    assert [event.facts for event in Follower(path).new()] == [{"name": "two"}]
