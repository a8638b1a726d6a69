# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 4: do the probe's printed figures agree with one another?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study4_probe", profile)
audit = run.result("published")
audit.glue()
audit.answer()

# %%
forest(
    audit.sweep,
    value=["score", "printed"],
    rows="thresholds",
    inline=True,
    titles={"": "score out of 100", "score": "from its twelve printed answers", "printed": "printed"},
    caption="Gemini 2.5 Flash's score for its confidence out of 100, at nine pairs of thresholds. Look how little the "
    "thresholds move what its answers give, and how far the printed scores move.",
    label="fig-study4-sweep",
)

# %% [markdown]
# **The question.** Is there one ability to know one's limits, or are calibration, vigilance against flaws, and
# knowledge of what cannot be answered different things?
#
# **What the paper did** {cite:p}`oliveira2026probe`. Eight large models and a panel of people answered 78 items in
# five tasks, each scored from 0 to 100:
#
# - **Confidence out of 10** (the paper's T1-CC): 24 questions with a number for an answer. The score is
#   $50\,(r + 1)$, where $r$ is the correlation of confidence with being right.
# - **Flaws in arguments** (T2-EV): 20 arguments and sources. Is the flaw found and named?
# - **Limits of knowledge** (T3-KB): 10 questions, some without an answer. Does the model say so, and why?
# - **Confidence out of 100** (T4-CR): 12 questions, scored by the rule below.
# - **False steps** (T5-RCV): 12 chains of reasoning. Is the false step found?
#
# **What this book adds.** The answers of the eight models were not published, so no score can be recounted. But printed
# figures have to agree with one another, such as a score with the twelve answers printed next to it. One that does not
# follow is no proof of an error: it may rest on data that are not printed.

# %% [markdown]
# ## What the paper found, and what holds of it
#
# A figure that is *found again* says that the paper computed what it says, not that the measure is sound.

# %%
shared = open_run("shared", profile)
findings = shared.result("findings")
findings.text("study 4")

# %%
shown = {"finding": "What the paper says", "where": "Where", "printed": "Printed", "recomputed": "Computed again", "outcome": "Its figures", "page": "More"}
table(linked(findings.findings.query("study == 'study 4'"), "page"), *shown, titles=shown, caption="Each finding of the paper, next to what its figures give when they are computed again.")

# %% [markdown]
# ## One model's confidence, item by item
#
# The paper's most striking finding is a model that is best at confidence out of 10 and worst at confidence out of 100:
# Gemini 2.5 Flash says 100 nearly always. Its twelve answers are printed. The rule is
#
# $$\begin{aligned}
# \text{brier} &= 100\,\Bigl(1 - \tfrac1n\sum_i (p_i - y_i)^2\Bigr), \\
# \text{score} &= \max\bigl(0,\ \text{brier} \\
# &\qquad {}- 20\max(0, 1 - s/\sigma_T) \\
# &\qquad {}- 10\max(0, 1 - R/R_T)\bigr),
# \end{aligned}$$
#
# with confidence $p_i$ (as a share), $y_i = 1$ for a right answer, and the standard deviation $s$ and the range $R$ of
# confidence in percent. With the middle thresholds, $\sigma_T = 10$ and $R_T = 50$, the twelve answers give
# {glue:text}`published_flash_score:.1f`. Without penalties they give {glue:text}`published_flash_brier:.1f`; the
# printed value is {glue:text}`published_flash_brier_printed:.0f`.
#
# The penalties ask whether confidence moves at all. Here its standard deviation is
# {glue:text}`published_flash_sd:.1f` points, far below any threshold of the paper's band (section E.3). So it can hardly matter which threshold is taken: the score lies between
# {glue:text}`published_flash_low:.1f` and {glue:text}`published_flash_high:.1f`.
#
# Three other models are said to have given the same confidence throughout. Then both penalties apply in full,
# {glue:text}`published_whole_penalty:.0f` points, and only a few sets of answers can lead to the printed score.

# %%
table(
    audit.constant,
    *("model", "score", "right_at_100", "right", "most"),
    titles={"right_at_100": "Right, if all at 100", "right": "Right, as printed", "most": "Most with so many right"},
    digits={"score": 0, "right_at_100": 0, "right": 0, "most": 1},
    caption="How many of twelve answers must be right for the printed score, and how many are printed as right. Look "
    "where so many, at one confidence, cannot give the score.",
)

# %% [markdown]
# ## How many items?
#
# Whether a correlation differs from 0 depends on how many items it rests on, and printed intervals and p-values reveal
# how many there were.

# %%
audit.text("test_sizes")

# %% [markdown]
# ## Which model is good at which benchmark?
#
# The paper compares its composite with five public benchmarks. The models' scores on them are not printed, but the rank
# correlation of each *task* with each benchmark is, to three decimals. Eight models can be ordered in
# {glue:text}`published_orders:,` ways, ties included. Only orders that give all five correlations can be the benchmark's.

# %%
audit.text("external_orders")

# %%
table(
    audit.rankings,
    caption="Places of the models on each benchmark, as the printed correlations fix them.",
)

# %% [markdown]
# The composite's correlation was not used to find the orders. Where it comes out to three decimals all the same, that
# speaks for the order and for the composite.
#
# ## One ability, or several?
# <!-- fold -->
#
# Models of one family share data and recipe, so eight are fewer than eight independent ones.

# %%
panel = run.result("published_panel")
panel.text("rank_agreement")

# %%
forest(
    panel.ranks,
    value="tau",
    rows="pair",
    interval=("lower", "upper"),
    reference=0,
    titles={"tau": "Kendall's tau-b"},
    caption="How alike two tasks rank the eight models, with 95 % intervals: 1 the same order, -1 the opposite one; at the "
    "dashed line one says nothing of the other. Look how wide the intervals of eight models are.",
    label="fig-study4-ranks",
)

# %%
table(
    audit.leaderboard,
    *("model", "T1_CC", "T2_EV", "T3_KB", "T4_CR", "T5_RCV", "mean_T1_T5"),
    titles={"mean_T1_T5": "Mean"},
    digits={"mean_T1_T5": 1},
    caption="The printed scores of the eight models.",
    folded=True,
)

# %% [markdown]
# ## Which raters?
# <!-- fold -->
#
# The raters who judged the answers are described by their agreement and by Krippendorff's alpha
# {cite:p}`krippendorff2004`, which takes off what chance agrees on. ([How to run your own panel](rater-precision.ipynb).)

# %%
table(
    audit.reliability,
    *("task", "agreement", "alpha"),
    titles={"agreement": "Agreement", "alpha": "Krippendorff's alpha"},
    digits={"agreement": 2, "alpha": 2},
    caption="The raters, as printed. The paper asks for an agreement of 0.90 and an alpha of 0.25.",
)

# %% [markdown]
# ## Components and cosines
# <!-- fold -->
#
# The first two principal components of the five scores carry {glue:text}`published_share:.1f` percent of the variance.
# With eight models a loading is known to about $1/\sqrt 8$, {glue:text}`published_loading_error:.2f`.
#
# The **cosine** of two profiles is 1 if they have the same shape. All scores are positive and of similar size, so the raw
# cosine is near 1 whatever the models do. If each task's mean is subtracted first, the $n$ profiles sum to 0, and their
# mean cosine must lie near $-1/(n-1)$, again whatever the models do. The paper prints
# {glue:text}`published_cosine_printed:.2f` for all eight.
#
# ## This book's models
#
# Does confidence [follow what they know](study4-replication.ipynb)?

# %%
own = run.result("replication")
own.text("answer")

# %% [markdown]
# ## What would change your mind
#
# The answers themselves. Most rows of this study in [the ledger](ledger.ipynb) have the status *needs data*, and
# name which.
