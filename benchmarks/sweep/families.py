"""Groups of verdicts that are judged on one simulated run, and the worlds each is put to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from unittest.mock import patch

import numpy as np
import pandas as pd

from sweep import responses, worlds
from sweep.outcomes import Judged, Key, Outcome, counted, found
from sweep.running import simulated_run

#: The study whose published responses are drawn again for the verdicts on them.
BATTERY = "study5_battery"


@dataclass(frozen=True)
class Family:
    """Verdicts that one run gives.

    Attributes
    ----------
    name, study : str
    analyses : tuple of str
        Those of another study, on the same trials, as ``study.analysis``.
    full : tuple of str
        Worlds that are drawn as often as asked for; the others are drawn less often, to see who is supported
        with a unit unjudged, with constant confidence, and what stops.
    published : bool
        Whether the published responses are what is drawn, not collected trials.
    resamples : int
        At most so many, where no outcome rests on them.
    fewest : int
        Fewest resamples: percentiles of 100 draws reject more often than they should (6.9 % for 5 %).
    """

    name: str
    study: str
    analyses: tuple[str, ...]
    full: tuple[str, ...]
    published: bool = False
    resamples: int = 10_000
    fewest: int = 0

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Study and name of each analysis."""
        named = (a.rpartition(".") for a in self.analyses)
        return tuple((study or self.study, name) for study, _, name in named)

    @property
    def worlds(self) -> tuple[str, ...]:
        """Worlds that it is put to."""
        return responses.WORLDS if self.published else tuple(worlds.ACCURACIES)


EQUAL = ("equal",)
ALL_NULL = (*worlds.NOTHING_KNOWN, *EQUAL)
FAMILIES = (
    Family(
        "answers",
        "study1_qa",
        ("validation", "selective", "correction_replication", "shared.model_page"),
        ALL_NULL,
    ),
    Family("luck", "study1_qa", ("luck",), worlds.NOTHING_KNOWN),
    Family("hypotheses", "study1_qa", ("h1", "h2", "h4", "auroc2"), EQUAL),
    Family("temperatures", "study1_qa", ("h3",), EQUAL, fewest=400),
    Family("settings", "study1_qa", ("robustness",), EQUAL),
    Family(
        "two choices",
        "study2_two_choice",
        ("replication_ratings", "replication_risk"),
        ALL_NULL,
        resamples=20,
    ),
    Family("two choices compared", "study2_two_choice", ("replication_compared",), ALL_NULL, fewest=2_000),
    Family("ways of asking", "study3_dmc", ("replication",), ALL_NULL, fewest=400),
    Family(
        "probe",
        "study4_probe",
        ("replication", "replication_items"),
        (*ALL_NULL, "constant", "nearly constant"),
    ),
    Family(
        "battery",
        BATTERY,
        ("replication_asked", "replication_monitoring"),
        (*worlds.NOTHING_KNOWN, "constant", "nearly constant"),
    ),
    Family("published monitoring", BATTERY, ("regulation", "contrasts", "commitment"), ALL_NULL, True),
    Family("published errors", BATTERY, ("tracks",), (responses.RASCH, responses.UNEQUAL), True),
    Family("published ranks", BATTERY, ("monitoring", "profiles"), (), True),
)


def outcomes_of(family: Family, world: str, seed: int, n_resamples: int) -> Iterator[tuple[Key, Outcome]]:
    """Every outcome of one simulated run; an analysis that stops gives one of kind ``stopped``."""
    rng = np.random.default_rng(seed)
    with ExitStack() as stack:
        if family.published:
            stack.enter_context(responses.in_place(responses.drawn(world, rng)))
            given = {}
        else:
            given = worlds.COLLECTED[family.study](world, rng)
        stack.enter_context(_without_published_side())
        judged = stack.enter_context(Judged().watching())
        n = min(max(n_resamples, family.fewest), family.resamples)
        options = {"n_resamples": n, "n_permutations": n, "n_matched_resamples": n}
        runs = {s: simulated_run(s, given, **options) for s, _ in family.pairs}
        for study, name in family.pairs:
            try:
                yield from list(found(study, name, runs[study].result(name), judged))
            except Exception as error:
                why = f"{type(error).__name__}: {error}"[:200]
                yield Key(study, name, "", "stopped", "", why), None


@contextmanager
def _without_published_side() -> Iterator[None]:
    """What is the same in every run is not computed again: published numbers, manifests of runs."""
    from metacog.studies.study1_qa.auroc2 import estimates as auroc2
    from metacog.studies.study1_qa.h3 import analysis as h3
    from metacog.studies.study1_qa.robustness import variants as robustness
    from metacog.studies.study5_battery.replication import analysis as battery_pages

    none = robustness.Checks(pd.DataFrame(), pd.DataFrame(), ())
    with ExitStack() as stack:
        stack.enter_context(patch.object(auroc2, "domain_measures", _always(pd.DataFrame())))
        stack.enter_context(patch.object(h3, "temperature_measures", _always(pd.DataFrame())))
        stack.enter_context(patch.object(battery_pages, "manifests", _always([])))
        stack.enter_context(
            patch.object(battery_pages.trials, "with_published_scores", _always(pd.DataFrame()))
        )
        stack.enter_context(patch.object(robustness, "robustness_from_counts", _always(none)))
        yield


def _always(value: object) -> Callable[..., object]:
    return lambda *_, **__: value


def tallied(family: Family, world: str, seeds: list[int], n_resamples: int) -> tuple[dict[Key, Counter], int]:
    """Outcomes of several runs together by key, and the number of runs."""
    together: dict[Key, Counter] = {}
    for seed in seeds:
        for key, counts in counted(outcomes_of(family, world, seed, n_resamples)).items():
            together.setdefault(key, Counter()).update(counts)
    return together, len(seeds)
