# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 5: do models withdraw what is wrong?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import dots, forest, lines, matrix, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study5_battery", profile)
monitoring = run.result("monitoring")
responses = run.result("responses")
monitoring.glue()
numbers = monitoring.numbers()
monitoring.says(
    "head",
    "Most large models take back wrong answers more readily than right ones: {n_withdrawing} of {n_complete} beyond chance. "
    "Which does it best can hardly be told.",
    "Of {n_complete} models, {n_withdrawing} take back wrong answers more readily than right ones, beyond chance.",
    holds=(numbers["n_withdrawing"] > 9) & (numbers["n_complete"] < 18) & (10 * numbers["n_apart"] < numbers["n_pairs"]),
    head=True,
    note=f"By withdraw delta, {numbers['n_apart']} of {numbers['n_pairs']} pairs of models can be told apart when all are judged together.",
    rule="answer",
)

# %%
forest(
    monitoring.board,
    value="delta",
    rows="model",
    colour="profile",
    hollow="unranked",
    interval=("lower", "upper"),
    reference=0,
    caption="Mean withdraw delta of each model: the share of right answers that it keeps less that of wrong ones, in points, with a 95 % score interval, each by itself, by printed profile. Hollow: wrong answers on fewer than five tracks, and no rank. Look how few intervals lie apart.",
    label="fig-study5-deltas",
)

# %%
monitoring.says(
    "together",
    "Of the filled marks, {n_alone} have an interval above 0. Among so many models chance would lift one now and then; "
    "allowing for that, {n_withdrawing} remain, and the head counts these.",
    "Judged one by one, {n_alone} of {n_complete} intervals lie above 0; all together, {n_withdrawing} do.",
    holds=(numbers["n_alone"] > numbers["n_withdrawing"]) & (numbers["n_withdrawing"] > 0),
)

# %% [markdown]
# **The question.** Having answered, does a model withdraw its wrong answers rather than its right ones (*monitoring*)?
# And does it choose well beforehand, to answer, to verify or to decline (*regulation*)?
#
# **Where it comes from.** In psychology's picture of metacognition, one level of the mind does a task and another
# watches it {cite:p}`nelson1990`. Two things flow between them: *monitoring* tells the upper level how it goes, and
# *control* lets it step in. Either can be missing. People show it in free report: they answer, then choose whether to
# volunteer or withhold each answer {cite:p}`koriat1996`; and how they choose what to study shows what they do *before*
# they answer {cite:p}`metcalfe2005`. In people the ability depends on the kind of task {cite:p}`fleming2014domain,rouault2018`,
# so one kind of task would not do.
#
# **What the paper did** {cite:p}`cacioli2026battery`. Twenty models answered 524 items in six tracks on the platform
# Kaggle, each item alone. After each item of the first five they could keep or withdraw the answer, and bet on it or
# not. The **withdraw delta** is the share of right answers that a model keeps minus the share of wrong ones that it
# keeps, in percentage points. A model that keeps everything, or nothing, has a delta of zero, however much it knows:
# both shares are the same. One that is never wrong has none, since there is nothing to compare. The responses are
# published.
#
# **What this book adds.** All responses analysed again, with the uncertainty of every rank;
# what is in the files; whether what is measured is knowledge of oneself; whether looking back goes with
# [looking ahead](study5-regulation.ipynb); and the battery, in this project's words, [for models of its
# own](study5-replication.ipynb).
#
# A model's delta is the mean over five tracks. Its interval contains every mean that a score test, corrected for
# skewness {cite:p}`gart1990`, would not reject; with as few wrong answers as here, an interval put together from those
# of the tracks puts its lower end above the truth too often.

# %%
table(
    responses.tracks,
    *("track", "about", "items", "paradigm", "after", "registered"),
    titles={"items": "Items", "paradigm": "What is asked", "after": "A paradigm of", "registered": "Registered"},
    caption="The six tracks, each after experiments with people, and whether the analysis was registered beforehand.",
    folded=True,
)

# %% [markdown]
# ## What the paper found, and what holds of it
#
# A figure that is *found again* says that the paper computed what it says, not that the measure is sound.

# %%
shared = open_run("shared", profile)
findings = shared.result("findings")
findings.text("study 5")

# %%
shown = {"finding": "What the paper says", "where": "Where", "printed": "Printed", "recomputed": "Computed again", "outcome": "Its figures", "page": "More"}
table(linked(findings.findings.query("study == 'study 5'"), "page"), *shown, titles=shown, caption="Each finding of the paper, next to what its figures give when they are computed again.")

# %% [markdown]
# ## Does accuracy tell?
#
# The paper states that the leaderboards by accuracy and by delta are "largely inverted": the model that knows most would
# know least about what it knows.

# %%
monitoring.says(
    "accuracy",
    "Accuracy is not shown to tell who withdraws well: Spearman's correlation is {accuracy_r:.2f} ({accuracy_lower:.2f} to {accuracy_upper:.2f}) over {n_complete} models.",
    "Spearman's correlation of accuracy and delta is {accuracy_r:.2f} ({accuracy_lower:.2f} to {accuracy_upper:.2f}) over {n_complete} models.",
    holds=numbers["accuracy_lower"] < 0 < numbers["accuracy_upper"],
)

# %%
dots(
    monitoring.board[monitoring.board["complete"]].rename(columns={"lower": "delta_lower", "upper": "delta_upper"}),
    x="accuracy",
    y="delta",
    colour="profile",
    caption="Accuracy on the first five tracks against the mean withdraw delta, with 95 % intervals, of the models with a delta on all five. Inverted ranks would fall from left to right.",
    label="fig-study5-accuracy",
)

# %% [markdown]
# Strong models make few mistakes; a delta rests on mistakes; so the better a model, the less is known about its
# metacognition.
#
# ## Is it self-knowledge?
#
# A model that withdraws what is wrong may know its own answer to be doubtful, or see that the question is hard, as any
# other model does. One model's answers cannot tell the two apart; those of many models to the same items can, as with
# [the frontier's models](frontier-self-knowledge.ipynb).

# %%
probes = run.result("probes_self_knowledge")
probes.glue()
probes.text("answer")

# %%
forest(
    probes.keep.compared,
    value=["corrected", "placebo"],
    rows="model",
    hollow="ahead",
    reference=0,
    caption="How well a model's own KEEP, and in its place that of a model of another family (the median of them), tells its right answers from its wrong ones, among equally hard items (dashed: as well as difficulty alone would), with 95 % intervals. Filled: the model's own is shown to tell more.",
    titles={"corrected": "own KEEP", "placebo": "another model's in its place", "": "AUROC2 beyond difficulty"},
    label="fig-study5-keep-remains",
)

# %% [markdown]
# A yes or no can show *whether* confidence says something that difficulty for other models does not. It cannot show
# *how much*: what a model would state on a finer scale stays hidden within each of the two replies.
#
# ## What is in its files
# <!-- fold -->
#
# {glue:text}`responses_total:,` responses: {glue:text}`responses_models` models, {glue:text}`responses_n_items` items.
# {glue:text}`responses_all_right` items were answered rightly by every model, {glue:text}`responses_none_right` by
# none: they tell no model from another. The items and the wording of the answers are the author's and not copied here;
# what each model chose is kept in this project as a table of codes, so that these pages need no network. Before
# anything is computed from other people's data: are files filed twice, is declining the same as being wrong, are
# answers compared as written, does a model answer at all, and what can be computed?

# %%
responses.glue()
r = responses.numbers()
responses.says(
    "answer",
    "With copied files, declined items and misread answers corrected or left out, {n_changed} of {n_conclusions} conclusions of the study change.",
    "Copied files, declined items and misread answers change digits, and no conclusion of the study.",
    holds=r["n_changed"] > 0,
)

# %%
forest(
    responses.identical.sort_values("powers_of_ten", ascending=False, kind="stable"),
    value="powers_of_ten",
    rows=["track", "first", "second"],
    colour="copied",
    reference=0,
    caption="Pairs of files that are the same, response by response: how improbable that is of two models with the same habits, given what the other models answered. 9 is one in a thousand million.",
    label="fig-study5-identical",
)

# %%
responses.says(
    "copies",
    "{n_copied} of these {n_identical} pairs cannot be so by chance. The others can: files that say KEEP and BET to nearly everything and are nearly always right have little to differ in.",
    "Of {n_identical} such pairs, {n_copied} cannot be so by chance.",
    holds=0 < r["n_copied"] < r["n_identical"],
)

# %% [markdown]
# Which of the two models was really asked cannot be determined. So both are left out wherever this book computes
# something "without copied files". An item of the sixth track that is declined earns a quarter of a point, and is
# logged as wrong.

# %%
table(
    responses.declined.head(3),
    *("model", "declined", "logged_wrong"),
    caption="The three models that declined most items of the sixth track. Look at the first: its accuracy there does "
    "not show what it knows.",
    folded=False,
)

# %% [markdown]
# Of the
# {glue:text}`responses_defined` deltas that are defined, {glue:text}`responses_thin` rest on fewer than five wrong
# answers. One answer more or less then moves a delta by twenty points or more.
#
# ### What becomes of its conclusions
#
# Every headline of the study, as published and corrected: without files that copy others, declined items, and a model
# that gives most items one answer; and with answers compared whatever their spelling. It *concludes something else*
# when it names another model, lies on another side of 0 with its interval, or goes another way; other digits alone do
# not count.

# %%
table(
    responses.conclusions,
    *("headline", "in_print", "as published", "all of these", "concludes"),
    titles={"in_print": "Printed", "as published": "From its responses"},
    caption="The study's headlines: as printed, from the responses as they were published, and from corrected ones.",
    folded=False,
)

# %% [markdown]
# The text and the leaderboard print different accuracies. The paper does not say how it puts the tracks together. Its
# methods score the second track by how well confidence goes with being right, and the sixth by the points of its paths.

# %%
table(
    responses.accuracy_rules,
    *("rule", "lowest", "lowest_accuracy", "highest", "highest_accuracy", "glm_5", "meets"),
    titles={"rule": "Overall accuracy", "lowest": "Lowest", "lowest_accuracy": "its accuracy", "highest": "Highest", "highest_accuracy": "and its accuracy", "glm_5": "GLM-5", "meets": "Meets of the text"},
    caption="Least and most accurate model, in print and by three ways of putting the tracks together.",
    folded=False,
)

# %% [markdown]
# ## Three profiles?
# <!-- fold -->
#
# The paper sorts models into three kinds: **A**, blanket confidence, keeps at least 95 % and has a delta below 15;
# **B**, blanket withdrawal, keeps at most 10 %; **C**, selective sensitivity, has a delta of at least 15. The rest
# are unclassified. The paper reads them by its framework: A watches and does not step in, B steps in whatever it sees,
# and in C the two are coupled.

# %%
profiles = run.result("profiles")
p = profiles.numbers()
profiles.says(
    "kinds",
    "The printed rule gives {n_as_printed} of {n_models} models the profile that is printed of them; {others} get another. And it is sharp: shift one threshold by 5 points, and up to {n_moved} models change their kind.",
    "The printed rule gives {n_as_printed} of {n_models} models their printed profile (others: {others}). Shifting one threshold by 5 points changes up to {n_moved} profiles.",
    holds=p["n_as_printed"] < p["n_models"] and p["n_moved"] > 3,
)

# %%
forest(
    profiles.kept,
    value="kept",
    rows="model",
    colour="answers",
    hollow="as_printed",
    caption="Share of its right and of its wrong answers that each model keeps, mean of the first five tracks with 95 % intervals, from the highest mean delta to the lowest. Open: the mean of the printed rates, where it differs; print counts a track without mistakes as one on which no wrong answer was kept.",
    titles={"kept": "% of answers that are kept"},
    label="fig-study5-kept",
)

# %%
matrix(
    profiles.cells,
    rows="model",
    columns="track",
    value="delta",
    limits=(-60, 60),
    caption="Withdraw delta of each model on each track, in points, T6 by its questions after the answer; a dash where a model made no mistake. A kind of model would have one shade along its row.",
)

# %%
profiles.says(
    "by_tracks",
    "Nor do models keep to a kind. By the same rule, track by track, only {n_one} of {n_models} have one profile on all six tracks, and {n_three} have three or more.",
    "By the same rule, track by track, {n_one} of {n_models} models have one profile on all six tracks, and {n_three} have three or more.",
    holds=p["n_one"] < 5 < p["n_three"],
)

# %%
table(
    profiles.by_track,
    *("model", "printed", "T1", "T2", "T3", "T4", "T5", "T6", "distinct"),
    titles={"printed": "Printed", "distinct": "Different ones"},
    caption="Profile by the printed rule on each track. T6 goes by the path chosen: B if at least 90 % are declined, A if at least 95 % are answered directly.",
)

# %% [markdown]
# Part of this is chance: a track's delta may rest on two wrong answers. But where a model withdraws wrong answers
# on one track and stands by them on the next, its profile is an average over situations in which it behaves
# differently.
#
# And where the thresholds lie decides how many models each profile has.

# %%
lines(
    profiles.counts,
    x="moved",
    value="models",
    points=False,
    colour="profile",
    panel="threshold",
    caption="How many of the models have each profile when one threshold of the rule moves and the others stay.",
    titles={"moved": "Moved by (points)", "models": "Models"},
    label="fig-study5-thresholds",
)

# %% [markdown]
# ## A screen before the measures
# <!-- fold -->
#
# The author of the study later proposed to ask first whether a signal carries anything about single answers
# {cite:p}`cacioli2026screen`: does a model keep nearly all wrong answers, doubt most right ones, or keep wrong ones
# rather than right ones? Here the answers of the first five tracks are screened together.

# %%
screening = run.result("screening")
screening.says(
    "kept",
    "Of {n_models} models, {n_broken} break a rule of the screen; {n_few} have too few answers of some kind to be judged.",
)

# %% [markdown]
# ## How self-knowledge was judged
# <!-- fold -->
#
# On the first five tracks; {glue:text}`probes_self_knowledge_n_copied` files of a model and track are left out, since
# two models have the same.

# %%
probes.text("reading")

# %%
probes.text("keep_against")

# %%
probes.text("could_be_seen")

# %% [markdown]
# ## The models in a table
# <!-- fold -->
#
# After each answer a model could also *bet* on it. Both deltas order the models alike to a correlation of
# {glue:text}`monitoring_probes_r:.2f` ({glue:text}`monitoring_probes_lower:.2f` to
# {glue:text}`monitoring_probes_upper:.2f`).

# %%
table(
    monitoring.board,
    *("model", "delta", "p", "holm", "n_defined", "bet_delta", "accuracy", "accuracy_rank", "rank", "printed_rank"),
    interval={"delta": ("lower", "upper"), "rank": ("rank_from", "rank_to")},
    caption="Mean withdraw delta with a 95 % score interval; p by exact permutation within tracks, by itself and with Holm's correction. Only means over five tracks are ranked; ranks leave out only those that some pair, judged together with all others, contradicts.",
)

# %%
forest(
    monitoring.board.sort_values("accuracy_rank"),
    value=["accuracy_rank", "printed_rank"],
    rows="model",
    inline=True,
    caption="Rank of each model by accuracy and by withdraw delta, all twenty ranked as in print. Long gaps are changes of place; were the order inverted, the ranks by delta would run from right to left down the figure.",
    titles={"accuracy_rank": "by accuracy", "printed_rank": "by withdraw delta", "": "Rank"},
    label="fig-study5-ranks",
)

# %% [markdown]
# ## What would change your mind
#
# - If somebody showed the original logs of the files that are the same, with different time stamps, we would count them as
#   different models again.
# - If the same items were asked with a finer scale, we would learn for how many models something of self-knowledge remains.
# - If harder items gave more *wrong* answers, until intervals separate, we would say in which order models come.
# - If the whole interval of a correlation lay below zero, we would say that ability and self-monitoring are opposed.
# - If profiles stayed the same when thresholds move by a few points and items are resampled, we would speak of kinds of
#   models.
