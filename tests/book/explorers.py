"""The explorers' scripts, run by Node, and the parts of their page."""

import json
import re
import shutil
import subprocess

import pytest

from metacog.core.paths import project_root

STATIC = project_root() / "book" / "_static"
PAGE = project_root() / "book" / "explorer.md"

#: Reads one object of inputs, hands it to the expression and prints its value; numbers that JSON lacks become text.
PROGRAM = """
const M = require({math!r});
const O = require({observers!r});
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const made = ({expression})(given);
console.log(JSON.stringify(made, (_, v) => (typeof v === "number" && !Number.isFinite(v) ? String(v) : v)));
"""

needs_node = pytest.mark.skipif(
    shutil.which("node") is None,
    reason="the explorers' numbers are checked by Node, which is not on the path",
)


def node(expression, given=None):
    """Value of a JavaScript function of ``given``; ``M`` and ``O`` are the two scripts that need no page."""
    names = {name: str(STATIC / f"explorer-{name}.js") for name in ("math", "observers")}
    program = PROGRAM.format(**names, expression=expression)
    done = subprocess.run(
        ["node", "-e", program], input=json.dumps(given), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def named(attribute):
    """What the page's buttons have under an attribute."""
    return re.findall(rf'{attribute}="([^"]+)"', PAGE.read_text(encoding="utf-8"))
