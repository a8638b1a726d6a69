"""The reference run's sample. Oracles: the model that gave a pack's replies, and engines that are not that model."""

from __future__ import annotations

import json
import sys

import pandas as pd
import pytest
import reference_sample
from reproduction import TOLERANCES
from stub_engine import StubEngine

from metacog.collect.models import get_model

SMALL, DIFFERENCE = "smollm2-135m", "scored texts: difference of a token's probability"


class Opened(reference_sample.Loaded):
    """The stub engine in place of the model."""

    def engine(self, entry, settings=None):
        return StubEngine()


def ask(monkeypatch, out, *words):
    monkeypatch.setattr(reference_sample, "Loaded", Opened)
    monkeypatch.setattr(reference_sample, "is_here", lambda name: True)
    monkeypatch.setattr(
        sys, "argv", ["x", "--study", "study4_probe", "--items", "30", "--out", str(out), *words]
    )
    return reference_sample.main()


def test_the_sample_is_asked_again_and_what_is_not_the_model_is_found_out(monkeypatch, tmp_path, capsys):
    ask(monkeypatch, tmp_path / "s.csv")
    rows = pd.read_csv(tmp_path / "s.csv")
    facts = json.loads((tmp_path / "s.json").read_text())
    assert set(rows["study"]) == {"study4_probe"} and set(rows["n_items"]) == {30}
    (run,) = facts["runs"]
    assert len(set(run["items"])) == 30 and facts["seed"] == 20261123 and facts["processor"]
    assert facts["tolerances"] == {"same_option": 0.95, "probability": 0.02, "level": 0.95}
    by_name = rows.set_index("name")
    assert by_name.loc["same request", "value"] == 1 and by_name.loc["texts drawn: identical", "value"] < 0.2
    capsys.readouterr()
    assert ask(monkeypatch, tmp_path / "none.csv", "--dry-run") == 0
    assert "30 of 78 items" in capsys.readouterr().out and not (tmp_path / "none.csv").exists()


def test_without_the_models_file_nothing_is_asked(monkeypatch, tmp_path):
    monkeypatch.setattr(reference_sample, "is_here", lambda name: False)
    monkeypatch.setattr(sys, "argv", ["x", "--study", "study4_probe", "--out", str(tmp_path / "s.csv")])
    with pytest.raises(reference_sample.MetacogError, match=r"metacog models --fetch qwen"):
        reference_sample.main()


@pytest.fixture
def scored_texts(monkeypatch):
    """Texts of the smallest model in study 1's pack, to be scored again."""
    chosen = reference_sample.chosen
    monkeypatch.setattr(
        reference_sample, "chosen", lambda *a: (one for one in chosen(*a) if one.collection == "forced")
    )
    return ["x", "--study", "study1_qa", "--model", SMALL, "--items", "4", "--out"]


def gaps(monkeypatch, words, out):
    """Exit status, and the mean difference of a token's probability with whether it holds."""
    monkeypatch.setattr(sys, "argv", [*words, str(out)])
    status = reference_sample.main()
    rows = pd.read_csv(out).set_index("name")
    assert rows.loc["same request", "value"] == 1
    return status, *rows.loc[DIFFERENCE, ["value", "holds"]]


@pytest.mark.proof
def test_a_real_model_is_known_again_and_another_in_its_place_is_not(monkeypatch, tmp_path, scored_texts):
    """Oracle: the two models that come with the book, of which one gave the replies in the pack."""
    status, same, holds = gaps(monkeypatch, scored_texts, tmp_path / "same.csv")
    assert (status, str(holds)) == (0, "True") and 0 <= same <= TOLERANCES.probability

    class Swapped(reference_sample.Loaded):
        def engine(self, entry, settings=None):
            return super().engine(get_model("gemma3-270m"), settings)

    monkeypatch.setattr(reference_sample, "Loaded", Swapped)
    status, other, holds = gaps(monkeypatch, scored_texts, tmp_path / "other.csv")
    assert other > 3 * same and (status, str(holds)) == (1, "False") and other > TOLERANCES.probability
