"""Which rows of study 1's ledger had to agree, and why: one table of rules, applied to every row.

``cacioli_counts_T1.csv`` is no printed table. Its counts are what
``tests/solved_tables.py`` finds from the figures of :data:`INPUTS`, under the assumption
that the eight ratings are equally filled. A row that compares one of those figures, or what follows from them alone,
with the counts cannot fail; nor can a row that restates another. What is left are figures that the counts give and
that were not used to find them.
"""

from __future__ import annotations

from metacog.ledger.entry import Role, Status
from metacog.studies.study1_qa.paper import FROM_COUNTS

#: The printed figures that go into the solving, by table.
INPUTS: dict[str, tuple[str, ...]] = {
    "v2_aggregate": ("acc", "n", "auroc2", "meta_i2r", "null_mean"),
    "v1_table5_monotonicity": ("q1", "q2", "q3", "q4"),
}


SOLVED = Role(
    Status.INPUT,
    "n, accuracy, AUROC2, meta-I2r and its null mean (v2: aggregate), and accuracy by quarter of confidence",
    "the counts were solved from this figure",
)
SAME = Role(
    Status.INPUT,
    "the same accuracies, AUROC2 and meta-I2r at T = 1 in other tables and in the text",
    "prints again a figure that the counts were solved from",
)
CHANCE = Role(
    Status.INPUT,
    "permutation p and further null means at T = 1",
    "the null of meta-I2r follows from n, accuracy and equal ratings, which the counts were solved from",
)
D_PRIME = Role(
    Status.INPUT,
    "d' at T = 1, and its order",
    "d' rests on the middle cut alone; accuracy by quarter fixes that cut up to rounding, and with the exact "
    "accuracy leaves one value",
)
FOLLOWS = Role(
    Status.INPUT,
    "accuracy at half coverage, gains, monotonicity, and orders and ratios of accuracy, AUROC2 or meta-I2r",
    "follows from accuracies, AUROC2 and meta-I2r that the counts were solved from",
)
ROUNDED = Role(
    Status.REPEAT,
    "meta-d', M-ratio and its limits at T = 1 in v1's tables, and M-ratio's order there",
    "v1's result file at full precision, rounded or ranked",
)
LIMITS = Role(
    Status.REPEAT,
    "claims of the text about M-ratio at T = 1 and its limits",
    "follows from the rows of v1 table 2 and of v1's result file",
)
VARIED = Role(
    Status.REPEAT,
    "claims of the text about R1, and about M-ratio in one domain",
    "follows from the rows of v1 tables 4 and 6",
)
LINES = Role(
    Status.REPEAT,
    "claims of the text about z-ROC slopes and R^2",
    "follows from the rows of version 2's SDT structure",
)
THINKING_SUMS = Role(
    Status.REPEAT,
    "thinking: the number of questions, n and accuracy of all domains but the largest, and the number of "
    "replies that only contain an answer",
    "the same sum as another row of its table",
)
THINKING_CLAIMS = Role(
    Status.REPEAT,
    "limits of the thinking preprint's abstract",
    "the limits of its file of differences, rounded",
)
ROLES = (
    SOLVED,
    SAME,
    CHANCE,
    D_PRIME,
    FOLLOWS,
    ROUNDED,
    LIMITS,
    VARIED,
    LINES,
    THINKING_SUMS,
    THINKING_CLAIMS,
)
#: Domains whose n and accuracy follow from the row of the largest.
SMALLER_DOMAINS = ("Arts & Literature", "Geography", "Science & Technology", "Sports & Games")


#: Rows that have a role: the role, a table (``text``: claims), its quantities (ids of claims), and the key that rows
#: must have ("1.0" for T = 1, "4" for K = 4) unless all are meant.
RULES: tuple[tuple[Role, str, str, str], ...] = (
    *((SOLVED, table, " ".join(quantities), "") for table, quantities in INPUTS.items()),
    (SAME, "v2_sdt_structure", "auroc2", ""),
    (SAME, "v2_temperature", "acc n auroc2 meta_i2r", "1.0"),
    (SAME, "v1_table2_h1", "accuracy", ""),
    (
        SAME,
        "text",
        "v2_mistral_meta_i2r v2_gemma_meta_i2r v2_mistral_before v2_base_before v2_gemma_before",
        "",
    ),
    (CHANCE, "v2_aggregate", "p_perm", ""),
    (CHANCE, "v2_temperature", "p_perm null_mean", "1.0"),
    (CHANCE, "text", "v2_p", ""),
    (D_PRIME, "v1_h1_full_precision", "d_prime", ""),
    (D_PRIME, "v1_table2_h1", "d_prime", ""),
    (D_PRIME, "v1_table7_temperature", "d_prime", "1.0"),
    (D_PRIME, "text", "v1_mistral_d_prime v1_gemma_d_prime", ""),
    (FOLLOWS, "v1_selective_prediction", "accuracy_at_50pct_coverage", ""),
    (
        FOLLOWS,
        "text",
        "v1_monotone v1_gap_widens v2_two_fold v2_mistral_first v2_gemma_last "
        "v2_mistral_accuracy v2_gemma_accuracy v2_nq_order v2_mistral_after "
        "v2_mistral_gain v2_base_after v2_base_gain v2_gemma_after v2_gemma_gain "
        "v2_rho_gain v2_rho_level",
        "",
    ),
    (ROUNDED, "v1_table2_h1", "meta_d m_ratio ci_lo ci_hi", ""),
    (ROUNDED, "v1_table3_auroc2", "m_ratio m_ratio_rank", ""),
    (ROUNDED, "v1_table4_r1_binning", "m_ratio", "4"),
    (ROUNDED, "v1_table7_temperature", "meta_d m_ratio", "1.0"),
    (LIMITS, "text", "v1_mistral_m_ratio v1_h1_below_one v1_h4_pairs v1_h1_overlap", ""),
    (VARIED, "text", "v1_r1_change v1_r1_order v1_science_high v1_science_low", ""),
    (THINKING_SUMS, "thinking_aggregate", "n_total", ""),
    (THINKING_SUMS, "thinking_marking", "n_by_containment", ""),
    (THINKING_CLAIMS, "text", "th_delta_lower th_delta_upper", ""),
    (LINES, "text", "v2_slope_low v2_slope_high v2_slope_nq_order v2_r2", ""),
    *((THINKING_SUMS, "thinking_domains", "n accuracy", name) for name in SMALLER_DOMAINS),
)


def role_of(table: str, keys: tuple[str, ...], quantity: str, source: str | None) -> Role | None:
    """The role of a row by what it is compared with, or None if it could have failed.

    Rows are inputs only towards the counts that were solved from them: trials, or the counts of another paper, test
    them.
    """
    if source is None:
        return None
    for role, of_table, quantities, at in RULES:
        if of_table == table and quantity in quantities.split() and (not at or at in keys):
            return role if role.status == Status.REPEAT or source == FROM_COUNTS else None
    return None
