# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A primer: every measure from eight counts

# %% tags=["parameters"]
profile = "default"
n_resamples = 2_000
n_permutations = 2_000
seed = 42

# %%
from metacog.studies import open_run

run = open_run("shared", profile)
primer = run.result("primer", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
primer.glue()
primer.answer(note="between")

# %%
primer.figure("evidence")

# %% [markdown]
# Does somebody who decides know when the decision is right? This page builds the measures that the book uses for
# that question, one after the other, from one small table. It needs no more than shares and a bell curve. What each
# measure misses, and what the rest of the book's measures are, follows in [The measures](measures.ipynb); in [the
# explorer](../book/explorer.md) you can move the same observer yourself.
#
# ## 1. The table
#
# Somebody, a person or a language model, reads {glue:text}`primer_n:d` sentences, {glue:text}`primer_each:d` of them
# negative and {glue:text}`primer_each:d` positive. After each it says which it was, and whether it is sure. One
# sentence with its reply is a **trial**.

# %%
primer.table("replies")

# %% [markdown]
# The share of right replies, **accuracy**, is {glue:text}`primer_accuracy:.2f`. One number, and it mixes two things:
# how well the answerer tells the two kinds apart, and how readily it says "positive".
#
# ## 2. d' and the criterion: what was decided
#
# Forget confidence for now. {glue:text}`primer_hits:d` of {glue:text}`primer_each:d` positive sentences were called
# positive: the **hit rate** is {glue:text}`primer_hit_rate:.2f`. So were {glue:text}`primer_false_alarms:d` of
# {glue:text}`primer_each:d` negative ones: the **false-alarm rate** is {glue:text}`primer_false_alarm_rate:.2f`.
#
# Signal detection theory pictures this with two bell curves. Every sentence gives the answerer some evidence, more
# of it on average if the sentence is positive. Where the evidence exceeds a line, the **criterion**, the answerer says
# "positive". A function called $z$ turns a share into a place on the bell curve (half is 0, more than half is above
# 0), and so finds out how far apart the curves are and where the line is (the first figure of this page):
#
# $$\begin{aligned}
# d' &= z(\text{hit rate}) - z(\text{false-alarm rate}), \\
# c &= -\tfrac12\,\bigl(z(\text{hit rate}) \\
# &\qquad\quad {}+ z(\text{false-alarm rate})\bigr).
# \end{aligned}$$
#
# Here $z$ of the hit rate is {glue:text}`primer_z_hit:.2f` and $z$ of the false-alarm rate
# {glue:text}`primer_z_false_alarm:.2f`. So $d'$ is {glue:text}`primer_d_prime:.2f` (the **sensitivity**) and $c$ is
# {glue:text}`primer_c:.2f`; a negative $c$ says "positive" a little more often than "negative".

# %% [markdown]
# Why not be content with accuracy? Move only the line, and accuracy changes although nothing has been learnt or
# forgotten about sentences:

# %%
primer.table("criteria", folded=True)

# %% [markdown]
# Both numbers are about the world: which kind of sentence was it? That is called **type 1**. From here on the
# question is about the answerer itself: was my reply right? That is **type 2**.
#
# ## 3. AUROC2: does confidence rank?
#
# Now sort the same replies by whether they are right and by how sure the answerer was.

# %%
primer.table("confidence")

# %% [markdown]
# Draw one right and one wrong reply. There are {glue:text}`primer_right:d` times {glue:text}`primer_wrong:d`, or
# {glue:text}`primer_pairs:,d`, such pairs. In {glue:text}`primer_ordered:,d` of them the right reply is sure and the
# wrong one unsure; in {glue:text}`primer_tied:,d` both have the same confidence. Count a tie as half, and the right
# reply is ahead in a share of {glue:text}`primer_auroc2:.3f` of the pairs. That is **AUROC2**: one half is chance, 1
# is a confidence that is always higher when the reply is right.
#
# AUROC2 ranks replies; it does not ask whether there was anything to know. Somebody who hears the difference between
# two kinds of sentence well has more to be sure *of*, and will have a higher AUROC2 with the same care for their own
# replies. With this table's $d'$, a confidence that uses all the evidence of the decision would reach
# {glue:text}`primer_auroc2_whole:.3f` if it had two levels, each for half of the replies of a kind, and more with more
# levels.
#
# ## 4. meta-d' and M-ratio: measured against the decision
#
# So turn the question round. Which $d'$ would an answerer need whose confidence used all of its evidence, to be sure
# among right and wrong replies just as often as this table is? That $d'$ is **meta-$d'$**
# {cite:p}`maniscalco2012`. It is found by trying: the computer moves it, and the lines between sure and unsure, until
# the shares that follow from the bell curves come as close as they can to the observed ones.

# %%
primer.table("observers", folded=True)

# %% [markdown]
# meta-$d'$ is in the units of $d'$, so the two can be divided. meta-$d'$ is {glue:text}`primer_meta_d:.2f`, $d'$ is
# {glue:text}`primer_d_prime:.2f`, and the **M-ratio**, meta-$d'/d'$, is {glue:text}`primer_m_ratio:.2f`. At 1
# confidence uses everything that the decision used, above 1 more than that; at 0 it knows nothing, and below 0 it is
# higher for wrong replies.
#
# :::{warning}
# The division compares two things only if there *are* two: a decision between two alternatives, which gives $d'$, and
# the confidence in it, which gives meta-$d'$. When a model answers "Who painted *Guernica*?" there is no such
# decision. Studies that compute an M-ratio there let wrong answers play the one kind of sentence and right answers the
# other. Then both numbers come from one table of confidence, and their ratio describes that table's shape
# ([The correction](study1-correction.ipynb)).
# :::
#
# ## 5. meta-I: in bits
#
# The last step needs no bell curves. Before you hear the confidence you are uncertain whether the reply is right:
# {glue:text}`primer_entropy:.3f` bits, where 1 is a coin flip and 0 is certainty. Once you hear it, less is left: on
# average {glue:text}`primer_left:.3f` bits. The difference, {glue:text}`primer_plugin_meta_i:.3f` bits, is the
# **mutual information** between being right and confidence, **meta-$I$** {cite:p}`dayan2023`. Divided by what there
# was, it is **meta-$I_{2r}$**: {glue:text}`primer_plugin_meta_i2r:.3f`, the share of the uncertainty that confidence
# removes.

# %%
primer.figure("confidence")

# %% [markdown]
# ## Why meta-I can be negative
# <!-- fold -->
#
# Even a confidence that knows nothing seems to tell a little, because in a finite table
# right replies hardly ever fall among sure and unsure ones in exactly the same share. Averaged over all ways of dealing
# this table's confidence out again, that luck is worth {glue:text}`primer_null:.4f`. The book subtracts it, which
# leaves {glue:text}`primer_meta_i2r:.3f`. If right replies did fall in the same share, to the nearest reply, the
# subtraction would leave {glue:text}`primer_unrelated:.4f`. So 0 is "as much as luck gives", a negative value is "less
# than luck usually gives", and neither means that confidence points the wrong way: information has no direction.
# (AUROC2 below one half and meta-$d'$ below 0 do mean that.) Whether a value is more than luck is asked by a
# **permutation test**: in a share of {glue:text}`primer_p:.4f` of reshuffled tables luck does as well.
#
# ## 6. All of them, and how sure one can be
#
# Another {glue:text}`primer_n:d` sentences would have given other counts. The intervals say how different the measures
# could have been. How many trials it takes to tell two answerers apart is computed in [How many
# trials?](study2-replication.ipynb). meta-$I_{2r}$ has no interval here: the book's was tried with eight ratings
# ([The measures](measures.ipynb)), not with two. Whether the value is more than luck, the permutation test above asks.

# %%
primer.table("estimates")
