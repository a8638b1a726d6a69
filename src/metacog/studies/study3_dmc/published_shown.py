"""What the published figures allow, in words."""

from __future__ import annotations

from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study3_dmc.ledger.recomputed import CV
from metacog.studies.study3_dmc.published import Published


def agreement(result: Published) -> str:
    """How many figures follow from the published cells, and how many of those on the measure's flatness do not."""
    first = (
        f"{result.n_figures - result.n_off} of {result.n_figures:,} printed averages, coefficients of variation and "
        "statistics follow from the cells printed next to them"
    )
    off = result.figures[~result.figures["agrees"]]
    cvs, of = (int((table["quantity"] == CV).sum()) for table in (off, result.figures))
    return f"{first}; of the {of} coefficients that show the measure to be flat {of - cvs} do."


def auroc(result: Published) -> str:
    """What the published coefficients of AUROC imply for the AUROCs behind them."""
    lie = "lies" if len(result.above) == 1 else "lie"
    return (
        f"{len(result.above)} of {plural(result.n_auroc, 'printed coefficient')} of AUROC {lie} above "
        f"{result.largest_cv:.3f}, the most that eight values between one half and 1 can have."
    )


VIEWS = (Views("published", sentences={"agreement": agreement, "auroc": auroc}),)
