# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The answers, and whether to trust their marks

# %% tags=["parameters"]
profile = "default"
other = ""
seed = 42

# %%
from metacog.report import bars, dots, forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
collected = run.result("collection", seed=seed)
validation = run.result("validation")
collected.glue()
validation.glue()
n = validation.numbers()
validation.says(
    "answer",
    "Nearly all marks are right: a language model read {n_read} answers and contradicts {n_mismarked}, each a right answer "
    "that was marked wrong.",
    "A language model that read {n_read} answers contradicts {n_mismarked} of their marks.",
    holds=n["mismarked_most"] < 10 and 1 < n["n_mismarked"] and n["n_too_good"] == 0,
    head=True,
)

# %%
caption = "Share of answers whose mark a reader contradicts, by mark, with 95 % intervals."
forest(
    validation.record.by_eye, value="share", rows="model", colour="marked", interval=("lower", "upper"),
    caption=caption, titles={"share": "Share marked wrongly"}, label="fig-collection-marks",
)

# %% [markdown]
# Everything in study 1 starts from a **trial**: one question, put to one model once, at one sampling temperature, with
# one random seed. The run behind this page has {glue:text}`collection_n_trials:,` trials
# (models: {glue:text}`collection_n_models`, questions: {glue:text}`collection_n_questions:,`,
# temperatures: {glue:text}`collection_n_temperatures`).
#
# The **temperature** $T$ sets how boldly a model draws its next word: near 0 it always takes its favourite, at 1
# it draws according to its own probabilities, above 1 it flattens them. At each temperature a question is answered once;
# several answers of a model to one question were collected at temperature 1 alone. So how often an answer would come back
# at 0.1 is not known here. Whatever the temperature, we record how
# probable the model itself, at temperature 1, found the words that it wrote. The mean of those log-probabilities over
# the $L$ words (strictly, tokens) of an answer is the **normalised log-probability**,
#
# $$\begin{aligned}
# \mathrm{NLP} &= \frac{1}{L}\sum_{i=1}^{L} \log p_i, \\
# p_i &= p(w_i \mid \text{prompt}, w_1 \ldots w_{i-1}),
# \end{aligned}$$
#
# and it is the study's measure of confidence: a model that wrote nothing but its favourite words has an NLP near
# 0, one that wandered has a large negative one.

# %%
run.result("signal").text("which")

# %% [markdown]
# ## Some answers
#
# These were drawn by a seed, not chosen. Compare the confidence of the wrong answers with that of the right ones: that is
# the question of this book. [The trials](trials.ipynb) have more of them.

# %%
examples = collected.record.examples
examples = examples[examples["T"] <= 1].drop_duplicates(["kind", "model"])
caption = "Answers of each kind, of the first run, at temperatures up to 1. What a reply went on into stands in brackets."
table(examples, "kind", "model", "question", "answer", "nearest key", "NLP", caption=caption, folded=False)

# %% [markdown]
# ## How answers are marked
#
# A text is **right** if, lower-cased and without a, an and the, it equals an accepted answer (*exact*), or if the
# share of matching characters between the two is at least 0.85 (*similar*). A text that begins with a phrase such
# as "I don't know" is **refused**, and one of which nothing is left is **empty**: both count as wrong.
#
# This is the paper's rule. By it *Vitamin A* passes for vitamin C, *4 sides* for 3, and *Queen Elizabeth II* for the
# first. So this book marks its own questions more strictly: a similar text is right only if it has the same numbers, in
# digits, words or Roman numerals, and the same single letters as the accepted answer. Questions of the paper's own sets
# would be marked as the paper did. The stricter rule still lets pass what has no number: asked for a currency, *Papua New
# Guinean* passes for *Papua New Guinean kina*. And it refuses *Jonas S. Salk* for Jonas Salk. Answers that another bar
# of similarity would turn are marked as such among [the trials](trials.ipynb).
#
# A reply ends at a new line, or where the model goes on with a question of its own, behind the mark `Q:` that it has
# seen: `Berlin Q: What is the largest ocean`. Only what stands before the mark is marked, and the NLP is the mean over
# its tokens. Where an accepted answer contains the mark itself, nothing is cut there.
#
# ### How often which mark is given
# <!-- fold -->

# %%
values = ["exact", "similar", "near", "empty", "wrong", "refused", "unanswered"]
caption = "How answers were marked, by sampling temperature. The first two parts count as right."
bars(
    collected.marks, value=values, rows="temperature", panel="model", stacked=True, caption=caption,
    titles={"": "Share of answers"}, label="fig-collection-outcomes",
)

# %% [markdown]
# ## Are the marks right?
#
# A rule that compares letters can be wrong. Of each model of the reference run 60 answers marked wrong and 60 marked
# right by the paper's rule, at temperature 1, were drawn by a seed and read, each with its question and the accepted
# answers; these are the marks of the first figure. One reader, a language model that knew the mark, judged whether the
# answer is right; a stray word behind a right answer, or a title before it, makes it no less right.
#
# The same reader read every answer, at all temperatures, that only similarity makes right. A misspelt word is right if it
# can mean nothing else, and *unclear* if more than its spelling is off.

# %%
validation.says(
    "alike",
    "Likeness of letters is where marks go wrong. Of {n_similar} answers that only similarity makes right by the paper's rule, "
    "the reader finds {n_passed} wrong and {n_unclear} unclear. This book's rule catches {n_caught} of the {n_passed} and lets "
    "{n_still} pass; it also loses {n_lost} right answers.",
    "Of {n_similar} answers that only similarity makes right by the paper's rule, the reader finds {n_passed} wrong. The book's "
    "rule catches {n_caught} of these, and marks {n_lost} right ones wrong.",
    holds=n["n_caught"] > n["n_lost"] > 0,
)

# %% [markdown]
# The rule was fixed by kind (numbers, numerals, single letters) and not fitted further: a name that is one syllable off
# another, such as *Khamenei* for Khomeini, still passes. The kinds were noticed among these same answers, so that on
# others the rule may catch less.
#
# ### What each rule lets pass, and what the stricter one changes
# <!-- fold -->

# %%
validation.says(
    "changed",
    "The stricter rule turns {n_turned} answers at temperature 1, too few to matter: accuracy falls by {accuracy_moved:.3f} at "
    "most, AUROC2 moves by {auroc2_moved:.3f} and M-ratio by {m_ratio_moved:.3f}. The models keep their order.",
    "The stricter rule turns {n_turned} answers at temperature 1. At most, accuracy changes by {accuracy_moved:.3f}, AUROC2 by "
    "{auroc2_moved:.3f} and M-ratio by {m_ratio_moved:.3f}.",
    holds=n["same_order"] and n["n_turned"] > 0 and n["accuracy_moved"] < 0.01 and n["auroc2_moved"] < 0.01,
)

# %%
columns = ["read", "rule", "n", "let_pass", "lost", "right_of_passed", "passed_of_right"]
caption = "Answers read, by both rules. In the shares, answers drawn by the seed are weighed by how many they stand for."
table(validation.record.rules, *columns, caption=caption, digits={"right_of_passed": 3, "passed_of_right": 3})

# %%
columns = ["model", "n_changed", "accuracy_paper", "accuracy", "auroc2_paper", "auroc2", "m_ratio_paper", "m_ratio"]
caption = "What the stricter rule changes at temperature 1."
table(validation.record.changes, *columns, caption=caption, digits=dict.fromkeys(columns[2:], 3))

# %% [markdown]
# ### Where the line of similarity is drawn
# <!-- fold -->

# %%
marking = run.result("first_paper", seed=seed).marking
values = ["accuracy_loose", "accuracy_used", "accuracy_strict"]
caption = "Accuracy of three of the paper's models, marked at three thresholds of similarity, from its published counts."
named = {"accuracy_loose": "0.80", "accuracy_used": "0.85, as here", "accuracy_strict": "0.90", "": "Accuracy"}
forest(
    marking, value=values, rows=["model", "dataset"], inline=True, caption=caption, titles=named,
    label="fig-collection-thresholds",
)

# %% [markdown]
# ## Does accuracy rise with confidence?
#
# If confidence knew nothing of correctness, no later page would mean anything. So the study fixed in advance that at
# temperature 1 accuracy must rise over the four **quarters** of NLP: the least confident quarter of answers, the next,
# and so on. The paper prints its quarters; its counts by rating are **reconstructed**: [solved](ledger.ipynb) so that these
# and other printed figures come out. So its marks below repeat its print and test nothing.

# %%
quarters = validation.comparison.drop_duplicates(["model", "dataset", "q1", "q4"])
caption = (
    "Accuracy in each quarter of confidence. Where it rises at every step, the four marks stand in their order. The "
    "paper's quarters are as printed: its reconstructed counts were solved from them."
)
forest(
    quarters, value=["q1", "q2", "q3", "q4"], rows=["model", "dataset"], inline=True, caption=caption,
    titles={"": "Accuracy"}, label="fig-collection-quarters",
)

# %% [markdown]
# ## Are there enough of each kind?
# <!-- fold -->
#
# Measures of this study compare right answers with wrong ones. With fewer than 50 of either, an estimate is mostly
# noise. So the study asked for 50 of both in every subject of every model, at temperature 1.

# %%
caption = "Right or wrong answers at temperature 1, whichever are fewer. At full shade there are the 50 of the rule."
matrix(
    validation.minimums, value="fewest", rows="domain", columns="model", limits=(0, 50), caption=caption,
    titles={"domain": "Subject"},
)

# %%
validation.says("small", "In {n_small} of {n_subjects} squares there are fewer than 50.", holds=n["n_subjects"] > 0)

# %% [markdown]
# Answers *without a confidence* cannot be rated and are left out ({glue:text}`validation_empty:,` over all
# temperatures): most empty ones have no words and so no NLP (one of a mere article has), and a model that is asked for a percentage may write none. Later
# pages leave cells that are too small, or otherwise unsound, out of their verdicts and say how many.
#
# The questions were given to five **tiers** of difficulty before any model saw them: 1 is what any child's school book
# contains, 5 is for specialists. Do the models find them as hard as the writers did?

# %%
caption = "Accuracy at temperature 1 by tier of difficulty, with 95 % intervals."
lines(collected.tiers, x="tier", value="accuracy", colour="model", caption=caption, label="fig-collection-tiers")

# %% [markdown]
# ## Sensitivity, measured twice
# <!-- fold -->
#
# How well does confidence separate right from wrong answers? $d'$ cuts the eight ratings in the middle:
# $d' = z(H) - z(F)$ with $H$ the share of right answers, and $F$ the share of wrong ones, above the cut; $z$ turns a
# share into a distance on the bell curve. $d_a$ uses all seven cuts: the points $(z(F), z(H))$ should lie on a straight
# line (the **z-ROC**), and $d_a$ is the line's distance from chance. Where its slope is 1, right and wrong answers are
# equally spread out and both numbers agree.

# %%
sensitivity = validation.comparison.drop_duplicates(["model", "dataset", "d_prime", "d_a"])
caption = "Both measures in the paper's models, from reconstructed counts, and in this book's. On the dashed line they agree."
dots(
    sensitivity, x="d_prime", colour="dataset", y="d_a", diagonal=True, caption=caption,
    label="fig-collection-sensitivity",
)

# %% [markdown]
# The paper compared its $d'$ with $d_a$ of the author's earlier study of three of its models, and expected Mistral to
# differ, whose right and wrong answers are spread out most unequally.

# %%
earlier = validation.record.comparison.dropna(subset=["earlier"])
caption = "The paper's models on TriviaQA: d' and d_a of the reconstructed counts, and d_a that the earlier study printed."
table(earlier, "model", "d_prime", "d_a", "earlier", caption=caption, titles={"earlier": "d_a, earlier study"}, digits={"earlier": 2})

# %% [markdown]
# ## What temperature does to the texts
# <!-- fold -->
#
# Sampling at a high temperature can produce long, wandering texts. If many answers are cut off at the token limit
# or left empty, a change over temperature is partly a change of *texts*, not of self-knowledge.

# %%
caption = "Answers cut off at the token limit, and answers without a confidence, by sampling temperature."
lines(
    validation.answers, value=["truncated", "empty"], x="temperature", panel="model", caption=caption,
    titles={"empty": "Without a confidence", "": "Share of answers"}, label="fig-collection-texts",
)

# %% [markdown]
# ## Does the form of asking matter?
# <!-- fold -->
#
# The main paper asked without examples (*zero-shot*) and left room for 64 tokens. This book shows its small models four
# examples (*few-shot*) and leaves room for 24. So both forms were put to the same questions, of the paper's two sources
# ({glue:text}`prompt_form_n_questions` of TriviaQA and as many of Natural Questions), at its seven temperatures and with
# the same seeds. The wording of the zero-shot instruction is ours. Which questions, which measures and which rule was fixed
# before. How many questions there would be was left to the clock, which left few. `benchmarks/prompt_form.py` says what
# was added after the counts were seen.
# What an M-ratio can tell at all is [another page's question](study1-correction.ipynb).

# %%
form = run.result("prompt_form", seed=seed)
form.glue()
f = form.numbers()
form.says(
    "texts",
    "Without examples these models talk on: their answers have {zeroshot_n_tokens_least:.0f} to {zeroshot_n_tokens_most:.0f} tokens on "
    "average, with examples {fewshot_n_tokens_least:.0f} to {fewshot_n_tokens_most:.0f}. They are also marked right less often: "
    "{zeroshot_accuracy_least:.1f} to {zeroshot_accuracy_most:.1f} % without, {fewshot_accuracy_least:.1f} to "
    "{fewshot_accuracy_most:.1f} % with examples.",
    "Tokens of an answer: {zeroshot_n_tokens_least:.0f} to {zeroshot_n_tokens_most:.0f} without examples, "
    "{fewshot_n_tokens_least:.0f} to {fewshot_n_tokens_most:.0f} with. Marked right: {zeroshot_accuracy_least:.1f} to "
    "{zeroshot_accuracy_most:.1f} %, and {fewshot_accuracy_least:.1f} to {fewshot_accuracy_most:.1f} %.",
    holds=f["zeroshot_n_tokens_least"] > f["fewshot_n_tokens_most"] and f["n_worse"] == f["n_asked"],
)

# %%
form.says(
    "chance",
    "Do not trust that difference yet. We also swapped the two forms by chance within each question, so that there was nothing "
    "to find, and the rule still found a difference in {false_least:.0f} to {false_most:.0f} % of the cases. More than "
    "{false_allowed:.0f} % was to be too often.",
    "With the two forms swapped by chance the rule finds a difference in {false_least:.0f} to {false_most:.0f} % of the cases; at "
    "most {false_allowed:.0f} % was allowed.",
    holds=f["false_most"] > f["false_allowed"],
)

# %%
caption = (
    "Zero-shot less few-shot, in the share of answers, with 95 % intervals from resampled questions. Accuracy at all "
    "temperatures was to decide, and AUROC2, which cannot be compared with fewer than ten right answers in a form."
)
chosen = ["accuracy", "mentioned", "truncated", "empty"]
shown = form.record.differences[form.record.differences["measure"].isin(chosen)]
titles = {"difference": "Difference in the share"}
forest(
    shown, value="difference", rows="measure", colour="model", panel="at", interval=("lower", "upper"),
    reference=0, caption=caption, titles=titles, label="fig-collection-form",
)

# %%
form.says(
    "told_apart",
    "Does confidence tell as much in both forms? That needs right answers. Only one of the {n_asked} models gave enough of them, "
    "and its interval allows almost anything. (An accepted answer stands *somewhere* in {zeroshot_mentioned_least:.1f} to "
    "{zeroshot_mentioned_most:.1f} % of the texts without examples and {fewshot_mentioned_least:.1f} to "
    "{fewshot_mentioned_most:.1f} % of those with; this was looked at afterwards.)",
    "Models with enough right answers to compare AUROC2: {n_compared} of {n_asked}; it differs by the rule in {n_apart}.",
    holds=f["n_compared"] == 1 and f["n_apart"] == 0,
)

# %%
columns = ["model", "at", "form", "n", "n_correct", "accuracy", "mentioned", "auroc2", "m_ratio", "truncated", "n_tokens"]
caption = "Both forms, and what keeps an M-ratio from being judged."
titles = {"n_tokens": "Tokens", "at": "At", "empty": "Without a confidence"}
table(form.record.by_form, *columns, "empty", "refused", "flag", caption=caption, titles=titles, folded=True)

# %% [markdown]
# ## Can a small model say what a question is about?
# <!-- fold -->
#
# The paper had one of its models sort the questions into six classes; the second hypothesis compares four of them. This
# book's questions have subjects that people gave. So three small models sorted {glue:text}`question_labels_n` of them, drawn
# by a seed, as `metacog data label` does. **Cohen's kappa** is agreement beyond chance: 1 if all labels agree, 0 if no more
# do than by chance. A common convention calls agreement almost perfect from {glue:text}`question_labels_enough` on, and that
# is asked here of the lower end of the interval.

# %%
sorted_ = run.result("question_labels", seed=seed)
sorted_.glue()
s = sorted_.numbers()
sorted_.says(
    "believed",
    "No. The best of them, {best_model}, agrees with people at a kappa of {best:.2f} ({best_lower:.2f} to {best_upper:.2f}). None sees "
    "more than {arts_most:.0f} of the {n_arts:.0f} questions about art. Subjects that such a model names say nothing about the second "
    "hypothesis.",
    "Labels of {n_believed} of {n_labelling} models reach the bound. The best kappa is {best:.2f} ({best_lower:.2f} to {best_upper:.2f}), "
    "of {best_model}.",
    holds=s["n_believed"] == 0 and 2 * s["arts_most"] < s["n_arts"],
)

# %%
columns = ["model", "agreeing", "kappa", "never_given"]
caption = "Labels of three small models beside the questions' own subjects, with 95 % intervals."
table(sorted_.agreement, *columns, caption=caption, folded=False)

# %%
caption = "The same models sorted questions of TriviaQA, whose subjects nobody gave: how many got which subject."
titles = {"domain": "Subject", "model": "Model"}
matrix(sorted_.unknown, rows="domain", columns="model", value="n", limits=(0, s["n_unknown"]), caption=caption, titles=titles)

# %%
caption = "How many questions of each subject got which class. Sports and Pop Culture count as unclassified, as in the paper."
digits = dict.fromkeys(["Science"], 0)
table(sorted_.counts, caption=caption, titles={"own": "Subject"}, digits=digits, folded=True)

# %% [markdown]
# ## Which models answered, and how long it took
# <!-- fold -->
#
# The checksum identifies the exact file that answered. Times are those of the machine that collected the trials.

# %%
columns = ["model", "dataset", "prompt", "n_trials", "minutes", "sessions", "engine", "llama_cpp", "sha256"]
table(collected.facts, *columns, caption="The runs behind this page.", folded=False)

# %% [markdown]
# ## What would change your mind
#
# Every trial is a row of the table in `results/`, with its text, the seed that drew it, and the key it was compared with.
#
# - If you find answers that were marked wrongly, every later page should move by what they are worth.
# - If a model's accuracy fell from one quarter of confidence to the next, we would no longer read NLP as the confidence of
#   that model.
# - If many answers at temperature 1 were cut off, we would doubt the rest of that model's answers too.
