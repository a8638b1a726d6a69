# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # What of the five papers is here?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, table
from metacog.studies import open_run
from metacog.studies.pages import linked

run = open_run("shared", profile)
coverage = run.result("coverage")
n = coverage.numbers()
coverage.says(
    "answer",
    "Nearly everything that the five papers do, test or show is here: {full:.0f} % fully, {partial:.0f} % partly.",
    "Of all that the five papers do, test or show, {full:.0f} % is here fully and {partial:.0f} % partly.",
    holds=n["full"] + n["partial"] > 95 and n["full"] > 50,
    head=True,
)

# %%
bars(
    coverage.studies,
    value=["full", "partial", "absent"],
    rows="study",
    stacked=True,
    caption="Procedures, measures, hypotheses, checks, figures, tables and claims of each paper: how many are here in full, in part, and not at all.",
    titles={"full": "in full", "partial": "in part", "absent": "not here", "": "rows", "study": "study"},
    label="fig-coverage",
)

# %% [markdown]
# Each paper was read from its first line to its last, and everything that it does, tests or shows is a row below, with
# the place that does it here. **In full** means as the paper does it, or from its own counts, where a reader can see it.
# **In part** means that something is missing, and the row says what: most often the trials, which were not published.
# What would change a row is a page that shows more.

# %%
named = {"full": "In full", "partial": "In part", "absent": "Not here", "n": "Rows", "kind": "Kind"}
table(coverage.kinds, titles=named, digits=dict.fromkeys(["full", "partial", "absent", "n"], 0), caption="The same by kind.", folded=False)

# %% [markdown]
# ## Paper by paper

# %%
shown = {"section": "Section", "kind": "Kind", "what": "What", "place": "Where", "status": "Here", "reason": "What is missing"}
rows = linked(coverage.rows, "place")
columns = list(shown)
table(rows.query("study == 'study 1'"), *columns, titles=shown, caption="Study 1: do LLMs know what they know?")

# %%
table(rows.query("study == 'study 2'"), *columns, titles=shown, caption="Study 2: two choices, confidence and risk")

# %%
table(rows.query("study == 'study 3'"), *columns, titles=shown, caption="Study 3: metacognition decoupled from ability")

# %%
table(rows.query("study == 'study 4'"), *columns, titles=shown, caption="Study 4: the Metacognitive Probe")

# %%
table(rows.query("study == 'study 5'"), *columns, titles=shown, caption="Study 5: a battery of monitoring and regulation")
