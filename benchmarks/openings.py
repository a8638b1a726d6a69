"""How often the rule behind each sentence that opens a page is wrong, where all else looks alike.

Run: python benchmarks/openings.py          (half a minute: what other tables say is read from these)
     python benchmarks/openings.py --list   (what backs each page's opening, to look at)

Writes data/simulations/openings.csv: one row for each opening of a page, what backs it (``backed``), and, where that
is a rule applied to a sample, in how many of how many simulated cases (``runs``) it says what is not so (``wrong``),
what these are (``world``), and from which table or in which way the numbers come (``source``). ``seen`` of ``of`` cases
in which the sentence is true (``so``) are told to be. Openings that are

- ``counted`` count what is there, or state what was measured;
- ``recomputed`` follow from printed figures or published counts, as the ledger does;
- ``about simulations`` tell of simulated observers themselves, whose truth is known;
- ``simulated`` apply a rule to a sample, and can be wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pandas as pd
from recording import SIMULATIONS, parsed

from metacog.core.paths import committed

OUT = SIMULATIONS / "openings.csv"
SEED = 20261128
COUNTED, RECOMPUTED, ABOUT, SIMULATED = "counted", "recomputed", "about simulations", "simulated"

#: How often a rule is wrong: in so many, of so many.
Rate = tuple[int, int]


@dataclass(frozen=True)
class Opening:
    """A sentence that opens a page, what backs it, and the world that is simulated, in words that follow a number.

    ``source`` is the table in ``data/simulations`` whose numbers these are, or says how they were made here.
    """

    page: str
    study: str
    analysis: str
    backed: str
    world: str = ""
    source: str = ""
    rate: Callable[[], Rate] | None = None
    sentence: str = "answer"
    so: str = ""
    hits: Callable[[], Rate] | None = None


@cache
def table(name: str) -> pd.DataFrame:
    """A committed table of simulations."""
    return pd.read_csv(committed(f"data/simulations/{name}"), keep_default_na=False)


def swept(
    analysis: str, rule: str, world: str, level: str = "verdict", study: str = ""
) -> Callable[[], Rate]:
    """Outcomes of a rule in one world of the sweep: those that are supported, of those that were judged."""

    def read() -> Rate:
        rows = table("verdict_sweep.csv")
        own = rows[
            (rows["analysis"] == analysis)
            & rows["rule"].str.contains(rule)
            & (rows["world"] == world)
            & (rows["level"] == level)
            & rows["study"].str.startswith(study)
        ]
        if own.empty:
            raise ValueError(f"the sweep has no rule {rule!r} of {analysis} in the world {world!r}")
        return int(own["n_supported"].sum()), int(own["judged"].sum())

    return read


def lossless(lost: bool = False) -> Callable[[], Rate]:
    """Tables of an observer whose confidence loses nothing, or something, of which the rule says that it does."""

    def read() -> Rate:
        rows = table("rating_rivals.csv")
        own = rows[rows["lost"] == lost]
        return int(own["misfit"].sum()), int(own["runs"].sum())

    return read


def sure_answers(share: float | None = None) -> Callable[[], Rate]:
    """Samples of the fewest sure answers that are judged, right nine times in ten, that are called better or worse."""

    def draw() -> Rate:
        from metacog.sdt.intervals import wilson
        from metacog.studies.study1_qa.use import FEWEST, SURE

        runs = 10_000
        right = np.random.default_rng(SEED).binomial(FEWEST, SURE if share is None else share, runs)
        lower, upper = wilson(right / FEWEST, np.full(runs, FEWEST))
        return int(((np.asarray(lower) > SURE) | (np.asarray(upper) < SURE)).sum()), runs

    return draw


def unrelated() -> Rate:
    """Published models whose ways of answering are dealt out at random: how often a correlation is shown."""
    from metacog.sdt.correlations import correlation
    from metacog.studies.study5_battery.ledger.responses import load
    from metacog.studies.study5_battery.regulation import dissociation

    runs, rng = 2_000, np.random.default_rng(SEED)
    pairs, _ = dissociation(load())
    x, y = pairs["delta"], pairs["direct"].to_numpy()
    return sum(correlation(x, pd.Series(rng.permutation(y))).excludes() for _ in range(runs)), runs


def at_rest() -> Rate:
    """Models that withdraw right and wrong answers alike and are called monitoring, at the published sizes."""
    rows = table("delta_coverage.csv")
    own = rows[(rows["kind"] == "mean") & (rows["truth"] == "null")]
    runs = own["n_simulations"].astype(int)
    return round(float((own["too_high"].astype(float) * runs).sum())), int(runs.sum())


def rank_sets() -> Rate:
    """Families of models of which a true rank lies outside its set, at the size that is nearest to the atlas's."""
    rows = table("comparison_level.csv")
    own = rows[(rows["kind"] == "family") & (rows["scenario"] == "half equal, half spread")]
    runs = own["runs"].astype(int)
    return round(float(((1 - own["rank_sets"].astype(float)) * runs).sum())), int(runs.sum())


def unlike_modes() -> Rate:
    """Published models whose replies with thinking on and off come from one table: how often they are told apart."""
    from metacog.measures.estimates import measure
    from metacog.studies.study1_qa.ledger.thinking import Mode, counts
    from metacog.studies.study1_qa.thinking import cell_of, differences, pairs

    rng, runs = np.random.default_rng(SEED), 100
    wrong = of = 0
    for _ in range(runs):
        sides = {}
        for model, (off, on) in pairs(counts()).items():
            pooled = np.concatenate([off.wrong + on.wrong, off.right + on.right])
            drawn = (rng.multinomial(mode.n, pooled / pooled.sum()) for mode in (off, on))
            cells = (
                replace(cell_of(Mode(model, "", c[: c.size // 2], c[c.size // 2 :])), choice=None)
                for c in drawn
            )
            sides[model] = tuple(
                measure(cell, n_resamples=400, n_permutations=2, seed=int(rng.integers(2**31)))
                for cell in cells
            )
        told = differences(sides)
        told = told[told["quantity"] == "auroc2"]
        wrong += int((told["lower"].gt(0) | told["upper"].lt(0)).sum())
        of += len(told)
    return wrong, of


def ways_of_asking() -> Rate:
    """Runs of study 3 in which confidence knows nothing and a way of asking is called better than chance."""
    from sweep import worlds
    from sweep.running import simulated_run

    runs, wrong, of = 200, 0, 0
    for seed in range(runs):
        given = worlds.COLLECTED["study3_dmc"]("no knowledge", np.random.default_rng([SEED, seed]))
        ranking = (
            simulated_run("study3_dmc", given, n_resamples=2, n_permutations=2).result("signals").ranking
        )
        wrong += int(ranking.groupby("model")["beyond"].any().sum())
        of += ranking["model"].nunique()
    return wrong, of


def claimed(quantities: str, worlds: str, measure: str, side: str = "above_0") -> Callable[[], Rate]:
    """Runs of simulated worlds of whom to ask whose interval lies on one side of 0, by regular expressions."""

    def read() -> Rate:
        rows = table("whom_to_ask.csv")
        own = rows[
            (rows["measure"] == measure)
            & rows["world"].str.contains(worlds)
            & rows["quantity"].str.contains(quantities)
        ]
        wrong = own[["above_0", "below_0"]].sum(axis=1) if side == "either" else own[side]
        return int(wrong.sum()), int(own["n_runs"].sum())

    return read


def beyond_families() -> Rate:
    """Whole sets in which own confidence tells no more than another family's, and is found to."""
    rows = table("self_knowledge_sets.csv")
    same = ["one difficulty", "wrong keys", "shared misconceptions"]
    own = rows[rows["world"].isin(same) & (rows["effect"] == "remains")]
    return int(own["above_0"].sum()), int(own["n_runs"].sum())


def surviving(world: str) -> Callable[[], Rate]:
    """Simulated sets of a world in which the first claim holds."""

    def read() -> Rate:
        rows = table("claims_simulated.csv")
        own = rows[(rows["claim"] == "confidence") & (rows["world"] == world)]
        return int(own["holds"].sum()), int(own["runs"].sum())

    return read


def peoples(world: str = "") -> Callable[[], Rate]:
    """Runs of which the page says that people's confidence says more: of a world, or of the worst where it does not."""

    def read() -> Rate:
        rows = table("people_and_models.csv")
        own = rows[rows["name"] == "people_own"]
        own = own[own["world"] == world if world else own["nought"].astype(str) == "True"]
        worst = own.loc[(own["above"] / own["runs"]).idxmax()]
        return int(worst["above"]), int(worst["runs"])

    return read


def far_quartiles() -> Rate:
    """Runs in which a quartile of people's M-ratios without chance is off by more than .03, in the worst world."""
    rows = table("what_is_normal.csv")
    varied = ~rows["world"].isin(
        ["all alike", "unequal variance"]
    )  # what these do, the page tells apart from chance
    ends = rows["summary"].isin(["lower_quarter", "upper_quarter"]) & varied
    own = rows[ends & (rows["domain"] == "all") & (rows["measure"] == "m_ratio_without_chance")]
    worst = own.loc[(own["far"] / own["runs"]).idxmax()]
    return int(worst["far"]), int(worst["runs"])


def called_habit(reads: str) -> Callable[[], Rate]:
    """Runs of four models of which the page says that they read what is usual; worst of the worlds that begin so."""

    def read() -> Rate:
        rows = table("self_knowledge.csv")
        named = rows["design"].str.startswith(reads) & (rows["quantity"] == "usual, in every model")
        own = rows[named].astype({"called": float, "n_used": int}).nlargest(1, "called").iloc[0]
        return round(float(own["called"]) * int(own["n_used"])), int(own["n_used"])

    return read


def tones(something: bool = False) -> Callable[[], Rate]:
    """Sets in which tone holds nothing of the answer but what the number holds, or something; the rule says yes."""

    def read() -> Rate:
        from metacog.studies.study7_mmlu_pro.tone import NOTHING as NOTHING_HEARD
        from metacog.studies.study7_mmlu_pro.tone import worlds_of

        known = worlds_of()
        known = known[(known["truth"] == NOTHING_HEARD) != something]
        return int(known["both"].sum()), int(known["sets"].sum())

    return read


NOTHING = "models whose confidence knows nothing"
SOMETHING = "models whose confidence tells right from wrong"
OPENINGS = (
    Opening("model-page", "shared", "model_page", SIMULATED, NOTHING, "verdict_sweep.csv",
            swept("model_page", "AUROC2 of one model", "no knowledge"), so=SOMETHING,
            hits=swept("model_page", "AUROC2 of one model", "equal")),
    Opening("ledger", "shared", "ledger", RECOMPUTED),
    Opening("coverage", "shared", "coverage", COUNTED),
    Opening("measures", "shared", "measures", ABOUT),
    Opening("primer", "shared", "primer", COUNTED),
    Opening("rater-precision", "shared", "raters", ABOUT),
    Opening("trials", "shared", "trials_shown", COUNTED),
    Opening("study1-collection", "study1_qa", "validation", COUNTED),
    Opening("study1-correction", "study1_qa", "correction", RECOMPUTED),
    Opening("study1-hypotheses", "study1_qa", "robustness", RECOMPUTED),
    Opening("study1-overview", "study1_qa", "luck", SIMULATED, NOTHING, "verdict_sweep.csv",
            swept("model_page", "AUROC2 of one model", "no knowledge"), "tells", SOMETHING,
            swept("model_page", "AUROC2 of one model", "equal")),
    Opening("study1-use", "study1_qa", "use", SIMULATED,
            "models of whose sure answers only nine in ten are right",
            "binomial draws, here", sure_answers(), so="models of whose sure answers seven in ten are right",
            hits=sure_answers(0.7)),
    Opening("small-models", "shared", "small_models_compared", COUNTED),
    Opening("study2-overview", "study2_two_choice", "rivals", SIMULATED,
            "tables in which nothing is lost, by curves, keys or shapes of other kinds", "rating_rivals.csv",
            lossless(), so="tables in which something is lost", hits=lossless(lost=True)),
    Opening("study2-risk", "study2_two_choice", "risk", SIMULATED,
            "pairs of warnings between which nothing changes", "verdict_sweep.csv",
            swept("replication_risk", "^warning: c differs", "equal")),
    Opening("study2-replication", "study2_two_choice", "replication_ratings", SIMULATED,
            "cases in which a stated number knows nothing", "verdict_sweep.csv",
            swept("replication_ratings", "^signal: AUROC2 of rating", "no knowledge"),
            so="cases in which it tells right from wrong",
            hits=swept("replication_ratings", "^signal: AUROC2 of rating", "equal")),
    Opening("study3-overview", "study3_dmc", "decoupling", ABOUT),
    Opening("study3-replication", "study3_dmc", "signals", SIMULATED, NOTHING,
            "the sweep's worlds, here", ways_of_asking),
    Opening("study4-overview", "study4_probe", "published", RECOMPUTED),
    Opening("study4-replication", "study4_probe", "replication", SIMULATED, NOTHING,
            "verdict_sweep.csv", swept("replication", "^Confidence follows correctness on T1", "one knows nothing",
                                       "unit", "study4")),
    Opening("study5-overview", "study5_battery", "monitoring", SIMULATED,
            "models that withdraw right and wrong answers alike", "delta_coverage.csv", at_rest),
    Opening("study5-regulation", "study5_battery", "regulation", SIMULATED,
            "sets of the published models whose habits are dealt out at random", "permutations, here", unrelated),
    Opening("study5-replication", "study5_battery", "replication_monitoring", SIMULATED,
            "models that withdraw right and wrong answers alike", "verdict_sweep.csv",
            swept("replication_monitoring", "^Every model of this run withdraws", "one knows nothing", "unit"),
            so="models that withdraw wrong answers more often",
            hits=swept("replication_monitoring", "^Every model of this run withdraws", "equal", "unit")),
    Opening("frontier-data", "study6_frontier", "marks", COUNTED),
    Opening("frontier-ranking", "study6_frontier", "ranking", SIMULATED,
            "tables of twelve models whose true ranks we knew", "comparison_level.csv", rank_sets),
    Opening("study1-luck", "study1_qa", "luck", SIMULATED,
            "runs of four models whose confidence reads whether an answer is right, with one key of 20 incomplete",
            "self_knowledge.csv", called_habit("reads whether"),
            so="runs of four models that read how usual an answer is",
            hits=called_habit("reads how usual the answer is, with")),
    Opening("frontier-self-knowledge", "study6_frontier", "self_knowledge", COUNTED),
    Opening("frontier-replication", "study7_mmlu_pro", "replication", SIMULATED,
            "sets in which own confidence tells no more than another family's",
            "self_knowledge_sets.csv", beyond_families),
    Opening("frontier-whom-to-ask", "study7_mmlu_pro", "second_opinions", SIMULATED,
            "models of which it makes no difference whom one asks",
            "whom_to_ask.csv", claimed(": equal$", "", "pools", side="either")),
    Opening("thinking", "shared", "thinking_compared", SIMULATED,
            "models whose replies come from one table with thinking on and off", "the published counts, here",
            unlike_modes, "head"),
    Opening("frontier-tone", "study7_mmlu_pro", "tone", SIMULATED,
            "sets in which tone holds nothing of the answer but what the stated number holds",
            "whom_to_ask.csv", tones(), so="sets in which tone holds something more", hits=tones(something=True)),
    Opening("people-beside-models", "study8_people", "beside", SIMULATED,
            "runs in which people's confidence says no more of their answers than a model's",
            "people_and_models.csv", peoples(), so="runs in which it says a little more",
            hits=peoples("two difficulties")),
    Opening("which-measure", "study8_people", "which_measure", COUNTED),
    Opening("what-is-normal", "study8_people", "normal", SIMULATED,
            "crowds of people whose M-ratios we knew",
            "what_is_normal.csv", far_quartiles),
    Opening("synthesis", "shared", "survives", SIMULATED,
            "sets in which no confidence tells right from wrong", "claims_simulated.csv", surviving("nothing"),
            so="sets in which all confidence does", hits=surviving("equal")),
)  # fmt: skip


def rows() -> pd.DataFrame:
    """The table."""
    made = []
    for one in OPENINGS:
        wrong, runs = one.rate() if one.rate else ("", "")
        row = {name: getattr(one, name) for name in ("page", "study", "analysis", "sentence", "backed")}
        seen, of = one.hits() if one.hits else ("", "")
        row |= {"wrong": wrong, "runs": runs, "world": one.world, "source": one.source}
        made.append(row | {"seen": seen, "of": of, "so": one.so})
    return pd.DataFrame(made)


def main() -> None:
    """Write the table, or show it."""
    given = parsed(__file__, out=OUT, list=False)
    if given.list:
        print(pd.read_csv(given.out, keep_default_na=False).to_string(index=False))
    else:
        given.write(rows(), None, seed=SEED)


if __name__ == "__main__":
    main()
