"""Engines make text and log-probabilities: llama.cpp on this machine, or a server's endpoint."""

from metacog.engines.base import EngineInfo, Generation, GenerationTask, Message, Sample
from metacog.engines.conversation import Conversation
from metacog.engines.engine import Engine
from metacog.engines.requests import (
    Choose,
    Chosen,
    Generate,
    Generated,
    Reply,
    Request,
    Score,
    Scored,
    assistant,
    user,
)

__all__ = [
    "Choose",
    "Chosen",
    "Conversation",
    "Engine",
    "EngineInfo",
    "Generate",
    "Generated",
    "Generation",
    "GenerationTask",
    "Message",
    "Reply",
    "Request",
    "Sample",
    "Score",
    "Scored",
    "assistant",
    "user",
]
