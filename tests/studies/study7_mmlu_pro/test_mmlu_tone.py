"""What a judge of tone hears: the main figure again in plain numpy, and judges whose hearing is known."""

from dataclasses import replace

import numpy as np
import pytest
from few_models import area, but, few
from scipy.stats import rankdata

from metacog.studies.study7_mmlu_pro import tone
from metacog.verdicts.outcomes import together

JUDGE = "gpt-4.1"


@pytest.fixture(scope="module")
def rows():
    return few()


@pytest.fixture(scope="module")
def found(rows):
    return tone.tone(None, rows=rows, judge=JUDGE)


def test_main_figure_again_in_plain_numpy(rows, found):
    names, family = list(rows.models["model"]), rows.models["family"].to_numpy()
    heard = rows.signals["hedging"]
    known = (heard >= 0) & (heard <= 1) & (rows.answer >= 0)
    share = np.full(heard.shape, np.nan)
    for row, level, there in zip(share, heard, known, strict=True):
        row[there] = (rankdata(level[there]) - 0.5) / there.sum()
    chance = names.index("Mixtral-8x7B-v0.1")
    for name in ("Qwen3-8B-think", "claude-3-haiku-20240307"):
        own = names.index(name)
        others = (family != family[own]) & (np.arange(len(names)) != chance)
        same = known[others] & (rows.answer[others] == rows.answer[own])
        kept = known[own] & same.any(axis=0)
        right = (rows.answer[own] == rows.key)[kept]
        theirs = np.where(same, share[others], 0)[:, kept].sum(axis=0) / same[:, kept].sum(axis=0)
        row = found.models.set_index("model").loc[name]
        assert row["n"] == kept.sum()
        assert row["own"] == pytest.approx(area(heard[own, kept], right), abs=1e-6)
        assert row["of_others"] == pytest.approx(area(theirs, right), abs=1e-6)


def world(rows, rng, hears):
    """Ten options; tone and number hold doubt, the latter faintly, and tone may hold how the answer looks.

    The last three models scatter more than the rest, and are read badly.
    """
    n, m = rows.key.size, len(rows.models)
    skill = np.where(np.arange(m) < m - 3, 1.0, 0.0)[:, None]
    pull = rng.normal(size=(10, n)) * rng.gamma(2, 0.5, size=n)
    pull[0] += 1.3
    felt = pull + (1.4 - skill)[:, :, None] * rng.normal(size=(m, 10, n))
    which, best = felt.argmax(axis=1), np.sort(felt, axis=1)
    doubt = best[:, -1] - best[:, -2] + pull[0]
    looks = np.take_along_axis(rng.normal(size=(10, n)), which, axis=0)
    heard = (0.2 + 2 * skill) * doubt + rng.normal(size=(m, n)) + 2 * (hears == "answer") * looks
    stated = (0.2 + 2 * skill) * doubt + 2 * rng.normal(size=(m, n))
    answer = ((rows.key + which) % 10).astype(np.int8)
    signals = {"hedging": heard, "stated": stated, "token_probability": np.full((m, n), np.nan)}
    return replace(rows, answer=answer, signals={name: 1 / (1 + np.exp(-x)) for name, x in signals.items()})


def test_a_judge_that_hears_the_answer_is_told_from_one_that_hears_the_doubt_of_it():
    rows = few(items=slice(0, 3000))
    rng = np.random.default_rng(9)
    doubt = [tone.tone(None, rows=world(rows, rng, "doubt"), judge=JUDGE) for _ in range(4)]
    assert not any(together(one.outcomes, "same_wrong") for one in doubt)
    alone = [one.alike[one.alike["score"] == "how sure it sounds"] for one in doubt]
    assert all(
        (one["same_less_other_lower"] > 0).sum() > len(one) / 2 for one in alone
    )  # which the page had claimed
    answer = tone.tone(None, rows=world(rows, rng, "answer"), judge=JUDGE)
    assert together(answer.outcomes, "same_wrong") is True and (answer.models["more"] == "yes").mean() > 0.5
    assert set(answer.alike.loc[answer.alike["score"] == "token probability", "n_others"]) == {
        0
    }  # none has them


def test_a_model_without_token_probabilities_is_held_to_its_stated_number(rows, found):
    token = found.alike[found.alike["score"] == "token probability"].set_index("model")["flag"]
    stated = found.alike[found.alike["score"] == "stated confidence"].set_index("model")
    more = found.models.set_index("model")["more"]
    name = "claude-3-haiku-20240307"
    assert token[name]
    assert (more[name] == "yes") == (stated.loc[name, ["falls_more_lower", "in_proportion_lower"]].min() > 0)


def test_numbers_of_the_page_follow_the_tables(found):
    told = tone.VIEWS.numbers(found)
    assert (told["more"], told["judged"]) == ((found.models["more"] == "yes").sum(), len(found.models))
    means = found.alike.groupby("score")[["same_wrong", "other_wrong"]].mean().loc["stated confidence"]
    assert (told["stated_same_wrong"], told["stated_other_wrong"]) == tuple(means)
    assert told["others_better"] == (found.models["own_less_others_upper"] < 0).sum()
    assert (found.peers["judge"] == "yes").sum() == 1
    tones = found.alike[found.alike["score"] == "how sure it sounds"]
    alone = tone.VIEWS.numbers(but(found, alike=tones))
    assert alone["tone_more"] == told["tone_more"] and (alone["stated_of"], alone["tokens_of"]) == (0, 0)


def test_rates_beside_the_rule_are_those_of_the_simulated_sets(found):
    worlds = found.worlds.set_index("world")
    none = worlds[worlds["truth"] == tone.NOTHING]
    told = tone.VIEWS.numbers(found)
    rates = [told[f"nothing_{name}"] for name in ("sets", "both", "beyond")]
    assert rates == [none[name].sum() for name in ("sets", "both", "beyond")]
    assert (told["clear_both"], told["faint_both"]) == tuple(worlds[worlds["truth"] == tone.LOOK]["both"])
