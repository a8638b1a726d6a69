"""A result names models as readers know them, and nothing else in it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from metacog.studies.named import with_labels
from metacog.verdicts.outcomes import Rule
from metacog.verdicts.verdict import Kind

NAME, LABEL = "smollm2-135m", "SmolLM2-135M-Instruct"


@dataclass(frozen=True)
class Record:
    table: pd.DataFrame
    rules: tuple[Rule, ...]
    by_model: Mapping[str, float]
    text: str
    number: float = np.nan


def test_tables_records_and_texts_have_labels():
    values = np.array([0.1, np.nan])
    table = pd.DataFrame({"model": [NAME, "other"], NAME: values, "n": [1, 2], "why": ["", None]})
    rule = Rule(f"of {NAME}", "H1", Kind.PREREGISTERED, null=(NAME,))
    found = with_labels(Record(table, (rule,), {NAME: 1.0}, f"{NAME}, and {NAME} on bank."))
    assert list(found.table["model"]) == [LABEL, "other"] and list(found.table.columns) == [
        "model",
        LABEL,
        "n",
        "why",
    ]
    np.testing.assert_array_equal(found.table[LABEL], values)
    assert found.table["n"].dtype == table["n"].dtype and found.table["why"].isna().tolist() == [False, True]
    (shown,) = found.rules
    assert shown.kind is Kind.PREREGISTERED and shown.null == (LABEL,) and shown.text == f"of {LABEL}"
    assert (
        found.by_model == {LABEL: 1.0}
        and found.text == f"{LABEL}, and {LABEL} on bank."
        and np.isnan(found.number)
    )
    assert list(table["model"]) == [NAME, "other"]


@pytest.mark.parametrize(
    "text",
    [
        f"run `metacog collect --model {NAME}`",
        f"--model {NAME}",
        f"runs/{NAME}/form-1",
        f"{NAME}.form-1.parquet",
        f"my-{NAME}",
        f"{NAME}-chat",
    ],
)
def test_commands_and_paths_keep_the_name_of_the_registry(text):
    assert with_labels(Record(pd.DataFrame(), (), {}, text)).text == text
