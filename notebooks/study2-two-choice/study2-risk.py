# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Risk and the criterion

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study2_two_choice", profile)
risk = run.result("risk")
risk.glue()
risk.answer()

# %%
risk.figure("criterion")

# %% [markdown]
# Anyone who pays dearly for one kind of error should avoid it. A doctor who must not miss a tumour calls more
# shadows tumours. This is metacognition of a practical kind: no confidence is asked for, but a model that knows
# how uncertain it is can shift its decisions where they are uncertain.
#
# In these experiments {cite:p}`servajean2026` three models made the same decisions three times: once without any
# mention of risk, once with a warning that answering S1 wrongly is punished severely, once with the same warning
# about S2. What should move is the **criterion $c$**, not the sensitivity $d'$. With $H$ the share of S2 called S2
# (**hits**) and $F$ the share of S1 called S2 (**false alarms**),
#
# $$\begin{aligned}
# d' &= z(H) - z(F), \\
# c &= -\tfrac12\,[z(H) + z(F)].
# \end{aligned}$$
#
# At $c = 0$ neither answer is favoured; above 0 the model says S1 more readily, below 0 S2. ([The page before this
# one](study2-two-choice.ipynb) explains what S1 and S2 are in each task.) In terms of answers, if both kinds of
# sentence were equally frequent, this means:

# %%
risk.table("moved")

# %% [markdown]
# ## Does only the line move?
#
# A warning should leave $d'$ alone. Where it does not, the model did not only shift its line: it distinguished the
# two kinds of sentence less well, or better.
#
# A difference is first tested: $Z$ must exceed {glue:text}`risk_wide_z:.2f`, because 27 pairs are compared. If it
# does, its interval is compared with a **ROPE**, a region of practical equivalence, of 0.1 on either side of 0:
# the difference is *significant* if the interval lies outside it, *negligible* if inside, and otherwise
# *inconclusive*. The paper states that its intervals are 95 % intervals. They could also be as wide as the test.
# Both are computed, and where the two disagree, the figure and the tables show it.

# %%
risk.figure("d_pairs")

# %%
risk.table("d_pairs", folded=True)

# %%
risk.table("c_pairs", folded=True)

# %% [markdown]
# ## Are the printed figures and verdicts reproduced?

# %%
risk.box("rounding")

# %%
risk.box("slips")

# %%
published = run.result("published_claims")
published.glue()
published.box("c_agreement")

# %%
published.box("counted_agreement")

# %%
published.table("tally", folded=True)

# %% [markdown]
# ## How sure are these numbers?
# <!-- fold -->
#
# The intervals come from the **delta method**: a share of $n$ trials has a known variance, and where the share is
# transformed by $z$, the variance is multiplied by the square of the curve's slope,
# $\operatorname{var} z(p) = p(1-p)/(n\,\varphi(z)^2)$ {cite:p}`gourevitch1967`. The variance of $d'$ is the sum of
# both, that of $c$ a quarter of the sum. There are {glue:text}`risk_trials:,` trials, and no half trial is added
# to any count.

# %%
risk.table("cells")

# %%
risk.text("padding")

# %% [markdown]
# Half-widths: {glue:text}`risk_half_reproduced` of {glue:text}`risk_n_cells` are reproduced. The rows in
# which something is not:

# %%
risk.table("off")

# %%
risk.figure("c_pairs")

# %% [markdown]
# ## What the text says, verdict by verdict
# <!-- fold -->

# %%
published.box("d_agreement")

# %%
published.table("risk")

# %% [markdown]
# ## Relative to what it can see
# <!-- fold -->
#
# The same $c$ is a long way for someone with a small $d'$ and a short one for someone with a large $d'$. So one
# may divide: $c' = c/d'$. Its variance needs care, because $c$ and $d'$ come from the same two shares and so are
# not independent: with $\operatorname{cov}(c, d') = -\tfrac12[\operatorname{var} z(H) - \operatorname{var} z(F)]$,
#
# $$\begin{aligned}
# \operatorname{var}(c') \approx \frac{1}{d'^2}\bigl(&\operatorname{var}(c) - 2c'\operatorname{cov}(c, d') \\
# &+ c'^2\operatorname{var}(d')\bigr).
# \end{aligned}$$

# %%
risk.box("mirroring")

# %%
risk.figure("relative")

# %%
risk.table("mirror")

# %% [markdown]
# ## What would change your mind
#
# That a model heeds warnings: a criterion that stays within the ROPE, or moves the wrong way, between the two warnings.
# (Compared with no warning, the first paragraph counts those that do not move it.) That it *only* shifts its line: a $d'$ that differs by more than the ROPE, whichever interval is taken. That this is regulation
# by uncertainty, and not a habit of naming the safer word: nothing on this page. For that, answers would have to
# shift most where the model is least sure, and these experiments did not ask how sure it was.
