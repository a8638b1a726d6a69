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
n = replication.numbers()
replication.says(
    "answer",
    "On MMLU-Pro, with mostly other models, {held} of the atlas's {judged} findings come back. Models without self-knowledge would show them too.",
    "On MMLU-Pro, {held} of the atlas's {judged} findings come back.",
    holds=2 * n["held"] > n["judged"] and n["held_alike"] == n["held_simulated"] > 0 and replication.n_again < 10,
    head=True,
)

# %%
forest(
    replication.compared,
    value=["first", "second"],
    rows="called",
    reference=0,
    caption="How much better a model's own confidence tells its right answers from its wrong ones than something else does, in the atlas and in the second set: differences of AUROC2, the share of pairs in which the right answer is ahead. Each family of models counts once; 95 % intervals over questions; at the dashed line there is no difference.",
    titles={"first": "the atlas", "second": "the second set", "": "difference of AUROC2"},
    label="fig-frontier-replication",
)

# %%
replication.says(
    "own_and_others",
    "Is a model's own confidence the best guide to its answers? It puts the right answer ahead in {single_median_pairs:.1f} more of 100 pairs than a typical other model's confidence does. Ask many others, and it falls behind: {crowd_pairs:+.1f} pairs against their mean, {crowd_right_pairs:+.1f} against how many of them are right. The atlas says the same.",
    "Own confidence puts the right answer ahead in {single_median_pairs:+.1f} of 100 pairs more than a single other's does, in {crowd_pairs:+.1f} more than the others' mean, and in {crowd_right_pairs:+.1f} more than the share of others that are right.",
    holds=n["single_median_outcome"] == n["crowd_outcome"] == n["crowd_right_outcome"] == "holds" and n["single_median"] > 0 > n["crowd"],
)

# %%
replication.says(
    "outcomes",
    "Two findings do not come back. Fewer than half of the atlas's pairs of models could be told apart; here more than half can. And whether all models' confidences share one thing or several stays open.",
    "Of the {judged} findings {held} come back. Otherwise: {fails}; open: {cannot_be_told}.",
    holds=n["fails"] == "apart" and n["cannot_be_told"] == "factors",
)

# %%
replication.says(
    "power",
    "**None of this needs self-knowledge.** Each of the {held_alike} findings also comes out in simulated sets in which no model knows anything of itself. What own confidence adds once we know what others say of the same answer is {blend:.4f} bits; such sets reach {blind_bits:.4f}. Nor do we know that we could have seen it: the test calls {blind_called} of {blind_sets} such sets self-knowing, but also {knowing_called} of the {knowing_sets} in which models do know something.",
    "Of {held_simulated} findings that come back and were simulated, {held_alike} come out in sets without self-knowledge. The test calls {blind_called} of {blind_sets} such sets self-knowing, and {knowing_called} of {knowing_sets} in which models know something.",
    holds=n["held_alike"] == n["held_simulated"] == n["held"] and n["blend_lower"] <= n["blind_bits"] and n["knowing_called"] == 0 == n["blind_called"],
)

# %% [markdown]
# The [atlas](frontier-self-knowledge.ipynb) has {glue:text}`replication_n_first_models:d` models that state their confidence
# and {glue:text}`replication_n_first_items:,` questions of MMLU. A [second set](frontier-data.ipynb) has
# {glue:text}`replication_n_models:d` runs of {glue:text}`replication_n_weights:d` sets of weights, of
# {glue:text}`replication_n_families:d` makers, and the {glue:text}`replication_n_items:,` questions of MMLU-Pro
# {cite:p}`wang2024pro`. What was found in the first is asked again of the second, with the same definitions. The pages
# that follow ask the second set what the first cannot tell: [whom to ask](frontier-whom-to-ask.ipynb) whether a model is
# right, whether [thinking](thinking.ipynb) helps, and [what tone tells](frontier-tone.ipynb).
#
# ## Are they other questions?

# %%
replication.says(
    "questions",
    "Some are likely the same, and we cannot tell which. All of the atlas's questions are from MMLU, and so are {n_mmlu:,} here; neither set of replies holds the texts. All may be shared; by chance it would be about {likely:.0f}. So we asked again in the categories of which at most a third is from MMLU ({n_new:,} questions, at most {n_new_mmlu:,} of them from there), without the {n_again} models that the atlas has as well. There {new_held} of {new_asked} findings hold.",
    "All of the atlas's questions are from MMLU, and so are {n_mmlu:,} here. In the categories that are mostly new, {new_held} of {new_asked} findings hold.",
    holds=2 * n["new_held"] > n["new_asked"],
)

# %% [markdown]
# ## The rule
#
# It was written down before anything was computed of the second set:

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
    caption="What own confidence is or does, in both sets: the effect, what its interval says, and whether it comes back; then the same where questions are mostly new, without models of the atlas; last, in how many kinds of simulated sets without self-knowledge it comes out alike. The last two rows count, with as many models and questions as the atlas has, and were not simulated.",
    titles={"called": "effect", "first": "the atlas", "first_found": "says", "second": "the second set", "second_found": "says", "outcome": "holds?", "new": "mostly new questions", "new_outcome": "holds there?", "alike_said": "alike without self-knowledge"},
    digits={"first": 3, "second": 3, "new": 3},
)

# %%
replication.says(
    "sizes",
    "The signs come back, the sizes not always. Among equally hard questions own confidence is ahead of a stranger's by {remains_pairs:.1f} of 100 pairs here, by {remains_pairs_first:.1f} in the atlas. Against the best other model's it is {single_best_pairs:+.1f} here and {single_best_pairs_first:+.1f} there.",
    "Among equally hard questions own confidence is {remains_pairs:+.1f} of 100 pairs ahead of a stranger's here, {remains_pairs_first:+.1f} in the atlas; of the best single other's {single_best_pairs:+.1f} and {single_best_pairs_first:+.1f}.",
    holds=n["remains_moved"] < 0 < n["remains"] and n["single_best_moved"] > 0 > n["single_best"],
)

# %% [markdown]
# ## Within the set: fourteen categories
# <!-- fold -->
#
# Every category of questions is a replication by itself.

# %%
replication.says(
    "within_categories",
    "No category contradicts the atlas. The finding that comes back in fewest, that the best other model beats own confidence, does so in {least_again} of {n_categories}. In the others the intervals reach too far to tell.",
    "The finding that comes back in the fewest categories does so in {least_again} of {n_categories}.",
    holds=n["otherwise"] == 0 and n["least_effect"] == "single_best",
)

# %%
table(
    replication.within,
    *("called", "same", "open", "other", "least", "most", "sd", "p"),
    caption="In how many categories the atlas's finding comes back, cannot be told, or is contradicted; the smallest and largest value; and how much the true values differ over categories (standard deviation), with the p of no difference.",
    titles={"called": "effect", "same": "again", "open": "open", "other": "otherwise", "least": "smallest", "most": "largest", "sd": "SD", "p": "p"},
    digits={"least": 3, "most": 3, "sd": 3},
)

# %% [markdown]
# ## By maker, and replies without an answer
# <!-- fold -->

# %%
replication.says(
    "by_family",
    "It is not one maker. Own confidence beats a stranger's in all {of_families} families, by {least_of_family:.1f} of 100 pairs ({least_family}) to {most_of_family:.1f} ({most_family}).",
    "Own confidence beats a stranger's in {families_above} of {of_families} families, from {least_of_family:+.1f} of 100 pairs ({least_family}) to {most_of_family:+.1f} ({most_family}).",
    holds=n["families_above"] == n["of_families"] > 1,
)

# %%
forest(
    replication.families.query("effect == 'remains'"),
    value="value",
    rows="family",
    interval=("lower", "upper"),
    sort=True,
    reference=0,
    caption="By how much own confidence beats that of a stranger, a model of another family, among equally hard questions: difference of AUROC2, by maker, with 95 % intervals.",
    titles={"value": "own ahead of a stranger's", "family": "maker"},
    label="fig-frontier-replication-makers",
)

# %%
replication.says(
    "unanswered",
    "Counting replies without an answer as wrong changes none of these findings.",
    "Counting replies without an answer as wrong changes {n_other_reading} of these findings.",
    holds=n["n_other_reading"] == 0,
)

# %% [markdown]
# ## How far ranks go
# <!-- fold -->

# %%
replication.says(
    "ranks",
    "More questions settle more ranks. In the atlas {atlas_apart:.0%} of pairs of models can be told apart, here {here_apart:.0%} with as many questions and {all_apart:.0%} with all {n_shared:,} that {n_others} models answered. Even then {all_may_lead:.0f} could be first.",
    "In the atlas {atlas_apart:.0%} of pairs of models can be told apart, here {here_apart:.0%} at its size and {all_apart:.0%} with all {n_shared:,} questions that {n_others} models answered.",
    holds=n["all_apart"] > n["here_apart"] and n["all_may_lead"] > 1,
)

# %% [markdown]
# ## What would change your mind
#
# - Somebody could ask a third set of questions, none of them from MMLU, of models that none of these was made from. If an
#   effect that holds here lay on the other side there, we would give it up.
# - Somebody could measure difficulty better. If what remains among equally hard questions vanished then, we would give that
#   up, too. Like the atlas, this set knows difficulty from other models' answers alone.
