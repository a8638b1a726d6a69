"""Which measure to report. Oracles: simulated people whose M-ratio is known, and one set recomputed in plain numpy."""

from __future__ import annotations

import sys

import numpy as np
import pandas as pd
import pytest

from metacog.core.frames import committed_table
from metacog.core.paths import project_root
from metacog.measures.measure_properties import COMPARED, measures_of, stacked
from metacog.sdt import auroc2_from_counts, meta_d_observer
from metacog.studies.study8_people import database, which_measure

sys.path.insert(0, str(project_root() / "benchmarks"))
import which_measure as proof

#: People of a simulated set, their trials, and their M-ratios' mean and spread.
PEOPLE, TRIALS, MEAN, SPREAD = 150, 800, 0.9, 0.3


def people_of(seed, d_prime=1.5, trials=TRIALS, m_ratios=None):
    """Counts of simulated people in the order of Maniscalco and Lau."""
    rng = np.random.default_rng(seed)
    known = np.clip(rng.normal(MEAN, SPREAD, PEOPLE), 0.1, 2) if m_ratios is None else m_ratios
    made = [
        meta_d_observer(d_prime, m_ratio=float(m)).counts(trials, seed=np.random.SeedSequence([seed, i]))
        for i, m in enumerate(known)
    ]
    return [a[0] for a, _ in made], [b[0] for _, b in made], known


def frame_of(a, b):
    counts, k = stacked(a, b)
    about = {"set": "simulated", "part": "", "person": np.arange(len(a)), "group": "simulated "}
    return pd.DataFrame(about).join(measures_of(counts, k)), counts, k


@pytest.fixture(scope="module")
def simulated():
    return people_of(1)


def test_halves_agree_as_the_spread_of_people_and_of_estimates_predict(simulated):
    """Reliability: the variance of people's M-ratios as a share of that and the variance of one estimate."""
    a, b, known = simulated
    found = pd.concat(which_measure.halves_of(*frame_of(a, b)))
    mine = found[found["measure"] == "m_ratio"].set_index("property")["value"]
    assert np.isnan(mine["half_800"])
    for n in (200, 400):
        spread = []
        for m in np.quantile(known, [0.1, 0.3, 0.5, 0.7, 0.9]):
            x, y = meta_d_observer(1.5, m_ratio=float(m)).counts(n, 400, seed=n)
            counts, k = stacked(list(x), list(y))
            spread.append(measures_of(counts, k)["m_ratio"].var())
        predicted = known.var(ddof=1) / (known.var(ddof=1) + np.mean(spread))
        assert mine[f"half_{n}"] == pytest.approx(predicted, abs=0.1)
    assert mine["half_100"] < mine["half_200"] < mine["half_400"]


def halves_of(people, agreement):
    """Two halves of everybody's trials agree so well, by every measure."""
    return pd.DataFrame(agreement, index=people["group"].unique(), columns=list(COMPARED))


def of_rows(monkeypatch, rows, k=4):
    """The committed tables are these; ``rows`` are (person, value, nR_S1, nR_S2)."""
    table = pd.DataFrame(rows, columns=["person", "value", "nR_S1", "nR_S2"])
    table = table.assign(set="simulated", part="", k=k)
    monkeypatch.setattr(which_measure, "tables", lambda by: table)


def test_people_who_stay_the_same_lose_nothing_from_session_to_session(monkeypatch, simulated):
    a, b, known = simulated
    again = people_of(2, m_ratios=known)
    people = frame_of(a, b)[0]
    rows = [(i, str(s), x[i], y[i]) for s, (x, y, _) in enumerate((simulated, again)) for i in range(PEOPLE)]
    of_rows(monkeypatch, rows)
    found = pd.concat(which_measure.sessions_of(people)).set_index(["measure", "property"])["value"]
    assert abs(found["m_ratio", "lost"]) < 0.12 and found["m_ratio", "sessions"] > 0.4
    other = people_of(3)  # now everybody has become somebody else
    of_rows(monkeypatch, rows[:PEOPLE] + [(i, "1", other[0][i], other[1][i]) for i in range(PEOPLE)])
    found = pd.concat(which_measure.sessions_of(people)).set_index(["measure", "property"])["value"]
    assert found["m_ratio", "sessions"] < 0.2 and found["m_ratio", "lost"] > 0.2


def test_easier_questions_move_what_depends_on_difficulty_alone(monkeypatch, simulated):
    known = simulated[2]
    hard, easy = people_of(4, d_prime=1.0, m_ratios=known), people_of(5, d_prime=2.0, m_ratios=known)
    both = [[x + y for x, y in zip(hard[i], easy[i], strict=True)] for i in (0, 1)]
    people = frame_of(*both)[0]
    rows = [(i, name, x[i], y[i]) for name, (x, y, _) in (("b", hard), ("a", easy)) for i in range(PEOPLE)]
    of_rows(monkeypatch, rows)
    measured, found = which_measure.easier_of(people, halves_of(people, 0.5))
    moved = measured.set_index("measure")["value"]
    assert abs(moved["m_ratio"]) < 0.2 and moved["auroc2"] > 1 and moved["meta_d"] > 1 and moved["m_diff"] < 0
    assert found["value"].to_numpy() == pytest.approx(measured["value"].to_numpy() / np.sqrt(2 / 3))
    assert found["people"].eq(PEOPLE).all() and found["sets"].eq(1).all()
    same = [(i, name, x[i], y[i]) for name, (x, y, _) in (("b", hard), ("a", hard)) for i in range(PEOPLE)]
    of_rows(monkeypatch, same)  # conditions of one difficulty do not count
    assert all(x["value"].isna().all() for x in which_measure.easier_of(people, halves_of(people, 0.5)))


def test_spoiled_ratings_lower_every_measure(simulated):
    a, b, _ = simulated
    frame, counts, k = frame_of(a, b)
    found = pd.concat(which_measure.changed(frame, counts, k, halves_of(frame, 0.8)))
    found = found.set_index(["property", "measure"])["value"]
    assert (found["replaced"] > 0.2).all() and (found["replaced_true"] > found["replaced"]).all()
    assert found["high_cuts", "m_ratio"] == pytest.approx(0, abs=0.2)  # the meta-d' model holds at every cut


def test_moves_in_true_standard_deviations_do_not_shrink_with_noise(simulated):
    """Oracle: the spread of the people that were simulated."""
    a, b, known = simulated
    frame, counts, k = frame_of(a, b)
    found = which_measure.halves_agree(frame, counts, k)
    measured = pd.DataFrame({"people": [PEOPLE]} | dict.fromkeys(COMPARED, 1.0), index=found.index)
    _, true = which_measure.both_spreads("moved", measured, found)
    one, spread = true.set_index("measure").loc["m_ratio", "value"], frame["m_ratio"].std()
    assert one > 1.05 and known.std() * one == pytest.approx(spread, rel=0.1)


def test_a_mean_over_sets_weighs_people_and_has_an_interval_from_five_sets_on():
    values, people = pd.Series([0.2, 0.5, np.nan]), pd.Series([10, 30, 99])
    mean, lower, upper = which_measure.over_sets(values, people)
    assert mean == pytest.approx((0.2 * 10 + 0.5 * 30) / 40) and np.isnan([lower, upper]).all()
    mean, lower, upper = which_measure.over_sets(pd.Series(np.arange(40) / 40), pd.Series([20] * 40))
    half = 1.96 * np.std(np.arange(40) / 40) / np.sqrt(40)
    assert upper - mean == pytest.approx(half, rel=0.15) and mean - lower == pytest.approx(half, rel=0.15)


def test_a_cell_is_good_where_its_whole_interval_is():
    ends = {"half_100": (0.75, 0.9), "half_400": (0.6, 0.8), "sessions": (0.1, 0.3)}
    ends |= {"easier_true": (-0.5, 0.3), "high_cuts_true": (-0.1, 0.1), "replaced_true": (0.3, 0.4)}
    rows = [(m, name, sum(e) / 2, *e) for m in COMPARED for name, e in ends.items()]
    columns = ["measure", "property", "value", "value_lower", "value_upper"]
    power = pd.DataFrame({"measure": COMPARED, "power_same": 0.9})
    found = which_measure.cells_of(pd.DataFrame(rows, columns=columns), power)
    mine = found[found["measure"] == "phi"].set_index("asked")["good"]
    assert mine["Again, 100 trials"] is True and mine["Next session"] is False
    assert pd.isna(mine["Again, 400 trials"]) and pd.isna(mine["Easier questions"])
    assert mine["Other cuts"] and mine["Spoiled ratings"] and mine["Power, 1,000 trials"]


def test_words_beside_the_audit_follow_the_numbers():
    names = (
        "half_100",
        "half_400",
        "sessions",
        "replaced",
        "replaced_lower",
        "easier",
        "easier_lower",
        "easier_upper",
        "high_cuts",
    )
    wide = pd.DataFrame({"measure": COMPARED} | {name: 0.9 for name in names})
    wide["high_cuts"] = 0.0
    alike = which_measure.audit_of(wide).set_index("point")["alike"]
    assert alike["all are valid"] == alike["split halves agree very well"] == "yes"
    assert (
        alike["most agree poorly from test to retest"] == alike["difference measures fall strongly"] == "no"
    )
    wide["half_100"], wide["easier_lower"], wide["easier_upper"] = 0.3, -0.6, 0.1
    unlike = which_measure.audit_of(wide).set_index("point")["alike"]
    assert unlike["split halves agree very well"] == "other numbers of trials"
    assert unlike["ratio measures are much better, and still weakly related"] == "cannot tell"
    wide["easier"] = -0.5
    assert "in part" in which_measure.audit_of(wide)["alike"].tolist()


def test_people_are_those_who_meet_the_rules_of_the_database():
    people, counts, k = which_measure.whole_people()
    assert len(people) == len(counts) == len(k) and (people["trials"] == counts.sum(axis=(1, 2, 3))).all()
    assert (
        (people["d_prime"] > 0.5).all()
        and (people["accuracy"] < 0.95).all()
        and (people["trials"] >= 100).all()
    )
    every = database.tables()
    row = people.iloc[1000]
    own = every[
        every["set"].eq(row["set"]) & every["part"].eq(row["part"]) & every["person"].eq(row["person"])
    ]
    (a, b), half = (own[side].iloc[0] for side in ("nR_S1", "nR_S2")), int(k[1000])
    assert row["accuracy"] == pytest.approx((a[:half].sum() + b[half:].sum()) / (a.sum() + b.sum()))


def test_models_are_thinned_and_put_in_order():
    found = which_measure.models_of().pivot(index="measure", columns="trials")
    assert (found["spread"][1_000] < found["spread"][200]).all()
    assert found["same_order"][1_000].between(0.5, 1).all() and found["same_order"].gt(0.5).all(axis=None)


TABLE = pd.read_csv(proof.OUT)


def test_rows_of_the_committed_simulation_made_again_are_the_same():
    made = pd.DataFrame(proof.moves(proof.KINDS[1])).set_index(["varied", "measure"])["moves"]
    held = TABLE[TABLE["observer"].eq(proof.KINDS[1]) & TABLE["varied"].notna()].set_index(
        ["varied", "measure"]
    )
    assert made.to_numpy() == pytest.approx(held["moves"].to_numpy(), abs=1e-3)
    again = pd.DataFrame(proof.power(proof.KINDS[0], 200, proof.TABLES))["power"]
    held = TABLE[TABLE["observer"].eq(proof.KINDS[0]) & TABLE["n_trials"].eq(200)]["power"]
    assert again.to_numpy() == pytest.approx(held.to_numpy(), abs=1e-6)


def test_measures_of_the_meta_d_model_stay_where_the_model_does():
    constant = TABLE[TABLE["observer"].eq(proof.KINDS[0]) & TABLE["varied"].notna()]
    moves = constant.pivot(index="varied", columns="measure", values="moves")
    assert moves[["m_ratio", "log_m_ratio"]].abs().max(axis=None) < 0.01
    assert TABLE.loc[TABLE["measure"].eq("auroc2_over_ideal"), "moves"].abs().max() < 0.15
    assert moves.loc["d' 2", "meta_d"] == pytest.approx(0.8 * 0.5 / (0.2 * proof.D_PRIME), abs=0.01)
    assert moves.loc["d' 2", "m_diff"] == pytest.approx(-0.2 * 0.5 / (0.2 * proof.D_PRIME), abs=0.01)
    assert TABLE["power"].dropna().between(0.025, 1).all()


def test_the_best_are_the_best_again_by_themselves_and_by_luck_in_a_quarter():
    rng = np.random.default_rng(3)
    one, other = (
        pd.DataFrame(rng.normal(size=(4_000, len(COMPARED))), columns=list(COMPARED)) for _ in range(2)
    )
    groups = pd.Series(np.repeat(list("abcdefgh"), 500))
    same, luck = (which_measure.best_again(100, one, x, groups)["value"] for x in (one, other))
    assert (same == 100).all() and luck.between(20, 30).all()


def test_standard_errors_of_open_answers_are_those_of_drawn_ones():
    found = which_measure.open_answers()
    rows = committed_table(which_measure.OPEN).query(
        "temperature == 1 and model == 'llama3_base' and dataset == 'nq'"
    )
    cells = rows.sort_values("bin")[["n_incorrect", "n_correct"]].to_numpy().T
    drawn = np.random.default_rng(1).multinomial(1_000, cells.ravel() / cells.sum(), 2_000).reshape(-1, 2, 20)
    assert found["llama3_base", "nq"] == pytest.approx(
        auroc2_from_counts(drawn[:, 0], drawn[:, 1]).std(), rel=0.1
    )
