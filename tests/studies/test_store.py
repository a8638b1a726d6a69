"""The store of results: what goes in is read back; what changed is computed again, and nothing else."""

import dataclasses
import json
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.times import TIMES, note_time
from metacog.studies import open_run, results, steps
from metacog.studies.codec import read_facts, read_record, write_record
from metacog.studies.study import Study, analysis
from metacog.verdicts.outcomes import Rule
from metacog.verdicts.verdict import Kind

TOPS = ("metacog", __name__.split(".")[0])


@dataclass(frozen=True)
class Inner:
    draws: np.ndarray
    by: dict


@dataclass(frozen=True)
class Found:
    table: pd.DataFrame
    inner: Inner
    rules: tuple
    share: float
    text: str


def example() -> Found:
    table = pd.DataFrame({"model": ["a", "b"], "value": [0.1, np.nan], "passed": [True, None]})
    rule = Rule("rule", "H1", Kind.SOUND, "topic")
    return Found(
        table,
        Inner(np.arange(6.0).reshape(2, 3), {("a", "b"): 1, "c": (1, [2])}),
        (rule,),
        float("nan"),
        "ä",
    )


def test_a_record_comes_back_as_it_went(tmp_path):
    write_record(example(), tmp_path, {"key": "k"})
    back = read_record(tmp_path, TOPS)
    assert read_facts(tmp_path) == {"key": "k"}
    pd.testing.assert_frame_equal(back.table, example().table)
    np.testing.assert_array_equal(back.inner.draws, example().inner.draws)
    assert back.inner.by == example().inner.by and back.rules == example().rules
    assert back.rules[0].kind is Kind.SOUND and np.isnan(back.share) and back.text == "ä"
    assert (tmp_path / "table.csv").read_text().splitlines()[0] == "model,value,passed"


def test_a_class_from_elsewhere_and_a_damaged_file_are_refused(tmp_path):
    write_record(example(), tmp_path, {"key": "k"})
    with pytest.raises(MetacogError, match="is not ours"):
        read_record(tmp_path, ("metacog",))
    (tmp_path / "table.parquet").write_bytes(b"no parquet")
    with pytest.raises(MetacogError, match="delete that folder"):
        read_record(tmp_path, TOPS)
    with pytest.raises(MetacogError, match="a set cannot be stored"):
        write_record(dataclasses.replace(example(), text={1}), tmp_path, {})
    with pytest.raises(MetacogError, match="cannot be called 'items'"):
        write_record({"n": 1, "items": 2}, tmp_path, {})


CALLS = []


@analysis(needs=("asked",))
def counted(inputs, *, factor: int = 2):
    CALLS.append(factor)
    return {"n": factor * len(inputs.trials("asked"))}


@analysis(needs=("counted",))
def above(inputs, *, factor: int = 2):
    return {"n": inputs.result("counted").n + 1}


def uncomputed(name, **more):
    """An analysis of which only what it rests on matters."""
    return analysis(name=name, **more)(lambda inputs, *, model="": None)


@pytest.fixture
def study(tmp_path, monkeypatch):
    """A study of two analyses whose trials are one file, kept below a folder of its own."""
    (tmp_path / "trials.parquet").unlink(missing_ok=True)
    pd.DataFrame({"x": [1, 2, 3]}).to_parquet(tmp_path / "trials.parquet")
    monkeypatch.setattr(results, "project_root", lambda: tmp_path)
    monkeypatch.setattr(steps, "project_root", lambda: tmp_path)
    monkeypatch.setattr(results, "trial_files", lambda *a: [tmp_path / "trials.parquet"])
    monkeypatch.setattr(results, "read_collected", lambda *a: pd.read_parquet(tmp_path / "trials.parquet"))
    CALLS.clear()
    return Study("small", "A small study", analyses=(counted, above)), load_profile("smoke")


def test_a_result_is_computed_once_until_its_inputs_change(study, tmp_path):
    small, profile = study
    assert results.result(small, profile, counted, {}).n == 6
    assert results.result(small, profile, counted, {}).n == 6
    assert CALLS == [2]
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "trials.parquet")
    assert results.result(small, profile, counted, {}).n == 2
    assert CALLS == [2, 2]


def test_what_is_computed_again_is_the_same_byte_for_byte_and_its_times_stand_apart(study, tmp_path):
    small, profile = study
    folder = tmp_path / "results" / "smoke" / "small" / "counted"
    found = []
    for _ in range(2):
        results.result(small, profile, counted, {})
        found.append({file.name: file.read_bytes() for file in folder.iterdir()})
        (folder / "result.json").unlink()
    assert found[0] == found[1] and len(CALLS) == 2
    noted = (tmp_path / TIMES).read_text().splitlines()[1:]  # after an empty one, one each time
    assert [json.loads(line)["what"] for line in noted] == ["results/smoke/small/counted"] * 2


def test_a_time_stands_in_a_line_of_its_own_after_half_a_line(tmp_path):
    note_time(tmp_path, tmp_path / "a", 1.26)
    (tmp_path / TIMES).write_text((tmp_path / TIMES).read_text() + '\n{"what": "b", "ma')
    note_time(tmp_path, tmp_path / "c", 2)
    note_time(tmp_path, tmp_path.parent / "elsewhere", 3)
    first, half, last = (tmp_path / TIMES).read_text().splitlines()[1:]
    found = {one["what"]: one["seconds"] for one in map(json.loads, (first, last))}
    assert half.endswith('"ma') and found == {"a": 1.3, "c": 2}
    (tmp_path / TIMES).unlink()
    (tmp_path / TIMES).mkdir()
    with pytest.raises(MetacogError, match="could not write .*times.jsonl: Is a directory"):
        note_time(tmp_path, tmp_path / "d", 1)


def test_other_parameters_leave_the_profiles_results(study, tmp_path):
    small, profile = study
    results.result(small, profile, counted, {})
    assert results.result(small, profile, counted, {"factor": 5}).n == 15
    folders = sorted(p.name for p in (tmp_path / "results" / "smoke" / "small").iterdir())
    assert folders[0] == "counted" and folders[1].startswith("counted@") and len(folders) == 2
    assert results.result(small, profile, counted, {}).n == 6
    with pytest.raises(MetacogError, match="has no parameter colour; it has: factor"):
        results.result(small, profile, counted, {"colour": 1})


def test_a_profile_sets_the_parameters_of_one_analysis(study, tmp_path):
    small, profile = study
    own = dataclasses.replace(
        profile, analysis={**profile.analysis, "factor": 3, "small.counted": {"factor": 4}}
    )
    assert results.result(small, own, counted, {}).n == 12
    # what another analysis has by the profile is not handed on to the results that it reads
    assert results.parameters_of(small, above, own, {}) == {"factor": 3}
    assert results.result(small, own, above, {}).n == 13
    assert results.result(small, own, above, {"factor": 5}).n == 16
    wrong = dataclasses.replace(profile, analysis={"small.counted": {"colour": 1}})
    with pytest.raises(MetacogError, match="has no parameter colour"):
        results.parameters_of(small, counted, wrong, {})


def test_an_edit_of_the_code_computes_again(study, monkeypatch):
    small, profile = study
    results.result(small, profile, counted, {})
    monkeypatch.setattr(results, "code_of", lambda analysis: "edited")
    results.result(small, profile, counted, {})
    assert CALLS == [2, 2]


def test_a_result_that_rests_on_another_moves_with_it(study, tmp_path):
    small, profile = study
    assert results.result(small, profile, above, {}).n == 7
    pd.DataFrame({"x": [1, 2]}).to_parquet(tmp_path / "trials.parquet")
    assert results.result(small, profile, above, {}).n == 5
    assert results.result(small, profile, above, {"factor": 3}).n == 7


def test_inputs_that_are_not_named_are_not_given(study):
    small, profile = study
    inputs = results.Inputs(small, profile, counted, {})
    with pytest.raises(MetacogError, match="does not name it in needs="):
        inputs.trials("forced")
    with pytest.raises(MetacogError, match="does not name it in needs="):
        inputs.result("above")


def test_a_run_that_fails_leaves_the_old_result_whole(study, tmp_path):
    small, profile = study
    results.result(small, profile, counted, {})
    folder = tmp_path / "results" / "smoke" / "small" / "counted"
    before = (folder / "result.json").read_text()
    with pytest.raises(MetacogError, match="cannot be stored"):
        results.store({"n": {1}}, folder, {})
    assert (folder / "result.json").read_text() == before
    assert [p.name for p in folder.parent.iterdir()] == ["counted"]


def test_what_reads_trials_or_a_result_that_does_rests_on_trials(study):
    alone, after = uncomputed("alone"), uncomputed("after", needs=("alone",))
    more = dataclasses.replace(study[0], analyses=(counted, above, alone, after))
    rests = {one.name: results.rests_on_trials(more, one) for one in more.analyses}
    assert rests == {"counted": True, "above": True, "alone": False, "after": False}


RATES, RATES_OF_BOTH = uncomputed("rates", across="rate"), uncomputed("both", across="rate", both_runs=True)
RATES_OF_ONE = uncomputed("one", across="rate", per_model=True)


def test_across_studies_those_are_read_that_run_or_need_no_trials(study, monkeypatch):
    small, profile = study
    asking = (SimpleNamespace(name="asked"),)
    there = [
        Study("run", "", collections=asking, analyses=(uncomputed("rate", needs=("asked",)),)),
        Study("not run", "", collections=asking, analyses=(uncomputed("rate", needs=("asked",)),)),
        Study("printed", "", collections=asking, analyses=(uncomputed("rate"),)),
        Study("asks nothing", "", analyses=(uncomputed("rate"),)),
        Study("other", "", analyses=(uncomputed("alone of its name"),)),
    ]
    monkeypatch.setattr(results, "studies", lambda: there)
    own = dataclasses.replace(profile, studies={"run": {}})
    read = [list(results.other_results(small, own, one)) for one in (RATES, RATES_OF_ONE)]
    assert read == [["run.rate", "printed.rate", "asks nothing.rate"], ["run.rate", "printed.rate"]]


def test_another_study_is_read_in_the_run_that_carries_its_pages(study, monkeypatch):
    small, profile = study
    reference, other = dataclasses.replace(profile, name="reference"), Study("other", "")
    monkeypatch.setattr(results, "leading", lambda profile, study: reference)
    assert results.profile_for(small, profile, other, RATES) is reference
    assert results.profile_for(small, profile, small, RATES) is profile
    assert results.profile_for(small, profile, other, RATES_OF_BOTH) is profile
    assert results.profile_for(small, profile, other, RATES_OF_ONE) is profile


def test_a_result_depends_on_what_it_reads_of_the_reference_run_and_on_what_is_asked(study, monkeypatch):
    small, profile = study
    reference = dataclasses.replace(profile, name="reference", analysis={"factor": 9})
    monkeypatch.setattr(results, "_across", lambda profile, analysis: {})
    before = results.making(small, profile, RATES_OF_BOTH, {})
    found = {"small.counted": (small, reference, counted)}
    monkeypatch.setattr(
        results, "reference_results", lambda profile, analysis: found if analysis is RATES_OF_BOTH else {}
    )
    after = results.making(small, profile, RATES_OF_BOTH, {})
    assert after.results == {
        "reference: small.counted": results.making(small, reference, counted, {"factor": 9}).key
    }
    assert before.results == {} and before.key != after.key
    for change in ({"shards": 3}, {"models": ("m",)}, {"engine": {"n": 1}}, {"name": "n"}, {"studies": {}}):
        asked = dataclasses.replace(profile, **change)
        assert results.making(small, asked, counted, {}).settings != before.settings, change
    said = dataclasses.replace(profile, analysis={"factor": 9}, reference_leads=True)
    assert results.making(small, said, counted, {}).settings == before.settings


def test_an_analysis_of_one_model_reads_its_trials_and_entry_alone(study, monkeypatch):
    small, profile = study
    own, given = dataclasses.replace(profile, models=("a", "b")), {"model": "b"}
    of_one = uncomputed("of one", needs=("asked",), per_model=True)
    monkeypatch.setattr(results, "trial_files", lambda study, profile, name, model: [f"{name} of {model}"])
    monkeypatch.setattr(results, "entries_digest", lambda models, functions: " ".join(models))
    read = [results.input_files(small, own, one, given) for one in (of_one, counted)]
    assert read == [["asked of b"], ["asked of "]]
    entries = [results.entries_of(small, own, one, given) for one in (of_one, counted, RATES_OF_ONE, RATES)]
    assert entries == ["b", "a b", "b", ""]


def test_what_is_stored_is_read_without_computing(study, tmp_path):
    small, profile = study
    assert results.stored(small, profile, counted) is None and CALLS == []
    results.result(small, profile, counted, {})
    assert results.stored(small, profile, counted).n == 6 and CALLS == [2]
    pd.DataFrame({"x": [1]}).to_parquet(tmp_path / "trials.parquet")
    assert results.stored(small, profile, counted) is None and CALLS == [2]


@analysis(ledgers=True)
def all_ledgers(inputs, *, factor: int = 2):
    return {"n": sum(found.n for found in inputs.ledger_results().values())}


def test_a_ledger_hangs_on_the_results_that_its_rows_rest_on(study, tmp_path, monkeypatch):
    small, profile = study
    other = Study("other", "Another study", analyses=(all_ledgers,))
    monkeypatch.setattr("metacog.studies.ledgers.ledger_results", lambda having=None: [(small, counted)])
    read = results.other_results(other, profile, all_ledgers)
    assert read == {"small.counted": (small, counted)}
    assert results.result(other, profile, all_ledgers, {}).n == 6
    pd.DataFrame({"x": [1, 2]}).to_parquet(tmp_path / "trials.parquet")
    assert results.result(other, profile, all_ledgers, {}).n == 4 and CALLS == [2, 2]
    assert steps._step(other, profile, all_ledgers, "").inputs == ("results/smoke/small/counted/result.json",)


def test_a_ledger_leaves_out_studies_that_the_profile_does_not_run(study, monkeypatch):
    small, profile = study
    asks = dataclasses.replace(small, collections=(SimpleNamespace(name="something"),))
    monkeypatch.setattr("metacog.studies.ledgers.ledger_results", lambda having=None: [(asks, counted)])
    other = Study("other", "Another study", analyses=(all_ledgers,))
    assert results.other_results(other, profile, all_ledgers) == {}


def test_a_list_in_a_chapter_is_the_default_tuple(tmp_path, monkeypatch):
    """Else a page would have a copy of its own of a result that is there."""
    monkeypatch.setattr(results, "project_root", lambda: tmp_path)

    listed = analysis(name="listed")(lambda inputs, *, names=(): None)
    study, profile = Study("lists", "A study", analyses=(listed,)), load_profile("smoke")
    folders = [results.folder_of(study, profile, listed, {"names": given}) for given in ((), [], ["a"])]
    assert folders[0] == folders[1] != folders[2]


def test_a_study_names_each_of_its_collections_and_analyses_once():
    """An analysis that needs ``risk`` must not find another analysis where trials were meant."""

    with pytest.raises(MetacogError, match="risk names two"):
        Study("twice", "A study", collections=(SimpleNamespace(name="risk"),), analyses=(uncomputed("risk"),))


def test_what_asks_no_models_is_read_of_the_book_that_a_reference_run_leads():
    shared, asked = (open_run(study, "reference", "default") for study in ("shared", "study1_qa"))
    assert (shared.profile.name, shared.other) == ("default", None)
    assert asked.other and (asked.profile.name, asked.other.name) == ("reference", "default")
    assert open_run("shared", "reference").profile.name == "reference"
