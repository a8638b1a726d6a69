# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The correction: why a ranking was withdrawn

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.report import dots, forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
published = run.result("correction", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed)
published.glue()
published.answer()

# %%
trivia = published.measures[published.measures["dataset"] == "TriviaQA"]
caption = (
    "The same four tables of counts, measured twice, with 95 % intervals: the paper's models on TriviaQA. Dashed: an "
    "M-ratio of 1, and a confidence that knows nothing."
)
more = {"reference": {"m_ratio": 1, "auroc2": 0.5}, "beside": True, "sort": True, "label": "fig-correction-two"}
forest(trivia, value=["m_ratio", "auroc2"], rows="model", caption=caption, **more)

# %% [markdown]
# The paper that this part of the book follows has two versions {cite:p}`cacioli2026sdt`. The first ranked four models by
# an *efficiency ratio*, the **M-ratio**. The second, by the same author and on the same data, withdrew that measure and
# used two others: **AUROC2**, the chance that a right answer carries more confidence than a wrong one (0.5 if confidence
# knows nothing), and **meta-I2r**, the share of the uncertainty about being right that confidence removes
# {cite:p}`dayan2023`.
#
# :::{important}
# The ranking by M-ratio is **not a finding about the models**. This page shows what the ratio responds to instead.
# :::
#
# ## What the first version computed
#
# Each answer is right or wrong and comes with a confidence, cut into eight equally frequent ratings. From these come two
# numbers.
#
# - **$d'$** ("d prime") cuts the ratings in the middle and asks how far apart right and wrong answers are:
#   $d' = z(\text{share of right answers above the cut}) - z(\text{share of wrong ones above it})$, where $z$ turns a
#   share into a distance on the bell curve.
# - **meta-$d'$** looks at the ratings *within* each half and asks which $d'$ would have produced them.
#
# The M-ratio is meta-$d'$ divided by $d'$. In the task it was made for {cite:p}`maniscalco2012`, someone first *decides*
# between two alternatives and then says how sure they are. There $d'$ describes the decision and meta-$d'$ the
# confidence, and 1 means that confidence uses all that the decision used. An open question has no such decision. The
# first version put "lower half" and "upper half" of confidence where the two decisions belong. Now both numbers come
# from one table, and the ratio compares the table with itself: its middle cut with the other six.
#
# The figure shows $d'$ at each of the seven cuts. Where a line is flat, the M-ratio is 1, whether the line is high or
# low. Where it tilts or bends, the ratio departs from 1.

# %%
caption = "d' at each place where the eight ratings can be cut; the first version's d' is the one in the middle."
lines(published.cuts, x="cut_after", value="d_prime", colour="model", panel="dataset", caption=caption, label="fig-correction-cuts")

# %% [markdown]
# So the question is what tilts and bends such a line.
#
# ## Answerers whose efficiency is known
#
# To see what a measure measures, apply it where the truth is known. Simulated answerers are right with a fixed
# probability. A hidden **strength** separates their right answers from their wrong ones, and their **confidence** is
# what is left of strength after some loss. **True efficiency** is the information that confidence carries about being
# right, divided by the information that strength carries:
#
# $$\text{true efficiency} = \frac{I(\text{correct};\,\text{confidence})}{I(\text{correct};\,\text{strength})}.$$
#
# If nothing is lost it is 1. Nobody knows how language models lose information, so there are several kinds of
# answerers:
#
# - **Additive noise.** Strength is a bell curve for wrong and an equal one for right answers; confidence is strength plus
#   bell-shaped noise.
# - **Uneven spread.** The same, but strength of wrong answers is spread less, or more, than that of right ones.
# - **Known or guessed.** Some questions are known and nearly always answered rightly, the rest is guessed; then noise.
# - **Lapses.** Now and then confidence is that of another question; otherwise nothing is lost.
# - **Graded noise.** Confidence keeps on which side of the middle strength lies, but not how far from it.
# - **Heavy tails.** Noise is mostly small and now and then huge.
# - **One-sided noise.** Noise only lowers confidence, or only raises it.
# - **Few levels.** Confidence with noise takes only a few values, as when it is spoken.
#
# ### With nothing lost
#
# If the M-ratio were an efficiency, it would be 1 for all of these answerers.

# %%
known = run.result("correction_recovery", seed=seed)
known.glue()
known.text("lossless")

# %%
whole = known.cells[(known.cells["wanted"] == 1) & known.cells["family"].isin(["additive", "unequal", "mixture"])]
caption = (
    "M-ratio of simulated answerers whose true efficiency is 1; one mark for each share of right answers. In brackets: the "
    "share of guesses that are right. Wrong spread: that of wrong answers' strength, where right ones have 1."
)
more = {"reference": 1, "inline": True, "titles": {"variant": "kind of answerer"}, "label": "fig-correction-lossless"}
forest(whole, value="m_ratio", rows="variant", colour="accuracy", caption=caption, **more)

# %% [markdown]
# The measure sees the **shape** of confidence. Plot the share of right answers above each cut against the share of wrong
# ones, both turned into $z$: this is the **z-ROC**. Two bell curves give a straight line, whose **slope** is the spread
# of wrong answers' confidence divided by that of right answers'. Questions that are partly known and partly guessed give
# a line that **bends**.
#
# ### With ever more lost
#
# An efficiency would fall along the dashed line.

# %%
known.text("directions")

# %%
five = ["additive noise", "graded noise", "lapses", "known or guessed (5 %)", "only downwards"]
some = known.cells[known.cells["variant"].isin(five) & known.cells["accuracy"].isin([0.1, 0.43])]
caption = "M-ratio against true efficiency for five kinds of answerers, where 10 % and where 43 % of answers are right."
more = {"panel": "accuracy", "diagonal": True, "titles": {"accuracy": "share right"}, "label": "fig-correction-families"}
lines(some, x="efficiency", value="m_ratio", colour="variant", caption=caption, **more)

# %% [markdown]
# Among answerers who differ in graded noise alone the ratio may even order them correctly. To read it that way one would
# have to know beforehand that a model loses information in just that way.
#
# ### What a given ratio can mean

# %%
known.text("answer")

# %%
named = {"n_families": "Kinds of answerers that give it", "lowest": "True efficiency from", "highest": "to"}
caption = "Where one and the same M-ratio comes from."
table(known.same, *("m_ratio", "lowest", "highest", "n_families"), caption=caption, titles=named, digits={"m_ratio": 1, "highest": 2})

# %% [markdown]
# ## How far the author's own explanation holds
#
# The second version explains its correction like this: computed from one table, the M-ratio is pinned near 1 and only
# reflects unequal variance, which is the slope of the z-ROC. Both can be tested.

# %%
known.text("claimed")

# %%
named = {"family": "kind of answerer", "": "Largest distance of the M-ratio"}
caption = (
    "How far the M-ratio of simulated answerers lies at most from 1, and from what the slope of the z-ROC and accuracy "
    "predict. Left of the dashed line the explanation holds."
)
more = {"reference": 0.05, "titles": named, "label": "fig-correction-explained"}
forest(known.explained, value=["from_one", "from_line"], rows="family", caption=caption, **more)

# %% [markdown]
# And the paper's own models?

# %%
published.text("near")

# %%
published.text("line")

# %%
named = {"m_ratio": "as measured", "predicted_m_ratio": "as slope and accuracy predict", "": "M-ratio"}
caption = "M-ratio of the published counts with 95 % intervals, and what a straight z-ROC of their slope predicts."
more = {"panel": "dataset", "reference": 1, "titles": named, "label": "fig-correction-line"}
forest(published.measures, value=["m_ratio", "predicted_m_ratio"], rows="model", caption=caption, **more)

# %% [markdown]
# Where the prediction lies outside the interval, something else moved the ratio: a bend, or chance. The table does not
# tell which.
#
# ## What AUROC2 says instead
#
# Does AUROC2 order the paper's models otherwise, on both of its question sets? Where dots climb together, both agree.

# %%
ranks = run.result("auroc2", n_permutations=n_permutations, seed=seed, verdicts=verdicts)
ranks.glue()
ranks.text("answer")

# %%
caption = "M-ratio against AUROC2 of the paper's models, from the published counts, on its two question sets."
more = {"panel": "dataset", "names": "model", "label": "fig-correction-ranks"}
dots(ranks.record.published_ranks, x="auroc2", y="m_ratio", caption=caption, **more)

# %%
published.text("carried")

# %% [markdown]
# ### Does it follow efficiency?
#
# The same is asked of each measure: does it put simulated answerers in the order of their true efficiency, if they differ
# in nothing else? Each answers 5,000 questions, {glue:text}`correction_recovery_repetitions` times over.

# %%
known.text("compared")

# %%
asked = known.counted[known.counted["measure"].isin(["m_ratio", "auroc2", "meta_i2r"])]
caption = "Share of the accuracies tried at which a measure gives the order of true efficiency (a mean rank correlation of .95)."
more = {"value": "recovered", "why": "why", "titles": {"variant": "Kind of answerer"}}
matrix(asked, rows="variant", columns="measure", caption=caption, **more)

# %% [markdown]
# This is no contest that AUROC2 and meta-I2r win: efficiency was *defined* by information, and strength and accuracy
# were held fixed. The next answerers show the limit. Their strength grows with the noise, so that the expected table of
# right and wrong by rating stays the same.

# %%
known.text("hidden")

# %%
same = known.recoveries["same table"].table
same = same[same["measure"].isin(["m_ratio", "auroc2", "meta_i2r"])]
caption = "Three measures relative to the most efficient answerer (AUROC2: its distance from .5), where the expected table stays the same. Dashed: the truth."
more = {"diagonal": True, "titles": {"ratio": "Measured, first answerer = 1"}, "label": "fig-correction-limits"}
lines(same, x="efficiency", value="ratio", colour="measure", caption=caption, **more)

# %% [markdown]
# AUROC2 and meta-I2r say how much confidence tells about being right. They do not say whether a model with a low value
# senses its knowledge badly or has little to sense. No statistic of the table can.
#
# ## The models of this run

# %%
run.result("signal").text("which")

# %%
replication = run.result(
    "correction_replication", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed, verdicts=verdicts
)
caption = "This run's models at temperature 1, with 95 % intervals. Dashed: an M-ratio of 1, and a confidence that knows nothing."
more = {"reference": {"m_ratio": 1, "auroc2": 0.5}, "beside": True, "label": "fig-correction-replication"}
forest(replication.measures, value=["m_ratio", "auroc2"], rows="model", caption=caption, **more)

# %% [markdown]
# ## The published counts in numbers
# <!-- fold -->
#
# Intervals are this book's, not the second version's: those of meta-I2r lay too high there, and percentile intervals of
# AUROC2 are too short where few answers are right.

# %%
columns = ["model", "dataset", "accuracy", "d_prime", "meta_d", "m_ratio", "auroc2", "meta_i2r", "z_slope"]
table(published.measures, *columns, caption="Both versions' measures of the published counts at temperature 1.")

# %% [markdown]
# ## What would change your mind
#
# - **That the M-ratio is no efficiency**: a value in the table above that comes from one kind of answerer alone, or from
#   nearly one efficiency.
# - **That it misled the ranking**: an order of the models by M-ratio that is the same on both question sets.
# - **That AUROC2 and meta-I2r are no efficiency either**: a statistic that sees through the same table.
#
# ## What to take away
#
# - For open answers, do not read an M-ratio as efficiency, nor ascribe it to one cause. Report how well confidence tells
#   right from wrong (AUROC2) and how much it tells (meta-I2r), next to accuracy.
# - Where there *is* a decision between two choices, meta-$d'$ keeps its meaning ([study 2](study2-overview.ipynb)).
# - An analysis that was registered beforehand can be carried out to the letter and not measure what it names. And an
#   explanation of what went wrong can itself claim too much, if it is tested on one kind of answerer.
