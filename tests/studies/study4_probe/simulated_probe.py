"""Replies of simulated models to the probe: written texts, read and marked as a model's would be."""

import math

import numpy as np
import pandas as pd

from metacog.collect.reading import BLANK
from metacog.engines.base import Generation
from metacog.engines.requests import Generated
from metacog.studies import get_study
from metacog.studies.study import Result
from metacog.studies.study4_probe.asking.collection import ProbeReplies
from metacog.studies.study4_probe.asking.items import TASKS_WITH_ANSWERS, VERSION, load_items
from metacog.studies.study4_probe.settings import Settings


class Given:
    """Inputs that hold one table of trials, and the results that are computed from it."""

    def __init__(self, trials):
        self.table = trials

    def trials(self, collection):
        assert collection == "probe"
        return self.table

    def result(self, name):
        return Result(get_study("study4_probe").analysis(name)(self, n_resamples=300, seed=3))


def right_reply(item, stated):
    """A reply that earns the whole point, with a confidence."""
    return {
        "T1_CC": f"ANSWER: {item.key}\nCONFIDENCE: {stated}",
        "T2_EV": "ERROR_FOUND: YES\nERROR_TYPE: " + ", ".join(e.replace("_", " ") for e in item.errors),
        "T3_KB": f"CAN_ANSWER: {'YES' if item.can_answer else 'NO'}\nBOUNDARY_TYPE: {item.boundary}\n"
        f"CONFIDENCE: {stated}\nREASONING: {item.key or 'nobody can know'}",
        "T4_CR": f"ANSWER: {item.key}\nCONFIDENCE: {stated}",
        "T5_RCV": f"ERROR_FOUND: {'YES' if item.step else 'NO'}\nERROR_STEP: {item.step}\nCORRECTION: NONE",
    }[item.task]


def wrong_reply(item, stated, draw=0):
    """A reply in form that earns nothing, with a confidence."""
    return {
        "T1_CC": f"ANSWER: {777 + draw}\nCONFIDENCE: {stated}",
        "T2_EV": "ERROR_FOUND: NO\nERROR_TYPE: NONE",
        "T3_KB": f"CAN_ANSWER: {'NO' if item.can_answer else 'YES'}\nBOUNDARY_TYPE: temporal\n"
        f"CONFIDENCE: {stated}\nREASONING: so it is",
        "T4_CR": f"ANSWER: Nobody{draw}\nCONFIDENCE: {stated}",
        "T5_RCV": f"ERROR_FOUND: {'NO' if item.step else 'YES'}\nERROR_STEP: 1\nCORRECTION: x",
    }[item.task]


def generation(text, nlp=-0.5):
    return Generation(text, (), (nlp,), 1, nlp, -0.1, False)


def trials_of(model, texts, settings=None, lines=None):
    """Trials from texts: by item id a list, the scored reply first.

    ``lines`` holds, by item id, generations of the answer line.
    """
    asked = ProbeReplies()
    own = asked.sets(settings or Settings())[VERSION]
    rows = []
    for item in load_items():
        if item.id not in texts:
            continue
        reply = Generated(tuple(generation(t) for t in texts[item.id]))
        drawn = [Generated(tuple(lines[item.id]))] if lines and item.id in lines else []
        for row in asked.read(item, [reply, *drawn], own):
            rows.append(
                {
                    "study": "study4_probe",
                    "model": model,
                    "dataset": VERSION,
                    "question_id": item.id,
                    "question_index": item.index,
                    "seed": 0,
                    "prompt_id": "p",
                    **BLANK,
                    "domain": item.domain,
                    **row,
                }
            )
    return pd.DataFrame(rows)


def simulated(model, *, knows=0.5, insight=1.0, broken=0.0, k=4, seed=1, draws=4):
    """A model that knows a share of the items; with insight 1 its confidence says which.

    ``broken`` is the share of replies without a form. What it does not know it writes with a higher entropy.
    """
    rng, own_rng = np.random.default_rng(seed), np.random.default_rng([seed, 1])
    texts, lines = {}, {}
    for item in load_items():
        top = 100 if item.task == "T4_CR" else 10
        known = rng.random() < knows
        sure = 0.9 if (known if rng.random() < insight else rng.random() < 0.5) else 0.2
        stated = max(1, math.floor(top * min(1.0, max(0.0, sure + rng.normal(0, 0.05)))))
        own = []
        for draw in range(1 + k):
            steady = known or rng.random() < 0.3
            text = right_reply(item, stated) if known else wrong_reply(item, stated, 0 if steady else draw)
            own.append("I am not sure what you mean." if rng.random() < broken else text)
        texts[item.id] = own
        if item.task in TASKS_WITH_ANSWERS and draws:
            nlp = -(0.2 if known else 1.0) - 0.1 * own_rng.random(draws)
            lines[item.id] = [generation(f"ANSWER: {7 if item.task == 'T1_CC' else 'x'}", v) for v in nlp]
    return trials_of(model, texts, lines=lines)
