# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Would you keep your answer?

# %% tags=["parameters"]
profile = "default"
other = ""
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("toy_study", profile, other)
keep = run.result("keep_rates", verdicts=verdicts)
keep.glue()
keep.answer()

# %%
keep.figure()

# %% [markdown]
# A model names the larger of two numbers, and then says whether it wants to keep its answer.

# %% [markdown]
# ## Who keeps what is right?
#
# The {glue:text}`keep_rates_answers` answers of this run.

# %%
keep.rules()

# %%
keep.table()

# %%
keep.verdicts(Kind.PREREGISTERED)

# %%
run.other_run("keep_rates", "rates")
