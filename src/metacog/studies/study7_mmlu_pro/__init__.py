"""Study 7: 83 models on the questions of MMLU-Pro, with three kinds of confidence."""

from metacog.studies.study import Reference, Study
from metacog.studies.study7_mmlu_pro import (
    claims,
    reading,
    replication,
    rows,
    second_opinions,
    stated_gate,
    thinking,
    tone,
)

STUDY = Study(
    name="study7_mmlu_pro",
    title="The frontier: 83 models, a million answers",
    paper=Reference("Tao et al.", "Calibration of large language models", 2025, key="tao2025"),
    analyses=(
        reading.reading,
        replication.replication,
        second_opinions.second_opinions,
        stated_gate.stated_gate,
        thinking.thinking,
        thinking.thinking_effects,
        tone.tone,
        claims.claims,
    ),
    views=(
        reading.VIEWS,
        replication.VIEWS,
        second_opinions.VIEWS,
        stated_gate.VIEWS,
        thinking.VIEWS,
        tone.VIEWS,
    ),
    rules=second_opinions.RULES | thinking.RULES | tone.RULES,
    fetches={rows.NAME: rows.fetch_and_check},
)
