"""Trials of the battery from answerers whose accuracy and monitoring are known."""

import numpy as np
import pandas as pd

from metacog.collect.reading import BLANK
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
        stood = {"keep_withdraw": ("KEEP", "WITHDRAW"), "bet_nobet": ("BET", "NO_BET")}
        said = {
            name: words[not reported[word]] if answer else ""
            for (name, words), word in zip(stood.items(), ("keep", "bet"), strict=True)
        }
        numbers = {"p_answer": 0.6, "p_key": 0.5, "p_keep": p["keep"], "p_bet": p["bet"]}
        rows.append(
            {
                **BLANK,
                **dict.fromkeys(numbers, np.nan),
                **(numbers if answer else {}),
                **said,
                **({"keep_withdraw": ""} if bad else {}),
                **{
                    name: getattr(item, name)
                    for name in ("domain", "track", "item_type", "level", "difficulty")
                },
                "question_id": item.id,
                "question_index": i,
                "answer": answer,
                "correct": correct,
                "match": "given" if answer else "empty",
                "key": item.key,
                "n_options": len(item.options),
                "path": path,
                "points": PAYOFFS[path][0 if correct else 1] if six else np.nan,
                "bad_reply": bad,
                "parse_status": "unclear" if bad else "ok",
            }
        )
    constant = {"study": "study5_battery", "model": model, "dataset": f"form-{form}", "prompt_id": "p"}
    constant |= {"temperature": 0.0, "seed": 1, "forecast": "", "form": "label", "wording": VERSION}
    return pd.DataFrame(rows).assign(**constant)


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
