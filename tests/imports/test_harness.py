"""Logs of lm-evaluation-harness. Oracle: softmax by hand on records laid out as the harness writes them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.harness import is_harness, read_harness


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


def softmaxes(values) -> np.ndarray:
    parts = np.exp(np.array(values) - np.max(values, axis=1, keepdims=True))
    return (parts / parts.sum(axis=1, keepdims=True)).max(axis=1)


def test_a_rare_contradiction_is_dropped_and_equal_choices_are_not(tmp_path):
    records = [record(i, [-3.0, -1.0 - i / 300], 1) for i in range(298)]
    records += [record(298, [-3.0, -1.0], 1, acc=0.0), record(299, [-1.0, -1.0], 0)]
    records.append(record(300, [-3.0, -1.0], 1, acc=None))
    report = Validation("x", "harness")
    trials = read_harness(write(tmp_path, records), report)
    assert len(trials) == 299 and trials["confidence"].iloc[-1] == 0.5 and trials["correct"].iloc[-1] == 1
    assert sorted(report.dropped.values()) == [1, 1]
    assert any("1 samples two choices are equally likely" in note for note in report.notes)


@pytest.mark.parametrize("right", [0.0, 1.0])
def test_a_log_whose_metric_contradicts_its_targets_is_refused(tmp_path, right):
    """Leaving such samples out would leave out right answers, or wrong ones, alone."""
    records = [record(i, [-3.0, -1.0], 1, acc=1.0) for i in range(60)]
    records += [record(i, [-3.0, -1.0], int(not right), acc=right) for i in range(60, 100)]
    with pytest.raises(MetacogError, match=r"in 40 of 100 samples acc does not say.*--scorer.*--correct"):
        read_harness(write(tmp_path, records), Validation("x", "harness"))


def random_choices(n: int = 120, words: bool = True):
    """Log-likelihoods of four choices of unequal lengths, and places of the right ones."""
    rng = np.random.default_rng(7)
    choices = [["größer " * int(k) + str(j) for j, k in enumerate(rng.integers(0, 5, 4))] for _ in range(n)]
    values = -np.array([[len(c) for c in four] for four in choices]) * rng.uniform(0.5, 1.5, (n, 4)) - 0.5
    return choices, values, rng.integers(0, 4, n)


def by_length(doc_id, choices, values, gold, **more) -> dict:
    made = record(doc_id, list(values), int(gold), **more)
    made["doc"] = {"question": "?"}
    made["arguments"] = [["?", f" {choice}"] for choice in choices]
    return made


@pytest.mark.parametrize(
    ("metric", "length"),
    [
        ("acc_norm", len),  # to 0.4.9: choices alone
        ("acc_norm", lambda text: 1 + len(text)),  # later: what was scored, its blank too
        ("acc_bytes", lambda text: len(text.encode())),
    ],
)
def test_metrics_by_length_are_taken_as_the_harness_takes_them(tmp_path, metric, length):
    choices, values, gold = random_choices()
    per = values / np.array([[length(c) for c in four] for four in choices])
    right = (per.argmax(axis=1) == gold).astype(float)
    made = [
        {**by_length(i, choices[i], values[i], gold[i]), metric: right[i], "metrics": [metric]}
        for i in range(len(gold))
    ]
    for one in made:
        del one["acc"]
    report = Validation("x", "harness")
    trials = read_harness(write(tmp_path, made), report)
    np.testing.assert_allclose(trials["confidence"], softmaxes(per))
    assert trials["correct"].tolist() == right.tolist() and not report.dropped
    assert f"correctness is {metric}" in report.notes[0]


def test_the_metric_is_named_and_another_can_be_asked_for(tmp_path):
    choices, values, gold = random_choices()
    per = values / np.array([[len(c) for c in four] for four in choices])
    made = [
        by_length(i, choices[i], values[i], gold[i], acc_norm=float(per[i].argmax() == gold[i]))
        for i in range(len(gold))
    ]
    path, report = write(tmp_path, made), Validation("x", "harness")
    np.testing.assert_allclose(read_harness(path, report)["confidence"], softmaxes(values))
    assert "correctness is acc," in report.notes[0] and "--scorer acc_norm" in report.notes[0]
    trials = read_harness(path, report, metric="acc_norm")
    np.testing.assert_allclose(trials["confidence"], softmaxes(per))
    with pytest.raises(MetacogError, match="cannot be read by 'f1'.*it has acc, acc_norm"):
        read_harness(path, report, metric="f1")


def test_a_metric_that_is_a_share_is_named(tmp_path):
    """truthfulqa_mc2 calls the probability of the true answers acc."""
    made = [record(i, [-3.0, -1.0], 1, acc=0.7) for i in range(5)]
    with pytest.raises(MetacogError, match="has no acc, acc_norm.* of 0 or 1 in any sample.*metric_list"):
        read_harness(write(tmp_path, made), Validation("x", "harness"))


def test_mutual_information_is_what_the_question_adds(tmp_path):
    rng = np.random.default_rng(1)
    given, alone, gold = rng.normal(-5, 2, (80, 3)), rng.normal(-5, 2, (80, 3)), rng.integers(0, 3, 80)
    made = []
    for i in range(80):
        one = record(i, [*given[i], *alone[i]], 0)
        one["arguments"] = [["?", f" {c}"] for c in "xyz"] + [["", f" {c}"] for c in "xyz"]
        one["doc"], one["target"] = {}, str(gold[i])
        one["acc"] = float(given[i].argmax() == gold[i])
        one["acc_mutual_info"] = float((given - alone)[i].argmax() == gold[i])
        made.append(one)
    path, report = write(tmp_path, made), Validation("x", "harness")
    np.testing.assert_allclose(read_harness(path, report)["confidence"], softmaxes(given))
    trials = read_harness(path, report, metric="acc_mutual_info")
    np.testing.assert_allclose(trials["confidence"], softmaxes(given - alone))
    assert trials["correct"].tolist() == [one["acc_mutual_info"] for one in made] and not report.dropped


TARGETS = {
    "place": lambda gold, choices: gold,
    "place in words": lambda gold, choices: str(gold),
    "text": lambda gold, choices: choices[gold],
    "letter": lambda gold, choices: "ABCDE"[gold],
    "places": lambda gold, choices: [gold],
    "places in words": lambda gold, choices: f"[{gold}]",
    "texts": lambda gold, choices: [choices[gold]],
    "neither": lambda gold, choices: "the answer in words of its own",
}


@pytest.mark.parametrize("choices", [["1", "2", "3", "4", "5"], ["no", "yes", "maybe", "3", "0"]])
@pytest.mark.parametrize("target", TARGETS)
def test_targets_in_every_form(tmp_path, target, choices):
    """Numbers as choices: the target "3" is the choice "3" or the fourth, as the log's own acc shows."""
    rng = np.random.default_rng(2)
    values, gold = rng.normal(-4, 1, (100, 5)), rng.integers(0, 5, 100)
    made = []
    for i in range(100):
        one = by_length(i, choices, values[i], gold[i])
        made.append({**one, "target": TARGETS[target](int(gold[i]), choices)})
    report = Validation("x", "harness")
    trials = read_harness(write(tmp_path, made), report)
    assert trials["correct"].tolist() == (values.argmax(axis=1) == gold).astype(int).tolist()
    assert len(trials) == 100 and not report.dropped


def test_of_two_choices_alike_the_first_is_the_target(tmp_path):
    """``choices.index`` in the harness; the second counts as wrong, however likely."""
    made = []
    for i in range(50):
        one = by_length(i, ["yes", "no", "yes"], [-3.0, -2.0 - i / 50, -1.0 if i % 2 else -4.0], 0)
        made.append({**one, "target": "yes", "acc": 0.0})
    report = Validation("x", "harness")
    trials = read_harness(write(tmp_path, made), report)
    assert trials["correct"].sum() == 0 and len(trials) == 50 and not report.dropped


def test_choices_that_stand_in_the_question(tmp_path):
    """winogrande: the continuation is one, and the target it, so the place is not in the log."""
    made = []
    for i in range(40):
        one = record(i, [-3.0, -1.0 - i / 40], i % 2)
        one["arguments"] = [["The cup was", " too small."], ["The bag was", " too small."]]
        made.append({**one, "target": "too small.", "doc": {"answer": "1"}})
    report = Validation("x", "harness")
    trials = read_harness(write(tmp_path, made, "winogrande"), report)
    assert trials["correct"].tolist() == [i % 2 for i in range(40)] and not report.dropped
    for one in made:
        one["acc_norm"] = one.pop("acc")
    with pytest.raises(MetacogError, match="does not say what the choices were"):
        read_harness(write(tmp_path, made, "winogrande"), report)


@pytest.mark.parametrize("form", ["one list", "a list a line", "indented", "pairs in words"])
def test_lists_in_lines(tmp_path, form):
    made = [record(i, [-3.0, -1.0 - i / 40], i % 2) for i in range(40)]
    if form == "pairs in words":
        for one in made:
            one["filtered_resps"] = [f"('{value}', '{greedy}')" for value, greedy in one["filtered_resps"]]
    text = {
        "one list": json.dumps(made),
        "a list a line": "\n".join(json.dumps(made[i : i + 8]) for i in range(0, 40, 8)),
        "indented": json.dumps(made, indent=2),
        "pairs in words": "\n".join(map(json.dumps, made)),
    }[form]
    path = tmp_path / "mine.jsonl"
    path.write_text(text)
    assert is_harness(path)
    trials = read_harness(path, Validation("x", "harness"))
    np.testing.assert_allclose(trials["confidence"], [1 / (1 + np.exp(-2 + i / 40)) for i in range(40)])


def test_logs_before_version_0_4(tmp_path):
    """``write_out_info.json``, as 0.3 writes it: a list of objects whose metrics are texts."""
    values = np.random.default_rng(5).normal(-5, 2, (40, 3))
    made = [
        {
            "doc_id": i,
            **{f"prompt_{j}": f"Question {i}? {'xyz'[j]}" for j in range(3)},
            **{f"logit_{j}": values[i, j] for j in range(3)},
            "truth": i % 3,
            "acc": str(float(values[i].argmax() == i % 3)),
            "acc_norm": "0.0",
        }
        for i in range(40)
    ]
    path = tmp_path / "arc_easy_write_out_info.json"
    path.write_text(json.dumps(made, indent=4))
    assert is_harness(path) and is_harness(tmp_path)
    trials = read_harness(path, Validation("x", "harness"))
    np.testing.assert_allclose(trials["confidence"], softmaxes(values))
    assert trials["correct"].tolist() == [int(float(one["acc"])) for one in made]
    assert trials["domain"].unique().tolist() == ["arc_easy"]


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
