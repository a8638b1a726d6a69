"""What study 3 printed: ``data/published/dmc_*.csv``. No counts and no trials were published.

The last printed digit is that of a file's finest entry.
"""

from __future__ import annotations

import pandas as pd

from metacog.ledger.published import Published

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


#: The files of study 3.
PUBLISHED = Published("dmc_")
as_text, as_numbers, precision = PUBLISHED.as_text, PUBLISHED.as_numbers, PUBLISHED.precision


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
