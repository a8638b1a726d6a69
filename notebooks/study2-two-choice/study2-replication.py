# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Do this book's models know when they decide rightly?

# %% tags=["parameters"]
profile = "default"
other = ""
d_prime = 1.0
m_ratio = 0.8
n_ratings = 5
half_width = 0.1
repetitions = 20
n_simulations = 2_000

# %%
from metacog.report import forest, lines, table
from metacog.studies import open_run

run = open_run("study2_two_choice", profile, other)
ratings = run.result("replication_ratings")
n = ratings.numbers()
ratings.says(
    "answer",
    "The number that these models state tells right from wrong in {rating_clear} of {rating_n} cases; the probability of "
    "their preferred option does in most.",
    "The number that these models state is shown to tell right from wrong in {rating_clear} of {rating_n} cases.",
    holds=4 * n["rating_clear"] < n["rating_n"] and 2 * n["p_preferred_clear"] > n["p_preferred_n"],
    head=True,
)

# %%
forest(
    ratings.signals,
    value="auroc2",
    rows="task_name",
    colour="read_from",
    panel="name",
    reference=0.5,
    caption="How often a right decision has more confidence than a wrong one (AUROC2), by signal, with 95 % intervals; "
    "the dashed line is chance. Look whether the digit that a model gives lies left of what its probabilities say.",
    label="fig-study2-replication-signals",
)

# %%
run.result("headline").again()

# %% [markdown]
# The [paper's two experiments](study2-overview.ipynb) on models that run on a laptop: decide between two alternatives
# and say how sure you are, and decide under a warning. Is a sentence negative or positive (task A), spoken or written
# (task B), whole or without some of its words (task C)? The sentences were written for this book.
#
# ## What was asked

# %%
asked = run.result("replication_asked")
asked.says(
    "came_back",
    "{n_usable:,} of {n_asked:,} answers came back in the form that was asked for.",
    "Only {n_usable:,} of {n_asked:,} answers came back in the form that was asked for, so little or nothing can be told below. "
    "Small models often cannot follow the paper's form; with `how: choose` in the profile they choose among given words.",
    holds=2 * asked.numbers()["n_usable"] > asked.numbers()["n_asked"],
)

# %% [markdown]
# ### The requests
# <!-- fold -->
#
# The first request of each task, as turns of a conversation. Under risk, the first turn has one more line: which of the
# two answers is punished if it is wrong. No confidence is asked for then. An answer is a closed choice (the
# probabilities of the allowed words are read, and one is drawn), unless JSON is asked for, as in the paper.

# %%
asked.text("prompts")

# %%
table(
    asked.cells,
    *("name", "task", "experiment", "risk", "asked", "usable", "repaired", "unparsed"),
    caption="What came back. Where a set was made harder, how hard was chosen on other sentences, which are in no "
    "analysis.",
    folded=True,
)

# %% [markdown]
# ## Stated and implied confidence
#
# A model that says "4" might have said "3" or "5" with nearly the same probability. So confidence can be read more
# finely: the **mean over the digits** 1 to 5, each weighted with its probability. And there is a signal that nobody
# asked for: the **probability of the decision**. Decisions are drawn; one drawn against the model's own preference
# carries a low probability and is more often wrong. So the **probability of the preferred option** is shown as well,
# and whether that option is right: neither depends on a draw.

# %%
ratings.says(
    "finer",
    "A case is a model on a task. The mean over the digits orders the same answers better than the digit in "
    "{expected_confidence_better} of {expected_confidence_n} cases and worse in none, the probability of the decision in "
    "{p_decision_better}. But of {wrong:,} wrong decisions {against} went against the model's own preference: that part "
    "is the luck of the draw.",
    "The mean over the digits orders the same answers better than the digit in {expected_confidence_better} of "
    "{expected_confidence_n} cases, the probability of the decision in {p_decision_better}. Of {wrong:,} wrong decisions "
    "{against} went against the model's own preference.",
    holds=n["expected_confidence_worse"] == n["p_decision_worse"] == 0 < n["against"],
)

# %%
posterior = run.result("replication_posterior")
posterior.says(
    "ratios",
    "The M-ratio can be judged in {n_judged} of {n_cells} cases, and is practically less than one in {n_less}. In "
    "{n_zero} of these it may be 0: decisions beat chance, and confidence is not shown to use anything of what decides.",
    "The M-ratio can be judged in {n_judged} of {n_cells} cases, and is practically less than one in {n_less}.",
    holds=posterior.numbers()["n_zero"] > 0,
)

# %%
table(
    posterior.cells,
    *("task", "name", "d_prime", "m_ratio", "judged"),
    digits={"d_prime": 2, "m_ratio": 2},
    caption="The M-ratio by the paper's Bayesian model. It cannot be judged where more than 1 % of the draws have a d' "
    "below 0.1. Where d' is larger, an M-ratio about 0 is a finding.",
    empty="No cell has decisions and ratings from which anything can be estimated.",
    folded=True,
)

# %%
run.result("replication_compared").says(
    "apart",
    "By AUROC2 of the number stated, {models_apart} of {models_of} pairs of models and {tasks_apart} of {tasks_of} pairs "
    "of tasks differ (by Holm's method, all pairs of a kind together).",
)

# %%
posterior.says(
    "pairs_apart",
    "By the paper's rule, each pair by itself, {m_ratio_apart} of {m_ratio_of} pairs differ in the M-ratio by more than "
    "is negligible, and {d_prime_apart} of {d_prime_of} in $d'$.",
)

# %%
titles = {"within": "Within", "pair": "Pair", "difference": "Difference", "decision": "Says"}
pairs = posterior.pairs
table(
    pairs.replace({"measure": {"m_ratio": "log M-ratio", "d_prime": "d'"}}),
    *("measure", "within", "pair", "difference", "decision"),
    interval={"difference": ("lower", "upper")},
    titles=titles | {"measure": "Measure"},
    digits={"difference": 2},
    caption="Models on a task, and tasks within a model, compared by the paper's rule with 95 % intervals.",
    empty="There are no two cells to compare.",
    folded=True,
)

# %% [markdown]
# ### Right answers by confidence
# <!-- fold -->
#
# The counterpart of the [paper's first figure](study2-overview.ipynb), for the models of this run. A confidence given
# fewer than ten times is left out.

# %%
lines(
    ratings.accuracy[ratings.accuracy["shown"].isin([True])],
    x="confidence",
    value="right",
    colour="name",
    panel="task_name",
    interval=("lower", "upper"),
    reference=0.5,
    titles={"confidence": "confidence stated", "right": "share right"},
    caption="Share right at each confidence, with 95 % intervals; the dashed line is guessing.",
    label="fig-study2-replication-accuracy",
)

# %% [markdown]
# ### Does it matter how one asks?
# <!-- fold -->
#
# The paper proposes other forms: sentences in batches, one prompt or two, another scale of confidence, another
# temperature. All are settings of a profile (`batch`, `how`, `scale`, `temperature`). For the last two,
# {glue:text}`asking_forms_n_sentences` sentences of each task were asked in each form. Measures and the rule were fixed
# before, in `benchmarks/two_choice_forms.py`. The run was ended by hand for want of time, before an answer was looked at:
# so there are few sentences, and batches and one prompt are not compared.
# **Bias** is the mean of confidence less the share right, where the lowest digit stands for a guess (one half) and the
# highest for certainty. How much a model thinks (its effort) can be set where it can be set at all; these models do not
# think.

# %%
forms = run.result("asking_forms")
forms.glue()
f = forms.numbers()
forms.says(
    "changed",
    "No form changes the share right; AUROC2 changes in {auroc2_changed} of {auroc2_of} comparisons, the bias in "
    "{bias_changed}. Where both forms of each sentence are swapped by chance there is nothing to find, and the rule still "
    "finds a difference in {by_chance:.1f} % of the cases, in one comparison in {by_chance_most:.0f} %.",
    "The share right changes in {accuracy_changed} of {accuracy_of} comparisons, AUROC2 in {auroc2_changed}, the bias in "
    "{bias_changed}; forms that are swapped by chance differ in {by_chance:.1f} % of the cases.",
    holds=f["accuracy_changed"] == 0 and f["by_chance_most"] > 10,
)

# %%
forest(
    forms.changes,
    value="difference",
    rows="form",
    colour="name",
    panel="measure",
    interval=("difference_lower", "difference_upper"),
    reference=0,
    titles={"difference": "change"},
    caption="What each form changes (with it, less without), with 95 % intervals from resampled sentences. Look whether a mark lies off the line.",
    label="fig-study2-replication-forms",
)

# %%
table(
    forms.cells,
    *("name", "form", "n", "unread", "accuracy", "auroc2", "bias"),
    titles={"form": "Form", "unread": "Not readable", "bias": "Bias"},
    digits={"accuracy": 2, "auroc2": 2, "bias": 2},
    caption="Each model in each form, over the three tasks.",
    folded=True,
)

# %% [markdown]
# ## What does a warning do?
#
# A model that heeds a warning moves its **criterion** $c$, which says what answer it favours, away from the punished
# answer, and leaves its **$d'$** alone. Above 0 it gives the first answer more readily, below 0 the second.

# %%
risk = run.result("replication_risk")
r = risk.numbers()
risk.says(
    "heeded",
    "No model is shown to heed a warning. One that does makes the criterion climb from the first warning to the second; it "
    "climbs beyond chance in none of {n_ends} cases, and $d'$ differs in none of {n_of_d} pairs of instructions.",
    "From the first warning to the second the criterion climbs beyond chance in {n_heeded} of {n_ends} cases, and falls in "
    "{n_reversed}; $d'$ differs in {n_d_differs} of {n_of_d} pairs of instructions.",
    holds=r["n_heeded"] == r["n_reversed"] == r["n_d_differs"] == 0,
)

# %%
forest(
    risk.cells,
    value="c",
    rows="task_name",
    colour="warned",
    panel="name",
    reference=0,
    titles={"c": "criterion c"},
    caption="The criterion under three instructions, with 95 % intervals. A model that heeds warnings lies furthest left "
    "when warned of the first answer. A mark without an interval rests on what is added to every count.",
    label="fig-study2-replication-criterion",
)

# %% [markdown]
# To ask [a model of your own](../book/new-model.md), set how many sentences it is asked about in the block
# `study2_two_choice` of `config/profiles/default.yaml`.
#
# ## How many trials does it take?
# <!-- fold -->
#
# A ratio of two estimates needs more data than either. Invent an observer whose $d'$ and meta-$d'$ are known, let it
# answer, fit its answers with the code that fits the models, and see how far the estimates fall from the truth. The
# paper did this for one observer ($d'$ 3.2, meta-$d'$ 3), with 20 repetitions. Here are the same observer and a second
# one, whose $d'$, M-ratio, number of ratings and wanted half-width are the parameters of this page. Half the width
# takes about four times as many trials.

# %%
sizes = run.result(
    "sample_size",
    d_prime=d_prime,
    m_ratio=m_ratio,
    n_ratings=n_ratings,
    half_width=half_width,
    repetitions=repetitions,
    n_simulations=n_simulations,
)
sizes.says(
    "needed",
    "For an M-ratio interval of half-width {half_width:g} it takes {of_paper:,} trials of the paper's observer, and "
    "{of_second:,} of the second.",
)

# %%
lines(
    sizes.spread,
    x="n_trials",
    value="m_ratio_half",
    colour="observer",
    reference=half_width,
    log=True,
    limits=(0, 1.5),
    titles={"m_ratio_half": "half-width of M-ratio"},
    caption="Expected half-width of the 95 % interval of the M-ratio; the dashed line is the wanted one.",
    label="fig-study2-half-width",
)

# %%
forest(
    sizes.single[sizes.single["observer"] == sizes.spread["observer"].iloc[0]],
    value=["d_prime", "meta_d"],
    rows="n_trials",
    beside=True,
    inline=True,
    reference={"d_prime": 3.2, "meta_d": 3},
    titles={"n_trials": "trials"},
    caption="The paper's figure S3: the repetitions of its simulated observer at each number of trials. The dashed lines "
    "are the truth. Here sentences are drawn anew each time, so d' varies too; in the paper the answers are fixed.",
    label="fig-study2-repetitions",
)

# %% [markdown]
# The more often a model is right, the larger its $d'$: use the second column to find its row. Near chance, no affordable
# number of trials makes the ratio precise.

# %%
table(
    sizes.grid,
    "d_prime",
    "accuracy",
    "at_0.5",
    "at_0.8",
    "at_1",
    titles={"accuracy": "Share right", "at_0.5": "M-ratio 0.5", "at_0.8": "M-ratio 0.8"},
    digits={"d_prime": 1, "accuracy": 2, "at_0.5": 0, "at_0.8": 0},
    caption="Trials for the wanted half-width of the M-ratio, by observer.",
)

# %%
table(
    sizes.reached.query("accuracy == 0.75"),
    *("part", "n_trials", "measure", "half_width", "floor"),
    titles={"part": "Set of this run"},
    caption="What the sets of this run can reach with three of four answers right: the half-width to expect, and the "
    "least value that would not too often look like none.",
    empty="Sets of this size were not simulated (benchmarks/reference_sizes.py does it).",
)

# %% [markdown]
# For another observer, run this page with other parameters, or use
# `metacog power --measure m_ratio --value 0.8 --d-prime 1 --ratings 10 --half-width 0.1`.
#
# ## What would change your mind
#
# - Ask more sentences, or word them otherwise. If the interval of $d'$ then leaves out 0, the model can do the task after all.
# - If with more sentences the AUROC2 of a signal came to lie above 0.5 with its whole interval, or no longer did, we would
#   judge that signal anew.
# - If a model's criterion climbed by more than its interval between the two warnings, we would say that it heeds them.
# - If your own trials gave a much wider interval than the one promised here, we would have asked for too few trials.
