# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: people beside models

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study8_people", profile)
beside = run.result("beside")
reading = run.result("reading")
beside.glue()
reading.glue()
beside.answer(note="size")

# %%
forest(
    beside.areas,
    value=["people", "models"],
    rows="source",
    reference=0.5,
    caption="Of two items, one answered rightly and one wrongly: how often is the mark on the left higher on the right one (AUROC2; dashed: a coin)? Once for people's answers and once for models' answers to the same pairs of items, with 95 % intervals over items and people. Same kind: another person, or a model of another maker. Other kind: a model for people's answers, a person for models'. Same answer: whether that other one gives this answer.",
    titles={"people": "people's answers", "models": "models' answers", "": "AUROC2"},
    label="fig-people-models",
)

# %% [markdown]
# A person feels sure, a model's numbers say that it is sure. Do both only feel how hard the question is? Then it would
# not matter *whose* confidence one takes. For that, people and models must have answered the same items.
#
# **What was published** {cite:p}`luo2024`. {glue:text}`reading_n_people:d` neuroscientists read two versions of an
# abstract, one of them with a changed result, and said which is the true one and how sure they were. So did
# {glue:text}`reading_n_models:d` language models of {glue:text}`reading_n_makers:d` makers: their answer is the abstract that
# surprises them less, and their confidence is **by how much** it does (the difference of the logarithms of perplexity).
# Nobody has asked these models how sure they are. People found the true abstract in
# {glue:text}`beside_right_people:.0%` of their trials, models in {glue:text}`beside_right_models:.0%` of the same ones.
#
# **How it is compared.** A person answered {glue:text}`reading_fewest:d` to {glue:text}`reading_most:d` items, too few to say
# anything about one person. So all pairs of items that one person answered are put together. In each pair that a person
# or a model got half right, we ask whose confidence is higher on the right one.
#
# ## What does it show?

# %%
beside.text("crossed")

# %%
beside.text("narrow")

# %% [markdown]
# ## Whom to ask about a person's answer?
#
# A model need not say how sure it is. It may simply answer, and one looks whether that is **the same answer**.

# %%
beside.text("same")

# %% [markdown]
# With two answers to choose from there is no more to it than this: another's same answer points to the right item as
# often as the other is right. Whoever is right more often tells more by answering than a person does by being sure.
#
# ## Is it about oneself?

# %%
beside.text("oneself")

# %% [markdown]
# That own confidence says more than the other kind's is **no proof of self-knowledge**. People may find other things
# hard than models do, and all of them may read the difficulty for their own kind. Only what own confidence has beyond
# another *of the same kind*, and beyond models *of the same maker*, could be about oneself.

# %%
table(
    beside.ways,
    *("way", "comparisons", "people_own", "models_own", "models_another", "models_maker"),
    caption="Own confidence less a rival's, by which items and models are used. The first two set it against the other kind's, the last two a model's against that of another maker's model, and of its maker's models of other weights.",
    titles={"way": "Rows", "models_another": "Models: less another maker's", "models_maker": "Models: less their maker's others"},
)

# %% [markdown]
# ## One difficulty, or two?

# %%
beside.text("common")

# %% [markdown]
# ## Do experts know better what they know?

# %%
beside.text("experts")

# %%
table(
    beside.expertise,
    *("people", "n_people", "expertise", "accuracy", "own", "other_kind"),
    caption="People by how they rate their own expertise with the items' topics: share of right answers, and AUROC2 of their own confidence and of a model's for their answers.",
    titles={"people": "People with"},
    folded=True,
)

# %% [markdown]
# ## Do these intervals hold?
# <!-- fold -->
#
# Two pairs may go together when they share a person or an item. The intervals let both vary (clustering in several
# ways); models are these {glue:text}`reading_n_models:d`, and every maker counts alike.

# %%
beside.text("held")

# %%
table(
    beside.worlds,
    *("world", "name", "runs", "mean", "half_width", "covers", "above", "below"),
    caption="Simulated worlds: mean of the estimates, mean half-width of the intervals, in how many runs they hold the truth, and in how many the page would claim that the difference lies above or below 0.",
    titles={"name": "Difference", "above": "Claimed above 0", "below": "Claimed below 0"},
)

# %% [markdown]
# ## What is in the rows?
# <!-- fold -->

# %%
reading.text("uneven")

# %%
table(
    reading.odd,
    *("what", "n", "of"),
    caption="What is odd in the rows. None of it is left out.",
    titles={"n": "Found", "of": "Of"},
)

# %%
table(
    reading.models,
    *("model", "maker", "weights", "items", "accuracy"),
    caption="The models. Models of one maker are never each other's others.",
)

# %% [markdown]
# ## What would change your mind
#
# That people know something of themselves which models do not see: the same items with many more trials of each person,
# so that a second person stands beside every answer. That models do: a confidence that they state, on these items.
#
# The data are the authors' (Apache License 2.0), from three repositories that `data/people/README.md` names. Changes were
# made: answers are marked, people numbered, and the abstracts left out.
