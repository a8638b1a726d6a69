"""The figures of study 5: what each is drawn from, its caption, and what it shows in words."""

from metacog.studies.study5_battery.drawings import monitoring, own, regulation, tracks

FIGURES = {**monitoring.FIGURES, **tracks.FIGURES, **regulation.FIGURES, **own.FIGURES}
