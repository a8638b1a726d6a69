"""Small sound inputs of each target, made here: what is changed into inputs that nobody means well."""

from __future__ import annotations

import hashlib
import io
import json
import struct
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

MARK = "\n@@ "


def joined(form: str, **parts: str | bytes) -> bytes:
    """An input of a form with named parts; names hold ``/`` and ``.`` as ``__`` and ``_dot_``."""
    made = form.encode()
    for name, content in parts.items():
        whole = name.replace("_dot_", ".").replace("__", "/")
        made += f"{MARK}{whole}\n".encode() + (content if isinstance(content, bytes) else content.encode())
    return made


def lines(records: list[Any]) -> str:
    """JSON lines."""
    return "\n".join(json.dumps(one) for one in records)


def parquet(columns: dict[str, list[Any]], metadata: dict[str, str] | None = None) -> bytes:
    """A parquet file."""
    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    into = io.BytesIO()
    pq.write_table(table.replace_schema_metadata(metadata), into)
    return into.getvalue()


REPLIES = (
    *(
        "A",
        "B) 0.7",
        "B: 1945, 80 %",
        "The answer is (A). I am 90% sure.",
        "Final: A, 0.8",
        "0.3 or 0.4",
        "½",
        "-0.2",
    ),
    *(
        "A 0.3, B 0.6",
        "ANSWER: 12\nCONFIDENCE: 7/10",
        "**Answer:** 1,024\n*Confidence:* 70 %",
        "YES",
        "no, 3e5",
        "",
    ),
    *(
        '```json\n{"decision": 1, "confidence": 80}\n```',
        '{"decision": 0}',
        '{"answer": "Paris"}',
        "\\boxed{42}",
    ),
    *(
        "<think>hm</think>\nParis",
        "[THINK]x[/THINK] 4",
        "<|channel|>analysis<|message|>x<|channel|>final<|message|>B",
    ),
    *(
        "◁think▷ no end",
        "</think>Paris",
        "Berlin Q: What is next?",
        "Sir James Chadwick.",
        "I don't know",
        "The Beatles",
    ),
)

_BANK = {
    "id": "q1",
    "domain": "Geography",
    "tier": 1,
    "question": "What is the capital of France?",
    "answer": "Paris",
    "aliases": ["City of Paris"],
    "distractors": ["Lyon", "Nice"],
}
_PROBE = {
    "id": "t1-01",
    "task": "T1_CC",
    "prompt": "How many?",
    "difficulty": 1,
    "rubric": "One number.",
    "key": "6",
    "accepted": ["6"],
    "checked": {"answer": "6"},
}
_BATTERY = {
    "id": "T2-000",
    "track": "T2",
    "item_type": "calibration",
    "level": "1",
    "difficulty": 1,
    "domain": "geography",
    "question": "Which city?",
    "options": ["A", "B", "C", "Paris"],
    "key": "D",
}


def questions() -> list[bytes]:
    """Question files, by the form that ``config/datasets.yaml`` would name."""
    other = {**_BANK, "id": "q2", "question": "Which river?", "answer": "Seine"}
    csqa = {
        "id": "c1",
        "answerKey": "B",
        "question": {
            "stem": "Where?",
            "question_concept": "place",
            "choices": [{"label": "A", "text": "here"}, {"label": "B", "text": "there"}],
        },
    }
    agieval = {"passage": None, "question": "Which?", "options": ["(A) one", "(B) two"], "label": "A"}
    bbh = {
        "examples": [
            {"input": "True and False is", "target": "False"},
            {"input": "Which?\nOptions:\n(A) x\n(B) y", "target": "(B)"},
        ]
    }
    trivia = {
        "question_id": ["a"],
        "question": ["Who?"],
        "answer": [{"value": "X", "aliases": ["Y"], "normalized_aliases": ["x"]}],
    }
    return [
        joined("bank", file=lines([_BANK, other])),
        joined("csv", file="id,question,answer,domain\n1,Who?,X|Y,History\n2,Where?,there,\n"),
        joined("dpr-tsv", file="who was it\t['X', 'Y']\nwhere\t[\"there\"]\n"),
        joined(
            "nq-jsonl",
            file=lines([{"question": "who", "answer": ["X", "Y"]}, {"question": "when", "answer": ["1900"]}]),
        ),
        joined("triviaqa-parquet", table=json.dumps(trivia)),
        joined("labelled-jsonl", file=lines([{"id": "s1", "text": "Good.", "label": 1, "topic": "film"}])),
        joined("labelled-tsv", file="1\tGood film\n0\tBad film\n"),
        joined(
            "sst2-parquet", table=json.dumps({"idx": [0, 1], "sentence": ["good", "bad"], "label": [1, 0]})
        ),
        joined("csqa-jsonl", file=lines([csqa])),
        joined("agieval-jsonl", file=lines([agieval])),
        joined("bbh-json", file=json.dumps(bbh)),
        joined(
            "mmlu-parquet",
            table=json.dumps(
                {"question": ["Q?"], "choices": [["a", "b"]], "answer": [1], "subject": ["law"]}
            ),
        ),
        joined("probe", file=lines([_PROBE])),
        joined("battery", file=lines([_BATTERY])),
    ]


def rows(n: int = 32) -> list[dict[str, Any]]:
    """Trials of two models, each with right and wrong answers."""
    return [
        {
            "right": int(i % 3 > 0),
            "sure": round((i * 7 % 10) / 10, 2),
            "model": "ab"[i % 2],
            "area": "xy"[i // 2 % 2],
            "t": 0.7,
            "qid": f"q{i // 2}",
            "side": "LR"[i % 2],
            "said": "LR"[i // 2 % 2],
            "rated": 1 + i % 4,
            "key": "Paris|City of Paris",
            "answer": ["Paris", "Rome"][i % 2],
            "rater": f"r{i % 2}",
        }
        for i in range(n)
    ]


def trials(n: int = 4) -> dict[str, list[Any]]:
    """Columns of the house's own trial table."""
    texts = {
        name: "x"
        for name in ("study", "dataset", "domain", "prompt_id", "text", "answer", "matched_alias", "ran_on")
    }
    numbers = {
        "temperature": 0.7,
        "sum_logprob": -1.5,
        "nlp": -0.5,
        "confidence": 0.5,
        "similarity": 0.0,
        "n_tokens": 3,
        "seed": 1,
    }
    same = {
        **texts,
        **numbers,
        "model": "m",
        "match": "exact",
        "correct": True,
        "refusal": False,
        "truncated": False,
    }
    own = {"question_id": [f"q{i}" for i in range(n)], "question_index": list(range(n))}
    return {**{name: [value] * n for name, value in same.items()}, **own}


def tables() -> list[bytes]:
    """Trial tables of each kind of file, by what their columns are taken for."""
    made = rows()
    names = list(made[0])
    columns = {name: [row[name] for row in made] for name in names}
    texts = [",".join(names), *(",".join(str(v) for v in row.values()) for row in made)]
    csv, counts = "\n".join(texts) + "\n", {"model": "m", "nR_S1": [9, 5, 3, 1], "nR_S2": [1, 2, 6, 8]}
    wide = "model,nR_S1_1,nR_S1_2,nR_S1_3,nR_S1_4,nR_S2_1,nR_S2_2,nR_S2_3,nR_S2_4\nm,9,5,3,1,1,2,6,8\n"
    few = "\n".join(lines(made).split("\n")[:6])
    return [
        joined("open csv", file=csv),
        joined("open tsv", file=csv.replace(",", "\t")),
        joined("open csv", file=csv.replace(",", ";")),
        joined("open jsonl", file=lines(made)),
        joined("open json", file=json.dumps(made)),
        joined("open parquet", table=json.dumps(columns)),
        joined("open parquet", file=parquet(columns)),
        joined("choice csv", file=csv),
        joined("choice parquet", table=json.dumps(columns)),
        joined("marked csv", file=csv),
        joined("marked jsonl", file=lines(made)),
        joined("marked parquet", table=json.dumps(columns | {"key": [["Paris", "Rome"]] * len(made)})),
        joined("agreeing csv", file=csv),
        joined("raters csv", file="rater,item,judgement\na,1,yes\nb,1,no\na,2,no\nb,2,no\n"),
        joined("raters csv", file="item,ann,bob\n1,yes,no\n2,no,no\n3,,yes\n"),
        joined("raters jsonl", file=few),
        joined("counts json", file=json.dumps([counts])),
        joined("counts csv", file="nR_S1,nR_S2\n9,1\n5,2\n3,6\n1,8\n"),
        joined("counts csv", file=wide),
        joined("trials parquet", table=json.dumps(trials())),
    ]


def _harness(i: int, **more: Any) -> dict[str, Any]:
    values = [-3.0 + i % 3, -1.5, -2.0 - i / 10]
    best = max(range(3), key=values.__getitem__)
    pairs = [[v, k == best] for k, v in enumerate(values)]
    return {
        "doc_id": i,
        "doc": {"question": "?", "choices": ["x", "y", "z"]},
        "target": 1,
        "arguments": {"gen_args_0": {"arg_0": '[{"role": "user", "content": "?"}]', "arg_1": " x"}},
        "resps": [[pair] for pair in pairs],
        "filtered_resps": pairs,
        "filter": "none",
        "acc": float(best == 1),
        **more,
    }


def _inspect(i: int, **more: Any) -> dict[str, Any]:
    tokens = [
        {"token": "Par", "logprob": -0.1 * (i + 1), "bytes": [80, 97, 114]},
        {"token": "is", "logprob": -0.2, "bytes": None, "top_logprobs": []},
    ]
    choice = {"message": {"role": "assistant", "content": "Paris"}, "logprobs": {"content": tokens}}
    return {
        "id": i,
        "epoch": 1,
        "input": [{"role": "user", "content": "Which?"}],
        "target": "x",
        "scores": {"match": {"value": "CI"[i % 2], "answer": "x", "metadata": None}},
        "metadata": {},
        "attachments": {"ab": "A long text."},
        "output": {"model": "mock", "choices": [choice]},
        **more,
    }


_HEADER = {
    "version": 2,
    "status": "success",
    "eval": {"task": "quiz", "model": "mock/model", "model_generate_config": {}},
    "plan": {"config": {"temperature": 0.7}},
}


def logs() -> list[bytes]:
    """Logs of lm-evaluation-harness and of Inspect."""
    written = {"resps": [["Paris"]], "filtered_resps": ["Paris"], "exact_match": 1.0}
    parts = [{"type": "reasoning", "reasoning": "hm"}, {"type": "text", "text": "Paris"}]
    thinking = _inspect(1)
    thinking["output"]["choices"][0]["message"]["content"] = parts
    stated = [_inspect(i, metadata={"confidence": 0.03 * i}) for i in range(31)]
    whole = {f"samples__{i}_epoch_1_dot_json": json.dumps(_inspect(i)) for i in range(3)}
    pieces = {
        "samples__a_epoch_1__sample_dot_json": json.dumps(_inspect(0, input="attachment://0")),
        "samples__a_epoch_1__metadata_dot_json": json.dumps({"confidence": 0.4}),
        "samples__a_epoch_1__attachments__0_dot_json": json.dumps(["A question", "more"]),
    }
    results = json.dumps({"model_name": "", "config": {"model_args": "pretrained=org/m-1b,dtype=auto"}})
    return [
        joined("harness", file=lines([_harness(i) for i in range(31)])),
        joined("harness", file=lines([_harness(i) for i in range(3)]), results=results),
        joined("harness", file=lines([_harness(i, **written) for i in range(3)])),
        joined("json", file=json.dumps({**_HEADER, "samples": [_inspect(i) for i in range(31)]})),
        joined("json", file=json.dumps({**_HEADER, "samples": [thinking, *stated]})),
        joined("eval", header_dot_json=json.dumps(_HEADER), **whole),
        joined("eval", _journal__start_dot_json=json.dumps(_HEADER), **pieces),
    ]


#: Columns of a run's part.
PART = {
    "item": ["i0"],
    "number": [0],
    "step": [0],
    "index": [0],
    "kind": ["generate"],
    "request": ["0"],
    "reply": ['{"samples": []}'],
}
RUN = "study/keep/model/items-"


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def packs() -> list[bytes]:
    """Packs as their members, with the list made to fit (``fitted``) or left, and whole."""
    config = {
        "study": "study",
        "collection": "keep",
        "model": "model",
        "dataset": "items",
        "shard": [0, 1],
        "n_items": 1,
        "block": 1,
        "prompt": {"id": "p"},
    }
    part = {"file": "block-00000.parquet", "sha256": "0" * 64, "rows": 1, "seconds": 0.5}
    manifest = {
        "schema": 1,
        "config": config,
        "config_hash": _digest(config),
        "status": "complete",
        "parts": {"0": part},
        "sessions": [{"started": 1.0}],
        "damaged": [],
        "engine": {"engine": "stub", "model_sha256": "0" * 64, "versions": {}},
        "commit": "x",
    }
    folder = RUN + _digest(config)
    files = {"manifest.json": "0" * 64, "parts/block-00000.parquet": "0" * 64}
    index = {
        "format": "metacog replies",
        "schema": 1,
        "runs": [{"folder": folder, "files": files}],
        "made_by": {"python": "3"},
    }
    members = {
        "pack_dot_json": json.dumps(index),
        f"{folder.replace('/', '__')}__manifest_dot_json": json.dumps(manifest),
        f"{folder.replace('/', '__')}__parts__block-00000_dot_parquet": json.dumps(PART),
    }
    return [
        joined("fitted", **members),
        joined("left", **members),
        joined("manifest", file=json.dumps(manifest)),
        joined("index", file=json.dumps(index)),
    ]


def configuration() -> list[bytes]:
    """Profiles, registries and sets, as YAML behind the name of their schema."""
    profile = (
        "name: mine\nmodels: [smollm2-135m]\nstudies:\n  study1_qa:\n    datasets: {bank: {limit: 3}}\n"
        "    temperatures: [0.0, 0.7]\nanalysis: {n_resamples: 100, n_permutations: 100, seed: 1, verdicts: false}\n"
    )
    mine = (
        "label: Mine\nkind: base\nsource: {path: /x/m.gguf}\nsha256: null\nprompts: {fewshot: fewshot-v1}\n"
    )
    served = (
        "label: S\nkind: instruct\nsource: {endpoint: {url: 'http://127.0.0.1/v1', model: m, api: chat}}\n"
        "sha256: null\nprompts: {}\nprices: {prompt: 1, answer: 2.5}\n"
    )
    far = "label: F\nkind: base\nsource: {hub: {repo: a/b, file: c.gguf}}\nsha256: null\nprompts: {}\n"
    sets = (
        "datasets:\n  mine:\n    label: Mine\n    form: csv\n    licence: MIT\n    path: data/q.csv\n"
        "  far:\n    label: F\n    form: bank\n    licence: x\n    url: http://x\n    file: y.jsonl\n    sha256: null\n"
    )
    prompts = "prompts:\n  one:\n    form: completion\n    template: 'Q: {question}'\n    stop: ['\\n']\n"
    anchored = "a: &a [x, x]\nb: &b [*a, *a]\nname: *b\n"
    return [
        joined("profile", file=profile),
        *(joined("model", file=one) for one in (mine, served, far)),
        joined("datasets", file=sets),
        joined("prompts", file=prompts),
        joined("profile", file=anchored + profile),
    ]


def _text(value: str) -> bytes:
    return struct.pack("<Q", len(value.encode())) + value.encode()


def gguf() -> list[bytes]:
    """A model of one layer and a few tokens."""
    width = 32
    tokens = ["<unk>", "<s>", "</s>", "\u2581a", "b", *(f"<0x{byte:02X}>" for byte in range(256))]
    kinds = [2, 3, 3, 1, 1, *[6] * 256]

    def u32(key: str, value: int) -> bytes:
        return _text(key) + struct.pack("<II", 4, value)

    def strings(key: str, values: list[str]) -> bytes:
        return _text(key) + struct.pack("<IIQ", 9, 8, len(values)) + b"".join(map(_text, values))

    kv = [
        _text("general.architecture") + struct.pack("<I", 8) + _text("llama"),
        *(
            u32(f"llama.{k}", v)
            for k, v in {"context_length": 64, "embedding_length": width, "block_count": 1}.items()
        ),
        *(u32(f"llama.{k}", v) for k, v in {"feed_forward_length": width, "attention.head_count": 2}.items()),
        _text("llama.attention.layer_norm_rms_epsilon") + struct.pack("<If", 6, 1e-5),
        u32("llama.rope.dimension_count", width // 2),
        _text("tokenizer.ggml.model") + struct.pack("<I", 8) + _text("llama"),
        strings("tokenizer.ggml.tokens", tokens),
        _text("tokenizer.ggml.scores")
        + struct.pack("<IIQ", 9, 6, len(tokens))
        + struct.pack(f"<{len(tokens)}f", *range(len(tokens))),
        _text("tokenizer.ggml.token_type")
        + struct.pack("<IIQ", 9, 5, len(tokens))
        + struct.pack(f"<{len(tokens)}i", *kinds),
        u32("tokenizer.ggml.bos_token_id", 1),
        u32("tokenizer.ggml.eos_token_id", 2),
    ]
    square, flat = (width, width), (width,)
    shapes = {
        "token_embd.weight": (width, len(tokens)),
        "output_norm.weight": flat,
        "output.weight": (width, len(tokens)),
        **{f"blk.0.{name}_norm.weight": flat for name in ("attn", "ffn")},
        **{
            f"blk.0.{n}.weight": square
            for n in ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")
        },
    }
    info, at = b"", 0
    for name, shape in shapes.items():
        info += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, at)
        at += 4 * shape[0] * (shape[1] if len(shape) == 2 else 1)
    head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(kv)) + b"".join(kv) + info
    return [head + bytes(-len(head) % 32) + bytes(at)]


def server() -> list[bytes]:
    """Answers of servers, with the headers that they come with."""
    chat = {
        "id": "x",
        "model": "m",
        "system_fingerprint": "fp",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Paris", "reasoning_content": "hm"},
                "logprobs": {
                    "content": [
                        {
                            "token": "Par",
                            "logprob": -0.1,
                            "bytes": [80, 97, 114],
                            "top_logprobs": [{"token": "Par", "logprob": -0.1}],
                        },
                        {"token": "is", "logprob": -0.2, "bytes": None, "id": 7, "top_logprobs": []},
                    ]
                },
            }
        ],
        "usage": {
            "prompt_tokens": 3,
            "completion_tokens": 2,
            "total_tokens": 5,
            "completion_tokens_details": {"reasoning_tokens": 1},
        },
    }
    plain = {
        "model": "m",
        "choices": [
            {
                "text": " Paris.\n",
                "finish_reason": "length",
                "logprobs": {
                    "tokens": [" Paris", ".", "\n"],
                    "token_logprobs": [-0.1, -0.2, None],
                    "top_logprobs": [{" Paris": -0.1}, None, {}],
                },
            }
        ],
        "usage": {"prompt_tokens": 3, "completion_tokens": 3},
    }
    thought = {**plain, "choices": [{**plain["choices"][0], "text": "<think>no</think> A"}]}  # type: ignore[index, dict-item]
    dated = "ratelimit-reset-tokens: Wed, 21 Oct 2026 07:28:00 GMT\n"
    headers = f"retry-after: 3\nx-ratelimit-remaining: 0\nx-ratelimit-reset: 6m0s\n{dated}"
    batch = lines([{"custom_id": "run-1-0-0", "response": {"status_code": 200, "body": chat}, "error": None}])
    return [
        joined("200", body=json.dumps(chat)),
        joined("200", body=json.dumps(plain)),
        joined("200", headers=headers, body=json.dumps(thought)),
        joined("429", headers=headers, body=json.dumps({"error": {"message": "slow down"}})),
        joined("400", body=json.dumps({"error": "no logprobs"})),
        joined("503", headers="retry-after: 1\n", body="loading"),
        joined("batch", file=batch),
    ]


CORPUS = {
    "replies": lambda: [text.encode() for text in REPLIES],
    "questions": questions,
    "tables": tables,
    "logs": logs,
    "packs": packs,
    "configuration": configuration,
    "gguf": gguf,
    "server": server,
}
