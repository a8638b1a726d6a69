"""People of an import: told from models, parted, and put into words for the terminal and the page."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from metacog.core.errors import MetacogError
from metacog.core.words import listed, plural
from metacog.imports.clean import Validation, labels_of
from metacog.imports.mapping import Columns
from metacog.imports.own_trials import NAMES, aligned
from metacog.imports.sources import FILE, numbered
from metacog.measures.people import names_people, people_column
from metacog.report.show import Prose

#: Column of the names of people within models or conditions.
WITHIN = "person / model"
NO_RANKS = (
    "People are a sample of all people: the group has a mean, and nobody is ranked or compared. Nor is it asked "
    "whether confidence is self-knowledge, or whom to ask: these are questions about models."
)
NOT_OF_PEOPLE = "these are people, and the question is one about models"
#: Most people who are shown one by one in the terminal.
MOST_SHOWN = 10
#: Most people who are named with the reason why they cannot be measured.
MOST_NAMED = 5
#: Most people who have a row each in a figure of the page; more are dots.
MOST_ROWS = 40
ABOUT = (
    "Each person is one observation: means are over people, and their intervals (Student's t) say where the mean of "
    "all such people may lie. M-ratio divides by d', so people whose d' is not above 0 are left out of its mean. With "
    "few trials a person, one person's M-ratio is mostly chance; the hierarchical model (`--hierarchical`) weighs "
    "people by what they tell."
)


def tell_people(table: pd.DataFrame, columns: Columns, report: Validation, *, pool: bool) -> Columns:
    """The roles with the column of people among them, where a name says so or every file is a person's.

    A column that names several people is refused, where it was not said what they are.
    """
    if columns.person is not None:
        return columns
    if columns.model is not None and names_people(columns.model):
        report.notes.append(
            f"the column {columns.model!r} names people: they are measured each alone and as a group, and not ranked "
            "as models are"
        )
        return replace(columns, person=columns.model, model=None)
    two, models = columns.stimulus is not None, columns.model is not None
    found = people_column(table, set(columns.named().values()), two_choice=two, models=models)
    if found is not None and pool:
        report.notes.append(f"{plural(found[1], 'person', 'people')} of {found[0]!r} are pooled, as asked")
    elif found is not None:
        column, n = found
        if FILE in table and not (table.groupby(FILE)[column].nunique() > 1).any():  # a file a person
            report.notes.append(f"each file is one person's, by the column {column!r}")
            return replace(columns, person=column)
        word = column if " " not in column else f"'{column}'"
        raise MetacogError(
            f"column {column!r} holds {n} people, but --person was not given: trials of different people must not be "
            f"pooled, since each uses the scale in a way of one's own. Add --person {word} to measure each alone and "
            f"the group, or --pool if you mean it{_otherwise(column)}"
        )
    elif FILE in table and not models and not pool:
        names = table[FILE].unique().tolist()
        role, other = ("person", "model") if two or numbered(names) else ("model", "person")
        told = {"person": "people", "model": "models"}[other]
        report.notes.append(
            f"{len(names)} files: each is taken for a {role} (say --{other} file if they are {told})"
        )
        return replace(columns, **{role: FILE})
    return columns


def _otherwise(column: str) -> str:
    """What else a column of that name may be."""
    plain = column.strip().lower()
    if plain in ("id", "pid", "sid", "uid"):
        return f"; if it numbers questions, --question-id {column}"
    return f"; if it names topics, --domain {column}" if plain in ("subject", "sub") else ""


def as_models(table: pd.DataFrame, columns: Columns) -> tuple[pd.DataFrame, Columns, pd.DataFrame]:
    """People in the place of models, within models or conditions where both are named; and who is who.

    That is told by the name in the column of models: ``person`` and ``group``; empty where there are no people.
    """
    if columns.person is None:
        return table, columns, pd.DataFrame(columns=["person", "group"])
    person = labels_of(table, columns.person, "")
    if columns.model is None:
        names = person.dropna().unique()
        who = pd.DataFrame({"person": names, "group": "all"}, index=names)
        return table, replace(columns, model=columns.person, person=None), who
    model = labels_of(table, columns.model, "")
    both = (person + " / " + model).where(person.notna() & model.notna())
    pairs = pd.DataFrame({"name": both, "person": person, "group": model}).dropna().drop_duplicates("name")
    roles = replace(columns, model=WITHIN, person=None)
    return table.assign(**{WITHIN: both}), roles, pairs.set_index("name")


def put_back(trials: pd.DataFrame, report: Validation, columns: Columns, who: pd.DataFrame) -> pd.DataFrame:
    """Trials with the columns ``person`` and ``group``, and a report that says so, where there are people."""
    if who.empty:
        return trials
    report.mapping.pop("model", None)
    report.mapping |= {name: value for name, value in columns.named().items() if name in ("person", "model")}
    if "no model" in report.dropped:
        report.dropped["no person"] = report.dropped.pop("no model")
    found = who.reindex(trials["model"])
    return trials.assign(person=found["person"].to_numpy(), group=found["group"].to_numpy())


def group_lines(means: pd.DataFrame, measures: pd.DataFrame, level: float = 0.95) -> list[str]:
    """The group's means first, then some of the people, a row of measures each: what the terminal prints."""
    lines = [f"the group: mean over people with its {100 * level:g} % interval (Student's t over people)"]
    rows = [["", "mean", "interval", "sd", "median", "people"]]
    for _, row in means.iterrows():
        ends = f"[{row['lower']:.3f}, {row['upper']:.3f}]" if np.isfinite(row["lower"]) else "-"
        spread = f"{row['sd']:.3f}" if np.isfinite(row["sd"]) else "-"
        name = _of(row, means) + NAMES.get(str(row["measure"]), str(row["measure"]))
        rows.append([name, f"{row['mean']:.3f}", ends, spread, f"{row['median']:.3f}", f"{row['people']:,}"])
    lines += aligned(rows) + without(means)
    shown = measures.head(MOST_SHOWN)
    names = [
        c for c in ("accuracy", "auroc2", "meta_i2r", "m_ratio") if c in shown and shown[c].notna().any()
    ]
    rows = [["person", "trials", *(NAMES[c] for c in names)]]
    for _, row in shown.iterrows():
        cells = ["-" if pd.isna(row[c]) else f"{row[c]:.3f}" for c in names]
        rows.append([str(row["model"]), f"{row['n_trials']:,}", *cells])
    lines += ["", *aligned(rows)]
    if len(measures) > MOST_SHOWN:
        lines.append(f"... and {len(measures) - MOST_SHOWN:,} more in measures.csv")
    return lines + why_not(measures)


def _of(row: pd.Series, means: pd.DataFrame) -> str:
    return f"{row['group']}: " if means["group"].nunique() > 1 else ""


def without(means: pd.DataFrame) -> list[str]:
    """How many people a mean is without and why; means that lack the same ones together."""
    lines = []
    for _, rows in means[means["left_out"] > 0].groupby(["group", "why"], sort=False):
        first = rows.iloc[0]
        names = listed(NAMES.get(str(name), str(name)) for name in rows["measure"])
        lost = plural(int(first["left_out"]), "person", "people")
        lines.append(f"{_of(first, means)}{lost} left out of {names}: {first['why']}")
    for _, row in means[means["near_chance"] > 0].iterrows():
        lines.append(
            f"{_of(row, means)}{row['near_chance']:,} of the {row['people']:,} people in the mean M-ratio are near "
            "chance: their d' may be 0, which widens its interval, and raises it by 5 to 7 % in simulated groups near "
            "chance"
        )
    return lines


def why_not(measures: pd.DataFrame) -> list[str]:
    """How many people are flagged, by reason, and the first of those who cannot be measured by name."""
    flagged = measures[measures["flags"].replace("", np.nan).notna()]
    if flagged.empty:
        return []
    reasons = flagged["flags"].astype(str).str.split("; ").explode().value_counts()
    told = ", ".join(f"{n:,} {reason}" for reason, n in reasons.items())
    lines = [f"flagged: {len(flagged):,} of {len(measures):,} people ({told})"]
    lost = flagged[flagged["auroc2"].isna()]
    lines += [f"{row['model']}: {row['flag']}" for _, row in lost.head(MOST_NAMED).iterrows()]
    if len(lost) > MOST_NAMED:
        lines.append(
            f"... and {len(lost) - MOST_NAMED:,} more who cannot be measured: measures.csv names each"
        )
    return lines


@dataclass(frozen=True)
class People:
    """What the page shows of people, a row of measures each and the group's means; empty of models."""

    measures: pd.DataFrame
    means: pd.DataFrame

    def answer(self) -> str:
        n = plural(self.measures["person"].nunique(), "person", "people")
        if (groups := self.means["group"].nunique()) > 1:
            return f"{n} under {groups} conditions."
        told = [
            f"{NAMES[row['measure']]} {row['mean']:.2f} [{row['lower']:.2f}, {row['upper']:.2f}]"
            for _, row in self.means.iterrows()
            if row["measure"] in ("accuracy", "auroc2", "m_ratio") and np.isfinite(row["lower"])
        ]
        return f"{n}, on average: {listed(told)}." if told else n

    def about(self) -> Prose:
        if self.measures.empty:
            return Prose("")
        told = ["## The group", NO_RANKS, ABOUT, *without(self.means), *why_not(self.measures)]
        return Prose("\n\n".join(told))

    @property
    def group(self) -> pd.DataFrame:
        """The means, under the names of their measures."""
        if self.means.empty:
            return pd.DataFrame()
        made = self.means.rename(columns={"lower": "mean_lower", "upper": "mean_upper"}).assign(
            measure=[NAMES.get(str(name), str(name)) for name in self.means["measure"]]
        )
        several = made["group"].nunique() > 1
        return made.drop(columns=["why", "near_chance", *([] if several else ["group"])])

    @property
    def mean(self) -> float | None:
        """The group's AUROC2, which a line shows; None where there are several groups."""
        found = self.means[self.means["measure"] == "auroc2"] if len(self.means) else self.means
        return float(found["mean"].iloc[0]) if len(found) == 1 else None

    @property
    def each(self) -> pd.DataFrame:
        """A row for each of some people, by name."""
        return self.measures if len(self.measures) <= MOST_ROWS else pd.DataFrame()

    @property
    def many(self) -> pd.DataFrame:
        return self.measures if len(self.measures) > MOST_ROWS else pd.DataFrame()
