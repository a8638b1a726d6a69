"""Study 2's text beyond verdicts on pairs. Oracle: the published counts, added up by hand, and moved ones."""

from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pandas as pd
import pytest

from metacog.ledger.entry import Kind, Status
from metacog.ledger.judging import judge
from metacog.studies.study2_two_choice import paper
from metacog.studies.study2_two_choice.cells import risk_cells
from metacog.studies.study2_two_choice.ledger import text

CRITICAL = NormalDist().inv_cdf(1 - 0.05 / 54)
#: Item, quantity, printed, recomputed by hand, status, kind, and what would be false.
ROWS = [
    ("pairs not named", "not significant", "19", 19, Status.MATCH, Kind.ESTIMATED, "18"),
    ("pairs not named", "inconclusive", "4", 4, Status.INPUT, Kind.ESTIMATED, "3"),
    ("d' over tasks", "models in which", "3", 3, Status.MATCH, Kind.ESTIMATED, "2"),
    ("warned of S1", "largest c", "-0.6", -0.6304016, Status.MATCH, Kind.ESTIMATED, "-0.7"),
    ("warned of S2", "smallest c", "0.6", 0.766771, Status.MATCH, Kind.ESTIMATED, "0.8"),
    ("nine cells", "smallest", "0.65", 0.6548, Status.REPEAT, Kind.PRINTED, "0.64"),
    ("nine cells", "largest", "0.90", 0.8991, Status.REPEAT, Kind.PRINTED, "0.91"),
    ("GPT-5, task B", "confidence 1", "1", 1, Status.MATCH, Kind.RECOUNTED, "2"),
    ("GPT-5, task C", "confidence 1", "1", 1, Status.MATCH, Kind.RECOUNTED, "0"),
    ("Mistral-Medium, task B", "confidence 3", "0.1", 100 * 11 / 10_000, Status.MATCH, Kind.RECOUNTED, "0.2"),
    # 1,431 answers with 4 and 8,569 with 5
    ("Mistral-Medium, task C", "confidences", "2", 2, Status.MATCH, Kind.RECOUNTED, "3"),
    ("over risk", "critical", "3.11", CRITICAL, Status.MATCH, Kind.PRINTED, "3.12"),
    ("where d' differs", "mirror", "True", 1, Status.MATCH, Kind.ESTIMATED, "False"),
    ("confidence over tasks", "task A is the only", "True", 1, Status.MATCH, Kind.RECOUNTED, "False"),
    ("three instructions", "c lies lower", "True", 1, Status.MATCH, Kind.ESTIMATED, "False"),
    ("over risk that differ", "cautious side", "True", 1, Status.MATCH, Kind.ESTIMATED, "False"),
    # totals as they stand in the paper's counts
    ("confidence, task A", "Methods", "20000", 20_000, Status.MATCH, Kind.RECOUNTED, "2000"),
    ("confidence, task A", "caption", "2000", 20_000, Status.DIFFERS, Kind.RECOUNTED, "1000"),
    ("confidence, tasks B", "Methods", "10000", 10_000, Status.MATCH, Kind.RECOUNTED, "1000"),
    ("confidence, tasks B", "caption", "1000", 10_000, Status.DIFFERS, Kind.RECOUNTED, "2000"),
    ("under risk, task A", "Methods", "20000", 20_000, Status.MATCH, Kind.RECOUNTED, "2000"),
    ("under risk, tasks B", "Methods", "10000", 9_000, Status.DIFFERS, Kind.RECOUNTED, "20000"),
]


@pytest.mark.parametrize(("item", "quantity", "printed", "by_hand", "status", "kind", "false"), ROWS)
def test_each_line_is_a_row_that_would_differ_if_it_claimed_otherwise(
    item, quantity, printed, by_hand, status, kind, false
):
    rows = text.text_rows()
    of_item = rows["item"].str.contains(item, regex=False)
    entry = rows[of_item & rows["quantity"].str.contains(quantity, regex=False)]
    (row,) = judge(entry, 3.0).to_dict("records")
    assert (entry["published"].item(), row["status"], row["kind"]) == (printed, status, kind)
    assert row["reproduced"] == pytest.approx(by_hand, abs=1e-6)
    assert judge(entry.assign(published=false), 3.0)["status"].item() == Status.DIFFERS


def test_c_prime_mirrors_c_unless_d_prime_turns_the_order():
    """Oracle: c/d' by hand. GPT-5 on task C with d' of 1, .5 and 4: c of .8, .9 and 1.2 gives c' of .8, 1.8 and .3."""
    cells = risk_cells()
    found = text.mirrored(cells)
    assert len(found) == 27 and found["alike"].all() and found["d_differs"].sum() == 8
    one = (cells["task"] == "C") & (cells["model"] == text.GPT5)
    turned = cells.copy()
    turned.loc[one, ["c", "d_prime"]] = [[0.8, 1.0], [0.9, 0.5], [1.2, 4.0]]
    turned.loc[one, "c_prime"] = [0.8, 1.8, 0.3]
    turned.loc[one, ["c_se", "c_prime_se", "d_prime_se"]] = 0.01
    after = text.mirrored(turned)
    own = after[(after["task"] == "C") & (after["model"] == text.GPT5)]
    assert own["alike"].tolist() == [True, False, False] and own["d_differs"].all()
    assert after.drop(own.index)["alike"].all()


def test_there_is_no_other_row_but_that_on_meta_d():
    """That one waits for a posterior, and counts its intervals above 0."""
    assert len(text.text_rows()) == len(ROWS) + 1
    for lowest, status in ((0.2, Status.MATCH), (-0.2, Status.DIFFERS)):
        rows = text.text_rows(pd.DataFrame({"meta_d_lower": [0.9] * 8 + [lowest]}), "the posterior")
        own = rows[rows["item"].str.startswith("meta-d'")]
        assert judge(own, 3.0)["status"].item() == status
    (waiting,) = judge(text.text_rows(None, "the posterior").query('item.str.startswith("meta-d\'")'), 3.0)[
        "needs"
    ]
    assert waiting == "the posterior"


def test_a_model_of_equal_d_prime_on_all_tasks_does_not_vary():
    """The same counts three times: z is 0, and nothing is significant; the published ones all are."""
    one = paper.rating_cells()[0]
    alike = tuple(replace(one, task=task) for task in "ABC")
    assert text.task_tests(alike) == [(0.0, False)] * 3
    own = [cell for cell in paper.rating_cells() if cell.model == one.model]
    assert all(rejected for _, rejected in text.task_tests(own))


def test_the_full_scale_asks_every_level_of_every_model():
    counts = text.used()
    assert text.whole_scale(counts) == ["A"]
    short = counts.copy()
    short.loc[("A", "DeepSeek-V3.2-Exp"), 1] = 0
    assert text.whole_scale(short) == []
    assert text.whole_scale(counts + 1) == ["A", "B", "C"]
    levels = pd.Series(np.ones(4), index=[2, 3, 4, 5])
    assert text.whole_scale(pd.DataFrame([levels] * 9, index=counts.index)) == []
