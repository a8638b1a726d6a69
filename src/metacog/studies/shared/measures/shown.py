"""The measures on one published table: what its page says."""

from __future__ import annotations

from typing import Any

from metacog.report.views import Views


def answer(result: Any) -> str:
    """How many measures see ratings that are made worse, and hardly anything else."""
    only, n = len(result.only), len(result.moves)
    told = f"only {only}" if only else "none"
    return (
        f"No number alone tells how well a model knows what it knows: of {n} measures {told} "
        f"{'reacts' if only < 2 else 'react'} to worse ratings and little else."
    )


VIEWS = Views("measures", sentences={"answer": answer})
