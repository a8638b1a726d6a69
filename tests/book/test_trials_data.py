"""The trials that readers look up. Oracle: made-up trials, found again in what the page reads."""

import json
import re

import pandas as pd

from metacog.book.trials_data import MOST_BYTES, VARIABLE, packed, script
from metacog.studies.shared import trials_shown
from metacog.studies.study import Result
from metacog.studies.trials_shown import _rows


def made(n=4, study="Study 1", **changes):
    rows = {
        "study": study,
        "task": "open question",
        "model": "smollm2-135m",
        "temperature": 0.1,
        "question_id": [f"q-{i // 2}" for i in range(n)],
        "place": [str(i % 2) for i in range(n)],
        "question": [f"Who painted number {i // 2}?" for i in range(n)],
        "key": "Goya",
        "answer": [f"painter {i}" for i in range(n)],
        "right": [i % 2 for i in range(n)],
        "confidence": [i / n for i in range(n)],
        "sure": [int(i / n > 0.4) for i in range(n)],
        "turned": "",
    }
    return Result(trials=pd.DataFrame(rows | changes))


def together(parts):
    return Result(trials_shown.together(parts))


def test_every_trial_is_in_the_script_under_its_address():
    found = together([made(), made(study="Study 3", confidence=float("nan"), sure=-1, place="x")])
    assert (found.n, found.n_studies, found.n_turned) == (8, 2, 0)
    assert found.trials["address"].is_unique
    assert found.trials["address"].iloc[1] == "1~smollm2-135m~q-0~0.1~1"
    assert found.trials["address"].iloc[5] == "3~smollm2-135m~q-0~0.1~x~1"
    data = packed(found.trials)
    first, third = data["groups"]
    assert first["label"] == "SmolLM2-135M-Instruct" and first["r"] == "0101" and first["s"] == "0011"
    assert third["c"] == [-1] * 4 and third["s"] == "2222"
    read = [
        "~".join((g["start"], data["questions"][q][2], g["temperature"], p))
        for g in data["groups"]
        for q, p in zip(g["q"], g["p"], strict=True)
    ]
    assert read == found.trials["address"].tolist()
    alike = packed(together([made(2, place="0", question_id=["a", "b"])]).trials)["groups"][0]
    assert alike["p"] == "0"
    text = re.fullmatch(rf"window\.{VARIABLE} = (.*);\n", script(found.trials))
    assert json.loads(text[1]) == data
    assert packed(together([]).trials) == {"questions": [], "groups": []}


def test_sure_is_above_the_middle_of_one_temperature():
    own = pd.DataFrame({"question_id": list("abcabc"), "temperature": [0.1] * 3 + [1.0] * 3, "model": "m"})
    own = own.assign(answer="x", correct=1, confidence=[0.7, 0.8, 0.9, 0.1, 0.2, float("nan")])
    rows = _rows(own, {}, "confidence", None, None)
    assert rows["sure"].tolist() == [0, 0, 1, 0, 1, -1]


def test_as_many_trials_as_the_reference_run_has_stay_within_what_a_page_may_weigh():
    parts = [made(9_128 + 1_600, model=name, answer="an answer of usual length") for name in ("a", "b", "c")]
    assert len(script(together(parts).trials).encode()) < MOST_BYTES


def test_the_head_counts_what_is_shown():
    found = together([made(turned=["stricter", "", "", "looser"]), made(study="Study 2")])
    assert (found["n"], found["n_studies"]) == (8, 2) and together([])["n"] == 0
