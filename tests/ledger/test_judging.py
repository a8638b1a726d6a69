"""How rows of the ledger are judged. Oracles: bounds by hand, and closed forms."""

import numpy as np
import pytest

from metacog.core.errors import MetacogError
from metacog.ledger.entry import Entry, Rival, Role, Settings, Status, StudyLedger, Value
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


def entry(**changes) -> Entry:
    given = {"study": "s", "table": "t", "item": "i", "quantity": "q", "published": "0.852"} | changes
    return Entry(**given)


def test_statuses():
    assert judge(entry(value=Value(0.8524, "x")), 3.0)["status"] == Status.MATCH
    assert judge(entry(value=Value(0.8525, "x")), 3.0)["status"] == Status.MATCH
    assert judge(entry(value=Value(0.8526, "x")), 3.0)["status"] == Status.DIFFERS
    assert judge(entry(value=Value(0.860, "x", error=0.003)), 3.0)["status"] == Status.MATCH
    assert judge(entry(value=Value(0.862, "x", error=0.003)), 3.0)["status"] == Status.DIFFERS
    assert judge(entry(needs="trials"), 3.0)["status"] == Status.NEEDS
    # a claim in words and a bound have no half digit to hide in
    words = entry(published="-1", in_words=True, value=Value(-0.8, "x"))
    assert judge(words, 3.0)["status"] == Status.DIFFERS
    bound = entry(published="0.98", relation=">=", value=Value(0.9798, "x"))
    assert judge(bound, 3.0)["status"] == Status.DIFFERS
    # one that prints an extreme rounded has that half digit, on its own side and to its very end
    for relation, sign in ((">=", -1), ("<=", 1)):
        given = {"published": "0.98", "relation": relation, "precision": 0.005}
        for off, status in ((0.005, Status.MATCH), (0.0051, Status.DIFFERS), (-0.3, Status.MATCH)):
            row = judge(entry(**given, value=Value(0.98 + sign * off, "x")), 3.0)
            assert (row["status"], row["tolerance"]) == (status, 0.005), (relation, off)
    assert "half its" in row["rule"]
    for relation in (">", "<"):
        equal = entry(published="0.5", relation=relation, value=Value(0.5, "x"))
        assert judge(equal, 3.0)["status"] == Status.DIFFERS
    with pytest.raises(MetacogError, match="no status"):
        judge(entry(), 3.0)
    with pytest.raises(MetacogError, match="stands twice"):
        tabulate([entry(needs="x"), entry(needs="x")])


def test_a_row_says_by_how_much_it_differs_and_what_it_may():
    row = judge(entry(value=Value(0.853, "x", reach=0.001)), 3.0)
    assert (row["difference"], row["tolerance"]) == pytest.approx((0.001, 0.0015))
    assert row["status"] == Status.MATCH
    assert row["rule"] == "half the last printed digit + 0.001, what the source may lack"
    assert judge(entry(published="True", value=Value(1.0, "x")), 3.0)["rule"] == "the same verdict"
    value = Value(0.852, "x", 0.001, note="As printed", rival=Rival(0.86, "without the step"))
    assert judge(entry(value=value), 3.0)["note"] == "As printed; without the step the figure would be 0.86"


def test_a_row_that_waits_has_a_tolerance_unless_chance_or_a_figure_has_yet_to_give_one():
    waits = judge(entry(needs="trials"), 3.0)
    assert waits["tolerance"] == 0.0005 and waits["source"] == waits["note"] == waits["kind"] == ""
    assert np.isnan(judge(entry(needs="trials", resampled=True), 3.0)["tolerance"])
    unprinted = judge(entry(needs="trials", published=""), 3.0)
    assert np.isnan(unprinted["tolerance"]) and unprinted["rule"] == ""


def test_a_row_that_had_to_agree_is_no_match_and_one_that_disagrees_differs():
    role = Role(Status.INPUT, "gone in", "it went in")
    fixed = judge(entry(value=Value(0.852, "x"), role=role), 3.0)
    assert (fixed["status"], fixed["role"]) == (Status.INPUT, "gone in")
    assert "went in" in fixed["note"] and not fixed["status"].judged
    assert judge(entry(value=Value(0.9, "x"), role=role), 3.0)["status"] == Status.DIFFERS
    assert judge(entry(value=None, role=role, needs="trials"), 3.0)["status"] == Status.NEEDS


def test_a_tolerance_that_holds_the_rival_cannot_tell():
    def status(error: float, rival: float | None) -> Status:
        value = Value(0.852, "x", error, rival=None if rival is None else Rival(rival, "without the step"))
        row = judge(entry(value=value, resampled=True), 3.0)
        assert rival is None or "without the" in row["note"]
        return row["status"]

    assert status(0.001, 0.854) == Status.CANNOT_TELL
    assert status(0.001, 0.860) == Status.MATCH
    assert status(0.001, None) == Status.MATCH
    # a figure that only the rival reaches differs
    far = Value(0.860, "x", 0.001, rival=Rival(0.852, "without the step"))
    assert judge(entry(value=far), 3.0)["status"] == Status.DIFFERS
    both = tabulate([entry(value=Value(0.852, "x", 0.001, rival=Rival(0.853, "w")), resampled=True)])
    assert both["family"].tolist() == [0]


def test_a_figure_between_its_ends_is_bounded_and_one_outside_is_refuted():
    def row(low: float, high: float) -> dict:
        return judge(entry(value=Value(np.nan, "coarse counts", bounds=(low, high))), 3.0)

    assert row(0.8, 0.9)["status"] == Status.BOUNDED and not Status.BOUNDED.judged
    assert (row(0.8, 0.9)["low"], row(0.8, 0.9)["high"]) == (0.8, 0.9)
    assert row(0.8523, 0.9)["status"] == Status.BOUNDED  # 0.852 may be a rounded 0.8524
    assert row(0.8526, 0.9)["status"] == Status.DIFFERS
    assert row(0.8, 0.8514)["status"] == Status.DIFFERS


def test_the_level_is_shared_by_rows_that_chance_tests_and_by_no_others():
    drawn = [entry(item=f"t{i}", value=Value(0.852, "x", 0.001), resampled=True) for i in range(3)]
    rival = Rival(0.8525, "w")
    others = [
        entry(item="waits", resampled=True, needs="trials"),
        entry(item="exact", value=Value(0.852, "x")),
        entry(
            item="had to", value=Value(0.852, "x", 0.001), resampled=True, role=Role(Status.REPEAT, "r", "")
        ),
        entry(item="blind", value=Value(0.852, "x", 0.001, rival=rival), resampled=True),
    ]
    assert family(drawn) == family([*drawn, *others]) == 3 and family(others[:3]) == 0
    rows = tabulate([*drawn, *others]).set_index("item")
    assert rows["family"].tolist() == [3, 3, 3, 0, 0, 0, 0]
    assert rows["tolerance"]["t0"] == pytest.approx(0.0005 + z_bound(3) * 0.001)


def test_rows_that_the_level_itself_makes_blind_take_no_share_of_it():
    """Five rows whose rival lies between the tolerances for two rows and for three: with three none can be told."""
    far = 0.852 + 0.0005 + 0.001 * (z_bound(2) + z_bound(3)) / 2
    drawn = [
        entry(item=f"t{i}", value=Value(0.852, "x", 0.001, rival=Rival(far, "w")), resampled=True)
        for i in range(5)
    ]
    assert family(drawn) == 3
    assert family(drawn[:2]) == 2 and set(tabulate(drawn[:2])["status"]) == {Status.MATCH}


def test_a_file_named_on_the_command_line_must_be_one_that_a_ledger_uses(tmp_path):
    path = tmp_path / "trials.csv"
    path.touch()
    one = StudyLedger("toy", lambda settings: [], uses=("toy-trials",))
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
        files_given(["b=c"], [one, StudyLedger("other", lambda settings: [], uses=("a",))])


def test_the_ledger_takes_what_studies_hand_in(tmp_path):
    small = StudyLedger("toy", lambda settings: [entry(needs=f"seed {settings.seed}")])
    rows = make_ledger(Settings(seed=7), [small])
    assert rows["needs"].tolist() == ["seed 7"] and rows["status"].tolist() == [Status.NEEDS]
    known = StudyLedger("other", lambda settings: [], lambda: {"file": tmp_path})
    assert available_files([small, known]) == {"file": tmp_path}


def test_only_rows_that_could_have_failed_are_judged():
    assert [s for s in Status if s.judged] == [Status.MATCH, Status.DIFFERS]


def test_rows_are_found_by_table_item_and_quantity_and_agree_unless_they_differ_or_wait():
    given = [
        entry(item="same", value=Value(0.852, "x")),
        entry(item="other", value=Value(0.9, "x")),
        entry(item="between", value=Value(np.nan, "x", bounds=(0.8, 0.9))),
        entry(item="waits", needs="trials"),
    ]
    rows = judged_rows(given)
    assert rows.loc[("t", "other", "q"), "reproduced"] == 0.9 and rows.index.names[2] == "quantity"
    agrees = {("t", "same", "q"): True, ("t", "other", "q"): False}
    assert agreement(given).to_dict() == {**agrees, ("t", "between", "q"): True, ("t", "waits", "q"): False}
