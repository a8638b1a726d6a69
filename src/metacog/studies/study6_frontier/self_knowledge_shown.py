"""Is it self-knowledge? What is said of it."""

from __future__ import annotations

from functools import partial

from metacog.core.words import listed
from metacog.report.views import Views
from metacog.studies.study6_frontier import self_knowledge
from metacog.studies.study6_frontier.self_knowledge import Frontier
from metacog.verdicts.self_knowledge import BETTER
from metacog.verdicts.self_knowledge_words import SENTENCES, VERDICTS, headline


def left(result: Frontier) -> str:
    """What own confidence adds to all that the others say, in bits: in which models, and on average."""
    table = result.compared[~result.compared["uncounted"]].dropna(subset=["blend"])
    shown = table[table["outcome"] == BETTER].sort_values("blend", ascending=False)
    named = [
        f"{row.model} ({row.blend:.4f} bits, {row.blend_lower:.4f} to {row.blend_upper:.4f})"
        for row in shown.itertuples()
    ]
    some = int((table["blend_lower"] > 0).sum())
    alone = result.models.set_index("model").loc[table["model"], "added"].mean()
    rest = round(table["blend"].mean(), 4) + 0.0
    return (
        f"To what others say of the question own confidence adds {alone:.4f} bits an answer, on average over "
        f"{len(table)} models; to what they say of the same answer as well, {rest:.4f}. Of these "
        f"intervals {some or 'none'} {'lies' if some == 1 else 'lie'} above 0, where chance alone puts "
        f"{len(table) / 40:.1f}. Where own confidence also does better than another model's, it is shown for "
        f"{listed(named) if named else 'no model'}."
    )


def power(result: Frontier) -> str:
    """How often simulated models are called self-knowing: without self-knowledge, in the worst world, and with it."""
    called, runs = "called_self_knowing", "n_runs"
    table = result.worlds.groupby(["world", "self_share"], sort=False)[[called, runs]].sum().reset_index()
    without, known = table[table["self_share"] == 0], table[table["self_share"] > 0]
    at = int((without[called] / without[runs]).to_numpy().argmax())
    worst, rest = without.iloc[at], without.drop(index=without.index[at])
    seen, asked = known[called].sum(), known[runs].sum()
    return (
        f"Of simulated models that know nothing of themselves, {worst[called]} of {worst[runs]} are called "
        f"self-knowing in the worst world ({worst['world']}), where {self_knowledge.ALLOWED:.0%} is allowed, and "
        f"{rest[called].sum()} of {rest[runs].sum()} in the others. Of those that do know something, {seen} of {asked} "
        "are" + (": that nothing is left shows no lack of self-knowledge." if seen < 0.8 * asked else ".")
    )


VIEWS = Views(
    "self_knowledge",
    sentences={**SENTENCES, "answer": partial(headline, models="large models"), "left": left, "power": power},
    verdicts=VERDICTS,
)
