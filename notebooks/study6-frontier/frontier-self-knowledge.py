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
self_knowledge.says(
    "answer",
    "Do large models know themselves? These data and our test cannot tell: of simulated models that do know themselves, it notices hardly any.",
    "In {n_better} of {n_ranked} large models confidence says more about an answer than other models' replies already tell.",
    holds=0 < 4 * self_knowledge.n_better < self_knowledge.n_ranked > self_knowledge.n_worse == 0 and self_knowledge.numbers()["pass_knowing"] < 0.1,
    head=True,
)

# %%
forest(
    self_knowledge.compared.sort_values(["uncounted", "corrected"], ascending=[True, False], kind="stable"),
    value=["corrected", "placebo"],
    rows="model",
    hollow="uncounted",
    reference=0,
    caption="Among equally hard questions: how well a model's own confidence tells its right answers from its wrong ones, and how well a stranger's does in its place, with 95 % intervals. At the dashed line confidence knows no more than difficulty. Hollow: not counted.",
    titles={"corrected": "own confidence", "placebo": "a stranger's in its place", "": "AUROC2 beyond difficulty"},
    label="fig-frontier-own",
)

# %%
self_knowledge.says(
    "ahead",
    "We asked twice. First: does a model's own confidence tell its right answers from its wrong ones better than another model's does, among equally hard questions? It does for {n_ahead} of {n_ranked} large models. Second: does it still add something once we know how many other models gave the same answer? It does for {n_better}. But we also built models that know themselves, and models that only see how plausible an answer looks to anybody. Nearly all of both kinds pass the first step and few pass the second, so the test cannot tell them apart. The real models resemble neither: fewer of them pass the first step.",
    "A model's own confidence beats a stranger's in {n_ahead} of {n_ranked} models.",
    holds=self_knowledge.n_ahead > 4 * self_knowledge.n_better and self_knowledge.numbers()["looks_ahead"] > 0.9 * self_knowledge.numbers()["looks_runs"] and self_knowledge.numbers()["known_ahead"] > 0.9 * self_knowledge.numbers()["known"] and self_knowledge.numbers()["looks_called"] < 0.1 * self_knowledge.numbers()["looks_runs"] and self_knowledge.numbers()["pass_knowing"] < 0.1 and self_knowledge.n_ahead < 0.8 * self_knowledge.n_ranked,
)

# %%
passes = bars(
    self_knowledge.passes,
    value="passed",
    rows="step",
    colour="whose",
    caption="A test that cannot tell: how many of the large models pass each of its two steps, and how many of the simulated ones, with 95 % intervals.",
    titles={"step": "its own confidence", "passed": "share that passes", "whose": "models"},
    label="fig-frontier-passes",
)
self_knowledge.glue_shown("figure_passes", passes)
passes

# %%
self_knowledge.says(
    "power",
    "**Would we have seen it?** No. Of {known} simulated models that do know something of themselves, this test passes {seen}. Of those that know nothing it passes {worst_called} of {worst_runs} where confidence reads how plausible an answer looks, with little noise, and {rest_called} of {rest_runs} in all other worlds. Nor is any of these worlds quite like the data: in the middle model a stranger's confidence tells {placebo:.3f} beyond difficulty, in the simulated worlds at most {placebo_simulated:.3f}. So how often the test errs is unknown, and the {n_better} of {n_ranked} models that pass prove nothing.",
    "**In {n_open} models it is open. Would we have seen it?** Of {known} simulated models that know something of themselves, this test finds {seen}; of those that do not, {worst_called} of {worst_runs} in the worst world ({worst_world}) and {rest_called} of {rest_runs} in the others.",
    holds=self_knowledge.numbers()["seen"] * 5 < self_knowledge.numbers()["known"] and "plausible" in self_knowledge.numbers()["worst_world"],
)

# %%
self_knowledge.says(
    "first_step",
    "Nor does it help to stop at the stranger, the first of the two steps. {known_ahead} of {known} simulated models that know something of themselves beat a stranger, but so do {looks_ahead} of {looks_runs} that know nothing and only read how plausible an answer looks.",
    "A stranger is beaten by {known_ahead} of {known} simulated models that know something of themselves, and by {looks_ahead} of {looks_runs} that only read how plausible an answer looks.",
    holds=self_knowledge.numbers()["looks_ahead"] > 0.5 * self_knowledge.numbers()["looks_runs"],
)

# %%
reading = run.result("reading")
reading.says(
    "hollow",
    "{imputed} is hollow: only {n_stated:,} of its {n_of_imputed:,} replies state a confidence, and these are no fair sample.",
    "Every model states its confidence.",
    holds=reading.n_imputed > 0,
)

# %% [markdown]
# **The question.** A model says 95 for one answer and 60 for another, and is right on the first. Does it know itself? Or
# does it only know that the second question is hard, as anybody could have told it? One model alone cannot settle that.
#
# **The data** {cite:p}`cacioli2026atlas`. {glue:text}`self_knowledge_n_models:d` models, of one thousand million parameters and upward, answered the same
# {glue:text}`self_knowledge_n_items:,` multiple-choice questions of MMLU, each with a letter and a confidence from 0 to
# 100. The author calls it the *Metacognitive Profile Atlas*. So what a model says about its own answer can be set beside
# what *others* say about theirs.
#
# ## How it is told apart
#
# 1. **Hold difficulty still.** Take questions that equally many models of other families get right. Is a model more
#    confident in its right answers even among *them*? What confidence would show there by reading difficulty alone is
#    taken off. This is **AUROC2 beyond difficulty**: AUROC2 is how often a right answer carries more confidence than a
#    wrong one.
# 2. **Put a stranger in its place.** The confidence of a model of another family knows nothing of this model. Only what
#    own confidence has beyond such a **placebo** can be shown to be about oneself: where all models lack the same knowledge,
#    each may read its own state and look like a stranger.
# 3. **Ask for more than everything others say.** Own confidence must also add something to the best blend of the others'
#    answers and confidence. That is counted in bits of information.
# 4. **Ask about this same answer.** The blend holds how many others give *this same answer*, and how sure these are.
#
# What remains need not be self-knowledge: a difficulty that only this model meets remains as well. And where nothing
# remains, self-knowledge need not be missing. Whoever knows how many others give an answer often nearly knows whether
# it is right, so there is little left to add.
#
# ## What is left

# %%
self_knowledge.says(
    "left",
    "Beside what others say of the question, own confidence adds {added:.4f} bits an answer on average. Beside what they say of the same answer, {bits_left:.4f}. Above 0 are {n_left} models, where chance alone would lift about one of {n_ranked}. Simulated models that know themselves leave as little, so this is no proof that they do not.",
    "Beside what others say of the question, own confidence adds {added:.4f} bits an answer on average; beside what they say of the same answer, {bits_left:.4f}, above 0 in {n_left} models, where chance puts {by_chance:.1f}.",
    holds=0 < self_knowledge.numbers()["n_left"] < 5 and 0.5 < self_knowledge.numbers()["by_chance"] < 1.5,
)

# %%
forest(
    self_knowledge.compared.sort_values(["uncounted", "blend"], ascending=[True, False]),
    value="blend",
    rows="model",
    hollow=["uncounted", "outcome"],
    reference=0,
    caption="What own confidence adds, in bits an answer, to all that others say of the question and of the same answer, with 95 % intervals. Filled: above 0, and better than a stranger's in the first figure.",
    titles={"blend": "bits added"},
    label="fig-frontier-left",
)

# %%
self_knowledge.says(
    "most_of_it",
    "Most of what confidence says is how hard the question is for other models. In the middle model only {share:.0%} of its information goes beyond that.",
    "In the middle model {share:.0%} of what confidence says goes beyond how hard a question is for other models.",
    holds=self_knowledge.numbers()["share"] < 0.4,
)

# %% [markdown]
# ## What holds in a second set
#
# {glue:text}`/_executed/frontier-replication.ipynb::replication_answer:s`
# {glue:text}`/_executed/frontier-replication.ipynb::replication_own_and_others:s`
# [The replication](frontier-replication.ipynb) has the numbers.
#
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
# ## How much of it, model by model
# <!-- fold -->

# %%
forest(
    self_knowledge.compared.sort_values(["uncounted", "share"], ascending=[True, False]),
    value="share",
    rows="model",
    hollow="uncounted",
    reference=0.5,
    limits=(-0.3, 1.3),
    caption="Share of the information in a model's confidence that difficulty for others does not explain (dashed: half; the axis ends at -0.3 and 1.3). Not testable: confidence is not seen to hold any information.",
    label="fig-frontier-share",
)

# %% [markdown]
# ## The simulated worlds
# <!-- fold -->
#
# Where answers are *plausible*, confidence is how plausible anybody finds the answer given, one function for all models,
# plus noise. With little noise the others' answers, some dozens, show that plausibility less exactly than a model's own
# confidence does, and a little of it is left.

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
# keys](frontier-data.ipynb) are left out, as long as about as many models hold:

# %%
table(
    self_knowledge.ways,
    *("rows", "cut", "holding", "against", "open", "median"),
    caption="In how many models own confidence tells more than the placebo, by how difficulty is cut; models that are not counted above included.",
)

# %% [markdown]
# ## Everyone's confidence against everyone's answers
# <!-- fold -->
#
# Each model's confidence can be held against each model's answers. A row says how good a model's confidence is for
# anybody's answers, a column how well anybody's confidence tells this model's. What a model's own has beyond both is
# called *privileged access*; a difficulty of this model alone counts as well.

# %%
self_knowledge.says(
    "diagonal",
    "On average a model's confidence fits its own answers {diagonal_mean:+.3f} better than row and column make one expect ({diagonal_lower:+.3f} to {diagonal_upper:+.3f}). Simulated models without self-knowledge reach {diagonal_without:+.3f}, so this shows nothing.",
    "On average a model's confidence fits its own answers {diagonal_mean:+.3f} better than row and column make one expect ({diagonal_lower:+.3f} to {diagonal_upper:+.3f}); simulated models without self-knowledge reach {diagonal_without:+.3f}.",
    holds=self_knowledge.numbers()["diagonal_lower"] <= self_knowledge.diagonal_without,
)

# %% [markdown]
# ## Chapters
# <!-- fold -->
#
# - [Ranked as far as they can be](frontier-ranking.ipynb): which ranks other questions would leave standing.
# - [What the data can and cannot tell](frontier-data.ipynb): what errors of the answer key change, and what is in the
#   second set.
# - [Does it replicate?](frontier-replication.ipynb)
# - [Whom should one ask?](frontier-whom-to-ask.ipynb)
#   {glue:text}`/_executed/frontier-whom-to-ask.ipynb::second_opinions_answer:s`
# - [Does thinking help?](thinking.ipynb) {glue:text}`/_executed/thinking.ipynb::thinking_compared_head:s`
# - [What does a judge of tone hear?](frontier-tone.ipynb) {glue:text}`/_executed/frontier-tone.ipynb::tone_answer:s`
# - [People beside models](people-beside-models.ipynb).
#   {glue:text}`/_executed/people-beside-models.ipynb::beside_answer:s`
# - [What survives in open data?](synthesis.ipynb) {glue:text}`/_executed/synthesis.ipynb::survives_answer:s`
#
# ## What would change your mind

# %%
self_knowledge.says(
    "change",
    "- The few that pass would no longer count if what remains vanished under a better measure of difficulty, from people or from more models of each kind.\n"
    "- We would say that more remains if each model were asked the same questions several times, so that luck could be taken off as [study 1 does](study1-luck.ipynb), and more were left then.",
    "A better measure of difficulty could settle it, or the same questions asked of one model several times.",
    holds=self_knowledge.n_better > 0,
)
