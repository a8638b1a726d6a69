"""A real embedded model (SmolLM2-135M). Oracles: SciPy on the same logits, and a forced decode of the
same tokens through llama-cpp-python's high-level API, one sequence, one token at a time."""

import dataclasses
import itertools
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.special import log_softmax

from metacog.collect.models import get_model, locate
from metacog.core.errors import MetacogError
from metacog.core.machine import available_cores
from metacog.engines.base import GenerationTask, Message, Sample
from metacog.engines.engine import Engine
from metacog.engines.llama import LlamaEngine, ending, generate
from metacog.engines.llama.lowlevel import lc
from metacog.engines.llama.templates import fold, render

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
from forced_decode import ForcedDecode, check_nlp

PATH, _ = locate(get_model("smollm2-135m"))
SHOTS = (
    "Q: What is the capital of France?\nA: Paris\n\nQ: Who wrote Hamlet?\nA: William Shakespeare\n\n"
    "Q: What is the capital of Japan?\nA: Tokyo\n\n"
)
TEMPERATURES = (0.1, 0.5, 1.0, 2.0)
QUESTIONS = ("What is the capital of Italy?", "Who painted the Mona Lisa?", "What gas do plants take in?")


def tasks(questions=QUESTIONS, temperatures=TEMPERATURES):
    return [
        GenerationTask(
            f"{SHOTS}Q: {q}\nA:",
            tuple(Sample(t, 1000 * i + j) for j, t in enumerate(temperatures)),
        )
        for i, q in enumerate(questions)
    ]


def run(engine, these=None, **options):
    return engine.generate(tasks() if these is None else these, **{"max_tokens": 8, "stop": ["\n"]} | options)


@pytest.fixture(scope="module")
def engine():
    with LlamaEngine(str(PATH), n_threads=1) as made:
        yield made


@pytest.fixture(scope="module")
def first(engine):
    """The reference block, as the first thing a fresh engine does."""
    return run(engine)


@pytest.fixture(scope="module")
def reference():
    made = ForcedDecode(str(PATH), n_threads=1)
    yield made
    made.close()


def test_is_an_engine_and_tells_what_made_the_trials(engine):
    assert isinstance(engine, Engine)
    info = engine.info
    assert info.model_sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
    assert info.versions["llama-cpp-python"] == lc.__version__
    assert {"n_threads", "width", "n_batch", "n_seq", "flash_attn"} <= set(info.settings)
    assert available_cores() >= 1


def test_same_block_gives_the_same_bits_whatever_ran_before(engine, first):
    # another block, other sizes, forced decoding, half a prefix in common
    run(engine, tasks(["Who discovered penicillin?"], (1.5,) * 5), max_tokens=12)
    engine.score("Q: What is the capital of France?\nA: Paris\n\nQ: Something else", [" entirely", " new"])
    assert run(engine) == first
    with LlamaEngine(str(PATH), n_threads=1) as fresh:
        fresh.choose_many([(SHOTS, ["Q: one", "Q: two"])])
        assert run(fresh) == first


def test_every_sample_comes_back_in_its_place(first):
    assert [len(row) for row in first] == [len(TEMPERATURES)] * len(QUESTIONS)
    for generation in (g for row in first for g in row):
        assert generation.n_tokens == len(generation.token_ids) == len(generation.token_logprobs)
        assert generation.sum_logprob == pytest.approx(math.fsum(generation.token_logprobs))
        assert "\n" not in generation.text
        assert generation.truncated == (generation.stop_logprob is None)


def test_low_temperature_answers_are_right(first):
    assert first[0][0].text.strip() == "Rome"
    assert "Leonardo" in first[1][0].text


def test_recorded_logprobs_are_scipys_of_the_same_logits(engine, monkeypatch):
    steps = []
    draw = generate.sampling.draw

    def spy(logits, offsets, temperature, uniform, **options):
        tokens, logprobs = draw(logits, offsets, temperature, uniform, **options)
        exact = log_softmax(logits.astype(float), axis=1)
        row = np.repeat(np.arange(len(logits)), np.diff(offsets))
        steps.append(np.abs(logprobs - exact[row, tokens]).max())
        return tokens, logprobs

    monkeypatch.setattr(generate.sampling, "draw", spy)
    recorded = run(engine)
    assert len(steps) >= 8 and max(steps) < 1e-6
    monkeypatch.undo()
    assert recorded == run(engine)


def test_first_tokens_of_a_question_share_one_row_of_logits(engine):
    same = run(engine, tasks(QUESTIONS[:1], (1.0,) * 40), max_tokens=1)[0]
    by_token = {}
    for generation in same:
        for token, logprob in zip(generation.token_ids, generation.token_logprobs, strict=True):
            by_token.setdefault(token, set()).add(logprob)
    assert len(by_token) > 1
    assert all(len(values) == 1 for values in by_token.values())


def test_logprobs_agree_with_an_independent_forced_decode(first):
    recorded, whole, single = check_nlp(str(PATH), tasks()[:2], first[:2])
    assert len(recorded) == sum(g.n_tokens > 0 for row in first[:2] for g in row) > 0
    # quantised kernels round by batch shape, llama.cpp's own two as well; a shift is whole units
    assert np.std(np.concatenate(whole) - np.concatenate(single)) < 0.3
    assert np.std(np.concatenate(recorded) - np.concatenate(whole)) < 0.3
    nlp = np.array([a.mean() - b.mean() for a, b in zip(recorded, whole, strict=True)])
    assert np.abs(nlp).max() < 0.3 and abs(nlp.mean()) < 0.06
    late = [np.abs(a[1:] - b[:-1]).mean() for a, b in zip(recorded, single, strict=True) if len(a) > 1]
    assert np.mean(late) > 1


def test_score_agrees_with_generate_and_with_the_reference(engine, first, reference):
    for task, row in zip(tasks(), first, strict=True):
        g = row[0]
        scored = engine.score(task.prompt, [g.text])[0]
        assert scored.token_ids == g.token_ids
        np.testing.assert_allclose(scored.token_logprobs, g.token_logprobs, atol=0.3)
        np.testing.assert_allclose(
            scored.token_logprobs, reference.logprobs(task.prompt, g.token_ids), atol=0.3
        )


def test_score_as_a_trie_agrees_with_one_continuation_at_a_time(engine):
    prompt = SHOTS + "Q: Who painted the Mona Lisa?\nA:"
    texts = [" Leonardo", " Leonardo da Vinci", " Leonardo DiCaprio", " Michelangelo", ""]
    together = engine.score(prompt, texts)
    alone = [engine.score(prompt, [text])[0] for text in texts]
    for a, b in zip(together, alone, strict=True):
        assert a.token_ids == b.token_ids
        np.testing.assert_allclose(a.token_logprobs, b.token_logprobs, atol=0.3)
    assert together[0].token_logprobs == together[1].token_logprobs[: together[0].n_tokens]
    assert together[4].n_tokens == 0
    assert engine.score_many([(prompt, texts), (prompt, texts[:1])])[1][0].token_ids == alone[0].token_ids


def test_score_cuts_many_continuations_into_batches(engine):
    prompt = "Q: How many?\nA:"
    texts = [f" {n} and more" for n in range(15)]
    with LlamaEngine(str(PATH), n_threads=1, width=4, n_seq=6) as small:
        scores = small.score(prompt, texts)
        assert small.score(prompt, texts) == scores
    for a, b in zip(scores, engine.score(prompt, texts), strict=True):
        assert a.token_ids == b.token_ids
        np.testing.assert_allclose(a.token_logprobs, b.token_logprobs, atol=0.5)


def test_choose(engine):
    prompt = SHOTS + "Q: What is the capital of Italy?\nA:"
    options = [" Berlin", " Rome", " Madrid"]
    (choice,) = engine.choose_many([(prompt, options)])
    assert choice.chosen == " Rome"
    assert sum(choice.probabilities) == pytest.approx(1)
    assert choice.logprobs == tuple(s.sum_logprob for s in engine.score(prompt, options))
    drawn = [c.chosen for c in engine.choose_many([(prompt, options)] * 40, temperature=5, seeds=range(40))]
    assert len(set(drawn)) > 1
    with pytest.raises(MetacogError, match="different"):
        engine.choose_many([(prompt, [" Rome", " Rome"])])


def test_stop_text_ends_the_answer_and_its_token_is_not_counted(engine):
    task = tasks(QUESTIONS[:1], (0.0,))
    plain = run(engine, task, max_tokens=12)[0][0]
    counted = run(engine, task, max_tokens=12, count_stop_token=True)[0][0]
    assert plain.text == counted.text == " Rome"
    assert counted.n_tokens == plain.n_tokens + 1
    assert counted.token_logprobs[-1] == plain.stop_logprob
    assert counted.sum_logprob == pytest.approx(plain.sum_logprob + plain.stop_logprob)
    endless = run(engine, task, max_tokens=12, stop=())[0][0]
    assert endless.truncated and endless.n_tokens == 12 and endless.text.startswith(" Rome\n")
    # a stop text inside a token, and one over several tokens
    inside = run(engine, task, max_tokens=12, stop=["om"])[0][0]
    assert inside.text == " R" and inside.n_tokens == 0 and math.isnan(inside.nlp)
    pieces = [engine.model.piece(t).decode() for t in endless.token_ids]
    assert pieces[1] == "\n"
    over = run(engine, task, max_tokens=12, stop=["\n" + pieces[2]])[0][0]
    assert over.text == " Rome" and not over.truncated and over.n_tokens == plain.n_tokens
    assert over.stop_logprob == pytest.approx(sum(endless.token_logprobs[1:3]), abs=0.3)


def test_token_limit_counts_the_token_that_ends_the_answer(engine):
    task = tasks(QUESTIONS[:1], (0.0,))
    assert run(engine, task, max_tokens=1)[0][0].truncated
    assert not run(engine, task, max_tokens=2)[0][0].truncated


def test_end_of_generation_is_never_counted(engine):
    prompt = engine.render_chat([Message(role="user", content="Say hello.")]) + "Hello"
    these = [GenerationTask(prompt, tuple(Sample(0.5, i) for i in range(12)))]
    rows = run(engine, these, max_tokens=40, stop=(), count_stop_token=True)[0]
    ended = [g for g in rows if not g.truncated]
    assert ended
    for g in ended:
        assert g.stop_logprob is not None and g.stop_logprob < 0
        assert not any(engine.model.is_eog(t) for t in g.token_ids)
        assert "<|im_end|>" not in g.text


def test_more_samples_than_sequences(engine):
    with LlamaEngine(str(PATH), n_threads=1, width=4, n_seq=6) as small:
        rows = run(small, tasks(QUESTIONS[:2], (1.0,) * 10))
    assert [len(r) for r in rows] == [10, 10]
    wide = run(engine, tasks(QUESTIONS[:2], (1.0,) * 10))
    pairs = zip(itertools.chain(*rows), itertools.chain(*wide), strict=True)
    agree = np.mean([a.token_ids == b.token_ids for a, b in pairs])
    assert agree > 0.7  # the same seeds; only rounding by batch shape may part them


def test_bytes_that_are_no_text_are_dropped(engine):
    rule = ending.StopRule(8, (b"\n",), False)
    emoji = engine.model.tokenize("\U0001f9a9", bos=False)
    assert len(emoji) > 1
    for n, text in ((len(emoji) - 1, ""), (len(emoji), "\U0001f9a9")):
        draft = ending.Draft()
        cut = dataclasses.replace(rule, max_tokens=n)
        *going_on, done = [draft.add(token, -1.0, cut, engine.model) for token in emoji[:n]]
        assert set(going_on) == {None} and done.text == text


def test_chat_template_and_folding(engine, monkeypatch):
    turns = [Message(role="system", content="Be brief."), Message(role="user", content="Hi")]
    text = engine.render_chat(turns)
    assert text.endswith("<|im_start|>assistant\n") and "Be brief." in text
    assert "<|im_start|>user\nBe brief.\n\nHi<|im_end|>" in render(engine.model, turns, fold_system=True)
    refuses = (
        "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not "
        "supported') }}{% endif %}{% for m in messages %}[{{ m['content'] }}]{% endfor %}"
    )
    monkeypatch.setattr(engine.model, "chat_template", lambda: refuses)
    monkeypatch.setattr(engine.model, "add_bos", True)
    assert engine.render_chat(turns) == "[Be brief.\n\nHi]"
    with pytest.raises(MetacogError, match="System role"):
        render(engine.model, turns, fold_system=False)
    monkeypatch.setattr(engine.model, "chat_template", lambda: None)
    with pytest.raises(MetacogError, match="no chat template"):
        engine.render_chat(turns)
    assert fold([turns[0]]) == [Message(role="user", content="Be brief.")]


def test_clear_errors(engine, tmp_path):
    with pytest.raises(MetacogError, match="does not exist"):
        LlamaEngine(tmp_path / "none.gguf")
    (tmp_path / "text.gguf").write_text("no model")
    with pytest.raises(MetacogError, match="not a GGUF"):
        LlamaEngine(tmp_path / "text.gguf")
    (tmp_path / "cut.gguf").write_bytes(PATH.read_bytes()[:30_000_000])
    with pytest.raises(MetacogError, match=r"cannot load .*cut\.gguf .*(corrupt|not within|incomplete)"):
        LlamaEngine(tmp_path / "cut.gguf")
    with LlamaEngine(str(PATH), n_threads=1, n_ctx=40) as narrow:
        with pytest.raises(MetacogError, match="does not fit the context of 40"):
            run(narrow)
        with pytest.raises(MetacogError, match="context of 40"):
            narrow.score("Q: Why?\nA:", [" because" * 60])
    with pytest.raises(MetacogError, match="empty"):
        run(engine, [GenerationTask("", (Sample(1, 1),))])
    with pytest.raises(MetacogError, match="max_tokens"):
        run(engine, max_tokens=0)
    with pytest.raises(MetacogError, match="n_seq"):
        LlamaEngine(str(PATH), n_seq=100_000)
    assert run(engine, []) == []
    closed = LlamaEngine(str(PATH), n_threads=1)
    closed.close()
    closed.close()
    with pytest.raises(MetacogError, match="closed"):
        run(closed)


def test_a_failed_block_leaves_the_engine_usable(engine, first, monkeypatch):
    def broken(*_args, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr(generate.sampling, "draw", broken)
    with pytest.raises(KeyboardInterrupt):
        run(engine)
    monkeypatch.undo()
    assert run(engine) == first
