"""The figures of study 4: what each is drawn from, its caption, and what it shows in words."""

from metacog.studies.study4_probe.drawings import items, own, printed

FIGURES = {**own.FIGURES, **printed.FIGURES, **items.FIGURES}
