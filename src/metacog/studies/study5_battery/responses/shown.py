"""What was published, and what is wrong with it: tables and sentences."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.report.drawing import drawing
from metacog.report.style import height_of, name_rows, new_axes
from metacog.report.tables import Schema, answer, columns_of, count, number, text
from metacog.report.views import Views
from metacog.sdt.correlation import spearman_brown
from metacog.studies.study5_battery.measures.integrity import MENDED, PUBLISHED
from metacog.studies.study5_battery.regulation.contrasts import CLAIMED_ON, FAMILIES, course_of
from metacog.studies.study5_battery.responses import headlines as by
from metacog.studies.study5_battery.responses.analysis import Responses
from metacog.studies.study5_battery.showing.columns import COUNTS, MODEL, TRACK

#: Where faults of the files stand, and which rows are faults beyond doubt.
_FOUND = (("identical", "copied"), ("unnormalised", "certain"))
#: A Cohen's d that is called large.
LARGE = 0.8


def named(facts: pd.DataFrame, digits: int) -> str:
    """``GLM-5 (0.94)``."""
    return f"{facts['name'].iloc[0]} ({facts['value'].iloc[0]:.{digits}f})"


def with_limits(facts: pd.DataFrame) -> str:
    """``0.17 (-0.29 to 0.57)``."""
    one = facts.iloc[0]
    return f"{one['value']:.2f} ({one['lower']:.2f} to {one['upper']:.2f})"


def course(facts: pd.DataFrame) -> str:
    """Deltas over size, and what they do."""
    values = [float(v) for v in facts["value"]]
    known = ", ".join("-" if not np.isfinite(v) else f"{v:.1f}" for v in values)
    return f"{course_of(values) or 'not known'} ({known})"


def halves(facts: pd.DataFrame) -> str:
    """The correlation of two halves, and of two whole batteries."""
    r, n = float(facts["value"].iloc[0]), facts["n"].iloc[0]
    return f"{r:.2f}, {spearman_brown(r):.2f} (n = {n:.0f})"


#: Titles of the headlines, and what each cell reads.
HEADLINES = {
    by.COMPLETE: ("models with all five deltas", lambda facts: f"{facts['value'].iloc[0]:.0f}"),
    by.TOP_DELTA: ("highest mean withdraw delta", lambda facts: named(facts, 1)),
    by.TOP_ACCURACY: ("highest accuracy, T1 to T5", lambda facts: named(facts, 3)),
    by.LEADERS: ("leader on each track", lambda facts: listed(dict.fromkeys(facts["name"]))),
    by.LOWEST: ("lowest T6 score", lambda facts: named(facts, 3)),
    by.HIGHEST: ("highest T6 score", lambda facts: named(facts, 3)),
    by.INVERSION: ("accuracy against delta, Spearman", with_limits),
    by.DISSOCIATION: ("delta against answering directly, r", with_limits),
    by.HALVES: ("split-half r, Spearman-Brown", halves),
    by.APART: ("Cohen's d of C and A", lambda facts: f"{facts['value'].iloc[0]:.2f}"),
    by.PROFILES: (
        "profiles by rule",
        lambda facts: ", ".join(f"{r.name} {r.value:.0f}" for r in rows_of(facts)),
    ),
    **{by.COURSE + f.name: (f"{CLAIMED_ON} over size, {f.name}", course) for f in FAMILIES},
}


def who(facts: pd.DataFrame) -> tuple[str, ...]:
    """Whom a headline names."""
    return tuple(facts["name"])


def side_of_zero(facts: pd.DataFrame) -> str:
    """On which side of 0 a correlation lies with its entire interval."""
    one = facts.iloc[0]
    return "above" if one["lower"] > 0 else "below" if one["upper"] < 0 else "open"


def course_alone(facts: pd.DataFrame) -> str:
    """What deltas do over size."""
    return course_of([float(v) for v in facts["value"]]) or "not known"


#: What a headline concludes from its numbers: whom it names, on which side of 0 it lies, which way it goes. A number
#: of models concludes nothing.
CONCLUSIONS: Mapping[str, Callable[[pd.DataFrame], Hashable]] = {
    **dict.fromkeys((by.TOP_DELTA, by.TOP_ACCURACY, by.LEADERS, by.LOWEST, by.HIGHEST), who),
    **dict.fromkeys((by.INVERSION, by.DISSOCIATION, by.HALVES), side_of_zero),
    by.APART: lambda facts: bool(facts["value"].iloc[0] >= LARGE),
    by.PROFILES: lambda facts: tuple(facts.loc[facts["value"] > 0, "name"]),
    **{by.COURSE + f.name: course_alone for f in FAMILIES},
}


def headline_texts(facts: pd.DataFrame) -> pd.DataFrame:
    """One row per headline: what it reads in each variant, and what becomes of it.

    ``changes`` names the variants in which it reads otherwise, ``concludes`` says whether it concludes something else
    with everything corrected.
    """
    rows = []
    for key, (title, write) in HEADLINES.items():
        of = facts[facts["headline"] == key]
        variants = {name: of[of["variant"] == name] for name in dict.fromkeys(facts["variant"])}
        cells = {name: write(part) for name, part in variants.items()}
        changed = [name for name, cell in cells.items() if cell != cells[PUBLISHED]]
        concludes = CONCLUSIONS.get(key, lambda _: None)
        other = concludes(variants[PUBLISHED]) != concludes(variants[MENDED])
        row = {"headline": title, **cells, "changes": listed(changed)}
        rows.append(row | {"concludes": "something else" if other else "the same"})
    return pd.DataFrame(rows)


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


def headlines(result: Responses) -> str:
    """How many headlines conclude something else when everything is corrected, and how many change in digits alone."""
    table = headline_texts(result.headlines)
    moved = table[table[PUBLISHED] != table[MENDED]]
    if moved.empty:
        return f"All {len(table)} headlines stay as they are when all of this is left out or corrected."
    other = moved[moved["concludes"] == "something else"]
    digits = moved.drop(other.index)
    sentence = (
        f"{len(other) or 'None'} of {len(table)} headlines {'concludes' if len(other) == 1 else 'conclude'} something "
        "else when all of this is left out or corrected."
    )
    sentence += f" Those are: {'; '.join(other['headline'])}." if len(other) else ""
    if digits.empty:
        return sentence
    names = f"{plural(len(digits), 'other')}, whose conclusion stays: {'; '.join(digits['headline'])}"
    return f"{sentence} Numbers change in {names}."


def page_answer(result: Responses) -> str:
    """What is wrong with the files, and how many conclusions hang on it."""
    table = headline_texts(result.headlines)
    other = int((table["concludes"] == "something else").sum())
    if not other:
        return (
            "Copied files, declined items and misread answers change digits, and no conclusion of the study."
        )
    return (
        f"With copied files, declined items and misread answers corrected or left out, {other} of {len(table)} "
        f"conclusions of the study {'changes' if other == 1 else 'change'}."
    )


def faults_found(result: Responses) -> str:
    """What is wrong with the files."""
    copied, certain = (getattr(result, f)[getattr(result, f)[c]] for f, c in _FOUND)
    return (
        f"{plural(len(copied), 'pair')} of files {'is' if len(copied) == 1 else 'are'} the same beyond chance, "
        f"{plural(len(result.undefined), 'delta')} cannot be computed, and {int(certain['n'].sum())} right answers "
        "were logged as wrong."
    )


@drawing(
    name="fig-study5-identical",
    caption=(
        "Pairs of files that are the same, response by response: how improbable that is of two models with the same "
        "habits, given what the other models answered. Filled: beyond chance. A bar of 9 is one in a thousand million."
    ),
    alt="Bars of how improbable it is that each pair of identical files is so by chance",
)
def identical_bars(result: Any) -> Figure | None:
    """How improbable each pair of identical files is, as bars of powers of ten."""
    pairs = result.identical.sort_values("log10_chance", kind="stable")
    if pairs.empty:
        return None
    figure, axis = new_axes(height=height_of(len(pairs)))
    faces = ["C0" if copied else "white" for copied in pairs["copied"]]
    axis.barh(range(len(pairs)), -pairs["log10_chance"], color=faces, edgecolor="C0", height=0.65)
    name_rows(axis, [f"{r.track}: {r.first} and {r.second}" for r in rows_of(pairs)])
    axis.set_xlabel("one in 10 to the power of")
    return figure


RESPONSES = Views(
    "responses",
    tables={
        "tracks": Schema(
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
        "identical": Schema(
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
        "declined": Schema(
            "declined",
            columns_of(
                MODEL,
                count("declined", "Declined"),
                count("logged_wrong", "Logged as wrong"),
                number("paid", "Paid, on average", 2),
            ),
            "Items of T6 that a model declined.",
        ),
        "unnormalised": Schema(
            "unnormalised",
            columns_of(
                text("item", "Item"),
                answer("certain", "Equal to the key"),
                count("n", "Answers"),
                text("models", "Models"),
            ),
            "Answers of T6 logged as wrong that are, or contain, the key once both are normalised.",
            pick=lambda frame: frame.assign(models=[listed(m.split("; ")) for m in frame["models"]]),
            empty="No answer was logged as wrong for its characters.",
        ),
        "undefined": Schema(
            "undefined",
            columns_of(MODEL, TRACK, COUNTS, text("lacks", "Lacks")),
            "Cells whose withdraw delta is undefined.",
            empty="Every cell has right and wrong answers.",
        ),
        "headlines": Schema(
            "headlines",
            columns_of(
                text("headline", "Headline"),
                text(PUBLISHED, "As published"),
                text(MENDED, "All corrected"),
                text("concludes", "Concludes"),
                text("changes", "Changed by"),
            ),
            "The study's headlines, as published and after everything above is left out or corrected.",
            pick=headline_texts,
        ),
    },
    figures={"identical": identical_bars},
    sentences={
        "answer": page_answer,
        "faults_found": faults_found,
        "identical_files": identical,
        "declined_most": declined,
        "keys": keys,
        "repeated_answers": repeated,
        "changed_headlines": headlines,
    },
)
VIEWS = (RESPONSES,)
