"""The battery as it is administered, and what is counted of it.

Oracles: conversations written by hand; the published responses' own functions; closed counts.
"""

import math
import re

import numpy as np
import pandas as pd
import pytest
from simulated_battery import battery_trials, trials

from metacog.collect.facts import run_facts
from metacog.collect.jobs import targets
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.engines.requests import Chosen
from metacog.studies import get_study
from metacog.studies.study5_battery import own, own_said, parallel, scores
from metacog.studies.study5_battery import profiles as kinds
from metacog.studies.study5_battery.collections import Battery
from metacog.studies.study5_battery.commitment import measured
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.items import battery
from metacog.studies.study5_battery.responses import load
from metacog.studies.study5_battery.settings import Settings
from metacog.studies.view import View

ONE = Battery()


def talk(item, *said, scored=True, answers="texts"):
    """Drive a conversation with the replies given, an answer by its letter; requests and the trial."""
    settings = Settings(form=1, answers=answers)
    asking, asked, replies = ONE.ask(item, settings), [], []
    try:
        request = next(asking)
        for choice in said:
            asked.append(request)
            n = len(request.options)
            if request.options == item.options and choice:
                choice = item.options["ABCD".index(choice)]
            p = [0.7 if o == choice else 0.3 / (n - 1) for o in request.options]
            values = p if scored else [math.nan] * n
            logs = [math.log(v) if scored else math.nan for v in p]
            replies.append(
                Chosen(
                    request.options,
                    tuple(logs),
                    tuple(values),
                    choice,
                    "label" if scored else "parsed",
                    asked=request.turns,
                )
            )
            request = asking.send(replies[-1])
        raise AssertionError(f"one more request: {request.turns[-1]}")
    except StopIteration:
        pass
    (row,) = ONE.read(item, replies, settings)
    return asked, row


def item_of(track, item_type=""):
    return next(i for i in battery() if i.track == track and item_type in ("", i.item_type))


@pytest.mark.parametrize("answers", ["texts", "letters"])
def test_an_answer_then_keep_then_bet_each_behind_the_last(answers):
    item = item_of("T3")
    options = {"texts": item.options, "letters": ("A", "B")}[answers]
    asked, row = talk(item, item.key, "WITHDRAW", "BET", answers=answers)
    assert [r.options for r in asked] == [options, ("KEEP", "WITHDRAW"), ("BET", "NO_BET")]
    shown = asked[0].turns[-1]["content"]
    assert item.question in shown and all(o in shown for o in item.options)
    assert ("A) " in shown) == (answers == "letters")
    answered = options["AB".index(item.key)]
    assert [t["content"] for t in asked[2].turns if t["role"] == "assistant"] == [answered, "WITHDRAW"]
    assert (row["correct"], row["keep_withdraw"], row["bet_nobet"], row["path"]) == (
        True,
        "WITHDRAW",
        "BET",
        "",
    )
    assert row["p_key"] == row["p_answer"] == 0.7 and row["p_keep"] == pytest.approx(0.3)
    assert row["p_bet"] == 0.7 and row["logprob_withdraw"] == pytest.approx(math.log(0.7))
    assert math.isnan(row["points"]) and row["bad_reply"] == "" and row["parse_status"] == "ok"


@pytest.mark.parametrize(
    ("path", "right", "points"),
    [
        ("ANSWER_DIRECTLY", True, 1),
        ("ANSWER_DIRECTLY", False, 0),
        ("REQUEST_HINT", True, 0.5),
        ("REQUEST_HINT", False, 0.1),
    ],
)
def test_t6_asks_for_the_path_first_and_gives_the_hint_if_it_is_asked_for(path, right, points):
    item = item_of("T6")
    letter = item.key if right else next(a for a in item.letters if a != item.key)
    asked, row = talk(item, path, letter, "KEEP", "BET")
    assert asked[0].options == ("ANSWER_DIRECTLY", "REQUEST_HINT", "DECLINE")
    first, second = asked[0].turns[-1]["content"], asked[1].turns[-1]["content"]
    assert item.question in first and all(p in first for p in ("1 point", "0.5 points", "0.1", "0.25 points"))
    assert item.hint not in first and (item.hint in second) == (path == "REQUEST_HINT")
    assert row["points"] == points and row["path"] == path and row["correct"] is right


def test_a_declined_item_is_a_trial_without_an_answer():
    asked, row = talk(item_of("T6"), "DECLINE")
    assert len(asked) == 1 and row["answer"] == "" and not row["correct"] and row["points"] == 0.25
    assert row["keep_withdraw"] == row["bet_nobet"] == "" and row["bad_reply"] == ""


def test_a_prospective_item_is_forecast_before_its_options_are_seen():
    item = item_of("T2", "prospective")
    asked, row = talk(item, "NO", item.key, "KEEP", "NO_BET")
    assert (
        item.options[0] not in asked[0].turns[-1]["content"]
        and item.options[0] in asked[1].turns[-1]["content"]
    )
    assert row["forecast"] == "NO" and row["p_forecast"] == pytest.approx(0.3)


@pytest.mark.parametrize(
    ("track", "said", "bad"),
    [
        ("T3", ("",), "answer"),
        ("T3", ("A", "", "BET"), "keep"),
        ("T3", ("A", "KEEP", ""), "bet"),
        ("T6", ("",), "path"),
        ("T6", ("ANSWER_DIRECTLY", ""), "answer"),
    ],
)
def test_a_reply_that_names_no_option_is_lost_and_nothing_stands_in_its_place(track, said, bad):
    asked, row = talk(item_of(track), *said, scored=False)
    assert row["bad_reply"] == bad and row["parse_status"] == "unclear" and row["form"] == "parsed"
    if bad == "keep":
        assert row["keep_withdraw"] == "" and row["bet_nobet"] == "BET" and math.isnan(row["p_keep"])
    frame = pd.DataFrame([{**row, "model": "m", "dataset": "form-1", "question_id": "i"}])
    assert own.responses(frame).empty
    counted = own.asked(frame).iloc[0]
    assert (counted["asked"], counted["usable"], counted["requests"]) == (1, 0, len(asked))


def test_settings_are_checked_and_forms_are_sets():
    made = Settings(forms=(1, 2), limit=24)
    assert list(made.sets()) == ["form-1", "form-2"]
    first, second = (ONE.items(s, {}) for s in made.sets().values())
    assert len(first) == len(second) == 24 and {i.track for i in second} == {"T1", "T4", "T5"}
    for wrong, said in (
        ({"tracks": ("T7",)}, "no track T7"),
        ({"forms": ()}, "each form once"),
        ({"forms": (1, 1)}, "each form once"),
        ({"forms": (0,)}, "whole numbers from 1"),
        ({"limit": 0}, "at least 1"),
        ({"temperature": -1}, "at least 0"),
        ({"answers": "words"}, "answers must be texts or letters, not 'words'"),
    ):
        with pytest.raises(MetacogError, match=said):
            Settings(**wrong)


def test_profiles_ask_one_model_by_default_and_both_on_two_forms_in_the_profile_battery():
    study = get_study("study5_battery")
    default = targets(study, load_profile("default"))
    assert {t.model for t in default} == {"smollm2-135m"} and {t.dataset for t in default} == {"form-1"}
    assert sum(len(p.items) for t in default for p in t.plans()) == 524
    both = targets(study, load_profile("battery"))
    assert {(t.model, t.dataset) for t in both} == {
        (m, f) for m in ("smollm2-135m", "gemma3-270m") for f in ("form-1", "form-2")
    }
    assert {t.model for t in targets(study, load_profile("default"), models=["gemma3-270m"])} == {
        "gemma3-270m"
    }


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda t: t.drop(columns="bet_nobet"), "lack the column bet_nobet"),
        (lambda t: t.assign(track="T8"), "unknown track T8"),
        (lambda t: t.assign(keep_withdraw="MAYBE"), "must be KEEP or WITHDRAW, or empty, found 'MAYBE'; "),
        (lambda t: pd.concat([t, t.head(2)]), "2 trials repeat a model's item, the first is m, T1-1-000"),
        (lambda t: t.head(0), "there are no trials"),
    ],
)
def test_trials_that_are_none_of_the_battery_are_refused(change, said):
    with pytest.raises(MetacogError, match=re.escape(said)):
        own.checked(change(trials("m", tracks=("T1",))))


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
    table = own.cost(rows, run_facts(runs)).set_index("form")
    first = table.loc["form-1"]
    assert (first["items"], first["requests"], first["sessions"]) == (98, 294, 2)
    assert (first["tokens_read"], first["tokens_written"]) == (920, 60)
    assert first["seconds"] == pytest.approx(1) and first["tokens"] == 10
    assert table.loc["form-2", "seconds"] == pytest.approx(2) and np.isnan(table.loc["form-2", "tokens"])
    said = own_said.cost_said(own.cost(rows, run_facts(runs[:2])))
    assert said == "m took 1.6 minutes for 98 items; 920 tokens were read and 60 written."
    assert "not counted" in own_said.cost_said(table.reset_index())
    assert "not recorded" in own_said.cost_said(own.cost(rows, run_facts([])))


def test_deltas_of_own_trials_are_those_of_counts_by_hand():
    made = own.responses(trials("m", tracks=("T1", "T3"), seed=5))
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
    made = own.first_form(own.responses(battery_trials()))
    means = mean_deltas(deltas(made))
    assert kinds.by_rule(means) == {"smollm2-135m": "C", "gemma3-270m": "A"}
    six = made[(made["model"] == "smollm2-135m") & (made["track"] == "T6")]
    of_six = deltas(made).set_index(["model", "track"]).loc[("smollm2-135m", "T6")]
    assert of_six["n"] == (six["path"] != "DECLINE").sum() < len(six)
    assert own_said.monitors(means[means["model"] == "smollm2-135m"]).passed is True
    assert own_said.monitors(means).passed is None  # the other keeps everything: an interval around zero
    turned = own.responses(trials("m", keep=(0.2, 0.9)))
    assert own_said.monitors(mean_deltas(deltas(turned))).passed is False
    both = measured(made[made["judged"]]).set_index("model")
    assert both.loc["smollm2-135m", "lower"] > 0.5


def test_graded_signals_are_measured_only_where_there_are_enough_of_both():
    made = own.responses(trials("m", seed=4))
    table = own.graded(made).set_index("signal")
    retro = made[made["track"] != "T6"]
    right, wrong = (retro.loc[retro["correct"] == c, "p_keep"].to_numpy() for c in (True, False))
    pairs = np.subtract.outer(right, wrong)
    assert table.loc["probability of KEEP", "auroc2"] == pytest.approx(
        ((pairs > 0) + 0.5 * (pairs == 0)).mean()
    )
    assert table.loc["probability of the answer", "auroc2"] == 0.5
    few = own.graded(own.responses(trials("m", right=1.0, seed=4)))
    assert few["auroc2"].isna().all() and own_said.grades(few).passed is None
    unscored = made.assign(p_keep=np.nan)
    assert own.graded(unscored).set_index("signal").loc["probability of KEEP", "n"] == 0


def test_own_scores_are_those_of_the_published_rule_and_stand_above_the_published_ones():
    made = own.responses(trials("m", seed=4))
    table = scores.beside_published(made, load()).set_index("model")
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
    made = own.responses(trials("m", paths=(0.2, 0.3, 0.5), seed=6))
    table = own.paths(made).set_index("path")
    assert table["n"].sum() == 72 and table["share"].sum() == pytest.approx(100)
    direct, hint = table.loc["ANSWER_DIRECTLY"], table.loc["REQUEST_HINT"]
    assert direct["points"] == pytest.approx(direct["right"])
    assert (
        hint["points"] == pytest.approx(0.1 + 0.4 * hint["right"]) and table.loc["DECLINE", "points"] == 0.25
    )
    weighted = (table["n"] * table["points"]).sum() / 72
    assert table["all"].iloc[0] == pytest.approx(weighted)


def test_parallel_forms_of_one_answerer_agree_and_of_two_do_not():
    tracks = ("T1", "T4", "T5")
    alike = pd.concat([trials("m", form=f, tracks=tracks, seed=f) for f in (1, 2)], ignore_index=True)
    apart = pd.concat(
        [trials("m", form=1, tracks=tracks), trials("m", form=2, tracks=tracks, right=0.95, keep=(0.1, 0.1))],
        ignore_index=True,
    )
    same, other = parallel.forms(alike), parallel.forms(apart)
    assert len(same) == 12 and same["apart"].sum() <= 2
    assert other.loc[other["measure"].isin(["right", "KEEP"]), "apart"].all()
    one = parallel.forms(trials("m"))
    assert one.empty and "One form" in own_said.forms_said(one)
    assert parallel.reliability(trials("m")).empty


def test_reliability_over_kinds_is_the_correlation_of_their_means():
    tracks = ("T1", "T4", "T5")
    both = pd.concat([trials("m", form=f, tracks=tracks, seed=f) for f in (1, 2)], ignore_index=True)
    easy = both["item_type"].isin(["first_order", "baseline", "format_flexibility", "minimal_exemplar"])
    both.loc[easy, "correct"], both.loc[~easy, "correct"] = True, False
    table = parallel.reliability(both).set_index("measure")
    assert table.loc["right", "r"] == pytest.approx(1) and table.loc["right", "kinds"] == 21
    x, y = (both[both["dataset"] == f].groupby("item_type")["p_keep"].mean() for f in ("form-1", "form-2"))
    parsed = parallel.reliability(both.assign(p_keep=np.nan, p_bet=0.5)).set_index("measure")
    assert np.isnan(parsed.loc["probability of KEEP", "r"]) and np.isnan(
        parsed.loc["probability of BET", "r"]
    )
    assert table.loc["probability of KEEP", "r"] == pytest.approx(np.corrcoef(x, y.loc[x.index])[0, 1])


def test_kinds_of_item_at_chance_are_named():
    guessed = own.by_kind(own.responses(trials("m", right=0.5, tracks=("T3",), seed=8)))
    assert own_said.above_chance(guessed).passed is None and guessed["at_chance"].mean() > 0.7
    misled = own.by_kind(own.responses(trials("m", right=0.05, tracks=("T3",), seed=8)))
    assert own_said.above_chance(misled).passed is False
    known = own.by_kind(own.responses(trials("m", right=1.0, tracks=("T1",), seed=8)))
    assert own_said.above_chance(known[known["n"] >= 6]).passed is True


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
    for name in ("own_asked", "own_monitoring", "own_regulation"):
        record = Given.study.analysis(name)(Given(rows))
        view = View(record, Given.study.shown(name))
        for key in (k for k in Given.study.tables if k.split(".")[0] == name):
            assert view.table(key.split(".")[1])._repr_html_().startswith("<")
        for key in (k for k in Given.study.figures if k.split(".")[0] == name):
            assert view.figure(key.split(".")[1]) is not None


def test_a_model_that_was_never_understood_is_counted_and_not_measured():
    rows = trials("smollm2-135m", lost=1.0, paths=(1, 0, 0))
    record = Given.study.analysis("own_asked")(Given(rows))
    assert record.cells["usable"].sum() == 0 and "524 conversations ended" in record.asked_said
    assert record.kinds.empty and all(v.passed is None for v in record.verdicts)
    with pytest.raises(MetacogError, match="no conversation of the battery was understood"):
        Given.study.analysis("own_monitoring")(Given(rows))
