"""Places that cannot be written: programs go on, elsewhere, and say so in one line."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from adding_project import clone

from metacog.core import paths

MARKED = ("HOME", "METACOG_CACHE", paths.BEFORE, "JAX_COMPILATION_CACHE_DIR", *paths._OF_HOME)


@pytest.fixture
def shut(tmp_path):
    """A folder that takes nothing, whoever asks."""
    if os.geteuid() == 0:  # whom no permission keeps out
        if not Path("/proc/self").exists():
            pytest.skip("nothing is shut to root here")
        return Path("/proc/nohome")
    folder = tmp_path / "shut"
    folder.mkdir(mode=0o555)
    return folder


@pytest.fixture
def bare(tmp_path, monkeypatch):
    """An environment without any of these variables, and a folder for temporary files."""
    for name in MARKED:
        monkeypatch.setenv(name, "")  # so that what is set within is taken away again
        monkeypatch.delenv(name)
    monkeypatch.setattr(paths.tempfile, "tempdir", str(tmp_path))
    return tmp_path / f"metacog-{os.getuid()}"


@pytest.mark.parametrize("name", ["HOME", "XDG_CACHE_HOME", "METACOG_CACHE"])
def test_a_cache_that_cannot_be_written_falls_back_with_one_line(name, bare, shut, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(bare.parent / "home"))
    monkeypatch.setenv(name, str(shut))
    assert paths.cache_dir() == paths.cache_dir() == bare
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and str(shut) in said and "METACOG_CACHE names another" in said
    assert bare.stat().st_mode & 0o777 == 0o700


def test_without_any_home_there_is_a_cache(bare, monkeypatch, capsys):
    def nobody():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    paths.keep_compiled()
    assert paths.cache_dir() == bare and "the home folder cannot be written" in capsys.readouterr().err
    assert os.environ["JUPYTER_RUNTIME_DIR"].startswith(str(bare))


def test_others_files_of_a_shut_home_go_where_the_cache_is(bare, shut, monkeypatch):
    monkeypatch.setenv("HOME", str(shut))
    monkeypatch.setenv("MPLCONFIGDIR", "named/by/the/user")
    paths.keep_compiled()
    names = {"XDG_CACHE_HOME", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "NUMBA_CACHE_DIR"}
    assert all(os.environ[name].startswith(str(bare)) for name in names)
    assert os.environ["MPLCONFIGDIR"] == "named/by/the/user"


def test_a_home_that_can_be_written_is_left_alone(bare, monkeypatch, capsys):
    home = bare.parent / "home"
    monkeypatch.setenv("HOME", str(home))
    home.mkdir()
    paths.keep_compiled()
    assert paths.cache_dir() == home / ".cache" / "metacog" and not capsys.readouterr().err
    assert not set(paths._OF_HOME) & set(os.environ)


def test_what_lies_in_a_cache_that_can_be_read_alone_is_found(bare, monkeypatch):
    kept = bare.parent / "kept"
    (kept / "models").mkdir(parents=True)
    (kept / "models" / "m.gguf").write_bytes(b"GGUF")
    monkeypatch.setenv("METACOG_CACHE", str(kept))
    monkeypatch.setattr(paths, "_can_write", lambda folder: folder != kept)
    assert paths.in_cache("models", "m.gguf") == kept / "models" / "m.gguf"
    assert paths.in_cache("models", "other.gguf") == bare / "models" / "other.gguf"


def test_a_name_that_somebody_else_has_taken_is_not_used(bare, shut, monkeypatch):
    bare.symlink_to(bare.parent)
    monkeypatch.setenv("METACOG_CACHE", str(shut))
    assert paths.cache_dir() != bare and paths.cache_dir().parent == bare.parent


def test_a_chapter_is_executed_without_a_home(tmp_path, shut):
    """With Jupyter, IPython and Matplotlib, by the command itself."""
    kept = {name: value for name, value in os.environ.items() if name not in MARKED}
    out = tmp_path / "c.ipynb"
    words = ["run-chapter", "rater-precision", "--profile", "smoke", "-p", "n_panels=2e1", "--out", str(out)]
    made = subprocess.run(
        [sys.executable, "-m", "metacog", *words],
        cwd=clone(tmp_path / "project"),  # results are kept where the chapter is run
        env={**kept, "HOME": str(shut), "XDG_CACHE_HOME": str(shut), "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr
    assert "Traceback" not in made.stderr and made.stderr.count("cannot be written") == 1
    assert out.is_file()
    assert list((tmp_path / "project" / "results" / "smoke" / "shared").glob("raters@*"))
