# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Which measure should I report?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import lines, matrix, table
from metacog.studies import open_run

run = open_run("study8_people", profile)
which = run.result("which_measure")
which.glue()
n = which.numbers()
which.says(
    "answer",
    "None serves every purpose: AUROC2 comes back best, but rises with easier questions; whether M-ratio does is not settled, and it needs hundreds of trials.",
    "From one half of a person's trials to the other AUROC2 comes back with {auroc2_half_100:.2f} and M-ratio with {m_ratio_half_100:.2f}.",
    holds=n["first_half_100"] == n["first_half_400"] == "auroc2" and n["auroc2_easier_lower"] > 0.2 and abs(n["m_ratio_easier"]) < 0.2 and n["m_ratio_easier_lower"] < 0 < n["m_ratio_easier_upper"] and n["m_ratio_half_100_upper"] < 0.5,
    head=True,
)

# %%
caption = (
    "Real people, but for the last column. Again, and next session: how much of the difference between people comes back (1: all; "
    "0.7 is enough). Easier questions, other cuts of confidence: by how much the same people move, in standard deviations between "
    "people as measured, so that a noisy measure seems to move less (0.2 is little). Spoiled: the fall when a quarter of the ratings is replaced by chance. Power: how often an M-ratio of 0.6 is told from 0.8 in "
    "simulations (0.8 is enough). Green: enough; orange: not; no colour: the 95 % interval holds both."
)
matrix(which.cells, rows="measure", columns="asked", value="value", why="why", good="good", caption=caption)

# %% [markdown]
# Many measures say how well confidence tells right answers from wrong ones. [The measures](measures.ipynb) shows what each
# one sees on one table. Here ten of them are tried on {glue:text}`which_measure_people_half_50:,` people in
# {glue:text}`which_measure_sets_half_50:d` studies and tasks of the Confidence Database {cite:p}`rahnev2020`, each with a choice
# between two and a rating of confidence. A good measure gives the same person the same number again, stays where it is when
# only the questions get easier, and falls when the ratings get worse.
#
# ## How many trials until a number comes back?

# %%
shown = which.halves[which.halves["measure"].isin(["auroc2", "gamma", "meta_i2r", "meta_d", "m_ratio"])]
lines(
    shown,
    x="trials",
    value="agreement",
    colour="measure",
    log=True,
    caption="How much of the difference between people of a study comes back in another half of their trials (intraclass correlation; 1 is all), by the trials in each half. Bands: 95 % over studies, where there are five or more.",
    titles={"agreement": "Comes back", "trials": "Trials in each half"},
    label="fig-which-measure-halves",
)

# %%
which.says(
    "come_back",
    "At 100 trials a half even the best measure brings back only {most_half_100:.2f}. At 400 it is {auroc2_half_400:.2f} for AUROC2 and {m_ratio_half_400:.2f} for M-ratio, in {sets_half_400} studies. The later points are other studies than the first: few ask people so much. Some of what comes back in AUROC2 is skill: who answers better also has the higher AUROC2.",
    "At 100 trials a half the best measure brings back {most_half_100:.2f}; at 400, AUROC2 {auroc2_half_400:.2f} and M-ratio {m_ratio_half_400:.2f}, in {sets_half_400} studies.",
    holds=n["most_half_100"] < 0.7 and n["auroc2_half_400"] > n["m_ratio_half_400"],
)

# %%
which.says(
    "sessions",
    "In the next session less comes back: {auroc2_sessions:.2f} for AUROC2, where the same trials dealt out at random give {auroc2_dealt:.2f}; {m_ratio_sessions:.2f} and {m_ratio_dealt:.2f} for M-ratio. So most of the loss is the noise of few trials, and less because people change ({sets_sessions} studies, {people_sessions} people).",
    "In the next session {auroc2_sessions:.2f} comes back for AUROC2, with the same trials dealt out at random {auroc2_dealt:.2f}; for M-ratio {m_ratio_sessions:.2f} and {m_ratio_dealt:.2f}.",
    holds=n["auroc2_lost_lower"] > 0 and n["auroc2_lost"] < (1 - n["auroc2_sessions"]) / 2 and n["m_ratio_lost"] < (1 - n["m_ratio_sessions"]) / 2,
)

# %% [markdown]
# ## One person

# %%
which.says(
    "person",
    "**AUROC2, beside the share right.** It comes back best at every number of trials, and an M-ratio of one person from 100 trials is mostly chance ({m_ratio_half_100:.2f} comes back). Say both numbers: a high AUROC2 may only mean easy questions. *What would change this:* M-ratio coming back with 0.7 from 200 trials; now it is {m_ratio_half_200:.2f}.",
    "From 100 trials, {auroc2_half_100:.2f} of AUROC2 comes back and {m_ratio_half_100:.2f} of M-ratio; from 200, {auroc2_half_200:.2f} and {m_ratio_half_200:.2f}. Neither is recommended by rule.",
    holds=n["first_half_100"] == n["first_half_400"] == "auroc2" and n["m_ratio_half_100"] < 0.5 and n["m_ratio_half_200_upper"] < 0.7,
)

# %% [markdown]
# ## A group

# %%
which.says(
    "group",
    "**M-ratio, averaged over people,** where difficulty differs between groups. From harder to easier questions it moves by {m_ratio_easier:+.2f} standard deviations ({m_ratio_easier_lower:+.2f} to {m_ratio_easier_upper:+.2f}), AUROC2 by {auroc2_easier:+.2f}, meta-d' - d' by {m_diff_easier:+.2f}. Only {unmoved} move by less than 0.2, and larger moves are not ruled out. Many people average out what one person's few trials cannot; a hierarchical fit of the group does it in one step. *What would change this:* more studies that show M-ratio to move by half a standard deviation.",
    "From harder to easier questions M-ratio moves by {m_ratio_easier:+.2f} standard deviations ({m_ratio_easier_lower:+.2f} to {m_ratio_easier_upper:+.2f}), AUROC2 by {auroc2_easier:+.2f}. Of {n_measures} measures, {n_unmoved} are not seen to move by 0.2.",
    holds=0 < n["n_unmoved"] < 4 and "M-ratio" in n["unmoved"] and n["auroc2_easier_lower"] > 0.2 and n["m_diff_easier_upper"] < 0,
)

# %% [markdown]
# ## A model

# %%
which.says(
    "model",
    "**M-ratio where the model chooses between two, from 1,000 trials on,** with its interval, and on the same questions as what it is compared with, since [mixed difficulty raises it](what-is-normal.ipynb). Tables of 200 trials from one published model spread by {m_ratio_spread_200:.2f} (standard deviation), of 1,000 by {m_ratio_spread_1000:.2f}. For open answers report AUROC2 and meta-I2r beside the share right: there an M-ratio [cannot be read](study1-correction.ipynb). *What would change this:* a spread below 0.1 from 200 trials.",
    "An M-ratio of one published model spreads by {m_ratio_spread_200:.2f} at 200 trials and by {m_ratio_spread_1000:.2f} at 1,000.",
    holds=n["m_ratio_spread_1000"] < 0.1 < n["m_ratio_spread_200"],
)

# %% [markdown]
# ## Two models

# %%
which.says(
    "two",
    "**At 1,000 trials none settles it. Report AUROC2 on the same questions beside both shares right, and M-ratio with its interval.** Of two such observers one with an M-ratio of 0.6 is told from one of 0.8 in {m_ratio_power_1000:.0%} of pairs by M-ratio and in {auroc2_power_1000:.0%} by AUROC2. Two published models stand in the order of their whole tables in {auroc2_order_1000:.0%} of draws by AUROC2 and in {m_ratio_order_1000:.0%} by M-ratio (a coin: 50 %); that tells how exact a measure is, not what it measures. If one model is right more often, AUROC2 alone does not say which knows itself better. *What would change this:* a power of 0.8 at 1,000 trials.",
    "At 1,000 trials two published models stand in their order in {auroc2_order_1000:.0%} of draws by AUROC2 and {m_ratio_order_1000:.0%} by M-ratio; an M-ratio of 0.6 is told from 0.8 in {m_ratio_power_1000:.0%} of pairs.",
    holds=n["first_order_200"] == n["first_order_1000"] == "auroc2" and max(n["m_ratio_power_1000"], n["auroc2_power_1000"]) < 0.8,
)

# %% [markdown]
# ## A threshold

# %%
which.says(
    "threshold",
    "**None of these.** What a threshold promises is how many of the answers that pass are right, and that is to be counted: [from a log to a gate](../book/own-trials.md). Among people of one study the best of the ten measures correlates {surest:.2f} with the share right of the surest answers (ranks, new trials). *What would change this:* one of 0.9.",
    "Over people of one study, the best measure's rank correlation with the share right of the surest answers is {surest:.2f}.",
    holds=0 < n["surest"] < 0.7,
)

# %% [markdown]
# ## What would change your mind
#
# - A measure that keeps still as M-ratio does and comes back as AUROC2 does, on the same people. It would take the place of both.
# - A hundred studies with 800 trials or more a person. Here only {glue:text}`which_measure_sets_half_800:d` have enough people
#   with two halves of 800, so the right end of the figure could be elsewhere.
# - Conditions that change nothing but difficulty, in more studies. What counts here as easier is what a study's people
#   answered better, whatever else differed.
#
# ## Beside the audit of 17 measures
#
# Rahnev {cite:p}`rahnev2025` tried 17 measures on a few large sets. What its summary says can be put beside what is found here.

# %%
table(
    which.audit,
    *("point", "here", "alike"),
    caption="What the audit found, and what is found here.",
    titles={"point": "The audit", "here": "Here", "alike": "Alike"},
)

# %% [markdown]
# Not checked: the audit's figures one by one, since we have its summary and the legends of its figures, not its numbers;
# how it averaged its bins of trials; and its two measures that come from a model of the process, meta-noise and
# meta-uncertainty.
#
# ## All numbers
# <!-- fold -->

# %%
table(
    which.wide,
    *("measure", "sessions", "dealt", "lost", "easier", "high_cuts", "replaced"),
    caption="Each measure with 95 % intervals over studies. Dealt: the trials of both sessions dealt out at random; lost: that less what comes back in the next session. The rest in standard deviations between people.",
    titles={"sessions": "Next session", "dealt": "Dealt", "lost": "Lost", "easier": "Easier questions", "high_cuts": "High cuts, less low ones", "replaced": "Spoiled: fall"},
    digits={"sessions": 2, "dealt": 2, "lost": 2, "easier": 2, "high_cuts": 2, "replaced": 2},
)

# %%
table(which.sizes, "what", "sets", "people", caption="On how much each number rests.", titles={"what": "What", "sets": "Studies and tasks"})

# %%
table(
    which.models,
    *("measure", "trials", "spread", "same_order"),
    caption="Published tables of three models in three tasks (study 2), thinned: spread of one table, and share of draws in which two models of a task stand as in their whole tables.",
    titles={"spread": "Standard deviation", "same_order": "In order"},
    digits={"spread": 3, "same_order": 2},
)

# %% [markdown]
# ## Simulated observers who stay the same
# <!-- fold -->
#
# One observer has a constant M-ratio, the other constant noise: all its thresholds of confidence are multiplied by one
# lognormal number in each trial {cite:p}`shekhar2021`. Both begin at an M-ratio of 0.8 and $d'$ = 1.5, with four ratings that
# are used equally often.

# %%
table(
    which.moves,
    *("observer", "varied", "auroc2", "gamma", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio"),
    caption="One thing is changed and self-knowledge is not: by how much each measure moves, as a share of the step from an M-ratio of 0.6 to 0.8. There is no sampling error.",
    titles={"varied": "Changed to"},
    digits=dict.fromkeys(("auroc2", "gamma", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio"), 2),
)

# %%
table(
    which.power,
    *("observer", "n_trials", "auroc2", "gamma", "phi", "meta_i", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio", "log_m_ratio"),
    caption="How often a pair of observers, with M-ratios of 0.8 and 0.6, differs by more than 95 % of pairs that are alike, both at 0.8.",
    digits=dict.fromkeys(("auroc2", "gamma", "phi", "meta_i", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio"), 2),
)

# %%
table(
    which.covered,
    *("measure", "trials", "lowest", "highest", "designs"),
    caption="Share of 95 % intervals that hold the truth, over simulated designs, for the four measures whose intervals were tried: of M-ratio and meta-d' by resampling.",
    digits={"lowest": 3, "highest": 3},
)

# %% [markdown]
# ## How it is computed
# <!-- fold -->
#
# People count by the rules of the database's counts: $d'$ above 0.5, fewer than 95 % right, 100 trials or more. Scales of
# more than six levels are cut at each person's own quartiles, so stated probabilities are gone and the calibration error
# (ECE) is left out. Two halves of n trials are drawn without replacement from a person's counts and share none. What comes
# back is the intraclass correlation of people within a study (one-way, single measurement: $(B - W)/(B + W)$ with the mean
# squares between and within people), then the mean over studies by their people; intervals resample studies.
# For *easier questions* a study's conditions are ranked by its people's share right and split in the middle; a study counts
# where the two halves differ by 5 points. *Other cuts*: the two lowest ratings are merged, or the two highest, of the same
# trials. A move is the median over people, in three quarters of the range of the middle half of people, which is a standard
# deviation for a bell curve. The logarithm leaves out M-ratios that are not above 0.
