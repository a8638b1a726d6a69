# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: people beside models

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study8_people", profile)
beside = run.result("beside")
reading = run.result("reading")
beside.glue()
reading.glue()
n = beside.numbers()
beside.says(
    "answer",
    "People's stated confidence sorts their answers in {people_own:.0%} of pairs; models' strength of evidence theirs in {models_own:.0%}. Swap the two, and both fall.",
    "For people's answers, people's own confidence says {says_people_own} than a model's; for models' answers, models' own says {says_models_own} than a person's.",
    holds=n["says_people_own"] == n["says_models_own"] == "more" and n["human_people_lower"] > 0 and n["people_own"] < n["models_own"] and n["gap_people_own"] < 0.1 < n["gap_models_own"],
    head=True,
)

# %%
forest(
    beside.areas,
    value=["people", "models"],
    rows="source",
    reference=0.5,
    caption="Of two items, one answered rightly and one wrongly: how often is the sign on the left higher for the right one (AUROC2; dashed: a coin)? For people's answers and for models' answers, with 95 % intervals over items and people. Same kind: another person, or a model of another maker. Same answer: whether that other one gives this answer.",
    titles={"people": "people's answers", "models": "models' answers", "": "AUROC2"},
    label="fig-people-models",
)

# %%
beside.says(
    "size",
    "People are surer of the right one of two items in {people_own:.0%} of pairs, where a coin would be in half; models in {models_own:.0%}. With a model's confidence in place of the person's it is {people_other_kind:.0%}, and with a person's in place of the model's {models_other_kind:.0%}.",
    "Own confidence is higher on the right one of two items in {people_own:.0%} of pairs for people and {models_own:.0%} for models; the other kind's in {people_other_kind:.0%} and {models_other_kind:.0%}.",
    holds=n["people_own"] > n["people_other_kind"] > 0.5 and n["models_own"] > n["models_other_kind"] > 0.5,
)

# %% [markdown]
# A person feels sure, a model's numbers say that it is sure. Do both only feel how hard the question is? Then it would
# not matter *whose* confidence one takes. To find out, people and models must have answered the same items.
#
# **The data** {cite:p}`luo2024`. {glue:text}`reading_n_people:d` neuroscientists read two versions of an
# abstract, one of them with a changed result, and said which is the true one and how sure they were. So did
# {glue:text}`reading_n_models:d` language models of {glue:text}`reading_n_makers:d` makers: a model's answer is the abstract
# that surprises it less. Its confidence is **by how much** (the difference of the logarithms of perplexity). Nobody has
# asked these models how sure they are, so for a model the page is about what drives its choice, as strength of evidence
# is in people, and not about a report. People found the true abstract in {glue:text}`beside_right_people:.0%` of their
# trials, models in {glue:text}`beside_right_models:.0%` of the same ones.
#
# **How it is compared.** A person answered {glue:text}`reading_fewest:d` to {glue:text}`reading_most:d` items, too few to say
# anything about one person. So all pairs of items of one person are put together, and a pair counts where one of its two
# answers is right. (On [another page](frontier-whom-to-ask.ipynb) a second model's *answer* is set beside a model's own
# confidence; here it is mostly somebody else's *confidence*.) (Why AUROC2, and not another measure? [Which should one report?](which-measure.ipynb))
#
# ## How sure is it?

# %%
beside.says(
    "lossless",
    "Part of that follows from being right more often. An observer that decides between two by one piece of evidence, and whose confidence uses all of it, would be surer of the right item in {people_lossless:.0%} of pairs if right as often as these people, in {models_lossless:.0%} if as often as these models. So models, whose confidence *is* the evidence they decide by, reach what their right answers make one expect. People lie below it, with an interval ({people_own_lower:.0%} to {people_own_upper:.0%}) that just touches it; where items differ in difficulty, as these do, one such number is a little too low.",
    "An observer that uses all of its evidence in its confidence would be surer of the right item in {people_lossless:.0%} of pairs if right as often as these people, in {models_lossless:.0%} if as often as these models.",
    holds=abs(n["models_own"] - n["models_lossless"]) < 0.03 < n["people_lossless"] - n["people_own"] and abs(n["people_own_upper"] - n["people_lossless"]) < 0.01,
)

# %%
beside.says(
    "narrow",
    "For people the gain is small: {gap_people_own:+.3f} over a model's confidence ({gap_people_own_lower:+.3f} to {gap_people_own_upper:+.3f}). It is there on items that people wrote ({human_people:+.3f}, {human_people_lower:+.3f} to {human_people_upper:+.3f}); on items that a model wrote we cannot see it ({machine_people:+.3f}, {machine_people_lower:+.3f} to {machine_people_upper:+.3f}). For models it is large: {gap_models_own:+.3f} over a person's.",
    "For people's answers own confidence less a model's is {gap_people_own:+.3f} ({gap_people_own_lower:+.3f} to {gap_people_own_upper:+.3f}), on items written by people {human_people:+.3f}, by a model {machine_people:+.3f}; for models' answers, own less a person's is {gap_models_own:+.3f}.",
    holds=0 < n["gap_people_own_lower"] and n["gap_people_own"] < 0.1 < n["gap_models_own"] and n["human_people_lower"] > 0 > n["machine_people_lower"] and n["machine_people_upper"] > 0,
)

# %%
beside.says(
    "false_alarms",
    "**Would we see it where it is not?** Rarely. We simulated people whose confidence says no more about their answers than a model's does: the page would claim that it does in {claimed_alone} of {simulated} runs. In all worlds that we tried, {false_least:.1%} to {false_most:.1%} of runs claim some difference where there is none, and 95 % intervals hold the truth in {held_least:.1%} to {held_most:.1%}.",
    "In simulated worlds, {false_least:.1%} to {false_most:.1%} of runs claim some difference where there is none, and 95 % intervals hold the truth in {held_least:.1%} to {held_most:.1%}.",
    holds=n["claimed_alone"] < 0.05 * n["simulated"] and n["false_most"] < 0.06 and n["held_least"] > 0.9,
)

# %% [markdown]
# ## Whom to ask about a person's answer?
#
# A model need not say how sure it is. It may simply answer, and one looks whether that is **the same answer**.

# %%
beside.says(
    "same",
    "To check a person, ask a model for its answer. Whether it agrees points to the right one of two items in {people_other_kind_same:.0%} of pairs ({people_other_kind_same_lower:.0%} to {people_other_kind_same_upper:.0%}); the person's own confidence only in {people_own:.0%}. To check a model, its own confidence is better than another maker's answer: {models_own:.0%} against {models_another_same:.0%}.",
    "A model's same answer points to the right one of a person's two answers in {people_other_kind_same:.0%} of pairs, the person's own confidence in {people_own:.0%}; another maker's same answer to that of a model in {models_another_same:.0%}, its own confidence in {models_own:.0%}.",
    holds=n["says_people_same"] == "less" and n["says_models_same"] == "more",
)

# %% [markdown]
# With two answers to choose from, another's same answer points to the right item as often as the other is right. Whoever
# is right more often tells more by answering than a person does by being sure.
#
# ## Is it about oneself?

# %%
beside.says(
    "oneself",
    "It cannot be told, though it looks so for models. A model's own confidence says a little more about its answers than that of another maker's model ({gap_models_another:+.3f}, {gap_models_another_lower:+.3f} to {gap_models_another_upper:+.3f}) and than that of its maker's other models ({gap_models_maker:+.3f}, {gap_models_maker_lower:+.3f} to {gap_models_maker_upper:+.3f}). Of {parts} parts of the data, {parts_both} show both.",
    "A model's own confidence less that of another maker's model is {gap_models_another:+.3f} ({gap_models_another_lower:+.3f} to {gap_models_another_upper:+.3f}), less that of its maker's other models {gap_models_maker:+.3f} ({gap_models_maker_lower:+.3f} to {gap_models_maker_upper:+.3f}).",
    holds=n["says_oneself"] == "more" and n["gap_models_another"] < 0.1 and n["parts_both"] < n["parts"],
)

# %%
beside.says(
    "fooled",
    "**What would fake this.** Suppose no model knows anything of itself, but each finds other things hard: then the page claims both in {claimed_each_both} of {simulated} runs. So this cannot be told from knowledge of oneself here. (Where only makers differ, both are claimed in {claimed_unlike_both}.) For people it cannot even be asked: only {second_people} comparisons have a second person.",
    "In simulations without self-knowledge, both are claimed in {claimed_each_both} of {simulated} runs where each model finds other things hard, and in {claimed_unlike_both} where makers do. {second_people} comparisons have a second person.",
    holds=2 * n["claimed_each_both"] > n["simulated"] and n["claimed_unlike_both"] < 0.05 * n["simulated"] and n["second_people"] < 500,
)

# %%
table(
    beside.ways,
    *("way", "comparisons", "people_own", "models_own", "models_another", "models_maker"),
    caption="Own confidence less a rival's, by which items and models are used. The first two set it against the other kind's, the last two a model's against that of another maker's model, and of its maker's models of other weights.",
    titles={"way": "Rows", "models_another": "Models: less another maker's", "models_maker": "Models: less their maker's others"},
)

# %% [markdown]
# ## One difficulty, or two?

# %%
beside.says(
    "common",
    "What is hard for people is only partly hard for models. With chance taken off, their right answers correlate {shared_right:.2f} over items ({shared_right_lower:.2f} to {shared_right_upper:.2f}) and their confidence {shared_sure:.2f} ({shared_sure_lower:.2f} to {shared_sure_upper:.2f}); 1 would be one difficulty for both.",
    "With chance taken off, people's and models' right answers correlate {shared_right:.2f} over items ({shared_right_lower:.2f} to {shared_right_upper:.2f}).",
    holds=0 < n["shared_right_lower"] and n["shared_right_upper"] < 1 and 0 < n["shared_sure_lower"] and n["shared_sure_upper"] < 1,
)

# %% [markdown]
# ## What is normal?
#
# How well does a person's confidence usually tell right answers from wrong ones? One study of one task cannot say what
# to expect of people. More than a hundred studies can, [on a page of their own](what-is-normal.ipynb).
#
# ## Do experts know better what they know?
# <!-- fold -->

# %%
beside.says(
    "experts",
    "Not that we can see. Between people who rate their expertise higher and the others we see no clear difference, in right answers ({experts_right:+.3f}, {experts_right_lower:+.3f} to {experts_right_upper:+.3f}) or in how well confidence tells them ({experts_own:+.3f}, {experts_own_lower:+.3f} to {experts_own_upper:+.3f}). Both intervals are wide, and experts is what they call themselves: the lower half rates itself {lower_rating:.0f} of 100.",
    "People who rate their expertise higher differ from the others by {experts_right:+.3f} in right answers ({experts_right_lower:+.3f} to {experts_right_upper:+.3f}) and by {experts_own:+.3f} in AUROC2 ({experts_own_lower:+.3f} to {experts_own_upper:+.3f}).",
    holds=n["experts_right_lower"] < 0 < n["experts_right_upper"] and n["experts_own_lower"] < 0 < n["experts_own_upper"],
)

# %%
table(
    beside.expertise,
    *("people", "n_people", "expertise", "accuracy", "own", "other_kind"),
    caption="People by how they rate their own expertise with the items' topics: share of right answers, and AUROC2 of their own confidence and of a model's for their answers.",
    titles={"people": "People with"},
)

# %% [markdown]
# ## Do these intervals hold?
# <!-- fold -->
#
# Two pairs may go together when they share a person or an item. The intervals let both vary (clustering in several
# ways); models are these {glue:text}`reading_n_models:d`, and every maker counts alike.

# %%
table(
    beside.worlds,
    *("world", "name", "runs", "mean", "half_width", "covers", "above", "below"),
    caption="Simulated worlds: mean of the estimates, mean half-width of the intervals, in how many runs they hold the truth, and in how many the page would claim that the difference lies above or below 0.",
    titles={"name": "Difference", "above": "Claimed above 0", "below": "Claimed below 0"},
)

# %% [markdown]
# ## What is in the rows?
# <!-- fold -->

# %%
reading.says(
    "uneven",
    "{n_all_items} of {n_models} models answered all {n_items} items, the others the {n_by_people} that people wrote. {n_same_weights} models share their weights with another.",
)

# %%
table(
    reading.odd,
    *("what", "n", "of"),
    caption="What is odd in the rows. None of it is left out.",
    titles={"n": "Found", "of": "Of"},
)

# %%
table(
    reading.models,
    *("model", "maker", "weights", "items", "accuracy"),
    caption="The models. Models of one maker are never each other's others.",
)

# %% [markdown]
# ## What would change your mind
#
# - Ask each person many more of these items, so that a second person stands beside every answer. If a person's own
#   confidence then told more than any number of others' do together, it would hold something that others do not see.
# - Ask the models how sure they are. If what they state told more than many other models' surprise does, the same would be
#   true of them.
#
# The data are the authors' (Apache License 2.0), from three repositories that `data/people/README.md` names. Changes were
# made: answers are marked, people numbered, and the abstracts left out.
