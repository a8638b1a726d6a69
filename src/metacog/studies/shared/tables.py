"""Tables of the shared chapters."""

from __future__ import annotations

from metacog.report.rater_page import RARER
from metacog.report.tables import Column, Schema, Sort, answer, columns_of, count, number, text

RECOVERY = {
    "recovery.core": Schema(
        "core",
        columns_of(
            number("d_prime", "d'", 1),
            number("m_ratio", "M-ratio", 1),
            count("n_trials", "Trials"),
            number("bias_meta_d", "bias", 4, "meta-d'"),
            number("sd_meta_d", "sd", 3, "meta-d'"),
            number("bias_m_ratio", "bias", 4, "M-ratio"),
            number("sd_m_ratio", "sd", 3, "M-ratio"),
            number("coverage_meta_d", "of meta-d'", 3, "Coverage"),
            number("coverage_m_ratio", "of M-ratio", 3, "Coverage"),
            number("coverage_se", "Monte-Carlo error", 3, "Coverage"),
        ),
        "Core designs. The last column is the error of the coverage itself, from a finite number of "
        "simulations.",
    ),
    "recovery.intervals": Schema(
        "intervals",
        columns_of(
            text("measure", "Measure"),
            text("unit", "Unit"),
            count("n_trials", "Trials"),
            number("low", "lowest", 3, "Coverage"),
            number("high", "highest", 3, "Coverage"),
            number("low_before", "lowest", 3, "Before"),
            number("high_before", "highest", 3, "Before"),
            count("designs", "Designs"),
        ),
        "Share of 95 % intervals that contain the truth, over designs that differ in accuracy and true "
        "value; meta-I2r from a true value of 0.05. Before: the null's mean subtracted from percentile "
        "draws, and percentiles of AUROC2.",
    ),
}

SHARES = tuple(
    Column(f"share_{share:g}", f"{share:.0%}", Sort.TEXT, group="Rarer judgement") for share in RARER
)
RATERS = {
    "raters.needed": Schema(
        "needed",
        columns_of(count("n_items", "Items"), *SHARES),
        "The smallest simulated number of raters whose alpha spreads no further than the wanted half-width.",
    ),
    "raters.bars": Schema(
        "bars",
        columns_of(
            number("rarer", "Rarer judgement", 2),
            number("chance", "Agreement of raters who know nothing", 3),
            number("agreement", "Agreement at the bar of alpha", 3),
            number("alpha", "Alpha at the bar of agreement", 3),
        ),
        "What the two bars require of the same raters; in closed form.",
    ),
    "raters.designs": Schema(
        "designs",
        columns_of(
            number("rarer", "Rarer judgement", 2),
            count("n_items", "Items"),
            count("n_raters", "Raters"),
            number("mean", "mean", 3, "Alpha"),
            number("spread", "1.96 sd", 3, "Alpha"),
            number("half_width", "half-width", 3, "Interval"),
            number("coverage", "coverage", 3, "Interval"),
            number("coverage_se", "its Monte-Carlo error", 3, "Interval"),
            number("undefined", "Share undefined", 3),
        ),
        "All designs. Alpha is undefined where all judgements of a panel are of one category.",
    ),
}

FIVE = dict.fromkeys(("bias", "standard_error", "spread_sd", "largest"), 5)
SPEED = {
    "speed.fits": Schema(
        "fits",
        columns_of(
            text("what", "What"), number("fits_per_second", "Fits per second", 1), number("ratio", "Ratio", 0)
        ),
        "K = 4 ratings per side.",
    ),
    "speed.sampled": Schema(
        "sampled",
        columns_of(
            text("what", "What"),
            count("effective", "Effective draws of meta-d'"),
            number("seconds", "Seconds", 1),
            number("effective_per_second", "Effective draws per second", 1),
            number("ratio", "Ratio", 1),
            count("divergences", "Divergences"),
            number("mean", "Posterior mean"),
        ),
        "One table of 10,000 trials, K = 5, four chains of 1,000 kept draws each; compilation excluded.",
    ),
    "speed.growth": Schema(
        "growth",
        columns_of(
            count("tables", "Tables"),
            count("ratings a side", "Ratings per side"),
            number("seconds", "Seconds", 4),
            number("fits_per_second", "Fits per second", 0),
        ),
        "Growth with tables and ratings.",
    ),
    "speed.collected": Schema(
        "collected",
        columns_of(
            text("model", "Model"),
            text("who", ""),
            number("trials_a_second", "Trials per second", 2),
            number("engine_is_times", "The engine is ... times as fast", 2),
        ),
        "Trials per second (default profile's prompt, temperatures and token limit).",
    ),
    "speed.times": Schema(
        "times", (), "Where the engine's time goes: shares of wall time.", digits={"peak_memory_mb": 0}
    ),
    "speed.served": Schema("served", (), "Differences in NLP.", digits=FIVE),
    "speed.forced": Schema(
        "forced",
        columns_of(
            text("model", "Model"),
            text("difference", "Difference"),
            count("trials", "Trials"),
            number("bias", "Bias", 4),
            number("standard_error", "Standard error", 4),
            number("sd", "sd", 4),
            number("largest", "Largest", 4),
        ),
        "Differences in NLP of sampled answers.",
    ),
}

LEDGER = {
    "ledger.statuses": Schema(
        "statuses",
        columns_of(
            text("status", "Status"),
            answer("could have failed", "Could have failed"),
            text("meaning", "What it means for a row"),
            count("rows", "Rows"),
        ),
        "What the statuses mean.",
    ),
    "ledger.kinds": Schema(
        "kinds",
        columns_of(
            text("study", "Study"),
            text("kind", "Kind"),
            text("meaning", "What was done"),
            count("rows", "Could have failed"),
            count("match", "Match"),
            count("differs", "Differ"),
        ),
        "Rows that could have failed, by study and by how the recomputed figure was obtained.",
        empty="No row could be tested.",
    ),
    "ledger.roles": Schema(
        "roles",
        columns_of(
            text("status", "Status"),
            text("which", "Which rows"),
            text("reason", "Why they had to agree"),
            count("rows", "Rows"),
            count("differ", "Differ nevertheless"),
        ),
        "The rules under which a row could not have failed.",
        empty="Every row that was recomputed could have failed.",
    ),
    "ledger.tally": Schema("tally", (), "Rows of each published table by status."),
    "ledger.differing": Schema(
        "differing",
        columns_of(
            text("table", "Table"),
            text("item", "Item"),
            text("quantity", "Quantity"),
            text("kind", "Kind"),
            text("published", "Published"),
            number("reproduced", "Reproduced", 4),
            text("note", "Note"),
        ),
        "Every row that was recomputed and lies outside its tolerance.",
        empty="Nothing that was recomputed differs.",
    ),
}

TABLES = {**RECOVERY, **RATERS, **SPEED, **LEDGER}
