"""What an engine can do: declared by a local engine, found out by an endpoint's probe."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

#: Each capability in words that finish "it cannot ...".
WORDS = {
    "own_logprobs": "tell log-probabilities of its own tokens",
    "score_text": "score given texts",
    "score_options": "score given options",
    "hold_options": "hold a written answer to given options",
    "seeds": "take a seed",
    "system_turns": "take a system turn",
    "thinking": "think before it answers",
}


@dataclass(frozen=True)
class Capabilities:
    """What an engine can do, and why it cannot do the rest."""

    #: Raw log-probabilities of the tokens it writes, each in its own place: NLP is made of them.
    own_logprobs: bool = True
    #: Log-probabilities of given texts behind a prompt (forced decoding).
    score_text: bool = True
    #: Probabilities of given options, by scoring them or from the first token's alternatives. Where it cannot, a
    #: choice is written out and parsed.
    score_options: bool = True
    #: A seed may be given with each draw; whether a server then draws the same again is its affair.
    seeds: bool = True
    #: A system turn is taken as such; where not, it is put into the first user turn.
    system_turns: bool = True
    thinking: bool = False
    #: Reasons, by name, for what it cannot do, as far as they are known.
    why: Mapping[str, str] = field(default_factory=dict)
    #: An answer that is written out can be held to given options, by a grammar, a list of choices or a JSON
    #: schema; asked of a server that cannot score given texts.
    hold_options: bool = True

    def lacking(self, needed: Iterable[str]) -> dict[str, str]:
        return {
            name: self.why.get(name) or f"its engine cannot {WORDS[name]}"
            for name in needed
            if not getattr(self, name)
        }
