"""llama.cpp on this machine, many sequences a step: the engine of the default profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from metacog.core.errors import MetacogError
from metacog.core.files import sha256_of
from metacog.core.machine import available_cores
from metacog.engines.base import EngineInfo, Generation, GenerationTask, Message, ScoredText, Spent
from metacog.engines.capabilities import Capabilities
from metacog.engines.engine import Continued, ScoringEngine
from metacog.engines.llama import forced
from metacog.engines.llama.ending import StopRule
from metacog.engines.llama.generate import Block, Timings
from metacog.engines.llama.lowlevel import Model, lc
from metacog.engines.llama.prefix import PrefixCache, common_prefix
from metacog.engines.llama.templates import check_switches, render, takes_system
from metacog.engines.requests import Conversation, Reply
from metacog.engines.schedule import N_BATCH, WIDTH
from metacog.engines.thinking import Rule, check_prompt, check_room, opens, rule_of


class LlamaEngine(ScoringEngine):
    """Batched generation and forced decoding with a GGUF model.

    - ``path``: the GGUF file; ``sha256``: its checksum where the caller knows it, else computed when asked for.
    - ``n_threads``: by default the physical cores this process may use.
    - ``n_ctx``: tokens one sequence may hold, prompt and answer; by default what the model was trained with.
    - ``n_batch``: tokens computed in one pass (llama.cpp's physical batch).
    - ``width``: rows of a decoding step aimed at; ``n_seq``: samples in flight at most, by default twice the width.
    - ``n_gpu_layers``: layers on a GPU, -1 for all, where the build of llama.cpp has one.
    - ``flash_attn``: fused attention. It skips the cells of other sequences, so a step costs a tenth less; its
      log-probabilities are as far from those of a single-precision cache as without it.
    - ``thinking``: what becomes of a think block: ``refuse``, ``strip`` or ``strip-opened``; see
      :mod:`metacog.engines.thinking`. ``thought_tokens``: room for it, so many tokens more than an answer may have.
    - ``chat_template_kwargs``: switches of the model's chat template, such as ``{"enable_thinking": False}``.

    A MetacogError for a missing or damaged file, and sizes out of range.

    A block's schedule and the size of the KV cache are functions of the arguments of the call and of the settings
    above, so the same call gives the same bits on the same machine, whatever ran before. Other settings or another
    machine change the rounding of quantised kernels, and with it log-probabilities: usually by less than 0.1 (nats),
    those of rare tokens by more than 1 (``data/simulations/gpu.csv``).
    """

    def __init__(
        self,
        path: str | Path,
        *,
        n_threads: int | None = None,
        n_ctx: int | None = None,
        n_batch: int = N_BATCH,
        width: int = WIDTH,
        n_seq: int | None = None,
        n_gpu_layers: int = 0,
        flash_attn: bool = True,
        sha256: str | None = None,
        thinking: str = Rule.REFUSE,
        thought_tokens: int = 0,
        chat_template_kwargs: Mapping[str, Any] | None = None,
    ) -> None:
        self.thinking, self.switches = rule_of(thinking), dict(chat_template_kwargs or {})
        self.thought_tokens = check_room(thought_tokens, self.thinking)
        self.path, self.width = Path(path), width
        self._model: Model | None = None
        most = int(lc.llama_max_parallel_sequences()) - 1
        self.n_live = min(2 * width, most) if n_seq is None else n_seq
        if width < 1 or not 1 <= self.n_live <= most:
            raise MetacogError(f"width must be at least 1 and n_seq between 1 and {most}.")
        self.n_threads = available_cores() if n_threads is None else n_threads
        if self.n_threads < 1 or n_batch < 32:
            raise MetacogError("n_threads must be at least 1 and n_batch at least 32.")
        self.n_batch, self.n_gpu_layers, self.flash_attn = n_batch, n_gpu_layers, flash_attn
        self._sha256 = sha256
        self._model = Model(self.path, n_gpu_layers=n_gpu_layers)
        check_switches(self._model.chat_template(), self.switches)
        self.n_ctx = self._model.n_ctx_train if n_ctx is None else n_ctx
        self.timings = Timings()
        self._cache = PrefixCache(self._model, self.n_live + 1, n_batch, self.n_threads, flash_attn)

    @property
    def model(self) -> Model:
        if self._model is None:
            raise MetacogError("this engine is closed; make a new one.")
        return self._model

    @property
    def info(self) -> EngineInfo:
        if self._sha256 is None:
            self._sha256 = sha256_of(self.path)
        return EngineInfo(
            engine="llama.cpp",
            model=self.path.name,
            model_sha256=self._sha256,
            versions={"llama-cpp-python": lc.__version__, "numba": version("numba"), "numpy": np.__version__},
            settings={
                "n_threads": self.n_threads,
                "n_ctx": self.n_ctx,
                "n_batch": self.n_batch,
                "width": self.width,
                "n_seq": self.n_live,
                "n_gpu_layers": self.n_gpu_layers,
                "flash_attn": self.flash_attn,
                "kv_type": "f16",
                "cpu": lc.llama_print_system_info().decode().strip(" |"),
                **({"thinking": str(self.thinking)} if self.thinking is not Rule.REFUSE else {}),
                **({"thought_tokens": self.thought_tokens} if self.thought_tokens else {}),
                **({"chat_template_kwargs": dict(self.switches)} if self.switches else {}),
            },
            capabilities=Capabilities(
                system_turns=takes_system(self.model, self.switches), thinking=self.thinking.strips
            ),
        )

    def render_chat(self, messages: Sequence[Message]) -> str:
        """Apply the model's own chat template and open the assistant's turn.

        The system turn is put into the first user turn where the template refuses or drops a system role.
        """
        return render(self.model, messages, switches=self.switches)

    def serve(self, conversations: Sequence[Conversation]) -> list[list[Reply]]:
        """Carry every conversation to its end; one call is one block.

        Conversations keep their cache while they are in flight (:mod:`metacog.engines.llama.serve`). Where all of
        them are of one turn, :meth:`generate` and :meth:`score_many` answer the block.

        ``result[i]`` are the replies of conversation i, in the order of its requests.
        """
        from metacog.engines.llama.serve import serve

        serve(self, conversations)
        return [talk.replies for talk in conversations]

    def generate(
        self,
        tasks: Sequence[GenerationTask],
        *,
        max_tokens: int,
        stop: Sequence[str] = (),
        count_stop_token: bool = False,
    ) -> list[list[Generation]]:
        """Generate every sample of every task; one call is one block.

        ``max_tokens``: most tokens drawn for a sample, the one that ends it included; room for thoughts comes on
        top; ``stop``: texts that end an answer at their first occurrence; ``count_stop_token``: count the tokens
        that hold the stop text. Tokens that end the generation for the model are never counted.

        ``result[i][j]`` is sample j of task i.
        """
        if max_tokens < 1:
            raise MetacogError("max_tokens must be at least 1.")
        if not tasks:
            return []
        max_tokens += self.thought_tokens
        opened = {opens(task.prompt) for task in tasks}
        if len(opened) > 1:
            raise MetacogError("some prompts end inside a think block and some do not: generate them apart.")
        texts = tuple(t.encode() for t in stop if t)
        rule = StopRule(max_tokens, texts, count_stop_token, self.thinking, opened.pop())
        prompts = [self.prompt_tokens(task.prompt, max_tokens) for task in tasks]
        n_prefix = common_prefix(prompts)
        suffixes = [p[n_prefix:] for p in prompts]
        samples = [task.samples for task in tasks]
        self.timings.sent_tokens += sum(
            len(tokens) * len(wanted) for tokens, wanted in zip(prompts, samples, strict=True)
        )
        fewest = max(1, min(min(map(len, samples)), self.n_live))
        longest = max(map(len, suffixes))
        n_tokens = min(len(tasks), self.n_live // fewest + 1) * longest
        n_tokens += min(sum(map(len, samples)), self.n_live) * max_tokens
        with self._cache.block(prompts[0][:n_prefix], n_tokens, 0, self.timings) as context:
            return Block(self, context, suffixes, samples, n_prefix, rule).run()

    def score_many(self, items: Continued) -> list[list[ScoredText]]:
        """Score the continuations of many prompts as one block (shared prefix decoded once).

        A prompt is tokenised as :meth:`generate` does it, and a continuation to the tokens that follow it when both are
        read as one text, so ``score(p, [g.text])`` sees what ``generate`` sees after ``p``. Where the text of prompt
        and continuation would merge into one token across the boundary, the continuation is tokenised by itself (the
        prompt keeps its tokens, since that is what the model was given). A leading space is the caller's: for a prompt
        that ends in ``A:`` the continuation is ``" Paris"``.
        """
        prompts, wanted = [], []
        for prompt, texts in items:
            tokens = self.prompt_tokens(prompt, 0)
            rest = [forced.continuation_tokens(self.model, prompt, tokens, t) for t in texts]
            longest = max(map(len, rest), default=0)
            if len(tokens) + longest > self.n_ctx:
                raise MetacogError(
                    f"prompt and continuation have {len(tokens) + longest} tokens, more than the context of "
                    f"{self.n_ctx}. Shorten them or raise n_ctx."
                )
            prompts.append(tokens)
            wanted.append(rest)
            self.timings.sent_tokens += sum(len(tokens) + len(one) for one in rest)
        n_prefix = common_prefix(prompts)
        suffixes = [p[n_prefix:] for p in prompts]
        forest = forced.plan(suffixes, wanted, n_prefix, n_sequences=self.n_live, n_tokens=self.n_batch)
        n_tokens = max((len(batch.tokens) for batch in forest), default=0)
        n_outputs = max((sum(batch.outputs) for batch in forest), default=0)
        with self._cache.block(prompts[0][:n_prefix], n_tokens, n_outputs, self.timings) as context:
            self.timings.prompt_tokens += sum(len(batch.tokens) for batch in forest)
            return forced.run(context, forest, wanted, n_threads=self.n_threads)

    @property
    def spent(self) -> Spent:
        made = self.timings
        return Spent(made.prompt_tokens + made.step_tokens, made.draws, sent=made.sent_tokens)

    def close(self) -> None:
        if self._model is not None:
            self._cache.close()
            self._model.close()
            self._model = None

    def __del__(self) -> None:
        if getattr(self, "_model", None) is not None and hasattr(self, "_cache"):
            self.close()

    def prompt_tokens(self, prompt: str, max_tokens: int) -> list[int]:
        """Tokens of a rendered prompt; refuses one that does not fit with ``max_tokens`` behind it.

        With ``max_tokens`` 0 given texts are to be scored behind it.
        """
        check_prompt(prompt, self.thinking, scored=max_tokens == 0)
        tokens = self.model.tokenize(prompt)
        if not tokens:
            raise MetacogError("a prompt is empty; give the model something to continue.")
        if len(tokens) + max_tokens > self.n_ctx:
            raise MetacogError(
                f"a prompt of {len(tokens)} tokens with {max_tokens} after it does not fit the context of "
                f"{self.n_ctx} (it begins {prompt[:40]!r}). Shorten it or raise n_ctx."
            )
        return tokens
