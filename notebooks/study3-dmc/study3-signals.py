# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Nine ways to ask a model how sure it is

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.studies import open_run

run = open_run("study3_dmc", profile, other)
signals = run.result("signals")
signals.glue()
signals.answer()

# %%
signals.figure("ranking")

# %% [markdown]
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one. **meta-I2r** is how much
# of the uncertainty about correctness the confidence removes, in {glue:text}`signals_ratings` levels.
#
# Before metacognition can be measured, confidence must be elicited, and there are many ways to ask for it. The
# paper compares six {cite:p}`wang2025dmc`; three more are added here, so that what study 1 read off the model (its
# own probabilities) and what studies 2, 4 and 5 ask it to say can be compared on one set of questions.
#
# - **Verbalised.** The model states a number: at once (*vanilla*), after a sentence of reasoning (*CoT*, chain of
#   thought), or for each of its guesses (*top-k*).
# - **Consistency.** The model answers ten times, and confidence is how often it says the same: to one question
#   (*self-random*), to ten wordings of the instruction (*perturbing*), or with remarks that lead astray
#   (*misleading*).
# - **Read off the model.** The probability of the chosen option; *P(True)*, the probability of "yes" when asked
#   whether the answer is right {cite:p}`kadavath2022`; and *decoding entropy*, how widely the answers it would
#   write scatter.
#
# The questions have two options each: the right answer and one wrong one. Small models often fail to write a
# number. So the verbalised ways are asked twice: *written*, as in the paper, and *scored*, where every digit of a
# scale gets a probability and so a number always results.
#
# How the options are presented was chosen from five forms, on other questions than these, by the models' accuracy
# and by how little the position of an option mattered: so their accuracy here is no benchmark of the models.
#
# ## What asking yielded
#
# A signal that hardly varies, or that could be read from fewer than {glue:text}`signals_least_parsed:.0%` of the
# replies, is called undefined and is not ranked: its figures would be those of the few trials on which it did not
# fail.

# %%
signals.text("best")

# %%
signals.table("ranking", folded=True)

# %%
signals.table("pooled", folded=True)

# %%
signals.table("failures", folded=True)

# %%
signals.table("by_set", folded=True)

# %% [markdown]
# ## Does the position of an option decide?
#
# Asked for a letter, a model may say A whatever A is. That is why the right option comes first in every other question
# (or, in a profile with `orders: both`, each pair of options is shown in both orders), and why this bias is reported
# next to every accuracy.

# %%
signals.table("positions")

# %%
run.other_run("signals", "ranking")

# %% [markdown]
# ## What would change your mind
#
# About the best signal: intervals that no longer overlap, with more questions. About a signal at one half: a
# larger model. A signal can only reveal what the model knows about itself.
