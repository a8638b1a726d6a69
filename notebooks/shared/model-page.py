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

# %%
from metacog.report import forest, lines, table
from metacog.studies import open_run

run = open_run("shared", profile)
given = {"temperature": temperature, "n_examples": n_examples, "seed": seed}
times = {"n_resamples": n_resamples, "n_permutations": n_permutations}
page = run.result("model_page", model=model, **given, **times)
page.answer(note="opening")

# %%
lines(
    page.reliability,
    x="stated",
    value="right",
    colour="sampling",
    diagonal=True,
    caption="How often answers are right, by the confidence that goes with them, with 95 % intervals. On the dashed line as many are right as the number says.",
    titles={"stated": "Confidence that goes with the answer", "right": "Share of these answers that are right"},
)

# %%
page.text("confidence_is")

# %%
page.text("abilities")

# %%
table(page.effects, *("study", "effect"), caption="What follows from what its server cannot do.")

# %%
table(
    page.served,
    *("study", "twice_items", "twice_same", "twice_largest", "censored"),
    caption="The model is served, and a server need not answer a request twice in the same way: items asked twice at temperature 0 with one seed, and how many got the same answer. Answers with a token that was not told have no NLP and are the improbable ones, so what is left is no fair sample.",
)

# %% [markdown]
# ## What do the studies find?
#
# One number per study, which its own pages show with all that it rests on. Published models answered the questions of
# their papers, not these: their range is a scale to read by, no contest.

# %%
studies = run.result("model_headlines", model=model)
table(
    studies.results,
    *("short", "quantity", "part", "estimate", "nothing", "published_range", "why"),
    interval={"estimate": ("lower", "upper")},
    caption="This model in each study, with 95 % intervals.",
    titles={"short": "Study", "estimate": "This model", "nothing": "Knows nothing", "why": "Not judged because"},
    digits={"estimate": 2},
    empty="No study of this run has a result yet.",
    folded=False,
)

# %% [markdown]
# ## Does it help to answer the surer half?

# %%
lines(
    page.temperatures,
    x="temperature",
    value=["accuracy", "accuracy_at_half"],
    caption="Share of right answers, of all questions and of the half with more confidence, with 95 % intervals. The wider the gap, the more confidence is worth; at high temperatures part of it is the luck of the draw.",
    titles={"accuracy": "all questions", "accuracy_at_half": "the surer half", "": "Share right"},
)

# %% [markdown]
# Where to draw the line is a page [of its own](study1-use.ipynb).
#
# ## What does it answer?
#
# The most confident wrong answers show what a model believes that is not so, or what the marking does not accept; they
# are the ones that confidence cannot catch. More are in the [browser of trials](trials.ipynb).

# %%
table(
    page.examples[page.examples["kind"] != "unsure and right"],
    *("kind", "Question", "Answer", "Confidence"),
    caption="Its surest right answers, and its surest wrong ones.",
    titles={"kind": "The model was"},
    empty="No answer has a confidence.",
    folded=False,
)

# %% [markdown]
# ## Where does its confidence tell?
# <!-- fold -->
#
# AUROC2 is the chance that a right answer carries more confidence than a wrong one.

# %%
forest(
    page.domains,
    value="auroc2",
    rows="domain",
    reference=0.5,
    caption="AUROC2 in each domain, with 95 % intervals. Dashed: chance.",
)

# %%
lines(
    page.temperatures,
    x="temperature",
    value="auroc2",
    reference=0.5,
    caption="AUROC2 at each temperature, with 95 % intervals. Dashed: chance.",
)

# %% [markdown]
# ## What it is, and how it was asked
# <!-- fold -->

# %%
table(page.about, caption="About this model.")
