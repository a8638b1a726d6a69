# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Study 4: do the probe's printed figures agree with one another?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("study4_probe", profile)
audit = run.result("published")
audit.glue()
follows = audit.record.sweep["follows"]
audit.says(
    "head",
    "No: the paper prints nine scores for one model beside its twelve answers, and only one of the nine follows from them.",
    "The paper prints scores for one model beside its twelve answers; the figure shows which of the scores follow.",
    holds=(follows.size == 9) & (follows.sum() == 1),
    head=True,
    rule="answer",
)

# %%
forest(
    audit.sweep,
    value=["score", "printed"],
    rows="thresholds",
    inline=True,
    titles={"": "score out of 100", "score": "from its twelve printed answers", "printed": "printed"},
    caption="Gemini 2.5 Flash's score for its confidence out of 100, at nine pairs of thresholds. Look how little the "
    "thresholds move what its answers give, and how far the printed scores move.",
    label="fig-study4-sweep",
)

# %% [markdown]
# **The question.** Is there one ability to know one's limits, or are calibration, vigilance against flaws, and
# knowledge of what cannot be answered different things?
#
# **What the paper did** {cite:p}`oliveira2026probe`. Eight large models answered 78 items in five tasks, and
# {glue:text}`published_people` people answered {glue:text}`published_people_items` of them each. Every task is scored
# from 0 to 100:
#
# - **Confidence out of 10** (the paper's T1-CC): 24 questions with a number for an answer. The score is
#   $50\,(r + 1)$, where $r$ is the correlation of confidence with being right.
# - **Flaws in arguments** (T2-EV): 20 arguments and sources. Is the flaw found and named?
# - **Limits of knowledge** (T3-KB): 10 questions, some without an answer. Does the model say so, and why?
# - **Confidence out of 100** (T4-CR): 12 questions, scored by the rule below.
# - **False steps** (T5-RCV): 12 chains of reasoning. Is the false step found?
#
# **What this book adds.** The answers of the eight models were not published, so no score can be recounted. But printed
# figures have to agree with one another, such as a score with the twelve answers printed next to it. One that does not
# follow is no proof of an error: it may rest on data that are not printed.

# %% [markdown]
# ## What the paper found, and what holds of it
#
# A figure that is *found again* says that the paper computed what it says, not that the measure is sound.

# %%
shared = open_run("shared", profile)
findings = shared.result("findings")
findings.text("study 4")

# %%
shown = {"finding": "What the paper says", "where": "Where", "printed": "Printed", "recomputed": "Computed again", "outcome": "Its figures", "page": "More"}
table(linked(findings.findings.query("study == 'study 4'"), "page"), *shown, titles=shown, caption="Each finding of the paper, next to what its figures give when they are computed again.")

# %% [markdown]
# ## One model's confidence, item by item
#
# The paper's most striking finding is a model that is best at confidence out of 10 and worst at confidence out of 100.

# %%
n = audit.numbers()
audit.says(
    "gap",
    "Gemini 2.5 Flash has {flash_ten:.0f} for confidence out of 10, the best of eight models, and {flash_hundred:.0f} out of 100, the worst: {flash_gap:.0f} points apart. Over nine pairs of thresholds the paper prints gaps of {printed_least:.0f} to {printed_most:.0f}. Its twelve answers give {gap_least:.1f} to {gap_most:.1f}, whatever the thresholds.",
    "Gemini 2.5 Flash has {flash_ten:.0f} for confidence out of 10 and {flash_hundred:.0f} out of 100. The paper prints gaps of {printed_least:.0f} to {printed_most:.0f}; the twelve answers give {gap_least:.1f} to {gap_most:.1f}.",
    holds=n["furthest"] and n["first_and_last"] and n["gap_most"] - n["gap_least"] < 2,
)

# %% [markdown]
# A mean over tasks hides such a model, which is the paper's point. On the second scale it says 100 nearly always. Its
# twelve answers are printed. The rule is
#
# $$\begin{aligned}
# \text{brier} &= 100\,\Bigl(1 - \tfrac1n\sum_i (p_i - y_i)^2\Bigr), \\
# \text{score} &= \max\bigl(0,\ \text{brier} \\
# &\qquad {}- 20\max(0, 1 - s/\sigma_T) \\
# &\qquad {}- 10\max(0, 1 - R/R_T)\bigr),
# \end{aligned}$$
#
# with confidence $p_i$ (as a share), $y_i = 1$ for a right answer, and the standard deviation $s$ and the range $R$ of
# confidence in percent. With the middle thresholds, $\sigma_T = 10$ and $R_T = 50$, the twelve answers give
# {glue:text}`published_flash_score:.1f`. Without penalties they give {glue:text}`published_flash_brier:.1f`; the
# printed value is {glue:text}`published_flash_brier_printed:.0f`.
#
# The penalties ask whether confidence moves at all. Here its standard deviation is
# {glue:text}`published_flash_sd:.1f` points, far below any threshold of the paper's band (section E.3). So it can hardly matter which threshold is taken: the score lies between
# {glue:text}`published_flash_low:.1f` and {glue:text}`published_flash_high:.1f`.
#
# The paper's own table of the nine scores has another model's, too, and the gap to confidence out of 10:

# %%
nine = {"thresholds": "Thresholds", "printed": "Printed", "score": "From its answers", "gap_printed": "Gap, printed", "sonnet_printed": "Claude Sonnet 4.6, printed"}
table(
    audit.sweep,
    *nine,
    titles=nine,
    digits={**dict.fromkeys(nine, 0), "score": 1},
    caption="Scores at nine pairs of thresholds, as printed and from the twelve answers.",
    folded=True,
)

# %% [markdown]
# Three other models are said to have given the same confidence throughout. Then both penalties apply in full,
# {glue:text}`published_whole_penalty:.0f` points, and only a few sets of answers can lead to the printed score.

# %%
table(
    audit.constant,
    *("model", "score", "right_at_100", "right", "most"),
    titles={"right_at_100": "Right, if all at 100", "right": "Right, as printed", "most": "Most with so many right"},
    digits={"score": 0, "right_at_100": 0, "right": 0, "most": 1},
    caption="How many of twelve answers must be right for the printed score, and how many are printed as right. Look "
    "where so many, at one confidence, cannot give the score.",
)

# %% [markdown]
# Two of the four wrong answers of Gemini 2.5 Flash are right to a reader: the paper's rule wanted another form of the
# name. With these counted as right, its score is {glue:text}`published_flash_known:.1f`, still far from its score for
# confidence out of 10.

# %%
table(
    audit.answers,
    *("question", "answer", "marked", "stated"),
    titles={"question": "Question", "answer": "Answer", "marked": "Marked", "stated": "Confidence"},
    digits={"stated": 0},
    caption="Twelve questions, what Gemini 2.5 Flash answered, and how sure it said it was, as printed.",
    folded=True,
)

# %% [markdown]
# ## How many items?
# <!-- fold -->
#
# Whether a correlation differs from 0 depends on how many items it rests on, and printed intervals and p-values reveal
# how many there were.

# %%
audit.says(
    "test_sizes",
    "The task has {n_items_of_task} items, and {n_p} of the {n_tests} printed p-values are those of {n_items_of_task}. By Fisher's formula the printed intervals are not: those of {n_sizes_ci} models belong to {sizes_ci} items. (Other formulas for rank correlations are a little wider, and would give one item more.)",
    "Of {n_tests} printed p-values {n_p} are those of {n_items_of_task} items; the intervals of {n_sizes_ci} models fit {sizes_ci} items.",
    holds=(n["sizes_ci"] != "none") & (n["sizes_ci"] != str(n["n_items_of_task"])),
)

# %%
tests = audit.tests
forest(
    tests.assign(again=tests["rho"]),
    value=["again", "rho"],
    rows="model",
    interval={"again": ("lower_24", "upper_24"), "rho": ("lower", "upper")},
    reference=0,
    titles={"": "rank correlation of confidence out of 10 with being right", "again": "of 24 items", "rho": "printed"},
    caption="Does confidence follow being right? The printed rank correlations with their printed 95 % intervals, and with "
    "those that 24 items give. Look at the lengths: the printed ones are longer throughout.",
    label="fig-study4-tests",
)

# %%
table(
    tests,
    *("model", "rho", "p", "p_24"),
    interval={"rho": ("lower", "upper")},
    titles={"rho": "Rank correlation, printed", "p": "p, printed", "p_24": "p of 24 items"},
    digits={"rho": 3, "p": 3, "p_24": 4},
    caption="The paper's table 4. Corrected for their number, p has to reach 0.05 divided by the number of models.",
    folded=True,
)

# %% [markdown]
# ## Which model is good at which benchmark?
# <!-- fold -->
#
# The paper compares its composite with five public benchmarks. The models' scores on them are not printed, but the rank
# correlation of each *task* with each benchmark is, to three decimals. Eight models can be ordered in
# {glue:text}`published_orders:,` ways, ties included. Only orders that give all five correlations can be the benchmark's.

# %%
audit.says(
    "external_orders",
    "For {n_single} of the {n_benchmarks} benchmarks one order alone gives all five correlations. By these orders the {best_composite} has the correlation that is printed of the composite, but for {odd_benchmark}: {odd_printed:.3f} is printed, {odd_again:.3f} comes out.",
    "For {n_single} of {n_benchmarks} benchmarks one order alone gives all five correlations; the {best_composite} then has the printed correlation in {n_best}.",
    holds=(n["n_best"] == n["n_single"] - 1) & (n["odd_benchmark"] != ""),
)

# %%
forest(
    audit.external,
    value=["printed", "composite_15_slot", "mean_T1_T2_T4_T5"],
    rows=["benchmark", "scores"],
    inline=True,
    interval={"printed": ("lower", "upper")},
    reference=0,
    titles={"": "rank correlation", "composite_15_slot": "composite of 15 slots", "mean_T1_T2_T4_T5": "mean of four tasks"},
    caption="Rank correlation of the paper's composite with each benchmark: as printed, with the interval of eight models, "
    "and computed again with two composites. Look which of the two lies on the printed mark.",
    label="fig-study4-external",
)

# %% [markdown]
# The composite's correlation was not used to find the orders. Where it comes out to three decimals all the same, that
# speaks for the order and for the composite. It does not speak for the measure: on four of the benchmarks the paper
# filled in missing scores from sibling models, so that models of one family must agree. Only on MMLU are all scores said
# to be published ones.

# %%
table(
    audit.rankings,
    caption="Places of the models on each benchmark, as the printed correlations fix them.",
    folded=True,
)

# %%
table(
    audit.by_task,
    caption="Rank correlation of each task with each benchmark, as printed: the orders were found from them.",
    folded=True,
)

# %% [markdown]
# ## The people

# %%
audit.says(
    "who",
    "{people} volunteers without pay answered {people_items} of the items each; {people_degree} % have a degree, {people_stem} % come from science or engineering, {people_daily} % use AI every day. By the usual formulas, though, the printed intervals are those of {people_behind} people.",
    "{people} volunteers answered {people_items} of the items each.",
    holds=n["people_behind"] != "",
)

# %%
shown = {"hypothesis": "Hypothesis", "threshold": "Holds if", "value": "Printed", "verdict": "The paper says", "behind": "People that its interval fits"}
table(audit.hypotheses, *shown, titles=shown, digits={"value": 3}, interval={"value": ("lower", "upper")}, caption="Three hypotheses on the people, fixed before they were asked.")

# %% [markdown]
# The second was the one on which a claim of stages of development hung. The paper gives that claim up.
#
# How alike people answered is told by two figures: how often two of them are both right, or both wrong, on an item, and
# Krippendorff's alpha {cite:p}`krippendorff2004`, which takes off what chance agrees on. The paper calls these people
# raters, but nobody judged anybody's answers here: what is compared is who was right on what. Such an alpha is high
# where some items are hard for everybody and others easy. The paper explains its low alphas by rubrics that people read
# in different ways, and not by unsteady models. But such an alpha says nothing of how well answers are marked, nor of how
# steady a model is. ([How to run your own panel](rater-precision.ipynb).)

# %%
forest(
    audit.reliability,
    value=["agreement", "alpha"],
    rows="task",
    beside=True,
    reference={"agreement": audit.bar_agreement, "alpha": audit.bar_alpha},
    titles={"agreement": "agreement", "alpha": "Krippendorff's alpha"},
    caption="How alike people answered each task, as printed. Dashed: what the paper asks for. Look how many tasks lie to "
    "the right of both lines.",
    label="fig-study4-people",
)

# %%
told = {"claim": "What is printed", "printed": "Printed", "recomputed": "From other printed figures", "outcome": "Outcome"}
table(audit.told[audit.told["people"]], *told, titles=told, caption="What the paper prints of the people.", folded=True)

# %% [markdown]
# ## One ability, or several?
# <!-- fold -->
#
# Models of one family share data and recipe, so eight are fewer than eight independent ones.

# %%
panel = run.result("published_panel")
panel.says(
    "rank_agreement",
    "Eight models cannot tell. Of {n_pairs} pairs of tasks, {n_alone} rank the models alike, or opposite, when each pair is judged alone; judged together, none does.",
    "Of {n_pairs} pairs of tasks {n_together} rank the models alike, or opposite, beyond chance when all are judged together.",
    holds=panel.numbers()["n_together"] == 0,
)

# %%
forest(
    panel.ranks,
    value="tau",
    rows="pair",
    interval=("lower", "upper"),
    reference=0,
    titles={"tau": "Kendall's tau-b"},
    caption="How alike two tasks rank the eight models, with 95 % intervals: 1 the same order, -1 the opposite one; at the "
    "dashed line one says nothing of the other. Look how wide the intervals of eight models are.",
    label="fig-study4-ranks",
)

# %% [markdown]
# The first two principal components of the five scores carry {glue:text}`published_share:.1f` percent of the variance.
# The paper reads the first as monitoring across tasks, the second as monitoring within one. With eight models a loading is
# known to about $1/\sqrt 8$, {glue:text}`published_loading_error:.2f`.

# %%
table(
    audit.loadings,
    *("task", "c1_printed", "c1", "c2_printed", "c2"),
    titles={"task": "Task", "c1_printed": "First, printed", "c1": "First", "c2_printed": "Second, printed", "c2": "Second"},
    caption="How each task loads on the first two components: printed, and from the printed scores.",
)

# %%
table(
    audit.eigenvalues,
    *("component", "printed", "eigenvalue"),
    titles={"component": "Component", "printed": "Printed", "eigenvalue": "From the printed scores"},
    digits={"component": 0, "printed": 2},
    caption="Eigenvalues of the five components.",
    folded=True,
)

# %% [markdown]
# The **cosine** of two profiles is 1 if they have the same shape. All scores are positive and of similar size, so the raw
# cosine is near 1 whatever the models do. If each task's mean is subtracted first, the $n$ profiles sum to 0, and their
# mean cosine must lie near $-1/(n-1)$, again whatever the models do. The paper prints
# {glue:text}`published_cosine_printed:.2f` for all eight.
#
# What of the panel stays when one family of models is left out?

# %%
who = {"left_out": "Left out", "n": "Models", "leader": "Highest mean", "r": "Confidence out of 10 with flaws"}
families = who | {"alpha": "Cronbach's alpha of the tasks", "share": "Two components, %", "c1": "First component as before"}
cosines = {"cosine": "Cosine", "cosine_by_task": "Cosine less tasks' means", "cosine_by_model": "Cosine less models' means"}
table(
    panel.lineages,
    *[*families, *cosines],
    titles={**families, **cosines},
    digits={"share": 1, **dict.fromkeys(["r", "alpha", "c1", *cosines], 2)},
    caption="The printed panel whole, and without each family. Look whether the correlation of two tasks keeps its size. Fewer "
    "than six models have no figures.",
)

# %% [markdown]
# ## Scores, profiles and versions
# <!-- fold -->
#
# The paper does not claim that the first of its models is better than the second: asking again can move scores by as much.

# %%
audit.says(
    "versions",
    "Three days apart, the eight models were scored with two versions of the task on flaws, 60 and 61. That moves the mean of four tasks by up to {moved_points:.1f} points, so the task by up to {moved_task:.0f} (the paper says {moved_printed}), and {n_moved} of {n_models} models to another place. {led_before} led with the first, {leads_now} leads with the second, by {lead} points.",
    "Between two versions of one task the mean of four moves by up to {moved_points:.1f} points, and {n_moved} of {n_models} models to another place.",
    holds=(n["n_moved"] > 0) & (n["led_before"] != n["leads_now"]),
)

# %%
scores = {"mean_T1_T2_T4_T5": "Mean of four", "mean_T1_T5": "Mean of five", "composite_15_slot": "15 slots", "v60": "Mean of four, version 60"}
table(
    audit.leaderboard,
    *("model", "T1_CC", "T2_EV", "T3_KB", "T4_CR", "T5_RCV", *scores),
    titles=scores,
    digits={"mean_T1_T5": 1, "mean_T1_T2_T4_T5": 2, "composite_15_slot": 2, "v60": 2},
    caption="The printed scores of the eight models, and their means. The last two columns are as printed: the composite adds "
    "ten slots in which tasks were run again, the last takes another version of one task.",
)

# %%
elsewhere = ["C.2.1", "5.4"]
table(audit.told.query("not people and section not in @elsewhere"), *told, titles=told, caption="What the paper's text prints of the models.", folded=True)

# %% [markdown]
# ## What each task measures, and what weakens it
# <!-- fold -->
#
# **Two senses of metacognition.** In the strict sense, stated confidence is held against a model's own inner certainty: how
# steadily it gives an answer, or how torn it is between words. In the behavioural sense it is held against being right.
# The paper measures the second alone; [this book's run](study4-replication.ipynb) measures both.
#
# | Task | What it isolates | Strictly read | What weakens it |
# | --- | --- | --- | --- |
# | Confidence out of 10 | whether confidence is higher on the items that are right | a stand-in for resolution | it orders answers, and knows nothing of the size of confidence |
# | Flaws in arguments | judging claims and sources of others | accuracy, without confidence | another version moves the order of the models |
# | Limits of knowledge | telling what is known from what is not | the nearest to the strict sense | its items were replaced, and most do not tell models apart; no headline rests on it |
# | Confidence out of 100 | whether confidence moves with difficulty | a whole Brier score, less penalties | the penalties have fixed thresholds |
# | False steps | inspecting reasoning | accuracy, without confidence | people agree no better than by chance |
#
# ## What the paper says against itself
# <!-- fold -->
#
# - **Plan.** It was written before people were asked, but deposited only afterwards. The paper names three departures:
#   the items on limits of knowledge were replaced, since their scores followed one benchmark; rubrics of two tasks were
#   refined on the way; the thresholds of the penalties were set when the scores were known. A longer form of the first
#   task was dropped.
# - **Fairness.** A fixed threshold takes points from four models and none from the other four. The paper defends it: a gate
#   in use has a fixed threshold, too. Thresholds that go with the kind of model are left for later.
# - **Why a correlation.** Calibration error needs bins, for which one task has too few items. So confidence out of 10 is
#   scored by a correlation, and only confidence out of 100 by a Brier score.
# - **Why the gap holds though people disagree.** The low agreement on confidence out of 10 touches one leg of the gap. The
#   other rests on twelve numbers and a formula.
# - **Why it may be.** Training on feedback may teach confidence within a task and not across tasks. The paper calls this a
#   hypothesis made after the fact; one model with the opposite profile speaks against it.
# - **Withdrawn.** An earlier draft had a larger gap, of another model, with older versions of the tasks.
# - **Validity.** The paper goes by Messick's list. *Content*: the tasks cover part of what is meant. *Structure*: it rests
#   on eight models of about five families. *Other measures*: the one benchmark whose scores were all published does not
#   correlate beyond doubt. *Consequences*: see *Use* below. *How answers come about*: left for later work.
# - **Items.** Retests repeat the same items. Only one model is examined item by item.
# - **People.** Volunteers with degrees, most of whom use AI daily, stand for no population. They gave consent, stayed
#   anonymous and could withdraw; the paper says that its procedure was judged exempt, as a questionnaire of minimal risk.
# - **Use.** Who hands answers to a person where confidence is low never sees the errors of a model that is always sure.
# - **What would undo it.** The confidence of Gemini 2.5 Flash moves on other questions, or twenty models turn out to have
#   much the same profile.
#
# ## This book's models
#
# Whether their confidence follows what they know is asked [on its own page](study4-replication.ipynb); they are small,
# and 24 items are few.
#
# ## What would change your mind
#
# If the models' answers were published, every score could be computed again, and we would take back whatever follows from
# them. Rows of this study in [the ledger](ledger.ipynb) that have the status *needs data* name which answers it takes.
