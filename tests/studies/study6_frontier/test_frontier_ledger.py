"""The atlas's printed figures. Oracles: the printed tables, scikit-learn's area, and profiles of known families."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from metacog.ledger.entry import Settings, Status
from metacog.ledger.judging import make_ledger
from metacog.measures.screen import screen
from metacog.studies.study5_battery.ledger import responses
from metacog.studies.study6_frontier import paper
from metacog.studies.study6_frontier.ledger import entries, reproduction
from metacog.studies.study6_frontier.ledger.rows import load


@pytest.fixture(scope="module")
def ledger():
    return make_ledger(Settings(n_resamples=100), [entries.LEDGER])


def counted(ledger, table, quantity):
    rows = ledger[(ledger["table"] == table) & (ledger["quantity"] == quantity)]
    return rows["status"].value_counts().to_dict()


def test_all_printed_areas_come_out_of_the_rows(ledger):
    assert counted(ledger, entries.SUMMARY, "AUROC2") == {Status.MATCH: 33}
    for domain in paper.PRINTED_DOMAINS:
        assert counted(ledger, entries.SUMMARY, f"AUROC2, {domain.rstrip('.')}") == {Status.MATCH: 33}
    assert counted(ledger, entries.CELLS, "AUROC2") == {Status.REPEAT: 198}
    by_eye = abs(
        paper.as_numbers("summary").set_index("model")["aggregate"] - reproduction.summary()["aggregate"]
    )
    assert by_eye.max() < 1e-6


def test_the_printed_bootstrap_is_drawn_again_to_its_last_digit_but_for_two_ends(ledger):
    ends = [counted(ledger, entries.CELLS, f"{end} end") for end in ("lower", "upper")]
    assert ends == [{Status.MATCH: 197, Status.DIFFERS: 1}] * 2
    cells = reproduction.cells()
    assert (cells["n_wrong"] < 10).sum() == 24


def test_every_claim_is_judged(ledger):
    text = ledger[ledger["table"] == entries.TEXT]
    assert len(text) == 11
    assert text.loc[text["status"] == Status.DIFFERS, "item"].str.contains("families named").all()
    assert text["status"].value_counts().to_dict() == {Status.MATCH: 10, Status.DIFFERS: 1}
    assert ledger["kind"].ne("").all()


def test_models_invalid_by_the_binary_probes_are_those_whose_printed_responses_break_a_rule():
    tiers = paper.as_text("binary_tiers")
    models = paper.as_text("models")["short"]
    assert len(tiers) == 20 and tiers["model"].isin(models).all() and tiers["model"].is_unique
    made = screen(responses.load(), confidence="keep").set_index("model")["broken"]
    broken = {name.replace("DeepSeek R1", "DeepSeek-R1") for name in made[made != ""].index}
    assert broken == set(tiers.loc[tiers["tier"] == "Invalid", "name"])


def test_a_model_whose_stated_confidence_is_turned_round_is_not_called_valid():
    rows = load()
    turned = rows.trials.copy()
    own = turned["model"] == "DeepSeek-R1"
    turned.loc[own, "score"] = 100 - turned.loc[own, "score"]
    as_printed, without = (
        entries.ANSWERS["invalid_to_valid"](one) for one in (rows, replace(rows, trials=turned))
    )
    assert without.value == as_printed.value - 1 and "DeepSeek-R1 invalid" in without.note


def test_an_area_is_that_of_another_program():
    trials = load().trials
    own = trials[(trials["model"] == "Gemma 3 12B") & (trials["domain"] == "humanities")]
    assert reproduction.area(own) == pytest.approx(roc_auc_score(own["correct"], own["score"]), abs=1e-12)
    assert np.isnan(reproduction.area(own[own["correct"]]))


def test_families_that_are_alike_are_found_and_others_are_not():
    rng = np.random.default_rng(3)
    shapes = rng.normal(size=(3, 6))
    labels = np.repeat(["a", "b", "c"], 5)
    alike = np.repeat(shapes, 5, axis=0) + 0.3 * rng.normal(size=(15, 6))
    made = reproduction.clustering(alike, labels, 2000)
    whole, families = made.iloc[0], made.iloc[1:]
    assert whole["within"] > 0.8 > whole["between"] and whole["p"] == pytest.approx(1 / 2001)
    assert families["family"].tolist() == ["a", "b", "c"] and (families["p_holm"] < 0.05).all()
    chance = [reproduction.clustering(rng.normal(size=(15, 6)), labels, 200)["p"][0] for _ in range(200)]
    assert 2 <= sum(p <= 0.05 for p in chance) <= 19  # binomial, 200 at .05: 2 to 19 hold more than 99 %


def test_a_printed_value_that_moves_is_called_different(monkeypatch):
    table = paper.as_text("summary").copy()
    table.loc[0, "aggregate"] = "0.8061636"
    real = paper.as_text
    monkeypatch.setattr(paper, "as_text", lambda name: table if name == "summary" else real(name))
    rows = make_ledger(Settings(), [entries.LEDGER])
    assert (rows[rows["table"] == entries.SUMMARY]["status"] == Status.DIFFERS).sum() == 1
    assert isinstance(rows, pd.DataFrame)
