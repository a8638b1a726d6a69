# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # The same experiment on your own models

# %% tags=["parameters"]
profile = "default"
other = ""

# %%
from metacog.studies import open_run

run = open_run("study2_two_choice", profile, other)
ratings = run.result("replication_ratings")
ratings.glue()
ratings.answer()

# %%
ratings.figure("signals")

# %%
ratings.box("near_chance")

# %% [markdown]
# The two preceding pages recomputed published results. Here the same two experiments are run on the models of this
# run: decide between two alternatives and say how sure you are, and decide under a warning. Every number comes from
# trials that were collected on one machine, with the models that come with this book or with yours. The models that
# come with the book are small enough for a laptop, and two classes of sentence may look the same to them. The page
# is meant to show what an honest measurement reports then.
#
# There are three tasks, as in the paper: is a sentence negative or positive (A), spoken or written (B), whole or
# without some of its *the* (C)? Each conversation asks about one sentence. The sentences were written for this
# book, since the paper's have to be fetched from their publishers.

# %%
asked = run.result("replication_asked")
asked.glue()
asked.text("sets")

# %%
asked.text("way_of_asking")

# %% [markdown]
# ## Stated and implied confidence
#
# A model that says "4" might have said "3" or "5" with nearly the same probability. Where the engine gives
# probabilities, confidence can be read more finely: the **mean over the digits** 1 to 5, each weighted with its
# probability. And there is a signal that nobody asked for: the **probability of the decision** itself. **AUROC2** is
# the chance that a right answer carries more of a signal than a wrong one; 0.5 is chance.
#
# One caution. Decisions are drawn at the temperature named above. A draw that goes against the model's own
# preference carries a low probability and is more often wrong. So the **probability of the preferred option** is shown
# as well, and whether that option is right: neither depends on a draw.

# %%
ratings.text("finer_signals")

# %%
ratings.text("without_the_draw")

# %%
ratings.table("signals", folded=True)

# %% [markdown]
# ## What does a warning do?
#
# The same decisions are made once without any mention of risk, and once with a warning against each answer. A
# model that heeds a warning moves its **criterion** $c$, which says what answer it favours, away from the punished
# answer, and leaves its **$d'$**, which measures how far apart the two kinds of sentence are to it, alone.

# %%
risk = run.result("replication_risk")
risk.glue()
risk.figure("criterion")

# %%
risk.box("warnings_heeded")

# %%
risk.box("sensitivity")

# %% [markdown]
# ## Ask your own model
#
# ```bash
# metacog add-model my-model --gguf path/to/model.gguf --kind instruct
# make book                                     # or the collection alone:
# metacog collect --study study2_two_choice --model my-model
# ```
#
# The block `study2_two_choice` of `config/profiles/default.yaml` sets how many sentences are asked about, how and
# at which temperature. Other sentences are named there too: with `tasks: {A: sst2, B: origin, C: origin}` this page
# shows task A on SST-2. With `how: json` the model writes its answers as strict JSON, as in the paper; small models
# cannot. If you already have counts, give them to `metacog import-trials`.
#
# ## What was asked, and what came back
# <!-- fold -->
#
# Below is the first request of each task, as turns of a conversation. How a turn becomes text depends on the
# model: its chat template, or plain lines for a model that has none. Under risk, the first turn has one more line:
# which of the two answers is punished if it is wrong. No confidence is asked for then.

# %%
asked.text("prompts")

# %% [markdown]
# {glue:text}`replication_asked_trials:,` trials. Nothing is dropped silently: each cell shows how many replies were not
# understood.

# %%
asked.text("replies")

# %%
asked.table("cells")

# %%
asked.table("facts")

# %% [markdown]
# ## How well do they decide?
# <!-- fold -->
#
# Above a $c$ of 0 a model says the first answer (negative, oral, complete) more readily. With so few trials a model
# may by luck never give one of the two answers, and $d'$ would be infinite; so a tenth of a trial is added to each of
# a cell's 20 counts, half a trial to each of its four outcomes {cite:p}`hautus1995`.

# %%
ratings.table("cells")

# %%
ratings.text("padded")

# %% [markdown]
# ## Do they know when they are right? The M-ratio
# <!-- fold -->
#
# The plainest picture first: the share of right decisions at each level of confidence. Levels with fewer than
# {glue:text}`replication_ratings_fewest` trials are left out.

# %%
ratings.figure("accuracy")

# %%
ratings.box("falls")

# %%
ratings.text("left_out")

# %% [markdown]
# Now the measure that this design is made for. **meta-$d'$** is the $d'$ with which an ideal observer would give
# just these ratings; the **M-ratio** divides it by $d'$. Intervals come from {glue:text}`replication_ratings_resamples:,`
# resamples within each kind of sentence.

# %%
ratings.box("fits")

# %%
ratings.table("meta")

# %% [markdown]
# ### The same by posterior
#
# The paper estimates all of this with a Bayesian model that includes $d'$. Its answer to too little information is
# a wide interval, and a rule states when to give up: where more than 1 % of the draws have a $d'$ close to 0, or
# an M-ratio that is not positive, there is no verdict.

# %%
posterior = run.result("replication_posterior")
posterior.glue()
posterior.box("judged")

# %%
posterior.figure("m_ratio")

# %%
posterior.table("cells")

# %%
posterior.box("sampling_quality")

# %% [markdown]
# ## One model against another, one task against another
# <!-- fold -->
#
# Models were asked about the same sentences, so a difference between two of them is paired: both are resampled over
# the same sentences, {glue:text}`replication_compared_resamples:,` times. Two tasks of one model have different sentences
# and are resampled apart. All pairs of a kind are one family: p is adjusted by Holm's method, and the intervals hold
# for all pairs together. A pair of which one side cannot be judged is not compared; the reason stands next to it.

# %%
compared = run.result("replication_compared")
compared.glue()
compared.verdicts(topic="models")

# %%
compared.table("models")

# %%
compared.verdicts(topic="tasks")

# %%
compared.table("tasks")

# %% [markdown]
# ## Decisions under a warning, cell by cell
# <!-- fold -->
#
# The verdicts are the paper's: a difference counts if $|Z|$ exceeds {glue:text}`replication_risk_wide_z:.2f`, as in the
# paper's family of 27 pairs, and is then compared with the ROPE, the region of practical equivalence. With the
# wide interval a verdict is as strict as its test.

# %%
risk.table("c_pairs")

# %%
risk.table("d_pairs")

# %%
risk.table("cells")

# %%
risk.text("padded")

# %% [markdown]
# Such cells appear in the figure without an interval, and are not used in any pair.

# %%
run.other_run("replication_asked", "cells", replication_ratings="cells")

# %% [markdown]
# ## What would change your mind
#
# That a model cannot do a task: more sentences, with an interval of $d'$ that excludes 0; or another wording. The
# one used here was chosen among six on 40 sentences per task (`data/questions/CHANGES.md` reports the results),
# and another model may need another. That a model does not know what it knows: a signal whose AUROC2 is clearly
# different from 0.5. That it does not heed a warning: a criterion that climbs from left to right by more than its
# interval.
