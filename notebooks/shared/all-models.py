# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # All models in one table

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("shared", profile)
models = run.result("all_models")
models.glue()
models.answer(note="still_open")

# %%
models.figure("forest")

# %% [markdown]
# Every model that this book knows, published or asked here, by the one number of each study. Is there a model that
# knows best what it knows?

# %% [markdown]
# The studies do not measure the same thing, and their models did not answer the same questions. A model's number may be
# compared with those of the same colour in the same panel; that a model stands high in one panel says nothing
# about another. A **place** is shown as a range: the ranks that the intervals leave open. Two models whose intervals
# overlap may stand either way round. With many models some intervals are apart by chance alone; the chapters of the
# studies therefore also compare all pairs together, and where the two disagree, the chapter counts.

# %%
models.table("meanings", folded=True)

# %%
models.table("models")

# %% [markdown]
# ## What would change your mind
#
# - That no model stands out: intervals a few times narrower, which takes some ten times as many trials
#   ([how many](study2-replication.ipynb)).
# - That the numbers cannot be compared across studies: models that took part in several of them and keep their places.
