# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Does thinking longer make a model know itself better?

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.report import forest, lines, table
from metacog.studies import open_run

run = open_run("shared", profile, other)
compared = run.result("thinking_compared")
compared.glue()
n = compared.numbers()
frontier = open_run("study7_mmlu_pro", profile, other)
stated = frontier.result("thinking")
stated.glue()
q = stated.numbers()
compared.says(
    "head",
    "After thinking, a stated number mostly tells more, on multiple choice; the probability of the answer's words less, on open questions. Why is open.",
    "After thinking, a stated number tells more in {stated_rose} models; the probability of the answer's words tells less in {words_fell}.",
    holds=n["words_fell"] == n["words_n"] > 0 and 2 * n["stated_rose"] > n["stated_n"] and n["stated_fell"] == 0,
    head=True,
    note=stated.says(
        "note",
        "Whether a model then knows itself better, or merely gives answers of which it is easier to tell whether they are right, the number does not show.",
        "Beyond confidence that has not changed, a stated number tells more of {rises} sizes of Qwen3.",
        holds=q["rises"] == 0,
    ),
)

# %%
forest(
    compared.effects,
    value="pairs",
    rows=["set", "model"],
    colour="signal",
    reference=0,
    caption="What thinking changes: of 100 pairs of a right and a wrong answer, in how many more (right of the dashed line) or fewer the right one has the higher confidence. 95 % intervals.",
    titles={"pairs": "change in pairs of 100", "signal": "what is read as confidence"},
    label="fig-thinking-all",
)

# %% [markdown]
# A **reasoning model** writes down a train of thought, its **trace**, before it answers. That often makes the answer
# better. Is the model then also a better judge of its answer? Three parts of this book found three numbers, of different
# sign; each is right of something else.
#
# | | Words' probability | Stated numbers | Withdrawn answers |
# | --- | --- | --- | --- |
# | Change | {glue:text}`thinking_compared_words_auroc2:+.2f` AUROC2 | {glue:text}`thinking_compared_stated_auroc2:+.2f` AUROC2 | {glue:text}`thinking_effects_next_points:+.1f` points |
# | Models | Qwen3-8B and two models that DeepSeek distilled from R1, 7 to 8 billion parameters | eight sizes of Alibaba's Qwen3, 0.6 to 235 billion | Alibaba's Qwen3-Next 80B |
# | What is compared | the same weights, thinking on and off | the same weights, thinking on and off | two models: Thinking and Instruct |
# | Questions | TriviaQA, open {cite:p}`cacioli2026thinking` | MMLU-Pro, up to ten options {cite:p}`tao2025` | a battery of five tasks {cite:p}`cacioli2026battery` |
# | Confidence | probability of the answer's words, after the trace | a number at the end of the reply | keeping the answer, or withdrawing it |
# | In pairs of 100 | {glue:text}`thinking_compared_words_pairs:+.1f` ({glue:text}`thinking_compared_words_pairs_lower:+.1f` to {glue:text}`thinking_compared_words_pairs_upper:+.1f`) | {glue:text}`thinking_compared_stated_pairs:+.1f` ({glue:text}`thinking_compared_stated_pairs_lower:+.1f` to {glue:text}`thinking_compared_stated_pairs_upper:+.1f`) | {glue:text}`thinking_compared_next_keeps:+.1f` ({glue:text}`thinking_compared_next_keeps_lower:+.1f` to {glue:text}`thinking_compared_next_keeps_upper:+.1f`) |
#
# **One scale for all.** Draw a right and a wrong answer of one model. In how many of 100 such pairs has the right one the
# higher confidence? That is AUROC2 times 100. The withdraw delta is how many points more of its right
# answers than of its wrong ones a model keeps. Keeping the right one alone wins the pair, and the same word on both
# counts half, so two points of delta are one pair. Intervals of the means are over questions, for these models alone.
#
# ## The same weights, with both signs

# %%
forest(
    compared.twice,
    value="pairs",
    rows=["model", "set"],
    colour="signal",
    reference=0,
    caption="The models that were asked in two places. Were the sign the model's, all marks of a model would lie on one side.",
    titles={"pairs": "change in pairs of 100", "signal": "what is read as confidence"},
    label="fig-thinking-twice",
)

# %%
compared.says(
    "twice",
    "Qwen3-8B was asked in two places. With thinking, the pairs of 100 that its stated number wins change by {eight_stated:+.0f}, those of the probability of its whole reply, trace included, by {eight_reply:+.0f}, and those of its answer's words by {eight_words:+.0f}. Qwen3-Next 80B was also asked for a number, in the [atlas of large models](frontier-ranking.ipynb): there Thinking is {next_stated:.0f} pairs ahead of Instruct; in withdrawing it is behind, at {next_keeps:.0f}. What is read, the questions and the form of an answer change together here; which of them turns the sign is open. (Where two readings come from the same replies, on MMLU-Pro, both rise.)",
    "Change in pairs of 100. Qwen3-8B: stated number {eight_stated:+.1f}, whole reply {eight_reply:+.1f}, answer's words {eight_words:+.1f}. Qwen3-Next 80B: stated number {next_stated:+.1f}, keeping {next_keeps:+.1f}.",
    holds=n["eight_stated_lower"] > 0 and n["eight_reply_lower"] > 0 and n["eight_words_upper"] < 0 and n["next_stated_lower"] > 0 and n["next_keeps_upper"] < 0,
)

# %% [markdown]
# ## Why the words lose
#
# Once a model has settled on an answer in its trace, it may only copy it out, and copied words are likely, right or
# wrong. The author of the set read the replies once more without that trace.

# %%
qa = open_run("study1_qa", profile, other)
words = qa.result("thinking")
w = words.numbers()
forest(
    words.raw,
    value=["auroc2_off", "auroc2_on", "no_trace"],
    rows="model",
    reference=0.5,
    caption="How well the probability of the answer's words tells right from wrong (dashed: a coin), with 95 % intervals. If the trace alone made every answer look certain, the third mark would lie at the first.",
    titles={"auroc2_off": "thinking off", "auroc2_on": "thinking on", "no_trace": "thinking on, read without the trace", "": "AUROC2"},
    label="fig-thinking-trace",
)

# %%
words.says(
    "trace",
    "For the two distilled models, that is what happens: from {auroc2_on_2:.2f} and {auroc2_on_3:.2f}, no better than a coin, back to {no_trace_2:.2f} and {no_trace_3:.2f}, close to the {auroc2_off_2:.2f} and {auroc2_off_3:.2f} without thinking. For Qwen3-8B it is not: without its trace, confidence stands at {no_trace_1:.2f}, and wrong answers look surer than right ones. There copying is not all.",
    "AUROC2 with thinking on and without the trace: Qwen3-8B {auroc2_on_1:.2f} and {no_trace_1:.2f}, R1-Distill-Qwen-7B {auroc2_on_2:.2f} and {no_trace_2:.2f}, R1-Distill-Llama-8B {auroc2_on_3:.2f} and {no_trace_3:.2f}.",
    holds=w["no_trace_lower_2"] > w["auroc2_on_upper_2"] and w["no_trace_lower_3"] > w["auroc2_on_upper_3"] and w["no_trace_upper_1"] < 0.5,
)

# %%
words.says(
    "strictly",
    "**What would fake it.** A reply counts as right if it *contains* an accepted answer, so a long reply has more room to be right by luck. If it must equal one, Qwen3-8B's change is still {strict_1:+.0f} pairs ({strict_lower_1:.0f} to {strict_upper_1:.0f}). The distilled models can hardly be judged: with thinking off, {fewest_2} and {fewest_3} right answers are left.",
    "Marked strictly, AUROC2 changes by {strict_1:+.0f} pairs of 100 in Qwen3-8B, {strict_2:+.0f} in R1-Distill-Qwen-7B and {strict_3:+.0f} in R1-Distill-Llama-8B.",
    holds=w["strict_upper_1"] < 0 and w["strict_2"] > 0 and w["strict_3"] > 0 and w["fewest_2"] < 50 and w["fewest_3"] < 50,
)

# %%
words.says(
    "alone",
    "**Could more right answers alone do it?** Hardly. Suppose that thinking only made some wrong answers right, and their words stayed as probable as they were. Then right answers would look less sure, and confidence tell less: by {corrected:.0f} pairs of 100 in {corrected_model}, whose share of right answers grows most. There it tells {seen:.0f} fewer.",
    "If thinking only made some wrong answers right, {corrected_model} would lose {corrected:.0f} pairs of 100; it loses {seen:.0f}.",
    holds=0 < w["corrected"] < w["seen"] / 3,
)

# %% [markdown]
# ### What the loss is made of, and other limits
# <!-- fold -->
#
# A change can come from **accuracy** (with more right answers there is less to find out), from the **use** of the ratings
# (if nearly all replies have the highest one, ratings say little), or from the **worth** of a rating: how much larger the
# odds of being right are at one rating than at another. Each can be changed while the other two are held, by raking the
# table (Deming and Stephan 1940), so the change parts into three.

# %%
words.says(
    "worth",
    "A rating's worth is {worth_least:.0f} to {worth_most:.0f} % of the loss.",
    "A rating's worth is {worth_least:.0f} to {worth_most:.0f} % of the change.",
    holds=w["worth_least"] > 50,
)

# %%
forest(
    words.parts[words.parts["quantity"] == "auroc2"],
    value="change",
    rows="model",
    colour="part",
    interval=("lower", "upper"),
    reference=0,
    label="fig-thinking-parts",
    caption="What the change of AUROC2 is made of, with 95 % intervals.",
)

# %%
words.matrix(caption="What the published counts say of thinking, model by model. Point at an answer for the reason.")

# %%
columns = ["model", "right_off", "right_on", "auroc2_off", "auroc2_on", "difference", "usual"]
caption = "The same replies, marked strictly; the last column is the change with the usual marking. With fewer than 50 right answers a change is mostly noise."
named = {"right_off": "Right, thinking off", "right_on": "Right, thinking on"}
table(words.marking, *columns, interval={"difference": ("lower", "upper")}, caption=caption, titles=named)

# %% [markdown]
# The counts do not say which replies belong to the same question, so the two modes are compared as if they had been asked
# different questions. The author's own intervals pair them, and are nearly the same. The measures of both modes:

# %%
forest(
    words.cells,
    value="auroc2",
    rows="model",
    colour="mode",
    reference=0.5,
    label="fig-thinking",
    caption="AUROC2 of the four ratings that were published, with thinking and without, with 95 % intervals.",
)

# %% [markdown]
# ## Why the number gains, and what would fake it
#
# With thinking on, other answers are given, and more are right. So confidence can do better without having changed, and
# each gain is taken apart. **At equal accuracy**, the better condition is judged on harder
# questions and the other on easier ones. **Beyond unchanged confidence**, the model's gain is held against what the
# confidence of other makers' models gains when it is lent to both conditions: it is the same in both, and yet tells more after thinking.

# %%
effects = frontier.result("thinking_effects")
f = effects.numbers()
forest(
    effects.effects[effects.effects["signal"] == "a number it states"],
    value=["pairs", "equal", "beyond"],
    rows="model",
    reference=0,
    caption="Change in the pairs of 100 that a stated number wins, with thinking on: as it is, between answers that are right equally often, and beyond unchanged confidence. 95 % intervals over questions, the last also over whose unchanged confidence it is.",
    titles={"pairs": "as it is", "equal": "at equal accuracy", "beyond": "beyond unchanged confidence", "": "change in pairs of 100"},
    label="fig-frontier-thinking",
)

# %%
stated.says(
    "shrinks",
    "On average {mean_auroc2:.1f} pairs become {mean_equal_accuracy:.1f} at equal accuracy, and {mean_excess:.1f} beyond unchanged confidence. The last is not shown to be more than nothing for any of the {n_thinking} sizes: its interval reaches {reach:.0f} pairs to either side, so a smaller gain would not be seen.",
    "On average {mean_auroc2:+.1f} pairs of 100; at equal accuracy {mean_equal_accuracy:+.1f}; beyond unchanged confidence {mean_excess:+.1f}, shown for {rises} of {n_thinking} sizes.",
    holds=q["rises"] == 0 and q["mean_auroc2"] > q["mean_equal_accuracy"] > q["mean_excess"] > 0,
)

# %%
stated.says(
    "simulated",
    "**Could better answers alone fake it?** Yes. We simulated pairs whose confidence does not change while their answers get better. The change at equal accuracy is called a rise in up to {none_equal_accuracy_most} of 100 runs, in worlds where thinking takes luck out of the answers and confidence only reads difficulty. Held against unchanged confidence and its spread, a rise is called in at most {none_beyond_most} of 100. That strict rule can see something: where confidence did get better, it says so in {better_beyond_least} to {better_beyond_most} of 100.",
    "In simulated pairs whose confidence does not change, a rise is called in up to {none_equal_accuracy_most} of 100 runs at equal accuracy, and in up to {none_beyond_most} beyond unchanged confidence; where it gets better, in {better_beyond_least} to {better_beyond_most}.",
    holds=q["none_equal_accuracy_most"] > 50 and q["none_beyond_most"] <= 5,
)

# %% [markdown]
# ### Replies without an answer, and the table
# <!-- fold -->

# %%
effects.says(
    "how_easily",
    "The better confidence was worth {gained:.0f} pairs there. Without any such care, a rise would be called in up to {faked:.0f} of 100 runs in which nothing but the number of right answers has changed.",
    "The better confidence was worth {gained:.0f} pairs there; the plain change is called a rise in up to {faked:.0f} of 100 runs in which confidence has not changed.",
    holds=f["faked"] > 10,
)

# %%
stated.says(
    "missing",
    "A reply that runs out of room while thinking has no answer and states nothing: up to {unanswered:.0f} % of one condition. Left out, and as wrong with the lowest number of their run, the gain at equal accuracy stands in {in_both} of {n_thinking} sizes; with the median number in {in_median}, with the highest in {in_highest}.",
    "At equal accuracy the number gains in {in_both} of {n_thinking} sizes if unanswered replies are left out or have the lowest number; in {in_median} with the median number, in {in_highest} with the highest.",
    holds=q["in_both"] >= q["in_median"] >= q["in_highest"],
)

# %% [markdown]
# In simulated pairs, the mean change at equal accuracy is off by at most {glue:text}`thinking_bias_equal:.3f`, that of the
# plain change by up to {glue:text}`thinking_bias_plain:.3f` of AUROC2.

# %%
named = {"signal": "Confidence", "pairs": "As it is", "equal": "At equal accuracy", "beyond": "Beyond unchanged", "right": "Answers right, of 100"}
caption = "All changes with thinking on MMLU-Pro, in a hundred, for both kinds of confidence in the same replies."
table(effects.effects, "model", "signal", "right", "pairs", "equal", "beyond", caption=caption, titles=named, digits={"right": 1, "pairs": 1, "equal": 1, "beyond": 1})

# %%
table(
    stated.pairs,
    *("kind", "pair", "n", "missing", "accuracy", "auroc2", "equal_accuracy", "unchanged", "beyond", "beyond_lowest", "beyond_median", "beyond_highest", "as_much", "says"),
    caption="The same as changes of AUROC2, for all pairs of conditions; what goes beyond unchanged confidence with replies without an answer left out, and as wrong with the lowest, median and highest number of their run; the share of unchanged confidences that gain as much; and whether it rises in the first three readings.",
    titles={"kind": "Conditions", "pair": "Weights", "missing": "Without an answer, at most", "accuracy": "Accuracy", "auroc2": "AUROC2", "equal_accuracy": "At equal accuracy", "unchanged": "Unchanged confidence", "beyond": "Beyond it", "beyond_lowest": "Missing as lowest", "beyond_median": "As median", "beyond_highest": "As highest", "as_much": "Gain as much", "says": "Rises"},
)

# %% [markdown]
# ## Why withdrawing says little yet
# <!-- fold -->

# %%
five = open_run("study5_battery", profile)
battery = five.result("thinking_effects")
battery.glue()
b = battery.numbers()
forest(
    battery.kept,
    value=["right", "wrong"],
    rows="model",
    caption="Share of its right and of its wrong answers that each model of the two pairs keeps, five tracks together, with 95 % intervals. A model that keeps everything, or nothing, cannot show what it knows.",
    titles={"right": "right answers", "wrong": "wrong answers", "": "% that are kept"},
    label="fig-thinking-kept",
)

# %%
battery.says(
    "habit",
    "Two pairs, two signs: {next_points:+.1f} points ({next_points_lower:+.1f} to {next_points_upper:+.1f}; judged with the other pair, {next_together_lower:+.1f} to {next_together_upper:+.1f}) and {deep_points:+.1f} ({deep_points_lower:+.1f} to {deep_points_upper:+.1f}). Look at the habit. Qwen3-Next Thinking hardly withdraws anything: it keeps {next_right_on:.0f} % of its right answers and {next_kept_wrong_on:.0f} of its {next_n_wrong_on:.0f} wrong ones. A model that told its mistakes just as well as Instruct does, and only withdrew as rarely, would keep {next_habit_on:.0f} % of them, and by chance as many as this one in {next_as_many_on:.0f} of 100 cases. So its fall can be a habit. DeepSeek R1 withdraws nearly everything, and made {deep_n_wrong_on:.0f} mistakes.",
    "Withdraw deltas change by {next_points:+.1f} points ({next_points_lower:+.1f} to {next_points_upper:+.1f}) and {deep_points:+.1f} ({deep_points_lower:+.1f} to {deep_points_upper:+.1f}). Thinking keeps {next_kept_wrong_on:.0f} of {next_n_wrong_on:.0f} wrong answers; by habit alone it would keep {next_habit_on:.0f} %.",
    holds=b["next_points_upper"] < 0 < b["deep_points"] and b["next_together_upper"] < 0 and b["next_as_many_on"] > 5 and b["deep_right_on"] < 10,
)

# %%
battery.says(
    "power",
    "An interval of {next_points_lower:.0f} to {next_points_upper:.0f} points also says what so few mistakes can show: a difference of less than some twenty points would be missed.",
    "The interval of the first pair spans {next_points_lower:.0f} to {next_points_upper:.0f} points.",
    holds=15 < (b["next_points_upper"] - b["next_points_lower"]) / 2 < 25,
)

# %% [markdown]
# ## What to believe

# %%
compared.says(
    "believe",
    "- **Thinking mostly makes answers better:** more are right in {stated_right} of the {stated_n} comparisons with a stated number; on TriviaQA in {words_right} of {words_n}.\n"
    "- **After a trace, do not read the probability of the answer's words.** It fell in all {words_n} models as they were marked, by {words_pairs:.0f} pairs on average. Marked strictly, only one can be judged, and it falls too.\n"
    "- **A stated number tells more after thinking**, in {stated_rose} of {stated_n}. The probability of the whole reply gains as well, {reply_pairs:+.0f} pairs on average.\n"
    "- **About withdrawing, two pairs of models say nothing yet.**",
    "Of a stated number {stated_rose} of {stated_n} comparisons rise, of the whole reply's probability {reply_rose} of {reply_n}, of the words' {words_rose} of {words_n}.",
    holds=n["words_fell"] == n["words_n"] and 2 * n["stated_rose"] > n["stated_n"] and 2 * n["reply_rose"] > n["reply_n"] and n["stated_right"] > n["stated_n"] / 2 and w["strict_upper_1"] < 0 and w["fewest_2"] < 50 and w["fewest_3"] < 50,
)

# %% [markdown]
# ## Tuning
# <!-- fold -->
#
# A **base** model is trained to continue texts; an **instruct** model is the same network tuned further to follow
# instructions. Study 1 has one such pair, Llama-3-8B; its counts are [reconstructed](ledger.ipynb) from print.

# %%
tuned = qa.result("instruct_base")
t = tuned.numbers()
tuned.says(
    "tuned",
    "On TriviaQA, tuning took accuracy from {accuracy_base:.2f} to {accuracy_instruct:.2f} and AUROC2 from {auroc2_base:.2f} to {auroc2_instruct:.2f} (a change of {auroc2_lower:+.3f} to {auroc2_upper:+.3f}).",
)

# %%
forest(
    # published pairs are the same in every run that a page shows
    tuned.together.drop_duplicates(["pair", "measure"]),
    value="difference",
    rows="measure",
    colour="pair",
    interval=("lower", "upper"),
    reference=0,
    label="fig-instruct-base",
    caption="Instruct minus base on every measure, with 95 % intervals; the paper's pair from reconstructed counts. Measures differ in scale: compare a row with zero and with its other marks, not with other rows.",
)

# %% [markdown]
# The M-ratio is, for open answers, about the shape of one table ([the correction](study1-correction.ipynb)).
#
# ### By subject
# <!-- fold -->

# %%
tuned.says(
    "by_subject",
    "Tuning lowers the printed M-ratio in {fell} of {subjects} subjects. In {most} it goes from {m_ratio_base:.3f} to {m_ratio_instruct:.3f}, and AUROC2 from {area_base:.2f} to {area_instruct:.2f}. None of these changes has an interval.",
    holds=t["fell"] > 0,
)

# %%
caption = "The paper's pair by subject, as printed: M-ratio, without intervals, and AUROC2, with the second version's."
pair = tuned.record.domains.sort_values("domain", kind="stable")
forest(
    pair, value=["m_ratio", "auroc2"], rows=["domain", "model"], beside=True,
    reference={"m_ratio": 1, "auroc2": 0.5}, caption=caption, label="fig-instruct-subjects",
)

# %% [markdown]
# ### More base models, fewer bits, and size
# <!-- fold -->

# %%
stated.says(
    "others",
    "On MMLU-Pro, {instructed} sizes of Qwen3 answered untuned too. Tuned, a stated number tells more than unchanged confidence would for {instructed_more} of {instructed}, and less for {instructed_less}. Fewer bits change AUROC2 by less than {bound:.2f}, as far as can be shown, in {reduced_same} of {reduced} pairs, and by more in {reduced_other}.",
    "Tuned models tell more in {instructed_more} of {instructed} pairs, less in {instructed_less}. Fewer bits change AUROC2 by less than {bound:.2f} in {reduced_same} of {reduced} pairs, by more in {reduced_other}.",
    holds=q["instructed"] > 0,
)

# %%
forest(
    stated.pairs[stated.pairs["kind"] != "thinking on, off"],
    value="beyond",
    rows="pair",
    colour="kind",
    reference=0,
    caption="Change of AUROC2 beyond unchanged confidence: from a base model to the instructed one, from a maker's chat model to its reasoning model, and from full to reduced precision.",
    titles={"beyond": "change in AUROC2 beyond unchanged confidence"},
    label="fig-frontier-conditions",
)

# %%
lines(
    stated.sizes,
    x="billions",
    value="auroc2",
    colour="series",
    log=True,
    reference=0.5,
    caption="AUROC2 of stated confidence by size, in series of models that one maker trained alike (dashed: chance), with 95 % intervals. Larger models are also more often right.",
    titles={"billions": "thousand million parameters", "auroc2": "AUROC2"},
    label="fig-frontier-sizes",
)

# %% [markdown]
# ## What would change your mind

# %%
compared.says(
    "change",
    "- Take all kinds of confidence from the same replies to open questions. If they moved together, we would blame the questions, and no longer how confidence is read.\n"
    "- Ask another maker's pairs, with room to finish. If their stated numbers gained more than an unchanged confidence would, we would say that thinking helps a model know itself.\n"
    "- Find a pair of models with a hundred mistakes each that withdraws a fair share of its answers. Then withdrawing could tell something.",
    "Other makers' pairs of models, with and without thinking, on the same replies could settle what this page leaves open.",
    holds=n["words_fell"] == n["words_n"] > 0 and n["stated_fell"] == 0 == q["rises"],
)

# %% [markdown]
# What tuning does in general, one pair cannot say. You can add a family with `metacog add-model` and `base_of`
# ([how](../book/new-model.md)).
