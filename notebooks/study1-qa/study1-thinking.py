# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Does thinking help a model to know itself?

# %% tags=["parameters"]
profile = "default"
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile)
thinking = run.result("thinking", seed=seed, verdicts=verdicts)
thinking.answer("in_short")

# %%
thinking.figure("arrows")

# %% [markdown]
# A **reasoning model** can write down a train of thought, its **trace**, before it answers. That often makes the
# answer better. Does it also make the model a better judge of its answer? The author of study 1 put the study's own
# measure to this question in a later run {cite:p}`cacioli2026thinking`: three models of 7 to 8 billion parameters
# answered 2,000 TriviaQA questions with thinking on and with thinking off. Confidence is again **NLP**, the mean
# log-probability of the words of the answer, without those of the trace. Nothing on this page comes from the models of
# this book; all of it is computed from the author's published counts.

# %% [markdown]
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one: 0.5 is chance, 1 is perfect.
# **meta-I2r** is the share of the uncertainty about correctness that confidence removes. The counts sort the replies
# into four **ratings**, which are the quarters of confidence with thinking off; with thinking on the same edges are
# used.
#
# :::{warning}
# Three limits of all that follows. The counts do not say which replies belong to the same question, so the two modes
# are compared as if they had been asked different questions; the author's own intervals, which pair the questions,
# are printed next to ours further down. And the probability of an answer's words is only one kind of confidence. A
# model that has settled on an answer in its trace merely copies it afterwards, and the words it copies are likely,
# right or wrong: that such confidence says little need not mean that the model knows itself less. Third, M-ratio is
# for open answers a statistic of the shape of one table, and no measure of efficiency ([The
# correction](study1-correction.ipynb)).
# :::

# %% [markdown]
# ## All measures

# %%
thinking.table("measures", folded=True)

# %%
thinking.table("differences", folded=True)

# %%
thinking.verdicts(topic="auroc2")

# %%
thinking.verdicts(topic="meta_i2r")

# %%
thinking.verdicts(topic="accuracy")

# %% [markdown]
# ## Accuracy and confidence apart
#
# A measure of self-knowledge can change for three reasons. **Accuracy** changes: with more right answers there is
# less to find out. The **use of the ratings** changes: if nearly all replies have the highest rating, ratings can
# say little. Or the **worth of a rating** changes: how much larger the odds of being right are at one rating than
# at another. Each can be changed while the other two are held (by *raking* the table, Deming and Stephan 1940), so
# that the whole change parts into three. What confidence says *within* a rating is lost in the counts; how much that
# is can be seen from the crosses in the first figure.

# %%
thinking.figure("ratings")

# %%
thinking.box("shares")

# %%
thinking.verdicts(topic="worth")

# %% [markdown]
# ## Accuracy and confidence apart, in tables
# <!-- fold -->

# %%
thinking.table("parts", folded=True)

# %% [markdown]
# The same question asked differently: what would the measures be with thinking on if accuracy, and then also the use
# of the ratings, were as with thinking off?

# %%
thinking.table("equal", folded=True)

# %%
thinking.table("ratings", folded=True)

# %% [markdown]
# ## Is it the trace?
# <!-- fold -->
#
# The author also had the replies of thinking on read once more, in a context without the trace that led to them.
# Where confidence then tells right from wrong again, it was the trace before it that had made every answer look
# certain.

# %%
thinking.table("raw", folded=True)

# %%
thinking.box("without_trace")

# %% [markdown]
# ## Marking
# <!-- fold -->
#
# A reply counts as right if it equals an accepted answer, nearly equals it, or *contains* one. The author also
# printed what is left without the last rule. A reply in a whole sentence then counts as wrong, so that what remains
# depends on how short replies are; with the rule, a long reply has more room to contain an accepted answer by accident.
# Neither marking settles what the other gets wrong.

# %%
thinking.table("marking", folded=True)

# %%
thinking.box("marked_strictly")

# %% [markdown]
# ## Replies that were left out
# <!-- fold -->
#
# A reply without a single letter was called malformed and left out: an answer that is a year or a number as well,
# right or wrong. Bounds follow from letting each of them be right or wrong,
# above or below all other replies in confidence, whatever serves the extreme.

# %%
thinking.box("left_out")

# %%
thinking.table("replies", folded=True)

# %%
thinking.verdicts(topic="left_out")

# %% [markdown]
# ## Signal detection, and two fits that failed
# <!-- fold -->
#
# For two of the six tables the author prints neither $d'$ nor an M-ratio: the fit is said not to have converged, and a
# supplementary file names the reason, a division by zero. Ours are maximum-likelihood fits of the same tables.
#
# Where $d'$ is close to zero, a ratio to it is not determined, whether or not a fit converges.

# %%
thinking.table("fits", folded=True)

# %%
thinking.box("fits_say")

# %%
thinking.table("fitted", folded=True)

# %%
thinking.verdicts(topic="m_ratio")

# %% [markdown]
# ## By domain
# <!-- fold -->

# %%
thinking.table("domains", folded=True)

# %%
thinking.box("by_domain")

# %% [markdown]
# ## What would change your mind
#
# - That thinking does not help: another kind of confidence, such as a stated one or agreement between several traces,
#   that rises where the probability of the words falls.
# - That it is the worth of a rating: trials by question, with edges drawn within each mode. They are in the author's
#   repository, and this book does not use them yet; they would also pair the questions.
# - That marking is sound: marks by people for a few hundred replies of each mode.
