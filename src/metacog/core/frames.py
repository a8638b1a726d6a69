"""Rows of a table for code that reads them one by one, tables from rows, and tables without any."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from metacog.core.errors import MetacogError
from metacog.core.paths import committed

if TYPE_CHECKING:
    import pandas as pd

#: Methods by which a chapter chooses rows: of a table that has none they leave none.
CHOOSING = (
    "query",
    "sort_values",
    "rename",
    "dropna",
    "drop_duplicates",
    "nlargest",
    "nsmallest",
    "head",
    "tail",
)


def rows_of(frame: pd.DataFrame) -> list[Any]:
    """Rows as named tuples whose fields a type checker leaves alone."""
    return list(frame.itertuples(index=False))


def committed_table(name: str, **reading: Any) -> pd.DataFrame:
    """A table (CSV) that comes with the project, by its path from the root; options are of ``pandas.read_csv``."""
    import pandas as pd

    path = committed(name)
    if not path.is_file():
        raise MetacogError(f"{name} is missing: restore it, or make it as data/simulations/README.md says")
    return pd.read_csv(path, **reading)


def with_ends(*names: str) -> tuple[str, ...]:
    """Columns of estimates, each followed by those of its interval's ends: ``NAME, NAME_lower, NAME_upper``."""
    return tuple(f"{name}{end}" for name in names for end in ("", "_lower", "_upper"))


def ended(name: str, estimate: Any, lower: Any, upper: Any) -> dict[str, Any]:
    """An estimate and its interval's ends under the names of :func:`with_ends`."""
    return dict(zip(with_ends(name), (estimate, lower, upper), strict=True))


def typed_rows(rows: Sequence[Mapping[str, Any]], types: Mapping[str, Any]) -> pd.DataFrame:
    """Rows as a table that has its columns, and their types, where there is no row as well."""
    import pandas as pd

    return pd.DataFrame(list(rows), columns=list(types)).astype(dict(types))


def chosen_from(frame: pd.DataFrame) -> pd.DataFrame:
    """The table; one without columns, which nothing was found for, so that rows can be chosen by any column."""
    import pandas as pd

    if len(frame.columns):
        return frame

    class Nothing(pd.DataFrame):
        def __getitem__(self, key: Any) -> Any:
            return pd.Series(name=key, dtype=object) if isinstance(key, str) else self

        def _self(self, *_: Any, **__: Any) -> pd.DataFrame:
            return self

    for method in CHOOSING:
        setattr(Nothing, method, Nothing._self)
    return Nothing()


def with_columns(frame: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """The table; one without columns with these and no rows."""
    import pandas as pd

    return (
        frame if len(frame.columns) else pd.DataFrame(columns=[name for name in dict.fromkeys(names) if name])
    )
