"""The figures of study 1: what each is drawn from, its caption, and what it shows in words."""

from metacog.studies.study1_qa.drawings import others

FIGURES = others.FIGURES
