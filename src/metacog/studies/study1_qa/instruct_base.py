"""What does instruction tuning do to metacognition?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from metacog.collect.models import bases
from metacog.core.errors import MetacogError
from metacog.measures.cell import Cell, Measured, whole_and_resamples
from metacog.measures.fits import fitted_of, rating_tables
from metacog.measures.pairs import differences
from metacog.report.views import Views
from metacog.sdt.checks import FloatArray
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.intervals import spawn_seeds
from metacog.sdt.type1 import z_roc
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa.cells import (
    PUBLISHED_FILES,
    REFERENCE,
    Cells,
    Rated,
    measured_together,
    question_cells,
    rated_primary,
)
from metacog.studies.study1_qa.h2 import published_domains
from metacog.studies.study1_qa.paper import NAMES, published_cells

#: The paper's pair.
PUBLISHED_PAIR = ("llama3_instruct", "llama3_base")
TITLES = {
    "accuracy": "accuracy",
    "d_prime": "d'",
    "meta_d": "meta-d'",
    "m_ratio": "M-ratio",
    "auroc2": "AUROC2",
    "meta_i2r": "meta-I2r (plug-in)",
    "zroc_slope": "z-ROC slope",
}
NUMBERS = ("instruct", "base", "difference", "lower", "upper", "p")


def find_pairs(models: Iterable[str], base_of: Mapping[str, str]) -> list[tuple[str, str]]:
    present = set(models)
    return sorted(
        (instruct, base) for base, instruct in base_of.items() if {instruct, base} <= present and instruct
    )


def compare_trials(
    rated: Rated, instruct: str, base: str, *, n_resamples: int = 10_000, seed: int = 42
) -> pd.DataFrame:
    """Instruct minus base on the questions both answered at T = 1 with a rating, resampling questions.

    Without such questions, as where no confidence of one of them could be read, no measure has a value.
    """
    one = rated.trials[
        (rated.trials["temperature"] == REFERENCE) & rated.trials["model"].isin([instruct, base])
    ]
    if absent := {instruct, base} - set(one["model"]):
        raise MetacogError(f"there is no trial of {', '.join(sorted(absent))} at T = {REFERENCE:g}")
    cells = question_cells(one, "model", rated.n_ratings)
    if set(cells) != {instruct, base}:
        return pd.DataFrame({"measure": list(TITLES.values()), **dict.fromkeys(NUMBERS, np.nan)})
    made = measured_together(cells, [measures], n_resamples=n_resamples, seed=seed)
    return _compare(made, instruct, base, paired=True)


def compare_counts(
    cells: Cells,
    instruct: str = PUBLISHED_PAIR[0],
    base: str = PUBLISHED_PAIR[1],
    dataset: str = "triviaqa",
    *,
    n_resamples: int = 10_000,
    seed: int = 42,
) -> pd.DataFrame:
    """Instruct minus base from counts, each model resampled alone (pairing is lost in counts)."""
    made = {}
    for name, one in zip((instruct, base), spawn_seeds(seed, 2), strict=True):
        cell = Cell.of_table(*cells.table(model=name, dataset=dataset))
        made[name] = measures(cell, whole_and_resamples(cell, n_resamples, one))
    return _compare(made, instruct, base, paired=False)


def measures(cell: Cell, weights: FloatArray) -> Measured:
    """All measures that are compared, meta-I2r uncorrected (an :data:`metacog.measures.cell.Estimator`)."""
    s1, s2 = rating_tables(cell, weights)
    found = fitted_of(cell, weights) | {
        "accuracy": s2.sum(axis=1) / (s1 + s2).sum(axis=1),
        "auroc2": auroc2_from_counts(s1, s2),
        "meta_i2r": plugin_meta_i2r(s1, s2),
        "zroc_slope": z_roc(s1, s2).slope,
    }
    return Measured.drawn(**{name: found[name] for name in TITLES})


def _compare(made: Mapping[str, Measured], instruct: str, base: str, *, paired: bool) -> pd.DataFrame:
    pair = {name: made[name] for name in (instruct, base)}
    rows = []
    for name, title in TITLES.items():
        row = differences(pair, name, paired=paired).iloc[0]
        values = {"instruct": made[instruct].values[name], "base": made[base].values[name]}
        rows.append({"measure": title, **values, **row[["difference", "lower", "upper", "p"]]})
    return pd.DataFrame(rows)


#: The published pair on its two question sets, as readers know them.
PUBLISHED = {"triviaqa": "Llama-3-8B, TriviaQA", "nq": "Llama-3-8B, Natural Questions"}


@analysis(needs=("open",), files=PUBLISHED_FILES)
def instruct_base(inputs: Inputs, *, n_resamples: int = 10_000, seed: int = 42) -> dict[str, Any]:
    """What does instruction tuning do to metacognition?"""
    rated, counts = rated_primary(inputs), published_cells()
    options: dict[str, Any] = {"n_resamples": n_resamples, "seed": seed}
    parts = [
        compare_counts(counts, dataset=dataset, **options).assign(pair=pair)
        for dataset, pair in PUBLISHED.items()
    ]
    for instruct, base in find_pairs(rated.trials["model"].unique(), bases()):
        own = compare_trials(rated, instruct, base, **options).assign(pair=f"{instruct} and {base}")
        parts.append(own[own["difference"].notna()])
    theirs = published_domains()
    return {
        "together": pd.concat(parts, ignore_index=True)[["pair", "measure", *NUMBERS]],
        "domains": theirs[theirs["model"].isin(PUBLISHED_PAIR)].reset_index(drop=True),
    }


def numbers(result: Any) -> dict[str, Any]:
    """The published pair: accuracy and AUROC2 on TriviaQA, and the subject in which the printed M-ratio falls most."""
    of = result.together[result.together["pair"] == PUBLISHED["triviaqa"]].set_index("measure")
    found: dict[str, Any] = {}
    for row, name in (("accuracy", "accuracy"), ("AUROC2", "auroc2")):
        found |= {f"{name}_{end}": float(of.loc[row, end]) for end in NUMBERS[:-1]}
    named = result.domains.assign(model=result.domains["model"].replace(NAMES))
    wide = named.pivot(index="domain", columns="model", values=["m_ratio", "auroc2"])
    instruct, base = (NAMES[name] for name in PUBLISHED_PAIR)
    change = wide["m_ratio"][instruct] - wide["m_ratio"][base]
    most = change.idxmin()
    found |= {"most": str(most), "fell": int((change < 0).sum()), "subjects": len(change)}
    for name, model in (("instruct", instruct), ("base", base)):
        found[f"m_ratio_{name}"] = float(wide["m_ratio"].loc[most, model])
        found[f"area_{name}"] = float(wide["auroc2"].loc[most, model])
    return found


VIEWS = Views("instruct_base", names=NAMES, numbers=numbers)
