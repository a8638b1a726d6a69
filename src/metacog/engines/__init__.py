"""Engines turn prompts into answers with token log-probabilities."""

from metacog.engines.base import (
    Choice,
    Engine,
    EngineInfo,
    Generation,
    GenerationTask,
    Message,
    Sample,
    Score,
)

__all__ = ["Choice", "Engine", "EngineInfo", "Generation", "GenerationTask", "Message", "Sample", "Score"]
