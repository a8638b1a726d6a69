# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What does a judge of tone hear?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import dots, forest, table
from metacog.studies import open_run

run = open_run("study7_mmlu_pro", profile)
tone = run.result("tone")
tone.glue()
tone.answer(note="wrong")

# %%
dots(
    tone.alike,
    x="other_wrong",
    y="same_wrong",
    colour="score",
    intervals=False,
    diagonal=True,
    references=(0, 0),
    caption="Wrong replies: rank correlation of a model's score with another maker's wrong reply to the same question, where the two gave two wrong answers (horizontal) and where they gave the same (vertical), mean over the same other models. One mark a model and score. On the dashed diagonal, the answer would make no difference.",
    titles={"other_wrong": "two wrong answers", "same_wrong": "the same wrong answer", "score": "score"},
    label="fig-frontier-wrong",
)

# %% [markdown]
# A reply can sound sure or unsure without stating a number. In these data another language model read every reply and
# judged how sure it sounds: its **tone**. The study {cite:p}`tao2025` found that this tells right answers from wrong ones
# better than the number that the model itself states. Is that the model's own doubt, heard between the lines?
#
# There is a rival. A judge who reads a reply also reads the *answer*, and some answers look right. Wrong replies part the
# two, since no knowledge of the key can help there. If the judge heard the answer, two wrong replies would sound
# alike where they give the same answer, and less so where they give two.

# %%
tone.text("alone")

# %% [markdown]
# So tone is held against what the models themselves show: the number that they state, and the probability of their
# tokens. The rule: with two answers in place of one, tone must lose more of its correlation than these, as a difference
# and in proportion. A score that reads the same doubt more faintly would lose less, one that reads it more clearly a
# smaller share. And each other model is compared with itself: those that give the same answer may be other models than
# those that give another, and easier to read.

# %%
tone.text("simulated")

# %% [markdown]
# **What cannot be told**: how much of it is the answer, and how much the model's own doubt of this answer, which its
# wording may show and its number not. What comes with an answer, such as its reasons, may also be what the judge hears.

# %% [markdown]
# ## In which worlds the rule says yes
# <!-- fold -->

# %%
tone.text("beyond_numbers")

# %%
table(
    tone.worlds,
    *("world", "sets", "drawn", "alone", "beyond", "both"),
    caption="Sets of 12 simulated models and 12,000 questions by what scores read there, and in how many of them each rule says yes of most models. Only in the last two does tone hold how the answer looks.",
    titles={"world": "What scores read", "sets": "Sets", "drawn": "Tone alone, any other model", "alone": "Tone alone", "beyond": "Given both numbers", "both": "The page's rule"},
)

# %% [markdown]
# ## How far does the answer alone get one?
#
# An answer's **reputation** is how sure the replies of *other makers'* models sound that gave it. It knows nothing of
# this reply.

# %%
dots(
    tone.points,
    x="accuracy",
    y="auroc2",
    colour="asked",
    references=(None, 0.5),
    caption="How well right answers are told from wrong ones (AUROC2; dashed: chance), model by model: by the tone of the reply itself, by the tone of other makers' replies with the same answer, and by how many gave it.",
    titles={"accuracy": "accuracy of the model", "auroc2": "AUROC2", "asked": "what is used"},
    label="fig-frontier-tone",
)

# %%
tone.text("reputation")

# %% [markdown]
# Replies with the same answer are all right or all wrong, so that a score which reads nothing but a model's state is
# matched by many such replies as well. And of two replies with the same answer, one can tell more only where the other
# tells less. So reputation shows how little a reply's own tone is needed, not that nothing in it is about the model.
#
# ## Does the judge hear its own opinion?
#
# The judge was a model that is among those asked, [Llama 4 Maverick](frontier-rows.ipynb). It may find sure what it
# would say itself. All strong models fall for the same wrong answers, so agreement with the judge shows nothing by
# itself: it has to be more than agreement with models that are right as often.

# %%
tone.text("own_opinion")

# %%
forest(
    tone.peers,
    value="followed",
    rows="model",
    hollow="judge",
    reference=0.5,
    caption="Of wrong answers, the chance that one which this model gave too sounds surer than one which it did not give (dashed: chance). Filled: the judge. Hollow: models of other makers that are right as often.",
    titles={"followed": "how much tone follows its answers"},
    label="fig-frontier-judge",
)

# %% [markdown]
# ## Model by model
# <!-- fold -->

# %%
table(
    tone.models,
    *("model", "n", "n_alone", "own", "of_others", "share", "more"),
    caption="AUROC2 by model, on replies whose answer another maker's model gave too; and whether which wrong answer is given matters more to tone than to the model's numbers.",
    titles={"n": "Replies", "n_alone": "Answer nobody else gave", "own": "Own tone", "of_others": "Others' tone", "share": "How many", "more": "Matters more to tone"},
)

# %%
table(
    tone.alike,
    *("model", "score", "n_others", "same_wrong", "other_wrong", "falls_more"),
    caption="Wrong replies: rank correlations, mean over other models, and how much more tone loses than this score where two answers are given in place of one.",
    titles={"score": "Score", "n_others": "Other models", "same_wrong": "The same wrong answer", "other_wrong": "Two", "falls_more": "Tone loses more by"},
)

# %% [markdown]
# ## What would change your mind
#
# Models that state their doubt of each option: if tone lost no more than that, it would be doubt. A second judge of
# another maker, and one that reads replies with the answer taken out. And other questions or models: intervals
# are over these questions alone, with models and judge as given.
