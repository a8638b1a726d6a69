"""What is counted of the models of a run. Oracles: the published responses' functions; closed counts."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from simulated_battery import battery_trials, trials

from metacog.collect.manifest import run_facts
from metacog.core.config import load_profile
from metacog.studies import get_study
from metacog.studies.study import Result
from metacog.studies.study5_battery import replication, replication_trials
from metacog.studies.study5_battery.commitment import measured
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.profiles import PRINTED
from metacog.studies.study5_battery.rules import RULES
from metacog.studies.view import View, views_of
from metacog.verdicts.outcomes import of_rule, together


def test_what_it_took_is_summed_over_shards_and_half_a_count_of_tokens_is_none():
    rows = pd.concat([trials("m", tracks=("T1",)), trials("m", form=2, tracks=("T1",))], ignore_index=True)

    def run(form, replies, seconds, **tokens):
        config = {"model": "m", "dataset": form, "prompt": {"id": "p"}}
        parts = {"0": {"rows": replies, "seconds": seconds, **tokens}}
        return {"config": config, "sessions": [{}], "parts": parts, "damaged": []}

    runs = [
        run("form-1", 200, 49, tokens_read=900, tokens_written=60),
        run("form-1", 94, 49, tokens_read=20, tokens_written=0),
        run("form-2", 294, 196),
    ]
    table = replication_trials.cost(rows, run_facts(runs)).set_index("form")
    first = table.loc["form-1"]
    assert (first["items"], first["tokens_read"], first["tokens_written"]) == (98, 920, 60)
    assert np.isnan(table.loc["form-2", "tokens_read"])
    assert first["minutes"] == pytest.approx(98 / 60) and replication_trials.cost(rows, run_facts([])).empty


def test_deltas_of_trials_are_those_of_counts_by_hand():
    made = replication_trials.responses(trials("m", tracks=("T1", "T3"), seed=5))
    for row in deltas(made).itertuples():
        part = made[made["track"] == row.track]
        kept = (part["keep_withdraw"] == "KEEP").groupby(part["correct"]).mean()
        by_hand = 100 * (kept[True] - kept[False])
        assert row.delta == pytest.approx(by_hand) and row.lower < by_hand < row.upper
    both = mean_deltas(deltas(made))
    assert both[["model", "n_defined", "complete"]].to_numpy().tolist() == [["m", 2, False]]


def test_known_answerers_get_their_profiles_and_declined_items_no_verdict_on_knowledge():
    made = replication_trials.first_form(replication_trials.responses(battery_trials()))
    means = mean_deltas(deltas(made))
    assert PRINTED.profiles(means) == {"smollm2-135m": "C", "gemma3-270m": "A"}
    six = made[(made["model"] == "smollm2-135m") & (made["track"] == "T6")]
    of_six = deltas(made).set_index(["model", "track"]).loc[("smollm2-135m", "T6")]
    assert of_six["n"] == (six["path"] != "DECLINE").sum() < len(six)
    assert together(replication.monitors(means[means["model"] == "smollm2-135m"]), "monitors") is True
    # the other keeps everything: an interval around zero
    assert together(replication.monitors(means), "monitors") is None
    turned = replication_trials.responses(trials("m", keep=(0.2, 0.9)))
    assert together(replication.monitors(mean_deltas(deltas(turned))), "monitors") is False
    both = measured(made[made["judged"]]).set_index("model")
    assert both.loc["smollm2-135m", "lower"] > 0.5


def test_graded_signals_are_measured_only_where_there_are_enough_of_both():
    made = replication_trials.responses(trials("m", seed=4))
    table = replication_trials.graded(made).set_index("signal")
    retro = made[made["track"] != "T6"]
    right, wrong = (retro.loc[retro["correct"] == c, "p_keep"].to_numpy() for c in (True, False))
    pairs = np.subtract.outer(right, wrong)
    keep, answer = (table.loc[f"probability of {what}"] for what in ("KEEP", "the answer"))
    assert keep["auroc2"] == pytest.approx(((pairs > 0) + 0.5 * (pairs == 0)).mean())
    assert answer["auroc2"] == 0.5
    few = replication_trials.graded(replication_trials.responses(trials("m", right=1.0, seed=4)))
    assert few["auroc2"].isna().all() and together(replication.grades(few), "grades") is None
    unscored = made.assign(p_keep=np.nan)
    none = replication_trials.graded(unscored).set_index("signal").loc[keep.name]
    assert none["n"] == 0


def test_scores_of_a_run_are_those_of_the_published_rule_and_stand_above_the_published_ones():
    made = replication_trials.responses(trials("m", seed=4))
    table = replication_trials.with_published_scores(made, load()).set_index("model")
    part = made[made["track"] == "T1"]
    earned = {"111": 1.0, "110": 0.8, "100": 0.5, "101": 0.3, "000": 0.6, "001": 0.2, "010": 0.1, "011": 0.0}
    states = part[["correct", "keep", "bet"]].astype(int).astype(str).agg("".join, axis=1)
    assert table.at["m", "T1"] == pytest.approx(states.map(earned).mean())
    assert table.at["m", "T6"] == pytest.approx(made.loc[made["track"] == "T6", "points"].mean())
    assert list(table.index) == ["m", "published, lowest", "published, median", "published, highest"]
    assert (table.loc["published, lowest"] <= table.loc["published, highest"]).all()


def test_paths_add_up_and_pay_as_stated():
    made = replication_trials.responses(trials("m", paths=(0.2, 0.3, 0.5), seed=6))
    whole = replication_trials.paths(made)
    table = whole[whole["tier"] == replication_trials.EVERY].set_index("path")
    six = made[made["track"] == "T6"]
    chosen = six["path"].value_counts(normalize=True)
    assert table["share"].to_dict() == pytest.approx((100 * chosen).to_dict())
    right = six.groupby("path")["correct"].mean()
    answered = table["right"].drop("DECLINE").to_dict()
    assert answered == pytest.approx(right.drop("DECLINE").to_dict()) and np.isnan(
        table.at["DECLINE", "right"]
    )
    hard = whole[whole["tier"] == "hard"].set_index("path")["share"] / 100
    of_hard = six[six["level"] == "hard"]["path"].value_counts()
    assert (
        of_hard.sum() == 18
        and (18 * hard).round(9).to_dict() == of_hard.reindex(hard.index).fillna(0).to_dict()
    )
    assert list(dict.fromkeys(whole["tier"])) == [
        replication_trials.EVERY,
        "easy",
        "medium",
        "hard",
        "extreme",
    ]
    pays = chosen["ANSWER_DIRECTLY"] * right["ANSWER_DIRECTLY"] + 0.25 * chosen["DECLINE"]
    pays += chosen["REQUEST_HINT"] * (0.1 + 0.4 * right["REQUEST_HINT"])
    assert table["all"].iloc[0] == pytest.approx(pays)
    for total, more in ((pays, 1), (0.25, 0)):
        told = replication.of_paths(SimpleNamespace(paths=table.reset_index().assign(all=total)))
        assert told == {"n_models": 1, "n_more": more, "best": "m", "most": total, "least": total}


def test_one_form_has_no_reliability():
    assert replication.reliability(trials("m")).empty


def test_reliability_over_kinds_is_the_correlation_of_their_means():
    tracks = ("T1", "T4", "T5")
    both = pd.concat([trials("m", form=f, tracks=tracks, seed=f) for f in (1, 2)], ignore_index=True)
    easy = both["item_type"].isin(["first_order", "baseline", "format_flexibility", "minimal_exemplar"])
    both.loc[easy, "correct"], both.loc[~easy, "correct"] = True, False
    table = replication.reliability(both).set_index("measure")
    assert table.loc["right", "r"] == pytest.approx(1) and table.loc["right", "kinds"] == 21
    x, y = (both[both["dataset"] == f].groupby("item_type")["p_keep"].mean() for f in ("form-1", "form-2"))
    parsed = replication.reliability(both.assign(p_keep=np.nan, p_bet=0.5)).set_index("measure")
    keep, bet = "probability of KEEP", "probability of BET"
    assert np.isnan(parsed.loc[keep, "r"]) and np.isnan(parsed.loc[bet, "r"])
    assert table.loc[keep, "r"] == pytest.approx(np.corrcoef(x, y.loc[x.index])[0, 1])


def test_kinds_of_item_at_chance_are_named():
    guessed, misled, known = (
        replication_trials.by_kind(
            replication_trials.responses(trials("m", right=p, tracks=(track,), seed=8))
        )
        for p, track in ((0.5, "T3"), (0.05, "T3"), (1.0, "T1"))
    )
    assert together(replication.above_chance(guessed), "chance") is None
    assert guessed["chance"].between(guessed["lower"], guessed["upper"]).mean() > 0.7
    assert together(replication.above_chance(misled), "chance") is False
    assert (known["beyond_chance"] == 0.5).all() and (known["beyond_chance_lower"] < 0.5).all()
    assert together(replication.above_chance(known[known["n"] >= 6]), "chance") is True


def test_a_model_is_placed_by_counting_the_published_ones_above_it():
    board = pd.DataFrame(
        {
            "model": ["a", "b", "c", "m", "n"],
            "delta": [30.0, 20.0, np.nan, 10.0, np.nan],
            "lower": [25.0, 5.0, np.nan, 2.0, np.nan],
            "upper": [35.0, 30.0, np.nan, 18.0, np.nan],
            "here": [False, False, False, True, True],
        }
    )
    (row,) = replication.placed(board).itertuples(index=False)
    assert (row.model, row.above, row.surely_above, row.published) == ("m", 2, 1, 2)


def test_both_choices_are_one_signal_beside_the_probabilities():
    record = Result(Given.study.analysis("replication_monitoring")(Given(trials("smollm2-135m", seed=4))))
    made = replication_trials.responses(trials("smollm2-135m", seed=4))
    one = record.graded.set_index("signal").loc[replication.BOTH]
    assert one["auroc2"] == measured(made[made["judged"]])["auroc2"].item() and len(record.graded) == 4
    assert set(record.by_track.columns) == {"model", "T1", "T2", "T3", "T4", "T5", "T6", "distinct"}


class Given:
    """Inputs of an analysis: these trials, and a profile that collected nothing."""

    study, profile = get_study("study5_battery"), load_profile("battery")

    def __init__(self, rows):
        self.rows = rows

    def trials(self, collection):
        return self.rows


@pytest.mark.parametrize("tracks", [("T1",), ("T6",), ("T2", "T6")])
def test_a_part_of_the_battery_is_analysed_and_shown_as_far_as_it_goes(tracks):
    rows = trials("smollm2-135m", tracks=tracks).iloc[::3].reset_index(drop=True)
    for name in ("replication_asked", "replication_monitoring", "replication_regulation"):
        record = Result(Given.study.analysis(name)(Given(rows)))
        view = View(record, views_of(Given.study, name), judged_by=RULES)
        assert not view.views.numbers or view.views.numbers(record)
        assert all(
            view.views.outcome(rule, record) for rule in set(record.get("outcomes", {}).get("rule", ()))
        )


def test_a_model_that_was_never_understood_is_counted_and_not_measured():
    rows = trials("smollm2-135m", lost=1.0, paths=(1, 0, 0))
    record = Result(Given.study.analysis("replication_asked")(Given(rows)))
    assert record.cells["usable"].sum() == 0 and record.asked == 524
    assert record.kinds.empty and together(record.outcomes, "chance") is None
    found = Result(Given.study.analysis("replication_monitoring")(Given(rows)))
    assert found.means.empty and found.kept.empty and found.by_track.empty and found.placed.empty
    assert found.board["here"].sum() == 0
    for rule in ("monitors", "grades"):
        assert together(found.outcomes, rule) is None
        assert of_rule(found.outcomes, rule)["why"].tolist() == [replication.LOST]
    assert np.isnan(replication.figures(found)["n_models"])
