"""The explorers' JavaScript against the Python estimators and observers, and what the page says one sees."""

import subprocess

import numpy as np
import pytest
from explorers import STATIC, named, needs_node, node
from scipy.integrate import quad
from scipy.stats import norm

from metacog.sdt import auroc2_from_counts, fit_meta_d, meta_information_from_counts, type2_table, z_roc
from metacog.sdt.information import binary_entropy
from metacog.sdt.information_parts import information_parts
from metacog.sdt.populations import confidence_population
from metacog.sdt.repeated_draws import repeated_draws
from metacog.sdt.simulate import MetaDObserver, NoisyConfidenceObserver, meta_d_observer
from metacog.studies.study1_qa.paper import counts
from metacog.studies.study2_two_choice.paper import rating_cells

pytestmark = needs_node

SETTINGS = [
    # d', M-ratio, c, ratings a side, base rate, trials (0: expected counts)
    (1.5, 0.8, 0.0, 4, 0.5, 0),
    (0.6, 1.4, 0.4, 3, 0.5, 0),
    (2.8, 0.3, -0.7, 6, 0.3, 0),
    (1.0, 0.0, 0.2, 2, 0.5, 0),
    (1.2, -0.4, 0.3, 4, 0.6, 0),
    (3.5, 1.0, 1.0, 5, 0.8, 0),
    (0.15, 2.0, 0.5, 4, 0.5, 0),
    (1.5, 0.8, 0.0, 4, 0.5, 60),
    (0.8, 0.5, 0.6, 3, 0.2, 100),
    (2.0, 1.1, -0.3, 2, 0.5, 200),
    (1.0, 0.7, 0.9, 5, 0.7, 400),
]


def tables():
    """Eleven simulated and eleven published tables; sparse ones with a half added, as the book's fits have it."""
    found = []
    for d, ratio, c, k, base, n in SETTINGS:
        observer = meta_d_observer(d, m_ratio=ratio, c=c, n_ratings=k, base_rate=base)
        if n:
            s1, s2 = (x[0].tolist() for x in observer.counts(n, seed=len(found)))
            found.append({"s1": s1, "s2": s2, "decision": True, "pad": 0.5})
        else:
            p1, p2 = observer.probabilities()
            s1, s2 = (1e6 * (1 - base) * p1).tolist(), (1e6 * base * p2).tolist()
            found.append({"s1": s1, "s2": s2, "decision": True, "pad": 0, "expected": True})
    for one in list(counts().values())[:4]:
        whole = {"s1": one.nR_S1.tolist(), "s2": one.nR_S2.tolist()}
        found.append({**whole, "decision": False, "pad": 0.5})
    for cell in rating_cells()[:7]:
        found.append({"s1": cell.nR_S1.tolist(), "s2": cell.nR_S2.tolist(), "decision": True, "pad": 0})
    return found


TABLES = tables()


@pytest.fixture(scope="module")
def measured():
    return node("(tables) => tables.map(M.measures)", TABLES)


@pytest.mark.parametrize("i", range(len(TABLES)))
def test_meta_d_is_that_of_the_python_fit(measured, i):
    table, ours = TABLES[i], measured[i]
    fit = fit_meta_d(*(np.array(table[s]) + table["pad"] for s in ("s1", "s2")))
    found = [ours[name] for name in ("dPrime", "c", "metaD", "mRatio")]
    assert found == pytest.approx([fit.d_prime, fit.c, fit.meta_d, fit.m_ratio], abs=1e-4)
    finite = np.isfinite(fit.t2_criteria_rS1)
    if finite.all() and (np.array(table["s1"]) + table["s2"] > 0).all():
        cuts = [*ours["fit"]["cutsLow"], *ours["fit"]["cutsHigh"]]
        assert cuts == pytest.approx([*fit.t2_criteria_rS1, *fit.t2_criteria_rS2], abs=1e-3)


@pytest.mark.parametrize("i", range(len(TABLES)))
def test_the_other_measures_are_those_of_the_library(measured, i):
    table, ours = TABLES[i], measured[i]
    s1, s2 = np.array(table["s1"]), np.array(table["s2"])
    wrong, right = type2_table(s1, s2) if table["decision"] else (s1, s2)
    correction = "none" if table.get("expected") else "exact"
    info = meta_information_from_counts(wrong, right, correction=correction, d_prime=1.0, guess_rate=0.0)
    assert ours["accuracy"] == pytest.approx(info.accuracy, abs=1e-12)
    assert ours["auroc2"] == pytest.approx(float(auroc2_from_counts(wrong, right)), abs=1e-10)
    assert [ours["metaI"], ours["metaI2r"]] == pytest.approx([info.meta_i, info.meta_i2r], abs=1e-9)
    line = z_roc(s1, s2)
    assert [ours["zroc"]["slope"], ours["zroc"]["intercept"]] == pytest.approx(
        [line.slope, line.intercept], abs=1e-8
    )


def test_what_has_no_meta_d_says_why():
    cases = [
        {"s1": [5, 5, 0, 0], "s2": [0, 0, 5, 5]},
        {"s1": [5, 5, 5, 5], "s2": [5, 5, 5, 5]},
        {"s1": [0, 9, 3, 0], "s2": [0, 4, 8, 0]},
        {"s1": [0, 0, 0, 0], "s2": [1, 2, 3, 4]},
    ]
    whys = node("(cases) => cases.map(({s1, s2}) => M.fitMetaD(s1, s2).why)", cases)
    words = ("infinite", "d' is 0", "one rating", "no trials")
    assert all(word in why for word, why in zip(words, whys, strict=True)), whys


@pytest.mark.parametrize("script", sorted(STATIC.glob("explorer*.js")), ids=lambda path: path.name)
def test_every_script_can_be_read(script):
    checked = subprocess.run(["node", "--check", script], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr


def test_quantiles_are_exact_far_into_the_tails():
    p = [1e-300, 1e-30, 1e-9, 0.001, 0.2, 0.5, 0.9, 1 - 1e-9]
    assert node("(p) => p.map(M.quantile)", p) == pytest.approx(norm.ppf(p), abs=1e-9)
    z = [-8.0, -2.6, -1.0, 0.0, 0.3, 2.4999, 2.5, 4.9, 5.1, 30.0]
    assert node("(z) => z.map(M.upper)", z) == pytest.approx(norm.sf(z), rel=1e-11)


def expected(state):
    made = node("(state) => O.expected({...O.START, ...state})", state)
    table = made["table"]
    return np.array([table["s1"], table["s2"]]) / 1e6


def test_the_observer_of_meta_d_is_that_of_the_library():
    state = {"d": 1.7, "c": 0.3, "metaD": 1.2, "base": 0.35, "ratings": 5}
    theirs = meta_d_observer(1.7, m_ratio=1.2 / 1.7, c=0.3, n_ratings=5, base_rate=0.35).probabilities()
    assert expected(state) == pytest.approx(np.array([0.65 * theirs[0], 0.35 * theirs[1]]), abs=1e-7)
    meta_c = 1.2 * 0.3 / 1.7
    low, high = (tuple(meta_c + s * np.array([0.4, 0.8])) for s in (-1, 1))
    theirs = MetaDObserver(1.7, 1.2, 0.3, tuple(sorted(low)), high).probabilities()
    even = {**state, "base": 0.5, "ratings": 3, "cuts": "even", "spacing": 0.4}
    assert expected(even) == pytest.approx(np.array(theirs) / 2, abs=1e-9)


@pytest.mark.parametrize("noise", [0.0, 0.4, 1.5, 4.0])
def test_the_observer_with_noise_on_confidence_is_that_of_the_library(noise):
    state = {
        "observer": "noise",
        "d": 1.3,
        "c": -0.4,
        "noise": noise,
        "base": 0.5,
        "cuts": "even",
        "spacing": 0.6,
    }
    theirs = NoisyConfidenceObserver(1.3, -0.4, noise, (0.6, 1.2, 1.8)).probabilities()
    assert expected(state) == pytest.approx(np.array(theirs) / 2, abs=1e-6)


def test_open_answers_are_those_of_the_library():
    state = {"observer": "open", "d": 1.4, "spread": 1.6, "base": 0.3, "ratings": 4}
    theirs = confidence_population(1.4, accuracy=0.3, n_ratings=8, slope=1 / 1.6)
    assert expected(state) == pytest.approx(np.array([theirs.s1, theirs.s2]), abs=1e-7)


# ---- what the page says of its buttons


@pytest.fixture(scope="module")
def tried():
    """Measures of the observer that each button holds and of the one that it shows."""
    found = node(
        "() => Object.fromEntries(Object.keys(O.TRIES).map("
        "(name) => [name, O.tried(name).map((state) => M.measures(O.expected(state).table))]))"
    )
    assert set(found) == set(named("data-mx-try"))
    return found


def gap(pair, name):
    return pair[1][name] - pair[0][name]


def test_other_questions_move_m_ratio_and_hardly_auroc2(tried):
    held, shown = tried["questions"]
    assert held["mRatio"] < 0.95 < 1.05 < shown["mRatio"] or shown["mRatio"] < 0.95 < 1.05 < held["mRatio"]
    assert abs(gap((held, shown), "auroc2")) < 0.02
    equal = node(
        "() => [0.1, 0.5, 0.8].map((base) => M.measures(O.expected("
        "{...O.tried('questions')[0], spread: 1, base}).table).mRatio)"
    )
    assert equal == pytest.approx([1, 1, 1], abs=1e-4)


#: Of each button, how far what it shows lies from what it holds, at least and at most.
GAPS = {
    "knowledge": {"dPrime": (-1e-6, 1e-6), **dict.fromkeys(("mRatio", "auroc2", "metaI"), (-9, -0.03))},
    "skill": {"mRatio": (-1e-4, 1e-4), "auroc2": (0.05, 9), "metaI": (0.02, 9)},
    "stimuli": {
        **{"mRatio": (-1e-4, 1e-4), "accuracy": (-1e-9, 1e-9)},
        **{"auroc2": (-9, -0.05), "metaI": (-9, -0.02)},
    },
    "ratings": {"mRatio": (-1e-3, 1e-3), "auroc2": (-9, -0.01), "metaI": (-9, -0.005)},
}


@pytest.mark.parametrize("button", GAPS)
def test_a_button_moves_what_the_page_says_and_leaves_the_rest(tried, button):
    for name, (least, most) in GAPS[button].items():
        assert least < gap(tried[button], name) < most, name


def test_a_criterion_moves_m_ratio_and_most_answers_s1_can_be_wrong(tried):
    """The M-ratio moves where confidence has the same noise on both sides."""
    assert abs(gap(tried["criterion"], "mRatio")) > 0.05
    s1, s2 = expected({"base": 0.9})
    assert s2[:4].sum() > s1[:4].sum()


def test_the_published_pair_goes_from_below_1_to_above_1():
    cells = [counts()["mistral_instruct", name] for name in ("triviaqa", "nq")]
    tables = [{"s1": c.nR_S1.tolist(), "s2": c.nR_S2.tolist(), "decision": False, "pad": 0.5} for c in cells]
    held, shown = node("(tables) => tables.map(M.measures)", tables)
    assert held["mRatio"] < 1 < shown["mRatio"]
    assert shown["auroc2"] < held["auroc2"] and shown["accuracy"] < held["accuracy"]


# ---- luck, difficulty and self-knowledge

SHARES = {"difficulty": 0.3, "state": 0.2, "draw": 0.25, "accuracy": 0.4, "others": 3}


def simulated(n, seed, others=3, n_draws=2):
    """The second explorer's observer in Python: right, confidence, question, and the signals u, v, l and others'."""
    rng = np.random.default_rng(seed)
    u, v = np.repeat(rng.normal(size=(2, n)), n_draws, axis=1)
    mean_v = np.repeat(rng.normal(size=(others, n)).mean(axis=0), n_draws)
    luck, rest = rng.normal(size=(2, n * n_draws))
    a, b, c, d = np.sqrt([0.3, 0.2, 0.25, 0.25])
    sure = a * u + b * v + c * luck
    right = sure + d * rest > norm.isf(0.4)
    return right, sure, np.repeat(np.arange(n), n_draws), a * u + b * mean_v, (u, v, luck)


def test_three_areas_are_those_of_simulated_draws():
    made = node("O.luck", SHARES)
    right, sure, question, others, _ = simulated(6000, 1)
    found = repeated_draws(right, sure, question, n_resamples=400, level=0.999)
    assert found.same_draw_lower < made["ownDraw"] < found.same_draw_upper
    assert found.other_draw_lower < made["anotherDraw"] < found.other_draw_upper
    right, sure, question, *_ = simulated(1000, 3, n_draws=60)
    many = repeated_draws(right, sure, question, n_resamples=400, level=0.999)
    assert many.question_lower < made["question"] < many.question_upper
    right, _, question, others, _ = simulated(6000, 1)
    theirs = repeated_draws(right, others, question, n_resamples=400, level=0.999)
    assert theirs.same_draw_lower < made["others"] < theirs.same_draw_upper


def test_parts_are_those_of_the_estimator():
    made = node("O.luck", SHARES)
    right, sure, _, others, (u, v, luck) = simulated(8000, 2, n_draws=1)
    found = information_parts(right, {"u": u, "v": v, "l": luck}, n_folds=5, level=0.999)
    assert (found.lower < made["parts"]).all() and (made["parts"] < found.upper).all()
    state = sure - np.sqrt(0.25) * luck
    read = information_parts(right, {"others": others, "own": state, "draw": sure}, n_folds=5, level=0.999)
    assert (read.lower < made["read"]).all() and (made["read"] < read.upper).all()
    assert sum(made["parts"]) == pytest.approx(sum(made["read"]))


def test_bits_are_those_of_quadrature():
    def left(r2):
        cut = norm.isf(0.4)
        return quad(
            lambda g: norm.pdf(g) * binary_entropy(norm.cdf((np.sqrt(r2) * g - cut) / np.sqrt(1 - r2))), -9, 9
        )[0]

    made = node("O.luck", SHARES)
    seen = 0.3**2 / (0.3 + 0.2 / 3)
    ladder = [float(binary_entropy(0.4)), left(0.3), left(0.5), left(0.75)]
    assert made["parts"] == pytest.approx(-np.diff(ladder), abs=1e-6)
    assert made["read"][0] == pytest.approx(ladder[0] - left(seen), abs=1e-6)


@pytest.fixture(scope="module")
def lucky():
    found = node(
        "() => Object.fromEntries(Object.entries(O.LUCK_TRIES).map("
        "([name, shares]) => [name, O.luck({...O.LUCK_START, ...shares})]))"
    )
    assert set(found) == set(named("data-mx-luck"))
    return found


def test_the_text_on_luck_says_what_one_sees(lucky):
    hot, cold = lucky["hot"], lucky["cold"]
    gone = (hot["ownDraw"] - hot["question"]) / (hot["ownDraw"] - 0.5)
    assert 0.4 < gone < 0.5  # nearly half of it is gone
    assert hot["anotherDraw"] < hot["question"] - 0.05  # one other draw does even worse
    assert cold["ownDraw"] == pytest.approx(cold["anotherDraw"]) and cold["ownDraw"] < hot["ownDraw"] - 0.1
    assert hot["parts"][:2] == pytest.approx(cold["parts"][:2])  # knows as much about its questions
    assert lucky["nobody"]["others"] == pytest.approx(lucky["nobody"]["ownDraw"])
    bound, many = lucky["bound"], lucky["many"]
    assert bound["read"][1] > 1.3 * bound["parts"][1]
    assert many["read"][1] == pytest.approx(many["parts"][1], rel=0.1)


def test_the_scatter_has_the_shares_that_sliders_say():
    drawn = node("(shares) => O.items(O.questions(4000, 3), shares)", SHARES)
    own, another, others = (np.array([i[k] for i in drawn]) for k in ("ownDraw", "anotherDraw", "others"))
    right = np.array([i["right"] for i in drawn])
    assert right.mean() == pytest.approx(0.4, abs=0.03)
    assert own.var() == pytest.approx(0.75, abs=0.06) and np.cov(own, another)[0, 1] == pytest.approx(
        0.5, abs=0.05
    )
    assert np.cov(own, others)[0, 1] == pytest.approx(0.3, abs=0.04)
