"""Tables of the integrity report."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, number, text
from metacog.studies.study5_battery.integrity import MENDED, PUBLISHED
from metacog.studies.study5_battery.tables.columns import COUNTS, MODEL, TRACK

TABLES = {
    "integrity.tracks": Schema(
        "tracks",
        columns_of(
            TRACK,
            text("about", "About"),
            count("items", "Items"),
            count("responses", "Responses"),
            number("accuracy", "Right"),
            number("kept", "KEEP"),
            number("bet", "BET"),
        ),
        "The six tracks; shares over all twenty models.",
    ),
    "integrity.identical": Schema(
        "identical",
        columns_of(
            TRACK,
            text("first", "Model"),
            text("second", "and model"),
            count("n_items", "Items"),
            count("kinds", "Different responses"),
            count("unusual", "Unlike most models"),
            number("log10_chance", "log10 of the chance", 1),
            answer("copied", "Beyond chance"),
        ),
        "Files of two models that are the same, response by response.",
        empty="No two files are the same.",
    ),
    "integrity.declined": Schema(
        "declined",
        columns_of(
            MODEL,
            count("declined", "Declined"),
            count("logged_wrong", "Logged as wrong"),
            number("paid", "Paid, on average", 2),
        ),
        "Items of T6 that a model declined.",
    ),
    "integrity.unnormalised": Schema(
        "unnormalised",
        columns_of(
            text("item", "Item"),
            answer("certain", "Equal to the key"),
            count("n", "Answers"),
            text("models", "Models"),
        ),
        "Answers of T6 logged as wrong that are, or hold, the key once both are normalised.",
        empty="No answer was logged as wrong for its characters.",
    ),
    "integrity.undefined": Schema(
        "undefined",
        columns_of(MODEL, TRACK, COUNTS, text("lacks", "Lacks")),
        "Cells whose withdraw delta is undefined.",
        empty="Every cell has right and wrong answers.",
    ),
    "integrity.headlines": Schema(
        "headlines",
        columns_of(
            text("headline", "Headline"),
            text(PUBLISHED, "As published"),
            text(MENDED, "All mended"),
            text("changes", "Changed by"),
        ),
        "The study's headlines, as published and after everything found is left out or mended.",
    ),
}
