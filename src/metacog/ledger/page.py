"""The ledger as a page: a plain table that can be searched and filtered without a network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape
from typing import Any

import numpy as np
import pandas as pd

from metacog.ledger.entry import Kind, Role, Status

# The ledger's quantities and texts as readers see them; its data keep the names of the published files.

#: Quantities that a published file names by a column.
TITLES = {
    "acc": "accuracy",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "meta_d_prime": "meta-d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r",
    "ece": "ECE",
    "da": "d\N{LATIN SUBSCRIPT SMALL LETTER A}",
    "r2": "R²",
    "zroc_slope": "slope of the z-ROC",
    "ci_lo": "lower end",
    "ci_hi": "upper end",
    "ci_lower": "lower end",
    "ci_upper": "upper end",
    "mi_lo": "meta-I2r, lower end",
    "mi_hi": "meta-I2r, upper end",
    "a_lo": "AUROC2, lower end",
    "a_hi": "AUROC2, upper end",
    "p_perm": "p by permutation",
    "null_mean": "mean of the null",
    "n": "number",
    "n_correct": "right answers",
    "n_incorrect": "wrong answers",
    "n_total": "answers",
    "n_malformed": "malformed answers",
    "n_by_containment": "right by containment",
    "n_valid_bootstrap": "valid resamples",
    "converged": "the fit converged",
    "auroc2_rank": "rank by AUROC2",
    "m_ratio_rank": "rank by M-ratio",
    "accuracy_at_50pct_coverage": "accuracy at 50 % coverage",
    "accuracy_strict": "accuracy without containment",
    "auroc2_strict": "AUROC2 without containment",
    "q1": "accuracy, first quarter",
    "q2": "accuracy, second quarter",
    "q3": "accuracy, third quarter",
    "q4": "accuracy, fourth quarter",
    "rho_meta_d_T": "rho of meta-d' with T",
    "rho_d_prime_T": "rho of d' with T",
    "meta_d_range": "range of meta-d'",
    "tost_pass": "TOST passed",
    "relative_robust": "rule of rho met",
    "delta_auroc2": "difference of AUROC2",
    "abridged_auroc2": "AUROC2, abridged",
    "abridged_n": "answers, abridged",
    "trace_tokens_mean": "tokens of thoughts, mean",
    "answer_tokens_non_thinking": "tokens of the answer, thinking off",
    "answer_tokens_thinking": "tokens of the answer, thinking on",
    "mean conf correct": "mean confidence of right answers",
    "mean conf wrong": "mean confidence of wrong answers",
    "sd conf correct": "standard deviation of confidence, right answers",
    "sd conf all": "standard deviation of confidence",
    "range conf": "range of confidence",
    "t4cr score": "T4-CR",
    "raw brier score no penalty": "Brier score without penalties",
    "within model gap": "gap within the model",
    "sd": "standard deviation",
    "se": "standard error",
    "sum_d2": "sum",
    "r(T1_CC,T2_EV) humans": "r of T1-CC and T2-EV, people",
    "tau_b(education, score)": "tau-b of education and score, people",
}
#: The last part of a quantity that has several figures.
_PARTS = {
    ", value": "",
    ", lo": ", lower end",
    ", hi": ", upper end",
    ", ci_lo": ", lower end",
    ", ci_hi": ", upper end",
}
_SIGNS = (
    (re.compile(r"R\^2\b"), "R²"),
    (re.compile(r">= ?"), "≥ "),
    (re.compile(r"<= ?"), "≤ "),
)
#: Columns of a ledger, or of one of its tables, that are texts for readers.
_TEXTS = ("item", "published", "note", "which")


def title(quantity: str) -> str:
    """A quantity as readers know it; one that has no other name keeps its own, in words."""
    for end, words in _PARTS.items():
        if quantity.endswith(end):
            return title(quantity.removesuffix(end)) + words
    return TITLES.get(quantity) or str(_signs(quantity)).replace("_", " ")


def _signs(text: Any) -> Any:
    if not isinstance(text, str):  # nothing where a text is missing
        return text
    for pattern, sign in _SIGNS:
        text = pattern.sub(sign, text)
    return text


def worded(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of a ledger, or of one of its tables, as readers see them."""
    texts = {name: rows[name].map(_signs) for name in _TEXTS if name in rows}
    names = {"quantity": rows["quantity"].map(title)} if "quantity" in rows else {}
    return rows.assign(**texts, **names)


#: Sign, next to the word, so that no status rests on colour alone.
SIGNS = {
    Status.MATCH: "✓",
    Status.DIFFERS: "≠",
    Status.BOUNDED: "↔",
    Status.CANNOT_TELL: "?",
    Status.INPUT: "←",
    Status.REPEAT: "=",
    Status.NEEDS: "…",
}
#: Most decimals that are shown; the CSV has all.
MOST_DIGITS = 6
_ALWAYS = (Status.MATCH, Status.DIFFERS, Status.NEEDS)

_STYLE = """
<style>
.ledger-controls {display: flex; flex-wrap: wrap; gap: .75rem; margin: .5rem 0;}
.ledger-controls label {display: flex; flex-direction: column; font-size: .9rem; flex: 1 1 12rem;}
.ledger-controls input, .ledger-controls select {font-size: 1rem; padding: .4rem; min-height: 2.6rem;
  color: inherit; background: var(--pst-color-surface, #f5f5f5); width: 100%; box-sizing: border-box;
  border: 1px solid var(--pst-color-border, #888); border-radius: 4px;}
.ledger-scroll {max-height: 75vh; overflow: auto; border: 1px solid var(--pst-color-border, #ccc);}
.ledger-scroll .ledger-table {border-collapse: collapse; width: 100%; font-size: .85rem; margin: 0;}
.ledger-scroll .ledger-table caption {text-align: left; padding: .4rem; caption-side: top;}
.ledger-scroll .ledger-table th, .ledger-scroll .ledger-table td {text-align: left; padding: .3rem .5rem;
  vertical-align: top; white-space: normal; border-bottom: 1px solid var(--pst-color-border, #ddd);}
.ledger-scroll .ledger-table thead th {position: sticky; top: 0; z-index: 2;
  background: var(--pst-color-surface, #f5f5f5);}
.ledger-scroll .ledger-table .num {text-align: right; font-variant-numeric: tabular-nums;}
.ledger-scroll .ledger-table td:first-child {min-width: 8rem;}
.ledger-scroll .ledger-table td:last-child {min-width: 15rem;}
.ledger-scroll .ledger-table td.status {white-space: nowrap;}
.ledger-scroll tr[data-status="differs"] td.status {font-weight: bold;}
@media (max-width: 640px) {
  .ledger-scroll .ledger-table thead {display: none;}
  .ledger-scroll .ledger-table, .ledger-scroll .ledger-table caption, .ledger-scroll .ledger-table tbody,
  .ledger-scroll .ledger-table tr, .ledger-scroll .ledger-table td {display: block; width: 100%;}
  .ledger-scroll .ledger-table tr {border-bottom: 3px solid var(--pst-color-border, #bbb); padding: .4rem 0;}
  .ledger-scroll .ledger-table td, .ledger-scroll .ledger-table .num {border: 0; padding: .1rem .5rem;
    text-align: left; position: static; max-width: none; box-sizing: border-box;}
  .ledger-scroll .ledger-table td:not(:empty)::before {font-weight: 600;}
  LABELS
  .ledger-scroll .ledger-table td:empty {display: none;}
}
.ledger-scroll .ledger-table tr[hidden] {display: none;}
</style>
"""

_SCRIPT = """
<script>
(function () {
  var body = document.getElementById("ledger-body");
  if (!body) { return; }
  var rows = Array.prototype.slice.call(body.rows);
  var search = document.getElementById("ledger-search");
  var table = document.getElementById("ledger-which");
  var status = document.getElementById("ledger-status");
  var kind = document.getElementById("ledger-kind");
  var count = document.getElementById("ledger-count");
  var texts = rows.map(function (r) { return r.textContent.toLowerCase(); });
  function apply() {
    var words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row, i) {
      var keep = (!table.value || row.dataset.table === table.value) &&
        (!status.value || row.dataset.status === status.value) &&
        (!kind.value || row.dataset.kind === kind.value) &&
        words.every(function (w) { return texts[i].indexOf(w) >= 0; });
      row.hidden = !keep;
      shown += keep ? 1 : 0;
    });
    count.textContent = shown.toLocaleString("en") + " of " + rows.length.toLocaleString("en") + " rows shown";
  }
  [search, table, status, kind].forEach(function (control) {
    control.addEventListener("input", apply);
    control.addEventListener("change", apply);
  });
  apply();
})();
</script>
"""


def roles(ledger: pd.DataFrame, declared: Iterable[Role]) -> pd.DataFrame:
    """The rules by which rows had to agree: which rows, why, how many, and how many disagree all the same."""
    rows = []
    for role in declared:
        part = ledger[ledger["role"] == role.rows]
        differ = int((part["status"] == Status.DIFFERS).sum())
        named = {"status": f"{SIGNS[role.status]} {role.status}", "which": role.rows, "reason": role.reason}
        rows.append(named | {"rows": len(part), "differ": differ})
    return pd.DataFrame(rows, columns=["status", "which", "reason", "rows", "differ"])


def _statuses(ledger: pd.DataFrame) -> list[str]:
    """Statuses that a ledger shows: the three that every one has, and those that occur."""
    used = set(ledger["status"])
    return [s.value for s in Status if s in _ALWAYS or s in used]


def ledger_html(ledger: pd.DataFrame) -> str:
    """A table with a search box and three filters, as one piece of HTML.

    Works without a network; without JavaScript it shows every row. On a phone each row becomes a
    block with its labels. Element ids begin with ``ledger-``: show it once a page.
    """
    tables = "".join(
        f'<option value="{escape(t)}">{escape(t)}</option>' for t in dict.fromkeys(ledger["table"])
    )
    statuses = "".join(f'<option value="{s}">{s}</option>' for s in _statuses(ledger))
    kinds_used = set(ledger["kind"])
    options = "".join(f'<option value="{k}">{k}</option>' for k in Kind if k in kinds_used)
    rows = "".join(
        _row(row, shown)
        for row, shown in zip(ledger.to_dict("records"), worded(ledger).to_dict("records"), strict=True)
    )
    head = "".join(f'<th scope="col"{_kind(name, number)}>{label}</th>' for name, label, number in _COLUMNS)
    return (
        f"{_STYLE.replace('LABELS', _labels())}"
        '<div class="ledger-controls" role="search" aria-label="Filter the ledger">'
        '<label for="ledger-search">Search'
        '<input type="search" id="ledger-search" placeholder="e.g. Mistral meta-I2r"></label>'
        f'<label for="ledger-which">Table<select id="ledger-which"><option value="">all tables</option>'
        f"{tables}</select></label>"
        f'<label for="ledger-status">Status<select id="ledger-status"><option value="">any status</option>'
        f"{statuses}</select></label>"
        f'<label for="ledger-kind">Kind<select id="ledger-kind"><option value="">any kind</option>'
        f"{options}</select></label></div>"
        f'<p id="ledger-count" role="status" aria-live="polite">{len(ledger):,} rows</p>'
        '<div class="ledger-scroll" tabindex="0" role="region" aria-label="Ledger rows">'
        '<table class="ledger-table"><caption>Published and recomputed figures</caption>'
        f'<thead><tr>{head}</tr></thead><tbody id="ledger-body">{rows}</tbody></table></div>{_SCRIPT}'
    )


#: Column, title, and whether it is a number.
_COLUMNS = (
    ("item", "Item", False),
    ("quantity", "Quantity", False),
    ("published", "Published", True),
    ("reproduced", "Reproduced", True),
    ("status", "Status", False),
    ("difference", "Difference", True),
    ("tolerance", "Tolerance", True),
    ("table", "Table", False),
    ("kind", "Kind", False),
    ("why", "Source, or what it waits for", False),
)


def _labels() -> str:
    """On a phone, where a row is a block, its title stands before each value."""
    return "\n  ".join(
        f'.ledger-scroll .ledger-table td:nth-child({place})::before {{content: "{label}: ";}}'
        for place, (_, label, _) in enumerate(_COLUMNS, start=1)
    )


def _row(row: dict, worded_row: dict) -> str:
    waits = row["status"] == Status.NEEDS
    why = f"needs {row['needs']}" if waits else row["source"]
    if row["note"]:
        why += f"; {worded_row['note']}"
    shown = {
        **worded_row,
        "published": printed_text(worded_row["published"]),
        "reproduced": _reproduced(row),
        "difference": _short(row["difference"]),
        "tolerance": _short(row["tolerance"]),
        "status": f"{SIGNS[Status(row['status'])]} {row['status']}",
        "why": why,
    }
    cells = "".join(
        f"<td{_kind(name, number)}>{escape(str(shown[name]))}</td>" for name, _, number in _COLUMNS
    )
    data = f'data-table="{escape(row["table"])}" data-status="{row["status"]}" data-kind="{row["kind"]}"'
    return f"<tr {data}>{cells}</tr>"


def _kind(name: str, number: bool) -> str:
    return ' class="num"' if number else ' class="status"' if name == "status" else ""


def _reproduced(row: dict) -> str:
    """The recomputed figure, or both bounds where it can only be bounded."""
    if not np.isfinite(row["low"]):
        return reproduced_text(row["reproduced"], row["published"])
    return " to ".join(reproduced_text(row[end], "0.000") for end in ("low", "high"))


def reproduced_text(value: float, published: str) -> str:
    """The recomputed figure with two digits more than the printed one, six at most unless it is smaller than those.

    Verdicts are given back as True and False.
    """
    if not np.isfinite(value):
        return ""
    if published in ("True", "False"):
        return str(bool(value))
    decimals = len(published.split()[-1].partition(".")[2]) if published else 3
    if decimals == 0 and value == round(value):
        return f"{value:.0f}"
    shown = f"{value:.{min(decimals + 2, MOST_DIGITS)}f}"
    return shown if float(shown) or not value else f"{value:.2g}"


def printed_text(published: str) -> str:
    """A printed figure; one from a file of full precision is cut to :data:`MOST_DIGITS` decimals."""
    words = published.split()
    if not words or len(words[-1].partition(".")[2]) <= MOST_DIGITS or "e" in words[-1]:
        return published
    return " ".join([*words[:-1], reproduced_text(float(words[-1]), "0.0000")])


def _short(value: float) -> str:
    if not np.isfinite(value):
        return ""
    return "0" if value == 0 else f"{value:.2g}"
