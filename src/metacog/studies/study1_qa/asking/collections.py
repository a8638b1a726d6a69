"""What study 1 asks: open answers at seven temperatures, some again at T = 1, and forced decoding (R5).

Confidence in an open answer is taken from the probabilities of its words, as in the paper, or from another
signal (:mod:`metacog.collect.confidence_signals`) where a model's engine does not tell these.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import pandas as pd
import pandera.pandas as pa

from metacog.collect import confidence_signals
from metacog.collect.collection import Collection, Needed
from metacog.collect.confidence_signals import SIGNALS, Signalled
from metacog.collect.confidence_ways import STATUSES, replayed
from metacog.collect.questions import Question, load_questions
from metacog.core.errors import MetacogError
from metacog.engines.base import Generation
from metacog.engines.requests import Asking, Generate, Reply, Score, user
from metacog.studies.study1_qa.asking.marking import PAPER, marking_of
from metacog.studies.study1_qa.settings import Settings
from metacog.trials import loosely_right

if TYPE_CHECKING:
    from metacog.collect.models import ModelEntry
    from metacog.collect.scoring import Marking
    from metacog.engines.capabilities import Capabilities

#: A score that is a number, and finite.
FINITE = pa.Check(lambda scores: np.isfinite(scores))
#: The study as its trials name it, as they did before studies had rooms.
LABEL = "cacioli"
#: Temperature at which questions are answered several times, and whose wrong answers are decoded again.
REFERENCE = 1.0
#: Columns in addition to the core ones that an open answer has.
ANSWER_COLUMNS = {
    "preamble": pa.Column(bool),
    "right_whole": pa.Column(bool),  # by the paper's rule, with the next question that it went on into
    "tier": pa.Column("int64", pa.Check.ge(0)),
    "stop_logprob": pa.Column("float64", nullable=True),
    "signal": pa.Column(str, pa.Check.isin(SIGNALS)),  # what confidence was taken from
    "parse_status": pa.Column(
        str, pa.Check.isin(STATUSES)
    ),  # of a written percentage; ok where none was asked
}


class _OfQuestions(Collection):
    one_turn = True

    def sets(self, settings: Settings) -> Mapping[str, Settings]:
        return {name: settings.of(name) for name in settings.datasets}

    def named_set(self, settings: Settings, dataset: str) -> Settings:
        """A question set, or a file of questions, that the profile does not name."""
        return settings.of(dataset)


class _Open(_OfQuestions):
    """Open answers, and what their confidence is taken from."""

    without: ClassVar[Mapping[str, str]] = {
        "own_logprobs": "answers have no NLP, and confidence is taken from another signal"
    }

    @abstractmethod
    def request(self, item: Question, settings: Settings) -> Generate:
        """How a question is put."""

    @abstractmethod
    def place(self, item: Question, sample: int, settings: Settings) -> dict[str, Any]:
        """What tells one sample from the others of its question."""

    def for_model(self, settings: Settings, entry: ModelEntry) -> Settings:
        return settings.of_model(entry)

    def asked_once(self, settings: Settings) -> bool:
        return confidence_signals.asked_once(settings.signal)

    def refusal(self, settings: Settings, can: Capabilities) -> str:
        return confidence_signals.refusal_of(settings.signal, can)

    def later(self, settings: Settings) -> Any:
        return confidence_signals.depends_on(settings.signal)

    def ask(self, item: Question, settings: Settings) -> Asking:
        yield from self.elicit(item, settings)

    def elicit(
        self, item: Question, settings: Settings
    ) -> Generator[Any, Any, list[tuple[Generation, Signalled]]]:
        """One request for all samples and what the signal asks; with what came out for each sample."""
        asked, same = self.request(item, settings), marking_of(settings.dataset).same
        return (yield from confidence_signals.elicit(settings.signal, item.question, asked, same))

    def read(
        self, item: Question, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        for sample, (made, found) in enumerate(replayed(self.elicit(item, settings), replies)):
            yield {
                **self.place(item, sample, settings),
                **_answer(item, made, marking_of(settings.dataset)),
                "confidence": found.confidence,
                "signal": settings.signal,
                "parse_status": found.status,
            }


class OpenAnswers(_Open):
    """Each question once at every temperature; all share one reading of the prompt."""

    name = "open"
    key = ("question_id", "temperature", "seed", "prompt_id")
    block = pa.DataFrameSchema(ANSWER_COLUMNS)

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[Question]:
        return load_questions(settings.dataset, shuffle_seed=settings.shuffle_seed, limit=settings.limit)

    def request(self, item: Question, settings: Settings) -> Generate:
        """One request for all temperatures, with the seeds that the study pre-registered, question index x 1000 +
        temperature index, and not the runner's own.
        """
        temperatures = tuple(settings.temperatures)
        return Generate(
            (user(item.question),),
            settings.max_tokens,
            temperatures,
            count_stop_token=settings.count_stop_token,
            seeds=tuple(_seed(item, t, settings) for t in temperatures),
        )

    def place(self, item: Question, sample: int, settings: Settings) -> dict[str, Any]:
        temperature = settings.temperatures[sample]
        return {"temperature": float(temperature), "seed": _seed(item, temperature, settings)}


def _seed(item: Question, temperature: float, settings: Settings) -> int:
    return item.index * 1000 + settings.temperature_index(temperature)


def _drawn(n: int, most: int, seed: int) -> np.ndarray:
    """Places of all of n, or of ``most`` of them drawn by a seed, in their order."""
    if n <= most:
        return np.arange(n)
    return np.sort(np.random.default_rng(seed).choice(n, most, replace=False))


class RepeatedDraws(_Open):
    """Some of the questions several times more at T = 1, to tell what a draw adds to its question."""

    name = "draws"
    key = ("question_id", "draw")
    block = pa.DataFrameSchema({**ANSWER_COLUMNS, "draw": pa.Column("int64", pa.Check.ge(1))})

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[Question]:
        questions = load_questions(settings.dataset, shuffle_seed=settings.shuffle_seed, limit=settings.limit)
        picked = _drawn(len(questions), settings.draw_questions, settings.seed)
        return [questions[number] for number in picked]

    def request(self, item: Question, settings: Settings) -> Generate:
        """One request for all draws; their seeds are the runner's."""
        return Generate(
            (user(item.question),),
            settings.max_tokens,
            (REFERENCE,),
            settings.draws,
            count_stop_token=settings.count_stop_token,
        )

    def place(self, item: Question, sample: int, settings: Settings) -> dict[str, Any]:
        """Its number; draw 0 is the open answer at T = 1."""
        return {"temperature": REFERENCE, "draw": sample + 1}


def _answer(item: Question, made: Generation, marking: Marking) -> dict[str, Any]:
    verdict = marking.mark_reply(made, item.accepted)
    return {
        "study": LABEL,
        "text": made.text,
        "answer": verdict.answer,
        "n_tokens": made.n_tokens,
        "sum_logprob": made.sum_logprob if made.n_tokens else math.nan,
        "nlp": made.nlp,
        "correct": verdict.correct,
        "match": verdict.match,
        "similarity": verdict.similarity,
        "matched_alias": verdict.matched_alias,
        "refusal": verdict.refusal,
        "truncated": made.truncated,
        "ran_on": made.ran_on,
        "preamble": verdict.preamble,
        "right_whole": PAPER.mark(made.text + made.ran_on, item.accepted).correct
        if made.ran_on
        else verdict.correct or verdict.match == "near",
        "tier": item.tier or 0,
        "stop_logprob": math.nan if made.stop_logprob is None else made.stop_logprob,
    }


@dataclass(frozen=True)
class WrongAnswer:
    """A question that was answered wrongly, and what is scored in its place.

    ``texts`` are the wrong answer as it was generated, whose NLP was ``nlp`` then, and accepted answers written as it
    was (``aliases``), of ``n_known`` that there are.
    """

    id: str
    index: int
    domain: str
    question: str
    texts: tuple[str, ...]
    aliases: tuple[str, ...]
    n_known: int
    nlp: float


class ForcedDecoding(_OfQuestions):
    """R5: how likely the model finds accepted answers to questions it answered wrongly at T = 1."""

    name = "forced"
    needs = ("open",)
    requires = ("score_text",)
    block = pa.DataFrameSchema(
        {
            "wrong": pa.Column(str),  # the wrong answer as it was generated
            "nlp_recorded": pa.Column("float64"),  # its NLP when it was generated
            "nlp_wrong": pa.Column("float64", FINITE),  # its NLP when scored again, as the others are
            "n_tokens_wrong": pa.Column("int64"),
            "key": pa.Column(str),  # the first accepted answer
            "nlp_key": pa.Column("float64", FINITE),
            "best_alias": pa.Column(str),
            "nlp_best_alias": pa.Column("float64", FINITE),
            "n_tokens_best": pa.Column("int64"),
            "n_aliases": pa.Column("int64"),  # accepted answers scored
            "n_known_aliases": pa.Column("int64"),  # accepted answers there are
        }
    )

    def block_items(self, settings: Settings) -> int:
        """Wrong answers scored together; never another number, so the profile does not set it."""
        return 50

    def settings_key(self, settings: Settings) -> dict[str, Any]:
        """The settings, ``block_items`` under the name that it has in the keys of stored runs."""
        kept = asdict(settings)
        kept["block_questions"] = kept.pop("block_items")
        del kept["confidence"]  # the replies it goes on from tell
        return kept

    def items(self, settings: Settings, needed: Mapping[str, Needed]) -> list[WrongAnswer]:
        questions = {q.id: q for q in load_questions(settings.dataset, shuffle_seed=settings.shuffle_seed)}
        wrong = wrong_answers(needed["open"].trials, settings.forced_questions, settings.seed)
        return [_wrong(trial, questions, settings) for trial in wrong.to_dict("records")]

    def ask(self, item: WrongAnswer, settings: Settings) -> Asking:
        yield Score((user(item.question),), item.texts)

    def read(
        self, item: WrongAnswer, replies: Sequence[Reply], settings: Settings
    ) -> Iterator[Mapping[str, Any]]:
        (reply,) = replies
        scores = reply.scores  # type: ignore[union-attr]
        nlp = np.array([s.nlp for s in scores], dtype=np.float64)
        best = int(np.argmax(nlp[1:]))
        yield {
            "study": LABEL,
            "temperature": REFERENCE,
            "seed": settings.seed,
            "text": item.texts[0],
            "n_tokens": scores[0].n_tokens,
            "sum_logprob": scores[0].sum_logprob,
            "nlp": nlp[0],
            "confidence": math.exp(nlp[0]),
            "wrong": item.texts[0],
            "nlp_recorded": item.nlp,
            "nlp_wrong": nlp[0],
            "n_tokens_wrong": scores[0].n_tokens,
            "key": item.aliases[0],
            "nlp_key": nlp[1],
            "best_alias": item.aliases[best],
            "nlp_best_alias": nlp[1 + best],
            "n_tokens_best": scores[1 + best].n_tokens,
            "n_aliases": len(item.texts) - 1,
            "n_known_aliases": item.n_known,
        }


def wrong_answers(trials: pd.DataFrame, max_questions: int, seed: int) -> pd.DataFrame:
    """Wrong, not refused and not empty answers at T = 1, at most ``max_questions`` drawn by ``seed``.

    Wrong by the paper's rule, whichever marked them, and drawn among those that are wrong with the next question that
    they ran on into, so that what was collected when answers were marked so remains of use. Those that are right, or
    empty, without it are then left out, so that there may be a few fewer than ``max_questions``.
    """
    one = trials[trials["temperature"] == REFERENCE]
    wrong = ~loosely_right(one) & ~one["refusal"] & (one["n_tokens"] > 0) & (one["answer"].str.strip() != "")
    whole = wrong.where(one["ran_on"] == "", ~one["right_whole"])
    rows = one[whole].drop_duplicates("question_id")
    rows = rows.sort_values("question_index", kind="stable")
    rows = rows.iloc[_drawn(len(rows), max_questions, seed)]
    return rows[wrong[rows.index]]


def written_like(answer: str, accepted: Sequence[str]) -> list[str]:
    """Accepted answers without repeats, with a capital first letter if ``answer`` has one."""
    found = [a.strip() for a in accepted if a.strip()]
    if answer[:1].isupper():
        found = [a[:1].upper() + a[1:] for a in found]
    return list(dict.fromkeys(found))


def _wrong(trial: Mapping[Any, Any], questions: Mapping[str, Question], settings: Settings) -> WrongAnswer:
    question = questions.get(trial["question_id"])
    if question is None:
        raise MetacogError(
            f"question {trial['question_id']} of the trials is not in the question set: "
            "the set has changed since they were collected"
        )
    text = str(trial["text"]).rstrip()
    space = text[: len(text) - len(text.lstrip())]
    known = written_like(text.lstrip(), question.accepted)
    aliases = tuple(known[: settings.forced_aliases])
    return WrongAnswer(
        id=question.id,
        index=question.index,
        domain=trial["domain"],
        question=question.question,
        texts=(text, *(space + a for a in aliases)),
        aliases=aliases,
        n_known=len(known),
        nlp=float(trial["nlp"]),
    )
