# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: large models, ranked as far as they can be

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, matrix, table
from metacog.studies import open_run

run = open_run("study6_frontier", profile)
ranking = run.result("ranking")
ranking.glue()
ranking.says(
    "answer",
    "The ranking of {models} large models does not settle who knows best what it knows: {may_lead} of them could be first.",
    "Of {models} large models, {may_lead} could be the best at telling their right answers from their wrong ones.",
    holds=ranking.numbers()["may_lead"] > 3,
    head=True,
)

# %%
forest(
    ranking.board,
    value=["auroc2", "rank"],
    rows="model",
    beside=True,
    hollow="uncounted",
    reference={"auroc2": 0.5},
    missing="no rank",
    caption="Left: AUROC2 of each model's confidence with its 95 % interval over questions (dashed: chance). Right: the ranks that cannot be ruled out when all pairs are judged together; the mark is the rank of the estimate. A settled order would be a staircase of short bars.",
    titles={"auroc2": "AUROC2", "rank": "rank"},
    label="fig-frontier-ranking",
)

# %%
ranking.says(
    "told_apart",
    "Fewer than half of the pairs can be told apart, {apart} of {pairs}, and no two neighbours in the published order. The top is a crowd; what the ranking does tell is the top from the bottom. At the bottom, the confidence of {at_chance} may be worth nothing.",
    "Of {pairs} pairs {apart} can be told apart, and {n_ranked_neighbours_apart} of {n_ranked_neighbours} neighbours in the published order.",
    holds=0 < 2 * ranking.numbers()["apart"] < ranking.numbers()["pairs"] and ranking.n_ranked_neighbours_apart == 0 and ranking.numbers()["at_chance"] != "none",
)

# %%
reading = run.result("reading")
reading.glue()
reading.says(
    "hollow",
    "{imputed} is hollow and has no rank: only {n_stated:,} of its {n_of_imputed:,} replies state a confidence, and these are no fair sample.",
    "Every model states its confidence.",
    holds=reading.n_imputed > 0,
)

# %% [markdown]
# The models that an ordinary computer can ask are small. In 2026 the author of studies 1 and 5 asked
# {glue:text}`reading_n_models:d` large ones, of {glue:text}`reading_n_families:d` families, the same
# {glue:text}`reading_n_items:,` multiple-choice questions, and published every reply: a letter, and a confidence from 0
# to 100 {cite:p}`cacioli2026atlas`. His *Metacognitive Profile Atlas* ranks the models by AUROC2: how often a right
# answer carries more confidence than a wrong one. 0.5 is what a coin would do. How much of such a ranking would still be
# there if other questions had been drawn?
#
# A **rank that cannot be ruled out** is found like this. For each pair of models: is one better, allowing for how much
# both values would move with other questions? All pairs are judged together, so that asking often does not make chance
# findings. A model can stand no higher than below all that are surely better, and no lower than above all that are
# surely worse.
#
# ## A number nobody stated
# <!-- fold -->
#
# Where the author's program found no confidence in a reply, it wrote 50. His note on parsing says so; the table of
# results does not.

# %%
ranking.says(
    "put_in",
    "With these numbers {put_in_model} puts the right answer ahead in {with_pairs:.0f} of 100 pairs, without them in {without_pairs:.0f}.",
    "No model's confidences were put in.",
    holds=ranking.numbers()["put_in_model"] != "none",
)

# %% [markdown]
# The replies that state a number are not a sample of all: they are those in which the model kept to the form. So neither
# value is *the* value of this model, and it is ranked nowhere in this book.
#
# ## By other measures
#
# meta-I2r is the information that confidence carries about being right, as a share of the uncertainty that there is
# ([the measures](measures.ipynb)). Another measure may put another model first; [which to report](which-measure.ipynb) is a
# question of its own.

# %%
table(
    ranking.board_counted,
    *("measure", "leader", "may_lead", "pairs", "apart", "median_width"),
    caption="How far the order goes by each measure, among the ranked models.",
    titles={"measure": "Ranked by"},
)

# %% [markdown]
# ## By domain
# <!-- fold -->
#
# The atlas divides the questions into six domains and gives every model an area in each. A very good model makes few
# mistakes in a domain, and an area compares right answers with wrong ones: {glue:text}`ranking_n_few` of
# {glue:text}`ranking_n_cells` cells hold fewer than ten wrong ones, too few for an interval, and the atlas prints one
# for each.

# %%
matrix(
    ranking.cells,
    rows="model",
    columns="area",
    value="auroc2",
    why="why",
    order=ranking.board["model"],
    caption="AUROC2 by domain, darker where confidence tells right from wrong better; models as in the first figure.",
)

# %% [markdown]
# ## Can the key be trusted?
#
# Strong models make few mistakes, and a ranking by confidence rests on those few. An answer key is wrong now and then.
# What people found who went over such questions is on [the page about the data](frontier-data.ipynb).

# %% [markdown]
# ## The models in a table
# <!-- fold -->

# %%
table(
    ranking.board,
    *("model", "family", "n", "n_wrong", "auroc2", "rank", "printed_rank"),
    caption="Models by AUROC2, with 95 % intervals over questions and the ranks that cannot be ruled out.",
)

# %% [markdown]
# ## What is in the rows, and do intervals hold?
# <!-- fold -->
#
# {glue:text}`reading_n_copies` of {glue:text}`reading_n_read:,` rows repeat another and are dropped once.
# {glue:text}`reading_n_no_answer` replies name no option and count as wrong, as published.
# {glue:text}`reading_n_partial` models lack questions, in stretches, as runs do that broke off;
# {glue:text}`reading_n_shared` questions were answered by all. {glue:text}`reading_share_at_100:.0%` of the stated
# confidences are exactly 100 and {glue:text}`reading_share_at_95:.0%` exactly 95, so ranks are full of ties, which count
# half.

# %%
ranking.says(
    "covered",
    "We simulated each of these {cells} cells and runs. The 95 % intervals hold the truth in {least_covered:.0%} to {most_covered:.0%} of the runs. In {sound} of {cells} that is as often as they say, or nearly.",
    "In simulations of {cells} cells and runs, 95 % intervals hold the truth in {least_covered:.0%} to {most_covered:.0%}.",
    holds=ranking.numbers()["sound"] > 0.9 * ranking.numbers()["cells"],
)

# %% [markdown]
# ## What would change your mind
#
# - If most models kept their place on a second draw of as many questions, we would trust more ranks than we do.
# - If a hollow model were asked again and stated a confidence in all of its replies, we would give it a rank.
#
# The rows are the author's (CC BY 4.0), as at commit ca31180 of his repository. Changes were made: repeated rows and
# the texts of the questions are left out. `metacog data fetch atlas` downloads his files and compares them with the
# table that this book carries (tried with a server of this book's own that has the same paths; not with his, for want of
# a network). [The ledger](ledger.ipynb) shows which of his printed figures are reproduced.
