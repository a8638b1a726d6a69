"""``python -m metacog.studies result PROFILE STUDY ANALYSIS [MODEL] | summary PROFILE``, for a step."""

from __future__ import annotations

import sys

from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.core.paths import keep_compiled

USAGE = "usage: python -m metacog.studies result PROFILE STUDY ANALYSIS [MODEL] | summary PROFILE"


def main(words: list[str]) -> None:
    """Do what the words say."""
    if words[:1] == ["result"] and len(words) in (4, 5):
        from metacog.studies import open_run

        keep_compiled()
        _, profile, study, analysis, *model = words
        open_run(study, profile).compute(analysis, **({"model": model[0]} if model else {}))
    elif words[:1] == ["summary"] and len(words) == 2:
        from metacog.studies.summary import write_ledger_rows, write_summary

        write_ledger_rows(load_profile(words[1]))
        write_summary(load_profile(words[1]))
    else:
        raise MetacogError(USAGE)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except MetacogError as error:
        sys.exit(f"metacog: {error}")
