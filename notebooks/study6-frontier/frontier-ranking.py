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
ranking.answer(note="pairs")

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
reading = run.result("reading")
reading.glue()
reading.text("footnote")

# %% [markdown]
# The models that an ordinary computer can ask are small. In 2026 the author of studies 1 and 5 asked
# {glue:text}`reading_n_models:d` large ones, of {glue:text}`reading_n_families:d` families, the same
# {glue:text}`reading_n_items:,` multiple-choice questions, and published every reply: a letter, and a confidence from 0
# to 100 {cite:p}`cacioli2026atlas`. His *Metacognitive Profile Atlas* ranks the models by AUROC2: how often a right
# answer carries more confidence than a wrong one. 0.5 is what a coin would do. How much of such a ranking would still be
# there if other questions had been drawn?
#
# A **rank that cannot be ruled out** is found like this: of two models, is one certainly better, given how much both
# values would vary with other questions? All pairs are asked together, so that asking often does not make chance
# findings. A model's rank then lies between one more than the number of models that are certainly better, and the
# number that is left when the certainly worse ones are taken off. Such sets hold for models that are equal as well.
#
# ## A number nobody stated
# <!-- fold -->
#
# Where the author's program found no confidence in a reply, it wrote 50. His note on parsing says so; the table of
# areas does not.

# %%
ranking.text("put_in")

# %% [markdown]
# The replies that state a number are not a sample of all: they are those in which the model kept to the form. So neither
# value is *the* value of this model, and it is ranked nowhere in this book.
#
# ## By other measures
#
# meta-I2r is the information that confidence carries about being right, as a share of the uncertainty that there is
# ([the measures](measures.ipynb)). The order depends on the measure.

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
# Everything that a very good model's confidence is judged by are its few mistakes, and an answer key is wrong now and
# then.

# %%
keys = run.result("keys")
keys.text("answer")

# %% [markdown]
# What people found who went over such questions is on [the page about the key](frontier-keys.ipynb).

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
ranking.text("covered")

# %% [markdown]
# ## What would change your mind
#
# That few ranks are certain: a second draw of as many questions on which most models keep their place. That one number
# says nothing about GPT-oss-120B: its replies again, with the confidence read from all of them.
#
# The rows are the author's (CC BY 4.0), as at commit ca31180 of his repository. Changes were made: repeated rows and
# the texts of the questions are left out. `metacog data fetch atlas` downloads his files and compares them with the
# table that this book carries (tried with a server of this book's own that has the same paths; not with his, for want of
# a network). [The ledger](ledger.ipynb) shows which of his printed figures are reproduced.
