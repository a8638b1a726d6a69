"""What ``metacog import-trials`` does: read, check, measure, write a folder and a page."""

from __future__ import annotations

import dataclasses
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import bdtr

from metacog.core.errors import MetacogError, lacks
from metacog.core.files import reading
from metacog.core.paths import results_folder
from metacog.core.provenance import provenance
from metacog.core.words import listed
from metacog.imports import answers, by_option, harness, inspect_files, inspect_logs, tool_logs
from metacog.imports.clean import Validation, check_pooled, clean, labels_of
from metacog.imports.decisions import TABLES as DECIDED
from metacog.imports.decisions import Decisions, decide, left_out_notes
from metacog.imports.kept import read_tables, write_tables
from metacog.imports.mapping import Columns, find_column, resolve
from metacog.imports.people import NOT_OF_PEOPLE, as_models, put_back, tell_people
from metacog.imports.posterior import BEFORE, FILES, Posteriors, Sampling, draw_people, draw_posteriors
from metacog.imports.repeats import without_repeats
from metacog.imports.second_opinions import SecondOpinions, ask_others
from metacog.imports.self_knowledge import Asked, ask
from metacog.imports.sources import called, digest_of, files_of, free_folder, held_by, read_files, set_aside
from metacog.imports.tables import read_table
from metacog.imports.two_choice import clean_two_choice, read_counts
from metacog.measures.cell import Measured
from metacog.measures.given import Given
from metacog.measures.model_items import two_spellings
from metacog.measures.pairs import rank_table
from metacog.measures.people import FEW_PEOPLE, above_chance, group_means, measure_people
from metacog.measures.screen import MEDIAN, screen
from metacog.measures.table import ORDER_COLUMNS, Options, compare_models, measure_table, order_table
from metacog.trials import write_parquet


@dataclass(frozen=True)
class Request:
    """What the user asked for; the attributes are the command's options."""

    columns: Columns = field(default_factory=Columns)
    #: The file holds tables of counts.
    nr_table: bool = False
    scale: str = "auto"
    threshold: float | None = None
    scorer: str | None = None
    pool: bool = False
    #: Of the measures, and (``sampling``) of the posteriors of two-choice data.
    options: Options = field(default_factory=Options)
    #: How the data are called in the report; the file's name where empty.
    name: str = ""
    repeats: str = "refuse"
    sampling: Sampling = field(default_factory=Sampling)
    #: Confidence that counts as high in the validity screen, on the file's own scale; each model's median where None.
    high_from: float | None = None
    filter_name: str | None = None
    #: What stands in a cell where there is no value, beside the usual words.
    missing: tuple[str, ...] = ()
    #: Confidence is an uncertainty, a loss or an entropy.
    lower_is_surer: bool = False
    #: Further columns of confidence, compared with the first on the rows that have all of them.
    further: tuple[str, ...] = ()
    #: What becomes of answers that refuse: ``wrong``, ``drop`` or ``separate``.
    refusals: str = "wrong"
    #: Add the group's M-ratio of people by a hierarchical model.
    hierarchical: bool = False
    #: Write over an earlier import in the same folder.
    replace: bool = False


def load(
    path: str | Path | Sequence[str | Path], request: Request | None = None
) -> tuple[pd.DataFrame, Validation]:
    """Read a file of any known kind as checked trials.

    ``path``: a table, a table of counts, or a log of Inspect or of lm-evaluation-harness; several tables, or a folder
    of them, with the same columns; ``request``: columns and options, of which a log needs none.

    Returns the trials, whose ``score`` is confidence as it came, and what was read and became of it. People stand in
    the place of models, with ``person`` and ``group`` (the model or condition under which a person answered) in columns
    of their own. A MetacogError if it cannot be read, columns are missing or wrong, or too little is left.
    """
    request = request or Request()
    paths = _paths(path)
    files, source, columns = files_of(paths), called(paths), request.columns
    two = any((columns.stimulus, columns.response, columns.rating))
    signal, report = "", Validation(source, "two-choice")
    if request.nr_table:
        table, roles = read_counts(files, columns)
    elif two:
        table = read_files(files)
        answered = "correct" if columns.response is None and columns.correct is not None else "response"
        roles = resolve(table, columns, ("stimulus", answered, "rating"))
    else:
        signal = answers.signal_of(columns, request.scale)
        report, table, roles = _open(files, request, signal, source)
    named = tell_people(table, roles, report, pool=request.pool)
    check_pooled(table, named, request.pool)
    table, roles, who = as_models(table, named)
    if not request.nr_table:
        # answers to be compared are samples of a question, copies of each other among them
        policy = "keep" if signal else request.repeats
        table = without_repeats(table, roles, report, policy, pool=request.pool)
    given = Given(request.missing, lower_is_surer=request.lower_is_surer)
    dataset, counted = request.name or Path(source).stem, request.nr_table
    if counted or two:
        scale, how = ("score", None) if counted else (request.scale, given)
        trials = clean_two_choice(
            table, roles, report, dataset=dataset, scale=scale, given=how, counted=counted
        )
    else:
        trials = _answered(table, roles, report, signal, request, given, dataset)
    return put_back(trials, report, named, who), report


def _paths(path: str | Path | Sequence[str | Path]) -> list[Path]:
    return [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]


def _answered(
    table: pd.DataFrame,
    roles: Columns,
    report: Validation,
    signal: str,
    request: Request,
    given: Given,
    dataset: str,
) -> pd.DataFrame:
    """Trials of a table of answers: marked and scored where they are not, and checked."""
    further = _further(table, request, roles)
    threshold: float | None = request.threshold
    carry: tuple[str, ...] = ()
    if signal or roles.key is not None:
        table, roles, carry = answers.complete(table, roles, signal, report, given, threshold=threshold)
        threshold = None
    elif roles.answer is not None:
        table, carry = table.assign(answer=labels_of(table, roles.answer, "").fillna("")), ("answer",)
    return clean(
        table,
        roles,
        report,
        scale="probability" if signal else request.scale,
        threshold=threshold,
        dataset=dataset,
        carry=carry,
        given=given,
        further=further.loc[table.index],
        refusals=request.refusals,
    )


def _further(table: pd.DataFrame, request: Request, roles: Columns) -> pd.DataFrame:
    """The further signals of confidence, as they stand in the file."""
    taken = set(roles.named().values())
    for name in request.further:
        find_column(table, "confidence", name)
        if name in taken:
            raise MetacogError(f"column {name!r} is given twice, once as --confidence: name each signal once")
        taken.add(name)
    return table[list(request.further)]


def _open(
    files: list[Path], request: Request, signal: str, source: str
) -> tuple[Validation, pd.DataFrame, Columns]:
    """A log or a table of answers, and the roles of its columns."""
    columns = request.columns
    given = None if signal else columns.confidence
    asked = any(name is not None for name in (columns.correct, given, columns.answer, columns.key))
    if not asked and (found := _log(files[0], request, signal)) is not None:
        return found
    report, tool, first = Validation(source, "table"), None, files[0]
    if inspect_files.is_inspect(first):
        table = inspect_logs.read_samples(first)
    else:
        for path in files:
            tool_logs.refuse_file(path)
        as_text = columns.answer is not None  # None, NA and 007 are answers
        table = read_files(files, lambda path: read_table(path, as_text=as_text))
        if (tool := tool_logs.tool_of(table)) is not None:
            report.kind = tool.name
            table, columns = tool_logs.read_log(tool, table, columns, first, report)
            if columns.confidence is None:
                raise MetacogError(tool.without(first))
    tool_logs.check_direction(table, None if signal else columns.confidence, request.lower_is_surer)
    if not signal and by_option.is_of_options(table, columns.confidence):
        table, columns = by_option.chosen(table, columns, report)
    columns, needed = answers.wanted(columns, signal)
    try:
        roles = resolve(table, columns, needed)
    except MetacogError as error:
        if tool is None or signal or columns.confidence in table:
            raise
        raise MetacogError(f"{error}. {tool.without(first)}") from None
    return report, table, roles


def _log(path: Path, request: Request, signal: str) -> tuple[Validation, pd.DataFrame, Columns] | None:
    """A log, or a folder of them; None where it is neither."""
    with reading(path, "log"):
        if harness.is_harness(path):
            report = Validation(path.name, "harness")
            options = {"filter_name": request.filter_name, "metric": request.scorer}
            return report, harness.read_harness(path, report, **options), harness.COLUMNS
        if inspect_files.is_inspect(path):
            report = Validation(path.name, "inspect")
            read = inspect_logs.read_answers if signal else inspect_logs.read_inspect
            return report, *read(path, report, scorer=request.scorer, partial=request.threshold is not None)
    return None


def import_trials(
    path: str | Path | Sequence[str | Path],
    out: Path | None,
    request: Request | None = None,
    *,
    page: bool = True,
    echo: Callable[[str], object] = lambda text: None,
) -> Imported:
    """Read trials, measure them, and write trials.parquet, the tables of measures, and report.html.

    ``path`` and ``request``: as of :func:`load`; ``out``: folder for the results, made if need be,
    ``results/imports/NAME`` where None, or ``NAME-2`` and so on where another import stands there; ``page``: render the
    report, where what that takes is installed; ``echo`` gets one line at a time about what goes on.

    A MetacogError as of :func:`load`; and if the folder cannot be written.
    """
    started = time.perf_counter()
    request = request or Request()
    paths = _paths(path)
    source = called(paths)
    digest = digest_of(files_of(paths), request)
    target = out or results_folder() / "imports" / (Path(source).stem or "import")
    folder = free_folder(target, digest, chosen=out is not None, replace=request.replace, echo=echo)
    trials, validation = load(paths, request)
    people = "person" in trials
    if not people and (twins := two_spellings(trials["model"].unique())):
        validation.notes.append(
            f"{twins[0]!r} and {twins[1]!r} look like one model in two spellings, and are taken for two: give both one "
            "name if they are one"
        )
    of_models = None if people or validation.kind == "two-choice" else validation.answers
    decisions = decide(of_models, request.options, request.refusals)
    validation.notes += left_out_notes(decisions)
    for line in validation.lines():
        echo(line)
    named = "question_id" in validation.mapping
    twice = bool(trials["question_id"].duplicated().any())
    options = dataclasses.replace(request.options, clustered=twice if validation.kind == "harness" else named)
    measures, models, means = _measured(trials, options)
    for line in [*below_chance(measures, means), *swapped(measures)]:
        validation.notes.append(line)
        echo(line)
    pairs = compare_models(trials, models, options)
    orders = [pd.DataFrame(columns=list(ORDER_COLUMNS))]
    if people:
        sampling = dataclasses.replace(request.sampling, wanted=request.hierarchical)
        posteriors = draw_people(trials, sampling, options, echo)
        asked, opinions = Asked(None, NOT_OF_PEOPLE), SecondOpinions(None, NOT_OF_PEOPLE)
    else:
        made = [order_table(trials, options, by) for by in ("domain", "temperature")]
        orders = [order for order in made if len(order)] or orders
        posteriors = draw_posteriors(trials, request.sampling, options, echo)
        asked = ask(trials, options, questions_named=named)
        opinions = ask_others(trials, options, questions_named=named)
    facts: dict[str, Any] = {
        "name": request.name or source,
        "people": people,
        "resampled": not people or trials["model"].nunique() <= FEW_PEOPLE,
        "digest": digest,
        "validation": asdict(dataclasses.replace(validation, answers=None)),
        "options": asdict(options),
        "high_from": request.high_from,
        "posterior": posteriors.facts,
        asked.place: asked.facts,
        opinions.place: opinions.facts,
        "decisions": {"less_is_surer": decisions.less_is_surer},
        "made_by": provenance(seed=options.seed),
    }
    ranks, order = rank_table(models, pairs, options.level), pd.concat(orders, ignore_index=True)
    found = Results(
        facts, trials, measures, pairs, ranks, order, posteriors, asked, opinions, means, decisions
    )
    set_aside(folder, digest, replace=request.replace, echo=echo)
    _write(found, folder)
    report = None
    if page and lacks("papermill"):
        echo(
            "no report.html: the page needs the extra `book`, as by `pip install 'metacog[book]'`, and a clone"
        )
    elif page:
        from metacog.imports.page import render_report

        report = render_report(folder)
    return Imported(
        **vars(found),
        folder=folder,
        validation=validation,
        page=report,
        seconds=time.perf_counter() - started,
    )


def _write(found: Results, folder: Path) -> None:
    """Into its folder, ``import.json`` last, which names the files."""
    earlier = set((held_by(folder) or {}).get("files", ()))
    strange = set(os.listdir(folder)) - earlier if folder.is_dir() else set()
    write_parquet(found.trials, folder / "trials.parquet", {"metacog": json.dumps(found.facts["made_by"])})
    tables = {name: getattr(found, name) for name in TABLES if name != "people" or found.facts["people"]}
    try:
        write_tables(
            folder, tables | found.posteriors.frames | found.decisions.tables, (*TABLES, *FILES, *DECIDED)
        )
        found.self_knowledge.write(folder)
        found.second_opinions.write(folder)
        found.facts["files"] = sorted(set(os.listdir(folder)) - strange)
        (folder / "import.json").write_text(json.dumps(found.facts, indent=1), encoding="utf-8")
    except OSError as error:
        raise MetacogError(f"could not write to {folder}: {error.strerror or error}") from error


def _measured(
    trials: pd.DataFrame, options: Options
) -> tuple[pd.DataFrame, dict[str, Measured], pd.DataFrame]:
    """Measures of each model with its draws; or of each person, and the means of the group."""
    if "person" not in trials:
        return *measure_table(trials, options), pd.DataFrame()
    by = ("model", "domain")
    many = trials["model"].nunique() > FEW_PEOPLE
    measures = measure_people(trials, options, by) if many else measure_table(trials, options, by)[0]
    who = trials.drop_duplicates("model").set_index("model")
    measures.insert(2, "person", measures["model"].map(who["person"]))
    measures.insert(3, "group", measures["model"].map(who["group"]))
    mine = measures[measures["by"] == "model"]
    if "stimulus" in trials:
        mine = mine.assign(above_chance=mine["model"].map(above_chance(trials, options.level)))
        measures["above_chance"] = mine["above_chance"].reindex(measures.index)
    return measures, {}, group_means(mine, options.level)


def below_chance(measures: pd.DataFrame, means: pd.DataFrame) -> list[str]:
    """A line where the intervals of AUROC2 lie wholly below one half: less confidence goes with right answers.

    Of people it is the interval of their mean: of hundreds, some lie below by chance.
    """
    if len(means):
        at = (means["measure"] == "auroc2") & (means["upper"] < 0.5)
        below = means.loc[at, "group"].replace("all", "the people's mean")
    else:
        at = (measures["by"] == "model") & (measures.get("auroc2_upper", np.nan) < 0.5)
        below = measures.loc[at, "model"]
    if below.empty:
        return []
    return [
        f"less confidence goes with right answers: the interval of AUROC2 lies below 0.5 ({_first(below)}). If the "
        "column is an uncertainty, say --lower-is-surer; else see whether right and wrong are confused"
    ]


def _first(names: Sequence[str] | pd.Series) -> str:
    return listed(names if len(names) <= 4 else [*names[:3], f"{len(names) - 3} more"])


def swapped(measures: pd.DataFrame) -> list[str]:
    """A line where a two-choice accuracy lies below one half by more than guessing makes it.

    The binomial probability of so few right answers is compared with 5 % over the number of models or people, so in at
    most 5 % of imports in which all guess is anybody named.
    """
    mine = measures[measures["by"] == "model"]
    if mine.empty or not mine.get("m_ratio_valid", pd.Series(False, index=mine.index)).all():
        return []
    chance = bdtr(mine["n_correct"].to_numpy(), mine["n_trials"].to_numpy(), 0.5)
    wrong = mine[chance < 0.05 / len(mine)]
    if wrong.empty:
        return []
    names = [f"{name} {value:.2f}" for name, value in zip(wrong["model"], wrong["accuracy"], strict=True)]
    return [
        f"more answers are wrong than guessing gives ({_first(names)}): are keys swapped, or stimuli and responses "
        "coded the other way round? Nothing was turned round"
    ]


#: Tables that each import has, but the group's means of people.
TABLES = ("measures", "pairs", "ranks", "orders", "screen", "people")


@dataclass(frozen=True)
class Results:
    """What an import found, as it lies in its folder."""

    facts: dict[str, Any]
    trials: pd.DataFrame
    measures: pd.DataFrame
    pairs: pd.DataFrame
    ranks: pd.DataFrame
    orders: pd.DataFrame
    posteriors: Posteriors
    self_knowledge: Asked
    second_opinions: SecondOpinions
    people: pd.DataFrame
    decisions: Decisions

    @property
    def two_choice(self) -> bool:
        """True if the trials have stimulus and response."""
        return "stimulus" in self.trials

    @property
    def screen(self) -> pd.DataFrame:
        """The validity screen, a row per model; of people none, for it judges signals of models."""
        trials = self.trials.head(0) if self.facts.get("people") else self.trials
        cut = self.facts.get("high_from")
        cluster = "question_id" if self.facts["options"]["clustered"] else None
        return screen(trials, confidence="score", cut=MEDIAN if cut is None else cut, cluster=cluster)

    def rows(self, by: str) -> pd.DataFrame:
        """The rows of one kind: model, domain or temperature."""
        return self.measures[self.measures["by"] == by].reset_index(drop=True)


@dataclass(frozen=True)
class Imported(Results):
    """What an import found, where it lies, how the file was read, and the page, if one was asked for."""

    folder: Path
    validation: Validation
    page: Path | None
    seconds: float


def read_results(folder: Path) -> Results:
    """Read a folder that :func:`import_trials` wrote; any other is refused."""
    folder = Path(folder)
    try:
        facts = json.loads((folder / "import.json").read_text(encoding="utf-8"))
        trials = pd.read_parquet(folder / "trials.parquet")
        tables = read_tables(folder, (*TABLES, *FILES, *DECIDED))
        wanted = [*TABLES[:4], *(["people"] if facts.get("people") else [])]
        if lost := [f"{name}.csv" for name in wanted if name not in tables]:
            raise ValueError(f"{listed(lost)} {'is' if len(lost) == 1 else 'are'} missing")
        measures, pairs, ranks, orders = (tables[name] for name in TABLES[:4])
    except (OSError, ValueError, KeyError) as error:
        raise MetacogError(f"{folder} holds no import ({error}): run `metacog import-trials` first") from None
    posteriors = Posteriors(
        {name: tables[name] for name in FILES if name in tables},
        facts.get("posterior", {"why_not": BEFORE, "left_out": []}),
    )
    decisions = Decisions(
        {name: tables[name] for name in DECIDED if name in tables},
        bool(facts.get("decisions", {}).get("less_is_surer")),
    )
    asked, opinions = Asked.read(folder, facts), SecondOpinions.read(folder, facts)
    means = tables.get("people", pd.DataFrame())
    return Results(
        facts, trials, measures, pairs, ranks, orders, posteriors, asked, opinions, means, decisions
    )
