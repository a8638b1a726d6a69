"""What several analyses of the published counts share."""

from __future__ import annotations

#: The paper's counts and printed figures.
PUBLISHED = ("data/published/servajean_*.csv",)
