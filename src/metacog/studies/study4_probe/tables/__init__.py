"""The tables of study 4: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study4_probe.tables import items, own, printed

TABLES = {**own.TABLES, **printed.TABLES, **items.TABLES}
