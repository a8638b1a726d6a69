"""How the published figures and those of the published cells are shown."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.drawing import drawing
from metacog.report.style import GREY, height_of, name_rows, new_axes
from metacog.report.tables import Schema, answer, columns_of, number, text
from metacog.report.views import Views
from metacog.studies.study3_dmc.ledger.recomputed import CV
from metacog.studies.study3_dmc.published.analysis import Published

WHAT = columns_of(text("place", "Where"), text("item", "Row"), text("quantity", "Quantity"))
BOTH = columns_of(number("published", "Published", 4), number("value", "From the cells", 6))
ROUNDING = number("rounding", "Rounding allows", 6)
WITH_VALUE, PUBLISHED = "With that value", "Published"

TABLES = {
    "figures": Schema(
        "figures",
        columns_of(
            WHAT,
            BOTH,
            number("off", "Difference", 6),
            ROUNDING,
            number("sample", "Sample deviation", 6),
            answer("agrees", "Reproduced"),
        ),
        "Every published average, CV and statistic that follows from other published figures.",
    ),
    "off": Schema(
        "figures",
        columns_of(WHAT, BOTH, ROUNDING),
        "Those that are not reproduced.",
        lambda frame: frame[~frame["agrees"]],
        empty="Every one is reproduced.",
    ),
    "differing": Schema(
        "differing",
        columns_of(
            text("cell", "Cell"),
            text("table", "In"),
            number("published", "Cell", 4, PUBLISHED),
            number("average", "Average", 5, WITH_VALUE),
            number("cv", "CV", 5, WITH_VALUE),
            number("published_average", "Average", 4, PUBLISHED),
            number("published_cv", "CV", 4, PUBLISHED),
        ),
        "Cells that tables 2 and 3 give differently, and what either value would imply.",
        empty="Both tables give the same cells.",
    ),
}


def agreement(result: Published) -> str:
    """How many figures follow from the published cells, and which do not."""
    kinds = plural(result.n_figures, "average, CV and statistic", "averages, CVs and statistics")
    sentence = (
        f"Of {kinds} that published cells give, {result.n_figures - result.n_off} follow within rounding"
    )
    off = result.figures[~result.figures["agrees"]]
    if len(off):
        named = "; ".join(f"{r.place}, {r.item} ({r.quantity})" for r in rows_of(off))
        sentence += f" and {len(off)} do not: {named}"
    return f"{sentence}."


def worst(result: Published) -> str:
    """Which of those that are not reproduced would be, were nearly every cell rounded the same way."""
    off = result.figures[~result.figures["agrees"]]
    near = off[off["agrees_at_worst"]]
    if not len(near):
        return "None of these would agree even if every cell had been rounded the way that suits it best."
    named = "; ".join(
        f"{r.place}, {r.item} ({r.quantity}), {(abs(r.off) - r.precision) / r.error:.1f} standard errors of "
        "chance rounding away"
        for r in rows_of(near)
    )
    return (
        "Rounding in the worst case, every cell by half a unit of its last digit in the direction that "
        f"suits, would give: {named}."
    )


def versions(result: Published) -> str:
    """Cells that two tables give differently."""
    if not result.versions:
        return "Both tables give the same cells."
    return ". ".join(t.note for t in result.versions) + "."


def deviations(result: Published) -> str:
    """Which deviation, the population's or the sample's, the published figures follow."""
    both = result.figures[result.figures["sample"].notna()]
    population, sample = (int(both[column].sum()) for column in ("agrees", "sample_agrees"))
    return (
        f"Of {len(both)} published deviations and CVs, {population} are reproduced as population ones (over "
        f"n) and {sample} as sample ones (over n - 1)."
    )


def auroc(result: Published) -> str:
    """What the published CVs of AUROC imply for the AUROCs behind them."""
    lie = f"{plural(len(result.above), 'published CV')} of AUROC out of {result.n_auroc} "
    lie += "lies" if len(result.above) == 1 else "lie"
    return (
        f"{lie} above {result.largest_cv:.3f}, the largest CV that eight AUROCs between 0.5 and 1 can have. They are "
        f"{'; '.join(result.above)} (sample deviation, 8 data sets). So some AUROC behind them must lie below one "
        "half, or they are CVs of something else; the AUROCs are not published."
    )


def page_answer(result: Published) -> str:
    """How many figures follow, whether those on DMC's flatness do, by how much they miss, and the CVs of AUROC."""
    figures_, off = result.figures, result.figures[~result.figures["agrees"]]
    start = (
        f"{result.n_figures - result.n_off} of {result.n_figures} averages, coefficients of variation (CVs) and "
        "statistics follow from the cells that are printed next to them"
    )
    if len(off):
        cvs, of_cvs = (int((table["quantity"] == CV).sum()) for table in (off, figures_))
        most = (off["off"] / off["published"]).abs().max()
        start += (
            f"; {len(off)} do not, by at most {most:.1%} of their value, among them {cvs} of {of_cvs} CVs of DMC, "
            "which are to show that it is flat"
        )
    return (
        f"{start}. {len(result.above)} of {result.n_auroc} printed CVs of AUROC are larger than AUROCs between one "
        "half and 1 can have."
    )


@drawing(
    name="fig-study3-published",
    caption=(
        "Figures computed from the printed cells minus the printed ones, in units of what rounding allows. Inside "
        "the grey band a figure is reproduced (filled); outside it is not (hollow)."
    ),
    alt="Differences of recomputed and printed figures, figure by figure, against what rounding allows",
)
def differences(result: Any) -> Figure:
    """Differences of recomputed and printed figures in units of what rounding allows."""
    rows = rows_of(result.figures)
    figure, axis = new_axes(height=height_of(len(rows)) - 0.5)
    axis.axvspan(-1, 1, color=GREY, alpha=0.25, lw=0)
    axis.axvline(0, color=GREY, lw=1)
    for y, row in enumerate(rows):
        axis.plot(row.off / row.rounding, y, "o", color="C0", ms=6, mfc="C0" if row.agrees else "white")
    name_rows(axis, [f"{row.item}: {row.quantity}" for row in rows])
    axis.set_xlabel("difference (1 = what rounding allows)")
    return figure


VIEWS = (
    Views(
        "published",
        tables=TABLES,
        figures={"differences": differences},
        sentences={
            "answer": page_answer,
            "agreement": agreement,
            "worst_case": worst,
            "two_versions": versions,
            "deviations": deviations,
            "auroc": auroc,
        },
    ),
)
