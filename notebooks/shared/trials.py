# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The trials themselves

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.studies import open_run

run = open_run("shared", profile)
trials_shown = run.result("trials_shown")
trials_shown.glue()
trials_shown.says(
    "answer",
    "{n:,} answers of {n_studies} studies by this book's own models, each with its confidence and its mark, to be looked up.",
    "This run has no trials to show.",
    holds=trials_shown.n > 0,
    head=True,
)

# %% [markdown]
# All open answers of study 1's leading run are here, repeated ones too, and some of every other study, drawn at random. Look for a question that you could
# answer yourself, or for wrong answers of which a model was sure. Each trial has an address that you can pass on, and so
# has each choice of filters. Whether an answer is right can hang on how strictly one reads it:
# {glue:text}`trials_shown_n_turned:,d` answers would count the other way under another rule, and say so.
#
# ```{raw} html
# <div id="trials-browser" data-verbatim><noscript><p><strong>Looking up trials needs JavaScript, which is switched off
# here.</strong></p></noscript></div>
# <script src="../_static/trials-data.js"></script>
# <script src="../_static/trials.js"></script>
# ```
#
# *Sure* is a confidence above the median of that model's answers in that task at that temperature. The confidence of an
# open answer is the mean probability of its words; in the other studies it is what the task asked for, and in the battery the probability
# that the model keeps its answer.
