"""One column an option: confidence in each of the answers that could be chosen.

A star stands for the options: ``--confidence 'prob_*'`` names the columns prob_A, prob_B ..., and ``'probs.*'`` what
stands in the cells of a column of lists or objects. The answer is the option that ``--answer`` names, or that of the
greatest number, and confidence is its number. Where a number is below 0 they are log-probabilities or logits, and
confidence is the softmax over the options.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import softmax

from metacog.core.errors import MetacogError
from metacog.core.files import cut
from metacog.imports.clean import Validation, text_of
from metacog.imports.mapping import Columns, find_column
from metacog.imports.records import nested, opened

#: Options of a question at most.
MOST_OPTIONS = 200


def is_of_options(table: pd.DataFrame, name: str | None) -> bool:
    """Whether a confidence's name stands for several numbers a row; a column of lists needs a star to."""
    if name is None or "*" in name:
        return name is not None
    found = table[name] if name in table else nested(table, name)
    if found is not None and not pd.api.types.is_numeric_dtype(found):
        first = next((cell for cell in map(opened, found) if isinstance(cell, dict) or _is_list(cell)), ())
        if len(first) > 1:
            raise MetacogError(
                f"column {name!r} holds {len(first)} values a row: say --confidence '{name}.*' if it is one an option, "
                f"or --confidence {name}.mean if it is one a token"
            )
    return False


def chosen(table: pd.DataFrame, columns: Columns, report: Validation) -> tuple[pd.DataFrame, Columns]:
    """A table in which confidence has one number a row, and the roles of its columns.

    Without ``answer`` and ``correct``, and with ``key``, an answer is right if its option is the key: by name, letter
    or place.
    """
    assert columns.confidence is not None
    name = columns.confidence
    for role in ("answer", "key"):
        if (asked := getattr(columns, role)) is not None:
            find_column(table, role, asked)
    numbers, places = _numbers(table, name)
    options, values, rows = list(map(str, numbers)), numbers.to_numpy(dtype=float), np.arange(len(numbers))
    said = "the number of the option"
    if np.nanmin(values, initial=0.0) < -1e-6:
        with np.errstate(invalid="ignore"):
            values = softmax(np.where(np.isnan(values), -np.inf, values), axis=1)  # of nothing: nan
        said = "the softmax over the options, of the one"
    best = np.where(np.isnan(values), -np.inf, values).argmax(axis=1)
    if columns.answer is not None:
        taken = _place_of(table[columns.answer], options, places, f"--answer {columns.answer}", strict=False)
        said += " that was answered"
    else:
        taken = np.where(np.isnan(values).all(axis=1), -1, best)
        said += " of the greatest number"
    added: dict[str, Any] = {name: np.where(taken >= 0, values[rows, taken], np.nan)}
    if columns.answer is None and columns.correct is None and columns.key is not None:
        key = _place_of(table[columns.key], options, places, f"--key {columns.key}")
        right = f"the option of the greatest number is {columns.key}"
        correct = pd.Series(taken == key, index=table.index, dtype="boolean")
        added[right] = correct.mask((key < 0) | (taken < 0))
        columns = replace(columns, correct=right, key=None)
    ties = int(((values == values[rows, best][:, None]).sum(axis=1) > 1).sum())
    report.notes.append(
        f"{name} holds {len(options)} options ({cut(', '.join(options), 80)}): confidence is {said}"
        + (f"; in {ties:,} rows two have the greatest, and the first is taken" if ties else "")
    )
    return table.assign(**added), columns


def _numbers(table: pd.DataFrame, name: str) -> tuple[pd.DataFrame, bool]:
    """Numbers by option, and whether options are places in a list."""
    inside = name.removesuffix(".*")
    found = table[inside] if inside in table else nested(table, inside)
    if found is not None:
        inner = [opened(cell) for cell in found]
        places = any(_is_list(one) for one in inner)
        cells = [
            dict(enumerate(one)) if _is_list(one) else one if isinstance(one, dict) else {} for one in inner
        ]
        made = pd.DataFrame(cells, index=table.index)
        made = made.sort_index(axis=1) if places else made
    else:
        form = re.compile("(.*)".join(map(re.escape, name.split("*"))))
        fits = {column: match for column in table if (match := form.fullmatch(str(column)))}
        if len(fits) < 2:
            raise MetacogError(
                f"--confidence {name!r} fits {len(fits) or 'none'} of the columns: wanted is one for each option. The "
                f"file has: {cut(', '.join(map(str, table.columns)))}"
            )
        made, places = table[list(fits)].copy(), False
        made.columns = ["".join(match.groups()) for match in fits.values()]
    if made.shape[1] > MOST_OPTIONS:
        raise MetacogError(
            f"--confidence {name!r} holds {made.shape[1]:,} different options, more than are read"
        )
    made.columns = [str(option).strip() for option in made.columns]
    made = made.apply(pd.to_numeric, errors="coerce").astype("float64")
    if made.columns.has_duplicates:  # " A" and "A"
        made = made.T.groupby(level=0, sort=False).max().T
    if made.isna().all(axis=None):
        raise MetacogError(f"--confidence {name!r} holds no numbers")
    return made, places


def _is_list(cell: Any) -> bool:
    return isinstance(cell, list | np.ndarray)


def _place_of(
    given: pd.Series, options: list[str], places: bool, what: str, *, strict: bool = True
) -> np.ndarray:
    """Place of the option that each cell names: by its name, a letter, or a number; -1 where there is none."""
    text = text_of(given.map(lambda one: one[0] if _is_list(one) and len(one) else one)).str.casefold()
    known = text.dropna().unique()
    names = {} if places else {option.casefold(): place for place, option in enumerate(options)}
    letters = {chr(ord("a") + place): place for place in range(min(len(options), 26))}
    numbers = {str(place): place for place in range(len(options) + 1)}
    if not len(known):
        raise MetacogError(f"{what} is empty in all rows")
    if all(one in numbers for one in known) and not all(one in names for one in known):
        one_up = str(len(options)) in known
        if one_up == ("0" in known):
            raise MetacogError(
                f"{what} goes from {min(known, key=int)} to {max(known, key=int)} where there are {len(options)} "
                "options: it does not show whether the first is 0 or 1. Name options with letters (A, B ...)"
            )
        names = {str(place + one_up): place for place in range(len(options))}
    elif not any(one in names for one in known):
        names = letters
    unknown = [one for one in known if one not in names]
    if strict and unknown:
        raise MetacogError(
            f"{what} holds {cut(repr(unknown[0]), 60)}, which is none of the options {cut(', '.join(options), 120)}, "
            "no letter and no place of one"
        )
    return text.map(names).fillna(-1).to_numpy(dtype=int)
