"""Croissant metadata of the data in the repository, read by MLCommons' own reader, record by record.

Run: python benchmarks/croissant_reader.py                    (a minute or two; needs a network, once)
     python benchmarks/croissant_reader.py --environment DIR  (keeps the environment there)
     python benchmarks/croissant_reader.py --extra FILE       (another croissant.json too, such as a rendered book's)
Makes an environment of its own with `mlcroissant`, which is no dependency. In it every data/*/croissant.json is
validated and all records of all tables are read, checksums included. Their numbers, and the values of the fields that
identify them, are compared with what pandas reads here. Writes data/benchmarks/croissant_reader.json, with the digest
of each metadata file that was validated. Status 1 where anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
OUT = ROOT / "data" / "benchmarks" / "croissant_reader.json"
PACKAGES = ("mlcroissant==1.1.1", "pyarrow")


# --- in the environment that has mlcroissant


def read_all(paths: list[str]) -> dict[str, Any]:
    """What the reader says of each metadata file: errors, warnings, records and their digests by record set."""
    import mlcroissant

    found = {}
    for path in paths:
        dataset = mlcroissant.Dataset(path)
        issues = dataset.metadata.ctx.issues
        sets = {}
        for one in dataset.metadata.record_sets:
            records = list(dataset.records(record_set=one.uuid))
            fields = [field.uuid for field in one.fields]
            sets[one.uuid] = {
                "records": len(records),
                "fields": len(fields),
                "values": [told(record.get(fields[0])) for record in records],
            }
        found[path] = {
            "name": dataset.metadata.name,
            "errors": sorted(issues.errors),
            "warnings": sorted(issues.warnings),
            "sets": sets,
        }
    return found


def told(value: Any) -> str:
    """A value as text."""
    return value.decode() if isinstance(value, bytes) else str(value)


# --- here


def expected(path: Path) -> dict[str, list[str]]:
    """The first field of every record of each table, as pandas reads it."""
    import pandas as pd

    readers = {
        "application/jsonlines": lambda file: pd.read_json(file, lines=True, dtype=False),
        "text/csv": lambda file: pd.read_csv(file, dtype=str),
        "application/x-parquet": pd.read_parquet,
    }
    said = json.loads(path.read_text(encoding="utf-8"))
    formats = {one["@id"]: one["encodingFormat"] for one in said["distribution"]}
    found = {}
    for one in said["recordSet"]:
        first = one["field"][0]
        file = first["source"]["fileObject"]["@id"]
        table = readers[formats[file]](path.parent / file)
        found[one["@id"]] = [str(value) for value in table[first["source"]["extract"]["column"]]]
    return found


def main() -> int:
    """Make the environment, validate and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path)
    parser.add_argument("--extra", type=Path, action="append", default=[])
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--inside", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        out, *paths = arguments.inside
        Path(out).write_text(json.dumps(read_all(paths)), encoding="utf-8")
        return 0
    paths = [*sorted((ROOT / "data").rglob("croissant.json")), *(path.resolve() for path in arguments.extra)]
    with tempfile.TemporaryDirectory() as place:
        environment = arguments.environment or Path(place) / "environment"
        python = environment / "bin" / "python"
        if not python.exists():
            venv.create(environment, with_pip=True)
            subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
        answer = Path(place) / "answer.json"
        clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        subprocess.run([python, __file__, "--inside", answer, *paths], check=True, cwd=place, env=clean)
        said = json.loads(answer.read_text(encoding="utf-8"))
        asked = (
            "import json, platform as p, importlib.metadata as m; "
            "print(json.dumps([m.version('mlcroissant'), p.python_version()]))"
        )
        version, of_python = json.loads(
            subprocess.run(
                [python, "-c", asked], capture_output=True, check=True, cwd=place, env=clean
            ).stdout
        )
    made = {}
    for path in paths:
        found, wanted = said[str(path)], expected(path)
        differences = [name for name in wanted if found["sets"].get(name, {}).get("values") != wanted[name]]
        made[path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else path.name] = {
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
            "errors": found["errors"],
            "warnings": found["warnings"],
            "records": {name: one["records"] for name, one in found["sets"].items()},
            "differences": differences,
        }
    result = {
        "command": "python benchmarks/croissant_reader.py",
        "metadata": made,
        "versions": {
            "mlcroissant": version,
            "python of mlcroissant": of_python,
            "python": platform.python_version(),
        },
    }
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    for name, found in made.items():
        print(name, {key: value for key, value in found.items() if key != "sha256"})
    return 1 if any(one["errors"] or one["differences"] for one in made.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
