"""Every model of the book, study by study: what its page says."""

from __future__ import annotations

from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.shared.all_models import AllModels


def answer(result: AllModels) -> str:
    """How many published results beat confidence that knows nothing, and whether one model knows best."""
    if result.studies.empty:
        return "No study of this run has a result yet."
    told = result.studies[result.studies["judged"].gt(0) & result.studies["above"].notna()]
    above, judged = int(told["above"].sum()), int(told["judged"].sum())
    if not judged:
        return "No published result of these models has an interval that could tell what it is worth."
    known = result.studies[result.studies["may_lead"].notna()]
    open_ = int((known["may_lead"] > 1).sum())
    which = "not compared" if known.empty else "clear" if not open_ else "open"
    where = " in every comparison" if len(known) > 1 and open_ in (0, len(known)) else ""
    return (
        f"Confidence is shown to beat knowing nothing in {above:,} of {judged:,} published results; which model knows "
        f"best is {which}{where}."
    )


def scale(result: AllModels) -> str:
    """In how many of the studies' numbers the larger of two models of one kind has more."""
    if result.sizes.empty:
        return ""
    n = len(result.sizes)
    more, less = int((result.sizes["lower"] > 0).sum()), int((result.sizes["upper"] < 0).sum())
    pairs = dict.fromkeys(zip(result.sizes["smaller"], result.sizes["larger"], strict=True))
    names = listed(f"{larger} and {smaller}" for smaller, larger in pairs)
    return (
        f"**Two sizes of one family** ({names}): of {plural(n, 'number')} that both have, the larger model has more "
        f"in {more}, less in {less}, and in {n - more - less} the interval of the difference contains 0. Where it is "
        "right more often, part of a difference may be that."
    )


VIEWS = Views("all_models", sentences={"answer": answer, "scale": scale})
