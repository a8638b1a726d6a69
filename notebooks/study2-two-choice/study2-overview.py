# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 2: does confidence use all that the decision knew?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, lines, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study2_two_choice", profile)
cells = run.result("two_choice")
posterior = run.result("posterior")
cells.glue()
posterior.glue()
found = cells.numbers()
fit = posterior.numbers()
cells.says(
    "head",
    "In all nine combinations of model and task, confidence seems to use less evidence than the decision. But the "
    "model behind it misfits in eight.",
    "In {n_below} of {n_cells} combinations of model and task, confidence seems to use less evidence than the decision.",
    holds=(found["n_below"] == 9) & (found["n_cells"] == 9) & (fit["n_fits"] == 1),
    head=True,
    rule="answer",
)

# %%
forest(
    cells.cells,
    value=["m_ratio", "m_ratio_published"],
    rows="name",
    panel="task_name",
    reference=1,
    hollow="m_ratio_published",
    titles={"m_ratio": "recomputed", "m_ratio_published": "printed", "": "M-ratio"},
    caption="M-ratio of three models on three tasks, recomputed by maximum likelihood, and as printed (open; a Bayesian "
    "model), with 95 % intervals. At the dashed line confidence wastes nothing; look which intervals lie left of it.",
    label="fig-study2-m-ratio",
)

# %%
fits = {"task_name": "Task", "p_value": "p of the fit", "fits": "Fits", "furthest": "Furthest rate off"}
table(
    posterior.predictive,
    *("task_name", "name", "p_value", "furthest", "fits"),
    titles=fits,
    digits={"p_value": 3, "furthest": 2},
    caption="Does the model behind the M-ratio make ratings like those that were given? It fails where p is below 0.05. "
    "The furthest rate off is how far the worst of the observed rates lies from the predicted one.",
    folded=False,
)

# %%
posterior.says(
    "misfit",
    "Only the ratings of {n_fits} table look like ratings that this model could have made; in the worst, a rate is off by "
    "{furthest:.2f}. So read the M-ratio as a summary of ratings that its model only resembles. A misfit can lower it by itself: two "
    "curves of unequal width, or sentences whose own label is wrong, take an M-ratio below 1 although confidence loses nothing.",
    "The model makes ratings like those observed in {n_fits} of {n_tables} tables.",
    holds=fit["n_fits"] == 1,
)

# %%
lines(
    cells.accuracy[cells.accuracy["shown"].isin([True])],
    x="confidence",
    value="right",
    colour="name",
    panel="task_name",
    interval=("lower", "upper"),
    reference=0.5,
    titles={"confidence": "confidence stated", "right": "share right"},
    caption="The ratings themselves: share right at each confidence, with 95 % intervals; the dashed line is guessing.",
    label="fig-study2-accuracy",
)

# %%
cells.says(
    "below_guessing",
    "**Where they doubt most, they are mostly wrong.** In {n_wrong} of the {n_doubted} tables with enough answers at the lowest confidence, "
    "these are right in only {doubted_least:.0f} and {doubted_most:.0f} % of cases, where guessing would get 50. Whoever answers by the "
    "evidence that confidence is made of would change such an answer. So something tells against the answer that did not decide it, or "
    "the key is wrong there; the model behind the M-ratio knows neither.",
    "In {n_wrong} of the {n_doubted} tables with enough answers at the lowest confidence most of these are wrong.",
    holds=(found["n_wrong"] == 2) & (found["n_doubted"] > 2),
)

# %% [markdown]
# **The question.** Do large models use, when they say how sure they are, all the evidence on which they decided? And
# do they decide more cautiously when told that one kind of error is costly? It matters, the paper says, wherever AI
# takes part in a decision: alone, together with people, or as an adviser whom people overrule.
#
# **What the paper did** {cite:p}`servajean2026`. Three large models decided whether sentences were negative or
# positive (task A), spoken or written (task B), complete or with a word deleted (task C), and said how sure they were
# on a scale from 1 to 5. In further runs they were warned of one of the two errors. It publishes all counts:
# {glue:text}`two_choice_trials:,` trials with confidence.
#
# **What this book adds.** The same results by two methods, a test of whether the fitted model describes the ratings,
# the number of trials that such a study takes, and the experiment on models of its own.

# %% [markdown]
# ## What the paper found, and what holds of it
#
# A figure that is *found again* says that the paper computed what it says, not that the measure is sound.

# %%
shared = open_run("shared", profile)
findings = shared.result("findings")
findings.text("study 2")

# %%
shown = {"finding": "What the paper says", "where": "Where", "printed": "Printed", "recomputed": "Computed again", "outcome": "Its figures", "page": "More"}
table(linked(findings.findings.query("study == 'study 2'"), "page"), *shown, titles=shown, caption="Each finding of the paper, next to what its figures give when they are computed again.")

# %% [markdown]
# ## What the ratio is made of
#
# Two numbers describe a decision between two kinds of sentence, the first and the second. The second kind called
# second is a **hit**; the first called second is a **false alarm**. **$d'$** is how far apart the two kinds are to the
# model, $d' = z(\text{hits}) - z(\text{false alarms})$, where $z$ turns a share into a distance on the bell curve. The
# **criterion $c$** is where it draws the line between them. **meta-$d'$** is the $d'$ that an ideal observer would
# need to give just these confidence ratings to its right and its wrong answers. The **M-ratio** is meta-$d'$ over $d'$.
#
# Study 1 used the same ratio where there was no decision, and [its correction](study1-correction.ipynb) shows the
# result: both halves came from the same table of confidence. Here they are two different things. $d'$ rests on *what
# was answered*; meta-$d'$ rests on *how sure* the model said it was, given its answer. The ratio still supposes two
# bell curves of equal spread.
#
# None of this asks whether confidence is right in amount. Who says 100 % of every right answer and 99 % of every wrong
# one, in the paper's example, knows all errors and is far too sure of them.
#
# ## How much is wasted, and by whom?
#
# meta-$d'$ is fitted by maximum likelihood {cite:p}`maniscalco2012`; intervals come from resampling the trials
# {glue:text}`two_choice_resamples:,` times. A difference is *negligible* by the paper's rule if its interval lies
# inside a **region of practical equivalence** {cite:p}`kruschke2018`, here 0.05 of the logarithm on either side.

# %%
cells.says(
    "differ",
    "Models do differ: {n_differ} of {n_pairs} pairs by more than the paper calls negligible, at most by a factor of "
    "{largest_factor:.2f}.",
    "By more than the paper calls negligible, {n_differ} of {n_pairs} pairs of models differ in M-ratio.",
    holds=found["n_differ"] > 0,
)

# %% [markdown]
# **meta-I1r** compares the bits of information that confidence carries about whether the answer is right
# {cite:p}`dayan2023` with those of an ideal observer of this $d'$. The bits are counted from the ratings as they are; the
# ideal observer has two bell curves of equal spread, as the M-ratio supposes, and may be sure to any degree. So it asks what
# the M-ratio asks and need not give the same answer: the M-ratio forgives a model that uses two of five levels, meta-I1r
# does not.

# %%
cells.says(
    "levels",
    "In {n_far} of the nine the two lie more than 0.4 apart, and meta-I1r falls as low as {least_bits:.2f}. Bell curves are "
    "not to blame: the fitted model's own ratings lose as much, to within {off_bits:.2f}. Giving nearly always the same "
    "level does it. An ideal observer that did so would keep at most {most_kept:.0f} % of its bits.",
    "The two lie more than 0.4 apart in {n_far} of {n_cells} combinations.",
    holds=(found["n_far"] > 0) & (found["off_bits"] < 0.05),
)

# %%
table(
    cells.cells,
    *("task", "name", "n", "accuracy", "d_prime", "m_ratio", "auroc2", "meta_i1r"),
    digits={"accuracy": 2, "d_prime": 2, "m_ratio": 2, "auroc2": 2},
    caption="The nine combinations, from the published counts; AUROC2 is how often a right answer has more confidence "
    "than a wrong one, ties counting one half.",
    folded=True,
)

# %% [markdown]
# ## Which models and which tasks differ?
# <!-- fold -->
#
# The paper compares models on a task, and tasks within a model, by the posterior of the logarithm of the ratio of two
# M-ratios. These are its comparisons, drawn again.

# %%
pairs = posterior.ratios.query("kind != 'optimality'").sort_values("kind", kind="stable")
pairs = pairs.assign(other=pairs["decision"].ne("significant"))
pairs = pairs.replace({"kind": {"models": "two models", "tasks": "two tasks"}})

# %%
forest(
    pairs,
    value="difference",
    rows="pair",
    colour="kind",
    interval=("lower", "upper"),
    reference=0,
    hollow="other",
    titles={"difference": "difference of log M-ratio, first minus second"},
    caption="Differences of log M-ratio with 95 % intervals. Filled marks lie outside the region of 0.05 on either side.",
    label="fig-study2-pairs",
)

# %%
shown = ["pair", "difference", "decision"]
ends = {"difference": ("lower", "upper")}
titles = {"pair": "Pair", "difference": "Difference of d'", "decision": "Says"}
table(
    posterior.sensitivity,
    *shown,
    interval=ends,
    titles=titles,
    digits={"difference": 2},
    caption="The same comparisons of d', by the posterior, with a region of 0.1 on either side.",
    folded=True,
)

# %% [markdown]
# ## The paper's figures 1 and S1
# <!-- fold -->
#
# Figure 1 of the paper shows $d'$ and meta-$d'$ beside the M-ratio, and how often a model is right at each confidence
# (above). Its figure S1 shows how often each confidence is given to right and to wrong answers.

# %%
forest(
    cells.cells,
    value=["d_prime", "d_prime_published", "meta_d", "meta_d_published"],
    rows="name",
    panel="task_name",
    hollow=["d_prime_published", "meta_d_published"],
    titles={"d_prime_published": "d', printed", "meta_d_published": "meta-d', printed", "": "d' and meta-d'"},
    caption="What decisions and what confidence tell apart, recomputed and as printed (open), with 95 % intervals.",
    label="fig-study2-meta-d",
)

# %%
lines(
    cells.given,
    x="confidence",
    value="share",
    colour="name",
    panel="answers",
    titles={"confidence": "confidence stated", "share": "share of these answers"},
    caption="How often each confidence is given. Where a model knows its errors, the line of wrong answers lies further "
    "left than that of right ones.",
    label="fig-study2-given",
)

# %% [markdown]
# ## Are the printed figures reproduced?
# <!-- fold -->
#
# The paper's figures are means of a Bayesian posterior {cite:p}`fleming2017`, drawn here by four chains. A figure is
# reproduced if it agrees to the last printed digit and the Monte-Carlo errors of both sides. Whether the model fits is
# asked of the same posterior: draw parameters, draw ratings for as many trials, and see whether the observed ratings
# are among them.

# %%
posterior.says(
    "again",
    "Of {n_printed} printed figures, {n_found} come out again. One ability does not follow from its counts, and "
    "chains as short as the paper's may be why: they had not forgotten where they began.",
    "Of {n_printed} printed figures, {n_found} come out again.",
    holds=(fit["n_odd"] == 1) & (fit["n_short"] == 1),
)

# %%
table(
    posterior.evidence,
    *("task", "name", "published", "d_prime"),
    titles={"published": "Printed", "d_prime": "From its counts"},
    digits={"published": 4, "d_prime": 4},
    caption="Abilities d' that do not follow from their counts.",
    empty="All follow.",
    folded=False,
)

# %% [markdown]
# A hierarchical model asks what *such models* have in common. Three models say little of others, however many trials
# each has.

# %%
group = run.result("posterior_group")
common = group.numbers()
group.says(
    "common",
    "Models like these could have a common M-ratio anywhere from {group_lower:.2f} to {group_upper:.2f} on one of the "
    "tasks or another: three models cannot show that *all* waste evidence.",
    "On the tasks, the M-ratio that such models have in common is put at {group_low:.2f} to {group_high:.2f}.",
    holds=(common["sampled"] == 1) & (common["group_upper"] > 1),
)

# %% [markdown]
# ## On other pages
#
# Warned that one error will cost more, [all three models heed it](study2-risk.ipynb). How many trials an M-ratio takes,
# and what models small enough for a laptop can show of it, is told [here](study2-replication.ipynb).

# %% [markdown]
# ## What would change your mind

# %%
cells.says(
    "change",
    "- We would no longer say that confidence wastes evidence if one model's interval on one task reached 1, or if a model of ratings that fits said otherwise.\n"
    "- We would give up an order of models if a measure that takes $d'$ off without bell curves put them the other way round. Meta-I1r takes it off, but with them.\n"
    "- We would take a printed figure as right if somebody had counts that give it.",
    "A model of ratings that fits, and counts behind the printed figures, could settle what this page leaves open.",
    holds=found["n_below"] == found["n_cells"],
)
