"""Self-knowledge of imported models. Oracles: simulated models that read difficulty alone, or themselves alone."""

from __future__ import annotations

import json
import re

import numpy as np
import pandas as pd
import pytest
from answerers import level_of, models_like_a_leaderboard, simulated_models

from metacog.imports.kept import BEFORE
from metacog.imports.mapping import Columns
from metacog.imports.page import render_report
from metacog.imports.report import Request, import_trials, read_results
from metacog.imports.self_knowledge import Asked, _left_out
from metacog.imports.shown import OwnTrials
from metacog.measures.model_items import ModelItems
from metacog.measures.own_and_others import sharing
from metacog.measures.table import Options
from metacog.verdicts.self_knowledge import FEW_HEARD

ROLES = Columns(correct="correct", confidence="confidence", model="model", question_id="item")
FEW = Options(n_resamples=100, n_permutations=100)


def table(kind="mixture", n_models=9, n_items=400, seed=3, more=()):
    """Answers of models that err now and then."""
    able = [m.name for m in models_like_a_leaderboard(0.0) if m.level <= level_of(0.92)]
    made = simulated_models(kind, n_items=n_items, seed=seed)
    made = made[made["model"].isin(able[:: len(able) // n_models][:n_models])]
    return made[["model", "item", "correct", "confidence", *more]]


def imported(made, folder, **request):
    path = folder / "answers.csv"
    made.to_csv(path, index=False)
    asked = Request(request.pop("columns", ROLES), options=FEW, replace=True, **request)
    import_trials(path, folder / "out", asked, page=False)
    return OwnTrials(read_results(folder / "out"))


def answer(own):
    return own.self_knowledge.answer()._repr_markdown_()


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    return {kind: tmp_path_factory.mktemp(kind[:3]) for kind in ("difficulty", "own state")}


@pytest.fixture(scope="module")
def answers(folders):
    # of 400 questions the bits that own state adds cannot be told apart from none
    return {kind: imported(table(kind, n_items=1000), folder) for kind, folder in folders.items()}


def test_the_sentence_follows_what_the_models_read(answers):
    assert "9 of" in answer(answers["own state"])
    (above,) = re.findall(r"n (\d|none) of 9 models", answer(answers["difficulty"]))
    assert above == "none" or int(above) < 9 / 2
    shares = {
        kind: own.results.self_knowledge.result.models["share"].median() for kind, own in answers.items()
    }
    assert shares["difficulty"] < 0.15 and shares["own state"] > 0.75


def test_answers_that_are_named_are_held_against_the_same_answers_of_enough_others(tmp_path, answers):
    assert "; what others say of the same answer is not known." in answer(answers["own state"])
    assert "--answer" in answers["own state"].self_knowledge.about().source
    roles = Columns(**{**ROLES.named(), "answer": "answer"})
    made = table("own state", n_models=FEW_HEARD + 1, n_items=150, more=["answer"])
    own = imported(made, tmp_path, columns=roles)
    assert "than other models do in" in answer(own) and "case and blanks" in own.self_knowledge.about().source
    assert own.results.self_knowledge.result.models["blend"].notna().any()
    few = made[made["model"].isin(made["model"].unique()[:6])]
    assert "; what others say of the same answer is not known." in answer(
        imported(few, tmp_path, columns=roles)
    )


def test_every_part_of_the_page_can_be_shown_and_is_kept(answers, tmp_path):
    known = answers["own state"].self_knowledge
    assert len(known.compared) == len(known.models) == 9 and known.with_few_others.empty
    assert "simulated models" in known.text("like_these").source
    few = imported(table(n_items=60), tmp_path).self_knowledge
    assert few.answer().source and not few.about().source
    assert few.models.empty and few.compared.empty and few.with_few_others.empty


def test_what_drawing_questions_by_chance_costs_is_said(monkeypatch):
    made = table(n_models=4, n_items=300)
    whole = ModelItems.of(made, item="item")
    assert not _left_out(whole, sharing(whole))
    monkeypatch.setattr("metacog.measures.own_and_others.MOST_COMPARED", 4**2 * 192)
    (note,) = _left_out(whole, sharing(whole))
    assert "192 of 300" in note and "drawn by chance" in note and "1.2 times as wide" in note


def test_tables_are_csv_files_and_an_earlier_result_goes(tmp_path):
    imported(table(n_models=4, n_items=200), tmp_path)
    assert {"models.csv", "remainders.csv", "compared.csv"} <= {
        f.name for f in (tmp_path / "out" / Asked.place).iterdir()
    }
    own = imported(table(n_models=2, n_items=200), tmp_path)
    assert not (tmp_path / "out" / Asked.place).exists() and "2 models" in answer(own)


def test_with_few_others_the_comparison_is_shown_and_no_answer_given(tmp_path):
    own = imported(table("own state", n_models=3), tmp_path)
    assert "few others" in answer(own)
    known = own.self_knowledge
    assert known.compared.empty and len(known.with_few_others) == 3 and not known.text("like_these").source


def test_models_that_share_no_items_are_named(tmp_path):
    made = table(n_models=3, n_items=300)
    place = made.groupby("model").cumcount()
    who = pd.factorize(made["model"])[0]
    own = imported(made[place % 3 == who], tmp_path)
    assert "100 items" in answer(own) and own.results.self_knowledge.result is None


def test_a_file_without_questions_says_what_to_name(tmp_path):
    roles = Columns(correct="correct", confidence="confidence", model="model")
    assert "--question-id" in answer(imported(table(n_items=150), tmp_path, columns=roles))
    one = table(n_models=1, n_items=150).drop(columns="model")
    roles = Columns(correct="correct", confidence="confidence")
    assert "one model" in answer(imported(one, tmp_path, columns=roles))


def test_answers_without_a_mark_are_counted_and_take_no_part(tmp_path):
    made = table(n_models=6, n_items=200).assign(correct=lambda rows: rows["correct"].astype("Int64"))
    first = made["model"] == made["model"].iloc[0]
    made.loc[first & (made["item"] > "q0050"), "correct"] = pd.NA
    own = imported(made, tmp_path)
    assert "150 dropped" in own.text("source").source
    result = own.results.self_knowledge.result
    assert result.n_models == 5 and "Left out" in own.self_knowledge.about().source
    assert made["model"].iloc[0] in own.self_knowledge.about().source


def test_one_confidence_throughout_is_named_and_not_judged(tmp_path):
    made = table(n_models=7, n_items=200)
    flat = made["model"] == made["model"].iloc[0]
    own = imported(made.assign(confidence=made["confidence"].where(~flat, 95)), tmp_path)
    row = own.results.self_knowledge.result.models.set_index("model").loc[made["model"].iloc[0]]
    assert "one confidence" in row["why"] and np.isnan(row[["own", "corrected", "share"]].astype(float)).all()
    assert f": {row.name}" in own.self_knowledge.about().source


def test_two_spellings_of_one_model_are_named_and_nothing_is_judged(tmp_path):
    made = table(n_models=4, n_items=200)
    names = dict(zip(made["model"].unique(), ("GPT-4", "gpt-4", "other", "third"), strict=True))
    own = imported(made.assign(model=made["model"].map(names)), tmp_path)
    assert "'gpt-4'" in answer(own) and "'gpt-4'" in own.text("source").source
    assert own.results.self_knowledge.result is None


def test_repeats_are_dropped_and_samples_give_one_answer_each(tmp_path):
    made = table(n_models=6, n_items=200)
    once = imported(made, tmp_path).results.self_knowledge.result.models
    own = imported(pd.concat([made, made.head(150)]), tmp_path)
    assert "150 dropped" in own.text("source").source
    pd.testing.assert_frame_equal(own.results.self_knowledge.result.models, once)
    flipped = made.head(150).assign(correct=lambda rows: 1 - rows["correct"])
    own = imported(pd.concat([made, flipped]), tmp_path, repeats="keep")
    assert "150 others" in own.self_knowledge.about().source
    pd.testing.assert_frame_equal(own.results.self_knowledge.result.models, once)


def test_one_temperature_is_used(tmp_path):
    made = table(n_models=6, n_items=200)
    roles = Columns(
        correct="correct", confidence="confidence", model="model", question_id="item", temperature="t"
    )
    other = made["correct"].sample(frac=1, random_state=1).to_numpy()
    both = pd.concat([made.assign(t=0.5), made.assign(t=1.0, correct=other)])
    own = imported(both, tmp_path, columns=roles)
    assert "= 0.5" in own.self_knowledge.about().source
    result = own.results.self_knowledge.result
    accuracy = made.groupby("model")["correct"].mean()
    assert result.models.set_index("model")["accuracy"].to_dict() == pytest.approx(accuracy.to_dict())


def test_a_folder_of_an_earlier_import_says_so(tmp_path):
    imported(table(n_models=6, n_items=200), tmp_path)
    facts = json.loads((tmp_path / "out" / "import.json").read_text())
    del facts["self_knowledge"]
    (tmp_path / "out" / "import.json").write_text(json.dumps(facts))
    stored = tmp_path / "out" / Asked.place / "result.json"
    older = stored.read_text().replace('"fields": {', '"fields": {"rivals": null, ', 1)
    stored.write_text(older)
    assert BEFORE in answer(OwnTrials(read_results(tmp_path / "out")))
    for file in stored.parent.iterdir():
        file.unlink()
    assert BEFORE in answer(OwnTrials(read_results(tmp_path / "out")))


def test_the_page_has_the_answer_one_picture_and_the_tables(answers, folders):
    page = render_report(folders["own state"] / "out").read_text(encoding="utf-8")
    part = page[page.index("Is it self-knowledge?</h2>") : page.index("By domain and temperature</h2>")]
    assert part.count("<svg") == 1 and part.count("<table") == 2
    assert part.index("own confidence") < part.index("<svg") < part.index("<table")
