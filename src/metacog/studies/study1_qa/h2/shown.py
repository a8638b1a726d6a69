"""H2: does M-ratio differ between domains? What pages say of it."""

from __future__ import annotations

from typing import Any

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import NAMES
from metacog.studies.study1_qa.cells.counts import silent_in
from metacog.studies.study1_qa.h2.judging import RULE, RULE_HOLM

NO_DOMAINS = "This run has fewer than two domains."


def answer(result: Any) -> str:
    """Whether confidence tells right from wrong better in some subjects than in others, in this run."""
    if result.pairs.empty:
        return NO_DOMAINS
    areas = result.pairs[result.pairs["measure"] == "auroc2"]
    usable = areas[~areas["flagged"].astype(bool) & areas["lower"].notna()]
    if usable.empty:
        silent = silent_in(result.domains)
        if len(silent) == result.domains["model"].nunique():
            return "It cannot be told from this run, because no confidence could be read."
        return "It cannot be told from this run: no two subjects have enough right and wrong answers."
    differ = int((usable["p_holm"] < 0.05).sum())
    of = plural(len(usable), "difference")
    about = "between subjects in how well confidence tells right from wrong"
    if not differ:
        return f"Not shown: of {of} {about}, none is larger than chance allows."
    return f"Yes: of {of} {about}, {differ} {'is' if differ == 1 else 'are'} larger than chance allows."


VIEWS = Views(
    "h2",
    names=NAMES,
    sentences={"answer": answer},
    rules={"difference": RULE, "holm": RULE_HOLM},
)
