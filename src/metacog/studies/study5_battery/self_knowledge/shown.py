"""Is what the probes say knowledge of oneself? Tables, figures and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from metacog.core.words import listed, plural
from metacog.report import self_knowledge_figures as figures
from metacog.report.drawing import Drawing
from metacog.report.self_knowledge_verdicts import SelfKnowledge
from metacog.report.self_knowledge_words import (
    READING,
    TABLES,
    against,
    cuts,
    diagonal,
    headline,
    levels,
    like_these,
)
from metacog.report.tables import Schema, columns_of, number
from metacog.report.views import Views
from metacog.studies.study5_battery.self_knowledge.analysis import (
    ONE_SIDED,
    ProbesSelfKnowledge,
    medians,
    one_sided,
)
from metacog.studies.study5_battery.showing.columns import MODEL

#: Probes by the field of the record, and what high confidence is.
PROBES = {"keep": "KEEP", "bet": "BET"}
#: Sentences of one probe, by name.
OF_PROBE = {
    "headline": headline,
    "against": against,
    "levels": levels,
    "cuts": cuts,
    "diagonal": diagonal,
}


def _of(probe: str, make: Callable[[SelfKnowledge], Any]) -> Callable[[ProbesSelfKnowledge], Any]:
    return lambda result: make(getattr(result, probe))


def _schema(probe: str, name: str) -> Schema:
    one = TABLES[name]
    return replace(
        one, of=_of(probe, lambda found: one.data(found)), caption=f"{PROBES[probe]}. {one.caption}"
    )


def _coarse(probe: str) -> Callable[[ProbesSelfKnowledge], pd.DataFrame]:
    return lambda result: result.coarse[result.coarse["probe"] == probe]


def _drawing(probe: str) -> Drawing:
    one = figures.remains
    return replace(
        one,
        draw=_of(probe, one.draw),
        more=_of(probe, figures.cut_or_left_out),
        name=f"fig-study5-{probe}-remains",
        caption=f"With {PROBES[probe]} as confidence. {one.caption}",
    )


def coarse(probe: str) -> Callable[[ProbesSelfKnowledge], str]:
    """What a yes or no can say at most, and what it cannot."""

    def sentence(result: ProbesSelfKnowledge) -> str:
        m, title = medians(result.coarse, probe), PROBES[probe]
        known = getattr(result, probe).models["information"].median()
        few = one_sided(result.coarse, probe)
        n = int((result.coarse["probe"] == probe).sum())
        text = (
            f"{title} leaves {m['tied']:.0%} of a model's pairs of a right and a wrong answer without an order. It is "
            f"said of {m['said']:.0%} of the answers; two values said as often allow an AUROC2 of {m['ceiling']:.2f} "
            f"at most, whatever a model knows. Such a reply carries at most {m['entropy']:.2f} bits, of which "
            f"{known:.3f} are about being right. Each number here is a median over {plural(n, 'model')}, taken "
            "separately."
        )
        if few:
            text += (
                f" {plural(len(few), 'model gives', 'models give')} one reply to at least {ONE_SIDED:.0%} of the items "
                f"({listed(few)}): next to nothing can be seen of what such a model knows."
            )
        return text

    return sentence


def left_out(result: ProbesSelfKnowledge) -> str:
    """What the comparison rests on."""
    keep = result.keep
    return (
        f"{keep.n_items} items of T1 to T5 and {keep.n_models} models of {keep.n_families} families (the first word of "
        f"a model's name); {plural(result.n_copied, 'file')} of a model and track are left out, since two models have "
        f"the same."
    )


def could_be_seen(result: ProbesSelfKnowledge) -> str:
    """What would be found of models whose self-knowledge is known."""
    return like_these(result.keep, result.simulated)


def reading(result: ProbesSelfKnowledge) -> str:
    """What the words mean."""
    return READING


VIEWS = (
    Views(
        "probes_self_knowledge",
        tables={
            **{
                f"{probe}_{name}": _schema(probe, name)
                for probe in PROBES
                for name in ("models", "remains", "ways")
            },
            **{
                f"{probe}_coarse": Schema(
                    _coarse(probe),
                    columns_of(
                        MODEL,
                        number("said", f"{title}, share", 2),
                        number("tied", "Pairs without an order", 2),
                        number("ceiling", "AUROC2 at most"),
                        number("entropy", "Bits at most"),
                    ),
                    f"What {title} can say at most, by how often each model says it.",
                )
                for probe, title in PROBES.items()
            },
        },
        figures={f"{probe}_remains": _drawing(probe) for probe in PROBES},
        sentences={
            "reading": reading,
            "left_out": left_out,
            "could_be_seen": could_be_seen,
            **{f"{probe}_{name}": _of(probe, make) for probe in PROBES for name, make in OF_PROBE.items()},
            **{f"{probe}_coarse": coarse(probe) for probe in PROBES},
        },
    ),
)
