"""The first paper's counts. Oracles: the study's own printed figures and counts, and arithmetic by hand."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from metacog.forensics.tables import rating_auroc2_bounds
from metacog.ledger.entry import Status, entries_of
from metacog.ledger.judging import judge
from metacog.sdt.type2 import auroc2_from_counts
from metacog.studies.study1_qa import paper
from metacog.studies.study1_qa.first_paper import figures, from_bins, marking
from metacog.studies.study1_qa.ledger.first_paper import (
    binned_cells,
    bins,
    cut_near_median,
    domains,
    first_paper_figures,
    place_bounds,
    share_and_size,
)


@pytest.fixture(scope="module")
def values():
    return values_of(first_paper_figures())


def values_of(found):
    """Values by table, keys and quantity."""
    keys = found[["table", "keys", "quantity"]].itertuples(index=False, name=None)
    entries = entries_of(found.drop(columns="keys").assign(item="", published=""), "s")
    return {key: entries.iloc[[n]] for n, key in enumerate(keys)}


def status_of(value, published):
    """What a figure would be said to be if this were printed of it."""
    return judge(value.assign(published=published, precision=1e-9), 0.0)["status"].item()


@pytest.fixture(scope="module")
def found():
    return from_bins(n_resamples=60)


def test_the_bins_are_the_studys_own_trials():
    cells = binned_cells()
    assert len(cells) == 56 and cells.nR_S1.shape == (56, 20)
    for (model, dataset), cell in paper.counts().items():
        wrong, right = cells.table(model=model, dataset=dataset, temperature=1.0)
        assert (right.sum(), wrong.sum() + right.sum()) == (cell.nR_S2.sum(), cell.n)
    edges = bins().groupby(["model", "dataset", "bin"])[["nlp_from", "nlp_to"]].nunique()
    assert (edges == 1).all().all()  # the same at every temperature
    per_model = domains().groupby("model")[["n", "n_correct"]].sum()
    for model in paper.MODELS:
        assert per_model.loc[model, "n_correct"] == paper.counts()[model, "triviaqa"].nR_S2.sum()


def test_every_printed_accuracy_and_n_is_reached_exactly_or_within_one_trial(values):
    n_exact = n_one = 0
    for table in ("v2_temperature", "v2_domain"):
        printed = paper.figures(table)
        for row in printed[printed["quantity"].isin(["acc", "n"])].itertuples():
            value = values[table, row.keys, row.quantity]
            assert status_of(value, row.published) == Status.MATCH
            n_one += value["reach"].item() > 0
            n_exact += value["reach"].item() == 0
    assert (n_exact, n_one) == (52, 12)
    assert values["v1_domain_trials", ("Geography",), "n"]["value"].item() == 667


def test_allowance_is_made_for_one_trial_and_no_more(monkeypatch):
    counts = pd.DataFrame({"model": ["m"] * 4, "domain": list("abcd"), "n_correct": 30, "n": 60})
    printed = {(("m", domain), "n"): n for domain, n in zip("abcd", (60, 61, 59, 62), strict=True)}
    monkeypatch.setattr(paper, "printed", lambda table: printed)
    found = values_of(pd.concat(share_and_size("v2_domain", counts)))
    acc, n = ([found["v2_domain", ("m", domain), quantity] for domain in "abcd"] for quantity in ("acc", "n"))
    # one right or one wrong answer more: 31/61 or 30/61 against 30/60
    lacking, doubled = max(31 / 61 - 0.5, 0.5 - 30 / 61), max(30 / 59 - 0.5, 0.5 - 29 / 59)
    assert [value["reach"].item() for value in acc] == pytest.approx([0, lacking, doubled, 0])
    assert [value["reach"].item() for value in n] == [0, 1, 1, 0] and n[1]["note"].item()
    assert status_of(n[3], "62") == Status.DIFFERS


def test_printed_auroc2_and_meta_i2r_lie_within_their_ends_and_others_would_not(values):
    cells = binned_cells("triviaqa")
    for row in paper.as_numbers("v2_temperature").to_dict("records"):
        keys = (row["model"], f"{row['T']:.1f}")
        for quantity in ("auroc2", "meta_i2r"):
            low, high = values["v2_temperature", keys, quantity][["low", "high"]].iloc[0]
            assert low < row[quantity] < high
            assert high - low < 1
    # ends at T = 1 hold the AUROC2 of the counts by rating, which are known there
    for model in paper.MODELS:
        cell = paper.counts()[model, "triviaqa"]
        table = cells.table(model=model, dataset="triviaqa", temperature=1.0)
        low, high = rating_auroc2_bounds(*table, cell.nR_S1 + cell.nR_S2)
        assert low <= auroc2_from_counts(cell.nR_S1, cell.nR_S2) <= high
    # the printed AUROC2 of Mistral would be refuted for Llama-3-8B (base) at T = 0.3
    value = values["v2_temperature", ("llama3_base", "0.3"), "auroc2"]
    assert status_of(value, "0.8435967746851434") == Status.DIFFERS


def test_places_that_overlapping_ends_leave_open():
    ends = pd.DataFrame({"low": [0.8, 0.7, 0.5], "high": [0.9, 0.85, 0.6]}, index=["a", "b", "c"])
    assert place_bounds(ends) == {"a": (1.0, 2.0), "b": (1.0, 2.0), "c": (3.0, 3.0)}


def test_the_middle_cut_is_the_edge_nearest_the_median():
    every = binned_cells("triviaqa")
    for model in paper.MODELS:
        own = every.select(every.frame["model"] == model)
        few = cut_near_median(own)
        half = few.nR_S1.shape[1] // 2
        assert few.frame["temperature"].tolist() == own.frame["temperature"].tolist()
        assert (few.nR_S2.sum(axis=1) == own.nR_S2.sum(axis=1)).all()
        # bins above the cut are ratings as they are, at every temperature
        assert (few.nR_S1[:, half:] == own.nR_S1[:, -half:]).all() and half >= 2
        at_one = (own.nR_S1 + own.nR_S2)[own.frame["temperature"] == 1.0][0]
        below = np.cumsum(at_one)[9:18] / at_one.sum()  # with two bins or more above
        chosen = at_one[:-half].sum() / at_one.sum()
        assert abs(chosen - 0.5) == pytest.approx(np.abs(below - 0.5).min())


def test_counts_cut_near_the_median_are_sound_and_their_ranges_are_told(found):
    table, summary = found
    assert len(table) == 28 and (table["flag"] == "").all() and (summary["flagged"] == "").all()
    ends = summary.set_index("model")["meta_d_range"]
    told = figures(SimpleNamespace(summary=summary))
    assert told["n_still"] == (ends < 0.3).sum() and told["moving_most"] == ends.max()
    assert all((model in told["still"]) == (span < 0.3) for model, span in ends.items())
    assert told["n_both"] == 0 and told["n_sound"] == told["n_theirs"] == 4
    every = figures(
        SimpleNamespace(summary=summary.assign(tost_pass=True, relative_robust=[True, False, False, False]))
    )
    assert every["n_both"] == 1


def test_thresholds_of_marking_are_the_counts_of_the_study():
    marks, used = marking(), paper.published_cells().frame.set_index(["model", "dataset"])["accuracy"]
    named = {v: k for k, v in (paper.MODELS | paper.DATASETS).items()}
    assert len(marks) == 6
    for row in marks.to_dict("records"):
        assert row["accuracy_used"] == used[named[row["model"]], named[row["dataset"]]]
        assert row["accuracy_strict"] < row["accuracy_used"] < row["accuracy_loose"]
