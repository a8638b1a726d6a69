# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: do large models know themselves?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, table
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
self_knowledge = run.result("self_knowledge")
self_knowledge.glue()
self_knowledge.answer(note="ahead")

# %%
own = forest(
    self_knowledge.compared.sort_values(["uncounted", "outcome"], ascending=[True, False], kind="stable"),
    value=["corrected", "placebo"],
    rows="model",
    hollow=["uncounted", "outcome"],
    reference=0,
    caption="How well a model's own confidence, and in its place that of a model of another family (the median of them), tells its right answers from its wrong ones, among equally hard questions (dashed: as well as difficulty alone would), with 95 % intervals. Filled, on top: own confidence is shown to tell more than the other's, and than all that others say of the question and of this same answer; that is a difference, so intervals may overlap, or hold the dashed line. Hollow: this is open, or the model is not counted.",
    titles={"corrected": "own confidence", "placebo": "another model's in its place", "": "AUROC2 beyond difficulty"},
    label="fig-frontier-own",
)

# %%
self_knowledge.glue_shown("figure_own", own)
own

# %%
reading = run.result("reading")
reading.text("footnote")

# %% [markdown]
# **The question.** A model says 95 for one answer and 60 for another, and is right on the first. Does it know itself? Or
# does it only know that the second question is hard, as anybody could have told it? Every study of this book meets that
# question, and none can answer it with one model.
#
# **What was published** {cite:p}`cacioli2026atlas`. The *Metacognitive Profile Atlas*: replies of
# {glue:text}`self_knowledge_n_models:d` large models to the same {glue:text}`self_knowledge_n_items:,` multiple-choice
# questions of MMLU, each a letter and a confidence from 0 to 100.
#
# **What this book adds.** What a model says about its own answer can be compared with what *others* say about theirs.
# And the published [ranking](frontier-ranking.ipynb) is made again with its uncertainty, and with a search for
# [wrong answer keys](frontier-keys.ipynb).
#
# ## What holds in a second set
#
# A [second set](frontier-rows.ipynb), MMLU-Pro, has {glue:text}`/_executed/frontier-replication.ipynb::replication_n_models:d`
# runs and {glue:text}`/_executed/frontier-replication.ipynb::replication_n_items:,` questions, many
# of them from MMLU, as all of the atlas's are. [Asked again there](frontier-replication.ipynb), the effects of this part come to three sentences:
#
# - {glue:text}`/_executed/frontier-replication.ipynb::replication_in_both:s`
# - {glue:text}`/_executed/frontier-replication.ipynb::replication_in_one:s`
# - {glue:text}`/_executed/frontier-replication.ipynb::replication_cannot_be_told:s`
#
# ## How it is told apart
#
# 1. **Hold difficulty still.** Take questions that equally many models of other families answer rightly. As far as
#    these models can tell, they are equally hard. Is a model more confident in its right answers among *them*?
#    Difficulty is known from so many answers only, so some of it is left; what confidence would have there if it read
#    difficulty and nothing else is estimated, and taken off.
# 2. **Compare with a placebo.** Even so, something might remain of *anybody's* confidence. So the confidence of a model
#    of another family is put in the place of the model's own. It knows nothing of this model. Only what own confidence
#    has more than the median of such placebos can be about oneself.
# 3. **Ask for more than any blend.** A model that weighs several kinds of difficulty unlike all others would beat every
#    placebo, and still only read difficulty. So own confidence must also add information, in bits, to whatever blend of
#    the others' answers and confidence fits this model best.
# 4. **Ask about this same answer.** Confidence may read how plausible anybody finds the answer that was given. That beats
#    every placebo as well, which speaks of another answer. So the blend also holds how many of the others give *this same
#    answer*, and how confident these are in it.
#
# **What remains need not be self-knowledge.** If some models find other things hard than most do, and a model's
# confidence reads *that* difficulty, it remains as well. And what a model knows of itself that difficulty shows too (it
# knows that it fails where all fail) has been taken off. So what remains is neither an upper nor a lower limit.
#
# **Nor is self-knowledge missing where nothing remains.** Two models with the same answer are both right or both wrong.
# On such questions the one's confidence tells right from wrong as much better than the other's as the other's does worse:
# over pairs, exactly nothing is left. So whatever own confidence has more, it has where answers differ. And whoever knows
# how many others give an answer often nearly knows whether it is right.
#
# ## What is left

# %%
self_knowledge.text("left")

# %%
forest(
    self_knowledge.compared.sort_values(["uncounted", "outcome", "blend"], ascending=[True, False, False]),
    value="blend",
    rows="model",
    hollow=["uncounted", "outcome"],
    reference=0,
    caption="What own confidence adds, in bits an answer, to all that the others say of the question and of this same answer, with 95 % intervals. Filled: above 0, and better than another model's among equally hard questions. Hollow: this is open, or the model is not counted.",
    titles={"blend": "bits added"},
    label="fig-frontier-left",
)

# %% [markdown]
# ## Five ways to ask
# <!-- fold -->
#
# A mean over many models is better than one model simply because it is a mean, so the fair rival is a *single* other
# model.

# %%
bars(
    self_knowledge.claims,
    value="models",
    rows="claim",
    colour="outcome",
    stacked=True,
    caption="Is a model's own confidence ...? Number of large models for which the 95 % interval says yes, says no, or holds both.",
    titles={"claim": "what is asked", "models": "large models"},
    label="fig-frontier-claims",
)

# %% [markdown]
# ## How much of it?
# <!-- fold -->

# %%
self_knowledge.text("most_of_it")

# %%
forest(
    self_knowledge.compared.sort_values(["uncounted", "share"], ascending=[True, False]),
    value="share",
    rows="model",
    hollow="uncounted",
    reference=0.5,
    limits=(-0.3, 1.3),
    caption="Share of the information in a model's confidence that difficulty for others does not explain (dashed: half; the axis ends at -0.3 and 1.3). Not testable: confidence is not shown to hold any information.",
    label="fig-frontier-share",
)

# %% [markdown]
# ## Could it have been seen?
# <!-- fold -->

# %%
self_knowledge.text("power")

# %% [markdown]
# Where answers are *plausible*, confidence is how plausible anybody finds the answer given, one function for all models,
# plus noise. With little noise the others' answers, some dozens, show that plausibility less exactly than a model's own
# confidence does, and a little of it is left.
#
# These tables come from a few simulated worlds. Where the placebos of real models, the squares of the first figure, scatter
# more widely than those of the worlds, below, the true rate is unknown.

# %%
table(
    self_knowledge.worlds,
    *("world", "model", "n_runs", "placebo", "own_less_placebo", "added", "blend", "called_self_knowing"),
    caption="Simulated tables whose truth is known: means over runs, and how often a model is called self-knowing. Models know something of themselves in the worlds with own state alone.",
)

# %% [markdown]
# ## Other ways of cutting difficulty
# <!-- fold -->
#
# The answer is the same where difficulty is cut otherwise, or where [suspected
# keys](frontier-keys.ipynb) are left out, as long as about as many models hold:

# %%
table(
    self_knowledge.ways,
    *("rows", "cut", "holding", "against", "open", "median"),
    caption="In how many models own confidence has more than the placebo, by how difficulty is cut; models that are not counted above included.",
)

# %% [markdown]
# ## Everyone's confidence against everyone's answers
# <!-- fold -->
#
# Each model's confidence can be held against each model's answers. A row says how good a model's confidence is for
# anybody's answers, a column how well anybody's confidence tells this model's. What a model's own has beyond both is
# called *privileged access*; a difficulty of this model alone counts as well.

# %%
self_knowledge.text("diagonal")

# %% [markdown]
# ## Chapters
#
# - [Ranked as far as they can be](frontier-ranking.ipynb): which ranks other questions would leave standing.
# - [Can the answer key be trusted?](frontier-keys.ipynb): questions on which models contradict the key, and what people
#   found there.
# - [A million answers](frontier-rows.ipynb): what is in the second set.
# - [Does it replicate?](frontier-replication.ipynb) {glue:text}`/_executed/frontier-replication.ipynb::replication_answer:s`
# - [Whom should one ask?](frontier-whom-to-ask.ipynb)
#   {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_answer:s`
# - [Does thinking help?](frontier-thinking.ipynb) {glue:text}`/_executed/frontier-thinking.ipynb::thinking_answer:s`
# - [What does a judge of tone hear?](frontier-tone.ipynb) {glue:text}`/_executed/frontier-tone.ipynb::tone_answer:s`
# - [People beside models](people-beside-models.ipynb).
#   {glue:text}`/_executed/people-beside-models.ipynb::beside_answer:s`
# - [Which finding survives?](frontier-survives.ipynb)
#   {glue:text}`/_executed/frontier-survives.ipynb::survives_answer:s`
#
# ## What would change your mind
#
# That something remains: a better measure of difficulty, from people or from more models of each kind, under which it
# vanishes. That not more remains: the same questions asked of one model several times, so that luck can be taken off
# as [study 1 does](study1-luck.ipynb).
