# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Your own trials: the report

# %% tags=["parameters"]
profile = "default"
folder = ""
n_resamples = 2_000
seed = 42

# %%
from metacog.imports.shown import open_trials
from metacog.report import dots, forest, lines, matrix, table

own = open_trials(folder, n_resamples=n_resamples, seed=seed)
own.answer()

# %%
people = own.people
people.about()

# %%
table(
    people.group,
    caption="Means over people, with 95 % intervals.",
    titles={"group": "Group", "mean": "Mean", "sd": "SD", "median": "Median", "people": "People"},
)

# %%
forest(
    people.each,
    value="auroc2",
    rows="model",
    hollow="unjudged",
    reference=people.mean,
    missing="not judged",
    caption="AUROC2 of each person with its 95 % interval, in the order of the file; dashed: the mean of the group. It is no ranking.",
)

# %%
dots(
    people.many,
    x="accuracy",
    y="auroc2",
    intervals=False,
    references=(None, people.mean),
    caption="Accuracy and AUROC2, a dot for each person; dashed: the mean AUROC2 of the group.",
)

# %% [markdown]
# ## Gate: which answers may pass?
#
# A gate lets an answer through where confidence reaches a threshold, and has somebody look at the rest. You say how many
# of the answers that pass may be wrong; the threshold follows.

# %%
own.gate_answer()

# %%
table(
    own.gate,
    *("model", "signal", "promised", "passes", "let_through", "wrong_through"),
    caption="Thresholds that keep a promise, in the file's own numbers. Share of answers that pass, and share of wrong ones among them, in the half that did not choose the threshold, with 95 % intervals (Wilson; Clopper and Pearson). An interval may reach above the promise, which was shown on the other half.",
    folded=len(own.gate) > 30,
)

# %%
table(own.no_gate, caption="Promises that cannot be made from these answers by this rule, which tests the surest first.", folded=True)

# %%
own.text("gate")

# %% [markdown]
# ### What to bring, and how many rows
#
# One row for each answer: which question, which model, whether it was right, how sure the model was. As many models and
# further columns as you like. Three rows show the form, at least thirty are needed; below them the command that reads such a file:
#
# ```text
# item,llm,is_right,stated
# capital-of-kenya,my-model,1,95
# moons-of-mars,my-model,0,80
# inventor-of-the-zip,my-model,1,60
# ```
#
# ```bash
# metacog import-trials my.csv --model llm --question-id item --correct is_right \
#     --confidence stated --confidence-scale percent
# ```

# %%
lines(
    own.rows_needed,
    x="rows",
    value="made",
    colour="signal",
    panel="files",
    log=True,
    limits=(0, 1),
    reference=0.8,
    caption="How many marked answers a promise takes: the share of 1,000 simulated files of that size in which it can be made. Differences below .03 are chance.",
    titles={"rows": "Answers marked right or wrong", "made": "Share of files that can promise"},
)

# %% [markdown]
# ### If no threshold keeps the promise
# <!-- fold -->
#
# The folded table of promises that cannot be made says which of two it is.
#
# - **Too few answers**: mark more of them, drawn by chance, up to where the figure above promises more.
# - **Too many of the surest are wrong**: more rows will not help. Read these answers first (*Wrong, and sure of it*, below),
#   since a key may be wrong. Then try another signal (name `--confidence` twice and both are compared), ask another model
#   (*Whom to ask?*), or let a better one answer.
# - **Promise less**, or for one kind of question: import each kind by itself, and choose it before you look. The best of ten
#   kinds looks better than it is.
# - **Otherwise let nothing pass.** Somebody then reads every answer, which is what this confidence is worth.

# %% [markdown]
# ## The verdict
#
# Intervals hold 95 %, by resampling; those of AUROC2 come from placement values (for each answer, the share of the other
# class that it is ordered correctly against). Where questions are named, the question is the unit.

# %%
matrix(
    own.claims,
    rows="model",
    columns="claim",
    value="answer",
    why="why",
    good="good",
    caption="What the numbers say of each model; good news is green. Undecided: the interval, or the test, leaves both open.",
)

# %%
forest(
    own.models,
    value="auroc2",
    rows="model",
    hollow="unjudged",
    reference=0.5,
    missing="not judged",
    caption="AUROC2 of each model with its 95 % interval; dashed: chance. A model whose interval reaches the line has not shown that its confidence means anything.",
)

# %% [markdown]
# ## What was read, and what was left out
# <!-- fold -->
#
# Computed from one file of trials: for every answer, whether it was right and how sure the model was.
# `metacog import-trials FILE --correct COLUMN --confidence COLUMN` reads such a file, checks it and makes this page. Rows
# that lack a value are left out and counted.

# %%
own.text("source")

# %%
table(
    own.left_out,
    *("model", "reason", "n_kept", "accuracy_kept", "n_out", "accuracy_out", "difference"),
    caption="Answers that are marked but were left out, beside those that were kept, and the difference in the share right.",
    titles={"reason": "Left out for"},
)

# %%
table(
    own.refusals,
    *("model", "counted", "refusals", "n", "accuracy", "auroc2"),
    caption="The same models with answers that refuse counted as wrong, and without these answers.",
    titles={"refusals": "Refusals in all"},
)

# %% [markdown]
# ## Which signal?

# %%
own.text("signals")

# %%
forest(
    own.signals,
    value="auroc2",
    rows="model",
    colour="signal",
    reference=0.5,
    missing="not judged",
    caption="AUROC2 of each signal, on all answers that have it, with 95 % intervals; dashed: chance.",
)

# %%
table(
    own.signal_pairs,
    *("model", "pair", "n", "difference", "p_holm", "differs"),
    caption="Differences in AUROC2 between signals, on the answers that have all of them.",
    titles={"pair": "Signals", "differs": "Differ"},
    folded=True,
)

# %% [markdown]
# ## Wrong, and sure of it
# <!-- fold -->
#
# Look at these first: some may be right and marked wrongly, others show what confidence does not see.

# %%
table(
    own.surely_wrong,
    caption="The wrong answers with the highest confidence, as the file has them.",
    titles={"question_id": "Question", "stated": "Confidence"},
)

# %% [markdown]
# ## Does confidence come true?
#
# A calibrated model is right on eight of ten answers to which it gives 80 %. This can be tested only where
# confidence is a probability of being right; on any other scale only the order is used.

# %%
lines(
    own.reliability,
    x="confidence",
    value="share_right",
    colour="model",
    diagonal=True,
    limits=(0, 1),
    caption="Share of right answers against stated confidence, with 95 % Wilson intervals. Points below the diagonal are overconfident. Tenths of the scale with fewer than five answers have none.",
)

# %%
own.text("recalibration")

# %%
table(
    own.recalibration,
    *("model", "signal", "method", "ece", "brier", "intercept", "slope"),
    caption="Calibration as stated, and by maps from the other half, with 95 % intervals.",
    titles={"method": "Map", "ece": "ECE, debiased", "brier": "Brier"},
    folded=True,
)

# %% [markdown]
# ## The measures
# <!-- fold -->
#
# - **AUROC2**: how often a random right answer carries more confidence than a random wrong one; 0.5 is
#   chance.
# - **meta-I2r**: the share of the uncertainty about being right that the ratings take away; 0 is none,
#   1 is all. Its interval says how large; whether it is more than nothing is asked of a permutation
#   test. It depends on accuracy, so models of unlike accuracy do not differ by it alone.
# - **Confidence minus accuracy**, **ECE** and **Brier score**: whether stated probabilities come true.
# - **dₐ**: the distance, in standard deviations, between the confidence of right and wrong answers.
# - **Simulated coverage**, where it is shown: how often a 95 % interval like that one held the truth in
#   simulations, if not in 93 to 97 of a hundred.
# - **meta-d'** and **M-ratio**: sensitivity of confidence in units of the decision's own; valid only
#   where the task has two choices.

# %%
table(own.measures("model"), caption="How well confidence orders the answers of each model, or person, with 95 % intervals.")

# %%
table(own.measures("model", "probability"), caption="Whether its confidence comes true, with 95 % intervals.")

# %%
table(own.measures("model", "distance"), caption="Further measures of order, with 95 % intervals.")

# %%
table(own.measures("model", "choice"), caption="Measures of two choices, with 95 % intervals.")

# %%
lines(
    own.risk,
    x="answered",
    value="error_rate",
    colour="model",
    points=False,
    caption="Error rate among the answers of which the model is surest, from few (left) to all (right). Confidence is of use where the curve lies below its right end. At most eight models, those with the highest AUROC2.",
    titles={"answered": "Share of answers, the surest first"},
)

# %% [markdown]
# ## Differences between models
# <!-- fold -->
#
# Where models answered the same questions, the difference is taken question by question. Whether two models differ is
# judged by the p of their difference (the larger of two: by percentiles of resamples, and by their standard error with
# Student's t), adjusted by Holm's method over all pairs; intervals are widened so that they hold for all pairs
# together. A model's place may be anything from 1 + the number of models that are significantly better to the number of
# models minus those that are significantly worse, for all models at once with 95 % confidence.

# %%
own.text("pairs")

# %%
forest(
    own.pairs,
    value="difference",
    rows="pair",
    colour="quantity",
    interval=("lower", "upper"),
    reference=0,
    caption="Differences between models, with intervals that hold for all pairs together.",
)

# %%
forest(
    own.ranks,
    value=["estimate", "place"],
    rows="model",
    beside=True,
    caption="Left: AUROC2 of each model. Right: the places that it may have among them.",
    titles={"estimate": "AUROC2", "place": "place"},
)

# %%
table(
    own.pairs,
    *("pair", "quantity", "difference", "p_holm", "n_shared", "paired", "differs"),
    interval={"difference": ("lower", "upper")},
    caption="The same differences, and by how many questions they were judged.",
    titles={"paired": "Paired"},
    folded=True,
)

# %%
own.text("level")

# %% [markdown]
# ## Is it self-knowledge?
#
# Confidence may say what a model knows of itself, or only how hard a question is, which any other model could have said
# as well. Where at least three models answered the same questions, the two can be told apart, within limits.

# %%
known = own.self_knowledge
known.answer()

# %%
forest(
    known.compared,
    value=["corrected", "placebo"],
    rows="model",
    inline=True,
    reference=0,
    caption="How well a model's own confidence, and in its place that of other models (the median of them), tells its right answers from its wrong ones, among questions that equally many others answer correctly. Dashed: as well as difficulty alone would.",
    titles={"corrected": "own confidence", "placebo": "another model's in its place", "": "AUROC2 beyond difficulty"},
)

# %%
forest(
    known.with_few_others,
    value=["own", "crowd", "crowd_right"],
    rows="model",
    inline=True,
    reference=0.5,
    caption="AUROC2 of each model's answers (dashed: chance) by its own confidence, by the mean confidence of the others, and by the share of them that are right.",
    titles={"own": "own confidence", "crowd": "the others'", "crowd_right": "others right", "": "AUROC2"},
)

# %%
known.about()

# %%
table(
    known.compared,
    *("model", "corrected", "placebo", "own_less_placebo", "share", "outcome", "why"),
    caption="What remains within difficulty of own confidence (AUROC2) and of the median placebo, their difference, and the share of the information in confidence that is beyond difficulty.",
)

# %%
known.text("like_these")

# %%
table(
    known.models,
    *("model", "accuracy", "own", "crowd", "crowd_right", "own_less_single_median", "own_less_crowd", "flag"),
    caption="AUROC2 for each model's answers by its own confidence and by that of the others.",
    folded=True,
)

# %% [markdown]
# ## Whom to ask?
#
# To know whether an answer is right, one can ask the model how sure it is, or ask other models the same question. Where
# at least three models answered the same questions, and the file has their answers, the two are compared.

# %%
others = own.second_opinions
others.answer()

# %%
forest(
    others.first,
    value=["own", "one", "four", "own_and_four"],
    rows="model",
    inline=True,
    reference=0.5,
    caption="AUROC2 of each model's answers (dashed: chance) by its own confidence, by whether one other model gives the same answer, by how many of four do, and by confidence and these four together. Others are drawn by chance; shown is the mean over fifty draws.",
    titles={"own": "own confidence", "one": "one other", "four": "four others", "own_and_four": "own and four", "": "AUROC2"},
)

# %%
others.about()

# %%
table(
    others.ways,
    *("model", "way", "k", "auroc2", "least", "most", "caught_80", "own_less", "flag"),
    interval={"auroc2": ("auroc2_lower", "auroc2_upper"), "own_less": ("own_less_lower", "own_less_upper")},
    caption="Every way of asking: AUROC2 with its range over draws, the share of wrong answers among the fifth that it trusts least, and own confidence less this.",
    titles={"way": "Who is asked", "k": "Others asked", "least": "Lowest draw", "most": "Highest draw", "caught_80": "Wrong ones in that fifth"},
    folded=True,
)

# %% [markdown]
# ## By domain and temperature
# <!-- fold -->
#
# Parts are shown where the file names them and there are several. A part with too few trials, or with answers that
# are all right or all wrong, is flagged and left without numbers.

# %%
own.text("domain")

# %%
forest(
    own.domains,
    value="auroc2",
    rows="domain",
    panel="model",
    hollow="unjudged",
    reference=0.5,
    missing="not judged",
    caption="AUROC2 in each domain of each model, with 95 % intervals, each for its domain alone; at most eight models.",
)

# %%
table(own.measures("domain"), caption="How well confidence orders the answers of each domain.", folded=True)

# %%
table(own.measures("domain", "probability"), caption="Whether confidence comes true in each domain.", folded=True)

# %%
own.text("temperature")

# %%
lines(
    own.temperatures,
    x="temperature",
    value="auroc2",
    colour="model",
    reference=0.5,
    caption="AUROC2 against sampling temperature, with 95 % intervals where there are any; at most eight models.",
)

# %%
table(own.measures("temperature"), caption="How well confidence orders answers at each temperature.", folded=True)

# %% [markdown]
# ## The posterior of M-ratio
# <!-- fold -->
#
# Where a task has two choices, M-ratio is meta-d' over d': at 1, confidence uses all the evidence that the
# decision used. (Why it is less informative without a decision is explained in the book's chapter
# `study1-correction`.) In addition to the fit above it then has a **posterior** (HMeta-d, Fleming 2017).

# %%
posterior = own.posterior
posterior.source()

# %%
forest(
    posterior.tables,
    value="m_ratio",
    rows="table",
    reference=1,
    missing="cannot be judged",
    caption="M-ratio: means and intervals of posteriors. Dashed: an observer whose confidence wastes nothing.",
    titles={"table": "table"},
)

# %%
table(
    posterior.tables,
    caption="Means and intervals of posteriors, and what M-ratio says against 1.",
    titles={"table": "Table"},
    folded=True,
)

# %%
table(
    posterior.pairs,
    *("measure", "pair", "difference", "decision"),
    interval={"difference": ("difference_lower", "difference_upper")},
    titles={"measure": "Measure", "pair": "Pair", "difference": "Difference", "decision": "Says"},
    digits={"difference": 2},
    caption="Any two compared, first minus second, by the posteriors: significant beyond 0.05 of log M-ratio or 0.1 of d', negligible within. Each pair stands by itself.",
    folded=True,
)

# %%
posterior.group()

# %%
table(
    posterior.groups,
    *("condition", "m_ratio", "tau", "sigma"),
    caption="The group's M-ratio, and by how much the logarithms of its members' differ: throughout (standard deviation), and in single conditions around that.",
    titles={"condition": "Condition", "tau": "Members", "sigma": "Single conditions"},
)

# %% [markdown]
# ## A screen before the measures
# <!-- fold -->
#
# Before anything is measured it can be asked whether the signal says anything about single answers at all. High
# confidence is what lies at or above the median of a model's own confidences, ties included, unless `--high-from` names
# a cut: without ties TRIN is then one half, whatever the model does.
#
# The **validity screen** is a protocol to be put before every measure (arXiv:2604.17714, 2026). It looks at nothing but
# whether answers were right or wrong and confidence high or low.
#
# - **L**: the share of wrong answers with high confidence. From .95 on it is beyond its limit: confidence on everything.
# - **Fp**: the share of right answers with low confidence. From .50 on it is beyond its limit: too much is withdrawn.
# - **RBS**: low confidence among right answers, minus the same among wrong ones. It is beyond its limit where its whole
#   95 % interval lies above 0: the signal points the wrong way.
# - **TRIN**: the larger share of high or low; .95 and more is a warning that nearly all answers look the same.
# - **r**: the correlation of being right with high confidence. It is reported and breaks no rule.
# - **Protocol**: what the program that belongs to it says, and the verdict above with it. It judges no table with fewer
#   than five answers in a cell, and calls L or Fp beyond its limit invalid only where the lower end of the interval lies
#   above .90 or .40, else *indeterminate*, as RBS above 0 with an interval that contains 0.
# - **Sound** and **random**: how often observers with as many right and as many high answers break a rule. The sound
#   one has an M-ratio of 1 (an AUROC2 of 0.7 where most answers are wrong); the random one has the signal's own
#   confidence, shuffled over its answers.

# %%
table(
    own.screen,
    *("model", "L", "Fp", "RBS", "broken", "tier"),
    caption="The screen of each model, with 95 % intervals.",
    titles={"broken": "Beyond the limit", "tier": "Protocol"},
)

# %%
table(
    own.screen,
    *("model", "TRIN", "r", "sound_invalid", "random_invalid"),
    caption="What the screen reports besides, and how often observers would break a rule.",
    titles={"r": "r"},
    folded=True,
)
