"""Rows of study 2 in the ledger: tables S1 and S2, and every verdict and size of the text.

Table S1 holds posterior estimates. Sampling takes too long to be done for every ledger, so their rows are
filled from the stored result of the study's analysis ``posterior``; where there is none they wait for it.
Both sides were sampled, so their Monte-Carlo errors add in squares: ours from our draws, the paper's from
chains like its own (:mod:`.chains`).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Kind, Role, Settings, Status, StudyLedger, entries_of
from metacog.ledger.judging import agreement, agrees, judged_rows
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
from metacog.studies.study2_two_choice.ledger.chains import COLUMNS, both_errors, printed_figures
from metacog.studies.study2_two_choice.ledger.text import FROM_S1, STUDY, TEXT, WIDTH, text_rows
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
#: Names of what table S1 prints, and its columns.
QUANTITIES = {"d_prime": "d'", "meta_d": "meta-d'", "m_ratio": "M-ratio"}
ENDS = {"estimate": "", "lower": ", lower end", "upper": ", upper end"}
#: A figure of table S1.
FIGURE = ["task", "model", "measure", "column"]

#: The analysis that samples, and its result among :attr:`.Settings.results`.
POSTERIOR = "posterior"
STORED = f"study2_two_choice.{POSTERIOR}"
FROM_POSTERIOR = "posterior of the published counts"


def entries(settings: Settings) -> pd.DataFrame:
    """Every row of study 2."""
    stored = settings.results.get(STORED)
    text = text_claims(stored)
    rows = [table_s1(stored), table_s2(with_published(risk_cells())), verdicts(text), sizes(text)]
    return pd.concat([entries_of(pd.concat(rows), STUDY), text_rows()])


def posterior_values(stored: Any) -> pd.DataFrame:
    """Posterior means and 95 % ends of the nine cells from a stored result, by figure; none without one."""
    theirs, found = printed_figures(), []
    for cell in [] if stored is None else stored.cells.to_dict("records"):
        for measure in QUANTITIES:
            for column, end in COLUMNS.items():
                key = (cell["task"], cell["model"], measure, column)
                note = f"chains like the paper's give {theirs[key].mean:.4f} on average"
                inherits = inherited.of_cell(key[:2], measure, column)
                note += f"; {inherits}" if inherits else ""
                found.append((*key, cell[f"{measure}{end}"], both_errors(cell, measure, column), note))
    return pd.DataFrame(found, columns=[*FIGURE, "value", "error", "note"]).set_index(FIGURE)


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
    """What the ledger says of each figure of table S1: ``task, model, measure, column, status, tolerance``.

    ``stored`` has ``cells`` and ``ratios``, as the analysis ``posterior`` returns them.
    """
    own = judged_rows(entries(Settings(results={STORED: stored}))).loc[S1]
    keys = [
        (row.task, row.model, row.measure, column)
        for row in rows_of(paper.as_text("tableS1"))
        for column in ENDS
    ]
    return pd.DataFrame(keys, columns=FIGURE).assign(
        status=own["status"].to_numpy(), tolerance=own["tolerance"].to_numpy()
    )


def table_s2(both: pd.DataFrame) -> pd.DataFrame:
    """Table S2, figure by figure, next to cells as :func:`.cells.with_published` gives them."""
    digit = {name: paper.precision("tableS2", name) for name in ("c", "half_width_95")}
    rows = paper.as_text("tableS2").merge(
        both, on=["task", "model", "risk"], suffixes=("_text", ""), validate="1:1"
    )
    found = []
    for row in rows_of(rows):
        cut = _cut_off(row) and not agrees(row.c_text, row.c, digit["c"])
        needed = row.n * (row.c_half / row.half_printed) ** 2
        narrow = not agrees(row.half_width_95, row.c_half, digit["half_width_95"])
        slip = f"the printed width would need {needed:,.0f} trials in place of {row.n:,}"
        item = cell_name(row)
        found += [
            (
                item,
                "c",
                row.c_text,
                row.c,
                digit["c"],
                "printed is ours cut off after 4 digits" if cut else "",
            ),
            (item, HALF, row.half_width_95, row.c_half, digit["half_width_95"], slip if narrow else ""),
        ]
    names = ["item", "quantity", "published", "value", "precision", "note"]
    return pd.DataFrame(found, columns=names).assign(table=S2, source=FROM_COUNTS, kind=Kind.ESTIMATED)


def judged_s2(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells next to table S2, and what the ledger says of that.

    Returns
    -------
    DataFrame
        :func:`with_published`, with ``c_reproduced`` and ``half_reproduced``; ``c_cut``: whether the printed
        c is ours cut off after its last digit; ``half_twins``: cells with the half-width printed in the row.
    """
    both = with_published(cells)
    agreed = agreement(entries_of(table_s2(both), STUDY))[S2].unstack("quantity")
    agreed = agreed.loc[[cell_name(row) for row in rows_of(both)]]
    digit = paper.precision("tableS2", "half_width_95")
    return both.assign(
        c_reproduced=agreed["c"].to_numpy(),
        half_reproduced=agreed[HALF].to_numpy(),
        c_cut=[_cut_off(row) for row in rows_of(both)],
        half_twins=[int(agrees(str(x), both["c_half"], digit).sum()) for x in both["half_printed"]],
    )


def _cut_off(row: Any) -> bool:
    """Whether the printed criterion is ours without its further digits."""
    return bool(np.isclose(np.trunc(row.c * 1e4) / 1e4, row.c_printed, atol=1e-9))


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
