"""Rank agreement and lineages of the printed panel. Oracles: scipy, numpy, and printed intervals by hand."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from metacog.core.errors import MetacogError
from metacog.sdt.correlations import fisher_interval, tau_interval
from metacog.studies.study4_probe import measures, paper, published_shown
from metacog.studies.study4_probe import published as published_page
from metacog.studies.study4_probe.ledger import solved
from metacog.studies.study4_probe.paper import TASKS, short


def test_each_tau_is_scipys():
    frame = published_page.pairs()
    assert len(frame) == 10 + 3 + 5 + 1 and frame["p"].between(0, 1).all()
    own = frame.set_index(["first", "second"])
    table = paper.scores()
    for a, b in combinations(TASKS, 2):
        assert own.loc[(short(a), short(b)), "tau"] == pytest.approx(
            stats.kendalltau(table[a], table[b]).statistic
        )
    assert frame.set_index("hypothesis").loc["H1, on models", "second"] == "T2-EV"
    assert frame.set_index("hypothesis").loc["H3, on tasks", "n"] == 5


@pytest.mark.parametrize(
    ("p", "said"), [(None, "none of 10 pairs"), (0.001, "In 10 of 10 pairs"), (0.01, "10 when judged alone")]
)
def test_what_is_said_of_ranks_follows_their_p(p, said):
    frame = published_page.pairs()
    assert said in published_shown.rank_agreement(
        SimpleNamespace(ranks=frame if p is None else frame.assign(p=p))
    )


def test_people_behind_an_interval_are_all_that_rounding_allows():
    """By hand at the ends: r = -0.14 and N = 52 give -0.398 to 0.138; at 40 and 70 they do not."""
    low, high = fisher_interval(-0.14, 52)
    assert (round(low, 2), round(high, 2)) == (-0.40, 0.14)
    h1, h2 = solved.sizes("H1"), solved.sizes("H2")
    assert 52 in h1 and 40 not in h1 and 70 not in h1
    low, high = tau_interval(-0.071, 60)
    assert (round(low, 2), round(high, 2)) == (-0.24, 0.10) and 60 in h2
    assert not set(h1) & set(h2)


def test_lineages_are_read_from_names():
    groups = measures.groups_of(list(paper.scores().index))
    sizes = {"Claude": 2, "GLM": 1, "Gemini": 2, "Gemma": 1, "Qwen": 1, "DeepSeek": 1, "Gemini and Gemma": 3}
    assert {k: len(v) for k, v in groups.items()} == sizes
    assert measures.lineage("GLM-5") == "GLM" and measures.lineage("smollm2-135m") == "smollm"
    with pytest.raises(MetacogError, match="begin it with the family"):
        measures.lineage("5-model")


def test_figures_without_a_lineage_are_those_of_the_models_left():
    table = paper.scores()
    frame = measures.leave_out(table).set_index("left_out")
    left = table.drop(index=["Gemini 2.5 Pro", "Gemini 2.5 Flash"])
    assert frame.loc["Gemini", "r"] == pytest.approx(stats.pearsonr(left["T1_CC"], left["T2_EV"]).statistic)
    values = np.linalg.eigvalsh(left.corr())[::-1]
    assert frame.loc["Gemini", "share"] == pytest.approx(100 * values[:2].sum() / 5)
    taus = [stats.kendalltau(left[a], left[b]).statistic for a, b in combinations(TASKS, 2)]
    assert frame.loc["Gemini", "tau"] == pytest.approx(np.mean(taus))
    assert frame.loc["nobody", ["c1", "c2"]].tolist() == pytest.approx([1, 1])
    assert frame.loc["Claude", "leader"] == "GLM-5" and frame.loc["GLM", "leader"] == paper.SONNET


def test_a_panel_that_gets_too_small_is_refused_by_name():
    frame = measures.leave_out(paper.scores()).set_index("left_out")
    both = frame.loc["Gemini and Gemma"]
    assert np.isnan(both["r"]) and both["why"].endswith("5")
    with pytest.raises(MetacogError, match="at least 6 models; there are 5"):
        measures.leave_out(paper.scores().iloc[:5])


def test_the_printed_correlation_is_sought_among_the_rows():
    rows = solved.without_dropped(measures.leave_out(paper.scores()))
    assert rows["left_out"].tolist() == ["Gemini"] and not rows["fits"].any()
    assert rows["r"].item() == pytest.approx(-0.18, abs=0.005)
    whole = pd.DataFrame([{"left_out": "nobody", "r": measures.correlation(paper.scores())}])
    assert solved.without_dropped(whole).empty


def test_a_mean_that_counts_zeros_cannot_reach_the_printed_end(monkeypatch):
    bounds = solved.t3_items()
    assert (bounds.by_models, bounds.by_items) == pytest.approx((0.40, 0.70)) and not bounds.fits
    texts = {"discriminating_items": "4", "discrimination": "0.70"}
    monkeypatch.setattr(paper, "claim", lambda name, column="value": texts[name])
    assert solved.t3_items().fits
