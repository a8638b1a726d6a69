"""The claims of the paper's text: what each asks of the responses, and what they answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.words import listed, plural
from metacog.ledger.entry import Kind, Rival
from metacog.studies.study5_battery.ledger import published
from metacog.studies.study5_battery.ledger.published import RETROSPECTIVE
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas, table_of
from metacog.studies.study5_battery.measures.integrity import identical
from metacog.studies.study5_battery.measures.paths import path_rates
from metacog.studies.study5_battery.measures.profiles import PRINTED
from metacog.studies.study5_battery.measures.scores import track_scores
from metacog.studies.study5_battery.monitoring.profiles import by_track, grid
from metacog.studies.study5_battery.monitoring.ranks import inversion
from metacog.studies.study5_battery.regulation.contrasts import (
    CLAIMED_ON,
    FAMILIES,
    Family,
    course_of,
    scaling,
    twins_of,
)
from metacog.studies.study5_battery.regulation.reliability import dissociation

#: What a comparison with another approach would take.
INDEPENDENT = (
    "type-2 measures of the same models from other trials; the paper's section on them is not at hand, and "
    "AUROC2 of these responses rests on the answers that the deltas rest on"
)


@dataclass(frozen=True)
class Claim:
    """One claim, or one end of one.

    Attributes
    ----------
    item : str
        The claim as the file words it.
    quantity : str
    published : str
        Figure, or ``True`` for a claim in words.
    value : float
    note : str
    relation : str
    in_words : bool
    rival : Rival or None
        What would come out without the step that the claim is about.
    needs : str
        What data it waits for, where nothing here can answer it.
    kind : Kind
        What is done with the responses to answer it.
    """

    item: str
    quantity: str
    published: str
    value: float
    note: str = ""
    relation: str = "="
    in_words: bool = False
    rival: Rival | None = None
    needs: str = ""
    kind: Kind = Kind.RECOUNTED


def claims(responses: pd.DataFrame) -> list[Claim]:
    """Every claim of ``battery_text_claims.csv`` with what the responses say of it.

    Raises
    ------
    MetacogError
        If the file holds a claim that nothing here answers.
    """
    answers = {**_abstract(responses), **_thresholds(responses), **_scores(responses), **_blanket(responses)}
    found = []
    for row in published.as_text("text_claims").to_dict("records"):
        claim = str(row["claim"])
        begins = next((start for start in answers if claim.startswith(start)), None)
        if begins is None:
            raise MetacogError(f"battery_text_claims.csv: nothing answers {claim!r}")
        printed = str(row["value"]) or "True"
        for one in answers[begins]:
            text = {"lo": str(row["lo"]), "hi": str(row["hi"])}.get(one.published, printed)
            found.append(
                replace(one, item=claim, quantity=one.quantity or str(row["quantity"]), published=text)
            )
    return found


def _said(holds: bool, note: str, **more: Any) -> list[Claim]:
    return [Claim("", "claim in words", "", float(holds), note, in_words=True, **more)]


def _figure(value: float, note: str = "", quantity: str = "", **more: Any) -> list[Claim]:
    return [Claim("", quantity, "", value, note, **more)]


def _between(low: float, high: float, note: str, **more: Any) -> list[Claim]:
    """Both printed ends, which the file keeps in ``lo`` and ``hi``."""
    ends = (("lowest", "lo", low), ("highest", "hi", high))
    return [Claim("", quantity, end, value, note, **more) for quantity, end, value in ends]


def _abstract(responses: pd.DataFrame) -> dict[str, list[Claim]]:
    means = mean_deltas(deltas(responses))
    every, whole = inversion(means)
    r = dissociation(responses).pearson
    found = {
        "accuracy rank and metacognitive sensitivity rank are largely inverted": _said(
            every.r <= -0.5,
            f"taken as a rank correlation of -0.5 or below: it is {every.r:.2f} (95 % {every.lower:.2f} to "
            f"{every.upper:.2f}), and {whole.r:.2f} over the {whole.n} models with a delta on all five "
            f"tracks",
            kind=Kind.ESTIMATED,
        ),
        "retrospective monitoring and prospective regulation": _figure(
            r.r,
            f"95 % {r.lower:.2f} to {r.upper:.2f}: neither unrelated nor related is shown",
            kind=Kind.ESTIMATED,
        ),
    }
    scores = track_scores(responses).set_index("model").drop(columns="mean")
    spread = (scores.max() - scores.min()).sort_values(ascending=False)
    found |= {
        "T6 has the widest spread of scores": _said(
            str(spread.index[0]) == "T6",
            "; ".join(f"{track} {value:.3f}" for track, value in spread.items()),
        ),
        "behavioural findings converge with an independent type-2 SDT approach": [
            Claim("", "claim in words", "", np.nan, in_words=True, needs=INDEPENDENT)
        ],
    }
    return found | _scaling(responses)


def _scaling(responses: pd.DataFrame) -> dict[str, list[Claim]]:
    """The three courses over size, on the track that the abstract names."""
    table, pairs = scaling(responses), identical(responses)
    copied = pairs[pairs["copied"]]
    words = {
        "Qwen": "falls with scale in Qwen",
        "GPT-5.4": "rises with scale in GPT-5.4",
        "Gemma": "is flat over scale in Gemma",
    }
    found = {}
    for family in FAMILIES:
        own = table[table["family"] == family.name]
        rows = own[own["measure"] == CLAIMED_ON]
        two, mean = rows.iloc[0], own[own["measure"] == "mean"].iloc[0]
        values = [float(v) for v in rows["delta"]]
        note = (
            f"{', '.join(f'{v:.1f}' for v in values)} from the smallest; largest "
            f"less smallest {two['change']:+.1f} (95 % {two['change_lower']:.1f} to "
            f"{two['change_upper']:.1f}); the mean over T1 to T5: {mean['course']}, {mean['change']:+.1f}"
        )
        shared = twins_of(family, copied)
        one = _said(bool(two["course"] == family.claim), note)
        if shared:
            left = course_of(_left(family, values, copied)) == family.claim
            rival = Rival(float(left), f"{shared}: with one of these two sizes left out,")
            one = [replace(one[0], rival=rival)]
        found[f"on {CLAIMED_ON} withdraw delta {words[family.name]}"] = one
    return found


def _left(family: Family, values: list[float], copied: pd.DataFrame) -> list[float]:
    """Deltas of the sizes but the first of those that share a file on the track of the claim."""
    own = copied[(copied["track"] == CLAIMED_ON) & copied["first"].isin(family.models)]
    out = set(own["first"])
    return [v for model, v in zip(family.models, values, strict=True) if model not in out]


def _thresholds(responses: pd.DataFrame) -> dict[str, list[Claim]]:
    cells = grid(mean_deltas(deltas(responses)))
    base = cells[cells["moved"] == 0].iloc[0]
    five = cells[(cells["largest"] == 5) & (cells["moved"] > 0)]
    alone = five[five["moved"] == 1]
    return {
        "thresholds 95/10/15 sit at a plateau": _figure(
            float(20 - five["changed"].max()),
            f"models that keep their profile in every shift by 5 points; {int(base['as_printed'])} have the "
            "printed profile at the printed thresholds",
            "models that no shift by 5 points moves",
            in_words=True,
        ),
        "a shift of the thresholds by 5 points changes": _between(
            float(alone["changed"].min()),
            float(alone["changed"].max()),
            f"one threshold at a time, both ways; all together at most {int(five['changed'].max())}",
            in_words=True,
        ),
    }


def overall(responses: pd.DataFrame) -> pd.Series:
    """Overall accuracy as the print seems to count it: T2 by its score, then the mean of T1 to T5."""
    accuracy = responses.groupby(["model", "track"])["correct"].mean().unstack()
    accuracy["T2"] = track_scores(responses).set_index("model")["T2"]
    return accuracy[list(RETROSPECTIVE)].mean(axis=1)


def _scores(responses: pd.DataFrame) -> dict[str, list[Claim]]:
    scores = track_scores(responses).set_index("model")
    whole = overall(responses)
    plain = mean_deltas(deltas(responses)).set_index("model")["accuracy"]
    r1 = deltas(responses)
    r1 = r1[(r1["model"] == "DeepSeek R1") & r1["track"].isin(RETROSPECTIVE)]

    def ways(model: str, rank: str) -> str:
        return (
            f"T2 by its score, mean of T1 to T5, {rank}; by accuracy throughout {plain[model]:.3f}, where "
            f"{plain.idxmin()} is lowest and {plain.idxmax()} highest"
        )

    tracks = scores.drop(columns="mean")
    r1_scores = tracks.loc["DeepSeek R1"].to_dict()
    ahead = (tracks >= tracks.max() - 1e-9).all(axis=1)
    sweeping = list(tracks.index[ahead])
    return {
        "lowest overall accuracy (Gemma 1B)": _figure(
            whole["Gemma 3 1B"], ways("Gemma 3 1B", f"lowest is {whole.idxmin()}")
        ),
        "highest overall accuracy (GLM-5)": _figure(
            whole["GLM-5"], ways("GLM-5", f"highest is {whole.idxmax()}")
        ),
        "H1 no single model": _said(not sweeping, f"led by one model: {listed(sweeping)}"),
        "spread of T6 scores": _figure(
            scores["T6"].max() - scores["T6"].min(), f"{scores['T6'].idxmax()} less {scores['T6'].idxmin()}"
        ),
        "R1 on T2": _figure(float(r1_scores["T2"])),
        "R1 on T6": _figure(float(r1_scores["T6"])),
        "R1 declines T6 items": _figure(
            table_of(path_rates(responses), "model", ["decline"])["decline"]["DeepSeek R1"]
        ),
        "R1 withdraws T1-T5 items": _between(
            100 - r1["stood"].max(), 100 - r1["stood"].min(), "over the five tracks"
        ),
    }


def _blanket(responses: pd.DataFrame) -> dict[str, list[Claim]]:
    per_track, paths = deltas(responses), path_rates(responses)
    table = by_track(per_track, paths).set_index("model")
    on_all = list(table.index[(table[[*RETROSPECTIVE, "T6"]] == "A").all(axis=1)])
    rates = per_track[per_track["track"].isin(RETROSPECTIVE)].groupby("model")["stood"].min()
    ahead = paths.set_index("model")["direct"].reindex(rates.index)
    by_rates = list(rates.index[(rates >= PRINTED.high) & (ahead >= PRINTED.high)])
    printed = [m for m, p in published.printed_profiles().items() if p == "A"]
    means = mean_deltas(per_track).set_index("model").loc[printed]
    own = per_track[per_track["model"].isin(printed) & per_track["track"].isin(RETROSPECTIVE)]
    below = own[own["stood"] < PRINTED.high]
    return {
        "models with blanket confidence on all six tracks": _figure(
            float(len(on_all)),
            f"by rule on every track: {listed(on_all)}; by the rates alone, whatever the "
            f"deltas: {listed(by_rates)}; printed: {listed(sorted(printed))}",
            in_words=True,
        ),
        "blanket confidence keeps at least": _figure(
            float(means["stood"].min()),
            f"lowest mean over T1 to T5 of the {len(printed)} printed models; {plural(len(below), 'track')} "
            f"of theirs lie below, the lowest at {own['stood'].min():.1f} %",
            "lowest mean rate of KEEP",
            relation=">=",
        ),
        "blanket confidence answers directly at least": _figure(
            float(paths.set_index("model").loc[printed, "direct"].min()), "", "lowest rate", relation=">="
        ),
    }
