"""What a release is made of, and what is known against it: a bill of materials (CycloneDX 1.6), and pip-audit.

    python benchmarks/supply_chain.py                     (2 minutes; after `make lab`: licences are read here)
    python benchmarks/supply_chain.py --environment DIR   (keeps the environment there)

Makes an environment of its own with `cyclonedx-bom` and `pip-audit`, which are no dependencies. The bill has each
package that set-up and JupyterLab need, and those that build llama.cpp, with its checksums and its licence as the
installed package states it, and each model and set of questions of config/ with a checksum; it is held to CycloneDX's
schema. pip-audit asks PyPI, then OSV, what is known of the locks' packages. Where neither answers, that is said, and is
no pass: pip-audit itself passes over what it cannot look up and reports that nothing was found. Goes to
results/release, to be put beside a release.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from recording import CLEAN, environment

from metacog.collect.known_sets import known_sets
from metacog.collect.models import load_models
from metacog.core.paths import project_root
from metacog.install.wheels import read_lock

PACKAGES = ("cyclonedx-bom==7.5.0", "pip-audit==2.10.1")
SPEC = "1.6"
SERVICES = ("pypi", "osv")
LOCKS = ("requirements.lock", "requirements-lab.lock", "requirements-dev.lock")
#: Known vulnerabilities that concern nothing that is done here: identifier to the reason.
EXPLAINED: dict[str, str] = {}
#: Run in the environment: holds a bill to the schema, and complains.
VALIDATE = """
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1], encoding="utf-8").read())
sys.exit(str(wrong) if wrong else 0)
"""


def licences(package: str) -> list[dict[str, Any]]:
    """A package's licence as its installed metadata state it, in CycloneDX's form; none where it is not installed."""
    try:
        about = importlib.metadata.metadata(package)
    except importlib.metadata.PackageNotFoundError:
        return []
    if expression := about["License-Expression"]:
        return [{"expression": expression}]
    classified = [
        line.split(" :: ")[-1] for line in about.get_all("Classifier", []) if line.startswith("License ::")
    ]
    stated = (about["License"] or "").strip().splitlines()
    names = classified or ([stated[0]] if len(stated) == 1 else [])
    return [{"license": {"name": name}} for name in names]


def of_config() -> list[dict[str, Any]]:
    """Models and question sets that are fetched, as components."""
    found: dict[str, dict[str, Any]] = {}
    models = {name: vars(entry) for name, entry in load_models().items()}
    for file, kind, listed in (
        ("models", "machine-learning-model", models),
        ("datasets", "data", known_sets()),
    ):
        for name, entry in listed.items():
            for part in entry.get("parts") or [entry]:
                if part.get("sha256"):
                    one: dict[str, Any] = {
                        "type": kind,
                        "name": name,
                        "bom-ref": f"{file}/{part.get('file', name)}",
                    }
                    one["hashes"] = [{"alg": "SHA-256", "content": part["sha256"]}]
                    if stated := entry.get("licence"):
                        one["licenses"] = [{"license": {"name": stated}}]
                    found[one["bom-ref"]] = one  # two question sets may read one file
    return list(found.values())


def completed(bill: Mapping[str, Any]) -> dict[str, Any]:
    """The tool's bill of the lock with licences, models and question sets."""
    packages = []
    for component in bill["components"]:
        one = {
            key: value for key, value in component.items() if key != "description"
        }  # the lock's line once more
        if stated := licences(one["name"]):
            one["licenses"] = stated
        packages.append(one)
    return {**bill, "components": packages + of_config()}


def verdict(answers: Mapping[str, Any]) -> dict[str, Any]:
    """What pip-audit's answers come to."""
    reasons = {}
    for service, answer in answers.items():
        if isinstance(answer, str):
            reasons[service] = answer
            continue
        packages = answer["dependencies"]
        passed_over = {one["name"]: one["skip_reason"] for one in packages if "skip_reason" in one}
        looked_up = sum("skip_reason" not in one for one in packages)
        if not looked_up:
            first = next(iter(passed_over.values()), "it was asked about none")
            reasons[service] = f"none of {len(packages)} packages could be looked up, as in: {first}"
            continue
        known = {
            f"{one['name']} {v['id']}": EXPLAINED.get(v["id"], "")
            for one in packages
            for v in one.get("vulns", [])
        }
        return {
            "state": "found" if not all(known.values()) else "clean",
            "service": service,
            "looked_up": looked_up,
            "passed_over": passed_over,
            "known": known,
            "reasons": reasons,
        }
    nothing = {"service": "", "looked_up": 0, "passed_over": {}, "known": {}}
    return {"state": "not run", **nothing, "reasons": reasons}


def of_readers() -> str:
    """Entries of the locks that a reader may come to use: those of set-up, what builds llama.cpp, and JupyterLab's."""
    lock, lab = (project_root() / name for name in LOCKS[:2])
    builders = read_lock(lock).builders_text
    return "\n".join((lock.read_text(encoding="utf-8"), builders, lab.read_text(encoding="utf-8")))


def audited(python: Path, place: Path) -> dict[str, Any]:
    """Ask each service until one answers."""
    answers: dict[str, Any] = {}
    for service in SERVICES:
        out = place / f"{service}.json"
        locks = (project_root() / name for name in LOCKS)
        words = [word for lock in locks for word in ("--requirement", lock)] + [
            "--disable-pip",
            "--require-hashes",
        ]
        words += ["--vulnerability-service", service, "--format", "json", "--output", out]
        command = [python, "-m", "pip_audit", *words, "--progress-spinner", "off"]
        done = subprocess.run(command, capture_output=True, text=True, env=CLEAN)
        said = done.stderr.strip().splitlines() or ["it said nothing"]
        answers[service] = json.loads(out.read_text(encoding="utf-8")) if out.exists() else said[-1][:300]
        if verdict(answers)["state"] != "not run":
            break
    return verdict(answers)


def main() -> int:
    """Write both files; 1 if something is known against a package that is not explained."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--environment", type=Path)
    parser.add_argument("--out", type=Path, default=project_root() / "results" / "release")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    bill = arguments.out / f"metacog-{importlib.metadata.version('metacog')}.cdx.json"
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        python = environment(arguments.environment or place / "environment", *PACKAGES)
        (place / "readers.lock").write_text(of_readers(), encoding="utf-8")
        words = ["requirements", place / "readers.lock", "--pyproject", project_root() / "pyproject.toml"]
        words += ["--spec-version", SPEC, "--output-reproducible", "--output-file", place / "lock.json"]
        subprocess.run([python, "-W", "ignore", "-m", "cyclonedx_py", *words], check=True, env=CLEAN)
        whole = completed(json.loads((place / "lock.json").read_text(encoding="utf-8")))
        bill.write_text(json.dumps(whole, indent=1), encoding="utf-8")
        subprocess.run([python, "-c", VALIDATE, bill], check=True, env=CLEAN)
        found = audited(python, place)
    (arguments.out / "audit.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    bare = sum(1 for one in whole["components"] if not one.get("licenses"))
    print(
        f"{bill}: {len(whole['components'])} components, {bare} with no licence stated, valid CycloneDX {SPEC}"
    )
    if found["state"] == "not run":
        print(
            "pip-audit: NOT RUN. "
            + "; ".join(f"{service}: {why}" for service, why in found["reasons"].items())
        )
    else:
        passed_over = f"; passed over: {', '.join(found['passed_over'])}" if found["passed_over"] else ""
        print(f"pip-audit ({found['service']}): {found['looked_up']} packages, {found['state']}{passed_over}")
        print("\n".join(f"  {name}: {why or 'not explained'}" for name, why in found["known"].items()))
    return int(found["state"] == "found")


if __name__ == "__main__":
    sys.exit(main())
