"""Tables of scores, errors and kinds of item."""

from __future__ import annotations

from metacog.report.tables import Schema, answer, columns_of, count, limits, number, text
from metacog.studies.study5_battery.published import TRACKS
from metacog.studies.study5_battery.tables.columns import MODEL, TRACK

TABLES = {
    "tracks.scores": Schema(
        "scores",
        columns_of(MODEL, (number(t, t) for t in TRACKS), number("mean", "Mean")),
        "Mean score on each track.",
    ),
    "tracks.payoffs": Schema(
        "payoffs",
        columns_of(
            text("group", "Items"),
            answer("correct", "Right"),
            answer("keep", "KEEP"),
            answer("bet", "BET"),
            text("path", "Path", optional=True),
            number("score", "Score", 2),
            count("n", "Responses"),
            text("others", "Also", optional=True),
        ),
        "What each state earns, read off the files.",
    ),
    "tracks.rule": Schema(
        "rule",
        columns_of(
            TRACK,
            count("n", "Responses"),
            count("known", "With a rule"),
            count("equal", "As published"),
            count("files", "Files whole"),
        ),
        "How many of the published scores follow from the state alone; 20 files a track.",
    ),
    "tracks.leaders": Schema(
        "leaders",
        columns_of(
            TRACK,
            text("leader", "Highest"),
            number("score", "Score"),
            text("second", "Next"),
            number("gap", "Gap"),
            limits("lower", "upper"),
            count("not_apart", "Not told from the highest"),
        ),
        "Who scores highest, by how much, and how many others cannot be told from it (paired, items "
        "resampled).",
    ),
    "tracks.errors": Schema(
        "errors",
        columns_of(
            MODEL,
            count("errors", "Errors"),
            number("p", "p"),
            text("most", "More errors than expected on"),
            number("excess", "by", 1),
            text("least", "Fewer on"),
            number("deficit", "by", 1),
        ),
        "Where each model fails beyond its ability and the items' difficulty; files filed twice are left "
        "out.",
    ),
    "tracks.item_types": Schema(
        "item_types",
        columns_of(
            TRACK,
            text("item_type", "Kind of item"),
            count("n_items", "Items"),
            number("accuracy", "Mean", 2, "Accuracy"),
            number("lowest", "Lowest", 2, "Accuracy"),
            count("perfect", "Models without error"),
            number("item_rest", "Item and rest", 2),
            count("n_incorrect", "Errors"),
            number("delta", "Withdraw delta", 1),
            limits("lower", "upper", digits=1),
        ),
        "What each kind of item tells: all models together.",
    ),
}
