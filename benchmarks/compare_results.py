"""Do two books say the same? Tables of two results folders and numbers of two sets of executed pages.

    python benchmarks/compare_results.py OLD/results/default NEW/results/default \\
        --pages OLD/_executed NEW/_executed/default

Tables are paired by what they hold, not by name: a table of the old folder is held against the new table that
has its columns and as many rows, and differs least; the order of rows does not count. Numbers of pages are
compared as they are printed, in order.
"""

from __future__ import annotations

import argparse
import difflib
import html
import re
import sys
from pathlib import Path

import nbformat
import numpy as np
import pandas as pd

NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?![\w])")


def difference(old: pd.DataFrame, new: pd.DataFrame) -> float:
    """Largest absolute difference of two tables' numbers; infinite where words or gaps differ."""
    largest = 0.0
    order = list(old.columns)
    old, new = (frame.sort_values(order, ignore_index=True) for frame in (old, new[order]))
    for column in order:
        a, b = old[column], new[column]
        if (a.isna() != b.isna()).any():
            return float("inf")
        if pd.api.types.is_numeric_dtype(a) and pd.api.types.is_numeric_dtype(b):
            gaps = np.abs(a.to_numpy(dtype=float) - b.to_numpy(dtype=float))
            largest = max(largest, float(np.nanmax(gaps)) if np.isfinite(gaps).any() else 0.0)
        elif (a.fillna("").astype(str) != b.fillna("").astype(str)).any():
            return float("inf")
    return largest


def best_match(old: pd.DataFrame, candidates: dict[Path, pd.DataFrame]) -> tuple[Path | None, float]:
    """The new table that holds an old one's columns and rows and differs least from it."""
    fitting = {
        path: difference(old, new)
        for path, new in candidates.items()
        if len(new) == len(old) and set(old.columns) <= set(new.columns)
    }
    if not fitting:
        return None, float("inf")
    return min(fitting.items(), key=lambda item: item[1])


def tables(folder: Path) -> dict[Path, pd.DataFrame]:
    """Every csv below a folder that holds a table."""
    found = {}
    for path in sorted(folder.rglob("*.csv")):
        try:
            found[path] = pd.read_csv(path)
        except pd.errors.EmptyDataError:
            continue
    return found


def printed(page: Path) -> list[str]:
    """Numbers that a page's outputs show, in order."""
    words = []
    for cell in nbformat.read(page, as_version=4).cells:
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            text = data.get("text/html") or data.get("text/markdown") or ""
            text = re.sub(
                r"<style.*?</style>|<script.*?</script>|<caption.*?</caption>", " ", text, flags=re.S
            )
            words += NUMBER.findall(html.unescape(re.sub(r"<[^>]+>", " ", text)))
    return words


def compare_pages(old: Path, new: Path) -> int:
    """Print what differs between pages of the same name; the number of pages that differ."""
    differing = 0
    for page in sorted(old.glob("*.ipynb")):
        other = new / page.name
        if not other.is_file():
            print(f"page {page.name}: not in {new}")
            differing += 1
            continue
        a, b = printed(page), printed(other)
        changes = [
            f"{' '.join(a[i:j]) or 'nothing'} -> {' '.join(b[k:m]) or 'nothing'}"
            for tag, i, j, k, m in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
            if tag != "equal"
        ]
        differing += bool(changes)
        print(f"page {page.stem}: {len(a)} numbers, {len(b)} now, {len(changes)} changes")
        for change in changes:
            print(f"    {change[:300]}")
    return differing


def main() -> int:
    """Compare, print, and say by the exit status whether anything differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--pages", type=Path, nargs=2, metavar=("OLD", "NEW"))
    parser.add_argument("--renamed", nargs="*", default=[], metavar="OLD=NEW", help="columns under new names")
    parser.add_argument("--tolerance", type=float, default=0.0)
    given = parser.parse_args()
    candidates, bad = tables(given.new), 0
    names = dict(pair.split("=") for pair in given.renamed)
    for path, frame in tables(given.old).items():
        match, size = best_match(frame, candidates)
        if match is None:
            match, size = best_match(frame.rename(columns=names), candidates)
        bad += not size <= given.tolerance
        where = match.relative_to(given.new) if match else "nowhere"
        print(f"table {path.relative_to(given.old)} -> {where}: largest difference {size:g}")
    if given.pages:
        bad += compare_pages(*given.pages)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
