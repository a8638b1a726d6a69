"""``metacog doctor``: is this installation fit to make the book, and what is to be mended?"""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from metacog.core.death import REBUILD
from metacog.core.errors import MetacogError
from metacog.core.paths import cache_dir, data_home, project_root

#: Free disk that a default book needs after installation, in GB (runs, executed chapters, pages).
DISK_GB = 2.0
#: Free memory that the larger embedded model needs, in GB.
MEMORY_GB = 3.0


@dataclass(frozen=True)
class Check:
    """One thing looked at: what was found, whether it will do, and how to mend it."""

    name: str
    ok: bool
    found: str
    remedy: str = ""


def examine() -> list[Check]:
    """Run every check; none of them raises."""
    checks = []
    for name, look in _CHECKS.items():
        try:
            checks.append(look())
        except MetacogError as error:
            checks.append(Check(name, False, str(error), "see the message"))
        except Exception as error:  # a check must never hide the others
            checks.append(Check(name, False, f"{type(error).__name__}: {error}", "run `make setup` again"))
    return checks


def locked_versions(lock: Path) -> dict[str, list[str]]:
    """Package name to the versions that a lock allows."""
    found: dict[str, list[str]] = {}
    for line in lock.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?==([^ ;]+)", line):
            found.setdefault(match[1].lower().replace("_", "-"), []).append(match[2])
    return found


def _python() -> Check:
    version = sys.version.split()[0]
    remedy = "install Python 3.11, 3.12 or 3.13, and set up with `make setup PYTHON=python3.12`"
    return Check("Python", (3, 11) <= sys.version_info < (3, 14), version, remedy)


def _packages() -> Check:
    names = ("requirements.lock", "requirements-lab.lock", "requirements-dev.lock")
    locks = [project_root() / name for name in names]
    wanted = {name: some for lock in locks if lock.is_file() for name, some in locked_versions(lock).items()}
    wrong = []
    for distribution in importlib.metadata.distributions():
        name = (distribution.metadata["Name"] or "").lower().replace("_", "-")
        if (distribution.read_text("INSTALLER") or "").strip() == "conda":
            continue  # environment.yml leaves these to conda; llama.cpp is proved below
        if name in wanted and distribution.version not in wanted[name] and name not in {"pip", "setuptools"}:
            wrong.append(f"{name} {distribution.version} (lock: {', '.join(wanted[name])})")
    here = {(d.metadata["Name"] or "").lower().replace("_", "-") for d in importlib.metadata.distributions()}
    needed = ["numpy", "scipy", "pandas", "jax", "llama-cpp-python", "jupyter-book", "papermill"]
    missing = [name for name in needed if name not in here]
    found = (
        "as locked"
        if not wrong and not missing
        else "; ".join([*wrong[:5], *(f"{m} missing" for m in missing)])
    )
    return Check("packages", not wrong and not missing, found, "run `make setup`")


def _llama() -> Check:
    """Which build stands here and whether it fits; it is not loaded, for it might take doctor with it."""
    from metacog.install.wheels import read_record

    version = importlib.metadata.version("llama-cpp-python")
    prefix = Path(sys.prefix)
    record = read_record(prefix)
    if record is None:
        return Check("llama.cpp", True, f"llama-cpp-python {version}, not built by `make setup`")
    found = f"llama-cpp-python {version}, built {record.title} ({record.processor})"
    troubles = record.troubles(prefix)
    if record.version != version:
        troubles.append(f"`make setup` had installed {record.version}")
    if record.passed_over:
        found += f"; passed over: {'; '.join(record.passed_over)}"
    return Check("llama.cpp", not troubles, "; ".join([found, *troubles]), REBUILD)


def _decoding() -> Check:
    """The embedded models decode, each in a process of its own, as their recorded values say."""
    from metacog.collect.proving import prove_model, recorded_models

    proofs = [prove_model(name) for name in recorded_models()]
    wrong = [f"{proof.model} {proof.why}" for proof in proofs if not proof.right]
    if not proofs:
        return Check("decoding", False, "no model with recorded values is here", "see `models`")
    if wrong:
        return Check("decoding", False, "; ".join(wrong), REBUILD)
    worst = max(proof.largest_difference or 0.0 for proof in proofs)
    names = ", ".join(proof.model for proof in proofs)
    return Check("decoding", True, f"{names}: log-probabilities within {worst:.2f} of the recorded ones")


def _models() -> Check:
    from metacog.collect.models import get_model, locate
    from metacog.core.config import load_profile

    found, wrong = [], []
    for name in load_profile("default").models:
        try:
            entry = get_model(name)
            if entry.is_endpoint:
                found.append(f"{name} (endpoint)")
            else:
                locate(entry)
                found.append(name)
        except MetacogError as error:
            wrong.append(str(error))
    if wrong:
        return Check("models", False, "; ".join(wrong), "run `make setup`, or mend the file in config/models")
    return Check("models", True, f"{', '.join(found)}: files there, checksums right")


def _questions() -> Check:
    from metacog.collect.questions import load_questions

    return Check("question bank", True, f"{len(load_questions('bank'))} questions")


def _configuration() -> Check:
    from metacog.collect.models import load_models
    from metacog.core.config import load_profile, load_yaml

    load_models()
    folder = project_root() / "config"
    names = sorted(p.stem for p in (folder / "profiles").glob("*.yaml"))
    for name in names:
        load_profile(name)
    for name in ("prompts", "datasets", "chapters"):
        load_yaml(folder / f"{name}.yaml", name)
    return Check("configuration", True, f"profiles {', '.join(names)}")


def _disk() -> Check:
    free = shutil.disk_usage(project_root()).free / 1e9
    return Check(
        "disk", free >= DISK_GB, f"{free:.1f} GB free", f"make room: a default book needs {DISK_GB:.0f} GB"
    )


def _cache() -> Check:
    folder = cache_dir()
    folder.mkdir(parents=True, exist_ok=True)
    writable = os.access(folder, os.W_OK)
    return Check("cache", writable, str(folder), "make it writable, or set METACOG_CACHE to another folder")


def _memory() -> Check:
    if not hasattr(os, "sysconf") or "SC_AVPHYS_PAGES" not in os.sysconf_names:
        return Check("memory", True, "not known on this system")
    free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    return Check(
        "memory", free >= MEMORY_GB, f"{free:.1f} GB free", f"close programs: {MEMORY_GB:.0f} GB are needed"
    )


def _data() -> Check:
    home = data_home()
    return Check(
        "other people's data", True, str(home) if home else "none here; fetched when a profile asks for it"
    )


def _mathjax() -> Check:
    version = importlib.metadata.version("sphinx-mathjax-offline")
    return Check("MathJax for offline pages", True, f"sphinx-mathjax-offline {version}")


_CHECKS: dict[str, Callable[[], Check]] = {
    "Python": _python,
    "packages": _packages,
    "llama.cpp": _llama,
    "models": _models,  # fetches those that are not here: what decodes comes after it
    "decoding": _decoding,
    "configuration": _configuration,
    "question bank": _questions,
    "disk": _disk,
    "memory": _memory,
    "cache": _cache,
    "MathJax for offline pages": _mathjax,
    "other people's data": _data,
}
