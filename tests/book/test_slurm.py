"""The workflow on a Slurm of one node: the page's own commands, and what is left where a job or the head is killed.

The clone's one study is the toy study, asked in four shards by a model that comes with the book. What Slurm has made is
held to the same shards collected here, without it.
"""

import json
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import ClassVar

import pytest
from real_slurm import one_node_slurm, slurm
from toy_house import environment, lay_out, metacog

from metacog.collect.folder_lock import exclusive
from metacog.core.paths import project_root

SHARDS, ITEMS, BLOCK_ITEMS = 4, 16, 2
RECEIPTS = [f"results/toy/toy_study/replies/keep/smollm2-135m.{shard}.json" for shard in range(SHARDS)]
#: File of a clone that keeps jobs in their middle.
HOLD = "hold"
#: The plugin asks after jobs this soon, and again as late as that.
SOON = ["--slurm-init-seconds-before-status-checks", "2"]
LIMIT = 600.0

pytestmark = [pytest.mark.real, pytest.mark.timeout(3 * LIMIT)]


def page_commands(*needles):
    """Commands of the page that hold all of some words, for the toy profile."""
    page = (project_root() / "book/scale-out.md").read_text(encoding="utf-8")
    lines = "\n".join(re.findall(r"```bash\n(.*?)```", page, re.DOTALL)).splitlines()
    return [line.replace("profile=paper", "profile=toy") for line in lines if all(n in line for n in needles)]


HEAD = page_commands("workflow/profiles/slurm")[0].split()


@pytest.fixture(scope="module")
def cluster():
    with (
        tempfile.TemporaryDirectory(prefix="slurm-", dir="/tmp") as folder,
        one_node_slurm(Path(folder)) as v,
    ):
        yield v


def toy_house(folder):
    """The clone; a job there goes on after its first block only where there is no file ``HOLD``."""
    folder.mkdir()
    lay_out(folder)
    profile = folder / "config/profiles/toy.yaml"
    asked = f"toy_study: {{n_items: {ITEMS}, block_items: {BLOCK_ITEMS}}}"
    text = profile.read_text().replace("toy_study: {}", asked)
    profile.write_text(f"{text}shards: {SHARDS}\n")
    runner = folder / "src/metacog/collect/runner.py"
    asks = "        engine.serve([talk for _, _, talk in talks])\n"
    text = runner.read_text()
    assert text.count(asks) == 1
    held = f"        while manifest.data['parts'] and os.path.exists('{folder / HOLD}'):\n            time.sleep(0.2)\n"
    runner.write_text(text.replace(asks, held + asks))
    return folder


@pytest.fixture(scope="module")
def alone(cluster, tmp_path_factory):
    """Parts of the same shards, collected one after another without Slurm."""
    house = toy_house(tmp_path_factory.mktemp("alone") / "clone")
    made = metacog(house, "collect", "--profile", "toy", "--quiet")
    assert made.returncode == 0, made.stdout + made.stderr
    return parts(house)


def manifests(house):
    return [json.loads(path.read_text()) for path in sorted((house / "runs").rglob("manifest.json"))]


def parts(house):
    """Bytes of each part of all runs, by its place; each is vouched for by its manifest, no other lies there."""
    found = {str(p.relative_to(house)): p.read_bytes() for p in (house / "runs").rglob("parts/*")}
    assert len(found) == sum(len(one["parts"]) for one in manifests(house))
    return found


class Head:
    """Snakemake on the machine that submits."""

    begun: ClassVar = []

    def __init__(self, house, *more, **variables):
        self.house = house
        self.log = house / f"head-{time.time_ns()}.log"
        words = [*HEAD, *SOON, *more]
        with open(self.log, "w") as handle:
            self.process = subprocess.Popen(
                words, cwd=house, env=environment(house, **variables), stdout=handle, stderr=subprocess.STDOUT
            )
        self.begun.append(self)

    def said(self):
        logs = (self.house / ".snakemake/slurm_logs").rglob("*.log")
        return self.log.read_text() + "".join(path.read_text(errors="replace") for path in logs)

    def ended(self):
        try:
            status = self.process.wait(LIMIT)
        finally:
            self.process.kill()
        assert status == 0, self.said()[-6000:]
        return self.log.read_text()

    def until(self, found):
        """What ``found`` gives as soon as it gives anything."""
        for _ in range(int(LIMIT / 0.2)):
            if that := found():
                return that
            assert self.process.poll() is None, self.said()[-6000:]
            time.sleep(0.2)
        pytest.fail(self.said()[-6000:])

    def kill(self):
        self.process.kill()
        self.process.wait()


def at_page(house, command):
    """Give one of the page's commands in the clone."""
    subprocess.run(command, shell=True, cwd=house, env=environment(house), check=True, capture_output=True)


def running():
    """Numbers of the jobs that run."""
    return slurm("squeue", "--noheader", "--states=RUNNING", "--format=%i").split()


def facts_of(job):
    words = slurm("scontrol", "show", "job", job).split()
    return dict(word.split("=", 1) for word in words if "=" in word)


def test_the_page_s_command_makes_a_book_whose_collections_are_the_jobs_and_run_at_once(
    cluster, alone, tmp_path
):
    house = toy_house(tmp_path / "clone")
    no_accounts = subprocess.run(["sacct"], capture_output=True, text=True)
    assert no_accounts.returncode and "disabled" in no_accounts.stderr
    (house / HOLD).touch()
    head = Head(house)
    jobs = head.until(lambda: jobs if len(jobs := running()) == SHARDS else None)
    for job in jobs:
        facts = facts_of(job)
        assert facts["Partition"] == "gpu" and facts["TimeLimit"] == "08:00:00", facts
        assert facts["MinMemoryNode"] == "32000M" and facts["NumCPUs"] == "8", facts
        assert "gpu:1" in facts["TresPerNode"] and facts["Comment"].startswith("rule_collect_"), facts
        assert facts["JobName"].startswith("metacog_")
    (house / HOLD).unlink()
    said = head.ended()
    assert len(re.findall("SLURM jobid", said)) == SHARDS
    assert "your answer?" in (house / "_build/html/_executed/toy-keep.html").read_text()
    assert parts(house) == alone


def test_what_is_killed_on_a_cluster_loses_doubles_and_changes_nothing(cluster, alone, tmp_path):
    """A job is cancelled in the middle, the head killed, another begun while the jobs of the first go on."""
    house = toy_house(tmp_path / "clone")
    own = [
        "collect:slurm_partition=gpu",
        "collect:gres=gpu:1",
        "collect:constraint=tried",
        "collect:runtime=30",
        "collect:mem_mb=2000",
    ]
    options = [*RECEIPTS, "--set-resources", *own]
    (house / HOLD).touch()
    head = Head(house, *options)
    head.until(lambda: len(running()) == SHARDS)
    head.kill()
    [cancel] = page_commands("scancel")
    at_page(house, cancel)
    [unlock] = page_commands("--unlock")
    at_page(house, unlock)
    head = Head(house, *options)
    jobs = head.until(lambda: jobs if len(jobs := running()) == SHARDS else None)
    assert all((f := facts_of(j))["Features"] == "tried" and f["TimeLimit"] == "00:30:00" for j in jobs)
    head.until(lambda: len(list((house / "runs").rglob("parts/*.parquet"))) >= SHARDS)
    slurm("scancel", jobs[0])
    head.until(lambda: len(set(running()) - set(jobs)) == 1)  # it is submitted again
    head.kill()
    orphans = running()
    assert len(orphans) == SHARDS

    locked = Head(house, *options)
    assert locked.process.wait(LIMIT) and "--unlock" in locked.said()
    at_page(house, unlock)
    head = Head(house, *options)
    waiting = (
        r"waiting at most 60 minutes for another process that is collecting into \S+: process \d+ on \S+ "
    )
    head.until(lambda: {*re.findall(waiting + r"\(Slurm job (\d+)\)", head.said())} == {*orphans})
    (house / HOLD).unlink()
    head.ended()
    assert parts(house) == alone
    blocks = ITEMS // SHARDS // BLOCK_ITEMS
    for one in manifests(house):
        assert one["status"] == "complete" and one["n_items"] == ITEMS // SHARDS and not one["damaged"]
        assert len(one["parts"]) == blocks
        assert sum(session["items"] for session in one["sessions"]) == ITEMS // SHARDS
    assert all((house / receipt).is_file() for receipt in RECEIPTS)

    # a duplicate that fails takes away nothing that the first has written meanwhile
    receipt = house / RECEIPTS[0]
    (stored,) = json.loads(receipt.read_text()).values()
    receipt.unlink()
    with exclusive(house / stored["folder"]):
        head = Head(house, RECEIPTS[0], "--retries", "0", METACOG_LOCK_WAIT="12")
        head.until(lambda: f"process {os.getpid()} on " in head.said())
        receipt.write_text("of another")
        assert head.process.wait(LIMIT)
    assert "0.2 minutes" in head.said() and receipt.read_text() == "of another"
