# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # How fast, and what made this book

# %% tags=["parameters"]
profile = "default"

# %%
from metacog.report import bars, forest, table
from metacog.studies import open_run

run = open_run("shared", profile)
speed = run.result("speed")
speed.glue()
speed.says(
    "answer",
    "In one run, fits of meta-d' were about {at_once:,.0f} times as fast as metadpy's, many at once; singly, about {singly:,.0f} times.",
    "In one run, fits of meta-d' were {singly:g} times as fast as metadpy's, and {at_once:g} times many at once.",
    holds=speed.numbers()["singly"] > 1,
    head=True,
)

# %%
forest(
    speed.ratios,
    value="times",
    rows="peer",
    colour="job",
    reference=1,
    log=True,
    caption="How many times as fast this project's code is as each peer, on a logarithmic axis. Left of the dashed line the peer is faster. The bare decode is a yardstick and no program.",
    titles={"times": "times as fast"},
    label="fig-speed-ratios",
)

# %% [markdown]
# A claim of speed means little without a peer and a machine. This page shows what the scripts in `benchmarks/`
# measured, each in one run, on the machine it names. The results are committed in `data/benchmarks/`; run a script
# to measure your machine.

# %% [markdown]
# ## Fits of meta-d'
#
# The peer is metadpy, the field's Python package, which fits one table at a time with SciPy's optimiser. Ours
# writes the same likelihood once, in JAX, and takes Newton steps on thousands of tables together. Both are timed
# warm; compiling takes {glue:text}`speed_compile:.1f` s more, once per session. The machine has
# {glue:text}`speed_cores:d` cores.

# %%
table(
    speed.fits,
    *("what", "fits_per_second", "ratio"),
    caption="Fits of meta-d' per second, with four ratings per side.",
    digits={"ratio": 0},
)

# %% [markdown]
# Ten thousand resamples of one cell take {glue:text}`speed_bootstrap:.2f` s. The main study's whole bootstrap,
# {glue:text}`speed_v1_fits:,d` fits from a table of 224,000 simulated trials, takes
# {glue:text}`speed_v1_seconds:.0f` s in a fresh process, compiling included, and
# {glue:text}`speed_v1_memory:.2f` GiB of memory.

# %% [markdown]
# ## Posteriors of meta-d'
#
# metadpy's Bayesian model is sampled by PyMC, ours by NumPyro, from the same published table in one run. What
# counts is not the number of draws but what they are worth: **effective draws** of meta-$d'$ per second. On the
# first call of a session, with both sides compiling, the ratio is {glue:text}`speed_sampled_first:.1f`. Other
# programs were running during both measurements (load {glue:text}`speed_sampled_load:.1f`).
#
# %% [markdown]
# ## Collecting trials
#
# One peer is the loop that the paper used: llama-cpp-python's high-level call, one trial at a time, which sorts the whole
# vocabulary for every token. Another, where it was measured, is llama.cpp's own server at its best number of requests in
# flight. The batched engine keeps many answers in flight, decodes a prompt once for all temperatures, and does not sort.
# The **bare decode** is a yardstick and no program: `llama_decode` alone, nothing sampled and nothing read, if every token
# of a trial cost a row of its own.

# %%
table(
    speed.collected,
    *("model", "who", "trials_a_second", "engine_is_times"),
    caption="Trials per second (default profile's prompt, temperatures and token limit).",
    titles={"who": "Who asks"},
    folded=True,
)

# %% [markdown]
# ## Whole studies
# <!-- fold -->
#
# Open answers suit an engine that batches; closed choices, repairs and further turns less so. Here every study is asked
# as `metacog collect` asks it, each call of llama.cpp is written down, and then a fresh context is given the same
# calls and nothing else. The share is the time of these bare calls over the time of asking, parsing and storing.

# %%
bars(
    speed.studies,
    value="share_processor",
    rows="study",
    colour="model",
    limits=(0, 1),
    caption="Share of llama.cpp's bare rate that is left when each study is asked, counted in processor time, which other programs disturb less than elapsed time.",
    titles={"share_processor": "share of the bare rate"},
)

# %% [markdown]
# Threads that wait for each other can spin, which is fast and keeps a core busy, or sleep, which leaves it to others.
# And `metacog book` runs under Snakemake, which looks again and again whether a step has ended. What do they cost?

# %%
table(
    speed.waiting,
    *("waiting", "beside", "seconds", "least", "most"),
    caption="Seconds of collecting, by what threads do while they wait and by what runs at the same time: the median, the fastest and the slowest round.",
    titles={"least": "Fastest", "most": "Slowest"},
    digits={"least": 1, "most": 1},
)

# %% [markdown]
# ## From a model to its page
#
# From the command that adds [a model](../book/new-model.md) to its rendered page, in a book that was there already:
# SmolLM2-135M in the ways in which people have models, at sizes for trying things out. The proxy behind the first two takes
# log-probabilities away, and puts thoughts into every reply, one in ten of which ends before its answer.

# %%
table(
    speed.cases,
    *("case", "total", "of_it_collecting", "replies", "requests", "unanswered", "load"),
    caption="One small model in each way that people have models, from the command to its rendered page.",
    digits={"total": 0, "unanswered": 2},
    empty="Not measured yet: benchmarks/five_cases.py does it.",
)

# %% [markdown]
# ## Is a log-probability the same everywhere?
# <!-- fold -->
#
# No. Models stored in few bits are computed by kernels whose rounding depends on how many rows they are given at
# once, so the same text can differ by a tenth or two in log-probability between two ways of computing it. What
# must not differ is the mean: a shift by one token would show as a bias.
#
# The recorded values of sampled answers can be checked against a **forced decode**: the same text, passed through
# llama.cpp another way, in one batch or token by token. Drawing a token from logits that carry rounding noise of
# standard deviation $s$ favours the tokens that the noise favours, by about $s^2/2$; so a bias of a few
# thousandths is what rounding alone produces.

# %%
table(
    speed.forced,
    *("model", "difference", "trials", "bias", "standard_error"),
    caption="Mean difference in NLP between two ways of computing it.",
    digits={"bias": 4, "standard_error": 4},
)
