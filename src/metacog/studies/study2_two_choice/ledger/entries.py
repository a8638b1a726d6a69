"""Rows of study 2 in the ledger: tables S1 and S2, and every verdict and size of the text.

Table S1 holds posterior estimates. Sampling takes too long to be done for every ledger, so their rows are
filled from the stored result of the study's analysis ``posterior``; where there is none they wait for it.
Both sides were sampled, so their Monte-Carlo errors add in squares: ours from our draws, the paper's from
chains like its own (:mod:`.chains`).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Entry, Kind, Rival, Role, Settings, Status, StudyLedger, Value
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
from metacog.studies.study2_two_choice.paper import FROM_COUNTS, MODELS

S1, S2 = "study 2, table S1: posteriors", "study 2, table S2: criterion"
#: Everything that is recomputed here is an estimate; what is not has its own module.
estimated = partial(Value, kind=Kind.ESTIMATED)
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

#: The analysis that samples, and its result among :attr:`.Settings.results`.
POSTERIOR = "posterior"
STORED = f"study2_two_choice.{POSTERIOR}"
FROM_POSTERIOR = "posterior of the published counts"

#: Recomputed figures of table S1 by (task, model, measure, column of the file).
Values = Mapping[tuple[str, str, str, str], Value]


def posterior_values(stored: Any) -> Values:
    """Posterior means and 95 % ends of the nine cells from a stored result; none without one."""
    if stored is None:
        return {}
    theirs, found = printed_figures(), {}
    for cell in stored.cells.to_dict("records"):
        for measure in QUANTITIES:
            for column, end in COLUMNS.items():
                key = (cell["task"], cell["model"], measure, column)
                error = both_errors(cell, measure, column)
                notes = [f"chains like the paper's give {theirs[key].mean:.4f} on average"]
                notes += filter(None, [inherited.of_cell((cell["task"], cell["model"]), measure, column)])
                found[key] = estimated(cell[f"{measure}{end}"], FROM_POSTERIOR, error, "; ".join(notes))
    return found


def posterior_claims(stored: Any) -> pd.DataFrame:
    """:func:`.claims.with_claims` of M-ratio's posterior draws; empty without a stored result.

    ``error`` is the Monte-Carlo error of the difference of M-ratios, ours and the paper's together.
    """
    if stored is None:
        return pd.DataFrame()
    errors = {
        (cell["task"], cell["model"]): both_errors(cell, "m_ratio", "estimate")
        for cell in stored.cells.to_dict("records")
    }
    found = claims.with_claims(stored.ratios)
    sides = [inherited.cells_of(row) for row in rows_of(found)]
    return found.assign(error=[float(np.hypot(errors.get(a, 0.0), errors.get(b, 0.0))) for a, b in sides])


def entries(settings: Settings) -> list[Entry]:
    """Every row of study 2."""
    stored = settings.results.get(STORED)
    found = _recomputed(posterior_claims(stored))
    return [
        *_table_s1(posterior_values(stored)),
        *_table_s2(with_published(risk_cells())),
        *_verdicts(found),
        *_sizes(found),
        *text_rows(),
    ]


def _recomputed(posterior: pd.DataFrame) -> dict[tuple[str, ...], Any]:
    """Rows of :func:`.claims.with_claims` by pair: d' and c from the counts, M-ratio from a posterior."""
    frames = [risk_contrasts(risk_cells()), model_contrasts(_rating_cells())]
    found = [*(claims.with_claims(frame) for frame in frames), posterior]
    fields = list(claims.Claim.__dataclass_fields__)
    return {
        claims.Claim(*(getattr(row, f) for f in fields)).key: row for frame in found for row in rows_of(frame)
    }


def _table_s1(found: Values) -> list[Entry]:
    rows = []
    for row in rows_of(paper.as_text("tableS1")):
        for column, end in ENDS.items():
            key = (row.task, row.model, row.measure, column)
            rows.append(
                Entry(
                    STUDY,
                    S1,
                    f"{MODELS[row.model]}, task {row.task}",
                    QUANTITIES[row.measure] + end,
                    getattr(row, column),
                    found.get(key),
                    precision=paper.precision("tableS1", column),
                    resampled=True,
                    needs=NEEDS_BAYES,
                )
            )
    return rows


def judged_s1(stored: Any) -> pd.DataFrame:
    """What the ledger says of each figure of table S1: ``task, model, measure, column, status``.

    Parameters
    ----------
    stored : Any
        With ``cells`` and ``ratios``, as the analysis ``posterior`` returns them.
    """
    own = judged_rows(entries(Settings(results={STORED: stored}))).loc[S1]
    keys = [
        (row.task, row.model, row.measure, column)
        for row in rows_of(paper.as_text("tableS1"))
        for column in ENDS
    ]
    return pd.DataFrame(keys, columns=["task", "model", "measure", "column"]).assign(
        status=own["status"].to_numpy(), tolerance=own["tolerance"].to_numpy()
    )


def judged_s2(cells: pd.DataFrame) -> pd.DataFrame:
    """Cells next to table S2, and what the ledger says of that.

    Returns
    -------
    DataFrame
        :func:`with_published`, with ``c_reproduced`` and ``half_reproduced``; ``c_cut``: whether the printed
        c is ours cut off after its last digit; ``half_twins``: cells with the half-width printed in the row.
    """
    both = with_published(cells)
    agreed = agreement(_table_s2(both))[S2].unstack("quantity").loc[[cell_name(r) for r in rows_of(both)]]
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


def _table_s2(cells: pd.DataFrame) -> list[Entry]:
    ours = {(r.task, r.model, r.risk): r for r in rows_of(cells)}
    half_digit = {q: paper.precision("tableS2", q) for q in ("c", "half_width_95")}
    rows = []
    for row in rows_of(paper.as_text("tableS2")):
        here = ours[row.task, row.model, row.risk]
        cut = not agrees(row.c, here.c, half_digit["c"]) and _cut_off(here)
        c = estimated(here.c, FROM_COUNTS, note="printed is ours cut off after 4 digits" if cut else "")
        needed = here.n * (here.c_half / here.half_printed) ** 2
        slip = (
            ""
            if agrees(row.half_width_95, here.c_half, half_digit["half_width_95"])
            else f"the printed width would need {needed:,.0f} trials in place of {here.n:,}"
        )
        half = estimated(here.c_half, FROM_COUNTS, note=slip)
        item = cell_name(row)
        rows += [
            Entry(STUDY, S2, item, "c", row.c, c, precision=half_digit["c"]),
            Entry(
                STUDY,
                S2,
                item,
                HALF,
                row.half_width_95,
                half,
                precision=half_digit["half_width_95"],
            ),
        ]
    return rows


def _verdicts(found: Mapping[tuple[str, ...], Any]) -> list[Entry]:
    """One row per pair: the printed verdict holds or not."""
    rows = []
    for claim in claims.printed_claims():
        row = found.get(claim.key)
        value, role = None, None
        if row is not None:
            value, role = _by_width(claim, row)
        if claim.measure == "c" and role is None:
            role = FROM_S2
        rows.append(
            Entry(
                STUDY,
                TEXT,
                claims.pair_name(claim),
                claim.printed,
                "True",
                value,
                in_words=True,
                needs=NEEDS_BAYES,
                role=role,
            )
        )
    return rows


def _by_width(claim: claims.Claim, row: Any) -> tuple[Value, Role | None]:
    """Whether a printed verdict is reproduced, over risk by the wide intervals, and its role if only by those."""
    narrow, wide = row.decision, row.decision_wide
    note = f"recomputed {narrow}" if narrow == wide else f"recomputed {narrow} (95 %) and {wide} (wide)"
    if claim.kind != "risk" or row.agrees_wide == row.agrees:
        agrees = row.agrees_wide if claim.kind == "risk" else row.agrees
        notes = filter(None, [note, inherited.of_verdict(claim, bool(agrees))])
        return estimated(float(agrees), _source(claim), note="; ".join(notes)), None
    rival = Rival(float(row.agrees), "with intervals of 95 %")
    return estimated(float(row.agrees_wide), _source(claim), note=note, rival=rival), WIDTH


def _source(claim: claims.Claim) -> str:
    return FROM_POSTERIOR if claim.measure == "m_ratio" else FROM_COUNTS


def _sizes(found: Mapping[tuple[str, ...], Any]) -> list[Entry]:
    """Printed sizes: relative differences of d' over the second named, and differences of M-ratio."""
    rows = []
    for claim in (c for c in claims.printed_claims() if c.value):
        row = found.get(claim.key)
        in_percent = claim.value.endswith("%")
        value = None
        if row is not None and in_percent:
            rival = Rival(row.relative_first, "over the first named")
            value = estimated(
                row.relative, _source(claim), rival=rival, note=inherited.of_size(claim, row.relative)
            )
        elif row is not None:
            value = estimated(row.plain, _source(claim), row.error)
        quantity = "difference in % of the second" if in_percent else "difference of M-ratio"
        printed = claim.value.rstrip("%")
        item = claims.pair_name(claim)
        drawn = not in_percent
        rows.append(Entry(STUDY, TEXT, item, quantity, printed, value, needs=NEEDS_BAYES, resampled=drawn))
    return rows


def _rating_cells() -> pd.DataFrame:
    """d' of the nine cells with confidence, as :func:`.comparisons.model_contrasts` wants them."""
    rows = []
    for cell in paper.rating_cells():
        r = type1(cell.nR_S1, cell.nR_S2)
        se = r.half_width("d_prime", z=1.0)
        rows.append({"task": cell.task, "model": cell.model, "d_prime": r.d_prime, "d_prime_se": se})
    return pd.DataFrame(rows)


LEDGER = StudyLedger(STUDY, entries, roles=(FROM_S2, WIDTH, FROM_S1), results=(POSTERIOR,))
