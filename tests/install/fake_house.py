"""A clone to set up whose interpreter is a script: it prints and writes what pip and ninja would."""

from __future__ import annotations

import hashlib
from pathlib import Path

from metacog.install import stages
from metacog.install.processor import Compiler, Processor
from metacog.install.stages import Options, Setup
from metacog.install.wheels import BUILDERS, TOOLS_LOCK

SOURCE = b"the source of llama.cpp"
SHA256 = hashlib.sha256(SOURCE).hexdigest()
LOCK = f"""\
# made by hand
alpha==1.0 \\
    --hash=sha256:{"a" * 64}
llama-cpp-python==0.3.36 \\
    --hash=sha256:{SHA256}
zeta==2.0 ; python_version < '4' \\
    --hash=sha256:{"b" * 64} \\
    --hash=sha256:{"c" * 64}
"""
BUILDERS_LOCK = "".join(f"{name}==1.0 \\\n    --hash=sha256:{'e' * 64}\n" for name in BUILDERS)
PYTHON = """#!/bin/sh
# appends what it is asked to a file, so that a test can count
echo "$*" >> "{calls}"
while [ $# -gt 0 ]; do
  case "$1" in
    uv) target=uv ;;
    wheel) doing=wheel ;;
    download) doing=download ;;
    install) doing=install ;;
    --fetch) doing=fetch ;;
    --wheel-dir|--dest) shift; target="$1" ;;
  esac
  shift
done
case $doing in
  wheel)
    {build}
    for n in 1 2 3; do echo "  [$n/3] /usr/bin/c++ -c ggml-$n.cpp"; done
    printf '%s' "$CMAKE_ARGS" > "$target/llama_cpp_python-0.3.36-py3-none-any.whl" ;;
  fetch)
    {fetch} ;;
  download) printf '%s' '{source}' > "$target/llama_cpp_python-0.3.36.tar.gz" ;;
  install)
    {install}
    echo "Collecting alpha==1.0"; echo "Collecting zeta==2.0"; echo "WARNING: chatter" >&2
    echo "Installing collected packages: alpha, zeta" ;;
esac
"""


class FakeCompiler(Compiler):
    """Knows every flag and is never run."""

    def accepts(self, *flags: str) -> bool:
        return True


def house(tmp_path: Path, monkeypatch, **fails: str) -> Setup:
    """A set-up in a made-up clone on a made-up Xeon with AMX.

    ``build``, ``install`` and ``fetch`` are lines of shell that take place before pip builds or installs, and in place
    of fetching a model.
    """
    root = tmp_path / "clone"
    (root / "config").mkdir(parents=True)
    (root / "requirements.lock").write_text(LOCK)
    (root / TOOLS_LOCK).write_text(f"tests==3.0 \\\n    --hash=sha256:{'f' * 64}\n{BUILDERS_LOCK}")
    monkeypatch.setenv("METACOG_CACHE", str(tmp_path / "cache"))
    for name in ("CMAKE_ARGS", "CFLAGS", "CXXFLAGS", "CMAKE_BUILD_PARALLEL_LEVEL"):
        monkeypatch.delenv(name, raising=False)
    flags = frozenset("avx avx2 fma f16c bmi2 avx512f amx_tile amx_int8".split())
    monkeypatch.setattr(stages, "this_processor", lambda: Processor("Xeon of a test", "x86", flags))
    monkeypatch.setattr(stages, "find_compiler", lambda: FakeCompiler(("g++",), "gcc", "g++ 12.2.0"))
    monkeypatch.setattr(Setup, "_make_environment", lambda self: _environment(self, tmp_path, **fails))
    return Setup(Options(root, root / ".venv", root / "results" / "setup.log"))


def _environment(
    setup: Setup, tmp_path: Path, build: str = ":", install: str = ":", fetch: str = ":"
) -> None:
    setup.python.parent.mkdir(parents=True, exist_ok=True)
    lines = {"build": build, "install": install, "fetch": fetch}
    text = PYTHON.format(calls=tmp_path / "calls", source=SOURCE.decode(), **lines)
    setup.python.write_text(text)
    setup.python.chmod(0o755)


def stand_in(tmp_path: Path, dying: str = "", good: str = "right") -> str:
    """A command in place of the proof: dies of an illegal instruction for the variants named."""
    script = tmp_path / "proof.sh"
    line = (
        f'{{"model": "smollm2-135m", "outcome": "{good}", "why": "", "signal": "", "n_tokens": 40, '
        '"mean_difference": 0.03, "largest_difference": 0.2, "mean_logprob": -1.0}'
    )
    script.write_text(
        f"case ' {dying} ' in *\" $METACOG_SETUP_VARIANT \"*) kill -ILL $$ ;; esac\necho '{line}'\n"
    )
    return f"/bin/sh {script}"


def calls(tmp_path: Path, what: str) -> int:
    """How often pip was asked for something."""
    path = tmp_path / "calls"
    return sum(f"pip {what}" in line for line in path.read_text().splitlines()) if path.exists() else 0
