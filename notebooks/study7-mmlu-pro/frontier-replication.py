# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The frontier: does it replicate?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import forest, table
from metacog.studies import open_run

run = open_run("study7_mmlu_pro", profile)
replication = run.result("replication")
replication.glue()
replication.answer(note="outcomes")

# %%
forest(
    replication.compared,
    value=["first", "second"],
    rows="called",
    reference=0,
    caption="Differences of AUROC2, each family of models counted once, with 95 % intervals over questions (dashed: none), in the atlas and in the second set.",
    titles={"first": "the atlas", "second": "the second set", "": "difference of AUROC2"},
    label="fig-frontier-replication",
)

# %% [markdown]
# The [atlas](frontier-self-knowledge.ipynb) has {glue:text}`replication_n_first_models:d` models that state their confidence
# and {glue:text}`replication_n_first_items:,` questions of MMLU. A [second set](frontier-rows.ipynb) has
# {glue:text}`replication_n_models:d` runs of {glue:text}`replication_n_weights:d` sets of weights, of
# {glue:text}`replication_n_families:d` makers, and the {glue:text}`replication_n_items:,` questions of MMLU-Pro
# {cite:p}`wang2024pro`. What was found in the first is asked again of the second, with the same definitions. Most models are
# others; of the questions this cannot be told.

# %%
replication.text("questions")

# %% [markdown]
# **The rule** was written down before anything was computed of the second set:

# %%
replication.text("rule")

# %% [markdown]
# The bound is .01 for differences of AUROC2 and for bits, .05 for shares. One effect, the bits added to all that others
# say, was put in later, and changed once more, because simulated sets without self-knowledge had passed: it is shown, and
# not counted.
#
# **One maker must not decide.** Some makers have many runs. So a family counts once, however many runs it has,
# and so do runs of the same weights. Others are of other makers: at most six a maker, one of the same weights,
# {glue:text}`replication_n_others:d` in all, which share {glue:text}`replication_n_shared:,` answered questions. As in the
# atlas, {glue:text}`replication_n_rivals:d` of them are each model's rivals.
#
# **What intervals are about.** They say how much would change with other questions. Other models are not drawn.

# %%
table(
    replication.effects,
    *("called", "first", "first_found", "second", "second_found", "outcome", "new", "new_outcome", "alike_said"),
    caption="Each effect in the atlas and in the second set, what each interval says, and whether it holds; the same in the categories that are mostly new, without models of the atlas; and in how many kinds of simulated sets without self-knowledge it comes out as in the second set. The last two are counts, of as many models and questions as the atlas has, and were not simulated.",
    titles={"called": "effect", "first": "the atlas", "first_found": "says", "second": "the second set", "second_found": "says", "outcome": "holds?", "new": "mostly new questions", "new_outcome": "holds there?", "alike_said": "alike without self-knowledge"},
    digits={"first": 3, "second": 3, "new": 3},
)

# %%
replication.text("sizes")

# %%
replication.text("without_self_knowledge")

# %%
replication.text("blend")

# %% [markdown]
# ## Within the set: fourteen categories
# <!-- fold -->
#
# Every category of questions is a replication by itself.

# %%
replication.text("within_categories")

# %%
table(
    replication.within,
    *("called", "same", "open", "other", "least", "most", "sd", "p"),
    caption="In how many categories the atlas's finding is found again, left open, or contradicted; the smallest and largest value; the standard deviation of the true values over categories, and the p of none.",
    titles={"called": "effect", "same": "again", "open": "open", "other": "otherwise", "least": "smallest", "most": "largest", "sd": "SD", "p": "p"},
    digits={"least": 3, "most": 3, "sd": 3},
)

# %% [markdown]
# ## By maker, and replies without an answer
# <!-- fold -->

# %%
replication.text("of_families")

# %%
forest(
    replication.families.query("effect == 'remains'"),
    value="value",
    rows="family",
    interval=("lower", "upper"),
    sort=True,
    reference=0,
    caption="AUROC2 of own confidence less another family's in its place, among equally hard questions, by maker.",
    titles={"value": "own less another's", "family": "maker"},
    label="fig-frontier-replication-makers",
)

# %%
replication.text("unanswered")

# %% [markdown]
# ## How far ranks go
# <!-- fold -->

# %%
replication.text("ranks")

# %% [markdown]
# ## What would change your mind
#
# A third set, of questions that are not from MMLU and with models that none of these was made from, in which an effect that holds here
# lies on the other side. And for what remains among equally hard questions, a better measure of difficulty under which it
# vanishes: like the atlas, this set knows difficulty from other models' answers alone.
