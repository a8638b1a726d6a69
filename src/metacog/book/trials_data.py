"""The trials that readers can look up, as a script that their page reads without a network.

Browsers refuse pages opened from a disk to fetch data, so it is a classic script that sets one variable. What rows
share is told once: texts of questions, and whatever a group of rows of one study, task, model and temperature have in
common.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd

from metacog.core.config import Profile
from metacog.core.files import replacing
from metacog.studies import studies
from metacog.studies.named import with_labels
from metacog.studies.results import result

#: Below ``_static_generated``.
SCRIPT = "trials-data.js"
#: What the page's own script reads.
VARIABLE = "METACOG_TRIALS"
#: The analysis that has them.
ANALYSIS = "trials_shown"
#: Bytes that script and data may have.
MOST_BYTES = 3_000_000
#: What rows of one group share.
GROUP = ["study", "task", "model", "temperature"]
_TURNED = {"": "0", "stricter": "1", "looser": "2"}


def write_trials_data(profile: Profile, folder: Path) -> None:
    """Write the script with the trials of the run that carries each study's pages."""
    for study in studies():
        for one in study.analyses:
            if one.name == ANALYSIS:
                with replacing(folder / SCRIPT) as handle:
                    handle.write(script(result(study, profile, one, {}).trials))


def script(trials: pd.DataFrame) -> str:
    """The script of some trials (:mod:`metacog.studies.shared.trials_shown`)."""
    text = json.dumps(packed(trials), ensure_ascii=False, separators=(",", ":"))
    return f"window.{VARIABLE} = {text};\n"


def packed(trials: pd.DataFrame) -> dict[str, Any]:
    """``questions``, each its text, key and id; and ``groups``, each with what its rows share and their columns.

    Of a group: ``q`` places of the questions; ``a`` answers; ``c`` confidences in thousandths, -1 without one; strings
    with one sign a row: ``r`` right, ``s`` sure (2 without confidence), ``t`` turned by a stricter (1) or looser (2)
    marking. An address is ``start``, the question's id, the temperature and what of ``p`` is the row's; ``p`` is one
    text where all rows have the same.
    """
    texts = list(zip(trials["question"], trials["key"], trials["question_id"], strict=True))
    places, asked = pd.factorize(pd.Series(texts, dtype=object))
    labels = with_labels(trials["model"])
    groups = []
    for about, own in trials.assign(number=places, label=labels).groupby([*GROUP, "label"], sort=False):
        confidence = (1000 * own["confidence"].astype(float)).round().fillna(-1).astype(int)
        start, temperature = own["address"].iloc[0].split("~")[:2], f"{about[3]:g}"
        ends = [one.split("~", 4)[4] for one in own["address"]]
        groups.append(
            {
                **dict(zip(GROUP, about, strict=False)),
                "label": about[4],
                "temperature": temperature,
                "start": "~".join(start),
                "q": own["number"].tolist(),
                "a": own["answer"].tolist(),
                "c": confidence.tolist(),
                "r": "".join(own["right"].astype(str)),
                "s": "".join(own["sure"].replace(-1, 2).astype(str)),
                "t": "".join(own["turned"].map(_TURNED)),
                "p": ends[0] if len(set(ends)) == 1 else ends,
            }
        )
    return {"questions": [list(one) for one in asked], "groups": groups}
