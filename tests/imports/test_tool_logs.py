"""Logs of other tools, in the forms that they write. Oracle: the numbers that went into them."""

from __future__ import annotations

import json
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metacog.core.errors import MetacogError
from metacog.imports.clean import Validation
from metacog.imports.mapping import Columns
from metacog.imports.report import Request, load
from metacog.imports.tables import read_table
from metacog.imports.tool_logs import read_log, tool_of

N = 60
RNG = np.random.default_rng(4)
RIGHT = RNG.random(N) < 0.6
SURE = np.round(RNG.random(N), 4)


def lines(path, records):
    path.write_text("\n".join(map(json.dumps, records)) + "\n")
    return path


def evals_log(path, *, data=lambda i: {}, kind="match"):
    """evals/record.py, LocalRecorder: a spec, an event a line, a final report."""
    records = [
        {"spec": {"completion_fns": ["gpt-x"], "eval_name": "quiz.s1.v0", "base_eval": "quiz", "run_id": "r"}}
    ]
    for i in range(N):
        event = {"run_id": "r", "sample_id": f"quiz.s1.{i}", "created_by": "", "created_at": "2023-04-17"}
        prompt = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": f"item {i}"}]
        records.append(
            {**event, "event_id": 2 * i, "type": "sampling", "data": {"prompt": prompt, "sampled": [f"a{i}"]}}
        )
        told = {"correct": bool(RIGHT[i]), "expected": "a", "picked": "a", **data(i)}
        told = {"accuracy": float(RIGHT[i])} | data(i) if kind == "metrics" else told
        records.append({**event, "event_id": 2 * i + 1, "type": kind, "data": told})
    return lines(path, [*records, {"final_report": {"accuracy": float(RIGHT.mean())}}])


@pytest.mark.parametrize("kind", ["match", "metrics"])
@pytest.mark.parametrize("named", [True, False])
def test_openai_evals_events_with_a_confidence(tmp_path, kind, named):
    path = evals_log(tmp_path / "log.jsonl", data=lambda i: {"confidence": SURE[i]}, kind=kind)
    correct = "data.correct" if kind == "match" else "data.accuracy"
    columns = Columns(correct, "data.confidence") if named else Columns()
    trials, report = load(path, Request(columns))
    assert trials["correct"].tolist() == RIGHT.tolist()
    np.testing.assert_allclose(trials["confidence"], SURE)
    assert set(trials["model"]) == {"gpt-x"} and set(trials["domain"]) == {"quiz.s1.v0"}
    assert report.n_read == N and f"{N + 2} lines are no {kind} events" in report.notes[0]


def no_confidence(path, tool):
    with pytest.raises(MetacogError, match=f"log of {tool} and keeps no confidence.*--confidence agreement"):
        load(path, Request())


def marked(path):
    """Correctness and answers."""
    whole = read_table(path)
    tool = tool_of(whole)
    table, roles = read_log(
        tool, whole, Columns(confidence="agreement"), path, Validation(path.name, tool.name)
    )
    assert len(table) == N
    return table[roles.correct], table[roles.answer].tolist()


def test_openai_evals_without_a_confidence(tmp_path):
    path = evals_log(tmp_path / "log.jsonl")
    no_confidence(path, "OpenAI evals")
    correct, said = marked(path)
    assert correct.tolist() == RIGHT.tolist() and said[3] == "a3"
    with pytest.raises(MetacogError, match=r"no column 'data.confidence'.*data\.correct.*OpenAI evals"):
        load(path, Request(Columns("data.correct", "data.confidence")))


def stat(name, mean, **more):
    return {"name": {"name": name, "split": "test", **more}, "count": 1, "sum": mean, "mean": mean}


def helm_run(folder, *, told=True, scores=RIGHT):
    """helm.benchmark.runner (0.5): a folder a run; statistics of an instance in several entries."""
    run = folder / "mmlu:subject=anatomy,method=multiple_choice_joint,model=openai_gpt2"
    run.mkdir()
    entries, shown = [], []
    for i in range(N):
        of = {"instance_id": f"id{i}", "train_trial_index": 0}
        score, probability = float(scores[i]), SURE[i] if told else 1.0
        first = [stat("exact_match", score), stat("max_prob", probability)]
        entries.append({**of, "stats": [*first, stat("logprob", float(np.log(probability)))]})
        entries.append({**of, "stats": [stat("num_output_tokens", 1.0)]})
        said = {"predicted_text": " B", "mapped_output": f"said {i}"}
        shown.append({**of, **said, "stats": {"exact_match": score}})
    for i in range(4):
        bent = {"instance_id": f"id{i}", "perturbation": {"name": "typos"}, "train_trial_index": 0}
        entries.append({**bent, "stats": [stat("exact_match", 0.0), stat("max_prob", 0.1)]})
    (run / "per_instance_stats.json").write_text(json.dumps(entries, indent=2))
    (run / "display_predictions.json").write_text(json.dumps(shown))
    return run


def test_helm_tells_what_is_right_and_how_likely_it_was(tmp_path):
    trials, report = load(helm_run(tmp_path) / "per_instance_stats.json", Request())
    assert trials["correct"].tolist() == RIGHT.tolist()
    np.testing.assert_allclose(trials["confidence"], SURE)
    assert set(trials["model"]) == {"openai/gpt2"}
    assert set(trials["domain"]) == {"mmlu:subject=anatomy,method=multiple_choice_joint"}
    assert report.dropped == {"the instance was perturbed": 4} and report.n_read == N + 4


def test_helm_of_a_model_that_gave_no_log_probabilities(tmp_path):
    """Its probability is then 1 throughout, by which HELM leaves calibration out too."""
    no_confidence(helm_run(tmp_path, told=False) / "per_instance_stats.json", "HELM")


def test_helm_counts_one_of_equal_bests_as_wrong(tmp_path):
    trials, _ = load(
        helm_run(tmp_path, scores=np.where(RIGHT, 1.0, 0.5)) / "per_instance_stats.json", Request()
    )
    assert trials["correct"].tolist() == RIGHT.tolist()


def test_helm_predictions_have_answers(tmp_path):
    path = helm_run(tmp_path) / "display_predictions.json"
    no_confidence(path, "HELM")
    correct, said = marked(path)
    assert correct.tolist() == RIGHT.tolist() and said[2] == "said 2"


def test_helm_state_points_to_the_file_that_says_what_is_right(tmp_path):
    result = {"success": True, "completions": [{"text": "B", "logprob": -1.0}]}
    states = [{"instance": {"id": f"id{i}"}, "train_trial_index": 0, "result": result} for i in range(N)]
    path = tmp_path / "scenario_state.json"
    path.write_text(json.dumps({"request_states": states, "adapter_spec": {"stop_sequences": []}}))
    with pytest.raises(MetacogError, match="take per_instance_stats.json"):
        load(path, Request())


def simple_evals(path):
    """simple_evals.py: score, metrics, a page and a conversation an item."""
    page = "<h3>Results</h3>\n<p>Correct Answer: a</p>\n<p>Extracted Answer: b</p>\n<p>Score: {}</p>\n"
    said = [(f"item {i}", f"a{i}") for i in range(N)]
    turns = [[{"role": "user", "content": q}, {"role": "assistant", "content": a}] for q, a in said]
    htmls = [page.format(float(right) if i % 2 else bool(right)) for i, right in enumerate(RIGHT)]
    whole = {"score": 0.6, "metrics": {"chars": 2.0}, "htmls": htmls, "convos": turns, "metadata": None}
    path.write_text(json.dumps(whole))
    return path


def test_simple_evals_keeps_no_confidence(tmp_path):
    path = simple_evals(tmp_path / "mmlu_gpt-x_20250101_allresults.json")
    no_confidence(path, "simple-evals")
    correct, said = marked(path)
    assert correct.map({"1.0": True, "True": True, "0.0": False, "False": False}).tolist() == RIGHT.tolist()
    assert said[5] == "a5"
    page = tmp_path / "mmlu_gpt-x.html"
    page.write_text(json.loads(path.read_text())["htmls"][0])
    with pytest.raises(MetacogError, match=r"report of simple-evals.*_allresults\.json"):
        load(page, Request())
    summary = tmp_path / "mmlu_gpt-x.json"
    summary.write_text('{"chars": 2.0, "score:std": 0.48, "score": 0.62}')
    with pytest.raises(MetacogError, match="single values alone as simple-evals"):
        load(summary, Request())


@pytest.mark.parametrize("picked", [True, False])
def test_mmlu_pro(tmp_path, picked):
    """evaluate_from_local.py writes pred; outputs of before have none, and are cut as compute_accuracy.py does."""
    texts = ["So the answer is ({}).", "...\nAnswer: {}", "Hence {}, I think."]
    rows = []
    for i in range(N):
        said = "C" if RIGHT[i] else "E"
        row = {
            "question_id": 70 + i,
            "question": f"item {i}",
            "options": ["x", "y", "z"],
            "answer": "C",
            "answer_index": 2,
            "category": "law",
            "model_outputs": texts[i % 2].format(said),
        }
        rows.append({**row, "pred": said} if picked else row)
    rows[0] = {**rows[0], "model_outputs": "no idea", **({"pred": None} if picked else {})}
    path = tmp_path / "law_result.json"
    path.write_text(json.dumps(rows))
    no_confidence(path, "MMLU-Pro")
    correct, said = marked(path)
    assert correct.tolist()[1:] == RIGHT.tolist()[1:] and correct.tolist()[0] == 0
    assert said[1] == rows[1]["model_outputs"]
    sure = [{**row, "sure": float(s)} for row, s in zip(rows, SURE, strict=True)]
    path.write_text(json.dumps(sure))
    np.testing.assert_allclose(load(path, Request(Columns(confidence="sure")))[0]["confidence"], SURE)
    if picked:
        trials, _ = load(path, Request(Columns(confidence="sure", answer="pred", key="answer")))
        assert trials["correct"].tolist() == [False, *RIGHT.tolist()[1:]]


def test_lm_polygraph_estimates_are_uncertainties(tmp_path):
    path = tmp_path / "ue.csv"
    path.write_text("right,MaximumSequenceProbability,PTrue\n" + "1,0.5,0.2\n0,3.5,0.9\n" * 20)
    for name in ("MaximumSequenceProbability", "PTrue"):
        with pytest.raises(MetacogError, match=f"{name}' is an estimator of lm-polygraph.*--lower-is-surer"):
            load(path, Request(Columns("right", name)))
    own = tmp_path / "own.csv"
    own.write_text("right,PTrue\n" + "1,0.9\n0,0.2\n" * 20)
    assert len(load(own, Request(Columns("right", "PTrue")))[0]) == 40


def test_lm_polygraph_saves_are_not_opened(tmp_path):
    path = tmp_path / "ue_manager_seed1.man"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.pkl", b"x")
    with pytest.raises(MetacogError, match="saved by PyTorch.*lm-polygraph.*columns of a CSV"):
        load(path, Request(Columns("right", "ue")))


@pytest.mark.parametrize("name", ["a.json", "b.jsonl"])
def test_tables_of_ones_own_are_no_logs(tmp_path, name):
    rows = [
        {"type": "mcq", "run_id": 1, "ok": bool(r), "sure": float(s)}
        for r, s in zip(RIGHT, SURE, strict=True)
    ]
    path = tmp_path / name
    path.write_text(json.dumps(rows))
    trials, report = load(path, Request(Columns("ok", "sure")))
    assert len(trials) == N and report.kind == "table"


FIELDS = (
    "doc_id filtered_resps resps acc target arguments eval samples score scores value error run_id event_id sample_id "
    "type data correct instance_id train_trial_index stats name htmls convos question_id options answer answer_index "
    "model_outputs confidence metadata results logit_0 prompt_0 output choices a.b"
).split()
CELLS = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.sampled_from(["match", "C", "80%", "[1, 2]", "{", "('1', 'True')"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS), inner, max_size=4),
    max_leaves=10,
)


@settings(max_examples=150, deadline=None)
@given(
    rows=st.lists(st.dictionaries(st.sampled_from(FIELDS), CELLS, max_size=10), min_size=1, max_size=4),
    form=st.sampled_from(["json", "jsonl"]),
    columns=st.sampled_from(
        [Columns(), Columns("acc", "confidence"), Columns(confidence="options.*", key="answer")]
    ),
)
def test_any_json_is_a_table_a_log_or_a_short_refusal(tmp_path_factory, rows, form, columns):
    path = tmp_path_factory.mktemp("any") / f"x.{form}"
    path.write_text(json.dumps(rows) if form == "json" else "\n".join(map(json.dumps, rows * 15)))
    try:
        load(path, Request(columns))
    except MetacogError as refusal:
        assert len(str(refusal)) < 1500
