"""Rank agreement and lineages of the printed panel. Oracles: scipy, numpy, and printed intervals by hand."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from metacog.core.errors import MetacogError
from metacog.studies.study4_probe import panel, paper, published
from metacog.studies.study4_probe.ledger import solved
from metacog.studies.study4_probe.paper import TASKS


def test_each_tau_is_scipys():
    frame = published.pairs()
    table = paper.scores()
    taus = [stats.kendalltau(table[a], table[b]).statistic for a, b in combinations(TASKS, 2)]
    assert frame["tau"].tolist() == pytest.approx(taus) and frame["p"].between(0, 1).all()


@pytest.mark.parametrize(("p", "alone", "all_"), [(None, 1, 0), (0.001, 10, 10), (0.01, 10, 0)])
def test_pairs_of_tasks_that_rank_alike_are_counted_alone_and_together(p, alone, all_):
    frame = published.pairs()
    found = published.of_panel(SimpleNamespace(ranks=frame if p is None else frame.assign(p=p)))
    assert (found["n_alone"], found["n_together"], found["n_pairs"]) == (alone, all_, 10)


def test_lineages_are_read_from_names():
    groups = panel.groups_of(list(paper.scores().index))
    sizes = {"Claude": 2, "GLM": 1, "Gemini": 2, "Gemma": 1, "Qwen": 1, "DeepSeek": 1, "Gemini and Gemma": 3}
    assert {k: len(v) for k, v in groups.items()} == sizes
    assert panel.lineage("GLM-5") == "GLM" and panel.lineage("smollm2-135m") == "smollm"
    with pytest.raises(MetacogError, match="begin it with the family"):
        panel.lineage("5-model")


def test_figures_without_a_lineage_are_those_of_the_models_left():
    table = paper.scores()
    frame = panel.leave_out(table).set_index("left_out")
    left = table.drop(index=["Gemini 2.5 Pro", "Gemini 2.5 Flash"])
    assert frame.loc["Gemini", "r"] == pytest.approx(stats.pearsonr(left["T1_CC"], left["T2_EV"]).statistic)
    values = np.linalg.eigvalsh(left.corr())[::-1]
    assert frame.loc["Gemini", "share"] == pytest.approx(100 * values[:2].sum() / 5)
    items, total = left.var(ddof=1).sum(), left.sum(axis=1).var(ddof=1)
    assert frame.loc["Gemini", "alpha"] == pytest.approx(5 / 4 * (1 - items / total))
    unit = left.to_numpy() / np.linalg.norm(left, axis=1, keepdims=True)
    pairs = (unit @ unit.T)[np.triu_indices(6, 1)]
    assert frame.loc["Gemini", "cosine"] == pytest.approx(pairs.mean())
    assert frame.loc["Gemini", "cosine_by_task"] == pytest.approx(-1 / 5, abs=0.03)
    assert frame.loc["nobody", "c1"] == pytest.approx(1)
    assert frame.loc["Claude", "leader"] == "GLM-5" and frame.loc["GLM", "leader"] == paper.SONNET


def test_a_panel_that_gets_too_small_is_refused_by_name():
    frame = panel.leave_out(paper.scores()).set_index("left_out")
    both = frame.loc["Gemini and Gemma"]
    assert np.isnan(both["r"]) and both["why"].endswith("5")


def test_the_printed_correlation_is_sought_among_the_rows():
    rows = solved.without_dropped(panel.leave_out(paper.scores()))
    assert rows["left_out"].tolist() == ["Gemini"] and not rows["fits"].any()
    assert rows["r"].item() == pytest.approx(-0.18, abs=0.005)
    whole = pd.DataFrame([{"left_out": "nobody", "r": panel.correlation(paper.scores())}])
    assert solved.without_dropped(whole).empty
