"""What the manifest of a run that travels must hold, and what it must not: a machine's paths, and keys."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

#: What a path of somebody's machine looks like in a manifest.
MACHINE_PATH = re.compile(r"(?:^|[\s\"'=:])(?:~|/(?!/)[\w.-]+/|[A-Za-z]:\\)")
#: Names of fields that hold a key to somebody's service.
KEY_FIELD = re.compile(
    r"(?:api|access|private|secret)[_-]?key|(?:access|auth|bearer|api)[_-]?token|password|secret|authorization",
    re.IGNORECASE,
)
#: What such a key looks like: as a header sends it, or with the prefix of a service.
KEY = re.compile(
    r"\bbearer\s+\S{8,}|\b(?:sk|pk|rk|hf|gh[opsu]|xox[abp])[-_][A-Za-z0-9_-]{16,}", re.IGNORECASE
)

_NUMBER = (int, float)
#: Types of a manifest's fields, of those of its configuration, and of each part.
_FIELDS: dict[str, Any] = {
    "config": dict,
    "config_hash": str,
    "status": str,
    "parts": dict,
    "sessions": list,
    "damaged": list,
}
_CONFIG: dict[str, Any] = {"study": str, "collection": str, "model": str, "dataset": str, "shard": list}
_PART: dict[str, Any] = {"file": str, "sha256": str, "rows": int, "seconds": _NUMBER}


def wrong_type(manifest: Any) -> str:
    """The first field of a manifest that is missing or of a wrong type; empty if there is none.

    Parameters
    ----------
    manifest : Any
        As JSON gave it.
    """
    if not isinstance(manifest, dict):
        return "manifest"
    if found := _wrong(manifest, _FIELDS, "") or _wrong(manifest["config"], _CONFIG, "config."):
        return found
    shard = manifest["config"]["shard"]
    if len(shard) != 2 or not all(isinstance(n, int) and not isinstance(n, bool) for n in shard):
        return "config.shard"
    for block, part in manifest["parts"].items():
        if not re.fullmatch(r"0|[1-9]\d{0,4}", block) or not isinstance(part, dict):
            return f"parts.{block}"
        if found := _wrong(part, _PART, f"parts.{block}."):
            return found
    return next(
        (f"sessions.{n}" for n, one in enumerate(manifest["sessions"]) if not isinstance(one, dict)), ""
    )


def _wrong(fields: Mapping[str, Any], types: Mapping[str, Any], where: str) -> str:
    def fits(name: str) -> bool:
        value = fields.get(name)
        return isinstance(value, types[name]) and not isinstance(value, bool)

    return next((f"{where}{name}" for name in types if not fits(name)), "")


def lacking_blocks(manifest: Mapping[str, Any]) -> list[int]:
    """Blocks that a run lacks although its manifest calls it complete.

    None where the configuration does not say how many items there are, as in a collection whose items are
    picked by another's trials.
    """
    config = manifest["config"]
    n_items, size = config.get("n_items"), config.get("block")
    if manifest["status"] != "complete" or not isinstance(n_items, int) or not isinstance(size, int):
        return []
    shard, shards = config["shard"]
    n_blocks = math.ceil(n_items / max(1, size))
    start, stop = (n_blocks * k // max(1, shards) for k in (shard, shard + 1))
    return [block for block in range(start, stop) if str(block) not in manifest["parts"]]


def machine_path(value: Any) -> str:
    """The first text below a value that names a path of a machine; empty if none does."""
    return next((text for _, text in _texts(value) if "\n" not in text and MACHINE_PATH.search(text)), "")


def key_field(value: Any) -> str:
    """Name of the first field below a value that holds a key, or what looks like one; empty if none does."""
    return next(
        (name for name, text in _texts(value) if text and (KEY_FIELD.search(name) or KEY.search(text))), ""
    )


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """All texts below a value, each with the name of its field."""
    if isinstance(value, Mapping):
        for inner, below in value.items():
            yield from _texts(below, str(inner))
    elif isinstance(value, list):
        for below in value:
            yield from _texts(below, name)
    elif isinstance(value, str):
        yield name, value
