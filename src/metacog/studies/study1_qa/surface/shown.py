"""Is it only the surface? How it is shown."""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.report.tables import Column, Schema, columns_of, count, limits, number, text
from metacog.report.views import Views
from metacog.studies.study1_qa.cells.columns import AUROC2, MODEL, TEMPERATURE
from metacog.studies.study1_qa.surface import figures, words
from metacog.studies.study1_qa.surface.judging import RULES

CONTROL, WHY = text("control", "Control"), text("flag", "Not given because", optional=True)


def _with_limits(name: str, title: str) -> tuple[Column, ...]:
    """An estimate with its interval under one header."""
    return number(name, "is", 3, title), *limits(f"{name}_lower", f"{name}_upper", title)


AREAS = columns_of(
    MODEL,
    TEMPERATURE,
    CONTROL,
    number("auroc2", "NLP"),
    _with_limits("alone", "The control alone"),
    _with_limits("alike", "NLP, answers alike"),
    number("p_value", "p", 3),
    WHY,
)
BITS = columns_of(
    MODEL,
    TEMPERATURE,
    CONTROL,
    number("information", "NLP", 3, "Bits"),
    number("control_information", "Control", 3, "Bits"),
    number("remaining", "Left of NLP", 3, "Bits"),
    number("meta_i2r", "NLP", 3, "meta-I2r"),
    number("meta_i2r_left", "left", 3, "meta-I2r"),
    _with_limits("share", "Share left"),
    number("remaining_p", "p", 3),
    WHY,
)
FEATURES = columns_of(MODEL, TEMPERATURE, text("feature", "Feature"), count("n", "Answers"), AUROC2)


def _two(name: str) -> Any:
    """Rows of the temperatures that the verdicts are about."""

    def rows(result: Any) -> pd.DataFrame:
        frame: pd.DataFrame = getattr(result, name)
        return frame[frame["temperature"].isin([result.lowest, result.highest])]

    return rows


def _named(result: Any) -> pd.DataFrame:
    """The simulations, with quantities as readers know them."""
    named = {"alike": "AUROC2, answers alike", "share": "share left"}
    return result.proof.assign(quantity=result.proof["quantity"].map(named))


#: What NLP is set against, in sentences and titles.
_SURFACE, _ALL = "length and word rarity", "length, word rarity and the other models' NLP"
VIEWS = Views(
    "surface",
    tables={
        "areas": Schema(
            _two("left"),
            AREAS,
            "AUROC2 at the lowest temperature and at T = 1: of NLP; of each control by itself, as a model that was "
            "fitted to the other questions reads it; and of NLP among answers that are alike in the control, with 95 % "
            "intervals over questions and p by dealing right and wrong anew among answers alike.",
        ),
        "bits": Schema(
            _two("left"),
            BITS,
            "The same in bits: what NLP says about being right, what the control says, and what NLP adds to the "
            "control; as shares of the uncertainty about being right (meta-I2r); and what is left as a share of what "
            "NLP says by itself, with 95 % intervals over questions.",
        ),
        "features": Schema(
            _two("features"),
            columns_of(
                FEATURES,
                limits("auroc2_lower", "auroc2_upper"),
                number("rho", "Correlation with NLP", 2),
                WHY,
            ),
            "AUROC2 of single features as they are, with 95 % intervals over questions, and their rank correlation "
            "with NLP. Below 0.5, right answers go with the other end.",
        ),
        "temperatures": Schema(
            "left",
            columns_of(AREAS[:-1], number("share", "Share left"), WHY),
            "Every temperature.",
        ),
        "proof": Schema(
            _named,
            columns_of(
                text("design", "Answerer"),
                count("n", "Questions"),
                text("quantity", "Quantity"),
                number("truth", "Truth"),
                number("bias", "Mean error"),
                number("sd", "Standard deviation"),
                number("coverage", "Coverage", 2),
                number("rejected", "p at most .05", 2),
            ),
            "Simulated answerers of whom it is known what is left beyond length and rarity.",
        ),
    },
    figures={"left": figures.left},
    sentences={
        "headline": words.headline,
        "at_highest": words.at_highest,
        "at_lowest": words.at_lowest,
        "directions": words.directions,
        "words": words.words,
    },
    verdicts={
        "rest": words.judgement(f"That NLP says more than {_SURFACE}"),
        "most": words.judgement(f"That more than half of it is beyond {_SURFACE}"),
        "rest_of_all": words.judgement(f"That NLP says more than {_ALL}"),
        "most_of_all": words.judgement(f"That more than half of it is beyond {_ALL}"),
    },
    claims={
        "rest": f"NLP says more than {_SURFACE}",
        "most": f"most of what NLP says is beyond {_SURFACE}",
        "rest_of_all": f"NLP says more than {_ALL}",
        "most_of_all": f"most of what NLP says is beyond {_ALL}",
    },
    rules=RULES,
)
