# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Whom should one ask: the model, or another?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import dots, lines, table
from metacog.studies import open_run

run = open_run("study7_mmlu_pro", profile)
second_opinions = run.result("second_opinions")
second_opinions.glue()
second_opinions.answer(note="who_decides")

# %%
dots(
    second_opinions.points,
    x="accuracy",
    y="auroc2",
    colour="asked",
    references=(None, 0.5),
    caption="How well it can be told whether a model is right (AUROC2; dashed: chance), by whom one asks: the model how sure it is, or one or sixteen models of other makers whether they give the same answer. One mark a model and way, by the model's accuracy.",
    titles={"accuracy": "accuracy of the model", "auroc2": "AUROC2", "asked": "who is asked"},
    label="fig-frontier-whom",
)

# %% [markdown]
# An engineer who needs to know whether a model's answer is right can ask the model how sure it is. Or put the same
# question to another model, and see whether it gives the same answer. Both cost something, and the five papers measure
# only the first. The [million answers](frontier-rows.ipynb) let both be compared, item by item, for
# {glue:text}`second_opinions_n_models:d` runs.
#
# - **The others** are of other makers, so that no variant of a model confirms itself. They are drawn at random, and the
#   values are means over draws; as one other, each is asked once.
# - **Agreement** is the number of those asked who give the same letter. A missing answer agrees with nobody.
# - **AUROC2**: of a right and a wrong answer, how often the right one has more agreement, or more confidence. Ties count
#   one half. So one opinion, which is only yes or no, competes with a graded number.
# - **Models and runs.** Some runs are of the same weights, with thinking on and off or in reduced precision. In counts of
#   models one of them stands for all: the one that answered most.
# - **Intervals** are over questions only. Another list of others would give other values, and no interval here shows that.

# %%
second_opinions.text("own_word")

# %% [markdown]
# ## Who is asked decides

# %%
table(
    second_opinions.pools,
    *("others", "weights", "better_weights", "own_better_weights", "runs", "better", "own_better"),
    caption="For how many models, and runs, one other's answer tells more than the own word, and for how many less, by who is asked: all of other makers, those no more accurate, or those whose accuracy is within .05. The mean over them counts; runs with fewer than three of them are left out.",
    titles={"others": "Who is asked", "weights": "Models", "better_weights": "Another tells more", "own_better_weights": "Own word does", "runs": "Runs", "better": "Another, of runs", "own_better": "Own word, of runs"},
)

# %%
second_opinions.text("in_simulations")

# %% [markdown]
# ## How many others, and which?

# %%
lines(
    second_opinions.curve[second_opinions.curve["complete"]],
    x="k",
    value="auroc2",
    colour="way",
    interval=("low", "high"),
    log=True,
    reference=second_opinions.median_own,
    caption="Median AUROC2 over models, and the middle half of them (bands), by the number of other models asked (dashed: the median of their own stated confidence). The best others are chosen on other questions.",
    titles={"k": "other models asked", "auroc2": "AUROC2", "way": "what is used"},
    label="fig-frontier-others",
)

# %%
second_opinions.text("small_models")

# %% [markdown]
# Read it beside the accuracy of the judged model. Where better models check a weaker one, agreement comes close to an
# answer key; where weaker ones check a better one, a stranger's disagreement says less.
# That is not self-knowledge, but it is what an engineer meets.
#
# ## What it costs, and what it catches
# <!-- fold -->

# %%
table(
    second_opinions.curve[second_opinions.curve["k"].isin([0, 1, 4, 16])],
    *("way", "k", "models", "auroc2", "caught_80", "tokens"),
    caption="Medians over models: AUROC2; of the wrong answers, the share among the fifth of the replies that is trusted least; tokens of the replies asked for, beyond the model's own.",
    titles={"way": "What is used", "k": "Others asked", "models": "Models", "auroc2": "AUROC2", "caught_80": "Errors in the fifth held back", "tokens": "Tokens"},
)

# %% [markdown]
# ## By maker, and with missing answers as wrong
# <!-- fold -->

# %%
second_opinions.text("by_maker")

# %%
table(
    second_opinions.models,
    *("model", "family", "accuracy", "own", "one", "four", "sixteen", "together", "worth_said"),
    caption="AUROC2 by whom one asks, and how many second opinions the model's own word is worth.",
    titles={"own": "Own word", "one": "One other", "four": "Four", "sixteen": "Sixteen", "together": "All of it", "worth_said": "Own word is worth"},
)

# %% [markdown]
# ## What would change your mind
#
# These are questions with a key and up to ten options, and the other models are a
# list that somebody drew up, with many weak ones. On questions that no other model knows, or where all models have
# learnt the same mistake, agreement would tell less than here. [How far the key can be trusted](frontier-keys.ipynb)
# asks the second. And the own word is asked for in one way only.
