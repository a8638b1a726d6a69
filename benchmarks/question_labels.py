"""How far can a subject be believed that a small model gave a question?

Run: METACOG_DATA_HOME=FOLDER nice python benchmarks/question_labels.py

The models sort questions into the main paper's six classes, as ``metacog data label`` does: the first questions of the
bank as study 1 shuffles it (seed 42), whose subjects are known, and those questions of TriviaQA that
``benchmarks/prompt_form.py`` asked, whose subjects nobody gave. Labels made already are kept in the cache, so that it
goes on where it was stopped. Fixed before any label was made: models, questions, Cohen's kappa as measure of agreement.

Writes data/benchmarks/question_labels.csv (a row a label, no texts) and question_labels.json.
"""

from __future__ import annotations

import pandas as pd
from recording import parsed

from metacog.collect.labels import label_by_model
from metacog.collect.models import get_model
from metacog.collect.plan import open_engine
from metacog.collect.questions import load_questions
from metacog.core.paths import cache_dir, project_root
from metacog.studies.study1_qa.asking.labels import SCHEME

OUT = project_root() / "data" / "benchmarks" / "question_labels.csv"
MODELS = ("smollm2-135m", "gemma3-270m", "qwen2.5-coder-1.5b")
#: Questions of each set.
SETS = {"bank": 200, "triviaqa-dev": 25}
SEED = 42


def main() -> None:
    """Label, and write the table."""
    given = parsed(__file__, out=OUT, models={"nargs": "+", "default": list(MODELS)})
    asked = {name: load_questions(name, shuffle_seed=SEED, limit=n) for name, n in SETS.items()}
    parts = []
    for model in given.models:
        engine = open_engine(get_model(model))
        try:
            for name, questions in asked.items():
                cache = cache_dir() / "labels" / f"question-labels-{name}-{SCHEME.hash}-{model}.csv"
                made = label_by_model(questions, engine, cache, SCHEME, echo=print)
                own = made["id"].map({q.id: q.domain for q in questions})
                parts.append(made.assign(model=model, dataset=name, own=own))
        finally:
            engine.close()
    table = pd.concat(parts, ignore_index=True).rename(columns={"id": "question_id"})
    table = table[["model", "dataset", "question_id", "own", "class", "domain"]]
    files = {model: get_model(model).sha256 for model in given.models}
    given.write(table, None, seed=SEED, questions=SETS, scheme=SCHEME.hash, model_sha256=files)


if __name__ == "__main__":
    main()
