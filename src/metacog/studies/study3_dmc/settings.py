"""What a profile may set of study 3's collections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from metacog.collect.choices import ORDERS
from metacog.collect.confidence_ways import Options
from metacog.collect.published_choices import is_choices
from metacog.core.errors import MetacogError

#: Sets of the default profile: two domains of the question bank, and two that are generated.
SETS = {
    "science": "bank:Science",
    "history": "bank:History",
    "boolean": "generated-boolean",
    "date": "generated-date",
}


@dataclass(frozen=True)
class Settings(Options):
    """Settings of study 3, as its block in a profile gives them, those of the ways of asking among them.

    ``sets`` has the multiple-choice set (``config/datasets.yaml``; ``bank:TEXT`` for the bank's domains that begin so)
    of each name under which it is asked. ``n_questions`` are the base questions of a set for the ways of few calls,
    drawn by ``seed``; None takes all. With both orders a set that is used as it is takes twice as many, so that sets
    have as many trials. ``n_repeated`` and ``n_written`` are the same for the consistencies of ``n_runs`` calls, and
    for written confidence: the first of the same questions, so all ways meet on those. ``n_pairings`` are the wrong
    options a base question is asked with; None takes every one. ``orders`` is ``both``, ``every`` (both, True and False
    swapped too), or ``one``: the right option first in every other question. ``prompt_set`` says which prompt of
    each model (``config/models``), and ``block_items`` how many binary questions are asked together. ``seed``
    draws questions and pairings, and makes the generated sets.
    ``name`` and ``source`` are of the set these settings are about; empty for all.
    """

    sets: Mapping[str, str] = field(default_factory=lambda: dict(SETS))
    n_questions: int | None = 34
    n_repeated: int | None = 12
    n_written: int | None = 6
    n_pairings: int | None = 1
    orders: str = "one"
    answer: str = "text"
    prompt_set: str = "plain"
    block_items: int = 40
    seed: int = 7
    name: str = field(default="", kw_only=True)
    source: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", dict(self.sets))
        if not self.sets:
            raise MetacogError("study3_dmc: name at least one set")
        for name, source in self.sets.items():
            if not is_choices(source.partition(":")[0]):
                raise MetacogError(
                    f"study3_dmc: set {name!r} is to be {source!r}, which is no multiple-choice set of "
                    "config/datasets.yaml"
                )
        counts = (self.n_questions, self.n_repeated, self.n_written, self.n_pairings, self.block_items)
        if any(n is not None and n < 1 for n in counts):
            raise MetacogError("study3_dmc: numbers of questions and pairings must be at least 1")
        if self.orders not in ORDERS:
            known = f"{', '.join(ORDERS[:-1])} or {ORDERS[-1]}"
            raise MetacogError(f"study3_dmc: orders must be {known}, not {self.orders!r}")
        super().__post_init__()

    @property
    def options(self) -> Options:
        """What the ways of asking are told."""
        return Options(**{one.name: getattr(self, one.name) for one in fields(Options)})

    def by_set(self) -> dict[str, Settings]:
        """The settings of each set, by its name."""
        return {name: replace(self, name=name, source=source) for name, source in self.sets.items()}
