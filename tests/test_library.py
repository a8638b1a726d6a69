"""The package as a library: what an import loads. Oracle: `sys.modules` of a fresh interpreter."""

import subprocess
import sys

#: What is loaded when it is called, and not before.
HEAVY = ("scipy.stats", "pandas", "jax", "numba", "numpyro", "matplotlib")


def loaded_by(line):
    """Which of the heavy packages a line of code loads in a fresh interpreter."""
    code = f"import sys\n{line}\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_the_estimators_are_imported_without_what_is_slow_to_import():
    assert loaded_by("import metacog.sdt") == []
    assert loaded_by("import metacog.sdt.binning, pandas") == ["pandas"]  # what is looked for can be found
