"""Conversations by the block against one conversation at a time, and against the bare limit.

Three exercises, as studies 2 to 5 ask them: three closed turns; JSON with one repair; ten resamples of
an answer and then a turn about it. All conversations of an exercise are served in blocks, and some of
them one at a time as a study without the runner would (the engine's prompt-level calls, which keep the
cache of the turns already read): with the samples of a request drawn together, as the engine can, and with
one drawn after another, as a loop over a model does. The bare limit reads each conversation's tokens once
and draws at the width that the blocks had, at speeds gauged with the bare decoder in the same process. The
three are gauged alternately; a ratio is the median over the rounds. Times are those of the processor
where ``--cpu`` is given (for a machine that is busy), else those of the clock.

    python benchmarks/asking.py [--items 500] [--rounds 3] [--models NAME ...] [--cpu] [--out FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from metacog.collect.models import get_model
from metacog.collect.plan import open_engine
from metacog.collect.prompts import Prompt, load_prompt
from metacog.collect.questions import Question, load_questions
from metacog.engines.base import GenerationTask, Sample
from metacog.engines.engine import chosen
from metacog.engines.llama import LlamaEngine, sampling
from metacog.engines.llama.lowlevel import Context
from metacog.engines.llama.streams import Feed, Streams, common_length, rounded_cells
from metacog.engines.requests import Asking, Choose, Conversation, Generate, Generated, user

MODELS = {"smollm2-135m": "zeroshot-chat-v1", "gemma3-270m": "fewshot-v1"}
BLOCK = 50
WIDTH = 32  # streams gauged
ALONE = 12  # conversations asked one at a time in a round


def closed(item: Question, letters: str = "ABCD") -> Asking:
    """Three closed turns: answer, confidence, keep or withdraw."""
    options = [item.accepted[0], *item.distractors][:4]
    listed = "\n".join(f"{letter}) {text}" for letter, text in zip(letters, options, strict=False))
    answer = yield Choose(
        (user(f"{item.question}\n{listed}\nReply with the letter."),), tuple(letters[: len(options)])
    )
    sure = yield Choose((*answer.turns(), user("How sure are you, from 1 to 5?")), ("1", "2", "3", "4", "5"))
    yield Choose((*sure.turns(), user("Keep your answer, yes or no?")), ("Yes", "No"))


def repaired(item: Question) -> Asking:
    """An answer in JSON, asked for once more if it is none."""
    asked = f'{item.question}\nReply as JSON: {{"answer": "...", "confidence": 0-100}}'
    reply = yield Generate((user(asked),), 32, (0.7,))
    try:
        json.loads(reply.text)
    except ValueError:
        yield Generate(
            (*reply.turns(), user("That was no valid JSON. Reply with the JSON alone.")), 32, (0.7,)
        )


def resampled(item: Question) -> Asking:
    """Ten resamples, then a turn in words about the first."""
    reply = yield Generate((user(item.question),), 16, (0.7,), n=10)
    yield Generate((*reply.turns(), user("How sure are you of that, in a few words?")), 12)


EXERCISES: dict[str, Callable[[Question], Asking]] = {
    "three closed turns": closed,
    "JSON with one repair": repaired,
    "ten resamples and a turn": resampled,
}


def talks(ask: Callable[[Question], Asking], items: Sequence[Question], form: Prompt) -> list[Conversation]:
    """Conversations about the items."""
    return [Conversation(ask(item), form, seed=(7, item.id)) for item in items]


def one_at_a_time(engine: LlamaEngine, these: Sequence[Conversation], together: bool) -> None:
    """Carry conversations on one by one with the engine's prompt-level calls.

    Samples of one request are drawn ``together``, or one after another from the prompt that is kept.
    """
    for talk in these:
        while talk.pending:
            for index, request in list(talk.pending.items()):
                prompt = talk.form.render(request.turns, engine)
                if isinstance(request, Choose):
                    options = [talk.form.lead + option for option in request.options]
                    (row,) = engine.score_many([(prompt, options)])
                    talk.answer(index, chosen(request, [s.sum_logprob for s in row], "open"))
                elif isinstance(request, Generate):
                    wanted = zip(request.sample_temperatures, request.seeds or (), strict=True)
                    samples = tuple(Sample(t, s) for t, s in wanted)
                    made = []
                    for draws in (samples,) if together else ((one,) for one in samples):
                        task = GenerationTask(prompt, tuple(draws))
                        options = {"max_tokens": request.max_tokens, "stop": talk.form.stop}
                        made += engine.generate([task], **options)[0]
                    talk.answer(index, Generated(tuple(made), request.turns))


def work_of(engine: LlamaEngine, these: Sequence[Conversation]) -> tuple[int, int]:
    """Tokens to read (each conversation's once, what all share once) and tokens drawn in steps."""
    n_read = n_step = 0
    first: list[int] = []
    for talk in these:
        seen: list[list[int]] = [first] if first else []
        for made in talk.exchanges:
            tokens = engine.prompt_tokens(talk.form.render(made.request.turns, engine), 0)
            n_read += len(tokens) - max((common_length(tokens, old) for old in seen), default=0)
            seen.append(tokens)
            first = first or tokens
            for sample in made.reply.samples if isinstance(made.reply, Generated) else ():
                n_step += max(0, len(sample.token_ids) - (1 if sample.truncated else 0))
                seen.append(tokens + list(sample.token_ids))
    return n_read, n_step


class Bare:
    """The decoder alone, at the depth that the exercises have."""

    def __init__(self, engine: LlamaEngine, depth: int = 96) -> None:
        cells = rounded_cells(depth + 160)
        self.engine, self.depth = engine, depth
        context = Context(
            engine.model,
            n_cells=cells,
            n_seq=WIDTH,
            n_outputs=64,
            n_ubatch=512,
            n_threads=engine.n_threads,
            flash_attn=True,
            unified=False,
        )
        self.streams = Streams(context, WIDTH, 512)
        self.tokens = (engine.model.tokenize("The quick brown fox jumps over the lazy dog. ") * 40)[
            : depth + 64
        ]

    def read(self) -> float:
        """Seconds a token read: chunks of 64 tokens of one stream after another."""
        n = 0
        for stream in range(0, WIDTH, 4):
            self.streams.trim(stream, 0)
        started = CLOCK()
        for stream in range(0, WIDTH, 4):
            self.streams.decode([Feed(stream, self.tokens[: self.depth], 1)])
            n += self.depth
        return (CLOCK() - started) / n

    def draw(self, width: int) -> float:
        """Seconds a token drawn, ``width`` streams a step."""
        width = max(1, min(WIDTH, width))
        for stream in range(width):
            self.streams.trim(stream, 0)
        for group in self.streams.groups([Feed(s, self.tokens[: self.depth], 0) for s in range(width)]):
            self.streams.decode(group)
        uniform, temperature = np.full(width, 0.5), np.full(width, 0.7, np.float32)
        started = CLOCK()
        for step in range(8):
            feeds = [Feed(s, [self.tokens[step]], 1) for s in range(width)]
            logits = self.streams.decode(feeds)
            sampling.draw(logits, np.arange(width + 1), temperature, uniform, n_threads=self.engine.n_threads)
        return (CLOCK() - started) / (8 * width)

    def close(self) -> None:
        """Free the cache."""
        self.streams.context.close()


def measure(model: str, n_items: int, rounds: int) -> dict[str, Any]:
    """All exercises with one model."""
    engine, form = open_engine(get_model(model)), load_prompt(MODELS[model])
    assert isinstance(engine, LlamaEngine)
    bank = [q for q in load_questions("bank", shuffle_seed=7) if len(q.distractors) == 3]
    share = n_items // len(EXERCISES)
    found: dict[str, Any] = {}
    warm = talks(closed, bank[:2], form)
    engine.serve(warm)
    for name, ask in EXERCISES.items():
        rows = []
        size = -(-share // rounds)
        for k in range(rounds):
            items = bank[k * size : (k + 1) * size]
            bare = Bare(engine)
            read = bare.read()
            alone_seconds = {}
            for together in (True, False):
                alone = talks(ask, items[:ALONE], form)
                started = CLOCK()
                one_at_a_time(engine, alone, together)
                alone_seconds[together] = (CLOCK() - started) / len(alone)
            engine.timings.__init__()  # type: ignore[misc]
            block = talks(ask, items, form)
            started = CLOCK()
            for start in range(0, len(block), BLOCK):
                engine.serve(block[start : start + BLOCK])
            seconds = CLOCK() - started
            n_read, n_step = work_of(engine, block)
            timings = engine.timings
            width = round(timings.draws / max(1, timings.batches)) if n_step else 1
            limit = n_read * (read + bare.read()) / 2 + n_step * bare.draw(width)
            bare.close()
            rows.append(
                {
                    "items": len(items),
                    "items_per_second": len(items) / seconds,
                    "times_one_at_a_time": alone_seconds[True] * len(items) / seconds,
                    "times_one_sample_at_a_time": alone_seconds[False] * len(items) / seconds,
                    "share_of_limit": limit / seconds,
                    "tokens_read": n_read,
                    "tokens_fed": timings.prompt_tokens,
                    "tokens_stepped": n_step,
                    "width": width,
                }
            )
        found[name] = {key: statistics.median(row[key] for row in rows) for key in rows[0]} | {"rounds": rows}
    engine.close()
    return found


CLOCK: Callable[[], float] = time.perf_counter


def main() -> None:
    """Measure and print."""
    global CLOCK
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--cpu", action="store_true", help="processor time, for a busy machine")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    CLOCK = time.process_time if given.cpu else time.perf_counter
    found = {model: measure(model, given.items, given.rounds) for model in given.models}
    for model, exercises in found.items():
        for name, row in exercises.items():
            print(
                f"{model:13} {name:25} {row['items_per_second']:6.2f} items/s, "
                f"{row['times_one_at_a_time']:.2f} times one at a time "
                f"({row['times_one_sample_at_a_time']:.2f} times one sample at a time), "
                f"{100 * row['share_of_limit']:.0f} % of the bare limit (read {row['tokens_read']:.0f}, "
                f"fed {row['tokens_fed']:.0f}, width {row['width']:.0f})"
            )
    if given.out:
        given.out.write_text(json.dumps({"clock": "cpu" if given.cpu else "wall", **found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
