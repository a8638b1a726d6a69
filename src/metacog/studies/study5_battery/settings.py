"""What a profile may set of study 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from metacog.core.errors import MetacogError
from metacog.studies.study5_battery.paper import TRACKS

#: Forms of an answer.
ANSWERS = ("texts", "letters")


@dataclass(frozen=True)
class Settings:
    """Settings of study 5, as its block in a profile gives them.

    Attributes
    ----------
    tracks : tuple of str
        Tracks of the battery that are asked.
    forms : tuple of int
        Seeds of the generated items (T1, T4, T5), one for each parallel form; the written items (T2, T3, T6)
        are asked with the first form alone.
    limit : int or None
        This many items of each form, drawn by ``seed``, tracks in turn; None for all.
    seed : int
        Draws the items under ``limit``.
    prompt_set : str
        Which prompt of each model (``config/models.yaml``).
    block_items : int
        Items asked together.
    answers : str
        ``texts``: an answer is one of the options as it is written; ``letters``: the letter before it, of
        which small models like one whatever the question.
    temperature : float
        Of answers and probes; 0 takes the most probable.
    form : int
        The form these settings are about; 0 for all.
    """

    tracks: Sequence[str] = tuple(TRACKS)
    forms: Sequence[int] = (1,)
    limit: int | None = None
    seed: int = 42
    prompt_set: str = "plain"
    block_items: int = 44
    answers: str = "texts"
    temperature: float = 0.0
    form: int = field(default=0, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("tracks", "forms"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        if unknown := [str(t) for t in self.tracks if t not in TRACKS]:
            raise MetacogError(
                f"study5_battery: there is no track {', '.join(unknown)}; there are: {', '.join(TRACKS)}"
            )
        if not self.tracks or not self.forms or len(set(self.forms)) < len(self.forms):
            raise MetacogError("study5_battery: name at least one track, and each form once")
        if self.answers not in ANSWERS:
            raise MetacogError(
                f"study5_battery: answers must be {' or '.join(ANSWERS)}, not {self.answers!r}"
            )
        if any(not isinstance(f, int) or f < 1 for f in self.forms):
            raise MetacogError("study5_battery: forms must be whole numbers from 1")
        if (self.limit is not None and self.limit < 1) or self.block_items < 1 or self.temperature < 0:
            raise MetacogError(
                "study5_battery: limit and block_items must be at least 1, temperature at least 0"
            )

    def sets(self) -> Mapping[str, Settings]:
        """The settings of each form, by its name: ``form-1`` and so on."""
        return {f"form-{form}": replace(self, form=form) for form in self.forms}
