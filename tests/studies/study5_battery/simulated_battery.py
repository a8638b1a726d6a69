"""Trials of the battery from answerers whose accuracy and monitoring are known."""

import numpy as np
import pandas as pd

from metacog.studies.study5_battery.asking.items import battery
from metacog.studies.study5_battery.asking.wordings import PAYOFFS, VERSION


def trials(
    model,
    *,
    right=0.6,
    keep=(0.8, 0.4),
    bet=(0.7, 0.5),
    paths=(0.5, 0.3, 0.2),
    lost=0.0,
    form=1,
    tracks=("T1", "T2", "T3", "T4", "T5", "T6"),
    seed=0,
):
    """A row an item: ``keep`` and ``bet`` are the rates of standing by right and by wrong answers."""
    rng = np.random.default_rng(seed)
    rows = []
    for i, item in enumerate(battery(form, tracks)):
        six = item.track == "T6"
        path = str(rng.choice(("ANSWER_DIRECTLY", "REQUEST_HINT", "DECLINE"), p=paths)) if six else ""
        correct = bool(rng.random() < right) and path != "DECLINE"
        wrong = str(rng.choice([a for a in item.letters if a != item.key]))
        answer = "" if path == "DECLINE" else item.key if correct else wrong
        stands = {name: rate[0] if correct else rate[1] for name, rate in (("keep", keep), ("bet", bet))}
        p = {name: float(np.clip(v + rng.normal(0, 0.1), 0, 1)) for name, v in stands.items()}
        reported = {name: bool(rng.random() < v) for name, v in stands.items()}
        bad = "keep" if answer and rng.random() < lost else ""
        rows.append(
            {
                "study": "study5_battery",
                "model": model,
                "dataset": f"form-{form}",
                "question_id": item.id,
                "question_index": i,
                "domain": item.domain,
                "temperature": 0.0,
                "seed": 1,
                "prompt_id": "p",
                "text": "",
                "answer": answer,
                "n_tokens": 0,
                "sum_logprob": np.nan,
                "nlp": np.nan,
                "confidence": np.nan,
                "correct": correct,
                "match": "given" if answer else "empty",
                "similarity": np.nan,
                "matched_alias": "",
                "refusal": False,
                "truncated": False,
                "ran_on": "",
                "track": item.track,
                "item_type": item.item_type,
                "level": item.level,
                "difficulty": item.difficulty,
                "key": item.key,
                "n_options": len(item.options),
                "keep_withdraw": "" if not answer or bad else "KEEP" if reported["keep"] else "WITHDRAW",
                "bet_nobet": "" if not answer else "BET" if reported["bet"] else "NO_BET",
                "path": path,
                "forecast": "",
                "p_answer": 0.6 if answer else np.nan,
                "p_key": 0.5 if answer else np.nan,
                "p_keep": p["keep"] if answer else np.nan,
                "p_bet": p["bet"] if answer else np.nan,
                "points": PAYOFFS[path][0 if correct else 1] if six else np.nan,
                "bad_reply": bad,
                "parse_status": "unclear" if bad else "ok",
                "form": "label",
                "wording": VERSION,
            }
        )
    return pd.DataFrame(rows)


def battery_trials():
    """One answerer that monitors itself and one that keeps everything; the first on two forms."""
    return pd.concat(
        [
            trials("smollm2-135m", lost=0.02, seed=1),
            trials("smollm2-135m", form=2, tracks=("T1", "T4", "T5"), seed=2),
            trials("gemma3-270m", keep=(1.0, 1.0), paths=(1.0, 0.0, 0.0), seed=3),
        ],
        ignore_index=True,
    )
