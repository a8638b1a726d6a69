"""The chapter on speed reads committed results; its ratios are those of the numbers next to them."""

import json

import pytest

from metacog.core.errors import MetacogError
from metacog.studies.shared import speed

ENGINE, LOOP, SERVER = "the batched engine", "the paper's loop", "llama.cpp's own server"


def test_ratios_follow_from_the_rates():
    fits = speed.fits_table(speed.result("meta_d"))
    peer = fits["fits_per_second"].iloc[0]
    assert fits["ratio"].to_numpy() == pytest.approx((fits["fits_per_second"] / peer).to_numpy(), rel=0.01)
    facts = speed.result("collect")
    collected = speed.collection_table(facts).set_index(["model", "who"])["engine_is_times"]
    for found in facts["results"]:
        own = collected[found["model"]]
        assert own[ENGINE] == 1
        assert own[LOOP] == pytest.approx(found["times_paper_loop_seconds"], rel=0.01)


def test_every_peer_has_its_ratio():
    fits, sampled = speed.fits_table(speed.result("meta_d")), speed.sampled_table(speed.result("bayes"))
    collected = speed.collection_table(with_a_server(speed.result("collect")))
    made = speed.ratios(fits, sampled, collected)
    assert made["times"].iloc[0] == fits["ratio"].max() and made["job"].iloc[1] == "posteriors"
    assert (made["peer"] == SERVER).sum() == collected["model"].nunique()


def with_a_server(facts):
    """The committed result as a newer run of the benchmark lays it out, with a server of known speed."""
    for found in facts["results"]:
        own = found["engine_trials_a_second"]
        found |= {"server_slots": 8, "server_trials_a_second": own / 5, "times_server_seconds": 5.0}
        found |= {"server_no_logprobs_trials_a_second": own / 2.5, "times_server_no_logprobs_seconds": 2.5}
    return facts


def test_the_server_has_rows_where_it_was_measured():
    facts = speed.result("collect")
    for found in facts["results"]:
        found["server_slots"] = None
    assert not speed.collection_table(facts)["who"].str.contains("server").any()
    table = speed.collection_table(with_a_server(facts))
    served = table[table["who"] == f"{SERVER}, 8 slots"]
    assert served["engine_is_times"].to_numpy() == pytest.approx(5.0)
    assert len(served) == len(facts["results"])


def test_every_case_of_a_new_model_has_its_seconds(tmp_path):
    assert speed.cases_table(speed.result("five_cases", tmp_path)).empty  # not measured yet
    seconds = {"add_model": 20.0, "book": 100.0, "of_it_collecting": 60}
    row = {"seconds": seconds, "replies": 90, "signal": "nlp", "unanswered": 0.1, "load": {"before": 0.5}}
    slow = {"seconds": {**seconds, "book": 580.0}, "requests": 200, "signal": "agreement"}
    cases = {"chat": {**row, **slow, "load": {"before": 1.5}}, "local": row}
    (tmp_path / "five_cases.json").write_text(json.dumps({"cases": cases}), encoding="utf-8")
    table = speed.cases_table(speed.result("five_cases", tmp_path))
    assert table["case"].tolist() == [speed.CASES["chat"], speed.CASES["local"]]
    assert table["total"].tolist() == [600, 120] and table["of_it_collecting"].tolist() == [60, 60]
    assert table["requests"].isna().tolist() == [False, True] and table["load"].tolist() == [1.5, 0.5]


def test_shares_of_studies_and_waiting_threads_are_shown_where_they_were_measured(tmp_path):
    """Oracle: rows made here."""
    assert speed.studies_table(speed.result("study_speed", tmp_path)).empty
    assert speed.waiting_table(speed.result("waiting_threads", tmp_path)).empty
    rows = [{"model": "m", "study": f"study{k}_x", "share_processor": 0.9 - k / 10} for k in (1, 2)]
    studies = speed.studies_table({"rows": rows, "whole_processor": {"m": 0.82}})
    assert studies["study"].tolist() == ["study 1", "study 2", "all five"]
    assert studies["share_processor"].tolist() == [0.8, 0.7, 0.82]
    rounds = {("own", "nothing"): (9, 11), ("spin", "nothing"): (7, 9.5), ("own", "Snakemake"): (10, 12)}
    rows = [
        {"waiting": waiting, "beside": beside, "median": sum(seconds) / 2, "seconds": seconds}
        for (waiting, beside), seconds in rounds.items()
    ]
    assert speed.waiting_table({"rows": rows})["most"].tolist() == [11, 9.5, 12]


def test_a_missing_result_names_its_script(tmp_path):
    with pytest.raises(MetacogError, match="run benchmarks/collect.py"):
        speed.result("collect", tmp_path)


def test_effective_draws_are_compared_by_the_slower_of_our_runs():
    """Oracle: the committed record worked out by hand, and the ratio that was asked for."""
    facts = speed.result("bayes")
    table = speed.sampled_table(facts).set_index("what")
    ours, theirs = table.loc["metacog"], table.loc["metadpy with PyMC"]
    slower = min(one["effective"] / one["seconds"] for one in facts["metacog"])
    seconds = facts["metadpy"]["seconds"]
    assert ours["effective_per_second"] == pytest.approx(slower)
    assert ours["ratio"] == pytest.approx(slower / (theirs["effective"] / seconds))
    assert ours["ratio"] >= 10
    one, sd = min(facts["metacog"], key=lambda run: run["effective_per_s"]), facts["metacog"][0]["sd"]
    noise = sd * (1 / theirs["effective"] + 1 / ours["effective"]) ** 0.5
    assert (
        abs(one["mean"] - facts["metadpy"]["mean"]) < 0.1 * sd + 4 * noise
    )  # its prior of meta-d' is narrower
