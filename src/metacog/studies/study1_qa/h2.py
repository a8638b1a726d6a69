"""H2: does M-ratio differ between domains?

Pre-registered: in at least two models, at least one of the six pairwise differences of M-ratio draws has a 95 %
interval without zero; subjects with fewer than 50 right or 50 wrong answers are excluded, and nothing else is. Beside
it: the same differences with Holm, of sound cells alone, and the same question asked of AUROC2, which takes no padding.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pandas as pd

from metacog.core.frames import rows_of
from metacog.core.words import listed, plural
from metacog.measures.cell import Measured
from metacog.measures.fits import Fits, of_ratings
from metacog.measures.pairs import differences, excludes_zero
from metacog.report.views import Views
from metacog.sdt.checks import InputError
from metacog.sdt.decisions import adjust_p, bonferroni_z, holm, z_test
from metacog.sdt.information import plugin_meta_i2r
from metacog.sdt.populations import confidence_population
from metacog.sdt.type1 import z_roc
from metacog.studies.study import Inputs, analysis
from metacog.studies.study1_qa import cells, paper
from metacog.studies.study1_qa.cells import GROUP, Cells, Rated, flagged, registered
from metacog.verdicts.outcomes import Rule, outcomes
from metacog.verdicts.rules import ZERO, Unit
from metacog.verdicts.verdict import Kind

#: Models in which the rules want a difference.
NEEDED_MODELS = 2
RULES = {
    "difference": Rule(
        "In at least two models, at least one pairwise difference of M-ratio between domains has a 95 % "
        "bootstrap interval without zero.",
        "H2",
        Kind.PREREGISTERED,
        no_null="as pre-registered: it counts intervals, and is not corrected for their number",
    ),
    "holm": Rule(
        f"In at least {NEEDED_MODELS} models a difference of M-ratio remains after Holm over all of the run's "
        "pairs (after Bonferroni at 0.05/18 beside it); a model without one stays open.",
        "H2",
        Kind.SOUND,
        null=("equal",),
        worst="one unlike",
    ),
}
#: Domains that are no domain.
OTHER = ("Unclassified", "Sports", "Pop Culture")
#: Accuracies at which the page shows what accuracy alone does to meta-I2r.
ACCURACIES = (0.05, 0.1, 0.2, 0.43, 0.6, 0.8, 0.95)
COMPARED = ["model", "domain", "m_ratio", "auroc2", "auroc2_lower", "auroc2_upper", "meta_i2r"]
ENDS = ["m_ratio_lower", "m_ratio_upper", "flag"]
PAIRS = [
    *(*GROUP, "measure", "domain_a", "domain_b", "difference", "lower", "upper", "p"),
    *("excluded", "flagged", "p_holm"),
]
#: Pairs of subjects whose interval leaves out zero in the paper's models, as section 4.4 of version 1 names them.
PRINTED = {"mistral_instruct": (("Arts & Literature", "Science & Technology"),)}
AND = "{} and {}"


@analysis(needs=("open",), files=cells.PUBLISHED_FILES)
def h2(
    inputs: Inputs,
    *,
    domains: Sequence[str] = (),
    n_resamples: int = 10_000,
    seed: int = 42,
    verdicts: bool = True,
) -> dict[str, Any]:
    """Does M-ratio differ between domains?"""
    rated = cells.rated_primary(inputs)
    run, pairs = by_domain(rated, domains, n_resamples=n_resamples, seed=seed)
    theirs, ratio = published_domains(), pairs[pairs["measure"] == "m_ratio"]
    sources = {cells.PUBLISHED: theirs[COMPARED], cells.RUN: run[[*COMPARED, *ENDS]]}
    return {
        "pairs": pairs,
        "by_accuracy": by_accuracy(domain_cells(rated, domains)),
        "comparison": cells.stacked(**sources),
        "by_model": cells.stacked(**{cells.PUBLISHED: as_printed(), cells.RUN: as_registered(ratio)}),
        "outcomes": judge(ratio) if verdicts else None,
        "flagged": int(ratio["flagged"].sum()),
        "printed_apart": printed_apart(theirs),
        "printed_models": theirs["model"].nunique(),
    }


def domain_cells(rated: Rated, domains: Sequence[str] = ()) -> Cells:
    """Counts by domain at T = 1, of those named (two at least) or of all but the questions that no domain claims."""
    found = rated.cells((*GROUP, "domain"))
    found = found.select(~found.frame["domain"].isin(OTHER))
    if not domains:
        return found
    known = sorted(found.frame["domain"].unique())
    if unknown := [name for name in domains if name not in known]:
        raise InputError(f"there is no domain {listed(unknown)}; the trials have {listed(known)}")
    if len(set(domains)) < 2:
        raise InputError("domains are compared: name two at least")
    return found.select(found.frame["domain"].isin(domains))


def by_domain(
    rated: Rated, domains: Sequence[str] = (), *, n_resamples: int = 10_000, seed: int = 42
) -> tuple[pd.DataFrame, pd.DataFrame]:
    counts = domain_cells(rated, domains)
    made = cells.measured(counts, [[Fits(), of_ratings]] * len(counts), n_resamples=n_resamples, seed=seed)
    plain = {name: [one.values.get(name, np.nan) for one in made] for name in ("auroc2", "meta_i2r")}
    table = cells.with_limits(cells.fits_table(counts, made).assign(**plain), made, list(plain))
    return table, _pairs(counts, made)


def _pairs(counts: Cells, made: Sequence[Measured]) -> pd.DataFrame:
    groups: dict[Any, Any] = counts.frame.groupby(list(GROUP), sort=False).indices
    frames = []
    for measure, padded in {"m_ratio": True, "auroc2": False}.items():
        parts = []
        for key, rows in groups.items():
            mine = counts.frame.iloc[rows]
            part = differences(
                dict(zip(mine["domain"], [made[i] for i in rows], strict=True)), measure, paired=False
            )
            marks = {"excluded": mine["flag"].map(registered) != "", "flagged": flagged(mine, padded=padded)}
            either = {name: [a or b for a, b in combinations(of, 2)] for name, of in marks.items()}
            parts.append(part.assign(**dict(zip(GROUP, key, strict=True)), measure=measure, **either))
        if parts:
            frame = pd.concat(parts, ignore_index=True)
            frames.append(frame.assign(p_holm=holm(frame["p"].where(~frame["flagged"].astype(bool)))))
    found = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=PAIRS)
    return found.rename(columns={"first": "domain_a", "second": "domain_b"})[PAIRS]


def judge(ratio: pd.DataFrame) -> pd.DataFrame:
    """The registered rule on the pairs that it does not exclude, and Holm's on those that nothing is unsound about."""
    apart = excludes_zero(ratio["lower"], ratio["upper"])
    return pd.concat(
        [
            _of_models(ratio.assign(unused=~usable(ratio, "excluded")), "difference", apart),
            _of_models(ratio.assign(unused=~usable(ratio, "flagged")), "holm", ratio["p_holm"] < 0.05),
        ]
    )


def usable(pairs: pd.DataFrame, out: str) -> pd.Series:
    """Which pairs have an interval and are not left out by the column ``out``."""
    return ~pairs[out].astype(bool) & pairs["lower"].notna()


def _of_models(ratio: pd.DataFrame, rule: str, hits: pd.Series) -> pd.DataFrame:
    """A model holds if a usable pair hits. Else it is open; but as registered, one with a usable pair fails."""
    n_sets, units, hits = ratio["dataset"].nunique(), [], hits & ~ratio["unused"]
    for (model, dataset), own in ratio.groupby(list(GROUP), sort=False):
        unused = int(own["unused"].sum())
        why = f"{unused} of {len(own)} pairs cannot be used" if unused else ZERO
        if rule == "difference":
            holds = bool(hits[own.index].any()) if unused < len(own) else None
            flagged_ = int((own["flagged"].astype(bool) & ~own["unused"]).sum())
            why = why if holds is None else f"{cells.FURTHER}: {plural(flagged_, 'pair')}" if flagged_ else ""
        else:
            holds = True if hits[own.index].any() else None
            why = why if holds is None else ""
        units.append(Unit(cells.cell_name(model, dataset, n_sets), holds, why))
    return outcomes(rule, units, NEEDED_MODELS)


def as_registered(ratio: pd.DataFrame) -> pd.DataFrame:
    """By model: pairs of subjects that the registration leaves, those whose interval leaves out zero, and our flags."""
    rows = []
    for model, own in ratio.groupby("model", sort=False):
        left = own[usable(own, "excluded")]
        apart = left[excludes_zero(left["lower"], left["upper"])]
        names = "; ".join(AND.format(r.domain_a, r.domain_b) for r in rows_of(apart))
        rows.append((model, len(own), len(left), len(apart), names, int(usable(own, "flagged").sum())))
    return pd.DataFrame(rows, columns=["model", "n_pairs", "usable", "n_apart", "apart", "unflagged"])


def as_printed() -> pd.DataFrame:
    """The same of the paper's models: subjects counted in the first paper's file, pairs as the text names them."""
    table, rows = paper.as_numbers(paper.FIRST_PAPER["domains"]), []
    for model, own in table[~table["domain"].isin((*OTHER, "Total"))].groupby("model", sort=False):
        enough = own[["n_correct", "n_incorrect"]].min(axis=1) >= cells.MIN_CLASS
        n_pairs, apart = comb(len(own), 2), PRINTED.get(str(model), ())
        names = "; ".join(AND.format(*pair) for pair in apart)
        rows.append((model, n_pairs, comb(int(enough.sum()), 2), len(apart), names, np.nan))
    return pd.DataFrame(rows, columns=["model", "n_pairs", "usable", "n_apart", "apart", "unflagged"])


def by_accuracy(counts: Cells) -> pd.DataFrame:
    """What accuracy alone does to meta-I2r of equal-variance confidence at the median d_a of the groups."""
    good = counts.measurable
    d_a = np.asarray(z_roc(counts.nR_S1[good], counts.nR_S2[good]).d_a) if good.any() else np.array([])
    d_a = d_a[np.isfinite(d_a) & (d_a > 0)]
    rows = []
    for accuracy in ACCURACIES if d_a.size else ():
        population = confidence_population(np.median(d_a), accuracy=accuracy, n_ratings=2 * cells.K)
        rows.append((accuracy, float(plugin_meta_i2r(population.s1, population.s2))))
    return pd.DataFrame(rows, columns=["accuracy", "meta_i2r"])


def printed_apart(printed: pd.DataFrame) -> tuple[str, ...]:
    """Models in which two domains differ in AUROC2 by their printed 95 % intervals, after Holm over all pairs.

    Domains have questions of their own, so their estimates are independent; an interval is read as 1.96 standard errors
    to either side.
    """
    models, p = [], []
    for model, rows in printed.groupby("model", sort=False):
        errors = (rows["auroc2_upper"] - rows["auroc2_lower"]) / (2 * bonferroni_z(m=1))
        for (one, a), (other, b) in combinations(zip(rows["auroc2"], errors, strict=True), 2):
            models.append(str(model))
            p.append(z_test(float(one - other), float(np.hypot(a, b))).p_value)
    differ = adjust_p(p) < 0.05
    return tuple(dict.fromkeys(model for model, one in zip(models, differ, strict=True) if one))


def published_domains() -> pd.DataFrame:
    """M-ratio, AUROC2 with its interval and meta-I2r by domain as printed: their counts by rating are not public."""
    printed = paper.as_numbers("v2_domain").rename(
        columns={"a_lower": "auroc2_lower", "a_upper": "auroc2_upper"}
    )
    information = printed[["model", "domain", "meta_i2r", "auroc2", "auroc2_lower", "auroc2_upper"]]
    return paper.as_numbers("v1_table6_domain_m_ratio").merge(information, on=["model", "domain"])


def figures(result: Any) -> dict[str, Any]:
    """Numbers of the sentences that chapters write by hand: how many pairs of subjects differ in M-ratio as
    registered, and in AUROC2 after Holm, of the published models and of this run's.
    """
    areas = result.pairs[result.pairs["measure"] == "auroc2"]
    able = areas[usable(areas, "flagged")]
    differ = able[able["p_holm"] < 0.05]
    printed = result.comparison[result.comparison["source"] == cells.PUBLISHED]
    widest = printed[printed["model"].isin(result.printed_apart)].sort_values("auroc2")
    last = widest.groupby("model", sort=False).agg(["first", "last"])[["auroc2", "domain"]]
    rows = {name: result.by_model[result.by_model["source"] == source] for name, source in SOURCES.items()}
    return {
        "n_printed": result.printed_models,
        "n_printed_apart": len(result.printed_apart),
        "printed_names": listed(result.printed_apart),
        **{
            f"gap{place}_{name}": value
            for place, (model, row) in enumerate(last.iterrows())
            for name, value in {
                "model": model,
                "low": 100 * row["auroc2", "first"],
                "high": 100 * row["auroc2", "last"],
                "worst": row["domain", "first"],
                "best": row["domain", "last"],
            }.items()
        },
        **{f"{name}_pairs": int(of["n_pairs"].sum()) for name, of in rows.items()},
        **{f"{name}_usable": int(of["usable"].sum()) for name, of in rows.items()},
        **{f"{name}_apart": int(of["n_apart"].sum()) for name, of in rows.items()},
        "n_areas": len(able),
        "n_differ": len(differ),
        **_one_pair(differ),
    }


def _one_pair(differ: pd.DataFrame) -> dict[str, Any]:
    """The first pair of subjects that differ: the model, the worse and the better one, and by how much."""
    columns = ["model", "worse", "better", "gap", "gap_lower", "gap_upper"]
    if differ.empty:
        return {f"differ_{name}": np.nan for name in columns}
    one = differ.iloc[0]
    pair, ends = [one["domain_a"], one["domain_b"]], [one["lower"], one["upper"]]
    if one["difference"] > 0:
        found = [one["model"], *pair[::-1], one["difference"], *ends]
    else:
        found = [one["model"], *pair, -one["difference"], *(-end for end in ends[::-1])]
    return {f"differ_{name}": value for name, value in zip(columns, found, strict=True)}


#: Whose models are counted: the beginning of a number's name.
SOURCES = {"their": cells.PUBLISHED, "our": cells.RUN}
VIEWS = Views("h2", names=paper.NAMES, numbers=figures)
