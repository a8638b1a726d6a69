"""Forms of asking in study 2. Oracles: the committed answers by hand, and simulated answers whose forms differ."""

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.studies.study2_two_choice import asking_forms as forms
from metacog.studies.study2_two_choice.asking_forms import FILE, FORMS, SWAPS, VIEWS


def simulated(form="scale9", n=120, seed=1, harder=0.0, surer=0):
    """Answers of one model in the usual form and in another, which is harder and surer by these."""
    rng, rows = np.random.default_rng(seed), []
    for place in range(n):
        ease = rng.normal(0.8)
        for one in ("usual", form):
            levels = int(FORMS[one].settings.get("scale", 5))
            evidence = ease + 0.5 * rng.normal() - harder * (one == form)
            told = np.clip(round((0.5 + 0.3 * evidence) * levels) + surer * (one == form), 1, levels)
            rows.append(
                ("m", "ABC"[place % 3], f"s{place}", int(evidence > 0), (told - 1) / (levels - 1), "ok", one)
            )
    return pd.DataFrame(
        rows, columns=["model", "task", "question_id", "correct", "confidence", "parse_status", "form"]
    )


def judged(answers, form="scale9"):
    made = forms.differ(answers, form, "usual", n_resamples=300, seed=2).set_index("measure")
    return made["differs"].to_dict()


def test_every_form_asks_what_its_name_says_and_has_a_base():
    from two_choice_forms import asked

    from metacog.collect.plan import settings_of
    from metacog.studies import get_study

    for form, one in FORMS.items():
        settings = settings_of(get_study("study2_two_choice"), asked(form))
        assert all(getattr(settings, name) == value for name, value in one.settings.items())
        assert one.base in FORMS or form == "usual"


def test_measures_are_those_of_the_answers_by_hand():
    answers = simulated()
    made = forms.measured(answers, ("usual", "scale9"), n_resamples=50, seed=1)["scale9"]
    own = answers[answers["form"] == "scale9"]
    told = 0.5 + 0.5 * own["confidence"]
    wins = pairs = 0.0
    for _, part in own.groupby("task"):
        right, wrong = (part.loc[part["correct"] == mark, "confidence"].to_numpy() for mark in (1, 0))
        apart = right[:, None] - wrong[None]
        wins, pairs = wins + (apart > 0).sum() + 0.5 * (apart == 0).sum(), pairs + apart.size
    assert made.values["accuracy"] == pytest.approx(own["correct"].mean())
    assert made.values["bias"] == pytest.approx(told.mean() - own["correct"].mean())
    assert made.values["auroc2"] == pytest.approx(wins / pairs)


def test_a_form_that_is_harder_or_surer_is_found_and_the_same_form_is_not():
    same = simulated()
    usual = same[same["form"] == "usual"]
    assert not any(judged(pd.concat([usual, usual.assign(form="warm")], ignore_index=True), "warm").values())
    assert judged(simulated(harder=0.8))["accuracy"]
    assert judged(simulated(surer=3))["bias"]


def test_forms_swapped_by_chance_seldom_differ():
    from forms import swapped

    def rule(answers, **options):
        return forms.differ(answers, "scale9", "usual", **options)

    item = ("model", "task", "question_id")
    made = swapped(simulated("scale9"), ("scale9", "usual"), item, rule, n=12, n_resamples=100)
    assert (made["swaps"] == 12).all() and (made["differ"] <= 4).all()  # of the bias too, on two scales


def test_the_tables_hold_no_texts_and_the_same_sentences_in_every_form():
    answers, swaps = committed_table(FILE), committed_table(SWAPS)
    assert set(answers) == {
        *("model", "task", "question_id", "correct", "confidence", "parse_status", "form")
    }
    keys = ["model", "task", "question_id"]
    assert (answers.groupby(keys)["form"].nunique() == len(FORMS)).all()
    assert not answers.duplicated([*keys, "form"]).any()
    assert set(swaps["form"]) == {form for form, one in FORMS.items() if one.base}


def test_what_is_said_follows_from_the_intervals():
    result = type("Result", (), forms.asking_forms.function(None, n_resamples=60))()
    gaps, told = result.changes, VIEWS[0].numbers(result)
    clear = (gaps["difference_lower"] > 0) | (gaps["difference_upper"] < 0)
    assert sum(told[f"{name}_changed"] for name in forms.MEASURES) == clear.sum()
    assert 0 < told["by_chance"] < told["by_chance_most"] < 100
