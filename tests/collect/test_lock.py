"""The lock on a run's folder, and file systems that have none."""

import errno
import os
import socket
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import filelock
import pytest

from metacog.collect.downloads import pinned_sha256
from metacog.collect.folder_lock import HOLDER, exclusive
from metacog.core.errors import MetacogError

HOLD = """
import sys, time
from pathlib import Path
from metacog.collect.folder_lock import exclusive
with exclusive(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    in_a_job = {**os.environ, "SLURM_JOB_ID": "77"}
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], env=in_a_job, stdout=subprocess.PIPE
    )
    assert child.stdout.readline() == b"held\n"
    yield child
    child.kill()
    child.wait()
    child.stdout.close()


def test_another_process_is_told_and_a_killed_one_is_not_minded(tmp_path, holder):
    with pytest.raises(MetacogError, match="another process"), exclusive(tmp_path):
        pass
    holder.kill()
    holder.wait()
    with exclusive(tmp_path):
        pass


def test_who_waits_says_for_whom_and_goes_on_when_the_other_ends(tmp_path, holder, capsys):
    threading.Timer(0.5, holder.kill).start()
    with exclusive(tmp_path, wait=90.0):
        assert f"process {os.getpid()} on " in (tmp_path / HOLDER).read_text()
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.startswith("waiting at most 1.5 minutes for another process ")
    assert f"{tmp_path}: process {holder.pid} on {socket.gethostname()} (Slurm job 77), since 20" in said
    assert not (tmp_path / HOLDER).exists()


def test_a_wait_has_an_end(tmp_path, holder):
    with pytest.raises(MetacogError, match=rf"still is after 0.01 minutes \(process {holder.pid} on"):
        with exclusive(tmp_path, wait=0.6):
            pass
    assert holder.poll() is None


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MetacogError, match="cannot write to"), exclusive(tmp_path / "file" / "run"):
        pass


def test_a_read_only_disk_is_told_with_what_to_do(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "write_text", refuse)
    told = f"could not write {tmp_path}: Read-only file system. Make room or choose another folder"
    with pytest.raises(MetacogError, match=told), exclusive(tmp_path):
        pass


@pytest.fixture(params=["ENOSYS", "ENOLCK", "ENOTSUP"])
def without_locks(request, monkeypatch):
    """A file system that answers as those do that know no locks."""

    def refuse(*_):
        raise OSError(getattr(errno, request.param), "no locks available")

    monkeypatch.setattr("filelock._unix.lock_fd_nonblocking", refuse)


def test_without_locks_a_marker_stands_for_one_and_is_named(tmp_path, without_locks, capsys):
    with exclusive(tmp_path):
        assert "lock.held" in capsys.readouterr().err
        with pytest.raises(MetacogError, match="another machine.*lock.held"):
            with exclusive(tmp_path):
                pass
    assert not (tmp_path / "lock.held").exists()


def test_a_marker_of_a_dead_process_is_not_minded(tmp_path, without_locks):
    code = "import filelock, os, sys; lock = filelock.SoftFileLock(sys.argv[1]); lock.acquire(); os._exit(0)"
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "lock.held")], check=True)
    assert (tmp_path / "lock.held").exists()
    with exclusive(tmp_path):
        pass


def test_other_trouble_with_the_disk_is_told(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError(errno.EIO, "input/output error")

    monkeypatch.setattr("filelock._unix.lock_fd_nonblocking", refuse)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(MetacogError, match="could not write .*input/output error"), exclusive(tmp_path):
            pass
    assert issubclass(filelock.Timeout, OSError)


def test_a_disk_that_turned_read_only_takes_no_error_s_place(tmp_path, monkeypatch):
    """Who holds the folder is taken away at the end: where that cannot be, the error that came first is told."""
    with pytest.raises(MetacogError, match="the first"), exclusive(tmp_path):
        monkeypatch.setattr(Path, "unlink", lambda *_, **__: (_ for _ in ()).throw(OSError(30, "Read-only")))
        raise MetacogError("the first")
    monkeypatch.undo()
    with exclusive(tmp_path):
        assert (tmp_path / HOLDER).is_file()


def test_half_a_checksum_is_never_pinned(tmp_path, monkeypatch):
    """It would pass for that of another file, and the model for a damaged one."""
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    model = tmp_path / "model.gguf"
    model.write_bytes(b"weights")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(MetacogError, match="could not write .*pins"):
        pinned_sha256(model, None, "model")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    monkeypatch.undo()
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    assert pinned_sha256(model, None, "model") == pinned_sha256(model, None, "model")
