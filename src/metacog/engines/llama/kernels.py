"""The kernels of a portable build.

``make setup PORTABLE=1`` builds llama.cpp's kernels once for each generation of processors, as libraries
that are chosen when the program runs. llama.cpp looks for them next to the program, which here is Python;
they lie next to llama.cpp's own library.
"""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError


def load_backends(lc: Any) -> list[Path]:
    """Load the kernels that suit this processor, where the build leaves the choice to run time."""
    folder = Path(lc.llama_cpp._base_path)
    found = sorted(folder.glob("libggml-cpu-*.so"))
    if not found:
        return []
    # through llama.cpp's own handle: libggml opened by its path would be a second copy with a list of its own
    library = lc.llama_cpp._lib
    library.ggml_backend_load_all_from_path.argtypes = [ctypes.c_char_p]
    library.ggml_backend_load_all_from_path.restype = None
    library.ggml_backend_reg_count.restype = ctypes.c_size_t
    library.ggml_backend_load_all_from_path(str(folder).encode())
    if library.ggml_backend_reg_count() == 0:
        raise MetacogError(
            f"none of the {len(found)} sets of kernels in {folder} suits this processor: "
            "run `make setup PORTABLE=0` here"
        )
    return found
