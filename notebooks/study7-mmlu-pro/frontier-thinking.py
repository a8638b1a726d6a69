# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Does thinking help a model to know itself?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, lines, table
from metacog.studies import open_run

run = open_run("study7_mmlu_pro", profile)
thinking = run.result("thinking")
thinking.glue()
thinking.answer(note="at_equal_accuracy")

# %%
forest(
    thinking.pairs[thinking.pairs["kind"] == "thinking on, off"],
    value=["auroc2", "equal_accuracy", "remains"],
    rows="pair",
    reference=0,
    caption="Change in the AUROC2 of stated confidence when the same weights think before they answer: as it is, between answers that are right equally often, and less another maker's confidence in its place among equally hard questions. 95 % intervals over questions; replies without an answer are left out. Right of the dashed line, confidence tells more with thinking on.",
    titles={"auroc2": "as it is", "equal_accuracy": "at equal accuracy", "remains": "less another maker's", "": "change in AUROC2"},
    label="fig-frontier-thinking",
)

# %% [markdown]
# {glue:text}`thinking_n_thinking:d` sets of weights among [the 83 models](frontier-rows.ipynb) answered every question
# twice: at once, and after thinking.
# Nothing else differs, so this is the nearest that open data come to an experiment on what thinking does to self-knowledge.
#
# **The trap is accuracy.** With thinking on, more answers are right. Among other answers, confidence has another task, and
# AUROC2 moves although nothing about self-knowledge has changed. So both conditions are also compared **at equal
# accuracy**: the better one on harder questions, the other on easier ones, hard and easy by what models of other makers
# get right. The price is that the questions differ. In
# simulated pairs whose truth is known, its mean is off by at most {glue:text}`thinking_bias_equal:.3f`, that of the
# plain change by up to {glue:text}`thinking_bias_plain:.3f`.
#
# **The other trap is silence.** A reply that runs out of room while thinking has no answer. Everything is computed with
# such replies left out, and again with them as wrong. Something is claimed here only where both say so.
# {glue:text}`thinking_at_chance:s`
#
# **Is it about itself?** As on the page of [replication](frontier-replication.ipynb), what confidence tells among equally
# hard questions is held against another maker's in its place. {glue:text}`thinking_remains:s` This is not at
# equal accuracy: where answers come to follow difficulty more, another's confidence can tell more of them, and own less over it.
#
# ## Base models, and fewer bits
# <!-- fold -->

# %%
thinking.text("other_pairs")

# %%
forest(
    thinking.pairs[thinking.pairs["kind"] != "thinking on, off"],
    value="equal_accuracy",
    rows="pair",
    colour="kind",
    reference=0,
    caption="The same at equal accuracy, for other pairs: from a base model to the instructed one, from a maker's chat model to its reasoning model, and from full to reduced precision.",
    titles={"equal_accuracy": "change in AUROC2 at equal accuracy"},
    label="fig-frontier-conditions",
)

# %%
table(
    thinking.pairs,
    *("kind", "pair", "n", "missing", "accuracy", "auroc2", "equal_accuracy", "equal_accuracy_wrong", "says"),
    caption="Changes in accuracy and AUROC2, at equal accuracy with replies without an answer left out and as wrong, and whether AUROC2 at equal accuracy rises in both.",
    titles={"kind": "Conditions", "pair": "Weights", "missing": "Without an answer, at most", "accuracy": "Accuracy", "auroc2": "AUROC2", "equal_accuracy": "At equal accuracy", "equal_accuracy_wrong": "The same, missing as wrong", "says": "Rises"},
)

# %% [markdown]
# ## Larger models of one series
# <!-- fold -->

# %%
lines(
    thinking.sizes,
    x="billions",
    value="auroc2",
    colour="series",
    log=True,
    reference=0.5,
    caption="AUROC2 of stated confidence by size, in series of models that one maker trained alike (dashed: chance), with 95 % intervals. Larger models are also more often right.",
    titles={"billions": "thousand million parameters", "auroc2": "AUROC2"},
    label="fig-frontier-sizes",
)

# %% [markdown]
# ## What would change your mind
#
# All pairs with thinking are of one maker. What a reply says after thinking was read from
# its end, which some replies never reached. Pairs of another maker, and replies with room to finish,
# could say otherwise.
