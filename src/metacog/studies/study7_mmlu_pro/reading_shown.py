"""What is in the rows of 83 models: what is said of it."""

from __future__ import annotations

from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study7_mmlu_pro.reading import MUCH_IN_WORDS, Reading


def answer(result: Reading) -> str:
    """What the rows lack."""
    lack = (
        f"{result.n_lacking} of {result.n_models} models lack an answer or one of three kinds of confidence"
    )
    most = ", most often thinking ones" if _thinking(result) else ""
    return f"{lack} in more than {MUCH_IN_WORDS}{most}."


def _thinking(result: Reading) -> bool:
    """Whether a larger share of models with thinking on lacks something than of the others."""
    lacks = result.runs["model"].isin(result.lacking["model"])
    thinks = result.runs["model"].str.endswith("-think")
    return bool(lacks[thinks].mean() > lacks[~thinks].mean())


def outside(result: Reading) -> str:
    """Numbers outside 0 to 1, and runs that do no better than one letter throughout."""
    none, several = not result.at_chance, len(result.at_chance) > 1
    right = result.runs.set_index("model")["accuracy"]
    named = listed(f"{model} ({right[model]:.1%} right)" for model in result.at_chance)
    who = "Every model does better" if none else f"{named} {'do' if several else 'does'} no better"
    end = "" if none else f", and {'are' if several else 'is'} shown, but not counted"
    return (
        f"{result.n_stated_outside} stated numbers and {result.n_tone_outside} judgements of tone lie outside 0 to 1 "
        f"and count as missing. {who} than always answering the commonest letter would "
        f"({result.constant_share:.1%}){end}."
    )


def zeros(result: Reading) -> str:
    """Whether stated zeros were stated."""
    table = result.zeros
    sure = table.loc[table["sounds_sure"], "model"].tolist()
    said = (
        f"Replies with a stated 0 are right less often than the others of {int(table['told'].sum())} of "
        f"{plural(len(table), 'model')} that have enough of them: there the number says something."
    )
    if not sure:
        return said
    return f"{said} But those of {listed(sure)} sound sure to the judge, so that the 0 may be nobody's word."


VIEWS = Views("reading", sentences={"answer": answer, "outside": outside, "of_zeros": zeros})
