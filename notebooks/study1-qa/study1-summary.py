# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 1: what became of its hypotheses

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
summary = run.result(
    "summary", n_resamples=n_resamples, n_permutations=n_permutations, seed=seed, verdicts=verdicts
)
luck = run.result("luck", seed=seed, verdicts=verdicts)
summary.glue()
luck.glue()
summary.answer("front")

# %%
summary.figure()

# %% [markdown]
# What the main study asked, and what the models of this run answer. Each line is judged by a rule that was fixed
# beforehand; the chapters that follow show how, with the numbers the paper printed next to ours.

# %%
run.result("signal").text("which")

# %% [markdown]
# ## Difficulty, knowledge, and luck
#
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one. At $T = 1$ some of it can
# be the **luck of the draw**: a wrong answer is often one that the model would seldom give, and the confidence of
# its words shows it. Judged by what the model's *other* answers to the same question say, what remains is about the
# question ([the chapter](study1-luck.ipynb)). How much of it the length and the words of an answer say by themselves
# is asked [next to it](study1-surface.ipynb).

# %%
luck.text("answer")

# %%
luck.verdicts()

# %% [markdown]
# ## What confidence is worth, after the correction
# <!-- fold -->
#
# The measures at $T = 1$, as in the first figure; the same warning about the luck of the draw applies to them. For
# AUROC2 0.5 is chance, 1 is perfect. **meta-I2r** is the
# share of the uncertainty about correctness that confidence removes: 0 is none, 1 is all; whether it is more than
# none is answered by the permutation $p$, and its interval shows how much. Where simulated intervals like these
# did not contain the truth in 93 to 97 of a hundred cases, the table reports in how many they did. These two
# measures survive the author's correction of the study; the **M-ratio**, by which the first version ranked the
# models, does not: for open answers it can neither be read as an efficiency nor ascribed to one cause (a computed
# verdict of [The correction](study1-correction.ipynb)).

# %%
summary.table("measures", folded=True)

# %% [markdown]
# ## The pre-registered hypotheses, and their sound counterparts
#
# A *pre-registered* rule is the paper's own, good or bad; a *sound counterpart* asks the same question in a way
# that the data can answer. Most of them are about the M-ratio, a statistic of a table's shape ([The
# correction](study1-correction.ipynb)): read them as history.

# %%
summary.verdicts()

# %%
run.other_run("summary", "measures")

# %% [markdown]
# ## The chapters, and what each found
# <!-- fold -->
#
# - [Is it only the surface?](study1-surface.ipynb) {glue:text}`/_executed/study1-surface.ipynb::surface_headline:s`
# - [H1](study1-h1.ipynb), less-than-perfect metacognition. {glue:text}`/_executed/study1-h1.ipynb::h1_answer:s`
# - [H2](study1-h2.ipynb), self-knowledge by subject. {glue:text}`/_executed/study1-h2.ipynb::h2_answer:s`
# - [H3](study1-h3.ipynb), temperature. {glue:text}`/_executed/study1-h3.ipynb::luck_rise:s`
# - [H4](study1-h4.ipynb), equal skill and unequal self-knowledge. {glue:text}`/_executed/study1-h4.ipynb::h4_answer:s`
# - [Robustness](study1-robustness.ipynb). {glue:text}`/_executed/study1-robustness.ipynb::robustness_answer:s`
# - [AUROC2 against M-ratio](study1-auroc2.ipynb). {glue:text}`/_executed/study1-auroc2.ipynb::auroc2_answer:s`
# - [Can I use this confidence?](study1-use.ipynb) {glue:text}`/_executed/study1-use.ipynb::use_answer:s`
# - [Thinking and tuning](study1-thinking.ipynb). {glue:text}`/_executed/study1-thinking.ipynb::thinking_answer:s`
# - [The correction](study1-correction.ipynb): why the M-ratio ranking was withdrawn, and how far the author's
#   explanation holds. {glue:text}`/_executed/study1-correction.ipynb::correction_answer:s`
# - [Collection](study1-collection.ipynb) and [validation](study1-validation.ipynb): the trials themselves.
