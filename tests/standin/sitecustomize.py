"""Stands in for llama.cpp in a child process: scripted answers, and death when asked for.

Python reads a module of this name at its start if its folder is on PYTHONPATH. The environment says
what is to happen: STANDIN_SIGNAL, the signal that ends the process after STANDIN_BLOCKS blocks;
STANDIN_SECONDS, how long a block takes.
"""

import os
import signal
import sys
import time
import types
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "collect"))


class LlamaEngine:
    """Made on first use, since a process that runs no engine should import none."""

    def __new__(cls, path, *, sha256=None, **settings):
        from scripted import ScriptedEngine

        class Dying(ScriptedEngine):
            def generate(self, tasks, **options):
                time.sleep(float(os.environ.get("STANDIN_SECONDS", "0")))
                if self.calls >= int(os.environ.get("STANDIN_BLOCKS", "1000000")):
                    os.kill(os.getpid(), getattr(signal, os.environ["STANDIN_SIGNAL"]))
                return super().generate(tasks, **options)

        return Dying()


module = types.ModuleType("metacog.engines.llama")
module.LlamaEngine = LlamaEngine
sys.modules["metacog.engines.llama"] = module
