"""Commands that are broken, each in a clone of its own: what it starts from, what it leaves, and how that compares."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import yaml
from fault_proxy import FaultProxy
from scripted_server import Script
from toy_house import environment, lay_out

from faulting.running import Fault, Forks, Ran, run

ROOT = Path(__file__).resolve().parents[2]

#: What commands make in a clone.
MADE = ("runs", "results", "_build", "_executed", "_static_generated", ".snakemake")
#: What names a reply.
KEY = ["run", "item", "step", "index"]
SERVED = "served"


@dataclass(frozen=True)
class Outcome:
    """What lies in a clone: replies, a row each, and what was made of them, by its name."""

    replies: pd.DataFrame
    made: Mapping[str, str]


@dataclass(frozen=True)
class Difference:
    """Replies that a clone lost, has twice, or has otherwise, and what was made of them otherwise."""

    lost: int
    doubled: int
    changed: int
    results: tuple[str, ...]


class Scene:
    """A command of the toy study in a clone of its own."""

    def __init__(self, name: str, words: tuple[str, ...], work: Path, shim: Path, proxy: FaultProxy) -> None:
        self.name, self.words, self.shim, self.proxy = name, words, shim, proxy
        self.house = work / name
        lay_out(self.house)
        if name == SERVED:
            _serve(self.house, f"{proxy.url}/v1")
        subprocess.run([sys.executable, "-m", "compileall", "-q", str(self.house)], check=True)
        self.environment = environment(self.house, "" if name == SERVED else str(ROOT / "tests/standin"))
        self.environment |= {"METACOG_CACHE": str(work / "cache"), "OMP_NUM_THREADS": "1"}
        self._forks: Forks | None = None
        self.whole, self.calm, self.requests = self._undisturbed()

    def close(self) -> None:
        """End the process whose forks run commands."""
        if self._forks is not None:
            self._forks.close()

    def asked(self) -> int:
        """Requests that the server has had."""
        return int(self.proxy.n)

    @property
    def command(self) -> list[str]:
        """The whole command."""
        return [sys.executable, "-m", "metacog", *self.words]

    def begin(self) -> None:
        """Empty the clone of what was made."""
        for name in MADE:
            shutil.rmtree(self.house / name, ignore_errors=True)

    def run(self, fault: Fault | None = None, *, forked: bool = False, **more: str) -> Ran:
        """Run the command once: as it is, or in a fork."""
        if forked:
            self._forks = self._forks or Forks(self.house, self.environment, self.shim, self.words[0])
            return self._forks.run(self.words, fault or Fault())
        return run(self.command, self.house, {**self.environment, **more}, self.shim, fault or Fault())

    def outcome(self) -> Outcome:
        """What lies in the clone now."""
        parts = sorted((self.house / "runs").rglob("parts/*.parquet"))
        frames = [pd.read_parquet(part).assign(run=str(part.parent.parent)) for part in parts]
        replies = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=[*KEY, "reply"])
        return Outcome(replies, dict(self._made()))

    def _made(self) -> Iterator[tuple[str, str]]:
        for folder in ("runs", "results", "_executed", "_build"):
            for path in sorted((self.house / folder).rglob("*")):
                if not path.is_file() or path.parent.name == "parts" or path.name in ("lock", "spent.json"):
                    continue
                if path.parent.suffix == ".new":  # what a killed process had of a result, which nobody reads
                    continue
                data = path.read_bytes()
                if path.suffix == ".parquet":  # its facts hold times
                    data = pd.read_parquet(path).to_csv().encode()
                yield path.relative_to(self.house).as_posix(), hashlib.sha256(data).hexdigest()

    def _undisturbed(self) -> tuple[Ran, Outcome, int]:
        """Two whole runs: what the second made as the first did is what is held against it later."""
        made = []
        for _ in range(2):
            self.begin()
            before = self.asked()
            ran = self.run()
            if ran.status:
                raise RuntimeError(
                    f"{self.name} does not run undisturbed: {'hangs' if ran.hung else ran.err[-2000:]}"
                )
            made.append((ran, self.outcome(), self.asked() - before))
        first, second = made[0][1].made, made[1][1].made
        same = {name: value for name, value in second.items() if first.get(name) == value}
        return made[1][0], Outcome(made[1][1].replies, same), made[1][2]

    def difference(self) -> Difference:
        """How what lies there differs from the undisturbed run."""
        found = self.outcome()
        once = found.replies.drop_duplicates(KEY)
        both = self.calm.replies.merge(once, on=KEY, how="left", suffixes=("", "_now"))
        there = both["reply_now"].notna()
        more = len(once) - int(there.sum())  # replies to what was not asked
        changed = int((both.loc[there, "reply"] != both.loc[there, "reply_now"]).sum()) + more
        results = tuple(name for name, value in self.calm.made.items() if found.made.get(name) != value)
        return Difference(int((~there).sum()), len(found.replies) - len(once), changed, results)


def _serve(house: Path, url: str) -> None:
    """Make the clone's model one of a server, asked little."""
    file, profile = house / f"config/models/{SERVED}.yaml", house / "config/profiles/toy.yaml"
    entry = {
        "label": "Served",
        "kind": "base",
        "source": {"endpoint": {"url": url, "model": "scripted", "api": "completions"}},
        "sha256": None,
        "prompts": {"fewshot": "fewshot-v1", "zeroshot": "zeroshot-base-v1", "plain": "plain-base-v1"},
        "server_wait": 1.0,
    }
    file.write_text(yaml.safe_dump(entry), encoding="utf-8")
    asked = profile.read_text(encoding="utf-8").replace(
        "toy_study: {}", "toy_study: {n_items: 6, block_items: 3}"
    )
    profile.write_text(asked.replace("smollm2-135m", SERVED), encoding="utf-8")


COLLECT = ("collect", "--profile", "toy")
#: Commands by the names of their scenes.
SCENES = {"collect": COLLECT, SERVED: COLLECT, "book": ("book", "--profile", "toy", "--cores", "2")}


@contextmanager
def scene(name: str, work: Path, shim: Path) -> Iterator[Scene]:
    """A scene that is ready to be broken; its server runs meanwhile."""
    shutil.rmtree(work / name, ignore_errors=True)
    with FaultProxy(Script().answer) as proxy:
        made = Scene(name, SCENES[name], work, shim, proxy)
        try:
            yield made
        finally:
            made.close()
