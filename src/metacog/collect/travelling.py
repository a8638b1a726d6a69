"""What the manifest of a run that travels must hold, and what it must not: a machine's paths, and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from metacog.collect.manifest import shard_blocks

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


def lacking_block(manifest: Mapping[str, Any]) -> int | None:
    """The first block that a run lacks although its manifest calls it complete, if it lacks one.

    None, too, where the configuration does not say how many items there are, as in a collection whose items are
    picked by another's trials.
    """
    config = manifest["config"]
    n_items, size = config.get("n_items"), config.get("block")
    if manifest["status"] != "complete" or not isinstance(n_items, int) or not isinstance(size, int):
        return None
    shard, shards = config["shard"]
    blocks = shard_blocks(n_items, max(1, size), shard, max(1, shards))
    return next((block for block in blocks if str(block) not in manifest["parts"]), None)


def machine_path(value: Any) -> str:
    """The first text below a value that names a path of a machine; empty if none does."""
    return next((text for _, text in _texts(value) if "\n" not in text and MACHINE_PATH.search(text)), "")


def key_field(value: Any) -> str:
    """Name of the first field below a value that holds a key, or what looks like one; empty if none does."""
    return next(
        (name for name, text in _texts(value) if text and (KEY_FIELD.search(name) or KEY.search(text))), ""
    )


def _texts(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for inner, below in value.items():
            yield from _texts(below, str(inner))
    elif isinstance(value, list):
        for below in value:
            yield from _texts(below, name)
    elif isinstance(value, str):
        yield name, value
