# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 1: overview

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile)
luck = run.result("luck")
correction = run.result("correction")
recovery = run.result("correction_recovery")
summary = run.result("summary")
thinking = run.result("thinking")
luck.answer()

# %%
luck.figure("draws", again=True)

# %% [markdown]
# **The question.** When a language model answers an open question, does the probability of its own words tell whether
# the answer is right? And is that ability one thing, which can be measured apart from how much the model knows?
#
# **What the paper did** {cite:p}`cacioli2026sdt`. Four models of 7 to 9 billion parameters answered questions of two
# public sets, each question at seven sampling temperatures. Confidence was the mean log-probability of an answer's
# words (NLP), cut into eight ratings; four hypotheses were registered beforehand. The first version ranked the models
# by the M-ratio; the second withdrew that measure and used others on the same data.
#
# **What this book adds.** It recomputes the published counts, asks models of its own the same kind of questions, and
# asks two things that the paper does not: how much of what confidence tells is luck of the draw, and whether
# the measures can recover a truth that is known.
#
# ## What the book finds
#
# **How much is luck.**

# %%
luck.text("headline")

# %% [markdown]
# **Is it one thing, which can be measured apart from how much a model knows?**

# %%
recovery.text("answer")

# %%
correction.text("answer")

# %%
correction.figure("two", again=True)

# %% [markdown]
# **How far the author's explanation of the correction holds.**

# %%
recovery.text("claimed")

# %% [markdown]
# **The study's own hypotheses**, on models that this book asked (the run with which the chapters begin).

# %%
summary.text("front")

# %%
run.result("signal").text("which")

# %% [markdown]
# **Thinking.** The second version adds three models that write a chain of thought before they answer.

# %%
thinking.text("answer")

# %% [markdown]
# ## Chapters
#
# *To begin with*
#
# - [Can I use this confidence?](study1-use.ipynb): how often is it right, where to draw the line, which signal?
# - [What became of its hypotheses](study1-summary.ipynb): each on this book's models, and what every chapter found.
# - [The correction](study1-correction.ipynb): why the ranking by M-ratio was withdrawn, and what else moves it.
# - [Luck](study1-luck.ipynb): is it the question, the model, or the one answer that happened to be drawn?
# - [The surface](study1-surface.ipynb): do length and rare words say as much as confidence does?
#
# *Where the numbers come from*
#
# - [Collection](study1-collection.ipynb): what was asked, which models answered, how answers were marked.
# - [Validation](study1-validation.ipynb): is confidence related to being right at all?
#
# *The registered hypotheses*
#
# - [H1](study1-h1.ipynb): is the M-ratio below 1?
# - [H2](study1-h2.ipynb): does it differ between subjects?
# - [H3](study1-h3.ipynb): does temperature move the criterion alone?
# - [H4](study1-h4.ipynb): do models of equal d' differ in it?
# - [Robustness](study1-robustness.ipynb): do the answers survive other settings?
#
# *Further questions*
#
# - [AUROC2 against M-ratio](study1-auroc2.ipynb): do the two rank the models alike?
# - [Thinking and tuning](study1-thinking.ipynb): do they help a model to know itself?
