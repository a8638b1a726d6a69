"""Files written whole or not at all. Oracle: what lies in the folder."""

from __future__ import annotations

import pytest

from metacog.core.errors import MetacogError
from metacog.core.files import from_json, replacing, shortage


def test_a_file_takes_its_place_when_it_is_whole(tmp_path):
    path = tmp_path / "new" / "notes.txt"
    with replacing(path) as handle:
        handle.write("naïve\n")
        assert not path.exists()
    assert path.read_bytes() == "naïve\n".encode()
    with replacing(path, "wb") as handle:
        handle.write(b"\x00\x01")
    assert path.read_bytes() == b"\x00\x01" and [p.name for p in path.parent.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyError("x"), KeyboardInterrupt()]
)
def test_what_fails_leaves_what_was_there(tmp_path, error):
    path = tmp_path / "notes.txt"
    path.write_text("before")
    wanted = MetacogError if isinstance(error, OSError) else type(error)
    with pytest.raises(wanted) as caught, replacing(path) as handle:
        handle.write("half")
        raise error
    assert wanted is not MetacogError or "No space left on device. Make room" in str(caught.value)
    assert path.read_text() == "before" and list(tmp_path.iterdir()) == [path]


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    path = tmp_path / "file" / "notes.txt"
    path.parent.write_text("")
    with (
        pytest.raises(MetacogError, match="could not write .*notes.txt"),
        replacing(path),
    ):
        pass


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device"), "could not write: No space left on device. Make room"),
        (
            OSError(30, "Read-only file system", "a/b"),
            "could not write a/b: Read-only file system. Make room",
        ),
        (MemoryError("Unable to allocate 8 GiB"), "memory ran out: close other programs"),
    ],
)
def test_what_lacks_is_said_with_what_to_do(error, words):
    said = shortage(error)
    assert said.startswith(words) and said.endswith("the same command goes on from there")


@pytest.mark.parametrize("error", [FileNotFoundError(2, "No such file", "x"), OSError("odd"), KeyError("x")])
def test_another_error_is_no_want_of_room(error):
    assert shortage(error) == ""


@pytest.mark.parametrize("digits", ["9" * 309, "-1" + "0" * 400])
def test_a_whole_number_that_no_float_can_be_is_infinite(digits):
    found = from_json(f'{{"a": [{digits}, 12, {"1" * 308}], "b": "{digits}"}}')
    assert abs(found["a"][0]) == float("inf") and (found["a"][0] < 0) == (digits[0] == "-")
    assert found["a"][1:] == [12, int("1" * 308)] and found["b"] == digits
    with pytest.raises(ValueError, match="digits"):
        from_json("9" * 5_000)
