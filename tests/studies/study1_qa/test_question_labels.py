"""How far labels by small models can be believed. Oracle: Cohen's kappa by its formula on counts by hand."""

import numpy as np
import pandas as pd
import pytest

from metacog.studies.study import Result
from metacog.studies.study1_qa.asking.labels import SCHEME
from metacog.studies.study1_qa.question_labels import ENOUGH, agreement, figures, kappas

CLASSES = {domain: name for name, domain in SCHEME.classes.items()}
FIRST, SECOND = list(SCHEME.classes.values())[:2]
NONE = pd.DataFrame({"model": [], "domain": [], "n": []})


def labelled(both_first: int, first_second: int, second_first: int, both_second: int) -> pd.DataFrame:
    """Counts of own subject and label."""
    cells = [(FIRST, FIRST)] * both_first + [(FIRST, SECOND)] * first_second
    cells += [(SECOND, FIRST)] * second_first + [(SECOND, SECOND)] * both_second
    rows = pd.DataFrame(cells, columns=["own", "domain"])
    return rows.assign(**{"class": rows["domain"].map(CLASSES)})


def test_kappa_is_agreement_beyond_chance():
    rows = labelled(20, 5, 10, 15)  # agreeing .7; by chance .5 * .6 + .5 * .4 = .5
    weights = np.full((1, 50), 1 / 50)
    assert kappas(rows["own"], rows["domain"], weights) == pytest.approx([0.4])
    found = agreement(rows, n_resamples=400, seed=1)
    assert found["agreeing"] == pytest.approx(0.7) and found["kappa"] == pytest.approx(0.4)
    assert found["kappa_lower"] < 0.4 < found["kappa_upper"]
    never = str(found["never_given"])
    given = {CLASSES[FIRST], CLASSES[SECOND]}
    assert all((one in never) == (one not in given) for one in SCHEME.classes)


def test_labels_that_all_agree_are_believed_and_others_are_not():
    tables = {"good": labelled(50, 0, 0, 50), "bad": labelled(20, 30, 30, 20)}
    rows = [{"model": name, **agreement(one, n_resamples=200, seed=1)} for name, one in tables.items()]
    counts = pd.concat(
        [
            pd.crosstab(one["own"], one["class"])
            .reindex(columns=list(SCHEME.classes), fill_value=0)
            .reset_index()
            .assign(model=name)
            for name, one in tables.items()
        ]
    )
    assert rows[0]["kappa_lower"] >= ENOUGH > rows[1]["kappa_lower"]
    said = {
        name: figures(Result(agreement=pd.DataFrame([row]), counts=counts, unknown=NONE))
        for name, row in zip(tables, rows, strict=True)
    }
    assert (said["good"]["n_believed"], said["bad"]["n_believed"]) == (1, 0)
    both = figures(Result(agreement=pd.DataFrame(rows), counts=counts, unknown=NONE))
    assert (both["best_model"], both["n_labelling"]) == ("good", 2)
