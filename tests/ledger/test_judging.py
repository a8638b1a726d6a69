"""How rows of the ledger are judged. Oracles: bounds by hand, and closed forms."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Role, Settings, Status, StudyLedger, entries_of
from metacog.ledger.judging import (
    agreement,
    available_files,
    family,
    files_given,
    judge,
    judged_rows,
    make_ledger,
    tabulate,
)
from metacog.ledger.tolerances import z_bound

ROLE = Role(Status.INPUT, "gone in", "it went in")


def entries(*rows):
    """Entries printed as 0.852 unless they say otherwise, each an item of its own."""
    given = [
        {"table": "t", "item": f"i{n}", "quantity": "q", "published": "0.852"} | row
        for n, row in enumerate(rows)
    ]
    return entries_of(pd.DataFrame(given), "s")


def one(**row):
    """How the only row is judged."""
    return judge(entries(row), 3.0).iloc[0]


def status(**row):
    return one(**row)["status"]


def test_statuses():
    assert status(value=0.8524) == status(value=0.8525) == Status.MATCH
    assert status(value=0.8526) == Status.DIFFERS
    assert status(value=0.860, error=0.003) == Status.MATCH
    assert status(value=0.862, error=0.003) == Status.DIFFERS
    assert status(needs="trials") == Status.NEEDS
    # a claim in words and a bound have no half digit to hide in
    assert status(published="-1", in_words=True, value=-0.8) == Status.DIFFERS
    assert status(published="0.98", relation=">=", value=0.9798) == Status.DIFFERS
    # one that prints an extreme rounded has that half digit, on its own side and to its very end
    for relation, sign in ((">=", -1), ("<=", 1)):
        given = {"published": "0.98", "relation": relation, "precision": 0.005}
        for off, wanted in ((0.005, Status.MATCH), (0.0051, Status.DIFFERS), (-0.3, Status.MATCH)):
            row = one(**given, value=0.98 + sign * off)
            assert (row["status"], row["tolerance"]) == (wanted, 0.005), (relation, off)
            assert "half its" in row["rule"] and row["published"] == f"{relation} 0.98"
    for relation in (">", "<"):
        assert status(published="0.5", relation=relation, value=0.5) == Status.DIFFERS
    assert status(undefined=True) == Status.DIFFERS  # recomputed, and nothing that could agree


@pytest.mark.parametrize("relation", ["≥", "==", "< "])
def test_an_unknown_relation_is_refused(relation):
    with pytest.raises(MetacogError, match="relation"):
        entries({"value": 0.9, "relation": relation})


def test_ends_that_are_unknown_do_not_make_a_figure_wait():
    assert status(bounds=(np.nan, np.nan), source="counts", kind="recounted") == Status.DIFFERS


def test_rows_without_a_status_twice_or_of_unknown_columns_are_refused():
    with pytest.raises(MetacogError, match="t, i0, q has no status"):
        one()
    with pytest.raises(MetacogError, match="stands twice"):
        tabulate(entries({"item": "i", "needs": "x"}, {"item": "i", "needs": "x"}))
    with pytest.raises(MetacogError, match="have no quality"):
        one(quality="q")


def test_a_row_says_by_how_much_it_differs_and_what_it_may():
    row = one(value=0.853, reach=0.001)
    assert (row["difference"], row["tolerance"]) == pytest.approx((0.001, 0.0015))
    assert row["status"] == Status.MATCH
    assert row["rule"] == "half the last printed digit + 0.001, what the source may lack"
    assert one(published="True", value=1.0)["rule"] == "the same verdict"
    row = one(value=0.852, error=0.001, note="As printed", rival=0.86, without="without the step")
    assert row["note"] == "As printed; without the step the figure would be 0.86"


def test_a_row_that_waits_has_a_tolerance_unless_chance_or_a_figure_has_yet_to_give_one():
    waits = one(needs="trials", source="counts", note="so", reach=1.0)  # said of a figure that is not there
    assert waits["tolerance"] == 0.0005 and waits["source"] == waits["note"] == waits["kind"] == ""
    assert np.isnan(one(needs="trials", resampled=True)["tolerance"])
    unprinted = one(needs="trials", published="")
    assert np.isnan(unprinted["tolerance"]) and unprinted["rule"] == ""


def test_a_row_that_had_to_agree_is_no_match_and_one_that_disagrees_differs():
    fixed = one(value=0.852, role=ROLE)
    assert (fixed["status"], fixed["role"]) == (Status.INPUT, "gone in") and "went in" in fixed["note"]
    assert status(value=0.9, role=ROLE) == Status.DIFFERS
    assert status(role=ROLE, needs="trials") == Status.NEEDS


def test_a_tolerance_that_holds_the_rival_cannot_tell():
    given = {"value": 0.852, "error": 0.001, "resampled": True}
    assert status(**given, rival=0.854) == Status.CANNOT_TELL
    assert status(**given, rival=0.860) == status(**given) == Status.MATCH
    # a figure that only the rival reaches differs
    assert status(value=0.860, error=0.001, rival=0.852) == Status.DIFFERS
    assert tabulate(entries(given | {"rival": 0.853}))["family"].tolist() == [0]


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.8, 0.9, Status.BOUNDED),
        (0.8523, 0.9, Status.BOUNDED),  # 0.852 may be a rounded 0.8524
        (0.8526, 0.9, Status.DIFFERS),
        (0.8, 0.8514, Status.DIFFERS),
    ],
)
def test_a_figure_between_its_ends_is_bounded_and_one_outside_is_refuted(low, high, wanted):
    row = one(bounds=(low, high))
    assert (row["status"], row["low"], row["high"]) == (wanted, low, high)


def test_the_level_is_shared_by_rows_that_chance_tests_and_by_no_others():
    drawn = {"value": 0.852, "error": 0.001, "resampled": True}
    others = [
        {"resampled": True, "needs": "trials"},
        {"value": 0.852},
        drawn | {"role": ROLE},
        drawn | {"rival": 0.8525},
    ]
    rows = entries(*[drawn] * 3, *others)
    assert family(rows[:3]) == family(rows) == 3 and family(rows[3:6]) == 0
    rows = tabulate(rows)
    assert rows["family"].tolist() == [3, 3, 3, 0, 0, 0, 0]
    assert rows["tolerance"][0] == pytest.approx(0.0005 + z_bound(3) * 0.001)


def test_rows_that_the_level_itself_makes_blind_take_no_share_of_it():
    """Five rows whose rival lies between the tolerances for two rows and for three: with three none can be told."""
    far = 0.852 + 0.0005 + 0.001 * (z_bound(2) + z_bound(3)) / 2
    drawn = entries(*[{"value": 0.852, "error": 0.001, "rival": far, "resampled": True}] * 5)
    assert family(drawn) == 3
    assert family(drawn[:2]) == 2 and set(tabulate(drawn[:2])["status"]) == {Status.MATCH}


def test_each_study_has_a_level_of_its_own():
    drawn = entries(*[{"value": 0.852, "error": 0.001, "resampled": True}] * 3)
    rows = tabulate(pd.concat([drawn, drawn[:1].assign(study="other")]))
    assert rows["family"].tolist() == [3, 3, 3, 1]
    assert rows["tolerance"].iloc[3] == pytest.approx(0.0005 + z_bound(1) * 0.001)


def test_a_file_named_on_the_command_line_must_be_one_that_a_ledger_uses(tmp_path):
    path = tmp_path / "trials.csv"
    path.touch()
    one = StudyLedger("toy", lambda settings: entries(), uses=("toy-trials",))
    assert files_given([f"toy-trials={path}"], [one]) == {"toy-trials": path}
    odd = tmp_path / "t=1.csv"
    odd.touch()
    assert files_given([f"toy-trials={odd}"], [one]) == {"toy-trials": odd}
    for text, why in (
        ("toy-trials", "NAME=PATH, where NAME is toy-trials"),
        (f"others={path}", "where NAME is toy-trials"),
        ("toy-trials=none.csv", "there is no file none.csv"),
    ):
        with pytest.raises(MetacogError, match=why):
            files_given([text], [one])
    with pytest.raises(MetacogError, match="where NAME is a or toy-trials$"):
        files_given(["b=c"], [one, StudyLedger("other", lambda settings: entries(), uses=("a",))])


def test_the_ledger_takes_what_studies_hand_in(tmp_path):
    small = StudyLedger("toy", lambda settings: entries({"needs": f"seed {settings.seed}"}))
    rows = make_ledger(Settings(seed=7), [small])
    assert rows["needs"].tolist() == ["seed 7"] and rows["status"].tolist() == [Status.NEEDS]
    assert make_ledger(Settings(), []).empty
    known = StudyLedger("other", lambda settings: entries(), lambda: {"file": tmp_path})
    assert available_files([small, known]) == {"file": tmp_path}


def test_rows_are_found_by_table_item_and_quantity_and_agree_unless_they_differ_or_wait():
    given = entries({"value": 0.852}, {"value": 0.9}, {"bounds": (0.8, 0.9)}, {"needs": "trials"})
    rows = judged_rows(given)
    assert rows.loc[("t", "i1", "q"), "reproduced"] == 0.9 and rows.index.names[2] == "quantity"
    assert agreement(given).tolist() == [True, False, True, False]
