"""Every headline of the study, and what becomes of it without the rows that the integrity report names."""

from __future__ import annotations

import numpy as np
import pandas as pd

from metacog.core.words import listed
from metacog.sdt.correlation import Correlation
from metacog.studies.study5_battery.contrasts import FAMILIES, course_of
from metacog.studies.study5_battery.deltas import deltas, mean_deltas
from metacog.studies.study5_battery.integrity import MENDED, PUBLISHED, variants
from metacog.studies.study5_battery.profiles import by_rule
from metacog.studies.study5_battery.ranks import inversion
from metacog.studies.study5_battery.reliability import dissociation, profiles_apart, split_half
from metacog.studies.study5_battery.scores import track_scores


def headlines(responses: pd.DataFrame) -> dict[str, str]:
    """The study's headlines, in words and figures, by name."""
    per_track = deltas(responses)
    means = mean_deltas(per_track)
    whole = means[means["complete"]]
    scores = track_scores(responses).set_index("model")
    firsts = dict.fromkeys(str(scores[track].idxmax()) for track in scores.columns if track != "mean")
    rho = inversion(means)[1]
    related, halves = dissociation(responses).pearson, split_half(responses)
    r = halves.pearson
    apart = profiles_apart(means, n_resamples=0)
    rules = by_rule(means[means["n_defined"] > 0])
    found = {
        "models with all five deltas": f"{len(whole)}",
        "highest mean withdraw delta": _top(whole.set_index("model")["delta"], 1),
        "highest accuracy, T1 to T5": _top(means.set_index("model")["accuracy"], 3),
        "leader on each track": listed(firsts),
        "lowest T6 score": f"{scores['T6'].idxmin()} ({scores['T6'].min():.3f})",
        "highest T6 score": f"{scores['T6'].idxmax()} ({scores['T6'].max():.3f})",
        "accuracy against delta, Spearman": _with_limits(rho),
        "delta against answering directly, r": _with_limits(related),
        "split-half r, Spearman-Brown": f"{r.r:.2f}, {halves.whole:.2f} (n = {r.n})",
        "Cohen's d of C and A": f"{apart.d:.2f}",
        "profiles by rule": ", ".join(
            f"{name} {list(rules.values()).count(name)}" for name in ("A", "B", "C", "Unclassified")
        ),
    }
    return found | {f"T2 over size, {f.name}": _course(per_track, f.models) for f in FAMILIES}


def _with_limits(one: Correlation) -> str:
    return f"{one.r:.2f} ({one.lower:.2f} to {one.upper:.2f})"


def _top(values: pd.Series, digits: int) -> str:
    return f"{values.idxmax()} ({values.max():.{digits}f})"


def _course(per_track: pd.DataFrame, models: tuple[str, ...]) -> str:
    own = per_track[per_track["track"] == "T2"].set_index("model")["delta"].reindex(list(models))
    values = [float(v) for v in own]
    known = ", ".join("-" if not np.isfinite(v) else f"{v:.1f}" for v in values)
    return f"{course_of(values) or 'not known'} ({known})"


def with_and_without(responses: pd.DataFrame) -> pd.DataFrame:
    """Headlines as published and after each mending.

    Returns
    -------
    DataFrame
        A row a headline: ``headline``, a column a variant of :func:`.integrity.variants`, ``changes``
        (variants in which it reads otherwise than as published).
    """
    found = {name: headlines(rows) for name, rows in variants(responses).items()}
    table = pd.DataFrame(found).rename_axis("headline").reset_index()
    others = [name for name in found if name != PUBLISHED]
    return table.assign(
        changes=[listed(n for n in others if row[n] != row[PUBLISHED]) for row in table.to_dict("records")]
    )


def changed_said(table: pd.DataFrame) -> str:
    """How many headlines read otherwise when everything is mended, and which."""
    moved = table[table[PUBLISHED] != table[MENDED]]
    if moved.empty:
        return f"All {len(table)} headlines stay as they are when everything found is left out or mended."
    return (
        f"{len(moved)} of {len(table)} headlines read otherwise when everything found is left out or mended: "
        f"{'; '.join(moved['headline'])}."
    )
