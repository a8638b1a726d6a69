"""Random tables of right or wrong by high or low confidence, with what the package validity-screen says of them.

Run in an environment of its own, since the package is no dependency (the table's first line names the versions):

    python -m venv /tmp/screen && /tmp/screen/bin/pip install validity-screen==0.1.0
    /tmp/screen/bin/python benchmarks/screen_agreement.py [--tables 500]

Writes data/simulations/screen_agreement.csv, which a test compares with metacog.sdt.screen. The package gives no
index where a cell is below five, and no interval of TRIN, whose two limits are TRIN itself.
"""

from __future__ import annotations

import argparse
import csv
import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

OUT = Path(__file__).resolve().parents[1] / "data" / "simulations" / "screen_agreement.csv"
SEED = 20260420
SIZES = (48, 100, 524, 524, 1500)
INDICES = {"L": "L", "Fp": "Fp", "RBS": "rbs", "TRIN": "trin", "r": "r_conf_correct"}
COLUMNS = (
    "right_high",
    "wrong_high",
    "right_low",
    "wrong_low",
    "tier",
    *(f"{index}{end}" for index in INDICES for end in ("", "_lower", "_upper")),
)


def random_table(rng: np.random.Generator) -> np.ndarray:
    """Counts of right-high, wrong-high, right-low, wrong-low; every tier is met."""
    n = int(rng.choice(SIZES))
    accuracy = rng.beta(4, 2)
    high, kind = rng.beta(2, 1), rng.integers(3)
    wrong_high = (high, rng.beta(2, 1), rng.uniform(0.9, 1))[kind]
    right_high = (high, rng.beta(2, 1), rng.uniform(0.3, 1))[kind]
    cells = (
        accuracy * right_high,
        (1 - accuracy) * wrong_high,
        accuracy * (1 - right_high),
        (1 - accuracy) * (1 - wrong_high),
    )
    return rng.multinomial(n, cells)


def expected(cells: np.ndarray) -> dict[str, object]:
    """What the package returns for one table."""
    from validity_screen import screen

    correct = np.repeat([True, False, True, False], cells)
    made = screen(correct, np.repeat([True, True, False, False], cells))
    row: dict[str, object] = dict(zip(COLUMNS, [*map(int, cells), made.tier.lower()], strict=False))
    for ours, theirs in INDICES.items():
        found = getattr(made, theirs)
        for end, field in (("", "value"), ("_lower", "ci_lower"), ("_upper", "ci_upper")):
            row[ours + end] = "" if found is None else f"{getattr(found, field):.10g}"
    return row


def main() -> int:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    rng = np.random.default_rng(SEED)
    rows = [expected(random_table(rng)) for _ in range(arguments.tables)]
    versions = ", ".join(f"{p} {version(p)}" for p in ("validity-screen", "numpy", "scipy"))
    with arguments.out.open("w", newline="", encoding="utf-8") as handle:
        command = f"python benchmarks/screen_agreement.py --tables {arguments.tables}"
        handle.write(f"# {command}; seed {SEED}; {versions}\n")
        writer = csv.DictWriter(handle, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print({tier: sum(r["tier"] == tier for r in rows) for tier in sorted({str(r["tier"]) for r in rows})})
    return 0


if __name__ == "__main__":
    sys.exit(main())
