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
n = tone.numbers()
tone.says(
    "answer",
    "Among wrong replies, how sure one sounds depends on which answer it gives, more than the model's stated number does: in {more} of {judged} models.",
    "In {more} of {judged} models, which wrong answer is given matters more to tone than to the number stated.",
    holds=2 * n["more"] > n["judged"],
    head=True,
)

# %%
dots(
    tone.alike, x="other_wrong", y="same_wrong", colour="score",
    intervals=False, diagonal=True, equal=True, references=(0, 0),
    caption="Two models are both wrong on a question. How alike do their replies score, where they gave two different wrong answers (horizontal) and where they gave the same one (vertical)? Rank correlations, one mark a model and score. On the diagonal the answer makes no difference.",
    titles={"other_wrong": "two wrong answers", "same_wrong": "the same wrong answer", "score": "score"},
    label="fig-frontier-wrong",
)

# %%
tone.says(
    "wrong",
    "Two models that are wrong in the same way sound alike: tone correlates {tone_same_wrong:.2f}. Wrong in two ways, {tone_other_wrong:.2f}. Stated numbers move less, from {stated_same_wrong:.2f} to {stated_other_wrong:.2f}, and token probability hardly, from {tokens_same_wrong:.2f} to {tokens_other_wrong:.2f}.",
    "Mean rank correlation with the same wrong answer and with two: {tone_same_wrong:.2f} and {tone_other_wrong:.2f} for tone, {stated_same_wrong:.2f} and {stated_other_wrong:.2f} for stated numbers.",
    holds=n["tone_same_wrong"] - n["tone_other_wrong"] > n["stated_same_wrong"] - n["stated_other_wrong"] > n["tokens_same_wrong"] - n["tokens_other_wrong"] > 0,
)

# %% [markdown]
# A reply can sound sure or unsure without stating a number. In these data another language model read every reply and
# judged how sure it sounds: its **tone**. The study {cite:p}`tao2025` found that this tells right answers from wrong ones
# better than the number that the model itself states. Is that the model's own doubt, heard between the lines?
#
# There is a rival. A judge who reads a reply also reads the *answer*, and some answers look right. In people, confidence
# follows the answer that most give, right or wrong: Koriat's **consensuality principle**
# {cite:p}`koriat2012consensuality`. Wrong replies part doubt from looks, since no knowledge of the key can help there. If
# the judge heard the answer, two wrong replies would sound alike where they give the same answer, and less so where they
# give two.
#
# ## Could this be a false alarm?

# %%
tone.says(
    "alone",
    "Tone alone would not do. It follows the answer in {tone_more} of {tone_of} models, but so do the models' own stated numbers in {stated_more} of {stated_of}, and no judge heard those. A model can doubt *this answer*, and so can another that gives it.",
    "Scores agree more with the same wrong answer in {tone_more} of {tone_of} models for tone and {stated_more} of {stated_of} for stated numbers.",
    holds=2 * n["stated_more"] > n["stated_of"] and 2 * n["tone_more"] > n["tone_of"],
)

# %% [markdown]
# So tone is held against what the models themselves show: the number that they state, and the probability of their
# tokens. The rule: with two answers in place of one, tone must lose more of its correlation than these, as a difference
# and in proportion. Each other model is compared with itself, since those that give the same answer may be other models
# than those that give another, and easier to read.

# %%
tone.says(
    "simulated",
    "**How often does the rule cry wolf?** Never in {nothing_sets} simulated sets where tone holds no more of the answer than the number does; judged by tone alone, {nothing_alone} of them would fool us. It sees a clear look of the answer in {clear_both} of {clear_sets} sets and a faint one in {faint_both} of {faint_sets}. But it also says yes in {doubt_both} of {doubt_sets} where tone holds the model's own doubt of its answer and the number only how hard the question is.",
    "In {nothing_sets} simulated sets where tone holds no more of the answer than the number does, the rule says yes in {nothing_both}; where tone holds how the answer looks, in {clear_both} of {clear_sets} and {faint_both} of {faint_sets}; where it holds unstated doubt, in {doubt_both} of {doubt_sets}.",
    holds=n["nothing_both"] == 0 and n["nothing_alone"] > 20 and n["doubt_both"] == n["doubt_sets"],
)

# %% [markdown]
# **What cannot be told**: how much of it is the answer, and how much the model's own doubt of this answer, which its
# wording may show and its number not. What comes with an answer, such as its reasons, may also be what the judge hears.

# %% [markdown]
# ## In which worlds the rule says yes
# <!-- fold -->

# %%
tone.says(
    "beyond_numbers",
    "Another way to ask: hold the numbers that both models state fixed. Then tone correlates {beyond_same:.2f} with the same wrong answer and {beyond_other:.2f} with two, and the difference is clear in {beyond_more} of {beyond_of} models. That test is too easily pleased: it says yes in {nothing_beyond} of {nothing_sets} simulated sets where tone and number hold the same.",
    "With the numbers that both models state held fixed, tone correlates {beyond_same:.2f} with the same wrong answer and {beyond_other:.2f} with two; that test says yes in {nothing_beyond} of {nothing_sets} simulated sets where tone and number hold the same.",
    holds=n["nothing_beyond"] * 10 > n["nothing_sets"],
)

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
tone.says(
    "reputation",
    "A reply's own tone is the weakest of the three. How sure *others* sound with the same answer tells right from wrong better in {others_better} of {judged} models (median AUROC2 {median_of_others:.2f} against {median_own:.2f}), and merely counting them does best: {median_share:.2f}.",
    "How sure others sound with the same answer tells more than the reply's own tone in {others_better} of {judged} models and less in {others_worse}. Median AUROC2: {median_own:.2f} for the reply, {median_of_others:.2f} for others, {median_share:.2f} for how many they are.",
    holds=2 * n["others_better"] > n["judged"] and n["median_own"] < n["median_of_others"] < n["median_share"],
)

# %% [markdown]
# Replies with the same answer are all right or all wrong, so that a score which reads nothing but a model's state is
# matched by many such replies as well. And of two replies with the same answer, one can tell more only where the other
# tells less. So reputation shows how little a reply's own tone is needed, not that nothing in it is about the model.
#
# ## Does the judge hear its own opinion?
#
# The judge was a model that is among those asked, [Llama 4 Maverick](frontier-data.ipynb). It may find sure what it
# would say itself. All strong models fall for the same wrong answers, so agreement with the judge shows nothing by
# itself: it has to be more than agreement with models that are right as often.

# %%
tone.says(
    "own_opinion",
    "It does not look so: tone follows the judge's own answers no more than those of its equals ({follows:+.3f}, 95 % interval {follows_lower:+.3f} to {follows_upper:+.3f}).",
    "Tone follows the judge's own answers by {follows:+.3f} more than those of its equals ({follows_lower:+.3f} to {follows_upper:+.3f}).",
    holds=tone.follows_lower <= 0 <= tone.follows_upper and tone.follows_upper < 0.02,
)

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
# - Let models state their doubt of each option. If tone followed the answer no more than that doubt does, we would call it
#   doubt.
# - Let a judge of another maker listen, or one that reads replies with the answer taken out. If the difference went, it was
#   the judge's.
# - Ask other questions and models. The intervals are over these questions alone, with models and judge as given.
