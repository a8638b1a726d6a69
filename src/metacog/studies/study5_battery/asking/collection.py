"""The battery as a collection: each item alone, its answer, then both probes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandera.pandas as pa

from metacog.collect.collection import PARSED, Collection, Needed
from metacog.engines.requests import Asking, Choose, Chosen, Reply
from metacog.studies.study5_battery.asking import wordings
from metacog.studies.study5_battery.asking.items import BatteryItem, battery, drawn
from metacog.studies.study5_battery.asking.items.battery import GENERATED
from metacog.studies.study5_battery.paper import TRACKS
from metacog.studies.study5_battery.settings import Settings

_share = pa.Check.in_range(0, 1)
#: Tokens of an answer that has to be written out.
LONGEST = 32
#: Turns whose reply can be none of the options.
TURNS = ("forecast", "path", "answer", "keep", "bet")


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
            "n_options": pa.Column("int64", pa.Check.isin((2, 4))),
            "keep_withdraw": pa.Column(str, pa.Check.isin(("", *wordings.KEEP))),
            "bet_nobet": pa.Column(str, pa.Check.isin(("", *wordings.BET))),
            "path": pa.Column(str, pa.Check.isin(("", *wordings.PATHS))),
            "forecast": pa.Column(str, pa.Check.isin(("", *wordings.FORECAST))),
            "p_answer": pa.Column("float64", _share, nullable=True),  # of the answer taken
            "p_key": pa.Column("float64", _share, nullable=True),
            "p_keep": pa.Column("float64", _share, nullable=True),
            "p_bet": pa.Column("float64", _share, nullable=True),
            "p_direct": pa.Column("float64", _share, nullable=True),
            "p_decline": pa.Column("float64", _share, nullable=True),
            "p_forecast": pa.Column("float64", _share, nullable=True),  # of YES
            "logprob_keep": pa.Column("float64", nullable=True),
            "logprob_withdraw": pa.Column("float64", nullable=True),
            "logprob_bet": pa.Column("float64", nullable=True),
            "logprob_no_bet": pa.Column("float64", nullable=True),
            "points": pa.Column("float64", _share, nullable=True),  # T6 alone
            "bad_reply": pa.Column(str, pa.Check.isin(("", *TURNS))),  # first turn that was not understood
            "parse_status": pa.Column(str, pa.Check.isin(("ok", "unclear"))),
            "form": pa.Column(str),
            "wording": pa.Column(str),
        }
    )

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        """One set a form of the items."""
        return settings.sets()

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[BatteryItem]:
        """The items of the form; of a further form only the tracks that a seed makes."""
        first = settings.form in (0, settings.forms[0])
        tracks = [t for t in settings.tracks if first or t in GENERATED]
        return drawn(battery(settings.form or settings.forms[0], tracks), settings.limit, settings.seed)

    def ask(self, item: BatteryItem, settings: Settings) -> Asking:
        """One item as a conversation."""
        before, turns = None, wordings.opening(item, settings.answers)
        if item.track == "T6":
            before = yield Choose(
                wordings.path_choice(item, settings.answers), wordings.PATHS, settings.temperature
            )
            if before.chosen in ("", "DECLINE"):
                return
            turns = (*before.turns(), wordings.answer_after(item, before.chosen, settings.answers))
        elif item.item_type == "prospective":
            before = yield Choose(wordings.forecast(item), wordings.FORECAST, settings.temperature)
            if not before.chosen:
                return
            turns = (*before.turns(), wordings.options_after(item, settings.answers))
        options = item.letters if settings.answers == "letters" else item.options
        answer = yield Choose(turns, options, settings.temperature, max_tokens=LONGEST)
        if not answer.chosen:
            return
        keep = yield Choose((*answer.turns(), wordings.keep_probe()), wordings.KEEP, settings.temperature)
        yield Choose((*keep.turns(), wordings.bet_probe()), wordings.BET, settings.temperature)

    def read(
        self, item: BatteryItem, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        """One trial an item; a declined item is a trial without an answer."""
        chosen = [reply for reply in replies if isinstance(reply, Chosen)]
        by_turn = dict(zip(self.turns_of(item), chosen, strict=False))
        path, answer = by_turn.get("path"), by_turn.get("answer")
        bad = next((name for name, reply in by_turn.items() if not reply.chosen), "")
        letter = item.letters[answer.options.index(answer.chosen)] if answer and answer.chosen else ""
        taken = path.chosen if path else ""
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
            "keep_withdraw": _taken(by_turn.get("keep")),
            "bet_nobet": _taken(by_turn.get("bet")),
            "path": taken,
            "forecast": _taken(by_turn.get("forecast")),
            "p_answer": _probability_at(answer, item, letter),
            "p_key": _probability_at(answer, item, item.key),
            "p_keep": _probability(by_turn.get("keep"), "KEEP"),
            "p_bet": _probability(by_turn.get("bet"), "BET"),
            "p_direct": _probability(path, "ANSWER_DIRECTLY"),
            "p_decline": _probability(path, "DECLINE"),
            "p_forecast": _probability(by_turn.get("forecast"), "YES"),
            "logprob_keep": _logprob(by_turn.get("keep"), "KEEP"),
            "logprob_withdraw": _logprob(by_turn.get("keep"), "WITHDRAW"),
            "logprob_bet": _logprob(by_turn.get("bet"), "BET"),
            "logprob_no_bet": _logprob(by_turn.get("bet"), "NO_BET"),
            "points": points(item, taken, letter),
            "bad_reply": bad,
            "parse_status": "unclear" if bad else "ok",
            "form": (answer or chosen[0]).form,
            "wording": wordings.VERSION,
            "match": "given" if letter else "empty",
            "text": "\n".join(reply.text or reply.chosen for reply in chosen),
        }

    @staticmethod
    def turns_of(item: BatteryItem) -> tuple[str, ...]:
        """What an item's replies are to, in order."""
        first = "path" if item.track == "T6" else "forecast" if item.item_type == "prospective" else ""
        return tuple(t for t in (first, "answer", "keep", "bet") if t)


def points(item: BatteryItem, path: str, letter: str) -> float:
    """What a path of T6 earned; NaN on the other tracks, and where no path or no answer was understood."""
    if item.track != "T6" or not path or (path != "DECLINE" and not letter):
        return math.nan
    right, wrong = wordings.PAYOFFS[path]
    return right if letter == item.key else wrong


def _probability_at(reply: Chosen | None, item: BatteryItem, letter: str) -> float:
    return reply.probabilities[item.letters.index(letter)] if reply and letter else math.nan


def _taken(reply: Chosen | None) -> str:
    return reply.chosen if reply else ""


def _probability(reply: Chosen | None, option: str) -> float:
    return reply.probability(option) if reply and option in reply.options else math.nan


def _logprob(reply: Chosen | None, option: str) -> float:
    return reply.logprobs[reply.options.index(option)] if reply else math.nan


COLLECTIONS = (Battery(),)
