# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The battery on your own model

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.report import bars, forest, table
from metacog.studies import open_run

run = open_run("study5_battery", profile, other)
monitoring = run.result("replication_monitoring")
n = monitoring.numbers()
monitoring.says(
    "answer",
    "Small models do not: none of {n_models} is shown to withdraw wrong answers more often than right ones, and {n_below} does the reverse.",
    "Of {n_models} models, {n_above} are shown to withdraw wrong answers more often than right ones.",
    holds=n["n_above"] == 0 < n["n_below"],
    head=True,
)

# %%
forest(
    monitoring.graded,
    value="auroc2",
    rows="model",
    colour="signal",
    interval=("lower", "upper"),
    reference=0.5,
    caption="How well the probability of keeping an answer, of betting on it and of the answer itself tell right answers from wrong ones (AUROC2), over the first five tracks, with 95 % intervals. Dashed: not at all.",
    label="fig-study5-replication",
)

# %%
forest(
    monitoring.board,
    value="delta",
    rows="model",
    hollow="published",
    interval=("lower", "upper"),
    reference=0,
    caption="Mean withdraw delta: how many points more often a model keeps its right answers than its wrong ones. Filled: models of this run; open: the published ones, on the paper's items. Dashed: as often. A model that keeps everything stands there, since it keeps both alike.",
    label="fig-study5-replication-delta",
)

# %%
monitoring.says(
    "place",
    "Nearly all large models stand above: of {published} published ones at least {above} have a higher mean delta than any model here, {surely_above} or more with an interval that lies wholly above.",
    "Of {published} published models, at least {above} have a higher mean delta than any model here.",
    holds=n["above"] > 15,
)

# %%
run.result("headline").again()

# %% [markdown]
# Twenty large models answered the [published battery](study5-overview.ipynb). Here the same kinds of item, written for
# this project, are put to the models of this run: a question, an answer, then *KEEP or WITHDRAW* and *BET or NO_BET*.
#
# A choice shows on which side of one half a probability lies. The probability itself may rise and fall with
# whether the answer is right although the choice never changes. **AUROC2** is the chance that a right answer gets more
# of it than a wrong one.

# %%
monitoring.matrix(caption="What can be said of each model. Point at a cell for the reason.")

# %% [markdown]
# ## Looking ahead
#
# On the sixth track a path is chosen first, with the question in view: answer directly (1 point if right), take a hint
# (0.5 if right, 0.1 if wrong), or decline (0.25).

# %%
regulation = run.result("replication_regulation")
regulation.says(
    "paths",
    "Declining throughout earns 0.25 points an item. {n_more} of {n_models} models earn more, at most {most:.2f} ({best}); the lowest earns {least:.2f}.",
)

# %%
bars(
    regulation.paths,
    value="share",
    rows="tier",
    colour="path",
    panel="model",
    stacked=True,
    caption="Paths chosen on the sixth track, on all items and on each tier. A model that looks ahead asks for more help where items are harder.",
    titles={"share": "% of items"},
    label="fig-study5-replication-paths",
)

# %%
table(
    regulation.paths,
    *("model", "tier", "items", "path", "share", "right"),
    titles={"tier": "Tier", "items": "Items", "path": "Path", "share": "% of items", "right": "Right of those answered"},
    digits={"share": 0, "right": 2},
    caption="How often each path was chosen, and how many answers on it were right.",
)

# %% [markdown]
# ## Track by track
# <!-- fold -->
#
# The [three profiles](study5-overview.ipynb) by the same rule: A keeps all, B withdraws all, C is selective.

# %%
table(
    monitoring.by_track,
    *("model", "T1", "T2", "T3", "T4", "T5", "T6", "distinct"),
    titles={"distinct": "Different ones"},
    caption="Profile of each model of this run on each track; the sixth by the path chosen.",
    empty="No model of this run has a profile on any track.",
)

# %%
forest(
    monitoring.kept,
    value="kept",
    rows="model",
    colour="answers",
    caption="Share of its right and of its wrong answers that each model keeps, mean of the first five tracks, with 95 % intervals.",
    titles={"kept": "% of answers that are kept"},
    label="fig-study5-replication-kept",
)

# %%
table(
    monitoring.scores,
    *("model", "T1", "T2", "T3", "T4", "T5", "T6", "mean"),
    titles={"mean": "Mean"},
    caption="Track scores by the rules read off the paper's files: what each answer with its two choices earns. Below them the lowest, the median and the highest of the published models. One kind of item of the second track, whose rule is not known, is left out everywhere. A dash: nothing to score.",
    folded=False,
)

# %% [markdown]
# ## What is known at all
# <!-- fold -->
#
# Where a model guesses, there is nothing to know about.

# %%
asked = run.result("replication_asked")
asked.glue()
forest(
    asked.kinds,
    value="beyond_chance",
    rows=["track", "item_type"],
    colour="model",
    reference=0,
    caption="Share of right answers to each kind of item, less what guessing gives (dashed), with Wilson's 95 % interval.",
    label="fig-study5-replication-kinds",
)

# %% [markdown]
# Is a model's confidence fit to be measured? The [screen](study5-overview.ipynb) of the published models, on these:

# %%
run.result("replication_screening").says(
    "kept",
    "{n_broken} of {n_models} models break a rule of the screen; {n_few} have too few answers of some kind to be judged.",
)

# %% [markdown]
# ## The items
# <!-- fold -->

# %%
items = run.result("replication_items")
items.glue()
table(
    items.record.table,
    *("track", "n", "kinds", "p_keys", "longest", "chance_longest", "p_longest"),
    caption="What might give an answer away: the place of the right option, and its length.",
    titles={"n": "Items", "kinds": "Kinds", "p_keys": "Place alike, p", "p_longest": "Length as by chance, p"},
)

# %% [markdown]
# {glue:text}`replication_items_n_items` items of {glue:text}`replication_items_kinds` kinds: the study's six tracks,
# its kinds of item and its number of items of each kind, but in other words. Items on nonce-word worlds (the first
# track), ambiguous words (the fourth) and magnitudes (the fifth) are generated from a seed; the others are written and
# were answered a second time from the question alone. Another seed gives a parallel form, which the study does not
# have. Every item has options, so that the probability of each reply can be read. That changes two things. With two
# options, as on four of the tracks, a coin is right half of the time. And where the paper's sixth track asks for an
# answer in words, ours gives four options: a guess is worth a quarter of a point, just what declining earns, so a model
# that knows nothing loses nothing by answering.
#
# The paper's author publishes his items on Kaggle and OSF under CC BY 4.0, apart from the responses, which hold none.
# Put into a table they are asked like ours, as is any other set: `metacog collect --study study5_battery --dataset
# FILE` ([how](../book/how-to-run.md)). Named in a profile, they stand here beside ours.

# %%
table(
    regulation.sets,
    *("model", "set", "n", "accuracy", "delta", "all"),
    interval={"delta": ("lower", "upper")},
    titles={"set": "Items", "n": "Answers", "all": "Points of an item of T6"},
    caption="What each set of items gives.",
)

# %% [markdown]
# ## What was asked
# <!-- fold -->
#
# Each item is a conversation of its own. Replies are closed choices: the most probable of the options as they are
# written, or of the words, is taken, and the probabilities are kept. Where an engine gives no probabilities, the option
# is looked for in what the model writes, and a reply that names none counts as lost, never as a choice. So
# {glue:text}`replication_asked_asked:,` items were asked in {glue:text}`replication_asked_requests:,` requests.

# %%
table(
    asked.cells,
    *("model", "track", "asked", "usable"),
    titles={"asked": "Items asked", "usable": "Understood from end to end"},
    caption="Conversations. Look where some were lost.",
)

# %%
table(
    asked.cost,
    *("model", "form", "items", "minutes", "tokens_read", "tokens_written"),
    caption="What it took.",
    empty="What it took is not recorded on this machine.",
)

# %% [markdown]
# ## Would other items say the same?
# <!-- fold -->
#
# The profile `battery` asks two parallel forms of the items.

# %%
forest(
    regulation.reliability,
    value="r",
    rows="measure",
    colour="model",
    interval=("lower", "upper"),
    reference=0,
    caption="Correlation of two forms over kinds of item of the first, fourth and fifth tracks: which kinds a model finds hard should not depend on the seed.",
    titles={"r": "Correlation of two forms"},
    label="fig-study5-replication-forms",
)

# %% [markdown]
# ## What would change your mind
#
# - We would say that a model here monitors itself if its mean delta, or the AUROC2 of its probability of KEEP among answers
#   of one track, lay above chance with its whole interval, and did so in a parallel form as well.
# - We would say that it does not if the same intervals lay narrowly around chance, on kinds of item that it answers better
#   than by guessing.
