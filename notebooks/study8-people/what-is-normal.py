# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What is normal?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, table
from metacog.studies import open_run

run = open_run("study8_people", profile)
normal = run.result("normal")
normal.glue()
n = normal.numbers()
normal.says(
    "answer",
    "In a typical person confidence is some four fifths as sharp as the decision. Three large models beat a quarter to three fifths of people.",
    "The median of people's M-ratios is {settled_median:.2f}; {cells} M-ratios of large models lie above those of {furthest_low:.0%} to {furthest_high:.0%} of people.",
    holds=0.75 < n["settled_median"] - n["gap_settled_median"] <= n["settled_median"] < 0.87 and n["models"] == 3 and 0.2 < n["furthest_low"] < 0.3 and 0.55 < n["furthest_high"] < 0.65,
    head=True,
    note=normal.says(
        "note",
        "Most of these tasks are of perception; the task matters as much as the person (below). By method the middle of people is {settled_median:.2f}, or {gap_settled_median:.2f} less. If one kind of item spread more widely than the other, of which the method knows nothing, the lower quartile would be off by {unequal_lower_quarter:+.2f}. Where to draw a line in a product is another page: [your own trials](../book/own-trials.md).",
    ),
)

# %%
bars(
    normal.two, value=["sure_right", "sure_wrong"], rows="who", limits=(0, 100),
    caption="Two people at one task: which of two boxes holds more dots? They are right equally often. Of how many of their right and of their wrong answers are they sure (upper half of the scale)? With 95 % intervals.",
    titles={"sure_right": "of right answers", "sure_wrong": "of wrong answers", "": "sure of so many in a hundred", "who": ""},
    label="fig-normal-two",
)

# %%
normal.says(
    "two",
    "**Two people** each said {two_trials} times which of two boxes holds more dots, and how sure they were. Both were right {two_right} times. Both were sure of {first_right:.0%} of their right answers. But of the wrong ones the first was sure of {first_wrong:.0%}, and the second of {second_wrong:.0%}: this one's doubts told little. (They are two of {two_of} people who were right that often, the one who comes nearest to using all that the decision used and the one furthest from it, so part of it is luck.)",
    "Of {two_of} people with {two_right} right answers of {two_trials}, two were sure of {first_right:.0%} and {second_right:.0%} of the right answers, and of {first_wrong:.0%} and {second_wrong:.0%} of the wrong ones.",
    holds=n["first_right"] - n["first_wrong"] > 0.15 and 0 < n["second_right"] - n["second_wrong"] < 0.05 and f"{n['first_right']:.0%}" == f"{n['second_right']:.0%}" and n["first_ratio_lower"] > n["second_ratio_upper"],
)

# %%
normal.says(
    "fifths",
    "**Four fifths of what?** A decision rests on evidence: how many more dots one box seems to hold. It has a sharpness, $d'$, how far apart the two kinds of boxes seem. From how often a person is sure when right, and when wrong, one can work out the sharpness that this confidence would need, meta-d'. The **M-ratio** divides the two: at 1 confidence is as sharp as the decision, at 0 it is blind. The first person's is {first_ratio:.1f} (95 % interval {first_ratio_lower:.1f} to {first_ratio_upper:.1f}), the second's {second_ratio:.1f} ({second_ratio_lower:.1f} to {second_ratio_upper:.1f}). The median of all people is {settled_median:.2f} by one method, and {gap_settled_median:.2f} less by another (below): some four fifths.",
    "The M-ratio (meta-d' over d') of the first is {first_ratio:.1f}, of the second {second_ratio:.1f}, the median of all people {settled_median:.2f}.",
    holds=0.75 < n["settled_median"] - n["gap_settled_median"] <= n["settled_median"] < 0.87 and abs(n["first_ratio"] - 1) < 0.1 and n["second_ratio"] < 0.3,
)

# %% [markdown]
# It *can* lie above 1: where something comes to mind after deciding, where items differ in difficulty, where the model
# behind it does not fit, or by chance. (Of open questions it [says something else](study1-correction.ipynb).)

# %%
small = normal.ratios["kind"] == "this book's models"
forest(
    normal.ratios[~small], value="m_ratio", rows="who", colour="kind", reference=1, hill=normal.hill,
    caption="Hill: people's M-ratios, luck aside. Under it their median and middle half, the two people, and three large models at three tasks, with 95 % intervals. Dashed: confidence uses all that the decision used.",
    titles={"who": "Who", "kind": "Whose"},
    label="fig-normal-ratios",
)

# %%
normal.says(
    "large",
    "**Large models.** Three of them did three tasks with two choices ([study 2](study2-overview.ipynb)). Their lowest score is higher than that of {furthest_low:.0%} of people, their highest than that of {furthest_high:.0%}, allowing for luck. Most of the time they decided better than people do. Beside people who decide about as well, they are ahead of {near_low:.0%} to {near_high:.0%}; in {near_cells} of the {cells} tests there are a hundred such people, in the others too few to say.",
    "The {cells} M-ratios of {models} large models lie above those of {furthest_low:.0%} to {furthest_high:.0%} of people.",
    holds=n["models"] == 3 and n["cells"] == 9 and n["furthest_low"] > 0.1 and n["furthest_high"] < 0.9 and 0 < n["near_cells"] < n["cells"] and n["near_most"] < 100 and n["easier"] > n["cells"] / 2,
)

# %%
normal.says(
    "own",
    "**Our small models** score lower than nine people in ten. But they answered few questions, so {own_reaching} of the {own_cells} scores could still be ordinary: their intervals reach into people's middle half.",
    "M-ratios of this book's own models with a d' above 0.5: {own_cells}.",
    holds=0 < n["own_reaching"] <= n["own_cells"] and n["own_highest"] < 0.1,
)

# %%
normal.says(
    "size",
    "**Is an M-ratio of 0.8 low?** No. Luck aside, {settled_below_08:.0%} of people have less ({settled_below_08_lower:.0%} to {settled_below_08_upper:.0%}), and half of all people lie between {settled_lower_quarter:.2f} and {settled_upper_quarter:.2f}.",
    "As measured, the middle half lies between {raw_lower_quarter:.2f} and {raw_upper_quarter:.2f}, and {raw_chance:.0%} of the variance is chance. {settled_below_08:.0%} of people have an M-ratio below 0.8.",
    holds=n["raw_chance_lower"] > 0.1 and n["settled_below_08_lower"] > 0.25,
)

# %% [markdown]
# **Luck aside.** People have so few trials that luck alone makes them look unlike: it is
# {glue:text}`normal_raw_chance:.0%` of the variance of their M-ratios as measured. It can be worked out and taken off
# ([how, and how well](#normal-luck)).
#
# **The data** are of {glue:text}`normal_people:,` people in {glue:text}`normal_of_sets` sets of the Confidence Database
# {cite:p}`rahnev2020`, who chose between two things and said how sure they were ([who counts](#normal-who)).
#
# ## People, or their tasks?

# %%
forest(
    normal.spread, value="m_ratio", rows="who", colour="kind", reference=1, inline=True,
    caption="M-ratio: median and middle half of people, and the median person of each set (a dot). Last, seven sets in three ways, their medians and quartiles averaged.",
    titles={"who": "Who", "kind": "Whose"},
    label="fig-normal-spread",
)

# %%
normal.says(
    "in_sets",
    "Both. In {sets_below_1} of the {sets} sets with five people or more the median person has an M-ratio below 1, but in eight of ten sets it lies anywhere from {sets_low:.2f} to {sets_high:.2f}. Luck aside, people of one set lie apart by {sd_people:.2f} (standard deviation), and sets by {sd_sets:.2f}. So half of what seems to be people is which task they had. A hierarchical model puts the middle of {group_sets} sets lower, by {gap_settled_median:.2f}.",
    "Luck aside, the standard deviation of people of one set is {sd_people:.2f}, and of sets {sd_sets:.2f}.",
    holds=n["sets_below_1"] > 0.7 * n["sets"] and 0.7 < n["sd_sets"] / n["sd_people"] < 1.4 and n["gap_settled_median"] > 0,
)

# %% [markdown]
# ## What is not the same
#
# - **Difficulty.** Items that differ in difficulty raise an M-ratio. Models met thousands of sentences. People's conditions
#   are put together here: the same people's median is {glue:text}`normal_within:.2f` within one condition, and
#   {glue:text}`normal_pooled:.2f` over all. Many laboratories also adjust difficulty as they go, by a staircase, which raises
#   it as well {cite:p}`rahnev2019`; in which sets, we do not know.
# - **Trials.** The large models did thousands, a person some hundreds: a person's place is much less sure than a model's.
# - **Scales.** Models gave five levels, people two to six, or a slider that is cut into their own quarters.

# %% [markdown]
# And one thing is the same: the model behind the ratio fits only roughly, in people and large models alike.
#
# ### How roughly does it fit?
# <!-- fold -->

# %%
normal.says(
    "misfit",
    "It misfits [study 2's tables](study2-overview.ipynb), and people's. People's ratings, those of a set put together, depart from it in {fit_all_misfit} of {fit_all_sets} sets, where made-up data that obey it do in {fit_model_misfit}. It takes both kinds of items to spread equally (equal variance). In tasks of memory one kind spreads {fit_old_unlike:.2f} times as widely (z-ROC slope; {fit_old_unlike_null:.2f} by the model). That alone moves an M-ratio: were it {spread:.2f} times in all sets, the median would come out {unequal_median:+.2f} off and the lower end of the middle half {unequal_lower_quarter:+.2f}, in simulation. So read all of them as summaries.",
    "People's ratings, put together, fit worse than the model's own in {fit_all_misfit} of {fit_all_sets} sets; where ratings are drawn of the model, in {fit_model_misfit}.",
    holds=n["fit_all_misfit"] > n["fit_all_sets"] / 2 and n["fit_model_misfit"] < 0.05 * n["fit_model_sets"] and n["fit_old_unlike"] > 1.15 > 1.1 > n["fit_old_unlike_null"],
)

# %%
table(
    normal.misfit,
    *("whose", "sets", "misfit", "alone", "excess", "unlike", "unlike_null"),
    caption="Sets of five people or more whose ratings, put together, fit the model worse than its own counts would (pooled G², p below 0.05 after Holm); G² as a multiple of theirs; and how many times as widely one kind of item is spread as the other (median of sets).",
    titles={"sets": "Sets", "misfit": "Misfit, after Holm", "alone": "Misfit, each alone", "excess": "G² by the model's", "unlike": "Spread, seen", "unlike_null": "Spread, by the model"},
    digits={"excess": 2, "unlike": 2, "unlike_null": 2}, folded=True,
)

# %% [markdown]
# ## Where would each model lie?
# <!-- fold -->
#
# A place among people means something only where the model did what people did: decide between two things. Answers to
# open questions have no d' in this sense, so no model of study 1 stands in the table. Nor do
# {glue:text}`normal_left_out_models:d` tables of this book's models that break a rule of who counts.

# %%
table(
    normal.placed,
    *("model", "trials", "d_prime", "m_ratio", "people_below", "settled_below", "near", "near_below"),
    caption="Share of people whose M-ratio is lower, as theirs are measured and without chance (disattenuated), of all and of those whose d' is within 0.3 of the model's (where there are a hundred).",
    titles={"people_below": "People below, as measured", "settled_below": "People below, without chance", "near": "People with such a d'", "near_below": "Of these below"},
)

# %%
forest(
    normal.ratios[small], value="m_ratio", rows="who", reference=1,
    caption="M-ratio of this book's own small models with a d' above 0.5, with 95 % intervals.",
    titles={"who": "Who"},
    label="fig-normal-own",
)

# %% [markdown]
# (normal-luck)=
# ## Luck aside: how, and could it be a false alarm?
# <!-- fold -->
#
# As measured, the middle half of people lies between {glue:text}`normal_raw_lower_quarter:.2f` and
# {glue:text}`normal_raw_upper_quarter:.2f`; without chance (disattenuated) between
# {glue:text}`normal_settled_lower_quarter:.2f` and {glue:text}`normal_settled_upper_quarter:.2f`, and of the
# {glue:text}`normal_perception_people:,` people who did tasks of perception alone between
# {glue:text}`normal_settled_lower_quarter_perception:.2f` and {glue:text}`normal_settled_upper_quarter_perception:.2f`.
#
# A person has typically {glue:text}`normal_typical` trials. Chance moves an M-ratio of so
# few by {glue:text}`normal_typical_error:.2f` (its standard error), so people look more different than they are. We estimate
# how much that is for each person, from the same trials, and shrink each value towards the mean of its set until they vary as much as true ones
# must {cite:p}`louis1984`, a simple relative of hierarchical models {cite:p}`fleming2017`.

# %%
normal.says(
    "recovered",
    "We simulated the whole database with M-ratios that are known. Where the model behind the ratio is true and people differ, neither end of the middle half (its quartiles), luck aside, was off by more than {far:.2f} in any of {runs} databases of each kind. Where one kind of item spreads {spread:.2f} times as widely, the lower end is off by {unequal_lower_quarter:+.2f} on average. Where all are alike, the lower one is off by {alike_lower:.2f} on average, and the middle half seems {alike_settled:.2f} wide ({alike_raw:.2f} as measured).",
    "In simulated databases, quartiles without chance come out within {off_quartile:.2f} on average and shares within {off_share:.0%}; where all people are alike, the middle half is {alike_raw:.2f} wide as measured and {alike_settled:.2f} without chance.",
    holds=n["far_off"] == 0 and n["alike_settled"] < 0.25 * n["alike_raw"],
)

# %%
normal.says(
    "trials",
    "It can be seen in the data, too. With 100 of their trials, the middle half of the same people lies between {few_lower:.2f} and {few_upper:.2f}, with 400 between {many_lower:.2f} and {many_upper:.2f}. Without chance it hardly moves: {few_settled_lower:.2f} to {few_settled_upper:.2f}, and {many_settled_lower:.2f} to {many_settled_upper:.2f}.",
    "With 100 and 400 of their trials the middle half of the same people lies between {few_lower:.2f} and {few_upper:.2f}, and {many_lower:.2f} and {many_upper:.2f}; without chance between {few_settled_lower:.2f} and {few_settled_upper:.2f}, and {many_settled_lower:.2f} and {many_settled_upper:.2f}.",
    holds=abs((n["few_settled_upper"] - n["few_settled_lower"]) - (n["many_settled_upper"] - n["many_settled_lower"])) < 0.5 * ((n["few_upper"] - n["few_lower"]) - (n["many_upper"] - n["many_lower"])),
)

# %%
normal.says(
    "by_group",
    "And a full hierarchical model? In {group_sets} sets its middle half is {wide_group:.2f} wide on average, that without chance {wide_settled:.2f}, and as measured {wide_measured:.2f}. So both take off as much. Its medians are lower, by {gap_settled_median:.2f} on average. Its prior of M-ratio is centred on 1, so that is not why. Its prior of the criteria does lower an M-ratio from few trials, and it averages logarithms, in which a few very low values weigh much; how much each does, we do not know. Of {group_all} quartiles without chance {group_inside} are inside its 95 % intervals, fewer than there should be.",
    holds=0 < n["gap_settled_median"] < 0.15 and n["settled_median"] < 1 and n["group_inside"] < 0.95 * n["group_all"] and abs(n["wide_settled"] - n["wide_group"]) < 0.5 * (n["wide_measured"] - n["wide_group"]),
    plain="A hierarchical model of {group_sets} sets has a middle half {wide_group:.2f} wide on average, without chance it is {wide_settled:.2f}, as measured {wide_measured:.2f}; medians without chance lie {gap_settled_median:+.2f} from it.",
)

# %% [markdown]
# (normal-who)=
# ## Who counts, and what moves the number?
# <!-- fold -->
#
# Whoever did 100 trials or more, is right in less than 95 % of them, and has a d' above 0.5, since M-ratio divides by d'
# {cite:p}`maniscalco2012`. Whoever did two tasks counts twice. People and models go through one program.

# %%
normal.says(
    "conditions",
    "**Mixed difficulty.** {condition_people:,} people worked under several conditions, mostly easy and hard ones. Put together, their median M-ratio is {pooled:.2f}; within each condition it is {within:.2f}. Pooling gives more in {sets_pooled_more} of {condition_sets} sets.",
    "Of {condition_people:,} people under several conditions the median M-ratio is {pooled:.2f} with all put together and {within:.2f} within each; pooling gives more in {sets_pooled_more} of {condition_sets} sets.",
    holds=n["pooled"] > n["within"] and 3 * n["sets_pooled_more"] > 2 * n["condition_sets"],
)

# %%
normal.says(
    "levels",
    "**Levels.** Halving the levels, every two neighbours put together, moves the same people's median from {levels_many:.2f} to {levels_half:.2f}.",
    "With every two neighbouring ratings put together the median goes from {levels_many:.2f} to {levels_half:.2f}.",
    holds=abs(n["levels_half"] - n["levels_many"]) < 0.03,
)

# %%
table(
    normal.by_trials,
    *("what", "people", "m_ratio", "settled"),
    caption="People with 400 trials or more: median M-ratio and, under *interval*, the middle half of people, with so many of their trials.",
    titles={"what": "With", "m_ratio": "M-ratio, as measured", "settled": "M-ratio, without chance"},
)

# %%
table(
    normal.by_levels,
    *("what", "people", "m_ratio", "settled"),
    caption="By the scale of confidence: the same people, then people of other sets.",
    titles={"what": "Scale", "m_ratio": "M-ratio, as measured", "settled": "M-ratio, without chance"},
)

# %%
table(
    normal.who,
    *("rule", "people", "left_out", "alone", "m_ratio", "auroc2"),
    caption="Who counts: people by rule, how many each leaves out, how many are left out by it alone, and medians.",
    titles={"rule": "Rule", "left_out": "Left out", "alone": "By it alone"},
)

# %% [markdown]
# ## And AUROC2?
# <!-- fold -->

# %%
normal.says(
    "auroc2",
    "In the middle half of people AUROC2 is {auroc2_lower_quarter:.2f} to {auroc2_upper_quarter:.2f}. Many models have more, which says little: AUROC2 rises with d', and models' tasks are often easier than people's. Meta-I2r, the share of what is unknown about being right that confidence tells, is {meta_i2r_lower_quarter:.2f} to {meta_i2r_upper_quarter:.2f} (median {meta_i2r_median:.2f}).",
)

# %%
forest(
    normal.areas, value="auroc2", rows="who", colour="kind", reference=0.5,
    caption="AUROC2: how often confidence is higher on the right one of two answers, one right and one wrong (dashed: a coin). Of people the median and the middle half, of models the value and its 95 % interval. Models without a task behind their name answered open questions.",
    titles={"who": "Who", "kind": "Whose"},
    label="fig-normal-areas",
)

# %% [markdown]
# ## Do these numbers hold?
# <!-- fold -->
#
# Intervals here come from drawing whole sets again, since people of one set share a task. We simulated the people of the
# database, with their trials and ratings, and M-ratios that are like people's, skewed, or all alike, and did with them
# what this page does.

# %%
normal.says(
    "held",
    "Where people differ, 95 % intervals of quartiles without chance hold the truth in {held_least:.0%} to {held_most:.0%} of {runs} runs, so they are somewhat too narrow. Where all are alike, what is taken off is a little too little, and shares of people below a value mean nothing.",
    "Where people differ, 95 % intervals of quartiles without chance hold the truth in {held_least:.0%} to {held_most:.0%} of {runs} runs.",
    holds=0.8 < n["held_least"] and n["held_most"] < 0.95 and n["alike_settled"] > 0,
)

# %%
table(
    normal.simulated,
    *("world", "kind", "what", "truth", "mean", "bias", "held"),
    caption="Simulated databases: what is true of people, the mean of what the page would say, how far it is off, and the share of 95 % intervals that hold the truth.",
    titles={"world": "M-ratios", "kind": "Whose", "what": "Summary", "truth": "Truth", "mean": "Mean", "bias": "Off by", "held": "Held"},
)

# %% [markdown]
# ## What would change your mind
#
# - Give people the models' tasks, and models people's: if either's M-ratio moved to another quarter, the task and not
#   the mind would have been compared.
# - Give the same people thousands of trials. If their M-ratios then varied as much as with 200, chance would not be what
#   made them look different.
#
# The data are their contributors', named in `data/confidence_database/sets.csv`; people's trials are not in this book.
# For a value of your own, ask
# [`import-trials --among-people`](../book/own-trials.md).
