# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # @MODEL@

# %% tags=["parameters"]
profile = "default"
model = "smollm2-135m"
temperature = 1.0
n_examples = 5
n_resamples = 10_000
n_permutations = 2_000
seed = 42
verdicts = True

# %%
from metacog.studies import open_run

run = open_run("shared", profile)

# %%
page = run.result(
    "model_page",
    model=model,
    temperature=temperature,
    n_examples=n_examples,
    n_resamples=n_resamples,
    n_permutations=n_permutations,
    seed=seed,
    verdicts=verdicts,
)

# %%
studies = run.result("model_headlines", model=model)
page.answer()

# %%
studies.figure("places")

# %% [markdown]
# This page is generated for each model of the run from the same notebook: what the model is, what each study finds
# of it, what it answers, and how well its confidence separates its right answers from its wrong ones. Its numbers
# also appear in the chapters that compare models; here one model can be read in one go.

# %%
page.table("about", folded=True)

# %%
page.text("abilities")

# %%
page.text("agreement")

# %%
page.table("served")

# %% [markdown]
# ## What the studies find
#
# One number per study, taken from that study's own results. Where a number cannot be judged, the reason stands
# next to it; the chapters of the study show it with everything it rests on.

# %%
studies.text("studies")

# %% [markdown]
# The published models answered the questions of their papers, not these. Their
# numbers show the scale on which this model's can be read; they are not a contest. **Overlaps** means that two 95 %
# intervals have values in common, which does not show that the models are equal.

# %%
studies.table("results", folded=True)

# %%
studies.table("board")

# %% [markdown]
# ## What it answers
#
# The most confident wrong answers show what a model believes that is not so, or what the marking does not accept (a
# full name where the list holds the surname alone); they are the ones that confidence cannot catch.

# %%
page.text("confidence_is")

# %%
page.text("opening")

# %%
page.table("sure_and_right")

# %%
page.table("sure_and_wrong")

# %%
page.table("unsure_and_right", folded=True)

# %% [markdown]
# ## A screen before the measures
# <!-- fold -->
#
# Before anything is measured it can be asked whether confidence says anything about single answers at all.

# %%
page.text("screen_reading")

# %%
page.box("screen")

# %%
page.table("screen")

# %% [markdown]
# ## How well it knows what it knows

# %%
page.text("reading")

# %%
page.table("overall")

# %%
page.box("model")

# %% [markdown]
# ## Confidence in figures
# <!-- fold -->

# %%
page.figure("confidence")

# %%
page.figure("reliability")

# %%
page.figure("risk_coverage")

# %% [markdown]
# ## By domain
# <!-- fold -->
#
# Domains share the model's rating cuts, so that a rating means the same confidence in all of them.

# %%
page.table("domains")

# %%
page.figure("domains")

# %% [markdown]
# ## By temperature
# <!-- fold -->
#
# Temperature changes what is answered. Each temperature has its own rating cuts.

# %%
page.table("temperatures")

# %%
page.figure("temperatures")

# %%
page.box("domain")

# %%
page.box("temperature")
