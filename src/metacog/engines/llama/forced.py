"""Forced decoding of given continuations, as token tries on a shared KV cache.

A token of the trie is decoded once and belongs to the sequences of all continuations that
pass through it, so shared beginnings cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from metacog.core.errors import MetacogError
from metacog.engines.base import ScoredText
from metacog.engines.llama import sampling
from metacog.engines.llama.lowlevel import Context, Model


def continuation_tokens(model: Model, prompt: str, prompt_tokens: Sequence[int], text: str) -> list[int]:
    """Tokens of a continuation as they follow the prompt's own tokens, which are kept.

    From tokenising both as one text, where the prompt's tokens survive that; else from tokenising the continuation
    after a line break, which keeps vocabularies that put a space before a text from doing so.
    """
    if not text:
        return []
    joint = model.tokenize(prompt + text)
    n = len(prompt_tokens)
    if joint[:n] == list(prompt_tokens):
        return joint[n:]
    anchor = model.tokenize("\n", bos=False)
    after = model.tokenize("\n" + text, bos=False)
    if after[: len(anchor)] == anchor:
        return after[len(anchor) :]
    return model.tokenize(text, bos=False)


@dataclass
class Batch:
    """One batch of the plan: prompts' ends and the tries below them."""

    tokens: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    sequences: list[list[int]] = field(default_factory=list)
    outputs: list[bool] = field(default_factory=list)
    # (item, continuation, place in the continuation, batch index whose logits predict it)
    reads: list[tuple[int, int, int, int]] = field(default_factory=list)
    n_sequences: int = 0


def plan(
    suffixes: Sequence[Sequence[int]],
    continuations: Sequence[Sequence[Sequence[int]]],
    n_prefix: int,
    *,
    n_sequences: int,
    n_tokens: int,
) -> list[Batch]:
    """Cut the work into batches, in order, each with its tries laid out.

    ``suffixes``: what each prompt adds to the shared prefix (at least one token); ``n_tokens``: tokens in one batch
    aimed at; a single prompt with one continuation may exceed it.
    """
    batches: list[Batch] = []
    current = Batch()
    for item, (suffix, texts) in enumerate(zip(suffixes, continuations, strict=True)):
        todo = [(i, list(t)) for i, t in enumerate(texts) if t]
        while todo:
            room = n_sequences - current.n_sequences
            left = n_tokens - len(current.tokens) - len(suffix)
            take, cost = 0, 0
            while take < min(room, len(todo)) and cost + len(todo[take][1]) <= left:
                cost += len(todo[take][1])
                take += 1
            if take < len(todo) and current.tokens:
                batches.append(current)
                current = Batch()
                continue
            _lay_out(current, item, suffix, todo[: max(take, 1)], n_prefix)
            todo = todo[max(take, 1) :]
    if current.tokens:
        batches.append(current)
    return batches


def _lay_out(
    batch: Batch, item: int, suffix: Sequence[int], todo: Sequence[tuple[int, list[int]]], n_prefix: int
) -> None:
    """Append a prompt's end and the trie of its continuations to a batch."""
    first = batch.n_sequences + 1
    batch.n_sequences += len(todo)
    everyone = list(range(first, first + len(todo)))
    base = len(batch.tokens)
    batch.tokens += suffix
    batch.positions += range(n_prefix, n_prefix + len(suffix))
    batch.sequences += [list(everyone) for _ in suffix]
    batch.outputs += [False] * (len(suffix) - 1) + [True]
    root = base + len(suffix) - 1
    children: dict[tuple[int, int], int] = {}
    for sequence, (index, tokens) in zip(everyone, todo, strict=True):
        parent = root
        for place, token in enumerate(tokens):
            batch.outputs[parent] = True
            batch.reads.append((item, index, place, parent))
            if place == len(tokens) - 1:
                break  # nothing is read after the last token
            node = children.get((parent, token))
            if node is None:
                node = children[parent, token] = len(batch.tokens)
                batch.tokens.append(token)
                batch.positions.append(n_prefix + len(suffix) + place)
                batch.sequences.append([])
                batch.outputs.append(True)
            batch.sequences[node].append(sequence)
            parent = node


def run(
    context: Context,
    batches: Sequence[Batch],
    continuations: Sequence[Sequence[Sequence[int]]],
    *,
    n_threads: int,
) -> list[list[ScoredText]]:
    """Decode the plan and read each continuation's log-probabilities."""
    values = [[np.full(len(t), np.nan) for t in texts] for texts in continuations]
    for batch in batches:
        for sequence in range(1, batch.n_sequences + 1):
            context.fork(0, sequence)
        logits = context.decode(batch.tokens, batch.positions, batch.sequences, batch.outputs)
        totals = sampling.logsumexp_rows(logits, n_threads=n_threads)
        row_of = np.cumsum(batch.outputs) - 1
        for item, index, place, node in batch.reads:
            row = row_of[node]
            values[item][index][place] = float(logits[row, continuations[item][index][place]]) - totals[row]
        for sequence in range(1, batch.n_sequences + 1):
            context.drop(sequence)
    if any(np.isnan(v).any() for row in values for v in row):
        raise MetacogError("the model gave logits that are not finite; the file may be damaged.")
    return [
        [ScoredText(tuple(t), tuple(v.tolist())) for t, v in zip(texts, row, strict=True)]
        for texts, row in zip(continuations, values, strict=True)
    ]
