"""Chat turns to prompt text, by the template that the model's file carries."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import Any

from jinja2 import TemplateError

from metacog.core.errors import MetacogError
from metacog.engines.base import Message
from metacog.engines.llama.lowlevel import Model, lc


def fold(messages: Sequence[Message]) -> list[Message]:
    """Put a leading system turn in front of the first user turn, one blank line between."""
    if not messages or messages[0]["role"] != "system":
        return list(messages)
    system, rest = messages[0]["content"], list(messages[1:])
    if rest and rest[0]["role"] == "user":
        rest[0] = Message(role="user", content=f"{system}\n\n{rest[0]['content']}")
        return rest
    return [Message(role="user", content=system), *rest]


@functools.lru_cache(maxsize=16)
def _formatter(template: str, eos: str, bos: str) -> Any:
    """The compiled template; compiling takes 2 ms, more than tokenising a prompt."""
    return lc.llama_chat_format.Jinja2ChatFormatter(template=template, eos_token=eos, bos_token=bos)


def check_switches(template: str | None, switches: Mapping[str, Any]) -> None:
    """Refuse switches that a chat template does not know: they would be passed over in silence."""
    unknown = [name for name in switches if not re.search(rf"\b{re.escape(name)}\b", template or "")]
    if unknown:
        raise MetacogError(
            f"the model's chat template has no switch {', '.join(unknown)} (chat_template_kwargs): look up "
            "how this model's template names it"
        )


def render(
    model: Model,
    messages: Sequence[Message],
    *,
    fold_system: bool | None = None,
    switches: Mapping[str, Any] | None = None,
) -> str:
    """The prompt text of some turns, the assistant's opened, without the first token where the engine adds it.

    None of ``fold_system`` folds where the template refuses or drops the system turn; ``switches`` are variables of
    the template's own (``chat_template_kwargs``).
    """
    template = model.chat_template()
    if template is None:
        raise MetacogError(
            "this model file carries no chat template (a base model); use a plain prompt for it."
        )
    bos = model.control_text(model.bos)
    formatter = _formatter(template, model.control_text(model.eos), bos)

    def apply(turns: Sequence[Message]) -> str:
        text: str = formatter(messages=list(turns), **(switches or {})).prompt
        return text.removeprefix(bos) if bos and model.add_bos else text

    has_system = bool(messages) and messages[0]["role"] == "system"
    try:
        if has_system and fold_system is None:
            try:
                text = apply(messages)
                if messages[0]["content"].strip() in text:
                    return text
            except (TemplateError, ValueError):
                pass  # the template refuses a system role
            return apply(fold(messages))
        return apply(fold(messages) if fold_system else messages)
    except (TemplateError, ValueError) as error:
        raise MetacogError(f"the model's chat template refuses these turns: {error}") from error


def takes_system(model: Model, switches: Mapping[str, Any] | None = None) -> bool:
    """Whether the template takes a system turn; where there is none, a plain prompt writes it out."""
    if model.chat_template() is None:
        return True
    turns = [Message(role="system", content="Be brief."), Message(role="user", content="Say yes.")]
    try:
        return turns[0]["content"] in render(model, turns, fold_system=False, switches=switches)
    except MetacogError:
        return False
