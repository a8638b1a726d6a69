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
    """What an engine can do, and why it cannot do the rest.

    Attributes
    ----------
    own_logprobs : bool
        Raw log-probabilities of the tokens it writes, each in its own place: NLP is made of them.
    score_text : bool
        Log-probabilities of given texts behind a prompt (forced decoding).
    score_options : bool
        Probabilities of given options, by scoring them or from the first token's alternatives. Where it
        cannot, a choice is written out and parsed.
    hold_options : bool
        An answer that is written out can be held to given options, by a grammar, a list of choices or a JSON
        schema; asked of a server that cannot score given texts.
    seeds : bool
        A seed may be given with each draw; whether a server then draws the same again is its affair.
    system_turns : bool
        A system turn is taken as such; where not, it is put into the first user turn.
    thinking : bool
        Replies may begin with a think block, which is taken off.
    why : mapping of str to str
        Reasons, by name, for what it cannot do, as far as they are known.
    """

    own_logprobs: bool = True
    score_text: bool = True
    score_options: bool = True
    seeds: bool = True
    system_turns: bool = True
    thinking: bool = False
    why: Mapping[str, str] = field(default_factory=dict)
    hold_options: bool = True

    def lacking(self, needed: Iterable[str]) -> dict[str, str]:
        """What it lacks of some capabilities, each with the reason."""
        return {
            name: self.why.get(name) or f"its engine cannot {WORDS[name]}"
            for name in needed
            if not getattr(self, name)
        }


#: A local engine's: everything.
ALL = Capabilities()
