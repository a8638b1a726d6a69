"""Logs of lm-evaluation-harness. Oracle: softmax by hand on records laid out as the harness writes them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.harness import is_harness, log_likelihoods, read_answers, read_harness


def record(doc_id: int, values: list[float], target: int, *, form: str = "numbers", **more) -> dict:
    """One sample; ``form`` is how the harness's versions write a log-likelihood."""
    greedy = int(np.argmax(values))
    pairs = [[v, i == greedy] for i, v in enumerate(values)]
    if form == "texts":
        pairs = [[str(v), str(g)] for v, g in pairs]
    return {
        "doc_id": doc_id,
        "doc": {"question": "?", "choices": ["x"] * len(values)},
        "target": str(target) if form == "texts" else target,
        "arguments": {f"gen_args_{i}": {"arg_0": "?", "arg_1": " x"} for i in range(len(values))},
        "resps": [[p] for p in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "acc": float(greedy == target),
        **more,
    }


def write(folder, records, task="arc_easy"):
    path = folder / f"samples_{task}_2024-05-01T10-00-00.000000.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in records) + "\n")
    return path


@pytest.mark.parametrize("form", ["numbers", "texts"])
def test_confidence_is_the_softmax_of_the_chosen(tmp_path, form):
    folder = tmp_path / "owner__some-model"
    folder.mkdir()
    path = write(folder, [record(0, [-3.0, -1.0, -2.0], 1, form=form), record(1, [-1.0, -5.0], 1, form=form)])
    assert is_harness(path)
    report = Validation("x", "harness")
    trials = read_harness(path, report)
    e = np.exp([2.0, 1.0, 0.0])
    np.testing.assert_allclose(trials["confidence"], [e[0] / e.sum(), 1 / (1 + np.exp(-4.0))])
    assert trials["correct"].tolist() == [1, 0]
    assert trials["model"].unique().tolist() == ["owner/some-model"]
    assert trials["domain"].unique().tolist() == ["arc_easy"]
    assert trials["question_id"].tolist() == ["arc_easy:0", "arc_easy:1"]


def test_model_from_the_results_next_to_it(tmp_path):
    write(tmp_path, [record(0, [-3.0, -1.0], 1)])
    (tmp_path / "results_2024.json").write_text(
        json.dumps({"config": {"model_args": "pretrained=org/m-1b,dtype=auto"}})
    )
    assert read_harness(tmp_path, Validation("x", "harness"))["model"].tolist() == ["org/m-1b"]


def test_a_folder_of_tasks_is_read_together(tmp_path):
    write(tmp_path, [record(0, [-3.0, -1.0], 1)], "arc_easy")
    write(tmp_path, [record(0, [-3.0, -1.0], 0)], "boolq")
    trials = read_harness(tmp_path, Validation("x", "harness"))
    assert trials["domain"].tolist() == ["arc_easy", "boolq"]
    assert trials["question_id"].is_unique


def test_what_contradicts_itself_is_dropped(tmp_path):
    good, bad = record(0, [-3.0, -1.0], 1), record(1, [-3.0, -1.0], 1, acc=0.0)
    tie, none = record(2, [-1.0, -1.0], 0), record(3, [-3.0, -1.0], 1, acc=None)
    report = Validation("x", "harness")
    trials = read_harness(write(tmp_path, [good, bad, tie, none]), report)
    assert len(trials) == 1
    assert sorted(report.dropped.values()) == [1, 1, 1]


def test_unconditional_half_is_left_out():
    made = record(0, [-3.0, -1.0], 1)
    made["filtered_resps"] = [[-3.0, False], [-1.0, True], [-0.1, True], [-9.0, False]]
    np.testing.assert_array_equal(log_likelihoods(made), [-3.0, -1.0])


def test_generated_answers_have_no_confidence(tmp_path):
    generated = {"doc_id": 0, "target": "4", "resps": [["4"]], "filtered_resps": ["4"], "exact_match": 1.0}
    with pytest.raises(MetacogError, match="generate_until.*--correct and --confidence"):
        read_harness(write(tmp_path, [generated], "gsm8k"), Validation("x", "harness"))


def test_other_jsonl_is_none(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text('{"ok": 1, "sure": 0.5}\n')
    assert not is_harness(path)
    assert not is_harness(tmp_path)


def test_one_filter_is_read_at_a_time(tmp_path):
    path = write(
        tmp_path,
        [
            record(i, [-3.0, -1.0], right, filter=name)
            for name, right in (("none", 1), ("clean", 0))
            for i in range(3)
        ],
    )
    with pytest.raises(MetacogError, match=r"under 2 filters \(none, clean\).*--filter"):
        read_harness(path, Validation("x", "harness"))
    with pytest.raises(MetacogError, match="no filter 'strict'; it has: none, clean"):
        read_harness(path, Validation("x", "harness"), filter_name="strict")
    report = Validation("x", "harness")
    assert read_harness(path, report, filter_name="clean")["correct"].tolist() == [0, 0, 0]
    assert report.n_read == 3 and "under none" in report.notes[0]
    assert len(read_harness(write(tmp_path, [record(0, [-3.0, -1.0], 1)]), Validation("x", "harness"))) == 1


def generated(doc_id: int, answer: str, right: float, name: str, **more) -> dict:
    return {
        "doc_id": doc_id,
        "arguments": {"gen_args_0": {"arg_0": f"Question {doc_id}?", "arg_1": {"until": []}}},
        "resps": [["So it is " + answer]],
        "filtered_resps": [answer],
        "filter": name,
        "exact_match": right,
        **more,
    }


def test_generated_answers_are_read_for_a_model_that_scores_them(tmp_path):
    records = [
        generated(i, str(40 + i), float(i % 2), name) for i in range(3) for name in ("strict", "flexible")
    ]
    turns = json.dumps([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "2 + 2?"}])
    records.append(generated(3, "4", 1.0, "strict", arguments=[[turns, {}]]))
    records.append(generated(4, "x", 0.5, "strict"))
    records.append({**generated(5, "x", 1.0, "strict"), "filtered_resps": [["4", "5"]]})
    report = Validation("x", "harness")
    table = read_answers(write(tmp_path, records, "gsm8k"), report, filter_name="strict")
    assert table["answer"].tolist() == ["40", "41", "42", "4"]
    assert table["correct"].tolist() == [0, 1, 0, 1]
    assert table["question"].tolist()[2:] == ["Question 2?", "Be brief.\n\n2 + 2?"]
    assert table["question_id"].tolist()[0] == "gsm8k:0"
    assert sorted(report.dropped.values()) == [1, 1] and report.n_read == 6
