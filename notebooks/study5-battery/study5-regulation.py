# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Does looking back go with looking ahead?

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import dots, forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("study5_battery", profile)
regulation = run.result("regulation")
regulation.glue()
regulation.says(
    "head",
    "Nobody can say yet. Among {n} models, those that take back their wrong answers answer without help neither clearly "
    "more nor clearly less often.",
    "Over {n} models, taking back wrong answers and answering directly correlate at {r:.2f}.",
    holds=(regulation.record.lower < 0) & (regulation.record.upper > 0),
    head=True,
    note=regulation.says(
        "how_open",
        "Withdraw delta and answering directly correlate at {r:.2f} ({lower:.2f} to {upper:.2f}); to tell a correlation of 0.3 from none takes {needed} models.",
    ),
    rule="answer",
)

# %%
dots(
    regulation.pairs,
    x="delta",
    y="direct",
    colour="profile",
    caption="How often each model answers the sixth track directly, against its mean withdraw delta on the other five, by printed profile. Were both one ability, the marks would rise or fall; most models answer nearly everything directly.",
    label="fig-study5-dissociation",
)

# %% [markdown]
# Knowing that one is wrong is useful if something follows: asking for help, thinking longer, not answering. On the sixth
# track a model chooses before it answers: directly (1 point if right), with a hint (half a point if right; a tenth if
# wrong, which its files say and its text does not), or not at all (a quarter). ([What the responses
# are](study5-overview.ipynb).)
#
# The paper concludes that the two are dissociated. To show that nothing is there takes an interval that leaves
# little room, and twenty models leave much. The correlation depends on the few that do not answer nearly
# everything directly, among them one that [cannot follow the format](study5-overview.ipynb).
#
# Nor would a correlation say whether a model looks ahead *well*. How often help is asked for is a habit; whether it is
# asked for on the items that would otherwise be failed would show in a difference between these and the others, and a
# model that answers nearly everything directly has next to no choices from which to compute one.
#
# ## Harder items, other paths?
# <!-- fold -->
#
# The items of the sixth track come in four tiers. A model that looks ahead answers fewer of the hard ones directly.

# %%
matrix(
    regulation.by_tier,
    rows="model",
    columns="tier",
    value="direct",
    why="told",
    limits=(0, 100),
    caption="Share of items that each model answers directly, in %, by tier. Point at a cell for hints and declined items.",
)

# %%
table(
    regulation.by_path,
    *("path", "items", "accuracy"),
    titles={"path": "Path", "items": "Answers", "accuracy": "Right"},
    caption="How many answers on each path are right, all models together. Models and items differ between the paths, so this is no effect of a hint.",
)

# %%
dots(
    regulation.pairs,
    x="direct",
    y="right_ahead",
    colour="profile",
    caption="Share of the sixth track's items that each model answers rightly, against how often it answers directly. A declined item counts as wrong, as in the files.",
    titles={"right_ahead": "Right on the sixth track"},
    label="fig-study5-direct-right",
)

# %% [markdown]
# Models that reason at length before they answer are compared with their makers' others on [a page of their
# own](thinking.ipynb).
#
# ## Size
# <!-- fold -->
#
# Within a family, does metacognition grow with the model? On the second track, the paper states, it falls in one family,
# rises in another and is flat in a third.

# %%
contrasts = run.result("contrasts")
contrasts.glue()
grown = contrasts.numbers()
contrasts.says(
    "size",
    "On the second track deltas run over size as printed in {n_as_printed} of {n_families} families, but in none does the interval of the change show it. In {untold} it cannot even be asked: {why}.",
    "On the second track deltas run over size as printed in {n_as_printed} of {n_families} families; the interval of the change shows it in {n_shown}.",
    holds=grown["n_as_printed"] > grown["n_shown"] == 0 and grown["untold"] != "none",
)

# %%
lines(
    contrasts.scaling,
    x="step",
    value="delta",
    colour="family",
    panel="measure",
    caption="Withdraw delta of the smallest, the middle and the largest model of each family, in points, on each track and on the mean. The paper prints the second track. A line has a gap where a model made no mistake.",
    titles={"step": "Size: smallest, middle, largest"},
    label="fig-study5-sizes",
)

# %%
forest(
    contrasts.scaling[(contrasts.scaling["step"] == 0) & contrasts.scaling["measure"].isin(["T2", "mean"])],
    value="change",
    rows=["family", "measure"],
    reference=0,
    caption="Withdraw delta of the largest model of a family less that of the smallest, in points, on the second track and on the mean of five, with 95 % intervals.",
    label="fig-study5-scaling",
)

# %% [markdown]
# ## Does the battery agree with itself?
# <!-- fold -->
#
# Take three tracks on one side and three on the other: does a model's mean delta on the first predict the second? Those
# halves contain different tracks. To see what the items alone leave open, the items of each kind are dealt into two
# equivalent halves. This shows what a parallel form would show, which the study lacks.

# %%
robustness = run.result("robustness")
robustness.glue()
table(
    robustness.item_halves,
    *("measure", "models", "r", "whole"),
    titles={"r": "Two halves"},
    caption="Correlation over models of two equivalent halves of the items, the median of many splits, and that of two "
    "forms of full length by Spearman and Brown's formula. Look at the deltas.",
    folded=False,
)

# %% [markdown]
# The halves with different tracks correlate to {glue:text}`robustness_r:.2f` over {glue:text}`robustness_n` models
# ({glue:text}`robustness_lower:.2f` to {glue:text}`robustness_upper:.2f`). A rate rests on all answers, but a delta depends on the wrong ones, of which there are few. (Two forms of the
# generated items, asked of one model, are compared [here](study5-replication.ipynb).)

# %%
matrix(
    robustness.between_tracks,
    rows="first",
    columns="second",
    value="r",
    why="told",
    limits=(-1, 1),
    caption="Correlation over models of the withdraw deltas of two tracks. Point at a cell for its 95 % interval and how many models have both. One ability behind all tracks would make every cell high.",
    titles={"first": "Track"},
)

# %% [markdown]
# ## Both probes as one confidence
# <!-- fold -->
#
# Withdraw and do not bet; withdraw and yet bet; keep and do not bet; keep and bet. That is a confidence of four
# levels, and with it the measures of [study 1](study1-correction.ipynb) can be computed: **AUROC2**, the chance that a
# right answer carries more commitment than a wrong one. For KEEP alone AUROC2 is nothing new: it is
# $\tfrac12 + \tfrac12\,\text{delta}$, where the delta is that of the same answers taken together.

# %%
commitment = run.result("commitment")
forest(
    commitment.measures,
    value="auroc2",
    rows="model",
    interval=("lower", "upper"),
    reference=0.5,
    caption="AUROC2 of both probes read as one confidence, on the first five tracks, with 95 % intervals; none from fewer than ten wrong answers. Dashed: chance.",
    label="fig-study5-commitment",
)

# %%
c = commitment.numbers()
commitment.says(
    "converges",
    "The paper says that its findings converge with an independent approach by signal detection, and does not say with which "
    "of its measures. With this AUROC2 of the same probes the withdraw delta goes closely, as it must "
    "(Spearman's {auroc2_r:.2f}, {auroc2_lower:.2f} to {auroc2_upper:.2f}). With the AUROC2 of numbers that the same "
    "{stated_n:.0f} models stated about other questions, in an atlas by the same author, it is not shown to: {stated_r:.2f} "
    "({stated_lower:.2f} to {stated_upper:.2f}).",
    "The withdraw delta correlates at {auroc2_r:.2f} with this AUROC2 of the same probes, and at {stated_r:.2f} "
    "({stated_lower:.2f} to {stated_upper:.2f}) with that of numbers that the same models stated about other questions.",
    holds=c["auroc2_lower"] > 0.5 and c["stated_lower"] < 0 < c["stated_upper"],
)

# %%
dots(
    commitment.measures,
    x="delta",
    y="stated",
    caption="Mean withdraw delta of each model against AUROC2 of the confidence it stated elsewhere. Did both see one ability, the marks would climb.",
    titles={"stated": "AUROC2 of stated confidence"},
    label="fig-study5-converges",
)

# %% [markdown]
# ## Six tracks
#
# Each answer with its two probes earns a score, and a track's score is their mean. A right answer that is kept and bet
# on earns most, and a wrong one that is withdrawn and not bet on earns more than half of that. A right answer that is
# doubted still earns more than a wrong one that is stood by. So the score is mostly accuracy, with a fine for the wrong
# kind of certainty. That is how the published files score the first five tracks, some items of the second aside; the
# paper's text says that all of these but the second are scored by accuracy. The sixth earns the points of its paths.
# Does one model lead on all of them, and do all fail in the same places?

# %%
tracks = run.result("tracks")
tracks.glue()
found = tracks.numbers()
tracks.says(
    "leads",
    "No model leads everywhere. The most that one leads is {most_led} of {n_tracks} tracks, and on {n_tied} the leader cannot be told from another.",
    "One model leads on {most_led} of {n_tracks} tracks; on {n_tied} the leader cannot be told from another.",
    holds=found["most_led"] < found["n_tracks"] and found["n_tied"] > 0,
)

# %%
table(
    tracks.leaders,
    *("track", "about", "leader", "score", "second", "gap", "not_apart"),
    titles={"gap": "Lead"},
    interval={"gap": ("lower", "upper")},
    caption="Who scores highest on each track, by how much, and how many other models cannot be told from it. Look how "
    "often the lead may be none.",
)

# %%
table(
    tracks.scores,
    *("model", "T1", "T2", "T3", "T4", "T5", "T6", "mean"),
    titles={"mean": "Mean"},
    caption="Score of each model on each track: what its answers earned, as its files say.",
)

# %% [markdown]
# Two that tie on the second track do so because [their files are the same](study5-overview.ipynb). With leads this
# small, several models take turns by chance alone.
#
# To see what ability and difficulty alone would do, errors are reassigned at random
# {glue:text}`tracks_permutations:,` times so that every model still makes as many errors as it made, and every item is
# still failed by as many models {cite:p}`strona2014`.

# %%
tracks.says(
    "specific",
    "Errors do depart from that: in some kinds of item some models fail more often than expected (p = {p:.3f}).",
    "That errors depart from it, in kinds of item on which some models fail more often than expected, has p = {p:.3f}.",
    holds=tracks.p < 0.05,
)

# %% [markdown]
# That falls short of "specific to a model". Models that differ in one ability alone also depart from such tables
# if some kinds of item separate able from weak models better than other kinds do.
#
# ## Every kind of item
# <!-- fold -->

# %%
forest(
    tracks.item_types[(tracks.item_types["track"] != "T6") & tracks.item_types["delta"].notna()],
    value="delta",
    rows=["track", "item_type"],
    interval=("lower", "upper"),
    reference=0,
    caption="Withdraw delta on each kind of item, in points: a model's wrong answers to a kind against its own right ones, averaged over models with Mantel and Haenszel's weights, without copied files and declined items; 95 % intervals.",
    label="fig-study5-item-types",
)

# %% [markdown]
# A kind of item that nearly every model answers rightly throughout tells no model from another.

# %%
table(
    tracks.item_types,
    *("track", "item_type", "perfect", "models"),
    titles={"perfect": "Models without a mistake", "models": "of"},
    caption="How many models make no mistake on each kind of item.",
)

# %% [markdown]
# ## What the scissors do
# <!-- fold -->
#
# Cohen's d between profiles C and A, the difference of their means in standard deviations, is
# {glue:text}`robustness_d:.2f` ({glue:text}`robustness_d_lower:.2f` to {glue:text}`robustness_d_upper:.2f`), which
# would be a gulf. But C and A were made by cutting the very same deltas at 15. Everything above the cut against
# everything below gives {glue:text}`robustness_d_at_cut:.2f`; a plain bell curve with the same mean and spread,
# cut at the same place, gives {glue:text}`robustness_d_without_kinds:.2f` with no kinds in it at all.
#
# ## What would change your mind
#
# - We would call the withdraw delta and answering directly unrelated if the interval of their correlation lay close around
#   zero. That needs more models, or models that ask for help more often.
# - We would say that size matters if a family's largest model differed from its smallest by more than chance.
# - We would call profiles kinds of models if the deltas had a gap that a bell curve does not have.
# - We would say that one model leads if it had the highest score on six tracks.
