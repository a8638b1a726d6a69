"""A model's card. Oracle: a small table of models whose places are counted by hand."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from metacog.book.cards import link_cards, write_card, write_cards
from metacog.cli import main
from metacog.collect.models import get_model
from metacog.core.config import load_profile
from metacog.core.errors import MetacogError
from metacog.studies import studies
from metacog.studies.contributions import Headline, headline_values
from metacog.studies.shared import all_models, model_card
from metacog.studies.shared.all_models import HERE, PUBLISHED
from metacog.studies.shared.model_card import (
    DOMAINS,
    NO_PAGE,
    TAKEN,
    above_nothing,
    card_of,
    in_short,
    markdown,
    models_with_cards,
    untold,
)
from metacog.studies.shared.model_headlines import UNUSABLE
from metacog.studies.shared.model_page import Answers
from metacog.studies.study import Result
from metacog.trials import WORDS

MODEL = "smollm2-135m"
LABEL = get_model(MODEL).label
PROFILE = load_profile("default")
ASKING = [study for study in studies() if study.collections]
MADE = {"commit": "abc123", "versions": {"numpy": "2.0"}}
PRINTED = pd.DataFrame(
    {
        "model": ["low", "near", "high"],
        "estimate": [0.55, 0.7, 0.95],
        "lower": [0.5, 0.6, 0.9],
        "upper": [0.6, 0.8, 1.0],
    }
)


def compared(found, titles) -> Result:
    return Result(all_models.compare(found, {}, titles))


def headline(run: list[dict], printed: pd.DataFrame = PRINTED) -> Headline:
    return Headline(
        "score", "how much is known; 0.5 is chance", 0.5, headline_values(pd.DataFrame(run), printed)
    )


def row(model: str = LABEL, **values: object) -> dict:
    return {"model": model, "estimate": 0.75, "lower": 0.65, "upper": 0.85, "why": "", **values}


def board():
    """The model is judged in the first study, not judged in the second, and was not asked in the third."""
    first, second, third = ASKING[:3]
    found = {
        "first": headline([row(), row("other", lower=0.1, upper=0.2, estimate=0.15)]),
        "second": headline([row(why="eight trials", lower=np.nan, upper=np.nan)]),
        "third": headline([row("other")]),
    }
    titles = {"first": first.title, "second": second.title, "third": third.title}
    return compared(found, titles)


def page(**other: object) -> SimpleNamespace:
    domains = pd.DataFrame(
        [["Geography", 40, 0.5, 0.8, 0.7, 0.9, ""], ["Arts", 7, 0.0, np.nan, np.nan, np.nan, "seven trials"]],
        columns=list(DOMAINS),
    )
    overall = pd.DataFrame({"auroc2": [0.8], "auroc2_lower": 0.7, "auroc2_upper": 0.9})
    answers = Answers(1.0, 47, 20, 0, 47, 47, 2, "Peru")
    told = {"signal": "nlp", "cannot": {"seeds": "it said so"}, "answers": answers, "label": LABEL}
    return SimpleNamespace(domains=domains, overall=overall, **told, **other)


@pytest.fixture
def stored(monkeypatch):
    """Results of the profile as if they had been stored."""
    kept = {"all_models": (board(), MADE), "model_page": (page(), MADE)}
    monkeypatch.setattr(
        model_card, "last_stored", lambda study, profile, analysis, model="": kept.get(analysis.name)
    )
    monkeypatch.setattr(model_card, "read_new", lambda *given, **how: {})
    return kept


def test_a_card_has_results_with_places_among_models_of_the_same_trials(stored):
    found = card_of(MODEL, PROFILE).results.set_index("study")
    first, second, third = (study.title for study in ASKING[:3])
    assert list(found.index) == [first, second, third]
    mine = found.loc[first]
    assert (mine["first"], mine["last"], mine["among"]) == (1, 1, 2) and mine["whose"] == HERE
    assert (mine["below"], mine["meets"], mine["above"]) == (1, 1, 1)
    assert np.isnan(found.loc[second, "first"]) and np.isnan(found.loc[second, "below"])
    assert found.loc[third, "why"] == UNUSABLE and np.isnan(found.loc[third, "estimate"])


def test_a_model_of_the_reference_run_alone_has_its_page_from_there(monkeypatch):
    asked, other = [], "qwen2.5-coder-1.5b"
    found = compared({"first": headline([row(), row(get_model(other).label)])}, {"first": ASKING[0].title})

    def last_stored(study, profile, analysis, model=""):
        asked.append((profile.name, model))
        return (page() if model else found), MADE

    monkeypatch.setattr(model_card, "last_stored", last_stored)
    assert card_of(MODEL, PROFILE).answer and card_of(other, PROFILE).answer
    assert list(models_with_cards(PROFILE)) == [other, MODEL]
    assert [one for one in asked if one[1]] == [("default", MODEL), ("reference", other)]


def test_it_says_what_could_not_be_told_and_why(stored):
    card = card_of(MODEL, PROFILE)
    second, third = ASKING[1].title, ASKING[2].title
    assert untold(card) == [(second, "eight trials"), (third, UNUSABLE), ("AUROC2 in Arts", "seven trials")]
    assert above_nothing(card.results) == (1, 1)
    told = in_short(card)
    assert "2 results" in told and "2 studies" in told and "Of 1" in told and told.endswith("1 does.")


def test_the_sentence_follows_the_numbers(stored):
    below = compared({"first": headline([row(lower=0.4)])}, {"first": ASKING[0].title})
    stored["all_models"] = (below, MADE)
    assert in_short(card_of(MODEL, PROFILE)).endswith("0 do.")
    without = compared({"first": headline([row(lower=np.nan)])}, {"first": ASKING[0].title})
    stored["all_models"] = (without, MADE)
    assert "Of 0 that could show" in in_short(card_of(MODEL, PROFILE))


def test_markdown_and_html_hold_the_same_and_need_no_other_file(stored, tmp_path):
    card = card_of(MODEL, PROFILE)
    text = markdown(card)
    for wanted in (
        f"# {LABEL}: does it know when it is right?",
        "80 of 100",
        "0.75 [0.65, 0.85]",
        "| 1 of 2 |",
        "1 / 1 / 1",
        "0.75 (not judged)",
        "| Geography | 40 | 50 % | 0.80 [0.70, 0.90] |",
        "| Arts | 7 | 0 % | - |",
        TAKEN.format(at=1, what=WORDS["nlp"]),
        "it said so",
        get_model(MODEL).sha256,
        "commit `abc123`, profile `default`",
        "numpy 2.0",
        f"`metacog card {MODEL} --profile default`",
    ):
        assert wanted in text, wanted
    assert "nan" not in text and "](" not in text  # no link where no address is known
    assert "](https://book.example/)" in markdown(card, "https://book.example/")
    lines = [line for line in text.splitlines() if line.startswith("|")]
    columns = [line.count("|") - line.count("\\|") for line in lines]
    assert set(columns[:5]) == {8} and set(columns[5:]) == {5}
    written, shown = write_card(card, tmp_path)
    assert written.read_text(encoding="utf-8") == text
    made = shown.read_text(encoding="utf-8")
    assert made.startswith("<!doctype") and made.count("<table>") == 2 and "0.75 [0.65," in made
    assert not re.search(r"<(?:script|link|img)|(?:src|href)=", made)


def test_a_published_model_has_a_card_of_the_studies_that_it_stands_in(stored):
    card = card_of("high", PROFILE)
    assert card.entry is None and set(card.results["whose"]) == {PUBLISHED} and len(card.results) == 3
    assert card.results["first"].tolist() == [1.0] * 3 and card.results["among"].tolist() == [3] * 3
    assert "card high" in markdown(card) and "SHA-256" not in markdown(card)
    assert NO_PAGE in markdown(card)


def test_what_is_not_there_is_a_short_error(stored):
    with pytest.raises(MetacogError, match="no model 'smollm2-135'. Did you mean smollm2-135m"):
        card_of("smollm2-135", PROFILE)
    with pytest.raises(MetacogError, match="no study of the profile default has a result of Qwen"):
        card_of("qwen2.5-coder-1.5b", PROFILE)
    stored.clear()
    with pytest.raises(
        MetacogError, match="no study of the profile default.*`metacog collect.*`metacog book"
    ):
        card_of(MODEL, PROFILE)
    assert models_with_cards(PROFILE) == {}


def test_the_command_writes_both_forms(stored, tmp_path):
    done = CliRunner().invoke(main, ["card", MODEL, "--out", str(tmp_path / "cards")])
    assert done.exit_code == 0, done.output
    assert sorted(p.name for p in (tmp_path / "cards").iterdir()) == [f"{MODEL}.html", f"{MODEL}.md"]
    done = CliRunner().invoke(main, ["card", "nobody", "--out", str(tmp_path)])
    assert done.exit_code == 2 and "'nobody'" in done.output and "Traceback" not in done.output


def test_pages_link_to_the_cards_that_were_written(stored, tmp_path):
    import nbformat

    models = write_cards(PROFILE, tmp_path)
    assert models == {MODEL: LABEL} and (tmp_path / "cards" / f"{MODEL}.html").is_file()

    def linked(per_model: bool, model: str, uses: list[tuple[str, str]]) -> str:
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_raw_cell("head"), nbformat.v4.new_markdown_cell("# Title")]
        )
        chapter = SimpleNamespace(per_model=per_model, uses=lambda: uses)
        page = SimpleNamespace(chapter=chapter, parameters={"model": model}, name="its-page")
        link_cards(notebook, page, models, [its_page])
        return "".join(cell.source for cell in notebook.cells).removeprefix("head").replace("# Title", "")

    its_page = SimpleNamespace(
        chapter=SimpleNamespace(per_model=True), parameters={"model": MODEL}, name="its-page"
    )

    address = f'href="../_static/cards/{MODEL}.html"'
    assert address in linked(True, MODEL, [])
    assert address in linked(False, "", [("shared", "all_models")])
    assert f'<a href="its-page.html">{LABEL}</a>' in linked(False, "", [("shared", "all_models")])
    assert linked(False, "", [("shared", "measures")]) == "" and linked(True, "another", []) == ""
