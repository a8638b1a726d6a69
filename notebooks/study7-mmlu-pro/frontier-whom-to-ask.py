# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Whom should one ask: the model, or another?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import dots, lines, slider, table
from metacog.studies import open_run

run = open_run("study7_mmlu_pro", profile)
second_opinions = run.result("second_opinions")
second_opinions.glue()
n = second_opinions.numbers()
about = second_opinions.says(
    "about",
    "MMLU-Pro, multiple choice. *Equally good* is a model of another maker that is right as often, to within 5 points. It answers the same question, and what counts is whether the two answers agree. Two models that guess among ten options seldom agree, which helps the other; with two options own confidence did better ([people beside models](people-beside-models.ipynb)). Among the most accurate third (right of the vertical line) it is nearly a draw: {strong_equal_other} to {strong_equal_own} of {strong_equal_of}, the rest undecided.",
    "Multiple choice, MMLU-Pro. Among the most accurate third another tells more for {strong_equal_other}, own confidence for {strong_equal_own} of {strong_equal_of}.",
    holds=abs(n["strong_equal_other"] - n["strong_equal_own"]) < 5,
)
second_opinions.says(
    "answer",
    "With up to ten options, whether an equally good model agrees tells more than a model's own number for {equal_better} of {equal_of} models.",
    "With others about as accurate, another's answer tells more than own confidence for {equal_better} of {equal_of} models.",
    holds=2 * n["equal_better"] > n["equal_of"] and n["equal_better"] > 3 * n["equal_own_better"],
    head=True,
    note=about,
)

# %%
whom = dots(
    second_opinions.gaps,
    x="accuracy",
    y="gap",
    colour="ahead",
    references=(n["strong_from"], 0),
    caption="Each mark is a run of a model. Above the horizontal line see whether an equally good model of another maker gives the same answer; below it ask the model how sure it is. The height says in how many more pairs of 100 the right answer comes first. Colour: what the 95 % interval says. To the right of the vertical line: the most accurate third.",
    titles={"accuracy": "accuracy of the model", "gap": "the other's answer ahead by (pairs of 100)", "ahead": "what tells more"},
    label="fig-frontier-whom",
)

# %%
second_opinions.glue_shown("figure_whom", whom)
whom

# %%
second_opinions.says(
    "at_the_top",
    "The models at the very top are better asked themselves: of the {top_of} runs that are right more than four times in five, their own number is the better guide for {top_own}.",
    "Of the {top_of} runs that are right more than four times in five, {top_own} say more by their own number.",
    holds=2 * n["top_own"] > n["top_of"] > 2,
)

# %%
second_opinions.says(
    "ends",
    "Ask any other model, weak or strong, and among the least accurate third the other's answer tells more in {weak_other} of {weak_runs} runs; among the most accurate, own confidence does in {strong_own} of {strong_runs}. Ask many and the picture changes: in the middle, own confidence reaches an AUROC2 of {median_own:.2f}, one other model {median_one:.2f}, sixteen others {median_sixteen:.2f}.",
    "Another model's answer tells more in {weak_other} of the {weak_runs} least accurate runs, own confidence in {strong_own} of the {strong_runs} most accurate. Median AUROC2: {median_own:.2f} for own confidence, {median_one:.2f} with one other, {median_sixteen:.2f} with sixteen.",
    holds=n["median_sixteen"] > n["median_one"] > n["median_own"],
)

# %% [markdown]
# An engineer who needs to know whether a model's answer is right can ask the model how sure it is. Or put the same
# question to another model, and see whether it gives the same answer. Both cost something, and the five papers measure
# only the first. The [million answers](frontier-data.ipynb) let both be compared, question by question, for
# {glue:text}`second_opinions_n_models:d` runs.
#
# - **The others** are of other makers, so that no variant of a model confirms itself. They are drawn at random, and the
#   values are means over draws; for a single other, over every other model.
# - **Agreement** is the number of those asked who give the same letter. A missing answer agrees with nobody.
# - **AUROC2**: of a right and a wrong answer, how often the right one has more agreement, or more confidence. Ties count
#   one half. So one opinion, which is only yes or no, competes with a graded number.
# - **Intervals** are over questions only. Another list of others would give other values, and no interval here shows that.
#
# That agreement tells right from wrong is no law. Koriat asked the same of people: their confidence follows the answer
# that most people give, and it tells right from wrong only where most people are right, which he calls the
# **consensuality principle** {cite:p}`koriat2012consensuality`. Where most models share a mistake, their agreement
# would mislead in the same way.
#
# ## Is it the model, or the company it keeps?

# %%
second_opinions.says(
    "who_decides",
    "Who is asked decides. With any other model, agreement wins for {all_better} of {all_of} models. With others no more accurate than the model itself it wins for {weaker_better} of {weaker_of} and own confidence for {weaker_own_better}; with others about as accurate, for {equal_better} of {equal_of}.",
    "Another's answer tells more than own confidence for {all_better} of {all_of} models; for {weaker_better} of {weaker_of} with others no more accurate, and for {equal_better} of {equal_of} with others about as accurate.",
    holds=2 * n["weaker_better"] < n["weaker_own_better"] and 2 * n["equal_better"] > n["equal_of"],
)

# %%
second_opinions.says(
    "in_simulations",
    "**Could the list of others fake it?** Yes. We simulated models whose own confidence tells exactly as much as the answer of an equal. Asking all others, the page would say \"ask another\" of {simulated_weak} of {simulated_weak_of} weak models and \"ask itself\" of {simulated_strong} of {simulated_strong_of} strong ones. So who wins with any other is about this list of models, not about what models know of themselves. Asking only equals, it is wrong in {simulated_either} of {simulated_equal}; in {simulated_another} of these it favours the other model, as the head of this page does.",
    "In simulated models whose own confidence tells as much as an equal's answer, the rule with all others says that another tells more in {simulated_weak} of {simulated_weak_of} runs of a weak model, and that own confidence does in {simulated_strong} of {simulated_strong_of} of a strong one; with equals as others, either in {simulated_either} of {simulated_equal}.",
    holds=n["simulated_weak"] == n["simulated_weak_of"] and n["simulated_strong"] == n["simulated_strong_of"],
)

# %%
table(
    second_opinions.pools,
    *("others", "weights", "better_weights", "own_better_weights", "runs", "better", "own_better"),
    caption="For how many models, and runs, one other's answer tells more than own confidence, and for how many less, by who is asked: all of other makers, those no more accurate, or those whose accuracy is within .05. The mean over them counts; runs with fewer than three of them are left out. Of runs of the same weights, the one that answered most stands for the model.",
    titles={"others": "Who is asked", "weights": "Models", "better_weights": "Another tells more", "own_better_weights": "Own word does", "runs": "Runs", "better": "Another, of runs", "own_better": "Own word, of runs"},
)

# %% [markdown]
# ## If you ask the model: what does a line at .9 let through?
#
# An answer passes if the model states at least so much, and somebody looks at the rest. Shown is each maker's most
# accurate run, if it gets seven in ten of all questions right. A reply without an answer or a number does not pass.

# %%
stated_gate = run.result("stated_gate")
g = stated_gate.numbers()
stated_gate.says(
    "at_nine_tenths",
    "The same number means something different for each model. Where the most accurate models of {n_large} makers say that they are at least 90 % sure of an answer to a hard multiple-choice question, they are right {right_least:.0f} to {right_most:.0f} times in 100. They say so of {answered_least:.0f} to {answered_most:.0f} % of their answers.",
    "Where {n_large} models say that they are at least 90 % sure, they are right {right_least:.0f} to {right_most:.0f} times in 100; they say so of {answered_least:.0f} to {answered_most:.0f} % of their answers.",
    holds=g["right_most"] - g["right_least"] > 5,
)

# %%
stated_gate.says(
    "promised",
    "Nine in ten right can be promised for {promise_90_by} of them; 95 in 100 for {promise_95_by}, which then answer only {promise_95_least:.0f} to {promise_95_most:.0f} %; 98 in 100 for none.",
    "At most a tenth wrong can be promised for {promise_90_by} of them, a twentieth for {promise_95_by}, a fiftieth for {promise_98_by}.",
    holds=0 < g["promise_95_by"] <= g["promise_90_by"] and g["promise_98_by"] == 0,
)

# %%
table(
    stated_gate.thresholds[stated_gate.thresholds["large"]],
    *("model", "accuracy", "answered_80", "right_80", "answered_90", "right_90", "answered_95", "right_95", "answered_100", "right_100"),
    caption="What four lines let through: the share of all questions answered, and how much of that is right. Accuracy is of all questions. Intervals stand at the slider.",
    titles={"accuracy": "Right of all", "answered_80": "Answered from .80", "right_80": "Right of those from .80", "answered_90": "Answered from .90", "right_90": "Right of those from .90", "answered_95": "Answered from .95", "right_95": "Right of those from .95", "answered_100": "Answered at 1", "right_100": "Right of those at 1"},
    digits={"accuracy": 2, "answered_80": 2, "right_80": 2, "answered_90": 2, "right_90": 2, "answered_95": 2, "right_95": 2, "answered_100": 2, "right_100": 2},
    folded=True,
)

# %%
slider(
    stated_gate.places,
    along="threshold",
    value=["answered", "right_answered", "caught", "withheld"],
    groups=["model"],
    start="picked",
    begin=0.9,
    button="At most a tenth wrong",
    heads=("", "All questions"),
    caption="Any other line, with 95 % intervals over questions. The button leads to the lowest one that promises at most a tenth wrong, chosen on half of the questions by the rule of your own trials; where there is none, to the highest.",
    titles={"threshold": "Line on the stated number"},
)

# %%
table(
    stated_gate.promises[stated_gate.promises["threshold"] <= 1],
    *("model", "most_errors", "threshold", "coverage", "error_rate"),
    caption="Promises that can be made. Each line is chosen on one half of the questions, with 95 % confidence, and judged on the other; for models and shares that are not here there is none.",
    titles={"most_errors": "At most wrong", "threshold": "From", "coverage": "Passes", "error_rate": "Wrong of these"},
    digits={"most_errors": 2, "coverage": 2},
    folded=True,
)

# %%
stated_gate.says(
    "small_stated",
    "A small model's number is no gate. Where {n_small} runs of at most three billion parameters state .9 or more, {small_right_median:.0f} % of the answers are right (median), and {small_right_most:.0f} % in the best of them.",
    "Where {n_small} runs of at most three billion parameters state .9 or more, {small_right_median:.0f} % of the answers are right (median), {small_right_least:.0f} to {small_right_most:.0f} %.",
    holds=g["small_right_most"] < 80 and g["small_right_median"] < 60,
)

# %%
second_opinions.says(
    "replies",
    "In replies that reason before they answer, the stated number tells more than the mean probability of the reply's tokens, in {stated_better} of {n_replies} runs: AUROC2 {replies_stated:.2f} against {replies_tokens:.2f} (medians).",
    "In replies that reason before they answer, AUROC2 is {replies_stated:.2f} for the stated number and {replies_tokens:.2f} for the mean probability of the reply's tokens (medians of {n_replies} runs; the former is higher in {stated_better}).",
    holds=3 * n["stated_better"] > 2 * n["n_replies"],
)

# %% [markdown]
# ## How many others, and which?

# %%
lines(
    second_opinions.curve[second_opinions.curve["complete"]],
    x="k",
    value="auroc2",
    colour="way",
    interval=("low", "high"),
    log=True,
    reference=second_opinions.median_own,
    caption="Median AUROC2 over models, and the middle half of them (bands), by the number of other models asked (dashed: the median of their own stated confidence). The best others are chosen on other questions.",
    titles={"k": "other models asked", "auroc2": "AUROC2", "way": "what is used"},
    label="fig-frontier-others",
)

# %%
second_opinions.says(
    "small_models",
    "Four small models, drawn from {n_small} of at most eight billion parameters, tell more than own confidence for {weak_small} of the {weak_runs} least accurate runs, and for {strong_small} of the {strong_runs} most accurate. For {over_sixteen} runs, own confidence tells more than even sixteen others.",
    "Four small models tell more than own confidence for {weak_small} of the {weak_runs} least accurate runs, and for {strong_small} of the {strong_runs} most accurate; own confidence beats sixteen others for {over_sixteen} runs.",
    holds=2 * n["weak_small"] > n["weak_runs"] and 2 * n["strong_small"] < n["strong_runs"] and 0 < n["over_sixteen"] < 10,
)

# %% [markdown]
# Where better models check a weaker one, agreement comes close to an answer key; where weaker ones check a better one, a
# stranger's disagreement says less. That is not self-knowledge, but it is what an engineer meets.
#
# ## What it costs, and what it catches
# <!-- fold -->

# %%
second_opinions.says(
    "both_ways",
    "Use both: the model's number and whether one other agrees, weighed together, reach an AUROC2 of {with_one:.2f}. The number alone has {median_own:.2f}, one other alone {median_one:.2f} (medians over models, any other model).",
    "The model's number and whether one other agrees reach an AUROC2 of {with_one:.2f} together, the number alone {median_own:.2f}, one other alone {median_one:.2f}.",
    holds=n["with_one"] > max(n["median_own"], n["median_one"]) + 0.02,
)

# %%
second_opinions.says(
    "better",
    "If you have the better model, let it answer. Of all answers {right_all:.0f} % are right (median). Hold back the fifth that the model states least of, and of the rest {right_own:.0f} % are. Take the better of it and another instead, hold back nothing, and {right_better:.0f} % are. A perfect signal would come to {right_perfect:.0f} %.",
    "Of all answers {right_all:.0f} % are right (median); without the fifth that the model states least of, {right_own:.0f} %; of the better of it and another, with nothing held back, {right_better:.0f} %; with a perfect signal {right_perfect:.0f} %.",
    holds=n["right_all"] < n["right_own"] < n["right_better"] < n["right_perfect"],
)

# %%
second_opinions.says(
    "by_tone",
    "How sure a reply sounds to a judge that reads it has an AUROC2 of {tone_alone:.2f}, the number that it states {own_alone:.2f} (medians).",
    "AUROC2, in the median: {tone_alone:.2f} for how sure a reply sounds, {own_alone:.2f} for the number stated.",
    holds=n["tone_alone"] > n["own_alone"],
)

# %%
table(
    second_opinions.curve[second_opinions.curve["k"].isin([0, 1, 4, 16])],
    *("way", "k", "models", "auroc2", "caught_80", "right", "tokens"),
    caption="Medians over models: AUROC2; of the wrong answers, the share among the fifth of the replies that is trusted least; how much of the other four fifths, which pass, is right; tokens of the replies asked for, beyond the model's own and without reasoning that its service hides (a judge of tone reads every reply, which is not counted). In the last two rows nothing is held back.",
    titles={"way": "What is used", "k": "Others asked", "models": "Models", "auroc2": "AUROC2", "caught_80": "Errors in the fifth held back", "right": "Right of what passes", "tokens": "Tokens, hidden ones apart"},
    digits={"right": 2},
    folded=True,
)

# %% [markdown]
# ## By maker, and model by model
# <!-- fold -->

# %%
second_opinions.says(
    "by_maker",
    "One other model tells more than own confidence for most runs of {makers_most} of {makers} makers, and for no run of {makers_never}. Counting a reply without an answer as wrong changes {changed} of {n_models} runs.",
    "One other model tells more than own confidence for most runs of {makers_most} of {makers} makers. Counting a reply without an answer as wrong changes {changed} of {n_models} runs.",
    holds=n["makers_never"] != "none",
)

# %%
table(
    second_opinions.models,
    *("model", "family", "accuracy", "own", "one", "four", "sixteen", "together", "worth_said"),
    caption="AUROC2 by whom one asks, and how many second opinions the model's own word is worth.",
    titles={"own": "Own word", "one": "One other", "four": "Four", "sixteen": "Sixteen", "together": "All of it", "worth_said": "Own word is worth"},
)

# %% [markdown]
# ## In short

# %%
second_opinions.says(
    "in_short",
    "Is your model a middling one? Then put the question to another maker's model that is about as good, and trust an answer that both give. Is it among the very best? Then its own number is the better guide of the two, and both together, weighed on answers of yours, mostly a better one still. Can you pay for sixteen others? Their agreement tells more than either. And draw no line at a number before you have tried it on answers of your own.",
    "Where models are about as good, another's answer tells more for {equal_better} of {equal_of}.",
    holds=2 * n["equal_better"] > n["equal_of"] and 2 * n["top_own"] > n["top_of"] > 2 and n["median_sixteen"] > n["median_one"] > n["median_own"] and n["with_one"] > max(n["median_own"], n["median_one"]),
)

# %% [markdown]
# ## What would change your mind
#
# - Take questions that no other model knows, or on which all models have learnt the same mistake. Agreement would tell less
#   there than here. ([How far the key can be trusted](frontier-data.ipynb) asks the second.)
# - Take other models to ask. These are a list that somebody drew up, with many weak ones; better ones would be worth more.
# - Ask a model for its own word in another way. Here it is asked for in one way only, about questions with a key and up to
#   ten options.
