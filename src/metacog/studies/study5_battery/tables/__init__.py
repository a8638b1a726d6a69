"""The tables of study 5: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study5_battery.tables import integrity, monitoring, own, regulation, tracks

TABLES = {**integrity.TABLES, **monitoring.TABLES, **tracks.TABLES, **regulation.TABLES, **own.TABLES}
