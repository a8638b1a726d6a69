"""Faults between an engine and its server. Oracles: the same collection without faults, and the committed table."""

import endpoint_faults
import pandas as pd
import pytest
from fault_proxy import PASSING, REASONING

NOTHING = {"lost": 0, "doubled": 0, "changed": 0}


def test_of_a_thousand_faults_none_lost_or_doubled_a_reply():
    table = pd.read_csv(endpoint_faults.OUT).set_index("api")
    assert list(table.index) == list(endpoint_faults.APIS) and table["faults"].sum() >= 1_000
    assert (table[list(NOTHING)] == 0).all(axis=None) and (table["unaccounted"] <= 0).all()
    assert (table[list(PASSING)] > 0).all(axis=None) and table.loc["chat", REASONING] > 0
    assert (table["requests"] > table["faults"] + table["replies"]).all()
    assert table["stops"].sum() > 0  # the run was stopped by them, too, and went on


@pytest.mark.proof
@pytest.mark.parametrize("api", endpoint_faults.APIS)
def test_a_small_share_of_them_run_again(api):
    found = endpoint_faults.run(api, 30, seed=1, questions=10, pairs=10)
    assert found["faults"] == 30 and found["replies"] >= 30
    assert {name: found[name] for name in NOTHING} == NOTHING and found["unaccounted"] <= 0
    assert all(found[kind] for kind in PASSING)


def test_what_is_lost_doubled_or_changed_is_seen(monkeypatch):
    """The comparison can fail: replies that were tampered with behind its back."""
    kept = endpoint_faults.replies

    def tampered(asked, folder):
        rows = kept(asked, folder)
        if folder.name == "calm":
            return rows
        rows.loc[2, "reply"] = rows.loc[2, "reply"].replace('"text":"', '"text":"!')
        return pd.concat([rows.iloc[1:], rows.iloc[[5]]], ignore_index=True)

    monkeypatch.setattr(endpoint_faults, "replies", tampered)
    found = endpoint_faults.run("completions", 0, seed=1, questions=5, pairs=1)
    assert {name: found[name] for name in NOTHING} == {"lost": 1, "doubled": 1, "changed": 1}
