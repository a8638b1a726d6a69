"""Parts of the information against populations in which they are known.

Oracles: two simulated models whose parts are exact integrals (``two_answerers``), checked against a table of
counts; closed forms of what cannot depend on the method.
"""

import numpy as np
import pandas as pd
import pytest
from answerers import TwoAnswerers
from scipy import stats
from scipy.special import expit
from self_knowledge import BOTH, DESIGNS

from metacog.core.paths import project_root
from metacog.sdt import InputError
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import (
    FEWEST_OF_A_CLASS,
    SMALL_TOTAL,
    against,
    information_parts,
    nested_gains,
)

N = 1304
STORED = project_root() / "data/simulations/self_knowledge.csv"


def runs_of(design, n_runs, seed, n=N):
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(n_runs):
        made = design.answers(n, rng)
        found.append(information_parts(made.correct[0], made.signals(), seed=int(rng.integers(2**31))))
    return found


def test_intervals_of_shares_are_those_of_a_ratio():
    """Oracle: the standard error of a ratio of means (Cochran 1977, sec. 2.11); of two shares one mirrors the other."""
    rng = np.random.default_rng(20)
    own, other = rng.normal(size=(2, 400))
    right = rng.random(400) < expit(0.8 * own + 1.2 * other)
    signals = {"other": other, "own": own}
    found, gains = information_parts(right, signals), nested_gains(right, signals).bits
    whole = gains.sum(axis=1)
    for j in (0, 1):
        share = gains[:, j].mean() / whole.mean()
        se = np.sqrt(((gains[:, j] - share * whole) ** 2).sum() / 399 / 400) / whole.mean()
        room = stats.t.ppf(0.975, 399) * se
        ends = found.share_lower[j], found.share_upper[j]
        assert (found.shares[j], *ends) == pytest.approx((share, share - room, share + room))
    assert found.share_lower[0] == pytest.approx(1 - found.share_upper[1])


def test_a_difficulty_alone_leaves_nothing_to_ones_own_state():
    found = runs_of(DESIGNS["no self-knowledge, other reads exactly"], 30, 1)
    holds = [f.lower[1] <= 0 <= f.upper[1] for f in found]
    assert sum(holds) >= 27
    assert all(f.lower[0] > 0 for f in found)
    assert np.mean([f.bits[1] for f in found]) == pytest.approx(0, abs=0.002)


@pytest.mark.parametrize("name", ["reference", "high temperature"])
def test_shares_come_out_as_they_are(name):
    bits, _ = DESIGNS[name].known_parts(n=200_000)
    found = runs_of(DESIGNS[name], 12, 2)
    mean = np.mean([f.shares for f in found], axis=0)
    # four standard errors of a mean of twelve (sd .06 at most, data/simulations/self_knowledge.csv)
    assert mean == pytest.approx(bits / bits.sum(), abs=0.07)
    total = [f.total_lower <= bits.sum() <= f.total_upper for f in found]
    assert sum(total) >= 9


def test_the_spread_of_shares_is_the_least_there_can_be():
    """Oracle: the same shares from the true probabilities, resampled."""
    design = DESIGNS["reference"]
    least = design.least_share_sd(N, n=200_000)
    made = design.answers(N * 300, np.random.default_rng(18))
    right = made.correct[0]
    loss = np.stack([-np.log2(np.where(right, p, 1 - p)) for p in design._chances(made)], axis=1)
    bits = -np.diff(loss, axis=1).reshape(300, N, 2).mean(axis=1)
    assert (bits / bits.sum(axis=1, keepdims=True)).std(axis=0) == pytest.approx(least, rel=0.15)
    stored = pd.read_csv(STORED)
    known = stored[stored["least_sd"].notna()]  # where draws are clustered or noisy there is no least one
    shares = known[known["quantity"].str.startswith("share") & (known["truth"].between(0.05, 0.95))]
    assert len(shares) > 10 and (shares["sd"] < 1.25 * shares["least_sd"]).all()


def test_the_stored_simulation_keeps_its_promises():
    """Mean error of shares at most .03, and no self-knowledge held in at least 93 % of 200 runs."""
    stored = pd.read_csv(STORED)
    shares = stored[stored["quantity"].str.startswith("share")]
    assert (shares["n_used"] >= 200).all() and shares["bias"].abs().max() <= 0.03
    nothing = stored[stored["quantity"].str.startswith("bits") & (stored["truth"] == 0)]
    assert len(nothing) >= 4 and (nothing["coverage"] >= 0.93).all()
    plain = stored[~stored["design"].str.contains("sharp") & stored["coverage"].notna()]
    # a share of no luck is as good as 0 with several readings; luck against the true state is known to be too high, and
    # the draw's part against luck to be off to either side: its interval is one of what many questions give
    plain = plain[~plain["quantity"].str.endswith(("against the question as it is", "against luck"))]
    assert plain["coverage"].min() >= 0.90


def test_errors_of_shares_are_as_small_as_they_can_be():
    """Of .03 on average where that can be had; elsewhere little above that of the least standard deviation."""
    stored = pd.read_csv(STORED)
    shares = stored[stored["quantity"].str.startswith("share") & stored["least_sd"].notna()]
    shares = shares[~shares["design"].str.contains("sharp")]  # steeper than splines can follow
    least = np.sqrt(2 / np.pi) * shares["least_sd"]
    assert len(shares) > 10 and (shares["mean_absolute_error"] <= np.maximum(0.03, 1.15 * least)).all()
    assert (least > 0.03).any()  # so that the page has to say it


def test_no_luck_and_all_luck():
    none, only = runs_of(DESIGNS["no luck"], 1, 3)[0], runs_of(DESIGNS["all luck"], 1, 4)[0]
    assert none.lower[2] <= 0 <= none.upper[2] and none.lower[1] > 0
    assert only.lower[2] > 0 and only.lower[0] <= 0 <= only.upper[0] and only.lower[1] <= 0 <= only.upper[1]
    assert only.shares[2] == pytest.approx(1, abs=0.05)


def test_a_noisy_other_reader_leaves_difficulty_to_ones_own_state():
    """The own part is an upper bound: none of it is private here."""
    bits, _ = DESIGNS["no self-knowledge, other's noise 1.2"].known_parts(n=200_000)
    assert bits[1] / bits.sum() > 0.4
    found = runs_of(DESIGNS["no self-knowledge, other's noise 1.2"], 1, 5)[0]
    assert found.lower[1] > 0


def test_known_parts_are_those_of_a_table_of_counts():
    """Cut both confidences finely and count: the plug-in information of a million answers."""
    design = TwoAnswerers(**BOTH)
    made = design.answers(1_000_000, np.random.default_rng(6))
    bits, entropy = design.known_parts(n=300_000, seed=7)
    other, own = (
        np.digitize(s, np.quantile(s, np.linspace(0, 1, 41)[1:-1])) for s in (made.sure[1], made.sure[0])
    )
    assert entropy == pytest.approx(float(binary_entropy(made.correct[0].mean())), abs=0.003)
    for cells, known in ((other, bits[0]), (40 * other + own, bits.sum())):
        n, right = np.bincount(cells), np.bincount(cells, weights=made.correct[0])
        left = (n[n > 0] * binary_entropy(right[n > 0] / n[n > 0])).sum() / n.sum()
        assert entropy - left == pytest.approx(known, abs=0.004)


def test_draws_that_equal_the_usual_answer_are_found_by_nearness():
    """A draw's confidence equals that of the usual answer if it is that answer, and differs otherwise."""
    rng = np.random.default_rng(8)
    own, usual = rng.normal(size=N), rng.random(N) < 0.4
    drawn = own + np.where(usual, 0.0, rng.normal(0, 1.5, N))
    right = usual & (rng.random(N) < 0.9)
    plain = information_parts(right, {"own": own, "draw": drawn})
    near = information_parts(right, {"own": own, "draw": against(drawn, own)})
    assert near.lower[1] > plain.upper[1]
    assert near.bits[0] == plain.bits[0]


def test_a_signal_that_is_given_twice_counts_once():
    made = DESIGNS["reference"].answers(N, np.random.default_rng(9))
    found = information_parts(made.correct[0], {"own": made.sure[0], "again": np.exp(made.sure[0])})
    assert found.bits[0] > 0.1 and abs(found.bits[1]) < 0.005 and found.lower[1] <= 0 <= found.upper[1]


def test_scale_order_of_trials_and_columns_without_spread_do_not_matter():
    made = DESIGNS["reference"].answers(400, np.random.default_rng(10))
    right, own, other = made.correct[0], made.sure[0], made.sure[1]
    plain = information_parts(right, {"other": other, "own": own})
    rescaled = information_parts(right, {"other": np.exp(other), "own": 7 + 3 * own})
    assert rescaled.bits == pytest.approx(plain.bits, abs=1e-12)
    with_constant = information_parts(right, {"other": np.stack([other, np.ones(400)], axis=1), "own": own})
    assert with_constant.bits == pytest.approx(plain.bits, abs=1e-12)
    nothing = information_parts(right, {"other": np.ones(400), "own": own})
    assert nothing.bits[0] == 0 and nothing.lower[0] == nothing.upper[0] == 0


def test_a_few_tied_levels_lose_what_the_levels_hold_not():
    """Two levels: the information is that of a two by two table, by hand."""
    rng = np.random.default_rng(11)
    level = rng.random(20_000) < 0.3
    right = rng.random(level.size) < np.where(level, 0.8, 0.3)
    found = information_parts(right, {"level": level.astype(float)})
    shares = np.array([(~level).mean(), level.mean()])
    by_level = np.array([right[~level].mean(), right[level].mean()])
    assert found.bits[0] == pytest.approx(
        float(binary_entropy(right.mean()) - shares @ binary_entropy(by_level)), abs=2e-4
    )


def test_too_few_of_a_class_and_one_class_say_why():
    rng = np.random.default_rng(12)
    for n_right in (0, FEWEST_OF_A_CLASS - 1):
        found = information_parts(np.arange(300) < n_right, {"a": rng.normal(size=300)})
        assert found.why and np.isnan(found.bits).all() and np.isnan(found.total) and found.n == 300
    rare = information_parts(np.arange(1304) < 40, {"a": rng.normal(size=1304)})
    assert not np.isnan(rare.bits).any()
    assert rare.why == SMALL_TOTAL and np.isnan(rare.shares).all()


def test_repeated_questions_widen_the_interval_and_stay_in_one_fold():
    """Five copies of each trial hold as much as one; as units they do, as trials of their own they do not."""
    made = DESIGNS["reference"].answers(300, np.random.default_rng(13))
    once = information_parts(made.correct[0], {"own": made.sure[0]})
    right, own = np.repeat(made.correct[0], 5), np.repeat(made.sure[0], 5)
    by_unit = information_parts(right, {"own": own}, clusters=np.repeat(np.arange(300), 5))
    by_trial = information_parts(right, {"own": own})
    width = lambda f: f.upper[0] - f.lower[0]  # noqa: E731
    assert width(by_unit) == pytest.approx(width(once), rel=0.15)
    assert width(by_trial) < 0.6 * width(once)
    assert by_unit.bits[0] == pytest.approx(once.bits[0], abs=0.01)


def test_a_question_is_never_in_the_fitted_and_the_held_out_part():
    """Noise that a question's twenty trials share foretells nothing of other questions."""
    rng = np.random.default_rng(14)
    question = np.repeat(np.arange(100), 20)
    found = []
    for _ in range(8):
        right = (rng.random(100) < 0.4)[question]
        found.append(information_parts(right, {"noise": rng.normal(size=100)[question]}, clusters=question))
    assert np.mean([f.bits[0] for f in found]) == pytest.approx(0, abs=0.01)
    assert sum(f.lower[0] <= 0 <= f.upper[0] for f in found) >= 7


def test_rare_answers_that_a_signal_settles_do_not_run_away():
    """Separated classes: the loss of held-out trials stays finite and the information below the entropy."""
    score = np.arange(1000.0)
    found = information_parts(score >= 950, {"score": score})
    assert 0.7 * found.entropy < found.bits[0] <= found.entropy


def test_what_cannot_be_used_is_an_error():
    right = np.tile([0, 1], 50)
    for bad in ({}, {"a": np.ones(3)}, {"a": np.full(100, np.nan)}):
        with pytest.raises(InputError):
            information_parts(right, bad)
    with pytest.raises(InputError):
        information_parts(right, {"a": np.arange(100)}, clusters=np.arange(3))
    with pytest.raises(InputError):
        information_parts(right, {"a": np.arange(100)}, n_folds=1)
