"""Study 4's rows of the ledger. Oracle: counts of printed figures, and the rows known to differ."""

import functools

import numpy as np
import pytest

from metacog.ledger.entry import Settings, Status, entries_of
from metacog.ledger.judging import judge, make_ledger, tabulate
from metacog.studies.study4_probe import paper
from metacog.studies.study4_probe.ledger import claims, external, solved
from metacog.studies.study4_probe.ledger import entries as ledger
from metacog.studies.study4_probe.ledger.text import text_rows


@functools.cache
def rows():
    """The rows of the study's ledger, made once."""
    return make_ledger(Settings(), [ledger.LEDGER])


def of(table, **cells):
    own = rows()[rows()["table"].str.endswith(table)]
    for column, value in cells.items():
        own = own[own[column] == value]
    return own


def test_every_printed_figure_has_a_row():
    def figures(name, columns):
        return sum(int((paper.as_text(name)[c] != "").sum()) for c in columns)

    assert len(of("table 1")) == 8 * 8 and len(of("table 1b")) == 8
    assert len(of("table 2")) == 5 * 4 and len(of("table 3")) == 3
    assert len(of("table 4")) == 8 * 5 and len(of("table 5")) == 24 + 9
    assert len(of("table 6")) == 5 + 10 and len(of("table 8")) == 15 and len(of("table 7")) == 25
    assert len(of("table 9")) == figures("table9_hypotheses", ("value", "lower", "upper")) + 3
    assert len(of("thresholds")) == 27
    in_words = int((paper.as_text("text_claims")["quantity"] == "claim").sum())
    assert len(of("text")) == figures("text_claims", ("value", "lower", "upper")) + in_words and in_words == 6


def test_composites_components_and_flash_match():
    assert (of("table 1")[lambda f: f["quantity"].str.startswith("mean")]["status"] == Status.MATCH).all()
    assert (of("table 6")["status"] == Status.MATCH).all()
    assert of("table 1", item="Gemini 2.5 Flash", quantity="T4-CR")["status"].item() == Status.MATCH
    (brier,) = of("table 5", quantity="raw brier score no penalty")["reproduced"]
    assert brier == pytest.approx(66.6458, abs=1e-4)


def test_what_does_not_follow_differs_and_says_why():
    ends = of("table 4")[lambda f: f["quantity"].str.endswith("end")]
    assert (ends["status"] == Status.DIFFERS).all() and ends["note"].str.contains("20 items").all()
    rho = of("table 8")[lambda f: f["quantity"] == "rho with the composite"].set_index("item")
    assert rho["status"].to_dict() == {
        "MMLU": Status.DIFFERS,
        "GSM8K": Status.MATCH,
        "ARC-Challenge": Status.MATCH,
        "TruthfulQA": Status.MATCH,
        "IFEval": Status.MATCH,
    }
    assert (of("table 7")["status"] == Status.INPUT).all()
    text = of("text").set_index("item")
    panel, weakest = (
        text.loc[name]
        for name in ("C.4: r(T1-CC T2-EV) of the model panel", "B.4: Qwen weakest task is T2-EV")
    )
    assert panel["status"] == Status.DIFFERS and "without Gemini" in panel["note"]
    assert weakest["note"].endswith("T4-CR")
    sd = text.loc["B.3: sd of confidence Sonnet"]
    assert sd["status"] == Status.BOUNDED


def test_a_changed_cell_is_seen(monkeypatch):
    """Mutation: one printed score off by 8, and its mean no longer follows."""
    frame = paper.as_text("table1_leaderboard")
    frame.loc[0, "T2_EV"] = "90"
    real = paper.as_text
    monkeypatch.setattr(paper, "as_text", lambda name: frame if name == "table1_leaderboard" else real(name))
    paper.scores.cache_clear()
    try:
        rows = entries_of(ledger.leaderboard(), "study 4")
    finally:
        paper.scores.cache_clear()
    off = (rows["value"] - rows["published"].astype(float)).abs() > 0.01
    assert paper.SONNET in set(rows.loc[off, "item"])


@pytest.mark.parametrize(
    ("claim", "status", "value"),
    [
        ("3.4: Cronbach alpha of the composite over tasks", Status.MATCH, 0.555),
        ("3.4: mean of per-task alphas without T4-CR", Status.MATCH, 0.0475),
        ("5.2: DeepSeek also has 8 of 12 right on T4-CR (its printed T4-CR is 62)", Status.DIFFERS, 0),
        ("5.3: Sonnet is the only model whose T4-CR exceeds its T1-CC", Status.DIFFERS, 0),
        ("B.4: Gemma is the only model whose T5-RCV exceeds its T1-CC", Status.DIFFERS, 0),
        ("5.5: in both panels T2-EV is the hardest task and T4-CR the easiest", Status.DIFFERS, 0),
        ("4.2: deltas between T2-EV v60 and v61 are up to 12 points", Status.MATCH, 12),
        ("5.3: Pro gap between tasks", Status.MATCH, 23),
        ("A.5: gap Sonnet minus Flash without a penalty", Status.REPEAT, 28),
        # 15 slots of 8 models
        ("3.2.1: prompt files of all task-by-model runs", Status.DIFFERS, 120),
        # 88 - 41; the next are 81 - 53 and 85 - 62
        (
            "5.2: the gap of T1-CC and T4-CR of Flash is the largest dissociation on the panel",
            Status.MATCH,
            47,
        ),
        # 82.00 - 80.75
        ("5.1: Sonnet leads Opus on the mean of four tasks by", Status.MATCH, 1.25),
        # table 1b: 80.50, 79.75, ... 69.50 (Qwen), 67.25 (Flash), 61.75; by table 1 Sonnet 1st and Flash 6th
        ("5.1: under version 60 of T2-EV Opus is first and Sonnet and Flash are demoted", Status.MATCH, 1),
        # section 5.2: DeepSeek-R1, with one confidence throughout, has 8 of 12 right as well
        (
            "B.3: Flash alone combines a flat profile with the lowest raw accuracy (8 of 12)",
            Status.DIFFERS,
            0,
        ),
        # items 1, 5, 9 and 12 are wrong, each with 100
        (
            "abstract: a gate at a confidence of 80 would never escalate on a wrong answer of Flash",
            Status.MATCH,
            0,
        ),
        ("5.2: the same gate would be triggered by Sonnet", Status.MATCH, 78.7),
    ],
)
def test_claims_that_the_print_settles(claim, status, value):
    """Oracles: table 1 and the printed alphas, by hand."""
    row = of("text", item=claim).iloc[0]
    assert row["status"] == status and row["reproduced"] == pytest.approx(value, abs=5e-4)


@pytest.mark.parametrize(
    ("claim", "quantity", "printed", "status", "value", "false"),
    [
        # Flash: one 95 among eleven 100s, 20 (1 - 1.4434/10) + 10 (1 - 5/50)
        ("B.3: penalty", "points, lo", "26", Status.MATCH, 20 * (1 - 0.14434) + 9, "30"),
        ("B.3: penalty", "points, hi", "30", Status.MATCH, 30, "26"),
        ("A.4: all models drop", "by the means of table 3", "12", Status.MATCH, 82.1 - 70.0, "11"),
        # 77, 84, 81, 75, 61, 72, 73 and 75 add up to 598
        ("A.4: all models drop", "to the scores of table 1", "12", Status.DIFFERS, 82.1 - 598 / 8, None),
        ("3.2.1: the sd of Flash", "lowest threshold", "5", Status.MATCH, 8 / 1.44338, "6"),
        ("3.2.1: the sd of Flash", "highest threshold", "9", Status.MATCH, 12 / 1.44338, "8"),
        ("5.5: rho of confidence", "rho, lo", "0.12", Status.REPEAT, 0.122, "0.13"),
        ("5.5: rho of confidence", "rho, hi", "0.55", Status.REPEAT, 0.551, "0.54"),
        # 5, 10 and 8.33: none of 82, 86, 79, 83, 77, 86, 72, 74; none of T3-KB's; Gemma's 75 of T5-RCV
        ("3.1: all items", "(T2-EV", "8", Status.DIFFERS, 0, None),
        ("3.1: all items", "(T3-KB", "8", Status.DIFFERS, 0, None),
        ("3.1: all items", "(T5-RCV", "8", Status.DIFFERS, 1, None),
    ],
)
def test_figures_of_the_text_by_hand(claim, quantity, printed, status, value, false):
    rows = text_rows()
    named = (rows["item"] + " " + rows["quantity"]).str.contains(quantity, regex=False)
    entry = rows[rows["item"].str.startswith(claim) & named]
    (row,) = judge(entry, 3.0).to_dict("records")
    assert (entry["published"].item(), row["status"]) == (printed, status)
    assert row["reproduced"] == pytest.approx(value, abs=1e-4)
    if false is not None:
        assert judge(entry.assign(published=false), 3.0)["status"].item() == Status.DIFFERS


def test_claims_on_table_1_follow_its_scores(monkeypatch):
    """Mutation: Flash's T4-CR at 70, Sonnet's T2-EV at 76, and half of T2-EV in multiples of 5."""
    moved = paper.scores().copy()
    moved.loc["Gemini 2.5 Flash", "T4_CR"] = 70
    moved.loc["Claude Sonnet 4.6", "T2_EV"] = 76
    monkeypatch.setattr(paper, "scores", lambda: moved)
    assert claims._largest_gap().value == 28 and paper.QWEN in claims._largest_gap().note
    frame = paper.as_text("table1_leaderboard")
    frame["T2_EV"] = ["80", "85", "75", "90", "77", "86", "72", "74"]
    order = frame["mean_T1_T2_T4_T5"].iloc[::-1].to_numpy()
    frame["mean_T1_T2_T4_T5"] = order
    real = paper.as_text
    monkeypatch.setattr(
        paper, "as_text", lambda name: frame.copy() if name == "table1_leaderboard" else real(name)
    )
    assert claims._shares("T2_EV").value == 4
    assert claims._order_v60().value == 0  # Sonnet is last there, and no lower in table 1b


def test_the_gate_and_the_lowest_accuracy_follow_the_items(monkeypatch):
    """Mutation: Flash states 75 on a wrong answer; another time DeepSeek-R1 has 9 right."""
    right, sure = paper.flash_items()
    sure = sure.copy()
    sure[0] = 75
    monkeypatch.setattr(paper, "flash_items", lambda: (right, sure))
    assert claims._gate_flash().value == 1
    monkeypatch.setitem(paper.RIGHT, "DeepSeek-R1", 9)
    assert claims._lowest_accuracy().value == 1 and claims._lowest_accuracy().note == ""


def test_rows_of_the_sweep_name_the_thresholds_that_they_assume():
    """By hand: Flash's Brier score is 66.65, so that no thresholds leave less than 36.65 (printed: 36 and 32)."""
    flash = of("thresholds", quantity="Flash T4-CR").set_index("item")["note"]
    assert flash.drop("deviation middle, range middle").str.contains("of the band of section E.3").all()
    assumed = flash["deviation low, range high"].split()
    assert {"8", "52"} <= set(assumed)
    impossible = flash.index[flash.str.contains("no thresholds could give it, 36.6 to 66.6")]
    assert len(impossible) == 2 and impossible.str.startswith("deviation high").all()
    sonnet = of("thresholds", quantity="Sonnet T4-CR")["note"]
    assert sonnet.str.contains("assumed, of the band of section E.3").all()


def test_ends_are_judged_to_the_digit_they_are_printed_to():
    """Section D.1 prints -0.40 and +0.10; tolerance of the upper end of H2 by hand: 0.005 and half its span."""
    ends = of("table 9")[lambda f: f["quantity"].str.contains("ci_")]
    assert set(ends["published"]) == {"-0.40", "0.14", "-0.24", "0.10"}
    _, low, high = solved.upper_end("H2")
    row = of("table 9", item="H2", quantity="tau_b(education, score), ci_hi").iloc[0]
    assert row["tolerance"] == pytest.approx(0.005 + (high - low) / 2) and row["tolerance"] < 0.011


def test_the_overlap_is_bounded():
    row = of("text", item="abstract: confidence intervals overlap by more than 99 percent").iloc[0]
    assert row["status"] == Status.BOUNDED and row["low"] < 98 and 99 < row["high"] < 99.5


def test_mmlu_differs_twice_of_two_composites():
    """Oracle: Spearman's rho by 1 - 6 sum d^2/504 of the solved ranking."""
    eight = of("table 8", item="MMLU", quantity="rho with the composite").iloc[0]
    four = of("text", item="5.4: rho of the four-task mean against MMLU", quantity="rho").iloc[0]
    assert (eight["status"], four["status"]) == (Status.DIFFERS, Status.DIFFERS)
    assert (eight["reproduced"], four["reproduced"]) == (pytest.approx(0.5), pytest.approx(5 / 14))
    printed = rows()[(rows()["published"] == "0.643") & (rows()["status"] == Status.DIFFERS)]
    assert len(printed) == 2


def test_what_stands_twice_is_judged_once():
    again = of("text")[lambda f: f["item"].str.startswith("D.1") | f["item"].str.contains("rho composite ag")]
    assert len(again) == 9 and (again["status"] == Status.REPEAT).all()
    brier = rows()[(rows()["published"] == "60") & rows()["status"].isin([Status.MATCH, Status.DIFFERS])]
    assert brier["table"].str.endswith("table 5").tolist() == [True]
    gap = rows()[(rows()["published"] == "47") & (rows()["quantity"].str.contains("gap|minus"))]
    assert len(gap) == 3 and (gap["status"] == Status.REPEAT).all()
    swap = rows()[(rows()["published"] == "70.0") & (rows()["item"].str.contains("v75"))]
    assert dict(zip(swap["table"].str[9:], swap["status"], strict=True)) == {
        "table 3": Status.DIFFERS,
        "text": Status.REPEAT,
    }
    assert of("table 3", item="iteration v75")["reproduced"].item() == pytest.approx(74.75)


def test_one_end_fixes_the_people_and_the_other_is_judged():
    """Oracle: Fisher's z at the people that the lower end of H1 allows."""
    ends = of("table 9").set_index(["item", "quantity"])
    for hypothesis, name in (("H1", "r(T1_CC,T2_EV) humans"), ("H2", "tau_b(education, score)")):
        assert ends.loc[(hypothesis, f"{name}, ci_lo"), "status"] == Status.INPUT
        assert ends.loc[(hypothesis, f"{name}, ci_hi"), "status"] == Status.MATCH
    people, low, high = solved.upper_end("H1")
    assert people == list(range(48, 56))
    assert (low, high) == (
        pytest.approx(np.tanh(np.arctanh(-0.145) + 1.959964 / np.sqrt(52))),
        pytest.approx(np.tanh(np.arctanh(-0.135) + 1.959964 / np.sqrt(45))),
    )


def test_a_wrong_upper_end_differs(monkeypatch):
    """Mutation: the upper end of H1 printed as 0.20 no longer fits the people of the lower end."""
    frame = paper.as_text("table9_hypotheses")
    frame.loc[frame["id"] == "H1", "upper"] = "0.20"
    real = paper.as_text
    monkeypatch.setattr(
        paper, "as_text", lambda name: frame.copy() if name == "table9_hypotheses" else real(name)
    )
    rows = tabulate(entries_of(external.hypotheses(), "study 4"))
    own = rows[(rows["item"] == "H1") & rows["quantity"].str.endswith("ci_hi")]
    assert own["status"].item() == Status.DIFFERS
