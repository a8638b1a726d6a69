"""Tables of the sample-size simulation."""

from __future__ import annotations

from metacog.report.tables import Schema, columns_of, count, number, text
from metacog.studies.study2_two_choice.tables.columns import rows_with

OBSERVER, TRIALS = text("observer", "Observer"), count("n_trials", "Trials")

TABLES = {
    "sample_size.spread": Schema(
        "spread",
        columns_of(
            OBSERVER,
            TRIALS,
            number("failed", "no estimate", 3, "Share of tables"),
            number("empty", "an empty cell", 3, "Share of tables"),
            number("d_prime_bias", "bias", 3, "d'"),
            number("d_prime_sd", "spread", 3, "d'"),
            number("meta_d_bias", "bias", 3, "meta-d'"),
            number("meta_d_sd", "spread", 3, "meta-d'"),
            number("m_ratio_bias", "bias", 3, "M-ratio"),
            number("m_ratio_sd", "spread", 3, "M-ratio"),
            number("m_ratio_half", "half-width", 3, "M-ratio"),
        ),
        "Maximum likelihood on tables as drawn. Spread: standard deviation; half-width: 1.96 of them.",
        pick=rows_with("fitted_to", "as drawn"),
    ),
    "sample_size.padded": Schema(
        "spread",
        columns_of(
            OBSERVER,
            TRIALS,
            number("failed", "No estimate (share)", 3),
            number("d_prime_bias", "of d'", 3, "Bias"),
            number("meta_d_bias", "of meta-d'", 3, "Bias"),
            number("m_ratio_bias", "of M-ratio", 3, "Bias"),
            number("m_ratio_half", "Half-width of M-ratio", 3),
        ),
        "The same tables with half a trial added to every cell.",
        pick=rows_with("fitted_to", "half a trial added"),
    ),
    "sample_size.beside": Schema(
        "beside",
        columns_of(
            OBSERVER,
            TRIALS,
            count("few_fitted", "Repetitions fitted"),
            number("few_mean", "mean", 3, "Few repetitions"),
            number("few_sd", "spread", 3, "Few repetitions"),
            number("m_ratio_mean", "mean", 3, "All simulations"),
            number("m_ratio_sd", "spread", 3, "All simulations"),
        ),
        "M-ratio over as many repetitions as the paper had, beside all simulations.",
    ),
    "sample_size.posteriors": Schema(
        "posteriors",
        columns_of(
            OBSERVER,
            TRIALS,
            count("n", "Repetitions"),
            number("d_prime_bias", "d'", 3, "Bias of posterior means"),
            number("meta_d_bias", "meta-d'", 3, "Bias of posterior means"),
            number("m_ratio_bias", "M-ratio", 3, "Bias of posterior means"),
            number("m_ratio_sd", "Spread of M-ratio", 3),
            number("m_ratio_half", "Mean half-width", 3),
            count("held", "Intervals that hold"),
            count("judged", "Can be judged"),
            number("m_ratio_bias_ml", "bias", 3, "M-ratio by likelihood"),
            number("m_ratio_sd_ml", "spread", 3, "M-ratio by likelihood"),
            count("fitted_ml", "Fitted"),
        ),
        "Posterior means beside maximum likelihood on the same tables as drawn.",
    ),
    "sample_size.needed": Schema(
        "needed",
        columns_of(
            OBSERVER, text("fitted_to", "Cells"), count("trials", "Trials"), number("bias", "Bias then")
        ),
        "Trials for an M-ratio interval of the wanted half-width.",
    ),
    "sample_size.grid": Schema(
        "grid",
        columns_of(
            number("d_prime", "d'", 1),
            number("accuracy", "Share right", 2),
            count("at_0.5", "M-ratio 0.5"),
            count("at_0.8", "M-ratio 0.8"),
            count("at_1", "M-ratio 1"),
        ),
        "Trials for the wanted half-width of M-ratio, by observer; share right at c = 0.",
    ),
}
