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
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study8_people", profile)
normal = run.result("normal")
normal.glue()
n = normal.numbers()
normal.says(
    "answer",
    "Is an M-ratio of four fifths low? No: half of people lie between {settled_lower_quarter:.2f} and {settled_upper_quarter:.2f}, luck aside.",
    "Without chance, the middle half of people's M-ratios lies between {settled_lower_quarter:.2f} and {settled_upper_quarter:.2f}.",
    holds=n["settled_middle_half_upper"] < n["raw_middle_half_lower"] and n["raw_chance_lower"] > 0.1 and n["settled_lower_quarter"] < 0.8 < n["settled_upper_quarter"],
    head=True,
)

# %%
small = normal.ratios["kind"] == "this book's models"
forest(
    normal.ratios[~small], value="m_ratio", rows="who", colour="kind", reference=1,
    caption="M-ratio: how much of the evidence behind a decision its confidence uses (1, dashed: all of it). Of people the median and the middle half, as measured and without chance; of models the value and its 95 % interval. Only two choices (A: negative or positive, B: oral or written, C: word deleted or not), and a d' above 0.5.",
    titles={"who": "Who", "kind": "Whose"},
    label="fig-normal-ratios",
)

# %% [markdown]
# Papers put models beside each other, or beside an ideal. This page puts them beside people. (It is about choices of one of
# two: whoever has open answers can pass it by.) Somebody decides between two things, and says how sure that is. The **M-ratio** asks how much of what the decision used
# reaches the confidence: all of it at 1, nothing at 0. It lies above 1 where something comes to mind after deciding, where
# items differ in difficulty, or by chance.

# %%
normal.says(
    "size",
    "As measured, the middle half lies between {raw_lower_quarter:.2f} and {raw_upper_quarter:.2f}. Much of that is luck: chance makes up {raw_chance:.0%} of the variance ({raw_chance_lower:.0%} to {raw_chance_upper:.0%}). So an M-ratio of 0.8 is not low. {settled_below_08:.0%} of people ({settled_below_08_lower:.0%} to {settled_below_08_upper:.0%}) have less. (In simulations such intervals hold the truth somewhat less often than 95 times in 100; see the end.)",
    "As measured, the middle half lies between {raw_lower_quarter:.2f} and {raw_upper_quarter:.2f}, and {raw_chance:.0%} of the variance is chance. {settled_below_08:.0%} of people have an M-ratio below 0.8.",
    holds=n["raw_chance_lower"] > 0.1 and n["settled_below_08_lower"] > 0.25,
)

# %%
normal.says(
    "models",
    "**The large models of study 2 fall among people.** Chance taken off people's, their {cells} M-ratios lie above those of {furthest_low:.0%} to {furthest_high:.0%} of people, none of them far out. But only for {near_cells} of the {cells} are there a hundred people with a $d'$ like theirs, within 0.3: these lie above {near_low:.0%} to {near_high:.0%} of such people. For the others there are no more than {near_most}, too few to say.",
    "The {cells} M-ratios of the large models of study 2 lie above those of {furthest_low:.0%} to {furthest_high:.0%} of people.",
    holds=n["furthest_low"] > 0.1 and n["furthest_high"] < 0.9 and 0 < n["near_cells"] < n["cells"] and n["near_most"] < 100,
)

# %%
normal.says(
    "own",
    "This book's own models are small. As measured none of their {own_cells} M-ratios is above that of more than {own_highest:.0%} of people, but from so few trials: the intervals of {own_reaching} reach into people's middle half.",
    "M-ratios of this book's own models with a d' above 0.5: {own_cells}.",
    holds=0 < n["own_reaching"] <= n["own_cells"] and n["own_highest"] < 0.25,
)

# %% [markdown]
# **The data.** The Confidence Database {cite:p}`rahnev2020` collects what researchers of many laboratories measured:
# people decide between two things, and say how sure they are. {glue:text}`normal_people:,` people of
# {glue:text}`normal_of_sets` sets count here. Each of them did 100 trials or more, is right in less than 95 % of them,
# and has a d' above 0.5, since M-ratio divides by d' {cite:p}`maniscalco2012`. Whoever did two tasks counts twice. People
# and models go through one program.
#
# **Chance taken off.** A person has typically {glue:text}`normal_typical` trials. Chance moves an M-ratio of so
# few by {glue:text}`normal_typical_error:.2f` (its standard error), so people look more different than they are. We estimate
# how much that is for each person, from the same trials, and shrink each value towards the mean of its set until they vary as much as true ones
# must {cite:p}`louis1984`, a simple relative of hierarchical models {cite:p}`fleming2017`.
#
# ## Could this be a false alarm?

# %%
normal.says(
    "recovered",
    "We simulated the whole database with M-ratios that we know. Where people differ, quartiles without chance come out within {off_quartile:.2f}, and shares of people within {off_share:.0%}. Where all people are alike, the middle half seems {alike_raw:.2f} wide as measured, and {alike_settled:.2f} without chance.",
    "In simulated databases, quartiles without chance come out within {off_quartile:.2f} and shares within {off_share:.0%}; where all people are alike, the middle half is {alike_raw:.2f} wide as measured and {alike_settled:.2f} without chance.",
    holds=n["off_quartile"] < 0.05 and n["off_share"] < 0.05 and n["alike_settled"] < 0.25 * n["alike_raw"],
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
    "in_sets",
    "Does it depend on a few sets? In {sets_below_1} of the {sets} sets with five people or more the median person has an M-ratio below 1. Sets differ: in eight of ten the median lies between {sets_low:.2f} and {sets_high:.2f}, in part by the chance of few people, in part because their tasks differ. So *people* here are also a mix of tasks.",
)

# %%
normal.says(
    "by_group",
    "And a full hierarchical model? In {group_sets} sets its middle half is {wide_group:.2f} wide on average, that without chance {wide_settled:.2f}, and as measured {wide_measured:.2f}. So both take off as much. Its medians are lower, by {gap_settled_median:.2f} on average, perhaps since its priors pull an M-ratio from few trials down. Of {group_all} quartiles without chance {group_inside} are inside its 95 % intervals, fewer than there should be.",
    holds=n["gap_settled_median"] > 0 and n["group_inside"] < 0.95 * n["group_all"] and abs(n["wide_settled"] - n["wide_group"]) < 0.5 * (n["wide_measured"] - n["wide_group"]),
    plain="A hierarchical model of {group_sets} sets has a middle half {wide_group:.2f} wide on average, without chance it is {wide_settled:.2f}, as measured {wide_measured:.2f}; medians without chance lie {gap_settled_median:+.2f} from it.",
)

# %% [markdown]
# ## Where would a model lie?
#
# A place among people means something only where the model did what people did: decide between two things. Answers to
# open questions have no d' in this sense, so no model of study 1 stands in the table. Nor do
# {glue:text}`normal_left_out_models:d` tables of this book's models that break a rule of who counts.

# %%
table(
    normal.placed,
    *("model", "trials", "d_prime", "m_ratio", "people_below", "settled_below", "near", "near_below", "low", "high"),
    caption="Share of people whose M-ratio is lower, as theirs are measured and without chance, of all and of those whose d' is within 0.3 of the model's (where there are a hundred). Last, where nine in ten draws of as many of its trials as a person has would put the model; nothing where it has no more than that.",
    titles={"people_below": "People below, as measured", "settled_below": "People below, without chance", "near": "People with such a d'", "near_below": "Of these below", "low": "With few trials, from", "high": "With few trials, to"},
)

# %%
forest(
    normal.ratios[small], value="m_ratio", rows="who", reference=1,
    caption="M-ratio of this book's own small models with a d' above 0.5, with 95 % intervals.",
    titles={"who": "Who"},
    label="fig-normal-own",
)

# %% [markdown]
# What is not the same:
#
# - **Difficulty.** Models met thousands of sentences once, and these differ in difficulty, which raises an M-ratio. So do
#   people's items: their conditions are put together here (below), and many laboratories adjust difficulty by a staircase,
#   which raises it as well {cite:p}`rahnev2019`. In which sets, we do not know.
# - **The model behind the ratio.** It [fits study 2's tables only roughly](study2-overview.ipynb), and unequal curves or
#   wrong keys can lower an M-ratio by themselves. Whether people's ratings fit it better was not tested.
# - **Spread.** Both kinds of items are taken to spread equally. In recognition memory, where some of these sets come from, they
#   mostly do not, and that alone moves an M-ratio.
# - **Trials.** With as few as a person has, and with as few errors as they make on task A, models would come out lower.
# - **Scales.** Models gave five levels, people two to six, or a slider that is cut into their own quarters.
#
# ## What moves the number?
# <!-- fold -->

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
    "In the middle half of people AUROC2 is {auroc2_lower_quarter:.2f} to {auroc2_upper_quarter:.2f}. Many models have more, which says little: AUROC2 rises with d' and with how much items differ in difficulty, and models' tasks differ from people's in both. Meta-I2r, the share of what is unknown about being right that confidence tells, is {meta_i2r_lower_quarter:.2f} to {meta_i2r_upper_quarter:.2f} (median {meta_i2r_median:.2f}).",
)

# %%
forest(
    normal.areas, value="auroc2", rows="who", colour="kind", reference=0.5,
    caption="AUROC2: how often confidence is higher on the right one of two answers, one right and one wrong (dashed: a coin). Of people the median and the middle half, of models the value and its 95 % interval. Models without A, B or C answered open questions.",
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
