"""Does thinking help a model to know itself?

A reply without a letter counts as malformed with the author, so an answer that is a number is left out, right or
wrong. Had they been kept, each would have been right or wrong and have had some confidence, and neither is
published. Accuracy is least with all of them wrong and most with all of them right. AUROC2 of the printed, raw
confidence is most where those that are right lie above all other replies and those that are wrong below them; least
the other way round; and what number of them is right is chosen for the worst.

Four ratings do not give intervals of raw confidence; Hanley & McNeil's (1982) standard error needs an area and the
numbers of right and wrong answers alone. Modes are independent samples here; the author's own intervals pair the
questions that both modes answered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.measures.cell import MIN_FOR_INTERVALS, Cell, Flag
from metacog.measures.estimates import FITTED, Measured, measure
from metacog.measures.pairs import family_table
from metacog.sdt.bootstrap import padding
from metacog.sdt.checks import FloatArray
from metacog.sdt.compare import Together
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.intervals import centred, percentile_limits, wilson
from metacog.sdt.meta_d import fit_meta_d_batch
from metacog.sdt.standardised import Statistic, parts_of_change, shares, with_margins
from metacog.sdt.type2 import auroc2_from_counts, hanley_mcneil_se
from metacog.studies.study import analysis
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.cells import PUBLISHED_FILES
from metacog.studies.study1_qa.ledger.thinking import PADDING, Mode, Z, counts, whole_pairs
from metacog.verdicts.rules import Unit, beyond, judged, those
from metacog.verdicts.verdict import Kind, Verdict, drawn

if TYPE_CHECKING:
    from metacog.studies.results import Inputs


# All measures of counts with thinking on and off, their differences, and what these are made of.

ON, OFF = "thinking", "non_thinking"
#: What is measured, in the order of the columns.
MEASURES = ("accuracy", "auroc2", "meta_i2r", "d_prime", "criterion", "meta_d", "m_ratio")
#: Measures whose change is taken apart; meta-I2r as the plug-in value.
PARTED: dict[str, Statistic] = {"auroc2": auroc2_from_counts, "meta_i2r": plugin_meta_i2r}
#: Paddings of the fits that are compared; the first is the author's.
PADDINGS = (PADDING, 0.0)

#: Share of replies below the middle cut under which the page says so; a quarter of them would be half of that
#: which quantiles put there.
THIN = 0.25
#: What is unsound about a fit.
UNSOUND = (
    "d' is not above 0: wrong replies have the higher ratings",
    "the constant in every cell decides",
    "{percent:.0f} % of replies below the middle cut",
)

Pair = tuple[Mode, Mode]


def pairs(tables: Mapping[tuple[str, str], Mode]) -> dict[str, Pair]:
    """Each model with thinking off and on, under the name that readers know."""
    models = dict.fromkeys(model for model, _ in tables)
    return {
        paper.THINKING_MODELS.get(model, model): (tables[model, OFF], tables[model, ON]) for model in models
    }


def cell_of(mode: Mode) -> Cell:
    """The trials of one table of counts, each by itself; right and wrong stand for S2 and S1 in meta-d'."""
    n = mode.wrong.size
    table = np.concatenate([mode.wrong, mode.right])
    correct = np.repeat(np.arange(2 * n) >= n, table)
    level = np.repeat(np.tile(np.arange(n), 2), table)
    return Cell(
        correct,
        level.astype(np.float64),
        level,
        n,
        np.full(mode.n, np.nan),
        np.arange(mode.n),
        choice=level + 2 * (n // 2) * correct,
        k=n // 2,
        padded=True,
    )


@dataclass(frozen=True)
class Compared:
    """Measures of both modes of every model, and differences.

    Attributes
    ----------
    cells : DataFrame
        ``model, mode, n``, each of :data:`MEASURES` with ``_lower`` and ``_upper``, and ``flag``.
    differences : DataFrame
        Thinking on minus off: ``model, quantity, off, on, difference, lower, upper, p, p_holm``. The limits
        are those of a 95 % interval of each difference alone; p is adjusted over the models.
    measured : dict
        Everything that was measured, with draws, by (model, mode).
    """

    cells: pd.DataFrame
    differences: pd.DataFrame
    measured: dict[tuple[str, str], Measured]


def compared(found: Mapping[str, Pair], *, n_resamples: int, seed: int) -> Compared:
    """Measure both modes of every model on replies resampled apart, since counts do not pair questions."""
    rows = []
    measured: dict[tuple[str, str], Measured] = {}
    for number, (model, pair) in enumerate(found.items()):
        for which, mode in enumerate(pair):
            one = measure(
                cell_of(mode),
                n_resamples=n_resamples,
                n_permutations=n_resamples,
                seed=_seed(seed, number, which),
            )
            row = one.row()
            limits = [f"{name}_{end}" for name in MEASURES for end in ("lower", "upper")]
            kept = {name: row.get(name, np.nan) for name in (*MEASURES, *limits, "flag")}
            rows.append({"model": model, "mode": mode.mode, "n": mode.n, **kept})
            measured[model, mode.mode] = one
    sides = {model: (measured[model, OFF], measured[model, ON]) for model in found}
    return Compared(pd.DataFrame(rows), differences(sides), measured)


def _seed(seed: int, number: int, which: int) -> int:
    return seed + 2 * number + which


def differences(sides: Mapping[str, tuple[Measured, Measured]]) -> pd.DataFrame:
    """Thinking on minus off of each measure; see :class:`Compared`."""
    frames = []
    for quantity in MEASURES:
        both = [_together(quantity, off, on) for off, on in sides.values()]
        judged = family_table(quantity, [(model, model) for model in sides], both)
        limits = [_limits(one) for one in both]
        frames.append(
            pd.DataFrame(
                {
                    "model": list(sides),
                    "quantity": quantity,
                    "off": [one.value_b for one in both],
                    "on": [one.value_a for one in both],
                    "difference": [one.difference for one in both],
                    "lower": [low for low, _ in limits],
                    "upper": [high for _, high in limits],
                    "p": judged["p"],
                    "p_holm": judged["p_holm"],
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def _together(quantity: str, off: Measured, on: Measured) -> Together:
    values = on.values.get(quantity, np.nan), off.values.get(quantity, np.nan)
    decided = quantity in FITTED and any(Flag.PADDED in side.flags for side in (off, on))
    if quantity not in on.draws or quantity not in off.draws or decided:
        return Together(*values, np.full(2, np.nan))
    return Together(*values, on.paired(quantity) - off.paired(quantity))


def _limits(one: Together) -> tuple[float, float]:
    known = np.isfinite(one.draws)
    if known.sum() < max(2, 0.5 * known.size):
        return np.nan, np.nan
    return percentile_limits(one.draws[known])


# ---------------------------------------------------------------------------- ratings, accuracy and worth


def by_rating(found: Mapping[str, Pair]) -> pd.DataFrame:
    """Which ratings are used, and how often each is right.

    Returns
    -------
    DataFrame
        ``model, mode, rating, n, use`` (share of the mode's replies), ``right`` (share of the rating's) with
        ``_lower`` and ``_upper`` (Wilson, 95 %).
    """
    rows = []
    for model, pair in found.items():
        for mode in pair:
            _, use = shares(mode.wrong, mode.right)
            for rating, (wrong, right) in enumerate(zip(mode.wrong, mode.right, strict=True)):
                n = int(wrong + right)
                share = right / n if n else np.nan
                low, high = wilson(share, n) if n else (np.nan, np.nan)
                row = {"model": model, "mode": mode.mode, "rating": rating + 1, "n": n, "use": use[rating]}
                rows.append({**row, "right": share, "right_lower": float(low), "right_upper": float(high)})
    return pd.DataFrame(rows)


def _tables(mode: Mode, n_resamples: int, seed: int) -> tuple[FloatArray, FloatArray]:
    """The table itself and resamples of it, shape ``(1 + n_resamples, L)`` each."""
    table = np.concatenate([mode.wrong, mode.right])
    drawn = np.random.default_rng(seed).multinomial(mode.n, table / mode.n, size=n_resamples)
    every = np.concatenate([table[None], drawn]).astype(np.float64)
    return every[:, : mode.wrong.size], every[:, mode.wrong.size :]


def parts_by_model(found: Mapping[str, Pair], *, n_resamples: int, seed: int) -> pd.DataFrame:
    """How far accuracy, the use of ratings and their worth account for each change.

    Returns
    -------
    DataFrame
        ``model, quantity`` (of :data:`PARTED`), ``part`` (of :data:`~metacog.sdt.standardised.PARTS`),
        ``change, lower, upper`` (95 %); ``total``, which the parts add up to, with limits; and
        ``mostly_lower, mostly_upper``, limits of twice the part minus the whole, in the direction of the whole:
        above 0 where the part is more than half of it.
    """
    rows = []
    for number, (model, pair) in enumerate(found.items()):
        off, on = (_tables(mode, n_resamples, _seed(seed, number, which)) for which, mode in enumerate(pair))
        for quantity, statistic in PARTED.items():
            changes = parts_of_change(off, on, statistic)
            whole = np.sum(list(changes.values()), axis=0)
            total = {"total": float(whole[0]), **_ends("total", whole)}
            for part, values in changes.items():
                row: dict[str, Any] = {"model": model, "quantity": quantity, "part": part}
                row["change"] = float(values[0])
                low, high = _ends("", values).values()
                mostly = _ends("mostly", np.sign(whole[0]) * (2 * values - whole))
                rows.append({**row, "lower": low, "upper": high, **total, **mostly})
    return pd.DataFrame(rows)


def _ends(name: str, values: FloatArray) -> dict[str, float]:
    """95 % limits of draws that follow their estimate, moved so that they carry its bias once."""
    low, high = percentile_limits(centred(values[1:], float(values[0])))
    return {f"{name}_lower": low, f"{name}_upper": high}


def at_equal(found: Mapping[str, Pair]) -> pd.DataFrame:
    """Measures with thinking on at the accuracy, and also at the use of ratings, that thinking off has.

    Returns
    -------
    DataFrame
        ``model, quantity, off, on, accuracy_equal, both_equal``.
    """
    rows = []
    for model, (off, on) in found.items():
        accuracy, use = shares(off.wrong, off.right)
        _, own = shares(on.wrong, on.right)
        tables: dict[str, tuple[FloatArray, FloatArray]] = {
            "off": (off.wrong.astype(float), off.right.astype(float)),
            "on": (on.wrong.astype(float), on.right.astype(float)),
            "accuracy_equal": with_margins(on.wrong, on.right, accuracy, own),
            "both_equal": with_margins(on.wrong, on.right, accuracy, use),
        }
        for quantity, statistic in PARTED.items():
            values = {name: float(statistic(w[None], r[None])[0]) for name, (w, r) in tables.items()}
            rows.append({"model": model, "quantity": quantity, **values})
    return pd.DataFrame(rows)


# ---------------------------------------------------------------------------- fits


def fits(found: Mapping[str, Pair], measured: Mapping[tuple[str, str], Measured]) -> pd.DataFrame:
    """meta-d' of every table with and without padding: whether the fit converges, and what it is worth.

    Parameters
    ----------
    found : mapping of str to Pair
    measured : mapping
        As in :class:`Compared`: its resamples have the author's padding.

    Returns
    -------
    DataFrame
        ``model, mode, padding, d_prime, meta_d, m_ratio, criterion, converged, gradient`` (norm at the
        solution); with the author's padding also ``usable`` (share of resamples that give an M-ratio below 10
        in size) and ``negative`` (share with a d' that is not above 0); ``printed`` (M-ratio; NaN where none
        is), and ``flag`` (what makes M-ratio worth little).
    """
    printed = paper.as_numbers("thinking_aggregate").set_index(["model", "mode"])["m_ratio"]
    rows = []
    for model, pair in found.items():
        for mode in pair:
            draws = measured[model, mode.mode].draws
            nothing = np.full(1, np.nan)
            for pad in PADDINGS:
                fit = fit_meta_d_batch(mode.wrong[None] + pad, mode.right[None] + pad, undefined="flag")
                row: dict[str, Any] = {"model": model, "mode": mode.mode, "padding": pad}
                row |= {name: float(getattr(fit, name)[0]) for name in ("d_prime", "meta_d", "m_ratio")}
                row |= {"criterion": float(fit.c[0]), "converged": bool(fit.converged[0])}
                row |= {"gradient": float(fit.gradient_norm[0]), "usable": np.nan, "negative": np.nan}
                if pad == PADDING:
                    row["usable"] = float(np.isfinite(draws.get("m_ratio", nothing)).mean())
                    row["negative"] = float((draws.get("d_prime", nothing) <= 0).mean())
                printed_ratio = float(printed.get((mode.model, mode.mode), np.nan))
                rows.append({**row, "printed": printed_ratio, "flag": _flag(mode, row["d_prime"])})
    return pd.DataFrame(rows)


def _flag(mode: Mode, d_prime: float) -> str:
    half = mode.wrong.size // 2
    below = (mode.wrong[:half].sum() + mode.right[:half].sum()) / mode.n
    true = (d_prime <= 0, padding(mode.wrong[None], mode.right[None]).sensitive[0], below < THIN)
    found = [text.format(percent=100 * below) for text, holds in zip(UNSOUND, true, strict=True) if holds]
    return "; ".join(found)


# What the counts say of thinking, by fixed rules.

#: What is asked of each measure, as a name for it and where its rule is shown.
ASKED = {"auroc2": "AUROC2", "meta_i2r": "meta-I2r", "m_ratio": "M-ratio", "accuracy": "accuracy"}
_RAISES = (
    "Thinking raises {measure} in every model: the 95 % interval of the difference, thinking on minus off, lies "
    "above 0."
)
RULES = {
    **{name: _RAISES.format(measure=measure) for name, measure in ASKED.items()},
    "worth": (
        "In every model more than half of the change of AUROC2 is a change in what a rating is worth: a change "
        "is shown, and the 95 % interval of twice that part minus the whole, in the whole's direction, lies "
        "above 0."
    ),
    "left_out": (
        "In every model AUROC2 changes in the same direction whatever the replies left out were: from the "
        "worst to the best case, 95 % limits included, the difference does not reach 0."
    ),
}


def on_differences(differences: pd.DataFrame, name: str) -> Verdict | None:
    """Whether thinking raises a measure."""
    rows = differences[differences["quantity"] == name]
    why = "its interval is not determined"
    units = [beyond(r.model, r.lower, r.upper, 0.0, why) for r in rows_of(rows)]
    return _verdict(name, units)


def on_parts(parts: pd.DataFrame) -> Verdict | None:
    """Whether a change of AUROC2 is mostly one of what a rating is worth."""
    rows = parts[(parts["quantity"] == "auroc2") & (parts["part"] == "worth")]
    units = []
    for r in rows_of(rows):
        if not (r.total_lower > 0 or r.total_upper < 0):
            units.append(Unit(r.model, None, "a change is not shown"))
        else:
            units.append(beyond(r.model, r.mostly_lower, r.mostly_upper, 0.0))
    return _verdict("worth", units)


def on_left_out(table: pd.DataFrame) -> Verdict | None:
    """Whether replies left out could turn the change of AUROC2."""
    units = []
    for r in rows_of(table[table["quantity"] == "auroc2"]):
        settled = r.worst_lower > 0 or r.best_upper < 0
        why = (
            "the worst and the best case lie on both sides of 0"
            if r.best_upper == r.best_upper
            else "no bounds"
        )
        units.append(Unit(r.model, True) if settled else Unit(r.model, None, why))
    return _verdict("left_out", units)


def _verdict(topic: str, units: list[Unit], **values: Any) -> Verdict | None:
    if not units:
        return None
    named: dict[str, Any] = {"shown": those(units, True), "refuted": those(units, False), "n": len(units)}
    return judged(
        units, "Thinking", Kind.EXPLORATORY, RULES[topic], name=topic, topic=topic, **named, **values
    )


def accuracy_ends(right: int, n: int, left_out: int) -> tuple[float, float]:
    """Accuracy with all replies left out wrong, and with all right."""
    return right / (n + left_out), (right + left_out) / (n + left_out)


def area_ends(area: float, wrong: int, right: int, left_out: int) -> tuple[float, float]:
    """Ends of AUROC2 if so many more replies had any confidence and any correctness.

    Parameters
    ----------
    area : float
        Of the replies kept.
    wrong, right : int
        Of these.
    left_out : int

    Notes
    -----
    With r of m replies right, the m - r wrong ones below everything and the r right ones above everything win
    r W + (m - r) R + r (m - r) pairs; the other way round they win none. Both ends are taken over r.
    """
    more_right = np.arange(left_out + 1)
    more_wrong = left_out - more_right
    pairs = (right + more_right) * (wrong + more_wrong)
    won = area * right * wrong
    gained = more_right * wrong + more_wrong * right + more_right * more_wrong
    return float((won / pairs).min()), float(((won + gained) / pairs).max())


def table(found: Mapping[str, Pair]) -> pd.DataFrame:
    """What replies left out could change, by model and measure.

    Returns
    -------
    DataFrame
        ``model, quantity`` (accuracy or auroc2), ``left_out_off, left_out_on``, the value of replies kept
        (``off, on``; AUROC2 as printed), both ends (``off_lower`` ...), the ends of the difference on minus off
        (``worst, best``), and the outer 95 % limits of these (``worst_lower, best_upper``), with the modes as
        independent samples: what sampling adds.
    """
    printed = paper.as_numbers("thinking_aggregate").set_index(["model", "mode"])
    rows = []
    for model, pair in found.items():
        missing = [int(printed["n_malformed"].get((m.model, m.mode), 0)) for m in pair]
        sizes = [(int(m.wrong.sum()), int(m.right.sum())) for m in pair]
        areas = [float(printed["auroc2"].get((m.model, m.mode), _area(m))) for m in pair]
        shares = [
            accuracy_ends(right, wrong + right, k) for (wrong, right), k in zip(sizes, missing, strict=True)
        ]
        ends = [area_ends(a, *size, k) for a, size, k in zip(areas, sizes, missing, strict=True)]
        sampling = [
            [np.sqrt(end * (1 - end) / (sum(size) + k)) for end in both]
            for both, size, k in zip(shares, sizes, missing, strict=True)
        ]
        rows.append(_row(model, "accuracy", missing, [m.accuracy for m in pair], shares, sampling))
        sampling = [
            [float(hanley_mcneil_se(e, *size)) for e in both] for both, size in zip(ends, sizes, strict=True)
        ]
        rows.append(_row(model, "auroc2", missing, areas, ends, sampling))
    return pd.DataFrame(rows)


def _area(mode: Mode) -> float:
    return float(auroc2_from_counts(mode.wrong, mode.right))


def _row(
    model: str,
    quantity: str,
    missing: Sequence[int],
    values: Sequence[float],
    ends: Sequence[tuple[float, float]],
    sampling: Sequence[Sequence[float]],
) -> dict[str, object]:
    """One row; everything but the name is given for thinking off, then on, and errors for lower, then upper ends."""
    (off_low, off_high), (on_low, on_high) = ends
    (off_low_se, off_high_se), (on_low_se, on_high_se) = sampling
    worst, best = on_low - off_high, on_high - off_low
    return {
        "model": model,
        "quantity": quantity,
        "left_out_off": missing[0],
        "left_out_on": missing[1],
        "off": values[0],
        "off_lower": off_low,
        "off_upper": off_high,
        "on": values[1],
        "on_lower": on_low,
        "on_upper": on_high,
        "worst": worst,
        "best": best,
        "worst_lower": worst - Z * float(np.hypot(on_low_se, off_high_se)),
        "best_upper": best + Z * float(np.hypot(on_high_se, off_low_se)),
    }


KEYS = ["model", "mode"]


def _error(area: pd.Series, accuracy: pd.Series, n: pd.Series) -> pd.Series:
    """Standard errors of areas; missing where there are too few right or wrong answers for an interval."""
    right = (accuracy * n).round()
    made = pd.Series(hanley_mcneil_se(area, n - right, right), area.index)
    return made.where(np.minimum(right, n - right) >= MIN_FOR_INTERVALS)


def _modes(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """One row per model, with the columns of both modes as ``NAME_off`` and ``NAME_on``."""
    wide = table.pivot(index=keys, columns="mode")
    named = [f"{column[0]}_{'on' if column[1] == ON else 'off'}" for column in wide.columns.to_list()]
    return wide.set_axis(named, axis=1).reset_index()


def _with_difference(wide: pd.DataFrame, error_off: pd.Series, error_on: pd.Series) -> pd.DataFrame:
    gap = wide["auroc2_on"] - wide["auroc2_off"]
    half = Z * np.hypot(error_on, error_off)
    return wide.assign(difference=gap, lower=gap - half, upper=gap + half)


def _named(table: pd.DataFrame) -> pd.DataFrame:
    order = list(paper.THINKING_MODELS)
    table = table.sort_values("model", key=lambda c: c.map(order.index), kind="stable", ignore_index=True)
    return table.assign(model=table["model"].map(paper.THINKING_MODELS))


def raw() -> pd.DataFrame:
    """AUROC2 of raw confidence as printed, with and without the trace, and how long replies are.

    Returns
    -------
    DataFrame
        ``model``; ``auroc2_off, auroc2_on`` and ``no_trace`` (the replies of thinking on, their probabilities
        read again without the trace before them), each with ``_lower, _upper``; ``difference`` with ``lower,
        upper`` from n and accuracy and ``printed_lower, printed_upper``; ``trace, answer_off, answer_on`` in
        tokens.
    """
    table = paper.as_numbers("thinking_aggregate")
    table["n"] = table["n_total"] - table["n_malformed"]
    table["error"] = _error(table["auroc2"], table["accuracy"], table["n"])
    wide = _modes(table[[*KEYS, "auroc2", "accuracy", "n", "error"]], ["model"])
    for mode in ("off", "on"):
        half = Z * wide[f"error_{mode}"]
        wide[f"auroc2_{mode}_lower"] = wide[f"auroc2_{mode}"] - half
        wide[f"auroc2_{mode}_upper"] = wide[f"auroc2_{mode}"] + half
    wide = _with_difference(wide, wide["error_off"], wide["error_on"])
    deltas = paper.as_numbers("thinking_deltas").rename(
        columns={
            "ci_lower": "printed_lower",
            "ci_upper": "printed_upper",
            "abridged_auroc2": "no_trace",
            "trace_tokens_mean": "trace",
            "answer_tokens_non_thinking": "answer_off",
            "answer_tokens_thinking": "answer_on",
        }
    )
    wide = wide.merge(deltas, on="model")
    half = Z * _error(wide["no_trace"], wide["accuracy_on"], wide["abridged_n"])
    return _named(wide.assign(no_trace_lower=wide["no_trace"] - half, no_trace_upper=wide["no_trace"] + half))


def domains() -> pd.DataFrame:
    """Printed accuracy and AUROC2 by domain in both modes, and the difference of AUROC2.

    Returns
    -------
    DataFrame
        ``model, domain, n_off, n_on, accuracy_off, accuracy_on, auroc2_off, auroc2_on, difference, lower, upper``.
    """
    table = paper.as_numbers("thinking_domains")
    table["error"] = _error(table["auroc2"], table["accuracy"], table["n"])
    wide = _modes(table, ["model", "domain"])
    return _named(_with_difference(wide, wide["error_off"], wide["error_on"]))


def marking() -> pd.DataFrame:
    """Both modes without replies that only contain an accepted answer, as the author printed it.

    Returns
    -------
    DataFrame
        ``model``; ``right_off, wrong_off, right_on, wrong_on`` replies and ``accuracy_off, accuracy_on, auroc2_off,
        auroc2_on`` marked so; ``difference`` of AUROC2 with ``lower, upper``, missing where a mode has fewer than
        :data:`MIN_FOR_INTERVALS` replies of a class; ``usual``, the difference as marked otherwise.
    """
    table = paper.as_numbers("thinking_marking").merge(paper.as_numbers("thinking_aggregate"), on=KEYS)
    strict = pd.DataFrame(
        {
            **{key: table[key] for key in KEYS},
            "accuracy": table["accuracy_strict"],
            "auroc2": table["auroc2_strict"],
            "usual": table["auroc2"],
        }
    )
    n = table["n_total"] - table["n_malformed"]
    strict["right"] = (strict["accuracy"] * n).round().astype(int)
    strict["wrong"] = n - strict["right"]
    strict["error"] = _error(strict["auroc2"], strict["accuracy"], n)
    wide = _modes(strict, ["model"])
    wide = _with_difference(wide, wide["error_off"], wide["error_on"])
    return _named(wide.assign(usual=wide["usual_on"] - wide["usual_off"]))


# Does thinking help a model to know itself? What is computed.


@dataclass(frozen=True)
class Thinking:
    """Thinking on and off, from the author's counts by four ratings and from what is printed beside them.

    ``cells, differences`` as in :class:`.estimates.Compared`; ``ratings, parts, equal, fits`` as
    :func:`.estimates.by_rating`, :func:`.estimates.parts`, :func:`.estimates.at_equal` and
    :func:`.estimates.fits` make them; ``replies`` what the replies left out could change
    (:func:`.left_out.table`); ``raw, domains, marking`` what is printed of raw confidence
    (:mod:`.print_alone`); ``whole`` whether printed AUROC2 are whole numbers of pairs.
    """

    cells: pd.DataFrame
    differences: pd.DataFrame
    ratings: pd.DataFrame
    parts: pd.DataFrame
    equal: pd.DataFrame
    fits: pd.DataFrame
    replies: pd.DataFrame
    raw: pd.DataFrame
    domains: pd.DataFrame
    marking: pd.DataFrame
    whole: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def think(
    tables: Mapping[tuple[str, str], Mode], *, n_resamples: int, seed: int, verdicts: bool = True
) -> Thinking:
    """All of the chapter for some tables of counts, by (model, mode) with ``thinking`` and ``non_thinking``."""
    found = pairs(tables)
    made = compared(found, n_resamples=n_resamples, seed=seed)
    parts = parts_by_model(found, n_resamples=n_resamples, seed=seed)
    replies = table(found)
    judgements = drawn(
        *(on_differences(made.differences, name) for name in ASKED),
        on_parts(parts),
        on_left_out(replies),
    )
    return Thinking(
        made.cells,
        made.differences,
        by_rating(found),
        parts,
        at_equal(found),
        fits(found, made.measured),
        replies,
        raw(),
        domains(),
        marking(),
        whole_pairs(),
        judgements if verdicts else (),
    )


@analysis(returns=Thinking, files=PUBLISHED_FILES)
def thinking(inputs: Inputs, *, n_resamples: int = 2_000, seed: int = 42, verdicts: bool = True) -> Thinking:
    """Does thinking help a model to know itself?"""
    return think(counts(), n_resamples=n_resamples, seed=seed, verdicts=verdicts)
