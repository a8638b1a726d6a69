"""Ten kills on the real engine, some while a part or the manifest is written: nothing is lost or changed.

Oracle: the replies of a run that nobody disturbed, compared bit for bit; for study 1's open answers and
for the toy study's conversations of two and three turns.
"""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pandas as pd
import pytest
from toy_study import STUDY as TOY

from metacog.collect.plan import make_plan
from metacog.collect.runner import collect
from metacog.core.config import load_profile
from metacog.studies import get_study

HERE = Path(__file__).parent


def plan_of(kind):
    """Ten small blocks of one-turn questions, or four of conversations."""
    if kind == "toy":
        profile = load_profile(str(HERE.parent / "toy_study" / "profile.yaml"))
        return make_plan(TOY, "keep", profile, "smollm2-135m", "items")
    profile = load_profile("smoke")
    profile.studies["study1_qa"]["block_items"] = 4
    return make_plan(get_study("study1_qa"), "open", profile, "smollm2-135m", "bank")


SCRIPT = """
    import os, sys, time
    from pathlib import Path
    sys.path[:0] = [{here!r}, {tests!r}]
    from test_kill_real_engine import collect, plan_of

    # Writing is fast; a pause between the temporary file and its rename lets a kill fall there.
    rename = os.replace
    def slow_rename(source, target):
        time.sleep(0.15)
        rename(source, target)
    os.replace = slow_rename
    collect(plan_of(sys.argv[2]), Path(sys.argv[1]), progress=False)
"""


def wait_for(condition, child, limit=60.0):
    """Poll until the condition holds or the child has ended; say whether it held."""
    end = time.monotonic() + limit
    while time.monotonic() < end and child.poll() is None:
        if condition():
            return True
        time.sleep(0.002)
    return False


@pytest.mark.real
@pytest.mark.timeout(900)
@pytest.mark.parametrize("kind", ["open", "toy"])
def test_ten_kills_on_the_real_engine(tmp_path, kind):
    plan = plan_of(kind)
    collect(plan, tmp_path / "whole", progress=False)
    script = tmp_path / "killed.py"
    script.write_text(textwrap.dedent(SCRIPT.format(here=str(HERE), tests=str(HERE.parent))))
    folder = tmp_path / "killed"
    moments = {
        "part": lambda: any((folder / "parts").glob("*.tmp*")),
        "manifest": lambda: any(folder.glob("manifest.json.tmp*")),
    }
    draw = random.Random(42)
    hits = {"part": 0, "manifest": 0, "any": 0}
    for moment in ("any", "part", "manifest", "any", "part", "manifest", "any", "part", "manifest", "any"):
        child = subprocess.Popen([sys.executable, script, folder, kind])
        if moment == "any":
            started = wait_for(lambda: (folder / "manifest.json").exists(), child)
            time.sleep(draw.uniform(0.0, 1.5))
            hit = started and child.poll() is None
        else:
            hit = wait_for(moments[moment], child)
        hits[moment] += hit
        if child.poll() is None:
            os.kill(child.pid, signal.SIGKILL)
        child.wait()
    assert hits["part"] and hits["manifest"] and hits["any"], hits
    collect(plan, folder, progress=False)
    for part in sorted((tmp_path / "whole" / "parts").iterdir()):
        whole, killed = (pd.read_parquet(f) for f in (part, folder / "parts" / part.name))
        pd.testing.assert_frame_equal(whole, killed, check_exact=True)
    assert not list(folder.rglob("*.tmp*"))
