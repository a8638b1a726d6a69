# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Public difficulty, private knowledge and the luck of the draw
#
# A model is asked a question, answers, and its confidence turns out to go with being right. At least three
# different things can make that so:
#
# - **Public difficulty.** Hard questions are hard for everyone. Confidence that falls on hard questions says
#   what any other model, or a reader, could have said without knowing this model at all.
# - **Private knowledge.** The model knows what *it* knows: where its own gaps lie, and others' do not. This is
#   what the word *metacognition* promises.
# - **The luck of the draw.** At a high sampling temperature a model answers by lot. It may give the right answer
#   nine times and stumble on the tenth, and the words it stumbled on were, by its own account, unlikely words.
#   Confidence taken from those words then says *this draw was an odd one*. It says nothing of whether the model
#   knows the answer.
#
# The five studies do not tell these apart. This chapter does, as far as the models of this run allow. Its trials are the
# open answers of study 1 at seven temperatures, and {glue:text}`luck_n_draw_questions:,` of the questions answered
# {glue:text}`luck_n_more:d` times more at $T = 1$. Confidence is NLP throughout, the mean log-probability of the
# words of an answer.

# %% tags=["parameters"]
profile = "default"
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile)
luck = run.result("luck", n_permutations=n_permutations, seed=seed, verdicts=verdicts)
luck.glue()
luck.say("in_full")

# %% [markdown]
# ## The draw, with nothing assumed
#
# Where a question has been answered several times, no model of anything is needed. Take the answers at $T = 1$
# and ask how often a right one carries more confidence than a wrong one, which is **AUROC2**: first with each
# draw's *own* confidence, then with the confidence of *another draw of the same question*. The other draw knows
# everything about the question, its difficulty and what the model makes of it, and nothing about this draw. The
# difference is the luck of the draw.
#
# *Within a question* compares only right and wrong draws of one and the same question. Difficulty, public or
# private, is the same for both, so whatever lies above 0.5 is about the draw alone.

# %%
luck.figure("draws")

# %%
luck.table("draws")

# %%
luck.verdicts(topic="draw")

# %% [markdown]
# ## Three parts, in bits
#
# The same question at every temperature, put as information. Three signals are added one after the other, and each
# part is what it adds about whether the answer is right:
#
# 1. $D$, the *other* models' confidence in their own answers at the lowest temperature: what is public;
# 2. $S$, the model's *own* confidence at the lowest temperature: its own state, without the luck of this draw;
# 3. $L$, the confidence of the draw itself.
#
# Each part is the fall of the log-loss of a probability of being right that is fitted on some questions and judged
# on others (**cross-fitting**), so a signal that adds nothing gets a part of about 0. Shares are of the sum
# of the three. At the lowest temperature the draw *is* the state, so there is no third part.
#
# :::{warning}
# With one or two other models the second part is an **upper bound** of what is private. Another small model reads
# the difficulty of a question with much error of its own; what it misses and the model itself sees is counted as
# the model's own. Only many other models, or the crossing below, can tell.
# :::

# %%
luck.figure("parts")

# %%
luck.table("parts")

# %%
luck.verdicts(topic="share")

# %% [markdown]
# ## Crossing two models
#
# Is a model's confidence a better guide to its own answers than another model's is? One model's difference is no
# answer: a model that reads the common difficulty with less noise wins without knowing anything of itself, and
# the difference is never called self-knowledge here. But then it must also win on the *other* model's answers.
# So both directions are averaged: the **crossing** is half the sum, over two models, of AUROC2 of a model's own
# confidence minus AUROC2 of the other's confidence, each for the model's own answers on the same questions. Two
# readers of one difficulty, however unequal, have a crossing of 0. All confidence here is from the lowest
# temperature, so that no draw has a part in it.

# %%
luck.table("crossings")

# %%
luck.verdicts(topic="private")

# %% [markdown]
# ## Wrong answers of models that would mostly be right
#
# How much of being wrong is luck? The share of the wrong answers that belong to questions the model answers
# rightly at the lowest temperature; and how well confidence tells whether a draw *is* the answer of the lowest
# temperature, right or wrong. If confidence mostly tells that, then it mostly tells whether the draw was a likely
# one.

# %%
luck.table("answers")

# %% [markdown]
# ## What would change your mind
#
# - That most of it is the draw: another draw's confidence that did as well as the draw's own, or right and wrong
#   draws of one question whose confidence did not differ.
# - That some of it is private: a crossing whose interval holds 0, or one that shrinks as more models stand in for
#   what is public.
# - That the parts mean what their names say: a simulation with known parts that the method does not recover.
#   It was tried on simulated runs of this size; how far it missed is in the table. Where no model knows itself and
#   the other model reads difficulty with noise (of 0.5 or 1.2, where difficulty has 1), a part of the sum goes to the
#   model's own state all the same: that is why it is an upper bound. The crossing is 0 there, or nearly so where
#   answers depend on difficulty unequally.

# %%
luck.table("recovery")
