"""The tables of study 1: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study1_qa.tables import others

TABLES = others.TABLES
