# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 3: can self-knowledge be measured apart from ability?

# %% tags=["parameters"]
profile = "default"
n_trials = 400
d_prime = 1.5
m_ratio = 0.7
seed = 42

# %%
from metacog.report import forest, lines, matrix, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study3_dmc", profile)
flat = run.result("decoupling")
flat.glue()
moved = flat.numbers()
flat.says(
    "head",
    "Nearly, for the observers it supposes: ability alone moves it by at most {most_moved:.0f} % of its range, and "
    "common measures by {least_moved:.0f} % or more.",
    "In simulations ability alone moves the paper's measure or the M-ratio by up to {most_moved:.0f} % of its range, the "
    "others by {least_moved:.0f} % or more.",
    holds=(moved["most_moved"] < 10) & (moved["least_moved"] > 30),
    head=True,
    rule="answer",
)

# %%
forest(
    flat.moves,
    value="moved",
    rows="name",
    colour="kind_name", reference=0,
    titles={"moved": "moved by ability, as a share of the range", "name": "measure"},
    caption="How far each measure moves when only the ability of a simulated observer changes, with infinitely many "
    "trials. A measure's range is what lies, at the ability in the middle, between ratings at random and ratings that "
    "use all that the decision used; at 1 ability moves it as far as all self-knowledge would. Colours say what of its "
    "self-knowledge is held fixed.",
    label="fig-study3-decoupling",
)

# %% [markdown]
# **The question.** A capable model is right more often, so it is easier to be confident of. Can its ability to foresee
# its own errors be measured with that ability taken out?
#
# **What the paper did** {cite:p}`wang2025dmc`. It asked GPT-3.5 for confidence in six ways on eight data sets, GPT-4 and
# Llama 2 in three of them, and proposed a measure, **DMC** (decoupling metacognition from cognition). DMC divides how well confidence tells right
# from wrong by how well the answers do. The paper argues that it stays the same over data sets, and so is about
# metacognition alone, and that it goes with knowing when to abstain. That models hallucinate for want of metacognition is
# its premise, which it does not test. It publishes [its program](https://github.com/Angelo3357/DMC), no trials and no
# counts.
#
# **What this book adds.** The measure next to the [M-ratio](study2-overview.ipynb) that it resembles, what the printed
# tables let us check, and [nine ways to ask](study3-replication.ipynb) models of its own.

# %% [markdown]
# ## What the paper found, and what holds of it
#
# A figure that is *found again* says that the paper computed what it says, not that the measure is sound.

# %%
shared = open_run("shared", profile)
findings = shared.result("findings")
findings.text("study 3")

# %%
shown = {"finding": "What the paper says", "where": "Where", "printed": "Printed", "recomputed": "Computed again", "outcome": "Its figures", "page": "More"}
table(linked(findings.findings.query("study == 'study 3'"), "page"), *shown, titles=shown, caption="Each finding of the paper, next to what its figures give when they are computed again.")

# %% [markdown]
# ## What the measure computes
#
# A question has two options, **A** and **B**; the model picks one and says how sure it is. Confidence is cut into
# four ratings: bins of equal width over the range observed for this model, data set and way of asking. The **counts
# matrix** has four rows: answered A and right (TA), A and wrong (FA), B and right (TB), B and wrong (FB).
#
# 1. **Ability** is the plain $d'$ of the answers, here $\hat d = z(\text{TB rate}) - z(\text{FB rate})$, with its
#    criterion $c_0$.
# 2. **Metacognitive ability** is $d^*$. Each row of the matrix is divided by its sum. Two bell curves a distance
#    of $d^*$ apart predict these shares as areas between confidence axes, given the answer; $d^*$ and the axes are
#    chosen so that the squared distance to the rows is smallest. $c_0$ stays where it was.
# 3. **MC** (metacognitive capability) is $d^*/\hat d$: of what the answers show that the model can distinguish, the
#    share that its confidence reveals.
#
# The M-ratio {cite:p}`maniscalco2012` asks the same of the same counts. Two things differ. Maximum likelihood gives
# each *trial* the same weight; DMC gives each *row* the same weight, however few trials it rests on. And maximum
# likelihood lets the criterion move with meta-$d'$; DMC does not.
#
# ## What stays flat when only ability changes?
#
# Simulated observers change in ability and in nothing else. But *nothing else* has no single meaning, so
# three are tried: the M-ratio itself is held fixed; confidence reads the evidence through noise of fixed size; a fixed
# share of ratings is drawn at random. Each has {glue:text}`decoupling_abilities` abilities from $d'$ =
# {glue:text}`decoupling_lowest` to {glue:text}`decoupling_highest`. The other measures are those of
# [an earlier page](measures.ipynb).
#
# The paper compares measures by their **coefficient of variation**: the standard deviation over data sets divided by the
# mean. It hangs on where a scale has its zero: AUROC2 minus one half orders observers as AUROC2 does and always has the
# larger coefficient. So each measure's movement is set here against what self-knowledge moves it, which
# is the same on any scale.
#
# All three kinds of observer decide by two bell curves of equal width. Where people or models do otherwise,
# [the M-ratio still moves with $d'$](which-measure.ipynb).
#
# ### The paper's figure 1: coupled and decoupled
# <!-- fold -->
#
# The paper pictures an easy and a hard task. A measure of failure prediction falls from one to the other although the
# model's self-knowledge is the same; its own measure should not. Here are both, for the simulated observers.

# %%
lines(
    flat.along,
    x="d_prime",
    value="value",
    colour="name",
    panel="kind_name",
    titles={"d_prime": "ability d', from hard to easy tasks", "value": "measure"},
    caption="AUROC2 and the paper's measure as only ability changes. A flat line tells self-knowledge from ability.",
    label="fig-study3-along",
)

# %% [markdown]
# ## Where the measure and the M-ratio part
#
# {glue:text}`estimators_simulations:,` tables of simulated trials went through each estimator.

# %%
one = run.result("estimators", n_trials=n_trials, d_prime=d_prime, m_ratio=m_ratio, seed=seed)
one.glue()

# %%
lines(
    one.designs.query("factor == 'n_trials'"),
    x="n_trials",
    value="bias",
    colour="name",
    reference=0,
    log=True,
    titles={"bias": "bias of the ratio"},
    caption="Mean estimate minus the true ratio by number of trials, with two Monte-Carlo standard errors. The released variant is the authors' "
    "program, which never lets the ratio exceed 1.",
    label="fig-study3-estimators",
)

# %% [markdown]
# ### One table, worked through
# <!-- fold -->
#
# A simulated observer with $d'$ = {glue:text}`estimators_d_prime` and a true ratio of
# {glue:text}`estimators_ratio` answered {glue:text}`estimators_trials:,` questions, {glue:text}`estimators_wrong`
# of them wrongly. Compare the estimates with one another rather than with the truth: another `seed` moves them all.

# %%
table(
    one.fits,
    *("name", "ability", "meta", "ratio"),
    titles={"meta": "d* or meta-d'", "name": "Estimator"},
    caption="The same counts through each estimator.",
)

# %% [markdown]
# The paper's figure 3 draws this as a flow: questions, answers with a confidence, the counts matrix, ability from its
# sums, what confidence reveals from its rows, and their ratio. The counts matrix of these questions:

# %%
matrix(
    one.counts,
    rows="answer",
    columns="rating",
    value="n",
    titles={"answer": "Answer"},
    caption="Answers by what was said, whether it was right, and the rating of confidence.",
)

# %% [markdown]
# And its figure 2, with what is fitted to them: two bell curves with the axis on which the model decides; then curves
# closer together, which give these ratings, with the axes on which confidence rises.

# %%
lines(
    one.curves,
    x="evidence",
    value="height",
    colour="line",
    panel="panel",
    points=False,
    titles={"evidence": "evidence for B", "height": "how often"},
    caption="Left, the model of the answers; right, the model of the confidence with the same decision axis. The closer "
    "together the curves on the right are than those on the left, the less confidence reveals.",
    label="fig-study3-curves",
)

# %%
matrix(
    one.designs.query("factor == 'usage' and n_trials == 100"),
    rows="usage",
    columns="name",
    value="bias",
    titles={"usage": "Ratings used"},
    caption="Bias of the ratio with 100 trials, by how the ratings are used.",
)

# %% [markdown]
# Four notes on the equations. The paper prints "arg max" before a loss that must be minimised; it is minimised here.
# It demands that accuracy rise with the rating, which two bell curves of equal width give by themselves once $d^* > 0$.
# The fit starts, as in the paper, at the measured ability and at axes read off the ratings, and again elsewhere where it is
# hard. And the sums that weight equation 21 are all 1 after equation 19: how often the model is right cancels.
#
# ## What the printed tables let us check
#
# No cell can be recomputed without counts. What can be are the figures that follow from cells: averages, coefficients
# of variation and the statistics of the text. Each is allowed half a unit of its last digit and what chance rounding
# of the cells can do.

# %%
published = run.result("published")
published.glue()
found = published.numbers()
published.says(
    "agreement",
    "Of {n_printed} printed averages, coefficients and statistics {n_follow} follow from the cells beside them. But the claim that the measure is flat rests on {n_flat} coefficients, and only {flat_follow} of those follow.",
    "Of {n_printed} printed averages, coefficients and statistics {n_follow} follow from the cells beside them; of the {n_flat} coefficients on flatness, {flat_follow}.",
    holds=2 * found["flat_follow"] < found["n_flat"],
)

# %%
table(
    published.figures[published.figures["agrees"].isin([False])],
    *("item", "quantity", "published", "value", "rounding"),
    titles={"item": "Model and way of asking", "published": "Printed"},
    digits={"published": 4},
    caption="Printed figures that do not follow.",
    empty="Every one follows.",
    folded=True,
)

# %%
published.says(
    "auroc",
    "For {n_above} of the {n_ways} ways of asking, the printed coefficient of AUROC is larger than {largest_cv:.3f}. Eight values between a coin's one half and a perfect 1 cannot vary so much, so some AUROC lies below a coin's, or the coefficient is off.",
    "The largest coefficient that eight values between one half and 1 can have is {largest_cv:.3f}; {n_above} of {n_ways} printed ones exceed it.",
    holds=found["n_above"] > 0,
)

# %%
one.says(
    "needed",
    "Could the measure vary as little as is printed, {lowest_cv:g} to {highest_cv:g}, by chance alone? Each question set would need some {fewest_needed:,.0f} to {most_needed:,.0f} independent trials; how many it had is not published.",
    holds=one.numbers()["fewest_needed"] > 100,
)

# %% [markdown]
# ## Models that this book asked
#
# Small models were asked for their confidence in [nine ways](study3-replication.ipynb).
#
# ## What would change your mind
#
# - We would prefer DMC to the M-ratio if it erred less for some use of ratings and lost nothing elsewhere.
# - We would no longer call either flat if there were a kind of observer, of an efficiency that anyone would call fixed,
#   whose M-ratio and MC move as much as its AUROC2 does.
# - We would trust the printed tables if the counts behind them were published and gave them.
