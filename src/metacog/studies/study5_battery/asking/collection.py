"""The battery as a collection: each item alone, its answer, then both probes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandera.pandas as pa

from metacog.collect.collection import PARSED, Collection, Needed
from metacog.engines.requests import Asking, Choose, Chosen, Reply, user
from metacog.studies.study5_battery.asking import wordings
from metacog.studies.study5_battery.asking.items import BatteryItem, battery, checked, drawn
from metacog.studies.study5_battery.asking.items.battery import GENERATED
from metacog.studies.study5_battery.asking.items.imported import imported
from metacog.studies.study5_battery.paper import TRACKS
from metacog.studies.study5_battery.settings import Settings

_share = pa.Check.in_range(0, 1)
#: Tokens of an answer that has to be written out.
LONGEST = 32
#: Options of the turns that have the same for every item, by the column in which the one taken stands.
CHOICES = {
    "keep_withdraw": ("keep", wordings.KEEP),
    "bet_nobet": ("bet", wordings.BET),
    "path": ("path", wordings.PATHS),
    "forecast": ("forecast", wordings.FORECAST),
}
#: Turns whose reply can be none of the options.
TURNS = ("forecast", "path", "answer", "keep", "bet")
#: Columns of probabilities: of which turn's option.
PROBABILITIES = {
    "p_keep": ("keep", "KEEP"),
    "p_bet": ("bet", "BET"),
    "p_direct": ("path", "ANSWER_DIRECTLY"),
    "p_decline": ("path", "DECLINE"),
    "p_forecast": ("forecast", "YES"),
}
#: Columns of log-probabilities: of which turn's option.
LOGPROBS = {
    "logprob_keep": ("keep", "KEEP"),
    "logprob_withdraw": ("keep", "WITHDRAW"),
    "logprob_bet": ("bet", "BET"),
    "logprob_no_bet": ("bet", "NO_BET"),
}


class Battery(Collection):
    """A forecast or a path where the item has one, an answer, KEEP or WITHDRAW, BET or NO_BET.

    A reply that names no option ends the conversation, except that BET is still asked for after a KEEP that
    was not understood: nothing is put in its place.
    """

    name = "battery"
    without = PARSED
    key = ("track", "question_id")
    block = pa.DataFrameSchema(
        {
            "track": pa.Column(str, pa.Check.isin(tuple(TRACKS))),
            "item_type": pa.Column(str),
            "level": pa.Column(str),
            "difficulty": pa.Column("float64"),
            "key": pa.Column(str, pa.Check.isin(tuple("ABCD"))),
            "n_options": pa.Column("int64", pa.Check.in_range(2, 4)),
            **{name: pa.Column(str, pa.Check.isin(("", *options))) for name, (_, options) in CHOICES.items()},
            **{
                name: pa.Column("float64", _share, nullable=True)
                for name in ("p_answer", "p_key", *PROBABILITIES)  # p_answer: of the answer taken
            },
            **{name: pa.Column("float64", nullable=True) for name in LOGPROBS},
            "points": pa.Column("float64", _share, nullable=True),  # T6 alone
            "bad_reply": pa.Column(str, pa.Check.isin(("", *TURNS))),  # first turn that was not understood
            "parse_status": pa.Column(str, pa.Check.isin(("ok", "unclear"))),
            "form": pa.Column(str),
            "wording": pa.Column(str),
        }
    )

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        return settings.sets()

    def named_set(self, settings: Settings, dataset: str) -> Settings:
        """A file or folder of items that the profile does not name."""
        return replace(settings, source=dataset)

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[BatteryItem]:
        """The items of the form, of a further form only the tracks that a seed makes; or somebody else's."""
        if settings.source:
            given = [item for item in imported(Path(settings.source)) if item.track in settings.tracks]
            return drawn(checked(given, settings.source, own=False), settings.limit, settings.seed)
        first = settings.form in (0, settings.forms[0])
        tracks = [t for t in settings.tracks if first or t in GENERATED]
        return drawn(battery(settings.form or settings.forms[0], tracks), settings.limit, settings.seed)

    def together(self, item: BatteryItem) -> tuple[str, str]:
        return item.track, item.id

    def ask(self, item: BatteryItem, settings: Settings) -> Asking:
        whole, ask_answer = wordings.shown(item, settings.answers), wordings.ASK_ANSWER[settings.answers]
        before, asked = (wordings.SYSTEM,), f"{whole}\n{ask_answer}"
        if item.track == "T6":
            turns = (*before, user(f"{whole}\n\n{wordings.ASK_PATH}"))
            path = yield Choose(turns, wordings.PATHS, settings.temperature)
            if path.chosen in ("", "DECLINE"):
                return
            before = path.turns()
            asked = f"Hint: {item.hint}\n{ask_answer}" if path.chosen == "REQUEST_HINT" else ask_answer
        elif item.item_type == "prospective":
            turns = (*before, user(f"{item.question}\n{wordings.ASK_FORECAST}"))
            forecast = yield Choose(turns, wordings.FORECAST, settings.temperature)
            if not forecast.chosen:
                return
            before = forecast.turns()
        options = item.letters if settings.answers == "letters" else item.options
        answer = yield Choose((*before, user(asked)), options, settings.temperature, max_tokens=LONGEST)
        if not answer.chosen:
            return
        keep = yield Choose((*answer.turns(), user(wordings.ASK_KEEP)), wordings.KEEP, settings.temperature)
        yield Choose((*keep.turns(), user(wordings.ASK_BET)), wordings.BET, settings.temperature)

    def read(
        self, item: BatteryItem, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        """One trial an item; a declined item is a trial without an answer."""
        chosen = [reply for reply in replies if isinstance(reply, Chosen)]
        by_turn = dict(zip(self.turns_of(item), chosen, strict=False))
        answer = by_turn.get("answer")
        by_letter = dict(zip(item.letters, answer.probabilities, strict=True)) if answer else {}
        bad = next((name for name, reply in by_turn.items() if not reply.chosen), "")
        letter = item.letters[answer.options.index(answer.chosen)] if answer and answer.chosen else ""
        taken = {name: by_turn[turn].chosen if turn in by_turn else "" for name, (turn, _) in CHOICES.items()}
        yield {
            "track": item.track,
            "item_type": item.item_type,
            "level": item.level,
            "difficulty": item.difficulty,
            "key": item.key,
            "n_options": len(item.options),
            "answer": letter,
            "correct": letter == item.key,
            "temperature": settings.temperature,
            **taken,
            "p_answer": by_letter.get(letter, math.nan),
            "p_key": by_letter.get(item.key, math.nan),
            **{
                name: by_turn[turn].probability(option) if turn in by_turn else math.nan
                for name, (turn, option) in PROBABILITIES.items()
            },
            **{
                name: by_turn[turn].logprobs[by_turn[turn].options.index(option)]
                if turn in by_turn
                else math.nan
                for name, (turn, option) in LOGPROBS.items()
            },
            "points": points(item, taken["path"], letter),
            "bad_reply": bad,
            "parse_status": "unclear" if bad else "ok",
            "form": (answer or chosen[0]).form,
            "wording": wordings.VERSION,
            "match": "given" if letter else "empty",
            "text": "\n".join(reply.text or reply.chosen for reply in chosen),
        }

    @staticmethod
    def turns_of(item: BatteryItem) -> tuple[str, ...]:
        first = ("path",) if item.track == "T6" else ("forecast",) if item.item_type == "prospective" else ()
        return (*first, "answer", "keep", "bet")


def points(item: BatteryItem, path: str, letter: str) -> float:
    """What a path of T6 earned; NaN on the other tracks, and where no path or no answer was understood."""
    if item.track != "T6" or not path or (path != "DECLINE" and not letter):
        return math.nan
    right, wrong = wordings.PAYOFFS[path]
    return right if letter == item.key else wrong


COLLECTIONS = (Battery(),)
