# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Four hypotheses, as registered and as they can be answered

# %% tags=["parameters"]
profile = "default"
other = ""
domains = []  # those that the second hypothesis compares; all, if none is named
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.report import forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
drawn = {"n_resamples": n_resamples, "seed": seed, "verdicts": verdicts}
summary = run.result("summary", domains=domains, **drawn)
summary.glue()
summary.says(
    "head",
    "By the paper's own rules, one of its four hypotheses holds on these models. By sounder rules none does: one fails, three "
    "stay open.",
    summary.sentence("answer"),
    holds="one holds and three fail on these models by its own rules; by sounder ones none holds and one" in summary.sentence("answer"),
    head=True,
    rule="answer",
)

# %%
caption = (
    "The four hypotheses in the models of this book, by the paper's rule and by a sounder one. The fourth is about pairs of "
    "models; the sounder rule asks that they differ more in M-ratio than in d', the paper's does not."
)
matrix(summary.hypotheses, rows="claim", columns="model", value="answer", why="why", caption=caption, titles={"claim": "Claim"})

# %% [markdown]
# The paper registered four hypotheses about three of its models {cite:p}`cacioli2026sdt`. It names [its
# registration](https://osf.io/5q7mt/overview?view_only=bd718de95b6c44ff9c14c1ac424227ba), which was not read for this book:
# the rules here are those of the paper's text. The fourth model, Gemma-2, was added after that and asked in the same way. Each hypothesis is judged here by its own rule, good or bad, and by a sounder one. Three of them are about
# one number:
#
# - **$d'$** says how far apart right and wrong answers are when ratings of confidence are cut once, in the middle.
# - **meta-$d'$** is the $d'$ that would have produced the ratings *within* each half, fitted by maximum likelihood.
# - **M-ratio** $=$ meta-$d'/d'$. At 1, the finer ratings carry as much as the single cut promises; below 1, less.
#
# Ratings are confidence in eight classes of equal frequency at temperature 1. The paper reads the M-ratio as metacognitive
# efficiency. For open answers this does not hold: both numbers come from one table, and their ratio describes its shape
# ([the correction](study1-correction.ipynb)). So read what follows as the history of an idea.

# %%
run.result("signal").text("which")

# %% [markdown]
# As registered, a cell with fewer than 50 right or 50 wrong answers is left out, and nothing else. The sounder rules and the
# figures also leave out ratings without a trial, hardly any answer on one side of the middle cut, and results decided by
# the 0.5 that is added to every cell.
#
# ## The first hypothesis
#
# Do models use less than all they know when they say how sure they are? Then the M-ratio of each is below 1.

# %%
h1 = run.result("h1", **drawn)
h1.glue()
h1.text("answer")

# %%
sound = h1.comparison[h1.comparison["flag"].isna() | (h1.comparison["flag"] == "")]
sound = sound.drop_duplicates(["source", "model", "m_ratio"])
caption = "M-ratio at temperature 1 with 95 % intervals; the paper's models from reconstructed counts. The hypothesis asks that every interval end left of the dashed line."
forest(sound, value="m_ratio", rows="model", colour="source", reference=1, caption=caption, label="fig-h1-models")

# %% [markdown]
# ### The rule, and what is wrong with it
# <!-- fold -->

# %%
h1.rules("limit", "intervals")

# %% [markdown]
# An interval that contains 1 counts against the hypothesis, though it does not show that the
# M-ratio is 1 or more; the sounder rule leaves such a model open. The registered interval comes from
# {glue:text}`h1_resamples:,` resamples of single trials (a **bootstrap**); the sounder one draws whole questions, and makes
# the edges of the ratings anew each time. Resamples without a finite M-ratio, or with one of 10 or more, are dropped; here {glue:text}`h1_dropped_draws:,` were.

# %%
caption = "The same M-ratio with intervals made in several ways. Compare their widths within a model."
forest(h1.intervals, value="m_ratio", rows="model", colour="scheme", reference=1, caption=caption, label="fig-h1-intervals")

# %% [markdown]
# ## The second hypothesis
#
# Does a model know better what it knows about geography than about art? Then the M-ratio differs between subjects.

# %%
h2 = run.result("h2", domains=domains, **drawn)
h2.glue()

# %%
h2.text("registered")

# %% [markdown]
# This book's further checks flag {glue:text}`h2_flagged` of its {glue:text}`h2_n_pairs` pairs. **AUROC2**, the chance
# that a right answer carries more confidence than a wrong one, needs no rating edges and nothing added:

# %%
h2.text("answer")

# %%
areas = h2.comparison[h2.comparison["auroc2"].notna()].drop_duplicates(["source", "model", "domain", "auroc2"])
caption = (
    "AUROC2 by subject, with 95 % intervals: those that the paper prints, and ours. Subjects differ where the marks of one "
    "colour keep apart. Confidence that knows nothing lies at the dashed line."
)
more = {"colour": "model", "panel": "source", "reference": 0.5, "label": "fig-h2-areas"}
forest(areas, value="auroc2", rows="domain", caption=caption, **more)

# %% [markdown]
# ### M-ratio by subject, the rule, and what is wrong with it
# <!-- fold -->

# %%
ratios = h2.comparison[h2.comparison["m_ratio"].notna()].drop_duplicates(["source", "model", "domain", "m_ratio"])
caption = (
    "M-ratio by subject: as the paper prints it, without intervals, and of this book's models, with 95 % intervals. In "
    "the table below stands how many pairs of them are not flagged. Most flags say that the 0.5 added to empty cells decides."
)
more = {"colour": "model", "panel": "source", "reference": 1, "label": "fig-h2-ratios"}
forest(ratios, value="m_ratio", rows="domain", caption=caption, **more)

# %%
columns = ["source", "model", "n_pairs", "usable", "n_apart", "apart", "unflagged"]
named = {"n_pairs": "Pairs of subjects", "usable": "Usable as registered", "n_apart": "Interval without 0", "apart": "Which", "unflagged": "Not flagged by us"}
caption = "The second hypothesis as registered, model by model: of the paper's, as its text says; of this book's, as computed."
digits = dict.fromkeys(["n_pairs", "usable", "n_apart", "unflagged"], 0)
table(h2.by_model, *columns, caption=caption, titles=named, digits=digits, folded=True)

# %%
h2.text("printed")

# %%
h2.rules("difference", "holm")

# %% [markdown]
# Six comparisons in each of several models are many chances to be surprised; **Holm**'s
# method makes up for their number. And subjects differ in difficulty, which alone moves an M-ratio, and **meta-I2r** as well.
# The [robustness chapter](study1-robustness.ipynb) compares subjects of equal difficulty.

# %%
caption = "meta-I2r where nothing but accuracy changes: confidence of one separation, the median of this run's subjects."
lines(h2.record.by_accuracy, x="accuracy", value="meta_i2r", caption=caption, label="fig-h2-accuracy")

# %% [markdown]
# ## The third hypothesis
#
# A higher **sampling temperature** makes a model bolder in its choice of words. Does that move only where confidence is
# cut, and leave meta-$d'$ as it is? Two conditions were registered; **Spearman's $\rho$** is a correlation of ranks.

# %%
h3 = run.result("h3", **drawn)
h3.glue()
h3.text("answer")

# %%
h3.text("registered")

# %%
judged = h3.summary[h3.summary["flagged"] == ""]
named = {"meta_d_range": "range of the estimates", "smallest_bound": "smallest bound that is shown", "": "meta-d' in units of d'"}
caption = (
    "How far meta-d' moves between four temperatures: the range of its estimates, which the paper's rule asks about, and the "
    "smallest bound that two one-sided tests would show. The hypothesis asks that both lie left of the dashed line."
)
more = {"inline": True, "reference": h3.bound, "label": "fig-h3-bounds", "titles": named}
forest(judged, value=["meta_d_range", "smallest_bound"], rows=["model", "edges"], caption=caption, **more)

# %% [markdown]
# ### The rules, and what is wrong with them
# <!-- fold -->

# %%
h3.text("tuned")

# %%
h3.rules("range", "rho")

# %%
columns = ["source", "model", "rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust", "flagged"]
caption = "Both registered conditions, as printed, from the printed table and in this run. What only this book flags is in the last column."
table(h3.comparison, *columns, caption=caption, titles={"flagged": "Flagged by us"}, folded=True)

# %% [markdown]
# The paper calls its range rule "TOST". It is not one: a small range of estimates can come
# from luck, and a large one from noise. Two one-sided tests (**TOST**) reverse the burden of proof: a difference is
# negligible only if its 90 % interval lies within a bound fixed beforehand, here {glue:text}`h3_bound` as in the paper.
#
# The rating edges matter too. As registered, they are those of temperature 1 at every temperature, so that confidence that
# rises as the temperature falls leaves the lower ratings nearly empty. The sounder rule takes each temperature's own.
#
# ### What the rise is made of
# <!-- fold -->
#
# Where measures rise with temperature, it looks as if a bolder model knew itself better. There is a simpler possible cause.
# At a high temperature a wrong answer may be only an unlucky draw, and the confidence of a draw is computed from the very
# words that were unlikely. So the same answers are judged twice: with the draw's confidence, and with that of the model's
# answer to the same question at the lowest temperature, which knows nothing of the draw.

# %%
luck = run.result("luck", seed=seed, verdicts=verdicts)
luck.glue()
numbers = luck.numbers()
luck.says(
    "rise",
    "Confidence tells more at a higher temperature, but in {n_lucky_rises} of {n_rises} models most of the rise can be luck of "
    "the draw, not insight.",
    "Confidence tells more at temperature 1 in {n_rising} of {n_rises} models.",
    holds=(numbers["n_rising"] == numbers["n_rises"]) & (numbers["n_lucky_rises"] > 0),
)

# %%
rises = luck.rises[(luck.rises["why"] == "") & (luck.rises["temperature"] == 1)]
named = {"with_draw": "with the draw's own confidence", "with_question": "with the question's", "": "Rise of AUROC2"}
caption = (
    "Rise of AUROC2 from the lowest temperature to temperature 1, with 95 % intervals. Where it rises with the draw's own "
    "confidence and not with the question's, the rise can be luck of the draw."
)
more = {"rows": "model", "reference": 0, "label": "fig-luck-rises", "titles": named}
forest(rises, value=["with_draw", "with_question"], caption=caption, **more)

# %% [markdown]
# What remains with the question's confidence is knowledge of the *question*. The rest is luck of the draw, or what one
# answer misses of its question ([what confidence is made of](study1-luck.ipynb)).
#
# ### d', meta-d' and the criterion over temperature
# <!-- fold -->

# %%
caption = (
    "This book's models: d', meta-d' and the criterion of the middle cut by sampling temperature, with the rating edges of "
    "temperature 1. Bands are 95 % intervals. The hypothesis asks for a flat meta-d' beside a d' or a criterion that moves."
)
more = {"panel": "model", "label": "fig-h3-temperatures", "titles": {"": "in units of d'"}}
lines(h3.temperatures, x="temperature", value=["d_prime", "meta_d", "criterion"], caption=caption, **more)

# %% [markdown]
# And the paper's own models? The author's first paper, on the same trials, has public counts of right and wrong answers
# in 20 bins of confidence at seven temperatures, with the same edges at each. They are read as fewer ratings, cut at the
# edge nearest the median of temperature 1.

# %%
first = run.result("first_paper", seed=seed)
first.text("ranges")

# %%
theirs = first.record.temperatures
caption = (
    "The paper's models over temperature: filled, from the first paper's counts cut near the median, with 95 % intervals; "
    "open, as version 1 prints it, with the rating edges of temperature 1. The criterion is not printed."
)
more = {"panel": "model", "label": "fig-first-paper-temperatures", "titles": {"": "in units of d'"}}
lines(theirs.assign(run=theirs["variant"]), x="temperature", value=["d_prime", "meta_d", "criterion"], caption=caption, **more)

# %% [markdown]
# Counts do not show which questions were answered correctly at both temperatures, but accuracy at two temperatures bounds
# how many wrong answers are slips. AUROC2 from the bins rises where the printed one does not, because ties dissolve.

# %%
columns = ["model", "temperature", "accuracy", "printed", "auroc2", "unlucky_at_least", "unlucky_at_most"]
caption = "The paper's models: AUROC2 as version 2 printed it and from the first paper's 20 bins; slips among wrong answers."
table(luck.record.published, *columns, caption=caption, folded=True)

# %% [markdown]
# ## The fourth hypothesis
#
# Can two models tell right from wrong answers equally well, and yet differ in what they know of themselves? The paper calls
# this the hidden structure.

# %%
h4 = run.result("h4", **drawn)
h4.glue()
h4.text("answer")

# %%
pairs = h4.comparison[h4.comparison["further"].notna()].drop_duplicates(["source", "model_a", "model_b", "difference"])
caption = (
    "Differences of M-ratio at temperature 1 between two models, the first less the second, with 95 % intervals: the paper's "
    "models, from reconstructed counts, then ours. The hypothesis needs an interval clear of the dashed zero in a pair that "
    "is further apart in M-ratio than in d'."
)
more = {"colour": "further", "reference": 0, "label": "fig-h4-pairs", "titles": {"difference": "Difference of M-ratio"}}
forest(pairs, value="difference", rows=["model_a", "model_b"], interval=("lower", "upper"), caption=caption, **more)

# %% [markdown]
# ### The rules, and what is wrong with them
# <!-- fold -->
#
# The paper's code and its text ask two different things:

# %%
h4.rules("code", "text")

# %% [markdown]
# The code is stricter than the text. Neither asks whether the two models are alike in $d'$,
# which is the point of the hypothesis: with one meta-$d'$, models differ in M-ratio as soon as they differ in $d'$. The
# sounder rule asks for more:

# %%
h4.rules("further")

# %% [markdown]
# One M-ratio may be twice the other while $d'$ differs by a fifth: then the pair is further apart in M-ratio. Questions are
# drawn for both models at once. A pair must pass both tests, so its $p$ is the larger of the two, adjusted by Holm's method.
# A pair that passes need not hide any structure: if its right and wrong answers spread unequally, or accuracy differs, the
# M-ratio moves by itself.
#
# ## What would change your mind
#
# A whole interval of M-ratio on the other side of 1; a difference between subjects that keeps its sign in another model and
# shows in AUROC2 too; intervals over temperature wholly within the bound, or outside it; a pair of models further apart in
# M-ratio than in $d'$, with like slopes of the z-ROC.
#
# ### How often these rules pass
# <!-- fold -->
#
# From the first hypothesis to the fourth:

# %%
summary.text("found_h1")

# %%
summary.text("found_h2")

# %%
summary.text("found_h3")

# %%
summary.text("found_h4")

# %% [markdown]
# Runs were simulated in which a sounder rule is all but right, and should pass in 5 % at most. A share is compatible with 5 %
# if it is at most two standard errors above.

# %%
columns = ["rule", "design", "n", "after", "se", "nominal"]
named = {"n": "Questions or trials", "after": "Share that passes", "nominal": "Compatible with 5 %"}
table(summary.record.levels, *columns, caption="Simulated runs in which a sounder rule should not pass.", titles=named, folded=True)
