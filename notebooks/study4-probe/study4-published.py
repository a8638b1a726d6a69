# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The Metacognitive Probe, from its printed figures

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study4_probe", profile)
audit = run.result("published")
audit.glue()
audit.answer()

# %%
audit.figure("sweep")

# %% [markdown]
# The Metacognitive Probe {cite:p}`oliveira2026probe` asks a model 78 questions in five tasks, and gives each task
# a score from 0 to 100:
#
# - **T1-CC**, *confidence calibration*: 24 questions with a number for an answer, each with a confidence from 1 to
#   10. The score is $50\,(r + 1)$, where $r$ is the correlation of confidence with being right.
# - **T2-EV**, *epistemic vigilance*: 20 flawed arguments and doubtful sources. Is the flaw found and named?
# - **T3-KB**, *knowledge boundary*: 10 questions of which some cannot be answered. Does the model say so, and why?
# - **T4-CR**, *calibration range*: 12 questions with a confidence from 0 to 100, scored by the Brier score, with
#   penalties for a confidence that hardly moves.
# - **T5-RCV**, *reasoning-chain validation*: 12 chains of reasoning, some with a false step. Is it found?
#
# The answers of the eight models were not published, so no score can be recounted. But printed figures have to
# agree with one another, and that can be checked: a mean with the scores it is the mean of, a p-value with its
# correlation, a score with the twelve answers printed next to it. A figure that does not follow is no proof of an
# error. It may rest on another version of the data than the one printed; but it cannot rest on the one printed.

# %%
audit.text("granularity")

# %% [markdown]
# ## One model's overconfidence, item by item
#
# The paper's most striking finding is a model that is the best calibrated on T1-CC and the worst on T4-CR: Gemini
# 2.5 Flash says 100 nearly always. Its twelve answers are printed. The rule is
#
# $$\begin{aligned}
# \text{brier} &= 100\,\Bigl(1 - \tfrac1n\sum_i (p_i - y_i)^2\Bigr), \\
# \text{score} &= \max\bigl(0,\ \text{brier} \\
# &\qquad {}- 20\max(0, 1 - s/\sigma_T) \\
# &\qquad {}- 10\max(0, 1 - R/R_T)\bigr),
# \end{aligned}$$
#
# with confidence $p_i$ (as a share), $y_i = 1$ for a right answer, the standard deviation $s$ and the range $R$ of
# confidence in percent. With the middle thresholds, $\sigma_T = 10$ and $R_T = 50$, the twelve answers give
# {glue:text}`published_flash_score:.1f`. Without penalties they give {glue:text}`published_flash_brier:.1f`; the
# printed value is {glue:text}`published_flash_brier_printed:.0f`. The paper varies the thresholds, to show that the
# finding does not depend on them:

# %%
audit.box("sweep_agreement")

# %% [markdown]
# What the penalties ask is whether confidence moves at all. Here its standard deviation is
# {glue:text}`published_flash_sd:.1f` points, far below any threshold of the band, so by the formula it can hardly
# matter which threshold is taken. Three other models are said to have given the same confidence throughout. Then both
# penalties apply in full, {glue:text}`published_whole_penalty:.0f` points, and only a few sets of answers can lead to
# the printed score:

# %%
audit.box("constant_confidence")

# %% [markdown]
# ## Does confidence follow correctness? Tests on 24 items
#
# Spearman's $\rho$ needs only ranks. Whether it differs from 0 depends on how many items it is based on, and the
# printed p-values and intervals reveal how many there were.

# %%
audit.figure("tests")

# %%
audit.box("test_sizes")

# %% [markdown]
# ## Solving a riddle: which model is good at which benchmark?
#
# The paper compares its composite with five public benchmarks. The models' scores on them are not printed, but the
# rank correlation of each *task* with each benchmark is, to three decimals. Eight models can be ordered in
# {glue:text}`published_orders:,` ways, ties included. Of all these, only orders that give all five correlations can
# be the benchmark's.

# %%
audit.box("external_orders")

# %% [markdown]
# The composite's correlation was not used to find the orders. Where it is reproduced to three decimals
# nonetheless, that is strong evidence for the order, and for which composite was compared with the benchmarks. With
# eight models the interval of a correlation is wide, even where the correlation is high.
#
# ## The human raters

# %%
audit.box("reliability_bars")

# %%
panel = run.result("published_panel")
panel.glue()
panel.box("people")

# %% [markdown]
# Agreement and alpha can diverge: where nearly all judgements fall on one side, raters agree often by chance
# alone, and alpha, which corrects for chance, is near 0 {cite:p}`krippendorff2004`. [How to run your own
# panel](../book/human-panel.md), and how many raters it takes, has its own page. Where no number of people fits both
# intervals, one of the two was computed in another way (by a bootstrap, say), or from other people.
#
# ## Eight models, five tasks, in figures and tables
# <!-- fold -->

# %%
audit.figure("profiles")

# %%
audit.table("leaderboard")

# %%
audit.table("tests")

# %%
audit.table("external")

# %%
audit.table("rankings")

# %%
audit.table("reliability")

# %% [markdown]
# ## One model's lost points
# <!-- fold -->

# %%
audit.table("items")

# %% [markdown]
# Murphy's terms {cite:p}`murphy1973` show where the lost points went:

# %%
panel.box("murphy_loss")

# %%
panel.table("murphy")

# %% [markdown]
# With one bin for each stated value nothing is hidden within bins. Bins of equal width put values that are close
# together into one, and what distinguishes them then appears in the remainder instead of the resolution; the sum
# is the same. How does Flash state its confidence? The rule is the one by which [the other
# chapter](study4-replication.ipynb) sorts this book's models.

# %%
panel.text("strategy_rule")

# %%
panel.table("strategy")

# %%
audit.table("constant")

# %% [markdown]
# The last column of the table of tests is another check. A T1-CC score corresponds to a Pearson correlation $r$, and
# $\rho$ is the rank correlation of the same two things. The two need not be equal, since confidence has ten steps and
# correctness two. Where they are far apart, few items carry the correlation.
#
# ## What do the tasks share?
# <!-- fold -->
#
# Principal components show how many independent directions the five scores have. The first two carry
# {glue:text}`published_share:.1f` percent of the variance. The sign of a component is arbitrary.

# %%
audit.table("loadings")

# %% [markdown]
# With eight models a loading is known to about $1/\sqrt 8$, {glue:text}`published_loading_error:.2f`, so that only
# the largest mean something. The plainest of such figures is the correlation of two tasks: for T1-CC and T2-EV it
# is {glue:text}`published_r_panel:.2f` over the printed profiles, where the text has
# {glue:text}`published_r_printed:.2f`.
#
# The **cosine** of two profiles is 1 if they have the same shape. As published, all scores are positive and of
# similar size, so that the raw cosine is near 1 whatever the models do. If each task's mean is subtracted first,
# the $n$ profiles sum to 0, and their mean cosine must lie near $-1/(n-1)$, again whatever the models do. The
# paper prints {glue:text}`published_cosine_printed:.2f` for all eight.

# %%
audit.table("cosines")

# %% [markdown]
# Models of one family share data and recipe, so eight models are fewer than eight independent ones. What would be
# left of the correlation of two tasks without each family? A family is identified by the beginning of a model's name.

# %%
panel.box("lineages_left_out")

# %%
panel.box("printed_correlation")

# %%
panel.figure("lineages")

# %%
panel.table("lineages")

# %% [markdown]
# ## Do two rankings agree, and how well do items discriminate?
# <!-- fold -->
#
# Kendall's $\tau_b$ is based on the number of pairs of models that two scores put in the same order, minus the
# number that they put in opposite orders. For eight models all orders can be gone through, so that its p-value is
# exact, ties included. The paper's hypotheses are about people and raters, whose answers were not published; the
# same question can be asked of the models.

# %%
panel.box("rank_agreement")

# %%
panel.text("composite_ranks")

# %%
panel.table("ranks")

# %%
panel.box("item_discrimination")

# %% [markdown]
# ## What would change your mind
#
# The answers themselves. Most rows of this study in [the ledger](ledger.ipynb) have the status *needs data*, and
# name which.
