"""What simulated answerers of known efficiency show about the measures: how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report.tables import Schema, columns_of, count, limits, number, text
from metacog.report.verdicts import Verdict
from metacog.report.views import Views
from metacog.studies.study1_qa.correction import recovery_figures as figures
from metacog.studies.study1_qa.correction.recovery import ASKED, NO_VALUE
from metacog.studies.study1_qa.correction.recovery_judging import NEAR

#: What each family does, in one sentence.
FAMILIES = {
    "additive": "Confidence is strength plus bell-shaped noise.",
    "lapses": "Now and then confidence is that of another question; otherwise nothing is lost.",
    "graded": (
        "The distance of strength from its median is stretched or shrunk at random: confidence keeps the "
        "side, not how far."
    ),
    "tails": "Noise is small mostly and huge now and then (t with 1.5 degrees of freedom).",
    "mixture": (
        "A share of the questions is known (95 % of those right, strength 2.4 higher), the rest is guessed "
        "(5 or 25 % right); then bell-shaped noise."
    ),
    "one-sided": "Noise only lowers confidence, or only raises it (exponential).",
    "unequal": "Strength of wrong answers is spread less (0.65), or more (1.4), than that of right ones.",
    "levels": "Confidence with bell-shaped noise may only take 2, 3, 5 or 11 values, as when it is spoken.",
}
TITLES = {
    "additive": "Additive noise",
    "lapses": "Lapses",
    "graded": "Graded noise",
    "tails": "Heavy tails",
    "mixture": "Known or guessed",
    "one-sided": "One-sided noise",
    "unequal": "Uneven spread",
    "levels": "Few levels",
}
#: What the ratio is moved by in a family where nothing is lost.
MOVED_BY = {"unequal": "slope (uneven spread)", "mixture": "bend (known or guessed)"}


def _span(ends: Sequence[float], digits: int = 2) -> str:
    if not len(ends):
        return "no value"
    low, high = (f"{v:.{digits}f}" for v in ends)
    return low if low == high else f"{low} to {high}"


def _percent(accuracies: Iterable[float]) -> str:
    return listed(f"{a:.0%}" for a in accuracies).replace("%", " %")


def level_sentence(verdict: Verdict) -> str:
    """M-ratio under additive noise."""
    v = verdict.values
    if not v["n"]:
        return "No answerer with additive noise and equal spread was measured."
    low, high = (f"{100 * share:.0f} %" for share in v["information"])
    return (
        f"Equal spread and additive noise: confidence removes between {low} and {high} of the uncertainty, "
        f"at {plural(v['n'], 'combination')} of accuracy and efficiency, and the M-ratio is "
        f"{'1 in all of them' if verdict.passed else 'not 1 in all of them'} (largest distance "
        f"{v['off']:.5f})."
    )


def lossless_sentence(verdict: Verdict) -> str:
    """How far M-ratio moves although nothing is lost."""
    ranges, cut = verdict.values["ranges"], verdict.values["cut"]
    parts = [f"from {_span(ends)} with {MOVED_BY[family]}" for family, ends in ranges.items()]
    if cut:
        parts.append(
            f"and from {_span([cut['low'], cut['high']])} with the cut alone: one answerer "
            f"({cut['variant']}, {100 * cut['accuracy']:.0f} % right) whose confidence is rated in "
            f"{cut['ways']} ways"
        )
    if not parts:
        return "No answerer with uneven spread or mixed questions was measured."
    lead = "With nothing lost (efficiency 1) the M-ratio still goes "
    return (lead if verdict.passed else "With nothing lost, the M-ratio goes ") + ", ".join(parts) + "."


def direction_sentence(verdict: Verdict) -> str:
    """Where M-ratio goes up and where down as efficiency falls."""
    if verdict.passed is None:
        return "No answerer with lapses, mixed questions or one-sided noise was measured."
    parts = []
    for one in verdict.values["moves"]:
        ways = [f"{way} at {_percent(one[way])} right" for way in ("up", "down") if one[way]]
        parts.append(f"{one['variant']}: {', '.join(ways)}")
    ways_of = "either direction" if verdict.passed else "these directions"
    return f"As efficiency falls from 1, the M-ratio moves in {ways_of}: {'; '.join(parts)}."


def falling_sentence(verdict: Verdict) -> str:
    """Which losses lower M-ratio throughout."""
    v = verdict.values
    if not v["kinds"]:
        return "No loss was tried at two efficiencies."
    return (
        f"These lower the M-ratio at every step and at every accuracy tried: {listed(v['falls'])} "
        f"({plural(v['rows'], 'row')} of answerers). Of {plural(v['kinds'], 'kind')} of loss, "
        f"{v['kinds'] - len(v['falls'])} do not."
    )


def reading_sentence(verdict: Verdict) -> str:
    """Which efficiencies and families give the same M-ratio."""
    parts = [
        f"{r['m_ratio']:.1f} in {plural(int(r['n_families']), 'family', 'families')} "
        f"at efficiencies from {r['lowest']:.2f} to {r['highest']:.2f}"
        for r in verdict.values["ratios"]
    ]
    if not parts:
        return "No M-ratio of this table was met."
    end = (
        "So an M-ratio can neither be read as an efficiency nor ascribed to one cause."
        if verdict.passed
        else "Where one family alone gives a value, or all at similar efficiency, it could be read so."
    )
    return f"The same M-ratio: {listed(parts)}. {end}"


def claim_sentence(verdict: Verdict) -> str:
    """Where M-ratio is pinned near 1, and where slope and accuracy account for it."""
    near, off = verdict.values["near"], verdict.values["off"]
    if not near:
        return "No M-ratio of these answerers exists, so nothing is stated about it."
    pinned = [TITLES[family].lower() for family, v in near.items() if v <= NEAR]
    given = [TITLES[family].lower() for family, v in off.items() if v <= NEAR]
    neither = [f"{TITLES[family].lower()} (off by up to {v:.2f})" for family, v in off.items() if v > NEAR]
    return (
        "The author of version 2 writes that the M-ratio is pinned near 1 and only reflects unequal "
        f"variance. Within {NEAR} of 1 throughout: {listed(pinned)}. Given by slope and accuracy throughout: "
        f"{listed(given)}. By neither: {listed(neither)}."
    )


def answer(result: Any) -> str:
    """Whether an M-ratio of open answers can be read as an efficiency, by the one nearest to 1."""
    verdict = next(v for v in result.verdicts if v.name == "reading")
    ratios = verdict.values["ratios"]
    if not ratios:
        return "Whether an M-ratio of open answers can be read as an efficiency cannot be told from these simulations."
    one = min(ratios, key=lambda r: abs(r["m_ratio"] - 1))
    start = (
        "An M-ratio of open answers is no efficiency"
        if verdict.passed
        else "Not every M-ratio is ambiguous, but"
    )
    return (
        f"{start}{':' if verdict.passed else ''} the same ratio, near one, comes from simulated answerers with "
        f"efficiencies from {one['lowest']:.2f} to {one['highest']:.2f}."
    )


def pinned(result: Any) -> str:
    """In how many families M-ratio stays near 1 throughout, and in which."""
    near = next(v for v in result.verdicts if v.name == "claim").values["near"]
    named = [TITLES[family].lower() for family, v in near.items() if v <= NEAR]
    which = f" ({listed(named)})" if named else ""
    return f"{len(named)} of {plural(len(near), 'family', 'families')}{which}"


def outcomes_sentence(verdict: Verdict) -> str:
    """How often one measure recovers order and amount."""
    v = verdict.values
    sentence = (
        f"{ASKED[v['measure']]} recovers the order of efficiency in {v['order']} of {plural(v['n'], 'row')} "
        f"of answerers and the amount in {v['amount']}"
    )
    if v["reversed"]:
        sentence += f"; it reverses the order in {v['reversed']}"
    if v["no_value"]:
        sentence += f"; it has no value in {v['no_value']}"
    if 0 < len(v["recovered"]) <= 3:
        sentence += f". The order: {listed(v['recovered'])}"
    elif v["not_recovered"]:
        sentence += f". Not the order: {listed(v['not_recovered'])}"
    return sentence + "."


def definition_sentence(verdict: Verdict) -> str:
    """How meta-I2r is related to efficiency by definition."""
    v = verdict.values
    parts = [f"minus {_span(v['additive'], 3)} with additive noise"] if v["additive"] else []
    parts += [f"minus {_span(v['others'], 3)} in the other families"] if v["others"] else []
    return (
        "Efficiency was defined as information over what strength contains; meta-I2r is the same information "
        "over the entropy of correctness. Times entropy, over what strength contains, it is the efficiency "
        f"{listed(parts)}, which eight ratings lose. So where strength and accuracy are held fixed, as in a "
        "row of answerers here, it recovers the amount by definition. Between strengths and accuracies it "
        f"is no efficiency: where noise takes nothing away it runs from {_span(v['lossless'])}."
    )


def noise_sentence(verdict: Verdict) -> str:
    """What one measure recovers under additive noise."""
    v = verdict.values
    (first, last), (most, least), (rho, lower, upper) = v["mean"], v["efficiency"], v["rank"]
    ends = (
        f"{ASKED[v['measure']]} goes from {first:.3f} to {last:.3f} while true efficiency goes from "
        f"{most:.2f} to {least:.2f} (rank correlation with the truth {rho:.2f} [{lower:.2f}, {upper:.2f}])"
    )
    if v["amount"]:
        return f"{ends}: it recovers the order and the amount."
    if verdict.passed:
        return (
            f"{ends}: it recovers the order, not the amount (the last answerer's is {v['ratio']:.2f} of the "
            f"first's where the truth is {least / most:.2f})."
        )
    return f"{ends}: it does not recover the order."


def shape_sentence(verdict: Verdict) -> str:
    """Which measures distinguish answerers of equal efficiency."""
    v = verdict.values
    moved, still = (
        listed(f"{ASKED[m]} from {low:.3f} to {high:.3f}" for m, (low, high) in v[name].items())
        for name in ("moved", "still")
    )
    sentence = (
        f"All {v['n']} answerers are fully efficient; only the shape of their confidence differs. Tells them "
        f"apart: {moved}. Does not: {still}."
    )
    if "auroc2" in v["still"]:
        sentence += (
            " That AUROC2 keeps its level is no merit: the design holds d_a, of which the area is a "
            f"function, at {_span(v['d_a'])}."
        )
    return sentence


def same_table_sentence(verdict: Verdict) -> str:
    """Which measures see an efficiency that leaves the table as it is."""
    first, last = verdict.values["efficiency"]
    sentence = (
        f"True efficiency runs from {first:.2f} to {last:.2f} behind the same expected table. Measures that "
        f"see it: {listed(ASKED[m] for m in verdict.values['seen'])}."
    )
    if verdict.passed:
        sentence += (
            " No statistic of the table can: each shows what confidence reveals about correctness, not how "
            "much of the model's hidden knowledge reaches it."
        )
    return sentence


def described(result: Any) -> str:
    """The families and what each does, as a numbered list in Markdown."""
    return "\n".join(f"{i}. **{TITLES[f]}.** {does}" for i, (f, does) in enumerate(FAMILIES.items(), 1))


def of_verdict(name: str, sentence: Callable[[Verdict], str]) -> Callable[[Any], str]:
    """A verdict's sentence, for other pages."""
    return lambda result: sentence(next(v for v in result.verdicts if v.name == name))


def reach(cells: pd.DataFrame) -> pd.DataFrame:
    """The range of M-ratio of each variant, the lowest efficiency, and what is unreachable."""
    rows: list[Mapping[str, object]] = []
    for name, part in cells.groupby("variant", sort=False):
        whole = part.loc[part["wanted"] == 1, "m_ratio"]
        row = {
            "variant": name,
            "whole_lower": whole.min(),
            "whole_upper": whole.max(),
            "all_lower": part["m_ratio"].min(),
            "all_upper": part["m_ratio"].max(),
            "lowest": part["efficiency"].min(),
            "missing": _missing(part),
        }
        rows.append(row)
    return pd.DataFrame(rows)


def _missing(part: pd.DataFrame) -> str:
    absent = part[part["efficiency"].isna()]
    parts = []
    for accuracy, rows in absent.groupby("accuracy", sort=False):
        short = rows["left"].dropna()
        below = f"below {short.min():.2f}" if len(short) else "all"
        parts.append(f"{100 * float(str(accuracy)):.0f} % right: {below}")
    if len(part) > len(absent) and part["m_ratio"].isna().all():
        parts.append("M-ratio (one rating on each side of the middle cut, or none)")
    return "; ".join(parts)


def counted(outcomes: pd.DataFrame) -> pd.DataFrame:
    """One row per variant: at how many accuracies each measure recovers ``order / amount``."""
    rows = []
    for name, part in outcomes.groupby("variant", sort=False):
        row: dict[str, object] = {"variant": name, "rows": part["accuracy"].nunique()}
        for measure, one in part.groupby("measure", sort=False):
            none = (one["outcome"] == NO_VALUE).all()
            row[str(measure)] = "-" if none else f"{int(one['order'].sum())} / {int(one['amount'].sum())}"
        rows.append(row)
    return pd.DataFrame(rows)


def titled(same: pd.DataFrame) -> pd.DataFrame:
    """The families of each M-ratio under their titles."""
    titles = same["families"].map(lambda keys: ", ".join(TITLES[k].lower() for k in keys.split(", ") if k))
    return same.assign(families=titles)


VIEWS = Views(
    "correction_recovery",
    tables={
        "reach": Schema(
            "cells",
            columns_of(
                text("variant", "Family"),
                limits("whole_lower", "whole_upper", "M-ratio, nothing lost", 2),
                limits("all_lower", "all_upper", "M-ratio, all", 2),
                number("lowest", "Least efficient", 2),
                text("missing", "Not available", optional=True),
            ),
            "M-ratio of expected tables over five accuracies (10 to 80 % right).",
            reach,
        ),
        "same": Schema(
            "same",
            columns_of(
                number("m_ratio", "M-ratio", 1),
                count("n_families", "Families that give it"),
                text("families", "Which"),
                limits("lowest", "highest", "True efficiency", 2),
            ),
            "The same M-ratio, and where it comes from.",
            titled,
        ),
        "counted": Schema(
            "outcomes",
            columns_of(
                text("variant", "Family"),
                count("rows", "Accuracies"),
                tuple(text(m, name) for m, name in ASKED.items()),
            ),
            "At how many accuracies each measure recovers the order / the amount of true efficiency.",
            counted,
        ),
    },
    figures={
        "families": figures.families,
        "outcomes": figures.outcomes,
        "shapes": figures.shapes,
        "limits": figures.recovered,
    },
    sentences={
        "answer": answer,
        "pinned": pinned,
        "described": described,
        "reading": of_verdict("reading", reading_sentence),
        "claimed": of_verdict("claim", claim_sentence),
    },
    verdicts={
        "level": level_sentence,
        "lossless": lossless_sentence,
        "direction": direction_sentence,
        "falling": falling_sentence,
        "reading": reading_sentence,
        "claim": claim_sentence,
        "outcomes": outcomes_sentence,
        "definition": definition_sentence,
        "noise": noise_sentence,
        "shape": shape_sentence,
        "same table": same_table_sentence,
    },
    claims={
        "outcomes": "",
        "noise": "",
        "same table": "",
        "shape": "answerers who differ in shape alone are told apart",
    },
)
