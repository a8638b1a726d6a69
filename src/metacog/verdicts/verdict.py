"""What sort of rule an outcome was judged by."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What sort of rule an outcome was judged by."""

    PREREGISTERED = "pre-registered"
    SOUND = "sound counterpart"
    EXPLORATORY = "exploratory"
    PUBLISHED = "published values and ours"
    FINDING = "finding"
