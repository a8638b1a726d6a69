"""What does the form of asking change? The main paper's own protocol beside this book's, on the same questions.

Run: METACOG_DATA_HOME=FOLDER python benchmarks/prompt_form.py --minutes 40

`zeroshot` is asked as the profile `paper` says (an instruction alone, in the model's own template where it has one, at
most 64 tokens; our wording), `fewshot` as `default` says (four examples, at most 24 tokens): each question once at each
of the paper's seven temperatures, with the same seeds. Texts of questions and answers stay in `runs/`.

Fixed before anything was asked:

- Models: the two that come with the book. Sets: TriviaQA's and NQ-Open's development questions, as the study shuffles
  them (seed 42), marked by the paper's rule.
- Size: the first 25 questions of each set are asked of every model in both forms, then the next 25, to 200 at most. No
  new stage begins after `--minutes`. The clock alone ends the run; no answer is looked at before.
- Measures, by model and form: accuracy (an answer without a confidence is wrong), AUROC2 of NLP among answers of one
  set and one temperature (pairs of all sets and temperatures count alike), M-ratio of eight ratings cut at the octiles
  of NLP at temperature 1 in its model, set and form, with the study's flags; share cut off at the limit, mean tokens,
  share without a confidence, share refused.
- Differences, `zeroshot` less `fewshot`: 2,000 resamples of questions, the same for both forms, 95 % percentiles. At
  temperature 1, and at all seven together.
- What decides: the forms differ in accuracy, or in AUROC2, of a model if that interval at all seven temperatures lies
  on one side of 0. The rest is shown and decides nothing. M-ratio is not judged: these models are seldom right.
- How often does the rule say so where the forms do not differ? The forms of a question, with all its answers, are
  swapped or not by chance, and everything is computed again: 400 times, with 1,000 resamples each.

Writes data/benchmarks/prompt_form.parquet (a row an answer, no texts) and prompt_form.json.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
import time
from pathlib import Path

import pandas as pd

from metacog.collect import jobs
from metacog.collect.models import get_model
from metacog.collect.prompts import load_prompt
from metacog.core.config import Profile, load_profile
from metacog.core.paths import project_root
from metacog.core.provenance import provenance
from metacog.studies import get_study

STUDY = "study1_qa"
OUT = project_root() / "data" / "benchmarks" / "prompt_form.parquet"
#: The profile that says how each form is asked.
FORMS = {"zeroshot": "paper", "fewshot": "default"}
MODELS = ("smollm2-135m", "gemma3-270m")
SETS = ("triviaqa-dev", "nq-open-dev")
#: Questions of a set in a stage, and the most stages.
STAGE, STAGES = 25, 8
#: What is kept of an answer, by its name among the trials.
KEPT = {
    "model": "model",
    "dataset": "dataset",
    "question_id": "question_id",
    "temperature": "temperature",
    "correct": "correct",
    "nlp": "nlp",
    "n_tokens": "n_tokens",
    "truncated": "truncated",
    "refusal": "refused",
}


def asked(form: str, stage: int = STAGE, stages: int = STAGES) -> Profile:
    """How a form is asked: its profile's settings, on these questions, in stages."""
    source = load_profile(FORMS[form])
    block = {
        **source.studies[STUDY],
        "datasets": {name: {"limit": stage * stages} for name in SETS},
        "block_items": stage,
    }
    return dataclasses.replace(
        source,
        name=f"prompt-form-{form}",
        models=MODELS,
        studies={STUDY: block},
        shards=stages,
        reference="",
        reference_leads=False,
    )


def collect(profiles: dict[str, Profile], models: list[str], runs: Path | None, minutes: float) -> int:
    """Ask stage by stage until the time is over; how many stages all models answered in both forms."""
    end = time.monotonic() + 60 * minutes
    stages = next(iter(profiles.values())).shards
    for stage in range(stages):
        if time.monotonic() > end:
            return stage
        for profile in profiles.values():
            jobs.run(
                [get_study(STUDY)],
                profile,
                collections=["open"],
                models=models,
                shard=stage,
                runs=runs,
                progress=False,
                echo=lambda text: None,
            )
        print(f"stage {stage + 1} of {stages} is asked", flush=True)
    return stages


def answers(profiles: dict[str, Profile], models: list[str], runs: Path | None, stages: int) -> pd.DataFrame:
    """A row an answer of the first stages, without its text."""
    parts = []
    for form, profile in profiles.items():
        for target in jobs.targets(
            get_study(STUDY), profile, collections=["open"], models=models, runs=runs
        ):
            trials = target.read(range(stages))[0].trials
            parts.append(trials[list(KEPT)].rename(columns=KEPT).assign(form=form))
    table = pd.concat(parts, ignore_index=True)
    table["nlp"] = table["nlp"].round(5)
    return table.astype({"correct": bool, "truncated": bool, "refused": bool, "n_tokens": "int16"})


def prompts(models: list[str], profiles: dict[str, Profile]) -> dict[str, dict[str, str]]:
    """Which prompt each model got in each form."""
    sets = {form: profile.studies[STUDY]["prompt_set"] for form, profile in profiles.items()}
    return {
        model: {form: load_prompt(get_model(model).prompt_id(name)).id for form, name in sets.items()}
        for model in models
    }


def main(arguments: list[str] | None = None) -> None:
    """Ask, and write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--stage", type=int, default=STAGE, help="questions of a set in a stage")
    parser.add_argument("--stages", type=int, default=STAGES)
    parser.add_argument("--runs", type=Path, help="folder of runs [default: runs/]")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args(arguments)
    started = time.perf_counter()
    profiles = {form: asked(form, given.stage, given.stages) for form in FORMS}
    stages = collect(profiles, given.models, given.runs, given.minutes)
    if not stages:
        raise SystemExit("no stage was asked in full: give it more --minutes")
    table = answers(profiles, given.models, given.runs, stages)
    given.out.parent.mkdir(parents=True, exist_ok=True)
    table.to_parquet(given.out, index=False, compression="zstd")
    facts = {
        "command": "python benchmarks/prompt_form.py " + " ".join(arguments or sys.argv[1:]),
        "seconds": round(time.perf_counter() - started),
        "questions_a_set": given.stage * stages,
        "answers": len(table),
        "prompts": prompts(given.models, profiles),
        "max_tokens": {form: profile.studies[STUDY]["max_tokens"] for form, profile in profiles.items()},
        "model_sha256": {model: get_model(model).sha256 for model in given.models},
        "made_by": provenance(seed=profiles["zeroshot"].studies[STUDY]["shuffle_seed"]),
    }
    given.out.with_suffix(".json").write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
