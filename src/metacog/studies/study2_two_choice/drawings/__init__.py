"""The figures of study 2: what each is drawn from, its caption, and what it shows in words."""

from metacog.studies.study2_two_choice.drawings import own, posterior, risk, sample_size, two_choice

FIGURES = {
    **two_choice.FIGURES,
    **risk.FIGURES,
    **posterior.FIGURES,
    **own.FIGURES,
    **sample_size.FIGURES,
}
