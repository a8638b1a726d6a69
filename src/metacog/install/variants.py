"""The ladder: ways to build llama.cpp, the fastest that should work first, the safest last.

A build is proved by a decode before it is kept (:mod:`metacog.install.climbing`), so a rung may turn out
wrong; the next one asks less of the processor and of the compiler.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from metacog.install.processor import Compiler, Processor

#: Every build: no compiler cache (ours holds whole wheels), and no library for pictures, which nothing here uses.
COMMON = ("-DGGML_CCACHE=OFF", "-DLLAVA_BUILD=OFF")

#: gcc drops the stores that fill the configuration of AMX's tiles, and the first matrix product dies.
#: Both flags are needed; they cost the other kernels speed, so only AMX's own files get them.
KEEP_STORES = ("-fno-tree-dse", "-fno-dse")

NO_AMX = ("-mno-amx-tile", "-mno-amx-int8", "-mno-amx-bf16")

_X86_SETS = ("SSE42", "AVX", "AVX2", "BMI2", "FMA", "F16C")


@dataclass(frozen=True)
class Variant:
    """One way to build llama.cpp, with CMake's options; the title completes "llama.cpp built ...".

    A ``native`` build holds the instructions of the processor it was built on, a ``portable`` one chooses them when it
    runs; ``guards_amx`` if AMX's files are compiled with :data:`KEEP_STORES`.
    """

    name: str
    title: str
    options: tuple[str, ...]
    native: bool = False
    guards_amx: bool = False
    portable: bool = False


def ladder(processor: Processor, compiler: Compiler, *, portable: bool = False) -> list[Variant]:
    """Variants worth trying on this processor with this compiler, best first.

    With ``portable`` it begins with the build that chooses its instructions when it runs, and leaves out those that
    are for this processor alone.
    """
    rungs = _portable(processor, compiler) if portable else _native(processor, compiler)
    if processor.architecture == "x86":
        if processor.has_avx2:
            rungs.append(Variant("avx2", "with AVX2 and nothing newer", _x86_sets("ON")))
        rungs.append(Variant("generic", "for any x86-64 processor, without AVX", _x86_sets("OFF")))
    else:
        # Metal and Accelerate go with the last rung on macOS: it asks of the machine as little as can be.
        plain = ("-DGGML_NATIVE=OFF", "-DGGML_METAL=OFF", "-DGGML_BLAS=OFF", "-DGGML_ACCELERATE=OFF")
        rungs.append(Variant("generic", f"for any {processor.architecture} processor", plain))
    return [replace(rung, options=COMMON + rung.options) for rung in rungs]


def _native(processor: Processor, compiler: Compiler) -> list[Variant]:
    plain = ("-DGGML_NATIVE=ON",)
    if not processor.has_amx or not compiler.accepts(*NO_AMX):
        return [Variant("native", "for this processor", plain, native=True)]
    off = " ".join(NO_AMX)
    without = (*plain, f"-DCMAKE_C_FLAGS={off}", f"-DCMAKE_CXX_FLAGS={off}")
    guarded = compiler.family == "gcc"
    return [
        Variant("native-amx", "for this processor, with AMX", plain, native=True, guards_amx=guarded),
        Variant("native-no-amx", "for this processor, without AMX", without, native=True),
    ]


def _portable(processor: Processor, compiler: Compiler) -> list[Variant]:
    options = ("-DGGML_NATIVE=OFF", "-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON")
    # Python looks for llama.cpp's libraries in the package; the kernels must lie next to them.
    placed = ("-DCMAKE_INSTALL_BINDIR=llama_cpp/lib", "-DCMAKE_INSTALL_LIBDIR=llama_cpp/lib")
    guarded = processor.architecture == "x86" and compiler.family == "gcc"
    title = "to choose its instructions when it runs"
    return [Variant("portable", title, options + placed, guards_amx=guarded, portable=True)]


def _x86_sets(state: str) -> tuple[str, ...]:
    return ("-DGGML_NATIVE=OFF", *(f"-DGGML_{name}={state}" for name in _X86_SETS))
