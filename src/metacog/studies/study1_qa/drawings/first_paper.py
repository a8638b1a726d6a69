"""The figure of the first paper's counts."""

from __future__ import annotations

from metacog.report.drawing import Drawing
from metacog.studies.study1_qa import first_paper_figures

FIGURES = {
    "first_paper.temperatures": Drawing(
        lambda found: first_paper_figures.over_temperature(found.temperatures, found.beside),
        name="fig-first-paper-temperature",
        caption=(
            "d' (above) and meta-d' (below) of the paper's own models against temperature, from the first "
            "paper's counts with the middle cut near the median, with 95 % intervals. Hollow marks are the "
            "printed table 7. Look whether the lower lines are flatter than the upper ones, as H3 says; "
            "where hollow marks lie off the line, the edges make the difference, not the answers."
        ),
        alt=("d' and meta-d' of the paper's models at seven temperatures, with the printed values at four"),
    ),
}
