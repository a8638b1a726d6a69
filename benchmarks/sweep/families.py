"""Groups of verdicts that are judged on one simulated run, and the worlds each is put to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd

from sweep import responses, worlds
from sweep.nulls import edge_of
from sweep.outcomes import Could, Judged, Key, Outcome, counted, found
from sweep.running import simulated_run
from sweep.worlds import DIFFICULTY, EFFECTS, HIGHER_D, RATIO_OF_ONE, TOO_FEW, UNKNOWING, UNLIKE

#: The studies whose published rows are drawn again for the verdicts on them.
BATTERY, FRONTIER = "study5_battery", "study6_frontier"


@dataclass(frozen=True)
class Family:
    """Verdicts that one run gives.

    ``analyses`` of another study, on the same trials, are named ``study.analysis``. Worlds in ``full`` are drawn as
    often as asked for; the others are drawn less often, to see who is supported with a unit unjudged, with constant
    confidence, and what stops. ``published``: the published responses are what is drawn, not collected trials. At most
    ``resamples`` are drawn where no outcome rests on them, and at least ``fewest`` (matched for difficulty:
    ``fewest_matched``): percentiles of 100 draws reject more often than they should (6.9 % for 5 %), and no p of a
    rule that is adjusted for several comparisons reaches its level (:data:`FEWEST_ADJUSTED`). ``edges`` are worlds at
    the edge of one of its rules, or in which they hold; ``only``: it is put to these alone.
    """

    name: str
    study: str
    analyses: tuple[str, ...]
    full: tuple[str, ...]
    published: bool = False
    resamples: int = 10_000
    fewest: int = 0
    fewest_matched: int = 0
    edges: tuple[str, ...] = ()
    only: bool = False

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Study and name of each analysis."""
        named = (a.rpartition(".") for a in self.analyses)
        return tuple((study or self.study, name) for study, _, name in named)

    @property
    def worlds(self) -> tuple[str, ...]:
        """Worlds that it is put to."""
        usual = responses.WORLDS if self.published else tuple(worlds.ACCURACIES)
        return self.edges if self.only else (*usual, *self.edges)


#: Resamples with which the smallest two-sided p of a bootstrap, 2/(n + 1), stays below .05 of 50 comparisons.
FEWEST_ADJUSTED = 2_000
EQUAL = ("equal",)
ALL_NULL = (*worlds.NOTHING_KNOWN, *EQUAL)
FAMILIES = (
    Family("answers", "study1_qa", ("selective", "shared.model_page"), ALL_NULL, edges=(UNKNOWING, UNLIKE)),
    Family("luck", "study1_qa", ("luck",), worlds.NOTHING_KNOWN, fewest=400, edges=(UNKNOWING,)),
    Family(
        "hypotheses",
        "study1_qa",
        ("h1", "h2"),
        EQUAL,
        fewest=FEWEST_ADJUSTED,
        edges=(UNLIKE, RATIO_OF_ONE, EFFECTS),
    ),
    # three pairs: Holm asks for a p below .05/3, which 400 resamples reach
    Family(
        "pairs of models", "study1_qa", ("h4",), EQUAL, fewest=400, edges=(HIGHER_D, RATIO_OF_ONE, EFFECTS)
    ),
    Family("temperatures", "study1_qa", ("h3",), EQUAL, fewest=400, edges=(UNLIKE, EFFECTS)),
    Family(
        "settings",
        "study1_qa",
        ("robustness",),
        EQUAL,
        fewest_matched=FEWEST_ADJUSTED,
        edges=(UNLIKE, EFFECTS),
    ),
    Family(
        "two choices",
        "study2_two_choice",
        ("replication_ratings", "replication_risk"),
        ALL_NULL,
        resamples=20,
        edges=(UNKNOWING, UNLIKE),
    ),
    Family(
        "two choices compared",
        "study2_two_choice",
        ("replication_compared",),
        ALL_NULL,
        fewest=FEWEST_ADJUSTED,
        edges=(UNLIKE,),
    ),
    Family("ways of asking", "study3_dmc", ("replication",), ALL_NULL, fewest=400, edges=(UNKNOWING,)),
    Family("ways compared", "study3_dmc", ("contrasts",), ALL_NULL, fewest=400, edges=(UNLIKE,)),
    Family(
        "probe",
        "study4_probe",
        ("replication", "replication_items"),
        (*ALL_NULL, "constant", "nearly constant"),
        edges=(UNKNOWING, UNLIKE),
    ),
    Family(
        "battery",
        BATTERY,
        ("replication_asked", "replication_monitoring"),
        (*worlds.NOTHING_KNOWN, "constant", "nearly constant"),
        edges=(UNKNOWING,),
    ),
    Family(
        "published monitoring",
        BATTERY,
        ("regulation", "contrasts", "commitment"),
        ALL_NULL,
        True,
        edges=(UNKNOWING,),
    ),
    Family("published errors", BATTERY, ("tracks",), (responses.RASCH, responses.UNEQUAL), True),
    Family("published ranks", BATTERY, ("monitoring", "profiles"), (), True),
    Family("frontier", FRONTIER, ("self_knowledge",), (), True, edges=(DIFFICULTY, TOO_FEW), only=True),
    Family("frontier ranks", FRONTIER, ("ranking",), (), True, fewest=2_000, edges=(UNLIKE,), only=True),
)


def drawn(family: Family, world: str, rng: np.random.Generator) -> Mapping[str, Any]:
    """What a family's analyses are given in one run: trials by collection, or the published rows by ``rows``."""
    if family.study == FRONTIER:
        return {"rows": responses.leaderboard(world, rng)}
    if family.published:
        return {"rows": responses.drawn(world, rng)}
    return worlds.COLLECTED[family.study](world, rng)


def design_of(family: Family, world: str, seed: int, n_resamples: int) -> str:
    """Digest of what a row was made with: the trials of one run to six digits, and numbers of resamples.

    Columns with one value throughout and columns that repeat another count for nothing: a schema may gain such.
    """
    fewest = (family.fewest, family.fewest_matched) if family.fewest_matched else family.fewest
    found = sha256(repr((family.name, family.resamples, fewest, n_resamples)).encode())
    for name, rows in drawn(family, world, np.random.default_rng(seed)).items():
        frame = rows if isinstance(rows, pd.DataFrame) else rows.trials
        numbers = frame.select_dtypes("float")
        text = frame.assign(**{c: numbers[c].round(6) + 0.0 for c in numbers}).astype(str)
        varied = [text[c] for c in text if text[c].nunique() > 1]
        columns = {pd.util.hash_pandas_object(one, index=False).to_numpy().tobytes() for one in varied}
        found.update(name.encode() + b"".join(sorted(columns)))
    return found.hexdigest()[:12]


def outcomes_of(
    family: Family, world: str, seed: int, n_resamples: int
) -> Iterator[tuple[Key, Outcome, Could]]:
    """Every outcome of one simulated run; an analysis that stops gives one of kind ``stopped``."""
    rng = np.random.default_rng(seed)
    with ExitStack() as stack:
        given = drawn(family, world, rng)
        if family.published:
            of = responses.atlas if family.study == FRONTIER else responses.published
            stack.enter_context(responses.in_place(given["rows"], of))
            given = {}
        stack.enter_context(_without_published_side())
        judged = stack.enter_context(Judged().watching())
        n = min(max(n_resamples, family.fewest), family.resamples)
        matched = max(n, family.fewest_matched)
        options = {"n_resamples": n, "n_permutations": n, "n_matched_resamples": matched, "n_cuts": 1}
        runs = {s: simulated_run(s, given, **options) for s, _ in family.pairs}
        for study, name in family.pairs:
            try:
                yield from list(
                    found(study, name, runs[study].result(name), judged, partial(edge_of, world=world))
                )
            except Exception as error:
                why = f"{type(error).__name__}: {error}"[:200]
                yield Key(study, name, "", "stopped", "", why), None, None


@contextmanager
def _without_published_side() -> Iterator[None]:
    """What is the same in every run is not computed again: published numbers, manifests of runs."""
    from metacog.studies.study1_qa import h4
    from metacog.studies.study1_qa import robustness_variants as variants
    from metacog.studies.study5_battery import replication as battery_pages

    with ExitStack() as stack:
        stack.enter_context(patch.object(h4, "published_pairs", _once(h4.published_pairs)))
        stack.enter_context(patch.object(battery_pages, "manifests", _always([])))
        stack.enter_context(
            patch.object(battery_pages.replication_trials, "with_published_scores", _always(pd.DataFrame()))
        )
        stack.enter_context(
            patch.object(variants, "robustness_from_counts", _once(variants.robustness_from_counts))
        )
        yield


_KNOWN: dict[Callable[..., Any], Any] = {}


def _once(made: Callable[..., Any]) -> Callable[..., Any]:
    """What a function gives the first time; it is the same in every run."""

    def known(*args: Any, **options: Any) -> Any:
        if made not in _KNOWN:
            _KNOWN[made] = made(*args, **options)
        return _KNOWN[made]

    return known


def _always(value: object) -> Callable[..., object]:
    return lambda *_, **__: value


def tallied(family: Family, world: str, seeds: list[int], n_resamples: int) -> tuple[dict[Key, Counter], int]:
    """Outcomes of several runs together by key, and the number of runs."""
    together: dict[Key, Counter] = {}
    for seed in seeds:
        for key, counts in counted(outcomes_of(family, world, seed, n_resamples)).items():
            together.setdefault(key, Counter()).update(counts)
    return together, len(seeds)
