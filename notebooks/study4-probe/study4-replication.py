# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The Metacognitive Probe, on this run's models

# %% tags=["parameters"]
profile = "default"
other = ""
verdicts = True

# %%
from metacog.studies import Kind, open_run

run = open_run("study4_probe", profile, other)
replication = run.result("replication", verdicts=verdicts)
replication.glue()
replication.answer()

# %%
replication.figure("steady")

# %% [markdown]
# The probe {cite:p}`oliveira2026probe` asks a model to do five things: to answer and say how sure it is, on a
# scale of ten and on one of a hundred; to find the flaw in an argument; to say what it cannot know, and why; and
# to find the false step in a chain of reasoning. Each task gives a score from 0 to 100. The paper's items are not
# public, so the 78 items here were written for this project, and no score on this page can be compared with the
# paper's. This run asked {glue:text}`replication_n_items` of them, once each; the reply is the most probable one.
#
# Questions range from trivial to obscure. A model that knows itself is sure of what it gets right and doubts what
# it gets wrong. Small models often fail earlier: they do not keep to the form of the reply. That is counted, not
# hidden.

# %%
replication.text("in_full")

# %%
replication.box("failures")

# %% [markdown]
# ## How do these models state confidence?
#
# A score does not reveal how it arose. A model may say 100 whatever it is asked, or choose between two numbers. A
# strategy is a description, not a fault: a model that is right throughout does well to be constant.

# %%
items = run.result("replication_items", verdicts=verdicts)
items.glue()
items.box("strategy_classes")

# %% [markdown]
# ## Does confidence follow correctness?

# %%
replication.verdicts(Kind.EXPLORATORY, "calibration")

# %% [markdown]
# ## A stricter test: is confidence about the answer at all?
#
# Items of some tasks were asked {glue:text}`replication_resamples` times more, at a higher temperature. An answer that the
# model really holds comes back; a guess does not. A stated confidence that reflects anything inside the model
# should follow that agreement (the figure above).

# %%
replication.verdicts(Kind.EXPLORATORY, "steadiness")

# %% [markdown]
# The second half of the test needs no second answer. **Decoding entropy** is how torn a model is between texts
# when it writes its answer: the line with the answer, without the confidence, is drawn
# {glue:text}`replication_items_draws` times at temperature 1, and the mean of minus the log-probability per token is
# taken. A model whose words follow its own doubt states less confidence where this is high.

# %%
items.figure("entropy")

# %%
items.verdicts(Kind.EXPLORATORY, "entropy")

# %% [markdown]
# ## Do the two tasks of confidence agree?
#
# The paper's main finding is a model that is first on T1-CC and last on T4-CR. But the two scores ask for
# different things: T1-CC only for the order of confidence, T4-CR for its size; and their zeros differ, so that an
# observer who knows itself equally well on both tasks has two different scores. Whether a model knows itself better
# on one task requires one measure for both. **AUROC2** is the chance that a right answer carries more confidence than
# a wrong one: 0.5 without self-knowledge, whatever the task and the scale.

# %%
replication.verdicts(Kind.EXPLORATORY, "dissociation")

# %% [markdown]
# Even then the two tasks have different questions. Where those of one are spread wider from trivial to obscure, it
# is easier to be less sure of what is wrong; so a difference is a reason to look at the items, not proof of two
# kinds of self-knowledge.

# %%
run.other_run("replication", "profile")

# %% [markdown]
# ## Five scores
# <!-- fold -->

# %%
replication.figure("profile")

# %%
replication.table("profile")

# %% [markdown]
# A score is only as good as its number of items. The intervals show what the score might have been, had other
# items of the same sort been drawn; where no item earned a point, resampling gives no answer, and the interval is
# Wilson's. A model that says "no error" of every chain is right about the sound half. Two composites sum a profile
# up; the paper leaves T3-KB, the task on the boundary of knowledge, out of the headline.

# %%
replication.table("composites")

# %% [markdown]
# T3-KB has two rules in the paper. By the first, CAN_ANSWER and the type of boundary have to match the key. By the
# second, a model must say that it can answer exactly when it then gives the right answer.

# %%
replication.table("boundary")

# %% [markdown]
# ## The rules, and the replies behind them
# <!-- fold -->

# %%
replication.rules("calibration", "steadiness", "dissociation")

# %%
items.rules("entropy")

# %%
replication.table("audit_t1")

# %%
replication.table("steady")

# %% [markdown]
# The p value is the share of all arrangements of the confidences over the items, or of 10,000 random ones, that go
# with agreement at least as closely as the model's own. It is valid however few values a model uses. An interval
# from resampled items is not: where confidence leaves one value only a few times, resamples lose just these, and
# it becomes far too short. So no interval is given where fewer than five items leave the most common value, or
# where more than 5 % of the resamples have no correlation, and p decides.
#
# The retest column is the correlation of the confidences stated when the same items were asked twice, at the same
# temperature. What a model does not repeat cannot follow anything.

# %%
items.text("entropy_relation")

# %%
items.table("entropy")

# %% [markdown]
# Entropy is possible only with engines that give log-probabilities of tokens; for others the table says so.

# %%
replication.table("differences")

# %% [markdown]
# A difference that vanishes without the penalties concerns how much confidence moves, not how true it is.

# %%
replication.table("tasks_compared")

# %% [markdown]
# The items show where it comes from. The last column is what each reply costs in the Brier score.

# %%
replication.table("audit")

# %% [markdown]
# ## Calibration range, with and without its penalties
# <!-- fold -->
#
# The score of T4-CR, the task on the range of confidence, is a Brier score minus two penalties, for confidence
# that hardly moves. Where the penalties begin is drawn for each panel by a rule that knows no reply: a hash of the
# items' version and the panel's name. It was written into the run's manifest before the first question. For this
# run it gave $\sigma_T =$ {glue:text}`replication_sigma_t:.0f` and $R_T =$ {glue:text}`replication_range_t:.0f`.

# %%
replication.table("penalties")

# %%
replication.table("sweep")

# %%
replication.text("sweep_range")

# %% [markdown]
# Matching matters too. "President Kennedy" and "John F. Kennedy" are one man, but a scorer that wants exactly the
# same letters counts the first as wrong, and then a model that was sure of it is called overconfident.

# %%
replication.text("strict_matching")

# %% [markdown]
# Where do the lost points go? A Brier score is the sum of three terms {cite:p}`murphy1973`: *uncertainty*, which
# is what anybody would lose by stating the share of right answers throughout; *reliability*, which is added for
# stated confidence that does not come true; and *resolution*, which is subtracted where answers of one
# confidence are right more often than answers of another, even if the surer ones are right less often: AUROC2, in the
# last column of the table, shows the direction. With bins there is a fourth, for what a bin hides; with one bin for each stated
# value it is 0.

# %%
items.box("murphy_loss")

# %%
items.table("murphy")

# %% [markdown]
# With a dozen items each value is stated only a few times, and chance alone makes reliability and resolution
# large. In the two columns of the table's group *minus the bias of few items* it is subtracted, and they may fall
# below 0.

# %%
items.text("strategy_rule")

# %%
items.table("strategies")

# %% [markdown]
# ## Which items distinguish models?
# <!-- fold -->
#
# An item on which all models earn the same says nothing about their differences. An item *discriminates* if the
# models that get it right also do better on the rest of its task.

# %%
items.text("item_separation")

# %%
items.table("tasks")

# %%
items.table("separating")

# %% [markdown]
# The interval of the share resamples items, that of discrimination models, {glue:text}`replication_items_resamples:,`
# times each.

# %%
replication.text("panel_statistics")

# %%
items.text("lineages_left_out")

# %% [markdown]
# ## Could confidence guard an answer?
# <!-- fold -->
#
# A user of a model may want to inspect its doubtful answers and let the others through. A **gate** escalates each
# answer below a threshold of confidence, and each without one. Its *load* is the share that somebody has to
# inspect; its *missed errors* are wrong answers that pass.

# %%
replication.figure("gates")

# %%
replication.table("gates")

# %% [markdown]
# Load and missed errors are those of the answers on which the threshold was chosen, and look better than they are.
# So what confidence is **worth** is judged on the other half of the items: a gate that escalates at random has a
# load and a share of missed errors that add up to 1, and the worth is by how much the two stay below that. Its
# interval resamples items, and every resample chooses its thresholds again. Where the interval contains 0,
# escalating at random does as well, as far as the data show.

# %% [markdown]
# ## What would change your mind
#
# - More items: {glue:text}`replication_n_items` in five tasks leave wide intervals. If you add items, make a new version
#   of `data/questions/probe-v1.jsonl`; a validator checks it against the plan of the tasks.
# - Another form of asking. The two worked replies shown before each item teach small models the form, and may lend
#   them their confidence: if the same few numbers return again and again above, they are probably the examples'.
#   The setting `examples: false` leaves them out.
# - The items were written by a language model and answered blind by another. Errors that both share are possible;
#   if you find one, please open an issue.
