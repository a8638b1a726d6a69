"""How the published figures and those of the published cells are shown."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.tables import Schema, answer, columns_of, number, text
from metacog.report.views import Views
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
        f"Eight AUROCs between 0.5 and 1 can have a CV of at most {result.largest_cv:.3f} (sample deviation; "
        f"8 data sets). {lie} above that ({'; '.join(result.above)}), so some AUROC behind them must lie "
        "below one half, or they are CVs of something else; the AUROCs are not published."
    )


VIEWS = (
    Views(
        "published",
        tables=TABLES,
        sentences={
            "agreement": agreement,
            "worst_case": worst,
            "two_versions": versions,
            "deviations": deviations,
            "auroc": auroc,
        },
    ),
)
