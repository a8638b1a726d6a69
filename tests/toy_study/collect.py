"""What the toy study asks: which of two numbers is larger, and whether the answer is to be kept."""

import random
from dataclasses import dataclass
from types import SimpleNamespace

import pandera.pandas as pa

from metacog.collect.collection import Collection
from metacog.engines.requests import Choose, Generate, user


@dataclass(frozen=True)
class Settings:
    """What a profile may set of it."""

    n_items: int = 24
    block_items: int = 6
    seed: int = 7
    prompt_set: str = "zeroshot"


class KeepOrWithdraw(Collection):
    """Two closed turns, and a third in words where the answer is withdrawn."""

    name = "keep"
    block = pa.DataFrameSchema(
        {
            **{name: pa.Column(str) for name in ("chosen", "form", "parse_status")},
            "kept": pa.Column(bool),
            "p_keep": pa.Column("float64", pa.Check.in_range(0, 1), nullable=True),
        }
    )

    def items(self, settings, needed):
        draw = random.Random(settings.seed)
        for i in range(settings.n_items):
            pair = draw.sample(range(10, 10 ** (2 + i % 3)), 2)
            about = {"question": "Which number is larger, {} or {}?".format(*pair), "domain": "Numbers"}
            yield SimpleNamespace(
                id=f"pair-{i:03d}", options=tuple(map(str, pair)), key=str(max(pair)), **about
            )

    def ask(self, item, settings):
        answer = yield Choose((user(item.question),), item.options)
        whether = user("Your answer counts only if you keep it. Reply KEEP or WITHDRAW.")
        keep = yield Choose((*answer.turns(), whether), ("KEEP", "WITHDRAW"))
        if keep.chosen == "WITHDRAW":
            yield Generate((*keep.turns(), user("Why?")), max_tokens=12)

    def read(self, item, replies, settings):
        answer, keep, *_ = replies
        yield {
            "chosen": answer.chosen,
            "answer": answer.chosen,
            "correct": answer.chosen == item.key,
            "kept": keep.chosen == "KEEP",
            "p_keep": keep.probability("KEEP"),
            "form": keep.form,
            "parse_status": "ok" if answer.chosen and keep.chosen else "unclear",
        }
