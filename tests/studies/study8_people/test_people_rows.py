"""People and models on the same items: the tables. Oracles: the sizes that their source states, damaged tables."""

import hashlib

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.core.paths import project_root
from metacog.studies.study import Result
from metacog.studies.study8_people import reading, rows


def tables():
    return [pd.read_csv(project_root() / name, keep_default_na=False) for name in rows.FILES]


def test_the_tables_have_the_sizes_of_their_source_and_their_checksums():
    made = rows.load()
    assert len(made.people) == 1514 and made.people["person"].nunique() == 171
    assert len(made.models.models) == 26 and made.models.answered.sum() == 6800
    assert made.models.strata.count("human") == 200 and made.models.strata.count("machine") == 100
    for file in pd.read_csv(project_root() / "data/people/files.csv").itertuples():
        content = (project_root() / "data/people" / file.file).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (file.bytes, file.sha256)


def test_models_of_the_same_weights_have_one_maker_and_every_model_has_one():
    _, models, makers = tables()
    shared = makers[makers["weights"] != "own"].groupby("weights")["maker"].nunique()
    assert (
        shared.max() == 1
        and set(makers["model"]) == set(models["model"])
        and not makers["maker"].eq("").any()
    )
    made = rows.load().models
    for model in made.models:
        others = made.others(model)
        own = made.families[made.models.index(model)]
        assert own not in {made.families[at] for at in others}


def test_what_is_odd_is_counted():
    made = Result(reading.reading(None))
    people = tables()[0]
    odd = made.odd.set_index("what")["n"]
    assert odd.iloc[0] == (people["confidence"] == 50).sum() and odd.iloc[3] == (people["seconds"] < 10).sum()
    assert (made.n_all_items, made.fewest, made.most) == (16, 2, 9)
    items = people.groupby(["made_by", "item"]).size()
    assert odd["items that fewer than two people answered"] == (items < 2).sum() + 300 - len(items)


@pytest.mark.parametrize(
    ("table", "change", "message"),
    [
        (0, lambda t: t.drop(columns="confidence"), "lacks the column confidence"),
        (0, lambda t: t.assign(correct=2), "marks are not 0 or 1"),
        (0, lambda t: t.assign(confidence=101), "confidence outside 0 to 100"),
        (0, lambda t: t.assign(confidence="sure"), "text where a number"),
        (0, lambda t: t.assign(seconds=np.nan), "lack a number"),
        (0, lambda t: t.replace({"made_by": {"human": "nobody"}}), "unknown origin"),
        (0, lambda t: pd.concat([t, t.head(1)]), "repeat an item of the same person"),
        (0, lambda t: t.replace({"item": {6: 900}}), "an item that no model answered: human 900"),
        (1, lambda t: pd.concat([t, t.head(1)]), "repeat an item of the same model"),
        (1, lambda t: t.replace({"model": {"gpt2": "gpt9"}}), "who made gpt9"),
    ],
)
def test_damaged_tables_are_refused(table, change, message):
    read = tables()
    read[table] = change(read[table])
    with pytest.raises(MetacogError, match=message):
        rows.read(*read)
