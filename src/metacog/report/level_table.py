"""How a table of simulated levels (:mod:`metacog.report.levels`) is shown."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, number, text

LEVELS = Schema(
    "levels",
    columns_of(
        text("rule", "Rule"),
        text("design", "Design"),
        count("n", "Questions or trials"),
        answer("clustered", "Clustered"),
        number("before", "As it was"),
        number("after", "As it is"),
        number("se", "s.e."),
        answer("nominal", "At most 5 %"),
    ),
    "Share of simulated runs in which the rule passes although it should not; 5 % is meant.",
)
