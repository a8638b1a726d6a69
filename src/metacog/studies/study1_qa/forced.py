"""R5, forced decoding: was the right answer likely, although the model said a wrong one?

For questions answered wrongly at T = 1 the accepted answers and the wrong answer are scored as
continuations of the same prompt, and their normalised log-probabilities are compared. The best of
several accepted answers has several chances to win, so the key answer alone is compared too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.studies.study1_qa.cells import REFERENCE
from metacog.studies.study1_qa.contrasts import interval
from metacog.studies.study1_qa.verdicts import PREREGISTERED, Verdict

if TYPE_CHECKING:
    from metacog.collect.prompts import Prompt
    from metacog.collect.questions import Question
    from metacog.engines.base import Engine, Score

#: Columns of a table of forced decodings, one row a question.
COLUMNS = {
    "model": "str", "dataset": "str", "question_id": "str", "domain": "str",
    "wrong": "str",  # the wrong answer as it was generated
    "nlp_recorded": "float64",  # its NLP when it was generated
    "nlp_wrong": "float64",  # its NLP when scored again, as the others are
    "n_tokens_wrong": "int64",
    "key": "str", "nlp_key": "float64",  # the first accepted answer
    "best_alias": "str", "nlp_best_alias": "float64", "n_tokens_best": "int64",
    "n_aliases": "int64",  # accepted answers scored
    "n_known_aliases": "int64",  # accepted answers there are
    "seed": "int64",
}  # fmt: skip
_BLOCK = 50  # questions scored in one call
RULE = (
    "For questions answered wrongly at T = 1, NLP of the best accepted answer against NLP of the wrong "
    "answer: the share of questions where the right answer was the likelier one."
)


@dataclass(frozen=True)
class Forced:
    """R5.

    Attributes
    ----------
    table : DataFrame
        One row a model and question set: ``n``, ``share_best`` (best accepted answer likelier than the
        wrong one) with limits, ``share_key`` with limits, ``share_sum`` (the same accepted answer by its
        whole log-probability: the mean over tokens favours long names whose end follows from their
        beginning) with limits, ``median_gap`` (best less wrong, nats a
        token), ``rescoring_gap`` (median absolute difference of the wrong answer's two NLPs).
    verdicts : tuple of Verdict
    """

    table: pd.DataFrame
    verdicts: tuple[Verdict, ...]


def check_forced(frame: pd.DataFrame) -> pd.DataFrame:
    """Check a table of forced decodings and give it back.

    Raises
    ------
    MetacogError
        Naming missing columns or the number of rows without a finite score.
    """
    missing = [c for c in COLUMNS if c not in frame.columns]
    if missing:
        raise MetacogError(f"the table of forced decodings lacks the columns {', '.join(missing)}")
    scores = frame[["nlp_wrong", "nlp_key", "nlp_best_alias"]].to_numpy(dtype=np.float64)
    if not np.isfinite(scores).all():
        raise MetacogError(f"{int((~np.isfinite(scores)).any(axis=1).sum())} forced decodings have no score")
    return frame


def read_forced(paths: Sequence[Path]) -> pd.DataFrame:
    """Read tables of forced decodings that exist; an empty table if none does."""
    frames = [check_forced(pd.read_parquet(p)) for p in paths if Path(p).is_file()]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(COLUMNS))


def wrong_answers(trials: pd.DataFrame, max_questions: int, seed: int) -> pd.DataFrame:
    """Wrong, not refused and not empty answers at T = 1, at most ``max_questions`` drawn by ``seed``."""
    rows = trials[
        (trials["temperature"] == REFERENCE)
        & ~trials["correct"]
        & ~trials["refusal"]
        & (trials["n_tokens"] > 0)
    ]
    rows = rows[rows["answer"].str.strip() != ""].drop_duplicates("question_id")
    rows = rows.sort_values("question_index", kind="stable")
    if len(rows) > max_questions:
        picked = np.random.default_rng(seed).choice(len(rows), max_questions, replace=False)
        rows = rows.iloc[np.sort(picked)]
    return rows


def written_like(answer: str, accepted: Sequence[str]) -> list[str]:
    """Accepted answers without repeats, with a capital first letter if ``answer`` has one."""
    found = [a.strip() for a in accepted if a.strip()]
    if answer[:1].isupper():
        found = [a[:1].upper() + a[1:] for a in found]
    return list(dict.fromkeys(found))


def force_decode(
    engine: Engine,
    prompt: Prompt,
    trials: pd.DataFrame,
    questions: Sequence[Question],
    *,
    max_questions: int = 300,
    max_aliases: int = 8,
    seed: int = 42,
) -> pd.DataFrame:
    """Score accepted answers and the wrong answer given, for one model and question set.

    Parameters
    ----------
    engine : Engine
        Loaded with the model that made the trials.
    prompt : Prompt
        The prompt of the trials.
    trials : DataFrame
        Trials of one model and question set.
    questions : sequence of Question
        The set the trials come from.
    max_questions, seed
        At most so many wrongly answered questions, drawn by ``seed``.
    max_aliases : int
        Accepted answers scored a question: the key, then the next in the set's order.

    Returns
    -------
    DataFrame
        Columns of :data:`COLUMNS`. Accepted answers are written as the wrong answer was: after the
        same white space, and with a capital first letter if it has one.

    Raises
    ------
    MetacogError
        If the trials hold several models or sets, or a question is not in ``questions``.
    """
    if trials[["model", "dataset"]].drop_duplicates().shape[0] > 1:
        raise MetacogError("forced decoding takes the trials of one model and question set at a time")
    by_id = {q.id: q for q in questions}
    wrong = wrong_answers(trials, max_questions, seed).to_dict("records")
    items: list[tuple[str, list[str]]] = []
    known: list[list[str]] = []
    for trial in wrong:
        question = by_id.get(trial["question_id"])
        if question is None:
            raise MetacogError(
                f"question {trial['question_id']} of the trials is not in the question set: "
                "the set has changed since they were collected"
            )
        text = str(trial["text"]).rstrip()
        space = text[: len(text) - len(text.lstrip())]
        aliases = written_like(text.lstrip(), question.accepted)
        known.append(aliases)
        rendered = prompt.task(question.question, (), engine).prompt
        items.append((rendered, [text, *(space + a for a in aliases[:max_aliases])]))
    rows: list[dict[str, object]] = []
    for trial, aliases, (_, texts), scores in zip(wrong, known, items, _scores(engine, items), strict=True):
        nlp = np.array([s.nlp for s in scores], dtype=np.float64)
        best = int(np.argmax(nlp[1:]))
        rows.append(
            {
                "model": trial["model"], "dataset": trial["dataset"], "question_id": trial["question_id"],
                "domain": trial["domain"], "wrong": texts[0], "nlp_recorded": float(trial["nlp"]),
                "nlp_wrong": nlp[0], "n_tokens_wrong": scores[0].n_tokens, "key": aliases[0],
                "nlp_key": nlp[1], "best_alias": aliases[best], "nlp_best_alias": nlp[1 + best],
                "n_tokens_best": scores[1 + best].n_tokens, "n_aliases": len(texts) - 1,
                "n_known_aliases": len(aliases), "seed": seed,
            }
        )  # fmt: skip
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(COLUMNS)


def _scores(engine: Engine, items: Sequence[tuple[str, list[str]]]) -> list[list[Score]]:
    """Score in blocks where the engine can (the shared prompt is then read once), else one by one."""
    together = getattr(engine, "score_many", None)
    if together is None:
        return [engine.score(prompt, texts) for prompt, texts in items]
    blocks = [items[i : i + _BLOCK] for i in range(0, len(items), _BLOCK)]
    return [scores for block in blocks for scores in together(block)]


def analyse_forced(
    frame: pd.DataFrame, *, n_resamples: int = 10_000, seed: int = 42, verdicts: bool = True
) -> Forced:
    """Share of wrongly answered questions whose right answer was the likelier; questions resampled."""
    rows = []
    for (model, dataset), own in check_forced(frame).groupby(["model", "dataset"], sort=False):
        rng = np.random.default_rng(np.random.SeedSequence(seed))
        gap = (own["nlp_best_alias"] - own["nlp_wrong"]).to_numpy(dtype=np.float64)
        key = (own["nlp_key"] - own["nlp_wrong"]).to_numpy(dtype=np.float64)
        row: dict[str, object] = {"model": model, "dataset": dataset, "n": len(own)}
        whole = (
            own["nlp_best_alias"] * own["n_tokens_best"] - own["nlp_wrong"] * own["n_tokens_wrong"]
        ).to_numpy(dtype=np.float64)
        for name, values in (("best", gap), ("key", key), ("sum", whole)):
            share = float((values > 0).mean())
            low, high = interval(rng.binomial(len(own), share, n_resamples) / len(own))
            row |= {f"share_{name}": share, f"{name}_lo": low, f"{name}_hi": high}
        row["median_gap"] = float(np.median(gap))
        row["aliases_scored"] = float(own["n_aliases"].mean())
        row["rescoring_gap"] = float((own["nlp_wrong"] - own["nlp_recorded"]).abs().median())
        rows.append(row)
    table = pd.DataFrame(rows)
    found = tuple(_judge(row) for _, row in table.iterrows()) if verdicts else ()
    return Forced(table, found)


def _judge(row: pd.Series) -> Verdict:
    if row["best_hi"] < 0.5:
        meaning = "most wrong answers were likelier than any accepted answer that was scored"
    elif row["best_lo"] > 0.5:
        meaning = "in most cases an accepted answer was likelier than the wrong one that was drawn"
    else:
        meaning = "wrong and accepted answers are about equally often the likelier one"
    sentence = (
        f"{row['model']} on {row['dataset']}: the best accepted answer is likelier for "
        f"{100 * row['share_best']:.0f} % of {row['n']:,} wrongly answered questions "
        f"({100 * row['best_lo']:.0f}-{100 * row['best_hi']:.0f} %), the key answer alone for "
        f"{100 * row['share_key']:.0f} %, and by whole instead of mean log-probability for "
        f"{100 * row['share_sum']:.0f} %: {meaning}."
    )
    return Verdict("R5", PREREGISTERED, RULE, None, sentence)


def collect_forced(
    profile_name: str, model: str, dataset: str, out: Path, max_questions: int, seed: int
) -> int:
    """Load a model, decode its wrong answers of a profile's run, write the table; rows written."""
    from metacog.collect.runner import make_plan, open_engine
    from metacog.core.config import load_profile
    from metacog.core.paths import project_root
    from metacog.trials import read_trials, write_parquet

    profile = load_profile(profile_name)
    plan = make_plan(profile, model, dataset)
    trials = read_trials(project_root() / "results" / profile.name / "trials" / f"{model}.{dataset}.parquet")
    engine = open_engine(plan.entry, plan.profile.engine)
    try:
        table = force_decode(
            engine, plan.prompt, trials, plan.questions, max_questions=max_questions, seed=seed
        )
    finally:
        engine.close()
    facts = {"config_hash": plan.config_hash, "seed": str(seed), "max_questions": str(max_questions)}
    write_parquet(table, out, facts)
    return len(table)


def main(arguments: Sequence[str] | None = None) -> None:
    """``python -m metacog.studies.study1_qa.forced --profile P --model M --dataset D --out FILE``."""
    parser = argparse.ArgumentParser(description="Forced decoding of accepted and wrong answers (R5).")
    for name in ("--profile", "--model", "--dataset"):
        parser.add_argument(name, required=True)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--max-questions", type=int, default=300)
    parser.add_argument("--seed", type=int, default=42)
    given = parser.parse_args(arguments)
    try:
        rows = collect_forced(
            given.profile, given.model, given.dataset, given.out, given.max_questions, given.seed
        )
    except MetacogError as error:
        sys.exit(f"metacog: {error}")
    print(f"forced decoding: {rows} questions of {given.model} on {given.dataset} in {given.out}")


if __name__ == "__main__":
    main()
