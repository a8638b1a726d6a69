"""Inputs that once were breaches, by target and what is wrong with them: small, and kept so that none comes back."""

from __future__ import annotations

import json
from typing import Any

from fuzzing.inputs import MARK, seeds


def joined(form: str, **parts: str | bytes) -> bytes:
    """An input of a form with named parts; names hold ``.`` as ``_dot_`` and ``/`` as ``__``."""
    made = form.encode()
    for name, content in parts.items():
        whole = name.replace("_dot_", ".").replace("__", "/").encode()
        made += MARK + whole + b"\n" + (content if isinstance(content, bytes) else content.encode())
    return made


def lines(records: list[Any]) -> str:
    """JSON lines."""
    return "\n".join(json.dumps(one) for one in records)


def part(target: str, form: str, name: str) -> Any:
    """The JSON of a part of the first sound input of a form; the first line, where there are more."""
    data = next(one for one in seeds(target) if one.startswith(form.encode() + MARK))
    text = data.partition(MARK + name.encode() + b"\n")[2].partition(MARK)[0]
    return json.loads(text.partition(b"\n")[0])


DEEP, DIGITS, BYTES = "[" * 50_000, "9" * 5_000, b"\xff\xfe\x00"
_BATTERY, _HEADER = part("questions", "battery", "file"), part("logs", "eval", "header.json")
_MANIFEST, _FITTED = part("packs", "manifest", "file"), seeds("packs")[0]
_ANALYSIS = "analysis: {n_resamples: 100, n_permutations: 100, seed: 1, verdicts: no}\n"
_PROFILE = "name: mine\nmodels: [x]\nstudies: {study1_qa: null}\n" + _ANALYSIS
_MODEL = "{label: M, kind: base, sha256: null, prompts: {}, source: {hub: {repo: a/b, file: c.gguf}}}"


def _manifest(**changes: Any) -> bytes:
    return joined("manifest", file=json.dumps({**_MANIFEST, **changes}))


def _inspect(sample: Any, header: Any = _HEADER) -> bytes:
    return joined("eval", header_dot_json=json.dumps(header), samples__1_epoch_1_dot_json=json.dumps(sample))


def _answer(choice: Any) -> bytes:
    return joined("200", body=json.dumps({"choices": [choice]}))


def _bomb(levels: int = 30) -> str:
    """Lists of lists of aliases: nine times as many texts at each level."""
    text = "a0: &a0 [lol]\n"
    return text + "".join(f"a{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(levels))


FOUND: dict[str, dict[str, bytes]] = {
    "replies": {"a list without end": DEEP.encode()},
    "questions": {
        "no table": joined("triviaqa-parquet", file="no table"),
        "an answer without aliases": joined(
            "triviaqa-parquet",
            table=json.dumps({"question_id": ["a"], "question": ["Who?"], "answer": [{"value": "X"}]}),
        ),
        "bytes that are no text": joined("dpr-tsv", file=b"who" + BYTES + b"\t['X']\n"),
        "a list of lists": joined("dpr-tsv", file="who\t[['X']]\n"),
        "a cell of a million letters": joined("dpr-tsv", file="x" * 1_000_000 + "\t['X']\n"),
        "a row too long": joined("csv", file="question,answer\nWho?,X\nWho?,X,Y,Z\n"),
        "a table of bytes": joined("csv", file=BYTES),
        "an empty table": joined("csv", file=""),
        "a stem that is an object": joined(
            "csqa-jsonl",
            file=lines(
                [
                    {
                        "id": "c",
                        "answerKey": "A",
                        "question": {"stem": {}, "choices": [{"label": "A", "text": "x"}]},
                    }
                ]
            ),
        ),
        "a key that is no number": joined(
            "mmlu-parquet", table=json.dumps({"question": ["Q?"], "choices": [["a", "b"]], "answer": [""]})
        ),
        "answers that are a number": joined("nq-jsonl", file=lines([{"question": "who", "answer": 7}])),
        "a number of 5,000 digits": joined("bank", file=f'{{"id": {DIGITS}}}'),
        "a line without end": joined("bank", file=DEEP),
        "an item that is a list": joined("probe", file="[]"),
        "items that are bytes": joined("probe", file=BYTES),
        "an item's number of 5,000 digits": joined("battery", file=f'{{"id": {DIGITS}}}'),
        "a difficulty beyond all numbers": joined(
            "battery", file=lines([{**_BATTERY, "difficulty": 10**400}])
        ),
        "half a character": joined("nq-jsonl", file='{"question": "who \\ud800", "answer": ["X"]}'),
    },
    "tables": {
        "a count beyond all numbers": joined(
            "counts json", file=json.dumps([{"nR_S1": [1e300, 1, 1, 1], "nR_S2": [1, 1, 1, 1]}])
        ),
        "a whole count beyond all numbers": joined(
            "counts json", file=json.dumps([{"nR_S1": [10**320, 1, 1, 1], "nR_S2": [1, 1, 1, 1]}])
        ),
        "a whole count beyond all numbers in a table": joined(
            "counts csv", file=f"nR_S1,nR_S2\n9,1\n5,{'2' * 400}\n3,6\n1,8\n"
        ),
        "columns of 5,000 letters": joined(
            "open csv", file=",".join(c * 5_000 for c in "abcdefg") + "\n1,2,3,4,5,6,7\n"
        ),
        "30,000 columns": joined("open csv", file="," * 30_000 + "\n1\n"),
    },
    "logs": {
        "results that are bytes": joined("harness", file=lines([{"doc_id": 1}]), results=BYTES),
        "results that are a list": joined("harness", file=lines([{"doc_id": 1}]), results=b"[]"),
        "correctness in words": joined(
            "harness", file=lines([{"filtered_resps": [[-1, True], [-2, False]], "acc": "<script>"}])
        ),
        "a sample without end": joined("harness", file='{"doc_id": 1, "doc": ' + DEEP),
        "a header that is a number": _inspect({}, 3),
        "an evaluation that is a number": _inspect({}, {"eval": 3}),
        "a sample that is a number": _inspect(7),
        "choices that are a text": _inspect({"scores": {"m": {"value": "C"}}, "output": {"choices": "x"}}),
        "a plan that is a number": _inspect({}, {**_HEADER, "eval": {}, "plan": 7}),
        "a sample's log without end": joined("json", file='{"eval": {}, "samples": [' + DEEP),
    },
    "packs": {
        "a manifest that is a list": joined("manifest", file="[]"),
        "a manifest without parts": _manifest(parts=None),
        "damage that is a number": _manifest(damaged=0.5),
        "a part without a number": _manifest(parts={"x": {"file": "x", "sha256": "x"}}),
        "a manifest without end": joined("manifest", file=DEEP),
        "items without number": _manifest(config={**_MANIFEST["config"], "n_items": 10**21}),
        "an engine that is a text": _FITTED.replace(
            b'"engine": {"engine": "stub"', b'"engine": "stub", "e": {"engine": "stub"'
        ),
    },
    "configuration": {
        "bytes that are no text": joined("profile", file=BYTES),
        "a key that is a number": joined("profile", file=_PROFILE.replace("seed: 1", "7: 1")),
        "a number of 5,000 digits": joined("profile", file=_PROFILE.replace("seed: 1", f"seed: {DIGITS}")),
        "a name of 5,000 letters": joined("profile", file=_PROFILE.replace("mine", "[" + "x" * 5_000 + "]")),
        "a list without end": joined("profile", file=DEEP),
        "a tab before a key": joined("profile", file=_PROFILE.replace("seed: 1", "\tseed: 1")),
        "a day that there is not": joined("profile", file=_PROFILE.replace("seed: 1", "seed: 2001-99-99")),
        "aliases of aliases": joined("profile", file=_bomb() + _PROFILE.replace("mine", "*a30")),
        "a list that holds itself": joined("profile", file=_PROFILE + "engine: &a {b: *a}\n"),
        "a model's file outside the cache": joined("model", file=_MODEL.replace("c.gguf", "../../../../x")),
        "a model's hub outside the cache": joined("model", file=_MODEL.replace("a/b", "..")),
    },
    "server": {
        "an answer that is a number": _answer({"text": 7, "finish_reason": "stop"}),
        "an answer without end": joined("200", body=DEEP),
        "an error without end": joined("400", body=DEEP),
        "a probability beyond all numbers": _answer(
            {"text": "A", "logprobs": {"tokens": ["A"], "token_logprobs": [-(10**400)]}}
        ),
        "half a character": _answer(
            {
                "text": "A \ud800",
                "finish_reason": "stop",
                "logprobs": {"tokens": ["A"], "token_logprobs": [-1]},
            }
        ),
        "a time of day beyond all clocks": joined(
            "429", headers=f"retry-after: Wed, 21 Oct 2026 07:{DIGITS[:30]}:00 GMT\n", body="{}"
        ),
        "a body that is not packed as it says": joined("200", headers="content-encoding: gzip\n", body="{}"),
        "a result that is a text": joined("batch", file=lines([{"custom_id": "run-1-0", "response": "x"}])),
        "tokens beyond all numbers": _answer({"text": "A"}).replace(
            b"}]}", b'}], "usage": {"prompt_tokens": ' + b"9" * 400 + b', "completion_tokens": 1}}'
        ),
    },
}
