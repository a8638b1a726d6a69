"""The tables of study 2: which columns readers see, under which titles, with how many decimals."""

from metacog.studies.study2_two_choice.tables import (
    own,
    posterior,
    printed,
    risk,
    sample_size,
    two_choice,
)

TABLES = {
    **two_choice.TABLES,
    **risk.TABLES,
    **printed.TABLES,
    **posterior.TABLES,
    **own.TABLES,
    **sample_size.TABLES,
}
