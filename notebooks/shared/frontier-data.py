# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What the data can and cannot tell

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, table
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
keys = run.result("keys")
marks = run.result("marks")
n = keys.numbers()
m = marks.numbers()
keys.glue()
marks.glue()
best_change = marks.says(
    "best_mean",
    "The mean of {n_best} of the ten most accurate models; its 95 % interval goes from {best_change_lower:+.1f} to {best_change_upper:+.1f} pairs. In the middle one of all models it is {typical_change:+.1f}.",
    "Too few questions were checked for an interval.",
    holds=m["n_best"] > 1,
)
marks.says(
    "answer",
    "Without questions that people found faulty, the best models' right answers carry the higher confidence in {best_change:.0f} more of 100 pairs. Chance could do that.",
    "Without questions that people found faulty, right answers of the best models carry the higher confidence in {best_change:+.0f} of 100 pairs more.",
    holds=m["best_change_lower"] < 0 < m["best_change"],
    head=True,
    note=best_change,
)

# %%
forest(
    marks.sound[marks.sound["best"]],
    value=["auroc2_change", "accuracy_change"],
    rows="model",
    beside=True,
    sort=True,
    reference=0,
    missing="too few errors",
    caption="The ten most accurate of the atlas's large models: what changes when the questions that people found faulty are left out. Left: in how many more pairs of a right and a wrong answer, as a share, the right one carries the higher confidence (AUROC2). Right: accuracy. 95 % intervals; at the dashed line nothing changes.",
    titles={"auroc2_change": "change of AUROC2", "accuracy_change": "change of accuracy"},
    label="fig-frontier-sound",
)

# %%
marks.says(
    "seen",
    "**Would we have seen a change?** Only a large one. The interval of a single model reaches {reach:.0f} pairs of 100 to either side, and {reach_best:.0f} among the best, who make the fewest mistakes. Judged together, none of {n_judged} models is clearly better or worse on the sound questions. What does change is accuracy: {points:.0f} points up in the middle model.",
    "The interval of a single model reaches {reach:.0f} pairs of 100 to either side. Judged together, {n_rise} of {n_judged} models are better on the sound questions and {n_fall} worse; accuracy changes by {points:+.1f} points in the middle model.",
    holds=m["n_rise"] == m["n_fall"] == 0 < m["points"] and m["reach_best"] > m["reach"] > abs(m["typical_change"]),
)

# %% [markdown]
# Why ask? A very good model makes few mistakes, and its confidence is judged by those few. But people wrote the answer
# key, and they slip now and then. A model that gives the right answer there, and is sure of it, counts as sure and wrong.
# So the better a model, the more of its bad marks may be the key's.
#
# {glue:text}`marks_n_marked:d` of the {glue:text}`keys_n_items:,` questions that the large models of
# [the atlas](frontier-self-knowledge.ipynb) answered were gone over by people, with their keys {cite:p}`gema2024`. They
# found {glue:text}`marks_n_sound:d` of them sound.
#
# ## Where most models contradict the key

# %%
marks.says(
    "contradicted",
    "On {n_suspected} questions, at least half of the models of other families agree on one answer, and it is not the key. People have checked {n_suspected_marked} of them and found the key wrong in {n_wrong}, which is {wrong_share:.0f} % (95 % interval {wrong_lower:.0f} to {wrong_upper:.0f} %). Of the {n_elsewhere} other questions that were checked it is wrong in {n_wrong_elsewhere}. So contradiction is a good hint and no proof.",
    "On {n_suspected} questions most models contradict the key. People have checked {n_suspected_marked} of them and found the key wrong in {n_wrong}; of {n_elsewhere} others in {n_wrong_elsewhere}.",
    holds=m["wrong_lower"] < 50 and m["n_elsewhere"] * m["wrong_lower"] > 200 * m["n_wrong_elsewhere"],
)

# %%
forest(
    marks.checked.query("unsure == 'sound'"),
    value=["precision", "recall"],
    rows="rule",
    panel="fault",
    limits=(0, 1),
    missing="too few",
    caption="Rows: the share of other models that must agree against the key before a question is suspected. Of the suspected questions that people have checked, the share in which they found a fault; and of all faults they found, the share that was suspected. In one panel a fault is a wrong key, in the other anything wrong with key, question or options. 95 % intervals.",
    titles={"precision": "of the suspected, at fault", "recall": "of those at fault, suspected", "": "share", "rule": "so many agree"},
    label="fig-frontier-marks",
)

# %%
marks.says(
    "corrected",
    "Where people put another letter in place of the key, most models had given that letter already: in {n_corrected_as_models} of {n_corrected} questions. The other {n_unmarked} suspected questions nobody has checked. This book calls none of them wrong.",
    "Where people put another letter in place of the key, most models give that letter in {n_corrected_as_models} of {n_corrected} questions and the old key in {n_corrected_as_key}. {n_unmarked} suspected questions are unchecked.",
    holds=2 * m["n_corrected_as_models"] > m["n_corrected"],
)

# %% [markdown]
# ## Could one just leave the suspected questions out?

# %%
keys.says(
    "errors",
    "Tempting, since so much lies there: {least_share:.0f} to {most_share:.0f} % of what the ten most accurate models get wrong. But it proves little. In simulated models whose keys are all right, {right_suspected:.0f} of {n_items:,} questions are suspected too, with {right_share:.0%} of the best models' errors. They are merely hard, and one wrong option attracts.",
    "Of what the ten most accurate models get wrong, {least_share:.0f} to {most_share:.0f} % lies on suspected questions; in simulated models whose keys are all right {right_share:.0%}.",
    holds=n["right_share"] * 100 > n["least_share"],
)

# %%
bars(
    keys.best,
    value="share_of_errors",
    rows="model",
    colour="rule",
    limits=(0, 1),
    reference=n["right_share"],
    caption="Share of a model's errors that lie on suspected questions: at least half, or nine tenths, of the models of other families agree on one other answer. With 95 % intervals. Dashed: the same share, for half, in simulated models whose keys are all right.",
    label="fig-frontier-keys",
)

# %%
keys.says(
    "selection",
    "And it would flatter. Without the suspected questions the ten models' right answers carry the higher confidence in {rise:.0f} more of 100 pairs. In the simulated models, where no key is wrong, it is {right_rise:.0f} more, by the choice of questions alone. Only questions that people chose, not models, can tell.",
    "Without the suspected questions the ten models' right answers carry the higher confidence in {rise:+.0f} of 100 pairs more; in simulated models without wrong keys in {right_rise:+.0f}.",
    holds=n["right_rise"] > 0.5 * n["rise"] > 0,
)

# %%
table(
    keys.rule,
    *("truth", "models", "n_models", "threshold", "n_suspected", "share_of_errors"),
    *("auroc2_true", "auroc2_by_key", "auroc2_without"),
    caption="Simulated answers of known truth: what is suspected, and AUROC2 in truth, by the key, and without what is suspected. With unequal attraction every key is right.",
    folded=True,
)

# %% [markdown]
# ## What is in the million answers

# %%
million = open_run("study7_mmlu_pro", profile)
reading = million.result("reading")
r = reading.numbers()
reading.glue()
reading.says(
    "lacks",
    "Many replies are incomplete. In {n_lacking} of {n_models} runs more than one in twenty lacks an answer or one of three kinds of confidence; all runs with thinking switched on are among them. Pages leave such replies out, and say what changes where they count as wrong.",
    "In {n_lacking} of {n_models} runs more than one reply in twenty lacks an answer or one of the three kinds of confidence.",
    holds=r["lacking_thinking"] == 1 > r["lacking_rest"],
)

# %% [markdown]
# The second set of open data {cite:p}`tao2025` has {glue:text}`reading_n_models:d` runs of models of
# {glue:text}`reading_n_families:d` makers on the same {glue:text}`reading_n_items:,` questions of MMLU-Pro, with up to ten
# options. Each reply carries three kinds of confidence:
#
# - **the stated number**, which the model wrote, from 0 to 1;
# - **the token probability**: the mean over all tokens of the reply, reasoning included. It is not the probability of the
#   answer, and {glue:text}`reading_n_without_tokens:d` models have none;
# - **the tone**: another language model read the reply and judged how sure it sounds, from 0 to 1. It may also have seen
#   whether the reply is right.
#
# **A run is not a model.** The {glue:text}`reading_n_models:d` runs are of {glue:text}`reading_n_weights:d` sets of weights:
# some run with thinking on and off, or in reduced precision. Where a page speaks of *other* models, they are of other
# makers, so that no variant stands as the other of itself.

# %%
reading.says(
    "left_out",
    "**What counts as missing.** {n_stated_outside} stated numbers and {n_tone_outside} judgements of tone lie outside 0 to 1. And one run is shown but never counted: {at_chance} is right in {at_chance_right:.1f} % of its answers, and always choosing the commonest letter would give {one_letter:.1f} %.",
    "{n_stated_outside} stated numbers and {n_tone_outside} judgements of tone lie outside 0 to 1 and count as missing. Runs that do no better than one letter throughout ({one_letter:.0f} %) are not counted: {at_chance}.",
    holds=r["at_chance"] == "Mixtral-8x7B-v0.1",
)

# %% [markdown]
# ### Replies that lack something, run by run
# <!-- fold -->

# %%
forest(
    reading.lacking,
    value=["no_answer", "no_stated", "no_tokens", "no_tone"],
    rows="model",
    inline=True,
    limits=(0, 1),
    caption="Share of replies in which no answer was found, no number was stated, no token probability is given, or the judge gave no verdict on tone: runs that lack one of them in more than a twentieth of their replies.",
    titles={"no_answer": "answer", "no_stated": "stated number", "no_tokens": "token probability", "no_tone": "tone", "": "share of replies without it"},
    label="fig-frontier-lacking",
)

# %% [markdown]
# ### Did the model say 0, or did a program?
# <!-- fold -->

# %%
reading.says(
    "zeros",
    "A 0 can be what the model wrote, or what a program put in where it found no number. Of {n_zeros} runs with a hundred zeros or more, {n_zeros_told} are right less often there than elsewhere, so the number means something. But in {zeros_sure} the same replies sound sure, and the 0 may be nobody's word.",
    "Of {n_zeros} runs with a hundred zeros or more, {n_zeros_told} are right less often there than elsewhere. Their replies sound sure in: {zeros_sure}.",
    holds=2 * r["n_zeros_told"] > r["n_zeros"] and r["zeros_sure"] != "none",
)

# %%
table(
    reading.zeros,
    *("model", "zeros", "unanswered", "right_at_zero", "right_elsewhere", "tone_at_zero", "tone_elsewhere"),
    caption="Answers beside a stated 0, in runs that have at least a hundred: how often they are right, and how sure they sound (0 to 1), beside the run's other answers.",
    titles={"zeros": "Zeros with an answer", "unanswered": "Zeros without an answer", "right_at_zero": "Right at 0", "right_elsewhere": "Right elsewhere", "tone_at_zero": "Tone at 0", "tone_elsewhere": "Tone elsewhere"},
)

# %% [markdown]
# ## What people found, model by model
# <!-- fold -->
#
# On {glue:text}`marks_n_unsure:d` questions people could not tell. Here they count as sound, in the first table as faults
# too.

# %%
table(
    marks.checked,
    *("fault", "unsure", "rule", "suspected", "marked", "found", "faults", "precision", "recall", "flag"),
    caption="Suspected keys against people's marks, with what counts as a fault, and how questions are counted on which people could not tell.",
    titles={"suspected": "Suspected, all", "marked": "Suspected and marked", "rule": "At least so many", "found": "Fault found"},
)

# %%
table(
    marks.labels,
    *("label", "items", "suspected"),
    caption="What people found on the marked questions, and how many of each sort are suspected at half of the others.",
)

# %%
table(
    marks.sound,
    *("model", "n_marked", "n_sound", "accuracy_change", "auroc2_marked", "auroc2_sound", "auroc2_change"),
    caption="Each model on the marked questions it answered, and on those that people found sound: the change, paired by question, with 95 % intervals, each by itself.",
    folded=True,
)

# %% [markdown]
# ## What would change your mind
#
# - If people checked more questions, we would know whether the best models really gain: the gain would stay while its
#   interval shrinks, or it would go.
# - If somebody who knows the subject read a suspected question, we would know whether the key is wrong. Even then, the
#   reader's mark may be wrong as well.
# - If the thinking runs were repeated with room to end, and the replies that are missing now differed from those that are
#   there, the pages that leave them out would be off.
#
# The marks are those of MMLU-Redux 2.0 (CC BY 4.0), changed: `data/published/README.md` says how they were matched to
# questions, by subject, key and the beginning of the text.
