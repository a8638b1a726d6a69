"""Kernels chosen at run time. Oracle: a folder laid out like a portable build, with a library that counts."""

import functools
from types import SimpleNamespace

import pytest

from metacog.core.errors import MetacogError
from metacog.engines.llama import kernels


class Library:
    """Stands for llama.cpp's library: remembers where it looked, and finds kernels or none."""

    def __init__(self, suit):
        self.looked = []
        self.ggml_backend_load_all_from_path = functools.partial(self.looked.append)
        self.ggml_backend_reg_count = functools.partial(int, suit)


def module(folder, library=None):
    return SimpleNamespace(llama_cpp=SimpleNamespace(_base_path=folder, _lib=library))


@pytest.fixture
def portable(tmp_path):
    for name in ("libggml.so", "libggml-base.so", "libggml-cpu-haswell.so", "libggml-cpu-zen4.so"):
        (tmp_path / name).touch()
    return tmp_path


def test_kernels_next_to_the_library_are_offered(portable):
    library = Library(suit=1)
    found = kernels.load_backends(module(portable, library))
    assert [path.name for path in found] == ["libggml-cpu-haswell.so", "libggml-cpu-zen4.so"]
    assert library.looked == [str(portable).encode()]


def test_none_that_suits_is_a_short_error(portable):
    with pytest.raises(MetacogError, match="none of the 2 sets of kernels .*PORTABLE=0"):
        kernels.load_backends(module(portable, Library(suit=0)))


def test_a_build_with_kernels_of_its_own_needs_nothing(tmp_path):
    (tmp_path / "libggml-cpu.so").touch()
    assert kernels.load_backends(module(tmp_path)) == []
    assert kernels.load_backends(module(tmp_path / "conda keeps its libraries elsewhere")) == []
