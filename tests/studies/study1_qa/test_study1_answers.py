"""The sentences with which the chapters of study 1 open follow the data: other data, another answer."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.report.verdicts import Kind, Verdict
from metacog.studies.study1_qa.auroc2 import shown as auroc2
from metacog.studies.study1_qa.cells.comparison import PUBLISHED, RECOMPUTED, RUN
from metacog.studies.study1_qa.collection import shown as collection
from metacog.studies.study1_qa.correction import recovery_shown as recovery
from metacog.studies.study1_qa.correction import shown as correction
from metacog.studies.study1_qa.h1 import shown as h1
from metacog.studies.study1_qa.h2 import shown as h2
from metacog.studies.study1_qa.h4 import shown as h4
from metacog.studies.study1_qa.instruct_base import shown as instruct_base
from metacog.studies.study1_qa.luck import shown as luck
from metacog.studies.study1_qa.robustness import shown as robustness
from metacog.studies.study1_qa.validation import shown as validation


def frame(columns, *rows):
    return pd.DataFrame(list(rows), columns=columns.split())


def h1_result(upper, flag="", below=(True, False), lower=0.9, more=()):
    theirs = [
        (RECOMPUTED, f"m{i}", one, 0.7 if one else lower, 0.9 if one else lower + 0.3)
        for i, one in enumerate(below)
    ]
    own = [("own", 100, 0.8, 0.5, upper, flag), *more]
    measures = frame("model n m_ratio m_ratio_lower m_ratio_upper flag", *own)
    return SimpleNamespace(
        comparison=frame("source model below_one m_ratio_lower m_ratio_upper", *theirs), measures=measures
    )


def test_h1_counts_models_below_one_and_tells_what_an_open_one_would_take():
    text = h1.answer_sentence(h1_result(1.2))
    assert text.startswith("Not shown for every model") and "in 1 of its 2 models (m0), and open in 1" in text
    assert (
        "it is in 0 of 1 that can be judged" in text
        and "For own it would take about 400 questions instead" in text
    )
    held = h1.answer_sentence(h1_result(0.9, below=(True, True)))
    assert held.startswith("Yes") and "1 of 1 that can be judged" in held and "would take" not in held
    assert "1 cannot be judged" in h1.answer_sentence(h1_result(1.2, flag="too few"))
    refuted = h1.answer_sentence(h1_result(0.9, lower=1.0, more=[("high", 100, 1.3, 1.0, 1.5, "")]))
    assert refuted.startswith("No: ") and "models (m0), to be 1 or more in 1 (m1)." in refuted
    bare = h1.answer_sentence(h1_result(0.9, lower=np.nan))
    assert bare.startswith("Not shown for every model") and "and without an interval in 1." in bare
    assert (
        "in 1 of 2 that can be judged, and shown to be 1 or more in 1." in refuted and "open" not in refuted
    )
    both = h1.answer_sentence(h1_result(1.2, more=[("other", 100, 1.1, 0.9, 1.3, "")]))
    assert "For own it would take about 400" in both and "For other it would take about 400" in both


def h2_result(m_ratio=(0.2, 0.9), p_holm=0.01, flagged=False, half=0.04):
    areas = zip("AB", m_ratio, (0.6, 0.7), strict=True)
    printed = [(PUBLISHED, "m", d, r, a, a - half, a + half) for d, r, a in areas]
    pairs = frame("measure flagged lower p_holm", ("auroc2", flagged, 0.1, p_holm))
    domains = frame("model flag accuracy", ("m", "", 0.1), ("m", "", 0.5))
    comparison = frame("source model domain m_ratio auroc2 auroc2_lower auroc2_upper", *printed)
    return SimpleNamespace(comparison=comparison, pairs=pairs, domains=domains)


def test_h2_compares_the_lowest_domains_and_counts_differences():
    text = h2.answer(h2_result())
    assert text.startswith("By AUROC2, A is where the confidence of 1 of the paper's 1 models")
    assert "the same domain as AUROC2 in 1 of 1" in text and "1 of 1 difference of AUROC2" in text
    assert "in 1 of them (m) the printed interval of the lowest domain lies below" in text
    assert "in none of them the printed interval" in h2.answer(h2_result(half=0.06))
    other = h2.answer(h2_result(m_ratio=(0.9, 0.2), p_holm=0.2))
    assert "the same domain as AUROC2 in 0 of 1" in other and "0 of 1 difference" in other
    assert "or about 500 questions a domain" in h2.answer(h2_result(flagged=True))


def h4_result(lower, similar, p_holm=None):
    theirs = frame(
        "source model_a model_b lower upper d_similar",
        (RECOMPUTED, "a", "b", lower, 0.5, similar),
        (RECOMPUTED, "a", "c", -0.1, 0.5, True),
    )
    pairs = frame("paired_p p_holm", *([] if p_holm is None else [(0.01, p_holm)]))
    return SimpleNamespace(comparison=theirs, pairs=pairs)


def test_h4_counts_pairs_that_differ_and_those_that_are_similar_too():
    assert (
        "2 pairs of the paper's models 1 differ in M-ratio, and of these 1 (a and b) is"
        in h4.answer_sentence(h4_result(0.1, True))
    )
    assert "1 differ in M-ratio, and of these none is" in h4.answer_sentence(h4_result(0.1, False, 0.2))
    assert "0 differ in M-ratio" in h4.answer_sentence(h4_result(-0.1, True, 0.01))
    assert "Of 1 pair of this run 1 is both" in h4.answer_sentence(h4_result(-0.1, True, 0.01))
    assert "Of 1 pair of this run 0 are both" in h4.answer_sentence(h4_result(-0.1, True, 0.2))


def luck_result(other=0.6, lower=0.2, question=0.01, mostly=0.1, printed=((0.7, 0.8), (0.76, 0.75))):
    """``printed``: of each of the paper's models, AUROC2 at T = 0.3 and at T = 1, with intervals of 0.02 either way."""
    draws = frame(
        "same_draw question luck luck_lower", (0.9, other, 0.9 - other, lower), (0.8, 0.6, 0.2, 0.1)
    )
    rises = frame(
        "temperature why with_draw with_question mostly_draw_lower",
        (1.0, "", 0.2, question, mostly),
        (0.5, "", 9.0, 9.0, 9.0),
    )
    none = (0.1, np.nan, np.nan, np.nan, np.nan)  # version 2 printed nothing at the lowest temperature
    rows = [
        (f"m{i}", *row)
        for i, (low, one) in enumerate(printed)
        for row in (none, *((t, a, a - 0.02, a + 0.02, a - low) for t, a in ((0.3, low), (1.0, one))))
    ]
    published = frame("model temperature printed printed_lower printed_upper printed_rise", *rows)
    return SimpleNamespace(draws=draws, rises=rises, published=published)


def test_luck_tells_both_areas_and_their_difference():
    text = luck.in_short(luck_result())
    assert "80 to 90 % of the time" in text and "say together 60 % of the time" in text
    assert "20 to 30 points" in text and "in 2 of 2 models" in text
    assert "in 1 of 2 models" in luck.in_short(luck_result(lower=-0.1))
    none = SimpleNamespace(draws=pd.DataFrame())
    assert "cannot be told from this run" in luck.in_short(none)


def test_the_rise_with_temperature_is_told_with_and_without_luck():
    text = luck.rise_in_short(luck_result())
    assert "better at T = 1 than at T = 0.3 in 1 of the paper's 2 models (m0 +0.10); in the other 1" in text
    assert "the printed intervals overlap (m1 -0.01). In this run" in text
    assert (
        "by +0.20 with the confidence of each draw, and by +0.01 with that" in text
        and "in 1 of 1 model." in text
    )
    other = luck.rise_in_short(luck_result(mostly=-0.1, question=0.19))
    assert "by +0.19 with that" in other and "in 0 of 1 model." in other
    falls = luck.rise_in_short(luck_result(printed=((0.7, 0.7), (0.8, 0.7))))
    assert "in 0 of the paper's 2 models, and worse in 1 (m1 -0.10); in the other 1 the printed" in falls
    assert "in 0 of the paper's 1 model; the printed intervals overlap (m0 +0.00)." in luck.rise_in_short(
        luck_result(printed=((0.7, 0.7),))
    )


def test_auroc2_tells_the_correlations_of_each_question_set():
    def of(rho):
        rows = [("nq", "AUROC2 and M-ratio", rho, 4, 0.08), ("nq", "AUROC2 and meta-I2r", 1.0, 4, 0.08)]
        return auroc2.answer(SimpleNamespace(published_correlations=frame_of(rows)))

    def frame_of(rows):
        return pd.DataFrame(rows, columns=["dataset", "pair", "rho", "n_models", "smallest_p"])

    assert (
        "-0.80 on" in of(-0.8) and "+0.80 on" in of(0.8) and "below 0.08" in of(0.8) and "at +1.00" in of(0.8)
    )


@pytest.mark.parametrize(
    ("ends", "said"), [((-0.02, 0.01), "is not shown to change"), ((0.01, 0.03), "changes.")]
)
def test_instruct_and_base_tells_whether_auroc2_changes(ends, said):
    rows = [("accuracy", 0.1, 0.05, 0.15), ("AUROC2", 0.0, *ends), ("z-ROC slope", -0.3, -0.4, -0.2)]
    result = SimpleNamespace(
        triviaqa=frame("measure difference lower upper", *rows), differences=pd.DataFrame({"pair": []})
    )
    text = instruct_base.answer(result)
    assert said in text and "accuracy by +0.100 (+0.050 to +0.150)" in text and "this run has none" in text
    result.differences = pd.DataFrame({"pair": ["a", "a"], "difference": [0.1, 0.2]})
    assert "This run has 1 pair of its own." in instruct_base.answer(result)
    result.differences = pd.DataFrame({"pair": ["a", "b"], "difference": [0.1, np.nan]})
    assert "This run has 2 pairs of its own, of which 1 can be judged." in instruct_base.answer(result)


def test_validation_counts_cells_that_rise_and_that_are_large_enough():
    def of(monotone, enough):
        comparison = frame("source monotone", (RECOMPUTED, True), (RECOMPUTED, True), (RUN, monotone))
        minimums = frame("n_correct n_incorrect enough", (60, 70, True), (7, 70, enough))
        return validation.answer_sentence(SimpleNamespace(comparison=comparison, minimums=minimums))

    assert "in 2 of 2 published cells" in of(True, True) and "in 1 of 1 of this run" in of(True, True)
    assert "2 of its 2 cells of a model and a domain have" in of(True, True) and "the fewest" not in of(
        True, True
    )
    assert "in 0 of 1 of this run" in of(False, False) and "1 of its 2 cells" in of(False, False)
    assert "the fewest are 7" in of(False, False)


def test_collection_tells_trials_accuracy_and_cells():
    outcomes = frame("model temperature n_trials accuracy", ("m", 1.0, 40, 0.275), ("m", 0.5, 40, 0.5))
    result = SimpleNamespace(outcomes=outcomes, cells=frame("enough", (True,), (False,)))
    text = collection.answer(result)
    assert "80 answers of 1 model" in text and "right at T = 1: m 28 %." in text and "1 of 2 cells" in text


def test_robustness_counts_ranks_that_change_and_likelier_right_answers():
    def of(ranks, shares=(), right=()):
        rows = [
            ("R2" if variant != "nq" else "R4", variant, model, rank)
            for variant, places in zip((robustness.BASELINE, "nq"), ranks, strict=True)
            for model, rank in zip("ab", places, strict=True)
        ]
        published = pd.DataFrame(rows, columns=["check", "variant", "model", "rank"])
        known = [*right, *[np.nan] * (len(shares) - len(right))]
        by = {"share_best": list(shares), "share_sum": [share + 0.1 for share in shares]}
        forced = pd.DataFrame({**by, "lowest": 0.1, "right_lowest": known})
        return robustness.answer_sentence(SimpleNamespace(published=published, forced=forced))

    assert "0 of the paper's 2 models change" in of([(1, 2), (1, 2)]) and "1 of them is last" in of(
        [(1, 2), (1, 2)]
    )
    assert "2 of the paper's 2 models change" in of([(1, 2), (2, 1)]) and "2 of them are last" in of(
        [(1, 2), (2, 1)]
    )
    assert "was not asked" in of([(1, 2), (1, 2)])
    assert "per token for 60 to 70 %, and as a whole for 70 to 80 %" in of([(1, 2), (1, 2)], (0.7, 0.6))
    usual = of([(1, 2), (1, 2)], (0.7, 0.6), (0.5, 0.2))
    assert usual.endswith("usual one: of the same questions 20 to 50 % are answered rightly at T = 0.1.")
    assert of([(1, 2), (1, 2)], (0.7, 0.6)).endswith("usual one.")


@pytest.mark.parametrize(
    ("turned", "whose", "said"),
    [(3, ["m"], "3 turned round (all with m) and 1 left open"), (0, [], "0 turned round and 4 left open")],
)
def test_the_correction_tells_how_many_pairs_carry_over(turned, whose, said):
    pairs = {"m_ratio": {"kept": 2, "turned": turned, "open": 4 - turned, "all_with": whose}}
    values = {
        "ranking": {"n": 4, "model": "m", "m_ratio": 4, "meta_i2r": 1},
        "datasets": {"pairs": pairs},
    }
    verdicts = [Verdict("c", Kind.PUBLISHED, "r", True, name=k, values=v) for k, v in values.items()]
    text = correction.answer(SimpleNamespace(verdicts=verdicts))
    assert f"by M-ratio 2 kept in order, {said}" in text
    assert "put m at place 4" in text and "at place 1." in text


def recovery_result(passed, near):
    ratios = [
        {"m_ratio": 0.8, "n_families": 2.0, "lowest": 0.1, "highest": 0.3},
        {"m_ratio": 1.0, "n_families": 1.0, "lowest": 0.2, "highest": 0.9},
    ]
    verdicts = [
        Verdict("c", Kind.EXPLORATORY, "r", passed, name="reading", values={"ratios": ratios}),
        Verdict("c", Kind.EXPLORATORY, "r", None, name="claim", values={"near": near}),
    ]
    return SimpleNamespace(cells=pd.DataFrame({"family": ["levels", "tails", "tails"]}), verdicts=verdicts)


def test_the_correction_opens_with_what_an_m_ratio_cannot_say():
    near = {"levels": 0.01, "tails": 0.9}
    text = recovery.answer(recovery_result(True, near))
    assert text.startswith("An M-ratio of open answers can neither be read")
    assert "one of 1.0 occurs in 1 of 2 families" in text and "from 0.20 to 0.90." in text
    assert recovery.answer(recovery_result(False, near)).startswith("Not every M-ratio")
    assert recovery.pinned(recovery_result(True, near)) == "1 of 2 families (few levels)"
    assert recovery.pinned(recovery_result(True, {"tails": 0.9})) == "0 of 1 family"
