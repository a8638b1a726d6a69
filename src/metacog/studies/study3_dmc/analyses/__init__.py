"""The analyses of study 3, by name."""

from metacog.studies.study3_dmc.analyses.decoupling import decoupling
from metacog.studies.study3_dmc.analyses.estimators import estimators
from metacog.studies.study3_dmc.analyses.own import own
from metacog.studies.study3_dmc.analyses.printed import printed
from metacog.studies.study3_dmc.analyses.signals import signals

ANALYSES = (estimators, decoupling, printed, signals, own)
