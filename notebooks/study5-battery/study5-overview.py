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
from metacog.report import forest, matrix, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study5_battery", profile)
monitoring = run.result("monitoring")
monitoring.glue()
monitoring.answer(note="pair_count")

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

# %% [markdown]
# **The question.** Having answered, does a model withdraw its wrong answers rather than its right ones (*monitoring*)?
# And does it choose well beforehand, to answer, to verify or to decline (*regulation*)?
#
# **What the paper did** {cite:p}`cacioli2026battery`. Twenty models answered 524 items in six tracks. After each item of
# the first five they could keep or withdraw the answer, and bet on it or not. The **withdraw delta** is the share of
# right answers that a model keeps minus the share of wrong ones that it keeps, in percentage points. A model that keeps
# everything, or nothing, has a delta of zero, however much it knows: both shares are the same. One that is never wrong
# has none, since there is nothing to compare. The responses are published.
#
# **What this book adds.** All responses analysed again, with the uncertainty of every rank;
# what is in the files; whether what is measured is knowledge of oneself; whether looking back goes with
# [looking ahead](study5-regulation.ipynb); and the battery, in this project's words, [for models of its
# own](study5-replication.ipynb).
#
# A model's delta is the mean over five tracks. Its interval contains every mean that a score test, corrected for
# skewness {cite:p}`gart1990`, would not reject; with as few wrong answers as here, an interval put together from those
# of the tracks puts its lower end above the truth too often.

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
monitoring.text("accuracy")

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
responses = run.result("responses")
responses.glue()
responses.text("answer")

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
responses.text("identical_files")

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
    *("headline", "as published", "all of these", "concludes"),
    caption="The study's headlines, as published and corrected.",
    folded=False,
)

# %% [markdown]
# ## Three profiles?
# <!-- fold -->
#
# The paper sorts models into three kinds: **A**, blanket confidence, keeps at least 95 % and has a delta below 15;
# **B**, blanket withdrawal, keeps at most 10 %; **C**, selective sensitivity, has a delta of at least 15. The rest
# are unclassified.

# %%
profiles = run.result("profiles")
profiles.text("rule_said")

# %%
matrix(
    profiles.cells[profiles.cells["track"] != "T6"],
    rows="model",
    columns="track",
    value="delta",
    limits=(-60, 60),
    caption="Withdraw delta of each model on each track, in points; a dash where a model made no mistake. A kind of model would have one shade along its row.",
)

# %% [markdown]
# Part of this is chance: a track's delta may rest on two wrong answers. But where a model withdraws wrong answers
# on one track and stands by them on the next, its profile is an average over situations in which it behaves
# differently.
#
# ## A screen before the measures
# <!-- fold -->
#
# The author of the study later proposed to ask first whether a signal carries anything about single answers
# {cite:p}`cacioli2026screen`: does a model keep nearly all wrong answers, doubt most right ones, or keep wrong ones
# rather than right ones? Here the answers of the first five tracks are screened together.

# %%
screening = run.result("screening")
screening.text("keep_said")

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
    *("model", "delta", "p", "holm", "n_defined", "accuracy", "accuracy_rank", "rank", "printed_rank"),
    interval={"delta": ("lower", "upper"), "rank": ("rank_from", "rank_to")},
    caption="Mean withdraw delta with a 95 % score interval; p by exact permutation within tracks, by itself and with Holm's correction. Only means over five tracks are ranked; ranks leave out only those that some pair, judged together with all others, contradicts.",
)

# %% [markdown]
# ## What would change your mind
#
# About the files: the original logs of those that are the same, with different time stamps. About self-knowledge: the same items with a finer scale, on which something remains for more models or for fewer.
# About the order of models: more *wrong* answers, from harder items, until intervals separate. About inversion: a
# correlation whose entire interval lies below zero. About kinds of models: profiles that stay the same when
# thresholds move by a few points and items are resampled.
