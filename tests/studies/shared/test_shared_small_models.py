"""What small models show, over studies. Oracles: small tables put together by hand, and pages of one study alone."""

from types import SimpleNamespace

import pandas as pd
import pytest

from metacog.book.chapters import pages
from metacog.core.config import load_profile
from metacog.studies.contributions import BEHIND, STATED, claim_of, read_in_form, small_models_of
from metacog.studies.shared import small_models as page
from metacog.studies.study import Result


def of_study(part, values, signal="digit"):
    """A study's contribution: two AUROC2 of each model, its replies in a form, and one claim."""
    rows = [
        {"model": model, "part": part, "signal": signal, "source": source, "auroc2": area, "n": 40, "why": ""}
        | {"auroc2_lower": area - 0.1, "auroc2_upper": area + 0.1}
        for model, areas in values.items()
        for source, area in zip((STATED, BEHIND), areas, strict=True)
    ]
    trials = pd.DataFrame({"model": [*values] * 4})
    forms = read_in_form(
        trials, "a letter: written", pd.Series([True] * len(values) + [False] * 3 * len(values))
    )
    claims = [claim_of("A warning moves it", model, [(True, ""), (None, "0.1 to 0.3")]) for model in values]
    return Result(small_models_of(pd.DataFrame(rows), forms, claims))


def made(own, reference, leads=False):
    profile = SimpleNamespace(name="mine", reference="reference", reference_leads=leads)
    inputs = SimpleNamespace(profile=profile, across=lambda: own, reference=lambda: reference)
    return Result(page.small_models_compared.function(inputs))


def test_a_number_that_is_nearly_always_the_same_is_counted_and_no_case():
    study = of_study("task", {"a": (0.5, 0.7), "b": (0.4, 0.55)})
    areas = study.areas.assign(same=[0.95, None, 0.5, None])
    found = made({"study2_two_choice": Result({**study, "areas": areas})}, {})
    told = page.figures(found)
    assert (told["n_places"], told["n_same"], told["n_cases"]) == (2, 1, 1)


OWN = {"study2_two_choice": of_study("task", {"a": (0.5, 0.7), "b": (0.4, 0.55)})}
THEIRS = {"study2_two_choice": of_study("task", {"b": (0.45, 0.8), "c": (0.5, 0.9)})}


@pytest.mark.parametrize(("leads", "of_b"), [(True, 0.45), (False, 0.4)])
def test_the_run_that_leads_tells_of_its_models_and_the_other_of_the_rest(leads, of_b):
    found = made(OWN, THEIRS, leads)
    areas = found.areas.set_index(["model", "source"])["auroc2"]
    assert sorted(found.areas["model"].unique()) == ["a", "b", "c"] and areas["b", STATED] == of_b
    assert len(found.claims) == len(found.forms) == 3


def test_cases_and_shares_are_counted_by_hand():
    found = made(OWN, {})
    numbers = page.figures(found)
    one_of_four = (0.0456, 0.6994)  # Wilson's interval, from his formula
    assert found.forms[["lower", "upper"]].iloc[0].tolist() == pytest.approx(one_of_four, abs=1e-4)
    assert (numbers["n_cases"], numbers["n_stated"], numbers["n_behind"]) == (2, 0, 1)
    assert numbers["stated"] == pytest.approx(45) and numbers["behind"] == pytest.approx(62.5)
    assert numbers["least_written"] == numbers["most_written"] == 25 and numbers["heeded"] == 2


def test_a_run_of_no_study_has_tables_without_rows_and_no_numbers():
    found = made({}, {})
    assert found.areas.empty and found.cases.empty and found.forms.empty and found.claims.empty
    assert page.figures(found)["n_cases"] == 0


def test_studies_that_were_asked_are_named():
    every = {study: OWN["study2_two_choice"] for study in page.SHOWN}
    found = [page.figures(made(one, {}))["studies"] for one in (OWN, every)]
    assert found == ["study 2", "study 2, study 3, study 4 and study 5"]


def test_a_floor_above_one_is_none():
    found = page.sizes("reference", ["study4_probe"]).set_index("part")["floor"]
    assert found["T1_CC"] == pytest.approx(0.9035) and pd.isna(found["T4_CR"])  # 1.0885 in the file


@pytest.mark.parametrize(
    ("units", "answer"),
    [
        ([(True, "")], "yes"),
        ([(False, "")], "no"),
        ([(None, "p = 0.20")], "undecided"),
        ([(None, "too few")], "not testable"),
        ([(True, ""), (None, "the interval contains 0"), (None, "too few")], "1 of 2"),
        ([(True, ""), (False, "")], "1 of 2"),
        ([], "not testable"),
    ],
)
def test_what_cannot_be_judged_counts_for_nothing(units, answer):
    found = claim_of("c", "m", units)
    assert found["answer"] == answer and found["yes"] == answer.startswith(("yes", "1"))
    assert ("reverse" in found["why"]) == (len(units) == 2)


@pytest.mark.parametrize("study", ["study2_two_choice", "study3_dmc", "study4_probe", "study5_battery"])
def test_a_run_of_one_study_has_the_page(study):
    import dataclasses

    whole = load_profile("default")
    alone = dataclasses.replace(whole, studies={study: whole.studies[study]})
    assert "small-models" in [one.name for one in pages(alone)]
