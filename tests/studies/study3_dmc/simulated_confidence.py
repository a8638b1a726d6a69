"""Trials of study 3's collections from simulated answerers, in the form the runner gives them."""

import numpy as np
import pandas as pd

from metacog.collect.confidence_ways import Options
from metacog.collect.reading import BLANK
from metacog.studies.study3_dmc.asking.collections import COLLECTIONS
from metacog.trials import SCHEMA, validate

#: Ability and efficiency of the answerers.
ANSWERERS = {"smollm2-135m": (0.6, 0.6), "gemma3-270m": (0.9, 0.9)}
DATASETS = ("science", "history", "boolean", "date")


def simulated(collection, n_questions=40, models=None, datasets=DATASETS, seed=1, unparsed=0.05, only=()):
    """One collection's trials: an equal-variance observer whose confidence is noisier than its answers.

    Parameters
    ----------
    collection : str
        ``single``, ``repeated`` or ``written``; half of the trials of the latter cannot be parsed.
    only : sequence of str
        Names of its methods; all by default.
    """
    rng = np.random.default_rng([seed, len(collection)])
    own = next(one for one in COLLECTIONS if one.name == collection)
    rows = []
    for model, (d, efficiency) in (models or ANSWERERS).items():
        for shift, dataset in enumerate(datasets):
            for method in (one for one in own.methods if not only or one.name in only):
                for q in range(n_questions):
                    stimulus = q % 2
                    seen = rng.normal((2 * stimulus - 1) * (d + 0.2 * shift) / 2)
                    response = int(seen > 0)
                    felt = seen + rng.normal(0, 1 / efficiency - 1 + 0.2)
                    sure = 1 / (1 + np.exp(-2 * felt * (2 * response - 1)))
                    if collection == "repeated":
                        sure = max(rng.binomial(10, max(sure, 0.5)) / 10, 0.5)
                    ok = rng.random() > (0.5 if collection == "written" else unparsed)
                    rows.append(
                        {
                            "study": "study3_dmc",
                            "model": model,
                            "dataset": dataset,
                            "question_id": f"{dataset}-{q}.0",
                            "question_index": q,
                            "domain": dataset,
                            "prompt_id": "plain",
                            "temperature": 0.1,
                            "seed": 42,
                            "match": "given",
                            "method": method.name,
                            "form": method.form,
                            "base_id": f"{dataset}-{q}",
                            "pairing": 0,
                            "option_order": ("right_first", "wrong_first")[stimulus],
                            "stimulus": stimulus,
                            "response": float(response) if ok else np.nan,
                            "answer": "AB"[response] if ok else "",
                            "correct": ok and response == stimulus,
                            "confidence": sure if ok else np.nan,
                            "parse_status": "ok" if ok else "no_answer",
                            "n_calls": method.calls(Options()),
                            "n_read": 1,
                            "wording": "simulated",
                            "stated": np.nan,
                            "percent": False,
                        }
                    )
    table = pd.DataFrame(rows)
    for name in SCHEMA.columns:
        if name not in table:
            table[name] = BLANK[name]
    key = ("study", "model", "dataset", *own.key)
    return validate(table, block=own.block, key=key)


def every_collection(**options):
    """Trials by collection."""
    return {one.name: simulated(one.name, **options) for one in COLLECTIONS}
