"""What the machine offers, on systems that say so in different ways."""

import os
import subprocess
import sys

import pytest

from metacog.core import machine


@pytest.fixture
def files(monkeypatch):
    """Stands for the files in which Linux describes the machine."""
    found = {}
    monkeypatch.setattr(machine, "_read", lambda path: found.get(path, ""))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2, 3}, raising=False)
    return found


def test_siblings_are_one_core(files):
    for cpu, pair in enumerate(("0-1", "0-1", "2-3", "2-3")):
        files[f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list"] = pair
    assert (machine.available_cores(), machine.available_cpus()) == (2, 4)


def test_a_container_may_have_less(files):
    assert (machine.available_cores(), machine.available_cpus()) == (4, 4)
    files["/sys/fs/cgroup/cpu.max"] = "150000 100000"
    assert (machine.available_cores(), machine.available_cpus()) == (2, 2)
    files["/sys/fs/cgroup/cpu.max"] = "max 100000"
    assert machine.available_cores() == 4


@pytest.mark.parametrize(
    ("known", "cores"),
    [
        ({"hw.perflevel0.physicalcpu": "6\n", "hw.physicalcpu": "8\n"}, 6),  # fast and slow cores
        ({"hw.physicalcpu": "4\n"}, 4),  # one kind
        ({}, 8),  # not even sysctl
    ],
)
def test_macos_is_asked_with_sysctl(files, monkeypatch, known, cores):
    def sysctl(words, **_):
        if not known:
            raise FileNotFoundError("sysctl")
        return subprocess.CompletedProcess(words, 0, stdout=known.get(words[-1], ""), stderr="")

    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 8)
    monkeypatch.setattr(machine.subprocess, "run", sysctl)
    assert (machine.available_cores(), machine.available_cpus()) == (cores, 8)


def test_here_it_is_at_least_one():
    assert 1 <= machine.available_cores() <= machine.available_cpus() <= (os.cpu_count() or 1)
