"""Sentences that several chapters of study 1 share."""

from __future__ import annotations


def solved_from(figures: str, same: int, of: int) -> str:
    """For figures that the counts were solved from, or that follow from such: that they had to agree."""
    began = f"The printed {figures} are among what the counts were solved from, or follow from it"
    if same == of:
        return f"{began}: that all {of} agree is no test."
    return f"{began}, and yet {same} of {of} agree: printed figures contradict one another."
