# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What survives in open data?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
survives = run.result("survives")
survives.glue()
n = survives.numbers()
which = survives.says(
    "which",
    "In {confidence_sets} sets of models' answers that others published, several of which are signals of the same replies (95 % intervals from {lower_pairs:.0f} to {upper_pairs:.0f}; stated numbers tie often, and a tie counts half). People, on one of these sets, come to {human_size:.0f}. Small models that this book asked its own questions come to {here_size:.0f} ({here_size_lower:.0f} to {here_size_upper:.0f}), and are not counted.",
    "{confidence_sets} sets of models' answers that others published can tell.",
    holds=n["confidence_sets"] > 1 and n["here_size_lower"] > 50,
)
survives.says(
    "answer",
    "Pair a right answer with a wrong one: confidence puts the right one first in {least_pairs:.0f} to {most_pairs:.0f} % of pairs, on average over models.",
    "Confidence tells right from wrong in {confidence_holds} of {confidence_sets} sets of models' answers that others published.",
    holds=n["confidence_holds"] == n["confidence_sets"] > 1,
    head=True,
    note=which,
)

# %%
forest(
    survives.drawn.query("pairs"),
    value="size",
    rows="short",
    colour="set",
    hollow="open",
    reference=0,
    caption="Six claims, set by set, in one unit: how many more of 100 pairs of a right and a wrong answer have the right one ahead in confidence (first row: more than a coin's 50), with 95 % intervals. Filled marks bear a claim out or speak against it; open ones cannot tell, and those without an interval rest on one or two makers.",
    titles={"size": "pairs of 100", "short": "claim", "set": "set of answers"},
    label="fig-survives",
)

# %%
forest(
    survives.drawn.query("not pairs"),
    value="size",
    rows="short",
    colour="set",
    hollow="open",
    limits=(-1.05, 1.05),
    reference=0,
    caption="Two claims with units of their own: the share of a model's answers at the two numbers that it states most often; and the rank correlation, over models, of accuracy with how well confidence tells right from wrong. Marks as above.",
    titles={"size": "share, or correlation", "short": "claim", "set": "set of answers"},
    label="fig-survives-alone",
)

# %% [markdown]
# **One set is of another kind.** On BrainBench people said how sure they were, and models did not. A model read two versions
# of an abstract and chose the one that surprised it less; its confidence is by how much, which is also what it decided by.
# So there nobody asked the model how sure it was ([people beside models](people-beside-models.ipynb)).
#
# The papers of this book make claims about models at large, each from its own few. Other people's answers, which anyone
# may use, can test {glue:text}`survives_n_claims:d`: that confidence tells right from wrong
# {cite}`servajean2026,cacioli2026sdt`, that stated numbers crowd at a few values {cite}`cacioli2026battery,cacioli2026screen`,
# that domains differ {cite}`cacioli2026sdt,cacioli2026atlas`, that larger models know themselves better or not
# {cite}`cacioli2026battery`, also at equal accuracy, that accuracy and self-monitoring are unrelated or opposed
# {cite}`wang2025dmc,cacioli2026battery`, that thinking helps {cite}`cacioli2026thinking`, and that log-probability is the
# better signal {cite}`cacioli2026sdt`. How large is each effect, and is it there everywhere?
#
# ## What survives

# %%
survives.says(
    "saturated",
    "**Models state the same few numbers.** The two commonest make up {saturated_least:.0%} to {saturated_most:.0%} of what a model states (95 % intervals over makers from {saturated_lower:.0%} to {saturated_upper:.0%}), in every set that has such numbers.",
    "The two commonest numbers make up {saturated_least:.0%} to {saturated_most:.0%} of what a model states; that is clearly more than half in {saturated_holds} of {saturated_sets} sets.",
    holds=n["saturated_holds"] == n["saturated_sets"] > 0,
)

# %%
survives.says(
    "domains",
    "**It depends on the subject.** From subject to subject the share of pairs varies by {domains_least:.1f} to {domains_most:.1f} of 100 (standard deviation), clearly so in {domains_holds} of {domains_sets} sets.",
    "Over subjects the share of pairs varies by {domains_least:.1f} to {domains_most:.1f} of 100, clearly so in {domains_holds} of {domains_sets} sets.",
    holds=2 * n["domains_holds"] > n["domains_sets"] and n["domains_fails"] == 0,
)

# %% [markdown]
# ## What does not

# %%
survives.says(
    "accuracy",
    "**“Better models are no better at doubting themselves.”** Two of the papers said so: ability and self-monitoring are unrelated, or opposed. In {accuracy_fails} of {accuracy_sets} open sets (several signals of the same replies count as sets; there are {accuracy_replies} of replies) models that are right more often are clearly better at it too, with correlations up to {accuracy_most:.2f}; in no set clearly worse. In the rest the intervals reach too far to tell. That is no proof of better self-knowledge: whoever chooses among options and gets more of them right has a higher AUROC2 without judging any better ([the primer](primer.ipynb)). So AUROC2 is not seen to fall as accuracy rises. Whether doubting itself gets better or worse, it cannot show.",
    "Accuracy and self-monitoring are clearly related in {accuracy_fails} of {accuracy_sets} sets, with correlations from {accuracy_least:.2f} to {accuracy_most:.2f}.",
    holds=n["accuracy_fails"] > 1 and n["accuracy_holds"] == 0,
)

# %% [markdown]
# ## What nobody can tell yet

# %%
survives.says(
    "size",
    "**Whether larger models know themselves better.** Per doubling of size, within a maker's series, it is {size_least:+.1f} to {size_most:+.1f} pairs of 100, clearly above 0 in {size_holds} of {size_sets} sets; among models made equally accurate {size_equal_least:+.1f} to {size_equal_most:+.1f}, clearly above 0 in {size_equal_holds}. Would we have seen it? No: three makers give intervals that reach {size_reach:.0f} pairs to either side.",
    "Per doubling of size it is {size_least:+.1f} to {size_most:+.1f} pairs of 100, clearly above 0 in {size_holds} of {size_sets} sets; at equal accuracy in {size_equal_holds} of {size_equal_sets}.",
    holds=2 * n["size_holds"] < n["size_sets"] and n["size_equal_holds"] == 0 and n["size_reach"] > abs(n["size_most"]),
)

# %%
survives.says(
    "thinking",
    "**Whether thinking helps.** In the published counts of two makers' models it makes a difference of {thinking_least:+.0f} pairs of 100, in one maker's models on MMLU-Pro one of {thinking_most:+.0f}. One or two makers say little of the rest, so there is no interval.",
    "With thinking on, effects go from {thinking_least:+.0f} to {thinking_most:+.0f} pairs of 100.",
    holds=n["thinking_least"] < 0 < n["thinking_most"] and n["thinking_sets"] == 0,
)

# %% [markdown]
# What these pairs of models show has [a page of its own](thinking.ipynb).

# %%
survives.says(
    "tokens",
    "**Whether token probability beats stated numbers.** In the one set that has both, the mean probability of a reply's tokens does worse than the number that the model states, by {tokens_least:+.1f} of 100 pairs ({tokens_lower:+.1f} to {tokens_upper:+.1f}). But there the replies are long and full of reasoning, and one set is one way of asking.",
    "Token probability less the stated number: {tokens_lower:.1f} to {tokens_upper:.1f} pairs of 100.",
    holds=n["tokens_fails"] == n["tokens_sets"] == 1 and n["tokens_upper"] < 0,
)

# %% [markdown]
# [The page on use](study1-use.ipynb) compares the two in short answers of small models, and may come out otherwise: there the
# probability is of the few words of the answer, and at temperature 1 it also knows [the luck of the draw](study1-luck.ipynb).
#
# ## Could the rule be fooled?

# %%
survives.says(
    "fooled",
    "Seldom. The rule for *clearly* was written down before any effect was computed by it. Of simulated worlds in which there is nothing to find it finds something in {false_min:.0f} to {false_max:.0f} % of runs, depending on the claim, and its intervals hold the truth in {covers_min:.0f} to {covers_max:.0f} %. One thing was changed later: makers are counted, not models. If each pair of one maker's models counted for itself, chance alone would pass in {alone_min:.0f} to {alone_max:.0f} %.",
    "In simulated worlds in which there is nothing to find the rule finds something in {false_min:.0f} to {false_max:.0f} % of runs; intervals hold the truth in {covers_min:.0f} to {covers_max:.0f} %.",
    holds=n["false_max"] < 8 and n["covers_min"] > 90 and n["alone_min"] > n["false_max"],
)

# %% [markdown]
# ### The rule, claim by claim and set by set
# <!-- fold -->

# %%
survives.text("rule")

# %%
matrix(
    survives.cells,
    rows="called",
    columns="set",
    value="answer",
    why="why",
    caption="Does a claim hold in a set of answers? Behind each answer: the effect and its 95 % interval, or why it cannot be tested (undecided: cannot be told). Effects on AUROC2 are shares: 0.01 is one pair of 100.",
    titles={"called": "claim", "set": "set of answers"},
)

# %%
table(
    survives.claims,
    *("called", "effect", "reference", "bound", "over", "holds", "fails", "open", "untested"),
    caption="What is computed for each claim, what is no effect and up to what distance from it an effect is negligible (both in the effect's own unit), what the interval is over, and in how many sets the claim holds, fails, cannot be told, or cannot be tested.",
    titles={"called": "claim", "reference": "no effect is", "bound": "negligible within", "over": "interval over", "holds": "sets: holds", "fails": "sets: fails", "open": "sets: cannot be told", "untested": "sets: cannot be tested"},
    digits={"reference": 1, "bound": 3},
    folded=True,
)

# %% [markdown]
# **Sets are not all independent.** The three kinds of confidence on MMLU-Pro belong to the same replies, and some models of
# one set are in another. Runs of the same weights count as one, and makers weigh equally. Intervals over questions are
# about these models; those over makers say what other makers' models might do. Nothing is adjusted for asking so many.
#
# **What is counted.** Sentences on this page count sets that others published; figures and tables also show the open
# questions that this book asked, at temperature 1. The row of *domains* is about what makers have in common. The wording of
# the claims is the book's, and a claim that fails here may hold where its paper made it.
#
# ## Is there a best model?

# %%
models = run.result("all_models")
models.glue()
b = models.numbers()
models.says(
    "best",
    "Not that anyone could tell. Published models' confidence beats knowing nothing in {above} of {judged} results. But in none of {n_compared} comparisons is one model clearly ahead of all others.",
    "Published models' confidence beats knowing nothing in {above} of {judged} results. In {n_open} of {n_compared} comparisons no model is clearly ahead of all others.",
    holds=b["n_open"] == b["n_compared"] > 1 and 2 * b["above"] > b["judged"],
)

# %%
bars(
    models.counted,
    value=["judged", "above", "may_lead"],
    rows="study",
    caption="Published models of each study: how many have an interval, how many beat confidence that knows nothing, and how many have no other model's interval above their own. Were one clearly the best, the last bar would be 1 long.",
    titles={"judged": "have an interval", "above": "beat knowing nothing", "may_lead": "nobody clearly above", "": "Published models"},
    label="fig-all-models",
)

# %% [markdown]
# The studies measure different things on different questions, so numbers may be compared within a study only. Where a
# study's page compares its models pair by pair, as [the ranking of large models](frontier-ranking.ipynb) does, it can rule
# out more than intervals that overlap, and it counts.
#
# ### Study 1: four models of 7 to 9 billion parameters
# <!-- fold -->

# %%
forest(
    models.ranked[models.ranked["study"] == "Study 1"],
    value="estimate",
    rows="model",
    interval=("lower", "upper"),
    caption="Study 1, open questions, from reconstructed counts: AUROC2 of eight ratings at temperature 1, with 95 % intervals.",
    titles={"estimate": "AUROC2 of eight ratings"},
    label="fig-all-models-1",
)

# %% [markdown]
# ### Study 2: three models, three tasks
# <!-- fold -->

# %%
forest(
    models.ranked[models.ranked["study"] == "Study 2"],
    value="estimate",
    rows="model",
    interval=("lower", "upper"),
    colour="part",
    reference=1,
    caption="Study 2, two choices: M-ratio of each task with 95 % intervals. At 1 confidence uses all that the decision used.",
    titles={"estimate": "M-ratio"},
    label="fig-all-models-2",
)

# %% [markdown]
# ### Study 5: twenty models on a battery
# <!-- fold -->

# %%
forest(
    models.ranked[models.ranked["study"] == "Study 5"],
    value="estimate",
    rows="model",
    interval=("lower", "upper"),
    hollow="uncounted",
    reference=0,
    caption="Study 5: by how many points more often wrong answers are withdrawn than right ones, with 95 % intervals. Open marks are not counted: some track has no wrong or no right answer.",
    titles={"estimate": "mean withdraw delta, points"},
    label="fig-all-models-5",
)

# %% [markdown]
# ### The small models asked here
# <!-- fold -->
#
# They answered the questions of each study as this book could put them. They are listed, not ranked, and do not stand
# beside the published ones. Each has a page of its own.

# %%
matrix(
    models.asked,
    rows="model",
    columns="study",
    value="found",
    why="why",
    caption="Each study's number of each model; its 95 % interval, or why there is none, on pointing at a cell.",
)

# %%
table(
    models.models.drop_duplicates(["study", "quantity"]),
    *("study", "quantity", "meaning"),
    caption="What each study's number says.",
    folded=True,
)

# %%
models.says(
    "sizes",
    "**Two sizes of one family** ({sizes_named}): in none of {sizes_unclear} comparisons is the larger model clearly better or worse. An M-ratio counts only where d' is at least 0.5, because a ratio to nearly nothing says nothing; of the {n_ratios} M-ratios of models asked here, {n_low_d} are left out.",
    "Two sizes of one family ({sizes_named}): the larger model has clearly more of a study's number in {sizes_more} comparisons, clearly less in {sizes_less}, and in {sizes_unclear} it cannot be told. Of {n_ratios} M-ratios, {n_low_d} are left out because d' is below 0.5.",
    holds=b["sizes_unclear"] > b["sizes_more"] + b["sizes_less"] == 0,
)

# %%
table(
    models.sizes,
    *("study", "quantity", "smaller", "larger", "difference"),
    interval={"difference": ("lower", "upper")},
    caption="What each study says of size: differences of each number, with 95 % intervals as of independent estimates.",
    empty="No two sizes were asked.",
    titles={"quantity": "in units of", "difference": "larger less smaller model"},
    folded=True,
)

# %% [markdown]
# ## In short

# %%
survives.says(
    "in_short",
    "A model's confidence tells its right answers from its wrong ones, in every set that could be tested, and in large models not by much. (The words of a model that has thought before it answers are an exception.) The numbers that it states are few and much the same. Models that are right more often are not shown to doubt themselves any better, or any worse. Whether size helps, or thinking, nobody can say yet; nor which model is best.",
    "Confidence tells right from wrong in {confidence_holds} of {confidence_sets} sets.",
    holds=n["confidence_holds"] == n["confidence_sets"] > 1 and n["saturated_holds"] == n["saturated_sets"] > 0 and n["most_pairs"] < 75 and 2 * n["size_holds"] < n["size_sets"] and n["thinking_sets"] == 0 and n["thinking_least"] < -10 and b["n_open"] == b["n_compared"] > 1,
)

# %% [markdown]
# ## What would change your mind
#
# - We would give up a claim that survives if somebody published a set of answers in which its interval lies on the other
#   side of no effect.
# - We could decide the open ones if three or more makers' models were asked with thinking on and off, and if series of
#   models had more sizes.
# - We would believe in a best model if intervals were a few times narrower, so that one model's lay above all others'.
#   That takes some ten times as many trials ([how many](study2-replication.ipynb)).
