"""The manifest of a run: what was asked, and which parts are done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from metacog.collect.downloads import sha256_of
from metacog.core.errors import MetacogError
from metacog.core.files import replacing
from metacog.engines.base import Spent

#: Status of a run whose engine cannot do what the collection requires; ``left_out`` says why.
LEFT_OUT = "left out"


class Manifest:
    """``manifest.json`` of a run folder, rewritten atomically after every part.

    Parameters
    ----------
    folder : Path
        The run's folder; made if need be.
    config : dict
        The configuration that determines every trial.
    config_hash : str

    Raises
    ------
    MetacogError
        If the folder holds the manifest of another configuration.
    """

    def __init__(self, folder: Path, config: dict[str, Any], config_hash: str) -> None:
        self.folder = folder
        self.path = folder / "manifest.json"
        (folder / "parts").mkdir(parents=True, exist_ok=True)
        for leftover in [*folder.glob("*.tmp*"), *(folder / "parts").glob("*.tmp*")]:
            leftover.unlink(missing_ok=True)
        self.data: dict[str, Any] = {
            "schema": 1,
            "config_hash": config_hash,
            "config": config,
            "status": "new",
            "parts": {},
            "sessions": [],
            "damaged": [],
        }
        if self.path.is_file():
            try:
                stored = json.loads(self.path.read_text(encoding="utf-8"))
            except (json.JSONDecodeError, UnicodeDecodeError):
                stored = None  # parts that no manifest vouches for are collected again
            if stored is not None:
                if stored["config_hash"] != config_hash:
                    raise MetacogError(
                        f"{folder} holds trials of another configuration ({stored['config_hash']}, "
                        f"now {config_hash}): choose another folder, or delete this one"
                    )
                self.data = stored

    @staticmethod
    def stored(folder: Path) -> dict[str, Any]:
        """What a run's manifest says, read only.

        Raises
        ------
        MetacogError
            If there is none, or it cannot be read.
        """
        try:
            found: dict[str, Any] = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError, UnicodeDecodeError):
            raise MetacogError(f"there are no replies in {folder}: run `metacog collect`") from None
        return found

    def save(self) -> None:
        """Write the manifest: temporary name, flush to disk, rename."""
        with replacing(self.path) as handle:
            json.dump(self.data, handle, indent=1)

    def part_path(self, block: int) -> Path:
        """File of one block's trials."""
        return self.folder / "parts" / f"block-{block:05d}.parquet"

    def add_part(
        self,
        block: int,
        rows: int,
        seconds: float,
        spent: Spent | None = None,
        session: float | None = None,
        **facts: Any,
    ) -> None:
        """Vouch for a part that lies on the disk: the time and tokens it took, the session's start, further facts.

        Facts that are empty are left out.
        """
        path = self.part_path(block)
        tokens = {"tokens_read": spent.read, "tokens_written": spent.written} if spent else {}
        more = {"tokens_hidden": spent.hidden, "tokens_sent": spent.sent} if spent else {}
        tokens |= {name: n for name, n in more.items() if n}
        self.data["parts"][str(block)] = {
            "file": path.name,
            "sha256": sha256_of(path),
            "rows": rows,
            "seconds": round(seconds, 3),
            **tokens,
            **({"session": session} if session is not None else {}),
            **{name: value for name, value in facts.items() if value},
        }
        self.save()

    def verify(self) -> tuple[set[int], list[str]]:
        """Check every part against its hash.

        Returns
        -------
        set of int
            Blocks that are whole.
        list of str
            Parts that are missing or damaged; they are struck off and will be collected again.
        """
        whole, damaged = set(), []
        for block, part in list(self.data["parts"].items()):
            path = self.part_path(int(block))
            if path.is_file() and sha256_of(path) == part["sha256"]:
                whole.add(int(block))
            else:
                damaged.append(path.name)
                path.unlink(missing_ok=True)
                del self.data["parts"][block]
        if damaged:
            self.data["damaged"].extend(damaged)
            self.save()
        return whole, damaged
