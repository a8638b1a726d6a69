"""The model that is loaded: handed from run to run, and closed when another is wanted."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType
from typing import Any

from metacog.collect.models import ModelEntry
from metacog.collect.plan import open_engine
from metacog.engines.engine import Engine


class Loaded:
    """A model at a time, loaded when it is first asked for; closed with the ``with`` block.

    Parameters
    ----------
    opener : callable
        Loads a model, from its entry and the engine's settings.
    """

    def __init__(self, opener: Callable[[ModelEntry, dict[str, Any] | None], Engine] = open_engine) -> None:
        self._opener = opener
        self._engine: Engine | None = None
        self._asked: tuple[ModelEntry, dict[str, Any] | None] | None = None

    def engine(self, entry: ModelEntry, settings: dict[str, Any] | None = None) -> Engine:
        """The model's engine; the one in use if it was asked for in just this way."""
        if self._engine is None or self._asked != (entry, settings):
            self.close()
            self._engine, self._asked = self._opener(entry, settings), (entry, settings)
        return self._engine

    def close(self) -> None:
        """Close the engine, if there is one."""
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()

    def __enter__(self) -> Loaded:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
