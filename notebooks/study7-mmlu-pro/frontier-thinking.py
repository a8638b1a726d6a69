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
    value=["auroc2", "equal_accuracy", "beyond"],
    rows="pair",
    reference=0,
    caption="Change in the AUROC2 of stated confidence when the same weights think before they answer: as it is, between answers that are right equally often, and of that what goes beyond the gain of other makers' confidence that has not changed. 95 % intervals over questions, the last over whose unchanged confidence it is too; replies without an answer are left out. Right of the dashed line, confidence tells more with thinking on.",
    titles={"auroc2": "as it is", "equal_accuracy": "at equal accuracy", "beyond": "beyond unchanged confidence", "": "change in AUROC2"},
    label="fig-frontier-thinking",
)

# %% [markdown]
# {glue:text}`thinking_n_thinking:d` sets of weights among [the 83 models](frontier-data.ipynb) answered every question
# twice: at once, and after thinking.
# Nothing else differs, so this is the nearest that open data come to an experiment on what thinking does to self-knowledge.
#
# **The first trap is accuracy.** With thinking on, more answers are right. Among other answers, confidence has another task,
# and AUROC2 moves although nothing about self-knowledge has changed. So both conditions are also compared **at equal
# accuracy**: the better one on harder questions, the other on easier ones, hard and easy by what models of other makers
# get right. The price is that the questions differ. In
# simulated pairs whose truth is known, its mean is off by at most {glue:text}`thinking_bias_equal:.3f`, that of the
# plain change by up to {glue:text}`thinking_bias_plain:.3f`.
#
# **The second trap is which answers are right.** If answers come to follow difficulty more, a confidence that only reads
# difficulty tells more of them, without any change in it. So models of other makers lend both conditions the confidence
# that they stated in the same questions. It is the same in both, and yet it tells more of the answers after thinking. What
# is judged is how far the model's own goes beyond that, in proportion. Unchanged confidences do not all gain alike, so the
# interval is over questions and over whose confidence it is. {glue:text}`thinking_alike:s`
# {glue:text}`thinking_checked:s` Where answers come to hang less on what the model alone knows, its own confidence has less to
# tell, and this falls.
#
# **The third trap is silence.** A reply that runs out of room while thinking has no answer, and states nothing.
# {glue:text}`thinking_missing:s` {glue:text}`thinking_at_chance:s`
#
# ## Base models, and fewer bits
# <!-- fold -->

# %%
thinking.text("other_pairs")

# %%
forest(
    thinking.pairs[thinking.pairs["kind"] != "thinking on, off"],
    value="beyond",
    rows="pair",
    colour="kind",
    reference=0,
    caption="The same beyond unchanged confidence, for other pairs: from a base model to the instructed one, from a maker's chat model to its reasoning model, and from full to reduced precision.",
    titles={"beyond": "change in AUROC2 beyond unchanged confidence"},
    label="fig-frontier-conditions",
)

# %%
table(
    thinking.pairs,
    *("kind", "pair", "n", "missing", "accuracy", "auroc2", "equal_accuracy", "unchanged", "beyond", "beyond_lowest", "beyond_median", "beyond_highest", "as_much", "says"),
    caption="Changes in accuracy and AUROC2, at equal accuracy, and with other makers' unchanged confidence there; what goes beyond that, with replies without an answer left out, and as wrong with the lowest, median and highest number of their run; the share of unchanged confidences that gain as much; and whether it rises in the first three readings.",
    titles={"kind": "Conditions", "pair": "Weights", "missing": "Without an answer, at most", "accuracy": "Accuracy", "auroc2": "AUROC2", "equal_accuracy": "At equal accuracy", "unchanged": "Unchanged confidence", "beyond": "Beyond it", "beyond_lowest": "Missing as lowest", "beyond_median": "As median", "beyond_highest": "As highest", "as_much": "Gain as much", "says": "Rises"},
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
