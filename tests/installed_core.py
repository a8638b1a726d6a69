"""What `pip install .` brings: this package's dependencies and, of these, all that they require in turn.

Run as a program, it hides every other package of the environment and goes on with the file that is named.
"""

import runpy
import sys
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]


def project():
    """The table `project` of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def required():
    """Names of the distributions, from the metadata of those that are installed here."""
    found, ahead = set(), [(Requirement(line), "") for line in project()["dependencies"]]
    while ahead:
        requirement, extra = ahead.pop()
        name = canonicalize_name(requirement.name)
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": extra})):
            continue
        found.add(name)
        ahead += [
            (Requirement(line), extra)
            for line in distribution(name).requires or []
            for extra in ["", *requirement.extras]
        ]
    return found


class Hidden:
    """Finds nothing of the packages that are installed here beside those of the core."""

    def __init__(self):
        core = required() | {"metacog"}
        self.names = {
            module
            for module, brought_by in packages_distributions().items()
            if not core & {canonicalize_name(name) for name in brought_by}
        }

    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in self.names:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


if __name__ == "__main__":
    sys.meta_path.insert(0, Hidden())
    del sys.argv[0]
    runpy.run_path(sys.argv[0], run_name="__main__")
