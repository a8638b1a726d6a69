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
    "No one number will do: AUROC2 is steadiest but partly skill, M-ratio sets skill aside, and both take thousands of trials to part two models.",
    "From one half of a person's trials to the other AUROC2 comes back with {auroc2_half_100:.2f} and M-ratio with {m_ratio_half_100:.2f}.",
    holds=n["first_half_100"] == n["first_half_400"] == "auroc2" and n["auroc2_skill_400_lower"] > 0 and n["auroc2_shuffled_400"] < 0.1 and min(n["m_ratio_own"], n["m_ratio_noise"], n["m_ratio_same"], n["auroc2_same"]) > 2000 and n["m_ratio_skill_400_lower"] < 0 < n["m_ratio_skill_400_upper"],
    head=True,
)

# %%
table(
    which.decisions,
    *("question", "report", "least"),
    caption="Five questions. Every number is computed from the figures of this page; where they change, so does the advice.",
    titles={"question": "If you ask", "report": "Report", "least": "From so many trials"},
)

# %% [markdown]
# What this page is for: you have answers with confidence, of people or of models, and want one number that says how well the one
# tells of the other. Many measures do. [The measures](measures.ipynb) shows what each
# one sees on one table. Here ten of them are tried on {glue:text}`which_measure_people_half_50:,` people in
# {glue:text}`which_measure_sets_half_50:d` studies and tasks of the Confidence Database {cite:p}`rahnev2020`, each with a choice
# between two and a rating of confidence. A good measure gives the same person the same number again, stays where it is when
# only the questions get easier, and falls when the ratings get worse. (Whoever only has to decide which answers may pass needs
# none of them: [your own trials](own-trials.ipynb).)
#
# ## What each measure does
#
# Columns of the table, all of real people but the last:
#
# - **Again**, and **next session**: how much of the difference between people comes back in other trials. 1 is all of it, 0.7 enough.
# - **Easier questions** and **other cuts** of confidence: by how much the same people move, in standard deviations between people as
#   measured (so that a noisy measure seems to move less). 0.2 is little.
# - **Spoiled ratings**: the fall when a quarter of the ratings is replaced by chance. It should be large.
# - **Power**: how often an M-ratio of 0.6 is told from 0.8 in simulations. 0.8 is enough.

# %%
caption = "Ten measures, and what one wants of them. Green: enough; orange: not; no colour: the 95 % interval holds both."
matrix(which.cells, rows="measure", columns="asked", value="value", why="why", good="good", caption=caption)

# %% [markdown]
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
    "At 100 trials a half even the best measure brings back only {most_half_100:.2f}. At 400 it is {auroc2_half_400:.2f} for AUROC2 and {m_ratio_half_400:.2f} for M-ratio, in {sets_half_400} studies. The later points are other studies than the first: few ask people so much.",
    "At 100 trials a half the best measure brings back {most_half_100:.2f}; at 400, AUROC2 {auroc2_half_400:.2f} and M-ratio {m_ratio_half_400:.2f}, in {sets_half_400} studies.",
    holds=n["most_half_100"] < 0.7 and n["auroc2_half_400"] > n["m_ratio_half_400"],
)

# %%
which.says(
    "skill",
    "**Part of what comes back in AUROC2 is skill.** With chance taken off, people's AUROC2 and $d'$ correlate {auroc2_skill_400:.2f} at 400 trials ({auroc2_skill_400_lower:.2f} to {auroc2_skill_400_upper:.2f}), M-ratio and $d'$ {m_ratio_skill_400:.2f} ({m_ratio_skill_400_lower:.2f} to {m_ratio_skill_400_upper:.2f}). Among people of equal $d'$, {auroc2_held_400:.2f} of AUROC2 comes back ({auroc2_held_400_lower:.2f} to {auroc2_held_400_upper:.2f}) and {m_ratio_held_400:.2f} of M-ratio ({m_ratio_held_400_lower:.2f} to {m_ratio_held_400_upper:.2f}): AUROC2 is ahead by {m_ratio_ahead_400:.2f} ({m_ratio_ahead_400_lower:.2f} to {m_ratio_ahead_400_upper:.2f}). But habits of rating come back as well as knowledge does: simulated observers who use only two ratings, or high ones seldom, have less AUROC2 though they know as much (see below).",
    "With chance taken off, people's AUROC2 and $d'$ correlate {auroc2_skill_400:.2f} at 400 trials; among people of equal $d'$ {auroc2_held_400:.2f} of AUROC2 comes back and {m_ratio_held_400:.2f} of M-ratio.",
    holds=n["auroc2_skill_400_lower"] > 0 and n["m_ratio_skill_400_lower"] < 0 < n["m_ratio_skill_400_upper"] and n["m_ratio_held_400"] < n["auroc2_held_400"] and n["m_ratio_ahead_400_lower"] > 0 and n["auroc2_shuffled_400"] < 0.1,
)

# %%
which.says(
    "sessions",
    "In the next session less comes back: {auroc2_sessions:.2f} for AUROC2, where the same trials dealt out at random give {auroc2_dealt:.2f}; {m_ratio_sessions:.2f} and {m_ratio_dealt:.2f} for M-ratio. So {auroc2_lasts:.0%} and {m_ratio_lasts:.0%} of what truly tells people apart lasts to the next session, and the noise of few trials takes more than change does ({sets_sessions} studies, {people_sessions} people).",
    "In the next session {auroc2_sessions:.2f} comes back for AUROC2, with the same trials dealt out at random {auroc2_dealt:.2f}; for M-ratio {m_ratio_sessions:.2f} and {m_ratio_dealt:.2f}.",
    holds=n["auroc2_lost_lower"] > 0 and n["auroc2_lost"] < (1 - n["auroc2_sessions"]) / 2 and n["m_ratio_lost"] < (1 - n["m_ratio_sessions"]) / 2,
)

# %% [markdown]
# ## Two models, and why the advice is as it is

# %%
which.says(
    "two",
    "**Two models need thousands of trials, on the same questions too.** To tell an M-ratio of 0.6 from 0.8 in 80 of 100 pairs takes some {m_ratio_trials_same} trials on the same questions and {m_ratio_trials_noise} on others: what two simulated models see goes together, but the noise in their confidence is each one's own. By AUROC2 it takes {auroc2_trials_same}; but where one model only has the higher $d'$ (2, not 1.5), AUROC2 sees a difference in {auroc2_misled_same:.0%} of pairs at 1,000 trials, M-ratio in {m_ratio_misled_same:.0%}. The logarithm of M-ratio takes {log_m_ratio_trials_same} and is misled in {log_m_ratio_misled_same:.0%}. (Told apart: further apart than 95 of 100 pairs of observers who are alike, both at 0.8. At other values the logarithm need not do better.)",
    "To tell an M-ratio of 0.6 from 0.8 takes some {m_ratio_trials_same} trials on the same questions and {m_ratio_trials_noise} on others, by AUROC2 {auroc2_trials_same} and {auroc2_trials_noise}. Where one model only has the higher $d'$, AUROC2 sees a difference in {auroc2_misled_same:.0%} of pairs at 1,000 trials, M-ratio in {m_ratio_misled_same:.0%}.",
    holds=0.8 < n["m_ratio_same"] / n["m_ratio_noise"] < 1.25 and n["auroc2_same"] < n["m_ratio_same"] and max(n["m_ratio_misled_same"], n["log_m_ratio_misled_same"]) < 0.05 and n["auroc2_misled_same"] > 0.2 and n["log_m_ratio_same"] < n["m_ratio_same"],
)

# %% [markdown]
# Groups are put beside each other in one step by [a hierarchical fit](what-is-normal.ipynb). For open answers an M-ratio
# [cannot be read](study1-correction.ipynb); what a threshold promises is counted [from a log to a
# gate](../book/own-trials.md). Mixed difficulty [raises M-ratio](what-is-normal.ipynb), so compare on the same questions
# even though that saves none.

# %%
table(
    which.decisions,
    *("question", "rests", "would"),
    caption="Why, and what would change it.",
    titles={"question": "If you ask", "rests": "Why", "would": "What would change it"},
)

# %% [markdown]
# ## Measures of the process
#
# Meta-noise {cite:p}`shekhar2021` and meta-uncertainty (CASANDRE) {cite:p}`boundysinger2023` say how noisy confidence is. On one
# table they are one model with two names: thresholds of confidence that are multiplied by a lognormal number. The rule: they may
# be shown where 90 of 100 simulated tables of that size give an interval with an end.

# %%
which.says(
    "process",
    "**Not from a person's few trials.** An interval has an end in {bounded_200} to {bounded_most_200} of 100 simulated tables of 200 trials, and in {bounded_400} to {bounded_most_400} at 400 (the noisier the observer, the fewer). From 1,000 trials on they may be shown ({bounded_1000} or more), so for a model, not for a person. Where they have an end they can be believed: intervals hold the true noise {noise_held} times in 100 or more, and see noise where there is none {noise_alarms} times at most.",
    "An interval of meta-noise has an end in {bounded_200} to {bounded_most_200} of 100 simulated tables of 200 trials, and in {bounded_1000} or more at 1,000.",
    holds=n["bounded_200"] < 90 and n["bounded_400"] < 90 <= n["bounded_1000"] and n["noise_held"] >= 90 and n["noise_alarms"] <= 8,
)

# %%
which.says(
    "noise_back",
    "People bear it out: from 100 trials {noise_meta_noise_100:.2f} of meta-noise comes back in another half, of the same people's M-ratio {noise_m_ratio_100:.2f}; from 400, {noise_meta_noise_400:.2f} and {noise_m_ratio_400:.2f}.",
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
# and how it averaged its bins of trials.
#
# ## All numbers
# <!-- fold -->

# %%
table(
    which.wide,
    *("measure", "held_100", "held_400", "skill_400", "sessions", "dealt", "lost", "easier", "high_cuts", "replaced"),
    caption="Each measure with 95 % intervals over studies. Held: what comes back of two halves with d' held fixed; with d': the correlation of the two, chance taken off. Dealt: the trials of both sessions dealt out at random; lost: that less what comes back in the next session. The rest in standard deviations between people.",
    titles={"held_100": "Equal d', 100 trials", "held_400": "Equal d', 400", "skill_400": "With d'", "sessions": "Next session", "dealt": "Dealt", "lost": "Lost", "easier": "Easier questions", "high_cuts": "High cuts, less low ones", "replaced": "Spoiled: fall"},
    digits={"held_100": 2, "held_400": 2, "skill_400": 2, "sessions": 2, "dealt": 2, "lost": 2, "easier": 2, "high_cuts": 2, "replaced": 2},
)

# %%
table(which.sizes, "what", "sets", "people", caption="On how much each number rests.", titles={"what": "What", "sets": "Studies and tasks"})

# %%
table(
    which.models,
    *("measure", "trials", "spread", "spread_least", "spread_most", "same_order"),
    caption="Published tables of three models in three tasks (study 2), thinned: spread of one table (the middle one of nine, the steadiest and the least steady), and share of draws in which two models of a task stand as in their whole tables.",
    titles={"spread": "Standard deviation", "spread_least": "Least", "spread_most": "Most", "same_order": "In order"},
    digits={"spread": 3, "spread_least": 3, "spread_most": 3, "same_order": 2},
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
    *("measure", "own", "noise", "same", "misled_own", "misled_noise", "misled_same"),
    caption="Trials at which an observer with an M-ratio of 0.6 is told from one of 0.8 in 80 of 100 pairs (the pair differs by more than 95 % of pairs that are alike): observers of constant M-ratio, of constant noise, and the latter on the same questions, whose evidence correlates 0.5. Misled: how often, at 1,000 trials, one of two that are alike seems better because its d' is 2 and not 1.5.",
    titles={"own": "Constant M-ratio", "noise": "Constant noise", "same": "Same questions", "misled_own": "Misled", "misled_noise": "Misled, noise", "misled_same": "Misled, same questions"},
    digits={"own": 0, "noise": 0, "same": 0, "misled_own": 2, "misled_noise": 2, "misled_same": 2},
)

# %%
table(
    which.noise[which.noise["observer"].notna()],
    *("observer", "trials", "noise", "bounded", "seen", "held", "median"),
    caption="Fits of lognormal noise to 100 simulated tables: how many have an interval with an upper end, exclude no noise, and hold the true noise; and the median estimate. The last observer is not of this kind.",
    titles={"noise": "True noise", "bounded": "With an end", "seen": "Exclude none", "held": "Hold the truth", "median": "Estimate"},
    digits={"noise": 2, "bounded": 0, "seen": 0, "held": 0, "median": 2},
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
# (ECE) and Brier's score are left out. Two halves of n trials are drawn without replacement from a person's counts and share none. What comes
# back is the intraclass correlation of people within a study (one-way, single measurement: $(B - W)/(B + W)$ with the mean
# squares between and within people), then the mean over studies by their people; intervals resample studies.
# For *easier questions* a study's conditions are ranked by its people's share right and split in the middle; a study counts
# where the two halves differ by 5 points. *Other cuts*: the two lowest ratings are merged, or the two highest, of the same
# trials. A move is the median over people, in three quarters of the range of the middle half of people, which is a standard
# deviation for a bell curve. The logarithm leaves out M-ratios that are not above 0.
