# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Public difficulty, private knowledge and the luck of the draw

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
luck = run.result("luck", seed=seed, verdicts=verdicts)
luck.glue()
luck.answer()

# %%
luck.figure("draws")

# %% [markdown]
# A model is asked a question, answers, and its confidence turns out to go with being right. At least three
# different things can bring that about:
#
# - **Public difficulty.** Hard questions are hard for everyone. Confidence that falls on hard questions reveals
#   what any other model, or a reader, could have told you without knowing this model at all.
# - **Private knowledge.** The model knows what *it* knows: where its own gaps are, as opposed to everyone's. This
#   is what the word *metacognition* promises.
# - **The luck of the draw.** At a high sampling temperature a model's answers are partly random. It may give the
#   right answer nine times and stumble on the tenth, and the words it stumbled on were, by its own account,
#   unlikely words. Confidence computed from those words then reveals that *this draw was an odd one*. It does not
#   reveal whether the model knows the answer.
#
# The five studies do not separate these. This chapter does, as far as the models of this run allow. Its trials are
# the open answers of study 1 at seven temperatures, and {glue:text}`luck_n_draw_questions:,` of the questions
# answered {glue:text}`luck_n_more:d` times more at $T = 1$. Confidence is NLP throughout, the mean log-probability
# of the words of an answer.

# %%
run.result("signal").text("which")

# %% [markdown]
# ## The draw against its question
#
# Take the questions that were answered several times at $T = 1$ and ask how often a right answer carries more
# confidence than a wrong one, which is **AUROC2**: first with each draw's *own* confidence, then with the best that
# the model's *other* answers say of the question. These are its answer at the lowest temperature and all the other
# draws; how much either counts is fitted on other questions. They reflect the question, its difficulty and what the
# model makes of it, and know nothing of this draw. What own confidence has over them is the **luck of the draw**.
#
# It is an upper bound: a few answers read a question with some noise, and what they miss is counted as luck. The
# confidence of *one* other draw would be a poor measure. It lacks this draw's luck and has its own, so that own
# confidence less that of another draw is the luck of both, and above 0 is nothing to conclude from. If a draw's
# confidence is only a noisier reading of the question, the difference here lies below 0.
#
# *Within a question* compares only right and wrong draws of the same question. Difficulty, public or private, is
# the same for both, so whatever exceeds 0.5 is about the draw alone.

# %%
luck.verdicts(topic="draw")

# %% [markdown]
# ## The draw, model by model
# <!-- fold -->

# %%
luck.box("in_full")

# %%
luck.table("draws", folded=True)

# %% [markdown]
# ## Three parts, in bits
#
# Here is the same question at every temperature, expressed as information. Three signals are added one after the
# other, and each part is what its signal adds about whether the answer is right:
#
# 1. $D$, the *other* models' confidence in their own answers at the lowest temperature: what is public;
# 2. $S$, the model's *own* confidence at the lowest temperature, and the mean confidence of the question's other
#    draws where it was drawn several times: its own state, without the luck of this draw;
# 3. $L$, the confidence of the draw itself.
#
# Each part is the drop in log-loss of a probability of being right that is fitted on some questions and judged on
# others (**cross-fitting**), so a signal that adds nothing gets a part of about 0. Shares are of the sum of the
# three. At the lowest temperature the draw *is* the state, so there is no third part.
#
# :::{warning}
# Two of the parts are **upper bounds**. With one or two other models, the second is one on what is private: another
# model reads the difficulty of a question with much error of its own; what it misses and the model itself sees is
# counted as the model's own. Many other models would narrow it; the crossing below is one way around it. The third is
# one on luck, for the same reason: $S$ reads the model's state with noise, and what it misses and the draw's
# confidence sees is counted as the draw's. Read once, a state can leave more than half to draws without any luck; the
# table's column *without luck* says how much. Several answers narrow it.
# :::

# %%
luck.figure("parts")

# %%
luck.table("parts", folded=True)

# %%
luck.verdicts(topic="share")

# %% [markdown]
# ## Crossing two models
# <!-- fold -->
#
# Is a model's confidence a better guide to its own answers than another model's confidence is? The difference for
# one model is no answer: a model that reads the common difficulty with less noise wins without knowing anything
# about itself, and this book never calls that difference self-knowledge. But such a model must then also win on
# the *other* model's answers. So both directions are averaged: the **crossing** is half the sum, over two models,
# of AUROC2 of a model's own confidence minus AUROC2 of the other model's confidence, each for the model's own
# answers to the same questions. Two readers of the same difficulty, however unequal their noise, have a crossing of
# 0, as long as the answers of both depend on that difficulty alike. All confidence here is from the lowest
# temperature, so that the luck of a draw plays no part in it.
#
# If the answers of the better reader depend on the difficulty more steeply, the crossing lies above 0 without any
# self-knowledge. So it is held against a **bound**: a share of the lead that one model's confidence has over the
# other's on the answers of both. The share is the largest that simulated models without self-knowledge reach if the
# answers of one depend on difficulty several times as steeply as those of the other; the rule below says how many.
# Models whose answers depend on it even more unequally could cross above the bound too.
#
# A crossing above 0 belongs to the pair. The sum may come from one of the two alone (the columns of the table tell),
# and what crosses may be a difficulty that is peculiar to a model as well as knowledge that it has of itself.

# %%
luck.table("crossings", folded=True)

# %%
luck.text("bounded")

# %%
luck.verdicts(topic="private")

# %% [markdown]
# ## As of many models
# <!-- fold -->
#
# Where many models answer the same questions, what each one's confidence says can be set beside what all the others
# say and know. This book does so for [large models of other people](frontier-self-knowledge.ipynb) and for [the models
# of study 5](study5-monitoring.ipynb). Here are the same measures for the models of this run.

# %%
shared_questions = run.result("shared_questions")
shared_questions.box("answer")

# %%
shared_questions.box("compared")

# %%
shared_questions.table("models", folded=True)

# %% [markdown]
# A model whose own confidence does better than another's need not know itself: it may read the same difficulty with
# less noise. That is what the crossing above takes off, and its bound what is left where answers depend on the
# difficulty unequally.
#
# ## Wrong answers of models that would mostly be right
# <!-- fold -->
#
# How much of being wrong is luck? Two figures help: the share of wrong answers that belong to questions the model
# answers correctly at the lowest temperature; and how well confidence tells whether a draw *is* the answer of the
# lowest temperature, right or wrong. If confidence mostly tells that, then it mostly tells whether the draw was a
# likely one.

# %%
luck.table("answers", folded=True)

# %%
run.other_run("luck", "draws", "parts", shared_questions="models")

# %% [markdown]
# ## What would change your mind
#
# - That some of it is the draw: other answers of the model that tell right from wrong as well as the draw's own
#   confidence does, or right and wrong draws of one question whose confidence did not differ.
# - That one shared difficulty is not all there is: a crossing whose interval contains its bound. That some of it is
#   private: a part of the model's own that shrinks as more models represent what is public.
# - That the parts mean what their names say: a simulation with known parts that the method does not recover. It
#   was tried on simulated runs of this size; the table shows how far it missed. Where no model knows itself and
#   the other model reads difficulty with noise (of 0.5 or 1.2, where difficulty has 1), a part of the sum goes to
#   the model's own state nevertheless: that is why it is an upper bound. The crossing is 0 there, and not 0 where
#   answers depend on difficulty unequally: that is why it is held against a bound.

# %%
luck.text("how_well")

# %%
luck.table("recovery", folded=True)
