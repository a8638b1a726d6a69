"""The form of asking. Oracles: counts and pairs of the committed answers by hand, and simulated answers."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.studies.study1_qa import prompt_form
from metacog.studies.study1_qa.prompt_form import ALL, AT_ONE, FILE, FORMS, JUDGED, SWAPS
from metacog.studies.study1_qa.settings import PAPER_TEMPERATURES

ANSWERS = committed_table(FILE)


@pytest.fixture(scope="module")
def made():
    found = prompt_form.compared(prompt_form.rated_answers(ANSWERS), n_resamples=60, seed=1)
    return SimpleNamespace(by_form=found[0], differences=found[1], swaps=committed_table(SWAPS))


def simulated(n=40, seed=1, harder=0.0, blind=False):
    """Answers of one model whose few-shot form is better by ``harder``; the zero-shot's confidence may say nothing."""
    rng, rows = np.random.default_rng(seed), []
    for place in range(n):
        ease = rng.normal()
        for form in FORMS:
            for temperature in PAPER_TEMPERATURES:
                evidence = ease + rng.normal() - 0.3 * temperature - harder * (form == "zeroshot")
                told = rng.normal() if blind and form == "zeroshot" else evidence
                nlp = -np.exp(-told + 0.3 * rng.normal())
                rows.append(("m", "s", f"q{place}", temperature, int(evidence > 0), nlp, 5, 0, 0, 0, form))
    return pd.DataFrame(rows, columns=ANSWERS.columns)


def judged(answers, n_resamples=300):
    found = prompt_form.differ(answers, n_resamples=n_resamples, seed=2)
    return found.set_index("measure")["differs"].to_dict()


def by_hand(answers):
    """AUROC2 over all pairs of a right and a wrong answer of one set and temperature."""
    wins = pairs = 0.0
    for _, own in answers[answers["nlp"].notna()].groupby(["dataset", "temperature"]):
        right, wrong = (own.loc[own["correct"] == mark, "nlp"].to_numpy() for mark in (1, 0))
        apart = right[:, None] - wrong[None]
        wins, pairs = wins + (apart > 0).sum() + 0.5 * (apart == 0).sum(), pairs + apart.size
    return wins / pairs if pairs else np.nan


def test_the_table_holds_no_texts_and_both_forms_of_the_same_questions():
    assert set(ANSWERS.columns) == {
        *("model", "dataset", "question_id", "temperature", "correct", "nlp", "n_tokens"),
        *("truncated", "refused", "mentioned", "form"),
    }
    keys = ["model", "dataset", "question_id", "temperature"]
    assert not ANSWERS.duplicated([*keys, "form"]).any()
    assert (ANSWERS.groupby(keys)["form"].nunique() == len(FORMS)).all()
    assert set(ANSWERS["temperature"]) == set(PAPER_TEMPERATURES)
    asked = ANSWERS.groupby(["model", "dataset"])["question_id"].agg(lambda ids: frozenset(ids))
    assert (asked.groupby("dataset").nunique() == 1).all()  # each model the same questions
    assert ANSWERS["question_id"].str.fullmatch(r"tqa-dev-\d{5}|NQ-open\.dev-\d{6}").all()


def test_each_form_kept_to_its_limit():
    most = ANSWERS.groupby("form")["n_tokens"].max()
    assert most["zeroshot"] <= 64 and most["fewshot"] <= 24


@pytest.mark.parametrize("at", [AT_ONE, ALL])
def test_what_the_page_shows_follows_from_the_answers(made, at):
    part = ANSWERS[ANSWERS["temperature"] == 1] if at == AT_ONE else ANSWERS
    shown = made.by_form[made.by_form["at"] == at].set_index(["model", "form"])
    for key, own in part.groupby(["model", "form"]):
        row = shown.loc[key]
        assert (row["n"], row["n_correct"]) == (len(own), own["correct"].sum())
        assert row["accuracy"] == pytest.approx(own["correct"].mean())
        assert row["truncated"] == pytest.approx(own["truncated"].mean())
        assert row["n_tokens"] == pytest.approx(own["n_tokens"].mean())
        assert row["empty"] == pytest.approx(own["nlp"].isna().mean())
        assert row["mentioned"] == pytest.approx(own["mentioned"].mean())
        assert row["auroc2"] == pytest.approx(by_hand(own), nan_ok=True)
        assert np.isfinite(row["auroc2_lower"]) == (own["correct"].sum() >= 10)


def test_a_difference_is_that_of_the_forms_shown(made):
    wide = made.by_form.set_index(["model", "at", "form"])
    for row in made.differences.itertuples():
        one, other = (wide.loc[(row.model, row.at, form), row.measure] for form in FORMS)
        assert row.difference == pytest.approx(one - other, nan_ok=True)


def test_the_same_answers_in_both_forms_do_not_differ():
    few = simulated()[lambda t: t["form"] == "fewshot"]
    same = pd.concat([few, few.assign(form="zeroshot")], ignore_index=True)
    assert judged(same) == dict.fromkeys(JUDGED, False)


def test_a_form_that_is_harder_differs_in_accuracy():
    assert judged(simulated(harder=1.0))["accuracy"]


def test_a_form_whose_confidence_says_nothing_differs_in_auroc2_alone():
    assert judged(simulated(n=60, blind=True)) == {"accuracy": False, "auroc2": True}


def test_a_reply_mentions_an_answer_in_whole_words():
    from prompt_form import names_it

    assert names_it("It is the city of Paris.", ["Lyon", "PARIS"])
    assert not names_it("A Parisian said so", ["Paris"]) and not names_it("nothing", ["the", "..."])


def test_swapping_keeps_what_was_answered_to_a_question():
    from prompt_form import swaps

    made = swaps(simulated(n=12), 8, 40)
    assert made["swaps"].tolist() == [8, 8] and made["measure"].tolist() == list(JUDGED)


def test_the_committed_swaps_are_those_of_the_answers():
    from prompt_form import swaps

    kept, again = committed_table(SWAPS), swaps(ANSWERS, 60, 200, seed=7)
    assert kept[["model", "measure"]].equals(again[["model", "measure"]])
    for one, other in zip(kept.itertuples(), again.itertuples(), strict=True):
        if one.swaps:
            rate = one.differ / one.swaps
            error = np.sqrt(max(rate * (1 - rate), 0.02) * (1 / 60 + 1 / one.swaps))
            assert other.differ / 60 == pytest.approx(rate, abs=3.5 * error)


def test_the_numbers_are_those_of_all_temperatures(made):
    told = prompt_form.figures(made)
    shown = made.by_form[made.by_form["at"] == ALL].set_index("form")
    assert told["fewshot_n_tokens_most"] == shown.loc["fewshot", "n_tokens"].max()
    assert told["zeroshot_accuracy_least"] == 100 * shown.loc["zeroshot", "accuracy"].min()
    gaps = made.differences[(made.differences["at"] == ALL) & (made.differences["measure"] == "accuracy")]
    assert told["n_worse"] == (gaps["upper"] < 0).sum() and told["n_asked"] == len(gaps)
    kept = committed_table(SWAPS)
    assert told["false_most"] == pytest.approx(100 * (kept["differ"] / kept["swaps"]).max())


def test_without_right_answers_there_is_no_comparison():
    answers = simulated(n=12).assign(correct=0)
    by_form, gaps = prompt_form.compared(prompt_form.rated_answers(answers), n_resamples=40, seed=1)
    assert by_form["auroc2"].isna().all()
    assert gaps.loc[gaps["measure"] == "auroc2", "lower"].isna().all()
