"""What a study is: a small record of what is asked, what is computed and what is shown.

A study lives in one room, ``metacog/studies/NAME/``, whose package holds one record ``STUDY``. The rooms
below know nothing of it; they are handed its record.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from metacog.core.errors import MetacogError

if TYPE_CHECKING:
    import pandas as pd

    from metacog.collect.labels import Scheme
    from metacog.collect.scoring import Marking
    from metacog.core.config import Profile
    from metacog.ledger.entry import StudyLedger
    from metacog.report.views import Views
    from metacog.verdicts.outcomes import Rule


class Result(dict[str, Any]):
    """What an analysis found: tables and numbers by name, read as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"the result has no {name!r}; it has: {', '.join(self)}") from None


class Inputs(Protocol):
    """What an analysis is handed: its study, the profile, and no more trials and results than it named.

    :class:`metacog.studies.results.Inputs` is one; analyses need to know what it offers, and not the store.
    """

    @property
    def study(self) -> Study: ...

    @property
    def profile(self) -> Profile: ...

    @property
    def parameters(self) -> Mapping[str, Any]: ...

    def trials(self, collection: str) -> pd.DataFrame: ...

    def left_out(self, collection: str) -> dict[str, str]: ...

    def cannot(self, collection: str) -> dict[str, str]: ...

    def result(self, name: str) -> Any: ...

    def ledger_results(self) -> dict[str, Any]: ...

    def across(self) -> dict[str, Any]: ...

    def reference(self) -> dict[str, Any]: ...

    def owner(self, collection: str) -> Study | None: ...


@dataclass(frozen=True)
class Reference:
    """The paper that a study is a companion to.

    Attributes
    ----------
    authors, title, year : str, str, int
    key : str
        Its entry in ``book/references.bib``.
    """

    authors: str
    title: str
    year: int
    key: str = ""


@dataclass(frozen=True)
class Analysis:
    """A named function from inputs to a result that is stored.

    Attributes
    ----------
    name : str
    function : callable
        ``function(inputs, **parameters)``; :class:`Inputs` hands it what it needs.
    needs : tuple of str
        Collections whose trials it reads, and other analyses whose results it reads. A study that asks
        nothing names a collection of another study.
    returns : type
        The frozen record it gives back.
    parameters : dict
        Names and default values of what a chapter may change.
    files : tuple of str
        Patterns of files below the project's root that it reads.
    per_model : bool
        Computed for each model of a profile, which it takes as its parameter ``model``.
    ledgers : bool
        Runs the ledgers of all studies, whose code counts as its own.
    across : str
        Name of an analysis of other studies: it reads the result of every study that has one of that name.
    both_runs : bool
        Those results are read of the profile's own run and, apart from it, of the reference run; without it, of
        the one that carries the study's pages. An analysis of one model reads the profile's own run alone.
    """

    name: str
    function: Callable[..., Any]
    needs: tuple[str, ...]
    returns: type
    parameters: Mapping[str, Any]
    files: tuple[str, ...] = ()
    per_model: bool = False
    ledgers: bool = False
    across: str = ""
    both_runs: bool = False

    @property
    def question(self) -> str:
        """What it asks: the first line of its function's docstring."""
        return (inspect.getdoc(self.function) or self.name).splitlines()[0]

    def __call__(self, inputs: Any, **parameters: Any) -> Any:
        """Compute it, without the store."""
        made = self.function(inputs, **parameters)
        return Result(made) if isinstance(made, dict) else made


def analysis(
    *,
    returns: type = dict,
    needs: tuple[str, ...] = (),
    files: tuple[str, ...] = (),
    name: str = "",
    per_model: bool = False,
    ledgers: bool = False,
    across: str = "",
    both_runs: bool = False,
) -> Callable[[Callable[..., Any]], Analysis]:
    """Make a function a study's analysis; its parameters are its keyword-only arguments with their defaults.

    Examples
    --------
    >>> @analysis(needs=("keep",), returns=dict)
    ... def rates(inputs, *, seed=42):
    ...     return {"n": len(inputs.trials("keep"))}
    >>> rates.name, dict(rates.parameters)
    ('rates', {'seed': 42})
    """

    def wrap(function: Callable[..., Any]) -> Analysis:
        signature = inspect.signature(function).parameters.values()
        keywords = {p.name: p.default for p in signature if p.kind is inspect.Parameter.KEYWORD_ONLY}
        lacking = [k for k, v in keywords.items() if v is inspect.Parameter.empty]
        if lacking:
            raise MetacogError(f"analysis {function.__name__}: give {', '.join(lacking)} a default value")
        if per_model and "model" not in keywords:
            raise MetacogError(
                f"analysis {function.__name__} is made per model and needs a parameter 'model'"
            )
        return Analysis(
            name or function.__name__,
            function,
            needs,
            returns,
            keywords,
            files,
            per_model,
            ledgers,
            across,
            both_runs,
        )

    return wrap


@dataclass(frozen=True)
class Study:
    """One study. Its chapters are listed in ``chapters.yaml`` next to its record.

    Attributes
    ----------
    name : str
        Of its room and of its folder below ``results/``.
    title : str
    paper : Reference
    collections : tuple
        What is asked (:class:`metacog.collect.collection.Collection`).
    analyses : tuple of Analysis
    settings : type or None
        Checked record of its block in a profile.
    ledger : StudyLedger or None
        Its printed figures (:class:`metacog.ledger.entry.StudyLedger`).
    views : tuple of Views
        How each analysis is shown.
    marking : Marking or None
        By what rule it marks open answers, on which a new model is tried out.
    rules : mapping of str to Rule
        What its analyses judge by, each rule by its name.
    labels : Scheme or None
        Classes that it sorts questions into.
    fetches : mapping
        Other people's data that ``metacog data fetch NAME`` gets for it: each fetches, checks and says
        what is there.
    """

    name: str
    title: str
    paper: Reference | None = None
    collections: tuple[Any, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    settings: type | None = None
    ledger: StudyLedger | None = None
    views: tuple[Views, ...] = ()
    marking: Marking | None = None
    rules: Mapping[str, Rule] = field(default_factory=dict)
    labels: Scheme | None = None
    fetches: Mapping[str, Callable[[], str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        names = [one.name for one in (*self.collections, *self.analyses)]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise MetacogError(
                f"study {self.name}: {', '.join(twice)} names two of its collections and analyses; what an "
                "analysis needs must have one name each"
            )

    def analysis(self, name: str) -> Analysis:
        """One of the study's analyses.

        Raises
        ------
        MetacogError
            If it has none of that name; lists those it has.
        """
        for one in self.analyses:
            if one.name == name:
                return one
        known = ", ".join(a.name for a in self.analyses) or "none"
        raise MetacogError(f"study {self.name} has no analysis {name!r}; it has: {known}")
