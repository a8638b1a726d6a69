"""What does the form of asking change in study 2? Its variations beside the usual form, on the same sentences.

Run: python benchmarks/two_choice_forms.py --minutes 12

The paper proposes variations: sentences in batches, decision and confidence in one prompt or two, another length of the
scale of confidence, another temperature. Effort needs a model that thinks; none of these does.

Fixed before anything was asked:

- Models: the three of the study's pages. Sentences: of the reference run's tasks, with words deleted as there, drawn by
  the seed 42, as many of each class.
- Size: the first 20 of each task are asked of every model in every form, then the next 20, to 60 at most. No new stage
  begins after `--minutes`. No answer is looked at before.
- Forms: `usual` as the reference run asks (decision, then a digit from 1 to 5, eight examples, temperature 0.5). Each
  other form differs from its base in one thing: FORMS says in which.
- Measures, by model and form over the three tasks: accuracy; AUROC2 of the digit among answers of one task (pairs of
  all tasks count alike); bias, the mean of confidence less the share right, where the lowest digit stands for
  one half (a guess) and the highest for 1. An answer that cannot be read is in none of them and is counted.
- Differences, a form less its base: 2,000 resamples of sentences, the same for both forms, 95 % percentiles. A form
  changes a measure of a model if that interval lies on one side of 0. AUROC2 is not judged with fewer than ten right or
  ten wrong answers in a form.
- How often does the rule say so where forms do not differ? Both forms of a sentence are swapped or not by chance, and
  everything is computed again: 200 times for each pair of forms, with 500 resamples each.

Changed by hand while the first stage ran, before any answer was looked at: the machine was busy and ten sentences a
conversation (`batch: 10`) took too long, so the run was ended in its first stage, and the forms that were not asked of
all models were left out: `batch: 10`, no examples (`examples: 0`), and, against that, one prompt for both
(`how: choose_both`). They are settings of the study's block all the same.

Writes data/benchmarks/two_choice_forms.csv (a row an answer, no texts) and its sidecar. What is asked already is not
asked again; `--minutes 0` asks nothing and reads what is there. With `--swaps` it swaps the forms of that table, and
writes two_choice_forms_swaps.csv.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pandas as pd
from forms import given_stages, swapped, table_of

from metacog.core.config import Profile, load_profile
from metacog.core.paths import project_root
from metacog.studies.study2_two_choice.asking_forms import FORMS, differ

STUDY, COLLECTION = "study2_two_choice", "confidence"
OUT = project_root() / "data" / "benchmarks" / "two_choice_forms.csv"
MODELS = ("smollm2-135m", "gemma3-270m", "qwen2.5-coder-1.5b")
#: Sentences of a task in a stage, and the most stages.
STAGE, STAGES = 20, 3
#: What is kept of an answer.
KEPT = ("model", "task", "question_id", "correct", "confidence", "parse_status")


def asked(form: str, stage: int = STAGE, stages: int = STAGES) -> Profile:
    """How a form is asked: the reference run's settings and its own, on these sentences, in stages."""
    source = load_profile("reference")
    block = {
        **source.studies[STUDY],
        "n_sentences": stage * stages,
        "block_items": stage,
        **FORMS[form].settings,
    }
    return dataclasses.replace(
        source,
        name=f"two-choice-{form}",
        models=MODELS,
        studies={STUDY: block},
        shards=stages,
        reference="",
        reference_leads=False,
    )


def answers(found: Sequence[tuple[str, object]], stages: int) -> pd.DataFrame:
    """A row an answer of the first stages, without its text."""
    parts = []
    for form, target in found:
        trials = target.read(range(stages))[0].trials  # type: ignore[attr-defined]
        parts.append(trials[list(KEPT)].assign(form=form))
    return pd.concat(parts, ignore_index=True).astype({"correct": "int8"})


def swaps(table: pd.DataFrame, n: int, n_resamples: int) -> pd.DataFrame:
    """How often the rule finds that a form differs from its base, swapped by chance, by form, model and measure."""
    made = []
    for form, one in FORMS.items():
        if one.base:
            pair = table[table["form"].isin([form, one.base])]
            own = swapped(
                pair,
                (form, one.base),
                ("model", "task", "question_id"),
                lambda answers, pair=(form, one.base), **options: differ(answers, *pair, **options),
                n=n,
                n_resamples=n_resamples,
            )
            made.append(own.assign(form=form))
    return pd.concat(made, ignore_index=True)


def main() -> None:
    """Ask, and write the table."""
    given = given_stages(__file__, OUT, MODELS, 500, minutes=12.0, stage=STAGE, stages=STAGES)
    if given.swaps:
        made = swaps(pd.read_csv(given.out), given.swaps, given.resamples)
        made.to_csv(given.out.with_name(f"{given.out.stem}_swaps.csv"), index=False)
        return
    profiles = {form: asked(form, given.stage, given.stages) for form in FORMS}
    table, facts = table_of(given, STUDY, COLLECTION, profiles, answers)
    facts["settings"] = {form: profile.studies[STUDY] for form, profile in profiles.items()}
    given.write(table, None, seed=42, **facts)


if __name__ == "__main__":
    main()
