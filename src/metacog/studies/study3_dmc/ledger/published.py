"""What study 3 printed: ``data/published/dmc_*.csv``. No counts and no trials were published.

Figures are kept as the text they were printed as, because the last printed digit matters. The files drop
trailing zeros, so the last printed digit is that of a column's (or a file's) finest entry.
"""

from __future__ import annotations

from functools import cache

import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.paths import published_file
from metacog.ledger.tolerances import half_last_digit

#: Ways of eliciting confidence in the order of the paper, with the names readers know.
METHODS: dict[str, str] = {
    "verb_vanilla": "verbalised, vanilla",
    "verb_cot": "verbalised, CoT",
    "verb_topk": "verbalised, top-k",
    "self_random": "consistency, self-random",
    "perturbing": "consistency, perturbing",
    "misleading": "consistency, misleading",
}
DATASETS: dict[str, str] = {
    "SAT": "SAT-Math",
    "HSM": "HS-Math",
    "CQA": "CommonsenseQA",
    "GFacts": "Global Facts",
    "Bool": "Boolean Expressions",
    "Date": "Date Understanding",
    "Med": "Professional Medicine",
    "Ethics": "Business Ethics",
}
MODELS: dict[str, str] = {"llama2_70b": "Llama-2-70B", "gpt_3.5": "GPT-3.5", "gpt_4": "GPT-4"}
#: The model of tables 1 and 2.
TABLE2_MODEL = "gpt_3.5"
#: Measures of table 1.
CV_MEASURES: dict[str, str] = {"auroc": "AUROC", "ece": "ECE", "brier": "Brier", "dmc": "DMC"}
AVERAGE = "printed_average"

_FILES = {
    "table1": "table1_cv",
    "table2": "table2_gpt35",
    "table3": "table3_models",
    "text": "text_claims",
    "order": "order_claims",
}


@cache
def _read(name: str) -> pd.DataFrame:
    if name not in _FILES:
        raise MetacogError(f"study 3 printed no {name!r}; it has: {', '.join(_FILES)}")
    return pd.read_csv(published_file(f"dmc_{_FILES[name]}.csv"), dtype=str, keep_default_na=False)


def as_text(name: str) -> pd.DataFrame:
    """``table1``, ``table2``, ``table3``, ``text`` or ``order`` with every entry as it stands in the file."""
    return _read(name).copy()


def as_numbers(name: str) -> pd.DataFrame:
    """The same with every column of figures as numbers."""
    frame = as_text(name)
    keys = {"method", "model", "claim"}
    return frame.assign(**{c: pd.to_numeric(frame[c]) for c in frame.columns if c not in keys})


def precision(name: str) -> float:
    """Half the last digit of a file's finest figure."""
    keys = {"method", "model", "claim"}
    frame = as_text(name)
    return min(half_last_digit(x) for c in frame.columns if c not in keys for x in frame[c])


def cells(name: str) -> pd.DataFrame:
    """Values of DMC by (model, method) over data sets: ``table2`` or ``table3``."""
    frame = as_numbers(name)
    model = frame["model"] if "model" in frame else pd.Series(TABLE2_MODEL, index=frame.index)
    index = pd.MultiIndex.from_arrays([model, frame["method"]], names=["model", "method"])
    return frame[list(DATASETS)].set_index(index)


def averages(name: str) -> pd.Series:
    """Printed averages by (model, method)."""
    frame = as_numbers(name)
    return pd.Series(frame[AVERAGE].to_numpy(), index=cells(name).index)
