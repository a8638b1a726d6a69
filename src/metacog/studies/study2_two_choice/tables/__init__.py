"""The tables of study 2: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study2_two_choice.tables import printed, risk, two_choice

TABLES = {**two_choice.TABLES, **risk.TABLES, **printed.TABLES}
