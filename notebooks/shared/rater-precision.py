# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A human panel: how many raters, how many items?

# %% tags=["parameters"]
profile = "default"
rater_alpha = 0.25
rater_agreement = 0.90
half_width = 0.15
n_panels = 500
seed = 42

# %%
from metacog.report import lines, table
from metacog.studies import open_run

run = open_run("shared", profile)

# %%
given = {"rater_alpha": rater_alpha, "rater_agreement": rater_agreement, "half_width": half_width}
found = run.result("raters", **given, n_panels=n_panels, seed=seed)
found.glue()
n = found.numbers()
found.says(
    "answer",
    "Double the items or double the raters: neither is shown to measure agreement better.",
    "Doubling items measures agreement better for {items} of {n_shares} shares of the rarer judgement, doubling raters for {raters}.",
    holds=n["items"] == n["raters"] == 0,
    head=True,
)

# %%
lines(
    found.designs[found.designs["rarer"] != 0.2],
    x="n_raters",
    value="spread",
    colour="n_items",
    panel="rarer",
    log=True,
    caption="How far Krippendorff's alpha spreads (1.96 standard deviations over simulated panels) by number of raters, a line for each number of items, a panel for each share of the rarer judgement. More raters help less and less, since all judge the same few items.",
    titles={"spread": "half-width of alpha", "n_raters": "raters", "rarer": "share of the rarer judgement"},
    label="fig-raters-spread",
)

# %% [markdown]
# What does a score on [the probe](study4-replication.ipynb) mean? One answer is to give the same items to
# people. Another is to let people judge what models replied, and to see whether they agree with one another and with the
# scorer. The probe's paper reports how far people on its panel agree {cite:p}`oliveira2026probe`, task by task, but not
# the answers behind it ([its printed figures](study4-overview.ipynb)). This page is a protocol for
# your own panel, and shows how many raters it takes. No panel has been run for this book.
#
# There are two roles, and a person should have only one of them, because raters see the keys.
#
# Participants
# : answer the items, as a model does. Their answers are marked by the same rules as the models' answers.
#
# Raters
# : judge replies, by rubric and key, without knowing whose they are.
#
# ## Before anybody is asked
#
# Consent and ethics
# : A panel is research with people. Ask the ethics board of your institution first, or find out in writing that you
#   need not. Tell everyone, before they begin, what the task is, how long it takes, what is paid, what is stored, who
#   will see it and what will be published, that they may stop at any time without giving a reason, and until when they
#   can have their answers deleted. Keep the list of names apart from the sheets, and delete it when it is no longer
#   needed. The sheets contain no names: a person is `person-01`.
#
# Fix beforehand
# : how many people will take part and how they are found; who is left out and why; which bars (the values that agreement
#   should reach) count; what is done with sheets that are half empty. Write it down with a date, before the first sheet
#   goes out.
#
# Who
# : Adults who read the items' language fluently. Ask, on a separate sheet, for what may explain a difference:
#   schooling, years in a field that the items are about, experience with language models. People who wrote or checked
#   items, or who have seen the keys, cannot take part. Raters need no special knowledge, since the key is shown next
#   to the reply; they need an hour of training on replies that are not in the sheets, and a discussion of every
#   disagreement there.
#
# ## Participants: what they see
# <!-- fold -->
#
# ```bash
# metacog panel ask --study study4_probe --people 100 --items 30 --out panel/sheets \
#     --quota education=school:25,bachelor:25,advanced:50 \
#     --quota stem=yes:50,no:50 --quota ai=none:20,occasional:40,daily:40
# ```
#
# writes one CSV per person. It contains what a model is asked, taken from the study's own requests: the task's
# instruction with its worked examples, and the item. It does not contain keys, rubrics, difficulties or accepted
# forms. `--people` is yours to set. With `--items` everybody has the same items, as many of each task as the tasks allow;
# without it, all. With quotas, `people.csv` says who is to be found for each sheet, every combination in its share; put
# what is true of a person in its place, and add columns as you like. An item of any collection that asks in one turn can be put on a sheet, with
# `--study`, `--collection` and `--dataset`.
#
# Order
# : Every sheet has its own order, drawn with a seed. Tasks stay together, since the items of a task share instruction
#   and scale; tasks come in a random order, and so do the items within each. So tiredness and practice affect all
#   items alike. People work from top to bottom and do not go back.
#
# Conditions
# : In one sitting, with a break between tasks, without search, without a language model, without one another. What
#   cannot be supervised must be asked about afterwards: a sentence in the column `remarks` where something was looked
#   up. Such rows are left out by a rule fixed beforehand.
#
# Confidence
# : It is recorded with the answer, in the same cell `reply` and on the scale that the instruction names, as models are
#   asked to: `ANSWER: ...` in one line, `CONFIDENCE: ...` in the next. The two scales (1 to 10, and 0 to 100) are not
#   converted by hand. Confidence is that of being right with this answer; say so aloud, for people tend to report how
#   hard an item felt. A guess is an answer with a low confidence. A cell that is left empty counts as not asked.
#
# Then mark what was written:
#
# ```bash
# metacog panel mark panel/sheets/person-*.csv --study study4_probe \
#     --about panel/sheets/people.csv --out panel/answers.csv
# metacog raters panel/answers.csv --rater person --judgement correct --by part
# metacog import-trials panel/answers.csv --correct correct --confidence confidence \
#     --model person --domain part --question-id item
# ```
#
# The first command reads replies with the parser that reads a model's replies and writes one row per answer, with what
# it could not read under `unread`. The second reports how far people are right, and wrong, on the same items. The
# third gives [the measures of the rest of the book](../book/own-trials.md), treating each person as a model; rows of tasks
# that ask for no confidence are dropped and counted. With few items per person, most parts are too small to be judged; `--pool` treats
# all people as one.
#
# And test what was fixed beforehand, with the filled sheets alone:
#
# ```bash
# metacog panel test panel/sheets/person-*.csv --study study4_probe --about panel/sheets/people.csv \
#     --parts T1_CC,T2_EV --order education=school,bachelor,advanced --models
# ```
#
# says whether two tasks go together over people, whether the share right rises with a group of people (tau-b), how alike
# people answer each task, how confidence goes with being right, and, with `--models`, whether the same tasks are hard for
# people and for the models of the profile. The bars are [the paper's](study4-overview.ipynb) and can be changed. A figure
# is held against its bar as it is; how sure that is, the interval next to it says.
#
# ## Raters: how they judge
# <!-- fold -->
#
# ```bash
# metacog panel judge --study study4_probe --raters 5 --out panel/judging
# ```
#
# takes the replies that a profile collected, and writes one CSV per rater, with columns for prompt, rubric, key and
# reply, and an empty one for `judgement`.
#
# Blinding
# : A reply has a code, `item`, that reveals nothing; all models' replies are mixed, in a different order for every
#   rater. `codes.csv` records whose each is and how the scorer marked it. It stays with whoever runs the panel until
#   all sheets are in. Some models name themselves; note such replies under `remarks`, and report results without them
#   as well. Raters do not talk about replies before all are done.
#
# Judgement
# : One word per reply: `yes` if it earns the point by the rubric, `no` if not. If a rubric leaves a case open, a rater
#   decides alone and writes why under `remarks`; rubrics are corrected for the next version of the items, never during a
#   panel. A reply that fails the format is judged by its content; the format is the scorer's business. Confidence is not
#   judged.
#
# Who judges what
# : Ideally, all raters judge all replies: Cronbach's alpha uses only what all of them judged. If that is too much,
#   distribute the replies so that each is judged by two or more raters, and every pair of raters shares some; pairwise
#   agreement and Krippendorff's alpha allow gaps.
#
# ## How far they agree
#
# ```bash
# metacog raters panel/judging/rater-*.csv --by part
# ```
#
# reads a table in either form: *long*, one row per judgement (these sheets; other names with `--rater`, `--item`,
# `--judgement`), or *wide*, one row per item and one column per rater. Judgements are labels; empty cells are missing.
# It prints, for all items and for each part, with intervals from resampling items:
#
# - **pairwise agreement**: how often two raters of the same item give the same judgement;
# - **Krippendorff's alpha** {cite:p}`krippendorff2004`: the same corrected for chance; 0 is chance, 1 is full agreement;
# - **Cronbach's alpha** {cite:p}`cronbach1951`, with raters as the parts of a test and items as what is tested: how
#   reliable the *sum* of the raters is. It grows with their number; Krippendorff's alpha does not.
#
# Next to them are two bars, which are those of the paper's third hypothesis and can be changed (`--agreement-bar`,
# `--alpha-bar`). A value is compared with its bar, and the line shows whether the entire interval lies on that side.
# `results/raters/` contains the numbers (`reliability.csv`), the agreement of each pair of raters (`pairs.csv`; a
# rater who differs from the rest shows there) and a record of what produced them.
#
# Where all raters give the same judgement on everything, agreement is 1 and alpha is undefined, not 1: raters who only
# ever say *yes* have not shown that they can distinguish items.
#
# ## How many raters, how many items
#
# How precise is the number that expresses agreement? Invent raters whose agreement is known, let them judge, and see how
# far the estimates fall from the truth. Each of these raters independently knows an item's true category with a certain
# probability, and otherwise guesses according to how frequent the categories are. The square of that probability is
# their Krippendorff's alpha, whatever the number of raters, so it can be set: here to {glue:text}`raters_alpha:.2f`.
# There are two categories, such as *right* and *wrong*. Each design was simulated
# {glue:text}`raters_simulations:,` times.

# %%
table(
    found.needed,
    *("n_items", "share_0.5", "share_0.2", "share_0.1"),
    caption="The smallest simulated number of raters whose alpha spreads by no more than the wanted half-width, by share of the rarer judgement.",
)

# %% [markdown]
# The wanted half-width is {glue:text}`raters_half_width:.2f`. So count the items of the *rarer* judgement before you
# count raters: if nearly all replies are wrong, choose replies for judging so that both kinds are frequent, and report
# that you did. For participants the count is a different one: what is estimated is a mean or a correlation over people,
# whose precision depends on how much people differ. A pilot shows how much.
#
# ## Are the intervals wide enough?
# <!-- fold -->
#
# `metacog raters` computes an interval by resampling items (the bias-corrected and accelerated bootstrap, BCa
# {cite:p}`efron1987`). How often does it contain the alpha that was put in? Where few items are of the rarer kind, these
# few decide, and resampling them cannot show what other items would have done.

# %%
lines(
    found.designs[found.designs["rarer"] != 0.2],
    x="n_raters",
    value="coverage",
    colour="n_items",
    panel="rarer",
    log=True,
    reference=0.95,
    caption="Share of 95 % intervals that contain the alpha that was put in; dashed: what they promise.",
    titles={"coverage": "share that contain alpha", "n_raters": "raters", "rarer": "share of the rarer judgement"},
)

# %% [markdown]
# ## Two bars, two questions
# <!-- fold -->
#
# A bar for agreement and one for alpha are not a strict and a lenient form of the same thing. Where one judgement
# is rare, raters often agree without knowing anything; then agreement is easily high, and alpha is not. Where both
# are frequent it is the other way round: raters at the bar of alpha, {glue:text}`raters_alpha:.2f`, are far from
# the bar of agreement, {glue:text}`raters_agreement:.2f`.

# %%
table(
    found.bars,
    *("rarer", "chance", "agreement", "alpha"),
    caption="What the two bars require of the same raters; in closed form.",
    titles={
        "chance": "Agreement of raters who know nothing",
        "agreement": "Agreement at the bar of alpha",
        "alpha": "Alpha at the bar of agreement",
    },
    digits={"chance": 3, "agreement": 3, "alpha": 3},
)

# %% [markdown]
# ## What to publish
#
# The filled-in sheets without names, `codes.csv`, the seed, the version of the items, the date of the plan, and every
# departure from it.
#
# ## What would change your mind
#
# The simulated raters err independently of one another, and all items are equally hard. Where raters share a misreading,
# they agree on something wrong, and no number of them reveals it. Where a few items are hard and the rest plain,
# alpha rests on the few. A pilot with a handful of raters is more informative than this page: run `metacog raters`
# on it, and set `rater_alpha` to what it finds.
