# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The correction: why M-ratio could not answer the question
#
# The study this part of the book follows exists in two versions {cite:p}`cacioli2026sdt`. Version 1
# ranked four models by an *efficiency ratio*, the M-ratio, and put Mistral last. Version 2, by the
# same author and on the same data, withdrew that measure and put Mistral first. This page shows
# version 1 exactly as it was pre-registered, then why its measure is circular, then what version 2
# measures instead.
#
# :::{important}
# The M-ratio ranking below is **not a finding about the models**. It is shown so that you can see
# what went wrong.
# :::

# %% tags=["parameters"]
profile = "default"
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %% tags=["hide-input"]
from metacog.book import trial_files
from metacog.report.show import glue, save_table, table, verdict
from metacog.report.style import use_style
from metacog.studies.study1_qa import correction, latent
from metacog.studies.study1_qa import correction_figures as figures
from metacog.studies.study1_qa import correction_verdicts as say
from metacog.trials import read_trials

use_style()
options = {"n_resamples": n_resamples, "n_permutations": n_permutations, "seed": seed}
cells = correction.published_cells()
measured = correction.published_measures(**options).table
shown = figures.named(measured)

# %% [markdown]
# ## Version 1, as pre-registered
#
# Each answer is right or wrong and comes with a confidence (the mean log-probability of its words),
# cut into eight ratings that are equally frequent. Two numbers are then computed.
#
# - **$d'$** ("d prime") cuts the ratings in the middle and asks how far right and wrong answers lie
#   apart: $d' = z(\text{share of right answers above the cut}) - z(\text{share of wrong ones above it})$,
#   where $z$ turns a share into a distance on the bell curve.
# - **meta-$d'$** looks at the ratings *within* each half and asks which $d'$ would have produced them.
#
# Their ratio is the **M-ratio**, read as efficiency: 1 means that confidence uses all there is to know.
# The study's first hypothesis was that it lies below 1.

# %% tags=["hide-input"]
trivia = shown[shown["dataset"] == "TriviaQA"].sort_values("m_ratio", ascending=False)
columns = ["model", "accuracy", "d_prime", "meta_d", "m_ratio", "m_ratio_lo", "m_ratio_hi"]
names = {
    "m_ratio": "M-ratio", "m_ratio_lo": "95 % from", "m_ratio_hi": "to", "d_prime": "d'",
    "meta_d": "meta-d'", "accuracy": "share right", "model": "model",
}  # fmt: skip
table(
    trivia[columns],
    labels=names,
    caption="Version 1 on TriviaQA at T = 1, recomputed from the published counts. Highest M-ratio first.",
)

# %% [markdown]
# ## Why it is circular
#
# In the task that meta-$d'$ was made for {cite:p}`maniscalco2012`, an observer first *decides* between
# two alternatives, and then says how sure it is. $d'$ describes the decision, meta-$d'$ describes the
# confidence, and they can differ: that is the point of the ratio.
#
# An open question has no such decision. Version 1 put "wrong" and "right" where the two stimuli
# belong, and "confidence in the lower half" and "in the upper half" where the two responses belong.
# Now the decision *is* the confidence. Both numbers come from one table, right or wrong by rating,
# and the ratio compares the table with itself: the middle cut with the other six.
#
# The figure shows $d'$ at each of the seven places where the eight ratings can be cut. If a line is
# flat, all cuts agree and the M-ratio is 1, whether the line lies high or low.

# %% mystnb={"figure": {"name": "fig-correction-cuts", "caption": "d' at each of the seven cuts. A flat line gives an M-ratio of 1 at any height; the grey band marks the cut that v1 calls d'. How high a line lies is what confidence knows; the M-ratio divides just that away. A ratio that followed the height would change our mind."}, "image": {"alt": "Lines of d prime at seven cut points for four models on two question sets"}} tags=["hide-input"]
figures.cuts(cells)
# %% [markdown]
# ## Answerers whose efficiency we know
#
# To see what a measure measures, give it something whose answer is known. Simulated answerers are
# right with a fixed probability. A hidden **strength** $x$ separates their right answers from their
# wrong ones, and their confidence is $x$ plus noise. The information that $x$ carries about
# correctness is $I(\text{correct};x)$, in bits; the information that confidence carries is
# $I(\text{correct};y)$; and
#
# $$\text{true efficiency} = \frac{I(\text{correct};\,y)}{I(\text{correct};\,x)}.$$
#
# With no noise it is 1. Five answerers, each with the same accuracy and the same strength but ever
# more noise, span four-fold in efficiency. Each answers 5,000 questions, {glue:text}`correction_repetitions` times over. In the
# left panel strength is Gaussian for right and for wrong answers; in the right one it *decides*
# whether an answer is right (right if $x > 0$).
#
# Besides M-ratio there are the two measures of version 2. **AUROC2** is the probability that a right
# answer carries more confidence than a wrong one (1/2 is chance). **meta-$I_{2r}$** is the share of
# the uncertainty about correctness that the rating removes,
# $I(\text{correct};\text{rating})/H(\text{correct})$ {cite:p}`dayan2023`; what chance alone would
# give is subtracted.

# %% tags=["hide-input"]
n_repetitions = max(40, min(400, n_resamples // 25))
recoveries = {
    name: latent.recover(latent.design(name), n_repetitions=n_repetitions, seed=seed)
    for name in ("noise", "threshold", "shape", "reversed", "same table")
}
save_table(figures.recovery_table(recoveries), f"{profile}/correction_recovery", seed=seed)
glue("correction_repetitions", n_repetitions)

# %% mystnb={"figure": {"name": "fig-correction-recovery", "caption": "What three measures make of answerers whose efficiency is known, each relative to the most efficient one (AUROC2: its distance from 1/2). The dashed line is the truth. Bars hold 95 % of the repetitions. A measure of efficiency must at least fall with it."}, "image": {"alt": "Measured efficiency against true efficiency for M-ratio, meta-I2r and AUROC2 in two designs"}} tags=["hide-input"]
figures.recovered({"Gaussian strength": recoveries["noise"], "x decides": recoveries["threshold"]})
# %% tags=["hide-input"]
for judged in say.recovery_verdicts(recoveries["noise"]):
    verdict(judged.sentence, passed=judged.passed)

# %% tags=["hide-input"]
for judged in say.recovery_verdicts(recoveries["threshold"]):
    verdict("Where strength decides correctness: " + judged.sentence, passed=judged.passed)

# %% [markdown]
# ## What M-ratio does see
#
# It sees the *shape* of the two confidence distributions. Plot the share of right answers above each
# cut against the share of wrong answers above it, both turned into $z$: this is the **z-ROC**. If both
# distributions are bell curves it is a straight line, and its **slope** is the spread of wrong
# answers' confidence over that of right answers'. At slope 1, $d'$ is the same at every cut. At any
# other slope it changes from cut to cut, and how the middle compares with the rest depends on the
# slope and on where the middle falls, that is on accuracy.
#
# Here are five answerers that are *all* fully efficient (no noise at all) and differ only in slope.
# (meta-$I_{2r}$ is not perfectly level either: at one and the same sensitivity, an uneven spread
# makes the strength itself a little more informative.)

# %% mystnb={"figure": {"name": "fig-correction-shapes", "caption": "Five fully efficient answerers that differ in the slope of their z-ROC only. A measure of efficiency should draw a level line."}, "image": {"alt": "M-ratio, meta-I2r and AUROC2 against z-ROC slope for observers of equal efficiency"}} tags=["hide-input"]
figures.shapes(recoveries["shape"])
# %% tags=["hide-input"]
judged = say.shape_verdict(recoveries["shape"])
verdict(judged.sentence, passed=judged.passed)

# %% [markdown]
# Can slope turn the order round? In the left panel below the most efficient answerer has the steepest
# z-ROC and the least efficient the shallowest. The right panel asks something of *every* measure on
# this page: there, strength grows together with noise so that the expected table of right and wrong by
# rating stays the same while efficiency falls.

# %% mystnb={"figure": {"name": "fig-correction-limits", "caption": "Left: efficiency and slope fall together. Right: efficiency falls behind an unchanged table, so nothing computed from the table can see it. Dashed: the truth."}, "image": {"alt": "Measured against true efficiency when slope falls with efficiency, and when the table stays the same"}} tags=["hide-input"]
figures.recovered({"slope falls too": recoveries["reversed"], "same table": recoveries["same table"]})
# %% tags=["hide-input"]
for judged in say.recovery_verdicts(recoveries["reversed"]):
    verdict("Where the slope falls with efficiency: " + judged.sentence, passed=judged.passed)
judged = say.same_table_verdict(recoveries["same table"])
verdict(judged.sentence)

# %% [markdown]
# So meta-$I_{2r}$ deserves a plain reading: it says what share of the uncertainty about correctness
# the confidence removes. It is proportional to efficiency among answerers whose hidden strength is
# equally informative. It does not say whether a model with a low value has a poor sense of its own
# knowledge or has little to sense.
#
# ## The published cells
#
# The curves show what a perfectly straight z-ROC predicts for the M-ratio at three accuracies; the
# points are the study's eight cells.

# %% mystnb={"figure": {"name": "fig-correction-slope", "caption": "M-ratio against z-ROC slope. Curves: straight z-ROCs of equal sensitivity. Filled points: TriviaQA, hollow: Natural Questions (10 to 28 % right, so compare them with the dotted curve). A point off its curve has a z-ROC that bends, or is noisy."}, "image": {"alt": "M-ratio against z-ROC slope for eight published cells with three predicted curves"}} tags=["hide-input"]
figures.slope_and_ratio(measured)
# %% tags=["hide-input"]
judged = say.line_verdict(measured)
verdict(judged.sentence, passed=judged.passed)

# %% [markdown]
# Version 2 puts it as "M-ratio only reflects unequal variance". The cells above say it a little more
# widely: M-ratio reflects the *shape* of the z-ROC, its slope and its bend, and the accuracy that
# decides where the middle cut falls. None of these is efficiency.
#
# ## Version 2, and the reversed ranking
#
# Version 2 reports meta-$I_{2r}$, AUROC2 and the z-ROC slope for what they are.

# %% tags=["hide-input"]
columns = [
    "model",
    "dataset",
    "accuracy",
    "meta_i2r",
    "meta_i2r_lo",
    "meta_i2r_hi",
    "auroc2",
    "z_slope",
    "m_ratio",
]
v2 = shown.sort_values(["dataset", "meta_i2r"], ascending=False)[columns]
save_table(v2, f"{profile}/correction_published", **options)
table(
    v2,
    labels={
        "meta_i2r": "meta-I2r", "meta_i2r_lo": "95 % from", "meta_i2r_hi": "to", "auroc2": "AUROC2",
        "z_slope": "z-ROC slope", "m_ratio": "M-ratio (v1)", "accuracy": "share right", "dataset": "questions",
    },
    caption="Version 2's measures from the published counts at T = 1, most informative confidence first.",
)  # fmt: skip

# %% mystnb={"figure": {"name": "fig-correction-two", "caption": "The same eight tables of counts, measured twice, with 95 % intervals. Filled: TriviaQA, hollow: Natural Questions. Models stand in the order of v1 on TriviaQA. Note how far Mistral's M-ratio moves from one question set to the other."}, "image": {"alt": "M-ratio and meta-I2r of four models with confidence intervals side by side"}} tags=["hide-input"]
figures.two_measures(measured)
# %% tags=["hide-input"]
judged = say.ranking_verdict(measured)
glue("correction_ranking", judged.sentence)
verdict(judged.sentence, passed=judged.passed)

# %% tags=["hide-input"]
judged = say.datasets_verdict(measured)
verdict(judged.sentence)

# %% [markdown]
# The other findings of version 1, on domains and on temperature, version 2 reports as standing under
# its own measure; the figures are rows of {doc}`the ledger <ledger>`.
#
# ## This run's own models
#
# The same measures for the models behind this book, from their trials at $T = 1$. The M-ratio is
# shown for one reason: so that you can check that it says nothing that the slope does not.

# %% tags=["hide-input"]
trials = read_trials(trial_files(profile))
own = correction.run_measures(trials, **options).table
columns = ["model", "dataset", "n", "accuracy", "meta_i2r", "meta_i2r_lo", "meta_i2r_hi", "auroc2", "z_slope",
           "m_ratio", "predicted_m_ratio", "flag"]  # fmt: skip
save_table(own, f"{profile}/correction_own", **options)
table(
    own[columns],
    labels={
        "meta_i2r": "meta-I2r", "meta_i2r_lo": "95 % from", "meta_i2r_hi": "to", "auroc2": "AUROC2",
        "z_slope": "z-ROC slope", "m_ratio": "M-ratio (v1)", "accuracy": "share right", "n": "trials",
        "predicted_m_ratio": "M-ratio from slope and accuracy", "dataset": "questions",
    },
    caption="The run's own models at T = 1. A flag names what makes a row rough.",
)  # fmt: skip

# %% mystnb={"figure": {"name": "fig-correction-own", "caption": "The run's own models, measured by both versions, with 95 % intervals."}, "image": {"alt": "M-ratio and meta-I2r of the run's models with confidence intervals"}} tags=["hide-input"]
figures.two_measures(own)
# %% tags=["hide-input"]
for judged in say.own_verdicts(own, verdicts):
    verdict(judged.sentence, passed=judged.passed)

# %% [markdown]
# ## What to take away
#
# - For open answers, do not report an M-ratio. Report how much confidence tells about correctness
#   (meta-$I_{2r}$), how well it ranks (AUROC2), and the z-ROC slope, each with its interval.
# - Where there *is* a two-choice decision, meta-$d'$ keeps its meaning; the next study uses it there.
# - A pre-registered analysis can be carried out to the letter and still not measure what it names.
#   What would have shown it in advance is a simulation like the one above.
