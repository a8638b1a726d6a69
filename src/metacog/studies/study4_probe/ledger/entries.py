"""Rows of study 4 in the ledger: tables 1 to 6, the sweep of section A.5, and the text's figures.

No answers were published. What can be recomputed is what printed figures say of one another: means of
printed scores, components of printed scores, Flash's T4-CR from its printed items, tests and intervals of
printed correlations, and the rankings that the correlations of table 7 leave open.
"""

from __future__ import annotations

from typing import Any

import pandas as pd

from metacog.core.frames import rows_of
from metacog.ledger.entry import Settings, StudyLedger, entries_of
from metacog.ledger.judging import agreement, inside
from metacog.ledger.tolerances import half_last_digit
from metacog.studies.study4_probe import panel, paper, rank_tests, reliability
from metacog.studies.study4_probe.ledger.external import hypotheses, task_correlations, validity
from metacog.studies.study4_probe.ledger.roles import (
    FROM_END,
    FROM_ROWS,
    ITEMS,
    SOLVED_FROM,
    STUDY,
    TWICE,
    beside,
    table_name,
)
from metacog.studies.study4_probe.ledger.text import text_rows
from metacog.studies.study4_probe.paper import FLASH, FROM_CELLS, FROM_ITEMS, TASKS, short
from metacog.studies.study4_probe.range_score import (
    FLAT,
    NARROW,
    RANGE_BAND,
    SIGMA_BAND,
    penalties,
    range_score,
    sweep,
)

NEEDS_ANSWERS = "the answers of the eight models to the 78 items"
NEEDS_SLOTS = "the fifteen slot scores of each model"
NEEDS_RATINGS = "the answers of the human panel"
#: A quantity that a chapter looks up.
AGAIN = "Flash T4-CR"
MEANS = {"mean_T1_T2_T4_T5": "mean of four", "mean_T1_T5": "mean of five"}
SLOTS = "15-slot composite"


def figures() -> pd.DataFrame:
    """Every printed figure of a table: columns of :func:`.entries_of`."""
    return pd.concat(
        [
            leaderboard(),
            _reliability(),
            _swap(),
            _rank_tests(),
            _items(),
            _components(),
            validity(),
            task_correlations(),
            hypotheses(),
            swept(),
        ],
        ignore_index=True,
    )


def entries(settings: Settings) -> pd.DataFrame:
    """Every row of study 4."""
    return pd.concat([entries_of(figures(), STUDY), text_rows()])


def judged_sweep() -> pd.DataFrame:
    """Flash's T4-CR at nine pairs of thresholds by its items, next to the printed ones.

    ``follows`` is what the ledger says: at the live thresholds of the score of table 1, which is printed there again.
    """
    names = {"flash_t4cr": "printed", "sonnet_t4cr": "sonnet_printed", "flash_gap": "gap_printed"}
    theirs = paper.as_text("a5_sensitivity").rename(columns=names)
    both = sweep(*paper.flash_items()).merge(theirs)
    agreed = agreement(entries_of(pd.concat([leaderboard(), swept()]), STUDY))
    live = agreed[table_name("1"), FLASH, short("T4_CR")]
    return both.assign(
        **{name: both[name].astype(float) for name in names.values()},
        follows=[
            bool(agreed[table_name("A.5"), sweep_item(row), AGAIN] and (live or not _is_live(row)))
            for row in rows_of(both)
        ],
    )


def judged_tests() -> pd.DataFrame:
    """:func:`.rank_tests.recomputed_tests`, and whether the ledger calls each printed p reproduced: ``p_agrees``."""
    agreed = agreement(entries_of(_rank_tests(), STUDY))[table_name("4")].unstack("quantity")["p"]
    frame = rank_tests.recomputed_tests()
    return frame.assign(p_agrees=agreed[frame["model"]].to_numpy(dtype=bool))


def sweep_item(row: Any) -> str:
    """A pair of thresholds in words: of the standard deviation of confidence, and of its range."""
    deviation, span = (str(end).replace("mid", "middle") for end in (row.sigma_T, row.range_T))
    return f"deviation {deviation}, range {span}"


def _is_live(row: Any) -> bool:
    """Whether these are the thresholds that table 1 was scored with."""
    return (row.sigma_T, row.range_T) == ("mid", "mid")


def leaderboard() -> pd.DataFrame:
    """Tables 1 and 1b."""
    names = {task: short(task) for task in TASKS} | MEANS | {"composite_15_slot": SLOTS}
    printed = paper.as_text("table1_leaderboard").set_index("model")[list(names)].rename(columns=names)
    own = panel.printed_composites().rename(columns=MEANS)
    own.loc[FLASH, short("T4_CR")] = range_score(*paper.flash_items()).score
    first = beside(
        "1",
        printed,
        own,
        source={name: FROM_CELLS for name in MEANS.values()} | {short("T4_CR"): FROM_ITEMS},
        note={short("T4_CR"): "with the middle thresholds of the band"},
        precision={name: paper.precision("table1_leaderboard", column) for column, name in MEANS.items()},
        needs={short(task): NEEDS_ANSWERS for task in TASKS} | {SLOTS: NEEDS_SLOTS},
    )
    before = paper.as_text("table1b_t2ev_v60_mean").set_index("model")
    before.columns = pd.Index(["mean of four, T2-EV version 60"])
    return pd.concat([first, beside("1b", before, needs=NEEDS_ANSWERS)])


def _reliability() -> pd.DataFrame:
    names = {"pct_agree": "agreement", "alpha": "Krippendorff's alpha"}
    gaps = {"gap_agreement": "gap to 0.90", "gap_alpha": "gap to 0.25"}
    names |= {"gap_to_0.90": "gap to 0.90", "gap_to_0.25": "gap to 0.25"}
    printed = paper.as_text("table2_reliability").set_index("task").rename(index=short)
    return beside(
        "2",
        printed[list(names)].rename(columns=names),
        reliability.reliability_table().set_index("task")[list(gaps)].rename(columns=gaps),
        source="the printed agreement and alpha",
        role=dict.fromkeys(gaps.values(), FROM_ROWS),
        needs={names["pct_agree"]: NEEDS_RATINGS, names["alpha"]: NEEDS_RATINGS},
    )


def _swap() -> pd.DataFrame:
    names = {"t3_kb_arc_rho": "rho of T3-KB with ARC", "mean_t3_kb": "mean T3-KB"}
    printed = paper.as_text("table3_decontamination").set_index("iteration")[list(names)]
    mean = pd.DataFrame({"mean T3-KB": {"iteration v75": float(paper.scores()["T3_KB"].mean())}})
    printed = printed.rename(columns=names, index="iteration {}".format)
    return beside("3", printed, mean, source=FROM_CELLS, reach=0.5, needs=NEEDS_ANSWERS)


#: Which numbers of items give a printed figure.
ITEMS_NOTE = {
    False: "no number of items gives the printed {what}",
    True: "the printed {what} is that of {sizes} items",
}


def _items_note(what: str, sizes: str) -> str:
    return ITEMS_NOTE[sizes != "none"].format(what=what, sizes=sizes)


def _rank_tests() -> pd.DataFrame:
    ends, survives = {"lower": "lower end", "upper": "upper end"}, "survives Bonferroni"
    names = {"rho": "rho", "p": "p"} | ends | {"bonferroni_survives": survives}
    own = rank_tests.recomputed_tests().set_index("model")
    spans = [_items_note("interval", sizes) for sizes in own["sizes_ci"]]
    notes = {"p": [_items_note("p", sizes) for sizes in own["sizes_p"]]} | dict.fromkeys(ends.values(), spans)
    reach = {"p": own["p_off"]} | dict.fromkeys(ends.values(), half_last_digit("0.001"))
    recomputed = {"p": own["p_24"], "lower end": own["lower_24"], "upper end": own["upper_24"]}
    return beside(
        "4",
        paper.as_text("table4_spearman").set_index("model")[list(names)].rename(columns=names),
        pd.DataFrame(recomputed | {survives: own["survives_24"].astype(float)}),
        source=f"the printed rho and {rank_tests.N} items",
        note=pd.DataFrame(notes, index=own.index),
        reach=pd.DataFrame(reach, index=own.index),
        precision={names[c]: paper.precision("table4_spearman", c) for c in ("p", "lower", "upper")},
        in_words={survives: True},
        needs={"rho": NEEDS_ANSWERS},
    )


def _items() -> pd.DataFrame:
    printed = paper.as_text("table5_flash_t4cr_items").set_index("item")[["correct", "confidence"]]
    printed = printed.rename(index="item {}".format)
    items = beside("5", printed, printed.astype(float), source="itself", role=ITEMS)
    right, sure = paper.flash_items()
    good, bad = sure[right == 1], sure[right == 0]
    score, table_1 = range_score(right, sure), paper.score(FLASH, "T4_CR")
    own = {
        "n_correct": right.sum(),
        "mean_conf_correct": good.mean(),
        "sd_conf_correct": good.std(ddof=1),
        "mean_conf_wrong": bad.mean(),
        "sd_conf_all": score.sd,
        "range_conf": score.spread,
        "raw_brier_score_no_penalty": score.brier,
        "t4cr_score": table_1,
        "within_model_gap": paper.score(FLASH, "T1_CC") - table_1,
    }
    sources = {"t4cr_score": "its cell of table 1", "within_model_gap": FROM_CELLS}
    claims = paper.as_text("flash_t4cr_claims").set_index("claim")[["value"]].set_axis([FLASH], axis=1).T
    found = beside(
        "5",
        claims,
        pd.DataFrame(own, index=[FLASH]).astype(float),
        source={name: sources.get(name, FROM_ITEMS) for name in own},
        role={"t4cr_score": TWICE, "within_model_gap": FROM_ROWS},
    )
    return pd.concat([items, found.assign(quantity=found["quantity"].str.replace("_", " "))])


def _components() -> pd.DataFrame:
    eigenvalues, loadings = panel.components(paper.scores())
    printed = paper.as_text("pca_eigenvalues").set_index("component").rename(index="component {}".format)
    own = {f"component {n}": value for n, value in enumerate(eigenvalues, start=1)}
    half = paper.precision("pca_eigenvalues", "eigenvalue")
    first = beside(
        "6", printed[["eigenvalue"]], pd.DataFrame({"eigenvalue": own}), source=FROM_CELLS, precision=half
    )
    theirs = paper.as_text("table6_pca").set_index("task")[["c1", "c2"]]
    names = {"c1": "loading on component 1", "c2": "loading on component 2"}
    turned = {c: panel.same_sign(loadings[c], theirs[c].astype(float)) for c in names}
    second = beside(
        "6",
        theirs.rename(index=short, columns=names),
        pd.DataFrame(turned).rename(index=short, columns=names),
        by_column=True,
        source=FROM_CELLS,
        note="the sign of a component is arbitrary",
        precision={name: paper.precision("table6_pca", c) for c, name in names.items()},
    )
    return pd.concat([first, second])


def swept() -> pd.DataFrame:
    """Section A.5: scores at nine pairs of thresholds."""
    names = {"flash_t4cr": AGAIN, "sonnet_t4cr": "Sonnet T4-CR", "flash_gap": "Flash T1-CC minus T4-CR"}
    frame = paper.as_text("a5_sensitivity")
    frame.index = pd.Index([sweep_item(row) for row in rows_of(frame)])
    live = pd.Series([_is_live(row) for row in rows_of(frame)], index=frame.index)
    scores = sweep(*paper.flash_items()).set_index(["sigma_T", "range_T"])["score"]
    spread, sd = float(paper.claim("sonnet_spread")), float(paper.claim("sd_sonnet"))
    thresholds = [(SIGMA_BAND[row.sigma_T], RANGE_BAND[row.range_T]) for row in rows_of(frame)]
    flash, table_1 = (
        scores[list(zip(frame["sigma_T"], frame["range_T"], strict=True))],
        paper.score(FLASH, "T4_CR"),
    )
    zero = float(paper.claim("sonnet_zero_penalty"))
    own = {
        AGAIN: flash.set_axis(frame.index).mask(live, table_1),
        "Sonnet T4-CR": [zero - sum(penalties(sd, spread, *at)) for at in thresholds],
        "Flash T1-CC minus T4-CR": float(paper.score(FLASH, "T1_CC")) - frame["flash_t4cr"].astype(float),
    }
    named = "thresholds {:g} and {:g} assumed, of the band of section E.3: section A.5 names none"
    assumed = [named.format(*at) for at in thresholds]
    other = [
        f"{one}; {_with_any_thresholds(text)}" for one, text in zip(assumed, frame["flash_t4cr"], strict=True)
    ]
    flash_source = pd.Series(FROM_ITEMS, index=frame.index).mask(live, "its cell of table 1")
    return beside(
        "A.5",
        frame[list(names)].rename(columns=names),
        pd.DataFrame(own),
        source=pd.DataFrame(
            {
                AGAIN: flash_source,
                "Sonnet T4-CR": "the printed score without penalties, sd and range",
                "Flash T1-CC minus T4-CR": "the printed scores",
            }
        ),
        note=pd.DataFrame(
            {
                AGAIN: pd.Series(other, index=frame.index).mask(live, ""),
                "Sonnet T4-CR": [f"{one}; both penalties are 0 at this sd and range" for one in assumed],
            }
        ),
        role=pd.DataFrame(
            {
                AGAIN: [TWICE if one else None for one in live],
                "Flash T1-CC minus T4-CR": FROM_ROWS,
            },
            index=frame.index,
        ),
    )


def _with_any_thresholds(printed: str) -> str:
    """Whether Flash's items can give a printed score at other thresholds than those of the band."""
    brier = range_score(*paper.flash_items()).brier
    low = brier - FLAT - NARROW
    possible = inside(printed, low, brier)
    return (
        f"{'other' if possible else 'no'} thresholds could give it, {low:.1f} to {brier:.1f} being possible"
    )


LEDGER = StudyLedger(STUDY, entries, roles=(ITEMS, SOLVED_FROM, FROM_END, FROM_ROWS, TWICE))
