"""What is counted of the models of a run. Oracles: the published responses' functions; closed counts."""

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from simulated_battery import battery_trials, trials

from metacog.collect.facts import run_facts
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import get_study
from metacog.studies.study5_battery.ledger.responses import load
from metacog.studies.study5_battery.measures import profiles as kinds
from metacog.studies.study5_battery.measures.commitment import measured
from metacog.studies.study5_battery.measures.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.replication import parallel_forms as parallel
from metacog.studies.study5_battery.replication import shown, verdicts
from metacog.studies.study5_battery.replication import trials as collected
from metacog.studies.view import View, views_of


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        (lambda t: t.drop(columns="bet_nobet"), "are missing the column bet_nobet"),
        (lambda t: t.assign(track="T8"), "unknown track T8"),
        (lambda t: t.assign(keep_withdraw="MAYBE"), "must be KEEP or WITHDRAW, or empty, found 'MAYBE'; "),
        (lambda t: pd.concat([t, t.head(2)]), "2 trials repeat a model's item, the first is m, T1-1-000"),
        (lambda t: t.head(0), "there are no trials"),
    ],
)
def test_trials_that_are_none_of_the_battery_are_refused(change, reported):
    with pytest.raises(MetacogError, match=re.escape(reported)):
        collected.checked(change(trials("m", tracks=("T1",))))


def test_what_it_took_is_summed_over_shards_and_half_a_count_of_tokens_is_none():
    rows = pd.concat([trials("m", tracks=("T1",)), trials("m", form=2, tracks=("T1",))], ignore_index=True)

    def run(form, replies, seconds, **tokens):
        part = {"rows": replies, "seconds": seconds, **tokens}
        return {
            "config": {"model": "m", "dataset": form, "prompt": {"id": "p"}},
            "sessions": [{}],
            "parts": {"0": part},
            "damaged": [],
        }

    runs = [
        run("form-1", 200, 49, tokens_read=900, tokens_written=60),
        run("form-1", 94, 49, tokens_read=20, tokens_written=0),
        run("form-2", 294, 196),
    ]
    table = collected.cost(rows, run_facts(runs)).set_index("form")
    first = table.loc["form-1"]
    assert (first["items"], first["requests"], first["sessions"]) == (98, 294, 2)
    assert (first["tokens_read"], first["tokens_written"]) == (920, 60)
    assert first["seconds"] == pytest.approx(1) and first["tokens"] == 10
    assert table.loc["form-2", "seconds"] == pytest.approx(2) and np.isnan(table.loc["form-2", "tokens"])
    assert first["minutes"] == pytest.approx(98 / 60) and collected.cost(rows, run_facts([])).empty


def test_deltas_of_trials_are_those_of_counts_by_hand():
    made = collected.responses(trials("m", tracks=("T1", "T3"), seed=5))
    for row in deltas(made).itertuples():
        part = made[made["track"] == row.track]
        right, wrong = part[part["correct"]], part[~part["correct"]]
        by_hand = 100 * (
            (right["keep_withdraw"] == "KEEP").mean() - (wrong["keep_withdraw"] == "KEEP").mean()
        )
        assert row.delta == pytest.approx(by_hand) and row.lower < by_hand < row.upper
    both = mean_deltas(deltas(made))
    assert (
        both["model"].tolist() == ["m"] and both["n_defined"].tolist() == [2] and not both["complete"].any()
    )


def test_known_answerers_get_their_profiles_and_declined_items_no_verdict_on_knowledge():
    made = collected.first_form(collected.responses(battery_trials()))
    means = mean_deltas(deltas(made))
    assert kinds.by_rule(means) == {"smollm2-135m": "C", "gemma3-270m": "A"}
    six = made[(made["model"] == "smollm2-135m") & (made["track"] == "T6")]
    of_six = deltas(made).set_index(["model", "track"]).loc[("smollm2-135m", "T6")]
    assert of_six["n"] == (six["path"] != "DECLINE").sum() < len(six)
    assert verdicts.monitors(means[means["model"] == "smollm2-135m"]).passed is True
    assert verdicts.monitors(means).passed is None  # the other keeps everything: an interval around zero
    turned = collected.responses(trials("m", keep=(0.2, 0.9)))
    assert verdicts.monitors(mean_deltas(deltas(turned))).passed is False
    both = measured(made[made["judged"]]).set_index("model")
    assert both.loc["smollm2-135m", "lower"] > 0.5


def test_graded_signals_are_measured_only_where_there_are_enough_of_both():
    made = collected.responses(trials("m", seed=4))
    table = collected.graded(made).set_index("signal")
    retro = made[made["track"] != "T6"]
    right, wrong = (retro.loc[retro["correct"] == c, "p_keep"].to_numpy() for c in (True, False))
    pairs = np.subtract.outer(right, wrong)
    keep, answer = (table.loc[f"probability of {what}"] for what in ("KEEP", "the answer"))
    assert keep["auroc2"] == pytest.approx(((pairs > 0) + 0.5 * (pairs == 0)).mean())
    assert answer["auroc2"] == 0.5
    few = collected.graded(collected.responses(trials("m", right=1.0, seed=4)))
    assert few["auroc2"].isna().all() and verdicts.grades(few).passed is None
    unscored = made.assign(p_keep=np.nan)
    none = collected.graded(unscored).set_index("signal").loc[keep.name]
    assert none["n"] == 0


def test_scores_of_a_run_are_those_of_the_published_rule_and_stand_above_the_published_ones():
    made = collected.responses(trials("m", seed=4))
    table = collected.with_published_scores(made, load()).set_index("model")
    part = made[made["track"] == "T1"]
    by_hand = {
        (1, 1, 1): 1.0,
        (1, 1, 0): 0.8,
        (1, 0, 0): 0.5,
        (1, 0, 1): 0.3,
        (0, 0, 0): 0.6,
        (0, 0, 1): 0.2,
        (0, 1, 0): 0.1,
        (0, 1, 1): 0.0,
    }
    states = zip(part["correct"], part["keep_withdraw"] == "KEEP", part["bet_nobet"] == "BET", strict=True)
    assert table.at["m", "T1"] == pytest.approx(np.mean([by_hand[s] for s in states]))
    assert table.at["m", "T6"] == pytest.approx(made.loc[made["track"] == "T6", "points"].mean())
    assert list(table.index) == ["m", "published, lowest", "published, median", "published, highest"]
    assert (table.loc["published, lowest"] <= table.loc["published, highest"]).all()


def test_paths_add_up_and_pay_as_stated():
    made = collected.responses(trials("m", paths=(0.2, 0.3, 0.5), seed=6))
    table = collected.paths(made).set_index("path")
    assert table["n"].sum() == 72 and table["share"].sum() == pytest.approx(100)
    direct, hint = table.loc["ANSWER_DIRECTLY"], table.loc["REQUEST_HINT"]
    assert direct["points"] == pytest.approx(direct["right"])
    assert (
        hint["points"] == pytest.approx(0.1 + 0.4 * hint["right"]) and table.loc["DECLINE", "points"] == 0.25
    )
    weighted = (table["n"] * table["points"]).sum() / 72
    assert table["all"].iloc[0] == pytest.approx(weighted)
    for total, said in ((weighted, "more than"), (0.25, "as much"), (0.2, "less than")):
        told = shown.chosen_paths(SimpleNamespace(paths=table.reset_index().assign(all=total)))
        assert told.startswith("m declined") and said in told


def test_parallel_forms_of_one_answerer_agree_and_of_two_do_not():
    tracks = ("T1", "T4", "T5")
    alike = pd.concat([trials("m", form=f, tracks=tracks, seed=f) for f in (1, 2)], ignore_index=True)
    apart = pd.concat(
        [trials("m", form=1, tracks=tracks), trials("m", form=2, tracks=tracks, right=0.95, keep=(0.1, 0.1))],
        ignore_index=True,
    )
    same, other = parallel.forms(alike), parallel.forms(apart)
    assert len(same) == 12 and same["apart"].sum() <= 2 and same["varies"].all()
    kept = parallel.forms(alike.assign(keep_withdraw="KEEP")).set_index("measure")["varies"]
    assert not kept[["KEEP", "withdraw delta"]].any() and kept[["right", "BET"]].all()
    assert other.loc[other["measure"].isin(["right", "KEEP"]), "apart"].all()
    assert parallel.forms(trials("m")).empty and parallel.reliability(trials("m")).empty


def test_reliability_over_kinds_is_the_correlation_of_their_means():
    tracks = ("T1", "T4", "T5")
    both = pd.concat([trials("m", form=f, tracks=tracks, seed=f) for f in (1, 2)], ignore_index=True)
    easy = both["item_type"].isin(["first_order", "baseline", "format_flexibility", "minimal_exemplar"])
    both.loc[easy, "correct"], both.loc[~easy, "correct"] = True, False
    table = parallel.reliability(both).set_index("measure")
    assert table.loc["right", "r"] == pytest.approx(1) and table.loc["right", "kinds"] == 21
    x, y = (both[both["dataset"] == f].groupby("item_type")["p_keep"].mean() for f in ("form-1", "form-2"))
    parsed = parallel.reliability(both.assign(p_keep=np.nan, p_bet=0.5)).set_index("measure")
    keep, bet = "probability of KEEP", "probability of BET"
    assert np.isnan(parsed.loc[keep, "r"]) and np.isnan(parsed.loc[bet, "r"])
    assert table.loc[keep, "r"] == pytest.approx(np.corrcoef(x, y.loc[x.index])[0, 1])


def test_kinds_of_item_at_chance_are_named():
    guessed = collected.by_kind(collected.responses(trials("m", right=0.5, tracks=("T3",), seed=8)))
    assert verdicts.above_chance(guessed).passed is None and guessed["at_chance"].mean() > 0.7
    misled = collected.by_kind(collected.responses(trials("m", right=0.05, tracks=("T3",), seed=8)))
    assert verdicts.above_chance(misled).passed is False
    known = collected.by_kind(collected.responses(trials("m", right=1.0, tracks=("T1",), seed=8)))
    assert (known["beyond_chance"] == 0.5).all() and (known["beyond_chance_lower"] < 0.5).all()
    assert verdicts.above_chance(known[known["n"] >= 6]).passed is True


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
        record = Given.study.analysis(name)(Given(rows))
        view = View(record, views_of(Given.study, name))
        told = view.sentences()
        assert all(isinstance(text, str) and text for key, text in told.items() if key != "needed")
        assert all(view.views.sentence(verdict) for verdict in getattr(record, "verdicts", ()))


def test_a_model_that_was_never_understood_is_counted_and_not_measured():
    rows = trials("smollm2-135m", lost=1.0, paths=(1, 0, 0))
    record = Given.study.analysis("replication_asked")(Given(rows))
    assert record.cells["usable"].sum() == 0 and record.asked == 524
    assert record.kinds.empty and all(v.passed is None for v in record.verdicts)
    found = Given.study.analysis("replication_monitoring")(Given(rows))
    assert found.means.empty and found.per_track.empty and found.board["here"].sum() == 0
    assert all(v.passed is None and v.undecided for v in found.verdicts)
    assert shown.page_answer(found).startswith("No model")
