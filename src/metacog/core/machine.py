"""What the machine offers."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from pathlib import Path


def available_cpus() -> int:
    """Logical processors this process may use: as many things as can run at once."""
    return max(1, min(len(_affinity()), _quota()))


def available_cores() -> int:
    """Physical cores this process may use: affinity, one a sibling pair, at most the cgroup quota."""
    return max(1, min(_physical_cores(), _quota()))


def memory_held() -> int:
    """Bytes of memory that this process holds now, files that it has mapped included; 0 if the system does not tell."""
    words = _read("/proc/self/statm").split()
    return int(words[1]) * os.sysconf("SC_PAGE_SIZE") if words else 0


def _affinity() -> set[int]:
    """Numbers of the processors this process may run on; all, where the system does not tell."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _physical_cores() -> int:
    if sys.platform == "darwin":
        # The fast ones where there are two kinds: cores that compute in step wait for the slowest.
        return _sysctl("hw.perflevel0.physicalcpu") or _sysctl("hw.physicalcpu") or os.cpu_count() or 1
    listed = "/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list"
    return len({_read(listed.format(cpu)) or str(cpu) for cpu in _affinity()})


def _sysctl(name: str) -> int:
    """A number that macOS knows of its machine, 0 if it does not."""
    try:
        found = subprocess.run(["sysctl", "-n", name], capture_output=True, text=True, timeout=10)
        return int(found.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return 0


def _quota() -> int:
    """Processors that a container may use; as good as no bound where there is none."""
    words = _read("/sys/fs/cgroup/cpu.max").split()
    if len(words) != 2 or words[0] == "max":
        return sys.maxsize
    return math.ceil(int(words[0]) / int(words[1]))


def _read(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
