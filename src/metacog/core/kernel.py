"""How Jupyter kernels are started, for chapters and for reports on imported trials."""

from __future__ import annotations

#: Arguments of a kernel that says no word on ports that are not encrypted, or on its end.
QUIET = ("--log-level=CRITICAL",)
