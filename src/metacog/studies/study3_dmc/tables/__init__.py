"""The tables of study 3: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study3_dmc.tables import estimators, own, signals

TABLES = {**estimators.TABLES, **signals.TABLES, **own.TABLES}
