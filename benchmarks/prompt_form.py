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

Changed while the first stage ran, before any answer was looked at: the machine was so busy that a process got a
twentieth of a core. So models, forms and sets were asked beside each other by processes of their own, and the run was
ended with the first stage: 25 questions of each set.

Added after the counts of right answers were seen (none to nine of 350): AUROC2 has no interval with fewer than ten
right answers in a form, as everywhere in the library; and the share of replies that contain an accepted answer.

Added after that, before it was asked: the larger model of the reference run, with the first stage as well, since models
that are right nine times in 350 cannot tell forms apart. The rule, the measures and the questions are as fixed.

Writes data/benchmarks/prompt_form.csv (a row an answer, no texts) and prompt_form.json. What is asked already is not
asked again; `--minutes 0` asks nothing and reads what is there. With `--swaps` it swaps the forms of that table, and
writes prompt_form_swaps.csv.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import pandas as pd
from forms import given_stages, swapped, table_of

from metacog.collect.jobs import Target
from metacog.collect.models import get_model
from metacog.collect.prompts import load_prompt
from metacog.collect.questions import load_questions
from metacog.collect.scoring import normalise
from metacog.core.config import Profile, load_profile
from metacog.core.paths import project_root
from metacog.studies.study1_qa.prompt_form import differ

STUDY = "study1_qa"
OUT = project_root() / "data" / "benchmarks" / "prompt_form.csv"
#: The profile that says how each form is asked.
FORMS = {"zeroshot": "paper", "fewshot": "default"}
MODELS = ("smollm2-135m", "gemma3-270m", "qwen2.5-coder-1.5b")
SETS = ("triviaqa-dev", "nq-open-dev")
#: Questions of a set in a stage, and the most stages.
STAGE, STAGES = 25, 8
WORD = re.compile(r"[^\W_]+")
#: What is kept of an answer, by its name among the trials.
KEPT = {
    **{
        name: name
        for name in ("model", "dataset", "question_id", "temperature", "correct", "nlp", "n_tokens")
    },
    **{"truncated": "truncated", "refusal": "refused"},
}


def asked(form: str, stage: int = STAGE, stages: int = STAGES, sets: Sequence[str] = SETS) -> Profile:
    """How a form is asked: its profile's settings, on these questions, in stages."""
    source = load_profile(FORMS[form])
    block = {
        **source.studies[STUDY],
        "datasets": {name: {"limit": stage * stages} for name in sets},
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


def names_it(text: str, accepted: Sequence[str]) -> bool:
    """Whether a reply contains an accepted answer, in whole words, as answers are compared."""
    told, *known = (" " + " ".join(WORD.findall(normalise(one))) + " " for one in (text, *accepted))
    return any(one in told for one in known if one.strip())


def answers(found: list[tuple[str, Target]], stages: int) -> pd.DataFrame:
    """A row an answer of the first stages, without its text."""
    parts = []
    for form, target in found:
        trials = target.read(range(stages))[0].trials
        accepted = {q.id: q.accepted for q in load_questions(target.dataset)}
        told = zip(trials["text"], trials["question_id"], strict=True)
        mentioned = [names_it(text, accepted[question]) for text, question in told]
        parts.append(trials[list(KEPT)].rename(columns=KEPT).assign(mentioned=mentioned, form=form))
    marks = dict.fromkeys(["correct", "truncated", "refused", "mentioned"], "int8")
    return pd.concat(parts, ignore_index=True).astype(marks)


def prompts(models: list[str], profiles: dict[str, Profile]) -> dict[str, dict[str, str]]:
    """Which prompt each model got in each form."""
    sets = {form: profile.studies[STUDY]["prompt_set"] for form, profile in profiles.items()}
    return {
        model: {form: load_prompt(get_model(model).prompt_id(name)).id for form, name in sets.items()}
        for model in models
    }


def swaps(table: pd.DataFrame, n: int, n_resamples: int, seed: int = 42) -> pd.DataFrame:
    """How often the rule finds that forms differ which were swapped by chance, a question with all its answers."""
    forms, question = ("zeroshot", "fewshot"), ("model", "dataset", "question_id")
    return swapped(table, forms, question, differ, n=n, n_resamples=n_resamples, seed=seed)


def main() -> None:
    """Ask, and write the table."""
    sets = {"nargs": "+", "default": list(SETS)}
    given = given_stages(__file__, OUT, MODELS, 1000, minutes=40.0, stage=STAGE, stages=STAGES, sets=sets)
    if given.swaps:
        made = swaps(pd.read_csv(given.out), given.swaps, given.resamples)
        made.to_csv(given.out.with_name(f"{given.out.stem}_swaps.csv"), index=False)
        return
    profiles = {form: asked(form, given.stage, given.stages, given.sets) for form in FORMS}
    table, facts = table_of(given, STUDY, "open", profiles, answers)
    facts["prompts"] = prompts(given.models, profiles)
    facts["max_tokens"] = {form: profile.studies[STUDY]["max_tokens"] for form, profile in profiles.items()}
    given.write(table, "%.5g", seed=profiles["zeroshot"].studies[STUDY]["shuffle_seed"], **facts)


if __name__ == "__main__":
    main()
