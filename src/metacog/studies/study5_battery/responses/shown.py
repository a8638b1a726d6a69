"""What was published, and what is wrong with it: sentences."""

from __future__ import annotations

from metacog.core.frames import rows_of
from metacog.core.words import plural
from metacog.report.views import Views
from metacog.studies.study5_battery.responses.analysis import Responses


def identical(result: Responses) -> str:
    """Which identical files cannot be identical by chance."""
    pairs = result.identical
    copied = pairs[pairs["copied"]]
    names = "; ".join(f"{r.first} and {r.second} on {r.track}" for r in rows_of(copied)) or "none"
    rest = len(pairs) - len(copied)
    return (
        f"{plural(len(copied), 'pair')} of files cannot be identical by chance. They are {names}. "
        f"{plural(rest, 'other identical pair')} can: files that say KEEP and BET to nearly everything and "
        "are nearly always right have little to differ in."
    )


def declined(result: Responses) -> str:
    """Who declined most of T6."""
    items = int(result.tracks.loc[result.tracks["track"] == "T6", "items"].iloc[0])
    most = result.declined["declined"] > items / 2
    texts = [
        f"{r.model} declined {r.declined} of {items}: its accuracy on T6 does not show what it knows."
        for r in rows_of(result.declined[most])
    ]
    rest = result.declined.loc[~most, "declined"]
    return " ".join(
        [*texts, f"{plural(len(rest), 'other model')} declined at most {int(rest.max())} items each."]
    )


def keys(result: Responses) -> str:
    """How many answers are the key in other characters."""
    certain = result.unnormalised[result.unnormalised["certain"]]
    n = int(certain["n"].sum())
    return (
        f"{n} answers, to {plural(len(certain), 'item')}, were logged as wrong although they are the key in "
        f"other characters; {int(result.unnormalised['n'].sum()) - n} more contain it within a sentence."
    )


def repeated(result: Responses) -> str:
    """Who wrote the same answer to most items."""
    if result.repeated.empty:
        return "No model wrote the same answer to most items."
    return " ".join(
        f"{r.model} wrote the same answer to {r.n} of the {r.of} items that it did not decline, "
        f"{r.right or 'none'} of them correctly: what is scored there is a failure of form."
        for r in rows_of(result.repeated)
    )


def page_answer(result: Responses) -> str:
    """What is wrong with the files, and how many conclusions hang on it."""
    table = result.conclusions
    other = int((table["concludes"] == "something else").sum())
    if not other:
        return (
            "Copied files, declined items and misread answers change digits, and no conclusion of the study."
        )
    return (
        f"With copied files, declined items and misread answers corrected or left out, {other} of {len(table)} "
        f"conclusions of the study {'changes' if other == 1 else 'change'}."
    )


VIEWS = (
    Views(
        "responses",
        sentences={
            "answer": page_answer,
            "identical_files": identical,
            "declined_most": declined,
            "keys": keys,
            "repeated_answers": repeated,
        },
    ),
)
