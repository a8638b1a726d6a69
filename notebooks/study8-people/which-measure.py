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
from metacog.report import bars, lines, matrix, table
from metacog.studies import open_run

run = open_run("study8_people", profile)
which = run.result("which_measure")
which.glue()
n = which.numbers()
which.says(
    "answer",
    "No single score will do. AUROC2 repeats best, but rewards skill; M-ratio is fairer, but wobbles. Telling two models apart mostly takes thousands of questions.",
    "From one half of a person's trials to the other AUROC2 comes back with {auroc2_half_100:.2f} and M-ratio with {m_ratio_half_100:.2f}.",
    holds=n["first_half_100"] == n["first_half_400"] == "auroc2" and n["auroc2_skill_400_lower"] > 0 and n["auroc2_shuffled_400"] < 0.1 and min(n["m_ratio_own"], n["m_ratio_noise"], n["m_ratio_same"], n["auroc2_same"]) > 2000 and n["m_ratio_skill_400_lower"] < 0 < n["m_ratio_skill_400_upper"],
    head=True,
    note="Just want to know which answers to trust? You need none of this: go to [your own trials](own-trials.ipynb).",
)

# %%
bars(
    which.twice,
    value=["again_100", "again_400"],
    rows="measure",
    reference=25,
    limits=(0, 100),
    caption="The same people, tested twice. Of 100 who are in the best quarter of their study the first time, how many are the second time? Dashed: luck alone. 95 % intervals over studies.",
    titles={"again_100": "100 questions each time", "again_400": "400 questions each time", "": "again in the best quarter, of 100", "measure": ""},
    label="fig-which-measure-again",
)

# %%
which.says(
    "again",
    "**A score should say the same twice.** Take the people who do best on their first 100 questions, the best quarter of each study. By AUROC2, {auroc2_again_100:.0f} of 100 are among the best again in their next 100; by M-ratio {m_ratio_again_100:.0f}. Names in a hat would give 25. With 400 questions each time it is {auroc2_again_400:.0f} and {m_ratio_again_400:.0f}. But a score can be steady for the wrong reason: AUROC2 also sees who is good at the task.",
    "Of 100 people in the best quarter {auroc2_again_100:.0f} are there again by AUROC2 with 100 trials, and {m_ratio_again_100:.0f} by M-ratio; with 400, {auroc2_again_400:.0f} and {m_ratio_again_400:.0f}.",
    holds=n["auroc2_again_100"] > n["m_ratio_again_100"] > 25 and n["auroc2_again_400"] > n["auroc2_again_100"] and n["m_ratio_again_400"] > n["m_ratio_again_100"] and n["auroc2_skill_400_lower"] > 0,
)

# %%
which.says(
    "report",
    "**What to report, then?** To decide which answers to trust, none of these. To order people of like skill, AUROC2, from 400 questions each. For two groups of unlike skill, M-ratio, averaged over many people. For two models that choose between two, M-ratio, from some {m_ratio_trials_same} questions. The whole list, with what each number of questions buys, is the second table.",
    "What to report, from how many questions on, is the second table.",
    holds=n["auroc2_half_400"] > 0.7 > n["auroc2_half_200"] and n["m_ratio_same"] > 2000 and n["m_ratio_easier_true_lower"] < 0 < n["m_ratio_easier_true_upper"] and n["auroc2_held_400"] > n["m_ratio_held_400"],
)

# %%
table(
    which.scores,
    *("measure", "tells", "fools"),
    caption="Three scores, and what fools each.",
    titles={"measure": "Score", "tells": "What it asks", "fools": "What fools it"},
)

# %% [markdown]
# This page is for whoever wants one number for how well confidence tells right answers from wrong ones, in people or in
# models. The people are {glue:text}`which_measure_people_half_50:,`, from {glue:text}`which_measure_sets_half_50:d` studies and
# tasks of the Confidence Database {cite:p}`rahnev2020`: each time they choose between two and say how sure they are. What each
# score sees in one table, [the measures](measures.ipynb) show.

# %%
table(
    which.decisions,
    *("question", "report", "trials", "buy"),
    caption="What to report. Every number is computed from the figures of this page; where they change, so does the advice.",
    titles={"question": "If you ask", "report": "Report", "trials": "Trials", "buy": "What they buy"},
    folded=False,
)

# %% [markdown]
# The numbers for models are of a typical one; others need more or fewer (*why*, below). A [hierarchical
# fit](what-is-normal.ipynb) compares groups in one step, but lowers M-ratios from few trials.
#
# ## What each score does
#
# A good score stays where it is as long as self-knowledge does, whatever else changes. In a simulation we decide what
# self-knowledge is: here, how noisy confidence is, with noise of one kind. That M-ratio hardly moves follows in part from that
# choice. Lapses, and evidence that comes after the decision, were not tried.

# %%
caption = "What fools each score. A simulated observer keeps the noise in its confidence, and one other thing is changed: by how much the score moves. 100 % is as far as a real improvement would move it, from an M-ratio of 0.6 to 0.8. Orange: more than a tenth."
matrix(which.fooled, rows="measure", columns="what", value="moved", good="good", caption=caption)

# %% [markdown]
# With people nobody knows the truth. There we ask that a score comes back in the same person, stays put when only the questions
# get easier, and falls when ratings get worse.

# %%
caption = "Three scores, and what one wants of them. Green: surely good enough. Orange: surely not. White: the 95 % interval holds both."
three = which.cells["measure"].isin(which.scores["measure"])
matrix(which.cells[three], rows="measure", columns="asked", value="value", why="why", good="good", caption=caption)

# %%
which.says(
    "white",
    "A white cell is one that studies do not settle: AUROC2's {auroc2_half_400:.2f} at 400 trials is above the 0.7 that is asked for, but its interval begins at {auroc2_half_400_lower:.2f}.",
    "White cells hold an interval with values of both kinds; AUROC2's at 400 trials begins at {auroc2_half_400_lower:.2f}.",
    holds=n["auroc2_half_400_lower"] < 0.7 < n["auroc2_half_400"],
)

# %% [markdown]
# ### What the columns ask, and the other seven scores
# <!-- fold -->
#
# - **Again**, and **next session**: how much of the difference between people comes back (reliability, ICC) in other trials
#   of theirs. 1 is all of it, 0.7 is enough to compare groups, and not to judge one person.
# - **Easier questions** and **other cuts** of confidence: by how much the same people move, in true standard deviations
#   between people (noise taken off, so that a noisy score does not seem to move less). 0.2 is little.
# - **Spoiled ratings** (a quarter of them replaced at random): the fall, in the same unit. It should be large.
# - **Power**: how often an M-ratio of 0.6 is told from 0.8, in two simulated models of constant noise on the same questions.
#
# The other scores:
#
# - **meta-d'**: the $d'$ at which somebody who uses all evidence would give these ratings. **meta-d' - d'** is that less $d'$;
#   **log M-ratio** the logarithm of their ratio.
# - **meta-I2r**: the share of the uncertainty about being right that the rating takes away, in bits.
# - **meta-I1r**: those bits as a share of what the whole evidence of an ideal observer of the same $d'$ tells.
# - **gamma**: of pairs of a right and a wrong answer with unequal ratings, how many have the right one surer, less how many
#   the wrong one.
# - **phi**: the correlation of being right with the rating.

# %%
caption = "Seven more scores. Green: surely good enough. Orange: surely not. White: the 95 % interval holds both."
matrix(which.cells[~three], rows="measure", columns="asked", value="value", why="why", good="good", caption=caption)

# %% [markdown]
# ## How many trials until a number comes back?

# %%
shown = which.halves[which.halves["measure"].isin(["auroc2", "auroc2_over_ideal", "meta_i2r", "meta_d", "m_ratio"])]
lines(
    shown,
    x="trials",
    value="agreement",
    colour="measure",
    log=True,
    caption="How much of the difference between people of a study comes back in another half of their trials (1 is all), by the trials in each half. Bands: 95 % over studies, where there are five or more.",
    titles={"agreement": "Comes back", "trials": "Trials in each half"},
    label="fig-which-measure-halves",
)

# %%
which.says(
    "come_back",
    "With 100 questions a half even the best score brings back less than two thirds of how people differ. With 400, AUROC2 brings back {auroc2_half_400:.0%} and M-ratio {m_ratio_half_400:.0%}, in {sets_half_400} studies. (The right end rests on other studies than the left: few ask people so much.)",
    "At 100 trials a half the best measure brings back {most_half_100:.2f}; at 400, AUROC2 {auroc2_half_400:.2f} and M-ratio {m_ratio_half_400:.2f}, in {sets_half_400} studies.",
    holds=n["most_half_100"] < 0.66 and n["auroc2_half_400"] > n["m_ratio_half_400"],
)

# %% [markdown]
# ### Is it skill that comes back?
# <!-- fold -->

# %%
which.says(
    "skill",
    "**Part of what comes back in AUROC2 is skill.** With chance taken off (disattenuated), people's AUROC2 and $d'$ correlate {auroc2_skill_400:.2f} at 400 trials ({auroc2_skill_400_lower:.2f} to {auroc2_skill_400_upper:.2f}), M-ratio and $d'$ {m_ratio_skill_400:.2f} ({m_ratio_skill_400_lower:.2f} to {m_ratio_skill_400_upper:.2f}). Among people of equal $d'$, {auroc2_held_400:.2f} of AUROC2 comes back ({auroc2_held_400_lower:.2f} to {auroc2_held_400_upper:.2f}) and {m_ratio_held_400:.2f} of M-ratio ({m_ratio_held_400_lower:.2f} to {m_ratio_held_400_upper:.2f}): AUROC2 is ahead by {m_ratio_ahead_400:.2f} ({m_ratio_ahead_400_lower:.2f} to {m_ratio_ahead_400_upper:.2f}).",
    "With chance taken off, people's AUROC2 and $d'$ correlate {auroc2_skill_400:.2f} at 400 trials; among people of equal $d'$ {auroc2_held_400:.2f} of AUROC2 comes back and {m_ratio_held_400:.2f} of M-ratio.",
    holds=n["auroc2_skill_400_lower"] > 0 and n["m_ratio_skill_400_lower"] < 0 < n["m_ratio_skill_400_upper"] and n["m_ratio_held_400"] < n["auroc2_held_400"] and n["m_ratio_ahead_400_lower"] > 0 and n["auroc2_shuffled_400"] < 0.1,
)

# %%
which.says(
    "over",
    "**AUROC2 over ideal is no way out.** It takes off skill and habits of rating: simulated observers who use only two ratings, or high ones seldom, have less AUROC2 though they know as much, and the same AUROC2 over ideal within {over_moves:.0%} of the step from 0.6 to 0.8. But then it comes back as M-ratio does, with {auroc2_over_ideal_half_400:.2f} and {m_ratio_half_400:.2f} at 400 trials, {auroc2_over_ideal_half_100:.2f} and {m_ratio_half_100:.2f} at 100. So AUROC2's lead is skill, habit, or that it divides by no noisy estimate; between the last two we cannot tell.",
    "At 400 trials {auroc2_over_ideal_half_400:.2f} of AUROC2 over ideal comes back and {m_ratio_half_400:.2f} of M-ratio; at 100, {auroc2_over_ideal_half_100:.2f} and {m_ratio_half_100:.2f}.",
    holds=abs(n["auroc2_over_ideal_half_400"] - n["m_ratio_half_400"]) < 0.05 and abs(n["auroc2_over_ideal_half_100"] - n["m_ratio_half_100"]) < 0.05 and n["auroc2_over_ideal_ahead_400_lower"] > 0 and n["over_moves"] < 0.15,
)

# %% [markdown]
# ### And on another day?
# <!-- fold -->

# %%
which.says(
    "sessions",
    "In the next session less comes back: {auroc2_sessions:.2f} for AUROC2, where the same trials dealt out at random give {auroc2_dealt:.2f}; {m_ratio_sessions:.2f} and {m_ratio_dealt:.2f} for M-ratio. So {auroc2_lasts:.0%} and {m_ratio_lasts:.0%} of what truly tells people apart lasts to the next session, and the noise of few trials takes more than change does ({sets_sessions} studies, {people_sessions} people).",
    "In the next session {auroc2_sessions:.2f} comes back for AUROC2, with the same trials dealt out at random {auroc2_dealt:.2f}; for M-ratio {m_ratio_sessions:.2f} and {m_ratio_dealt:.2f}.",
    holds=n["auroc2_lost_lower"] > 0 and n["auroc2_lost"] < (1 - n["auroc2_sessions"]) / 2 and n["m_ratio_lost"] < (1 - n["m_ratio_sessions"]) / 2,
)

# %% [markdown]
# ## Two models

# %%
which.says(
    "two",
    "**To tell an M-ratio of 0.6 from 0.8, ask each model some {m_ratio_trials_same} questions.** Then 80 of 100 such pairs are told apart. AUROC2 needs {auroc2_trials_same}, and can be fooled: of two models that know themselves equally well it calls the abler one better in {auroc2_misled_same:.0%} of tests with 1,000 questions, where 5 % would be bad luck. M-ratio does so in {m_ratio_misled_same:.0%}.",
    "To tell an M-ratio of 0.6 from 0.8 takes some {m_ratio_trials_same} trials, by AUROC2 {auroc2_trials_same}. Where one model only has the higher $d'$, AUROC2 sees a difference in {auroc2_misled_same:.1%} of pairs at 1,000 trials, M-ratio in {m_ratio_misled_same:.1%}.",
    holds=n["auroc2_same"] < n["m_ratio_same"] and n["m_ratio_misled_same"] < 0.05 and n["auroc2_misled_same"] > 0.2,
)

# %% [markdown]
# ### Three guesses at what two alike models share, and the same questions
# <!-- fold -->

# %%
which.says(
    "nulls",
    "Told apart means: further apart than 95 of 100 pairs that are alike. Whether those alike share an M-ratio of 0.6, 0.7 or 0.8 matters little for M-ratio ({m_ratio_trials_same_low}, {m_ratio_trials_same} and {m_ratio_trials_same_high} trials) but much for its logarithm ({log_m_ratio_trials_same_low}, {log_m_ratio_trials_same} and {log_m_ratio_trials_same_high}): it gains only at the largest. The fooled tests have $d'$ = 2 against 1.5, and an M-ratio of 0.8 in both.",
    "Where those alike share an M-ratio of 0.6, 0.7 or 0.8, M-ratio takes {m_ratio_trials_same_low}, {m_ratio_trials_same} and {m_ratio_trials_same_high} trials, its logarithm {log_m_ratio_trials_same_low}, {log_m_ratio_trials_same} and {log_m_ratio_trials_same_high}.",
    holds=n["log_m_ratio_same_high"] < n["m_ratio_same_high"] and n["log_m_ratio_same_low"] > n["m_ratio_same_low"] and n["log_m_ratio_same"] > 0.95 * n["m_ratio_same"] and max(n["m_ratio_same_low"], n["m_ratio_same_high"]) < 1.1 * n["m_ratio_same"],
)

# %%
which.says(
    "shared",
    "These two answer the same questions, and what they see goes together; on other questions it takes {m_ratio_trials_noise}. So in this simulation, where the noise in confidence is each model's own, shared questions save hardly any trials. Where models share confidence too they would save some: not measured here. Still compare on the same questions, since mixed difficulty [raises M-ratio](what-is-normal.ipynb).",
    "On the same questions it takes {m_ratio_trials_same}, on others {m_ratio_trials_noise}, in a simulation where the noise in confidence is each model's own.",
    holds=0.8 < n["m_ratio_same"] / n["m_ratio_noise"] < 1.25,
)

# %% [markdown]
# ## Why the advice is as it is
# <!-- fold -->

# %%
table(
    which.decisions,
    *("question", "rests", "would"),
    caption="Why, and what would change it.",
    titles={"question": "If you ask", "rests": "Why", "would": "What would change it"},
)

# %% [markdown]
# ## Measures of the process
# <!-- fold -->
#
# Meta-noise {cite:p}`shekhar2021` and meta-uncertainty (CASANDRE) {cite:p}`boundysinger2023` say how noisy confidence is. On one
# table they are one model with two names: thresholds of confidence that are multiplied by a lognormal number. The rule: they may
# be shown where 90 of 100 simulated tables of that size give an interval with an end.

# %%
which.says(
    "process",
    "**Not from a person's few trials.** An interval has an end in {bounded_200} to {bounded_most_200} of 100 simulated tables of 200 trials, and in {bounded_400} to {bounded_most_400} at 400 (the noisier the observer, the fewer). From 1,000 trials on they may be shown ({bounded_1000} or more), so for a model, not for a person. Of the intervals with an end, {noise_held_least:.0%} to {noise_held_most:.0%} hold the true noise, by observer and size, where 95 % should. (The least is at {noise_fewest} trials and much noise, where few have an end, so it is known roughly.) Where there is no noise, {noise_alarms} in 100 see some at most.",
    "An interval of meta-noise has an end in {bounded_200} to {bounded_most_200} of 100 simulated tables of 200 trials, and in {bounded_1000} or more at 1,000.",
    holds=n["bounded_200"] < 90 and n["bounded_400"] < 90 <= n["bounded_1000"] and n["noise_held_few"] == n["noise_held_least"] < 0.9 and n["noise_alarms"] <= 8,
)

# %%
which.says(
    "noise_back",
    "People bear it out: from 100 trials {noise_meta_noise_100:.2f} of meta-noise comes back in another half, of the same people's M-ratio {noise_m_ratio_100:.2f}; from 400, {noise_meta_noise_400:.2f} and {noise_m_ratio_400:.2f}.",
)

# %% [markdown]
# ## What would change your mind
#
# - A score that keeps still as M-ratio does and comes back as AUROC2 does, on the same people. It would take the place of both;
#   AUROC2 over ideal, which could have been it, is not.
# - A hundred studies with 800 trials or more a person. Here only {glue:text}`which_measure_sets_half_800:d` have enough people
#   with two halves of 800, so the right end of the figure could be elsewhere.
# - Conditions that change nothing but difficulty, in more studies. What counts here as easier is what a study's people
#   answered better, whatever else differed.
#
# ## Beside the audit of 17 measures
# <!-- fold -->
#
# Rahnev {cite:p}`rahnev2025` tried 17 measures on a few large sets. What its summary says can be put beside what is found here.

# %%
table(
    which.audit,
    *("point", "here", "alike"),
    caption="What the audit found, and what is found here; moves in measured standard deviations between people.",
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
    *("measure", "held_100", "held_400", "skill_400", "sessions", "dealt", "lost", "easier_true", "high_cuts_true", "replaced_true"),
    caption="Each measure with 95 % intervals over studies. Held: what comes back of two halves with d' held fixed; with d': the correlation of the two, chance taken off. Dealt: the trials of both sessions dealt out at random; lost: that less what comes back in the next session. The rest in true standard deviations between people.",
    titles={"held_100": "Equal d', 100 trials", "held_400": "Equal d', 400", "skill_400": "With d'", "sessions": "Next session", "dealt": "Dealt", "lost": "Lost", "easier_true": "Easier questions", "high_cuts_true": "High cuts, less low ones", "replaced_true": "Spoiled: fall"},
    digits={"held_100": 2, "held_400": 2, "skill_400": 2, "sessions": 2, "dealt": 2, "lost": 2, "easier_true": 2, "high_cuts_true": 2, "replaced_true": 2},
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
    *("observer", "varied", "auroc2", "auroc2_over_ideal", "gamma", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio"),
    caption="One thing is changed and self-knowledge is not: by how much each measure moves, as a share of the step from an M-ratio of 0.6 to 0.8. There is no sampling error.",
    titles={"varied": "Changed to"},
    digits=dict.fromkeys(("auroc2", "auroc2_over_ideal", "gamma", "meta_i2r", "meta_i1r", "meta_d", "m_diff", "m_ratio"), 2),
)

# %%
table(
    which.power,
    *("measure", "own", "noise", "same", "same_low", "same_high", "misled_own", "misled_noise", "misled_same"),
    caption="Trials at which an observer with an M-ratio of 0.6 is told from one of 0.8 in 80 of 100 pairs (the pair differs by more than 95 % of pairs that are alike, both at 0.7, or 0.6, or 0.8): observers of constant M-ratio, of constant noise, and the latter on the same questions, whose evidence correlates 0.5. Misled: how often, at 1,000 trials, one of two that are alike at 0.8 seems better because its d' is 2 and not 1.5.",
    titles={"own": "Constant M-ratio", "noise": "Constant noise", "same": "Same questions", "same_low": "Same, alike at 0.6", "same_high": "Same, alike at 0.8", "misled_own": "Misled", "misled_noise": "Misled, noise", "misled_same": "Misled, same questions"},
    digits={"own": 0, "noise": 0, "same": 0, "same_low": 0, "same_high": 0, "misled_own": 3, "misled_noise": 3, "misled_same": 3},
)

# %%
table(
    which.noise[which.noise["observer"].notna()],
    *("observer", "trials", "noise", "bounded", "held_bounded", "seen", "held", "median"),
    caption="Fits of lognormal noise to 100 simulated tables: how many have an interval with an upper end, and how many of those hold the true noise; how many of all exclude no noise, and hold the true noise; and the median estimate. The last observer is not of this kind.",
    titles={"noise": "True noise", "bounded": "With an end", "held_bounded": "And hold the truth", "seen": "Exclude none", "held": "Of all, hold the truth", "median": "Estimate"},
    digits={"noise": 2, "bounded": 0, "held_bounded": 0, "seen": 0, "held": 0, "median": 2},
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
# deviation for a bell curve; over studies it is divided by $\sqrt{2r/(1+r)}$, the root of the reliability of all trials, with
# $r$ how well two halves of them agree. The logarithm leaves out M-ratios that are not above 0.
#
# *Chance taken off* and *$d'$ held fixed*: in units of the spread within a study, $T$ is the covariance of a score's two
# halves, $A$ that of $d'$'s, and $C$ that of the score in one half with $d'$ in the other. The correlation without chance is
# $C/\sqrt{TA}$; among people of equal $d'$ comes back $(T - C^2/A)/(1 - C^2/A)$.
#
# *AUROC2 over ideal*: $(\text{AUROC2} - \frac12)/(\text{ideal} - \frac12)$, where the ideal observer has the same $d'$ and
# criterion, uses all of its evidence in its confidence, and gives each rating as often with each of the two answers. A share
# and not a difference, since in simulation the difference still moves with $d'$.
