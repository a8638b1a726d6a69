"""The tables of study 1: which columns readers see, under which titles, with how many decimals."""

from __future__ import annotations

import pandas as pd

from metacog.report.tables import Column, Schema, answer, columns_of, count, limits, number, text

MODEL, DATASET, DOMAIN = text("model", "Model"), text("dataset", "Questions"), text("domain", "Domain")
SOURCE, FLAG = text("source", "Source"), text("flag", "Flag", optional=True)
TEMPERATURE, N = number("temperature", "T", 1), count("n", "Answers")
ACCURACY, D_PRIME, META_D = (
    number("accuracy", "Accuracy"),
    number("d_prime", "d'"),
    number("meta_d", "meta-d'"),
)
M_RATIO, AUROC2, META_I2R = (
    number("m_ratio", "M-ratio"), number("auroc2", "AUROC2"), number("meta_i2r", "meta-I2r")
)  # fmt: skip
DIFFERENCE, P_HOLM = number("difference", "Difference"), number("p_holm", "p (Holm)", 4)
PAIR_OF_MODELS = (text("model_a", "Model A"), text("model_b", "Model B"))
PAIR_OF_DOMAINS = (text("domain_a", "Domain A"), text("domain_b", "Domain B"))
RATIO_LIMITS = limits("ci_lo", "ci_hi")
LIMITS = limits("lo", "hi")
RANKS = (
    number("auroc2_rank", "AUROC2 rank", 1), number("m_ratio_rank", "M-ratio rank", 1),
    number("meta_i2r_rank", "meta-I2r rank", 1),
)  # fmt: skip
#: Version 2's measures as its tables print them.
PUBLISHED_FORM = columns_of(
    number("acc", "Accuracy"), N, META_I2R, limits("mi_lo", "mi_hi"), number("p_perm", "p (perm.)", 4), AUROC2, FLAG
)  # fmt: skip
CORRELATIONS = columns_of(
    DATASET, text("pair", "Measures"), number("rho", "rho"), number("p_exact", "Exact p"),
    count("n_models", "Models"), number("smallest_p", "Smallest p"),
)  # fmt: skip
RANGE_AND_RHO = (
    number("rho_meta_d_T", "rho(meta-d', T)"), number("rho_d_prime_T", "rho(d', T)"),
    number("meta_d_range", "Range of meta-d'"), answer("tost_pass", "Range below 0.3"),
    answer("relative_robust", "rho rule"),
)  # fmt: skip
DIFFERENCES = columns_of(
    text("measure", "Measure"), number("instruct", "Instruct"), number("base", "Base"), DIFFERENCE, LIMITS,
    number("p", "p", 4),
)  # fmt: skip
QUARTERS = (
    number("q1", "Lowest quarter"), number("q2", "2nd"), number("q3", "3rd"), number("q4", "Highest"),
)  # fmt: skip


def _where(column: str, *values: str):
    """Rows that hold one of the values."""
    return lambda frame: frame[frame[column].isin(values)]


def _compact(frame: pd.DataFrame) -> pd.DataFrame:
    from metacog.studies.study1_qa.robustness import compact

    return compact(frame)


def _by_information(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.sort_values(["dataset", "meta_i2r"], ascending=False)


def _trivia_by_ratio(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[frame["dataset"] == "TriviaQA"].sort_values("m_ratio", ascending=False)


def _plain(of: str, caption: str = "", empty: str = "") -> Schema:
    """A table whose columns the data decide."""
    return Schema(of, (), caption, empty=empty)


def _beside(*columns: Column | tuple[Column, ...]) -> Schema:
    return Schema("beside", columns_of(SOURCE, *columns))


VERSION_TWO = columns_of(
    META_I2R, limits("meta_i2r_lo", "meta_i2r_hi"), AUROC2, number("z_slope", "z-ROC slope"),
    M_RATIO.titled("M-ratio (v1)"),
)  # fmt: skip
NO_PAIR = "This run has one model, so there is no pair to compare."
NO_TUNED_PAIR = (
    "No two models of this run are a base model and the instruct model made from it (base_of in "
    "config/models.yaml says which are). With such a pair the table of them would stand here, with questions "
    "drawn for both at once. The published pair follows."
)

SUMMARY = {
    "summary.measures": Schema(
        "measures",
        columns_of(
            MODEL, DATASET, N, ACCURACY, AUROC2, limits("auroc2_lo", "auroc2_hi", "AUROC2, 95 %"), META_I2R,
            limits("meta_i2r_lo", "meta_i2r_hi", "meta-I2r, 95 %"), FLAG,
        ),
        "Measures at T = 1.",
    ),
    "summary.outcomes": Schema(
        "outcomes",
        columns_of(
            text("hypothesis", "Hypothesis"), text("question", "Question"), text("kind", "Kind of rule"),
            text("outcome", "Outcome"), text("sentence", "What the data say"),
        ),
        "All verdicts of this run.",
        empty="This run is too small for verdicts; the chapters show the path only.",
    ),
}  # fmt: skip

COLLECTION = {
    "collection.facts": Schema(
        "facts",
        columns_of(
            MODEL, DATASET, text("prompt", "Prompt"), count("n_trials", "Trials"), number("minutes", "Minutes", 1),
            number("trials_per_second", "Trials a second", 1), count("sessions", "Sessions"),
            count("damaged_parts", "Damaged parts"), text("sha256", "SHA-256"), text("engine", "Engine"),
            text("llama_cpp", "llama-cpp-python"),
        ),
        "The runs behind this page.",
    ),
    "collection.outcomes": Schema(
        "outcomes",
        columns_of(
            MODEL, TEMPERATURE, count("n_trials", "Trials"), ACCURACY, number("exact", "Exact"),
            number("similar", "Similar"), number("wrong", "Wrong"), number("refused", "Refused"),
            number("empty", "Empty"), number("truncated", "Cut off"), number("mean_tokens", "Mean tokens"),
        ),
        "Shares of trials by how they were marked.",
    ),
    "collection.examples": Schema(
        "examples",
        columns_of(
            text("kind", "Kind"), MODEL, number("T", "T", 2), text("question", "Question"), text("answer", "Answer"),
            text("nearest key", "Nearest key"), number("NLP", "NLP", 2),
        ),
        "Trials of each kind.",
    ),
    "collection.cells": _plain("cells", "Right answers of those asked at T = 1, by domain and tier."),
}  # fmt: skip

VALIDATION = {
    "validation.quartiles": Schema(
        "quartiles",
        columns_of(MODEL, DATASET, QUARTERS, count("n_smallest", "Smallest quarter"), answer("monotone", "Rises")),
        "Accuracy in each quartile of NLP at T = 1.",
    ),
    "validation.minimums": Schema(
        "minimums",
        columns_of(
            MODEL, DATASET, DOMAIN, count("n_correct", "Correct"), count("n_incorrect", "Incorrect"),
            count("n_dropped", "Empty"), answer("enough", "Enough"),
        ),
        "Right and wrong answers at T = 1 by domain.",
        empty="The questions of this run have no domains.",
    ),
    "validation.sensitivity": Schema(
        "sensitivity",
        columns_of(
            MODEL, DATASET, ACCURACY, D_PRIME, number("zroc_slope", "z-ROC slope"), number("d_a", "d_a"),
            number("r2", "R²"), FLAG,
        ),
        "Type-1 d' and the z-ROC at T = 1.",
    ),
    "validation.answers": Schema(
        "answers",
        columns_of(
            MODEL, DATASET, TEMPERATURE, number("mean_tokens", "Mean tokens", 1), number("truncated", "Cut off"),
            number("refusal", "Refused"), number("empty", "Empty"),
        ),
        "Mean length in tokens, and shares cut off, refused and empty.",
    ),
    "validation.matches": _plain("matches", "Shares of answers by how they were marked."),
    "validation.flagged": Schema(
        "flagged",
        columns_of(
            text("check", "Check"), MODEL, DATASET, text("cell", "Where"), number("value", "Value"),
            number("limit", "Limit"),
        ),
        "Things to keep in mind.",
        empty="Nothing is flagged.",
    ),
    "validation.beside": _beside(MODEL, DATASET, QUARTERS, answer("monotone", "Rises"), D_PRIME, number("d_a", "d_a")),
}  # fmt: skip

HYPOTHESES = {
    "h1.measures": Schema(
        "measures",
        columns_of(
            MODEL, DATASET, N, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, answer("below_one", "Below 1"), FLAG
        ),
        "H1 at T = 1, trial-level bootstrap.",
    ),
    "h1.intervals": Schema(
        "intervals",
        columns_of(
            MODEL, DATASET, text("scheme", "Resampled"), M_RATIO, RATIO_LIMITS, number("width", "Width"),
        ),
        "The same M-ratio, resampled in different ways.",
    ),
    "h1.beside": _beside(
        MODEL, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, answer("below_one", "Below 1"), FLAG
    ),
    "h2.domains": Schema(
        "domains",
        columns_of(MODEL, DOMAIN, N, ACCURACY, D_PRIME, META_D, M_RATIO, RATIO_LIMITS, FLAG),
        "M-ratio by domain at T = 1.",
    ),
    "h2.pairs": Schema(
        "pairs",
        columns_of(MODEL, PAIR_OF_DOMAINS, DIFFERENCE, LIMITS, number("p", "p", 4), P_HOLM),
        "Pairwise differences of M-ratio.",
        _where("measure", "m_ratio"),
        empty="This run has fewer than two domains.",
    ),
    "h2.valid": Schema(
        "pairs",
        columns_of(text("measure", "Measure"), MODEL, PAIR_OF_DOMAINS, DIFFERENCE, LIMITS, P_HOLM),
        "The same pairs on measures that are valid for open answers.",
        _where("measure", "auroc2", "meta_i2r"),
        empty="This run has fewer than two domains.",
    ),
    "h2.beside": _beside(MODEL, DOMAIN, M_RATIO, AUROC2, META_I2R, FLAG),
    "h3.temperatures": Schema(
        "temperatures",
        columns_of(
            MODEL, TEMPERATURE, N, ACCURACY, D_PRIME, META_D, M_RATIO, number("mean_rating", "Mean rating"), FLAG
        ),
        "All temperatures of the run; the hypothesis is about 0.3, 0.5, 0.7 and 1.0.",
    ),
    "h3.summary": Schema("summary", columns_of(MODEL, RANGE_AND_RHO), "The pre-registered statistics."),
    "h3.equivalence": Schema(
        "summary",
        columns_of(
            MODEL, number("smallest_bound", "Smallest bound"), number("tost_p", "TOST p", 4),
            answer("equivalent", "Equivalent"),
        ),
        "Smallest bound: what the true TOST would have passed with.",
    ),
    "h3.criteria": Schema(
        "summary",
        columns_of(
            MODEL, number("low_criterion_change", "Low side"),
            limits("low_criterion_change_lo", "low_criterion_change_hi", "Low side, 95 %"),
            number("high_criterion_change", "High side"),
            limits("high_criterion_change_lo", "high_criterion_change_hi", "High side, 95 %"),
        ),
        "How far the mean type-2 criteria move from the lowest to the highest of the four temperatures.",
    ),
    "h3.corrected": Schema(
        "corrected", columns_of(MODEL, TEMPERATURE, PUBLISHED_FORM), "meta-I2r and AUROC2 by temperature."
    ),
    "h3.beside": _beside(MODEL, RANGE_AND_RHO),
    "h4.measures": Schema(
        "measures",
        columns_of(
            MODEL, ACCURACY, D_PRIME, limits("d_prime_lo", "d_prime_hi", "d', 95 %"), M_RATIO,
            limits("ci_lo", "ci_hi", "M-ratio, 95 %"), FLAG,
        ),
        "Sensitivity and M-ratio at T = 1 with 95 % intervals.",
    ),
    "h4.alone": Schema(
        "pairs",
        columns_of(
            PAIR_OF_MODELS, answer("overlap", "Overlap"), DIFFERENCE, LIMITS, number("d_difference", "d' difference"),
            answer("d_similar", "d' similar"),
        ),
        "The run's pairs of models, drawn independently.",
        empty=NO_PAIR,
    ),
    "h4.shared": Schema(
        "pairs",
        columns_of(
            PAIR_OF_MODELS, count("n_shared", "Shared questions"), number("paired", "Difference"),
            limits("paired_lo", "paired_hi"), P_HOLM, limits("d_lo", "d_hi", "d' difference, 90 %"),
            answer("d_similar", "d' similar"),
        ),
        "Differences over shared questions; d' limits are 90 %, as TOST wants.",
        empty=NO_PAIR,
    ),
    "h4.beside": _beside(
        PAIR_OF_MODELS, answer("overlap", "Overlap"), DIFFERENCE, LIMITS, number("d_difference", "d' difference"),
        answer("d_similar", "d' similar"),
    ),
}  # fmt: skip

EXPLORATORY = {
    "auroc2.ranks": Schema(
        "ranks",
        columns_of(
            MODEL, ACCURACY, AUROC2, number("auroc2_ratings", "AUROC2 of ratings"), M_RATIO, META_I2R, RANKS, FLAG
        ),
        "This run at T = 1: AUROC2 of raw NLP and of the eight ratings, M-ratio and meta-I2r.",
    ),
    "auroc2.correlations": Schema("correlations", CORRELATIONS, "Rank correlations of this run's models."),
    "auroc2.domains": Schema(
        "domains", columns_of(MODEL, DOMAIN, PUBLISHED_FORM), "Version 2's measures by domain.",
        empty="The questions of this run have no domains.",
    ),
    "auroc2.beside": _beside(MODEL, AUROC2, M_RATIO, RANKS[:2], META_I2R, RANKS[2]),
    "auroc2.published": Schema(
        "published_correlations", CORRELATIONS, "Rank correlations of the published models on both question sets."
    ),
    "selective.coverages": Schema(
        "coverages",
        columns_of(MODEL, DATASET, number("coverage", "Coverage"), ACCURACY, LIMITS, number("gain", "Gain")),
        "Accuracy of the most confident answers; gain is over answering everything.",
    ),
    "selective.areas": Schema(
        "areas",
        columns_of(
            MODEL, DATASET, N, number("full_risk", "Risk without abstaining"), number("aurc", "AURC"),
            number("e_aurc", "E-AURC"), number("oracle_aurc", "Perfect AURC"),
        ),
        "Risk-coverage areas of this run at T = 1.",
    ),
    "selective.beside": _beside(
        MODEL, ACCURACY, number("gain", "Gain"), number("printed", "Printed"), LIMITS
    ),
    "instruct_base.differences": Schema(
        "differences", columns_of(text("pair", "Pair"), DIFFERENCES),
        "This run's pairs, the same questions drawn for both.", empty=NO_TUNED_PAIR,
    ),
    "instruct_base.triviaqa": Schema("triviaqa", DIFFERENCES, "llama3_instruct and llama3_base on triviaqa."),
    "instruct_base.nq": Schema("nq", DIFFERENCES, "llama3_instruct and llama3_base on nq."),
}  # fmt: skip

_VARIANT = columns_of(
    text("check", "Check"), text("variant", "Variant"), MODEL, DATASET, number("s", "s"), D_PRIME, META_D, M_RATIO,
    RATIO_LIMITS, number("rank", "Rank", 1), FLAG,
)  # fmt: skip
ROBUSTNESS = {
    "robustness.variants": Schema("variants", _VARIANT, "R1 to R4.", _compact),
    "robustness.forced": Schema(
        "forced",
        columns_of(
            MODEL, DATASET, N, number("share_best", "Best likelier"), limits("best_lo", "best_hi", "95 %"),
            number("share_key", "First likelier"), limits("key_lo", "key_hi", "95 % "),
            number("share_sum", "Whole likelier"), limits("sum_lo", "sum_hi", " 95 %"),
            number("median_gap", "Median gap"), number("aliases_scored", "Answers scored", 1),
            number("rescoring_gap", "Rescoring"),
        ),
        "Share of wrongly answered questions whose right answer was likelier.",
        empty="No question of this run was answered wrongly, so nothing was decoded.",
    ),
    "robustness.levels": _plain("levels", "Questions of each domain by difficulty."),
    "robustness.domains": Schema(
        "matched_domains",
        columns_of(
            MODEL, DOMAIN, M_RATIO, number("m_ratio_matched", "Matched M-ratio"), RATIO_LIMITS,
            number("auroc2_matched", "Matched AUROC2"), number("meta_i2r_matched", "Matched meta-I2r"),
            number("n_matched", "Kept"), FLAG,
        ),
        "Domains before and after matching.",
    ),
    "robustness.models": Schema(
        "matched_models",
        columns_of(
            PAIR_OF_MODELS, DIFFERENCE, number("matched_difference", "Matched difference"), LIMITS, P_HOLM,
            number("n_matched", "Kept"),
        ),
        "Differences of M-ratio between models before and after matching.",
        empty=NO_PAIR,
    ),
    "robustness.beside": _beside(MODEL, count("ratings_per_side", "K"), M_RATIO),
    "robustness.published": Schema(
        "published", tuple(c for c in _VARIANT if c.name not in ("d_prime", "meta_d", "flag")),
        "R2 and R4 of the paper's models, from its counts.", _compact,
    ),
}  # fmt: skip

CORRECTION = {
    "correction.version_one": Schema(
        "named",
        columns_of(
            MODEL, ACCURACY.titled("Share right"), D_PRIME, META_D, M_RATIO, limits("m_ratio_lo", "m_ratio_hi")
        ),
        "Version 1 on TriviaQA at T = 1, recomputed from the published counts. Highest M-ratio first.",
        _trivia_by_ratio,
    ),
    "correction.version_two": Schema(
        "named",
        columns_of(MODEL, DATASET, ACCURACY.titled("Share right"), VERSION_TWO),
        "Version 2's measures from the published counts at T = 1, most informative confidence first.",
        _by_information,
    ),
    "correction_own.measures": Schema(
        "measures",
        columns_of(
            MODEL, DATASET, N.titled("Trials"), ACCURACY.titled("Share right"), VERSION_TWO,
            number("predicted_m_ratio", "M-ratio from slope and accuracy"), FLAG,
        ),
        "The run's own models at T = 1. A flag names what makes a row rough.",
    ),
}  # fmt: skip

MEASURES = {
    "measures.ratings": Schema(
        "ratings",
        columns_of(
            count("rating", "Rating"), count("right", "Right"), count("wrong", "Wrong"),
            number("share right", "Share right"),
        ),
        "Every number on this page comes from this table.",
    ),
    "measures.spoken": Schema(
        "spoken",
        columns_of(
            text("way", "Way of speaking"), number("ece", "ECE"), number("brier", "Brier"), AUROC2, META_I2R
        ),
        "One set of answers, three ways of speaking.",
    ),
    "measures.gains": Schema(
        "gains",
        columns_of(
            MODEL, number("accuracy", "Right, all questions"), number("half", "Right, surest half"),
            number("gain", "Gain (points)", 1), META_I2R,
        ),
        "What answering the surest half is worth.",
    ),
    "measures.moves": _plain("moves", "The measures of the worked table after one change at a time."),
}  # fmt: skip

_ANSWERS = columns_of(
    text("Question", "Question"), text("Answer", "Answer"), number("Confidence", "Confidence", 2)
)
MODEL_PAGE = {
    "model_page.about": _plain("about"),
    "model_page.sure_and_right": Schema(
        "sure_and_right", _ANSWERS, "Sure and right", empty="Nothing was right."
    ),
    "model_page.sure_and_wrong": Schema(
        "sure_and_wrong", _ANSWERS, "Sure and wrong", empty="Nothing was wrong."
    ),
    "model_page.unsure_and_right": Schema(
        "unsure_and_right", _ANSWERS, "Unsure and right", empty="No more than those were right."
    ),
    "model_page.overall": _plain("overall"),
    "model_page.domains": _plain("domains", empty="The questions of this run are of one domain."),
    "model_page.temperatures": _plain("temperatures", empty="This run has one temperature."),
}

TABLES = {
    **SUMMARY, **COLLECTION, **VALIDATION, **HYPOTHESES, **EXPLORATORY, **ROBUSTNESS, **CORRECTION, **MEASURES,
    **MODEL_PAGE,
}  # fmt: skip
