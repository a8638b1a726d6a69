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
seed = 42

# %%
from metacog.report import dots, forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
published = run.result("correction", n_resamples=n_resamples, seed=seed)
published.glue()
numbers = published.numbers()
published.says(
    "head",
    "By the withdrawn measure one and the same model, Mistral-7B, comes last of four on one set of questions and first on "
    "another.",
    "By M-ratio Mistral-7B comes at place {main_place} on one set of questions and at {other_place} on another.",
    holds=(numbers["main_place"] == 4) & (numbers["other_place"] == 1),
    head=True,
    rule="answer",
)

# %%
caption = (
    "Why: each dot is one cut of the eight ratings, at the share of wrong answers above it and of right ones, as "
    "distances on the bell curve. If all answers had one spread, dots would climb in parallel to the dashed line."
)
shape = run.result("correction_z_roc")
titles = {"z_wrong": "z of wrong answers above the cut", "z_right": "z of right answers above the cut"}
mistral = shape.points[shape.points["model"].str.startswith("Mistral")]
lines(mistral, x="z_wrong", value="z_right", colour="dataset", diagonal=True, caption=caption, label="fig-correction-z", titles=titles)

# %%
published.says(
    "both",
    "The same model, two tables: an M-ratio of {main_ratio:.2f} on TriviaQA (pub-quiz questions) and of {other_ratio:.2f} on "
    "Natural Questions (what people typed into Google). One is below 1, as if it wasted what it knows, the other above 1, as if "
    "it knew more than it decided by. Much of the difference is how many answers are right, and so where the middle cut falls on a "
    "curve; the two curves differ as well. Of the six pairs of models, {n_turned} change places beyond chance.",
    "Its M-ratio is {main_ratio:.2f} on TriviaQA and {other_ratio:.2f} on Natural Questions.",
    holds=(numbers["main_ratio"] < 1) & (numbers["other_ratio"] > 1) & (numbers["n_turned"] > 0),
)

# %%
caption = (
    "The paper's models, from reconstructed counts, measured twice, with 95 % intervals, on both of its sets of questions. "
    "Dashed: an M-ratio of 1, and a confidence that knows nothing."
)
forest(
    published.measures, value=["m_ratio", "auroc2"], rows="model", colour="dataset", beside=True,
    reference={"m_ratio": 1, "auroc2": 0.5}, caption=caption, label="fig-correction-two",
)

# %% [markdown]
# The paper that this part of the book follows has two versions {cite:p}`cacioli2026sdt`. The first ranked four models by
# an *efficiency ratio*, the **M-ratio**. The second, by the same author and on the same data, withdrew that measure and
# used two others: **AUROC2**, the chance that a right answer carries more confidence than a wrong one (0.5 if confidence
# knows nothing), and **meta-I2r**, the share of the uncertainty about being right that confidence removes
# {cite:p}`dayan2023`. So the ranking by M-ratio is **not a finding about the models**. This page shows what the ratio
# responds to instead.
#
# The paper prints no counts of right and wrong answers by rating. Those used here are **reconstructed**:
# [solved](ledger.ipynb) so that its accuracy, AUROC2 and meta-I2r come out. These three and $d'$ therefore repeat its
# print; meta-$d'$, the M-ratio, slopes and intervals were not used, and test the reconstruction.
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
# from one table, and the ratio compares the table with itself: its middle cut with the other six. That ratings of one's own
# answers must not be read as if they were ratings of the world, {cite:t}`galvin2003` warned long before there were such models.
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
# If nothing is lost it is 1. Nobody knows how language models lose information, so there are several kinds:
#
# - **Additive noise**: strength is a bell curve for wrong and an equal one for right answers, and bell-shaped noise is
#   added; or **heavy tails**, noise that is now and then huge; or **one-sided** noise, which only lowers or only raises.
# - **Uneven spread**: strength of wrong answers is spread less, or more, than that of right ones.
# - **Known or guessed**: some questions are known and nearly always answered rightly, the rest is guessed.
# - **Lapses**: now and then confidence is that of another question.
# - **Graded noise**: confidence keeps on which side of the middle strength lies, but not how far from it.
# - **Few levels**: confidence takes only a few values, as when it is spoken.
#
# ### What loss does to the ratio
#
# An efficiency would follow the dashed line, and would be 1 at its right end, where nothing is lost.

# %%
known = run.result("correction_recovery", seed=seed)
known.glue()

# %%
five = ["additive noise", "graded noise", "lapses", "known or guessed (5 %)", "wrong spread 1.4"]
some = known.cells[known.cells["variant"].isin(five) & known.cells["accuracy"].isin([0.1, 0.43])]
caption = (
    "M-ratio against true efficiency for five kinds of answerers, where 10 % and where 43 % of answers are right. In the "
    "last, strength of wrong answers is spread 1.4 times as widely as that of right ones."
)
lines(
    some, value="m_ratio", x="efficiency", colour="variant", panel="accuracy", diagonal=True,
    caption=caption, titles={"accuracy": "share right"}, label="fig-correction-families",
)

# %% [markdown]
# The measure sees the **shape** of confidence. Plot the share of right answers above each cut against the share of wrong
# ones, both turned into $z$: this is the **z-ROC**. Two bell curves give a straight line, whose **slope** is the spread
# of wrong answers' confidence divided by that of right answers'; questions partly known and partly guessed give a line
# that **bends**. In people it bends as well: the surer they are, the worse their confidence tells, as if its noise grew with
# it {cite:p}`shekhar2021`. Only where answerers differ in graded noise alone, and that noise is bell-shaped, does the ratio mostly order them
# correctly; with heavy tails it does at times.
#
# ### What a given ratio can mean

# %%
k = known.numbers()
known.says(
    "answer",
    "The M-ratio of open answers is no efficiency: one and the same ratio, near 1, comes from simulated answerers with "
    "efficiencies from {near_lowest:.2f} to {near_highest:.2f}.",
    "An M-ratio near 1 comes from simulated answerers with efficiencies from {near_lowest:.2f} to {near_highest:.2f}.",
    holds=k["ambiguous"] and k["near_highest"] > 2 * k["near_lowest"],
)

# %%
named = {"n_families": "Kinds of answerers that give it", "lowest": "True efficiency from", "highest": "to"}
caption = "Where one and the same M-ratio comes from."
table(known.same, *("m_ratio", "lowest", "highest", "n_families"), caption=caption, titles=named, digits={"m_ratio": 1, "highest": 2}, folded=True)

# %% [markdown]
# ## Do AUROC2 and meta-I2r follow efficiency?
#
# The same is asked of each measure: does it put simulated answerers in the order of their true efficiency, if they differ
# in nothing else? Each answers 5,000 questions, {glue:text}`correction_recovery_repetitions` times over.

# %%
asked = known.counted[known.counted["measure"].isin(["m_ratio", "auroc2", "meta_i2r"])]
asked = asked[~asked["variant"].isin(["3 levels", "5 levels", "11 levels", "known or guessed (25 %)"])]
caption = "Share of the accuracies tried at which a measure gives the order of true efficiency (a mean rank correlation of .95)."
matrix(
    asked, value="recovered", rows="variant", columns="measure", why="why", caption=caption,
    titles={"variant": "Kind of answerer"},
)

# %% [markdown]
# This is no contest that AUROC2 and meta-I2r win: efficiency was *defined* by information, and strength and accuracy
# were held fixed. They say how much confidence tells about being right, not whether a model with a low value senses its
# knowledge badly or has little to sense. Where strength grows with the noise so that the table of right and wrong by
# rating stays the same, no statistic of the table can tell.
#
# ### Where the table stays the same
# <!-- fold -->

# %%
same = known.same_table
same = same[same["measure"].isin(["m_ratio", "auroc2", "meta_i2r"])]
caption = "Three measures relative to the most efficient answerer (AUROC2: its distance from .5), where the expected table stays the same. Dashed: the truth."
lines(
    same, value="ratio", x="efficiency", colour="measure", diagonal=True, caption=caption,
    titles={"ratio": "Measured, first answerer = 1"}, label="fig-correction-limits",
)

# %% [markdown]
# ## How far the author's own explanation holds
# <!-- fold -->
#
# The second version explains its correction like this: computed from one table, the M-ratio is pinned near 1 and only
# reflects unequal variance, which is the slope of the z-ROC. Both can be tested on simulated answerers.

# %%
named = {"family": "kind of answerer", "": "Largest distance of the M-ratio"}
caption = (
    "How far the M-ratio of simulated answerers lies at most from 1, and from what the slope of the z-ROC and accuracy "
    "predict. Left of the dashed line the explanation holds."
)
forest(
    known.explained, value=["from_one", "from_line"], rows="family", reference=0.05, caption=caption,
    titles=named, label="fig-correction-explained",
)

# %% [markdown]
# And the paper's own models? Where the prediction lies outside the interval, something else moved the ratio: a bend, or
# chance. The table does not tell which.

# %%
named = {"m_ratio": "as measured", "predicted_m_ratio": "as slope and accuracy predict", "": "M-ratio"}
caption = "M-ratio of the reconstructed counts with 95 % intervals, and what a straight z-ROC of their slope predicts."
forest(
    published.measures, value=["m_ratio", "predicted_m_ratio"], rows="model", panel="dataset", reference=1,
    caption=caption, titles=named, label="fig-correction-line",
)

# %% [markdown]
# ## What d' and meta-d' are, model by model
# <!-- fold -->

# %%
run.result("signal").text("which")

# %%
replication = run.result("correction_replication", n_resamples=n_resamples, seed=seed)
caption = (
    "meta-d' against d' at temperature 1, with 95 % intervals: the paper's models as printed, with intervals from its "
    "counts, and this book's. On the dashed line the M-ratio is 1."
)
plane = replication.plane.drop_duplicates(["source", "model", "d_prime"])
dots(
    plane, x="d_prime", colour="model", panel="source", y="meta_d", diagonal=True, caption=caption,
    label="fig-correction-plane",
)

# %% [markdown]
# ## The second version's measures in this book's models
# <!-- fold -->

# %%
caption = "This run's models at temperature 1, with 95 % intervals. Dashed: an M-ratio or a slope of 1, and a confidence that knows nothing."
forest(
    replication.measures, value=["m_ratio", "auroc2", "meta_i2r", "z_slope"], rows="model", beside=True,
    reference={"m_ratio": 1, "auroc2": 0.5, "meta_i2r": 0, "z_slope": 1}, caption=caption,
    label="fig-correction-replication",
)

# %%
moving = replication.temperatures.drop_duplicates(["source", "model", "temperature", "meta_i2r"])
caption = "meta-I2r by sampling temperature, with 95 % intervals: as the second version prints it, and of this book's models."
lines(
    moving, value="meta_i2r", x="temperature", colour="model", panel="source", caption=caption,
    label="fig-correction-temperatures",
)

# %% [markdown]
# ## Do calibration measures miss it?
# <!-- fold -->
#
# The first version argued that calibration cannot see what the M-ratio sees. It advised to report meta-$d'$ and the M-ratio
# beside ECE, and to prefer a higher M-ratio to a lower ECE where confidence matters. **ECE** is how far stated confidence,
# $\exp(\mathrm{NLP})$, lies from the share of right answers, on average over bins of confidence; the **Brier score** is the
# mean squared distance of confidence from being right. Both are better when lower. The paper prints neither. Its
# author's first paper counts answers in bins of confidence, and these leave a range for both: the interval shown here.

# %%
c = replication.numbers()
replication.says(
    "seen",
    "They do see it. {worst_model} comes last of the paper's models by ECE as it does by M-ratio, and its ECE is certainly above "
    "that of {n_clear} of the other {n_others}.",
    "By ECE {worst_model} comes last of the paper's models, certainly behind {n_clear} of the other {n_others}.",
    holds=c["same_model"] and c["n_clear"] > 0,
)

# %%
beside = replication.calibration.drop_duplicates(["source", "model", "m_ratio"])
caption = (
    "M-ratio, AUROC2, ECE and Brier score at temperature 1. For the paper's models the intervals of ECE and Brier score are "
    "the ranges that its bins leave; all other intervals are 95 %. ECE of this book's models is debiased."
)
forest(
    beside, value=["m_ratio", "auroc2", "ece", "brier"], rows="model", beside=True, caption=caption,
    label="fig-correction-calibration",
)

# %% [markdown]
# ## The reconstructed counts, cut by cut and in numbers
# <!-- fold -->
#
# $d'$ at each of the seven cuts: where a line is flat, the M-ratio is 1, whether the line is high or low; where it tilts
# or bends, the ratio departs from 1.

# %%
caption = "d' at each place where the eight ratings of the reconstructed counts can be cut; the first version's d' is the one in the middle."
lines(published.cuts, x="cut_after", value="d_prime", colour="model", panel="dataset", caption=caption, label="fig-correction-cuts")

# %%
ranks = run.result("auroc2")
ranks.glue()
caption = "M-ratio against AUROC2 of the paper's models on its two question sets, from reconstructed counts. Where dots climb together, both agree."
dots(
    ranks.record.published_ranks, x="auroc2", panel="dataset", y="m_ratio", names="model", caption=caption,
    label="fig-correction-ranks",
)

# %% [markdown]
# Intervals are this book's, not the second version's: those of meta-I2r lay too high there, and percentile intervals of
# AUROC2 are too short where few answers are right. Beside the M-ratio by maximum likelihood stands that of a **Bayesian
# model** (HMeta-d, one table at a time {cite:p}`fleming2017`): the mean of its posterior, with a 95 % interval. It asks the
# same of the same table, so it cannot mend what is wrong with the ratio. The last column is from a model of how confidence
# loses information: whoever answers is as sure as the evidence allows, but every threshold of confidence is shaken by
# **lognormal noise** {cite:p}`shekhar2021`. It is 0 where nothing is lost.

# %%
bayes = run.result("correction_posterior", seed=seed)
b = bayes.numbers()
bayes.says(
    "beside",
    "The posterior changes nothing: its mean lies at most {apart:.2f} from the estimate by maximum likelihood, and in none of "
    "{n_tables} tables does its interval fall on another side of 1.",
    "The posterior mean lies at most {apart:.2f} from the estimate by maximum likelihood; in {n_turned} of {n_tables} tables its "
    "interval falls on another side of 1. If chains mixed badly, neither can be trusted.",
    holds=b["n_turned"] == 0 and b["apart"] < 0.1 and b["mixed"],
)

# %%
bayes.says(
    "noise",
    "A model of noise in confidence mends nothing either. It finds much of it in Mistral on one set ({main_noise:.2f}, 95 % interval "
    "{main_noise_lower:.2f} to {main_noise_upper:.2f}) and none on the other ({other_noise_lower:.2f} to {other_noise_upper:.2f}). And it "
    "finds {lossless_noise:.2f} ({lossless_noise_lower:.2f} to {lossless_noise_upper:.2f}) in a simulated answerer who loses nothing, but "
    "whose wrong answers spread more widely than right ones.",
    "A model of noise in confidence finds {main_noise:.2f} ({main_noise_lower:.2f} to {main_noise_upper:.2f}) in Mistral on one set and "
    "{other_noise:.2f} ({other_noise_lower:.2f} to {other_noise_upper:.2f}) on the other, and {lossless_noise:.2f} where nothing is lost.",
    holds=(b["main_noise_lower"] > b["other_noise_upper"]) & (b["other_noise_lower"] == 0) & (b["lossless_noise_lower"] > 0),
)

# %%
columns = ["model", "dataset", "accuracy", "d_prime", "meta_d", "m_ratio", "bayes", "noise", "auroc2", "meta_i2r", "z_slope"]
caption = "Both versions' measures of the reconstructed counts at temperature 1."
table(bayes.measures, *columns, caption=caption, titles={"bayes": "M-ratio, Bayesian", "noise": "noise in confidence"})

# %% [markdown]
# ## What would change your mind
#
# We would read an M-ratio of open answers as efficiency again if one of these came true:
#
# - One and the same M-ratio could come from one kind of answerer alone, with nearly one efficiency.
# - The models had the same order by M-ratio on both question sets.
#
# Until then, [report](which-measure.ipynb) AUROC2 and meta-I2r next to accuracy for open answers. Where there *is* a decision
# between two choices, meta-$d'$ keeps its meaning as far as its model fits: study 2 shows
# [how far, and what else would explain the same ratings](study2-overview.ipynb).
