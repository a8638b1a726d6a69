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
tone.answer(note="reputation")

# %%
dots(
    tone.models,
    x="other_wrong",
    y="same_wrong",
    intervals=False,
    diagonal=True,
    references=(0, 0),
    caption="Wrong replies: rank correlation of how sure a model's reply sounds with how sure another maker's wrong reply to the same question sounds, where that one gave another wrong answer (horizontal) and where it gave the same (vertical). One dot a model. On the dashed diagonal, the answer would make no difference.",
    titles={"other_wrong": "another wrong answer", "same_wrong": "the same wrong answer"},
    label="fig-frontier-wrong",
)

# %% [markdown]
# A reply can sound sure or unsure without stating a number. In these data another language model read every reply and
# judged how sure it sounds. The study {cite:p}`tao2025` found that this tells right answers from wrong ones better than
# the number that the model itself states. Is that the model's own doubt, heard between the lines?
#
# There is a rival. A judge who reads a reply also reads the *answer*, and some answers look right. Wrong replies part the
# two. All of them are wrong, so no knowledge of the key can help. If tone were about a state that has nothing to do with
# which wrong answer is given, two replies would sound alike to the same degree whether they give one wrong answer or
# two.
#
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

# %% [markdown]
# **What cannot be told.** Replies with the same answer are all right or all wrong, so that a score which reads nothing but
# a model's state is matched by many such replies as well. And of two replies with the same answer, one can tell more only
# where the other tells less. So reputation shows how little a reply's own tone is needed, not that nothing in it is
# about the model. What comes with a wrong answer, such as its reasons, may also be what the judge hears.
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
    *("model", "n", "n_alone", "own", "of_others", "share", "same_wrong", "other_wrong"),
    caption="AUROC2 by model, on replies whose answer another maker's model gave too; and rank correlations between wrong replies.",
    titles={"n": "Replies", "n_alone": "Answer nobody else gave", "own": "Own tone", "of_others": "Others' tone", "share": "How many", "same_wrong": "Same wrong answer", "other_wrong": "Another"},
)

# %% [markdown]
# ## What would change your mind
#
# A second judge of another maker, on the same replies; and replies to the same question
# that give the same answer for good and for bad reasons.
