"""Changes of an input by seed: of its bytes, its lines, and of the values in its JSON.

Parts of an input begin with a line ``@@ name``; what stands before the first names the form.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

MARK = b"\n@@ "
#: Values that stand in the place of one in JSON.
ODD: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 0.5, 1.5, 1e308, -9999.0, 10**400, 2**63, float("nan"), float("inf")),
    *(
        "",
        "0",
        "nan",
        "1e999",
        "../../x",
        "/etc/passwd",
        "C:\\x",
        "a" * 300,
        "\x00",
        "\ud800",
        "\u202e",
        "９",
        "½",
    ),
    *(
        [],
        {},
        [[]],
        [None],
        {"a": {}},
        ["x", "x"],
        {"": None},
        [0, 1, "2"],
        "<script>",
        "attachment://9",
        "<think>",
    ),
)
#: Pieces of text that are put in anywhere.
PIECES = (
    *(
        b"\x00",
        b"\xff",
        b"\xed\xa0\x80",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"\r",
        b"\r\n",
        b"\n\n",
        b"\t",
        b'"',
        b"'",
        b"\\",
    ),
    *(
        b",",
        b";",
        b"|",
        b"{",
        b"}",
        b"[",
        b"]",
        b":",
        b"-",
        b"%",
        b"nan",
        b"inf",
        b"1e999",
        b"-0",
        b"9" * 5000,
        b"../../",
    ),
    *(
        b"[" * 5000,
        b'{"a":' * 3000,
        b"&a [*a]",
        b"*a",
        b"!!python/object:os.system ",
        b"<<: ",
        b"!!binary ",
        b"2001-99-99",
    ),
    *(
        b"<think>",
        b"</think>",
        "◁think▷".encode(),
        b"Final:",
        b"```json\n",
        b"```",
        b"ANSWER:",
        b"\\boxed{",
        "\u0663".encode(),
    ),
)


def mutated(data: bytes, chance: random.Random, most: int = 1 << 16) -> bytes:
    """An input changed once to four times."""
    for _ in range(chance.randint(1, 4)):
        data = chance.choice(WAYS)(data, chance)
    return data[:most]


def _bytes(data: bytes, chance: random.Random) -> bytes:
    made = bytearray(data or b"\n")
    for _ in range(chance.choice((1, 1, 2, 8))):
        made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
    return bytes(made)


def _cut(data: bytes, chance: random.Random) -> bytes:
    a, b = sorted(chance.randint(0, len(data)) for _ in range(2))
    b = min(b, a + chance.choice((1, 8, 64, len(data))))
    return data[:a] + data[b:]


def _copied(data: bytes, chance: random.Random) -> bytes:
    a, b = sorted(chance.randint(0, len(data)) for _ in range(2))
    at = chance.randint(0, len(data))
    return data[:at] + data[a : min(b, a + 4000)] * chance.choice((1, 1, 2, 50)) + data[at:]


def _put(data: bytes, chance: random.Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + chance.choice(PIECES) + data[at:]


def _number(data: bytes, chance: random.Random) -> bytes:
    """Eight bytes or four of it written over with a number at the edge of its type."""
    size = chance.choice((1, 2, 4, 8))
    value = chance.choice((0, 1, 2, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**62, 2**63, 2**64 - 1))
    at = chance.randint(0, max(0, len(data) - size))
    return data[:at] + (value % 256**size).to_bytes(size, "little") + data[at + size :]


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    a, b = chance.randrange(len(lines)), chance.randrange(len(lines))
    if chance.random() < 0.3:
        lines.insert(a, lines[b])
    elif chance.random() < 0.5:
        del lines[a]
    else:
        lines[a], lines[b] = lines[b], lines[a]
    return b"\n".join(lines)


def _cells(data: bytes, chance: random.Random) -> bytes:
    """One cell of a line of a table, or one word."""
    lines = data.split(b"\n")
    at = chance.randrange(len(lines))
    comma = next((one for one in (b"\t", b",", b";", b": ") if one in lines[at]), b" ")
    cells = lines[at].split(comma)
    odd = chance.choice(ODD)
    text = odd if isinstance(odd, str) else json.dumps(odd)
    cells[chance.randrange(len(cells))] = text.encode("utf-8", "surrogatepass")
    lines[at] = comma.join(cells)
    return b"\n".join(lines)


def _json(data: bytes, chance: random.Random) -> bytes:
    """One value below one piece of JSON, whole parts or lines."""
    parts = data.split(MARK)
    at = chance.randrange(len(parts))
    head, mark, content = parts[at].partition(b"\n")
    pieces = [content] if chance.random() < 0.5 else content.split(b"\n")
    place = chance.randrange(len(pieces))
    try:
        value = json.loads(pieces[place])
    except (ValueError, RecursionError):
        return _put(data, chance)
    pieces[place] = json.dumps(_changed(value, chance)).encode()
    parts[at] = head + mark + b"\n".join(pieces)
    return MARK.join(parts)


def _changed(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.85:
        key, drawn = chance.choice(list(value)), chance.random()
        if drawn < 0.1:
            return {k: v for k, v in value.items() if k != key}
        if drawn < 0.15:
            return {str(chance.choice(ODD)) if k == key else k: v for k, v in value.items()}
        return {**value, key: _changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.85:
        at, drawn = chance.randrange(len(value)), chance.random()
        if drawn < 0.1:
            return value[:at] + value[at + 1 :]
        if drawn < 0.2:
            return [*value, value[at]]
        return [*value[:at], _changed(value[at], chance), *value[at + 1 :]]
    return chance.choice(ODD)


WAYS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_bytes, _cut, _copied, _put, _number, _lines, _cells, _cells),
    *(_json, _json, _json, _json),
)
