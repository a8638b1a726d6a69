"""Simulated trial tables and the published figures."""

import pandas as pd
import pytest
from simulated_trials import simulate_trials

from metacog.core.paths import project_root
from metacog.studies.study1_qa.cells import Cells, cells_from_counts


@pytest.fixture(scope="session")
def trials() -> pd.DataFrame:
    return simulate_trials(n_questions=600)


@pytest.fixture(scope="session")
def smoke_trials() -> pd.DataFrame:
    """As the smoke profile collects them: 40 questions, one small model, two temperatures."""
    return simulate_trials(
        {"alpha": {"ability": -0.8, "noise": 1.0}}, n_questions=40, temperatures=(0.7, 1.0), seed=3
    )


@pytest.fixture(scope="session")
def published():
    """Published tables of study 1, by name."""
    folder = project_root() / "data" / "published"

    def read(name: str) -> pd.DataFrame:
        return pd.read_csv(folder / f"cacioli_{name}.csv")

    return read


@pytest.fixture(scope="session")
def cells(published) -> Cells:
    """The published counts at T = 1."""
    return cells_from_counts(published("counts_T1"))
