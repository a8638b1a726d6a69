# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A battery, and what is in its files

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study5_battery", profile)
responses = run.result("responses")
responses.glue()
responses.answer(note="faults_found")

# %%
responses.figure("identical")

# %% [markdown]
# Ask a question; take the answer; then ask twice more. *Keep this answer, or withdraw it? Bet that it is right, or
# do not bet?* Confidence is not mentioned, and no number is asked for. A model that knows when it is wrong will
# withdraw wrong answers more often than right ones.
#
# The Metacognitive Monitoring Battery {cite:p}`cacioli2026battery` asks this of twenty models on 524 items of six
# tracks. Its author published every response. This study recomputes all of it from those responses: here what they
# are and what is wrong with them, then [who knows what it knows](study5-overview.ipynb), [which items reveal
# it](study5-regulation.ipynb), and [what it is good for](study5-regulation.ipynb).
#
# ## What there is
#
# {glue:text}`responses_total:,` responses: {glue:text}`responses_models` models, {glue:text}`responses_items`
# items. On T1 to T5 an item is a forced choice, followed by both probes. T6 reverses the order: *before* it
# answers, a model chooses whether to answer directly, to ask for a hint, or to decline.
# {glue:text}`responses_all_right` of the items were answered correctly by every model,
# {glue:text}`responses_none_right` by none: they distinguish no model from another.
#
# The items and the wording of the answers are the author's and are not copied here. What each model chose is a
# fact, and the facts are kept in this project as a table of codes (CC BY 4.0, with their source), so that these
# pages need no network. `metacog data fetch battery-responses` downloads the author's files and compares them with
# it.

# %%
responses.table("tracks", folded=True)

# %% [markdown]
# ## Before anything is computed
#
# Five questions to ask of any set of responses, whoever collected it.
#
# ### Is a file filed twice?
#
# Two models may answer alike. But how alike? For each pair of identical files, the chance is computed that a model
# with the same habits would agree with the other on every item, given what the remaining models answered there.

# %%
responses.box("identical_files")

# %%
responses.table("identical", folded=True)

# %% [markdown]
# Which of the two models was really asked cannot be determined from the files. So both are left out wherever this
# book computes something "without copied files".
#
# ### Is declining the same as being wrong?
#
# On T6 a declined item earns a quarter of a point, and is logged as wrong.

# %%
responses.box("declined_most")

# %%
responses.table("declined", folded=True)

# %% [markdown]
# ### Are answers compared as written?
#
# Somebody who writes H₂O has the same answer as somebody who writes H2O. A computer that compares characters does
# not think so.

# %%
responses.box("keys")

# %%
responses.table("unnormalised", folded=True)

# %% [markdown]
# ### Does a model answer at all?

# %%
responses.box("repeated_answers")

# %% [markdown]
# ### Can the measure be computed?
#
# The withdraw delta, the share of right answers kept minus the share of wrong ones kept, compares wrong answers
# with right ones. A model that is never wrong on a track has no delta there: not a delta of zero, none at all. Of the
# {glue:text}`responses_defined` deltas that are defined, {glue:text}`responses_thin` rest on fewer than five wrong
# answers. One answer more or less then moves a delta by twenty points or more.

# %%
responses.table("undefined", folded=True)

# %% [markdown]
# ## Does it matter?
#
# Every headline of the study, as published and once everything found above is left out or corrected. A headline
# *concludes something else* when it names another model, lies on another side of 0 with its interval, or goes another
# way; other digits alone do not count.

# %%
responses.box("changed_headlines")

# %%
responses.table("headlines")

# %% [markdown]
# ## What would change your mind
#
# That files were filed twice: the original logs of those runs, with different time stamps and the same answers.
# That it matters little: a headline that keeps its sign and its size in both columns of the table above.
