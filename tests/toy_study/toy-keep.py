# ---
# jupytext: {text_representation: {extension: .py, format_name: percent}}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Would you keep your answer?

# %% tags=["parameters"]
profile = "default"
other = ""
verdicts = True

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("toy_study", profile, other)
keep = run.result("keep_rates", verdicts=verdicts)
keep.glue()
keep.answer()

# %%
caption = "Share of answers kept, with 95 % intervals. A model that knows itself keeps what is right."
named = {"kept": "Share kept"}
forest(
    keep.rates,
    value="kept",
    rows="model",
    colour="correct",
    titles=named,
    label="fig-toy-keep",
    caption=caption,
)

# %% [markdown]
# A model names the larger of two numbers, and then says whether it wants to keep its answer. This run has
# {glue:text}`keep_rates_answers` answers.

# %%
keep.rules()

# %%
table(
    keep.rates,
    "model",
    "correct",
    "n",
    "kept",
    titles={"kept": "Kept"},
    caption="Share of answers that were kept.",
)

# %%
keep.matrix(caption="Whether the rule holds, model by model.")
