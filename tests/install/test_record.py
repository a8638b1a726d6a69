"""The record next to the stamp, and what doctor makes of it. Oracle: moved folders and other processors."""

import dataclasses
import sys
from pathlib import Path

from metacog import doctor
from metacog.collect import proving
from metacog.install import wheels
from metacog.install.processor import Processor
from metacog.install.wheels import BuildRecord, read_record, write_record

HERE = Processor("this", "x86", frozenset({"avx", "avx2", "avx512f", "md_clear"}))


def made(prefix, **more):
    fields = {
        "variant": "native",
        "title": "for this processor",
        "native": True,
        "portable": False,
        "key": "0" * 16,
        "version": "0.3.36",
        "compiler": "g++ 12",
        "python": "3.11.7",
        "processor": "that",
        "instructions": ("avx", "avx2"),
        "prefix": str(prefix),
    }
    return BuildRecord(**{**fields, **more})


def test_a_record_is_read_as_it_was_written(tmp_path):
    kept = made(tmp_path, passed_over=("with AMX: died",))
    write_record(tmp_path, kept)
    assert read_record(tmp_path) == kept
    (tmp_path / wheels.NAME).write_text("{half")
    assert read_record(tmp_path) is None
    wheels.forget_record(tmp_path)
    assert read_record(tmp_path) is None


def test_another_place_or_processor_is_noticed(tmp_path):
    kept = made(tmp_path)
    assert kept.troubles(tmp_path, HERE) == []
    (moved,) = kept.troubles(tmp_path / "elsewhere", HERE)
    assert "moved or copied" in moved
    (lacks,) = dataclasses.replace(kept, instructions=("avx", "amx_tile")).troubles(tmp_path, HERE)
    assert "amx_tile" in lacks and "avx" not in lacks.replace("amx_tile", "")
    generic = dataclasses.replace(kept, native=False, instructions=("avx", "amx_tile"))
    assert generic.troubles(tmp_path, HERE) == []


def test_a_link_to_the_environment_is_no_move(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert made(tmp_path / "real").troubles(tmp_path / "link", HERE) == []


def look(monkeypatch, kept, proofs):
    monkeypatch.setattr(wheels, "read_record", lambda prefix: kept)
    monkeypatch.setattr(proving, "recorded_models", lambda: list(proofs))
    monkeypatch.setattr(proving, "prove_model", proofs.get)
    return doctor._llama(), doctor._decoding()


def test_doctor_tells_the_build_and_that_it_computes(monkeypatch):
    import importlib.metadata

    kept = made(Path(sys.prefix), version=importlib.metadata.version("llama-cpp-python"), instructions=())
    right = proving.Proof("smollm2-135m", "right", n_tokens=40, mean_difference=0.03, largest_difference=0.21)
    build, decoding = look(monkeypatch, kept, {"smollm2-135m": right})
    assert build.ok and "built for this processor (that)" in build.found
    assert decoding.ok and "within 0.21" in decoding.found


def test_doctor_says_what_does_not_fit_and_how_to_mend_it(monkeypatch):
    kept = made("/elsewhere/.venv", instructions=("no_such_instruction",), version="0.0.1")
    died = proving.read_outcome("smollm2-135m", -4, "", "")
    build, decoding = look(monkeypatch, kept, {"smollm2-135m": died})
    assert not build.ok and "moved or copied" in build.found and "lacks no_such_instruction" in build.found
    assert "had installed 0.0.1" in build.found
    assert not decoding.ok and "smollm2-135m died with SIGILL" in decoding.found
    assert "make setup PORTABLE=1" in decoding.remedy


def test_doctor_does_not_load_llama_into_itself():
    """Looking must not kill the doctor."""
    import subprocess

    code = (
        "import sys; from metacog.doctor import _llama, _models; _llama(); _models(); "
        "print('llama_cpp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
