"""Set-up, stage by stage.

Down the ladder: build, install, prove; the next safer build where a proof fails.

What a newcomer sees while set-up works: stages with their times, and how far the long ones are.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from metacog.core.death import signal_name
from metacog.core.errors import MetacogError
from metacog.core.paths import from_root
from metacog.core.progress import duration
from metacog.install.processor import Compiler, Processor, Variant, find_compiler, ladder, this_processor
from metacog.install.running import Failed, Log, inherited, run
from metacog.install.wheels import (
    BuildRecord,
    Lock,
    build_facts,
    build_wheel,
    digest,
    folder_of,
    forget_record,
    kept_wheel,
    mentions,
    read_lock,
    read_record,
    write_record,
)

#: Names a command to run in place of the proof: tests let builds "die" with it. The variant's name is in
#: METACOG_SETUP_VARIANT; it prints and exits as ``metacog.collect.proving`` does.
STAND_IN = "METACOG_SETUP_PROOF"
#: Signals that another build may be spared. Others (KILL: no memory; TERM, INT: somebody) it would not.
_BUILD_FAULT = {"SIGILL", "SIGSEGV", "SIGBUS", "SIGFPE", "SIGABRT", "SIGTRAP"}
#: Seconds for the proof of all models.
_PATIENCE = 900.0


@dataclass(frozen=True)
class Climbed:
    """Where the ladder held: the variant, a proof a model, and the variants that failed before, and why."""

    variant: Variant
    proofs: tuple[dict[str, Any], ...]
    passed_over: tuple[str, ...]


def climb(
    variants: Sequence[Variant],
    place: Callable[[Variant], object],
    prove: Callable[[Variant], Sequence[Mapping[str, Any]]],
    echo: Callable[[str], object],
) -> Climbed:
    """Try variants, the best first, until one is proved; end where the trouble is one that no other build mends.

    ``place`` builds a variant and installs it; ``prove`` gives one proof per model, as ``metacog.collect.proving``
    prints them.
    """
    passed_over: list[str] = []
    for number, variant in enumerate(variants):
        try:
            place(variant)
            proofs = tuple(dict(proof) for proof in prove(variant))
            trouble = trouble_in(proofs)
        except Failed as failure:
            if failure.hopeless:
                raise
            trouble = str(failure)
        if not trouble:
            return Climbed(variant, proofs, tuple(passed_over))
        passed_over.append(f"{variant.title}: {trouble}")
        echo(f"      llama.cpp built {variant.title} will not do here: {trouble}")
        if number + 1 < len(variants):
            echo(f"      building the next safer one, {variants[number + 1].title}")
    raise MetacogError("\n  ".join(["llama.cpp works in none of the ways it can be built:", *passed_over]))


def trouble_in(proofs: Sequence[Mapping[str, Any]]) -> str:
    """What is wrong with the build, as the first failed proof tells it; empty if nothing is.

    Trouble that is not the build's fails without hope.
    """
    if not proofs:
        return "the check gave no result"
    failed = next((proof for proof in proofs if proof.get("outcome") != "right"), None)
    if failed is None:
        return ""
    why, outcome = f"{failed['model']} {failed['why']}", failed["outcome"]
    if outcome == "unfit":
        raise Failed(f"the check could not be made: {failed['why']}", hopeless=True)
    if outcome == "died" and failed["signal"] not in _BUILD_FAULT:
        hint = ": too little memory, most likely" if failed["signal"] == "SIGKILL" else ""
        raise Failed(f"{why}{hint}", hopeless=True)
    if outcome == "stuck":
        busy = "end what keeps the processor busy and run make setup again"
        raise Failed(f"{why}: {busy}; if nothing does, make setup PORTABLE=1", hopeless=True)
    return why


def prove_in(python: Path, root: Path, log: Log, variant: Variant) -> list[dict[str, Any]]:
    """Run the proof with the environment's Python, or the stand-in that :data:`STAND_IN` names."""
    stand_in = os.environ.get(STAND_IN, "")
    command = shlex.split(stand_in) or [str(python), "-m", "metacog.collect.proving"]
    log.write(f"$ {shlex.join(command)}")
    try:
        done = subprocess.run(
            command,
            cwd=root,
            env={**inherited(), "METACOG_SETUP_VARIANT": variant.name},
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=_PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return [_outcome("stuck", f"did not answer within {_PATIENCE:.0f} seconds")]
    except OSError as error:
        return [_outcome("failed", f"could not be run ({error.strerror})")]
    for line in (done.stdout + done.stderr).splitlines():
        log.write(line)
    if done.returncode < 0:
        ended = signal_name(-done.returncode)
        return [_outcome("died", f"died with {ended}", ended)]
    proofs = [_parsed(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 and all(proof["outcome"] == "right" for proof in proofs):
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        return [_outcome("failed", f"could not be run: {last}")]
    return proofs


def _parsed(line: str) -> dict[str, Any]:
    try:
        proof = json.loads(line)
        return {**proof, "outcome": str(proof["outcome"])}
    except (ValueError, KeyError, TypeError):
        return _outcome("failed", f"gave an answer that cannot be read: {line[:80]}")


def _outcome(outcome: str, why: str, ended: str = "") -> dict[str, Any]:
    return {"model": "the check", "outcome": outcome, "why": why, "signal": ended}


#: Seconds between two lines on progress where there is no terminal to redraw one.
EVERY = 30.0


class Stages:
    """Prints one line a stage; on a terminal the line of the running stage is redrawn."""

    def __init__(
        self,
        n_stages: int,
        out: TextIO | None = None,
        *,
        verbose: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.n_stages = n_stages
        self.out = out or sys.stdout
        self.redraws = self.out.isatty() and not verbose
        self.clock = clock
        self.begun = clock()
        self.result = ""
        self._title = ""
        self._stage_begun = self._shown = self.begun

    @contextmanager
    def stage(self, number: int, title: str) -> Iterator[None]:
        """One stage: its line is finished with the time it took, or left standing if it fails."""
        self._title, self.result = f"[{number}/{self.n_stages}] {title}", ""
        self._stage_begun = self._shown = self.clock()
        if self.redraws:
            self._draw(self._title)
        try:
            yield
        except BaseException:
            self.echo(f"{self._title}: stopped after {duration(self.clock() - self._stage_begun)}")
            raise
        ending = f" ({self.result})" if self.result else ""
        self.echo(f"{self._title}{ending}: {duration(self.clock() - self._stage_begun)}")

    def progress(self, text: str) -> None:
        """How far the running stage is: redrawn, or at most one line every :data:`EVERY` seconds."""
        now = self.clock()
        if self.redraws:
            if now - self._shown >= 0.2:
                self._shown = now
                self._draw(f"{self._title}: {text}, {duration(now - self._stage_begun)}")
        elif now - self._shown >= EVERY:
            self._shown = now
            self.echo(f"      {text}, {duration(now - self._stage_begun)}")

    def echo(self, text: str) -> None:
        if self.redraws:
            self.out.write("\r\x1b[K")
        self.out.write(text + "\n")
        self.out.flush()

    @property
    def seconds(self) -> float:
        return self.clock() - self.begun

    def _draw(self, text: str) -> None:
        width = shutil.get_terminal_size().columns - 1
        self.out.write(f"\r\x1b[K{text[:width]}")
        self.out.flush()


#: Free disk for an environment from nothing, with what is temporary, in GB.
DISK_GB = 4.0


@dataclass(frozen=True)
class Options:
    """The clone (``root``), the environment's folder, and what is asked; ``portable`` None keeps what is there."""

    root: Path
    prefix: Path
    log: Path
    portable: bool | None = None
    verbose: bool = False


class Setup:
    """One run of set-up; :meth:`run` does it all."""

    def __init__(self, options: Options, stages: Stages | None = None) -> None:
        self.options = options
        self.stages = stages or Stages(5, verbose=options.verbose)
        self.lock: Lock = read_lock(options.root / "requirements.lock")
        self.compiler: Compiler = find_compiler()
        self.processor: Processor = this_processor()
        self.log = Log(options.log, echo=self.stages.echo if options.verbose else None)
        earlier = read_record(options.prefix)
        self.portable = bool(earlier and earlier.portable) if options.portable is None else options.portable
        self.variants: Sequence[Variant] = ladder(self.processor, self.compiler, portable=self.portable)
        self.python = options.prefix / "bin" / "python"

    def run(self) -> BuildRecord:
        """Make the environment, install, build, prove; it is marked as finished at the end alone."""
        _check_disk(self.options.prefix)
        self.log.write(f"{self.processor.name}; {' '.join(sorted(self.processor.flags))}")
        self.log.write(f"{' '.join(self.compiler.command)}: {self.compiler.version}")
        with self.stages.stage(1, "making the environment"):
            self._make_environment()
            forget_record(self.options.prefix)
        with self.stages.stage(2, "downloading and installing packages"):
            self._install_packages()
        climbed = climb(self.variants, self._place, self._prove, self.stages.echo)
        variant = climbed.variant
        record = BuildRecord(
            variant=variant.name,
            title=variant.title,
            native=variant.native,
            portable=self.portable,
            key=digest(self._facts(variant)),
            version=self.lock.llama_version,
            compiler=self.compiler.version,
            python=sys.version.split()[0],
            processor=self.processor.name,
            instructions=tuple(sorted(self.processor.instructions)),
            prefix=str(self.options.prefix.resolve()),
            passed_over=climbed.passed_over,
        )
        write_record(self.options.prefix, record)
        for line in mentions(climbed.proofs):
            self.stages.echo(f"      {line}")
        return record

    def _facts(self, variant: Variant) -> dict[str, Any]:
        return build_facts(variant, self.lock, self.compiler, self.processor)

    def _make_environment(self) -> None:
        stale = self.options.prefix.is_dir() and not _same_python(self.options.prefix)
        command = [sys.executable, "-m", "venv", *(["--clear"] if stale else []), str(self.options.prefix)]
        run(command, self.log, doing="making the environment")
        self.stages.result = f"Python {sys.version.split()[0]}, {self.options.prefix.name}"

    def _install_packages(self) -> None:
        seen = set()

        def look(line: str) -> None:
            if match := re.match(r"(?:Collecting|Processing|Requirement already satisfied:) (\S+)", line):
                seen.add(match[1])
                self.stages.progress(f"{len(seen)} of at most {self.lock.n_rest} packages fetched")
            elif line.startswith("Installing collected packages"):
                self.stages.progress(f"installing {len(seen)} packages")

        with tempfile.TemporaryDirectory(prefix="metacog-setup-") as made:
            requirements = Path(made) / "requirements.txt"
            for text in (self.lock.tools_text, self.lock.rest_text):
                requirements.write_text(text, encoding="utf-8")
                # no resolving: the lock is whole, and what asks for llama.cpp must not fetch it here; no isolation:
                # what has no wheel is built with the lock's tools, not with those that pip would fetch unchecked
                words = ("--no-deps", "--require-hashes", "--no-build-isolation")
                self._pip(*words, "--requirement", str(requirements), look=look)
        self.stages.result = f"{len(seen)} packages"

    def _place(self, variant: Variant) -> None:
        """Build a variant, or take it from the cache, and install it."""
        facts = self._facts(variant)
        wheel = kept_wheel(folder_of(variant, facts))
        with self.stages.stage(3, f"building llama.cpp {variant.title}"):
            if wheel is None:
                args = (variant, facts, self.lock, self.python, self.log)
                wheel = build_wheel(*args, progress=self.stages.progress)
            else:
                self.stages.result = "kept from an earlier set-up"
        with self.stages.stage(4, "installing it and this project"):
            self._pip("--no-deps", "--no-index", "--force-reinstall", str(wheel))
            self._pip("--no-deps", "--no-build-isolation", "--editable", str(self.options.root))

    def _prove(self, variant: Variant) -> list[dict[str, object]]:
        with self.stages.stage(5, "checking: both embedded models decode"):
            return prove_in(self.python, self.options.root, self.log, variant)

    def _pip(self, *words: str, look=lambda line: None) -> None:  # type: ignore[no-untyped-def]
        command = [str(self.python), "-m", "pip", "install", "--disable-pip-version-check"]
        command += ["--progress-bar=off", "--no-input", *words]
        run(command, self.log, doing="installing packages", on_line=look)


def set_up(options: Options) -> None:
    """Do it all, and say how long it took."""
    work = Setup(options)
    if not options.prefix.is_dir():
        work.stages.echo(
            f"setting up {options.prefix.name}: downloads about 1 GB and builds llama.cpp from source, "
            "usually 5 to 10 minutes the first time"
        )
    log = from_root(options.log, options.root)
    try:
        work.run()
    except MetacogError as error:
        raise MetacogError(
            f"{error}\n  The full log is {log}. If this should have worked, please report it with the log; "
            f"the processor is {work.processor.name}, the compiler {work.compiler.version}."
        ) from None
    work.stages.echo(f"ready after {duration(work.stages.seconds)}; the full log is {log}")


def _check_disk(prefix: Path) -> None:
    """Refuse to begin where an environment cannot fit."""
    if prefix.is_dir():
        return
    free = shutil.disk_usage(prefix.parent).free / 1e9
    if free < DISK_GB:
        raise MetacogError(
            f"set-up needs about {DISK_GB:.0f} GB where the clone lies, and {free:.1f} GB are free: make room"
        )


def _same_python(prefix: Path) -> bool:
    """Whether an environment belongs to this Python, and still lies where it was made."""
    try:
        text = (prefix / "pyvenv.cfg").read_text(encoding="utf-8")
    except OSError:
        return False
    version = re.search(r"^version(?:_info)? *= *(\d+\.\d+)", text, re.MULTILINE)
    record = read_record(prefix)
    moved = record is not None and os.path.realpath(record.prefix) != os.path.realpath(prefix)
    return version is not None and version[1] == f"{sys.version_info[0]}.{sys.version_info[1]}" and not moved
