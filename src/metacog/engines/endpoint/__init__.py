"""Any server with an OpenAI-compatible interface."""

from metacog.engines.endpoint.engine import EndpointEngine

__all__ = ["EndpointEngine"]
