# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Do thinking and tuning help a model to know itself?

# %% tags=["parameters"]
profile = "default"
other = ""
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
thinking = run.result("thinking", seed=seed, verdicts=verdicts)
tuned = run.result("instruct_base", n_resamples=n_resamples, seed=seed)
thinking.glue()
tuned.glue()
thinking.answer(note="note")

# %%
tuned.text("answer")

# %%
forest(
    thinking.cells,
    value="auroc2",
    rows="model",
    colour="mode",
    reference=0.5,
    label="fig-thinking",
    caption="How well confidence tells right from wrong, with thinking and without, with 95 % intervals; the dashed "
    "line is chance. Thinking that helped a model to know itself would move its mark to the right.",
)

# %% [markdown]
# A **reasoning model** can write down a train of thought, its **trace**, before it answers. That often makes the
# answer better. Does it also make the model a better judge of its answer? The author of study 1 put the study's own
# measure to this question in a later run {cite:p}`cacioli2026thinking`: three models of 7 to 8 billion parameters
# answered 2,000 TriviaQA questions with thinking on and with thinking off. Confidence is the mean log-probability of
# the words of the answer, without those of the trace. This part of the page is computed from the author's published
# counts; no model of this book was asked.
#
# **AUROC2** is the chance that a right answer carries more confidence than a wrong one: 0.5 is chance, 1 is perfect.
#
# ## What changed
#
# A measure of self-knowledge can change for three reasons. **Accuracy** changes: with more right answers there is
# less to find out. The **use of the ratings** changes: if nearly all replies have the highest rating, ratings can
# say little. Or the **worth of a rating** changes: how much larger the odds of being right are at one rating than
# at another. Each can be changed while the other two are held (by *raking* the table, Deming and Stephan 1940), so
# that the whole change parts into three.

# %%
forest(
    thinking.parts[thinking.parts["quantity"] == "auroc2"],
    value="change",
    rows="model",
    colour="part",
    interval=("lower", "upper"),
    reference=0,
    label="fig-thinking-parts",
    caption="What the change of AUROC2 from thinking off to thinking on is made of: accuracy, which ratings are used, "
    "and what a rating is worth. 95 % intervals.",
)

# %%
thinking.matrix(caption="What the counts say of thinking, model by model. Point at an answer for the reason.")

# %% [markdown]
# Three limits. The counts do not say which replies belong to the same question, so the two modes are compared as if
# they had been asked different questions; the author's own intervals pair them. The probability of an answer's words
# is only one kind of confidence: a model that has settled on an answer in its trace copies it afterwards, and words
# that are copied are likely, right or wrong. And a reply counts as right if it *contains* an accepted answer, so that a
# long reply has more room to be right by accident.
#
# ## Is it the trace?
#
# The author also had the replies of thinking on read once more, in a context without the trace that led to them.
# Where confidence then tells right from wrong again, it was the trace before it that had made every answer look
# certain.

# %%
thinking.text("trace")

# %%
table(
    thinking.raw,
    "model",
    "auroc2_off",
    "auroc2_on",
    "no_trace",
    caption="AUROC2 of unrounded confidence as printed. Intervals from the numbers of right and wrong replies.",
    folded=True,
)

# %% [markdown]
# ## Marked more strictly
# <!-- fold -->
#
# The author also printed what is left if a reply must equal an accepted answer, or nearly. A reply in a whole sentence
# then counts as wrong, so that what remains depends on how short replies are. Neither marking settles what the other
# gets wrong.

# %%
columns = ["model", "right_off", "right_on", "auroc2_off", "auroc2_on", "difference", "usual"]
caption = (
    "The same replies, marked strictly; the last column is the change with the usual marking. Where a mode has fewer than 50 "
    "right answers, a change is mostly noise and is not judged."
)
named = {"right_off": "Right, thinking off", "right_on": "Right, thinking on"}
table(thinking.marking, *columns, interval={"difference": ("lower", "upper")}, caption=caption, titles=named)

# %% [markdown]
# ## Tuning
#
# A **base** model is trained to continue texts; an **instruct** model is the same network tuned further to follow
# instructions. The paper has one such pair, Llama-3-8B, and compares the two on both of its question sets at temperature 1;
# its counts are [reconstructed](ledger.ipynb) from print.

# %%
run.result("signal").text("which")

# %%
forest(
    # published pairs are the same in every run that a page shows
    tuned.together.drop_duplicates(["pair", "measure"]),
    value="difference",
    rows="measure",
    colour="pair",
    interval=("lower", "upper"),
    reference=0,
    label="fig-instruct-base",
    caption="Instruct minus base on every measure, with 95 % intervals; the paper's pair from reconstructed counts. Measures differ in scale: compare a row with "
    "zero and with its other marks, not with other rows.",
)

# %% [markdown]
# The M-ratio is, for open answers, about the shape of one table ([the correction](study1-correction.ipynb)).
#
# ### By subject
# <!-- fold -->

# %%
tuned.text("by_subject")

# %%
caption = "The paper's pair by subject, as printed: M-ratio, without intervals, and AUROC2, with the second version's."
more = {"rows": ["domain", "model"], "beside": True, "reference": {"m_ratio": 1, "auroc2": 0.5}}
pair = tuned.record.domains.sort_values("domain", kind="stable")
forest(pair, value=["m_ratio", "auroc2"], caption=caption, label="fig-instruct-subjects", **more)

# %% [markdown]
# ## What would change your mind
#
# - That thinking does not help: another kind of confidence, such as a stated one or agreement between several traces,
#   that rises where the probability of the words falls.
# - That it is the worth of a rating: trials by question, with edges drawn within each mode. They are in the author's
#   repository, and this book does not use them yet.
# - That tuning does anything in general: one pair cannot say so. A second family with the same signs would begin to;
#   add one with `metacog add-model` and `base_of` ([how](../book/new-model.md)).
