"""What H4's three readings say of pairs of models."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.pairs import excludes_zero
from metacog.report.rules import Unit, judged, those, unit
from metacog.report.verdicts import Kind, Verdict
from metacog.sdt.decisions import holm

#: |d' difference| below which two models count as similar (TOST bound, ours).
D_PRIME_BOUND = 0.3
RULE_CODE = (
    "At least one pair of models has 95 % intervals of M-ratio that do not overlap (the author's code)."
)
RULE_TEXT = "At least one pairwise difference of M-ratio has a 95 % interval without zero (the text)."
RULE_SOUND = (
    "At least one pair differs in M-ratio over shared questions (paired bootstrap) and is shown to be "
    f"similar in d' (TOST within ±{D_PRIME_BOUND}), by the larger of both p, Holm-adjusted over the pairs."
)
RULE_PUBLISHED = "Pairs that differ."


def judge(pairs: pd.DataFrame) -> tuple[Verdict, ...]:
    """Verdicts of the two pre-registered readings; ``pairs`` as in H4."""
    return judge_code(pairs), judge_text(pairs)


def judge_code(pairs: pd.DataFrame) -> Verdict:
    """Intervals that do not overlap, as the author's code asks."""
    units = _units(pairs, ~pairs["overlap"].astype(bool), pairs["lower"].notna())
    apart = those(units, True)
    return judged(
        units, "H4", Kind.PREREGISTERED, RULE_CODE, name="code", k=1, n_pairs=len(pairs), apart=apart
    )


def judge_text(pairs: pd.DataFrame) -> Verdict:
    """A difference whose interval excludes zero, as the text asks, and which of these are similar in d'."""
    clear, known = excludes_zero(pairs["lower"], pairs["upper"]), pairs["lower"].notna()
    units = _units(pairs, clear, known)
    similar = _units(pairs, clear & pairs["d_similar"].astype(bool), known)
    values: dict[str, Any] = {
        "n_pairs": len(pairs),
        "n_judged": sum(u.holds is not None for u in units),
        "differ": those(units, True),
        "similar": those(similar, True),
    }
    return judged(units, "H4", Kind.PREREGISTERED, RULE_TEXT, name="text", k=1, **values)


def judge_shared(pairs: pd.DataFrame) -> Verdict:
    """Pairs that differ in M-ratio over shared questions and are similar in d'."""
    units = _units(pairs, pairs["p_holm"] < 0.05, pairs["paired_p"].notna())
    known = pairs[pairs["p_holm"].notna()]
    values: dict[str, Any] = {
        "n_pairs": len(pairs),
        "n_judged": len(known),
        "differ": int((holm(known["paired_p"]) < 0.05).sum()),
        "similar": int(known["d_similar"].astype(bool).sum()),
        "both": those(units, True),
    }
    return judged(units, "H4", Kind.SOUND, RULE_SOUND, name="shared", k=1, **values)


def compare(theirs: pd.DataFrame, ours: pd.DataFrame) -> Verdict:
    """How many published pairs and pairs of the run differ, in three ways."""
    counts = {name: _differing(pairs) for name, pairs in (("published", theirs), ("run", ours))}
    return Verdict("H4", Kind.PUBLISHED, RULE_PUBLISHED, None, name="published", values=counts)


def _differing(pairs: pd.DataFrame) -> dict[str, int]:
    differs = excludes_zero(pairs["lower"], pairs["upper"])
    return {
        "n_pairs": len(pairs),
        "apart": int(pairs["overlap"].eq(False).sum()),
        "differ": int(differs.sum()),
        "similar": int((differs & pairs["d_similar"].astype(bool)).sum()),
    }


def _pair(row: Any, several: bool) -> str:
    return f"{row.model_a} with {row.model_b}" + (f" on {row.dataset}" if several else "")


def _units(pairs: pd.DataFrame, holds: pd.Series, known: pd.Series) -> list[Unit]:
    several = pairs["dataset"].nunique() > 1
    return [
        unit(_pair(row, several), yes, known=there, flag="a flagged cell" if row.flagged else "")
        for row, yes, there in zip(rows_of(pairs), holds, known, strict=True)
    ]
