"""Items that somebody else wrote. Oracles: a made-up table; the author's files, where they are."""

import json
import re

import pandas as pd
import pytest
from simulated_battery import trials

from metacog.collect.plan import make_plan
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.studies.study5_battery import replication, replication_trials
from metacog.studies.study5_battery.asking.collection import Battery
from metacog.studies.study5_battery.asking.items.imported import imported
from metacog.studies.study5_battery.ledger import importer
from metacog.studies.study5_battery.settings import Settings

TABLE = """id,track,item_type,level,difficulty,question,option_a,option_b,option_c,option_d,key,hint
a1,T1,first_order,,1,Which one is a wug?,this,that,,,B,
a2,T2,calibration,2,2,Is it so?,yes,no,perhaps,,A,
a3,T6,hard,hard,3,Who was it?,Ann,Bob,Cid,Dan,D,Not Ann.
"""
RESPONSES = '"item","correct","keep_withdraw","bet_nobet","meta_score"\n"0","True","KEEP","BET","1.0"\n'


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text(TABLE)
    return path


def test_a_table_of_items_is_read_with_as_many_options_as_each_has(table):
    first, second, third = imported(table)
    assert (first.options, first.key, first.index) == (("this", "that"), "B", 0)
    assert (second.options, second.difficulty) == (("yes", "no", "perhaps"), 2.0)
    assert (third.hint, third.level, third.domain) == ("Not Ann.", "hard", "")


def test_a_folder_is_read_file_by_file_as_the_same_items_in_lines(table, tmp_path):
    lines = tmp_path / "own" / "more.jsonl"
    lines.parent.mkdir()
    one = {
        "id": "b1",
        "track": "T3",
        "item_type": "irony",
        "level": "",
        "difficulty": 1,
        "domain": "",
        "key": "A",
    }
    lines.write_text(json.dumps(one | {"question": "Meant so?", "options": ["no", "yes"]}))
    assert [item.id for item in imported(tmp_path)] == ["b1", "a1", "a2", "a3"]
    assert [item.index for item in imported(tmp_path)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        (TABLE.replace(",key,", ",answer,"), "lacks the column key"),
        (TABLE.replace("first_order,,1", "first_order,,easy"), "line 2: difficulty must be a number"),
        (TABLE.replace("Not Ann.", ""), "item a3 has no hint"),
        (TABLE.replace("that,,,B", ",,,A"), "has 1 options, and T1 takes 2 to 4"),
        (TABLE.replace("T6", "T9"), "unknown track T9"),
        (TABLE.splitlines()[0], "there are no items"),
        ("", "is not a readable table of items"),
        (RESPONSES, "holds responses, not items"),
    ],
)
def test_a_table_that_cannot_be_asked_is_refused_with_the_reason(text, reported, tmp_path):
    path = tmp_path / "theirs.csv"
    path.write_text(text)
    with pytest.raises(MetacogError, match=re.escape(reported)):
        imported(path)


def test_what_is_no_set_of_items_is_refused(tmp_path):
    with pytest.raises(MetacogError, match="form-9 is no set of items: name a form"):
        imported(tmp_path / "form-9")
    with pytest.raises(MetacogError, match="there is no file at"):
        imported(tmp_path / "none.csv")
    with pytest.raises(MetacogError, match="no file there ends in"):
        imported(tmp_path)


def test_the_author_s_response_files_are_told_from_items():
    if (folder := importer.FILES.find()) is None:
        pytest.skip("the author's response files are not here: set METACOG_DATA_HOME, or fetch them")
    for track in ("Attention", "prospective"):
        with pytest.raises(MetacogError, match=r"holds responses.*Kaggle and OSF") as refused:
            imported(folder / track)
        assert len(str(refused.value)) < 600


def test_a_file_is_planned_by_name_and_with_a_profile(table):
    study, profile = get_study("study5_battery"), load_profile("battery")
    named = make_plan(study, "battery", profile, "smollm2-135m", str(table))
    assert [item.id for item in named.items] == ["a1", "a2", "a3"]
    settings = Settings(items=str(table), forms=())
    assert list(settings.sets()) == ["theirs"] and list(Settings(items="x/y.csv").sets()) == ["form-1", "y"]
    only = Settings(items=str(table), tracks=("T6",)).sets()["theirs"]
    assert [item.id for item in Battery().items(only, {})] == ["a3"]
    with pytest.raises(MetacogError, match="there are no items"):
        Battery().items(Settings(items=str(table), tracks=("T4",)).sets()["theirs"], {})


def test_sets_of_items_stand_beside_each_other_and_ours_come_first():
    ours = trials("m", seed=1)
    theirs = trials("m", right=0.9, seed=2).assign(dataset="theirs")
    rows = replication_trials.responses(pd.concat([theirs, ours], ignore_index=True))
    table = replication_trials.sets(rows).set_index("set")
    assert list(table.index) == ["form-1", "theirs"]
    assert table.at["theirs", "accuracy"] > 0.8 > table.at["form-1", "accuracy"] > 0.4
    assert (table["lower"] < table["delta"]).all()
    assert set(replication_trials.first_form(rows)["dataset"]) == {"form-1"}
    assert replication.reliability(pd.concat([theirs, ours], ignore_index=True)).empty
    assert replication_trials.sets(rows.iloc[:0]).empty
