"""What the machine offers."""

from __future__ import annotations

import math
import os
from pathlib import Path


def available_cores() -> int:
    """Physical cores this process may use: affinity, one a sibling pair, at most the cgroup quota."""
    if not hasattr(os, "sched_getaffinity"):
        return max(1, (os.cpu_count() or 2) // (1 if os.name == "posix" else 2))
    cpus = os.sched_getaffinity(0)
    siblings = set()
    for cpu in cpus:
        path = Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        siblings.add(path.read_text().strip() if path.exists() else str(cpu))
    cores = len(siblings)
    quota = Path("/sys/fs/cgroup/cpu.max")
    if quota.exists():
        limit, period = quota.read_text().split()[:2]
        if limit != "max":
            cores = min(cores, math.ceil(int(limit) / int(period)))
    return max(1, cores)
