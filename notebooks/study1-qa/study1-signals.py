# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What do you lose without log-probabilities?

# %% tags=["parameters"]
profile = "default"
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile)
compared_signals = run.result("compared_signals", seed=seed, verdicts=verdicts)
compared_signals.glue()
compared_signals.answer()

# %%
compared_signals.figure("compared")

# %% [markdown]
# Study 1 reads confidence off the probabilities that a model gives to the words of its answer. Many servers do not
# tell these. Confidence must then come from something else, and this chapter asks what the replacement is worth and
# what it takes. The same questions were put to both small models once for each **signal**:
#
# - **NLP**, the mean log-probability of an answer's words, as in the paper. It needs log-probabilities, and nothing
#   beyond the answer.
# - **P(True)**, the probability of True when the answer is proposed to the model {cite:p}`kadavath2022`. It needs the
#   probabilities of two given options, and one further request.
# - **Verbal**, the percentage that the model writes when it is asked how likely its answer is right. It needs no
#   probabilities, and one further request.
# - **Agreement**, the share of ten further answers to the question that are the same answer. It needs no
#   probabilities, and ten further answers.
#
# The replies come with the book (the profile `signals`); they are not of the run that the other chapters show. All
# answers are drawn at $T = 1$ with the same seeds for each signal; a table below says how many came out the same.

# %%
compared_signals.box("in_short")

# %%
compared_signals.box("without_luck")

# %%
compared_signals.text("missing")

# %% [markdown]
# ## Which signal distinguishes right from wrong?
#
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one. **meta-I2r** is the share of
# the uncertainty about being right that confidence removes, and **meta-I** the same in bits (see [The
# measures](measures.ipynb)). Ratings are eight bins of equal frequency, or the values themselves where there are at
# most eight. A signal that could be read from fewer than four answers in five is not judged: its figures would be
# those of the answers on which it did not fail.

# %%
compared_signals.table("signals", folded=True)

# %% [markdown]
# ## What is lost
#
# Each other signal is set against NLP on the questions on which both have a confidence. Both are about the same
# questions, so the interval is of the difference itself. Part of what is lost is no knowledge of the question but the
# [luck of the draw](study1-luck.ipynb), which the other signals, agreement aside, do not read: the table has what is
# left with NLP at the lowest temperature. The rule for each signal is about NLP at $T = 1$:

# %%
compared_signals.rules()

# %%
compared_signals.table("losses", folded=True)

# %%
compared_signals.verdicts(topic="lost")

# %% [markdown]
# ## What it takes
#
# Tokens are counted as a server would be sent them. The prompt has four examples, so it is much longer than an
# answer: a signal that asks more often pays mostly for reading the same prompt again.

# %%
compared_signals.table("costs")

# %% [markdown]
# A server that takes several samples of one prompt in one request, or keeps prompts in a cache, makes agreement
# cheaper than it is here. `add-model` proposes NLP where log-probabilities can be had and agreement where they cannot;
# [A new model](../book/new-model.md) says how to choose another.
#
# ## What would change your mind
#
# These are two small models, one of which follows no instructions. A model that states percentages it means would
# move *verbal* up, at few tokens; and one that answers the same at every draw leaves agreement
# nothing to count. To see it for a model of your own, add its name to `config/profiles/signals.yaml` and collect each
# signal with the command that stands there; the replies of `metacog replies pack` then take the place of
# `data/replies/study1-signals.zip`.
