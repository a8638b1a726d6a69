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
    auroc2,
    compared_signals,
    correction,
    first_paper,
    h1,
    h2,
    h4,
    luck,
    robustness_variants,
    selective,
    surface,
    temperatures,
    thinking,
    validation,
)
from metacog.studies.study2_two_choice import replication_compared
from metacog.studies.study4_probe import replication
from metacog.studies.study5_battery import (
    monitoring,
    monitoring_ranks,
    regulation,
    regulation_contrasts,
    tracks,
)
from metacog.studies.study5_battery import replication as study5_replication
from metacog.studies.study5_battery.ledger.responses import load as published_responses
from metacog.studies.study6_frontier import keys, marks, ranking
from metacog.studies.study7_mmlu_pro import second_opinions, tone
from metacog.studies.study7_mmlu_pro import thinking as conditions
from metacog.studies.study8_people import beside

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
    rows = [
        {
            "model": m,
            "dataset": "bank",
            "measure": measure,
            "flagged": m == "gap",
            "lower": lo,
            "upper": lo + 1,
            "lower2": lo,
            "upper2": lo + 1,
            "p_holm": p,
        }
        for m, lo, p in (("whole", 0.2, 0.001), ("gap", NAN, NAN))
        for measure in ("m_ratio", *h2.UNPADDED)
    ]
    return pd.DataFrame(rows)


def _pairs_of_models():
    return pd.DataFrame(
        {
            "model_a": "whole",
            "model_b": ["gap", "other"],
            "dataset": "bank",
            "flagged": [True, False],
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
            "width": 0.2,
        }
        for m, hi in (("whole", 0.8), ("gap", NAN))
        for scheme in ("questions, T = 1, new edges", "trials, T = 1")
    ]
    return pd.DataFrame(rows)


def _summary():
    moved = {
        f"{side}_criterion_change{end}": [v, NAN]
        for side in ("low", "high")
        for end, v in (("", 0.5), ("_lower", 0.4), ("_upper", 0.6))
    }
    return frame(
        tost_pass=[True, None],
        relative_robust=[True, None],
        equivalent=[True, None],
        different=False,
        smallest_bound=[0.2, NAN],
        variant="fixed",
        flagged="",
        **moved,
    )


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


def _measured():
    return frame(
        m_ratio=[1.0, NAN],
        predicted_m_ratio=[1.0, NAN],
        m_ratio_lower=[0.9, NAN],
        m_ratio_upper=[1.1, NAN],
        meta_i2r=[0.2, 0.1],
        meta_i2r_lower=[0.15, NAN],
        meta_i2r_upper=[0.25, NAN],
        auroc2=[0.8, 0.7],
        auroc2_lower=NAN,
        auroc2_upper=NAN,
        p_value=[0.9, 0.9],
        straight_p=[0.5, NAN],
    )


def _means():
    return frame(delta=[20.0, NAN], lower=[10.0, NAN], upper=[30.0, NAN], n_defined=[5, 0])


def _commitment():
    return frame(auroc2=[0.8, NAN], lower=[0.7, NAN], upper=[0.9, NAN], merged=[0.8, NAN])


def _leaders():
    """Two leaders of two tracks, and a model without a score on either."""
    return pd.DataFrame(
        {"track": ["T1", "T2"], "leader": ["whole", "other"], "not_apart": 1, "unscored": ["gap", "gap"]}
    )


def _kinds():
    return pd.DataFrame(
        {"track": "T1", "item_type": ["a", "b"], "perfect": 0, "models": [2, 1], "of": 2, "n_items": 4}
    )


def _scaling():
    family = regulation_contrasts.FAMILIES[1]
    rows = [
        {
            "family": family.name,
            "claim": "rises",
            "measure": measure,
            "model": model,
            "step": k,
            "delta": (10.0 * k if k else NAN),
            "change": NAN,
            "change_lower": NAN,
            "change_upper": NAN,
            "course": "",
        }
        for measure in ("T2", "mean")
        for k, model in enumerate(family.models)
    ]
    none = pd.DataFrame(columns=["track", "first", "second"])
    return regulation_contrasts._scaling_verdicts(family, pd.DataFrame(rows), none)


def _counted(pairs):
    """The count of some pairs of models with complete means."""
    board = pd.DataFrame({"model": list("abcd"), "complete": True, "delta": 1.0, "lower": 0.5})
    return monitoring_ranks.surviving(board.assign(p=0.01, holm=0.02), pairs)


def _pairs_of_four():
    """Of six pairs three differ; that is more than half of those that have a difference."""
    first, second = list("aaabbc"), list("bcdcdd")
    apart = [True] * 3 + [False] * 3
    return pd.DataFrame(
        {"first": first, "second": second, "difference": [1.0, 1.0, 1.0, 0.1, NAN, NAN], "alone": apart}
    ).assign(together=apart)


def _few_models(n):
    """Deltas against direct answers of the first few models of the published responses."""
    responses = published_responses()
    few = responses["model"].drop_duplicates().iloc[:n]
    return regulation.dissociation(responses[responses["model"].isin(few)])


def _no_ranks():
    means = pd.DataFrame({"accuracy": [0.5, 0.6, 0.7], "delta": 1.0, "complete": True})
    return monitoring_ranks.inversion_verdict(means)


def _profiles():
    return frame(
        stood=[99.0, NAN],
        delta=[1.0, NAN],
        same=True,
        rule="A",
        printed="A",
        why="",
    )


#: Where a case lies, by the maker: the module below ``metacog.studies`` and the function.
def _compared_pairs() -> pd.DataFrame:
    """Pairs of models and of tasks: one that does not differ, and one that cannot be judged."""
    rows = [
        {"kind": kind, "quantity": quantity, "within": "task A", "first": "a", "second": second, **values}
        for kind in ("models", "tasks")
        for quantity in replication_compared.JUDGED
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
    return ranking.order_verdict(ranking.order(made, "auroc2"))


def _luck(rows):
    return (
        luck.on_draws(rows),
        luck.on_shares(rows.assign(part=luck.DRAW), 1.0),
        luck.on_crossings(rows.assign(first=rows["model"], second="other"), 1.0),
        luck.on_rises(rows, 1.0),
    )


def _luck_rows():
    limits = ("luck_lower", "share_lower", "lower", "mostly_draw_lower", "with_draw_lower")
    above = {name: [0.6, NAN] for name in limits}
    above |= {name.replace("lower", "upper"): [0.9, NAN] for name in limits}
    return frame(
        temperature=1.0, bound=0.05, why=["", "its signal is constant"], no_luck=[0.55, NAN], **above
    )


def _surface_rows():
    rows = frame(temperature=1.0, flag=["", "few errors"], alike_lower=[0.6, NAN], alike_upper=[0.9, NAN])
    rows = rows.assign(share_lower=[0.6, NAN], share_upper=[0.9, NAN])
    return pd.concat([rows.assign(control=name) for name in (surface.SURFACE, surface.ALL)])


def _thinking(rows):
    return (
        *(thinking.on_differences(rows.assign(quantity=name), name) for name in thinking.ASKED),
        thinking.on_parts(rows.assign(quantity="auroc2", part="worth")),
        thinking.on_left_out(rows.assign(quantity="auroc2")),
    )


def _thinking_rows():
    names = ("lower", "total_lower", "mostly_lower", "worst_lower", "best_lower")
    above = {name: [0.1, NAN] for name in names}
    return frame(**above, **{name.replace("lower", "upper"): [0.3, NAN] for name in names})


def _probe(rows):
    return (
        *replication.verdicts_of(rows.assign(task="T1-CC"), rows, rows.assign(task="T1-CC", rho=rows["rho"])),
        *replication.entropy_verdict(rows.assign(task="T1-CC", rho=-rows["rho"])),
    )


def _probe_rows():
    """Scores above 50, differences above 0 and relations of one sign, by the same rows."""
    note = ["", "one answer throughout"]
    return frame(lower=[60.0, NAN], upper=[90.0, NAN], p=[0.01, NAN], rho=[0.5, NAN], note=note, why=note)


#: Makers that turn rows into units themselves: what judges the rows, and rows of one model that holds and one, called
#: gap, of which nothing can be said. No unit is handed over ready-made.
FROM_ROWS = {
    "study1_qa/luck:_verdict": (_luck, _luck_rows),
    "study1_qa/surface:_verdict": (partial(surface.judge, temperatures=[1.0]), _surface_rows),
    "study1_qa/thinking:_verdict": (_thinking, _thinking_rows),
    "study4_probe/replication:_verdict": (_probe, _probe_rows),
}


def judged_rows(name, who=("whole", "gap")):
    """Verdicts of one of :data:`FROM_ROWS` on the rows of some models."""
    judge, rows = FROM_ROWS[name]
    table = rows()
    return tuple(judge(table[table["model"].isin(who)]))


CASES = {
    "study2_two_choice/replication_compared:judge": lambda: replication_compared.judge(_compared_pairs()),
    "study1_qa/correction:judge_line": lambda: correction.judge_line(_measured()),
    "study1_qa/correction:judge_claim": lambda: correction.judge_claim(_measured()),
    "study1_qa/correction:_verdict": lambda: correction.judge_run(_measured()),
    "study1_qa/auroc2:judge": lambda: auroc2.judge(
        pd.DataFrame(
            [
                {
                    "dataset": "bank",
                    "pair": auroc2.pair_name("auroc2", "m_ratio"),
                    "rho": 1.0,
                    "p_exact": 0.3,
                    "n_models": 3,
                    "of": 4,
                    "smallest_p": 0.05,
                }
            ]
        )
    ),
    "study1_qa/first_paper:judge": lambda: first_paper.judge(_summary()),
    "study1_qa/h1:judge": lambda: h1.judge(frame(m_ratio_upper=[0.8, NAN])),
    "study1_qa/h1:judge_intervals": lambda: h1.judge_intervals(frame(), _intervals()),
    "study1_qa/h2:judge_differences": lambda: h2.judge_differences(_pairs_of_domains(), NAN),
    "study1_qa/h2:judge_holm": lambda: h2.judge_holm(_pairs_of_domains()),
    "study1_qa/h2:judge_unpadded": lambda: h2.judge_unpadded(_pairs_of_domains()),
    "study1_qa/temperatures:_over_models": lambda: temperatures.judge(_summary())[:2],
    "study1_qa/temperatures:judge_tost": lambda: temperatures.judge_tost(_summary(), 0.3, "fixed"),
    "study1_qa/temperatures:judge_criterion": lambda: temperatures.judge_criterion(_summary()),
    "study1_qa/h4:judge_code": lambda: h4.judge_code(_pairs_of_models()),
    "study1_qa/h4:judge_text": lambda: h4.judge_text(_pairs_of_models()),
    "study1_qa/h4:judge_further": lambda: h4.judge_further(_pairs_of_models()),
    "study1_qa/compared_signals:judge": lambda: compared_signals.judge(
        frame(signal="p-true", lower=[0.1, NAN], upper=[0.3, NAN], why="")
    ),
    "study1_qa/robustness_variants:judge_check": lambda: robustness_variants.judge_check(*_checked(), "R2"),
    "study1_qa/robustness_variants:judge_domains": lambda: robustness_variants.judge_domains(
        _domains(), ["a", "b"]
    ),
    "study1_qa/robustness_variants:judge_models": lambda: robustness_variants.judge_models(
        _pairs_of_models()
    ),
    "study1_qa/selective:judge": lambda: selective.judge(
        frame(
            coverage=0.5, accuracy=[0.7, NAN], gain=[0.2, NAN], gain_lower=[0.1, NAN], gain_upper=[0.3, NAN]
        )
    ),
    "study1_qa/validation:judge_monotone": lambda: validation.judge_monotone(
        frame(monotone=[True, None], why=["", "a quartile without an answer"])
    ),
    "study1_qa/validation:judge_minimum": lambda: validation.judge_minimum(
        frame(domain="a", n_correct=[60, 0], n_incorrect=[60, 0], enough=[True, None])
    ),
    "study5_battery/monitoring:rule_verdict": lambda: monitoring.rule_verdict(_profiles()),
    "study5_battery/monitoring:plateau_verdict": lambda: monitoring.plateau_verdict(
        pd.DataFrame({"moved": [1, 1], "changed": [0.0, NAN]})
    ),
    "study5_battery/regulation:commitment_verdicts": lambda: regulation.commitment_verdicts(_commitment()),
    "study5_battery/tracks:discrimination_verdict": lambda: tracks.discrimination_verdict(_kinds()),
    "study5_battery/regulation_contrasts:_scaling_verdicts": _scaling,
    "study5_battery/replication:above_chance": lambda: study5_replication.above_chance(
        frame(track="T1", item_type="a", chance=0.25, lower=[0.5, NAN], upper=[0.7, NAN])
    ),
    "study5_battery/replication:monitors": lambda: study5_replication.monitors(_means()),
    "study5_battery/replication:grades": lambda: study5_replication.grades(
        frame(signal="probability of KEEP", n=[90, 0], auroc2=[0.8, NAN], lower=[0.7, NAN], upper=[0.9, NAN])
    ),
    "study5_battery/monitoring_ranks:survival_verdict": lambda: monitoring_ranks.survival_verdict(
        _counted(_pairs_of_four())
    ),
    "study5_battery/monitoring_ranks:inversion_verdict": _no_ranks,
    "study5_battery/regulation:dissociation_verdict": lambda: regulation.dissociation_verdict(
        _few_models(3), _few_models(3)
    ),
    "study6_frontier/keys:errors_verdict": lambda: keys.errors_verdict(
        frame(threshold=0.5, accuracy=[0.9, 0.8], n_errors=[200, 0], share_of_errors=[0.8, NAN])
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
    "study6_frontier/ranking:order_verdict": lambda: _ranked(
        unknown=("Sonnet 4", "GPT-5.4", "Gemini 3 Flash")
    ),
    "study7_mmlu_pro/second_opinions:one_other_verdict": lambda: second_opinions.one_other_verdict(
        frame(one_less_own_lower=[0.1, NAN], one_less_own_upper=[0.2, NAN], better=["yes", "open"])
    ),
    "study8_people/beside:judge": lambda: beside.judge(
        pd.DataFrame(
            {
                "name": list(beside.OF_ONESELF),
                "asked": "a less b",
                "difference": 0.1,
                "difference_lower": [-0.1, NAN],
                "difference_upper": [0.3, NAN],
                "p_holm": [0.2, NAN],
            }
        )
    ),
    "study7_mmlu_pro/tone:wrong_verdict": lambda: tone.wrong_verdict(
        frame(
            score="stated confidence",
            falls_more_lower=[0.1, NAN],
            falls_more_upper=[0.2, NAN],
            in_proportion_lower=[0.1, NAN],
            in_proportion_upper=[0.2, NAN],
        )
    ),
    "study7_mmlu_pro/thinking:thinking_verdict": lambda: conditions.thinking_verdict(
        _pairs(conditions.THINKING)
    ),
    "study7_mmlu_pro/thinking:precision_verdict": lambda: conditions.precision_verdict(
        _pairs(conditions.PRECISION)
    ),
    **{name: partial(judged_rows, name) for name in FROM_ROWS},
}
#: Makers whose rule is about one figure that is always there, and why no unit of it can be unjudged.
ONE_FIGURE = {
    "shared/recovery:core_verdicts": "simulated deciders of a committed table, no models",
    "shared/recovery:_coverage_verdict": "simulated deciders of a committed table, no models",
    "shared/recovery:_verdict": "simulated intervals of a committed table, no models",
    "study1_qa/correction_recovery:_verdict": "simulated answerers, no models",
    "study5_battery/tracks:_verdict": "one p over the models that have all items",
    "study5_battery/tracks:h1": "a counterexample is what could be missing: see its own test",
}
