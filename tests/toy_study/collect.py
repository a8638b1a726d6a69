"""What the toy study asks: which of two numbers is larger, and whether the answer is to be kept."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pandera.pandas as pa

from metacog.collect.collection import Collection
from metacog.engines.requests import Choose, Generate, user

KEEP_OR_WITHDRAW = "Your answer counts only if you keep it. Reply KEEP or WITHDRAW."


@dataclass(frozen=True)
class Settings:
    """What a profile may set of it."""

    n_items: int = 24
    block_items: int = 6
    seed: int = 7
    prompt_set: str = "zeroshot"


@dataclass(frozen=True)
class Pair:
    """Two numbers and the larger of them."""

    id: str
    question: str
    options: tuple[str, str]
    key: str
    domain: str = "Numbers"


class KeepOrWithdraw(Collection):
    """Two closed turns, and a third in words where the answer is withdrawn."""

    name = "keep"
    block = pa.DataFrameSchema(
        {
            "chosen": pa.Column(str),
            "kept": pa.Column(bool),
            "p_keep": pa.Column("float64", pa.Check.in_range(0, 1), nullable=True),
            "form": pa.Column(str),
            "parse_status": pa.Column(str, pa.Check.isin(("ok", "unclear"))),
        }
    )

    def items(self, settings, needed) -> Iterator[Pair]:
        draw = random.Random(settings.seed)
        for i in range(settings.n_items):
            a, b = draw.sample(range(10, 10 ** (2 + i % 3)), 2)
            question = f"Which number is larger, {a} or {b}?"
            yield Pair(f"pair-{i:03d}", question, (str(a), str(b)), str(max(a, b)))

    def ask(self, item, settings):
        answer = yield Choose((user(item.question),), item.options)
        keep = yield Choose((*answer.turns(), user(KEEP_OR_WITHDRAW)), ("KEEP", "WITHDRAW"))
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
