# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: can the answer key be trusted?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, table
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
keys = run.result("keys")
marks = run.result("marks")
keys.glue()
marks.glue()
marks.answer(note="corrected")

# %%
forest(
    marks.checked.query("unsure == 'sound'"),
    value=["precision", "recall"],
    rows="rule",
    panel="fault",
    limits=(0, 1),
    missing="too few",
    caption="Of the suspected questions that people have marked, the share in which they found a fault; and of all marked questions with a fault, the share that is suspected. In one panel a fault is a wrong key, in the other anything wrong with key, question or options. Rows: so many of the models of other families, at least, agree on one other answer. 95 % intervals.",
    titles={"precision": "of the suspected, at fault", "recall": "of those at fault, suspected", "": "share"},
    label="fig-frontier-marks",
)

# %% [markdown]
# Everything that a very good model's confidence is judged by are its few mistakes. But the answer key was written by
# people, and is wrong now and then. A model that gives the right answer there, and is sure of it, counts as confidently
# wrong. On which questions do most *other* models agree on one answer, and it is not the key? Such a key is called
# **suspected** for a model; models of its own family take no part in the choice, else leaving such questions out
# would favour whoever goes with the crowd. For at least half of the models, {glue:text}`keys_n_suspected_most` of
# {glue:text}`keys_n_items:,` questions are suspected at half of the others, {glue:text}`keys_n_suspected_nearly` at nine
# tenths.
#
# **No key is called wrong in this book that no person has looked at.** People have gone over
# {glue:text}`marks_n_marked:d` of these questions and their keys {cite:p}`gema2024`: those of MMLU-Redux that are found in
# both sets by subject, key and the beginning of the text.

# %%
marks.text("unseen")

# %% [markdown]
# ## How much hangs on it?

# %%
keys.text("answer")

# %%
bars(
    keys.best,
    value="share_of_errors",
    rows="model",
    colour="rule",
    limits=(0, 1),
    caption="Share of the errors of the most accurate models that lie on questions whose key is suspected, because at least half or nine tenths of the models of other families give the same other answer; with 95 % intervals.",
    label="fig-frontier-keys",
)

# %% [markdown]
# Three things look alike here. The key may be wrong; or the key is right and the models share a misconception; or the
# question is merely hard, and one wrong option attracts more than the others. The first reading says: AUROC2 with all
# questions is too low. The others say: these are exactly the mistakes that a model should have doubted, and leaving them
# out flatters it.

# %%
keys.text("attracted")

# %%
keys.text("selection")

# %% [markdown]
# What *people* found sound was not chosen by what models answered:

# %%
marks.text("on_sound")

# %%
table(
    marks.sound,
    *("model", "n_marked", "n_sound", "accuracy_change", "auroc2_marked", "auroc2_sound", "auroc2_change"),
    caption="Each model on the marked questions it answered, and on those that people found sound: the change, paired by question, with 95 % intervals, each by itself.",
    folded=True,
)

# %% [markdown]
# ## What people found
# <!-- fold -->

# %%
table(
    marks.checked,
    *("fault", "unsure", "rule", "suspected", "marked", "found", "faults", "precision", "recall", "flag"),
    caption="Suspected keys against people's marks, with what counts as a fault, and how questions are counted on which people could not tell.",
    titles={"suspected": "Suspected, all", "marked": "Suspected and marked", "rule": "At least so many", "found": "Fault found"},
)

# %%
table(
    marks.labels,
    *("label", "items", "suspected"),
    caption="What people found on the marked questions, and how many of each sort are suspected at half of the others.",
)

# %%
table(
    keys.rule,
    *("truth", "models", "n_models", "threshold", "n_suspected", "share_of_errors"),
    *("auroc2_true", "auroc2_by_key", "auroc2_without"),
    caption="Simulated answers of known truth: what is suspected, and AUROC2 in truth, by the key, and without what is suspected. With unequal attraction every key is right.",
    folded=True,
)

# %% [markdown]
# ## What would change your mind
#
# A person who knows the subject and reads the suspected questions that nobody has marked: each of them can turn out
# wrong or right. The marks are people's too, and may themselves be wrong.
#
# The marks are those of MMLU-Redux 2.0 (CC BY 4.0), changed: `data/published/README.md` says how they were matched.
