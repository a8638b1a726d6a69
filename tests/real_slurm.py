"""Slurm of one node on loopback, with GPUs that it only declares.

Wants root and Debian's packages slurmctld, slurmd, slurm-client, slurm-wlm-basic-plugins and munge, of which no daemon
may run yet. A test that wants it is skipped, with the reason, where one of these is missing.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest

#: Where the programs look for their settings: Snakemake's plugin takes SLURM_CONF out of the environment of jobs.
SETTINGS_FOLDER = Path("/etc/slurm")
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sacct")
GPUS = 8
SLURM_CONF = """\
ClusterName=one
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmdParameters=config_overrides
StateSaveLocation={folder}/ctld
SlurmdSpoolDir={folder}/d
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=2,bf_interval=2
ReturnToService=2
MinJobAge=300
KillWait=5
AccountingStorageType=accounting_storage/none
GresTypes=gpu
NodeName={host} NodeAddr=127.0.0.1 CPUs=64 RealMemory=300000 Gres=gpu:{gpus} Feature=tried State=UNKNOWN
PartitionName=gpu Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def slurm(*words):
    """What a command of Slurm prints."""
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=True).stdout.strip()


def why_not():
    """Why there can be no Slurm here; empty if there can."""
    missing = [
        name for name in PROGRAMS if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None
    ]
    if missing:
        return f"Slurm is not installed: {', '.join(missing)} missing"
    if os.geteuid():
        return "only root can start a Slurm"
    there = SETTINGS_FOLDER / "slurm.conf"
    return f"this machine has a Slurm: {there}" if os.path.lexists(there) else ""


@contextlib.contextmanager
def one_node_slurm(folder):
    """A Slurm whose files lie in a folder with a short name (its socket's is bounded); gives its version."""
    if why := why_not():
        pytest.skip(why)
    for name in ("ctld", "d"):
        (folder / name).mkdir(parents=True)
    with socket.socket() as one, socket.socket() as other:
        for free in (one, other):
            free.bind(("127.0.0.1", 0))
        ports = [free.getsockname()[1] for free in (one, other)]
    host = socket.gethostname().partition(".")[0]
    (folder / "slurm.conf").write_text(SLURM_CONF.format(host=host, folder=folder, ports=ports, gpus=GPUS))
    (folder / "gres.conf").write_text(f"Name=gpu File={folder}/gpu[0-{GPUS - 1}]\n")
    for number in range(GPUS):
        (folder / f"gpu{number}").touch()
    key = folder / "munge.key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    munge = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "log", "seed", "pid")]
    commands = (
        ["munged", "--force", "--foreground", f"--socket={folder}/munge.socket", *munge],
        ["slurmctld", "-D"],
        ["slurmd", "-D", "-N", host],
    )
    SETTINGS_FOLDER.mkdir(exist_ok=True)
    links = [SETTINGS_FOLDER / name for name in ("slurm.conf", "gres.conf")]
    for link in links:
        link.symlink_to(folder / link.name)
    paths = os.environ | {"PATH": f"{os.environ['PATH']}:/usr/sbin"}
    daemons = []
    try:
        for command in commands:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            daemons.append(subprocess.Popen(command, env=paths, **quiet))
            time.sleep(0.5)
        for _ in range(120):
            told = subprocess.run(["sinfo", "--noheader", "--format=%T"], capture_output=True, text=True)
            if told.stdout.strip() == "idle":
                break
            time.sleep(0.5)
        else:
            pytest.fail("the node did not come up: " + (folder / "slurmctld.log").read_text()[-2000:])
        yield slurm("sbatch", "--version")
        slurm("scancel", "--user=root")
        time.sleep(1)
    finally:
        for link in links:
            link.unlink()
        for daemon in reversed(daemons):
            daemon.terminate()
            daemon.wait(30)
