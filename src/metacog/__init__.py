"""Do LLMs know what they know? Code behind the reproducible companion."""

__version__ = "1.0.0"
