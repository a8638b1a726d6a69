"""The manifest of a run: what was asked, and which parts are done."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.config import digest
from metacog.core.errors import MetacogError
from metacog.core.files import from_json, replacing, sha256_of
from metacog.core.progress import duration, remark
from metacog.engines.base import Spent

# What the manifests of runs say about them, as a table: who was asked, how many trials, and what it cost.

#: What is known of runs on an endpoint alone.
ENDPOINT = (
    "served",
    "requests",
    "tokens_hidden",
    "cost",
    "censored",
    "in_flight",
    "twice_items",
    "twice_same",
    "twice_largest",
)
COLUMNS = (
    "model",
    "dataset",
    "prompt",
    "n_trials",
    "minutes",
    "trials_per_second",
    "tokens_read",
    "tokens_written",
    "sessions",
    "damaged_parts",
    "sha256",
    "engine",
    "llama_cpp",
    *ENDPOINT,
)


def run_facts(manifests: Sequence[Mapping[str, Any]]) -> pd.DataFrame:
    """One row per run: model, checksum, trials, time, rate and tokens, from the manifests.

    Columns ``model, dataset, prompt, n_trials`` (answers, one to each sample that was asked for), ``minutes,
    trials_per_second, tokens_read, tokens_written`` (see :class:`metacog.engines.base.Spent`; NaN where a part's
    were not counted), ``sessions, damaged_parts, sha256, engine, llama_cpp``. Of runs on an endpoint, else empty or
    NaN: ``served`` (who answered, in its own words), ``requests, tokens_hidden`` and ``cost`` spent in all, tries
    again and lost answers included; ``censored`` answers, which have tokens whose log-probabilities were not told;
    ``in_flight``, the most requests at a time; ``twice_items`` asked twice, of which ``twice_same`` got the same
    answer, and the ``twice_largest`` difference between the two probabilities.
    """
    rows = []
    for manifest in manifests:
        parts = manifest["parts"].values()
        seconds = sum(part["seconds"] for part in parts)
        trials = sum(part["rows"] for part in parts)
        engine = manifest.get("engine", {})
        rows.append(
            {
                "model": manifest["config"]["model"],
                "dataset": manifest["config"]["dataset"],
                "prompt": manifest["config"]["prompt"]["id"],
                "n_trials": trials,
                "minutes": seconds / 60,
                "trials_per_second": trials / seconds if seconds else np.nan,
                **{
                    # NaN if a part lacks it, since half a sum would pass for the whole
                    name: float(sum(part.get(name, np.nan) for part in parts)) if parts else np.nan
                    for name in ("tokens_read", "tokens_written")
                },
                "sessions": len(manifest["sessions"]),
                "damaged_parts": len(manifest["damaged"]),
                "sha256": (engine.get("model_sha256") or "unknown")[:12],
                "engine": engine.get("engine", "unknown"),
                "llama_cpp": engine.get("versions", {}).get("llama-cpp-python", "unknown"),
                **_of_endpoint(manifest),
            }
        )
    return pd.DataFrame(rows, columns=list(COLUMNS))


def bill(facts: pd.DataFrame) -> str:
    """What runs took, from their facts: time of asking, answers, and what a server counts; in one line."""
    seconds, answers = 60 * facts["minutes"].sum(), int(facts["n_trials"].sum())
    text = (
        f"{answers:,} answers in {duration(seconds)} of asking, {answers / max(seconds, 1e-9):.1f} a second"
    )
    if facts["in_flight"].notna().any():
        text += f", up to {facts['in_flight'].max():.0f} requests in flight"
    tokens = facts[["tokens_read", "tokens_written"]].sum(min_count=len(facts))
    if tokens.notna().all():
        text += f"; {tokens['tokens_read']:,.0f} prompt and {tokens['tokens_written']:,.0f} answer tokens"
    if censored := int(facts["censored"].sum()):
        text += f"; {censored:,} of them have no NLP, since log-probabilities of their tokens were not told"
    cost = facts["cost"].sum()
    return f"{text}; {cost:.4g} in cost at the entry's prices" if cost else text


def _of_endpoint(manifest: Mapping[str, Any]) -> dict[str, Any]:
    if manifest.get("engine", {}).get("engine") != "endpoint":
        return {name: "" if name == "served" else np.nan for name in ENDPOINT}
    parts, spent, twice = manifest["parts"].values(), manifest.get("spent", {}), manifest.get("twice", {})
    return {
        "served": "; ".join(
            sorted({" / ".join(filter(None, one[:3])) for part in parts for one in part.get("served", ())})
        ),
        "requests": spent.get("requests", np.nan),
        "tokens_hidden": spent.get("hidden", np.nan),
        "cost": spent.get("cost", np.nan),
        "censored": sum(part.get("censored", 0) for part in parts),
        "in_flight": max((part.get("in_flight", 0) for part in parts), default=0) or np.nan,
        "twice_items": twice.get("items", np.nan),
        "twice_same": twice.get("same", np.nan),
        "twice_largest": twice.get("largest_difference", np.nan),
    }


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
_PART: dict[str, Any] = {"file": str, "sha256": str, "rows": int, "seconds": (int, float)}
#: Status of a run whose engine cannot do what the collection requires; ``left_out`` says why.
LEFT_OUT = "left out"


def run_place(config: Mapping[str, Any]) -> str:
    """A run's folder below ``runs/``, from its configuration: ``STUDY/COLLECTION/MODEL/SET-HASH``."""
    shard, shards = config["shard"]
    tail = f"-{shard + 1}of{shards}" if shards > 1 else ""
    name = f"{Path(config['dataset']).stem}-{digest(config)}{tail}"
    return f"{config['study']}/{config['collection']}/{config['model']}/{name}"


def shard_blocks(n_items: int, size: int, shard: int, shards: int) -> range:
    """Numbers of the blocks of one shard, of so many contiguous ranges."""
    n_blocks = math.ceil(n_items / size)
    return range(n_blocks * shard // shards, n_blocks * (shard + 1) // shards)


def wrong_type(manifest: Any) -> str:
    """The first field of a manifest that is missing or of a wrong type; empty if there is none."""
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
    if odd := [k for k in ("engine", "spent", "twice") if not isinstance(manifest.get(k, {}), dict)]:
        return odd[0]
    return next(
        (f"sessions.{n}" for n, one in enumerate(manifest["sessions"]) if not isinstance(one, dict)), ""
    )


def _wrong(fields: Mapping[str, Any], types: Mapping[str, Any], where: str) -> str:
    def fits(name: str) -> bool:
        value = fields.get(name)
        return isinstance(value, types[name]) and not isinstance(value, bool)

    return next((f"{where}{name}" for name in types if not fits(name)), "")


class Manifest:
    """``manifest.json`` of a run folder, rewritten atomically after every part."""

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
        stored = self._read(folder)
        if stored is None and self.path.is_file():
            remark(f"{self.path} is damaged: the replies that it vouched for are asked again")
        if stored and stored["config_hash"] != config_hash:
            raise MetacogError(
                f"{folder} holds trials of another configuration ({stored['config_hash']}, "
                f"now {config_hash}): choose another folder, or delete this one"
            )
        self.data = stored or self.data

    @staticmethod
    def stored(folder: Path) -> dict[str, Any]:
        found = Manifest._read(folder)
        if found is None:
            raise MetacogError(f"there are no replies in {folder}: run `metacog collect`")
        return found

    @staticmethod
    def _read(folder: Path) -> dict[str, Any] | None:
        """What stands in the folder's manifest; None where that is no manifest."""
        try:
            found = from_json((folder / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return None if wrong_type(found) else found

    def save(self) -> None:
        with replacing(self.path) as handle:
            json.dump(self.data, handle, indent=1)

    def part_path(self, block: int) -> Path:
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
        """Blocks that are whole by their hashes, and parts that are not, which are struck off."""
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
