"""`make quick`: the tests of what changed since the main branch, then those of its rooms, in about a minute.

A file changed under ``src/metacog/ROOM`` asks for ``tests/ROOM``, one of a study or of its chapters for
``tests/studies/STUDY``, and each for every test that imports it or names it.

Which tests are slow is known from the last run of each (``.pytest_cache``): these are left to `make test`. What has
not begun after :data:`SECONDS` is skipped and counted.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

#: Seconds after which no further test begins.
SECONDS = 45


def changed(root: Path) -> list[str]:
    """Files that differ from where this branch left the main one, committed or not."""

    def git(*words: str) -> list[str]:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
        return done.stdout.splitlines() if done.returncode == 0 else []

    bases = (git("merge-base", "HEAD", name) for name in ("main", "origin/main", "origin/HEAD"))
    since = next((base[0] for base in bases if base), "HEAD")
    found = git("diff", "--name-only", since) + git("ls-files", "--others", "--exclude-standard")
    return sorted(set(found))


def asked_by(files: Iterable[str], root: Path) -> list[str]:
    """Files of tests: those that changed, those that name what changed, those of its room, of a study the contract."""
    sources = {path: path.read_text(encoding="utf-8") for path in sorted((root / "tests").rglob("test_*.py"))}
    first, room, last = [], [], []
    for file in map(Path, files):
        if root / file in sources:
            first.append(root / file)
            continue
        names = rf"\b{re.escape(file.name)}\b"
        if file.parts[:2] == ("src", "metacog"):
            module = file.with_suffix("").parts[1:]
            package = ".".join(module[:-1] if module[-1] == "__init__" else module)
            parent, _, name = package.rpartition(".")
            names += rf"|\b{re.escape(package)}\b|from {re.escape(parent)} import .*\b{name}\b"
        elif file.parts[0] == "tests":
            names += rf"|\b(?:from|import) {re.escape(file.with_suffix('').parts[1])}\b"
        first += [path for path, text in sources.items() if re.search(names, text)]
        room += [path for path in sources if path.parent.relative_to(root) == Path("tests", room_of(file))]
        if room_of(file).startswith("studies/"):
            last += [path for path in sources if path.name == "test_contract.py"]
    return [str(path.relative_to(root)) for path in dict.fromkeys([*first, *room, *last])]


def room_of(file: Path) -> str:
    """The folder of tests that stands for a file: of its room, of its study, or of a folder of the same name."""
    match file.parent.parts:
        case "src", "metacog", "studies", study, *_:
            return f"studies/{study}"
        case "src", "metacog", room, *_:
            return room
        case "notebooks", study, *_:
            return f"studies/{study.replace('-', '_')}"
        case "tests", *folder:
            return "/".join(folder) or "nowhere"
        case folder, *_:
            return folder
    return "nowhere"


def main(words: list[str]) -> int:
    """Run them; further words go to pytest."""
    root = Path(__file__).resolve().parent.parent
    files = changed(root)
    tests = asked_by(files, root)
    print(f"{len(files)} files changed; {len(tests)} files of tests are theirs or of their rooms", flush=True)
    if not tests:
        return 0
    quick = [
        "-q",
        "-n",
        "logical",
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
        "-m",
        "not real and not proof",
    ]
    return subprocess.run(
        [sys.executable, "-m", "pytest", f"--quick={SECONDS}", *quick, *words, *tests], cwd=root
    ).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
