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
from metacog.report import dots, forest, lines, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study2_two_choice", profile)
cells = run.result("two_choice")
rivals = run.result("rivals")
cells.glue()
found = cells.numbers()
rest = rivals.numbers()
rivals.says(
    "head",
    "In all nine combinations of model and task, confidence seems to use less than the decision. In two, nothing else that "
    "we tried explains it.",
    "In {n_below} of {n_tables} combinations of model and task, confidence seems to use less than the decision; in {n_excluded} "
    "nothing else that we tried explains it.",
    holds=(rest["n_below"] == 9) & (rest["n_tables"] == 9) & (rest["n_excluded"] == rest["shapes_m_ratio_misfit"] == 2),
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
forest(
    rivals.ratios, value=["equal", "bell", "heavier"], rows="name", panel="task_name", reference=1,
    titles={"equal": "as it stands", "bell": "unequal curves and wrong keys allowed", "heavier": "and heavier tails", "": "M-ratio"},
    caption="Would something else explain it? M-ratio with 95 % intervals: as it stands; if the two curves of evidence may be "
    "of unequal width and some keys (labels of sentences) wrong; and if curves also have heavier tails than bells. The last "
    "two intervals are as much wider as their fit is still off; without a mark, a table uses too few ratings to tell. Left of "
    "the dashed line, evidence is lost all the same.",
    label="fig-study2-rivals",
)

# %%
rivals.says(
    "left",
    "**Confidence that loses nothing is excluded in {n_excluded} of {n_tables} tables** ({excluded}) even if curves may be unequal, keys wrong and "
    "tails heavy, and if the fit may be as far off as it is. Beyond chance alone it would be in {shapes_m_ratio_chance}, and in {bells_m_ratio_chance} "
    "with bell curves only. Noise in confidence instead of a smaller meta-d' says it of {shapes_noise_misfit}. In the other tables wrong keys, "
    "unequal curves or what still misfits may be all there is. And no table can exclude every shape of curve.",
    "Confidence that loses nothing is excluded in {n_excluded} of {n_tables} tables even if curves may be unequal, keys wrong and tails "
    "heavy; beyond chance alone, in {shapes_m_ratio_chance}.",
    holds=(rest["n_excluded"] == rest["shapes_m_ratio_misfit"] == 2) & (rest["shapes_noise_misfit"] == 2) & (rest["bells_m_ratio_chance"] > rest["shapes_m_ratio_chance"]),
)

# %%
rivals.says(
    "errs",
    "**Does this rule err?** It was tried on {simulated:,} simulated tables of these sizes in which nothing is lost, with unequal curves, "
    "wrong keys, and shapes that none of the models has. It said that something is lost in {wrong:.1f} % of them: at most in {misfit_most:.0f} % "
    "of one kind of world, and in {worst} of {copies} copies of one table; chance alone, with bell curves only, in up to {bells_most:.0f} %. It is careful rather than sharp: where as much is "
    "lost as was fitted, it says so in {seen:.0f} %.",
    "Where nothing is lost, the rule says that something is in {wrong:.1f} % of {simulated:,} simulated tables; where something is, in "
    "{seen:.0f} %.",
    holds=(rest["misfit_most"] <= 5) & (rest["seen"] < 50),
)

# %%
rivals.says(
    "misfit",
    "**How far off is the model behind the M-ratio?** With 10,000 to 20,000 answers a table, a test rejects nearly any model. By size, "
    "it puts between {misplaced_min:.1f} and {misplaced_max:.1f} % of a table's answers at a rating that they were not given. Where it "
    "misses by most, it expects {far_expected:.0f} of {far_of:,.0f} answers and there are {far_n:.0f}. Of five models it is best in {best_meta} "
    "tables by AIC (fit, less a price for each free number), noise in confidence in {best_noise}, and wrong keys with nothing lost in "
    "{best_wrong}.",
    "The model behind the M-ratio puts between {misplaced_min:.1f} and {misplaced_max:.1f} % of a table's answers at another rating; it is "
    "best of five in {best_meta} of {n_tables} tables.",
    holds=(rest["misplaced_max"] < 5) & (rest["best_meta"] + rest["best_noise"] + rest["best_wrong"] == rest["n_tables"]),
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
    "these are right in only {doubted_least:.0f} and {doubted_most:.0f} % of cases, where guessing would get 50. Two things can do "
    "that. A lean to one answer: just where a shifted criterion lies, the favoured answer is mostly wrong. Or evidence against the answer "
    "that did not decide it. (A wrong key would look the same.) The table does not say which.",
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
# **What this book adds.** The same results by two methods, rivals of the model behind them, the number of trials that
# such a study takes, and the experiment on models of its own.

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
posterior = run.result("posterior")
posterior.glue()
fit = posterior.numbers()
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
# ## Which model of the ratings fits best?
# <!-- fold -->
#
# All models are fitted by maximum likelihood to whole tables: answers and ratings. In the first three nothing is lost:
# two equal bell curves; unequal ones; equal ones, where a share of the keys of either kind is wrong.
# In the fourth, the thresholds of confidence are shaken by **lognormal noise** {cite:p}`shekhar2021`. The fifth is
# meta-$d'$. Other readings of the same table (evidence that came later, answers given without care) were not tried.

# %%
titles = {"task_name": "Task", "misplaced": "Misplaced, %", "rating": "Largest miss", "of": "Answers", "observed": "Observed", "meta": "Expected", "by": "Best of five", "misplaced_best": "Misplaced by it, %"}
table(
    rivals.fits,
    *("task_name", "name", "misplaced", "rating", "of", "observed", "meta", "by", "misplaced_best"),
    titles=titles,
    digits={"misplaced": 1, "misplaced_best": 1, "of": 0, "observed": 3, "meta": 3},
    caption="How far meta-d' is off: the percentage of answers at another rating than it expects, and the rating that it "
    "misses by most answers (kind of sentence, answer, confidence), with the share of answers to this kind that got it. "
    "Then the best of five models by AIC.",
    folded=False,
)

# %%
titles = {"task_name": "Task", "aic_0": "Nothing lost", "aic_1": "Unequal curves", "aic_2": "Wrong keys", "aic_3": "Noise in confidence", "aic_4": "meta-d'"}
table(
    rivals.fits,
    *("task_name", "name", "aic_0", "aic_1", "aic_2", "aic_3", "aic_4"),
    titles=titles,
    digits={"aic_0": 1, "aic_1": 1, "aic_2": 1, "aic_3": 1, "aic_4": 1},
    caption="AIC of five models, above the best of each table: a model 10 above it has next to no support.",
    folded=False,
)

# %%
both = rivals.rates.rename(columns={"meta": "meta-d'", "best": "best of five"})
both = both.melt(["task_name", "name", "observed"], ["meta-d'", "best of five"], "model", "predicted")

# %%
dots(
    both,
    x="predicted",
    y="observed",
    colour="model",
    panel="task_name",
    diagonal=True,
    titles={"predicted": "share expected", "observed": "share observed"},
    caption="Each rating of each kind of sentence: its share of the answers, as expected by two models and as observed. On the "
    "dashed line both agree.",
    label="fig-study2-rates",
)

# %%
titles = {"free": "Free though nothing is lost", "shape": "Curves", "m_ratio_chance": "M-ratio below 1, beyond chance", "m_ratio_misfit": "and misfit", "noise_chance": "Noise, beyond chance", "noise_misfit": "and misfit "}
table(
    rivals.tests,
    *titles,
    titles=titles,
    caption="In how many of the nine tables a loss of evidence improves a model in which nothing is lost: by more than chance "
    "gives in one of twenty tables, and by more than this times the misfit that remains, for each of its degrees of freedom.",
    folded=False,
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
# reproduced if it agrees to the last printed digit and the Monte-Carlo errors of both sides.

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
    "- We would no longer say that confidence wastes evidence in two tables if curves of a shape for which there is a reason, or keys found wrong, fitted them as well without a loss. We would say it of more if checked keys and a model that fits left a loss there.\n"
    "- We would give up an order of models if a measure that takes $d'$ off without bell curves put them the other way round. Meta-I1r takes it off, but with them.\n"
    "- We would take a printed figure as right if somebody had counts that give it.",
    "A model of ratings that fits, and counts behind the printed figures, could settle what this page leaves open.",
    holds=found["n_below"] == found["n_cells"],
)
