"""Which measure should one report? Reliability and dependence over people, by the committed counts alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import committed_table, ended
from metacog.measures.measure_properties import (
    COMPARED,
    FloatArray,
    measures_of,
    part_of,
    randomised,
    recut,
    stacked,
    two_parts,
)
from metacog.measures.skill_in_measures import dealt_anew, with_skill
from metacog.report.views import Views
from metacog.report.vocabulary import term
from metacog.sdt.correlations import intraclass
from metacog.sdt.intervals import percentile_limits
from metacog.sdt.type2 import auroc2_variance
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study8_people.database import DATABASE, kept, tables
from metacog.studies.study8_people.what_to_report import (
    ADVISED,
    ENDS,
    MANY,
    OBSERVERS,
    ON_SAME,
    decisions_of,
    fooled_by,
    hundreds,
    power_of,
    scores_of,
)
from metacog.studies.study8_people.what_to_report import HALVES as TRIALS

#: Simulated observers; ``benchmarks/which_measure.py``.
SIMULATED = "data/simulations/which_measure.csv"
#: Simulated intervals of M-ratio and meta-d', and of AUROC2 and meta-I2r.
COVERED = ("data/simulations/recovery.csv", "data/simulations/interval_coverage.csv")
#: Quartiles over the people of twelve sets by numpy and scipy alone; ``benchmarks/people_by_scipy.py``.
BY_SCIPY = "data/simulations/people_by_scipy.csv"
#: Simulated fits of lognormal noise in confidence; ``benchmarks/meta_noise.py``.
NOISE = "data/simulations/meta_noise.csv"
#: Published counts of models that chose between two and said how sure they are.
MODELS = "data/published/servajean_meta_d_counts.csv"
#: Published counts of open answers, right and wrong, by how probable their words were.
OPEN = "data/published/cacioli_first_paper_counts.csv"
SEED = 20261129
#: The power to tell an M-ratio of 0.8 from one of 0.6.
POWER = "power"
#: Trials in each half, and how many pairs of halves are drawn of each person.
HALVES: Mapping[int, int] = MappingProxyType(dict(zip(TRIALS, (1, 2, 4, 8, 8), strict=True)))
#: Halves that are put beside d', and how often d' is dealt out anew.
HELD, SHUFFLES = (100, 400), 100
#: The best of a set: this share of its people.
BEST = 0.25
#: Fewest people of a set, with halves and with sessions; fewest sets for an interval.
FEWEST_PEOPLE, FEWEST_WITH_SESSIONS, FEWEST_SETS = 20, 10, 5
#: Fewest trials of one session, and of one half of the conditions.
FEWEST_TRIALS = 50
#: By so much the easier conditions of a set are answered better than the harder ones, which are above a coin.
EASIER, ABOVE_A_COIN = 0.05, 0.6
#: The share of ratings that is replaced at random.
REPLACED = 0.25
RESAMPLES = 2_000
#: How often all trials are split in two, and the least that a half is taken to tell of the other.
SPLITS, LEAST_BACK = 2, 0.01
#: Trials that a measure has not seen, and fewest surest answers among them.
NOT_SEEN, FEWEST_SURE = 100, 10
#: Models' tables are thinned to so many trials, so often.
THINNED, DRAWS = (200, 1_000), 200
#: The audit's lines for its words: Cohen's d, and agreement from test to retest; of halves it says "very high".
WEAK, STRONG, POORLY, VERY_WELL = 0.3, 1.0, 0.5, 0.8
NAMES = term("measure").values
#: Columns of the matrix: title, the value that is enough, and whether that is the least or the most.
ASKED: Mapping[str, tuple[str, float, bool]] = MappingProxyType(
    {
        "half_100": ("Again, 100 trials", 0.7, True),
        "half_400": ("Again, 400 trials", 0.7, True),
        "sessions": ("Next session", 0.7, True),
        "easier_true": ("Easier questions", 0.2, False),
        "high_cuts_true": ("Other cuts", 0.2, False),
        "replaced_true": ("Spoiled ratings", 0.2, True),
        POWER: ("Power, 1,000 trials", 0.8, True),
    }
)
#: What each property is called where it is counted.
TOLD: Mapping[str, str] = MappingProxyType(
    {f"half_{n}": f"two halves of {n} trials" for n in HALVES}
    | {
        "sessions": "two sessions",
        "easier": "easier and harder questions",
        "high_cuts": "other cuts",
        "replaced": "spoiled ratings",
        "surest": "the surest answers",
    }
)
#: Measures that the table of simulated changes shows.
SHOWN = ("auroc2", "auroc2_over_ideal", "gamma", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio")


def whole_people() -> tuple[pd.DataFrame, FloatArray, np.ndarray]:
    """People of two-choice tasks who meet the rules, with their measures, their counts, and their K."""
    found = tables()
    found = found[found["form"].isin(["two sides", "yes or no"])].reset_index(drop=True)
    counts, k = stacked(found["nR_S1"].tolist(), found["nR_S2"].tolist())
    about = found.drop(columns=["nR_S1", "nR_S2", "k"])
    frame = pd.concat([about, measures_of(counts, k)], axis=1)
    frame["group"] = frame["set"] + " " + frame["part"]
    at = np.flatnonzero(kept(frame)["all"])
    return frame.iloc[at].reset_index(drop=True), counts[at], k[at]


def over_sets(
    values: pd.Series, people: pd.Series, halves: pd.Series | None = None
) -> tuple[float, float, float]:
    """Mean over sets, weighted by their people, and its 95 % interval over resampled sets.

    With ``halves``, how far two halves of people's trials agree, values in measured standard deviations become values
    in true ones: they are divided by the root of the reliability of all trials (Spearman 1910, Brown 1910).
    """
    v, w = values.to_numpy(np.float64), people.to_numpy(np.float64)
    back = np.ones(v.size) if halves is None else halves.to_numpy(np.float64)
    known = np.isfinite(v) & np.isfinite(back)
    v, w, back = v[known], w[known], back[known]
    if not v.size:
        return np.nan, np.nan, np.nan
    drawn = np.random.default_rng(SEED).integers(0, v.size, (RESAMPLES, v.size))
    at = np.vstack([np.arange(v.size), drawn])
    half = np.maximum((back[at] * w[at]).sum(axis=1) / w[at].sum(axis=1), LEAST_BACK)
    means = (v[at] * w[at]).sum(axis=1) / w[at].sum(axis=1) / np.sqrt(2 * half / (1 + half))
    lower, upper = percentile_limits(means[1:]) if v.size >= FEWEST_SETS else (np.nan, np.nan)
    return float(means[0]), float(lower), float(upper)


def summed_up(name: str, by_set: pd.DataFrame, halves: pd.DataFrame | None = None) -> pd.DataFrame:
    """A row a measure: the mean over sets with its interval, and of how many sets and people it is.

    ``by_set`` has a row a set: a column for each measure, and ``people``. ``halves`` is of :func:`over_sets`, by set.
    """
    rows = []
    for measure in COMPARED:
        row = {
            "measure": measure,
            "property": name,
            "sets": len(by_set),
            "people": int(by_set["people"].sum()),
        }
        back = None if halves is None else halves.loc[by_set.index, measure]
        rows.append(row | ended("value", *over_sets(by_set[measure], by_set["people"], back)))
    return pd.DataFrame(rows)


def both_spreads(name: str, by_set: pd.DataFrame, halves: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Moves in measured standard deviations, and as ``NAME_true`` in true ones."""
    yield summed_up(name, by_set)
    yield summed_up(f"{name}_true", by_set, halves)


def agreement(first: pd.DataFrame, second: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """Each set's intraclass correlation of two tables of each person (:func:`metacog.sdt.correlations.intraclass`)."""
    rows = {}
    for name, at in groups.groupby(groups).groups.items():
        pairs = {m: np.column_stack([first.loc[at, m], second.loc[at, m]]) for m in COMPARED}
        rows[name] = {"people": len(at)} | {m: intraclass(x) for m, x in pairs.items()}
    return pd.DataFrame.from_dict(rows, orient="index", columns=["people", *COMPARED])


def halves_agree(people: pd.DataFrame, counts: FloatArray, k: np.ndarray) -> pd.DataFrame:
    """Of each set with enough people, how far two halves of all of a person's trials agree."""
    at = large_enough(people, np.ones(len(people), bool), FEWEST_WITH_SESSIONS)
    groups, rng = people.loc[at, "group"].reset_index(drop=True), np.random.default_rng([SEED, 5])
    size = counts[at].sum(axis=(1, 2, 3)).astype(np.int64) // 2
    each = []
    for _ in range(SPLITS):
        one, other = (measures_of(part, k[at]) for part in two_parts(counts[at], size, rng))
        each.append(agreement(one, other, groups))
    return sum(each[1:], each[0]) / SPLITS


def large_enough(frame: pd.DataFrame, meets: Any, fewest: int) -> np.ndarray:
    """Rows that meet something in sets where at least so many do."""
    some = frame[np.asarray(meets)]
    return np.asarray(some.index[some.groupby("group")["group"].transform("size") >= fewest])


def halves_of(people: pd.DataFrame, counts: FloatArray, k: np.ndarray) -> Iterator[pd.DataFrame]:
    """Reliability between two halves of each person's trials, for every number of trials a half.

    For :data:`HELD` also what :func:`best_again` and :func:`beside_skill` tell of one pair of halves.
    """
    for n, draws in HALVES.items():
        at = large_enough(people, people["trials"] >= 2 * n, FEWEST_PEOPLE)
        rng = np.random.default_rng([SEED, n])
        parts = two_parts(np.tile(counts[at], (draws, 1, 1, 1)), n, rng)
        first, second = (measures_of(part, np.tile(k[at], draws)) for part in parts)
        groups = people.loc[at, "group"].reset_index(drop=True)
        each = []
        for draw in range(draws):
            rows = slice(draw * len(at), (draw + 1) * len(at))
            one, other = (x.iloc[rows].reset_index(drop=True) for x in (first, second))
            each.append(agreement(one, other, groups))
        yield summed_up(f"half_{n}", sum(each[1:], each[0]) / draws)
        if n in HELD:
            one, other = (x.iloc[: len(at)].reset_index(drop=True) for x in (first, second))
            yield best_again(n, one, other, groups)
            yield from beside_skill(n, one, other, groups)


def best_again(n: int, first: pd.DataFrame, second: pd.DataFrame, groups: pd.Series) -> pd.DataFrame:
    """Of 100 people in the best :data:`BEST` of their set by one half, how many are by the other, too."""
    rng, sets = np.random.default_rng([SEED, 6, n]), groups.nunique()
    times = np.vstack([np.ones(sets), rng.multinomial(sets, np.full(sets, 1 / sets), size=RESAMPLES)])
    rows = []
    for measure in COMPARED:
        once, twice = (x[measure].groupby(groups).rank(pct=True).gt(1 - BEST) for x in (first, second))
        found = pd.DataFrame({"both": once & twice, "once": once}).groupby(groups).sum().to_numpy(np.float64)
        both, of = (times @ found).T
        share = 100 * both / of
        about = {"measure": measure, "property": f"again_{n}", "sets": sets, "people": len(groups)}
        rows.append(about | ended("value", float(share[0]), *map(float, percentile_limits(share[1:]))))
    return pd.DataFrame(rows)


def beside_skill(
    n: int, first: pd.DataFrame, second: pd.DataFrame, groups: pd.Series
) -> Iterator[pd.DataFrame]:
    """What :func:`metacog.measures.skill_in_measures.with_skill` tells of every measure, with intervals over sets.

    ``ahead`` is by how much AUROC2's ``held`` lies above the measure's, on the same people and resamples of sets.
    ``shuffled`` is how often a measure goes with d' (its interval lies above 0) where people's d' are dealt
    out anew within each set.
    """
    names, of = np.unique(groups, return_inverse=True)
    rng, sets = np.random.default_rng([SEED, 4, n]), names.size
    times = np.vstack([np.ones(sets), rng.multinomial(sets, np.full(sets, 1 / sets), size=RESAMPLES)])
    rows = []
    area = with_skill(first, second, "auroc2", of, times).held
    for measure in COMPARED:
        found = with_skill(first, second, measure, of, times)
        known = {name: getattr(found, name) for name in ("skill", "held", "variance")}
        about = {"measure": measure, "sets": sets, "people": found.people}
        for name, (value, *drawn) in (known | {"ahead": area - found.held}).items():
            ends = percentile_limits(drawn) if sets >= FEWEST_SETS else (np.nan, np.nan)
            rows.append(about | {"property": f"{name}_{n}"} | ended("value", float(value), *map(float, ends)))
        alarms = []
        for _ in range(SHUFFLES):
            at = dealt_anew(of, rng)
            one, other = (x.assign(d_prime=x["d_prime"].to_numpy()[at]) for x in (first, second))
            drawn = with_skill(one, other, measure, of, times).skill[1:]
            alarms.append(float(np.nanquantile(drawn, 0.025)) > 0)
        share = ended("value", float(np.mean(alarms)), np.nan, np.nan)
        rows.append(about | {"property": f"shuffled_{n}"} | share)
    table = pd.DataFrame(rows)
    yield from (part for _, part in table.groupby("property", sort=False))


def sessions_of(people: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Reliability between the first two sessions, and between the same trials dealt to two parts at random."""
    found = tables("session").merge(people[["set", "part", "person", "group"]], on=["set", "part", "person"])
    found["trials"] = [np.sum(a) + np.sum(b) for a, b in zip(found["nR_S1"], found["nR_S2"], strict=True)]
    found = found[found["trials"] >= FEWEST_TRIALS].sort_values(["group", "person", "value"], kind="stable")
    place = found.groupby(["group", "person"]).cumcount()
    both = found.groupby(["group", "person"])["value"].transform("size") >= 2
    first, second = (found[both & (place == one)].reset_index(drop=True) for one in (0, 1))
    at = large_enough(first, np.ones(len(first), bool), FEWEST_WITH_SESSIONS)
    (a, k), (b, _) = (
        stacked(x.loc[at, "nR_S1"].tolist(), x.loc[at, "nR_S2"].tolist()) for x in (first, second)
    )
    groups = first.loc[at, "group"].reset_index(drop=True)
    later = agreement(measures_of(a, k), measures_of(b, k), groups)
    part = part_of(a + b, a.sum(axis=(1, 2, 3)), np.random.default_rng([SEED, 1]))
    dealt = agreement(measures_of(part, k), measures_of(a + b - part, k), groups)
    yield from (summed_up("sessions", later), summed_up("dealt", dealt))
    yield summed_up("lost", (dealt - later).assign(people=later["people"]))


def moved(before: pd.DataFrame, after: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """By set, the median over people of ``after`` less ``before``, in units of the spread over its people.

    That spread is of all trials of each person, three quarters of the range of the middle half: the standard deviation,
    where values lie on a bell curve. All three have the same rows.
    """
    rows = {}
    for name, at in people.groupby("group").groups.items():
        quartiles = people.loc[at, list(COMPARED)].quantile([0.25, 0.75])
        spread = (quartiles.loc[0.75] - quartiles.loc[0.25]) / 1.349
        by = (after.loc[at, list(COMPARED)] - before.loc[at, list(COMPARED)]).median()
        rows[name] = {"people": len(at)} | (by / spread).to_dict()
    return pd.DataFrame.from_dict(rows, orient="index", columns=["people", *COMPARED])


def easier_of(people: pd.DataFrame, halves: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """What measures do from the harder half of a set's conditions to the easier half, within each person."""
    found = tables("condition").merge(
        people[["set", "part", "person", "group"]], on=["set", "part", "person"]
    )
    counts, _ = stacked(found["nR_S1"].tolist(), found["nR_S2"].tolist())
    found["n"] = counts.sum(axis=(1, 2, 3))
    found["right"] = counts[:, 0, 0].sum(axis=1) + counts[:, 1, 1].sum(axis=1)
    total = found.groupby(["group", "value"])[["n", "right"]].sum()
    rank = (total["right"] / total["n"]).groupby("group").rank(method="first")
    many = rank.groupby("group").transform("size")
    side = np.sign(2 * rank - many - 1).where(lambda x: x != 0)
    side = found.set_index(["group", "value"]).index.map(side)
    made = []
    for half in (-1, 1):
        at = np.flatnonzero(side == half)
        who = found.loc[at, ["group", "person"]]
        names, code = np.unique(who["group"] + "\n" + who["person"].astype(str), return_inverse=True)
        summed = np.zeros((names.size, *counts.shape[1:]))
        np.add.at(summed, code, counts[at])
        made.append((pd.Index(names), summed))
    own = pd.Index(people["group"] + "\n" + people["person"].astype(str))
    both = made[0][0].intersection(made[1][0])
    hard, easy = (summed[names.get_indexer(both)] for names, summed in made)
    some = people.loc[own.get_indexer(both)].reset_index(drop=True)
    enough = np.minimum(hard.sum(axis=(1, 2, 3)), easy.sum(axis=(1, 2, 3))) >= FEWEST_TRIALS
    k = found.drop_duplicates("group").set_index("group")["k"].astype(int).loc[some["group"]].to_numpy()
    before, after = (measures_of(x, k) for x in (hard, easy))
    share = pd.DataFrame({"hard": before["accuracy"], "easy": after["accuracy"]})[enough]
    share = share.groupby(some.loc[enough, "group"]).mean()
    wanted = share.index[(share["easy"] - share["hard"] >= EASIER) & (share["hard"] >= ABOVE_A_COIN)]
    at = large_enough(some, enough & some["group"].isin(wanted), FEWEST_WITH_SESSIONS)
    yield from both_spreads("easier", moved(before.loc[at], after.loc[at], some.loc[at]), halves)


def changed(
    people: pd.DataFrame, counts: FloatArray, k: np.ndarray, halves: pd.DataFrame
) -> Iterator[pd.DataFrame]:
    """What measures do when ratings are cut elsewhere, and when some are replaced at random; of the latter the fall."""
    at = large_enough(people, k >= 3, FEWEST_PEOPLE)
    (high, fewer), (low, _) = (recut(counts[at], k[at], merged) for merged in ("lowest", "highest"))
    some = people.loc[at].reset_index(drop=True)
    cuts = moved(measures_of(low, fewer), measures_of(high, fewer), some)
    yield from both_spreads("high_cuts", cuts, halves)
    at = large_enough(people, np.ones(len(people), bool), FEWEST_PEOPLE)
    some = people.loc[at].reset_index(drop=True)
    worse = measures_of(randomised(counts[at], REPLACED, np.random.default_rng([SEED, 2])), k[at])
    yield from both_spreads("replaced", moved(worse, some, some), halves)


def surest_of(people: pd.DataFrame, counts: FloatArray, k: np.ndarray) -> pd.DataFrame:
    """Over the people of a set, the rank correlation of a measure with the share right among the surest answers.

    Those are the answers with the highest rating among 100 trials that the measure has not seen.
    """
    at = large_enough(people, people["trials"] >= 2 * NOT_SEEN, FEWEST_PEOPLE)
    seen, new = two_parts(counts[at], NOT_SEEN, np.random.default_rng([SEED, 3]))
    top = new[np.arange(len(at)), :, :, k[at] - 1].astype(np.float64)
    right, n = top[:, 0, 0] + top[:, 1, 1], top.sum(axis=(1, 2))
    known = measures_of(seen, k[at]).assign(
        surest=np.where(n >= FEWEST_SURE, right / np.maximum(n, 1), np.nan)
    )
    groups = people.loc[at, "group"].reset_index(drop=True)
    rows = []
    for _, one in known.groupby(groups):
        some = one[one["surest"].notna()]
        ranks = some[[*COMPARED, "surest"]].rank()
        rows.append({"people": len(some)} | ranks.corrwith(ranks["surest"]).to_dict())
    by_set = pd.DataFrame(rows)
    return summed_up("surest", by_set[by_set["people"] >= FEWEST_WITH_SESSIONS])


def again_by_scipy(people: pd.DataFrame) -> dict[str, float]:
    """In how many sets quartiles of every measure were computed a second time, and the largest gap."""
    table, gaps = committed_table(BY_SCIPY).fillna({"part": ""}), []
    group = table["set"] + " " + table["part"]
    for name, own in table.groupby(group):
        some = people[people["group"] == str(name)][own["measure"].tolist()]
        ends = own[["lower_quarter", "median", "upper_quarter"]].to_numpy(np.float64)
        gaps.append(float(np.abs(some.quantile([0.25, 0.5, 0.75]).T.to_numpy() - ends).max()))
    return {"scipy_sets": len(gaps), "scipy_gap": max(gaps)}


def models_of() -> pd.DataFrame:
    """How far one model's thinned tables spread, and how often two models stand in the order of their whole tables."""
    rows = committed_table(MODELS)
    said = rows["response"].eq("S2")
    rows["cell"] = np.where(said, 4 + rows["confidence"], 5 - rows["confidence"])
    wide = rows.pivot_table(index=["task", "model", "stimulus"], columns="cell", values="n", fill_value=0)
    (a, b) = (wide.xs(side, level="stimulus") for side in ("S1", "S2"))
    counts, k = stacked(list(a.to_numpy()), list(b.to_numpy()))
    whole, tasks = measures_of(counts, k), a.index.get_level_values("task")
    pairs = [(i, j) for i in range(len(a)) for j in range(i) if tasks[i] == tasks[j]]
    first, second = (np.array(side) for side in zip(*pairs, strict=True))
    made = []
    for n in THINNED:
        thinned = part_of(np.tile(counts, (DRAWS, 1, 1, 1)), n, np.random.default_rng([SEED, n]))
        found = measures_of(thinned, np.tile(k, DRAWS))
        for measure in COMPARED:
            drawn, all_trials = found[measure].to_numpy().reshape(DRAWS, -1), whole[measure].to_numpy()
            with np.errstate(invalid="ignore"):
                same = np.sign(drawn[:, first] - drawn[:, second]) == np.sign(
                    all_trials[first] - all_trials[second]
                )
            spread = np.nanstd(drawn, axis=0, ddof=1)
            made.append(
                {"measure": measure, "trials": n, "same_order": float(same.mean())}
                | {"spread": float(np.median(spread))}
                | {"spread_least": float(spread.min()), "spread_most": float(spread.max())}
            )
    return pd.DataFrame(made)


def open_answers() -> pd.Series:
    """Standard errors of AUROC2 of models at :data:`MANY` open answers, by the published tables of study 1."""
    rows = committed_table(OPEN)
    rows = rows[rows["temperature"] == 1].pivot(index=["model", "dataset"], columns="bin")
    wrong, right = (rows[side].to_numpy() for side in ("n_incorrect", "n_correct"))
    n = wrong.sum(axis=1) + right.sum(axis=1)
    return pd.Series(np.sqrt(auroc2_variance(wrong, right) * n / MANY), index=rows.index)


def covered() -> pd.DataFrame:
    """Lowest and highest coverage of 95 % intervals in simulations, for measures that have one."""
    fits, others = (committed_table(name) for name in COVERED)
    rows = []
    for trials in (200, 1_000):
        some = fits[fits["n_trials"].eq(trials) & fits["d_prime"].between(0.5, 2)]
        rows += [(name, trials, some[f"coverage_{name}"]) for name in ("meta_d", "m_ratio")]
    for trials in (300, 1_304):
        some = others[others["n_trials"].eq(trials) & ~others["clustered"] & (others["minority"] >= 30)]
        rows += [
            (name, trials, some.loc[some["interval"] == name, "coverage"]) for name in ("auroc2", "meta_i2r")
        ]
    return pd.DataFrame(
        [
            {"measure": m, "trials": n, "lowest": x.min(), "highest": x.max(), "designs": len(x)}
            for m, n, x in rows
        ]
    )


def cells_of(properties: pd.DataFrame, power: pd.DataFrame) -> pd.DataFrame:
    """A row a measure and column of :data:`ASKED`: its number, whether that is ``good``, and why.

    Neither good nor bad where the interval holds values of both kinds.
    """
    told = power[["measure"]].assign(
        property=POWER, value=power[f"power_{ON_SAME}"], value_lower=np.nan, value_upper=np.nan
    )
    every = pd.concat([properties, told])
    names = zip(every["measure"], every["property"], strict=True)
    ended_values = every[["value", "value_lower", "value_upper"]].to_numpy(np.float64)
    held = dict(zip(names, ended_values.tolist(), strict=True))
    rows = []
    for measure in COMPARED:
        for name, (title, enough, least) in ASKED.items():
            value, *ends = held[measure, name]
            known = np.isfinite(ends).all()
            values = np.array(ends if known else [value, value])
            inside = values >= enough if least else np.abs(values) <= enough
            crossed = not least and values[0] < -enough and values[1] > enough
            good = np.nan if crossed or inside.any() != inside.all() else bool(inside.all())
            sign = "" if least else "+"
            why = f"{ends[0]:{sign}.2f} to {ends[1]:{sign}.2f}" if known else f"enough: {enough}"
            row: dict[str, Any] = {"measure": measure, "asked": title, "value": f"{value:{sign}.2f}"}
            rows.append(row | {"good": good, "why": why})
    return pd.DataFrame(rows)


def side_by_side(properties: pd.DataFrame) -> pd.DataFrame:
    """A row a measure, a column with its ends for every property."""
    made = []
    for end in ("", "_lower", "_upper"):
        one = properties.pivot(index="measure", columns="property", values=f"value{end}")
        made.append(one.loc[list(COMPARED)].add_suffix(end))
    return pd.concat(made, axis=1).rename_axis("measure").reset_index()


def moves_of(simulated: pd.DataFrame) -> pd.DataFrame:
    """Simulated changes in rows, and by how much each moves some of the measures."""
    varied = simulated[simulated["varied"].notna() & simulated["measure"].isin(SHOWN)]
    wide = varied.pivot_table(index=["observer", "varied"], columns="measure", values="moves", sort=False)
    return wide.reset_index()


def sizes_of(properties: pd.DataFrame) -> pd.DataFrame:
    """Of how many sets and people each property is."""
    known = properties.drop_duplicates("property").set_index("property")
    rows = [(name, what, *known.loc[name, ["sets", "people"]]) for name, what in TOLD.items()]
    return pd.DataFrame(rows, columns=["property", "what", "sets", "people"])


def audit_of(wide: pd.DataFrame) -> pd.DataFrame:
    """What an audit of 17 measures found (Rahnev 2025), what is found ``here``, and whether that is alike."""
    of = wide.set_index("measure")
    half, more, later, fall = (of[name] for name in ("half_100", "half_400", "sessions", "replaced"))
    easier, cuts = of["easier"], of["high_cuts"]
    plain, among = easier[["auroc2", "gamma", "phi"]], "{:.2f} to {:.2f}".format
    ends = of[["easier_lower", "easier_upper"]].to_numpy(np.float64)[COMPARED.index("m_ratio")]
    found = [
        (
            "all are valid",
            f"spoiled ratings lower each by {among(fall.min(), fall.max())}",
            (of["replaced_lower"] > 0).all(),
        ),
        (
            "traditional measures rise strongly with performance",
            f"AUROC2, gamma and phi by {among(plain.min(), plain.max())}",
            plain.min() > STRONG,
        ),
        (
            "difference measures fall strongly",
            f"meta-d' - d' by {easier['m_diff']:+.2f}",
            easier["m_diff"] < -STRONG or ("in part" if easier["m_diff"] < -WEAK else False),
        ),
        (
            "ratio measures are much better, and still weakly related",
            f"M-ratio by {easier['m_ratio']:+.2f} ({ends[0]:+.2f} to {ends[1]:+.2f})",
            abs(easier["m_ratio"]) < WEAK if np.abs(ends).max() < WEAK or ends.prod() > 0 else "cannot tell",
        ),
        (
            "metacognitive bias matters little",
            f"other cuts move none by more than {cuts.abs().max():.2f}",
            cuts.abs().max() < WEAK,
        ),
        (
            "split halves agree very well",
            f"{among(half.min(), half.max())} with 100 trials in each half, {among(more.min(), more.max())} with 400",
            half.min() > VERY_WELL or "other numbers of trials",
        ),
        (
            "most agree poorly from test to retest",
            f"{among(later.min(), later.max())} in the next session",
            (later < POORLY).mean() > 0.5,
        ),
    ]
    words = {True: "yes", False: "no"}
    rows = [
        (point, here, alike if isinstance(alike, str) else words[bool(alike)]) for point, here, alike in found
    ]
    return pd.DataFrame(rows, columns=["point", "here", "alike"])


@analysis(files=(*DATABASE, SIMULATED, BY_SCIPY, NOISE, *COVERED, MODELS, OPEN))
def which_measure(inputs: Inputs) -> dict[str, Any]:
    """Which measure should one report?"""
    people, counts, k = whole_people()
    halves = halves_agree(people, counts, k)
    properties = pd.concat(
        [
            *halves_of(people, counts, k),
            *sessions_of(people),
            *easier_of(people, halves),
            *changed(people, counts, k, halves),
            surest_of(people, counts, k),
        ],
        ignore_index=True,
    )
    simulated, wide = committed_table(SIMULATED), side_by_side(properties)
    models, power = models_of(), power_of(simulated)
    again = properties[properties["property"].str.startswith("half")]
    again = again.assign(trials=again["property"].str.removeprefix("half_").astype(int))
    return {
        "cells": cells_of(properties, power),
        "halves": again.rename(
            columns={"value": "agreement", "value_lower": "agreement_lower", "value_upper": "agreement_upper"}
        ),
        "wide": wide,
        "audit": audit_of(wide),
        "sizes": sizes_of(properties),
        "models": models,
        "covered": covered(),
        "moves": moves_of(simulated),
        "power": power,
        "scores": scores_of(wide, power, simulated),
        "twice": wide[wide["measure"].isin(ADVISED)].reset_index(drop=True),
        "fooled": fooled_by(simulated),
        "decisions": decisions_of(wide, models, open_answers(), power),
        "noise": committed_table(NOISE),
        **again_by_scipy(people),
    }


# What is said of it.


def numbers(result: Result) -> dict[str, Any]:
    """Every property of every measure, as ``MEASURE_PROPERTY`` with its ends; sizes; which measures stand out."""
    wide = result.wide.set_index("measure")
    made: dict[str, Any] = {f"{m}_{name}": float(x) for m, row in wide.iterrows() for name, x in row.items()}
    for row in result.sizes.itertuples():
        made |= {f"sets_{row.property}": int(row.sets), f"people_{row.property}": int(row.people)}
    for row in result.models.itertuples():
        made |= {
            f"{row.measure}_spread_{row.trials}": row.spread,
            f"{row.measure}_order_{row.trials}": row.same_order,
        }
    for row in result.power.to_dict("records"):
        made |= {f"{row['measure']}_{name}": float(x) for name, x in row.items() if name != "measure"}
        sizes = (*OBSERVERS, *(f"{ON_SAME}_{end}" for end, _ in ENDS))
        made |= {f"{row['measure']}_trials_{name}": hundreds(float(row[name])) for name in sizes}
    made["over_moves"] = float(result.moves["auroc2_over_ideal"].abs().max())
    for name in ("half_100", "half_400", "surest"):
        made[f"first_{name}"] = str(wide[name].idxmax())
    for n in THINNED:
        own = result.models[result.models["trials"] == n].set_index("measure")
        made[f"first_order_{n}"] = str(own["same_order"].idxmax())
    some = result.noise[result.noise["observer"].astype(str).str.startswith("M-ratio")]
    for n, own in some.groupby("trials"):
        made |= {f"bounded_{n}": int(own["bounded"].min()), f"bounded_most_{n}": int(own["bounded"].max())}
    unseen = result.noise[result.noise["observer"] == "no noise"]
    held = some["held_bounded"] / some["bounded"]
    made |= {"noise_held_least": float(held.min()), "noise_held_most": float(held.max())}
    fewest = some["trials"].eq(some["trials"].min())
    made |= {"noise_fewest": int(some["trials"].min()), "noise_held_few": float(held[fewest].min())}
    made["noise_alarms"] = int(unseen["seen"].max())
    back = result.noise[result.noise["back"].notna()]
    made |= {f"noise_{row['measure']}_{row['trials']}": float(row["back"]) for row in back.to_dict("records")}
    made |= {f"{m}_lasts": made[f"{m}_sessions"] / made[f"{m}_dealt"] for m in ("auroc2", "m_ratio")}
    made |= {"scipy_sets": result.scipy_sets, "scipy_gap": result.scipy_gap}
    return made | {"surest": float(wide["surest"].max()), "most_half_100": float(wide["half_100"].max())}


VIEWS = Views("which_measure", numbers=numbers)
