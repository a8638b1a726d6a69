"""What the pages of the reference name, and how its examples are run."""

import doctest
import importlib
import re

from metacog.core.paths import project_root

PAGES = sorted((project_root() / "book" / "reference").glob("*.md"))


def named(directive):
    """Full names on all pages, such as those of ``autofunction``."""
    return [
        name
        for page in PAGES
        for name in re.findall(rf"^\.\. {directive}:: (\S+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    ]


def found(name):
    """What a full name stands for."""
    module, _, attribute = name.rpartition(".")
    return getattr(importlib.import_module(module), attribute)


def example_fails(name):
    """What an example prints otherwise than it says; empty where it prints what it says."""
    said = []
    runner = doctest.DocTestRunner(verbose=False)
    (example,) = doctest.DocTestFinder(recurse=False).find(found(name), name, module=False, globs={})
    runner.run(example, out=said.append)
    return "".join(said)
