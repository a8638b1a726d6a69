"""What a profile may set of study 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from metacog.core.errors import MetacogError
from metacog.studies.study5_battery.paper import TRACKS

#: Forms of an answer.
ANSWERS = ("texts", "letters")


@dataclass(frozen=True)
class Settings:
    """Settings of study 5, as its block in a profile gives them."""

    tracks: Sequence[str] = tuple(TRACKS)
    #: Seeds of the generated items (T1, T4, T5), one a parallel form; other items are asked with the first alone.
    forms: Sequence[int] = (1,)
    #: A file or folder of somebody else's items, asked as well, or alone where there are no forms.
    items: str = ""
    limit: int | None = None  # this many items of each form, drawn by ``seed``, tracks in turn; None for all
    seed: int = 42
    prompt_set: str = "plain"  # which prompt of each model (``config/models``)
    block_items: int = 44
    answers: str = "texts"  # or ``letters``, of which small models like one whatever the question
    temperature: float = 0.0  # of answers and probes; 0 takes the most probable
    form: int = field(default=0, kw_only=True)  # the form these settings are about; 0 for all
    source: str = field(default="", kw_only=True)  # somebody else's items that they are about

    def __post_init__(self) -> None:
        for name in ("tracks", "forms"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        unknown = ", ".join(str(t) for t in self.tracks if t not in TRACKS)
        too_small = (
            (self.limit is not None and self.limit < 1) or self.block_items < 1 or self.temperature < 0
        )
        problems = {
            f"there is no track {unknown}; there are: {', '.join(TRACKS)}": unknown,
            "name at least one track, and each form once": not self.tracks
            or not (self.forms or self.items)
            or len(set(self.forms)) < len(self.forms),
            f"answers must be {' or '.join(ANSWERS)}, not {self.answers!r}": self.answers not in ANSWERS,
            "forms must be whole numbers from 1": any(not isinstance(f, int) or f < 1 for f in self.forms),
            "limit and block_items must be at least 1, temperature at least 0": too_small,
        }
        for problem, there in problems.items():
            if there:
                raise MetacogError(f"study5_battery: {problem}")

    def sets(self) -> Mapping[str, Settings]:
        """The settings of each form, by its name: ``form-1`` and so on, and of items by the name of their file."""
        made = {f"form-{form}": replace(self, form=form) for form in self.forms}
        return made | ({Path(self.items).stem: replace(self, source=self.items)} if self.items else {})
