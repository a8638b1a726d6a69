"""The launcher adds flags to AMX's files and to no others. Oracle: the words a compiler is called with."""

import subprocess

import pytest

from metacog.install.variants import KEEP_STORES
from metacog.install.wheels import LAUNCHER


@pytest.mark.parametrize(
    ("source", "guarded"),
    [
        ("/tmp/req build/vendor/llama.cpp/ggml/src/ggml-cpu/amx/mmq.cpp", True),
        ("/tmp/req build/vendor/llama.cpp/ggml/src/ggml-cpu/amx/amx.cpp", True),
        ("/tmp/req build/vendor/llama.cpp/ggml/src/ggml-cpu/repack.cpp", False),
        ("/tmp/req build/vendor/llama.cpp/src/models/amx/gemma3.cpp", False),
    ],
)
def test_flags_land_on_amx_alone(tmp_path, source, guarded):
    launcher = tmp_path / "launcher.sh"
    launcher.write_text(LAUNCHER.format(flags=" ".join(KEEP_STORES)))
    words = [
        "printf",
        "%s\\n",
        "-I",
        "/x/ggml-cpu/amx",
        "-o",
        "CMakeFiles/ggml-cpu/amx/mmq.cpp.o",
        "-c",
        source,
    ]
    done = subprocess.run(["/bin/sh", str(launcher), *words], capture_output=True, text=True, check=True)
    given = done.stdout.splitlines()
    assert given[: len(words) - 2] == words[2:], "every word as it was, spaces and all"
    assert given[len(words) - 2 :] == (list(KEEP_STORES) if guarded else [])
