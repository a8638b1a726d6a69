"""What a study contributes to the chapters of no one study, as results of analyses of an agreed name.

A study that has a ``worked_tables`` or a ``headline`` among its analyses returns the record of that name here;
nothing else has to be said (:attr:`metacog.studies.study.Analysis.across`).
"""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class WorkedTables:
    """Published tables of right and wrong answers by rating, on which the measures are introduced.

    Attributes
    ----------
    counts : DataFrame
        ``use`` (``worked``: the one table that every measure is computed from; ``compared``: two or more whose
        abstaining is compared), ``model`` as readers know it, ``rating`` from 1 (least confident), ``right``,
        ``wrong``.
    """

    counts: pd.DataFrame
