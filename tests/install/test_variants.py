"""Flags by processor and compiler. Oracle: /proc/cpuinfo texts of known processors, and the ladder that
each needs: AMX mended under gcc alone, nothing newer than the processor has, a safe rung at the end."""

from pathlib import Path

import pytest

from metacog.install.processor import Compiler, family_of, from_cpuinfo, from_sysctl, this_processor
from metacog.install.variants import NO_AMX, ladder

TEXTS = Path(__file__).parent / "cpuinfo"


class FakeCompiler(Compiler):
    """A compiler that is never run: it knows AMX or it does not."""

    knows_amx = True

    def accepts(self, *flags):
        return self.knows_amx


GCC = FakeCompiler(("g++",), "gcc", "g++ (Debian 12.2.0-14) 12.2.0")
CLANG = FakeCompiler(("clang++",), "clang", "Debian clang version 14.0.6")


def processor(name):
    text = (TEXTS / f"{name}.txt").read_text()
    if "sysctl" in name:
        return from_sysctl(text, "arm" if "apple" in name else "x86")
    return from_cpuinfo(text, "arm" if "neoverse" in name else "x86")


def names(machine, compiler=GCC, **more):
    return [variant.name for variant in ladder(processor(machine), compiler, **more)]


def test_amx_is_mended_under_gcc_and_compiled_out_next():
    first, second, *_ = rungs = ladder(processor("sapphire-rapids"), GCC)
    assert [rung.name for rung in rungs] == ["native-amx", "native-no-amx", "avx2", "generic"]
    assert first.guards_amx and "-DGGML_NATIVE=ON" in first.options
    assert not any("amx" in option for option in first.options)
    off = " ".join(NO_AMX)
    assert {f"-DCMAKE_C_FLAGS={off}", f"-DCMAKE_CXX_FLAGS={off}", "-DGGML_NATIVE=ON"} <= set(second.options)
    assert not any(rung.guards_amx for rung in rungs[1:])


def test_clang_needs_no_mending_but_has_the_same_ladder():
    rungs = ladder(processor("sapphire-rapids"), CLANG)
    assert [rung.name for rung in rungs] == ["native-amx", "native-no-amx", "avx2", "generic"]
    assert not any(rung.guards_amx for rung in rungs)


def test_a_compiler_too_old_for_amx_is_not_given_its_flags():
    old = FakeCompiler(("g++",), "gcc", "g++ 9.4.0")
    object.__setattr__(old, "knows_amx", False)
    rungs = ladder(processor("sapphire-rapids"), old)
    assert [rung.name for rung in rungs] == ["native", "avx2", "generic"]
    assert not any("amx" in option for rung in rungs for option in rung.options)


@pytest.mark.parametrize(
    ("machine", "expected"),
    [
        ("zen4", ["native", "avx2", "generic"]),
        ("core-i5-mac-sysctl", ["native", "avx2", "generic"]),
        ("sandy-bridge", ["native", "generic"]),
        ("atom", ["native", "generic"]),
        ("neoverse-n1", ["native", "generic"]),
        ("apple-m2-sysctl", ["native", "generic"]),
    ],
)
def test_ladders_ask_for_nothing_the_processor_lacks(machine, expected):
    assert names(machine) == expected


def test_the_last_rung_of_x86_has_no_avx_and_that_of_arm_no_x86_options():
    x86 = ladder(processor("zen4"), GCC)[-1].options
    assert {"-DGGML_NATIVE=OFF", "-DGGML_AVX=OFF", "-DGGML_AVX2=OFF", "-DGGML_FMA=OFF"} <= set(x86)
    arm = ladder(processor("apple-m2-sysctl"), CLANG)[-1].options
    assert "-DGGML_NATIVE=OFF" in arm and "-DGGML_METAL=OFF" in arm
    assert not any("AVX" in option for option in arm)


@pytest.mark.parametrize("machine", ["zen4", "sapphire-rapids", "neoverse-n1"])
def test_portable_holds_no_build_for_this_processor_alone(machine):
    first, *rest = ladder(processor(machine), GCC, portable=True)
    assert {"-DGGML_NATIVE=OFF", "-DGGML_BACKEND_DL=ON", "-DGGML_CPU_ALL_VARIANTS=ON"} <= set(first.options)
    assert first.guards_amx == (machine != "neoverse-n1")  # it may run where AMX is, whoever built it
    assert not any(variant.native for variant in (first, *rest))


def test_processors_are_read():
    xeon = processor("sapphire-rapids")
    assert (xeon.name, xeon.has_amx, xeon.has_avx2) == (
        "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz",
        True,
        True,
    )
    assert {"amx_int8", "avx512_vnni", "sse4_2", "pni"} <= xeon.instructions
    assert not {"md_clear", "hypervisor", "constant_tsc", "pcid"} & xeon.instructions
    arm = processor("neoverse-n1")
    assert arm.name == "arm, implementer 0x41, part 0xd0c"
    assert "asimddp" in arm.flags and "ssbs" not in arm.flags, "what one core lacks is not there"
    apple = processor("apple-m2-sysctl")
    assert apple.name == "Apple M2" and "feat_i8mm" in apple.flags and "feat_sme" not in apple.flags
    assert {"avx", "avx2", "fma", "f16c", "bmi2"} <= processor("core-i5-mac-sysctl").flags


def test_this_processor_has_a_name_and_flags():
    here = this_processor()
    assert here.name and here.architecture
    assert here.flags or here.architecture not in {"x86", "arm"}


def test_nothing_told_is_no_error():
    assert from_cpuinfo("", "riscv64").name == "riscv64"
    assert names("zen4") and ladder(from_cpuinfo("", "riscv64"), GCC)[-1].name == "generic"


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("g++ (Debian 12.2.0-14) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.", "gcc"),
        ("c++ (GCC) 8.5.0 20210514\nCopyright (C) 2018 Free Software Foundation, Inc.", "gcc"),
        ("Apple clang version 15.0.0 (clang-1500.3.9.4)", "clang"),
        ("Intel(R) oneAPI DPC++/C++ Compiler 2024.0", "other"),
    ],
)
def test_families(text, family):
    assert family_of(text) == family
