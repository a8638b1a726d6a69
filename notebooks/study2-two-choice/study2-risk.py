# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Does a model heed a warning?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study2_two_choice", profile)
risk = run.result("risk")
risk.glue()
found = risk.numbers()
risk.says(
    "head",
    "Yes: warned that one kind of error will be costly, all three large models answer so as to avoid it, on each of three tasks.",
    "Between two warnings, models move away from the punished answer in {n_heeded} of {n_ends} combinations of model and task.",
    holds=(found["n_ends"] == 9) & (found["n_heeded"] == 9),
    head=True,
    note=f"Against no warning, a single one does so beyond chance in {found['n_single_heeded']} of {found['n_single']} "
    f"cases, and the opposite in {found['n_against']}.",
    rule="answer",
)

# %%
titles = {"s1": "warned of the first answer", "none": "no warning", "s2": "warned of the second answer"}
forest(
    risk.moved,
    value=["s1", "none", "s2"],
    rows="model",
    panel="task_name",
    limits=(0, 1),
    titles=titles | {"": "share of second answers"},
    caption="How often a model gives the second of two answers, were both kinds of sentence equally frequent. A model "
    "that heeds warnings gives it most when warned of the first, and least when warned of the second.",
    label="fig-study2-criterion",
)

# %% [markdown]
# Anyone who pays dearly for one kind of error should avoid it. A doctor who must not miss a tumour calls more
# shadows tumours. This is metacognition of a practical kind: no confidence is asked for, but a model that knows
# how uncertain it is can shift its decisions where they are uncertain.
#
# In these experiments {cite:p}`servajean2026` three models made the same decisions three times: once without any
# mention of risk, once with a warning that giving the first answer wrongly is punished severely, once with the same
# warning about the second. The answers are negative or positive (task A), spoken or written (task B), complete or with
# a word deleted (task C).
#
# ## Does only the line move?
#
# What should move is the **criterion $c$**, not the sensitivity $d'$. With $H$ the share of second sentences called
# second (**hits**) and $F$ the share of first sentences called second (**false alarms**),
#
# $$\begin{aligned}
# d' &= z(H) - z(F), \\
# c &= -\tfrac12\,[z(H) + z(F)].
# \end{aligned}$$
#
# At $c = 0$ neither answer is favoured. Where $d'$ moves too, the model did not only shift its line: it told the two
# kinds of sentence apart less well, or better.

# %%
risk.says(
    "ability",
    "Not only the line moves. What the models can tell apart, $d'$, changes in {n_d_differs} of {n_of_d} pairs of "
    "instructions: a warning makes some of them better or worse at the task itself.",
    "What the models can tell apart, $d'$, differs in {n_d_differs} of {n_of_d} pairs of instructions.",
    holds=found["n_d_differs"] > 1,
)

# %%
forest(
    risk.pairs.query("measure == 'd_prime' and first == 'S1' and second == 'S2'"),
    value="difference",
    rows="name",
    panel="task_name",
    interval=("lower", "upper"),
    reference=0,
    titles={"difference": "d' under the first warning minus d' under the second"},
    caption="How d' differs between the two warnings, with 95 % intervals. At the dashed line only the criterion moved.",
    label="fig-study2-d-pairs",
)

# %% [markdown]
# ### The paper's figures 2 and S2
# <!-- fold -->
#
# The paper draws the criterion under each instruction, and in its supplement the criterion relative to ability,
# $c' = c/d'$.

# %%
cells = risk.cells

# %%
forest(
    cells,
    value=["c", "c_printed"],
    rows="name",
    colour="warned",
    panel="task_name",
    reference=0,
    hollow="c_printed",
    titles={"c": "recomputed", "c_printed": "printed", "": "criterion c"},
    caption="The criterion with 95 % intervals, recomputed and as printed (open). Left: the second answer comes more readily.",
    label="fig-study2-c",
)

# %%
forest(
    cells,
    value="c_prime",
    rows="name",
    colour="warned",
    panel="task_name",
    reference=0,
    titles={"c_prime": "c', the criterion over d'"},
    caption="The criterion divided by $d'$. The paper prints no number of it, and says that it tells what the criterion "
    "tells.",
    label="fig-study2-c-prime",
)

# %% [markdown]
# ### How a difference is judged
#
# A difference is first tested: $Z$ must exceed {glue:text}`risk_wide_z:.2f`, because 27 pairs are compared. Intervals
# come from the **delta method** {cite:p}`gourevitch1967`: a share of $n$ trials has a known variance, and where it is
# transformed by $z$, the variance is multiplied by the square of the curve's slope,
# $\operatorname{var} z(p) = p(1-p)/(n\,\varphi(z)^2)$. There are {glue:text}`risk_trials:,` trials. Then its interval is
# held against a region in which a difference is too small to matter, here {glue:text}`risk_rope:.1f` on either side for
# both: outside it the difference is *significant*, inside *negligible*, otherwise *inconclusive*.
#
# The slope is taken at one point, which is rough where a share lies near 0 or 1. The paper trusts its many trials there.

# %%
risk.says(
    "method",
    "It may: drawing the counts anew changes no interval of the criterion by more than {delta_apart:.1f} %.",
    "Drawing the counts anew changes the intervals of the criterion by up to {delta_apart:.1f} %.",
    holds=found["delta_apart"] < 5,
)

# %% [markdown]
# ## Are the printed figures and verdicts reproduced?
#
# To the last decimal, {glue:text}`risk_c_reproduced` of {glue:text}`risk_n_cells` printed criteria and
# {glue:text}`risk_half_reproduced` half-widths are ([the ledger](ledger.ipynb) has the rest).

# %%
published = run.result("published_claims")
table(
    published.tally,
    titles={"n": "Verdicts"},
    caption="Verdicts of the paper's text on pairs of models, tasks and warnings, and how many of them the counts give, "
    "by 95 % intervals and by the wide ones for all comparisons together. The paper's own widths: 95 % without a warning, "
    "wide under risk.",
)

# %%
p = published.numbers()
published.says(
    "not_named",
    "Of the pairs whose $d'$ the paper only counts, it calls {printed_not_significant} not significant and "
    "{printed_inconclusive} inconclusive. Intervals as wide as its test say the same; intervals of 95 % call "
    "{narrow_significant} of the inconclusive ones significant.",
    "Of the pairs whose $d'$ the paper only counts, it calls {printed_not_significant} not significant; intervals as wide "
    "as its test call {wide_not_significant} so, intervals of 95 % {narrow_not_significant}.",
    holds=p["wide_inconclusive"] == p["printed_inconclusive"] == p["narrow_inconclusive"] + p["narrow_significant"],
)

# %% [markdown]
# ## What would change your mind

# %%
risk.says(
    "change",
    "- We would no longer say that a model heeds warnings if its criterion stayed between the two, or moved the wrong way by more than chance.\n"
    "- Nothing on this page could show that the model minds its own doubt and does not just name the safer word. For that, answers would have to shift most where it is least sure, and nobody asked it how sure it was.",
    "Whether models mind their own doubt would show if answers shifted most where a model is least sure; nobody asked how sure it was.",
    holds=(found["n_ends"] == 9) & (found["n_heeded"] == 9),
)
