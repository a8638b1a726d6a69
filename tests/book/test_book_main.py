"""``python -m metacog.book snakemake``: its status is Snakemake's, and it does not wait for Snakemake's timers."""

import subprocess
import sys
import time

import pytest

from metacog.book.making import _command

SNAKEFILE = """
rule collected:
    input: "first", "second"
rule one:
    output: "{name}"
    shell: "COMMAND"
"""


@pytest.mark.parametrize(("command", "status"), [("touch {output}", 0), ("false", 1)])
def test_it_ends_with_its_last_step(tmp_path, command, status):
    (tmp_path / "Snakefile").write_text(SNAKEFILE.replace("COMMAND", command), encoding="utf-8")
    words = _command("smoke", 1)
    words[words.index("--snakefile") + 1] = str(tmp_path / "Snakefile")
    words[words.index("--directory") + 1] = str(tmp_path)
    span = words[words.index("--max-jobs-per-timespan") + 1]
    assert span.endswith("/1m")  # what it must not wait for
    begun = time.monotonic()
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
    assert done.returncode == status, done.stderr[-800:]
    assert time.monotonic() - begun < 50
    assert (tmp_path / "first").exists() == (status == 0)
    assert sys.executable == words[0]
