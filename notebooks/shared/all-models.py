# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # All models: does one know best what it knows?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, matrix, table
from metacog.studies import open_run

run = open_run("shared", profile)
models = run.result("all_models")
models.glue()
models.answer()

# %%
named = {"judged": "have an interval", "above": "know more than nothing", "may_lead": "may be first", "": "Published models"}
caption = "Published models of each study. Were it clear which one knows best, the last bar would be 1 long."
more = {"caption": caption, "label": "fig-all-models", "titles": named}
bars(models.counted, value=["judged", "above", "may_lead"], rows="study", **more)

# %% [markdown]
# The studies do not measure the same thing, and their models did not answer the same questions: numbers may be compared
# within a study and task only. A **place** is the range of ranks that the intervals leave open. Some intervals are apart by
# chance alone; the chapters of the studies compare all pairs together, and where the two disagree, the chapter counts.

# %%
known = models.models.drop_duplicates(["study", "quantity"])
table(known, "study", "quantity", "meaning", caption="What each study's number says.", folded=True)

# %% [markdown]
# ## The published models
#
# The large models of the frontier have [a page of their own](frontier-ranking.ipynb). Studies [3](study3-overview.ipynb)
# and [4](study4-overview.ipynb) printed no intervals, so their models cannot be placed.

# %%
named = {"estimate": "AUROC2 of eight ratings", "place": "place"}
ends = {"estimate": ("lower", "upper"), "place": ("first", "last")}
rows = models.ranked[models.ranked["study"] == "Study 1"]
caption = "Study 1, open questions, from reconstructed counts. Left: AUROC2 at temperature 1 with 95 % intervals. Right: the places that these leave open."
more = {"interval": ends, "beside": True, "label": "fig-all-models-1", "titles": named}
forest(rows, value=["estimate", "place"], rows="model", caption=caption, **more)

# %%
named = {"estimate": "mean withdraw delta", "place": "place"}
rows = models.ranked[models.ranked["study"] == "Study 5"]
caption = (
    "Study 5, a battery. Left: by how many points more often wrong answers are withdrawn than right ones, with 95 % "
    "intervals. Right: the places that these leave open. Open marks are not counted: some track has no wrong or no right answer."
)
more = {"interval": ends, "beside": True, "hollow": "uncounted", "label": "fig-all-models-5", "titles": named}
forest(rows, value=["estimate", "place"], rows="model", caption=caption, missing="no place", **more)

# %% [markdown]
# ### Study 2, as on its own page
# <!-- fold -->

# %%
named = {"estimate": "M-ratio", "place": "place"}
rows = models.ranked[models.ranked["study"] == "Study 2"]
caption = "Study 2, two choices: M-ratio of each task with 95 % intervals. At 1 confidence uses all that the decision used."
more = {"interval": ("lower", "upper"), "colour": "part", "label": "fig-all-models-2", "titles": named}
forest(rows, value="estimate", rows="model", reference=1, caption=caption, **more)

# %% [markdown]
# ## The models asked here
#
# These are small, of different sizes, and answered the questions of each study as this computer could put them. They are
# listed, not ranked, and do not stand beside the published ones.

# %%
caption = "Each study's number of each model; its 95 % interval, or why there is none, on pointing at a cell."
matrix(models.asked, rows="model", columns="study", value="found", why="why", caption=caption)

# %%
models.text("scale")

# %%
named = {"difference": "larger less smaller model"}
caption = "What each study says of size: differences of each number, with 95 % intervals as of independent estimates."
more = {"interval": {"difference": ("lower", "upper")}, "titles": named, "folded": True}
table(models.sizes, "study", "smaller", "larger", "difference", caption=caption, empty="No two sizes were asked.", **more)

# %% [markdown]
# ## What would change your mind
#
# - That no model stands out: intervals a few times narrower, which takes some ten times as many trials
#   ([how many](study2-replication.ipynb)).
# - That the numbers cannot be compared across studies: models that took part in several of them and keep their places.
