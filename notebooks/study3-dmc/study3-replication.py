# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Which way of asking shows what a model knows of itself?

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.report import forest, matrix, table
from metacog.studies import open_run

run = open_run("study3_dmc", profile, other)
signals = run.result("signals")
signals.glue()
n = signals.numbers()
signals.says(
    "head",
    "Three of four small models know something of their errors. Asking back whether an answer is right ranks highest, in the "
    "largest of them.",
    "{n_known} of {n_models} models are shown to know something of their errors.",
    holds=(n["n_known"], n["n_models"], n["best_way"]) == (3, 4, "P(True)") and "1.5B" in n["best_model"],
    head=True,
    rule="answer",
)

# %%
forest(
    signals.pooled,
    value="auroc2",
    rows="name",
    colour="model",
    reference=0.5,
    sort=True,
    titles={"name": "way of asking"},
    caption="How often a right answer has more confidence than a wrong one (AUROC2), with 95 % intervals over "
    "questions; the dashed line is chance. Look whether one way leads in every model. One that failed is not testable.",
    label="fig-study3-signals",
)

# %%
run.result("headline").again()

# %% [markdown]
# Before self-knowledge can be measured, confidence must be elicited. The paper {cite:p}`wang2025dmc` compares six ways
# in GPT-3.5, and three of them in GPT-4 and Llama 2 too; three more are added here.
#
# - **Verbalised.** The model states a number: at once (*vanilla*), after a sentence of reasoning (*CoT*, chain of
#   thought), or for each of its guesses (*top-k*).
# - **Consistency.** The model answers several times, and confidence is how often it says the same: to one question
#   (*self-random*), to several wordings (*perturbing*), or with remarks that lead astray (*misleading*).
# - **Read off the model.** The probability of the chosen option; *P(True)*, the probability of "yes" when asked
#   whether the answer is right {cite:p}`kadavath2022`; and *decoding entropy*, how widely its answers scatter.
#
# Each question has the right answer and one wrong one. Small models often fail to write a number, so the verbalised
# ways are asked twice: *written*, as in the paper, and *scored*, where every digit of a scale gets a probability.
#
# ## A first question of this run, and what follows it
# <!-- fold -->
#
# The paper pairs the right answer with every wrong one and asks each pair in both orders. The profile `paper` does the
# same, True and False included, which takes six requests where there are four options. The profile
# `default` asks one pair once, in one order, and puts the right answer first in every other question. The temperature is
# the paper's: 0.1, and 0.7 where a model is asked several times.

# %%
asked = run.result("ways_asked")
asked.text("example")

# %% [markdown]
# ## What came back
# <!-- fold -->
#
# A signal that hardly varies, or that could be read from fewer than {glue:text}`signals_least_parsed:.0%` of the
# replies, is not ranked.

# %%
table(
    signals.pooled,
    *("model", "name", "asked", "parsed", "accuracy", "overconfidence", "auroc2", "calls", "why"),
    titles={"name": "Way of asking", "why": "Not testable because"},
    digits={"overconfidence": 2},
    caption="Every way of asking: what came back, how it ranks, and how many calls one answer takes. Confidence minus "
    "accuracy is overconfidence where it lies above 0; the paper blames it for what stated confidence lacks.",
    folded=True,
)

# %% [markdown]
# Asked for a letter, a model may say A whatever A is. So the right option comes first in every other question.

# %%
table(
    signals.positions,
    *("model", "n", "first", "bias", "accuracy"),
    interval={"bias": ("lower", "upper")},
    titles={"first": "A chosen", "bias": "Preference for A"},
    digits={"first": 2, "bias": 2, "accuracy": 2},
    caption="Asked by letters: 1 always chooses A, -1 always chooses B, 0 has no preference.",
    folded=True,
)

# %% [markdown]
# ## The paper's four questions
#
# Does the [paper's measure](study3-overview.ipynb) stay the same over question sets? Which way of asking shows more
# self-knowledge? Which model has more? Does it go with knowing when to abstain?

# %%
replication = run.result("replication")
replication.glue()
matrix(
    replication.questions.drop_duplicates(["claim", "model"]),
    rows="claim",
    columns="model",
    value="answer",
    why="why",
    titles={"claim": "What is asked"},
    caption="How many of the comparisons that can be made show it; point at a cell for the rest. The measure is looked "
    "for on every set, by every way of asking.",
)

# %%
table(
    replication.questions[replication.questions["claim"] == replication.questions["claim"].iloc[0]],
    *("model", "answer", "why"),
    titles={"answer": "Has the measure", "why": "Where not, and why"},
    caption="Where the paper's measure can be computed.",
    folded=True,
)

# %% [markdown]
# ### Where the measure is undefined
# <!-- fold -->
#
# The measure divides by ability, so it is undefined where the 95 % interval of ability reaches 0, where an answer was
# never right or never wrong, or where the constant that is added to every count decides the result. A coefficient of
# variation over question sets needs at least two of them; as the paper does, it compares measures whose
# [scales have their zeros in different places](study3-overview.ipynb). Ways and models are compared on the questions that
# both were asked, and a pair counts where its difference is shown when all pairs are judged together.

# %% [markdown]
# ## The paper's tables 1 to 3
# <!-- fold -->
#
# Tables 2 and 3 print the measure of GPT-3.5 by six ways of asking, and of three models by three. The paper reads from
# them that agreement among repeated answers shows more than a stated number (its second question), and that GPT-4
# stands above GPT-3.5, and that above Llama 2, however they are asked (its third). Here is the same for this run; the
# intervals of the print reach from the lowest to the highest of eight question sets.

# %%
printed = run.result("published")
own = replication.cells.query("dataset == 'all sets' and form != 'written'")
own = own[own["name"].isin(printed.ways["name"])]

# %%
forest(
    own,
    value="mc",
    rows="name",
    colour="model",
    limits=(0, 4),
    titles={"mc": "MC, the paper's measure"},
    caption="The paper's measure by model and way of asking, all sets together, with 95 % intervals over questions; the "
    "axis cuts the widest.",
    label="fig-study3-ways",
)

# %%
ways = printed.ways
forest(
    ways.assign(printed=True),
    value="mc",
    rows="name",
    colour="model",
    hollow="printed",
    titles={"mc": "MC, the paper's measure, as printed"},
    caption="As printed: averages over eight question sets, from the lowest to the highest of them.",
    label="fig-study3-ways-printed",
)

# %%
table(
    replication.cells,
    *("model", "name", "dataset", "n", "accuracy", "d_hat", "mc", "m_ratio", "why_ratio"),
    titles={"name": "Way of asking", "dataset": "Set"},
    caption="Ability, the paper's measure and the M-ratio by model, way of asking and question set.",
    folded=True,
)

# %% [markdown]
# Table 1 prints how much each measure varies over sets: its coefficient of variation (the paper's first question). A
# coefficient of two or three sets is mostly chance. ECE has the bias of chance taken off here, which the paper does not
# say of its own. It stands in the table and in no comparison: by how much it still lies above 0 depends on the number of
# trials too.

# %%
varying = replication.variations
table(
    varying.replace({"measure_name": {"ECE": "ECE, debiased"}}),
    *("model", "name", "measure_name", "cv", "why"),
    interval={"cv": ("lower", "upper")},
    titles={"name": "Way of asking", "measure_name": "Measure", "why": "Why not"},
    caption="Coefficient of variation over the question sets of this run, with 95 % intervals.",
    folded=True,
)

# %%
matrix(
    printed.variations,
    rows="name",
    columns="measure_name",
    value="cv",
    titles={"name": "GPT-3.5, way of asking"},
    caption="As printed, over eight question sets.",
)

# %% [markdown]
# ## Does it help to abstain?
#
# A model that knows when it is wrong can decline to answer. It answers where confidence reaches a threshold, chosen
# on one half of the questions and judged on the other. Two strategies need no confidence at all: answering
# everything, and answering nothing. **Gain** is the share of decisions that were right (answered and right, or
# abstained and wrong) minus that of the better of these two. ([The page on using a confidence](study1-use.ipynb) counts
# only the errors among what is answered, so its gains are larger.)

# %%
replication.says(
    "gains",
    "Abstaining by confidence beats the better of answering all and none in none of {n_ways} ways of asking a model; it "
    "loses in {n_lose}.",
    "Of {n_ways} ways of asking a model, abstaining by confidence beats the better of answering all and none in {n_gain}, "
    "and loses in {n_lose}.",
    holds=replication.numbers()["n_gain"] == 0,
)

# %%
forest(
    replication.abstained,
    value="gain",
    rows="name",
    colour="model",
    reference=0,
    sort=True,
    titles={"gain": "gain in the share of right decisions", "name": "way of asking"},
    caption="What abstaining by confidence gains over the better of answering everything and answering nothing, with "
    "95 % intervals; right of the dashed line it helps.",
    label="fig-study3-abstain",
)

# %% [markdown]
# ### The paper's figure 4
# <!-- fold -->
#
# The paper's fourth question is whether a model that knows itself also knows when to abstain (the task AbstainQA). It
# draws the measure beside the share of right decisions among all (A-Acc) and among those answered (R-Acc), for three
# models and three ways of asking, says that the three lines run alike, and prints no number. The same for this run:

# %%
forest(
    replication.grid.query("dataset == 'all sets'"),
    value=["mc", "r_acc", "a_acc"],
    rows="name",
    colour="model",
    beside=True,
    titles={"mc": "MC, the paper's measure", "r_acc": "R-Acc", "a_acc": "A-Acc", "name": "way of asking"},
    caption="The measure and both shares, with 95 % intervals. Where they go together, models stand in the same order in "
    "each.",
    label="fig-study3-figure-4",
)

# %%
table(
    replication.relations,
    *(["run"] if other else []),
    *("measure_name", "share", "n", "rho"),
    interval={"rho": ("lower", "upper")},
    titles={"share": "Share of right decisions", "n": "Ways of a model", "rho": "Spearman's rho"},
    caption="Whether a measure goes with knowing when to abstain: by the share of all decisions (A-Acc) and of those "
    "answered (R-Acc) that are right. It takes five ways of asking. One counts where each half of the "
    "questions has the measure, so fewer count here than have it on all questions.",
    folded=True,
)

# %% [markdown]
# ## How the measures are computed
# <!-- fold -->
#
# Ability ($\hat d$), the paper's measure (MC) and the M-ratio by maximum likelihood from the same counts, in
# {glue:text}`replication_ratings` ratings of equal width over the confidence observed. Intervals resample questions
# {glue:text}`replication_resamples:,` times. Fewer than {glue:text}`replication_least_trials` trials, or fewer than
# {glue:text}`replication_least_of_a_kind` right or wrong ones, give accuracy alone.

# %% [markdown]
# ## What would change your mind
#
# - Ask more questions. If intervals of two ways of asking came to overlap, or no longer did, their order would be another.
# - Ask a larger model. A signal can only reveal what the model knows about itself, so one that is at chance here may do
#   better there.
# - We would call the paper's measure flatter than the rest if the coefficients of variation over the same sets had intervals
#   that do not overlap.
