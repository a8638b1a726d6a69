"""False alarms of the validity screen. Oracles: draws of an observer, shuffles, scipy's hypergeometric, meta-d'."""

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import hypergeom, nchypergeom_fisher

from metacog.sdt.alarms import screen_alarms, sound_cells
from metacog.sdt.checks import InputError
from metacog.sdt.screen import screen_counts
from metacog.sdt.type2 import auroc2


@pytest.mark.parametrize(("accuracy", "share"), [(0.6, 0.3), (0.9, 0.8), (0.98, 0.95)])
def test_the_sound_observer_is_one_of_signal_detection(accuracy, share):
    """Evidence drawn from its distribution, cut where as many answers are high."""
    x = np.random.default_rng(4).normal(ndtri(accuracy), 1, 400_000)
    high = np.abs(x) > np.quantile(np.abs(x), 1 - share)
    drawn = [
        ((x > 0) & high).mean(),
        ((x <= 0) & high).mean(),
        ((x > 0) & ~high).mean(),
        ((x <= 0) & ~high).mean(),
    ]
    assert sound_cells(accuracy, share) == pytest.approx(drawn, abs=0.003)
    assert sound_cells(accuracy, share).sum() == pytest.approx(1)


def test_below_one_half_it_has_its_area():
    """The area under hit and false-alarm rates of high confidence over all cuts is 0.7."""
    shares = np.linspace(0.001, 0.999, 400)
    cells = np.array([sound_cells(0.2, s) for s in shares])
    hits, alarms = cells[:, 0] / 0.2, cells[:, 1] / 0.8
    assert np.trapezoid(hits, alarms) == pytest.approx(0.7, abs=0.002)
    rng = np.random.default_rng(2)
    right = rng.random(20_000) < 0.2
    assert auroc2(right, rng.normal(size=right.size) + np.sqrt(2) * ndtri(0.7) * right) == pytest.approx(
        0.7, abs=0.02
    )


def test_at_one_half_it_knows_nothing():
    cells = sound_cells(0.5, 0.8)
    assert cells == pytest.approx([0.4, 0.4, 0.1, 0.1])
    made = screen_alarms(50, 50, 80)
    assert made.sound == pytest.approx(made.random)


@pytest.mark.parametrize(
    "margins", [(486, 38, 501), (480, 44, 485), (300, 224, 250), (90, 10, 50), (20, 80, 30)]
)
def test_probabilities_are_those_of_hypergeometric_tables(margins):
    right, wrong, high = margins
    n = right + wrong
    a, b, c, d = sound_cells(right / n, high / n)
    x = np.arange(max(0, high - wrong), min(right, high) + 1)
    broken = screen_counts(x, high - x, right - x, wrong - high + x).invalid
    made = screen_alarms(*margins)
    assert made.random == pytest.approx(hypergeom(n, right, high).pmf(x[broken]).sum(), abs=1e-9)
    fisher = nchypergeom_fisher(n, right, high, a * d / (b * c))
    assert made.sound == pytest.approx(fisher.pmf(x[broken]).sum(), abs=1e-6)


def test_margins_at_the_ends():
    assert np.isnan([screen_alarms(50, 0, 20).sound, screen_alarms(0, 50, 20).random]).all()
    everything, nothing = screen_alarms(90, 10, 100), screen_alarms(90, 10, 0)
    assert (everything.sound, everything.random, nothing.sound, nothing.random) == (1, 1, 1, 1)
    with pytest.raises(InputError, match="11"):
        screen_alarms(5, 5, 11)
    with pytest.raises(InputError, match="between 0 and 1"):
        sound_cells(1.0, 0.5)
