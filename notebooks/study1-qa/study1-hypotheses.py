# ---
# jupytext:
#   text_representation: {extension: .py, format_name: percent}
# kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Four hypotheses, and the choices they rest on

# %% tags=["parameters"]
profile = "default"
other = ""
domains = []  # those that the second hypothesis compares; all, if none is named
n_resamples = 10_000
seed = 42
verdicts = True

# %%
from metacog.report import forest, lines, matrix, table
from metacog.studies import open_run

run = open_run("study1_qa", profile, other)
drawn = {"n_resamples": n_resamples, "seed": seed, "verdicts": verdicts}
robust = run.result("robustness", **drawn)
robust.glue()
r = robust.numbers()
choices = robust.says(
    "choices",
    "The number is the M-ratio. As registered, {low_model}'s is {low:.2f} (95 % interval {low_lower:.2f} to {low_upper:.2f}). With "
    "confidence in the same answers cut at equal widths it is {width:.2f} ({width_lower:.2f} to {width_upper:.2f}), and on other "
    "questions {other:.2f} ({other_lower:.2f} to {other_upper:.2f}).",
)
robust.says(
    "head",
    "Three of the paper's four hypotheses rest on one number, and that hangs on choices: by it {low_model} is last of four "
    "models, or first.",
    "As registered, {low_model} has the lowest M-ratio of the paper's models, {low:.2f}; on other questions it has {other:.2f}.",
    holds=r["n_theirs"] == 4
    and r["other_highest"]
    and r["width_highest"]
    and r["low_upper"] < min(r["other_lower"], r["width_lower"]),
    head=True,
    rule="answer",
    note=choices,
)

# %%
settings = robust.published.drop_duplicates(["variant", "model"])
turned = settings["variant"].isin(["K = 4, s = 1, quantiles", "equal width", "Natural Questions"])
caption = (
    "M-ratio of the paper's four models, with 95 % intervals: from reconstructed counts, and at equal widths from the first "
    "paper's counts. A property of the models would keep their order."
)
forest(
    settings[turned], value="m_ratio", rows="variant", colour="model", reference=1, caption=caption,
    label="fig-robustness-turned",
)

# %% [markdown]
# A finding that depends on one choice is a finding about that choice. Put 5,000 questions to a model and sort its answers by
# confidence into eight classes, the **ratings**. The hypotheses are about numbers made from that table:
#
# - **$d'$** says how far apart right and wrong answers are when the ratings are cut once, in the middle. The paper calls it
#   so; as it is about answers, and no two things were to be told apart, it is a type-2 $d'$ ($d'_2$).
# - **meta-$d'$** is the $d'$ that would have produced the ratings *within* each half, fitted by maximum likelihood.
# - **M-ratio** $=$ meta-$d'/d'$. At 1 the finer ratings carry as much as the single cut promises; below 1, less.
#
# The paper {cite:p}`cacioli2026sdt` reads the M-ratio as metacognitive efficiency. For open answers no choice would make it
# that: both numbers come from one table, and their ratio describes its shape ([the correction](study1-correction.ipynb)). So
# read what follows as the history of an idea. Nothing on this page helps to [gate a product](study1-use.ipynb).

# %%
run.result("signal").text("which")

# %% [markdown]
# ## What became of the four
#
# Each is judged by the paper's own rule, good or bad, and by a sounder one; both are quoted at the end.

# %%
summary = run.result("summary", domains=domains, **drawn)
summary.glue()
s = summary.numbers()
summary.says(
    "verdicts",
    "In the small models asked here one hypothesis holds by the paper's own rule, that two models differ in M-ratio. By sounder "
    "rules none holds, and one is refuted: temperature moves meta-d' in some models.",
    "By the paper's rules {paper_yes} of its hypotheses hold in the models asked here and {paper_no} fail; by sounder ones "
    "{sounder_yes} and {sounder_no}.",
    holds=(s["paper_yes"], s["sounder_yes"], s["sounder_no"]) == (1, 0, 1),
)

# %%
h1 = run.result("h1", **drawn)
h1.glue()
n = h1.numbers()
h1.says(
    "answer",
    "**1. Does confidence use less than a model knows?** It is no law. Of the paper's four models only {least_model} has an M-ratio below "
    "1, {least_m_ratio:.2f} ({least_m_ratio_lower:.2f} to {least_m_ratio_upper:.2f}), and on other questions it lies above. Of the small models asked here one does: {own_model}, "
    "{own_m_ratio:.2f} ({own_m_ratio_lower:.2f} to {own_m_ratio_upper:.2f}).",
    "M-ratio lies below 1 in {n_below} of the paper's {n_theirs} models, and above in {n_above}; in the models asked here, by the "
    "sounder rule, below in {n_yes} and above in {n_no}.",
    holds=n["n_below"] == 1 and n["n_above"] == 0 and r["other_lower"] > 1 and n["n_yes"] == 1 and n["own_m_ratio_upper"] < 1,
)

# %%
h2 = run.result("h2", domains=domains, **drawn)
h2.glue()
n = h2.numbers()
h2.says(
    "answer",
    "**2. Does a model know better what it knows about art than about geography?** By M-ratio, {their_apart} of {their_pairs} pairs of "
    "subjects differ. By AUROC2, about which the rule does not ask, two of the paper's four models differ: {gap0_model} puts the right one "
    "of two answers first in {gap0_high:.0f} of 100 pairs about {gap0_best} and in {gap0_low:.0f} about {gap0_worst}; {gap1_model} in "
    "{gap1_high:.0f} about {gap1_best} and in {gap1_low:.0f} about {gap1_worst}. Perhaps the questions of one subject only differ more in "
    "difficulty.",
    "Subjects differ in printed AUROC2 in {n_printed_apart} of the paper's {n_printed} models, and in M-ratio in {their_apart} of "
    "{their_pairs} pairs.",
    holds=n["n_printed_apart"] == 2 and n["n_printed"] == 4 and n["their_apart"] < 2,
)

# %%
h3 = run.result("h3", **drawn)
h3.glue()
n = h3.numbers()
first = run.result("first_paper", seed=seed)
first.glue()
f = first.numbers()
h3.says(
    "answer",
    "**3. Does temperature change how boldly a model answers, and not what its confidence knows?** As printed, so it is in two of the paper's "
    "four models; in the counts of its first paper, in none. In two of the small models asked here meta-d' clearly moves, by {moved_least:.2f} to "
    "{moved_most:.2f}. But accuracy alone moves it, too.",
    "By two one-sided tests meta-d' stays in {n_yes} of the models asked here and moves in {n_no}; {n_open} are undecided.",
    holds=(n["n_both"], n["n_printed"], f["n_both"], f["n_theirs"], n["n_no"], n["n_yes"]) == (2, 4, 0, 4, 2, 0)
    and n["moved_least"] > n["bound"],
)

# %%
h4 = run.result("h4", **drawn)
h4.glue()
n = h4.numbers()
h4.says(
    "answer",
    "**4. Can two models answer equally well, and one of them know itself better?** That was not shown. {their_apart} of {their_pairs} pairs of the paper's "
    "models differ in M-ratio, all with {their_common}, and all {their_apart} change places on other questions. In none do the two clearly differ more "
    "in M-ratio than in d'. Nor do they here, in {our_apart} of {our_pairs} pairs.",
    "M-ratio differs in {their_apart} of {their_pairs} pairs of the paper's models, in {their_further} of them by more than d'; in the models "
    "asked here in {our_apart} of {our_pairs}, in {our_further} by more than d'.",
    holds=n["their_apart"] == r["n_turned_other"] > 0 and n["their_further"] == n["our_further"] == 0 < n["our_apart"],
)

# %%
caption = (
    f"Would the sounder rules have seen it? Each row is a simulated world, tried {summary.n_runs} times with the models and questions that the "
    "paper had, and again with ours. Small models are rarely right, which costs ours most of its power."
)
named = {"claim": "Hypothesis", "world": "Simulated world", "should": "The rule should say", "theirs": "It does, like the paper", "ours": "It does, like ours"}
table(summary.tried, *named, caption=caption, titles=named, digits={"theirs": 0, "ours": 0}, folded=False)

# %% [markdown]
# ### Verdicts, model by model
# <!-- fold -->

# %%
caption = "The four hypotheses in the models of this book, by the paper's rule and by a sounder one. The fourth is about pairs of models."
matrix(summary.hypotheses, rows="claim", columns="model", value="answer", why="why", caption=caption, titles={"claim": "Claim"})

# %% [markdown]
# ## The first hypothesis
# <!-- fold -->
#
# Do models use less than all they know when they say how sure they are? Then each mark lies left of 1.

# %%
sound = h1.comparison[h1.comparison["flag"].isna() | (h1.comparison["flag"] == "")]
sound = sound.drop_duplicates(["source", "model", "m_ratio"])
caption = "M-ratio at temperature 1 with 95 % intervals; the paper's models from reconstructed counts. The hypothesis asks that every interval end left of the dashed line."
forest(sound, value="m_ratio", rows="model", colour="source", reference=1, caption=caption, label="fig-h1-models")

# %% [markdown]
# ## The second hypothesis
# <!-- fold -->
#
# Does a model know better what it knows about art than about geography? The paper asks whether its M-ratio differs between
# subjects. The figure shows another measure, which the rule does not ask about, **AUROC2**: of a right and a wrong answer, how
# often does the right one carry more confidence? It may differ where the M-ratio does not.

# %%
areas = h2.comparison[h2.comparison["auroc2"].notna()].drop_duplicates(["source", "model", "domain", "auroc2"])
printed = areas[areas["source"].str.startswith("published")]
caption = "AUROC2 of the paper's models by subject, with 95 % intervals, as printed. Subjects differ where marks of one colour keep apart."
forest(printed, value="auroc2", rows="domain", colour="model", caption=caption, label="fig-h2-areas")

# %% [markdown]
# ### Subject by subject

# %%
n = h2.numbers()
h2.says(
    "ours",
    "Among the small models asked here one pair of subjects differs, of the {n_areas} that can be compared: the confidence of "
    "{differ_model} tells less about {differ_worse} than about {differ_better}, by {differ_gap:.2f} ({differ_gap_lower:.2f} to "
    "{differ_gap_upper:.2f}).",
    "In the models asked here {n_differ} of {n_areas} pairs of subjects that can be compared differ in AUROC2.",
    holds=n["n_differ"] == 1 and n["flagged"] == n["our_pairs"],
)

# %%
ours = areas[~areas["source"].str.startswith("published")]
caption = "AUROC2 of this book's models by subject, with 95 % intervals."
forest(ours, value="auroc2", rows="domain", colour="model", caption=caption, label="fig-h2-ours")

# %%
ratios = h2.comparison[h2.comparison["m_ratio"].notna()].drop_duplicates(["source", "model", "domain", "m_ratio"])
caption = (
    "M-ratio by subject: as the paper prints it, without intervals, and of this book's models, with 95 % intervals. In "
    "the table below stands how many pairs of them are not flagged. Most flags say that the 0.5 added to empty cells decides."
)
forest(
    ratios, value="m_ratio", rows="domain", colour="model", panel="source", reference=1, caption=caption,
    label="fig-h2-ratios",
)

# %%
columns = ["source", "model", "n_pairs", "usable", "n_apart", "apart", "unflagged"]
named = {"n_pairs": "Pairs of subjects", "usable": "Usable as registered", "n_apart": "Interval without 0", "apart": "Which", "unflagged": "Not flagged by us"}
caption = "The second hypothesis as registered, model by model: of the paper's, as its text says; of this book's, as computed."
digits = dict.fromkeys(["n_pairs", "usable", "n_apart", "unflagged"], 0)
table(h2.by_model, *columns, caption=caption, titles=named, digits=digits)

# %%
caption = "Subjects differ in difficulty, and that alone moves a measure: meta-I2r where nothing but accuracy changes, at the median separation of this run's subjects."
lines(h2.record.by_accuracy, x="accuracy", value="meta_i2r", caption=caption, label="fig-h2-accuracy")

# %% [markdown]
# ## The third hypothesis
# <!-- fold -->
#
# A higher **sampling temperature** makes a model bolder in its choice of words. Does that move only where confidence is
# cut, the **criterion**, and leave meta-$d'$ as it is?

# %%
n = h3.numbers()
h3.says(
    "printed",
    "The paper's rule has two parts: between the temperatures 0.3 and 1 meta-d' moves by less than {bound}, and it follows temperature less "
    "closely than d' does. As printed, both hold in {both_names}.",
    "As printed, both parts of the paper's rule hold in {n_both} of its {n_printed} models.",
    holds=n["n_both"] == 2,
)

# %%
first.says(
    "ranges",
    "In the counts of the first paper both parts hold in no model. {moving} move by {moving_least:.2f} and {moving_most:.2f}; in {still} "
    "meta-d' keeps within the bound and yet follows temperature as closely as d'.",
    "In the counts of the first paper both parts hold in {n_both} of {n_theirs} models.",
    holds=f["n_both"] == 0 and f["n_still"] == 2 and f["n_theirs"] == 4,
)

# %% [markdown]
# ### Temperature, model by model, and what the rise is made of
#
# The paper's rule asks about the range of the estimates. Two one-sided tests ask what bound can be shown, and so allow for chance.

# %%
judged = h3.summary[h3.summary["flagged"] == ""]
named = {"meta_d_range": "range of the estimates", "smallest_bound": "smallest bound that is shown", "": "meta-d' in units of d'"}
caption = (
    "How far meta-d' moves in the models asked here: the range of its estimates, which the paper's rule asks about, and the "
    "smallest bound that two one-sided tests would show. The hypothesis asks that both lie left of the dashed line."
)
forest(
    judged, value=["meta_d_range", "smallest_bound"], rows=["model", "edges"], inline=True,
    reference=h3.bound, caption=caption, titles=named, label="fig-h3-bounds",
)

# %% [markdown]
# At a high temperature a wrong answer may be only an unlucky draw, and the confidence of a draw is computed from the very
# words that were unlikely. So the same answers are judged twice: with the draw's confidence, and with that of the model's
# answer to the same question at the lowest temperature, which knows nothing of the draw ([what confidence is made
# of](study1-luck.ipynb)).

# %%
luck = run.result("luck", seed=seed, verdicts=verdicts)
luck.glue()
n = luck.numbers()
luck.says(
    "rise",
    "Confidence tells more at a higher temperature, but in {n_lucky_rises} of {n_rises} models most of the rise can be luck of "
    "the draw, not insight.",
    "Confidence tells more at temperature 1 in {n_rising} of {n_rises} models.",
    holds=(n["n_rising"] == n["n_rises"]) & (n["n_lucky_rises"] > 0),
)

# %%
rises = luck.rises[(luck.rises["why"] == "") & (luck.rises["temperature"] == 1)]
named = {"with_draw": "with the draw's own confidence", "with_question": "with the question's", "": "Rise of AUROC2"}
caption = (
    "Rise of AUROC2 from the lowest temperature to temperature 1, with 95 % intervals. Where it rises with the draw's own "
    "confidence and not with the question's, the rise can be luck of the draw."
)
forest(
    rises, value=["with_draw", "with_question"], rows="model", reference=0, caption=caption, titles=named,
    label="fig-luck-rises",
)

# %% [markdown]
# Of the paper's models, counts do not show which questions were answered correctly at both temperatures, but accuracy at two
# temperatures bounds how many wrong answers are slips. AUROC2 from the bins rises where the printed one does not, because
# ties dissolve.

# %%
columns = ["model", "temperature", "accuracy", "printed", "auroc2", "unlucky_at_least", "unlucky_at_most"]
caption = "The paper's models: AUROC2 as version 2 printed it and from the first paper's 20 bins; slips among wrong answers."
table(luck.record.published, *columns, caption=caption)

# %%
theirs = first.record.temperatures
caption = (
    "The paper's models over temperature: filled, from the public counts of the author's first paper on the same trials, cut near the "
    "median, with 95 % intervals; open, as printed, with rating edges of temperature 1. The hypothesis asks for a flat meta-d'."
)
lines(
    theirs.assign(run=theirs["variant"]), value=["d_prime", "meta_d", "criterion"], x="temperature",
    panel="model", caption=caption, titles={"": "in units of d'"}, label="fig-first-paper-temperatures",
)

# %%
caption = (
    "This book's models: d', meta-d' and the criterion of the middle cut by sampling temperature, with the rating edges of "
    "temperature 1. Bands are 95 % intervals. The hypothesis asks for a flat meta-d' beside a d' or a criterion that moves."
)
lines(
    h3.temperatures, value=["d_prime", "meta_d", "criterion"], x="temperature", panel="model",
    caption=caption, titles={"": "in units of d'"}, label="fig-h3-temperatures",
)

# %%
columns = ["source", "model", "rho_meta_d_T", "rho_d_prime_T", "meta_d_range", "tost_pass", "relative_robust", "flagged"]
caption = "Both registered conditions, as printed, from the printed table and in this run. What only this book flags is in the last column."
table(h3.comparison, *columns, caption=caption, titles={"flagged": "Flagged by us"})

# %% [markdown]
# ## The fourth hypothesis
# <!-- fold -->
#
# Can two models tell right from wrong answers equally well, and yet differ in what they know of themselves? The paper calls
# this the hidden structure.

# %% [markdown]
# ### Pair by pair

# %%
pairs = h4.comparison[h4.comparison["further"].notna()].drop_duplicates(["source", "model_a", "model_b", "difference"])
their_pairs = pairs[pairs["source"].str.startswith("published")]
caption = (
    "Differences of M-ratio at temperature 1 between two of the paper's models, the first less the second, with 95 % intervals, "
    "from reconstructed counts."
)
forest(
    their_pairs, value="difference", rows=["model_a", "model_b"], interval=("lower", "upper"), reference=0,
    caption=caption, titles={"difference": "Difference of M-ratio"}, label="fig-h4-pairs",
)

# %% [markdown]
# ## The six checks
# <!-- fold -->
#
# The study registered six checks of its results. The first figure has two, where ratings are cut and which questions are asked.

# %%
robust.says(
    "checks",
    "- **How many ratings?** 3 or 6 a side in place of 4 move an M-ratio by {ratings_moved:.2f} at most.\n"
    "- **How spread out?** Let right and wrong answers spread unequally, and {low_model} falls to {spread_least:.2f} or "
    "{spread_most:.2f}, by whose slope is taken. No two models clearly change places.\n"
    "- **Was the right answer likely, although a wrong one was given?** Mostly: in {likelier_least:.0f} to {likelier_most:.0f} % of such "
    "questions an accepted answer was likelier. At the lowest temperature, where a model gives "
    "its usual answer, {usual_least:.0f} to {usual_most:.0f} % of them are answered rightly.\n"
    "- **Do models differ where questions are equally difficult?** {pairs_n_yes} pairs of the small ones do. An M-ratio {r6_size1:.1f} "
    "lower in one of four models would be found in only {r6_ours_found1} of {r6_runs} simulated runs like ours, so the other pairs may "
    "differ as well.",
    "Other numbers of ratings move an M-ratio by {ratings_moved:.2f} at most; with unequal spread {n_turned_spread} pairs of the paper's "
    "models change their order. An accepted answer was likelier than a wrong one in {likelier_least:.0f} to {likelier_most:.0f} % of "
    "questions. At equal difficulty {pairs_n_yes} pairs of the models asked here differ; a simulated M-ratio {r6_size1:.1f} lower is found in "
    "{r6_ours_found1} of {r6_runs} runs.",
    holds=r["ratings_moved"] < 0.05
    and r["n_turned_spread"] == 0
    and r["likelier_least"] > 50 > r["usual_most"]
    and r["pairs_n_yes"] > 1
    and 2 * r["r6_ours_found1"] < r["r6_runs"],
)

# %% [markdown]
# ### Check by check, model by model
#
# Does a model stay below 1, or not below it? And does it keep its order with every other model? An order of two models
# is kept if the interval of their difference lies on the same side of zero before and after. Where either interval holds
# zero, there was no settled order to keep, which leaves the question undecided.

# %%
caption = (
    "M-ratio of the paper's models under each choice, with 95 % intervals: from reconstructed counts, at equal widths from the first "
    "paper's counts, with 3 or 6 ratings a side as printed (open)."
)
forest(
    settings, value="m_ratio", rows="variant", colour="model", hollow="flag", reference=1, caption=caption,
    label="fig-robustness-published",
)

# %%
caption = "The checks by model. A cell is empty where its check needs the paper's trials."
matrix(robust.checks, rows="claim", columns="model", value="answer", why="why", caption=caption, titles={"claim": "Claim"})

# %%
asked = (robust.variants["check"] == "R1") | (robust.variants["variant"] != "K = 4, s = 1, quantiles")
caption = "M-ratio of this book's models under each setting, with 95 % intervals. Open marks are flagged and decide nothing."
forest(
    robust.variants[asked], value="m_ratio", rows="variant", colour="model", hollow="flag", reference=1,
    caption=caption, label="fig-robustness-variants",
)

# %% [markdown]
# #### Was the right answer likely?
#
# Up to 300 wrong answers of a model at temperature 1, and at most eight accepted answers to the same question, are scored as
# continuations of one prompt; nothing is sampled. The best of several accepted answers has several chances to win. A mean over tokens favours long names whose end follows from their beginning, so the share by *whole* log-probability
# stands next to it. Models whose server tells no probabilities of a given text are left out.

# %%
named = {
    "share_best": "likelier per token",
    "share_sum": "likelier as a whole",
    "right_lowest": "right at the lowest temperature",
    "": "Share of questions answered wrongly",
}
values = ["share_best", "share_sum", "right_lowest"]
caption = "How often an accepted answer was likelier than the wrong one that was given, with 95 % intervals."
forest(robust.forced, value=values, rows="model", reference=0.5, caption=caption, label="fig-robustness-forced", titles=named)

# %% [markdown]
# The paper's own check is the M-ratio of another confidence: that of an *accepted* answer to every question, whatever the
# model said. So a fluent wrong answer can no longer look sure. A right answer keeps its confidence, since it is an accepted
# one; a wrong one gets that of the likeliest accepted answer that was scored. Each wrong answer that was scored stands for
# {glue:text}`robustness_stands_least:.1f` to {glue:text}`robustness_stands_most:.1f` of its model; right and wrong answers are
# resampled apart, which keeps the intervals as wide as few scored answers make them.

# %%
caption = "M-ratio of all questions, with the confidence of the answer that was given and of an accepted one; 95 % intervals."
forest(
    robust.force_decoded, value="m_ratio", rows="model", colour="confidence_of", reference=1,
    caption=caption, titles={"confidence_of": "Confidence in"}, label="fig-robustness-force-decoded",
)

# %% [markdown]
# #### The same difficulty
#
# The paper mentions a check that is matched for difficulty and does not define it. **This definition is ours.** The
# difficulty of a question is the number of the run's models that answered it correctly at temperature 1. From every subject
# questions are drawn so that all subjects contain equally many at each difficulty. For a pair of models, which
# share their questions, we keep those that both got right or both got wrong, and equal numbers of those that only
# the one or only the other got right. The drawing is repeated over seeds; limits come from resampling the
# questions and matching each time.

# %%
caption = "M-ratio by subject, on all its questions and on questions of equal difficulty, with 95 % intervals."
forest(
    robust.matched_domains, value=["m_ratio_matched", "m_ratio"], rows=["model", "domain"], hollow="flag",
    reference=1, caption=caption, titles={"": "M-ratio"}, label="fig-robustness-difficulty",
)

# %% [markdown]
# ## What would change your mind
#
# - We would trust hypotheses of M-ratio more if models kept their order on other questions and with other cuts.
# - We would believe in a hidden structure if two models were further apart in M-ratio than in $d'$, with like slopes of the
#   z-ROC.
#
# ## Appendix: the rules
# <!-- fold -->
#
# The paper registered its hypotheses about three of its models and added the fourth, Gemma-2, afterwards. It names [its
# registration](https://osf.io/5q7mt/overview?view_only=bd718de95b6c44ff9c14c1ac424227ba), which was not read for this book: the
# rules here are those of the paper's text. As registered, a cell with fewer than 50 right or 50 wrong answers is left out, and
# nothing else. The sounder rules also leave out ratings without a trial, hardly any answer on one side of the middle cut, and
# results decided by the 0.5 that is added to every cell.
#
# ### Of the first hypothesis

# %%
h1.rules("limit", "intervals")

# %% [markdown]
# The first is the paper's, the second ours. An interval that contains 1 counts against the hypothesis as registered, though it
# does not show that the M-ratio is 1 or more; the sounder rule leaves such a model open. The registered interval comes from
# {glue:text}`h1_resamples:,` resamples of single trials (a **bootstrap**); the sounder one draws whole questions, and makes
# the edges of the ratings anew each time. Resamples without a finite M-ratio, or with one of 10 or more, are dropped; here {glue:text}`h1_dropped_draws:,` were.

# %%
caption = "The same M-ratio with intervals made in several ways. Compare their widths within a model."
forest(h1.intervals, value="m_ratio", rows="model", colour="scheme", reference=1, caption=caption, label="fig-h1-intervals")

# %% [markdown]
# ### Of the second

# %%
h2.rules("difference", "holm")

# %% [markdown]
# Six comparisons in each of several models are many chances to be surprised; **Holm**'s method makes up for their number. As
# registered, {glue:text}`h2_their_usable` of {glue:text}`h2_their_pairs` pairs of subjects can be used in the paper's models
# and {glue:text}`h2_our_usable` of {glue:text}`h2_our_pairs` in ours, where the further checks of this book flag
# {glue:text}`h2_flagged`.
#
# ### Of the third

# %%
h3.rules("range", "rho", "tost")

# %% [markdown]
# **Spearman's $\rho$** is a correlation of ranks. The paper calls its range rule "TOST". It is not one: a small range of
# estimates can come from luck, and a large one from noise. Two one-sided tests (**TOST**) reverse the burden of proof: a
# difference is negligible only if its 90 % interval lies within a bound fixed beforehand, here {glue:text}`h3_bound` as in the
# paper. Rating edges matter too. As registered, they are those of temperature 1 at every temperature, so that confidence that
# rises as the temperature falls leaves the lower ratings nearly empty; the sounder rule takes each temperature's own.

# %%
h3.says(
    "tuned",
    "As printed, both parts hold in two of three tuned models and not in the one that is not tuned, {moves_model}, whose meta-d' moves by "
    "{moves:.2f}. The paper reads this as an effect of tuning. One untuned model cannot show that.",
    "As printed, meta-d' moves most in {moves_model}, by {moves:.2f}.",
    holds=h3.numbers()["n_both"] == 2 and "base" in h3.numbers()["moves_model"],
)

# %% [markdown]
# ### Of the fourth

# %%
h4.rules("code", "text", "further")

# %%
ours = pairs[~pairs["source"].str.startswith("published")]
caption = "The same differences between the models asked here, but for pairs with a flagged model."
forest(
    ours, value="difference", rows=["model_a", "model_b"], interval=("lower", "upper"), reference=0,
    caption=caption, titles={"difference": "Difference of M-ratio"}, label="fig-h4-ours",
)

# %% [markdown]
# The paper's code and its text ask two different things, and the code is stricter. Neither asks whether the two models are
# alike in $d'$, which is the point of the hypothesis. The sounder rule asks for more. One M-ratio may be twice the other while
# $d'$ differs by a fifth: then the pair is further apart in M-ratio. Questions are drawn for both models at once. A pair must
# pass both tests, so its $p$ is the larger of the two, adjusted by Holm's method. A pair that passes need not hide any
# structure: if its right and wrong answers spread unequally, or accuracy differs, the M-ratio moves by itself.
#
# ### How often the sounder rules pass where they should not

# %%
columns = ["rule", "design", "n", "after", "se", "nominal"]
named = {"n": "Questions or trials", "after": "Share that passes", "nominal": "Compatible with 5 %"}
caption = "Simulated runs in which a sounder rule is all but right, and should pass in 5 % at most; a share is compatible with that if it is at most two standard errors above."
table(summary.record.levels, *columns, caption=caption, titles=named)
