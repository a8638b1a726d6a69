"""What became of the four hypotheses: what their page says."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from metacog.core.words import COUNTS, plural
from metacog.measures.pairs import excludes_zero
from metacog.report.views import Views
from metacog.studies.study1_qa import h1, h2
from metacog.studies.study1_qa.cells import RECOMPUTED, silent_in
from metacog.studies.study1_qa.cells_shown import NAMES
from metacog.studies.study1_qa.h4 import RULE_CODE, RULE_SOUND, RULE_TEXT
from metacog.studies.study1_qa.summary import CLAIMS, HYPOTHESES, RULES, TOGETHER
from metacog.studies.study1_qa.temperatures import RULE_CRITERION, RULE_RANGE, RULE_RHO, RULE_TOST, SEPARATE
from metacog.verdicts.levels import FOUND


def answer(result: Any) -> str:
    """How many of the paper's hypotheses hold and fail in this run, by its own rules and by sounder ones."""
    rows = result.hypotheses[result.hypotheses["model"] == TOGETHER]
    own, sound = (list(rows.loc[rows["rule"] == rule, "answer"]) for rule in RULES)
    if not own:
        return "This run is too small to judge the paper's hypotheses; the default book does."
    begun = (
        f"Of the paper's {COUNTS[len(CLAIMS)]} hypotheses, {_counted(own)} on these models by its own rules"
    )
    if _counted(own) == _counted(sound):
        return f"{begun}, and by sounder ones alike."
    return f"{begun}; by sounder ones {_counted(sound)}."


def _counted(said: Sequence[str]) -> str:
    yes, no = said.count("yes"), said.count("no")
    if not yes and not no:
        return "none can be decided"
    return f"{COUNTS[yes]} hold{'s' * (yes < 2)} and {COUNTS[no]} fail{'s' * (no < 2)}"


def found(which: str, result: Any) -> str:
    """How often the sounder rule of one hypothesis passes in simulated runs where it holds, and where it fails."""
    row = result.power.set_index("hypothesis").loc[which]
    wrong = (
        "" if row["wrong_runs"] == 0 else f", and in {_share(row['wrong_supported'])} where it narrowly fails"
    )
    no = f", and no in {_share(row['right_refuted'])}" if row["right_refuted"] > 0 else ""
    said = (
        f"In simulated runs of {row['size']} the sounder rule says yes in {_share(row['right_supported'])} of those in "
        f"which the hypothesis holds{no}{wrong}."
    )
    return said if row["right_supported"] >= FOUND else f"{said} Where it stays undecided, that says little."


def _share(share: float) -> str:
    return f"{100 * share:.0f} %" if share == 0 or share >= 0.01 else f"{100 * share:.1f} %"


def first(result: Any) -> str:
    """In how many of the paper's models M-ratio is shown to be below 1, and in how many to be 1 or more."""
    theirs = result.comparison[result.comparison["source"] == RECOMPUTED]
    below, above = int(theirs["below_one"].astype(bool).sum()), int((theirs["m_ratio_lower"] >= 1).sum())
    if above:
        return f"No: in {above} of the paper's {plural(len(theirs), 'model')} the M-ratio is shown to be one or more."
    if below == len(theirs):
        return "Yes: in every model of the paper the M-ratio is shown to lie below one."
    if not below:
        return "No model of the paper is shown to have an M-ratio below one."
    return (
        f"Not shown for every model: the M-ratio is shown to lie below one in {below} of the paper's "
        f"{plural(len(theirs), 'model')}."
    )


def second(result: Any) -> str:
    """Whether confidence tells right from wrong better in some subjects than in others, in this run."""
    if result.pairs.empty:
        return "This run has fewer than two domains."
    areas = result.pairs[result.pairs["measure"] == "auroc2"]
    usable = areas[~areas["flagged"].astype(bool) & areas["lower"].notna()]
    if usable.empty:
        silent = silent_in(result.domains)
        if len(silent) == result.domains["model"].nunique():
            return "It cannot be told from this run, because no confidence could be read."
        return "It cannot be told from this run: no two subjects have enough right and wrong answers."
    differ = int((usable["p_holm"] < 0.05).sum())
    of = plural(len(usable), "pair")
    about = "of subjects that can be compared"
    differs = "in how well confidence tells right from wrong"
    if not differ:
        return f"Not shown in this book's models: of {of} {about}, none differs {differs}."
    return f"Yes, in this book's models: of {of} {about}, {differ} {'differs' if differ == 1 else 'differ'} {differs}."


def printed(result: Any) -> str:
    """In how many of the paper's models confidence tells right from wrong better in some subjects, as printed."""
    apart, of = len(result.printed_apart), plural(result.printed_models, "model")
    return f"By the paper's own intervals, some subjects differ in {apart or 'none'} of its {of}."


def third(result: Any) -> str:
    """In how many models meta-d' is shown to stay as it is, or to change, with each temperature's own rating edges."""
    found = [v for v in result.verdicts if v.name == "tost" and v.values["edges"] == SEPARATE]
    held = [holds for verdict in found for _, holds in verdict.units]
    same, moved = held.count(True), held.count(False)
    if not held or not found[0].values["complete"]:
        return "Whether meta-d' stays as it is over temperature cannot be told from this run."
    of = plural(len(held), "model")
    if moved:
        return f"No: in {moved} of this book's {of} meta-d' is shown to change with temperature."
    if same == len(held):
        return "Yes: in every model of this book meta-d' is shown to stay as it is over temperature."
    if same:
        return f"Shown for {same} of this book's {of}: there meta-d' stays as it is over temperature."
    return "Not shown: no model of this book is shown to keep its meta-d' over temperature, nor to change it."


def fourth(result: Any) -> str:
    """How many pairs of published models are further apart in M-ratio than in d'."""
    theirs = result.comparison[result.comparison["source"] == RECOMPUTED]
    differ = int(excludes_zero(theirs["lower"], theirs["upper"]).sum())
    further, of = (
        int(theirs["further"].eq(True).sum()),
        f"{plural(len(theirs), 'pair')} of the paper's models",
    )
    if further:
        return f"Yes, in {further} of {of}, which differ more in M-ratio than in d'; a table's shape alone can do that."
    are = "differs" if differ == 1 else "differ"
    return f"Not shown: {differ or 'none'} of {of} {are} in M-ratio, but none by more than in d'."


VIEWS = (
    Views(
        "summary",
        names=NAMES,
        sentences={"answer": answer, **{f"found_{one}": partial(found, one.upper()) for one in HYPOTHESES}},
    ),
    Views(
        "h1",
        names=NAMES,
        sentences={"answer": first},
        rules={"limit": h1.RULE, "intervals": h1.RULE_INTERVALS},
    ),
    Views(
        "h2",
        names=NAMES,
        sentences={"answer": second, "printed": printed},
        rules={"difference": h2.RULE, "holm": h2.RULE_HOLM},
    ),
    Views(
        "h3",
        names=NAMES,
        sentences={"answer": third},
        rules={"range": RULE_RANGE, "rho": RULE_RHO, "tost": RULE_TOST, "criterion": RULE_CRITERION},
    ),
    Views(
        "h4",
        names=NAMES,
        sentences={"answer": fourth},
        rules={"code": RULE_CODE, "text": RULE_TEXT, "further": RULE_SOUND},
    ),
)
