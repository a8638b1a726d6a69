"""Stands in for llama.cpp in a child process: scripted answers, and death when asked for.

Python reads a module of this name at its start if its folder is on PYTHONPATH. The environment says
what is to happen: STANDIN_SIGNAL, the signal that ends the process after STANDIN_BLOCKS blocks;
STANDIN_SECONDS, how long a block takes; STANDIN_HUNGRY, the block for which it takes more memory than it may.
"""

import os
import signal
import sys
import time
import types
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))


def starve():
    """Take a gigabyte where 64 MB more are allowed."""
    import resource

    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + 2**26, resource.getrlimit(resource.RLIMIT_AS)[1]))
    bytearray(2**30)


class LlamaEngine:
    """Made on first use, since a process that runs no engine should import none."""

    def __new__(cls, path, *, n_batch=1, width=1, n_seq=1, n_gpu_layers=0, flash_attn=True, sha256=None):
        from stub_engine import StubEngine

        class Dying(StubEngine):
            def serve(self, conversations):
                time.sleep(float(os.environ.get("STANDIN_SECONDS", "0")))
                if self.calls >= int(os.environ.get("STANDIN_BLOCKS", "1000000")):
                    os.kill(os.getpid(), getattr(signal, os.environ["STANDIN_SIGNAL"]))
                if self.calls == int(os.environ.get("STANDIN_HUNGRY", "-1")):
                    starve()
                return super().serve(conversations)

        return Dying()


module = types.ModuleType("metacog.engines.llama")
module.LlamaEngine = LlamaEngine
sys.modules["metacog.engines.llama"] = module
