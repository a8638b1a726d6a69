"""The figures of study 4: what each is drawn from, its caption, and what it shows in words."""

from metacog.studies.study4_probe.drawings import own, printed

FIGURES = {**own.FIGURES, **printed.FIGURES}
