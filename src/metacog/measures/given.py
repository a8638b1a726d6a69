"""What the cells of somebody's table say: nothing, a number, right or wrong, or one of two choices.

All doors read by these rules: the command ``import-trials``, :func:`metacog.measures.measures_of`, and ``raters``.
What a cell does not say is never guessed where the guess would change a measure: it is refused, with the way on.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from metacog.core.errors import MetacogError
from metacog.core.files import cut
from metacog.core.words import listed
from metacog.sdt.binning import quantile_edges, rate
from metacog.sdt.checks import FloatArray, InputError

#: What stands in a cell where nothing is said, in lower case. ``-`` is a sign where ``+`` stands beside it.
MISSING = frozenset(
    "|na|n/a|n.a.|nan|none|null|<na>|nat|#n/a|#null!|#num!|#value!|#div/0!|[]|[nan]|()|{}|-|--|.".split("|")
)
TRUE = frozenset({"1", "true", "t", "yes", "y", "correct", "c", "right", "pass", "passed"})
FALSE = frozenset({"0", "false", "f", "no", "n", "incorrect", "i", "wrong", "fail", "failed"})
#: Words of wrong answers where no other word says it.
_ERRORS = frozenset({"error", "err", "mistake"})
SCALES = ("auto", "probability", "percent", "logprob", "score")
#: Most values of confidence that are ratings as they are; more are cut into :data:`BINNED`, at each group's quantiles.
MOST_RATINGS, BINNED = 10, 4
#: Largest share of cells that may say what cannot be read, and be left out with a word. More are no slips: the column
#: is another than was meant, or holds a code, and what is left is a selection. Of responses that are no stimulus fewer,
#: since another coding may look like them.
MOST_UNREAD, MOST_UNANSWERED = 0.2, 0.1
#: Smallest share of cells that makes a second scale, and largest share between two scales.
_SECOND, _BETWEEN = 0.05, 0.005
#: Numbers that stand for no answer in files of many makers; two alike of any others.
_CODES = frozenset({9.0, 77.0, 88.0, 98.0, 99.0, 777.0, 888.0, 998.0, 999.0, 9999.0, 99999.0})
_CELL = re.compile(r"\[\s*['\"]?([^\[\],]*?)['\"]?\s*\]")
_COMMA = re.compile(r"[-+]?\d*,\d+")
_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2}(,\d{3})+")
_LESS = re.compile(
    r"entrop|uncertain|perplex|surpris|varianc|doubt|(?<![a-z])(loss|nll|ppl|std|stdev|stddev)(?![a-z])"
)
_MORE = re.compile(r"(?<![a-z])(neg|negative|minus|inverse|inverted|inv|reversed?|one_minus|1)(?![a-z])")


class CellError(MetacogError, InputError):
    """Cells that cannot be read as what they are said to be."""


@dataclass(frozen=True)
class Confidence:
    """Confidence as it is used; NaN where there is none.

    More of ``score`` is surer; ``probability`` and ``logprob`` are on these scales, where the column's ``scale`` (one
    of :data:`SCALES` but ``auto``) is known.
    """

    score: FloatArray
    probability: FloatArray
    logprob: FloatArray
    scale: str
    notes: list[str]


@dataclass(frozen=True)
class Choices:
    """Two-choice trials; 1 is the second of the ``sides``, NaN is missing.

    ``unanswered``: rows whose response is no stimulus, by what it is.
    """

    sides: tuple[str, str]
    stimulus: FloatArray
    response: FloatArray
    unanswered: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class _Numbers:
    """Cells as numbers: which have a percent sign, and what those say that are none."""

    values: FloatArray
    signed: NDArray[np.bool_]
    unread: dict[str, int]
    present: int


@dataclass(frozen=True)
class Given:
    """How cells are read.

    Attributes
    ----------
    missing : tuple of str
        What stands in a cell where there is no value, beside :data:`MISSING`; in one column alone as ``COLUMN=VALUE``.
    scale : str
        One of :data:`SCALES`: any but ``auto`` also says that the numbers are meant as they are.
    lower_is_surer : bool
        Confidence is an uncertainty.
    in_python : bool
        Messages name arguments of a call, not options of a command.
    """

    missing: tuple[str, ...] = ()
    scale: str = "auto"
    lower_is_surer: bool = False
    in_python: bool = False

    def __post_init__(self) -> None:
        if self.scale not in SCALES:
            raise CellError(f"there is no confidence scale {self.scale!r}; there are: {', '.join(SCALES)}")

    def option(self, name: str, value: str = "") -> str:
        """How a user says it: ``--missing -1``, or ``missing="-1"`` in Python."""
        if self.in_python:
            name = name.replace("confidence-", "").replace("-", "_")
            return f'{name}="{value}"' if value else f"{name}=True"
        shown = f'"{value}"' if " " in value else value
        return f"--{name} {shown}".rstrip()

    # cells

    def texts(
        self, values: pd.Series, keep: Collection[str] = (), *, usual: bool = True
    ) -> tuple[NDArray[np.intp], list[str]]:
        """What cells say: the place of each in a list of texts, -1 where it is missing, and that list.

        Numbers that are whole lose their ``.0``, lists of one their brackets. Texts to ``keep``, in lower case, are
        values though :attr:`missing` names them; ``usual`` takes the words of :data:`MISSING` for missing, too.
        """
        place, distinct = pd.factorize(_out_of_lists(values))
        said = [_text(one) for one in distinct]
        signs, codes = "+" in said, self._codes(values.name)
        lacking = []
        for text in said:
            low = text.casefold()
            word = not text or (usual and low in MISSING and not (low == "-" and signs))
            lacking.append(word or (_is_one(text, codes) and low not in keep))
        kept = list(dict.fromkeys(text for text, none in zip(said, lacking, strict=True) if not none))
        at = {text: i for i, text in enumerate(kept)}
        new = np.array([-1 if none else at[t] for t, none in zip(said, lacking, strict=True)] + [-1])
        return new[place], kept

    def text(self, values: pd.Series, *, usual: bool = True) -> pd.Series:
        """Texts without outer blanks, missing where nothing stands."""
        place, said = self.texts(values, usual=usual)
        found = np.array([*said, None], dtype=object)[place]
        return pd.Series(found, index=values.index, name=values.name, dtype=object)

    def _codes(self, column: Any) -> list[str]:
        """What stands for no value in a column."""
        parts = (one.rpartition("=") for one in self.missing)
        return [value.strip().casefold() for of, _, value in parts if of.strip() in ("", str(column))]

    def _numbers(self, values: pd.Series) -> _Numbers:
        if pd.api.types.is_numeric_dtype(values) and values.dtype.kind != "c":
            found: FloatArray = np.array(values.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan))
            named = [number for one in self._codes(values.name) if (number := _number(one)) is not None]
            found[np.isin(found, named)] = np.nan
            present = int((~np.isnan(found)).sum())
            return _Numbers(found, np.zeros(found.size, dtype=bool), {}, present)
        place, said = self.texts(values)
        signed = np.array([text.endswith("%") for text in said] + [False])
        plain = [text.rstrip("%").strip().replace("−", "-") for text in said]
        commas = [text for text in plain if "," in text]
        if commas and all(_THOUSANDS.fullmatch(text) for text in commas):
            example = commas[0]
            raise CellError(
                f"column {values.name!r} holds {example!r}, whose comma may part thousands or be a decimal one: write "
                f"{example.replace(',', '')} or {example.replace(',', '.')}"
            )
        if commas and all(_COMMA.fullmatch(text) for text in commas):
            plain = [text.replace(",", ".") for text in plain]
        parsed = [_number(text) for text in plain]
        numbers = np.array([np.nan if one is None else one for one in parsed] + [np.nan])
        times = np.bincount(place[place >= 0], minlength=len(said))
        odd = {text: int(times[i]) for i, text in enumerate(said) if parsed[i] is None}
        return _Numbers(numbers[place], signed[place], odd, int(times.sum()))

    def numbers(self, values: pd.Series) -> FloatArray:
        """Cells as numbers; NaN where they are missing or say none. A percent sign divides by 100."""
        found = self._numbers(values)
        return np.where(found.signed, found.values / 100, found.values)

    # right or wrong

    def correctness(self, values: pd.Series, threshold: float | None = None) -> pd.Series:
        """Booleans (or missing) from 0/1, True/False, yes/no, correct/incorrect, C/I, pass/fail.

        Scores of a ``threshold`` and more are correct; without it anything but two values is a :class:`CellError`,
        which shows what the column holds.
        """
        if threshold is not None:
            numbers = self._numbers(values)
            found = numbers.values
            if not np.isfinite(found).any():
                raise CellError(f"column {values.name!r} holds no numbers: --correct-threshold needs numbers")
            self._refuse_unread(values, numbers, "scores")
            result = pd.Series(found >= threshold, index=values.index, name=values.name, dtype="boolean")
            return result.mask(np.isnan(found))
        place, said = self.texts(values)
        if (
            len({_right(text) for text in said} - {None}) < 2
        ):  # 0 that stands for nothing elsewhere is wrong here
            place, said = self.texts(values, keep=TRUE | FALSE)
        words = {text.casefold() for text in said}
        known = [_right(text) for text in said]
        if "n" in words and "y" not in words and words & FALSE - {"n"}:  # no, or no answer
            known = [None if text.casefold() == "n" else one for text, one in zip(said, known, strict=True)]
        if not words & FALSE:  # an error beside "incorrect" may be a call that failed
            known = [
                False if text.casefold() in _ERRORS else one for text, one in zip(said, known, strict=True)
            ]
        times = np.bincount(place[place >= 0], minlength=len(said))
        odd = {text: int(times[i]) for i, text in enumerate(said) if known[i] is None}
        if odd:
            threshold_helps = all(_number(text) is not None for text in odd)
            ways = []
            if self.in_python:
                ways.append("make it 0/1, True and False, or words such as correct and incorrect")
            elif threshold_helps:
                ways.append("say from which score on an answer is correct with --correct-threshold")
            else:
                ways.append("recode it as 0 and 1")
            if sum(odd.values()) < 0.5 * times.sum():
                ways.append(f"say {self._missing(odd)} if there was no answer")
            raise CellError(
                f"column {values.name!r} is not binary: {sum(odd.values()):,} of {len(values):,} rows hold "
                f"{_some(odd, quoted=False)}; {', or '.join(ways)}"
            )
        result = pd.Series(pd.NA, index=values.index, name=values.name, dtype="boolean")
        right = np.array([*known, False], dtype=bool)[place]
        result[place >= 0] = right[place >= 0]
        return result

    # confidence

    def confidence(self, values: pd.Series) -> Confidence:
        """Confidence as a score, of which the order counts, and where its scale is known as a probability.

        With :attr:`scale` ``auto`` values in [0, 1] are probabilities, such as are never above 0 log-probabilities,
        and such with a percent sign per cent; everything else is a score.

        Raises
        ------
        CellError
            No numbers, or fewer than :data:`MOST_UNREAD` allows; two scales in one column; a number that stands for no
            answer; a column whose name says that less is surer; values that the named scale cannot have.
        """
        name, notes = values.name, []
        cells = self._numbers(values)
        if not cells.present:
            raise CellError(f"column {name!r} is empty: it holds no finite number")
        self._refuse_unread(values, cells, "confidence")
        if cells.unread:
            notes.append(
                f"{sum(cells.unread.values()):,} rows of {name!r} hold no number, and are left out: "
                + _some(cells.unread)
            )
        numbers, scale = cells.values.copy(), self.scale
        numbers[~np.isfinite(numbers)] = np.nan
        if cells.signed.any():
            numbers, scale = self._percent(name, numbers, cells.signed)
        seen = numbers[np.isfinite(numbers)]
        if not seen.size:
            raise CellError(f"column {name!r} holds no finite number: it cannot be a confidence")
        if self.scale != "score" and not self.lower_is_surer:
            self._refuse_two_scales(name, seen)
        if self.scale != "score":
            self._refuse_codes(name, seen)
        if self.scale == "auto" and not self.lower_is_surer and says_less(str(name)):
            raise CellError(
                f"by its name column {name!r} is the higher the less sure an answer is: say "
                f"{self.option('lower-is-surer')}, or {self.option('confidence-scale', 'score')} if more of it is surer"
            )
        low, high = float(seen.min()), float(seen.max())
        nothing = np.full(numbers.size, np.nan)
        if self.lower_is_surer:
            notes.append(f"less of {name!r} is surer, as asked: its order is turned round")
            return Confidence(-numbers, nothing, nothing, "score", notes)
        if scale == "auto":
            scale = "probability" if low >= 0 and high <= 1 else "logprob" if high <= 0 else "score"
            if scale == "score":
                notes.append(
                    f"confidence goes from {low:g} to {high:g}: only its order is used, so ECE and Brier score "
                    "are left out (say --confidence-scale percent if it is one)"
                )
        limits = {"probability": (0.0, 1.0), "percent": (0.0, 100.0), "logprob": (-np.inf, 0.0)}
        if scale in limits and not (limits[scale][0] <= low and high <= limits[scale][1] + 1e-9):
            raise CellError(
                f"column {name!r} goes from {low:g} to {high:g}, which is no {scale}; "
                f"leave {'scale' if self.in_python else '--confidence-scale'} out or name another"
            )
        probability = {
            "probability": numbers,
            "percent": numbers / 100.0,
            "logprob": np.exp(np.minimum(numbers, 0.0)),
            "score": nothing,
        }[scale]
        logprob = np.minimum(numbers, 0.0) if scale == "logprob" else nothing
        return Confidence(numbers, probability, logprob, scale, notes)

    def _percent(self, name: Any, numbers: FloatArray, signed: NDArray[np.bool_]) -> tuple[FloatArray, str]:
        """Numbers of one scale where some have a percent sign, and that scale."""
        plain = numbers[~signed & np.isfinite(numbers)]
        if self.scale != "score":
            self._refuse_codes(name, numbers[np.isfinite(numbers)], plain)
        share, percent = (plain > 0) & (plain < 1), plain > 1
        if not plain.size or (percent.any() and not share.any()):
            return numbers, "percent"
        if percent.any() or (not share.any() and plain.any()):
            some = f"{plain[percent][0]:g} and {plain[share][0]:g}" if percent.any() else "1"
            raise CellError(
                f"column {name!r} holds numbers with a percent sign and others without it, such as {some}, which may "
                "be shares or per cent: write all with the sign, or all as shares"
            )
        scale = "probability" if self.scale in ("auto", "percent") else self.scale
        return np.where(signed, numbers / 100.0, numbers), scale

    def _refuse_unread(self, values: pd.Series, cells: _Numbers, what: str) -> None:
        """Refuse a column of which too much is no number."""
        n = sum(cells.unread.values())
        if n <= MOST_UNREAD * max(1, cells.present):
            return
        code, times = max(cells.unread.items(), key=lambda one: one[1])
        way = (
            f"if {code!r} stands for no answer, say {self._missing({code: times})}"
            if times > 0.5 * n and n < cells.present
            else "name another column, or write numbers; words have no order of their own, so write 1 for the least "
            "sure, 2 for the next and so on"
        )
        raise CellError(
            f"column {values.name!r} is no {what}: {n:,} of {len(values):,} rows hold no number, but "
            f"{_some(cells.unread)}: {way}"
        )

    def _refuse_two_scales(self, name: Any, seen: FloatArray) -> None:
        """Refuse shares and per cent in one column: fractions below 1, numbers far above, and nothing between."""
        share, above = (seen > 0) & (seen < 1), seen >= 5
        between = (seen > 1) & (seen < 5)
        few = 0.0 if share.mean() > 0.5 else _SECOND
        both = share.mean() >= _SECOND and above.any() and above.mean() >= few and between.mean() <= _BETWEEN
        if both and seen.min() >= 0 and seen.max() <= 100 and np.unique(seen[above]).size > 1:
            raise CellError(
                f"column {name!r} holds two scales: {int(share.sum()):,} rows lie between 0 and 1, such as "
                f"{seen[share][0]:g}, and {int(above.sum()):,} from {seen[above].min():g} to {seen[above].max():g}. "
                "Write all on one, or put % behind those in per cent; "
                f"{self.option('confidence-scale', 'score')} takes them as they stand"
            )

    def _refuse_codes(self, name: Any, seen: FloatArray, among: FloatArray | None = None) -> None:
        """Refuse numbers that stand far from all others, as those do that stand for no answer."""
        codes = [code for code in far_off(seen) if among is None or code in among]
        if not codes:
            return
        rest = seen[~np.isin(seen, codes)]
        rows = listed([f"{code:g} in {int((seen == code).sum()):,} rows" for code in codes])
        missing = " ".join(self.option("missing", f"{code:g}") for code in codes)
        raise CellError(
            f"column {name!r} holds {rows}, far from all others ({rest.min():g} to {rest.max():g}): if it stands for "
            f"no answer, say {missing}; {self.option('confidence-scale', 'score')} takes it for a confidence"
        )

    def _missing(self, codes: Iterable[str]) -> str:
        """What to say so that codes are missing."""
        first = list(codes)[:3]
        if self.in_python and len(first) > 1:
            return f"missing={first}"
        return " ".join(self.option("missing", one) for one in first)

    # two choices

    def choices(
        self,
        stimulus: pd.Series,
        response: pd.Series | None = None,
        *,
        correct: pd.Series | None = None,
        who: pd.Series | None = None,
    ) -> Choices:
        """Which of two stimuli was shown, and which was answered.

        Without responses ``correct`` says what each was; ``who`` says whose trial it is, so that one who answers in
        another code is found.

        Raises
        ------
        CellError
            If there are not exactly two stimuli, or responses are others: more than :data:`MOST_UNANSWERED` of them, or
            in the place of a stimulus. Fewer are answers that were not given, and are counted.
        """
        place, said = self.texts(stimulus)
        if len(said) < 2:
            place, said = self.texts(stimulus, keep={_text(one) for one in self._codes(stimulus.name)})
        times = np.bincount(place[place >= 0], minlength=len(said))
        held = {text: int(times[i]) for i, text in enumerate(said)}
        if len(held) != 2:
            mark = ""
            if response is not None and not self.in_python:
                names = set(self.texts(response)[1])
                if len(names) > 2 and names <= set(held):
                    mark = (
                        f"; or, since responses have the same names, --answer {response.name} --key {stimulus.name} "
                        "and --confidence, which marks them"
                    )
            rare = {text: n for text, n in held.items() if n <= MOST_UNANSWERED * times.sum()}
            way = f" (or say {self._missing(rare)}, if it is none)" if 0 < len(rare) == len(held) - 2 else ""
            raise CellError(
                f"column {stimulus.name!r} must hold exactly two stimuli, but holds {len(held)}: "
                f"{_some(held, quoted=False, most=6)}{way}. For open answers use "
                f"{'correct and confidence alone' if self.in_python else '--correct and --confidence'}{mark}"
            )
        first, second = sorted(held, key=_natural)
        shown = np.array([float(text == second) for text in said] + [np.nan])[place]
        if response is None:
            assert correct is not None
            right = correct.astype("Float64").to_numpy(dtype=np.float64, na_value=np.nan)
            return Choices((first, second), shown, np.where(right == 1, shown, 1 - shown) + 0 * right)
        place, said = self.texts(response, keep={first.casefold(), second.casefold()})
        sides = {first: 0.0, second: 1.0}
        if first.casefold() != second.casefold():
            sides |= {text: float(text.casefold() == second.casefold()) for text in said if _same(text, held)}
        times = np.bincount(place[place >= 0], minlength=len(said))
        other = {text: int(times[i]) for i, text in enumerate(said) if text not in sides}
        answered = np.array([sides.get(text, np.nan) for text in said] + [np.nan])[place]
        if other:
            self._refuse_other(response, place, answered, other, (first, second), who)
        return Choices((first, second), shown, answered, other)

    def _refuse_other(
        self,
        response: pd.Series,
        place: NDArray[np.intp],
        answered: FloatArray,
        other: dict[str, int],
        sides: tuple[str, str],
        who: pd.Series | None,
    ) -> None:
        """Refuse responses that are no stimulus where they are many, or stand in the place of one."""
        given, known = int((place >= 0).sum()), ~np.isnan(answered)
        n = sum(other.values())
        found = (
            f"column {response.name!r} holds {_some(other)} in {n:,} of {len(response):,} rows, but the stimuli are "
            f"{sides[0]!r} and {sides[1]!r}"
        )
        missing = f"if it stands for no answer, say {self._missing(other)}"
        if n > MOST_UNANSWERED * given and len(other) > MOST_RATINGS:
            raise CellError(
                f"{found}: these are estimates, not one of two choices. Name a column that says which were right "
                f"enough, with {'correct and confidence alone' if self.in_python else '--correct and --confidence'}"
            )
        if n > MOST_UNANSWERED * given or np.unique(answered[known]).size < 2:
            raise CellError(f"{found}: recode responses with the stimuli's names; or {missing}")
        if who is None:
            return
        frame = pd.DataFrame({"who": who.to_numpy(), "said": answered, "odd": (place >= 0) & ~known})
        by = frame.groupby("who", sort=False).agg(
            odd=("odd", "sum"), sides=("said", "nunique"), n=("said", "size")
        )
        strange = by[(by["odd"] > MOST_UNANSWERED * by["n"]) & (by["sides"] < 2)]
        if len(strange):
            raise CellError(
                f"{found}: {strange.index[0]} answers in another code than the stimuli's, so recode; or {missing}"
            )


def says_less(name: str) -> bool:
    """Whether a column's name says that more of it is less sure: an entropy, a loss, an uncertainty."""
    plain = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
    return _LESS.search(plain) is not None and _MORE.search(plain) is None


def far_off(seen: FloatArray) -> list[float]:
    """Whole numbers far from all others in a column: -1 beside numbers of at least 0, or 999 beside 0 to 100.

    One or two numbers below 0 are such where no other is, but for a scale from -n to n; beyond, numbers that are
    customary codes and lie farther from the next than that from the other end, or stand twice and lie ten times as far.
    """
    values, times = np.unique(seen, return_counts=True)
    found: list[float] = []
    below = values[values < 0]
    whole = bool((below == np.floor(below)).all())
    symmetric = below.size == 2 and -below[0] == values[-1]
    if 0 < below.size <= 2 <= values.size - below.size and whole and not symmetric:
        found += below.tolist()
        values, times = values[below.size :], times[below.size :]
    for _ in range(2):
        for end, inner in ((-1, slice(None, -1)), (0, slice(1, None))):
            if values.size < 3:
                return found
            last, rest = float(values[end]), values[inner]
            away = abs(last - rest[end]) / (rest[-1] - rest[0])
            code = abs(last) in _CODES and away > 1
            lone = times[end] > 1 and away > 10 and last not in (0, 1, 100)
            if last == np.floor(last) and (code or lone):
                found.append(last)
                values, times = rest, times[inner]
    return found


def ratings(
    score: FloatArray, who: ArrayLike | None = None, most: int = MOST_RATINGS
) -> tuple[NDArray[np.int64], int, bool]:
    """Confidence ``(n,)`` as ratings 1 ... K: its values, or more than ``most`` cut at each group's own quantiles.

    Ratings, how many there are (one that nobody gave between others is one), and whether they were cut; ``who``
    says whose trial each is.
    """
    values = np.unique(score)
    if values.size <= most:
        low, high = values[0], values[-1]
        if (values == np.floor(values)).all() and high - low < MOST_RATINGS and low in (0, 1):
            return (score - low).astype(np.int64) + 1, int(high - low) + 1, False
        return np.searchsorted(values, score).astype(np.int64) + 1, int(values.size), False
    found = np.empty(score.size, dtype=np.int64)
    groups = pd.Series(0, index=range(score.size)) if who is None else pd.Series(np.asarray(who))
    for rows in groups.groupby(groups, sort=False).indices.values():
        found[rows] = rate(score[rows], quantile_edges(score[rows], BINNED))
    return found, BINNED, True


def _out_of_lists(values: pd.Series) -> pd.Series:
    """Cells of lists of one are what stands in them, and empty lists nothing."""
    if values.dtype != object or not any(
        isinstance(one, list | tuple | set | dict | np.ndarray) for one in values
    ):
        return values
    return values.map(_only)


def _only(cell: Any) -> Any:
    if isinstance(cell, list | tuple | np.ndarray):
        cell = np.asarray(cell, dtype=object).ravel().tolist()
        return _only(cell[0]) if len(cell) == 1 else None if not cell else str(cell)
    return str(cell) if isinstance(cell, dict | set) else cell


def _text(cell: Any) -> str:
    """A cell as text: whole numbers without ``.0``, whether they are numbers or written so."""
    if isinstance(cell, float | np.floating):
        return f"{int(cell)}" if float(cell).is_integer() else repr(float(cell))
    text = str(cell).strip()
    if text.startswith("[") and (inner := _CELL.fullmatch(text)):
        text = inner[1].strip()
    return re.sub(r"(?<=\d)\.0+$", "", text) if text[:1] in "-+0123456789" and text else text


def _number(text: str) -> float | None:
    """A number that a text says; None where it says none."""
    if "_" in text or text.casefold().lstrip("+-") == "nan":
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _is_one(text: str, codes: Iterable[str]) -> bool:
    """Whether a text is one of some codes, or the same number."""
    low, number = text.casefold(), _number(text)
    return any(low == code or (number is not None and _number(code) == number) for code in codes)


def _right(text: str) -> bool | None:
    low = text.casefold()
    return True if low in TRUE else False if low in FALSE else None


def _natural(text: str) -> tuple[int, float, str]:
    number = _number(text)
    return (1, 0.0, text) if number is None else (0, number, text)


def _same(text: str, held: Collection[str]) -> bool:
    return text.casefold() in {one.casefold() for one in held}


def _some(held: dict[str, int], *, quoted: bool = True, most: int = 4) -> str:
    """``'easy' (100), 'diff' (99)``: the most frequent first."""
    first = sorted(held.items(), key=lambda one: -one[1])[:most]
    shown = [f"{cut(repr(text) if quoted else text, 80)} ({n:,})" for text, n in first]
    return ", ".join(shown) + (", ..." if len(held) > most else "")
