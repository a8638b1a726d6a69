"""A hosted chat API without log-probabilities: knows some answers, states percentages, names options."""

from __future__ import annotations

import hashlib
import json
import re

import httpx2

from metacog.collect.models import ModelEntry
from metacog.collect.published_choices import load_choices
from metacog.collect.questions import load_questions
from metacog.engines.endpoint import EndpointEngine

#: Options of closed choices, where a turn names them.
NAMED = re.compile(r"\b(?:KEEP|WITHDRAW|BET|NO_BET|YES|NO|ANSWER_DIRECTLY|DECLINE)\b")
URL = "http://127.0.0.1:9/v1"  # the discard port: nothing is ever sent there
ENTRY = {
    "name": "served",
    "label": "Served",
    "kind": "instruct",
    "source": {"endpoint": {"url": URL, "model": "served", "api": "chat"}},
    "sha256": None,
    "prompts": {"fewshot": "fewshot-chat-v1", "zeroshot": "zeroshot-chat-v1", "plain": "plain-chat-v1"},
}


def entry(**changes) -> ModelEntry:
    """Its entry in a registry."""
    return ModelEntry(**{**ENTRY, **changes})


def drawn(*parts: object, of: int) -> int:
    """A number below ``of`` that depends on the parts alone."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:6]) % of


class ChatApi:
    """The server in a function; keeps the bodies it was sent.

    ``refuses``: refuse a request for log-probabilities (403) instead of passing it over; ``percent``: format of a
    stated percentage; ``holds``: field by which an answer can be held to options; others are passed over;
    ``strict``: refuse other such fields (400) instead of passing them over; ``sure``: what it writes whenever it is
    asked how sure it is of a sentence; without it, a digit that varies; ``alike``: give every sentence the same one
    of the answers that its examples gave; ``lost``: write the same words, which name no option, to whatever it is
    asked.
    """

    def __init__(
        self,
        *,
        refuses: bool = False,
        percent: str = "{}%",
        holds: str = "",
        strict: bool = False,
        sure: str | None = None,
        alike: bool = False,
        lost: bool = False,
    ) -> None:
        self.refuses, self.percent, self.holds, self.strict = refuses, percent, holds, strict
        self.sure, self.alike, self.lost = sure, alike, lost
        self.bodies: list[dict] = []
        self.known = {q.question: q.accepted[0] for q in load_questions("bank")}
        self.options = {q.question: q.options for q in load_choices("bank")}

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.bodies.append(body)
        if self.refuses and "logprobs" in body:
            words = "You are not allowed to request logprobs from this model"
            return httpx2.Response(403, json={"error": {"message": words}})
        odd = {"grammar", "structured_outputs", "guided_choice", "response_format"} - {self.holds}
        if self.strict and odd & set(body):
            words = f"Unrecognized request argument supplied: {sorted(odd & set(body))[0]}"
            return httpx2.Response(400, json={"error": {"message": words}})
        text = self.held(body) if self.holds in body else self.text(body)
        choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop", "index": 0}
        usage = {"prompt_tokens": 20, "completion_tokens": len(text.split()) + 1}
        return httpx2.Response(200, json={"choices": [choice], "usage": usage})

    def held(self, body: dict) -> str:
        """An option, of those that the answer is held to."""
        asked, seed = body[self.holds], body.get("seed")
        if self.holds == "grammar":
            options = re.findall(r'"((?:[^"\\]|\\.)*)"', asked.partition("root ::= ")[2])
            options = [json.loads(f'"{option}"') for option in options]
        elif self.holds == "structured_outputs":
            options = asked["choice"]
        elif self.holds == "guided_choice":
            options = asked
        else:
            options = asked["json_schema"]["schema"]["properties"]["choice"]["enum"]
        option = options[drawn(body["messages"][-1]["content"], seed, of=len(options))]
        return json.dumps({"choice": option}) if self.holds == "response_format" else option

    def text(self, body: dict) -> str:
        """What the model says."""
        if self.lost:
            return "Well, who knows."
        said = "\n".join(turn["content"] for turn in body["messages"])
        asked = said.rstrip()[-700:]
        luck = drawn(said, body.get("seed"), of=100)
        if found := self.binary(body["messages"], luck) or self.like_before(body["messages"], luck):
            return found
        if "percentage" in asked.splitlines()[-1] or "percentage" in asked.splitlines()[-2:][0]:
            return self.percent.format(50 + 10 * drawn(said, of=5))
        if found := self.answer(asked, luck, body["temperature"]):
            return found
        lines = [line.strip("- ") for line in body["messages"][-1]["content"].splitlines() if line.strip()]
        if len(lines) > 2 and "options" in lines[-1]:
            return lines[-2 - luck % 2]
        if options := NAMED.findall(body["messages"][-1]["content"][-300:]):
            return options[luck % len(options)]
        return "A" if luck % 2 else "B"

    def binary(self, turns: list[dict], luck: int) -> str:
        """What it says about a question with two options; empty for any other."""
        question, asked = turns[0]["content"].splitlines()[0], turns[-1]["content"]
        options = self.options.get(question) or ("True", "False") * ("Boolean expression" in question)
        if not options:
            return ""
        # the key stands first; how sure it says to be depends on what it said before
        sure = drawn(turns[-2]["content"] if len(turns) > 1 else asked, of=6)
        letter, other = ("A", "B") if luck % 2 else ("B", "A")
        for words, reply in {
            "Reply with a digit": f"{4 + sure}",
            "Reply with Yes or No": "Yes" if luck % 3 else "No",
            "letter, a comma and a": f"{letter}, 0.{4 + sure}",
            "Then write the word Final": f"It is well known.\nFinal: {letter}, 0.{4 + sure}",
            "best guesses": f"{letter} 0.{4 + sure}, {other} 0.{3 + sure % 2}",
            "A or B": letter,
            "First reason": "It is well known.",
        }.items():
            if words in asked:
                return reply
        return options[0] if luck < 65 else options[1]

    def like_before(self, turns: list[dict], luck: int) -> str:
        """One of the answers that examples gave to sentences, or a digit for how sure it is; empty otherwise."""
        if turns[-1]["content"].startswith("Sentence:"):
            given = sorted({turn["content"] for turn in turns if turn["role"] == "assistant"})
            return given[0 if self.alike else luck % len(given)] if given else ""
        if not turns[-1]["content"].startswith("How sure are you"):
            return ""
        return str(1 + luck % 5) if self.sure is None else self.sure

    def answer(self, asked: str, luck: int, temperature: float) -> str:
        """An open answer: known questions rightly, more often the cooler; a few wrong ones else."""
        question = re.findall(r"Q: (.*)", asked)
        key = self.known.get(question[-1].strip()) if question else None
        if key is None:
            return ""
        hard = drawn(key, of=100)
        return key if luck * temperature < 1.3 * hard else ("Lisbon", "Bach", "Seven")[luck % 3]


def connect(api: ChatApi | None = None, **settings) -> EndpointEngine:
    """An engine that talks to it."""
    transport = httpx2.MockTransport(api or ChatApi())
    return EndpointEngine(URL, "served", api="chat", transport=transport, **settings)
