# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The probe on this book's models: does confidence follow what they know?

# %% tags=["parameters"]
profile = "default"
other = ""
verdicts = True

# %%
from metacog.report import dots, forest, matrix, table
from metacog.studies import open_run

run = open_run("study4_probe", profile, other)
replication = run.result("replication", verdicts=verdicts)
replication.glue()
n = replication.numbers()
sure = replication.says(
    "sure_and_wrong",
    "Asked for a confidence out of 100, they stated 80 or more for {sure} of their {wrong} wrong answers.",
    "None of their answers with a confidence out of 100 was wrong.",
    holds=n["wrong"] > 0,
)

# %%
replication.says(
    "answer",
    "From {items} questions it cannot be told: no model is shown to be surer where it is right.",
    "Stated confidence is shown to go with being right in {follows} of {n_judged} models, and against it in {against}.",
    holds=n["follows"] == n["against"] == 0 < n["n_judged"],
    head=True,
    note=sure,
)

# %%
dots(
    replication.agreement.query("task == 'T1_CC'").drop_duplicates(["model", "question_id", "agreement", "stated"]),
    x="agreement",
    y="stated",
    colour="correct",
    panel="model",
    limits=(0, 10.5),
    titles={"agreement": "share of further replies with the same answer", "stated": "confidence out of 10"},
    caption="Confidence out of 10, a dot for each question, against how often the answer came back when it was asked again. "
    "A model that knew how firmly it holds an answer would climb from lower left to upper right.",
    label="fig-study4-replication-steady",
)

# %%
table(
    replication.audit.query("task == 'T4-CR'").head(12),
    *("model", "question", "answer", "right", "stated"),
    titles={"stated": "Confidence out of 100"},
    digits={"stated": 0},
    caption="Questions from trivial to obscure, what was answered, and how sure the model said it was.",
    empty="Confidence out of 100 was not asked for.",
    folded=True,
)

# %% [markdown]
# The probe {cite:p}`oliveira2026probe` asks a model to answer and say how sure it is, out of 10 and out of 100; to find
# the flaw in an argument; to say what it cannot know; and to find the false step in a chain of reasoning. The paper's
# items are not public, so 78 were written for this project, and no score here can be compared with [the
# paper's](study4-overview.ipynb). This run asked {glue:text}`replication_n_items` of them, once each; the reply is the
# most probable one.
#
# ## What is asked
#
# Of each task the first item that the first model got wrong, or the first if it got none wrong. First the two tasks that
# ask for a confidence.

# %%
replication.says(
    "asking",
    "Two worked replies stand between the instruction and the item.",
    "Nothing stands between the instruction and the item. A model too small to keep to the form gets two worked replies where "
    "`examples: true` stands in the block `study4_probe` of its profile.",
    holds=replication.examples_shown,
)

# %%
replication.text("requests")

# %% [markdown]
# ## The other three tasks
# <!-- fold -->

# %%
replication.text("other_requests")

# %% [markdown]
# ## Five scores
# <!-- fold -->

# %%
forest(
    replication.profile,
    value="score",
    rows="task",
    colour="model",
    interval=("lower", "upper"),
    limits=(-2, 102),
    titles={"score": "score out of 100"},
    caption="The five scores, with 95 % intervals over items. Confidence out of 10 that knows nothing scores 50. Look how "
    "wide the intervals are: ten or twenty items say little.",
    label="fig-study4-replication-profile",
)

# %%
replication.says(
    "failures",
    "The form failed in {unread} of {replies} replies, most often in those of {least_read}.",
    "The form failed in none of {replies} replies.",
    holds=n["unread"] > 0,
)

# %% [markdown]
# Without an answer there is no point, and a confidence that is missing counts as the middle of its scale. The paper's
# second rule for the limits of knowledge gives a point where a model says that it can answer and does, or says that it
# cannot and does not. Its composite of 15 slots counts every task three times: here, the scored reply and two of those
# that were asked for again.

# %%
means = {"of_four": "Mean without limits of knowledge", "of_five": "Mean of five", "of_slots": "Mean with retests"}
rules = {"slots": "Slots of 15", "key_rule": "Limits of knowledge by its key", "knows_rule": "By the second rule"}
table(
    replication.composites,
    *["model", *means, *rules],
    titles={**means, **rules},
    digits={**dict.fromkeys([*means, "key_rule", "knows_rule"], 1), "slots": 0},
    caption="Means of the scores, and the limits of knowledge by both rules of the paper.",
)

# %% [markdown]
# ## Is confidence about the answer at all?
#
# An answer that a model holds comes back when it is asked again; a guess does not. So items with a confidence were asked
# {glue:text}`replication_resamples` times more, at a higher temperature (the figure at the head). The other half of this
# test needs no second answer. **Decoding entropy** is how torn a model is between words when it writes its answer: minus
# the log-probability per token, over {glue:text}`replication_items_draws` draws at temperature 1.

# %%
items = run.result("replication_items", verdicts=verdicts)
items.glue()
matrix(
    items.claims,
    rows="claim",
    columns="model",
    value="answer",
    why="why",
    caption="What each model shows; point at a cell for the reason. The rules stand below.",
)

# %% [markdown]
# The paper's main finding is a model that is first on one scale and last on the other. But the two scores ask for
# different things: out of 10 only for the order of confidence, out of 100 for its size. So both are compared by one
# measure, **AUROC2**, the chance that a right answer has more confidence than a wrong one. Even then the questions
# differ: a difference is a reason to look at the items, no proof of two kinds of self-knowledge.
#
# ## Decoding entropy
# <!-- fold -->

# %%
dots(
    items.drawn.query("task == 'T4_CR'").drop_duplicates(["model", "question_id", "entropy", "stated"]),
    x="entropy",
    y="stated",
    colour="correct",
    panel="model",
    limits=(0, 105),
    titles={"entropy": "decoding entropy, nats per token", "stated": "confidence out of 100"},
    caption="Confidence out of 100 against decoding entropy, a dot for each question. A model whose number follows its own "
    "doubt goes from upper left to lower right.",
    label="fig-study4-replication-entropy",
)

# %% [markdown]
# ## Rank correlation, and a gate at 80
# <!-- fold -->
#
# The paper checks confidence out of 10 by its rank correlation with being right, and corrects for the number of models: $p$
# has to be at most the level divided by it (Bonferroni). The printed models had other questions.

# %%
forest(
    replication.ranks,
    value="rho",
    rows="model",
    colour="whose",
    interval=("lower", "upper"),
    reference=0,
    titles={"rho": "rank correlation with being right", "whose": ""},
    caption="Rank correlation of confidence with being right, with 95 % intervals. Look which intervals leave 0 out.",
    label="fig-study4-replication-ranks",
)

# %%
table(
    replication.ranks.query("level.notna()"),
    *("model", "n", "rho", "p", "level", "why"),
    titles={"n": "Items", "rho": "Rank correlation", "p": "p", "level": "p has to reach", "why": "Why not"},
    interval={"rho": ("lower", "upper")},
    digits={"rho": 2, "p": 3, "level": 4},
    caption="The tests of this book's models, by permutation.",
    empty="Confidence out of 10 was not asked for.",
)

# %% [markdown]
# A gate hands an answer to a person where confidence lies below a cut, in the paper 80 of 100. It is worth something
# where it hands on the wrong answers and keeps the right ones.

# %%
table(
    replication.gate,
    titles={"wrong": "Wrong", "caught": "of them handed on", "right": "Right", "held": "of them handed on"},
    digits=dict.fromkeys(["wrong", "caught", "right", "held"], 0),
    caption="Answers below the gate, at 80 of 100 or 8 of 10, or without a confidence.",
    empty="No task with a confidence was asked.",
)

# %% [markdown]
# ## How do they state confidence?
# <!-- fold -->
#
# A model may say 100 whatever it is asked, or choose between two numbers. That is a description, not a fault: a model
# that is right throughout does well to be constant.

# %%
items.text("strategy_rule")

# %%
table(
    items.strategies,
    *("model", "task", "items", "stated", "values", "commonest", "strategy"),
    titles={"stated": "Stated", "commonest": "Share of the commonest"},
    digits={"stated": 0, "commonest": 2},
    caption="How confidence was stated.",
    empty="No task with a confidence was asked.",
)

# %% [markdown]
# ## Where the points go
# <!-- fold -->
#
# Confidence out of 100 is scored by a Brier score minus two penalties, for confidence that hardly moves ([the
# rule](study4-overview.ipynb)). Where they begin is drawn by a hash of the items' version and the panel's name, and was
# written into the run's manifest before the first question: here $\sigma_T =$ {glue:text}`replication_sigma_t:.0f` and
# $R_T =$ {glue:text}`replication_range_t:.0f`. Three terms {cite:p}`murphy1973` make up the Brier score: *uncertainty*,
# lost by anybody who states the share of right answers throughout; *miscalibration*; and *resolution*, gained where
# answers of one confidence are right more often than those of another, whichever is the surer.

# %%
table(
    items.murphy,
    *("model", "right", "loss", "uncertainty", "reliability", "resolution"),
    titles={"right": "Right, %", "loss": "Points lost", "reliability": "Miscalibration"},
    digits={"right": 0, "loss": 1, "uncertainty": 1, "reliability": 1, "resolution": 1},
    caption="Points lost: uncertainty and miscalibration less resolution. Look which is the largest.",
    empty="Confidence out of 100 was not asked for.",
)

# %%
spread = {"sd": "Standard deviation", "spread": "Range", "flat": "Off for the first", "narrow": "Off for the second"}
table(
    items.murphy,
    *["model", *spread, "score"],
    titles={**spread, "score": "Score"},
    digits=dict.fromkeys([*spread, "score"], 1),
    caption="How far confidence out of 100 moves, and what is taken off where it does not.",
)

# %%
ranges = {"range_low": "Range 48", "range_mid": "Range 50", "range_high": "Range 52"}
table(
    replication.sweep,
    *["model", "sigma_t", *ranges],
    titles={"sigma_t": "Deviation", **ranges},
    digits={"sigma_t": 0, **dict.fromkeys(ranges, 1)},
    caption="The score at the nine pairs of thresholds that could have been drawn.",
    folded=True,
)

# %% [markdown]
# ## The models as a panel
# <!-- fold -->
#
# What [the paper computes of its eight models](study4-overview.ipynb), of this book's: how tasks go together over models,
# and what stays when one family is left out.

# %%
components = {"task": "Task", "c1": "First component", "c2": "Second component"}
few = "Fewer than six models: no components."
table(items.loadings, *components, titles=components, empty=few, caption="How each task loads on two components.")

# %%
families = {"left_out": "Left out", "n": "Models", "leader": "Highest mean", "r": "Confidence out of 10 with flaws"}
figures = {"alpha": "Cronbach's alpha of the tasks", "share": "Two components, %", "cosine": "Cosine"}
families = families | figures | {"cosine_by_task": "Cosine less tasks' means", "why": "Why not"}
table(
    items.lineages,
    *families,
    titles=families,
    digits={"share": 1, **dict.fromkeys(["r", "alpha", "cosine", "cosine_by_task"], 2)},
    caption="This run's models whole, and without each family.",
    empty=items.lineages_refused,
)

# %%
compared = {"benchmark": "Benchmark", "status": "Scores", "n": "Models", "rho": "Rank correlation"}
table(
    items.benchmarks,
    *compared,
    titles=compared,
    digits={"n": 0, "rho": 2},
    interval={"rho": ("lower", "upper")},
    caption="Does the mean of four tasks rank the models as benchmarks do? 95 % intervals over models.",
    empty=items.no_benchmarks,
)

# %% [markdown]
# ## The rules
# <!-- fold -->
#
# What the rows of the matrix ask. $p$ is the share of arrangements of the confidences over the items that agree as closely
# as the model's own. T1-CC is confidence out of 10, T4-CR confidence out of 100.

# %%
replication.rules("calibration", "steadiness", "dissociation")

# %%
items.rules("entropy")

# %% [markdown]
# ## What would change your mind

# %%
replication.says(
    "settling",
    "More than {items} questions: it takes about {needed} answers to tell an AUROC2 of 0.6 from chance in four of five runs. "
    "No number of them would do for {stuck}, whose confidence out of 10 never varies or was not read.",
    "More than {items} questions, of a model whose confidence out of 10 varies.",
    holds=n["stuck"] != "none",
)

# %% [markdown]
# Another form of asking could change it too. Worked replies, which the setting `examples` shows before an item or leaves out,
# teach small models the form, and may lend them their confidence. Where they are shown and the same few numbers return again
# and again, these are probably the examples'. The items were written by a language model and answered blind by another, so errors that both share are possible. If
# you add items, make a new version of `data/questions/probe-v1.jsonl`; a validator checks it against the plan of the tasks.
