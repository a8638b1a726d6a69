"""Figures of the shared chapters."""

from __future__ import annotations

from metacog.report import rater_page, recovery_page
from metacog.report.drawing import Drawing

FIGURES = {
    "recovery.bias": Drawing(
        lambda found: recovery_page.bias_figure(found.designs),
        name="fig-recovery-bias",
        caption=(
            "Bias against four factors, with two Monte-Carlo standard errors. On the grey line the "
            "estimator is right on average. Adding 0.5 to every cell, as the study does, pulls d' and "
            "meta-d' towards 0 where cells are sparse or nearly empty: at few trials and at large d'."
        ),
        alt="Bias of meta-d prime and M-ratio against trials, ratings, d prime and base rate",
    ),
    "recovery.spread": Drawing(
        lambda found: recovery_page.spread_figure(found.designs),
        name="fig-recovery-spread",
        caption=(
            "Spread of the estimates against the same factors. The M-ratio divides by d', so it is "
            "wild where d' is small: no number of ratings cures that."
        ),
        alt=("Standard deviation of meta-d prime and M-ratio against trials, ratings, d prime and base rate"),
    ),
    "recovery.coverage": Drawing(
        lambda found: recovery_page.coverage_figure(found.designs),
        name="fig-recovery-coverage",
        caption=(
            "Share of 95 % intervals that contain the truth; grey band: the target. A point below the "
            "band is an interval that claims more than it knows."
        ),
        alt="Coverage of 95 percent intervals against trials, ratings, d prime and base rate",
    ),
    "raters.spread": Drawing(
        lambda found: rater_page.spread_figure(found.designs),
        name="fig-raters-spread",
        caption=(
            "How far Krippendorff's alpha spreads (1.96 standard deviations over simulated panels) against "
            "the number of raters. More raters help less and less, since all judge the same few items."
        ),
        alt="Half-width of Krippendorff's alpha against the number of raters, for four numbers of items",
    ),
}
