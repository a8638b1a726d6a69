"""Ten kills on the real engine, some while a part or the manifest is written: nothing is lost or changed.

Oracle: the trials of a run that nobody disturbed, compared bit for bit.
"""

import dataclasses
import os
import random
import signal
import subprocess
import sys
import textwrap
import time

import pandas as pd
import pytest

from metacog.collect.runner import assemble, collect, make_plan
from metacog.core.config import load_profile

SCRIPT = """
    import dataclasses, os, sys, time
    from pathlib import Path
    import metacog.collect.manifest as manifest
    import metacog.trials as trials
    from metacog.collect.runner import collect, make_plan
    from metacog.core.config import load_profile

    # Writing is fast; a pause between the temporary file and its rename lets a kill fall there.
    rename = os.replace
    def slow_rename(source, target):
        time.sleep(0.15)
        rename(source, target)
    os.replace = slow_rename

    profile = dataclasses.replace(load_profile("smoke"), block_questions=4)
    collect(make_plan(profile, "smollm2-135m", "bank"), Path(sys.argv[1]), progress=False)
"""


def wait_for(condition, child, limit=60.0):
    """Poll until the condition holds or the child has ended; say whether it held."""
    end = time.monotonic() + limit
    while time.monotonic() < end and child.poll() is None:
        if condition():
            return True
        time.sleep(0.002)
    return False


@pytest.mark.timeout(900)
def test_ten_kills_on_the_real_engine(tmp_path):
    profile = dataclasses.replace(load_profile("smoke"), block_questions=4)
    plan = make_plan(profile, "smollm2-135m", "bank")
    collect(plan, tmp_path / "whole", progress=False)
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(SCRIPT))
    folder = tmp_path / "killed"
    moments = {
        "part": lambda: any((folder / "parts").glob("*.tmp*")),
        "manifest": lambda: any(folder.glob("manifest.json.tmp*")),
    }
    draw = random.Random(42)
    hits = {"part": 0, "manifest": 0, "any": 0}
    for kind in ("any", "part", "manifest", "any", "part", "manifest", "any", "part", "manifest", "any"):
        child = subprocess.Popen([sys.executable, script, folder])
        if kind == "any":
            started = wait_for(lambda: (folder / "manifest.json").exists(), child)
            time.sleep(draw.uniform(0.0, 1.5))
            hit = started and child.poll() is None
        else:
            hit = wait_for(moments[kind], child)
        hits[kind] += hit
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert hits["part"] and hits["manifest"] and hits["any"], hits
    collect(plan, folder, progress=False)
    pd.testing.assert_frame_equal(
        assemble(plan, folder), assemble(plan, tmp_path / "whole"), check_exact=True
    )
    assert not list(folder.rglob("*.tmp*"))
