"""Claims of the text and hypotheses of study 4 as its pages tell them: one row a claim, its ends together."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from metacog.ledger.entry import Status, entries_of
from metacog.ledger.judging import tabulate
from metacog.ledger.page import printed_text, reproduced_text, title, worded
from metacog.studies.study4_probe.ledger.external import hypotheses
from metacog.studies.study4_probe.ledger.roles import STUDY
from metacog.studies.study4_probe.ledger.text import text_rows
from metacog.studies.study4_probe.paper import in_words

#: Ends of what stands in several rows of the ledger, after the quantity.
ENDS = r", (value|lo|hi|ci_lo|ci_hi)$"
#: Where table 9 stands.
TABLE_9 = "D.1"
#: What became of a claim: the first status that one of its rows has.
OUTCOMES = {
    Status.DIFFERS: "does not follow",
    Status.MATCH: "follows",
    Status.BOUNDED: "not ruled out",
    Status.INPUT: "taken as printed",
    Status.NEEDS: "waits for data",
}
#: How a claim in words comes out.
WORDS = {"True": "holds", "False": "does not hold"}
#: One of its figures follows, another waits.
AS_FAR = "follows as far as can be told"


#: Sections of the text that speak of people, and claims there that speak of models begin so.
PEOPLE = ("D.1", "3.4", "4.4", "5.5", "8", "A.1", "A.2")
OF_MODELS = "Cronbach alpha"


def claims() -> pd.DataFrame:
    """``section, people, claim, printed, recomputed, outcome``: what the ledger has of the text and of table 9.

    Figures that are printed in two places stand once.
    """
    rows = tabulate(pd.concat([entries_of(hypotheses(), STUDY), text_rows()], ignore_index=True))
    rows = worded(rows[rows["status"] != Status.REPEAT]).assign(quantity=rows["quantity"])
    parts = rows["item"].str.partition(": ")
    named = parts[1] != ""
    rows["section"] = parts[0].where(named, TABLE_9)
    rows["claim"] = parts[2].where(named, parts[0])
    rows["of"] = rows["quantity"].str.replace(ENDS, "", regex=True)
    found = []
    for (section, claim, of), own in rows.groupby(["section", "claim", "of"], sort=False):
        low, high = ([reproduced_text(v, "0.000") for v in own[end]] for end in ("low", "high"))
        again = [
            reproduced_text(v, text) for v, text in zip(own["reproduced"], own["published"], strict=True)
        ]
        again = [value or (f"{a} to {b}" if a else "") for value, a, b in zip(again, low, high, strict=True)]
        found.append(
            {
                "section": section,
                "people": section in PEOPLE and not str(claim).startswith(OF_MODELS),
                "claim": in_words(f"{claim}: {title(str(of))}" if of != "claim" else str(claim)),
                "printed": "claimed"
                if own["published"].iloc[0] in WORDS
                else together(map(printed_text, own["published"])),
                "recomputed": together(WORDS.get(text, text) for text in again),
                "outcome": _outcome(set(own["status"])),
            }
        )
    return pd.DataFrame(found)


def _outcome(known: set[str]) -> str:
    found = next(words for status, words in OUTCOMES.items() if status in known)
    return AS_FAR if found == OUTCOMES[Status.MATCH] and Status.NEEDS in known else found


def together(found: Iterable[str]) -> str:
    """A figure, two ends, or a figure with its ends; nothing where none is known."""
    texts = [text or "?" for text in found]
    if set(texts) == {"?"}:
        return ""
    ends = f"{texts[-2]} to {texts[-1]}" if len(texts) > 1 else ""
    return texts[0] if not ends else ends if len(texts) == 2 else f"{texts[0]} ({ends})"
