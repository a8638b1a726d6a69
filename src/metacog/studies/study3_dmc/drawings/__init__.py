"""The figures of study 3: what each is drawn from, its caption, and what it shows in words."""

from metacog.studies.study3_dmc.drawings import estimators, own, signals

FIGURES = {**estimators.FIGURES, **signals.FIGURES, **own.FIGURES}
