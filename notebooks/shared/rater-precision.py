# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # How many raters?

# %% tags=["parameters"]
profile = "default"
rater_alpha = 0.25
rater_agreement = 0.90
half_width = 0.15
n_panels = 500
seed = 42

# %%
from metacog.studies import open_run

run = open_run("shared", profile)

# %%
found = run.result(
    "raters",
    rater_alpha=rater_alpha,
    rater_agreement=rater_agreement,
    half_width=half_width,
    n_panels=n_panels,
    seed=seed,
)
found.glue()
found.answer()

# %%
found.figure("spread")

# %% [markdown]
# Raters who judge the same items agree, or do not. How precise is the number that expresses their agreement?
# Invent raters whose agreement is known, let them judge, and see how far the estimates fall from the truth. Each
# of these raters independently knows an item's true category with a certain probability, and otherwise guesses
# according to how frequent the categories are. The square of that probability is their **Krippendorff's alpha**
# {cite:p}`krippendorff2004`, the agreement corrected for chance, whatever the number of raters, so it can be set:
# here to {glue:text}`raters_alpha:.2f`. There are two categories, such as *right* and *wrong*. Each design was
# simulated {glue:text}`raters_simulations:,` times.

# %% [markdown]
# ## Raters or items?

# %%
found.text("trade")

# %% [markdown]
# The smallest number of raters whose alpha spreads by no more than {glue:text}`raters_half_width:.2f` on either
# side:

# %%
found.table("needed")

# %% [markdown]
# ## Are the intervals wide enough?
#
# `metacog raters` computes an interval by resampling items (the bias-corrected and accelerated bootstrap, BCa
# {cite:p}`efron1987`). How often does it contain the alpha that was put in?

# %%
found.box("coverage")

# %%
found.table("designs")

# %% [markdown]
# ## Two bars, two questions
#
# A bar for agreement and one for alpha are not a strict and a lenient form of the same thing. Where one judgement
# is rare, raters often agree without knowing anything; then agreement is easily high, and alpha is not. Where both
# are frequent it is the other way round: raters at the bar of alpha, {glue:text}`raters_alpha:.2f`, are far from
# the bar of agreement, {glue:text}`raters_agreement:.2f`.

# %%
found.table("bars")

# %% [markdown]
# ## What would change your mind
#
# These raters err independently of one another, and all items are equally hard. Where raters share a misreading,
# they agree on something wrong, and no number of them reveals it. Where a few items are hard and the rest plain,
# alpha rests on the few. A pilot with a handful of raters is more informative than this page: run `metacog raters`
# on it, and set `rater_alpha` to what it finds.
