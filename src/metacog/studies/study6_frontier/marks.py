"""Suspected keys against what people found who went over the questions.

People have marked some of the questions (MMLU-Redux 2.0, Gema et al. 2024). Only what they found is called an error
here; a suspected key that nobody has marked stays suspected.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from metacog.core.errors import MetacogError
from metacog.core.frames import committed_table, ended
from metacog.measures.model_items import CONSTANT, FEW, MIN_OF_CLASS, FloatArray, ModelItems
from metacog.measures.suspected_keys import THRESHOLDS
from metacog.report.views import Views
from metacog.sdt import wilson
from metacog.sdt.area_intervals import placement_values
from metacog.sdt.decisions import adjust_p
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study6_frontier.keys import BEST, MOST, agreed
from metacog.studies.study6_frontier.ledger.rows import model_items
from metacog.studies.study6_frontier.paper import FILES
from metacog.verdicts.outcomes import Rule, counted, outcomes
from metacog.verdicts.rules import beyond

#: What people found, of the questions that could be matched.
MARKS = "data/published/mmlu_redux_marks.csv"
#: Their labels, and what these say of the key; ``expert``: they could not tell.
SOUND, UNSURE = "ok", "expert"
WRONG_KEY = ("wrong groundtruth", "no correct answer", "multiple correct answers")
UNCLEAR = ("bad question clarity", "bad options clarity")
#: Two meanings of a fault, and two ways to count questions on which people could not tell.
FAULTS = {"wrong key": WRONG_KEY, "anything wrong": (*WRONG_KEY, *UNCLEAR)}
UNSURE_AS = ("sound", "at fault")
#: Fewer marked questions above a threshold say nothing.
FEWEST = 10
#: A model's AUROC2 changes below this p, adjusted for all models.
ALPHA = 0.05


_NO_NULL = "marks dealt out at random in tests/studies/study6_frontier"
RULES = {
    "marked": Rule(
        "Of the suspected items that people have marked (at least half of the others, for at least half of the "
        "models) most have a wrong key: the 95 % interval of this share lies above one half, whichever way "
        "questions are counted on which people could not tell.",
        "marks",
        no_null=_NO_NULL,
    ),
    "sound": Rule(
        "At least half of the models with ten right and ten wrong answers have a higher AUROC2 on the marked items "
        "that people found sound than on all marked items: the 95 % interval of the difference lies above 0.",
        "marks",
        no_null=_NO_NULL,
    ),
}


@analysis(files=(*FILES, MARKS))
def marks(
    inputs: Inputs,
    items: ModelItems | None = None,
    table: pd.DataFrame | None = None,
    *,
    verdicts: bool = True,
) -> dict[str, Any]:
    """What did people find on the questions whose key models contradict?"""
    items = items or model_items()
    found = marks_of(items, committed_table(MARKS, keep_default_na=False) if table is None else table)
    checked, (sound, moves) = checked_of(items, found), sound_of(items, found)
    suspected = agreed(items, MOST)
    doubted = suspected[found["at"]]
    labels = found.assign(suspected=doubted).groupby("label")["suspected"].agg(items="size", suspected="sum")
    corrected = found[found["corrected"].ne("")]
    common = pd.Series(commonest(items, corrected["at"].to_numpy()), index=corrected.index)
    return {
        "checked": checked,
        "labels": labels.reset_index().sort_values(
            ["items", "label"], ascending=[False, True], ignore_index=True
        ),
        "sound": sound,
        "outcomes": judge(checked, sound) if verdicts else None,
        "n_marked": len(found),
        "n_sound": int(found["label"].eq(SOUND).sum()),
        "n_suspected": int(suspected.sum()),
        "n_suspected_marked": int(doubted.sum()),
        "n_wrong": int((doubted & found["label"].isin(WRONG_KEY)).sum()),
        **of_best(sound, moves),
        "n_corrected": len(corrected),
        "n_corrected_as_models": int(common.eq(corrected["corrected"]).sum()),
        "n_corrected_as_key": int(common.eq(corrected["key"]).sum()),
    }


def marks_of(items: ModelItems, marks: pd.DataFrame) -> pd.DataFrame:
    """The marks of these items, with their position ``at``; refused are marks that do not fit these items."""
    if items.key is None:
        raise MetacogError("marks are about a key: name the column (key=)")
    place = {name: at for at, name in enumerate(items.items)}
    at = marks["item_id"].map("{:04d}".format).map(place)
    wrong = {
        "stand twice": marks["item_id"].duplicated(),
        "are of no item": at.isna(),
        "have an unknown label": ~marks["label"].isin([SOUND, UNSURE, *WRONG_KEY, *UNCLEAR]),
    }
    known = at.fillna(0).astype(int).to_numpy()
    subject, key = (np.array(values)[known] for values in (items.strata, np.array(items.answers)[items.key]))
    wrong["have another subject or key"] = (marks["subject"] != subject) | (marks["key"] != key)
    for what, found in wrong.items():
        if found.any():
            raise MetacogError(
                f"{MARKS}: {int(found.sum())} marks {what}, first {marks[found].iloc[0]['item_id']}"
            )
    return marks.assign(at=known)


def checked_of(items: ModelItems, marks: pd.DataFrame) -> pd.DataFrame:
    """Suspected, of these marked, and of these found at fault, by what a fault is and how ``expert`` is counted.

    Shares with Wilson's ends are missing, with a ``flag``, where fewer than :data:`FEWEST` are marked.
    """
    made = []
    suspected = {threshold: agreed(items, threshold) for threshold in THRESHOLDS}
    for (fault, labels), unsure, threshold in product(FAULTS.items(), UNSURE_AS, THRESHOLDS):
        bad = marks["label"].isin([*labels, UNSURE] if unsure == UNSURE_AS[1] else labels)
        doubted = suspected[threshold][marks["at"]]
        marked, found, faults = int(doubted.sum()), int((doubted & bad).sum()), int(bad.sum())
        row: dict[str, Any] = {"fault": fault, "unsure": unsure, "threshold": threshold}
        row |= {"rule": f"{threshold * 100:.0f} % agree", "suspected": int(suspected[threshold].sum())}
        row |= {"marked": marked, "found": found, "faults": faults}
        for name, n in (("precision", marked), ("recall", faults)):
            enough = marked >= FEWEST and n
            share = found / n if enough else np.nan
            row |= ended(name, share, *(wilson(share, n) if enough else (np.nan, np.nan)))
        made.append(row | {"flag": "" if marked >= FEWEST else "too few"})
    return pd.DataFrame(made)


def sound_of(items: ModelItems, marks: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, FloatArray]]:
    """Of each model, the change from all marked items to the sound ones among them, paired by item.

    And of models whose AUROC2 can be judged, how far each marked item moves its change.
    """
    made: list[dict[str, Any]] = []
    moves_of: dict[str, FloatArray] = {}
    at, sound = marks["at"].to_numpy(), marks["label"].eq(SOUND).to_numpy()
    for i, model in enumerate(items.models):
        there = items.answered[i, at]
        hits, sure = items.right[i, at[there]].astype(bool), items.confidence[i, at[there]]
        kept = sound[there]
        row: dict[str, Any] = {"model": model, "n_marked": len(hits), "n_sound": int(kept.sum()), "p": np.nan}
        row["n_wrong_sound"] = int((~hits[kept]).sum())
        few = min(hits[kept].sum(), (~hits[kept]).sum()) < MIN_OF_CLASS
        flag = CONSTANT if model in items.constant else FEW if few else ""
        for name, moves in (("accuracy", _mean_moves), ("auroc2", _area_moves)):
            if name == "auroc2" and flag:
                row |= {f"{name}_{part}": np.nan for part in ("marked", "sound")} | ended(
                    f"{name}_change", *3 * [np.nan]
                )
                continue
            (whole, of_whole), (part, of_part) = moves(hits, sure), moves(hits[kept], sure[kept])
            moved = -of_whole
            moved[kept] += of_part
            df, error = row["n_wrong_sound"] - 1, np.nan if few else np.sqrt(np.square(moved).sum())
            change, half = part - whole, float(stdtrit(df, 0.975) * error)
            row |= {f"{name}_marked": whole, f"{name}_sound": part}
            row |= ended(f"{name}_change", change, change - half, change + half)
            if name == "auroc2" and error > 0:
                row["p"] = float(2 * stdtr(df, -abs(change) / error))
                moves_of[model] = np.zeros(len(at))
                moves_of[model][there] = moved
        made.append(row | {"flag": flag})
    table = pd.DataFrame(made)
    known = table["flag"].eq("") & table["p"].notna()
    table["p_holm"] = np.nan
    if known.any():
        table.loc[known, "p_holm"] = adjust_p(table.loc[known, "p"])
    right = pd.Series(np.nanmean(items.right, axis=1))
    table["best"] = right.rank(ascending=False, method="first") <= BEST
    return table, moves_of


def of_best(sound: pd.DataFrame, moves: Mapping[str, FloatArray]) -> dict[str, Any]:
    """The mean change of AUROC2 of the most accurate models, on the same items; intervals as of one model's."""
    own = sound[sound["best"] & sound["model"].isin(list(moves))]
    if own.empty:
        return {"n_best": 0, **ended("best_change", *3 * [np.nan])}
    error = np.sqrt(np.square(np.mean([moves[model] for model in own["model"]], axis=0)).sum())
    change, half = own["auroc2_change"].mean(), stdtrit(own["n_wrong_sound"].min() - 1, 0.975) * error
    return {
        "n_best": len(own),
        **ended("best_change", *(float(100 * one) for one in (change, change - half, change + half))),
    }


def _mean_moves(hits: NDArray[np.bool_], sure: FloatArray) -> tuple[float, FloatArray]:
    """A mean, and what each item adds to its deviation from the truth."""
    mean = float(hits.mean())
    return mean, (hits - mean) / hits.size


def _area_moves(hits: NDArray[np.bool_], sure: FloatArray) -> tuple[float, FloatArray]:
    """The same of AUROC2, in first order."""
    placed = placement_values(hits, sure)
    area = float(placed[hits].mean())
    return area, (placed - area) * np.where(hits, 1 / hits.sum(), 1 / (~hits).sum())


def commonest(items: ModelItems, at: NDArray[np.int64]) -> list[str]:
    """The answer that most models give to each of some items; of equally many, the first letter."""
    assert items.answer is not None
    return [items.answers[int(np.bincount(given[given >= 0]).argmax())] for given in items.answer[:, at].T]


def judge(checked: pd.DataFrame, sound: pd.DataFrame) -> pd.DataFrame:
    """Whether most suspected keys are wrong, and whether models are better on sound items."""
    own = checked[(checked["threshold"] == MOST) & (checked["fault"] == next(iter(FAULTS)))]
    both = [
        beyond(f"unsure as {one}", low, high, 0.5, "too few")
        for one, low, high in own[["unsure", "precision_lower", "precision_upper"]].itertuples(index=False)
    ]
    ends = sound[["model", "auroc2_change_lower", "auroc2_change_upper", "flag"]]
    better = [beyond(model, low, high, 0.0, flag) for model, low, high, flag in ends.itertuples(index=False)]
    half = max(-(-int((sound["flag"] == "").sum()) // 2), 1)
    return pd.concat([outcomes("marked", both), outcomes("sound", better, half)])


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need: keys found wrong where models contradict them and elsewhere, and changes."""
    checked = result.checked
    own = checked[(checked["threshold"] == MOST) & (checked["unsure"] == UNSURE_AS[0])].iloc[0]
    known = result.sound[result.sound["flag"] == ""]
    half = known["auroc2_change_upper"] - known["auroc2_change"]
    sure = known.loc[known["p_holm"] < ALPHA, "auroc2_change"]
    return {
        "wrong_share": 100 * own["precision"],
        "wrong_lower": 100 * own["precision_lower"],
        "wrong_upper": 100 * own["precision_upper"],
        "n_elsewhere": result.n_marked - result.n_suspected_marked,
        "n_wrong_elsewhere": int(own["faults"] - own["found"]),
        "n_unmarked": result.n_suspected - result.n_suspected_marked,
        "n_unsure": int(result.labels.loc[result.labels["label"] == UNSURE, "items"].sum()),
        "points": 100 * float(known["accuracy_change"].median()),
        "typical_change": 100 * float(known["auroc2_change"].median()),
        "reach": 100 * float(half.median()),
        "reach_best": 100 * float(half[known["best"]].median()),
        "n_judged": len(known),
        "n_rise": int((sure > 0).sum()),
        "n_fall": int((sure < 0).sum()),
    }


VIEWS = Views("marks", numbers=numbers, verdicts={"sound": lambda result: counted(result.outcomes, "sound")})
