"""The tables of study 1: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study1_qa.first_paper import shown as first_paper
from metacog.studies.study1_qa.tables import others

TABLES = {**first_paper.TABLES, **others.TABLES}
