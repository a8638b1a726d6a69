"""Several turns with one model: what was said before stays in the prompt."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from metacog.engines.base import (
    Choice,
    Engine,
    Generation,
    GenerationTask,
    Message,
    Sample,
    Score,
)


class Conversation:
    """Turns so far, and the next one by any engine.

    Each call renders all turns again. :class:`~metacog.engines.llama.LlamaEngine` keeps the
    cache of the turns it has already read, so a follow-up costs only what is new, and
    gives the same bits as it would in a fresh engine.

    Parameters
    ----------
    engine : Engine
    messages : sequence of Message
        The turns to begin with.
    render : callable, optional
        Turns to prompt text; the model's own chat template by default. A base model needs one.
    """

    def __init__(
        self,
        engine: Engine,
        messages: Sequence[Message] = (),
        *,
        render: Callable[[Sequence[Message]], str] | None = None,
    ) -> None:
        self.engine = engine
        self.messages: list[Message] = list(messages)
        self._render = engine.render_chat if render is None else render

    def say(self, content: str, *, role: str = "user") -> Conversation:
        """Add a turn and return the conversation itself."""
        self.messages.append(Message(role=role, content=content))
        return self

    @property
    def prompt(self) -> str:
        """The prompt of the next assistant turn."""
        return self._render(self.messages)

    def generate(
        self,
        *,
        max_tokens: int,
        temperature: float = 0.0,
        seed: int = 0,
        stop: Sequence[str] = (),
        keep: bool = True,
    ) -> Generation:
        """Let the assistant answer freely; the answer becomes a turn unless ``keep`` is False."""
        task = GenerationTask(self.prompt, (Sample(temperature, seed),), tuple(self.messages))
        answer = self.engine.generate([task], max_tokens=max_tokens, stop=stop)[0][0]
        if keep:
            self.say(answer.text.strip(), role="assistant")
        return answer

    def choose(
        self,
        options: Sequence[str],
        *,
        temperature: float = 0.0,
        seed: int = 0,
        keep: bool = True,
    ) -> Choice:
        """Let the assistant choose among options; the choice becomes a turn unless ``keep`` is False."""
        choice = self.engine.choose(self.prompt, options, temperature=temperature, seed=seed)
        if keep:
            self.say(options[choice.chosen].strip(), role="assistant")
        return choice

    def score(self, continuations: Sequence[str]) -> list[Score]:
        """Log-probabilities of given next turns; nothing is added."""
        return self.engine.score(self.prompt, continuations)
