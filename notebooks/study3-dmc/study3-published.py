# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # DMC: what published tables let us check

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study3_dmc", profile)
published = run.result("published")
published.glue()
published.answer()

# %%
published.figure("differences")

# %% [markdown]
# The study {cite:p}`wang2025dmc` prints DMC of GPT-3.5 for six ways of eliciting confidence on eight data sets
# (table 2), of three models for three of these ways (table 3), and coefficients of variation (CV, the standard
# deviation divided by the mean) over the data sets (table 1). It publishes no counts and no trials. So no cell can
# be recomputed here. What can be computed are the figures that follow from cells: averages, the CVs of DMC, and
# the statistics of the text.
#
# Cells are printed to four decimals, and rounding carries over. Each figure is allowed half a unit of its last
# digit and what chance rounding of the cells can do, at a level shared by all {glue:text}`published_n_figures` of
# them.

# %%
published.table("off", folded=True)

# %%
published.text("worst_case")

# %% [markdown]
# The differences are small. They are listed because a companion should report what it could not reproduce. Cells
# that are printed in two versions are one possible cause:

# %%
published.box("two_versions")

# %%
published.table("differing", folded=True)

# %% [markdown]
# ## Which standard deviation?
#
# A standard deviation can be taken over $n$ or over $n - 1$.

# %%
published.box("deviations")

# %% [markdown]
# ## The CVs of AUROC
#
# The other CVs of table 1 cannot be computed, but they can be bounded.

# %%
published.box("auroc")

# %% [markdown]
# ## Every figure that could be checked
# <!-- fold -->

# %%
published.text("agreement")

# %%
published.table("figures")

# %% [markdown]
# ## What would change your mind
#
# The counts: from them every cell could be computed, and with it each figure. Every printed figure, including those
# that wait for counts, has its row in [the ledger](ledger.ipynb).
