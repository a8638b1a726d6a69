"""Rows of study 2 in the ledger: tables S1 and S2, and every verdict and size of the text.

Table S1 holds posterior estimates. Sampling takes too long to be done for every ledger, so their rows are
filled from the stored result of the study's analysis ``posterior``; where there is none they wait for it.
Both sides were sampled, so their Monte-Carlo errors add in squares: ours from our draws, the paper's from
chains like its own (:mod:`.chains`).
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Kind, Role, Settings, Status, StudyLedger, entries_of
from metacog.ledger.judging import agreement, agrees, judged_rows
from metacog.sdt.intervals import Z95
from metacog.sdt.type1 import type1
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import (
    cell_name,
    model_contrasts,
    risk_cells,
    risk_contrasts,
    with_published,
)
from metacog.studies.study2_two_choice.ledger import claims, inherited
from metacog.studies.study2_two_choice.ledger.chains import FIGURE, error, printed_figures
from metacog.studies.study2_two_choice.ledger.text import (
    FROM_POSTERIOR,
    FROM_S1,
    STUDY,
    TEXT,
    WIDTH,
    text_rows,
)
from metacog.studies.study2_two_choice.paper import FROM_COUNTS

S1, S2 = "study 2, table S1: posteriors", "study 2, table S2: criterion"
#: What the Bayesian estimates wait for.
NEEDS_BAYES = "the posterior of the published counts, half a minute to some minutes: run `metacog book`"
FROM_S2 = Role(
    Status.REPEAT,
    "verdicts on c over risk",
    "follows from the criteria and half-widths of table S2",
)
HALF = "half-width of 95 %"
#: Names of what table S1 prints, and its columns with what our columns of them end in.
QUANTITIES = {"d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio"}
ENDS = {"estimate": "", "lower": ", lower end", "upper": ", upper end"}
COLUMNS = {"estimate": "", "lower": "_lower", "upper": "_upper"}
#: Standard deviations to either side of a 95 % interval.

#: The analysis that samples, and its result among :attr:`.Settings.results`.
POSTERIOR = "posterior"
STORED = f"study2_two_choice.{POSTERIOR}"


def entries(settings: Settings) -> pd.DataFrame:
    stored = settings.results.get(STORED)
    text = text_claims(stored)
    rows = [table_s1(stored), table_s2(with_published(risk_cells())), verdicts(text), sizes(text)]
    waiting = text_rows(None if stored is None else stored.cells, NEEDS_BAYES)
    return pd.concat([entries_of(pd.concat(rows), STUDY), waiting])


def posterior_values(stored: Any) -> pd.DataFrame:
    """Posterior means and 95 % ends of the nine cells from a stored result, by figure; none without one."""
    parts = []
    for measure, (column, end) in product(QUANTITIES, COLUMNS.items()) if stored is not None else ():
        cells = stored.cells
        sd = (cells[f"{measure}_upper"] - cells[f"{measure}_lower"]) / (2 * Z95)
        own = cells[["task", "model"]].assign(measure=measure, column=column, sd=sd)
        parts.append(own.assign(value=cells[f"{measure}{end}"], own_error=cells[f"{measure}{end}_error"]))
    if not parts:
        return pd.DataFrame(columns=[*FIGURE, "value", "error", "note"]).set_index(FIGURE)
    found = pd.concat(parts).set_index(FIGURE).join(printed_figures(), validate="1:1")
    assert found["mean"].notna().all(), "a figure has no simulated chains"
    theirs = error(found["mean"], found["spread"], found["value"], found["sd"])
    notes = []
    for (task, model, measure, column), mean in found["mean"].items():
        inherits = inherited.of_cell((task, model), measure, column)
        notes.append(
            f"chains like the paper's give {mean:.4f} on average{'; ' if inherits else ''}{inherits}"
        )
    return found[["value"]].assign(error=np.hypot(found["own_error"], theirs), note=notes)


def table_s1(stored: Any) -> pd.DataFrame:
    """Table S1, figure by figure, next to the posterior."""
    printed = paper.as_text("tableS1").set_index(FIGURE[:3])[list(ENDS)]
    texts: Any = printed.rename_axis(columns="column").stack()
    rows = texts.to_frame("published").join(posterior_values(stored), validate="1:1").reset_index()
    return rows[["published", "value", "error", "note"]].assign(
        table=S1,
        item=[cell_name(row) for row in rows_of(rows)],
        quantity=rows["measure"].map(QUANTITIES) + rows["column"].map(ENDS),
        precision=rows["column"].map(lambda column: paper.precision("tableS1", column)),
        source=FROM_POSTERIOR,
        kind=Kind.ESTIMATED,
        resampled=True,
        needs=NEEDS_BAYES,
    )


def judged_s1(stored: Any) -> pd.DataFrame:
    """What the ledger says of each figure of table S1: ``task, model, measure, column, status``.

    ``stored`` has ``cells`` and ``ratios``, as the analysis ``posterior`` returns them.
    """
    own = judged_rows(entries(Settings(results={STORED: stored}))).loc[S1]
    printed = paper.as_text("tableS1")[FIGURE[:3]]
    figures = printed.merge(pd.Series(list(ENDS), name="column"), how="cross")
    return figures.assign(status=own["status"].to_numpy())


def table_s2(both: pd.DataFrame) -> pd.DataFrame:
    """Table S2, figure by figure, next to cells as :func:`.cells.with_published` gives them."""
    c_digit, half_digit = (paper.precision("tableS2", name) for name in ("c", "half_width_95"))
    printed = paper.as_text("tableS2").rename(columns={"c": "c_text"})
    found = []
    for row in rows_of(printed.merge(both, on=["task", "model", "risk"], validate="1:1")):
        cut_off = np.isclose(np.trunc(row.c * 1e4) / 1e4, row.c_printed, atol=1e-9)
        cut = "printed is ours cut off after 4 digits" if cut_off else ""
        needed = row.n * (row.c_half / row.half_printed) ** 2
        slip = f"the printed width would need {needed:,.0f} trials in place of {row.n:,}"
        for quantity, text, value, digit, note in (
            ("c", row.c_text, row.c, c_digit, cut),
            (HALF, row.half_width_95, row.c_half, half_digit, slip),
        ):
            said = "" if agrees(text, value, digit) else note
            found.append((cell_name(row), quantity, text, value, digit, said))
    names = ["item", "quantity", "published", "value", "precision", "note"]
    return pd.DataFrame(found, columns=names).assign(table=S2, source=FROM_COUNTS, kind=Kind.ESTIMATED)


def judged_s2(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells next to table S2, and whether the ledger says that they come out: ``c_reproduced, half_reproduced``."""
    both = with_published(cells)
    agreed = agreement(entries_of(table_s2(both), STUDY))[S2].unstack("quantity")
    agreed = agreed.loc[[cell_name(row) for row in rows_of(both)]]
    return both.assign(c_reproduced=agreed["c"].to_numpy(), half_reproduced=agreed[HALF].to_numpy())


def text_claims(stored: Any) -> pd.DataFrame:
    """Every pair that the text judges, next to what the counts, a posterior and table S1 as printed say of it.

    ``error`` is the Monte-Carlo error of a difference of M-ratios, ours and the paper's together. What has not been
    recomputed is missing.
    """
    recomputed = [risk_contrasts(risk_cells()), model_contrasts(_rating_cells())]
    recomputed += [] if stored is None else [stored.ratios]
    ours = pd.concat([claims.with_claims(frame) for frame in recomputed], ignore_index=True)
    both = claims.printed_claims().merge(ours, how="left", on=claims.CLAIM, validate="1:1")
    both = both.merge(
        inherited.by_print(), how="left", on=claims.CLAIM, suffixes=("", "_print"), validate="1:1"
    )
    errors = posterior_values(stored)["error"]
    sides = [
        [errors.get((*cell, "m_ratio", "estimate"), 0.0) for cell in inherited.cells_of(row)]
        for row in rows_of(both)
    ]
    drawn = both["measure"] == "m_ratio"
    return both.assign(
        table=TEXT,
        item=[claims.pair_name(row) for row in rows_of(both)],
        error=np.hypot(*np.array(sides).T),
        source=np.where(drawn, FROM_POSTERIOR, FROM_COUNTS),
        needs=NEEDS_BAYES,
    )


def verdicts(text: pd.DataFrame) -> pd.DataFrame:
    """Whether each printed verdict holds: over risk by the wide intervals, and with a role if only by one width."""
    risk = text["kind"] == "risk"
    agreed = text["agrees_wide"].where(risk, text["agrees"])
    hangs = risk & (text["agrees"] != text["agrees_wide"]) & text["agrees"].notna()
    one, other = text["decision"], text["decision_wide"]
    note = ("recomputed " + one).where(one == other, "recomputed " + one + " (95 %) and " + other + " (wide)")
    inherits = agreed.eq(False) & text["agrees_print"].eq(True) & ~hangs
    of_criterion = text["measure"] == "c"
    role: Any = [WIDTH if a else FROM_S2 if b else None for a, b in zip(hangs, of_criterion, strict=True)]
    return text[["table", "item", "source", "needs"]].assign(
        quantity=text["printed"],
        published="True",
        value=agreed.astype(float),
        note=note.where(~inherits, note + "; " + text["origin"]),
        rival=text["agrees"].astype(float).where(hangs),
        without="with intervals of 95 %",
        kind=Kind.ESTIMATED,
        in_words=True,
        role=role,
    )


def sizes(text: pd.DataFrame) -> pd.DataFrame:
    """Printed sizes: relative differences of d' over the second named, and differences of M-ratio."""
    text = text[text["value"] != ""]
    percent = text["value"].str.endswith("%")
    printed = text["value"].str.rstrip("%")
    ours, by_print = (text[f"relative{end}"].where(percent, text[f"plain{end}"]) for end in ("", "_print"))
    off, there = (
        np.array([bool(agrees(size, x)) for size, x in zip(printed, found, strict=True)])
        for found in (ours, by_print)
    )
    return text[["table", "item", "source", "needs"]].assign(
        quantity=np.where(percent, "difference in % of the second", "difference of M-ratio"),
        published=printed,
        value=ours,
        note=text["origin"].where(percent & ~off & there, ""),
        rival=text["relative_first"].where(percent),
        without="over the first named",
        error=text["error"].where(~percent, 0.0),
        kind=Kind.ESTIMATED,
        resampled=~percent,
    )


def _rating_cells() -> pd.DataFrame:
    """d' of the nine cells with confidence, as :func:`.cells.model_contrasts` wants them."""
    rows = []
    for cell in paper.rating_cells():
        r = type1(cell.nR_S1, cell.nR_S2)
        rows.append((cell.task, cell.model, r.d_prime, r.half_width("d_prime", z=1.0)))
    return pd.DataFrame(rows, columns=["task", "model", "d_prime", "d_prime_se"])


LEDGER = StudyLedger(STUDY, entries, roles=(FROM_S2, WIDTH, FROM_S1), results=(POSTERIOR,))
