"""llama.cpp on this machine, many sequences a step."""

from metacog.engines.llama.engine import LlamaEngine

__all__ = ["LlamaEngine"]
