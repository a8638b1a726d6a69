# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A primer: how to read a confidence

# %% tags=["parameters"]
profile = "default"
n_resamples = 2_000
n_permutations = 2_000
seed = 42

# %%
from metacog.report import lines, table
from metacog.studies import open_run

run = open_run("shared", profile)
primer = run.result("primer", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
primer.glue()
primer.says(
    "answer",
    "Of a right and a wrong reply of {model}, the right one is surer in {surer:.0f} % of pairs, the wrong one in {less_sure:.0f} %.",
    "{model} was asked whether sentences are positive, and how sure it is.",
    holds=primer.numbers()["surer"] > primer.numbers()["less_sure"] > 0,
    head=True,
)

# %%
columns = ["confidence", "right", "wrong", "share_right"]
table(primer.confidence, *columns, caption="How many replies are right and wrong, by how sure the model was. How such pairs are counted stands below, after one question that is easier to see through.")

# %% [markdown]
# ## One question
#
# {glue:text}`/_executed/study1-luck.ipynb::luck_asked:s`
#
# ```{glue:any} luck_example_table
# :doc: /_executed/study1-luck.ipynb
# ```
#
# Does confidence tell the right answers from the wrong ones? Draw one of each and compare.
# {glue:text}`/_executed/study1-luck.ipynb::luck_pairs:s` The share of such pairs, a tie counting one half, is **AUROC2**:
# one half is chance, 1 is a confidence that is always higher when the answer is right. One question is an
# anecdote, so count many.
#
# ## Eight counts
#
# {glue:text}`primer_model` read {glue:text}`primer_n:,d` sentences, said of each whether its mood is negative or positive,
# and how sure it was from 1 to 5 {cite:p}`servajean2026`. {glue:text}`primer_n_negative:,d` are negative,
# {glue:text}`primer_n_positive:,d` positive. One sentence with its reply is a **trial**. Call 4 and 5
# "sure", and eight counts are left.

# %%
columns = ["kind", "sure_negative", "unsure_negative", "unsure_positive", "sure_positive"]
caption = (
    "How many sentences of negative and of positive mood the model called one or the other, and how sure it was. All that "
    "follows comes from these eight counts."
)
table(primer.replies, *columns, caption=caption, titles={"kind": "The sentence is"})

# %% [markdown]
# The share of right replies, **accuracy**, is {glue:text}`primer_accuracy:.2f`. It mixes two things: how well the two
# kinds are told apart, and how readily "positive" is said.
#
# ## Does the surer reply tend to be the right one?
#
# Sort the same replies by whether they are right: that is the table at the head of this page. There are {glue:text}`primer_right:,d` times {glue:text}`primer_wrong:,d` pairs of a right and a wrong reply. In
# {glue:text}`primer_ordered:,d` of them the right reply is sure and the wrong one unsure; in {glue:text}`primer_tied:,d`
# both are equally sure, and such a pair counts half.

# %%
primer.says(
    "sum",
    "Of 100 pairs that is {surer:.2f} and half of {equally_sure:.2f}: {surer:.2f} + {equally_sure:.2f} / 2 = {area:.2f}. As a share, AUROC2 is {auroc2:.4f}.",
)

# %%
primer.says(
    "interval",
    "With other sentences it would have come out a little differently. The **95 % interval**, {area_lower:.1f} to {area_upper:.1f} of 100 here, says how much: intervals made in this way hold the number that endless sentences would give 95 times in 100. The more replies, the narrower it is. If two numbers were picked beforehand and their intervals lie apart, the difference is hardly luck.",
    "The **95 % interval**, {area_lower:.1f} to {area_upper:.1f} of 100 here, says how different it could have been with other sentences: intervals made in this way hold the number that endless sentences would give 95 times in 100.",
    holds=primer.numbers()["area_upper"] - primer.numbers()["area_lower"] < 10,
)

# %% [markdown]
# ## Choose a threshold yourself
#
# A ranking is worth something once it is acted on: believe the sure replies, and check the unsure ones. The table at
# the head tells what that buys. Of all replies {glue:text}`primer_accuracy:.0%` are right; of the sure ones
# {glue:text}`primer_sure_right:.0%`, but only {glue:text}`primer_sure_share:.0%` of all replies are sure. With more than two
# levels of confidence there are more places to cut: [move the line yourself](study1-use.ipynb) for answers of other
# models. Every gain in errors caught is paid for in right answers withheld.
#
# **Many pages of this book need no more than this.** You can stop here and come back for what follows.
#
# ## For specialists: d', meta-d' and M-ratio
#
# AUROC2 has a weakness: it mixes how well a model judges itself with how well it does the task. What follows are the
# measures that psychologists made to take the two apart.
#
# ### What was decided: d' and the criterion
#
# Forget confidence for now. {glue:text}`primer_hits:,d` of {glue:text}`primer_n_positive:,d` positive sentences were
# called positive: the **hit rate** is {glue:text}`primer_hit_rate:.2f`. So were {glue:text}`primer_false_alarms:,d` of
# {glue:text}`primer_n_negative:,d` negative ones: the **false-alarm rate** is
# {glue:text}`primer_false_alarm_rate:.2f`.
#
# Signal detection theory pictures this with two bell curves. Every sentence gives the answerer some evidence, more of it
# on average if the sentence is positive. Where the evidence exceeds a line, the **criterion**, the answerer says
# "positive". Confidence is read off the same picture: the further the evidence lies from the criterion, on either side, the
# surer the reply. The two short lines stand where replies begin to be sure, if confidence uses all of the evidence.

# %%
named = {"evidence": "Evidence for positive, in standard deviations", "height": "How often"}
caption = (
    "d' is the distance between the two peaks. Whatever lies right of the criterion is called positive, and surely so right of "
    "the short line. Moving a line changes what is said, but not the distance."
)
lines(
    primer.evidence, value="height", x="evidence", colour="curve", points=False, caption=caption,
    titles=named, label="fig-primer-evidence",
)

# %% [markdown]
# A function called $z$ turns a share into a place on the bell curve (half is 0), and so finds how far apart the curves are:
#
# $$\begin{aligned}
# d' &= z(\text{hit rate}) - z(\text{false-alarm rate}), \\
# c &= -\tfrac12\,\bigl(z(\text{hit rate}) + z(\text{false-alarm rate})\bigr).
# \end{aligned}$$
#
# Here $z$ of the hit rate is {glue:text}`primer_z_hit:.2f` and $z$ of the false-alarm rate
# {glue:text}`primer_z_false_alarm:.2f`. So $d'$ is {glue:text}`primer_d_prime:.2f` (the **sensitivity**) and $c$ is
# {glue:text}`primer_c:.2f`: above 0 "negative" is said more readily, below 0 "positive".

# %% [markdown]
# Both numbers are about the world: which kind of sentence was it? That is called **type 1**. From here on the question is
# about the answerer itself: was my reply right? That is **type 2**.
#
# Somebody who tells two kinds of sentence apart well has more to be sure *of*, and a higher AUROC2 with the same care for
# their own replies {cite:p}`galvin2003`. With this $d'$, a confidence of two levels that uses all the evidence, and is sure equally often,
# would reach {glue:text}`primer_auroc2_whole:.3f`; one of more levels could reach more.

# %% [markdown]
# ### Do the bell curves fit?
# <!-- fold -->
#
# The answerer had ten ways to reply, from surely negative to surely positive. Cut between any two of
# them, and there is a hit rate and a false-alarm rate for each cut. As places on the bell curve they make a line, the
# **z-ROC**: straight if both curves are bell-shaped, and of slope 1 if they are equally wide.

# %%
caption = (
    "The nine cuts between ten replies: the share of negative and of positive sentences above each, as places on the bell curve; "
    "and where all cuts would lie if the two curves were those of the last figure. That line runs d' above the diagonal."
)
named = {"z_false_alarm": "z of the false-alarm rate", "z_hit": "z of the hit rate", "what": ""}
lines(
    primer.z_roc, value="z_hit", x="z_false_alarm", colour="what", caption=caption, titles=named,
    label="fig-primer-z",
)

# %%
primer.says(
    "straight",
    "They nearly do. The best straight line has a slope of {slope:.2f} ({slope_lower:.2f} to {slope_upper:.2f}), so the curves are about equally wide, as what follows takes for granted. But not all dots lie on it, and with so many sentences that is no chance. Some of that may be the curves, and some is what comes next: confidence that loses evidence bends this line, too.",
    "The best straight line through these dots has a slope of {slope:.2f} ({slope_lower:.2f} to {slope_upper:.2f}); it would be 1 if both curves were equally wide.",
    holds=primer.numbers()["slope_lower"] < 1 < primer.numbers()["slope_upper"] and primer.numbers()["p_line"] < 0.001,
)

# %% [markdown]
# ### meta-d' and M-ratio
#
# So turn the question round. Imagine an answerer whose confidence uses all of its evidence. How far apart must its two
# curves be for it to be sure of as large a share of its right replies, and of its wrong ones, as in this table? That
# distance is **meta-$d'$** {cite:p}`maniscalco2012`. It is found by trying: the computer moves it, and the lines between
# sure and unsure, until the shares that follow from the curves come as close as they can to the observed ones.
#
# meta-$d'$ is in the units of $d'$, so the two can be divided. meta-$d'$ is {glue:text}`primer_meta_d:.2f`, $d'$ is
# {glue:text}`primer_d_prime:.2f`, and the **M-ratio**, meta-$d'/d'$, is {glue:text}`primer_m_ratio:.2f`. At 1 confidence
# uses everything that the decision used; at 0 it knows nothing, and below 0 it is higher for wrong replies. Above 1 it
# knows more than the decision used (evidence that came later, say), or the two bell curves do not fit. A misfit can lower
# it as well. Sentences of mixed difficulty raise it, and wrong answers in the key lower it; both are likely here.
#
# :::{warning}
# There must *be* two things to divide: a decision between two alternatives, which gives $d'$, and the confidence in it,
# which gives meta-$d'$. When a model says which giant was killed by David there is no such decision, and the ratio of one
# table of right and wrong answers describes that table's shape ([The correction](study1-correction.ipynb)).
# :::
#
# ### meta-I: in bits
#
# The last step needs no bell curves. Before you hear the confidence you are uncertain whether the reply is right:
# {glue:text}`primer_entropy:.3f` bits, where 1 is a coin flip and 0 is certainty. Once you hear it, less is left: on
# average {glue:text}`primer_left:.3f` bits (the last column below). The difference,
# {glue:text}`primer_plugin_meta_i:.3f` bits, is the **mutual information** between being right and confidence,
# **meta-$I$** {cite:p}`dayan2023`; divided by what there was, it is **meta-$I_{2r}$**:
# {glue:text}`primer_plugin_meta_i2r:.3f`. Luck alone gives {glue:text}`primer_null:.5f`, which the book subtracts; whether
# a value is more than luck is asked by a **permutation test** (here $p$ = {glue:text}`primer_p:.4f`).

# %%
table(primer.confidence, "confidence", "share_right", "bits", caption="What is left of the uncertainty at each confidence.", titles={"bits": "Uncertainty (bits)"})

# %% [markdown]
# ### All of these
#
# The intervals say how different the measures could have been with other sentences; meta-$I_{2r}$'s was tried with eight
# ratings, not with two.

# %%
columns = ["measure", "estimate", "nothing", "whole"]
ends = {"estimate": ("lower", "upper")}
titles = {"nothing": "If confidence knew nothing", "whole": "If two levels used all the evidence"}
two = {"estimate": 2, "nothing": 2, "whole": 2}
caption = (
    "The measures of this page, with 95 % intervals. Last column: a confidence of two levels that uses all of the decision's "
    "evidence and is sure as often."
)
table(primer.estimates, *columns, caption=caption, interval=ends, digits=two, titles=titles)

# %% [markdown]
# Next: [what each measure misses](measures.ipynb), [an answerer to move](../book/explorer.md), [the trials](trials.ipynb).
