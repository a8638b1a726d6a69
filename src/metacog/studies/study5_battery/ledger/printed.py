"""What study 5 prints of its headlines, its tracks and the overall accuracy, beside what the responses give."""

from __future__ import annotations

import pandas as pd

from metacog.core.words import listed
from metacog.studies.study5_battery import paper
from metacog.studies.study5_battery.contrasts import CLAIMED_ON, CLAIMS
from metacog.studies.study5_battery.paper import RETROSPECTIVE
from metacog.studies.study5_battery.scores import track_scores

#: Models that the text names as the least and the most accurate one.
LOWEST, HIGHEST = "Gemma 3 1B", "GLM-5"
#: Ways of putting accuracies of the tracks together, none of which the paper states.
MEAN = "right answers, mean of T1 to T5"
WITH_SCORE = "the same, but T2 by its score"
WITHOUT_T2 = "right answers, mean of T1 and T3 to T6"


def by_rule(responses: pd.DataFrame) -> dict[str, pd.Series]:
    """Overall accuracy of each model, by each way of putting its tracks together."""
    right = responses.groupby(["model", "track"])["correct"].mean().unstack()
    with_score = right.assign(T2=track_scores(responses).set_index("model")["T2"])
    return {
        MEAN: right[list(RETROSPECTIVE)].mean(axis=1),
        WITH_SCORE: with_score[list(RETROSPECTIVE)].mean(axis=1),
        WITHOUT_T2: right.drop(columns="T2").mean(axis=1),
    }


def text_ends() -> dict[str, tuple[str, float]]:
    """The least and the greatest overall accuracy that the text prints, each with its model."""
    told = paper.as_text("text_claims").set_index("id")["value"]
    return {
        "lowest": (LOWEST, float(told["lowest_accuracy"])),
        "highest": (HIGHEST, float(told["highest_accuracy"])),
    }


def overall_accuracy(responses: pd.DataFrame) -> pd.DataFrame:
    """Who is least and most accurate in print and by each rule, and which ends of the text a rule meets (``meets``)."""
    board = paper.PUBLISHED.as_numbers("leaderboard").set_index("model")["mean_accuracy"]
    ends, rows = text_ends(), []
    (low, least), (high, greatest) = ends.values()
    rows.append(("printed in the text", low, least, high, greatest, greatest, ""))
    for rule, values in {"printed in its leaderboard": board, **by_rule(responses)}.items():
        first, last = str(values.idxmin()), str(values.idxmax())
        met = [
            f"{end:.3f}{'' if who == name else f', of {who}'}"
            for who, (name, end) in zip((first, last), ends.values(), strict=True)
            if f"{values[who]:.3f}" == f"{end:.3f}"
        ]
        rows.append((rule, first, values[first], last, values[last], values[HIGHEST], listed(met)))
    columns = ["rule", "lowest", "lowest_accuracy", "highest", "highest_accuracy", "glm_5", "meets"]
    return pd.DataFrame(rows, columns=columns)


def printed_headlines() -> dict[str, str]:
    """What is printed of the headlines of :func:`metacog.studies.study5_battery.responses.headlines`, by title."""
    board, (low, high) = paper.as_text("leaderboard"), text_ends().values()
    told: dict[str, str] = dict(paper.as_text("reliability").itertuples(index=False))
    first, last = (board.loc[rank.index[0]] for rank in _by_accuracy(board))
    top = board[board["metacognition_rank"] == "1"].iloc[0]
    counts = board["profile"].value_counts()

    def ends(text: tuple[str, float], file: pd.Series) -> str:
        return f"{text[0]} ({text[1]:.3f}) in the text, {file['model']} ({file['mean_accuracy']}) in its leaderboard"

    return {
        "highest mean withdraw delta": f"{top['model']} ({top['mean_withdraw_delta']})",
        "highest accuracy, T1 to T5": ends(high, last),
        "lowest accuracy, T1 to T5": ends(low, first),
        "leader on each track": "no single model",
        "rank correlation of accuracy and delta": "largely inverted",
        "correlation of delta and answering directly": told["retrospective_prospective_r"],
        "how two halves of the battery correlate, and two batteries": (
            f"{told['split_half_r']}, {told['spearman_brown']}"
        ),
        "distance of profiles C and A (Cohen's d)": told["cohens_d_C_vs_A"],
        "profiles by rule": ", ".join(
            f"{name} {counts.get(name, 0)}" for name in ("A", "B", "C", paper.UNCLASSIFIED)
        ),
        **{
            f"{CLAIMED_ON} over size, {family}": "is flat" if claim == "flat" else claim
            for family, claim in CLAIMS.items()
        },
    }


def _by_accuracy(board: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """The leaderboard's accuracies, lowest first and highest first."""
    values = board["mean_accuracy"].astype(float)
    return values.sort_values(), values.sort_values(ascending=False)


def tracks_told(responses: pd.DataFrame) -> pd.DataFrame:
    """What each track is after and whom it follows, as printed, with its items counted in the responses."""
    printed = paper.as_text("items")
    return pd.DataFrame(
        {
            "track": printed["track"],
            "about": printed["domain"],
            "items": printed["track"].map(responses.groupby("track")["item"].nunique()),
            **{name: printed[name] for name in ("paradigm", "after", "registered")},
        }
    )
