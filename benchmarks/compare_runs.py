"""Compare two runs of the book: every stored table and number, every ledger row, every number on a page.

Run: python benchmarks/compare_runs.py BEFORE AFTER [--renamed FILE.yaml]
BEFORE and AFTER are folders with ``results/PROFILE/...`` and ``_executed/*.ipynb``.

A column or number of BEFORE is looked for in AFTER under the same name (or the one that the YAML file gives),
and, where names changed, by its values: a column of the same study with equal values. What has no equal is
listed, with the largest difference to its namesake.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

TOLERANCE = 1e-12
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*\.?\d*(?:e[-+]?\d+)?")


def tables(folder: Path, profile: str) -> dict[tuple[str, str, str], pd.DataFrame]:
    """Every stored table by study, result and name."""
    root = folder / "results" / profile
    found = {}
    for path in sorted(root.glob("*/*/*.parquet")):
        study, result = path.parts[-3:-1]
        found[study, result, path.stem] = pd.read_parquet(path)
    return found


def numbers(folder: Path, profile: str) -> dict[tuple[str, str, str], float]:
    """Every plain number of every stored result, at any depth but for verdicts."""
    found: dict[tuple[str, str, str], float] = {}

    def walk(value: Any, way: str, key: tuple[str, str]) -> None:
        if isinstance(value, bool) or isinstance(value, int | float):
            found[*key, way] = float(value)
        elif isinstance(value, dict):
            if "fields" in value:
                for name, inner in value["fields"].items():
                    if name not in ("verdicts", "rules"):
                        walk(inner, f"{way}.{name}".strip("."), key)
            elif "pairs" in value:
                for name, inner in value["pairs"]:
                    walk(inner, f"{way}.{name}", key)
            elif "float" in value:
                found[*key, way] = float(value["float"])

    for path in sorted((folder / "results" / profile).glob("*/*/result.json")):
        content = json.loads(path.read_text(encoding="utf-8"))["record"]
        walk(content, "", path.parts[-3:-1])
    return found


def verdicts(folder: Path, profile: str) -> dict[str, Counter]:
    """Outcomes of the verdicts of every study by hypothesis and kind, findings apart."""
    found: dict[str, Counter] = {}
    summary = json.loads((folder / "results" / profile / "summary.json").read_text(encoding="utf-8"))
    for study, about in summary["studies"].items():
        found[study] = Counter(
            f"{v['hypothesis']}, {v['kind']}: {v['passed']}"
            for one in about["results"].values()
            for v in one["verdicts"]
            if v["kind"] != "finding"
        )
    return found


def same(a: pd.Series, b: pd.Series) -> float:
    """Largest difference of two columns; infinite where they cannot be equal."""
    if len(a) != len(b):
        return np.inf
    if pd.api.types.is_numeric_dtype(a) and pd.api.types.is_numeric_dtype(b):
        x, y = a.to_numpy(dtype=float, na_value=np.nan), b.to_numpy(dtype=float, na_value=np.nan)
        if not (np.isnan(x) == np.isnan(y)).all():
            return np.inf
        with np.errstate(invalid="ignore"):
            gap = np.where(x == y, 0, abs(x - y) / np.maximum(1, abs(x)))
        return float(np.nanmax(gap, initial=0))
    return 0.0 if a.astype(str).tolist() == b.astype(str).tolist() else np.inf


def rows_compared(before: pd.DataFrame, after: pd.DataFrame) -> list[str]:
    """Differences of two ledgers, by position."""
    if len(before) != len(after):
        return [f"ledger: {len(before)} rows before, {len(after)} after"]
    found = []
    for column in before.columns.intersection(after.columns):
        gap = same(before[column], after[column])
        if gap > TOLERANCE:
            a, b = before[column].astype(str), after[column].astype(str)
            found.append(
                f"ledger, {column}: {int((a != b).sum())} rows differ (largest difference {gap:.3g})"
            )
    return found


def page_numbers(path: Path) -> Counter:
    """Numbers that a page shows: in its text, tables and figures' captions, not in its code."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found: Counter = Counter()
    for cell in cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            text = data.get("text/html") or data.get("text/markdown") or ""
            text = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]*>", " ", "".join(text), flags=re.S)
            found.update(NUMBER.findall(text))
    return found


def compare(before: Path, after: Path, profile: str, renamed: dict[str, Any]) -> list[str]:
    """Everything of BEFORE that AFTER does not hold."""
    lines, counts = [], Counter()
    old, new = tables(before, profile), tables(after, profile)
    by_study: dict[str, list[tuple[str, pd.Series]]] = {}
    for (study, result, name), frame in new.items():
        by_study.setdefault(study, []).extend((f"{result}/{name}.{c}", frame[c]) for c in frame)
    for (study, result, name), frame in old.items():
        target = renamed.get("tables", {}).get(f"{result}/{name}", f"{result}/{name}")
        twin = new.get((study, *target.split("/", 1)))
        lost = []
        for column in map(str, frame):
            counts["columns"] += 1
            gap = same(frame[column], twin[column]) if twin is not None and column in twin else np.inf
            if gap > TOLERANCE and any(
                same(frame[column], c) <= TOLERANCE for _, c in by_study.get(study, ())
            ):
                counts["columns found under another name"] += 1
                gap = 0
            if gap > TOLERANCE:
                lost.append(column if gap == np.inf else f"{column} ({gap:.3g})")
        if lost:
            lines.append(f"{study}, {result}/{name}: no equal for {', '.join(lost)}")
    a, b = numbers(before, profile), numbers(after, profile)
    values: dict[str, set[float]] = {}
    for (study, *_), value in b.items():
        values.setdefault(study, set()).add(value)
    for (study, result, way), value in a.items():
        counts["numbers"] += 1
        twin = b.get((study, result, way))
        if twin is not None and (twin == value or abs(twin - value) <= TOLERANCE * max(1, abs(value))):
            continue
        if value != value or any(
            abs(value - v) <= TOLERANCE * max(1, abs(value)) for v in values.get(study, ())
        ):
            counts["numbers found under another name"] += 1
            continue
        lines.append(f"{study}, {result}: {way} was {value!r}, is {twin!r}")
    va, vb = verdicts(before, profile), verdicts(after, profile)
    for study in va:
        counts["verdicts"] += va[study].total()
        for key in sorted((va[study] - vb.get(study, Counter())) + (vb.get(study, Counter()) - va[study])):
            lines.append(
                f"{study}, verdict {key}: {va[study][key]} before, {vb.get(study, Counter())[key]} after"
            )
    ledgers = [
        pd.read_csv(f / "results" / profile / "ledger.csv", keep_default_na=False) for f in (before, after)
    ]
    counts["ledger rows"] = len(ledgers[0])
    lines += rows_compared(*ledgers)
    for path in sorted((before / "_executed").glob("*.ipynb")):
        name = renamed.get("pages", {}).get(path.stem, path.stem)
        twin = after / "_executed" / f"{name}.ipynb"
        if not twin.is_file():
            lines.append(f"page {path.stem}: there is no {name}")
            continue
        x, y = page_numbers(path), page_numbers(twin)
        counts["numbers on pages"] += x.total()
        if x != y:
            gone, come = x - y, y - x
            lines.append(f"page {name}: gone {dict(gone.most_common(12))}, new {dict(come.most_common(12))}")
    lines.append(", ".join(f"{n:,} {what}" for what, n in counts.items()) + " compared")
    return lines


def main() -> None:
    """Print what differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--profile", default="default")
    parser.add_argument("--renamed", type=Path)
    asked = parser.parse_args()
    renamed = yaml.safe_load(asked.renamed.read_text(encoding="utf-8")) if asked.renamed else {}
    print("\n".join(compare(asked.before, asked.after, asked.profile, renamed)))


if __name__ == "__main__":
    main()
