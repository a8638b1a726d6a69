"""What the scripts here share: how they are asked, and what is written beside a table of how it was made."""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.provenance import provenance

ROOT = Path(__file__).resolve().parents[1]
SIMULATIONS = ROOT / "data" / "simulations"
#: Variables for a Python of another environment: without what tells this one where to look.
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def environment(folder: Path, *packages: str) -> Path:
    """The Python of an environment that has these packages, made if it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        venv.create(folder, with_pip=True)
    subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)
    return python


def note(table: Path, facts: dict[str, Any]) -> None:
    """Write the facts beside a table."""
    table.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


class Given(argparse.Namespace):
    """The options of a script that runs: also its ``command``, and when it was ``started``."""

    def passed(self) -> float:
        """Seconds so far."""
        return time.perf_counter() - self.started

    def completed(
        self, parts: Mapping[tuple[Any, ...], Callable[[], Any]], keys: list[str], out: Path | None = None
    ) -> pd.DataFrame:
        """The table in ``out`` with the parts that it lacks, by what ``keys`` hold; each is written as it is made."""
        out = out or self.out
        table = pd.read_csv(out) if out.exists() else pd.DataFrame(columns=keys)
        done = set(table[keys].itertuples(index=False, name=None))
        for key, make in parts.items():
            if key not in done:
                made = make()
                rows = pd.DataFrame([made] if isinstance(made, dict) else made)
                table = pd.concat([table, rows], ignore_index=True) if len(table) else rows
                table.to_csv(out, index=False, float_format="%.4f")
                self.tell(", ".join(map(str, key)))
        return table

    def tell(self, what: object) -> None:
        """Print what was done, and the seconds so far."""
        print(f"{what}: {self.passed():.0f} s", flush=True)

    def write(
        self, table: pd.DataFrame, form: str | None = "%.4f", *, seed: object = None, **facts: Any
    ) -> None:
        """Write the table to ``out``, its floats in this form, and beside it how it was made; not with ``--quick``."""
        if getattr(self, "quick", False):
            print("--quick is to see that it works: nothing is written")
            return
        made_by = provenance(
            **({} if seed is None else {"seed": seed})
        )  # before the table counts as a change
        self.out.parent.mkdir(parents=True, exist_ok=True)
        table.to_csv(self.out, index=False, float_format=form)
        how = {"command": self.command, "seconds": round(self.passed())}
        note(self.out, how | facts | {"made_by": made_by})


def parsed(
    script: str,
    words: Sequence[str] | None = None,
    /,
    out: Path | None = None,
    quick: Mapping[str, Any] | None = None,
    **options: Any,
) -> Given:
    """The options of a script, by their defaults; False is a switch, and ``out`` has to be named if it has none.

    Other options are given as what ``add_argument`` takes. With ``--quick`` options are what ``quick`` says.
    """
    about = ast.get_docstring(ast.parse(Path(script).read_text(encoding="utf-8")))
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=out, required=out is None)
    for name, value in options.items():
        how = {"action": "store_true"} if value is False else {"type": type(value), "default": value}
        parser.add_argument(f"--{name.replace('_', '-')}", **(value if isinstance(value, dict) else how))
    if quick is not None:
        parser.add_argument("--quick", action="store_true", help="to see that it works; writes nothing")
    words = sys.argv[1:] if words is None else words
    command = " ".join([f"python benchmarks/{Path(script).name}", *words])
    given = parser.parse_args(words, Given(command=command, started=time.perf_counter()))
    if quick and given.quick:
        vars(given).update(quick)
    return given
