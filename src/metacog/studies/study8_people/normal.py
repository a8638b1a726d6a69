"""What is normal: how people of the Confidence Database are spread, and where models lie among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtrit
from scipy.stats import gaussian_kde

from metacog.core.frames import committed_table, ended, rows_of
from metacog.core.words import plural
from metacog.measures.among_people import (
    ALL,
    MEASURES,
    PERCENTILES,
    PERCENTS,
    WITHOUT_CHANCE,
    among_people,
)
from metacog.measures.tables_of_people import by_width, table_errors, table_measures, thinned, without_chance
from metacog.report.views import Views
from metacog.sdt.area_intervals import auroc2_interval_from_counts
from metacog.sdt.checks import FloatArray, type2_table
from metacog.sdt.decisions import adjust_p
from metacog.sdt.information import meta_i2r
from metacog.sdt.intervals import Z95, wilson
from metacog.studies.study import Inputs, Result, analysis
from metacog.studies.study8_people.database import DATABASE, MARKED, PERSON, kept, rules_of, sets, tables

#: Simulated databases whose M-ratios are known; ``benchmarks/what_is_normal.py``.
SIMULATED = "data/simulations/what_is_normal.csv"
#: Quartiles of sets by a hierarchical fit, beside those without chance; ``benchmarks/hierarchical_people.py``.
BY_GROUP = "data/simulations/hierarchical_people.csv"
#: Whether people's ratings are like those of the model of meta-d', by set; ``benchmarks/misfit_of_people.py``.
MISFIT = "data/simulations/misfit_of_people.csv"
#: Its worlds.
OF_PEOPLE, OF_MODEL = "people", "the model"
#: What a table calls counts that are drawn of the model, and below which p a set misfits.
MODELS_OWN, ALPHA = "Drawn of the model", 0.05
#: Sets of memory that ask whether something was there before.
OLD_OR_NEW = "Memory, yes or no"
SIDES = ["nR_S1", "nR_S2"]
MEASURED = ["trials", "accuracy", "auroc2", "d_prime", "m_ratio"]
#: The world of that table in which everybody has the same M-ratio.
ALIKE = "all alike"
#: What two people of one set are called beside models.
TWO = "two people of the first figure"
#: The world in which one kind of item spreads more widely, which the page does not take into account.
UNEQUAL, SPREAD = "unequal variance", 1.25
#: Domains as a figure names them.
DOMAINS = {
    ALL: "All",
    "perception": "Perception",
    "memory": "Memory",
    "mixed": "Mixed",
    "cognition": "Cognition",
}
#: What is told of a group of people: shares of them that lie lower, and below which value.
QUARTILES = {"lower_quarter": 0.25, "median": 0.5, "upper_quarter": 0.75}
SHARES = {"below_08": 0.8, "below_1": 1.0}
HALF, NOISE = "middle_half", "chance"
#: What these are called.
TOLD = {
    "lower_quarter": "first quartile",
    "median": "median",
    "upper_quarter": "third quartile",
    HALF: "width of the middle half",
    "below_08": "share below 0.8",
    "below_1": "share below 1",
    NOISE: "share of the variance that is chance",
}
#: Sizes to which people's trials are thinned; those who have as many as the last take part.
SIZES = (100, 200, 400)
#: How near a person's d' must be to a model's for the two to be set beside each other, and of how many it is told.
NEAR, MANY_NEAR = 0.3, 100
#: Values printed with two decimals that are off by more mislead.
FAR = 0.03
#: What study 2's models decided about a sentence, by the letter of its task.
TASKS = {"A": "mood of a sentence", "B": "spoken or written", "C": "word deleted or not"}
#: Fewest people of a set whose median is told.
FEW = 5
AS_MEASURED, SETTLED = "people, as measured", "people, luck aside"
HIERARCHICAL = "people, by a hierarchical model"
#: What the figure calls people's row.
MIDDLE = "Their median and middle half"
PUBLISHED, OWN = "published models", "this book's models"


def people_of(found: pd.DataFrame) -> pd.DataFrame:
    """Tables of two choices (:func:`metacog.studies.study8_people.database.tables`) with measures, of who counts.

    With :data:`metacog.measures.among_people.WITHOUT_CHANCE`, in which the standard error of a person is what it would
    be at the median M-ratio of the set: a person's own goes up and down with what chance did to the M-ratio.
    """
    found = _measured(found[found["form"] != MARKED].reset_index(drop=True))
    found = found[kept(found)["all"] & found["m_ratio"].notna()].reset_index(drop=True)
    of = found.groupby(["set", "part"])
    middle = of["m_ratio"].transform("median")
    found["error"], found["of"] = table_errors(found["nR_S1"], found["nR_S2"], middle), of.ngroup()
    found = found[np.isfinite(found["error"])].reset_index(drop=True)
    found[WITHOUT_CHANCE] = without_chance(found["m_ratio"], found["error"], found["of"], found["domain"])
    found["meta_i2r"] = np.nan
    for at, a, b in by_width(found["nR_S1"], found["nR_S2"]):
        found.loc[at, "meta_i2r"] = meta_i2r(*type2_table(a, b), correction="chi-square")
    return found


def _measured(found: pd.DataFrame) -> pd.DataFrame:
    """Tables with the measures of them that the page is about."""
    made = table_measures(found["nR_S1"], found["nR_S2"], found["form"] == MARKED, bits=False)
    return pd.concat([found, made[MEASURED]], axis=1)


# How people are spread.


def summaries(people: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Quartiles and shares of people by domain and measure, with 95 % intervals over sets.

    Columns: ``domain, measure, summary, value, value_lower, value_upper, people, sets``. Whole sets are drawn again,
    and the interval is Student's t with as many sets as would tell as much if all were equally large.
    """
    rng, rows = np.random.default_rng(seed), []
    for domain in DOMAINS:
        part = people if domain == ALL else people[people["domain"] == domain]
        names, of = np.unique(part["set"], return_inverse=True)
        alike = len(part) ** 2 / float((np.bincount(of) ** 2).sum())
        wider = float(stdtrit(alike - 1, 0.975)) * np.sqrt(alike / (alike - 1)) if alike > 1 else np.nan
        drawn = rng.multinomial(names.size, np.full(names.size, 1 / names.size), size=n_resamples)
        times = np.concatenate([np.ones((1, names.size), dtype=np.int64), drawn])[:, of].astype(np.int32)
        found = {
            name: _spread(part[name].to_numpy(), times) for name in ("m_ratio", WITHOUT_CHANCE, "auroc2")
        }
        found["auroc2"] = {name: found["auroc2"][name] for name in (*QUARTILES, HALF)}
        varied = {name: _variance(part[name].to_numpy(), times) for name in ("m_ratio", WITHOUT_CHANCE)}
        found["m_ratio"][NOISE] = 1 - varied[WITHOUT_CHANCE] / varied["m_ratio"]
        for measure, told in found.items():
            for name, draws in told.items():
                half = wider * float(draws[1:].std(ddof=1))
                ends = np.clip(
                    [draws[0] - half, draws[0] + half], *((0, 1) if name in SHARES else (-np.inf, np.inf))
                )
                about = {"domain": domain, "measure": measure, "summary": name}
                rows.append(
                    about | ended("value", draws[0], *ends) | {"people": len(part), "sets": names.size}
                )
    return pd.DataFrame(rows)


def apart(people: pd.DataFrame) -> dict[str, float]:
    """How far people of one set lie apart, and sets: standard deviations of true M-ratios about and of sets' means.

    People's are those without chance (:data:`~metacog.measures.among_people.WITHOUT_CHANCE`). Of sets the mean of each
    is drawn to that of all, by how far it is off for having few people.
    """
    of = people.groupby("of")
    gaps = people[WITHOUT_CHANCE] - of[WITHOUT_CHANCE].transform("mean")
    within = float(np.sqrt((gaps**2).sum() / (len(people) - of.ngroups)))
    error = np.sqrt((within**2 + of["error"].apply(lambda e: (e**2).mean())) / of.size())
    alike = np.zeros(of.ngroups)
    means = without_chance(of["m_ratio"].mean(), error, alike, alike)
    return {"sd_people": within, "sd_sets": float(means.std(ddof=1))}


def _spread(values: FloatArray, times: Any) -> dict[str, FloatArray]:
    """Quartiles, the width between them and shares below, of people who count so many ``times``, (B, n)."""
    order = np.argsort(values, kind="stable")
    reached, values = np.cumsum(times[:, order], axis=1, dtype=np.int32), values[order]
    total = reached[:, -1]
    found = {}
    for name, share in QUARTILES.items():
        found[name] = values[(reached < share * total[:, None]).sum(axis=1)]
    found[HALF] = found["upper_quarter"] - found["lower_quarter"]
    for name, value in SHARES.items():
        at = int(np.searchsorted(values, value))
        found[name] = (reached[:, at - 1] if at else np.zeros(len(total))) / total
    return found


def _variance(values: FloatArray, times: Any) -> FloatArray:
    mean = times @ values / times.sum(axis=1)
    return np.asarray(times @ values**2 / times.sum(axis=1) - mean**2)


def percentiles(people: pd.DataFrame) -> pd.DataFrame:
    """The table of :data:`metacog.measures.among_people.PERCENTILES`."""
    rows = []
    for measure in MEASURES:
        for domain in DOMAINS:
            part = people if domain == ALL else people[people["domain"] == domain]
            ends = np.percentile(part[measure], PERCENTS)
            about = {"measure": measure, "domain": domain, "people": len(part), "sets": part["set"].nunique()}
            rows.append(about | {f"p{p}": end for p, end in zip(PERCENTS, ends, strict=True)})
    return pd.DataFrame(rows)


# What moves the number.


def row_of(what: str, people: pd.DataFrame) -> dict[str, Any]:
    """A group of people: how many, their median M-ratio, quartiles, and the middle half without chance."""
    low, middle, high = people["m_ratio"].quantile(list(QUARTILES.values()))
    settled = people[WITHOUT_CHANCE].quantile([0.5, 0.25, 0.75])
    about = {"what": what, "people": len(people)}
    return about | ended("m_ratio", middle, low, high) | ended("settled", *settled)


def by_trials(people: pd.DataFrame, seed: int) -> pd.DataFrame:
    """The same people with fewer of their trials."""
    many = people[people["trials"] >= SIZES[-1]]
    rows = []
    for n in SIZES:
        fewer = _with_tables(many, *thinned(many["nR_S1"], many["nR_S2"], n, seed))
        rows.append(row_of(f"{n} of their trials", people_of(fewer)))
    return pd.DataFrame([*rows, row_of("all their trials", many)])


def by_levels(people: pd.DataFrame) -> pd.DataFrame:
    """The same people with every two neighbouring ratings put together, and people by the scale of their set."""
    even = people[people["k"].isin([4, 6])]
    merged = ([np.add.reduceat(n, range(0, len(n), 2)) for n in even[side]] for side in SIDES)
    half = people_of(_with_tables(even, *merged))
    rows = [row_of("four or six ratings", even), row_of("the same, two and two together", half)]
    about = people.merge(
        sets()[["set", "part", "levels", "quartiles"]], on=["set", "part"], validate="many_to_one"
    )
    for name, mask in {
        "scales of two": about["levels"] == 2,
        "scales of three": about["levels"] == 3,
        "scales of four": about["levels"] == 4,
        "scales of five or six": about["levels"].isin([5, 6]),
        "finer scales, cut into quarters": about["quartiles"],
    }.items():
        rows.append(row_of(name, about[mask]))
    return pd.DataFrame(rows)


def by_condition(people: pd.DataFrame) -> dict[str, float]:
    """People's conditions pooled against each alone (mean by trials), and in how many sets pooling gives more.

    Conditions count by the rules of people, and people who have two or more of them.
    """
    found = tables("condition").merge(people[list(PERSON)], on=list(PERSON))
    made = _measured(found)
    made = made[kept(made)["all"]]
    made = made[made.groupby(list(PERSON))["value"].transform("size") > 1]
    made["product"] = made["m_ratio"] * made["trials"]
    of = made.groupby(list(PERSON), sort=False)
    within = of["product"].sum() / of["trials"].sum()
    both = {side: [np.sum(list(one), axis=0) for one in of[side].apply(list)] for side in SIDES}
    pooled = table_measures(both["nR_S1"], both["nR_S2"], bits=False)["m_ratio"].to_numpy()
    each = within.rename("within").reset_index().assign(pooled=pooled)
    by_set = each.groupby("set")[["pooled", "within"]].median()[lambda t: each.groupby("set").size() >= FEW]
    return {
        "condition_people": len(each),
        "pooled": float(each["pooled"].median()),
        "within": float(each["within"].median()),
        "condition_sets": len(by_set),
        "sets_pooled_more": int((by_set["pooled"] > by_set["within"]).sum()),
    }


def _with_tables(people: pd.DataFrame, nR_S1: list[Any], nR_S2: list[Any]) -> pd.DataFrame:
    """People as :func:`people_of` takes them, with other tables."""
    bare = people.drop(columns=[*MEASURED, "error", "of", WITHOUT_CHANCE, "meta_i2r"])
    return bare.assign(nR_S1=nR_S1, nR_S2=nR_S2)


# Models among people.


def models_of(found: Iterable[Any], kind: str) -> pd.DataFrame:
    """Measures of tables of counts (:class:`metacog.studies.contributions.RatingTables`) of models, with intervals.

    Columns: ``model, kind, decision, nR_S1, nR_S2``, what people are measured by, and ends of M-ratio and AUROC2.
    """
    rows = []
    for one in found:
        for (name, decision), part in one.counts.groupby(["name", "decision"], sort=False):
            ordered = part.sort_values("rating", kind="stable")
            sides = {side: ordered[side].to_numpy(dtype=np.int64) for side in SIDES}
            who, _, task = name.partition(":")[0].partition(", task ")
            short = f"{who}: {TASKS.get(task, task)}" if decision else name
            rows.append({"model": short, "kind": kind, "decision": bool(decision), **sides})
    table = pd.DataFrame(rows, columns=["model", "kind", "decision", *SIDES])
    made = table_measures(table["nR_S1"], table["nR_S2"], ~table["decision"], bits=False)[MEASURED]
    table = pd.concat([table, made], axis=1)
    two, error = table["decision"].to_numpy(), np.full(len(table), np.nan)
    error[two] = table_errors(table["nR_S1"][two], table["nR_S2"][two], table["m_ratio"][two])
    areas = [
        _area(*(type2_table(r.nR_S1, r.nR_S2) if r.decision else (r.nR_S1, r.nR_S2))) for r in rows_of(table)
    ]
    ends = pd.DataFrame(areas, columns=["auroc2_lower", "auroc2_upper"], dtype=np.float64)
    half = Z95 * error
    return table.assign(
        **ended("m_ratio", table["m_ratio"], table["m_ratio"] - half, table["m_ratio"] + half), **ends
    )


def _area(wrong: FloatArray, right: FloatArray) -> tuple[float, float]:
    found = auroc2_interval_from_counts(wrong, right)
    return found.lower, found.upper


def placed_models(models: pd.DataFrame, people: pd.DataFrame) -> pd.DataFrame:
    """Where each model lies among people: shares below its M-ratio, as measured and without chance, and its AUROC2.

    ``near`` is the number of people whose d' is within :data:`NEAR` of the model's, ``near_below`` the share of these
    below it, without chance, where there are :data:`MANY_NEAR`.
    """
    gaps = people["d_prime"].to_numpy() - models["d_prime"].to_numpy()[:, None]
    alike = (gaps >= -NEAR) & (gaps <= NEAR)
    lower = people[WITHOUT_CHANCE].to_numpy() < models["m_ratio"].to_numpy()[:, None]
    near = alike.sum(axis=1)
    return models[["model", "kind", "trials", "d_prime", "m_ratio"]].assign(
        people_below=among_people(models["m_ratio"]),
        settled_below=among_people(models["m_ratio"], WITHOUT_CHANCE),
        auroc2_below=among_people(models["auroc2"], "auroc2"),
        near=near,
        near_below=np.where(near >= MANY_NEAR, (alike & lower).sum(axis=1) / np.maximum(near, 1), np.nan),
    )


def two_people(people: pd.DataFrame) -> pd.DataFrame:
    """Two people who are right equally often, of those with the commonest number in the largest set.

    The M-ratio of one is nearest to 1, the other's is the lowest. Columns: ``who, trials, right, alike`` (how many are
    right as often), ``sure_right, sure_wrong`` (percent of right and of wrong answers with a rating in the upper half
    of the scale) and ``m_ratio``, each with the ends of its 95 % interval.
    """
    own = people[people["of"] == people["of"].mode()[0]]
    own = own.assign(right=(own["accuracy"] * own["trials"]).round().astype(np.int64))
    alike = own.groupby(["trials", "right"])["right"].transform("size")
    own = own.assign(alike=alike)[alike == alike.max()]
    own = own[own["right"] == own["right"].iloc[0]]
    places = [int((own["m_ratio"] - 1).abs().argmin()), int(own["m_ratio"].argmin())]
    rows = []
    for who, one in zip(("first person", "second person"), rows_of(own.iloc[places]), strict=True):
        row: dict[str, Any] = {"who": who, "trials": one.trials, "right": one.right, "alike": one.alike}
        for name, by_rating in zip(
            ("sure_wrong", "sure_right"), type2_table(one.nR_S1, one.nR_S2), strict=True
        ):
            n, sure = by_rating.sum(), by_rating[(len(by_rating) + 1) // 2 :].sum()
            row |= ended(name, *(100 * np.array([sure / n, *wilson(sure / n, n)])))
        half = Z95 * float(table_errors([one.nR_S1], [one.nR_S2], [one.m_ratio])[0])
        rows.append(row | ended("m_ratio", one.m_ratio, one.m_ratio - half, one.m_ratio + half))
    return pd.DataFrame(rows)


def hill_of(people: pd.DataFrame) -> pd.DataFrame:
    """How many people have which M-ratio, without chance, as a smooth hill between the outermost hundredths."""
    values = people[WITHOUT_CHANCE].to_numpy()
    low, high = np.quantile(values, [0.005, 0.995])
    at = np.linspace(low, high, 120)
    about = {"who": f"{len(people):,} people, luck aside", "kind": SETTLED}
    return pd.DataFrame({**about, "m_ratio": at, "height": gaussian_kde(values)(at)})


def side_by_side(told: pd.DataFrame, of_sets: pd.Series, by_group: pd.DataFrame) -> pd.DataFrame:
    """Rows of a figure: people's medians and middle halves, sets' medians, and sets by a hierarchical model."""
    rows = pictured(told, "m_ratio", {"m_ratio": AS_MEASURED, WITHOUT_CHANCE: SETTLED})
    rows = rows[rows["kind"].eq(SETTLED) | rows["who"].str.startswith(DOMAINS[ALL])]
    medians = pd.DataFrame(
        {"who": f"The median person of each of {len(of_sets)} sets", "kind": AS_MEASURED, "m_ratio": of_sets}
    )
    few = plural(len(by_group), "set")
    means = [
        {"who": f"Mean of {few}", "kind": kind}
        | ended(
            "m_ratio", *by_group[[f"{of}_{q}" for q in ("median", "lower_quarter", "upper_quarter")]].mean()
        )
        for of, kind in (("measured", AS_MEASURED), ("settled", SETTLED), ("group", HIERARCHICAL))
    ]
    return pd.concat([rows, medians, pd.DataFrame(means)], ignore_index=True)


def pictured(told: pd.DataFrame, measure: str, people: Mapping[str, str]) -> pd.DataFrame:
    """Rows of a figure: people's medians and quartiles by domain; ``people`` says what those of a measure are."""
    wide = told.pivot(
        index=["domain", "measure", "people", "sets"], columns="summary", values="value"
    ).reset_index()
    rows = []
    for domain, name in DOMAINS.items():
        for one in rows_of(wide[wide["domain"].eq(domain) & wide["measure"].isin(list(people))]):
            about = {
                "who": f"{name}: {plural(one.sets, 'set')}, {one.people:,} people",
                "kind": people[one.measure],
            }
            rows.append(about | ended(measure, one.median, one.lower_quarter, one.upper_quarter))
    return pd.DataFrame(rows)


def beside_people(people: pd.DataFrame, models: pd.DataFrame) -> pd.DataFrame:
    """Rows of people, as of :func:`pictured`, and below them models with intervals."""
    shown = models.rename(columns={"model": "who"})[list(people)]
    return pd.concat([people, shown], ignore_index=True)


@analysis(across="published_tables")
def models_published(inputs: Inputs) -> dict[str, Any]:
    """What are the measures of the models that were published, as people are measured?"""
    return {"models": models_of(inputs.across().values(), PUBLISHED)}


@analysis(
    across="run_tables",
    needs=("models_published",),
    files=(*DATABASE, PERCENTILES, SIMULATED, BY_GROUP, MISFIT),
)
def normal(inputs: Inputs, *, n_resamples: int = 1_000, seed: int = 42) -> dict[str, Any]:
    """What is normal among people, and where do models lie?"""
    found = tables()
    people = people_of(found)
    told = summaries(people, n_resamples, seed)
    every = pd.concat(
        [inputs.result("models_published").models, models_of(inputs.across().values(), OWN)],
        ignore_index=True,
    )
    counted = kept(every)["all"] & every["decision"]
    models, areas = every[counted], pictured(told, "auroc2", {"auroc2": AS_MEASURED})
    middle = pictured(told, "m_ratio", {WITHOUT_CHANCE: SETTLED}).iloc[:1].assign(who=MIDDLE)
    of_sets = people.groupby("set")["m_ratio"].agg(["median", "size"])[lambda t: t["size"] >= FEW]["median"]
    return {
        "told": told,
        "two": (two := two_people(people).assign(kind=TWO)),
        "hill": hill_of(people),
        "ratios": beside_people(pd.concat([middle, two[list(middle)]], ignore_index=True), models),
        "spread": side_by_side(told, of_sets, committed_table(BY_GROUP)),
        **apart(people),
        "areas": beside_people(areas, every[every["kind"] == PUBLISHED]),
        "placed": placed_models(models, people),
        "by_trials": by_trials(people, seed),
        "by_levels": by_levels(people),
        "who": rules_of(_measured(found)),
        **by_condition(people),
        "typical": int(people["trials"].median()),
        "median_d_prime": float(people["d_prime"].median()),
        "typical_error": float(people["error"].median()),
        "sets": len(of_sets),
        "sets_below_1": int((of_sets < 1).sum()),
        "sets_low": float(of_sets.quantile(0.1)),
        "sets_high": float(of_sets.quantile(0.9)),
        "by_group": committed_table(BY_GROUP),
        "misfit": misfit_by_domain(committed_table(MISFIT)),
        "left_out_models": int((every["decision"] & ~counted).sum()),
        "simulated": simulated(),
    }


# What is said of it.


def numbers(result: Result) -> dict[str, Any]:
    """What the page's sentences need."""
    made: dict[str, Any] = {}
    for row in rows_of(result.told[result.told["domain"].isin([ALL, "perception", "memory"])]):
        short = {"m_ratio": "raw", WITHOUT_CHANCE: "settled", "auroc2": "auroc2"}[row.measure]
        name = "_".join([short, row.summary] + ([] if row.domain == ALL else [row.domain]))
        made |= ended(name, row.value, row.value_lower, row.value_upper)
    trials, by_kind = result.by_trials.set_index("what"), result.placed["kind"]
    placed, own = result.placed[by_kind == PUBLISHED], result.placed[by_kind == OWN]
    few, people = (
        placed.loc[placed["near_below"].isna(), "near"],
        result.told.groupby("domain")["people"].max(),
    )
    below, own_marks = placed["settled_below"], result.ratios[result.ratios["kind"] == OWN]
    for short, one in zip(("first", "second"), rows_of(result.two), strict=True):
        made |= ended(f"{short}_ratio", one.m_ratio, one.m_ratio_lower, one.m_ratio_upper)
        made |= {f"{short}_right": one.sure_right / 100, f"{short}_wrong": one.sure_wrong / 100}
    both = result.two.iloc[0]
    made |= {"two_trials": int(both["trials"]), "two_right": int(both["right"]), "two_of": int(both["alike"])}
    made |= {
        "people": int(people[ALL]),
        "of_sets": int(result.told["sets"].max()),
        "cells": len(placed),
        "models": placed["model"].str.partition(": ")[0].nunique(),
        "easier": int((placed["d_prime"] > result.median_d_prime).sum()),
        "perception_people": int(people["perception"]),
        "furthest_low": float(below.min()),
        "furthest_high": float(below.max()),
        "near_cells": int(placed["near_below"].notna().sum()),
        "near_most": int(few.max()) if len(few) else 0,
        "near_low": float(placed["near_below"].min()),
        "near_high": float(placed["near_below"].max()),
        "own_cells": len(own),
        "own_highest": float(own["people_below"].max()),
        "own_reaching": int((own_marks["m_ratio_upper"] > made["settled_lower_quarter"]).sum()),
    }
    for n, name in ((SIZES[0], "few"), (SIZES[-1], "many")):
        row = trials.loc[f"{n} of their trials"]
        made |= {f"{name}_lower": row["m_ratio_lower"], f"{name}_upper": row["m_ratio_upper"]}
        made |= {f"{name}_settled_lower": row["settled_lower"], f"{name}_settled_upper": row["settled_upper"]}
    for short, whose in (("all", DOMAINS[ALL]), ("old", OLD_OR_NEW), ("model", MODELS_OWN)):
        one = result.misfit[result.misfit["whose"] == whose].iloc[0]
        made |= {f"fit_{short}_{name}": one[name] for name in result.misfit.columns[1:]}
    made["alpha"] = ALPHA
    rules = result.who.set_index("rule")["m_ratio"]
    made |= {"by_rules": rules["all"], "without_rules": rules["none"]}
    made |= group_numbers(result.by_group)
    shares = committed_table(PERCENTILES)
    shares = shares[shares["measure"].eq("meta_i2r") & shares["domain"].eq(ALL)]
    made |= {
        f"meta_i2r_{name}": float(shares[f"p{share * 100:.0f}"].iloc[0]) for name, share in QUARTILES.items()
    }
    levels = result.by_levels["m_ratio"]
    made |= {"levels_many": levels[0], "levels_half": levels[1]}
    return made | simulated_numbers(result.simulated)


def group_numbers(table: pd.DataFrame) -> dict[str, Any]:
    """How far quartiles of sets without chance, and as measured, lie from those of a hierarchical fit, on average."""
    gaps = {
        f"{kind}_{name}": float((table[f"{kind}_{name}"] - table[f"group_{name}"]).mean())
        for kind in ("settled", "measured")
        for name in QUARTILES
    }
    wide = {
        kind: float((table[f"{kind}_upper_quarter"] - table[f"{kind}_lower_quarter"]).mean())
        for kind in ("group", "settled", "measured")
    }
    inside = sum(
        int(
            table[f"settled_{name}"].between(table[f"group_{name}_lower"], table[f"group_{name}_upper"]).sum()
        )
        for name in QUARTILES
    )
    return (
        {f"gap_{name}": gap for name, gap in gaps.items()}
        | {f"wide_{kind}": width for kind, width in wide.items()}
        | {"group_sets": len(table), "group_inside": inside, "group_all": len(QUARTILES) * len(table)}
    )


def misfit_by_domain(table: pd.DataFrame) -> pd.DataFrame:
    """In how many sets people's ratings fit the model worse than its own would, by domain, and in the model's world.

    Columns: ``whose, sets, misfit`` (p below :data:`ALPHA` after Holm), ``alone`` (without), ``excess`` (G squared over
    that of the model's own counts), and how many times as widely one kind of item is spread as the other (the z-ROC's
    slope, whichever is larger), the median of sets: ``unlike``, and of the model's own counts ``unlike_null``.
    """
    p = pd.Series(ndtr(((table["g2_null"] - table["g2"]) / table["g2_sd"]).to_numpy()), index=table.index)
    holm = p.groupby(table["world"]).transform(adjust_p)
    unlike = {f"unlike{end}": np.exp(np.abs(np.log(table[f"slope{end}"]))) for end in ("", "_null")}
    table = table.assign(alone=p < ALPHA, misfit=holm < ALPHA, **unlike)
    people, rows = table[table["world"] == OF_PEOPLE], []
    parts = {name: people if of == ALL else people[people["domain"] == of] for of, name in DOMAINS.items()}
    parts[OLD_OR_NEW] = people[people["domain"].eq("memory") & people["form"].eq("yes or no")]
    for whose, part in (parts | {MODELS_OWN: table[table["world"] == OF_MODEL]}).items():
        row = {"whose": whose, "sets": len(part), "misfit": int(part["misfit"].sum())}
        row |= {"alone": int(part["alone"].sum()), "excess": float(part["g2"].sum() / part["g2_null"].sum())}
        rows.append(row | {name: float(part[name].median()) for name in unlike})
    return pd.DataFrame(rows)


def simulated() -> pd.DataFrame:
    """What becomes of the page's summaries of all people where M-ratios are known, with names for readers."""
    table = committed_table(SIMULATED)
    table = table[table["domain"].eq(ALL) & table["measure"].isin(["m_ratio", WITHOUT_CHANCE])]
    kinds = {"m_ratio": AS_MEASURED, WITHOUT_CHANCE: SETTLED}
    about = {"what": table["summary"].map(TOLD), "kind": table["measure"].map(kinds)}
    return table.assign(**about, held=table["covers"] / table["runs"]).reset_index(drop=True)


def simulated_numbers(table: pd.DataFrame) -> dict[str, Any]:
    """How far off summaries without chance are in simulated databases, and how often intervals hold the truth."""
    raw, settled = (table[table["kind"] == kind] for kind in (AS_MEASURED, SETTLED))
    alike, unequal = (settled[settled["world"] == world] for world in (ALIKE, UNEQUAL))
    varied = settled.drop([*alike.index, *unequal.index])
    ends, shares = (varied[varied["summary"].isin(names)] for names in (QUARTILES, SHARES))
    middle = [one[one["world"].eq(ALIKE) & one["summary"].eq(HALF)]["mean"] for one in (raw, settled)]
    return {
        "far": FAR,
        "far_off": int(ends["far"].sum()),
        "alike_lower": float(alike.loc[alike["summary"].eq("lower_quarter"), "bias"].abs().iloc[0]),
        "runs": int(table["runs"].sum() / len(table)),
        "off_quartile": float(ends["bias"].abs().max()),
        "spread": SPREAD,
        "off_share": float(shares["bias"].abs().max()),
        **{f"unequal_{row.summary}": row.bias for row in rows_of(unequal) if row.summary in QUARTILES},
        "held_least": float(ends["held"].min()),
        "held_most": float(ends["held"].max()),
        "alike_raw": float(middle[0].iloc[0]),
        "alike_settled": float(middle[1].iloc[0]),
    }


VIEWS = Views("normal", numbers=numbers)
