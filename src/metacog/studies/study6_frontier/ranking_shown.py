"""Who knows what it knows among 33 models, and which ranks can be told? What is said of it."""

from __future__ import annotations

from metacog.core.words import listed, plural
from metacog.report.views import Views
from metacog.studies.study6_frontier.ranking import PUT_IN, STATED, TIED, Ranking
from metacog.verdicts.words import counted


def answer(result: Ranking) -> str:
    """How far the order goes."""
    c = result.board_counted.iloc[0]
    if not c["apart"]:
        return (
            f"None of {c['models']} large models can be placed: no two certainly differ in how well confidence "
            "tells right from wrong answers."
        )
    if c["may_lead"] == 1:
        return (
            f"{c['leader']} is certainly the best of {c['models']} large models at telling its right answers from its "
            "wrong ones."
        )
    return (
        f"{c['may_lead']} of {c['models']} large models may each be the best at telling their right answers from their "
        "wrong ones."
    )


def pairs(result: Ranking) -> str:
    """How many pairs differ, how many neighbours, and who may be at chance."""
    c = result.board_counted.iloc[0]
    low = int((result.board.loc[~result.board["uncounted"], "auroc2_lower"] <= 0.5).sum())
    return (
        f"Of {c['pairs']} pairs {c['apart']} are shown to differ, and of {result.n_ranked_neighbours} neighbours "
        f"in the published order {result.n_ranked_neighbours_apart or 'none'}. The confidence of "
        f"{plural(low, 'model')} may be worth nothing."
    )


def put_in(result: Ranking) -> str:
    """What becomes of a model whose confidences were put in by the parser."""
    rows = result.unlike.set_index(["model", "rows"])["auroc2"].unstack()
    return listed(
        f"With these numbers {model} has an AUROC2 of {row[PUT_IN]:.2f}, without them of {row[STATED]:.2f}."
        for model, row in rows.iterrows()
    )


def covered(result: Ranking) -> str:
    """How often such intervals hold the truth in simulated cells."""
    table = result.coverage[result.coverage["confidence"] == TIED]
    return (
        f"In simulations of each of these {len(table)} cells and runs, 95 % intervals hold the truth in "
        f"{table['coverage'].min():.0%} to {table['coverage'].max():.0%}; in {int(table['sound'].sum())} of them as "
        "often as they say."
    )


VIEWS = Views(
    "ranking",
    sentences={
        "answer": answer,
        "pairs": pairs,
        "put_in": put_in,
        "covered": covered,
    },
    verdicts={"order": counted},
)
