"""For each maker of verdicts: what it says where one unit holds and another cannot be judged.

Each case gives a maker rows of which some hold, so that the verdict would pass if the rest were left out, and
some that nothing can be said about: no estimate, a flag, no delta. Rules that ask for ``k`` units get fewer than
``k``.
"""

from functools import partial

import numpy as np
import pandas as pd
from simulated_frontier import frontier_trials

from metacog.studies.study1_qa import (
    compared_signals,
    h1,
    h2,
    h3,
    h4,
    luck,
    robustness,
    robustness_variants,
    selective,
    surface,
    thinking,
)
from metacog.studies.study2_two_choice import replication_compared
from metacog.studies.study4_probe import judging
from metacog.studies.study6_frontier import keys, marks, ranking
from metacog.studies.study7_mmlu_pro import second_opinions, tone
from metacog.studies.study7_mmlu_pro import thinking as conditions
from metacog.studies.study8_people import areas

NAN = float("nan")
BOTH = {"model": ["whole", "gap"], "dataset": "bank", "flag": ""}


def _pairs(kind):
    changes = {
        f"{name}_{end}": [0.01, NAN]
        for name in ("beyond", "beyond_lowest", "beyond_median")
        for end in ("lower", "upper")
    }
    return frame(
        kind=kind, pair=["whole", "gap"], says=["yes", "open"], equivalent=["yes", "open"], **changes
    )


def frame(**columns):
    return pd.DataFrame({**BOTH, **columns})


def _pairs_of_domains():
    ends = {"lower": [0.2, NAN], "upper": [1.2, NAN], "p_holm": [0.001, NAN]}
    return frame(flagged=[False, True], excluded=[False, True], **ends)


def _pairs_of_models():
    return pd.DataFrame(
        {
            "model_a": "whole",
            "model_b": ["gap", "other"],
            "dataset": "bank",
            "flagged": [True, False],
            "excluded": [True, False],
            "overlap": [False, True],
            "lower": [0.2, -0.5],
            "upper": [0.9, 0.5],
            "further": [True, False],
            "paired_p": [0.001, 0.7],
            "p_holm": [0.001, 0.7],
            "p": [0.001, 0.7],
        }
    )


def _intervals():
    rows = [
        {
            "model": m,
            "dataset": "bank",
            "scheme": scheme,
            "m_ratio_lower": hi - 0.2,
            "m_ratio_upper": hi,
        }
        for m, hi in (("whole", 0.8), ("gap", NAN))
        for scheme in ("questions, T = 1, new edges", "trials, T = 1")
    ]
    return pd.DataFrame(rows)


def _summary(edges):
    known = {name: [True, None] for name in ("tost_pass", "relative_robust", "equivalent")}
    return frame(edges=edges, flagged="", excluded="", different=False, **known)


def _checked():
    rows = [
        {
            "check": "R2",
            "variant": v,
            "model": m,
            "dataset": "bank",
            "m_ratio": x,
            "m_ratio_upper": x,
            "flag": "",
            "below_one": True,
        }
        for v in (robustness_variants.BASELINE, "s")
        for m, x in (("whole", 0.8), ("gap", NAN))
    ]
    orders = pd.DataFrame(
        [{"check": "R2", "variant": "s", "model_a": "whole", "model_b": "gap", "kept": None, "flag": "empty"}]
    )
    return pd.DataFrame(rows), orders


def _domains():
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        [
            {"model": "gap", "domain": d, "draws": rng.normal(k, 0.01, 50), "flag": "empty"}
            for k, d in enumerate("ab")
        ]
    )


#: Where a case lies, by the maker: the module below ``metacog.studies`` and the function.
def _compared_pairs() -> pd.DataFrame:
    """Pairs of models and of tasks: one that does not differ, and one that cannot be judged."""
    rows = [
        {"kind": kind, "quantity": quantity, "within": "task A", "first": "a", "second": second, **values}
        for kind in ("models", "tasks")
        for quantity in replication_compared.QUANTITIES
        for second, values in (
            (
                "b",
                {"difference": 0.1, "lower": -0.2, "upper": 0.4, "p_holm": 0.5, "differs": False, "why": ""},
            ),
            ("c", {"difference": np.nan, "lower": np.nan, "upper": np.nan, "p_holm": np.nan, "why": "few"}),
        )
    ]
    return pd.DataFrame(rows).assign(differs=lambda f: f["differs"].eq(True))


def _ranked(unknown):
    """Two models of which one knows and one does not, and some that were never wrong."""
    trials = pd.concat(
        [
            frontier_trials(own=3.0, models=("Opus 4.6",), n_items=200),
            frontier_trials(own=0.0, shared=0.0, models=("Qwen Think",), n_items=200, seed=8),
            *(frontier_trials(models=(m,), n_items=200).assign(correct=True) for m in unknown),
        ],
        ignore_index=True,
    )
    made = ranking.measured(trials, n_resamples=100, n_permutations=20, seed=1)
    return ranking.settled(made)


def _luck(rows):
    pairs = rows.assign(first=rows["model"], second="other")
    return luck.judge(rows, pairs, rows, 1.0)


def _luck_rows():
    limits = ("luck_lower", "usual_lower", "lower", "mostly_draw_lower", "with_draw_lower")
    above = {name: [0.6, NAN] for name in limits}
    above |= {name.replace("lower", "upper"): [0.9, NAN] for name in limits}
    return frame(temperature=1.0, bound=0.05, why=["", "its signal is constant"], **above)


def _surface_rows():
    rows = frame(temperature=1.0, flag=["", "few errors"], alike_lower=[0.6, NAN], alike_upper=[0.9, NAN])
    rows = rows.assign(share_lower=[0.6, NAN], share_upper=[0.9, NAN])
    return pd.concat([rows.assign(control=name) for name in (surface.SURFACE, surface.ALL)])


def _thinking(rows):
    measured = pd.concat([rows.assign(quantity=name) for name in thinking.ASKED])
    return thinking.judge(measured, rows.assign(quantity="auroc2", part="worth"), rows)


def _thinking_rows():
    names = ("lower", "total_lower", "mostly_lower", "worst_lower", "best_lower")
    above = {name: [0.1, NAN] for name in names}
    return frame(**above, **{name.replace("lower", "upper"): [0.3, NAN] for name in names})


def _probe(rows):
    made = [
        judging.judge(rows.assign(task="T1-CC"), rows, rows.assign(task="T1-CC", rho=rows["rho"])),
        judging.judge_entropy(rows.assign(task="T1-CC", rho=-rows["rho"])),
    ]
    return pd.concat(made, ignore_index=True)


def _probe_rows():
    """Scores above 50, differences above 0 and relations of one sign, by the same rows."""
    note = ["", "one answer throughout"]
    return frame(lower=[60.0, NAN], upper=[90.0, NAN], p=[0.01, NAN], rho=[0.5, NAN], note=note, why=note)


#: Makers that turn rows into units themselves: what judges the rows, and rows of one model that holds and one, called
#: gap, of which nothing can be said. No unit is handed over ready-made.
FROM_ROWS = {
    "study1_qa/luck:judge": (_luck, _luck_rows),
    "study1_qa/surface:judge": (partial(surface.judge, temperatures=[1.0]), _surface_rows),
    "study1_qa/thinking:judge": (_thinking, _thinking_rows),
    "study4_probe/judging:_together": (_probe, _probe_rows),
}


def judged_rows(name, who=("whole", "gap")):
    """Verdicts of one of :data:`FROM_ROWS` on the rows of some models."""
    judge, rows = FROM_ROWS[name]
    table = rows()
    made = judge(table[table["model"].isin(who)])
    return made if isinstance(made, pd.DataFrame) else tuple(made)


CASES = {
    "study2_two_choice/replication_compared:judge": lambda: replication_compared.judge(_compared_pairs()),
    "study1_qa/h1:limit": lambda: h1.limit(frame(m_ratio_upper=[0.8, NAN])),
    "study1_qa/h1:new_edges": lambda: h1.new_edges(frame(), _intervals()),
    "study1_qa/h2:_of_models": lambda: h2.judge(_pairs_of_domains()),
    "study1_qa/h3:judge": lambda: h3.judge(pd.concat([_summary(h3.FIXED), _summary(h3.SEPARATE)])),
    "study1_qa/h4:judge": lambda: h4.judge(_pairs_of_models()),
    "study1_qa/compared_signals:judge": lambda: compared_signals.judge(
        frame(signal="p-true", lower=[0.1, NAN], upper=[0.3, NAN], why="")
    ),
    "study1_qa/robustness_variants:judge": lambda: robustness_variants.judge(*_checked(), "variants"),
    "study1_qa/robustness:judge_domains": lambda: robustness.judge_domains(_domains()),
    "study1_qa/robustness:judge_models": lambda: robustness.judge_models(_pairs_of_models()),
    "study1_qa/selective:judge": lambda: selective.judge(
        frame(
            coverage=0.5, accuracy=[0.7, NAN], gain=[0.2, NAN], gain_lower=[0.1, NAN], gain_upper=[0.3, NAN]
        )
    ),
    "study6_frontier/keys:errors": lambda: keys.errors(
        frame(rule=keys.AGREE[0.5], share_of_errors_lower=[0.7, NAN], share_of_errors_upper=[0.9, NAN])
    ),
    "study6_frontier/marks:judge": lambda: marks.judge(
        pd.DataFrame(
            {
                "threshold": 0.5,
                "fault": "wrong key",
                "unsure": ["sound", "at fault"],
                "precision_lower": [0.6, NAN],
                "precision_upper": [0.9, NAN],
            }
        ),
        frame(auroc2_change_lower=[NAN, NAN], auroc2_change_upper=[NAN, NAN], flag=["few", "few"]),
    ),
    "study6_frontier/ranking:settled": lambda: _ranked(unknown=("Sonnet 4", "GPT-5.4", "Gemini 3 Flash")),
    "study7_mmlu_pro/second_opinions:one_other": lambda: second_opinions.one_other(
        frame(one_less_own_lower=[0.1, NAN], one_less_own_upper=[0.2, NAN], better=["yes", "open"])
    ),
    "study8_people/areas:judge": lambda: areas.judge(
        pd.DataFrame(
            {
                "name": list(areas.OF_ONESELF),
                "asked": "a less b",
                "difference": 0.1,
                "difference_lower": [-0.1, NAN],
                "difference_upper": [0.3, NAN],
                "p_holm": [0.2, NAN],
            }
        )
    ),
    "study7_mmlu_pro/tone:more_to_tone": lambda: tone.more_to_tone(
        frame(
            score="stated confidence",
            falls_more_lower=[0.1, NAN],
            falls_more_upper=[0.2, NAN],
            in_proportion_lower=[0.1, NAN],
            in_proportion_upper=[0.2, NAN],
        )
    ),
    "study7_mmlu_pro/thinking:risen": lambda: conditions.risen(_pairs(conditions.THINKING)),
    "study7_mmlu_pro/thinking:as_precise": lambda: conditions.as_precise(_pairs(conditions.PRECISION)),
    **{name: partial(judged_rows, name) for name in FROM_ROWS},
}
#: Makers whose rule is about one figure that is always there, and why no unit of it can be unjudged.
ONE_FIGURE = {
    "shared/recovery:judge_core": "simulated deciders of a committed table, no models",
    "shared/recovery:judge_intervals": "simulated intervals of a committed table, no models",
    "study5_battery/tracks:h1": "a counterexample is what could be missing: see its own test",
    "study5_battery/tracks:h2": "one p over the models that have all items",
}
